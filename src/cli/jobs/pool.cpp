/* SPDX-License-Identifier: Apache-2.0 */
/* pool: operator new for SPIRV-Tools, the only C++ here.
 *
 * Validating a module allocates some thousand small objects and frees them all, which is more than what malloc keeps
 * for a thread, and took it a quarter of the time. Here each thread has a list of free blocks for each size; a block
 * begins with its size, since the delete of a base class does not tell it. Memory of small blocks stays with the
 * threads. Builds with sanitizers do without this file, so that they see what SPIRV-Tools does. */
#include <cstddef>
#include <cstdlib>
#include <new>

namespace
{
enum : std::size_t { STEP = 16, SIZES = 64, CHUNK = 64 * 1024 };

struct alignas(std::max_align_t) block { /* as malloc aligns, also where pointers are small */
	block *next;                     /* while it is free */
	std::size_t size;                /* in STEPs; SIZES: a block of malloc */
};
static_assert(sizeof(block) % alignof(std::max_align_t) == 0, "what follows a block is aligned");

thread_local block *free_blocks[SIZES];
thread_local char *rest, *rest_end; /* of the newest chunk */

void *allocate(std::size_t bytes)
{
	void *p = std::malloc(bytes);

	if (!p)
		throw std::bad_alloc();
	return p;
}

block *carve(std::size_t size)
{
	std::size_t bytes = size * STEP + sizeof(block);

	if (static_cast<std::size_t>(rest_end - rest) < bytes) {
		rest = static_cast<char *>(allocate(CHUNK));
		rest_end = rest + CHUNK;
	}
	block *b = reinterpret_cast<block *>(rest);
	rest += bytes;
	return b;
}
} // namespace

void *operator new(std::size_t bytes)
{
	std::size_t size = bytes / STEP + (bytes % STEP != 0);
	block *b;

	if (size >= SIZES) {
		if (bytes > static_cast<std::size_t>(-1) - sizeof(block))
			throw std::bad_alloc();
		b = static_cast<block *>(allocate(bytes + sizeof(block)));
		size = SIZES;
	} else if ((b = free_blocks[size]) != nullptr) {
		free_blocks[size] = b->next;
	} else {
		b = carve(size);
	}
	b->size = size;
	return b + 1;
}

void operator delete(void *p) noexcept
{
	if (!p)
		return;
	block *b = static_cast<block *>(p) - 1;
	if (b->size == SIZES) {
		std::free(b);
		return;
	}
	b->next = free_blocks[b->size];
	free_blocks[b->size] = b;
}

void operator delete(void *p, std::size_t) noexcept
{
	operator delete(p);
}

void *operator new[](std::size_t bytes)
{
	return operator new(bytes);
}

void operator delete[](void *p) noexcept
{
	operator delete(p);
}

void operator delete[](void *p, std::size_t) noexcept
{
	operator delete(p);
}
