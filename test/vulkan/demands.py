#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""That what the lint finds has an effect: what rule `subgroup` reports comes out wrong on each driver, and what it
passes in silence comes out right.

    demands.py --bind B --run vulkan_log --icd ICD

Each invocation reads a value of its neighbour, by a shuffle and by a broadcast. Exit status 77: the driver is not
there.
"""
import argparse
import os
import struct
import subprocess
import sys
import tempfile

LANES = 64
SHADER = """#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Log { uint o[]; };
void main()
{
	uint v = gl_LocalInvocationIndex, from = %s;
	o[v] = subgroupBroadcast(v, from);
	o[64u + v] = subgroupShuffle(v, from);
}
"""
# the invocation to read from, what the lint finds, and whether a broadcast is a shuffle there
CASES = (("gl_SubgroupInvocationID ^ 1u", "SPB5008", False), ("subgroupBroadcastFirst(v & 3u) ^ 1u", "", True))


def run(*command, expect=(0,), **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, **more)
    if done.returncode not in expect:
        sys.exit("%s\n%s" % (" ".join(command), done.stdout))
    return done.stdout


def results(args, base, source):
    """What the lint says, and the results of the broadcast and of the shuffle."""
    with open(base + ".comp", "w") as f:
        f.write(SHADER % source)
    run("glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.2", base + ".comp", "-o", base + ".spv")
    said = run(args.bind, "--nonuniform=lint", base + ".spv", expect=(0, 1))
    run(args.bind, "-q", base + ".spv", "-o", base + ".out.spv", "--layout-json=" + base + ".json")
    run(args.run, args.icd, base + ".json", base + ".log", input="%s.out.spv 1 1\n" % base)
    with open(base + ".log", "rb") as f:
        words = struct.unpack("<%dI" % (2 * LANES), f.read()[:8 * LANES])
    return said, words[:LANES], words[LANES:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--icd", required=True)
    args = parser.parse_args()
    if not os.access(args.icd, os.R_OK):
        print("no driver %s: skipped" % args.icd)
        return 77
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for i, (source, code, right) in enumerate(CASES):
            said, broadcast, shuffle = results(args, os.path.join(folder, str(i)), source)
            if (code not in said) if code else said:
                wrong.append("%s: the lint says %s" % (source, said))
            if (broadcast == shuffle) != right:
                wrong.append("%s: a broadcast gives %s, a shuffle %s" % (source, broadcast, shuffle))
    print("\n".join(wrong) or "%d cases" % len(CASES))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
