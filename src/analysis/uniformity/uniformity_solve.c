/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_solve: propagates divergence forward, from its sources to everything that depends on them.
 *
 * One run for each entry point (or for each kind of stage, if there are many), over the functions that it reaches.
 * Divergence goes into the functions that are called with a divergent value, but not out of them to other callers: the
 * dependence of a call's results on its arguments is known as edges, computed beforehand from the callees up (summaries
 * as in Horwitz, Reps and Binkley). So a node is reached in one of two states: ascending, which may leave by a return,
 * or descending, which has come in by an argument and may not.
 *
 * Values known to differ go first, so that explanations name them rather than something about which nothing is
 * known. */
#include "analysis/uniformity/uniformity_graph.h"

enum {
	MAX_RUNS = 8,
	MAX_PRODUCT = 4096,
	FREE_PRODUCT = 64,
	FREE_PRODUCTS = 65536, /* for all calls with more than that together */
	PRODUCTS_PER_EDGE = 8,
	LAST_BIT = 63,
	ASCENDING = 0,
	DESCENDING = 2,
	FEW = 64,              /* nodes, edges: enough for most modules */
	LARGE_MODULE = 1 << 20 /* words: its drafts are worth returning to the system */
};

struct solver {
	struct spb_uniformity *u;
	uint32_t *next; /* [edges] next edge from the same node, + 1 */
	size_t next_capacity;
	uint64_t products; /* arguments times results: edges of the larger calls so far */
	size_t edge_count; /* without the edges through calls */
	uint64_t *from_in; /* [nodes] inputs of its function that a node depends on, as bits */
	uint64_t *surely;  /* ... without SPB_PERHAPS on the way; the same array if no edge has it */
	uint8_t *bit_of;   /* [nodes] for an input: its bit */
	uint8_t *state;    /* [nodes] in this run: bits G and S, ascending and descending */
	uint32_t *queue;   /* [nodes] first a stack, later a ring buffer; each node is in it at most once */
	struct spb_list sources;
	uint32_t *by_call_first[2], *by_call[2]; /* ARGUMENT and RETURNED edges of a call */
};

static void add_to_lists(struct solver *s, uint32_t edge)
{
	struct spb_uniformity *u = s->u;
	uint32_t from = u->graph.edges.items[edge].from;

	s->next = spb_reserve(u->arena, s->next, edge, 1, &s->next_capacity, sizeof *s->next);
	s->next[edge] = u->solution.first_edge[from];
	u->solution.first_edge[from] = edge + 1;
}

static void make_lists(struct solver *s)
{
	struct spb_uniformity *u = s->u;

	u->solution.first_edge = spb_alloc_zeroed(u->arena, u->graph.nodes.count, sizeof *u->solution.first_edge);
	s->next = spb_reserve(u->arena, NULL, 0, u->graph.edges.count, &s->next_capacity, sizeof *s->next);
	for (size_t i = u->graph.edges.count; i-- > 0;) { /* backwards, so that they come out in order */
		uint32_t from = u->graph.edges.items[i].from;
		s->next[i] = u->solution.first_edge[from];
		u->solution.first_edge[from] = (uint32_t)i + 1;
	}
}

/* Summaries of calls */

static void sort_by_call(struct solver *s, int which, uint8_t step)
{
	struct spb_uniformity *u = s->u;
	uint32_t n = (uint32_t)u->functions.sites.count, total = 0;
	uint32_t *first = spb_alloc_zeroed(u->arena, n + 2, sizeof *first), *list;

	for (size_t i = 0; i < u->graph.crossings.count; i++) {
		struct spb_crossing c = u->graph.crossings.items[i];
		first[c.call + 1] += u->graph.edges.items[c.edge].step == step;
	}
	for (uint32_t c = 0; c <= n; c++)
		first[c + 1] += first[c];
	total = first[n + 1];
	list = spb_alloc_array(u->arena, total, sizeof *list);
	uint32_t *at = spb_alloc_array(u->arena, n + 2, sizeof *at);
	memcpy(at, first, (n + 2) * sizeof *at);
	for (size_t i = 0; i < u->graph.crossings.count; i++) {
		struct spb_crossing c = u->graph.crossings.items[i];
		if (u->graph.edges.items[c.edge].step == step)
			list[at[c.call]++] = c.edge;
	}
	s->by_call_first[which] = first;
	s->by_call[which] = list;
}

static void add_through(struct solver *s, uint32_t from, uint32_t to, uint8_t mask)
{
	struct spb_uniformity *u = s->u;

	if (from == to)
		return;
	SPB_PUSH(u->arena, &u->graph.edges, ((struct spb_edge){from, to, SPB_STEP_THROUGH, mask}));
	add_to_lists(s, (uint32_t)u->graph.edges.count - 1);
}

static void summarize_call(struct solver *s, uint32_t call)
{
	struct spb_uniformity *u = s->u;
	uint32_t a0 = s->by_call_first[0][call], a1 = s->by_call_first[0][call + 1];
	uint32_t r0 = s->by_call_first[1][call], r1 = s->by_call_first[1][call + 1];

	uint64_t product = (uint64_t)(a1 - a0) * (r1 - r0);

	s->products += product > FREE_PRODUCT && product <= MAX_PRODUCT ? product : 0;
	if (product > MAX_PRODUCT ||
	    (product > FREE_PRODUCT && s->products > FREE_PRODUCTS + PRODUCTS_PER_EDGE * (uint64_t)s->edge_count)) {
		/* all arguments to all results */
		uint32_t to = u->graph.edges.items[s->by_call[1][r0]].to;
		for (uint32_t a = a0; a < a1; a++)
			add_through(s, u->graph.edges.items[s->by_call[0][a]].from, to, SPB_UNIFORM_BOTH);
		for (uint32_t r = r0 + 1; r < r1; r++)
			add_through(s, to, u->graph.edges.items[s->by_call[1][r]].to, SPB_UNIFORM_BOTH);
		return;
	}
	for (uint32_t r = r0; r < r1; r++) {
		struct spb_edge back = u->graph.edges.items[s->by_call[1][r]];
		for (uint32_t a = a0; a < a1; a++) {
			struct spb_edge in = u->graph.edges.items[s->by_call[0][a]];
			bool perhaps = !(s->surely[back.from] >> s->bit_of[in.to] & 1);
			if (s->from_in[back.from] >> s->bit_of[in.to] & 1)
				add_through(s, in.from, back.to, (in.mask & back.mask) | (perhaps ? SPB_PERHAPS : 0));
		}
	}
}

static bool is_input(const struct spb_uniformity *u, uint32_t node)
{
	const struct spb_node *n = &u->graph.nodes.items[node];

	return n->kind == SPB_NODE_IN ||
	       (n->kind == SPB_NODE_VALUE && spb_def_op(u->m, n->ref) == SpvOpFunctionParameter);
}

/* A node outside of functions: its inputs do not depend on the caller. */
static bool is_global(uint8_t kind)
{
	return kind == SPB_NODE_CONTENT || kind == SPB_NODE_GONE;
}

/* Follows the inputs of a function to everything in it that depends on them, by edges without a bit in `but`. */
static void follow_inputs(struct solver *s, uint64_t *from_in, uint8_t but, const uint32_t *inputs, uint32_t count)
{
	struct spb_uniformity *u = s->u;
	uint32_t depth = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = inputs[i];
		const uint32_t number = i < LAST_BIT ? i : LAST_BIT; /* with this many inputs, the rest share a bit */
		const uint64_t bit = 1ull << number;
		s->bit_of[node] = (uint8_t)number;
		if (from_in[node] & bit)
			continue;
		from_in[node] |= bit;
		s->queue[depth++] = node;
		while (depth) {
			uint32_t from = s->queue[--depth];
			for (uint32_t e = u->solution.first_edge[from]; e; e = s->next[e - 1]) {
				const struct spb_edge *edge = &u->graph.edges.items[e - 1];
				const struct spb_node *to = &u->graph.nodes.items[edge->to];
				if (edge->step == SPB_STEP_ARGUMENT || edge->step == SPB_STEP_RETURNED ||
				    edge->mask & but || is_global(to->kind) || to->kind == SPB_NODE_ENTRY ||
				    from_in[edge->to] & bit)
					continue;
				from_in[edge->to] |= bit;
				s->queue[depth++] = edge->to;
			}
		}
	}
}

/* Orders functions so that callees come before their callers. Recursion, which shaders do not have, may be in any
 * order. */
static uint32_t *callees_first(struct spb_uniformity *u)
{
	uint32_t n = u->m->function_count, count = 0, depth = 0;
	uint32_t *order = spb_alloc_array(u->arena, n, sizeof *order),
		 *stack = spb_alloc_array(u->arena, n, sizeof *stack);
	uint32_t *next = spb_alloc_array(u->arena, n, sizeof *next);
	uint8_t *seen = spb_alloc_zeroed(u->arena, n, 1);

	for (uint32_t f = 0; f < n; f++) {
		if (seen[f])
			continue;
		seen[f] = 1;
		next[f] = u->calls->first[f];
		stack[depth++] = f;
		while (depth) {
			uint32_t top = stack[depth - 1];
			if (next[top] == u->calls->first[top + 1]) {
				order[count++] = top;
				depth--;
				continue;
			}
			uint32_t callee = u->calls->callees.items[next[top]++];
			if (seen[callee])
				continue;
			seen[callee] = 1;
			next[callee] = u->calls->first[callee];
			stack[depth++] = callee;
		}
	}
	return order;
}

static void summarize(struct solver *s)
{
	struct spb_uniformity *u = s->u;
	uint32_t n = u->m->function_count, *order, *first, *list, *at;
	uint32_t *rank;

	if (!u->functions.sites.count)
		return;
	s->edge_count = u->graph.edges.count;
	s->from_in = spb_alloc_zeroed(u->arena, u->graph.nodes.count, sizeof *s->from_in);
	s->surely =
	    u->graph.any_perhaps ? spb_alloc_zeroed(u->arena, u->graph.nodes.count, sizeof *s->surely) : s->from_in;
	s->bit_of = spb_alloc_zeroed(u->arena, u->graph.nodes.count, 1);
	sort_by_call(s, 0, SPB_STEP_ARGUMENT);
	sort_by_call(s, 1, SPB_STEP_RETURNED);
	first = spb_alloc_zeroed(u->arena, n + 2, sizeof *first);
	for (uint32_t i = 0; i < u->graph.nodes.count; i++)
		first[u->graph.nodes.items[i].function + 1] += is_input(u, i); /* function 0 stands for the module,
										* which has no inputs */
	for (uint32_t f = 0; f <= n; f++)
		first[f + 1] += first[f];
	list = spb_alloc_array(u->arena, first[n + 1], sizeof *list);
	at = spb_alloc_array(u->arena, n + 2, sizeof *at);
	memcpy(at, first, (n + 2) * sizeof *at);
	for (uint32_t i = 0; i < u->graph.nodes.count; i++) {
		if (is_input(u, i))
			list[at[u->graph.nodes.items[i].function]++] = i;
	}
	order = callees_first(u);
	rank = spb_alloc_array(u->arena, n, sizeof *rank);
	for (uint32_t i = 0; i < n; i++)
		rank[order[i]] = i;
	/* calls by caller: sites are in module order, so those of a function are contiguous */
	uint32_t *site_first = spb_alloc_zeroed(u->arena, n + 1, sizeof *site_first);
	for (uint32_t f = 0, i = 0; f < n; f++) {
		while (i < u->functions.sites.count && u->functions.sites.items[i] < u->m->function[f].end)
			i++;
		site_first[f + 1] = i;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t f = order[i];
		for (uint32_t c = site_first[f]; c < site_first[f + 1]; c++) {
			uint32_t callee = u->calls->function_of[u->m->words[u->functions.sites.items[c] + 3]] - 1;
			if (rank[callee] < i) {
				summarize_call(s, c);
				continue;
			}
			for (uint32_t r = s->by_call_first[1][c]; r < s->by_call_first[1][c + 1]; r++)
				u->graph.nodes.items[u->graph.edges.items[s->by_call[1][r]].to].source =
				    SPB_SOURCE_UNKNOWN;
		}
		follow_inputs(s, s->from_in, 0, list + first[f + 1], first[f + 2] - first[f + 1]);
		if (s->surely != s->from_in)
			follow_inputs(s, s->surely, SPB_PERHAPS, list + first[f + 1], first[f + 2] - first[f + 1]);
	}
}

/* Runs */

struct run {
	uint32_t groups;   /* SPB_…_STAGES */
	uint32_t stages;   /* as bits of spb_stage_bit; 0: not called from an entry point */
	uint32_t *reached; /* bits over functions */
};

static uint32_t group_of(uint32_t model)
{
	switch (model) {
	case SpvExecutionModelVertex:
	case SpvExecutionModelTessellationControl:
	case SpvExecutionModelTessellationEvaluation:
	case SpvExecutionModelGeometry:
		return SPB_GEOMETRY_STAGES;
	case SpvExecutionModelFragment:
		return SPB_FRAGMENT_STAGE;
	case SpvExecutionModelRayGenerationKHR:
	case SpvExecutionModelIntersectionKHR:
	case SpvExecutionModelAnyHitKHR:
	case SpvExecutionModelClosestHitKHR:
	case SpvExecutionModelMissKHR:
	case SpvExecutionModelCallableKHR:
		return SPB_RAY_STAGES;
	case SpvExecutionModelTaskNV:
	case SpvExecutionModelMeshNV:
	case SpvExecutionModelTaskEXT:
	case SpvExecutionModelMeshEXT:
		return SPB_MESH_STAGES;
	default:
		return SPB_COMPUTE_STAGE;
	}
}

/* One run for each entry point, or for each group of stages; and one for what no entry point reaches. */
static uint32_t make_runs(struct spb_uniformity *u, struct run *runs)
{
	const struct spb_module *m = u->m;
	uint32_t entries = 0, count = 0, *others = spb_bits(u->arena, m->function_count);
	bool rest = false;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at))
		entries += spb_op(m, at) == SpvOpEntryPoint;
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		uint32_t i = count, group;
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		group = group_of(m->words[at + 1]);
		for (i = 0; i < count; i++) {
			if (entries > MAX_RUNS && runs[i].groups == group)
				break;
		}
		if (i == count)
			runs[count++] = (struct run){.groups = group, .reached = spb_bits(u->arena, m->function_count)};
		runs[i].stages |= spb_stage_bit(m->words[at + 1]);
		spb_add_reached(u->calls, m->words[at + 2], runs[i].reached, u->reach.reached);
		spb_add_called_otherwise(u, runs[i].reached); /* by any of them */
	}
	for (uint32_t f = 0; f < m->function_count; f++) {
		bool reached = false;
		for (uint32_t i = 0; i < count; i++)
			reached |= spb_bit(runs[i].reached, f);
		if (!reached)
			spb_set_bit(others, f);
		rest |= !reached;
	}
	if (rest)
		runs[count++] = (struct run){.groups = SPB_ALL_STAGES, .reached = others};
	return count;
}

/* How certain a source is. A node that several sources reach counts as reached by the first of them in this order. */
enum grade { DIFFERS, UNKNOWN, UNLIKELY, GRADES };

static enum grade grade_of(const struct spb_uniformity *u, const struct spb_node *n)
{
	if (n->source == SPB_SOURCE_BUILTIN && u->settings.for_outputs &&
	    spb_uniformity_builtin(n->builtin, SPB_GEOMETRY_STAGES) & SPB_UNIFORM_GROUP)
		return UNKNOWN; /* hardware may pack several draws */
	return n->source < SPB_SOURCE_WRITTEN ? DIFFERS : n->source == SPB_SOURCE_UNDEFINED ? UNLIKELY : UNKNOWN;
}

/* The bits that a source removes from its node in a run. */
static uint8_t taken(const struct spb_uniformity *u, const struct spb_node *n, const struct run *r)
{
	bool own_group = r->groups & ~(uint32_t)SPB_GROUP_STAGES; /* a subgroup may span several groups */
	uint8_t bits = 0;

	switch ((enum spb_source)n->source) {
	case SPB_SOURCE_NONE:
		return 0;
	case SPB_SOURCE_MARK:
		return SPB_UNIFORM_BOTH;
	case SPB_SOURCE_BUILTIN:
		bits = SPB_UNIFORM_BOTH;
		if (!u->settings.for_outputs)
			bits &= (uint8_t)~spb_uniformity_builtin(n->builtin, r->groups);
		if (u->settings.lanes && n->builtin == SpvBuiltInSubgroupLocalInvocationId && !own_group)
			bits &= (uint8_t)~SPB_UNIFORM_GROUP;
		break;
	case SPB_SOURCE_SUBGROUP_ONLY:
		bits = SPB_UNIFORM_GROUP;
		break;
	case SPB_SOURCE_BROADCAST:
		bits = own_group ? SPB_UNIFORM_GROUP : 0;
		break;
	case SPB_SOURCE_REPACK: /* the node may also be a READ */
		bits = own_group ? SPB_UNIFORM_SUBGROUP : 0;
		break;
	case SPB_SOURCE_READ:
	case SPB_SOURCE_INHERITED:
		bits = own_group && !u->settings.quad ? SPB_UNIFORM_SUBGROUP : 0;
		break;
	case SPB_SOURCE_VARYING:
	case SPB_SOURCE_INPUT:
	case SPB_SOURCE_WRITTEN:
	case SPB_SOURCE_MEMORY:
	case SPB_SOURCE_UNKNOWN:
	case SPB_SOURCE_UNDEFINED:
	case SPB_SOURCE_OF_STAGE:
	case SPB_SOURCE_SHUFFLE:
	case SPB_SOURCE_PARAMETER:
		bits = SPB_UNIFORM_BOTH;
		break;
	}
	return bits & (uint8_t)~n->trusted;
}

struct wave {
	struct solver *s;
	const struct run *run;
	enum grade grade;
	uint32_t head, waiting; /* indexes into the ring buffer */
};

/* state: bits 0, 1: G, S ascending; 2, 3: descending; 4: in the queue. */
static void reach_node(struct wave *w, uint32_t node, uint8_t bits, int way, uint32_t edge)
{
	struct spb_uniformity *u = w->s->u;
	const struct spb_node *n = &u->graph.nodes.items[node];
	uint8_t *state = &w->s->state[node];

	if (n->function && !spb_bit(w->run->reached, n->function - 1))
		return;
	if (edge && n->source != SPB_SOURCE_MARK)
		bits &= (uint8_t)~n->trusted;
	bits &= (uint8_t) ~*state; /* an ascending node counts as descending, too */
	if (way == DESCENDING)
		bits &= (uint8_t) ~(*state >> 2);
	if (!bits)
		return;
	*state |= (uint8_t)(bits << way);
	struct spb_loss *found = &u->solution.found[node];
	bits &= (uint8_t)~found->lost;
	found->lost |= bits;
	if (w->grade == DIFFERS)
		found->certain |= bits;
	if (w->grade == UNLIKELY)
		found->unlikely |= bits;
	for (int b = 0; b < 2 && !u->settings.silent; b++) {
		if (!(bits >> b & 1))
			continue;
		u->solution.cause[b][node] = edge;
		if (!edge)
			u->solution.cause_stage[node] = w->run->stages;
	}
	if (!(*state & 16)) {
		*state |= 16;
		w->s->queue[(w->head + w->waiting++) % u->graph.nodes.count] = node;
	}
}

static void spread(struct wave *w)
{
	struct solver *s = w->s;
	struct spb_uniformity *u = s->u;

	for (uint32_t i = 0; i < s->sources.count; i++) {
		const struct spb_node *n = &u->graph.nodes.items[s->sources.items[i]];
		bool again =
		    grade_of(u, n) < w->grade && (w->grade == UNKNOWN ? u->graph.any_perhaps : u->graph.any_unlikely);
		if (grade_of(u, n) == w->grade || again)
			reach_node(w, s->sources.items[i], taken(u, n, w->run), ASCENDING, 0);
	}
	while (w->waiting) {
		uint32_t node = s->queue[w->head];
		uint8_t *state = &s->state[node];
		uint8_t up = *state & 3, down = *state >> 2 & 3;
		*state &= (uint8_t)~16;
		w->head = (uint32_t)((w->head + 1) % u->graph.nodes.count);
		w->waiting--;
		for (uint32_t e = u->solution.first_edge[node]; e; e = s->next[e - 1]) {
			const struct spb_edge *edge = &u->graph.edges.items[e - 1];
			bool global = is_global(u->graph.nodes.items[edge->to].kind);
			if ((w->grade == DIFFERS && edge->mask & SPB_PERHAPS) ||
			    (w->grade == UNKNOWN && edge->mask & SPB_UNLIKELY))
				continue; /* the next wave takes it */
			switch (edge->step) {
			case SPB_STEP_ARGUMENT:
				reach_node(w, edge->to, (up | down) & edge->mask, DESCENDING, e);
				break;
			case SPB_STEP_RETURNED:
				reach_node(w, edge->to, up & edge->mask, ASCENDING, e);
				break;
			default:
				reach_node(w, edge->to, (global ? up | down : up) & edge->mask, ASCENDING, e);
				if (!global)
					reach_node(w, edge->to, down & edge->mask, DESCENDING, e);
				break;
			}
		}
	}
}

void spb_uniformity_solve(struct spb_uniformity *u)
{
	struct solver s = {.u = u};
	struct run runs[MAX_RUNS + 1];
	bool any[GRADES] = {false};
	uint32_t n, count;

	if (!u->graph.value) /* there was no question */
		return;
	/* The graph is complete. Only an explanation would look at functions again; without explanations, the solver
	 * reuses their memory, which is about as much as it needs. */
	if (u->drafts != u->arena)
		spb_arena_reset(u->drafts);
	make_lists(&s);
	s.queue = spb_alloc_array(u->arena, u->graph.nodes.count, sizeof *s.queue);
	summarize(&s);
	n = (uint32_t)u->graph.nodes.count;
	count = make_runs(u, runs);
	/* the summaries no longer need their memory */
	u->solution.found = s.from_in ? memset(s.from_in, 0, n * sizeof *u->solution.found)
				      : spb_alloc_zeroed(u->arena, n, sizeof *u->solution.found);
	if (!u->settings.silent)
		u->solution.cause_stage = spb_alloc_zeroed(u->arena, n, sizeof *u->solution.cause_stage);
	for (int b = 0; b < 2 && !u->settings.silent; b++)
		u->solution.cause[b] = spb_alloc_zeroed(u->arena, n, sizeof *u->solution.cause[b]);
	s.state = s.bit_of ? s.bit_of : spb_alloc_array(u->arena, n, 1);
	for (uint32_t i = 0; i < n; i++) {
		if (u->graph.nodes.items[i].source != SPB_SOURCE_NONE && u->graph.nodes.items[i].demanded) {
			SPB_PUSH(u->arena, &s.sources, i);
			any[grade_of(u, &u->graph.nodes.items[i])] = true;
		}
	}
	any[UNKNOWN] |= any[DIFFERS] && u->graph.any_perhaps;
	any[UNLIKELY] |= any[UNKNOWN] && u->graph.any_unlikely;
	for (int grade = DIFFERS; grade < GRADES; grade++) {
		for (uint32_t r = 0; r < count && any[grade]; r++) {
			struct wave w = {.s = &s, .run = &runs[r], .grade = (enum grade)grade};
			memset(s.state, 0, n);
			spread(&w);
		}
	}
}

static bool has_rays(const struct spb_module *m)
{
	bool any = false;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		if (group_of(m->words[at + 1]) == SPB_RAY_STAGES)
			return true;
		any = true;
	}
	return !any;
}

static bool reconverges(const struct spb_module *m, struct spb_arena *arena)
{
	enum { MAXIMALLY_RECONVERGES = 6023 };
	uint32_t *modes = NULL;
	bool any = false;

	for (spb_at at = m->section[SPB_SECTION_EXECUTION_MODE]; at < m->section[SPB_SECTION_SOURCE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpExecutionMode || m->words[at + 2] != MAXIMALLY_RECONVERGES)
			continue;
		modes = modes ? modes : spb_bits(arena, m->bound);
		spb_set_bit(modes, m->words[at + 1]);
	}
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; modes && at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpEntryPoint && !spb_bit(modes, m->words[at + 2]))
			return false;
		any |= spb_op(m, at) == SpvOpEntryPoint;
	}
	return any;
}

struct spb_uniformity *spb_uniformity_begin(const struct spb_module *m, const struct spb_calls *calls,
					    struct spb_arena *arena, struct spb_uniformity_settings settings)
{
	struct spb_uniformity *u = spb_alloc_zeroed(arena, 1, sizeof *u);

	u->m = m;
	u->arena = arena;
	u->drafts = arena;
	if (settings.silent) {
		u->drafts = &arena->context->drafts;
		u->drafts->next = m->count > LARGE_MODULE ? SPB_LARGE_ARENA : 0;
	}
	u->settings = settings;
	u->calls = &u->reach;
	u->reach = *calls;
	return u;
}

/* What a pointer or descriptor was made from further up, if that is not a variable; 0: from several things, or from an
 * index. An image and a sampler: the image, unless the sampler is decorated. */
static uint32_t source_of(const struct spb_module *m, const uint32_t *marked, uint32_t id)
{
	spb_at at = m->def[id];
	uint32_t first, end;

	if (!spb_names_descriptor(m, id) || !spb_path_operands(m, at, &first, &end) ||
	    (spb_op(m, at) == SpvOpSampledImage ? spb_bit(marked, m->words[at + 4]) : end != first + 1))
		return 0;
	uint32_t source = m->words[first], op = spb_def_op(m, source);
	bool is_root = op == SpvOpVariable || op == OpUntypedVariableKHR || op == SpvOpFunctionParameter;
	return is_root || m->def[source] >= at ? 0 : source;
}

static bool selects(const struct spb_module *m, uint32_t id)
{
	return spb_is_any_chain(spb_def_op(m, id)) && spb_has_variable_index(m, m->def[id]);
}

/* The decorations, and what they imply: an access that is decorated decorates the chains and loads that it was made
 * from, up to those that select a descriptor, and so every other access through them. */
static uint32_t *find_marks(const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *marked = spb_find_marks(m, arena), *seen = m->has & SPB_HAS_MARKS ? spb_bits(arena, m->bound) : NULL;

	for (uint32_t id = 1, top; seen && id < m->bound; id++) {
		if (!spb_bit(marked, id))
			continue;
		top = id;
		for (uint32_t from = id, next; from; from = next) {
			if (spb_bit(marked, from) || selects(m, from))
				top = from;
			next = spb_bit(seen, from) ? 0 : source_of(m, marked, from);
			spb_set_bit(seen, from);
		}
		for (uint32_t from = id; from != top; from = source_of(m, marked, from))
			spb_set_bit(marked, from);
		spb_set_bit(marked, top);
	}
	return marked;
}

void spb_uniformity_prepare(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	struct spb_arena *arena = u->arena;

	if (u->graph.value)
		return;
	SPB_SIZE(arena, &u->graph.nodes, FEW);
	SPB_SIZE(arena, &u->graph.edges, FEW);
	u->functions.body = spb_alloc_zeroed(arena, m->function_count, sizeof(struct spb_body *));
	u->graph.value = spb_alloc_zeroed(arena, m->bound, sizeof *u->graph.value);
	u->leaves.region_of = spb_alloc_zeroed(arena, m->bound, sizeof *u->leaves.region_of);
	u->marked = find_marks(m, arena);
	spb_count_leaves(u);
	if (m->spec_value_count)
		u->known = spb_fold_known(m, arena);
	spb_find_local_size(u);
	u->has_rays = has_rays(m);
	u->reconverges = reconverges(m, arena);
	spb_find_writes(u);
}

uint8_t spb_uniformity_of(const struct spb_uniformity *u, uint32_t question)
{
	uint8_t uniform = SPB_UNIFORM_BOTH & (uint8_t)~u->solution.found[question].lost;

	if (uniform & SPB_UNIFORM_SUBGROUP && u->graph.nodes.items[question].one_subgroup)
		return SPB_UNIFORM_BOTH;
	return uniform;
}

uint8_t spb_uniformity_of_value(const struct spb_uniformity *u, uint32_t id, uint32_t leaf)
{
	return u->graph.value && u->graph.value[id] ? spb_uniformity_of(u, u->graph.value[id] - 1 + leaf)
						    : SPB_UNIFORM_BOTH;
}

bool spb_uniformity_is_certain(const struct spb_uniformity *u, uint32_t question, uint8_t scope)
{
	return (u->solution.found[question].certain & scope) == scope;
}

bool spb_uniformity_is_unlikely(const struct spb_uniformity *u, uint32_t question, uint8_t scope)
{
	return (u->solution.found[question].unlikely & scope) != 0;
}
