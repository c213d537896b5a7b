/* SPDX-License-Identifier: Apache-2.0 */
/* shape_index: flattened indexes, loads of descriptors by them, and the selectors that flow in place of descriptors. */
#include "pass/shapes/shape.h"

bool spb_is_marked(const struct shapes *p, uint32_t id)
{
	return id < p->m->bound && spb_decoration(p->m, id, SpvDecorationNonUniform);
}

uint32_t spb_index_id(struct rewriter *r, struct index i)
{
	return i.id ? i.id : spb_uint_constant(r->p->e, i.value);
}

static struct index constant_number(uint32_t value)
{
	return (struct index){.constant = true, .value = value};
}

static struct index index_operand(struct rewriter *r, uint32_t id)
{
	const struct spb_module *m = r->p->m;
	uint64_t value;

	if (spb_def_op(m, id) == SpvOpConstant && spb_constant_value(m, id, &value) && is_number((uint32_t)value) &&
	    value <= UINT32_MAX)
		return (struct index){.constant = true, .value = (uint32_t)value, .id = id, .type = spb_type_of(m, id)};
	return (struct index){.spec = spb_is_constant(m, id), .id = spb_mapped(r, id), .type = spb_type_of(m, id)};
}

/* An index without a type is a 32-bit uint that this pass has made. */
static bool is_narrow_or_wide(const struct shapes *p, struct index i)
{
	return i.type && spb_def_op(p->m, i.type) == SpvOpTypeInt && p->m->words[p->m->def[i.type] + 2] != 32;
}

/* How it becomes a 32-bit uint. */
static uint32_t conversion_of(const struct shapes *p, struct index i)
{
	if (!is_narrow_or_wide(p, i))
		return SpvOpBitcast;
	return p->m->words[p->m->def[i.type] + 3] ? SpvOpSConvert : SpvOpUConvert;
}

/* OpSpecConstantOp does not allow OpBitcast in shaders, and OpUConvert from SPIR-V 1.4 on only. */
static bool converts_early(const struct shapes *p, struct index i)
{
	uint32_t op = conversion_of(p, i);

	return i.spec && (op == SpvOpSConvert || (op == SpvOpUConvert && spb_version_word(p->m) >= 0x00010400));
}

/* As a 32-bit uint. */
static uint32_t as_uint(struct rewriter *r, struct index i)
{
	struct shapes *p = r->p;

	if (i.constant)
		return spb_uint_constant(p->e, i.value);
	if (!i.type || i.type == spb_uint_type(p->e))
		return i.id;
	uint32_t id = spb_new_id(p->e), op = conversion_of(p, i);
	if (converts_early(p, i))
		spb_add_global(p->e, SpvOpSpecConstantOp, W(spb_uint_type(p->e), id, op, i.id));
	else
		spb_put(r, op, W(spb_uint_type(p->e), id, i.id));
	return id;
}

static bool is_early(const struct shapes *p, struct index i)
{
	return i.constant || (i.spec && (!is_narrow_or_wide(p, i) || converts_early(p, i)));
}

/* Of OpSpecConstantOp, in which IMul and IAdd take either signedness. */
static uint32_t early_operand(struct rewriter *r, struct index i)
{
	return is_narrow_or_wide(r->p, i) ? as_uint(r, i) : spb_index_id(r, i);
}

/* Computes a op b: now, at pipeline creation, or in the shader. */
static struct index compute(struct rewriter *r, uint32_t op, struct index a, struct index b)
{
	struct shapes *p = r->p;
	uint64_t value = op == SpvOpIMul ? (uint64_t)a.value * b.value : (uint64_t)a.value + b.value;
	struct index result = {.spec = is_early(p, a) && is_early(p, b)};

	if (a.constant && b.constant && value < INDEX_OF_ID)
		return constant_number((uint32_t)value);
	if (op == SpvOpIAdd && a.constant && !a.value)
		return b;
	if (op == SpvOpIAdd && b.constant && !b.value)
		return a;
	uint32_t x = result.spec ? early_operand(r, a) : as_uint(r, a),
		 y = result.spec ? early_operand(r, b) : as_uint(r, b);
	result.id = spb_new_id(p->e);
	if (result.spec)
		spb_add_global(p->e, SpvOpSpecConstantOp, W(spb_uint_type(p->e), result.id, op, x, y));
	else
		spb_put(r, op, W(spb_uint_type(p->e), result.id, x, y));
	return result;
}

struct index spb_walk_index(struct rewriter *r, struct part *part, struct index i, uint32_t *word, uint32_t end,
			    bool literals)
{
	const struct shapes *p = r->p;

	for (; *word < end && !spb_part_is_leaf(p, part); ++*word) {
		uint32_t operand = p->m->words[*word];
		const struct node *node = spb_part_node(p, part);
		struct index next = literals ? constant_number(operand) : index_operand(r, operand);
		if (node->kind == NODE_STRUCT) {
			if (!spb_part_member(p, part, next.value))
				break; /* ordinary data */
			continue;
		}
		if (i.constant && !i.value) {
			i = next;
		} else {
			struct index length =
			    node->elements ? constant_number(node->elements) : index_operand(r, node->length);
			i = compute(r, SpvOpIAdd, compute(r, SpvOpIMul, i, length), next);
		}
		spb_part_element(p, part, next.constant ? next.value : DYNAMIC);
	}
	return i;
}

struct index spb_part_index(struct rewriter *r, uint32_t id)
{
	const struct shapes *p = r->p;

	if (!p->flow.carrier_of[id])
		return constant_number(0); /* a resource itself */
	const struct value *v = spb_value_of(r->p, r->c, id);
	if (v->part.index != DYNAMIC)
		return constant_number(v->part.index);
	return spb_written(r, id)->index;
}

/* NonUniform on a descriptor along its way (loaded from a variable, extracted from a struct) moves to the load from the
 * resource, since the instructions between may disappear. */
void spb_keep_flow_mark(struct rewriter *r)
{
	struct shapes *p = r->p;
	uint32_t id = spb_result(p->m, r->at);

	if (!id || spb_carrier_kind(p, id) != CARRIER_VALUE || !spb_is_marked(p, id) ||
	    spb_value_of(p, r->c, id)->loaded || !spb_value_of(p, r->c, id)->cells)
		return;
	for (uint32_t k = 0; k < spb_carrier_of(p, id)->cells; k++) {
		uint32_t candidates = spb_value_of(p, r->c, id)->cells[k];
		uint32_t from =
		    candidates ? candidates_members(&p->flow.candidates, candidates)->index - INDEX_OF_ID : 0;
		uint32_t carrier = from && from < p->m->bound ? p->flow.carrier_of[from] : 0;
		if (carrier <= r->f->first_carrier || carrier > r->f->first_carrier + r->f->carrier_count)
			continue; /* a number, or known only to a caller */
		struct written *w = &r->written[carrier - 1 - r->f->first_carrier];
		if (w->marked || spb_is_marked(p, from) || !spb_value_of(p, r->c, from)->used)
			continue;
		w->marked = true;
		spb_add_decoration(p->e, spb_mapped(r, from), SpvDecorationNonUniform, NULL, 0);
	}
}

void spb_see_index(struct shapes *p, const struct leaf *leaf, struct index i)
{
	uint32_t root = p->model.roots.items[leaf->root].variable;

	if (!i.constant && !i.spec && !(p->builtin && spb_bit(p->builtin, root)))
		p->writer.dynamic[leaf->kind] = true;
}

/* A pointer to one descriptor: the variable itself if it is not an array. */
uint32_t spb_put_leaf_chain(struct rewriter *r, uint32_t number, struct index i, enum chain_mark mark)
{
	struct shapes *p = r->p;
	struct leaf *leaf = &p->model.leaves.items[number];
	uint32_t id;

	if (!leaf->dims)
		return leaf->variable;
	id = spb_new_id(p->e);
	spb_put(r, SpvOpAccessChain, W(spb_leaf_pointer(p, leaf), id, leaf->variable, spb_index_id(r, i)));
	spb_see_index(p, leaf, i);
	if (mark == MARK_OF_OURS && p->u->options->mode == SPB_MODE_LINT)
		return id; /* the lint needs the author's marks only */
	if (mark != NO_MARK)
		spb_add_decoration(p->e, id, SpvDecorationNonUniform, NULL, 0);
	if (mark == MARK_OF_OURS)
		SPB_PUSH(&p->u->m.keep, &p->u->nonuniform.own_marks, id);
	return id;
}

bool spb_is_chosen(const struct shapes *p, struct member of)
{
	bool chosen = of.index == CHOSEN || (!is_number(of.index) && p->model.leaves.items[of.leaf].chosen);

	return chosen && p->u->options->uniformity.mode != SPB_NONUNIFORM_KEEP;
}

/* The index within a leaf that a selector stands for. */
struct index spb_index_of_selector(struct rewriter *r, struct member of, uint32_t selector)
{
	struct shapes *p = r->p;
	uint32_t base = p->model.leaves.items[of.leaf].base;

	if (is_number(of.index))
		return constant_number(of.index);
	if (!base)
		return (struct index){.id = selector};
	uint32_t id = spb_new_id(p->e);
	spb_put(r, SpvOpISub, W(spb_uint_type(p->e), id, selector, spb_uint_constant(p->e, base)));
	return (struct index){.id = id};
}

/* The same index, or 0 if it is outside the leaf. Inactive invocations, and invocations that assigned nothing, have
 * arbitrary numbers in phis or memory. SwiftShader uses them even so, and drivers may fault on a stray descriptor. */
struct index spb_put_bounded(struct rewriter *r, uint32_t number, struct index i)
{
	struct shapes *p = r->p;
	uint32_t count = p->model.leaves.items[number].count, inside, id;

	if (i.constant || i.spec || !count)
		return i;
	inside = spb_new_id(p->e);
	id = spb_new_id(p->e);
	spb_put(r, SpvOpULessThan, W(spb_bool_type(p->e), inside, spb_index_id(r, i), spb_uint_constant(p->e, count)));
	spb_put(r, SpvOpSelect, W(spb_uint_type(p->e), id, inside, spb_index_id(r, i), spb_uint_constant(p->e, 0)));
	return (struct index){.id = id};
}

/* An index that control flow selects is decorated NonUniform and clamped. */
uint32_t spb_put_chosen_chain(struct rewriter *r, struct member of, uint32_t selector)
{
	struct index i = spb_index_of_selector(r, of, selector);

	if (!spb_is_chosen(r->p, of))
		return spb_put_leaf_chain(r, of.leaf, i, NO_MARK);
	return spb_put_leaf_chain(r, of.leaf, spb_put_bounded(r, of.leaf, i), MARK_OF_OURS);
}

/* Loads one descriptor. */
uint32_t spb_put_descriptor(struct rewriter *r, struct member of, uint32_t selector)
{
	struct shapes *p = r->p;
	uint32_t id, pointer = spb_put_chosen_chain(r, of, selector);

	id = spb_new_id(p->e);
	spb_put(r, SpvOpLoad, W(p->model.leaves.items[of.leaf].type, id, pointer));
	return id;
}

/* The selector of part of a resource, or a composite of selectors for an array or struct. `wanted`: the id it must
 * have; 0: any. The recursion is bounded by the tree. */
uint32_t spb_put_selector(struct rewriter *r, const struct part *part, uint32_t type, struct index i, uint32_t wanted)
{
	struct shapes *p = r->p;
	const struct node node = *spb_part_node(p, part);
	uint32_t count = 0, *words;

	if (node.kind == NODE_LEAF) {
		i = compute(r, SpvOpIAdd, i, constant_number(p->model.leaves.items[node.leaf].base));
		uint32_t id = as_uint(r, i);
		if (wanted)
			spb_put(r, SpvOpCopyObject, W(spb_uint_type(p->e), wanted, id));
		return wanted ? wanted : id;
	}
	uint32_t members = node.kind == NODE_ARRAY ? node.elements : spb_length(p->m, p->m->def[node.type]) - 2;
	words = spb_alloc_array(p->arena, members + 2, sizeof *words);
	words[count++] = spb_selector_type(p, type);
	words[count++] = 0;
	for (uint32_t k = 0; k < members; k++) {
		struct part child = *part;
		struct index at = i;
		if (node.kind == NODE_ARRAY) {
			struct index length = constant_number(node.elements);
			spb_part_element(p, &child, k);
			at = compute(r, SpvOpIAdd, compute(r, SpvOpIMul, i, length), constant_number(k));
		} else if (!spb_part_member(p, &child, k)) {
			r->path[r->path_count] = k;
			words[count++] = spb_put_data(r, r->source, r->path, r->path_count + 1,
						      p->m->words[p->m->def[node.type] + 2 + k]);
			continue;
		}
		r->path[r->path_count++] = k;
		words[count++] = spb_put_selector(r, &child, spb_part_node(p, &child)->type, at, 0);
		r->path_count--;
	}
	words[1] = wanted ? wanted : spb_new_id(p->e);
	spb_put(r, SpvOpCompositeConstruct, words, count);
	return words[1];
}

/* An index that is passed on. NonUniform on the way to the resource that it indexes marks it as different between
 * invocations. */
uint32_t spb_put_uint(struct rewriter *r, struct index i, bool marked)
{
	struct shapes *p = r->p;
	uint32_t id = as_uint(r, i), copy;

	if (!marked || i.constant || i.spec)
		return id;
	copy = spb_new_id(p->e);
	spb_put(r, SpvOpCopyObject, W(spb_uint_type(p->e), copy, id));
	spb_add_decoration(p->e, copy, SpvDecorationNonUniform, NULL, 0);
	return copy;
}

uint32_t spb_put_memory_load(struct rewriter *r, uint32_t pointer)
{
	uint32_t id = spb_new_id(r->p->e);

	spb_put(r, SpvOpLoad, W(spb_uint_type(r->p->e), id, spb_mapped(r, pointer)));
	return id;
}

uint32_t spb_selector_of(struct rewriter *r, uint32_t id)
{
	struct shapes *p = r->p;
	uint32_t candidates;

	if (spb_carrier_kind(p, id) != CARRIER_VALUE || spb_def_op(p->m, id) == SpvOpUndef)
		return spb_no_selector(p, spb_type_of(p->m, id));
	const struct value *v = spb_value_of(p, r->c, id);
	if (spb_known_descriptor(p, r->c, id, &candidates)) {
		const struct member *of = candidates_members(&p->flow.candidates, candidates);
		return spb_uint_constant(p->e, p->model.leaves.items[of->leaf].base + of->index);
	}
	if (!v->needed)
		return spb_no_selector(p, spb_type_of(p->m, id));
	struct written *w = spb_written(r, id);
	if (!v->loaded)
		return spb_mapped(r, id);
	if (!w->selector) /* a phi comes before its operands */
		w->selector = spb_new_id(p->e);
	return w->selector;
}
