# SPDX-License-Identifier: Apache-2.0
"""Pathological modules: deep, wide, entangled. Each must get an answer, in a time that grows no faster than its size.

    hostile.py --bind B [--only WORD] [--size N] [--once] [--keep DIR]

A case makes a module of size n; it is bound at N and 4 N with everything that needs uniformity (the options of RUNS),
without validation. The processor time of the larger one, less what an empty module takes, must be less than LIMIT times
that of the smaller one: 4 is linear, 16 quadratic. Only ratios within one run are compared, never times; the best of up
to eight attempts counts. Whether a module is accepted or refused does not matter, but the command must report it: exit
status 0, 1 or 3.
"""
import argparse
import array
import itertools
import math
import os
import resource
import struct
import subprocess
import sys
import tempfile

import running
from running import HANGS, run

LIMIT = 8  # halfway between linear and quadratic on a logarithmic scale, because of caches and other load
ENOUGH = 0.02  # seconds: ten times an empty run; less is not significant
ROUNDS = 8
SAME_SIZE = ("large bound", "unknown instruction among capabilities")  # whatever n is
RUNS = {"bind": ["--nonuniform=auto", "--accesses", "--waterfall", "--validate=none", "--layout-json=-", "-o", "OUT"],
        "lint": ["lint"],
        "findings": ["lint", "--diagnostics=sarif:OUT", "-q"],
        "assertions": ["--check-assertions=runtime", "--validate=none", "--layout-json=-", "-o", "OUT"],
        "lowered": ["--heap-model=mutable", "--validate=none", "--layout-json=-", "-o", "OUT"],
        "restrided": ["--heap-model=descriptor-heap", "--heap-stride=unified", "--validate=none", "--layout-json=-",
                      "-o", "OUT"]}
HEAPS = ("chains into a descriptor heap", "members of a descriptor heap", "rows of a descriptor heap",
         "uses of one buffer in a descriptor heap", "entry points with descriptor heaps")
ONLY = {"lowered": HEAPS, "restrided": HEAPS, "findings": ("barriers behind returns", "barriers in nested ifs",
                     "comments about one line"), "assertions": ("assertions",)}
CASES = {}
PARTS = ("head", "imports", "entries", "modes", "names", "notes", "globals", "body")


def case(size, most=1 << 20):
    """most: if an instruction grows, which has at most 65,535 words"""
    def add(function):
        CASES[function.__name__.replace("_", " ")] = (function, size, most)
        return function
    return add


class Module:
    """Instructions as words, and new ids. A compute shader with an array of textures, one entry point."""

    def __init__(self, entry_points=1):
        self.parts = {k: [] for k in PARTS}
        self.bound = 1
        self.made = {}
        # Shader, SampledImageArrayDynamicIndexing, RuntimeDescriptorArray, … NonUniform
        for c in (1, 29, 5302, 5301, 5307):
            self.put("head", 17, c)
        self.put("head", 10, *text("SPV_EXT_descriptor_indexing"))
        self.put("entries", 14, 0, 1)
        self.mains = [self.id() for _ in range(entry_points)]
        self.void, self.bool, self.uint, self.float = (self.id() for _ in range(4))
        self.put("globals", 19, self.void)
        self.put("globals", 20, self.bool)
        self.put("globals", 21, self.uint, 32, 0)
        self.put("globals", 22, self.float, 32)
        self.v4 = self.type(23, self.float, 4)
        self.function_type = self.type(33, self.void)
        self.image = self.type(25, self.float, 1, 0, 0, 0, 1, 0)
        self.lane = self.variable(1, self.uint)
        self.put("notes", 71, self.lane, 11, 29)  # BuiltIn LocalInvocationIndex
        self.textures = self.variable(0, self.type(28, self.image, self.constant(16)))
        block = self.type(30, self.uint, self.type(28, self.uint, self.constant(64)))
        self.put("notes", 71, block, 2)
        self.put("notes", 72, block, 0, 35, 0)
        self.put("notes", 72, block, 1, 35, 4)
        self.put("notes", 71, self.made[28, (self.uint, self.constant(64))], 6, 4)
        self.push = self.variable(9, block)
        for i, main in enumerate(self.mains):
            self.put("entries", 15, 5, main, *text("main%d" % i), self.lane)
            self.put("modes", 16, main, 17, 64, 1, 1)
        for decoration in (34, 33):  # set 0, binding 0
            self.put("notes", 71, self.textures, decoration, 0)
        self.at = self.constant_of(self.type(23, self.uint, 2), self.constant(0), self.constant(0))

    def id(self):
        self.bound += 1
        return self.bound - 1

    def put(self, part, op, *words):
        self.parts[part].append((len(words) + 1 << 16 | op, *words))

    def type(self, op, *words):
        if (op, words) not in self.made:
            self.made[op, words] = i = self.id()
            self.put("globals", op, i, *words)
        return self.made[op, words]

    def constant(self, n):
        if ("u", n) not in self.made:
            self.made["u", n] = i = self.id()
            self.put("globals", 43, self.uint, i, n)
        return self.made["u", n]

    def constant_of(self, type, *parts):
        i = self.id()
        self.put("globals", 44, type, i, *parts)
        return i

    def value_of_float(self):
        if "one" not in self.made:
            self.made["one"] = i = self.id()
            self.put("globals", 43, self.float, i, 0x3F800000)
        return self.made["one"]

    def variable(self, storage, type):
        """For the storage class Function, to be called at the beginning of a function."""
        pointer, i = self.type(32, storage, type), self.id()
        self.put("body" if storage == 7 else "globals", 59, pointer, i, storage)
        return i

    def uniform_buffers(self, block, n):
        """Without names, in set 0."""
        pointer = self.type(32, 2, block)
        for _ in range(n):
            v = self.id()
            self.put("globals", 59, pointer, v, 2)
            self.put("notes", 71, v, 34, 0)

    def op(self, op, *words):
        self.parts["body"].append((len(words) + 1 << 16 | op, *words))

    def value(self, op, type, *words):
        i = self.id()
        self.op(op, type, i, *words)
        return i

    def load(self, pointer, type=None):
        return self.value(61, type or self.uint, pointer)

    def begin(self, function, type=None, result=None, parameters=()):
        """Returns the function and its parameters, if any."""
        self.op(54, result or self.void, function, 0, type or self.function_type)
        given = [self.value(55, t) for t in parameters]
        self.label()
        return [function] + given if parameters else function

    def main(self):
        self.begin(self.mains[0])

    def end(self, value=None):
        if value:
            self.op(254, value)
        else:
            self.op(253)
        self.op(56)

    def label(self, i=None):
        i = i or self.id()
        self.op(248, i)
        return i

    def lane_id(self):
        return self.load(self.lane)

    def same(self):
        """A number that is the same in all invocations."""
        p = self.value(65, self.type(32, 9, self.uint), self.push, self.constant(0))
        return self.load(p)

    def less(self, a, n=5):
        return self.value(176, self.bool, a, self.constant(n))

    def add(self, a, b):
        return self.value(128, self.uint, a, b)

    def access(self, index):
        chain = self.value(65, self.type(32, 0, self.image), self.textures, index)
        return self.value(95, self.v4, self.load(chain, self.image), self.at)

    def branch_if(self, condition, then, otherwise, merge=None):
        if merge:
            self.op(247, merge, 0)
        self.op(250, condition, then, otherwise)

    def bytes(self, bound=None):
        words = array.array("I", (0x07230203, 0x00010300, 0, bound or self.bound, 0))
        for k in PARTS:
            words.extend(itertools.chain.from_iterable(self.parts[k]))
        if sys.byteorder == "big":
            words.byteswap()
        return words.tobytes()


def text(t):
    b = t.encode() + b"\0"
    b += b"\0" * (-len(b) % 4)
    return struct.unpack("<%dI" % (len(b) // 4), b)


# Control flow

@case(4000)
def returns(n):
    """if (x) return; again and again"""
    m = Module()
    m.main()
    v = m.variable(7, m.uint)
    for i in range(n):
        m.op(62, v, m.lane_id() if i % 2 else m.same())
        out, on = m.id(), m.id()
        m.branch_if(m.less(m.load(v), i), out, on, on)
        m.label(out)
        m.op(253)
        m.label(on)
        if i % 8 == 0:
            m.access(m.load(v))
    m.end()
    return m.bytes()


@case(4000)
def nested_ifs(n):
    m = Module()
    m.main()
    v, w = m.variable(7, m.uint), m.variable(7, m.uint)
    merges = []
    for i in range(n):
        inner, merge = m.id(), m.id()
        m.branch_if(m.less(m.lane_id() if i % 2 else m.same(), i), inner, merge, merge)
        m.label(inner)
        m.op(62, v, m.constant(i % 16))
        merges.append(merge)
    for merge in reversed(merges):
        m.op(249, merge)
        m.label(merge)
        m.access(m.load(v))
        m.op(62, w, m.load(v))
    m.access(m.load(w))
    m.end()
    return m.bytes()


def loop_head(m):
    header, body, more, merge = (m.id() for _ in range(4))
    m.op(249, header)
    m.label(header)
    m.op(246, merge, more, 0)
    m.op(249, body)
    m.label(body)
    return header, more, merge


@case(1500)
def nested_loops(n):
    m = Module()
    m.main()
    v = m.variable(7, m.uint)
    loops, values = [], []
    for i in range(n):
        loops.append(loop_head(m))
        values.append(m.add(m.same(), m.load(v)))
        m.op(62, v, values[-1])
    for header, more, merge in reversed(loops):
        on = m.id()
        m.branch_if(m.less(m.load(v)), merge, on)
        m.label(on)
        m.op(249, more)
        m.label(more)
        m.op(249, header)
        m.label(merge)
        m.access(m.load(v))
    for k in values:
        m.access(k)
    m.end()
    return m.bytes()


@case(1500)
def used_behind_nested_loops(n):
    """a value of the innermost of n loops, used n times after them"""
    m = Module()
    m.main()
    v, w = m.variable(7, m.uint), m.variable(7, m.uint)
    loops = [loop_head(m) for _ in range(n)]
    last = m.add(m.same(), m.load(v))
    m.op(62, w, last)
    for header, more, merge in reversed(loops):
        on = m.id()
        m.branch_if(m.less(last), merge, on)
        m.label(on)
        m.op(249, more)
        m.label(more)
        m.op(249, header)
        m.label(merge)
    for k in range(n):
        m.access(m.add(last, m.constant(k)))
        m.access(m.add(m.load(w), m.constant(k)))
    m.end()
    return m.bytes()


@case(1500)
def returns_in_nested_loops(n):
    m = Module()
    m.main()
    v = m.variable(7, m.uint)
    loops = [loop_head(m) for _ in range(n)]
    for i in range(n):
        out, on = m.id(), m.id()
        m.branch_if(m.less(m.same(), i), out, on, on)
        m.label(out)
        m.op(253)
        m.label(on)
        m.op(62, v, m.add(m.load(v), m.constant(i)))
    for header, more, merge in reversed(loops):
        m.branch_if(m.less(m.load(v)), merge, more)
        m.label(more)
        m.op(249, header)
        m.label(merge)
        m.access(m.load(v))
    m.end()
    return m.bytes()


@case(3000)
def breaks(n):
    m = Module()
    m.main()
    variables = [m.variable(7, m.uint) for _ in range(50)]
    header, more, merge = loop_head(m)
    for i in range(n):
        m.op(62, variables[i % 50], m.add(m.load(variables[(i * 7 + 1) % 50]), m.same()))
        on, out = m.id(), m.id()
        m.branch_if(m.less(m.load(variables[i % 50]), i), out, on, on)
        m.label(out)
        m.op(249, merge)
        m.label(on)
    m.op(249, more)
    m.label(more)
    m.op(249, header)
    m.label(merge)
    for v in variables:
        m.access(m.load(v))
    m.end()
    return m.bytes()


@case(4000, 30000)
def switch(n):
    """each case writes its own variable; all are read after it"""
    m = Module()
    m.main()
    variables = [m.variable(7, m.uint) for _ in range(n)]
    labels, merge = [m.id() for _ in range(n)], m.id()
    k = m.same()
    m.op(247, merge, 0)
    m.op(251, k, merge, *[w for i, l in enumerate(labels) for w in (i, l)])
    for i, l in enumerate(labels):
        m.label(l)
        m.op(62, variables[i], m.constant(i % 16))
        m.op(249, merge)
    m.label(merge)
    for v in variables:
        m.access(m.load(v))
    m.end()
    return m.bytes()


@case(3000, 30000)
def reads_beside_a_deep_nest(n):
    """one case of a switch is nested deeply and stores, the others read"""
    m = Module()
    m.main()
    v = m.variable(7, m.uint)
    m.op(62, v, m.same())
    labels, merge = [m.id() for _ in range(n + 1)], m.id()
    k = m.same()
    m.op(247, merge, 0)
    m.op(251, k, merge, *[w for i, l in enumerate(labels) for w in (i, l)])
    m.label(labels[0])
    for i in range(n):
        out, on = m.id(), m.id()
        m.branch_if(m.less(m.same(), i), out, on, on)
        m.label(out)
        m.op(253)
        m.label(on)
        m.op(62, v, m.add(m.load(v), m.constant(1)))
    m.op(253)
    for l in labels[1:]:
        m.label(l)
        m.access(m.load(v))
        m.op(249, merge)
    m.label(merge)
    m.end()
    return m.bytes()


@case(2000)
def irreducible(n):
    """pairs of blocks that both may be entered first, and jumps over many of them"""
    m = Module()
    m.main()
    v = m.variable(7, m.uint)
    labels = [m.id() for _ in range(2 * n + 1)]
    m.op(249, labels[0])
    for i in range(2 * n):
        m.label(labels[i])
        m.op(62, v, m.add(m.load(v), m.same()))
        m.access(m.load(v))
        m.branch_if(m.less(m.load(v), i % 7), labels[i + 1], labels[(i * 7919 + 1) % (2 * n)] if i % 3
                    else labels[i - i % 2])
    m.label(labels[2 * n])
    m.end()
    return m.bytes()


@case(2000)
def jumps_forward(n):
    """a graph without loops in which every block may jump far ahead"""
    m = Module()
    m.main()
    v = m.variable(7, m.uint)
    labels = [m.id() for _ in range(n + 1)]
    m.op(249, labels[0])
    for i in range(n):
        m.label(labels[i])
        phi = m.load(v)
        m.op(62, v, m.add(phi, m.same()))
        m.access(phi)
        m.branch_if(m.less(phi, i % 7), labels[i + 1], labels[min(n, i + 1 + i * 7919 % (n // 2 + 1))])
    m.label(labels[n])
    m.end()
    return m.bytes()


@case(4000, 30000)
def ladder_of_exits(n):
    """all blocks of a chain lead to one join, which has a value from each"""
    m = Module()
    m.main()
    join, pairs = m.id(), []
    values = [m.same() for _ in range(4)]
    for i in range(n):
        on = m.id()
        here = m.id()
        m.op(249, here)
        m.label(here)
        pairs += [m.add(values[i % 4], m.constant(i)), here]
        m.branch_if(m.less(values[i % 3], i), join, on)
        m.label(on)
    m.op(253)
    m.label(join)
    phis = [m.value(245, m.uint, *(pairs if k == 0 else pairs[:2 * n])) for k in range(2)]
    for p in phis:
        m.access(p)
    m.end()
    return m.bytes()


@case(2000)
def many_phis_of_many_exits(n):
    m = Module()
    m.main()
    count = int(n ** 0.5)
    join, pairs = m.id(), []
    for i in range(count):
        on, here = m.id(), m.id()
        m.op(249, here)
        m.label(here)
        pairs += [m.add(m.same(), m.constant(i)), here]
        m.branch_if(m.less(pairs[-2], i), join, on)
        m.label(on)
    m.op(253)
    m.label(join)
    for p in [m.value(245, m.uint, *pairs) for _ in range(count)]:
        m.access(p)
    m.end()
    return m.bytes()


@case(3000)
def never_run(n):
    """unreachable blocks, and loops without an exit"""
    m = Module()
    m.main()
    v = m.variable(7, m.uint)
    m.access(m.load(v))
    m.op(253)
    for i in range(n):
        a, b = m.id(), m.id()
        m.label(a)
        m.op(62, v, m.lane_id())
        m.op(249, b)
        m.label(b)
        m.access(m.load(v))
        m.op(249, (a, b)[i % 2])
    m.op(56)
    return m.bytes()


@case(3000, 30000)
def endless_loops(n):
    """reachable ones: the cases of a switch"""
    m = Module()
    m.main()
    v = m.variable(7, m.uint)
    labels, merge = [m.id() for _ in range(n)], m.id()
    k = m.same()
    m.op(247, merge, 0)
    m.op(251, k, merge, *[w for i, l in enumerate(labels) for w in (i, l)])
    for l in labels:
        m.label(l)
        m.op(62, v, m.add(m.load(v), m.lane_id()))
        m.access(m.load(v))
        m.op(249, l)
    m.label(merge)
    m.access(m.load(v))
    m.end()
    return m.bytes()


# Required uniformity

@case(4000)
def barriers_behind_returns(n):
    """after each return fewer invocations are left, and all barriers have their findings"""
    m = Module()
    m.main()
    scope, semantics = m.constant(2), m.constant(264)
    for i in range(n):
        out, on = m.id(), m.id()
        m.branch_if(m.less(m.lane_id(), i), out, on, on)
        m.label(out)
        m.op(253)
        m.label(on)
        m.op(224, scope, scope, semantics)
    m.end()
    return m.bytes()


@case(4000, 11000)
def comments_about_one_line(n):
    """each allows something, and every finding is on that line"""
    m = Module()
    comments = "".join("/* spirv-bind: allow SPB5001, x%d */" % i for i in range(n)) + ";"
    m.put("modes", 7, m.id(), *text("a.comp"))
    name = m.bound - 1
    m.put("modes", 3, 2, 460, name, *text(comments[:200000]))
    for i in range(200000, len(comments), 200000):
        m.put("modes", 2, *text(comments[i:i + 200000]))
    m.main()
    scope, semantics = m.constant(2), m.constant(264)
    out, on = m.id(), m.id()
    m.branch_if(m.less(m.lane_id(), 1), out, on, on)
    m.label(out)
    m.op(253)
    m.label(on)
    m.op(8, name, 1, 1)
    for _ in range(n):
        m.op(224, scope, scope, semantics)
    m.end()
    return m.bytes()


@case(2000)
def barriers_in_nested_ifs(n):
    m = Module()
    m.main()
    scope, semantics, merges = m.constant(2), m.constant(264), []
    for i in range(n):
        inner, merge = m.id(), m.id()
        m.branch_if(m.less(m.lane_id() if i % 2 else m.same(), i), inner, merge, merge)
        m.label(inner)
        m.op(224, scope, scope, semantics)
        merges.append(merge)
    for merge in reversed(merges):
        m.op(249, merge)
        m.label(merge)
    m.end()
    return m.bytes()


@case(3000)
def assertions(n):
    """unprovable ones"""
    m = Module()
    name = b"NonSemantic.AssertUniform\0\0\0"
    m.put("imports", 11, m.id(), *struct.unpack("<7I", name))
    imported = m.bound - 1
    m.main()
    for i in range(n):
        m.value(12, m.void, imported, 1 + i % 2, m.add(m.lane_id(), m.constant(i % 64)))
    m.end()
    return m.bytes()


# Types and values

@case(2000)
def views_of_one_descriptor(n):
    """all at one place, and all of them used"""
    m = Module()
    variables = [m.variable(0, m.image) for _ in range(n)]
    m.main()
    for v in variables:
        m.put("notes", 71, v, 34, 0)
        m.put("notes", 71, v, 33, 1)
        m.load(v, m.image)
    m.end()
    return m.bytes()


@case(1000, 8000)
def a_long_name_of_many(n):
    """unnamed variables of a block whose name is as long as their number"""
    m = Module()
    block = m.type(30, m.uint)
    m.put("notes", 72, block, 0, 35, 0)
    m.put("notes", 71, block, 2)
    m.put("names", 5, block, *text("b" * (32 * n)))
    m.uniform_buffers(block, n)
    m.main()
    m.end()
    return m.bytes()


@case(1000, 8000)
def members_named_before_their_block(n):
    m = Module()
    block = m.type(30, *[m.uint] * n)
    m.put("notes", 71, block, 2)
    for i in range(n):
        m.put("names", 6, block, i, *text("m"))
        m.put("notes", 72, block, i, 35, 4 * i)
    m.put("names", 5, block, *text("b"))
    m.uniform_buffers(block, n)
    m.main()
    m.end()
    return m.bytes()


@case(2000, 60000)
def wide_struct(n):
    """members of a local struct, and of a block that is declared before its members' offsets"""
    m = Module()
    s = m.type(30, *[m.uint] * n)
    block = m.type(30, *[m.type(23, m.uint, 4 - i % 2) for i in range(n)])
    m.put("notes", 71, block, 2)
    for i in range(n):
        m.put("notes", 72, block, i, 35, i * 16)
    blocks = m.variable(12, m.type(29, block))
    m.put("notes", 71, blocks, 34, 0)
    m.put("notes", 71, blocks, 33, 1)
    m.main()
    v = m.variable(7, s)
    for i in range(n):
        p = m.value(65, m.type(32, 7, m.uint), v, m.constant(i))
        m.op(62, p, m.lane_id() if i % 2 else m.same())
        m.access(m.load(p))
        b = m.value(65, m.type(32, 12, m.uint), blocks, m.load(p), m.constant(i), m.constant(0))
        m.access(m.load(b))
    m.access(m.value(81, m.uint, m.load(v, s), n - 1))
    m.end()
    return m.bytes()


@case(4000, 60000)
def deep_type(n):
    m = Module()
    t = m.uint
    for i in range(n):
        t = m.type(30, t) if i % 2 else m.type(28, t, m.constant(2))
    m.main()
    v = m.variable(7, t)
    p = m.value(65, m.type(32, 7, m.uint), v, *[m.constant(0)] * n)
    m.op(62, p, m.lane_id())
    for i in range(n // 64):
        m.access(m.load(p))
    m.end()
    return m.bytes()


@case(4000)
def fields_in_one_block(n):
    """a struct whose members are written and read in turns, without a branch"""
    m = Module()
    s = m.type(30, *[m.uint] * 8)
    m.main()
    v = m.variable(7, s)
    fields = [m.value(65, m.type(32, 7, m.uint), v, m.constant(i)) for i in range(8)]
    for i in range(n):
        m.op(62, fields[1 + i % 7], m.lane_id())
        m.access(m.load(fields[0]))
    m.end()
    return m.bytes()


@case(4000)
def elements_in_one_block(n):
    """an array whose elements are written and read in turns"""
    m = Module()
    m.main()
    v = m.variable(7, m.type(28, m.uint, m.constant(16)))
    for i in range(n):
        p = m.value(65, m.type(32, 7, m.uint), v, m.constant(i % 16))
        m.op(62, p, m.same())
        m.access(m.load(p))
    m.end()
    return m.bytes()


@case(5000)
def chains_on_chains(n):
    m = Module()
    t = m.uint
    pointers = [m.type(32, 7, t)]
    for i in range(n):
        t = m.type(28, t, m.constant(2))
        pointers.append(m.type(32, 7, t))
    m.main()
    p = m.variable(7, t)
    for i in range(n):
        p = m.value(65, pointers[n - 1 - i], p, m.constant(i % 2))
    m.op(62, p, m.lane_id())
    for _ in range(n // 8):
        m.access(m.load(p))
    m.end()
    return m.bytes()


@case(5000)
def copies_of_an_image(n):
    """each is accessed, far from its variable"""
    m = Module()
    m.main()
    chain = m.value(65, m.type(32, 0, m.image), m.textures, m.lane_id())
    image = m.load(chain, m.image)
    for i in range(n):
        image = m.value(83, m.image, image)
        texel = m.value(95, m.v4, image, m.at)
        m.access(m.value(109, m.uint, m.value(81, m.float, texel, 0)))
    m.end()
    return m.bytes()


@case(5000)
def long_way(n):
    """an index that is computed in n steps, each of them used"""
    m = Module()
    m.main()
    for start in (m.lane_id(), m.same()):
        k = start
        for i in range(n):
            k = m.add(k, m.constant(i % 16))
            m.access(k)
    m.end()
    return m.bytes()


@case(8000, 30000)
def phi(n):
    m = Module()
    m.main()
    join, pairs = m.id(), []
    labels = [m.id() for _ in range(n)]
    k = m.lane_id()
    m.op(247, join, 0)
    m.op(251, k, labels[0], *[w for i, l in enumerate(labels) for w in (i, l)])
    for i, l in enumerate(labels):
        m.label(l)
        pairs += [m.same(), l]
        m.op(249, join)
    m.label(join)
    p = m.value(245, m.uint, *pairs)
    for _ in range(n // 8):
        m.access(p)
    m.end()
    return m.bytes()


@case(15000, 60000)
def construct(n):
    m = Module()
    s = m.type(30, *[m.uint] * n)
    m.main()
    c = m.value(80, s,
                *[m.same() if i % 100 == 0 else m.lane_id() if i % 100 == 50 else m.constant(i % 16) for i in range(n)])
    for i in range(n // 8):
        m.access(m.value(81, m.uint, c, i))
    m.end()
    return m.bytes()


@case(1000)
def decorations(n):
    """a variable with n decorations that is used n times"""
    m = Module()
    for i in range(n):
        m.put("notes", 71, m.textures, 19 + i % 3)
        m.put("notes", 71, m.lane, 19 + i % 3)
    m.main()
    for i in range(n):
        m.access(m.lane_id())
    m.end()
    return m.bytes()


@case(1)
def unknown_instruction_among_capabilities(n):
    """with one word, at the end of the module: there is no operand to read"""
    return struct.pack("<10I", 0x07230203, 0x10000, 0, 1, 0, 0x20011, 64, 0x20011, 64, 0x11504)


@case(1000, 60000)
def inputs_of_one_named_block(n):
    """whose name has n words and follows those of its n members"""
    m = Module()
    block = m.type(30, *[m.uint] * n)
    m.put("notes", 71, block, 2)
    for i in range(n):
        m.put("notes", 72, block, i, 35, 4 * i)
        m.put("modes", 6, block, i, *text("m%d" % i))
    m.put("modes", 5, block, *text("n" * (4 * min(n, 60000) - 1)))
    inputs = [m.variable(1, block) for _ in range(n)]
    m.parts["entries"][-1:] = []
    m.put("entries", 15, 5, m.mains[0], *text("main0"), m.lane, *inputs)
    m.main()
    m.end()
    return m.bytes()


@case(3000, 60000)
def deep_arrays_of_textures(n):
    """one access chain through arrays of arrays, used again and again; may be refused"""
    m = Module()
    t = m.image
    for _ in range(n):
        t = m.type(28, t, m.constant(1))
    v = m.variable(0, t)
    m.put("notes", 71, v, 34, 0)
    m.put("notes", 71, v, 33, 1)
    m.main()
    chain = m.value(65, m.type(32, 0, m.image), v, *[m.lane_id()] * n)
    m.put("notes", 71, chain, 5300)
    for _ in range(n):
        m.value(95, m.v4, m.load(chain, m.image), m.at)
        m.access(m.same())
    m.end()
    return m.bytes()


@case(3000, 60000)
def deep_input(n):
    """the same of an input variable, and of an array of blocks"""
    m = Module()
    t = m.uint
    for _ in range(n):
        t = m.type(28, t, m.constant(1))
    v = m.variable(1, t)
    block = m.type(30, t, m.uint)
    m.put("notes", 71, block, 2)
    b = m.variable(12, block)
    m.main()
    p = m.value(65, m.type(32, 1, m.uint), v, *[m.constant(0)] * n)
    q = m.value(65, m.type(32, 12, m.uint), b, m.constant(0), *[m.constant(0)] * n)
    for _ in range(n):
        m.access(m.load(p))
        m.access(m.load(q))
    m.end()
    return m.bytes()


@case(3000)
def chain_of_combined_images(n):
    """images are taken out of combined ones and combined again, n times, with accesses between"""
    m = Module()
    sampler, combined = m.type(26), m.type(27, m.image)
    samplers = m.variable(0, m.type(28, sampler, m.constant(16)))
    m.put("notes", 71, samplers, 34, 0)
    m.put("notes", 71, samplers, 33, 1)
    m.main()
    chain = m.value(65, m.type(32, 0, m.image), m.textures, m.same())
    image = m.load(chain, m.image)
    s = m.load(m.value(65, m.type(32, 0, sampler), samplers, m.lane_id()), sampler)
    v2 = m.constant_of(m.type(23, m.float, 2), m.value_of_float(), m.value_of_float())
    for i in range(n):
        both = m.value(86, combined, image, s)
        if i % 4 == 0:
            m.access(m.lane_id())
        m.value(88, m.v4, both, v2, 2, m.value_of_float())
        image = m.value(100, m.image, both)
    m.end()
    return m.bytes()


@case(3000)
def marked_by_hand(n):
    """an author's marks, on accesses of one block, some of an image that is loaded once"""
    m = Module()
    m.main()
    k = m.lane_id()
    chain = m.value(65, m.type(32, 0, m.image), m.textures, k)
    image = m.load(chain, m.image)
    for i in (k, chain, image):
        m.put("notes", 71, i, 5300)
    for i in range(n):
        m.value(95, m.v4, image, m.at)
        m.access(m.value(83, m.uint, k))
        m.access(k)
    m.end()
    return m.bytes()


@case(3000)
def behind_a_loop(n):
    """loads of variables that the loop leaves alone, and that are stored to n times elsewhere"""
    m = Module()
    m.main()
    v, w = m.variable(7, m.uint), m.variable(7, m.uint)
    for i in range(n):
        m.op(62, v, m.same())
        m.op(62, w, m.load(v))
    header, more, merge = loop_head(m)
    loaded = [m.load(v) for _ in range(n)]
    m.branch_if(m.less(m.lane_id()), merge, more)
    m.label(more)
    m.op(249, header)
    m.label(merge)
    for k in loaded:
        m.access(m.add(k, k))
    m.end()
    return m.bytes()


# Memory

@case(1500)
def ladder_of_diamonds(n):
    """n variables, each stored in three blocks of a ladder"""
    m = Module()
    m.main()
    variables = [m.variable(7, m.uint) for _ in range(n)]
    for i in range(n):
        then, merge = m.id(), m.id()
        m.branch_if(m.less(m.same(), i), then, merge, merge)
        m.label(then)
        m.op(62, variables[i], m.same())
        m.op(62, variables[(i * 7919 + 1) % n], m.lane_id())
        m.op(249, merge)
        m.label(merge)
        m.op(62, variables[(i * 31 + 7) % n], m.same())
        m.access(m.load(variables[(i * 17 + 3) % n]))
    for v in variables:
        m.access(m.load(v))
    m.end()
    return m.bytes()


@case(3000)
def private_variables(n):
    m = Module()
    variables = [m.variable(6, m.uint) for _ in range(n)]
    m.main()
    for i in range(n):
        then, merge = m.id(), m.id()
        m.branch_if(m.less(m.load(variables[i]), i), then, merge, merge)
        m.label(then)
        m.op(62, variables[i], m.load(variables[i - 1]))
        m.op(249, merge)
        m.label(merge)
        m.access(m.load(variables[i]))
    m.end()
    return m.bytes()


# Functions

def call(m, function, *given, result=None):
    return m.value(57, result or m.void, function, *given)


@case(3000)
def private_variables_under_control(n):
    """whether all write them together depends on all earlier branches, and on those of the callers"""
    m = Module()
    variables = [m.variable(6, m.uint) for _ in range(8)]
    f = m.id()
    for function in (f, m.mains[0]):
        m.begin(function)
        header, more, merge = loop_head(m)
        for i in range(n):
            out, on = m.id(), m.id()
            k = m.less(m.load(variables[i % 8]), i)
            m.branch_if(k, out, on, on)
            m.label(out)
            m.op(62, variables[i % 7], m.same())
            m.op(*((253,) if i % 2 else (249, merge)))
            m.label(on)
            m.op(62, variables[i % 3], m.same())
            if i % 16 == 0 and function != f:
                call(m, f)
        m.op(249, more)
        m.label(more)
        m.op(249, header)
        m.label(merge)
        for v in variables:
            m.access(m.load(v))
        m.end()
    return m.bytes()


@case(2000)
def images_as_parameters(n):
    """through n functions, declared callees last and callees first"""
    m = Module()
    t = m.type(33, m.void, m.image, m.uint)
    functions = [m.id() for _ in range(n)]
    order = list(range(n))
    for i in order[::2] + order[1::2][::-1]:
        _, image, k = m.begin(functions[i], t, m.void, (m.image, m.uint))
        m.value(95, m.v4, image, m.at)
        m.access(k)
        if i + 1 < n:
            call(m, functions[i + 1], image, m.add(k, m.constant(1)))
        m.end()
    m.main()
    for k in (m.lane_id(), m.same()):
        image = m.load(m.value(65, m.type(32, 0, m.image), m.textures, k), m.image)
        call(m, functions[0], image, k)
    m.end()
    return m.bytes()


@case(2000)
def pointers_to_images_as_parameters(n):
    m = Module()
    pointer = m.type(32, 0, m.image)
    t = m.type(33, m.void, pointer, m.uint)
    functions = [m.id() for _ in range(n)]
    for i in range(n):
        _, p, k = m.begin(functions[i], t, m.void, (pointer, m.uint))
        m.value(95, m.v4, m.load(p, m.image), m.at)
        m.access(k)
        if i + 1 < n:
            call(m, functions[i + 1], p, m.add(k, m.constant(1)))
        m.end()
    m.main()
    for k in (m.lane_id(), m.same()):
        call(m, functions[0], m.value(65, pointer, m.textures, k), k)
    m.end()
    return m.bytes()


@case(3000)
def chain_of_calls(n):
    """each function calls the next; half of them in module order, half in reverse"""
    m = Module()
    t = m.type(33, m.uint, m.uint)
    functions = [m.id() for _ in range(n)]
    order = list(range(n))
    order = order[::2] + order[1::2][::-1]
    for i in order:
        _, k = m.begin(functions[i], t, m.uint, (m.uint,))
        m.access(k)
        m.end(m.add(call(m, functions[i + 1], k, result=m.uint), m.constant(1)) if i + 1 < n else k)
    m.main()
    m.access(call(m, functions[0], m.lane_id(), result=m.uint))
    m.access(call(m, functions[0], m.same(), result=m.uint))
    m.end()
    return m.bytes()


@case(3000)
def comb_of_calls(n):
    """each function calls the next one twice, by a pointer"""
    m = Module()
    pointer = m.type(32, 7, m.uint)
    t = m.type(33, m.void, pointer)
    functions = [m.id() for _ in range(n)]
    for i in range(n):
        _, p = m.begin(functions[i], t, m.void, (pointer,))
        v = m.variable(7, m.uint)
        m.op(62, v, m.load(p))
        m.access(m.load(p))
        m.op(62, p, m.add(m.load(p), m.same()))
        if i + 1 < n:
            call(m, functions[i + 1], p)
            call(m, functions[i + 1], v)
        m.access(m.load(v))
        m.end()
    m.main()
    v = m.variable(7, m.uint)
    m.op(62, v, m.same())
    call(m, functions[0], v)
    m.access(m.load(v))
    m.end()
    return m.bytes()


@case(3000)
def recursion(n):
    m = Module()
    t = m.type(33, m.uint, m.uint)
    functions = [m.id() for _ in range(n)]
    for i in range(n):
        _, k = m.begin(functions[i], t, m.uint, (m.uint,))
        m.access(k)
        a = call(m, functions[(i + 1) % n], k, result=m.uint)
        b = call(m, functions[(i * 7919 + 5) % n], a, result=m.uint)
        m.access(b)
        m.end(b)
    m.main()
    m.access(call(m, functions[0], m.same(), result=m.uint))
    m.end()
    return m.bytes()


@case(60)
def parameters(n):
    """255 pointers, in n calls"""
    m = Module()
    pointer = m.type(32, 7, m.uint)
    f = m.id()
    given = m.begin(f, m.type(33, m.void, *[pointer] * 255), m.void, (pointer,) * 255)[1:]
    for i, p in enumerate(given):
        m.op(62, p, m.add(m.load(given[i - 1]), m.constant(1)))
        m.access(m.load(p))
    m.end()
    m.main()
    variables = [m.variable(7, m.uint) for _ in range(255)]
    for i in range(n):
        call(m, f, *variables[i % 255:], *variables[:i % 255])
    for v in variables:
        m.access(m.load(v))
    m.end()
    return m.bytes()


class Buffers(Module):
    """The same with an array of storage buffers; pointers into them may be chosen and kept."""

    def __init__(self, entry_points=1):
        super().__init__(entry_points)
        self.parts["head"].insert(0, instruction(17, 4442))  # VariablePointers
        block = self.type(30, self.uint)
        self.put("notes", 71, block, 2)
        self.put("notes", 72, block, 0, 35, 0)
        self.buffers = self.variable(12, self.type(28, block, self.constant(16)))
        for decoration, value in ((34, 0), (33, 1)):
            self.put("notes", 71, self.buffers, decoration, value)
        self.pointer = self.type(32, 12, self.uint)

    def chosen(self, index):
        return self.value(65, self.pointer, self.buffers, index, self.constant(0))


@case(4000)
def choices_of_choices(n):
    """a pointer that is chosen from the last one and another, n times; every fourth is stored through"""
    m = Buffers()
    m.main()
    p = m.chosen(m.constant(1))
    for i in range(n):
        c = m.less(m.lane_id() if i % 3 else m.same(), i)
        p = m.value(169, m.pointer, c, p, m.chosen(m.constant(i % 16) if i % 5 else m.same()))
        if i % 4:
            m.load(p)
        else:
            m.op(62, p, m.same())
    m.end()
    return m.bytes()


@case(3000)
def pointers_handed_backwards(n):
    """each variable receives what the next one holds, in a loop: it takes as many rounds as there are variables"""
    m = Buffers()
    m.main()
    variables = [m.variable(7, m.pointer) for _ in range(n)]
    header, more, merge = loop_head(m)
    for i in range(n - 1):
        m.op(62, variables[i], m.load(variables[i + 1], m.pointer))
    m.op(62, variables[-1], m.chosen(m.lane_id()))
    m.op(249, more)
    m.label(more)
    m.op(249, header)
    m.label(merge)
    for v in variables[::4]:
        m.load(m.load(v, m.pointer))
    m.end()
    return m.bytes()


@case(2000)
def functions_that_return_pointers(n):
    """each chooses between its argument and the result of the next one, and stores it in one variable for all"""
    m = Buffers()
    kept = m.variable(6, m.pointer)
    t = m.type(33, m.pointer, m.pointer, m.uint)
    functions = [m.id() for _ in range(n)]
    for i in range(n):
        _, p, k = m.begin(functions[i], t, m.pointer, (m.pointer, m.uint))
        q = call(m, functions[i + 1], p, k, result=m.pointer) if i + 1 < n else p
        r = m.value(169, m.pointer, m.less(k, i), p, q)
        m.op(62, kept, r)
        m.load(m.load(kept, m.pointer))
        m.end(r)
    m.main()
    for k in (m.lane_id(), m.same()):
        m.load(call(m, functions[0], m.chosen(k), k, result=m.pointer))
    m.end()
    return m.bytes()


@case(2000)
def deep_structures_of_pointers(n):
    m = Buffers()
    t, types = m.type(30, m.pointer, m.pointer), []
    for _ in range(n):
        types.append(t)
        t = m.type(30, t, m.uint)
    m.main()
    v = m.variable(7, t)
    whole = m.load(v, t)
    for i in range(n):
        whole = m.value(81, types[-1 - i], whole, 0)
    for i in range(2):
        m.load(m.value(81, m.pointer, whole, i))
    m.end()
    return m.bytes()


@case(2000)
def the_same_variable_twice(n):
    """passed on by n functions, which write one alias and read the other"""
    m = Module()
    pointer = m.type(32, 7, m.uint)
    t = m.type(33, m.void, pointer, pointer)
    functions = [m.id() for _ in range(n)]
    for i in range(n):
        _, a, b = m.begin(functions[i], t, m.void, (pointer, pointer))
        m.op(62, a, m.same())
        if i + 1 < n:
            call(m, functions[i + 1], *((a, b) if i % 2 else (b, a)))
        m.access(m.load(b))
        m.end()
    m.main()
    variables = [m.variable(7, m.uint) for _ in range(8)]
    for v in variables:
        m.op(62, v, m.lane_id())
        call(m, functions[0], v, v)
        m.access(m.load(v))
    m.end()
    return m.bytes()


@case(1500)
def variables_read_before_they_are_written(n):
    """of a module with several entry points, through functions that call one another"""
    m = Module(4)
    variables = [m.variable(6, m.uint) for _ in range(n)]
    functions = [m.id() for _ in range(n)]
    for i in range(n):
        m.begin(functions[i])
        m.op(62, variables[i], m.load(variables[i - 1]))
        m.access(m.load(variables[i]))
        if i % 40 and i + 1 < n:
            call(m, functions[i + 1])
        m.end()
    for main in m.mains:
        m.begin(main)
        for i in range(0, n, 40):
            call(m, functions[min(i + 1, n - 1)])
        m.end()
    return m.bytes()


@case(4000, 60000)
def one_call_of_many_pointers(n):
    m = Module()
    pointer = m.type(32, 7, m.uint)
    f = m.id()
    given = m.begin(f, m.type(33, m.void, *[pointer] * n), m.void, (pointer,) * n)[1:]
    for i in range(0, n, 8):
        m.op(62, given[i], m.add(m.load(given[i - 1]), m.constant(1)))
        m.access(m.load(given[i]))
    m.end()
    m.main()
    variables = [m.variable(7, m.uint) for _ in range(n)]
    call(m, f, *variables)
    call(m, f, *variables[::-1])
    for v in variables[::8]:
        m.access(m.load(v))
    m.end()
    return m.bytes()


@case(800)
def wide_values_through_calls(n):
    """64 components, all made of all, through n calls"""
    m = Module()
    s = m.type(28, m.type(30, *[m.uint] * 64), m.constant(2))
    s = m.made[30, (m.uint,) * 64]
    f = m.id()
    _, k = m.begin(f, m.type(33, s, s), s, (s,))
    total = m.value(81, m.uint, k, 0)
    for i in range(1, 64):
        total = m.add(total, m.value(81, m.uint, k, i))
    m.end(m.value(80, s, *[total] * 64))
    m.main()
    k = m.value(80, s, *[m.same()] * 64)
    for i in range(n):
        k = call(m, f, k, result=s)
        m.access(m.value(81, m.uint, k, i % 64))
    m.end()
    return m.bytes()


@case(1500)
def entry_points(n):
    """that share functions, each reaching all of them"""
    m = Module(n)
    functions = [m.id() for _ in range(n)]
    t = m.type(33, m.uint, m.uint)
    for i in range(n):
        _, k = m.begin(functions[i], t, m.uint, (m.uint,))
        m.access(m.add(k, m.lane_id()))
        m.end(call(m, functions[i + 1], k, result=m.uint) if i + 1 < n else k)
    for i, main in enumerate(m.mains):
        m.begin(main)
        m.access(call(m, functions[0], m.same(), result=m.uint))
        m.end()
    return m.bytes()


@case(500)
def made_of_itself(n):
    """in blocks that are never run: pointers, copies and images whose definitions lead back to them"""
    m = Module()
    pointer, combined = m.type(32, 0, m.image), m.type(27, m.image)
    local, sampler = m.type(32, 7, m.uint), m.type(26)
    m.main()
    v = m.variable(7, m.uint)
    m.op(62, v, m.lane_id())
    m.access(m.load(v))
    m.op(253)
    for _ in range(n):
        m.label()
        a, b, c, d, e, f = (m.id() for _ in range(6))
        m.op(65, pointer, a, b, m.constant(0))
        m.op(83, pointer, b, a)
        m.op(65, local, c, c, m.constant(0))
        m.op(62, c, m.lane_id())
        m.op(83, m.image, d, e)
        m.op(100, m.image, e, f)
        m.op(86, combined, f, d, d)
        m.put("notes", 71, d, 5300)
        m.put("notes", 71, f, 5300)
        m.access(m.load(c))
        m.access(m.load(v))
        m.value(95, m.v4, d, m.at)
        m.op(99, d, m.at, m.at)
        m.value(95, m.v4, m.load(a, m.image), m.at)
        m.op(253)
    m.op(56)
    return m.bytes()


@case(500)
def chains_from_images(n):
    """access chains from image to image, interrupted by an access, and unused afterwards"""
    m = Module()
    m.main()
    k = m.lane_id()
    for _ in range(n):
        image = m.load(m.value(65, m.type(32, 0, m.image), m.textures, k), m.image)
        m.access(m.value(83, m.uint, k))
        odd = m.value(67, m.image, image, k)
        for i in (odd, image):
            m.put("notes", 71, i, 5300)
        m.value(95, m.v4, odd, m.at)
    m.end()
    return m.bytes()


@case(500)
def of_other_functions(n):
    """values, blocks and variables of another function; a Function variable outside of functions"""
    m = Module()
    outside = m.id()
    m.put("globals", 59, m.type(32, 7, m.uint), outside, 7)
    functions, labels, variables, values = [m.mains[0]], [], [], []
    for i in range(n):
        m.begin(functions[-1])
        variables.append(m.variable(7, m.uint))
        values.append(m.load(variables[i // 2]))
        m.op(62, variables[i // 3], m.add(values[i // 2], m.load(outside)))
        m.op(62, outside, m.load(variables[-1]))
        m.access(values[-1])
        m.access(values[i // 2])
        m.access(m.value(199, m.uint, m.load(outside), m.constant(12)))
        m.access(m.value(199, m.uint, m.load(variables[i // 4]), m.constant(12)))
        header, more, merge = loop_head(m)
        labels += [header, more, merge]
        m.op(62, variables[i // 2], m.load(variables[i // 3]))
        m.branch_if(m.less(values[i // 2]), labels[i], more)
        m.label(more)
        m.op(249, header)
        m.label(merge)
        m.access(m.value(245, m.uint, values[i // 2], labels[i], values[-1], header))
        m.access(m.load(variables[i // 2]))
        m.end()
        functions.append(m.id())
    return m.bytes()


@case(1)
def large_bound(n):
    """4,194,303 ids, of which few are defined"""
    m = Module()
    m.main()
    for _ in range(20):
        m.access(m.lane_id())
    m.end()
    return m.bytes(4194303)


# Handles

def instruction(op, *words):
    return (len(words) + 1 << 16 | op, *words)


def with_resolver(m, length, callees=()):
    """The import of dereferences, the type of handles, and the module's own resolver."""
    handles, uint2, own = m.id(), m.type(23, m.uint, 2), m.id()
    # before the memory model
    m.parts["head"].insert(6, instruction(11, handles, *text("NonSemantic.DescriptorHandle")))
    m.parts["notes"].insert(0, instruction(5, own, *text("getDescriptorIndexFromHandle")))
    _, handle = m.begin(own, m.type(33, m.uint, uint2), m.uint, [uint2])
    x = m.value(81, m.uint, handle, 0)
    for callee in callees:
        x = m.value(57, m.uint, callee, handle)
    for i in range(length):
        x = m.add(x, m.constant(i % 7))
    m.end(x)
    return handles, uint2


@case(1500)
def dereferences_by_a_resolver(n):
    """inlined at each of them"""
    m = Module()
    handles, uint2 = with_resolver(m, 60)
    m.main()
    handle = m.value(80, uint2, m.lane_id(), m.same())
    for _ in range(n):
        texture = m.value(12, m.image, handles, 1, handle)
        m.value(95, m.v4, texture, m.at)
    m.end()
    return m.bytes()


@case(1500)
def resolver_of_many_functions(n):
    """each calls the previous one twice, and dereferences a handle, too"""
    m = Module()
    functions = [m.id() for _ in range(n)]
    made, uint2 = with_resolver(m, 10, functions[-2:])
    for i, f in enumerate(functions):
        _, handle = m.begin(f, m.type(33, m.uint, uint2), m.uint, [uint2])
        texture = m.value(12, m.image, made, 1, handle)
        x = m.value(109, m.uint, m.value(81, m.float, m.value(95, m.v4, texture, m.at), 0))
        for callee in functions[max(0, i - 2):i]:
            x = m.add(x, m.value(57, m.uint, callee, handle))
        m.end(x)
    m.main()
    texture = m.value(12, m.image, made, 1, m.value(80, uint2, m.lane_id(), m.same()))
    m.value(95, m.v4, texture, m.at)
    m.end()
    return m.bytes()


# Descriptor heaps: lowered, rewritten, and kept

def with_heap(m):
    """The type of pointers into the heap, the heap, and the size of an image."""
    for c in (4473, 5128):  # UntypedPointersKHR, DescriptorHeapEXT
        m.parts["head"].insert(0, instruction(17, c))
    for name in ("SPV_KHR_untyped_pointers", "SPV_EXT_descriptor_heap"):
        m.parts["head"].insert(7, instruction(10, *text(name)))
    pointer = m.type(4417, 0)
    heap, size = m.id(), m.id()
    m.put("globals", 4418, pointer, heap, 0)
    m.put("globals", 5129, m.uint, size, m.image)
    m.put("notes", 71, heap, 11, 5123)  # BuiltIn ResourceHeapEXT
    return pointer, heap, size


def array_of(m, element, stride, length=None):
    """A new array type, with the id of its stride."""
    i = m.id()
    m.put("globals", *((28, i, element, m.constant(length)) if length else (29, i, element)))
    m.put("notes", 332, i, 5124, stride)  # ArrayStrideIdEXT
    return i


@case(1500)
def chains_into_a_descriptor_heap(n):
    """with a separate array for each"""
    m = Module()
    pointer, heap, size = with_heap(m)
    arrays = [array_of(m, m.image, size) for _ in range(n)]
    m.main()
    for a in arrays:
        c = m.value(4419, pointer, a, heap, m.lane_id())
        m.value(95, m.v4, m.load(c, m.image), m.at)
    m.end()
    return m.bytes()


@case(1500, 8000)
def members_of_a_descriptor_heap(n):
    """each at an offset that is computed from the previous one"""
    m = Module()
    pointer, heap, size = with_heap(m)
    struct_type, offset = m.id(), size
    array = array_of(m, m.image, size)
    m.put("globals", 30, struct_type, *[array] * n)
    for i in range(n):
        m.put("notes", 5127, struct_type, i, 5125, offset)  # OpMemberDecorateIdEXT OffsetIdEXT
        more = m.id()
        m.put("globals", 52, m.uint, more, 132, size, m.constant(i + 2))  # OpSpecConstantOp IMul
        offset = more
    m.main()
    for i in range(n):
        c = m.value(4419, pointer, struct_type, heap, m.constant(i), m.lane_id())
        m.value(95, m.v4, m.load(c, m.image), m.at)
    m.end()
    return m.bytes()


@case(60, 250)
def rows_of_a_descriptor_heap(n):
    """of rows of rows, each chain through all of them"""
    m = Module()
    pointer, heap, size = with_heap(m)
    array = array_of(m, m.image, size)
    for _ in range(n):
        array = array_of(m, array, size, 1)
    m.main()
    for _ in range(20):
        c = m.value(4419, pointer, array, heap, *[m.constant(0)] * n, m.lane_id())
        m.value(95, m.v4, m.load(c, m.image), m.at)
    m.end()
    return m.bytes()


@case(1500)
def uses_of_one_buffer_in_a_descriptor_heap(n):
    """by untyped pointers, each of which becomes a separate chain"""
    m = Module()
    pointer, heap, _ = with_heap(m)
    buffer, size, block, data = m.id(), m.id(), m.id(), m.type(4417, 12)
    m.put("globals", 5115, buffer, 12)  # OpTypeBufferEXT StorageBuffer
    m.put("globals", 5129, m.uint, size, buffer)
    array = array_of(m, buffer, size)
    m.put("globals", 30, block, m.uint)
    m.put("notes", 71, block, 2)
    m.put("notes", 72, block, 0, 35, 0)
    m.main()
    b = m.value(5119, data, m.value(4419, pointer, array, heap, m.lane_id()))  # OpBufferPointerEXT
    for _ in range(n):
        p = m.value(4419, data, block, b, m.constant(0))
        m.op(62, p, m.load(p))
    m.end()
    return m.bytes()


@case(300, 4000)
def entry_points_with_descriptor_heaps(n):
    """each with a heap of its own type, in functions called by all"""
    m = Module(n)
    pointer, heap, _ = with_heap(m)
    shared = m.id()
    for i, main in enumerate(m.mains):
        image = m.type(25, m.float, i % 3, 0, i // 3 % 2, 0, 1, 0)
        size = m.id()
        m.put("globals", 5129, m.uint, size, image)
        array = array_of(m, image, size)
        m.begin(main)
        m.load(m.value(4419, pointer, array, heap, m.lane_id()), image)
        m.value(57, m.void, shared)
        m.end()
    m.begin(shared)
    m.end()
    return m.bytes()


# Source text: the time matters, not the declarations

def with_source(source, language=2, file="main.frag"):
    """A module with source text, which may declare `t`. 2: GLSL; 5: HLSL."""
    m = Module()
    name, data = m.id(), source.encode()
    pieces = [data[i:i + 60000] for i in range(0, len(data), 60000)] or [b""]
    notes = [instruction(7, name, *text(file)), instruction(3, language, 450, name, *text(pieces[0].decode()))]
    notes += [instruction(2, *text(piece.decode())) for piece in pieces[1:]]
    m.parts["notes"][0:0] = notes + [instruction(5, m.textures, *text("t"))]
    m.main()
    m.end()
    return m.bytes()


@case(4000)
def source_with_a_bomb(n):
    """each macro is twice the previous one"""
    return with_source("".join("#define M%d M%d M%d\n" % (i + 1, i, i) for i in range(n)) + "M%d\n" % n)


@case(4000)
def source_with_a_bomb_of_arguments(n):
    """f(f(f(x))), and each doubles its argument"""
    return with_source("#define F(x) x x\n" + "F(" * 60 + "a" + ")" * 60 + "\nF(" * n + "a" + ")" * n)


@case(4000)
def source_with_a_chain_of_macros(n):
    """each is the previous one, and each is used"""
    return with_source("".join("#define M%d M%d\nM%d\n" % (i + 1, i, i + 1) for i in range(n)))


@case(2000)
def source_with_many_arguments(n):
    """one macro of many parameters, called often with many"""
    names = ", ".join("p%d" % i for i in range(900))
    return with_source("#define F(%s) p1 ## p2\n" % names + ("F(%s)\n" % names) * (n // 500 + 1))


@case(20000)
def source_with_nested_conditions(n):
    return with_source("#if X\n" * 4000 + "#endif\n" * 4000 + "#if 1\n#if 0\n#else\n#endif\n#endif\n" * n)


@case(2000)
def source_that_includes_itself(n):
    """in inactive lines, and then in active ones"""
    return with_source('#include "main.frag"\n' * n + "uniform texture2D t[16];\n")


@case(20000)
def source_with_long_conditions(n):
    first = "(" * 150 + "1" + ")" * 150 + " + 1" * n + " - " * n + "1"
    return with_source("#if " + first + "\n#endif\n#if " + "!" * n + "1\n#endif")


@case(2000)
def source_with_nested_namespaces(n):
    return with_source("".join("namespace N%d { Texture2D a%d;\n" % (i, i) for i in range(n)), 5)


@case(2000)
def source_with_structs_of_structs(n):
    """each has two of the previous one, so the last one has 2^n members"""
    return with_source("struct S0 { Texture2D a; };\n" + "".join(
        "struct S%d { S%d a; S%d b[3]; };\n" % (i + 1, i, i) for i in range(n)) + "S%d t;" % n, 5)


@case(2000)
def source_with_arrays_of_arrays(n):
    """each type is an array of the previous one"""
    return with_source("typedef Texture2D T0;\n" + "".join(
        "typedef T%d T%d[2];\n" % (i, i + 1) for i in range(n)) + "T%d t;" % n, 5)


@case(20000)
def source_with_an_array_of_many_dimensions(n):
    """an array of structs that no variable is a part of, so that its elements would be listed"""
    return with_source("struct S { Texture2D a; }; Texture2D t[16]; S s%s;" % ("[1]" * n), 5)


@case(20000)
def source_with_members_of_many_dimensions(n):
    return with_source("uniform texture2D t[16]; struct S { texture2D%s %s; };" % ("[1]" * n, ", ".join("a" * n)))


@case(20000)
def source_with_a_chain_of_structs(n):
    """each is a member of the next one; a comment pays for the names of the parts"""
    return with_source("struct S0 { Texture2D a; }; Texture2D t[16];\n" + "".join(
        "struct S%d { S%d a; };\n" % (i + 1, i) for i in range(n)) + "S%d s; /*%s*/" % (n, "*" * n * 200), 5)


@case(20000)
def source_with_includes_of_long_names(n):
    """components that are no way up or down, and names that end like the one of the module"""
    return with_source('#include "%s%s"\n' % ("a" * n, "/." * n) + '#include "x"\n' * n, file="a" * min(n, 60000) + "x")


@case(2000)
def source_with_bases(n):
    """each struct has the members of the previous one"""
    return with_source("struct S0 { Texture2D a; };\n" + "".join(
        "struct S%d : S%d { Texture2D m%d; };\n" % (i + 1, i, i) for i in range(n)) + "S%d t;" % n, 5)


@case(20000)
def source_with_open_brackets(n):
    return with_source("uniform texture2D t[16]; " + "({[<" * n + "struct A { " * n)


@case(20000)
def source_of_names(n):
    return with_source("".join("uniform texture2D t%d[%d + 1];\n" % (i, i) for i in range(n)))


@case(20000)
def source_of_directives(n):
    """lines, splices, comments and quotes without end"""
    return with_source("#line 3 \"x%d\"\n#pragma \\\n p /* \n */ #\n#undef A\n'\n\"\n" % n * n + "/*" * n)


# Running

def processor_time():
    """Processor time of the children so far; other work on the machine does not matter."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(bind, module, options):
    out = module + ".out"
    start = processor_time()
    done = subprocess.run([bind, *[o.replace("OUT", out) for o in options], "-q", module],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=HANGS)
    if done.returncode not in (0, 1, 3) or b"Sanitizer: " in done.stderr or b"runtime error: " in done.stderr:
        print(done.stderr.decode(errors="replace")[-3000:])
        raise RuntimeError("exit status %d" % done.returncode)
    return processor_time() - start, done.returncode


def seconds_of_nothing(bind, folder, options, known={}):
    """The time for an empty module: the least of some runs, for all cases."""
    key = tuple(options)
    if key not in known:
        known[key] = min(seconds(bind, made(folder, "nothing", 0), options)[0] for _ in range(ROUNDS))
    return known[key]


def made(folder, name, n):
    """The module of a case, written once; of size 0, an empty one."""
    path = os.path.join(folder, "%s.%d.spv" % (name.replace(" ", "-"), n))
    if not os.path.exists(path):
        with open(path, "wb") as f:
            f.write(CASES[name][0](n) if n else Module().bytes())
    return path


def measure(bind, folder, name, size, options, large=math.inf):
    """Processor times at size and 4 size, less that of an empty module, and the exit status. Other load only makes a
    run longer, so the least of some alternating runs is taken, with more runs if the ratio is suspicious. large: the
    time of an earlier run at 4 size."""
    best = [math.inf, large]
    for once_more in range(ROUNDS):
        for i, n in enumerate((size, 4 * size)):
            if once_more or best[i] == math.inf:
                taken, status = seconds(bind, made(folder, name, n), options)
                best[i] = min(best[i], taken)
        small, large = (max(t - seconds_of_nothing(bind, folder, options), 0.001) for t in best)
        if large < ENOUGH or large < LIMIT * small:
            break
    return small, large, status


def measure_enough(bind, folder, name, size, options):
    """Like measure, but enlarges the module until the ratio is significant, up to 16 times the size."""
    most = 16 * size
    taken = math.inf
    while name not in SAME_SIZE and size < most:
        taken = seconds(bind, made(folder, name, 4 * size), options)[0]
        more = taken - seconds_of_nothing(bind, folder, options)
        room = min(most, CASES[name][2] // 4) // size
        if more >= ENOUGH or room < 2:
            break
        size *= 1 << math.floor(math.log2(min(room, max(2, 2 * ENOUGH / max(more, 0.001)))))
        taken = math.inf
    return (size, *measure(bind, folder, name, size, options, taken))


def answer(bind, folder, name, size, options):
    """One module of the larger size: is there an answer at all? For builds with sanitizers, whose reports end
    test/in_process.c and this process."""
    module = made(folder, name, 4 * size)
    options = [o.replace("OUT", module + ".out") for o in options]
    done = run(bind, *options, "-q", module, expect=None)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError("exit status %d\n%s" % (done.returncode, done.stderr[-3000:]))
    return done.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--once", action="store_true", help="ask for an answer only, and compare no times")
    parser.add_argument("--size", type=float, default=1, help="times the usual one; ctest takes 0.3; "
                                                              "4 finds what is quadratic by a little")
    parser.add_argument("--lint-every", type=int, default=1, help="the lint sees each Nth of the cases")
    parser.add_argument("--keep", default="")
    args = parser.parse_args()
    args.bind = running.BIND = os.path.abspath(args.bind)
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
            folder = args.keep
        for number, (name, (_, size, most)) in enumerate(CASES.items()):
            if args.only not in name:
                continue
            size = max(1, min(int(size * args.size), most // 4))
            for kind, options in RUNS.items():
                if name not in ONLY.get(kind, (name,)) or kind == "lint" and number % args.lint_every:
                    continue
                try:
                    if args.once:
                        status = answer(args.bind, folder, name, size, options)
                        print("%-28s %s exit %d" % (name, kind, status), flush=True)
                        continue
                    used, small, large, status = measure_enough(args.bind, folder, name, size, options)
                except (RuntimeError, subprocess.TimeoutExpired) as e:
                    bad.append("%s, %s: %s" % (name, kind, str(e)[-100:]))
                    print(bad[-1], flush=True)
                    continue
                ratio = large / small
                print("%-28s %s %6d %6.3f s %6.3f s  %5.1f  exit %d" % (name, kind, used, small, large, ratio, status),
                      flush=True)
                if large >= ENOUGH and ratio >= LIMIT:
                    bad.append("%s, %s: 4 times the size takes %.1f times as long" % (name, kind, ratio))
    print("\n" + "\n".join(bad or ["all answered" if args.once else "all answered, in time"]))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
