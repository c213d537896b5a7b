# SPDX-License-Identifier: Apache-2.0
"""-e NAME on a module with the entry points of two pipelines, in combination with the validator, the lint, locks,
heaps, --split-combined, --unused, check, push constants and reports.

    entries.py --bind B [--only WORD]
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from module_text import read_places  # noqa: E402
from running import read_text as read, run, says, spirv_as  # noqa: E402

HEAD = """
OpCapability Shader
OpCapability ShaderNonUniform
OpCapability RuntimeDescriptorArray
OpCapability SampledImageArrayDynamicIndexing
OpExtension "SPV_EXT_descriptor_indexing"
%(before)s
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%one "one" %%id
OpEntryPoint GLCompute %%two "two" %%id
OpExecutionMode %%one LocalSize 8 1 1
OpExecutionMode %%two LocalSize 8 1 1
%(names)s
OpDecorate %%id BuiltIn GlobalInvocationId
OpDecorate %%Push Block
OpMemberDecorate %%Push 0 Offset 0
OpDecorate %%Wide Block
OpMemberDecorate %%Wide 0 Offset 16
%(decorations)s
%%void = OpTypeVoid
%%fn = OpTypeFunction %%void
%%uint = OpTypeInt 32 0
%%v3uint = OpTypeVector %%uint 3
%%v2uint = OpTypeVector %%uint 2
%%float = OpTypeFloat 32
%%v2float = OpTypeVector %%float 2
%%v4float = OpTypeVector %%float 4
%%zero = OpConstant %%float 0
%%u0 = OpConstant %%uint 0
%%nowhere = OpConstantNull %%v2float
%%handle = OpConstantNull %%v2uint
%%tex = OpTypeImage %%float 2D 0 0 0 1 Unknown
%%comb = OpTypeSampledImage %%tex
%%array = OpTypeRuntimeArray %%comb
%%Push = OpTypeStruct %%uint
%%Wide = OpTypeStruct %%v4float
%%pcomb = OpTypePointer UniformConstant %%comb
%%parray = OpTypePointer UniformConstant %%array
%%ppush = OpTypePointer PushConstant %%Push
%%pwide = OpTypePointer PushConstant %%Wide
%%puint = OpTypePointer PushConstant %%uint
%%pv4 = OpTypePointer PushConstant %%v4float
%%pid = OpTypePointer Input %%v3uint
%%puid = OpTypePointer Input %%uint
%%id = OpVariable %%pid Input
%%push = OpVariable %%ppush PushConstant
%%wide = OpVariable %%pwide PushConstant
%%a = OpVariable %%pcomb UniformConstant
%%b = OpVariable %%pcomb UniformConstant
%%both = OpVariable %%pcomb UniformConstant
%%nobody = OpVariable %%pcomb UniformConstant
%%many = OpVariable %%parray UniformConstant
"""
SAMPLE = """
%%l_%(v)s_%(n)d = OpLoad %%comb %%%(v)s
%%s_%(v)s_%(n)d = OpImageSampleExplicitLod %%v4float %%l_%(v)s_%(n)d %%nowhere Lod %%zero
"""
DIVERGENT = """
%%p_%(n)d = OpAccessChain %%puid %%id %%u0
%%i_%(n)d = OpLoad %%uint %%p_%(n)d
%%c_%(n)d = OpAccessChain %%pcomb %%many %%i_%(n)d
%%d_%(n)d = OpLoad %%comb %%c_%(n)d
%%e_%(n)d = OpImageSampleExplicitLod %%v4float %%d_%(n)d %%nowhere Lod %%zero
"""
PUSH = {1: "%pp = OpAccessChain %puint %push %u0\n%pv = OpLoad %uint %pp\n",
        2: "%pp2 = OpAccessChain %pv4 %wide %u0\n%pv2 = OpLoad %v4float %pp2\n"}
HANDLE = "%%h_%(n)d = OpExtInst %%comb %%handles 1 %%handle\n" \
         "%%hs_%(n)d = OpImageSampleExplicitLod %%v4float %%h_%(n)d %%nowhere Lod %%zero\n"


def bind(*args, expect=0):
    return running.bind(*args, "--order=module", expect=expect)


def module(path="m.spv", one="", two="", places=(), handles=False, vertex=False):
    """one, two: further code of the entry points; places: "name set binding"; vertex: two is a vertex shader."""
    decorations = ""
    for place in places:
        name, set_, binding = place.split()
        decorations += "OpDecorate %%%s DescriptorSet %s\nOpDecorate %%%s Binding %s\n" % (name, set_, name, binding)
    names = "".join('OpName %%%s "%s"\n' % (n, n) for n in "a b both nobody many push wide Push Wide one two".split())
    before = 'OpExtension "SPV_KHR_non_semantic_info"\n%handles = OpExtInstImport "NonSemantic.DescriptorHandle"\n'
    text = HEAD % {"names": names, "decorations": decorations, "before": before if handles else ""}
    for n, (name, code) in enumerate((("one", SAMPLE % {"v": "a", "n": 1} + one),
                                      ("two", SAMPLE % {"v": "b", "n": 2} + two)), 1):
        text += "%%%s = OpFunction %%void None %%fn\n%%in_%d = OpLabel\n" % (name, n)
        text += code + SAMPLE % {"v": "both", "n": n} + PUSH[n] + "OpReturn\nOpFunctionEnd\n"
    if vertex:
        text = text.replace('GLCompute %two "two" %id', 'Vertex %two "two"')
        text = text.replace("OpExecutionMode %two LocalSize 8 1 1\n", "")
    return spirv_as(text, path)


def layout(*args):
    return json.loads(bind("layout", *args, "--layout-json").stdout)


def names(j):
    return {v["name"] for s in j["sets"] for b in s["bindings"] for v in b["views"]}


def test_an_unbound_module_is_bound_entry_point_by_entry_point():
    """Without --allow-unvalidated, although the first result lacks bindings of the other entry point."""
    m = module(places=["many 7 0", "nobody 7 1"])
    text = bind("-e", "one", m, "-o", "one.spv").stderr
    assert says(text, "warning SPB4026") and '"b"' in text, text
    assert read_places("one.spv") == {"a": (0, 0), "both": (0, 1), "many": (7, 0), "nobody": (7, 1)}
    assert "SPB4026" in bind("check", "-e", "one", "one.spv").stderr
    text = bind("-e", "two", "one.spv", "-o", "two.spv").stderr
    assert "SPB4026" not in text, text
    run("spirv-val", "--target-env", "vulkan1.2", "two.spv")
    assert read_places("two.spv")["b"] == (0, 0)  # no pipeline has both
    bind("check", "two.spv")
    for which in ("strict", "both"):
        bind("-q", "-e", "one", m, "-o", "x.spv", "--validate=" + which)


def test_a_real_fault_is_still_found():
    m = module(places=["many 7 0"], one="%wrong = OpImageSampleImplicitLod %v4float %zero %nowhere\n")
    text = bind("-e", "one", m, "-o", "x.spv", expect=1).stderr
    assert "SPB6002" in text and "SPB6001" not in text, text


def test_the_layout_is_that_of_the_entry_points():
    m = module(places=["b 5 0"])
    j = layout("-e", "one", m)
    assert names(j) == {"a", "both", "nobody", "many"}, names(j)
    assert [e["name"] for e in j["modules"][0]["entryPoints"]] == ["one"], j["modules"]
    assert [(p["name"], p["offset"], p["size"]) for p in j["pushConstants"]] == [("Push", 0, 4)], j
    j = layout("-e", "two", "-e", "one", m)
    assert names(j) == {"a", "b", "both", "nobody", "many"}, names(j)
    assert [(p["name"], p["offset"], p["size"]) for p in j["pushConstants"]] == [("", 0, 32)], j
    text = bind("layout", "-e", "three", m, expect=2).stderr
    assert "SPB4022" in text and '"one", "two"' in text, text


def test_push_constants_have_the_stages_that_use_them():
    j = layout(module(places=["b 5 0", "many 7 0"], vertex=True))
    ranges = {(p["name"], p["offset"], p["size"], *p["stages"]) for p in j["pushConstants"]}
    assert ranges == {("Push", 0, 4, "VK_SHADER_STAGE_COMPUTE_BIT"),
                      ("Wide", 16, 16, "VK_SHADER_STAGE_VERTEX_BIT")}, ranges
    stages = {b["name"]: [s[len("VK_SHADER_STAGE_"):-len("_BIT")] for s in b["stages"]]
              for s in j["sets"] for b in s["bindings"]}
    assert stages == {"a": ["COMPUTE"], "b": ["VERTEX"], "both": ["VERTEX", "COMPUTE"], "nobody": [],
                      "many": []}, stages


def test_the_lint_judges_the_whole_module():
    """Accesses belong to the module, whichever entry point calls them: a missing decoration is missing in all
    pipelines."""
    m = module(two=DIVERGENT % {"n": 1})
    for entry in ([], ["-e", "one"], ["-e", "two"]):
        text = bind("lint", *entry, m, expect=3).stderr
        assert says(text, "error SPB5001") == 1, text
    assert "SPB4022" in bind("lint", "-e", "three", m, expect=2).stderr


def test_locks_hold_what_the_runs_have_bound():
    m = module(places=["many 7 0"])
    bind("-q", "-e", "one", m, "-o", "one.spv", "--lock=l", "--update-lock")
    assert "resource a set=0 binding=0" in read("l") and "resource b " not in read("l"), read("l")
    bind("lock", "check", "-q", "-e", "one", m, "--lock=l")
    bind("-q", "-e", "two", "one.spv", "-o", "two.spv", "--lock=l", "--update-lock")
    lines = read("l")
    assert "resource b set=0 binding=" in lines and "resource both set=0 binding=1" in lines, lines
    bind("lock", "check", "-q", "-e", "two", "two.spv", "--lock=l")
    bind("-q", "-e", "one", "two.spv", "-o", "three.spv", "--lock=l")  # and it returns to its binding
    assert read_places("three.spv")["a"] == (0, 0)


def test_heaps_are_numbered_for_all_entry_points():
    m = module(two=HANDLE % {"n": 2}, handles=True, places=["b 4 4", "many 7 0"])
    bind("-q", "-e", "one", m, "-o", "one.spv", "--layout-json=j")
    heap = [h for h in json.loads(read("j"))["heaps"]]
    assert len(heap) == 1 and heap[0]["kind"] == "combined", heap
    assert read_places("one.spv")["heap_combined_2D_float"] == (heap[0]["set"], heap[0]["binding"])
    run("spirv-val", "--target-env", "vulkan1.2", "one.spv")
    bind("check", "-e", "one", "one.spv")
    bind("check", "-e", "two", "one.spv")


def test_split_combined_gives_the_parts_a_place():
    m = module(places=["a 0 0", "b 0 0", "both 0 1", "nobody 0 2", "many 7 0"])
    bind("-q", "-e", "one", "--split-combined", m, "-o", "one.spv")
    run("spirv-val", "--target-env", "vulkan1.2", "one.spv")
    got = read_places("one.spv")
    assert all(None not in p for p in got.values()), got  # resources that a run adds have no binding to keep
    bind("check", "-e", "one", "--split-combined", "one.spv")


def test_check_covers_the_chosen_entry_points_only():
    m = module(places=["a 0 0", "both 0 1", "b 0 1", "nobody 3 0", "many 7 0"])
    done = bind("check", "-v", m)
    assert "shares set 0, binding 1" in done.stdout + done.stderr, done
    assert "shares" not in bind("check", "-v", "-e", "one", m).stderr


def test_unused_means_used_by_no_entry_point():
    m = module(places=["many 7 0", "b 6 0"])
    bind("-q", "-e", "one", "--unused=remove", m, "-o", "one.spv", "--layout-json=j")
    assert sorted(json.loads(read("j"))["removed"]) == ["many", "nobody"], read("j")
    assert read_places("one.spv")["b"] == (6, 0)


def test_reports_are_about_the_chosen_entry_points():
    m = module(places=["b 6 0", "many 7 0"])
    text = "".join(bind(verb, "-q", "-e", "one", m).stdout for verb in ("layout", "explain"))
    text += bind("check", "-q", "-e", "one", m, expect=3).stdout
    assert "both" in text and '"b"' not in text and "\nb:" not in text and "6    0" not in text, text


def test_resources_of_other_entry_points_may_lack_set_or_binding():
    """It keeps its decorations, and the module is judged as if the missing ones existed."""
    places = {"both": "OpDecorate %both DescriptorSet 3\nOpDecorate %both Binding 9", "none": "",
              "set": "OpDecorate %set DescriptorSet 5", "binding": "OpDecorate %binding Binding 6",
              **{"none%d" % i: "" for i in range(8)}}
    text = "\n".join(
        ["OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %mine \"mine\"",
         "OpEntryPoint GLCompute %other \"other\"\nOpExecutionMode %mine LocalSize 1 1 1",
         "OpExecutionMode %other LocalSize 1 1 1\nOpName %own \"own\"",
         *('OpName %%%s "%s"' % (n, n) for n in places), *filter(None, places.values()),
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32",
         "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%pointer = OpTypePointer UniformConstant %image",
         *("%%%s = OpVariable %%pointer UniformConstant" % n for n in ["own", *places]),
         "%mine = OpFunction %void None %fn\n%l0 = OpLabel\n%x0 = OpLoad %image %own\nOpReturn\nOpFunctionEnd",
         "%other = OpFunction %void None %fn\n%l1 = OpLabel", *("%%y%s = OpLoad %%image %%%s" % (n, n) for n in places),
         "OpReturn\nOpFunctionEnd\n"])
    running.spirv_as(text, "m.spv")
    for which in ("output", "both"):
        said = running.bind("-e", "mine", "--order=module", "--validate=" + which, "m.spv", "-o", "o.spv").stderr
        assert "error" not in said, said
    done = running.run("spirv-dis", "o.spv", "--no-header").stdout
    got = sorted(re.findall(r"OpDecorate %(\w+) (DescriptorSet|Binding) (\d+)", done))
    assert got == sorted([("own", "DescriptorSet", "0"), ("own", "Binding", "0"), ("both", "DescriptorSet", "3"),
                          ("both", "Binding", "9"), ("set", "DescriptorSet", "5"), ("binding", "Binding", "6")]), got


if __name__ == "__main__":
    running.main(globals())
