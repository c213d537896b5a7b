/* SPDX-License-Identifier: Apache-2.0 */
/* declare-runtime-arrays: declares the capability that an array of descriptors without a size needs.
 *
 *     %array = OpTypeRuntimeArray %image                 OpCapability RuntimeDescriptorArray
 *     %many = OpVariable %pointer UniformConstant
 *
 * SPIR-V 3.2.30, "Capability": RuntimeDescriptorArray "uses arrays of resources which are sized at run-time". Vulkan
 * rejects the variable without it (VUID-StandaloneSpirv-OpTypeRuntimeArray-04680), and naga does not declare it for a
 * binding_array of WGSL that has no size. The last member of a block needs no capability, so only variables are
 * examined. */
#include "pass/pass.h"

/* Removed variables, and untyped ones, do not count. */
static bool is_runtime_array(const struct spb_module *m, uint32_t variable)
{
	if (spb_def_op(m, variable) != SpvOpVariable)
		return false;
	spb_at pointer = m->def[spb_type_of(m, variable)];
	return spb_op(m, pointer) == SpvOpTypePointer && spb_def_op(m, m->words[pointer + 3]) == SpvOpTypeRuntimeArray;
}

bool spb_may_lack_runtime_arrays(const struct spb_unit *u)
{
	size_t i = 0;

	while (i < u->placed.variables.count && u->placed.variables.items[i].count)
		i++;
	return i < u->placed.variables.count && u->m.has & SPB_HAS_DESCRIPTOR_ARRAYS &&
	       !spb_has_capability(&u->m, SpvCapabilityRuntimeDescriptorArray);
}

static void note(struct spb_unit *u, uint32_t variable)
{
	spb_report(&u->m, SPB_SEVERITY_NOTE, SPB_E_UNDECLARED_ARRAY, u->m.def[variable],
		   "%s is an array without a size, so the capability RuntimeDescriptorArray is added",
		   spb_label(&u->m.context->scratch, &u->m, variable));
}

bool spb_pass_declare_runtime_arrays(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	size_t i = 0;

	while (i < u->placed.variables.count && !is_runtime_array(m, u->placed.variables.items[i].id))
		i++;
	bool lacks = i < u->placed.variables.count && !spb_has_capability(m, SpvCapabilityRuntimeDescriptorArray);
	if (lacks) {
		note(u, u->placed.variables.items[i].id);
		spb_add_capability(&u->edit, SpvCapabilityRuntimeDescriptorArray);
		if (spb_version_word(m) < 0x00010500)
			spb_add_extension(&u->edit, "SPV_EXT_descriptor_indexing");
	}
	return lacks;
}
