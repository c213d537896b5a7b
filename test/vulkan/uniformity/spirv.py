# SPDX-License-Identifier: Apache-2.0
"""Gives each copy of a probe that optimisation has made a distinct number, and its access a line with that number.

A probe logs `mark + (t | bufs[t].v << 4)`. Inlining and unrolling copy it, and the copies may have different verdicts.
So in the optimised module each addition of a mark gets a distinct mark, and the access chain before it a distinct
OpLine, by which the layout JSON names it:

    %c = OpAccessChain %ptr %bufs %t %zero          OpLine %file 1000007 0
    %v = OpLoad %uint %c                      ->    %c = OpAccessChain %ptr %bufs %t %zero
    %s = OpShiftLeftLogical %uint %v %four          ...
    %o = OpBitwiseOr %uint %t %s
    %a = OpIAdd %uint %mark %o                      %a = OpIAdd %uint %mark7 %o
"""
import array

from programs import SITES, mark

LINE = 1000000
(OP_STRING, OP_LINE, OP_NO_LINE, OP_MEMORY_MODEL, OP_CONSTANT, OP_FUNCTION, OP_LOAD, OP_ACCESS_CHAIN, OP_IN_BOUNDS,
 OP_DECORATE, OP_ADD, OP_SHIFT, OP_OR) = 7, 8, 317, 14, 43, 54, 61, 65, 66, 71, 128, 196, 197
BINDING = 33
DEBUG = {7, 3, 4, 2}  # OpString, OpSource, OpSourceExtension, OpSourceContinued


class Numbered:
    """words; marks: a copy's mark -> (site, line); pointers: mark -> id of the loaded pointer. `pointers`: it need not
    be an access chain."""

    def __init__(self, data, bindings, pointers=False):
        words = array.array("I")
        words.frombytes(data)
        self.bound = words[3]
        instructions, at = [], 5
        while at < len(words):
            length = words[at] >> 16
            instructions.append(words[at:at + length])
            at += length
        sites, defs, chains, arrays, adds = {}, {}, {}, set(), []
        self.file = self.uint = None
        for i, w in enumerate(instructions):
            op = w[0] & 0xFFFF
            if op == OP_DECORATE and w[2] == BINDING and w[3] in bindings:
                arrays.add(w[1])
            elif op == OP_CONSTANT and len(w) == 4 and w[3] >> 31 and not w[3] & 0x3FFFF and w[
                3] >> 18 & 0x1FFF < SITES:
                sites[w[2]] = w[3] >> 18 & 0x1FFF
                self.uint = w[1]
            elif op == OP_STRING and self.file is None:
                self.file = w[1]
            elif op in (OP_LOAD, OP_SHIFT, OP_OR):
                defs[w[2]] = w
            elif op in (OP_ACCESS_CHAIN, OP_IN_BOUNDS) and w[3] in arrays:
                chains[w[2]] = 0
            elif op == OP_ADD and (w[3] in sites or w[4] in sites):
                adds.append((i, 3 if w[3] in sites else 4))
        self.marks, self.pointers, self.unmatched, constants, mark_of = {}, {}, 0, [], {}
        for i, operand in adds:
            w = instructions[i]
            chain = self.chain_of(defs, w[7 - operand])
            if chain is None or (chain not in chains and not pointers) or len(self.marks) > 7000:
                self.unmatched += 1
                continue
            if chain in chains:
                chains[chain] = chains[chain] or LINE + len(self.marks)
            number = mark(SITES + len(self.marks))
            self.marks[number] = (sites[w[operand]], chain if pointers else chains[chain])
            self.pointers[number] = chain
            constants.append(array.array("I", [4 << 16 | OP_CONSTANT, self.uint, self.bound, number]))
            mark_of[i] = operand, self.bound
            self.bound += 1
        self.words = self.put(words[:5], instructions, chains, constants, mark_of)

    @staticmethod
    def chain_of(defs, id):
        """The pointer of the load in `t | load << 4`."""
        either = defs.get(id)
        if not either or either[0] & 0xFFFF != OP_OR:
            return None
        for o in either[3:5]:
            shift = defs.get(o)
            if shift and shift[0] & 0xFFFF == OP_SHIFT:
                load = defs.get(shift[3])
                if load and load[0] & 0xFFFF == OP_LOAD:
                    return load[3]
        return None

    def put(self, out, instructions, chains, constants, mark_of):
        file = self.file
        if file is None:
            file, self.bound = self.bound, self.bound + 1
        out[3] = self.bound
        functions = strings = False
        for i, w in enumerate(instructions):
            op = w[0] & 0xFFFF
            if op == OP_MEMORY_MODEL:
                strings = self.file is None
            elif self.file is None and strings and op not in (15, 16, 331) and op not in DEBUG:
                out.extend([3 << 16 | OP_STRING, file, 0])
                strings = False
            if op == OP_FUNCTION and not functions:
                functions = True
                for c in constants:
                    out.extend(c)
            if op in (OP_ACCESS_CHAIN, OP_IN_BOUNDS) and chains.get(w[2]):
                out.extend([4 << 16 | OP_LINE, file, chains[w[2]], 0])
                out.extend(w)
                out.append(1 << 16 | OP_NO_LINE)  # not of what follows
                continue
            if i in mark_of:
                w = w[:]
                w[mark_of[i][0]] = mark_of[i][1]
            out.extend(w)
        return out
