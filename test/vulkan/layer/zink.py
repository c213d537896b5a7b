# SPDX-License-Identifier: Apache-2.0
"""A translator that marks nothing: under zink on lavapipe, the layer finds each descriptor that is selected by
invocation, whether a sampler, a bindless handle or a buffer (zink.c), the command finds the same in the record, and
what it writes is marked.

    zink.py --bind B, with SPB_LAYER (the folder of its manifest), SPB_APPLICATION and VK_ICD_FILENAMES"""
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
import running  # noqa: E402
from running import ROOT, bind, read_text, run, write  # noqa: E402

NAMES = ["samplers", "handles", "buffers"]


def program(**more):
    root = run(os.path.join(ROOT, "scripts", "zink_root.sh")).stdout.strip()
    libraries = os.path.dirname(glob.glob(root + "/usr/lib/*/libEGL_mesa.so.0")[0])
    write("egl.json", json.dumps({"file_format_version": "1.0.0",
                                  "ICD": {"library_path": libraries + "/libEGL_mesa.so.0"}}))
    done = run(os.environ["SPB_APPLICATION"], env={
        **os.environ, "LD_LIBRARY_PATH": libraries, "__EGL_VENDOR_LIBRARY_FILENAMES": os.path.abspath("egl.json"),
        "GALLIUM_DRIVER": "zink", "LIBGL_ALWAYS_SOFTWARE": "1", "NODEVICE_SELECT": "1",
        "MESA_SHADER_CACHE_DISABLE": "true", **more})
    assert done.stdout.startswith("zink Vulkan"), done.stdout
    return done, dict(re.findall(r"(?m)^(\w+): (.*)$", done.stdout))


def test_each_is_found():
    without, right = program()
    assert sorted(right) == sorted(NAMES) and right["samplers"] != "32 of 32 are right", right
    done, values = program(VK_INSTANCE_LAYERS="VK_LAYER_SPIRV_BIND", VK_LAYER_PATH=os.environ["SPB_LAYER"],
                           VK_SPIRV_BIND_RECORD="record", VK_SPIRV_BIND_FORMAT="json",
                           VK_SPIRV_BIND_REPORT="report.json")
    assert values == right and done.stderr == without.stderr, (values, right, done.stderr)
    told = [json.loads(line) for line in read_text("report.json").splitlines()]
    assert [m["code"] for m in told] == ["SPB5001"] * 3 and len({m["module"] for m in told}) == 3, told
    bind("lint", "-m", "record/programs.manifest", "--diagnostics=json:again.json", expect=3)
    again = [json.loads(line) for line in read_text("again.json").splitlines()]
    assert sorted(m["fingerprint"] for m in again) == sorted(m["fingerprint"] for m in told), again
    bind("-m", "record/programs.manifest", "--out-dir=marked", "--uniform-buffer-standard-layout")  # zink enables it
    marked = glob.glob("marked/**/*.spv", recursive=True)
    assert len(marked) == 3
    for module in marked:
        bind("lint", module)


if __name__ == "__main__":
    running.main(globals())
