#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrays of descriptors compiled by naga, the compiler of wgpu, executed unbound and bound.

    naga_repairs.py --bind B --run vulkan_log --icd ICD [--naga FOLDER] [--count N] [--first SEED]
                    [--lose]

Random compute programs in WGSL read arrays of textures and buffers by indices that differ between invocations. WGSL has
no decoration for them: naga analyses them. The expected results are computed here. Bound, every number has to be right;
of the unbound programs, those with wrong numbers are counted. With --lose, naga's decorations are removed first, so
that the analysis has only the program; then some unbound programs have to be wrong on a driver that needs decorations
(SwiftShader).

naga-wasm is naga from npm (scripts/install.sh)."""
import os
import struct
import sys
import tempfile

import driver
from repairs import LANES, SLOTS, Numbers, buffer, differs, read_log, table, texture

HERE = os.path.dirname(os.path.abspath(__file__))
NAGA = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "spirv-bind", "naga",
                    "node_modules", "naga-wasm")
HEAD = """enable wgpu_binding_array;
struct Words { data: array<u32>, }
struct Kept { i: u32, n: u32, }
@group(0) @binding(0) var images: binding_array<texture_2d<f32>%(size)s>;
@group(0) @binding(1) var<storage, read> bufs: binding_array<Words%(size)s>;
@group(0) @binding(4) var<storage, read> table: array<u32>;
@group(0) @binding(5) var<storage, read_write> Log: array<u32>;
@group(0) @binding(6) var nearest: sampler;
fn of_texel(texel: vec4<f32>) -> u32 { return u32(texel.x * 255.0 + 0.5); }
fn fetch(i: u32) -> u32 { return of_texel(textureLoad(images[i], vec2<i32>(0, 0), 0)); }
fn sampled(i: u32) -> u32 { return of_texel(textureSampleLevel(images[i], nearest, vec2<f32>(0.5), 0.0)); }
fn word(i: u32, j: u32) -> u32 { return bufs[i].data[j]; }
fn later(i: u32) -> u32 { return table[i & 7u]; }
@compute @workgroup_size(%(lanes)d) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
	let lane = id.x;
"""


class Program(Numbers):
    def __init__(self, seed):
        super().__init__(seed)
        self.expected = [[0] * SLOTS for _ in range(LANES)]
        self.text = HEAD % {"lanes": LANES, "size": self.r.choice(["", ", 8"])}
        for slot in range(SLOTS):
            code, values = self.statement("Log[lane * %du + %du] = " % (SLOTS, slot))
            self.text += "".join("\t%s\n" % line for line in code)
            for lane in range(LANES):
                self.expected[lane][slot] = values[lane]
        self.text += "}\n"

    def either(self, condition, yes, no):
        return "select(%s, %s, %s)" % (no, yes, condition)

    def read(self, i):
        """The texel of an element, as an expression."""
        return "of_texel(%s)" % self.r.choice(["textureLoad(images[%s], vec2<i32>(0, 0), 0)",
                                               "textureSampleLevel(images[%s], nearest, vec2<f32>(0.5), 0.0)"]) % i

    def statement(self, to):
        """([lines], the word that each lane logs)"""
        j = self.r.randrange(12)
        (i, of_i), (other, of_other) = self.number(), self.number()
        textures, words = [texture(n) for n in of_i], [buffer(n, j) for n in of_i]
        chosen = [n if lane % 3 else k for lane, (n, k) in enumerate(zip(of_i, of_other))]
        v, w = self.name(), self.name()
        choose = ["var %s = %s;" % (v, other), "if (lane %% 3u != 0u) { %s = %s; }" % (v, i)]
        return self.r.choice([
            lambda: ([to + self.read(i) + ";"], textures),
            lambda: ([to + "bufs[%s].data[%du];" % (i, j)], words),
            lambda: ([to + "%s(%s);" % (self.r.choice(["fetch", "sampled"]), i)], textures),
            lambda: ([to + "word(%s, %du);" % (i, j)], words),
            lambda: (["let %s = &bufs[%s];" % (v, i), to + "(*%s).data[%du];" % (v, j)], words),
            lambda: ([to + self.read("later(%s)" % i) + ";"], [texture(self.table[n]) for n in of_i]),
            lambda: (choose + [to + self.read(v) + ";"], [texture(n) for n in chosen]),
            lambda: (choose + [to + "bufs[%s].data[%du];" % (v, j)], [buffer(n, j) for n in chosen]),
            lambda: (choose + ["var %s = Kept(%s, 0u);" % (w, v), to + self.read(w + ".i") + ";"],
                     [texture(n) for n in chosen]),
            lambda: (["var %s = 0u;" % v, "for (var %s = 0u; %s < 2u; %s++) {" % (w, w, w),
                      "\t%s += %s;" % (v, self.read("((%s + %s) & 7u)" % (i, w))), "}", to + v + ";"],
                     [texture(n) + texture((n + 1) & 7) for n in of_i]),
            lambda: (["var %s = 0u;" % v, "switch (%s) {" % i, "\tcase 0u, 1u: { %s = %s; }" % (v, self.read(other)),
                      "\tdefault: { %s = bufs[%s].data[%du]; }" % (v, other, j), "}", to + v + ";"],
                     [texture(k) if n < 2 else buffer(k, j) for n, k in zip(of_i, of_other)]),
        ])()


def lose_marks(path):
    with open(path, "rb") as f:
        data = f.read()
    words = struct.unpack("<%dI" % (len(data) // 4), data)
    left, at = list(words[:5]), 5
    while at < len(words):
        end = at + (words[at] >> 16)
        if words[at] & 0xFFFF != 71 or words[at + 2] != 5300:  # OpDecorate %id NonUniform
            left += words[at:end]
        at = end
    with open(path, "wb") as f:
        f.write(struct.pack("<%dI" % len(left), *left))


def logs(args, base, program, options):
    """The log of each lane, of the program bound with these options."""
    driver.run(args.bind, "-q", *options, base + ".wgsl.spv", "-o", base + ".out.spv",
               "--layout-json=" + base + ".json")
    return read_log(args, base, table(base, program))


def main():
    parser = driver.parser()
    parser.add_argument("--naga", default=os.environ.get("SPB_NAGA", NAGA))
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--lose", action="store_true")
    args = parser.parse_args()
    wrong = raw_wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = [Program(seed) for seed in range(args.first, args.first + args.count)]
        bases = [os.path.join(folder, "p%d" % (args.first + i)) for i in range(args.count)]
        for base, program in zip(bases, programs):
            with open(base + ".wgsl", "w") as f:
                f.write(program.text)
        said = ""
        for i in range(0, args.count, 50):
            said += driver.run("node", os.path.join(os.path.dirname(HERE), "naga.mjs"), args.naga,
                               *[base + ".wgsl" for base in bases[i:i + 50]])
        for base, program in zip(bases, programs):
            if not os.path.exists(base + ".wgsl.spv"):
                sys.exit("naga does not compile seed %s:\n%s%s" % (os.path.basename(base), said, program.text))
            if args.lose:
                lose_marks(base + ".wgsl.spv")
            raw_wrong += differs(program, logs(args, base, program, ["--nonuniform=keep"])) != ""
            said = differs(program, logs(args, base, program, []))
            if said:
                wrong += 1
                print("bound, seed %s: %s" % (os.path.basename(base)[1:], said[:600]))
    print("%d programs: as naga wrote them%s %d are wrong, bound %d" %
          (args.count, ", without marks," * args.lose, raw_wrong, wrong))
    return 1 if wrong or (args.lose and "swiftshader" in args.icd and not raw_wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
