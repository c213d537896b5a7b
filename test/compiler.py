# SPDX-License-Identifier: Apache-2.0
"""Is the compiler inside test/in_process.c the one that users have? Both must write the same module, byte for byte.

    compiler.py [--every N]    with SPB_IN_PROCESS, as ctest sets it

Every Nth of the GLSL programs and of the shaders for Vulkan, the latter in each environment in turn, with and without
debug information. HLSL is left to glslangValidator, and little else may be.
"""
import argparse
import glob
import os
import sys
import tempfile

import fixtures
from running import FIXTURES, HERE, in_process, read, start, summary

sys.path.insert(0, os.path.join(HERE, "vulkan"))
import cases  # noqa: E402

ENVIRONMENTS = ["vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3"]


def sources():
    """(file, flags)"""
    for source, flags in fixtures.programs():
        if "-D" not in flags:
            yield os.path.join(FIXTURES, "glsl", source), flags
    shaders = sorted(glob.glob(os.path.join(HERE, "vulkan", "shaders", "*.comp")))
    for i, source in enumerate(shaders):
        yield source, ["--target-env", ENVIRONMENTS[1 + i % 3]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=8)
    args = parser.parse_args()
    assert os.environ.get("SPB_IN_PROCESS"), "which process?"
    passed = failed = left = 0
    with tempfile.TemporaryDirectory() as tmp:
        for source, flags in list(sources())[::args.every]:
            command = ["glslangValidator", "-V", "--quiet", "-I" + cases.includes(os.path.join(tmp, "include")),
                       *flags, source, "-o"]
            here, theirs = os.path.join(tmp, "here.spv"), os.path.join(tmp, "theirs.spv")
            start(command + [theirs], None, {"check": True})
            if in_process(command + [here], None, {}) is None:
                left += 1
            elif read(here) == read(theirs):
                passed += 1
            else:
                failed += 1
                print("FAILED: another module of %s %s" % (source, " ".join(flags)))
    print("%d left to glslangValidator" % left)
    summary(passed, failed + (left > passed // 4))


main()
