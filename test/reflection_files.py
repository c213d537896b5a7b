# SPDX-License-Identifier: Apache-2.0
"""--reflect around what it says of one module, which the test `reflect` compares: where it is written, and its numbers.

    reflection_files.py --bind B [--only WORD]"""
import json
import os
import random
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from cli import module  # noqa: E402
from depfile import rules  # noqa: E402
from running import bind, read_text, write  # noqa: E402

STORED = {16: 10, 32: 23, 64: 52}  # bits of the fraction
PACKED = {16: ("<H", "<e"), 32: ("<I", "<f"), 64: ("<Q", "<d")}
SPECIAL = (0.1, 1 / 3, 1e10, 123456.0, 1e-5, 0.5, 9.5, 2.5e-7, 5e-5, 1e16, 1e17, 9.9999994e-5)


def buffers(path):
    return [x["name"] for x in json.loads(read_text(path))["ubos"]]


def test_a_file_for_each_module():
    module("a.spv", name="A"), module("b.spv", name="B")
    bind("a.spv", "b.spv", "--out-dir=o", "--reflect=lit.json")
    assert [buffers("lit.%d.json" % i) for i in (0, 1)] == [["A"], ["B"]] and not os.path.exists("lit.json")
    bind("a.spv", "-o", "o.spv", "--reflect=one.json")
    assert buffers("one.json") == ["A"]


def test_all_of_them_on_stdout():
    module("a.spv", name="A"), module("b.spv", name="B")
    text, found = bind("a.spv", "b.spv", "--out-dir=o", "--reflect=-").stdout, []
    while text.strip():
        one, end = json.JSONDecoder().raw_decode(text.lstrip())
        found.append(one["ubos"][0]["name"])
        text = text.lstrip()[end:]
    assert found == ["A", "B"], found


def test_batches_have_a_mark():
    module("a.spv", name="A"), module("b.spv", name="B")
    said = bind("a.spv", "b.spv", "--batch", "--out-dir=o", "--reflect=r.json", expect=2).stderr
    assert "put a % into the file name, as in --reflect=layouts/%.json" in said, said
    bind("a.spv", "b.spv", "--batch", "--out-dir=o", "--reflect=o/%.json")
    assert (buffers("o/a.json"), buffers("o/b.json")) == (["A"], ["B"]), os.listdir("o")


def test_manifests_have_it_in_a_program():
    module("a.spv", name="A"), module("b.spv", name="B")
    write("m", "program one: a.spv --reflect=one.json\nprogram two: a.spv -o c.spv b.spv --reflect=two.json\n")
    bind("--manifest=m", "--out-dir=o")
    assert buffers("o/one.json") == buffers("o/two.0.json") == ["A"] and buffers("o/two.1.json") == ["B"]
    said = bind("--manifest=m", "--out-dir=o", "--reflect=r.json", expect=2).stderr
    assert "give them in the manifest, on its line" in said, said
    os.remove("o/two.1.json")
    bind("--manifest=m", "--out-dir=o", "--cache=c"), bind("--manifest=m", "--out-dir=p", "--cache=c")
    assert [read_text(x + "/two.1.json") for x in "op"] == [read_text("o/two.1.json")] * 2


def test_no_file_is_written_twice():
    module("a.spv"), module("b.spv")
    for more in ("--reflect=a.spv", "--layout-json=x.0.json"), ("--layout-json=x.0.json", "--reflect=x.json"):
        bind("a.spv", "b.spv", "--out-dir=o", *more, expect=2)
        assert not os.path.exists("o"), more


def test_the_depfile():
    """Its targets are the modules, which are there whenever a reflection is, or the stamp; a reflection is no input."""
    module("a.spv"), module("b.spv")
    bind("a.spv", "b.spv", "--out-dir=o", "--reflect=r.json", "--depfile=d")
    assert {k: sorted(v) for k, v in rules().items() if v} == {x: ["a.spv", "b.spv"] for x in ("o/a.spv", "o/b.spv")}
    bind("a.spv", "-o", "o.spv", "--reflect=r.json", "--stamp=s", "--depfile=d")
    assert rules() == {"s": ["a.spv"], "a.spv": []}, rules()
    for without, why in (("--doctor", "--doctor binds and writes nothing"),
                         ("--check", "no file is made that the rule could name")):
        said = bind(without, "o.spv", "--reflect=x.json", "--depfile=d", expect=2).stderr
        assert why in said and not os.path.exists("x.json"), said


def constants(numbers):
    """A module with a specialization constant of each (width, bits)."""
    words = []

    def put(op, *operands):
        words.extend([(1 + len(operands)) << 16 | op, *operands])
    for capability in (1, 9, 10, 22):  # Shader, Float16, Float64, Int16
        put(17, capability)
    put(14, 0, 1), put(15, 5, 4, 0x6E69616D, 0), put(16, 4, 17, 1, 1, 1)
    for i in range(len(numbers)):
        put(71, 10 + i, 1, i)  # OpDecorate SpecId
    put(19, 1), put(33, 2, 1), put(22, 5, 32), put(22, 6, 64), put(22, 7, 16)
    for i, (width, bits) in enumerate(numbers):
        put(50, {16: 7, 32: 5, 64: 6}[width], 10 + i, *([bits & 0xFFFFFFFF, bits >> 32] if width == 64 else [bits]))
    put(54, 1, 4, 0, 2), put(248, 8), put(253), put(56)
    return struct.pack("<%dI" % (5 + len(words)), 0x07230203, 0x10300, 0, 10 + len(numbers), 0, *words)


def integers(rows):
    """A module with a specialization constant of each (width, is signed, words)."""
    words = []

    def put(op, *operands):
        words.extend([(1 + len(operands)) << 16 | op, *operands])
    types = sorted({row[:2] for row in rows})
    put(17, 1), put(14, 0, 1), put(15, 5, 4, 0x6E69616D, 0), put(16, 4, 17, 1, 1, 1)
    for i in range(len(rows)):
        put(71, 100 + i, 1, i)  # OpDecorate SpecId
    put(19, 1), put(33, 2, 1)
    for i, (width, is_signed) in enumerate(types):
        put(21, 10 + i, width, is_signed)
    for i, (width, is_signed, values) in enumerate(rows):
        put(50, 10 + types.index((width, is_signed)), 100 + i, *values)
    put(54, 1, 4, 0, 2), put(248, 8), put(253), put(56)
    return struct.pack("<%dI" % (5 + len(words)), 0x07230203, 0x10300, 0, 100 + len(rows), 0, *words)


def test_integers_of_every_width():
    """Bits beyond the width do not count: producers fill them in either way. What is no integer has no value."""
    rows, expected = [], []
    for width in (1, 2, 7, 8, 16, 31, 32, 33, 63, 64):
        sign, all_ones = 1 << (width - 1), (1 << width) - 1
        for bits in {0, 1, sign - 1, sign, all_ones - 1, all_ones} - {-1}:
            for beyond in {0, (1 << (32 if width <= 32 else 64)) - 1 - all_ones}:
                stored = bits | beyond
                for is_signed in (0, 1):
                    rows.append((width, is_signed, [stored & 0xFFFFFFFF] + [stored >> 32] * (width > 32)))
                    expected.append(str(bits - (1 << width) if is_signed and bits & sign else bits))
    rows += [(0, 0, [5]), (65, 0, [5, 0, 0])]
    write("m.spv", integers(rows))
    bind("-q", "--validate=none", "m.spv", "-o", "o.spv", "--reflect=r.json")
    found = re.findall(r'"default_value": (.*?)\s*}', read_text("r.json"), re.S)
    assert found == expected + ["null", "null"], [x for x in zip(rows, expected, found) if x[1] != x[2]]


def all_kinds_of_numbers():
    turn = random.Random(19)
    for width, stored in STORED.items():
        sign, last = 1 << (width - 1), (1 << stored) - 1
        yield from ((width, bits) for bits in (0, 1, 2, 3, sign, sign | 1))
        for exponent in range(1, (1 << (width - stored - 1)) - 1, {16: 1, 32: 3, 64: 23}[width]):
            yield from ((width, exponent << stored | fraction) for fraction in (0, 1, last))
        yield from ((width, turn.getrandbits(width)) for _ in range(500))
        for number in SPECIAL:
            yield width, struct.unpack(PACKED[width][0], struct.pack(PACKED[width][1], min(number, 6e4)
                                                                     if width == 16 else number))[0]


def test_types_that_are_none_do_no_harm():
    """As the fuzzer found them: matrices of scalars, and opcodes of tomorrow among the modes."""
    head = [0x07230203, 0x10300, 0, 12, 0, 2 << 16 | 17, 1, 3 << 16 | 14, 0, 1]
    entry = [6 << 16 | 15, 5, 1, *struct.unpack("<2I", b"main\0\0\0\0"), 9]
    unknown = [6 << 16 | 16, 1, 17, 1, 1, 1, 3 << 16 | 0xFFF0, 0x7FFFFFFF, 17]  # LocalSize, and what could be one
    types = [2 << 16 | 19, 2, 3 << 16 | 33, 3, 2, 2 << 16 | 20, 4, 4 << 16 | 24, 5, 4, 3, 3 << 16 | 30, 7, 5,
             4 << 16 | 32, 8, 3, 7, 4 << 16 | 59, 8, 9, 3]  # an output, so that its types are written
    main = [5 << 16 | 54, 2, 1, 0, 3, 2 << 16 | 248, 10, 1 << 16 | 253, 1 << 16 | 56]
    for middle in ([], unknown):
        words = head + entry + middle + types + main
        write("odd.spv", struct.pack("<%dI" % len(words), *words))
        said = bind("odd.spv", "--validate=none", "--reflect=odd.json", "-o", "o.spv", expect=None)
        assert said.returncode == 0 and "Sanitizer" not in said.stderr, said.stderr
        assert json.loads(read_text("odd.json"))["outputs"][0]["type"] == "_7"


NUMBERED = """OpCapability TransformFeedback
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %out
OpExecutionMode %main Xfb
OpDecorate %listed SpecId 3
OpDecorate %out Location 2
OpDecorate %out XfbBuffer 0
OpDecorate %out XfbStride 32
OpDecorate %out Offset 20
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%without = OpSpecConstant %float 1
%listed = OpSpecConstant %float 2
%pfloat = OpTypePointer Output %float
%out = OpVariable %pfloat Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def test_numbers_that_few_have():
    """Of what is captured, where; a constant without a number is none that a pipeline could specialize."""
    write("n.spvasm", NUMBERED)
    running.run("spirv-as", "--target-env", "spv1.0", "n.spvasm", "-o", "n.spv")
    bind("n.spv", "-o", "o.spv", "--reflect=n.json")
    found = json.loads(read_text("n.json"))
    assert [(x["location"], x["offset"]) for x in found["outputs"]] == [(2, 20)], found["outputs"]
    assert [(x["id"], x["default_value"]) for x in found["specialization_constants"]] == [(3, 2)], found
    crossed = json.loads(running.run("spirv-cross", "n.spv", "--reflect").stdout)
    assert [x["offset"] for x in crossed["outputs"]] == [20] and len(crossed["specialization_constants"]) == 1


def test_formats_are_called_as_in_glsl():
    """Every format of SPIR-V, as SPIRV-Cross calls it."""
    formats = re.findall(r"(\w+)", """Rgba32f Rgba16f R32f Rgba8 Rgba8Snorm Rg32f Rg16f R11fG11fB10f R16f Rgba16 Rgb10A2
        Rg16 Rg8 R16 R8 Rgba16Snorm Rg16Snorm Rg8Snorm R16Snorm R8Snorm Rgba32i Rgba16i Rgba8i R32i Rg32i Rg16i Rg8i
        R16i R8i Rgba32ui Rgba16ui Rgba8ui R32ui Rgb10a2ui Rg32ui Rg16ui Rg8ui R16ui R8ui""")
    text = "OpCapability Shader\nOpCapability StorageImageExtendedFormats\nOpMemoryModel Logical GLSL450\n"
    text += 'OpEntryPoint GLCompute %main "main"\nOpExecutionMode %main LocalSize 1 1 1\n'
    text += "".join('OpName %%v%d "%s"\n' % (i, f) for i, f in enumerate(formats))
    text += "".join("OpDecorate %%v%d DescriptorSet 0\nOpDecorate %%v%d Binding %d\n" % (i, i, i)
                    for i in range(len(formats)))
    text += "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"
    text += "%int = OpTypeInt 32 1\n"
    for i, f in enumerate(formats):
        of = "uint" if f.endswith("ui") else "int" if f.endswith("i") else "float"
        text += "%%i%d = OpTypeImage %%%s 2D 0 0 0 2 %s\n" % (i, of, f)
        text += "%%p%d = OpTypePointer UniformConstant %%i%d\n%%v%d = OpVariable %%p%d UniformConstant\n" % (i, i, i, i)
    text += "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
    running.spirv_as(text, "f.spv", "spv1.0")
    bind("f.spv", "-o", "o.spv", "--reflect=f.json")
    ours, theirs = json.loads(read_text("f.json")), json.loads(running.run("spirv-cross", "f.spv", "--reflect").stdout)
    assert len(ours["images"]) == len(formats) == 39
    assert [(x["name"], x["format"]) for x in ours["images"]] == [(x["name"], x["format"]) for x in theirs["images"]]


MODELS = {"Vertex": "vert", "TessellationControl": "tesc", "TessellationEvaluation": "tese", "Geometry": "geom",
          "Fragment": "frag", "GLCompute": "comp", "TaskNV": "task", "MeshNV": "mesh", "TaskEXT": "task",
          "MeshEXT": "mesh", "RayGenerationKHR": "rgen", "IntersectionKHR": "rint", "AnyHitKHR": "rahit",
          "ClosestHitKHR": "rchit", "MissKHR": "rmiss", "CallableKHR": "rcall", "Kernel": "???"}
WITH_WORKGROUPS = ("comp", "task", "mesh")


def test_sizes_of_workgroups():
    """Of the stages that have any; a constant that is decorated outweighs execution modes (SPIR-V 3.21)."""
    head = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    head += "".join('OpEntryPoint %s %%main "e%d"\n' % (model, i) for i, model in enumerate(MODELS))
    tail = "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%v3uint = OpTypeVector %uint 3\n" \
        "%c2 = OpConstant %uint 2\n%c1 = OpConstant %uint 1\n%s7 = OpSpecConstant %uint 7\n" \
        "%three = OpSpecConstantComposite %v3uint %c1 %c2 %s7\n" \
        "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
    ids = "OpExecutionModeId %main LocalSizeId %c2 %s7 %c1\n"
    for modes, sizes, specs in (
            ("", [0, 0, 0], []), ("OpExecutionMode %main LocalSize 3 4 5\n", [3, 4, 5], []), (ids, [2, 9, 1], [1]),
            (ids + "OpDecorate %three BuiltIn WorkgroupSize\n", [1, 2, 9], [2]),
            ("OpDecorate %three BuiltIn WorkgroupSize\n", [1, 2, 9], [2]),
            ("OpDecorate %s7 BuiltIn WorkgroupSize\nOpDecorate %three BuiltIn WorkgroupId\n", [0, 0, 0], [])):
        running.spirv_as(head + modes + "OpDecorate %s7 SpecId 9\n" + tail, "w.spv", "spv1.5")
        bind("-q", "w.spv", "--validate=none", "-o", "o.spv", "--reflect=w.json")
        points = json.loads(read_text("w.json"))["entryPoints"]
        assert [(p["name"], p["mode"]) for p in points] == [("e%d" % i, m) for i, m in enumerate(MODELS.values())]
        for point in points:
            found = point.get("workgroup_size"), point.get("workgroup_size_is_spec_constant_id")
            expected = sizes, [i in specs for i in range(3)]
            assert found == (expected if point["mode"] in WITH_WORKGROUPS else (None, None)), (modes, point)


LISTED = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "a name that is as long as this one" %in %buf %pos %block
OpName %in "in"
OpName %other "other"
OpName %buf "buf"
OpName %spare "spare"
OpDecorate %in Location 0
OpDecorate %other Location 1
OpDecorate %pos BuiltIn Position
OpMemberDecorate %builtins 0 BuiltIn Position
OpDecorate %builtins Block
OpDecorate %block_t Block
OpMemberDecorate %block_t 0 Offset 0
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
OpDecorate %spare DescriptorSet 0
OpDecorate %spare Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%block_t = OpTypeStruct %v4
%builtins = OpTypeStruct %v4
%pin = OpTypePointer Input %v4
%pout = OpTypePointer Output %v4
%pblock = OpTypePointer Output %builtins
%pbuf = OpTypePointer Uniform %block_t
%in = OpVariable %pin Input
%other = OpVariable %pin Input
%pos = OpVariable %pout Output
%block = OpVariable %pblock Output
%buf = OpVariable %pbuf Uniform
%spare = OpVariable %pbuf Uniform
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def test_what_no_interface_lists():
    """Before SPIR-V 1.4, interfaces list inputs and outputs only; built-in ones are not reflected."""
    for version, buffers_there in ("1.0", 2), ("1.3", 2), ("1.4", 1), ("1.6", 1):
        running.spirv_as(LISTED, "l.spv", "spv" + version)
        bind("-q", "l.spv", "--validate=none", "-o", "o.spv", "--reflect=l.json", "--rebind=missing")
        found = json.loads(read_text("l.json"))
        assert [x["name"] for x in found["inputs"]] == ["in"] and "outputs" not in found, found
        assert [x["binding"] for x in found["ubos"]] == [0, 1][:buffers_there], (version, found["ubos"])


POINTERS = """OpCapability Shader
OpCapability PhysicalStorageBufferAddresses
OpExtension "SPV_KHR_physical_storage_buffer"
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %block "Block"
OpName %buffer "buffer"
OpName %node "Node"
OpMemberName %block 0 "number"
OpMemberName %block 1 "two"
OpMemberName %block 2 "list"
OpMemberName %block 3 "three"
OpMemberName %block 4 "node"
OpMemberName %node 0 "next"
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 8
OpMemberDecorate %block 2 Offset 16
OpMemberDecorate %block 3 Offset 24
OpMemberDecorate %block 4 Offset 48
OpMemberDecorate %node 0 Offset 0
OpDecorate %block Block
OpDecorate %node Block
OpDecorate %arr ArrayStride 4
OpDecorate %apu ArrayStride 8
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%10 = OpTypePointer PhysicalStorageBuffer %uint
%11 = OpTypePointer PhysicalStorageBuffer %10
%arr = OpTypeArray %uint %u4
%12 = OpTypePointer PhysicalStorageBuffer %arr
%apu = OpTypeArray %10 %u3
OpTypeForwardPointer %13 PhysicalStorageBuffer
%node = OpTypeStruct %13
%13 = OpTypePointer PhysicalStorageBuffer %node
%block = OpTypeStruct %10 %11 %12 %apu %13
%pblock = OpTypePointer StorageBuffer %block
%buffer = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def test_pointers_to_memory():
    """What they point to is a type of its own, whether it is a struct, a number, an array or a pointer."""
    running.spirv_as(POINTERS, "p.spv")
    bind("p.spv", "-o", "o.spv", "--reflect=p.json")
    ours, theirs = json.loads(read_text("p.json")), json.loads(running.run("spirv-cross", "o.spv", "--reflect").stdout)
    assert len(ours["types"]) == 5 and ours["ssbos"][0]["name"] == "Block", ours
    for found in theirs["types"].values():
        found["name"] = found["name"].replace("Pointer", "")  # only some of its names of types say so
    assert ours == theirs and list(ours["types"]) == list(theirs["types"]), ours


def digits(text):
    return len(re.sub("e.*", "", text).replace(".", "").replace("-", "").strip("0"))


def bits_of(width, text):
    return struct.unpack(PACKED[width][0], struct.pack(PACKED[width][1], float(text)))[0]


def shorter(width, bits, text):
    """Whether a decimal of one digit less is this number, too: the nearest one below and above."""
    count = digits(text) - 1
    if count < 1:
        return False
    mantissa, exponent = ("%.*e" % (count + 1, float(text))).split("e")
    for last in range(-2, 3):
        number = round(float(mantissa) * 10 ** (count - 1)) + last
        try:
            if bits_of(width, "%de%d" % (number, int(exponent) - count + 1)) == bits:
                return True
        except OverflowError:
            pass
    return False


def test_defaults_are_the_shortest_decimals():
    numbers = list(all_kinds_of_numbers())
    write("m.spv", constants(numbers))
    bind("-q", "--validate=none", "m.spv", "-o", "o.spv", "--reflect=r.json")
    found = re.findall(r'"default_value": (.*?)\s*}', read_text("r.json"), re.S)
    assert len(found) == len(numbers)
    for (width, bits), text in zip(numbers, found):
        stored, exponents = STORED[width], (1 << (width - STORED[width] - 1)) - 1
        if bits >> stored & exponents == exponents:
            assert text == "null", (width, hex(bits), text)
            continue
        json.loads(text)
        assert bits_of(width, text) == bits, (width, hex(bits), text)
        assert not shorter(width, bits, text), (width, hex(bits), text)
        assert width < 64 or digits(text) == digits(repr(float(text))), (hex(bits), text)
    assert found[-len(SPECIAL):] == ["0.1", "0.3333333333333333", "10000000000", "123456", "0.00001", "0.5", "9.5",
                                     "2.5e-7", "0.00005", "1e+16", "1e+17", "0.000099999994"], found[-12:]


if __name__ == "__main__":
    running.main(globals())
