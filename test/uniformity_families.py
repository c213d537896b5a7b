# SPDX-License-Identifier: Apache-2.0
"""Families of cases for the analysis, each next to similar ones with the opposite verdict: sizes of workgroups and
quotients by them, elements of arrays, shared memory between barriers, values of a subgroup until its invocations move,
and the words of reasons.

    uniformity_families.py --bind B [--only WORD]"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import bind, spirv_as  # noqa: E402
from uniformity_values import IDS, MODULE, WORKGROUP, WORKGROUP_IDS, call, check, zigzag  # noqa: E402


GLSL_SET = '%glsl = OpExtInstImport "GLSL.std.450"'
FACTS = """%id = OpLoad %uvec3 %id_in
%global = OpLoad %uvec3 %global_in
%x = OpCompositeExtract %uint %id 0
%y = OpCompositeExtract %uint %id 1
%z = OpCompositeExtract %uint %id 2
%gx = OpCompositeExtract %uint %global 0
%gy = OpCompositeExtract %uint %global 1
%gz = OpCompositeExtract %uint %global 2
%xy = OpVectorShuffle %uvec2 %id %id 0 1
%yx = OpVectorShuffle %uvec2 %id %id 1 0
%xx = OpVectorShuffle %uvec2 %id %id 0 0
%zyx = OpVectorShuffle %uvec3 %id %id 2 1 0
"""


def check_facts(rows, mode, **more):
    """Rows of an instruction without its result, and whether the result is uniform; for a vector, by component."""
    body = []
    for i, (text, *same) in enumerate(rows):
        op, rest = text.split(" ", 1)
        kind = ("%uint", "%uvec2", "%uvec3")[len(same) - 1] if not rest.startswith("%short") else ""
        body.append("%%r%d = %s %s %s" % (i, op, kind, rest))
        for k, one in enumerate(same):
            if not kind:
                body.append("%%w%d = OpUConvert %%uint %%r%d" % (i, i))
            elif len(same) > 1:
                body.append("%%w%d_%d = OpCompositeExtract %%uint %%r%d %d" % (i, k, i, k))
            name = "r%d" % i if kind and len(same) == 1 else "w%d_%d" % (i, k) if kind else "w%d" % i
            said = one if isinstance(one, str) else "group subgroup" if one else "divergent"
            body.append("use %%%s ;; %s" % (name, said))
    if "%short" in more.get("declarations", ""):
        body.insert(0, "%sx = OpUConvert %short %x")
    check(FACTS + "\n".join(body), decorations=WORKGROUP_IDS + more.pop("decorations", ""),
          declarations=IDS + more.pop("declarations", ""), mode=more.pop("mode_text", "OpExecutionMode %main " + mode),
          **more)


def test_expressions_that_are_constant_for_any_input():
    vectors = """
%short = OpTypeInt 16 0
%s0 = OpConstant %short 0
%most = OpConstant %uint 0xFFFFFFFF
%less = OpConstant %uint 0xFFFFFFFE
%uv01 = OpConstantComposite %uvec2 %u0 %u1
%uv10 = OpConstantComposite %uvec2 %u1 %u0
%uv12 = OpConstantComposite %uvec2 %u1 %u2
%uv64 = OpConstantComposite %uvec2 %u64 %u63
%uv3 = OpConstantComposite %uvec3 %u64 %u1 %u2
%uv4 = OpConstantComposite %uvec3 %u63 %u0 %u1
%nulls = OpConstantNull %uvec2
%i1 = OpConstant %uint 1"""
    check_facts((
        ("OpIMul %x %u0", True), ("OpIMul %u0 %x", True), ("OpIMul %u1 %x", False), ("OpIMul %null %x", True),
        ("OpISub %x %x", True), ("OpISub %x %y", False), ("OpISub %gx %x", True), ("OpISub %gy %y", True),
        ("OpISub %gz %z", True), ("OpISub %gx %gx", True), ("OpISub %gx %y", False), ("OpISub %x %gx", False),
        ("OpISub %gx %z", False), ("OpIAdd %gx %x", False), ("OpBitwiseXor %x %x", True), ("OpBitwiseXor %x %z", False),
        ("OpBitwiseOr %x %x", False), ("OpUMod %x %u1", True), ("OpUMod %x %u2", False), ("OpUMod %u1 %x", False),
        ("OpSRem %x %u1", True), ("OpSRem %x %u0", False), ("OpSMod %x %u1", True), ("OpSMod %x %u3", False),
        ("OpUDiv %u64 %x", False), ("OpSDiv %u64 %x", False), ("OpShiftRightLogical %u0 %x", False),
        ("OpBitwiseAnd %x %u0", True), ("OpBitwiseAnd %u0 %x", True), ("OpBitwiseAnd %all64 %x", True),
        ("OpBitwiseAnd %u32 %x", False), ("OpBitwiseAnd %u64 %x", True), ("OpBitwiseAnd %all64 %gx", True),
        ("OpBitwiseAnd %u64 %gx", True), ("OpBitwiseAnd %u32 %gx", False), ("OpBitwiseAnd %x %most", False),
        ("OpExtInst %glsl UMin %x %u0", True), ("OpExtInst %glsl UMin %u0 %x", True),
        ("OpExtInst %glsl UMin %x %u1", False), ("OpExtInst %glsl UMin %x %most", False),
        ("OpExtInst %glsl UMax %x %most", True), ("OpExtInst %glsl UMax %most %x", True),
        ("OpExtInst %glsl UMax %x %less", False), ("OpExtInst %glsl UMax %x %u0", False),
        ("OpExtInst %glsl SMin %x %u0", False), ("OpExtInst %glsl SMax %x %most", False),
        ("OpExtInst %glsl UClamp %x %u3 %u3", True), ("OpExtInst %glsl UClamp %x %u2 %u3", False),
        ("OpExtInst %glsl UClamp %u3 %u3 %x", False), ("OpExtInst %glsl SClamp %x %u3 %i1", False),
        ("OpExtInst %glsl SClamp %x %u1 %i1", True), ("OpExtInst %glsl UClamp %x %y %y", False)), "LocalSize 64 1 2",
        capabilities=GLSL_SET, declarations=vectors)
    check_facts((
        ("OpIMul %xy %uv01", True, False), ("OpIMul %uv10 %xy", False, True), ("OpIMul %xy %nulls", True, True),
        ("OpUMod %xy %uv12", True, False), ("OpUMod %xy %uv01", False, True), ("OpUDiv %xy %uv64", True, True),
        ("OpUDiv %yx %uv64", True, False), ("OpUDiv %id %uv3", True, False, True),
        ("OpUDiv %id %uv4", False, False, False),
        ("OpUDiv %global %uv3", True, False, True), ("OpUDiv %global %uv4", False, False, False),
        ("OpISub %global %id", True, True, True), ("OpISub %id %global", False, False, False),
        ("OpIMul %id %id", False, False, False), ("OpExtInst %glsl UMin %xy %uv01", True, False),
        ("OpExtInst %glsl UMin %yx %uv01", True, False), ("OpExtInst %glsl UClamp %xy %uv01 %uv01", True, True),
        ("OpExtInst %glsl UClamp %xx %uv12 %uv10", True, False)), "LocalSize 64 2 2", capabilities=GLSL_SET,
        declarations=vectors)
    check_facts((
        ("OpBitwiseAnd %short %sx %s0", True), ("OpExtInst %short %glsl UMin %sx %s0", False),
        ("OpUDiv %short %sx %s64", False), ("OpShiftRightLogical %short %sx %s6", False),
        ("OpIMul %short %sx %s0", True)), "LocalSize 64 1 2", capabilities="OpCapability Int16\n" + GLSL_SET,
        declarations=vectors + "\n%s64 = OpConstant %short 64\n%s6 = OpConstant %short 6")


def test_quotients_by_sizes_of_workgroups():
    """48 invocations, which is not a power of two, by 4 by 2."""
    check_facts((
        ("OpUDiv %x %u48", True), ("OpUDiv %x %u47", False), ("OpUDiv %y %u4", True), ("OpUDiv %y %u3", False),
        ("OpUDiv %z %u2", True), ("OpUDiv %z %u1", False), ("OpUDiv %gx %u48", True), ("OpUDiv %gx %u64", False),
        ("OpUDiv %gx %u96", True), ("OpUDiv %gy %u4", True), ("OpUDiv %gy %u6", False), ("OpUDiv %gy %u8", True),
        ("OpUDiv %gz %u2", True), ("OpUDiv %gz %u3", False), ("OpUDiv %lane %u384", True),
        ("OpUDiv %lane %u383", False),
        ("OpSDiv %x %int_max", True), ("OpSDiv %x %int_min", False), ("OpUDiv %x %int_min", True),
        ("OpUDiv %x %u0", False), ("OpUDiv %gx %u0", False), ("OpSDiv %x %u48", True), ("OpSDiv %gx %u48", "unknown"),
        ("OpShiftRightLogical %x %u6", True), ("OpShiftRightLogical %x %u5", False),
        ("OpShiftRightLogical %gx %u6", False), ("OpShiftRightLogical %gy %u2", True),
        ("OpShiftRightLogical %gy %u1", False), ("OpShiftRightLogical %gz %u1", True),
        ("OpShiftRightLogical %gz %u31", True), ("OpShiftRightLogical %z %u31", True),
        ("OpShiftRightLogical %gx %u31", False), ("OpBitwiseAnd %x %all64", True), ("OpBitwiseAnd %x %u32", False),
        ("OpBitwiseAnd %gx %all64", False), ("OpBitwiseAnd %gy %all64", True), ("OpBitwiseAnd %gy %u2", False),
        ("OpBitwiseAnd %gy %u4", True), ("OpBitwiseAnd %z %u2", True), ("OpBitwiseAnd %z %u1", False),
        ("OpBitwiseAnd %gz %u1", False)), "LocalSize 48 4 2",
        declarations="\n%int_max = OpConstant %uint 0x7FFFFFFF\n%int_min = OpConstant %uint 0x80000000\n"
        "%u48 = OpConstant %uint 48\n%u47 = OpConstant %uint 47\n%u384 = OpConstant %uint 384\n"
        "%u383 = OpConstant %uint 383")


SECOND = """%second = OpFunction %void None %fnvoid
%b_second = OpLabel
OpReturn
OpFunctionEnd"""


def test_sources_of_workgroup_sizes():
    """From all entry points with a size, or from the built-in constant, which takes precedence; of a specialization
    constant, only the fact that it is the size is known."""
    by_64, by_32 = ("OpUDiv %x %u64",), ("OpUDiv %x %u32",)
    other = 'OpEntryPoint {0} %second "second"\nOpExecutionMode %main LocalSize 64 1 1\n'
    mode = "OpExecutionMode %second "
    for modes, is_64, is_32 in (
            ("LocalSize 64 1 1", True, False), ("LocalSize 32 1 1", True, True), ("LocalSize 32 2 1", True, True),
            ("LocalSize 65 1 1", False, False)):
        check_facts((by_64 + (is_64,), by_32 + (is_32,), ("OpIAdd %y %u0", modes != "LocalSize 32 2 1")), modes)
    for model, rest, known in (
            ("GLCompute", mode + "LocalSize 64 1 1", True), ("GLCompute", mode + "LocalSize 32 1 1", False),
            ("GLCompute", "", False), ("Fragment", mode + "OriginUpperLeft", True), ("Vertex", "", True),
            ("GLCompute", mode + "LocalSize 64 1 1\n" + mode + "LocalSize 64 1 1", False),
            ("TaskEXT", mode + "LocalSize 64 1 1", True), ("MeshEXT", mode + "LocalSize 32 1 1", False),
            ("TaskEXT", "", False), ("MeshEXT", "", False), ("TaskNV", "", False), ("MeshNV", "", False)):
        check_facts((by_64 + (known,),), "", mode_text=other.format(model) + rest, functions=SECOND)
    specialized = """
%open = OpSpecConstant %uint 64
%same_id = OpSpecConstant %uint 64
%unlike = OpSpecConstant %uint 32
%plain = OpConstant %uint 64
%another = OpSpecConstant %uint 64"""
    decorations = ("\nOpDecorate %open SpecId 4\nOpDecorate %same_id SpecId 4\nOpDecorate %unlike SpecId 4\n"
                   "OpDecorate %another SpecId 5")
    by_size = (("OpUDiv %x %open", True), ("OpUDiv %x %same_id", True), ("OpUDiv %x %unlike", False),
               ("OpUDiv %x %another", False), ("OpUDiv %x %plain", False), ("OpUDiv %gx %open", True),
               ("OpUDiv %gx %same_id", True), ("OpUDiv %gx %another", False), ("OpUDiv %z %open", False),
               ("OpUDiv %lane %open", False), ("OpSDiv %x %open", False), ("OpUDiv %open %x", False),
               ("OpUMod %x %open", False))
    check_facts(by_size + (("OpUDiv %y %u2", True), ("OpUDiv %y %u1", False)), "", declarations=specialized + "\n",
                decorations=decorations, mode_text="OpExecutionModeId %main LocalSizeId %open %u2 %u2")
    check_facts(tuple((text, False) for text, _ in by_size), "", declarations=specialized, decorations=decorations,
                mode_text='OpEntryPoint GLCompute %second "second"\nOpExecutionModeId %main LocalSizeId %open %u2 %u2\n'
                "OpExecutionMode %second LocalSize 32 2 2", functions=SECOND)
    built_in = specialized + "\n%size = OpSpecConstantComposite %uvec3 %open %u2 %unlike\n" + (
        "%size_x = OpSpecConstantOp %uint CompositeExtract %size 0\n"
        "%size_z = OpSpecConstantOp %uint CompositeExtract %size 2")
    check_facts(by_size + (("OpUDiv %x %size_x", True), ("OpUDiv %x %size_z", False), ("OpUDiv %z %size_z", True),
                           ("OpUDiv %z %size_x", False), ("OpUDiv %y %u2", True), ("OpUDiv %y %u1", False),
                           ("OpUDiv %id %size", True, True, True), ("OpUDiv %global %size", True, True, True),
                           ("OpUDiv %zyx %size", False, True, False)), "LocalSize 1 1 1", declarations=built_in,
                decorations=decorations + "\nOpDecorate %size BuiltIn WorkgroupSize")
    check_facts((by_32 + (True,), by_64 + (True,), ("OpUDiv %x %u31", False), ("OpUDiv %gx %u96", True)),
                "LocalSize 64 1 1", decorations="\nOpDecorate %size BuiltIn WorkgroupSize",
                declarations="\n%size = OpConstantComposite %uvec3 %u32 %u1 %u1")


def check_array(length, stores, rows, element="%uint", **more):
    """A local array: stores of (index, value), then loads of (index, verdict)."""
    body, numbers = [], set()

    def chain(index):
        numbers.update(re.findall(r"%n(\d+)", index))
        body.append("%%c%d = OpAccessChain %%local %%a %s" % (len(body), index))
        return "%%c%d" % (len(body) - 1)

    for index, value in stores:
        body.append("OpStore %s %s" % (chain(index), value))
    for index, verdict in rows:
        pointer = chain(index)
        body.append("%%l%d = OpLoad %%uint %s\nuse %%l%d ;; %s" % (len(body), pointer, len(body), verdict))
    declarations = "\n".join("%%n%s = OpConstant %%uint %s" % (n, n) for n in sorted(numbers | {str(length)})) + (
        "\n%%open = OpSpecConstant %%uint %d\n" % length) + more.pop("declarations", "") + (
        "\n%%array = OpTypeArray %s %s\n%%parray = OpTypePointer Function %%array" % (
            element, more.pop("by", "%%n%d" % length)))
    check("\n".join(body), declarations=declarations, variables="%a = OpVariable %parray Function", **more)


def test_elements_of_arrays():
    """Each element may hold whatever is stored in any of them; stores to all of at most 64 elements overwrite
    everything."""
    alike, differs, bad = "group subgroup", "divergent", "unknown"
    two = (("%n0", "%lane"), ("%n1", "%same"))
    check_array(2, two, (("%n0", differs), ("%n1", differs)))
    check_array(1, (("%n0", "%same"),), (("%n0", bad),)) # more cautious than it need be
    for count, verdict in ((1, alike), (8, alike), (9, differs)): # consecutive chains; the first has the index
        chains = "".join("%%d%d = OpAccessChain %%%s %%d%d%s\n" % (
            i, "parray" if i < count else "local", i - 1, "" if i < count else " %u0") for i in range(1, count + 1))
        chains = chains.replace("%d0", "%a")
        check("%c0 = OpAccessChain %local %a %lane\nOpStore %c0 %lane\n" + chains +
              "OpStore %d{} %same\n".format(count) + "%c1 = OpAccessChain %local %a %u1\n"
              "OpStore %c1 %same\n%v = OpLoad %uint %c1\nuse %v ;; " + verdict,
              declarations="%array = OpTypeArray %uint %u2\n%parray = OpTypePointer Function %array",
              variables="%a = OpVariable %parray Function")
    check_array(2, (("%n0", "%same"), ("%n1", "%same")), (("%n1", bad),), by="%open")
    for length in (17, 40, 63, 64, 65):
        all_ = [("%%n%d" % i, "%same") for i in range(length)]
        verdict = alike if length < 65 else bad
        check_array(length, all_, (("%n3", verdict), ("%other", verdict), ("%lane", differs)))
        for gap in (0, length - 1):
            check_array(length, all_[:gap] + all_[gap + 1:], (("%n3", bad),))
        check_array(length, [("%n5", "%lane")] + all_, (("%n3", alike if length < 65 else differs),))
        check_array(length, all_ + [("%n5", "%lane")], (("%n3", differs),))
        check_array(length, [("%other", "%lane")] + all_, (("%n3", alike if length < 65 else differs),))


def test_nested_elements():
    """Arrays of arrays and of structs: each pair of indexes is an element."""
    alike, differs, bad = "group subgroup", "divergent", "unknown"
    inner = {"element": "%inner", "declarations": "%inner = OpTypeArray %uint %u3"}
    rows = [("%%u%d %%u%d" % (i, k), "%same") for i in range(3) for k in range(3)]
    check_array(3, [("%u1 %u2", "%lane")] + rows[:5] + rows[6:], (("%u1 %u2", differs), ("%u0 %u2", differs)), **inner)
    check_array(3, rows, (("%same %u1", alike), ("%u1 %u1", alike)), **inner)
    check_array(3, rows, (("%same %same", alike), ("%lane %u1", differs)), **inner)
    check_array(3, [("%u1 %u2", "%lane")] + rows, (("%same %same", alike),), **inner)
    check_array(3, rows[:4] + rows[5:], (("%same %same", bad),), **inner)
    check_array(3, rows[:8] + rows[7:8], (("%same %same", bad),), **inner)
    pair = {"element": "%uvec2"}
    check_array(3, [("%u0 %u1", "%lane"), ("%u0 %u0", "%same")], (("%u0 %u0", bad), ("%u0 %u1", differs)), **pair)
    rows = [("%%u%d %%u%d" % (i, k), "%same" if k else "%lane") for i in range(3) for k in range(2)]
    check_array(3, rows, (("%same %u1", alike), ("%same %u0", differs)), **pair)
    check_array(3, rows[1:], (("%same %u1", alike), ("%same %u0", differs)), **pair)
    check_array(3, rows[:-1], (("%same %u1", bad),), **pair)
    members = {"element": "%Member", "declarations": "%Member = OpTypeStruct %uint %uvec2"}
    rows = [("%%u%d %%u1 %%u%d" % (i, k), ("%lane", "%same")[k]) for i in range(3) for k in range(2)]
    check_array(3, rows, (("%same %u1 %u1", alike), ("%same %u1 %u0", differs)), **members)
    check_array(3, rows, (("%u2 %u1 %u1", alike), ("%u2 %u1 %u0", differs)), **members)


SHARED = {"declarations": """%shared = OpTypePointer Workgroup %uint
%one = OpVariable %shared Workgroup
%two = OpVariable %shared Workgroup
%shared2 = OpTypePointer Workgroup %uarr2
%pair = OpVariable %shared2 Workgroup
%u5 = OpConstant %uint 5
%none = OpConstant %uint 0
%relaxed = OpConstant %uint 0x100
%acquire = OpConstant %uint 0x102
%unordered = OpConstant %uint 8
%buffers = OpConstant %uint 0x48
%ordered = OpConstant %uint 0x108
%strict = OpConstant %uint 0x110
%open = OpSpecConstant %uint 2
%open_order = OpSpecConstant %uint 0x108
%fnshared = OpTypeFunction %void %shared"""}


def test_barriers_that_order_shared_memory():
    """A barrier has to be executed by the whole workgroup, cover at least its memory, and order both directions: others
    order nothing."""
    cases = [(scope, memory, "%ordered", scope == "%u2" and memory in ("%u1", "%u2", "%u5"))
             for scope in ("%u1", "%u2", "%u3", "%open") for memory in ("%u0", "%u1", "%u2", "%u3", "%u5", "%open")]
    cases += [("%u2", "%u2", "%" + order, order in ("ordered", "strict")) for order in (
        "none", "relaxed", "acquire", "unordered", "buffers", "ordered", "strict", "open_order")]
    body = []
    for scope, memory, order, orders in cases:
        body.append("OpStore %%one %%lane\nOpControlBarrier %s %s %s\n%%r%d = OpLoad %%uint %%one\nuse %%r%d ;; %s" % (
            scope, memory, order, len(body), len(body), "group subgroup" if orders else "unknown"))
        body.append("OpControlBarrier %u2 %u2 %ordered")
    check("\n".join(body), **SHARED)


PRIVATE = """%private = OpTypePointer Private %uint
%own = OpVariable %private Private
%set = OpVariable %private Private %u1
%private2 = OpTypePointer Private %uvec2
%pair = OpVariable %private2 Private"""


def test_variables_of_the_module():
    """They hold what is stored anywhere, depending on the branch of the store; before the first store they are
    undefined."""
    alike, differs, undefined = "group subgroup", "divergent", "unknown"
    load, branch = "%r = OpLoad %uint {0}\nuse %r ;; {1}\n", (
        "OpSelectionMerge %m None\nOpBranchConditional %odd %a %m\n%a = OpLabel\n{}OpBranch %m\n%m = OpLabel\n")
    part = "%p{0} = OpAccessChain %private %pair %u{0}\n".format
    calls = {name: "%%r_%s = OpFunctionCall %%void %%%s\n" % (name, name) for name in ("writes", "reads", "parts")}
    gone = "OpBranch %next\n%gone = OpLabel\n{}OpBranch %next\n%next = OpLabel\n"

    def function(name, body):
        return FUNCTION % (name, "%fnvoid", "", name, body) + "\n"

    read_own, read_set = (function("reads", "%%q = OpLoad %%uint %s\nuse %%q ;; {}" % name)
                          for name in ("%own", "%set"))
    for body, functions in (
            ("OpStore %own %same\n" + load.format("%own", alike), ""), (load.format("%own", undefined), ""),
            (load.format("%own", undefined) + "OpStore %own %same\n", ""), (load.format("%set", alike), ""),
            ("OpStore %own %lane\nOpStore %own %same\n" + load.format("%own", differs), ""),
            ("OpStore %own %same\n" + branch.format("OpStore %own %other\n") + load.format("%own", differs), ""),
            (branch.format("OpStore %own %other\n") + load.format("%own", differs), ""),
            ("OpStore %own %same\n" + calls["reads"], read_own.format(alike)),
            ("OpStore %own %lane\nOpStore %own %same\n" + calls["reads"], read_own.format(differs)),
            (calls["reads"], read_own.format(undefined)), (calls["reads"], read_set.format(alike)),
            (calls["reads"] + "OpStore %own %same\n", read_own.format(undefined)),
            (branch.format("OpStore %own %same\n") + calls["reads"], read_own.format(differs)),
            (branch.format("OpStore %own %same\n" + calls["reads"]), read_own.format(differs)),
            (branch.format("OpStore %set %u2\n") + calls["reads"], read_set.format(differs)),
            (calls["writes"] + load.format("%own", alike), function("writes", "OpStore %own %same2")),
            ("OpStore %own %lane\n" + calls["writes"] + load.format("%own", differs),
             function("writes", "OpStore %own %same2")),
            (calls["writes"] + "OpStore %own %u1\n" + load.format("%own", differs),
             function("writes", "OpStore %own %lane2")),
            (gone.format("%g = OpLoad %uint %own\n") + "OpStore %own %same\n" + calls["reads"], read_own.format(alike)),
            (gone.format("OpStore %own %lane\n") + "OpStore %own %same\n" + calls["reads"], # more cautious than it
             read_own.format(differs)),                                                     # need be
            ("OpBranch %next\n%next = OpLabel\n%g = OpLoad %uint %own\nOpStore %own %same\n" + calls["reads"],
             read_own.format(undefined)),
            # within one block, the value stored there
            (branch.replace("%odd", "%even").format(calls["writes"]), function("writes", part(0) + part(1) +
             "OpStore %p0 %u1\nOpStore %p1 %u1\n%q = OpLoad %uint %p0\nuse %q ;; " + alike)),
            (branch.replace("%odd", "%even").format(calls["writes"]), function("writes", part(0) + part(1) +
             "OpStore %p1 %u1\n%q = OpLoad %uint %p0\nOpStore %p0 %u1\nuse %q ;; " + undefined)),
            # one part in a branch, the other one always
            (part(0) + part(1) + "OpStore %p0 %same\nOpStore %p1 %same\n" + branch.format("OpStore %p0 %other\n") +
             calls["parts"], function("parts", "%w = OpAccessChain %private %pair %u1\n%q = OpLoad %uint %w\n"
                                      "use %q ;; " + alike)),
            (part(0) + part(1) + "OpStore %p0 %same\nOpStore %p1 %same\n" + branch.format("OpStore %p1 %other\n") +
             calls["parts"], function("parts", "%w = OpAccessChain %private %pair %u1\n%q = OpLoad %uint %w\n"
                                      "use %q ;; " + differs)),
            (part(0) + part(1) + "OpStore %p1 %same\n" + calls["parts"],
             function("parts", "%w = OpAccessChain %private %pair %u1\n%q = OpLoad %uint %w\nuse %q ;; " + alike)),
            (part(0) + "OpStore %p0 %same\n" + calls["parts"],
             function("parts", "%w = OpAccessChain %private %pair %u1\n%q = OpLoad %uint %w\nuse %q ;; " + undefined))):
        names = {"%same2": "%same2 = OpLoad %uint %psame2\n", "%lane2": "%lane2 = OpLoad %uint %lane_in\n"}
        for name, text in names.items():
            if name in functions:
                before = "%psame2 = OpAccessChain %ppushu %push %u0\n" if name == "%same2" else ""
                functions = functions.replace("OpStore %own " + name, before + text + "OpStore %own " + name)
        check(body, declarations=PRIVATE, functions=functions)


FUNCTION = "%%%s = OpFunction %%void None %s\n%s%%b_%s = OpLabel\n%s\nOpReturn\nOpFunctionEnd"


def test_writes_between_barriers():
    """A write by any instruction in the section of the load, before it or after it: other invocations may have executed
    it already."""
    barrier = "OpControlBarrier %u2 %u2 %ordered\n"
    load = "%r = OpLoad %uint %one\nuse %r ;; "
    alike, unknown = "group subgroup", "unknown"
    for before, behind, verdict in (
            ("", "", alike), ("OpStore %one %lane", "", unknown), ("", "OpStore %one %lane", unknown),
            ("OpStore %two %lane", "OpStore %two %same", alike), ("OpStore %pout0 %lane", "OpStore %x %lane", alike),
            ("OpCopyMemory %one %two", "", unknown), ("", "OpCopyMemory %one %x", unknown),
            ("OpCopyMemory %two %one", "OpCopyMemory %x %one", alike),
            ("%a = OpAtomicIAdd %uint %one %u2 %u0 %u1", "", unknown),
            ("", "%a = OpAtomicIAdd %uint %two %u2 %u0 %u1", alike),
            ("%a = OpAtomicIAdd %uint %pout0 %u2 %u0 %u1", "", alike),
            ("%a = OpAtomicLoad %uint %one %u2 %u0", "", unknown), # more cautious than it need be
            ("%a = OpFunctionCall %void %reads", "", alike), ("%a = OpFunctionCall %void %writes", "", unknown),
            ("", "%a = OpFunctionCall %void %writes", unknown), ("", "%a = OpFunctionCall %void %outer", unknown),
            ("%a = OpFunctionCall %void %outer", "", unknown), ("%a = OpFunctionCall %void %waits", "", alike),
            ("OpStore %one %lane\n%a = OpFunctionCall %void %waits", "", alike),
            ("", "%a = OpFunctionCall %void %waits\nOpStore %one %lane", alike),
            ("%a = OpFunctionCall %void %given %one", "", unknown),
            ("%a = OpFunctionCall %void %given %two", "", unknown), # more cautious than it need be
            ("OpMemoryBarrier %u2 %ordered\nOpStore %one %lane\nOpMemoryBarrier %u2 %ordered", "", unknown)):
        functions = "\n".join(FUNCTION % (name, "%fnvoid", "", name, text) for name, text in (
            ("reads", "%q = OpLoad %uint %one"), ("writes", "OpStore %one %u9"), ("waits", barrier),
            ("outer", "%q2 = OpFunctionCall %void %writes")))
        functions += "\n" + FUNCTION % ("given", "%fnshared", "%to = OpFunctionParameter %shared\n", "given",
                                        "OpStore %to %u9")
        check("OpStore %x %lane\nOpStore %one %lane\n" + barrier + before + "\n" + load + verdict + "\n" + behind +
              "\n" + barrier + "OpStore %one %same\nOpStore %two %same\n" + barrier, functions=functions,
              variables="%x = OpVariable %local Function", **SHARED)


MOVES = {"model": "RayGenerationKHR", "mode": "", "capabilities": "OpCapability RayTracingKHR\n"
         'OpCapability GroupNonUniformBallot\nOpExtension "SPV_KHR_ray_tracing"',
         "declarations": """%callable = OpTypePointer CallableDataKHR %uint
%data = OpVariable %callable CallableDataKHR
%private = OpTypePointer Private %uint
%own = OpVariable %private Private %u1
%fnuint = OpTypeFunction %uint %uint""", "variables": "%x = OpVariable %local Function", "functions":
         "\n".join(FUNCTION % (name, "%fnvoid", "", name, text) for name, text in (
             ("moves", "OpExecuteCallableKHR %u0 %data"), ("stays", ""),
             ("through", "%r_through = OpFunctionCall %void %moves"))) + """
%keeps = OpFunction %uint None %fnuint
%kept = OpFunctionParameter %uint
%b_keeps = OpLabel
%k = OpIAdd %uint %kept %u1
OpReturnValue %k
OpFunctionEnd
%spoils = OpFunction %uint None %fnuint
%spoilt = OpFunctionParameter %uint
%b_spoils = OpLabel
OpExecuteCallableKHR %u0 %data
OpReturnValue %spoilt
OpFunctionEnd"""}
MOVE = "OpExecuteCallableKHR %u0 %data\n"
SOME = ("%c = OpUGreaterThan %bool %f %u3\nOpSelectionMerge %met None\n"
        "OpBranchConditional %c %left %right\n%left = OpLabel\n")
OTHERS = "OpBranch %met\n%right = OpLabel\n"
MET_AGAIN = "OpBranch %met\n%met = OpLabel\n"


def test_how_deeply_calls_are_followed():
    """A chain of 65 calls is followed, in the order of zigzag, and one of 129 if a pointer is passed on. With one more
    call nothing is known of any function, even outside of the chain."""
    def chain(count, last):
        return zigzag(count, lambda i: "%%l%d = OpLabel\n%s\nOpReturn\nOpFunctionEnd" % (i, last), call, "%fnvoid")

    def given(count):
        begin = "%%p%d = OpFunctionParameter %%puint\n%%l%d = OpLabel\n"
        return zigzag(count, lambda i: (begin + "OpStore %%p%d %%u1\nOpReturn\nOpFunctionEnd") % (i, i, i), lambda i: (
            begin + "%%r%d = OpFunctionCall %%void %%f%d %%p%d\nOpReturn\nOpFunctionEnd") % (i, i, i, i + 1, i),
                      "%fnptr")

    first, moves = "%f = OpGroupNonUniformBroadcastFirst %uint %u3 %lane\n", "OpExecuteCallableKHR %u0 %data"
    barrier = "OpControlBarrier %u2 %u2 %ordered\n"
    stays = FUNCTION % ("stays", "%fnvoid", "", "stays", "") + "\n"
    for count, one in ((65, "subgroup"), (66, "divergent")):
        check(first + "%a = OpFunctionCall %void %stays\nuse %f ;; " + one, **dict(
            MOVES, functions=stays + chain(count, moves)))
        check(first + "%a = OpFunctionCall %void %f0\nuse %f ;; divergent", **dict(
            MOVES, functions=chain(count, moves)))
        for name, verdict in (("stays", "group subgroup"), ("f0", "unknown")):
            check(barrier + "OpStore %one %same\n" + barrier + "%a = OpFunctionCall %void %" + name +
                  "\n%l = OpLoad %uint %one\nuse %l ;; " + verdict, functions=stays + chain(count, "OpStore %one %u9"),
                  **SHARED)
    for count, both in ((129, "group subgroup"), (130, "unknown")):
        check("%a = OpFunctionCall %void %f0 %pout0\n%l = OpLoad %uint %pro\nuse %l ;; " + both, functions=given(count),
              declarations="%fnptr = OpTypeFunction %void %puint")


def test_values_of_a_subgroup_until_invocations_move():
    """Values of a subgroup are no longer uniform on each path on which invocations may have moved to other
    subgroups."""
    first = "%f = OpGroupNonUniformBroadcastFirst %uint %u3 %lane\n"
    use, one, none = "use %f ;; ", "subgroup\n", "divergent\n"
    load, put = "%l = OpLoad %uint %x\nuse %l ;; ", "OpStore %x %f\n"
    loop = ("OpBranch %head\n%head = OpLabel\nOpLoopMerge %met %on None\nOpBranchConditional %even %in %met\n"
            "%in = OpLabel\n")
    again = "OpBranch %on\n%on = OpLabel\nOpBranch %head\n%met = OpLabel\n"
    for body in (
            use + one, MOVE + use + none, "use %same ;; group\n" + MOVE + "use %same ;; group\n",
            "OpStore %x %u1\n" + MOVE + load + "group subgroup", put + load + one, put + MOVE + load + none,
            "%l = OpLoad %uint %x\n" + MOVE + put + "%n = OpLoad %uint %x\nuse %n ;; " + none,
            MOVE + "%g = OpGroupNonUniformBroadcastFirst %uint %u3 %lane\nuse %g ;; " + one,
            SOME + MOVE + use + none + OTHERS + use + one + MET_AGAIN + use + none,
            SOME + use + one + MOVE + OTHERS + use + one + MET_AGAIN + use + none,
            SOME + use + one + OTHERS + use + one + MET_AGAIN + use + one + MOVE + use + none,
            SOME + put + OTHERS + put + MET_AGAIN + load + one,
            SOME + put + OTHERS + put + MOVE + MET_AGAIN + load + none,
            SOME + MOVE + put + OTHERS + put + MET_AGAIN + load + none,
            SOME + OTHERS + MET_AGAIN + "%p = OpPhi %uint %f %left %u2 %right\nuse %p ;; " + one,
            SOME.replace("%c %left", "%even %left") + OTHERS + MET_AGAIN +
            "%p = OpPhi %uint %u1 %left %u2 %right\nuse %p ;; group\n",
            SOME + MOVE + OTHERS + MET_AGAIN + "%p = OpPhi %uint %f %left %u2 %right\nuse %p ;; " + none,
            SOME + OTHERS + MOVE + MET_AGAIN + "%p = OpPhi %uint %u1 %left %u2 %right\nuse %p ;; " + none,
            loop + use + none + MOVE + again + use + none, loop + use + one + again + use + one,
            loop + use + one + again + use + one + MOVE,
            "%a = OpFunctionCall %void %moves\n" + use + none, "%a = OpFunctionCall %void %stays\n" + use + one,
            "%a = OpFunctionCall %void %through\n" + use + none,
            "%a = OpFunctionCall %uint %keeps %f\nuse %a ;; " + one,
            "%a = OpFunctionCall %uint %spoils %f\nuse %a ;; " + none,
            "%a = OpFunctionCall %uint %spoils %same\nuse %a ;; group\n",
            "OpStore %own %f\n%l = OpLoad %uint %own\nuse %l ;; " + none,
            "OpStore %own %u2\n%l = OpLoad %uint %own\nuse %l ;; group\n"):
        check(first + body, **MOVES)


ARMS = """OpSelectionMerge %met None
OpBranchConditional {condition} %yes %no
%yes = OpLabel
{use_yes} ;; {yes}
OpBranch %met
%no = OpLabel
{use_no} ;; {no}
OpBranch %met
%met = OpLabel
"""
EQUALS = {"capabilities": "OpCapability GroupNonUniformBallot\nOpCapability Int64",
          "variables": "%x = OpVariable %local Function\n%c = OpVariable %ptruth Function\n"
                       "%v = OpVariable %local2 Function",
          "decorations": "OpDecorate %group_in BuiltIn WorkgroupId\nOpDecorate %open SpecId 0", "declarations": """
%ptruth = OpTypePointer Function %bool
%uvec3 = OpTypeVector %uint 3
%in3 = OpTypePointer Input %uvec3
%group_in = OpVariable %in3 Input
%open = OpSpecConstant %uint 3
%null = OpConstantNull %uint
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool"""}


NO_NUMBER = "SampleId"  # differs, but several invocations may have the same


def test_equalities_from_conditions():
    """In the branch where the condition holds, and in the other one: with each comparison, each combination of
    conditions, and all aliases of the value and the condition."""
    eq, ne = "%e = OpIEqual %bool %lane %same\n", "%e = OpINotEqual %bool %lane %same\n"
    group, both, subgroup, differs = "group", "group subgroup", "subgroup", "divergent"

    def nots(count):
        return eq + "".join("%%n%d = OpLogicalNot %%bool %s\n" % (i, "%%n%d" % (i - 1) if i else "%e")
                            for i in range(count)), "%%n%d" % (count - 1)

    rows = [
        (eq, "%e", group, differs), (ne, "%e", differs, group),
        ("%e = OpIEqual %bool %same %lane\n", "%e", group, differs),
        ("%e = OpINotEqual %bool %same %lane\n", "%e", differs, group),
        ("%e = OpIEqual %bool %lane %u3\n", "%e", both, differs),
        ("%e = OpIEqual %bool %lane %open\n", "%e", both, differs),
        ("%e = OpIEqual %bool %lane %null\n", "%e", both, differs),
        ("%e = OpULessThanEqual %bool %lane %same\n", "%e", differs, differs),
        ("%e = OpIEqual %bool %lane %lane\n", "%e", differs, differs),
        ("%l = OpLoad %uint %pro\n%e = OpIEqual %bool %lane %l\n", "%e", differs, differs),
        ("%l = OpLoad %uvec3 %group_in\n%e = OpIEqual %bool %lane %same\n", "%e", group, differs),
        ("%g = OpAccessChain %inint %group_in %u1\n%l = OpLoad %uint %g\n%e = OpIEqual %bool %lane %l\n", "%e", group,
         differs),
        ("%l = OpLoad %uint %lane_in\n%e = OpIEqual %bool %lane %l\n", "%e", differs, differs),
        ("%f = OpGroupNonUniformBroadcastFirst %uint %u3 %lane\n"
         "%e = OpIEqual %bool %lane %f\n", "%e", subgroup, differs),
        ("%f = OpGroupNonUniformBroadcastFirst %uint %u3 %lane\n"
         "%e = OpIEqual %bool %f %lane\n", "%e", subgroup, differs),
        ("%f = OpGroupNonUniformShuffle %uint %u3 %lane %u1\n%e = OpIEqual %bool %f %lane\n", "%e", differs, differs),
        (*nots(1), differs, group), (*nots(2), group, differs), (*nots(3), differs, group),
        (*nots(4), differs, differs), # the maximum number of terms
        (eq + "%a = OpLogicalAnd %bool %e %even\n", "%a", group, differs),
        (eq + "%a = OpLogicalAnd %bool %even %e\n", "%a", group, differs),
        (eq + "%a = OpLogicalOr %bool %even %e\n", "%a", differs, differs),
        (ne + "%a = OpLogicalOr %bool %even %e\n", "%a", differs, group),
        (ne + "%a = OpLogicalOr %bool %e %even\n", "%a", differs, group),
        (ne + "%a = OpLogicalAnd %bool %e %even\n", "%a", differs, differs),
        (ne + "%o = OpLogicalOr %bool %even %e\n%a = OpLogicalNot %bool %o\n", "%a", group, differs),
        (eq + "%o = OpLogicalAnd %bool %e %even\n%a = OpLogicalAnd %bool %odd %o\n", "%a", group, differs),
        (eq + "%a = OpLogicalEqual %bool %e %true\n", "%a", differs, differs),
        (eq + "OpStore %c %e\n%a = OpLoad %bool %c\n", "%a", group, differs),
        (eq + "OpStore %c %e\nOpStore %c %even\n%a = OpLoad %bool %c\n", "%a", differs, differs),
        (eq + "%a = OpCopyObject %bool %e\n", "%a", group, differs),
        ("%k = OpCopyObject %uint %lane\n%e = OpIEqual %bool %k %same\n", "%e", group, differs),
        ("%k = OpIAdd %uint %lane %u1\n%e = OpIEqual %bool %k %same\n", "%e", differs, differs),
        ("OpStore %x %lane\n%k = OpLoad %uint %x\n%e = OpIEqual %bool %k %same\n", "%e", group, differs),
        ("OpStore %v %mixed\n%k = OpAccessChain %local %v %u1\n%l = OpLoad %uint %k\n"
         "%e = OpIEqual %bool %l %same\n", "%e", differs, differs),
    ]
    for before, condition, yes, no in rows:
        check(before + ARMS.format(condition=condition, yes=yes, no=no, use_yes="use %lane", use_no="use %lane"),
              lane=NO_NUMBER, **EQUALS)


def test_equalities_of_aliases():
    """A variable is equal to the value stored to it, until another store."""
    keep = "OpStore %x %lane\n"
    load = "%l = OpLoad %uint %x\n%e = OpIEqual %bool %l %same\n"
    group, differs = "group", "divergent"
    again = "%m = OpLoad %uint %x\nuse %m"
    for before, use_yes, yes in (
            (keep + load, again, group), (keep + load, "use %l", group),
            (keep + load, "OpStore %x %lane\n" + again, group),
            (keep + load, "%n = OpIMul %uint %lane %u9\nOpStore %x %n\n" + again, group),
            (keep + load + "OpStore %x %lane\n", again, group),
            (keep + "%n = OpIMul %uint %lane %u9\n" + load + "OpStore %x %n\n", again, differs),
            (keep + load, "%k = OpCopyObject %uint %l\nuse %k", group),
            (keep + load, "%k = OpISub %uint %l %u1\nuse %k", group),
            ("%q = OpAtomicIAdd %uint %pout0 %u1 %u0 %u1\nOpStore %x %q\n" + load, again, group),
            ("%q = OpAtomicIAdd %uint %pout0 %u1 %u0 %u1\nOpStore %x %q\n" + load, "use %q", group),
            ("%q = OpAtomicIAdd %uint %pout0 %u1 %u0 %u1\nOpStore %x %q\n" + load,
             "%w = OpAtomicIAdd %uint %pout0 %u1 %u0 %u1\nOpStore %x %w\n" + again, differs),
            ("OpStore %v %mixed\n%pv = OpAccessChain %local %v %u1\n%pw = OpAccessChain %local %v %u0\n"
             "%l = OpLoad %uint %pv\n%e = OpIEqual %bool %l %same\n", "%m = OpLoad %uint %pv\nuse %m", group),
            ("OpStore %v %twice\n%pv = OpAccessChain %local %v %u1\n%pw = OpAccessChain %local %v %u0\n"
             "%l = OpLoad %uint %pv\n%e = OpIEqual %bool %l %same\n", "%m = OpLoad %uint %pw\nuse %m", differs),
            ("OpStore %v %twice\n%pv = OpAccessChain %local %v %u1\n"
             "%l = OpLoad %uint %pv\n%e = OpIEqual %bool %l %same\n"
             "OpStore %v %mixed\n", "%m = OpLoad %uint %pv\nuse %m", differs)):
        check("%twice = OpCompositeConstruct %uvec2 %lane %lane\n" + before + ARMS.format(
            condition="%e", yes=yes, no=differs, use_yes=use_yes, use_no="use %lane"), lane=NO_NUMBER, **EQUALS)


def test_too_many_branches():
    """The results of 32 comparisons are remembered."""
    body = "".join("%%e%d = OpIEqual %%bool %%lane %%same\n"
                   "OpSelectionMerge %%m%d None\nOpBranchConditional %%e%d %%y%d %%m%d\n"
                   "%%y%d = OpLabel\nuse %%lane ;; %s\nOpBranch %%m%d\n%%m%d = OpLabel\n" % (
                       i, i, i, i, i, i, "group" if i < 32 else "divergent", i, i) for i in range(34))
    check(body)


LANE = "LocalInvocationIndex is a built-in that differs between invocations in compute"
X = {"variables": "%x = OpVariable %local Function"}
ADDS = {"declarations": "%fnu = OpTypeFunction %uint %uint", "functions": """%g = OpFunction %uint None %fnu
%p = OpFunctionParameter %uint
%b_g = OpLabel
%q = OpIAdd %uint %p %u1
use %q
OpReturnValue %q
OpFunctionEnd"""}
WRITES = {"declarations": "%fnp = OpTypeFunction %void %local", **X, "functions": """%g = OpFunction %void None %fnp
%p = OpFunctionParameter %local
%b_g = OpLabel
%in = OpLoad %uint %p
use %in
%lane2 = OpLoad %uint %lane_in
OpStore %p %lane2
OpReturn
OpFunctionEnd"""}
DRAWN = {"model": "Fragment", "mode": "OpExecutionMode %main OriginUpperLeft",
         "declarations": "%in2 = OpVariable %inint Input"}
REASONS = ( # body and the rest; the reason for each use, / and for the subgroup if it differs
    ("use %same", {},
     "push is memory that nothing writes"),
    ("%u = OpIAdd %uint %same %lane\nuse %u", {},
     "the index follows from u, which is computed from lane, LANE"),
    ("%u = OpIAdd %uint %same %other\nuse %u", {},
     "push is memory that nothing writes"),
    ("%u = OpLoad %uint %pro\n%v = OpIMul %uint %u %same\nuse %v", {},
     "ro is memory that nothing writes, push is memory that nothing writes"),
    ("%u = OpLoad %uint %pout0\nuse %u", {},
     "the index follows from u, out is read from memory that this shader writes or that "
     "others may write concurrently"),
    ("%u = OpUndef %uint\nuse %u", {},
     "the index follows from u, u is undefined"),
    ("use %undef", {},
     "undef is undefined"),
    ("%u = OpIAdd %uint %undef %lane\nuse %u", {},
     "the index follows from u, which is computed from lane, LANE"),
    ("%f = OpGroupNonUniformBroadcastFirst %uint %u3 %lane\nuse %f", {},
     "the index follows from f, which is computed from lane, LANE"),
    ("%f = OpGroupNonUniformBroadcastFirst %uint %u3 %same\nuse %f", {},
     "f is made uniform by a subgroup operation, push is memory that nothing writes"),
    ("%f = OpGroupNonUniformShuffle %uint %u3 %same %u1\nuse %f", {},
     "the index follows from f, f comes from another invocation, which may not run or may "
     "belong to another group"),
    ("%f = OpAtomicIAdd %uint %pout0 %u1 %u0 %u1\nuse %f", {},
     "the index follows from f, f is the result of an atomic instruction, another one for each invocation"),
    ("%f = OpGroupNonUniformIAdd %uint %u3 Reduce %lane\nuse %f", {},
     "the index follows from f, f is uniform only within a subgroup"),
    ("OpSelectionMerge %met None\nOpBranchConditional %odd %a %met\n%a = OpLabel\n"
     "OpBranch %met\n%met = OpLabel\n%p = OpPhi %uint %u1 %a %u2 %entry\nuse %p", {},
     "the index follows from p, which is decided by the branch on odd, which is computed "
     "from lane, LANE"),
    ("%m = OpUMod %uint %lane %u1\nuse %m", {},
     "m is uniform for this workgroup size"),
    ("%i = OpIAdd %uint %u1 %u2\nuse %i", {},
     "it is computed from constants"),
    ("%a = OpIEqual %bool %lane %u0\nOpSelectionMerge %met None\nOpBranchConditional %a %one %met\n%one = OpLabel\n"
     "%u = OpLoad %uint %pout0\nuse %u\nOpBranch %met\n%met = OpLabel", {},
     "it is executed by a single invocation"),
    ("OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %u0 %entry %j %c\nOpLoopMerge %e %c None\n"
     "OpBranch %t\n%t = OpLabel\n%k = OpUGreaterThan %bool %i %lane\n"
     "OpBranchConditional %k %e %c\n%c = OpLabel\n%j = OpIAdd %uint %i %u1\nOpBranch %h\n"
     "%e = OpLabel\nuse %i", {},
     "the index comes from a loop that invocations leave in different iterations because of "
     "k, which is computed from lane, LANE"),
    ("OpStore %x %lane\n%u = OpLoad %uint %x\nuse %u", X,
     "the index follows from u, which holds the stored value of x, which holds the stored "
     "value of lane, LANE"),
    ("%u = OpLoad %uint %x\nuse %u", X,
     "the index follows from u, which holds the stored value of x, x is undefined"),
    ("OpStore %x %lane\nOpSelectionMerge %met None\nOpBranchConditional %even %a %met\n"
     "%a = OpLabel\nOpStore %x %same\nOpBranch %met\n%met = OpLabel\n%u = OpLoad %uint %x\n"
     "use %u", X,
     "the index follows from u, which holds the stored value of x, which holds the stored "
     "value of lane, LANE"),
    ("OpStore %x %same\nOpSelectionMerge %met None\nOpBranchConditional %odd %a %met\n"
     "%a = OpLabel\nOpStore %x %other\nOpBranch %met\n%met = OpLabel\n%u = OpLoad %uint %x\n"
     "use %u", X,
     "the index follows from u, which holds the stored value of x, which is decided by the "
     "branch on odd, which is computed from lane, LANE"),
    ("%r = OpFunctionCall %uint %g %lane\nuse %r", ADDS,
     "the index follows from r, which is computed by a function from lane, LANE; the index "
     "follows from q, which is computed from p, which receives the argument lane, LANE"),
    ("%r = OpFunctionCall %uint %g %same\nuse %r", ADDS,
     "push is memory that nothing writes; push is memory that nothing writes"),
    ("", ADDS,
     "the index follows from q, which is computed from p, p is a parameter of a function "
     "whose callers are unknown"),
    ("OpStore %x %same\n%r = OpFunctionCall %void %g %x\n%u = OpLoad %uint %x\nuse %u", WRITES,
     "the index follows from u, which holds the stored value of x, which is returned by p, "
     "which holds the stored value of lane2, LANE; push is memory that nothing writes"),
    ("OpStore %x %lane\n%r = OpFunctionCall %void %g %x\n%u = OpLoad %uint %x\nuse %u", WRITES,
     "the index follows from u, which holds the stored value of x, which is returned by p, "
     "which holds the stored value of lane2, LANE; the index follows from in, which holds "
     "the stored value of p, which is computed from x, which holds the stored value "
     "of lane, LANE"),
    ("", WRITES,
     "the index follows from in, which is computed from p, p is a parameter of a function "
     "whose callers are unknown"),
    ("%pi = OpAccessChain %local %arr %lane\n%u = OpLoad %uint %pi\nuse %u",
     dict(variables="%arr = OpVariable %parr Function %ca",
          declarations="%parr = OpTypePointer Function %uarr2\n"
          "%ca = OpConstantComposite %uarr2 %u1 %u2"),
     "the index follows from u, which is loaded from an address that depends on pi, which "
     "is computed from lane, LANE"),
    ("use %lane", dict(decorations="OpDecorate %lane Uniform"),
     "the index follows from lane, LANE"),
    ("use %lane", dict(decorations="OpDecorate %lane UniformId %u2"),
     "LocalInvocationIndex is decorated Uniform / the index follows from lane, LANE"),
    ("use %lane", dict(decorations="OpDecorate %lane NonUniform"),
     "the index follows from lane, LANE"),
    ("use %same", dict(decorations="OpDecorate %same NonUniform"),
     "push is memory that nothing writes"),
    ("%u = OpLoad %uint %wg\nuse %u",
     dict(declarations="%pwg = OpTypePointer Workgroup %uint\n%wg = OpVariable %pwg Workgroup"),
     "the index follows from u, wg is read from memory that this shader writes or that "
     "others may write concurrently"),
    ("%u = OpLoad %uint %in2\nuse %u", DRAWN | dict(decorations="OpDecorate %in2 Location 0\nOpDecorate %in2 Flat"),
     "the index follows from u, in2 is an input of each invocation"),
    ("%u = OpLoad %uint %in2\nuse %u", DRAWN | dict(decorations="OpDecorate %in2 BuiltIn SampleId"),
     "the index follows from u, SampleId is a built-in that differs between invocations in "
     "fragment"),
    ("%f = OpGroupNonUniformBroadcastFirst %uint %u3 %lane\nOpExecuteCallableKHR %u0 %data\n"
     "use %f\nuse %same", MOVES,
     "the index follows from f, f is uniform only within a subgroup / f was computed before "
     "a ray was traced, which may move invocations to other subgroups; push is memory that "
     "nothing writes / same was computed before a ray was traced, which may move "
     "invocations to other subgroups"),
    ("use %same", MOVES,
     "push is memory that nothing writes / the index follows from same, push is uniform "
     "only within one draw or launch, and a subgroup may span several in raygen"),
    ("%u = OpLoad %uint %data\nuse %u", MOVES,
     "the index follows from u, data is callable data, which each invocation has for itself"),
    ("%u = OpLoad %uint %own\nuse %u\nOpStore %own %same",
     dict(declarations="%pp = OpTypePointer Private %uint\n%own = OpVariable %pp Private"),
     "the index follows from u, which holds the stored value of own, own is undefined"),
)


AT = {line: "OpLine %%file %d 1\n" % line for line in range(3, 12)}
IN_FILE = {"mode": WORKGROUP + '\n%file = OpString "a.comp"', **X, "declarations": """%fnr = OpTypeFunction %uint
%private = OpTypePointer Private %uint
%own = OpVariable %private Private %u1"""}
IN_BRANCH = (AT[4] + "OpSelectionMerge %met None\nOpBranchConditional %odd %a %met\n%a = OpLabel\n" + AT[5] +
             "{}OpBranch %met\n" + AT[6] + "%met = OpLabel\n" + AT[7])
PLACES = (
    (AT[3] + "%r = OpFunctionCall %uint %g\nuse %r", IN_FILE | {
        "functions": AT[9] + "%g = OpFunction %uint None %fnr\n%b_g = OpLabel\n" + AT[10] +
                     "%lane2 = OpLoad %uint %lane_in\n" + AT[11] + "OpReturnValue %lane2\nOpFunctionEnd"},
     "the index follows from r (a.comp:3), which is returned by g (a.comp:9), which is computed from lane2 "
     "(a.comp:10), LANE (a.comp:10)"),
    (AT[3] + "OpStore %x %lane\n" + AT[4] + "%u = OpLoad %uint %x\nuse %u", IN_FILE,
     "the index follows from u (a.comp:4), which holds the stored value of x (a.comp:3), which holds the stored value "
     "of lane, LANE"),
    (AT[3] + "OpStore %x %same\n" + IN_BRANCH.format("OpStore %x %other\n") + "%u = OpLoad %uint %x\nuse %u", IN_FILE,
     "the index follows from u (a.comp:7), which holds the stored value of x (a.comp:6), which is decided by the "
     "branch on odd, which is computed from lane, LANE"),
    (IN_BRANCH.format("%r = OpFunctionCall %void %w\n") + "%u = OpLoad %uint %own\nuse %u",
     IN_FILE | {"functions": FUNCTION % ("w", "%fnvoid", "", "w", AT[10] + "OpStore %own %u3")},
     "the index follows from u (a.comp:7), which holds the stored value of own, which is decided by the branch on odd, "
     "which is computed from lane, LANE"))


def reasons(body, capabilities="", decorations="", declarations="", variables="", functions="", mode=WORKGROUP,
            model="GLCompute"):
    """The reason for each `use`, and for the subgroup if it differs. All results are named."""
    def use(found):
        return "%%chain_%s = OpAccessChain %%puint %%bufs %%%s %%u0\n%%value_%s = OpLoad %%uint %%chain_%s" % (
            (found[1],) * 4)

    named = ["push", "ro", "out", "lane_in", "lane", "same", "other", "odd", "undef"]
    named += re.findall(r"(?m)^%(\w+) = Op(?!Type|Constant|Label)",
                        "\n".join((body, functions, declarations, variables)))
    body, functions = (re.sub(r"(?m)^use %(\w+)$", use, text) for text in (body, functions))
    text = MODULE.format(capabilities=capabilities, decorations=decorations, declarations=declarations, model=model,
                         mode=mode + "".join('\nOpName %%%s "%s"' % (name, name) for name in named),
                         variables=variables, body=body, functions=functions)
    layout = json.loads(bind("layout", "-q", "--auto-binding=65534", "--accesses", "--layout-json",
                             spirv_as(text, "m.asm.spv", "spv1.3")).stdout)
    return [[[re.sub(r'"(\w+)"', r"\1", why["text"]) for why in a.get(key, [])] for key in ("why", "whySubgroup")]
            for a in layout["accesses"] if a["index"] is None and "indexId" in a]


def test_reasons():
    """Each kind of cause, and each kind of step from it, has its words, and its location if that is known."""
    for body, rest, wanted in REASONS + PLACES:
        told = "; ".join(" / ".join(", ".join(texts) for texts in one if texts) for one in reasons(body, **rest))
        assert told.replace(LANE, "LANE") == wanted, "%s\n%s" % (body, told)


if __name__ == "__main__":
    running.main(globals())
