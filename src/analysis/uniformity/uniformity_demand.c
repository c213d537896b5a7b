/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_demand: what each node depends on. Expands the requested nodes one by one, until no new ones are added.
 * Values are expanded in uniformity_values.c; memory, calls and control flow here. */
#include "analysis/uniformity/uniformity_graph.h"
#include "ir/ids.h"

enum {
	FREE_WAYS = 64,
	MOST_WAYS = 65536,
	WAYS_PER_WORD = 8,
	MOST_CHAINS = 8,
	FREE_WRITES = 64 /* writes of one block that one expansion may visit */
};

/* What a write through a pointer leaves in leaf `leaf` of its variable. True: it overwrites all previous contents. */
static bool from_write(struct spb_uniformity *u, uint32_t to, uint32_t function, const struct spb_event *e,
		       uint32_t leaf)
{
	const struct spb_module *m = u->m;
	struct spb_region r = spb_region_of(u, e->pointer);
	uint32_t leaves;

	if (leaf < r.first || leaf >= (uint32_t)r.first + r.count)
		return false;
	spb_use_value(u, e->pointer, SPB_ADDRESS, to, function, e->block, SPB_STEP_ADDRESS, SPB_UNIFORM_BOTH);
	switch (e->kind) {
	case SPB_EVENT_STORE:
		leaves = spb_leaves_of(u, e->value);
		spb_use_value(u, e->value, leaves == r.count ? leaf - r.first : SPB_ALL, to, function, e->block,
			      SPB_STEP_STORED, SPB_UNIFORM_BOTH);
		break;
	case SPB_EVENT_COPY: {
		struct spb_region source = spb_region_of(u, e->value);
		uint32_t storage_class = spb_pointer_class(m, e->value);
		spb_use_value(u, e->value, SPB_ALL, to, function, e->block, SPB_STEP_ADDRESS, SPB_UNIFORM_BOTH);
		if (source.root && spb_is_local(m, source.root))
			for (uint32_t i = 0; i < (source.count == r.count ? 1 : r.count); i++)
				spb_use_memory(u, e->value, source.count == r.count ? leaf - r.first : i, r.count, to,
					       function, e->block, e->at, SPB_STEP_STORED);
		else if (!u->settings.marks_only)
			spb_lose(u, to,
				 storage_class == SpvStorageClassInput ? SPB_SOURCE_INPUT
				 : spb_is_read_only(u, e->value)       ? SPB_SOURCE_READ
								       : SPB_SOURCE_WRITTEN);
		break;
	}
	case SPB_EVENT_OTHER: /* Modf and Frexp write a value like their result; others are unknown */
		if (e->value && spb_op(m, e->at) == SpvOpExtInst)
			spb_use_value(u, e->value, SPB_ALL, to, function, e->block, SPB_STEP_STORED, SPB_UNIFORM_BOTH);
		else if (!u->settings.marks_only)
			spb_lose(u, to, SPB_SOURCE_UNKNOWN);
		break;
	default:
		break;
	}
	return !r.weak;
}

static uint32_t parameter_of(const struct spb_uniformity *u, spb_at call, uint32_t number)
{
	uint32_t f = u->calls->function_of[u->m->words[call + 3]] - 1;

	return u->calls->parameters.items[u->calls->first_parameter[f] + number];
}

/* A call writes through its argument number e->value: the result is the final contents behind the parameter. */
static bool from_call(struct spb_uniformity *u, uint32_t to, const struct spb_event *e, uint32_t leaf)
{
	struct spb_region r = spb_region_of(u, e->pointer);
	uint32_t parameter = parameter_of(u, e->at, e->value), f = u->calls->function_of[u->m->words[e->at + 3]] - 1;
	uint32_t n = spb_leaf_count(u, spb_pointee(u->m, parameter)), first = 0, end = n;

	if (leaf < r.first || leaf >= (uint32_t)r.first + r.count)
		return false;
	if (!spb_has_body(&u->m->function[f])) {
		spb_lose(u, to, SPB_SOURCE_UNKNOWN);
		return false;
	}
	if (n == r.count) {
		first = leaf - r.first;
		end = first + 1;
	}
	for (uint32_t i = first; i < end; i++) {
		if (spb_is_own_memory(u, parameter)) {
			if (!spb_root_of(u, parameter)->out)
				spb_root_of(u, parameter)->out = 1 + spb_node_new(u, SPB_NODE_OUT, parameter, f, n);
			spb_cross(u, spb_root_of(u, parameter)->out - 1 + i, to, SPB_STEP_RETURNED,
				  (uint32_t)spb_first_from(&u->functions.sites, e->at));
		} else {
			spb_link(u, spb_content_node(u, parameter) + i, to, SPB_STEP_STORED);
		}
	}
	return !r.weak;
}

/* Contents behind a parameter when the function is entered. */
static void behind_in(struct spb_uniformity *u, uint32_t node, uint32_t parameter, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	uint32_t f = spb_function_in(u, parameter), number = spb_parameter_number(u->m, u->calls, parameter);
	uint32_t leaves = spb_leaf_count(u, spb_pointee(m, parameter));
	bool called = false;

	for (uint32_t i = u->functions.first_site[f]; i < u->functions.first_site[f + 1]; i++) {
		spb_at at = u->functions.sites.items[u->functions.site_of[i]];
		if (at + 3 + number >= spb_next(m, at))
			continue;
		uint32_t pointer = m->words[at + 3 + number], caller = spb_function_in(u, m->words[at + 2]);
		uint32_t use = spb_single_node(u, SPB_NODE_USE, at + 3 + number, caller);
		struct spb_region r = spb_region_of(u, pointer);
		called = true;
		if (r.root && spb_is_local(m, r.root))
			spb_use_memory(u, pointer, leaf, leaves, use, caller, spb_block_in(u, caller, at), at,
				       SPB_STEP_DATA);
		else if (!u->settings.marks_only)
			spb_lose(u, use, SPB_SOURCE_MEMORY);
		spb_use_value(u, pointer, SPB_ADDRESS, use, caller, spb_block_in(u, caller, at), SPB_STEP_ADDRESS,
			      SPB_UNIFORM_BOTH);
		spb_cross(u, use, node, SPB_STEP_ARGUMENT, u->functions.site_of[i]);
	}
	if ((!called || spb_is_called_otherwise(u, f)) && !u->settings.marks_only)
		spb_lose(u, node, SPB_SOURCE_PARAMETER);
}

static uint32_t words_of(const struct spb_uniformity *u, uint32_t function)
{
	return u->m->function[function].end - u->m->function[function].at;
}

/* Limits the joins: many predecessors, for each of many variables, would exceed the size of the function. */
static bool may_meet(struct spb_body *body, uint32_t words, uint32_t ways)
{
	body->met += ways > FREE_WAYS ? ways : 0;
	return body->met <= MOST_WAYS + WAYS_PER_WORD * (uint64_t)words;
}

/* The elements of an array, or members of a structure that counts as one leaf, that stores with constant indexes have
 * overwritten; at most 64. */
struct spb_elements {
	uint64_t seen;
	uint32_t total;
};

/* The element that one access chain selects, out of *total. False: an index is unknown, or there are too many. */
static bool part_of_element(struct spb_uniformity *u, spb_at at, uint32_t *element, uint32_t *total)
{
	const struct spb_module *m = u->m;
	uint32_t type = spb_pointee(m, m->words[at + 3]);

	*element = 0;
	*total = 1;
	for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
		uint64_t index = 0, length = 1;
		bool array = spb_def_op(m, type) == SpvOpTypeArray;
		if (spb_def_op(m, m->words[w]) != SpvOpConstant || !spb_constant_value(m, m->words[w], &index))
			return false;
		if (array && (spb_def_op(m, m->words[m->def[type] + 3]) != SpvOpConstant ||
			      !spb_constant_value(m, m->words[m->def[type] + 3], &length)))
			return false;
		if (spb_def_op(m, type) == SpvOpTypeStruct && spb_leaf_count(u, type) == 1)
			length = spb_length(m, m->def[type]) - 2;
		type = spb_part_type(m, type, index);
		if (length == 1)
			continue;
		if (index >= length || length > SPB_MAX_LEAVES || *total * length > SPB_MAX_LEAVES)
			return false;
		*element = *element * (uint32_t)length + (uint32_t)index;
		*total *= (uint32_t)length;
	}
	return true;
}

/* The element that the pointer of a store refers to; false: not a single one, or the array has too many. */
static bool element_of(struct spb_uniformity *u, uint32_t pointer, uint32_t *element, uint32_t *total)
{
	const struct spb_module *m = u->m;

	*element = 0;
	*total = 1;
	for (int depth = 0; depth < MOST_CHAINS && spb_op_is(spb_def_op(m, pointer), SPB_OP_CHAIN); depth++) {
		uint32_t e, t;
		if (!part_of_element(u, m->def[pointer], &e, &t) || t * *total > SPB_MAX_LEAVES)
			return false;
		*element += e * *total;
		*total *= t;
		pointer = m->words[m->def[pointer] + 3];
	}
	return *total > 1 && spb_def_op(m, pointer) == SpvOpVariable;
}

/* Notes what a store overwrites, looking back from the latest one. True: together they overwrite all previous
 * contents. */
static bool covers_all(struct spb_uniformity *u, struct spb_elements *s, const struct spb_event *e, uint32_t leaf)
{
	struct spb_region r = spb_region_of(u, e->pointer);
	uint32_t element, total;

	if (e->kind != SPB_EVENT_STORE || leaf < r.first || leaf >= (uint32_t)r.first + r.count ||
	    !element_of(u, e->pointer, &element, &total) || (s->total && s->total != total))
		return false;
	s->total = total;
	s->seen |= 1ull << element;
	return s->seen == (total < 64 ? (1ull << total) - 1 : UINT64_MAX);
}

/* What a variable holds before anything is stored: the value of its initializer, or an undefined one. */
static void behind_initializer(struct spb_uniformity *u, uint32_t node, uint32_t root, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[root];
	uint32_t length = spb_op(m, at) == OpUntypedVariableKHR ? 6 : 5;

	if (u->settings.marks_only)
		return;
	if (spb_length(m, at) < length) {
		uint32_t storage_class = spb_pointer_class(m, root);
		bool followed = storage_class == SpvStorageClassPrivate || storage_class == SpvStorageClassOutput;
		if (!followed || spb_is_read_early(u, root, leaf))
			spb_lose(u, node, SPB_SOURCE_UNDEFINED);
	} else
		spb_use_value(u, m->words[at + length - 1], leaf, node, SPB_ALL, 0, SPB_STEP_STORED, SPB_UNIFORM_BOTH);
}

/* The nodes of the contents behind a parameter when its function is entered. */
static uint32_t in_node(struct spb_uniformity *u, uint32_t parameter)
{
	if (!spb_root_of(u, parameter)->in) {
		uint32_t leaves = spb_leaf_count(u, spb_pointee(u->m, parameter));
		uint32_t node = spb_node_new(u, SPB_NODE_IN, parameter, spb_function_in(u, parameter), leaves);
		spb_root_of(u, parameter)->in = 1 + node;
	}
	return spb_root_of(u, parameter)->in - 1;
}

/* Does a loop carry a maximum of the variable and of shared memory (see spb_may_absorb), which it stores in this
 * version? */
static bool carries_extreme(struct spb_uniformity *u, const struct spb_memory *y, uint32_t version)
{
	const struct spb_module *m = u->m;
	struct spb_version v = u->contents.versions.items[version - 1];
	const struct spb_event *e = v.event ? &u->functions.body[y->function]->events.items[v.event - 1] : NULL;
	struct spb_operand o;
	struct spb_ids i;

	if (!e || e->kind != SPB_EVENT_STORE || !spb_may_absorb(u, m->def[e->value]))
		return false;
	for (spb_ids_begin(&i, &o, m, m->def[e->value]); spb_id_next(&i);) {
		spb_at load = m->def[m->words[i.word]];
		if (spb_op(m, load) == SpvOpLoad && m->words[load + 3] == y->root)
			return true;
	}
	return false;
}

static void behind_version(struct spb_uniformity *u, uint32_t node, uint32_t version, uint32_t leaf)
{
	struct spb_version v = u->contents.versions.items[version];
	struct spb_memory *y = &u->contents.memories.items[v.memory];
	struct spb_body *body = u->functions.body[y->function];
	uint32_t function = y->function, root = y->root;

	if (v.phi) {
		uint32_t block = y->phi[v.phi - 1].block;
		if (!may_meet(body, words_of(u, function),
			      body->cfg->first_pred[block + 1] - body->cfg->first_pred[block])) {
			spb_lose(u, node, SPB_SOURCE_UNKNOWN);
			return;
		}
		uint8_t mask = SPB_UNIFORM_BOTH;
		for (uint32_t i = body->cfg->first_pred[block]; i < body->cfg->first_pred[block + 1]; i++) {
			uint32_t before = body->cfg->pred[i], last = 0;
			if (spb_reachable(body->cfg, before))
				last = spb_version_at_end(u, &u->contents.memories.items[v.memory], before);
			if (last && carries_extreme(u, &u->contents.memories.items[v.memory], last))
				mask |= SPB_PERHAPS | SPB_UNLIKELY;
		}
		for (uint32_t i = body->cfg->first_pred[block]; i < body->cfg->first_pred[block + 1]; i++) {
			uint32_t from_block = body->cfg->pred[i];
			if (!spb_reachable(body->cfg, from_block))
				continue;
			y = &u->contents.memories.items[v.memory];
			spb_use_version(u, spb_version_at_end(u, y, from_block), leaf, node, function, block,
					SPB_STEP_STORED, mask);
		}
		spb_use_branches(u, node, function, block,
				 SPB_UNIFORM_BOTH); /* two versions differ, or there would be no phi */
		return;
	}
	struct spb_elements elements = {0};
	for (int writes = 1; v.event; writes++) { /* skip writes that leave this leaf unchanged */
		const struct spb_event *e = &body->events.items[v.event - 1];
		bool whole =
		    e->kind == SPB_EVENT_CALL ? from_call(u, node, e, leaf) : from_write(u, node, function, e, leaf);
		if (whole || covers_all(u, &elements, e, leaf))
			return;
		uint32_t at_block = e->block;
		uint32_t before = spb_version_before_event(u, &u->contents.memories.items[v.memory], v.event - 1);
		struct spb_version b = u->contents.versions.items[before - 1];
		if (b.event && body->events.items[b.event - 1].block == at_block && writes < FREE_WRITES) {
			v = b;
			continue;
		}
		spb_use_version(u, before, leaf, node, function, at_block, SPB_STEP_STORED, SPB_UNIFORM_BOTH);
		return;
	}
	if (spb_def_op(u->m, root) == SpvOpFunctionParameter) {
		spb_link(u, in_node(u, root) + leaf, node, SPB_STEP_DATA);
	} else {
		behind_initializer(u, node, root, leaf);
	}
}

/* Contents, at any time, of a module-scope variable or a shared parameter: everything that is written to it, and
 * whether all invocations write it together. */
static void behind_content(struct spb_uniformity *u, uint32_t node, uint32_t root, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	bool own = spb_is_own_memory(u, root);
	struct spb_memory *y = own ? spb_memory_of(u, root) : NULL;
	uint32_t count = own ? y->event_count : 0, f = spb_function_in(u, root), first = own ? y->first_event : 0;
	struct spb_event *events = !own    ? spb_events_of(u, root, &count)
				   : count ? u->functions.body[f]->events.items + first
					   : NULL;

	if ((m->has_unknown_ops || u->writes.locals) && !u->settings.marks_only)
		spb_lose(u, node, SPB_SOURCE_UNKNOWN);
	if (u->has_rays && !u->settings.marks_only && spb_any_repacks(u)) /* perhaps between a store and a load */
		spb_lose(u, node, SPB_SOURCE_REPACK);
	for (uint32_t i = 0; i < count; i++) {
		struct spb_event *e = &events[i];
		uint32_t in = spb_function_at(u, e->at);
		struct spb_region r = spb_region_of(u, e->pointer);
		e->block = spb_block_in(u, in, e->at);
		if (leaf < r.first || leaf >= (uint32_t)r.first + r.count)
			continue;
		if (e->kind == SPB_EVENT_CALL)
			from_call(u, node, e, leaf);
		else
			from_write(u, node, in, e, leaf);
		if (u->settings.marks_only)
			continue;
		spb_link(u, spb_control_node(u, in, e->block), node, SPB_STEP_BRANCH);
		if (!own || spb_def_op(m, root) == SpvOpFunctionParameter)
			spb_link(u, spb_entry_node(u, in), node, SPB_STEP_BRANCH);
	}
	if (spb_def_op(m, root) != SpvOpFunctionParameter) {
		behind_initializer(u, node, root, leaf);
		return;
	}
	if (own) {
		spb_link(u, in_node(u, root) + leaf, node, SPB_STEP_DATA);
		return;
	}
	uint32_t number = spb_parameter_number(m, u->calls, root), leaves = spb_leaf_count(u, spb_pointee(m, root));
	for (uint32_t i = u->functions.first_site[f]; i < u->functions.first_site[f + 1]; i++) {
		spb_at at = u->functions.sites.items[u->functions.site_of[i]];
		if (at + 3 + number >= spb_next(m, at))
			continue;
		uint32_t pointer = m->words[at + 3 + number], caller = spb_function_in(u, m->words[at + 2]);
		struct spb_region r = spb_region_of(u, pointer);
		if (r.root && spb_is_local(m, r.root)) /* another argument may be the same variable */
			spb_use_content(u, pointer, leaf, leaves, node);
		else if (!u->settings.marks_only)
			spb_lose(u, node, SPB_SOURCE_MEMORY);
		spb_use_value(u, pointer, SPB_ADDRESS, node, caller, spb_block_in(u, caller, at), SPB_STEP_ADDRESS,
			      SPB_UNIFORM_BOTH);
	}
}

/* Contents behind a parameter when the function returns. */
static void behind_out(struct spb_uniformity *u, uint32_t node, uint32_t f, uint32_t parameter, uint32_t leaf)
{
	uint32_t first = 0;
	struct spb_body *body = spb_body_of(u, f);
	bool differ = false;

	if (spb_memory_of(u, parameter)->flat) {
		spb_link(u, spb_content_node(u, parameter) + leaf, node, SPB_STEP_STORED);
		return;
	}
	if (!may_meet(body, words_of(u, f), (uint32_t)body->returns.count)) {
		spb_lose(u, node, SPB_SOURCE_UNKNOWN);
		return;
	}
	for (size_t i = 0; i < body->returns.count; i++) {
		uint32_t version = spb_version_at_end(u, spb_memory_of(u, parameter), body->returns.items[i]);
		differ |= first && version != first;
		first = version;
		spb_use_version(u, version, leaf, node, f, body->cfg->count, SPB_STEP_STORED, SPB_UNIFORM_BOTH);
	}
	if (differ)
		spb_use_branches(u, node, f, body->cfg->count, SPB_UNIFORM_BOTH);
}

static void behind_result(struct spb_uniformity *u, uint32_t node, uint32_t f, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	struct spb_body *body = spb_body_of(u, f);
	uint32_t first = 0;
	bool differ = false, killed = false;

	for (size_t i = 0; i < body->returns.count; i++) {
		spb_at end = body->cfg->block[body->returns.items[i]].end;
		killed |= spb_op(m, end) == SpvOpKill;
		if (spb_op(m, end) != SpvOpReturnValue)
			continue;
		differ |= first && m->words[end + 1] != first;
		first = m->words[end + 1];
		spb_use_value(u, first, leaf, node, f, body->cfg->count, SPB_STEP_DATA, SPB_UNIFORM_BOTH);
		spb_use_despite_killed(u, first, node, f, body->returns.items[i]);
	}
	if (differ || killed)
		spb_use_branches(u, node, f, body->cfg->count, SPB_UNIFORM_BOTH | (differ ? 0 : SPB_PERHAPS));
}

/* ---- control ---- */

static void behind_control(struct spb_uniformity *u, uint32_t node, uint32_t f, uint32_t block)
{
	struct spb_body *body = spb_body_of(u, f);

	spb_need_control(u, body);
	if (body->control.too_deep || body->cfg->irreducible) {
		spb_lose(u, node, SPB_SOURCE_UNKNOWN);
		return;
	}
	for (uint32_t i = body->control.first[block]; i < body->control.first[block + 1]; i++) {
		uint32_t b = body->control.branches[i];
		spb_use_value(u, spb_condition(body->cfg, b), SPB_ALL, node, f, b, SPB_STEP_BRANCH, SPB_UNIFORM_BOTH);
		spb_link(u, spb_control_node(u, f, b), node, SPB_STEP_BRANCH);
	}
}

/* Do all invocations of the entry point call a function together? */
static void behind_entry(struct spb_uniformity *u, uint32_t node, uint32_t f)
{
	if (u->functions.otherwise && spb_bit(u->functions.otherwise, f))
		spb_lose(u, node, SPB_SOURCE_UNKNOWN);
	for (uint32_t i = u->functions.first_site[f]; i < u->functions.first_site[f + 1]; i++) {
		spb_at at = u->functions.sites.items[u->functions.site_of[i]];
		uint32_t caller = spb_function_at(u, at);
		spb_use_control(u, node, caller, spb_block_in(u, caller, at), SPB_UNIFORM_BOTH);
	}
}

/* Invocations that are terminated in a function do not return to its caller. */
static void behind_gone(struct spb_uniformity *u, uint32_t node)
{
	const struct spb_module *m = u->m;

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (uint32_t b = u->functions.first_block[f]; b < u->functions.first_block[f + 1]; b++) {
			uint32_t op = spb_op(m, u->functions.blocks.items[b].end);
			if (u->functions.first_site[f] < u->functions.first_site[f + 1] &&
			    (op == SpvOpKill || op == SpvOpTerminateInvocation))
				spb_use_control(u, node, f, b - u->functions.first_block[f], SPB_UNIFORM_BOTH);
		}
	}
}

static void behind_loop(struct spb_uniformity *u, uint32_t node, uint32_t f, uint32_t loop)
{
	struct spb_body *body = spb_body_of(u, f);

	spb_need_exits(u, body);
	if (body->control.too_many_exits) {
		spb_lose(u, node, SPB_SOURCE_UNKNOWN);
		return;
	}
	for (uint32_t i = body->control.first_exit[loop - 1]; i < body->control.first_exit[loop]; i++)
		spb_use_value(u, spb_condition(body->cfg, body->control.exit[i]), SPB_ALL, node, f,
			      body->control.exit[i], SPB_STEP_BRANCH, SPB_UNIFORM_BOTH);
}

static uint8_t promised(struct spb_uniformity *u, uint32_t id)
{
	const struct spb_module *m = u->m;
	uint64_t scope = SpvScopeSubgroup;
	uint8_t bits = 0;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (m->words[at + 1] != id || (spb_op(m, at) != SpvOpDecorate && spb_op(m, at) != SpvOpDecorateId))
			continue;
		if (m->words[at + 2] == SpvDecorationUniform)
			bits |= SPB_UNIFORM_SUBGROUP;
		else if (m->words[at + 2] == SpvDecorationUniformId && spb_constant_value(m, m->words[at + 3], &scope))
			bits |= scope == SpvScopeSubgroup  ? SPB_UNIFORM_SUBGROUP
				: scope < SpvScopeSubgroup ? SPB_UNIFORM_GROUP
							   : 0;
	}
	return bits;
}

/* Expands everything on the worklist. */
static void expand_all(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;

	while (u->graph.work.count) {
		uint32_t node = u->graph.work.items[--u->graph.work.count];
		struct spb_node n = u->graph.nodes.items[node];
		uint32_t f = n.function - 1;
		switch ((enum spb_node_kind)n.kind) {
		case SPB_NODE_USE:
			break; /* created together with its edges */
		case SPB_NODE_VALUE: {
			struct spb_here h = {.node = node,
					     .leaf = n.leaf,
					     .leaves = spb_leaves_of(u, n.ref),
					     .id = n.ref,
					     .function = n.function ? f : SPB_ALL,
					     .at = m->def[n.ref]};
			if (!n.function && h.at >= m->section[SPB_SECTION_FUNCTION]) {
				spb_lose(u, node, SPB_SOURCE_UNKNOWN);
				break;
			}
			if (n.function && spb_op(m, h.at) != SpvOpFunctionParameter)
				h.block = spb_block_in(u, f, h.at);
			if (u->settings.trust_uniform)
				u->graph.nodes.items[node].trusted = promised(u, n.ref);
			spb_behind_value(u, &h);
			break;
		}
		case SPB_NODE_VERSION:
			behind_version(u, node, n.ref, n.leaf);
			break;
		case SPB_NODE_CONTENT:
			behind_content(u, node, n.ref, n.leaf);
			break;
		case SPB_NODE_IN:
			behind_in(u, node, n.ref, n.leaf);
			break;
		case SPB_NODE_OUT:
			behind_out(u, node, f, n.ref, n.leaf);
			break;
		case SPB_NODE_RESULT:
			behind_result(u, node, n.ref, n.leaf);
			break;
		case SPB_NODE_CONTROL:
			behind_control(u, node, f, n.ref);
			break;
		case SPB_NODE_ENTRY:
			behind_entry(u, node, n.ref);
			break;
		case SPB_NODE_GONE:
			behind_gone(u, node);
			break;
		case SPB_NODE_LOOP:
			behind_loop(u, node, f, n.ref);
			break;
		}
	}
}

static bool is_one_subgroup(struct spb_uniformity *u, uint32_t function, uint32_t block)
{
	return spb_may_be_equal(u, function) && spb_runs_alone(u, function, block) & SPB_ONE_SUBGROUP;
}

uint32_t spb_uniformity_ask_whole(struct spb_uniformity *u, spb_at at, uint32_t word)
{
	return spb_uniformity_ask(u, at, word, SPB_ALL);
}

uint32_t spb_uniformity_ask_control(struct spb_uniformity *u, spb_at at)
{
	spb_uniformity_prepare(u);
	uint32_t f = spb_function_at(u, at), node = spb_single_node(u, SPB_NODE_USE, at + 1, f);
	uint32_t block = spb_block_in(u, f, at);
	u->graph.nodes.items[node].demanded = true;
	u->graph.nodes.items[node].one_subgroup = is_one_subgroup(u, f, block);
	spb_use_control(u, node, f, block, SPB_UNIFORM_BOTH);
	expand_all(u);
	return node;
}

uint32_t spb_uniformity_ask_output(struct spb_uniformity *u, uint32_t function, uint32_t variable, uint32_t leaf)
{
	spb_uniformity_prepare(u);
	uint32_t node = spb_single_node(u, SPB_NODE_OUT, variable, function);
	u->graph.nodes.items[node].leaf = (uint8_t)leaf;
	if (u->writes.anywhere)
		spb_lose(u, node, SPB_SOURCE_UNKNOWN);
	else
		spb_link(u, spb_content_node(u, variable) + leaf, node, SPB_STEP_STORED);
	u->graph.nodes.items[node].demanded = true;
	expand_all(u);
	return node;
}

uint32_t spb_uniformity_ask(struct spb_uniformity *u, spb_at at, uint32_t word, uint32_t leaf)
{
	spb_uniformity_prepare(u);
	uint32_t function = spb_function_at(u, at);
	uint32_t node = spb_single_node(u, SPB_NODE_USE, word, function);
	uint32_t block = spb_block_in(u, function, at);
	u->graph.nodes.items[node].demanded = true;
	u->graph.nodes.items[node].one_subgroup = is_one_subgroup(u, function, block);
	spb_use_value(u, u->m->words[word], leaf, node, function, block, SPB_STEP_DATA, SPB_UNIFORM_BOTH);
	expand_all(u);
	return node;
}
