/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/paths/selection.h"

enum { MAX_DIMENSIONS = 16 /* no front end writes more, and they are refused later */ };

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

bool spb_is_name_type(const struct spb_module *m, uint32_t type)
{
	uint32_t storage_class = class_of(m, type);

	return storage_class != UINT32_MAX
		   ? storage_class == SpvStorageClassImage || spb_is_resource_class(storage_class)
		   : spb_is_opaque_type(m, type);
}

bool spb_names_descriptor(const struct spb_module *m, uint32_t id)
{
	return spb_is_name_type(m, spb_type_of(m, id));
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

bool spb_has_variable_index(const struct spb_module *m, spb_at chain)
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

bool spb_yields_any(const struct spb_module *m, spb_at at)
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
		for (spb_at at = m->function[f].body; at < m->function[f].end && !found; at = spb_next(m, at))
			found = spb_yields_any(m, at);
	}
	return found;
}

bool spb_has_paths(const struct spb_module *m)
{
	bool joins = spb_may_choose(m), may = joins || m->has & SPB_HAS_DESCRIPTOR_ARRAYS, found = false;

	for (uint32_t f = 0; may && f < m->function_count; f++) {
		for (spb_at at = m->function[f].body; at < m->function[f].end && !found; at = spb_next(m, at))
			found = spb_is_any_chain(spb_op(m, at))
				    ? spb_has_variable_index(m, at) && spb_selection_of(m, at).dynamic
				    : joins && spb_yields_any(m, at);
	}
	return found;
}
