# SPDX-License-Identifier: Apache-2.0
"""Shapes that Vulkan does not have: programs, numbers, unchanged modules, and a comparison with spirv-opt.

    shapes.py --bind B [--only NAME]
"""
import json
import re

import running
from running import bind, glslang, read, read_text, run, spirv_as, write

AUTO = "--auto-binding=65534"


def glsl(name, text, *flags):
    write(name, "#version 460\n#extension GL_EXT_nonuniform_qualifier : enable\n"
                "#extension GL_EXT_samplerless_texture_functions : enable\n#define AUTO binding = 65534\n" + text)
    return glslang(name, name + ".spv", *(flags or ["-g"]))


def comp(declarations, body, name="x.comp", *flags):
    return glsl(name, "layout(local_size_x = 8) in;\nlayout(AUTO) buffer Out { vec4 v[]; } result;\n%s\n"
                      "void main() { uint i = "
                "gl_LocalInvocationIndex; vec4 c = vec4(0);\n%s\nresult.v[i] = c; }\n" % (declarations, body), *flags)


def places(*args):
    layout = json.loads(bind("layout", "-q", *args, "--layout-json").stdout)
    return {b["name"]: (s["set"], b["binding"], b["count"]) for s in layout["sets"] for b in s["bindings"]}


def dis(path):
    return run("spirv-dis", "--no-header", path).stdout


PAIR = "struct Pair { sampler2D a; sampler2D b; };\n"
SAMPLE = "c += textureLod(%s, vec2(0), 0.0);"


# numbers

def test_the_example_of_the_seed():
    module = comp(PAIR + "uniform Pair gPairs[8];", SAMPLE % "gPairs[i].a")
    assert places(AUTO, module) == {"Out": (0, 0, 1), "gPairs.a": (0, 1, 8), "gPairs.b": (0, 2, 8)}
    bind("-q", AUTO, module, "-o", "out.spv")
    text = dis("out.spv")
    assert '"gPairs_a"' in text and '"gPairs_b"' in text and '"gPairs"' not in text
    assert not re.search(r"OpTypeStruct.*%%", text) and "Pair\"" not in text, "the illegal type is gone, with its names"


def test_a_run_takes_the_first_gap_that_it_fits_into():
    module = comp(PAIR + "layout(binding = 1) uniform sampler2D one; layout(binding = 4) uniform sampler2D four;\n"
                  "uniform Pair pair; layout(AUTO) uniform sampler2D open;", SAMPLE % "pair.a")
    assert places(AUTO, module) == {"Out": (0, 0, 1), "one": (0, 1, 1), "pair.a": (0, 2, 1), "pair.b": (0, 3, 1),
                                    "four": (0, 4, 1), "open": (0, 5, 1)}


def test_numbers_do_not_depend_on_bodies():
    declarations = PAIR + "uniform Pair first;\nlayout(AUTO) uniform sampler2D t[2][3];\nuniform Pair second;"
    one = comp(declarations, SAMPLE % "second.b" + SAMPLE % "t[1][2]" + SAMPLE % "first.a", "one.comp")
    other = comp(declarations, SAMPLE % "first.b" + SAMPLE % "t[0][0]" + SAMPLE % "second.a", "other.comp")
    assert places(AUTO, one) == places(AUTO, other)
    assert [n for n, p in sorted(places(AUTO, one).items(), key=lambda x: x[1])] == ["Out", "first.a", "first.b", "t",
                                                                                     "second.a",
                                                                                  "second.b"]


def test_a_macro_may_name_a_struct_that_was_declared_before_it():
    module = comp(PAIR + "#define PAIR(name) uniform Pair name;\nPAIR(zeta)\nPAIR(alpha)\n",
                  SAMPLE % "alpha.a" + SAMPLE % "zeta.b")
    found = places(AUTO, module)
    assert sorted(found, key=found.get) == ["Out", "zeta.a", "zeta.b", "alpha.a", "alpha.b"], found


def test_stages_agree_though_each_uses_another_member():
    struct = PAIR + "uniform Pair pair;\nlayout(AUTO) uniform sampler2D more;\n"
    vert = glsl("a.vert", struct + "void main() { gl_Position = textureLod(pair.b, vec2(0), 0.0); }")
    frag = glsl("a.frag", struct + "layout(location = 0) out vec4 o; void main() { o = texture(more, vec2(0)) + "
                                   "texture(pair.a, vec2(0)); }")
    assert places(AUTO, vert, frag) == {"pair.a": (0, 0, 1), "pair.b": (0, 1, 1), "more": (0, 2, 1)}


def test_structs_of_one_name_with_other_members_are_a_conflict():
    a = comp(PAIR + "uniform Pair pair;", SAMPLE % "pair.a", "a.comp")
    b = comp("struct Pair { sampler2D a; sampler2D c; };\nuniform Pair pair;", SAMPLE % "pair.a", "b.comp")
    assert "SPB4002" in bind("layout", AUTO, a, b, expect=1).stderr
    bind("layout", "-q", AUTO, "--policy=option merge=no", a, b)


def test_a_name_order_keeps_a_run_together():
    module = comp(
        "struct S { sampler2D z; sampler2D a; };\nuniform S mid; layout(AUTO) uniform sampler2D mid_x, alpha;",
        SAMPLE % "mid.z")
    found = places(AUTO, "--order=name", module)
    assert sorted(found, key=found.get) == ["Out", "alpha", "mid.z", "mid.a", "mid_x"], found


def test_a_second_run_finds_the_parts_where_the_source_declares_the_whole():
    """The order of use differs, and mid_x would come between the parts of mid in order of names."""
    module = comp(
        "struct S { sampler2D z; sampler2D a; };\nuniform S mid; layout(AUTO) uniform sampler2D mid_x, alpha;",
        SAMPLE % "alpha" + SAMPLE % "mid_x" + SAMPLE % "mid.a" + SAMPLE % "mid.z")
    for options in ([], ["--order=name"], ["--split-combined"], ["--rules=hlsl", "--split-combined"]):
        bind(AUTO, "--rebind=all", *options, module, "-o", "once.spv")
        bind("--rebind=all", *options, "once.spv", "-o", "twice.spv")
        assert read("twice.spv") == read("once.spv"), options


def test_a_parameter_that_is_passed_on_twice_is_lowered_in_both_functions():
    """An element of an array of arrays cannot be passed; `both` gets its index, and passes it to two others."""
    module = glsl("twice.comp", "layout(local_size_x = 8) in;\nlayout(AUTO) buffer Out { vec4 v[]; } result;\n"
                  "layout(AUTO) uniform sampler2D t[2][3];\n"
                  "vec4 left(sampler2D s) { return textureLod(s, vec2(0), 0.0); }\n"
                  "vec4 right(sampler2D s) { return textureLod(s, vec2(1), 0.0); }\n"
                  "vec4 both(sampler2D s) { return left(s) + right(s); }\n"
                  "void main() { result.v[0] = both(t[1][2]); }\n")
    bind("-q", AUTO, module, "-o", "out.spv")
    text = dis("out.spv")
    assert len(re.findall("OpImageSampleExplicitLod", text)) == 2, text
    assert not re.search(r"= OpFunctionParameter %_ptr_UniformConstant", text), text


# compared with spirv-opt

ASM = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main"%s
OpExecutionMode %%main LocalSize 1 1 1
OpName %%pair "pair"
OpName %%other "other"
OpDecorate %%pair DescriptorSet 0
OpDecorate %%pair Binding 0
OpDecorate %%other DescriptorSet 0
OpDecorate %%other Binding 1
%%void = OpTypeVoid
%%fnvoid = OpTypeFunction %%void
%%float = OpTypeFloat 32
%%int = OpTypeInt 32 1
%%v4float = OpTypeVector %%float 4
%%v2int = OpTypeVector %%int 2
%%i0 = OpConstant %%int 0
%%i1 = OpConstant %%int 1
%%xy = OpConstantComposite %%v2int %%i0 %%i0
%%tex = OpTypeImage %%float 2D 0 0 0 1 Unknown
%%st = OpTypeStruct %%tex %%tex
%%pst = OpTypePointer UniformConstant %%st
%%ptex = OpTypePointer UniformConstant %%tex
%%pair = OpVariable %%pst UniformConstant
%%other = OpVariable %%ptex UniformConstant
%%main = OpFunction %%void None %%fnvoid
%%entry = OpLabel
%%ca = OpAccessChain %%ptex %%pair %%i0
%%la = OpLoad %%tex %%ca
%%xa = OpImageFetch %%v4float %%la %%xy Lod %%i0
%%cb = OpAccessChain %%ptex %%pair %%i1
%%lb = OpLoad %%tex %%cb
%%xb = OpImageFetch %%v4float %%lb %%xy Lod %%i0
%%lo = OpLoad %%tex %%other
%%xo = OpImageFetch %%v4float %%lo %%xy Lod %%i0
OpReturn
OpFunctionEnd
"""


def bindings(path):
    return sorted(int(n) for n in re.findall(r"Binding (\d+)", dis(path)))


def test_compared_with_descriptor_scalar_replacement_of_spirv_opt():
    """No two resources on one binding, in every version; what spirv-opt does with the same module is printed."""
    for version, env in (("1.0", "vulkan1.0"), ("1.3", "vulkan1.1"), ("1.4", "vulkan1.1spv1.4"), ("1.5", "vulkan1.2"),
                         ("1.6", "vulkan1.3")):
        write("in.spvasm", ASM % (" %pair %other" if version >= "1.4" else ""))
        run("spirv-as", "--target-env", "spv" + version, "in.spvasm", "-o", "in.spv")
        theirs = run("spirv-opt", "--descriptor-scalar-replacement", "in.spv", "-o", "theirs.spv", expect=None)
        print("SPIR-V %s: spirv-opt: %s" % (version, "bindings %s" % bindings("theirs.spv") if not theirs.returncode
                                           else theirs.stderr.splitlines()[0]))
        assert "SPB4001" in bind("in.spv", "-o", "ours.spv", expect=1).stderr, "both say binding 1: told, not done"
        bind("-q", "--rebind=conflicts", "in.spv", "-o", "ours.spv")
        assert bindings("ours.spv") == [0, 1, 2], bindings("ours.spv")
        run("spirv-val", "--target-env", env, "ours.spv")
        print("SPIR-V %s: spirv-bind: bindings %s" % (version, bindings("ours.spv")))


def test_split_structs_and_split_combined_together():
    module = comp(PAIR + "uniform Pair gPairs[8]; layout(AUTO) uniform sampler2D t[2][3];",
                  SAMPLE % "gPairs[i].b" + SAMPLE % "t[1][2]")
    found = places(AUTO, "--split-combined", module)
    assert [n for n, p in sorted(found.items(), key=lambda x: x[1])] == [
        "Out", "gPairs.a", "gPairs.a.sampler", "gPairs.b", "gPairs.b.sampler", "t", "t.sampler"], found
    bind("-q", AUTO, "--split-combined", module, "-o", "once.spv")
    bind("-q", AUTO, "--split-combined", "once.spv", "-o", "twice.spv")
    assert read("once.spv") == read("twice.spv")
    assert "OpTypeSampledImage" in dis("once.spv") and not re.search(r"OpTypePointer UniformConstant %_arr.*Sampled",
                                                                     dis("once.spv"))


# unchanged modules

def test_modules_without_such_shapes_keep_their_bytes():
    module = comp("layout(binding = 1) uniform sampler2D t[4]; layout(binding = 2) uniform texture2D u; layout(binding "
                  "= 3) uniform "
                  "sampler s;\nvec4 f(sampler2D m) { return textureLod(m, vec2(0), 0.0); }\n"
                  "vec4 g(texture2D m) { return "
                  "texelFetch(m, ivec2(0), 0); }\nvec4 h(sampler2D all[4], uint k) { return textureLod(all[k], "
                  "vec2(0), 0.0); }\n"
                  "layout(binding = 4) uniform sampler2D whole;",
                  "uint k = i > 3u ? 1u : 2u; c = f(whole) + h(t, k) + textureLod(t[k], vec2(0), 0.0);")
    write("x.comp", read_text("x.comp").replace("binding = 65534", "binding = 0"))
    glslang("x.comp", module, "-g")
    bind("-q", "--nonuniform=keep", module, "-o", "out.spv")
    assert read("out.spv") == read(module)


def test_debug_information_stays_valid():
    for flags in (["-g"], ["-gVS"], ["-gVS", "--target-env", "vulkan1.3"]):
        module = comp(PAIR + "uniform Pair gPairs[8]; layout(AUTO) uniform sampler2D t[2][3];\n"
                      "vec4 f(Pair p) { return textureLod(p.a, vec2(0), 0.0); }",
                      "c = f(gPairs[i]) + f(gPairs[2]) + textureLod(t[1][i % 3], vec2(0), 0.0);", "x.comp", *flags)
        bind("-q", AUTO, module, "-o", "out.spv")
        before, after = dis(module), dis("out.spv")
        for name in ("DebugGlobalVariable", "DebugFunctionDefinition", "OpLine"):
            assert (name in after) == (name in before), name
        run("spirv-val", "--target-env", "vulkan1.3", "out.spv")


def test_errors_name_the_line():
    write("x.hlsl", "RWBuffer<float> Buf, Out;\n\nfloat foo()\n{\n\tRWBuffer<float> Local[3];\n\tLocal[2] = Buf;\n"
                    "\treturn Local[2][0] + "
          "Local[0][0];\n}\n\n[numthreads(1, 1, 1)] void main() { Out[0] = foo(); }\n")
    assert run("glslangValidator", "-D", "-V", "-Od", "-g", "-S", "comp", "-e", "main", "x.hlsl", "-o",
               "x.spv").returncode == 0
    said = bind("--rebind=all", "x.spv", "-o", "y.spv", expect=1).stderr
    assert re.search(r"x\.hlsl:7(:\d+)?: error: .* \[SPB2003\]", said), said


MANY = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%fnvoid = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v4float = OpTypeVector %float 4
%v2int = OpTypeVector %int 2
%i0 = OpConstant %int 0
%xy = OpConstantComposite %v2int %i0 %i0
%tex = OpTypeImage %float 2D 0 0 0 1 Unknown
%ptex = OpTypePointer UniformConstant %tex
%ftex = OpTypePointer Function %tex
%puint = OpTypePointer Input %uint
%index = OpVariable %puint Input
GLOBALS
%main = OpFunction %void None %fnvoid
%entry = OpLabel
%v = OpVariable %ftex Function
%i = OpLoad %uint %index
%first = OpLoad %tex %T0
OpStore %v %first
BODY
%l = OpLoad %tex %v
%x = OpImageFetch %v4float %l %xy
OpReturn
OpFunctionEnd
"""


def test_each_of_many_textures_is_reached_by_its_number():
    """Assigned one after the other, each under its condition; as many as take tables of several sizes."""
    for count in (2, 40, 150):
        variables = "\n".join("%%T%d = OpVariable %%ptex UniformConstant" % k for k in range(count))
        names = "\n".join('OpName %%T%d "T%d"' % (k, k) for k in range(count))
        body = "\n".join("%%k%d = OpIEqual %%bool %%i %%c%d\nOpSelectionMerge %%m%d None\n"
                         "OpBranchConditional %%k%d %%t%d %%m%d\n%%t%d = OpLabel\n%%l%d = OpLoad %%tex %%T%d\n"
                         "OpStore %%v %%l%d\nOpBranch %%m%d\n%%m%d = OpLabel" % ((k,) * 12) for k in range(1, count))
        constants = "\n".join("%%c%d = OpConstant %%uint %d" % (k, 1000 + k) for k in range(1, count))
        text = MANY.replace("GLOBALS", constants + "\n" + variables).replace("BODY", body).replace(
            "OpDecorate %index", names + "\nOpDecorate %index")
        spirv_as(text, "many.spv", "spv1.3")
        bind("-q", "many.spv", "-o", "out.spv")
        written = run("spirv-dis", "--raw-id", "--no-header", "out.spv").stdout
        name = dict(re.findall(r'OpName (%\d+) "(T\d+)"', written))
        value = dict(re.findall(r"(%\d+) = OpConstant %\d+ (\d+)\n", written))
        main, choose = written.split(" = OpFunction ")[1:]
        stored = [int(value[id]) for id in re.findall(r"OpStore %\d+ (%\d+)", main)]
        assert stored == list(range(count)), stored
        parameter = re.search(r"(%\d+) = OpFunctionParameter", choose)[1]
        default, cases = re.search(r"OpSwitch %s (%%\d+)(.*)" % parameter, choose).groups()
        label = dict((int(n), id) for n, id in re.findall(r"(\d+) (%\d+)", cases))
        loads = dict(re.findall(r"(%\d+) = OpLabel\n *%\d+ = OpLoad %\d+ (%\d+)", choose))
        reached = [name[loads[label.get(n, default)]] for n in range(count)]
        assert reached == ["T%d" % n for n in range(count)], reached


# limits: the largest cases that are rewritten, and those that are refused

LIMITS = """OpCapability Shader
OpCapability RuntimeDescriptorArray
OpCapability SparseResidency
OpExtension "SPV_EXT_descriptor_indexing"
%%print = OpExtInstImport "OpenCL.std"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %%main "main" %%xy%(listed)s
OpExecutionMode %%main OriginUpperLeft
OpDecorate %%xy Location 0
%(notes)s
%%void = OpTypeVoid
%%fn = OpTypeFunction %%void
%%bool = OpTypeBool
%%int = OpTypeInt 32 1
%%uint = OpTypeInt 32 0
%%float = OpTypeFloat 32
%%v2 = OpTypeVector %%float 2
%%v4 = OpTypeVector %%float 4
%%sparse = OpTypeStruct %%int %%v4
%%f0 = OpConstant %%float 0
%%i0 = OpConstant %%int 0
%%img = OpTypeImage %%float 2D 0 0 0 1 Unknown
%%smp = OpTypeSampler
%%si = OpTypeSampledImage %%img
%%depth = OpTypeImage %%float 2D 1 0 0 1 Unknown
%%sd = OpTypeSampledImage %%depth
%%pimg = OpTypePointer UniformConstant %%img
%%psmp = OpTypePointer UniformConstant %%smp
%%pdepth = OpTypePointer UniformConstant %%depth
%%fimg = OpTypePointer Function %%img
%%pin = OpTypePointer Input %%v2
%%xy = OpVariable %%pin Input
%(globals)s
%%main = OpFunction %%void None %%fn
%%entry = OpLabel
%(variables)s
%%at = OpLoad %%v2 %%xy
%%x = OpCompositeExtract %%float %%at 0
%%c = OpFOrdLessThan %%bool %%x %%f0
%%n = OpConvertFToS %%int %%x
%(body)s
OpReturn
OpFunctionEnd
%(functions)s
"""


class Text:
    """A module for LIMITS, part by part."""

    def __init__(self):
        self.parts = {name: [] for name in ("notes", "globals", "variables", "body", "functions", "listed")}

    def add(self, part, *lines):
        self.parts[part] += lines

    def resources(self, name, type, count):
        """Variables of which each has a binding."""
        for i in range(count):
            self.add("notes", "OpDecorate %%%s%d DescriptorSet 0" % (name, i), "OpDecorate %%%s%d Binding %d" % (
                name, i, i + 5000 * (name != "t")))
            self.add("globals", "%%%s%d = OpVariable %%p%s UniformConstant" % (name, i, type))
            self.add("listed", " %%%s%d" % (name, i))

    def choice(self, name, type, count, result):
        """One of that many, under the name `result`."""
        self.resources(name, type, count)
        for i in range(count):
            self.add("body", "%%l%s%d = OpLoad %%%s %%%s%d" % (name, i, type, name, i))
        last = "%%l%s0" % name
        for i in range(1, count):
            made = "%%%s" % result if i == count - 1 else "%%c%s%d" % (name, i)
            self.add("body", "%s = OpSelect %%%s %%c %s %%l%s%d" % (made, type, last, name, i))
            last = made

    def bind(self, version, *options):
        text = {name: ("" if name == "listed" else "\n").join(lines) for name, lines in self.parts.items()}
        spirv_as(LIMITS % dict(text, listed=text["listed"] if version >= 4 else ""), "m.spv", "spv1.%d" % version)
        return bind("-q", "m.spv", "--validate=none", AUTO, "-o", "out.spv", *options, expect=None)


def local_cells(t, n):
    t.add("globals", "%%count = OpConstant %%int %d\n%%many = OpTypeArray %%img %%count" % n,
          "%fmany = OpTypePointer Function %many")
    t.add("variables", "%v = OpVariable %fmany Function")
    t.resources("t", "img", 1)
    t.add("body", "%l = OpLoad %img %t0\n%e = OpAccessChain %fimg %v %i0\nOpStore %e %l\n%m = OpLoad %img %e",
          "%r = OpImageFetch %v4 %m %i0")


def private_cells(t, n):
    t.add("globals", "%%count = OpConstant %%int %d\n%%many = OpTypeArray %%img %%count" % n,
          "%vmany = OpTypePointer Private %many\n%vimg = OpTypePointer Private %img\n%v = OpVariable %vmany Private")
    t.add("listed", " %v")
    t.resources("t", "img", 1)
    t.add("body", "%l = OpLoad %img %t0\n%e = OpAccessChain %vimg %v %i0\nOpStore %e %l\n%m = OpLoad %img %e",
          "%r = OpImageFetch %v4 %m %i0")


def combinations(first, second):
    """Each texture with each sampler, since derivatives are computed."""
    def make(t, _):
        t.choice("t", "img", first, "image")
        t.choice("s", "smp", second, "sampler")
        t.add("body", "%both = OpSampledImage %si %image %sampler\n%r = OpImageQueryLod %v2 %both %at")
    return make


def made(t, n):
    """Instructions between the choice and its use, which are repeated at the use."""
    t.choice("t", "img", 2, "image")
    t.resources("s", "smp", 1)
    t.add("body", "%s = OpLoad %smp %s0")
    last = "%image"
    for i in range(n):
        make = "OpImage %%img %s" if i % 2 else "OpSampledImage %%si %s %%s"
        t.add("body", "%%made%d = " % i + make % last)
        last = "%%made%d" % i
    t.add("body", "%%r = %s" % ("OpImageSampleExplicitLod %%v4 %s %%at Lod %%f0" % last if n % 2 else
                                "OpImageFetch %%v4 %s %%i0" % last))


def arguments(t, n):
    """Of the function that chooses, with the number of the choice."""
    t.choice("t", "img", 2, "image")
    for i in range(n - 1):
        t.add("body", "%%a%d = OpFAdd %%float %%x %%x" % i)
    t.add("body", "%r = OpExtInst %uint %print printf %image " + " ".join("%%a%d" % i for i in range(n - 1)))


def choices(t, n):
    for i in range(n):
        t.choice("q%d_" % i, "img", 2, "image%d" % i)
    t.add("body", "%r = OpExtInst %uint %print printf " + " ".join("%%image%d" % i for i in range(n)))


def spans(t, n):
    last = "%img"
    t.add("globals", "%i1 = OpConstant %int 1")
    for i in range(n):
        t.add("globals", "%%array%d = OpTypeArray %s %%i1" % (i, last))
        last = "%%array%d" % i
    t.add("globals", "%%fmany = OpTypePointer Function %s" % last)
    t.add("variables", "%v = OpVariable %fmany Function")
    t.resources("t", "img", 1)
    t.add("body", "%l = OpLoad %img %t0\n%e = OpAccessChain %fimg %v" + " %n" * n, "OpStore %e %l\n%m = OpLoad %img %e",
          "%r = OpImageFetch %v4 %m %i0")


def callers(t, n):
    t.resources("t", "img", n)
    t.add("globals", "%ftake = OpTypeFunction %void %img")
    for i in range(n):
        t.add("body", "%%l%d = OpLoad %%img %%t%d\n%%r%d = OpFunctionCall %%void %%take %%l%d" % (i, i, i, i))
    t.add("functions", "%take = OpFunction %void None %ftake\n%p = OpFunctionParameter %img\n%tl = OpLabel",
          "%r = OpImageFetch %v4 %p %i0\nOpReturn\nOpFunctionEnd")


def unsized(t, n):
    t.add("globals", "%endless = OpTypeRuntimeArray %img\n%pendless = OpTypePointer UniformConstant %endless")
    t.resources("t", "endless", n)
    last = None
    for i in range(n):
        t.add("body", "%%e%d = OpAccessChain %%pimg %%t%d %%n\n%%l%d = OpLoad %%img %%e%d" % (i, i, i, i))
        if last:
            t.add("body", "%%c%d = OpSelect %%img %%c %s %%l%d" % (i, last, i))
        last = "%%c%d" % i if last else "%l0"
    t.add("body", "%%r = OpImageFetch %%v4 %s %%i0" % last)


def levels(t, n):
    last = "%img"
    for i in range(n):
        t.add("globals", "%%s%d = OpTypeStruct %s" % (i, last))
        last = "%%s%d" % i
    t.add("globals", "%%pdeep = OpTypePointer UniformConstant %s\n%%i1 = OpConstant %%int 1" % last)
    t.resources("t", "deep", 1)
    t.add("body", "%e = OpAccessChain %pimg %t0" + " %i0" * n, "%l = OpLoad %img %e\n%r = OpImageFetch %v4 %l %i0")


def arrays(outermost):
    def make(t, n):
        last = "%img"
        t.add("globals", "%i1 = OpConstant %int 1")
        for i in range(n - 1):
            t.add("globals", "%%s%d = OpTypeArray %s %%i1" % (i, last))
            last = "%%s%d" % i
        t.add("globals", "%%deep = %s" % (outermost % last), "%pdeep = OpTypePointer UniformConstant %deep")
        t.resources("t", "deep", 1)
        t.add("body", "%e = OpAccessChain %pimg %t0" + " %i0" * n, "%l = OpLoad %img %e\n%r = OpImageFetch %v4 %l %i0")
    return make


def leaves(t, n):
    t.add("globals", "%half = OpTypeStruct" + " %img" * 32768)
    t.add("globals", "%%all = OpTypeStruct %%half%s\n%%pall = OpTypePointer UniformConstant %%all" % (
        " %img" * (n - 32768)))
    t.resources("t", "all", 1)
    t.add("body", "%e = OpAccessChain %pimg %t0 %i0 %i0\n%l = OpLoad %img %e\n%r = OpImageFetch %v4 %l %i0")


TOO_MUCH = [  # how to make it, the maximum that is rewritten, the message for one more
    (local_cells, 4096, "more than 4096 local descriptors"),
    (private_cells, 4096, "more than 4096 descriptors"),
    (made, 8, "select among too many resources"),
    (arguments, 64, "select among too many resources"),
    (choices, 8, "select among too many resources"),
    (spans, 8, "indexed dynamically in more than 8 places"),
    (callers, 1024, "is called with, or holds, too many different descriptors"),
    (unsized, 15, "is one of too many resources of unknown size"),
    (levels, 254, "is nested 255 or more levels deep"),
    (arrays("OpTypeArray %s %%i1"), 254, "is nested 255 or more levels deep"),
    (arrays("OpTypeRuntimeArray %s"), 254, "is nested 255 or more levels deep"),
]


def test_limits_are_exact():
    for make, most, why in TOO_MUCH:
        for n in (most, most + 1):
            t = Text()
            make(t, n)
            done = t.bind(3)
            assert done.returncode == (n > most), (make.__name__, n, done.stderr)
            assert (why in done.stderr) == (n > most), (make.__name__, n, done.stderr)
    t = Text()
    leaves(t, 65537)
    assert "would become more than 65536 variables" in t.bind(3).stderr


def test_at_most_64_combinations_are_computed():
    for first, second in ((8, 8), (32, 2), (2, 32), (13, 5), (5, 13), (33, 2)):
        t = Text()
        combinations(first, second)(t, 0)
        done = t.bind(3)
        few = first * second <= 64
        assert done.returncode == (not few), (first, second)
        assert few != ("select among too many resources" in done.stderr), (first, second)
        if few:
            text = dis("out.spv")
            assert text.count("OpImageQueryLod") == first * second, (first, second)
            assert len(re.findall("OpSelect %v2float", text)) == first * second - 1, (first, second)


HALF = """%half = OpTypeFloat 16
%h2 = OpTypeVector %half 2
%h = OpConstantNull %h2"""


def test_a_result_is_selected_with_a_condition_for_each_of_its_components_before_1_4():
    """If derivatives cannot be taken first, as for these coordinates."""
    kinds = [("%v4", "OpImageSampleImplicitLod %v4 %both %h", "img", "si"),
             ("%v2", "OpImageQueryLod %v2 %both %at", "img", "si"),
             ("%float", "OpImageSampleDrefImplicitLod %float %both %h %f0", "depth", "sd"),
             ("%sparse", "OpImageSparseSampleImplicitLod %sparse %both %h", "img", "si")]
    for version in (3, 4, 5):
        for result, use, image, both in kinds:
            t = Text()
            t.choice("t", image, 2, "image")
            t.resources("s", "smp", 1)
            t.add("globals", HALF)
            t.add("body", "%%s = OpLoad %%smp %%s0\n%%both = OpSampledImage %%%s %%image %%s\n%%r = %s" % (both, use))
            done = t.bind(version)
            if result == "%sparse" and version < 4:
                assert done.returncode == 1 and "needs SPIR-V 1.4" in done.stderr, (version, use, done.stderr)
                continue
            assert done.returncode == 0, (version, use, done.stderr)
            widened = len(re.findall("= OpCompositeConstruct %v[24]bool", dis("out.spv")))
            assert widened == (result[:2] == "%v" and version < 4), (version, use)
    for n in (8, 16):
        t = Text()
        t.choice("t", "img", 2, "image")
        t.resources("s", "smp", 1)
        t.add("globals", HALF, "%%wide = OpTypeVector %%float %d" % n)
        t.add("body", "%s = OpLoad %smp %s0\n%both = OpSampledImage %si %image %s",
              "%r = OpImageSampleImplicitLod %wide %both %h")
        assert "returns a vector of %d components" % n in t.bind(3).stderr
        assert t.bind(4).returncode == 0


running.main(globals())
