/* SPDX-License-Identifier: Apache-2.0 */
/* A step before SDL_ShaderCross_CompileGraphicsShaderFromSPIRV and similar functions: SDL_GPU requires particular sets
 * for each kind of resource (see SDL_CreateGPUShader), which the profile sdl3gpu assigns. */
#ifndef SHADERCROSS_BIND_H
#define SHADERCROSS_BIND_H

#include <SDL3_shadercross/SDL_shadercross.h>
#include <spirv-bind/plugin.h>

/* Returns the shader with the sets that SDL_GPU requires, or NULL after passing the reason to host->message. Put it and
 * *size into `bytecode` and `bytecode_size` of the info, and free it with free() afterwards. */
void *shadercross_bind(const spb_plugin *plugin, const spb_plugin_host *host, const SDL_ShaderCross_SPIRV_Info *info,
		       size_t *size);

#endif
