/* SPDX-License-Identifier: Apache-2.0 */
/* chunk: where the memory of arenas comes from.
 *
 * Small requests share chunks of 64 KiB, or of 1 MiB in arenas whose chunks go back to the OS. The arenas of
 * modules, of which a program may have thousands, begin with 1 KiB and double. A large request gets a chunk of
 * exactly its size, so the word array of a 100 MB module costs 100 MB and returns to the allocator when its
 * generation ends. If it is the first request of a module, some extra room follows it, which is all that the rest of
 * a small module needs.
 *
 * The context keeps a few small chunks of released arenas, since the next program needs about as many. With
 * AddressSanitizer it keeps none, so that stale pointers into them are detected. */
#include "base/chunk.h"

enum { MOST_KEPT = 8 }; /* chunks that a context keeps: what a small program needs */

/* A kept chunk that is large enough, but less than twice the size needed; or NULL. */
static struct spb_chunk *take_kept(struct spb_context *c, size_t size)
{
	for (struct spb_chunk **link = &c->kept, *chunk; (chunk = *link); link = &chunk->next) {
		if (chunk->size < size || chunk->size / 2 > size)
			continue;
		*link = chunk->next;
		c->kept_count--;
		return chunk;
	}
	return NULL;
}

static struct spb_chunk *new_chunk(struct spb_arena *arena, size_t size)
{
	struct spb_context *c = arena->context;
	struct spb_chunk *chunk = take_kept(c, size);

	if (!chunk) {
		chunk = c->allocator.resize(c->allocator.user, NULL, 0, size);
		if (!chunk)
			spb_throw(c, SPB_ERROR_OUT_OF_MEMORY);
		chunk->size = size;
	}
	chunk->used = sizeof *chunk;
	ASAN_POISON_MEMORY_REGION(chunk->memory, chunk->size - sizeof *chunk);
	return chunk;
}

static void return_chunk(struct spb_context *c, struct spb_chunk *chunk)
{
	ASAN_UNPOISON_MEMORY_REGION(chunk->memory, chunk->size - sizeof *chunk);
	c->allocator.resize(c->allocator.user, chunk, chunk->size, 0);
}

/* Frees the chunk that has been unused for the longest time. */
static void drop_oldest(struct spb_context *c)
{
	struct spb_chunk **link = &c->kept;

	while ((*link)->next)
		link = &(*link)->next;
	return_chunk(c, *link);
	*link = NULL;
	c->kept_count--;
}

void spb_free_chunk(struct spb_context *c, struct spb_chunk *chunk)
{
	if (SANITIZED || chunk->size > CHUNK_BYTES) {
		return_chunk(c, chunk);
		return;
	}
	if (c->kept_count == MOST_KEPT)
		drop_oldest(c);
	chunk->next = c->kept;
	c->kept = chunk;
	c->kept_count++;
}

void spb_drop_kept(struct spb_context *c)
{
	for (struct spb_chunk *chunk = c->kept, *next; chunk; chunk = next) {
		next = chunk->next;
		return_chunk(c, chunk);
	}
	c->kept = NULL;
	c->kept_count = 0;
}

/* The next chunk for small requests to share. */
static struct spb_chunk *new_shared(struct spb_arena *arena, size_t size)
{
	struct spb_chunk *chunk = new_chunk(arena, size);

	if (arena->next)
		arena->next = size < CHUNK_BYTES ? 2 * (uint32_t)size : (uint32_t)size;
	return chunk;
}

void *spb_alloc_in_new_chunk(struct spb_arena *arena, size_t requested)
{
	if (requested > SIZE_MAX - CHUNK_BYTES)
		spb_throw(arena->context, SPB_ERROR_OUT_OF_MEMORY);
	const size_t size = spb_padded(requested), shared = arena->next ? arena->next : CHUNK_BYTES;
	struct spb_chunk *chunk = arena->head;

	if (chunk && size > shared / 4) { /* a chunk of its own, after the one being filled */
		struct spb_chunk *own = new_chunk(arena, sizeof *own + size);
		own->next = chunk->next;
		chunk->next = own;
		ASAN_UNPOISON_MEMORY_REGION(own->memory, requested);
		return own->memory;
	}
	const size_t room = arena->next < SPB_SMALL_ARENA ? arena->next / 4 : SPB_SMALL_ARENA / 4;
	chunk = size > shared / 4 ? new_chunk(arena, sizeof *chunk + size + room) : new_shared(arena, shared);
	chunk->next = arena->head;
	arena->head = chunk;
	chunk->used += size;
	ASAN_UNPOISON_MEMORY_REGION(chunk->memory, requested);
	return chunk->memory;
}
