/* SPDX-License-Identifier: Apache-2.0 */
/* handle_uses: how instructions use a dereferenced descriptor or a pointer to a buffer, and which decorations describe
 * its memory. */
#include "analysis/uniformity/uniformity.h"
#include "pass/handles/handle_flow.h"

const uint32_t spb_memory_qualifiers[] = {SpvDecorationRestrict, SpvDecorationAliased,     SpvDecorationVolatile,
					  SpvDecorationCoherent, SpvDecorationNonWritable, SpvDecorationNonReadable};

bool spb_is_memory_qualifier(uint32_t decoration)
{
	for (size_t i = 0; i < SPB_MEMORY_QUALIFIERS; i++) {
		if (spb_memory_qualifiers[i] == decoration)
			return true;
	}
	return false;
}

enum spb_pointer_use spb_pointer_use(const struct spb_module *m, struct spb_use use)
{
	uint32_t op = spb_op(m, use.at), operand = use.word - use.at;
	const struct spb_op_facts *facts = spb_op_facts(op);
	uint64_t element;

	if (spb_is_non_semantic(m, use.at))
		return SPB_POINTER_REMARK;
	if (facts->flags & SPB_OP_CHAIN)
		return operand == 3 ? SPB_POINTER_CHAIN : SPB_POINTER_FLOWS;
	if (facts->flags & SPB_OP_PTR_CHAIN) /* the pointer itself: like any other access chain */
		return operand == 3 && spb_def_op(m, m->words[use.at + 4]) == SpvOpConstant &&
			       spb_constant_value(m, m->words[use.at + 4], &element) && !element
			   ? SPB_POINTER_CHAIN
			   : SPB_POINTER_FLOWS;
	if (op == SpvOpExtInst)
		return operand > 4 && m->words[use.at + 3] == spb_import(m, "GLSL.std.450")
			   ? SPB_POINTER_WRITTEN /* modf, for example */
			   : SPB_POINTER_FLOWS;
	if (facts->kind != SPB_RESOURCE_POINTER || (operand != facts->resource && operand != facts->resource2))
		return SPB_POINTER_FLOWS;
	/* uniform buffers allow neither atomics nor OpArrayLength */
	return (facts->flags & SPB_OP_WRITES && operand == facts->resource) ||
		       facts->flags & (SPB_OP_ATOMIC | SPB_OP_QUERY)
		   ? SPB_POINTER_WRITTEN
		   : SPB_POINTER_READ;
}

bool spb_uses_descriptor(const struct spb_module *m, struct spb_use use)
{
	uint32_t op = spb_op(m, use.at), word = use.word - use.at;
	const struct spb_op_facts *row = spb_op_facts(op);

	if (op == SpvOpSampledImage || op == SpvOpImage)
		return true;
	if (!row->resource || (word != row->resource && word != row->resource2))
		return false;
	/* except instructions that take a pointer to the descriptor or to memory */
	return op != SpvOpImageTexelPointer && spb_pointer_use(m, use) == SPB_POINTER_FLOWS;
}

bool spb_is_handle_set(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, id) == SpvOpExtInstImport && !strcmp(spb_string(m, m->def[id] + 2), SPB_HANDLE_SET);
}

bool spb_is_handle_remark(const struct spb_module *m, spb_at at)
{
	return spb_is_non_semantic(m, at) && !spb_is_handle_set(m, m->words[at + 3]);
}
