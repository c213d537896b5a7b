/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SPB_TEST_METERED_H
#define SPB_TEST_METERED_H

#include <stddef.h>
#include <stdlib.h>

/* An allocator that fails on request, and counts blocks in use. */
struct meter {
	size_t out;
	long fail_at; /* index of the allocation that fails; -1: none */
	long count;
};

static void *metered(void *user, void *p, size_t old_size, size_t new_size)
{
	struct meter *m = user;

	if (new_size && m->fail_at >= 0 && m->count++ == m->fail_at)
		return NULL;
	void *got = new_size ? realloc(p, new_size) : NULL;
	if (got || !new_size)
		m->out += new_size - old_size;
	if (!new_size)
		free(p);
	return got;
}

#endif
