# SPDX-License-Identifier: Apache-2.0
"""Shaders of public reports and of real code in which the uniformity analysis, or the words about it, were once wrong.

    reported.py --bind B [--only WORD]
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from lint import codes, lint, with_quad_derivatives  # noqa: E402
from running import bind, glslang, says, spirv_as, write  # noqa: E402

SUBGROUPS = "".join("#extension GL_KHR_shader_subgroup_%s : require\n" % name
                    for name in ("basic", "vote", "ballot", "shuffle", "arithmetic", "quad"))
COMPUTE = "#version 460\n#extension GL_EXT_nonuniform_qualifier : require\n" + SUBGROUPS + """
layout(%s) in;
layout(binding = 0) readonly buffer T { uint v; } t[64];
layout(binding = 64) buffer O { uint o[]; };
layout(binding = 65) readonly buffer I { uint ix[]; };
layout(binding = 66) buffer C { uint counter; };
layout(push_constant) uniform P { uint n; };
shared uint s, u[64];
%s
void main()
{
    uint g = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex, i = ix[g] & 63u, r = 0u;
    %s
    o[g] = r;
}
"""
FRAGMENT = "#version 460\n#extension GL_EXT_nonuniform_qualifier : require\n" + SUBGROUPS + """
layout(binding = 0) uniform sampler2D tex[64];
layout(binding = 1) uniform usampler2D seen;
layout(push_constant) uniform P { uint n; };
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint material;
layout(location = 0) out vec4 c;
void main()
{
    c = vec4(0);
    %s
}
"""


def compute(body, size="local_size_x = 64", functions=""):
    write("m.comp", COMPUTE % (size, functions, body))
    return glslang("m.comp", "m.spv", "--target-env", "vulkan1.2", "-g")


def fragment(body, env="vulkan1.1"):
    write("m.frag", FRAGMENT % body)
    return glslang("m.frag", "m.spv", "--target-env", env, "-g")


TILE = "local_size_x = 16, local_size_y = 16"


def test_silence_where_nothing_differs():
    for body, *more in (
            ("if (i == n) r = t[i].v;",), ("for (uint k = 0u; k < i; ++k) r += t[k].v;",),
            ("bool todo = true; for (;;) { uint f = subgroupBroadcastFirst(i); if (f == i) { r = t[i].v; todo = false; "
             "} if (!todo) break; }",),
            ("if (lane == 0u) r = t[i].v;",), ("if (subgroupElect()) r = t[i].v;",),
            ("if (subgroupAllEqual(i)) r = t[i].v;",),
            ("if (subgroupAll(i == subgroupBroadcastFirst(i))) r = t[i].v;",),
            ("if (subgroupMin(i) == subgroupMax(i)) r = t[i].v;",),
            ("if (lane >= 64u) return; barrier();",), ("if (lane < 64u) barrier();",),
            ("if (gl_LocalInvocationID.x >= 16u) return; barrier();", TILE),
            ("uvec2 v = gl_GlobalInvocationID.xy / 16u; if (v.x == 3u) return; barrier();", TILE),
            ("uvec2 v = gl_GlobalInvocationID.xy >> 4u; if (v.y == 3u) return; barrier();", TILE),
            ("ivec2 f = ivec2(gl_GlobalInvocationID.xy); int v = f.x / 16; if (v == 3) return; barrier();", TILE),
            ("for (uint k = lane; k < 256u; k += 64u) { o[k] = s; barrier(); }",),
            # FidelityFX's SPD: the store to `s` is before the barrier, in each call
            ("four(lane, n); if (lane == 0u) s = atomicAdd(counter, 1u); barrier(); if (s != n) return; four(lane, n);",
             "local_size_x = 64", "void four(uint x, uint m) { if (m < 3u) return; barrier(); u[x] = m; }")):
        assert lint(compute(body, *more)) == "", body


def test_severity_follows_what_is_known():
    for body, severity, code in (
            ("if (subgroupAny(o[lane] > 3u)) barrier();", "warning", "SPB5007"),
            ("r = t[subgroupShuffle(i, n & 31u)].v;", "warning", "SPB5002"),
            ("for (;;) { uint f = subgroupBroadcastFirst(i); if (f == i) { r = t[f].v; break; } }", "warning",
             "SPB5002")):
        text = lint(compute(body))
        assert codes(text) == [code] and says(text, "%s %s" % (severity, code)), (body, text)


def test_killed_lanes_keep_their_values():
    for body in ("uint m = texelFetch(seen, ivec2(uv), 0).x; if (m != n) discard; c = texture(tex[m], uv);",
                 "uint m = uint(uv.x); switch (m) { case 3u: break; default: discard; } c = texture(tex[m], uv);"):
        assert codes(lint(fragment(body), expect=3)) == ["SPB5001", "SPB5013"], body
        marked = fragment(body.replace("tex[m]", "tex[nonuniformEXT(m)]"))
        bind("-q", "--prune", marked, "-o", "out.spv")
        assert "NonUniform" in running.run("spirv-dis", "out.spv").stdout, body


def test_derivatives():
    assert says(lint(fragment("uint k = 0u; while (k < uint(uv.x * 4.0)) { ++k; c += dFdx(uv).xyxy; }"), expect=3),
                "error SPB5014")
    assert says(lint(fragment("uint k = uint(uv.x * 8.0); c = texture(tex[nonuniformEXT(k)], uv);")), "warning SPB5013")
    for condition, code in (("subgroupQuadBroadcast(uv.x, 0u) > 0.5", "SPB5014"), ("gl_SampleID > 0", "SPB5006")):
        use = "dFdx(uv).xyxy" if code == "SPB5014" else "texture(tex[0], uv)"
        text = lint(fragment("if (%s) c = %s;" % (condition, use), "vulkan1.2"))
        assert codes(text) == [code] and "only within a quad" in text, text
        assert lint(with_quad_derivatives("m.spv")) == "", condition


def test_reasons():
    compute("if (lane == 0u) s = o[9]; barrier(); r = t[s & 15u].v;")
    assert '"s" is shared memory' in bind("explain", "--name=T", "m.spv").stdout, bind("explain", "m.spv").stdout
    compute("\n".join("o[%d] = t[(i + %du) & 63u].v;" % (k, k) for k in range(130)))
    assert "129 more places with the same cause" in lint("m.spv", expect=3)


CHOSEN = """OpCapability Shader
OpCapability VariablePointersStorageBuffer
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %lid
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %lid BuiltIn LocalInvocationIndex
OpDecorate %B Block
OpMemberDecorate %B 0 Offset 0
OpDecorate %bufs DescriptorSet 0
OpDecorate %bufs Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u = OpTypeInt 32 0
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c4 = OpConstant %u 4
%B = OpTypeStruct %u
%arr = OpTypeArray %B %c4
%parr = OpTypePointer StorageBuffer %arr
%pB = OpTypePointer StorageBuffer %B
%pu = OpTypePointer StorageBuffer %u
%pin = OpTypePointer Input %u
%bufs = OpVariable %parr StorageBuffer
%lid = OpVariable %pin Input
%main = OpFunction %void None %fn
%e = OpLabel
%l = OpLoad %u %lid
%k = OpULessThan %bool %l %c4
"""


def test_every_access_is_listed():
    for body, found in (("%a = OpAccessChain %pu %bufs %c0 %c0\n%b = OpAccessChain %pu %bufs %c1 %c0\n"
                         "%p = OpSelect %pu %k %a %b\n%v = OpLoad %u %p\n", 1),
                        ("%all = OpCopyObject %parr %bufs\n%a = OpAccessChain %pu %all %l %c0\n%v = OpLoad %u %a\n", 1),
                        ("%all = OpAccessChain %parr %bufs\n%b = OpAccessChain %pB %all %l\n"
                         "%a = OpAccessChain %pu %b %c0\n%v = OpLoad %u %a\n", 1)):
        spirv_as(CHOSEN + body + "OpReturn\nOpFunctionEnd\n", "m.spv", "spv1.3")
        text = bind("explain", "m.spv").stdout
        assert text.count("divergent, marked NonUniform") == found, text
        listed = json.loads(bind("-q", "m.spv", "-o", "out.spv", "--layout-json=-", "--accesses").stdout)["accesses"]
        assert sum(a["nonUniform"] for a in listed) == found, listed


def test_words():
    write("d.vert", """#version 460
layout(binding = 2) readonly buffer Draws { uint d[]; };
layout(location = 1) flat out uint material;
void main() { material = d[gl_DrawID]; gl_Position = vec4(0); }
""")
    glslang("d.vert", "d.spv", "--target-env", "vulkan1.1", "-g")
    text = lint("d.spv", fragment("c = textureLod(tex[material], uv, 0.0);"))
    assert says(text, "warning SPB5002") and "the stage before may write several values" in text, text
    assert "error" in lint("m.spv", expect=3)
    # the pass is not to blame for a fault of the input
    spirv_as(CHOSEN + "%a = OpAccessChain %pu %bufs %l %c0\n%v = OpLoad %u %a\n%w = OpBitcast %u %k\n"
             "OpReturn\nOpFunctionEnd\n", "m.spv", "spv1.3")
    done = bind("--waterfall", "--allow-unvalidated", "m.spv", "-o", "out.spv")
    assert "SPB6002" in done.stderr and "SPB6001" not in done.stderr, done.stderr


if __name__ == "__main__":
    running.main(globals())
