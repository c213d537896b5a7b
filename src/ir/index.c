/* SPDX-License-Identifier: Apache-2.0 */
/* index: definitions, sections, functions, notes and uses of words that are known to be valid. */
#include "ir/index.h"

static int by_decoration(const void *a, const void *b)
{
	const struct spb_decorated *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->decoration > y->decoration) - (x->decoration < y->decoration);
}

/* The arena of the index: an index made after a pass lies in the same arena as its words. */
struct spb_arena *spb_arena_of_index(struct spb_module *m)
{
	return m->shared && !m->run ? &m->shared->arena : &m->gen[m->current];
}

/* Makes decoration queries faster than a walk over all notes of a block with thousands of members. */
static void index_decorations(struct spb_module *m)
{
	struct spb_arena *arena = spb_arena_of_index(m);
	SPB_LIST(struct spb_decorated) list = {0};

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		uint32_t id = spb_op(m, at) == SpvOpDecorate ? m->words[at + 1] : 0;
		if (id && m->first_note[id + 1] - m->first_note[id] > SPB_MANY_NOTES)
			SPB_PUSH(arena, &list, ((struct spb_decorated){id, m->words[at + 2], at}));
	}
	spb_sort(arena, list.items, list.count, sizeof *list.items, by_decoration);
	m->decorated = list.items;
	m->decorated_count = (uint32_t)list.count;
}

/* On entry, count[id + 2] is the number of entries of an id; afterwards, first[id + 1] is where its run begins. A
 * caller that fills in entries with first[id + 1]++ thereby turns first[id] into the beginning of the run. Returns
 * the total. */
static uint32_t sum_up(uint32_t *first, uint32_t bound)
{
	uint32_t sum = 0;

	for (uint32_t i = 2; i < bound + 2; i++)
		first[i] = sum += first[i];
	return sum;
}

/* Is the id in word 1 its only id? */
static inline bool names_one_id(const uint32_t *w)
{
	const uint32_t op = *w & 0xFFFF, tail = spb_tail_of_note(op);

	return tail && (op == SpvOpName || op == SpvOpMemberName || spb_literals_after(w[tail]) >= 0);
}

void spb_index_notes(struct spb_module *m)
{
	uint32_t *const first = m->first_note, total = sum_up(first, m->bound);
	const uint32_t *const words = m->words;
	struct spb_use *note = spb_alloc_array(spb_arena_of_index(m), total, sizeof *note);
	struct spb_operand o;
	struct spb_ids i;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT], end = m->section[SPB_SECTION_GLOBAL], length; at < end;
	     at += length) {
		const uint32_t *w = words + at;
		length = *w >> 16;
		if (names_one_id(w)) {
			note[first[w[1] + 1]++] = (struct spb_use){at, at + 1};
			continue;
		}
		if (!spb_has_notes(spb_op_facts(*w & 0xFFFF)->section))
			continue;
		for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);)
			note[first[words[i.word] + 1]++] = (struct spb_use){at, i.word};
	}
	m->note = note;
	index_decorations(m);
}

/* Uses from the GLOBAL section on, except as result types, since no one queries the values of a type. */
static void index_uses(struct spb_module *m)
{
	struct spb_arena *arena = &m->gen[m->current];
	uint32_t *first_use = spb_alloc_zeroed(arena, m->bound + 2, sizeof *first_use);
	struct spb_operand o;
	struct spb_ids i;

	for (int fill = 0; fill < 2; fill++) {
		for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
			for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
				if (fill)
					m->use[first_use[m->words[i.word] + 1]++] = (struct spb_use){at, i.word};
				else
					first_use[m->words[i.word] + 2]++;
			}
		}
		if (!fill)
			m->use = spb_alloc_array(arena, sum_up(first_use, m->bound), sizeof *m->use);
	}
	m->first_use = first_use;
}

void spb_module_need_uses(struct spb_module *m)
{
	spb_module_need_index(m);
	if (!m->first_use)
		index_uses(m);
}

void spb_module_drop_index(struct spb_module *m)
{
	m->indexed = false;
	m->def = NULL;
	m->first_note = m->first_use = NULL;
	m->late_names = NULL;
	m->note = m->use = NULL;
	m->decorated = NULL;
	m->function = NULL;
	m->call = m->variable = NULL;
	m->decorated_count = m->function_count = m->call_count = m->variable_count = 0;
}

void spb_module_leave_shared(struct spb_module *m)
{
	if (!m->shared)
		return;
	if (m->indexed && !m->run)
		spb_module_drop_index(m);
	m->known = NULL;
	m->known_bound = 0;
	if (!--m->shared->modules)
		spb_arena_release(&m->shared->arena);
	m->shared = NULL;
}

void spb_begin_index(struct spb_module *m)
{
	struct spb_arena *arena = spb_arena_of_index(m);

	m->def = spb_alloc_zeroed(arena, 2 * (size_t)m->bound + 2, sizeof *m->def);
	m->first_note = m->def + m->bound;
	m->late_names = spb_alloc_zeroed(arena, 1, sizeof *m->late_names);
	m->late_names->arena = arena;
}

/* Indexes definitions, sections and functions of words that are known to be valid. */
void spb_module_need_index(struct spb_module *m)
{
	if (m->indexed)
		return;
	int section = -1;
	spb_at lines = 0;
	struct spb_arena *arena = spb_arena_of_index(m);
	SPB_LIST(struct spb_function) functions = {0};
	SPB_LIST(spb_at) calls = {0};
	SPB_LIST(spb_at) variables = {0};
	struct spb_operand o;
	struct spb_ids i;

	m->has = SPB_HAS_ANYTHING;
	m->bound = m->words[3];
	spb_begin_index(m);
	for (spb_at at = 5; at < m->count; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		const struct spb_op_facts *facts = spb_op_facts(op);
		uint32_t flags = facts->flags;
		if (flags & SPB_OP_HAS_RESULT)
			m->def[m->words[at + (flags & SPB_OP_HAS_TYPE ? 2 : 1)]] = at;
		if (section < SPB_SECTION_FUNCTION) {
			spb_at begin = spb_begin_of_lines(&lines, at, flags);
			while (section < facts->section)
				m->section[++section] = begin;
			if (spb_has_notes(facts->section)) {
				for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);)
					m->first_note[m->words[i.word] + 2]++;
			}
		}
		if (section < SPB_SECTION_FUNCTION && spb_declares_resource(m->words + at))
			SPB_PUSH(arena, &variables, at);
		if (op == SpvOpFunctionCall)
			SPB_PUSH(arena, &calls, at);
		if (op == SpvOpFunction)
			SPB_PUSH(arena, &functions, (struct spb_function){.at = at});
		else if (op == SpvOpFunctionEnd)
			spb_end_function(&functions.items[functions.count - 1], at);
		else if (op == SpvOpLabel && !functions.items[functions.count - 1].body)
			functions.items[functions.count - 1].body = at;
	}
	while (section < SPB_SECTION_COUNT)
		m->section[++section] = m->count;
	m->function = functions.items;
	m->function_count = (uint32_t)functions.count;
	m->call = calls.items;
	m->call_count = (uint32_t)calls.count;
	m->variable = variables.items;
	m->variable_count = (uint32_t)variables.count;
	spb_index_notes(m);
	m->indexed = true;
}
