# SPDX-License-Identifier: Apache-2.0
"""What must not be called uniform, next to what may be: inputs by the components that the previous stage writes,
whatever their types; memory that is written elsewhere, in functions, by calls, through aliases or while invocations
move.

    uniformity_claims.py --bind B [--only WORD]"""
import itertools
import json
import os
import random
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import bind, spirv_as  # noqa: E402
from uniformity_families import FUNCTION, MOVE, MOVES, SHARED  # noqa: E402
from uniformity_values import MEMORIES, OUTSIDE, READS as PLAIN_READS, WORKGROUP, check  # noqa: E402

STAGE = """OpCapability Shader
OpCapability Int64
OpCapability Geometry
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" {interface}
{more}
{mode}
OpDecorate %id_in BuiltIn {builtin}
OpDecorate %bufs DescriptorSet 0
OpDecorate %bufs Binding {binding}
OpDecorate %Buf Block
OpMemberDecorate %Buf 0 Offset 0
OpMemberDecorate %Buf 0 NonWritable
OpDecorate %Push Block
OpMemberDecorate %Push 0 Offset 0
{decorations}
%void = OpTypeVoid
%fnvoid = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%three = OpConstant %uint 3
%nine = OpConstant %uint 9
%Buf = OpTypeStruct %uint
%bufn = OpTypeArray %Buf %nine
%pbufs = OpTypePointer StorageBuffer %bufn
%puint = OpTypePointer StorageBuffer %uint
%bufs = OpVariable %pbufs StorageBuffer
%Push = OpTypeStruct %uint
%ppush = OpTypePointer PushConstant %Push
%ppushu = OpTypePointer PushConstant %uint
%push = OpVariable %ppush PushConstant
%inint = OpTypePointer Input %uint
%id_in = OpVariable %inint Input
{types}
%main = OpFunction %void None %fnvoid
%entry = OpLabel
%differs = OpLoad %uint %id_in
%psame = OpAccessChain %ppushu %push %zero
%same = OpLoad %uint %psame
{body}
OpReturn
OpFunctionEnd
{functions}
"""
MODELS = {"Vertex": ("", "VertexIndex"), "Fragment": ("OpExecutionMode %main OriginUpperLeft", "SampleId"), "Geometry":
    ("OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\nOpExecutionMode %main OutputTriangleStrip\n"
    "OpExecutionMode %main OutputVertices 3", "InvocationId"), "TessellationControl":
    ("OpExecutionMode %main OutputVertices 3", "InvocationId"), "TessellationEvaluation": (
        "OpExecutionMode %main Triangles", "PrimitiveId")}


class Side:
    """The types, the interface and the body of one entry point of a program."""

    def __init__(self, model, storage):
        self.model, self.storage, self.types, self.named = model, storage, ["%zero = OpConstant %uint 0"], {}
        self.decorations, self.body, self.interface, self.functions, self.more = [], [], ["%id_in"], [], []

    def declare(self, key, text):
        """A type or constant, declared once."""
        if key not in self.named:
            self.named[key] = "%%t%d" % len(self.named)
            self.types.append("%s = %s" % (self.named[key], text))
        return self.named[key]

    def number(self, value):
        return "%zero" if value == 0 else self.declare(value, "OpConstant %%uint %d" % value)

    def type(self, shape):
        """("uint",), ("vector", SCALAR, n), ("array", SHAPE, n), ("matrix", n, rows) or ("struct", SHAPE…)"""
        kind = shape[0]
        if kind in ("uint", "ulong", "float", "bool"):
            return "%" + kind
        if kind == "vector":
            return self.declare(shape, "OpTypeVector %%%s %d" % shape[1:])
        if kind == "matrix":
            return self.declare(shape, "OpTypeMatrix %s %d" % (self.type(("vector", "float", shape[2])), shape[1]))
        if kind == "array":
            return self.declare(shape, "OpTypeArray %s %s" % (self.type(shape[1]), self.number(shape[2])))
        return self.declare(shape, "OpTypeStruct " + " ".join(self.type(part) for part in shape[1:]))

    def pointer(self, type_):
        return self.declare((self.storage, type_), "OpTypePointer %s %s" % (self.storage, type_))

    def variable(self, shape, location, component=0, *decorations):
        name = "%%v%d" % len(self.interface)
        self.interface.append(name)
        pointer = self.pointer(self.type(shape))
        self.types.append("%s = OpVariable %s %s" % (name, pointer, self.storage))
        self.decorations += ["OpDecorate %s %s" % (name, d) for d in (
            ["Location %s" % location] * (location is not None) + ["Component %d" % component] * bool(component) +
            list(decorations))]
        return name

    def result(self, text):
        self.body.append("%%r%d = %s" % (len(self.body), text))
        return "%%r%d" % (len(self.body) - 1)

    def value(self, shape, slots, leaf, first):
        """A value whose scalars are uniform where the model says so for their slots."""
        places = list(places_of(shape, *first))
        if shape[0] in ("uint", "ulong", "float"):
            what = "%same" if slots[places[0][0]] else "%differs"
            return what if shape[0] == "uint" else self.result(
                ("OpUConvert %ulong " if shape[0] == "ulong" else "OpConvertUToF %float ") + what)
        parts = [self.value(part, slots, leaf, place) for part, place in parts_of(shape, *first)]
        return self.result("OpCompositeConstruct %s %s" % (self.type(shape), " ".join(parts)))

    def read(self, variable, shape, path, scalar):
        chain = self.result("OpAccessChain %s %s %s" % (
            self.pointer("%" + scalar), variable, " ".join(map(self.number, path)))) if path else variable
        value = self.result("OpLoad %%%s %s" % (scalar, chain))
        if scalar != "uint":
            value = self.result(("OpUConvert %uint " if scalar == "ulong" else "OpConvertFToU %uint ") + value)
        self.result("OpLoad %%uint %s" % self.result("OpAccessChain %%puint %%bufs %s %%zero" % value))

    def module(self, out):
        mode, builtin = MODELS[self.model]
        return spirv_as(STAGE.format(
            model=self.model, interface=" ".join(self.interface), more="\n".join(self.more), mode=mode, builtin=builtin,
            binding=7 if self.storage == "Input" else 8, decorations="\n".join(self.decorations),
            types="\n".join(self.types), body="\n".join(self.body), functions="\n".join(self.functions)), out, "spv1.3")


def parts_of(shape, location, component):
    """The parts of a composite, each with where it begins."""
    kind = shape[0]
    if kind == "vector":
        for i in range(shape[2]):
            place = component + i * (2 if shape[1] == "ulong" else 1)
            yield (shape[1],), (location + place // 4, place % 4)
    elif kind == "matrix":
        for i in range(shape[1]):
            yield ("vector", "float", shape[2]), (location + i, component)
    else:
        for part in [shape[1]] * shape[2] if kind == "array" else shape[1:]:
            yield part, (location, component)
            location += size_of(part)


def size_of(shape):
    """In locations."""
    if shape[0] == "array":
        return shape[2] * size_of(shape[1])
    if shape[0] == "struct":
        return sum(map(size_of, shape[1:]))
    if shape[0] == "matrix":
        return shape[1]
    return 2 if shape[0] == "vector" and shape[1] == "ulong" and shape[2] > 2 else 1


def places_of(shape, location, component):
    """(slot, leaf) of each component that it takes; a leaf is a path without indexes of arrays."""
    if shape[0] in ("uint", "float", "ulong"):
        for i in range(1 + (shape[0] == "ulong")):
            yield (location, component + i), ()
        return
    for i, (part, place) in enumerate(parts_of(shape, location, component)):
        for slot, leaf in places_of(part, *place):
            yield slot, (0 if shape[0] == "array" else i, *leaf)


def scalar_of(shape, path):
    for i in path:
        shape = (shape[1],) if shape[0] == "vector" else ("vector", "float", shape[2]) if shape[
            0] == "matrix" else shape[1] if shape[0] == "array" else shape[1 + i]
    return shape[0]


def told(modules, *options):
    """Whether each index read from the inputs is uniform in the draw."""
    layout = json.loads(bind("layout", "-q", "--accesses", "--layout-json", *options,
                             *modules).stdout)
    return ["group" in a["uniform"] for a in layout["accesses"] if "indexId" in a and a["binding"] == 7]


def random_shape(chance, depth=0):
    scalar, kind = chance.choice(["uint", "uint", "float", "ulong"]), chance.randrange(6 if depth < 2 else 4)
    if kind == 0:
        return (scalar,)
    if kind < 3:
        return "vector", scalar if kind == 1 else "uint", chance.randrange(2, 5)
    if kind == 3:
        return "matrix", chance.randrange(2, 4), chance.randrange(2, 5)
    if kind == 4:
        return "array", random_shape(chance, depth + 1), chance.randrange(1, 4)
    return "struct", *(random_shape(chance, depth + 1) for _ in range(chance.randrange(1, 4)))


def random_interface(chance, locations):
    """Consecutive (shape, location, component), with holes."""
    at, found = 0, []
    while at < locations:
        shape, component = random_shape(chance), 0
        if shape[0] == "uint" and chance.randrange(2):
            for component in sorted(chance.sample(range(4), 2)):
                found.append((shape, at, component))
        else:
            if shape[0] == "vector" and shape[1] != "ulong" and chance.randrange(2):
                component = chance.randrange(5 - shape[2])
            elif shape == ("ulong",) and chance.randrange(2):
                component = 2
            found.append((shape, at, component))
        at += size_of(shape) + (chance.randrange(6) == 0)
    return found


def test_inputs_by_component():
    """Random interfaces on both sides, by location and component: an input is uniform in the draw if all components
    that it may read are written, and uniform. Elements of arrays are not distinguished on either side."""
    for seed in range(16):
        chance = random.Random(seed)
        later = ("Fragment", "Geometry", "Fragment", "TessellationControl")[seed % 4]
        vertex, reader = Side("Vertex", "Output"), Side(later, "Input")
        share, slots, known = chance.choice([0.5, 0.8, 0.95]), {}, {}
        for shape, location, component in random_interface(chance, 12):
            places = list(places_of(shape, location, component))
            slots.update((slot, chance.random() < share) for slot, _ in places)
            for slot, leaf in places: # 64 bits have one value
                pair = (slot[0], slot[1] - slot[1] % 2)
                if scalar_of(shape, leaf) == "ulong":
                    slots[slot] = slots[pair]
            for slot, leaf in places:
                known[slot] = all(slots[s] for s, other in places if other == leaf)
            name = vertex.variable(shape, location, component)
            vertex.body.append("OpStore %s %s" % (name, vertex.value(shape, slots, (), (location, component))))
        want = []
        for shape, location, component in random_interface(chance, 12):
            flat = later != "Fragment" or chance.randrange(5) > 0
            arrayed = later != "Fragment"
            name = reader.variable(("array", shape, 3) if arrayed else shape, location, component, *["Flat"] * (
                flat and not arrayed))
            places = list(places_of(shape, location, component))
            for leaf in sorted({leaf for _, leaf in places}):
                want.append(flat and all(known.get(slot) for slot, other in places if other == leaf))
                reader.read(name, shape, (0,) * arrayed + leaf, scalar_of(shape, leaf))
        got = told([vertex.module("v.spv"), reader.module("r.spv")])
        assert got == want, (seed, [i for i, (a, b) in enumerate(zip(got, want)) if a != b], len(got), len(want))


UINT = ("uint",)
PAIR = ("vector", "uint", 2)
WIDE = ("array", ("vector", "uint", 4), 64)


def nested(depth):
    return ("array", nested(depth - 1), 2) if depth else UINT


def handed(shape, path, variables=((), ()), members=((), ()), change=None, later="Fragment", location=0, output=None):
    """Whether part of an input is uniform if all of an output of its type, or of type `output`, is. `variables`: more
    decorations of the output and of the input; `members`: of a block that contains it."""
    sides = Side("Vertex", "Output"), Side(later, "Input")
    for side, more, of_members in zip(sides, variables, members):
        flat = ("Flat",) * (side.storage == "Input" and "not flat" not in more)
        name = side.variable(output or shape if side.storage == "Output" else shape, location, 0, *flat,
                             *(d for d in more if d != "not flat"))
        side.decorations += ["OpMemberDecorate %s %s" % (side.type(shape), text) for text in of_members]
        if side.storage == "Output":
            side.body.append("OpStore %s %s" % (name, whole(side, output or shape)))
        else:
            side.read(name, shape, path, scalar_of(shape, path))
    if change:
        change(*sides)
    got = told([sides[0].module("v.spv"), sides[1].module("r.spv")])
    assert len(got) == 1
    return got[0]


def whole(side, shape):
    """A value that is uniform as a whole. Large values repeat one part."""
    if shape[0] in ("uint", "ulong", "float"):
        return side.value(shape, {(0, 0): True}, (), (0, 0))
    if shape[0] == "bool":
        return side.result("OpUGreaterThan %bool %same %three")
    parts = [whole(side, shape[1] if shape[0] == "array" else (shape[1],))] * shape[2] if shape[0] in (
        "array", "vector") else [whole(side, part) for part in shape[1:]]
    return side.result("OpCompositeConstruct %s %s" % (side.type(shape), " ".join(parts)))


def test_interfaces_that_are_too_large_or_lack_locations():
    """Each bound from both sides. Inputs without a location, or with a type that interfaces cannot have, are not
    inherited."""
    many, one = ("struct", *(UINT,) * 64), ("struct", UINT)
    for case, want in (
            ((UINT, ()), True), ((UINT, (), ((), ("not flat",))), False), ((("vector", "uint", 4), (3,)), True),
            ((("vector", "uint", 5), (3,)), False), ((nested(7), (0,) * 7), True), ((nested(8), (0,) * 8), False),
            ((("array", ("struct", *(UINT,) * 65), 1), (0, 64)), False),
            ((("array", ("struct", *(PAIR,) * 32), 1), (0, 31, 1)), True),
            ((("array", ("struct", *(PAIR,) * 33), 1), (0, 31, 1)), False),
            ((("array", UINT, 64), (0,)), True), ((("array", UINT, 65), (0,)), False),
            ((many, (63,)), True), ((("struct", *(UINT,) * 65), (63,)), False),
            ((("struct", many, UINT), (1,)), False), ((("struct", many), (0, 5)), True),
            ((("struct", WIDE, WIDE, UINT), (2,)), True), ((("struct", WIDE, WIDE, UINT, UINT), (3,)), False),
            ((("array", ("struct", WIDE, WIDE, UINT), 1), (0, 2)), True),
            ((("array", ("struct", WIDE, WIDE, UINT, UINT), 1), (0, 2)), False)):
        assert handed(*case) == want, case
    for decoration in ("Patch", "PerPrimitiveEXT", "PerVertexKHR", "BuiltIn PrimitiveId"):
        for more in (((decoration,), ()), ((), (decoration,))):
            assert not handed(UINT, (), more), more
        for members in ((("0 " + decoration,), ()), ((), ("0 " + decoration,))):
            assert not handed(one, (0,), ((), ()), members), members
    for component, want in ((0, True), (1, False)):
        assert handed(UINT, (), (("Component %d" % component,), ())) == want
    assert not handed(UINT, (), location=None)
    for output, want in ((("float",), True), (("ulong",), True), (("bool",), False), (("array", UINT, 1), True)):
        assert handed(UINT, (), output=output) == want, output

    def open_length(vertex, _): # the array has as many elements as a constant says that may change
        vertex.types = [text.replace("OpConstant %uint 1", "OpSpecConstant %uint 1") for text in vertex.types]

    assert not handed(UINT, (), output=("array", UINT, 1), change=open_length)

    def unknown_store(vertex, _): # to an unknown variable of the function
        vertex.types.append("%plocal = OpTypePointer Function %uint")
        vertex.body = ["%x = OpVariable %plocal Function\n%y = OpVariable %plocal Function",
                       "%c = OpUGreaterThan %bool %same %three\n%s = OpSelect %plocal %c %x %y\nOpStore %s %same",
                       *vertex.body]

    assert not handed(UINT, (), change=unknown_store)
    assert handed(UINT, (), later="Geometry") is False # it lacks an element for each vertex


SECOND = "%second = OpFunction %void None %fnvoid\n%b_second = OpLabel\nOpReturn\nOpFunctionEnd"


def entry(side, model, *interface):
    """Another entry point of a module, which does nothing, and the modes that it needs."""
    side.functions = [SECOND]
    side.more.append('OpEntryPoint %s %%second "second" %s' % (model, " ".join(interface)))


def test_programs_in_which_nothing_is_inherited():
    """Nothing is inherited because of other earlier stages, other readers of the variable, or because something cannot
    be followed."""
    def also(side, model, *interface):
        return lambda *sides: entry(sides[side], model, *interface)

    def also_stores(vertex, _): # both store a value that is uniform in the draw
        entry(vertex, "Vertex", "%v1")
        vertex.functions = [SECOND.replace("OpReturn", "OpStore %v1 %three\nOpReturn")]

    def imported(vertex, _):
        vertex.more.append('OpEntryPoint Vertex %second "second"')
        vertex.functions = ["%second = OpFunction %void None %fnvoid\nOpFunctionEnd"]

    def grouped(vertex, _):
        vertex.decorations += ["%group = OpDecorationGroup"]

    def several(count):
        def change(vertex, _):
            vertex.more += ['OpEntryPoint Vertex %%main "main%d" %%id_in %%v1' % i for i in range(1, count)]
        return change

    for change, later, want in (
            (None, "Fragment", True), (also(0, "Vertex"), "Fragment", True),
            (also(0, "GLCompute", "%v1"), "Fragment", False), (also(0, "Vertex", "%v1"), "Fragment", False),
            (also_stores, "Fragment", True), (also(0, "MeshEXT"), "Fragment", False),
            (also(0, "MeshNV"), "Fragment", False), (also(1, "MeshEXT"), "Fragment", False),
            (also(0, "TaskEXT"), "Fragment", True), (also(0, "TessellationEvaluation"), "Fragment", True),
            (also(0, "TessellationEvaluation", "%v1"), "Fragment", False), (also(1, "Fragment"), "Fragment", True),
            (also(1, "Fragment", "%v1"), "Fragment", False), (also(1, "Geometry", "%v1"), "Fragment", False),
            (also(1, "GLCompute", "%v1"), "Fragment", False), (imported, "Fragment", False),
            (grouped, "Fragment", True),
            (several(8), "Fragment", True), (several(9), "Fragment", False)):
        assert handed(UINT, (), change=change, later=later) == want, (change, later)
    # another entry point that lists the output and leaves it undefined
    for model, interface in itertools.product(("MeshEXT", "TessellationEvaluation"), ((), ("%v1",))):
        sides = Side("Vertex", "Output"), Side("Geometry", "Input")
        sides[0].body.append("OpStore %s %%same" % sides[0].variable(UINT, 0))
        sides[1].read(sides[1].variable(("array", UINT, 3), 0), ("array", UINT, 3), (0,), "uint")
        entry(sides[0], model, *interface)
        assert told([sides[0].module("v.spv"), sides[1].module("r.spv")]) == [not interface], (model, interface)


EMITS = """%kept_at = OpAccessChain %inint %v1 %zero
%kept = OpLoad %uint %kept_at
%differ_at = OpAccessChain %inint %v2 %zero
%varies = OpLoad %uint %differ_at
"""
KINDS = """%uint2 = OpTypeVector %uint 2
%undef = OpUndef %uint
%hole = OpConstantComposite %uint2 %three %undef
%full = OpConstantComposite %uint2 %three %nine
%pprivate = OpTypePointer Private %uint
%own = OpVariable %pprivate Private %three
%Uni = OpTypeStruct %uint %uint
%punis = OpTypePointer Uniform %Uni
%puni = OpTypePointer Uniform %uint
%uni = OpVariable %punis Uniform
%Ssbo = OpTypeStruct %uint
%pssbo = OpTypePointer StorageBuffer %Ssbo
%written = OpVariable %pssbo StorageBuffer
%one = OpConstant %uint 1
%three2 = OpConstant %uint 3
%fnuint = OpTypeFunction %uint"""
GIVES = """%gives = OpFunction %uint None %fnuint
%b_gives = OpLabel
OpReturnValue %three
OpFunctionEnd"""
EMITS_ONE = """%emits = OpFunction %void None %fnvoid
%b_emits = OpLabel
OpEmitVertex
OpReturn
OpFunctionEnd"""


def emitted(body):
    """Whether the output of a geometry shader is uniform. It has an input that is uniform (%kept), and one that is not
    (%varies)."""
    vertex, reader, geometry = Side("Vertex", "Output"), Side("Fragment", "Input"), Side("Geometry", "Input")
    for location, what in enumerate(("%same", "%differs")):
        vertex.body.append("OpStore %s %s" % (vertex.variable(UINT, location), what))
        geometry.variable(("array", UINT, 3), location)
    reader.read(reader.variable(UINT, 0, 0, "Flat"), UINT, (), "uint")
    geometry.types.append(KINDS)
    geometry.storage = "Output"
    assert geometry.variable(UINT, 0) == "%v3"
    geometry.decorations += ["OpDecorate %uni DescriptorSet 0", "OpDecorate %uni Binding 1",
                             "OpDecorate %written DescriptorSet 0", "OpDecorate %written Binding 2",
                             "OpDecorate %Uni Block", "OpMemberDecorate %Uni 0 Offset 0",
                             "OpMemberDecorate %Uni 1 Offset 4",
                             "OpDecorate %Ssbo Block", "OpMemberDecorate %Ssbo 0 Offset 0"]
    geometry.body.append(EMITS + body)
    geometry.functions += [GIVES] + [EMITS_ONE] * ("%emits" in body)
    got = told([vertex.module("v.spv"), geometry.module("g.spv"), reader.module("r.spv")])
    assert len(got) == 1
    return got[0]


def test_emitted_values():
    """Two vertices have one value if it is computed in the same way from values that are uniform in the draw, but not
    through too many steps, by calls, from undefined values or from memory that may change."""
    one = "{0}\nOpStore %v3 %a\nOpEmitVertex\n{1}\nOpStore %v3 %b\nOpEmitVertex\n"
    vector = "%{0}v = OpCompositeConstruct %uint2 %same %kept\n"

    def far(count, name):
        return "".join("%%%s%d = OpIAdd %%uint %s %%three\n" % (name, i, "%%%s%d" % (name, i - 1) if i else "%same")
                       for i in range(count)) + "%%%s = OpIAdd %%uint %%%s%d %%three" % (name, name, count - 1)

    for first, second, want in (
            ("%{0} = OpIAdd %uint %same %three", "", True),
            ("%{0} = OpIAdd %uint %same %three", "%{0} = OpIAdd %uint %same %nine", False),
            ("%{0} = OpIAdd %uint %same %three", "%{0} = OpISub %uint %same %three", False),
            ("%{0} = OpIAdd %uint %same %three", "%{0} = OpIAdd %uint %same %three2", False),
            ("%{0} = OpIAdd %uint %kept %three", "", True), ("%{0} = OpIAdd %uint %varies %three", "", False),
            ("%{0} = OpIAdd %uint %same %undef", "", False), ("%{0} = OpCopyObject %uint %same", "", True),
            ("%{0} = OpCopyObject %uint %same", "%{0} = OpCopyObject %uint %kept", False),
            (vector + "%{0} = OpCompositeExtract %uint %{0}v 0", "", True),
            (vector + "%{0} = OpCompositeExtract %uint %{0}v 1", vector + "%{0} = OpCompositeExtract %uint %{0}v 0",
             False),
            (vector + "%{0}w = OpVectorShuffle %uint2 %{0}v %{0}v 0 2\n%{0} = OpCompositeExtract %uint %{0}w 1", "",
             True),
            ("%{0} = OpCompositeExtract %uint %full 1", "", True),
            ("%{0} = OpCompositeExtract %uint %hole 0", "", False),
            ("%{0}c = OpUGreaterThan %bool %same %three\n%{0} = OpSelect %uint %{0}c %same %kept", "", True),
            ("%{0}c = OpUGreaterThan %bool %varies %three\n%{0} = OpSelect %uint %{0}c %same %kept", "", False),
            ("%{0} = OpExtInst %uint %glsl UMin %same %three", "", False),
            ("%{0} = OpFunctionCall %uint %gives", "", False),
            ("%{0} = OpLoad %uint %psame", "", True), ("%{0} = OpLoad %uint %psame Volatile", "", False),
            ("%{0} = OpLoad %uint %own", "", False),
            ("%{0}p = OpAccessChain %puni %uni %one\n%{0} = OpLoad %uint %{0}p", "", True),
            ("%{0}p = OpAccessChain %puni %uni %one\n%{0} = OpLoad %uint %{0}p",
             "%{0}p = OpAccessChain %puni %uni %zero\n%{0} = OpLoad %uint %{0}p", False),
            ("%{0}p = OpAccessChain %puint %bufs %three %zero\n%{0} = OpLoad %uint %{0}p", "", True),
            ("%{0}p = OpAccessChain %puint %written %zero\n%{0} = OpLoad %uint %{0}p\nOpStore %{0}p %zero", "", False),
            ("%{0}p = OpAccessChain %inint %v1 %one\n%{0} = OpLoad %uint %{0}p", "", True),
            ("%{0}p = OpAccessChain %inint %v1 %differs\n%{0} = OpLoad %uint %{0}p", "", True),
            ("%{0}p = OpAccessChain %inint %v1 %one\n%{0} = OpLoad %uint %{0}p",
             "%{0}p = OpAccessChain %inint %v1 %zero\n%{0} = OpLoad %uint %{0}p", True),
            ("%{0}p = OpAccessChain %inint %v2 %one\n%{0} = OpLoad %uint %{0}p", "", False),
            ("%{0} = OpCopyObject %uint %three", "", True), ("%{0} = OpCopyObject %uint %undef", "", False)):
        body = one.format(first.replace("{0}", "a"), (second or first).replace("{0}", "b"))
        assert emitted(body) == want, body
    for count, want in ((5, True), (6, False)): # additions below the last one, a load and its address
        assert emitted(one.format(far(count, "a"), far(count, "b"))) == want, count
    store, twice = "OpStore %v3 %same\n", "OpStore %v3 %same\nOpEmitVertex\n"
    next_ = "OpBranch %next\n%next = OpLabel\n"
    for body, want in (
            (twice, True), (twice * 2, True), (twice + "OpEmitVertex", False), (store, False), ("OpEmitVertex", False),
            (store + next_ + "OpEmitVertex", False), (store + next_ + twice, True), (twice + next_ + twice, True),
            (store + "OpEmitStreamVertex %zero", True), ("OpEmitStreamVertex %zero\n" + store, False),
            (twice + "OpEmitStreamVertex %zero", False), (store + "%r = OpFunctionCall %void %emits", False),
            ("OpCopyMemory %v3 %psame\nOpEmitVertex", False), (twice + "OpCopyMemory %v3 %psame", False),
            (twice + "%r = OpAtomicIAdd %uint %v3 %one %zero %one", False), (store + store + "OpEmitVertex", True),
            (store + "OpStore %v3 %kept\nOpEmitVertex", False), ("OpStore %v3 %three\nOpEmitVertex", True),
            ("OpStore %v3 %undef\nOpEmitVertex", False)):
        assert emitted(body) == want, body


def test_memory_while_invocations_move():
    """A value stored in one function and read in another may have been stored before the invocations moved."""
    first = "%f = OpGroupNonUniformBroadcastFirst %uint %u3 %lane\n"
    reads = FUNCTION % ("reads", "%fnvoid", "", "reads", "%q = OpLoad %uint %own\nuse %q ;; {}")
    still = "%stays" + MOVES["functions"].split("%stays", 1)[1].split("%through", 1)[0]
    moving = dict(MOVES)
    for functions, verdict in ((still, "subgroup"), (MOVES["functions"], "divergent")):
        moving["functions"] = functions + "\n" + reads.format(verdict)
        check(first + "OpStore %own %f\n%c = OpFunctionCall %void %reads", **moving)
    # an argument at the call, after a loop
    loop = ("OpBranch %head\n%head = OpLabel\nOpLoopMerge %met %on None\nOpBranchConditional %even %on %met\n"
            "%on = OpLabel\nOpBranch %head\n%met = OpLabel\n")
    for body, verdict in ((first + loop, "subgroup"), (first + MOVE + loop, "divergent"),
                          (first + loop + MOVE, "divergent")):
        check(body + "%a = OpFunctionCall %uint %keeps %f\nuse %a ;; " + verdict, **MOVES)


def test_sections_that_begin_or_end_in_functions():
    """A store matters if it is reachable from the beginning of a section, in callees and in callers."""
    barrier = "OpControlBarrier %u2 %u2 %ordered\n"
    functions = "\n".join(FUNCTION % (name, "%fnvoid", "", name, text) for name, text in (
        ("waits", barrier), ("outer", "%q2 = OpFunctionCall %void %waits"),
        ("may_wait", "OpBranch %mw\n%mw = OpLabel\n" + barrier),
        ("either", "%e_in = OpLoad %uint %lane_in\n%e_c = OpUGreaterThan %bool %e_in %u3\nOpSelectionMerge %e_m None\n"
         "OpBranchConditional %e_c %e_a %e_m\n%e_a = OpLabel\n" + barrier + "OpBranch %e_m\n%e_m = OpLabel"),
        ("stores", "OpStore %one %u9")))
    load, call_ = "%r = OpLoad %uint %one\nuse %r ;; ", "%{0}{1} = OpFunctionCall %void %{0}\n".format
    for before, behind, verdict in (
            (call_("waits", 1), "", "group subgroup"), (call_("waits", 1), "OpStore %one %lane\n", "unknown"),
            (call_("outer", 1), "", "group subgroup"), (call_("outer", 1), "OpStore %one %lane\n", "unknown"),
            (call_("may_wait", 1), "", "group subgroup"), (call_("may_wait", 1), "OpStore %one %lane\n", "unknown"),
            (call_("may_wait", 1), call_("stores", 1), "unknown"),
            (call_("stores", 1) + call_("waits", 1), "", "group subgroup"),
            (call_("stores", 1) + call_("either", 1), "", "unknown"), (call_("either", 1), "", "group subgroup"),
            # a callee returns to the call that entered it
            (call_("waits", 1), call_("waits", 2) + "OpStore %one %lane\n", "group subgroup"),
            (call_("waits", 1), call_("either", 2) + "OpStore %one %lane\n", "unknown"),
            (call_("waits", 1) + "OpStore %two %lane\n" + call_("outer", 2), "OpStore %two %lane\n", "group subgroup")):
        check("OpStore %one %lane\n" + barrier + before + load + verdict + "\n" + behind + barrier +
              "OpStore %one %u1\n", functions=functions, **SHARED)


BUFFERS = """%Uni = OpTypeStruct %uint
%pUni = OpTypePointer Uniform %Uni
%puni = OpTypePointer Uniform %uint
%uni = OpVariable %pUni Uniform
%Ssbo = OpTypeStruct %uint
%pSsbo = OpTypePointer StorageBuffer %Ssbo
%plain = OpVariable %pSsbo StorageBuffer
%aliased = OpVariable %pSsbo StorageBuffer
%alias = OpVariable %pSsbo StorageBuffer
%Image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%pImage = OpTypePointer UniformConstant %Image
%image = OpVariable %pImage UniformConstant
%uint2 = OpTypeVector %uint 2
%address = OpConstant %ulong 4096
%far = OpTypePointer PhysicalStorageBuffer %uint
%private = OpTypePointer Private %uint
%own = OpVariable %private Private %three"""
READS = (("plain", "%p_plain = OpAccessChain %puint %plain %zero\n%r_plain = OpLoad %uint %p_plain"),
         ("aliased", "%p_aliased = OpAccessChain %puint %aliased %zero\n%r_aliased = OpLoad %uint %p_aliased"),
         ("alias", "%p_alias = OpAccessChain %puint %alias %zero\n%r_alias = OpLoad %uint %p_alias"),
         ("uni", "%p_uni = OpAccessChain %puni %uni %zero\n%r_uni = OpLoad %uint %p_uni"),
         ("far", "%p_far = OpConvertUToPtr %far %address\n%r_far = OpLoad %uint %p_far Aligned 4"),
         ("image", "%xy = OpCompositeConstruct %uint2 %same %same\n%p_image = OpLoad %Image %image\n"
          "%r_image = OpImageRead %uint %p_image %xy"))


def test_writes_by_address():
    """They may reach resources decorated Aliased, and, with an option, any buffer. Memory behind an address may be
    written by each write to a buffer."""
    all_, by_address = [name for name, _ in READS], ("--assume-aliased-references",)
    for write_, options, lost in (
            ("", (), ()), ("OpStore %p_plain %same", (), ("plain", "far")),
            ("OpStore %p_alias %same", (), ("aliased", "alias", "far")), ("OpStore %p_uni %same", (), ("uni", "far")),
            ("OpStore %p_far %same Aligned 4", (), ("aliased", "alias", "far")),
            ("OpStore %p_far %same Aligned 4", by_address, ("plain", "aliased", "alias", "uni", "far")),
            ("OpStore %p_plain %same", by_address, ("plain", "far")),
            ("OpImageWrite %p_image %xy %same", (), ("image",)),
            ("OpImageWrite %p_image %xy %same", by_address, ("image",)), ("OpStore %own %same", (), ()),
            ("%w = OpAtomicIAdd %uint %p_plain %three %zero %three", (), ("plain", "far")),
            ("%w = OpAtomicIAdd %uint %p_far %three %zero %three", (), ("aliased", "alias", "far")),
            ("OpCopyMemory %p_far %p_plain Aligned 4", (), ("aliased", "alias", "far")),
            ("OpCopyMemory %p_uni %p_far Aligned 4", (), ("uni", "far"))):
        side = Side("Fragment", "Input")
        side.types.append(BUFFERS)
        side.decorations += ["OpDecorate %Uni Block\nOpMemberDecorate %Uni 0 Offset 0",
                             "OpDecorate %Ssbo Block\nOpMemberDecorate %Ssbo 0 Offset 0",
                             "OpDecorate %aliased Aliased\nOpDecorate %alias Aliased"]
        for i, name in enumerate(("plain", "aliased", "alias", "uni", "image")):
            side.decorations += ["OpDecorate %%%s DescriptorSet 1\nOpDecorate %%%s Binding %d" % (name, name, i)]
        for name, text in READS:
            side.body += [text, "%%c_%s = OpAccessChain %%puint %%bufs %%r_%s %%zero\n%%l_%s = OpLoad %%uint %%c_%s" % (
                (name,) * 4)]
        side.body.append(write_)
        got = told([side.module("r.spv")], *options)
        assert got == [name not in lost for name in all_], (write_, options, got)


def test_results_of_functions_of_another_module():
    """Results for divergent arguments may differ."""
    check("""
%a = OpFunctionCall %uint %elsewhere %x %same
use %a ;; unknown
%b = OpFunctionCall %uint %elsewhere %x %lane
use %b ;; divergent
""", capabilities="OpCapability Linkage", decorations='OpDecorate %elsewhere LinkageAttributes "elsewhere" Import',
          declarations="%fnboth = OpTypeFunction %uint %local %uint", variables="%x = OpVariable %local Function",
          functions=OUTSIDE)


def test_selections_by_specialization_constants():
    """Only the selected value matters."""
    body = "%a = OpSelect %uint %flag {0} {1}\nuse %a ;; {2}\n"
    for first, second, options, verdict in (
            ("%same", "%lane", ("--spec=3=1",), "group subgroup"), ("%lane", "%same", ("--spec=3=1",), "divergent"),
            ("%same", "%lane", ("--spec=3=0",), "divergent"), ("%lane", "%same", ("--spec=3=0",), "group subgroup"),
            ("%same", "%lane", (), "divergent"), ("%lane", "%same", (), "divergent"),
            ("%same", "%other", (), "group subgroup")):
        check(body.format(first, second, verdict), decorations="OpDecorate %flag SpecId 3",
              declarations="%flag = OpSpecConstantTrue %bool", options=options)


def test_parts_unchanged_by_calls_and_unknown_elements():
    """A call that writes one component leaves the other one unchanged, whatever is stored through the argument."""
    sets = "%sets = OpFunction %void None %fnset\n%ta = OpFunctionParameter %local\n%b_sets = OpLabel\n" \
           "OpStore %ta %u2\nOpReturn\nOpFunctionEnd"
    for before, verdict in (("%lane", "divergent"), ("%same", "group subgroup")):
        check("%pa = OpAccessChain %local %v %u0\n%pb = OpAccessChain %local %v %u1\n"
              "%pc = OpAccessChain %local %v %other\nOpStore %pa " + before + "\nOpStore %pb %same\n"
              "%r = OpFunctionCall %void %sets %pb\nOpStore %pc %same\n"
              "%a = OpLoad %uint %pa\nuse %a ;; " + verdict, declarations="%fnset = OpTypeFunction %void %local",
              variables="%v = OpVariable %local2 Function", functions=sets)


def test_unreachable_functions():
    """Unreached functions are analysed for every stage; reached ones only for their own stages, however many there
    are."""
    group = dict(decorations="OpDecorate %group_in BuiltIn WorkgroupId", declarations="""%uvec3 = OpTypeVector %uint 3
%in3 = OpTypePointer Input %uvec3
%group_in = OpVariable %in3 Input""")
    reads = FUNCTION % ("reads", "%fnvoid", "", "reads", "%g = OpLoad %uvec3 %group_in\n"
                        "%gx = OpCompositeExtract %uint %g 0\nuse %gx ;; {}")
    for count in (1, 30, 31, 32, 33, 63, 64, 65):
        idle = "\n".join(FUNCTION % ("f%d" % i, "%fnvoid", "", "f%d" % i, "") for i in range(count)) + "\n"
        check("%c = OpFunctionCall %void %reads", functions=idle + reads.format("group subgroup"), **group)
        if count in (31, 65):
            check("", functions=idle + reads.format("divergent"), **group)


POINTERS = """%bare = OpTypePointer Function %puint
%bares = OpTypePointer Function %bare
%held = OpTypePointer Private %puint
%shared_at = OpVariable %held Private
%Two = OpTypeStruct %puint %uint
%two_at = OpTypePointer Function %Two
%null = OpConstantNull %puint
%fnpick = OpTypeFunction %puint
%fnput = OpTypeFunction %void %bare
%fngive = OpTypeFunction %puint %puint"""
POINTS = """%pick = OpFunction %puint None %fnpick
%b_pick = OpLabel
%k2 = OpAccessChain %puint %another %u0
%k3 = OpAccessChain %puint %another %u1
%k_c = OpLoad %uint %lane_in
%k_d = OpUGreaterThan %bool %k_c %u3
OpSelectionMerge %k_m None
OpBranchConditional %k_d %k_a %k_m
%k_a = OpLabel
OpReturnValue %k2
%k_m = OpLabel
OpReturnValue %{}
OpFunctionEnd
%put = OpFunction %void None %fnput
%into = OpFunctionParameter %bare
%b_put = OpLabel
%i3 = OpAccessChain %puint %another %u1
OpStore %into %i3
OpReturn
OpFunctionEnd
%give = OpFunction %puint None %fngive
%given = OpFunctionParameter %puint
%b_give = OpLabel
OpReturnValue %given
OpFunctionEnd
%through = OpFunction %void None %fnput
%held_by = OpFunctionParameter %bare
%b_through = OpLabel
%h3 = OpAccessChain %puint %another %u1
OpStore %held_by %h3
%hq = OpLoad %puint %held_by
OpStore %hq %u1
OpReturn
OpFunctionEnd
%give2 = OpFunction %puint None %fngive
%given2 = OpFunctionParameter %puint
%b_give2 = OpLabel
OpReturnValue %given2
OpFunctionEnd
%away = OpFunction %void None %fnput
%away_p = OpFunctionParameter %bare
OpFunctionEnd
%fetch = OpFunction %puint None %fnpick
OpFunctionEnd"""


def test_selected_pointers():
    """However a pointer is chosen, stored and passed on: as long as it can only point into one buffer, a write through
    it leaves the others unchanged. An unknown pointer may point into any."""
    within, any_ = "23", "1234567"
    pick = "%s = OpFunctionCall %puint %pick\n"
    put = "OpStore %kept %p2\n"
    get = "%s = OpLoad %puint %kept\n"
    branch = ("OpSelectionMerge %pm None\nOpBranchConditional %even %pa %pm\n%pa = OpLabel\nOpBranch %pm\n"
              "%pm = OpLabel\n%s = OpPhi %puint {} %pa {} %entry\n").format
    for choose, spoilt in (
            ("%s = OpSelect %puint %even %p2 %p3\n", within), ("%s = OpSelect %puint %even %p2 %null\n", within),
            ("%s = OpSelect %puint %even %null %p3\n", within), ("%s = OpSelect %puint %even %p2 %nowhere\n", any_),
            ("%s = OpSelect %puint %even %pro %p2\n", any_), (branch("%p2", "%p3"), within),
            (branch("%p2", "%pro"), any_),
            ("%t = OpSelect %puint %even %p2 %p3\n%s = OpSelect %puint %odd %t %p2\n", within),
            ("%t = OpSelect %puint %even %p2 %p3\n%s = OpSelect %puint %odd %t %pro\n", any_),
            ("%t = OpSelect %puint %even %p2 %p3\n%s = OpCopyObject %puint %t\n", within),
            ("%t = OpSelect %puint %even %p2 %p3\n%s = OpPtrAccessChain %puint %t %u1\n", within),
            ("%s = OpFunctionCall %puint %give %p2\n%o = OpFunctionCall %puint %give2 %pro\n", within),
            (pick, within), (pick.replace("s =", "t =") + "%s = OpSelect %puint %odd %t %p2\n", within),
            (pick + "PRO", any_), ("%s = OpFunctionCall %puint %fetch\n", any_),
            ("%s = OpFunctionCall %puint %give %p2\n", within),
            ("%t = OpSelect %puint %even %p2 %pro\n%s = OpFunctionCall %puint %give %t\n", any_),
            ("%s = OpFunctionCall %puint %give %p2\n%o = OpFunctionCall %puint %give %pro\n", any_),
            (put + get, within), (put + "OpStore %kept %p3\n" + get, within),
            (put + "OpStore %kept %pro\n" + get, any_),
            (put + get + "OpStore %kept %pro\n", any_), # their order is not considered
            (put + "%r = OpFunctionCall %void %put %kept\n" + get, within),
            ("OpStore %kept %pro\n%r = OpFunctionCall %void %put %kept\n" + get, any_),
            (put + "%r = OpFunctionCall %void %away %kept\n" + get, any_),
            (put + "%r = OpFunctionCall %void %through %kept\n" + get, within),
            ("OpStore %kept %pro\n%r = OpFunctionCall %void %through %kept\n%s = OpCopyObject %puint %p2\n", any_),
            ("%t = OpBitcast %puint %same\n%s = OpSelect %puint %even %p2 %t\n", any_),
            (put + "OpCopyMemory %second %kept\n" + get.replace("%kept", "%second"), within),
            (put + "OpStore %second %pro\nOpCopyMemory %second %kept\n" + get.replace("%kept", "%second"), any_),
            (put + "OpStore %second %pro\n" + get, within),
            ("OpStore %shared_at %p3\n%s = OpLoad %puint %shared_at\n", within),
            (put + "%q = OpSelect %bare %even %kept %second\nOpStore %q %p3\n" + get, any_),
            ("%t = OpCompositeConstruct %Two %p2 %u1\n%s = OpCompositeExtract %puint %t 0\n", within),
            ("%t = OpCompositeConstruct %Two %p2 %u1\nOpStore %in_two %t\n%q = OpAccessChain %bare %in_two %u0\n"
             "%s = OpLoad %puint %q\n", within),
            ("%t = OpCompositeConstruct %Two %p2 %u1\nOpStore %in_two %t\n%q = OpAccessChain %bare %in_two %u0\n"
             "OpStore %q %pro\n%s = OpLoad %puint %q\n", any_)):
        more = dict(MEMORIES)
        more["declarations"] += "\n" + POINTERS
        more["decorations"] += ('OpDecorate %away LinkageAttributes "away" Import\n'
                                'OpDecorate %fetch LinkageAttributes "fetch" Import')
        more["variables"] += ("\n%kept = OpVariable %bare Function\n%second = OpVariable %bare Function\n"
                              "%in_two = OpVariable %two_at Function")
        more["functions"] += "\n" + POINTS.format("k3" if "PRO" not in choose else "k_r")
        if "PRO" in choose:
            more["functions"] = more["functions"].replace("%k_c =", "%k_r = OpAccessChain %puint %ro %u0\n%k_c =")
        check("".join("%s\n" % read_ for read_ in PLAIN_READS[1:3]) + choose.replace("PRO", "") +
              "".join("%s\nuse %%a%d ;; %s\n" % (read_ if i not in (2, 3) else "", i, "unknown" if str(i) in spoilt else
                                                "group subgroup")
                      for i, read_ in enumerate(PLAIN_READS, 1)) + "OpStore %s %u1", **more)


def test_values_passed_through_functions():
    """Results that depend on arguments, through a call in the last function of the module or in another one."""
    inner = ("%inner = OpFunction %uint None %fnu\n%p = OpFunctionParameter %uint\n%b_inner = OpLabel\n"
             "%q = OpIAdd %uint %p %u1\nOpReturnValue %q\nOpFunctionEnd")
    outer = ("%outer = OpFunction %uint None %fnu\n%o = OpFunctionParameter %uint\n%b_outer = OpLabel\n"
             "%i = OpFunctionCall %uint %inner %o\nOpReturnValue %i\nOpFunctionEnd")
    for functions in ((inner, outer), (outer, inner)):
        check("%a = OpFunctionCall %uint %outer %lane\nuse %a ;; divergent\n"
              "%b = OpFunctionCall %uint %outer %same\nuse %b ;; group subgroup", functions="\n".join(functions),
              declarations="%fnu = OpTypeFunction %uint %uint")


def test_recursive_functions():
    """Shaders may not be recursive: the results are unknown."""
    again = ("%{0} = OpFunction %uint None %fnu\n%{0}_p = OpFunctionParameter %uint\n%b_{0} = OpLabel\n"
             "%{0}_lane = OpLoad %uint %lane_in\n%{0}_r = OpFunctionCall %uint %{1} %{0}_p\n"
             "%{0}_s = OpIAdd %uint %{0}_r %{2}\nOpReturnValue %{0}_s\nOpFunctionEnd\n").format
    for added, verdict in (("u1", "unknown"), ("f_lane", "divergent")):
        for functions in (again("f", "f", added), again("f", "g", added) + again("g", "f", "u1"),
                          again("g", "f", "u1") + again("f", "g", added),
                          again("f", "g", added) + again("g", "g", "u1")):
            check("%a = OpFunctionCall %uint %f %same\nuse %a ;; " + verdict, functions=functions,
                  declarations="%fnu = OpTypeFunction %uint %uint")


def test_composites_with_too_many_parts():
    """Composites with too many parts count as one part, at each depth."""
    declarations = "%Large = OpTypeStruct %uvec2 " + "%uint " * 63 + "\n%Outer = OpTypeStruct %uint %Large"
    for value, first, verdict in (("%same", "%alike", "group subgroup"), ("%lane", "%alike", "divergent"),
                                  ("%same", "%mixed", "divergent")):
        check("%%l = OpCompositeConstruct %%Large %s %s\n%%o = OpCompositeConstruct %%Outer %%same %%l\n" % (
            first, (value + " ") + "%same " * 62) + "".join(
                "%%r%d = OpCompositeExtract %%uint %s\nuse %%r%d ;; %s\n" % (i, what, i, verdict)
                for i, what in enumerate(("%l 0 0", "%l 0 1", "%l 1", "%l 63", "%o 1 0 1", "%o 1 2"))) +
              "%v = OpCompositeExtract %uvec2 %l 0\n%v0 = OpCompositeExtract %uint %v 0\nuse %v0 ;; " + verdict,
              declarations=declarations)


def test_pointers_from_distant_code():
    """Pointers are followed through a limited number of functions, and from functions that call one of this module."""
    for count, spoilt in ((20, "23"), (30, "23"), (30 + 1, "1234567"), (60, "1234567")):
        more = dict(MEMORIES)
        more["declarations"] += "\n%fnpick = OpTypeFunction %puint"
        for i in range(1, count + 1):
            next_ = "OpAccessChain %puint %another %u0" if i == count else "OpFunctionCall %%puint %%d%d" % (i + 1)
            more["functions"] += ("\n%%d%d = OpFunction %%puint None %%fnpick\n%%b_d%d = OpLabel\n%%y%d = %s\n"
                                  "OpReturnValue %%y%d\nOpFunctionEnd" % (i, i, i, next_, i))
        check("".join("%s\nuse %%a%d ;; %s\n" % (read_, i, "unknown" if str(i) in spoilt else "group subgroup")
                      for i, read_ in enumerate(PLAIN_READS, 1)) +
              "%s = OpFunctionCall %puint %d1\n%t = OpSelect %puint %even %s %p2\nOpStore %t %u1", **more)
    for exported, spoilt in ((True, "1234567"), (False, "23")):
        more = dict(MEMORIES)
        more["capabilities"] += "\nOpCapability Linkage"
        more["decorations"] += 'OpDecorate %exported LinkageAttributes "exported" Export' * exported
        more["functions"] += """\n%exported = OpFunction %void None %fnset
%xp = OpFunctionParameter %puint
%b_exported = OpLabel
%x2 = OpAccessChain %puint %another %u0
%xc = OpUGreaterThan %bool %u1 %u0
%xs = OpSelect %puint %xc %xp %x2
OpStore %xs %u1
OpReturn
OpFunctionEnd"""
        check("".join("%s\nuse %%a%d ;; %s\n" % (read_, i, "unknown" if str(i) in spoilt else "group subgroup")
                      for i, read_ in enumerate(PLAIN_READS, 1)), **more)


def test_writes_of_functions_through_parameters():
    """Functions may write by any instruction, before any of their returns, through any alias that they are given."""
    setup = dict(capabilities='%glsl = OpExtInstImport "GLSL.std.450"', declarations="""%float = OpTypeFloat 32
%flocal = OpTypePointer Function %float
%local4 = OpTypePointer Function %uarr2
%set = OpConstantComposite %uarr2 %u1 %u2
%fnmodf = OpTypeFunction %void %float %flocal
%fnset = OpTypeFunction %void %local %bool
%fntwo = OpTypeFunction %uint %local %local""", variables="""%x = OpVariable %local Function
%fx = OpVariable %flocal Function
%arr = OpVariable %local4 Function %set""")
    modf = """%modf = OpFunction %void None %fnmodf
%value = OpFunctionParameter %float
%whole = OpFunctionParameter %flocal
%b_modf = OpLabel
%part = OpExtInst %float %glsl Modf %value %whole
OpReturn
OpFunctionEnd"""
    sets = """%sets = OpFunction %void None %fnset
%to = OpFunctionParameter %local
%which = OpFunctionParameter %bool
%b_sets = OpLabel
OpSelectionMerge %s_m None
OpBranchConditional %which %s_a %s_m
%s_a = OpLabel
OpStore %to %u1
OpReturn
%s_m = OpLabel
OpStore %to %u2
OpReturn
OpFunctionEnd"""
    two = """%two = OpFunction %uint None %fntwo
%ta = OpFunctionParameter %local
%tb = OpFunctionParameter %local
%b_two = OpLabel
OpStore %tb %u3
%tl = OpLoad %uint %ta
use %tl ;; {}
OpReturnValue %tl
OpFunctionEnd"""
    for which, verdict in (("%lane", "divergent"), ("%same", "group subgroup")):
        check("%f = OpConvertUToF %float " + which + "\n%s = OpConvertUToF %float %same\nOpStore %fx %s\n"
              "%r = OpFunctionCall %void %modf %f %fx\n%l = OpLoad %float %fx\n"
              "%i = OpConvertFToU %uint %l\nuse %i ;; " + verdict, functions=modf, **setup)
    for which, verdict in (("%odd", "divergent"), ("%even", "group subgroup")):
        check("OpStore %x %same\n%r = OpFunctionCall %void %sets %x " + which + "\n%l = OpLoad %uint %x\nuse %l ;; " +
              verdict, functions=sets, **setup)
    copies = two.replace("%tl = OpLoad %uint %ta", "OpCopyMemory %copied %ta\n%tl = OpLoad %uint %copied").replace(
        "%b_two = OpLabel", "%b_two = OpLabel\n%copied = OpVariable %local Function")
    for index, verdict, two in ((*row, text) for text in (two, copies) for row in (
            ("%lane", "divergent"), ("%same", "group subgroup"), ("%u0", "group subgroup"))):
        check("%pa = OpAccessChain %local %arr " + index + "\n%pb = OpAccessChain %local %arr %u1\n"
              "%p0 = OpAccessChain %local %arr %u0\nOpStore %p0 %same\nOpStore %pb %other\n"
              "%r = OpFunctionCall %uint %two %pa %pb\nuse %r ;; " + verdict, functions=two.format(verdict), **setup)


def test_variables_behind_a_parameter():
    """A function that writes a part of a variable leaves the others unchanged; memory that others write is not
    followed."""
    parts = dict(variables="%v = OpVariable %local2 Function", declarations="%fng = OpTypeFunction %void %local",
                 functions="%g = OpFunction %void None %fng\n%p = OpFunctionParameter %local\n%b_g = OpLabel\n"
                 "OpStore %p %u1\nOpReturn\nOpFunctionEnd")
    for part, verdict in (("%u0", "divergent"), ("%u1", "group subgroup")):
        check("OpStore %v %mixed\n%pv = OpAccessChain %local %v " + part + "\n%r = OpFunctionCall %void %g %pv\n"
              "%pl = OpAccessChain %local %v %u1\n%l = OpLoad %uint %pl\nuse %l ;; " + verdict, **parts)
    for storage, pointer, verdict in (("Workgroup", "%wg", "unknown"), ("StorageBuffer", "%pout0", "unknown"),
                                      ("PushConstant", "%psame", "group subgroup")):
        check("%r = OpFunctionCall %uint %g " + pointer + "\nuse %r ;; " + verdict,
              declarations="%pwg = OpTypePointer Workgroup %uint\n%wg = OpVariable %pwg Workgroup\n"
              "%pp = OpTypePointer {} %uint\n%fng = OpTypeFunction %uint %pp".format(storage),
              functions="%g = OpFunction %uint None %fng\n%p = OpFunctionParameter %pp\n%b_g = OpLabel\n"
              "%l = OpLoad %uint %p\nuse %l ;; " + verdict + "\nOpReturnValue %l\nOpFunctionEnd")


def test_stores_to_some_nested_elements():
    """Stores to all elements of an array of arrays, by constant indexes, overwrite everything; stores to one of each
    row do not."""
    whole = ["%%n%d" % k for k in range(17)]
    for rows, width, columns, verdict in (
            (2, 17, whole, "group subgroup"), (2, 17, ["%same"], "divergent"), (2, 17, ["%n2"], "divergent"),
            (2, 17, whole[:16] + ["%same"], "divergent"), (2, 17, whole[:16], "divergent"),
            (17, 3, whole[:3], "group subgroup"), (17, 3, ["%same"], "divergent")):
        stores = [("%n0", "%n0", "%lane")] + [(row, column, "%same") for row in whole[:rows] for column in columns]
        check("".join("%%c%d = OpAccessChain %%local %%a %s %s\nOpStore %%c%d %s\n" % (k, row, column, k, value)
                      for k, (row, column, value) in enumerate(stores)) +
              "%c = OpAccessChain %local %a %n0 {}\n%l = OpLoad %uint %c\nuse %l ;; ".format(
                  "%n3" if width > 3 else "%n0") + verdict,
              declarations="".join("%s = OpConstant %%uint %d\n" % (n, k) for k, n in enumerate(whole)) +
              "%width = OpConstant %uint {}\n%height = OpConstant %uint {}\n%row = OpTypeArray %uint %width\n"
              "%rows = OpTypeArray %row %height\n%prows = OpTypePointer Function %rows".format(width, rows),
              variables="%a = OpVariable %prows Function")


def test_scopes_of_uniform_decorations():
    """UniformId with the scope Invocation promises nothing."""
    for scope, verdict in enumerate(("group", "group", "group", "subgroup", "divergent", "divergent", "divergent")):
        check("use %lane ;; " + verdict, decorations="OpDecorate %lane UniformId %scope",
              declarations="%%scope = OpConstant %%uint %d" % scope)


def test_broadcasts_from_possibly_inactive_invocations():
    """A broadcast from a constant invocation is undefined if that one does not execute it: because of a branch around
    the broadcast, or around a call of its function."""
    branch = "OpSelectionMerge %m None\nOpBranchConditional {} %a %m\n%a = OpLabel\n{}\nOpBranch %m\n%m = OpLabel"
    broadcast = "%f = OpGroupNonUniformBroadcast %uint %u3 {} %u1\nuse %f ;; {}"
    call, function_ = "%r = OpFunctionCall %uint %g", """%g = OpFunction %uint None %fng
%b_g = OpLabel
%pg = OpAccessChain %ppushu %push %u0
%same_g = OpLoad %uint %pg
{}
OpReturnValue %f
OpFunctionEnd"""
    for condition, verdict in (("%odd", "unknown"), ("%even", "group subgroup")):
        check(branch.format(condition, broadcast.format("%same", verdict)))
        check(branch.format(condition, call), declarations="%fng = OpTypeFunction %uint",
              functions=function_.format(broadcast.format("%same_g", verdict)))


def test_stores_that_may_be_to_another_part():
    """They do not overwrite earlier contents: a component that does not exist, a member of a struct with too many
    members, an element next to a known one."""
    large = dict(variables="%s = OpVariable %plarge Function", declarations="%large = OpTypeStruct" + " %uint" * 65 +
                 "\n%plarge = OpTypePointer Function %large")
    vector = dict(variables="%v = OpVariable %local2 Function\n%x = OpVariable %local Function")
    for body, verdict, more in (
            ("OpStore %v %mixed\n%p = OpAccessChain %local %v %u9\nOpStore %p %same\n"
             "%q = OpAccessChain %local %v %u1\n", "divergent", vector),
            ("%q = OpAccessChain %local %s %u1\nOpStore %q %lane\n"
             "%p = OpAccessChain %local %s %u0\nOpStore %p %same\n", "divergent", large),
            ("%q = OpCopyObject %local %x\nOpStore %x %lane\n%p = OpPtrAccessChain %local %x %same\n"
             "OpStore %p %same\n", "divergent", vector),
            ("OpStore %v %mixed\n%q = OpPtrAccessChain %local %v %u0 %u1\n", "divergent", vector),
            ("OpStore %v %mixed\n%q = OpPtrAccessChain %local %v %u0 %u0\n", "group subgroup", vector)):
        check(body + "%l = OpLoad %uint %q\nuse %l ;; " + verdict, **more)


def test_branches_with_equal_targets():
    """A branch whose arms lead to one block says nothing about its condition there."""
    for first, second in (("%m", "%m"), ("%y", "%m")):
        check("%e = OpIEqual %bool %lane %same\nOpSelectionMerge %m None\nOpBranchConditional %e {} {}\n".format(
            first, second) + ("%y = OpLabel\nuse %lane ;; group\nOpBranch %m\n" if first == "%y" else "") +
            "%m = OpLabel\nuse %lane ;; divergent")


def test_stores_in_other_branches():
    """Such stores are not read after the branch, or in another branch. In a nested branch, both conditions decide."""
    branch = ("OpSelectionMerge %m None\nOpBranchConditional {} %a %b\n%a = OpLabel\n{}OpBranch %m\n%b = OpLabel\n{}"
              "OpBranch %m\n%m = OpLabel\n{}").format
    load = "%{0} = OpLoad %uint %x\nuse %{0} ;; {1}\n".format
    variables = "%x = OpVariable %local Function"
    for first, stored, beside, behind in (("%lane", "%same", "divergent", "divergent"),
                                          ("%same", "%lane", "group subgroup", "divergent")):
        for condition in ("%even", "%odd"):
            begin = "OpStore %x " + first + "\n"
            check(begin + branch(condition, "OpStore %x " + stored + "\n", load("p", beside), load("q", behind)),
                  variables=variables)
            check(begin + branch(condition, load("p", beside), "OpStore %x " + stored + "\n", load("q", behind)),
                  variables=variables)
            # a third block, which only the entry dominates
            check(begin + "OpSelectionMerge %end None\nOpSwitch %other %end 1 %c1 2 %c2 3 %c3\n%c1 = OpLabel\n"
                  "OpStore %x " + stored + "\nOpBranch %end\n%c2 = OpLabel\n" + load("p", beside) +
                  "OpBranch %end\n%c3 = OpLabel\n" + load("r", beside) + "OpBranch %end\n%end = OpLabel\n" +
                  load("q", "divergent"), variables=variables)
    reads = FUNCTION % ("reads", "%fnvoid", "", "reads", "%q = OpLoad %uint %own\nuse %q ;; {}")
    writes = "\n" + FUNCTION % ("writes", "%fnvoid", "", "writes", "OpStore %own %u2") + "\n" + FUNCTION % (
        "around", "%fnvoid", "", "around", "%w = OpFunctionCall %void %writes")
    private = "%private = OpTypePointer Private %uint\n%own = OpVariable %private Private %u1"
    for called in ("writes", "around"):
        for condition, verdict in (("%odd", "divergent"), ("%even", "group subgroup")):
            check("OpSelectionMerge %m None\nOpBranchConditional " + condition + " %a %m\n%a = OpLabel\n"
                  "%c = OpFunctionCall %void %" + called + "\nOpBranch %m\n%m = OpLabel\n"
                  "%r = OpFunctionCall %void %reads", functions=reads.format(verdict) + writes, declarations=private)
    # other entry points are not affected
    check("OpStore %own %same\n%r = OpFunctionCall %void %reads", functions=reads.format("group subgroup") +
          "\n%gone = OpFunction %void None %fnvoid\nOpFunctionEnd", mode='OpEntryPoint GLCompute %gone "gone"\n' +
          WORKGROUP + "\nOpExecutionMode %gone LocalSize 64 1 1", declarations=private.replace(" %u1", ""))
    for outer, inner, verdict in (("%odd", "%even", "divergent"), ("%even", "%odd", "divergent"),
                                  ("%even", "%even", "group subgroup")):
        check("OpSelectionMerge %m None\nOpBranchConditional " + outer + " %a %m\n%a = OpLabel\n"
              "OpSelectionMerge %m2 None\nOpBranchConditional " + inner + " %a2 %m2\n%a2 = OpLabel\n"
              "OpStore %own %u2\nOpBranch %m2\n%m2 = OpLabel\nOpBranch %m\n%m = OpLabel\n"
              "%r = OpFunctionCall %void %reads", functions=reads.format(verdict), declarations=private)


def test_values_that_are_too_large_to_be_tracked():
    """Loops left by too many branches, joins of too many blocks, functions with too many returns, and blocks with too
    many control dependences: nothing is claimed about these."""
    def loops(n):
        """Nested loops, the innermost left by as many branches; all conditions are alike."""
        text = "OpBranch %h0\n"
        for k in range(n):
            text += "%%h%d = OpLabel\n" % k
            text += "OpBranch %%h%d\n" % (k + 1) if k + 1 < n else ""
        text += "%%i = OpPhi %%uint %%u0 %%h%d %%j %%t%d\n" % (n - 2, n - 1)
        text += "%j = OpIAdd %uint %i %u1\nOpBranch %b0\n"
        for k in range(n):
            text += "%%b%d = OpLabel\nOpBranchConditional %%even %%away %%%s\n" % (
                k, "b%d" % (k + 1) if k + 1 < n else "t%d" % k)
        for k in reversed(range(n)):
            text += "%%t%d = OpLabel\nOpBranchConditional %%even %%h%d %%%s\n" % (k, k, "t%d" % (k - 1) if k else "met")
        return text + "%away = OpLabel\nOpReturn\n%met = OpLabel\nuse %i ;; "

    def cases(n, each, last="OpBranch %met\n%met = OpLabel\n"):
        labels = " ".join("%d %%c%d" % (k, k) for k in range(n))
        return "OpSelectionMerge %%met None\nOpSwitch %%same %%rest %s\n" % labels + "".join(
            "%%c%d = OpLabel\n%s" % (k, each) for k in range(n)) + "%rest = OpLabel\n" + last

    check(loops(20) + "group subgroup")
    check(loops(220) + "unknown")
    for few, many, verdict in ((3, 20, "group subgroup"), (150, 1000, "unknown")):
        names = ["%%v%d" % k for k in range(few)]
        variables = "".join("%s = OpVariable %%local Function\n" % v for v in names)
        uses = "%s0 = OpCopyObject %uint %same\n" + "".join(
            "%%l%d = OpLoad %%uint %s\n%%s%d = OpIAdd %%uint %%s%d %%l%d\n" % (k, v, k + 1, k, k)
            for k, v in enumerate(names)) + "use %%s%d ;; %s\n" % (few, verdict)
        stores = "".join("OpStore %s %%other\n" % v for v in names)
        check("".join("OpStore %s %%same\n" % v for v in names) + cases(many, "OpBranch %met\n", stores +
              "OpBranch %met\n%met = OpLabel\n") + uses, variables=variables)
        parameters = "".join("%%p%d = OpFunctionParameter %%local\n" % k for k in range(few))
        check("%r = OpFunctionCall %void %g " + " ".join(names) + "\n" + uses, variables=variables,
              declarations="%fng = OpTypeFunction %void" + " %local" * few,
              functions="%g = OpFunction %void None %fng\n" + parameters + "%b_g = OpLabel\n"
              "%pg = OpAccessChain %ppushu %push %u1\n%same_g = OpLoad %uint %pg\n" +
              "".join("OpStore %%p%d %%same_g\n" % k for k in range(few)) +
              cases(many, "OpReturn\n", "OpReturn\n%met = OpLabel\nOpUnreachable\nOpFunctionEnd\n").replace(
                  "%same ", "%same_g "))
    for many, verdict in ((20, "group subgroup"), (170, "unknown")): # each of the last blocks depends on each branch
        check("%r = OpFunctionCall %void %g\n%l = OpLoad %uint %own\nuse %l ;; " + verdict,
              declarations="%private = OpTypePointer Private %uint\n%own = OpVariable %private Private %u1",
              functions="%g = OpFunction %void None %fnvoid\n%b_g = OpLabel\n%pg = OpAccessChain %ppushu %push %u1\n"
              "%same_g = OpLoad %uint %pg\n%even_g = OpUGreaterThan %bool %same_g %u3\n" + "".join(
                  "OpBranchConditional %%even_g %%c0 %%b%d\n%%b%d = OpLabel\n" % (k, k) for k in range(many)) +
              "OpBranch %back\n%c0 = OpLabel\n" + "".join(
                  "OpBranch %%c%d\n%%c%d = OpLabel\n" % (k, k) for k in range(1, many)) +
              "OpStore %own %same_g\nOpBranch %back\n%back = OpLabel\nOpReturn\nOpFunctionEnd\n")


def test_loops_in_functions():
    """A loop-carried value that starts with an argument: each call differs as its argument does."""
    counts = """%counts = OpFunction %uint None %fnu
%from = OpFunctionParameter %uint
%b_counts = OpLabel
OpBranch %head
%head = OpLabel
%n = OpPhi %uint %from %b_counts %next %on
%sum = OpPhi %uint %u0 %b_counts %added %on
OpLoopMerge %done %on None
OpBranch %in
%in = OpLabel
%go = OpULessThan %bool %n %u9
OpBranchConditional %go %on %done
%on = OpLabel
%next = OpIAdd %uint %n %u1
%added = OpIAdd %uint %sum %n
OpBranch %head
%done = OpLabel
OpReturnValue %sum
OpFunctionEnd"""
    check("%a = OpFunctionCall %uint %counts %lane\nuse %a ;; divergent\n"
          "%b = OpFunctionCall %uint %counts %same\nuse %b ;; group subgroup", functions=counts,
          declarations="%fnu = OpTypeFunction %uint %uint")


def test_a_function_with_many_calls():
    """Each of 16 functions calls the next one twice, but is analysed once. It reads what the first call has stored."""
    calls = "\n".join(FUNCTION % ("t%d" % i, "%fnvoid", "", "t%d" % i, "".join(
        "%%t%d_%d = OpFunctionCall %%void %%t%d\n" % (i, k, i + 1) for k in range(2))) for i in range(16))
    last = FUNCTION % ("t16", "%fnvoid", "", "t16", "%q = OpLoad %uint %own\nuse %q ;; {}")
    call_ = "%r = OpFunctionCall %void %t0\n"
    for body, verdict in (("OpStore %own %same\n" + call_, "group subgroup"),
                          (call_ + "OpStore %own %same\n", "unknown")):
        check(body, functions=calls + "\n" + last.format(verdict),
              declarations="%private = OpTypePointer Private %uint\n%own = OpVariable %private Private")


def test_values_of_unknown_instructions():
    """Nothing is known of them, nor of values computed from them."""
    def with_unknown(data):
        words = list(struct.unpack("<%dI" % (len(data) // 4), data))
        at = 5
        while words[at] & 0xFFFF != 248: # after the label of the entry block
            at += words[at] >> 16
        at += 2
        return struct.pack("<%dI" % (len(words) + 3), *words[:at], 3 << 16 | 0x7FF0, 0, 900, *words[at:])

    check("%z = OpIAdd %uint %same %900\nuse %z ;; unknown\nuse %same ;; group subgroup", change=with_unknown)


if __name__ == "__main__":
    running.main(globals())
