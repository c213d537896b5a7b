#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runs in which two builds of the command differ, and how: proof that a refactoring changes nothing.

    outputs.py --bind NEW --against OLD [--corpora DIR] [--every N]

Each module is bound in half of the modes below. It compares the exit status, the module, the layout as JSON and as a
header, messages, table and explanations. In the mode `damaged`, some words of a fixture are changed, and the command
answers with a message or a module. The modules are all fixtures and every STEP-th module of the corpora, if there are
any. Exit status 1 if any run differs."""
import argparse
import itertools
import os
import random
import struct
import sys
import tempfile
import zlib

import corpora
import fixtures
import running

STEP = 17
MODES = {
    "sets": ["--rebind=all,sets", "--auto-binding=65534"],
    "hlsl": ["--rules=hlsl", "--rebind=all", "--policy=option shift=auto", "--prune"],
    "name": ["--order=name", "--rebind=all,sets", "--unused=remove", "--waterfall", "--policy=block name=* -> set=1"],
    "split": ["--split-combined", "--nonuniform=all", "--heap-model=mutable", "--heap-size=64", "--bounds-check=clamp"],
    "heap": ["--heap-model=descriptor-heap", "--rebind=conflicts", "--assume-aliased-references", "--unused=last"],
    "instrument": ["--instrument-handles=9.0", "--rebind=all", "--heap-size=100", "--nonuniform=explicit"],
    "references": ["--lower-buffer-references", "--combined=split", "--waterfall=lengths", "--rebind=all",
                   "--uniform-scope=group-or-subgroup"],
    "lint": ["lint", "--distrust-uniform", "--diagnostics=json"],
    "explain": ["explain", "--auto-binding=65534"],
    "layout": ["layout", "--rebind=all,sets"],
    "check": ["check", "-v", "--validate=none"],
    # two identical modules
    "program": ["--rebind=all", "--policy=option auto-set=0", "--auto-binding=65534"],
}
WRITES = ["--validate=none", "--accesses", "--layout-json=layout.json", "--layout-header=layout.h", "--out-dir=out"]
WRITTEN = ["out/in.spv", "out/twin.spv", "layout.json", "layout.h"]
COPIES = 3  # damaged copies of each fixture


def answer(folder, names, options):
    """The results of a run in `folder`, part by part."""
    os.makedirs(os.path.join(folder, "out"), exist_ok=True)
    paths = {part: os.path.join(folder, part) for part in WRITTEN}
    for path in filter(os.path.exists, paths.values()):
        os.unlink(path)
    writes = WRITES if options[0].startswith("-") else []
    done = running.bind_bytes(*options, *writes, *names, expect=None, cwd=folder)
    parts = {"status": b"%d" % done.returncode, "stdout": done.stdout, "messages": done.stderr}
    parts.update((part, running.read(path) if os.path.exists(path) else b"") for part, path in paths.items())
    return parts


def damaged(data, chance):
    """The module with one to three words changed: another of its words, a small number, or a bit."""
    words = list(struct.unpack("<%dI" % (len(data) // 4), data))
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(5, len(words))
        words[at] = chance.choice([chance.choice(words), chance.randrange(40), words[at] ^ 1 << chance.randrange(32),
                                   (words[at] + 1) % 2**32])
    return struct.pack("<%dI" % len(words), *words)


class Module:
    """Has a name, modes, and runs(mode, folder) with the results of each run."""

    def __init__(self, name, data):
        self.name, self.data, first = name, data, zlib.crc32(name.encode()) % 2
        self.modes = list(MODES)[first::2] + ["damaged"] * (not name.startswith("corpora/"))

    def runs(self, mode, folder):
        """The answers of one mode."""
        names = ["in.spv", "twin.spv"] if mode == "program" else ["in.spv"]
        copies = [self.data]
        if mode == "damaged":
            copies = [damaged(self.data, random.Random("%s %d" % (self.name, i))) for i in range(COPIES)]
        for data in copies:
            for name in names:
                running.write(os.path.join(folder, name), data)
            yield answer(folder, names, MODES.get(mode, MODES["sets"]))


def modules(folder, scratch):
    for kind, path in fixtures.fixtures():
        out = os.path.join(scratch, "fixture.spv")
        fixtures.assemble(path, fixtures.header(path)["version"], out)
        yield Module(os.path.relpath(path, running.FIXTURES), running.read(out))
    if folder:
        corpus = corpora.Corpus(folder)
        for name in sorted(corpus.flags)[::STEP]:
            yield Module("corpora/" + name, running.read(corpus.path(name)))


def differences(args, module, scratch):
    """The differences from the other command, by mode."""
    for mode in module.modes:
        ours = list(module.runs(mode, scratch))
        running.BIND, other = args.against, running.BIND
        theirs = list(module.runs(mode, scratch))
        running.BIND = other
        parts = sorted({part for a, b in zip(ours, theirs) for part in {**a, **b} if a.get(part) != b.get(part)})
        if parts:
            yield "%s %s: %s" % (module.name, mode, ", ".join(parts))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--against", required=True)
    corpora.add_argument(parser, required=False)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th line")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    args.against = os.path.abspath(args.against)
    compared = differ = 0
    with tempfile.TemporaryDirectory() as scratch:
        for line in itertools.islice(modules(args.corpora, scratch), 0, None, args.every):
            compared += len(line.modes)
            for difference in differences(args, line, scratch):
                differ += 1
                print(difference, flush=True)
    print("%d compared, %d differ" % (compared, differ))
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
