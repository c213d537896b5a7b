/* SPDX-License-Identifier: Apache-2.0 */
/* pool: operator new for SPIRV-Tools.
 *
 * Validating a module allocates some thousand small objects and frees them all, which is more than what malloc keeps
 * for a thread, and took it a quarter of the time. Here each thread takes memory from the beginning to the end of a
 * chunk. A chunk counts its blocks, and when the last one is freed, it is as new; the address of a block tells which
 * chunk it is in, so a block has no header, of which the caches would hold as much as of the objects. What is freed at
 * once, such as a string or the items of a vector that grows, is taken again at once.
 *
 *     chunk | 1st block | 2nd block | ... | newest | rest ... |
 *
 * A block that is never freed, such as a table that a function makes once, keeps its chunk, of which there are few.
 * What another thread has allocated is not taken back: the validator has no threads, so those are such tables, at the
 * exit. Builds with sanitizers do without this file, so that they see what SPIRV-Tools does. */
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace
{
constexpr std::size_t STEP = alignof(std::max_align_t); /* blocks are aligned as those of malloc */
constexpr std::size_t CHUNK = 64 * 1024;
constexpr std::size_t LARGEST = CHUNK / 2; /* larger blocks have a chunk of their own */
constexpr std::size_t KEPT = 64;           /* empty chunks that a thread keeps */

struct pool;

struct alignas(std::max_align_t) chunk {
	pool *owner; /* of a thread; null: the only block of the chunk is large */
	chunk *next; /* of those that are kept */
	void *start; /* what malloc has given for it */
	std::size_t blocks;
};

struct pool {
	char *rest, *end; /* of the chunk in use */
	char *newest;     /* block in it; null: it has been freed */
	chunk *in_use;
	chunk *kept;
	std::size_t kept_count;
};

thread_local pool own;

chunk *chunk_of(void *block)
{
	return reinterpret_cast<chunk *>(reinterpret_cast<std::uintptr_t>(block) / CHUNK * CHUNK);
}

/* At a multiple of CHUNK, for which no function is everywhere. What is in front of it is never touched. */
chunk *make_chunk(pool *owner, std::size_t bytes)
{
	char *start = static_cast<char *>(std::malloc(bytes + CHUNK));

	if (!start)
		throw std::bad_alloc();
	chunk *c = chunk_of(start + CHUNK - 1);
	*c = {owner, nullptr, start, 0};
	return c;
}

void *make_large(std::size_t size)
{
	if (size > static_cast<std::size_t>(-1) - 2 * CHUNK)
		throw std::bad_alloc();
	chunk *c = make_chunk(nullptr, size + sizeof *c);
	c->blocks = 1;
	return c + 1;
}

void use_chunk(pool *p)
{
	chunk *c = p->kept;

	if (c) {
		p->kept = c->next;
		p->kept_count--;
	} else {
		c = make_chunk(p, CHUNK);
	}
	p->in_use = c;
	p->newest = nullptr;
	p->rest = reinterpret_cast<char *>(c + 1);
	p->end = reinterpret_cast<char *>(c) + CHUNK;
}

void empty(pool *p, chunk *c)
{
	if (c == p->in_use) {
		p->rest = reinterpret_cast<char *>(c + 1);
	} else if (c->owner && p->kept_count < KEPT) {
		c->next = p->kept;
		p->kept = c;
		p->kept_count++;
	} else {
		std::free(c->start);
	}
}
} // namespace

void *operator new(std::size_t bytes)
{
	pool *p = &own;
	std::size_t size = bytes ? (bytes + STEP - 1) & ~(STEP - 1) : STEP;

	if (bytes > LARGEST)
		return make_large(bytes);
	if (static_cast<std::size_t>(p->end - p->rest) < size)
		use_chunk(p);
	p->newest = p->rest;
	p->rest += size;
	p->in_use->blocks++;
	return p->newest;
}

void operator delete(void *block) noexcept
{
	pool *p = &own;

	if (!block)
		return;
	chunk *c = chunk_of(block);
	if (c->owner && c->owner != p)
		return;
	if (block == p->newest) {
		p->rest = p->newest;
		p->newest = nullptr;
	}
	if (!--c->blocks)
		empty(p, c);
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
