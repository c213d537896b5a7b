# SPDX-License-Identifier: Apache-2.0
"""Paths from a dereference to the use of its descriptor.

A flow is emitted several times in one module, for handles that are uniform (U), uniform but decorated NonUniform by the
author (M), divergent (D), and, where the flow chooses, for a divergent choice (C)."""

FLOWS = {}
NATURES = "UMD"


class Emit:
    """One of these emissions."""

    def __init__(self, m, kind, dialect, slot, nature, mark_at, apart, results):
        self.m, self.kind, self.dialect, self.slot, self.nature = m, kind, dialect, slot, nature
        self.mark_at, self.apart, self.results = mark_at, apart, results

    def begin(self):
        self.m.store_result(self.m.u(self.slot), 1000)

    def type(self):
        return self.kind.type(self.m)

    def handle(self, k):
        m, number = self.m, self.slot * 4 + k
        if self.nature == "D":
            at = m.value("OpIAdd", m.uint, m.value("OpIMul", m.uint, m.lane(), m.u(64)), m.u(number))
            return m.load(m.v2uint, m.chain("StorageBuffer", m.v2uint, "%table", m.u(0), at))
        h = m.load(m.v2uint, m.chain("PushConstant", m.v2uint, "%push", m.u(1), m.u(number)))
        if self.nature == "M" and self.mark_at == "handle":
            h = m.value("OpCopyObject", m.v2uint, h)
            m.mark(h)
        return h

    def uniform_condition(self):
        m = self.m
        return m.load(m.uint, m.chain("PushConstant", m.uint, "%push", m.u(0)))

    def number(self):
        """0 or 1."""
        m = self.m
        from_lane = self.nature in "DC"
        return m.value("OpBitwiseAnd", m.uint, m.lane() if from_lane else self.uniform_condition(), m.u(1))

    def condition(self):
        m = self.m
        return m.value("OpINotEqual", m.bool, self.number(), m.u(0))

    def dereference(self, h):
        v = dereference(self.m, self.dialect_here(), self.type(), h, getattr(self.kind, "number", 1))
        if self.nature == "M" and self.mark_at == "value":
            self.m.mark(v)
        return v

    def dialect_here(self):
        return ("ext", "nv64", "import", "nv32")[self.slot % 4] if self.dialect == "mixed" else self.dialect

    def plain_dereference(self, type):
        """By a uniform handle."""
        m = self.m
        h = m.load(m.v2uint, m.chain("PushConstant", m.v2uint, "%push", m.u(1), m.u(30)))
        return dereference(m, self.dialect_here(), type, h)

    def marks_last(self):
        return self.nature == "M" and self.mark_at == "final"

    def use(self, v):
        if self.marks_last():
            self.m.mark(v)
        self.kind.use(self, v)

    def use_pointer(self, p):
        if hasattr(self.kind, "use_pointer"):
            self.kind.use_pointer(self, p)
        else:
            self.use(self.m.load(self.type(), p))

    def once(self, key, make):
        """One function for all emissions, or one for each."""
        if self.apart:
            key = (key, self.slot)
        made = self.m.__dict__.setdefault("made", {})
        if key not in made:
            made[key] = make()
        return made[key]


def dereference(m, dialect, type, h, number=1):
    if dialect == "reference":
        return m.value("OpBitcast", type, h)
    if dialect == "import":
        return m.value("OpFunctionCall", type, importer(m, type), h)
    if dialect in ("ext", "heap") or m.known_as(type) == "OpTypeAccelerationStructureKHR":
        if not m.imports:
            m.imports.append('%handle_set = OpExtInstImport "NonSemantic.DescriptorHandle"')
        return m.value("OpExtInst", type, "%handle_set", str(number), h)
    m.capability("BindlessTextureNV")
    m.extension('"SPV_NV_bindless_texture"')
    width = "64" if dialect == "nv64" else "32"
    if not m.modes:
        m.modes.append("OpSamplerImageAddressingModeNV " + width)
    op = {"OpTypeSampler": "OpConvertUToSamplerNV", "OpTypeSampledImage": "OpConvertUToSampledImageNV"}
    n = m.value("OpBitcast", m.ulong(), h) if width == "64" else m.value("OpCompositeExtract", m.uint, h, "0")
    return m.value(op.get(m.known_as(type), "OpConvertUToImageNV"), type, n)


def importer(m, type):
    made = m.__dict__.setdefault("importers", {})
    if type not in made:
        m.capability("Linkage")
        f, p = m.id("imported"), m.id("p")
        m.functions.insert(0, ["%s = OpFunction %s None %s" % (f, type, m.function_type(type, m.v2uint)),
                               "%s = OpFunctionParameter %s" % (p, m.v2uint), "OpFunctionEnd"])
        m.note('OpDecorate %s LinkageAttributes "getDescriptorFromHandle_%d" Import' % (f, len(made)))
        made[type] = f
    return made[type]


def flow(**properties):
    def add(f):
        f.natures, f.least = properties.get("natures", NATURES), properties.get("least", 0)
        f.bound, f.where, f.name = properties.get("bound", False), properties.get("where", lambda k: True), f.__name__
        f.entries, f.chooses = properties.get("entries", 1), \
            properties.get("chooses", "C" in properties.get("natures", NATURES))
        FLOWS[f.__name__] = f
        return f
    return add


@flow()
def direct(x):
    x.use(x.dereference(x.handle(0)))


@flow()
def guarded(x):
    """Dereferenced before the guard; the descriptor may only be read after it."""
    m = x.m
    v = x.dereference(x.handle(0))
    inside, after = m.id("b"), m.id("b")
    c = x.condition()
    m.op("OpSelectionMerge %s None" % after)
    m.op("OpBranchConditional %s %s %s" % (c, inside, after))
    m.label(inside)
    x.use(v)
    m.op("OpBranch " + after)
    m.label(after)


@flow()
def copied(x):
    v = x.dereference(x.handle(0))
    for _ in range(2):
        v = x.m.value("OpCopyObject", x.type(), v)
    x.use(v)


@flow(least=4)
def copied_logically(x):
    m, t = x.m, x.type()
    a, b = m.type("OpTypeStruct %s %s" % (t, m.uint)), x.once("struct",
                                                              lambda: m.apart("OpTypeStruct %s %s" % (t, m.uint), "s"))
    s = m.value("OpCompositeConstruct", a, x.dereference(x.handle(0)), m.u(1))
    x.use(m.value("OpCompositeExtract", t, m.value("OpCopyLogical", b, s), "0"))


def choose(x, first, second):
    """Blocks for two sides; returns (value, block) of each, in the block after them."""
    m = x.m
    one, other, after = m.id("b"), m.id("b"), m.id("b")
    c = x.condition()
    m.op("OpSelectionMerge %s None" % after)
    m.op("OpBranchConditional %s %s %s" % (c, one, other))
    sides = []
    for label, side in ((one, first), (other, second)):
        m.label(label)
        sides.append((side(), m.block))
        m.op("OpBranch " + after)
    m.label(after)
    return sides


@flow(natures="UMDC")
def phi(x):
    a, b = choose(x, lambda: x.dereference(x.handle(0)), lambda: x.dereference(x.handle(1)))
    x.use(x.m.value("OpPhi", x.type(), *a, *b))


@flow(natures="UMDC")
def phi_of_earlier(x):
    """Both are dereferenced before; one path goes directly to the join."""
    m = x.m
    v, w = x.dereference(x.handle(0)), x.dereference(x.handle(1))
    side, after = m.id("b"), m.id("b")
    c, before = x.condition(), m.block
    m.op("OpSelectionMerge %s None" % after)
    m.op("OpBranchConditional %s %s %s" % (c, side, after))
    m.label(side)
    m.op("OpBranch " + after)
    m.label(after)
    x.use(m.value("OpPhi", x.type(), v, before, w, side))


@flow(natures="UMDC")
def select(x):
    v, w = x.dereference(x.handle(0)), x.dereference(x.handle(1))
    x.use(x.m.value("OpSelect", x.type(), x.condition(), v, w))


@flow(chooses=True)
def loop(x):
    """The first iteration has one descriptor, all others the next."""
    m = x.m
    v = x.dereference(x.handle(0))
    head, body, onward, after = m.id("b"), m.id("b"), m.id("b"), m.id("b")
    before, w, next_i, phi, i = m.block, m.id("w"), m.id("i"), m.id("v"), m.id("i")
    m.op("OpBranch " + head)
    m.label(head)
    m.op("%s = OpPhi %s %s %s %s %s" % (phi, x.type(), v, before, w, onward))
    m.op("%s = OpPhi %s %s %s %s %s" % (i, m.uint, m.u(0), before, next_i, onward))
    m.op("OpLoopMerge %s %s None" % (after, onward))
    m.op("OpBranch " + body)
    m.label(body)
    x.use(phi)
    m.op("OpBranch " + onward)
    m.label(onward)
    m.op("%s = OpIAdd %s %s %s" % (next_i, m.uint, i, m.u(1)))
    made = x.dereference(x.handle(1))
    m.op("%s = OpCopyObject %s %s" % (w, x.type(), made))
    m.op("OpBranchConditional %s %s %s" % (m.value("OpULessThan", m.bool, next_i, m.u(3)), head, after))
    m.label(after)


def call_by_value(x):
    m = x.m
    f, p = m.begin(m.void, x.type())
    x.use(p)
    m.end()
    return f


@flow()
def parameter(x):
    f = x.once("by value", lambda: call_by_value(x))
    x.m.value("OpFunctionCall", x.m.void, f, x.dereference(x.handle(0)))


@flow()
def parameter_twice(x):
    """Through a function that only passes it on."""
    m = x.m
    f = x.once("by value", lambda: call_by_value(x))

    def outer():
        g, p, _ = m.begin(m.void, x.type(), m.uint)
        m.value("OpFunctionCall", m.void, f, p)
        m.end()
        return g
    g = x.once("outer", outer)
    m.value("OpFunctionCall", m.void, g, x.dereference(x.handle(0)), m.u(1))


def call_by_pointer(x):
    m = x.m
    f, p = m.begin(m.void, m.pointer("UniformConstant", x.type()))
    x.use_pointer(p)
    m.end()
    return f


@flow(where=lambda k: not k.pointer)
def parameter_pointer(x):
    """Like glslang: a value where the function takes a pointer."""
    f = x.once("by pointer", lambda: call_by_pointer(x))
    x.m.value("OpFunctionCall", x.m.void, f, x.dereference(x.handle(0)))


@flow(where=lambda k: not k.pointer)
def loaded(x):
    """The same, after glslang -Os has inlined the function: a load from the value itself."""
    x.use(x.m.load(x.type(), x.dereference(x.handle(0))))


@flow(bound=True)
def bound_too(x):
    """The same function takes a bound resource."""
    m = x.m

    def bound():
        v = m.variable("UniformConstant", x.type(), "bound")
        m.note("OpDecorate %s DescriptorSet 0" % v, "OpDecorate %s Binding 65534" % v, 'OpName %s "%s"' % (v, v[1:]))
        return v
    f = x.once("by pointer", lambda: call_by_pointer(x))
    m.value("OpFunctionCall", m.void, f, x.once("bound", bound))
    m.value("OpFunctionCall", m.void, f, x.dereference(x.handle(0)))


@flow(bound=True, where=lambda k: not hasattr(k, "use_pointer"))
def bound_too_by_value(x):
    m = x.m

    def bound():
        v = m.variable("UniformConstant", x.type(), "bound")
        m.note("OpDecorate %s DescriptorSet 0" % v, "OpDecorate %s Binding 65534" % v, 'OpName %s "%s"' % (v, v[1:]))
        return v
    f = x.once("by value", lambda: call_by_value(x))
    m.value("OpFunctionCall", m.void, f, m.load(x.type(), x.once("bound", bound)))
    m.value("OpFunctionCall", m.void, f, x.dereference(x.handle(0)))


@flow()
def returned(x):
    m = x.m

    def make():
        f, p = m.begin(x.type(), m.v2uint)
        m.end(x.dereference(p))
        return f
    x.use(m.value("OpFunctionCall", x.type(), x.once("maker", make), x.handle(0)))


@flow(natures="UMDC")
def returned_early(x):
    """One of two, from different blocks of the function."""
    m = x.m

    def make():
        f, p, q, c = m.begin(x.type(), m.v2uint, m.v2uint, m.bool)
        one, after = m.id("b"), m.id("b")
        m.op("OpSelectionMerge %s None" % after)
        m.op("OpBranchConditional %s %s %s" % (c, one, after))
        m.label(one)
        m.op("OpReturnValue " + x.dereference(p))
        m.label(after)
        m.end(x.dereference(q))
        return f
    x.use(m.value("OpFunctionCall", x.type(), x.once("maker", make), x.handle(0), x.handle(1), x.condition()))


@flow()
def variable(x):
    v = x.m.local(x.type())
    x.m.op("OpStore %s %s" % (v, x.dereference(x.handle(0))))
    x.use_pointer(v)


@flow(natures="UMDC")
def variable_in_branches(x):
    m = x.m
    v = m.local(x.type())
    choose(x, lambda: m.op("OpStore %s %s" % (v, x.dereference(x.handle(0)))),
           lambda: m.op("OpStore %s %s" % (v, x.dereference(x.handle(1)))))
    x.use_pointer(v)


@flow()
def private_variable(x):
    """Written in one function, read in another."""
    m = x.m
    v = m.variable("Private", x.type())
    f, p = m.begin(m.void, m.v2uint)
    m.op("OpStore %s %s" % (v, x.dereference(p)))
    m.end()
    m.value("OpFunctionCall", m.void, f, x.handle(0))
    f, = m.begin(m.void)
    x.use_pointer(v)
    m.end()
    m.value("OpFunctionCall", m.void, f)


def store_both(x, v):
    m = x.m
    for k in range(2):
        m.op("OpStore %s %s" % (m.chain("Function", x.type(), v, m.u(k)), x.dereference(x.handle(k))))


@flow()
def array(x):
    m = x.m
    v = m.local(m.type("OpTypeArray %s %s" % (x.type(), m.u(2))))
    store_both(x, v)
    x.use_pointer(m.chain("Function", x.type(), v, m.u(1)))
    x.use_pointer(m.chain("Function", x.type(), v, m.u(0)))


@flow(natures="UMDC")
def array_dynamic(x):
    m = x.m
    v = m.local(m.type("OpTypeArray %s %s" % (x.type(), m.u(2))))
    store_both(x, v)
    x.use_pointer(m.chain("Function", x.type(), v, x.number()))


@flow()
def array_value(x):
    m = x.m
    t = m.type("OpTypeArray %s %s" % (x.type(), m.u(2)))
    a = m.value("OpCompositeConstruct", t, x.dereference(x.handle(0)), x.dereference(x.handle(1)))
    x.use(m.value("OpCompositeExtract", x.type(), a, "1"))


@flow()
def struct(x):
    m = x.m
    t = m.type("OpTypeStruct %s %s %s" % (m.uint, x.type(), m.uint))
    v = m.local(t)
    m.op("OpStore %s %s" % (v, m.value("OpCompositeConstruct", t, m.u(1), x.dereference(x.handle(0)), m.u(2))))
    x.use_pointer(m.chain("Function", x.type(), v, m.u(1)))
    x.use(m.value("OpCompositeExtract", x.type(), m.load(t, v), "1"))


@flow()
def struct_value(x):
    m = x.m
    t = m.type("OpTypeStruct %s %s %s" % (m.uint, x.type(), m.uint))
    s = m.value("OpCompositeConstruct", t, m.u(1), x.dereference(x.handle(0)), m.u(2))
    s = m.value("OpCompositeInsert", t, x.dereference(x.handle(1)), s, "1")
    x.use(m.value("OpCompositeExtract", x.type(), s, "1"))


@flow()
def struct_parameter(x):
    m = x.m
    t = m.type("OpTypeStruct %s %s" % (m.uint, x.type()))

    def make():
        f, p = m.begin(m.void, t)
        x.use(m.value("OpCompositeExtract", x.type(), p, "1"))
        m.end()
        return f
    s = m.value("OpCompositeConstruct", t, m.u(1), x.dereference(x.handle(0)))
    m.value("OpFunctionCall", m.void, x.once("struct by value", make), s)


@flow()
def out_parameter(x):
    """Written through a pointer to a variable of the caller."""
    m = x.m

    def make():
        f, p, h = m.begin(m.void, m.pointer("Function", x.type()), m.v2uint)
        m.op("OpStore %s %s" % (p, x.dereference(h)))
        m.end()
        return f
    v = m.local(x.type())
    m.value("OpFunctionCall", m.void, x.once("writer", make), v, x.handle(0))
    x.use_pointer(v)


@flow(entries=2)
def two_entry_points(x):
    """A function that both call; handles of one are uniform, those of the other divergent."""
    f = x.once("by value", lambda: call_by_value(x))
    x.m.value("OpFunctionCall", x.m.void, f, x.dereference(x.handle(0)))
    x.use(x.dereference(x.handle(1)))
