#version 460
// draw: edge.vert --vertices 6
#extension GL_GOOGLE_include_directive : require
#include "draw_sample.glsl"
