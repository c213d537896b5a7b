# SPDX-License-Identifier: Apache-2.0
"""Which accesses share a waterfall loop, and where the instructions between them go.

    waterfall.py --bind B [--only WORD]

All non-constant indexes differ here (--nonuniform=all). Each output is judged by spirv-val."""
import itertools
import os
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import bind, read, run, spirv_as  # noqa: E402
from spirv_text import instructions, words_of  # noqa: E402
from uniformity_values import MODULE, WORKGROUP  # noqa: E402

CAPABILITIES = """OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformShuffle
OpCapability InterpolationFunction
OpCapability VariablePointersStorageBuffer
OpExtension "SPV_KHR_non_semantic_info"
%glsl = OpExtInstImport "GLSL.std.450"
%cl = OpExtInstImport "OpenCL.std"
%remarks = OpExtInstImport "NonSemantic.X"
"""
DECLARATIONS = """%float = OpTypeFloat 32
%f1 = OpConstant %float 1
%pfloat = OpTypePointer Function %float
%order = OpConstant %uint 0x48
%acquire = OpConstant %uint 0x42
%private = OpTypePointer Private %uint
%own = OpVariable %private Private
%pshared = OpTypePointer Workgroup %uint
%shared = OpVariable %pshared Workgroup
%ppuint = OpTypePointer Function %puint
"""
VARIABLES = """%x = OpVariable %local Function
%y = OpVariable %local Function
%v = OpVariable %local2 Function
%fx = OpVariable %pfloat Function
%pointer = OpVariable %ppuint Function"""
NOTHING = "%nop = OpFunction %void None %fnvoid\n%b_nop = OpLabel\nOpReturn\nOpFunctionEnd"
LOOP_MERGE, LABEL, BROADCAST = 246, 248, 338


def read_by(name, index="%lane", memory=""):
    return "%%c%s = OpAccessChain %%puint %%bufs %s %%u0\n%%v%s = OpLoad %%uint %%c%s %s\n" % (name, index, name, name,
                                                                                         memory)


def stored(value):
    return "%%cb = OpAccessChain %%puint %%bufs %%lane %%u0\nOpStore %%cb %s\n" % value


def warned(body, declarations="", decorations="", capabilities="", strings="", judged=True, option="--waterfall",
           first="", functions=""):
    """The number of loops, and the messages about accesses that keep their decoration."""
    text = MODULE.format(body=body, capabilities=first + CAPABILITIES + capabilities, decorations=decorations,
                         declarations=DECLARATIONS + declarations, variables=VARIABLES, functions=NOTHING + functions,
                         mode=WORKGROUP + strings, model="GLCompute")
    said = bind(option, "--nonuniform=all", "--validate=none", spirv_as(text, "m.spv", "spv1.3"), "-o",
                "o.spv").stderr
    if judged:
        run("spirv-val", "--target-env", "spv1.3", "o.spv")
    return ([op for op, _ in instructions(words_of(read("o.spv")))].count(LOOP_MERGE),
            [line for line in said.splitlines() if "[SPB5101]" in line and "keep" in line])


def made(body, *args, **more):
    """The number of loops, and of accesses that keep their decoration."""
    loops, lines = warned(body, *args, **more)
    return loops, sum(int((re.findall(r"(\d+) more accesses keep", line) or [1])[0]) for line in lines)


def place_of(opcode):
    """The position of the first such instruction, relative to the first loop."""
    place, merge = "before", None
    for op, operands in instructions(words_of(read("o.spv"))):
        if op == LOOP_MERGE and not merge:
            place, merge = "inside", operands[0]
        elif op == LABEL and operands[0] == merge:
            place = "behind"
        elif op == opcode:
            return place
    return "nowhere"


def check(rows):
    wrong = []
    for *texts, wanted in rows:
        body = "".join(texts)
        got = made(body)[0]
        if got != wanted:
            wrong.append("%d loops, not %d:\n%s" % (got, wanted, body))
    assert not wrong, "\n".join(wrong)


def test_an_index_that_is_loaded_again():
    """An index that is read again is the same if nothing can have written its memory."""
    def anew(pointer, between="", other=None):
        return (read_by("a", "%i").join(("%%i = OpLoad %%uint %s\n" % pointer, between + "\n")) +
                "%%k = OpLoad %%uint %s\n" % (other or pointer) + read_by("b", "%k"))

    kept, parts = "OpStore %x %lane\n", "%p0 = OpAccessChain %local %v %u0\n%p1 = OpAccessChain %local %v %u1\n"
    check([
        (kept, anew("%x"), 1), (anew("%x"), 1), (kept, anew("%x", "OpStore %x %lane"), 1),
        (kept, anew("%x", "OpStore %x %same"), 2), (kept, anew("%x", "OpStore %y %same"), 1),
        (kept, anew("%x", "OpStore %own %same"), 1), (kept, anew("%x", "OpStore %pout0 %same"), 1),
        (kept, anew("%x", "OpMemoryBarrier %u2 %u0"), 2), ("OpStore %own %lane\n", anew("%own"), 1),
        (anew("%own"), 1), (anew("%own", "OpStore %own %lane"), 2), (anew("%own", "OpStore %x %lane"), 1),
        (anew("%own", "%r = OpFunctionCall %void %nop"), 2), (anew("%psame"), 1),
        (anew("%psame", "OpStore %pout0 %u1"), 1), (anew("%lane_in", "OpStore %x %u1"), 1), (anew("%pro"), 2),
        (anew("%shared"), 2), (anew("%psame", other="%pother"), 2),
        ("OpStore %v %mixed\n", parts, anew("%p1"), 1), ("OpStore %v %mixed\n", parts, anew("%p1", other="%p0"), 2),
        ("OpStore %v %mixed\n", parts, anew("%p1", "OpStore %p0 %u1"), 2),
        ("OpStore %v %mixed\n", parts, anew("%p1", "OpStore %x %u1"), 1)])


def test_an_index_that_is_computed_again():
    """An index that is computed again is the same if the same instruction computes it from the same values."""
    def two(first, second, before=""):
        return (before, "%i = " + first + "\n", read_by("a", "%i"), "%k = " + second + "\n", read_by("b", "%k"))

    add, copy = "OpIAdd %uint %lane %u1", "OpCopyObject %uint "
    check([
        (*two(add, add), 1), (*two(add, "OpIAdd %uint %u1 %lane"), 2), (*two(add, "OpIAdd %uint %lane %u2"), 2),
        (*two(add, "OpISub %uint %lane %u1"), 2), (*two(copy + "%lane", copy + "%lane"), 1),
        (*two(copy + "%lane", copy + "%same"), 2), (*two(add, copy + "%i"), 1), (*two(add, copy + "%lane"), 2),
        (*two("OpCompositeExtract %uint %mixed 1", "OpCompositeExtract %uint %mixed 1"), 1),
        (*two("OpCompositeExtract %uint %mixed 1", "OpCompositeExtract %uint %mixed 0"), 2),
        (*two("OpUndef %uint", "OpUndef %uint"), 2),
        (*two("OpGroupNonUniformBroadcastFirst %uint %u3 %lane", "OpGroupNonUniformBroadcastFirst %uint %u3 %lane"),
        2),
        (*two("OpIMul %uint %s %u2", "OpIMul %uint %t %u2", "%s = " + add + "\n%t = " + add + "\n"), 1),
        (*two("OpIMul %uint %s %u2", "OpIMul %uint %t %u2", "%s = " + add + "\n%t = " + copy + "%lane\n"), 2),
        (read_by("a"), read_by("b"), 1), (read_by("a"), read_by("b", "%same"), 2),
        (read_by("a"), "%k = OpIAdd %uint %va %u1\n", read_by("b", "%k"), 2)])


def test_instructions_allowed_in_between():
    """Instructions that order or synchronise separate two accesses, and so do unknown ones."""
    first, second, glsl = read_by("a"), read_by("b"), "%z = OpExtInst %float %glsl "
    group = "%z = OpGroupNonUniform"
    rows = [(first, between + "\n", second, loops) for between, loops in (
        ("", 1), ("OpStore %pout0 %lane", 1), ("OpStore %pout0 %va", 1), ("OpControlBarrier %u2 %u2 %u0", 2),
        ("OpMemoryBarrier %u2 %u0", 2), ("OpCopyMemory %x %pout0", 2), ("%z = OpFunctionCall %void %nop", 2),
        ("%z = OpUndef %uint", 1), (glsl + "Sqrt %f1", 1), (glsl + "Modf %f1 %fx", 2), (glsl + "Frexp %f1 %x", 2),
        (glsl + "Fma %f1 %f1 %f1", 1), ("%z = OpExtInst %float %cl cos %f1", 2),
        ("%z = OpExtInst %void %remarks 1 %f1", 1), (group + "BroadcastFirst %uint %u3 %same", 1),
        (group + "BroadcastFirst %uint %u3 %va", 1), (group + "Shuffle %uint %u3 %lane %u1", 1),
        (group + "IAdd %uint %u3 Reduce %lane", 1), (group + "Elect %bool %u3", 2),
        *[("%z = " + text % semantics, 1 if semantics == "%u0" else 2)
          for semantics in ("%u0", "%order") for text in (
              "OpAtomicIAdd %%uint %%pout0 %%u1 %s %%u1", "OpAtomicExchange %%uint %%pout0 %%u1 %s %%u1",
              "OpAtomicCompareExchange %%uint %%pout0 %%u1 %s %%u0 %%u1 %%u0",
              "OpAtomicOr %%uint %%shared %%u2 %s %%u1")],
        ("%z = OpAtomicLoad %uint %pout0 %u1 %u0", 1), ("%z = OpAtomicLoad %uint %pout0 %u1 %acquire", 2),
        ("%z = OpAtomicCompareExchange %uint %pout0 %u1 %acquire %acquire %u1 %u0", 2),
        ("%z = OpAtomicCompareExchange %uint %pout0 %u1 %u0 %acquire %u1 %u0", 2),
        ("OpAtomicStore %pout0 %u1 %u0 %u3", 1),
        *[("%z = OpLoad %uint %pout0 " + how, loops) for how, loops in MEMORY],
        *[("OpStore %x %lane " + how, loops) for how, loops in MEMORY],
        *[("".join("%%m%d = OpIAdd %%uint %%lane %%u%d\n" % (i, i % 4) for i in range(count)), 1 if count < 254 else 2)
          for count in (200, 253, 254, 300)])]
    for of_kernels in ("%z = OpAtomicFlagTestAndSet %bool %pout0 %u1 %u0", "OpAtomicFlagClear %pout0 %u1 %u0",
                       "%z = OpAtomicCompareExchangeWeak %uint %pout0 %u1 %u0 %u0 %u1 %u0"):
        assert made(first + of_kernels + "\n" + second, judged=False) == (2, 0), of_kernels
    rows += [(read_by("a", memory=how), second, loops) for how, loops in MEMORY]
    rows += [(first, read_by("b", memory=how), loops) for how, loops in MEMORY]
    check(rows)


MEMORY = (("None", 1), ("Volatile", 2), ("Aligned 4", 1), ("Nontemporal", 1), ("Volatile|Aligned 4", 2),
          ("Aligned|Nontemporal 4", 1))


def test_instructions_that_the_next_access_needs():
    """It goes before the loop if it can, otherwise inside, where the result of the first access is. A subgroup
    operation is executed by all invocations together, or separates the loops."""
    add, load, store, broadcast, atomic, divide = 128, 61, 62, 338, 234, 134
    for between, value, opcode, place in (
            ("%q = OpIAdd %uint %same %u1", "%q", add, "before"), ("%q = OpIAdd %uint %va %u1", "%q", add, "inside"),
            ("%q = OpIAdd %uint %va %u1", "%u1", add, "behind"), ("%q = OpIAdd %uint %same %u1", "%u1", add, "behind"),
            ("%q = OpUDiv %uint %same %other", "%q", divide, "before"), ("%q = OpUDiv %uint %va %other", "%q", divide,
                                                                         "inside"),
            ("%q = OpGroupNonUniformBroadcastFirst %uint %u3 %va", "%u1", broadcast, "inside"),
            ("%q = OpAtomicIAdd %uint %pout0 %u1 %u0 %u1", "%q", atomic, "inside"),
            ("%q = OpAtomicIAdd %uint %pout0 %u1 %u0 %u1", "%u1", atomic, "inside"),
            ("OpStore %pout0 %u3", "%u1", store, "inside"), ("OpStore %x %u3", "%u1", store, "inside"),
            ("OpStore %x %u3\n%q = OpLoad %uint %x", "%q", store, "inside")):
        loops = made(read_by("a") + between + "\n" + stored(value))[0]
        assert (loops, place_of(opcode)) == (1, place), (between, value, loops, place_of(opcode))
    check([
        (read_by("a"), "%q = OpGroupNonUniformBroadcastFirst %uint %u3 %va\n", stored("%q"), 2),
        (read_by("a"), "%q = OpGroupNonUniformBroadcastFirst %uint %u3 %same\n", stored("%q"), 1),
        (read_by("a"), "%q = OpLoad %uint %pout0\n", stored("%q"), 1),
        (read_by("a"), "OpStore %x %va\n%q = OpLoad %uint %x\n", stored("%q"), 1),
        (read_by("a"), "OpStore %x %va\nOpStore %x %u1\n%q = OpLoad %uint %x\n", stored("%q"), 1),
        (read_by("a"), "OpStore %x %va\n%q = OpLoad %uint %x\nOpStore %x %u1\n", stored("%q"), 1),
        *[(read_by("a"), "%m = OpIAdd %uint %va %u1\n", "".join(
            "%%m%d = OpIAdd %%uint %s %%u1\n" % (i, "%%m%d" % (i - 1) if i else "%m") for i in range(count)),
           stored("%%m%d" % (count - 1)), 1 if count < 253 else 2) for count in (1, 252, 253)]])


def test_an_instruction_with_two_predecessors():
    """It is one access, by the indexes of both; later accesses have separate loops."""
    paths = "%c = OpAccessChain %puint %bufs {} %u0\n%d = OpAccessChain %puint %bufs {} %u0\n"
    both, barrier = choose("0", read_by("a"), read_by("b")), "OpMemoryBarrier %u2 %u0\n"
    for indexes in (("%lane", "%same"), ("%lane", "%lane"), ("%lane", "%u1"), ("%u1", "%lane")):
        ways = paths.format(*indexes)
        check([(ways, "OpCopyMemory %c %d\n", 1), (ways, "OpCopyMemory %c %d\n", barrier, read_by("z"), 2),
               (ways, "OpCopyMemory %c %d\n", barrier, both, barrier, read_by("z"), 4),
               (ways, "OpCopyMemory %c %d\n", barrier, "OpCopyMemory %d %c\n", 2)])


def test_a_pointer_that_is_stored_and_loaded():
    """It keeps its decoration at both; other accesses have their loops."""
    store = "%s = OpAccessChain %puint %bufs %lane %u0\nOpStore %pointer %s\n"
    load = "%l = OpLoad %puint %pointer\n%through = OpLoad %uint %l\n"
    a, b, barrier = read_by("a"), read_by("b"), "OpMemoryBarrier %u2 %u0\n"
    for body, wanted in ((store, (0, 0)), (store + load, (0, 2)), (a + store + load, (1, 2)),
                         (store + load + barrier + b, (1, 2)), (a + store + barrier + b + load, (2, 2)),
                         (store + load + store.replace("%s", "%t"), (0, 3))):
        assert made(body) == wanted, (made(body), body)


def test_texels_that_are_ordered():
    """Ordered for other invocations: such an access separates others."""
    image = """%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%pImage = OpTypePointer UniformConstant %Image
%image = OpVariable %pImage UniformConstant
%uvec4 = OpTypeVector %uint 4
%four = OpConstantNull %uvec4
"""
    for text, loops in (
            ("%z = OpImageRead %uvec4 %i %alike", 1), ("%z = OpImageRead %uvec4 %i %alike NonPrivateTexel", 2),
            ("%z = OpImageRead %uvec4 %i %alike VolatileTexel", 2),
            ("%z = OpImageRead %uvec4 %i %alike MakeTexelVisible|NonPrivateTexel %u2", 2),
            ("%z = OpImageRead %uvec4 %i %alike MakeTexelVisible %u2", 2),
            ("OpImageWrite %i %alike %four MakeTexelAvailable %u2", 2), ("OpImageWrite %i %alike %four", 1),
            ("OpImageWrite %i %alike %four NonPrivateTexel", 2), ("OpImageWrite %i %alike %four VolatileTexel", 2)):
        got = made(read_by("a") + "%i = OpLoad %Image %image\n" + text + "\n" + read_by("b"), image, decorations=(
            "OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 9"), judged=False)
        assert got == (loops, 0), (text, got)


def test_cases_that_drivers_get_wrong():
    """With --waterfall=lengths lengths of buffers go into loops, with --waterfall=drivers atomics of buffers, too."""
    texel = """%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%images = OpTypeArray %Image %u9
%pimages = OpTypePointer UniformConstant %images
%pimage = OpTypePointer UniformConstant %Image
%ptexel = OpTypePointer Image %uint
%image = OpVariable %pimages UniformConstant
%list = OpTypeRuntimeArray %uint
%Long = OpTypeStruct %uint %list
%longs = OpTypeArray %Long %u9
%plongs = OpTypePointer StorageBuffer %longs
%plong = OpTypePointer StorageBuffer %Long
%long = OpVariable %plongs StorageBuffer
"""
    place = "%c = OpAccessChain %puint %bufs %lane %u0\n"
    for body, counts in ((place + "%w = OpLoad %uint %c", (1, 0, 0)), (place + "OpStore %c %u1", (1, 0, 0)),
                         (place + "%w = OpAtomicIAdd %uint %c %u1 %u0 %u1", (1, 0, 1)),
                         (place + "OpAtomicStore %c %u1 %u0 %u1", (1, 0, 1)),
                         ("%c = OpAccessChain %plong %long %lane\n%w = OpArrayLength %uint %c 1", (1, 1, 1)),
                         ("%c = OpAccessChain %pimage %image %lane\n%t = OpImageTexelPointer %ptexel %c %alike %u0\n"
                          "%w = OpAtomicIAdd %uint %t %u1 %u0 %u1", (1, 0, 0))):
        for option, loops in zip(("--waterfall", "--waterfall=lengths", "--waterfall=drivers"), counts):
            got = made(body, texel, judged=False, option=option, decorations=(
                "OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 9\nOpDecorate %long DescriptorSet 0\n"
                "OpDecorate %long Binding 8\nOpDecorate %Long Block\nOpMemberDecorate %Long 0 Offset 0\n"
                "OpMemberDecorate %Long 1 Offset 4\nOpDecorate %list ArrayStride 4"))
            assert got[0] == loops, (body, option, got)


def choose(name, left, right=None, behind="", condition="%odd"):
    arm = "%%%s%s = OpLabel\n%sOpBranch %%met%s\n"
    text = "OpSelectionMerge %%met%s None\nOpBranchConditional %s %%left%s %%%s%s\n" % (
        name, condition, name, "met" if right is None else "right", name)
    text += arm % ("left", name, left, name)
    text += arm % ("right", name, right, name) if right is not None else ""
    return text + "%%met%s = OpLabel\n%s" % (name, behind)


def test_blocks_have_separate_loops():
    """Values that are equal in one loop are computed again in the next."""
    a, b, z = (read_by(name) for name in "abz")
    check([(choose("0", a, b), 2), (choose("0", a + read_by("c"), b), 2), (z, choose("0", a), 2),
           (choose("0", a, behind=z), 2), (z, choose("0", ""), read_by("y"), 2),
           (choose("0", a, b, "%p = OpPhi %uint %va %left0 %vb %right0\nOpStore %pout0 %p\n"), 2)])


def test_memory_that_is_volatile():
    """With volatile memory anywhere that others can reach, no accesses share a loop."""
    both = read_by("a") + read_by("b")
    for decoration, loops in (("", 1), ("OpMemberDecorate %Out 0 Volatile", 2), ("OpMemberDecorate %Buf 0 Volatile",
        2),
                              ("OpDecorate %ro Volatile", 2), ("OpDecorate %lane_in Volatile", 1),
                              ("OpDecorate %ro Coherent", 1), ("OpMemberDecorate %Out 0 Coherent", 1)):
        assert made(both, decorations=decoration) == (loops, 0), decoration


DEBUG = """%u100 = OpConstant %uint 100
%source = OpExtInst %void %dbg DebugSource %file %text
%unit = OpExtInst %void %dbg DebugCompilationUnit %u100 %u2 %source %u2
%type = OpExtInst %void %dbg DebugTypeFunction %u0 %void
%function = OpExtInst %void %dbg DebugFunction %file %type %source %u1 %u1 %unit %file %u0 %u1
"""


def test_lines_and_scopes_are_repeated():
    """Lines and scopes are repeated in the iteration, and after the loop, if they are in effect there; but only once at
    its end."""
    scope, line, no_scope, no_line, by_line = 23, 103, 24, 104, "OpLine %file 3 1\n"
    say = {scope: "DebugScope %function", line: "DebugLine %source %u3 %u3 %u1 %u1", no_scope: "DebugNoScope",
           no_line: "DebugNoLine"}
    a, both = read_by("a"), choose("0", read_by("a"), read_by("b"))
    for parts, wanted in (
            ((scope, a), {scope: 3}), ((scope, line, a), {scope: 3, line: 3}), ((scope, line, no_scope, a), {scope: 1,
                                                                                line: 3, no_scope: 1}),
            ((scope, line, no_line, a), {scope: 3, line: 1, no_line: 1}), ((by_line, a), {"OpLine": 3}),
            ((by_line, "OpNoLine\n", a), {"OpLine": 1, "OpNoLine": 1}), ((a, scope), {scope: 1}),
            ((scope, "%z0 = OpExtInst %float %glsl Acosh %f1\n%z1 = OpExtInst %float %glsl Atanh %f1\n", a),
             {scope: 3}),
            ((scope, both, scope), {scope: 2}), ((both, scope), {scope: 1}), ((by_line, both, by_line), {"OpLine": 2}),
            ((both, line), {line: 1})):
        body = "".join(part if isinstance(part, str) else "%%d%d = OpExtInst %%void %%dbg %s\n" % (i, say[part])
                       for i, part in enumerate(parts))
        assert made(body, DEBUG, capabilities='%dbg = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"\n',
                    strings='\n%file = OpString "a.comp"\n%text = OpString ""') == (2 if both in parts else 1, 0), body
        found, imported = {}, None
        for op, operands in instructions(words_of(read("o.spv"))):
            if op == 11 and struct.pack("<3I", *operands[1:4]) == b"NonSemantic.": # OpExtInstImport
                imported = operands[0] if len(operands) > 5 else imported
            kind = {8: "OpLine", 317: "OpNoLine"}.get(op)
            if op == 12 and operands[2] == imported and operands[3] in say: # OpExtInst
                kind = operands[3]
            if kind:
                found[kind] = found.get(kind, 0) + 1
        assert found == wanted, (body, found)


def many(count, name="m"):
    return "".join("%%%s%d = OpIAdd %%uint %%lane %%u%d\n" % (name, i, i % 4) for i in range(count))


def test_distance_limit_for_sharing_a_loop():
    """256 instructions from one access to the next, and 1024 for all accesses of a block, not counting those before the
    first."""
    a, b = read_by("a"), read_by("b")
    spaced = [read_by("r%d" % i) + many(250, "k%d_" % i) for i in range(6)]
    check([(*spaced[:5], 1), (*spaced, 2),
           (many(300), a, many(200, "n"), b, 1), (many(900), a, many(200, "n"), b, 1)])


NARROW = (("%small", "OpTypeInt 8 0", "UniformAndStorageBuffer8BitAccess", "Int8"),
          ("%short", "OpTypeInt 16 0", "StorageUniformBufferBlock16", "Int16"),
          ("%half", "OpTypeFloat 16", "StorageUniformBufferBlock16", "Float16"))
OF_NARROW = {"itself": "", "%pair": "%pair = OpTypeVector {0} 2", "%four": "%four = OpTypeArray {0} %u9",
             "%one": "%one = OpTypeStruct %uint {0}",
             "%two": "%inner = OpTypeStruct {0}\n%two = OpTypeStruct %uint %inner"}


def test_types_that_may_only_be_stored_and_converted():
    """Values of such types, and of types that contain them, cannot leave a loop, unless a capability makes them
    ordinary types."""
    capabilities = [row[3] for row in NARROW]
    for (name, what, storage, ordinary), (part, declared), capability in itertools.product(
            NARROW, OF_NARROW.items(), capabilities):
        loaded = name if part == "itself" else part
        text = """{name} = {what}
{declared}
%Narrow = OpTypeStruct {loaded}
%narrow3 = OpTypeArray %Narrow %u3
%pnarrow3 = OpTypePointer StorageBuffer %narrow3
%pnarrow = OpTypePointer StorageBuffer {loaded}
%narrow = OpVariable %pnarrow3 StorageBuffer
""".format(name=name, what=what, declared=declared.format(name), loaded=loaded)
        got = made("%c = OpAccessChain %pnarrow %narrow %lane %u0\n%w = OpLoad " + loaded + " %c", text, judged=False,
                   first="OpCapability %s\nOpCapability %s\n" % (storage, capability), decorations=(
                       "OpDecorate %Narrow Block\nOpMemberDecorate %Narrow 0 Offset 0\nOpDecorate %narrow "
                       "DescriptorSet 0\nOpDecorate %narrow Binding 8"))
        assert got == ((1, 0) if capability == ordinary else (0, 1)), (name, part, capability, got)


def test_paths_that_are_too_long():
    """Such accesses keep their decoration, and a warning names each, or how many more there are."""
    def chains(count, text):
        return "%c0 = OpAccessChain %pbuf %bufs %lane\n" + "".join(
            "%%c%d = %s %%pbuf %%c%d\n" % (i, text, i - 1) for i in range(1, count)) + (
            "%%cz = OpAccessChain %%puint %%c%d %%u0\n%%vz = OpLoad %%uint %%cz\n" % (count - 1))

    select = ("%%c%d = OpAccessChain %%puint %%bufs %%lane %%u0\n%%s%d = OpSelect %%puint %%even %%c%d %%pro\n"
              "%%v%d = OpLoad %%uint %%s%d\n")
    for body, wanted in ((chains(31, "OpAccessChain"), (1, 0)), (chains(32, "OpAccessChain"), (0, 1)),
                         (chains(62, "OpCopyObject"), (1, 0)), (chains(63, "OpCopyObject"), (0, 1)),
                         *[("".join(select % ((i,) * 5) for i in range(count)), (0, count))
                           for count in (1, 8, 9, 20)]):
        assert made(body) == wanted, (made(body), body)
        lines = warned(body)[1]
        more = max(0, wanted[1] - 8)
        assert len(lines) == min(wanted[1], 8) + (more > 0), lines
        assert all(line.startswith("m.spv:1:1: warning: ") for line in lines), lines
        assert ["%d more" % more in line for line in lines] == [False] * min(wanted[1], 8) + [True] * (more > 0), lines


def test_which_indexes_select():
    """An index into an array of arrays of descriptors, which is flat by then. An index into an array within a buffer
    that is an argument selects none: the buffer may differ, which only the caller knows."""
    declarations = """%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%images = OpTypeArray %Image %u3
%images2 = OpTypeArray %images %u3
%pimages2 = OpTypePointer UniformConstant %images2
%pimages = OpTypePointer UniformConstant %images
%pimage = OpTypePointer UniformConstant %Image
%image = OpVariable %pimages2 UniformConstant
%uvec4 = OpTypeVector %uint 4
%numbers = OpTypeArray %uint %u9
%pnumbers = OpTypePointer StorageBuffer %numbers
%Within = OpTypeStruct %numbers
%withins = OpTypeArray %Within %u9
%pwithins = OpTypePointer StorageBuffer %withins
%within = OpVariable %pwithins StorageBuffer
%fnreads = OpTypeFunction %uint %pnumbers %uint
%Plain = OpTypeStruct %uint
%plains = OpTypeArray %Plain %u9
%pplains = OpTypePointer StorageBuffer %plains
%Around = OpTypeStruct %plains
%arounds = OpTypeArray %Around %u9
%parounds = OpTypePointer StorageBuffer %arounds
%around = OpVariable %parounds StorageBuffer
%fnplain = OpTypeFunction %uint %pplains %uint
%fnarray = OpTypeFunction %uint %pbufs %uint
"""
    reads = """
%NAME = OpFunction %uint None KIND
%where = OpFunctionParameter POINTER
%number = OpFunctionParameter %uint
%b_NAME = OpLabel
%element = OpAccessChain %puint %where %number{}
%found = OpLoad %uint %element
OpReturnValue %found
OpFunctionEnd"""
    call_ = "%p = OpAccessChain %{} %u0\n%r = OpFunctionCall %uint %{}_of %p %{}\n"
    functions = {"numbers": ("%fnreads", "%pnumbers", ""), "plains": ("%fnplain", "%pplains", " %u0"),
                 "blocks": ("%fnarray", "%pbufs", " %u0")}
    decorations = """OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 9
OpDecorate %within DescriptorSet 0
OpDecorate %within Binding 10
OpDecorate %numbers ArrayStride 4
OpDecorate %Within Block
OpMemberDecorate %Within 0 Offset 0
OpDecorate %around DescriptorSet 0
OpDecorate %around Binding 11
OpDecorate %plains ArrayStride 4
OpMemberDecorate %Plain 0 Offset 0
OpDecorate %Around Block
OpMemberDecorate %Around 0 Offset 0"""
    read_it = "%i = OpLoad %Image %p\n%r = OpImageRead %uvec4 %i %alike\n"
    for body, wanted, compared in (
            ("%p = OpAccessChain %pimage %image %lane %u1\n" + read_it, (1, 0), 1),
            ("%p = OpAccessChain %pimage %image %u1 %lane\n" + read_it, (1, 0), 1),
            ("%p = OpAccessChain %pimage %image %other %lane\n" + read_it, (1, 0), 1),
            (call_.format("pnumbers %within %lane", "numbers", "lane"), (0, 1), 0),
            (call_.format("pnumbers %within %lane", "numbers", "u1"), (0, 1), 0),
            (call_.format("pnumbers %within %u1", "numbers", "lane"), (0, 0), 0),
            (call_.format("pplains %around %lane", "plains", "lane"), (0, 1), 0),
            (call_.format("pplains %around %u1", "plains", "lane"), (0, 0), 0),
            ("%r = OpFunctionCall %uint %blocks_of %bufs %lane\n", (1, 0), 1)):
        called = "".join(
            reads.format(last).replace("NAME", name + "_of").replace("KIND", kind).replace("POINTER", pointer)
            for name, (kind, pointer, last) in functions.items() if name + "_of" in body)
        got = made(body, declarations, decorations=decorations, functions=called)
        assert got == wanted, (got, body)
        assert [op for op, _ in instructions(words_of(read("o.spv")))].count(BROADCAST) == compared, body


def test_blocks_that_are_not_split():
    """A block in which an image is made in too many steps is not split; those before and after it are."""
    image = """%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%images = OpTypeArray %Image %u9
%pimages = OpTypePointer UniformConstant %images
%pimage = OpTypePointer UniformConstant %Image
%image = OpVariable %pimages UniformConstant
%uvec4 = OpTypeVector %uint 4
"""
    def steps(count, name):
        copies = "".join("%%N%d = OpCopyObject %%Image %%N%d\n" % (i + 1, i) for i in range(count))
        text = "%pN = OpAccessChain %pimage %image %u1\n%N0 = OpLoad %Image %pN\n" + copies
        return (text + "%%rN = OpImageRead %%uvec4 %%N%d %%alike\n" % count).replace("N", name)

    a, b, c, d = (read_by(name) for name in "abcd")
    barrier = "OpMemoryBarrier %u2 %u0\n"
    for body, wanted in ((a + steps(30, "s"), (1, 0)), (a + steps(31, "s"), (0, 1)), (steps(40, "s") + a, (0, 1)),
                         (steps(15, "s") + a + steps(16, "t"), (1, 0)),
                         (a + barrier + choose("0", steps(31, "s") + b, barrier + c, d), (3, 1)),
                         (steps(31, "s") + a + barrier + choose("0", b, barrier + c, d), (3, 1)),
                         (a + barrier + choose("0", b, barrier + steps(33, "s") + c, steps(31, "t") + d), (2, 2)),
                         (a + barrier + choose("0", b, barrier + steps(10, "s") + c, d + steps(31, "t")), (3, 1))):
        got = made(body, image, decorations="OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 9")
        assert got == wanted, (got, wanted, body)


def test_an_imported_function_has_no_blocks():
    """Behind the first 1827 words, which is where a walk over the header of a module would go on (0x0723 of its magic
    number), at different words of an instruction."""
    decorations = 'OpDecorate %far LinkageAttributes "far" Import\n'
    far = "%far = OpFunction %void None %fnvoid\nOpFunctionEnd\n"
    call = "%called = OpFunctionCall %void %far\n"
    for more in range(4):
        many = "".join("%%t%d = OpConstantTrue %%bool\n" % i for i in range(more))
        many += "".join("%%k%d = OpConstant %%uint %d\n" % (i, 100 + i) for i in range(400))
        for option in ("--waterfall", "--unused=remove"):
            loops, kept = warned(read_by("a") + call, many + far, decorations, first="OpCapability Linkage\n",
                                 option=option)
            assert loops == (option == "--waterfall") and not kept, (option, more, loops, kept)


if __name__ == "__main__":
    running.main(globals())
