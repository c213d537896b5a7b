#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many accesses of real modules --nonuniform=auto decorates, and how many of them needlessly.

    precision_corpora.py --bind B            the modules of the table have what their rows say
    precision_corpora.py --bind B --all      ... and no other module has an access by an index that is not constant
    precision_corpora.py --bind B --list     prints the table for what the command does now, with ? for a new reason

The modules are those of --corpora DIR, or of the environment's SPB_CORPORA (test/corpora.py).
conformance/marks.tsv has a row for each module that indexes an array of descriptors by something other than a constant:
    accesses    how many of these there are
    author      the author has marked so many of them, and so they stay
    group       so many others are marked by default
    subgroup    ... and with --uniform-scope=group-or-subgroup
    kept        marks of the author on what the analysis knows to be uniform in the group
    false       others (column "group") that cannot differ, for a reason that the analysis does not see: a person says
                so, from the text of the module
A decoration that is added or removed changes a row, which a human then reviews. False decorations may only decrease:
MOST_FALSE.

Without the decorations of its author, a module gets them back on the same accesses, but for those of the column "kept".
"""
import argparse
import array
import collections
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from corpora import Corpus, add_argument  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "conformance", "marks.tsv")
COLUMNS = "accesses author group subgroup kept".split()
MOST_FALSE = 0


OP_DECORATE, NON_UNIFORM = 71, 5300


def accesses(bind, path, scope):
    done = running.run(bind, "layout", "-q", "--accesses", "--layout-json", "--auto-binding=65534",
                       "--uniform-scope=" + scope, path, expect=None)
    if done.returncode:
        return []  # corpora.py says which modules are refused
    return [a for a in json.loads(done.stdout)["accesses"] if a["index"] is None and "indexId" in a]


def without_marks(path):
    """The words of a module without NonUniform."""
    words, kept, at = array.array("I", running.read(path)), array.array("I"), 5
    while at < len(words):
        length = words[at] >> 16
        if words[at] & 0xFFFF != OP_DECORATE or words[at + 2] != NON_UNIFORM:
            kept += words[at:at + length]
        at += length
    return (words[:5] + kept).tobytes()


def found_again(bind, path, found):
    """How many of the accesses that the author has marked are marked in the module without decorations, too."""
    with tempfile.NamedTemporaryFile(suffix=".spv") as f:
        running.write(f.name, without_marks(path))
        again = accesses(bind, f.name, "group")
    assert [a["name"] for a in again] == [a["name"] for a in found], path
    return sum(a.get("markedByAuthor", False) and b["nonUniform"] for a, b in zip(found, again))


def count(bind, corpus, name):
    """The numbers of a row; None if the module has no such access."""
    path = corpus.path(name)
    found = accesses(bind, path, "group")
    if not found:
        return None
    others = [[a for a in some if a["nonUniform"] and not a.get("markedByAuthor")]
              for some in (found, accesses(bind, path, "group-or-subgroup"))]
    author = [a for a in found if a.get("markedByAuthor")]
    kept = sum("group" in a.get("uniform", []) for a in author)
    again = found_again(bind, path, found) if author else 0
    if again != len(author) - kept:
        raise running.Failure("%s: %d of %d decorations are not found again" % (name, len(author) - again, len(author)))
    return len(found), len(author), len(others[0]), len(others[1]), kept


def read_table():
    rows = {}
    with open(TABLE) as f:
        for line in list(f)[1:]:
            name, *numbers, false, reason = line.rstrip("\n").split("\t")
            assert name not in rows and len(numbers) == len(COLUMNS) and reason not in ("", "?"), line
            rows[name] = (tuple(map(int, numbers)), int(false), reason)
            assert 0 <= rows[name][1] <= rows[name][0][2], line
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    add_argument(parser)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    rows = read_table() if os.path.exists(TABLE) else {}
    corpus = Corpus(args.corpora)
    names = sorted(corpus.flags) if args.all or args.list else sorted(rows)
    bind = os.path.abspath(args.bind)
    with ThreadPoolExecutor(2) as pool:
        counts = dict(zip(names, pool.map(lambda name: count(bind, corpus, name), names)))
    if args.list:
        print("\t".join(["module", *COLUMNS, "false", "reason"]))
        for name, numbers in counts.items():
            if numbers:
                same = name in rows and rows[name][0] == numbers
                print("\t".join([name, *map(str, numbers), *(map(str, rows[name][1:]) if same else ("0", "?"))]))
        return 0
    wrong = ["%s: %s, the table says %s" % (name, counts.get(name), rows[name][0] if name in rows else None)
             for name in names if counts[name] != (rows[name][0] if name in rows else None)]
    total = collections.Counter()
    for numbers, false, _ in rows.values():
        total.update(dict(zip(COLUMNS, numbers), false=false))
    if total["false"] > MOST_FALSE:
        wrong.append("%d false marks, %d are the most" % (total["false"], MOST_FALSE))
    if len(rows) < 40 or not total["group"]:
        wrong.append("too few modules to know anything of")
    print("%d modules looked at: %s" % (len(names), ", ".join("%s %d" % pair for pair in total.items())))
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
