#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the exit status, messages and output bytes of two builds of spirv-bind on mutated real modules.

    scripts/compare_binaries.py OLD NEW [--count 1000] [--seed 1] --corpora DIR

For changes that must not affect behavior, especially in the parser. --corpora DIR, or the environment's SPB_CORPORA,
names a folder of modules (scripts/make_corpus.py). Modules of more than 20 KB are left out, since the first fault hides
later ones. Modules that give different results are kept in the current directory, and the exit status is then 1."""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test"))
import corpora  # noqa: E402
import running  # noqa: E402

MOST_BYTES = 20000


def starts_of(words):
    starts, at = [], 5
    while at < len(words) and words[at] >> 16:
        starts.append(at)
        at += words[at] >> 16
    return starts


def mutate_once(words, draw):
    starts = starts_of(words)
    if not starts:
        return words
    at, other = draw.choice(starts), draw.choice(starts)
    length = words[at] >> 16
    kind = draw.randrange(7)
    if kind < 2:  # an operand
        values = [0, 1, words[3] - 1, words[3], draw.randrange(words[3] + 2), draw.getrandbits(32), draw.choice(words)]
        words[draw.randrange(at, min(at + length, len(words)))] = draw.choice(values)
    elif kind == 2:  # a length
        words[at] = words[at] & 0xffff | (length + draw.choice([-1, 1, 2, 100]) & 0xffff) << 16
    elif kind == 3:  # an opcode
        words[at] = words[at] & ~0xffff | draw.choice([words[other] & 0xffff, draw.randrange(7000)])
    elif kind == 4:  # the end is gone
        del words[draw.randrange(5, len(words)):]
    else:  # an instruction is gone, or elsewhere, or twice
        moved = words[other:other + (words[other] >> 16)]
        if kind == 5:
            del words[other:other + len(moved)]
        if draw.randrange(3):
            words[at:at] = moved
    return words


def run(bind, path, out):
    done = subprocess.run([bind, "--validate=none", path, "-o", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output = b""
    if os.path.exists(out):
        with open(out, "rb") as f:
            output = f.read()
        os.unlink(out)
    return done.returncode, done.stderr.replace(bind.encode(), b""), output


def try_one(args, modules, folder, number):
    """-> (status, whether the two differ)"""
    draw = random.Random(args.seed * 1000003 + number)
    data = draw.choice(modules)
    words = list(struct.unpack("<%dI" % (len(data) // 4), data))
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        words = mutate_once(words, draw)
    path = os.path.join(folder, "%d.spv" % number)
    with open(path, "wb") as f:
        f.write(struct.pack("<%dI" % len(words), *words))
    old, new = [run(bind, path, path + ".out") for bind in (args.old, args.new)]
    if old != new:
        kept = "differs-%d-%d.spv" % (args.seed, number)
        os.replace(path, kept)
        print("%s: status %d and %d\n  %r\n  %r" % (kept, old[0], new[0], old[1][:300], new[1][:300]))
    else:
        os.unlink(path)
    return old[0], old != new


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    corpora.add_argument(parser)
    args = parser.parse_args()
    corpus = corpora.Corpus(args.corpora)
    files = [running.read(corpus.path(name)) for name in sorted(corpus.flags)]
    modules = [data for data in files
               if len(data) < MOST_BYTES and len(data) % 4 == 0 and data[:4] == b"\x03\x02\x23\x07"]
    with tempfile.TemporaryDirectory(dir=".") as folder, ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda n: try_one(args, modules, folder, n), range(args.count)))
    differ = sum(d for _, d in found)
    print("%d mutants of %d modules: %d accepted, %d refused, %d differ"
          % (len(found), len(modules), sum(s == 0 for s, _ in found), sum(s == 1 for s, _ in found), differ))
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
