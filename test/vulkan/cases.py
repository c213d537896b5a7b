# SPDX-License-Identifier: Apache-2.0
"""GLSL, HLSL or assembly -> SPIR-V -> spirv-bind -> Vulkan device: some cases for one driver and one environment.

    cases.py MODE ENV CASE... --bind B --run VULKAN_RUN --icd ICD [--keep DIR]

ENV is vulkan1.0 (with waterfall only), vulkan1.1, vulkan1.2 or vulkan1.3. MODES says what a mode does; all results must
be right unless it says otherwise. A shader may say how it is made, in lines // compile: and // spirv-bind:, and with
which shaders before it and options of VULKAN_RUN a fragment shader is drawn, in a line // draw:. All cases run in one
process of VULKAN_RUN, which names the case that fails. --keep: where the modules and layouts are left.
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

# options of spirv-bind; options of vulkan_run; what the layout must say; what it must not
MODES = {
    "right": ([], [], None, None),
    # with all NonUniform taken out: what the driver is known to get wrong then must be wrong
    "strip": ([], STRIP, None, None),
    # with stock glslang's marks only: likewise
    "keep": (["--nonuniform=keep"], ["--expect-fail=kept"], None, None),
    "split": (["--split-combined", "--combined=split"], [], None, None),
    "mutable": (["--heap-model=mutable"], [], "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", None),
    "address": (["--heap=as=address"], [], None, "ACCELERATION_STRUCTURE"),
    # without the feature runtimeDescriptorArray
    "sized": (["--heap-size=24"], [], None, "(?i)runtimeDescriptorArray"),
    # CASE.separate.comp: what the case is, of separate images and samplers
    "merge": (["--merge-combined=c:cs", "--merge-combined=u:us"], [], None, None),
    # also what the driver gets wrong with marks, and no feature of non-uniform indexing
    "waterfall": (["--waterfall"], ["--none-broken"], None, FEATURES_OF_LOOPS),
    # the same after spirv-opt -O, which makes loops of one block, and accesses in loop headers
    "optimised": (["--waterfall"], ["--none-broken"], None, FEATURES_OF_LOOPS),
    "lengths": (["--waterfall=lengths"], ["--none-broken"], None, None),
    # loops, and then all invocations at once: what is known to be wrong without marks must be wrong
    "broken": (["--waterfall"], ["--break-waterfall", "--expect-fail=stripped"], None, None),
    # loops, and then each derivative negated: what the case calls stripped must be wrong
    "gradients": (["--waterfall"], ["--break-gradients", "--expect-fail=gradients"], None, None),
    # what is undefined: what the case calls stripped must come out otherwise
    "divergent": ([], ["--expect-fail=stripped"], None, None),
    # of what Slang compiled: heaps where Slang has them, in one mutable binding; or one heap for each type
    "slang": ([], [], "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", None),
    "slang-typed": (["--rebind=all,sets"], [], None, None),
    "slang-strip": (["--rebind=all,sets"], STRIP, None, None),
    "slang-keep": (["--nonuniform=keep"], ["--expect-fail=kept"], None, None),
    # with none of the features that the layout names: each case must fail, so validation is at work
    "unasked": ([], [], None, None),
}


def includes(folder):
    """What the shaders include, in one folder."""
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
        fixtures.assemble(source, "1.5", out)  # says that Slang made it, which the assembler cannot
    elif source.endswith(".spvasm"):
        run("spirv-as", "--target-env", "vulkan1.1", source, "-o", out)
    else:
        run("glslangValidator", "-V", "--quiet", "-I" + includes(os.path.join(work, "include")), "--target-env", env,
            source, "-o", out)


def compiled_resolver(option, env, work):
    """A resolver in GLSL as the command has it compiled, which would start a compiler for each case: test/resolvers.py
    is about that."""
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
    job = ["--case", name, "--spirv", out, "--layout", layout]
    drawn = said_by(source, "draw")
    if drawn:
        frame = os.path.join(work, drawn[0] + ".spv")
        job += ["--with", glslang(os.path.join(HERE, "frames", drawn[0]), frame, "--target-env", env), *drawn[1:]]
    if mode == "optimised":
        run("spirv-opt", "-O", given, "-o", given)
    if name == "before_after":  # a finished program: as it is, and with everything moved
        before = base + ".before"
        bind("-q", "--nonuniform=keep", given, "-o", before + ".spv", "--layout-json=" + before + ".json")
        if read(given) != read(before + ".spv"):
            raise Failure("a finished program was changed")
        options.append("--rebind=all,sets")
        job += ["--before", given, "--before-layout", before + ".json"]
    bind(*options, given, "-o", out, "--layout-json=" + layout)
    if name.startswith("slang_"):  # the validation layer knows Slang no more than SPIRV-Tools do
        write(out, fixtures.readable(out))
    said = read_text(layout)
    if wanted and not re.search(wanted, said):
        raise Failure("the layout does not say " + wanted)
    if unwanted and re.search(unwanted, said):
        raise Failure("the layout says " + re.search(unwanted, said)[0])
    if mode == "unasked":
        write(layout, re.sub(r'"vulkanFeatures": .*', '"vulkanFeatures": []', said))
    return job


def wrong_columns(command, which):
    """case -> {driver: columns} that are known to be wrong, as the cases say"""
    found = {}
    for case, column, *known in (line.split() for line in run(command, "--list").stdout.splitlines()):
        for word in known:
            if word.startswith(which + ":"):
                found.setdefault(case, {}).setdefault(word.split(":")[1], set()).add(column)
    return found


def asked_here(cases, mode, args):
    """Of what must be wrong: the cases in which something must be on this driver. Of those that the other driver is
    asked, too (--turns), not what must be wrong on both: they take turns, so that each column is seen on one."""
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
