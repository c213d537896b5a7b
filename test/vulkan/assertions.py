#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--check-assertions=runtime, executed: after a dispatch, the counters agree with the invocations.

    assertions.py --bind B --run vulkan_log --icd ICD

Workgroups have 64 invocations. A counter is the number of invocations that executed an assertion while the value was
not uniform in their workgroup, or in their subgroup; the latter is compared with the shader's own count, by other
operations, since subgroup sizes depend on the driver."""
import json
import os
import struct
import sys
import tempfile

import driver

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GROUPS = 3
HEAD = """#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "assert_uniform.glsl"
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) buffer Shown { uint shown; };
layout(push_constant) uniform Push { uint same; };
layout(binding = 2) buffer Hidden { uint words[]; };
"""
# An assertion, and how many invocations must find it violated. None can be proven, since `hidden` reads memory that the
# shader writes. Subgroups are smaller than 32 invocations: SwiftShader's have 4, lavapipe's 4 or 8.
CASES = [
    ("assert_uniform_workgroup(hidden(5u));", 0),
    ("assert_uniform_subgroup(hidden(5u));", 0),
    ("assert_uniform_workgroup(lane);", 64 * GROUPS),
    ("assert_uniform_workgroup(lane / 32u);", 64 * GROUPS),  # each subgroup agrees, the workgroup does not
    ("assert_uniform_subgroup(lane / 32u);", 0),
    ("assert_uniform_subgroup(lane);", 64 * GROUPS),
    ("assert_uniform_subgroup(lane == 40u ? 1.0 : 2.0);", "subgroup of lane 40"),
    ("assert_uniform_workgroup(lane == 40u ? 1.0 : 2.0);", 64 * GROUPS),
    ("assert_uniform_workgroup(uvec2(hidden(1u), lane));", 64 * GROUPS),
    ("assert_uniform_workgroup(lane == hidden(64u));", 0),
    ("assert_uniform_workgroup(gl_WorkGroupID.x == 1u ? lane : 7u);", 64),
    ("if (lane < 32u) assert_uniform_subgroup(lane / 64u + hidden(0u));", 0),
    ("if (hidden(lane) == 3u) assert_uniform_subgroup(lane + hidden(0u));", 0),  # alone, it agrees with itself
    ("for (uint i = 0u; i < 4u; i++) assert_uniform_workgroup(i < 2u ? lane : i);", 2 * 64 * GROUPS),
]


def program(asserts):
    hidden = "uint hidden(uint x) { return words[1] - words[0] - 1u + x; }\n"  # run.h: word j is 1000 + j
    lines = ["void main()", "{", "uint lane = gl_LocalInvocationIndex;",
             "if (gl_NumWorkGroups.x == 1000u) words[0] = lane;"] + asserts
    size = "uvec4 with = subgroupBallot(lane == 40u); if (with != uvec4(0u)) atomicAdd(shown, 1u);"
    return HEAD + hidden + "\n".join(lines) + "\n" + size + "\no[lane] = hidden(1u);\n}\n"


def counters(args, folder, name, block, asserts):
    """The words of a block after the program has run."""
    base = os.path.join(folder, name)
    with open(base + ".comp", "w") as f:
        f.write(program(asserts))
    driver.run("glslangValidator", "-V", "-g", "--quiet", "--target-env", "vulkan1.2",
        "-I" + os.path.join(ROOT, "include", "glsl"), base + ".comp", "-o", base + ".spv")
    driver.run(args.bind, "-q", "--check-assertions=runtime", base + ".spv", "-o", base + ".out.spv",
        "--layout-json=" + base + ".json")
    driver.run(args.run, args.icd, base + ".json", base + "." + block, "--block", block,
        input="%s.out.spv %d 1\n" % (base, GROUPS))
    with open(base + "." + block, "rb") as f:
        data = f.read()
    with open(base + ".json") as f:
        lines = [a["line"] for a in json.load(f)["modules"][0].get("assertions", [])]
    return struct.unpack("<%dI" % (len(data) // 4), data), lines


def main():
    args = driver.parser().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asserts = [text for text, _ in CASES]
        words, lines = counters(args, folder, "all", "spb_assertions_0", asserts)
        shown, _ = counters(args, folder, "shown", "Shown", asserts)
    first = program(asserts).split("\n").index(CASES[0][0]) + 1
    wrong = [] if lines == list(range(first, first + len(CASES))) else ["lines %s" % lines]
    for (text, expected), found in zip(CASES, words):
        expected = shown[0] if isinstance(expected, str) else expected
        if found != expected:
            wrong.append("%s: %d, not %d" % (text, found, expected))
    if not 0 < shown[0] < 64 * GROUPS:
        wrong.append("the subgroups of lane 40 have %d invocations" % shown[0])
    print("\n".join(wrong) or "%d assertions in %d workgroups" % (len(CASES), GROUPS))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
