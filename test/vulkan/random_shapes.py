# SPDX-License-Identifier: Apache-2.0
"""Random programs whose descriptors go through locals, arrays, structs, calls, branches and loops, run on a device.

    random_shapes.py --bind B --run VULKAN_RUN --icd FILE [--count N] [--first SEED] [--keep DIR] [--first-lane]
                     [--stage comp|frag]

Each is HLSL with RWBuffers, interpreted here for each lane, and compiled by glslang with and without its legalisation.
Every buffer first gets a distinct value from each lane, so that a read identifies the buffer. The shader compares its
reads with the interpreter's, and column 0 of its results is 1 where they agree. --first-lane: no uniform index is
computed where some lanes are inactive, because SwiftShader takes that of the first lane, which has not computed it.
--handles: some of the buffers are dereferences of DescriptorHandles, alternately constant and computed; with
--first-lane in heaps of a known size, with indexes in bounds, because SwiftShader follows those of inactive lanes.
--stage frag: the lanes are the pixels of a draw.
"""
import argparse
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from running import run, spirv_as, write  # noqa: E402

LANES = 8
RESOURCES = {"X": 1, "Y": 1, "Z": 4, "W": 3}  # name: elements; 1: not an array

HEAD = """RWStructuredBuffer<uint> out_data;
RWBuffer<uint> X, Y;
RWBuffer<uint> Z[4];
RWBuffer<uint> W[3];
cbuffer constants { uint4 words; }; /* words.x is 1000, or 0 in lanes that do not run: 0 under the mask either way */
struct Box { RWBuffer<uint> one; RWBuffer<uint> more[2]; uint number; };
"""


class Program:
    """Statements as text, and as functions with the same effect on the state of one lane."""

    def __init__(self, seed, first_lane):
        self.r = random.Random(seed)
        self.first_lane = first_lane
        self.level = 0  # of control flow that lanes may leave
        self.count = 0
        self.functions = []
        self.depth = 0

    def name(self, prefix):
        self.count += 1
        return "%s%d" % (prefix, self.count)

    # numbers: (text, function of the state)

    def number(self, limit):
        kind = self.r.randrange(4)
        n = self.r.randrange(limit)
        if kind < 2:
            return str(n), lambda s: n
        if kind == 2:  # uniform, but not constant
            return "(((words.x & 7u) + %du) %% %du)" % (n, limit), lambda s: n % limit
        return "(acc %% %du)" % limit, lambda s: s["acc"] % limit

    # descriptors: a text, and its meaning: ("Z", 2)

    def descriptor(self, scope):
        locals_ = [n for n, kind in scope.items() if kind == "one"]
        arrays = [n for n, kind in scope.items() if kind == "array"]
        boxes = [n for n, kind in scope.items() if kind == "box"]
        choices = ["X", "Y", "Z",
                   "W"] + ["local"] * 3 * bool(locals_) + ["array"] * 3 * bool(arrays) + ["box"] * 2 * bool(boxes)
        choice = self.r.choice(choices)
        if choice in ("X", "Y"):
            return choice, lambda s: (choice, 0)
        if choice in ("Z", "W"):
            # the author would have to decorate a divergent index into a resource, which this HLSL cannot
            n = self.r.randrange(RESOURCES[choice])
            uniform = self.r.random() < 0.3 and not (self.first_lane and self.level)
            return "%s[((words.x & 7u) + %du)]" % (choice, n) if uniform else "%s[%d]" % (choice, n), lambda s: (choice,
                                                                                                                 n)
        if choice == "local":
            n = self.r.choice(locals_)
            return n, lambda s: s[n]
        if choice == "array":
            n = self.r.choice(arrays)
            text, value = self.constant_or_uniform(3)
            return "%s[%s]" % (n, text), lambda s: s[n][value]
        n = self.r.choice(boxes)
        if self.r.random() < 0.5:
            return n + ".one", lambda s: s[n]["one"]
        text, value = self.constant_or_uniform(2)
        return "%s.more[%s]" % (n, text), lambda s: s[n]["more"][value]

    def constant_or_uniform(self, limit):
        n = self.r.randrange(limit)
        if self.r.random() < 0.6 or (self.first_lane and self.level):
            return str(n), n
        return "((words.x & 7u) + %du)" % n, n

    def condition(self):
        bit = self.r.randrange(4)
        if bit == 3:
            return "(acc & 1u) != 0u", lambda s: s["acc"] & 1
        return "(lane >> %du & 1u) != 0u" % bit, lambda s: s["lane"] >> bit & 1

    # statements: lines, and a function with their effect

    def block(self, scope, length, depth):
        lines, actions = [], []
        for _ in range(length):
            text, action = self.statement(scope, depth)
            lines += text
            actions.append(action)

        def run(s):
            for a in actions:
                a(s)
        return lines, run

    def statement(self, scope, depth):
        choices = ["read", "read", "assign", "assign", "write"]
        if depth < 2:
            choices += ["if", "loop", "call", "call", "declare"]
        return getattr(self, self.r.choice(choices))(scope, depth)

    def read(self, scope, depth):
        text, which = self.descriptor(scope)

        def run(s):
            s["acc"] = (s["acc"] * 31 + s["memory"][which(s)]) & 0xFFFF
        return ["acc = (acc * 31u + %s[lane]) & 0xFFFFu;" % text], run

    def write(self, scope, depth):
        text, which = self.descriptor(scope)
        n = self.r.randrange(1000)

        def run(s):
            s["memory"][which(s)] = n
        return ["%s[lane] = %du;" % (text, n)], run

    def assign(self, scope, depth):
        targets = [(n, k) for n, k in scope.items() if k in ("one", "array", "box")]
        if not targets:
            return self.declare(scope, depth)
        name, kind = self.r.choice(targets)
        same = [n for n, k in scope.items() if k == kind and n != name]
        if kind != "one" and same and self.r.random() < 0.3:
            other = self.r.choice(same)

            def copy(s):
                s[name] = self.copied(s[other])
            return ["%s = %s;" % (name, other)], copy
        text, which = self.descriptor(scope)
        if kind == "one":
            def run(s):
                s[name] = which(s)
            return ["%s = %s;" % (name, text)], run
        if kind == "array":
            at, index = self.constant_or_uniform(3)

            def run_array(s):
                s[name][index] = which(s)
            return ["%s[%s] = %s;" % (name, at, text)], run_array
        if self.r.random() < 0.5:
            def run_one(s):
                s[name]["one"] = which(s)
            return ["%s.one = %s;" % (name, text)], run_one
        at, index = self.constant_or_uniform(2)

        def run_more(s):
            s[name]["more"][index] = which(s)
        return ["%s.more[%s] = %s;" % (name, at, text)], run_more

    @staticmethod
    def copied(value):
        if isinstance(value, list):
            return list(value)
        if isinstance(value, dict):
            return {"one": value["one"], "more": list(value["more"]), "number": value["number"]}
        return value

    def declare(self, scope, depth):
        kind = self.r.choice(["one", "array", "box"])
        name = self.name({"one": "v", "array": "a", "box": "b"}[kind])
        if kind == "one":
            text, which = self.descriptor(scope)
            scope[name] = kind

            def run(s):
                s[name] = which(s)
            return ["RWBuffer<uint> %s;" % name, "%s = %s;" % (name, text)], run
        parts = [self.descriptor(scope) for _ in range(3)]
        scope[name] = kind
        if kind == "array":
            def run_array(s):
                s[name] = [which(s) for _, which in parts]
            return ["RWBuffer<uint> %s[3];" % name] + ["%s[%d] = %s;" % (name, i, t) for i,
                                                       (t, _) in enumerate(parts)], run_array
        n = self.r.randrange(50)

        def run_box(s):
            s[name] = {"one": parts[0][1](s), "more": [parts[1][1](s), parts[2][1](s)], "number": n}
        return ["Box %s;" % name, "%s.number = %du;" % (name, n), "%s.one = %s;" % (name, parts[0][0]),
                "%s.more[0] = %s;" % (name, parts[1][0]), "%s.more[1] = %s;" % (name, parts[2][0])], run_box

    def inner(self, scope, depth):
        """A block whose declarations end with it."""
        self.level += 1
        made = self.block(dict(scope), self.r.randrange(1, 4), depth + 1)
        self.level -= 1
        return made

    def if_(self, scope, depth):
        text, test = self.condition()
        yes, do_yes = self.inner(scope, depth)
        no, do_no = self.inner(scope, depth)

        def run(s):
            (do_yes if test(s) else do_no)(s)
        return ["if (%s) {" % text] + ["\t" + l for l in yes] + ["} else {"] + ["\t" + l for l in no] + ["}"], run

    def loop(self, scope, depth):
        i, n = self.name("i"), self.r.randrange(1, 4)
        by_lane = self.r.random() < 0.5
        body, do = self.inner(scope, depth)

        def run(s):
            for _ in range(s["lane"] % (n + 1) if by_lane else n):
                do(s)
        limit = "lane %% %du" % (n + 1) if by_lane else "%du" % n
        return ["for (uint %s = 0u; %s < %s; %s++) {" % (i, i, limit, i)] + ["\t" + l for l in body] + ["}"], run

    def call(self, scope, depth):
        """A function that takes descriptors by value, changes its copies, and returns one."""
        if self.depth or len(self.functions) > 3:
            return self.read(scope, depth)
        self.depth = 1
        name = self.name("f")
        arrays = [n for n, k in scope.items() if k == "array"]
        array = self.r.choice(arrays) if arrays and self.r.random() < 0.7 else None
        own = {"p": "one"}
        if array:
            own["list"] = "array"
        self.level += 1
        lines, do = self.block(own, self.r.randrange(1, 5), 0)
        result, which = self.descriptor(own)
        self.level -= 1
        self.functions.append(
            "RWBuffer<uint> %s(RWBuffer<uint> p%s, uint lane, inout uint acc)\n{\n%s\n\treturn %s;\n}\n" % (
            name, ", RWBuffer<uint> list[3]" if array else "", "\n".join("\t" + l for l in lines), result))
        self.depth = 0
        argument, value = self.descriptor(scope)
        target = self.name("v")
        scope[target] = "one"

        def run(s):
            inside = {"p": value(s), "lane": s["lane"], "acc": s["acc"], "memory": s["memory"]}
            if array:
                inside["list"] = list(s[array])
            do(inside)
            s["acc"] = inside["acc"]
            s[target] = which(inside)
        return ["RWBuffer<uint> %s;" % target,
                "%s = %s(%s%s, lane, acc);" % (target, name, argument, ", " + array if array else "")], run


setattr(Program, "if", Program.if_)


def start_of(which, lane):
    name, n = which
    return (list(RESOURCES).index(name) + 1) * 100 + n * 10 + lane


MAIN = {"comp": "[numthreads(8, 1, 1)]\nvoid main(uint lane : SV_GroupIndex)\n{\n",
        "frag": "uint4 main(float4 at : SV_Position) : SV_Target0\n{\n\tuint lane = uint(at.x) + 4u * uint(at.y);\n"}
END = {"comp": "}\n", "frag": "\treturn uint4(acc, lane, 0u, 0u);\n}\n"}


def make(seed, first_lane, stage):
    program = Program(seed, first_lane)
    lines, do = program.block({}, program.r.randrange(6, 14), 0)
    expected = []
    for lane in range(LANES):
        memory = {(n, k): start_of((n, k), lane) for n in RESOURCES for k in range(RESOURCES[n])}
        state = {"lane": lane, "acc": lane, "memory": memory}
        do(state)
        for which in sorted(memory):
            state["acc"] = (state["acc"] * 31 + memory[which]) & 0xFFFF
        expected.append(state["acc"])
    text = HEAD + "\n".join(program.functions)
    text += MAIN[stage] + "\tuint acc = lane;\n"
    everything = [(n, k) for n in RESOURCES for k in range(RESOURCES[n])]
    spelled = {w: w[0] if RESOURCES[w[0]] == 1 else "%s[%d]" % w for w in everything}
    for w in everything:
        text += "\t%s[lane] = %du + lane;\n" % (spelled[w], start_of(w, 0))
    text += "".join("\t%s\n" % l for l in lines)
    for w in sorted(everything):
        text += "\tacc = (acc * 31u + %s[lane]) & 0xFFFFu;\n" % spelled[w]
    text += "\tuint expected = 0;\n"
    for lane, value in enumerate(expected):
        text += "\tif (lane == %du) expected = %du;\n" % (lane, value)
    return text + "\tout_data[lane] = acc == expected ? 1u : 0u;\n\tout_data[8u + lane] = 1u;\n" + END[stage]


HANDLES = {"Y": 0, "Z": 1, "W": 5}  # the descriptor of the first element in the heap, which has 8 that are filled


class Handles:
    """Assembly whose buffers become dereferences, as glslang writes them: values, even where a pointer is expected."""

    def __init__(self, text, seed, first_lane):
        self.r = random.Random(seed)
        self.first_lane = first_lane
        self.lines = text.splitlines()
        self.count = 0
        self.globals = []
        self.names = {m[1]: m[0] for m in re.findall(r'OpName (%\d+) "(\w+)"', text)}

    def new(self):
        self.count += 1
        return "%%h_%d" % self.count

    def find(self, pattern):
        return next((m.group(1) for m in (re.match(r"\s*(%\d+) = " + pattern + "$", l) for l in self.lines) if m), None)

    def constant(self, value):
        id = self.new()
        self.globals.append("%s = OpConstant %s %d" % (id, self.uint, value))
        return id

    def handle(self, base, index):
        """Instructions, and the id of a handle of descriptor base + index (an id, or None)."""
        number = int(self.numbers.get(index, -1)) if index else 0
        id = self.new()
        if number >= 0 and (self.first_lane or self.r.random() < 0.5):
            self.globals.append("%s = OpConstantComposite %s %s %s" % (id, self.uint2, self.constant(base + number),
                                                                       self.constant(7)))
            return [], id
        sum_ = self.new()
        first = self.constant(base + max(number, 0))
        made = ["%s = OpIAdd %s %s %s" % (sum_, self.uint, first, index if number < 0 else self.constant(0))]
        return made + ["%s = OpCompositeConstruct %s %s %s" % (id, self.uint2, sum_, first)], id

    def replace(self, name, base):
        """All uses of a resource or none, since it may be copied as a whole, unlike a dereference."""
        variable = self.names.get(name)
        array = name != "Y"
        chains = {}
        for line in self.lines[self.body:]:
            if not re.search(r"%s\b" % variable, line):
                continue
            chain = re.match(r"\s*(%%\d+) = OpAccessChain %%\d+ %s (%%\d+)$" % variable, line)
            if chain and array:
                chains[chain.group(1)] = chain.group(2)
            elif array or not re.match(r"\s*%%\d+ = (OpLoad %%\d+ %s|OpFunctionCall .*)$" % variable, line):
                return False
        out = []
        for at, line in enumerate(self.lines):
            words = line.split()
            if at < self.body or not (set(words) & (set(chains) | {variable})):
                out.append(line)
            elif "OpLoad" in words and words[-1] in chains:
                out.append("%s = OpCopyObject %s %s" % (words[0], self.image, words[-1]))
            elif words[0] in chains or not array:
                made, handle = self.handle(base, chains.get(words[0]))
                value = words[0] if "OpFunctionCall" not in words else self.new()
                out += made + ["%s = OpExtInst %s %%h_set 1 %s" % (value, self.image, handle)]
                if "OpFunctionCall" in words:
                    out.append(" ".join(value if w == variable else w for w in words))
            else:
                out.append(line)
        self.lines = out
        return True

    def text(self):
        start = next(i for i, l in enumerate(self.lines) if "OpMemoryModel" in l)
        self.lines.insert(start, '%h_set = OpExtInstImport "NonSemantic.DescriptorHandle"')
        self.body = next(i for i, l in enumerate(self.lines) if re.search(r"= OpFunction ", l))
        self.uint = self.find("OpTypeInt 32 0")
        self.image = self.find(r"OpTypeImage %s Buffer .*" % self.uint)
        self.uint2 = self.find("OpTypeVector %s 2" % self.uint) or "%h_uint2"
        self.numbers = dict(
            re.findall(r"(%%\d+) = OpConstant (?:%s|%s) (\d+)" % (self.uint, self.find("OpTypeInt 32 1")),
                       "\n".join(self.lines)))
        if self.uint2 == "%h_uint2":
            self.globals.append("%%h_uint2 = OpTypeVector %s 2" % self.uint)
        which = [n for n in HANDLES if self.r.random() < 0.7] or ["Z"]
        done = [n for n in which if self.replace(n, HANDLES[n])]
        return "\n".join(self.lines[:self.body] + self.globals + self.lines[self.body:]) + "\n", done


def with_handles(base, seed, first_lane):
    """Rewrites BASE.in.spv; returns the names of buffers that are handles now."""
    text, done = Handles(run("spirv-dis", "--raw-id", base + ".in.spv").stdout, seed, first_lane).text()
    write(base + ".spvasm", text)
    spirv_as(text, base + ".in.spv", "vulkan1.1")
    return done


def main():
    parser = argparse.ArgumentParser()
    for option in ("--bind", "--run", "--icd"):
        parser.add_argument(option, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", default="")
    parser.add_argument("--first-lane", action="store_true")
    parser.add_argument("--handles", action="store_true")
    parser.add_argument("--stage", choices=sorted(MAIN), default="comp")
    args = parser.parse_args()
    failed, jobs, left_out, replaced = [], [], 0, 0
    with tempfile.TemporaryDirectory() as tmp:
        folder = args.keep or tmp
        os.makedirs(folder, exist_ok=True)
        frame = os.path.join(folder, "frame.spv")
        run("glslangValidator", "-V", "--quiet", os.path.join(os.path.dirname(os.path.abspath(__file__)), "frames",
                                                              "edge.vert"), "-o", frame)
        for seed in range(args.first, args.first + args.count):
            for flags in (["-Od"], []):
                base = os.path.join(folder, "%d%s" % (seed, "".join(flags)))
                write(base + ".hlsl", make(seed, args.first_lane, args.stage))
                made = run("glslangValidator", "-D", "-V", "--quiet", "-S", args.stage, "-e", "main", *flags,
                           "--target-env", "vulkan1.1", base + ".hlsl", "-o", base + ".in.spv", expect=None)
                if made.returncode:
                    left_out += 1  # glslang 12 trips over some of it
                    continue
                if args.handles:
                    replaced += len(with_handles(base, seed, args.first_lane))
                sized = ["--heap-size=8", "--unused=remove"] if args.handles and args.first_lane else []
                done = run(args.bind, "-q", "--rebind=all", *sized, base + ".in.spv", "-o", base + ".spv",
                           "--layout-json=" + base + ".json", expect=None)
                if done.returncode:
                    failed.append("%s: %s" % (base, done.stderr))
                    continue
                jobs += ["--case", "shape_random", "--spirv", base + ".spv", "--layout", base + ".json"]
                if args.stage == "frag":
                    jobs += ["--with", frame, "--vertices", "6"]
        ran = run(args.run, "--icd", args.icd, *jobs, expect=None) if jobs else None
        wrong = [l for l in ran.stdout.splitlines() if ": pass" not in l and "UNSUPPORTED" not in l] if ran else []
        passed = sum(": pass" in l for l in ran.stdout.splitlines()) if ran else 0
    print("\n".join(failed + wrong))
    unsupported = sum("UNSUPPORTED" in l for l in ran.stdout.splitlines()) if ran else 0
    print("%d programs ran and agree, %d failed, %d that glslang does not compile, %d that the driver cannot run" % (
        passed, len(failed) + len(wrong), left_out, unsupported))
    # of two forms each, most must have run
    enough = passed > args.count and unsupported * 4 <= passed and (replaced > args.count or not args.handles)
    sys.exit(0 if not failed and not wrong and ran and not ran.returncode and enough else 1)


main()
