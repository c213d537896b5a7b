# SPDX-License-Identifier: Apache-2.0
"""Damages lowered modules in ways that spirv-val does not detect. A check that accepts one is useless.

Each function yields (what was done, words)."""
import array

from check import NON_UNIFORM
from interpret import CHAIN, COPY, DECORATE, EXTRACT, IMAGE, LOAD, SAMPLED_IMAGE, TEXEL_POINTER, Program

OP_CAPABILITY, OP_FUNCTION, SELECTION_MERGE, LABEL = 17, 54, 247, 248


def instructions(words):
    out, at = [], 5
    while at < len(words):
        n = words[at] >> 16
        out.append(list(words[at:at + n]))
        at += n
    return out


def put(words, list_):
    return words[:5] + array.array("I", [w for i in list_ for w in i])


def op(i):
    return i[0] & 0xFFFF


def heaps(words):
    p = Program(words, 0)
    return p, {v for v in p.variables if p.heap_of(v)}


def replaced(words, list_, at, new):
    return put(words, list_[:at] + new + list_[at + 1:])


def other_member(words):
    """.y for .x."""
    p, of = heaps(words)
    list_ = instructions(words)
    indexes = {i[4] for i in list_ if op(i) == CHAIN and i[3] in of}
    for at, i in enumerate(list_):
        if op(i) == EXTRACT and i[2] in indexes and len(i) == 5:
            yield ".y is the index", replaced(words, list_, at, [i[:4] + [1 - i[4]]])
            return


def origin(p, id):
    """The handle of an index: where it is read from."""
    op, w, _ = p.def_.get(id, (None, (), 0))
    return origin(p, w[2]) if op in (COPY, EXTRACT, LOAD) else tuple(w[2:])


def other_handle(words):
    """Replaces the index of one access by that of another."""
    p, of = heaps(words)
    list_ = instructions(words)
    chains = [(at, i) for at, i in enumerate(list_) if op(i) == CHAIN and i[3] in of]
    for at, i in chains:
        for _, k in chains:
            if origin(p, k[4]) != origin(p, i[4]) and list_.index(k) < at:
                yield "an access has the index of another", replaced(words, list_, at, [i[:4] + [k[4]] + i[5:]])
                return


def missing_mark(words):
    p, of = heaps(words)
    list_ = instructions(words)
    for at, i in enumerate(list_):
        if op(i) == DECORATE and i[2] == NON_UNIFORM and p.def_.get(i[1], (0,))[0] in (CHAIN, LOAD, SAMPLED_IMAGE,
                                                                                       IMAGE, TEXEL_POINTER):
            if p.def_[i[1]][0] == LOAD and p.types[p.def_[i[1]][1][0]][0] not in (25, 26, 27, 5341):
                continue
            yield "%%%d is not marked" % i[1], replaced(words, list_, at, [])


def needless_mark(words):
    p, of = heaps(words)
    list_ = instructions(words)
    note = next(at for at, i in enumerate(list_) if op(i) == DECORATE)
    for i in list_:
        if op(i) == CHAIN and i[3] in of and NON_UNIFORM not in p.decorations.get(i[2], {}):
            more = [[3 << 16 | DECORATE, i[2], NON_UNIFORM]]
            yield "%%%d is marked" % i[2], put(words, list_[:note] + more + list_[note:])
            return


def hoisted(words):
    """The descriptor is read above the guard."""
    p, of = heaps(words)
    list_ = instructions(words)
    chain = next((at for at, i in enumerate(list_) if op(i) == CHAIN and i[3] in of), None)
    guard = max((at for at, i in enumerate(list_[:chain]) if op(i) == SELECTION_MERGE), default=None)
    if chain is None or guard is None or op(list_[chain + 1]) != LOAD:
        return
    moved = list_[chain:chain + 2]
    yield "a load above the guard", put(words, list_[:guard] + moved + list_[guard:chain] + list_[chain + 2:])


def left_behind(words):
    list_ = instructions(words)
    yield "a capability is left", put(words, [[2 << 16 | OP_CAPABILITY, 5390]] + list_)
    yield "linkage is left", put(words, [[2 << 16 | OP_CAPABILITY, 5]] + list_)


DAMAGES = [other_member, other_handle, missing_mark, needless_mark, hoisted, left_behind]
