/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor_handle.h: the host's side of descriptor handles (include/glsl/descriptor_handle.glsl, docs/handles.md):
 * how a handle is composed, and which indices of a heap are free.
 *
 * A handle is two 32-bit numbers. Unless a resolver says otherwise, x is the index of a descriptor in its heap, which
 * is an array of descriptors in Vulkan. Put handles into buffers and push constants as they are: uint2 in HLSL and
 * Slang, uvec2 in GLSL, 8 bytes, aligned to 8 in std140 and std430.
 *
 *     uint32_t generations[1024], links[1024];
 *     spb_handle_heap textures;
 *     spb_handle_heap_init(&textures, 1024, generations, links);
 *     spb_handle albedo = spb_handle_allocate(&textures);                     ... null: the heap is full
 *     vkUpdateDescriptorSets(..., dstArrayElement = albedo.x, ...);
 *     material->albedo = albedo;
 *     ...
 *     spb_handle_retire(&retired, albedo, frame);            ... the last frame that uses the descriptor
 *     ...
 *     spb_handle_release_retired(&retired, &textures, completed);         ... once a frame
 *
 * Everything here is a function of its arguments, without allocation or global state. C99, and C++. Heaps are not
 * synchronised: a heap is used by one thread at a time. */
#ifndef SPIRV_BIND_DESCRIPTOR_HANDLE_H
#define SPIRV_BIND_DESCRIPTOR_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct spb_handle {
	uint32_t x, y;
} spb_handle;

/* No index, the end of a list, or a handle that does not fit into the requested form. */
#define SPB_HANDLE_NONE UINT32_MAX

static inline spb_handle spb_handle_make(uint32_t x, uint32_t y)
{
	spb_handle handle;

	handle.x = x;
	handle.y = y;
	return handle;
}

/* The null handle: handle_null() in GLSL. */
static inline spb_handle spb_handle_null(void)
{
	return spb_handle_make(SPB_HANDLE_NONE, SPB_HANDLE_NONE);
}

static inline bool spb_handle_is_valid(spb_handle handle)
{
	return handle.x != SPB_HANDLE_NONE;
}

static inline bool spb_handle_equal(spb_handle a, spb_handle b)
{
	return a.x == b.x && a.y == b.y;
}

/* Handles of 4 bytes: handle_from_uint() in GLSL, handle_to_uint(). */
static inline spb_handle spb_handle_from_uint(uint32_t index)
{
	return spb_handle_make(index, SPB_HANDLE_NONE);
}

static inline uint32_t spb_handle_to_uint(spb_handle handle)
{
	return handle.x;
}

/* As one number, .x in the low half: handle_from_uint64() in GLSL. The conversions of SPV_NV_bindless_texture from
 * 64-bit numbers read it like that, too. */
static inline spb_handle spb_handle_from_uint64(uint64_t number)
{
	return spb_handle_make((uint32_t)number, (uint32_t)(number >> 32));
}

static inline uint64_t spb_handle_to_uint64(spb_handle handle)
{
	return (uint64_t)handle.y << 32 | handle.x;
}

/* An acceleration structure with --heap=as=address: the handle is its VkDeviceAddress. */
static inline spb_handle spb_handle_of_address(uint64_t address)
{
	return spb_handle_from_uint64(address);
}

/* A combined image-sampler with --combined=split or descriptor heaps: the index of a texture and that of a sampler. */
static inline spb_handle spb_handle_combined(uint32_t texture, uint32_t sampler)
{
	return spb_handle_make(texture, sampler);
}

/* The same in 4 bytes: handle_from_packed() in GLSL. 20 bits and 12 bits; SPB_HANDLE_NONE if they do not fit, which the
 * largest indices of both would read as, too. */
static inline uint32_t spb_handle_to_packed(spb_handle combined)
{
	return combined.x < 1u << 20 && combined.y < 1u << 12 ? combined.x | combined.y << 20 : SPB_HANDLE_NONE;
}

static inline spb_handle spb_handle_from_packed(uint32_t packed)
{
	return spb_handle_make(packed & 0xFFFFFu, packed >> 20);
}

/* For the resolver `packed.glsl` of docs/resolvers.md: the index in the low 20 bits of x, the generation above, of
 * which 12 bits are left. Null if the index does not fit. */
static inline spb_handle spb_handle_with_generation_bits(spb_handle handle)
{
	return handle.x < 1u << 20 ? spb_handle_from_uint(handle.x | (handle.y & 0xFFFu) << 20) : spb_handle_null();
}

/* Which indices of one heap are in use. Each has a generation, the y of its handles, which changes when it is released:
 * so a stale handle differs from a current one with the same index. The resolver `generation.glsl` of docs/resolvers.md
 * reads `generations`, so that shaders detect stale handles, too; copy it to the GPU whenever handles have been
 * released. */
typedef struct spb_handle_heap {
	uint32_t capacity;     /* number of descriptors: that of the array, or of the allocated variable count */
	uint32_t count;        /* handles in use */
	uint32_t fresh;        /* indices from here on have never been in use */
	uint32_t first_free;   /* the one released first; SPB_HANDLE_NONE: none */
	uint32_t last_free;    /* the one released last; SPB_HANDLE_NONE: none */
	uint32_t *generations; /* [capacity] */
	uint32_t *links;       /* [capacity] the next free index, or SPB_HANDLE_USED */
} spb_handle_heap;

#define SPB_HANDLE_USED (UINT32_MAX - 1u)

/* The arrays are the caller's, have `capacity` elements, and stay where they are as long as the heap is used.
 * Generations begin with 1; the arrays need not be initialized. */
static inline void spb_handle_heap_init(spb_handle_heap *heap, uint32_t capacity, uint32_t *generations,
					uint32_t *links)
{
	uint32_t i;

	heap->capacity = capacity;
	heap->count = heap->fresh = 0;
	heap->first_free = heap->last_free = SPB_HANDLE_NONE;
	heap->generations = generations;
	heap->links = links;
	for (i = 0; i < capacity; i++)
		generations[i] = 1;
}

/* More descriptors for a heap: the arrays have `capacity` elements now, of which the first ones have been copied, as by
 * realloc. Handles stay valid. */
static inline void spb_handle_heap_grow(spb_handle_heap *heap, uint32_t capacity, uint32_t *generations,
					uint32_t *links)
{
	uint32_t i;

	for (i = heap->capacity; i < capacity; i++)
		generations[i] = 1;
	heap->capacity = capacity;
	heap->generations = generations;
	heap->links = links;
}

/* The handle of an index that is in use, such as one of a range. */
static inline spb_handle spb_handle_at(const spb_handle_heap *heap, uint32_t index)
{
	return spb_handle_make(index, heap->generations[index]);
}

static inline bool spb_handle_is_used(const spb_handle_heap *heap, uint32_t index)
{
	return index < heap->fresh && heap->links[index] == SPB_HANDLE_USED;
}

/* Returns null if the heap is full. Takes constant time. The index released first comes first, so that a stale handle
 * is noticed for as long as possible. */
static inline spb_handle spb_handle_allocate(spb_handle_heap *heap)
{
	uint32_t index = heap->first_free;

	if (index != SPB_HANDLE_NONE) {
		heap->first_free = heap->links[index];
		if (heap->first_free == SPB_HANDLE_NONE)
			heap->last_free = SPB_HANDLE_NONE;
	} else if (heap->fresh < heap->capacity && heap->fresh < SPB_HANDLE_USED) {
		index = heap->fresh++;
	} else {
		return spb_handle_null();
	}
	heap->links[index] = SPB_HANDLE_USED;
	heap->count++;
	return spb_handle_at(heap, index);
}

/* Removes the indices from `first` on from the free ones. */
static inline void spb_handle_unlink(spb_handle_heap *heap, uint32_t first, uint32_t count)
{
	uint32_t index = heap->first_free, last = SPB_HANDLE_NONE, next;

	for (; index != SPB_HANDLE_NONE; index = next) {
		next = heap->links[index];
		if (index >= first && index - first < count) {
			if (last == SPB_HANDLE_NONE)
				heap->first_free = next;
			else
				heap->links[last] = next;
		} else {
			last = index;
		}
	}
	heap->last_free = last;
}

/* `count` consecutive indices, for a shader that adds to an index: returns the handle of the first one, or null.
 * spb_handle_at has the others, and each is released by itself. Takes time in proportion to the capacity, unless they
 * have never been in use. */
static inline spb_handle spb_handle_allocate_range(spb_handle_heap *heap, uint32_t count)
{
	uint32_t first = 0, i, run = 0;

	if (!count || count > heap->capacity || heap->capacity > SPB_HANDLE_USED)
		return spb_handle_null();
	if (count <= heap->capacity - heap->fresh) {
		first = heap->fresh;
		heap->fresh += count;
	} else {
		for (i = 0; i < heap->capacity && run < count; i++) {
			bool is_free = i >= heap->fresh ||
				       (heap->links[i] != SPB_HANDLE_USED && heap->generations[i] != SPB_HANDLE_NONE);
			run = is_free ? run + 1 : 0;
		}
		if (run < count)
			return spb_handle_null();
		first = i - count;
		spb_handle_unlink(heap, first, count);
		if (heap->fresh < i)
			heap->fresh = i;
	}
	for (i = first; i < first + count; i++)
		heap->links[i] = SPB_HANDLE_USED;
	heap->count += count;
	return spb_handle_at(heap, first);
}

/* Is this a handle of the heap that has not been released since? No handle has the generation of a free index. */
static inline bool spb_handle_is_current(const spb_handle_heap *heap, spb_handle handle)
{
	return handle.x < heap->fresh && heap->generations[handle.x] == handle.y && handle.y != SPB_HANDLE_NONE;
}

/* Returns false, and does nothing, if the handle is null, is not of this heap, or has been released before. An index
 * whose generations are exhausted is not used again. */
static inline bool spb_handle_release(spb_handle_heap *heap, spb_handle handle)
{
	if (!spb_handle_is_current(heap, handle))
		return false;
	heap->generations[handle.x]++;
	heap->links[handle.x] = SPB_HANDLE_NONE;
	heap->count--;
	if (heap->generations[handle.x] == SPB_HANDLE_NONE)
		return true;
	if (heap->last_free == SPB_HANDLE_NONE)
		heap->first_free = handle.x;
	else
		heap->links[heap->last_free] = handle.x;
	heap->last_free = handle.x;
	return true;
}

/* Handles that frames in flight may still use, in the order in which they were retired. */
typedef struct spb_handle_retired {
	spb_handle *handles; /* [capacity], like frames: the caller's */
	uint64_t *frames;
	uint32_t capacity, first, count;
} spb_handle_retired;

static inline void spb_handle_retired_init(spb_handle_retired *retired, uint32_t capacity, spb_handle *handles,
					   uint64_t *frames)
{
	retired->handles = handles;
	retired->frames = frames;
	retired->capacity = capacity;
	retired->first = retired->count = 0;
}

/* `frame`: the number, not less than before, of the last frame that uses the descriptor. Returns false if there is no
 * room until frames complete. */
static inline bool spb_handle_retire(spb_handle_retired *retired, spb_handle handle, uint64_t frame)
{
	uint32_t room = retired->capacity - retired->first, at;

	if (retired->count == retired->capacity)
		return false;
	at = retired->count < room ? retired->first + retired->count : retired->count - room;
	retired->handles[at] = handle;
	retired->frames[at] = frame;
	retired->count++;
	return true;
}

/* Releases what only frames up to `completed` use. Returns the number of handles. */
static inline uint32_t spb_handle_release_retired(spb_handle_retired *retired, spb_handle_heap *heap,
						  uint64_t completed)
{
	uint32_t released = 0;

	for (; retired->count && retired->frames[retired->first] <= completed; retired->count--) {
		released += spb_handle_release(heap, retired->handles[retired->first]);
		retired->first = retired->first + 1 < retired->capacity ? retired->first + 1 : 0;
	}
	return released;
}

/* --instrument-handles (docs/handles.md): the buffer that the host fills, and those that shaders count in.
 *
 * The table begins with a pair of numbers for each spb_heap_kind: how many descriptors there are, and where their
 * entries begin, counted from the end of the pairs. An entry is 0 if there is no descriptor, the generation that the
 * second number of a handle must have, or 0xFFFFFFFF if that does not matter. */

enum { SPB_HANDLE_KINDS = 9 }; /* of spb_heap_kind, without counters */

/* The number of words of the table. heaps: by spb_heap_kind; NULL: there is no heap of this kind. */
static inline uint64_t spb_handle_table_words(const spb_handle_heap *const heaps[SPB_HANDLE_KINDS])
{
	uint64_t words = 2 * SPB_HANDLE_KINDS + 1; /* entry 0 is read for indices beyond the end */
	int i;

	for (i = 0; i < SPB_HANDLE_KINDS; i++)
		words += heaps[i] ? heaps[i]->fresh : 0;
	return words;
}

/* Writes it: an index that is not in use has no descriptor, and others have the generation of their handles. */
static inline void spb_handle_table_write(const spb_handle_heap *const heaps[SPB_HANDLE_KINDS], uint32_t *table)
{
	uint32_t *entries = table + 2 * SPB_HANDLE_KINDS, next = 1, i;
	int kind;

	entries[0] = 0;
	for (kind = 0; kind < SPB_HANDLE_KINDS; kind++) {
		uint32_t count = heaps[kind] ? heaps[kind]->fresh : 0;
		table[2 * kind] = count;
		table[2 * kind + 1] = next;
		for (i = 0; i < count; i++)
			entries[next++] = spb_handle_is_used(heaps[kind], i) ? heaps[kind]->generations[i] : 0;
	}
}

/* A dereference of a module; where it is, is in `handleChecks` of the layout JSON, in the same order. */
typedef struct spb_handle_fault {
	uint32_t count; /* invalid handles */
	uint32_t index; /* the largest index of these */
} spb_handle_fault;

/* The first dereference from `from` on that had an invalid handle; `count` if there is none. */
static inline uint32_t spb_handle_next_fault(const spb_handle_fault *faults, uint32_t count, uint32_t from)
{
	while (from < count && !faults[from].count)
		from++;
	return from;
}

#endif
