#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The history of a studio: generations of a manifest whose programs share set 0 and one lock.

    studio.py --bind B                  programs that are made here
    studio.py --bind B --corpora DIR    200 programs of the corpora (test/corpora.py)

Programs are added, removed and renamed, and get modules of each other; two branches change the manifest and the lock,
and git merges them with the driver. After each step, --locked accepts what --update-lock wrote, no number has moved
except those that the driver named, and the layout of every program has the shared set of the lock."""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import corpora  # noqa: E402
import running  # noqa: E402
from module_text import Module  # noqa: E402

LINE = re.compile(r'(resource|removed|heap) ("(?:\\.|[^"])*"|\S+)(?: ordinal=(\d+))? program=(\S+)'
                  r' set=(\d+) binding=(\d+)')
OPTIONS = "options --rebind=all --order=module --validate=none --layout-json=%.json\n"


def git(*args, expect=0):
    return running.run("git", "-c", "user.name=t", "-c", "user.email=t@t", *args, expect=expect)


def bind(*args, expect=0):
    return running.bind(*args, "-q", "-m", "game.manifest", expect=expect)


def group_of(name):
    return name.split(".")[0] + ".*"


class Studio:
    def __init__(self, programs):
        self.programs = dict(programs)  # name -> modules; those of one group, s0., s1. and so on, share set 0
        self.groups = sorted({group_of(name) for name in programs if name[0] == "s"})

    def write(self):
        shares = "".join("share set=0 programs=%s\n" % group for group in self.groups)
        running.write("game.manifest", OPTIONS + shares + "".join(
            "program %s: %s\n" % (name, " ".join("m/%s -o %s.%d.spv" % (m, name, i) for i, m in enumerate(modules)))
            for name, modules in sorted(self.programs.items())))


def places():
    """(scope, name, ordinal) -> place, and the verb"""
    found = {}
    for verb, name, ordinal, scope, *place in LINE.findall(running.read_text("game.lock")):
        found[scope, name, ordinal] = (tuple(map(int, place)), verb)
    assert found
    return found


def check_moves(before, after, renamed={}, moved=()):
    """A number never moves, whichever resources are added or removed."""
    for (scope, name, ordinal), (place, _) in before.items():
        key = renamed.get(scope, scope), name, ordinal
        assert key in after, "%s %s is gone" % key[:2]
        assert after[key][0] == place or name in moved, "%s %s moved from %s to %s" % (*key[:2], place, after[key][0])


def check_shared(studio):
    """In every program that shares it, set 0 agrees with the lock, and is part of the shared layout."""
    lock, seen = places(), 0
    with open("shared.json") as f:
        shared = {(s["programs"], b["binding"]): b for s in json.load(f)["sets"] for b in s["bindings"]}
    for name in studio.programs:
        with open("out/%s.json" % name) as f:
            layout = json.load(f)
        for s in layout["sets"]:
            for b in s["bindings"]:
                if s["set"] or group_of(name) not in studio.groups:
                    continue
                union, seen = shared[group_of(name), b["binding"]], seen + 1
                assert b["descriptorType"] == union["descriptorType"] and set(b["stages"]) <= set(union["stages"]), b
                names = {v["name"] for v in b["views"]}
                assert any(key[1].strip('"') in names and place == (0, b["binding"])
                           for key, (place, _) in lock.items() if key[0] == group_of(name)), (name, b)
    assert seen
    return seen


def generation(studio, before=None, renamed={}, moved=()):
    studio.write()
    shutil.rmtree("out", ignore_errors=True)
    bind("--out-dir=out", "--lock=game.lock", "--update-lock", "--layout-json=shared.json")
    after = places()
    if before:
        check_moves(before, after, renamed, moved)
    bind("--out-dir=ci", "--lock=game.lock", "--locked")  # like a build
    for file in os.listdir("out"):
        assert running.read("out/" + file) == running.read("ci/" + file), file
    return after, check_shared(studio)


def swap_modules(studio, most):
    """Programs exchange modules, if their resources agree."""
    names, swapped = sorted(n for n in studio.programs if len(studio.programs[n]) > 1), 0
    for a, b in zip(names[::2], names[1::2]):
        x, y = studio.programs[a], studio.programs[b]
        pair = x[:-1] + y[-1:], y[:-1] + x[-1:]
        tries = [running.bind("layout", "-q", *["m/" + m for m in p], "--rebind=all", "--order=module",
                              expect=None)
                 for p in pair]
        if swapped < most and not any(t.returncode for t in tries):
            studio.programs[a], studio.programs[b] = pair
            swapped += 1
    assert swapped, "no two programs could change modules"
    return swapped


def live(programs, must_meet):
    names = sorted(programs)
    count = len(names)
    # the first generation has two thirds; every third program waits to be added
    waiting = names[::3]
    studio = Studio({n: programs[n] for n in names if n not in set(waiting)})
    git("init", "-q", "-b", "main")
    git("config", "merge.lock.driver", running.BIND + " lock merge %O %A %B")
    running.write(".gitattributes", "*.lock merge=lock\n")
    one, shared = generation(studio)
    git("add", ".gitattributes", "game.manifest", "game.lock")
    git("commit", "-qm", "one")

    # removed, added, renamed, and modules that move from one program to another
    here = sorted(studio.programs)
    for name in here[::9]:
        del studio.programs[name]
    for name in waiting[::2]:
        studio.programs[name] = programs[name]
    renamed = {name: name + "_new" for name in here[1::9]}
    for old, new in renamed.items():
        studio.programs[new] = studio.programs.pop(old)
    lock = running.read_text("game.lock").replace("lock version=2\n", "lock version=2\n" + "".join(
        "rename program=%s -> %s\n" % pair for pair in renamed.items()))
    running.write("game.lock", lock)
    swapped = swap_modules(studio, 5)
    two, _ = generation(studio, one, renamed)
    git("commit", "-qam", "two")

    # two branches; the manifest is sorted, and each changes its own half
    rest = [n for n in waiting if n not in studio.programs]
    halves = sorted(studio.programs)
    middle = rest[len(rest) // 2]
    base = dict(studio.programs)
    git("checkout", "-qb", "other")
    for name in (n for n in rest if n < middle):
        studio.programs[name] = programs[name]
    for name in [n for n in halves if n < middle][3:6]:
        del studio.programs[name]
    theirs, _ = generation(studio, two)
    git("commit", "-qam", "theirs")
    union = dict(studio.programs)
    git("checkout", "-q", "main")
    studio.programs = base
    for name in (n for n in rest if n > middle):
        studio.programs[name] = union[name] = programs[name]
    ours, _ = generation(studio, two)
    git("commit", "-qam", "ours")
    said = git("merge", "other")
    warnings = re.findall(r'warning: "((?:[^"]|"(?! has))*)" has .* \[SPB4034\]', said.stdout + said.stderr)
    assert warnings or not must_meet, "the branches did not meet in any number\n" + said.stdout
    studio.programs = union
    merged = places()
    check_moves(ours, merged)
    check_moves(theirs, merged, moved=warnings)
    three, _ = generation(studio, merged)
    text = running.read_text("game.manifest")
    assert text == git("show", "HEAD:game.manifest").stdout, "git merged another manifest"
    print("%d programs, %d descriptors in the shared sets of the first generation, %d renamed, %d with other modules, "
          "%d resources renumbered by the merge" % (count, shared, len(renamed), 2 * swapped, len(warnings)))


def made_here(count=45):
    """Every program has common resources, some shared with a few, and some of its own."""
    programs = {}
    os.mkdir("m")
    for i in range(count):
        vert = "camera:b g%d:t n%d:t own%d:b@,1" % (i % 7, i, i)
        frag = "camera:b sun:b h%d:s own_%d:t[2]@,1 u%d:u@,2" % (i % 5, i, i)
        Module(vert, stage="Vertex").write("m/p%d.vert.spv" % i)
        Module(frag, stage="Fragment").write("m/p%d.frag.spv" % i)
        programs["%s.p%02d" % ("p" if i % 4 == 3 else "s0", i)] = ["p%d.vert.spv" % i, "p%d.frag.spv" % i]
    return programs


def facts_of(text):
    """program -> what it has in set 0, by name"""
    found = {}
    for part in re.split(r"(?m)^program ", text)[1:]:
        lines = part.splitlines()
        found[lines[0].strip('"')] = {re.match(r'\S+ ("(?:\\.|[^"])*"|\S+)', line)[1]: re.findall(
            r" (?:kind|type|descriptor)=\S+", line) for line in lines if re.match(r"(resource|heap) .* set=0 ", line)}
    return found


def from_corpora(folder, count):
    """Programs of the corpora that this version binds, in groups whose resources of set 0 agree."""
    corpus = corpora.Corpus(folder)
    os.mkdir("m")
    chosen = {}
    step = max(1, len(corpus.programs) // (count + count // 3))
    for i, (name, modules) in enumerate(sorted(corpus.programs.items())[::step]):
        chosen["p%03d" % i] = []
        for k, module in enumerate(modules):
            shutil.copy(corpus.path(module), "m/p%03d.%d.spv" % (i, k))
            chosen["p%03d" % i].append("p%03d.%d.spv" % (i, k))
    Studio(chosen).write()
    bind("collect", "-o", "facts", expect=None)  # without refused ones
    groups, programs = [], {}  # of a group: its resources, and its programs
    for name, facts in list(facts_of(running.read_text("facts")).items())[:count]:
        agree = (g for g in groups if all(g[0].get(r, what) == what for r, what in facts.items()))
        group = next(agree, None) if facts and '""' not in facts else ({}, [])
        if not group:
            group = ({}, [])
            groups.append(group)
        group[0].update(facts)
        group[1].append(name)
        programs[name] = chosen[name]
    shared = {name: "s%d.%s" % (i, name) for i, g in enumerate(groups) if len(g[1]) > 2 for name in g[1]}
    assert len(programs) == count and len(shared) > count // 2, (len(programs), len(shared))
    return {shared.get(name, "p." + name): modules for name, modules in programs.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--corpora", metavar="DIR")
    parser.add_argument("--count", type=int, default=200)
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    folder = args.corpora and os.path.abspath(args.corpora)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        live(from_corpora(folder, args.count) if folder else made_here(), not folder)
        os.chdir("/")


if __name__ == "__main__":
    main()
