/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_masks: shuffles from an invocation that runs, which are broadcasts.
 *
 *     %mask = OpGroupNonUniformBallot %v4 %subgroup %true
 *     %lane = OpGroupNonUniformBallotFindLSB %uint %subgroup %mask
 *     %f = OpGroupNonUniformShuffle %uint %subgroup %i %lane        in the same block
 *
 * A loop may carry the mask from one iteration to the next, and take bits from it:
 *
 *     for (uvec4 mask = subgroupBallot(true); any(notEqual(mask, uvec4(0))); mask &= ~subgroupBallot(f == i))
 *         f = subgroupShuffle(i, subgroupBallotFindLSB(mask));
 *
 * Its bits are invocations that entered the loop, or, if a ballot at its end makes a new mask, that continue. They run
 * the shuffle, too, if all invocations leave the loop together and no other branch in it decides about the shuffle. The
 * mask must have been found not to be empty, since its first bit is undefined otherwise. */
#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

#include "analysis/uniformity/uniformity_graph.h"

enum { WORDS = 4, MOST_ANDS = 4, MOST_STEPS = 8 };

/* A mask that a loop carries. */
struct carried {
	uint32_t function, loop, header;
	uint32_t words;            /* that are searched for a bit: all of a ballot, or the first */
	struct spb_key now[WORDS]; /* the value at the beginning of an iteration */
};

static bool is_operation(const struct spb_module *m, spb_at at, uint32_t op)
{
	return spb_op(m, at) == op && spb_is_of_subgroup(m, at);
}

/* Continues to the vector from which a component was taken. */
static struct spb_key in_vector(struct spb_uniformity *u, uint32_t function, struct spb_key k)
{
	const struct spb_module *m = u->m;

	for (int step = 0; step < MOST_STEPS && k.id && spb_def_op(m, k.id) == SpvOpCompositeExtract; step++) {
		spb_at at = m->def[k.id];
		if (spb_length(m, at) != 5 || spb_def_op(m, spb_type_of(m, m->words[at + 3])) != SpvOpTypeVector)
			return k;
		k = spb_key_of(u, function, m->words[at + 3], m->words[at + 4]);
	}
	return k;
}

static struct spb_key word_of(struct spb_uniformity *u, uint32_t function, uint32_t id, uint32_t word)
{
	return in_vector(u, function, spb_key_of(u, function, id, word));
}

static struct spb_key word_from(struct spb_uniformity *u, const struct carried *c, uint32_t word, uint32_t pred)
{
	return in_vector(u, c->function, spb_key_from(u, c->function, c->now[word], pred));
}

/* Do all invocations that run block `from` enter the header of the loop next? */
static bool leads_to(const struct spb_cfg *g, uint32_t from, uint32_t header)
{
	for (int step = 0; step < MOST_STEPS && from != header && g->first_succ[from + 1] - g->first_succ[from] == 1;
	     step++)
		from = g->succ[g->first_succ[from]];
	return from == header;
}

/* Are its bits invocations that begin the next iteration, if they had been in the mask before? */
static bool keeps_running(struct spb_uniformity *u, const struct carried *c, struct spb_key k, uint32_t word,
			  uint32_t depth)
{
	const struct spb_module *m = u->m;
	spb_at at = k.id ? m->def[k.id] : 0;

	if (spb_is_same_key(k, c->now[word]))
		return true;
	if (at < m->section[SPB_SECTION_FUNCTION] || depth == MOST_ANDS)
		return false;
	if (spb_op(m, at) == SpvOpBitwiseAnd)
		return keeps_running(u, c, word_of(u, c->function, m->words[at + 3], k.leaf), word, depth + 1) ||
		       keeps_running(u, c, word_of(u, c->function, m->words[at + 4], k.leaf), word, depth + 1);
	return is_operation(m, at, SpvOpGroupNonUniformBallot) && k.leaf == word &&
	       leads_to(spb_body_of(u, c->function)->cfg, spb_block_in(u, c->function, at), c->header);
}

/* Do only branches that leave the loop decide whether an iteration runs the block? */
static bool is_run_each_time(struct spb_body *body, const struct carried *c, uint32_t block)
{
	const struct spb_cfg *g = body->cfg;

	for (uint32_t b = block, up; b != c->header; b = up) {
		up = g->idom[b];
		if (!spb_may_walk(body, 1) || (spb_condition(g, up) && g->ipdom[up] != SPB_NO_BLOCK &&
					       g->ipdom[up] != b && spb_in_loop(g, c->loop, g->ipdom[up])))
			return false;
	}
	return true;
}

static bool is_zero(const struct spb_module *m, uint32_t id)
{
	spb_at at = m->def[id];
	uint64_t value;

	if (spb_op(m, at) != SpvOpConstantComposite)
		return spb_op(m, at) == SpvOpConstantNull || (spb_constant_value(m, id, &value) && value == 0);
	for (uint32_t w = at + 3; w < spb_next(m, at); w++) {
		if (!is_zero(m, m->words[w]))
			return false;
	}
	return true;
}

/* Does a boolean show that one of the words is not 0? A vector of booleans: for OpAny, OpAll. */
static bool shows_bit(struct spb_uniformity *u, const struct carried *c, const struct spb_key *words, uint32_t boolean,
		      bool holds)
{
	const struct spb_module *m = u->m;
	uint32_t id = spb_key_of(u, c->function, boolean, 0).id;
	spb_at at = id ? m->def[id] : 0;
	bool all = true, some = false;

	for (int step = 0; step < MOST_STEPS && spb_op(m, at) == SpvOpLogicalNot; step++, holds = !holds) {
		id = spb_key_of(u, c->function, m->words[at + 3], 0).id;
		at = id ? m->def[id] : 0;
	}
	if (spb_op(m, at) == (uint32_t)(holds ? SpvOpAny : SpvOpAll))
		return c->words == WORDS && shows_bit(u, c, words, m->words[at + 3], holds);
	if ((spb_op(m, at) != (uint32_t)(holds ? SpvOpINotEqual : SpvOpIEqual) &&
	     !(holds && spb_op(m, at) == SpvOpUGreaterThan)) ||
	    !is_zero(m, m->words[at + 4]))
		return false;
	for (uint32_t i = 0; i < c->words; i++) {
		all &= spb_is_same_key(words[i], word_of(u, c->function, m->words[at + 3], i));
		some |= spb_is_same_key(words[i], word_of(u, c->function, m->words[at + 3], 0));
	}
	return spb_leaves_of(u, m->words[at + 3]) == WORDS ? all && c->words == WORDS : some;
}

/* Does the edge between two blocks show it? */
static bool edge_shows_bit(struct spb_uniformity *u, const struct carried *c, const struct spb_key *words,
			   uint32_t from, uint32_t to)
{
	const struct spb_module *m = u->m;
	const struct spb_cfg *g = spb_body_of(u, c->function)->cfg;
	spb_at end = g->block[from].end;

	return spb_op(m, end) == SpvOpBranchConditional && m->words[end + 2] != m->words[end + 3] &&
	       shows_bit(u, c, words, m->words[end + 1], g->block[to].label == m->def[m->words[end + 2]]);
}

/* Has the mask a bit where the block uses it? Either a branch in the iteration shows that, or it begins as that of all
 * invocations, and the branch back to the header shows it. */
static bool has_bit(struct spb_uniformity *u, const struct carried *c, uint32_t block)
{
	const struct spb_module *m = u->m;
	const struct spb_cfg *g = spb_body_of(u, c->function)->cfg;

	for (uint32_t b = block; b != c->header; b = g->idom[b]) {
		if (g->first_pred[b + 1] - g->first_pred[b] == 1 && edge_shows_bit(u, c, c->now, g->idom[b], b))
			return true;
	}
	for (uint32_t i = g->first_pred[c->header]; i < g->first_pred[c->header + 1]; i++) {
		struct spb_key words[WORDS];
		for (uint32_t word = 0; word < c->words; word++)
			words[word] = word_from(u, c, word, g->pred[i]);
		spb_at at = words[0].id ? m->def[words[0].id] : 0;
		if (!(spb_op(m, at) == SpvOpGroupNonUniformBallot && c->words == WORDS &&
		      spb_def_op(m, m->words[at + 4]) == SpvOpConstantTrue) &&
		    !edge_shows_bit(u, c, words, g->pred[i], c->header))
			return false;
	}
	return true;
}

/* Does the loop around a shuffle carry the mask, whose bits are then invocations that run the shuffle, one at least? */
static bool is_carried(struct spb_uniformity *u, uint32_t function, spb_at at, uint32_t mask, uint32_t words,
		       uint32_t *loop)
{
	struct spb_body *body = spb_body_of(u, function);
	const struct spb_cfg *g = body->cfg;
	uint32_t block = spb_block_in(u, function, at);
	struct carried c = {.function = function, .words = words};

	/* killed and demoted invocations may be in the mask, and run no more */
	if (block >= g->count || g->irreducible || body->kills ||
	    spb_has_capability(u->m, SpvCapabilityDemoteToHelperInvocation) || !spb_reachable(g, block) ||
	    !g->loop[block])
		return false;
	c.loop = *loop = g->loop[block];
	c.header = g->loops[c.loop - 1].header;
	for (uint32_t word = 0; word < words; word++) {
		c.now[word] = word_of(u, function, mask, word);
		if (spb_key_joins(u, function, c.now[word]) != c.header)
			return false;
		for (uint32_t i = g->first_pred[c.header]; i < g->first_pred[c.header + 1]; i++) {
			if (!spb_may_walk(body, 1) ||
			    (spb_reachable(g, g->pred[i]) &&
			     !keeps_running(u, &c, word_from(u, &c, word, g->pred[i]), word, 0)))
				return false;
		}
	}
	return is_run_each_time(body, &c, block) && has_bit(u, &c, block);
}

/* GLSL's findLSB and findMSB of an unsigned number, or HLSL's firstbitlow and firstbithigh. */
static bool finds_in_word(const struct spb_module *m, spb_at at)
{
	spb_at set = spb_op(m, at) == SpvOpExtInst ? m->def[m->words[at + 3]] : 0;

	return set && spb_op(m, set) == SpvOpExtInstImport && !strcmp(spb_string(m, set + 2), "GLSL.std.450") &&
	       (m->words[at + 4] == GLSLstd450FindILsb || m->words[at + 4] == GLSLstd450FindUMsb) &&
	       spb_def_op(m, spb_type_of(m, m->words[at + 5])) == SpvOpTypeInt;
}

bool spb_shuffles_running(struct spb_uniformity *u, uint32_t function, spb_at at, uint32_t *loop, uint32_t *mask)
{
	const struct spb_module *m = u->m;
	spb_at find, ballot;

	if (!is_operation(m, at, SpvOpGroupNonUniformShuffle))
		return false;
	find = m->def[spb_key_of(u, function, m->words[at + 5], 0).id];
	if (spb_op(m, find) == SpvOpBitcast) /* GLSL's findLSB is an int */
		find = m->def[spb_key_of(u, function, m->words[find + 3], 0).id];
	if (finds_in_word(m, find)) {
		*mask = m->words[find + 5];
		return is_carried(u, function, at, *mask, 1, loop);
	}
	if (!is_operation(m, find, SpvOpGroupNonUniformBallotFindLSB) &&
	    !is_operation(m, find, SpvOpGroupNonUniformBallotFindMSB))
		return false;
	*mask = m->words[find + 4];
	*loop = 0;
	ballot = m->def[spb_key_of(u, function, *mask, 0).id];
	return (is_operation(m, ballot, SpvOpGroupNonUniformBallot) &&
		spb_block_in(u, function, ballot) == spb_block_in(u, function, at) &&
		spb_def_op(m, m->words[ballot + 4]) == SpvOpConstantTrue) ||
	       is_carried(u, function, at, *mask, WORDS, loop);
}
