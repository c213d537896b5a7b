# SPDX-License-Identifier: Apache-2.0
"""Random programs in HLSL whose local textures come from sized and unsized arrays, run on a device.

    random_locals.py --bind B --run VULKAN_RUN --icd FILE [--count N] [--first SEED]

Each local texture has a number that follows it: the index of its descriptor, which the shader compares when it reads
the texture. Each program has both forms, `Texture2D tex[]` and `Texture2D tex[8]`, unlegalised and legalised.
"""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import running  # noqa: E402

HEAD = """RWStructuredBuffer<uint> out_data;
cbuffer constants { uint4 words; }; /* words.x is 1000, of which & 7 is 0 */
[[vk::binding(2, 1)]] Texture2D tex[%(size)s];
[[vk::binding(0, 1)]] SamplerState smp[%(size)s];
struct S { Texture2D t; };
static const uint H[8] = { 3, 6, 0, 5, 1, 7, 2, 4 };
uint index_of(float x) { return (uint)(x * 255.0 + 0.5) - 200u; }
uint rd(Texture2D t) { return index_of(t.Load(int3(0, 0, 0)).x); }
uint rs(Texture2D t, SamplerState s) { return index_of(t.SampleLevel(s, float2(0.5, 0.5), 0).x); }
[numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex)
{
	uint cst = (words.x & 7u) + %(cst)du, cnt = 0u, ok = 1u;
	Texture2D t0 = tex[H[0]], t1 = tex[H[i]], t2 = tex[H[7u - i]];
	uint x0 = H[0], x1 = H[i], x2 = H[7u - i];
	S s; s.t = t1; uint sx = x1;
	Texture2D ta[2]; ta[0] = t1; ta[1] = t0; uint xa[2]; xa[0] = x1; xa[1] = x0;
"""
END = "\tout_data[i] = ok;\n\tout_data[8u + i] = 1u;\n}\n"


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.cst = self.r.randrange(8)
        self.lines, self.reads = [], 0

    def put(self, text):
        self.lines.append("\t" + text)

    def index(self):
        return self.r.choice(["H[i]", "H[(i*3u)&7u]", "H[cst&7u]", "H[cnt&7u]", "H[(i^cst)&7u]"])

    def condition(self):
        return self.r.choice(["i>3u", "(i&1u)==0u", "(cst&3u)>1u", "cnt>3u", "((i^cst)&2u)==0u"])

    def source(self):
        """A texture, and the index of its descriptor."""
        kind, n = self.r.random(), self.r.randrange(3)
        index = self.index()
        if kind < 0.45:
            return "tex[%s]" % index, index
        if kind < 0.8:
            return "t%d" % n, "x%d" % n
        return ("s.t", "sx") if kind < 0.9 else ("ta[%d]" % (n & 1), "xa[%d]" % (n & 1))

    def assign(self, texture, number):
        value, index = self.source()
        self.put("{ uint u_ = %s; %s = %s; %s = u_; }" % (index, texture, value, number))

    def read(self):
        value, index = self.source()
        self.reads += 1
        how = self.r.choice(["rd(%s)", "index_of(%s.Load(int3(0, 0, 0)).x)", "rs(%s, smp[cst & 1u])"])
        self.put("ok &= %s == %s ? 1u : 0u;" % (how % value, index))

    def block(self, depth, length):
        for _ in range(length):
            kind, n = self.r.random(), self.r.randrange(3)
            if kind < 0.42:
                self.assign(*(("t%d" % n, "x%d" % n) if kind < 0.3 else ("s.t", "sx") if kind < 0.36 else
                              ("ta[%d]" % (n & 1), "xa[%d]" % (n & 1))))
            elif kind < 0.68:
                self.read()
            elif kind < 0.82 and depth < 2:
                self.put("if (%s) {" % self.condition())
                self.block(depth + 1, 2)
                self.put("} else {")
                self.block(depth + 1, 2)
                self.put("}")
            elif kind < 0.92 and depth < 2:
                name = "k%d" % len(self.lines)
                self.put("for (uint %s = 0u; %s < %s; ++%s) { cnt++;" % (
                    name, name, self.r.choice(["3u", "(i & 3u)", "(cst & 3u)"]), name))
                self.block(depth + 1, 2)
                self.put("if (%s) break; }" % self.condition() if self.r.random() < 0.3 else "}")
            else:
                self.put("cnt++;")

    def text(self, size):
        if not self.lines:
            self.block(0, 12)
            while self.reads < 3:
                self.read()
        return HEAD % {"size": size, "cst": self.cst} + "\n".join(self.lines) + "\n" + END


def main():
    parser = driver.parser()
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    args = parser.parse_args()
    jobs, left_out, failed = [], 0, []
    with tempfile.TemporaryDirectory() as tmp:
        for seed in range(args.first, args.first + args.count):
            program = Program(seed)
            for form, size in (("open", ""), ("sized", "8")):
                base = os.path.join(tmp, "%d%s" % (seed, form))
                running.write(base + ".hlsl", program.text(size))
                made = running.run("glslangValidator", "-D", "-V", "-g", "--quiet", "-S", "comp", "-e", "main",
                                   *(["-Od"] if seed % 2 else []), "--target-env", "vulkan1.1", base + ".hlsl", "-o",
                                   base + ".in.spv", expect=None)
                if made.returncode:
                    left_out += 1  # glslang 12 fails on some programs
                    continue
                done = running.run(args.bind, "-q", "--rules=hlsl", "--rebind=missing", base + ".in.spv", "-o",
                                   base + ".spv", "--layout-json=" + base + ".json", expect=None)
                if done.returncode:
                    failed.append("%s: %s" % (base, done.stderr))
                else:
                    jobs += ["--case", "shape_random", "--spirv", base + ".spv", "--layout", base + ".json"]
        ran = running.run(args.run, "--icd", args.icd, *jobs, expect=None)
    wrong = failed + [line for line in ran.stdout.splitlines() if ": pass" not in line]
    passed = sum(": pass" in line for line in ran.stdout.splitlines())
    print("\n".join(wrong))
    print("%d programs agree, %d do not, %d that glslang does not compile" % (passed, len(wrong), left_out))
    sys.exit(0 if not wrong and not ran.returncode and passed > args.count else 1)


main()
