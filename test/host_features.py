# SPDX-License-Identifier: Apache-2.0
"""--host-features: what the host lacks is done otherwise or refused; and the capabilities that binding adds.

    host_features.py --bind B
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import bind, run, write  # noqa: E402

BALLOT = "VK_SUBGROUP_FEATURE_BALLOT_BIT"
DYNAMIC, NON_UNIFORM = "shaderSampledImageArrayDynamicIndexing", "shaderSampledImageArrayNonUniformIndexing"
HEAD = """#version 460
layout(local_size_x = 64) in;
uniform sampler2D maps[4];
buffer Buffers { vec4 at[]; } buffers[4];
layout(push_constant) uniform Push { uint same; };
void main()
{
"""
BOTH = "\tbuffers[gl_LocalInvocationIndex].at[0] = textureLod(maps[gl_LocalInvocationIndex], vec2(0), 0.0);\n}\n"
SAME = "\tbuffers[0].at[0] = textureLod(maps[same], vec2(0), 0.0);\n}\n"


def shader(body, env="vulkan1.2"):
    write("s.comp", HEAD + body)
    return ["--target-env=" + env, "s.comp"]


def bound(*options):
    """Capabilities that are about indexing or subgroups, the number of loops, and whether anything is decorated."""
    bind(*options, "-o", "out.spv", "--layout-json=out.json")
    text = run("spirv-dis", "--raw-id", "out.spv").stdout
    words = set(re.findall(r"OpCapability (\w*(?:Index|GroupNon|Ballot|ShaderNon)\w*)", text))
    return words, text.count("OpLoopMerge"), " NonUniform\n" in text.split("OpDecorate", 1)[-1]


def refused(*options):
    return bind(*options, "-o", "out.spv", expect=1).stderr


def test_kinds_without_non_uniform_indexing_get_loops():
    inputs = shader(BOTH)
    words, loops, marked = bound(*inputs)
    assert {"SampledImageArrayNonUniformIndexing", "StorageBufferArrayNonUniformIndexing"} <= words
    assert not loops and marked
    words, loops, marked = bound(*inputs, "--host-features=roadmap2022")
    assert "StorageBufferArrayNonUniformIndexing" in words and not loops and marked
    words, loops, marked = bound(*inputs, "--host-features=vulkan1.4," + BALLOT)
    assert not [w for w in words if "NonUniformIndexing" in w] and loops == 1 and not marked, (words, loops)
    words, loops, marked = bound(*inputs, "--host-features=vulkan1.4," + BALLOT, "--host-features=" + NON_UNIFORM)
    assert "SampledImageArrayNonUniformIndexing" in words and "StorageBufferArrayNonUniformIndexing" not in words
    assert loops == 1 and marked
    before = running.read("out.spv")
    bind("out.spv", "-o", "again.spv", "--host-features=vulkan1.4," + BALLOT, "--host-features=" + NON_UNIFORM)
    assert running.read("again.spv") == before


def test_what_needs_more_is_refused_at_its_place_with_a_remedy():
    inputs = shader(BOTH)
    said = refused(*inputs, "--host-features=%s,%s" % (DYNAMIC, NON_UNIFORM))
    assert re.match(r"s\.comp:8:\d+: error: an index that is not constant needs "
                    "shaderStorageBufferArrayDynamicIndexing, which --host-features does not list", said), said
    said = refused(*inputs, "--host-features=vulkan1.4")
    assert re.match(r"s\.comp:8:\d+: error: an index that varies needs shader\w+NonUniformIndexing", said), said
    assert "list " + BALLOT in said, said
    said = refused(*shader(BOTH, "vulkan1.0"), "--host-features=vulkan1.4," + BALLOT)
    assert "compile for Vulkan 1.1" in said, said
    bound(*shader(BOTH, "vulkan1.0"), "--host-features=vulkan1.4,VK_EXT_shader_subgroup_ballot")
    write("s.frag", "#version 460\nlayout(location = 0) flat in uint i;\nlayout(location = 0) out vec4 o;\n"
          "uniform sampler2D maps[4];\nvoid main()\n{\n\to.xy = textureQueryLod(maps[i], vec2(0));\n}\n")
    said = refused("--target-env=vulkan1.1", "s.frag", "--host-features=vulkan1.4," + BALLOT)
    assert re.match(r"s\.frag:7:\d+: error: .* needs non-uniform indexing, which --host-features does not list", said)
    write("s.comp", "#version 460\n#extension GL_EXT_nonuniform_qualifier : require\nuniform sampler2D maps[];\n"
          "buffer B { vec4 v; };\nvoid main() { v = textureLod(maps[gl_NumWorkGroups.x], vec2(0), 0.0); }\n")
    assert "needs runtimeDescriptorArray" in refused("s.comp", "--host-features=vulkan1.4")
    host = "--host-features=vulkan1.4,runtimeDescriptorArray"
    assert "needs descriptorBindingPartiallyBound" in refused("s.comp", host)  # as the layout has it
    bind("s.comp", "-o", "out.spv", host, "--host-features=descriptorBindingPartiallyBound")


def test_loops_over_long_arrays_before_spirv_1_3_say_which_extension_they_need():
    long = BOTH.replace("buffers[gl_LocalInvocationIndex]", "buffers[0]")
    listed = "--host-features=roadmap2022,VK_EXT_shader_subgroup_ballot"
    for length, env, options, warned in ((64, "vulkan1.0", [], 1), (4, "vulkan1.0", [], 0), (64, "vulkan1.1", [], 0),
                                         (64, "vulkan1.0", [listed], 0)):
        write("s.comp", (HEAD + long).replace("maps[4]", "maps[%d]" % length))
        said = bind("--target-env=" + env, "s.comp", "--waterfall", *options, "-o", "out.spv").stderr
        assert said.count("[SPB6004]") == warned and said.count("VK_EXT_shader_subgroup_ballot") == warned, said


def test_a_module_that_only_lacks_a_capability_is_left_unless_the_host_has_the_feature():
    shader(SAME.replace("buffers[0].at[0]", "vec4 x"))
    write("s.comp", running.read_text("s.comp").replace("uniform sampler2D", "layout(binding = 0) uniform sampler2D")
          .replace("buffer Buffers { vec4 at[]; } buffers[4];\n", ""))
    run("glslangValidator", "-V", "-g", "s.comp", "-o", "s.spv")
    bind("s.spv", "-o", "out.spv")
    assert running.read("out.spv") == running.read("s.spv")
    said = bind("check", "s.spv").stderr
    assert re.match(r's\.comp:\d+:\d+: note: an index of "maps" is not constant, but the module does not declare '
                    "SampledImageArrayDynamicIndexing", said), said
    assert bound("s.spv", "--host-features=" + DYNAMIC)[0] == {"SampledImageArrayDynamicIndexing"}
    assert DYNAMIC in refused("s.spv", "--host-features=none")


def test_added_capabilities_are_announced():
    inputs = shader(BOTH)
    bind(*inputs, "-o", "out.spv", "--layout-json=out.json")
    added = json.loads(running.read_text("out.json"))["modules"][0]["requires"]["added"]
    assert {"capability": "SampledImageArrayNonUniformIndexing", "feature": NON_UNIFORM} in added, added
    assert {"capability": "ShaderNonUniform"} in added, added
    os.remove("out.spv")
    said = bind(*inputs, "-o", "out.spv", "-v").stderr
    assert "out.spv: 2 bindings assigned, 2 accesses marked\n" in said, said
    assert "out.spv: enable %s: the capability SampledImageArrayNonUniformIndexing was added\n" % NON_UNIFORM in said
    said = bind(*inputs, "-o", "out.spv", "-v", "--host-features=vulkan1.4," + BALLOT).stderr
    assert "out.spv: 2 bindings assigned, 2 accesses put into loops\n" in said and "enable" not in said, said
    assert bind(*inputs, "-o", "out.spv").stderr == ""
    said = bind("check", "out.spv", "--rebind=all", "--place=maps=1.1", expect=3).stderr
    run("glslangValidator", "-V", "--target-env", "vulkan1.2", "--amb", "s.comp", "-o", "s.spv")
    said = bind("check", "s.spv", expect=3).stderr
    assert "capability SampledImageArrayNonUniformIndexing would be added, which needs " + NON_UNIFORM in said, said


def test_names_are_those_of_vulkan_and_typos_are_guessed():
    said = bind("--help=--host-features").stdout
    names = set(re.findall(r"\b(?:shader[A-Z]|descriptor[A-Z]|VK_SUBGROUP)\w+", said))
    assert len(names) > 30, said
    newer = {"descriptorHeap", "shaderUntypedPointers", "descriptorBindingStorageTensorUpdateAfterBind",
             "shaderStorageTensorArrayDynamicIndexing", "shaderStorageTensorArrayNonUniformIndexing"}
    header = running.read_text("/usr/include/vulkan/vulkan_core.h")
    assert not [n for n in names - newer if not re.search(r"\b%s\b" % n, header)]
    said = bind("a.spv", "-o", "b.spv", "--host-features=vulkan1.3,runtimeDescriptorArrays", expect=2).stderr
    assert ", perhaps runtimeDescriptorArray; got " in said, said
    said = bind("a.spv", "-o", "b.spv", "--host-features=geometryShader", expect=2).stderr
    assert "perhaps" not in said and "expected none, vulkan1.0 to vulkan1.4" in said, said


running.main(globals())
