# SPDX-License-Identifier: Apache-2.0
"""Random compute programs in Slang for random_uniformity.py --source slang: buffers in variables and structures, chosen
by conditions and returned by functions; one variable for two inout parameters, and a global that is also an argument.
Bindings, log and keys are those of programs.py; a number that identifies an execution is never one that an index
depends on."""
import array
import os
import random
import subprocess

from programs import CANARY, ENTRIES, GROUPS, LANES, mark

HEAD = """[[vk::binding(0, 0)]] StructuredBuffer<uint> bufs[16];
struct Entries { uint2 w[%(words)d]; };
[[vk::binding(2, 0)]] GLSLShaderStorageBuffer<Entries> Log;
[[vk::binding(4, 0)]] StructuredBuffer<uint> ro;
struct Push { uint w[8]; };
[[vk::push_constant]] ConstantBuffer<Push> pc;
groupshared uint exchange[%(x)d], total;
static uint n_ = 0u, lane_, group_;
static uint g0 = 3u, g1 = 5u;
struct Kept { StructuredBuffer<uint> buffer; uint number; };
void put(uint word, uint key)
{
	uint at = %(heads)du + (group_ * %(x)du + lane_) * %(entries)du + min(n_, %(last)du);
	Log.w[at] = uint2(word, key << 8u | WaveActiveBallot(true).x & 255u);
	n_++;
}
"""
MAIN = """[shader("compute")] [numthreads(%(x)d, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID)
{
	lane_ = local.x;
	group_ = group.x;
	uint key_ = 1u, u0 = 1u, u1 = group.x, u2 = pc.w[0], u3 = 2u;
	Log.w[group_ * %(x)du + lane_] = uint2(WaveReadLaneFirst(lane_), WaveGetLaneCount());
"""


class SlangProgram:
    stage = "slang"

    def __init__(self, seed, chosen=True):
        """chosen: the device supports chosen pointers, which SwiftShader does not."""
        self.r, self.seed, self.chosen, self.meets = random.Random(seed * 13 + 3), seed, chosen, True
        self.x = self.lanes = self.r.choice([4, 8, 8, 16, 16, 6])
        self.sites, self.names, self.calls, self.taint = CANARY, 0, 0, self.r.choice([0, 1, 1, 2])
        self.functions, self.pickers = [], []
        lines = []
        for i in range(self.r.randrange(1, 4)):
            lines += self.function(i)
        lines += (MAIN % {"x": self.x}).splitlines()
        lines += self.probe_of(mark(CANARY), "lane_", 1)
        for _ in range(self.r.randrange(8, 16)):
            make = self.shared if self.r.random() < 0.15 else self.statement
            lines += make(1, ["u0", "u1", "u2", "u3"])
        head = HEAD % {"heads": GROUPS * LANES, "entries": ENTRIES, "last": ENTRIES - 1, "x": self.x,
                       "words": GROUPS * LANES * (ENTRIES + 1)}
        # each returns a buffer to one call site
        pickers = ["[noinline] StructuredBuffer<uint> %s(bool c, uint a, uint b)" % f +
                   " { if (c) return bufs[a]; return bufs[b]; }" for f in self.pickers]
        self.lines = head.splitlines() + pickers + lines + ["}"]

    def text(self):
        return "\n".join(self.lines) + "\n"

    def name(self, letter):
        self.names += 1
        return "%s%d" % (letter, self.names)

    def leaf(self, variables):
        r = self.r.random()
        if r < 0.45:
            return self.r.choice(variables)
        if r < 0.55:
            return self.r.choice(["g0", "g1"])
        if r < 0.9 or not self.taint:
            return self.r.choice(["pc.w[%d]" % self.r.randrange(8), "group_", "%du" % self.r.randrange(16), "ro[5]"])
        if self.taint == 1:
            return self.r.choice(["WaveReadLaneFirst(lane_)", "WaveActiveSum(lane_)", "WaveActiveMax(lane_)"])
        return self.r.choice(["lane_", "lane_ & 3u", "WaveReadLaneFirst(lane_)", "WaveGetLaneIndex()"])

    def number(self, variables):
        a = self.leaf(variables)
        if self.r.random() < 0.5:
            return a
        return "(%s %s %s)" % (a, self.r.choice(["+", "^", "*", "|", "&"]), self.leaf(variables))

    def condition(self, variables):
        if self.r.random() < 0.4:
            return "(lane_ & %du) != 0u" % self.r.choice([1, 2, 3])
        return "(%s & %du) %s 0u" % (self.number(variables), self.r.choice([1, 2, 3]), self.r.choice(["==", "!="]))

    def probe_of(self, number, t, depth):
        i = self.name("t")
        return ["\t" * depth + "{ uint %s = (%s) & 15u; put(%du + (%s | bufs[%s][0] << 4u), key_); }" % (
            i, t, number, i, i)]

    def site(self):
        self.sites += 1
        return mark(self.sites)

    def probe(self, depth, variables):
        """An access through a chosen buffer, selected by t."""
        tab, kind = "\t" * depth, self.r.randrange(6) if self.chosen else 0
        a, c = "(%s) & 15u" % self.number(variables), "(%s) & 15u" % self.number(variables)
        t, b, other, how = self.name("t"), self.name("b"), self.name("o"), self.name("c")
        start = [tab + "{ uint %s = %s, %s = %s; bool %s = %s;" % (t, a, other, c, how, self.condition(variables))]
        if kind == 0:
            return self.probe_of(self.site(), self.number(variables), depth)
        if kind == 1:
            start += [tab + "StructuredBuffer<uint> %s = %s ? bufs[%s] : bufs[%s]; %s = %s ? %s : %s;" % (
                b, how, other, t, t, how, other, t)]
        elif kind == 2:
            start += [tab + "StructuredBuffer<uint> %s = bufs[%s]; if (%s) { %s = bufs[%s]; %s = %s; }" % (
                b, t, how, b, other, t, other)]
        elif kind == 3:
            start += [tab + "StructuredBuffer<uint> %s = bufs[1]; %s = 1u; if (%s) { %s = bufs[2]; %s = 2u; }" % (
                b, t, how, b, t)]
        elif kind == 4:
            start += [tab + "Kept %s_; %s_.buffer = bufs[%s]; %s_.number = %s; if (%s) { %s_.buffer = bufs[%s]; "
                      "%s_.number = %s; }" % (b, b, t, b, t, how, b, other, b, other),
                      tab + "StructuredBuffer<uint> %s = %s_.buffer; %s = %s_.number;" % (b, b, t, b)]
        else:
            f = self.name("choose")
            self.pickers.append(f)
            start += [tab + "StructuredBuffer<uint> %s = %s(%s, %s, %s); %s = %s ? %s : %s;" % (
                b, f, how, other, t, t, how, other, t)]
        return start + [tab + "put(%du + (%s | %s[0] << 4u), key_); }" % (self.site(), t, b)]

    def function(self, number):
        """Two aliases of maybe one variable."""
        name, values = "f%d" % number, ["a", "b", "v"]
        body = ["[noinline] void %s(inout uint a, inout uint b, uint v, uint key_)" % name, "{"]
        for _ in range(self.r.randrange(2, 6)):
            body += ["\t%s = %s;" % (self.r.choice(["a", "b", "g0"]), self.number(values))]
            body += self.probe_of(self.site(), self.r.choice(["a", "b", "g0"]), 1)
        self.functions.append(name)
        return body + ["}"]

    def shared(self, depth, variables):
        """Communication from one lane, or each, to the others between barriers that all reach."""
        tab, to = "\t" * depth, self.r.choice(variables + ["g0"])
        barrier = [tab + "GroupMemoryBarrierWithGroupSync();"]
        if self.r.random() < 0.3:
            return ([tab + "exchange[lane_] = %s;" % self.number(variables)] + barrier +
                    [tab + "%s = exchange[(%s) %% %du];" % (to, self.number(variables), self.x)] + barrier)
        lane = self.r.choice(["%du" % self.r.randrange(self.x), "pc.w[1] %% %du" % self.x])
        one = self.r.choice(["if (lane_ == %s) " % lane] * 2 + [""])
        return ([tab + "%stotal = %s;" % (one, self.number(variables))] + barrier +
                self.probe_of(self.site(), "total", depth) + [tab + "%s = total;" % to] +
                (barrier if self.r.random() < 0.8 else []))

    def statement(self, depth, variables):
        tab, r = "\t" * depth, self.r.random()
        if r < 0.3:
            return self.probe(depth, variables)
        if r < 0.55 or depth > 3:
            return [tab + "%s = %s;" % (self.r.choice(variables + ["g0", "g1"]), self.number(variables))]
        if r < 0.7 and self.calls < 32:
            names = variables[:4] + ["g0", "g1"]
            a = self.r.choice(names)
            b = a if self.r.random() < 0.5 else self.r.choice(names)
            self.calls += 1
            return [tab + "%s(%s, %s, %s, key_ * 32u + %du);" % (self.r.choice(self.functions), a, b,
                                                                 self.number(variables), self.calls - 1)]
        body = [line for _ in range(self.r.randrange(1, 4)) for line in self.statement(depth + 1, variables)]
        if r < 0.88:
            return [tab + "if (%s) {" % self.condition(variables)] + body + [tab + "}"]
        i, k = self.name("i"), self.name("k")
        return ([tab + "{ uint %s = key_ * 8u;" % k,
                 tab + "for (uint %s = 0u; %s < ((%s) & 3u); %s++) { uint key_ = ++%s;" % (
                     i, i, self.number(variables), i, k)] + body + [tab + "} }"])


def compile_slang(files, folder):
    """Returns the compiler's messages; FILE.spv gets an unknown source language, since tools do not know Slang."""
    done = subprocess.run(["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "slang.mjs"),
                           os.path.abspath(folder)] + files, capture_output=True, text=True, timeout=600)
    for file in files:
        if not os.path.exists(file + ".spv"):
            continue
        words = array.array("I")
        with open(file + ".spv", "rb") as f:
            words.frombytes(f.read())
        at, kept = 5, words[:5]
        while at < len(words):
            w = words[at:at + (words[at] >> 16)]
            at += len(w)
            if w[0] & 0xFFFF == 3:  # OpSource
                w[1] = 0
            # without an OpName of its type, a buffer is identified by its own
            if w[0] & 0xFFFF != 5 or not w[2:].tobytes().rstrip(b"\0").endswith((b"StructuredBuffer", b"_std430")):
                kept.extend(w)
        with open(file + ".spv", "wb") as f:
            kept.tofile(f)
    return done.stdout + done.stderr
