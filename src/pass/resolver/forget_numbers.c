/* SPDX-License-Identifier: Apache-2.0 */
/* forget-numbers: removes the bindings, and sets, that a compiler made up for the resources of a resolver.
 *
 *     readonly buffer Pages { uint page[]; };         glslangValidator --auto-map-bindings: Binding 0
 *
 * They have no meaning in the modules that the resolver is merged into, where the layout numbers its resources. */
#include "pass/resolver/resolver.h"

bool spb_pass_forget_numbers(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct spb_arena *scratch = &m->context->scratch;
	struct spb_variables variables = spb_collect_any_shape(m, scratch);
	const struct spb_source_text text = spb_read_source(u->options, m, &variables, &m->keep, scratch);
	bool changed = false;

	if (!text.auto_mapped || text.fault)
		return false;
	spb_find_numbers(m, &text, &variables);
	for (size_t i = 0; i < variables.count; i++) {
		const struct spb_variable *v = &variables.items[i];
		const uint32_t word = v->unnumbered ? spb_decoration(m, v->id, SpvDecorationBinding) : 0;
		if (!word)
			continue;
		const uint32_t set = spb_decoration(m, v->id, SpvDecorationDescriptorSet);
		spb_remove(&u->edit, word - 3);
		if (set && !spb_has_authored_set(u->options, v))
			spb_remove(&u->edit, set - 3);
		changed = true;
	}
	return changed;
}
