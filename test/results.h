/* SPDX-License-Identifier: Apache-2.0 */
/* An entry of a program's list of modules. Include it after the headers that cmocka.h needs. */
#ifndef TEST_RESULTS_H
#define TEST_RESULTS_H

#include "spirv-bind/spirv_bind.h"

/* All zero before a successful bind, and if there is no such module. */
static inline spb_module_info info_of(spb_program *program, size_t module)
{
	const spb_module_info *modules;
	size_t count = spb_program_modules(program, sizeof *modules, &modules);

	return module < count ? modules[module] : (spb_module_info){.name = ""};
}

static inline bool is_changed(spb_program *program, size_t module)
{
	return info_of(program, module).changed;
}

#endif
