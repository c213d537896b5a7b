/* SPDX-License-Identifier: Apache-2.0 */
/* mark_paths: from the operand of an access that differs back to what selects the descriptor.
 *
 * Along access chains, loads and copies everything is decorated, up to the index. Where several pointers meet - in
 * OpSelect, OpPhi, a variable, a structure, the parameter or the result of a function - only those are followed that
 * themselves differ: in
 *
 *     %b = OpSelect %ptr %lane_is_odd %first %second
 *
 * %b differs, but %first may still be the same for all, and another access through it needs no decoration. The
 * result of a function is decorated where it is called, not in the function, which may return something else
 * elsewhere. */
#include "ir/ids.h"
#include "pass/nonuniform/mark_paths.h"

enum spb_descriptor spb_kind_named(const struct spb_module *m, uint32_t id)
{
	uint32_t type = spb_type_of(m, id), storage_class = SpvStorageClassUniformConstant;
	spb_at at = m->def[type];
	enum spb_descriptor kind;

	if (spb_op(m, at) == SpvOpTypePointer || spb_op(m, at) == OpTypeUntypedPointerKHR) {
		storage_class = m->words[at + 2];
		type = spb_op(m, at) == SpvOpTypePointer ? m->words[at + 3] : 0;
	}
	while (spb_array_element(m, type))
		type = spb_array_element(m, type);
	kind = type ? spb_descriptor_of(m, storage_class, type) : SPB_DESCRIPTOR_OTHER;
	if (kind != SPB_DESCRIPTOR_OTHER)
		return kind;
	/* a pointer into a block */
	return storage_class == SpvStorageClassStorageBuffer ? SPB_DESCRIPTOR_SSBO
	       : storage_class == SpvStorageClassUniform     ? SPB_DESCRIPTOR_UBO
							     : SPB_DESCRIPTOR_OTHER;
}

static void decorate(struct spb_marking *p, uint32_t id)
{
	p->any = true;
	p->flags[id] |= SPB_TO_DECORATE;
}

/* Counts the uses of indexes, up to two, without an index of all uses. */
static void count_uses(struct spb_marking *p)
{
	const struct spb_module *m = p->m;
	const struct spb_paths *paths = &p->judged.paths;
	uint32_t *indexes = spb_bits(p->arena, m->bound);
	struct spb_operand o;
	struct spb_ids ids;

	p->uses = spb_alloc_zeroed(p->arena, m->bound, sizeof *p->uses);
	for (size_t i = 0; i < paths->chains.count; i++) {
		struct spb_selection s = paths->chains.items[i].selection;
		for (uint32_t w = s.dynamic; w < s.end; w++)
			spb_set_bit(indexes, m->words[w]);
	}
	for (spb_at at = m->section[SPB_SECTION_FUNCTION], end; at < m->count; at = end) {
		end = spb_next(m, at);
		bool found = false;
		for (uint32_t w = at + 1; w < end && !found; w++)
			found = m->words[w] < m->bound && spb_bit(indexes, m->words[w]);
		if (!found)
			continue;
		for (spb_ids_begin(&ids, &o, m, at); spb_id_next(&ids);) {
			uint8_t *uses = &p->uses[m->words[ids.word]];
			*uses = *uses ? 2 : 1;
		}
	}
}

static bool has_one_use(struct spb_marking *p, uint32_t index)
{
	if (!p->uses)
		count_uses(p);
	return p->uses[index] == 1;
}

/* Decorates the index at `word` itself, or a copy if it has other uses. */
static void decorate_index(struct spb_marking *p, spb_at chain, uint32_t word)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	uint32_t index = m->words[word];

	if (spb_bit(p->judged.marked, index) ||
	    (m->def[index] >= m->section[SPB_SECTION_FUNCTION] && spb_op(m, m->def[index]) != SpvOpFunctionParameter &&
	     has_one_use(p, index))) {
		decorate(p, index);
		return;
	}
	uint32_t copy = spb_new_id(e), type = spb_type_of(m, index);
	if (!type)
		spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_OPERANDS, chain,
			 "the index %%%u of a descriptor has no type, so it is not a value", index);
	spb_insert(e, chain, SpvOpCopyObject, W(type, copy, index));
	spb_patch(e, word, copy);
	spb_add_decoration(e, copy, SpvDecorationNonUniform, NULL, 0);
}

static void remember_variable(struct spb_marking *p, uint32_t id)
{
	struct spb_unit *u = p->u;

	if (spb_def_op(p->m, id) != SpvOpVariable)
		return;
	if (!u->nonuniform.variables) {
		u->nonuniform.variables = spb_bits(&u->m.keep, p->m->bound);
		u->nonuniform.bound = p->m->bound;
	}
	spb_set_bit(u->nonuniform.variables, id);
}

static void visit(struct spb_marking *p, uint32_t id)
{
	if (p->flags[id] & SPB_SEEN)
		return;
	p->flags[id] |= SPB_SEEN;
	SPB_PUSH(p->arena, &p->work, id);
}

static void go_on(struct spb_marking *p, uint32_t id)
{
	if (p->judged.paths.on_path[id])
		visit(p, id);
}

bool spb_needs_capability(const struct spb_marking *p, size_t chain)
{
	uint32_t base = p->m->words[p->judged.paths.chains.items[chain].selection.base];

	return !p->judged.builtin || !spb_bit(p->judged.builtin, base);
}

/* ---- through memory ---- */

static void flow(struct spb_marking *p, uint32_t root, uint32_t from)
{
	if (root && from && root != from)
		SPB_PUSH(p->arena, &p->inflow, ((struct spb_inflow){root, from}));
}

static void see_arguments(struct spb_marking *p, spb_at call, uint32_t function)
{
	const struct spb_module *m = p->m;
	const struct spb_calls *calls = &p->judged.calls;
	uint32_t first = calls->first_parameter[function], count = calls->first_parameter[function + 1] - first;

	for (uint32_t k = 0; k < count && call + 4 + k < spb_next(m, call); k++) {
		uint32_t argument = spb_pointer_holder(&p->pointers, m->words[call + 4 + k]);
		flow(p, argument ? calls->parameters.items[first + k] : 0, argument);
	}
}

static void see_inflow(struct spb_marking *p, spb_at at)
{
	const struct spb_module *m = p->m;
	const struct spb_calls *calls = &p->judged.calls;
	uint32_t f;

	switch (spb_op(m, at)) {
	case SpvOpStore:
		flow(p, spb_pointer_holder(&p->pointers, m->words[at + 1]), m->words[at + 2]);
		break;
	case SpvOpCopyMemory:
		flow(p, spb_pointer_holder(&p->pointers, m->words[at + 1]),
		     spb_pointer_holder(&p->pointers, m->words[at + 2]));
		break;
	case SpvOpVariable:
		if (spb_length(m, at) > 4)
			flow(p, spb_pointer_holder(&p->pointers, m->words[at + 2]), m->words[at + 4]);
		break;
	case SpvOpFunctionCall:
		f = calls->function_of[m->words[at + 3]];
		if (f)
			see_arguments(p, at, f - 1);
		break;
	default:
		break;
	}
}

static int by_root(const void *a, const void *b)
{
	const struct spb_inflow *x = a, *y = b;

	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

static void find_inflow(struct spb_marking *p)
{
	const struct spb_module *m = p->m;

	if (p->pointers.bases)
		return;
	p->pointers = spb_with_memory(&p->judged.paths.targets, p->arena);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at))
		see_inflow(p, at);
	spb_sort(p->arena, p->inflow.items, p->inflow.count, sizeof *p->inflow.items, by_root);
}

/* ---- where pointers meet ---- */

/* One of the values that meet: followed if it differs itself. A structure is followed without being decorated. */
static void follow(struct spb_marking *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	find_inflow(p);
	if (!spb_names_descriptor(m, id)) {
		if (spb_holds_pointers(&p->pointers, id))
			visit(p, id);
		return;
	}
	if (!p->judged.paths.on_path[id])
		remember_variable(p, p->pointers.bases[id] ? p->pointers.bases[id] : id);
	else if (spb_value_differs(&p->judged, id, 0))
		visit(p, id);
}

/* Everything that a variable or parameter may have received. */
static void follow_memory(struct spb_marking *p, uint32_t root)
{
	struct spb_inflow wanted = {.root = root};
	size_t i = spb_lower_bound(p->inflow.items, p->inflow.count, sizeof wanted, &wanted, by_root);

	for (; i < p->inflow.count && p->inflow.items[i].root == root; i++)
		follow(p, p->inflow.items[i].from);
}

static void follow_arguments(struct spb_marking *p, uint32_t parameter)
{
	const struct spb_module *m = p->m;
	uint32_t number = spb_parameter_number(p->m, &p->judged.calls, parameter);
	uint32_t function = (uint32_t)(spb_function_around(m, m->def[parameter]) - m->function) + 1;

	if (!p->sites.at)
		p->sites = spb_find_sites(m, &p->judged.calls, p->arena);
	for (uint32_t i = p->sites.first[function]; i < p->sites.first[function + 1]; i++) {
		spb_at call = p->sites.at[i];
		if (call + 3 + number < spb_next(m, call))
			follow(p, m->words[call + 3 + number]);
	}
}

/* For an OpSampledImage, follows the part that differs; if neither does, the whole is decorated, and the image
 * decides. */
static void go_on_sampled_image(struct spb_marking *p, spb_at at)
{
	uint32_t image = p->m->words[at + 3], sampler = p->m->words[at + 4];
	bool sampler_differs = p->judged.paths.on_path[sampler] && spb_value_differs(&p->judged, sampler, 0);

	if (sampler_differs)
		go_on(p, sampler);
	if (!sampler_differs || spb_value_differs(&p->judged, image, 0))
		go_on(p, image);
}

/* The number of the chain at `at`, + 1; 0: it selects nothing. Chains are in module order. */
static uint32_t chain_at(const struct spb_marking *p, spb_at at)
{
	const struct spb_chain *chains = p->judged.paths.chains.items;
	size_t low = 0, high = p->judged.paths.chains.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (chains[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->judged.paths.chains.count && chains[low].at == at ? (uint32_t)low + 1 : 0;
}

static void go_through_chain(struct spb_marking *p, uint32_t chain, size_t access)
{
	const struct spb_module *m = p->m;
	spb_at at = p->judged.paths.chains.items[chain].at;
	struct spb_selection s = p->judged.paths.chains.items[chain].selection;

	for (uint32_t w = s.dynamic; w < s.end; w++) {
		if (!spb_is_constant(m, m->words[w]))
			decorate_index(p, at, w);
	}
	if (spb_needs_capability(p, chain))
		p->non_uniform[s.kind] = true;
	p->chain_differs[chain] = true;
	p->because[chain] = (uint32_t)access + 1;
	remember_variable(p, m->words[s.base]);
	go_on(p, m->words[s.base]);
}

/* Continues where the pointer or descriptor is one of several. */
static void go_through_choice(struct spb_marking *p, uint32_t id, uint32_t first, uint32_t end)
{
	const struct spb_module *m = p->m;
	spb_at at = m->def[id];

	if (spb_names_descriptor(m, id)) {
		enum spb_descriptor kind = spb_kind_named(m, id);
		p->non_uniform[kind] = p->dynamic[kind] = true;
	}
	if (spb_op(m, at) == SpvOpSelect || spb_op(m, at) == SpvOpPhi) {
		for (uint32_t w = first; w < end; w++)
			follow(p, m->words[w]);
	} else if (spb_op(m, at) == SpvOpLoad) {
		find_inflow(p);
		if (spb_pointer_holder(&p->pointers, m->words[at + 3]))
			visit(p, spb_pointer_holder(&p->pointers, m->words[at + 3]));
	} else if (spb_op(m, at) != SpvOpFunctionCall) {
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				follow(p, m->words[o.word]);
		}
	}
}

void spb_mark_path(struct spb_marking *p, size_t access, uint32_t operand)
{
	const struct spb_module *m = p->m;

	p->work.count = 0;
	go_on(p, operand);
	while (p->work.count) {
		uint32_t id = p->work.items[--p->work.count], first, end;
		spb_at at = m->def[id];
		uint32_t op = spb_op(m, at);
		bool parameter = op == SpvOpFunctionParameter;
		if (op == SpvOpVariable || (parameter && p->pointers.bases && spb_pointer_holder(&p->pointers, id))) {
			if (p->pointers.bases)
				follow_memory(p, id);
			continue;
		}
		/* Mesa rejects the decoration on a parameter */
		if (spb_names_descriptor(m, id) && (id == operand || !parameter))
			decorate(p, id);
		uint32_t chain = chain_at(p, at);
		if (chain)
			go_through_chain(p, chain - 1, access);
		else if (op == SpvOpSampledImage)
			go_on_sampled_image(p, at);
		else if (parameter)
			follow_arguments(p, id);
		else if (spb_path_operands(m, at, &first, &end) && !spb_op_is(op, SPB_OP_JOINS))
			go_on(p, m->words[first]);
		else
			go_through_choice(p, id, first, end);
	}
}
