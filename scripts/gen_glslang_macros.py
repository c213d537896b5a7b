#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/analysis/source/predefined.inc: the macros that glslang defines before it reads a text. The candidates are
the names that occur in the program glslangValidator and its libraries; each is tried in each profile and stage.

    scripts/gen_glslang_macros.py            writes the file, keeping the names in it and adding new ones
    scripts/gen_glslang_macros.py --check    exit 1 if the installed glslang differs
"""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "src/analysis/source/predefined.inc")
STAGES = {"vert": "Vertex", "tesc": "TessellationControl", "tese": "TessellationEvaluation", "geom": "Geometry",
          "frag": "Fragment", "comp": "GLCompute", "rgen": "RayGenerationKHR", "rint": "IntersectionKHR",
          "rahit": "AnyHitKHR", "rchit": "ClosestHitKHR", "rmiss": "MissKHR", "rcall": "CallableKHR",
          "mesh": "MeshNV", "task": "TaskNV"}
PROFILES = {"ES": ["320 es"], "DESKTOP": ["460"],
            "COMPATIBILITY": ["450 compatibility"]}
HEAD = """/* SPDX-License-Identifier: Apache-2.0 */
/* Written by scripts/gen_glslang_macros.py. What glslang defines as 1 before it reads a text: the name, the profiles,
 * and the stage (ANY: all). */
"""


def candidates():
    """Possible macro names in the program and the libraries that it is linked with."""
    program = shutil.which("glslangValidator")
    if not program:
        sys.exit("gen_glslang_macros.py: glslangValidator is not installed")
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    files = [program] + re.findall(r"=> (\S*(?:glslang|SPIRV)\S*)", linked)
    names = set()
    for path in files:
        with open(path, "rb") as f:
            names.update(n.decode() for n in re.findall(rb"\bGL_[A-Za-z0-9_]+", f.read()))
    return names


def defined(version, stage, names):
    text = "#version %s\n" % version + "".join("#ifdef %s\nX%s %s\n#endif\n" % (n, n, n) for n in names)
    # in tests, the wrapper of test/kept_compiler.c
    program = os.path.join(os.environ.get("SPB_KEPT_COMPILERS", ""), "glslangValidator")
    run = subprocess.run([program, "-E", "--stdin", "-S", stage], input=text, capture_output=True,
                         text=True, check=False)
    found = re.findall(r"^XGL_\S+ .*$", run.stdout, re.M)
    if not found: # a stage that the profile lacks
        return None
    values = {line.split()[0][1:]: line.split()[1] for line in found}
    if set(values.values()) - {"1"}:
        sys.exit("gen_glslang_macros.py: not all are 1: %s" % values)
    return set(values)


def table():
    names = sorted(candidates())
    seen = {}
    for profile, versions in PROFILES.items():
        for version in versions:
            for stage in STAGES:
                found = defined(version, stage, names)
                if found is not None:
                    seen[profile, version, stage] = found
    rows = {}
    for name in names:
        where = [key for key, found in seen.items() if name in found]
        if not where:
            continue
        profiles = sorted({p for p, _, _ in where}, key=list(PROFILES).index)
        stages = {s for _, _, s in where}
        expected = {key for key in seen if key[0] in profiles and key[2] in stages}
        if expected != set(where) or (len(stages) > 1 and {k for k in seen if k[0] in profiles} != expected):
            sys.exit("gen_glslang_macros.py: %s has no simple rule: %s" % (name, where))
        stage = "SpvExecutionModel" + STAGES[stages.pop()] if len(stages) == 1 else "ANY"
        rows[name] = "{\"%s\", %s, %s}," % (name, " | ".join(profiles), stage)
    return rows


def main():
    rows = table()
    with open(TABLE, encoding="utf-8") if os.path.exists(TABLE) else open(os.devnull, encoding="utf-8") as f:
        old = {m[1]: m[0] for m in re.finditer(r"^\{\"(\w+)\".*\},$", f.read(), re.M)}
    wrong = sorted(n for n in rows if old.get(n) != rows[n])
    if "--check" in sys.argv:
        print("%d macros, %d of them wrong: %s" % (len(rows), len(wrong), " ".join(wrong)))
        return 1 if wrong or not rows else 0
    old.update(rows)
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write(HEAD + "/* clang-format off */\n" + "".join(old[n] + "\n" for n in sorted(old)) +
                "/* clang-format on */\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
