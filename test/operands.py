# SPDX-License-Identifier: Apache-2.0
"""Modules with operands of wrong kinds, and instructions that are cut: operands.c says more.

    operands.py --bind B    with SPB_OPERANDS, the executable of operands.c, which takes other seeds, too

Each instruction of the grammar is tried in one fixture, and random changes of a part of them all.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import running  # noqa: E402

EVERY = 4  # fixtures, of which one takes part
EACH = "resolve-descriptors/clone-whole"  # where each instruction is tried
SEED = "39"
TIMES = "4"


def tried(times, paths):
    modules = []
    for number, path in enumerate(paths):
        fields = fixtures.header(path)
        modules.append("m%d.spv" % number)
        fixtures.assemble(path, fields["version"], modules[-1])
    said = running.run(os.environ["SPB_OPERANDS"], SEED, times, *modules).stdout.split()
    assert said[1::2] == ["tried,", "parsed,", "bound"], said
    return [int(number) for number in said[::2]]


def test_each_instruction_cut_to_each_length():
    counts = tried("0", [os.path.join(running.FIXTURES, EACH + ".spvasm")])
    assert counts[0] > 7000 and counts[1] > 700 and counts[2] > 300, counts


def test_operands_of_any_kind():
    paths = [path for kind, path in fixtures.fixtures() if kind != "invalid"]
    counts = tried(TIMES, paths[::EVERY])
    assert counts[0] > 500 and counts[1] > counts[0] / 4 and counts[2] > counts[0] / 8, counts


if __name__ == "__main__":
    running.main(globals())
