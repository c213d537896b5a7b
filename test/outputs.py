#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the command writes and says has not changed: a net below the fixtures, for changes that nobody meant.

    outputs.py --bind B              runs of every fixture and of real modules against conformance/outputs.tsv
    outputs.py --bind B --update     writes that file: the only way it changes
    outputs.py --bind B --against A  the runs in which two commands differ, and in what

A golden fixture states a rule; this file states none. It has a line for each module, with a hash for each mode: of the
exit status, the module, the layout as JSON and as a header, messages, table and explanations. `damaged` are copies of a
fixture with some words changed, which are answered by a message or by a module. If a change is meant, look at some of
the differences that --against prints, then write the file anew.

The real modules are those of ../shared/corpora beside the checkout (or --corpora DIR), of which every STEP-th; without
them their lines are not asked, and the fixtures are."""
import argparse
import collections
import hashlib
import itertools
import os
import random
import struct
import sys
import tarfile
import tempfile
import zlib

import fixtures
import running

TABLE = os.path.join(running.HERE, "conformance", "outputs.tsv")
CORPORA = os.path.join(running.HERE, "..", "..", "shared", "corpora")
STEP = 17
MODES = {
    "sets": ["--rebind=all,sets", "--auto-binding=65534", "--print-layout", "--diff"],
    "hlsl": ["--rules=hlsl", "--rebind=all", "--auto-shift", "--prune", "--no-dynamic-caps"],
    "name": ["--order=name", "--rebind=all,sets", "--unused=remove", "--waterfall", "--parameter-block=*=1"],
    "split": ["--split-combined", "--nonuniform=all", "--heap-model=mutable", "--heap-size=64", "--bounds-check=clamp"],
    "heap": ["--heap-model=descriptor-heap", "--rebind=conflicts", "--assume-aliased-references", "--unused=last"],
    "instrument": ["--instrument-handles=9.0", "--rebind=all", "--heap-size=100", "--nonuniform=explicit"],
    "references": ["--lower-buffer-references", "--combined=split", "--waterfall=lengths", "--rebind=all",
                   "--uniform-scope=group-or-subgroup"],
    "lint": ["--nonuniform=lint", "--distrust-uniform", "--diagnostics=json"],
    "doctor": ["--doctor"],
    "program": ["--rebind=all", "--auto-set=0", "--auto-binding=65534"],  # two modules, which are the same
}
WRITES = ["--explain=*", "--layout-json=layout.json", "--layout-header=layout.h", "--out-dir=out"]
WRITTEN = ["out/in.spv", "out/twin.spv", "layout.json", "layout.h"]
COPIES = 3  # damaged ones of each fixture
MOST_NEW = 20  # fixtures without a line; they have golden files


def answer(folder, names, options):
    """What a run in `folder` leaves, part by part."""
    os.makedirs(os.path.join(folder, "out"), exist_ok=True)
    paths = {part: os.path.join(folder, part) for part in WRITTEN}
    for path in filter(os.path.exists, paths.values()):
        os.unlink(path)
    writes = WRITES if options[0] not in ("--doctor", "--nonuniform=lint") else []
    done = running.bind_bytes("--validate=none", *options, *writes, *names, expect=None, cwd=folder)
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


class Line:
    """A line of a table: what has a name, modes, and runs(mode, folder) with what each run leaves."""
    table = "outputs"

    def hash(self, mode, folder):
        found = hashlib.sha1()
        for parts in self.runs(mode, folder):
            for data in parts.values():
                found.update(b"%d " % len(data) + data)
        return found.hexdigest()[:6]


class Module(Line):
    """Each is asked in every other mode, which takes half as long and notices as much."""

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


def modules(corpora, scratch):
    for kind, path in fixtures.fixtures():
        out = os.path.join(scratch, "fixture.spv")
        fixtures.assemble(path, fixtures.header(path)["version"], out)
        yield Module(os.path.relpath(path, running.FIXTURES), running.read(out))
    archive = os.path.join(corpora, "modules.tar.xz")
    if os.path.exists(archive):
        with tarfile.open(archive) as tar:
            for at, member in enumerate(tar):
                if member.isfile() and at % STEP == 0:
                    yield Module("corpora/" + member.name, tar.extractfile(member).read())


def read_table(path=TABLE):
    with open(path) as f:
        rows = [line.split() for line in f if not line.startswith("#")]
    return {name: dict(pair.split("=") for pair in hashes) for name, *hashes in rows}


def write_table(rows, path, script):
    with open(path, "w") as f:
        f.write("# Written by test/%s --update, and by nobody else.\n" % script)
        for name in sorted(rows):
            f.write("%s %s\n" % (name, " ".join("%s=%s" % pair for pair in rows[name].items())))


def differences(args, module, scratch):
    """What differs from the other command, mode by mode."""
    for mode in module.modes:
        ours = list(module.runs(mode, scratch))
        running.BIND, other = args.against, running.BIND
        theirs = list(module.runs(mode, scratch))
        running.BIND = other
        parts = sorted({part for a, b in zip(ours, theirs) for part in {**a, **b} if a.get(part) != b.get(part)})
        if parts:
            yield "%s %s: %s" % (module.name, mode, ", ".join(parts))


def useless(rows):
    """Modes that get the same answer nearly everywhere, as an option that is refused does."""
    for mode in MODES:
        counts = collections.Counter(hashes[mode] for hashes in rows.values() if mode in hashes)
        if max(counts.values()) > 0.9 * sum(counts.values()):
            yield "%s: %d of %d answers are the same" % (mode, max(counts.values()), sum(counts.values()))


def check(rows, known, asked_all, script):
    new = [name for name in rows if name not in known]
    for name in new:
        print("%s is new: --update writes a line for it" % name)
    wrong = ["%d modules have no line" % len(new)] if len(new) > MOST_NEW else []
    wrong += ["%s %s: not what it was" % (name, mode) for name, hashes in rows.items() if name in known
              for mode in hashes if known[name].get(mode) != hashes[mode]]
    wrong += ["%s: there is no such module" % name for name in known if asked_all and name not in rows]
    for line in wrong[:60]:
        print("FAILED " + line)
    if wrong:
        print("%d differ. If that is meant: build what was there before, look at what\n    test/%s --bind NEW "
              "--against OLD\nprints, then test/%s --bind NEW --update" % (len(wrong), script, script))
    return wrong


def main(path=TABLE, lines=modules, useless=useless):
    """Also of sessions.py. lines(corpora, scratch): all that a table has; useless(rows): what asks nothing."""
    script = os.path.basename(sys.argv[0])
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--against")
    parser.add_argument("--corpora", default=CORPORA)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th line")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    args.against = args.against and os.path.abspath(args.against)
    has_corpora = lines != modules or os.path.exists(os.path.join(args.corpora, "modules.tar.xz"))
    if args.update and (args.every > 1 or not has_corpora):
        sys.exit("the lines of what is not asked would go")
    rows, known = {}, {} if args.update or args.against else read_table(path)
    with tempfile.TemporaryDirectory() as scratch:
        for line in itertools.islice(lines(args.corpora, scratch), 0, None, args.every):
            if args.against:
                for difference in differences(args, line, scratch):
                    print(difference, flush=True)
            else:
                rows[line.name] = {mode: line.hash(mode, scratch) for mode in line.modes}
    if args.against:
        return 0
    if args.update:
        write_table(rows, path, script)
        return 0
    wrong = check(rows, known, has_corpora and args.every == 1, script)
    for said in useless(rows) if args.every == 1 else (): # of a few, all may end alike
        print("FAILED " + said)
        wrong.append(said)
    running.summary(sum(map(len, rows.values())) - len(wrong), len(wrong))


if __name__ == "__main__":
    sys.exit(main())
