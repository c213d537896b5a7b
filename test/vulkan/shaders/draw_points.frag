#version 460
// draw: points.vert --points 8
#extension GL_GOOGLE_include_directive : require
#include "draw_sample.glsl"
