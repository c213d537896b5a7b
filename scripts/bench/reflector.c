/* SPDX-License-Identifier: Apache-2.0 */
/* The step "reflect" of bench_corpus: what SPIRV-Reflect does to say what is in a module, in process. */
#define SPIRV_REFLECT_USE_SYSTEM_SPIRV_H
#include <spirv_reflect.h>

void reflect(const uint32_t *words, size_t count);

void reflect(const uint32_t *words, size_t count)
{
	SpvReflectShaderModule module;

	if (spvReflectCreateShaderModule(count * sizeof *words, words, &module) == SPV_REFLECT_RESULT_SUCCESS)
		spvReflectDestroyShaderModule(&module);
}
