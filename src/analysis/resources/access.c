/* SPDX-License-Identifier: Apache-2.0 */
/* access: which descriptor each access uses, once every array of descriptors has one dimension.
 *
 * An access is the access chain that selects a descriptor or leads into a block, or the load (or texel pointer) of a
 * resource that is not an array. Where OpSelect or OpPhi chooses between pointers to descriptors, the choice is the
 * access, and the pointers that it chooses from are not.
 *
 * A copy of a pointer to a whole resource, and a parameter that points to one, stands for every resource that it may
 * be: edges from pointers to copies, choices and parameters are followed for each resource.
 *
 * This is for lists of accesses, by resource, in which constant indexes and resources that are not arrays count. What
 * judges and marks accesses (analysis/paths/descriptor_paths.c) starts at indexes that vary and ends at the
 * instructions where Vulkan inspects the operand, whatever the resource. It visits a few ids of most modules, whereas
 * this walk visits every instruction. */
#include "analysis/resources/resources.h"

struct edges {           /* from a pointer to its copies, choices from it, and parameters it is passed to */
	uint32_t *first; /* [bound] edge + 1 */
	struct edge {
		uint32_t to, next;
	} * items;
	size_t count, capacity;
};

struct walk {
	const struct spb_module *m;
	struct spb_arena *arena;
	struct spb_accesses found; /* with the pointer's id in place of the variable */
	struct edges edges;
	struct spb_location_table places;
	uint32_t *base;   /* [bound] of a chain that selects: the pointer it begins with; 0: another id */
	uint32_t *chosen; /* bits over ids: some choice may yield this pointer; NULL: there is no choice */
};

/* Is the instruction only a copy of the pointer in word 3? */
static bool is_copy(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	return op == SpvOpCopyObject || (spb_op_is(op, SPB_OP_CHAIN) && spb_length(m, at) == 4);
}

/* Pointee of a resource variable, a copy of its pointer, or a parameter; 0: none of these, or an untyped variable
 * without a data type. */
static uint32_t resource_type(const struct spb_module *m, uint32_t id)
{
	enum { MOST_COPIES = 16 };
	for (int left = MOST_COPIES; left && is_copy(m, m->def[id]); left--)
		id = m->words[m->def[id] + 3];
	uint32_t op = spb_def_op(m, id);
	spb_at pointer = m->def[spb_type_of(m, id)];

	if (op == OpUntypedVariableKHR && spb_length(m, m->def[id]) > 4)
		return spb_is_resource_class(m->words[m->def[id] + 3]) ? m->words[m->def[id] + 4] : 0;
	if ((op != SpvOpVariable && op != SpvOpFunctionParameter) || spb_op(m, pointer) != SpvOpTypePointer ||
	    !spb_is_resource_class(m->words[pointer + 2]))
		return 0;
	return m->words[pointer + 3];
}

/* Constant length of an array of descriptors; 0: not an array, or unknown. */
static uint64_t known_length(const struct spb_module *m, uint32_t type)
{
	uint64_t length;

	if (spb_def_op(m, type) != SpvOpTypeArray || spb_def_op(m, m->words[m->def[type] + 3]) != SpvOpConstant ||
	    !spb_constant_value(m, m->words[m->def[type] + 3], &length))
		return 0;
	return length;
}

/* False if the index is in range, or if the index or the length is unknown. */
static bool is_outside(const struct spb_module *m, spb_at at, uint64_t *index, uint64_t *length)
{
	if (!spb_op_is(spb_op(m, at), SPB_OP_CHAIN) || spb_length(m, at) < 5 ||
	    spb_def_op(m, m->words[at + 4]) != SpvOpConstant)
		return false;
	*length = known_length(m, resource_type(m, m->words[at + 3]));
	return *length && spb_constant_value(m, m->words[at + 4], index) && *index >= *length;
}

spb_at spb_find_wrong_index(const struct spb_module *m)
{
	uint64_t index, length;

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			if (is_outside(m, at, &index, &length))
				return at;
		}
	}
	return 0;
}

void spb_check_indexes(const struct spb_module *m)
{
	const spb_at at = spb_find_wrong_index(m);
	uint64_t index, length;

	if (!at || !is_outside(m, at, &index, &length))
		return;
	spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_INDEX_RANGE, at,
		 "index %u is outside %s, which has %u descriptors (0 to %u)" SPB_REMEDY
		 "Correct the index, or make the array larger.",
		 (unsigned)index, spb_label(&m->context->scratch, m, m->words[at + 3]), (unsigned)length,
		 (unsigned)length - 1);
}

static void add_access(struct walk *w, spb_at at, uint32_t pointer, uint32_t index)
{
	const struct spb_module *m = w->m;
	uint32_t result = m->words[at + 2];
	struct spb_access a = {.at = at, .variable = pointer, .index_id = index};
	uint64_t value = 0;

	spb_location_of(&w->places, at, &a.file, &a.line);

	if (!index || (spb_def_op(m, index) == SpvOpConstant && spb_constant_value(m, index, &value))) {
		a.constant = true;
		a.index = (uint32_t)value;
	}
	a.non_uniform = spb_decoration(m, result, SpvDecorationNonUniform) ||
			(index && spb_decoration(m, index, SpvDecorationNonUniform));
	SPB_PUSH(w->arena, &w->found, a);
}

static void add_edge(struct walk *w, uint32_t from, uint32_t to)
{
	SPB_PUSH(w->arena, &w->edges, ((struct edge){to, w->edges.first[from]}));
	w->edges.first[from] = (uint32_t)w->edges.count;
}

static void see_arguments(struct walk *w, spb_at at, const struct spb_calls *calls)
{
	const struct spb_module *m = w->m;
	uint32_t f = calls->function_of[m->words[at + 3]];

	if (!f)
		return;
	uint32_t first = calls->first_parameter[f - 1], count = calls->first_parameter[f] - first;
	for (uint32_t i = 0; i < count && at + 4 + i < spb_next(m, at); i++)
		add_edge(w, m->words[at + 4 + i], calls->parameters.items[first + i]);
}

/* The pointers that OpSelect or OpPhi chooses from: their first word, and the step to the next one. */
static uint32_t first_choice(const struct spb_module *m, spb_at at, uint32_t *step)
{
	*step = spb_op(m, at) == SpvOpPhi ? 2 : 1;
	return spb_op(m, at) == SpvOpPhi ? at + 3 : at + 4;
}

/* A choice between pointers to descriptors. One between places in one buffer selects nothing. */
static void see_choice(struct walk *w, spb_at at)
{
	const struct spb_module *m = w->m;
	spb_at type = m->def[m->words[at + 1]];
	uint32_t step, first = first_choice(m, at, &step);
	bool differ = false;

	if ((spb_op(m, type) != SpvOpTypePointer && spb_op(m, type) != OpTypeUntypedPointerKHR) ||
	    !spb_is_resource_class(m->words[type + 2]))
		return;
	for (uint32_t i = first; i < spb_next(m, at); i += step) {
		spb_at one = m->def[m->words[first]], other = m->def[m->words[i]];
		bool same = m->words[first] == m->words[i] ||
			    (w->base[m->words[first]] && w->base[m->words[first]] == w->base[m->words[i]] &&
			     (!spb_array_element(m, resource_type(m, w->base[m->words[i]])) ||
			      m->words[one + 4] == m->words[other + 4]));
		differ |= !same;
	}
	if (!differ)
		return;
	add_access(w, at, m->words[at + 2], m->words[at + 2]);
	if (!w->chosen)
		w->chosen = spb_bits(w->arena, m->bound);
	for (uint32_t i = first; i < spb_next(m, at); i += step) {
		uint32_t from = m->words[i];
		spb_set_bit(w->chosen, from);
		add_edge(w, w->base[from] ? w->base[from] : from, m->words[at + 2]);
	}
}

/* Is the pointer only used in a choice? */
static bool is_only_chosen(const struct walk *w, spb_at at)
{
	const struct spb_module *m = w->m;
	uint32_t id = m->words[at + 2];

	if (!w->chosen || !spb_bit(w->chosen, id))
		return false;
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		uint32_t op = spb_op(m, m->use[i].at);
		if (m->use[i].at >= m->section[SPB_SECTION_FUNCTION] && op != SpvOpSelect && op != SpvOpPhi)
			return false;
	}
	return true;
}

static void see_instruction(struct walk *w, spb_at at, const struct spb_calls *calls)
{
	const struct spb_module *m = w->m;
	uint32_t op = spb_op(m, at), type;

	if (op == SpvOpFunctionCall) {
		see_arguments(w, at, calls);
	} else if (op == SpvOpSelect || op == SpvOpPhi) {
		see_choice(w, at);
	} else if (is_copy(m, at) && resource_type(m, m->words[at + 2])) {
		add_edge(w, m->words[at + 3], m->words[at + 2]);
	} else if (spb_op_is(op, SPB_OP_CHAIN | SPB_OP_BASE_TYPE) || op == SpvOpLoad || op == SpvOpImageTexelPointer ||
		   op == SpvOpArrayLength || op == OpUntypedImageTexelPointerEXT || op == OpUntypedArrayLengthKHR) {
		bool chain = spb_op_is(op, SPB_OP_CHAIN | SPB_OP_BASE_TYPE);
		bool late = op == OpUntypedImageTexelPointerEXT || op == OpUntypedArrayLengthKHR;
		spb_at base = at + 3 + (late || spb_op_is(op, SPB_OP_BASE_TYPE)); /* after a type */
		type = resource_type(m, m->words[base]);
		if (!type)
			return;
		if (chain)
			w->base[m->words[at + 2]] = m->words[base];
		if (!spb_array_element(m, type))
			add_access(w, at, m->words[base], 0);
		else if (chain && base + 1 < spb_next(m, at))
			add_access(w, at, m->words[base], m->words[base + 1]);
	}
}

/* Groups accesses by the id of their pointer, so that each resource finds its own and those of the parameters it is
 * passed to. */
static uint32_t *group_accesses(struct walk *w, uint32_t **list)
{
	uint32_t *first = spb_alloc_zeroed(w->arena, (size_t)w->m->bound + 1, sizeof *first);
	size_t count = 0;

	for (size_t i = 0; i < w->found.count; i++) {
		if (!is_only_chosen(w, w->found.items[i].at))
			w->found.items[count++] = w->found.items[i];
	}
	w->found.count = count;

	*list = spb_alloc_array(w->arena, count, sizeof **list);
	for (size_t i = 0; i < count; i++)
		first[w->found.items[i].variable]++;
	for (uint32_t id = 0, total = 0; id <= w->m->bound; id++) {
		total += first[id];
		first[id] = total;
	}
	for (size_t i = count; i-- > 0;)
		(*list)[--first[w->found.items[i].variable]] = (uint32_t)i;
	return first;
}

static int by_place(const void *a, const void *b)
{
	const struct spb_access *x = a, *y = b;

	return x->at != y->at ? spb_compare(x->at, y->at) : spb_compare(x->variable, y->variable);
}

struct spb_accesses spb_find_accesses(const struct spb_module *m, const struct spb_variables *variables,
				      struct spb_arena *arena)
{
	struct walk w = {.m = m, .arena = arena, .places = spb_location_table(m, arena)};
	struct spb_calls calls = spb_find_calls(m, arena);
	struct spb_accesses accesses = {0};
	uint32_t *list, *first, *stamp = spb_alloc_zeroed(arena, m->bound, sizeof *stamp);
	SPB_LIST(uint32_t) work = {0};

	w.edges.first = spb_alloc_zeroed(arena, m->bound, sizeof *w.edges.first);
	w.base = spb_alloc_zeroed(arena, m->bound, sizeof *w.base);
	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at))
			see_instruction(&w, at, &calls);
	}
	first = group_accesses(&w, &list);
	for (uint32_t v = 0; v < variables->count; v++) {
		work.count = 0;
		SPB_PUSH(arena, &work, variables->items[v].id);
		while (work.count) {
			uint32_t id = work.items[--work.count];
			for (uint32_t i = first[id]; i < first[id + 1]; i++) {
				struct spb_access a = w.found.items[list[i]];
				a.variable = v;
				SPB_PUSH(arena, &accesses, a);
			}
			for (uint32_t e = w.edges.first[id]; e; e = w.edges.items[e - 1].next) {
				if (stamp[w.edges.items[e - 1].to] == v + 1)
					continue;
				stamp[w.edges.items[e - 1].to] = v + 1;
				SPB_PUSH(arena, &work, w.edges.items[e - 1].to);
			}
		}
	}
	spb_sort(arena, accesses.items, accesses.count, sizeof *accesses.items, by_place);
	return accesses;
}
