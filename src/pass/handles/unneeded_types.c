/* SPDX-License-Identifier: Apache-2.0 */
/* unneeded_types: types that a pass has left unused. Vulkan and validators reject some types even if unused (SPIR-V
 * 1.6: a sampled image of a Buffer image), and pointers to buffers need a capability. */
#include "pass/handles/heaps.h"

struct cleaner {
	struct spb_unit *u;
	const struct spb_module *m;
	const uint32_t *gone;
	uint32_t *with;   /* bits over the types in question, and types that depend on them */
	uint32_t *needed; /* bits over types that are still needed, and their constants */
	SPB_LIST(uint32_t) work;
};

static void need(struct cleaner *c, uint32_t id)
{
	if (spb_bit(c->needed, id))
		return;
	spb_set_bit(c->needed, id);
	SPB_PUSH(&c->m->context->scratch, &c->work, id);
}

static bool is_type(const struct spb_module *m, spb_at at)
{
	uint32_t flags = spb_op_facts(spb_op(m, at))->flags;

	return flags & SPB_OP_HAS_RESULT && !(flags & SPB_OP_HAS_TYPE);
}

/* Pointers may be declared before their pointee, which may depend on them; a second walk finds those. */
static void find_types(struct cleaner *c)
{
	const struct spb_module *m = c->m;

	for (uint32_t id = 1; id < m->bound; id++) {
		if (spb_bit(c->with, id))
			SPB_PUSH(&m->context->scratch, &c->work, id);
	}
	while (c->work.count) {
		uint32_t id = c->work.items[--c->work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			spb_at at = m->use[i].at;
			uint32_t type = is_type(m, at) ? spb_result(m, at) : 0;
			if (!type || spb_bit(c->with, type))
				continue;
			spb_set_bit(c->with, type);
			SPB_PUSH(&m->context->scratch, &c->work, type);
		}
	}
}

static bool is_unused_constant(const struct spb_module *m, spb_at at)
{
	uint32_t id = spb_result(m, at);

	return (spb_is_constant(m, id) || spb_op(m, at) == SpvOpUndef) && m->first_use[id] == m->first_use[id + 1];
}

/* Operands that name a type in an instruction that does not declare one: OpUntypedAccessChainKHR, OpSizeOf. */
static void need_operands(struct cleaner *c, uint32_t type)
{
	const struct spb_module *m = c->m;

	for (uint32_t i = m->first_use[type]; i < m->first_use[type + 1]; i++) {
		uint32_t result = spb_result(m, m->use[i].at);
		if (!is_type(m, m->use[i].at) && spb_op(m, m->use[i].at) != SpvOpTypeForwardPointer &&
		    !(result && spb_bit(c->gone, result)))
			need(c, type);
	}
}

/* Types that are in use, and the types they depend on. Blocks of heaps are never declared by an old type alone. */
static void find_needed(struct cleaner *c, const struct spb_heaps *heaps)
{
	const struct spb_module *m = c->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (!spb_op_is(spb_op(m, at), SPB_OP_HAS_TYPE) || !spb_bit(c->with, m->words[at + 1]) ||
		    (id && spb_bit(c->gone, id)))
			continue;
		if (at >= m->section[SPB_SECTION_FUNCTION] || !is_unused_constant(m, at))
			need(c, m->words[at + 1]);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (is_type(m, at) && spb_bit(c->with, spb_result(m, at)))
			need_operands(c, spb_result(m, at));
	}
	for (uint32_t f = 0; f < m->function_count; f++)
		need(c, m->words[m->function[f].at + 4]);
	for (size_t i = 0; i < heaps->list.count; i++)
		need(c, heaps->list.items[i].element);
	while (c->work.count) {
		spb_at at = m->def[c->work.items[--c->work.count]];
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				need(c, m->words[o.word]);
		}
	}
}

/* Returns whether some are left. */
static bool remove_types(struct cleaner *c)
{
	const struct spb_module *m = c->m;
	struct spb_edit *e = &c->u->edit;
	bool left = false;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at), type = id;
		if (spb_op(m, at) == SpvOpTypeForwardPointer)
			type = m->words[at + 1];
		else if (id && !is_type(m, at))
			type = is_unused_constant(m, at) ? m->words[at + 1] : 0;
		if (!type || !spb_bit(c->with, type))
			continue;
		left |= spb_bit(c->needed, type);
		if (spb_bit(c->needed, type))
			continue;
		if (id)
			spb_remove_notes(e, id);
		spb_remove(e, at);
	}
	return left;
}

bool spb_remove_unneeded_types(const struct spb_heaps *heaps, uint32_t *types, const uint32_t *gone)
{
	struct spb_unit *u = heaps->u;
	const struct spb_module *m = &u->m;
	struct cleaner c = {.u = u, .m = m, .gone = gone, .with = types};

	c.needed = spb_bits(&m->context->scratch, m->bound);
	find_types(&c);
	find_needed(&c, heaps);
	return remove_types(&c);
}
