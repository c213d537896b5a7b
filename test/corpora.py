#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real modules and programs: the number of refusals may only decrease.

    corpora.py --bind B                    what the suite runs: mode default on all modules, rebind-all on every
                                           sixth, the others on every sixteenth, and every program
    corpora.py --bind B --all              everything
    corpora.py --bind B --all --update     writes conformance/corpora.tsv, unless there are new refusals
    corpora.py --bind B --idempotent N     N random combinations of options: bind(bind(x)) = bind(x) for every module
    corpora.py --bind B --validate VAL     VAL (a newer spirv-val) accepts every changed output of default and
    rebind-all

The modules are those of --corpora DIR, or of the environment's SPB_CORPORA: a folder as scripts/make_corpus.py makes
it, with the verdict of the newest validator in modules.tsv. conformance/corpora.tsv lists refusals, by mode, with the
code and the reason why that is right; any other refusal fails the test, and so does a line that is no longer true
(except faults of SPIRV-Tools, which a newer one may not have).
"""
import argparse
import collections
import filecmp
import os
import random
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import running

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "conformance", "corpora.tsv")
LAYOUT_FLAGS = {
    "": [],
    "scalar": ["--scalar-block-layout", "--allow-localsizeid"],
    "all": ["--scalar-block-layout", "--workgroup-scalar-block-layout", "--allow-localsizeid",
            "--uniform-buffer-standard-layout"],
}
MODES = {
    "default": [],
    "rebind-all": ["--rebind=all"],
    "rebind-all-sets": ["--rebind=all,sets"],
    "hlsl": ["--rules=hlsl"],
    "prune": ["--prune"],
    "waterfall": ["--waterfall"],
    "split-combined": ["--split-combined"],
    "check": ["check", "--allow-unvalidated"],
}
PROGRAM_MODES = ["default", "rebind-all"]
STEPS = {"default": 1, "rebind-all": 6}  # of the modules in the suite
STAGES = "task mesh vert tesc tese geom frag".split()
SUFFIX = re.compile(r"(.*)\.(%s)(\.spv)+$" % "|".join(STAGES))


def add_argument(parser, required=True):
    known = os.environ.get("SPB_CORPORA")
    parser.add_argument("--corpora", metavar="DIR", default=known, required=required and not known)


class Corpus:
    def __init__(self, folder):
        self.root = os.path.abspath(folder)
        with open(os.path.join(folder, "modules.tsv")) as f:
            rows = [line.rstrip("\n").split("\t") for line in f][1:]
        self.flags = {path: LAYOUT_FLAGS[flags] for path, verdict, _, flags, _ in rows if verdict == "valid"}
        self.environment = {path: environment for path, _, environment, _, _ in rows}
        groups = collections.defaultdict(list)
        for path, *_ in rows:
            found = SUFFIX.match(path)
            if found:
                groups[found[1]].append(path)
        self.programs = {}
        for name, paths in groups.items():
            if len(paths) > 1 and all(path in self.flags for path in paths):
                self.programs[name] = sorted(paths, key=lambda path: STAGES.index(SUFFIX.match(path)[2]))

    def path(self, name):
        return os.path.join(self.root, name)


REASONS = {}  # (mode, name): text of the first error


def refusal(done, root, *key):
    """The code of the first error, or what happened instead."""
    if done.returncode == 0:
        return None
    found = re.search(r": error: (.*) \[(SPB\d+)\]$", done.stderr + done.stdout, re.M)
    if not found or done.returncode != 1:
        return "exit %d" % done.returncode
    REASONS[key] = found[1].replace(root + "/", "")[:240].replace("\t", " ")
    return found[2]


def run(command):
    return running.run(*command, expect=None, timeout=600)


def run_module(bind, corpus, name, mode, out):
    writes = [] if mode == "check" else ["-o", out]
    done = run([bind, *MODES[mode], "-q", *corpus.flags[name], *writes, corpus.path(name)])
    code = refusal(done, corpus.root, mode, name)
    if mode == "check" and done.returncode == 3 and "SPB4001" not in done.stderr:
        code = None  # bind would change it, which is not a fault
    if code:
        return code
    return "same" if not writes or filecmp.cmp(out, corpus.path(name), shallow=False) else "changed"


def run_program(bind, corpus, name, mode):
    paths = corpus.programs[name]
    flags = max((corpus.flags[path] for path in paths), key=len)
    with tempfile.TemporaryDirectory() as out:
        done = run([bind, "-q", *flags, *MODES[mode], *map(corpus.path, paths), "--out-dir=" + out])
    return refusal(done, corpus.root, "program " + mode, name) or "done"


def read_table():
    rows = {}
    with open(TABLE) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                mode, name, code, reason = line.rstrip("\n").split("\t")
                rows[mode, name] = (code, reason)
    return rows


def write_table(rows, tallies):
    with open(TABLE, "w") as f:
        f.write("# Real modules and programs that are rejected, with the reason. Written by test/corpora.py "
                "--update.\n")
        for mode, tally in tallies.items():
            f.write("# %s: %s\n" % (mode, ", ".join("%d %s" % (tally[key], key) for key in sorted(tally))))
        for (mode, name), (code, reason) in sorted(rows.items()):
            f.write("\t".join((mode, name, code, reason)) + "\n")


def ratchet(args, corpus, scratch):
    known, now, tallies = read_table(), {}, {}
    jobs = []
    for mode in MODES:
        names = sorted(corpus.flags)
        step = 1 if args.all else STEPS.get(mode, 16)
        jobs += [(mode, name, False) for name in names[len(mode) % step::step]]
    jobs += [(mode, name, True) for mode in PROGRAM_MODES for name in sorted(corpus.programs)]

    def work(job):
        mode, name, program = job[1]
        if program:
            return run_program(args.bind, corpus, name, mode)
        return run_module(args.bind, corpus, name, mode, os.path.join(scratch, "%d.spv" % (job[0] % 64)))

    with ThreadPoolExecutor(2) as pool:
        for (mode, name, program), result in zip(jobs, pool.map(work, list(enumerate(jobs)))):
            mode = "program " + mode if program else mode
            tallies.setdefault(mode, collections.Counter())[result] += 1
            now[mode, name] = result
    wrong, rows = 0, dict(known)
    for key, result in now.items():
        refused = result not in ("same", "changed", "done")
        if refused and key not in known:
            wrong += 1
            print("newly refused: %s %s: %s" % (*key, result))
            rows[key] = (result, REASONS.get(key, ""))
        elif refused and known[key][0] != result:
            wrong += 1
            print("another reason: %s %s: %s, not %s" % (*key, result, known[key][0]))
        elif not refused and key in known:
            newer = known[key][0] in ("SPB6002", "SPB6003")  # depends on the SPIRV-Tools that is built in
            wrong += not args.update and not newer
            print("no longer refused: %s %s%s" % (*key, "" if newer else "; --update takes the line out"))
            del rows[key]
    for key in known.keys() - now.keys() if args.all else ():
        wrong += not args.update
        print("not in the corpora: %s %s" % key)
        del rows[key]
    for mode, tally in tallies.items():
        print("%s: %s" % (mode, ", ".join("%d %s" % (tally[key], key) for key in sorted(tally))))
    if args.update and args.all and (not wrong or args.accept):
        write_table(rows, tallies)
    print("%d passed, %d failed" % (len(now) - wrong, wrong))
    return wrong


VALUES = {  # what options may be combined; the first is the default
    "rebind": ["", "--rebind=conflicts", "--rebind=all", "--rebind=all,sets"],
    "rules": ["", "--rules=hlsl"],
    "order": ["", "--order=module", "--order=name"],
    "unused": ["", "--unused=count", "--unused=last", "--unused=remove"],
    "nonuniform": ["", "--nonuniform=explicit", "--nonuniform=all", "--nonuniform=keep"],
    "waterfall": ["", "--waterfall", "--waterfall=lengths", "--waterfall=drivers"],
    "combined": ["", "--split-combined"],
    "prune": ["", "--prune"],
    "shift": ["", "--policy=option shift=auto", "--shift=t=64"],
    "caps": ["", "--host-features=roadmap2024,VK_EXT_shader_subgroup_ballot"],
    "default set": ["", "--policy=option default-set=3"],
}


def idempotent(args, corpus, scratch):
    rng, wrong, seen, refused = random.Random(args.seed), 0, 0, 0
    names = sorted(corpus.flags)
    for i in range(args.idempotent):
        options = [o for o in (rng.choice(v) for v in VALUES.values()) if o]

        def work(job):
            k, name = job
            once, twice = (os.path.join(scratch, "%d.%s.spv" % (k % 64, x)) for x in ("once", "twice"))
            base = [args.bind, "-q", "--validate=none", *options]
            if run([*base, "-o", once, corpus.path(name)]).returncode:
                return None
            done = run([*base, "-o", twice, once])
            return refusal(done, corpus.root) or ("same" if filecmp.cmp(once, twice, shallow=False) else "differs")

        with ThreadPoolExecutor(2) as pool:
            chosen = names[i % args.step::args.step]
            for name, result in zip(chosen, pool.map(work, list(enumerate(chosen)))):
                seen += 1
                refused += result is None
                if result not in (None, "same"):
                    wrong += 1
                    print("%s: second run %s: %s" % (name, result, " ".join(options)))
    print("%d runs, %d refused the first time" % (seen, refused))
    print("%d passed, %d failed" % (seen - wrong, wrong))
    return wrong or not seen - refused


def validate(args, corpus, scratch):
    wrong = changed = 0
    for mode in PROGRAM_MODES:
        for name in sorted(corpus.flags):
            out = os.path.join(scratch, "out.spv")
            if run_module(args.bind, corpus, name, mode, out) != "changed":
                continue
            changed += 1
            done = run([*args.validate.split(), "--target-env", corpus.environment[name], *corpus.flags[name], out])
            if done.returncode:
                wrong += 1
                print("%s %s: %s" % (mode, name, (done.stdout + done.stderr).strip()[:300]))
    print("%d passed, %d failed" % (changed - wrong, wrong))
    return wrong or not changed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    add_argument(parser)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--accept", action="store_true", help="with --update: write what is newly refused, too")
    parser.add_argument("--idempotent", type=int)
    parser.add_argument("--step", type=int, default=16, help="with --idempotent: every so many modules")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--validate")
    args = parser.parse_args()
    args.bind = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Corpus(args.corpora)
        if args.idempotent:
            return 1 if idempotent(args, corpus, scratch) else 0
        return 1 if (validate if args.validate else ratchet)(args, corpus, scratch) else 0


if __name__ == "__main__":
    sys.exit(main())
