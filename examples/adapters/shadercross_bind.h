/* SPDX-License-Identifier: Apache-2.0 */
/* A step before SDL_ShaderCross_CompileGraphicsShaderFromSPIRV and its like: SDL_GPU demands certain sets for each kind
 * of resource (see SDL_CreateGPUShader), which the profile sdl3gpu assigns. */
#ifndef SHADERCROSS_BIND_H
#define SHADERCROSS_BIND_H

#include <SDL3_shadercross/SDL_shadercross.h>
#include <spirv-bind/plugin.h>

/* The shader as SDL_GPU wants it. NULL after the reason has been given to host->message. The result is to be freed with
 * free(); info->bytecode is its contents when it replaces those of `info`. */
void *shadercross_bind(const spb_plugin *plugin, const spb_plugin_host *host, const SDL_ShaderCross_SPIRV_Info *info,
		       size_t *size);

#endif
