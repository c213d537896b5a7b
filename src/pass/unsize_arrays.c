/* SPDX-License-Identifier: Apache-2.0 */
/* unsize-arrays: arrays of descriptors that HLSL declares without a size become runtime arrays.
 *
 *     Texture2D many[] : register(t3);                   the source text in the module
 *
 *     %array = OpTypeArray %image %uint_1                %array = OpTypeRuntimeArray %image
 *     %many = OpVariable %pointer UniformConstant        %many = OpVariable %pointer UniformConstant
 *
 * glslang 12 gives such an array one element, or as many as the largest constant index requires, so a dynamic index
 * would be out of bounds. In HLSL it has no bound (docs/bindings.md), and the layout treats it as unbounded.
 *
 * Left as they are: arrays whose pointer is used by anything but access chains, where its type matters; and, with
 * --keep-array-sizes, all. */
#include "pass/pass.h"

/* Is the variable used by access chains only? */
static bool is_only_indexed(const struct spb_module *m, uint32_t variable)
{
	for (uint32_t i = m->first_use[variable]; i < m->first_use[variable + 1]; i++) {
		spb_at at = m->use[i].at;
		bool base = spb_op_facts(spb_op(m, at))->flags & SPB_OP_CHAIN && m->use[i].word == at + 3;
		if (!base && !spb_is_non_semantic(m, at))
			return false;
	}
	return true;
}

static spb_at array_of(const struct spb_module *m, uint32_t variable)
{
	spb_at pointer = m->def[m->words[m->def[variable] + 1]];

	return m->def[m->words[pointer + 3]];
}

static void note(struct spb_unit *u, const struct spb_variable *v)
{
	struct spb_arena *scratch = &u->m.context->scratch;

	spb_report(&u->m, SPB_SEVERITY_NOTE, SPB_E_UNSIZED_ARRAY, v->at,
		   "%s is declared without a size (%s), so its array of %u becomes a runtime array, which needs "
		   "runtimeDescriptorArray; --keep-array-sizes leaves it",
		   spb_label(scratch, &u->m, v->id), spb_declared_at(v, scratch), v->count);
}

void spb_find_unsized_arrays(struct spb_unit *u)
{
	struct spb_module *m = &u->m;

	for (size_t i = 0; i < u->placed.variables.count && !u->options->layout.keep_array_sizes; i++) {
		struct spb_variable *v = &u->placed.variables.items[i];
		if (!v->extra->declaration || !v->extra->declaration->unsized || !v->count || v->extra->pieces > 1)
			continue;
		spb_module_need_uses(m);
		if (spb_op(m, array_of(m, v->id)) != SpvOpTypeArray || !is_only_indexed(m, v->id))
			continue;
		note(u, v);
		v->unsized = u->placed.has_unsized = true;
		v->count = 0;
	}
}

bool spb_may_unsize_arrays(const struct spb_unit *u)
{
	return u->placed.has_unsized;
}

bool spb_pass_unsize_arrays(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	bool changed = false;

	for (size_t i = 0; i < u->placed.variables.count && u->placed.has_unsized; i++) {
		const struct spb_variable *v = &u->placed.variables.items[i];
		spb_at at = v->unsized ? m->def[v->id] : 0;
		if (!at || spb_op(m, array_of(m, v->id)) != SpvOpTypeArray) /* removed, or done */
			continue;
		uint32_t element = m->words[array_of(m, v->id) + 2], storage = m->words[at + 3];
		uint32_t array = spb_new_id(&u->edit), pointer = spb_new_id(&u->edit);
		spb_insert(&u->edit, at, SpvOpTypeRuntimeArray, W(array, element));
		spb_insert(&u->edit, at, SpvOpTypePointer, W(pointer, storage, array));
		spb_patch(&u->edit, at + 1, pointer);
		changed = true;
	}
	if (!changed)
		return false;
	spb_add_capability(&u->edit, SpvCapabilityRuntimeDescriptorArray);
	if (m->words[1] < 0x10500)
		spb_add_extension(&u->edit, "SPV_EXT_descriptor_indexing");
	return true;
}
