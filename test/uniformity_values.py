# SPDX-License-Identifier: Apache-2.0
"""Verdicts on values that compilers rarely write: one instruction at a time, unstructured modules, imported functions,
and calls that are nested too deeply.

    uniformity_values.py --bind B [--only WORD]

In a body, `use %x ;; VERDICT` stands for an access by the index %x and its verdict, as in uniformity.py."""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import read, spirv_as, write  # noqa: E402
from uniformity import said, verdicts  # noqa: E402

MODULE = """OpCapability Shader
{capabilities}
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" %lane_in
{mode}
OpDecorate %lane_in BuiltIn LocalInvocationIndex
OpMemberDecorate %Buf 0 Offset 0
OpMemberDecorate %Buf 0 NonWritable
OpDecorate %Buf Block
OpMemberDecorate %Out 0 Offset 0
OpMemberDecorate %Out 1 Offset 4
OpDecorate %Out Block
OpMemberDecorate %Push 0 Offset 0
OpMemberDecorate %Push 1 Offset 4
OpDecorate %Push Block
OpDecorate %bufs DescriptorSet 0
OpDecorate %bufs Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
OpDecorate %ro DescriptorSet 0
OpDecorate %ro Binding 2
{decorations}
%void = OpTypeVoid
%fnvoid = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uvec2 = OpTypeVector %uint 2
%bvec2 = OpTypeVector %bool 2
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u9 = OpConstant %uint 9
%uarr2 = OpTypeArray %uint %u2
%Buf = OpTypeStruct %uint
%bufn = OpTypeArray %Buf %u9
%pbufs = OpTypePointer StorageBuffer %bufn
%pbuf = OpTypePointer StorageBuffer %Buf
%puint = OpTypePointer StorageBuffer %uint
%bufs = OpVariable %pbufs StorageBuffer
%ro = OpVariable %pbuf StorageBuffer
%Out = OpTypeStruct %uint %uint
%pout = OpTypePointer StorageBuffer %Out
%out = OpVariable %pout StorageBuffer
%Push = OpTypeStruct %uint %uint
%ppush = OpTypePointer PushConstant %Push
%ppushu = OpTypePointer PushConstant %uint
%push = OpVariable %ppush PushConstant
%inint = OpTypePointer Input %uint
%lane_in = OpVariable %inint Input
%local = OpTypePointer Function %uint
%local2 = OpTypePointer Function %uvec2
%undef = OpUndef %uint
{declarations}
%main = OpFunction %void None %fnvoid
%entry = OpLabel
{variables}
%lane = OpLoad %uint %lane_in
%psame = OpAccessChain %ppushu %push %u0
%same = OpLoad %uint %psame
%pother = OpAccessChain %ppushu %push %u1
%other = OpLoad %uint %pother
%odd = OpUGreaterThan %bool %lane %u3
%even = OpUGreaterThan %bool %other %u3
%mixed = OpCompositeConstruct %uvec2 %same %lane
%alike = OpCompositeConstruct %uvec2 %same %other
%pout0 = OpAccessChain %puint %out %u0
%pro = OpAccessChain %puint %ro %u0
{body}
OpStore %pout0 %lane
OpReturn
OpFunctionEnd
{functions}
"""
WORKGROUP = "OpExecutionMode %main LocalSize 64 1 1"


def check(body, capabilities="", decorations="", declarations="", variables="", functions="", options=(), change=None,
          model="GLCompute", mode=WORKGROUP, lane="LocalInvocationIndex"):
    """`functions`: the rest of the module, which may have uses, too. `lane`: the built-in of %lane."""
    uses = []

    def use(found):
        number = len(uses)
        uses.append(verdicts(found[2]))
        return "%%chain_%d = OpAccessChain %%puint %%bufs %s %%u0\n%%value_%d = OpLoad %%uint %%chain_%d" % (
            number, found[1], number, number)

    expanded = [re.sub(r"(?m)^\s*use (%\w+) ;; (.*)$", use, text) for text in (body, functions)]
    text = MODULE.format(capabilities=capabilities, decorations=decorations, declarations=declarations, model=model,
                         mode=mode, variables=variables, body=expanded[0], functions=expanded[1])
    module = spirv_as(text.replace("lane_in BuiltIn LocalInvocationIndex", "lane_in BuiltIn " + lane), "m.asm.spv",
                      "spv1.3")
    if change:
        write(module, change(read(module)))
    got = said(module, *options)
    assert uses and got == dict(enumerate(uses)), "\n".join(
        "%d: %s, not %s" % (i, got.get(i), uses[i] if i < len(uses) else None) for i in range(max(len(got), len(uses)))
        if i >= len(uses) or got.get(i) != uses[i]) + "\n" + body


def test_components_are_followed_one_by_one():
    check("""
%a = OpVectorInsertDynamic %uvec2 %alike %lane %same
%a0 = OpCompositeExtract %uint %a 0
use %a0 ;; divergent: it may be any component
%b = OpVectorInsertDynamic %uvec2 %alike %same %other
%b0 = OpCompositeExtract %uint %b 0
use %b0 ;; group subgroup
%c = OpVectorInsertDynamic %uvec2 %alike %same %lane
%c1 = OpCompositeExtract %uint %c 1
use %c1 ;; divergent
%d = OpVectorInsertDynamic %uvec2 %mixed %same %other
%d0 = OpCompositeExtract %uint %d 0
use %d0 ;; group subgroup
%d1 = OpCompositeExtract %uint %d 1
use %d1 ;; divergent
%e = OpVectorShuffle %uvec2 %mixed %alike 0xFFFFFFFF 2
%e0 = OpCompositeExtract %uint %e 0
use %e0 ;; unknown: undefined
%e1 = OpCompositeExtract %uint %e 1
use %e1 ;; group subgroup
%f = OpVectorShuffle %uvec2 %mixed %alike 1 3
%f0 = OpCompositeExtract %uint %f 0
use %f0 ;; divergent
%f1 = OpCompositeExtract %uint %f 1
use %f1 ;; group subgroup
%conditions = OpCompositeConstruct %bvec2 %even %odd
%g = OpSelect %uvec2 %conditions %alike %alike
%g1 = OpCompositeExtract %uint %g 1
use %g1 ;; group subgroup: both are the same
%swapped = OpCompositeConstruct %uvec2 %other %same
%h = OpSelect %uvec2 %conditions %alike %swapped
%h0 = OpCompositeExtract %uint %h 0
use %h0 ;; group subgroup
%h1 = OpCompositeExtract %uint %h 1
use %h1 ;; divergent
%i = OpSelect %uvec2 %even %mixed %alike
%i0 = OpCompositeExtract %uint %i 0
use %i0 ;; group subgroup
%i1 = OpCompositeExtract %uint %i 1
use %i1 ;; divergent
%j = OpCopyObject %uvec2 %mixed
%j0 = OpCompositeExtract %uint %j 0
use %j0 ;; group subgroup
%j1 = OpCompositeExtract %uint %j 1
use %j1 ;; divergent
%k = OpVectorExtractDynamic %uint %alike %other
use %k ;; group subgroup
%l = OpVectorExtractDynamic %uint %alike %lane
use %l ;; divergent
""")


def test_parts_of_composites():
    check("""
%p = OpCompositeConstruct %Pair %mixed %other
%p0 = OpCompositeExtract %uint %p 0 0
use %p0 ;; group subgroup
%p1 = OpCompositeExtract %uint %p 0 1
use %p1 ;; divergent
%p2 = OpCompositeExtract %uint %p 1
use %p2 ;; group subgroup
%p3 = OpCompositeExtract %uvec2 %p 0
%p30 = OpCompositeExtract %uint %p3 0
use %p30 ;; group subgroup
%p31 = OpCompositeExtract %uint %p3 1
use %p31 ;; divergent
%q = OpCompositeInsert %Pair %alike %p 0
%q1 = OpCompositeExtract %uint %q 0 1
use %q1 ;; group subgroup
%qm = OpCompositeInsert %Pair %mixed %q 0
%qm0 = OpCompositeExtract %uint %qm 0 0
use %qm0 ;; group subgroup
%qm1 = OpCompositeExtract %uint %qm 0 1
use %qm1 ;; divergent
%qm2 = OpCompositeExtract %uint %qm 1
use %qm2 ;; group subgroup
%r = OpCompositeInsert %Pair %lane %q 1
%r0 = OpCompositeExtract %uint %r 0 0
use %r0 ;; group subgroup
%r2 = OpCompositeExtract %uint %r 1
use %r2 ;; divergent
%s = OpCompositeInsert %Pair %same %p 0 1
%s1 = OpCompositeExtract %uint %s 0 1
use %s1 ;; group subgroup
%s2 = OpCompositeInsert %Pair %lane %s 0 0
%s20 = OpCompositeExtract %uint %s2 0 0
use %s20 ;; divergent
%s21 = OpCompositeExtract %uint %s2 0 1
use %s21 ;; group subgroup
%t = OpCompositeConstruct %uarr2 %same %other
%t1 = OpCompositeExtract %uint %t 1
use %t1 ;; group subgroup
%v = OpCompositeConstruct %uvec2 %undef %same
%v1 = OpCompositeExtract %uint %v 1
use %v1 ;; group subgroup
%x1 = OpCompositeExtract %uint %part 0
%y1 = OpIAdd %uint %x1 %same
use %y1 ;; group subgroup
%x2 = OpCompositeExtract %uint %part 1
%y2 = OpIAdd %uint %x2 %same
use %y2 ;; unknown
%x3 = OpCompositeExtract %uint %parts 0 0
%y3 = OpIAdd %uint %x3 %same
use %y3 ;; group subgroup
%x4 = OpCompositeExtract %uint %parts 0 1
%y4 = OpIAdd %uint %x4 %same
use %y4 ;; unknown
%x5 = OpCompositeExtract %uint %parts 1
%y5 = OpIAdd %uint %x5 %same
use %y5 ;; group subgroup
%x6 = OpCompositeExtract %uvec2 %parts 0
%z6 = OpIAdd %uvec2 %x6 %alike
%y6 = OpCompositeExtract %uint %z6 1
use %y6 ;; unknown
%x7 = OpCompositeExtract %uint %last 1
%y7 = OpIAdd %uint %x7 %same
use %y7 ;; unknown
%x8 = OpCompositeExtract %uint %last 0 1
%y8 = OpIAdd %uint %x8 %same
use %y8 ;; group subgroup
""", declarations="""%Pair = OpTypeStruct %uvec2 %uint
%part = OpConstantComposite %uvec2 %u1 %undef
%full = OpConstantComposite %uvec2 %u1 %u2
%parts = OpConstantComposite %Pair %part %u2
%last = OpConstantComposite %Pair %full %undef""")


def test_copies_of_memory():
    """OpCopyMemory copies what it reads, wherever that is."""
    check("""
OpStore %x %same
OpCopyMemory %x %lane_in
%x1 = OpLoad %uint %x
use %x1 ;; divergent
OpCopyMemory %x %psame
%x2 = OpLoad %uint %x
use %x2 ;; group subgroup
OpCopyMemory %x %pro
%x3 = OpLoad %uint %x
use %x3 ;; group subgroup
OpCopyMemory %x %pout0
%x4 = OpLoad %uint %x
use %x4 ;; unknown: it is written
OpStore %v %mixed
OpCopyMemory %w %v
%wx = OpAccessChain %local %w %u0
%x5 = OpLoad %uint %wx
use %x5 ;; group subgroup
%wy = OpAccessChain %local %w %u1
%x6 = OpLoad %uint %wy
use %x6 ;; divergent
OpCopyMemory %wy %wx
%x7 = OpLoad %uint %wy
use %x7 ;; group subgroup
%vy = OpAccessChain %local %v %u1
OpCopyMemory %wx %vy
%x8 = OpLoad %uint %wx
use %x8 ;; divergent
%x9 = OpLoad %uint %wy
use %x9 ;; group subgroup
%x10 = OpLoad %uint %pro Volatile
use %x10 ;; unknown
%x11 = OpLoad %uint %pro Nontemporal
use %x11 ;; group subgroup
""", variables="%x = OpVariable %local Function\n%v = OpVariable %local2 Function\n%w = OpVariable %local2 Function")


def test_reads_of_images():
    """A copied image is that image: whether it is written is known."""
    check("""
%image = OpLoad %Image %kept
%copy = OpCopyObject %Image %image
%a = OpImageRead %uint %copy %alike
use %a ;; group subgroup
%a2 = OpImageRead %uint %copy %mixed
use %a2 ;; divergent
%stored = OpLoad %Image %changed
%copied = OpCopyObject %Image %stored
%b = OpImageRead %uint %copied %alike
use %b ;; unknown
OpImageWrite %stored %alike %same
%c = OpImageRead %uint %stored %alike
use %c ;; unknown
%size = OpImageQuerySize %uvec2 %copied
%d = OpCompositeExtract %uint %size 0
use %d ;; group subgroup
""", capabilities="OpCapability ImageQuery\nOpCapability StorageImageReadWithoutFormat", decorations="""
OpDecorate %kept DescriptorSet 0
OpDecorate %kept Binding 3
OpDecorate %changed DescriptorSet 0
OpDecorate %changed Binding 4""", declarations="""%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%pImage = OpTypePointer UniformConstant %Image
%kept = OpVariable %pImage UniformConstant
%changed = OpVariable %pImage UniformConstant""")


def test_operations_of_groups_by_their_scope():
    """The older operations, whose scope is an operand, including reductions."""
    check("""
%a = OpGroupAll %bool %u3 %odd
%a1 = OpSelect %uint %a %same %other
use %a1 ;; subgroup
%b = OpGroupAny %bool %u2 %odd
%b1 = OpSelect %uint %b %same %other
use %b1 ;; group subgroup
%c = OpGroupAny %bool %u1 %odd
%c1 = OpSelect %uint %c %same %other
use %c1 ;; unknown
%d = OpGroupIAdd %uint %u3 Reduce %lane
use %d ;; subgroup
%e = OpGroupIAdd %uint %u2 Reduce %lane
use %e ;; group subgroup
%f = OpGroupIAdd %uint %u1 Reduce %lane
use %f ;; divergent
%g = OpGroupIAdd %uint %u2 InclusiveScan %same
use %g ;; divergent
%h = OpGroupNonUniformIAdd %uint %u3 Reduce %lane
use %h ;; subgroup
%i = OpGroupNonUniformIAdd %uint %u3 ExclusiveScan %lane
use %i ;; divergent
%j = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %votes
use %j ;; group subgroup
%k = OpGroupNonUniformBallotBitCount %uint %u3 InclusiveScan %votes
use %k ;; divergent
%l = OpGroupNonUniformIAdd %uint %open Reduce %lane
use %l ;; divergent
%m = OpGroupAny %bool %open %odd
%m1 = OpSelect %uint %m %same %other
use %m1 ;; unknown
""", capabilities="OpCapability Groups\nOpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformBallot",
          decorations="OpDecorate %open SpecId 0",
          declarations="%open = OpSpecConstant %uint 3\n%uvec4 = OpTypeVector %uint 4\n"
                       "%votes = OpConstantComposite %uvec4 %u1 %u0 %u0 %u0")


def test_cases_of_a_switch():
    """In the arm of a single label, the selector equals that number, except if the default or a second label leads
    there, or literals have two words."""
    check("""
OpSelectionMerge %met None
OpSwitch %lane %rest 1 %one 2 %two 3 %two
%one = OpLabel
use %lane ;; group subgroup
OpBranch %met
%two = OpLabel
use %lane ;; divergent
OpBranch %met
%rest = OpLabel
use %lane ;; divergent
OpBranch %met
%met = OpLabel
use %lane ;; divergent
OpSelectionMerge %met2 None
OpSwitch %lane %four 4 %four 5 %five
%four = OpLabel
use %lane ;; divergent
OpBranch %met2
%five = OpLabel
use %lane ;; group subgroup
OpBranch %met2
%met2 = OpLabel
%wide = OpUConvert %ulong %lane
OpSelectionMerge %met3 None
OpSwitch %wide %met3 6 %six
%six = OpLabel
use %wide ;; divergent
OpBranch %met3
%met3 = OpLabel
""", capabilities="OpCapability Int64", declarations="%ulong = OpTypeInt 64 0")


def test_branches_on_equality():
    """Where two values are equal, one may replace the other: where == holds, or != does not."""
    check("""
%is = OpIEqual %bool %lane %same
OpSelectionMerge %met None
OpBranchConditional %is %yes %no
%yes = OpLabel
use %lane ;; group
%more = OpIAdd %uint %lane %u1
use %more ;; group
OpBranch %met
%no = OpLabel
use %lane ;; divergent
OpBranch %met
%met = OpLabel
use %lane ;; divergent
%not = OpINotEqual %bool %other %lane
OpSelectionMerge %met2 None
OpBranchConditional %not %no2 %yes2
%yes2 = OpLabel
use %lane ;; group
OpBranch %met2
%no2 = OpLabel
use %lane ;; divergent
OpBranch %met2
%met2 = OpLabel
%both = OpLogicalAnd %bool %is %even
OpSelectionMerge %met3 None
OpBranchConditional %both %yes3 %no3
%yes3 = OpLabel
use %lane ;; group
OpBranch %met3
%no3 = OpLabel
use %lane ;; divergent
OpBranch %met3
%met3 = OpLabel
%either = OpLogicalOr %bool %is %even
OpSelectionMerge %met4 None
OpBranchConditional %either %yes4 %no4
%yes4 = OpLabel
use %lane ;; divergent
OpBranch %met4
%no4 = OpLabel
use %lane ;; divergent
OpBranch %met4
%met4 = OpLabel
OpSelectionMerge %met5 None
OpBranchConditional %is %met5 %no5
%no5 = OpLabel
OpBranch %met5
%met5 = OpLabel
use %lane ;; divergent: there are two ways here
""")


WORKGROUP_IDS = """OpDecorate %id_in BuiltIn LocalInvocationId
OpDecorate %global_in BuiltIn GlobalInvocationId"""
IDS = """%uvec3 = OpTypeVector %uint 3
%in3 = OpTypePointer Input %uvec3
%id_in = OpVariable %in3 Input
%global_in = OpVariable %in3 Input
%local3 = OpTypePointer Function %uvec3
%null = OpConstantNull %uint
%u4 = OpConstant %uint 4
%u6 = OpConstant %uint 6
%u5 = OpConstant %uint 5
%u8 = OpConstant %uint 8
%u31 = OpConstant %uint 31
%u32 = OpConstant %uint 32
%u63 = OpConstant %uint 63
%u64 = OpConstant %uint 64
%u128 = OpConstant %uint 128
%u96 = OpConstant %uint 96
%all64 = OpConstant %uint 0xFFFFFFC0"""


def test_invocation_numbers_within_a_workgroup():
    """64 invocations in a row, or 8 by 4: which quotients, shifts and masks are uniform, however the id got there."""
    rows = (("%lane", "OpUDiv", "%u64", True), ("%lane", "OpUDiv", "%u63", False), ("%lane", "OpUDiv", "%u128", True),
            ("%x", "OpUDiv", "%u64", True), ("%x", "OpUDiv", "%u63", False), ("%y", "OpUDiv", "%u1", True),
            ("%x", "OpUDiv", "%u1", False), ("%gx", "OpUDiv", "%u64", True),
            ("%gx", "OpUDiv", "%u63", False), ("%gx", "OpUDiv", "%u128", True),
            ("%gx", "OpUDiv", "%u96", False), ("%x", "OpShiftRightLogical", "%u6", True),
            ("%x", "OpShiftRightLogical", "%u5", False), ("%gx", "OpShiftRightLogical", "%u6", True),
            ("%gx", "OpShiftRightLogical", "%u5", False), ("%gx", "OpBitwiseAnd", "%all64", True),
            ("%gx", "OpBitwiseAnd", "%u63", False), ("%x", "OpIMul", "%null", True),
            ("%x", "OpIMul", "%u0", True), ("%x", "OpIMul", "%u1", False),
            ("%x", "OpBitwiseAnd", "%u0", True), ("%x", "OpUMod", "%u1", True),
            ("%x", "OpUMod", "%u2", False), ("%copied", "OpUDiv", "%u64", True),
            ("%turned", "OpUDiv", "%u1", True), ("%turned_x", "OpUDiv", "%u1", False),
            ("%turned_x", "OpUDiv", "%u64", True), ("%kept_x", "OpUDiv", "%u64", True),
            ("%kept_x", "OpUDiv", "%u4", False), ("%kept_y", "OpUDiv", "%u64", False),
            ("%sum", "OpUDiv", "%u64", False), ("%x", "OpSDiv", "%u64", True),
            ("%x", "OpSDiv", "%u63", False), ("%x", "OpSDiv", "%all64", False),
            ("%second_y", "OpUDiv", "%u1", True), ("%second_x", "OpUDiv", "%u64", True),
            ("%second_x", "OpUDiv", "%u63", False), ("%stored_y", "OpUDiv", "%u1", True),
            ("%ten_x", "OpUDiv", "%u64", False), ("%any", "OpUDiv", "%u64", False),
            ("%x_at_y", "OpUDiv", "%u64", True))
    square = (("%lane", "OpUDiv", "%u32", True), ("%lane", "OpUDiv", "%u31", False), ("%x", "OpUDiv", "%u8", True),
              ("%x", "OpUDiv", "%u4", False), ("%y", "OpUDiv", "%u4", True), ("%y", "OpUDiv", "%u3", False),
              ("%turned", "OpUDiv", "%u4", True), ("%turned", "OpUDiv", "%u3", False),
              ("%stored_y", "OpUDiv", "%u4", True), ("%stored_y", "OpUDiv", "%u3", False),
              ("%second_y", "OpUDiv", "%u4", True), ("%second_y", "OpUDiv", "%u3", False),
              ("%gx", "OpUDiv", "%u8", True), ("%gx", "OpUDiv", "%u4", False), ("%gx", "OpUDiv", "%u64", True),
              ("%gy", "OpUDiv", "%u4", True), ("%gy", "OpUDiv", "%u3", False), ("%gy", "OpUDiv", "%u8", True),
              ("%x_at_y", "OpUDiv", "%u8", True), ("%x_at_y", "OpUDiv", "%u4", False))
    for size, asked in (("64 1 1", rows + (("%second_x", "OpUDiv", "%u96", True),)), ("8 4 1", square)):
        check_quotients(asked, "OpExecutionMode %main LocalSize " + size)


def check_quotients(rows, mode):
    uses = "".join("%%q%d = %s %%uint %s %s\nuse %%q%d ;; %s\n" % (
        i, op, a, b, i, "group subgroup" if same else "divergent") for i, (a, op, b, same) in enumerate(rows))
    check("""%id = OpLoad %uvec3 %id_in
%global = OpLoad %uvec3 %global_in
%x = OpCompositeExtract %uint %id 0
%y = OpCompositeExtract %uint %id 1
%gx = OpCompositeExtract %uint %global 0
%gy = OpCompositeExtract %uint %global 1
%copied = OpCopyObject %uint %x
%swapped = OpVectorShuffle %uvec2 %id %global 1 0
%turned = OpCompositeExtract %uint %swapped 0
%turned_x = OpCompositeExtract %uint %swapped 1
OpStore %kept %id
%pkept_x = OpAccessChain %local %kept %u0
%kept_x = OpLoad %uint %pkept_x
%pkept_y = OpAccessChain %local %kept %u1
%stored_y = OpLoad %uint %pkept_y
%pany = OpAccessChain %local %kept %same
%any = OpLoad %uint %pany
%ten = OpIMul %uint %lane %u9
OpStore %pkept_y %ten
%kept_y = OpLoad %uint %pkept_y
OpStore %pkept_x %ten
OpStore %pkept_y %x
%ten_x = OpLoad %uint %pkept_x
%x_at_y = OpLoad %uint %pkept_y
%second = OpVectorShuffle %uvec2 %global %id 4 3
%second_y = OpCompositeExtract %uint %second 0
%second_x = OpCompositeExtract %uint %second 1
%holes = OpVectorShuffle %uvec2 %id %id 0xFFFFFFFF 0
%nothing = OpCompositeExtract %uint %holes 0
%lost = OpUDiv %uint %nothing %u64
use %lost ;; unknown
%sum = OpIAdd %uint %x %gx
""" + uses, decorations=WORKGROUP_IDS, declarations=IDS, mode=mode, variables="%kept = OpVariable %local3 Function")


MET = """OpSelectionMerge %met None
OpBranchConditional {condition} %left %right
%left = OpLabel
OpStore %x {left}
OpBranch %met
%right = OpLabel
OpStore %x {right}
OpBranch %met
%gone = OpLabel
OpStore %x %lane
OpBranch %met
%met = OpLabel
%p = OpPhi %uint {left} %left {right} %right {gone} %gone
%m = OpLoad %uint %x
use %p ;; {phi}
use %m ;; {memory}
"""


def test_unreachable_blocks():
    """They store nothing. An OpPhi still has a value for them, which only optimisers remove."""
    variables = "%x = OpVariable %local Function"
    both = "group subgroup"
    for condition, left, right, phi, memory in (("%even", "%same", "%other", both, both),
                                                ("%odd", "%same", "%same", both, "divergent"),
                                                ("%odd", "%same", "%other", "divergent", "divergent"),
                                                ("%even", "%same", "%lane", "divergent", "divergent")):
        check(MET.format(condition=condition, left=left, right=right, gone=left if phi == both else "%u1", phi=phi,
                         memory=memory), variables=variables)


OUTSIDE = """%elsewhere = OpFunction %uint None %fnboth
%parameter = OpFunctionParameter %local
%number = OpFunctionParameter %uint
OpFunctionEnd"""


def test_functions_of_another_module():
    """Their results, and what they may write, are unknown."""
    check("""
OpStore %x %same
OpStore %y %same
%before = OpLoad %uint %x
use %before ;; group subgroup
%result = OpFunctionCall %uint %elsewhere %x %same
use %result ;; unknown
%behind = OpLoad %uint %x
use %behind ;; unknown
%other_one = OpLoad %uint %y
use %other_one ;; group subgroup
%z = OpLoad %uint %pro
use %z ;; group subgroup: nobody may write it
""", capabilities="OpCapability Linkage", decorations='OpDecorate %elsewhere LinkageAttributes "elsewhere" Import',
          declarations="%fnboth = OpTypeFunction %uint %local %uint",
          variables="%x = OpVariable %local Function\n%y = OpVariable %local Function", functions=OUTSIDE)


CROSSED = """%crossed = OpFunction %uint None %fnboth
%to = OpFunctionParameter %local
%n = OpFunctionParameter %uint
%c_entry = OpLabel
%kept = OpVariable %local Function
%sum = OpIAdd %uint %n %u1
OpStore %to %n
OpStore %kept %n
%c = OpUGreaterThan %bool %n %u3
OpBranchConditional %c %c_a %c_b
%c_a = OpLabel
OpBranchConditional %c %c_b %c_end
%c_b = OpLabel
OpBranchConditional %c %c_a %c_end
%c_end = OpLabel
%again = OpLoad %uint %kept
use %n ;; unknown
use %again ;; unknown
use %sum ;; unknown
OpReturnValue %sum
OpFunctionEnd"""


def test_loops_with_two_entries():
    """Their order is unknown, so nothing computed in them is uniform; other functions are not affected."""
    check("""
OpStore %x %other
%result = OpFunctionCall %uint %crossed %x %same
use %result ;; unknown
%behind = OpLoad %uint %x
use %behind ;; unknown
use %other ;; group subgroup
""", declarations="%fnboth = OpTypeFunction %uint %local %uint", variables="%x = OpVariable %local Function",
          functions=CROSSED)


MEMORIES = {"declarations": """%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%Texels = OpTypeImage %uint Buffer 0 0 0 2 R32ui
%pImage = OpTypePointer UniformConstant %Image
%pTexels = OpTypePointer UniformConstant %Texels
%ptexel = OpTypePointer Image %uint
%image = OpVariable %pImage UniformConstant
%image2 = OpVariable %pImage UniformConstant
%texels = OpVariable %pTexels UniformConstant
%pBlock = OpTypePointer Uniform %Out
%block = OpVariable %pBlock Uniform
%puni = OpTypePointer Uniform %uint
%another = OpVariable %pout StorageBuffer
%nowhere = OpUndef %puint
%pshared = OpTypePointer Workgroup %uint
%shared = OpVariable %pshared Workgroup
%fnset = OpTypeFunction %void %puint""", "decorations": "".join(
    "OpDecorate %%%s DescriptorSet 0\nOpDecorate %%%s Binding %d\n" % (name, name, i)
    for i, name in enumerate(("image", "image2", "texels", "block", "another"), 10)),
    "capabilities": "OpCapability VariablePointersStorageBuffer\nOpCapability StorageImageReadWithoutFormat",
    "variables": "%x = OpVariable %local Function", "functions": """%sets = OpFunction %void None %fnset
%to = OpFunctionParameter %puint
%b_sets = OpLabel
OpStore %to %u1
OpReturn
OpFunctionEnd"""}
READS = ("%a1 = OpLoad %uint %pro", "%p2 = OpAccessChain %puint %another %u0\n%a2 = OpLoad %uint %p2",
         "%p3 = OpAccessChain %puint %another %u1\n%a3 = OpLoad %uint %p3",
         "%p4 = OpAccessChain %puni %block %u0\n%a4 = OpLoad %uint %p4",
         "%p5 = OpLoad %Image %image\n%a5 = OpImageRead %uint %p5 %alike",
         "%p6 = OpLoad %Image %image2\n%a6 = OpImageRead %uint %p6 %alike",
         "%p7 = OpLoad %Texels %texels\n%a7 = OpImageRead %uint %p7 %same", "%a8 = OpLoad %uint %psame")


def test_values_unknown_after_a_write():
    """Exactly the memory that it may write: one member, the whole, or, if unknown, all buffers and images."""
    for write_, spoilt in (
            ("", ""), ("OpStore %p2 %u1", "2"), ("OpStore %p3 %lane", "3"),
            ("OpImageWrite %p5 %alike %same", "5"), ("OpImageWrite %p7 %same %same", "7"),
            ("%t = OpImageTexelPointer %ptexel %image %alike %u0\n%w = OpAtomicIAdd %uint %t %u1 %u0 %u1", "5"),
            ("%w = OpAtomicIAdd %uint %p3 %u1 %u0 %u1", "3"), ("OpStore %nowhere %u1", "1234567"),
            ("%w = OpAtomicIAdd %uint %nowhere %u1 %u0 %u1", "1234567"), ("OpStore %p4 %u1", "4"),
            ("OpCopyMemory %p3 %pro", "3"), ("OpCopyMemory %x %p3", ""), ("OpStore %shared %u1", ""),
            ("OpStore %x %u1", ""), ("%all = OpLoad %Out %another\nOpStore %another %all", "23"),
            ("%r = OpFunctionCall %void %sets %p2", "23"), ("%r = OpFunctionCall %void %sets %nowhere", "1234567"),
            ("%r = OpFunctionCall %void %sets %pout0", ""),
            ("%s = OpSelect %puint %even %p2 %pro\nOpStore %s %u1", "1234567")):
        check("".join("%s\nuse %%a%d ;; %s\n" % (read_, i, "unknown" if str(i) in spoilt else "group subgroup")
                      for i, read_ in enumerate(READS, 1)) + write_, **MEMORIES)


def zigzag(count, last, middle, kind):
    """Functions, each calling the next one, in an order in which each walk over the module gets two calls further."""
    order = list(range(0, count, 2)) + list(range(1, count, 2))[::-1]
    texts = []
    for i in order:
        texts.append("%%f%d = OpFunction %%void None %s\n" % (i, kind))
        texts.append(last(i) if i == count - 1 else middle(i))
    return "\n".join(texts)


def call(i):
    return "%%l%d = OpLabel\n%%r%d = OpFunctionCall %%void %%f%d\nOpReturn\nOpFunctionEnd" % (i, i, i + 1)


def test_deeply_nested_calls():
    """The writes of the innermost function are known through 40 nested calls. Through 300 they may be anything."""
    def pass_on(i):
        return ("%%p%d = OpFunctionParameter %%puint\n%%l%d = OpLabel\n%%r%d = OpFunctionCall %%void %%f%d %%p%d\n"
                "OpReturn\nOpFunctionEnd") % (i, i, i, i + 1, i)

    def write_to(pointer):
        return lambda i: "%%l%d = OpLabel\nOpStore %s %%u1\nOpReturn\nOpFunctionEnd" % (i, pointer)

    for count, verdict in ((40, "group subgroup"), (300, "unknown")):
        check("""
%%x = OpFunctionCall %%void %%f0 %%pout0
%%papart = OpAccessChain %%puint %%apart %%u0
%%y = OpLoad %%uint %%papart
use %%y ;; %s
%%z = OpLoad %%uint %%pout0
use %%z ;; unknown
""" % verdict, decorations="""OpDecorate %apart DescriptorSet 0
OpDecorate %apart Binding 3
OpMemberDecorate %Apart 0 Offset 0
OpDecorate %Apart Block""", declarations="""%fnptr = OpTypeFunction %void %puint
%Apart = OpTypeStruct %uint
%pApart = OpTypePointer StorageBuffer %Apart
%apart = OpVariable %pApart StorageBuffer""",
              functions=zigzag(count, lambda i: "%%p%d = OpFunctionParameter %%puint\n" % i + write_to("%%p%d" % i)(i),
                               pass_on, "%fnptr"))
        check("""
OpStore %set %u1
%x = OpFunctionCall %void %f0
%z = OpLoad %uint %set
use %z ;; group subgroup
""", declarations="""%private = OpTypePointer Private %uint
%set = OpVariable %private Private %u1""", functions=zigzag(count, write_to("%set"), call, "%fnvoid"))


def test_loop_invariants():
    """A value that is the same in each iteration is so after the loop, too, although invocations leave it in different
    iterations: values computed in five steps, and loads from memory that the loop does not write."""
    def adds(count):
        return "".join("%%k%d = OpIAdd %%uint %s %%u1\n" % (i, "%%k%d" % (i - 1) if i else "%same")
                       for i in range(count)) + "%%q = OpIAdd %%uint %%k%d %%u1" % (count - 1)

    load, pair = "%q = OpLoad %uint ", "%q = OpCompositeExtract %uint %pair 0"
    for value, same in (
            (load + "%psame", True), (load + "%pro", True), (load + "%pout0", False), (load + "%x", True),
            (load + "%x\nOpStore %x %n", False), (load + "%x\nOpStore %y %n", True), (load + "%x Volatile", False),
            (load + "%x Aligned 4", False), (load + "%own", False), ("%q = OpCopyObject %uint %same", True),
            ("%q = OpIAdd %uint %same %u1", True), ("%q = OpIAdd %uint %n %u1", False), (adds(1), True),
            (adds(4), True), (adds(5), False), ("%pair = OpCompositeConstruct %uvec2 %same %other\n" + pair, True),
            ("%pair = OpVectorShuffle %uvec2 %alike %alike 1 0\n" + pair, True), ("%q = OpUndef %uint", False),
            ("%p = OpAccessChain %ppushu %push %u1\n" + load + "%p", True), ("%q = OpFunctionCall %uint %gives", False),
            ("%p = OpAccessChain %ppushu %push %n\n" + load + "%p", False)):
        check("""OpStore %%x %%same
OpStore %%own %%same
OpBranch %%head
%%head = OpLabel
%%n = OpPhi %%uint %%u0 %%entry %%next %%on
OpLoopMerge %%met %%on None
OpBranch %%in
%%in = OpLabel
%s
%%leave = OpUGreaterThan %%bool %%n %%lane
OpBranchConditional %%leave %%met %%on
%%on = OpLabel
%%next = OpIAdd %%uint %%n %%u1
OpBranch %%head
%%met = OpLabel
use %%q ;; %s
""" % (value, "group subgroup" if same else "divergent"), variables="""%x = OpVariable %local Function
%y = OpVariable %local Function""", declarations="""%private = OpTypePointer Private %uint
%own = OpVariable %private Private %u1
%fngives = OpTypeFunction %uint""", functions="""%gives = OpFunction %uint None %fngives
%b_gives = OpLabel
OpReturnValue %u3
OpFunctionEnd""")


def test_a_pointer_as_an_argument():
    """A value read through it depends on where it points, and on the contents there, including initial ones."""
    reads = """%reads = OpFunction %uint None %fnreads
%where = OpFunctionParameter %KIND
%b_reads = OpLabel
%found = OpLoad %uint %where
OpReturnValue %found
OpFunctionEnd"""
    declarations = """%parr2 = OpTypePointer Function %uarr2
%private = OpTypePointer Private %uint
%parr = OpTypePointer Private %uarr2
%all = OpConstantComposite %uarr2 %u1 %u1
%unset = OpUndef %uarr2
%own = OpVariable %parr Private %all
%none = OpVariable %parr Private %unset
%fnreads = OpTypeFunction %uint %KIND"""
    store = "%two = OpCompositeConstruct %uarr2 %same %same\nOpStore %arr %two\n"
    for kind, variable, index, begin, verdict in (
            ("local", "%arr", "%lane", store, "divergent"), ("local", "%arr", "%same", store, "group subgroup"),
            ("local", "%arr", "%u1", store, "group subgroup"), ("local", "%arr", "%u1", store.replace("%same", "%lane"),
            "divergent"),
            ("private", "%own", "%u1", "", "group subgroup"), ("private", "%own", "%same", "", "group subgroup"),
            ("private", "%own", "%lane", "", "divergent"), ("private", "%none", "%u1", "", "unknown")):
        check(begin + "%%p = OpAccessChain %%%s %s %s\n%%y = OpFunctionCall %%uint %%reads %%p\nuse %%y ;; %s\n" % (
            kind, variable, index, verdict), variables="%arr = OpVariable %parr2 Function",
                declarations=declarations.replace(
                "KIND", kind), functions=reads.replace("KIND", kind))


def test_parts_of_one_variable_as_arguments():
    """Its writes to either part are visible after the call."""
    sets = """%sets = OpFunction %void None %fnset
%ta = OpFunctionParameter %local
%tb = OpFunctionParameter %local
%b_sets = OpLabel
%other_lane = OpLoad %uint %lane_in
OpStore %ta {}
OpStore %tb {}
OpReturn
OpFunctionEnd"""
    for first, second, verdicts_ in (("%other_lane", "%u2", ("divergent", "unknown")),
                                     ("%u2", "%other_lane", ("unknown", "divergent"))):
        check("""
%pa = OpAccessChain %local %v %u0
%pb = OpAccessChain %local %v %u1
OpStore %pa %same
OpStore %pb %same
%r = OpFunctionCall %void %sets %pa %pb
%a = OpLoad %uint %pa
use %a ;; {}
%b = OpLoad %uint %pb
use %b ;; {}
OpStore %pa %other
%c = OpLoad %uint %pa
use %c ;; group subgroup
""".format(*verdicts_), declarations="%fnset = OpTypeFunction %void %local %local",
              variables="%v = OpVariable %local2 Function", functions=sets.format(first, second))


def test_unknown_instructions_may_write_anything():
    """An instruction with an unassigned opcode: all memory may have changed, but values have not."""
    def with_unknown(data):
        words = list(struct.unpack("<%dI" % (len(data) // 4), data))
        at = 5
        while words[at] & 0xFFFF != 253: # the OpReturn
            at += words[at] >> 16
        return struct.pack("<%dI" % (len(words) + 2), *words[:at], 2 << 16 | 0x7FF0, 0, *words[at:])

    for change, verdict in ((None, "group subgroup"), (with_unknown, "unknown")):
        check("""
OpStore %%x %%same
OpStore %%own %%same
%%a = OpLoad %%uint %%x
use %%a ;; %s
%%b = OpLoad %%uint %%own
use %%b ;; %s
use %%same ;; group subgroup
""" % (verdict, verdict), declarations="%private = OpTypePointer Private %uint\n%own = OpVariable %private Private",
              variables="%x = OpVariable %local Function", change=change)


if __name__ == "__main__":
    running.main(globals())
