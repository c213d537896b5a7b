# SPDX-License-Identifier: Apache-2.0
"""Random programs whose buffers are references, run by device address, and lowered to descriptors: are the results
equal?

    random_references.py --bind B --run VULKAN_REFERENCES --icd FILE [--count N] [--first SEED] [--keep DIR]
                         [--lowered-icd FILE]

Each is GLSL with GL_EXT_buffer_reference_uvec2: references go through variables, arrays, structs, functions,
branches, loops and casts; members are read, written, copied, and counted with atomics. Four lanes have two buffers
of each block each, so that no two lanes meet. Every second one is optimised by spirv-opt first, which turns variables
into OpPhi and OpSelect. In some, one buffer of a block is always a device address, and functions are called with both;
in some, the option names only some blocks. With --lowered-icd another driver runs the lowered programs, which then have
no 64-bit numbers and no addresses: SwiftShader has no Int64, and crashes on programs of this size that use device
addresses. It also follows the indexes of inactive lanes: so these are lowered with --waterfall.
"""
import argparse
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from running import glslang, run, write  # noqa: E402

HEAD = """#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 8) in;
layout(binding = 65534, std430) readonly buffer handles { uvec2 h[]; } table;
layout(binding = 65534, std430) buffer out_data { uint v[]; } results;
#define LANE gl_LocalInvocationIndex
#define OWN(s) (((LANE * 2u + s) * 5u + 3u) & 7u)
struct Part { uint x; uvec2 y; uint z[2]; };
"""

MEMBERS = {  # declaration, scalar uint members, components of vectors
    "uint m": (["m"], []),
    "uvec2 v": ([], ["v.x", "v[{i} & 1u]"]),
    "uvec4 w": ([], ["w.z", "w[{i} & 3u]"]),
    "uint a[3]": (["a[{i} % 3u]", "a[1]"], []),
    "Part s": (["s.x", "s.z[{i} & 1u]"], ["s.y.y"]),
    "Part t[2]": (["t[{i} & 1u].x", "t[1].z[{i} & 1u]"], ["t[{i} & 1u].y.x"]),
    "layout(row_major) mat2x3 r": ([], []),
    "uint data[]": (["data[{i} & 15u]", "data[{i} % 7u]"], []),
}


class Program:
    def __init__(self, seed, plain):
        self.r = random.Random(seed)
        self.plain = plain
        self.blocks = []
        for _ in range(self.r.randint(2, 4)):
            names = [n for n in MEMBERS if n not in ("uint m", "Part s", "uint data[]") and self.r.random() < 0.5]
            names += ["uint m", "Part s"]
            self.r.shuffle(names)
            self.blocks.append(names + ["uint data[]"] * (self.r.random() < 0.7))
        # blocks in which one buffer is always an address
        self.addressed = [self.r.random() < 0.3 and not plain for _ in self.blocks]
        self.named = [i for i in range(len(self.blocks))
                      if self.r.random() < 0.7] if self.r.random() < 0.4 and not plain else None
        self.loops = 0
        self.count = 0

    # numbers

    def path(self, block, depth, whole=False):
        choices = []
        for member in self.blocks[block]:
            objects, parts = MEMBERS[member]
            choices += objects if whole else objects + parts
        return self.r.choice(choices).replace("{i}", self.number(depth - 1))

    def number(self, depth):
        kind = self.r.randrange(9) if depth > 0 else self.r.randrange(3)
        if kind == 0:
            return "%du" % self.r.choice([0, 1, 2, 3, 5, 77, 4000000000])
        if kind == 1:
            return "u%d" % self.r.randrange(4)
        if kind == 2:
            return "i%d" % self.r.randrange(self.loops) if self.loops else "LANE"
        if kind < 5:
            return "(%s %s %s)" % (self.number(depth - 1), self.r.choice("+-*^&|"), self.number(depth - 1))
        if kind == 5:
            return "(%s ? %s : %s)" % (self.condition(depth - 1), self.number(depth - 1), self.number(depth - 1))
        block = self.r.randrange(len(self.blocks))
        if kind == 6:
            return "get%d(%s, %s)" % (block, self.reference(block, depth - 1), self.number(depth - 1))
        return "%s.%s" % (self.reference(block, depth - 1), self.path(block, depth))

    def condition(self, depth):
        return "((%s) %s (%s))" % (self.number(depth), self.r.choice(["<", ">=", "=="]), self.number(depth))

    # references

    def reference(self, block, depth, address=None):
        """A reference to a block; of one kind, since handles and addresses do not mix."""
        if address is None:
            address = self.addressed[block] and self.r.random() < 0.4
        if address:
            return self.r.choice(["p%db" % block, "pick%d(%s, p%db, p%dc)" % (block, self.condition(0), block, block)])
        kind = self.r.randrange(7) if depth > 0 else 0
        one, other = ("p%d%s" % (block, self.r.choice("ad" if self.addressed[block] else "abd")) for _ in range(2))
        if kind == 1:
            return "pick%d(%s, %s, %s)" % (block, self.condition(depth - 1), one,
                                           self.reference(block, depth - 1, False))
        if kind == 2:
            return "(%s ? %s : %s)" % (self.condition(depth - 1), one, other)
        if kind == 3:
            return "array%d[%s & 1u]" % (block, self.number(depth - 1))
        if kind == 4:
            return "box.r%d" % block
        if kind == 5:
            return "global%d" % block
        if kind == 6:
            return "Block%d(Other(%s))" % (block, one)
        return one

    # statements

    def statement(self, depth):
        kind = self.r.randrange(14)
        block = self.r.randrange(len(self.blocks))
        n = lambda: self.number(3)
        if kind == 0 and depth > 0:
            return "if (%s) {\n%s} else {\n%s}\n" % (self.condition(2), self.body(depth - 1, 3),
                                                     self.body(depth - 1, 2))
        if kind == 1 and depth > 0 and self.loops < 2:
            i = "i%d" % self.loops
            limit = self.number(2)
            self.loops += 1
            inside = self.body(depth - 1, 3)
            self.loops -= 1
            return "for (uint %s = 0u; %s <= ((%s) & 3u); %s++) {\n%s%s}\n" % (
                i, i, limit if "u" not in limit.replace("uint", "") else "LANE", i, inside,
                "if (%s) %s;\n" % (self.condition(1), self.r.choice(["break", "continue"])) if self.r.random() < 0.3
                else "")
        if kind < 4:
            return "u%d = %s;\n" % (self.r.randrange(4), n())
        if kind < 7:
            return "%s.%s %s %s;\n" % (self.reference(block, 2), self.path(block, 2), self.r.choice(["=", "+=", "^="]),
                                       n())
        if kind == 7:
            where = "%s.%s" % (self.reference(block, 2), self.path(block, 2, whole=True))
            call = self.r.choice(["atomicAdd(%s, %s)", "atomicMax(%s, %s)", "atomicExchange(%s, %s)",
                                  "atomicCompSwap(%s, 77u, %s)"])
            return "u%d += %s;\n" % (self.r.randrange(4), call % (where, n()))
        if kind == 8:
            return "p%d%s = %s;\n" % (block, self.r.choice("ad"), self.reference(block, 2, False))
        if kind == 9:
            return self.r.choice(["array%d[%s & 1u] = %s;\n" % (block, self.number(1), self.reference(block, 2, False)),
                                  "box.r%d = %s;\n" % (block, self.reference(block, 2, False)),
                                  "global%d = %s;\n" % (block, self.reference(block, 2, False))])
        if kind == 10:
            return "part = %s.s;\npart.z[%s & 1u] ^= %s;\n%s.s = part;\n" % (
                self.reference(block, 1), self.number(1), n(), self.reference(block, 1))
        if kind == 11:
            return "set%d(%s, %s);\n" % (block, self.reference(block, 2), n())
        if kind == 12:
            return self.r.choice(["exchange%d(p%da, p%dd);\n" % (block, block, block), "box = renew(box);\n",
                                  "u%d += use(box);\n" % self.r.randrange(4)])
        other = self.r.randrange(len(self.blocks))
        return "%s.s = %s.s;\n" % (self.reference(block, 1), self.reference(other, 1))

    def body(self, depth, count):
        return "".join(self.statement(depth) for _ in range(count))

    def function_body(self, block):
        """A path without locals."""
        path = self.r.choice(["m", "s.x", "s.z[i & 1u]"])
        return path

    def text(self):
        n = len(self.blocks)
        out = ["".join(line + "\n" for line in HEAD.splitlines() if not (self.plain and "int64" in line)),
               "layout(buffer_reference, std430) buffer Other { uint first; };\n"]
        for i, members in enumerate(self.blocks):
            out.append("layout(buffer_reference, std430) %sbuffer Block%d { %s };\n" % (
                self.r.choice(["", "", "coherent "]), i, " ".join(m + ";" for m in members)))
        out.append("struct Box { %s uint n; };\n" % " ".join("Block%d r%d;" % (i, i) for i in range(n)))
        for i in range(n):
            a = {"i": i, "p": self.function_body(i), "q": self.function_body(i)}
            out.append("Block%(i)d global%(i)d;\n" % a)
            out.append("uint get%(i)d(Block%(i)d p, uint i) { return p.%(p)s + 3u * p.%(q)s; }\n" % a)
            out.append("void set%(i)d(Block%(i)d p, uint i) { p.%(p)s = i; if (i > 100u) p.%(q)s++; }\n" % a)
            out.append(self.r.choice([
                "Block%(i)d pick%(i)d(bool c, Block%(i)d a, Block%(i)d b) { return c ? a : b; }\n",
                "Block%(i)d pick%(i)d(bool c, Block%(i)d a, Block%(i)d b) { if (c) return a; return b; }\n"]) % a)
            out.append("void exchange%(i)d(inout Block%(i)d a, inout Block%(i)d b) { Block%(i)d t = a; a = b; b = t; "
                       "}\n" % a)
        out.append("Box renew(Box b) { b.n += b.r0.m; b.r0 = global0; return b; }\n")
        out.append("uint use(Box b) { return b.n + %s; }\n" % " + ".join("b.r%d.m" % i for i in range(n)))
        out.append("void main() {\n")
        out.append("uint u0 = LANE, u1 = 7u, u2 = LANE * 3u, u3 = 0u;\nPart part;\nBox box;\nbox.n = 5u;\n")
        for i in range(n):
            address = "Block%d(packUint2x32(table.h[%du + OWN(%du)]) + table.h[127].x)"  # 0, unknown to spirv-opt
            out.append("Block%d p%da = Block%d(table.h[%du + OWN(0u)]);\n" % (i, i, i, 8 * i))
            if self.addressed[i]:
                out.append(("Block%d p%db = " + address + ";\n") % (i, i, i, 8 * (4 + i), 1))
                out.append("Block%d p%dc = p%db;\n" % (i, i, i))
                out.append("Block%d p%dd = p%da;\n" % (i, i, i))
            else:
                handle = "table.h[%du + OWN(1u)]" if self.plain else "packUint2x32(table.h[%du + OWN(1u)])"
                out.append(("Block%d p%db = Block%d(" + handle + ");\n") % (i, i, i, 8 * i))
                out.append("Block%d p%dd = p%db;\n" % (i, i, i))
            out.append("Block%d array%d[2] = Block%d[2](p%da, p%dd);\n" % (i, i, i, i, i))
            out.append("box.r%d = p%dd;\nglobal%d = p%da;\n" % (i, i, i, i))
        out.append("if (LANE >= 4u) return;\n")
        out.append(self.body(2, 14))
        for k in range(4):
            out.append("results.v[%du + LANE] = u%d;\n" % (8 * k, k))
        return "".join(out) + "}\n"

    def option(self):
        if self.named is None:
            return "--lower-buffer-references"
        return "--lower-buffer-references=%s" % ",".join(["Other"] + ["Block%d" % i for i in self.named])


def prepare(args, seed, folder):
    program = Program(seed, args.lowered_icd is not None)
    base = os.path.join(folder, "references%d" % seed)
    glslang(write(base + ".comp", program.text()), base + ".spv", "--target-env", "vulkan1.2")
    if seed % 2:
        run("spirv-opt", "-O", base + ".spv", "-o", base + ".spv")
    bind = [args.bind, "-q", "--auto-binding=65534", base + ".spv"]
    for name, options in (("addresses", []), ("lowered", [program.option()] + ["--waterfall"] * program.plain),
                          ("all", ["--lower-buffer-references"])):
        run(*bind, *options, "-o", "%s.%s.spv" % (base, name), "--layout-json=%s.%s.json" % (base, name))
    return " ".join(base + s for s in (".addresses.spv", ".addresses.json", ".lowered.spv", ".lowered.json",
                                       ".all.json"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--icd", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    parser.add_argument("--lowered-icd")
    args = parser.parse_args()
    icds = [args.icd] + [args.lowered_icd] * (args.lowered_icd is not None)
    with tempfile.TemporaryDirectory() as tmp:
        folder = args.keep or tmp
        os.makedirs(folder, exist_ok=True)
        jobs = [prepare(args, seed, folder) for seed in range(args.first, args.first + args.count)]
        done = run(args.run, *icds, input="\n".join(jobs) + "\n", stderr=None, expect=None)
        output = done.stdout
        lines = [line for line in output.splitlines() if not line.endswith(": same")]
        print("\n".join(lines + ["%d of %d programs leave the same buffers" % (output.count(": same\n"), len(jobs))]))
        if done.returncode == 0 and output.count(": same\n") != len(jobs):
            return 1
        return done.returncode


sys.exit(main())
