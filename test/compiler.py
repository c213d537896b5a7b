# SPDX-License-Identifier: Apache-2.0
"""Is the compiler inside test/in_process.c the one that users have? Both must write the same module, byte for byte. And
does test/kept_compiler.c reproduce everything that a compiler writes and prints?

    compiler.py [--every N]    with SPB_IN_PROCESS, as ctest sets it

Every Nth of the GLSL programs and of the shaders for Vulkan, the latter in each environment in turn, with and without
debug information. HLSL is left to glslangValidator, and little else may be.
"""
import argparse
import glob
import itertools
import os
import shutil
import subprocess
import sys
import tempfile

import fixtures
import running
from running import FIXTURES, HERE, in_process, read, start, summary, write

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


FINE = "#version 460\n%s\nlayout(local_size_x = 1) in;\nvoid main() { %s }\n"
INCLUDES = FINE % ('#extension GL_GOOGLE_include_directive : require\n#include "part.glsl"', "part();")
# (name, source, texts of an included part.glsl, in turn; compilers)
KEPT = [("as it is", FINE % ("", ""), [None], ["glslangValidator", "glslc"]),
        ("not compiled", FINE % ("", "x = 1;"), [None], ["glslangValidator", "glslc"]),
        ("an include that changes, goes and comes back", INCLUDES,
         ["void part() {}", "void part() { barrier(); }", None, "void part() {}"], ["glslangValidator", "glslc"]),
        ("an include in a folder, which is the compiler's", INCLUDES.replace("part.glsl", "in/part.glsl"),
         ["void part() {}", "void part() { barrier(); }"], ["glslc"]),
        ("a word about #include", FINE % ("// needs #include", ""), [None], ["glslc"])]
COMPILERS = {"glslangValidator": ["-V", "--target-env", "vulkan1.2", "-S", "comp", "--depfile"],
             "glslc": ["--target-env=vulkan1.2", "-fshader-stage=comp", "-MD", "-MF"]}


def made_by(program, source, part, is_one, compiler):
    """(status, messages, on one stream or on two, module, depfile) of a compilation in a new folder"""
    with tempfile.TemporaryDirectory() as folder:
        path = {name: os.path.join(folder, name) for name in ("a.comp", "a.spv", "a.d", "part.glsl", "in/part.glsl")}
        os.mkdir(os.path.join(folder, "in"))
        write(path["a.comp"], source)
        for name in ("part.glsl", "in/part.glsl") if part else ():
            write(path[name], part)
        done = start([program, *COMPILERS[compiler], path["a.d"], "-g", "-I" + folder, "-o", path["a.spv"],
                      path["a.comp"]], None, {"stderr": subprocess.STDOUT} if is_one else {})
        files = [read(path[name]) if os.path.exists(path[name]) else None for name in ("a.spv", "a.d")]
        return [done.returncode] + [p and p.replace(os.path.basename(folder).encode(), b"FOLDER")
                                    for p in (done.stdout, done.stderr, *files)]


def kept_is_what_was_made():
    """(passed, failed): with an empty store, and again with the filled one; never the output for other texts"""
    passed, failed, theirs = 0, [], {}
    kept, store = os.environ["SPB_KEPT_COMPILERS"], tempfile.mkdtemp()
    real = {compiler: shutil.which(compiler, path=running.WITHOUT_KEPT) for compiler in COMPILERS}
    before = os.environ.get("SPB_COMPILED")
    os.environ["SPB_COMPILED"] = store
    for _, (name, source, parts, compilers) in itertools.product(range(2), KEPT):
        for compiler, part, is_one in itertools.product(compilers, parts, [False] + [True] * (name == "not compiled")):
            key = (source, part, is_one, compiler)
            if key not in theirs:
                theirs[key] = made_by(real[compiler], *key)
            here = made_by(os.path.join(kept, compiler), *key)
            passed += here == theirs[key]
            failed += [(compiler, name, here, theirs[key])] if here != theirs[key] else []
    text, words = (FINE % ("#define A 1", "")).encode(), ["-E", "--stdin", "-S", "comp"]
    theirs = start([real["glslangValidator"], *words], text, {}).stdout
    for _ in range(2):
        here = start([os.path.join(kept, "glslangValidator"), *words], text, {}).stdout
        passed += here == theirs
        failed += [("glslangValidator", "stdin", here, theirs)] if here != theirs else []
    count = len(os.listdir(store))  # of the rows 2, 4, 6, none and 1, and stdin
    failed += [("%d are kept, not 14" % count,)] if count != 14 else []
    shutil.rmtree(store)
    os.environ["SPB_COMPILED"] = before
    for what in failed:
        print("FAILED: kept_compiler gives another answer:", *what)
    return passed, len(failed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=24)
    args = parser.parse_args()
    assert os.environ.get("SPB_IN_PROCESS"), "which process?"
    passed, failed = kept_is_what_was_made()
    left = 0
    with tempfile.TemporaryDirectory() as tmp:
        for source, flags in list(sources())[::args.every]:
            command = ["glslangValidator", "-V", "--quiet", "-I" + cases.includes(os.path.join(tmp, "include")),
                       *flags, source, "-o"]
            here, theirs = os.path.join(tmp, "here.spv"), os.path.join(tmp, "theirs.spv")
            command[0] = shutil.which(command[0], path=running.WITHOUT_KEPT)
            start(command + [theirs], None, {"check": True})
            command[0] = "glslangValidator"
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
