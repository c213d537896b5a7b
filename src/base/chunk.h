/* SPDX-License-Identifier: Apache-2.0 */
/* The internals of an arena, which arena.c and chunk.c share. */
#ifndef SPB_CHUNK_H
#define SPB_CHUNK_H

#include "base/base.h"

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
	ZONE_BYTES = SANITIZED ? 16 : 0 /* after each request */
};

struct spb_chunk {
	struct spb_chunk *next;
	size_t size; /* bytes, including this header */
	size_t used;
	max_align_t memory[];
};

/* The size of an allocation within its chunk. */
static inline size_t spb_padded(size_t size)
{
	const size_t align = _Alignof(max_align_t);

	return (size + ZONE_BYTES + align - 1) / align * align;
}

/* Serves a request that does not fit into the chunk being filled; returns the memory. */
void *spb_alloc_in_new_chunk(struct spb_arena *arena, size_t requested);
/* Returns a chunk to the allocator, or to the context for the next program. */
void spb_free_chunk(struct spb_context *c, struct spb_chunk *chunk);

#endif
