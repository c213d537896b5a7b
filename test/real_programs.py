#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real programs in GLSL and HLSL with their numbers taken out: which of them get their authors' numbers back.

    real_programs.py --bind B FOLDER...

A folder has sources, for example those of a Debian source package (apt-get source) or of a collection of samples. Files
of one name in one folder (a.vert, a.frag; a.vert.hlsl) are a program, in the order of the pipeline; a compute shader
is one alone. Each program is
compiled twice: as it is, and with `binding = 65534` in place of each binding, or without registers; the second one is
bound. A program keeps its numbers if each resource has them again. Otherwise the first reason that applies is counted:

    shared   two resources have one number on purpose
    holes    the numbers of a set, or of a register class, do not count from 0
    spaces   registers name a space, which goes with them
    order    they count in another order than that of the declarations
    other    none of these: to be looked at, and printed
"""
import argparse
import collections
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import run, write  # noqa: E402

STAGES = ["vert", "tesc", "tese", "geom", "frag", "comp"]
NAME = re.compile(r"(.*)\.(%s)(\.hlsl|\.glsl)?$" % "|".join(STAGES))
BINDING = re.compile(r"\bbinding\s*=\s*\d+")
REGISTER = re.compile(r":\s*register\s*\([^)]*\)")


def programs_of(folder):
    """(folder, name, is HLSL) -> sources, in the order of the pipeline. What has no #version is HLSL."""
    found = collections.defaultdict(list)
    for path, _, names in os.walk(folder):
        for name in names:
            match = NAME.match(name)
            if match:
                source = os.path.join(path, name)
                hlsl = b"#version" not in running.read(source)
                found[path, match[1] + ".comp" * (match[2] == "comp"), hlsl].append((STAGES.index(match[2]), source))
    return {key: [source for _, source in sorted(sources)] for key, sources in sorted(found.items())}


def compiled(source, hlsl, text, tmp):
    """A module, or None: the stock compiler does not accept the text."""
    match = NAME.match(os.path.basename(source))
    path, module = os.path.join(tmp, os.path.basename(source)), os.path.join(tmp, "%s.spv" % match[2])
    write(path, text)
    options = ["-g", "-S", match[2], "--target-env", "vulkan1.1", "-I" + os.path.dirname(os.path.abspath(source))]
    options += ["-D", "-e", "main"] if hlsl else []
    done = run("glslangValidator", "-V", *options, path, "-o", module, expect=None)
    return None if done.returncode else module


def numbers(modules, options):
    """Name -> set and binding, or register; and whether any two resources share one."""
    done = running.bind("layout", "-q", *options, *modules, "--layout-json", expect=None)
    if done.returncode:
        return None, False
    found, shared = {}, False
    for s in json.loads(done.stdout)["sets"]:
        for b in s["bindings"]:
            names = {v["name"] for v in b["views"]}
            shared |= len({v["type"].get("block") or v["name"] for v in b["views"]} - {""}) > 1
            for name in names | {b["name"]}:
                found[name] = (s["set"], b["class"] if "register" in b else "", b.get("register", b["binding"]))
    return found, shared


def has_holes(found):
    lanes = collections.defaultdict(set)
    for at_set, letter, number in found.values():
        lanes[at_set, letter].add(number)
    return any(sorted(lane) != list(range(len(lane))) for lane in lanes.values())


def judge(sources, hlsl, tmp):
    texts = [running.read(s).decode(errors="replace") for s in sources]
    if not any((REGISTER if hlsl else BINDING).search(t) for t in texts):
        return "no numbers"
    bare = [REGISTER.sub("", t) if hlsl else BINDING.sub("binding = 65534", t) for t in texts]
    options = ["--rules=hlsl"] if hlsl else []
    results = []
    for versions in (texts, bare):
        modules = [compiled(s, hlsl, t, tmp) for s, t in zip(sources, versions)]
        if None in modules:
            return "not compiled"
        results.append(numbers(modules, options))
        if results[-1][0] is None:
            return "refused"
    (authors, shared), (ours, _) = results
    if authors == ours:
        return "kept"
    if shared or has_holes(authors):
        return "shared" if shared else "holes"
    if hlsl and any(at_set for at_set, _, _ in authors.values()):
        return "spaces"
    return "order" if authors.keys() == ours.keys() and sorted(authors.values()) == sorted(ours.values()) else "other"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    print("%-40s %s" % ("folder, language", "programs with numbers: kept, order, holes, shared, spaces, other"))
    for folder in args.folders:
        counts = {False: collections.Counter(), True: collections.Counter()}
        with tempfile.TemporaryDirectory() as tmp:
            for (path, name, hlsl), sources in programs_of(folder).items():
                verdict = judge(sources, hlsl, tmp)
                counts[hlsl][verdict] += 1
                if verdict in ("other", "refused"):
                    print("    %s: %s" % (verdict, os.path.join(path, name)))
        for hlsl, count in counts.items():
            kinds = ["kept", "order", "holes", "shared", "spaces", "other"]
            if sum(count.values()):
                print("%-40s %d: %s (%s)" % (
                    "%s, %s" % (os.path.basename(os.path.normpath(folder)), "HLSL" if hlsl else "GLSL"),
                    sum(count[k] for k in kinds), ", ".join(str(count[k]) for k in kinds),
                    ", ".join("%d %s" % (n, k) for k, n in sorted(count.items()) if k not in kinds)))


if __name__ == "__main__":
    main()
