#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Code for AMD GPUs: RADV, Mesa's driver for them, compiles real modules on a machine without one.

    radv.py --bind B --pipelines VULKAN_PIPELINES --icd ICD [--corpora DIR] [-v]

An AMD GPU loads descriptors once for a whole wave. Where the index differs within it, RADV has to put a loop around
the access, and does so only if NonUniform is where the driver looks. Mesa has its own divergence analysis, which it
uses for other purposes; so a descriptor that is loaded by a divergent value shows a missing decoration.
RADV_FORCE_FAMILY creates a device without a GPU, RADV_DEBUG=nir prints the compiled code.

Each module of the corpora (test/corpora.py) that indexes arrays of descriptors by variables, and each fixture of
decorations and loops, is compiled by RADV unbound, bound, and bound with --waterfall. Bound, no descriptor may be
loaded by a divergent value; in some unbound modules, some have to be. Mesa 25 ignores decorations on atomic
instructions, so buffers used only by these are counted separately; with --waterfall=drivers there are none."""
import argparse
import array
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
import corpora  # noqa: E402
import fixtures  # noqa: E402
import running  # noqa: E402

CHIP = "navi31"
LEFT_OUT = {
    "decorate-nonuniform/distrust-uniform.spvasm": "the author says Uniform, which Mesa does not read",
    "decorate-nonuniform/trust-uniform.spvasm": "the same",
    "decorate-nonuniform/pointer-kept.spvasm": "pointers are chosen: no loop is possible, and spirv-bind says so",
}
MODES = {"as they are": ["--nonuniform=keep"], "bound": [], "with --waterfall=drivers": ["--waterfall=drivers"],
         "with --waterfall": ["--waterfall"]}
VALUE = re.compile(r"\s*(div|con)\s+\S+\s+(%\d+) = (.*)")


def may_index(path):
    """Is there a pointer to an array in a storage class of descriptors?"""
    words, arrays, at = array.array("I"), set(), 5
    with open(path, "rb") as f:
        words.frombytes(f.read())
    while at < len(words) and words[at] & 0xFFFF != 54:  # OpFunction
        op = words[at] & 0xFFFF
        if op in (28, 29):  # OpTypeArray, OpTypeRuntimeArray
            arrays.add(words[at + 1])
        elif op == 32 and words[at + 2] in (0, 2, 12) and words[at + 3] in arrays:
            return True
        at += words[at] >> 16 or 1
    return False


def indexes(layout):
    """Does some access have a non-constant index?"""
    with open(layout) as f:
        return any(a.get("index", 0) is None for a in json.load(f)["accesses"])


def differing(nir):
    """(loads of descriptors by a divergent offset that Mesa should have put into a loop; those for atomic
    instructions). Mesa also calls values divergent that it keeps in vector registers for other reasons, so a value only
    counts if one of its operands does."""
    differs, loads, used, atomic = {}, {}, set(), set()
    for line in nir.splitlines():
        value = VALUE.match(line)
        body = value[3] if value else line.strip()
        of = re.findall(r"%\d+", body)
        if value:
            computed = of and not body.startswith(("@", "phi"))
            differs[value[2]] = (value[1] == "div" and not body.startswith(("load_const", "undefined")) and
                                 (not computed or any(differs.get(i, True) for i in of)))
        (atomic if "access=coherent" in body else used).update(loads.keys() & set(of))
        if value and value[1] == "con" and body.startswith("@load_smem_amd") and any(map(differs.get, of[:2])):
            loads[value[2]] = line.strip()
    return [loads[i] for i in used], [loads[i] for i in atomic - used]


def marks_of(nir, load, bits):
    """The constants, above so many bits that are 0, to which values are added that follow from a load."""
    values, marks = {VALUE.match(load)[2]}, set()
    for line in nir.splitlines():
        value = VALUE.match(line)
        if not value or values.isdisjoint(re.findall(r"%\d+", value[3])) or value[3].startswith("phi"):
            continue
        found = {int(c, 16) for c in re.findall(r"\((0x[0-9a-f]{8})\)", value[3])}
        found = {c for c in found if c >> 31 and not c % (1 << bits)}
        marks |= found
        if not found:
            values.add(value[2])
    return marks


def compile_all(pipelines, icd, jobs):
    """{name: (result, RADV's output)} of jobs {name: (layout, module)}."""
    text = "".join("%s\t%s\t%s\n" % (name, layout, path) for name, (layout, path) in jobs.items())
    environment = dict(os.environ, RADV_FORCE_FAMILY=CHIP, RADV_DEBUG="nir,nocache")
    done = subprocess.run([os.path.abspath(pipelines), icd], input=text, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    results, shown = {}, []
    for line in done.stdout.splitlines():
        name, _, result = line.partition("\t")
        if name in jobs and result:
            results[name] = (result, "\n".join(shown))
            shown = []
        else:
            shown.append(line)
    if done.returncode or set(results) != set(jobs):
        sys.exit("\n".join(shown)[-3000:])
    return results


def inputs(args, folder):
    """[(name, path, options)]"""
    found = []
    if args.corpora:
        corpus = corpora.Corpus(args.corpora)
        names = [name for name in sorted(corpus.flags) if may_index(corpus.path(name))]
        found = [(name, corpus.path(name), corpus.flags[name]) for name in names]
    for i, (kind, path) in enumerate(fixtures.fixtures()):
        name = os.path.relpath(path, fixtures.FIXTURES)
        if kind in ("decorate-nonuniform", "waterfall") and name not in LEFT_OUT:
            to = os.path.join(folder, "f%d.spv" % i)
            fixtures.assemble(path, fixtures.header(path)["version"], to)
            found.append((name, to, []))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--pipelines", required=True)
    parser.add_argument("--icd", required=True)
    corpora.add_argument(parser, required=False)
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    wrong, counts, forgotten, seen = [], dict.fromkeys(MODES, 0), dict.fromkeys(MODES, 0), set()
    with tempfile.TemporaryDirectory() as folder:
        modules = inputs(args, folder)
        for mode, options in MODES.items():
            jobs = {}
            for i, (name, path, flags) in enumerate(modules):
                out = os.path.join(folder, "%d.spv" % i)
                bound = running.run(args.bind, "-q", "--validate=none", "--accesses", *flags, *options, path,
                                    "-o", out, "--layout-json=" + out + ".json", expect=None)
                if bound.returncode == 0 and indexes(out + ".json"):
                    jobs[str(i)] = (out + ".json", out)
            for number, (result, nir) in compile_all(args.pipelines, args.icd, jobs).items():
                if result != "ok":
                    continue
                name = modules[int(number)][0]
                seen.add(name)
                loads, of_atomics = differing(nir)
                counts[mode] += loads != []
                forgotten[mode] += of_atomics != []
                if (loads and mode != "as they are") or (of_atomics and "waterfall" in mode):
                    wrong.append("%s, %s: %s" % (name, mode, (loads + of_atomics)[0]))
                elif args.verbose and loads + of_atomics:
                    print("%s, %s: %d loads, %d of atomics" % (name, mode, len(loads), len(of_atomics)))
    print("\n".join(wrong))
    print("%d modules index by variables; descriptors are loaded wrong in %s; for atomic instructions in %s" % (
        len(seen), *(", ".join("%d %s" % (of[mode], mode) for mode in MODES) for of in (counts, forgotten))))
    return 1 if wrong or not counts["as they are"] or not forgotten["bound"] else 0


if __name__ == "__main__":
    sys.exit(main())
