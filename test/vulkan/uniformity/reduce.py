# SPDX-License-Identifier: Apache-2.0
"""Cuts a program of programs.py down while it still does what it should not: statements go, and what is around
statements."""
import copy

from programs import Block


def places(program):
    """(block, index) of each statement, outer ones first; the same order in a copy."""
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
    """What a statement has inside instead of it."""
    made = copy.deepcopy(program)
    block, i = places(made)[number]
    block[i:i + 1] = [s for b in blocks_in(block[i]) for s in b]
    return made


def reduce(program, still):
    """`still`: programs -> of each, whether it still goes wrong."""
    while True:
        count = len(places(program))
        good = [n for n, yes in enumerate(still([without(program, [n]) for n in range(count)])) if yes]
        if good:  # as many of them at once as go together
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
