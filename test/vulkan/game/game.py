# SPDX-License-Identifier: Apache-2.0
"""A game in GLSL, Slang and HLSL: its programs are drawn with one VkDescriptorSet of heaps, the layer silent.

    game.py --bind B --run VULKAN_LOG --icd ICD [--slang FOLDER]

game.manifest shares heaps. All programs are drawn one after the other with the same sets, which are made from the
layout of the shared ones, and log the texels that their handles name.
"""
import glob
import json
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import driver  # noqa: E402
import running  # noqa: E402
from repairs import texture  # noqa: E402
from slang_repairs import SLANG, tell_layer  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
GLSL = os.path.join(HERE, "..", "..", "..", "include", "glsl")
PIXELS = range(8)
TEXTURES = [3, 6, 0, 5, 1, 7, 2, 4]  # of the materials
PROGRAMS = {  # the word that each pixel logs
    "world": [texture(TEXTURES[p]) + 1000 * texture(TEXTURES[7]) for p in PIXELS],
    "sky": [texture(TEXTURES[7 - p]) + 1000 for p in PIXELS],
    "post": [texture(TEXTURES[p ^ 3]) + 1000 for p in PIXELS],
}


STAGES = {"world": ("world.slang", "world.frag"), "sky": ("screen.vert", "sky.slang"),
          "post": ("screen.vert", "post.frag")}


def compile_all(args, tmp):
    for name in os.listdir(HERE):
        os.symlink(os.path.join(HERE, name), os.path.join(tmp, name))
    driver.run("node", os.path.join(HERE, "..", "uniformity", "slang.mjs"), args.slang, "world.slang", "sky.slang",
               cwd=tmp)
    driver.run("glslangValidator", "-D", "-V", "-g", "--quiet", "-S", "frag", "-e", "main", "--target-env", "vulkan1.2",
               "post.hlsl", "-o", "post.frag.spv", cwd=tmp)


def whole_layout(layouts, shared):
    """The layout of all programs: heaps as the workspace has them, with the types that the first program has there, and
    set 0, which is the same in all of them."""
    found = {}
    for layout in layouts:
        for s in layout["sets"]:
            for b in s["bindings"]:
                found.setdefault((s["set"], b["binding"]), b)
    sets = [{"set": s["set"], "bindings": [dict(found[s["set"], b["binding"]], views=[], **b) for b in s["bindings"]]}
            for s in shared["sets"]]
    assert len(sets) == 1, shared
    return dict(layouts[0], sets=[s for s in layouts[0]["sets"] if s["set"] == 0] + sets,
                modules=[m for layout in layouts for m in layout["modules"]])


def read(path):
    with open(path) as f:
        return json.load(f)


def draw(args, tmp):
    driver.run(args.bind, "-q", "-I" + GLSL, "-m", "game.manifest", "--out-dir=out/%", "--layout-json=game.json",
               cwd=tmp)
    layouts = [read("%s/out/%s/%s.json" % (tmp, p, p)) for p in PROGRAMS]
    with open(tmp + "/whole.json", "w") as f:
        json.dump(whole_layout(layouts, read(tmp + "/game.json")), f)
    with open(tmp + "/materials", "wb") as f:
        f.write(b"".join(struct.pack("<4I", n, 0, 0, 0) for n in TEXTURES))
    jobs = "".join("%s/out/%s/%s.spv 1 0 %s/out/%s/%s.spv\n" % (tmp, p, fragment, tmp, p, vertex)
                   for p, (vertex, fragment) in STAGES.items())
    for path in glob.glob(tmp + "/out/*/*.spv"):
        tell_layer(path)
    done = running.run(args.run, args.icd, tmp + "/whole.json", tmp + "/log", "--fill", "materials", tmp + "/materials",
                       input=jobs, expect=None)
    if done.returncode:
        sys.exit("exit %d\n%s" % (done.returncode, done.stdout + done.stderr))
    with open(tmp + "/log", "rb") as f:
        logged = f.read()
    size = len(logged) // len(PROGRAMS)
    return {p: list(struct.unpack_from("<%dI" % len(PIXELS), logged, i * size)) for i, p in enumerate(PROGRAMS)}


def main():
    parser = driver.parser()
    parser.add_argument("--slang", default=os.environ.get("SPB_SLANG", SLANG))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        compile_all(args, tmp)
        drawn = draw(args, tmp)
    if drawn != PROGRAMS:
        sys.exit("drawn are\n%s, expected\n%s" % (drawn, PROGRAMS))


if __name__ == "__main__":
    main()
