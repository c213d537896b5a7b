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

void spb_lose_operands(struct spb_losses *l, spb_at at)
{
	const struct spb_module *m = l->e->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID)
			spb_lose_use(l, m->words[o.word]);
	}
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
		spb_lose_operands(l, m->def[id]);
		spb_remove_id(l->e, id);
	}
}

/* Globals */

struct sweep {
	struct spb_edit *e;
	const struct spb_module *m;
	const uint32_t *gone;
	const uint32_t *candidates; /* bits over ids */
	uint32_t *needed;           /* bits over those of them that are still needed, and what they name */
	SPB_LIST(uint32_t) work;
};

static void need(struct sweep *s, uint32_t id)
{
	if (spb_bit(s->needed, id))
		return;
	spb_set_bit(s->needed, id);
	SPB_PUSH(s->e->arena, &s->work, id);
}

/* Does the instruction stay whatever the candidates are? */
static bool stays(const struct sweep *s, spb_at at)
{
	uint32_t id = spb_result(s->m, at);

	return spb_op(s->m, at) != SpvOpTypeForwardPointer &&
	       !(id && (spb_bit(s->gone, id) || spb_bit(s->candidates, id)));
}

/* Does an instruction that stays name it, other than as its result type? */
static bool is_named(const struct sweep *s, uint32_t id)
{
	const struct spb_module *m = s->m;
	bool named = false;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1] && !named; i++)
		named = stays(s, m->use[i].at);
	return named;
}

uint32_t *spb_find_needed(struct spb_edit *e, const uint32_t *candidates, const uint32_t *gone, const uint32_t *kept,
			  size_t count)
{
	const struct spb_module *m = e->m;
	struct sweep s = {.e = e, .m = m, .gone = gone, .candidates = candidates};

	s.needed = spb_bits(e->arena, m->bound);
	for (size_t i = 0; i < count; i++)
		need(&s, kept[i]);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		uint32_t id = at < m->section[SPB_SECTION_FUNCTION] ? spb_result(m, at) : 0;
		if (spb_op_is(spb_op(m, at), SPB_OP_HAS_TYPE) && spb_bit(candidates, m->words[at + 1]) && stays(&s, at))
			need(&s, m->words[at + 1]);
		if (id && spb_bit(candidates, id) && is_named(&s, id))
			need(&s, id);
	}
	while (s.work.count) {
		spb_at at = m->def[s.work.items[--s.work.count]];
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID || o.kind == SPB_KIND_TYPE)
				need(&s, m->words[o.word]);
		}
	}
	return s.needed;
}

/* Types */

static bool is_type(const struct spb_module *m, spb_at at)
{
	uint32_t flags = spb_op_facts(spb_op(m, at))->flags;

	return flags & SPB_OP_HAS_RESULT && !(flags & SPB_OP_HAS_TYPE);
}

/* Pointers may be declared before their pointee, which may depend on them. */
static void add_dependent_types(struct spb_edit *e, uint32_t *types)
{
	const struct spb_module *m = e->m;
	SPB_LIST(uint32_t) work = {0};

	for (uint32_t id = 1; id < m->bound; id++) {
		if (spb_bit(types, id))
			SPB_PUSH(e->arena, &work, id);
	}
	while (work.count) {
		uint32_t id = work.items[--work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			spb_at at = m->use[i].at;
			uint32_t type = is_type(m, at) ? spb_result(m, at) : 0;
			if (!type || spb_bit(types, type))
				continue;
			spb_set_bit(types, type);
			SPB_PUSH(e->arena, &work, type);
		}
	}
}

static bool is_unused_constant(const struct spb_module *m, spb_at at)
{
	uint32_t id = spb_result(m, at);

	return (spb_is_constant(m, id) || spb_op(m, at) == SpvOpUndef) && m->first_use[id] == m->first_use[id + 1];
}

/* The type with which a global goes: itself, that of a forward pointer, or that of an unused constant; else 0. */
static uint32_t goes_with(const struct spb_module *m, spb_at at)
{
	if (spb_op(m, at) == SpvOpTypeForwardPointer)
		return m->words[at + 1];
	if (is_type(m, at))
		return spb_result(m, at);
	return spb_result(m, at) && is_unused_constant(m, at) ? m->words[at + 1] : 0;
}

bool spb_sweep_types(struct spb_edit *e, uint32_t *types, const uint32_t *gone, const uint32_t *kept, size_t count)
{
	const struct spb_module *m = e->m;
	const spb_at first = m->section[SPB_SECTION_GLOBAL], end = m->section[SPB_SECTION_FUNCTION];
	uint32_t *candidates = spb_bits(e->arena, m->bound), *needed;
	bool left = false;

	add_dependent_types(e, types);
	for (spb_at at = first; at < end; at = spb_next(m, at)) {
		if (spb_result(m, at) && spb_bit(types, goes_with(m, at)))
			spb_set_bit(candidates, spb_result(m, at));
	}
	needed = spb_find_needed(e, candidates, gone, kept, count);
	for (spb_at at = first; at < end; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at), type = goes_with(m, at);
		if (!spb_bit(types, type))
			continue;
		left |= spb_bit(needed, type);
		if (spb_bit(needed, type))
			continue;
		if (id)
			spb_remove_notes(e, id);
		spb_remove(e, at);
	}
	return left;
}
