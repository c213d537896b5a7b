# SPDX-License-Identifier: Apache-2.0
"""Decisions of policies about descriptors that SPIR-V cannot express: dynamic buffers, inline uniform blocks, immutable
samplers, flags and push descriptors, in the layout JSON, in that of shared sets, in locks and in comparisons; and in
reports.

    descriptors.py --bind B [--only WORD]
"""
import json
import os
import re
import sys

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import Module  # noqa: E402
from running import read_text as read, says, write  # noqa: E402

SCHEMA, SHARED_SCHEMA = (json.loads(read(os.path.join(running.ROOT, "include/spirv-bind/%s.schema.json" % name)))
                         for name in ("layout", "workspace"))


def bind(*args, expect=0):
    return running.bind(*args, "--order=module", expect=expect)


def module(declarations, path="m.spv", **more):
    Module(declarations, **more).write(path)
    return path


def sets(path, *rules):
    """The sets in the layout JSON of a module with these rules: number -> entry."""
    text = bind("layout", path, "--layout-json", *("--policy=" + r for r in rules)).stdout
    layout = json.loads(text)
    jsonschema.validate(layout, SCHEMA)
    features = {f for m in layout["modules"] for f in m["requires"]["vulkanFeatures"]}
    return {s["set"]: s for s in layout["sets"]}, features


def types(path, *rules):
    return {b["name"]: b["descriptorType"][len("VK_DESCRIPTOR_TYPE_"):]
            for s in sets(path, *rules)[0].values() for b in s["bindings"]}


def refused(path, *rules):
    return bind("layout", path, *("--policy=" + r for r in rules), expect=1).stderr


def test_buffers_become_dynamic_and_blocks_inline():
    m = module("u:b@0 s:ssbo@1 many:b[3]@2 small:b@3 t:t@4")
    got = types(m, "descriptor name=small -> type=inline-uniform-block", "descriptor kind=ubo,ssbo -> type=dynamic")
    assert got == {"u": "UNIFORM_BUFFER_DYNAMIC", "s": "STORAGE_BUFFER_DYNAMIC", "many": "UNIFORM_BUFFER_DYNAMIC",
                   "small": "INLINE_UNIFORM_BLOCK", "t": "SAMPLED_IMAGE"}, got
    layout, features = sets(m, "descriptor name=small -> type=inline-uniform-block")
    small = layout[0]["bindings"][3]
    assert small["count"] == 16 and small["range"] == [3, 3], small  # bytes, and still one register
    assert small["views"][0]["count"] == 1, small
    assert "inlineUniformBlock" in features, features
    assert types(m)["u"] == "UNIFORM_BUFFER"


def test_the_first_line_with_a_value_applies():
    m = module("a:b@0 ab:b@1 s:s@2")
    got = types(m, "descriptor name=ab -> type=plain", "descriptor kind=ubo -> type=dynamic",
                "descriptor -> samplers=plain")
    assert got == {"a": "UNIFORM_BUFFER_DYNAMIC", "ab": "UNIFORM_BUFFER", "s": "SAMPLER"}, got
    write("p", "descriptor name=a -> type=plain\ndescriptor name=a* -> type=dynamic flags=partially-bound\n")
    j = json.loads(bind("layout", m, "--profile=p", "--layout-json").stdout)["sets"][0]["bindings"]
    assert [b["descriptorType"] for b in j[:2]] == ["VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER",
                                                    "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC"], j
    assert all(b["flags"] == ["VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT"] for b in j[:2]), j


def test_samplers_become_immutable_alone_and_combined():
    m = module("s:s@0 c:comb@1 t:t@2 ts:s@2 t2:t@3")
    layout, _ = sets(m, "descriptor kind=sampler,combined -> samplers=immutable")
    got = {b["name"]: b.get("immutableSamplers", False) for b in layout[0]["bindings"]}
    assert got == {"s": True, "c": True, "t": True, "t2": False}, got


def test_flags_are_exactly_those_of_the_line():
    m = module("heap:t[]@0,1 t:t@0 last:t[]@1 as:as@0,2")
    layout, features = sets(m, "descriptor name=heap -> flags=update-after-bind,update-unused-while-pending,"
                               "partially-bound,variable-count", "descriptor name=last -> flags=none",
                            "descriptor kind=as -> flags=update-after-bind")
    flags = {b["name"]: [f[len("VK_DESCRIPTOR_BINDING_"):-len("_BIT")] for f in b["flags"]]
             for s in layout.values() for b in s["bindings"]}
    assert flags == {"heap": ["UPDATE_AFTER_BIND", "UPDATE_UNUSED_WHILE_PENDING", "PARTIALLY_BOUND",
                              "VARIABLE_DESCRIPTOR_COUNT"], "t": [], "last": [], "as": ["UPDATE_AFTER_BIND"]}, flags
    pool = ["VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT"]
    assert [layout[i].get("flags") for i in (0, 1, 2)] == [None, pool, pool], layout
    assert {"descriptorBindingSampledImageUpdateAfterBind", "descriptorBindingAccelerationStructureUpdateAfterBind",
            "descriptorBindingUpdateUnusedWhilePending", "descriptorBindingPartiallyBound",
            "descriptorBindingVariableDescriptorCount"} <= features, features


def test_a_push_set():
    m = module("a:b@0 t:t[]@1,3 s:s@0,3")
    layout, features = sets(m, "push set=3")
    assert layout[3]["flags"] == ["VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR"], layout
    assert "flags" not in layout[0] and "pushDescriptor" in features, layout
    text = bind("layout", m, "--policy=push set=3", "--policy=push set=0", expect=2).stderr
    assert "SPB4024" in text and "pSetLayouts-00293" in text and "--policy=push set=0" in text, text
    bind("layout", m, "--policy=push set=3", "--policy=push set=3")


def test_descriptor_buffers():
    m = module("a:b@0 t:t[]@1,3 s:s@0,3")
    layout, features = sets(m, "option descriptor-buffers=yes", "push set=3")
    flag = "VK_DESCRIPTOR_SET_LAYOUT_CREATE_%s"
    assert [layout[k]["flags"] for k in (0, 3)] == [[flag % "DESCRIPTOR_BUFFER_BIT_EXT"], [
        flag % "PUSH_DESCRIPTOR_BIT_KHR", flag % "DESCRIPTOR_BUFFER_BIT_EXT"]], layout
    assert {"descriptorBuffer", "descriptorBufferPushDescriptors"} <= set(features), features
    asked = ["--policy=option descriptor-buffers=yes", "--policy=push set=3"]
    header = bind("layout", m, *asked, "--layout-header").stdout
    assert header.count(flag % "DESCRIPTOR_BUFFER_BIT_EXT") == 2 and "pool_sizes" not in header
    assert "set_0_template" not in header and "set_3_template" in header, header
    said = bind("layout", m, "--policy=option descriptor-buffers=yes").stdout
    assert said.count("(descriptor buffer") == 3, said


def test_shared_sets_fit_their_schema():
    module("u:b@0 s:s@1 heap:t[]@0,1 own:b@0,3", "a.spv")
    module("u:b@0 s:s@1 heap:t[]@0,1 i:subpass@1,2 family:b@0,3", "f.spv", stage="Fragment")
    write("game.manifest", "share set=0\nshare set=1 programs=[ab]\nshare set=2 programs=b\nprogram a: a.spv\n"
          "program b: f.spv\nprogram c: f.spv variant-of=b\n")
    bind("-m", "game.manifest", "--out-dir=out", "--layout-json=all.json",
         "--policy=descriptor kind=sampler -> samplers=immutable", "--policy=push set=2",
         "--policy=descriptor name=u -> type=dynamic", "--policy=descriptor name=heap -> flags=update-after-bind")
    layout = json.loads(read("all.json"))
    jsonschema.validate(layout, SHARED_SCHEMA)
    assert {"programs", "family", "flags"} <= {k for s in layout["sets"] for k in s}, layout
    got = {b["name"]: b for s in layout["sets"] for b in s["bindings"]}
    assert got["heap"]["count"] is None and got["s"]["immutableSamplers"] and got["heap"]["flags"], got
    for harm in (lambda j: j.update(schema="spirv-bind/layout/1"), lambda j: j["sets"][0].pop("programs"),
                 lambda j: j["sets"][0]["bindings"][0].update(binding=-1),
                 lambda j: j["sets"][0]["bindings"][0].update(more=1)):
        harmed = json.loads(json.dumps(layout))
        harm(harmed)
        try:
            jsonschema.validate(harmed, SHARED_SCHEMA)
        except jsonschema.ValidationError:
            continue
        raise AssertionError("the schema takes %s" % harmed)


def test_input_attachments_have_their_index():
    layout, _ = sets(module("i:subpass@0 t:t@1", stage="Fragment"))
    views = [b["views"][0] for b in layout[0]["bindings"]]
    assert views[0]["inputAttachmentIndex"] == 5 and "inputAttachmentIndex" not in views[1], views


def test_conditions_are_about_the_result():
    m = module("a:b@7 b:b@9,4 t:t@9")
    rules = ["place name=b -> set=1 binding=2", "descriptor set=1 binding=0..3 -> type=dynamic"]
    assert types(m, *rules) == {"a": "UNIFORM_BUFFER", "t": "SAMPLED_IMAGE", "b": "UNIFORM_BUFFER_DYNAMIC"}
    text = bind("layout", m, "--policy=descriptor set=4 -> type=dynamic", "--rebind=all,sets").stderr
    assert says(text, "warning SPB4017", "--policy=descriptor set=4") and "those of the result" in text, text
    text = bind("layout", m, "--policy=push set=8").stderr
    assert says(text, "warning SPB4017", "--policy=push set=8"), text


def test_violations_of_vulkan_rules_are_refused_with_the_rule():
    m = module("u:b@0 many:b[3]@1 t:t@2 in:subpass@3 s:s@4 x:t[]@5 d:ssbo@0,1 y:t@1,1", stage="Fragment")
    for rules, name, words in (
            (["descriptor name=t -> type=dynamic"], "t", "only uniform and storage buffers"),
            (["descriptor name=d -> type=inline-uniform-block"], "d", "only a uniform block"),
            (["descriptor name=many -> type=inline-uniform-block"], "many", "Inline Uniform Block"),
            (["descriptor name=t -> samplers=immutable"], "t", "only samplers and combined"),
            (["descriptor name=in -> flags=update-after-bind"], "in", "None-03011"),
            (["descriptor name=u -> type=dynamic flags=update-after-bind"], "u", "None-03011"),
            (["descriptor name=u -> type=dynamic flags=variable-count"], "u", "pBindingFlags-03015"),
            (["descriptor name=t -> flags=variable-count"], "t", "pBindingFlags-03004"),
            (["descriptor name=d -> type=dynamic", "descriptor name=y -> flags=update-after-bind"], "y",
             "descriptorType-03001"),
            (["push set=1", "descriptor name=d -> type=dynamic"], "d", "flags-00280"),
            (["push set=0", "descriptor name=u -> type=inline-uniform-block"], "u", "flags-02208"),
            (["push set=0", "descriptor name=x -> flags=variable-count"], "x", "flags-03003"),
            (["push set=0", "descriptor name=x -> flags=update-unused-while-pending"], "x", "flags-03003")):
        text = refused(m, *rules)
        assert says(text, "error SPB4024") and '"%s"' % name in text and words in text, (rules, text)
        assert any("--policy=" + r in text for r in rules), text
    heaps = module("", "h.spv", handles=["tex", "cube"])
    for rules, words in ((["descriptor name=heap_* -> type=dynamic"], "pDescriptorTypes-04601"),
                         (["descriptor name=heap_* -> samplers=immutable"], "descriptorType-04594"),
                         (["push set=0"], "flags-04591")):
        text = bind("layout", heaps, "--heap-model=mutable", *("--policy=" + r for r in rules), expect=1).stderr
        assert "SPB4024" in text and words in text, text


def test_wrong_lines():
    m = module("a:b@0")
    for rule, words in (("descriptor name=a", "has no effect"), ("descriptor -> type=fast", "plain, dynamic, inline"),
                        ("descriptor -> flags=never", "update-after-bind"), ("descriptor -> set=1", "type, samplers"),
                        ("descriptor -> samplers=mine", "plain, immutable"), ("descriptor register=1 -> type=plain",
                                                                              "set and binding before"),
                        ("push", "needs a set="), ("push range=1", '"range"'), ("push set=x", "a number")):
        text = bind("layout", m, "--policy=" + rule, expect=2).stderr
        assert text.startswith("--policy=" + rule + ": error: ") and says(text, "error SPB4010") and words in text, text
    assert "expected one rule" in bind("layout", m, "--policy=push set=0\npush set=0", expect=2).stderr
    assert "--policy" in bind("layout", m, "--policy=", expect=2).stderr


def test_command_line_rules_override_profiles():
    write("p", "place name=a -> binding=5\nshift class=t by=3\noption unused=remove\n")
    m = module("a:b b:b! t:t")
    table = bind("layout", m, "--profile=p", "--policy=place name=a -> binding=7", "--policy=shift class=t by=9",
                 "--policy= option unused=count", ).stdout.split("\n")[1:-1]
    assert [line.split()[:2] + [line.split()[-1]] for line in table] == [
        ["0", "0", "b"], ["0", "7", "a"], ["0", "9", "t"]], table
    assert bind("layout", m, "--policy=reserve set=4 range=0..1").stderr == ""


def test_modules_do_not_change_and_need_no_order():
    """Rules that place nothing move nothing, and do not need the source text."""
    m = module("u:b@0 t:t@1", "fixed.spv")
    done = running.bind("check", m, "--policy=descriptor kind=ubo -> type=dynamic", "--policy=push set=9")
    assert "SPB4005" not in done.stderr, done.stderr


def test_compatible_takes_decisions_into_account():
    m = module("u:b@0 s:s@1 d:b@0,1")
    bind(m, "-o", "out.spv", "--layout-json=old.json")
    same = bind("check", m, "--against=old.json").stdout
    assert "set 1: compatible" in same, same
    text = bind("check", m, "--against=old.json", "--policy=descriptor name=u -> type=dynamic",
                "--policy=descriptor name=s -> samplers=immutable", "--policy=push set=1", expect=3).stdout
    assert '    binding 0 "u": VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER -> VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC\n' in text
    assert '    binding 1 "s": its samplers become immutable\n' in text, text
    assert '    binding 0 "d": flags of the set none -> PUSH_DESCRIPTOR_BIT_KHR\n' in text, text
    bind(m, "-o", "out.spv", "--layout-json=new.json", "--policy=descriptor name=s -> samplers=immutable")
    text = bind("check", m, "--against=new.json", expect=3).stdout
    assert '    binding 1 "s": its samplers are no longer immutable\n' in text, text


def test_a_policy_lets_several_types_share_a_binding():
    m = module("t:t@0,4 u:b@0,4 i:img@0,4 s:s@1,4 o:ssbo@1,4")
    rules = ["--policy=descriptor set=4 binding=0 -> type=mutable", "--policy=descriptor set=4 -> type=mapped"]
    done = bind(m, "-o", "out.spv", expect=1).stderr
    assert "type=mutable" in done, done
    bind(m, "-o", "out.spv", "--layout-json=l.json", "--lock=l", "--update-lock", *rules)
    got = [(b["binding"], b["name"], b["descriptorType"][19:], [t[19:] for t in b.get("mutableTypes", [])])
           for b in json.loads(read("l.json"))["sets"][0]["bindings"]]
    assert got == [(0, "t", "MUTABLE_EXT", ["SAMPLED_IMAGE", "STORAGE_IMAGE", "UNIFORM_BUFFER"]),
                   (1, "s", "SAMPLER", []), (1, "o", "STORAGE_BUFFER", [])], got
    assert "resource u set=4 binding=0 kind=ubo type=mutable\n" in read("l"), read("l")


def test_locks_record_decisions():
    rules = ["--policy=descriptor name=u -> type=dynamic", "--policy=descriptor name=s -> samplers=immutable",
             "--policy=descriptor name=h -> flags=partially-bound,variable-count", "--policy=push set=2",
             "--policy=descriptor name=i -> type=inline-uniform-block"]
    m = module("u:b@0 s:s@1 h:t[]@0,1 p:b@0,2 i:b@2")
    bind(m, "-o", "out.spv", "--lock=l", "--update-lock", *rules)
    assert read("l").split("\n")[2:-1] == [
        "lock version=1", "push set=2",
        "resource h set=1 binding=0 kind=texture count=0 flags=partially-bound,variable-count",
        "resource i set=0 binding=2 kind=ubo type=inline-uniform-block",
        "resource p set=2 binding=0 kind=ubo", "resource s set=0 binding=1 kind=sampler samplers=immutable",
        "resource u set=0 binding=0 kind=ubo type=dynamic"], read("l")
    bind("lock", "check", m, "--lock=l", *rules)
    text = bind("lock", "check", m, "--lock=l", expect=3)
    assert "- push set=2\n" in text.stderr + text.stdout and "+ resource u set=0 binding=0 kind=ubo\n" in (
        text.stderr + text.stdout), text


def test_reports_describe_descriptors():
    m = module("t:t@4 ts:s@4 u:b@7 v:b@7")
    table = bind("layout", m, "--rebind=all").stdout + bind("check", m, "--rebind=all", expect=3).stderr
    table += bind("explain", m, "--rebind=all", "--name=t*").stdout
    assert "0    0        1      combined image-sampler  t, ts\n0    1        1      uniform buffer          u, v\n" \
        in table, table
    for name, old, new in (("t", 4, 0), ("ts", 4, 0), ("u", 7, 1), ("v", 7, 1)):
        assert 'note: "%s" would move from set 0, binding %d to set 0, binding %d\n' % (name, old, new) in table, table
    assert "t: set 0, binding 0\n    combined image-sampler\n    one descriptor with ts\n" in table, table
    assert "ts: set 0, binding 0\n    combined image-sampler\n    one descriptor with t\n" in table, table
    table = bind("check", m, "--rebind=all", "--policy=option shared=apart", expect=3).stderr
    assert '"ts" would move from set 0, binding 4 to set 0, binding 1\n' in table, table
    table = bind("layout", m, "--policy=push set=0", "--policy=descriptor name=ts -> "
                 "samplers=immutable flags=partially-bound").stdout
    assert "  t, ts (push descriptor, immutable samplers, partially-bound)\n" in table, table
    table = bind("layout", module("a:t[]@0"), "--policy=descriptor -> flags=none").stdout
    assert "[]     sampled image           a (no flags)\n" in table, table
    table = bind("layout", module("", "h.spv", handles=["tex", "cube"]), "--heap-model=mutable").stdout
    assert "mutable                 heap_texture_2D_float, heap_texture_Cube_float\n" in table, table


def test_explain_names_the_stages_that_use_a_view():
    table = bind("explain", module("a:b@0 b:b@1!"), ).stdout
    assert "in m.spv (compute) as" in table and "in m.spv (used by no entry point) as" in table, table


def test_a_variable_without_a_pointer_type_is_in_the_layout():
    """Golden files do not show this, since it has a binding already."""
    chains = os.path.join(running.FIXTURES, "untyped-pointers", "chains.spvasm")
    m = running.spirv_as(read(chains), "untyped.spv", "spv1.5")
    text = bind("layout", m, "-q", "--layout-json").stdout
    got = {b["binding"]: b["descriptorType"] for s in json.loads(text)["sets"] for b in s["bindings"]}
    assert sorted(got) == [0, 1, 2] and got[2] == "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER", got


CALLERS = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %one "one"
OpEntryPoint GLCompute %two "two"
OpExecutionMode %one LocalSize 1 1 1
OpExecutionMode %two LocalSize 1 1 1
OpName %image "image"
OpName %sampler "sampler"
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 0
OpDecorate %sampler DescriptorSet 0
OpDecorate %sampler Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%timage = OpTypeImage %float 2D 0 0 0 2 R32f
%tsampler = OpTypeSampler
%pimage = OpTypePointer UniformConstant %timage
%psampler = OpTypePointer UniformConstant %tsampler
%image = OpVariable %pimage UniformConstant
%sampler = OpVariable %psampler UniformConstant
%one = OpFunction %void None %fn
%b1 = OpLabel
%c1 = OpFunctionCall %void %reads_image
CALL_OF_ONE
OpReturn
OpFunctionEnd
%two = OpFunction %void None %fn
%b2 = OpLabel
%c2 = OpFunctionCall %void %reads_sampler
OpReturn
OpFunctionEnd
%reads_image = OpFunction %void None %fn
%b3 = OpLabel
%l3 = OpLoad %timage %image
OpReturn
OpFunctionEnd
%reads_sampler = OpFunction %void None %fn
%b4 = OpLabel
%l4 = OpLoad %tsampler %sampler
OpReturn
OpFunctionEnd
"""


def test_two_descriptors_at_a_place_conflict_in_an_entry_point_that_uses_both():
    m = running.spirv_as(CALLERS.replace("CALL_OF_ONE", "%c = OpFunctionCall %void %reads_sampler"), "meet.spv")
    text = bind("check", m, expect=3).stderr
    assert 'entry point "one" uses both' in text, text
    text = bind("check", running.spirv_as(CALLERS.replace("CALL_OF_ONE", ""), "apart.spv"), expect=None).stderr
    assert "uses both, and" not in text, text


HEADER = os.path.join(running.HERE, "conformance", "layout_header.txt")


def test_the_header_has_tables_for_each_kind_of_descriptor():
    """Line by line: tables for Vulkan's functions, definitions required of the host, and the numbers."""
    m = module("u:b@0,1 d:ssbo@1,1 many:t[3]@2,1 h:t[]@3,1 small:b@0,2 s:s@1,2 tb:utexbuf@2,2 sb:u@3,2 img:img@4,2 "
               "acc:as@5,2 comb:comb@6,2 late:s@0,4 also:s@1,4 first:s@0,5 both:comb@1,5 last:s@2,5 push:push",
               stage="Fragment")
    handles = module("c:ubo@0,0 t:t@1,0", "handles.spv", handles=["tex", "img"])
    rules = ["name=u -> type=dynamic", "name=d -> type=dynamic", "name=h -> flags=partially-bound,variable-count",
             "set=4 -> samplers=immutable", "set=5 -> samplers=immutable", "name=small -> type=inline-uniform-block",
             "name=img -> flags=update-after-bind"]
    bind(m, "-o", "o.spv", "--layout-header=lit.h", "--layout-glsl=lit.glsl", "--validate=none",
         *("--policy=descriptor " + rule for rule in rules))
    bind(handles, "-o", "o.spv", "--layout-header=heap.h", "--heap-model=mutable", "--heap=texture=0.5",
         "--heap=image=0.5", "--validate=none", "--policy=descriptor name=t -> flags=partially-bound")
    either = running.spirv_as(read(os.path.join(running.FIXTURES, "assign-bindings", "shared-entry-points.spvasm")),
                              "either.spv")
    bind(either, "-o", "o.spv", "--layout-header=two.h", "--validate=none", "--allow-overlap")
    write("all.comp", """#version 450
layout(local_size_x_id = 3, local_size_y = 4) in;
layout(constant_id = 0) const bool fast = true;
layout(constant_id = 1) const int bias = -3;
layout(constant_id = 2) const float gain = 2.2;
layout(constant_id = 4) const float huge = 1e30;
struct Light { vec3 position; float range; vec3 colour; };
uniform Params { mat3 m; float weights[3]; Light lights[4]; vec2 near; layout(row_major) mat4x3 rows; };
buffer Out { uint n; dvec2 exact; Light found[]; };
layout(push_constant) uniform Push { layout(offset = 24) vec2 from; };
void main() {
	n = fast ? uint(bias) : uint(gain + weights[1] + near.x + m[0][0] + huge + rows[0][0] + from.x);
	found[0] = lights[1];
}
""")
    write("in.vert", """#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in mat4 model;
layout(location = 5) in dvec3 far;
layout(location = 7) in uvec2 ids[2];
void main() { gl_Position = model * vec4(position + vec3(far), 1) + vec4(ids[0], ids[1]); }
""")
    bind("layout", "all.comp", "--layout-header=all.h")
    bind("layout", "in.vert", "--layout-header=in.h")
    assert "".join(map(read, ("lit.h", "heap.h", "two.h", "all.h", "in.h"))) == read(HEADER)
    numbers = re.findall("(?m)^#define lit_(?:sets|\\w+_(?:set|binding|count|size)) \\d.*|^/\\* .* \\*/$",
                         read("lit.h").partition("#endif")[0])
    assert len(numbers) == 1 + 16 * 4 - 1
    head, foot = "/* Made by spirv-bind; do not edit. */\n#ifndef lit_layout\n#define lit_layout\n\n", "\n\n#endif\n"
    assert read("lit.glsl") == head + "\n".join(re.sub(r"(\d)u\b", r"\1", n) for n in numbers) + foot


LONG = "l" * 126
IDENTIFIERS = {"a.b": "a_b_x0", "a..b": "a_b_x1", "a_-_b": "a_b_x2", "_a_": "a_x3", "..a..": "a_x4",
               "\u00e4": "0_5", "9z": "9z",
               "q": "q_x7", "q.": "q_x8", "t_x1": "t_x1_x9", "t_x12": "t_x12_x10", "t_x": "t_x",
               "x1": "x1_x12", "_x1": "x1_x13",
               "t1": "t1", "ay1": "ay1", "ax1": "ax1", "t_x1a": "t_x1a", LONG: LONG, LONG + "1": LONG + "1_x19",
               LONG + "23": LONG + "23_x20", LONG + "456": LONG + "45_x21", LONG + "[7]": LONG + "_7_x22"}


def test_names_in_the_header_are_distinct_identifiers():
    """A truncated, shared or ambiguous name has the number of its descriptor."""
    declarations = " ".join("n%d:t@%d" % (i, i) for i in range(len(IDENTIFIERS)))
    text = Module(declarations).text()
    for i, name in enumerate(IDENTIFIERS):
        text = text.replace('"n%d"' % i, '"%s"' % name)
    running.spirv_as(text, "m.spv")
    bind("m.spv", "-o", "o.spv", "--layout-header=p.h", "--validate=none")
    found = re.findall(r"/\* (.*) \*/\n#define p_(\w+)_set 0u\n#define p_\2_binding (\d+)u", read("p.h"))
    expected = [(re.sub(r"[^\w.$\[\]<>: ]|[^ -~]", "?", n.replace("\u00e4", "??").replace("-", "?")), i, str(k))
                for k, (n, i) in enumerate(IDENTIFIERS.items())]
    assert found == expected, [x for x in zip(found, expected) if x[0] != x[1]]


if __name__ == "__main__":
    running.main(globals())
