#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares spirv-bind with the tools that a build runs anyway: ratios within one run, never seconds alone.

    scripts/bench/run.py [--bind build/release/spirv-bind] [--rounds 15] [--corpora DIR] [--quick]

  processes   the fragment shader of spirv-fixtures/glsl/lit; a module of 6 MB that glslang makes of many functions
              of that shape; such functions repeated until the module runs out of ids (78 MB). Compared with spirv-opt
              without passes, spirv-val, and spirv-reflect where it is installed.
  in process  the valid modules of the corpora (bench_corpus), each a separate program. Compared with spvBinaryParse,
              the optimizer without passes, validation without friendly names, and SPIRV-Reflect, where its library is
              installed (libspirv-reflect-dev, from Debian 14 on).

Instructions are counted by callgrind where valgrind is installed, in process on every eighth module; --quick counts
none, and leaves out the largest module. Files are in /dev/shm where that exists; large modules are made once and kept
in build/bench.

Every value is printed with its goal. The exit status is 1 if a goal marked with * is missed; the others are targets."""
import argparse
import glob
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import large

ROOT = large.ROOT
sys.path.insert(0, os.path.join(ROOT, "test"))
import corpora  # noqa: E402

OURS = "spirv-bind --validate=none"
missed = []


def show(name, value, goal=None, at_least=False, must=False, digits=2):
    words = ""
    if goal is not None:
        missed.extend([name] if must and (value < goal if at_least else value > goal) else [])
        words = "   (goal: at %s %g)%s" % ("least" if at_least else "most", goal, "*" if must else "")
    print("  %-52s %9.*f%s" % (name, digits, value, words), flush=True)


def once(command):
    """The seconds that one run takes."""
    start = time.perf_counter()
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        sys.exit("failed: " + " ".join(command))
    return time.perf_counter() - start


def memory(command):
    """Peak memory in bytes. A process that Python starts inherits Python's peak; one that time(1) starts does not."""
    with tempfile.NamedTemporaryFile("r") as out:
        subprocess.run(["time", "-f", "%M", "-o", out.name, *command], stdout=subprocess.DEVNULL, check=True)
        return int(out.read()) * 1024


def measure(commands, rounds):
    """The best of several rounds, interleaved so that other load on the machine affects all alike."""
    best = {name: math.inf for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            best[name] = min(best[name], once(command))
    return best


def instructions(command):
    counted = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(counted, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("failed: %s\n%s" % (" ".join(command), done.stderr))
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def commands_for(bind, path, tmp):
    ours = [bind, "-q", "--auto-binding=65534", "--rebind=all", path]
    final = os.path.join(tmp, "final.spv")
    subprocess.run([*ours, "--validate=none", "-o", final], check=True)
    found = {OURS: [*ours, "--validate=none", "-o", "/dev/null"],
             "spirv-bind": [*ours, "-o", "/dev/null"],
             "spirv-opt": ["spirv-opt", path, "-o", os.path.join(tmp, "out.spv")],
             "spirv-val": ["spirv-val", "--target-env", "vulkan1.1", final]}
    if shutil.which("spirv-reflect"):
        found["spirv-reflect"] = ["spirv-reflect", "-o", os.path.join(tmp, "out.yaml"), "-y", path]
    return found


def compare_times(title, commands, size, rounds, is_large):
    found = measure(commands, rounds)
    print("%s, %.4g KB, best of %d rounds" % (title, size / 1e3, rounds))
    for name, seconds in found.items():
        print("  %-32s %9.2f ms %9.1f MB" % (name, seconds * 1e3, memory(commands[name]) / 1e6))
    show("time, spirv-opt / " + OURS, found["spirv-opt"] / found[OURS], 100 if is_large else 3, True)
    show("time, spirv-bind / spirv-val", found["spirv-bind"] / found["spirv-val"], 1.1, must=True)


def compare_instructions(title, commands, size, is_large):
    print("%s, %.4g KB, instructions" % (title, size / 1e3))
    work = {name: instructions(command) for name, command in commands.items()}
    show("spirv-opt / " + OURS, work["spirv-opt"] / work[OURS], 40 if is_large else 3, True, must=True)
    show("spirv-bind / spirv-val", work["spirv-bind"] / work["spirv-val"])
    if "spirv-reflect" in work:
        show(OURS + " / spirv-reflect", work[OURS] / work["spirv-reflect"], 0.3)


def measure_largest(args, six, most, tmp):
    sizes = [os.path.getsize(path) for path in (six, most)]
    commands = [commands_for(args.bind, path, tmp)[OURS] for path in (six, most)]
    print("The largest one, %.4g MB, %s: %.0f ms" % (sizes[1] / 1e6, OURS, once(commands[1]) * 1e3))
    for size, command in zip(sizes, commands):
        show("bytes of memory for a byte of %.0f MB" % (size / 1e6), memory(command) / size, 4, must=True)
    if args.count:
        work = [instructions(command) / size for size, command in zip(sizes, commands)]
        show("instructions for a byte, beside those of 6 MB", work[1] / work[0], 1.1, must=True)


def measure_processes(args, kept, tmp):
    small = os.path.join(tmp, "lit.spv")
    large.compile_glsl(os.path.join(ROOT, "spirv-fixtures/glsl/lit/lit.frag"), small)
    some, six, most = (os.path.join(kept, name) for name in ("some.spv", "six.spv", "most.spv"))
    for path, count in ((some, 150), (six, 2950)): # some: what callgrind counts in a minute
        if not os.path.exists(path):
            large.write_large(path, count)
    if not args.quick and not os.path.exists(most):
        large.write_repeated(most, 96 * 10 ** 6)
    for title, path, rounds in (("An ordinary shader", small, args.rounds * 4), ("A large one", six, args.rounds)):
        compare_times(title, commands_for(args.bind, path, tmp), os.path.getsize(path), rounds, path == six)
    for title, path in (("An ordinary shader", small), ("A large one", some)) if args.count else ():
        compare_instructions(title, commands_for(args.bind, path, tmp), os.path.getsize(path), path == some)
    if not args.quick:
        measure_largest(args, six, most, tmp)


def succeeds(command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def compare_real_modules(args, paths, tmp):
    """Only modules whose outputs spirv-val accepts: Debian 12's rejects Slang's modules early."""
    out = os.path.join(tmp, "real.spv")
    bind, val = [args.bind, "-q", None, "-o", out], ["spirv-val", "--target-env", "vulkan1.3", out]
    work, count = [0, 0], 0
    for path in paths:
        bind[2] = path
        if succeeds(bind) and succeeds(val):
            os.remove(out)
            work = [work[0] + instructions(bind), work[1] + instructions(val)]
            count += 1
    show("instructions, spirv-bind / spirv-val, %d of %d" % (count, len(paths)), work[0] / work[1], digits=3)


# in process

def step(program, name, rounds, modules):
    """-> (modules, bytes, seconds of the fastest round); None: the step is not available"""
    done = subprocess.run([program, name, str(rounds), modules], stdout=subprocess.PIPE, text=True)
    if done.returncode == 2 and name in ("opt", "reflect"):
        return None
    if done.returncode:
        sys.exit("failed: %s %s" % (program, name))
    count, size, taken = done.stdout.split()
    return int(count), int(size), float(taken)


def list_modules(folder, tmp):
    """Lists the valid modules of the corpora, and every eighth of these."""
    corpus = corpora.Corpus(folder)
    paths = [corpus.path(name) + "\n" for name in sorted(corpus.flags)]
    lists = os.path.join(tmp, "all.txt"), os.path.join(tmp, "some.txt")
    for name, part in zip(lists, (paths, paths[::8])):
        with open(name, "w") as f:
            f.writelines(part)
    return lists


STEPS = {"bind": "spirv-bind", "json": "  with layout JSON", "parse": "spvBinaryParse", "opt": "optimizer, no pass",
         "validate": "spvValidate, without names", "reflect": "SPIRV-Reflect"}


def compare_validation(program, args, folder, some):
    """Binding with validation, compared with SPIRV-Tools' validation of the outputs, both in process."""
    given, bound = os.path.join(folder, "given"), os.path.join(folder, "bound")
    os.mkdir(given)
    with open(some) as f:
        for number, path in enumerate(f.read().splitlines()):
            shutil.copy(path, os.path.join(given, "%05d.spv" % number))
    subprocess.run([args.bind, "--each", "-q", "--validate=strict", "--out-dir=" + bound,
                    *sorted(glob.glob(given + "/*"))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    work = []
    for name, where in (("checked", given), ("vulkan", bound)):
        chosen = os.path.join(folder, name + ".txt")
        with open(chosen, "w") as f:
            f.writelines("%s/%s\n" % (where, base) for base in sorted(os.listdir(bound)))
        work.append(instructions([program, name, "1", chosen]) - instructions([program, "read", "1", chosen]))
    show("instructions, with validation / spvValidate", work[0] / work[1], 1.05)


def measure_corpora(program, args, folder):
    everything, some = list_modules(args.corpora, folder)
    found = {name: step(program, name, args.rounds, everything) for name in STEPS}
    count, size, _ = found["bind"]
    print("Corpora, %d modules, %.2f MB, in process, best of %d rounds" % (count, size / 1e6, args.rounds))
    for name, words in STEPS.items():
        if found[name]:
            print("  %-32s %9.2f ms" % (words, found[name][2] * 1e3))
    took = {name: f[2] for name, f in found.items() if f}
    show("time, spirv-bind / spvBinaryParse", took["bind"] / took["parse"], 0.6, must=True)
    if "opt" in took:
        show("time, spirv-bind / optimizer", took["bind"] / took["opt"], 0.09, digits=3)
    if "reflect" in took:
        show("time, spirv-bind / SPIRV-Reflect", took["bind"] / took["reflect"], 0.3, digits=3)
    show("time, spirv-bind / spvValidate", took["bind"] / took["validate"], digits=3)
    show("time, with layout JSON / without", took["json"] / took["bind"], 1.25)
    if not args.count:
        return
    size, base = step(program, "read", 1, some)[1], instructions([program, "read", "1", some])
    work = {name: instructions([program, name, "1", some]) - base for name in took}
    show("instructions for a byte, spirv-bind", work["bind"] / size, 15, must=False, digits=1)
    show("instructions, spirv-bind / spvBinaryParse", work["bind"] / work["parse"], 0.6, must=True)
    if "opt" in work:
        show("instructions, spirv-bind / optimizer", work["bind"] / work["opt"], 0.09, digits=3)
    if "reflect" in work:
        show("instructions, spirv-bind / SPIRV-Reflect", work["bind"] / work["reflect"], 0.3, digits=3)
    show("instructions, spirv-bind / spvValidate", work["bind"] / work["validate"], 0.1, must=True, digits=3)
    show("instructions, with layout JSON / without", work["json"] / work["bind"], 1.25)
    compare_validation(program, args, folder, some)
    with open(some) as f:
        compare_real_modules(args, f.read().splitlines()[::6], folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bind", default=os.path.join(ROOT, "build/release/spirv-bind"))
    parser.add_argument("--rounds", type=int, default=15)
    corpora.add_argument(parser, required=False)
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    args.count = bool(shutil.which("valgrind")) and not args.quick
    subprocess.run(["cmake", "--build", os.path.dirname(args.bind), "--target", "spirv-bind-cli",
                    "bench_corpus"], check=True, stdout=subprocess.DEVNULL)
    kept = os.path.join(ROOT, "build", "bench")
    os.makedirs(kept, exist_ok=True)
    program = os.path.join(os.path.dirname(args.bind), "bench_corpus")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as tmp:
        measure_processes(args, kept, tmp)
        if args.corpora:
            measure_corpora(program, args, tmp)
    for name in missed:
        print("missed: " + name)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
