/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_writes: which memory does the module write, under whatever name?
 *
 * One look at all instructions finds those that write, and the blocks and calls of functions. Memory that is written
 * under one name is written under all: those of pointer parameters, of resources that may be at one binding or are
 * Aliased, and of buffers behind addresses. What no name writes is the same for all invocations that read one place in
 * it. */
#include "analysis/uniformity/uniformity_graph.h"
#include "ir/ids.h"

enum { MAX_ROUNDS = 64 };

static bool is_pointer(const struct spb_module *m, uint32_t id)
{
	return spb_pointer_class(m, id) != UINT32_MAX;
}

/* The variable or parameter behind the operand of an access: a pointer, a texel pointer or a loaded image; 0: unknown,
 * for example behind a pointer that was selected or loaded. */
static uint32_t accessed(struct spb_uniformity *u, uint32_t id)
{
	const struct spb_module *m = u->m;

	for (int steps = 0; steps < SPB_MAX_IMAGE_STEPS; steps++) {
		uint32_t op = spb_def_op(m, id);
		if (is_pointer(m, id) && op != SpvOpImageTexelPointer && op != OpUntypedImageTexelPointerEXT)
			return spb_region_of(u, id).root;
		if (op != SpvOpLoad && (!spb_op_is(op, SPB_OP_FORWARDS) || spb_op_is(op, SPB_OP_JOINS)))
			return 0;
		id = m->words[m->def[id] + (op == OpUntypedImageTexelPointerEXT ? 4 : 3)];
	}
	return 0;
}

/* A write to an unknown resource: it may be any that such a pointer or image can refer to. */
static void note_write_anywhere(struct spb_uniformity *u, uint32_t operand)
{
	uint32_t storage_class = spb_pointer_class(u->m, operand);

	if (spb_is_local(u->m, operand)) {
		u->writes.locals = true;
		return;
	}
	u->writes.buffers = u->writes.addresses = true;
	u->writes.anywhere |= storage_class != SpvStorageClassPhysicalStorageBuffer;
}

static void note_written(struct spb_uniformity *u, uint32_t root, uint64_t leaves)
{
	spb_set_bit(u->writes.written, root);
	spb_root_of(u, root)->written |= leaves;
}

/* Does the instruction write only the memory that its pointer refers to? */
static bool writes_only_its_pointee(uint32_t op)
{
	return op == SpvOpStore || op == SpvOpCopyMemory || spb_op_is(op, SPB_OP_ATOMIC);
}

static void note_write(struct spb_uniformity *u, spb_at at, uint32_t operand)
{
	const struct spb_module *m = u->m;
	uint32_t root = accessed(u, operand), storage_class = spb_pointer_class(m, operand);

	u->writes.resources |= storage_class != SpvStorageClassFunction && storage_class != SpvStorageClassPrivate &&
			       storage_class != SpvStorageClassOutput;
	switch (storage_class) {
	case SpvStorageClassPhysicalStorageBuffer:
		u->writes.addresses = true;
		/* fall through */
	case SpvStorageClassStorageBuffer:
	case SpvStorageClassUniform:
		u->writes.buffers = true;
		break;
	default:
		break;
	}
	if (!root) {
		note_write_anywhere(u, operand);
		return;
	}
	uint64_t leaves = UINT64_MAX;
	if (writes_only_its_pointee(spb_op(m, at))) {
		struct spb_region r = spb_region_of(u, operand);
		leaves = r.root == root ? spb_leaf_bits(r) : UINT64_MAX;
	}
	note_written(u, root, leaves);
}

/* Transfers of instructions that read through a pointer, derive another pointer, or use none. */
static const uint32_t reading = 1u << SPB_TRANSFER_CONSTANT | 1u << SPB_TRANSFER_COMPONENTWISE |
				1u << SPB_TRANSFER_JOIN | 1u << SPB_TRANSFER_SUBGROUP | 1u << SPB_TRANSFER_BROADCAST |
				1u << SPB_TRANSFER_SHUFFLE | 1u << SPB_TRANSFER_BY_SCOPE |
				1u << SPB_TRANSFER_GROUP_OPERATION | 1u << SPB_TRANSFER_MEMORY |
				1u << SPB_TRANSFER_SPECIAL;

/* Extended instructions write only what a pointer among their operands refers to, such as that of Modf. */
static bool has_pointers(const struct spb_module *m, spb_at at)
{
	struct spb_operand o;
	struct spb_ids i;

	for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
		if (is_pointer(m, m->words[i.word]))
			return true;
	}
	return false;
}

/* Does the instruction write no memory? Writes in a function that it calls do not count. */
static bool only_reads(const struct spb_module *m, spb_at at, const struct spb_op_facts *row)
{
	if (row->transfer == SPB_TRANSFER_NONE)
		return (row->flags & SPB_OP_INERT) != 0;
	return reading >> row->transfer & 1 &&
	       (spb_op(m, at) != SpvOpExtInst || !has_pointers(m, at) || spb_is_non_semantic(m, at));
}

/* Does an instruction other than OpStore and OpCopyMemory write through the operand at `word`? True for all pointers to
 * local memory and outputs, unless the instruction is known only to read or the operand is the source of a copy. */
static bool writes_through(const struct spb_module *m, spb_at at, uint32_t word)
{
	if (spb_op(m, at) == SpvOpCopyMemorySized)
		return word == at + 1;
	return is_pointer(m, m->words[word]) &&
	       (spb_is_local(m, m->words[word]) || spb_pointer_class(m, m->words[word]) == SpvStorageClassOutput);
}

static void see_writes(struct spb_uniformity *u, spb_at at, const struct spb_op_facts *row)
{
	const struct spb_module *m = u->m;
	struct spb_operand o;
	struct spb_ids i;

	if (row->flags & SPB_OP_WRITES && row->resource)
		note_write(u, at, m->words[at + row->resource]);
	if (spb_op(m, at) == SpvOpStore || spb_op(m, at) == SpvOpCopyMemory)
		return;
	for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
		if (writes_through(m, at, i.word))
			note_write(u, at, m->words[i.word]);
	}
}

struct argument {
	uint32_t root, number;
};

static int by_argument_root(const void *a, const void *b)
{
	const struct argument *x = a, *y = b;

	return (x->root > y->root) - (x->root < y->root);
}

/* Finds pointer arguments of a call that refer to the same variable, or to a global one. */
static void see_sharing(struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	uint32_t f = u->calls->function_of[m->words[at + 3]];
	SPB_LIST(struct argument) list = {0};
	uint32_t first = u->calls->first_parameter[f - 1], count = u->calls->first_parameter[f] - first;

	for (uint32_t i = 0; i < count && at + 4 + i < spb_next(m, at); i++) {
		uint32_t id = m->words[at + 4 + i];
		if (is_pointer(m, id))
			SPB_PUSH(u->drafts, &list, ((struct argument){spb_region_of(u, id).root, i}));
	}
	spb_sort(u->drafts, list.items, list.count, sizeof *list.items, by_argument_root);
	for (size_t i = 0; i < list.count; i++) {
		uint32_t root = list.items[i].root;
		bool same = !root || spb_pointer_class(m, root) == SpvStorageClassPrivate ||
			    (i && list.items[i - 1].root == root) ||
			    (i + 1 < list.count && list.items[i + 1].root == root);
		if (same && spb_is_local(m, m->words[at + 4 + list.items[i].number]))
			spb_set_bit(u->writes.aliased, u->calls->parameters.items[first + list.items[i].number]);
	}
}

/* Sorts calls by their callees. */
static void sort_sites(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	uint32_t n = m->function_count, total = 0;

	u->functions.first_site = spb_alloc_zeroed(u->drafts, n + 1, sizeof *u->functions.first_site);
	for (uint32_t i = 0; i < u->functions.sites.count; i++)
		u->functions.first_site[u->calls->function_of[m->words[u->functions.sites.items[i] + 3]] - 1]++;
	for (uint32_t f = 0; f <= n; f++) {
		uint32_t here = u->functions.first_site[f];
		u->functions.first_site[f] = total;
		total += here;
	}
	u->functions.site_of = spb_alloc_array(u->drafts, total, sizeof *u->functions.site_of);
	uint32_t *next = spb_alloc_array(u->drafts, n + 1, sizeof *next);
	memcpy(next, u->functions.first_site, (n + 1) * sizeof *next);
	for (uint32_t i = 0; i < u->functions.sites.count; i++)
		u->functions.site_of[next[u->calls->function_of[m->words[u->functions.sites.items[i] + 3]] - 1]++] = i;
}

/* A function of another module may write through any pointer argument. */
static void see_imports(struct spb_uniformity *u)
{
	for (uint32_t f = 0; f < u->m->function_count; f++) {
		for (uint32_t i = u->calls->first_parameter[f];
		     !spb_has_body(&u->m->function[f]) && i < u->calls->first_parameter[f + 1]; i++) {
			spb_set_bit(u->writes.written, u->calls->parameters.items[i]);
			u->writes.resources = true;
		}
	}
}

/* True: more is known about the parameter or the argument. */
static bool spread_over_argument(struct spb_uniformity *u, uint32_t parameter, uint32_t argument)
{
	uint32_t root = is_pointer(u->m, argument) ? spb_region_of(u, argument).root : 0;
	uint32_t *known = spb_is_local(u->m, argument) ? u->writes.aliased : u->writes.written;
	bool written = spb_bit(u->writes.written, parameter), changed = false;

	if (root) {
		changed = (written && !spb_bit(u->writes.written, root)) ||
			  (spb_bit(known, root) && !spb_bit(known, parameter));
		if (written)
			note_written(u, root, UINT64_MAX);
		if (spb_bit(known, root))
			spb_set_bit(known, parameter);
	} else if (written && is_pointer(u->m, argument)) {
		note_write_anywhere(u, argument);
	}
	return changed;
}

/* A parameter is written if the variables of its callers are; a resource is written under all its names. */
static void spread_over_calls(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	uint32_t round = 0;

	see_imports(u);
	for (bool changed = true; changed; round++) {
		changed = false;
		if (round == MAX_ROUNDS) { /* calls nested too deeply */
			spb_set_all(u->writes.written, m->bound);
			spb_set_all(u->writes.aliased, m->bound);
			u->writes.anywhere = u->writes.resources = true;
			return;
		}
		/* alternately from callers and from callees */
		for (uint32_t n = 0; n < u->functions.sites.count; n++) {
			spb_at at =
			    u->functions.sites.items[round % 2 ? n : (uint32_t)u->functions.sites.count - 1 - n];
			uint32_t f = u->calls->function_of[m->words[at + 3]] - 1;
			uint32_t first = u->calls->first_parameter[f], count = u->calls->first_parameter[f + 1] - first;
			for (uint32_t k = 0; k < count && at + 4 + k < spb_next(m, at); k++)
				changed |= spread_over_argument(u, u->calls->parameters.items[first + k],
								m->words[at + 4 + k]);
		}
	}
}

struct place { /* binding of a resource */
	uint32_t set, binding, id;
	enum spb_descriptor kind;
	bool many; /* a runtime array */
};

struct places {
	struct place *items;
	size_t count, capacity;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return (x->binding > y->binding) - (x->binding < y->binding);
}

/* Heaps without a binding will share one; so may all runtime arrays, if the caller requests new bindings. */
static void note_place(struct spb_uniformity *u, struct places *places, uint32_t id)
{
	const struct spb_module *m = u->m;
	uint32_t set = spb_decoration(m, id, SpvDecorationDescriptorSet),
		 binding = spb_decoration(m, id, SpvDecorationBinding), pointee = spb_contents_type(m, id),
		 storage_class = spb_pointer_class(m, id);
	uint32_t element = spb_array_element(m, pointee);
	struct place p = {.set = UINT32_MAX, /* without a binding: one place for each storage class */
			  .binding = storage_class,
			  .id = id,
			  .kind = spb_descriptor_of(m, storage_class, element ? element : pointee),
			  .many = pointee && spb_def_op(m, pointee) == SpvOpTypeRuntimeArray};
	bool placed = set && binding;

	if (placed && !(p.many && u->settings.may_rebind)) {
		if (u->settings.has_open && m->words[binding] == u->settings.open)
			return;
		p.set = m->words[set];
		p.binding = m->words[binding];
	} else if (!p.many || (!u->settings.may_rebind && storage_class != SpvStorageClassUniformConstant)) {
		return;
	}
	SPB_PUSH(u->drafts, places, p);
}

/* The number of the group at one binding whose members may alias: those of one descriptor type, and all runtime arrays
 * together, which may be views of mutable descriptors. Resources of different types share a binding only by mistake,
 * which the layout rejects or repairs unless an option allows it. */
static uint32_t group_of(const struct spb_uniformity *u, const struct place *p, uint32_t kinds_of_arrays)
{
	if (u->settings.any_type || p->many)
		return SPB_DESCRIPTOR_COUNT;
	return kinds_of_arrays >> p->kind & 1 ? SPB_DESCRIPTOR_COUNT : p->kind;
}

/* Memory at a binding that is written under one name is written under every name. */
static void spread_over_places(struct spb_uniformity *u, struct places *places)
{
	spb_sort(u->drafts, places->items, places->count, sizeof *places->items, by_place);
	for (size_t i = 0, end; i < places->count; i = end) {
		uint32_t names[SPB_DESCRIPTOR_COUNT + 1] = {0}, kinds_of_arrays = 0, written = 0; /* bits: groups */
		for (end = i; end < places->count && by_place(&places->items[i], &places->items[end]) == 0; end++) {
			const struct place *p = &places->items[end];
			kinds_of_arrays |= p->many && u->settings.one_place ? 1u << p->kind : 0;
		}
		for (size_t k = i; k < end; k++) {
			const struct place *p = &places->items[k];
			uint32_t group = group_of(u, p, kinds_of_arrays);
			if (!p->many && !u->settings.one_place)
				continue;
			names[group]++;
			written |= spb_bit(u->writes.written, p->id) ? 1u << group : 0;
		}
		for (size_t k = i; k < end && written; k++) {
			const struct place *p = &places->items[k];
			uint32_t group = group_of(u, p, kinds_of_arrays);
			if ((p->many || u->settings.one_place) && names[group] > 1 && written >> group & 1)
				note_written(u, p->id, UINT64_MAX);
		}
	}
}

/* Does the variable refer to buffers: blocks, or texel buffers? */
static bool is_buffer(const struct spb_module *m, uint32_t id)
{
	uint32_t type = spb_contents_type(m, id);

	while (spb_array_element(m, type))
		type = spb_array_element(m, type);
	return spb_def_op(m, type) != SpvOpTypeImage || m->words[m->def[type] + 3] == SpvDimBuffer;
}

/* A resource is written if another that may alias it is: both are decorated Aliased, or they share a binding. */
static void spread_over_aliases(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	bool aliased_written = u->writes.addresses;
	struct places places = {0};
	struct spb_list aliased = {0};

	if (!u->writes.resources && !u->writes.addresses)
		return;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if ((spb_op(m, at) != SpvOpVariable && spb_op(m, at) != OpUntypedVariableKHR) ||
		    !spb_is_resource_class(m->words[at + 3]))
			continue;
		uint32_t id = m->words[at + 2];
		note_place(u, &places, id);
		if (u->settings.by_address && u->writes.addresses && is_buffer(m, id))
			note_written(u, id, UINT64_MAX);
		if (!spb_decoration(m, id, SpvDecorationAliased))
			continue;
		SPB_PUSH(u->drafts, &aliased, id);
		aliased_written |= spb_bit(u->writes.written, id);
	}
	for (size_t i = 0; i < aliased.count && aliased_written; i++)
		note_written(u, aliased.items[i], UINT64_MAX);
	spread_over_places(u, &places);
}

static int by_root(const void *a, const void *b)
{
	const struct spb_event *x = a, *y = b;

	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

struct events {
	struct spb_event *items;
	size_t count, capacity;
	bool own; /* of memory that is local to a function; false: of all other memory */
};

static void add_event(struct spb_uniformity *u, struct events *list, spb_at at, uint32_t pointer, uint8_t kind,
		      uint32_t value)
{
	uint32_t root = spb_region_of(u, pointer).root;

	bool output = root && u->settings.for_outputs && spb_pointer_class(u->m, root) == SpvStorageClassOutput;
	if (!root || (!output && !spb_is_local(u->m, root)))
		return;
	if (output && kind == SPB_EVENT_CALL) { /* the callee might know it by two names */
		kind = SPB_EVENT_OTHER;
		value = 0;
	}
	if (spb_is_own_memory(u, root) == list->own)
		SPB_PUSH(
		    u->drafts, list,
		    ((struct spb_event){.at = at, .root = root, .kind = kind, .value = value, .pointer = pointer}));
}

/* The writes of an instruction to local memory. */
static void see_event(struct spb_uniformity *u, struct events *list, spb_at at)
{
	const struct spb_module *m = u->m;
	uint32_t op = spb_op(m, at);
	struct spb_operand o;
	struct spb_ids i;

	if (op == SpvOpStore) {
		add_event(u, list, at, m->words[at + 1], SPB_EVENT_STORE, m->words[at + 2]);
	} else if (op == SpvOpCopyMemory) {
		add_event(u, list, at, m->words[at + 1], SPB_EVENT_COPY, m->words[at + 2]);
	} else if (op == SpvOpFunctionCall) {
		uint32_t f = u->calls->function_of[m->words[at + 3]];
		uint32_t first = f ? u->calls->first_parameter[f - 1] : 0,
			 count = f ? u->calls->first_parameter[f] - first : 0;
		for (uint32_t k = 0; k < count && at + 4 + k < spb_next(m, at); k++) {
			if (is_pointer(m, m->words[at + 4 + k]) &&
			    spb_bit(u->writes.written, u->calls->parameters.items[first + k]))
				add_event(u, list, at, m->words[at + 4 + k], SPB_EVENT_CALL, k);
		}
	} else {
		for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
			if (writes_through(m, at, i.word))
				add_event(u, list, at, m->words[i.word], SPB_EVENT_OTHER, spb_result(m, at));
		}
	}
}

static void find_global_events(struct spb_uniformity *u)
{
	struct events list = {0};

	for (size_t i = 0; i < u->writes.writers.count; i++)
		see_event(u, &list, u->writes.writers.items[i]);
	spb_sort(u->drafts, list.items, list.count, sizeof *list.items, by_root);
	u->writes.global = list.items;
	u->writes.global_count = (uint32_t)list.count;
}

/* Does the row say that the instruction only reads, and calls nothing? True for nearly all. No instruction that writes
 * or calls has such a transfer (unit_op_facts). */
static inline bool is_quiet(uint32_t op, const struct spb_op_facts *row)
{
	return reading >> row->transfer & 1 && op != SpvOpFunctionCall && op != SpvOpExtInst;
}

/* A call by an instruction other than OpFunctionCall. */
static void see_other_call(struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	bool names = spb_op(m, at) == OpCooperativeMatrixLoadTensorNV; /* which need not call anything */
	struct spb_operand o;
	struct spb_ids i;

	for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
		uint32_t f = u->calls->function_of[m->words[i.word]];
		if (!f)
			continue;
		names = true;
		if (!u->functions.otherwise)
			u->functions.otherwise = spb_bits(u->arena, m->function_count);
		spb_set_bit(u->functions.otherwise, f - 1);
	}
	u->calls_any |= !names;
}

void spb_add_called_otherwise(struct spb_uniformity *u, uint32_t *bits)
{
	const struct spb_module *m = u->m;

	for (uint32_t f = 0; u->functions.otherwise && f < m->function_count; f++) {
		if (spb_bit(u->functions.otherwise, f))
			spb_add_reached(u->calls, m->words[m->function[f].at + 2], bits, u->reach.reached);
	}
}

/* `label`: of the block of the instruction */
static void see_instruction(struct spb_uniformity *u, spb_at at, spb_at label, const struct spb_op_facts *row)
{
	const struct spb_module *m = u->m;
	bool call = spb_op(m, at) == SpvOpFunctionCall, reads = only_reads(m, at, row);

	if (row->flags & SPB_OP_TERMINATOR)
		SPB_PUSH(u->arena, &u->functions.blocks, ((struct spb_block){label, at}));
	if (row->flags & SPB_OP_CALLS)
		see_other_call(u, at);
	if (call || !reads)
		SPB_PUSH(u->arena, &u->writes.writers, at);
	if (!reads)
		see_writes(u, at, row);
	if (call && u->calls->function_of[m->words[at + 3]]) {
		SPB_PUSH(u->arena, &u->functions.sites, at);
		see_sharing(u, at);
	}
}

/* Collects everything that needs a look at each instruction of the module. */
static void see_instructions(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;

	u->functions.first_block = spb_alloc_array(u->arena, m->function_count + 1, sizeof *u->functions.first_block);
	for (uint32_t f = 0; f < m->function_count; f++) {
		const uint32_t *end = m->words + m->function[f].end, *label = m->words;
		u->functions.first_block[f] = (uint32_t)u->functions.blocks.count;
		for (const uint32_t *w = m->words + m->function[f].at; w < end; w += *w >> 16) {
			const struct spb_op_facts *row = spb_op_facts(*w & 0xFFFF);
			if ((*w & 0xFFFF) == SpvOpLabel)
				label = w;
			else if (!is_quiet(*w & 0xFFFF, row))
				see_instruction(u, (spb_at)(w - m->words), (spb_at)(label - m->words), row);
		}
	}
	u->functions.first_block[m->function_count] = (uint32_t)u->functions.blocks.count;
}

void spb_find_writes(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;

	u->writes.written = spb_bits(u->arena, m->bound);
	u->writes.aliased = spb_bits(u->arena, m->bound);
	see_instructions(u);
	sort_sites(u);
	spread_over_calls(u);
	spread_over_aliases(u);
	find_global_events(u);
}

bool spb_is_own_memory(struct spb_uniformity *u, uint32_t root)
{
	const struct spb_module *m = u->m;

	if (u->writes.locals)
		return false;
	if (spb_def_op(m, root) == SpvOpFunctionParameter)
		return !spb_bit(u->writes.aliased, root);
	return m->words[m->def[root] + 3] == SpvStorageClassFunction && spb_function_in(u, root) != SPB_ALL;
}

uint32_t spb_events_in(const struct spb_event *events, uint32_t count, uint32_t root, uint32_t *first)
{
	struct spb_event wanted = {.root = root};
	uint32_t end;

	end = *first = (uint32_t)spb_lower_bound(events, count, sizeof *events, &wanted, by_root);
	while (end < count && events[end].root == root)
		end++;
	return end - *first;
}

struct spb_event *spb_events_of(struct spb_uniformity *u, uint32_t root, uint32_t *count)
{
	uint32_t first;

	*count = spb_events_in(u->writes.global, u->writes.global_count, root, &first);
	return *count ? u->writes.global + first : NULL;
}

void spb_find_events(struct spb_uniformity *u, struct spb_body *body, uint32_t function)
{
	const struct spb_module *m = u->m;
	struct events list = {.own = true};

	body->events.found = true;
	size_t first = spb_first_from(&u->writes.writers, m->function[function].body),
	       end = spb_first_from(&u->writes.writers, m->function[function].end);
	SPB_SIZE(u->drafts, &list, end - first); /* most write one variable */
	for (size_t i = first; i < end; i++)
		see_event(u, &list, u->writes.writers.items[i]);
	for (size_t i = 0, b = 0; i < list.count; i++) { /* both are in module order */
		while (b + 1 < body->cfg->count && body->cfg->block[b + 1].label <= list.items[i].at)
			b++;
		list.items[i].block = (uint32_t)b;
	}
	spb_sort(u->drafts, list.items, list.count, sizeof *list.items, by_root);
	body->events.items = list.items;
	body->events.count = (uint32_t)list.count;
}

/* Is it a buffer or image that the module does not write under any name? */
bool spb_is_unwritten(struct spb_uniformity *u, uint32_t root)
{
	return root && !spb_bit(u->writes.written, root) && !u->writes.anywhere && !u->m->has_unknown_ops;
}

/* Is it a member that is never written, of a block with other members that are? False for an element of an array of
 * blocks, which another block may overlap. */
static bool is_unwritten_member(struct spb_uniformity *u, uint32_t pointer)
{
	const struct spb_module *m = u->m;
	struct spb_region r = spb_region_of(u, pointer);

	return r.root && spb_def_op(m, r.root) == SpvOpVariable &&
	       spb_def_op(m, spb_pointee(m, r.root)) == SpvOpTypeStruct && !u->writes.anywhere && !m->has_unknown_ops &&
	       !(spb_root_of(u, r.root)->written & spb_leaf_bits(r));
}

static void find_volatiles(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;

	u->writes.volatiles = spb_bits(u->arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if ((op == SpvOpDecorate && m->words[at + 2] == SpvDecorationVolatile) ||
		    (op == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationVolatile)) {
			spb_set_bit(u->writes.volatiles, m->words[at + 1]);
			u->writes.any_volatile = true;
		}
	}
}

/* Is a block, or one of its members, declared Volatile? */
static bool is_volatile(struct spb_uniformity *u, uint32_t root)
{
	const struct spb_module *m = u->m;
	uint32_t type = spb_contents_type(m, root);

	if (!u->writes.volatiles)
		find_volatiles(u);
	while (spb_array_element(m, type))
		type = spb_array_element(m, type);
	return spb_bit(u->writes.volatiles, root) || spb_bit(u->writes.volatiles, type) ||
	       (u->writes.any_volatile &&
		spb_def_op(m, root) == OpUntypedVariableKHR); /* it may be accessed as any type */
}

bool spb_is_read_only(struct spb_uniformity *u, uint32_t pointer)
{
	const struct spb_module *m = u->m;
	uint32_t root = spb_region_of(u, pointer).root;

	switch (spb_pointer_class(m, pointer)) {
	case SpvStorageClassUniformConstant:
	case SpvStorageClassPushConstant:
	case SpvStorageClassInput:
		return true;
	case SpvStorageClassUniform:
	case SpvStorageClassStorageBuffer:
		return (spb_is_unwritten(u, root) || is_unwritten_member(u, pointer)) && !is_volatile(u, root);
	case SpvStorageClassPhysicalStorageBuffer:
		return !u->writes.addresses && !u->writes.buffers && !m->has_unknown_ops;
	default:
		return false;
	}
}
