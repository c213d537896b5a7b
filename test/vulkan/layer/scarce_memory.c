/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into an application: of the allocations that the layer and the library inside it make, number FAIL_FIRST
 * fails, and each FAIL_EVERY-th after it. Those of the application, the loader and the driver never do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size); /* glibc's own */
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);

static bool fails(const void *caller)
{
	static atomic_long made;
	const char *first = getenv("FAIL_FIRST"), *every = getenv("FAIL_EVERY");
	Dl_info info;
	long number;

	if (!first || !every || !dladdr(caller, &info) || !strstr(info.dli_fname, "libVkLayer_spirv_bind"))
		return false;
	number = atomic_fetch_add(&made, 1) - atol(first);
	return number >= 0 && number % atol(every) == 0;
}

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, size);
}
