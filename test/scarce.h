/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations, one of which fails, and a list of blocks that have not been freed. The linker redirects the allocations
 * of the tested code here (CMakeLists.txt). Include it after in_folder.h. */
#ifndef TEST_SCARCE_H
#define TEST_SCARCE_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BEHIND = 8, NEW = 0xA5 };

static struct {
	bool on;
	long count, failing; /* 0: none fails */
	struct {
		unsigned char *block;
		size_t size;
	} out[2000];
	size_t out_count;
} scarce_;
static atomic_flag busy_ = ATOMIC_FLAG_INIT; /* runs have threads */

static void begin_change(void)
{
	while (atomic_flag_test_and_set(&busy_))
		;
}

static void end_change(void)
{
	atomic_flag_clear(&busy_);
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

static size_t number_of(const void *block) /* position in the list, while it is locked */
{
	size_t i = 0;

	while (i < scarce_.out_count && scarce_.out[i].block != block)
		i++;
	return i;
}

/* Checks that nothing was written past its end. */
static void take_back(const void *block)
{
	begin_change();
	size_t number = number_of(block);
	if (number < scarce_.out_count) {
		for (size_t k = 0; k < BEHIND; k++) {
			if (scarce_.out[number].block[scarce_.out[number].size + k] != NEW)
				abort();
		}
		scarce_.out[number] = scarce_.out[--scarce_.out_count];
	}
	end_change();
}

static void *given(size_t size)
{
	unsigned char *block = NULL;

	begin_change();
	if (++scarce_.count != scarce_.failing && size) { /* malloc(0) may return NULL */
		block = __real_malloc(size + BEHIND);
		if (!block || scarce_.out_count == sizeof scarce_.out / sizeof *scarce_.out)
			abort();
		scarce_.out[scarce_.out_count].block = memset(block, NEW, size + BEHIND);
		scarce_.out[scarce_.out_count++].size = size;
	}
	end_change();
	if (!block)
		errno = ENOMEM;
	return block;
}

void *__wrap_malloc(size_t size)
{
	return scarce_.on ? given(size) : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	if (!scarce_.on)
		return __real_calloc(count, size);
	void *block = given(count * size);
	return block ? memset(block, 0, count * size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
	begin_change();
	const size_t number = number_of(old);
	const bool listed = number < scarce_.out_count;
	const size_t before = listed ? scarce_.out[number].size : 0;
	end_change();
	if (!scarce_.on || (old && !listed))
		return __real_realloc(old, size);
	void *block = given(size);
	if (block && old) {
		memcpy(block, old, before < size ? before : size);
		__wrap_free(old);
	}
	return block;
}

char *__wrap_strdup(const char *text)
{
	char *copy = __wrap_malloc(strlen(text) + 1);

	return copy ? strcpy(copy, text) : NULL;
}

void __wrap_free(void *block)
{
	take_back(block);
	__real_free(block);
	if (scarce_.on)
		errno = EDOM; /* which it may set to anything */
}

/* The allocation with this number, from 1, will fail. */
static void begin_scarcity(long number)
{
	scarce_.on = true;
	scarce_.count = 0;
	scarce_.failing = number;
}

/* Whether it has failed. */
static bool end_scarcity(void)
{
	scarce_.on = false;
	return scarce_.count >= scarce_.failing;
}

/* A run that did not need the memory is silent, and one that did reports it once. */
static inline void assert_memory_said(int status)
{
	const char *why = said();

	if (status == EXIT_DONE) {
		assert_string_equal(why, "");
		return;
	}
	assert_int_equal(status, EXIT_IO);
	assert_non_null(strstr(why, "memory\n"));
	assert_ptr_equal(strchr(why, '\n'), why + strlen(why) - 1);
}

#endif
