/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_shared: loads from shared memory that return the same value to all invocations of a workgroup, because the
 * memory is not written between two barriers.
 *
 * Control barriers divide the execution of an invocation into sections. SPIR-V, "OpControlBarrier": "behavior is
 * undefined unless all invocations within Execution execute the same dynamic instance of this instruction". So all are
 * in the same section: the one that begins at one particular barrier. If no store to a variable can be reached from
 * there before the next barrier, no invocation stores to it in this section, and all loads from one place in it return
 * the same value, even in branches. It does not matter which invocations stored before the barrier, how often, or what.
 *
 * So nothing has to be assumed about data races (Vulkan, "Memory Model", "Data Race"; there must be none), such as a
 * store that follows the load in a loop without a barrier between them: the load is then not known to be uniform.
 *
 * A store does no harm where its invocation has found, since the barrier, that the variable has the value that it
 * stores: `if (s == 0) continue;`, and `s = 0;` at the beginning of the loop. The first such store finds what all find.
 *
 * A walk that enters a function returns to the call that it came from. Only where two calls lead to one block does it
 * return to all of them. What follows `if (f())` follows only those returns of f that are not false.
 *
 * SPV_EXT_mesh_shader makes the payload of a task shader "Shared across all invocations within a workgroup", and has
 * WorkgroupMemory order it. */
#include "analysis/uniformity/uniformity_graph.h"
#include "ir/ids.h"

enum {
	MAX_ROUNDS = 64,
	MOST_CONTEXTS = 64,
	MOST_VISITS = 4096, /* of blocks and writers; more for a large module: */
	VISITS_PER_WORD = 8
};

struct context {       /* how a walk has entered a function */
	uint32_t site; /* index into u->functions.sites */
	uint32_t up;   /* context of the caller, + 1; 0: any */
};

struct place { /* a block of a function, to be followed from an instruction */
	uint32_t function, block;
	spb_at at;
	uint32_t context; /* + 1; 0: any */
};

/* A branch of a section that is taken where the variable has a value. */
struct found_value {
	struct place to;
	uint64_t value;
};

struct section_walk {
	struct spb_uniformity *u;
	uint32_t root, storage_class; /* the variable that is loaded from; 0: any such memory */
	SPB_LIST(struct place) places;
	SPB_LIST(struct place) begins; /* after barriers */
	struct context contexts[MOST_CONTEXTS];
	uint32_t context_count;
	uint32_t mark;
	SPB_LIST(struct found_value) found; /* in the sections */
	const uint64_t *value;              /* what the variable has been found to have; NULL: not known */
	bool failed;
	spb_at racing; /* a store that may be executed in between; 0: none found */
};

static bool is_shared_class(uint32_t storage_class)
{
	return storage_class == SpvStorageClassWorkgroup || storage_class == SpvStorageClassTaskPayloadWorkgroupEXT;
}

static bool has_bits(const struct spb_module *m, uint32_t id, uint32_t some, uint32_t others)
{
	uint64_t value;

	return spb_def_op(m, id) == SpvOpConstant && spb_constant_value(m, id, &value) && value & some &&
	       value & others;
}

static bool is_scope(const struct spb_module *m, uint32_t id, uint32_t scope)
{
	uint64_t value;

	return spb_def_op(m, id) == SpvOpConstant && spb_constant_value(m, id, &value) && value == scope;
}

/* Does the instruction synchronise the workgroup and order its accesses to shared memory? */
static bool is_barrier(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpControlBarrier && is_scope(m, m->words[at + 1], SpvScopeWorkgroup) &&
	       (is_scope(m, m->words[at + 2], SpvScopeWorkgroup) || is_scope(m, m->words[at + 2], SpvScopeDevice) ||
		is_scope(m, m->words[at + 2], SpvScopeQueueFamily)) &&
	       has_bits(m, m->words[at + 3], SpvMemorySemanticsWorkgroupMemoryMask,
			SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask);
}

/* SPV_KHR_workgroup_memory_explicit_layout: variables that are blocks share their memory, and are Aliased. */
static bool may_be_same(const struct spb_module *m, uint32_t a, uint32_t b)
{
	return a == b || spb_def_op(m, a) != SpvOpVariable || spb_def_op(m, b) != SpvOpVariable ||
	       (spb_decoration(m, a, SpvDecorationAliased) && spb_decoration(m, b, SpvDecorationAliased));
}

/* May the instruction, one of u->writes.writers, write the variable that is loaded? */
static bool may_write(const struct section_walk *w, spb_at at)
{
	const struct spb_module *m = w->u->m;
	uint32_t op = spb_op(m, at);
	struct spb_operand o;
	struct spb_ids i;

	for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
		uint32_t id = m->words[i.word];
		if ((op == SpvOpStore || op == SpvOpCopyMemory) && i.word != at + 1)
			continue;
		if (spb_pointer_class(m, id) == w->storage_class &&
		    may_be_same(m, spb_region_of(w->u, id).root, w->root))
			return true;
	}
	return false;
}

/* Does the instruction end a section, or may it write shared memory? Calls are left to the callee. */
static bool touches_shared(const struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	struct spb_operand o;
	struct spb_ids i;

	if (spb_op(m, at) == SpvOpControlBarrier)
		return true;
	for (spb_ids_begin(&i, &o, m, at); spb_op(m, at) != SpvOpFunctionCall && spb_id_next(&i);) {
		if (is_shared_class(spb_pointer_class(m, m->words[i.word])))
			return true;
	}
	return false;
}

/* Nothing is known about the callers of these, nor between what they run. */
static void find_unfollowed(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;

	if (!u->functions.otherwise)
		return;
	u->sections.unfollowed = spb_bits(u->arena, m->function_count);
	spb_add_called_otherwise(u, u->sections.unfollowed);
	for (uint32_t f = 0; f < m->function_count; f++)
		u->sections.any_touches |=
		    spb_bit(u->sections.unfollowed, f) && spb_bit(u->sections.touches_workgroup, f);
}

static void find_workgroup_functions(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	bool changed = true;

	u->sections.touches_workgroup = spb_bits(u->arena, m->function_count);
	for (size_t i = 0; i < u->writes.writers.count; i++) {
		if (touches_shared(u, u->writes.writers.items[i]))
			spb_set_bit(u->sections.touches_workgroup, spb_function_at(u, u->writes.writers.items[i]));
	}
	for (uint32_t round = 0; changed; round++) {
		changed = false;
		if (round == MAX_ROUNDS) { /* calls nested too deeply */
			spb_set_all(u->sections.touches_workgroup, m->function_count);
			return;
		}
		/* alternately from callers and from callees */
		for (uint32_t n = 0; n < u->functions.sites.count; n++) {
			spb_at at = u->functions.sites.items[round % 2 ? n : u->functions.sites.count - 1 - n];
			uint32_t callee = u->calls->function_of[m->words[at + 3]] - 1, caller = spb_function_at(u, at);
			if (spb_bit(u->sections.touches_workgroup, callee) &&
			    !spb_bit(u->sections.touches_workgroup, caller)) {
				spb_set_bit(u->sections.touches_workgroup, caller);
				changed = true;
			}
		}
	}
}

static bool may_visit(struct section_walk *w)
{
	w->failed |= ++w->u->sections.visits > MOST_VISITS + VISITS_PER_WORD * (uint64_t)w->u->m->count;
	return !w->failed;
}

/* The context inside a callee; 0: too many. */
static uint32_t context_of(struct section_walk *w, spb_at call, uint32_t up)
{
	uint32_t site = (uint32_t)spb_first_from(&w->u->functions.sites, call);

	for (uint32_t i = 0; i < w->context_count; i++) {
		if (w->contexts[i].site == site && w->contexts[i].up == up)
			return i + 1;
	}
	if (w->context_count == MOST_CONTEXTS)
		return 0;
	w->contexts[w->context_count++] = (struct context){site, up};
	return w->context_count;
}

static void visit(struct section_walk *w, uint32_t function, uint32_t block, spb_at at, uint32_t context)
{
	struct spb_body *body = spb_body_of(w->u, function);

	if (!spb_reachable(body->cfg, block) || !may_visit(w))
		return;
	if (!body->section.mark) {
		body->section.mark = spb_alloc_zeroed(w->u->drafts, body->cfg->count + 1, sizeof *body->section.mark);
		body->section.context =
		    spb_alloc_zeroed(w->u->drafts, body->cfg->count + 1, sizeof *body->section.context);
	}
	if (at == 0) { /* the whole block */
		bool again = body->section.mark[block] == w->mark;
		if (again && (!body->section.context[block] || body->section.context[block] == context))
			return;
		context = again ? 0 : context;
		body->section.mark[block] = w->mark;
		body->section.context[block] = context;
	}
	SPB_PUSH(w->u->drafts, &w->places, ((struct place){function, block, at, context}));
}

/* The call on whose result the branch at the end of a block decides, with no other call or write between; 0: none */
static spb_at deciding_call(const struct spb_uniformity *u, const struct spb_block *b, bool *negated)
{
	const struct spb_module *m = u->m;
	size_t next = spb_first_from(&u->writes.writers, b->end);
	uint32_t condition;
	spb_at call;

	if (spb_op(m, b->end) != SpvOpBranchConditional || m->words[b->end + 2] == m->words[b->end + 3] || next == 0)
		return 0;
	condition = m->words[b->end + 1];
	*negated = spb_def_op(m, condition) == SpvOpLogicalNot;
	call = m->def[*negated ? m->words[m->def[condition] + 3] : condition];
	return spb_op(m, call) == SpvOpFunctionCall && call > b->label && call == u->writes.writers.items[next - 1]
		   ? call
		   : 0;
}

/* May a return of the function that such a branch calls lead to block `to`? */
static bool may_lead_to(const struct spb_module *m, const struct spb_block *from, bool negated, spb_at end,
			const struct spb_block *to)
{
	uint32_t returned = spb_op(m, end) == SpvOpReturnValue ? spb_def_op(m, m->words[end + 1]) : SpvOpNop;

	if (returned != SpvOpConstantTrue && returned != SpvOpConstantFalse)
		return true;
	return to->label == m->def[m->words[from->end + ((returned == SpvOpConstantTrue) != negated ? 2 : 3)]];
}

/* Visits a call: before it, or, from the instruction `end` that ends the callee, what follows. */
static void visit_caller(struct section_walk *w, uint32_t site, spb_at end, uint32_t context)
{
	struct spb_uniformity *u = w->u;
	spb_at at = u->functions.sites.items[site];
	uint32_t caller = spb_function_at(u, at), block = spb_block_in(u, caller, at);
	const struct spb_cfg *g = spb_body_of(u, caller)->cfg;
	bool negated;

	if (!end || block >= g->count || deciding_call(u, &g->block[block], &negated) != at) {
		visit(w, caller, block, end ? spb_next(u->m, at) : at, context);
		return;
	}
	for (uint32_t k = g->first_succ[block]; k < g->first_succ[block + 1]; k++) {
		uint32_t to = g->succ[k];
		if (to < g->count && may_lead_to(u->m, &g->block[block], negated, end, &g->block[to]))
			visit(w, caller, to, 0, context);
	}
}

static void visit_callers(struct section_walk *w, uint32_t function, spb_at end, uint32_t context)
{
	struct spb_uniformity *u = w->u;

	if (context) {
		visit_caller(w, w->contexts[context - 1].site, end, w->contexts[context - 1].up);
		return;
	}
	for (uint32_t i = u->functions.first_site[function]; i < u->functions.first_site[function + 1]; i++)
		visit_caller(w, u->functions.site_of[i], end, 0);
}

static bool is_whole(struct spb_uniformity *u, uint32_t pointer, uint32_t root)
{
	struct spb_region r = spb_region_of(u, pointer);

	return r.root == root && !r.weak && r.count == 1 && spb_leaf_count(u, spb_pointee(u->m, root)) == 1;
}

/* Does it store what the variable has been found to have? */
static bool keeps_value(const struct section_walk *w, spb_at at)
{
	const struct spb_module *m = w->u->m;
	uint64_t value;

	return w->value && spb_op(m, at) == SpvOpStore && is_whole(w->u, m->words[at + 1], w->root) &&
	       spb_def_op(m, m->words[at + 2]) == SpvOpConstant && spb_constant_value(m, m->words[at + 2], &value) &&
	       value == *w->value;
}

/* Is it a load of the variable in the section that ends the block? */
static bool is_load_here(const struct section_walk *w, const struct spb_block *b, uint32_t id)
{
	const struct spb_module *m = w->u->m;
	spb_at at = m->def[id];
	size_t next = spb_first_from(&w->u->writes.writers, at);

	return spb_op(m, at) == SpvOpLoad && at > b->label && at < b->end &&
	       is_whole(w->u, m->words[at + 3], w->root) &&
	       (next == w->u->writes.writers.count || w->u->writes.writers.items[next] > b->end);
}

/* Is the block left for one of two others only where the variable has a value? */
static bool finds_value(const struct section_walk *w, const struct spb_block *b, spb_at *label, uint64_t *value)
{
	const struct spb_module *m = w->u->m;
	bool equal = true;
	spb_at at;

	if (spb_op(m, b->end) != SpvOpBranchConditional || m->words[b->end + 2] == m->words[b->end + 3])
		return false;
	at = m->def[m->words[b->end + 1]];
	if (spb_op(m, at) == SpvOpLogicalNot) {
		at = m->def[m->words[at + 3]];
		equal = false;
	}
	if (spb_op(m, at) != SpvOpIEqual && spb_op(m, at) != SpvOpINotEqual)
		return false;
	equal ^= spb_op(m, at) == SpvOpINotEqual;
	*label = m->def[m->words[b->end + (equal ? 2 : 3)]];
	for (uint32_t w1 = at + 3; w1 < at + 5; w1++) {
		uint32_t other = m->words[2 * at + 7 - w1];
		if (is_load_here(w, b, m->words[w1]) && spb_def_op(m, other) == SpvOpConstant &&
		    spb_constant_value(m, other, value))
			return true;
	}
	return false;
}

/* What an instruction of u->writes.writers means for a walk. */
enum meaning { GOES_ON, ENDS, ENTERS };

static enum meaning meaning_of(struct section_walk *w, spb_at at, uint32_t *callee)
{
	const struct spb_module *m = w->u->m;

	if (!may_visit(w) || is_barrier(m, at))
		return ENDS;
	if (spb_op(m, at) == SpvOpFunctionCall) {
		uint32_t f = w->u->calls->function_of[m->words[at + 3]];
		w->failed |= !f || !spb_has_body(&m->function[f - 1]);
		*callee = f - 1;
		return w->failed ? ENDS : spb_bit(w->u->sections.touches_workgroup, *callee) ? ENTERS : GOES_ON;
	}
	if (may_write(w, at) && !keeps_value(w, at)) {
		w->failed = true;
		w->racing = at;
	}
	return w->failed ? ENDS : GOES_ON;
}

/* Visits a block from the beginning of one that follows: the callee that decides which follows, or all of the block. */
static void visit_before(struct section_walk *w, struct place p, uint32_t block)
{
	struct spb_uniformity *u = w->u;
	const struct spb_cfg *g = spb_body_of(u, p.function)->cfg;
	bool negated;
	uint32_t callee;
	spb_at call = spb_reachable(g, block) ? deciding_call(u, &g->block[block], &negated) : 0;

	if (!call || meaning_of(w, call, &callee) != ENTERS) {
		visit(w, p.function, block, 0, p.context);
		return;
	}
	struct spb_body *body = spb_body_of(u, callee);
	for (size_t r = 0; r < body->returns.count; r++) {
		uint32_t from = body->returns.items[r];
		if (may_lead_to(u->m, &g->block[block], negated, body->cfg->block[from].end, &g->block[p.block]))
			visit(w, callee, from, 0, context_of(w, call, p.context));
	}
}

/* Walks back from an instruction to where its sections begin. */
static void walk_back(struct section_walk *w, struct place p)
{
	struct spb_uniformity *u = w->u;
	const struct spb_cfg *g = spb_body_of(u, p.function)->cfg;
	spb_at end = p.at ? p.at : g->block[p.block].end;
	size_t i = spb_first_from(&u->writes.writers, end);

	for (uint32_t callee; i-- > 0 && u->writes.writers.items[i] > g->block[p.block].label;) {
		spb_at at = u->writes.writers.items[i];
		enum meaning meaning = meaning_of(w, at, &callee);
		if (meaning == GOES_ON)
			continue;
		if (meaning == ENDS) {
			SPB_PUSH(u->drafts, &w->begins,
				 ((struct place){p.function, p.block, spb_next(u->m, at), p.context}));
			return;
		}
		struct spb_body *body = spb_body_of(u, callee);
		for (size_t r = 0; r < body->returns.count; r++)
			visit(w, callee, body->returns.items[r], 0, context_of(w, at, p.context));
		return;
	}
	if (p.block == 0) {
		/* reached the beginning of an entry point, before which nothing has been written */
		w->failed |= u->functions.first_site[p.function] == u->functions.first_site[p.function + 1];
		visit_callers(w, p.function, 0, p.context);
	}
	for (uint32_t k = g->first_pred[p.block]; k < g->first_pred[p.block + 1]; k++)
		visit_before(w, p, g->pred[k]);
}

/* Walks on from a place to the ends of its section. */
static void walk_on(struct section_walk *w, struct place p)
{
	struct spb_uniformity *u = w->u;
	const struct spb_cfg *g = spb_body_of(u, p.function)->cfg;
	uint32_t op = spb_op(u->m, g->block[p.block].end);
	spb_at label = 0;
	uint64_t value = 0;

	for (size_t i = spb_first_from(&u->writes.writers, p.at ? p.at : g->block[p.block].label);
	     i < u->writes.writers.count && u->writes.writers.items[i] < g->block[p.block].end; i++) {
		uint32_t callee;
		enum meaning meaning = meaning_of(w, u->writes.writers.items[i], &callee);
		if (meaning == ENTERS)
			visit(w, callee, 0, 0, context_of(w, u->writes.writers.items[i], p.context));
		if (meaning != GOES_ON)
			return;
	}
	if (op == SpvOpReturn || op == SpvOpReturnValue)
		visit_callers(w, p.function, g->block[p.block].end, p.context);
	bool finds = !w->value && finds_value(w, &g->block[p.block], &label, &value);
	for (uint32_t k = g->first_succ[p.block]; k < g->first_succ[p.block + 1]; k++) {
		struct place to = {p.function, g->succ[k], 0, p.context};
		if (to.block < g->count && finds && g->block[to.block].label == label)
			SPB_PUSH(u->drafts, &w->found, ((struct found_value){to, value}));
		else if (to.block < g->count)
			visit(w, to.function, to.block, 0, to.context);
	}
}

static void begin_walk(struct section_walk *w)
{
	w->places.count = 0;
	w->mark = ++w->u->sections.marks;
}

bool spb_is_same_for_group(struct spb_uniformity *u, uint32_t function, uint32_t block, spb_at load, spb_at *racing)
{
	const struct spb_module *m = u->m;
	uint32_t pointer = m->words[load + 3];
	struct section_walk w = {
	    .u = u, .root = spb_region_of(u, pointer).root, .storage_class = spb_pointer_class(m, pointer)};

	if (m->has_unknown_ops || u->calls_any || u->settings.quad ||
	    (spb_def_op(m, w.root) == SpvOpVariable && !spb_bit(u->writes.written, w.root)))
		return false;
	if (!u->sections.touches_workgroup) {
		find_workgroup_functions(u);
		find_unfollowed(u);
	}
	if (u->sections.any_touches || (u->sections.unfollowed && spb_bit(u->sections.unfollowed, function)))
		return false;
	begin_walk(&w);
	visit(&w, function, block, load, 0);
	for (size_t i = 0; i < w.places.count && !w.failed; i++)
		walk_back(&w, w.places.items[i]);
	begin_walk(&w);
	for (size_t i = 0; i < w.begins.count && !w.failed; i++)
		visit(&w, w.begins.items[i].function, w.begins.items[i].block, w.begins.items[i].at,
		      w.begins.items[i].context);
	for (size_t i = 0; i < w.places.count && !w.failed; i++)
		walk_on(&w, w.places.items[i]);
	for (size_t i = 0; i < w.found.count && !w.failed; i++) {
		begin_walk(&w);
		w.value = &w.found.items[i].value;
		visit(&w, w.found.items[i].to.function, w.found.items[i].to.block, 0, w.found.items[i].to.context);
		for (size_t k = 0; k < w.places.count && !w.failed; k++)
			walk_on(&w, w.places.items[k]);
	}
	*racing = w.racing;
	return !w.failed && w.begins.count != 0;
}
