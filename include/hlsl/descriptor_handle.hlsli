/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor_handle.hlsli: descriptor handles for HLSL, with DXC and its inline SPIR-V.
 *
 * A DescriptorHandle is two 32-bit numbers (uint2) that name a descriptor. It can be stored in buffers and push constants,
 * copied, compared, and passed to functions. The functions below turn a handle into the texture, sampler or image that it
 * names; spirv-bind rewrites that into an access to an array of descriptors, a heap, indexed by .x. The handles are those
 * of descriptor_handle.glsl and of Slang, so shaders in all three can share heaps.
 *
 *     #include "descriptor_handle.hlsli"
 *
 *     struct Material { DescriptorHandle albedo; DescriptorHandle smp; };
 *     StructuredBuffer<Material> materials;
 *
 *     float4 main(nointerpolation uint id : ID, float2 uv : UV) : SV_Target
 *     {
 *         Material m = materials[id];
 *         return handle_Texture2D(nonuniform_handle(m.albedo)).Sample(handle_SamplerState(m.smp), uv);
 *     }
 *
 *     dxc -spirv -Vd -fspv-target-env=vulkan1.2 -T ps_6_6 -E main -I <folder of this file> material.hlsl -Fo material.spv
 *     spirv-bind material.spv -o material.bound.spv --layout-json=material.json
 *
 * -Vd leaves out DXC's own validation, which rejects a module in which an instruction uses the result of a non-semantic
 * instruction; spirv-bind validates what it writes. DXC's optimiser may run.
 *
 *     handle_Texture2D(h), handle_RWTexture3D(h), ...   one function for each type of resource, of float4
 *     handle_SamplerState(h), handle_SamplerComparisonState(h), handle_RaytracingAccelerationStructure(h)
 *     dereference<Texture2D<uint2> >(h)                 any type, with templates (-HV 2021, the default)
 *     DECLARE_HANDLE(Texture2D<uint2>, handle_ids)      the same without: declares handle_ids(h)
 *     DECLARE_BUFFER_HANDLE(Particles, handle_Particles)   declares handle_Particles(h), a storage buffer that holds a struct:
 *                                                       a vk::BufferPointer, whose Get() is the struct
 *     DECLARE_UNIFORM_BUFFER_HANDLE(Frame, handle_Frame)   the same, a uniform buffer
 *     nonuniform_handle(h)                              the handle may differ between invocations
 *     handle_equal(a, b), handle_null(), handle_is_valid(h), handle_from_uint(n), handle_from_packed(n)
 *
 * To DXC, StructuredBuffer and ByteAddressBuffer are not types of values, so handles of buffers need vk::BufferPointer. With
 * 4-byte indices, ResourceDescriptorHeap[i] serves the other types; see docs/heaps.md.
 *
 * DXC has not been run on this header: it is not available on our test machines. The tests use hand-written modules, one for
 * each function, as DXC's documentation and tests show them, with and without -fcgl. */
#ifndef DESCRIPTOR_HANDLE_HLSLI
#define DESCRIPTOR_HANDLE_HLSLI

#ifndef __spirv__
#error descriptor_handle.hlsli needs DXC with -spirv
#endif

typedef uint2 DescriptorHandle;

/* A macro, because the decoration belongs on the number. */
#define nonuniform_handle(h) uint2(NonUniformResourceIndex((h).x), (h).y)

#define handle_equal(a, b) all((a) == (b))

/* The null handle, by convention: no heap has such an index. */
#define handle_null() uint2(0xFFFFFFFFu, 0xFFFFFFFFu)
#define handle_is_valid(h) ((h).x != 0xFFFFFFFFu)

/* From 32 bits: an index, which may be that of the null handle; or, for combined handles with --combined=split, the index of a
 * texture in the low 20 bits and that of its sampler above. */
#define handle_from_uint(n) uint2((n), 0xFFFFFFFFu)
#define handle_from_packed(n) uint2((n) & 0xFFFFFu, (n) >> 20)

/* descriptor_handle.glsl says what the numbers mean. */
#define SPB_DEREFERENCE(number) \
	[[vk::ext_extension("SPV_KHR_non_semantic_info")]] [[vk::ext_instruction(number, "NonSemantic.DescriptorHandle")]]

#define DECLARE_HANDLE(type, name) SPB_DEREFERENCE(1) type name(DescriptorHandle h);
#define DECLARE_BUFFER_HANDLE(type, name) SPB_DEREFERENCE(2) vk::BufferPointer<type> name(DescriptorHandle h);
#define DECLARE_UNIFORM_BUFFER_HANDLE(type, name) SPB_DEREFERENCE(3) vk::BufferPointer<type> name(DescriptorHandle h);

#if __HLSL_VERSION >= 2021
template <typename T> SPB_DEREFERENCE(1) T dereference(DescriptorHandle h);
#endif

DECLARE_HANDLE(Texture1D<float4>, handle_Texture1D)
DECLARE_HANDLE(Texture1DArray<float4>, handle_Texture1DArray)
DECLARE_HANDLE(Texture2D<float4>, handle_Texture2D)
DECLARE_HANDLE(Texture2DArray<float4>, handle_Texture2DArray)
DECLARE_HANDLE(Texture2DMS<float4>, handle_Texture2DMS)
DECLARE_HANDLE(Texture2DMSArray<float4>, handle_Texture2DMSArray)
DECLARE_HANDLE(Texture3D<float4>, handle_Texture3D)
DECLARE_HANDLE(TextureCube<float4>, handle_TextureCube)
DECLARE_HANDLE(TextureCubeArray<float4>, handle_TextureCubeArray)
DECLARE_HANDLE(RWTexture1D<float4>, handle_RWTexture1D)
DECLARE_HANDLE(RWTexture1DArray<float4>, handle_RWTexture1DArray)
DECLARE_HANDLE(RWTexture2D<float4>, handle_RWTexture2D)
DECLARE_HANDLE(RWTexture2DArray<float4>, handle_RWTexture2DArray)
DECLARE_HANDLE(RWTexture3D<float4>, handle_RWTexture3D)
DECLARE_HANDLE(Buffer<float4>, handle_Buffer)
DECLARE_HANDLE(RWBuffer<float4>, handle_RWBuffer)
DECLARE_HANDLE(SamplerState, handle_SamplerState)
DECLARE_HANDLE(SamplerComparisonState, handle_SamplerComparisonState)
DECLARE_HANDLE(RaytracingAccelerationStructure, handle_RaytracingAccelerationStructure)

#endif
