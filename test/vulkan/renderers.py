#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shaders of three kinds of renderers, and their conversion to handles.

    renderers.py --bind B --run vulkan_log --icd ICD

Each has a shader as in an engine, with indexed arrays of textures and buffers, and NAME.handles, the same with handles:
a clustered forward and a visibility buffer renderer, which are drawn, and a path tracer. Both get the same data and
have to give the same results, with handles also in loops, and in mutable heaps, if the driver supports them; with other
indices in the materials the results have to differ. The number of changed lines in docs/handles.md is checked here."""
import difflib
import os
import random
import struct
import sys
import tempfile

import driver

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHADERS = os.path.join(HERE, "renderers")
TRIANGLE = os.path.join(HERE, "frames", "triangle.vert")
RENDERERS = ["clustered.frag", "visibility.frag", "path.comp"]


def converted(name):
    return name.replace(".", ".handles.")


# data

def clustered(r, turn):
    materials = b"".join(struct.pack("<4I4f", *[(n + k + turn) & 7 for k in (0, 3, 5)], n % 3,
                                     *[r.uniform(0.5, 1.0) for _ in range(4)]) for n in range(8))
    lights = b"".join(struct.pack("<8f", r.uniform(0, 4), r.uniform(0, 2), r.uniform(0.5, 2), r.uniform(2, 5),
                                  *[r.uniform(0.2, 1) for _ in range(3)], 0) for _ in range(6))
    lists, heads = [], []
    for _ in range(4):
        chosen = r.sample(range(6), r.randrange(1, 5))
        heads += [8 + len(lists), len(chosen)]
        lists += chosen
    return {"Frame": struct.pack("<4f4II", 2, 1, 5, 0, 2, 1, 2, 0, 0), "Materials": materials, "Lights": lights,
            "Clusters": struct.pack("<%dI" % (8 + len(lists)), *heads, *lists)}


def visibility(r, turn):
    visible = struct.pack("<16I", *[x for lane in range(8) for x in ((lane * 3 + 1) & 7, r.randrange(8))])
    instances = b"".join(struct.pack("<4I4f", r.randrange(8), r.randrange(8), r.randrange(24), 0,
                                     r.uniform(-0.2, 0.2), r.uniform(-0.2, 0.2), 0, 0) for _ in range(8))
    materials = b"".join(struct.pack("<4I4f", (n + turn) & 7, (n * 3 + turn) & 7, n & 1, 0,
                                     *[r.uniform(0.5, 1.0) for _ in range(4)]) for n in range(8))
    return {"Visible": visible, "Instances": instances, "Materials": materials}


def path(r, turn):
    scene = struct.pack("<4f4I", 0, 0, -6, 0, 6, 5, (7 + turn) & 7, 0)
    for n in range(6):
        scene += struct.pack("<4f4I", r.uniform(-2, 2), r.uniform(-2, 2), r.uniform(0, 3), r.uniform(0.5, 1.5),
                             n, 0, 0, 0)
    materials = b"".join(struct.pack("<2I6f", (n + turn) & 7, (n * 5 + 2 + turn) & 7, n / 8, 0,
                                     *[r.uniform(0.3, 0.9) for _ in range(4)]) for n in range(8))
    return {"Scene": scene, "Materials": materials}


DATA = {"clustered.frag": clustered, "visibility.frag": visibility, "path.comp": path}
WORDS = {"clustered.frag": 32, "visibility.frag": 32, "path.comp": 24}


# a run

def compile_shader(source, out):
    driver.run("glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.2",
               "-I" + os.path.join(ROOT, "include", "glsl"), source, "-o", out)
    return out


def log_of(args, name, module, data, options, tmp):
    driver.run(args.bind, "-q", *options, module, "-o", tmp + "/out.spv", "--layout-json=" + tmp + "/out.json")
    fills = []
    for block, content in data.items():
        with open("%s/%s" % (tmp, block), "wb") as f:
            f.write(content)
        fills += ["--fill", block, "%s/%s" % (tmp, block)]
    drawn = ["--vertices", "3", tmp + "/triangle.spv"] if name.endswith(".frag") else []
    if os.path.exists(tmp + "/log"):
        os.remove(tmp + "/log")
    driver.run(args.run, args.icd, tmp + "/out.json", tmp + "/log", *fills, *drawn, input=tmp + "/out.spv 1 1\n")
    with open(tmp + "/log", "rb") as f:
        return struct.unpack_from("<%dI" % WORDS[name], f.read())


def near(one, other):
    """A driver may round differently in another shader."""
    return len(one) == len(other) and all(abs(a - b) <= 1 for a, b in zip(one, other))


def check(args, name, tmp):
    before = compile_shader(os.path.join(SHADERS, name), tmp + "/before.spv")
    after = compile_shader(os.path.join(SHADERS, converted(name)), tmp + "/after.spv")
    mutable = name == "clustered.frag" and "swiftshader" not in args.icd
    ways = [[], ["--waterfall"]] + [["--heap-model=mutable"]] * mutable
    seen = set()
    for seed in (1, 2):
        data = DATA[name](random.Random(seed), 0)
        wanted = log_of(args, name, before, data, [], tmp)
        seen.add(wanted)
        for options in ways if seed == 1 else [[]]:
            found = log_of(args, name, after, data, options, tmp)
            assert near(found, wanted), "%s %s: %s, with arrays %s" % (name, options, found, wanted)
    assert len(set(wanted)) > 8 and len(seen) == 2, "%s shows too little: %s" % (name, wanted)
    other = log_of(args, name, after, DATA[name](random.Random(2), 1), [], tmp)
    assert not near(other, wanted), "%s: other textures would not be seen" % name


# lines

def changed_lines(name):
    """(lines of the shader, those that the conversion removes, and those that it adds)"""
    text = [open(os.path.join(SHADERS, n)).read().splitlines() for n in (name, converted(name))]
    gone = added = 0
    for op, i, k, j, l in difflib.SequenceMatcher(None, *text, autojunk=False).get_opcodes():
        if op != "equal":
            gone, added = gone + k - i, added + l - j
    return len(text[0]), gone, added


def check_page():
    with open(os.path.join(ROOT, "docs", "handles.md")) as f:
        page = " ".join(f.read().split())
    lines, gone, added = (sum(n) for n in zip(*map(changed_lines, RENDERERS)))
    said = "%d of their %d lines become %d" % (gone, lines, added)
    assert said in page, "docs/handles.md does not say: " + said


def main():
    args = driver.parser().parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        compile_shader(TRIANGLE, tmp + "/triangle.spv")
        for what, test in [(n, lambda n=n: check(args, n, tmp)) for n in RENDERERS] + [("docs/handles.md", check_page)]:
            try:
                test()
                print("ok   %s" % what)
            except AssertionError as e:
                failed += 1
                print("FAIL %s" % e)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
