/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_masks: shuffles from an invocation that runs, which are broadcasts. */
#include "analysis/uniformity/uniformity_graph.h"

static bool is_operation(const struct spb_module *m, spb_at at, uint32_t op)
{
	return spb_op(m, at) == op && spb_is_of_subgroup(m, at);
}

bool spb_shuffles_running(struct spb_uniformity *u, uint32_t function, spb_at at)
{
	const struct spb_module *m = u->m;
	spb_at find, ballot;

	if (!is_operation(m, at, SpvOpGroupNonUniformShuffle))
		return false;
	find = m->def[spb_key_of(u, function, m->words[at + 5], 0).id];
	if (!is_operation(m, find, SpvOpGroupNonUniformBallotFindLSB) &&
	    !is_operation(m, find, SpvOpGroupNonUniformBallotFindMSB))
		return false;
	ballot = m->def[spb_key_of(u, function, m->words[find + 4], 0).id];
	return is_operation(m, ballot, SpvOpGroupNonUniformBallot) &&
	       spb_block_in(u, function, ballot) == spb_block_in(u, function, at) &&
	       spb_def_op(m, m->words[ballot + 4]) == SpvOpConstantTrue;
}
