# SPDX-License-Identifier: Apache-2.0
"""Programs of a manifest share one VkDescriptorSet of set 0: all pipeline layouts are created, and all programs are
executed in one command buffer, with the validation layer. Each writes the values that it reads from set 0 and from its
own sets, and every value identifies its descriptor.

    shared.py --bind B --shared VULKAN_SHARED --icd ICD [--count N]
"""
import argparse
import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from running import glslang, read_text, run, write  # noqa: E402

SHARED = 10


def resource(k, where=""):
    """Declaration, expressions, and their values. Kinds alternate: block, buffer, array of blocks."""
    head = "layout(%sbinding = 65534) " % where
    if k % 3 == 0:
        return head + "uniform Block%d { uint v%d; };" % (k, k), ["v%d" % k], [1000 * k]
    if k % 3 == 1:
        return head + "readonly buffer Buffer%d { uint v%d; };" % (k, k), ["v%d" % k], [1000 * k]
    return (head + "uniform Array%d { uint v; } array%d[2];" % (k, k), ["array%d[%d].v" % (k, i) for i in (1, 0)],
            [1000 * k + 1, 1000 * k])


def stage(numbers, own, push, stage_name, out_set, rng):
    """The source of one stage, and its results."""
    parts = [resource(k) for k in numbers] + [resource(k, "set = %d, " % s) for k, s in own]
    rng.shuffle(parts)
    exprs = [(e, v) for _, es, vs in parts for e, v in zip(es, vs)]
    lines = ["#version 450"] + [declaration for declaration, _, _ in parts]
    if stage_name == "comp":
        lines.append("layout(local_size_x = 1) in;")
    if push:
        lines.append("layout(push_constant) uniform Push { uint more[%d]; };" % push)
    if stage_name == "frag":
        lines.append("layout(location = 0) out uvec4 color;")
    if stage_name != "vert":
        lines.append("layout(set = %d, binding = 65534) buffer Out { uint word[16]; };" % out_set)
    lines.append("void main() {")
    if stage_name == "vert":
        lines.append("gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);")
        # the position only depends on this if a wrong descriptor is read
        lines += ["if (%s != %du) gl_Position = vec4(5.0);" % pair for pair in exprs]
    else:
        exprs = exprs[:16]
        lines += ["word[%d] = %s%s;" % (i, e, " + more[%d]" % (push - 1) if push else "") for i, (e, _) in
                  enumerate(exprs)]
    if stage_name == "frag":
        lines.append("color = uvec4(1u);")
    return "\n".join(lines + ["}"]), [v for _, v in exprs]


def make(rng, count):
    """A manifest, and the expected output of each program."""
    lines, expected, programs = ["options --auto-binding=65534 --layout-json=%.json", "share set=0"], [], []
    pushes = [0, 0, 0, 2, 2, 5]
    for p in range(count):
        drawn = p % 4 == 3
        numbers = rng.sample(range(1, SHARED), rng.randrange(1, 5))
        own = [(SHARED + p * 4 + i, rng.choice((1, 1, 2))) for i in range(rng.randrange(4))]
        names, want = [], None
        for name in ("frag", "vert") if drawn else ("comp",):
            source, values = stage(numbers if name != "vert" else rng.sample(range(1, SHARED), 2),
                                   own if name != "vert" else [], pushes[p * len(pushes) // count], name,
                                   1 + (p % 2), rng)
            path = write("p%d.%s" % (p, name), source)
            names.append(glslang(path, path + ".spv", "-g"))
            want = want or values
        lines.append("program p%d: %s" % (p, " ".join(names)))
        programs.append(names)
        expected.append((want + [0] * 16)[:16])
    write("m", "\n".join(lines) + "\n")
    return programs, expected


def execute(args, programs, shared="shared.json", expect=0):
    command = []
    for p, names in enumerate(programs):
        command += ["--program", "out/p%d.json" % p, *("out/" + name for name in names)]
    return run(args.shared, args.icd, shared, *command, expect=expect).stdout


def words(said):
    """The output of each program."""
    return [list(map(int, line.split(": ")[1].split())) for line in said.splitlines() if line[0].isdigit()]


def check(args, rng):
    programs, expected = make(rng, args.count)
    run(args.bind, "-m", "m", "--out-dir=out", "--lock=l", "--update-lock", "--layout-json=shared.json")
    said = execute(args, programs)
    assert words(said) == expected, (said, expected)
    layouts = [json.loads(read_text("out/p%d.json" % p)) for p in range(len(programs))]
    own = {json.dumps([s for s in layout["sets"] if s["set"]], sort_keys=True) for layout in layouts}
    assert len(own) > len(programs) // 2, "the layouts are all the same"
    # faults are noticed: by the layer, if a shared layout lacks a stage; by the values, if two bindings are exchanged
    whole = json.loads(read_text("shared.json"))
    bindings = whole["sets"][0]["bindings"]
    assert len(bindings) > 4 and any(len(b["stages"]) > 1 for b in bindings), bindings
    for binding in bindings:
        binding["stages"] = [s for s in binding["stages"] if s != "VK_SHADER_STAGE_FRAGMENT_BIT"]
    write("spoiled.json", json.dumps(whole))
    said = execute(args, programs, "spoiled.json", expect=1)
    assert "VUID" in said, said
    whole = json.loads(read_text("shared.json"))
    one, other = [b for b in whole["sets"][0]["bindings"] if b["name"].startswith("Block")][:2]
    one["name"], other["name"] = other["name"], one["name"]
    write("spoiled.json", json.dumps(whole))
    assert words(execute(args, programs, "spoiled.json")) != expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--shared", required=True)
    parser.add_argument("--icd", required=True)
    parser.add_argument("--count", type=int, default=24)
    args = parser.parse_args()
    args.bind, args.shared = os.path.abspath(args.bind), os.path.abspath(args.shared)
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        check(args, random.Random(18))
        os.chdir("/")


if __name__ == "__main__":
    main()
