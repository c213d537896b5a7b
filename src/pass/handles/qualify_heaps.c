/* SPDX-License-Identifier: Apache-2.0 */
/* qualify-heaps: derives the memory qualifiers of the heaps that lower-handles created for storage images and
 * buffers.
 *
 *     OpDecorate %heap_image_2D_float NonWritable          nothing in the module writes through it
 *
 * A dereference has no variable that could be declared `readonly`. But without NonWritable on the heap, Vulkan
 * requires vertexPipelineStoresAndAtomics or fragmentStoresAndAtomics (VUID-RuntimeSpirv-NonWritable-06340, 06341)
 * even if images are only read. So NonWritable is derived from the uses, and likewise NonReadable for images that
 * are only written.
 *
 * Aliased: two heaps at the same binding name the same descriptors, and therefore the same memory. If one of them is
 * written, both are decorated Aliased (SPIR-V 2.18.2, "Aliasing"); otherwise a driver might reorder their accesses. */
#include "pass/handles/handles.h"

enum { READ = 1, WRITTEN = 2 };

struct walk {
	const struct spb_module *m;
	struct spb_arena *arena;
	uint32_t *seen; /* bits over ids */
	SPB_LIST(uint32_t) work;
};

static void follow(struct walk *w, uint32_t id)
{
	if (spb_bit(w->seen, id))
		return;
	spb_set_bit(w->seen, id);
	SPB_PUSH(w->arena, &w->work, id);
}

/* How an instruction accesses the descriptor or memory that an operand names; follows pointers and images derived from
 * it. */
static unsigned access_of(struct walk *w, struct spb_use use)
{
	const struct spb_module *m = w->m;
	spb_at at = use.at;

	uint32_t op = spb_op(m, at);
	const struct spb_op_facts *facts = spb_op_facts(op);
	bool is_chain = facts->flags & SPB_OP_CHAIN && use.word == at + 3;

	/* the load of an image does not access its memory yet */
	if (is_chain || op == SpvOpCopyObject ||
	    (op == SpvOpLoad && spb_def_op(m, m->words[at + 1]) == SpvOpTypeImage)) {
		follow(w, m->words[at + 2]);
		return 0;
	}
	if (spb_is_non_semantic(m, at))
		return 0;
	if ((facts->kind != SPB_RESOURCE_POINTER && facts->kind != SPB_RESOURCE_IMAGE) ||
	    use.word != at + facts->resource || (facts->flags & SPB_OP_ATOMIC && facts->flags & SPB_OP_WRITES))
		return READ | WRITTEN;
	return facts->flags & SPB_OP_QUERY ? 0 : facts->flags & SPB_OP_WRITES ? WRITTEN : READ;
}

/* Linear in the uses of ids derived from the heaps: each id derives from one heap, except for function parameters. */
static unsigned accesses_of(struct walk *w, uint32_t variable)
{
	const struct spb_module *m = w->m;
	unsigned found = 0;

	follow(w, variable);
	while (w->work.count) {
		uint32_t id = w->work.items[--w->work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			found |= access_of(w, m->use[i]);
	}
	return found;
}

static void decorate(struct spb_unit *u, uint32_t id, uint32_t decoration)
{
	if (!spb_decoration(&u->m, id, decoration))
		spb_add_decoration(&u->edit, id, decoration, NULL, 0);
}

/* Heaps whose kinds are in the same class share a binding. */
static unsigned binding_class(const struct spb_unit *u, enum spb_descriptor kind)
{
	return u->options->heaps.model == SPB_HEAP_MODEL_TYPED ? 1u << kind : 1;
}

bool spb_pass_qualify_heaps(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct walk w = {.m = m, .arena = &m->context->scratch};
	uint8_t *found;
	unsigned written = 0, once = 0, shared = 0; /* bits over classes */

	if (!u->handles.heaps.count)
		return false;
	spb_module_need_uses(m);
	w.seen = spb_bits(w.arena, m->bound);
	found = spb_alloc_zeroed(w.arena, u->handles.heaps.count, sizeof *found);
	for (size_t i = 0; i < u->handles.heaps.count; i++) {
		struct spb_heap h = u->handles.heaps.items[i];
		unsigned class = binding_class(u, h.kind);
		if (!spb_descriptor_info(h.kind)->writable || !m->def[h.variable])
			continue;
		found[i] = (uint8_t)accesses_of(&w, h.variable);
		if (found[i] & WRITTEN)
			written |= class;
		shared |= once & class;
		once |= class;
	}
	for (size_t i = 0; i < u->handles.heaps.count; i++) {
		struct spb_heap h = u->handles.heaps.items[i];
		if (!spb_descriptor_info(h.kind)->writable || !m->def[h.variable])
			continue;
		if (!(found[i] & WRITTEN))
			decorate(u, h.variable, SpvDecorationNonWritable);
		else if (!(found[i] & READ) && h.kind != SPB_DESCRIPTOR_SSBO)
			decorate(u, h.variable, SpvDecorationNonReadable);
		if (binding_class(u, h.kind) & shared & written)
			decorate(u, h.variable, SpvDecorationAliased);
	}
	return true;
}
