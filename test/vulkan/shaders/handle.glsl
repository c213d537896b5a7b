/* SPDX-License-Identifier: Apache-2.0 */
/* Handle cases: row r has the handles of one descriptor type, the same in the buffer and the push constants. */
#include "descriptor_handle.glsl"
#include "case.glsl"

layout(AUTO, std430) readonly buffer handles { DescriptorHandle h[]; } table;
layout(push_constant) uniform Push { DescriptorHandle h[16]; } push;

#define divergent(row) nonuniform_handle(table.h[(row) * 8u + PICK])
#define uniform_handle(row) push.h[row]
