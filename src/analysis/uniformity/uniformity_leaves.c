/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_leaves: the components ("leaves") of types, in member order. All elements of an array share their leaves.
 * A pointer has two leaves: which object it refers to (which descriptor), and which place in it. A sampled image has
 * two as well: the image and the sampler. */
#include "analysis/paths/descriptor_paths.h"
#include "analysis/uniformity/uniformity_graph.h"

static uint32_t count_struct(const struct spb_module *m, spb_at at, const uint8_t *counts)
{
	uint32_t total = 0;

	for (uint32_t w = at + 2; w < spb_next(m, at) && total <= SPB_MAX_LEAVES; w++)
		total += counts[m->words[w]] ? counts[m->words[w]] : 1; /* 0: an unknown type */
	return total;
}

static void see_undefined(struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	uint32_t op = spb_op(m, at);
	bool is = op == SpvOpUndef;

	if (is && !u->undefined)
		u->undefined = spb_bits(u->arena, m->bound);
	if (op == SpvOpVariable || op == OpUntypedVariableKHR || !spb_result(m, at))
		return;
	for (struct spb_operand o = spb_operands(m, at); !is && spb_operand_next(&o);)
		is = o.kind == SPB_KIND_ID && spb_bit(u->undefined, m->words[o.word]);
	if (is)
		spb_set_bit(u->undefined, spb_result(m, at));
}

/* Types are declared before their use, so one walk counts all leaves. */
void spb_count_leaves(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	uint8_t *counts = spb_alloc_zeroed(u->arena, m->bound, 1);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t n = 1;
		const uint32_t op = spb_op(m, at);
		if (!spb_op_is(op, SPB_OP_IS_TYPE) && op != SpvOpTypeForwardPointer) {
			if (u->undefined || op == SpvOpUndef)
				see_undefined(u, at);
			continue;
		}
		switch (op) {
		case SpvOpTypeVector:
		case SpvOpTypeMatrix:
			n = m->words[at + 3] <= SPB_MAX_LEAVES ? counts[m->words[at + 2]] * m->words[at + 3] : 1;
			break;
		case SpvOpTypeArray:
		case SpvOpTypeRuntimeArray:
			n = counts[m->words[at + 2]];
			break;
		case SpvOpTypeStruct:
			n = count_struct(m, at, counts);
			break;
		case SpvOpTypePointer:
		case SpvOpTypeForwardPointer:
		case OpTypeUntypedPointerKHR:
		case SpvOpTypeSampledImage:
			n = 2;
			break;
		default:
			break;
		}
		counts[m->words[at + 1]] = (uint8_t)(n == 0 || n > SPB_MAX_LEAVES ? 1 : n);
	}
	u->leaves.count = counts;
}

uint32_t spb_leaf_member(struct spb_uniformity *u, uint32_t type, uint32_t index, uint32_t *first, uint32_t *count)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[type];
	uint32_t all = spb_leaf_count(u, type), member, each;

	*first = 0;
	*count = all;
	member = spb_part_type(m, type, index);
	if (spb_op(m, at) == SpvOpTypeVector || spb_op(m, at) == SpvOpTypeMatrix) {
		each = spb_leaf_count(u, member);
		if (index < m->words[at + 3] && (uint64_t)each * m->words[at + 3] == all) {
			*first = index * each;
			*count = each;
		}
	} else if (spb_op(m, at) == SpvOpTypeStruct && member && all > 1) {
		for (uint32_t i = 0; i < index; i++)
			*first += spb_leaf_count(u, m->words[at + 2 + i]);
		*count = spb_leaf_count(u, member);
	}
	return member;
}

uint32_t spb_pointee(const struct spb_module *m, uint32_t pointer)
{
	spb_at type = m->def[spb_type_of(m, pointer)];

	return spb_op(m, type) == SpvOpTypePointer ? m->words[type + 3] : 0;
}

uint32_t spb_contents_type(const struct spb_module *m, uint32_t variable)
{
	spb_at at = m->def[variable];

	if (spb_op(m, at) == OpUntypedVariableKHR)
		return spb_length(m, at) > 4 ? m->words[at + 4] : 0;
	return spb_pointee(m, variable);
}

/* Steps down from a region by the index at `word`. */
static uint32_t go_down(struct spb_uniformity *u, struct spb_region *r, uint32_t type, uint32_t word)
{
	const struct spb_module *m = u->m;
	uint32_t index = m->words[word], first, count, member;
	uint64_t value = 0;
	bool constant = spb_def_op(m, index) == SpvOpConstant && spb_constant_value(m, index, &value);

	if (!type)
		return 0;
	if (spb_op_is(spb_def_op(m, type), SPB_OP_ARRAY)) {
		r->weak = true;
		return m->words[m->def[type] + 2];
	}
	if (!constant) { /* component of a vector or column of a matrix: any of them */
		r->weak = true;
		return spb_leaf_member(u, type, 0, &first, &count);
	}
	member = spb_leaf_member(u, type, value > UINT32_MAX ? UINT32_MAX : (uint32_t)value, &first, &count);
	if (spb_leaf_count(u, type) == r->count) { /* a weak region may have more leaves, and keeps them */
		/* the type counts as one leaf, or has no such part */
		r->weak |= count == r->count && count != spb_leaf_count(u, member);
		r->first = (uint16_t)(r->first + first);
		r->count = (uint16_t)count;
	}
	if (spb_leaf_count(u, type) == 1 && spb_def_op(m, type) == SpvOpTypeStruct && spb_length(m, m->def[type]) > 3)
		r->weak = true; /* part of a composite that counts as one leaf */
	return member;
}

static struct spb_region down_from(struct spb_uniformity *u, struct spb_region r, uint32_t pointer)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[pointer];
	uint32_t op = spb_op(m, at), type = spb_pointee(m, m->words[at + 3]), w = at + 4;

	if (op == SpvOpCopyObject)
		return r;
	if (!spb_op_is_chain(op)) { /* its base may be accessed as another type: any part of what the base refers to */
		r.first = 0;
		r.count = (uint16_t)spb_leaf_count(u, spb_pointee(m, r.root));
		r.weak = true;
		return r;
	}
	if (spb_op_is(op, SPB_OP_PTR_CHAIN)) {
		r.weak = true;
		w++;
	}
	for (; w < spb_next(m, at); w++)
		type = go_down(u, &r, type, w);
	return r;
}

static void keep_region(struct spb_uniformity *u, uint32_t id, struct spb_region r)
{
	SPB_PUSH(u->drafts, &u->leaves.regions, r);
	u->leaves.region_of[id] = (uint32_t)u->leaves.regions.count;
}

uint64_t spb_leaf_bits(struct spb_region r)
{
	return (r.count < SPB_MAX_LEAVES ? ((uint64_t)1 << r.count) - 1 : UINT64_MAX) << r.first;
}

struct spb_region spb_find_region(struct spb_uniformity *u, uint32_t pointer)
{
	const struct spb_module *m = u->m;
	struct spb_list *todo = &u->leaves.todo;
	struct spb_region r = {0};
	uint32_t id = pointer;

	while (!u->leaves.region_of[id]) {
		uint32_t op = spb_def_op(m, id);
		if (!spb_is_any_chain(op) && op != SpvOpCopyObject && op != OpRawAccessChainNV)
			break;
		uint32_t base = m->words[m->def[id] + (spb_op_is(op, SPB_OP_BASE_TYPE) ? 4 : 3)];
		if (m->def[base] >= m->def[id]) /* in an unreachable block a chain may lead back to itself */
			break;
		SPB_PUSH(u->drafts, todo, id);
		id = base;
	}
	if (!u->leaves.region_of[id]) {
		uint32_t op = spb_def_op(m, id), pointee = spb_pointee(m, id);
		if (((op == SpvOpVariable || op == SpvOpFunctionParameter) && pointee) || op == OpUntypedVariableKHR) {
			r.root = id;
			r.count = (uint16_t)spb_leaf_count(u, pointee);
		} else if (u->settings.targets &&
			   spb_target_variable(u->settings.targets, id)) { /* chosen within one variable */
			r.root = spb_target_variable(u->settings.targets, id);
			r.count = (uint16_t)spb_leaf_count(u, spb_pointee(m, r.root));
			r.weak = true;
		}
		keep_region(u, id, r);
	}
	r = u->leaves.regions.items[u->leaves.region_of[id] - 1];
	r.known = 0;
	while (todo->count) {
		id = todo->items[--todo->count];
		if (r.root)
			r = down_from(u, r, id);
		keep_region(u, id, r);
	}
	return r;
}

struct spb_root *spb_root_of(struct spb_uniformity *u, uint32_t id)
{
	if (!u->leaves.region_of[id])
		spb_find_region(u, id);
	uint32_t *known = &u->leaves.regions.items[u->leaves.region_of[id] - 1].known;
	if (!*known) {
		SPB_PUSH(u->drafts, &u->leaves.roots, ((struct spb_root){0}));
		*known = (uint32_t)u->leaves.roots.count;
	}
	return &u->leaves.roots.items[*known - 1];
}
