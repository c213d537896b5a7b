# SPDX-License-Identifier: Apache-2.0
"""How many accesses --nonuniform=auto decorates in spirv-fixtures/realistic, and how many of them truly differ.

    precision.py --bind B [--only WORD]

A line that indexes an array of descriptors by something other than a constant ends with the truth, derived from
Vulkan's rules and not from the analysis: may invocations that execute the access together have different indices,
judging by the text alone?

    // uniform        not within a workgroup (of other stages: a draw, a trace command)
    // subgroup       within one, but not within a subgroup: --uniform-scope=group must mark it, group-or-subgroup
    need not // divergent      within both // ..., marked    needless, but marked: what follows a colon says why //
    a; b; c        of the accesses of the line in the order of instructions; a single word speaks for all

The test fails if a varying access is not decorated, and if a comment does not admit a needless decoration, or admits
one that does not exist: precision only changes knowingly. Compiler flags are those of the rows with -g in
glsl/programs.txt.
"""
import collections
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import FIXTURES, bind, glslang  # noqa: E402

FOLDER = os.path.join(FIXTURES, "realistic")
TRUTHS = {"uniform": {"group", "group-or-subgroup"}, "subgroup": {"group-or-subgroup"}, "divergent": set()}
SCOPES = ("group", "group-or-subgroup")
Count = collections.namedtuple("Count", "accesses divergent marked needless")
totals = {scope: Count(0, 0, 0, 0) for scope in SCOPES}


def truths(path):
    """line -> [(truth, marked), ...]"""
    lines = {}
    with open(path) as f:
        for number, line in enumerate(f, 1):
            found = re.search(r"// ((uniform|subgroup|divergent)\b[^:]*)(:|$)", line.rstrip())
            if found:
                words = [re.fullmatch(r"(\w+)(, marked)?", w.strip()) for w in found[1].split(";")]
                assert all(w and w[1] in TRUTHS for w in words), line
                lines[number] = [(w[1], w[2] is not None) for w in words]
    return lines


def flags(name):
    with open(os.path.join(FIXTURES, "glsl", "programs.txt")) as f:
        rows = [row.split() for row in f if row.startswith("../realistic/" + name + " ")]
    rows = [row[1:] for row in rows if "-g" in row]
    assert rows, name + " has no row with -g in programs.txt"
    return rows[0]


def accesses(module, scope):
    """line -> whether each is marked"""
    options = ["--uniform-scope=" + scope, "--rules=hlsl" if module.endswith(".hlsl.spv") else "--auto-binding=65534"]
    j = json.loads(bind("layout", "-q", "--accesses", "--layout-json", *options, module).stdout)
    lines = collections.defaultdict(list)
    for a in j["accesses"]:
        if a["index"] is None and "indexId" in a:
            lines[a["line"]].append(a["nonUniform"])
    return lines


def check(path):
    name, want = os.path.basename(path), truths(path)
    glslang(path, name + ".spv", *flags(name))
    wrong = []
    for scope in SCOPES:
        got, count, needless = accesses(name + ".spv", scope), Count(0, 0, 0, 0), []
        for line in sorted(set(want) | set(got)):
            truth, marks = want.get(line, []), got.get(line, [])
            truth = truth * len(marks) if len(truth) == 1 else truth
            if len(truth) != len(marks) or not marks:
                wrong.append("%s:%d: says %d accesses, has %d" % (name, line, len(truth), len(marks)))
                continue
            for (word, owned), marked in zip(truth, marks):
                same = scope in TRUTHS[word]
                count = Count(*(a + b for a, b in zip(count, (1, not same, marked, same and marked))))
                if same and marked:
                    needless.append(line)
                if not same and not marked:
                    wrong.append("%s:%d: differs, but is not marked (%s)" % (name, line, scope))
                if same and owned != marked:
                    wrong.append("%s:%d: %s, as the line does not say (%s)" % (name, line, "marked" if marked
                                                                               else "not marked", scope))
        totals[scope] = Count(*(a + b for a, b in zip(totals[scope], count)))
        say(name, scope, count, ["%d" % line for line in sorted(set(needless))])
    assert not wrong, "\n".join(wrong)


def say(name, scope, count, needless):
    print("%-24s %-18s %8d %9d %6d %8d  %s" % (name, scope, *count, " ".join(needless)))


for fixture in sorted(glob.glob(os.path.join(FOLDER, "*"))):
    globals()["test_" + re.sub(r"\W", "_", os.path.basename(fixture))] = lambda path=fixture: check(path)


def test_totals():
    """After all the others: without shaders, or without divergent and uniform accesses, the test would prove
    nothing."""
    assert len(glob.glob(os.path.join(FOLDER, "*"))) >= 15
    for scope in SCOPES:
        say("all", scope, totals[scope], [])
        accesses, divergent, marked, needless = totals[scope]
        assert accesses >= 80 and 30 <= divergent < accesses and marked == divergent + needless, totals[scope]


if __name__ == "__main__":
    print("%-24s %-18s %8s %9s %6s %8s  %s" % ("shader", "scope", "accesses", "divergent", "marked", "needless",
                                               "lines"))
    running.main(globals())
