# SPDX-License-Identifier: Apache-2.0
"""Random programs with accesses by divergent indexes, run with NonUniform decorations and with waterfall loops.

    random_waterfall.py --bind B --run VULKAN_RUN --icd FILE [--count N] [--first SEED] [--keep DIR] [--broken]

Compute and fragment shaders alternate; half of them go through spirv-opt. They load, store, add atomically, fetch and
sample by a few indexes, and in between work on variables, on a buffer, and on indexes; in branches and loops, with
calls, barriers and subgroup operations. Each invocation writes separate words, so all results are defined. All buffers
and the target must be the same with decorations and with loops; and many accesses must have shared a loop. --broken:
all invocations execute their accesses together, and most programs must show it.
"""
import argparse
import array
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from running import read, run, write  # noqa: E402

HEAD = """#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
%s#include "case.glsl"

layout(AUTO, std430) readonly buffer Words { uint w[128]; } ro[8];
layout(AUTO, std430) buffer Slots { uint w[128]; } rw[8];
layout(AUTO, std430) buffer Own { uint w[64]; } own;
layout(AUTO) uniform utextureBuffer tb[8];
layout(AUTO) uniform sampler2D c[8];
layout(AUTO) uniform sampler2D one;
struct Pair { uint a, b; };
uint global = 3u;

uint twice(uint x) { return 2u * x; }
void change(inout uint x) { x = x * 3u + global; global++; }

void main()
{
	uint v[4] = uint[4](LANE, 5u, LANE * 3u + 1u, 2u), x0 = LANE, x1 = 7u, x2 = LANE ^ 5u;
	uint i0 = PICK, i1 = (LANE + 1u) & 7u, i2 = (LANE * 3u) & 7u;
	Pair pair = Pair(1u, LANE);
	vec2 uv = %s, at = uv;
"""
UINTS = ["x0", "x1", "x2", "v[1]", "v[2]", "pair.a", "pair.b", "global"]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.fragment = seed % 2 == 0
        self.accesses = 0
        self.depth = 0

    def uint(self, depth=0):
        r, kind = self.r, self.r.randrange(8)
        if depth > 2 or kind < 4:
            return r.choice(UINTS + ["LANE", "%du" % r.randrange(9)])
        if kind == 4:
            return "v[%s & 3u]" % self.uint(depth + 1)
        if kind == 5:
            return self.access()
        return "(%s %s %s)" % (self.uint(depth + 1), r.choice("+-^*&|"), self.uint(depth + 1))

    def index(self):
        return self.r.choice(["i0"] * 4 + ["i1"] * 2 + ["i2", "(i0 + 1u) & 7u", "(i0 ^ 1u)", "(i1 + 1u) & 7u"])

    def mark(self):
        self.accesses += 1
        return "nonuniformEXT(%s)" % self.index()

    def level(self):
        return "float(%s & 3u)" % self.uint(2)

    def access(self):
        i, kind = self.mark(), self.r.randrange(8)
        if kind < 3:
            return "ro[%s].w[%s & 63u]" % (i, self.uint(2))
        if kind == 3:
            return "rw[%s].w[64u + LANE]" % i
        if kind == 4:
            return "atomicAdd(rw[%s].w[64u + LANE], %s)" % (i, self.uint(2))
        if kind == 5:
            return "texelFetch(tb[%s], int(%s & 15u)).x" % (i, self.uint(2))
        if kind == 6 or not self.fragment or self.depth:
            return "unorm(textureLod(c[%s], %s, %s).r)" % (i, self.r.choice(["uv", "at"]), self.level())
        return self.r.choice(["unorm(texture(c[%s], uv).r)", "unorm(texture(c[%s], at).r)",
                              "unorm(texture(c[%s], uv * 0.5, 1.0).r)"]) % i

    def target(self):
        return self.r.choice(UINTS[:-1] * 2 + ["global", "v[LANE & 3u]"])

    def statement(self):
        r, kind = self.r, self.r.randrange(26)
        if kind > 23:
            return self.sequence()
        if kind < 8:
            return ["%s %s %s;" % (self.target(), r.choice(["=", "+=", "^="]), self.access())]
        if kind < 11:
            return ["%s %s %s;" % (self.target(), r.choice(["=", "+="]), self.uint())]
        if kind < 13:
            return ["rw[%s].w[64u + LANE] = %s;" % (self.mark(), self.uint())]
        if kind == 13:
            return ["own.w[LANE] = %s;" % self.uint()]
        if kind == 14:
            return ["%s = own.w[LANE];" % self.target()]
        if kind == 15:
            return ["%s = (%s) & 7u;" % (r.choice(["i1", "i2", "i2"]), self.uint(1))]
        if kind == 16:
            return [r.choice(["%s = twice(%s);" % (self.target(), self.uint(1)), "change(%s);" % r.choice(UINTS[:3])])]
        if kind == 17 and not self.depth:
            return ["%s += subgroupAdd(%s);" % (self.target(), self.uint(1))]
        if kind == 18 and not self.depth:
            return [r.choice(["memoryBarrierBuffer();"] + ([] if self.fragment else ["barrier();"]))]
        if kind == 19 and not self.depth:
            return ["at = uv * %s;" % r.choice(["0.5", "0.25", "(1.0 + float(%s & 0u))" % self.uint(1)])]
        if kind == 20 and not self.depth:
            return ["%s += unorm(%s.r);" % (self.target(), r.choice(
                ["texture(one, at)", "textureLod(one, uv, 1.0)"] if self.fragment else ["textureLod(one, at, 1.0)"]))]
        if kind < 23 and self.depth < 2:
            return self.branches() if r.random() < 0.6 else self.block()
        return ["%s = pair.a ^ %s;" % (self.target(), self.uint(1))]

    def block(self):
        self.depth += 1
        body = [s for _ in range(self.r.randrange(1, 5)) for s in self.statement()]
        self.depth -= 1
        if self.r.random() < 0.7:
            return ["if ((%s & 1u) != 0u) {" % self.uint(1)] + ["\t" + s for s in body] + ["}"]
        self.count = getattr(self, "count", 0) + 1
        name = "k%d" % self.count
        return ["for (uint %s = 0u; %s < %s; %s++) {" % (name, name, self.r.choice(["2u", "(LANE & 3u)"]), name)] + [
            "\t" + s for s in body] + ["}"]

    def branches(self):
        """Branches that all access by one index, so that they can share a loop."""
        index, target, self.depth = self.index(), self.target(), self.depth + 1
        self.index, before = lambda: index, self.index
        ways = []
        for _ in range(self.r.choice([2, 2, 3])):
            way = ["%s %s %s;" % (target, self.r.choice(["=", "+="]), self.access())]
            for _ in range(self.r.randrange(3)):
                more = self.r.choice(["rw[%s].w[64u + LANE] = %s;" % (self.mark(), self.uint(1)),
                                      "%s ^= %s;" % (target, self.access()),
                                      "if ((%s & 1u) != 0u) { %s += %s; }" % (self.uint(1), target, self.access())])
                way.insert(self.r.randrange(len(way) + 1), more)
            ways.append(way)
        self.index, self.depth = before, self.depth - 1
        if len(ways) == 2:
            return ["if ((%s & 1u) != 0u) {" % self.uint(1)] + ways[0] + ["} else {"] + ways[1] + ["}"]
        return ["switch (%s & 3u) {" % self.uint(1), "case 0u:"] + ways[0] + ["break;", "case 1u:"] + ways[1] + [
            self.r.choice(["break;", ""]), "default:"] + ways[2] + ["break;", "}"]

    def sequence(self):
        """Consecutive accesses by one index or two alternating ones, at one level: alone, and in selections; with
        operations in between that need all invocations."""
        r, indexes, before, lines = self.r, [self.index() for _ in range(self.r.choice([1, 2]))], self.index, []
        self.index = lambda: r.choice(indexes)
        for _ in range(r.randrange(2, 7)):
            if r.random() < 0.15 and not self.depth:
                lines.append(self.together())
            lines += self.moved(0.15)
            target, way = self.target(), "%s %s %s;" % (self.target(), r.choice(["=", "+="]), self.access())
            if r.random() < 0.5:
                lines.append(way)
                continue
            self.depth += 1
            other = r.choice([[], ["} else {", "\t%s = %s;" % (target, self.uint(1))],
                              ["} else {", "\t%s ^= %s;" % (target, self.access())]])
            self.depth -= 1
            self.depth += 1  # no other coordinate: derivatives would not be defined
            way = self.moved(0.3) + [way] + self.moved(0.15)
            self.depth -= 1
            lines += ["if ((%s & 1u) != 0u) {" % self.uint(2), *["\t" + s for s in way], *other, "}"]
        self.index = before
        return lines

    def moved(self, chance):
        """Maybe changes an index, or the coordinate of samples."""
        if self.r.random() >= chance:
            return []
        if not self.depth and self.r.random() < 0.4:
            return ["at = uv * %s;" % self.r.choice(["0.5", "0.25", "1.0"])]
        return ["%s = (%s) & 7u;" % (self.r.choice(["i0", "i0", "i1"]), self.uint(2))]

    def together(self):
        """Derivatives and subgroup operations, at a level that all invocations reach."""
        kinds = ["%s += subgroupAdd(%s);" % (self.target(), self.uint(2))]
        if self.fragment:
            kinds += ["%s += unorm(texture(one, %s).r);" % (self.target(), self.r.choice(["uv", "at", "uv * 0.5"])),
                      "%s += uint(8.0 * abs(dFdx(%s)));" % (self.target(), self.r.choice(["at.x", "uv.x"]))]
        return self.r.choice(kinds)

    def text(self):
        body = [s for _ in range(self.r.randrange(6, 16)) for s in self.statement()]
        head = HEAD % (("#define FRAGMENT\n", "gl_FragCoord.xy / 4.0") if self.fragment else ("", "vec2(LANE) / 8.0"))
        end = ["put(%d, %s);" % (n, e) for n, e in enumerate(
            ["1u"] + UINTS + ["v[0]", "v[3]", "i1", "i2", "own.w[LANE]"])]
        if self.fragment:
            end.append("target = uvec4(x0, x1, x2, global);")
        return head + "".join("\t%s\n" % s for s in body + end) + "}\n"


def loops(path):
    words = array.array("I", read(path))
    at, count = 5, 0
    while at < len(words):
        count += words[at] & 0xFFFF == 246  # OpLoopMerge
        at += words[at] >> 16
    return count


def make(args, program, base, seed):
    """Arguments of vulkan_run; accesses and loops."""
    suffix = "frag" if program.fragment else "comp"
    source = write("%s.%s" % (base, suffix), program.text())
    run("glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.2", "-I" + os.path.join(HERE, "shaders"), source,
        "-o", base + ".in.spv")
    if seed % 4 < 2:
        run("spirv-opt", "-O", base + ".in.spv", "-o", base + ".opt.spv")
        os.replace(base + ".opt.spv", base + ".in.spv")
    options = ["-q", "--auto-binding=65534"]
    run(args.bind, *options, base + ".in.spv", "-o", base + ".marked.spv", "--layout-json=" + base + ".marked.json")
    run(args.bind, *options, "--waterfall", base + ".in.spv", "-o", base + ".spv", "--layout-json=" + base + ".json")
    if "NonUniformIndexing" in read(base + ".json").decode():
        raise SystemExit("%s: an access is left without a loop" % base)
    jobs = ["--case", "waterfall_random", "--spirv", base + ".spv", "--layout", base + ".json",
            "--before", base + ".marked.spv", "--before-layout", base + ".marked.json"]
    if program.fragment:
        jobs += ["--with", args.frame, "--vertices", "6"]
    return jobs, loops(base + ".spv") - loops(base + ".marked.spv")


def main():
    parser = argparse.ArgumentParser()
    for option in ("--bind", "--run", "--icd"):
        parser.add_argument(option, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", default="")
    parser.add_argument("--broken", action="store_true")
    args = parser.parse_args()
    jobs, accesses, made = [], 0, 0
    with tempfile.TemporaryDirectory() as tmp:
        folder = args.keep or tmp
        os.makedirs(folder, exist_ok=True)
        args.frame = os.path.join(folder, "edge.spv")
        run("glslangValidator", "-V", "--quiet", os.path.join(HERE, "frames", "edge.vert"), "-o", args.frame)
        for seed in range(args.first, args.first + args.count):
            program = Program(seed)
            job, more = make(args, program, os.path.join(folder, str(seed)), seed)
            jobs += job
            made += more
            accesses += program.accesses
        ran = run(args.run, "--icd", args.icd, *["--break-waterfall"] * args.broken, *jobs, expect=None)
    said = [l for l in ran.stdout.splitlines() if "UNSUPPORTED" not in l]
    passed = sum(l.endswith(": pass") for l in said)
    failed = sum(l.endswith(": FAIL") for l in said)
    if args.broken:
        print("%d programs, %d differ when their loops are broken" % (args.count, failed))
        sys.exit(0 if passed + failed == args.count and failed * 2 > args.count else 1)
    print("\n".join(l for l in said if ": pass" not in l))
    print("%d programs, %d agree; %d accesses in %d loops" % (args.count, passed, accesses, made))
    sys.exit(0 if passed == args.count and not ran.returncode and made * 2 < accesses else 1)


main()
