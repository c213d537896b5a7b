/* SPDX-License-Identifier: Apache-2.0 */
/* memory_posix: tuning of the C library's allocator.
 *
 * The system gives memory page by page, as it is touched: of a module of some MB, that was two fifths of the time. Many
 * systems have pages of 2 MB for programs that ask for them (Linux: transparent_hugepage/enabled says "madvise", or
 * "always"). So when a large input comes, the heap is made as long as its work is going to need, and the system is
 * asked to fill that part with such pages. Nothing is taken before it is touched, so that a guess that is too high
 * costs nothing; of one that is too low, the rest has small pages. A small input pays nothing. */
#define _DEFAULT_SOURCE /* sbrk, madvise */
#include <stdint.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <unistd.h>

#include "cli/os/os.h"

/* glibc takes ever larger blocks from the heap once one of that size has been freed; there the copies that a growing
 * list leaves behind, and small blocks that come later, keep their pages from going back. */
void os_return_blocks(size_t bytes)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, (int)bytes);
#else
	(void)bytes;
#endif
}

#if defined M_TOP_PAD && defined MADV_HUGEPAGE
enum { LARGE_PAGE = 2 << 20, MOST_EXPECTED = 64 << 20, USUAL_PAD = 128 << 10 };

/* Makes the heap longer by so many bytes, which stay free. There may be more in it already; then it stays as it is. */
static void lengthen_heap(int bytes)
{
	mallopt(M_TRIM_THRESHOLD, 2 * bytes + LARGE_PAGE); /* what is free at the end goes back from as many on */
	mallopt(M_TOP_PAD, bytes);
	void *volatile block =
	    malloc(LARGE_PAGE); /* volatile: compilers may drop an allocation that is freed right away */
	free(block);
	mallopt(M_TOP_PAD, USUAL_PAD);
}
#endif

void os_expect_need(size_t bytes)
{
#if defined M_TOP_PAD && defined MADV_HUGEPAGE
	char *begin = sbrk(0);

	lengthen_heap((int)(bytes < MOST_EXPECTED ? bytes : MOST_EXPECTED));
	begin += -(uintptr_t)begin % LARGE_PAGE;
	char *end = sbrk(0);
	if (end > begin)
		madvise(begin, (size_t)(end - begin), MADV_HUGEPAGE); /* if it has none, it is as it was */
#else
	(void)bytes;
#endif
}
