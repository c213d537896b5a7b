/* SPDX-License-Identifier: Apache-2.0 */
/* see_type: what a type is, and what it shows about the descriptors of the module; for both halves of the parser. */
#include "ir/parse.h"

#define FAIL(code, at, ...) spb_fail(m, SPB_ERROR_INVALID_SPIRV, code, at, __VA_ARGS__)

bool spb_is_remark(const struct spb_module *m, spb_at at)
{
	return spb_length(m, at) > 4 && m->words[at + 3] < m->bound && spb_is_non_semantic(m, at);
}

/* glslang 12 has no debug information for some types and writes id 0 for them. */
noreturn void spb_fail_range(const struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	FAIL(SPB_E_ID_RANGE, at, "%s names id %u, which is not in the range 1 to %u%r", spb_op_name(spb_op(m, at)), id,
	     m->bound - 1,
	     spb_is_remark(m, at) && spb_is_debug_info(spb_string(m, m->def[m->words[at + 3]] + 2)) ? SPB_REMEDY
		 "Compile with -g instead of -gV or -gVS: the front end wrote invalid debug information."
												    : "");
}

/* Local storage classes hold no blocks. */
static inline bool may_hold_descriptors(uint32_t storage_class)
{
	const uint32_t never = 1u << SpvStorageClassInput | 1u << SpvStorageClassOutput |
			       1u << SpvStorageClassFunction | 1u << SpvStorageClassPrivate |
			       1u << SpvStorageClassWorkgroup | 1u << SpvStorageClassPushConstant;

	return storage_class > 31 || !(never >> storage_class & 1);
}

static void see_pointer(const struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	const uint32_t storage_class = m->words[at + 2], type = m->words[at + 3];
	const uint8_t known = m->known[type];

	if (known & ID_DEFINED && !(known & ID_TYPE) && !m->has_unknown_ops)
		FAIL(SPB_E_NOT_A_TYPE, at, "OpTypePointer points to %%%u, which is not a type", type);
	if ((storage_class == SpvStorageClassFunction || storage_class == SpvStorageClassPrivate) && known & ID_OPAQUE)
		m->has |= SPB_HAS_OPAQUE_FLOW;
	if (known & ID_ARRAY && may_hold_descriptors(storage_class))
		m->has |= SPB_HAS_DESCRIPTOR_ARRAYS;
	if (storage_class == SpvStorageClassPushConstant)
		m->has |= SPB_HAS_PUSH_CONSTANTS;
}

/* A parameter is a descriptor if its type is one, or is a pointer to one. */
static void see_parameters(const struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;

	for (uint32_t i = at + 2; i < spb_next(m, at); i++) {
		const uint32_t type = m->words[i];
		if (m->known[type] & ID_OPAQUE ||
		    (m->known[type] & ID_POINTER && m->words[m->def[type] + 2] == SpvStorageClassUniformConstant))
			m->has |= SPB_HAS_OPAQUE_FLOW;
	}
}

static uint8_t see_members(const struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	uint8_t opaque = 0;

	for (uint32_t i = at + 2; i < spb_next(m, at); i++)
		opaque |= m->known[m->words[i]] & ID_OPAQUE;
	if (opaque)
		m->has |= SPB_HAS_OPAQUE_FLOW;
	return opaque;
}

uint8_t spb_see_type(const struct parse *p, spb_at at, uint32_t flags)
{
	struct spb_module *m = p->m;
	const uint32_t *w = m->words + at;
	uint8_t known = ID_TYPE;

	switch (*w & 0xFFFF) {
	case SpvOpTypePointer:
		see_pointer(p, at);
		return ID_TYPE | ID_POINTER;
	case SpvOpTypeStruct:
		return ID_TYPE | see_members(p, at);
	case SpvOpTypeFunction:
		see_parameters(p, at);
		return ID_TYPE;
	case OpTypeUntypedPointerKHR:
		m->has |= SPB_HAS_DESCRIPTOR_ARRAYS;
		return ID_TYPE;
	case SpvOpTypeArray:
		if (!spb_is_constant(m, w[3]) && !m->has_unknown_ops)
			FAIL(SPB_E_NOT_A_CONSTANT, at, "the length of an OpTypeArray, %%%u, is not a constant", w[3]);
		break;
	case SpvOpTypeSampledImage:
		spb_check_range(p, at, w[1]);
		if (spb_def_op(m, w[2]) != SpvOpTypeImage)
			FAIL(SPB_E_NOT_A_TYPE, at, "OpTypeSampledImage is made of %%%u, which is not an OpTypeImage",
			     w[2]);
		break;
	default:
		break;
	}
	if (flags & SPB_OP_ELEMENTS)
		known |= m->known[w[2]] & ID_OPAQUE;
	if (flags & SPB_OP_OPAQUE)
		known |= ID_OPAQUE;
	if (flags & SPB_OP_ARRAY) {
		known |= ID_ARRAY;
		if (m->known[w[2]] & ID_ARRAY || !(m->known[w[2]] & ID_DEFINED))
			m->has |= SPB_HAS_NESTED_ARRAYS;
	}
	return known;
}
