# SPDX-License-Identifier: Apache-2.0
"""Modules of Slang (spirv-fixtures/slang), DXC's heaps (spirv-fixtures/dxc, hand-written), existing heaps, and an
author's array that serves as one.

    real_modules.py --bind B [--only WORD]
"""
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import running  # noqa: E402
from module_text import read_places  # noqa: E402
from running import bind, read, run_bytes, says  # noqa: E402

SLANG = os.path.join(fixtures.FIXTURES, "slang")
DXC = os.path.join(fixtures.FIXTURES, "dxc", "heaps.spvasm")


def assembled(path, out=None):
    out = out or os.path.basename(path)[:-7] + ".spv"
    fixtures.assemble(path, fixtures.header(path)["version"], out)
    return out


def compiled():
    """Slang's output for each source, if it is valid for Vulkan."""
    for source in sorted(glob.glob(os.path.join(SLANG, "*.slang"))):
        # these two have shapes that Vulkan does not accept
        if not source.endswith(("/arrays-of-arrays.slang", "/buffers-chosen.slang")):
            yield assembled(source[:-6] + ".spvasm")


def layout(*args):
    return json.loads(bind("-q", *args, "--out-dir=layout", "--layout-json=-").stdout)


def heaps(j):
    return sorted((h["kind"], h["set"], h["binding"]) for h in j["heaps"])


def places(path):
    """id -> (set, binding)"""
    found = {}
    for id, what, n in re.findall(r"OpDecorate %(\d+) (DescriptorSet|Binding) (\d+)", fixtures.disassemble(path)):
        found.setdefault(int(id), {})[what] = int(n)
    return {id: (f["DescriptorSet"], f["Binding"]) for id, f in found.items()}


def assembly(text, path="m.spv", version="1.5"):
    with open("m.spvasm", "w") as f:
        f.write(text)
    fixtures.assemble("m.spvasm", version, path)
    return path


# Slang

def test_there_are_a_dozen_of_them():
    assert len(list(compiled())) >= 12


def test_modules_without_changes_are_unchanged():
    for m in compiled():
        bind(m, "--nonuniform=keep", "-o", "out.spv")
        assert read("out.spv") == read(m), m
        bind("check", "--nonuniform=keep", m)


def test_a_module_without_arrays_is_unchanged_for_any_marking_option():
    m = assembled(os.path.join(SLANG, "ordinary.spvasm"))
    for mode in ("auto", "explicit", "all", "keep"):
        bind(m, "--nonuniform=" + mode, "-o", "out.spv")
        assert read("out.spv") == read(m), mode


def test_arrays_of_arrays_become_what_vulkan_has():
    m = assembled(os.path.join(SLANG, "arrays-of-arrays.spvasm"))
    assert run_bytes("spirv-val", "--target-env", "vulkan1.2", "-", stdin=fixtures.readable(m), expect=None).returncode
    j = layout(m)
    assert [x["validated"] for x in j["modules"]] == ["validated with shim"]
    found = {b["name"]: (s["set"], b["binding"], b["count"]) for s in j["sets"] for b in s["bindings"]}
    assert found["a.inner.maps"][0] == found["a.inner.sampler"][0] and found["a.inner.maps"][2] == 6, found


def without(text, *patterns):
    return [l for l in text.splitlines() if not any(re.search(p, l) for p in patterns)]


def test_marks_and_capabilities_are_all_that_is_added():
    for m in compiled():
        bind(m, "-o", "out.spv")
        added = (r" NonUniform$", r"OpCapability (ShaderNonUniform|\w+Indexing)$", r"OpCopyObject|OpAccessChain")
        old, new = (without(fixtures.disassemble(p), *added) for p in (m, "out.spv"))
        assert old == new, m
        # and no decoration of Slang is lost
        marks = re.compile(r"OpDecorate (%\d+) NonUniform")
        assert set(marks.findall(fixtures.disassemble(m))) <= set(marks.findall(fixtures.disassemble("out.spv"))), m


def test_only_bindings_change_when_bindings_move():
    for m in compiled():
        for options in (["--rebind=all"], ["--rebind=all,sets"], ["--rebind=all", "--heap-set=5"],
                        ["--rebind=all,sets", "--heap-model=dxc"],
                        ["--heap=texture=9.1", "--heap=ssbo=9.2", "--heap=sampler=9.3"]):
            bind(m, "--nonuniform=keep", *options, "-o", "out.spv")
            old, new = (without(fixtures.disassemble(p), " (Binding|DescriptorSet) ") for p in (m, "out.spv"))
            assert old == new, (m, options)
            assert places("out.spv").keys() == places(m).keys(), (m, options)


def test_the_validator_checks_them():
    for m in compiled():
        assert [x["validated"] for x in layout(m, "--nonuniform=keep")["modules"]] == ["validated with shim"], m


def test_a_fault_is_found_through_the_shim():
    text = read(os.path.join(SLANG, "push-handles.spvasm")).decode()
    m = assembly(text.replace("OpCapability Shader\n", "OpCapability Shader\n OpCapability RayQueryKHR\n", 1))
    assert "SPB6002" in bind(m, "--validate=strict", "-o", "out.spv", expect=1).stderr


DEBUG = """; compiler: Slang
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%1 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %2 "main"
OpExecutionMode %2 LocalSize 1 1 1
%3 = OpString "[shader(\\"compute\\")] void main() {}"
%4 = OpString "a.slang"
OpSource Unknown 1 %4
OpSource Unknown 1
OpName %2 "main"
%5 = OpTypeVoid
%6 = OpTypeFunction %5
%7 = OpTypeInt 32 0
%8 = OpConstant %7 100
%9 = OpConstant %7 5
%10 = OpConstant %7 11
%11 = OpConstant %7 0
%12 = OpConstant %7 1
%13 = OpExtInst %5 %1 DebugSource %4 %3
%14 = OpExtInst %5 %1 DebugCompilationUnit %8 %9 %13 %10
%15 = OpExtInst %5 %1 DebugTypeFunction %11 %5
%16 = OpExtInst %5 %1 DebugFunction %4 %15 %13 %12 %12 %14 %4 %11 %12
%17 = OpExtInst %5 %1 DebugEntryPoint %16 %14 %4 %4
%2 = OpFunction %5 None %6
%18 = OpLabel
%19 = OpExtInst %5 %1 DebugFunctionDefinition %16 %2
%20 = OpExtInst %5 %1 DebugLine %13 %12 %12 %12 %12
OpReturn
OpFunctionEnd
"""


def verdict(m):
    bind(m, "-o", "out.spv", "--layout-json=l.json")
    assert read("out.spv") == read(m)
    return json.loads(read("l.json"))["modules"][0]["validated"]


def test_debug_information_of_slang_passes():
    assert verdict(assembly(DEBUG)) == "validated with shim"


def test_a_capability_that_the_validator_does_not_know():
    m = assembly(DEBUG)
    words = fixtures.words_of(m)
    newer = [2 << 16 | 17, 6427]  # unknown to Debian 12's SPIRV-Tools
    with open("newer.spv", "wb") as f:
        f.write(fixtures.bytes_of(words[:5] + newer + words[5:]))
    assert verdict("newer.spv") == "validated with shim"
    # OpKill for OpReturn, in a compute shader
    bad = [w if i != len(words) - 2 else 1 << 16 | 252 for i, w in enumerate(words)]
    with open("bad.spv", "wb") as f:
        f.write(fixtures.bytes_of(bad[:5] + newer + bad[5:]))
    # it cannot tell whether the capability permits it
    done = bind("--validate=strict", "bad.spv", "-o", "bad.out.spv", expect=1)
    assert "SPB6003" in done.stderr and "6427" in done.stderr, done.stderr
    assert not os.path.exists("bad.out.spv")


# Heaps that are there

def test_views_of_one_binding_are_mutable_in_the_layout():
    j = layout(assembled(os.path.join(SLANG, "push-handles.spvasm")))
    assert heaps(j) == [("sampler", 0, 0), ("ssbo", 0, 2), ("texture", 0, 2)], j["heaps"]
    (binding,) = [b for b in j["sets"][0]["bindings"] if b["binding"] == 2]
    assert binding["descriptorType"] == "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", binding
    assert binding["mutableTypes"] == ["VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE", "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER"], binding
    assert "mutableDescriptorType" in j["modules"][0]["requires"]["vulkanFeatures"]


def test_one_type_alone_is_mutable_if_the_caller_says_so():
    m = assembled(os.path.join(SLANG, "two-stages.spvasm"))
    kinds = lambda *options: [b["descriptorType"][len("VK_DESCRIPTOR_TYPE_"):]
                              for b in layout(m, *options)["sets"][1]["bindings"]]
    assert kinds() == ["SAMPLER", "SAMPLED_IMAGE"], kinds()
    assert kinds("--heap-model=slang") == ["SAMPLER", "MUTABLE_EXT"], kinds("--heap-model=slang")


def test_a_heap_for_each_type_needs_no_mutable_descriptors():
    j = layout(assembled(os.path.join(SLANG, "typed-heaps.spvasm")))
    assert heaps(j) == [("combined", 0, 1), ("image", 0, 3), ("sampler", 0, 0), ("ssbo", 0, 7), ("texture", 0, 2),
                        ("utexbuf", 0, 4)], j["heaps"]
    assert "mutableDescriptorType" not in j["modules"][0]["requires"]["vulkanFeatures"]
    assert heaps(layout("typed-heaps.spv", "--rebind=all,sets")) == heaps(j)  # Slang's table is ours


def test_heaps_keep_their_places():
    for m in compiled():
        for options in ([], ["--rebind=all"], ["--rebind=conflicts"], ["--heap-set=9"], ["--heap-model=mutable"],
                        ["--heap-size=16"], ["--place=*=4.4", "--allow-overlap"] if m == "push-handles.spv" else []):
            assert heaps(layout(m, *options)) == heaps(layout(m)), (m, options)


def test_all_views_of_a_kind_go_to_the_requested_place():
    m = assembled(os.path.join(SLANG, "buffers.spvasm"))
    assert heaps(layout(m, "--heap=ssbo=3.4")) == [("ssbo", 3, 4), ("ubo", 0, 2)]
    bind(m, "--heap=ssbo=3.4", "-o", "out.spv")
    assert sorted(places("out.spv").values()) == [(0, 2)] + 4 * [(3, 4)]
    text = bind(m, "--heap=ssbo=3.4", "--heap=ubo=3.4", "-o", "out.spv", expect=1).stderr
    assert "SPB4001" in text and "MUTABLE" in text, text
    bind(m, "--heap=ssbo=3.4", "--heap=ubo=3.4", "--heap-model=slang", "-o", "out.spv")


def test_heaps_are_reassigned_by_every_table():
    m = assembled(os.path.join(SLANG, "push-handles.spvasm"))
    table = {"typed": [("sampler", 4, 0), ("ssbo", 4, 7), ("texture", 4, 2)],
             "slang": [("sampler", 4, 0), ("ssbo", 4, 2), ("texture", 4, 2)],
             "dxc": [("sampler", 0, 1), ("ssbo", 0, 0), ("texture", 0, 0)]}
    for preset, want in table.items():
        for rebind in ("--rebind=all", "--rebind=all,sets"):
            got = heaps(layout(m, rebind, "--heap-set=4", "--heap-model=" + preset))
            assert got == want, (preset, rebind, got)


def test_the_last_preset_applies():
    m = assembled(os.path.join(SLANG, "push-handles.spvasm"))
    last = lambda *options: heaps(layout(m, "--rebind=all,sets", *options))
    assert last("--heap-model=dxc", "--heap-model=typed") == last()
    assert last("--heap-model=typed", "--heap-model=mutable") == last("--heap-model=slang")


def test_open_resources_make_room_for_a_heap():
    m = assembly(read(os.path.join(SLANG, "guarded.spvasm")).decode())
    before, heap = places(m), [id for id, at in places(m).items() if at[0] == 1]
    assert len(heap) == 1
    bind(m, "--rebind=all", "--heap=texture=0.1", "-o", "out.spv")
    after = places("out.spv")
    assert after[heap[0]] == (0, 1)
    assert sorted(at for id, at in after.items() if id not in heap) == [(0, 0), (0, 2), (0, 3)], (before, after)


SOME = ("buffers.spv", "guarded.spv", "override.spv", "push-handles.spv", "ray-query.spv", "typed-heaps.spv")


def test_a_second_run_changes_nothing():
    """bind(bind(x)) for each heap model, for our heaps and those of Slang and DXC."""
    lower = os.path.join(fixtures.FIXTURES, "lower-handles")
    modules = [m for m in compiled() if m in SOME] + [assembled(DXC), assembled(os.path.join(lower, "mutable.spvasm")),
                                  assembled(os.path.join(lower, "separate.spvasm")),
                                                      assembled(os.path.join(lower, "sized.spvasm"))]
    for m in modules:
        for rebind in ([], ["--rebind=all"], ["--rebind=all,sets"]):
            for model in ([], ["--heap-model=slang"], ["--heap-model=dxc"], ["--heap-size=7"], ["--heap-set=3"],
                          ["--profile=dxc"], ["--heap=texture=2.5", "--heap=sampler=2.6"], ["--rules=hlsl"]):
                if m == "ray-query.spv" and "--heap-size=7" in model:
                    continue
                once = bind(m, *rebind, *model, "-o", "once.spv", "--layout-json=once.json")
                bind("once.spv", *rebind, *model, "-o", "twice.spv", "--layout-json=twice.json")
                assert read("once.spv") == read("twice.spv"), (m, rebind, model, once.stderr)
                a, b = (json.loads(read(x)) for x in ("once.json", "twice.json"))
                assert heaps(a) == heaps(b), (m, rebind, model)
                of = lambda j: [[(b["binding"], b["descriptorType"], b["count"]) for b in s["bindings"]]
                                for s in j["sets"]]
                assert of(a) == of(b), (m, rebind, model)


def test_sized_heaps_keep_their_places_when_everything_is_reassigned():
    """They must not be numbered as resources."""
    m = assembled(os.path.join(fixtures.FIXTURES, "lower-handles", "sized.spvasm"))
    size = "--heap-size=" + re.search(r"heap-size=(\d+)",
                                      read(os.path.join(fixtures.FIXTURES, "lower-handles", "sized.spvasm")).decode())[
                                          1]
    bind(m, size, "--heap-set=6", "-o", "out.spv")
    first = heaps(layout(m, size, "--heap-set=6"))
    assert first and all(h[1] == 6 for h in first)
    for options in (["--rebind=all"], ["--rebind=all", size], ["--rebind=all", "--heap-model=mutable"],
                    ["--heap=as=1.1"]):
        assert heaps(layout("out.spv", *options)) == first, options
    assert heaps(layout("out.spv", "--rebind=all,sets")) == [(k, 0, b) for k, _, b in first]
    assert heaps(layout("out.spv", "--rebind=all", "--heap-set=2")) == [(k, 2, b) for k, _, b in first]


def test_a_lock_holds_them():
    for m in list(compiled()) + [assembled(DXC)]:
        for options in ([], ["--heap=texture=9.9"], ["--rebind=all,sets", "--heap-model=slang"]):
            if os.path.exists("l"):
                os.remove("l")
            bind(m, *options, "--lock=l", "--update-lock", "-o", "out.spv")
            text = read("l")
            bind(m, *options, "--lock=l", "--locked", "-o", "again.spv")
            assert read("again.spv") == read("out.spv"), (m, options)
            bind("out.spv", "--lock=l", "--locked", "-o", "again.spv")
            assert read("again.spv") == read("out.spv"), (m, options)
            bind("out.spv", "--lock=l", "--update-lock", "-o", "again.spv")
            assert read("l") == text, (m, options, text, read("l"))
            lines = text.decode().splitlines()
            assert len(set(lines)) == len(lines)


def test_a_lock_restores_their_places_when_everything_is_open():
    m = assembled(os.path.join(SLANG, "buffers.spvasm"))
    bind(m, "--heap=ssbo=5.6", "--lock=l", "--update-lock", "-o", "out.spv")
    assert b"heap __slang_resource_heap ordinal=7 set=5 binding=6 kind=ssbo count=0\n" in read("l"), read("l")
    assert heaps(layout(m, "--rebind=all,sets", "--lock=l")) == [("ssbo", 5, 6), ("ubo", 0, 2)]


def test_the_counters_of_dxc_are_a_separate_heap():
    m = assembled(DXC)
    assert heaps(layout(m)) == [("counter", 0, 3), ("sampler", 0, 2), ("ssbo", 0, 1), ("texture", 0, 1)]
    assert heaps(layout(m, "--heap=counter=8.8")) == [("counter", 8, 8), ("sampler", 0, 2), ("ssbo", 0, 1),
                                                      ("texture", 0, 1)]
    typed = heaps(layout(m, "--rebind=all,sets"))
    assert typed == [("counter", 1, 9), ("sampler", 1, 0), ("ssbo", 1, 7), ("texture", 1, 2)], typed
    assert heaps(layout(m, "--rebind=all,sets", "--heap-model=slang")) == [("counter", 1, 4), ("sampler", 1, 0),
                                                                            ("ssbo", 1, 2), ("texture", 1, 2)]


def test_the_registers_of_hlsl_do_not_matter_to_them():
    m = assembled(DXC)
    for options in (["--rules=hlsl"], ["--rules=hlsl", "--shift=t=100", "--shift=u=200"],
                    ["--profile=dxc", "--shift=u=200"]):
        assert heaps(layout(m, *options)) == heaps(layout(m)), options


# Programs of several modules

def test_stages_of_one_program_have_one_heap():
    stages = [assembled(os.path.join(SLANG, "stage-%s.spvasm" % s)) for s in ("vertex", "fragment")]
    j = layout(*stages)  # a texture 2D in one, a cube in the other, and the sampler in both
    assert heaps(j) == [("sampler", 1, 0), ("texture", 1, 2)], j["heaps"]
    views = [b for s in j["sets"] if s["set"] == 1 for b in s["bindings"]]
    assert [len(b["views"]) for b in views] == [2, 2], views
    assert len(views[0]["stages"]) == 2, views[0]
    j = layout("--rebind=all,sets", "--heap=texture=6.5", *stages)
    assert heaps(j) == [("sampler", 1, 0), ("texture", 6, 5)], j["heaps"]
    bind("--rebind=all,sets", "--heap=texture=6.5", *stages, "--out-dir=out")
    for path in ("out/stage-vertex.spv", "out/stage-fragment.spv"):
        assert (6, 5) in places(path).values() and (1, 0) in places(path).values(), places(path)


def test_a_view_that_is_alone_in_its_module_is_one_of_the_heap():
    """Slang's __DynamicResource arrays have the author's name: a module may have one view only."""
    all_views = assembled(os.path.join(SLANG, "override.spvasm"))
    assert len(re.findall(r'OpName %\d+ "resources"', fixtures.disassemble(all_views))) == 3
    alone = """; compiler: Slang
OpCapability Shader
OpCapability RuntimeDescriptorArray
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %2 "main" %40
OpExecutionMode %2 LocalSize 1 1 1
OpSource Unknown 1
OpName %40 "resources"
OpDecorate %40 Binding 0
OpDecorate %40 DescriptorSet 10
%5 = OpTypeVoid
%6 = OpTypeFunction %5
%7 = OpTypeFloat 32
%8 = OpTypeImage %7 3D 2 0 0 1 Unknown
%9 = OpTypeRuntimeArray %8
%10 = OpTypePointer UniformConstant %9
%40 = OpVariable %10 UniformConstant
%2 = OpFunction %5 None %6
%18 = OpLabel
OpReturn
OpFunctionEnd
"""
    alone = assembly(alone, "alone.spv")
    assert heaps(layout(alone)) == []  # nothing shows that it is a heap
    for order in ((alone, all_views), (all_views, alone)):
        j = layout(*order)
        assert heaps(j) == [("ssbo", 10, 0), ("texture", 10, 0)], j["heaps"]
        j = layout(*order, "--heap=texture=2.2")
        assert heaps(j) == [("ssbo", 10, 0), ("texture", 2, 2)], j["heaps"]


def test_new_heaps_join_those_that_are_there():
    lower = os.path.join(fixtures.FIXTURES, "lower-handles")
    old, new = assembled(os.path.join(lower, "separate.spvasm")), assembled(os.path.join(lower, "storage-image.spvasm"))
    bind(old, "--heap-set=6", "-o", "bound.spv")
    there = heaps(layout("bound.spv"))
    assert {s for _, s, _ in there} == {6}
    for order in (("bound.spv", new), (new, "bound.spv")):
        assert {s for _, s, _ in heaps(layout(*order))} == {6}, order
        assert {s for _, s, _ in heaps(layout(*order, "--heap-set=4"))} == {6}, order
        assert heaps(layout(*order, "--heap-set=7")) == sorted(there + heaps(layout(new, "--heap-set=7")))
        # those that are there get the length, too
        assert {s for _, s, _ in heaps(layout(*order, "--heap-size=9"))} == {6}, order
    slang = assembled(os.path.join(SLANG, "push-handles.spvasm"))
    assert {s for _, s, _ in heaps(layout(slang, new, "--heap-model=slang"))} == {0}
    assert {s for _, s, _ in heaps(layout(slang, new))} == {0}  # in the mutable one


def test_heaps_of_two_compilers_share_the_requested_place():
    slang = assembled(os.path.join(SLANG, "push-handles.spvasm"))
    dxc = assembled(DXC)
    options = ["--rebind=all,sets", "--heap=texture=3.0", "--heap=sampler=3.1", "--heap=ssbo=3.2"]
    j = layout(slang, dxc, *options)
    assert heaps(j) == [("counter", 1, 9), ("sampler", 3, 1), ("ssbo", 3, 2), ("texture", 3, 0)], j["heaps"]


def test_heaps_of_two_compilers_are_one():
    slang, dxc = (assembled(path) for path in (os.path.join(SLANG, "push-handles.spvasm"), DXC))
    for order in ((slang, dxc), (dxc, slang)):  # DXC's: Slang's samplers are where DXC's module has a uniform buffer
        assert heaps(layout(*order)) == [("counter", 0, 3), ("sampler", 0, 2), ("ssbo", 0, 1), ("texture", 0, 1)], order
        bind(*order, "--out-dir=one")
        bound = ["one/" + os.path.basename(path) for path in order]
        assert not says(bind("check", *bound).stderr, "error SPB4001")
        bind(*bound, "--out-dir=two")
        assert all(read(path) == read(path.replace("one/", "two/")) for path in bound)
    every = assembled(os.path.join(SLANG, "every-kind.spvasm"))
    ours = heaps(layout(every, dxc, "--rules=hlsl"))
    assert {(kind, s, b) for kind, s, b in ours} >= {("sampler", 1, 0), ("texture", 1, 2), ("counter", 0, 3)}, ours
    kept = heaps(layout(every, dxc, "--rules=hlsl", "--heap-set=5"))
    assert {("sampler", 1, 0), ("sampler", 0, 2), ("texture", 1, 2), ("texture", 0, 1)} <= set(kept), kept


# The author's own array

ARRAY = """OpCapability Shader
OpCapability ImageQuery
OpCapability RuntimeDescriptorArray
OpExtension "SPV_KHR_non_semantic_info"
%%1 = OpExtInstImport "NonSemantic.DescriptorHandle"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%2 "main" %%30 %%31%s
OpExecutionMode %%2 LocalSize 1 1 1
OpName %%30 "textures"
OpName %%31 "push"
OpDecorate %%30 DescriptorSet 1
OpDecorate %%30 Binding 2
OpDecorate %%20 Block
OpMemberDecorate %%20 0 Offset 0
%s
%%3 = OpTypeVoid
%%4 = OpTypeFunction %%3
%%5 = OpTypeInt 32 0
%%6 = OpTypeInt 32 1
%%7 = OpTypeVector %%5 2
%%8 = OpTypeFloat 32
%%9 = OpTypeImage %%8 2D 0 0 0 %s
%%10 = OpConstant %%5 16
%%11 = %s
%%12 = OpTypePointer UniformConstant %%11
%%13 = OpConstant %%6 0
%%14 = OpTypePointer UniformConstant %%9
%%20 = OpTypeStruct %%7
%%21 = OpTypePointer PushConstant %%20
%%22 = OpTypePointer PushConstant %%7
%%30 = OpVariable %%12 UniformConstant
%%31 = OpVariable %%21 PushConstant
%%2 = OpFunction %%3 None %%4
%%40 = OpLabel
%%41 = OpAccessChain %%14 %%30 %%13
%%42 = OpLoad %%9 %%41
%%43 = %s %%42
%%44 = OpAccessChain %%22 %%31 %%13
%%45 = OpLoad %%7 %%44
%%46 = OpExtInst %%9 %%1 1 %%45
%%47 = %s %%46
OpReturn
OpFunctionEnd
"""


def own_array(array="OpTypeRuntimeArray %9", decorations="", image=False, listed=""):
    query = "OpImageQuerySize %7" if image else "OpImageQueryLevels %6"
    return assembly(ARRAY % (listed, decorations, "2 R32f" if image else "1 Unknown", array, query, query))


def variables(path):
    return len(re.findall(r"OpVariable %\d+ UniformConstant", fixtures.disassemble(path)))


def test_an_array_at_the_requested_place_is_the_heap():
    own_array()
    bind("m.spv", "--heap=texture=1.2", "-o", "out.spv")
    assert variables("out.spv") == 1 and list(places("out.spv").values()) == [(1, 2)]
    assert len(re.findall(r"OpAccessChain %\d+ %30 ", fixtures.disassemble("out.spv"))) == 2
    assert heaps(layout("m.spv", "--heap=texture=1.2")) == [("texture", 1, 2)]
    for rebind in ("--rebind=all", "--rebind=all,sets", "--place=textures=4.4"):  # heaps are where --heap has them
        bind("m.spv", rebind, "--heap=texture=1.2", "-o", "again.spv")
        assert read("again.spv") == read("out.spv"), rebind
    for rebind in ("--rebind=missing", "--rebind=all", "--rebind=all,sets", "--place=textures=4.4"):
        bind("out.spv", rebind, "--heap=texture=1.2", "-o", "again.spv")
        assert read("again.spv") == read("out.spv"), rebind
    assert heaps(layout("out.spv", "--heap=texture=1.2")) == [("texture", 1, 2)]


def test_elsewhere_it_is_not():
    own_array()
    for options in ([], ["--heap=texture=1.3"], ["--heap=image=1.2"]):
        bind("m.spv", *options, "-o", "out.spv")
        assert variables("out.spv") == 2 and len(set(places("out.spv").values())) == 2, options


TYPES = """#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_nonuniform_qualifier : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(set = 1, binding = 2) uniform texture2D level[];
layout(set = 1, binding = 5) uniform %s[];
layout(push_constant) uniform Push { DescriptorHandle a, b, c; uint i; } p;
layout(set = 0, binding = 0) buffer Out { vec4 o[]; };
void main() {
  o[0] = texelFetch(handle_texture2D(p.a), ivec2(0), 0) + vec4(textureSize(%s, 0).x);
  o[1] = %s + texelFetch(level[p.i], ivec2(0), 0);
}
"""


def test_a_kind_may_have_several_places():
    """Each for the type of the array that is there; other types go to the last one."""
    include = "-I" + os.path.join(running.ROOT, "include", "glsl")
    places = ["--heap=texture=1.2", "--heap=texture=1.5"]
    for second, used, last in (("textureCube round", "round[p.i]", "vec4(textureSize(handle_textureCube(p.b), 0).x)"),
                               ("textureCube round", "round[p.i]", "texelFetch(handle_texture3D(p.b), ivec3(0), 0)")):
        running.write("t.comp", TYPES % (second, used, last))
        running.run("glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.2", include, "t.comp", "-o", "t.spv")
        bind("t.spv", *places, "-o", "out.spv")
        wanted = {"level": (1, 2), "round": (1, 5)}
        if "3D" in last:
            wanted["heap_texture_3D_float"] = (1, 5)
        named = read_places("out.spv")
        assert {name: place for name, place in named.items() if place[0] == 1} == wanted, named
    running.write("t.comp", TYPES % ("texture2D other", "other[p.i]", "vec4(0)"))
    running.run("glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.2", include, "t.comp", "-o", "t.spv")
    text = bind("t.spv", *places, "-o", "out.spv", expect=1).stderr
    assert "SPB4037" in text and "set 1, binding 2" in text and "set 1, binding 5" in text, text
    assert heaps(layout("t.spv", places[0])) == [("texture", 1, 2)]


def test_an_array_of_another_length_is_refused():
    own_array("OpTypeArray %9 %10")
    text = bind("m.spv", "--heap=texture=1.2", "-o", "out.spv", expect=1).stderr
    assert "SPB4001" in text and '"textures"' in text, text
    bind("m.spv", "--heap=texture=1.2", "--heap-size=16", "-o", "out.spv")
    assert variables("out.spv") == 1
    bind("m.spv", "--heap=texture=1.2", "--heap-size=15", "-o", "out.spv", expect=1)


def test_qualified_accesses_get_a_separate_view():
    for decoration in ("NonWritable", "NonReadable", "Coherent", "Volatile", "Restrict", "Aliased"):
        own_array(image=True, decorations="OpDecorate %30 " + decoration)
        bind("m.spv", "--heap=image=1.2", "-o", "out.spv")
        assert variables("out.spv") == 2 and set(places("out.spv").values()) == {(1, 2)}, decoration
    own_array(image=True)
    bind("m.spv", "--heap=image=1.2", "-o", "out.spv")
    assert variables("out.spv") == 1


def test_an_entry_point_lists_it_once():
    own_array()
    bind("m.spv", "--heap=texture=1.2", "-o", "out.spv")
    (line,) = re.findall(r"OpEntryPoint.*", fixtures.disassemble("out.spv"))
    assert line.split().count("%30") == 1, line


def test_arrays_of_several_types_are_views_where_heaps_are_mutable():
    text = """OpCapability Shader
OpCapability RuntimeDescriptorArray
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %2 "main" %30 %31
OpExecutionMode %2 LocalSize 1 1 1
OpName %30 "textures"
OpName %31 "images"
OpDecorate %30 DescriptorSet 0
OpDecorate %30 Binding 2
OpDecorate %31 DescriptorSet 0
OpDecorate %31 Binding 2
%3 = OpTypeVoid
%4 = OpTypeFunction %3
%8 = OpTypeFloat 32
%9 = OpTypeImage %8 2D 0 0 0 1 Unknown
%10 = OpTypeImage %8 2D 0 0 0 2 R32f
%11 = OpTypeRuntimeArray %9
%12 = OpTypeRuntimeArray %10
%13 = OpTypePointer UniformConstant %11
%14 = OpTypePointer UniformConstant %12
%30 = OpVariable %13 UniformConstant
%31 = OpVariable %14 UniformConstant
%2 = OpFunction %3 None %4
%40 = OpLabel
OpReturn
OpFunctionEnd
"""
    assembly(text)
    assert says(bind("m.spv", "-o", "out.spv").stderr, "warning SPB4001"), "the interface lists both"
    (s,) = layout("m.spv", "--heap-model=mutable")["sets"]
    assert s["bindings"][0]["descriptorType"] == "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", s
    assert len(s["bindings"][0]["mutableTypes"]) == 2


# A custom corpus

def test_a_corpus_of_sources_and_one_of_modules():
    os.makedirs("given/deep")
    running.write("given/lit.vert", "#version 450\nvoid main() { gl_Position = vec4(0); }\n")
    running.write("given/deep/two.shader_test", """[require]
GLSL >= 1.50
[vertex shader]
#version 150
uniform mat4 turn;
in vec4 at;
void main() { gl_Position = turn * at; }
[fragment shader]
#version 150
uniform vec4 tint;
out vec4 color;
void main() { color = tint; }
[test]
draw rect -1 -1 2 2
""")
    running.write("given/wrong.frag", "this is not a shader\n")
    make = [sys.executable, os.path.join(running.ROOT, "scripts", "make_corpus.py")]
    said = running.run(*make, "given", "corpus", "--compile", "glslangValidator -V -R --aml --amb --quiet").stdout
    assert said == "3 valid\n", said
    with open("corpus/modules.tsv") as f:
        rows = f.read().splitlines()[1:]
    names = sorted(row.split("\t")[0] for row in rows)
    assert names == ["deep/two.frag.spv", "deep/two.vert.spv", "lit.vert.spv"], rows
    assert {row.split("\t")[2] for row in rows} == {"vulkan1.0"}, rows
    said = running.run(sys.executable, os.path.join(running.HERE, "corpora.py"), "--bind", running.BIND,
                       "--corpora", "corpus").stdout
    assert "program default: 1 done" in said, said
    running.run(*make, "corpus", "again")
    with open("again/modules.tsv") as f:
        assert sorted(f.read().splitlines()[1:]) == sorted(rows)
    os.mkdir("program")
    with open("program/a.out", "wb") as f:
        f.write(b"\x7fELF\x03\x02\x23\x07" + b"".join(read("corpus/" + name) + bytes(7) for name in names))
    assert running.run(*make, "program", "inside", "--embedded").stdout == "3 valid\n"
    with open("inside/modules.tsv") as f:
        assert {row.split("\t")[4] for row in f.read().splitlines()[1:]} == {row.split("\t")[4] for row in rows}


if __name__ == "__main__":
    running.main(globals())
