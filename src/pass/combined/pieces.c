/* SPDX-License-Identifier: Apache-2.0 */
/* pieces: which variables stand for parts of declared resources, updated as passes create and remove them.
 *
 *     tex                    origin 1, piece 0, path ""
 *     tex_sampler            origin 1, piece 1, path ".sampler"
 *
 * Each of these is numbered separately (`pieces` is 1). Members of a struct that was split are numbered together
 * (`pieces` is how many there are); a part of one of them becomes another member. */
#include "pass/combined/combined.h"

struct list {
	struct spb_piece *items;
	size_t count, capacity;
};

static const char *joined(struct spb_unit *u, const char *a, const char *b)
{
	struct spb_text_buffer text = {.arena = &u->m.keep};

	spb_text_put(&text, a);
	spb_text_put(&text, b);
	return spb_text_end(&text);
}

/* Appends `piece`, unless it is removed, and the parts from `i` on that were created with it. */
static void put(struct spb_unit *u, struct list *to, struct spb_piece piece, const struct spb_companion *companions,
		size_t i, size_t count, const uint32_t *gone)
{
	struct spb_arena *keep = &u->m.keep;
	uint32_t binding = spb_decoration(&u->m, piece.variable, SpvDecorationBinding), whole = piece.variable;
	const char *path = piece.path;

	if (!gone || piece.variable >= u->m.bound || !spb_bit(gone, piece.variable))
		SPB_PUSH(keep, to, piece);
	for (; i < count && companions[i].whole == whole; i++) {
		piece.variable = companions[i].companion;
		piece.path = joined(u, path, companions[i].path);
		SPB_PUSH(keep, to, piece);
		if (piece.pieces > 1 && binding) /* all members carry the struct's binding */
			spb_add_decoration(&u->edit, piece.variable, SpvDecorationBinding, &u->m.words[binding], 1);
	}
}

/* Parts of one resource are contiguous and numbered from 0. */
static void number(struct list *pieces)
{
	for (size_t i = 0, end; i < pieces->count; i = end) {
		for (end = i; end < pieces->count && pieces->items[end].origin == pieces->items[i].origin; end++)
			pieces->items[end].piece = (uint32_t)(end - i);
		for (size_t k = end; k-- > i && pieces->items[k].pieces > 1;)
			pieces->items[k].pieces = (uint32_t)(end - i);
	}
}

void spb_add_companions(struct spb_unit *u, const struct spb_companion *companions, size_t count, const uint32_t *gone)
{
	const struct spb_module *m = &u->m;
	uint32_t *first = spb_alloc_zeroed(&m->context->scratch, m->bound, sizeof *first); /* id -> its part, + 1 */
	struct list to = {0};
	uint32_t origin = 0;

	for (size_t i = count; i--;)
		first[companions[i].whole] = (uint32_t)i + 1;
	for (size_t i = 0; i < u->created.pieces.count; i++) {
		const struct spb_piece *piece = &u->created.pieces.items[i];
		size_t at = first[piece->variable] ? first[piece->variable] - 1 : count;
		origin = piece->origin > origin ? piece->origin : origin;
		first[piece->variable] = 0;
		put(u, &to, *piece, companions, at, count, gone);
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t whole = companions[i].whole;
		if (first[whole] != i + 1)
			continue;
		struct spb_piece piece = {.variable = whole, .origin = ++origin, .pieces = 1, .path = ""};
		piece.declared = joined(u, spb_id_name(m, whole), "");
		piece.unused = !spb_is_in_function(m, whole);
		put(u, &to, piece, companions, i, count, gone);
	}
	number(&to);
	u->created.pieces.items = to.items;
	u->created.pieces.count = to.count;
	u->created.pieces.capacity = to.capacity;
}
