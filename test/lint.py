# SPDX-License-Identifier: Apache-2.0
"""The verb lint and the other options about uniformity.

    lint.py --bind B [--only WORD]
"""
import json
import os
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
import sarif  # noqa: E402
from running import ROOT, bind, bind_bytes, glslang, run, says, spirv_as, write  # noqa: E402
from uniformity_values import MODULE, WORKGROUP  # noqa: E402

HEAD = """#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { vec4 o[]; };
layout(binding = 1) uniform texture2D t[8];
layout(binding = 2) uniform sampler s[8];
layout(binding = 3) buffer B { uint n; uint v[]; } b[8];
layout(push_constant) uniform Push { uint same; uint list[4]; };
"""


def shader(body, declarations="", path="m.spv", *flags, stage="comp", head=HEAD):
    write("m." + stage, head + declarations + "\nvoid main()\n{\n" + body + "\n}\n")
    return glslang("m." + stage, path, "--target-env", "vulkan1.2", *(flags or ["-g"]))


def lint(*args, expect=0):
    return bind("lint", *args, expect=expect).stderr


def codes(text):
    return re.findall(r"\[(SPB\d+)\]", text)


LANE = "uint lane = gl_LocalInvocationIndex & 7u;"


def test_uniform_or_marked_accesses_are_not_reported():
    assert lint(shader(
        "o[0] = texelFetch(t[same], ivec2(0), 0) + texelFetch(t[3], ivec2(0), 0) + texelFetch(t[gl_WorkGroupID.x], "
                       "ivec2(0), 0);")) == ""
    assert lint(shader(LANE + "o[0] = texelFetch(t[nonuniformEXT(lane)], ivec2(0), 0);")) == ""


def test_an_unmarked_divergent_access_is_an_error_that_names_line_resource_and_reason():
    text = lint(shader(LANE + "\nuint k = lane + 1u;\no[0] = texelFetch(t[k], ivec2(0), 0);"), expect=3)
    assert codes(text) == ["SPB5001"] and "m.comp:16:1: error:" in text and '"t"' in text, text
    built_in = "LocalInvocationIndex is a built-in that differs between invocations in compute"
    assert 'm.comp:14:1: note: it holds the stored value of "lane"\n' in text and built_in in text, text


def test_a_finding_has_the_column_that_the_module_gives():
    """glslang writes 0, which means unknown."""
    text = running.run("spirv-dis", shader(LANE + "\no[0] = texelFetch(t[lane], ivec2(0), 0);")).stdout
    text, count = re.subn(r"(OpLine %\w+ 15) 0", r"\1 23", text)
    assert count, text
    found = json.loads(lint("--diagnostics=json", running.spirv_as(text, "column.spv"), expect=3))
    assert (found["line"], found.get("column")) == (15, 23), found


def test_unknown_is_a_warning():
    text = lint(shader("o[0] = texelFetch(t[b[0].n & 7u], ivec2(0), 0); b[1].n = 3u;"))
    assert codes(text) == ["SPB5002"] and "warning" in text and "memory that this shader writes" in text, text


def test_a_buffer_that_is_written_through_an_alias_is_unknown():
    two = "layout(binding = %d) readonly buffer R { uint r[]; }; layout(binding = 5) buffer W { uint w[]; };"
    body = "o[0] = texelFetch(t[r[0] & 7u], ivec2(0), 0); w[gl_LocalInvocationIndex] = 1u;"
    assert lint(shader(body, two % 4)) == ""
    assert codes(lint(shader(body, two % 5))) == ["SPB5002"]
    both = "layout(binding = %d) readonly buffer R { uint r[]; };" + \
        "layout(buffer_reference, std430) buffer P { uint p; }; layout(binding = 6) uniform U { P at; };"
    head = HEAD.replace("#extension", "#extension GL_EXT_buffer_reference : require\n#extension", 1)
    assert lint(shader("o[0] = texelFetch(t[r[0] & 7u], ivec2(0), 0); at.p = 1u;", both % 4, head=head)) == ""
    assert codes(lint(shader("o[0] = texelFetch(t[at.p & 7u], ivec2(0), 0); at.p = 1u;", both % 4, head=head))) == [
        "SPB5002"]
    apart = shader("o[0] = texelFetch(t[r[0] & 7u], ivec2(0), 0); at.p = 1u;", both % 4, head=head)
    assert codes(lint("--assume-aliased-references", apart)) == ["SPB5002"]


def test_an_unknown_pointer_is_a_warning():
    with open(os.path.join(ROOT, "spirv-fixtures", "decorate-nonuniform", "pointer-unknown.spvasm"), "rb") as f:
        spirv_as(f.read(), "pointer.spv", "spv1.4")
    text = lint("pointer.spv")
    assert codes(text) == ["SPB5002"] * 3 and "error" not in text, text
    assert text.count("is undefined\n") == 2, text
    assert text.count("is a parameter of a function whose callers are unknown\n") == 1, text


def test_a_texture_chosen_by_control_flow_lacks_a_mark():
    """To find it, a pass rewrites the access with an index; the message is about the input nevertheless."""
    with open(os.path.join(ROOT, "spirv-fixtures", "slang", "buffers-chosen.spvasm"), "rb") as f:
        path = spirv_as(f.read(), "chosen.spv", "spv1.5")
    found = [json.loads(line) for line in lint("--diagnostics=json", path, expect=3).splitlines()]
    maps = [f for f in found if '"maps"' in f["text"]]
    assert [(f["code"], f["op"], f["id"]) for f in maps] == [("SPB5001", "OpImageFetch", 128)], maps
    assert sorted(f["code"] for f in found) == ["SPB5001"] * 6 + ["SPB5005"], found
    explained = bind("explain", path).stdout
    assert len(re.findall("by the author", explained)) == 1, explained
    assert re.search("divergent, marked NonUniform: the index follows from \"map\"", explained), explained


def test_an_unknown_instruction_may_write_anything():
    shader("uint k = same; if (o.length() > 0) k = 3u;\no[0] = texelFetch(t[k], ivec2(0), 0);")
    assert lint("m.spv") == ""
    with open("m.spv", "rb") as f:
        words = list(struct.unpack("<%dI" % (os.path.getsize("m.spv") // 4), f.read()))
    at = words.index(1 << 16 | 253)  # OpReturn
    with open("unknown.spv", "wb") as f:
        f.write(struct.pack("<%dI" % (len(words) + 1), *words[:at], 1 << 16 | 9999, *words[at:]))
    assert codes(lint("unknown.spv")) == ["SPB5002"]


def test_the_four_accesses_that_stock_glslang_leaves_unmarked_are_found():
    cases = ("o[0] = texelFetch(sampler2D(t[nonuniformEXT(lane)], s[0]), ivec2(0), 0);",
             "o[0] = vec4(textureSize(sampler2D(t[nonuniformEXT(lane)], s[0]), 0), 0, 0);",
             "o[0] = vec4(atomicAdd(b[nonuniformEXT(lane)].n, 1u));",
             "o[0] = vec4(b[nonuniformEXT(lane)].v.length());")
    for case in cases:
        text = lint(shader(LANE + case))
        assert codes(text) == ["SPB5005"] and "dropped its mark" in text and "warning:" in text, case + "\n" + text
        assert "NonUniform in the input" not in text and "LocalInvocationIndex is a built-in" in text, text
        bind("-q", "m.spv", "-o", "bound.spv")
        assert lint("bound.spv") == "", case
        bind("-q", "--nonuniform=explicit", "m.spv", "-o", "completed.spv")
        assert lint("completed.spv") == "", case


def test_arrays_in_push_constants_are_reported_as_not_fixable_by_marks():
    text = lint(shader(LANE + "o[0] = vec4(list[nonuniformEXT(lane) & 3u]);"), expect=3)
    assert codes(text) == ["SPB5003"] and "marked or not" in text, text
    assert lint(shader("o[0] = vec4(list[same]);")) == ""


def test_cooperative_matrices_from_divergent_descriptors_are_reported_as_not_fixable_by_marks():
    head = HEAD.replace("#version 460", "#version 460\n#extension GL_KHR_memory_scope_semantics : require\n"
                        "#extension GL_NV_cooperative_matrix : require\n#extension "
                        "GL_EXT_shader_explicit_arithmetic_types : require")
    body = ("fcoopmatNV<32, gl_ScopeSubgroup, 8, 8> m; coopMatLoadNV(m, f[nonuniformEXT(%s)].w, 0, 8, false); "
            "o[0] = vec4(m[0]);")
    declarations = "layout(binding = 4) buffer F { float w[]; } f[8];"
    text = lint(shader(LANE + body % "lane", declarations, head=head), expect=3)
    assert "SPB5003" in codes(text) and "cooperative matrix" in text, text
    assert "SPB5003" not in codes(lint(shader(body.replace("nonuniformEXT", "") % "same", declarations, head=head)))


def test_samplers_with_a_conversion_take_constants_only():
    shader("o[0] = textureLod(video[same], vec2(0), 0.0) + textureLod(other[same], vec2(0), 0.0) + "
           "textureLod(video[1], vec2(0), 0.0);",
           "layout(binding = 4) uniform sampler2D video[2]; layout(binding = 5) uniform sampler2D other[2];")
    assert lint("m.spv") == ""
    text = lint("--ycbcr=vid*", "m.spv", expect=3)
    assert codes(text) == ["SPB5003"] and '"video"' in text, text


def test_a_divergent_sampler_with_a_uniform_image():
    text = lint(shader(LANE + "o[0] = textureLod(sampler2D(t[same], s[lane]), vec2(0), 0.0);"), expect=3)
    assert codes(text) == ["SPB5001"], text


def test_the_scope_decides():
    shader("o[0] = texelFetch(t[subgroupBroadcastFirst(gl_LocalInvocationIndex)], ivec2(0), 0);")
    assert "which suffices since Vulkan 1.3.294" in lint("m.spv", "--uniform-scope=group", expect=3)
    assert lint("m.spv", "--uniform-scope=group-or-subgroup") == lint("m.spv") == ""


def test_nothing_is_bound_and_nothing_written():
    shader(LANE + "o[0] = texelFetch(t[same], ivec2(0), 0);")
    for args in (["-o", "x.spv"], ["--out-dir=x"], ["--layout-json=x"], ["--name=t"], ["--lock=x"], ["--against=x"]):
        bind("lint", "m.spv", *args, expect=2)
    assert lint("m.spv") == ""
    assert sorted(os.listdir(".")) == ["m.comp", "m.spv"]
    # nor is a layout needed: two resources at one binding are not a matter of the lint
    shader("o[0] = texelFetch(a, ivec2(0), 0) + texelFetch(c, ivec2(0), 0);",
           "layout(binding = 7) uniform texture2D a; layout(binding = 7) uniform textureCube d; layout(binding = 7) "
           "uniform texture2D c;")
    assert lint("m.spv") == ""


def test_every_format_of_diagnostics_has_the_finding():
    shader(LANE + "\no[0] = texelFetch(t[lane], ivec2(0), 0);")
    one = json.loads(lint("--diagnostics=json", "m.spv", expect=3))
    assert (one["code"], one["severity"], one["line"]) == ("SPB5001", "error", 15), one
    results = json.loads(lint("--diagnostics=sarif", "m.spv", expect=3))["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["SPB5001"]
    assert lint("--diagnostics=github", "m.spv", expect=3).startswith("::error file=m.comp,line=15,")


FRAGMENT = """#version 460
#extension GL_EXT_demote_to_helper_invocation : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_KHR_shader_subgroup_vote : enable
layout(binding = 0) uniform sampler2D t;
layout(push_constant) uniform Push { uint same; };
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint material;
layout(location = 0) out vec4 o;
"""


def derivatives(body, expect=0):
    """Codes of the findings in a fragment shader."""
    return codes(lint(shader(body, stage="frag", head=FRAGMENT), expect=expect))


def with_quad_derivatives(path):
    """glslang 12 does not know the execution mode."""
    words = list(struct.unpack("<%dI" % (os.path.getsize(path) // 4), running.read(path)))
    at = words.index(3 << 16 | 16)  # OpExecutionMode
    words[at:at] = [3 << 16 | 16, words[at + 1], 5088]
    write("quad.spv", struct.pack("<%dI" % len(words), *words))
    return "quad.spv"


def test_derivatives_have_to_be_in_control_flow_that_is_uniform_in_the_primitive():
    fires = ("if (uv.x > 0.5) o = texture(t, uv);",
             "if (uv.x > 0.5) discard; else o = texture(t, uv);",
             "if (uv.x > 0.5) o = vec4(textureQueryLod(t, uv), 0, 0);",
             "if (uv.x > 0.5) return; o = texture(t, uv);",
             "for (int i = 0; i < int(gl_FragCoord.x); i++) o += texture(t, uv);",
             "switch (int(uv.x)) { case 1: o = texture(t, uv); break; default: o = vec4(0); }")
    for body in fires:
        assert derivatives(body) == ["SPB5006"], body
    each = ["%s%s(uv.x)" % (name, how) for name in ("dFdx", "dFdy", "fwidth") for how in ("", "Fine", "Coarse")]
    for one in each:
        assert derivatives("if (uv.x > 0.5) o = vec4(%s);" % one, expect=3) == ["SPB5014"]
    silent = ("o = texture(t, uv);",
              "if (same > 1u) o = texture(t, uv);",
              "if (material > 1u) o = texture(t, uv);",
              "if (gl_PrimitiveID > 1) o = texture(t, uv);",
              "if (gl_FrontFacing) o = texture(t, uv);",
              "if (uv.x > 0.5) o = textureLod(t, uv, 0.0);",
              "if (uv.x > 0.5) o = textureGrad(t, uv, uv, uv);",
              "if (uv.x > 0.5) o = texelFetch(t, ivec2(0), 0);",
              "if (uv.x > 0.5) o = vec4(1); o += texture(t, uv);",
              "if (uv.x > 0.5) discard; o = texture(t, uv);",
              "if (uv.x > 0.5) demote; o = texture(t, uv);",
              "for (int i = 0; i < 4; i++) { if (uv.x > 0.5) continue; o += vec4(1); } o += texture(t, uv);",
              "for (int i = 0; i < int(material); i++) o += texture(t, uv);")
    for body in silent:
        assert derivatives(body) == [], body


def test_quad_uniform_control_flow_suffices_with_quad_derivatives():
    for body, code in (("if (subgroupAny(uv.x > 0.5)) o = texture(t, uv);", "SPB5006"),
                       ("if (subgroupQuadBroadcast(uv.x, 0u) > 0.5) o = texture(t, uv);", "SPB5006"),
                       ("if (gl_SampleID > 0) o = texture(t, uv);", "SPB5006"),
                       ("if (subgroupAny(uv.x > 0.5)) o = vec4(dFdx(uv.x));", "SPB5014")):
        text = lint(shader(body, stage="frag", head=FRAGMENT))
        assert codes(text) == [code] and "Declare QuadDerivativesKHR" in text, text
        assert says(text, "%s %s" % ("note" if code == "SPB5006" else "warning", code)), text
        assert lint(with_quad_derivatives("m.spv")) == "", body


def test_the_descriptor_of_an_implicit_level_of_detail_is_the_same_in_the_quad():
    head = FRAGMENT.replace("#extension", "#extension GL_EXT_nonuniform_qualifier : enable\n#extension "
                            "GL_KHR_shader_subgroup_ballot : enable\n#extension", 1) + \
        "layout(binding = 7) uniform sampler2D many[8];\n"
    for index, found in (("uint(uv.x * 8.0)", "warning SPB5013"), ("material", ""), ("same", ""),
                         ("subgroupBroadcastFirst(material)", "")):
        for sample, fires in (("texture(%s, uv)", True), ("textureLod(%s, uv, 0.0)", False),
                              ("texelFetch(%s, ivec2(0), 0)", False)):
            text = lint(shader("o = %s;" % (sample % ("many[nonuniformEXT(%s)]" % index)), stage="frag", head=head))
            assert (says(text, found) and codes(text) == ["SPB5013"]) if found and fires else not text, (index, sample)


def test_a_function_is_judged_by_where_it_is_called():
    head = FRAGMENT + "vec4 f() { return texture(t, uv); }\n"
    assert codes(lint(shader("o = f();", stage="frag", head=head))) == []
    text = lint(shader("o = vec4(0); if (uv.x > 0.5) o = f();", stage="frag", head=head))
    assert codes(text) == ["SPB5006"] and "uv" in text, text
    early = FRAGMENT + "float f() { if (uv.x > 0.5) return 1.0; return 2.0; }\n"
    assert codes(lint(shader("o = f() * texture(t, uv);", stage="frag", head=early))) == []


def test_a_function_that_nothing_calls_is_not_judged():
    body = "%main = OpFunction %void None %fn\n%main_0 = OpLabel\n{}\nOpReturn\nOpFunctionEnd\n" \
           "%f = OpFunction %void None %fn\n%f_0 = OpLabel\n%x = OpLoad %float %in\n%d = OpDPdx %float %x\n" \
           "%c = OpFOrdLessThan %bool %x %d\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\n" \
           "%e = OpDPdx %float %x\nOpBranch %j\n%j = OpLabel\nOpReturn\nOpFunctionEnd\n"
    head = "OpCapability Shader\n{}OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %in\n" \
           "OpExecutionMode %main OriginUpperLeft\nOpDecorate %in Location 0\n{}%void = OpTypeVoid\n" \
           "%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n" \
           "%p = OpTypePointer Input %float\n%in = OpVariable %p Input\n"
    export = "OpDecorate %f LinkageAttributes \"f\" Export\n"
    for linkage, more, call, found in (("", "", "", []), ("", "", "%r = OpFunctionCall %void %f", ["SPB5014"]),
                                       ("OpCapability Linkage\n", export, "", ["SPB5014"])):
        m = spirv_as(head.format(linkage, more) + body.format(call), "dead.spv")
        assert codes(lint(m, expect=3 if found else 0)) == found, (call, linkage)


def test_barriers_have_to_be_reached_by_the_whole_workgroup():
    def barriers(body, **more):
        return codes(lint(shader(body, head=HEAD + "shared uint sh;\n"), **more))

    for body in ("if (gl_LocalInvocationIndex < 32u) barrier();",
                 "if (gl_LocalInvocationIndex < 32u) { if (same > 1u) barrier(); }",
                 "if (same > 1u) { if (gl_LocalInvocationIndex < 32u) barrier(); }",
                 "if (gl_LocalInvocationIndex < 32u) return; barrier();",
                 "for (uint i = gl_LocalInvocationIndex; i < 100u; i += 7u) barrier();",
                 "if (gl_GlobalInvocationID.x > same) return; barrier();"):
        assert barriers(body, expect=3) == ["SPB5007"], body
    for body in ("barrier();", "if (same > 1u) barrier();", "if (gl_WorkGroupID.x > same) return; barrier();",
                 "for (uint i = 0u; i < same; i++) barrier();", "if (gl_LocalInvocationIndex < 32u) memoryBarrier();",
                 "if (gl_GlobalInvocationID.x / 64u > same) return; barrier();",
                 "if (gl_LocalInvocationIndex < 32u) sh = 1u; barrier();"):
        assert barriers(body) == [], body
    assert barriers("if (sh > 3u) barrier();") == ["SPB5007"]  # unknown: a warning
    # an unwritten value decides nothing in a correct program; other operands do
    assert barriers("uint set; if (same > 1u) set = 1u; if (same > 2u && set == 1u) barrier();") == []
    assert barriers("uint set; if (same > 1u) set = sh; if (set == 1u) barrier();") == ["SPB5007"]
    assert barriers("uint set; if (same > 1u) set = gl_LocalInvocationIndex; if (set == 1u) barrier();", expect=3) == [
        "SPB5007"]


def test_ids_in_variables_of_the_module():
    """As OpenGothic has them: `ivec2 fragCoord = ivec2(gl_GlobalInvocationID.xy);` at module scope."""
    def barriers(globals_, body, **more):
        return codes(lint(shader(body, head=HEAD + globals_ + "\n"), **more))

    tile, leave = "uint tile() { return at / 64u; }", "if (tile() > same) return; barrier();"
    given = "uint at = gl_GlobalInvocationID.x;"
    for globals_, body in ((given + tile, leave), ("uint at;" + tile, "at = gl_GlobalInvocationID.x;" + leave),
                           ("uvec2 id = gl_GlobalInvocationID.xy;", "if (id.x / 64u > same) return; barrier();"),
                           ("ivec2 id = ivec2(gl_GlobalInvocationID.xy);",
                            "if (uint(id.x) / 64u > same) return; barrier();"),
                           # signed: no dispatch has 2^31 invocations
                           ("ivec2 id = ivec2(gl_GlobalInvocationID.xy); int tile() { return (id / 64).x; }",
                            "if (tile() > 3) return; barrier();")):
        assert barriers(globals_, body) == [], (globals_, body)
    for globals_, body in ((given + tile, "at++;" + leave), ("uint at = 5u;" + tile, given[5:] + leave),
                           ("uint at;" + tile, "if (same > 1u) at = gl_GlobalInvocationID.x;" + leave),
                           (given + tile + "void f(inout uint x) { x *= 3u; }", "f(at);" + leave),
                           ("uvec2 id = gl_GlobalInvocationID.xy;",
                            "id.x *= 3u; if (id.x / 64u > same) return; barrier();"),
                           (given + "uint tile() { return at / 32u; }", leave),
                           ("ivec2 id = ivec2(gl_GlobalInvocationID.xy);", "if (id.x / 96 > 3) return; barrier();")):
        assert "SPB5007" in barriers(globals_, body, expect=None), (globals_, body)


def test_a_value_that_is_there_already_is_no_race():
    """OpenGothic: where all have found 0, one invocation may store 0 while another still looks."""
    body = """for (uint k = 0u; k < same; k++) {
        %s
        barrier();
        atomicMax(sh, b[0].v[gl_LocalInvocationIndex]);
        barrier();
        if (%s) continue;
        %s
    }"""
    for reset, found, more, want in (
            ("sh = 0u;", "sh == 0u", "barrier();", []), ("sh = 0u;", "!(sh != 0u)", "barrier();", []),
            ("reset();", "none()", "barrier();", []),
            ("if (gl_LocalInvocationIndex == 0u) sh = 0u;", "0u == sh", "barrier();", []),
            ("sh = 1u;", "sh == 0u", "barrier();", ["SPB5007"]),
            ("sh = same;", "sh == 0u", "barrier();", ["SPB5007"]),
            ("sh = 0u;", "sh < 1u", "barrier();", ["SPB5007"]),
            ("sh = 0u;", "sh == 0u", "if (k > 3u) barrier();", ["SPB5007"]),
            ("sh = 0u;", "sh != 0u", "barrier();", ["SPB5007"]),
            ("atomicAdd(sh, 0u);", "sh == 0u", "barrier();", ["SPB5007"])):
        text = lint(shader(body % (reset, found, more), head=HEAD + "shared uint sh;\nvoid reset() { sh = 0u; }\n"
                           "bool none() { if (sh == 0u) return true; barrier(); return false; }\n"))
        assert sorted(set(codes(text))) == want, (reset, found, more, text)


def test_a_constant_result_decides_where_the_caller_continues():
    """OpenGothic: what follows a call that has returned true does not follow it where it has returned false."""
    head = """shared uint left;
    bool next(uint k)
    {
        if (k >= same) return false;
        if (gl_LocalInvocationIndex == 0u) left = %s;
        barrier();
        atomicMax(left, b[0].v[gl_LocalInvocationIndex]);
        barrier();
        return %s;
    }
    bool more()
    {
        if (left == 0u) return %s;
        %s
        if (gl_LocalInvocationIndex == 0u) left--;
        barrier();
        return %s;
    }
    """
    for start, again, none, between, some, body, want in (
            ("0u", "true", "false", "barrier();", "true", "while (more()) barrier();", []),
            ("0u", "true", "true", "barrier();", "false", "while (!more()) barrier();", []),
            ("0u", "true", "false", "barrier();", "true", "for (;;) { if (!more()) break; barrier(); }", []),
            ("1u", "true", "false", "barrier();", "true", "while (more()) barrier();", ["SPB5007"]),
            ("0u", "true", "false", "", "true", "while (more()) barrier();", ["SPB5007"]),
            ("1u", "true", "true", "barrier();", "false", "while (!more()) barrier();", ["SPB5007"]),
            ("0u", "true", "false", "barrier();", "true", "while (more()) barrier(); left = 5u;", ["SPB5007"]),
            ("0u", "true", "false", "barrier();", "true", "left = 5u; while (more()) barrier();", ["SPB5007"])):
        text = lint(shader("for (uint k = 0u; next(k); k++) { %s }" % body,
                           head=HEAD + head % (start, again, none, between, some)))
        assert sorted(set(codes(text))) == want, (start, again, none, between, some, body, text)


def test_a_maximum_with_shared_memory_is_unknown():
    """ggml's flash_attn: each invocation may have put its own into what it is compared with."""
    for body, severity in (("own = max(own, sh[same & 1u]);", "warning"), ("own = min(sh[0], own);", "warning"),
                           ("own |= sh[1];", "warning"),
                           ("for (uint i = 0u; i < same; i++) own = max(own, sh[i & 1u]);", ""),
                           ("own = max(own, same);", "error"),
                           ("for (uint i = 0u; i < same; i++) own = max(own, i);", "error"),
                           ("own += sh[1];", "error"), ("own = max(own, 7u) + sh[0];", "error")):
        text = lint(shader("uint own = b[0].v[0] + gl_LocalInvocationIndex; sh[gl_LocalInvocationIndex & 1u] = own;\n"
                           "barrier(); %s if (own > 9u) return; barrier();" % body,
                           head=HEAD + "shared uint sh[2];\n"), expect=None)
        want = ["SPB5007"] if severity else []  # a loop makes it a reduction
        assert codes(text) == want and (not want or ": %s: " % severity in text), (body, text)


def test_what_all_subgroups_compute_alike():
    """DXVK's mip generator: each subgroup has the same table, an entry in each invocation, and looks up one."""
    blocks = """shared uint sh;
    uint row;
    uint blocks(uint level) { return subgroupBroadcast(row, level); }
    """
    for value, level, want in (("level * same", "k", []), ("uint(level > 3u) + 2u", "same", []),
                               ("level + gl_SubgroupID", "k", ["SPB5007"]),
                               ("level + gl_LocalInvocationIndex", "k", ["SPB5007"]),
                               ("subgroupBroadcastFirst(level)", "k", ["SPB5007"]),
                               ("bitCount(subgroupBallot(level > 1u).x)", "k", ["SPB5007"]),
                               ("level * sh", "k", ["SPB5007"])):
        text = lint(shader("uint level = gl_SubgroupInvocationID; row = %s;\n"
                           "for (uint k = 0u; k < same; k++) { if (blocks(%s) > 2u) barrier(); }" % (value, level),
                           head=HEAD + blocks), expect=None)
        assert codes(text) == want, (value, level, text)


def test_registers_of_hlsl_that_binding_parts():
    """MiniEngine: t1 is only read, and u1 is written; their text says that they are two buffers."""
    write("m.hlsl", """ByteAddressBuffer count : register(t1);
RWByteAddressBuffer args : register(u1);
[numthreads(64, 1, 1)] void main()
{
    if (count.Load(0) > 5) GroupMemoryBarrierWithGroupSync();
    args.Store(4, 1);
}
""")
    for flags, found in ((["-g"], []), ([], ["SPB5007"])):
        module = glslang("m.hlsl", "h.spv", "-D", "-S", "comp", "-e", "main", *flags)
        assert codes(lint(module)) == found, flags
    glslang("m.hlsl", "h.spv", "-D", "-S", "comp", "-e", "main", "-g")
    assert codes(lint("--rules=slang", "h.spv")) == ["SPB5007"]


TANGLED = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 64 1 1
%file = OpString "a.comp"
%void = OpTypeVoid
%fnvoid = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u2 = OpConstant %uint 2
%yes = OpConstantTrue %bool
%main = OpFunction %void None %fnvoid
%entry = OpLabel
OpBranchConditional %yes %a %b
%a = OpLabel
OpLine %file 5 1
OpBranchConditional %yes %b %end
%b = OpLabel
OpLine %file 7 1
OpControlBarrier %u2 %u2 %u0
OpLine %file 8 1
OpBranchConditional %yes %a %end
%end = OpLabel
OpReturn
OpFunctionEnd
"""


def test_control_flow_in_an_irreducible_loop_is_unknown():
    """The reason ends at the location of the unknown value."""
    text = lint(spirv_as(TANGLED, "m.spv", "spv1.3"))
    assert codes(text) == ["SPB5007"] and "may differ" in text, text
    assert "about which nothing is known\n" in text and "compiled from a.comp:" in text, text


def test_broadcasts_read_one_invocation():
    def subgroup(body, **more):
        return codes(lint(shader("uint v = gl_LocalInvocationIndex; " + body), **more))

    assert subgroup("o[0] = vec4(subgroupBroadcast(v, v ^ 1u));", expect=3) == ["SPB5008"]
    for body in ("o[0] = vec4(subgroupBroadcast(v, same));", "o[0] = vec4(subgroupBroadcast(v, 3u));",
                 "o[0] = vec4(subgroupBroadcast(v, subgroupBroadcastFirst(v)));",
                 "if (v > 3u) o[0] = vec4(subgroupBroadcastFirst(v));"):
        assert subgroup(body) == [], body


def test_broadcasts_need_a_uniform_invocation_id():
    head = HEAD.replace("GL_KHR_shader_subgroup_ballot", "GL_ARB_shader_ballot")
    for index, expect in (("gl_LocalInvocationIndex", ["SPB5008"]), ("same", []), ("3u", [])):
        shader("o[0] = vec4(readInvocationARB(o[1].x, %s));" % index, head=head)
        assert b"SPV_KHR_shader_ballot" in running.read("m.spv")
        assert codes(lint("m.spv", expect=3 if expect else 0)) == expect, index


def test_group_broadcasts_need_a_uniform_invocation_id():
    """The oldest of the instructions that require it."""
    for index, expect in (("%lane", 3), ("%same", 0), ("%u3", 0)):
        text = MODULE.format(capabilities="OpCapability Groups", decorations="", declarations="", variables="",
                             functions="", model="GLCompute", mode=WORKGROUP,
                             body="%read = OpGroupBroadcast %uint %u2 %same " + index)
        spirv_as(text, "m.spv", "spv1.3")
        stderr = bind("lint", "m.spv", expect=expect).stderr
        assert ("the invocation to read from of OpGroupBroadcast" in stderr) == bool(expect), (index, stderr)


MESH = """#version 460
#extension GL_EXT_mesh_shader : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint same; };
"""
PRIMITIVES = "layout(triangles, max_vertices = 3, max_primitives = 1) out;"


def test_a_mesh_is_begun_by_the_whole_workgroup():
    """SPV_EXT_mesh_shader: outputs are counted, and tasks are emitted, under control flow that is uniform in it."""
    for stage, declared, what in (("mesh", PRIMITIVES, "SetMeshOutputsEXT(3, 1);"),
                                  ("task", "", "EmitMeshTasksEXT(1, 1, 1);")):
        for condition, expect in (("", []), ("if (same > 3u) ", []), ("if (gl_WorkGroupID.x > 3u) ", []),
                                  ("if (gl_LocalInvocationIndex > 3u) ", ["SPB5007"]),
                                  ("if (gl_SubgroupID > 0u) ", ["SPB5007"])):
            shader(condition + what, declared, "m.spv", "--target-env", "vulkan1.3", stage=stage, head=MESH)
            text = lint("m.spv", expect=3 if "Local" in condition else 0)
            assert codes(text) == expect and ("within the workgroup" in text) == bool(expect), (stage, condition, text)
            assert ("warning: " in text) == ("Subgroup" in condition), text  # there may be one subgroup only


MATRIX = HEAD.replace("#version 460", "#version 460\n#extension GL_KHR_memory_scope_semantics : require\n"
                      "#extension GL_NV_cooperative_matrix : require\n"
                      "#extension GL_EXT_shader_explicit_arithmetic_types : require")


def test_cooperative_matrices_have_one_address_and_all_invocations():
    def matrix(body, **more):
        head = MATRIX + "layout(binding = 4) buffer F { float w[]; };\n"
        return codes(lint(shader("fcoopmatNV<32, gl_ScopeSubgroup, 8, 8> m; uint v = gl_LocalInvocationIndex; " + body +
                                 " o[0] = vec4(m[0]);", head=head), **more))

    load = "coopMatLoadNV(m, w, %s, %s, false);"
    assert matrix(load % ("v", "8"), expect=3) == ["SPB5009"]
    assert matrix(load % ("0", "v"), expect=3) == ["SPB5009"]
    assert matrix("if (v > 3u) " + load % ("0", "8"), expect=3) == ["SPB5008"]
    assert matrix(load % ("same", "same")) == []
    assert matrix("if (same > 3u) " + load % ("0", "8")) == []
    assert matrix("if (gl_SubgroupID > 3u) " + load % ("gl_SubgroupID", "8")) == []


def with_newer_loads(path):
    """Loads of matrices become those of SPV_NV_cooperative_matrix2: the first by way of a tensor, others transpose
    it."""
    words = list(struct.unpack("<%dI" % (os.path.getsize(path) // 4), running.read(path)))
    out, at, first = words[:5], 5, 0
    while at < len(words):
        one = words[at:at + (words[at] >> 16)]
        at += len(one)
        if one[0] & 0xFFFF == 5359 and not first:  # OpCooperativeMatrixLoadNV
            one, first = [8 << 16 | 5367] + one[1:6] + [0, 0], one[2]
        elif one[0] & 0xFFFF == 5359:
            one = [4 << 16 | 5390] + one[1:3] + [first]
        out += one
    assert first, path
    return write(path, struct.pack("<%dI" % len(out), *out))


NO_MATRIX = """OpCapability Shader
OpCapability CooperativeMatrixNV
OpExtension "SPV_NV_cooperative_matrix"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %lane_in
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %lane_in BuiltIn LocalInvocationIndex
%uint = OpTypeInt 32 0
%1 = OpConstant %uint 3
%u8 = OpConstant %uint 8
%void = OpTypeVoid
%fnvoid = OpTypeFunction %void
%bool = OpTypeBool
%yes = OpConstantTrue %bool
%matrix = OpTypeCooperativeMatrixNV %uint %1 %u8 %u8
%in = OpTypePointer Input %uint
%lane_in = OpVariable %in Input
%at = OpTypePointer Workgroup %uint
%shared = OpVariable %at Workgroup
%main = OpFunction %void None %fnvoid
%entry = OpLabel
%lane = OpLoad %uint %lane_in
%odd = OpUGreaterThan %bool %lane %u8
OpSelectionMerge %met None
OpBranchConditional %odd %in_it %met
%in_it = OpLabel
%m = OpCooperativeMatrixLoadNV {} %shared %u8 %yes
OpBranch %met
%met = OpLabel
OpReturn
OpFunctionEnd
"""


def test_the_scope_of_other_types():
    """There is none, so nothing is required, whatever the number of an id."""
    for type_, found in (("%matrix", ["SPB5008"]), ("%uint", [])):
        text = lint(spirv_as(NO_MATRIX.format(type_), "m.spv", "spv1.3"), expect=3 * len(found))
        assert codes(text) == found, text


def test_the_matrices_of_nv_cooperative_matrix2_too():
    head = MATRIX + "layout(binding = 4) buffer F { float w[]; };\n"
    for before, place, expect in (("", "0", []), ("", "same", []), ("", "v", ["SPB5009"]),
                                  ("if (v > 3u) ", "0", ["SPB5008"])):
        load = "coopMatLoadNV(m, w, %s, 8, false); " % place
        transpose = "coopMatLoadNV(m, w, 0, 8, false);"
        shader("fcoopmatNV<32, gl_ScopeSubgroup, 8, 8> m; uint v = gl_LocalInvocationIndex; " + load + before +
               transpose + " o[0] = vec4(m[0]);", head=head)
        with_newer_loads("m.spv")
        assert codes(lint("m.spv", expect=3 if expect else 0)) == expect, (before, place)


def test_rules_are_chosen_and_weighed():
    shader("if (gl_LocalInvocationIndex < 32u) barrier(); " + LANE + "o[0] = texelFetch(t[lane], ivec2(0), 0);")
    assert sorted(codes(lint("m.spv", expect=3))) == ["SPB5001", "SPB5007"]
    assert codes(lint("--lint=barriers", "m.spv", expect=3)) == ["SPB5007"]
    assert codes(lint("--lint=all,nonuniform=off,barriers=note", "m.spv")) == ["SPB5007"]
    assert says(lint("--lint=barriers=note", "m.spv"), "note SPB5007")
    assert codes(lint("--lint=subgroup,operands", "m.spv")) == []
    for wrong in ("barrier", "barriers=grave", "", "barriers,", "=error"):
        bind("lint", "--lint=" + wrong, "m.spv", expect=2)
    for other in ("--lint=all", "--suppress=*", "--baseline=m.spv"):
        bind("layout", other, "m.spv", expect=2)


def test_findings_are_suppressed_by_rule_file_line_and_name():
    path = shader("if (gl_LocalInvocationIndex < 32u)\nbarrier();\n" + LANE +
                  "o[0] = texelFetch(t[lane], ivec2(0), 0);")
    for suppress, left in (("barriers", ["SPB5001"]), ("SPB5007", ["SPB5001"]), ("*@t", ["SPB5007"]),
                           ("nonuniform@t", ["SPB5007"]), ("barriers@t", ["SPB5001", "SPB5007"]),
                           ("*@m.comp:15", ["SPB5001"]), ("*@m.comp:14", ["SPB5001", "SPB5007"]), ("*@m.comp", []),
                           ("*@*.glsl", ["SPB5001", "SPB5007"]), ("*@main", []), ("barriers@ma?n,SPB5001@t", []),
                           ("*", [])):
        text = lint("--suppress=" + suppress, path, expect=3 if left else 0)
        assert sorted(codes(text)) == left, suppress + "\n" + text
        assert ("hidden: 0 in the baseline, %d suppressed" % (2 - len(left)) in text) == (len(left) < 2), text
    assert lint("--suppress=barriers", "--suppress=nonuniform", path, "-q") == ""
    log, = json.loads(lint("--suppress=barriers", "--lint=all,barriers=note", "--diagnostics=sarif", path,
                           expect=3))["runs"]
    levels = {r["id"]: r["defaultConfiguration"]["level"] for r in log["tool"]["driver"]["rules"]}
    assert levels == {"SPB5001": "error", "SPB5007": "error"}, levels  # regardless of the requested severities
    findings = json.loads(lint("--suppress=barriers", "--diagnostics=sarif", path, expect=3))["runs"][0]["results"]
    assert [(f["ruleId"], f["suppressions"]) for f in findings] == [
        ("SPB5001", []), ("SPB5007", [{"kind": "external"}])]


NO_LINE = "no instruction of this module comes from line"


def allowing(*lines, expect=0, flags=("-g",), **more):
    """Lints a shader with these lines after those that define `lane`; returns findings by line, from 1."""
    text = lint(shader(LANE + "\n" + "\n".join(lines), "", "m.spv", *flags, **more), expect=expect)
    base = HEAD.count("\n") + 4
    said = re.findall(r"m\.comp:(\d+):1: (\w+): .* \[(SPB\d+)\]", text)
    return [(int(line) - base, severity[0], code) for line, severity, code in said], text


def test_a_comment_allows_findings_on_its_line_or_the_next_with_code():
    fetch = "o[0] = texelFetch(t[lane], ivec2(0), 0);"
    found = (1, "e", "SPB5001")
    assert allowing(fetch, expect=3)[0] == [found]
    # with the text of OpSource, and that of DebugSource
    for flags in (["-g"], ["-gVS", "--target-env", "vulkan1.3"]):
        for comment in ("// spirv-bind: allow SPB5001", "//spirv-bind:allow nonuniform",
                        "/* spirv-bind: allow SPB5001 */", "/// spirv-bind: allow SPB5001 because",
                        "// spirv-bind: allow SPB5001: SPB5007 is none"):
            for lines in ([fetch + comment], [comment, fetch], [comment, "// more", "", fetch],
                          ["/* a */ " + comment, "#define X 1 // none", fetch],
                          [fetch[:6] + " \\", fetch[6:] + comment]):
                said, text = allowing(*lines, flags=flags)
                assert said == [] and "hidden: 0 in the baseline, 1 suppressed" in text, (lines, text)
    # a comment after code applies to no other line, and text outside of comments to none
    for lines in (["o[1] = vec4(1); // spirv-bind: allow SPB5001", fetch], [fetch, "// spirv-bind: allow SPB5001"],
                  ["// spirv-bind: allow SPB5001", "o[1] = vec4(1);", fetch]):
        said, _ = allowing(*lines, expect=3)
        assert sorted(code for _, _, code in said) == ["SPB5001", "SPB5012"], said
    for other in ("// spirv-bind: allowed SPB5001", "// spirv-bind allow SPB5001", "// see spirv-bind: allow SPB5001",
                  "// spirv-bind: numbers are fixed"):
        assert [code for _, _, code in allowing(other, fetch, expect=3)[0]] == ["SPB5001"], other


def test_a_comment_allows_several_rules_with_a_reason():
    both = "o[0] = texelFetch(t[lane], ivec2(0), 0); if (lane < 3u) barrier();"
    for rules in ("SPB5001, SPB5007", "SPB5001 SPB5007", "nonuniform,barriers: both", "SPB5007,nonuniform - both"):
        assert allowing("// spirv-bind: allow " + rules, both)[0] == [], rules
    assert allowing("// spirv-bind: allow SPB5001", "// spirv-bind: allow SPB5007", both)[0] == []
    assert allowing("// spirv-bind: allow SPB5001", both, expect=3)[0] == [(2, "e", "SPB5007")]
    assert allowing("// spirv-bind: allow SPB5007: x", both, expect=3)[0] == [(2, "e", "SPB5001")]
    access = "o[0] = texelFetch(t[lane], ivec2(0), 0);"
    for comments, why in (("allow SPB5001", None), ("allow SPB5001: one", "one"),
                          ("allow SPB5001\n// spirv-bind: allow nonuniform: two", "two"),
                          ("allow SPB5001: one\n// spirv-bind: allow nonuniform", "one")):
        shader(LANE + "\n// spirv-bind: " + comments + "\n" + access)
        (result,), _ = sarif.read(bind_bytes("lint", "--diagnostics=sarif", "m.spv").stderr)
        assert [s.get("justification") for s in result["suppressions"]] == [why], (comments, result)
    shader(LANE + "\n/* spirv-bind: allow barriers:\n  the \"caller\" {knows} */" + both)
    results, _ = sarif.read(bind_bytes("lint", "--diagnostics=sarif", "m.spv", expect=3).stderr)
    assert [(r["ruleId"], r["suppressions"]) for r in results] == [
        ("SPB5001", []),
        ("SPB5007", [{"kind": "inSource", "justification": 'the "caller" {knows}'}])], results
    found = [json.loads(line) for line in lint("--diagnostics=json", "m.spv", expect=3).splitlines()]
    assert [(f["code"], f.get("finding"), f.get("justification")) for f in found] == [
        ("SPB5001", None, None), ("SPB5007", "allowed", 'the "caller" {knows}')], found
    # also through the cache and threads
    log = json.loads(bind("lint", "--each", "--diagnostics=sarif", "m.spv", expect=3).stderr)
    kinds = [[s["kind"] for s in r["suppressions"]] for r in log["runs"][0]["results"]]
    assert kinds == [[], ["inSource"]], kinds


def test_an_unused_allow_comment_is_reported():
    fetch = "o[0] = texelFetch(t[lane], ivec2(0), 0);"
    assert allowing("// spirv-bind: allow SPB5001", "o[0] = vec4(1);")[0] == [(1, "w", "SPB5012")]
    assert allowing("// spirv-bind: allow SPB5001, SPB5002", fetch)[0] == [(1, "w", "SPB5012")]
    # excluded code may be active in another variant
    said, text = allowing("#if 0", fetch + " // spirv-bind: allow SPB5001", "#endif")
    assert said == [(2, "n", "SPB5012")] and NO_LINE in text, text
    for wrong in ("SPB5", "SPB4001", "SPB05001", "*", "barrier", "SPB5001,", "", "comments", "SPB5011", "SPB5012",
                  "SPB5004", "all"):
        said, text = allowing("// spirv-bind: allow " + wrong, "o[0] = vec4(1);")
        assert said[-1] == (1, "w", "SPB5011") and len(said) <= 2, (wrong, text)
    for known in ("SPB5001", "SPB5002", "SPB5003", "SPB5005", "SPB5006", "SPB5007", "SPB5008", "SPB5009", "SPB5010",
                  "nonuniform", "derivatives", "barriers", "subgroup", "operands", "assertions"):
        assert allowing("// spirv-bind: allow " + known, "o[0] = vec4(1);")[0] == [(1, "w", "SPB5012")], known
    # without the rule, unused comments are not reported
    shader("// spirv-bind: allow SPB5001\no[0] = vec4(1); // spirv-bind: allow barriers")
    assert codes(lint("--lint=barriers", "m.spv")) == []
    assert codes(lint("--lint=barriers,comments", "m.spv")) == ["SPB5012"]
    assert codes(lint("--lint=all,comments=off", "m.spv")) == []
    assert codes(lint("--lint=all,comments=error", "m.spv", expect=3)) == ["SPB5012"] * 2
    assert codes(lint("--suppress=comments@m.comp", "m.spv")) == []


def test_comments_follow_line_directives_and_included_files():
    fetch = "o[0] = texelFetch(t[lane], ivec2(0), 0);"
    for line in ("#line 200", '#line 200 "other.h"', '#line 200 "m.comp"'):
        head = HEAD.replace("#version 460", "#version 460\n#extension GL_GOOGLE_cpp_style_line_directive : require")
        path = shader(line + "\n" + LANE + "\n// spirv-bind: allow SPB5001\n" + fetch + "\n" + fetch, head=head)
        text = lint(path, expect=3)
        assert codes(text) == ["SPB5001"] and re.search(r":203\b", text), text
    # before GLSL 3.30, the line behind #line 3 is line 4
    old = ("#version 150\n#extension GL_ARB_separate_shader_objects : require\n"
           "#extension GL_ARB_shading_language_420pack : require\n"
           "layout(location = 0) in vec2 uv; layout(location = 0) out vec4 o;\n"
           "layout(binding = 0) uniform sampler2D t;\n")
    body = "#line 7\nif (uv.x > 0.5) // spirv-bind: allow SPB5007\n\to = texture(t, uv); // spirv-bind: allow SPB5006"
    text = lint(shader(body, stage="frag", head=old))
    assert re.findall(r"frag:(\d+):1: warning: .* \[(SPB\d+)\]", text) == [("8", "SPB5012")], text
    head = "#extension GL_GOOGLE_include_directive : require\n"
    write("i.glsl", "void f(uint lane)\n{\n\t" + fetch + " // spirv-bind: allow SPB5001\n\tbarrier(); "
          "// spirv-bind: allow barriers\n}\nvoid unused() { barrier(); } // spirv-bind: allow barriers\n")
    text = lint(shader(LANE + "f(lane);", head + '#include "i.glsl"\n', head=HEAD))
    said = re.findall(r"i\.glsl:(\d+):1: (\w+): .* \[(SPB\d+)\]", text)
    assert said == [("4", "note", "SPB5012")] and "in this module" in text and "1 suppressed" in text, text


def test_the_text_may_be_in_pieces():
    fetch = "o[0] = texelFetch(t[lane], ivec2(0), 0); // spirv-bind: allow SPB5001"
    # longer than an instruction, wherever it is split
    said, _ = allowing(*(["// " + "spirv-bind: allow" * 9] * 2000), fetch)
    assert said == [] and "OpSourceContinued" in run("spirv-dis", "m.spv").stdout
    allowing(fetch, flags=["-gVS", "--target-env", "vulkan1.3"])
    text = run("spirv-dis", "--raw-id", "m.spv").stdout
    text = text.replace("spirv-bind: allow SPB5001", 'spirv-bin"\n%7777 = OpString "d: allow SPB5001', 1)
    text, count = re.subn(r"(%\d+ = OpExtInst (%\d+ %\d+) DebugSource .*)",
                          r"\1\n%7778 = OpExtInst \2 DebugSourceContinued %7777", text, count=1)
    assert count and codes(lint(spirv_as(text, "m.spv"))) == []


def test_a_comment_counts_only_if_the_module_carries_it():
    fetch = "o[0] = texelFetch(t[lane], ivec2(0), 0); // spirv-bind: allow SPB5001"
    assert [code for _, _, code in allowing(fetch, flags=["-gV"], expect=3)[0]] == ["SPB5001"]
    assert codes(lint(shader(LANE + fetch, "", "m.spv", "-g0"), expect=3)) == ["SPB5001"]
    assert allowing(fetch)[0] == []


def test_findings_in_a_baseline_do_not_count_even_if_moved():
    body = "if (gl_LocalInvocationIndex < 32u)\nbarrier();\n" + LANE
    access = "\no[0] += texelFetch(t[lane], ivec2(0), 0);"
    assert len(codes(lint(shader(body + access), "--diagnostics=sarif:b.sarif", expect=3))) == 2
    for changed, new in ((body + access, 0), ("\n\no[1] = vec4(2);\n" + body + "\n" + access, 0),
                         (body + access + access, 1), (body + access.replace("t[", "u[", 1), 1),
                         (body + access + "\nif (lane > 3u) barrier();", 1)):
        shader(changed, "layout(binding = 9) uniform texture2D u[8];")
        text = lint("--baseline=b.sarif", "m.spv", expect=3 if new else 0)
        assert len(codes(text)) == new, changed + "\n" + text
    results, _ = sarif.read(bind_bytes("lint", "--baseline=b.sarif", "--diagnostics=sarif", "m.spv",
                                       expect=3).stderr)
    assert [r["baselineState"] for r in results] == ["unchanged", "unchanged", "new"]
    bind("lint", "--baseline=missing", "m.spv", expect=4)
    for wrong in ("{}", "no log", "[1]", '{"runs": 3}'):
        write("w.sarif", wrong)
        bind("lint", "--baseline=w.sarif", "m.spv", expect=4)


def test_a_log_of_another_tool_is_an_empty_baseline():
    path = shader(LANE + "o[0] = texelFetch(t[lane], ivec2(0), 0);")
    results, _ = sarif.read(bind_bytes("lint", "--diagnostics=sarif", path, expect=3).stderr)
    ours, = (r["partialFingerprints"] for r in results)
    (key, fingerprint), = ours.items()
    for prints, known in (([None], 0), ([{}], 0), ([{"other/v1": fingerprint}], 0), ([{key: 7}], 0),
                          ([{key: fingerprint[:15]}], 0), ([{key: fingerprint + "0"}], 0), ([ours], 1),
                          ([{}, {"other/v1": "x"}, ours], 1), ([{key: "f" + fingerprint[1:]}, ours], 1),
                          ([{key: fingerprint[:-1] + ("0" if fingerprint[-1] != "0" else "1")}], 0),
                          ([{key: ("0" if fingerprint[0] != "0" else "1") + fingerprint[1:]}], 0)):
        results = [{"message": {"text": ""}, **({} if p is None else {"partialFingerprints": p})} for p in prints]
        write("b.sarif", json.dumps({"version": "2.1.0", "runs": [{"results": results}, {}]}))
        text = lint("--baseline=b.sarif", path, expect=0 if known else 3)
        assert len(codes(text)) == 1 - known, (prints, text)


def test_a_log_has_the_code_flow_from_the_cause():
    shader("uint lane = gl_LocalInvocationIndex;\nuint k = 0u;\nif (lane > 3u)\n\tk = 1u;\n"
           "o[0] = texelFetch(t[k], ivec2(0), 0);")
    (result,), _ = sarif.read(bind_bytes("lint", "--diagnostics=sarif", "m.spv", expect=3).stderr)
    steps = [s["location"] for s in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    lines = [s["physicalLocation"]["region"].get("startLine") for s in steps]
    assert lines[-1] == 18 and 16 in lines and "built-in" in steps[0]["message"]["text"], steps
    assert len(result["relatedLocations"]) == len(steps) - 1


def test_a_log_of_many_findings_has_all_of_them():
    shader(LANE + "vec4 x = vec4(0);" + "x += texelFetch(t[lane], ivec2(0), 0);" * 150 + "o[0] = x;")
    results, _ = sarif.read(bind_bytes("lint", "--diagnostics=sarif:all.sarif", "m.spv",
                                       expect=3) and open("all.sarif", "rb").read())
    assert len(results) == 150
    assert codes(lint("--baseline=all.sarif", "m.spv")) == []


def test_findings_have_distinct_fingerprints():
    """However many findings there are, and however many have equal names: none is mistaken for another."""
    count = 70
    access = "o[0] += texelFetch(t[k%d], ivec2(0), 0);"
    shader(LANE + "".join("uint k%d = lane + %du;" % (i, i) for i in range(count)) +
           "".join(access % i for _ in range(3) for i in range(count)))
    results, _ = sarif.read(bind_bytes("lint", "--diagnostics=sarif", "m.spv", expect=3).stderr)
    prints = {tuple(r["partialFingerprints"].values()) for r in results}
    assert len(results) == len(prints) == 3 * count, (len(results), len(prints))


def test_many_findings_are_counted_rather_than_listed():
    shader(LANE + "vec4 x = vec4(0);" + "x += texelFetch(t[lane], ivec2(0), 0);" * 150 + "o[0] = x;")
    text = lint("m.spv", expect=3)
    assert len(codes(text)) == 1 and "149 more places with the same cause" in text, text
    results, _ = sarif.read(bind_bytes("lint", "--diagnostics=sarif", "m.spv", expect=3).stderr)
    assert len(results) == 150
    shader(LANE + "vec4 x = vec4(0);" + "".join("uint k%d = lane + %du;" % (i, i) for i in range(150)) +
           "".join("x += texelFetch(t[k%d], ivec2(0), 0);" % i for i in range(150)) + "o[0] = x;")
    text = lint("m.spv", expect=3)
    assert len(codes(text)) == 101 and "50 more findings are not listed" in text, text


def test_handles_are_linted_after_lowering():
    with open("m.comp", "w") as f:
        f.write("""#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { vec4 o; };
void main() { o = texelFetch(handle_texture2D(uvec2(gl_LocalInvocationIndex)), ivec2(0), 0); }
""")
    glslang("m.comp", "m.spv", "-g", "--target-env", "vulkan1.2")
    assert codes(lint("m.spv", expect=3)) == ["SPB5001"]


def test_explain_gives_the_reason_for_each_access():
    shader(LANE + "\no[0] = texelFetch(t[lane], ivec2(0), 0);\no[1] = texelFetch(t[same], ivec2(0), 0);\n"
           "o[2] = texelFetch(t[2], ivec2(0), 0);\no[3] = texelFetch(t[b[0].n], ivec2(0), 0); b[1].n = 3u;")
    lines = [l for l in bind("explain", "--name=t", "m.spv").stdout.splitlines() if " in m.spv: " in l]
    assert len(lines) == 4
    assert "m.comp:15" in lines[0] and ": divergent, marked NonUniform: the index follows from" in lines[0], lines[0]
    assert "m.comp:16" in lines[1] and 'uniform: ' in lines[1] and "memory that nothing writes" in lines[1], lines[1]
    assert lines[2].endswith(": element 2"), lines[2]
    assert "not known to be uniform, marked NonUniform" in lines[3], lines[3]


def test_explain_shows_marks_of_the_author_and_of_the_analysis():
    shader(LANE + "\no[0] = texelFetch(t[nonuniformEXT(lane)], ivec2(0), 0);\n"
           "o[1] = texelFetch(t[nonuniformEXT(same)], ivec2(0), 0);")
    lines = [l for l in bind("explain", "--name=t", "m.spv").stdout.splitlines() if " in m.spv: " in l]
    assert "divergent, marked NonUniform by the author: the index follows from" in lines[0], lines
    assert "LocalInvocationIndex is a built-in" in lines[0], lines
    assert "uniform, but marked NonUniform by the author: " in lines[1] and "nothing writes" in lines[1], lines
    assert not any("in the input" in l for l in lines), lines
    j = json.loads(bind("layout", "-q", "--accesses", "--layout-json", "m.spv").stdout)
    marked = [(a["markedByAuthor"], a["nonUniform"], a["uniform"]) for a in j["accesses"] if a["name"] == "t"]
    assert marked == [(True, True, []), (True, True, ["group", "subgroup"])], marked


def test_explain_prints_more_than_the_layout_json():
    shader(LANE + "o[0] = texelFetch(t[lane], ivec2(0), 0);")
    everything = bind("explain", "m.spv").stdout
    assert everything and bind("explain", "m.spv").stdout == everything
    assert bind("--accesses", "-o", "out.spv", "--layout-json=l.json", "m.spv").stdout == ""
    assert bind_bytes("--accesses", "-o", "-", "m.spv").stdout[:4] == b"\x03\x02\x23\x07"


def test_explain_has_a_reason_for_each_scope():
    shader("o[0] = texelFetch(t[subgroupBroadcastFirst(lane) + same], ivec2(0), 0);",
           "layout(location = 0) flat in uint lane;", stage="frag",
           head=HEAD.replace("layout(local_size_x = 64) in;", ""))
    line, = [l for l in bind("explain", "--name=t", "m.spv").stdout.splitlines() if " in m.spv: " in l]
    group, subgroup = line.split("; in the subgroup: ")
    assert ": divergent, marked NonUniform: " in group and "uniform only within a subgroup" in group, line
    assert "a subgroup may span several" in subgroup, line
    j = json.loads(bind("layout", "-q", "--accesses", "--layout-json", "m.spv").stdout)
    access, = [a for a in j["accesses"] if a["name"] == "t"]
    assert "span several" in access["whySubgroup"][-1]["text"] and "span" not in access["why"][-1]["text"], access


def test_the_json_has_the_chain_with_names_and_lines():
    shader(LANE + "\nuint k = 0;\nif (lane > 3u)\n\tk = 1u;\no[0] = texelFetch(t[k], ivec2(0), 0);")
    j = json.loads(bind("layout", "-q", "--accesses", "--layout-json", "m.spv").stdout)
    a = [a for a in j["accesses"] if a["name"] == "t"][0]
    assert a["uniform"] == [] and a["certain"] and a["nonUniform"] and a["line"] == 18, a
    names = [w.get("name") for w in a["why"]]
    assert names[0] == "k" and "lane" in names and "gl_LocalInvocationIndex" not in names[:1], a
    assert any("branch" in w["text"] and w["line"] == 16 for w in a["why"]), a["why"]


def test_only_needed_capabilities_are_added():
    def capabilities(*options):
        bind("-q", *options, "m.spv", "-o", "out.spv")
        text = run("spirv-dis", "out.spv").stdout
        return {c for c in re.findall(r"OpCapability (\w+)", text) if "Index" in c or "NonUniform" in c}

    shader("o[0] = texelFetch(t[same], ivec2(0), 0) + texelFetch(t[1], ivec2(0), 0);")
    assert capabilities() == set()  # the only change, so the module stays as it is
    assert capabilities("--place=t=1.0") == {"SampledImageArrayDynamicIndexing"}
    assert capabilities("--host-features=vulkan1.4") == {"SampledImageArrayDynamicIndexing"}
    assert capabilities("--nonuniform=explicit") == set()
    assert capabilities("--nonuniform=all") == {"SampledImageArrayDynamicIndexing",
                                                "SampledImageArrayNonUniformIndexing", "ShaderNonUniform"}
    shader("o[0] = texelFetch(t[1], ivec2(0), 0);")
    assert capabilities() == set() and capabilities("--nonuniform=all") == set()
    shader("o[0] = texelFetch(t[nonuniformEXT(same)], ivec2(0), 0);")
    assert "ShaderNonUniform" in capabilities()
    assert capabilities("--prune") == {"SampledImageArrayDynamicIndexing"}


def test_heaps_of_the_extension_need_no_marks():
    shader(LANE + "o[0] = texelFetch(t[lane], ivec2(0), 0);")
    text = run("spirv-dis", "--raw-id", "m.spv").stdout
    spirv_as(text.replace("OpCapability Shader\n", "OpCapability Shader\nOpCapability !5128\n", 1), "h.spv", "spv1.5")
    bind("-q", "--validate=none", "h.spv", "-o", "out.spv")
    with open("h.spv", "rb") as a, open("out.spv", "rb") as b:
        assert a.read() == b.read()
    bind("-q", "m.spv", "-o", "out.spv")
    with open("m.spv", "rb") as a, open("out.spv", "rb") as b:
        assert a.read() != b.read()


if __name__ == "__main__":
    running.main(globals())
