/* SPDX-License-Identifier: Apache-2.0 */
/* memory_posix: tuning of the C library's allocator.
 *
 * The system provides memory page by page, as it is touched, which would take two fifths of the time for a module of
 * some MB. Many systems have pages of 2 MB for programs that ask for them (Linux: transparent_hugepage/enabled is
 * "madvise" or "always"). So for a large input, the heap is extended to the expected size, and the system is asked to
 * use such pages for that part. Memory is only allocated when it is touched, so an estimate that is too high costs
 * nothing; if it is too low, the rest has small pages. */
#define _DEFAULT_SOURCE /* sbrk, madvise */
#include <stdint.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <unistd.h>

#include "cli/os/os.h"

/* glibc allocates ever larger blocks from the heap once one of that size has been freed; there, old copies of growing
 * lists, and later small blocks, keep pages from being returned. */
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

/* Extends the heap by so many bytes, which stay free, unless it has as many already. */
static void lengthen_heap(int bytes)
{
	mallopt(M_TRIM_THRESHOLD, 2 * bytes + LARGE_PAGE); /* larger free ends of the heap are returned */
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
		madvise(begin, (size_t)(end - begin), MADV_HUGEPAGE); /* without large pages, this has no effect */
#else
	(void)bytes;
#endif
}
