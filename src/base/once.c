/* SPDX-License-Identifier: Apache-2.0 */
/* once: interned texts: each distinct text is stored once. */
#include "base.h"

static const char **find_slot(const struct spb_names *names, const char *text, size_t length)
{
	size_t h = (size_t)spb_hash_bytes(length, text, length) & names->mask;

	while (names->slot[h] && (strncmp(names->slot[h], text, length) != 0 || names->slot[h][length]))
		h = (h + 1) & names->mask;
	return &names->slot[h];
}

static void grow(struct spb_names *names, struct spb_arena *arena)
{
	const struct spb_names old = *names;
	size_t size = old.slot ? 2 * (old.mask + 1) : 64;

	names->slot = spb_alloc_zeroed(arena, size, sizeof *names->slot);
	names->mask = size - 1;
	for (size_t i = 0; old.slot && i <= old.mask; i++) {
		if (old.slot[i])
			*find_slot(names, old.slot[i], strlen(old.slot[i])) = old.slot[i];
	}
}

const char *spb_keep_name(struct spb_names *names, struct spb_arena *arena, const char *text, size_t length)
{
	if (!names->slot || names->count > names->mask - names->mask / 4)
		grow(names, arena);

	const char **slot = find_slot(names, text, length);
	if (!*slot) {
		*slot = spb_copy_text(arena, text, length);
		names->count++;
	}
	return *slot;
}
