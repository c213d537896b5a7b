/* SPDX-License-Identifier: Apache-2.0 */
/* static_use: which entry points statically use a variable.
 *
 * Vulkan, "Static Use": an entry point statically uses a variable if its call tree contains a function with an
 * instruction that has the variable as an operand. Branches are ignored. It also uses what its interface lists, which
 * since SPIR-V 1.4 may be every global of the module, whether or not a function uses it; so the two are kept apart.
 *
 * With -e, all entry points that are not selected share one bit, whatever their stage. It distinguishes variables
 * that only they use from variables that nothing uses. */
#include "analysis/resources/resources.h"
#include "ir/ids.h"

static const uint32_t elsewhere = 1u << 15; /* not the bit of a stage, and fits in 16 bits */

_Static_assert(SPB_STAGE_COUNT <= 15, "the bit is not a stage's");

static bool is_entry_point(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpEntryPoint;
}

static uint32_t entry_point_bit(const spb_options *options, const struct spb_module *m, spb_at at)
{
	return spb_is_wanted_entry_point(options, m, at) ? spb_stage_bit(m->words[at + 1]) : elsewhere;
}

/* The stages of every function: those of the entry points that call it, directly or not. */
static uint32_t *function_stages(const spb_options *options, const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *stages = spb_alloc_zeroed(arena, m->function_count, sizeof *stages);
	const bool alone = m->function_count == 1; /* it has no callers */
	const struct spb_calls calls = alone ? (struct spb_calls){0} : spb_find_calls(m, arena);
	SPB_LIST(uint32_t) todo = {0};

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (!is_entry_point(m, at))
			continue;
		uint32_t f =
		    alone ? m->words[at + 2] == m->words[m->function[0].at + 2] : calls.function_of[m->words[at + 2]];
		if (!f)
			continue;
		stages[f - 1] |= entry_point_bit(options, m, at);
		if (!alone)
			SPB_PUSH(arena, &todo, f - 1);
	}
	while (todo.count) { /* a function is queued again only for a new bit, and there are few */
		uint32_t f = todo.items[--todo.count];
		for (uint32_t i = calls.first[f]; i < calls.first[f + 1]; i++) {
			uint32_t callee = calls.callees.items[i];
			if (!(stages[f] & ~stages[callee]))
				continue;
			stages[callee] |= stages[f];
			SPB_PUSH(arena, &todo, callee);
		}
	}
	return stages;
}

/* Calls `see` for every operand in function f, except types and results, until it returns false. */
static bool see_function(const struct spb_module *m, uint32_t f, bool (*see)(void *, uint32_t id), void *argument)
{
	for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
		const uint32_t op = spb_op(m, at);
		struct spb_operand o;
		struct spb_ids i;
		if ((op == SpvOpExtInst || op == OpExtInstWithForwardRefsKHR) && spb_is_non_semantic(m, at))
			continue;
		for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
			if (!see(argument, m->words[i.word]))
				return false;
		}
	}
	return true;
}

struct mention {
	const uint32_t *number; /* id -> variable + 1 */
	struct spb_variables *variables;
	uint32_t stages, all; /* of this function; of all functions */
	size_t open;          /* variables for which stages may still be found */
};

static bool mention(void *argument, uint32_t id)
{
	struct mention *to = argument;

	if (!to->number[id])
		return true;
	struct spb_variable *v = &to->variables->items[to->number[id] - 1];
	bool was_open = v->stages != to->all;
	v->stages |= (uint16_t)to->stages;
	to->open -= was_open && v->stages == to->all;
	return to->open != 0;
}

/* The stages of the entry points whose interface lists the variable. */
static uint32_t listing_stages(const spb_options *options, const struct spb_module *m, uint32_t id)
{
	uint32_t stages = 0;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		if (is_entry_point(m, m->note[i].at) && m->note[i].word > m->note[i].at + 3)
			stages |= entry_point_bit(options, m, m->note[i].at);
	}
	return stages;
}

/* Does any entry point list variables? Before SPIR-V 1.4, a shader without inputs and outputs need not list any. */
static bool lists_any(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (is_entry_point(m, at) && spb_end_of_string(m->words + at, 3, spb_length(m, at)) < spb_length(m, at))
			return true;
	}
	return false;
}

/* The parser has recorded which variables functions mention. The record holds if no pass has changed the module and it
 * has no debug information. */
static bool knows_mentions(const struct spb_module *m)
{
	return !m->run && !(m->has & SPB_HAS_REMARKS);
}

/* If all functions have the same stages, it does not matter which of them mentions a variable. */
static bool find_same_stages(const struct spb_module *m, const uint32_t *stages, struct spb_variables *variables)
{
	for (uint32_t f = 1; f < m->function_count; f++) {
		if (stages[f] != stages[0])
			return false;
	}
	for (size_t i = 0; i < variables->count && m->function_count; i++) {
		struct spb_variable *v = &variables->items[i];
		v->stages = spb_is_in_function(m, v->id) ? (uint16_t)stages[0] : 0;
	}
	return true;
}

static void find_mentions(const struct spb_module *m, const uint32_t *stages, struct spb_variables *variables,
			  struct spb_arena *arena)
{
	uint32_t *number = spb_alloc_zeroed(arena, m->bound, sizeof *number);
	struct mention to = {.number = number, .variables = variables};

	for (size_t i = 0; i < variables->count; i++) {
		number[variables->items[i].id] = (uint32_t)i + 1;
		to.open += m->run || spb_is_in_function(m, variables->items[i].id);
	}
	for (uint32_t f = 0; f < m->function_count; f++)
		to.all |= stages[f];
	for (uint32_t f = 0; f < m->function_count && to.open; f++) {
		to.stages = stages[f];
		if (to.stages)
			see_function(m, f, mention, &to);
	}
}

void spb_find_static_use(const spb_options *options, const struct spb_module *m, struct spb_variables *variables,
			 struct spb_arena *arena)
{
	uint32_t *stages;

	if (!variables->count)
		return;
	const uint32_t anywhere =
	    m->has_unknown_ops ? spb_module_stages(options, m) : 0; /* unknown instructions may name anything */
	const bool listed = lists_any(m);
	for (size_t i = 0; i < variables->count; i++) {
		struct spb_variable *v = &variables->items[i];
		v->stages = 0;
		v->listed = (uint16_t)(anywhere | (listed ? listing_stages(options, m, v->id) : 0));
	}
	stages = function_stages(options, m, arena);
	if (!knows_mentions(m) || !find_same_stages(m, stages, variables))
		find_mentions(m, stages, variables, arena);
	for (size_t i = 0; i < variables->count && options->layout.entry_count; i++) {
		struct spb_variable *v = &variables->items[i];
		v->elsewhere = (v->stages | v->listed) == elsewhere;
		v->stages &= (uint16_t)~elsewhere;
		v->listed &= (uint16_t)~elsewhere;
	}
}

uint32_t spb_single_stages(const spb_options *options, const struct spb_module *m)
{
	uint32_t once = 0, twice = 0;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (!spb_is_wanted_entry_point(options, m, at))
			continue;
		uint32_t bit = spb_stage_bit(m->words[at + 1]);
		twice |= once & bit;
		once |= bit;
	}
	return once & ~twice;
}

struct sides {
	const uint8_t *side; /* id -> 1, 2 */
	uint8_t found;
};

static bool see_side(void *argument, uint32_t id)
{
	struct sides *s = argument;

	s->found |= s->side[id];
	return s->found != 3;
}

/* The callers of every function, in the form in which struct spb_calls has callees. */
static uint32_t *find_callers(const struct spb_calls *calls, uint32_t *first, struct spb_arena *arena)
{
	uint32_t *callers = spb_alloc_array(arena, calls->callees.count, sizeof *callers);

	for (size_t i = 0; i < calls->callees.count; i++)
		first[calls->callees.items[i] + 1]++;
	for (uint32_t f = 0; f < calls->function_count; f++)
		first[f + 1] += first[f];
	uint32_t *next = spb_alloc_array(arena, calls->function_count, sizeof *next);
	memcpy(next, first, calls->function_count * sizeof *next);
	for (uint32_t f = 0; f < calls->function_count; f++) {
		for (uint32_t i = calls->first[f]; i < calls->first[f + 1]; i++)
			callers[next[calls->callees.items[i]]++] = f;
	}
	return callers;
}

spb_at spb_shared_entry_point(const spb_options *options, const struct spb_module *m, const uint8_t *side,
			      struct spb_arena *arena)
{
	struct spb_calls calls = spb_find_calls(m, arena);
	uint8_t *sides = spb_alloc_zeroed(arena, m->function_count, sizeof *sides);
	uint32_t *first = spb_alloc_zeroed(arena, m->function_count + 1, sizeof *first);
	const uint32_t *callers = find_callers(&calls, first, arena);
	SPB_LIST(uint32_t) todo = {0};

	for (uint32_t f = 0; f < m->function_count; f++) {
		struct sides s = {side, 0};
		see_function(m, f, see_side, &s);
		sides[f] = s.found;
		if (s.found)
			SPB_PUSH(arena, &todo, f);
	}
	while (todo.count) {
		uint32_t f = todo.items[--todo.count];
		for (uint32_t i = first[f]; i < first[f + 1]; i++) {
			if (!(sides[f] & ~sides[callers[i]]))
				continue;
			sides[callers[i]] |= sides[f];
			SPB_PUSH(arena, &todo, callers[i]);
		}
	}
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		uint32_t f = spb_is_wanted_entry_point(options, m, at) ? calls.function_of[m->words[at + 2]] : 0;
		if (f && sides[f - 1] == 3)
			return at;
	}
	return 0;
}
