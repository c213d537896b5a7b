# SPDX-License-Identifier: Apache-2.0
"""--resolver and --bounds-check: sources of resolvers, programs of several modules, refusals.

    resolvers.py --bind B [--only WORD]
"""
import json
import os
import re
import shutil
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import running  # noqa: E402
from running import FIXTURES, ROOT, bind, glslang, read, run, write  # noqa: E402

EXAMPLES = os.path.join(FIXTURES, "resolvers")
HEADER = os.path.join(ROOT, "include", "glsl", "descriptor_handle.glsl")

COMPUTE = """#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(push_constant) uniform Push { DescriptorHandle h; uint k; } push;
layout(binding = 0) buffer Out { vec4 o[]; };
%s
void main()
{
	%s
}
"""
FETCH = "o[push.k] = texelFetch(handle_texture2D(push.h), ivec2(0), 0);"
PACKED = "#version 460\nuint getDescriptorIndexFromHandle(uvec2 handle) { return handle.x & 0xFFFFFu; }\n"
TABLE = ("#version 460\nlayout(binding = 65534, std430) readonly buffer translation { uint place[]; };\n"
         "uint getDescriptorIndexFromHandle(uvec2 handle) { return place[handle.x]; }\n")


def glsl(path, text, target="vulkan1.2"):
    return glslang(write(path, text), path + ".spv", "--target-env", target)


def compute(body=FETCH, declarations="", path="m.comp", target="vulkan1.2"):
    return glsl(path, COMPUTE % (declarations, body), target)


def text_of(path):
    return run("spirv-dis", "--raw-id", path).stdout


def valid(path, env="vulkan1.2"):
    run("spirv-val", "--target-env", env, path)


def bound(*args, expect=0):
    bind("-q", *args, "-o", "out.spv", "--layout-json=out.json", expect=expect)
    valid("out.spv")
    return text_of("out.spv")


def resources(path="out.json"):
    with open(path) as f:
        return {b["name"]: (s["set"], b["binding"]) for s in json.load(f)["sets"] for b in s["bindings"]}


def test_glsl_assembly_and_binaries_give_the_same_function():
    """GLSL, a binary of either byte order, and its disassembly."""
    module = compute()
    write("r.glsl", PACKED)
    bound(module, "--resolver=r.glsl")
    first = read("out.spv")
    write("r.comp", PACKED + "void main() {}\n")
    run("glslangValidator", "-V", "-g", "--quiet", "--keep-uncalled", "--target-env", "spirv1.5", "r.comp", "-o",
        "r.spv")
    bound(module, "--resolver=r.spv")
    assert read("out.spv") == first
    data = read("r.spv")
    write("big.spv", b"".join(data[i:i + 4][::-1] for i in range(0, len(data), 4)))
    bound(module, "--resolver", "big.spv")
    assert read("out.spv") == first
    write("r.spvasm", text_of("r.spv"))
    bound(module, "--resolver=r.spvasm")
    assert read("out.spv") == first
    write("text", text_of("r.spv"))  # spirv-dis records the version
    bound(module, "--resolver=text")
    assert read("out.spv") == first


def test_the_index_is_computed_where_it_is_used():
    text = bound(compute(), "--resolver=" + write("r.glsl", PACKED))
    found = re.search(r"(%\d+) = OpBitwiseAnd .*\n.*OpAccessChain %\d+ %\d+ \1\n", text)
    assert found and "OpFunctionCall" not in text and "getDescriptorIndexFromHandle" not in text, text


def only(*programs):
    """PATH with these programs only."""
    os.makedirs("path", exist_ok=True)
    for name in os.listdir("path"):
        os.remove("path/" + name)
    for name in programs:
        os.symlink(shutil.which(name), "path/" + name)
    return dict(os.environ, PATH=os.path.abspath("path"))


def test_glslc_is_the_fallback_for_glslangvalidator():
    module = compute()
    for name in ("packed", "generation", "clamp", "table", "kind"):
        resolver = os.path.join(EXAMPLES, name + ".glsl")
        bind("-q", "--auto-binding=65534", module, "--resolver=" + resolver, "-o", "a.spv")
        bind("-q", "--auto-binding=65534", module, "--resolver=" + resolver, "-o", "b.spv", env=only("glslc"))
        valid("a.spv")
        valid("b.spv")
        ops = [re.findall(r"= (Op\w+)", text_of(path).split("OpFunction ", 1)[1]) for path in ("a.spv", "b.spv")]
        assert "OpImageFetch" in ops[0] and ops[0] == ops[1], (name, ops)


def test_resources_of_a_glsl_resolver_need_no_bindings():
    """Those that have none are numbered with those of the module; those that have one keep it."""
    module = compute()
    write("r.glsl", TABLE.replace("binding = 65534, ", "").replace(
        "uint get", "layout(binding = 7) uniform Limits { uint most; };\nuint get").replace(
        "place[handle.x]", "min(place[handle.x], most)"))
    for compiler in ("glslangValidator", "glslc"):
        bound(module, "--resolver=r.glsl")
        found = resources()
        bind("-q", module, "--resolver=r.glsl", "-o", "out.spv", "--layout-json=out.json", env=only(compiler))
        assert found == resources() and found["Limits"] == (0, 7) and found["translation"] == (0, 1), found


def test_a_resolver_in_hlsl_is_compiled_as_such_with_the_macros_and_folders_of_inputs():
    """It does what the same text in GLSL does; functions that return descriptors are found, too."""
    module = compute()
    os.mkdir("inc")
    write("inc/mask.h", "#define MASKED(h) (h.x & MASK)\n")
    write("r.hlsl", '#include "mask.h"\nuint getDescriptorIndexFromHandle(uint2 handle) { return MASKED(handle); }\n')
    write("r.glsl", '#version 460\n#extension GL_GOOGLE_include_directive : require\n#include "mask.h"\n'
          "uint getDescriptorIndexFromHandle(uvec2 handle) { return MASKED(handle); }\n")
    ops = []
    for resolver in ("r.hlsl", "r.glsl"):
        bind("-q", "--auto-binding=65534", "-Iinc", "-DMASK=65535u", module, "--resolver=" + resolver, "-o", "a.spv",
             env=only("glslangValidator"))
        valid("a.spv")
        ops.append(re.findall(r"= (Op\w+)", text_of("a.spv").split("OpFunction ", 1)[1]))
    assert "OpBitwiseAnd" in ops[0] and ops[0] == ops[1], ops
    assert "MASK" in bind("-q", module, "--resolver=r.hlsl", "-Iinc", "-o", "a.spv", expect=1).stderr
    assert "glslc keeps no" in bind(module, "--resolver=r.hlsl", "-o", "a.spv", env=only("glslc"), expect=4).stderr


ARRAYS = """Texture2D near[]; Texture2D far[%s];
Texture2D getDescriptorFromHandle2D(uint2 handle)
{
	if (handle.y == 0u)
		return near[handle.x];
	return far[handle.x & 7u];
}
"""


def test_a_whole_descriptor_comes_from_one_of_several_arrays():
    """In HLSL; those without a size have no length, although glslang gives them one."""
    module = compute()
    for size, arrays in (("", ["OpTypeRuntimeArray", "OpTypeRuntimeArray"]),
                         ("8", ["OpTypeArray", "OpTypeRuntimeArray"])):
        write("arrays.hlsl", ARRAYS % size)
        text = bound(module, "--resolver=arrays.hlsl")
        kinds = re.findall(r"(OpType(?:Runtime)?Array) %(\d+)", text)
        image = re.search(r"%(\d+) = OpTypeImage", text)[1]
        assert sorted(kind for kind, of in kinds if of == image) == sorted(set(arrays)), text
        reads = re.findall(r"OpAccessChain %\d+ %(\d+) %(\d+)\n", text)
        named = {id: name for id, name in re.findall(r'OpName %(\d+) "(near|far)"', text)}
        assert {named[id] for id, _ in reads if id in named} == {"near", "far"}, text
        (index,) = [i for id, i in reads if named.get(id) == "near"]
        assert not re.search(r"OpULessThan %%\d+ %%%s " % index, text), text
    said = bind("layout", module, "--resolver=arrays.hlsl").stdout
    assert "near" in said and "far" in said, said
    # GLSL has no functions that return one, and arrays that exist already have no handle that is dereferenced.
    write("whole.glsl", "#version 460\nlayout(binding = 1) uniform texture2D near[4];\n"
                        "texture2D getDescriptorFromHandle2D(uvec2 h) { return near[h.x]; }\n")
    assert "whole.glsl:3:1: error" in bind(module, "--resolver=whole.glsl", "-o", "out.spv", expect=1).stderr
    bind(module, "-o", "existing.spv")
    said = bind("existing.spv", "--resolver=arrays.hlsl", "-o", "out.spv").stderr
    assert "SPB3007" in said and "getDescriptorIndexFromHandle, which heaps that exist already need" in said, said


def test_a_missing_compiler_is_named():
    module = compute()
    done = bind(module, "--resolver=" + write("r.glsl", PACKED), "-o", "no.spv", env=only(), expect=4)
    assert "neither glslangValidator nor glslc is in PATH" in done.stderr and "r.glsl" in done.stderr, done.stderr
    assert not os.path.exists("no.spv")


def test_an_error_in_glsl_is_reported_with_its_line_and_leaves_no_files():
    os.makedirs("tmp", exist_ok=True)
    write("r.glsl", "#version 460\n\nuint getDescriptorIndexFromHandle(uvec2 handle)\n{\n\treturn handles.x;\n}\n")
    done = bind(compute(), "--resolver=r.glsl", "-o", "no.spv", expect=1, env=dict(os.environ, TMPDIR="tmp"))
    assert done.stderr.startswith("r.glsl:5:1: error: 'handles' : undeclared identifier\n"), done.stderr
    assert "tmp/" not in done.stderr, done.stderr
    assert "ompil" not in done.stderr.replace("compilation terminated", "")
    assert os.listdir("tmp") == [] and not os.path.exists("no.spv")
    bind("-q", compute(), "--resolver=" + write("r.glsl", PACKED), "-o", "o.spv", env=dict(os.environ, TMPDIR="tmp"))
    assert os.listdir("tmp") == []
    done = bind(compute(), "--resolver=r.glsl", "-o", "no.spv", expect=4, env=dict(os.environ, TMPDIR="/nowhere"))
    why = "cannot compile r.glsl: no temporary folder can be made in /nowhere: No such file or directory"
    assert why in done.stderr, done.stderr


def test_an_address_is_resolved_where_handles_are_addresses():
    rays = os.path.join(ROOT, "include", "glsl", "examples", "visible.comp")
    glslang(rays, "rays.spv", "-g", "--target-env", "vulkan1.2")
    swap = os.path.join(ROOT, "spirv-fixtures", "resolvers", "swapped-address.glsl")
    bind("-q", "rays.spv", "--heap=as=address", "--resolver=" + swap, "-o", "o.spv")
    valid("o.spv")
    text = text_of("o.spv")
    converted = re.findall(r"OpConvertUToAccelerationStructureKHR %\w+ (%\w+)", text)
    function = re.search(r'OpName (%\w+) "getDeviceAddressFromHandle\(vu2;"', text)[1]
    assert converted and all("%s = OpFunctionCall" % id in text for id in converted), text
    assert set(re.findall(r"OpFunctionCall %\w+ (%\w+)", text)) == {function}, text
    assert re.search(r"OpVectorShuffle %\w+ (%\w+) \1 1 0", text), text
    done = bind("rays.spv", "--resolver=" + swap, "-o", "o.spv")  # with a heap for them, no address is used
    assert "no dereference of the program needs a function of --resolver=" + swap in done.stderr, done.stderr
    assert "--heap=as=address" in done.stderr and "getDeviceAddress" not in text_of("o.spv")
    write("r.glsl", "#version 460\nuint getDeviceAddressFromHandle(uvec2 handle) { return handle.x; }\n")
    done = bind("rays.spv", "--resolver=r.glsl", "-o", "no.spv", expect=1)
    assert "[SPB3102]" in done.stderr and "uint2 (uint2 handle)" in done.stderr, done.stderr
    shutil.copy(swap, "again.glsl")
    done = bind("rays.spv", "--resolver=" + swap, "--resolver=again.glsl", "-o", "no.spv", expect=1)
    assert "both " + swap + " and again.glsl define getDeviceAddressFromHandle" in done.stderr, done.stderr


COMPILERS = ("glslangValidator", "glslc")


def test_an_error_in_what_a_resolver_includes_names_that_file():
    os.makedirs("part", exist_ok=True)
    write("part/r.glsl", "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"bits.glsl\"\n"
          "uint getDescriptorIndexFromHandle(uvec2 handle) { return low(handle.x); }\n")
    for compiler in COMPILERS:
        write("part/bits.glsl", "uint low(uint n) { return n & 0xFFFFFu; }\n")
        bind("-q", compute(), "--resolver=part/r.glsl", "-o", "o.spv", env=only(compiler))
        write("part/bits.glsl", "\nuint low(uint n) { return m & 0xFFFFFu; }\n")
        done = bind(compute(), "--resolver=part/r.glsl", "-o", "no.spv", expect=1, env=only(compiler))
        assert re.search(r"^part/+bits.glsl:2:1: .*'m' : undeclared identifier", done.stderr, re.M), done.stderr


def test_features_of_other_stages_are_refused_with_the_compilers_message():
    function = "uint getDescriptorIndexFromHandle(uvec2 handle)\n{\n\treturn handle.x + uint(%s);\n}\n"
    for compiler in COMPILERS:
        for text, said in (("#version 460\n" + function % "gl_VertexIndex", "^r.glsl:4:1: .*gl_VertexIndex"),
                           ("#version 460\n" + function % 1 + "void main() {}\n", "main"),
                           (function % 1, "compute shaders")):
            write("r.glsl", text)
            done = bind(compute(), "--resolver=r.glsl", "-o", "no.spv", expect=1, env=only(compiler))
            assert re.search(said, done.stderr, re.M), done.stderr


def test_mismatches_name_file_and_line_of_the_resolver():
    module = glsl("f.frag", """#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(push_constant) uniform Mine { DescriptorHandle t; };
layout(location = 0) out vec4 o;
void main() { o = texture(handle_sampler2D(t), vec2(0)); }
""")
    index = "uint getDescriptorIndexFromHandle(uvec2 handle) { return handle.x + %s; }\n"
    for name, text, words in (
            ("stage", "\n" + index % "gl_LocalInvocationID.x",
             ("stage.glsl:3:1: error: ", "compute, task and mesh")),
            ("push", "layout(push_constant) uniform P { uint base; };\n" + index % "base",
             ("push.glsl:3:1: error: ", "already has a different one")),
            ("sign", "int getDescriptorIndexFromHandle(uvec2 handle)\n{\n\treturn int(handle.x);\n}\n",
             ("sign.glsl:2:46: error: ",))):
        source = write(name + ".glsl", "#version 460\n" + text)
        said = bind(module, "--resolver=" + source, "-o", "no.spv", expect=1).stderr
        assert all(w in said for w in words) and not os.path.exists("no.spv"), said
    write("lane.glsl", "#version 460\n" + index % "gl_LocalInvocationID.x")
    bound(compute(), "--resolver=lane.glsl")


def test_lines_of_a_resolver_are_kept_under_its_name():
    """A called one in GLSL; an inlined one leaves no file name."""
    loop = ("#version 460\nuint getDescriptorIndexFromHandle(uvec2 handle)\n{\n\tuint n = handle.y;\n"
            "\twhile (n > 7u)\n\t\tn -= handle.x;\n\treturn n;\n}\n")
    text = bound(compute(), "--resolver=" + write("loop.glsl", loop))
    file = re.search(r'(%\d+) = OpString "loop.glsl"', text)
    lines = {int(n) for n in re.findall(r"OpLine %s (\d+)" % file[1], text)}
    assert {4, 5, 6, 7} <= lines and "OpFunctionCall" in text, text
    text = bound(compute(), "--resolver=" + write("r.glsl", PACKED))
    assert "r.glsl" not in text, text


def test_an_error_in_assembly_is_reported_with_its_line():
    write("r.spvasm", "OpCapability Shader\nOpNonsense\n")
    text = bind(compute(), "--resolver=r.spvasm", "-o", "no.spv", expect=1).stderr
    assert text == "r.spvasm:2:1: error: Invalid Opcode name 'OpNonsense'\n", text


def test_files_that_are_not_resolvers():
    module = compute()
    write("cut.spv", read(module)[:41])
    assert "truncated" in bind(module, "--resolver=cut.spv", "-o", "no.spv", expect=1).stderr
    write("some.bin", b"\x01\x02\x00\x03")
    assert "neither SPIR-V nor text" in bind(module, "--resolver=some.bin", "-o", "no.spv", expect=1).stderr
    write("magic.spv", read(module)[:4])
    text = bind(module, "--resolver=magic.spv", "-o", "no.spv", expect=1).stderr
    assert "only 1 word, but the header" in text, text
    write("words.spv", read(module)[:64])
    assert "defines neither" in bind(module, "--resolver=words.spv", "-o", "no.spv", expect=1).stderr
    assert "no.such" in bind(module, "--resolver=no.such", "-o", "no.spv", expect=4).stderr
    assert "Give a file." in bind(module, "--resolver=-", "-o", "no.spv", expect=2).stderr
    write("r.glsl", PACKED)
    assert "overwrite" in bind(module, "--resolver=r.glsl", "-o", "r.glsl", expect=2).stderr
    assert read("r.glsl").decode() == PACKED


def test_unknown_opcodes_in_a_resolver():
    write("r.comp", PACKED + "void main() {}\n")
    run("glslangValidator", "-V", "--quiet", "--keep-uncalled", "r.comp", "-o", "r.spv")
    words = list(struct.unpack("<%dI" % (len(read("r.spv")) // 4), read("r.spv")))
    at = 5
    while words[at] & 0xFFFF != 54:  # OpFunction
        at += words[at] >> 16
    write("r.spv", struct.pack("<%dI" % (len(words) + 1), *words[:at], 1 << 16 | 0xFFF0, *words[at:]))
    text = bind(compute(), "--resolver=r.spv", "-o", "no.spv", expect=1).stderr
    assert "[SPB3106]" in text and "r.spv" in text, text


def test_text_is_of_the_oldest_version_of_the_inputs():
    table = write("table.glsl", TABLE)
    seen = {}
    for target in ("vulkan1.0", "vulkan1.1", "spirv1.4", "vulkan1.2", "vulkan1.3"):
        module = compute(path="v%s.comp" % target, target=target)
        bind("-q", "--auto-binding=65534", module, "--resolver", table, "-o", "v.spv")
        assert read("v.spv")[4:8] == read(module)[4:8], target
        seen[target] = module
    # a table in a BufferBlock would suit only one of these: both get one of SPIR-V 1.3
    old = glsl("old.vert", GRAPHICS % ("out", "", "v = gl_Position = c;"), "vulkan1.0")
    new = glsl("new.frag", GRAPHICS % ("in", "layout(location = 0) out vec4 o;", "o = c + v;"), "vulkan1.3")
    bind("-q", "--auto-binding=65534", old, new, "--resolver", table, "--out-dir=both")
    assert [read("both/" + name)[5] for name in (old, new)] == [3, 6]


GRAPHICS = """#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(push_constant) uniform Push { DescriptorHandle h; } push;
layout(location = 0) %s vec4 v;
%s
void main()
{
	vec4 c = texelFetch(handle_texture2D(push.h), ivec2(0), 0);
	%s
}
"""


def test_a_table_is_one_resource_of_all_modules():
    glsl("m.vert", GRAPHICS % ("out", "", "v = gl_Position = c;"))
    glsl("m.frag", GRAPHICS % ("in", "layout(location = 0) out vec4 o;", "o = c + v;"))
    write("table.glsl", TABLE)
    bind("-q", "--auto-binding=65534", "m.vert.spv", "m.frag.spv", "--resolver=table.glsl", "--out-dir=g",
         "--layout-json=g.json")
    for name in ("m.vert.spv", "m.frag.spv"):
        valid("g/" + name)
    with open("g.json") as f:
        layout = json.load(f)
    found = [b for s in layout["sets"] for b in s["bindings"] if b["name"] == "translation"]
    assert len(found) == 1 and len(found[0]["stages"]) == 2, found
    # and one with other decorations of the author; GLSL's set 0 with a missing binding means nothing
    glsl("own.frag", GRAPHICS % ("in", "layout(location = 0) out vec4 o;\nlayout(set = 2, binding = 3, std430) "
                                       "readonly buffer "
                                       "translation { uint place[]; };", "o = c + float(place[1]);"))
    bind("-q", "--auto-binding=65534", "own.frag.spv", "--resolver=table.glsl", "-o", "f.spv", "--layout-json=g.json")
    assert resources("g.json")["translation"] == (2, 3)
    write("table.glsl", TABLE.replace("binding =", "set = 2, binding ="))
    bind("-q", "--auto-binding=65534", "m.vert.spv", "own.frag.spv", "--resolver=table.glsl", "--out-dir=g",
         "--layout-json=g.json")
    assert resources("g.json")["translation"] == (2, 3)


TABLE_IN = """%rt = OpTypeRuntimeArray %uint
%B = OpTypeStruct %rt
%pB = OpTypePointer StorageBuffer %B
%pu = OpTypePointer StorageBuffer %uint
%table = OpVariable %pB StorageBuffer
"""
ABOUT_TABLE = "OpDecorate %B Block\nOpMemberDecorate %B 0 Offset 0\nOpDecorate %rt ArrayStride 4\n"
HAS_TABLE = """OpCapability Shader
%%set = OpExtInstImport "NonSemantic.DescriptorHandle"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main"
OpExecutionMode %%main LocalSize 1 1 1
%s%%void = OpTypeVoid
%%fnvoid = OpTypeFunction %%void
%%float = OpTypeFloat 32
%%int = OpTypeInt 32 1
%%uint = OpTypeInt 32 0
%%v4float = OpTypeVector %%float 4
%%v2int = OpTypeVector %%int 2
%%v2uint = OpTypeVector %%uint 2
%%i0 = OpConstant %%int 0
%%u5 = OpConstant %%uint 5
%%xy = OpConstantComposite %%v2int %%i0 %%i0
%%h = OpConstantComposite %%v2uint %%u5 %%u5
%%tex = OpTypeImage %%float 2D 0 0 0 1 Unknown
%s%%main = OpFunction %%void None %%fnvoid
%%entry = OpLabel
%%p = OpAccessChain %%pu %%table %%i0 %%i0
%%x = OpLoad %%uint %%p
%%t = OpExtInst %%tex %%set 1 %%h
%%v = OpImageFetch %%v4float %%t %%xy
OpReturn
OpFunctionEnd
"""
READS_TABLE = """OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%sOpDecorate %%get LinkageAttributes "getDescriptorIndexFromHandle" Export
%%int = OpTypeInt 32 1
%%uint = OpTypeInt 32 0
%%v2uint = OpTypeVector %%uint 2
%%i0 = OpConstant %%int 0
%s%%fn = OpTypeFunction %%uint %%v2uint
%%get = OpFunction %%uint None %%fn
%%h = OpFunctionParameter %%v2uint
%%l = OpLabel
%%i = OpCompositeExtract %%uint %%h 0
%%p = OpAccessChain %%pu %%table %%i0 %%i
%%x = OpLoad %%uint %%p
OpReturnValue %%x
OpFunctionEnd
"""


def table(text, name, block, place):
    notes = ["OpName %%table \"%s\"\n" % name] if name else []
    notes += ["OpName %%B \"%s\"\n" % block] if block else []
    notes += ["OpDecorate %%table %s %d\n" % pair for pair in zip(("DescriptorSet", "Binding"), place or ())]
    return text % ("".join(notes) + ABOUT_TABLE, TABLE_IN)


def merged_tables(module, resolver, *options):
    """Bindings of the buffers of the program; None: refused. Each is (name, block, place)."""
    running.spirv_as(table(HAS_TABLE, *module), "m.spv", "spv1.3")
    write("r.spvasm", table(READS_TABLE, *resolver))
    done = bind("-q", "--validate=none", "m.spv", "--resolver=r.spvasm", "-o", "out.spv", "--layout-json=out.json",
                *options, expect=None)
    if done.returncode:
        assert "[SPB" in done.stderr, done.stderr
        return None
    with open("out.json") as f:
        sets = json.load(f)["sets"]
    return sorted((s["set"], b["binding"]) for s in sets for b in s["bindings"]
                  if b["descriptorType"] == "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER")


def test_a_table_is_that_of_the_module_if_names_or_else_blocks_are_the_same():
    for name in (None, "a", "b"):
        for block in ("T", "U", None):
            for own_name in (None, "a"):
                for own_block in ("T", None):
                    by_name = own_name is not None and own_name == name
                    by_block = own_block is not None and own_block == block and not (own_name and name)
                    wanted = 1 if by_name or by_block else 2
                    if by_name and own_block != block:  # the same name, and another type
                        wanted = None
                    found = merged_tables((name, block, None), (own_name, own_block, None))
                    case = (name, block, own_name, own_block)
                    assert (found and len(found)) == wanted, (case, wanted, found)


def test_a_table_takes_set_and_binding_from_either_side():
    auto = (0, 65534)
    for place in (None, auto, (2, 3)):
        for own in (None, auto, (2, 3), (2, 4), (1, 3)):
            found = merged_tables(("a", "T", place), ("a", "T", own), "--auto-binding=65534")
            there, here = (p if p != auto else None for p in (place, own))
            wanted = None if there and here and there != here else [there or here or (0, 0)]
            assert found == wanted, (place, own, wanted, found)
    # a missing set: the other side's, or the default
    assert merged_tables(("a", "T", (7, 3)), ("a", "T", (2, 3)), "--policy=option auto-set=7") == [(2, 3)]
    assert merged_tables(("a", "T", (2, 3)), ("a", "T", (7, 3)), "--policy=option auto-set=7") == [(2, 3)]
    assert merged_tables(("a", "T", (7, 3)), ("a", "T", (2, 3))) is None


def test_only_needed_ids_are_merged():
    write("r.glsl",
          PACKED + "layout(binding = 4) uniform sampler2D other;\nvec4 look() { return texture(other, vec2(0)); }\n")
    bound(compute(), "--resolver=r.glsl")
    assert "other" not in resources() and "look" not in text_of("out.spv")
    module = glsl("plain.comp",
                  "#version 460\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint b; };\n"
                  "void main() { b = 1u; }\n")
    bind("-q", module, "--resolver=r.glsl", "-o", "plain.spv")  # no handles: as it was
    assert read("plain.spv") == read(module)


def long_resolver(terms):
    """Sums of one constant each; `terms` + 2 instructions in one block."""
    head = ["OpCapability Shader", "OpCapability Linkage", "OpMemoryModel Logical GLSL450",
            'OpDecorate %get LinkageAttributes "getDescriptorIndexFromHandle" Export', "%uint = OpTypeInt 32 0",
            "%uint2 = OpTypeVector %uint 2", "%fn = OpTypeFunction %uint %uint2"]
    body = ["%get = OpFunction %uint None %fn", "%h = OpFunctionParameter %uint2", "%l = OpLabel",
            "%x0 = OpCompositeExtract %uint %h 0"]
    for k in range(terms):
        head.append("%%c%d = OpConstant %%uint %d" % (k, 1000 + k))
        body.append("%%x%d = OpIAdd %%uint %%x%d %%c%d" % (k + 1, k, k))
    return "\n".join(head + body + ["OpReturnValue %%x%d" % terms, "OpFunctionEnd", ""])


def test_constants_of_a_long_resolver_are_unchanged():
    """Bodies of up to 64 instructions are inlined, longer ones are called."""
    module = compute()
    for terms, inlined in ((62, True), (63, False), (700, False)):
        write("r.spvasm", long_resolver(terms))
        text = bound(module, "--resolver=r.spvasm")
        assert inlined == ("OpFunctionCall" not in text), terms
        value = dict(re.findall(r"(%\d+) = OpConstant %\d+ (\d+)\n", text))
        sums = dict((id, (a, b)) for id, a, b in re.findall(r"(%\d+) = OpIAdd %\d+ (%\d+) (%\d+)\n", text))
        last = (set(sums) - {a for a, _ in sums.values()}).pop()
        added = []
        while last in sums:
            last, constant = sums[last]
            added.insert(0, int(value[constant]))
        assert added == [1000 + k for k in range(terms)], (terms, added)
        constants = re.findall(r"= OpConstant (%\d+ \d+)\n", text)
        assert len(constants) == len(set(constants)), "a constant is there twice"


def test_a_resolver_that_samples_by_the_header_is_given_the_default():
    """handle_... of the header, in a resolver: the index of that is x."""
    shutil.copy(HEADER, "descriptor_handle.glsl")
    write("r.glsl",
          "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"descriptor_handle.glsl\"\n"
          "uint getDescriptorIndexFromHandle(uvec2 handle)\n{\n"
          "\treturn texelFetch(handle_utexture2D(uvec2(7u, 0u)), ivec2(handle), 0).r;\n}\n")
    text = bound(compute(), "--resolver=r.glsl")
    seven = re.search(r"(%\d+) = OpConstant %\d+ 7\n", text)[1]
    assert re.search(r"OpAccessChain %%\d+ %%\d+ %s\n" % seven, text), text  # the table, at a constant index
    assert "SPB_E" not in text and "NonSemantic.DescriptorHandle" not in text


def test_names_and_lines_of_a_called_resolver_are_kept():
    write("r.comp", "#version 460\nuint getDescriptorIndexFromHandle(uvec2 handle)\n{\n\tuint steps = 0u;\n"
          "\twhile (handle.x > 7u) {\n\t\thandle.x >>= 1;\n\t\tsteps++;\n\t}\n\treturn handle.x + steps;\n}\n"
          "void main() {}\n")
    for debug in ("-g", "-gV", "-gVS"):  # DebugLine becomes OpLine, whatever debug information the module has
        run("glslangValidator", "-V", "--quiet", debug, "--keep-uncalled", "--target-env", "vulkan1.2", "r.comp", "-o",
            "r.spv")
        assert ("DebugLine" in text_of("r.spv")) == (debug != "-g")
        text = bound(compute(), "--resolver=r.spv")
        file = re.search(r'(%\d+) = OpString "r.comp"', text)[1]
        lines = {int(n) for n in re.findall(r"OpLine %s (\d+)" % file, text)}
        assert {4, 5, 6, 7, 9} <= lines, text
        assert re.search(r'OpName %\d+ "steps"', text), text
        assert text.count("OpFunctionCall") == 1


def test_debug_information_of_other_sets_is_not_merged():
    write("r.comp", PACKED + "void main() {}\n")
    run("glslangValidator", "-V", "--quiet", "-gV", "--keep-uncalled", "--target-env", "vulkan1.2", "r.comp", "-o",
        "r.spv")
    assert "NonSemantic.Shader.DebugInfo.100" in text_of("r.spv")
    assert "DebugInfo" not in bound(compute(), "--resolver=r.spv")
    run("glslangValidator", "-V", "--quiet", "-gV", "--target-env", "vulkan1.2", "-I" + os.path.dirname(HEADER),
        "m.comp", "-o", "d.spv")
    bind("-q", "d.spv", "--resolver=r.spv", "-o", "out.spv")  # what the module has stays
    valid("out.spv")
    assert "NonSemantic.Shader.DebugInfo.100" in text_of("out.spv")


def test_a_function_of_the_module_is_a_resolver_too():
    own = "uint getDescriptorIndexFromHandle(uvec2 handle) { return handle.y; }"
    text = bound(compute(FETCH + " o[0].x = float(getDescriptorIndexFromHandle(push.h));", own))
    index = re.search(r"(%\d+) = OpCompositeExtract %\d+ %\d+ 1\n", text)[1]
    assert re.search(r"OpAccessChain %%\d+ %%\d+ %s\n" % index, text), text
    text = bind(compute(FETCH + " o[0].x = float(getDescriptorIndexFromHandle(push.h));", own), "-o", "no.spv",
                "--resolver=" + write("r.glsl", PACKED), expect=1).stderr
    assert "[SPB3103]" in text and "r.glsl" in text and "m.comp.spv" in text, text


def test_two_resolvers_conflict_even_if_unused():
    write("a.glsl", PACKED)
    write("b.glsl", TABLE)
    module = glsl("plain.comp", "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n")
    text = bind(module, "--resolver=a.glsl", "--resolver=b.glsl", "-o", "no.spv", expect=1).stderr
    assert "[SPB3103]" in text and "a.glsl" in text and "b.glsl" in text, text


REFERENCES = """#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer Words { uint v[]; };
layout(push_constant) uniform Push { uvec2 h; } push;
void main()
{
	Words w = Words(push.h);
	w.v[0] = w.v[1];
}
"""


def test_references_that_are_handles_are_resolved():
    """There is no dereference before carry-handles."""
    module = glsl("ref.comp", REFERENCES)
    write("r.glsl", PACKED)
    bind("-q", module, "--resolver=r.glsl", "-o", "address.spv")  # device addresses are not handles
    assert "OpBitwiseAnd" not in text_of("address.spv") and read("address.spv") == read(module)
    text = bound(module, "--resolver=r.glsl", "--lower-buffer-references", "--heap-size=16", "--bounds-check=clamp")
    assert text.count("OpBitwiseAnd") == text.count("OpULessThan") > 0, text
    assert not re.search(r"PhysicalStorageBuffer|OpFunctionCall", text), text


def test_buffers_of_handles_are_resolved_and_checked():
    module = glsl("buffers.comp", """#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "descriptor_handle.glsl"
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer Words { uint v[]; };
DECLARE_BUFFER_HANDLE(Words)
layout(push_constant) uniform Push { DescriptorHandle h, k; } push;
uint first(Words w) { return w.v[0]; }
void main()
{
	Words w = handle_Words(push.h);
	if (w.v[0] > 7u)
		w = handle_Words(push.k);
	w.v[1] = first(w);
}
""")
    write("r.glsl", PACKED)
    text = bound(module, "--resolver=r.glsl", "--heap-size=16", "--bounds-check=null")
    assert text.count("OpBitwiseAnd") == text.count("OpULessThan") >= 3, text
    assert not re.search(r"PhysicalStorageBuffer|getDescriptorIndexFromHandle", text), text


def test_bounds_checks_need_a_length():
    module = compute()
    text = bind(module, "--bounds-check=clamp", "-o", "no.spv", expect=2).stderr
    assert "--heap-size" in text, text
    assert "off, clamp or null" in bind(module, "--bounds-check=wrap", "-o", "no.spv", expect=2).stderr
    assert "OpULessThan" not in bound(module, "--heap-size=8", "--bounds-check=off")
    clamped = bound(module, "--heap-size=8", "--bounds-check=clamp")
    eight, seven = re.search(r"OpULessThan %\d+ %\d+ (%\d+)\n.*OpSelect %\d+ %\d+ %\d+ (%\d+)\n", clamped).groups()
    for name, number in ((eight, 8), (seven, 7)):
        assert re.search(r" %s = OpConstant %%\d+ %d\n" % (name, number), clamped), clamped


def test_a_table_follows_the_resources_of_the_source():
    """With -g, in the order of the source, although the resolver's table is not in the text."""
    source = write("order.comp", COMPUTE.replace("binding = 0", "binding = 65534") % (
        "layout(binding = 65534) uniform B { vec4 b; };\nlayout(binding = 65534) uniform A { vec4 a; };",
        "o[0] = a + b; " + FETCH))
    run("glslangValidator", "-V", "-g", "--quiet", "--target-env", "vulkan1.2", "-I" + os.path.dirname(HEADER), source,
        "-o", "order.spv")
    done = bind("order.spv", "--auto-binding=65534", "--resolver=" + write("table.glsl", TABLE), "-o", "out.spv",
                "--layout-json=out.json")
    assert "SPB4005" not in done.stderr, done.stderr
    found = resources()
    assert [found[n] for n in ("Out", "B", "A", "translation")] == [(0, n) for n in range(4)], found


def test_a_constant_beyond_the_heap_is_an_error_with_checks_and_without():
    module = compute("o[0] = texelFetch(handle_texture2D(uvec2(8u, 0u)), ivec2(0), 0);")
    for check in ("off", "clamp", "null"):
        text = bind(module, "--heap-size=8", "--bounds-check=" + check, "-o", "no.spv", expect=1).stderr
        assert "[SPB4009]" in text, text


def test_lint_sees_through_a_resolver():
    lane = compute("o[0] = texelFetch(handle_texture2D(push.h + gl_LocalInvocationIndex), ivec2(0), 0);")
    write("r.glsl", PACKED)
    text = bind("lint", lane, "--resolver=r.glsl", expect=3).stderr
    assert "[SPB5001]" in text and "LocalInvocationIndex" in text, text
    assert bind("lint", compute(), "--resolver=r.glsl").stderr == ""
    table = write("table.glsl", TABLE)
    assert bind("lint", compute(), "--auto-binding=65534", "--resolver", table).stderr == ""


if __name__ == "__main__":
    running.main(globals())
