#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
// SwiftShader has 15 uniform buffers
// spirv-bind: --heap-size=8
#include "handle_ubo.glsl"
