# SPDX-License-Identifier: Apache-2.0
"""The hardening of cmake/harden.cmake is in the binaries: the command, the shared library, the Vulkan layer, or the
packaged ones. The layer, which is loaded into other people's programs, exports what the loader calls, and nothing else,
and needs the C library only.

    hardening.py --bind BIND [FILE…]     BIND, the libraries beside it, and these files"""
import argparse
import glob
import os
import re
import sys

from running import Failure, run

ENDBR64 = "f30f1efa"
ENTRY = "vkNegotiateLoaderLayerInterfaceVersion"


def readelf(path, *options):
    return run("readelf", "-W", *options, path).stdout


def begins_of_functions(path, names):
    """The first four bytes of functions, as hexadecimal digits."""
    for line in readelf(path, "--dyn-syms").splitlines():
        words = line.split()
        if len(words) > 7 and words[3] == "FUNC" and words[6] != "UND" and words[7].split("@")[0] in names:
            begin = int(words[1], 16)
            dump = run("objdump", "-d", "--start-address=%d" % begin, "--stop-address=%d" % (begin + 4), path).stdout
            yield "".join(re.findall(r"^\s+[0-9a-f]+:\s+((?:[0-9a-f]{2,8} ?)+)", dump, re.M)).replace(" ", "")[:8]


def missing(path):
    """The missing protections. For a static program without symbols, only those visible in its segments."""
    head, segments, dynamic = readelf(path, "-h"), readelf(path, "-l"), readelf(path, "-d")
    symbols = readelf(path, "-s", "--dyn-syms")
    known = "FUNC" in symbols
    if not re.search(r"Type:\s+DYN ", head):
        yield "a position of its own each time (PIE)"
    if "GNU_RELRO" not in segments or not re.search(r"BIND_NOW|Flags: .*NOW", dynamic):
        yield "full RELRO"
    if not re.search(r"GNU_STACK\s.*\sRW\s", segments):
        yield "a stack that is not executed"
    if re.search(r"\sRWE\s", segments):
        yield "segments of which none is writable and executed"
    if known and "__stack_chk_fail" not in symbols:
        yield "stack protectors"
    if known and not re.search(r"__\w+_chk\b", symbols.replace("__stack_chk", "")):
        yield "FORTIFY"
    machine = re.search(r"Machine:\s+(.*)", head)[1]
    begins = set(begins_of_functions(path, {"spb_version", "spb_program_bind", "spb_program_create", ENTRY}))
    if "X86-64" in machine and begins - {ENDBR64}:
        yield "-fcf-protection (functions begin with %s)" % begins


def of_layer(path):
    """What the layer exports or needs, and should not."""
    symbols = [line.split() for line in readelf(path, "--dyn-syms").splitlines() if " GLOBAL " in line]
    exported = {words[7] for words in symbols if words[6] != "UND"}
    if exported != {ENTRY}:
        yield "exports: %s" % sorted(exported)
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", readelf(path, "-d")))
    if not needed or any(not re.match(r"lib(c|m|pthread)\.so|ld-linux", name) for name in needed):
        yield "needs: %s" % sorted(needed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(args.bind))
    beside = glob.glob(os.path.join(folder, "libspirv-bind.so.*.*.*"))
    layers = glob.glob(os.path.join(folder, "layer", "libVkLayer_spirv_bind.so"))
    wrong = ["%s %s" % (path, what) for path in layers for what in of_layer(path)]
    beside += layers
    for path in [args.bind, *beside, *args.files]:
        wrong += ["%s has not: %s" % (path, what) for what in missing(path)]
    if not beside and not args.files:
        raise Failure("there is no shared library beside " + args.bind)
    print("\n".join(wrong) or "%d files are hardened" % (1 + len(beside) + len(args.files)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
