/* SPDX-License-Identifier: Apache-2.0 */
/* arena: chunks from the caller's allocator, freed all at once.
 *
 * Small requests share chunks of 64 KiB; those of a module, of which there may be thousands in a program, begin with 1
 * KiB and double. A large one gets a chunk of exactly its size, so that the word array of a 100 MB module costs 100 MB,
 * and returns to the allocator when its generation ends. If it is the first one of a module, some room follows it,
 * which is all that the rest of a small module needs. A large list grows by the allocator, and leaves no copy behind.
 *
 * With AddressSanitizer, nobody may touch what has not been requested: the rest of a chunk, and a zone after each
 * request, so that one element too many is noticed. Otherwise the context keeps a few small chunks of arenas that are
 * gone, since the next program wants as many. */
#include "base.h"

#if defined __SANITIZE_ADDRESS__ /* GCC */
#define SANITIZED 1
#elif defined __has_feature /* Clang */
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef SANITIZED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size)   ((void)(memory), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
#define SANITIZED                                 0
#endif

enum {
	CHUNK_BYTES = 64 * 1024,
	LARGE_BYTES = 1024 * 1024,
	ZONE_BYTES = SANITIZED ? 16 : 0,
	MOST_KEPT = 8 /* chunks that a context keeps: what a small program needs */
};

struct spb_chunk {
	struct spb_chunk *next;
	size_t size; /* bytes, including this header */
	size_t used;
	max_align_t memory[];
};

/* One that is kept and large enough, but not twice as large as it need be; or NULL. */
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

/* Returns the one that nobody has wanted for the longest time. */
static void drop_oldest(struct spb_context *c)
{
	struct spb_chunk **link = &c->kept;

	while ((*link)->next)
		link = &(*link)->next;
	return_chunk(c, *link);
	*link = NULL;
	c->kept_count--;
}

/* Small ones are kept for the next program, but for AddressSanitizer, which knows then who still points there. */
static void free_chunk(struct spb_context *c, struct spb_chunk *chunk)
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

/* Rounded up to what an allocation takes of its chunk. */
static size_t padded(size_t size)
{
	const size_t align = sizeof(max_align_t);

	return (size + ZONE_BYTES + align - 1) / align * align;
}

/* The next chunk that small requests share. */
static struct spb_chunk *new_shared(struct spb_arena *arena, size_t size)
{
	struct spb_chunk *chunk = new_chunk(arena, size);

	if (arena->next)
		arena->next = size < CHUNK_BYTES ? 2 * (uint32_t)size : CHUNK_BYTES;
	return chunk;
}

void *spb_alloc(struct spb_arena *arena, size_t requested)
{
	if (requested > SIZE_MAX - CHUNK_BYTES)
		spb_throw(arena->context, SPB_ERROR_OUT_OF_MEMORY);
	const size_t size = padded(requested);

	struct spb_chunk *chunk = arena->head;
	if (!chunk || chunk->size - chunk->used < size) {
		const size_t shared = arena->next ? arena->next : CHUNK_BYTES;
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
	}
	void *memory = (char *)chunk + chunk->used;
	chunk->used += size;
	ASAN_UNPOISON_MEMORY_REGION(memory, requested);
	return memory;
}

void *spb_alloc_array(struct spb_arena *arena, size_t count, size_t size)
{
	const size_t half =
	    (size_t)1 << sizeof(size_t) * 4; /* the product of less is no overflow, and needs no division */

	if ((count | size) >= half && size && count > SIZE_MAX / size)
		spb_throw(arena->context, SPB_ERROR_OUT_OF_MEMORY);
	return spb_alloc(arena, count * size);
}

/* From the system such memory is zero as it is, and takes nothing until it is written. So an array over the ids of a
 * module costs what its ids do, whatever bound the header claims. */
static void *alloc_large_zeroed(struct spb_arena *arena, size_t requested)
{
	const size_t whole = sizeof(struct spb_chunk) + padded(requested);
	struct spb_chunk *chunk = arena->context->new_zeroed(whole);

	if (!chunk)
		spb_throw(arena->context, SPB_ERROR_OUT_OF_MEMORY);
	chunk->size = chunk->used = whole;
	ASAN_POISON_MEMORY_REGION((char *)chunk->memory + requested, whole - sizeof *chunk - requested);
	if (arena->head) { /* after the one being filled */
		chunk->next = arena->head->next;
		arena->head->next = chunk;
	} else {
		arena->head = chunk;
	}
	return chunk->memory;
}

void *spb_alloc_zeroed(struct spb_arena *arena, size_t count, size_t size)
{
	if (arena->context->new_zeroed && size && count >= LARGE_BYTES / size && count <= SIZE_MAX / 2 / size)
		return alloc_large_zeroed(arena, count * size);
	void *memory = spb_alloc_array(arena, count, size);

	return memset(memory, 0, count * size);
}

char *spb_copy_text(struct spb_arena *arena, const char *text, size_t length)
{
	char *copy = spb_alloc(arena, length + 1);

	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

/* Makes the last allocation of the arena larger where it is, if there is room behind it. With AddressSanitizer, lists
 * always move. */
static bool grow_in_place(struct spb_arena *arena, void *items, size_t size, size_t grown)
{
	struct spb_chunk *chunk = arena->head;

	if (SANITIZED || !chunk || (char *)items + padded(size) != (char *)chunk + chunk->used ||
	    padded(grown) - padded(size) > chunk->size - chunk->used)
		return false;
	chunk->used += padded(grown) - padded(size);
	return true;
}

/* Makes an allocation larger that has a chunk of its own, and may move it; NULL: it has none that is found quickly. So
 * the largest lists leave no copies behind. With AddressSanitizer, see above. */
static void *grow_own_chunk(struct spb_arena *arena, const void *items, size_t size, size_t grown)
{
	struct spb_chunk **link = &arena->head;
	size_t steps = size / 1024; /* less work than a copy */

	if (SANITIZED || size < CHUNK_BYTES / 4)
		return NULL;
	while (*link && (const void *)(*link)->memory != items && steps--)
		link = &(*link)->next;
	if (!*link || (*link)->memory != items || (*link)->size != sizeof **link + padded(size))
		return NULL;
	size_t whole = sizeof **link + padded(grown);
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
	void *copy = spb_alloc_array(arena, grown, size);
	if (count)
		memcpy(copy, items, count * size);
	ASAN_POISON_MEMORY_REGION(items, *capacity * size); /* who still points there would miss what comes */
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
		free_chunk(arena->context, chunk);
	}
	if (!chunk)
		return;
	while (chunk->next != mark.next) { /* those of large requests */
		struct spb_chunk *next = chunk->next;
		chunk->next = next->next;
		free_chunk(arena->context, next);
	}
	chunk->used = mark.used;
	ASAN_POISON_MEMORY_REGION((char *)chunk + chunk->used, chunk->size - chunk->used);
}

void spb_arena_reset(struct spb_arena *arena)
{
	struct spb_chunk *warm = NULL;

	for (struct spb_chunk *chunk = arena->head, *next; chunk; chunk = next) {
		next = chunk->next;
		if (!warm && chunk->size <= CHUNK_BYTES) {
			warm = chunk;
			warm->used = sizeof *warm;
#ifndef NDEBUG
			ASAN_UNPOISON_MEMORY_REGION(warm->memory, warm->size - warm->used);
			memset(warm->memory, 0xDD, warm->size - warm->used);
#endif
			ASAN_POISON_MEMORY_REGION(warm->memory, warm->size - warm->used);
		} else {
			free_chunk(arena->context, chunk);
		}
	}
	if (warm)
		warm->next = NULL;
	arena->head = warm;
}

void spb_arena_release(struct spb_arena *arena)
{
	for (struct spb_chunk *chunk = arena->head, *next; chunk; chunk = next) {
		next = chunk->next;
		free_chunk(arena->context, chunk);
	}
	arena->head = NULL;
}
