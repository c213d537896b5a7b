/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor_handle.glsl: descriptor handles for GLSL, with an unmodified compiler.
 *
 * A DescriptorHandle is two 32-bit numbers (uvec2) that name a descriptor. It can be stored in buffers and push constants,
 * copied, compared, and passed to functions. The functions below turn a handle into the texture, sampler or image that it
 * names; spirv-bind rewrites that into an access to an array of descriptors, a heap, indexed by .x.
 *
 *     #version 460
 *     #extension GL_GOOGLE_include_directive : require
 *     #include "descriptor_handle.glsl"
 *
 *     struct Material { DescriptorHandle albedo; DescriptorHandle smp; };
 *     layout(binding = 0) readonly buffer Materials { Material materials[]; };
 *     layout(location = 0) flat in uint id;
 *     layout(location = 1) in vec2 uv;
 *     layout(location = 0) out vec4 color;
 *
 *     void main()
 *     {
 *         Material m = materials[id];
 *         color = texture(sampler2D(handle_texture2D(nonuniform_handle(m.albedo)), handle_sampler(m.smp)), uv);
 *     }
 *
 *     glslangValidator -V -g -I<folder of this file> material.frag -o material.frag.spv     (or glslc -g -I...)
 *     spirv-bind material.frag.spv -o material.bound.spv --layout-json=material.json
 *
 * Run spirv-bind before any optimiser. glslc -O and spirv-opt validate their input, and they reject a module in which an
 * instruction uses the result of a non-semantic instruction.
 *
 * This is what the header declares. Each item has a shader in examples/, which a test compiles, binds and validates.
 *
 *     handle_TYPE(h)                     one function for each opaque type of GLSL: handle_texture2D, handle_usampler3D,
 *                                        handle_image2DArray, handle_textureBuffer, ...         material.frag, animation.vert
 *     handle_sampler2D(h), ...Shadow     a texture combined with its sampler                    shadow.frag
 *     DECLARE_IMAGE_HANDLE(format, type, name)   declares name(h), a storage image with a format   blur.comp
 *                                        also for imageAtomic...()                              histogram.comp
 *     DECLARE_COHERENT_IMAGE_HANDLE(format, type, name)   the same, coherent       histogram.comp
 *     DECLARE_BUFFER_HANDLE(Block)       declares handle_Block(h), a storage buffer, and handle_length(b, n); needs
 *                                        GL_EXT_buffer_reference                                particles.comp
 *     DECLARE_UNIFORM_BUFFER_HANDLE(Block)   declares handle_Block(h), a uniform buffer         particles.comp
 *     handle_accelerationStructureEXT(h) if DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE is defined before the #include; needs
 *                                        GL_EXT_ray_query or GL_EXT_ray_tracing                 visible.comp
 *     nonuniform_handle(h)               the handle may differ between invocations              material.frag
 *     handle_equal(a, b)                                                                        cache.comp
 *     handle_to_uvec2(h), handle_from_uvec2(v), handle_to_uint64(h), handle_from_uint64(n)      cache.comp
 *     handle_null(), handle_is_valid(h)  the null handle: all bits set                          compact.comp
 *     handle_from_uint(n), handle_to_uint(h), handle_from_packed(n)    handles of 32 bits        compact.comp
 *
 * typed_handle.glsl has a type for each of these, so that the compiler rejects the handle of a sampler for a texture.
 *
 * spirv-bind finds out whether a handle is the same in all invocations that run an access together, and assumes the worst
 * where it cannot know. nonuniform_handle(h), or nonuniformEXT around any number that the handle is made from, says that it
 * differs, whatever the analysis finds.
 *
 * The result of these functions can be used directly or passed to a function (layers.frag). GLSL does not allow variables or
 * ?: of opaque types, so choose between handles instead: handle_texture2D(night ? a : b). The descriptor is read only where
 * it is used, so an invalid handle does no harm behind a guard (cache.comp).
 *
 * Images from handle_image2D and its siblings have no format, so imageLoad and imageStore need the features
 * shaderStorageImageReadWithoutFormat and shaderStorageImageWriteWithoutFormat. Images with a format need neither. Function
 * parameters cannot have a format, so pass images without one. imageAtomic...() needs the format r32ui or r32i, and cannot
 * be used in a function that takes the image as a parameter. An image that invocations of other workgroups write is declared
 * by DECLARE_COHERENT_IMAGE_HANDLE: all accesses of the module to images of its type are coherent then. Qualifiers before
 * the type are errors. One-dimensional types need no extension, but the capability Sampled1D or Image1D. There is no sampler2DRect, which Vulkan lacks, and no
 * subpassInput, which is an attachment and cannot be indexed.
 *
 * A handle of a buffer names a buffer_reference block. Loads, stores, atomics and assignment work, and so do structs, arrays
 * and parameters of references. handle_length(p, n) is the number of elements of member n; GLSL has no .length() for
 * references. Buffers need no device address, and the device does not need the feature. A uniform buffer is a readonly block
 * with the layout std140. A reference that is stored in a buffer (Particles next;) is a device address, not a handle.
 *
 * GLSL ES (#version 320 es) has all types except one-dimensional ones and multisampled storage images. The header sets the
 * default precision of int to highp, because a handle does not fit into mediump; keep it.
 *
 * The extended instructions of NonSemantic.DescriptorHandle. Their meaning never changes.
 *     1  dereference to an opaque value, which OpImageTexelPointer may also take
 *     2  dereference to a storage buffer: a pointer in PhysicalStorageBuffer   3  the same for a uniform buffer
 *     4  the same as 1, for an image whose texel pointer is taken */
#ifndef DESCRIPTOR_HANDLE_GLSL
#define DESCRIPTOR_HANDLE_GLSL

#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_image_load_formatted : require

#define DescriptorHandle uvec2

/* This is a macro because a function would return a copy without the decoration. */
#define nonuniform_handle(h) nonuniformEXT(h)

#define handle_equal(a, b) ((a) == (b))
#define handle_to_uvec2(h) (h)
#define handle_from_uvec2(v) (v)

/* The null handle, by convention: no heap has such an index. */
#define handle_null() DescriptorHandle(0xFFFFFFFFu)
#define handle_is_valid(h) ((h).x != 0xFFFFFFFFu)

/* From 32 bits: an index, which may be that of the null handle; or, for combined handles with --combined=split, the index of a
 * texture in the low 20 bits and that of its sampler above. */
#define handle_from_uint(n) DescriptorHandle((n), 0xFFFFFFFFu)
#define handle_to_uint(h) ((h).x)
#define handle_from_packed(n) DescriptorHandle((n) & 0xFFFFFu, (n) >> 20u)

/* As a single number with .x in the low half. Needs GL_EXT_shader_explicit_arithmetic_types_int64 or
 * GL_ARB_gpu_shader_int64. */
#define handle_to_uint64(h) packUint2x32(h)
#define handle_from_uint64(n) unpackUint2x32(n)

/* The instruction is spelled out because SPB_DEREFERENCE is no longer defined where these macros are used. A qualifier
 * before the type would have no effect, so it is an error: undefined SPB_TYPE_coherent. */
#define DECLARE_IMAGE_HANDLE(format, type, name) \
	spirv_instruction(set = "NonSemantic.DescriptorHandle", id = 1) \
	layout(format) SPB_TYPE_##type name(DescriptorHandle h);
#define DECLARE_COHERENT_IMAGE_HANDLE(format, type, name) \
	spirv_instruction(set = "NonSemantic.DescriptorHandle", id = 5) \
	layout(format) SPB_TYPE_##type name(DescriptorHandle h);
#define SPB_TYPE_image1D image1D
#define SPB_TYPE_image1DArray image1DArray
#define SPB_TYPE_image2D image2D
#define SPB_TYPE_image2DArray image2DArray
#define SPB_TYPE_image2DMS image2DMS
#define SPB_TYPE_image2DMSArray image2DMSArray
#define SPB_TYPE_image3D image3D
#define SPB_TYPE_imageCube imageCube
#define SPB_TYPE_imageCubeArray imageCubeArray
#define SPB_TYPE_imageBuffer imageBuffer
#define SPB_TYPE_iimage1D iimage1D
#define SPB_TYPE_iimage1DArray iimage1DArray
#define SPB_TYPE_iimage2D iimage2D
#define SPB_TYPE_iimage2DArray iimage2DArray
#define SPB_TYPE_iimage2DMS iimage2DMS
#define SPB_TYPE_iimage2DMSArray iimage2DMSArray
#define SPB_TYPE_iimage3D iimage3D
#define SPB_TYPE_iimageCube iimageCube
#define SPB_TYPE_iimageCubeArray iimageCubeArray
#define SPB_TYPE_iimageBuffer iimageBuffer
#define SPB_TYPE_uimage1D uimage1D
#define SPB_TYPE_uimage1DArray uimage1DArray
#define SPB_TYPE_uimage2D uimage2D
#define SPB_TYPE_uimage2DArray uimage2DArray
#define SPB_TYPE_uimage2DMS uimage2DMS
#define SPB_TYPE_uimage2DMSArray uimage2DMSArray
#define SPB_TYPE_uimage3D uimage3D
#define SPB_TYPE_uimageCube uimageCube
#define SPB_TYPE_uimageCubeArray uimageCubeArray
#define SPB_TYPE_uimageBuffer uimageBuffer

/* handle_length is OpArrayLength (68) of a member that is an unsized array; `member` is its number, a uint constant. */
#define DECLARE_BUFFER_HANDLE(Block) \
	spirv_instruction(set = "NonSemantic.DescriptorHandle", id = 2) Block handle_##Block(DescriptorHandle h); \
	spirv_instruction(id = 68) uint handle_length(Block b, spirv_literal uint member);
#define DECLARE_UNIFORM_BUFFER_HANDLE(Block) \
	spirv_instruction(set = "NonSemantic.DescriptorHandle", id = 3) Block handle_##Block(DescriptorHandle h);

#define SPB_DEREFERENCE spirv_instruction(set = "NonSemantic.DescriptorHandle", id = 1) SPB_PRECISION

/* GLSL ES requires a precision everywhere. A handle does not fit into fewer than 32 bits. */
#ifdef GL_ES
precision highp int;
#define SPB_PRECISION highp
#else
#define SPB_PRECISION
#endif

/* textures */
SPB_DEREFERENCE texture2D          handle_texture2D(DescriptorHandle h);
SPB_DEREFERENCE texture3D          handle_texture3D(DescriptorHandle h);
SPB_DEREFERENCE textureCube        handle_textureCube(DescriptorHandle h);
SPB_DEREFERENCE texture2DArray     handle_texture2DArray(DescriptorHandle h);
SPB_DEREFERENCE textureCubeArray   handle_textureCubeArray(DescriptorHandle h);
SPB_DEREFERENCE texture2DMS        handle_texture2DMS(DescriptorHandle h);
SPB_DEREFERENCE texture2DMSArray   handle_texture2DMSArray(DescriptorHandle h);
SPB_DEREFERENCE textureBuffer      handle_textureBuffer(DescriptorHandle h);
SPB_DEREFERENCE itexture2D         handle_itexture2D(DescriptorHandle h);
SPB_DEREFERENCE itexture3D         handle_itexture3D(DescriptorHandle h);
SPB_DEREFERENCE itextureCube       handle_itextureCube(DescriptorHandle h);
SPB_DEREFERENCE itexture2DArray    handle_itexture2DArray(DescriptorHandle h);
SPB_DEREFERENCE itextureCubeArray  handle_itextureCubeArray(DescriptorHandle h);
SPB_DEREFERENCE itexture2DMS       handle_itexture2DMS(DescriptorHandle h);
SPB_DEREFERENCE itexture2DMSArray  handle_itexture2DMSArray(DescriptorHandle h);
SPB_DEREFERENCE itextureBuffer     handle_itextureBuffer(DescriptorHandle h);
SPB_DEREFERENCE utexture2D         handle_utexture2D(DescriptorHandle h);
SPB_DEREFERENCE utexture3D         handle_utexture3D(DescriptorHandle h);
SPB_DEREFERENCE utextureCube       handle_utextureCube(DescriptorHandle h);
SPB_DEREFERENCE utexture2DArray    handle_utexture2DArray(DescriptorHandle h);
SPB_DEREFERENCE utextureCubeArray  handle_utextureCubeArray(DescriptorHandle h);
SPB_DEREFERENCE utexture2DMS       handle_utexture2DMS(DescriptorHandle h);
SPB_DEREFERENCE utexture2DMSArray  handle_utexture2DMSArray(DescriptorHandle h);
SPB_DEREFERENCE utextureBuffer     handle_utextureBuffer(DescriptorHandle h);

/* samplers */
SPB_DEREFERENCE sampler            handle_sampler(DescriptorHandle h);
SPB_DEREFERENCE samplerShadow      handle_samplerShadow(DescriptorHandle h);

/* textures combined with their sampler, from the heap of combined image-samplers */
SPB_DEREFERENCE sampler2D          handle_sampler2D(DescriptorHandle h);
SPB_DEREFERENCE sampler3D          handle_sampler3D(DescriptorHandle h);
SPB_DEREFERENCE samplerCube        handle_samplerCube(DescriptorHandle h);
SPB_DEREFERENCE sampler2DArray     handle_sampler2DArray(DescriptorHandle h);
SPB_DEREFERENCE samplerCubeArray   handle_samplerCubeArray(DescriptorHandle h);
SPB_DEREFERENCE sampler2DMS        handle_sampler2DMS(DescriptorHandle h);
SPB_DEREFERENCE sampler2DMSArray   handle_sampler2DMSArray(DescriptorHandle h);
SPB_DEREFERENCE samplerBuffer      handle_samplerBuffer(DescriptorHandle h);
SPB_DEREFERENCE isampler2D         handle_isampler2D(DescriptorHandle h);
SPB_DEREFERENCE isampler3D         handle_isampler3D(DescriptorHandle h);
SPB_DEREFERENCE isamplerCube       handle_isamplerCube(DescriptorHandle h);
SPB_DEREFERENCE isampler2DArray    handle_isampler2DArray(DescriptorHandle h);
SPB_DEREFERENCE isamplerCubeArray  handle_isamplerCubeArray(DescriptorHandle h);
SPB_DEREFERENCE isampler2DMS       handle_isampler2DMS(DescriptorHandle h);
SPB_DEREFERENCE isampler2DMSArray  handle_isampler2DMSArray(DescriptorHandle h);
SPB_DEREFERENCE isamplerBuffer     handle_isamplerBuffer(DescriptorHandle h);
SPB_DEREFERENCE usampler2D         handle_usampler2D(DescriptorHandle h);
SPB_DEREFERENCE usampler3D         handle_usampler3D(DescriptorHandle h);
SPB_DEREFERENCE usamplerCube       handle_usamplerCube(DescriptorHandle h);
SPB_DEREFERENCE usampler2DArray    handle_usampler2DArray(DescriptorHandle h);
SPB_DEREFERENCE usamplerCubeArray  handle_usamplerCubeArray(DescriptorHandle h);
SPB_DEREFERENCE usampler2DMS       handle_usampler2DMS(DescriptorHandle h);
SPB_DEREFERENCE usampler2DMSArray  handle_usampler2DMSArray(DescriptorHandle h);
SPB_DEREFERENCE usamplerBuffer     handle_usamplerBuffer(DescriptorHandle h);
SPB_DEREFERENCE sampler2DShadow    handle_sampler2DShadow(DescriptorHandle h);
SPB_DEREFERENCE samplerCubeShadow  handle_samplerCubeShadow(DescriptorHandle h);
SPB_DEREFERENCE sampler2DArrayShadow handle_sampler2DArrayShadow(DescriptorHandle h);
SPB_DEREFERENCE samplerCubeArrayShadow handle_samplerCubeArrayShadow(DescriptorHandle h);

/* storage images */
SPB_DEREFERENCE image2D            handle_image2D(DescriptorHandle h);
SPB_DEREFERENCE image3D            handle_image3D(DescriptorHandle h);
SPB_DEREFERENCE imageCube          handle_imageCube(DescriptorHandle h);
SPB_DEREFERENCE image2DArray       handle_image2DArray(DescriptorHandle h);
SPB_DEREFERENCE imageCubeArray     handle_imageCubeArray(DescriptorHandle h);
SPB_DEREFERENCE imageBuffer        handle_imageBuffer(DescriptorHandle h);
SPB_DEREFERENCE iimage2D           handle_iimage2D(DescriptorHandle h);
SPB_DEREFERENCE iimage3D           handle_iimage3D(DescriptorHandle h);
SPB_DEREFERENCE iimageCube         handle_iimageCube(DescriptorHandle h);
SPB_DEREFERENCE iimage2DArray      handle_iimage2DArray(DescriptorHandle h);
SPB_DEREFERENCE iimageCubeArray    handle_iimageCubeArray(DescriptorHandle h);
SPB_DEREFERENCE iimageBuffer       handle_iimageBuffer(DescriptorHandle h);
SPB_DEREFERENCE uimage2D           handle_uimage2D(DescriptorHandle h);
SPB_DEREFERENCE uimage3D           handle_uimage3D(DescriptorHandle h);
SPB_DEREFERENCE uimageCube         handle_uimageCube(DescriptorHandle h);
SPB_DEREFERENCE uimage2DArray      handle_uimage2DArray(DescriptorHandle h);
SPB_DEREFERENCE uimageCubeArray    handle_uimageCubeArray(DescriptorHandle h);
SPB_DEREFERENCE uimageBuffer       handle_uimageBuffer(DescriptorHandle h);

/* types that GLSL ES lacks: one-dimensional ones, and multisampled storage images */
#ifndef GL_ES
SPB_DEREFERENCE texture1D          handle_texture1D(DescriptorHandle h);
SPB_DEREFERENCE texture1DArray     handle_texture1DArray(DescriptorHandle h);
SPB_DEREFERENCE itexture1D         handle_itexture1D(DescriptorHandle h);
SPB_DEREFERENCE itexture1DArray    handle_itexture1DArray(DescriptorHandle h);
SPB_DEREFERENCE utexture1D         handle_utexture1D(DescriptorHandle h);
SPB_DEREFERENCE utexture1DArray    handle_utexture1DArray(DescriptorHandle h);
SPB_DEREFERENCE sampler1D          handle_sampler1D(DescriptorHandle h);
SPB_DEREFERENCE sampler1DArray     handle_sampler1DArray(DescriptorHandle h);
SPB_DEREFERENCE isampler1D         handle_isampler1D(DescriptorHandle h);
SPB_DEREFERENCE isampler1DArray    handle_isampler1DArray(DescriptorHandle h);
SPB_DEREFERENCE usampler1D         handle_usampler1D(DescriptorHandle h);
SPB_DEREFERENCE usampler1DArray    handle_usampler1DArray(DescriptorHandle h);
SPB_DEREFERENCE sampler1DShadow    handle_sampler1DShadow(DescriptorHandle h);
SPB_DEREFERENCE sampler1DArrayShadow handle_sampler1DArrayShadow(DescriptorHandle h);
SPB_DEREFERENCE image1D            handle_image1D(DescriptorHandle h);
SPB_DEREFERENCE image1DArray       handle_image1DArray(DescriptorHandle h);
SPB_DEREFERENCE image2DMS          handle_image2DMS(DescriptorHandle h);
SPB_DEREFERENCE image2DMSArray     handle_image2DMSArray(DescriptorHandle h);
SPB_DEREFERENCE iimage1D           handle_iimage1D(DescriptorHandle h);
SPB_DEREFERENCE iimage1DArray      handle_iimage1DArray(DescriptorHandle h);
SPB_DEREFERENCE iimage2DMS         handle_iimage2DMS(DescriptorHandle h);
SPB_DEREFERENCE iimage2DMSArray    handle_iimage2DMSArray(DescriptorHandle h);
SPB_DEREFERENCE uimage1D           handle_uimage1D(DescriptorHandle h);
SPB_DEREFERENCE uimage1DArray      handle_uimage1DArray(DescriptorHandle h);
SPB_DEREFERENCE uimage2DMS         handle_uimage2DMS(DescriptorHandle h);
SPB_DEREFERENCE uimage2DMSArray    handle_uimage2DMSArray(DescriptorHandle h);
#endif

#ifdef DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE
SPB_DEREFERENCE accelerationStructureEXT handle_accelerationStructureEXT(DescriptorHandle h);
#endif

#undef SPB_DEREFERENCE
#undef SPB_PRECISION

#endif
