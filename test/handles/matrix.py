# SPDX-License-Identifier: Apache-2.0
"""Every kind of descriptor x every flow x every dialect x every version of SPIR-V: generated, lowered, checked.

    matrix.py --driver D [--all] [--every N] [--only GLOB] [--keep FOLDER]

For each class of kinds (such as textures) and each flow, dialect and version, one variant is taken in turn, so that
each variant meets each flow, each dialect and each version; --all is the whole product. The dialect "heap" is a module
with handles converted to SPV_EXT_descriptor_heap. driver.c and check.py have the checks. --every: about each Nth module
only, always the same ones. A module that fails is written to FOLDER, with the failure as a comment. --self-test damages
lowered modules: each damage must be noticed."""
import argparse
import array
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
import time
import zlib

import check
import damage
from flows import FLOWS, Emit
from kinds import Combined, Results, Shadow, classes
from module import Module

MARKS = ["handle", "value", "final"]
CHUNK = 100


class Case:
    def __init__(self, kind, flow, dialect, version, turn):
        self.kind, self.flow, self.dialect, self.version, self.turn = kind, flow, dialect, version, turn
        self.name = "%s/%s/%s/1.%d" % (kind.name, flow.name, dialect, version)
        # heaps: typed, mutable, sized, with checks
        self.flags = kind.flags + ("", "", "m", "z", "zc", "zn")[turn // 6 % 6] + "h" * (dialect == "heap")

    def build(self):
        """Text of the module; self.wanted: which emissions differ between invocations."""
        m = Module(self.version)
        results, self.wanted, self.natures = Results(m), {}, {}
        mains = [m.begin(m.void)[0] for _ in range(1)]
        mark_at = "handle" if self.flow.bound else MARKS[self.turn % 3]  # not of bound resources
        # a shared function is written for the first, without decorations
        apart = self.turn // 3 % 2 == 1 or mark_at != "handle"
        self.how = "; marked: %s; functions: %s; options: %s\n" % (mark_at, "one for each" if apart else "shared",
                                                                   self.flags or "none")
        natures = self.flow.natures
        if self.flow.entries == 2:
            natures = "UD" if not self.turn % 2 else "UM"
        for slot, nature in enumerate(natures):
            if self.flow.entries == 2 and slot:
                m.end()
                mains.append(m.begin(m.void)[0])
            entry = "main%d" % (len(mains) - 1)
            x = Emit(m, self.kind, self.dialect, slot, nature, mark_at, apart, results)
            x.begin()
            self.flow(x)
            need = nature != "U" or (None if self.flow.chooses else False)
            self.natures[entry, slot] = nature
            self.wanted[entry, slot] = self.kind.heaps(need, x.dialect_here(), nature, self.flow.chooses)
        m.end()
        for i, f in enumerate(mains):
            m.entry(f, "main%d" % i)
        self.entries = ["main%d" % i for i in range(len(mains))]
        return m.text()

    def judge(self, given, out):
        return check.check(given, out, self.entries, self.wanted, self.natures, *[f in self.flags for f in "saz"],
                           next((f for f in "cn" if f in self.flags), ""))


def has_heap(kind):
    """Descriptor heaps have no combined image-samplers, and no addresses."""
    return "ext" in kind.dialects and "a" not in kind.flags and (
        "s" in kind.flags or not isinstance(kind, (Combined, Shadow)))


def cases(everything):
    yield from cases_of(everything, lambda kind: kind.dialects, 0)
    yield from cases_of(everything, lambda kind: ("heap",) if has_heap(kind) else (), 1)


def cases_of(everything, dialects, turn):
    for name, variants in classes().items():
        for flow in FLOWS.values():
            fits = [k for k in variants if flow.where(k) and (k.bound or not flow.bound)]
            for dialect in sorted({d for k in fits for d in dialects(k)}):
                for version in range(7):
                    able = [k for k in fits if k.least <= version <= k.most and dialect in dialects(k)
                            and flow.least <= version]
                    if not able:
                        continue
                    turn += 1
                    for kind in able if everything else [able[(turn * 5 + turn // 7) % len(able)]]:
                        turn += 1
                        yield Case(kind, flow, dialect, version, zlib.crc32(str(turn).encode()))


def words_of(data):
    words = array.array("I")
    words.frombytes(data)
    return words


def run_driver(driver, requests):
    """[(stage, text, words in, words out)]"""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as answers:
        for name, version, flags, text in requests:
            given.write(("%s 1.%d %s %d\n" % (name, version, flags or "-", len(text))).encode() + text.encode())
        given.seek(0)
        done = subprocess.run([driver], stdin=given, stdout=answers, stderr=subprocess.PIPE)
        answers.seek(0)
        out = []
        for line in iter(answers.readline, b""):
            stage, length, n, k = line.decode().split()
            out.append((stage, answers.read(int(length)).decode(errors="replace"), words_of(answers.read(4 * int(n))),
                        words_of(answers.read(4 * int(k)))))
    if done.returncode or len(out) != len(requests):
        crashed = requests[len(out)][0] if len(out) < len(requests) else "?"
        out.append(("crash", "%s: exit %d\n%s" % (crashed, done.returncode,
                                                  done.stderr.decode(errors="replace")[-3000:]), None, None))
    return out


def run_chunk(job):
    """[(name, stage, failure, text)], and the number of modules."""
    driver, chunk = job
    texts = [c.build() for c in chunk]
    failed = []
    done = run_driver(driver, [(c.name, c.version, c.flags, t) for c, t in zip(chunk, texts)])
    for case, text, (stage, said, given, out) in zip(chunk, texts, done):
        wrong = [said.strip()] if stage != "ok" else case.judge(given, out)
        if wrong:
            failed.append((case.name, stage if stage != "ok" else "check", "; ".join(wrong), case.how + text))
    if done[-1][0] == "crash":
        failed.append(("driver", "crash", done[-1][1], ""))
    return failed, len(chunk)


def keep(folder, name, stage, wrong, text):
    path = os.path.join(folder, name.replace("/", "_") + ".spvasm")
    with open(path, "w") as f:
        f.write("; %s: %s\n%s" % (stage, wrong.replace("\n", "\n; "), text))


def summary(failed):
    """One line for each failure, with the number of modules and the flows."""
    alike = {}
    for name, stage, wrong, _ in failed:
        flow = name.split("/")[1] if "/" in name else ""
        first = re.split(r"[;\n]", wrong)[0]
        what = re.sub(r"%?\b\d+\b|the access at word \d+ ", "N",
                      re.sub(r"heap_\w+|the \w+ dereferenced", "heap", first))
        alike.setdefault((stage, what[:160]), {}).setdefault(flow, []).append((name, first))
    for (stage, _), flows in sorted(alike.items(), key=lambda a: -sum(map(len, a[1].values()))):
        name, first = next(iter(flows.values()))[0]
        yield "FAILED %d times: %s: %s: %s (%s)" % (sum(map(len, flows.values())), name, stage, first[:300],
                                                    ", ".join("%s %d" % (f, len(n)) for f, n in flows.items()))


def self_test(driver, every):
    """Damages modules that pass. Returns complaints, and the number of damages."""
    wrong, seen, count = [], set(), 0
    chosen = [c for c in cases(False) if c.flow.name in ("direct", "guarded") and c.version in (0, 3, 6)
              and not set(c.flags) & set("cn")][::every]  # two out-of-bounds handles name the same descriptor
    requests = [(c.name, c.version, c.flags, c.build()) for c in chosen]
    for case, (stage, _, given, out) in zip(chosen, run_driver(driver, requests)):
        if stage != "ok" or case.judge(given, out):
            continue  # a failure of the matrix itself
        for make in damage.DAMAGES:
            for what, words in make(out):
                count += 1
                seen.add(make.__name__)
                if not case.judge(given, words):
                    wrong.append("%s: nobody sees it: %s: %s" % (case.name, make.__name__, what))
    wrong += ["there was nothing to damage by %s" % m.__name__ for m in damage.DAMAGES if m.__name__ not in seen]
    return wrong, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="*")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if args.self_test:
        wrong, count = self_test(args.driver, args.every)
        print("".join("FAILED %s\n" % w for w in wrong) + "%d damages, %d unseen" % (count, len(wrong)))
        sys.exit(1 if wrong else 0)
    chosen = [c for c in cases(args.all) if fnmatch.fnmatch(c.name, args.only)
              and zlib.crc32(c.name.encode()) % args.every == 0]
    chunks = [(args.driver, chosen[i:i + CHUNK]) for i in range(0, len(chosen), CHUNK)]
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    failed, count, started = [], 0, time.time()
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for wrong, n in pool.map(run_chunk, chunks):
            failed += wrong
            count += n
    for line in summary(failed):
        print(line)
    if args.keep:
        for f in failed:
            keep(args.keep, *f)
    print("%d passed, %d failed, %.0f s" % (count - len(failed), len(failed), time.time() - started))
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
