/* SPDX-License-Identifier: Apache-2.0 */
/* shape_addresses: acceleration structures that are device addresses.
 *
 *     %s = OpConvertUToAccelerationStructureKHR %as %address
 *     %r = OpFunctionCall %float %trace %s
 *
 * SPIR-V 2.16.1 restricts the uses of images and samplers, not of acceleration structures: one may be an argument, a
 * result, or an operand of OpPhi, whether it is an address or was loaded. So in a module with addresses they stay
 * values, unless some are used where no value of this type may be: in memory, structs or OpSelect. Those selected by an
 * index may not be values, either: at their uses, the index would no longer be known. */
#include "pass/shapes/shape.h"

static bool is_structure(const struct spb_module *m, uint32_t type)
{
	return spb_def_op(m, type) == SpvOpTypeAccelerationStructureKHR;
}

/* An acceleration structure, or an array of them. */
static bool holds_structures(const struct spb_module *m, uint32_t type)
{
	uint32_t element = spb_array_element(m, type);

	return is_structure(m, element ? element : type);
}

static bool is_bad_type(const struct spb_module *m, spb_at at)
{
	const uint32_t *w = m->words + at;
	bool bad = false;

	switch (spb_op(m, at)) {
	case SpvOpTypePointer:
		return (w[2] == SpvStorageClassFunction || w[2] == SpvStorageClassPrivate) && holds_structures(m, w[3]);
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
		return !is_structure(m, w[2]) && holds_structures(m, w[2]);
	case SpvOpTypeStruct:
		for (uint32_t i = 2; i < spb_length(m, at); i++)
			bad |= holds_structures(m, w[i]);
		return bad;
	case SpvOpUndef:
	case SpvOpConstantNull:
		return holds_structures(m, w[1]);
	default:
		return false;
	}
}

/* One selected by an index, or a pointer to it, which may not be an argument. */
static bool is_selected(const struct spb_module *m, uint32_t id)
{
	spb_at at = m->def[id];

	if (spb_op(m, at) == SpvOpLoad && is_structure(m, m->words[at + 1]))
		at = m->def[m->words[at + 3]];
	else if (spb_def_op(m, spb_type_of(m, id)) != SpvOpTypePointer)
		return false;
	if (!spb_op_is(spb_op(m, at), SPB_OP_CHAIN))
		return false;
	spb_at pointer = m->def[m->words[at + 1]];
	return spb_op(m, pointer) == SpvOpTypePointer && is_structure(m, m->words[pointer + 3]);
}

static bool is_bad_flow(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	if (spb_op_is(op, SPB_OP_HAS_TYPE) && holds_structures(m, m->words[at + 1]) &&
	    (op == SpvOpSelect || op == SpvOpUndef || !is_structure(m, m->words[at + 1])))
		return true;
	if (op != SpvOpFunctionCall && op != SpvOpReturnValue && op != SpvOpPhi && op != SpvOpCopyObject)
		return false;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && is_selected(m, m->words[o.word]))
			return true;
	}
	return false;
}

static bool converts_addresses(const struct spb_module *m)
{
	spb_at at = m->section[SPB_SECTION_FUNCTION];

	while (at < m->count && spb_op(m, at) != SpvOpConvertUToAccelerationStructureKHR)
		at = spb_next(m, at);
	return at < m->count;
}

bool spb_structures_are_values(const struct spb_module *m)
{
	if (!converts_addresses(m))
		return false;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (is_bad_type(m, at))
			return false;
	}
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (is_bad_flow(m, at))
			return false;
	}
	return true;
}
