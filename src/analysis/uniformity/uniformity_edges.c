/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_edges: nodes and edges. An edge from a value or from memory to its use takes account of the loops that it
 * leaves and of rays traced on the way. */
#include "analysis/paths/descriptor_paths.h"
#include "analysis/uniformity/uniformity_graph.h"

enum {
	MAX_INVARIANT_DEPTH = 5,
	MAX_INVARIANT_WORDS = 8,
	MAX_INVARIANT_STEPS = 512, /* instructions and stores visited for one value */
	FREE_LOOPS = 8             /* leaving this many loops in one step does not count against the budget */
};

uint32_t spb_loop_node(struct spb_uniformity *u, uint32_t function, uint32_t loop)
{
	struct spb_body *body = spb_body_of(u, function);

	if (!body->node.loop)
		body->node.loop = spb_alloc_zeroed(u->drafts, body->cfg->loop_count + 1, sizeof *body->node.loop);
	if (!body->node.loop[loop])
		body->node.loop[loop] = 1 + spb_single_node(u, SPB_NODE_LOOP, loop, function);
	return body->node.loop[loop] - 1;
}

/* Is the value the same in every iteration of the loop (+ 1)? False: unknown. */
static bool is_invariant(struct spb_uniformity *u, uint32_t function, uint32_t loop, uint32_t id, uint32_t depth,
			 uint32_t *steps)
{
	const struct spb_module *m = u->m;
	const struct spb_cfg *g = u->functions.body[function]->cfg;
	spb_at at = m->def[id];

	if (at < m->section[SPB_SECTION_FUNCTION] || spb_op(m, at) == SpvOpFunctionParameter)
		return true;
	if (!spb_in_loop(g, loop, spb_block_around(g, at)))
		return true;
	if (depth == MAX_INVARIANT_DEPTH || spb_length(m, at) > MAX_INVARIANT_WORDS || !*steps)
		return false;
	--*steps;
	uint32_t op = spb_op(m, at);
	if (op == SpvOpLoad) {
		if (spb_length(m, at) > 4 || m->has_unknown_ops ||
		    !is_invariant(u, function, loop, m->words[at + 3], depth + 1, steps))
			return false;
		if (spb_is_read_only(u, m->words[at + 3]))
			return true;
		uint32_t root = spb_region_of(u, m->words[at + 3]).root;
		if (!root || !spb_is_own_memory(u, root) || spb_def_op(m, root) != SpvOpVariable)
			return false;
		struct spb_memory *y = spb_memory_of(u, root);
		if (y->flat || y->function != function)
			return false;
		if (y->event_count > *steps)
			return false;
		*steps -= y->event_count;
		for (uint32_t i = 0; i < y->event_count; i++) {
			if (spb_in_loop(g, loop, u->functions.body[function]->events.items[y->first_event + i].block))
				return false;
		}
		return true;
	}
	if (!spb_op_is(op, SPB_OP_CHAIN) && op != SpvOpCopyObject && op != SpvOpCompositeExtract &&
	    op != SpvOpCompositeConstruct && op != SpvOpVectorShuffle &&
	    spb_op_facts(op)->transfer != SPB_TRANSFER_COMPONENTWISE)
		return false;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && !is_invariant(u, function, loop, m->words[o.word], depth + 1, steps))
			return false;
	}
	return true;
}

/* SPV_KHR_maximal_reconvergence: invocations that leave a loop in different iterations do not meet before its merge
 * block, so what is uniform in the subgroup stays so until there. Without it, that is what the text of SPIR-V says
 * ("Dynamic Instance"), but compilers move what comes after the last iteration out of the loop. */
static void use_loop(struct spb_uniformity *u, uint32_t function, uint32_t loop, uint32_t block, uint32_t to,
		     uint8_t mask)
{
	uint8_t subgroup = mask & SPB_UNIFORM_SUBGROUP;

	if (subgroup && (u->reconverges || !u->settings.silent) &&
	    spb_in_construct(u, u->functions.body[function], loop, block)) {
		if (!u->reconverges)
			spb_add_edge(u, spb_loop_node(u, function, loop), to, SPB_STEP_LOOP, subgroup | SPB_PERHAPS);
		mask &= (uint8_t)~subgroup;
	}
	if (mask & SPB_UNIFORM_BOTH)
		spb_add_edge(u, spb_loop_node(u, function, loop), to, SPB_STEP_LOOP, mask);
}

/* A value defined in a loop and used outside differs if the invocations do not leave the loop together. `id`: the
 * value, to check whether it changes between iterations; 0: assume that it does. */
static void cross_loops(struct spb_uniformity *u, uint32_t function, uint32_t from_block, uint32_t to_block,
			uint32_t to, uint32_t id, uint8_t mask)
{
	const struct spb_cfg *g;

	if (u->settings.marks_only)
		return;
	g = spb_body_of(u, function)->cfg;
	uint32_t left = 0;
	for (uint32_t l = g->loop[from_block]; l && !spb_in_loop(g, l, to_block); l = g->loops[l - 1].parent) {
		if (left++ >= FREE_LOOPS && !spb_may_walk(u->functions.body[function], 1)) {
			spb_lose(u, to, SPB_SOURCE_UNKNOWN);
			return;
		}
		uint32_t steps = MAX_INVARIANT_STEPS;
		if (!id || !is_invariant(u, function, l, id, 0, &steps))
			use_loop(u, function, l, to_block, to, mask);
	}
}

static uint32_t version_block(const struct spb_uniformity *u, uint32_t version)
{
	const struct spb_version *v = &u->contents.versions.items[version - 1];
	const struct spb_memory *y = &u->contents.memories.items[v->memory];

	if (v->event)
		return u->functions.body[y->function]->events.items[v->event - 1].block;
	return v->phi ? y->phi[v->phi - 1].block : 0;
}

static spb_at version_place(const struct spb_uniformity *u, uint32_t version)
{
	const struct spb_version *v = &u->contents.versions.items[version - 1];
	const struct spb_body *body = u->functions.body[u->contents.memories.items[v->memory].function];

	return v->event ? body->events.items[v->event - 1].at : body->cfg->block[version_block(u, version)].label;
}

/* Where in its block a node uses what it depends on; 0: at the end. */
static spb_at place_of_use(const struct spb_uniformity *u, uint32_t node, const struct spb_cfg *g, uint32_t block)
{
	const struct spb_node *n = &u->graph.nodes.items[node];

	if (n->kind == SPB_NODE_USE)
		return n->ref;
	if (n->kind == SPB_NODE_VERSION && version_block(u, n->ref + 1) == block)
		return version_place(u, n->ref + 1);
	if (n->kind != SPB_NODE_VALUE || block >= g->count)
		return 0;
	spb_at at = u->m->def[n->ref];
	if (at < g->block[block].label || at > g->block[block].end)
		return 0;
	return spb_op(u->m, at) == SpvOpPhi ? g->block[block].label : at;
}

/* A value that is uniform in the subgroup stays so only until a ray is traced. */
static void cross_repacks(struct spb_uniformity *u, uint32_t function, spb_at from, uint32_t block, uint32_t to,
			  uint8_t mask)
{
	if (!u->has_rays || u->settings.marks_only || !(mask & SPB_UNIFORM_SUBGROUP) || !spb_repacks(u, function))
		return;
	if (spb_repacks_between(u, function, from, block, place_of_use(u, to, spb_body_of(u, function)->cfg, block)))
		spb_lose(u, to, SPB_SOURCE_REPACK);
}

uint32_t spb_loops_in(struct spb_uniformity *u, uint32_t function)
{
	return spb_body_of(u, function)->cfg->loop_count;
}

/* A use of OpUndef outside functions, or of a constant that has such parts. */
static void use_undefined(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t to, uint8_t mask)
{
	const struct spb_module *m = u->m;

	while (spb_bit(u->undefined, id)) { /* descend to the part that is used */
		spb_at at = m->def[id];
		uint32_t op = spb_op(m, at), w = at + 3, type = m->words[at + 1], each = 0;
		if ((op != SpvOpConstantComposite && op != SpvOpSpecConstantComposite) || leaf == SPB_ALL ||
		    spb_op_is(spb_def_op(m, type), SPB_OP_ARRAY) || spb_leaf_count(u, type) == 1) {
			/* a broadcast of any value is one value in the subgroup */
			if (!u->settings.marks_only)
				spb_lose(u, to,
					 mask & SPB_UNIFORM_SUBGROUP ? SPB_SOURCE_UNDEFINED : SPB_SOURCE_SUBGROUP_ONLY);
			return;
		}
		for (; w < spb_next(m, at) && leaf >= (each = spb_leaves_of(u, m->words[w])); w++)
			leaf -= each;
		if (w == spb_next(m, at))
			return;
		id = m->words[w];
	}
}

void spb_use_despite_killed(struct spb_uniformity *u, uint32_t id, uint32_t to, uint32_t function, uint32_t block)
{
	const struct spb_body *body = spb_body_of(u, function);

	if (!u->settings.marks_only && spb_misses_killed(body, id, block))
		spb_add_edge(u, spb_control_node(u, function, spb_block_around(body->cfg, u->m->def[id])), to,
			     SPB_STEP_BRANCH, SPB_UNIFORM_BOTH | SPB_PERHAPS);
}

static void use_itself(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t to, uint32_t function,
		       uint32_t block, uint8_t step, uint8_t mask)
{
	const struct spb_module *m = u->m;
	spb_at def = m->def[id];
	bool global = def < m->section[SPB_SECTION_FUNCTION];

	if (!def) { /* defined by an unknown instruction */
		spb_lose(u, to, SPB_SOURCE_UNKNOWN);
		return;
	}
	if (global && u->undefined && spb_bit(u->undefined, id)) {
		use_undefined(u, id, leaf, to, mask);
		return;
	}
	if ((global && spb_is_constant(m, id)) || !spb_type_of(m, id))
		return;
	uint32_t n = spb_leaves_of(u, id), first = spb_value_node(u, id);
	uint32_t from = leaf < n ? leaf : 0, end = leaf < n ? leaf + 1 : n; /* all of them if the leaf is unknown */
	for (uint32_t i = from; i < end; i++)
		spb_add_edge(u, first + i, to, step, mask);
	if (global || function == SPB_ALL)
		return;
	bool parameter = spb_op(m, def) == SpvOpFunctionParameter;
	spb_use_despite_killed(u, id, to, function, block);
	if (spb_op(m, def) != SpvOpVariable)
		cross_repacks(u, function, parameter ? m->function[function].body : def, block, to, mask);
	if (!parameter && spb_loops_in(u, function))
		cross_loops(u, function, spb_block_in(u, function, def), block, to, id, mask);
}

/* The same from the value that a branch has found equal, in the scopes that are returned. */
static uint8_t use_equal(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t to, uint32_t function,
			 uint32_t block, uint8_t step, uint8_t mask, bool *perhaps)
{
	uint32_t other;
	uint8_t equal = spb_equal_to(u, id, leaf, function, block, &other, perhaps) & mask;

	if (equal && other) /* a constant is the same everywhere */
		use_itself(u, other, SPB_ALL, to, function, block, step, equal | (mask & SPB_PERHAPS));
	return equal;
}

/* Has the author decorated a value, or the index that selects it, for an access that a single invocation executes? A
 * chain from elsewhere does not count: it may be decorated, perhaps by an earlier run, for another access. */
static bool follows_mark(struct spb_uniformity *u, uint32_t function, uint32_t id, uint32_t depth)
{
	enum { MOST_STEPS = 4, MOST_WORDS = 10 };
	const struct spb_module *m = u->m;
	spb_at at = m->def[id];
	uint32_t op = spb_op(m, at);

	if (spb_bit(u->marked, id) && (!depth || spb_def_op(m, spb_type_of(m, id)) == SpvOpTypeInt))
		return true;
	if (depth == MOST_STEPS || at < m->section[SPB_SECTION_FUNCTION] || spb_length(m, at) > MOST_WORDS ||
	    !(spb_op_is(op, SPB_OP_FORWARDS) || op == SpvOpLoad || op == SpvOpCopyObject) ||
	    !spb_runs_alone(u, function, spb_block_in(u, function, at)))
		return false;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && follows_mark(u, function, m->words[o.word], depth + 1))
			return true;
	}
	return false;
}

/* An edge from a component of a value to its use in a block. */
void spb_use_value(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t to, uint32_t function, uint32_t block,
		   uint8_t step, uint8_t mask)
{
	if (function != SPB_ALL && u->m->def[id] >= u->m->section[SPB_SECTION_FUNCTION] &&
	    spb_may_be_equal(u, function)) {
		bool perhaps;
		uint8_t alone = spb_runs_alone(u, function, block) & mask;
		if (alone &&
		    !(u->settings.heed_marks && u->m->has & SPB_HAS_MARKS && follows_mark(u, function, id, 0))) {
			mask &= (uint8_t)~alone;
			u->graph.nodes.items[to].alone = true;
		}
		mask &= (uint8_t)~use_equal(u, id, leaf, to, function, block, step, mask, &perhaps);
		if (perhaps && mask & SPB_UNIFORM_SUBGROUP && !u->settings.silent) { /* not known to differ there */
			use_itself(u, id, leaf, to, function, block, step, SPB_UNIFORM_SUBGROUP | SPB_PERHAPS);
			mask &= (uint8_t)~SPB_UNIFORM_SUBGROUP;
		}
	}
	if (mask & SPB_UNIFORM_BOTH)
		use_itself(u, id, leaf, to, function, block, step, mask);
}

/* The node of a leaf of `root`'s contents before an instruction. */
uint32_t spb_content_node(struct spb_uniformity *u, uint32_t root)
{
	if (!spb_root_of(u, root)->content) {
		uint32_t f = spb_function_in(u, root), n = spb_leaf_count(u, spb_pointee(u->m, root));
		spb_root_of(u, root)->content = 1 + spb_node_new(u, SPB_NODE_CONTENT, root, f, n);
	}
	return spb_root_of(u, root)->content - 1;
}

/* A constant is the same in every subgroup. */
static bool stores_constant(struct spb_uniformity *u, uint32_t version)
{
	const struct spb_version *v = &u->contents.versions.items[version - 1];
	const struct spb_event *e =
	    v->event ? &u->functions.body[u->contents.memories.items[v->memory].function]->events.items[v->event - 1]
		     : NULL;

	return e && e->kind == SPB_EVENT_STORE && spb_is_constant(u->m, e->value) &&
	       !spb_region_of(u, e->pointer).weak && !(u->undefined && spb_bit(u->undefined, e->value)) &&
	       spb_region_of(u, e->pointer).count == spb_leaf_count(u, spb_pointee(u->m, e->root));
}

/* An edge from component `leaf` of a version to its use in a block. */
void spb_use_version(struct spb_uniformity *u, uint32_t version, uint32_t leaf, uint32_t to, uint32_t function,
		     uint32_t block, uint8_t step, uint8_t mask)
{
	spb_add_edge(u, u->contents.versions.items[version - 1].node + leaf, to, step, mask);
	if (spb_loops_in(u, function))
		cross_loops(u, function, version_block(u, version), block, to, 0, SPB_UNIFORM_BOTH);
	if (!stores_constant(u, version))
		cross_repacks(u, function, version_place(u, version), block, to, SPB_UNIFORM_BOTH);
}

/* The leaves of a region to which leaf `leaf` of a value with `leaves` leaves corresponds. */
static void map_leaf(struct spb_region r, uint32_t leaf, uint32_t leaves, uint32_t *first, uint32_t *end)
{
	*first = r.first;
	*end = r.first + r.count;
	if (leaves == r.count) {
		*first = r.first + leaf;
		*end = *first + 1;
	}
}

/* An edge from a leaf of the memory behind a pointer at any time, since it may be written under another name. */
void spb_use_content(struct spb_uniformity *u, uint32_t pointer, uint32_t leaf, uint32_t leaves, uint32_t to)
{
	struct spb_region r = spb_region_of(u, pointer);
	uint32_t first, end;

	map_leaf(r, leaf, leaves, &first, &end);
	for (uint32_t i = first; i < end; i++)
		spb_link(u, spb_content_node(u, r.root) + i, to, SPB_STEP_STORED);
}

/* An edge from a leaf of the memory behind a pointer, as it is before `at`. */
void spb_use_memory(struct spb_uniformity *u, uint32_t pointer, uint32_t leaf, uint32_t leaves, uint32_t to,
		    uint32_t function, uint32_t block, spb_at at, uint8_t step)
{
	struct spb_region r = spb_region_of(u, pointer);
	uint32_t first, end, version = 0;

	map_leaf(r, leaf, leaves, &first, &end);
	if (spb_is_own_memory(u, r.root)) {
		struct spb_memory *y = spb_memory_of(u, r.root);
		if (!y->flat && y->function == function) /* otherwise the module is invalid */
			version = spb_version_before(u, y, block, at);
	}
	for (uint32_t i = first; i < end; i++) {
		if (version)
			spb_use_version(u, version, i, to, function, block, step, SPB_UNIFORM_BOTH);
		else
			spb_link(u, spb_content_node(u, r.root) + i, to, step);
	}
}

void spb_use_branches(struct spb_uniformity *u, uint32_t node, uint32_t function, uint32_t join, uint8_t mask)
{
	struct spb_body *body = spb_body_of(u, function);
	struct spb_list *branches = &u->reads.branches;
	bool all;

	if (u->settings.marks_only)
		return;
	spb_join_branches(u, body, join, branches, &all);
	if (all)
		spb_lose(u, node, SPB_SOURCE_UNKNOWN);
	for (size_t i = 0; i < branches->count; i++) {
		uint32_t condition = spb_condition(body->cfg, branches->items[i]);
		if (!condition) /* killed invocations, which all go one way */
			continue;
		spb_use_value(u, condition, SPB_ALL, node, function, branches->items[i], SPB_STEP_BRANCH, mask);
		/* invocations of other subgroups, which took the other branch, may have joined since */
		cross_repacks(u, function, body->cfg->block[branches->items[i]].end, join, node, SPB_UNIFORM_BOTH);
	}
}
