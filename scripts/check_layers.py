#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the rooms of src (its layers) depend on each other in one direction only, by includes and by calls.

ROOMS lists them from the bottom up, each with its public header. A file may include any header of its own room and the
public headers of rooms listed above it, and may call functions defined there. The command may use only what the headers
in include/spirv-bind declare, apart from the exceptions listed below.

    check_layers.py [ROOT]     report violations in the tree at ROOT (this one), exit 1 if there are any
    check_layers.py -v         also print every arrow between rooms with the number of functions behind it"""
import collections
import os
import re
import sys

PUBLIC = {
    "base": "base.h",
    "ir": "ir.h",
    "analysis/resources": "resources.h",
    "analysis/source": "source.h",
    "analysis/paths": "descriptor_paths.h",
    "analysis/uniformity": "uniformity.h",
    "analysis/layout": "layout.h",
    "analysis/workspace": "workspace.h",
    "pass": "pass.h",
    "pass/resolver": "resolver.h",
    "pass/handles": "handles.h",
    "pass/builtin": "builtin.h",
    "pass/shapes": "shapes.h",
    "pass/combined": "combined.h",
    "pass/nonuniform": "nonuniform.h",
    "pass/waterfall": "waterfall.h",
    "lib/report": "report.h",
    "lib/validation": "validation.h",
    "lib/header": "header.h",
    "lib/options": "option.h",
    "lib": "lib.h",
    "lib/plugin": None,
    "layer": "layer.h",
    "cli/os": "os.h",
    "cli/messages": "messages.h",
    "cli": "cli.h",
    "cli/verbs": "verbs.h",
    "cli/args": "args.h",
    "cli/jobs": "jobs.h",
    "cli/workspace": "manifest.h",
}
ROOMS = list(PUBLIC)
# Headers other than a room's public one that other rooms may include, each with its reason.
ALSO_PUBLIC = {
    "base/json.h": "the writer of JSON, inline: for the files of lib that write some",
    "base/lines.h": "the syntax of policies, locks and collected facts: for those who read some of them",
    "ir/ids.h": "the walk over ids, inline: for loops that look at every instruction",
    "ir/cfg.h": "the control flow graph: one room builds it, and its names stay out of all others",
    "pass/handles/heaps.h": "pass/builtin makes the same heaps, with the same names, capabilities and bounds checks",
    "analysis/layout/policy.h": "the library reads policies before there is anything to lay out",
    "analysis/layout/number.h": "a workspace numbers what its programs have in common by the same rules",
}
# Internal headers of the library that the command may include, each with its reason.
FOR_COMMAND = {
    "base/blake2.h": "the command's cache and the plug-in's key are the same hash",
    "lib/options/option.h": "it checks options against one another before there is a program",
    "lib/options/option_words.h": "misspelt verbs, options and codes are guessed as their values are",
    "lib/options/choices.inc": "its help describes the words that options take",
    "base/glob.h": "the names of programs in manifests and in share lines are matched alike",
}
# Siblings: neither may use the other.
STRANGERS = [("analysis/uniformity", "analysis/layout"), ("pass/shapes", "pass/resolver"),
             ("pass/shapes", "pass/nonuniform"),
             ("pass/combined", "pass/handles"), ("pass/combined", "pass/builtin"),
             ("pass/combined", "pass/resolver"), ("pass/combined", "pass/shapes"),
             ("pass/combined", "pass/nonuniform"),
             ("pass/shapes", "pass/waterfall"), ("pass/combined", "pass/waterfall"),
             *(("layer", room) for room in PUBLIC if room.startswith("cli"))]
# Calls that run against the list, each with its reason.
EXCEPTIONS = {
    "pass/pipeline.c": "runs every pass",
    "cli/main.c": "runs the command",
}
TOOLS = ("lib/validation/validate.c", "cli/assemble.c")  # which call SPIRV-Tools
MOST_FILES, MOST_LINES, MOST_LINES_OF_API = 24, 800, 1000
ROOTS = [a for a in sys.argv[1:] if not a.startswith("-")]
ROOT = ROOTS[0] if ROOTS else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SRC = os.path.join(ROOT, "src")
APIS = [os.path.join(ROOT, "include", "spirv-bind", name) for name in
        ("spirv_bind.h", "host.h", "workspace.h", "plugin.h")]


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


def is_command(room):
    """Rooms of the command use only the public headers of the library, and so does the Vulkan layer."""
    return room.split("/")[0] in ("cli", "layer")


def main():
    wrong, files = [], read_tree()
    room_of = {path: os.path.dirname(path) for path in files}
    for room in sorted(set(room_of.values()) - set(ROOMS)):
        wrong.append("src/%s is not a room that this script knows" % room)
    for room in ROOMS:
        count = sum(r == room for r in room_of.values())
        if not count:
            wrong.append("src/%s has no files" % room)
        if count > MOST_FILES:
            wrong.append("src/%s holds %d files; %d is the most" % (room, count, MOST_FILES))
    for name, count in collections.Counter(os.path.basename(path) for path in files).items():
        if count > 1:
            wrong.append("%s stands in %d rooms; file names are unique in the tree" % (name, count))

    for room, header in PUBLIC.items():
        if header and os.path.join(room, header) not in files:
            wrong.append("src/%s has no %s, its public header" % (room, header))
    for header in ALSO_PUBLIC:
        if header not in files:
            wrong.append("ALSO_PUBLIC names %s, which does not exist" % header)
    public = {os.path.join(room, header) for room, header in PUBLIC.items() if header} | set(ALSO_PUBLIC)
    api = set()
    for header in APIS:
        with open(header) as f:
            text = f.read()
        api |= set(re.findall(r"^SPB_API [^;(]*?\b(spb_\w+)\(", text, re.M))
        if text.count("\n") > MOST_LINES_OF_API:
            wrong.append("%s has more than %d lines" % (os.path.relpath(header, ROOT), MOST_LINES_OF_API))

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
                if include in FOR_COMMAND:
                    continue
                if (is_command(here) and not is_command(to)) or not allowed(path, to):
                    wrong.append("%s includes %s, which it may not know" % (place, include))
                elif include not in public:
                    wrong.append("%s includes %s, which is internal to its room" % (place, include))
            if include.startswith("spirv-tools/") and path not in TOOLS:
                wrong.append("%s includes %s; only %s may" % (place, include, ", ".join(TOOLS)))
            if include == "stdio.h" and not is_command(here):
                wrong.append("%s includes stdio.h; only the command may" % place)
            if include == "stdlib.h" and not is_command(here) and path != "lib/program.c":
                wrong.append("%s includes stdlib.h; memory comes from arenas" % place)
        if path.endswith(".c"):
            for name in set(re.findall(r"\b(spb_\w+)\s*\(", text)):
                to = room_of.get(defined.get(name, path), here)
                if to == here or re.search(r"static inline[^(;]*\b%s\(" % name, text):
                    continue
                arrows[here, to].add(name)
                if is_command(here) and defined[name].replace(".c", ".h") in FOR_COMMAND:
                    continue
                if name not in api if is_command(here) else not allowed(path, to):
                    wrong.append("%s calls %s of src/%s, which it may not know" % (place, name, defined[name]))
        if here == "base" and re.search(r"^spirv/|\bSpv[A-Z]", text):
            wrong.append("%s knows SPIR-V" % place)
        if path.endswith((".c", ".h")) and files[path].count("\n") > MOST_LINES:
            wrong.append("%s has more than %d lines" % (place, MOST_LINES))
    for name in sorted(api - set(defined)):
        wrong.append("%s is in the public header, but not defined" % name)
    if not defined or not arrows or not api:
        wrong.append("no calls were found: this check is broken")
    if "-v" in sys.argv:
        for (here, to), names in sorted(arrows.items()):
            print("%-22s -> %-22s %3d" % (here, to, len(names)))
    print("\n".join(wrong) or "%d files in %d rooms, %d arrows, all downward" % (len(files), len(ROOMS), len(arrows)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
