# SPDX-License-Identifier: Apache-2.0
"""Rewrites a module so that its buffers are accessed through pointers that are chosen, stored, passed on and returned,
which GLSL cannot do; and passes a variable twice to functions, and makes variables undefined.

    %p = OpAccessChain %ptr %bufs %t %zero

becomes, for example, a choice by the bits of %t among sixteen chains with constant indexes; or %t decides by a branch
between two of them, which meet in an OpPhi or a variable. %t still selects the descriptor, so the log of a probe keeps
its meaning.
"""
import array
import random

(OP_NAME, OP_STRING, OP_CAPABILITY, OP_TYPE_BOOL, OP_TYPE_INT, OP_TYPE_STRUCT, OP_TYPE_POINTER, OP_TYPE_FUNCTION,
 OP_CONSTANT, OP_FUNCTION, OP_PARAMETER, OP_FUNCTION_END, OP_CALL, OP_VARIABLE, OP_LOAD, OP_STORE, OP_CHAIN,
 OP_IN_BOUNDS, OP_DECORATE, OP_UNDEF, OP_COPY, OP_CONSTRUCT, OP_SELECT, OP_EQUAL, OP_NOT_EQUAL, OP_AND,
 OP_OR, OP_PHI, OP_LOOP_MERGE, OP_SELECTION_MERGE, OP_LABEL, OP_BRANCH, OP_BRANCH_IF, OP_RETURN_VALUE) = (
     5, 7, 17, 20, 21, 30, 32, 33, 43, 54, 55, 56, 57, 59, 61, 62, 65, 66, 71, 1, 83, 80, 169, 170, 171, 199, 197,
     245, 246, 247, 248, 249, 250, 254)
FUNCTION, STORAGE_BUFFER, VARIABLE_POINTERS, BINDING = 7, 12, 4442, 33


class Rewritten:
    """data; loose: values may be undefined, or differ from the text. `chosen`: the device supports chosen pointers,
    which SwiftShader does not; otherwise they are only copied, and only aliases and undefined values remain."""

    def __init__(self, data, seed, chosen):
        self.r = random.Random(seed * 11 + 5)
        self.chosen = chosen
        words = array.array("I")
        words.frombytes(data)
        self.head, self.out, self.loose = list(words[:5]), [], False
        self.bound = self.head[3]
        self.instructions, at = [], 5
        while at < len(words):
            self.instructions.append(list(words[at:at + (words[at] >> 16)]))
            at += words[at] >> 16
        self.made, self.functions, self.later = {}, [], []
        self.read()
        self.rewrite()
        self.head[3] = self.bound
        flat = array.array("I", self.head)
        for w in self.out:
            w[0] = len(w) << 16 | w[0] & 0xFFFF
            flat.extend(w)
        self.data = flat.tobytes()

    def id(self):
        self.bound += 1
        return self.bound - 1

    def read(self):
        self.types, self.constants, self.names, self.defs = {}, {}, {}, {}
        self.bufs = None
        for w in self.instructions:
            op = w[0] & 0xFFFF
            if op in (OP_TYPE_BOOL, OP_TYPE_INT, OP_TYPE_POINTER):
                self.types.setdefault((op,) + tuple(w[2:]), w[1])
            elif op == OP_CONSTANT and len(w) == 4:
                self.constants.setdefault((w[1], w[3]), w[2])
            elif op == OP_DECORATE and w[2] == BINDING and w[3] == 0:
                self.bufs = w[1]
            elif op == OP_NAME:
                self.names[w[1]] = array.array("I", w[2:]).tobytes().split(b"\0")[0].decode()
            elif op == OP_VARIABLE:
                self.defs[w[2]] = w
        self.pointee = {w[1]: w[3] for w in self.instructions if w[0] & 0xFFFF == OP_TYPE_POINTER}
        variable = self.defs.get(self.bufs)
        if variable is None or variable[3] != STORAGE_BUFFER:  # all probes of buffers have been optimised away
            self.bufs = None
        self.uint = self.types[OP_TYPE_INT, 32, 0]

    def declare(self, *words):
        """A type or constant, before the functions; its result is word 1 or 2."""
        self.globals.append(list(words))

    def type(self, op, *rest):
        if (op,) + rest not in self.types:
            i = self.types[(op,) + rest] = self.id()
            self.declare(op, i, *rest)
        return self.types[(op,) + rest]

    def constant(self, value):
        if (self.uint, value) not in self.constants:
            i = self.constants[self.uint, value] = self.id()
            self.declare(OP_CONSTANT, self.uint, i, value)
        return self.constants[self.uint, value]

    def rewrite(self):
        self.globals, body, at = [], [], 0
        while self.instructions[at][0] & 0xFFFF != OP_FUNCTION:
            at += 1
        before = self.instructions[:at]
        self.block_names = {}  # the label of a block -> that of its last part, after it was split
        while at < len(self.instructions):
            end = at
            while self.instructions[end][0] & 0xFFFF != OP_FUNCTION_END:
                end += 1
            body += self.function(self.instructions[at:end + 1])
            at = end + 1
        self.out = ([[OP_CAPABILITY, VARIABLE_POINTERS]] if self.made and self.chosen else []) + before
        self.out += self.globals + body + self.functions

    # functions

    def function(self, code):
        self.locals, out, block, label = [], [], [], None
        renamed = {}
        for w in code:
            op = w[0] & 0xFFFF
            if op == OP_LABEL:
                label = w[1]
                can_split = not self.holds_loop_merge(code, w)
                out.append(w)
                current = label
                continue
            if op in (OP_CHAIN, OP_IN_BOUNDS) and w[3] == self.bufs and len(w) == 6 and self.r.random() < 0.8:
                more, current = self.reach(w, current, can_split)
                out += more
                renamed[label] = current
                continue
            if op == OP_CALL:
                w = self.same_twice(w)
            elif op == OP_STORE:
                w = self.undefined(w, out)
            out.append(w)
        for w in out:
            if w[0] & 0xFFFF == OP_PHI:
                mine = w[2] in self.made
                for i in range(4, len(w), 2):
                    if not mine:
                        w[i] = renamed.get(w[i], w[i])
        first = next(i for i, w in enumerate(out) if w[0] & 0xFFFF == OP_LABEL) + 1
        return out[:first] + self.locals + out[first:]

    @staticmethod
    def holds_loop_merge(code, label):
        """A block that begins a loop is not split; nor is a fall-through or continue target."""
        at = next(i for i, w in enumerate(code) if w is label)
        for w in code[at + 1:]:
            op = w[0] & 0xFFFF
            if op == OP_LABEL:
                return False
            if op in (OP_LOOP_MERGE, OP_SELECTION_MERGE):
                return True
        return False

    def local(self, type):
        i = self.id()
        self.locals.append([OP_VARIABLE, self.type(OP_TYPE_POINTER, FUNCTION, type), i, FUNCTION])
        return i

    def chain(self, pointer, index, zero, out):
        i = self.id()
        out.append([OP_CHAIN, pointer, i, self.bufs, index, zero])
        return i

    def value(self, out, op, type, *operands):
        i = self.id()
        out.append([op, type, i] + list(operands))
        return i

    def reach(self, w, label, can_split):
        """Instructions that compute w[2], the pointer of the chain w; and the label of the block in which they end."""
        pointer, result, index, zero = w[1], w[2], w[4], w[5]
        out, r = [], self.r
        bool_ = self.type(OP_TYPE_BOOL)
        ways = ["tree", "element", "kept", "copied", "handed", "chosen_by_function", "structure"]
        way = r.choice(ways + ["phi", "stored"] * 2 * can_split) if self.chosen else "copied"
        self.made[result] = way
        if way == "copied":
            out.append([OP_COPY, pointer, result, self.chain(pointer, index, zero, out)])
        elif way == "tree":  # from all sixteen, by the bits of the index
            level = [self.chain(pointer, self.constant(k), zero, out) for k in range(16)]
            for bit in range(4):
                b = self.value(out, OP_AND, self.uint, index, self.constant(1 << bit))
                c = self.value(out, OP_NOT_EQUAL, bool_, b, self.constant(0))
                level = [self.value(out, OP_SELECT, pointer, c, level[k + 1], level[k])
                         for k in range(0, len(level), 2)]
            out[-1][2] = result
        elif way == "kept":
            v = self.local(pointer)
            out.append([OP_STORE, v, self.chain(pointer, index, zero, out)])
            out.append([OP_LOAD, pointer, result, v])
        elif way == "structure":
            pair = self.pair(pointer)
            v = self.local(pair)
            p = self.chain(pointer, index, zero, out)
            q = self.chain(pointer, self.constant(r.randrange(16)), zero, out)
            both = self.value(out, OP_CONSTRUCT, pair, q, p)
            out.append([OP_STORE, v, both])
            part = self.value(out, OP_CHAIN, self.type(OP_TYPE_POINTER, FUNCTION, pointer), v, self.constant(1))
            out.append([OP_LOAD, pointer, result, part])
        elif way == "handed":
            out.append([OP_CALL, pointer, result, self.identity(pointer), self.chain(pointer, index, zero, out)])
        else:
            k = self.constant(r.randrange(16))
            p, q = self.chain(pointer, index, zero, out), self.chain(pointer, k, zero, out)
            c = self.value(out, OP_EQUAL, bool_, index, k)
            if way == "element":
                out.append([OP_SELECT, pointer, result, c, q, p])
            elif way == "chosen_by_function":
                out.append([OP_CALL, pointer, result, self.chooser(pointer, bool_), c, q, p])
            else:
                label = self.split(way, out, label, pointer, result, c, q, p)
        return out, label

    def split(self, way, out, label, pointer, result, c, q, p):
        then, join = self.id(), self.id()
        v = self.local(pointer) if way == "stored" else None
        if v:
            out.append([OP_STORE, v, p])
        out += [[OP_SELECTION_MERGE, join, 0], [OP_BRANCH_IF, c, then, join], [OP_LABEL, then]]
        if v:
            out.append([OP_STORE, v, q])
        out += [[OP_BRANCH, join], [OP_LABEL, join]]
        out.append([OP_LOAD, pointer, result, v] if v else [OP_PHI, pointer, result, q, then, p, label])
        return join

    def pair(self, pointer):
        return self.type(OP_TYPE_STRUCT, pointer, pointer)

    def identity(self, pointer):
        if "identity" not in self.made:
            f, p = self.id(), self.id()
            t = self.type(OP_TYPE_FUNCTION, pointer, pointer)
            self.functions += [[OP_FUNCTION, pointer, f, 0, t], [OP_PARAMETER, pointer, p], [OP_LABEL, self.id()],
                               [OP_RETURN_VALUE, p], [OP_FUNCTION_END]]
            self.made["identity"] = f
        return self.made["identity"]

    def chooser(self, pointer, bool_):
        if "chooser" not in self.made:
            f, c, p, q, chosen = (self.id() for _ in range(5))
            t = self.type(OP_TYPE_FUNCTION, pointer, bool_, pointer, pointer)
            self.functions += [[OP_FUNCTION, pointer, f, 0, t], [OP_PARAMETER, bool_, c], [OP_PARAMETER, pointer, p],
                               [OP_PARAMETER, pointer, q], [OP_LABEL, self.id()],
                               [OP_SELECT, pointer, chosen, c, p, q], [OP_RETURN_VALUE, chosen], [OP_FUNCTION_END]]
            self.made["chooser"] = f
        return self.made["chooser"]

    # aliases, and undefined values

    def same_twice(self, w):
        """Two arguments become one variable. The last one is the key, which is kept."""
        of = {}
        for i in range(4, len(w) - 1):
            v = self.defs.get(w[i])
            if v is not None and v[3] == FUNCTION:
                of.setdefault(v[1], []).append(i)
        twice = [places for places in of.values() if len(places) > 1]
        if not twice or self.r.random() < 0.5:
            return w
        a, b = self.r.sample(self.r.choice(twice), 2)
        self.loose = True
        return w[:a] + [w[b]] + w[a + 1:]

    def undefined(self, w, out):
        """Values of the program's variables may become undefined, but not counters and keys."""
        v = self.defs.get(w[1])
        if (v is None or v[3] != FUNCTION or not self.names.get(w[1], "").startswith("u") or
                not self.names[w[1]][1:].isdigit() or self.pointee.get(v[1]) != self.uint or self.r.random() < 0.95):
            return w
        self.loose = True
        return w[:2] + [self.value(out, OP_UNDEF, self.uint)] + w[3:]
