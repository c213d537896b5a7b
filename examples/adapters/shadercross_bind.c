/* SPDX-License-Identifier: Apache-2.0 */
#include "shadercross_bind.h"

#include <stdlib.h>
#include <string.h>

static spb_status bind(const spb_plugin *p, spb_job *job, const SDL_ShaderCross_SPIRV_Info *info)
{
	size_t count = info->bytecode_size / sizeof(uint32_t);
	uint32_t *words = malloc(info->bytecode_size + 1); /* bytecode need not be aligned */
	spb_status status = words ? SPB_OK : SPB_ERROR_OUT_OF_MEMORY;

	if (words)
		memcpy(words, info->bytecode, count * sizeof *words);
	if (status == SPB_OK)
		status = p->set(job, "profile", "sdl3gpu");
	if (status == SPB_OK)
		status = p->set(job, "rebind", "all,sets");
	if (status == SPB_OK && info->entrypoint)
		status = p->set(job, "entry", info->entrypoint);
	if (status == SPB_OK)
		status = p->add(job, "shader", words, count, 0);
	free(words);
	return status == SPB_OK ? p->run(job) : status;
}

void *shadercross_bind(const spb_plugin *plugin, const spb_plugin_host *host, const SDL_ShaderCross_SPIRV_Info *info,
		       size_t *size)
{
	void *result = NULL;
	spb_job *job;

	if (plugin->create(host, &job) != SPB_OK)
		return NULL;
	if (bind(plugin, job, info) == SPB_OK) {
		size_t count;
		const uint32_t *words = plugin->module(job, 0, &count);
		*size = count * sizeof *words;
		result = malloc(*size);
		if (result)
			memcpy(result, words, *size);
	}
	plugin->destroy(job);
	return result;
}
