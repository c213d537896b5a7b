#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Equality on branches against a model: small random programs, executed by an interpreter, compared with the analysis
of their accesses.

    equality_model.py --bind B [--first N] [--count N] [--spoiled]

Each program has a few variables with values from 0 to 3, so that comparisons are often true: branches on == and !=, &&
and || in both forms, switches, loops that are left early, writes between a comparison and a use, and
subgroupBroadcastFirst. Half of the programs keep their variables; the others have OpPhi instead, by spirv-opt. Where
--explain calls an index uniform, all invocations that use it together have to agree.

The interpreter runs all invocations of a workgroup in step, each statement under a mask, as SwiftShader does. An access
in an arm that leaves a loop belongs to no iteration: invocations that left in different iterations execute it together.

--spoiled executes == as != and has to find violations, because the analysis relies on comparisons.
"""
import argparse
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402

INVOCATIONS, SUBGROUP, WORKGROUPS, VARIABLES, MOST_LOOPS = 16, 4, 2, 4, 3
EVERYONE = range(INVOCATIONS)

HEAD = """OpCapability Shader
OpCapability GroupNonUniformBallot
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %lane %wg
OpExecutionMode %main LocalSize 16 1 1
OpName %t "t"
OpDecorate %lane BuiltIn LocalInvocationIndex
OpDecorate %wg BuiltIn WorkgroupId
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 0 NonWritable
OpDecorate %array ArrayStride 4
OpDecorate %pushed Block
OpMemberDecorate %pushed 0 Offset 0
OpDecorate %t DescriptorSet 0
OpDecorate %t Binding 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 1
OpDecorate %b NonWritable
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%function = OpTypeFunction %void
%in_uint = OpTypePointer Input %uint
%in_v3 = OpTypePointer Input %v3
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%pushed = OpTypeStruct %uint
%n0 = OpConstant %uint 0
%n1 = OpConstant %uint 1
%n2 = OpConstant %uint 2
%n3 = OpConstant %uint 3
%n4 = OpConstant %uint 4
%blocks = OpTypeArray %block %n4
%p_blocks = OpTypePointer StorageBuffer %blocks
%p_block = OpTypePointer StorageBuffer %block
%p_uint = OpTypePointer StorageBuffer %uint
%p_pushed = OpTypePointer PushConstant %pushed
%p_push = OpTypePointer PushConstant %uint
%local = OpTypePointer Function %uint
%lane = OpVariable %in_uint Input
%wg = OpVariable %in_v3 Input
%t = OpVariable %p_blocks StorageBuffer
%b = OpVariable %p_block StorageBuffer
%push = OpVariable %p_pushed PushConstant
%main = OpFunction %void None %function
%begin = OpLabel
"""


# Programs. Values: (kind, operands ...). Statements: (kind, ...), with lists of statements in them.

class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.uses = self.loops = 0

    def variable(self):
        return ("variable", self.random.randrange(VARIABLES))

    def value(self, depth=0, first=True):
        kinds = ["variable"] * 6 + ["constant", "lane", "wg", "push", "push"]
        kinds += ["buffer", "add", "and"] * (depth < 2) + ["first"] * (2 if first and depth < 2 else 0)
        kind = self.random.choice(kinds)
        if kind == "variable":
            return self.variable()
        if kind == "constant":
            return (kind, self.random.randrange(4))
        if kind in ("lane", "wg", "push"):
            return (kind,)
        if kind == "add":
            return (kind, self.value(depth + 1, first), self.value(depth + 1, first))
        return (kind, self.value(depth + 1, first))

    def condition(self, first, depth=0):
        kind = self.random.choice(["equal"] * 5 + ["differ"] * 2 + ["less"] + ["both", "either"] * (depth < 2))
        if kind in ("both", "either"):
            form = self.random.choice(["branch", "logical"])
            return (kind, form, self.condition(first, depth + 1), self.condition(first, depth + 1))
        return (kind, *self.pair(first))

    def pair(self, first):
        """Operands of a comparison: a variable, mostly with a value that is uniform in the workgroup or the
        subgroup."""
        of = self.variable()
        same = [("push",), ("wg",), ("constant", self.random.randrange(4))] + [("first", of)] * (2 * first)
        return of, self.random.choice(same) if self.random.random() < 0.7 else self.value(0, first)

    def compared(self, condition):
        if condition[0] in ("both", "either"):
            return self.compared(condition[self.random.choice([2, 3])])
        return condition[1]

    def use(self, value=None):
        self.uses += 1
        return ("use", self.uses, value or self.value(1, False))

    def block(self, depth, first, loop, count=None):
        made = []
        for _ in range(count or self.random.randint(1, 3)):
            made += self.statement(depth, first, loop)
        return made

    def election(self, loop):
        """One value of the subgroup at a time: the invocations that have it leave, and use the value of the first
        one."""
        of, chosen = self.random.sample(range(VARIABLES), 2)
        arm = [self.use(("variable", self.random.choice([of, chosen]))) for _ in range(2)]
        return [("set", chosen, ("first", ("variable", of))),
                ("if", ("equal", ("variable", of), ("variable", chosen)), arm, [], self.random.choice([0, loop, loop]))]

    def statement(self, depth, first, loop):
        kind = self.random.choice(["set", "set", "use"] + (["if"] * 4 + ["switch", "loop"]) * (depth < 3))
        if kind == "set":
            return [("set", self.variable()[1], self.value(0, first))]
        if kind == "use":
            return [self.use()]
        if kind == "switch":
            of = self.variable()
            arms = [([self.use(of)] if self.random.random() < 0.5 else []) + self.block(depth + 1, first, loop)
                    for _ in range(3)]
            return [("switch", of, *arms)]
        if kind == "loop" and self.loops < MOST_LOOPS:
            self.loops += 1
            return [("loop", self.loops, self.value(1, False), self.block(depth + 1, first, self.loops, 2))]
        if loop and first and self.random.random() < 0.3:
            return self.election(loop)
        condition = self.condition(first)
        leaves = bool(loop) and self.random.random() < 0.4
        # no subgroup operations where convergence is undefined
        arm = self.block(depth + 1, first and not leaves, 0 if leaves else loop)
        if self.random.random() < 0.8:
            at = 0 if self.random.random() < 0.7 else len(arm)
            arm.insert(at, self.use(self.compared(condition)))
        other = self.block(depth + 1, first, loop) if self.random.random() < 0.4 else []
        if self.random.random() < 0.4:
            other.insert(0, self.use(self.compared(condition)))
        return [("if", condition, arm, other, loop if leaves else 0)]

    def program(self):
        given = [("set", v, ("lane",) if self.random.random() < 0.4 else self.value(0, True)) for v in range(VARIABLES)]
        return given + self.block(0, True, 0, 4) + [self.use(("variable", v)) for v in range(VARIABLES)]


# As SPIR-V: a use is an access chain whose id is its number + FIRST_USE.

FIRST_USE = 100000


class Writer:
    def __init__(self):
        self.lines, self.ids, self.label = [], 0, "%begin"

    def fresh(self, name="x"):
        self.ids += 1
        return "%%%s_%d" % (name, self.ids)

    def op(self, text):
        self.lines.append(text)

    def result(self, text, name="x"):
        made = self.fresh(name)
        self.op("%s = %s" % (made, text))
        return made

    def begin(self, label):
        self.op(label + " = OpLabel")
        self.label = label

    def value(self, v):
        kind = v[0]
        if kind == "variable":
            return self.result("OpLoad %%uint %%variable_%d" % v[1])
        if kind == "constant":
            return "%%n%d" % v[1]
        if kind == "lane":
            return self.small(self.result("OpLoad %uint %lane"))
        if kind == "wg":
            return self.small(self.result("OpCompositeExtract %uint " + self.result("OpLoad %v3 %wg") + " 0"))
        if kind == "push":
            return self.small(self.result("OpLoad %uint " + self.result("OpAccessChain %p_push %push %n0")))
        if kind == "buffer":
            place = self.result("OpAccessChain %p_uint %b %n0 " + self.value(v[1]))
            return self.small(self.result("OpLoad %uint " + place))
        if kind == "add":
            left = self.value(v[1])
            return self.small(self.result("OpIAdd %%uint %s %s" % (left, self.value(v[2]))))
        if kind == "and":
            return self.result("OpBitwiseAnd %uint " + self.value(v[1]) + " %n1")
        return self.result("OpGroupNonUniformBroadcastFirst %uint %n3 " + self.value(v[1]))

    def small(self, value):
        return self.result("OpBitwiseAnd %%uint %s %%n3" % value)

    def condition(self, c):
        if c[0] in ("equal", "differ", "less"):
            left = self.value(c[1])
            ops = {"equal": "OpIEqual", "differ": "OpINotEqual", "less": "OpULessThan"}
            return self.result("%s %%bool %s %s" % (ops[c[0]], left, self.value(c[2])))
        left = self.condition(c[2])
        if c[1] == "logical":
            op = "OpLogicalAnd" if c[0] == "both" else "OpLogicalOr"
            return self.result("%s %%bool %s %s" % (op, left, self.condition(c[3])))
        came, more, merge = self.label, self.fresh("more"), self.fresh("met")
        self.op("OpSelectionMerge %s None" % merge)
        self.op("OpBranchConditional %s %s %s" % ((left, more, merge) if c[0] == "both" else (left, merge, more)))
        self.begin(more)
        right = self.condition(c[3])
        last = self.label
        self.op("OpBranch " + merge)
        self.begin(merge)
        return self.result("OpPhi %%bool %s %s %s %s" % (left, came, right, last))

    def statements(self, statements, loops):
        for s in statements:
            getattr(self, "write_" + s[0])(s, loops)

    def write_set(self, s, loops):
        self.op("OpStore %%variable_%d %s" % (s[1], self.value(s[2])))

    def write_use(self, s, loops):
        self.op("%%%d = OpAccessChain %%p_uint %%t %s %%n0 %%n0" % (FIRST_USE + s[1], self.value(s[2])))
        self.result("OpLoad %%uint %%%d" % (FIRST_USE + s[1]))

    def arm(self, label, statements, loops, then):
        self.begin(label)
        self.statements(statements, loops)
        self.op("OpBranch " + then)

    def write_if(self, s, loops):
        condition = self.condition(s[1])
        then, other, merge = self.fresh("then"), self.fresh("else"), self.fresh("merge")
        self.op("OpSelectionMerge %s None" % merge)
        self.op("OpBranchConditional %s %s %s" % (condition, then, other))
        self.arm(then, s[2], loops, loops[s[4]] if s[4] else merge)
        self.arm(other, s[3], loops, merge)
        self.begin(merge)

    def write_switch(self, s, loops):
        of, merge, arms = self.value(s[1]), self.fresh("merge"), [self.fresh("case") for _ in range(3)]
        self.op("OpSelectionMerge %s None" % merge)
        self.op("OpSwitch %s %s 1 %s 2 %s" % (of, arms[0], arms[1], arms[2]))
        for label, statements in zip(arms, s[2:]):
            self.arm(label, statements, loops, merge)
        self.begin(merge)

    def write_loop(self, s, loops):
        head, test, body, on, merge = (self.fresh(name) for name in ("head", "test", "body", "continue", "merge"))
        counter = "%%counter_%d" % s[1]
        self.op("OpStore %s %%n0" % counter)
        self.op("OpBranch " + head)
        self.begin(head)
        self.op("OpLoopMerge %s %s None" % (merge, on))
        self.op("OpBranch " + test)
        self.begin(test)
        number = self.result("OpLoad %uint " + counter)
        more = self.result("OpULessThan %%bool %s %s" % (number, self.value(s[2])))
        self.op("OpBranchConditional %s %s %s" % (more, body, merge))
        self.arm(body, s[3], {**loops, s[1]: merge}, on)
        self.begin(on)
        number = self.result("OpLoad %uint " + counter)
        self.op("OpStore %s %s" % (counter, self.result("OpIAdd %%uint %s %%n1" % number)))
        self.op("OpBranch " + head)
        self.begin(merge)

    def module(self, program):
        variables = ["variable_%d" % v for v in range(VARIABLES)] + ["counter_%d" % k for k in range(1, MOST_LOOPS + 1)]
        declared = "".join("%%%s = OpVariable %%local Function\n" % v for v in variables)
        self.statements(program, {})
        return HEAD + declared + "\n".join(self.lines) + "\nOpReturn\nOpFunctionEnd\n"


# Execution of one workgroup

class Machine:
    def __init__(self, seed, workgroup, spoiled):
        given = random.Random(seed)
        self.push, self.buffer = given.randrange(4), [given.randrange(4) for _ in range(4)]
        self.workgroup, self.spoiled = workgroup & 3, spoiled
        self.variables = [[0] * INVOCATIONS for _ in range(VARIABLES)]
        self.used = {}     # use: {iterations: {invocation: index}}
        self.turns = {}    # loop: its iteration
        self.gone = set()  # those that have left a loop and wait for its end

    def value(self, v, mask):
        """The value for each invocation of the mask."""
        kind = v[0]
        if kind == "variable":
            return {i: self.variables[v[1]][i] for i in mask}
        if kind in ("constant", "push", "wg"):
            same = {"constant": v[-1], "push": self.push, "wg": self.workgroup}[kind]
            return dict.fromkeys(mask, same)
        if kind == "lane":
            return {i: i & 3 for i in mask}
        of = self.value(v[1], mask)
        if kind == "buffer":
            return {i: self.buffer[of[i]] for i in mask}
        if kind == "and":
            return {i: of[i] & 1 for i in mask}
        if kind == "add":
            more = self.value(v[2], mask)
            return {i: of[i] + more[i] & 3 for i in mask}
        firsts = {i // SUBGROUP: i for i in sorted(mask, reverse=True)}
        return {i: of[firsts[i // SUBGROUP]] for i in mask}

    def condition(self, c, mask):
        """The invocations of the mask for which it is true."""
        if c[0] in ("both", "either"):
            left = self.condition(c[2], mask)
            rest = mask if c[1] == "logical" else left if c[0] == "both" else mask - left
            right = self.condition(c[3], rest)
            return left & right if c[0] == "both" else left | right
        left, right = self.value(c[1], mask), self.value(c[2], mask)
        if c[0] == "less":
            return {i for i in mask if left[i] < right[i]}
        return {i for i in mask if (left[i] == right[i]) == ((c[0] == "equal") != self.spoiled)}

    def run(self, statements, mask, inside):
        """`inside`: the loops whose iterations distinguish executions."""
        for s in statements:
            mask = mask - self.gone
            if mask:
                getattr(self, "run_" + s[0])(s, mask, inside)

    def run_set(self, s, mask, inside):
        for i, value in self.value(s[2], mask).items():
            self.variables[s[1]][i] = value

    def run_use(self, s, mask, inside):
        key = tuple(self.turns[loop] for loop in inside)
        self.used.setdefault(s[1], {}).setdefault(key, {}).update(self.value(s[2], mask))

    def run_if(self, s, mask, inside):
        chosen = self.condition(s[1], mask)
        self.run(s[2], chosen, tuple(k for k in inside if k != s[4]))
        if s[4]:
            self.gone |= chosen
        self.run(s[3], mask - chosen, inside)

    def run_switch(self, s, mask, inside):
        of = self.value(s[1], mask)
        for label, statements in zip((None, 1, 2), s[2:]):
            self.run(statements, {i for i in mask if of[i] == label or (label is None and of[i] not in (1, 2))}, inside)

    def run_loop(self, s, mask, inside):
        before, self.gone = self.gone, set()
        for turn in range(4):
            bound = self.value(s[2], mask)
            mask = {i for i in mask if turn < bound[i]}
            self.turns[s[1]] = turn
            self.run(s[3], mask, inside + (s[1],))
            mask -= self.gone
        self.gone = before


def disagreements(machine, use, scope):
    size = INVOCATIONS if scope == "group" else SUBGROUP
    for together in machine.used.get(use, {}).values():
        for begin in range(0, INVOCATIONS, size):
            values = {together[i] for i in range(begin, begin + size) if i in together}
            if len(values) > 1:
                yield use


def claims(path):
    """The claim about each use, except uses that no invocation can reach."""
    said = running.bind("explain", "--name=t", path).stdout
    return {int(number) - FIRST_USE: "subgroup" if only else "group"
            for number, only in re.findall(r": %(\d+): uniform( only in the subgroup)?[:,]", said)}, \
        {int(number) - FIRST_USE for number in re.findall(r": %(\d+): ", said)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--spoiled", action="store_true")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    counts = dict.fromkeys(("uses", "group", "subgroup", "differing"), 0)
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.first, args.first + args.count):
            program = Maker(seed).program()
            path = running.spirv_as(Writer().module(program), os.path.join(folder, "m.spv"))
            if seed % 2:
                running.run("spirv-opt", "--ssa-rewrite", path, "-o", path)
            uniform, uses = claims(path)
            machines = [Machine(seed * 10 + k, k, args.spoiled) for k in range(WORKGROUPS)]
            for m in machines:
                m.run(program, set(EVERYONE), ())
            counts["uses"] += len(uses)
            for use in sorted(uses):
                found = [list(disagreements(m, use, uniform.get(use, "group"))) for m in machines]
                if use in uniform:
                    counts[uniform[use]] += 1
                    wrong += [(seed, use, uniform[use])] * any(found)
                else:
                    counts["differing"] += any(found)
    print("%(uses)d uses: %(group)d are uniform in the workgroup, %(subgroup)d in the subgroup; " % counts +
          "%(differing)d of the others differ" % counts)
    print("%d violate" % len(wrong), wrong[:5])
    # programs without uses would test nothing
    blind = min(counts.values()) * 40 < counts["uses"]
    return not wrong if args.spoiled else bool(wrong) or blind


if __name__ == "__main__":
    sys.exit(main())
