# SPDX-License-Identifier: Apache-2.0
"""Sizes and lengths in the layout JSON: array lengths that are expressions, blocks with pointers, push-constant ranges.

    sizes.py --bind B

Random OpSpecConstantOp expressions are evaluated three times: by spirv-bind, by the few lines of Python below, and by
spirv-opt, which freezes and folds them. Sizes of blocks are compared with what SPIRV-Cross reflects.
"""
import json
import os
import random
import re
import subprocess

import running
from running import spirv_as

FIXTURES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "spirv-fixtures", "sizes")


def layout(path, *options):
    return json.loads(running.bind("layout", path, "-q", "--order=module", "--layout-json", *options).stdout)


def test_a_length_depends_on_the_constants_of_every_stage():
    for name, stage in ((1, "vert"), (2, "frag")):
        running.write("a." + stage, "#version 450\nlayout(constant_id = %d) const int N = %d;\n"
                      "layout(binding = 65534) uniform sampler2D t[N];\n"
                      "void main() { vec4 v = texture(t[0], vec2(0)); }" % (name, name + 3))
        running.glslang("a." + stage, stage + ".spv")
    text = running.bind("layout", "-q", "--auto-binding=65534", "vert.spv", "frag.spv", "--layout-json").stdout
    entry, = json.loads(text)["sets"][0]["bindings"]
    assert entry["count"] == 5 and entry["countSpecIds"] == [1, 2], entry
    assert [v["countSpecIds"] for v in entry["views"]] == [[1], [2]], entry


def assemble(text, path, env="spv1.5"):
    return spirv_as(text, path, env)


class Expression:
    """Integer constants of one width, each with its SPIR-V and its value, seen as unsigned."""

    KINDS = ["IAdd", "ISub", "IMul", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "SNegate", "Not", "UDiv", "SDiv", "UMod",
             "SRem", "SMod", "ShiftLeftLogical", "ShiftRightLogical", "ShiftRightArithmetic", "Select"]

    def __init__(self, rng, width, kinds=KINDS):
        self.rng, self.width, self.mask, self.kinds = rng, width, (1 << width) - 1, kinds
        self.lines, self.count, self.specs = [], 0, 0

    def add(self, text, value):
        self.count += 1
        self.lines.append("%%e%d_%d = %s" % (self.width, self.count, text))
        return "%%e%d_%d" % (self.width, self.count), value & self.mask

    def number(self, value, spec=False):
        name, value = self.add("%s %%uint%d %d" % ("OpSpecConstant" if spec else "OpConstant", self.width,
                                                   value & self.mask), value)
        if spec:
            self.specs += 1
        return name, value

    def signed(self, value):
        return value - (self.mask + 1) if value >> (self.width - 1) else value

    def op(self, name, *operands, value, type=None):
        return self.add("OpSpecConstantOp %s %s %s" % (type or "%%uint%d" % self.width, name,
                                                       " ".join(o[0] for o in operands)), value)

    def make(self, depth):
        rng = self.rng
        if not depth:
            return self.number(rng.choice([0, 1, 2, 3, 7, self.mask, self.mask >> 1, rng.randrange(self.mask)]),
                               rng.random() < 0.5)
        a, b = self.make(depth - 1), self.make(depth - 1)
        x, y, sx, sy = a[1], b[1], self.signed(a[1]), self.signed(b[1])
        kind = rng.choice(self.kinds)
        if kind in ("SNegate", "Not"):
            return self.op(kind, a, value=-x if kind == "SNegate" else ~x)
        if kind == "Select":
            name, holds = rng.choice([("ULessThan", x < y), ("SLessThan", sx < sy), ("IEqual", x == y),
                                      ("UGreaterThanEqual", x >= y), ("SGreaterThan", sx > sy), ("INotEqual", x != y)])
            condition = self.op(name, a, b, value=int(holds), type="%bool")
            return self.op("Select", condition, a, b, value=x if holds else y)
        if kind.startswith("Shift"):
            by = rng.randrange(self.width)
            value = {"ShiftLeftLogical": x << by, "ShiftRightLogical": x >> by, "ShiftRightArithmetic": sx >> by}[kind]
            return self.op(kind, a, self.number(by), value=value)
        if kind in ("UDiv", "UMod", "SDiv", "SRem", "SMod"):
            if not y or (sx == -(1 << (self.width - 1)) and sy == -1):  # undefined
                return a
            quotient = abs(sx) // abs(sy) * (1 if (sx < 0) == (sy < 0) else -1)
            value = {"UDiv": x // y, "UMod": x % y, "SDiv": quotient, "SRem": sx - quotient * sy, "SMod": sx % sy}[kind]
            return self.op(kind, a, b, value=value)
        value = {"IAdd": x + y, "ISub": x - y, "IMul": x * y, "BitwiseAnd": x & y, "BitwiseOr": x | y,
                 "BitwiseXor": x ^ y}[kind]
        return self.op(kind, a, b, value=value)


HEAD = """OpCapability Shader
OpCapability Int64
OpCapability Int16
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main"
OpExecutionMode %%main LocalSize 1 1 1
%s
%%void = OpTypeVoid
%%fn = OpTypeFunction %%void
%%bool = OpTypeBool
%%float = OpTypeFloat 32
%%uint16 = OpTypeInt 16 0
%%uint32 = OpTypeInt 32 0
%%uint64 = OpTypeInt 64 0
%%image = OpTypeImage %%float 2D 0 0 0 1 Unknown
%s
%%main = OpFunction %%void None %%fn
%%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def arrays(seed, widths, count, kinds=Expression.KINDS):
    """Assembly of a module with arrays of random lengths from 1 to 64, and the lengths."""
    rng = random.Random(seed)
    notes, body, lengths = [], [], []
    makers = {width: Expression(rng, width, kinds) for width in widths}
    for i in range(count):
        e = makers[rng.choice(widths)]
        e.lines = []
        value = e.make(rng.randrange(1, 5))
        small = e.op("BitwiseAnd", value, e.number(63), value=value[1] & 63)
        length = e.op("IAdd", small, e.number(1), value=small[1] + 1)
        lengths.append(length[1])
        for line in e.lines:
            if " = OpSpecConstant " in line:
                notes.append("OpDecorate %s SpecId %d" % (line.split()[0], len(notes)))
        body += e.lines
        body += ["%%array%d = OpTypeArray %%image %s" % (i, length[0]),
                 "%%pointer%d = OpTypePointer UniformConstant %%array%d" % (i, i),
                 "%%v%d = OpVariable %%pointer%d UniformConstant" % (i, i)]
        notes += ["OpDecorate %%v%d DescriptorSet 0" % i, "OpDecorate %%v%d Binding %d" % (i, i)]
    notes.sort(key=lambda line: "SpecId" not in line)
    return HEAD % ("\n".join(notes), "\n".join(body)), lengths


def counts(path):
    (only,) = layout(path)["sets"]
    return [b["count"] for b in only["bindings"]]


def test_expressions_are_folded():
    for seed in range(12):
        text, lengths = arrays(seed, [16, 32, 64], 40)
        got = counts(assemble(text, "m.spv"))
        assert got == lengths, (seed, [(i, a, b) for i, (a, b) in enumerate(zip(got, lengths)) if a != b][:5])


def test_expressions_fold_as_in_spirv_opt():
    """The frozen module has plain constants wherever spirv-opt folds, and otherwise still the expressions. Without
    OpSMod: spirv-opt 2023.1 adds the divisor first and wraps around (3 mod 2147483647 gives it 2)."""
    kinds = [kind for kind in Expression.KINDS if kind != "SMod"]
    folded = 0
    for seed in range(100, 106):
        text, lengths = arrays(seed, [32], 40, kinds)
        path = assemble(text, "m.spv")
        subprocess.run(["spirv-opt", "--freeze-spec-const", "--fold-spec-const-op-composite", path, "-o", "f.spv"],
                       check=True)
        text = subprocess.run(["spirv-dis", "--raw-id", "f.spv"], capture_output=True, text=True, check=True).stdout
        folded += len(re.findall(r"= OpTypeArray", text)) - text.count("OpSpecConstantOp")
        assert counts("f.spv") == counts(path) == lengths, seed
    assert folded > 100, folded


def test_specialization_ids_of_a_length():
    doc = layout(assemble(open(os.path.join(FIXTURES, "spec_lengths.spvasm")).read(), "m.spv"))
    by_name = {b["name"]: b for b in doc["sets"][0]["bindings"]}
    got = {n: (b["count"], b.get("countSpecId"), b.get("countSpecIds")) for n, b in by_name.items()}
    assert got == {"plain": (3, None, None), "direct": (4, 7, [7]), "expression": (10, None, [7]),
                   "two": (20, None, [7, 9]), "extracted": (8, None, [12]), "flattened": (8, None, [7])}, got


def places(path, *options):
    return [(b["name"], b["binding"], b["count"], b["range"])
            for b in layout(path, "--rules=hlsl", *options)["sets"][0]["bindings"]]


def test_lengths_with_values_from_the_pipeline():
    """The same as in a module whose defaults spirv-opt has set to them; unknown ids are ignored."""
    path = assemble(open(os.path.join(FIXTURES, "spec_lengths.spvasm")).read(), "m.spv")
    for values in ({7: 6, 9: 3, 12: 1}, {7: 1}, {9: 1000}, {12: 0xffff}):
        subprocess.run(["spirv-opt", "--set-spec-const-default-value=" + " ".join("%d:%d" % v for v in values.items()),
                        path, "-o", "set.spv"], check=True)
        want = places("set.spv")
        assert want != places(path), values
        for spelling in ("--spec=%d=%d", "--spec=0x%x=0x%x"):
            got = places(path, "--spec=88=5", "--spec=7=77", "--spec=7=4", *[spelling % v for v in values.items()])
            assert got == want, (values, got, want)
    error = running.bind("layout", "--spec=7=0", path, expect=1).stderr
    assert "cannot have 0 elements" in error, error
    for value in ("7", "7=", "=7", "7=x", "7=1.5", "7=-", "7=--1", "-7=1", "4294967296=1", "7=18446744073709551616",
                  "7=-9223372036854775809", "7 =1", "7= 1"):
        assert "--spec" in running.bind("layout", "--spec=" + value, path, expect=2).stderr, value


def test_narrow_wide_and_negative_values():
    text = open(os.path.join(FIXTURES, "spec_lengths.spvasm")).read()
    for width, value, count in ((16, "-65533", 3), (16, "65541", 5), (64, "-18446744073709551613", None), (64, "4", 4),
                                (64, "-4611686018427387904", None), (8, "-253", 3)):
        capability = {8: "Int8", 16: "Int16", 64: "Int64"}[width]
        other = text.replace("OpCapability Shader", "OpCapability Shader\nOpCapability " + capability)
        other = other.replace("%seven = OpSpecConstant %uint 4",
                              "%narrow = OpTypeInt {0} 0\n%seven = OpSpecConstant %narrow 4".format(width))
        for use in ("%double = OpSpecConstantOp %uint IMul %seven %uint_2",
                    "%product = OpSpecConstantOp %uint IMul %seven %nine"):
            other = other.replace(use, use.replace("%seven", "%nine"))
        path = assemble(other, "narrow.spv")
        if count is None:
            running.bind("layout", "--spec=7=" + value, path,
                         expect=2 if len(value) > 20 else 1)
            continue
        bindings = layout(path, "--spec=7=" + value)["sets"][0]["bindings"]
        assert [b["count"] for b in bindings if b["name"] == "direct"] == [count], (width, value)


def test_impossible_lengths():
    text = open(os.path.join(FIXTURES, "spec_lengths.spvasm")).read()
    none = text.replace("%seven = OpSpecConstant %uint 4", "%seven = OpSpecConstant %uint 0")
    assert none != text
    error = running.bind("layout", assemble(none, "m.spv"), expect=1).stderr
    assert "cannot have 0 elements" in error, error


def test_lengths_may_depend_on_comparisons():
    """For each pair of extreme numbers and each comparison: 3 elements if it holds, otherwise 2."""
    numbers = [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
    signed = {n: n - (n >> 31 << 32) for n in numbers}
    results = {"IEqual": lambda a, b: a == b, "INotEqual": lambda a, b: a != b,
               "UGreaterThan": lambda a, b: a > b, "UGreaterThanEqual": lambda a, b: a >= b,
               "ULessThan": lambda a, b: a < b, "ULessThanEqual": lambda a, b: a <= b,
               "SGreaterThan": lambda a, b: signed[a] > signed[b],
               "SGreaterThanEqual": lambda a, b: signed[a] >= signed[b],
               "SLessThan": lambda a, b: signed[a] < signed[b], "SLessThanEqual": lambda a, b: signed[a] <= signed[b]}
    truth = {"LogicalOr": lambda a, b: a or b, "LogicalAnd": lambda a, b: a and b,
             "LogicalEqual": lambda a, b: a == b, "LogicalNotEqual": lambda a, b: a != b}
    cases = [("%s %%n%d %%n%d" % (op, a, b), f(a, b)) for op, f in results.items() for a in numbers for b in numbers]
    cases += [("%s %%b%d %%b%d" % (op, a, b), f(a, b)) for op, f in truth.items() for a in (0, 1) for b in (0, 1)]
    cases += [("LogicalNot %b0", True), ("LogicalNot %b1", False)]
    names, globals_, places = [], [], []
    for i, (op, _) in enumerate(cases):
        names.append('OpName %%t%d "t%d"' % (i, i))
        places.append("OpDecorate %%t%d DescriptorSet 0\nOpDecorate %%t%d Binding %d" % (i, i, i))
        globals_.append("%%c%d = OpSpecConstantOp %%bool %s\n"
                        "%%l%d = OpSpecConstantOp %%uint Select %%c%d %%three %%two\n"
                        "%%a%d = OpTypeArray %%image %%l%d\n%%p%d = OpTypePointer UniformConstant %%a%d\n"
                        "%%t%d = OpVariable %%p%d UniformConstant" % (i, op, *[i] * 8))
    constants = ["%%n%d = OpSpecConstant %%uint %d" % (n, n) for n in numbers]
    text = "\n".join(["OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"",
                      "OpExecutionMode %main LocalSize 1 1 1", *names, *places,
                      "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32",
                      "%two = OpConstant %uint 2\n%three = OpConstant %uint 3\n%function = OpTypeFunction %void",
                      "%b0 = OpSpecConstantFalse %bool\n%b1 = OpSpecConstantTrue %bool",
                      "%image = OpTypeImage %float 2D 0 0 0 1 Unknown", *constants, *globals_,
                      "%main = OpFunction %void None %function\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n"])
    counts = {b["name"]: b["count"] for s in layout(assemble(text, "m.spv", "spv1.3"))["sets"] for b in s["bindings"]}
    wrong = [op for i, (op, holds) in enumerate(cases) if counts["t%d" % i] != (3 if holds else 2)]
    assert len(cases) == 378 and not wrong, wrong


def test_blocks_with_pointers_have_the_sizes_that_spirv_cross_reflects():
    module = assemble(open(os.path.join(FIXTURES, "pointers_declared_later.spvasm")).read(), "m.spv")
    doc = layout(module)
    assert [(p["offset"], p["size"]) for p in doc["pushConstants"]] == [(0, 72)], doc["pushConstants"]
    said = json.loads(subprocess.run(["spirv-cross", module, "--reflect"], capture_output=True, text=True,
                                     check=True).stdout)
    sizes = {b["name"]: b["type"]["size"] for s in doc["sets"] for b in s["bindings"]}
    assert sizes == {b["name"]: b["block_size"] for b in said["ubos"] + said["ssbos"]} == {"U": 24, "S": 24}, sizes


def test_each_stage_has_one_push_constant_range():
    doc = layout(assemble(open(os.path.join(FIXTURES, "push_constants_two_entries.spvasm")).read(), "m.spv", "spv1.0"))
    assert doc["pushConstants"] == [{"name": "", "offset": 0, "size": 20,
                                     "stages": ["VK_SHADER_STAGE_COMPUTE_BIT"]}], doc


if __name__ == "__main__":
    running.main(globals())
