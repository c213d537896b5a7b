# SPDX-License-Identifier: Apache-2.0
"""Shapes that Vulkan does not have, as a user meets them: programs, numbers, what stays as it was, and what
spirv-opt does.

    shapes.py --bind B [--only NAME]
"""
import json
import re

import running
from running import bind, glslang, read, run, write

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
    layout = json.loads(bind("-q", *args, "--dry-run", "--layout-json=-").stdout)
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
    assert "SPB4002" in bind(AUTO, a, b, "--dry-run", expect=1).stderr
    bind("-q", AUTO, "--no-merge", a, b, "--dry-run")


def test_a_name_order_keeps_a_run_together():
    module = comp(
        "struct S { sampler2D z; sampler2D a; };\nuniform S mid; layout(AUTO) uniform sampler2D mid_x, alpha;",
        SAMPLE % "mid.z")
    found = places(AUTO, "--order=name", module)
    assert sorted(found, key=found.get) == ["Out", "alpha", "mid.z", "mid.a", "mid_x"], found


def test_a_second_run_finds_the_parts_where_the_source_declares_the_whole():
    """The order of use is another one, and mid_x would come between the parts of mid by their names."""
    module = comp(
        "struct S { sampler2D z; sampler2D a; };\nuniform S mid; layout(AUTO) uniform sampler2D mid_x, alpha;",
        SAMPLE % "alpha" + SAMPLE % "mid_x" + SAMPLE % "mid.a" + SAMPLE % "mid.z")
    for options in ([], ["--order=name"], ["--split-combined"], ["--rules=hlsl", "--split-combined"]):
        bind(AUTO, "--rebind=all", *options, module, "-o", "once.spv")
        bind("--rebind=all", *options, "once.spv", "-o", "twice.spv")
        assert read("twice.spv") == read("once.spv"), options


def test_a_parameter_that_is_passed_on_twice_is_lowered_in_both_functions():
    """An element of an array of arrays cannot be passed; what `both` gets, and passes to two others, is its index."""
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


# beside spirv-opt

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


def test_beside_descriptor_scalar_replacement_of_spirv_opt():
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


# what stays as it was

def test_modules_without_such_shapes_keep_their_bytes():
    module = comp("layout(binding = 1) uniform sampler2D t[4]; layout(binding = 2) uniform texture2D u; layout(binding "
                  "= 3) uniform "
                  "sampler s;\nvec4 f(sampler2D m) { return textureLod(m, vec2(0), 0.0); }\n"
                  "vec4 g(texture2D m) { return "
                  "texelFetch(m, ivec2(0), 0); }\nvec4 h(sampler2D all[4], uint k) { return textureLod(all[k], "
                  "vec2(0), 0.0); }\n"
                  "layout(binding = 4) uniform sampler2D whole;",
                  "uint k = i > 3u ? 1u : 2u; c = f(whole) + h(t, k) + textureLod(t[k], vec2(0), 0.0);")
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
    assert re.search(r"x\.hlsl:7(:\d+)?: error: \[SPB2003\]", said), said


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
        running.spirv_as(text, "many.spv", "spv1.3")
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


running.main(globals())
