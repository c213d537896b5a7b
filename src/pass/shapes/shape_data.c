/* SPDX-License-Identifier: Apache-2.0 */
/* shape_data: ordinary data of a struct that also holds descriptors is read from a uniform block of its own.
 *
 * The block has the arrays and structs of the original without the descriptors in them, so the indexes of an access
 * chain remain valid, except for renumbered members. */
#include "pass/shapes/shape.h"

struct way { /* path from the resource, collected backwards */
	struct {
		struct way_index {
			uint32_t id, literal; /* id 0: a literal */
		} * items;
		size_t count, capacity;
	} index;
	const struct root *root;
};

static void append(struct rewriter *r, struct way *way, spb_at at, bool literals)
{
	const struct spb_module *m = r->p->m;

	for (uint32_t w = spb_next(m, at); w-- > at + 4;)
		SPB_PUSH(r->p->arena, &way->index,
			 ((struct way_index){literals ? 0 : m->words[w], literals ? m->words[w] : 0}));
}

static void find_way(struct rewriter *r, struct way *way, uint32_t id)
{
	const struct spb_module *m = r->p->m;

	while (!spb_root_number(r->p, id)) {
		spb_at at = m->def[id];
		uint32_t op = spb_op(m, at);
		if (spb_op_is(op, SPB_OP_CHAIN))
			append(r, way, at, false);
		else if (op == SpvOpCompositeExtract)
			append(r, way, at, true);
		else if (op != SpvOpLoad && op != SpvOpCopyObject)
			spb_refuse(r->p, SPB_E_FLOW, r->at,
				   "ordinary data in a struct that also holds descriptors is read by %s" SPB_REMEDY
				   "Pass the data separately.",
				   spb_op_name(op));
		id = m->words[at + 3];
	}
	way->root = &r->p->model.roots.items[spb_root_number(r->p, id) - 1];
}

static uint32_t literal_of(const struct shapes *p, struct way_index index)
{
	uint64_t value = index.literal;

	if (index.id)
		spb_constant_value(p->m, index.id, &value);
	return (uint32_t)value;
}

/* Emits an access chain of type `pointer` into the block, along the path. */
static void put_chain(struct rewriter *r, const struct way *way, uint32_t pointer, uint32_t id)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t type = p->model.nodes.items[way->root->node].type, count = 0;
	uint32_t *words = spb_alloc_array(p->arena, way->index.count + 3, sizeof *words);

	words[count++] = pointer;
	words[count++] = id;
	words[count++] = way->root->data_variable;
	for (size_t i = way->index.count; i-- > 0;) {
		struct way_index index = way->index.items[i];
		if (p->model.cells[type] && spb_def_op(m, type) == SpvOpTypeStruct) {
			uint32_t member = literal_of(p, index);
			words[count++] =
			    spb_uint_constant(p->e, p->model.words.items[p->model.data_map[type] + member]);
			type = m->words[m->def[type] + 2 + member];
			continue;
		}
		words[count++] = index.id ? spb_mapped(r, index.id) : spb_uint_constant(p->e, index.literal);
		if (p->model.cells[type]) /* below here no member is renumbered */
			type = m->words[m->def[type] + 2];
	}
	spb_put(r, SpvOpAccessChain, words, count);
}

uint32_t spb_put_data(struct rewriter *r, uint32_t id, const uint32_t *path, uint32_t count, uint32_t type)
{
	struct shapes *p = r->p;
	struct way way = {0};
	uint32_t chain = spb_new_id(p->e), value = spb_new_id(p->e);

	while (count-- > 0)
		SPB_PUSH(p->arena, &way.index, ((struct way_index){0, path[count]}));
	find_way(r, &way, id);
	put_chain(r, &way, spb_pointer_type(p->e, SpvStorageClassUniform, type), chain);
	spb_put(r, SpvOpLoad, W(type, value, chain));
	return value;
}

bool spb_rewrite_data(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, r->at), id = spb_result(m, r->at), from;
	struct way way = {0};

	if (spb_carrier_kind(p, id) == CARRIER_DATA) { /* a pointer to ordinary data */
		find_way(r, &way, id);
		put_chain(r, &way,
			  spb_pointer_type(p->e, SpvStorageClassUniform, m->words[m->def[spb_type_of(m, id)] + 3]),
			  spb_mapped(r, id));
		spb_drop(r, false);
		spb_keep_notes(r, id, false);
		return true;
	}
	if (op != SpvOpCompositeExtract || p->flow.carrier_of[id])
		return false;
	from = m->words[r->at + 3];
	if (spb_carrier_kind(p, from) != CARRIER_VALUE || !spb_value_of(p, r->c, from)->loaded)
		return false;
	find_way(r, &way, id); /* a value of ordinary data */
	uint32_t chain = spb_new_id(p->e), type = m->words[r->at + 1];
	put_chain(r, &way, spb_pointer_type(p->e, SpvStorageClassUniform, type), chain);
	spb_put_instead(r, SpvOpLoad, W(type, spb_mapped(r, id), chain), false);
	return true;
}
