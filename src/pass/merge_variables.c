/* SPDX-License-Identifier: Apache-2.0 */
/* merge_variables: which variables a function can bring along, and which of them the target has.
 *
 * A resource of the same name (a block: of the same type name) and type is the same resource: it has the set and the
 * binding that either module says. Push constants: a stage has one block, so it must be of the same type. A built-in
 * input is that of the target. Private and Workgroup variables are new ones. */
#include "pass/merge.h"

static uint32_t class_of(const struct spb_module *m, spb_at at)
{
	return m->words[at + 3];
}

void spb_check_merged_variable(const struct spb_merge *g, spb_at at)
{
	const struct spb_module *m = g->from;
	uint32_t class = class_of(m, at), id = m->words[at + 2];

	switch (class) {
	case SpvStorageClassUniformConstant:
	case SpvStorageClassUniform:
	case SpvStorageClassStorageBuffer:
	case SpvStorageClassPushConstant:
	case SpvStorageClassPrivate:
	case SpvStorageClassWorkgroup:
		return;
	case SpvStorageClassInput:
		if (spb_decoration(m, id, SpvDecorationBuiltIn))
			return;
		break;
	default:
		break;
	}
	spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_GLOBAL, at,
		 "%s is of storage class %s, which a resolver cannot bring into a module; it may use resources, push "
		 "constants, built-in inputs and variables of its own",
		 spb_label(&m->context->scratch, m, id), spb_storage_class_name(class));
}

static bool is_auto_binding(const spb_options *o, const struct spb_module *m, uint32_t id)
{
	uint32_t word = spb_decoration(m, id, SpvDecorationBinding);

	return word && o->has_auto_binding && m->words[word] == o->auto_binding;
}

/* The number that a decoration gives; false: none, or one that counts as missing. So does the set beside such a
 * binding: GLSL gives one to every resource, 0 if the author gives none. */
static bool number(const struct spb_merged *merged, const struct spb_module *m, uint32_t id, uint32_t decoration,
		   uint32_t *value)
{
	const spb_options *o = spb_merged_unit(merged)->options;
	uint32_t word = spb_decoration(m, id, decoration);

	if (!word || is_auto_binding(o, m, id))
		return false;
	*value = m->words[word];
	if (decoration == SpvDecorationDescriptorSet && o->has_auto_set && *value == o->auto_set)
		return false;
	return *value < SPB_MERGED_NEW - 1;
}

static const uint32_t places[] = {SpvDecorationDescriptorSet, SpvDecorationBinding};

void spb_merged_claim_variable(struct spb_merged *merged, const struct spb_module *m, spb_at at, uint32_t id)
{
	uint32_t value;

	if (class_of(m, at) == SpvStorageClassPushConstant)
		spb_merged_claim(merged, UINT32_MAX, SpvStorageClassPushConstant, id);
	for (size_t i = 0; i < SPB_COUNT(places); i++) {
		if (number(merged, m, m->words[at + 2], places[i], &value))
			spb_merged_claim(merged, places[i], id, value + 1);
	}
}

static void join_place(struct spb_merge *g, spb_at at, uint32_t to, uint32_t decoration)
{
	const struct spb_module *m = g->from;
	struct spb_edit *e = &g->u->edit;
	uint32_t id = m->words[at + 2], value, there, word;

	if (!number(g->merged, m, id, decoration, &value))
		return;
	there = spb_merged_claim(g->merged, decoration, to, 0);
	if (there && there != value + 1)
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_GLOBAL, at,
			 "%s has %s %u here, and %u where it is in %s, too; give it the same or none",
			 spb_label(&m->context->scratch, m, id),
			 decoration == SpvDecorationBinding ? "the binding" : "the descriptor set", value, there - 1,
			 g->u->m.name);
	if (there)
		return;
	spb_merged_claim(g->merged, decoration, to, value + 1);
	word = to < e->m->bound ? spb_decoration(e->m, to, decoration) : 0;
	if (word)
		spb_patch(e, word, value);
	else
		spb_add_decoration(e, to, decoration, &value, 1);
}

void spb_join_merged_variable(struct spb_merge *g, spb_at at, uint32_t to, bool is_new)
{
	const struct spb_module *m = g->from;
	uint32_t id = m->words[at + 2];

	if (class_of(m, at) == SpvStorageClassPushConstant &&
	    spb_merged_claim(g->merged, UINT32_MAX, SpvStorageClassPushConstant, to) != to && is_new)
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_GLOBAL, at,
			 "%s is a push constant block, and %s has another one; a stage has one, so declare the same "
			 "block in both, or use a buffer",
			 spb_label(&m->context->scratch, m, id), g->u->m.name);
	if (is_new)
		spb_merged_claim_variable(g->merged, m, at, to);
	for (size_t i = 0; i < SPB_COUNT(places) && !is_new; i++)
		join_place(g, at, to, places[i]);
}
