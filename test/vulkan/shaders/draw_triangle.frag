#version 460
// draw: triangle.vert --vertices 3
#extension GL_GOOGLE_include_directive : require
#include "draw_sample.glsl"
