/* SPDX-License-Identifier: Apache-2.0 */
/* order: the order in which the source declares the resources.
 *
 * Stock glslang writes OpVariable in the order of first use in function bodies, so editing a body would move bindings.
 * The order of declaration is recovered
 *   1. from the source text in the module (OpSource, DebugSource), see source.c;
 *   2. otherwise from DebugGlobalVariable, if all variables have different lines in the same file. glslang 12.0
 *      gives a variable the line of its first use, so the text takes precedence;
 *   3. otherwise it is the order of OpVariable, and the caller reports that. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "analysis/source/source.h"

enum { GLSLANG = 8 };

static int by_rank(const void *a, const void *b)
{
	const struct spb_variable *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_key(const void *a, const void *b)
{
	const struct spb_variable *x = a, *y = b;

	const char *name = x->part_of ? x->part_of : x->declared;
	int order = strcmp(name, y->part_of ? y->part_of : y->declared);

	if (!order && !*name) /* Parts without a name are not known as parts by the next run. */
		return 0;
	if (!order)
		order = (x->origin > y->origin) - (x->origin < y->origin);
	return order ? order : (x->piece > y->piece) - (x->piece < y->piece);
}

static uint32_t constant(const struct spb_module *m, uint32_t id)
{
	uint64_t value;

	return spb_constant_value(m, id, &value) ? (uint32_t)value : 0;
}

/* This module does not declare it, so it comes last. */
static bool is_made(const struct spb_variable *v)
{
	return v->heap || v->added;
}

static bool ranks_differ(const struct spb_variables *variables, struct spb_arena *arena)
{
	size_t n = variables->count;
	struct spb_variable *sorted = spb_alloc_array(arena, n, sizeof *sorted);

	memcpy(sorted, variables->items, n * sizeof *sorted);
	spb_sort(arena, sorted, n, sizeof *sorted, by_rank);
	for (size_t i = 0; i < n; i++) {
		bool one = i && (is_made(&sorted[i]) || sorted[i].counter_of ||
				 (sorted[i].origin && sorted[i].origin == sorted[i - 1].origin));
		if (!sorted[i].rank || (i && sorted[i - 1].rank == sorted[i].rank && !one))
			return false;
	}
	return true;
}

/* Parts of a split variable take its place; the first one keeps the debug line. */
static void rank_parts(struct spb_variables *variables)
{
	for (size_t i = 1; i < variables->count; i++) {
		struct spb_variable *v = &variables->items[i];
		if (v->origin && v->origin == v[-1].origin)
			v->rank = v[-1].rank;
	}
}

/* Operands of DebugGlobalVariable: Name, Type, Source, Line, Column, Parent, LinkageName, Variable, Flags. */
static bool rank_by_debug_lines(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena)
{
	uint32_t set = spb_debug_info(m);
	uint32_t file = 0;
	uint32_t *index;

	if (!set)
		return false;
	index = spb_alloc_zeroed(arena, m->bound, sizeof *index); /* id -> variable + 1 */
	for (size_t i = 0; i < variables->count; i++) {
		index[variables->items[i].id] = (uint32_t)i + 1;
		variables->items[i].rank =
		    is_made(&variables->items[i]) || variables->items[i].counter_of ? UINT64_MAX : 0;
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpExtInst || m->words[at + 3] != set ||
		    m->words[at + 4] != NonSemanticShaderDebugInfo100DebugGlobalVariable || spb_length(m, at) < 14)
			continue;
		const uint32_t *operand = m->words + at + 5;
		if (!index[operand[7]])
			continue;
		if (file && file != operand[2])
			return false; /* it is unknown which file came first */
		file = operand[2];
		variables->items[index[operand[7]] - 1].rank =
		    (uint64_t)constant(m, operand[3]) << 32 | constant(m, operand[4]);
	}
	rank_parts(variables);
	return ranks_differ(variables, arena);
}

/* The block of loose uniforms, which no line declares, comes first. */
static bool rank_by_source_text(const struct spb_source_text *text, struct spb_variables *variables)
{
	if (!text->present || text->fault)
		return false;
	for (size_t i = 0; i < variables->count; i++) {
		struct spb_variable *v = &variables->items[i];
		v->rank = is_made(v) ? UINT64_MAX : v->declaration ? v->declaration->order : 1;
	}
	return true;
}

bool spb_order_variables(const struct spb_module *m, spb_order order, const struct spb_source_text *text,
			 struct spb_variables *variables, struct spb_arena *arena)
{
	bool fell_back = false, trusted = m->words[2] >> 16 != GLSLANG || !text->present;

	if (variables->count < 2)
		return false;
	if (order == SPB_ORDER_NAME) {
		spb_sort(arena, variables->items, variables->count, sizeof *variables->items, by_key);
	} else if (order != SPB_ORDER_MODULE) {
		if (rank_by_source_text(text, variables) || (trusted && rank_by_debug_lines(m, variables, arena)))
			spb_sort(arena, variables->items, variables->count, sizeof *variables->items, by_rank);
		else
			fell_back = true;
	}
	spb_put_counters(m, variables, arena);
	return fell_back;
}
