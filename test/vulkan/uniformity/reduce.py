# SPDX-License-Identifier: Apache-2.0
"""Reduces a program of programs.py while it still fails: removes statements, and constructs around statements."""
import copy

from programs import Block


def places(program):
    """(block, index) of each statement, outer ones first, in the same order for a copy."""
    found = []

    def walk(part):
        if isinstance(part, Block):
            found.extend((part, i) for i in range(len(part)))
        for p in part:
            if not isinstance(p, str):
                walk(p)
    walk(program.functions_text)
    walk(program.main)
    return found


def blocks_in(statement):
    return [p for p in statement if isinstance(p, Block)] if not isinstance(statement, (str, Block)) else []


def without(program, numbers):
    made = copy.deepcopy(program)
    found = places(made)
    for block, i in sorted((found[n] for n in numbers), key=lambda place: -place[1]):
        del block[i]
    return made


def unwrapped(program, number):
    """Replaces a statement by its contents."""
    made = copy.deepcopy(program)
    block, i = places(made)[number]
    block[i:i + 1] = [s for b in blocks_in(block[i]) for s in b]
    return made


def reduce(program, still):
    """`still`: programs -> whether each still fails."""
    while True:
        count = len(places(program))
        good = [n for n, yes in enumerate(still([without(program, [n]) for n in range(count)])) if yes]
        if good:  # as many together as possible
            sizes = sorted({len(good), len(good) * 3 // 4, len(good) // 2, len(good) // 4, 1} - {0}, reverse=True)
            tries = [without(program, good[:k]) for k in sizes]
            program = [t for t, yes in zip(tries, still(tries)) if yes][0]
            continue
        wraps = [unwrapped(program, n) for n, (block, i) in enumerate(places(program))
                 if block is not program.functions_text and blocks_in(block[i])]
        best = [w for w, yes in zip(wraps, still(wraps)) if yes] if wraps else []
        if not best:
            return program
        program = best[0]
