# SPDX-License-Identifier: Apache-2.0
"""The outputs of --layout-header and --layout-glsl, for the fixtures, or for the modules and programs of a folder.

All headers compile as C99 and as C++ without a warning, the tables agree with the layout JSON, and Vulkan creates
layouts, sets, templates and pipeline layouts from them, with the validation layer silent. The macros for GLSL compile.

    header.py --bind B --header VULKAN_HEADER --icd ICD [--every N] [--corpora DIR]
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
import fixtures  # noqa: E402
from running import give_up, read_text, run, write  # noqa: E402

OPEN_COUNT = 16  # count for unsized arrays
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-Wconversion", "-Wundef", "-fPIC", "-shared"]
STAGES = "vert tesc tese geom frag comp task mesh rgen rint rahit rchit rmiss rcall".split()


def fixture_programs(tmp, every):
    for i, (name, options, binary) in enumerate(fixtures.modules(tmp)):
        if i % every == 0:
            yield name, options, [binary]


def corpus_programs(folder, every):
    """Each module alone, and stages with the same name together."""
    modules = sorted(glob.glob(folder + "/**/*.spv", recursive=True))
    programs = {}
    for path in modules:
        stem, stage = re.match(r"(.*?)\.?([^./]*)\.spv$", path).groups()
        if stage in STAGES:
            programs.setdefault(stem, []).append(path)
    for i, paths in enumerate([[m] for m in modules] + [p for p in programs.values() if len(p) > 1]):
        if i % every == 0:
            yield " ".join(os.path.relpath(p, folder) for p in paths), ["--validate=none"], paths


def bind(args, tmp, programs):
    """[(name, prefix, header, layout)]; without a layout if it is refused."""
    bound, refused, split = [], 0, 0
    for name, options, paths in programs:
        prefix = "p%d" % len(bound)
        base = os.path.join(tmp, prefix)
        done = run(args.bind, "-q", *options, *paths, "--out-dir", os.path.join(tmp, "out"),
                   "--layout-json", base + ".json", "--layout-header", base + ".h",
                   "--layout-glsl", base + ".glsl", expect=None)
        if done.returncode:
            refused += 1
            continue
        header = read_text(base + ".h")
        if "--entry chooses" in header:
            split += 1
            continue
        bound.append((name, prefix, header, json.loads(read_text(base + ".json"))))
    print("%d programs, %d refused, %d with several descriptors at one place" % (len(bound), refused, split))
    return bound


def tables_source(bound):
    """C that includes all headers, and lists their tables."""
    out = ['#include <stddef.h>', '#include "tables.h"', "extern VkSampler samplers[SAMPLERS];",
           "extern const struct program_tables programs[];", "VkSampler samplers[SAMPLERS];"]
    programs = []
    for name, prefix, header, _ in bound:
        for macro in re.findall(r"^#ifndef (\w+_count)$", header, re.M):
            out.append("#define %s %du" % (macro, OPEN_COUNT))
        for macro in re.findall(r"^#ifndef (\w+_samplers)$", header, re.M):
            out.append("#define %s samplers" % macro)
        out += ['#define %s_tables' % prefix, '#include "%s.h"' % prefix]
        sets = re.findall(r"^static const VkDescriptorSetLayoutCreateInfo (\w+)_layout = ", header, re.M)
        rows = []
        for s in sets:
            entries = "NULL, 0"
            if " %s_entries[]" % s in header:
                entries = "%s_entries, sizeof %s_entries / sizeof %s_entries[0]" % (s, s, s)
            blocks = s + "_inline_uniform_blocks" if "#define %s_inline_uniform_blocks" % s in header else "0"
            rows.append("\t{%s, &%s_layout, %s_pool_sizes, sizeof %s_pool_sizes / sizeof %s_pool_sizes[0], %s, %s},"
                        % (s.rsplit("_", 1)[1], s, s, s, s, blocks, entries))
        if sets:
            out += ["static const struct set_tables %s_all[] = {" % prefix, *rows, "};"]
        ranges = prefix + "_push_constant_ranges"
        programs.append('\t{"%s: %s", %s, %s, %d, %s},' % (
            prefix, name, prefix + "_sets", prefix + "_all" if sets else "NULL", len(sets),
            "%s, sizeof %s / sizeof %s[0]" % (ranges, ranges, ranges) if ranges in header else "NULL, 0"))
    return "\n".join(out + ["const struct program_tables programs[] = {", *programs, "\t{NULL, 0, NULL, 0, NULL, 0},",
                            "};", ""])


def vulkan_numbers():
    """Values of enumerators, from Vulkan's header."""
    text = read_text("/usr/include/vulkan/vulkan_core.h")
    found = re.findall(r"^    (VK_\w+) = (-?\w+),?$", text, re.M)
    numbers = {n: int(v, 0) for n, v in found if not v.startswith("VK_")}
    aliases = dict(re.findall(r"^    (VK_\w+) = (VK_\w+),?$", text, re.M))
    return lambda name: numbers[aliases.get(name, name)]


def said_by_json(layout, number):
    """The expected output of vulkan_header for the tables, from the JSON."""
    lines = []
    for s in layout["sets"]:
        lines.append("set %d flags %d" % (s["set"], sum(number(f) for f in s.get("flags", []))))
        for b in s["bindings"]:
            lines.append("binding %d type %d count %d stages %d flags %d mutable%s" % (
                b["binding"], number(b["descriptorType"]), b["count"] or OPEN_COUNT,
                sum(number(x) for x in b["stages"]), sum(number(x) for x in b["flags"]),
                "".join(" %d" % number(t) for t in b.get("mutableTypes", []))))
    for r in layout["pushConstants"]:
        lines.append("push stages %d offset %d size %d" % (sum(number(x) for x in r["stages"]), r["offset"], r["size"]))
    return lines


def compare(bound, output):
    """Compares the tables with the JSON."""
    said, current = {}, None
    for line in output.splitlines():
        if line.startswith("program "):
            current = said.setdefault(line[len("program "):], [])
        elif line.startswith(("set ", "binding ", "push ")):
            current.append(line)
    number, wrong = vulkan_numbers(), []
    for name, prefix, _, layout in bound:
        expected = said_by_json(layout, number)
        # ranges of one stage each may be in another order, and blocks with one name several times
        tables = [x for x in said.get(prefix + ": " + name, []) if not x.startswith("push")]
        if tables != [x for x in expected if not x.startswith("push")]:
            wrong.append("%s\n  header: %s\n  JSON:   %s" % (name, tables, expected))
    return wrong


def compile_glsl(tmp, bound):
    """All macros in one shader that uses each of its numbers."""
    lines = ["#version 450", "#extension GL_GOOGLE_include_directive : require"]
    lines += ['#include "%s.glsl"' % prefix for _, prefix, _, _ in bound]
    lines.append("void main() { int sum = 0;")
    for _, prefix, _, _ in bound:
        text = read_text(os.path.join(tmp, prefix + ".glsl"))
        lines += ["sum += int(%su);" % m for m in re.findall(r"^#define (\w+_(?:set|binding|count|size)) ", text, re.M)]
    source = write(os.path.join(tmp, "macros.comp"), "\n".join(lines).replace("u);", ");") + "}\n")
    run("glslangValidator", "-V", "--quiet", "-I" + tmp, source, "-o", os.path.join(tmp, "macros.spv"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--header", required=True)
    parser.add_argument("--icd", required=True)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth program")
    parser.add_argument("--corpora", metavar="DIR", help="modules of this folder instead of the fixtures")
    args = parser.parse_args()
    if not os.path.exists(args.icd):
        give_up("no driver at '%s'" % args.icd)
    with tempfile.TemporaryDirectory() as tmp:
        programs = corpus_programs(args.corpora, args.every) if args.corpora else fixture_programs(tmp, args.every)
        bound = bind(args, tmp, programs)
        assert bound, "nothing was bound"
        source = write(os.path.join(tmp, "tables.c"), tables_source(bound))
        library = os.path.join(tmp, "tables.so")
        here = "-I" + os.path.dirname(os.path.abspath(__file__))
        run("gcc", "-std=c99", *WARNINGS, here, "-I" + tmp, source, "-o", library)
        run("g++", "-std=c++11", *WARNINGS, "-fsyntax-only", "-x", "c++", here, "-I" + tmp, source)
        compile_glsl(tmp, bound)
        done = subprocess.run([args.header, args.icd, library], stdout=subprocess.PIPE, universal_newlines=True)
        wrong = compare(bound, done.stdout)
        print("\n".join(wrong[:5]))
        print("\n".join(x for x in done.stdout.splitlines() if x.startswith(("REFUSED", "made")) or "VUID" in x))
        sys.exit(done.returncode or bool(wrong))


if __name__ == "__main__":
    main()
