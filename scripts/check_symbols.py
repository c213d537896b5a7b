#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the symbols that nm lists for the objects of a build: no object refers to a symbol of a higher room, no files
refer to one another in a circle, and each external symbol is used by another object or a public header.

    check_symbols.py BUILD

The rooms and their order are those of check_layers.py, which checks the source text and the includes."""
import os
import re
import subprocess
import sys

import check_layers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = ("spirv-bind-objects", "spirv-bind-layer", "spirv-bind-cli")
# Files that do refer to one another, each pair with its reason.
CIRCLES = {
    ("analysis/source/macros.c", "analysis/source/preprocess.c"):
        "a macro's arguments may contain directives, and conditions of directives contain macros",
    ("lib/options/numbered_names.c", "lib/options/option.c"):
        "spb_name names options, too, and what it names are words that options take",
}
# What no other object needs, each with its reason.
FOR_OTHERS = {
    "vkNegotiateLoaderLayerInterfaceVersion": "Vulkan's loader calls it",
    "spb_module_check": "debug builds check the module after each pass",
    "spb_begin_text": "test/source/driver.c reads texts that no module contains",
    "spb_read_text": "test/source/driver.c reads texts that no module contains",
}
# Symbols from SPIRV-Tools' header, which defines a constant.
FOREIGN = {"kDefaultMaxIdBound", "spb_kDefaultMaxIdBound"}


def read_objects(build):
    """-> {symbol: the source that defines it}, {source: symbols that it refers to}"""
    defined, wanted, sources = {}, {}, {}
    for target in TARGETS:
        top = os.path.join(build, "CMakeFiles", target + ".dir", "src")
        for folder, _, names in os.walk(top):
            for name in names:
                source = os.path.relpath(os.path.join(folder, name), top)[:-len(".o")]
                if name.endswith(".c.o") and os.path.exists(os.path.join(ROOT, "src", source)):  # not a stale one
                    sources[os.path.join(folder, name)] = source
    for source in sources.values():
        wanted[source] = set()
    done = subprocess.run(["nm", "-A", *sources], stdout=subprocess.PIPE, text=True, check=bool(sources))
    for line in done.stdout.splitlines():
        path, _, symbol = line.partition(":")
        kind, symbol = symbol.split()[-2:]
        if kind == "U":
            wanted[sources[path]].add(symbol)
        elif kind.isupper():
            defined[symbol] = sources[path]
    return defined, wanted


def may_know(here, to):
    """May a room refer to another?"""
    return check_layers.ROOMS.index(to) < check_layers.ROOMS.index(here)


def circles(defined, wanted):
    """-> lists of files, each of which refers to the others, if only by way of them"""
    refers = {source: {defined[symbol] for symbol in wanted[source] & set(defined)} - {source} for source in wanted}
    reached = {}
    for source in refers:
        seen, todo = set(), [source]
        while todo:
            new = refers.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        reached[source] = seen
    found = {tuple(sorted(to for to in reached[source] if source in reached.get(to, ())))
             for source in reached if source in reached[source]}
    return sorted(found)


def violations(defined, wanted, needed):
    wrong = ["src/%s refer to one another in a circle; what several need belongs below all of them" % ", ".join(circle)
             for circle in circles(defined, wanted) if circle not in CIRCLES]
    for source in sorted(wanted):
        here = os.path.dirname(source)
        for symbol in sorted(wanted[source] & set(defined)):
            to = os.path.dirname(defined[symbol])
            if to != here and source not in check_layers.EXCEPTIONS and not may_know(here, to):
                wrong.append("src/%s refers to %s of src/%s, which is above it" % (source, symbol, defined[symbol]))
    used = set().union(needed, *wanted.values())
    wrong += ["%s of src/%s is external, but no other file needs it" % (symbol, source)
              for symbol, source in sorted(defined.items()) if symbol not in used]
    return wrong


def words_elsewhere():
    """What the public headers declare, and what is external for a reason."""
    words = {"main"} | FOREIGN | set(FOR_OTHERS)
    for folder, _, names in os.walk(os.path.join(ROOT, "include/spirv-bind")):
        for name in names:
            with open(os.path.join(folder, name)) as f:
                words |= set(re.findall(r"\w+", f.read()))
    return words


def main():
    defined, wanted = read_objects(sys.argv[1])
    if len(wanted) < 100 or len(defined) < 1000:
        print("%s has the objects of %d sources only: build it" % (sys.argv[1], len(wanted)))
        return 1
    planted = violations({"low": "base/low.c", "high": "pass/high.c", "unused": "ir/unused.c"},
                         {"base/low.c": {"high"}, "pass/high.c": {"low"}}, {"main"})
    assert [line.split()[0] for line in planted] == ["src/base/low.c,", "src/base/low.c", "unused"], planted
    gone = set(CIRCLES) - set(circles(defined, wanted))
    assert not gone, "these are not circles any more: %s" % gone
    wrong = violations(defined, wanted, words_elsewhere())
    print("\n".join(wrong) or
          "%d symbols of %d objects, no reference upwards or in a circle" % (len(defined), len(wanted)))
    return 1 if wrong else 0


sys.exit(main())
