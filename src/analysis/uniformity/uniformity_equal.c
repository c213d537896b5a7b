/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_equal: values that are equal to a uniform one, because a branch has compared them.
 *
 *     %f = OpGroupNonUniformBroadcastFirst %uint %subgroup %i
 *     %c = OpIEqual %bool %f %i
 *          OpBranchConditional %c %then %else        in %then, and what it dominates, %i is %f
 *
 * Each invocation that gets there has found the two equal, and neither has changed since. SPIR-V, "Dominate": the
 * operands dominate the comparison, the comparison dominates the branch, and the edge of the branch dominates the use.
 * So every path from a new value of either operand to the use leads through the comparison again; otherwise there would
 * be a path to the use that avoids it. The same holds for variables: as long as two loads have the same version, they
 * return the same value.
 *
 * `a && b` may be a branch on a, a block that computes b, and a phi where they meet. If the phi is true, the invocation
 * has just come from that block: otherwise the phi would be a, which is false. So both hold for the values where the
 * paths meet. In the block of a switch case with one label the selector is that constant, if the block has no other
 * predecessor.
 *
 * Votes prove more: after subgroupAllEqual(i), subgroupAll(i == f) and subgroupMin(i) == subgroupMax(i), i is one value
 * in the subgroup. And where the number of an invocation equals a constant, or OpGroupNonUniformElect is true, a single
 * invocation runs, for which nothing differs.
 *
 * The use then depends on the other value instead, as if the source used that one, with the usual effects of rays
 * traced in between; but not after the loop that computes it. This keeps the loop
 *
 *     for (;;) { f = subgroupBroadcastFirst(i); if (f == i) { use(i); break; } }
 *
 * divergent, unless the entry point is MaximallyReconvergesKHR: use(i) cannot reach the loop again, so compilers move
 * it out, and invocations that leave in different iterations run it together, each with the f of its own last
 * iteration. SwiftShader does so, though each iteration is a dynamic instance of its own (SPIR-V, "Dynamic Instance"):
 * so it is not known to differ in the subgroup, either. */
#include "analysis/paths/descriptor_paths.h"
#include "analysis/uniformity/uniformity_graph.h"

enum { MOST_EQUAL = 32, MOST_TERMS = 4 };

/* The scopes in which a value is likely to be uniform, judged by its instruction. */
static uint8_t likely(struct spb_uniformity *u, uint32_t function, uint32_t id)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[id];
	enum spb_transfer t = (enum spb_transfer)spb_op_facts(spb_op(m, at))->transfer;
	uint32_t root, builtin, loop, mask;

	if (at < m->section[SPB_SECTION_FUNCTION])
		return spb_is_constant(m, id) ? SPB_UNIFORM_BOTH : 0;
	if (t == SPB_TRANSFER_SUBGROUP || t == SPB_TRANSFER_BROADCAST ||
	    spb_shuffles_running(u, function, at, &loop, &mask))
		return SPB_UNIFORM_SUBGROUP;
	if (spb_op(m, at) != SpvOpLoad)
		return 0;
	root = spb_region_of(u, m->words[at + 3]).root;
	builtin = root ? spb_decoration(m, root, SpvDecorationBuiltIn) : 0;
	if (builtin)
		return spb_uniformity_builtin(m->words[builtin], SPB_GROUP_STAGES) & SPB_UNIFORM_GROUP;
	return spb_pointer_class(m, m->words[at + 3]) == SpvStorageClassPushConstant ? SPB_UNIFORM_GROUP : 0;
}

static bool is_integer(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, spb_type_of(m, id)) == SpvOpTypeInt;
}

static void add_equal(struct spb_uniformity *u, uint32_t function, uint32_t block, uint32_t a, uint32_t b)
{
	struct spb_body *body = u->functions.body[function];
	spb_at at = u->m->def[b];
	uint8_t scopes = likely(u, function, b);

	/* an operand of && may have been computed in a branch, uniform among the invocations that ran it */
	if (scopes == SPB_UNIFORM_SUBGROUP && at >= u->m->section[SPB_SECTION_FUNCTION] &&
	    !spb_dominates(body->cfg, spb_block_around(body->cfg, at), block))
		return;

	if (scopes && body->equals.pairs.count < MOST_EQUAL)
		SPB_PUSH(u->drafts, &body->equals.pairs, ((struct spb_equal){block, a, b, b, scopes}));
	if (scopes && body->equals.alone.count < MOST_EQUAL && spb_is_own_number(u, a, 0))
		SPB_PUSH(u->drafts, &body->equals.alone,
			 ((struct spb_alone){block, b, spb_is_own_number(u, a, 0) & scopes}));
}

/* A subgroup vote has proved that a value is uniform. */
static void add_vote(struct spb_uniformity *u, struct spb_body *body, uint32_t block, uint32_t a, uint32_t by)
{
	if (body->equals.pairs.count < MOST_EQUAL && is_integer(u->m, a))
		SPB_PUSH(u->drafts, &body->equals.pairs, ((struct spb_equal){block, a, 0, by, SPB_UNIFORM_SUBGROUP}));
}

/* Are they the subgroup minimum and maximum of the same value? */
static bool are_least_and_greatest(struct spb_uniformity *u, uint32_t function, spb_at a, spb_at b)
{
	const struct spb_module *m = u->m;
	uint32_t least = spb_op(m, a), greatest = spb_op(m, b);

	return ((least == SpvOpGroupNonUniformUMin && greatest == SpvOpGroupNonUniformUMax) ||
		(least == SpvOpGroupNonUniformSMin && greatest == SpvOpGroupNonUniformSMax)) &&
	       spb_is_of_subgroup(m, a) && spb_is_of_subgroup(m, b) && m->words[a + 4] == SpvGroupOperationReduce &&
	       m->words[b + 4] == SpvGroupOperationReduce &&
	       spb_block_in(u, function, a) == spb_block_in(u, function, b) &&
	       spb_is_same_key(spb_key_of(u, function, m->words[a + 5], 0),
			       spb_key_of(u, function, m->words[b + 5], 0));
}

/* Does the edge between two blocks imply the value of a boolean? */
static bool is_shown(struct spb_uniformity *u, const struct spb_cfg *g, uint32_t from, uint32_t to, uint32_t value,
		     bool *holds)
{
	const struct spb_module *m = u->m;
	spb_at end = g->block[from].end;

	uint32_t condition;

	if (spb_op(m, end) != SpvOpBranchConditional || m->words[end + 2] == m->words[end + 3])
		return false;
	condition = m->words[end + 1];
	*holds = g->block[to].label == m->def[m->words[end + 2]];
	if (condition != value && spb_def_op(m, condition) == SpvOpLogicalNot) { /* glslang's a || b branches on !a */
		condition = m->words[m->def[condition] + 3];
		*holds = !*holds;
	}
	return condition == value;
}

/* The operand of the only predecessor from which a phi of booleans can be `holds`: its word; 0: there is none, or there
 * are several. */
static uint32_t only_way(struct spb_uniformity *u, const struct spb_body *body, spb_at phi, uint32_t to, bool holds)
{
	const struct spb_module *m = u->m;
	const struct spb_cfg *g = body->cfg;
	uint32_t way = 0;

	for (uint32_t w = phi + 3; !spb_is_killed_join(body, to) && w + 1 < spb_next(m, phi); w += 2) {
		uint32_t from = spb_block_of(g, m->words[w + 1]), op = spb_def_op(m, m->words[w]);
		bool shown;
		if (from == g->count)
			return 0;
		if (op == (uint32_t)(holds ? SpvOpConstantFalse : SpvOpConstantTrue) ||
		    (is_shown(u, g, from, to, m->words[w], &shown) && shown != holds))
			continue;
		if (way)
			return 0;
		way = w;
	}
	return way;
}

/* A condition whose value is known at the end of block `used`. */
struct seen {
	uint32_t function, block; /* what follows holds in this block and those that it dominates */
	uint32_t condition, used;
	bool holds;
};

static void see_condition(struct spb_uniformity *u, struct seen s, uint32_t depth);

/* A phi has the value of the only operand that can have it, and so has the condition with which its block was left. */
static void see_phi(struct spb_uniformity *u, struct seen s, uint32_t depth, spb_at at)
{
	const struct spb_module *m = u->m;
	const struct spb_body *body = u->functions.body[s.function];
	const struct spb_cfg *g = body->cfg;
	uint32_t way = only_way(u, body, at, s.used, s.holds), before;

	if (!way)
		return;
	s.used = spb_block_of(g, m->words[way + 1]);
	s.condition = m->words[way];
	see_condition(u, s, depth + 1);
	if (s.used == 0 || g->first_pred[s.used + 1] - g->first_pred[s.used] != 1)
		return;
	before = g->pred[g->first_pred[s.used]];
	s.condition =
	    spb_op(m, g->block[before].end) == SpvOpBranchConditional ? m->words[g->block[before].end + 1] : 0;
	if (s.condition && is_shown(u, g, before, s.used, s.condition, &s.holds)) {
		s.used = before;
		see_condition(u, s, depth + 1);
	}
}

/* gl_NumSubgroups == 1 */
static void see_count(struct spb_uniformity *u, struct seen s, struct spb_key count, struct spb_key one)
{
	const struct spb_module *m = u->m;
	struct spb_body *body = u->functions.body[s.function];
	spb_at at = m->def[count.id];
	uint32_t root = spb_op(m, at) == SpvOpLoad ? spb_region_of(u, m->words[at + 3]).root : 0;
	uint32_t builtin = root ? spb_decoration(m, root, SpvDecorationBuiltIn) : 0;
	uint64_t value;

	if (builtin && m->words[builtin] == SpvBuiltInNumSubgroups && spb_def_op(m, one.id) == SpvOpConstant &&
	    spb_constant_value(m, one.id, &value) && value == 1 && body->equals.alone.count < MOST_EQUAL)
		SPB_PUSH(u->drafts, &body->equals.alone, ((struct spb_alone){s.block, 0, SPB_ONE_SUBGROUP}));
}

/* The operands of the comparison are equal. */
static void see_equal(struct spb_uniformity *u, struct seen s, spb_at at)
{
	const struct spb_module *m = u->m;
	struct spb_body *body = u->functions.body[s.function];
	uint32_t left = m->words[at + 3], right = m->words[at + 4];
	struct spb_key a = spb_key_of(u, s.function, left, 0), b = spb_key_of(u, s.function, right, 0);

	if (!is_integer(m, left) || spb_misses_killed(body, left, s.used) || spb_misses_killed(body, right, s.used))
		return;
	if (a.id && b.id && are_least_and_greatest(u, s.function, m->def[a.id], m->def[b.id]))
		add_vote(u, body, s.block, m->words[m->def[a.id] + 5], a.id);
	if (a.id && b.id && are_least_and_greatest(u, s.function, m->def[b.id], m->def[a.id]))
		add_vote(u, body, s.block, m->words[m->def[a.id] + 5], a.id);
	see_count(u, s, a, b);
	see_count(u, s, b, a);
	if (b.id)
		add_equal(u, s.function, s.block, left, b.id);
	if (a.id)
		add_equal(u, s.function, s.block, right, a.id);
}

/* A vote of the subgroup is true. */
static void see_vote(struct spb_uniformity *u, struct seen s, uint32_t depth, spb_at at)
{
	const struct spb_module *m = u->m;
	struct spb_body *body = u->functions.body[s.function];

	if (!s.holds || !spb_is_of_subgroup(m, at))
		return;
	switch (spb_op(m, at)) {
	case SpvOpGroupNonUniformElect:
		if (body->equals.alone.count < MOST_EQUAL)
			SPB_PUSH(u->drafts, &body->equals.alone,
				 ((struct spb_alone){s.block, m->words[at + 2], SPB_UNIFORM_SUBGROUP}));
		break;
	case SpvOpGroupNonUniformAllEqual:
		add_vote(u, body, s.block, m->words[at + 4], m->words[at + 2]);
		break;
	default: /* OpGroupNonUniformAll */
		s.condition = m->words[at + 4];
		see_condition(u, s, depth + 1);
		break;
	}
}

/* What follows. Where OpLogicalAnd is true, all its terms are true; where OpLogicalOr is false, all its terms are
 * false. Nothing is known about invocations that were killed before the comparison. */
static void see_condition(struct spb_uniformity *u, struct seen s, uint32_t depth)
{
	const struct spb_module *m = u->m;
	struct spb_body *body = u->functions.body[s.function];
	struct spb_key k = spb_key_of(u, s.function, s.condition, 0);
	spb_at at = k.id ? m->def[k.id] : 0;
	uint32_t op = spb_op(m, at);

	if (depth == MOST_TERMS || at < m->section[SPB_SECTION_FUNCTION] ||
	    spb_misses_killed(body, s.condition, s.used))
		return;
	s.used = spb_block_around(body->cfg, at);
	switch (op) {
	case SpvOpLogicalNot:
		s.condition = m->words[at + 3];
		s.holds = !s.holds;
		see_condition(u, s, depth + 1);
		break;
	case SpvOpLogicalAnd:
	case SpvOpLogicalOr:
		for (uint32_t w = at + 3; s.holds == (op == SpvOpLogicalAnd) && w < at + 5; w++) {
			s.condition = m->words[w];
			see_condition(u, s, depth + 1);
		}
		break;
	case SpvOpIEqual:
	case SpvOpINotEqual:
		if (s.holds == (op == SpvOpIEqual))
			see_equal(u, s, at);
		break;
	case SpvOpPhi:
		see_phi(u, s, depth, at);
		break;
	case SpvOpGroupNonUniformElect:
	case SpvOpGroupNonUniformAllEqual:
	case SpvOpGroupNonUniformAll:
		see_vote(u, s, depth, at);
		break;
	default:
		break;
	}
}

/* The cases of a switch that one label leads to. */
static void see_switch(struct spb_uniformity *u, struct spb_body *body, uint32_t from)
{
	const struct spb_module *m = u->m;
	const struct spb_cfg *g = body->cfg;
	spb_at end = g->block[from].end, type = m->def[spb_type_of(m, m->words[end + 1])];

	if (spb_op(m, type) != SpvOpTypeInt || m->words[type + 2] != 32) /* so that its literals have one word */
		return;
	for (uint32_t i = g->first_succ[from]; i < g->first_succ[from + 1] && body->equals.pairs.count < MOST_EQUAL;
	     i++) {
		uint32_t to = g->succ[i], labels = 0;
		if (to >= g->count || g->first_pred[to + 1] - g->first_pred[to] != 1 ||
		    m->def[m->words[end + 2]] == g->block[to].label)
			continue;
		if (!spb_may_walk(body, (spb_next(m, end) - end) / 2))
			return;
		for (uint32_t w = end + 3; w + 1 < spb_next(m, end); w += 2)
			labels += m->def[m->words[w + 1]] == g->block[to].label;
		if (labels == 1)
			SPB_PUSH(u->drafts, &body->equals.pairs,
				 ((struct spb_equal){to, m->words[end + 1], 0, 0, SPB_UNIFORM_BOTH}));
		if (labels == 1 && body->equals.alone.count < MOST_EQUAL && spb_is_own_number(u, m->words[end + 1], 0))
			SPB_PUSH(u->drafts, &body->equals.alone,
				 ((struct spb_alone){to, 0, spb_is_own_number(u, m->words[end + 1], 0)}));
	}
}

/* Finds the branches of a function that leave two values equal. */
static void find_equal(struct spb_uniformity *u, uint32_t function)
{
	const struct spb_module *m = u->m;
	struct spb_body *body = u->functions.body[function];
	const struct spb_cfg *g = body->cfg;

	for (uint32_t b = 0; b < g->count && body->equals.pairs.count < MOST_EQUAL && !g->irreducible; b++) {
		spb_at end = g->block[b].end;
		if (spb_reachable(g, b) && spb_op(m, end) == SpvOpSwitch)
			see_switch(u, body, b);
		if (!spb_reachable(g, b) || spb_op(m, end) != SpvOpBranchConditional ||
		    m->words[end + 2] == m->words[end + 3])
			continue;
		for (uint32_t i = 0; i < 2; i++) { /* only if the edge is the only way in */
			uint32_t to = spb_block_of(g, m->words[end + 2 + i]);
			if (to < g->count && g->first_pred[to + 1] - g->first_pred[to] == 1)
				see_condition(u, (struct seen){function, to, m->words[end + 1], b, i == 0}, 0);
		}
	}
}

void spb_find_equal(struct spb_uniformity *u, struct spb_body *body, uint32_t function)
{
	body->equals.found = true;
	if (!u->settings.marks_only && !u->settings.quad)
		find_equal(u, function);
}

/* The scopes in which a value may be used instead. If the use lies outside of the loop that computes it, that gains
 * little, unless the iterations stay apart. *apart: they do according to the text of SPIR-V only ("Dynamic Instance"),
 * which compilers do not keep. */
static uint8_t scopes_behind_loop(struct spb_uniformity *u, uint32_t function, uint32_t id, uint32_t block, bool *apart)
{
	struct spb_body *body = u->functions.body[function];
	spb_at at = id ? u->m->def[id] : 0;
	uint32_t loop = at < u->m->section[SPB_SECTION_FUNCTION] ? 0 : body->cfg->loop[spb_block_in(u, function, at)];

	*apart = false;
	if (!loop || spb_in_loop(body->cfg, loop, block))
		return SPB_UNIFORM_BOTH;
	*apart = spb_in_construct(u, body, loop, block);
	return *apart && u->reconverges ? SPB_UNIFORM_SUBGROUP : 0;
}

uint8_t spb_equal_to(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t function, uint32_t block,
		     uint32_t *other, bool *perhaps)
{
	const struct spb_module *m = u->m;
	struct spb_body *body = spb_body_of(u, function);
	struct spb_key k = {0};

	*perhaps = false;
	if (block >= body->cfg->count || !is_integer(m, id) || !spb_reachable(body->cfg, block))
		return 0;
	for (size_t i = body->equals.pairs.count; i-- > 0;) { /* the innermost branch first */
		struct spb_equal e = body->equals.pairs.items[i];
		uint8_t scopes;
		bool apart;
		if (!spb_dominates(body->cfg, e.block, block))
			continue;
		scopes = e.scopes & scopes_behind_loop(u, function, e.by, block, &apart);
		if (!scopes && !(apart && e.scopes & SPB_UNIFORM_SUBGROUP))
			continue;
		if (!k.id && !k.version)
			k = spb_key_of(u, function, id, leaf == SPB_ALL ? 0 : leaf);
		if ((e.other && k.id == e.other) || (k.marked && u->settings.heed_marks) ||
		    !spb_is_same_key(k, spb_key_of(u, function, e.id, 0)))
			continue;
		scopes &= (uint8_t) ~(k.id ? likely(u, function, k.id) : 0);
		*perhaps |= apart && !scopes;
		if (!scopes)
			continue;
		*other = e.other;
		return scopes;
	}
	return 0;
}

uint8_t spb_runs_alone(struct spb_uniformity *u, uint32_t function, uint32_t block)
{
	struct spb_body *body = spb_body_of(u, function);
	uint8_t scopes = 0;

	for (size_t i = 0; i < body->equals.alone.count && block < body->cfg->count && spb_reachable(body->cfg, block);
	     i++) {
		struct spb_alone a = body->equals.alone.items[i];
		bool apart;
		if (spb_dominates(body->cfg, a.block, block))
			scopes |= a.scopes & (scopes_behind_loop(u, function, a.by, block, &apart) | SPB_ONE_SUBGROUP);
	}
	return scopes;
}
