#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Findings of the lint have effects: a reported shader misbehaves on a driver, and the same shader without the fault,
which the lint accepts, does not.

    demands.py --bind B --run vulkan_log --icd ICD

  subgroup      a broadcast of the neighbour's value: both drivers give all invocations that of one
  barriers      some invocations return before a barrier: lavapipe ends the whole workgroup, and nothing is written;
                in SwiftShader the others wait for each other, as their author may have meant it
  derivatives   some invocations of a quad leave a loop early: on both drivers, the others take their derivatives
                against what those had in their last turn
"""
import os
import struct
import sys
import tempfile

import driver

HERE = os.path.dirname(os.path.abspath(__file__))
COMPUTE = """#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Log { uint o[64]; };
shared uint s[64];
void main()
{
	uint v = gl_LocalInvocationIndex;
%s
}
"""
FRAGMENT = """#version 460
layout(binding = 0) buffer Log { uint o[64]; };
layout(location = 0) out uvec4 target;
void main()
{
	uint v = uint(gl_FragCoord.x) + 4u * uint(gl_FragCoord.y), turns = (v & 1u) != 0u ? 4u : 1u;
	float sum = 0.0, d = 0.0;
%s
	o[v] = uint(d * 8.0);
	target = uvec4(1u);
}
"""
READ = """	uint from = %s;
	o[v] = %s(v, from);"""
NEIGHBOUR, ONE = "gl_SubgroupInvocationID ^ 1u", "subgroupBroadcastFirst(v & 3u) ^ 1u"
MEET = """	s[v] = v;
	barrier();
	%s
	uint got = s[v ^ 1u];
	barrier();
	s[v] = got + 100u;
	barrier();
	if (v / 8u != 1u)
		o[v] = s[v];"""
TURN = """	for (uint i = 0u; i < %s; i++) {
		sum += gl_FragCoord.x;
		float now = dFdx(sum);
		if (i < turns)
			d = now;
	}"""
MET = [0 if v // 8 == 1 else (v ^ 1) + 100 for v in range(64)]
TURNED = [8, 32] * 4  # of a target of 4 x 2 pixels

# stage, text, code of the finding, result on each driver; None: anything but the result of the next case
LAVAPIPE, SWIFTSHADER = 0, 1
CASES = (
    ("comp", READ % (NEIGHBOUR, "subgroupBroadcast"), "SPB5008", (None, None)),
    ("comp", READ % (NEIGHBOUR, "subgroupShuffle"), "", ([v ^ 1 for v in range(64)],) * 2),
    ("comp", READ % (ONE, "subgroupBroadcast"), "", ("subgroups",) * 2),
    ("comp", MEET % "if (v / 8u == 1u)\n\t\treturn;", "SPB5007", ([0] * 64, MET)),
    ("comp", MEET % "", "", (MET, MET)),
    ("frag", TURN % "turns", "SPB5014", (None, None)),
    ("frag", TURN % "4u", "", (TURNED, TURNED)),
)


def results(args, base, stage, text):
    """The findings, and the results."""
    source = "%s.%s" % (base, stage)
    with open(source, "w") as f:
        f.write((COMPUTE if stage == "comp" else FRAGMENT) % text)
    driver.run("glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.2", source, "-o", base + ".spv")
    said = driver.run(args.bind, "lint", base + ".spv", expect=(0, 3))
    driver.run(args.bind, "-q", base + ".spv", "-o", base + ".out.spv", "--layout-json=" + base + ".json")
    draw = [] if stage == "comp" else ["--vertices", "6", args.frame]
    driver.run(args.run, args.icd, base + ".json", base + ".log", *draw, input="%s.out.spv 1 1\n" % base)
    with open(base + ".log", "rb") as f:
        words = struct.unpack("<64I", f.read()[:256])
    return said, list(words[:64 if stage == "comp" else len(TURNED)])


def is_expected(got, wanted, right):
    """`right`: the result of a correct program."""
    if wanted == "subgroups":  # subgroups of 4 or 8 invocations: each reads the second of its own
        return any(got == [v // size * size + 1 for v in range(64)] for size in (4, 8))
    return got != right if wanted is None else got == wanted


def main():
    args = driver.parser().parse_args()
    column = SWIFTSHADER if "swiftshader" in args.icd else LAVAPIPE
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        args.frame = os.path.join(folder, "values.spv")
        driver.run("glslangValidator", "-V", "--quiet", os.path.join(HERE, "frames", "values.vert"), "-o", args.frame)
        for i, (stage, text, code, outcome) in enumerate(CASES):
            said, got = results(args, os.path.join(folder, str(i)), stage, text)
            right = CASES[i + 1][3][column] if code else None
            if (code not in said) if code else said:
                wrong.append("%s\nthe lint says %s" % (text, said))
            if not is_expected(got, outcome[column], right):
                wrong.append("%s\ngives %s" % (text, got))
    print("\n".join(wrong) or "%d cases" % len(CASES))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
