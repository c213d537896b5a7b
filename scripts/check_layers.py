#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the rooms of src depend on each other in one direction only, by includes and by calls.

ROOMS lists them bottom up. A file may include headers of its own room and of rooms above it in the list; it may call
functions defined there. INSIDE names headers that only their own room includes. The command sees the public header only.

    check_layers.py        report violations, exit 1 if there are any
    check_layers.py -v     also print every arrow between rooms with the number of functions behind it"""
import collections
import os
import re
import sys

ROOMS = ["base", "ir", "analysis/resources", "analysis/source", "analysis/uniformity", "analysis/layout", "pass",
         "pass/resolver", "pass/handles", "pass/shapes", "pass/combined", "pass/nonuniform", "lib", "cli"]
# Siblings: neither may know the other.
STRANGERS = [("analysis/uniformity", "analysis/layout"), ("pass/shapes", "pass/resolver"), ("pass/shapes", "pass/nonuniform"),
             ("pass/combined", "pass/handles"), ("pass/combined", "pass/resolver"), ("pass/combined", "pass/shapes"),
             ("pass/combined", "pass/nonuniform")]
# Calls that run against the list, each with its reason.
EXCEPTIONS = {
    "pass/pipeline.c": "runs every pass",
}
MOST_FILES, MOST_LINES = 24, 800
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SRC = os.path.join(ROOT, "src")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r'(?<!include )"(\\.|[^"\\\n])*"', '""', text)


def read_tree():
    files = {}
    for folder, _, names in os.walk(SRC):
        for name in names:
            if name.endswith((".c", ".h", ".inc")):
                path = os.path.join(folder, name)
                with open(path) as f:
                    files[os.path.relpath(path, SRC)] = f.read()
    return files


def main():
    wrong, files = [], read_tree()
    room_of = {path: os.path.dirname(path) for path in files}
    for room in sorted(set(room_of.values()) - set(ROOMS)):
        wrong.append("src/%s is no room that this script knows" % room)
    for room in ROOMS:
        count = sum(r == room for r in room_of.values())
        if not count:
            wrong.append("src/%s has no files" % room)
        if count > MOST_FILES:
            wrong.append("src/%s holds %d files; %d is the most" % (room, count, MOST_FILES))
    for name, count in collections.Counter(os.path.basename(path) for path in files).items():
        if count > 1:
            wrong.append("%s stands in %d rooms; file names are unique in the tree" % (name, count))

    arrows = collections.defaultdict(set)
    code = {path: without_comments(text) for path, text in files.items()}
    defined = {}
    for path, text in code.items():
        if path.endswith(".c"):
            for m in re.finditer(r"^(?!static)[a-zA-Z][\w \*]*?\b(spb_\w+)\s*\(([^;{]*?)\)\s*\n\{", text, re.M | re.S):
                defined.setdefault(m.group(1), path)

    def allowed(path, to):
        here = room_of[path]
        if here == to or path in EXCEPTIONS:
            return True
        if here not in ROOMS or to not in ROOMS or (here, to) in STRANGERS or (to, here) in STRANGERS:
            return False
        return ROOMS.index(to) < ROOMS.index(here)

    for path in sorted(files):
        text, here = code[path], room_of[path]
        place = "src/" + path
        for include in re.findall(r'#include [<"]([^>"]+)[>"]', files[path]):
            to = os.path.dirname(include)
            if include in files and to != here:
                if here == "cli" or not allowed(path, to):
                    wrong.append("%s includes %s, which it may not know" % (place, include))
            if include.startswith("spirv-tools/") and path not in ("lib/validate.c", "cli/resolvers.c"):
                wrong.append("%s includes %s; only lib/validate.c and cli/resolvers.c may" % (place, include))
            if include == "stdio.h" and here != "cli":
                wrong.append("%s includes stdio.h; only the command may" % place)
            if include == "stdlib.h" and here != "cli" and path != "lib/spirv_bind.c":
                wrong.append("%s includes stdlib.h; memory comes from arenas" % place)
        if path.endswith(".c"):
            for name in set(re.findall(r"\b(spb_\w+)\s*\(", text)):
                to = room_of.get(defined.get(name, path), here)
                if to == here or re.search(r"static inline[^(;]*\b%s\(" % name, text):
                    continue
                arrows[here, to].add(name)
                # The command calls the API, all of which lives in lib (and one list of names).
                if here != "cli" and not allowed(path, to):
                    wrong.append("%s calls %s of src/%s, which it may not know" % (place, name, defined[name]))
        if here == "base" and re.search(r"^spirv/|\bSpv[A-Z]", text):
            wrong.append("%s knows SPIR-V" % place)
        if path.endswith((".c", ".h")) and files[path].count("\n") > MOST_LINES:
            wrong.append("%s has more than %d lines" % (place, MOST_LINES))
    if not defined or not arrows:
        wrong.append("no calls were found: this check is broken")
    if "-v" in sys.argv:
        for (here, to), names in sorted(arrows.items()):
            print("%-22s -> %-22s %3d" % (here, to, len(names)))
    print("\n".join(wrong) or "%d files in %d rooms, %d arrows, all downward" % (len(files), len(ROOMS), len(arrows)))
    return 1 if wrong else 0


sys.exit(main())
