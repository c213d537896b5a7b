/* SPDX-License-Identifier: Apache-2.0 */
/* old_blocks: converts storage buffers of SPIR-V 1.3 and earlier to those of later versions.
 *
 *     OpDecorate %block BufferBlock                     OpDecorate %block Block
 *     %array = OpTypePointer Uniform %blocks            %array = OpTypePointer StorageBuffer %blocks
 *     %b = OpVariable %array Uniform                    %b = OpVariable %array StorageBuffer
 *     %c = OpAccessChain %member %b %x %i               %c = OpAccessChain %new_member %b %x %i
 *
 * Both mean the same (SPIR-V, "Decoration", BufferBlock). Pointers into blocks get new types, because uniform buffers
 * may use the old ones. Refused (SPB_E_HEAP_FLOW): a pointer to a block as the argument of a function, which
 * StorageBuffer allows with variable pointers only. */
#include "pass/pass.h"

struct plan {
	const struct spb_module *m;
	struct spb_edit *e;
	uint32_t *seen; /* bits over ids: pointers into the blocks */
	SPB_LIST(uint32_t) work;
};

static bool is_old_block(const struct spb_module *m, uint32_t type)
{
	for (uint32_t element; (element = spb_array_element(m, type)) != 0;)
		type = element;
	return spb_decoration(m, type, SpvDecorationBufferBlock) != 0;
}

bool spb_is_old_pointer(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] == SpvStorageClassUniform &&
	       is_old_block(m, m->words[at + 3]);
}

static void see(struct plan *p, uint32_t id)
{
	spb_set_bit(p->seen, id);
	SPB_PUSH(p->e->arena, &p->work, id);
}

/* Gives a pointer to part of a block a new type. The type of pointers to whole blocks has been changed itself. */
static void change_type(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t type = m->words[at + 1], pointee = m->words[m->def[type] + 3];

	if (spb_is_old_pointer(m, type))
		return;
	spb_patch(p->e, at + 1, spb_pointer_type(p->e, SpvStorageClassStorageBuffer, pointee));
}

static void follow(struct plan *p, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at), id = spb_result(m, use.at);
	bool is_pointer = id && spb_def_op(m, spb_type_of(m, id)) == SpvOpTypePointer;

	if (op == SpvOpFunctionCall)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HEAP_FLOW, use.at,
			 "a function is called with a pointer to a BufferBlock, which SPV_EXT_descriptor_heap does not "
			 "have" SPB_REMEDY
			 "Compile for Vulkan 1.1 or later, or access the buffer outside the function.");
	if (use.at < m->section[SPB_SECTION_FUNCTION] || !is_pointer || spb_bit(p->seen, id) ||
	    !(spb_op_is_chain(op) || spb_op_is(op, SPB_OP_COPY | SPB_OP_JOINS)))
		return;
	change_type(p, use.at);
	see(p, id);
}

void spb_modernize_blocks(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan plan = {.m = m, .e = &u->edit}, *p = &plan;

	spb_module_need_uses(m);
	p->seen = spb_bits(&m->context->scratch, m->bound);
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationBufferBlock)
			spb_patch(p->e, at + 2, SpvDecorationBlock);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if (op == SpvOpTypePointer && spb_is_old_pointer(m, m->words[at + 1]))
			spb_patch(p->e, at + 2, SpvStorageClassStorageBuffer);
		if (op == SpvOpVariable && spb_is_old_pointer(m, m->words[at + 1])) {
			spb_patch(p->e, at + 3, SpvStorageClassStorageBuffer);
			see(p, m->words[at + 2]);
		}
	}
	while (p->work.count) {
		uint32_t id = p->work.items[--p->work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			follow(p, m->use[i]);
	}
}
