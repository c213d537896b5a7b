#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The expectations of the proposals of llvm/wg-hlsl: 0030 (Vulkan resource binding), 0038 (resources in structs) and
0048 (local resources). Each row of conformance/proposals.tsv is a shader of our own for one of their examples or
patterns, as stock glslang compiles it with -g:

    id  options  declarations  body  published  ours  why

published and ours are places (A=0.3), registers (A=u0..3/1), both, what the shader accesses (reaches g0 g1), a warning
or an error with its code, or an error of the compiler (compiler). Where ours differs, or glslang cannot compile what is
published, why has the reason. In 0048, g0 to g2 are buffers, and arr is an array of four.

    proposals.py --bind B [--only WORD]
"""
import json
import os
import re

import running
from running import HERE, Failure, bind, glslang, write

HEADER = "id options declarations body published ours why".split()
HEAD = "[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) "


def rows():
    with open(os.path.join(HERE, "conformance", "proposals.tsv"), encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f]
    assert lines[0] == HEADER, lines[0]
    for line in lines[1:]:
        row = dict(zip(HEADER, line))
        assert len(line) == len(HEADER) and bool(row["ours"]) == bool(row["why"]), line
        yield row


def found(module, options):
    """Registers and places by name, and what is accessed."""
    layout = json.loads(bind("layout", "-q", *options, module, "--accesses", "--layout-json").stdout)
    places = {}
    for s in layout["sets"]:
        for b in s["bindings"]:
            first, last = b.get("range") or (b["binding"], b["binding"])
            until = "" if first == last else ".." if last is None else "..%d" % last
            places[b["name"]] = ("%d.%d" % (s["set"], b["binding"]),
                                 "%s%d%s%s" % (b["class"], first, until, "/%d" % s["set"] if s["set"] else ""))
    return places, {a["name"] for a in layout["accesses"]}


def check(row):
    """None: it is as wanted; else what it is."""
    wanted = row["ours"] or row["published"]
    source = write("example.hlsl", row["declarations"] + "\n" + HEAD + "{ " + row["body"] + " }\n")
    flags = ["-g", "-D", "-e", "main", "-S", "comp", "--target-env", "vulkan1.1"]
    if wanted == "compiler":
        done = running.run("glslangValidator", "-V", *flags, source, "-o", "example.spv", expect=None)
        return None if done.returncode else "glslang compiles it"
    module, options = glslang(source, "example.spv", *flags), row["options"].split()
    done = bind(*options, module, "-o", "bound.spv", expect=None)
    kind, _, code = wanted.partition(" ")
    if kind == "error":
        return None if done.returncode == 1 and code in done.stderr else "exit %d: %s" % (done.returncode, done.stderr)
    if done.returncode:
        return "exit %d: %s" % (done.returncode, done.stderr)
    running.run("spirv-val", "--target-env", "vulkan1.1", "bound.spv")
    places, reached = found(module, options)
    if kind == "warning":
        code, _, wanted = code.partition(" ")
        if code not in done.stderr or "warning" not in done.stderr:
            return "no warning: " + done.stderr
    elif "warning" in done.stderr or "error" in done.stderr:
        return done.stderr
    if wanted.startswith("reaches"):
        return None if reached == set(wanted.split()[1:]) else "reaches %s" % sorted(reached)
    wrong = {n: places.get(n) for n, at in (w.split("=") for w in wanted.split()) if at not in places.get(n, ())}
    return "is %s" % wrong if wrong else None


def test_each_row_is_as_published_or_as_the_reason_says():
    wrong, count = [], 0
    for row in rows():
        said = check(row)
        count += 1
        wrong += ["%s: %s" % (row["id"], said)] if said else []
    if wrong:
        raise Failure("\n".join(wrong))
    assert count > 80, count


def test_where_ours_differs_it_is_for_a_reason():
    """No row says that it differs, and has what is published."""
    for row in rows():
        assert row["ours"] != row["published"], row
        assert re.fullmatch(r"00(30|38|48) [\w ,./:]+", row["id"]), row["id"]


if __name__ == "__main__":
    running.main(globals())
