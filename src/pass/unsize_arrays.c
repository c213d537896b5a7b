/* SPDX-License-Identifier: Apache-2.0 */
/* unsize-arrays: arrays of descriptors that HLSL declares without a size become runtime arrays.
 *
 *     Texture2D many[] : register(t3);                   the source text in the module
 *
 *     %array = OpTypeArray %image %uint_1                %array = OpTypeRuntimeArray %image
 *     %many = OpVariable %pointer UniformConstant        %many = OpVariable %pointer UniformConstant
 *
 * glslang 12 gives such an array one element, or as many as the largest constant index requires, so a dynamic index
 * would be out of bounds. In HLSL it has no bound (docs/bindings.md). All later passes see the runtime array: a guard
 * that one of them puts before an index must not take glslang's length for the true one.
 *
 * Left as they are: arrays whose pointer is used by anything but access chains, where its type matters; and, with
 * option unsized=keep, all. */
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

static bool is_sized_array(const struct spb_module *m, const struct spb_variable *v)
{
	return spb_def_op(m, v->id) == SpvOpVariable && spb_op(m, array_of(m, v->id)) == SpvOpTypeArray;
}

/* Finds the variables whose arrays become runtime arrays, by the source text of HLSL from glslang. */
static void find_unsized(struct spb_unit *u, struct spb_variables *variables)
{
	struct spb_arena *scratch = &u->m.context->scratch;
	size_t n = 0;

	spb_module_need_uses(&u->m);
	spb_read_parts(&u->m, variables, &u->m.keep);
	const struct spb_source_text text = spb_read_source(u->options, &u->m, variables, &u->m.keep, scratch);
	for (size_t i = 0; i < variables->count && spb_is_text_decisive(&u->m, &text); i++) {
		const struct spb_variable *v = &variables->items[i];
		if (v->extra->declaration && v->extra->declaration->unsized && !v->extra->origin &&
		    is_sized_array(&u->m, v) && is_only_indexed(&u->m, v->id))
			variables->items[n++] = *v;
	}
	variables->count = n;
}

static void note(struct spb_unit *u, const struct spb_variable *v)
{
	struct spb_arena *scratch = &u->m.context->scratch;

	spb_report(&u->m, SPB_SEVERITY_NOTE, SPB_E_UNSIZED_ARRAY, v->at,
		   "%s is declared without a size, so its array of %u becomes a runtime array, which needs "
		   "runtimeDescriptorArray",
		   spb_label(scratch, &u->m, v->id), v->count);
}

bool spb_may_unsize_arrays(const struct spb_unit *u)
{
	return !u->options->layout.keep_array_sizes && u->m.has & SPB_HAS_DESCRIPTOR_ARRAYS &&
	       spb_is_hlsl_by_glslang(&u->m);
}

bool spb_pass_unsize_arrays(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	struct spb_variables variables;
	bool any = false;

	if (!spb_may_unsize_arrays(u))
		return false;
	variables = spb_collect_any_shape(m, &u->m.context->scratch);
	for (size_t i = 0; i < variables.count; i++)
		any |= is_sized_array(m, &variables.items[i]);
	if (!any)
		return false; /* without reading the text */
	find_unsized(u, &variables);
	for (size_t i = 0; i < variables.count; i++) {
		const struct spb_variable *v = &variables.items[i];
		spb_at at = m->def[v->id];
		uint32_t element = m->words[array_of(m, v->id) + 2], storage = m->words[at + 3];
		uint32_t array = spb_new_id(&u->edit), pointer = spb_new_id(&u->edit);
		note(u, v);
		spb_insert(&u->edit, at, SpvOpTypeRuntimeArray, W(array, element));
		spb_insert(&u->edit, at, SpvOpTypePointer, W(pointer, storage, array));
		spb_patch(&u->edit, at + 1, pointer);
	}
	if (!variables.count)
		return false;
	spb_add_capability(&u->edit, SpvCapabilityRuntimeDescriptorArray);
	if (m->words[1] < 0x10500)
		spb_add_extension(&u->edit, "SPV_EXT_descriptor_indexing");
	return true;
}
