# SPDX-License-Identifier: Apache-2.0
"""Random programs with known results, whose compiled modules are executed unbound and bound: shared by slang_repairs.py
and naga_repairs.py."""
import os
import random
import struct
import subprocess

LANES, SLOTS, FILLED = 8, 16, 8  # the runner gives the log 128 words


def texture(n):  # run.h: values that identify a descriptor
    return 200 + n


def buffer(n, j):
    return 1000 * (n + 1) + j


class Numbers:
    """Expressions that differ between invocations, and their values."""

    def __init__(self, seed):
        self.r, self.names = random.Random(seed), 0
        self.table = [self.r.randrange(FILLED) for _ in range(64)]

    def name(self):
        self.names += 1
        return "v%d" % self.names

    def either(self, condition, yes, no):
        return "(%s ? %s : %s)" % (condition, yes, no)

    def number(self, depth=0):
        """(an expression below 8, its value for each lane)"""
        kind = self.r.randrange(6 if depth < 2 else 2)
        a, b = self.r.randrange(1, 8), self.r.randrange(8)
        if kind == 0:
            return "((lane * %du + %du) & 7)" % (a, b), [(lane * a + b) & 7 for lane in range(LANES)]
        if kind == 1:
            return "table[lane + %du]" % b, [self.table[lane + b] for lane in range(LANES)]
        x, of_x = self.number(depth + 1)
        if kind == 2:
            return "table[%s + %du]" % (x, a), [self.table[i + a] for i in of_x]
        if kind == 3:
            y, of_y = self.number(depth + 1)
            return (self.either("lane %% %du == 0" % (a + 1), x, y),
                    [of_y[lane] if lane % (a + 1) else of_x[lane] for lane in range(LANES)])
        if kind == 4:
            return "(%s ^ %du)" % (x, b), [i ^ b for i in of_x]
        return "((%s + %du) & 7)" % (x, b), [(i + b) & 7 for i in of_x]


def table(base, program):
    """The runner's options for the program's table."""
    with open(base + ".table", "wb") as f:
        f.write(struct.pack("<64I", *program.table))
    return ["--fill", "table", base + ".table"]


def read_log(args, base, fills):
    """The log of each lane of the module base.out.spv with the layout base.json, or the runner's messages if it
    fails."""
    if os.path.exists(base + ".log"):
        os.remove(base + ".log")
    done = subprocess.run([args.run, args.icd, base + ".json", base + ".log", *fills], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, input="%s.out.spv 1 1\n" % base)
    if done.returncode:
        return done.stdout
    with open(base + ".log", "rb") as f:
        words = struct.unpack_from("<%dI" % (LANES * SLOTS), f.read())
    return [list(words[lane * SLOTS:(lane + 1) * SLOTS]) for lane in range(LANES)]


def differs(program, found):
    """The first difference; "": none."""
    if isinstance(found, str):
        return found
    return ", ".join("slot %d of lane %d is %d, not %d" % (s, lane, found[lane][s], program.expected[lane][s])
                     for lane in range(LANES) for s in range(SLOTS) if found[lane][s] != program.expected[lane][s])
