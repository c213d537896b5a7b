/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/uniformity/descriptor_paths.h"
#include "analysis/uniformity/uniformity_tables.h"

enum { MAX_ROUNDS = 64, MAX_DIMENSIONS = 16 /* no front end writes more, and they are refused later */ };

bool spb_is_opaque_type(const struct spb_module *m, uint32_t type)
{
	return spb_op_is(spb_def_op(m, type), SPB_OP_OPAQUE);
}

bool spb_is_any_chain(uint32_t op)
{
	return spb_op_is(op, SPB_OP_CHAIN | SPB_OP_PTR_CHAIN | SPB_OP_BASE_TYPE);
}

/* The storage class of a pointer type; UINT32_MAX: another type. */
static uint32_t class_of(const struct spb_module *m, uint32_t type)
{
	uint32_t op = spb_def_op(m, type);

	return op == SpvOpTypePointer || op == OpTypeUntypedPointerKHR ? m->words[m->def[type] + 2] : UINT32_MAX;
}

static bool is_name_type(const struct spb_module *m, uint32_t type)
{
	uint32_t storage_class = class_of(m, type);

	return storage_class != UINT32_MAX
		   ? storage_class == SpvStorageClassImage || spb_is_resource_class(storage_class)
		   : spb_is_opaque_type(m, type);
}

bool spb_names_descriptor(const struct spb_module *m, uint32_t id)
{
	return is_name_type(m, spb_type_of(m, id));
}

/* How many indexes lead from a type down to one descriptor, and of which kind; 0: not an array of descriptors. */
static uint32_t dimensions(const struct spb_module *m, uint32_t storage_class, uint32_t type, enum spb_descriptor *kind)
{
	uint32_t n = 0;

	for (; spb_array_element(m, type); n++) { /* arrays of arrays: an index of any dimension selects */
		if (n == MAX_DIMENSIONS)
			return 0;
		type = spb_array_element(m, type);
	}
	/* an array of structs inside a buffer is not one: its elements are not blocks */
	if (spb_def_op(m, type) == SpvOpTypeStruct && !spb_decoration(m, type, SpvDecorationBlock) &&
	    !spb_decoration(m, type, SpvDecorationBufferBlock))
		return 0;
	*kind = spb_descriptor_of(m, storage_class, type);
	return *kind == SPB_DESCRIPTOR_OTHER ? 0 : n;
}

/* Is it a single descriptor? */
static bool is_descriptor(const struct spb_module *m, uint32_t storage_class, uint32_t type, enum spb_descriptor *kind)
{
	if (spb_def_op(m, type) == SpvOpTypeStruct
		? !spb_decoration(m, type, SpvDecorationBlock) && !spb_decoration(m, type, SpvDecorationBufferBlock)
		: !spb_is_opaque_type(m, type))
		return false;
	*kind = spb_descriptor_of(m, storage_class, type);
	return *kind != SPB_DESCRIPTOR_OTHER;
}

/* The data type with which an untyped variable is declared; 0: it is not one. */
static uint32_t data_type(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, id) == OpUntypedVariableKHR && spb_length(m, m->def[id]) > 4 ? m->words[m->def[id] + 4]
											  : 0;
}

struct spb_selection spb_selection_of(const struct spb_module *m, spb_at chain)
{
	uint32_t op = spb_op(m, chain), end = spb_next(m, chain), most;
	bool untyped = spb_op_is(op, SPB_OP_BASE_TYPE), element = spb_op_is(op, SPB_OP_PTR_CHAIN);
	uint32_t base = chain + 3 + (untyped || op == OpUntypedImageTexelPointerEXT);
	struct spb_selection s = {.base = base, .kind = SPB_DESCRIPTOR_OTHER};
	uint32_t of = spb_type_of(m, m->words[base]), storage_class = class_of(m, of), type;

	if (storage_class == UINT32_MAX || !spb_is_resource_class(storage_class) || !spb_is_any_chain(op))
		return s;
	if (untyped) {
		element = op >= OpUntypedPtrAccessChainKHR;
		type = m->words[chain + 3];
	} else if (spb_op(m, m->def[of]) == SpvOpTypePointer) {
		type = m->words[m->def[of] + 3];
	} else {
		return s; /* SPIR-V forbids it: a typed chain from an untyped pointer */
	}
	most = dimensions(m, storage_class, type, &s.kind);
	if (element && (most || is_descriptor(m, storage_class, type, &s.kind)))
		most++; /* the element index selects, too */
	/* an array of descriptors that is accessed as another type: any index may select */
	if (untyped && !most && dimensions(m, storage_class, data_type(m, m->words[base]), &s.kind))
		most = UINT32_MAX;
	s.end = most < end - base - 1 ? base + 1 + most : end;
	for (uint32_t w = base + 1; w < s.end && !s.dynamic; w++) {
		if (!spb_is_constant(m, m->words[w]) && spb_def_op(m, spb_type_of(m, m->words[w])) == SpvOpTypeInt)
			s.dynamic = w;
	}
	return s;
}

/* Does the access chain have an index that is not a constant? Most do not, and select nothing. */
static bool has_variable_index(const struct spb_module *m, spb_at chain)
{
	uint32_t first = chain + 4 + spb_op_is(spb_op(m, chain), SPB_OP_BASE_TYPE);
	bool found = false;

	for (uint32_t w = first; w < spb_next(m, chain) && !found; w++)
		found = !spb_is_constant(m, m->words[w]);
	return found;
}

bool spb_path_operands(const struct spb_module *m, spb_at at, uint32_t *first, uint32_t *end)
{
	uint32_t op = spb_op(m, at);

	*first = op == SpvOpSelect || op == OpUntypedImageTexelPointerEXT || spb_op_is(op, SPB_OP_BASE_TYPE) ? at + 4
													     : at + 3;
	*end = op == SpvOpSelect ? at + 6 : op == SpvOpSampledImage ? at + 5 : *first + 1;
	if (op == SpvOpPhi) /* labels lie between the operands */
		*end = spb_next(m, at);
	if (op == SpvOpLoad) /* loads the descriptor itself, not the buffer's contents */
		return spb_is_opaque_type(m, m->words[at + 1]) && spb_names_descriptor(m, m->words[at + 3]);
	return spb_op_is(op, SPB_OP_FORWARDS);
}

/* Does the instruction yield a pointer or descriptor that is not simply that of one operand: one of several, or one
 * that comes from memory, from a structure or from a function? */
static bool yields_any(const struct spb_module *m, spb_at at)
{
	const struct spb_op_facts *row = spb_op_facts(spb_op(m, at));
	uint32_t first, end;

	if (row->transfer == SPB_TRANSFER_NONE || row->transfer == SPB_TRANSFER_COMPONENTWISE ||
	    !(row->flags & SPB_OP_HAS_TYPE) || row->flags & SPB_OP_FRAME ||
	    spb_op(m, at) == SpvOpConvertUToAccelerationStructureKHR || /* an address */
	    spb_op(m, at) == SpvOpVariable || spb_op(m, at) == OpUntypedVariableKHR)
		return false;
	return (row->flags & SPB_OP_JOINS || !spb_path_operands(m, at, &first, &end)) &&
	       spb_names_descriptor(m, m->words[at + 2]);
}

bool spb_may_choose(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		const uint32_t capability = spb_capability(m, at);
		if (capability == SpvCapabilityVariablePointers ||
		    capability == SpvCapabilityVariablePointersStorageBuffer ||
		    capability == CapabilityUntypedPointersKHR || capability == SpvCapabilityLinkage)
			return true;
	}
	return m->has_unknown_ops;
}

bool spb_has_choices(const struct spb_module *m)
{
	bool may = spb_may_choose(m), found = false;

	for (uint32_t f = 0; may && f < m->function_count; f++) {
		for (spb_at at = m->function[f].label; at && at < m->function[f].end && !found; at = spb_next(m, at))
			found = yields_any(m, at);
	}
	return found;
}

bool spb_has_paths(const struct spb_module *m)
{
	bool joins = spb_may_choose(m), may = joins || m->has & SPB_HAS_DESCRIPTOR_ARRAYS, found = false;

	for (uint32_t f = 0; may && f < m->function_count; f++) {
		for (spb_at at = m->function[f].label; at && at < m->function[f].end && !found; at = spb_next(m, at))
			found = spb_is_any_chain(spb_op(m, at))
				    ? has_variable_index(m, at) && spb_selection_of(m, at).dynamic
				    : joins && yields_any(m, at);
	}
	return found;
}

static bool mark(struct spb_paths *p, uint32_t id)
{
	bool is_new = !p->on_path[id];

	p->on_path[id] = true;
	return is_new;
}

uint32_t *spb_find_marks(const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *marked = spb_bits(arena, m->bound);

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION];
	     m->has & SPB_HAS_MARKS && at < m->section[SPB_SECTION_GLOBAL]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationNonUniform)
			spb_set_bit(marked, m->words[at + 1]);
	}
	return marked;
}

/* A parameter is on the path if an argument is. */
static bool see_call(struct spb_paths *p, const struct spb_module *m, const struct spb_calls *calls, spb_at at)
{
	uint32_t f = calls->function_of[m->words[at + 3]];
	bool changed = false;

	if (spb_names_descriptor(m, m->words[at + 2]) && !spb_has_one_target(&p->targets, m->words[at + 2]))
		mark(p, m->words[at + 2]);
	if (!f)
		return false;
	uint32_t first = calls->first_parameter[f - 1], count = calls->first_parameter[f] - first;
	for (uint32_t k = 0; k < count && at + 4 + k < spb_next(m, at); k++) {
		if (p->on_path[m->words[at + 4 + k]])
			changed |= mark(p, calls->parameters.items[first + k]);
	}
	return changed;
}

/* Is the result on the path? */
static bool is_reached(struct spb_paths *p, const struct spb_module *m, spb_at at, const uint32_t *but,
		       struct spb_arena *arena, bool first_round)
{
	uint32_t op = spb_op(m, at), first, end;
	bool reached = false;

	if (spb_path_operands(m, at, &first, &end)) {
		for (uint32_t w = first; w < end; w++)
			reached |= p->on_path[m->words[w]];
		if (spb_is_any_chain(op)) {
			if (!has_variable_index(m, at))
				return reached;
			struct spb_selection s = spb_selection_of(m, at);
			if (!s.dynamic || (but && spb_bit(but, m->words[s.base])))
				return reached;
			if (first_round)
				SPB_PUSH(arena, &p->chains, ((struct spb_chain){at, s}));
			return true;
		}
		if (!spb_op_is(op, SPB_OP_JOINS))
			return reached;
	}
	return reached || (yields_any(m, at) && !spb_has_one_target(&p->targets, m->words[at + 2]));
}

/* Finds the types whose values name descriptors, and undefined values of these, which are pointers of unknown origin.
 * An undefined value of an opaque type is an error wherever it is reached (SPB2003). */
static uint32_t *find_names(struct spb_paths *p, const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *names = spb_bits(arena, m->bound);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t op = spb_op(m, at);
		if (spb_op_is(op, SPB_OP_IS_TYPE) && is_name_type(m, m->words[at + 1]))
			spb_set_bit(names, m->words[at + 1]);
		else if (op == SpvOpUndef && !spb_is_opaque_type(m, m->words[at + 1]) &&
			 spb_names_descriptor(m, m->words[at + 2]))
			mark(p, m->words[at + 2]);
	}
	return names;
}

/* All instructions that matter: those that may be on the path, and those that may access what is on it. */
struct candidates {
	SPB_LIST(spb_at) on_path;
	SPB_LIST(spb_at) accesses;
};

static bool may_be_on_path(const struct spb_module *m, const uint32_t *names, uint32_t id)
{
	return spb_bit(names, spb_type_of(m, id)) || spb_def_op(m, id) == SpvOpFunctionParameter;
}

static bool may_access(const struct spb_module *m, spb_at at, const struct spb_op_facts *row, const uint32_t *names)
{
	bool may = false;

	if (spb_op(m, at) == SpvOpExtInst) { /* Modf and the like */
		for (uint32_t w = at + 5; w < spb_next(m, at) && !may; w++)
			may = may_be_on_path(m, names, m->words[w]);
		return may && !spb_is_non_semantic(m, at);
	}
	if (!row->resource || row->flags & SPB_OP_FORWARDS || at + row->resource >= spb_next(m, at))
		return false;
	return may_be_on_path(m, names, m->words[at + row->resource]) ||
	       (row->resource2 && at + row->resource2 < spb_next(m, at) &&
		may_be_on_path(m, names, m->words[at + row->resource2]));
}

static struct candidates find_candidates(const struct spb_module *m, const uint32_t *names, struct spb_arena *arena)
{
	struct candidates list = {0};

	for (uint32_t f = 0; f < m->function_count; f++) {
		const uint32_t *end = m->words + (m->function[f].label ? m->function[f].end : 0);
		for (const uint32_t *w = m->words + m->function[f].label; w < end; w += *w >> 16) {
			const uint32_t op = *w & 0xFFFF;
			const struct spb_op_facts *row = spb_op_facts(op);
			if ((row->resource || op == SpvOpExtInst) && may_access(m, (spb_at)(w - m->words), row, names))
				SPB_PUSH(arena, &list.accesses, (spb_at)(w - m->words));
			if (row->flags & SPB_OP_HAS_TYPE && (spb_bit(names, w[1]) || op == SpvOpFunctionCall))
				SPB_PUSH(arena, &list.on_path, (spb_at)(w - m->words));
		}
	}
	return list;
}

/* True: something that was visited earlier is now on the path. */
static bool walk(struct spb_paths *p, const struct spb_module *m, const struct spb_calls *calls, const uint32_t *but,
		 struct spb_arena *arena, const struct candidates *list, bool first_round)
{
	bool again = false;

	for (size_t i = 0; i < list->on_path.count; i++) {
		const spb_at at = list->on_path.items[i];
		const uint32_t op = spb_op(m, at);
		if (op == SpvOpFunctionCall) {
			again |= see_call(p, m, calls, at);
		} else {
			again |=
			    is_reached(p, m, at, but, arena, first_round) && mark(p, m->words[at + 2]) && !first_round;
			again |= first_round && op == SpvOpPhi; /* its operands may be defined further down */
		}
	}
	return again;
}

/* Parameters of functions that other modules call are pointers of unknown origin. */
static void see_unknown(struct spb_paths *p, const struct spb_module *m, const struct spb_calls *calls)
{
	bool linkage = spb_has_capability(m, SpvCapabilityLinkage);

	for (uint32_t f = 0; linkage && f < m->function_count; f++) {
		if (!spb_decoration(m, m->words[m->function[f].at + 2], SpvDecorationLinkageAttributes))
			continue;
		for (uint32_t i = calls->first_parameter[f]; i < calls->first_parameter[f + 1]; i++) {
			if (spb_names_descriptor(m, calls->parameters.items[i]))
				mark(p, calls->parameters.items[i]);
		}
	}
}

static void see_access(struct spb_paths *p, const struct spb_module *m, spb_at at, uint32_t word,
		       struct spb_arena *arena)
{
	if (word < spb_next(m, at) && p->on_path[m->words[word]])
		SPB_PUSH(arena, &p->accesses, ((struct spb_operand_use){at, word}));
}

static void find_accesses(struct spb_paths *p, const struct spb_module *m, const struct candidates *list,
			  struct spb_arena *arena)
{
	for (size_t i = 0; i < list->accesses.count; i++) {
		spb_at at = list->accesses.items[i];
		const struct spb_op_facts *row = spb_op_facts(spb_op(m, at));
		uint32_t first, end;
		if (spb_op(m, at) == SpvOpExtInst) {
			for (uint32_t w = at + 5; w < spb_next(m, at); w++)
				see_access(p, m, at, w, arena);
			continue;
		}
		if (spb_op(m, at) == SpvOpLoad && spb_path_operands(m, at, &first, &end))
			continue;
		see_access(p, m, at, at + row->resource, arena);
		if (row->resource2)
			see_access(p, m, at, at + row->resource2, arena);
	}
}

struct spb_paths spb_find_paths(const struct spb_module *m, const struct spb_calls *calls, const uint32_t *but,
				struct spb_arena *arena)
{
	struct spb_paths p = {.on_path = spb_alloc_zeroed(arena, m->bound, sizeof *p.on_path),
			      .targets = spb_find_targets(m, calls, arena)};
	uint32_t round = 0, *names = find_names(&p, m, arena);
	struct candidates list = find_candidates(m, names, arena);

	see_unknown(&p, m, calls);
	for (; round < MAX_ROUNDS && walk(&p, m, calls, but, arena, &list, !round); round++)
		continue;
	if (round == MAX_ROUNDS) { /* calls nested too deeply */
		for (size_t i = 0; i < calls->parameters.count; i++)
			mark(&p, calls->parameters.items[i]);
		walk(&p, m, calls, but, arena, &list, false);
	}
	find_accesses(&p, m, &list, arena);
	return p;
}
