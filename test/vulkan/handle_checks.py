#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--instrument-handles, executed: the counters agree with the invalid handles that the invocations used.

    handle_checks.py --bind B --run vulkan_log --icd ICD

The heaps are full, so that nothing crashes; the table claims fewer descriptors."""
import json
import os
import re
import struct
import sys
import tempfile

import driver
from slang_repairs import SLANG, tell_layer

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GROUPS, LANES = 2, 64
SHADER = """#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "descriptor_handle.glsl"
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Numbers { uint n[]; };
DECLARE_BUFFER_HANDLE(Numbers)
layout(binding = 0) buffer Out { float o[]; };
layout(binding = 1) readonly buffer Handles { DescriptorHandle h[]; };
void main()
{
	uint lane = gl_LocalInvocationIndex;
	float sum = texelFetch(handle_texture2D(h[lane % 8u]), ivec2(0), 0).r;
	if (lane < 40u)
		sum += textureLod(sampler2D(handle_texture2D(h[8]), handle_sampler(h[9])), vec2(0.5), 0.0).r;
	sum += float(handle_Numbers(h[10 + lane / 32u]).n[0]);
	o[lane] = sum;
}
"""
# the same by arrays of the author, which are heaps because of --heap
ARRAYS = (SHADER.replace("GL_GOOGLE_include_directive", "GL_EXT_samplerless_texture_functions")
          .replace('#include "descriptor_handle.glsl"', "#extension GL_EXT_nonuniform_qualifier : require")
          .replace("#extension GL_EXT_buffer_reference : require", "#define DescriptorHandle uvec2")
          .replace("layout(buffer_reference, std430) buffer Numbers { uint n[]; };",
                   "layout(set = 1, binding = 7) buffer Numbers { uint n[]; } numbers[];")
          .replace("DECLARE_BUFFER_HANDLE(Numbers)", "layout(set = 1, binding = 2) uniform texture2D textures[]; "
                   "layout(set = 1, binding = 0) uniform sampler samplers[];"))
for function, array in (("texture2D", "textures"), ("sampler", "samplers"), ("Numbers", "numbers")):
    ARRAYS = re.sub(r"handle_%s\((h\[.*?\])\)" % function, array + r"[nonuniformEXT(\1.x)]", ARRAYS)
CHECKED = ["--heap-size=8", "--bounds-check=clamp"]
PLACES = ["--heap=texture=1.2", "--heap=sampler=1.0", "--heap=ssbo=1.7"]
# the same by Slang's own heaps; its modules have no lines
SLANG_SHADER = """RWStructuredBuffer<float> o;
StructuredBuffer<uint2> Handles;
[shader("compute")] [numthreads(64, 1, 1)] void main(uint3 id : SV_GroupThreadID)
{
	uint lane = id.x;
	float sum = nonuniform(Texture2D.Handle(Handles[lane % 8])).Load(int3(0)).x;
	if (lane < 40)
		sum += Texture2D.Handle(Handles[8]).SampleLevel(SamplerState.Handle(Handles[9]), float2(0.5), 0).x;
	o[lane] = sum + (*nonuniform(StructuredBuffer<uint>.Handle(Handles[10 + lane / 32])))[0];
}
"""
ANY, NONE = 0xFFFFFFFF, 0
SAMPLER, TEXTURE, SSBO = 0, 2, 7  # spb_heap_kind
# (number of descriptors, first entry) of each kind; the entries of four textures, a sampler, two buffers
KINDS = {TEXTURE: (4, 1), SAMPLER: (1, 5), SSBO: (2, 6)}
ENTRIES = [NONE, 5, NONE, ANY, 7, ANY, 2, 3]
TEXTURES = [(0, 5), (0, 6), (1, 9), (2, 123), (3, 7), (4, 1), (3, 8), (5, 1)]
HANDLES = TEXTURES + [(2, 2), (0, 77), (0, 2), (1, 9)]
# line, kind: faults of a workgroup, and the largest faulty index: which handles are wrong, and how many lanes use them
FETCH, SAMPLE, READ = (1 + SHADER[:SHADER.index(word)].count("\n")
                       for word in ("texelFetch", "textureLod", "float(handle"))
EXPECTED = [(FETCH, "texture", 5 * LANES // 8, 5),  # stale, none, beyond, stale, beyond
            (SAMPLE, "texture", 0, 0), (SAMPLE, "sampler", 0, 0),
            (READ, "ssbo", LANES // 2, 1)]  # one generation too new, in the second half
# A resolver that takes 20 bits checks generations itself, so those above do not count as faults.
RESOLVED = [(FETCH, "texture", 3 * LANES // 8, 5), (SAMPLE, "texture", 0, 0), (SAMPLE, "sampler", 0, 0),
            (READ, "ssbo", 0, 0)]


def table():
    kinds = [KINDS.get(k, (0, 0)) for k in range(9)]
    return struct.pack("<18I", *[n for pair in kinds for n in pair]) + struct.pack("<%dI" % len(ENTRIES), *ENTRIES)


def faults(args, folder, name, shader, *options):
    """[(line, kind, faults, largest index)]"""
    base = os.path.join(folder, name)
    source = base + (".slang" if shader == SLANG_SHADER else ".comp")
    for path, data in ((source, shader.encode()), (base + ".table", table()),
                       (base + ".handles", struct.pack("<%dI" % (2 * len(HANDLES)), *[n for h in HANDLES for n in h]))):
        with open(path, "wb") as f:
            f.write(data)
    if shader == SLANG_SHADER:
        driver.run("node", os.path.join(ROOT, "test", "vulkan", "uniformity", "slang.mjs"),
                   os.environ.get("SPB_SLANG", SLANG), source)
        os.rename(source + ".spv", base + ".spv")
    else:
        driver.run("glslangValidator", "-V", "-g", "--quiet", "--target-env", "vulkan1.2",
                   "-I" + os.path.join(ROOT, "include", "glsl"), source, "-o", base + ".spv")
    driver.run(args.bind, "-q", "--instrument-handles=2.1", *options, base + ".spv", "-o", base + ".out.spv",
        "--layout-json=" + base + ".json")
    tell_layer(base + ".out.spv")
    driver.run(args.run, args.icd, base + ".json", base + ".log", "--block", "spb_handle_faults_0",
        "--fill", "spb_handle_table", base + ".table", "--fill", "Handles", base + ".handles",
        input="%s.out.spv %d 1\n" % (base, GROUPS))
    with open(base + ".log", "rb") as f:
        words = f.read()
    with open(base + ".json") as f:
        sites = json.load(f)["modules"][0]["handleChecks"]["sites"]
    return [(s.get("line", 0), s["kind"]) + struct.unpack_from("<2I", words, s["offset"]) for s in sites]


def main():
    args = driver.parser().parse_args()
    packed = "--resolver=" + os.path.join(ROOT, "spirv-fixtures", "resolvers", "packed.glsl")
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, shader, options, expected in (
                ("plain", SHADER, [], EXPECTED), ("resolved", SHADER, [packed], RESOLVED),
                ("arrays", ARRAYS, PLACES, EXPECTED), ("arrays-resolved", ARRAYS, [packed, *PLACES], RESOLVED),
                ("slang", SLANG_SHADER, [*CHECKED, "--rebind=all,sets"], [(0, *e[1:]) for e in EXPECTED])):
            found = sorted(faults(args, folder, name, shader, *options))
            wanted = sorted((line, kind, GROUPS * count, worst) for line, kind, count, worst in expected)
            if found != wanted:
                wrong.append("%s: %s, not %s" % (name, found, wanted))
    print("\n".join(wrong) or "%d dereferences in %d workgroups" % (len(EXPECTED), GROUPS))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
