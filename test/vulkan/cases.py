# SPDX-License-Identifier: Apache-2.0
"""GLSL, HLSL or assembly -> SPIR-V -> spirv-bind -> Vulkan device: some cases for one driver and one environment.

    cases.py MODE ENV CASE... --bind B --run VULKAN_RUN --icd ICD [--keep DIR]

ENV is vulkan1.0 (with waterfall only), vulkan1.1, vulkan1.2 or vulkan1.3. MODES describes the modes; all results must
be right unless it says otherwise. Lines // compile:, // spirv-bind: and // run: (of VULKAN_RUN) in a shader have
options, and a line // draw: the earlier stages and the options of VULKAN_RUN for a fragment shader. All cases run in
one process of VULKAN_RUN, which names the case that fails. --keep: keeps the modules and layouts.
"""
import argparse
import glob
import os
import re
import shlex
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import fixtures  # noqa: E402
import running  # noqa: E402
from running import Failure, ROOT, bind, glslang, read, read_text, run, write  # noqa: E402

STRIP = ["--strip-nonuniform", "--expect-fail=stripped"]
FEATURES_OF_LOOPS = r"(?i)nonuniform.*indexing"

# options of spirv-bind; options of vulkan_run; what the layout must contain; what it must not
MODES = {
    "right": ([], [], None, None),
    # with all NonUniform removed: known failures of the driver must occur
    "strip": ([], STRIP, None, None),
    # with stock glslang's decorations only: likewise
    "keep": (["--nonuniform=keep"], ["--expect-fail=kept"], None, None),
    "split": (["--split-combined", "--combined=split"], [], None, None),
    "mutable": (["--heap-model=mutable"], [], "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", None),
    "address": (["--heap=as=address"], [], None, "ACCELERATION_STRUCTURE"),
    # without the feature runtimeDescriptorArray
    "sized": (["--heap-size=24"], [], None, "(?i)runtimeDescriptorArray"),
    # CASE.separate.comp: the case with separate images and samplers
    "merge": (["--merge-combined=c:cs", "--merge-combined=u:us"], [], None, None),
    # including cases that the driver gets wrong with decorations, and without features of non-uniform indexing
    "waterfall": (["--waterfall"], ["--none-broken"], None, FEATURES_OF_LOOPS),
    # the same after spirv-opt -O, which makes loops of one block, and accesses in loop headers
    "optimised": (["--waterfall"], ["--none-broken"], None, FEATURES_OF_LOOPS),
    "lengths": (["--waterfall=lengths"], ["--none-broken"], None, None),
    # loops, then broken so that all invocations access together: known failures without decorations must occur
    "broken": (["--waterfall"], ["--break-waterfall", "--expect-fail=stripped"], None, None),
    # loops, then each derivative negated: `stripped` columns must be wrong
    "gradients": (["--waterfall"], ["--break-gradients", "--expect-fail=gradients"], None, None),
    # undefined results: `stripped` columns must differ
    "divergent": ([], ["--expect-fail=stripped"], None, None),
    # modules of Slang: heaps where Slang puts them, in one mutable binding; or one heap for each type
    "slang": ([], [], "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", None),
    "slang-typed": (["--rebind=all,sets"], [], None, None),
    # their indexes resolved and checked
    "slang-checked": (["--rebind=all,sets", "--heap-size=24", "--bounds-check=clamp", "--resolver=" +
                       os.path.join(ROOT, "spirv-fixtures", "resolvers", "packed.glsl")], [], None,
                      "(?i)runtimeDescriptorArray"),
    "slang-strip": (["--rebind=all,sets"], STRIP, None, None),
    "slang-keep": (["--nonuniform=keep"], ["--expect-fail=kept"], None, None),
    # without the features in the layout: each case must fail, which shows that validation works
    "unasked": ([], [], None, None),
}


def includes(folder):
    """The files that the shaders include, in one folder."""
    os.makedirs(folder, exist_ok=True)
    for path in (*glob.glob(os.path.join(HERE, "shaders", "*.glsl")),
                 os.path.join(ROOT, "include", "glsl", "descriptor_handle.glsl")):
        if not os.path.exists(os.path.join(folder, os.path.basename(path))):
            os.symlink(path, os.path.join(folder, os.path.basename(path)))
    return folder


def source_of(name, mode):
    endings = ["separate.comp"] if mode == "merge" else ["comp", "frag", "hlsl", "spvasm"]
    for ending in endings:
        path = os.path.join(HERE, "shaders", "%s.%s" % (name, ending))
        if os.path.exists(path):
            return path
    raise Failure("there is no shader for the case")


def said_by(source, key):
    """The words of the lines // key: of a shader."""
    lines = re.findall(r"^// %s: (.*)" % key, read_text(source), re.M)
    return [word.replace("FIXTURES", running.FIXTURES) for line in lines for word in shlex.split(line)]


def compile_case(source, env, out, work):
    if source.endswith(".hlsl"):
        run("glslangValidator", "-D", "-V", "--quiet", "-S", "comp", "-e", "main", "--target-env", env,
            *said_by(source, "compile"), source, "-o", out)
    elif source.endswith(".spvasm") and os.path.basename(source).startswith("slang_"):
        fixtures.assemble(source, "1.5", out)  # with Slang as source language, which the assembler cannot write
    elif source.endswith(".spvasm"):
        run("spirv-as", "--target-env", "vulkan1.1", source, "-o", out)
    else:
        run("glslangValidator", "-V", "--quiet", "-I" + includes(os.path.join(work, "include")), "--target-env", env,
            source, "-o", out)


def compiled_resolver(option, env, work):
    """A GLSL resolver compiled here, since the command would start a compiler for each case, which test/resolvers.py
    tests."""
    path = option.removeprefix("--resolver=")
    if path == option or not path.endswith(".glsl"):
        return option
    name = os.path.basename(path)[:-len(".glsl")]
    write(os.path.join(work, name + ".resolver.comp"), read_text(path) + "\nvoid main() {}\n")
    run("glslangValidator", "-V", "--quiet", "-I" + os.path.dirname(path), "-S", "comp", "--keep-uncalled",
        "--target-env", env, name + ".resolver.comp", "-o", name + ".resolver.spv", cwd=work)
    return "--resolver=" + os.path.join(work, name + ".resolver.spv")


def prepare(name, mode, env, work):
    """The arguments of vulkan_run for one case."""
    options, _, wanted, unwanted = MODES[mode]
    base, source = os.path.join(work, name), source_of(name, mode)
    given, out, layout = base + ".in.spv", base + ".spv", base + ".json"
    compile_case(source, env, given, work)
    options = ["-q", "--auto-binding=65534", *options, *(compiled_resolver(o, env, work)
                                                         for o in said_by(source, "spirv-bind"))]
    job = ["--case", name, "--spirv", out, "--layout", layout, *said_by(source, "run")]
    drawn = said_by(source, "draw")
    if drawn:
        frame = os.path.join(work, drawn[0] + ".spv")
        job += ["--with", glslang(os.path.join(HERE, "frames", drawn[0]), frame, "--target-env", env), *drawn[1:]]
    if mode == "optimised":
        run("spirv-opt", "-O", given, "-o", given)
    if name == "before_after":  # a bound program: unchanged, and with everything moved
        before = base + ".before"
        bind("-q", "--nonuniform=keep", given, "-o", before + ".spv", "--layout-json=" + before + ".json")
        if read(given) != read(before + ".spv"):
            raise Failure("a finished program was changed")
        options.append("--rebind=all,sets")
        job += ["--before", given, "--before-layout", before + ".json"]
    bind(*options, given, "-o", out, "--layout-json=" + layout)
    if name.startswith("slang_"):  # like SPIRV-Tools, the validation layer does not know Slang
        write(out, fixtures.readable(out))
    said = read_text(layout)
    if wanted and not re.search(wanted, said):
        raise Failure("the layout does not say " + wanted)
    if unwanted and re.search(unwanted, said):
        raise Failure("the layout says " + re.search(unwanted, said)[0])
    if mode == "unasked":
        write(layout, re.sub(r'"vulkanFeatures": \[[^]]*\]', '"vulkanFeatures": []', said))
    return job


def wrong_columns(command, which):
    """case -> {driver: columns} that are known to be wrong"""
    found = {}
    for case, column, *known in (line.split() for line in run(command, "--list").stdout.splitlines()):
        for word in known:
            if word.startswith(which + ":"):
                found.setdefault(case, {}).setdefault(word.split(":")[1], set()).add(column)
    return found


def asked_here(cases, mode, args):
    """The cases in which something must be wrong on this driver. With --turns, columns that must be wrong on both
    drivers alternate between them."""
    which = {"strip": "stripped", "broken": "stripped", "keep": "kept"}.get(mode)
    if not which:
        return cases
    here, other = ("lavapipe", "swiftshader")[::-1 if "swiftshader" in args.icd else 1]
    known = wrong_columns(args.run, which)
    chosen = []
    for i, case in enumerate(sorted(known)):
        ours, theirs = (known[case].get(driver, set()) for driver in (here, other))
        turn = ours - theirs or ours == theirs and i % 2 == (here == "lavapipe")
        if case in cases and ours and (turn or case not in args.turns):
            chosen.append(case)
    return chosen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("env")
    parser.add_argument("cases", nargs="+")
    for option in ("--bind", "--run", "--icd"):
        parser.add_argument(option, required=True)
    parser.add_argument("--keep")
    parser.add_argument("--turns", type=lambda text: text.split(","), default=[], help="CASE,…: see asked_here")
    args = parser.parse_args()
    running.BIND = os.path.abspath(args.bind)
    jobs, failed = [], 0
    with tempfile.TemporaryDirectory() as tmp:
        work = os.path.abspath(args.keep or tmp)
        os.makedirs(work, exist_ok=True)
        cases = asked_here(args.cases, args.mode, args)
        for name in cases:
            try:
                jobs += prepare(name, args.mode, args.env, work)
            except Exception as e:  # what breaks has failed, too
                failed += 1
                print("%s: FAIL: compiling or binding: %s" % (name, e))
        if not jobs:
            return 1
        done = run(args.run, "--icd", args.icd, *MODES[args.mode][1], *jobs, expect=None)
    print(done.stdout + done.stderr)
    lines = done.stdout.splitlines()
    passed, refused = (sum(line.endswith(end) for line in lines) for end in (": pass", ": FAIL"))
    if args.mode == "unasked":
        return 0 if not failed and done.returncode and refused == len(cases) else 1
    return 0 if not failed and not done.returncode and passed == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
