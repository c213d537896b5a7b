/* SPDX-License-Identifier: Apache-2.0 */
/* shape_cells: the descriptors that a value or memory holds, each in a cell with its candidates. */
#include "pass/shapes/shape.h"

uint32_t *spb_new_cells(struct shapes *p, size_t count)
{
	p->flow.cells_made += count;
	if (p->flow.cells_made > MAX_MEMORY)
		spb_refuse(p, SPB_E_TOO_MUCH, 0,
			   "the module copies arrays of descriptors too often to follow them all" SPB_REMEDY
			   "Index the resource directly, or pass an index.");
	return spb_alloc_zeroed(p->arena, count, sizeof(uint32_t));
}

struct value *spb_value_of(struct shapes *p, const struct context *c, uint32_t id)
{
	uint32_t carrier = p->flow.carrier_of[id];

	assert(carrier);
	return &c->values[carrier - 1 - p->flow.functions[c->function].first_carrier];
}

/* Collects all descriptors in part of a resource, row-major. The recursion is bounded by the tree. */
static uint32_t *fill_part(struct shapes *p, struct part part, uint32_t *cells)
{
	const struct node *node = spb_part_node(p, &part);

	if (node->kind == NODE_LEAF) {
		*cells++ = spb_candidates_of(&p->flow.candidates, node->leaf, part.index);
	} else if (node->kind == NODE_ARRAY) {
		for (uint32_t i = 0; i < node->elements; i++) {
			struct part element = part;
			spb_part_element(p, &element, i);
			cells = fill_part(p, element, cells);
		}
	} else {
		uint32_t members = spb_length(p->m, p->m->def[node->type]) - 2;
		for (uint32_t i = 0; i < members; i++) {
			struct part member = part;
			if (spb_part_member(p, &member, i))
				cells = fill_part(p, member, cells);
		}
	}
	return cells;
}

void spb_tag_cells(struct shapes *p, uint32_t *cells, uint32_t count, uint32_t id)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t tag = INDEX_OF_ID + id + ((uint64_t)i << 22); /* ids are below 2^22: SPIR-V 2.17, "Universal
									* Limits" */
		cells[i] =
		    spb_candidates_with_index(&p->flow.candidates, cells[i], tag < CHOSEN ? (uint32_t)tag : CHOSEN);
	}
}

const uint32_t *spb_value_cells(struct shapes *p, const struct context *c, uint32_t id, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t cells = p->model.cells[spb_type_of(m, id)];

	if (cells > MAX_CELLS)
		spb_refuse(p, SPB_E_TOO_MUCH, at,
			   "%s copies an array of descriptors whose size is unknown or exceeds %u elements" SPB_REMEDY
			   "Index the resource itself.",
			   spb_word_of(m, at), (unsigned)MAX_CELLS);
	if (spb_carrier_kind(p, id) == CARRIER_DERIVED)
		spb_refuse(p, SPB_E_FLOW, at,
			   "%s takes a value made by %s" SPB_REMEDY "Only resources can be stored and passed on.",
			   spb_word_of(m, at), spb_op_name(spb_def_op(m, id)));
	if (spb_carrier_kind(p, id) != CARRIER_VALUE || m->def[id] < m->section[SPB_SECTION_FUNCTION])
		return p->flow.unassigned; /* OpUndef, OpConstantNull */
	struct value *v = spb_value_of(p, c, id);
	if (v->loaded && !v->cells) {
		if (!v->part.root)
			spb_refuse(p, SPB_E_FLOW, at, "%s takes a descriptor that cannot be traced to a resource",
				   spb_word_of(m, at));
		v->cells = spb_new_cells(p, cells);
		fill_part(p, v->part, v->cells);
		spb_tag_cells(p, v->cells, cells, id);
	}
	if (!v->cells)
		v->cells = spb_new_cells(p, cells);
	return v->cells;
}

void spb_put_cells(struct step *s, uint32_t id, const uint32_t *cells)
{
	struct value *v = spb_value_of(s->p, s->c, id);
	uint32_t n = s->p->model.cells[spb_type_of(s->p->m, id)];

	if (!v->cells)
		v->cells = spb_new_cells(s->p, n);
	if (memcmp(v->cells, cells, n * sizeof *cells) != 0) {
		memcpy(v->cells, cells, n * sizeof *cells);
		s->changed = true;
	}
}

void spb_join_cells(struct shapes *p, uint32_t *to, const uint32_t *from, uint32_t count, enum join how, bool *changed)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t joined = spb_candidates_join(&p->flow.candidates, to[i], from[i], how);
		*changed |= joined != to[i];
		to[i] = joined;
	}
}

/* What a global pointer or value refers to: a resource or a Private variable. */
static bool global_value(const struct shapes *p, uint32_t id, struct value *v)
{
	*v = (struct value){0};
	if (spb_root_number(p, id)) {
		v->part =
		    (struct part){spb_root_number(p, id), p->model.roots.items[spb_root_number(p, id) - 1].node, 0};
		return true;
	}
	if (spb_private_of(p, id)) {
		v->object = UINT32_MAX - spb_private_of(p, id);
		v->count = p->flow.privates.items[spb_private_of(p, id) - 1].count;
		return true;
	}
	return false;
}

bool spb_pointer_value(struct shapes *p, const struct context *c, uint32_t id, struct value *v)
{
	if (global_value(p, id, v))
		return true;
	if (spb_carrier_kind(p, id) != CARRIER_PART && spb_carrier_kind(p, id) != CARRIER_LOCAL)
		return false;
	*v = *spb_value_of(p, c, id);
	return true;
}

uint32_t *spb_object_cells(struct step *s, const struct value *v, bool *global)
{
	*global = spb_is_private_object(v->object);
	if (*global)
		return s->p->flow.private_cells + s->p->flow.privates.items[spb_private_number(v->object)].first;
	return s->state + s->p->flow.objects.items[s->f->first_object + v->object - 1].first;
}
