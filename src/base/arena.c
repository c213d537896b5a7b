/* SPDX-License-Identifier: Apache-2.0 */
/* arena: memory that is requested piece by piece and freed all at once. chunk.c provides the chunks; a large list
 * grows in place through the allocator and leaves no copy behind.
 *
 * With AddressSanitizer, memory that has not been requested is poisoned: the rest of a chunk, and a zone after each
 * request, so that an access one element past the end is detected. */
#include "base/chunk.h"

/* The fast path of nearly all requests. The free space of a chunk is a multiple of the padding, so a request that
 * fits without its padding also fits with it. */
static inline void *take(struct spb_arena *arena, size_t requested)
{
	struct spb_chunk *chunk = arena->head;
	const size_t room = chunk ? chunk->size - chunk->used : 0;

	if (!chunk || requested > room || requested + ZONE_BYTES > room)
		return spb_alloc_in_new_chunk(arena, requested);
	void *memory = (char *)chunk + chunk->used;
	chunk->used += spb_padded(requested);
	ASAN_UNPOISON_MEMORY_REGION(memory, requested);
	return memory;
}

void *spb_alloc(struct spb_arena *arena, size_t size)
{
	return take(arena, size);
}

/* The bytes of an array. If both factors fit into half a word, the product cannot overflow, and the division is
 * skipped. */
static inline size_t bytes_of(const struct spb_arena *arena, size_t count, size_t size)
{
	if ((count | size) >> sizeof(size_t) * 4 && size && count > SIZE_MAX / size)
		spb_throw(arena->context, SPB_ERROR_OUT_OF_MEMORY);
	return count * size;
}

void *spb_alloc_array(struct spb_arena *arena, size_t count, size_t size)
{
	return take(arena, bytes_of(arena, count, size));
}

/* Memory fresh from the system is already zero and takes no space until it is written. An array indexed by id
 * therefore costs only as much as the ids that are used, whatever bound the header claims. */
static void *alloc_large_zeroed(struct spb_arena *arena, size_t requested)
{
	if (requested > SIZE_MAX - CHUNK_BYTES)
		spb_throw(arena->context, SPB_ERROR_OUT_OF_MEMORY);
	const size_t whole = sizeof(struct spb_chunk) + spb_padded(requested);
	struct spb_chunk *chunk = arena->context->new_zeroed(arena->context, whole);

	if (!chunk)
		spb_throw(arena->context, SPB_ERROR_OUT_OF_MEMORY);
	chunk->size = chunk->used = whole;
	ASAN_POISON_MEMORY_REGION((char *)chunk->memory + requested, whole - sizeof *chunk - requested);
	if (arena->head) { /* after the chunk being filled */
		chunk->next = arena->head->next;
		arena->head->next = chunk;
	} else {
		arena->head = chunk;
	}
	return chunk->memory;
}

void *spb_alloc_zeroed(struct spb_arena *arena, size_t count, size_t size)
{
	const size_t bytes = bytes_of(arena, count, size);

	if (bytes >= LARGE_BYTES && arena->context->new_zeroed)
		return alloc_large_zeroed(arena, bytes);
	return memset(take(arena, bytes), 0, bytes);
}

char *spb_copy_text(struct spb_arena *arena, const char *text, size_t length)
{
	char *copy = spb_alloc(arena, length + 1);

	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

/* Grows the most recent allocation of the arena in place if there is room after it. With AddressSanitizer, lists
 * always move. */
static bool grow_in_place(struct spb_arena *arena, void *items, size_t size, size_t grown)
{
	struct spb_chunk *chunk = arena->head;

	if (SANITIZED || !chunk || (char *)items + spb_padded(size) != (char *)chunk + chunk->used ||
	    spb_padded(grown) - spb_padded(size) > chunk->size - chunk->used)
		return false;
	chunk->used += spb_padded(grown) - spb_padded(size);
	return true;
}

/* Grows an allocation that has its own chunk, possibly moving it, so that the largest lists leave no copies behind.
 * Returns NULL if no such chunk is found quickly, and always with AddressSanitizer, as above. */
static void *grow_own_chunk(struct spb_arena *arena, const void *items, size_t size, size_t grown)
{
	struct spb_chunk **link = &arena->head;
	size_t steps = size / 1024; /* cheaper than a copy */

	if (SANITIZED || size < CHUNK_BYTES / 4)
		return NULL;
	while (*link && (const void *)(*link)->memory != items && steps--)
		link = &(*link)->next;
	if (!*link || (*link)->memory != items || (*link)->size != sizeof **link + spb_padded(size))
		return NULL;
	size_t whole = sizeof **link + spb_padded(grown);
	struct spb_chunk *chunk =
	    arena->context->allocator.resize(arena->context->allocator.user, *link, (*link)->size, whole);
	if (!chunk)
		spb_throw(arena->context, SPB_ERROR_OUT_OF_MEMORY);
	chunk->size = chunk->used = whole;
	*link = chunk;
	return chunk->memory;
}

void *spb_reserve(struct spb_arena *arena, void *items, size_t count, size_t more, size_t *capacity, size_t size)
{
	if (*capacity - count >= more)
		return items;
	size_t grown = *capacity ? *capacity : 8;
	do
		grown *= 2;
	while (grown - count < more);
	if (items && grown <= SIZE_MAX / 2 / size) {
		void *moved = grow_in_place(arena, items, *capacity * size, grown * size)
				  ? items
				  : grow_own_chunk(arena, items, *capacity * size, grown * size);
		if (moved) {
			*capacity = grown;
			return moved;
		}
	}
	void *copy = take(arena, bytes_of(arena, grown, size));
	if (items) {
		memcpy(copy, items, count * size);
		ASAN_POISON_MEMORY_REGION(items, *capacity * size); /* catches stale pointers into the old list */
	}
	*capacity = grown;
	return copy;
}

struct spb_mark spb_arena_mark(const struct spb_arena *arena)
{
	struct spb_mark mark = {.head = arena->head};

	if (mark.head) {
		mark.next = mark.head->next;
		mark.used = mark.head->used;
	}
	return mark;
}

void spb_arena_rewind(struct spb_arena *arena, struct spb_mark mark)
{
	struct spb_chunk *chunk;

	while ((chunk = arena->head) != mark.head) {
		arena->head = chunk->next;
		spb_free_chunk(arena->context, chunk);
	}
	if (!chunk)
		return;
	while (chunk->next != mark.next) { /* chunks of large requests */
		struct spb_chunk *next = chunk->next;
		chunk->next = next->next;
		spb_free_chunk(arena->context, next);
	}
	chunk->used = mark.used;
	ASAN_POISON_MEMORY_REGION((char *)chunk + chunk->used, chunk->size - chunk->used);
}

/* Keeps only the newest small chunk. */
static void free_all_but_one(struct spb_arena *arena)
{
	struct spb_chunk *warm = NULL;

	for (struct spb_chunk *chunk = arena->head, *next; chunk; chunk = next) {
		next = chunk->next;
		if (warm || chunk->size > CHUNK_BYTES)
			spb_free_chunk(arena->context, chunk);
		else
			warm = chunk;
	}
	if (warm)
		warm->next = NULL;
	arena->head = warm;
}

void spb_arena_reset(struct spb_arena *arena)
{
	if (arena->head && (arena->head->next || arena->head->size > CHUNK_BYTES))
		free_all_but_one(arena);
	struct spb_chunk *warm = arena->head;
	if (!warm)
		return;
	warm->used = sizeof *warm;
#ifndef NDEBUG
	ASAN_UNPOISON_MEMORY_REGION(warm->memory, warm->size - warm->used);
	memset(warm->memory, 0xDD, warm->size - warm->used);
#endif
	ASAN_POISON_MEMORY_REGION(warm->memory, warm->size - warm->used);
}

void spb_arena_release(struct spb_arena *arena)
{
	for (struct spb_chunk *chunk = arena->head, *next; chunk; chunk = next) {
		next = chunk->next;
		spb_free_chunk(arena->context, chunk);
	}
	arena->head = NULL;
}
