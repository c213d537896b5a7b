# SPDX-License-Identifier: Apache-2.0
"""What the analysis says of each access in spirv-fixtures/uniformity, against what its line says.

    uniformity.py --bind B [--only WORD]

A line of a shader that accesses elements of an array ends with a comment of verdicts, one for each access in the order of
instructions: the scopes in which the index is the same, `group subgroup`, `group` or `subgroup`, else `divergent`, or `unknown`
where it may be the same; what follows a colon is why. In .spvasm the comment stands on the line of the OpAccessChain, after `;;`.
Every shader is looked at as the front end left it, and after optimisations that keep its lines.
"""
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import bind  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = sorted(path for path in glob.glob(os.path.join(ROOT, "spirv-fixtures", "uniformity", "*")) if ".expect." not in path)
OPTIMISED = [[], ["--eliminate-local-multi-store"], ["--inline-entry-points-exhaustive", "--scalar-replacement=100",
                                                     "--eliminate-local-multi-store", "--ccp"], ["--merge-return"]]


def verdicts(text):
    words, found = re.sub(r":.*", "", text).split(), []
    while words:
        assert words[0] in ("group", "subgroup", "divergent", "unknown"), text
        if words[:2] == ["group", "subgroup"]:
            found.append(frozenset(words[:2]))
            words = words[2:]
        else:
            found.append(frozenset(words[:1]) - {"divergent"})
            words = words[1:]
    return found


def wanted(path):
    """line, or place in the order of chains -> verdicts"""
    mark = ";;" if path.endswith(".spvasm") else "//"
    lines = {}
    with open(path) as f:
        for number, line in enumerate(f, 1):
            found = re.search(re.escape(mark) + r" ((group|subgroup|divergent|unknown)\b.*)", line)
            if found:
                lines[number] = verdicts(found[1])
    if mark == ";;":
        return dict(enumerate(v for v in lines.values()))
    return lines


def said(module, *options):
    """As wanted(), of all accesses by an index that is no constant."""
    j = json.loads(bind("-q", "--auto-binding=65534", "--explain", "--dry-run", "--layout-json=-", *options, module).stdout)
    lines, chains = {}, {}
    for a in j["accesses"]:
        if a["index"] is not None or "indexId" not in a:
            continue
        assert a["nonUniform"] == ("group" not in a["uniform"]), a
        verdict = frozenset(a["uniform"]) or (frozenset() if a["certain"] else frozenset(["unknown"]))
        assert a["why"] or verdict, a
        lines.setdefault(a.get("line"), []).append(verdict)
        chains[len(chains)] = [verdict]
    return chains if module.endswith(".asm.spv") else lines


def compile(path):
    if path.endswith(".spvasm"):
        subprocess.run(["spirv-as", "--preserve-numeric-ids", "--target-env", "spv1.4", path, "-o", "m.asm.spv"], check=True)
        return "m.asm.spv"
    done = subprocess.run(["glslangValidator", "-V", "-g", "--quiet", "--target-env", "vulkan1.3", "-I" + os.path.join(ROOT, "include", "glsl"),
                           path, "-o", "m.spv"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    return "m.spv"


def check(path):
    module, want = compile(path), wanted(path)
    assert want, path + " says nothing"
    got = said(module)
    for place in sorted(set(want) | set(got), key=lambda x: x or 0):
        assert want.get(place) == got.get(place), "%s:%s: %s, not %s" % (
            os.path.basename(path), place, [sorted(v) for v in got.get(place, [])], [sorted(v) for v in want.get(place, [])])
    return module, want


def check_optimised(path):
    """Inlining tells callers apart, and dead stores go: nothing may become less uniform, and what differs still does."""
    module, want = check(path)
    if path.endswith(".spvasm") or "handles" in path:
        return
    for passes in OPTIMISED[1:]:
        done = subprocess.run(["spirv-opt", "--target-env=vulkan1.3", *passes, module, "-o", "o.spv"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        for line, got in said("o.spv").items():
            if line in want and "--inline-entry-points-exhaustive" not in passes:
                assert set(got) == set(want[line]), "%s:%s after %s: %s, not %s" % (os.path.basename(path), line, passes, got, want[line])


for fixture in FIXTURES:
    name = re.sub(r"\W", "_", os.path.basename(fixture))
    globals()["test_" + name] = lambda path=fixture: check_optimised(path)


if __name__ == "__main__":
    running.main(globals())
