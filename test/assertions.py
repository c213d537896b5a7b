# SPDX-License-Identifier: Apache-2.0
"""assert_uniform_workgroup and assert_uniform_subgroup: proven or reported, removed, and counted at run time.

    assertions.py --bind B [--only WORD]
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import bind, glslang, run, write  # noqa: E402

HEAD = """#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "assert_uniform.glsl"
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(push_constant) uniform Push { uint same; };
void main()
{
uint lane = gl_LocalInvocationIndex;
"""


def shader(body, *flags, env="vulkan1.1", head=HEAD, path="m.spv", stage="comp"):
    write("m." + stage, head + body + "\n}\n")
    return glslang("m." + stage, path, *flags or ["-g"], "--target-env", env)


def codes(text):
    return re.findall(r"(?:error|warning): .* \[(SPB\d+)\]", text)


def disassembled(path="out.spv"):
    return run("spirv-dis", "--raw-id", path).stdout


def test_proven_assertions_are_removed_without_a_trace():
    body = "o[lane] = same;"
    bind("-q", shader(body, "-g0", path="plain.spv"), "-o", "expected.spv")
    for proof in ("assert_uniform_workgroup(same);", "assert_uniform_subgroup(gl_WorkGroupID);",
                  "assert_uniform_subgroup(subgroupBroadcastFirst(lane));", "assert_uniform_workgroup(true);",
                  "assert_uniform_workgroup(vec2(same));", "assert_uniform_subgroup(same > 3u);"):
        run("spirv-val", "--target-env", "vulkan1.1", shader(proof + body, "-g0"))
        done = bind("m.spv", "-o", "out.spv")
        text = disassembled()
        assert not done.stderr and "AssertUniform" not in text and text.count("OpExtInst ") == 0, text


def test_names_of_removed_assertions_are_removed():
    shader("assert_uniform_workgroup(same);", "-g0")
    text = run("spirv-dis", "--raw-id", "m.spv").stdout
    result = re.search(r"(%\d+) = OpExtInst ", text)[1]
    at = re.search(r"^ *OpDecorate ", text, re.M).start()
    write("named.spvasm", text[:at] + 'OpName %s "proof"\n' % result + text[at:])
    run("spirv-as", "--preserve-numeric-ids", "--target-env", "vulkan1.1", "named.spvasm", "-o", "named.spv")
    assert "proof" in run("spirv-dis", "named.spv").stdout
    bind("named.spv", "-o", "out.spv")
    assert "proof" not in disassembled()


def test_unproven_assertions_are_errors_with_their_chain():
    for body, scope in (("assert_uniform_workgroup(lane);", "workgroup"),
                        ("assert_uniform_subgroup(lane);", "subgroup"),
                        ("assert_uniform_workgroup(uvec2(same, lane));", "workgroup"),
                        ("assert_uniform_workgroup(subgroupBroadcastFirst(lane));", "workgroup")):
        text = bind(shader(body), "-o", "out.spv", expect=1).stderr
        assert codes(text) == ["SPB5010"] and "uniform in the " + scope in text and "m.comp:11:1: error" in text, text
        assert "LocalInvocationIndex is a built-in" in text or "only within a subgroup" in text, text
        assert not os.path.exists("out.spv")
        assert codes(bind("m.spv", "-o", "out.spv", "--check-assertions=warn").stderr) == ["SPB5010"]
        assert not re.search('Import "NonSemantic|Extension "NonSemantic', disassembled())
        os.remove("out.spv")
        assert bind("m.spv", "-o", "out.spv", "--check-assertions=off").stderr == ""
        os.remove("out.spv")
    text = bind(shader("assert_uniform_workgroup(o[3]); o[lane] = 1u;"), "-o", "out.spv", expect=1).stderr
    assert "that is not proven" in text, text


def test_the_lint_has_a_rule_for_them():
    shader("assert_uniform_workgroup(lane); assert_uniform_subgroup(same);")
    assert codes(bind("lint", "m.spv", expect=3).stderr) == ["SPB5010"]
    assert codes(bind("lint", "--lint=assertions=warning", "m.spv").stderr) == ["SPB5010"]
    assert codes(bind("lint", "--lint=barriers", "m.spv").stderr) == []
    assert codes(bind("lint", "--suppress=assertions@m.comp:11", "m.spv").stderr) == []


def test_run_time_has_a_counter_with_a_line_for_each_unproven_assertion():
    for env in ("vulkan1.1", "vulkan1.2", "vulkan1.3"):
        shader("assert_uniform_workgroup(lane);\nassert_uniform_workgroup(same);\nassert_uniform_subgroup(vec3(lane));",
               env=env)
        bind("-q", "--check-assertions=runtime", "m.spv", "-o", "out.spv", "--layout-json=l.json")
        with open("l.json") as f:
            layout = json.load(f)
        found = [(a["offset"], a["line"], a["file"], a["scope"]) for a in layout["modules"][0]["assertions"]]
        assert found == [(0, 11, "m.comp", "workgroup"), (4, 13, "m.comp", "subgroup")], found
        binding, = [b for s in layout["sets"] for b in s["bindings"] if b["name"] == "spb_assertions_0"]
        assert binding["type"]["size"] == 8 and not binding["explicit"], binding
        text = disassembled()
        assert re.findall(r'OpMemberName %\d+ \d "(m\.comp:\d+)"', text) == ["m.comp:11", "m.comp:13"], text
        assert text.count("OpControlBarrier") == 3 and text.count("OpGroupNonUniformAllEqual") == 3, text


def test_run_time_takes_every_type_of_value():
    head = HEAD.replace("#include", "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                        "spirv_instruction(set = \"NonSemantic.AssertUniform\", id = 1) void wide(u64vec2 x);\n"
                        "spirv_instruction(set = \"NonSemantic.AssertUniform\", id = 2) void small(u16vec2 x);\n"
                        "spirv_instruction(set = \"NonSemantic.AssertUniform\", id = 2) void tiny(i8vec3 x);\n"
                        "spirv_instruction(set = \"NonSemantic.AssertUniform\", id = 2) void half16(f16vec3 x);\n"
                        "spirv_instruction(set = \"NonSemantic.AssertUniform\", id = 1) void real(dvec4 x);\n"
                        "#include", 1)
    head = head.replace("#version 460", "#version 460\n#extension GL_EXT_spirv_intrinsics : require")
    shader("assert_uniform_workgroup(lane > 3u); assert_uniform_subgroup(ivec4(lane)); assert_uniform_workgroup("
           "vec4(lane)); wide(u64vec2(lane)); small(u16vec2(lane)); tiny(i8vec3(lane)); half16(f16vec3(lane)); "
           "real(dvec4(lane));", head=head)
    bind("-q", "--check-assertions=runtime", "m.spv", "-o", "out.spv", "--layout-json=l.json")
    with open("l.json") as f:
        assert len(json.load(f)["modules"][0]["assertions"]) == 8


def test_run_time_refuses_types_that_cannot_be_compared():
    for body, words in (("if (lane < 3u) assert_uniform_workgroup(lane);", "needs a barrier"),
                        ("for (uint i = lane; i < 9u; i++) assert_uniform_workgroup(i);", "needs a barrier")):
        text = bind(shader(body), "-o", "x", "--check-assertions=runtime", expect=1).stderr
        assert codes(text) == ["SPB5010"] and words in text, text
    bind("-q", shader("if (lane < 3u) assert_uniform_subgroup(lane);"), "-o", "x", "--check-assertions=runtime")
    fragment = HEAD.replace("layout(local_size_x = 64) in;", "layout(location = 0) flat in uint at;").replace(
        "gl_LocalInvocationIndex", "at")
    text = bind(shader("assert_uniform_workgroup(lane);", head=fragment, stage="frag"), "-o", "x",
                "--check-assertions=runtime", expect=1).stderr
    assert "has no workgroups" in text, text
    bind("-q", shader("assert_uniform_subgroup(lane);", head=fragment, stage="frag"), "-o", "x",
         "--check-assertions=runtime")
    text = bind(shader("assert_uniform_subgroup(lane);", env="vulkan1.0"), "-o", "x", "--check-assertions=runtime",
                expect=1).stderr
    assert codes(text) == ["SPB5010"] and "needs SPIR-V 1.3" in text, text


def test_other_instructions_of_the_set_are_refused():
    """Numbers before the first and after the last instruction."""
    for number in (0, 3):
        head = HEAD.replace("#include", "#extension GL_EXT_spirv_intrinsics : require\n#include", 1).replace(
            "layout(local", 'spirv_instruction(set = "NonSemantic.AssertUniform", id = %d) void other(uint x);\n'
            "layout(local" % number, 1)
        text = bind(shader("other(lane);", head=head), "-o", "x", expect=1).stderr
        assert "instruction %d of NonSemantic.AssertUniform" % number in text, text


def test_run_time_checks_share_their_memory():
    """All checks share two variables of the largest size, and each constant is added once."""
    for body, variables in (("assert_uniform_workgroup(lane);", 2), ("assert_uniform_workgroup(uvec3(lane));", 6),
                            ("assert_uniform_workgroup(lane); assert_uniform_workgroup(uvec2(lane));", 4),
                            ("assert_uniform_workgroup(uvec2(lane)); assert_uniform_workgroup(lane);", 4),
                            ("assert_uniform_workgroup(lane); assert_uniform_workgroup(lane + 1u);", 2)):
        bind("-q", "--check-assertions=runtime", shader(body, "-g0"), "-o", "out.spv")
        text = disassembled()
        assert len(re.findall(r"= OpVariable %\d+ Workgroup", text)) == variables, (body, text)
        before, constants = (re.findall(r"= OpConstant (%\d+ \d+)\n", text) for text in (disassembled("m.spv"), text))
        assert all(constants.count(c) <= before.count(c) + 1 for c in constants), (body, constants)


def test_each_module_of_a_program_has_a_separate_buffer():
    for name in ("a.spv", "b.spv"):
        shader("assert_uniform_workgroup(lane);", path=name)
    bind("-q", "--check-assertions=runtime", "a.spv", "b.spv", "--out-dir=out", "--layout-json=l.json")
    with open("l.json") as f:
        names = [b["name"] for s in json.load(f)["sets"] for b in s["bindings"]]
    assert sorted(names) == ["Out", "spb_assertions_0", "spb_assertions_1"], names


if __name__ == "__main__":
    running.main(globals())
