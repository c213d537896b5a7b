# SPDX-License-Identifier: Apache-2.0
"""The verb pass and --dump-after: the pipeline in parts, for contributors; and passes case by case.

    passes.py --bind B [--only WORD]
"""
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import running  # noqa: E402
from running import FIXTURES, bind, bind_bytes, read, read_text, spirv_as, write  # noqa: E402

AFTER_LAYOUT = ("remove-unused", "assign-bindings")


def fixture(name, out="m.spv"):
    path = os.path.join(FIXTURES, name + ".spvasm")
    fixtures.assemble(path, fixtures.header(path)["version"], out)
    return out


def passes():
    """As the message lists them."""
    text = bind("pass", "nothing", expect=2).stderr
    return text.split("expected ")[1].split(";")[0].replace(" or ", ", ").split(", ")


def test_the_message_lists_the_passes():
    names = passes()
    rows = read_text(os.path.join(running.ROOT, "src/pass/pipeline.c"))
    assert names == re.findall(r'(?m)^    \{"([\w-]+)", spb_pass_', rows), names
    assert len(set(names)) == len(names) > 10, names
    for words in (["pass", "lower-handles,nothing"], ["pass", "lower-handles,"], ["pass", ",lower-handles"],
                  ["--dump-after=nothing"], ["--dump-after=lower-handles,assign-bindings"]):
        stderr = bind(*words, expect=2).stderr
        assert all(name in stderr for name in names), stderr
    for name in names:
        bind("pass", name, "--dump-after=" + name, fixture("lower-handles/copies"), "-o", "x")


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
                bind("pass", ",".join(names[:i + 1]), m, *options, "-o", "part.spv")
                assert read("part.spv") == dumps[-1], (name, last)
        bind("pass", ",".join(names), m, *options, "-o", "part.spv")
        assert read("part.spv") == read("out.spv") == dumps[-1]
        at = names.index(name.split("/")[0])  # the pass that the fixture is about changes it
        assert dumps[at] != (dumps[at - 1] if at else read(m)), name


def test_only_runs_the_passes_it_names_and_no_other():
    m = fixture("lower-handles/copies")
    bind("pass", "split-combined", m, "-o", "x")
    assert read("x") == read(m)  # handles are left, no binding is assigned
    bind("pass", "lower-handles,normalize-handles", m, "-o", "y")
    bind("pass", "normalize-handles,lower-handles", m, "-o", "z")
    assert read("y") == read("z") != read(m)


def test_dumps_are_written_next_to_the_outputs():
    fixture("lower-handles/copies", "a.spv"), fixture("lower-handles/combined", "b.spv")
    bind("a.spv", "b.spv", "--policy=option merge=no", "--out-dir", "d", "--dump-after=lower-handles")
    assert sorted(os.listdir("d")) == ["a.spv", "a.spv.lower-handles.spv", "b.spv", "b.spv.lower-handles.spv"]
    for name in "ab":
        bind(name + ".spv", "-o", "x", "--dump-after=lower-handles")
        assert read("d/%s.spv.lower-handles.spv" % name) == read("x.lower-handles.spv")


def test_unknown_capability_numbers_are_accepted():
    """Acceleration structures have no capability for indexing arrays, for which our table has this number."""
    text = read_text(os.path.join(FIXTURES, "descriptor-heap/capabilities.spvasm"))
    for old, new in (("OpCapability Shader", "OpCapability Shader\nOpCapability !0xFFFFFFFF"),
                     ("%texel = OpTypeImage %float Buffer 0 0 0 1 Unknown", "%texel = OpTypeAccelerationStructureKHR"),
                     ("%xt = OpImageFetch %v4 %t %u0", "")):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    write("m.spvasm", text)
    fixtures.assemble("m.spvasm", "1.5", "m.spv")
    bind("m.spv", "-o", "o.spv", "--heap-model=descriptor-heap", "--validate=none")
    assert b"\x11\0\x02\0\xff\xff\xff\xff" in read("o.spv")
    assert b"\x11\0\x02\0" + (29).to_bytes(4, "little") in read("m.spv")  # SampledImageArrayDynamicIndexing
    assert b"\x11\0\x02\0" + (29).to_bytes(4, "little") not in read("o.spv")


def test_modules_refused_before_the_pass_have_no_dump():
    fixture("lower-handles/copies", "a.spv"), fixture("invalid/handle-flow", "b.spv")
    bind("a.spv", "b.spv", "--policy=option merge=no", "--out-dir", "d", "--dump-after=lower-handles",
         "--validate=none", expect=1)
    assert os.listdir("d") == ["a.spv.lower-handles.spv"], os.listdir("d")


def test_without_an_output_file_the_dump_goes_to_stdout():
    m = fixture("lower-handles/copies")
    bind(m, "-o", "x", "--dump-after=lower-handles")
    assert bind_bytes(m, "--dump-after=lower-handles").stdout == read("x.lower-handles.spv")
    fixture("lower-handles/combined", "n.spv")
    for args in ([m, "n.spv"], [m, "-o", "-"], [m, "--layout-json=-"], ["check", m]):
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


MANY = (("--rebind=all", "--accesses"), ("check", "--unused=remove", "--order=name", "-v"),
        ("--rules=hlsl", "--rebind=conflicts", "--split-combined"), ("--lock=lock", "--update-lock", "--allow-overlap"))


def program(copies, options):
    """The results of a program of so many copies of m.spv: messages, sets, and distinct modules."""
    names = ["copy%d.spv" % i for i in range(copies)]
    for name in names:
        write(name, read("m.spv"))
    for path in glob.glob("out/*") + glob.glob("lock") + glob.glob("layout.json"):
        os.remove(path)
    writes = () if "check" in options else ("--layout-json=layout.json", "--out-dir=out")
    done = bind(*options, *writes, *names, expect=None)
    said = {re.sub(r"copy\d+|\d+ (modules|resources in all)", "N", line)
            for line in (done.stdout + done.stderr).splitlines()}
    sets = json.loads(read_text("layout.json"))["sets"] if os.path.exists("layout.json") else []
    for binding in (b for s in sets for b in s["bindings"]):
        binding["views"] = [{**view, "module": ""} for view in binding.get("views", [])][:1]
    return done.returncode, said, sets, {read(path) for path in glob.glob("out/*")}


def test_many_modules_share_memory_and_are_bound_as_two_are():
    """Their indexes are freed with the layout, so later code, messages included, has to request them."""
    seen = set()
    for kind in ("assign-bindings", "decorate-nonuniform", "invalid", "lower-handles", "remove-unused"):
        for i, path in enumerate(sorted(p for _, p in fixtures.fixtures(kind))[::9]):
            fixtures.assemble(path, fixtures.header(path)["version"], "m.spv")
            two, many = program(2, MANY[i % len(MANY)]), program(40, MANY[i % len(MANY)])
            assert two == many, (path, MANY[i % len(MANY)], two[:2], many[:2])
            seen.add(two[0])
    assert {0, 1} <= seen, seen


def test_a_full_disk_is_an_output_failure():
    m = fixture("lower-handles/copies")
    with open("/dev/full", "wb") as full:
        done = bind_bytes(m, "--dump-after=lower-handles", stdout=full, expect=4)
    assert b"cannot write" in done.stderr, done


# A function that takes handles and device addresses is copied, and a pointer into a buffer is recomputed where it is
# used: up to a limit.

COPIED = """OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
%%set = OpExtInstImport "NonSemantic.DescriptorHandle"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %%main "main" %%pc
OpExecutionMode %%main LocalSize 1 1 1
OpDecorate %%Block Block
OpMemberDecorate %%Block 0 Offset 0
OpDecorate %%PC Block
OpMemberDecorate %%PC 0 Offset 0
OpMemberDecorate %%PC 1 Offset 8
%%void = OpTypeVoid
%%fnvoid = OpTypeFunction %%void
%%uint = OpTypeInt 32 0
%%ulong = OpTypeInt 64 0
%%v2uint = OpTypeVector %%uint 2
%%u0 = OpConstant %%uint 0
%%u1 = OpConstant %%uint 1
%(types)s
%%pBlock = OpTypePointer PhysicalStorageBuffer %%Block
%%pu = OpTypePointer PhysicalStorageBuffer %%uint
%%PC = OpTypeStruct %%v2uint %%ulong
%%ppc = OpTypePointer PushConstant %%PC
%%pph = OpTypePointer PushConstant %%v2uint
%%ppl = OpTypePointer PushConstant %%ulong
%%ff = OpTypeFunction %%void%(parameters)s
%%pc = OpVariable %%ppc PushConstant
%%main = OpFunction %%void None %%fnvoid
%%entry = OpLabel
%%hp = OpAccessChain %%pph %%pc %%u0
%%h = OpLoad %%v2uint %%hp
%%ap = OpAccessChain %%ppl %%pc %%u1
%%a = OpLoad %%ulong %%ap
%%p = OpExtInst %%pBlock %%set 2 %%h
%%q = OpConvertUToPtr %%pBlock %%a
%(body)s
OpReturn
OpFunctionEnd
%(functions)s
"""


def copied(parameters, calls, in_main=0, in_function=0):
    """A function called in so many ways; the sizes of it and of the rest, with so many OpNop."""
    body = ["%%r%d = OpFunctionCall %%void %%f %s" % (k, " ".join("%p" if k >> i & 1 else "%q" for i in range(
        parameters))) for k in range(calls)]
    function = ["%f = OpFunction %void None %ff"] + ["%%x%d = OpFunctionParameter %%pBlock" % i for i in range(
        parameters)] + ["%fl = OpLabel"] + ["OpNop"] * in_function
    for i in range(parameters):
        function += ["%%c%d = OpAccessChain %%pu %%x%d %%u0" % (i, i), "OpStore %%c%d %%u1 Aligned 4" % i]
    spirv_as(COPIED % {"types": "%Block = OpTypeStruct %uint", "parameters": " %pBlock" * parameters,
                       "body": "\n".join(body + ["OpNop"] * in_main),
                       "functions": "\n".join(function + ["OpReturn", "OpFunctionEnd"])}, "m.spv", "spv1.5")
    words = fixtures.words_of("m.spv")
    length = len(words) - max(at for at in fixtures.instructions(words) if words[at] & 0xFFFF == 54)
    return length, len(words) - length


def bound(*options):
    done = bind("-q", "m.spv", "-o", "out.spv", *options, expect=None)
    assert done.returncode in (0, 1), done.stderr
    return done.stderr if done.returncode else ""


def test_a_function_is_copied_for_64_combinations_at_most():
    for calls in (63, 64, 65):
        copied(7, calls)
        assert ("more than 64 combinations" in bound()) == (calls == 65), calls


def test_copies_of_functions_make_a_module_16_times_as_large_at_most():
    """63 copies of F words, where there are R others: 63 F are allowed to be 16 (R + F) + 65536."""
    length, others = copied(6, 64)
    for excess in (0, 1):
        more = next(n for n in range(47) if (16 * (others + n) + 65536 + excess) % 47 == 0)
        wanted = (16 * (others + more) + 65536 + excess) // 47
        assert copied(6, 64, more, wanted - length) == (wanted, others + more)
        assert 63 * wanted - 16 * (wanted + others + more) - 65536 == excess
        assert ("more than 16 times as large" in bound()) == (excess == 1), excess


def chains(blocks):
    """A pointer through 250 arrays, used in so many blocks: each makes its own chain."""
    types = ["%a0 = OpTypeStruct %uint"]
    notes = ["OpMemberDecorate %a0 0 Offset 0"]
    for i in range(1, 251):
        types.append("%%a%d = OpTypeStruct %%a%d" % (i, i - 1))
        notes.append("OpMemberDecorate %%a%d 0 Offset 0" % i)
    body = ["%c = OpAccessChain %pu %p" + " %u0" * 252]
    for i in range(blocks):
        body += ["OpBranch %%b%d" % i, "%%b%d = OpLabel" % i, "OpStore %c %u1 Aligned 4"]
    text = COPIED % {"types": "\n".join(types) + "\n%Block = OpTypeStruct %a250", "parameters": "", "functions": "",
                     "body": "\n".join(body)}
    spirv_as(text.replace("OpDecorate %Block", "\n".join(notes) + "\nOpDecorate %Block", 1), "m.spv", "spv1.5")


def test_chains_into_buffers_make_a_module_16_times_as_large_at_most():
    for blocks in (500, 1000):
        chains(blocks)
        said = bound("--validate=none")
        assert ("copying chains of access chains" in said) == (blocks == 1000), (blocks, said)


SHARING = """
OpCapability Shader
OpCapability DemoteToHelperInvocationEXT
OpCapability ImageQuery
OpCapability ShaderNonUniform
OpExtension "SPV_EXT_demote_to_helper_invocation"
OpExtension "SPV_KHR_non_semantic_info"
OpExtension "SPV_AMD_shader_trinary_minmax"
%set = OpExtInstImport "NonSemantic.DescriptorHandle"
%three = OpExtInstImport "SPV_AMD_shader_trinary_minmax"
%glsl = OpExtInstImport "GLSL.std.450"
%say = OpExtInstImport "NonSemantic.Remarks"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %input %helper %front VARIABLES
OpExecutionMode %main OriginUpperLeft
%file = OpString "a.frag"
OpDecorate %input Location 0
OpDecorate %input Flat
OpDecorate %helper BuiltIn HelperInvocation
OpDecorate %front BuiltIn FrontFacing
OpDecorate %words ArrayStride 4
OpDecorate %Block Block
OpDecorate %Fresh Block
OpDecorate %Push Block
OpMemberDecorate %Block 0 Offset 0
OpMemberDecorate %Fresh 0 Offset 0
OpMemberDecorate %Fresh 0 Coherent
OpMemberDecorate %Push 0 Offset 0
OpDecorate %Fixed Block
OpMemberDecorate %Fixed 0 Offset 0
OpMemberDecorate %Fixed 0 NonWritable
OpDecorate %Moving Block
OpMemberDecorate %Moving 0 Offset 0
OpMemberDecorate %Moving 1 Offset 4
OpMemberDecorate %Moving 1 Volatile
OpDecorate %Both Block
OpMemberDecorate %Both 0 Offset 0
OpMemberDecorate %Both 1 Offset 8
OpDecorate %volatile Volatile
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %other DescriptorSet 0
OpDecorate %other Binding 1
OpDecorate %fresh DescriptorSet 0
OpDecorate %fresh Binding 2
OpDecorate %volatile DescriptorSet 0
OpDecorate %volatile Binding 3
OpDecorate %fixed DescriptorSet 0
OpDecorate %fixed Binding 5
OpDecorate %moving DescriptorSet 0
OpDecorate %moving Binding 6
OpDecorate %coherent DescriptorSet 0
OpDecorate %coherent Binding 7
OpDecorate %uniform DescriptorSet 0
OpDecorate %uniform Binding 8
OpDecorate %coherent Coherent
OpDecorate %store DescriptorSet 0
OpDecorate %store Binding 4
%void = OpTypeVoid
%fnvoid = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%v2uint = OpTypeVector %uint 2
%v2int = OpTypeVector %int 2
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u7 = OpConstant %uint 7
%acquire = OpConstant %uint 66
%f0 = OpConstant %float 0
%u2 = OpConstant %uint 2
%xy = OpConstantComposite %v2int %i0 %i0
%v4zero = OpConstantComposite %v4float %f0 %f0 %f0 %f0
%words = OpTypeRuntimeArray %uint
%Block = OpTypeStruct %words
%Fresh = OpTypeStruct %words
%Push = OpTypeStruct %uint
%Fixed = OpTypeStruct %words
%Moving = OpTypeStruct %uint %uint
%moving2 = OpTypeArray %Moving %u2
%Both = OpTypeStruct %v2uint %uint
%Parts = OpTypeStruct %float %int
%pBlock = OpTypePointer StorageBuffer %Block
%pFresh = OpTypePointer StorageBuffer %Fresh
%pPush = OpTypePointer PushConstant %Push
%pFixed = OpTypePointer StorageBuffer %Fixed
%pMoving2 = OpTypePointer StorageBuffer %moving2
%pBoth = OpTypePointer Uniform %Both
%fnuint = OpTypeFunction %uint
%su = OpTypePointer StorageBuffer %uint
%pu = OpTypePointer Private %uint
%pf = OpTypePointer Private %float
%pi = OpTypePointer Private %int
%p2 = OpTypePointer Private %v2uint
%uu = OpTypePointer Uniform %uint
%u2u = OpTypePointer Uniform %v2uint
%cu = OpTypePointer PushConstant %uint
%iu = OpTypePointer Input %uint
%ib = OpTypePointer Input %bool
%img = OpTypeImage %float 2D 0 0 0 2 Rgba32f
%pimg = OpTypePointer UniformConstant %img
%buffer = OpVariable %pBlock StorageBuffer
%other = OpVariable %pBlock StorageBuffer
%fresh = OpVariable %pFresh StorageBuffer
%volatile = OpVariable %pBlock StorageBuffer
%store = OpVariable %pimg UniformConstant
%fixed = OpVariable %pFixed StorageBuffer
%moving = OpVariable %pMoving2 StorageBuffer
%coherent = OpVariable %pBlock StorageBuffer
%uniform = OpVariable %pBoth Uniform
%pair = OpVariable %p2 Private
%whole = OpVariable %pi Private
%front = OpVariable %ib Input
%push = OpVariable %pPush PushConstant
%own = OpVariable %pu Private
%own2 = OpVariable %pu Private
%real = OpVariable %pf Private
%input = OpVariable %iu Input
%helper = OpVariable %ib Input
%tex = OpTypeImage %float 2D 0 0 0 1 Unknown
%main = OpFunction %void None %fnvoid
%entry = OpLabel
CALLS
OpReturn
OpFunctionEnd
%nothing = OpFunction %void None %fnvoid
%nl = OpLabel
OpReturn
OpFunctionEnd
%given = OpFunction %uint None %fnuint
%gl = OpLabel
OpReturnValue %u7
OpFunctionEnd
""".replace("VARIABLES", " ".join(
    "%" + name for name in
    "buffer other fresh volatile store push own own2 real fixed moving coherent uniform pair whole".split()))
# How the first and the second handle are read into %x@, where @ is the number of the case and the side, a or b
BUFFER = "%p@ = OpAccessChain %su %buffer %i0 %u7\n%x@ = OpLoad %uint %p@"
OWN = "%x@ = OpLoad %uint %own"
PUSH = "%p@ = OpAccessChain %cu %push %i0\n%x@ = OpLoad %uint %p@"
INPUT = "%x@ = OpLoad %uint %input"
BARE = "%x@ = OpIAdd %uint %u7 %u7"
ELSEWHERE = "%q@ = OpAccessChain %su %other %i0 %u0\n"
WRITE = "%s@ = OpLoad %img %store\nOpImageWrite %s@ %xy %v4zero"
UNIFORM = "%p@ = OpAccessChain %uu %uniform %i1\n%x@ = OpLoad %uint %p@"
LOADED = "%s@ = OpLoad %img %store\n"
# The memory, what happens between the two reads, with %x@a for the first value, and whether one load is enough
SHARED = [
    (BUFFER, "", True), (OWN, "", True), (PUSH, "", True), (INPUT, "", True), (BARE, "", True),
    (BUFFER, "OpStore %own %u0", True), (BUFFER, "OpStore %p@a %u0", False),
    (BUFFER, ELSEWHERE + "OpStore %q@ %u0", False), # may be a view of the same memory
    (BUFFER, WRITE, False), (OWN, WRITE, True), (OWN, "OpStore %own %u0", False), (OWN, "OpStore %own2 %u0", True),
    (OWN, ELSEWHERE + "OpStore %q@ %u0", True), (OWN, ELSEWHERE + "OpStore %q@ %u0 Aligned 4", True),
    (OWN, ELSEWHERE + "OpStore %q@ %u0 Volatile", False), (OWN, "%c@ = OpCopyObject %pu %own\nOpStore %c@ %u0", False),
    (OWN, "OpCopyMemory %own2 %own", False), # not looked into
    (OWN, "%c@ = OpFunctionCall %void %nothing", False), (PUSH, "%c@ = OpFunctionCall %void %nothing", True),
    (OWN, ELSEWHERE + "%c@ = OpAtomicIAdd %uint %q@ %u1 %u0 %u7", False),
    (PUSH, ELSEWHERE + "%c@ = OpAtomicIAdd %uint %q@ %u1 %u0 %u7", True),
    (BUFFER, "OpMemoryBarrier %u1 %acquire", False), (BUFFER, "OpDemoteToHelperInvocationEXT", False),
    (BUFFER, "%c@ = OpExtInst %float %glsl FMin %f0 %f0", True),
    (BUFFER, "%c@ = OpExtInst %float %glsl Modf %f0 %real", False),
    (BUFFER, "%c@ = OpExtInst %void %say 1 %x@a", True), (BUFFER, "OpLine %file 1 1\nOpNoLine", True),
    (BUFFER, "%c@ = OpVectorShuffle %v2uint %h@a %h@a 1 0", True),
    (BUFFER, "%c@ = OpIAdd %uint %u1 %u7\n%d@ = OpULessThan %bool %c@ %u7", True),
    (BUFFER, "OpBranch %b@\n%b@ = OpLabel", False), (PUSH, "OpBranch %b@\n%b@ = OpLabel", False),
    (BUFFER + " Volatile", "", False), (BUFFER + " Aligned 4", "", True), (BUFFER + " Aligned|Volatile 4", "", False),
    ("%p@ = OpAccessChain %su %fresh %i0 %u7\n%x@ = OpLoad %uint %p@", "", False),
    ("%p@ = OpAccessChain %su %volatile %i0 %u7\n%x@ = OpLoad %uint %p@", "", False),
    ("%l@ = OpLoad %bool %helper\n%x@ = OpSelect %uint %l@ %u1 %u7", "", False),
    ("%q@ = OpCopyObject %uint %u7\n%p@ = OpAccessChain %su %buffer %i0 %q@\n%x@ = OpLoad %uint %p@", "", True),
    # memory of each kind
    (UNIFORM, "", True), (UNIFORM, "OpStore %own %u0", True), (UNIFORM, ELSEWHERE + "OpStore %q@ %u0", False),
    (UNIFORM, WRITE, False), (PUSH, WRITE, True), (PUSH, ELSEWHERE + "OpStore %q@ %u0", True),
    (PUSH, ELSEWHERE + "OpStore %q@ %u0 Volatile", True), (INPUT, "%c@ = OpFunctionCall %void %nothing", False),
    (INPUT, "OpStore %own %u0", True), (INPUT, WRITE, True), (INPUT, ELSEWHERE + "OpStore %q@ %u0", True),
    ("%p@ = OpAccessChain %su %fixed %i0 %u7\n%x@ = OpLoad %uint %p@", "", True),
    ("%p@ = OpAccessChain %su %coherent %i0 %u7\n%x@ = OpLoad %uint %p@", "", False),
    ("%p@ = OpAccessChain %su %moving %i0 %i0\n%x@ = OpLoad %uint %p@", "", False), # the block of an array's element
    # choices, and so Booleans, are not shared, since HelperInvocation would need care
    ("%l@ = OpLoad %bool %front\n%x@ = OpSelect %uint %l@ %u1 %u7", "", False),
    # what an index is computed with
    ("%p@ = OpInBoundsAccessChain %su %buffer %i0 %u7\n%x@ = OpLoad %uint %p@", "", True),
    ("%c@ = OpCopyObject %pu %own\n%x@ = OpLoad %uint %c@", "", True),
    ("%c@ = OpCopyObject %pu %own\n%x@ = OpLoad %uint %c@", "OpStore %own %u7", False),
    ("%l@ = OpLoad %v2uint %pair\n%x@ = OpCompositeExtract %uint %l@ 1", "", True),
    (("%l@ = OpLoad %v2uint %pair\n%x@ = OpCompositeExtract %uint %l@ 0",
      "%l@ = OpLoad %v2uint %pair\n%x@ = OpCompositeExtract %uint %l@ 1"), "", False),
    ("%l@ = OpLoad %v2uint %pair\n%m@ = OpVectorShuffle %v2uint %l@ %l@ 1 0\n%x@ = OpCompositeExtract %uint %m@ 1", "",
     True),
    (("%l@ = OpLoad %v2uint %pair\n%m@ = OpVectorShuffle %v2uint %l@ %l@ 1 0\n%x@ = OpCompositeExtract %uint %m@ 1",
      "%l@ = OpLoad %v2uint %pair\n%m@ = OpVectorShuffle %v2uint %l@ %l@ 1 1\n%x@ = OpCompositeExtract %uint %m@ 1"),
     "", False),
    ((BUFFER, BUFFER.replace("%u7", "%u1")), "", False), ((OWN, OWN.replace("own", "own2")), "", False),
    (("%x@ = OpIAdd %uint %u7 %u1", "%x@ = OpISub %uint %u7 %u1"), "", False),
    (("%x@ = OpISub %uint %u7 %u1", "%x@ = OpISub %uint %u1 %u7"), "", False),
    ("%l@ = OpLoad %uint %own\n%m@ = OpLoad %uint %own2\n%x@ = OpBitwiseXor %uint %l@ %m@", "OpStore %own2 %u0", False),
    ("%d@ = OpDPdx %float %f0\n%x@ = OpConvertFToU %uint %d@", "", False),
    ("%x@ = OpFunctionCall %uint %given", "", False),
    (LOADED + "%y@ = OpImageRead %v4float %s@ %xy\n%e@ = OpCompositeExtract %float %y@ 0\n"
     "%x@ = OpConvertFToU %uint %e@", "", False),
    # instructions that write nothing, and those that may
    (BUFFER, LOADED + "%y@ = OpImageRead %v4float %s@ %xy", True),
    (BUFFER, LOADED + "%c@ = OpImageQuerySize %v2int %s@", True),
    (BUFFER, "%c@ = OpArrayLength %uint %other 0", True),
    (BUFFER, "%c@ = OpCopyObject %uint %x@a", True), (BUFFER, "%c@ = OpCompositeInsert %v2uint %u1 %h@a 0", True),
    (BUFFER, "%c@ = OpBitcast %int %u1", True), (BUFFER, "%c@ = OpSelect %uint %true %u1 %u7", True),
    (BUFFER, "%c@ = OpDPdx %float %f0", True), (BUFFER, "%c@ = OpLoad %uint %own", True),
    (BUFFER, "%c@ = OpExtInst %Parts %glsl FrexpStruct %f0", True),
    (BUFFER, "%c@ = OpExtInst %float %glsl Frexp %f0 %whole", False),
    (BUFFER, "%c@ = OpExtInst %uint %three UMin3AMD %u0 %u1 %u7", False), # of an unknown set
    (BUFFER, ELSEWHERE + "%c@ = OpAtomicLoad %uint %q@ %u1 %u0", False),
    (BUFFER, "OpCopyMemory %own2 %own", False), (OWN, "OpStore %own2 %u0 Nontemporal", False),
    (OWN, "%c@ = OpAccessChain %su %other %i0 %u1", True),
]


def sharing_case(k, read_it, between):
    lines = []
    reads = (read_it, read_it) if isinstance(read_it, str) else read_it
    for side, read_it in zip("ab", reads):
        lines += [line.replace("@", "%d%s" % (k, side)) for line in (
            read_it, "%h@ = OpCompositeConstruct %v2uint %x@ %u0", "%t@ = OpExtInst %tex %set 1 %h@",
            "%v@ = OpImageFetch %v4float %t@ %xy")]
        lines += [between.replace("@", str(k))] if side == "a" else []
    return "%%case%d = OpFunction %%void None %%fnvoid\n%%begin%d = OpLabel\n%s\nOpReturn\nOpFunctionEnd\n" % (
        k, k, "\n".join(lines))


def test_equal_loads_are_shared_unless_memory_may_have_changed():
    calls = "\n".join("%%r%d = OpFunctionCall %%void %%case%d" % (k, k) for k in range(len(SHARED)))
    spirv_as(SHARING.replace("CALLS", calls) + "".join(
        sharing_case(k, read_it, between) for k, (read_it, between, _) in enumerate(SHARED)), "m.spv", "spv1.5")
    bind("-q", "m.spv", "-o", "out.spv")
    written = running.run("spirv-dis", "--raw-id", "--no-header", "out.spv").stdout
    image = re.search(r"(%\d+) = OpTypeImage %\d+ 2D 0 0 0 1 Unknown", written)[1]
    functions = written.split(" = OpFunction ")[4:]  # main and what is called come before
    assert len(functions) == len(SHARED)
    wrong = []
    for function, (read_it, between, shared) in zip(functions, SHARED):
        assert function.count("OpImageFetch") == 2, function
        loads = len(re.findall(r"= OpLoad %s " % image, function))
        if loads != (1 if shared else 2):
            wrong.append("%d loads of the texture: %s; %s\n%s" % (loads, read_it, between, function))
    assert not wrong, "\n".join(wrong)


def test_remaining_ids_take_over_the_marks_of_removed_ones():
    cases = ["", "a", "b", "ab"]  # which of the two handles the author marks
    marks = "".join("OpDecorate %%h%d%s NonUniform\n" % (k, side) for k, sides in enumerate(cases) for side in sides)
    calls = "\n".join("%%r%d = OpFunctionCall %%void %%case%d" % (k, k) for k in range(len(cases)))
    text = SHARING.replace("CALLS", calls).replace("OpDecorate %store DescriptorSet",
                                                   marks + "OpDecorate %store DescriptorSet")
    spirv_as(text + "".join(sharing_case(k, BARE, "") for k in range(len(cases))), "m.spv", "spv1.5")
    bind("-q", "m.spv", "-o", "out.spv", "--nonuniform=keep")
    written = running.run("spirv-dis", "--raw-id", "--no-header", "out.spv").stdout
    marked = re.findall(r"OpDecorate (%\d+) NonUniform", written)
    for function, sides in zip(written.split(" = OpFunction ")[4:], cases):
        made = re.findall(r"(%\d+) = OpCompositeConstruct", function)
        assert len(made) == 1 and marked.count(made[0]) == int(bool(sides)), (sides, made, marked, function)


running.main(globals())
