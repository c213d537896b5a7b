/* SPDX-License-Identifier: Apache-2.0 */
/* shape_choose: uses of a descriptor that may be one of several resources.
 *
 *     %r = OpImageRead %v4float %image %x           %r = OpFunctionCall %v4float %choose_ImageRead %selector %x
 *
 * The function switches over the resources and does the same with each. Since the switch is in a function of its own,
 * the control flow around the use stays as it is. Derivatives must not be computed in a switch whose selector differs
 * between invocations, so an access with an implicit level of detail gets those from before the switch (gradients.c).
 * Where that is not possible, as for OpImageQueryLod, the instruction is executed for every candidate, and the result
 * is selected. A selector out of range, which occurs only for a descriptor that was never assigned, selects the last
 * candidate or element 0. */
#include "pass/shapes/shape.h"

enum { MAX_CHOICES = 8, MAX_MADE = 8, MAX_COMBINATIONS = 64, MAX_ARGUMENTS = 64 };

struct choice {
	uint32_t id; /* the value, or the texel pointer into local memory */
	uint32_t candidates;
	uint32_t selector; /* parameter of the function; 0: not needed */
	uint32_t loaded;   /* result of the selection: a descriptor or a pointer to it */
	bool pointer;
};

struct helper {
	struct rewriter *r; /* for the function that contains the use */
	struct rewriter w;  /* for the new function */
	struct choice choices[MAX_CHOICES];
	uint32_t choice_count;
	spb_at made[MAX_MADE + 1]; /* OpSampledImage, OpImage or OpImageTexelPointer before the use; then the use */
	uint32_t made_count, depth;
	uint32_t from[MAX_ARGUMENTS], to[MAX_ARGUMENTS], types[MAX_ARGUMENTS], count; /* arguments; parameters */
	uint32_t block;                                                               /* label of the current block */
	uint32_t result_type;
	struct spb_gradients gradients; /* x 0: the use takes none */
};

static bool is_many(struct shapes *p, uint32_t candidates)
{
	return candidates_at(&p->flow.candidates, candidates)->count > 1;
}

/* The candidates from which an operand is selected; 0: not one of several descriptors. */
static uint32_t set_of_operand(struct rewriter *r, uint32_t id)
{
	struct shapes *p = r->p;

	if (spb_carrier_kind(p, id) != CARRIER_VALUE || spb_value_of(p, r->c, id)->loaded ||
	    p->model.cells[spb_type_of(p->m, id)] != 1)
		return 0;
	return *spb_value_cells(p, r->c, id, r->at);
}

static uint32_t texel_set(struct rewriter *r, spb_at at)
{
	struct shapes *p = r->p;

	if (spb_op(p->m, at) != SpvOpImageTexelPointer || !spb_is_local_pointer_to_descriptors(p, p->m->words[at + 3]))
		return 0;
	return spb_value_of(p, r->c, p->m->words[at + 2])->cells[0];
}

static struct written *derived(const struct rewriter *r, uint32_t id)
{
	return spb_carrier_kind(r->p, id) == CARRIER_DERIVED ? spb_written(r, id) : NULL;
}

bool spb_must_choose(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;

	if (is_many(p, texel_set(r, r->at)))
		return true;
	for (struct spb_operand o = spb_operands(m, r->at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word];
		if (o.kind != SPB_KIND_ID)
			continue;
		if (is_many(p, set_of_operand(r, id)) || (derived(r, id) && derived(r, id)->deferred))
			return true;
	}
	return false;
}

static noreturn void too_many(const struct helper *h)
{
	spb_refuse(h->r->p, SPB_E_TOO_MUCH, h->r->at,
		   "%s would have to select among too many resources" SPB_REMEDY "Use an array, and select an index.",
		   spb_word_of(h->r->p->m, h->r->at));
}

static uint32_t argument(struct helper *h, uint32_t from, uint32_t type)
{
	if (h->count == MAX_ARGUMENTS)
		too_many(h);
	h->from[h->count] = from;
	h->types[h->count] = type;
	h->to[h->count] = spb_new_id(h->r->p->e);
	return h->to[h->count++];
}

static void add_choice(struct helper *h, uint32_t id, uint32_t candidates, uint32_t selector, bool pointer)
{
	for (uint32_t i = 0; i < h->choice_count; i++) {
		if (h->choices[i].id == id)
			return;
	}
	if (h->choice_count == MAX_CHOICES)
		too_many(h);
	h->choices[h->choice_count++] =
	    (struct choice){.id = id,
			    .candidates = candidates,
			    .selector = selector ? argument(h, selector, spb_uint_type(h->r->p->e)) : 0,
			    .pointer = pointer};
}

/* A descriptor operand is selected, or loaded again, in the new function. */
static void see_descriptor(struct helper *h, uint32_t id)
{
	struct rewriter *r = h->r;
	struct shapes *p = r->p;
	const struct value *v = spb_value_of(p, r->c, id);
	uint32_t candidates, selector = 0;

	if (v->loaded && !v->part.root)
		spb_refuse(p, SPB_E_FLOW, r->at,
			   "%s takes one of several resources together with a descriptor that is a parameter" SPB_REMEDY
			   "Pass both as parameters, or neither.",
			   spb_word_of(p->m, r->at));
	if (v->loaded) {
		candidates = spb_candidates_of(&p->flow.candidates, spb_part_leaf(p, &v->part), v->part.index);
		if (v->part.index == DYNAMIC)
			selector = spb_put_selector(r, &v->part, spb_type_of(p->m, id), spb_part_index(r, id), 0);
	} else {
		candidates = *spb_value_cells(p, r->c, id, r->at);
		if (is_many(p, candidates) ||
		    (candidates && !is_number(candidates_members(&p->flow.candidates, candidates)->index)))
			selector = spb_selector_of(r, id);
	}
	add_choice(h, id, candidates, selector, false);
}

/* Collects the operands of the instruction at `at`, and of the instructions that made them. The recursion is bounded by
 * MAX_MADE. */
static void see_operands(struct helper *h, spb_at at)
{
	struct rewriter *r = h->r;
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t texel = texel_set(r, at);

	if (texel)
		add_choice(h, m->words[at + 2], texel, spb_put_memory_load(r, m->words[at + 3]), true);
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word];
		if (o.kind != SPB_KIND_ID || (texel && o.word == at + 3))
			continue;
		if (spb_carrier_kind(p, id) == CARRIER_VALUE) {
			see_descriptor(h, id);
		} else if (spb_carrier_kind(p, id) == CARRIER_DERIVED) {
			if (h->made_count == MAX_MADE || h->depth++ == MAX_MADE)
				too_many(h);
			see_operands(h, m->def[id]);
			h->depth--;
		} else if (m->def[id] >= m->section[SPB_SECTION_FUNCTION]) {
			uint32_t k = 0;
			while (k < h->count && h->from[k] != spb_mapped(r, id))
				k++;
			if (k == h->count)
				argument(h, spb_mapped(r, id), spb_type_of(m, id));
		}
	}
	h->made[h->made_count++] = at;
}

/* The id in the new function for an id of the use. */
static uint32_t inside(const struct helper *h, uint32_t id)
{
	uint32_t outside = spb_mapped(h->r, id);

	for (uint32_t i = 0; i < h->count; i++) {
		if (h->from[i] == outside)
			return h->to[i];
	}
	return id;
}

/* Emits the instruction again with the parameters and the selected descriptors. Returns its result; 0: none. */
static uint32_t make(struct helper *h, spb_at at, const uint32_t *results, uint32_t made)
{
	struct shapes *p = h->r->p;
	const struct spb_module *m = p->m;
	uint32_t length = spb_length(m, at), id = spb_result(m, at) ? spb_new_id(p->e) : 0, op = spb_op(m, at);
	uint32_t *words = spb_alloc_array(p->arena, length + SPB_GRADIENT_WORDS, sizeof *words);

	memcpy(words, m->words + at, length * sizeof *words);
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t *word = &words[o.word - at], old = m->words[o.word];
		if (o.kind == SPB_KIND_RESULT)
			*word = id;
		if (o.kind != SPB_KIND_ID)
			continue;
		for (uint32_t i = 0; i < h->choice_count; i++) {
			const struct choice *c = &h->choices[i];
			if (c->pointer ? c->id == m->words[at + 2] && o.word == at + 3 : c->id == old)
				*word = c->loaded;
		}
		for (uint32_t i = 0; i < made; i++) {
			if (spb_result(m, h->made[i]) == old)
				*word = results[i];
		}
		if (*word == old)
			*word = inside(h, old);
	}
	if (h->gradients.x && spb_explicit_lod(op)) {
		length = 1 + spb_use_gradients(m, at, words + 1, h->gradients);
		op = spb_explicit_lod(op);
	}
	spb_put(&h->w, op, words + 1, length - 1);
	return id;
}

static uint32_t make_all(struct helper *h)
{
	uint32_t results[MAX_MADE + 1] = {0};

	for (uint32_t i = 0; i < h->made_count; i++)
		results[i] = make(h, h->made[i], results, i);
	return results[h->made_count - 1];
}

/* Loads the k-th candidate of a selection. The number of the resource and the index in it form one selector, which
 * differs between invocations if the resource does: SwiftShader reads the selector of the first invocation even if that
 * invocation is inactive. */
static void choose(struct helper *h, struct choice *c, uint32_t k, struct index i)
{
	struct shapes *p = h->r->p;
	struct member of = candidates_members(&p->flow.candidates, c->candidates)[k];
	bool differs =
	    !i.constant && is_many(p, c->candidates) && p->u->options->uniformity.mode != SPB_NONUNIFORM_KEEP;
	uint32_t leaf = of.leaf,
		 pointer = spb_put_leaf_chain(&h->w, leaf, i, differs || spb_is_chosen(p, of) ? MARK_OF_OURS : NO_MARK);

	c->loaded = pointer;
	if (c->pointer)
		return;
	c->loaded = spb_new_id(p->e);
	spb_put(&h->w, SpvOpLoad, W(p->model.leaves.items[leaf].type, c->loaded, pointer));
}

/* Is the selector greater than or equal to the first number of candidate k? */
static uint32_t put_at_least(struct helper *h, const struct choice *c, uint32_t k)
{
	struct shapes *p = h->r->p;
	uint32_t id = spb_new_id(p->e),
		 base = p->model.leaves.items[candidates_members(&p->flow.candidates, c->candidates)[k].leaf].base;

	spb_put(&h->w, SpvOpUGreaterThanEqual, W(spb_bool_type(p->e), id, c->selector, spb_uint_constant(p->e, base)));
	return id;
}

static bool all_single(struct shapes *p, const struct choice *c)
{
	for (uint32_t i = 0; i < candidates_at(&p->flow.candidates, c->candidates)->count; i++) {
		if (p->model.leaves.items[candidates_members(&p->flow.candidates, c->candidates)[i].leaf].count != 1)
			return false;
	}
	return true;
}

/* Candidates by ascending number; those of unknown size come last. */
static uint32_t *by_base(struct helper *h, const struct choice *c)
{
	struct shapes *p = h->r->p;
	uint32_t count = candidates_at(&p->flow.candidates, c->candidates)->count, n = 0,
		 *order = spb_alloc_array(p->arena, count, sizeof *order);

	for (int sized = 1; sized >= 0; sized--) {
		for (uint32_t i = 0; i < count; i++) { /* members ascend by leaf, and therefore by base */
			if ((p->model.leaves.items[candidates_members(&p->flow.candidates, c->candidates)[i].leaf]
				 .count != 0) == (sized != 0))
				order[n++] = i;
		}
	}
	return order;
}

/* Which candidate to take: the selector itself if each is a single descriptor, otherwise a number from 0. */
static uint32_t put_tag(struct helper *h, const struct choice *c, const uint32_t *order, uint32_t count)
{
	struct shapes *p = h->r->p;
	uint32_t tag = spb_uint_constant(p->e, 0);

	for (uint32_t i = 1; i < count; i++) {
		uint32_t above = put_at_least(h, c, order[i]), next = spb_new_id(p->e);
		spb_put(&h->w, SpvOpSelect, W(spb_uint_type(p->e), next, above, spb_uint_constant(p->e, i), tag));
		tag = next;
	}
	return tag;
}

/* The index within a candidate. It is 0 in invocations that select another, since a driver may read it there. */
static struct index put_index(struct helper *h, const struct choice *c, uint32_t which)
{
	struct member of = candidates_members(&h->r->p->flow.candidates, c->candidates)[which];

	return spb_put_bounded(&h->w, of.leaf, spb_index_of_selector(&h->w, of, c->selector));
}

static uint32_t put_choices(struct helper *h, uint32_t number);

static uint32_t put_switch(struct helper *h, uint32_t number)
{
	struct shapes *p = h->r->p;
	struct spb_edit *e = p->e;
	struct choice *c = &h->choices[number];
	uint32_t count = candidates_at(&p->flow.candidates, c->candidates)->count, *order = by_base(h, c), n = 0;
	bool single = all_single(p, c);
	uint32_t tag = single ? c->selector : put_tag(h, c, order, count), merge = spb_new_id(e);
	uint32_t *labels = spb_alloc_array(p->arena, count, sizeof *labels);
	uint32_t length = 2 + 2 * count; /* of OpPhi; OpSwitch has two words less, since one label is the default */
	uint32_t *words = spb_alloc_array(p->arena, length, sizeof *words);
	uint32_t *phi = spb_alloc_array(p->arena, length, sizeof *phi);

	for (uint32_t i = 0; i < count; i++)
		labels[i] = spb_new_id(e);
	words[n++] = tag;
	words[n++] = labels[count - 1];
	for (uint32_t i = 0; i + 1 < count; i++) {
		words[n++] = single ? p->model.leaves
					  .items[candidates_members(&p->flow.candidates, c->candidates)[order[i]].leaf]
					  .base
				    : i;
		words[n++] = labels[i];
	}
	spb_put(&h->w, SpvOpSelectionMerge, W(merge, 0));
	spb_put(&h->w, SpvOpSwitch, words, n);
	for (uint32_t i = 0; i < count; i++) {
		h->block = labels[i];
		spb_put(&h->w, SpvOpLabel, W(labels[i]));
		choose(h, c, order[i], put_index(h, c, order[i]));
		phi[2 + 2 * i] = put_choices(h, number + 1);
		phi[3 + 2 * i] = h->block;
		spb_put(&h->w, SpvOpBranch, W(merge));
	}
	spb_put(&h->w, SpvOpLabel, W(merge));
	h->block = merge;
	if (!phi[2])
		return 0;
	phi[0] = h->result_type;
	phi[1] = spb_new_id(e);
	spb_put(&h->w, SpvOpPhi, phi, length);
	return phi[1];
}

/* The recursion has one level for each selection, of which there are at most MAX_CHOICES. */
static uint32_t put_choices(struct helper *h, uint32_t number)
{
	struct shapes *p = h->r->p;

	if (number == h->choice_count)
		return make_all(h);
	struct choice *c = &h->choices[number];
	if (is_many(p, c->candidates))
		return put_switch(h, number);
	choose(h, c, 0,
	       spb_index_of_selector(&h->w, candidates_members(&p->flow.candidates, c->candidates)[0], c->selector));
	return put_choices(h, number + 1);
}

/* Derivatives */

/* Is candidate order[i] selected? */
static uint32_t put_is(struct helper *h, const struct choice *c, const uint32_t *order, uint32_t i)
{
	struct shapes *p = h->r->p;
	uint32_t tag = put_tag(h, c, order, candidates_at(&p->flow.candidates, c->candidates)->count),
		 is = spb_new_id(p->e);

	spb_put(&h->w, SpvOpIEqual, W(spb_bool_type(p->e), is, tag, spb_uint_constant(p->e, i)));
	return is;
}

static uint32_t put_both(struct helper *h, uint32_t a, uint32_t b)
{
	struct shapes *p = h->r->p;
	uint32_t both = a ? spb_new_id(p->e) : b;

	if (a)
		spb_put(&h->w, SpvOpLogicalAnd, W(spb_bool_type(p->e), both, a, b));
	return both;
}

static uint32_t put_condition(struct helper *h, uint32_t scalar)
{
	struct shapes *p = h->r->p;
	const struct spb_module *m = p->m;
	spb_at type = m->def[h->result_type];

	if (spb_op(m, type) == SpvOpTypeStruct && spb_version_word(m) < 0x00010400)
		spb_refuse(p, SPB_E_FLOW, h->r->at,
			   "%s of one of several resources needs SPIR-V 1.4" SPB_REMEDY
			   "Compile for that version (--target-env spirv1.4), or select an index.",
			   spb_word_of(m, h->r->at));
	if (spb_op(m, type) != SpvOpTypeVector || spb_version_word(m) >= 0x00010400)
		return scalar;
	if (m->words[type + 3] < 2 || m->words[type + 3] > 4)
		spb_refuse(p, SPB_E_FLOW, h->r->at,
			   "%s returns a vector of %u components, which Vulkan does not support",
			   spb_word_of(m, h->r->at), m->words[type + 3]);
	uint32_t n = m->words[type + 3], id = spb_new_id(p->e);
	spb_put(&h->w, SpvOpCompositeConstruct,
		(uint32_t[]){spb_make(p->e, SpvOpTypeVector, W(spb_bool_type(p->e), n)), id, scalar, scalar, scalar,
			     scalar},
		2 + n);
	return id;
}

/* Runs every combination of candidates, like a counter with one digit for each selection. */
static uint32_t put_all(struct helper *h)
{
	struct shapes *p = h->r->p;
	uint32_t digits[MAX_CHOICES] = {0}, combinations = 1, result = 0;

	for (uint32_t i = 0; i < h->choice_count; i++) {
		combinations *= candidates_at(&p->flow.candidates, h->choices[i].candidates)->count;
		if (combinations > MAX_COMBINATIONS)
			too_many(h);
	}
	for (uint32_t n = 0; n < combinations; n++) {
		uint32_t all = 0, rest = n;
		for (uint32_t i = 0; i < h->choice_count; i++) {
			struct choice *c = &h->choices[i];
			uint32_t count = candidates_at(&p->flow.candidates, c->candidates)->count,
				 *order = by_base(h, c);
			digits[i] = rest % count;
			rest /= count;
			if (count > 1)
				all = put_both(h, all, put_is(h, c, order, digits[i]));
			choose(h, c, order[digits[i]], put_index(h, c, order[digits[i]]));
		}
		uint32_t value = make_all(h), selected = spb_new_id(p->e);
		if (result) {
			spb_put(&h->w, SpvOpSelect, W(h->result_type, selected, put_condition(h, all), value, result));
			value = selected;
		}
		result = value;
	}
	return result;
}

static void put_gradient(void *to, uint32_t op, const uint32_t *operands, uint32_t count)
{
	spb_put(to, op, operands, count);
}

/* At the beginning of the function. False: an access that takes no gradients. */
static bool put_gradients(struct helper *h)
{
	struct shapes *p = h->r->p;
	const struct spb_module *m = p->m;
	spb_at at = h->r->at;
	struct spb_gradient_writer w = {.m = m, .e = p->e, .put = put_gradient, .to = &h->w, .glsl = p->writer.glsl};

	if (!spb_explicit_lod(spb_op(m, at)) || !spb_can_derive(m, at))
		return false;
	uint32_t bias = spb_lod_bias(m, at);
	h->gradients = spb_put_gradients(&w, at, inside(h, m->words[at + 4]), bias ? inside(h, bias) : 0);
	p->writer.glsl = w.glsl;
	return true;
}

/* The function itself */

static void put_function(struct helper *h, uint32_t function)
{
	struct shapes *p = h->r->p;
	uint32_t types[MAX_ARGUMENTS + 1], result;
	struct spb_text_buffer name = {.arena = p->arena};

	types[0] = h->result_type;
	for (uint32_t i = 0; i < h->count; i++)
		types[i + 1] = h->types[i];
	spb_put(&h->w, SpvOpFunction,
		W(h->result_type, function, 0, spb_make(p->e, SpvOpTypeFunction, types, h->count + 1)));
	for (uint32_t i = 0; i < h->count; i++)
		spb_put(&h->w, SpvOpFunctionParameter, W(types[i + 1], h->to[i]));
	h->block = spb_new_id(p->e);
	spb_put(&h->w, SpvOpLabel, W(h->block));
	bool derives = spb_op_is(spb_op(p->m, h->r->at), SPB_OP_DERIVES) && !put_gradients(h);
	result = derives ? put_all(h) : put_choices(h, 0);
	if (result)
		spb_put(&h->w, SpvOpReturnValue, W(result));
	else
		spb_put(&h->w, SpvOpReturn, NULL, 0);
	spb_put(&h->w, SpvOpFunctionEnd, NULL, 0);
	spb_text_format(&name, "choose_%s", spb_word_of(p->m, h->r->at) + 2);
	spb_add_name(p->e, function, spb_text_end(&name));
}

/* A key of numbers that is equal for functions that do the same. */
static uint32_t push_key(struct helper *h)
{
	struct shapes *p = h->r->p;
	const struct spb_module *m = p->m;
	uint32_t first = (uint32_t)p->flow.keys.count;

	for (uint32_t i = 0; i < h->choice_count; i++) /* which also tell whether there is a selector */
		SPB_PUSH(p->arena, &p->flow.keys, h->choices[i].candidates);
	for (uint32_t i = 0; i < h->count; i++)
		SPB_PUSH(p->arena, &p->flow.keys, h->types[i]);
	for (uint32_t i = 0; i < h->made_count; i++) {
		spb_at at = h->made[i];
		SPB_PUSH(p->arena, &p->flow.keys, m->words[at]);
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			enum { LITERAL, CHOICE, MADE, ARGUMENT, ID } kind = LITERAL;
			uint32_t word = m->words[o.word];
			if (o.kind == SPB_KIND_RESULT)
				continue;
			for (uint32_t k = 0; k < h->count && o.kind == SPB_KIND_ID; k++) {
				if (h->from[k] == spb_mapped(h->r, m->words[o.word]))
					kind = ARGUMENT, word = k;
			}
			for (uint32_t k = 0; k < i && o.kind == SPB_KIND_ID; k++) {
				if (spb_result(m, h->made[k]) == m->words[o.word])
					kind = MADE, word = k;
			}
			for (uint32_t k = 0; k < h->choice_count && o.kind == SPB_KIND_ID; k++) {
				const struct choice *c = &h->choices[k];
				if (c->pointer ? c->id == m->words[at + 2] && o.word == at + 3
					       : c->id == m->words[o.word])
					kind = CHOICE, word = k;
			}
			if (kind == LITERAL && spb_operand_is_id(&o))
				kind = ID;
			SPB_PUSH(p->arena, &p->flow.keys, (uint32_t)kind);
			SPB_PUSH(p->arena, &p->flow.keys, word);
		}
	}
	return first;
}

/* Finds the function with this key, or creates it. */
static uint32_t find_function(struct helper *h)
{
	struct shapes *p = h->r->p;
	uint32_t first = push_key(h), count = (uint32_t)p->flow.keys.count - first;
	uint32_t *bucket =
	    &p->writer.choice_of_hash[spb_hash_bytes(1, p->flow.keys.items + first, count * sizeof(uint32_t)) %
				      SPB_COUNT(p->writer.choice_of_hash)];

	for (uint32_t i = *bucket; i; i = p->writer.choices.items[i - 1].next) {
		const struct made_choice *c = &p->writer.choices.items[i - 1];
		if (c->count == count &&
		    !memcmp(p->flow.keys.items + c->first, p->flow.keys.items + first, count * sizeof(uint32_t))) {
			p->flow.keys.count = first;
			return c->id;
		}
	}
	uint32_t id = spb_new_id(p->e);
	SPB_PUSH(p->arena, &p->writer.choices, ((struct made_choice){first, count, *bucket, id}));
	*bucket = (uint32_t)p->writer.choices.count;
	put_function(h, id);
	return id;
}

void spb_put_choice(struct rewriter *r)
{
	struct shapes *p = r->p;
	const struct spb_module *m = p->m;
	uint32_t id = spb_result(m, r->at), function, words[MAX_ARGUMENTS + 3];
	struct helper h = {.r = r, .w = {.p = p, .late = true}};

	if (derived(
		r,
		id)) { /* made at its use: a derived descriptor must not leave its block, nor a pointer its function */
		derived(r, id)->deferred = true;
		spb_drop(r, true);
		return;
	}
	see_operands(&h, r->at);
	h.result_type = id ? m->words[r->at + 1] : spb_make(p->e, SpvOpTypeVoid, NULL, 0);
	function = find_function(&h);
	words[0] = h.result_type;
	words[1] = id ? spb_mapped(r, id) : spb_new_id(p->e);
	words[2] = function;
	for (uint32_t i = 0; i < h.count; i++)
		words[3 + i] = h.from[i];
	spb_put_instead(r, SpvOpFunctionCall, words, h.count + 3, false);
}
