# SPDX-License-Identifier: Apache-2.0
"""Vulkan creates every layout of the layout tables, the fixtures and the GLSL programs, with the validation layer; for
compute shaders the pipeline, too. A deliberately wrong layout must be refused.

    accept.py --bind B --accept VULKAN_ACCEPT --icd ICD
"""
import argparse
import glob
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
import fixtures  # noqa: E402
from running import HERE, glslang, read_text, run, write  # noqa: E402


def table_layouts(args, tmp):
    """The layouts of layout_rules.py: x.json with x.0.spv, x.1.spv ..."""
    keep = os.path.join(tmp, "tables")
    run(sys.executable, os.path.join(HERE, "layout_rules.py"), "--bind", args.bind, "--keep", keep)
    for layout in sorted(glob.glob(keep + "/*.json")):
        modules = sorted(glob.glob(layout[:-5] + ".*.spv"))
        yield layout + (":" + modules[0] if len(modules) == 1 else "")


def fixture_layouts(args, tmp):
    for i, (name, options, binary) in enumerate(fixtures.modules(tmp)):
        layout, out = "%s.%d.json" % (binary[:-4], i), "%s.%d.bound.spv" % (binary[:-4], i)
        run(args.bind, "-q", *options, binary, "-o", out, "--layout-json", layout)
        # some fixtures are less than a pipeline; these are complete, except for NonUniform on a parameter, of which
        # Mesa complains, and for an exported function, which Vulkan does not have
        whole = name.startswith(("glsl/", "decorate-nonuniform/", "resolve-descriptors/", "waterfall/")) and not any(
            odd in name for odd in ("parameter-kept", "pointer-unknown"))
        yield layout + (":" + out if whole else "")


def must_be_refused(args, tmp):
    """A storage image where the shader has a texture; a missing binding."""
    source = write(os.path.join(tmp, "wrong.comp"),
                   "#version 450\nlayout(binding = 0) uniform sampler2D t;\nlayout(binding = 1) buffer B { vec4 x; };\n"
                "void main() { x = textureLod(t, vec2(0), 0); }\n")
    glslang(source, tmp + "/wrong.spv", "--target-env", "vulkan1.2")
    run(args.bind, tmp + "/wrong.spv", "-o", tmp + "/wrong.out.spv", "--layout-json", tmp + "/right.json")
    right = read_text(tmp + "/right.json")
    one = json.loads(right)
    one["sets"][0]["bindings"][0]["descriptorType"] = "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE"
    two = json.loads(right)
    two["sets"][0]["bindings"].pop()
    for name, layout in (("type", one), ("missing", two)):
        path = write(os.path.join(tmp, "wrong-%s.json" % name), json.dumps(layout))
        done = run(args.accept, args.icd, path + ":" + tmp + "/wrong.out.spv", expect=None)
        if done.returncode != 1 or "VUID" not in done.stdout:
            print("a wrong layout (%s) was accepted\n%s" % (name, done.stdout))
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--accept", required=True)
    parser.add_argument("--icd", required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        layouts = list(table_layouts(args, tmp)) + list(fixture_layouts(args, tmp))
        done = run(args.accept, args.icd, *layouts, expect=None)
        print(done.stdout.strip()[-3000:])
        sys.exit(done.returncode if done.returncode else not must_be_refused(args, tmp))


if __name__ == "__main__":
    main()
