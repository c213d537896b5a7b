# SPDX-License-Identifier: Apache-2.0
"""--only and --dump-after: the pipeline in parts, for contributors.

    passes.py --bind B [--only WORD]
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import running  # noqa: E402
from running import FIXTURES, bind, bind_bytes, read, spirv_as, write  # noqa: E402

AFTER_LAYOUT = ("remove-unused", "assign-bindings")


def fixture(name, out="m.spv"):
    path = os.path.join(FIXTURES, name + ".spvasm")
    fixtures.assemble(path, fixtures.header(path)["version"], out)
    return out


def passes():
    """As the message lists them."""
    text = bind("--only=nothing", expect=2).stderr
    return text.split("expected ")[1].split(";")[0].replace(" or ", ", ").split(", ")


def test_the_message_lists_the_passes():
    names = passes()
    assert names[0] == "expand-groups" and names[-1] == "assign-bindings" and len(set(names)) == len(names) > 10, names
    for option in ("--only=lower-handles,nothing", "--only=lower-handles,", "--only=,lower-handles",
                   "--dump-after=nothing", "--dump-after=lower-handles,assign-bindings"):
        stderr = bind(option, expect=2).stderr
        assert all(name in stderr for name in names), stderr
    for name in names:
        bind("--only=" + name, "--dump-after=" + name, fixture("lower-handles/copies"), "-o", "x")


def test_a_dump_is_what_the_passes_up_to_there_write():
    names = passes()
    for name, *options in (["lower-handles/copies"], ["expand-groups/group"],
                           ["split-combined/parameter", "--split-combined"], ["waterfall/switch-case", "--waterfall"]):
        m = fixture(name)
        dumps = []
        for i, last in enumerate(names):
            bind(m, *options, "-o", "out.spv", "--dump-after=" + last)
            dumps.append(read("out.spv.%s.spv" % last))
            if last not in AFTER_LAYOUT:
                bind(m, *options, "-o", "part.spv", "--only=" + ",".join(names[:i + 1]))
                assert read("part.spv") == dumps[-1], (name, last)
        bind(m, *options, "-o", "part.spv", "--only=" + ",".join(names))
        assert read("part.spv") == read("out.spv") == dumps[-1]
        at = names.index(name.split("/")[0])  # the pass that the fixture is about changes it
        assert dumps[at] != (dumps[at - 1] if at else read(m)), name


def test_only_runs_the_passes_it_names_and_no_other():
    m = fixture("lower-handles/copies")
    bind(m, "-o", "x", "--only=split-combined")
    assert read("x") == read(m)  # handles are left, no binding is assigned
    bind(m, "-o", "y", "--only=lower-handles,normalize-handles")
    bind(m, "-o", "z", "--only=normalize-handles,lower-handles")
    assert read("y") == read("z") != read(m)


def test_dumps_stand_beside_the_outputs():
    fixture("lower-handles/copies", "a.spv"), fixture("lower-handles/combined", "b.spv")
    bind("a.spv", "b.spv", "--no-merge", "--out-dir", "d", "--dump-after=lower-handles")
    assert sorted(os.listdir("d")) == ["a.spv", "a.spv.lower-handles.spv", "b.spv", "b.spv.lower-handles.spv"]
    for name in "ab":
        bind(name + ".spv", "-o", "x", "--dump-after=lower-handles")
        assert read("d/%s.spv.lower-handles.spv" % name) == read("x.lower-handles.spv")
    bind("a.spv", "b.spv", "--no-merge", "--out-dir", "e", "--dump-after=lower-handles", "--dry-run")
    assert not os.path.exists("e")


def test_without_an_output_file_the_dump_goes_to_stdout():
    m = fixture("lower-handles/copies")
    bind(m, "-o", "x", "--dump-after=lower-handles")
    for mode in ("--dry-run", "--check"):
        expect = 3 if mode == "--check" else 0
        done = bind_bytes(m, mode, "--dump-after=lower-handles", expect=expect)
        assert done.stdout == read("x.lower-handles.spv"), mode
    fixture("lower-handles/combined", "n.spv")
    for args in ([m, "n.spv", "--dry-run"], [m, "-o", "-"], [m, "--dry-run", "--print-layout"], [m, "--doctor"],
                 [m, "--dry-run", "--layout-json=-"]):
        assert "--dump-after" in bind(*args, "--dump-after=lower-handles", expect=2).stderr, args


def test_a_dump_does_not_overwrite_a_module():
    m = fixture("lower-handles/copies", "m.spv.lower-handles.spv")
    fixture("lower-handles/copies", "m.spv")
    before = read(m)
    for args in (["m.spv", m, "--out-dir=."], [m, "-o", "m.spv"]):
        assert "overwrite" in bind(*args, "--dump-after=lower-handles", expect=2).stderr, args
    assert read(m) == before


def test_a_program_that_is_refused_later_leaves_its_dump():
    final = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %a "a"
OpName %b "b"
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%zero = OpConstant %int 0
%block = OpTypeStruct %float
%vec = OpTypeVector %float 4
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%ptr = OpTypePointer Uniform %block
%ptr_image = OpTypePointer UniformConstant %image
%ptr_float = OpTypePointer Uniform %float
%a = OpVariable %ptr Uniform
%b = OpVariable %ptr_image UniformConstant
%main = OpFunction %void None %fn
%label = OpLabel
%at = OpAccessChain %ptr_float %a %zero
%x = OpLoad %float %at
%y = OpLoad %image %b
OpReturn
OpFunctionEnd
"""
    spirv_as(final, "m.spv", "vulkan1.0")
    assert "[SPB4001]" in bind("m.spv", "-o", "x", "--dump-after=waterfall", expect=1).stderr
    assert sorted(os.listdir(".")) == ["m.spv", "x.waterfall.spv"] and read("x.waterfall.spv") == read("m.spv")
    bind("m.spv", "-o", "y", "--dump-after=assign-bindings", expect=1)  # it does not get there
    assert not os.path.exists("y.assign-bindings.spv")


def test_a_dump_has_the_byte_order_of_the_input():
    m = fixture("lower-handles/copies")
    write("big.spv", fixtures.swap(read(m)))
    bind(m, "-o", "x", "--dump-after=lower-handles")
    bind("big.spv", "-o", "y", "--dump-after=lower-handles")
    assert fixtures.swap(read("y.lower-handles.spv")) == read("x.lower-handles.spv")


def test_a_full_disk_is_an_output_failure():
    m = fixture("lower-handles/copies")
    with open("/dev/full", "wb") as full:
        done = bind_bytes(m, "--dry-run", "--dump-after=lower-handles", stdout=full, expect=4)
    assert b"cannot write" in done.stderr, done


running.main(globals())
