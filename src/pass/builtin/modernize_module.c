/* SPDX-License-Identifier: Apache-2.0 */
/* modernize-module: raises a module of SPIR-V 1.0 to 1.2 to a version that allows SPV_EXT_descriptor_heap
 * (--heap-model=descriptor-heap). VK_EXT_descriptor_heap needs a device of Vulkan 1.1 or later, which accepts SPIR-V
 * 1.3.
 *
 *     OpDecorateId, for strides that only the driver knows        SPIR-V 1.2
 *     OpTypeBufferEXT StorageBuffer, and so no BufferBlock        SPIR-V 1.3
 *
 *     OpDecorate %block BufferBlock                     OpDecorate %block Block
 *     %array = OpTypePointer Uniform %blocks            %array = OpTypePointer StorageBuffer %blocks
 *     %heap = OpVariable %array Uniform                 %heap = OpVariable %array StorageBuffer
 *     %c = OpAccessChain %member %heap %x %i            %c = OpAccessChain %new_member %heap %x %i
 *
 * Both mean the same (SPIR-V, "Decoration", BufferBlock). All such blocks of the module are changed, since a type may
 * be that of a heap and of a bound buffer. Pointers into them get types of their own, because uniform buffers may have
 * the old ones. Refused (SPB_E_HEAP_FLOW): a pointer into a block as the argument of a function. */
#include "pass/builtin/builtin.h"

struct plan {
	struct spb_unit *u;
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

static bool is_old_pointer(const struct spb_module *m, uint32_t type)
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

	if (is_old_pointer(m, type))
		return;
	spb_patch(p->e, at + 1, spb_pointer_type(p->e, SpvStorageClassStorageBuffer, pointee));
}

static void follow(struct plan *p, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at), id = spb_result(m, use.at);
	bool is_pointer = id && spb_def_op(m, spb_type_of(m, id)) == SpvOpTypePointer;

	if (op == SpvOpFunctionCall)
		spb_fail(
		    m, SPB_ERROR_UNSUPPORTED, SPB_E_HEAP_FLOW, use.at,
		    "a function is called with a pointer into a storage buffer decorated BufferBlock, which cannot be "
		    "in a heap of SPV_EXT_descriptor_heap; compile for Vulkan 1.1 or later, or inline the function "
		    "(spirv-opt --inline-entry-points-exhaustive)");
	if (use.at < m->section[SPB_SECTION_FUNCTION] || !is_pointer || spb_bit(p->seen, id) ||
	    !(spb_op_is_chain(op) || spb_op_is(op, SPB_OP_COPY | SPB_OP_JOINS)))
		return;
	change_type(p, use.at);
	see(p, id);
}

static void change_blocks(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationBufferBlock)
			spb_patch(p->e, at + 2, SpvDecorationBlock);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if (op == SpvOpTypePointer && is_old_pointer(m, m->words[at + 1]))
			spb_patch(p->e, at + 2, SpvStorageClassStorageBuffer);
		if (op == SpvOpVariable && is_old_pointer(m, m->words[at + 1])) {
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

/* The version that the heaps need; 0: that of the module. SPIR-V 1.2 would do for decorations by id, but 1.3 needs no
 * extension for storage buffers. */
static uint32_t needed_version(const struct spb_unit *u, bool *blocks)
{
	const struct spb_module *m = &u->m;
	const spb_heap_options *o = &u->options->heaps;
	bool ids = false;

	for (size_t i = 0; i < u->handles.heaps.count; i++) {
		struct spb_heap heap = u->handles.heaps.items[i];
		bool sampler = heap.kind == SPB_DESCRIPTOR_SAMPLER;
		if (!spb_is_future_builtin(u, &heap))
			continue;
		*blocks |= is_old_pointer(m, spb_type_of(m, heap.variable));
		ids |=
		    heap.remade ? heap.stride != SPB_STRIDE_BYTES : !(sampler ? o->sampler_stride : o->resource_stride);
	}
	if (spb_version_word(m) >= 0x00010300)
		return 0;
	return *blocks || (ids && spb_version_word(m) < 0x00010200) ? 0x00010300 : 0;
}

bool spb_pass_modernize_module(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.u = u, .m = m, .e = &u->edit};
	bool blocks = false;

	if (!spb_future_builtins(u))
		return false;
	uint32_t version = needed_version(u, &blocks);
	if (version) {
		spb_report(
		    m, SPB_SEVERITY_NOTE, SPB_E_HEAP_VERSION, 0,
		    "the module becomes SPIR-V 1.3, which %s; every device with VK_EXT_descriptor_heap accepts it",
		    blocks ? "has storage buffers that are no BufferBlocks"
			   : "has decorations for strides that only the driver knows");
		spb_patch(&u->edit, 1, version);
	}
	if (blocks) {
		spb_module_need_uses(m);
		p.seen = spb_bits(&m->context->scratch, m->bound);
		change_blocks(&p);
	}
	return version || blocks;
}
