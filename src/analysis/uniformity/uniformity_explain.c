/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_explain: why a value differs, as the path back to the cause; or why it does not, as what it is computed
 * from. */
#include "analysis/uniformity/uniformity_graph.h"

static const char *const how[] = {
    [SPB_STEP_DATA] = "is computed from",
    [SPB_STEP_ADDRESS] = "is loaded from an address that depends on",
    [SPB_STEP_BRANCH] = "is decided by the branch on",
    [SPB_STEP_LOOP] = "comes from a loop that invocations leave in different iterations because of",
    [SPB_STEP_STORED] = "holds the stored value of",
    [SPB_STEP_ARGUMENT] = "receives the argument",
    [SPB_STEP_RETURNED] = "is returned by",
    [SPB_STEP_THROUGH] = "is computed by a function from",
};

/* Divergent by definition: per-invocation memory, or the result of an instruction. */
static const char *varying_text(const struct spb_module *m, const struct spb_node *n)
{
	static const struct {
		const char *begins, *text;
	} names[] = {
	    {"OpRayQuery", "is the state of a ray query, which each invocation has for itself"},
	    {"OpHitObject", "is the state of a hit object, which each invocation has for itself"},
	    {"OpAtomic", "is the result of an atomic instruction, another one for each invocation"},
	    {"OpGroupNonUniformElect", "is true for one invocation of the subgroup only"},
	    {"OpGroup", "is what a group operation returns to each invocation for itself"},
	    {"OpImage", "is read from an input attachment, at the place of the fragment"},
	    {"OpExtInst", "is interpolated for each invocation"},
	};
	spb_at at = n->kind == SPB_NODE_VALUE ? m->def[n->ref] : 0;

	if (spb_op(m, at) == SpvOpLoad) {
		switch (spb_pointer_class(m, m->words[at + 3])) {
		case SpvStorageClassShaderRecordBufferKHR:
			return "is read from the shader record, which may be another for each invocation";
		case SpvStorageClassHitAttributeKHR:
			return "is a hit attribute, which each invocation has for itself";
		case SpvStorageClassCallableDataKHR:
		case SpvStorageClassIncomingCallableDataKHR:
			return "is callable data, which each invocation has for itself";
		default:
			return "is a ray payload, which each invocation has for itself";
		}
	}
	for (size_t i = 0; at && i < SPB_COUNT(names); i++) {
		if (!strncmp(spb_op_name(spb_op(m, at)), names[i].begins, strlen(names[i].begins)))
			return names[i].text;
	}
	return "differs between invocations by definition";
}

static const char *source_text(const struct spb_uniformity *u, const struct spb_node *n)
{
	switch ((enum spb_source)n->source) {
	case SPB_SOURCE_MARK:
		return "is decorated NonUniform in the input";
	case SPB_SOURCE_VARYING:
		return varying_text(u->m, n);
	case SPB_SOURCE_BUILTIN:
		return "is a built-in that differs between invocations";
	case SPB_SOURCE_INPUT:
		return "is an input of each invocation";
	case SPB_SOURCE_SUBGROUP_ONLY:
	case SPB_SOURCE_BROADCAST:
		return u->settings.quad ? "is uniform only within a quad" : "is uniform only within a subgroup";
	case SPB_SOURCE_OF_STAGE:
		return "is an input to which the stage before may write several values within a draw";
	case SPB_SOURCE_SHUFFLE:
		return "comes from another invocation, which may not run or may belong to another group";
	case SPB_SOURCE_READ:
	case SPB_SOURCE_INHERITED:
		return "is uniform only within one draw or launch, and a subgroup may span several";
	case SPB_SOURCE_REPACK:
		return "was computed before a ray was traced, which may move invocations to other subgroups";
	case SPB_SOURCE_WRITTEN:
		return "is read from memory that this shader writes or that others may write concurrently";
	case SPB_SOURCE_MEMORY:
		return "is read from memory about which nothing is known";
	case SPB_SOURCE_UNDEFINED:
		return "is undefined";
	case SPB_SOURCE_PARAMETER:
		return "is a parameter of a function whose callers are unknown";
	case SPB_SOURCE_UNKNOWN:
	case SPB_SOURCE_NONE:
		break;
	}
	return "is computed by an instruction about which nothing is known";
}

static bool is_of_draw(uint8_t source)
{
	return source == SPB_SOURCE_READ || source == SPB_SOURCE_INHERITED;
}

static spb_at place_of_block(const struct spb_uniformity *u, uint32_t function, uint32_t block)
{
	const struct spb_body *body = u->functions.body[function];

	return body && block < body->cfg->count ? body->cfg->block[block].end : 0;
}

/* The id and place to mention for a node. */
static void describe(const struct spb_uniformity *u, uint32_t node, struct spb_reason *r)
{
	const struct spb_module *m = u->m;
	const struct spb_node *n = &u->graph.nodes.items[node];
	const struct spb_version *v;
	const struct spb_memory *y;

	switch ((enum spb_node_kind)n->kind) {
	case SPB_NODE_VALUE:
		r->id = n->ref;
		r->at = m->def[n->ref];
		break;
	case SPB_NODE_CONTENT:
	case SPB_NODE_IN:
	case SPB_NODE_OUT:
		r->id = n->ref;
		r->at = m->def[n->ref];
		break;
	case SPB_NODE_VERSION:
		v = &u->contents.versions.items[n->ref];
		y = &u->contents.memories.items[v->memory];
		r->id = y->root;
		r->at = v->event ? u->functions.body[y->function]->events.items[v->event - 1].at
			: v->phi ? u->functions.body[y->function]->cfg->block[y->phi[v->phi - 1].block].label
				 : m->def[y->root];
		break;
	case SPB_NODE_RESULT:
	case SPB_NODE_ENTRY:
		r->id = m->words[m->function[n->ref].at + 2];
		r->at = m->function[n->ref].at;
		break;
	case SPB_NODE_GONE:
		break;
	case SPB_NODE_CONTROL:
		r->at = place_of_block(u, n->function - 1, n->ref);
		break;
	case SPB_NODE_LOOP:
		r->at = place_of_block(u, n->function - 1,
				       u->functions.body[n->function - 1]->cfg->loops[n->ref - 1].header);
		break;
	case SPB_NODE_USE:
		r->id = m->words[n->ref];
		r->at = m->def[r->id];
		break;
	}
}

/* Does the node add nothing to its neighbour? It is a use, or a version of the variable just named. */
static bool is_passed_over(const struct spb_uniformity *u, uint32_t node)
{
	uint8_t kind = u->graph.nodes.items[node].kind;

	return kind == SPB_NODE_USE || kind == SPB_NODE_LOOP || kind == SPB_NODE_CONTROL || kind == SPB_NODE_ENTRY ||
	       kind == SPB_NODE_GONE;
}

/* A loaded value is better described by the variable than by the load. */
static void name_variable(struct spb_uniformity *u, const struct spb_node *n, struct spb_reason *r)
{
	uint32_t root;

	bool names = n->source >= SPB_SOURCE_INPUT || n->source == SPB_SOURCE_VARYING || n->fact == SPB_FACT_SHARED;
	if (n->kind != SPB_NODE_VALUE || !names || spb_op(u->m, r->at) != SpvOpLoad)
		return;
	root = spb_region_of(u, u->m->words[r->at + 3]).root;
	if (root)
		r->id = root;
}

enum { MAX_WALKED = 256, MAX_LOOKED_AT = 4096, MIN_LOOKED_AT = 128, FREE_LOOKS = 65536, LOOKS_PER_EDGE = 16 };

/* The end of the path from a node; remembered for all nodes on the path. */
static uint32_t end_of_path(struct spb_uniformity *u, int b, uint32_t node)
{
	uint32_t end = node;

	if (!u->explained.ended[b])
		u->explained.ended[b] = spb_alloc_zeroed(u->arena, u->graph.nodes.count, sizeof *u->explained.ended[b]);
	while (u->solution.cause[b][end] && !u->explained.ended[b][end])
		end = u->graph.edges.items[u->solution.cause[b][end] - 1].from;
	if (u->explained.ended[b][end])
		end = u->explained.ended[b][end] - 1;
	while (u->solution.cause[b][node] && !u->explained.ended[b][node]) {
		u->explained.ended[b][node] = end + 1;
		node = u->graph.edges.items[u->solution.cause[b][node] - 1].from;
	}
	return end;
}

static spb_at racing_store(const struct spb_uniformity *u, uint32_t node)
{
	for (size_t i = 0; i < u->sections.races.count; i++) {
		if (u->sections.races.items[i].node == node)
			return u->sections.races.items[i].store;
	}
	return 0;
}

uint32_t spb_uniformity_why(struct spb_uniformity *u, uint32_t question, uint8_t scope, struct spb_reason *steps,
			    uint32_t most)
{
	int b = scope == SPB_UNIFORM_SUBGROUP;
	uint32_t node = question, count = 0;
	uint8_t step = SPB_STEP_DATA;

	assert(u->solution.found[question].lost & scope);
	for (uint32_t walked = 0;; walked++) {
		if (walked == MAX_WALKED)
			node = end_of_path(u, b, node);
		const struct spb_node *n = &u->graph.nodes.items[node];
		uint32_t cause = u->solution.cause[b][node];
		struct spb_reason r = {.how = how[step], .plain = step == SPB_STEP_DATA || step == SPB_STEP_STORED};
		describe(u, node, &r);
		bool again = count && steps[count - 1].id == r.id && step == SPB_STEP_STORED;
		if (node != question && !is_passed_over(u, node) && !again && count < most) {
			steps[count++] = r;
			step = SPB_STEP_DATA;
		}
		if (!cause) {
			if (count == most)
				count--;
			r.how = source_text(u, n);
			r.ends = true;
			name_variable(u, n, &r);
			r.builtin = n->source == SPB_SOURCE_BUILTIN ? n->builtin + 1 : 0;
			r.store = racing_store(u, node);
			r.stages = n->source == SPB_SOURCE_BUILTIN || is_of_draw(n->source)
				       ? u->solution.cause_stage[node]
				       : 0;
			steps[count++] = r;
			return count;
		}
		const struct spb_edge *e = &u->graph.edges.items[cause - 1];
		/* a skipped node keeps the stronger of two verbs */
		step = step == SPB_STEP_LOOP || step == SPB_STEP_BRANCH ? step : e->step;
		node = e->from;
	}
}

static void make_back_lists(struct spb_uniformity *u)
{
	u->explained.first_back = spb_alloc_zeroed(u->arena, u->graph.nodes.count, sizeof *u->explained.first_back);
	u->explained.next_back = spb_alloc_array(u->arena, u->graph.edges.count, sizeof *u->explained.next_back);
	u->explained.seen = spb_alloc_zeroed(u->arena, u->graph.nodes.count, sizeof *u->explained.seen);
	for (size_t i = u->graph.edges.count; i-- > 0;) {
		u->explained.next_back[i] = u->explained.first_back[u->graph.edges.items[i].to];
		u->explained.first_back[u->graph.edges.items[i].to] = (uint32_t)i + 1;
	}
}

static const char *proof_text(const struct spb_node *n)
{
	if (n->trusted)
		return "is decorated Uniform";
	if (n->fact == SPB_FACT_SIZE)
		return "is uniform for this workgroup size";
	if (n->fact == SPB_FACT_SHARED)
		return "is shared memory that nothing writes between two barriers";
	if (n->source == SPB_SOURCE_READ)
		return "is memory that nothing writes";
	if (n->source == SPB_SOURCE_INHERITED)
		return "has one value for the whole draw";
	if (n->source == SPB_SOURCE_BUILTIN)
		return "is a built-in that is the same in all invocations";
	if (n->source == SPB_SOURCE_SUBGROUP_ONLY || n->source == SPB_SOURCE_BROADCAST)
		return "is made uniform by a subgroup operation";
	return NULL;
}

static void add_proof(struct spb_uniformity *u, uint32_t node, struct spb_reason *steps, uint32_t *count, uint32_t most)
{
	const struct spb_node *n = &u->graph.nodes.items[node];
	struct spb_reason r = {.how = proof_text(n), .ends = true};

	if (!r.how || *count == most)
		return;
	describe(u, node, &r);
	name_variable(u, n, &r);
	r.builtin = n->source == SPB_SOURCE_BUILTIN && n->fact != SPB_FACT_SIZE ? n->builtin + 1 : 0;
	if (n->source == SPB_SOURCE_INHERITED) {
		const struct spb_inherited *k = spb_inherits(u, r.id, 0);
		r.from = k ? k->from : NULL;
		r.store = k ? k->store : 0;
	}
	for (uint32_t i = 0; i < *count; i++) {
		if (steps[i].id == r.id)
			return;
	}
	steps[(*count)++] = r;
}

uint32_t spb_uniformity_proof(struct spb_uniformity *u, uint32_t question, struct spb_reason *steps, uint32_t most)
{
	struct spb_list *list = &u->explained.proof;
	uint32_t count = 0, looked_at = 0;
	/* with many long proofs, the later ones are kept short */
	uint32_t limit =
	    u->explained.looked_at < FREE_LOOKS + LOOKS_PER_EDGE * u->graph.edges.count ? MAX_LOOKED_AT : MIN_LOOKED_AT;

	if (!u->explained.first_back)
		make_back_lists(u);
	u->explained.seen[question] = ++u->explained.generation;
	list->count = 0;
	SPB_PUSH(u->arena, list, question);
	for (size_t i = 0; i < list->count && looked_at < limit; i++) {
		add_proof(u, list->items[i], steps, &count, most);
		for (uint32_t e = u->explained.first_back[list->items[i]]; e && looked_at++ < limit;
		     e = u->explained.next_back[e - 1]) {
			uint32_t from = u->graph.edges.items[e - 1].from;
			/* what differs for other callers is not part of this proof */
			if (u->explained.seen[from] == u->explained.generation ||
			    u->solution.found[from].lost & ~u->solution.found[question].lost)
				continue;
			u->explained.seen[from] = u->explained.generation;
			SPB_PUSH(u->arena, list, from);
		}
	}
	u->explained.looked_at += looked_at;
	if (!count && most && u->graph.nodes.items[question].alone)
		steps[count++] = (struct spb_reason){.how = "is executed by a single invocation", .ends = true};
	return count;
}
