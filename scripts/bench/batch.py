#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the processor time of batches with a plain copy of the same files, with hashing them, and with SPIRV-Tools
validating the outputs in one process and one thread (bench_corpus).

    scripts/bench/batch.py [--bind build/release/spirv-bind] [--count 10000] [--rounds 3] [--modules DIR]

DIR contains modules in subfolders, such as unpacked corpora; those whose outputs are valid are copied --count times,
each copy with different contents, to a folder in /dev/shm where that exists. Prints the least processor time of the
rounds, the least wall-clock time, which is meaningful on an idle machine only, and the ratio of the processor time to
that of cp, of SPIRV-Tools or of b2sum. The exit status is 1 if one of these limits is exceeded:
    --each --validate=none / cp    at most 3
    --each / SPIRV-Tools                 at most 2
    --each --cache, unchanged / b2sum    at most 2"""
import argparse
import glob
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST = 40000  # bytes; larger modules are not typical


def times_of(command):
    """Processor time and wall-clock time."""
    begun = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit("%s has failed with %d" % (" ".join(command[:6]), done.returncode))
    passed = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, passed


def make_modules(bind, source, folder, count):
    found = [p for p in sorted(glob.glob(source + "/**/*.spv", recursive=True)) if os.path.getsize(p) < LARGEST]
    os.makedirs(folder + "/all")
    for i, path in enumerate(found):
        shutil.copy(path, "%s/all/%05d.spv" % (folder, i))
    subprocess.run([bind, "--each", "-q", "--validate=strict", "--out-dir=" + folder + "/good",
                    *sorted(glob.glob(folder + "/all/*"))],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    names = sorted(os.listdir(folder + "/good"))
    os.mkdir(folder + "/in")
    made = []
    for i in range(count):
        with open(folder + "/all/" + names[i % len(names)], "rb") as f:
            data = f.read()
        made.append("%s/in/%05d.spv" % (folder, i))
        with open(made[-1], "wb") as f:
            f.write(data[:8] + struct.pack("<H", i % 65536) + data[10:])  # the version of the generator
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bind", default=os.path.join(ROOT, "build/release/spirv-bind"))
    parser.add_argument("--modules", required=True)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    missed = False
    build = os.path.dirname(os.path.abspath(args.bind))
    subprocess.run(["cmake", "--build", build, "--target", "bench_corpus"], stdout=subprocess.DEVNULL, check=True)
    corpus = build + "/bench_corpus"
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        modules, out = make_modules(args.bind, args.modules, folder, args.count), folder + "/out"
        batch = [args.bind, "--each", "-j2", "-q", "--out-dir=" + out]
        bound = folder + "/bound"
        subprocess.run([*batch[:-1], "--validate=none", "--out-dir=" + bound, *modules], check=True)
        with open(folder + "/list", "w") as f:
            f.writelines("%s/%s\n" % (bound, name) for name in sorted(os.listdir(bound)))
        rows = [("cp", ["cp", "-t", out, *modules], None, None),
                ("without validation", [*batch, "--validate=none", *modules], "cp", 3),
                ("SPIRV-Tools", [corpus, "vulkan", "1", folder + "/list"], None, None),
                ("with validation", [*batch, *modules], "SPIRV-Tools", 2),
                ("b2sum", ["b2sum", "-l", "256", *modules], None, None),
                ("cached", [*batch, "--cache=" + folder + "/cache", *modules], "b2sum", 2)]
        times = {}
        for name, command, beside, most in rows:
            best = least = None
            for _ in range(args.rounds + (name == "cached")):  # the first one fills the cache
                if name != "cached":
                    shutil.rmtree(out, ignore_errors=True)
                    os.mkdir(out)
                used, passed = times_of(command)
                best = used if best is None else min(best, used)
                least = passed if least is None else min(least, passed)
            times[name] = best
            ratio = best / times[beside] if beside else None
            missed |= most is not None and ratio > most
            print("%-20s %6.3f s  passed %6.3f s%s%s" % (name, best, least,
                                                         "  %5.1f times %s" % (ratio, beside) if beside else "",
                                                         "  (at most %d)" % most if most else ""))
    return 1 if missed else 0


sys.exit(main())
