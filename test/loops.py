# SPDX-License-Identifier: Apache-2.0
"""What waterfall loops are made of: each case of loop_cases.py, and what becomes of it, word for word; and sequences of
accesses, with the loops that they share as brackets.

    loops.py --bind B              cases against conformance/loops.txt, sequences against conformance/loops.tsv
    loops.py --bind B --update     writes both, to be read before they are committed

A case is the body of a fragment shader. What becomes of it has the names of the case, without %, and without the Op of
opcodes; +1, +2, … are ids that the pass has made. Lines with + and - tell what has changed outside functions. Every
output is judged by spirv-val."""
import argparse
import collections
import functools
import itertools
import os
import re
import sys
import tempfile
import textwrap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from loop_cases import BEGIN, CASES, END, declarations, module, several  # noqa: E402
from running import bind, read_text, run, spirv_as, write  # noqa: E402

CONFORMANCE = os.path.join(running.HERE, "conformance")
OPTIONS = ("--waterfall", "--nonuniform=all")
DECLARES = re.compile(" = (Op)?(Function|Variable) ")
BEGINS = [re.sub("%|(?<== )Op", "", line) for line in BEGIN.splitlines() if not DECLARES.search(line)]


INSTRUCTION = re.compile(r"(?m)^ *(?:%(\w+) = )?(\w+)(.*)")
TEXT = re.compile(r'"[^"]*"')
UNTYPED = re.compile("OpType|OpLabel|OpString|OpExtInstImport")


@functools.lru_cache(4)
def ids_of(text):
    """In the order in which a module has them first, where types precede results."""
    found = {}
    for result, op, rest in INSTRUCTION.findall(TEXT.sub("", text)):
        ids = [word[1:] for word in rest.split() if word[0] == "%"]
        if result:
            ids.insert(not UNTYPED.match(op), result)
        found.update(dict.fromkeys(ids))
    return found


def names_of(*texts):
    """Of the numbers that spirv-as gives to the ids of a text, which is in parts."""
    found = {}
    for text in texts:
        found.update(ids_of(text))
    return {"%d" % number: name for number, name in enumerate(found, 1)}


class Names:
    """Of the ids of a module, and of those that are new in it."""

    def __init__(self, given):
        self.given, self.new = given, {}

    def __call__(self, found):
        if found[1] in self.given:
            return self.given[found[1]]
        return self.new.setdefault(found[1], "+%d" % (len(self.new) + 1))


def lines_of(path, names):
    """Instructions before functions, and those of functions."""
    text = run("spirv-dis", "--raw-id", "--no-header", path).stdout
    text = re.sub(r"(?m)(^ *|= )Op", r"\1", re.sub(r"%(\d+)\b", names, text))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    begin = [" = Function " in line for line in lines].index(True)
    return lines[:begin], lines[begin:]


@functools.lru_cache(None)
def declared(before, version):
    """The declarations of a case."""
    spirv_as(before + BEGIN + END, "d.spv", version)
    return lines_of("d.spv", Names(names_of(before, BEGIN)))[0]


def became(case, number, said):
    """Of a case that has been run: `said`: messages about all of them."""
    names = Names(names_of(declarations(case), BEGIN, case.body))
    before = declared(declarations(case), case.version)
    after, functions = lines_of("out/%d.spv" % number, names)
    run("spirv-val", "--target-env", case.version, "out/%d.spv" % number)
    body = [line for line in functions[:functions.index("FunctionEnd")] if not DECLARES.search(line)]
    body = body[len(BEGINS):] if body[:len(BEGINS)] == BEGINS else body
    gone, new = collections.Counter(before), collections.Counter(after)
    changed = ["- " + line for line in (gone - new).elements()] + ["+ " + line for line in (new - gone).elements()]
    mine = [line for line in said if line.startswith("%d.spv:" % number) and "SPB5101" in line]
    mine = [re.sub(r"^.*?(warning|error): ", r"\1: ", line) for line in mine]
    return changed + [part for text in [*mine, "; ".join(body)] for part in textwrap.wrap(
        text, 112, break_long_words=False, break_on_hyphens=False)]


def written(cases):
    """Those with the same options are one run, of modules that have nothing to do with each other."""
    said = []
    for number, case in enumerate(cases):
        spirv_as(module(case), "%d.spv" % number, case.version)
    for options in dict.fromkeys(case.options or OPTIONS for case in cases):
        files = ["%d.spv" % number for number, case in enumerate(cases) if (case.options or OPTIONS) == options]
        said += bind("--validate=none", "--no-merge", *options, *files, "--out-dir=out").stderr.splitlines()
    return "".join("== %s\n%s\n" % (case.name, "\n".join(became(case, number, said)))
                   for number, case in enumerate(cases))


def sequences():
    """One to three of these, one behind the other: i, j are accesses by two indexes, . is a load that needs no loop,
    ! a barrier, (i|j) a selection."""
    for count in (1, 2, 3):
        yield from map(" ".join, itertools.product("ij.!", repeat=count))
    yield from ("i j i j", "i i j j", "i . . i", "i . j . i", "(i|j)", "(i i|)", "i (i|i) i", "i (.|.) i",
                "((i|i)|j j) i")


def shapes(path, names):
    """Of each function: [ ] is a loop, and the rest is what it was in the sequence."""
    _, lines = lines_of(path, names)
    for function in "\n".join(lines).split("\nFunctionEnd")[1:-1]: # behind main
        text, merges, bases = "", {}, {}
        for line in function.strip().split("\n"):
            words = line.split()
            label = words[0] if words[-1] == "Label" else None
            if words[0] == "LoopMerge":
                merges[words[1]] = "]"
                text += "["
            elif words[0] == "SelectionMerge" and words[2] == "None":
                merges[words[1]] = ")"
                text += "("
            elif label and label.startswith("right"):
                text += "|"
            elif label in merges:
                text += merges[label]
            elif " = AccessChain " in line:
                bases[words[0]] = {"bufs": "i", "other": "j", "out": "."}.get(words[4])
            elif " = Load " in line and words[4] in bases:
                text += bases[words[4]]
            elif words[0] == "MemoryBarrier":
                text += "!"
        yield text


def table():
    wanted = list(sequences())
    text = several(wanted)
    spirv_as(text, "m.spv", "spv1.3")
    bind("--validate=none", *OPTIONS, "m.spv", "-o", "o.spv")
    run("spirv-val", "--target-env", "spv1.3", "o.spv")
    return "".join("%s\t%s\n" % pair for pair in zip(wanted, shapes("o.spv", Names(names_of(text))), strict=True))


def compare(what, got, path):
    wanted, found = read_text(path).split(what), got.split(what)
    wrong = [pair for pair in itertools.zip_longest(wanted, found) if pair[0] != pair[1]]
    assert not wrong, "%d differ from %s, of which the first was\n%s\nand is\n%s" % (
        len(wrong), os.path.basename(path), wrong[0][0], wrong[0][1])


def test_cases():
    compare("== ", written(CASES), os.path.join(CONFORMANCE, "loops.txt"))


def test_sequences():
    compare("\n", table(), os.path.join(CONFORMANCE, "loops.tsv"))


def update():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--update", action="store_true")
    running.BIND = os.path.abspath(parser.parse_args().bind)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write(os.path.join(CONFORMANCE, "loops.txt"), written(CASES))
        write(os.path.join(CONFORMANCE, "loops.tsv"), table())


if __name__ == "__main__":
    update() if "--update" in sys.argv else running.main(globals())
