/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_nodes: nodes, plain edges between them, and where in the module they belong. When an edge holds is decided
 * elsewhere. */
#include "analysis/uniformity/uniformity_graph.h"

size_t spb_first_from(const struct spb_list *ascending, spb_at at)
{
	size_t low = 0, high = ascending->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (ascending->items[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t spb_function_at(const struct spb_uniformity *u, spb_at at)
{
	return (uint32_t)(spb_function_around(u->m, at) - u->m->function);
}

/* The function in which an id is defined; SPB_ALL: a global, or part of a graph. */
uint32_t spb_function_in(const struct spb_uniformity *u, uint32_t id)
{
	const struct spb_module *m = u->m;
	const struct spb_function *f;

	if (m->def[id] < m->section[SPB_SECTION_FUNCTION])
		return SPB_ALL;
	f = spb_function_around(m, m->def[id]);
	return f ? (uint32_t)(f - m->function) : SPB_ALL;
}

uint32_t spb_block_in(struct spb_uniformity *u, uint32_t function, spb_at at)
{
	return spb_block_around(spb_body_of(u, function)->cfg, at);
}

bool spb_is_local(const struct spb_module *m, uint32_t root)
{
	uint32_t storage_class = spb_pointer_class(m, root);

	return storage_class == SpvStorageClassFunction || storage_class == SpvStorageClassPrivate;
}

uint32_t spb_leaves_of(struct spb_uniformity *u, uint32_t id)
{
	return spb_leaf_count(u, spb_type_of(u->m, id));
}

static const struct spb_inherited *find_inherited(const struct spb_uniformity *u, uint32_t variable)
{
	for (size_t i = 0; i < u->before.inherited.count; i++) {
		if (u->before.inherited.items[i].variable == variable)
			return &u->before.inherited.items[i];
	}
	return NULL;
}

const struct spb_inherited *spb_inherits(const struct spb_uniformity *u, uint32_t variable, uint64_t leaves)
{
	const struct spb_inherited *k = find_inherited(u, variable);

	return k && !(leaves & (~k->leaves | k->denied)) ? k : NULL;
}

bool spb_inherits_likely(const struct spb_uniformity *u, uint32_t variable, uint64_t leaves)
{
	const struct spb_inherited *k = find_inherited(u, variable);

	return k && !(leaves & (~(k->leaves | k->likely) | k->differs));
}

uint32_t spb_node_new(struct spb_uniformity *u, enum spb_node_kind kind, uint32_t ref, uint32_t function,
		      uint32_t leaves)
{
	uint32_t first = (uint32_t)u->graph.nodes.count;

	for (uint32_t i = 0; i < leaves; i++) {
		/* + 1 turns SPB_ALL into 0: in no function */
		struct spb_node n = {.ref = ref, .function = function + 1, .kind = (uint8_t)kind, .leaf = (uint8_t)i};
		SPB_PUSH(u->arena, &u->graph.nodes, n);
	}
	return first;
}

uint32_t spb_single_node(struct spb_uniformity *u, enum spb_node_kind kind, uint32_t ref, uint32_t function)
{
	return spb_node_new(u, kind, ref, function, 1);
}

void spb_need_node(struct spb_uniformity *u, uint32_t node)
{
	if (!u->graph.nodes.items[node].demanded) {
		u->graph.nodes.items[node].demanded = true;
		SPB_PUSH(u->drafts, &u->graph.work, node);
	}
}

uint32_t spb_value_node(struct spb_uniformity *u, uint32_t id)
{
	if (!u->graph.value[id]) {
		uint32_t f = spb_function_in(u, id);
		u->graph.value[id] = 1 + spb_node_new(u, SPB_NODE_VALUE, id, f, spb_leaves_of(u, id));
	}
	return u->graph.value[id] - 1;
}

uint32_t spb_control_node(struct spb_uniformity *u, uint32_t function, uint32_t block)
{
	struct spb_body *body = spb_body_of(u, function);

	if (!body->node.runs)
		body->node.runs = spb_alloc_zeroed(u->drafts, body->cfg->count + 1, sizeof *body->node.runs);
	if (!body->node.runs[block])
		body->node.runs[block] = 1 + spb_single_node(u, SPB_NODE_CONTROL, block, function);
	return body->node.runs[block] - 1;
}

uint32_t spb_entry_node(struct spb_uniformity *u, uint32_t function)
{
	struct spb_body *body = spb_body_of(u, function);

	if (!body->node.entry)
		body->node.entry = 1 + spb_single_node(u, SPB_NODE_ENTRY, function, function);
	return body->node.entry - 1;
}

uint32_t spb_gone_node(struct spb_uniformity *u)
{
	if (!u->graph.gone)
		u->graph.gone = 1 + spb_single_node(u, SPB_NODE_GONE, 0, SPB_ALL);
	return u->graph.gone - 1;
}

void spb_add_edge(struct spb_uniformity *u, uint32_t from, uint32_t to, uint8_t step, uint8_t mask)
{
	SPB_PUSH(u->arena, &u->graph.edges, ((struct spb_edge){from, to, step, mask}));
	u->graph.any_perhaps |= (mask & SPB_PERHAPS) != 0;
	u->graph.any_unlikely |= (mask & SPB_UNLIKELY) != 0;
	spb_need_node(u, from);
}

void spb_link(struct spb_uniformity *u, uint32_t from, uint32_t to, uint8_t step)
{
	spb_add_edge(u, from, to, step, SPB_UNIFORM_BOTH);
}

void spb_cross(struct spb_uniformity *u, uint32_t from, uint32_t to, uint8_t step, uint32_t call)
{
	SPB_PUSH(u->arena, &u->graph.crossings, ((struct spb_crossing){(uint32_t)u->graph.edges.count, call}));
	spb_link(u, from, to, step);
}

void spb_lose(struct spb_uniformity *u, uint32_t node, uint8_t source)
{
	struct spb_node *n = &u->graph.nodes.items[node];

	/* of several sources, keep the worst; the others only matter if it does not take everything */
	if (n->source == SPB_SOURCE_NONE || n->source == SPB_SOURCE_READ || n->source == SPB_SOURCE_INHERITED ||
	    n->source == SPB_SOURCE_REPACK || (n->source >= SPB_SOURCE_WRITTEN && source < SPB_SOURCE_SUBGROUP_ONLY))
		n->source = source;
}

void spb_use_control(struct spb_uniformity *u, uint32_t node, uint32_t function, uint32_t block, uint8_t mask)
{
	spb_add_edge(u, spb_control_node(u, function, block), node, SPB_STEP_BRANCH, mask);
	spb_add_edge(u, spb_entry_node(u, function), node, SPB_STEP_BRANCH, mask);
}
