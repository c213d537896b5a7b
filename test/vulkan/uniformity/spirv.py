# SPDX-License-Identifier: Apache-2.0
"""Gives each copy of a probe that optimisation has made a number of its own, and its access a line of that number.

A probe is `log = uvec4(MARK + site, key, t | ..., bufs[t].v)`. Inlining and unrolling copy it, and what holds of one copy may not
hold of another. So in the optimised module each OpCompositeConstruct of a mark gets another mark, and each access chain that
its last operand is loaded through an OpLine of its own, by which the layout JSON names it:

    %c = OpAccessChain %ptr %bufs %t %zero          OpLine %file 1000007 0
    %v = OpLoad %uint %c                      ->    %c = OpAccessChain %ptr %bufs %t %zero
    %w = OpCompositeConstruct %uvec4 %mark ...      %w = OpCompositeConstruct %uvec4 %mark7 ...   (other ids, then other marks)
"""
import array

LINE = 1000000
(OP_STRING, OP_LINE, OP_CONSTANT, OP_FUNCTION, OP_VARIABLE, OP_LOAD, OP_ACCESS_CHAIN, OP_IN_BOUNDS, OP_DECORATE, OP_CONSTRUCT,
 OP_EXTENSION, OP_IMPORT, OP_MEMORY_MODEL) = (7, 8, 43, 54, 59, 61, 65, 66, 71, 80, 10, 11, 14)
DEBUG = {7, 3, 4, 2}  # OpString, OpSource, OpSourceExtension, OpSourceContinued


class Numbered:
    """words; marks: new mark -> (site, line)."""

    def __init__(self, data, mark, bindings):
        words = array.array("I")
        words.frombytes(data)
        self.bound = words[3]
        instructions, at = [], 5
        while at < len(words):
            length = words[at] >> 16
            instructions.append(words[at:at + length])
            at += length
        sites, loads, chains, arrays = {}, {}, {}, set()
        self.file = self.uint = None
        for w in instructions:
            op = w[0] & 0xFFFF
            if op == OP_DECORATE and w[2] == 33 and w[3] in bindings:
                arrays.add(w[1])
            elif op == OP_CONSTANT and len(w) == 4 and mark < w[3] < mark + 4096:
                sites[w[2]] = w[3] - mark
                self.uint = w[1]
            elif op == OP_STRING and self.file is None:
                self.file = w[1]
            elif op == OP_LOAD:
                loads[w[2]] = w[3]
            elif op in (OP_ACCESS_CHAIN, OP_IN_BOUNDS) and w[3] in arrays:
                chains[w[2]] = 0
        self.marks, self.unmatched, constants, mark_of = {}, 0, [], {}
        for i, w in enumerate(instructions):
            if w[0] & 0xFFFF != OP_CONSTRUCT or w[3] not in sites or len(w) != 7:
                continue
            chain = loads.get(w[6])
            if chain not in chains:
                self.unmatched += 1
                continue
            chains[chain] = chains[chain] or LINE + len(chains) + len(self.marks)
            number = mark + 4096 + len(self.marks)
            self.marks[number] = (sites[w[3]], chains[chain])
            constants.append(array.array("I", [4 << 16 | OP_CONSTANT, self.uint, self.bound, number]))
            mark_of[i] = self.bound
            self.bound += 1
        self.words = self.put(words[:5], instructions, chains, constants, mark_of)

    def put(self, out, instructions, chains, constants, mark_of):
        file = self.file
        if file is None:
            file, self.bound = self.bound, self.bound + 1
        out[3] = self.bound
        functions = False
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
            if i in mark_of:
                w = w[:]
                w[3] = mark_of[i]
            out.extend(w)
        return out
