#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real programs are numbered in the order of their source. Modules of the corpora that contain their source text are
numbered in its order. Those of whole programs (SaschaWillems/Vulkan) carry none, so SPIRV-Cross writes GLSL for a
module, stock glslang compiles it with -g, and the order has to be that of this text.

    real_sources.py --bind build/release/spirv-bind [--corpora DIR] [--every 40]

--corpora DIR, or the environment's SPB_CORPORA: test/corpora.py.
"""
import argparse
import array
import json
import os
import re
import subprocess
import sys
import tempfile

import running
from corpora import Corpus, add_argument

STAGES = {0: "vert", 1: "tesc", 2: "tese", 3: "geom", 4: "frag", 5: "comp", 5267: "task", 5268: "mesh", 5313: "rgen",
          5314: "rint", 5315: "rahit", 5316: "rchit", 5317: "rmiss", 5318: "rcall", 5364: "task", 5365: "mesh"}
# The beginning of a declaration by SPIRV-Cross, the name last.
DECLARATION = re.compile(r"^(?:layout\([^)]*\) )?(?:(?:coherent|readonly|writeonly|restrict|volatile) )*"
                         r"(uniform|buffer) (?:\w+ )*?(\w+)(?:\[[^;]*)?(;?)$", re.M)


def instructions(path):
    words = array.array("I", running.read(path))
    if words[0] != 0x07230203:
        words.byteswap()
    at = 5
    while at < len(words):
        yield words[at] & 0xFFFF, words[at:at + (words[at] >> 16)]
        at += max(words[at] >> 16, 1)


def facts(path):
    """The stages of the entry points, and the text that the module carries."""
    stages, text, sets, strings = [], b"", set(), {}
    for op, words in instructions(path):
        if op == 15:
            stages.append(words[1])
        elif op == 11 and words[2:].tobytes().startswith(b"NonSemantic.Shader.DebugInfo"):
            sets.add(words[1])
        elif op == 7:
            strings[words[1]] = words[2:].tobytes().split(b"\0")[0]
        elif op == 3 and len(words) > 4:
            text += words[4:].tobytes().split(b"\0")[0]
        elif op == 2:
            text += words[1:].tobytes().split(b"\0")[0]
        elif op == 12 and words[3] in sets and words[4] in (35, 102) and len(words) > 5:
            text += strings.get(words[6 if words[4] == 35 and len(words) > 6 else 5], b"") if len(words) > 6 or \
                words[4] == 102 else b""
    return stages, text.decode(errors="replace")


def numbered(module):
    """The declared names, by set and binding."""
    done = running.bind("layout", "-q", "--rebind=all,sets", "--order=source-strict", "--layout-json",
                        "--allow-overlap", "--policy=option shared=apart", module, expect=None)
    if done.returncode:
        raise running.Failure("%s: %s" % (module, done.stderr))
    names = [b["name"] for s in json.loads(done.stdout)["sets"] for b in s["bindings"]]
    return [n.removeprefix("counter.var.").split(".")[0] for n in names]


def expect_order(path, names, order):
    if any(n not in order for n in names):
        raise running.Failure("%s: the text does not declare %s" % (path, [n for n in names if n not in order]))
    if sorted(names, key=order.get) != names:
        raise running.Failure("%s: declared %s\nnumbered %s" % (path, sorted(names, key=order.get), names))


def check_own_text(path, text):
    """Outside of comments, the first mention of a global is its declaration."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    names = numbered(path)
    expect_order(path, names, {n: m.start() for n in names if (m := re.search(r"\b%s\b" % re.escape(n), text))})


def declared(text):
    """Names in the order of a text that SPIRV-Cross has written, in which each declaration begins a line."""
    return [m[2] for m in DECLARATION.finditer(text) if "push_constant" not in m[0] and "shaderRecord" not in m[0]]


def check(path, stage, folder):
    """None: the tools cannot write or compile it. Otherwise whether the order is right."""
    source, module = os.path.join(folder, "text." + stage), os.path.join(folder, "text.spv")
    done = subprocess.run(["spirv-cross", "-V", "--version", "460", "--no-es", path, "--output", source],
                          capture_output=True, check=False)
    if done.returncode:
        return None
    newer = ["--target-env", "vulkan1.3"] if stage[0] == "r" or stage in ("mesh", "task") else []
    done = running.run("glslangValidator", "-V", "--quiet", "-g", *newer, source, "-o", module, expect=None)
    if done.returncode:
        return None
    names = numbered(module)
    expect_order(path, names, {name: i for i, name in reversed(list(enumerate(declared(running.read_text(source)))))})
    return len(names) > 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    add_argument(parser)
    parser.add_argument("--every", type=int, default=40)
    args = parser.parse_args()
    running.BIND = args.bind
    right = wrong = other = carrying = 0
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(args.corpora)
        modules = [corpus.path(name) for name in sorted(corpus.flags)]
        for i, path in enumerate(modules):
            stages, text = facts(path)
            try:
                if text:
                    carrying += 1
                    check_own_text(path, text)
                elif i % args.every == 0 and len(stages) == 1 and stages[0] in STAGES:
                    found = check(path, STAGES[stages[0]], folder)
                    right += bool(found)
                    other += not found
            except running.Failure as e:
                wrong += 1
                print(e)
    print("%d modules, %d of which carry a text; of every %dth without: %d right, %d with nothing to order or beyond "
          "SPIRV-Cross or glslang; %d wrong" % (len(modules), carrying, args.every, right, other, wrong))
    return 1 if wrong or not carrying or right < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
