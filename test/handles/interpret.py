# SPDX-License-Identifier: Apache-2.0
"""Interprets a compute shader, before or after lowering, and lists the descriptors that it used, in order.

A descriptor is (what, number): ("texture", (type, x)). Before, x is that of the handle; after, the index into the
heap. The result of an access is computed from its operands, so that two modules that make the same accesses store the
same results. Each logged access also has its position in the module, which is not compared, but tells which decorations
are expected there."""
import array
import zlib

(UNDEF, STRING, EXT_IMPORT, EXT_INST, ENTRY) = 1, 7, 11, 12, 15
(T_VOID, T_BOOL, T_INT, T_FLOAT, T_VECTOR, T_MATRIX, T_IMAGE, T_SAMPLER, T_SAMPLED, T_ARRAY, T_RUNTIME, T_STRUCT,
 T_POINTER, T_FUNCTION) = 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 32, 33
T_AS, T_QUERY, T_FORWARD = 5341, 4472, 39
TYPES = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 32, 33, T_AS, T_QUERY}
TRUE, FALSE, CONSTANT, COMPOSITE, NULL = 41, 42, 43, 44, 46
FUNCTION, PARAMETER, END, CALL, VARIABLE, TEXEL_POINTER, LOAD, STORE, COPY_MEMORY = 54, 55, 56, 57, 59, 60, 61, 62, 63
CHAIN, IN_BOUNDS, LENGTH, DECORATE = 65, 66, 68, 71
CONSTRUCT, EXTRACT, INSERT, COPY, COPY_LOGICAL, SAMPLED_IMAGE, IMAGE = 80, 81, 82, 83, 400, 86, 100
PHI, LABEL, BRANCH, CONDITIONAL, SWITCH, RETURN, RETURN_VALUE, UNREACHABLE = 245, 248, 249, 250, 251, 253, 254, 255
LOOP_MERGE, SELECTION_MERGE, SELECT = 246, 247, 169
U_TO_IMAGE, U_TO_SAMPLER, U_TO_SAMPLED = 5391, 5392, 5395
TO_U = {5393, 5394, 5396}
U_TO_AS, QUERY_INIT = 4447, 4473
UNIFORM_CONSTANT, UNIFORM, PHYSICAL, STORAGE_BUFFER, PUSH = 0, 2, 5349, 12, 9
IDS_BEFORE_MASK = {**dict.fromkeys((87, 88, 91, 92, 95, 98), 2), **dict.fromkeys((89, 90, 93, 94, 96, 97), 3), 99: 3}
QUERIES = {101, 102, 103, 104, 106, 107}
ATOMICS = set(range(227, 243))
NO_RESULT = {STORE, COPY_MEMORY, 99, BRANCH, CONDITIONAL, SWITCH, RETURN, RETURN_VALUE, UNREACHABLE, LOOP_MERGE,
             SELECTION_MERGE, QUERY_INIT, 8, 317, 252, 228, 0}
NOTHING = {0, 8, 317, LOOP_MERGE, SELECTION_MERGE}
MASK = 0xFFFFFFFF
BINARY = {
    128: lambda a, b: a + b & MASK, 130: lambda a, b: a - b & MASK, 132: lambda a, b: a * b & MASK,
    134: lambda a, b: a // b if b else 0, 137: lambda a, b: a % b if b else 0,
    194: lambda a, b: a >> b, 196: lambda a, b: a << b & MASK, 197: lambda a, b: a | b, 198: lambda a, b: a ^ b,
    199: lambda a, b: a & b, 164: lambda a, b: a == b, 165: lambda a, b: a != b, 166: lambda a, b: a or b,
    167: lambda a, b: a and b,
    170: lambda a, b: a == b, 171: lambda a, b: a != b, 172: lambda a, b: a > b, 174: lambda a, b: a >= b,
    176: lambda a, b: a < b, 178: lambda a, b: a <= b}


class Wrong(Exception):
    pass


def made_up(*what):
    return zlib.crc32(repr(what).encode())


def string(words):
    return array.array("I", words).tobytes().split(b"\0")[0].decode()


class Pointer:
    """root: ("var", id, number of the call of the function), or a descriptor; path: indexes into it."""
    __slots__ = ("root", "path", "type", "storage")

    def __init__(self, root, path, type, storage):
        self.root, self.path, self.type, self.storage = root, path, type, storage

    def __repr__(self):
        return "%s%s" % (self.root, self.path)


class Program:
    """A parsed module. `before`: ids from this one on were made by the tool, so arrays there are heaps."""

    def __init__(self, words, before=None, split=False, address=False, sized=False, checks=""):
        self.words, self.split, self.address, self.before, self.sized = words, split, address, before, sized
        self.checks = checks  # c: clamped, n: null
        self.def_, self.constants, self.types, self.variables, self.functions = {}, {}, {}, {}, {}
        self.decorations, self.names, self.entries, self.capabilities, self.handle_set = {}, {}, {}, set(), None
        self.imports, self.place, self.arguments = {}, {}, {}  # arguments: parameter -> what calls pass
        at, f = 5, None
        while at < len(words):
            n, op = words[at] >> 16, words[at] & 0xFFFF
            w = words[at + 1:at + n]
            f = self.read(at, op, w, f)
            at += n
        for f in self.functions.values():
            for block in f["blocks"].values():
                for op, w, _ in block:
                    if op == CALL:
                        for parameter, a in zip(self.functions[w[2]]["parameters"], w[3:]):
                            self.arguments.setdefault(parameter, []).append(a)

    def read(self, at, op, w, f):
        if op == FUNCTION:
            f = {"id": w[1], "type": w[0], "parameters": [], "blocks": {}, "first": None, "now": None}
            self.functions[w[1]] = f
        elif op == END:
            return None
        elif f is not None:
            if op == PARAMETER:
                f["parameters"].append(w[1])
                self.def_[w[1]] = (op, w, at)
            elif op == LABEL:
                f["now"] = f["blocks"].setdefault(w[0], [])
                f["label"] = w[0]
                f["first"] = f["first"] or w[0]
            else:
                f["now"].append((op, w, at))
                self.place[at] = f["label"]
                if op not in NO_RESULT:
                    self.def_[w[1]] = (op, w, at)
        else:
            self.read_global(op, w, at)
        return f

    def read_global(self, op, w, at):
        if op == DECORATE:
            self.decorations.setdefault(w[0], {})[w[1]] = w[2:]
        elif op == 5:
            self.names[w[0]] = string(w[1:])
        elif op == 17:
            self.capabilities.add(w[0])
        elif op == EXT_IMPORT:
            self.imports[w[0]] = string(w[1:])
            if self.imports[w[0]] == "NonSemantic.DescriptorHandle":
                self.handle_set = w[0]
        elif op == ENTRY:
            rest = w[2:]
            self.entries[string(rest)] = w[1]
        elif op in TYPES:
            self.types[w[0]] = (op, w)
        elif op in (TRUE, FALSE):
            self.constants[w[1]] = op == TRUE
        elif op == CONSTANT:
            self.constants[w[1]] = w[2] if len(w) == 3 else w[2] | w[3] << 32
        elif op == COMPOSITE:
            self.constants[w[1]] = tuple(self.constants[c] for c in w[2:])
        elif op in (NULL, UNDEF):
            self.constants[w[1]] = self.nothing(w[0])
        elif op == VARIABLE:
            self.variables[w[1]] = (w[0], w[2])
            self.def_[w[1]] = (op, w, at)

    def key(self, type):
        """The structure of a type, independent of its id."""
        op, w = self.types[type]
        if op in (T_IMAGE, T_SAMPLED):
            return (op, self.key(w[1])) + tuple(w[2:])
        return (op,) + tuple(w[1:]) if op in (T_INT, T_FLOAT) else (op,)

    def nothing(self, type):
        op, w = self.types[type]
        if op in (T_INT, T_FLOAT):
            return 0
        if op == T_BOOL:
            return False
        if op == T_VECTOR:
            return (self.nothing(w[1]),) * w[2]
        if op == T_ARRAY:
            return (self.nothing(w[1]),) * self.constants[w[2]]
        if op == T_STRUCT:
            return tuple(self.nothing(t) for t in w[1:])
        return ("nothing",)

    def descriptor(self, type, x, y=None, source=None):
        """The value for a descriptor of this type. source: its own kind, if it is not in a heap."""
        op, w = self.types[type]
        if op == T_SAMPLED:
            image = self.key(w[1])
            if image[2] == 5:  # Buffer
                return ("image", source or "utexbuf", image, x), None
            if self.split and y is not None:
                return ("image", "texture", image, x), ("sampler", "sampler", y)
            return ("image", source or "combined", image, x), ("sampler", source or "combined", x)
        if op == T_SAMPLER:
            return "sampler", source or "sampler", x
        if op == T_AS:
            return ("as", "address", x, y) if self.address and y is not None else ("as", source or "as", x)
        if op != T_IMAGE:
            raise Wrong("a handle of type %d" % op)
        key = self.key(type)
        kind = {(True, 1): "utexbuf", (True, 2): "stexbuf", (False, 1): "texture",
                (False, 2): "image"}[key[2] == 5, key[6]]
        return "image", source or kind, key, x

    def heap_of(self, variable):
        """The element type, if the variable is a heap."""
        type, storage = self.variables[variable]
        op, w = self.types[self.types[type][1][2]]
        return w[1] if op in (T_ARRAY, T_RUNTIME) and storage in (UNIFORM_CONSTANT, UNIFORM, STORAGE_BUFFER) else None


class Run:
    """One invocation of an entry point."""

    def __init__(self, program, lane, seed):
        self.p, self.lane, self.seed = program, lane, seed
        self.memory, self.log, self.at, self.calls, self.steps = {}, [], [], 0, 0

    def run(self, entry):
        self.call(self.p.entries[entry], [])
        return self

    # memory: leaf by leaf

    def place(self, root, path, type):
        """The initial value of memory that has not been written."""
        if root[0] == "var" and root[1] in self.p.variables:
            name = self.p.names.get(root[1], "")
            if name == "push" and path == (0,):
                return self.seed
            if name == "lane_in":
                return self.lane
            if self.p.variables[root[1]][1] in (UNIFORM_CONSTANT,):
                return self.p.descriptor(type, name, source="bound")
            if self.p.variables[root[1]][1] in (6, 7):  # Private, Function
                return self.p.nothing(type)
            if self.p.sized and name in ("push", "table"):
                return self.small(name, path)
            root = name
        elif root[0] == "var":
            return self.p.nothing(type)
        return made_up(root, path)

    def small(self, name, path):
        """Handles into heaps of 64; some out of bounds, if that is checked."""
        x = path[1] + 1 if name == "push" else 32 + (path[1] % 64 + path[1] // 64 * 5) % 32
        x = 63 - x if path[2] else x
        return x + 1000 if self.p.checks and (path[1] + path[2]) % 3 == 0 else x

    def read(self, root, path, type):
        if (root, path) in self.memory:
            return self.memory[root, path]
        op, w = self.p.types[type]
        parts = self.parts(op, w)
        if parts is None:
            value = self.place(root, path, type)
            return value & 1 if op == T_BOOL and isinstance(value, int) else value
        return tuple(self.read(root, path + (i,), t) for i, t in enumerate(parts))

    def parts(self, op, w):
        if op in (T_VECTOR, T_MATRIX):
            return [w[1]] * w[2]
        if op == T_ARRAY:
            return [w[1]] * self.p.constants[w[2]]
        return w[1:] if op == T_STRUCT else None

    def write(self, root, path, type, value):
        op, w = self.p.types[type]
        parts = self.parts(op, w)
        if parts is None:
            self.memory[root, path] = value
            return
        for i, t in enumerate(parts):
            self.write(root, path + (i,), t, value[i])

    def chain(self, pointer, indexes):
        type, path, root = pointer.type, pointer.path, pointer.root
        for i in indexes:
            op, w = self.p.types[type]
            if root[0] == "var" and not path and root[1] in self.p.variables and self.p.heap_of(root[1]):
                type, root = w[1], self.element(root[1], w[1], pointer.storage, i)
                continue
            type = w[1 + i] if op == T_STRUCT else w[1]
            path += (i,)
        return Pointer(root, path, type, pointer.storage)

    def element(self, heap, type, storage, i):
        if self.p.types[type][0] != T_STRUCT:
            return "heap", heap, i
        # 3: BufferBlock
        return "ubo" if storage == UNIFORM and 3 not in self.p.decorations.get(type, {}) else "ssbo", i

    def note(self, at, *what):
        self.log.append(what)
        self.at.append(at)

    # instructions

    def call(self, id, arguments):
        p, f = self.p, self.p.functions[id]
        if not f["first"]:
            raise Wrong("a function without a body is called")
        self.calls += 1
        v, frame, label, before = dict(zip(f["parameters"], arguments)), self.calls, f["first"], None
        while True:
            phis = [(w[1], self.get(v, next(w[i] for i in range(2, len(w), 2) if w[i + 1] == before)))
                    for op, w, _ in f["blocks"][label] if op == PHI]
            v.update(phis)
            for op, w, at in f["blocks"][label]:
                self.steps += 1
                if self.steps > 20000:
                    raise Wrong("it does not end")
                if op == PHI:
                    continue
                if op == BRANCH:
                    before, label = label, w[0]
                elif op == CONDITIONAL:
                    before, label = label, w[1] if self.get(v, w[0]) else w[2]
                elif op == SWITCH:
                    n = self.get(v, w[0])
                    before, label = label, next((w[i + 1] for i in range(2, len(w), 2) if w[i] == n), w[1])
                elif op == RETURN:
                    return None
                elif op == RETURN_VALUE:
                    return self.get(v, w[0])
                elif op in NOTHING:
                    continue
                elif op == UNREACHABLE:
                    raise Wrong("OpUnreachable is reached")
                else:
                    self.step(v, frame, op, w, at)

    def get(self, v, id):
        if id in v:
            return v[id]
        p = self.p
        if id in p.constants:
            return p.constants[id]
        if id in p.variables:
            type, storage = p.variables[id]
            return Pointer(("var", id), (), p.types[type][1][2], storage)
        raise Wrong("%%%d has no value" % id)

    def step(self, v, frame, op, w, at):
        p = self.p
        if op == VARIABLE:
            v[w[1]] = Pointer(("var", w[1], frame), (), p.types[w[0]][1][2], w[2])
        elif op == LOAD:
            v[w[1]] = self.load(w[0], self.get(v, w[2]), at)
        elif op == STORE:
            self.store(self.get(v, w[0]), self.get(v, w[1]), at)
        elif op in (CHAIN, IN_BOUNDS):
            v[w[1]] = self.chain(self.get(v, w[2]), [self.get(v, i) for i in w[3:]])
        elif op == CALL:
            v[w[1]] = self.called(w[0], w[2], [self.get(v, a) for a in w[3:]])
        elif op == EXT_INST:
            v[w[1]] = self.extended(w, [self.get(v, i) for i in w[4:]])
        elif op in (COPY, COPY_LOGICAL):
            v[w[1]] = self.get(v, w[2])
        elif op == CONSTRUCT:
            v[w[1]] = self.construct(w, [self.get(v, i) for i in w[2:]])
        elif op == EXTRACT:
            value = self.get(v, w[2])
            for i in w[3:]:
                value = value[i]
            v[w[1]] = value
        elif op == INSERT:
            v[w[1]] = self.insert(self.get(v, w[2]), self.get(v, w[3]), w[4:])
        elif op == SELECT:
            v[w[1]] = self.select(*[self.get(v, i) for i in w[2:]])
        elif op == UNDEF:
            v[w[1]] = p.nothing(w[0])
        elif op in BINARY:
            v[w[1]] = self.each(BINARY[op], self.get(v, w[2]), self.get(v, w[3]))
        elif op == 168:
            v[w[1]] = not self.get(v, w[2])
        elif op in (124, 117, 120):  # OpBitcast, OpConvertPtrToU, OpConvertUToPtr
            v[w[1]] = self.bitcast(w[0], self.get(v, w[2]))
        elif op == 113:  # OpUConvert
            v[w[1]] = self.get(v, w[2]) & (1 << p.types[w[0]][1][1]) - 1
        else:
            self.access(v, op, w, at)

    @staticmethod
    def each(f, a, b):
        return tuple(f(x, y) for x, y in zip(a, b)) if isinstance(a, tuple) else f(a, b)

    @staticmethod
    def select(c, a, b):
        return tuple(x if k else y for k, x, y in zip(c, a, b)) if isinstance(c, tuple) else a if c else b

    def insert(self, what, into, path):
        return what if not path else into[:path[0]] + (self.insert(what, into[path[0]], path[1:]),) + into[path[0] + 1:]

    def construct(self, w, parts):
        if self.p.types[w[0]][0] != T_VECTOR:
            return tuple(parts)
        return tuple(x for part in parts for x in (part if isinstance(part, tuple) else (part,)))

    def bitcast(self, type, value):
        op, w = self.p.types[type]
        if op == T_POINTER and isinstance(value, tuple):
            return self.buffer(type, value, 2)
        if isinstance(value, tuple) and op == T_INT and w[1] == 64:
            return value[0] | value[1] << 32
        if isinstance(value, int) and op == T_VECTOR and self.p.types[w[1]][1][1] == 32 and w[2] == 2:
            return value & MASK, value >> 32
        return value

    def load(self, type, pointer, at):
        p = self.p
        if not isinstance(pointer, Pointer):  # a value instead of a pointer, as glslang passes it
            return pointer
        if pointer.root[0] == "heap":
            return p.descriptor(type, pointer.root[2])
        for path in self.leaves(pointer):
            self.note(at, "load", pointer.root, path)
        return self.read(pointer.root, pointer.path, pointer.type)

    def leaves(self, pointer):
        """The leaves of a block, since a whole load may become loads of parts."""
        work = [(pointer.path, pointer.type)] if pointer.root[0] in ("ssbo", "ubo") else []
        while work:
            path, type = work.pop()
            parts = self.parts(*self.p.types[type])
            if parts is None:
                yield path
            else:
                work += [(path + (i,), t) for i, t in reversed(list(enumerate(parts)))]

    def store(self, pointer, value, at):
        self.write(pointer.root, pointer.path, pointer.type, value)
        for path in self.leaves(pointer):
            self.note(at, "store", pointer.root, path, self.memory[pointer.root, path])
        if pointer.root[0] == "var" and self.p.names.get(pointer.root[1]) == "out":
            self.note(0, "result", pointer.path, value)

    def called(self, type, function, arguments):
        p = self.p
        if not p.functions[function]["first"] and p.before is None and len(arguments) == 1:
            return self.dereference(type, arguments[0])
        return self.call(function, arguments)

    def extended(self, w, arguments):
        p = self.p
        if w[2] == p.handle_set and p.before is None:
            return self.dereference(w[0], arguments[0], w[3])
        if p.imports.get(w[2]) == "GLSL.std.450" and w[3] == 38:
            return min(arguments)
        raise Wrong("extended instruction %d" % w[3])

    def dereference(self, type, handle, number=2):
        x, y = handle if isinstance(handle, tuple) else (handle & MASK, handle >> 32)
        if self.p.types[type][0] == T_POINTER:
            return self.buffer(type, (x, y), number)
        if self.p.types[type][0] == T_AS and self.p.address:
            return self.p.descriptor(type, x, y)
        return self.p.descriptor(type, self.checked(x), self.checked(y))

    def checked(self, x):
        """The checked index, from the index before lowering."""
        if not self.p.checks or self.p.before is not None or x < 64:
            return x
        return 63 if self.p.checks == "c" else 0

    def buffer(self, type, handle, number):
        return Pointer(("ubo" if number == 3 else "ssbo", self.checked(handle[0])), (), self.p.types[type][1][2],
                       PHYSICAL)

    def access(self, v, op, w, at):
        p = self.p
        if p.before is None and op in (U_TO_IMAGE, U_TO_SAMPLER, U_TO_SAMPLED):
            v[w[1]] = self.dereference(w[0], self.get(v, w[2]))
        elif op == U_TO_AS:
            n = self.get(v, w[2])
            x, y = n if isinstance(n, tuple) else (n & MASK, n >> 32)
            v[w[1]] = ("as", "address", x, y)
        elif op == SAMPLED_IMAGE:
            v[w[1]] = (self.get(v, w[2]), self.get(v, w[3]))
        elif op == IMAGE:
            v[w[1]] = self.get(v, w[2])[0]
        elif op == TEXEL_POINTER:
            image = self.get(v, w[2])
            if isinstance(image, Pointer):
                image = self.load(image.type, image, at)
            v[w[1]] = ("texel", image, self.get(v, w[3]), self.get(v, w[4]))
        elif op == LENGTH:
            pointer = self.get(v, w[2])
            self.note(at, "length", str(pointer), w[3])
            v[w[1]] = made_up("length", str(pointer))
        elif op in ATOMICS:
            self.atomic(v, op, w, at)
        elif op == QUERY_INIT:
            self.note(at, "query", *[self.get(v, i) for i in w[1:]])
        elif op in IDS_BEFORE_MASK or op in QUERIES:
            self.image(v, op, w, at)
        else:
            raise Wrong("opcode %d" % op)

    def atomic(self, v, op, w, at):
        operands = w if op in NO_RESULT else w[2:]
        values = [self.get(v, i) for i in operands]
        if isinstance(values[0], Pointer):
            if values[0].root[0] == "var":
                raise Wrong("an atomic to something else")
            values[0] = str(values[0])
        self.note(at, op, *values)
        if op not in NO_RESULT:
            v[w[1]] = made_up(op, *values)

    def image(self, v, op, w, at):
        operands = w if op in NO_RESULT else w[2:]
        n = IDS_BEFORE_MASK.get(op, len(operands))
        values = [self.get(v, i) for i in operands[:n]] + list(operands[n:n + 1]) + [self.get(v, i)
                                                                                     for i in operands[n + 1:]]
        self.note(at, op, *values)
        if op in NO_RESULT:
            return
        top, t = self.p.types[w[0]]
        n = made_up(op, *values)
        v[w[1]] = tuple(n + i & MASK for i in range(t[2])) if top == T_VECTOR else n
