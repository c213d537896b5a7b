# SPDX-License-Identifier: Apache-2.0
"""Programs through the library, its plug-in and a workspace, where each request for memory fails once, or another one
after it, too. Each call that runs out of memory is repeated, and the results must be those of a run without failure.
Runs again.c.

    again.py --bind B     with SPB_AGAIN, the executable of again.c
"""
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import running  # noqa: E402

STEP = 1 if os.environ.get("SPB_TEST_ALL") else 25 if os.environ.get("SPB_BIND_IN_PROCESS") else 5
# Fixtures and options, in addition to the fixture's own.
PROGRAMS = {
    "numbers": ("assign-bindings/split-shared assign-bindings/shared-buffer",
                "rebind=all,sets doctor=1 unused=last 'policy=reserve set=7 range=0..1'"),
    "checked": ("assign-bindings/split-shared decorate-nonuniform/auto-every-operand", "mode=check"),
    "registers": ("assign-bindings/hlsl-registers-1-0 assign-bindings/counters-follow-buffers",
                  "auto-shift=1 place=nothing*=7.1 place=*Tex=0.44 shift=t:1=300"),
    "entries": ("assign-bindings/entry-one-stage assign-bindings/entry-one-stage", "spec=3=7 spec=1=2 spec=3=9"),
    "resolver": ("merge-resolver/own-calls", "suppress=nonuniform@m* suppress=nothing"),
    "resolver_of_the_user": ("merge-resolver/table-shared", ""),
    "buffers": ("lower-buffer-handles/copied-functions lower-buffer-handles/addresses-apart", "heap=sampler=3.1"),
    "handles": ("lower-handles/shared-loads", "bounds-check=clamp heap-size=64 instrument-handles=6.0"),
    "heaps": ("descriptor-heap/from-slang", "allow-unvalidated=1"),
    "shapes": ("resolve-descriptors/atomics resolve-descriptors/clone-whole", "check-assertions=runtime"),
    "pairs": ("merge-combined/two-pairs", ""),
    "loops": ("waterfall/shared-loop-writes-variables waterfall/parameter-of-an-index", "prune=1"),
    "assertions": ("check-assertions/runtime-lines check-assertions/runtime", "strip-debug=1"),
    "source": ("slang/every-kind slang/parameter-block", "unused=remove"),
    "refused": ("invalid/buffer-inner-number", ""),
    "many": (" ".join(["remove-unused/called-from-dead-block"] * 17), ""),
}


def check(name):
    names, options = PROGRAMS[name]
    words, set_ = [], shlex.split(options)
    for number, fixture in enumerate(names.split()):
        path = os.path.join(running.FIXTURES, fixture + ".spvasm")
        fields = fixtures.header(path)
        module = "m%d.spv" % number
        fixtures.assemble(path, fields["version"], module)
        words.append(module)
        own = re.sub(r"-e (\S+)", r"--entry=\1", " ".join(fixtures.options_of(fields)))
        for option in own.replace("--", "").split() if number == 0 else []:
            if option.startswith("resolver="):
                running.run("spirv-as", "--target-env", "spv1.0", option[9:], "-o", "resolver.spv")
                option = "resolver=resolver.spv"
            set_.append(option if "=" in option else option + "=")
    made = running.run(os.environ["SPB_AGAIN"], STEP, *words, *set_)
    counts = [int(line.split()[1]) for line in made.stdout.splitlines()]
    assert len(counts) == 3 and min(counts) >= 40, made.stdout


def add(name):
    globals()["test_" + name] = lambda: check(name)


for each in PROGRAMS:
    add(each)

if __name__ == "__main__":
    running.main(globals())
