/* SPDX-License-Identifier: Apache-2.0 */
/* make: types and constants, each once: the module's, one created by this edit, or a new one after all globals.
 *
 * Non-aggregate types must not be declared twice (SPIR-V 2.8, "Types and Variables"); for pointers and constants,
 * one is enough. Structs and arrays that look alike may be different types, so they are never looked up here.
 * Neither is a pointer type with decorations, since these would then apply to new uses, too. */
#include "ir/ir.h"

struct known {                 /* a type or constant: opcode and operands, without the result */
	const uint32_t *type;  /* the operand before the result; NULL: none */
	const uint32_t *after; /* the operands after it */
	uint32_t hash, op, count, id;
};

struct spb_made {
	SPB_LIST(struct known) known;
	uint32_t *slot, mask; /* hash table of indexes into known, + 1 */
};

static bool is_made_once(uint32_t op)
{
	return op == SpvOpConstant || op == SpvOpConstantNull ||
	       (spb_op_is(op, SPB_OP_IS_TYPE) && op != SpvOpTypeStruct && !spb_op_is(op, SPB_OP_ARRAY));
}

static bool is_same(const struct known *a, const struct known *b)
{
	return a->hash == b->hash && a->op == b->op && a->count == b->count && (!a->type || *a->type == *b->type) &&
	       (!a->count || !memcmp(a->after, b->after, a->count * sizeof *a->after));
}

/* The slot of a key, or the free one where it belongs. */
static uint32_t *slot_of(const struct spb_made *made, const struct known *k)
{
	uint32_t h = k->hash & made->mask;

	while (made->slot[h] && !is_same(&made->known.items[made->slot[h] - 1], k))
		h = (h + 1) & made->mask;
	return &made->slot[h];
}

static void make_room(struct spb_made *made, struct spb_arena *arena)
{
	if (made->slot && 2 * made->known.count < made->mask)
		return;
	made->mask = made->slot ? 2 * made->mask + 1 : 255;
	made->slot = spb_alloc_zeroed(arena, made->mask + 1, sizeof *made->slot);
	for (uint32_t i = 0; i < made->known.count; i++)
		*slot_of(made, &made->known.items[i]) = i + 1;
}

/* Of several equal ones, the first is kept. */
static void keep(struct spb_made *made, struct spb_arena *arena, struct known k)
{
	make_room(made, arena);
	uint32_t *slot = slot_of(made, &k);
	if (*slot)
		return;
	SPB_PUSH(arena, &made->known, k);
	*slot = (uint32_t)made->known.count;
}

static struct known key(uint32_t op, const uint32_t *type, const uint32_t *after, uint32_t count)
{
	uint64_t hash = spb_hash_bytes(op, after, count * sizeof *after);

	return (struct known){type, after, (uint32_t)(type ? spb_hash_mix(hash, *type) : hash), op, count, 0};
}

/* The key for operands without the result. */
static struct known key_of_operands(uint32_t op, const uint32_t *operands, uint32_t count)
{
	return spb_op_is(op, SPB_OP_HAS_TYPE) ? key(op, operands, operands + 1, count - 1)
					      : key(op, NULL, operands, count);
}

static struct spb_made *made_of(struct spb_edit *e)
{
	const struct spb_module *m = e->m;

	if (e->made)
		return e->made;
	e->made = spb_alloc_zeroed(e->arena, 1, sizeof *e->made);
	make_room(e->made, e->arena);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at), typed = spb_op_is(op, SPB_OP_HAS_TYPE);
		if (!is_made_once(op))
			continue;
		struct known k =
		    key(op, typed ? m->words + at + 1 : NULL, m->words + at + 2 + typed, spb_length(m, at) - 2 - typed);
		k.id = m->words[at + 1 + typed];
		if (op != SpvOpTypePointer || m->first_note[k.id] == m->first_note[k.id + 1])
			keep(e->made, e->arena, k);
	}
	return e->made;
}

uint32_t spb_find_made(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count)
{
	const struct spb_made *made = made_of(e);
	struct known k = key_of_operands(op, operands, count);
	uint32_t slot = *slot_of(made, &k);

	return slot ? made->known.items[slot - 1].id : 0;
}

void spb_note_made(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count, uint32_t id)
{
	uint32_t *copy = spb_alloc_array(e->arena, count + 1, sizeof *copy);

	if (count)
		memcpy(copy, operands, count * sizeof *copy);
	struct known k = key_of_operands(op, copy, count);
	k.id = id;
	keep(made_of(e), e->arena, k);
}

uint32_t spb_make(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count)
{
	uint32_t id = spb_find_made(e, op, operands, count), typed = spb_op_is(op, SPB_OP_HAS_TYPE);

	if (id)
		return id;
	uint32_t *words = spb_alloc_array(e->arena, count + 1, sizeof *words);
	if (count)
		memcpy(words + 1, operands, count * sizeof *words);
	if (typed)
		words[0] = operands[0];
	words[typed] = id = spb_new_id(e);
	spb_add_global(e, op, words, count + 1);
	spb_note_made(e, op, operands, count, id);
	return id;
}

uint32_t spb_uint_type(struct spb_edit *e)
{
	return spb_make(e, SpvOpTypeInt, W(32, 0));
}

uint32_t spb_uint2_type(struct spb_edit *e)
{
	return spb_make(e, SpvOpTypeVector, W(spb_uint_type(e), 2));
}

uint32_t spb_bool_type(struct spb_edit *e)
{
	return spb_make(e, SpvOpTypeBool, NULL, 0);
}

uint32_t spb_uint_constant(struct spb_edit *e, uint32_t value)
{
	return spb_make(e, SpvOpConstant, W(spb_uint_type(e), value));
}

uint32_t spb_pointer_type(struct spb_edit *e, uint32_t storage_class, uint32_t pointee)
{
	return spb_make(e, SpvOpTypePointer, W(storage_class, pointee));
}
