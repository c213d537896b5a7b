/* SPDX-License-Identifier: Apache-2.0 */
/* typed_handle.glsl: a type for the handles of each kind of descriptor, on top of descriptor_handle.glsl, so that the compiler
 * rejects the handle of a sampler where that of a texture is needed.
 *
 *     #include "typed_handle.glsl"
 *
 *     struct Material { Texture2DHandle albedo; SamplerHandle smp; };
 *     ...
 *     color = texture(sampler2D(dereference_nonuniform(texture2D, m.albedo), dereference(sampler, m.smp)), uv);
 *
 * The types are structs of a single DescriptorHandle: Texture2DHandle of texture2D, UTexture3DHandle of utexture3D, and so on.
 * They can be copied, compared with == and !=, chosen by ?:, returned from functions, and be members of structs.
 *
 *     dereference(texture2D, h)              the texture that h names; h has to be a Texture2DHandle
 *     dereference_nonuniform(texture2D, h)   the same, if h may differ between invocations
 *     untyped(texture2D, h)                  the DescriptorHandle
 *     TYPED_HANDLE(Particles, Particles)     declares ParticlesHandle, for a block of DECLARE_BUFFER_HANDLE(Particles), or the
 *                                            name of DECLARE_IMAGE_HANDLE without its handle_
 *     Texture2DHandle(h)                     from a DescriptorHandle, unchecked
 *
 * In std430 and scalar layouts a typed handle takes 8 bytes, as a DescriptorHandle does; in std140 any struct takes 16. */
#ifdef GL_ES
#error typed_handle.glsl pastes tokens, which GLSL ES lacks; use descriptor_handle.glsl
#endif
#ifndef TYPED_HANDLE_GLSL
#define TYPED_HANDLE_GLSL

#include "descriptor_handle.glsl"

/* The member has the name of the kind, which is what the compiler checks. */
#define TYPED_HANDLE(Name, kind) \
	struct Name##Handle { \
		DescriptorHandle names_##kind; \
	};
#define untyped(kind, h) (h).names_##kind
#define dereference(kind, h) handle_##kind((h).names_##kind)
#define dereference_nonuniform(kind, h) handle_##kind(nonuniform_handle((h).names_##kind))

TYPED_HANDLE(Texture2D, texture2D)
TYPED_HANDLE(Texture3D, texture3D)
TYPED_HANDLE(TextureCube, textureCube)
TYPED_HANDLE(Texture2DArray, texture2DArray)
TYPED_HANDLE(TextureCubeArray, textureCubeArray)
TYPED_HANDLE(Texture2DMS, texture2DMS)
TYPED_HANDLE(Texture2DMSArray, texture2DMSArray)
TYPED_HANDLE(TextureBuffer, textureBuffer)
TYPED_HANDLE(ITexture2D, itexture2D)
TYPED_HANDLE(ITexture3D, itexture3D)
TYPED_HANDLE(ITextureCube, itextureCube)
TYPED_HANDLE(ITexture2DArray, itexture2DArray)
TYPED_HANDLE(ITextureCubeArray, itextureCubeArray)
TYPED_HANDLE(ITexture2DMS, itexture2DMS)
TYPED_HANDLE(ITexture2DMSArray, itexture2DMSArray)
TYPED_HANDLE(ITextureBuffer, itextureBuffer)
TYPED_HANDLE(UTexture2D, utexture2D)
TYPED_HANDLE(UTexture3D, utexture3D)
TYPED_HANDLE(UTextureCube, utextureCube)
TYPED_HANDLE(UTexture2DArray, utexture2DArray)
TYPED_HANDLE(UTextureCubeArray, utextureCubeArray)
TYPED_HANDLE(UTexture2DMS, utexture2DMS)
TYPED_HANDLE(UTexture2DMSArray, utexture2DMSArray)
TYPED_HANDLE(UTextureBuffer, utextureBuffer)
TYPED_HANDLE(Sampler, sampler)
TYPED_HANDLE(SamplerShadow, samplerShadow)
TYPED_HANDLE(Sampler2D, sampler2D)
TYPED_HANDLE(Sampler3D, sampler3D)
TYPED_HANDLE(SamplerCube, samplerCube)
TYPED_HANDLE(Sampler2DArray, sampler2DArray)
TYPED_HANDLE(SamplerCubeArray, samplerCubeArray)
TYPED_HANDLE(Sampler2DMS, sampler2DMS)
TYPED_HANDLE(Sampler2DMSArray, sampler2DMSArray)
TYPED_HANDLE(SamplerBuffer, samplerBuffer)
TYPED_HANDLE(ISampler2D, isampler2D)
TYPED_HANDLE(ISampler3D, isampler3D)
TYPED_HANDLE(ISamplerCube, isamplerCube)
TYPED_HANDLE(ISampler2DArray, isampler2DArray)
TYPED_HANDLE(ISamplerCubeArray, isamplerCubeArray)
TYPED_HANDLE(ISampler2DMS, isampler2DMS)
TYPED_HANDLE(ISampler2DMSArray, isampler2DMSArray)
TYPED_HANDLE(ISamplerBuffer, isamplerBuffer)
TYPED_HANDLE(USampler2D, usampler2D)
TYPED_HANDLE(USampler3D, usampler3D)
TYPED_HANDLE(USamplerCube, usamplerCube)
TYPED_HANDLE(USampler2DArray, usampler2DArray)
TYPED_HANDLE(USamplerCubeArray, usamplerCubeArray)
TYPED_HANDLE(USampler2DMS, usampler2DMS)
TYPED_HANDLE(USampler2DMSArray, usampler2DMSArray)
TYPED_HANDLE(USamplerBuffer, usamplerBuffer)
TYPED_HANDLE(Sampler2DShadow, sampler2DShadow)
TYPED_HANDLE(SamplerCubeShadow, samplerCubeShadow)
TYPED_HANDLE(Sampler2DArrayShadow, sampler2DArrayShadow)
TYPED_HANDLE(SamplerCubeArrayShadow, samplerCubeArrayShadow)
TYPED_HANDLE(Image2D, image2D)
TYPED_HANDLE(Image3D, image3D)
TYPED_HANDLE(ImageCube, imageCube)
TYPED_HANDLE(Image2DArray, image2DArray)
TYPED_HANDLE(ImageCubeArray, imageCubeArray)
TYPED_HANDLE(ImageBuffer, imageBuffer)
TYPED_HANDLE(IImage2D, iimage2D)
TYPED_HANDLE(IImage3D, iimage3D)
TYPED_HANDLE(IImageCube, iimageCube)
TYPED_HANDLE(IImage2DArray, iimage2DArray)
TYPED_HANDLE(IImageCubeArray, iimageCubeArray)
TYPED_HANDLE(IImageBuffer, iimageBuffer)
TYPED_HANDLE(UImage2D, uimage2D)
TYPED_HANDLE(UImage3D, uimage3D)
TYPED_HANDLE(UImageCube, uimageCube)
TYPED_HANDLE(UImage2DArray, uimage2DArray)
TYPED_HANDLE(UImageCubeArray, uimageCubeArray)
TYPED_HANDLE(UImageBuffer, uimageBuffer)

TYPED_HANDLE(Texture1D, texture1D)
TYPED_HANDLE(Texture1DArray, texture1DArray)
TYPED_HANDLE(ITexture1D, itexture1D)
TYPED_HANDLE(ITexture1DArray, itexture1DArray)
TYPED_HANDLE(UTexture1D, utexture1D)
TYPED_HANDLE(UTexture1DArray, utexture1DArray)
TYPED_HANDLE(Sampler1D, sampler1D)
TYPED_HANDLE(Sampler1DArray, sampler1DArray)
TYPED_HANDLE(ISampler1D, isampler1D)
TYPED_HANDLE(ISampler1DArray, isampler1DArray)
TYPED_HANDLE(USampler1D, usampler1D)
TYPED_HANDLE(USampler1DArray, usampler1DArray)
TYPED_HANDLE(Sampler1DShadow, sampler1DShadow)
TYPED_HANDLE(Sampler1DArrayShadow, sampler1DArrayShadow)
TYPED_HANDLE(Image1D, image1D)
TYPED_HANDLE(Image1DArray, image1DArray)
TYPED_HANDLE(Image2DMS, image2DMS)
TYPED_HANDLE(Image2DMSArray, image2DMSArray)
TYPED_HANDLE(IImage1D, iimage1D)
TYPED_HANDLE(IImage1DArray, iimage1DArray)
TYPED_HANDLE(IImage2DMS, iimage2DMS)
TYPED_HANDLE(IImage2DMSArray, iimage2DMSArray)
TYPED_HANDLE(UImage1D, uimage1D)
TYPED_HANDLE(UImage1DArray, uimage1DArray)
TYPED_HANDLE(UImage2DMS, uimage2DMS)
TYPED_HANDLE(UImage2DMSArray, uimage2DMSArray)

#ifdef DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE
TYPED_HANDLE(AccelerationStructureEXT, accelerationStructureEXT)
#endif

#endif
