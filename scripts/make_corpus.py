#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a corpus from your own modules for the tests of real modules.

    scripts/make_corpus.py FOLDER OUT [--validator VAL] [--every N] [--compile "COMPILER OPTIONS" | --embedded]
    test/corpora.py --corpora OUT --bind B --all

Every .spv below FOLDER is copied to OUT once, and listed in OUT/modules.tsv with the verdict of VAL (spirv-val; a newer
one may be a whole command, such as "ROOT/run-here spirv-val"): under the oldest Vulkan environment that accepts its
version of SPIR-V, and with the fewest layout flags that it needs. With -DSPB_CORPORA=OUT, CMake adds the tests that
read a corpus; run by hand, they take --corpora OUT or the environment variable SPB_CORPORA. Modules named
NAME.vert.spv, NAME.frag.spv and so on are also tested as one program.

With --compile, shaders are compiled first, by "COMPILER OPTIONS SOURCE -o MODULE": NAME.vert, NAME.frag and so on, and
the stages in a NAME.shader_test of Piglit. Shaders that do not compile are left out. Most OpenGL shaders are accepted
by

    --compile "glslangValidator -V -R --aml --amb --quiet --target-env vulkan1.3"

With --embedded, modules are searched for inside all files, such as the programs and libraries of a package unpacked by
dpkg-deb -x: many contain their shaders as arrays of words.

The refusals that those tests expect by name are for the corpus of CI, so with another corpus they report each refusal
as a failure, for you to judge."""
import argparse
import collections
import hashlib
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test"))
from corpora import LAYOUT_FLAGS  # noqa: E402

STAGES = {"vertex": "vert", "tessellation control": "tesc", "tessellation evaluation": "tese", "geometry": "geom",
          "fragment": "frag", "compute": "comp"}
SOURCE = re.compile(r"\.(vert|tesc|tese|geom|frag|comp|mesh|task|rgen|rahit|rchit|rmiss|rint|rcall)$")
SECTION = re.compile(r"^\[(.*)\][^\n]*\n", re.M)
MAGIC, OP_FUNCTION_END = b"\x03\x02\x23\x07", 56
ENVIRONMENT = {0: "vulkan1.0", 3: "vulkan1.1", 4: "vulkan1.1spv1.4", 5: "vulkan1.2", 6: "vulkan1.3"}


def environment(words):
    """The oldest environment that accepts the version in the header, in either byte order; None: not SPIR-V."""
    order = {b"\x03\x02\x23\x07": "little", b"\x07\x23\x02\x03": "big"}.get(words[:4])
    if not order:
        return None
    minor = int.from_bytes(words[4:8], order) >> 8 & 0xFF
    return next((name for least, name in ENVIRONMENT.items() if minor <= least), "vulkan1.4")


def judge(validator, path, env):
    """(verdict, flags or message)"""
    first = ""
    for name, flags in LAYOUT_FLAGS.items():
        done = subprocess.run([*validator, "--target-env", env, *flags, path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        if not done.returncode:
            return "valid", name
        first = first or " ".join(done.stdout.split())[:160]
    return "invalid", first


def sources(path):
    """(name, text, or None if the file itself is the shader) of each shader in a file."""
    if SOURCE.search(path):
        yield path, None
    elif path.endswith(".shader_test"):
        with open(path, encoding="utf-8", errors="replace") as f:
            parts = SECTION.split(f.read())
        for title, text in zip(parts[1::2], parts[2::2]):
            stage = STAGES.get(title[:-len(" shader")]) if title.endswith(" shader") else None
            if stage:
                yield "%s.%s" % (path[:-len(".shader_test")], stage), text.lstrip()


def compile_all(folder, compiler, every, out):
    """Compiles the shaders below a folder to modules below another."""
    def work(path):
        for name, text in sources(path):
            module = os.path.join(out, os.path.relpath(name, folder))
            os.makedirs(os.path.dirname(module), exist_ok=True)
            if text is not None:
                name = module
                with open(name, "w", encoding="utf-8") as f:
                    f.write(text)
            subprocess.run([*compiler, name, "-o", module + ".spv"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)

    paths = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(work, [path for path in paths if SOURCE.search(path) or path.endswith(".shader_test")][::every]))


def embedded(data):
    """The modules inside a file: from a header to the last OpFunctionEnd that whole instructions lead to."""
    at = data.find(MAGIC)
    while at >= 0:
        end, here = 0, at + 20
        if here < len(data):
            version, _, bound, schema = struct.unpack_from("<4I", data, at + 4)
            if version >> 16 == 1 and not version & 0xFF and not schema and 0 < bound <= 4194304:
                while here + 4 <= len(data):
                    word, = struct.unpack_from("<I", data, here)
                    here += 4 * (word >> 16)
                    if not word >> 16 or word & 0xFFFF > 8191 or here > len(data):
                        break
                    if word & 0xFFFF == OP_FUNCTION_END:
                        end = here
        if end:
            yield data[at:end]
        at = data.find(MAGIC, max(end, at + 4))


def extract_all(folder, out):
    """Copies the modules inside the files below a folder to files below another."""
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            with open(path, "rb") as f:
                data = f.read()
            for i, words in enumerate(embedded(data)):
                module = os.path.join(out, "%s-%d.spv" % (os.path.relpath(path, folder), i))
                os.makedirs(os.path.dirname(module), exist_ok=True)
                with open(module, "wb") as f:
                    f.write(words)


def find(folder, every=1):
    """(name in the corpus, path, environment, hash) of each module, once."""
    seen, found = set(), []
    for at, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = os.path.join(at, name)
            if not name.endswith(".spv") or not os.path.isfile(path):
                continue
            with open(path, "rb") as f:
                words = f.read()
            key, env = hashlib.sha1(words).hexdigest()[:16], environment(words)
            if env and key not in seen:
                seen.add(key)
                found.append((os.path.relpath(path, folder), path, env, key))
    return found[::every]


def make(args, found):
    if not found:
        sys.exit("no SPIR-V below " + args.folder)
    os.makedirs(args.out, exist_ok=True)
    validator, tally = shlex.split(args.validator), collections.Counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(lambda module: judge(validator, module[1], module[2]), found))
    with open(os.path.join(args.out, "modules.tsv"), "w") as tsv:
        tsv.write("module\tverdict\tenv\tflags or message\tsha1\n")
        for (name, path, env, key), (verdict, more) in zip(found, verdicts):
            tsv.write("\t".join((name, verdict, env, more, key)) + "\n")
            os.makedirs(os.path.dirname(os.path.join(args.out, name)), exist_ok=True)
            shutil.copyfile(path, os.path.join(args.out, name))
            tally[verdict, more if verdict == "valid" else ""] += 1
    for (verdict, flags), count in sorted(tally.items(), reverse=True):
        print("%d %s%s" % (count, verdict, ", with the layout flags called %s" % flags if flags else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--validator", default="spirv-val")
    parser.add_argument("--every", type=int, default=1, help="of the modules, or of the files with shaders")
    parser.add_argument("--compile")
    parser.add_argument("--embedded", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if args.compile:
            compile_all(args.folder, shlex.split(args.compile), args.every, scratch)
            make(args, find(scratch))
        elif args.embedded:
            extract_all(args.folder, scratch)
            make(args, find(scratch, args.every))
        else:
            make(args, find(args.folder, args.every))


if __name__ == "__main__":
    main()
