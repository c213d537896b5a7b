/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: removes what a pass has left unused. Vulkan and validators reject some types even if nothing uses them (SPIR-V
 * 1.6: a sampled image of a Buffer image), and pointers to buffers need a capability. */
#include "ir/ir.h"

void spb_remove_id(struct spb_edit *e, uint32_t id)
{
	spb_remove_notes(e, id);
	spb_remove(e, e->m->def[id]);
}

void spb_remove_function(struct spb_edit *e, const struct spb_function *f)
{
	const struct spb_module *m = e->m;

	for (spb_at at = f->at; at <= f->end; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (id)
			spb_remove_notes(e, id);
		spb_remove(e, at);
	}
}

/* Values */

struct spb_losses spb_losses_begin(struct spb_edit *e)
{
	uint32_t bound = e->m->bound;

	return (struct spb_losses){
	    .e = e, .balance = spb_alloc_zeroed(e->arena, bound, sizeof(int32_t)), .gone = spb_bits(e->arena, bound)};
}

void spb_lose_use(struct spb_losses *l, uint32_t id)
{
	l->balance[id]--;
	SPB_PUSH(l->e->arena, &l->lost, id);
}

void spb_sweep_values(struct spb_losses *l, bool (*may_go)(const void *pass, spb_at at), const void *pass)
{
	const struct spb_module *m = l->e->m;

	while (l->lost.count) {
		uint32_t id = l->lost.items[--l->lost.count];
		int32_t uses = (int32_t)(m->first_use[id + 1] - m->first_use[id]) + l->balance[id];
		if (uses || spb_bit(l->gone, id) || !may_go(pass, m->def[id]))
			continue;
		spb_set_bit(l->gone, id);
		for (struct spb_operand o = spb_operands(m, m->def[id]); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				spb_lose_use(l, m->words[o.word]);
		}
		spb_remove_id(l->e, id);
	}
}

/* Types */

struct sweep {
	struct spb_edit *e;
	const struct spb_module *m;
	const uint32_t *gone;
	uint32_t *types;  /* bits over the candidate types and the types that depend on them */
	uint32_t *needed; /* bits over the types and constants that are still needed */
	SPB_LIST(uint32_t) work;
};

static void need(struct sweep *s, uint32_t id)
{
	if (spb_bit(s->needed, id))
		return;
	spb_set_bit(s->needed, id);
	SPB_PUSH(s->e->arena, &s->work, id);
}

static bool is_type(const struct spb_module *m, spb_at at)
{
	uint32_t flags = spb_op_facts(spb_op(m, at))->flags;

	return flags & SPB_OP_HAS_RESULT && !(flags & SPB_OP_HAS_TYPE);
}

/* Pointers may be declared before their pointee, which may depend on them. */
static void find_dependent_types(struct sweep *s)
{
	const struct spb_module *m = s->m;

	for (uint32_t id = 1; id < m->bound; id++) {
		if (spb_bit(s->types, id))
			SPB_PUSH(s->e->arena, &s->work, id);
	}
	while (s->work.count) {
		uint32_t id = s->work.items[--s->work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			spb_at at = m->use[i].at;
			uint32_t type = is_type(m, at) ? spb_result(m, at) : 0;
			if (!type || spb_bit(s->types, type))
				continue;
			spb_set_bit(s->types, type);
			SPB_PUSH(s->e->arena, &s->work, type);
		}
	}
}

static bool is_unused_constant(const struct spb_module *m, spb_at at)
{
	uint32_t id = spb_result(m, at);

	return (spb_is_constant(m, id) || spb_op(m, at) == SpvOpUndef) && m->first_use[id] == m->first_use[id + 1];
}

/* Does an instruction that stays, and does not declare a type, name the type other than as its result type
 * (OpUntypedAccessChainKHR, OpSizeOf)? */
static bool is_named(const struct sweep *s, uint32_t type)
{
	const struct spb_module *m = s->m;

	for (uint32_t i = m->first_use[type]; i < m->first_use[type + 1]; i++) {
		uint32_t result = spb_result(m, m->use[i].at);
		if (!is_type(m, m->use[i].at) && spb_op(m, m->use[i].at) != SpvOpTypeForwardPointer &&
		    !(result && spb_bit(s->gone, result)))
			return true;
	}
	return false;
}

/* Marks the types that are in use, and the types they depend on. */
static void find_needed(struct sweep *s)
{
	const struct spb_module *m = s->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (!spb_op_is(spb_op(m, at), SPB_OP_HAS_TYPE) || !spb_bit(s->types, m->words[at + 1]) ||
		    (id && spb_bit(s->gone, id)))
			continue;
		if (at >= m->section[SPB_SECTION_FUNCTION] || !is_unused_constant(m, at))
			need(s, m->words[at + 1]);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (is_type(m, at) && spb_bit(s->types, spb_result(m, at)) && is_named(s, spb_result(m, at)))
			need(s, spb_result(m, at));
	}
	for (uint32_t f = 0; f < m->function_count; f++)
		need(s, m->words[m->function[f].at + 4]);
	while (s->work.count) {
		spb_at at = m->def[s->work.items[--s->work.count]];
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				need(s, m->words[o.word]);
		}
	}
}

static bool remove_types(struct sweep *s)
{
	const struct spb_module *m = s->m;
	bool left = false;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at), type = id;
		if (spb_op(m, at) == SpvOpTypeForwardPointer)
			type = m->words[at + 1];
		else if (id && !is_type(m, at))
			type = is_unused_constant(m, at) ? m->words[at + 1] : 0;
		if (!type || !spb_bit(s->types, type))
			continue;
		left |= spb_bit(s->needed, type);
		if (spb_bit(s->needed, type))
			continue;
		if (id)
			spb_remove_notes(s->e, id);
		spb_remove(s->e, at);
	}
	return left;
}

bool spb_sweep_types(struct spb_edit *e, uint32_t *types, const uint32_t *gone, const uint32_t *kept, size_t count)
{
	struct sweep s = {.e = e, .m = e->m, .gone = gone, .types = types};

	s.needed = spb_bits(e->arena, e->m->bound);
	find_dependent_types(&s);
	for (size_t i = 0; i < count; i++)
		need(&s, kept[i]);
	find_needed(&s);
	return remove_types(&s);
}
