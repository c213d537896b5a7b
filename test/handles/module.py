# SPDX-License-Identifier: Apache-2.0
"""A module in assembly, section by section; types and constants are made on first use.

Four invocations. A uniform handle comes from the push constants, a divergent one from a buffer that is indexed by the
invocation; so does a condition."""

INDEXING = '"SPV_EXT_descriptor_indexing"'


class Module:
    def __init__(self, version):
        self.version = version  # the minor one
        self.capabilities, self.extensions, self.imports, self.modes = ["Shader"], [], [], []
        self.notes, self.globals, self.functions, self.known = [], [], [], {}
        self.body, self.entries, self.interface = None, [], ["%lane_in"]
        self.model = "Logical GLSL450"
        self.count = 0
        if version < 3:
            self.extension('"SPV_KHR_storage_buffer_storage_class"')
        self.void = self.type("OpTypeVoid", "void")
        self.uint = self.type("OpTypeInt 32 0", "uint")
        self.float = self.type("OpTypeFloat 32", "float")
        self.bool = self.type("OpTypeBool", "bool")
        self.v2uint = self.vector(self.uint, 2)
        self.blocks()

    def capability(self, *names):
        for n in names:
            if n not in self.capabilities:
                self.capabilities.append(n)

    def extension(self, name):
        if name not in self.extensions:
            self.extensions.append(name)

    def id(self, hint="t"):
        self.count += 1
        return "%%%s_%d" % (hint, self.count)

    def type(self, text, name=None):
        """Also constants: equal texts are the same id."""
        if text not in self.known:
            self.known[text] = "%" + name if name else self.id("g")
            self.globals.append("%s = %s" % (self.known[text], text))
        return self.known[text]

    def apart(self, text, hint):
        """A new type, even if there is an equal one."""
        i = self.id(hint)
        self.globals.append("%s = %s" % (i, text))
        return i

    def vector(self, part, n):
        return part if n == 1 else self.type("OpTypeVector %s %d" % (part, n))

    def int(self):
        return self.type("OpTypeInt 32 1", "int")

    def ulong(self):
        self.capability("Int64")
        return self.type("OpTypeInt 64 0", "ulong")

    def scalar(self, component):
        return {"float": self.float, "uint": self.uint}.get(component) or self.int()

    def u(self, n):
        return self.type("OpConstant %s %d" % (self.uint, n))

    def i(self, n):
        return self.type("OpConstant %s %d" % (self.int(), n))

    def f(self, x):
        return self.type("OpConstant %s %s" % (self.float, x))

    def many(self, part, values):
        if len(values) == 1:
            return values[0]
        return self.type("OpConstantComposite %s %s" % (self.vector(part, len(values)), " ".join(values)))

    def known_as(self, type):
        """Its opcode."""
        for text, i in self.known.items():
            if i == type:
                return text.split()[0]
        return None

    def pointer(self, storage, to):
        return self.type("OpTypePointer %s %s" % (storage, to))

    def function_type(self, result, *parameters):
        return self.type(" ".join(("OpTypeFunction", result) + parameters))

    def variable(self, storage, to, hint="v"):
        """Not in functions."""
        i = self.id(hint)
        self.globals.append("%s = OpVariable %s %s" % (i, self.pointer(storage, to), storage))
        self.aliased(i, to)
        if self.version >= 4 or storage in ("Input", "Output"):
            self.interface.append(i)
        return i

    def note(self, *texts):
        for t in texts:
            if t not in self.notes:
                self.notes.append(t)

    def mark(self, i):
        self.capability("ShaderNonUniform")
        if self.version < 5:
            self.extension(INDEXING)
        self.note("OpDecorate %s NonUniform" % i)

    def blocks(self):
        self.handle_array = self.type("OpTypeRuntimeArray %s" % self.v2uint, "handles_array")
        self.word_array = self.type("OpTypeRuntimeArray %s" % self.uint, "words_array")
        pushed = self.type("OpTypeArray %s %s" % (self.v2uint, self.u(32)), "pushed_array")
        for name, parts in (("Table", self.handle_array), ("Out", self.word_array), ("Push", self.uint + " " + pushed)):
            self.type("OpTypeStruct " + parts, name)
            self.note("OpDecorate %%%s Block" % name, 'OpName %%%s "%s"' % (name, name))
        self.note("OpDecorate %handles_array ArrayStride 8", "OpDecorate %words_array ArrayStride 4",
                  "OpDecorate %pushed_array ArrayStride 8", "OpMemberDecorate %Table 0 Offset 0",
                  "OpMemberDecorate %Out 0 Offset 0", "OpMemberDecorate %Push 0 Offset 0",
                  "OpMemberDecorate %Push 1 Offset 8",
                  "OpMemberDecorate %Table 0 NonWritable", "OpDecorate %lane_in BuiltIn LocalInvocationIndex")
        for name, storage, to in (("table", "StorageBuffer", "%Table"), ("out", "StorageBuffer", "%Out"),
                                  ("push", "PushConstant", "%Push"), ("lane_in", "Input", self.uint)):
            self.globals.append("%%%s = OpVariable %s %s" % (name, self.pointer(storage, to), storage))
            self.note('OpName %%%s "%s"' % (name, name))
            if storage == "StorageBuffer":
                self.note("OpDecorate %%%s DescriptorSet 0" % name, "OpDecorate %%%s Binding 65534" % name)
            if self.version >= 4 and name != "lane_in":
                self.interface.append("%" + name)

    # functions

    def op(self, text):
        self.body.append(text)

    def value(self, op, type, *operands):
        i = self.id()
        self.body.append("%s = %s %s %s" % (i, op, type, " ".join(operands)))
        return i

    def label(self, i=None):
        i = i or self.id("b")
        self.body.append(i + " = OpLabel")
        self.block = i
        return i

    def begin(self, result, *parameters):
        """Returns the function and its parameters. An open function continues after end()."""
        self.open = getattr(self, "open", [])
        self.open.append((self.body, getattr(self, "block", None)))
        self.body = []
        f = self.id("f")
        self.body.append("%s = OpFunction %s None %s" % (f, result, self.function_type(result, *parameters)))
        given = []
        for p in parameters:
            given.append(self.id("p"))
            self.body.append("%s = OpFunctionParameter %s" % (given[-1], p))
            self.aliased(given[-1], p)
        self.label()
        return [f] + given

    def end(self, value=None):
        self.body.append("OpReturnValue " + value if value else "OpReturn")
        self.body.append("OpFunctionEnd")
        self.functions.append(self.place_variables(self.body))
        self.body, self.block = self.open.pop()

    @staticmethod
    def place_variables(body):
        """Puts variables of a function at its beginning."""
        variables = [l for l in body if " = OpVariable " in l]
        at = next(i for i, l in enumerate(body) if l.endswith(" = OpLabel")) + 1
        rest = [l for l in body if " = OpVariable " not in l]
        return rest[:at] + variables + rest[at:]

    def local(self, type):
        i = self.id("v")
        self.body.append("%s = OpVariable %s Function" % (i, self.pointer("Function", type)))
        self.aliased(i, type)
        return i

    def aliased(self, i, type):
        """Front ends decorate variables that hold an address (AliasedPointer)."""
        text = next((t for t, known in self.known.items() if known == type), "")
        if text.startswith("OpTypePointer PhysicalStorageBuffer"):
            self.note("OpDecorate %s %s" % (i, "Aliased" if i.startswith("%p_") else "AliasedPointer"))

    def load(self, type, pointer):
        return self.value("OpLoad", type, pointer)

    def chain(self, storage, to, base, *indexes):
        return self.value("OpAccessChain", self.pointer(storage, to), base, *indexes)

    def lane(self):
        return self.load(self.uint, "%lane_in")

    def store_result(self, word, number):
        self.op("OpStore %s %s" % (self.chain("StorageBuffer", self.uint, "%out", self.u(0), self.u(number)), word))

    def entry(self, f, name):
        self.entries.append((f, name))

    def text(self):
        out = ["OpCapability " + c for c in self.capabilities]
        out += ["OpExtension " + e for e in self.extensions] + self.imports
        out.append("OpMemoryModel " + self.model)
        out += self.modes
        for f, name in self.entries:
            out.append('OpEntryPoint GLCompute %s "%s" %s' % (f, name, " ".join(self.interface)))
        out += ["OpExecutionMode %s LocalSize 4 1 1" % f for f, _ in self.entries]
        out += sorted(self.notes, key=lambda l: not l.startswith("OpName")) + self.globals
        for f in self.functions:
            out += f
        return "\n".join(out) + "\n"
