/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for SDL_shadercross' header, so that the adapter compiles without it: the part that it uses. With
 * SDL_shadercross, leave this folder out of the include path. */
#ifndef SDL_SHADERCROSS_STAND_IN_H
#define SDL_SHADERCROSS_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t Uint8;
typedef uint32_t SDL_PropertiesID;

typedef enum SDL_ShaderCross_ShaderStage {
	SDL_SHADERCROSS_SHADERSTAGE_VERTEX,
	SDL_SHADERCROSS_SHADERSTAGE_FRAGMENT,
	SDL_SHADERCROSS_SHADERSTAGE_COMPUTE
} SDL_ShaderCross_ShaderStage;

typedef struct SDL_ShaderCross_SPIRV_Info {
	const Uint8 *bytecode;
	size_t bytecode_size;
	const char *entrypoint;
	SDL_ShaderCross_ShaderStage shader_stage;
	SDL_PropertiesID props;
} SDL_ShaderCross_SPIRV_Info;

#endif
