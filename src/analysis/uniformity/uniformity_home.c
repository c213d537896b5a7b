/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_home: a module-scope (Private) variable in the order in which an entry function writes and reads it.
 *
 * SPIR-V, "OpEntryPoint": an entry point must not be the target of an OpFunctionCall. So its function runs once for
 * each invocation, and what it stores in a Private variable is there until the next store: the variable has versions,
 * like one of the function. A call to a function that writes the variable, or calls one that does, leaves what the
 * variable may hold at any time; in such functions it always does. Before the first store there is what the variable is
 * initialised with. */
#include "analysis/uniformity/uniformity_graph.h"

enum { MOST_HOMED = 64, MOST_ROUNDS = 64 };

/* The entry function that writes the variable itself; 0: none. Of several the first one: others run by themselves. */
static uint32_t home_of(struct spb_uniformity *u, const uint32_t *entries, const struct spb_event *events,
			uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t f = spb_function_at(u, events[i].at);
		if (spb_bit(entries, f) && u->first_site[f] == u->first_site[f + 1])
			return f + 1;
	}
	return 0;
}

/* What functions write because their callees do. False: calls are nested too deeply to know. */
static bool spread_touches(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	bool changed = true;

	for (uint32_t round = 0; changed; round++) {
		changed = false;
		if (round == MOST_ROUNDS)
			return false;
		for (uint32_t n = 0; n < u->sites.count; n++) { /* alternately from either end */
			spb_at at = u->sites.items[round % 2 ? n : (uint32_t)u->sites.count - 1 - n];
			uint32_t callee = u->calls->function_of[m->words[at + 3]] - 1, caller = spb_function_at(u, at);
			changed |= (u->touches[callee] & ~u->touches[caller]) != 0;
			u->touches[caller] |= u->touches[callee];
		}
	}
	return true;
}

static uint32_t *entry_functions(const struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	uint32_t *entries = spb_bits(u->arena, m->function_count);

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		uint32_t f = spb_op(m, at) == SpvOpEntryPoint ? u->calls->function_of[m->words[at + 2]] : 0;
		if (f && m->function[f - 1].label)
			spb_set_bit(entries, f - 1);
	}
	return entries;
}

void spb_find_homes(struct spb_uniformity *u)
{
	const uint32_t *entries;

	if (!u->global_event_count || u->writes_locals || u->calls_otherwise || u->m->has_unknown_ops)
		return;
	entries = entry_functions(u);
	u->touches = spb_alloc_zeroed(u->arena, u->m->function_count, sizeof *u->touches);
	for (uint32_t i = 0, end; i < u->global_event_count && u->homed.count < MOST_HOMED; i = end) {
		const struct spb_event *events = &u->global_event[i];
		uint32_t home;
		for (end = i; end < u->global_event_count && u->global_event[end].root == events->root;)
			end++;
		if (spb_def_op(u->m, events->root) != SpvOpVariable)
			continue;
		home = home_of(u, entries, events, end - i);
		if (!home)
			continue;
		spb_root_of(u, events->root)->home = home;
		for (uint32_t k = i; k < end; k++)
			u->touches[spb_function_at(u, u->global_event[k].at)] |= (uint64_t)1 << u->homed.count;
		SPB_PUSH(u->arena, &u->homed, events->root);
	}
	if (spread_touches(u))
		return;
	for (size_t i = 0; i < u->homed.count; i++)
		spb_root_of(u, u->homed.items[i])->home = 0;
	u->homed.count = 0;
}
