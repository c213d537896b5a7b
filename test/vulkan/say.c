/* SPDX-License-Identifier: Apache-2.0 */
/* say: how a case ends early. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "run.h"

const char *now_running = "vulkan_run";

void die(const char *format, ...)
{
	va_list arguments;

	printf("%s: FAIL: ", now_running);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	exit(1);
}

void check(VkResult result, const char *what)
{
	if (result != VK_SUCCESS)
		die("%s gives VkResult %d", what, (int)result);
}

void *zeroed(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		die("out of memory");
	return p;
}
