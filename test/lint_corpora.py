#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every finding of the lint in real modules, each reviewed by a human.

    lint_corpora.py --bind B             each finding is in the table, and each row of the table is found
    lint_corpora.py --bind B --list      prints the findings as rows, with ? for a verdict that the table does not have

The modules are those of --corpora DIR, or of the environment's SPB_CORPORA (test/corpora.py); the stages of a program
are given together.
conformance/lint.tsv has a row for each finding: module, code, severity, fingerprint, verdict, and the reason for it.
    true    the specification forbids what the module does, for inputs that it may get
    open    it depends on what the host supplies, or on a stage that the corpus does not have with it
    false   it cannot happen, for a reason that the analysis does not see
False alarms may only become fewer: MOST_FALSE.
"""
import argparse
import collections
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from corpora import Corpus, add_argument  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "conformance", "lint.tsv")
MOST_FALSE = 0
VERDICTS = ("true", "open", "false")


def lint(bind, corpus, names):
    """Findings of a program as (module, code, severity, fingerprint); and failures."""
    name_of = {os.path.realpath(corpus.path(name)): name for name in names}
    done = running.run(bind, "lint", "--diagnostics=json", *name_of, expect=None)
    if len(names) > 1 and done.returncode not in (0, 3):  # not a program after all
        results = [lint(bind, corpus, [name]) for name in names]
        return [f for found, _ in results for f in found], [w for _, wrong in results for w in wrong]
    if done.returncode not in (0, 3) or done.stdout:
        return [], ["%s: exit status %d" % (names[0], done.returncode)]
    messages = [json.loads(line) for line in done.stderr.splitlines()]
    found = [(name_of[os.path.realpath(m["module"])], m["code"], m["severity"], m["fingerprint"])
             for m in messages if "fingerprint" in m]
    errors = sum(m["severity"] == "error" for m in messages)
    wrong = ["%s: exit status %d with %d errors" % (names[0], done.returncode, errors)] \
        if (errors > 0) != (done.returncode == 3) else []
    wrong += ["%s: no explanation of %s" % (names[0], m["code"])
              for m in messages if "rule" in m and not m.get("notes")]
    return found, wrong


def read_table():
    rows = {}
    with open(TABLE) as f:
        for line in list(f)[1:]:
            *key, verdict, reason = line.rstrip("\n").split("\t")
            assert verdict in VERDICTS and reason, line
            assert tuple(key) not in rows, "twice: " + line
            rows[tuple(key)] = (verdict, reason)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    add_argument(parser)
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    rows = read_table() if os.path.exists(TABLE) else {}
    corpus = Corpus(args.corpora)
    names = sorted(corpus.flags)
    inside = {path for paths in corpus.programs.values() for path in paths}
    programs = list(corpus.programs.values()) + [[name] for name in names if name not in inside]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda paths: lint(os.path.abspath(args.bind), corpus, paths), programs))
    found = [f for findings, _ in results for f in findings]
    if args.list:
        for f in found:
            print("\t".join(f + rows.get(f, ("?", ""))))
        return 0
    wrong = [w for _, faults in results for w in faults]
    wrong += ["not in the table: " + "\t".join(f) for f in found if f not in rows]
    wrong += ["not found any more: " + "\t".join(row) for row in rows if row not in set(found)]
    tally = collections.Counter(rows[f][0] for f in found if f in rows)
    if tally["false"] > MOST_FALSE:
        wrong.append("%d false alarms, %d are the most" % (tally["false"], MOST_FALSE))
    counts = ", ".join("%d %s" % (tally[v], v) for v in VERDICTS)
    print("%d modules, %d findings: %s" % (len(names), len(found), counts))
    print("\n".join(wrong[:20]))
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
