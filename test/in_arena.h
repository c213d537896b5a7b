/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up and tear-down of unit tests of base: each has an arena of its own, and has to give all memory back. */
#ifndef SPB_TEST_IN_ARENA_H
#define SPB_TEST_IN_ARENA_H

#include "base/base.h"
#include "metered.h"

static struct meter meter;
static spb_context context;
static struct spb_arena arena;

static int begin(void **state)
{
	(void)state;
	meter = (struct meter){.fail_at = -1};
	context = (spb_context){.allocator = {metered, &meter}};
	arena = (struct spb_arena){.context = &context};
	return 0;
}

static int end(void **state)
{
	(void)state;
	spb_arena_release(&arena);
	spb_drop_kept(&context);
	return meter.out != 0;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

#endif
