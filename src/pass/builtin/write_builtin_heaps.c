/* SPDX-License-Identifier: Apache-2.0 */
/* write_builtin_heaps: the instructions that lower-builtin-heaps has planned.
 *
 * A chain that leads to an image, a sampler or an acceleration structure is replaced in place, so its uses stay as they
 * are. A chain that leads to a buffer is removed, and so is an untyped pointer to a buffer: a typed one needs the
 * block, which only its uses name. The index is computed where the chain was, ahead of all uses. */
#include "pass/builtin/builtin_heaps.h"

static uint32_t as_uint(struct spb_builtin_plan *p, spb_at at, uint32_t id)
{
	spb_at type = p->m->def[spb_type_of(p->m, id)];

	if (spb_op(p->m, type) != SpvOpTypeInt || p->m->words[type + 2] != 32)
		spb_refuse_builtin(p, at, "one of several indices is not 32 bits wide");
	if (!p->m->words[type + 3])
		return id;
	uint32_t unsigned_id = spb_new_id(p->e), number = spb_uint_type(p->e);
	spb_insert(p->e, at, SpvOpBitcast, W(number, unsigned_id, id));
	return unsigned_id;
}

static uint32_t put_sum(struct spb_builtin_plan *p, spb_at at, uint32_t sum, uint32_t more)
{
	uint32_t id = spb_new_id(p->e), type = spb_uint_type(p->e);

	if (!sum)
		return more;
	spb_insert(p->e, at, SpvOpIAdd, W(type, id, sum, more));
	return id;
}

static bool is_marked(const struct spb_builtin_plan *p, uint32_t id)
{
	return spb_decoration(p->m, id, SpvDecorationNonUniform) != 0;
}

/* Emits the index of a chain before it. */
static uint32_t put_index(struct spb_builtin_plan *p, const struct spb_heap_chain *c)
{
	uint32_t sum = 0;
	bool marked = c->marked;

	if (c->only)
		return c->only;
	for (uint32_t i = 0; i < c->term_count; i++) {
		uint32_t term = as_uint(p, c->at, c->terms[i].id), type = spb_uint_type(p->e);
		marked |= is_marked(p, c->terms[i].id);
		if (c->terms[i].factor != 1) {
			uint32_t factor = spb_uint_constant(p->e, (uint32_t)c->terms[i].factor),
				 product = spb_new_id(p->e);
			spb_insert(p->e, c->at, SpvOpIMul, W(type, product, term, factor));
			term = product;
		}
		sum = put_sum(p, c->at, sum, term);
	}
	if (c->offset) {
		uint32_t type = spb_uint_type(p->e), id = spb_new_id(p->e);
		spb_add_global(p->e, SpvOpSpecConstantOp, W(type, id, SpvOpUDiv, c->offset, c->divisor));
		sum = put_sum(p, c->at, sum, id);
	}
	if (c->number || !sum)
		sum = put_sum(p, c->at, sum, spb_uint_constant(p->e, (uint32_t)c->number));
	if (marked && (c->term_count || c->offset) && sum >= p->m->bound)
		spb_add_decoration(p->e, sum, SpvDecorationNonUniform, NULL, 0);
	return sum;
}

/* Computed once for each chain, where the chain is: all its accesses come later. */
static uint32_t index_of(struct spb_builtin_plan *p, uint32_t chain)
{
	const struct spb_heap_chain *c = &p->chains.items[chain];

	if (!p->index_of[chain])
		p->index_of[chain] = put_index(p, c);
	return p->index_of[chain];
}

static void mark_as(struct spb_builtin_plan *p, uint32_t chain, uint32_t id)
{
	if (p->chains.items[chain].marked && (id >= p->m->bound || !is_marked(p, id)))
		spb_add_decoration(p->e, id, SpvDecorationNonUniform, NULL, 0);
}

static void remove_chain(struct spb_builtin_plan *p, spb_at at)
{
	spb_set_bit(p->gone, at);
	spb_remove_id(p->e, p->m->words[at + 2]);
}

static void rewrite_chain(struct spb_builtin_plan *p, uint32_t chain)
{
	spb_at at = p->chains.items[chain].at;
	uint32_t id = p->m->words[at + 2], index = index_of(p, chain);

	if (p->chain_heap[chain]) {
		const struct spb_heap_type *heap = &p->heaps.list.items[p->chain_heap[chain] - 1];
		spb_replace(p->e, at, SpvOpAccessChain, W(heap->pointer, id, heap->variable, index));
		return;
	}
	remove_chain(p, at);
}

/* Coherent and Volatile move to the heap; the others follow from how it is used (qualify-heaps). */
static void qualify(struct spb_builtin_plan *p, uint32_t id, struct spb_heap_type *heap)
{
	heap->coherent |= spb_decoration(p->m, id, SpvDecorationCoherent) != 0;
	heap->is_volatile |= spb_decoration(p->m, id, SpvDecorationVolatile) != 0;
}

static void remove_qualifiers(struct spb_builtin_plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpDecorate && spb_is_memory_qualifier(m->words[at + 2]))
			spb_remove(p->e, at);
	}
}

/* Emits a pointer to a descriptor of the heap before its use. */
static uint32_t put_pointer(struct spb_builtin_plan *p, const struct spb_builtin_rewrite *r)
{
	const struct spb_builtin_pointer *from = &p->pointers.items[r->pointer];
	struct spb_heap_type *heap = &p->heaps.list.items[r->heap - 1];
	uint32_t id = spb_new_id(p->e);

	spb_insert(p->e, r->at, SpvOpAccessChain, W(heap->pointer, id, heap->variable, index_of(p, from->chain)));
	mark_as(p, from->chain, id);
	if (from->form == SPB_POINTER_BUFFER)
		qualify(p, from->id, heap);
	return id;
}

/* Emits a pointer to the first member before its use. */
static uint32_t put_first(struct spb_builtin_plan *p, const struct spb_builtin_rewrite *r, uint32_t base)
{
	const struct spb_builtin_pointer *from = &p->pointers.items[r->pointer];
	uint32_t *words = spb_alloc_array(p->arena, 3 + (size_t)r->first, sizeof *words);

	words[0] = spb_pointer_type(p->e, from->storage_class, r->type);
	words[1] = spb_new_id(p->e);
	words[2] = base;
	for (uint32_t i = 0; i < r->first; i++)
		words[3 + i] = spb_uint_constant(p->e, 0);
	mark_as(p, from->chain, words[1]);
	spb_insert(p->e, r->at, SpvOpAccessChain, words, 3 + r->first);
	return words[1];
}

static void rewrite_buffer(struct spb_builtin_plan *p, const struct spb_builtin_rewrite *r)
{
	const uint32_t *words = p->m->words + r->at;
	const struct spb_builtin_pointer *from = &p->pointers.items[r->pointer];

	if (!r->heap) { /* each use is a chain of its own */
		spb_set_bit(p->gone, r->at);
		spb_remove_id(p->e, words[2]);
		return;
	}
	struct spb_heap_type *heap = &p->heaps.list.items[r->heap - 1];
	qualify(p, words[2], heap);
	remove_qualifiers(p, words[2]);
	mark_as(p, from->chain, words[2]);
	spb_replace(p->e, r->at, SpvOpAccessChain, W(words[1], words[2], heap->variable, index_of(p, from->chain)));
}

static void rewrite_data_chain(struct spb_builtin_plan *p, const struct spb_builtin_rewrite *r)
{
	const struct spb_module *m = p->m;
	const struct spb_builtin_pointer *from = &p->pointers.items[r->pointer];
	uint32_t length = spb_length(m, r->at), count = 0;
	uint32_t *words = spb_alloc_array(p->arena, length + 1, sizeof *words);

	words[count++] = spb_pointer_type(p->e, from->storage_class, r->type);
	words[count++] = m->words[r->at + 2];
	words[count++] = r->heap ? p->heaps.list.items[r->heap - 1].variable : m->words[r->at + 4];
	if (r->heap)
		words[count++] = index_of(p, from->chain);
	memcpy(words + count, m->words + r->at + 5, (length - 5) * sizeof *words);
	mark_as(p, from->chain, words[1]);
	if (r->heap)
		qualify(p, from->id, &p->heaps.list.items[r->heap - 1]);
	remove_qualifiers(p, words[1]);
	spb_replace(p->e, r->at, SpvOpAccessChain, words, count + length - 5);
}

static uint32_t pointee_class(const struct spb_builtin_pointer *from)
{
	return from->form == SPB_POINTER_TEXEL        ? (uint32_t)SpvStorageClassImage
	       : from->form == SPB_POINTER_DESCRIPTOR ? (uint32_t)SpvStorageClassUniformConstant
						      : from->storage_class;
}

static void rewrite(struct spb_builtin_plan *p, const struct spb_builtin_rewrite *r)
{
	const uint32_t *words = p->m->words + r->at;
	const struct spb_builtin_pointer *from = &p->pointers.items[r->pointer];
	uint32_t op = spb_op(p->m, r->at), word = op == SpvOpStore || op == SpvOpAtomicStore ? 1 : 3;
	bool own = r->heap && (from->form == SPB_POINTER_BUFFER || from->type != r->type);

	switch (op) {
	case SpvOpLoad:
		if (from->form == SPB_POINTER_ADDRESS)
			spb_replace(p->e, r->at, op, W(r->type, words[2], words[3]));
		else if (own || r->first)
			spb_patch(p->e, r->at + word, own ? put_pointer(p, r) : put_first(p, r, words[word]));
		break;
	case SpvOpConvertUToAccelerationStructureKHR:
		spb_replace(p->e, r->at, SpvOpCopyObject, W(r->type, words[2], words[3]));
		break;
	case SpvOpCopyObject:
		if (!r->type) {
			spb_set_bit(p->gone, r->at);
			spb_remove_id(p->e, words[2]);
			break;
		}
		spb_replace(p->e, r->at, op,
			    W(spb_pointer_type(p->e, pointee_class(from), r->type), words[2], words[3]));
		break;
	case SpvOpExtInst: /* a remark about a pointer that may be gone */
		if ((from->form == SPB_POINTER_BUFFER || (from->form == SPB_POINTER_DESCRIPTOR && !from->type)) &&
		    !spb_bit(p->gone, r->at)) {
			spb_set_bit(p->gone, r->at);
			spb_remove(p->e, r->at);
		}
		break;
	case OpBufferPointerEXT:
		rewrite_buffer(p, r);
		break;
	case OpUntypedAccessChainKHR:
	case OpUntypedInBoundsAccessChainKHR:
		rewrite_data_chain(p, r);
		break;
	case OpUntypedArrayLengthKHR:
		spb_replace(p->e, r->at, SpvOpArrayLength,
			    W(words[1], words[2], own ? put_pointer(p, r) : words[4], words[5]));
		break;
	case OpUntypedImageTexelPointerEXT:
		spb_replace(p->e, r->at, SpvOpImageTexelPointer,
			    W(spb_pointer_type(p->e, SpvStorageClassImage, p->m->words[p->m->def[r->type] + 2]),
			      words[2], own ? put_pointer(p, r) : words[4], words[5], words[6]));
		break;
	default: /* another access */
		if (own || r->first)
			spb_patch(p->e, r->at + word, own ? put_pointer(p, r) : put_first(p, r, words[word]));
	}
}

void spb_write_builtin_heaps(struct spb_builtin_plan *p)
{
	for (size_t i = 0; i < p->uses.places.count; i++)
		remove_chain(p, p->uses.places.items[i]);
	for (uint32_t i = 0; i < p->chains.count; i++)
		rewrite_chain(p, i);
	for (size_t i = 0; i < p->rewrites.count; i++)
		rewrite(p, &p->rewrites.items[i]);
}
