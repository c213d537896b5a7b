/* SPDX-License-Identifier: Apache-2.0 */
/* shape_rewrite: rewrites functions, once for each kind of caller.
 *
 * The first context of a function is rewritten in place; the others become new functions at the end of the module.
 * Pointers to resources keep their ids where they are still pointers. Values that were descriptors keep theirs, which
 * then name selectors, and the descriptor is loaded where it is used. */
#include "pass/shapes/shape.h"

static bool is_real(const struct rewriter *r, uint32_t id)
{
	const struct shapes *p = r->p;

	if (spb_root_number(p, id))
		return !p->model.roots.items[spb_root_number(p, id) - 1].reshaped;
	return spb_carrier_kind(p, id) == CARRIER_PART && spb_written(r, id)->real;
}

static bool way_is_marked(const struct rewriter *r, uint32_t id)
{
	return spb_is_marked(r->p, id) || (r->p->flow.carrier_of[id] && spb_written(r, id)->marked);
}

static enum chain_mark mark_of_way(const struct rewriter *r, uint32_t id)
{
	return way_is_marked(r, id) ? MARK_OF_INPUT : NO_MARK;
}

/* Memory for selectors: does anything read it? */
static bool memory_lives(const struct rewriter *r, uint32_t pointer)
{
	struct value v;

	if (!spb_pointer_value(r->p, r->c, pointer, &v) || !v.object)
		return false;
	return spb_is_private_object(v.object) ? r->p->flow.private_needed[spb_private_number(v.object)]
					       : r->c->object_needed[v.object - 1];
}

static uint32_t pointer_to_retyped(struct rewriter *r, uint32_t pointer)
{
	const struct spb_module *m = r->p->m;
	spb_at at = m->def[pointer];

	return spb_pointer_type(r->p->e, m->words[at + 2], spb_selector_type(r->p, m->words[at + 3]));
}

/* The operands of the instruction with current ids, after room for its type if it has one. */
static uint32_t *operands_now(struct rewriter *r, uint32_t *count)
{
	const struct spb_module *m = r->p->m;
	uint32_t *words;

	*count = spb_length(m, r->at) - 1;
	words = spb_alloc_array(r->p->arena, *count, sizeof *words);
	memcpy(words, m->words + r->at + 1, *count * sizeof *words);
	for (struct spb_operand o = spb_operands(m, r->at); spb_operand_next(&o);) {
		if (spb_operand_is_id(&o))
			words[o.word - r->at - 1] = spb_mapped(r, m->words[o.word]);
	}
	return words;
}

/* The selector of a descriptor loaded from a resource is computed at the load. */
static void make_selector(struct rewriter *r, uint32_t id)
{
	struct shapes *p = r->p;
	const struct value *v = spb_value_of(p, r->c, id);
	uint32_t candidates;

	if (!v->needed || spb_known_descriptor(p, r->c, id, &candidates))
		return;
	struct written *w = spb_written(r, id);
	bool marked = way_is_marked(r, id);
	if (marked && !w->selector)
		w->selector = spb_new_id(p->e);
	r->source = id;
	r->path_count = 0;
	w->selector = spb_put_selector(r, &v->part, spb_type_of(p->m, id), spb_part_index(r, id), w->selector);
	if (marked)
		spb_add_decoration(p->e, w->selector, SpvDecorationNonUniform, NULL, 0);
}

/* A pointer to the descriptor, emitted here, where it has become an index. */
static uint32_t put_pointer(struct rewriter *r, uint32_t id)
{
	const struct value *v = spb_value_of(r->p, r->c, id);

	return spb_put_leaf_chain(r, spb_part_leaf(r->p, &v->part), spb_part_index(r, id), mark_of_way(r, id));
}

/* The chain reaches a descriptor and may continue into a block. */
static void put_chain(struct rewriter *r, const struct part *part, struct index i, uint32_t word, bool marked)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], end = spb_next(m, r->at), count = 0;
	struct leaf *leaf = &p->model.leaves.items[spb_part_leaf(p, part)];
	uint32_t *words = spb_alloc_array(p->arena, end - word + 4, sizeof *words);

	if (word == end && (!leaf->dims || !spb_value_of(p, r->c, id)->used)) {
		if (!leaf->dims)
			spb_map_id(r, id, leaf->variable);
		spb_written(r, id)->real = leaf->dims == 0;
		spb_drop(r, true);
		return;
	}
	const uint32_t op = spb_op(m, r->at) == SpvOpCopyObject ? SpvOpAccessChain : spb_op(m, r->at);
	words[count++] = word == end ? spb_leaf_pointer(p, leaf) : m->words[r->at + 1];
	words[count++] = spb_mapped(r, id);
	words[count++] = leaf->variable;
	if (leaf->dims)
		words[count++] = spb_index_id(r, i);
	if (leaf->dims)
		spb_see_index(p, leaf, i);
	while (word < end)
		words[count++] = spb_mapped(r, m->words[word++]);
	spb_put_instead(r, op, words, count, false);
	if (marked && !spb_is_marked(p, id))
		spb_add_decoration(p->e, spb_mapped(r, id), SpvDecorationNonUniform, NULL, 0);
}

static bool has_uses(const struct spb_module *m, uint32_t id)
{
	return m->first_use[id] != m->first_use[id + 1];
}

static void rewrite_part_chain(struct rewriter *r, const struct value *base)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], from = m->words[r->at + 3], word = r->at + 4;
	bool real = is_real(r, from), marked = way_is_marked(r, from), leads = spb_carrier_kind(p, id) == CARRIER_PART;
	struct part part = base->part;
	struct index i;

	if (!part.root) {
		if (leads)
			spb_written(r, id)->real = true;
		spb_keep(r);
		return;
	}
	i = spb_walk_index(r, &part, spb_part_index(r, from), &word, spb_next(m, r->at), false);
	if (leads) {
		spb_written(r, id)->index = i;
		spb_written(r, id)->marked = marked || spb_is_marked(p, id);
		spb_written(r, id)->real = real || spb_part_is_leaf(p, &part);
	}
	if (real && spb_op(m, r->at) == SpvOpCopyObject) {
		spb_map_id(r, id, spb_mapped(r, from));
		spb_drop(r, true);
	} else if (real && leads && !spb_value_of(p, r->c, id)->used && has_uses(p->m, id)) {
		spb_drop(r, true); /* only its index flows on */
	} else if (real) {
		spb_keep(r);
	} else if (spb_part_is_leaf(p, &part)) {
		put_chain(r, &part, i, word, marked);
	} else if (leads) {
		spb_drop(r, true);
	} else {
		spb_refuse(
		    p, SPB_E_FLOW, r->at,
		    "ordinary data in a struct that also holds descriptors is read through a parameter" SPB_REMEDY
		    "Pass the data separately.");
	}
}

static void rewrite_chain(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], from = m->words[r->at + 3], count;
	struct value base;

	if (spb_rewrite_data(r))
		return;
	if (!spb_pointer_value(p, r->c, from, &base)) {
		spb_keep(r);
	} else if (!base.object) {
		rewrite_part_chain(r, &base);
	} else if (spb_carrier_kind(p, id) == CARRIER_LOCAL) {
		uint32_t *words = operands_now(r, &count);
		words[0] = pointer_to_retyped(r, m->words[r->at + 1]);
		if (memory_lives(r, from))
			spb_put_instead(r, spb_op(m, r->at), words, count, true);
		else
			spb_drop(r, true);
	} else {
		spb_keep(r); /* leads to ordinary data alongside descriptors in local memory */
	}
}

/* A load from a resource. */
static void rewrite_resource_load(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], pointer = m->words[r->at + 3];
	const struct value *v = spb_value_of(p, r->c, id);
	struct written *w = spb_written(r, id);

	if (v->part.root) {
		w->index = spb_part_index(r, pointer);
		w->marked = way_is_marked(r, pointer);
		make_selector(r, id);
	}
	if (v->part.root && (!spb_part_is_leaf(p, &v->part) || spb_only_flows(p, r->c, id))) {
		spb_drop(r, true);
	} else if (!v->part.root || is_real(r, pointer)) {
		spb_keep(r);
	} else {
		uint32_t from = put_pointer(r, pointer);
		spb_put_instead(r, SpvOpLoad, W(m->words[r->at + 1], spb_mapped(r, id), from), false);
	}
}

static void rewrite_load(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], count;

	if (spb_carrier_kind(p, id) != CARRIER_VALUE) {
		spb_keep(r);
	} else if (spb_value_of(p, r->c, id)->loaded) {
		rewrite_resource_load(r);
	} else if (spb_value_of(p, r->c, id)->needed) {
		uint32_t *words = operands_now(r, &count);
		words[0] = spb_selector_type(p, m->words[r->at + 1]);
		spb_put_instead(r, SpvOpLoad, words, count, true);
	} else {
		spb_drop(r, true);
	}
}

static void rewrite_store(struct rewriter *r)
{
	const struct spb_module *m = r->p->m;
	uint32_t pointer = m->words[r->at + 1], count;
	struct value v;

	if (!spb_pointer_value(r->p, r->c, pointer, &v) || !v.object) {
		spb_keep(r);
	} else if (memory_lives(r, pointer)) {
		uint32_t selector = spb_selector_of(r, m->words[r->at + 2]), *words = operands_now(r, &count);
		words[1] = selector;
		spb_put_instead(r, SpvOpStore, words, count, false);
	} else {
		spb_drop(r, false);
	}
}

/* OpPhi, OpSelect, OpCompositeConstruct, OpCompositeInsert and copies do the same with selectors. */
static void rewrite_composite(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], count;

	if (spb_carrier_kind(p, id) != CARRIER_VALUE) {
		spb_keep(r);
		return;
	}
	if (!spb_value_of(p, r->c, id)->needed) {
		spb_drop(r, true);
		return;
	}
	uint32_t *words = operands_now(r, &count);
	for (struct spb_operand o = spb_operands(m, r->at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && p->model.cells[spb_type_of(m, m->words[o.word])])
			words[o.word - r->at - 1] = spb_selector_of(r, m->words[o.word]);
	}
	words[0] = spb_selector_type(p, m->words[r->at + 1]);
	spb_put_instead(r, spb_op(m, r->at), words, count, true);
}

/* Extracts a descriptor from an array or struct of them that was loaded from a resource. */
static void extract_from_resource(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], from = m->words[r->at + 3], word = r->at + 4;
	struct part part = spb_value_of(p, r->c, from)->part;
	const struct value *v = spb_value_of(p, r->c, id);
	struct written *w = spb_written(r, id);

	if (!part.root) {
		spb_keep(r);
		return;
	}
	w->index = spb_walk_index(r, &part, spb_part_index(r, from), &word, spb_next(m, r->at), true);
	w->marked = way_is_marked(r, from);
	make_selector(r, id);
	if (!spb_part_is_leaf(p, &part) || !v->used) {
		spb_drop(r, true);
		return;
	}
	uint32_t pointer = spb_put_leaf_chain(r, spb_part_leaf(p, &part), w->index, mark_of_way(r, id));
	spb_put_instead(r, SpvOpLoad, W(m->words[r->at + 1], spb_mapped(r, id), pointer), false);
}

static void rewrite_extract(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], from = m->words[r->at + 3], count;

	if (spb_rewrite_data(r))
		return;
	if (spb_carrier_kind(p, from) != CARRIER_VALUE) {
		spb_keep(r);
	} else if (spb_value_of(p, r->c, from)->loaded) {
		extract_from_resource(r);
	} else if (spb_carrier_kind(p, id) == CARRIER_VALUE && !spb_value_of(p, r->c, id)->needed) {
		spb_drop(r, true);
	} else {
		uint32_t *words = operands_now(r, &count);
		words[0] = spb_selector_type(p, m->words[r->at + 1]);
		words[2] = spb_selector_of(r, from);
		spb_put_instead(r, spb_op(m, r->at), words, count, spb_carrier_kind(p, id) == CARRIER_VALUE);
	}
}

/* OpCopyObject and OpCopyLogical of values, OpCopyObject of pointers. */
static void rewrite_copy(struct rewriter *r)
{
	struct shapes *p = r->p;
	uint32_t id = p->m->words[r->at + 2], from = p->m->words[r->at + 3];

	if (spb_carrier_kind(p, id) == CARRIER_PART || spb_carrier_kind(p, id) == CARRIER_LOCAL ||
	    spb_carrier_kind(p, id) == CARRIER_DATA)
		rewrite_chain(r);
	else if (spb_carrier_kind(p, id) == CARRIER_VALUE && spb_carrier_kind(p, from) == CARRIER_VALUE &&
		 spb_value_of(p, r->c, from)->loaded)
		extract_from_resource(r);
	else
		rewrite_composite(r);
}

/* Calls */

/* Type of a parameter in a context; 0: it is removed; its own type: unchanged. */
static uint32_t parameter_type(struct shapes *p, const struct context *c, uint32_t id)
{
	const struct carrier *carrier = spb_carrier_of(p, id);
	uint32_t type = spb_type_of(p->m, id);

	if (!carrier)
		return type;
	if (carrier->kind == CARRIER_VALUE)
		return spb_value_of(p, c, id)->needed ? spb_selector_type(p, type) : 0;
	if (carrier->kind == CARRIER_LOCAL)
		return c->object_needed[carrier->object - 1]
			   ? spb_pointer_type(p->e, p->m->words[p->m->def[type] + 2],
					      spb_selector_type(p, p->m->words[p->m->def[type] + 3]))
			   : 0;
	if (!spb_is_lowered_part(p, id))
		return type;
	return spb_value_of(p, c, id)->part.index == DYNAMIC ? spb_uint_type(p->e) : 0;
}

static void rewrite_call(struct rewriter *r, uint32_t call)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2], count = 3;

	if (!r->c->callee[call]) {
		spb_keep(r);
		return;
	}
	const struct context *d = &p->flow.contexts.items[r->c->callee[call] - 1];
	const struct function *g = &p->flow.functions[d->function];
	uint32_t length = spb_length(m, r->at), *words = spb_alloc_array(p->arena, length, sizeof *words);
	bool same = d->id == m->words[r->at + 3] && !p->model.cells[m->words[r->at + 1]];
	words[0] = spb_selector_type(p, m->words[r->at + 1]);
	words[1] = spb_mapped(r, id);
	words[2] = d->id;
	for (uint32_t i = 0; i < g->parameter_count; i++) {
		uint32_t parameter = p->flow.parameters.items[g->first_parameter + i],
			 argument = m->words[r->at + 4 + i];
		uint32_t type = parameter_type(p, d, parameter);
		same &= type == spb_type_of(m, parameter);
		if (!type)
			continue;
		if (spb_carrier_kind(p, parameter) == CARRIER_VALUE)
			words[count++] = spb_selector_of(r, argument);
		else if (spb_is_lowered_part(p, parameter))
			words[count++] = spb_put_uint(r, spb_part_index(r, argument), way_is_marked(r, argument));
		else
			words[count++] = spb_mapped(r, argument);
	}
	if (same)
		spb_keep(r);
	else
		spb_put_instead(r, SpvOpFunctionCall, words, count, spb_carrier_kind(p, id) == CARRIER_VALUE);
}

static void rewrite_return(struct rewriter *r)
{
	struct shapes *p = r->p;
	uint32_t id = p->m->words[r->at + 1], type = spb_type_of(p->m, id);

	if (!p->model.cells[type])
		spb_keep(r);
	else
		spb_put_instead(r, SpvOpReturnValue,
				W(r->c->return_needed ? spb_selector_of(r, id) : spb_no_selector(p, type)), false);
}

/* Emits OpFunction with its parameters. */
static void rewrite_head(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t count = 1, *types = spb_alloc_array(p->arena, r->f->parameter_count + 1, sizeof *types);
	bool same = !p->model.cells[m->words[r->at + 1]];

	types[0] = spb_selector_type(p, m->words[r->at + 1]);
	for (uint32_t i = 0; i < r->f->parameter_count; i++) {
		uint32_t id = p->flow.parameters.items[r->f->first_parameter + i], type = parameter_type(p, r->c, id);
		same &= type == spb_type_of(m, id);
		if (type)
			types[count++] = type;
	}
	if (same)
		spb_keep(r);
	else
		spb_put_instead(
		    r, SpvOpFunction,
		    W(types[0], r->c->id, m->words[r->at + 3], spb_make(p->e, SpvOpTypeFunction, types, count)), false);
}

static void rewrite_parameter(struct rewriter *r)
{
	struct shapes *p = r->p;
	uint32_t id = p->m->words[r->at + 2], type = parameter_type(p, r->c, id);

	if (spb_carrier_kind(p, id) == CARRIER_PART && !spb_is_lowered_part(p, id))
		spb_written(r, id)->real = true;
	if (spb_is_lowered_part(p, id))
		spb_written(r, id)->index = (struct index){.id = spb_mapped(r, id)};
	if (type == spb_type_of(p->m, id))
		spb_keep(r);
	else if (type)
		spb_put_instead(r, SpvOpFunctionParameter, W(type, spb_mapped(r, id)), true);
	else
		spb_drop(r, true);
}

static void rewrite_variable(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[r->at + 2];

	if (spb_carrier_kind(p, id) != CARRIER_LOCAL)
		spb_keep(r);
	else if (memory_lives(r, id)) /* an initializer can only be null or undefined */
		spb_put_instead(r, SpvOpVariable,
				W(pointer_to_retyped(r, m->words[r->at + 1]), spb_mapped(r, id), m->words[r->at + 3]),
				true);
	else
		spb_drop(r, true);
}

/* Uses */

/* Debug information can only refer to variables and values that still exist. */
static void rewrite_debug(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;

	for (struct spb_operand o = spb_operands(m, r->at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word];
		const struct carrier *carrier = o.kind == SPB_KIND_ID ? spb_carrier_of(p, id) : NULL;
		bool there = true;
		if (carrier && carrier->kind == CARRIER_VALUE)
			there = spb_value_of(p, r->c, id)->loaded && spb_value_of(p, r->c, id)->used;
		else if (carrier && carrier->kind == CARRIER_LOCAL)
			there = memory_lives(r, id);
		else if (carrier && carrier->kind == CARRIER_PART)
			there = is_real(r, id);
		if (!there) {
			spb_drop(r, true);
			return;
		}
	}
	spb_keep(r);
}

/* In an unreachable block, where no descriptor is available. */
static void rewrite_dead(struct rewriter *r)
{
	const struct spb_module *m = r->p->m;
	uint32_t id = spb_result(m, r->at);

	if (id)
		spb_put_instead(r, SpvOpUndef, W(m->words[r->at + 1], spb_mapped(r, id)), false);
	else
		spb_drop(r, false);
}

/* OpImageTexelPointer names the image by a pointer. */
static void rewrite_texel_pointer(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t pointer = m->words[r->at + 3], count, *words;

	if (spb_is_local_pointer_to_descriptors(p, pointer)) {
		uint32_t candidates = spb_value_of(p, r->c, m->words[r->at + 2])->cells[0], selector;
		if (!candidates) {
			rewrite_dead(r);
			return;
		}
		struct member of = *candidates_members(&p->flow.candidates, candidates);
		selector = !is_number(of.index) ? spb_put_memory_load(r, pointer) : 0;
		pointer = spb_put_chosen_chain(r, of, selector);
	} else if (spb_carrier_kind(p, pointer) != CARRIER_PART || is_real(r, pointer)) {
		spb_keep(r);
		return;
	} else {
		pointer = put_pointer(r, pointer);
	}
	words = operands_now(r, &count);
	words[2] = pointer;
	spb_put_instead(r, SpvOpImageTexelPointer, words, count, false);
}

/* The descriptor is loaded at its use, by a selector from memory or from a caller. The author's mark is on the
 * selector; decorate-nonuniform carries it to the operand, where Vulkan requires it (VUID-RuntimeSpirv-None-10148).
 * With --nonuniform=keep, that happens here. */
static void keep_use_mark(struct rewriter *r, uint32_t id, uint32_t taken)
{
	struct shapes *p = r->p;

	if (p->u->options->uniformity.mode == SPB_NONUNIFORM_KEEP && spb_is_marked(p, id))
		spb_add_decoration(p->e, taken, SpvDecorationNonUniform, NULL, 0);
}

/* Any instruction that uses a descriptor. */
static void rewrite_use(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t count, *words = operands_now(r, &count);
	bool changed = false;

	for (struct spb_operand o = spb_operands(m, r->at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word], candidates;
		if (o.kind != SPB_KIND_ID)
			continue;
		if ((spb_carrier_kind(p, id) == CARRIER_PART || spb_root_number(p, id)) && !is_real(r, id))
			spb_refuse(p, SPB_E_FLOW, r->at,
				   "%s takes %s, which is or belongs to a resource whose shape changes, and there is "
				   "no rewrite for it" SPB_REMEDY "Use its members one by one.",
				   spb_word_of(m, r->at), spb_label(p->arena, m, id));
		if (spb_carrier_kind(p, id) == CARRIER_LOCAL)
			spb_refuse(
			    p, SPB_E_FLOW, r->at,
			    "%s takes %s, a pointer to local descriptors, for which there is no rewrite" SPB_REMEDY
			    "Use the resource itself.",
			    spb_word_of(m, r->at), spb_label(p->arena, m, id));
		if (spb_carrier_kind(p, id) != CARRIER_VALUE || spb_value_of(p, r->c, id)->loaded)
			continue;
		candidates = *spb_value_cells(p, r->c, id, r->at);
		if (!candidates) {
			rewrite_dead(r);
			return;
		}
		uint32_t from = spb_copied_from(p, r->c, candidates, r->block, r->at);
		const struct member of = *candidates_members(&p->flow.candidates, candidates);
		uint32_t taken = from ? spb_mapped(r, from) : spb_put_descriptor(r, of, spb_selector_of(r, id));
		if (!from && !is_number(of.index))
			keep_use_mark(r, id, taken);
		words[o.word - r->at - 1] = taken;
		changed = true;
	}
	if (changed)
		spb_put_instead(r, spb_op(m, r->at), words, count, false);
	else
		spb_keep(r);
}

static void rewrite_instruction(struct rewriter *r, uint32_t call)
{
	struct shapes *p = r->p;
	uint32_t op = spb_op(p->m, r->at);

	spb_keep_flow_mark(r);
	switch (op) {
	case SpvOpFunction:
		rewrite_head(r);
		break;
	case SpvOpFunctionParameter:
		rewrite_parameter(r);
		break;
	case SpvOpVariable:
		rewrite_variable(r);
		break;
	case SpvOpLoad:
		rewrite_load(r);
		break;
	case SpvOpStore:
		rewrite_store(r);
		break;
	case SpvOpCompositeExtract:
		rewrite_extract(r);
		break;
	case SpvOpFunctionCall:
		rewrite_call(r, call);
		break;
	case SpvOpReturnValue:
		rewrite_return(r);
		break;
	case SpvOpUndef:
		if (spb_carrier_kind(p, p->m->words[r->at + 2]) == CARRIER_VALUE)
			spb_drop(r, true);
		else
			spb_keep(r);
		break;
	default:
		if (spb_op_is(op, SPB_OP_CHAIN))
			rewrite_chain(r);
		else if (spb_op_is(op, SPB_OP_JOINS))
			rewrite_composite(r);
		else if (spb_op_is(op, SPB_OP_COPY))
			rewrite_copy(r);
		else if (spb_is_non_semantic(p->m, r->at))
			rewrite_debug(r);
		else if (spb_must_choose(r))
			spb_put_choice(r);
		else if (op == SpvOpImageTexelPointer)
			rewrite_texel_pointer(r);
		else
			rewrite_use(r);
		break;
	}
}

/* New ids for everything that a copy defines. */
static void map_results(struct rewriter *r, const struct spb_function *f)
{
	const struct spb_module *m = r->p->m;

	for (spb_at at = f->at; at < f->end; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (id)
			spb_map_id(r, id, at == f->at ? r->c->id : spb_new_id(r->p->e));
	}
}

static void rewrite_context(struct shapes *p, struct context *c, bool clone)
{
	const struct spb_module *m = p->m;
	const struct spb_function *f = &m->function[c->function];
	struct rewriter r = {.p = p, .c = c, .f = &p->flow.functions[c->function], .clone = clone};
	uint32_t next = 0;

	r.written = spb_alloc_zeroed(p->arena, r.f->carrier_count, sizeof *r.written);
	if (clone)
		map_results(&r, f);
	for (spb_at at = f->at;; at = spb_next(m, at)) {
		const struct event *event = NULL;
		r.at = at;
		if (next < r.f->event_count && p->flow.events.items[r.f->first_event + next].at == at)
			event = &p->flow.events.items[r.f->first_event + next++];
		if (event)
			r.block = event->block;
		if (event || at == f->at)
			rewrite_instruction(&r, event ? event->call : 0);
		else if (clone)
			spb_keep(&r);
		if (at == f->end)
			break;
	}
	while (p->writer.touched.count)
		p->writer.map[p->writer.touched.items[--p->writer.touched.count]] = 0;
}

void spb_rewrite_functions(struct shapes *p)
{
	const struct spb_module *m = p->m;

	for (uint32_t f = 0; f < m->function_count; f++) { /* names first: a function may be called before or after
							    * its definition */
		uint32_t id = m->words[m->function[f].at + 2];
		for (uint32_t i = p->flow.functions[f].first_context; i; i = p->flow.contexts.items[i - 1].next) {
			struct context *c = &p->flow.contexts.items[i - 1];
			if (!c->live)
				continue;
			c->id = id ? id : spb_new_id(p->e);
			id = 0;
		}
	}
	for (uint32_t f = 0; f < m->function_count; f++) {
		bool first = true;
		for (uint32_t i = p->flow.functions[f].first_context; i; i = p->flow.contexts.items[i - 1].next) {
			if (!p->flow.contexts.items[i - 1].live)
				continue;
			rewrite_context(p, &p->flow.contexts.items[i - 1], !first);
			first = false;
		}
		/* No function is left that calls it. A declaration may have a type that is removed. */
		if (first && (spb_has_body(&m->function[f]) || !p->flow.functions[f].called))
			spb_remove_function(p->e, &m->function[f]);
	}
	for (size_t at = 0; at < p->writer.late.count; at += p->writer.late.items[at] >> 16)
		spb_insert(p->e, m->count, p->writer.late.items[at] & 0xFFFF, p->writer.late.items + at + 1,
			   (p->writer.late.items[at] >> 16) - 1);
}
