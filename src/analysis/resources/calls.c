/* SPDX-License-Identifier: Apache-2.0 */
/* calls: the call graph, and what an entry point reaches, from the calls in the module's index. */
#include "analysis/resources/resources.h"

struct spb_calls spb_find_calls(const struct spb_module *m, struct spb_arena *arena)
{
	struct spb_calls g = {.function_count = m->function_count};

	g.function_of = spb_alloc_zeroed(arena, m->bound, sizeof *g.function_of);
	g.first = spb_alloc_array(arena, m->function_count + 1, sizeof *g.first);
	g.first_parameter = spb_alloc_array(arena, m->function_count + 1, sizeof *g.first_parameter);
	g.stamp = spb_alloc_zeroed(arena, m->function_count, sizeof *g.stamp);
	g.reached = spb_alloc_array(arena, m->function_count, sizeof *g.reached);
	for (uint32_t i = 0; i < m->function_count; i++)
		g.function_of[m->words[m->function[i].at + 2]] = i + 1;
	SPB_SIZE(arena, &g.callees, m->call_count);
	for (uint32_t i = 0, call = 0; i < m->function_count; i++) {
		const struct spb_function *f = &m->function[i];
		g.first[i] = (uint32_t)g.callees.count;
		g.first_parameter[i] = (uint32_t)g.parameters.count;
		for (spb_at at = spb_next_parameter(m, f->at); spb_op(m, at) == SpvOpFunctionParameter;
		     at = spb_next_parameter(m, at))
			SPB_PUSH(arena, &g.parameters, m->words[at + 2]);
		for (; call < m->call_count && m->call[call] < f->end; call++) {
			uint32_t callee = m->call[call] > f->at ? g.function_of[m->words[m->call[call] + 3]] : 0;
			if (callee)
				g.callees.items[g.callees.count++] = callee - 1;
		}
	}
	g.first[m->function_count] = (uint32_t)g.callees.count;
	g.first_parameter[m->function_count] = (uint32_t)g.parameters.count;
	return g;
}

uint32_t spb_parameter_number(const struct spb_module *m, const struct spb_calls *g, uint32_t parameter)
{
	const uint32_t f = (uint32_t)(spb_function_around(m, m->def[parameter]) - m->function);
	uint32_t low = g->first_parameter[f], high = g->first_parameter[f + 1];

	while (high - low > 1) { /* they are in module order */
		uint32_t middle = low + (high - low) / 2;
		if (m->def[g->parameters.items[middle]] <= m->def[parameter])
			low = middle;
		else
			high = middle;
	}
	return low - g->first_parameter[f] + 1;
}

struct spb_sites spb_find_sites(const struct spb_module *m, const struct spb_calls *g, struct spb_arena *arena)
{
	struct spb_sites s = {.at = spb_alloc_array(arena, m->call_count, sizeof *s.at),
			      .first = spb_alloc_zeroed(arena, (size_t)g->function_count + 2, sizeof *s.first)};

	for (uint32_t i = 0; i < m->call_count; i++)
		s.first[g->function_of[m->words[m->call[i] + 3]]]++;
	for (uint32_t f = 0; f <= g->function_count; f++)
		s.first[f + 1] += s.first[f];
	for (uint32_t i = m->call_count; i-- > 0;) /* afterwards the calls of f begin at s.first[f] */
		s.at[--s.first[g->function_of[m->words[m->call[i] + 3]]]] = m->call[i];
	return s;
}

void spb_add_reached(const struct spb_calls *g, uint32_t function_id, uint32_t *bits, uint32_t *list)
{
	uint32_t count = 0, start = g->function_of[function_id];

	if (!start || spb_bit(bits, start - 1))
		return;
	spb_set_bit(bits, start - 1);
	list[count++] = start - 1;
	for (uint32_t next = 0; next < count; next++) {
		uint32_t f = list[next];
		for (uint32_t i = g->first[f]; i < g->first[f + 1]; i++) {
			uint32_t callee = g->callees.items[i];
			if (spb_bit(bits, callee))
				continue;
			spb_set_bit(bits, callee);
			list[count++] = callee;
		}
	}
}

uint32_t spb_reach(struct spb_calls *g, uint32_t function_id)
{
	uint32_t count = 0, start = g->function_of[function_id];

	g->generation++;
	if (!start)
		return 0;
	g->stamp[start - 1] = g->generation;
	g->reached[count++] = start - 1;
	for (uint32_t next = 0; next < count; next++) {
		uint32_t f = g->reached[next];
		for (uint32_t i = g->first[f]; i < g->first[f + 1]; i++) {
			uint32_t callee = g->callees.items[i];
			if (g->stamp[callee] == g->generation)
				continue;
			g->stamp[callee] = g->generation;
			g->reached[count++] = callee;
		}
	}
	return count;
}
