# SPDX-License-Identifier: Apache-2.0
"""examples/vulkan: built as its first comment says, it draws the right picture, and the validation layer is silent.

    example.py --bind B --icd ICD
"""
import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from running import ROOT, give_up, run, run_bytes  # noqa: E402

SIZE, GRADIENT, BRIGHTNESS, OFFSET = 64, 0.25, 0.5, 0.5
TINT, PATTERN = (1, 0.5, 0.25), (0.5, 1, 1)  # the second pattern, as draw.c clears it


def color(x, y):
    """draw.frag, of the second pattern."""
    gradient = (GRADIENT * ((x + 0.5) / SIZE + OFFSET), GRADIENT * (y + 0.5) / SIZE, 0)
    return [255 * (texel * tint * BRIGHTNESS + more) for texel, tint, more in zip(PATTERN, TINT, gradient)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--icd", required=True)
    args = parser.parse_args()
    if not os.path.exists(args.icd):
        give_up("no driver at '%s'" % args.icd)
    folder = os.path.join(ROOT, "examples", "vulkan")
    with tempfile.TemporaryDirectory() as tmp:
        run(args.bind, "-q", os.path.join(folder, "draw.vert"), os.path.join(folder, "draw.frag"), "--out-dir=" + tmp,
            "--words=c", "--layout-header=" + os.path.join(tmp, "draw.h"))
        program = os.path.join(tmp, "draw")
        run("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I" + tmp, os.path.join(folder, "draw.c"),
            "-o", program, "-lvulkan")
        done = run_bytes(program, env={**os.environ, "VK_ICD_FILENAMES": args.icd,
                                       "VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"})
    head = b"P6 %d %d 255\n" % (SIZE, SIZE)  # the layer would write before it
    assert done.stdout.startswith(head) and b"VUID" not in done.stderr, done
    picture = done.stdout[len(head):]
    assert len(picture) == 3 * SIZE * SIZE
    for y in range(SIZE):
        for x in range(SIZE):
            got = picture[3 * (y * SIZE + x):][:3]
            assert all(abs(a - b) < 1.01 for a, b in zip(got, color(x, y))), (x, y, list(got), color(x, y))


if __name__ == "__main__":
    main()
