#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real programs in GLSL and HLSL with their numbers taken out: which of them get their authors' numbers back, and what
else is promised of numbers.

    real_programs.py --bind B [--every N] [--list] FOLDER...

A folder has sources, for example those of a Debian source package (apt-get source) or of a collection of samples. What
a program is, is said in one_step.py. Each is compiled as it is; without its numbers, GLSL by --auto-map-bindings, also
with relaxed rules if it is for OpenGL; and once more with its entry points emptied. A program keeps its numbers if each
resource has them again. Otherwise the first reason that applies is counted:

    shared   two resources have one number on purpose
    holes    the numbers of a set, or of a register class, do not count from 0
    spaces   registers name a space, which goes with them
    order    they count in another order than that of the declarations
    other    none of these: to be looked at, and printed

Of all programs without their numbers, those are counted that put two resources into one descriptor, and those of which
a number moves when bodies are emptied. There must be none.
"""
import argparse
import collections
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import one_step  # noqa: E402
import running  # noqa: E402
from running import run, write  # noqa: E402

BINDING = re.compile(r"\bbinding\s*=\s*\d+")
REGISTER = re.compile(r":\s*register\s*\([^)]*\)")
NUMBERS = [(re.compile(p.pattern.replace("(?:binding|set)", "binding")), to) for p, to in one_step.NUMBERS]
PIPELINE = "vert tesc tese geom frag comp".split()
MAIN = re.compile(r"^[ \t]*([A-Za-z_]\w*)\s+main\s*\([^)]*\)[^{;]*\{", re.M)
RELAXED = ["-R", "--auto-map-bindings", "--auto-map-locations"]


def is_hlsl(path):
    """What has no #version is HLSL."""
    return b"#version" not in running.read(path)


def without_numbers(text):
    """The sets stay."""
    for pattern, instead in NUMBERS:
        text = pattern.sub(instead, text)
    return text


def emptied(text):
    """With nothing in main; None: it is not found."""
    found = MAIN.search(text)
    if not found:
        return None
    at = depth = 0
    for at in range(found.end() - 1, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if not depth:
            break
    body = "{ }" if found[1] == "void" else "{ return (%s)0; }" % found[1]
    return text[:found.end() - 1] + body + text[at + 1:]


def compiled(stage, source, hlsl, text, tmp, flags):
    """A module, or None: the stock compiler does not accept the text."""
    path = os.path.join(tmp, os.path.basename(source))
    module = os.path.join(tmp, "%s%d.spv" % (stage, len(os.listdir(tmp))))
    write(path, text)
    options = ["-g", "-S", stage, "--target-env", "vulkan1.1", "-I" + os.path.dirname(os.path.abspath(source))]
    options += flags + (["-D", "-e", "main"] if hlsl else [])
    done = run("glslangValidator", "-V", *options, path, "-o", module, expect=None)
    return None if done.returncode else module


def numbers(modules, options):
    """Name -> set and binding, or register; and whether any two resources share one. None: it is refused."""
    done = running.bind("layout", "-q", *options, *modules, "--layout-json", expect=None)
    if done.returncode:
        return None, done.stderr
    found, shared = {}, False
    for s in json.loads(done.stdout)["sets"]:
        for b in s["bindings"]:
            names = {v["name"] for v in b["views"]}
            shared |= len({v["type"].get("block") or v["name"] for v in b["views"]} - {""}) > 1
            shared |= len({tuple(sorted(m["name"] for m in v["type"].get("members", []))) for v in b["views"]
                           if v["type"].get("block") == "gl_DefaultUniformBlock"}) > 1
            for name in names | {b["name"]}:
                found[name] = (s["set"], b["class"] if "register" in b else "", b.get("register", b["binding"]))
    return found, shared


def has_holes(found):
    lanes = collections.defaultdict(set)
    for at_set, letter, number in found.values():
        lanes[at_set, letter].add(number)
    return any(sorted(lane) != list(range(len(lane))) for lane in lanes.values())


def compare(authors, shared, ours, hlsl):
    if authors == ours:
        return "kept"
    if shared or has_holes(authors):
        return "shared" if shared else "holes"
    if hlsl and any(at_set for at_set, _, _ in authors.values()):
        return "spaces"
    return "order" if authors.keys() == ours.keys() and sorted(authors.values()) == sorted(ours.values()) else "other"


def judge(stages, count, say, tmp):
    """Counts one program."""
    hlsl = all(is_hlsl(s) for s in stages.values())
    texts = {s: running.read(path).decode(errors="replace") for s, path in stages.items()}
    options = ["--rules=hlsl"] if hlsl else []

    def modules_of(change, flags):
        changed = [(s, change(text)) for s, text in texts.items()]
        found = None not in [text for _, text in changed] and [
            compiled(s, stages[s], hlsl, text, tmp, flags) for s, text in changed]
        return found if found and None not in found else None

    flags = [] if hlsl else ["--auto-map-bindings"]
    bare = modules_of(without_numbers, flags)
    if not bare and not hlsl:
        flags = RELAXED
        bare = modules_of(without_numbers, flags)
    if not bare:
        return count.update(["not compiled"])
    ours, strange = numbers(bare, options)
    if ours is None:
        say("refused: " + strange.strip().splitlines()[0])
        return count.update(["refused"])
    if not hlsl and not strange:
        strange = numbers(bare, ["--rebind=all"])[1]
    count.update(["programs"] + ["strangers"] * bool(strange))
    if strange:
        say("strangers in one descriptor")
    without_bodies = modules_of(lambda text: emptied(without_numbers(text)), flags)
    if without_bodies:  # by Slang's rules: what nothing uses takes no part in HLSL's
        all_ours, others = (numbers(modules, [])[0] or {} for modules in (bare, without_bodies))
        moved = {name for name, at in others.items() if all_ours.get(name, at) != at}
        count.update(["emptied"] + ["moved"] * bool(moved))
        if moved:
            say("moves without bodies: %s" % sorted(moved))
    if not any((REGISTER if hlsl else BINDING).search(t) for t in texts.values()):
        return count.update(["no numbers"])
    given = modules_of(lambda text: text, [])
    authors, shared = numbers(given, options) if given else (None, False)
    verdict = compare(authors, shared, ours, hlsl) if authors else "not as given"
    count.update([verdict])
    if verdict == "other":
        say("other: %s, not %s" % (ours, authors))
    return None


KINDS = ["kept", "order", "holes", "shared", "spaces", "other"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    bad = 0
    for folder in args.folders:
        counts = {"GLSL": collections.Counter(), "HLSL": collections.Counter()}
        for name, stages in list(one_step.programs(folder).items())[::args.every]:
            stages = {s: stages[s] for s in PIPELINE if s in stages}
            hlsl = stages and all(is_hlsl(s) for s in stages.values())
            with tempfile.TemporaryDirectory() as tmp:
                if stages:
                    judge(stages, counts["HLSL" if hlsl else "GLSL"],
                          lambda what, name=name: print("    %s: %s" % (name, what), flush=True), tmp)
        for language, count in counts.items():
            bad += count["strangers"] + count["moved"]
            numbered = sum(count[k] for k in KINDS)
            print("%s, %s: %d programs; %d have numbers: %s. %d with strangers in one descriptor; of %d with empty "
                  "bodies, %d move (%d refused, %d not compiled)" % (
                      os.path.basename(os.path.normpath(folder)), language, count["programs"], numbered,
                      ", ".join("%d %s" % (count[k], k) for k in KINDS), count["strangers"], count["emptied"],
                      count["moved"], count["refused"], count["not compiled"]), flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
