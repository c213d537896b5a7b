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
import struct
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
        if "spirv-bind -e chooses" in header:
            split += 1
            continue
        bound.append((name, prefix, header, json.loads(read_text(base + ".json"))))
    print("%d programs, %d refused, %d with several descriptors at one place" % (len(bound), refused, split))
    return bound


# The members of struct program_tables, and what stands for none.
FIELDS = {"name": "NULL", "layout": "NULL", "set_layouts": "NULL", "templates": "NULL", "template_count": 0,
          "pool_sizes": "NULL", "pool_size_count": 0, "pool_sets": 0, "pool_flags": 0, "pool_inline_uniform_blocks": 0,
          "vertex_input": "NULL", "specialization": "NULL", "stages": "NULL", "stage_count": 0,
          "enable_features": "NULL"}


def as_row(values):
    return "\t{%s}," % ", ".join(str(values.get(field, none)) for field, none in FIELDS.items())


def check_offsets(prefix, header, layout):
    """Members of blocks with plain names are where the JSON says; the rest is held by the size of each struct."""
    blocks = [b for m in layout["modules"] for b in m["blocks"] + m.get("structs", [])]
    names = [b["name"] for b in blocks]
    lines = []
    for block in blocks:
        name = "%s_%s_data" % (prefix, block["name"])
        if names.count(block["name"]) != 1 or "struct %s {" % name not in header or block.get("pushConstants"):
            continue
        for member in block["members"]:
            body = header.partition("struct %s {" % name)[2].partition("}")[0]
            plain = re.fullmatch("[A-Za-z]\\w*", member["name"])
            if member["size"] and plain and re.search(r"\b%s(\[\d+\])*;" % member["name"], body):
                lines.append("typedef char %s_%s_at[offsetof(struct %s, %s) == %d ? 1 : -1];" % (
                    name, member["name"], name, member["name"], member["offset"]))
    return lines


def table_row(prefix, name, header):
    """A struct program_tables, and what it refers to."""
    out = []
    templates = re.findall(r"^static const VkDescriptorUpdateTemplateCreateInfo (\w+) = ", header, re.M)
    row = {"name": '"%s: %s"' % (prefix, name), "layout": "&%s_pipeline_layout" % prefix}
    if " %s_set_layouts[]" % prefix in header:
        row["set_layouts"] = prefix + "_set_layouts"
    if templates:
        out.append("static const VkDescriptorUpdateTemplateCreateInfo *const %s_templates[] = {%s};" % (
            prefix, ", ".join("&" + x for x in templates)))
        row.update(templates=prefix + "_templates", template_count=len(templates))
    if "#define %s_pool_sizes(n)" % prefix in header:
        out.append("static const VkDescriptorPoolSize %s_sizes[] = %s_pool_sizes(TIMES);" % (prefix, prefix))
        row.update(pool_sizes=prefix + "_sizes",
                   pool_size_count="sizeof %s_sizes / sizeof %s_sizes[0]" % (prefix, prefix),
                   pool_sets="%s_pool_sets(TIMES)" % prefix, pool_flags="%s_pool_flags" % prefix)
    if "#define %s_pool_inline_uniform_blocks(n)" % prefix in header:
        row["pool_inline_uniform_blocks"] = "%s_pool_inline_uniform_blocks(TIMES)" % prefix
    if " %s_vertex_input = " % prefix in header:
        row["vertex_input"] = "&%s_vertex_input" % prefix
    if " %s_specialization = " % prefix in header:
        row["specialization"] = "&%s_specialization" % prefix
    if " %s_stages[]" % prefix in header:
        row.update(stages=prefix + "_stages", stage_count="sizeof %s_stages / sizeof %s_stages[0]" % (prefix, prefix))
    if " *%s_enable_features(" % prefix in header:
        row["enable_features"] = prefix + "_enable_features"
    return out, as_row(row)


def tables_source(bound):
    """C that includes all headers, and lists their tables."""
    out = ['#include <stddef.h>', '#include "tables.h"', "extern VkSampler samplers[SAMPLERS];",
           "extern const struct program_tables programs[];", "VkSampler samplers[SAMPLERS];"]
    programs = []
    for name, prefix, header, layout in bound:
        for macro in re.findall(r"^#ifndef (\w+_count)$", header, re.M):
            out.append("#define %s %du" % (macro, OPEN_COUNT))
        for macro in re.findall(r"^#ifndef (\w+_samplers)$", header, re.M):
            out.append("#define %s samplers" % macro)
        out += ['#define %s_tables' % prefix, '#include "%s.h"' % prefix]
        out += check_offsets(prefix, header, layout)
        lines, row = table_row(prefix, name, header)
        out += lines
        programs.append(row)
    return "\n".join(out + ["const struct program_tables programs[] = {", *programs, as_row({}), "};", ""])


def vulkan_numbers():
    """Values of enumerators, from Vulkan's header."""
    text = read_text("/usr/include/vulkan/vulkan_core.h")
    found = re.findall(r"^    (VK_\w+) = (-?\w+),?$", text, re.M)
    numbers = {n: int(v, 0) for n, v in found if not v.startswith("VK_")}
    aliases = dict(re.findall(r"^    (VK_\w+) = (VK_\w+),?$", text, re.M))
    return lambda name: numbers[aliases.get(name, name)]


def constant_bytes(c):
    """The default of a specialization constant, as the host writes it."""
    value, size = c["default"], c["size"]
    if isinstance(value, str):
        value = int(value, 16)
    elif c["type"] == "float":
        return list(struct.pack({4: "<f", 8: "<d"}[size], value))
    return list((int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little"))


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
    modules = layout["modules"]
    lines.append("features %d" % len({f for m in modules for f in m["requires"]["vulkanFeatures"]}))
    lines += ["stage %d %s" % (number(e["stage"]), e["name"]) for m in modules for e in m["entryPoints"]]
    for m in modules:
        lines += ["input %d format %d" % (i["location"], number(i["format"])) for i in m.get("vertexInputs", [])]
    constants = {c["id"]: c for m in modules for c in m.get("specializationConstants", [])}
    for _, c in sorted(constants.items()):
        lines.append("constant %d size %d bytes %s" % (c["id"], c["size"], " ".join(map(str, constant_bytes(c)))))
    return lines


KINDS = ("set ", "binding ", "push ", "features ", "stage ", "input ", "constant ")


def compare(bound, output):
    """Compares the tables with the JSON."""
    said, current = {}, None
    for line in output.splitlines():
        if line.startswith("program "):
            current = said.setdefault(line[len("program "):], [])
        elif line.startswith(KINDS):
            current.append(line)
    number, wrong = vulkan_numbers(), []
    for name, prefix, _, layout in bound:
        expected = said_by_json(layout, number)
        tables = said.get(prefix + ": " + name, [])
        # ranges of one stage each may be in another order, and blocks with one name several times
        left_out = ["push"] + ["features"] * any(x.endswith("others") for x in tables)
        tables, expected = [[x for x in side if not x.startswith(tuple(left_out))] for side in (tables, expected)]
        if tables != expected:
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
