/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_lanes: broadcasts of what all subgroups of a workgroup compute alike.
 *
 *     uvec2 mine = blocks_of(gl_SubgroupInvocationID, size);
 *     uvec2 one  = subgroupBroadcast(mine, level);
 *
 * A broadcast otherwise tells each subgroup something of its own. But `mine` only depends on an invocation's number in
 * its subgroup, so each subgroup has the same at `level`, unless that invocation is missing in one, where `one` is
 * undefined.
 *
 * A second analysis finds such values. With settings.lanes, SPB_UNIFORM_GROUP means: the same in those invocations of
 * the workgroup that have one number in their subgroups. They form groups, too, so all rules hold that say what follows
 * from uniform values; but what subgroup operations return also depends on the invocations around. */
#include "analysis/uniformity/uniformity_graph.h"

static bool reads_numbers(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationBuiltIn &&
		    m->words[at + 3] == SpvBuiltInSubgroupLocalInvocationId)
			return true;
	}
	return false;
}

void spb_uniformity_find_lanes(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	struct spb_uniformity_settings settings = u->settings;
	struct spb_list questions = {0}, places = {0};

	if (settings.marks_only || settings.quad || !reads_numbers(m))
		return;
	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].body; at < m->function[f].end; at = spb_next(m, at)) {
			if (spb_op(m, at) == SpvOpGroupNonUniformBroadcast)
				SPB_PUSH(u->arena, &places, at);
		}
	}
	if (!places.count)
		return;
	settings.lanes = settings.silent = true;
	struct spb_uniformity *lanes = spb_uniformity_begin(m, u->calls, u->arena, settings);
	for (size_t i = 0; i < places.count; i++)
		SPB_PUSH(u->arena, &questions, spb_uniformity_ask_whole(lanes, places.items[i], places.items[i] + 4));
	spb_uniformity_solve(lanes);
	for (size_t i = 0; i < places.count; i++) {
		if (spb_uniformity_of(lanes, questions.items[i]) & SPB_UNIFORM_GROUP)
			SPB_PUSH(u->arena, &u->alike, places.items[i]);
	}
}
