# SPDX-License-Identifier: Apache-2.0
"""descriptor_handle.hlsli, without DXC, which is not available here.

The declarations of the header are taken from glslang's preprocessor: each function has to be DXC's documented form of
an extended instruction, [[vk::ext_instruction(number, set)]]. glslang parses the header, too, which finds syntax
errors. Then a module is written for each function, as in DXC's documentation (docs/SPIR-V.rst: types of resources,
inline SPIR-V) and tests, in two forms: legalized, where the value is used directly, and as with -fcgl, where it is
passed through a variable to a function. The second is also processed by spirv-opt's passes for HLSL, which are DXC's.
Each is bound, validated, and has to read the right heap, decorated."""
import argparse
import os
import re
import tempfile

from running import ROOT, bind, read_text, run, write

HEADER = os.path.join(ROOT, "include", "hlsl", "descriptor_handle.hlsli")
SET = "NonSemantic.DescriptorHandle"
ATTRIBUTES = re.compile(r'\[\[vk::ext_extension\("SPV_KHR_non_semantic_info"\)\]\]'
                        r'\[\[vk::ext_instruction\((\d), "%s"\)\]\](.*)' % re.escape(SET))

# name of the function: name and operands of DXC's OpTypeImage, capabilities, kind of heap
IMAGES = {
    "Texture1D": ("1d.image", "1D 2 0 0 1 Unknown", ["Sampled1D"], "texture"),
    "Texture1DArray": ("1d.image.array", "1D 2 1 0 1 Unknown", ["Sampled1D"], "texture"),
    "Texture2D": ("2d.image", "2D 2 0 0 1 Unknown", [], "texture"),
    "Texture2DArray": ("2d.image.array", "2D 2 1 0 1 Unknown", [], "texture"),
    "Texture2DMS": ("2d.image", "2D 2 0 1 1 Unknown", [], "texture"),
    "Texture2DMSArray": ("2d.image.array", "2D 2 1 1 1 Unknown", [], "texture"),
    "Texture3D": ("3d.image", "3D 2 0 0 1 Unknown", [], "texture"),
    "TextureCube": ("cube.image", "Cube 2 0 0 1 Unknown", [], "texture"),
    "TextureCubeArray": ("cube.image.array", "Cube 2 1 0 1 Unknown", ["SampledCubeArray"], "texture"),
    "RWTexture1D": ("1d.image", "1D 2 0 0 2 Rgba32f", ["Image1D"], "image"),
    "RWTexture1DArray": ("1d.image.array", "1D 2 1 0 2 Rgba32f", ["Image1D"], "image"),
    "RWTexture2D": ("2d.image", "2D 2 0 0 2 Rgba32f", [], "image"),
    "RWTexture2DArray": ("2d.image.array", "2D 2 1 0 2 Rgba32f", [], "image"),
    "RWTexture3D": ("3d.image", "3D 2 0 0 2 Rgba32f", [], "image"),
    "Buffer": ("buffer.image", "Buffer 2 0 0 1 Rgba32f", ["SampledBuffer"], "utexbuf"),
    "RWBuffer": ("buffer.image", "Buffer 2 0 0 2 Rgba32f", ["ImageBuffer"], "stexbuf"),
}
OTHERS = {"SamplerState": "sampler", "SamplerComparisonState": "sampler", "RaytracingAccelerationStructure": "as"}
BUFFERS = {"Particles": (2, "ssbo"), "Frame": (3, "ubo")}
TYPES = {"Sampler": ("sampler", "OpTypeSampler"), "Ray": ("accelerationStructureNV", "OpTypeAccelerationStructureKHR")}


# the header

def declarations(env_version):
    """({function: (number, type)}, whether there is a template), after preprocessing."""
    with tempfile.TemporaryDirectory() as tmp:
        write(tmp + "/a.hlsl", b'#include "descriptor_handle.hlsli"\n'
                               b"DECLARE_BUFFER_HANDLE(Particles, handle_Particles)\n"
                               b"DECLARE_UNIFORM_BUFFER_HANDLE(Frame, handle_Frame)\n")
        text = run("glslangValidator", "-D", "-E", "-S", "comp", "-D__spirv__=1", "-D__HLSL_VERSION=%d" % env_version,
                   "-I" + os.path.dirname(HEADER), tmp + "/a.hlsl").stdout
    found, template = {}, False
    for line in text.splitlines():
        line = re.sub(r"\s*::\s*", "::", line.strip())
        if not line or line.startswith("#line") or line == "typedef uint2 DescriptorHandle;":
            continue
        if line.startswith("template"):
            template = True
            line = re.sub(r"^template ?< ?typename T ?>", "", line)
        match = ATTRIBUTES.fullmatch(line)
        if not match:
            raise SystemExit("no declaration of an extended instruction: " + line)
        kind, name = re.fullmatch(r"(.*\S) ?\b(\w+)\(DescriptorHandle h\);", match[2]).groups()
        found[name] = (int(match[1]), kind.replace(" ", ""))
    return found, template


def check_header():
    found, template = declarations(2021)
    wanted = {"handle_" + name: (1, name + ("<float4>" if name in IMAGES else "")) for name in [*IMAGES, *OTHERS]}
    wanted.update({"handle_" + name: (number, "vk::BufferPointer<%s>" % name) for name, (number, _) in BUFFERS.items()})
    wanted["dereference"] = (1, "T")
    assert template and found == wanted, "declared are %s, expected %s" % (found, wanted)
    found, template = declarations(2018)
    assert not template and "dereference" not in found, "templates before HLSL 2021"


def check_syntax(tmp):
    """glslang knows neither these two names nor the attributes, and reports them; everything else has to parse."""
    write(tmp + "/uses.hlsl", b"""#include "descriptor_handle.hlsli"
RWStructuredBuffer<uint> o : register(u0);
[numthreads(8, 1, 1)] void main(uint3 i : SV_GroupThreadID)
{
	DescriptorHandle h = nonuniform_handle(handle_from_packed(i.x));
	o[i.x] = handle_is_valid(h) && !handle_equal(handle_null(), handle_from_uint(i.y)) ? h.x : h.y;
}
""")
    options = ["glslangValidator", "-D", "-V", "-S", "comp", "-e", "main", "-I" + os.path.dirname(HEADER),
               "-DRaytracingAccelerationStructure=SamplerState", "-DNonUniformResourceIndex(i)=i", tmp + "/uses.hlsl",
               "-o", tmp + "/uses.spv"]
    run(*options, "-D__spirv__=1")
    done = run(*options, expect=None)
    assert done.returncode and "needs DXC" in done.stdout, done.stdout


def check_names():
    text = read_text(HEADER)
    sample = re.search(r"typedef.*", text, re.S)[0]
    for macro in re.findall(r"#define (\w+)\(", sample):
        assert macro == "SPB_DEREFERENCE" or re.search(r"\*.*\b%s\(" % macro, text), macro + " is not described"


# modules

HEAD = """OpCapability Shader
%(capabilities)s%(extensions)sOpExtension "SPV_KHR_non_semantic_info"
OpExtension "SPV_EXT_descriptor_indexing"
OpExtension "SPV_KHR_storage_buffer_storage_class"
%%set = OpExtInstImport "NonSemantic.DescriptorHandle"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main" %%gl_LocalInvocationID %%handles %%result
OpExecutionMode %%main LocalSize 8 1 1
OpSource HLSL 660
OpName %%type_StructuredBuffer_v2uint "type.StructuredBuffer.v2uint"
OpName %%handles "handles"
OpName %%type_RWStructuredBuffer_v4float "type.RWStructuredBuffer.v4float"
OpName %%result "result"
OpName %%type "type.%(name)s"
OpDecorate %%gl_LocalInvocationID BuiltIn LocalInvocationId
OpDecorate %%handles DescriptorSet 0
OpDecorate %%handles Binding 0
OpDecorate %%result DescriptorSet 0
OpDecorate %%result Binding 1
OpDecorate %%_runtimearr_v2uint ArrayStride 8
OpMemberDecorate %%type_StructuredBuffer_v2uint 0 Offset 0
OpMemberDecorate %%type_StructuredBuffer_v2uint 0 NonWritable
OpDecorate %%type_StructuredBuffer_v2uint Block
OpDecorate %%_runtimearr_v4float ArrayStride 16
OpMemberDecorate %%type_RWStructuredBuffer_v4float 0 Offset 0
OpDecorate %%type_RWStructuredBuffer_v4float Block
%(marks)s%%uint = OpTypeInt 32 0
%%int = OpTypeInt 32 1
%%float = OpTypeFloat 32
%%bool = OpTypeBool
%%int_0 = OpConstant %%int 0
%%uint_0 = OpConstant %%uint 0
%%uint_1 = OpConstant %%uint 1
%%uint_255 = OpConstant %%uint 255
%%float_0 = OpConstant %%float 0
%%v2uint = OpTypeVector %%uint 2
%%v3uint = OpTypeVector %%uint 3
%%v4uint = OpTypeVector %%uint 4
%%v2float = OpTypeVector %%float 2
%%v3float = OpTypeVector %%float 3
%%v4float = OpTypeVector %%float 4
%%at1 = OpConstantNull %%uint
%%at2 = OpConstantNull %%v2uint
%%at3 = OpConstantNull %%v3uint
%%where2 = OpConstantNull %%v2float
%%where3 = OpConstantNull %%v3float
%%where4 = OpConstantNull %%v4float
%%no = OpConstantNull %%v4float
%%_runtimearr_v2uint = OpTypeRuntimeArray %%v2uint
%%type_StructuredBuffer_v2uint = OpTypeStruct %%_runtimearr_v2uint
%%ptr_handles = OpTypePointer StorageBuffer %%type_StructuredBuffer_v2uint
%%_runtimearr_v4float = OpTypeRuntimeArray %%v4float
%%type_RWStructuredBuffer_v4float = OpTypeStruct %%_runtimearr_v4float
%%ptr_result = OpTypePointer StorageBuffer %%type_RWStructuredBuffer_v4float
%%ptr_handle = OpTypePointer StorageBuffer %%v2uint
%%ptr_v4float = OpTypePointer StorageBuffer %%v4float
%%ptr_Input_v3uint = OpTypePointer Input %%v3uint
%%void = OpTypeVoid
%%fn = OpTypeFunction %%void
%(types)s%%handles = OpVariable %%ptr_handles StorageBuffer
%%result = OpVariable %%ptr_result StorageBuffer
%%gl_LocalInvocationID = OpVariable %%ptr_Input_v3uint Input
"""
LANE = """%id = OpLoad %v3uint %gl_LocalInvocationID
%lane = OpCompositeExtract %uint %id 0
%p = OpAccessChain %ptr_handle %handles %int_0 %lane
%h = OpLoad %v2uint %p
%marked = OpCompositeExtract %uint %h 0
%y = OpCompositeExtract %uint %h 1
%nonuniform = OpCompositeConstruct %v2uint %marked %y
%value = OpExtInst %type %set 1 %nonuniform
"""
STORE = """%q = OpAccessChain %ptr_v4float %result %int_0 %lane
OpStore %q %texel
"""


def what_to_do(name):
    """Types, and instructions that compute %texel from %v."""
    if name == "RaytracingAccelerationStructure":
        return ("%query = OpTypeRayQueryKHR\n%ptr_query = OpTypePointer Function %query\n",
                "OpRayQueryInitializeKHR %q0 %v %uint_0 %uint_255 %where3 %float_0 %where3 %float_0\n"
                "%hit = OpRayQueryProceedKHR %bool %q0\n%texel = OpSelect %v4float %hit %no %no\n")
    if name.startswith("Sampler"):
        compare = "Comparison" in name
        op = "DrefExplicitLod %float %si %where2 %float_0" if compare else "ExplicitLod %v4float %si %where2"
        texel = "%texel = OpC" + ("ompositeConstruct %v4float %x %x %x %x\n" if compare else "opyObject %v4float %x\n")
        return ("%image = OpTypeImage %float 2D 2 0 0 1 Unknown\n%si_type = OpTypeSampledImage %image\n",
                "%t = OpExtInst %image %set 1 %h\n%si = OpSampledImage %si_type %t %v\n"
                "%x = OpImageSample" + op + " Lod %float_0\n" + texel)
    dim, _, arrayed, several, sampled, _ = IMAGES[name][1].split()
    n = {"1D": 1, "2D": 2, "3D": 3, "Cube": 3, "Buffer": 1}[dim] + int(arrayed)
    if dim == "Cube":
        return ("%si_type = OpTypeSampledImage %type\n%smp_type = OpTypeSampler\n",
                "%t = OpExtInst %smp_type %set 1 %h\n%si = OpSampledImage %si_type %v %t\n"
                "%texel = OpImageSampleExplicitLod %v4float %si %where{} Lod %float_0\n".format(n))
    at = "%%at%d" % n
    if sampled == "2":
        return "", "%texel = OpImageRead %v4float %v {0} None\nOpImageWrite %v {0} %texel None\n".format(at)
    more = "" if dim == "Buffer" else " Sample %int_0" if several == "1" else " Lod %uint_0"
    return "", "%texel = OpImageFetch %v4float %v " + at + more + "\n"


def module(name, through_function):
    capabilities, extensions = ["ShaderNonUniform"], []
    if name in IMAGES:
        called, text, more, _ = IMAGES[name]
        capabilities += more
        text = "OpTypeImage %float " + text
    else:
        called, text = TYPES["Ray" if name.startswith("Ray") else "Sampler"]
        if name.startswith("Ray"):
            capabilities.append("RayQueryKHR")
            extensions.append("SPV_KHR_ray_query")
    types, use = what_to_do(name)
    fields = {"name": called, "types": "%type = " + text + "\n" + types,
              "capabilities": "".join("OpCapability %s\n" % c for c in capabilities),
              "extensions": "".join('OpExtension "%s"\n' % e for e in extensions),
              "marks": "OpDecorate %marked NonUniform\n"}
    query = "%q0 = OpVariable %ptr_query Function\n" if name.startswith("Ray") else ""
    if not through_function:
        return (HEAD % fields + "%main = OpFunction %void None %fn\n%entry = OpLabel\n" + query + LANE +
                use.replace("%v ", "%value ").replace("%v\n", "%value\n") + STORE + "OpReturn\nOpFunctionEnd\n")
    fields["types"] += ("%ptr_type = OpTypePointer Function %type\n%ptr_pair = OpTypePointer Function %v2uint\n"
                        "%fn_use = OpTypeFunction %v4float %ptr_type %ptr_pair\n")
    return (HEAD % fields + "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
            "%t_var = OpVariable %ptr_type Function\n%param_var_t = OpVariable %ptr_type Function\n"
            "%param_var_h = OpVariable %ptr_pair Function\n" + LANE +
            "OpStore %t_var %value\n%loaded = OpLoad %type %t_var\nOpStore %param_var_t %loaded\n"
            "OpStore %param_var_h %h\n%texel = OpFunctionCall %v4float %use %param_var_t %param_var_h\n" + STORE +
            "OpReturn\nOpFunctionEnd\n"
            "%use = OpFunction %v4float None %fn_use\n%t_in = OpFunctionParameter %ptr_type\n"
            "%h_in = OpFunctionParameter %ptr_pair\n%bb_entry = OpLabel\n" + query +
            "%h2 = OpLoad %v2uint %h_in\n%v = OpLoad %type %t_in\n" +
            use.replace("%h\n", "%h2\n").replace("%texel", "%read") + "OpReturnValue %read\nOpFunctionEnd\n")


def buffer_module(number, through_variable):
    """A vk::BufferPointer<T>: a pointer in PhysicalStorageBuffer to T itself, like an address."""
    fields = {"name": "unused", "types": "%type = OpTypeStruct %uint %v4float\n"
              "%ptr_type = OpTypePointer PhysicalStorageBuffer %type\n"
              "%ptr_member = OpTypePointer PhysicalStorageBuffer %v4float\n"
              "%ptr_ptr = OpTypePointer Function %ptr_type\n%int_1 = OpConstant %int 1\n",
              "capabilities": "OpCapability ShaderNonUniform\nOpCapability PhysicalStorageBufferAddresses\n",
              "extensions": 'OpExtension "SPV_KHR_physical_storage_buffer"\n',
              "marks": "OpDecorate %marked NonUniform\nOpDecorate %type Block\nOpMemberDecorate %type 0 Offset 0\n"
                       "OpMemberDecorate %type 1 Offset 16\n"
                       + ("OpDecorate %p_var AliasedPointer\n" if through_variable else "")}
    lane = LANE.replace("%type %set 1", "%%ptr_type %%set %d" % number)
    text = HEAD % fields + "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
    if through_variable:
        text += ("%p_var = OpVariable %ptr_ptr Function\n" + lane +
                 "OpStore %p_var %value\n%v = OpLoad %ptr_type %p_var\n")
    else:
        text += lane
    pointer = "%v" if through_variable else "%value"
    text += "%%m = OpAccessChain %%ptr_member %s %%int_1\n%%texel = OpLoad %%v4float %%m Aligned 16\n" % pointer
    if number == 2:
        text += "OpStore %m %no Aligned 16\n"
    return (text + STORE + "OpReturn\nOpFunctionEnd\n").replace("Logical GLSL450", "PhysicalStorageBuffer64 GLSL450")


def heaps(path):
    """{kind: whether all its accesses are decorated} of a bound module."""
    text = run("spirv-dis", path).stdout
    marks = set(re.findall(r"OpDecorate (%\w+) NonUniform\b", text))
    seen = {}
    for chain, heap in re.findall(r"(%\w+) = OpAccessChain %\w+ %heap_([a-z]+)", text):
        seen.setdefault(heap, set()).add(chain in marks)
    return seen


def check_module(name, shape, tmp):
    text = module(name, shape != "legalized") if name not in BUFFERS else buffer_module(
        BUFFERS[name][0], shape != "legalized")
    write(tmp + "/m.spvasm", text.encode())
    run("spirv-as", "--target-env", "vulkan1.2", tmp + "/m.spvasm", "-o", tmp + "/m.spv")
    source = tmp + "/m.spv"
    if shape == "optimised":
        run("spirv-opt", "--skip-validation", "--legalize-hlsl", "-O", source, "-o", tmp + "/o.spv")
        source = tmp + "/o.spv"
    bind("-q", source, "-o", tmp + "/b.spv")
    run("spirv-val", "--target-env", "vulkan1.2", tmp + "/b.spv")
    kind = IMAGES[name][3] if name in IMAGES else BUFFERS[name][1] if name in BUFFERS else OTHERS[name]
    wanted = {kind: {True}}
    if name.startswith("Sampler"):
        wanted["texture"] = {True}
    elif "Cube" in name:
        wanted["sampler"] = {True}
    assert heaps(tmp + "/b.spv") == wanted, "heaps are %s, expected %s" % (heaps(tmp + "/b.spv"), wanted)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    args = parser.parse_args()
    import running
    running.BIND = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as tmp:
        checks = [("header", check_header), ("syntax", lambda: check_syntax(tmp)), ("names", check_names)]
        checks += [("%s %s" % (name, shape), lambda n=name, s=shape: check_module(n, s, tmp))
                   for name in [*IMAGES, *OTHERS, *BUFFERS] for shape in ("legalized", "fcgl", "optimised")]
        running.summary(*running.run_cases(checks))


if __name__ == "__main__":
    main()
