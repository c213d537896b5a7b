/* SPDX-License-Identifier: Apache-2.0 */
/* assert_uniform.glsl: assertions that a value is the same in all invocations that execute them together.
 *
 *     #extension GL_GOOGLE_include_directive : require
 *     #include "assert_uniform.glsl"
 *     ...
 *     assert_uniform_workgroup(tile);        the same in the workgroup; outside of compute, in the draw or launch
 *     assert_uniform_subgroup(material);     the same in the subgroup
 *
 * x is a scalar or a vector of bool, int, uint or float. spirv-bind proves each assertion, or reports why the value may
 * differ, and removes it. With --check-assertions=runtime, failures of unproven assertions are counted in a buffer. A program
 * that spirv-bind has not seen runs as if the assertions were not there, if its consumer knows SPV_KHR_non_semantic_info.
 *
 * The extended instructions of NonSemantic.AssertUniform. Their meaning never changes.
 *     1  the operand is uniform in the workgroup     2  in the subgroup */
#ifndef ASSERT_UNIFORM_GLSL
#define ASSERT_UNIFORM_GLSL

#extension GL_EXT_spirv_intrinsics : require

#define SPB_WORKGROUP spirv_instruction(extensions = ["SPV_KHR_non_semantic_info"], \
                                        set = "NonSemantic.AssertUniform", id = 1) void assert_uniform_workgroup
#define SPB_SUBGROUP spirv_instruction(extensions = ["SPV_KHR_non_semantic_info"], \
                                       set = "NonSemantic.AssertUniform", id = 2) void assert_uniform_subgroup

SPB_WORKGROUP(bool x);
SPB_WORKGROUP(bvec2 x);
SPB_WORKGROUP(bvec3 x);
SPB_WORKGROUP(bvec4 x);
SPB_WORKGROUP(int x);
SPB_WORKGROUP(ivec2 x);
SPB_WORKGROUP(ivec3 x);
SPB_WORKGROUP(ivec4 x);
SPB_WORKGROUP(uint x);
SPB_WORKGROUP(uvec2 x);
SPB_WORKGROUP(uvec3 x);
SPB_WORKGROUP(uvec4 x);
SPB_WORKGROUP(float x);
SPB_WORKGROUP(vec2 x);
SPB_WORKGROUP(vec3 x);
SPB_WORKGROUP(vec4 x);

SPB_SUBGROUP(bool x);
SPB_SUBGROUP(bvec2 x);
SPB_SUBGROUP(bvec3 x);
SPB_SUBGROUP(bvec4 x);
SPB_SUBGROUP(int x);
SPB_SUBGROUP(ivec2 x);
SPB_SUBGROUP(ivec3 x);
SPB_SUBGROUP(ivec4 x);
SPB_SUBGROUP(uint x);
SPB_SUBGROUP(uvec2 x);
SPB_SUBGROUP(uvec3 x);
SPB_SUBGROUP(uvec4 x);
SPB_SUBGROUP(float x);
SPB_SUBGROUP(vec2 x);
SPB_SUBGROUP(vec3 x);
SPB_SUBGROUP(vec4 x);

#undef SPB_WORKGROUP
#undef SPB_SUBGROUP
#endif
