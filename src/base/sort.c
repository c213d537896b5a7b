/* SPDX-License-Identifier: Apache-2.0 */
/* sort: a stable merge sort with memory from an arena (qsort is not stable, and may allocate by itself). */
#include "base.h"

static bool is_sorted(const char *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	for (size_t i = 1; i < count; i++) {
		if (compare(items + (i - 1) * size, items + i * size) > 0)
			return false;
	}
	return true;
}

static void merge(char *to, const char *a, size_t a_count, const char *b, size_t b_count, size_t size,
		  int (*compare)(const void *, const void *))
{
	while (a_count && b_count) {
		if (compare(a, b) <= 0) {
			memcpy(to, a, size);
			a += size;
			a_count--;
		} else {
			memcpy(to, b, size);
			b += size;
			b_count--;
		}
		to += size;
	}
	if (a_count)
		memcpy(to, a, a_count * size);
	if (b_count)
		memcpy(to + a_count * size, b, b_count * size);
}

void spb_sort(struct spb_arena *arena, void *items, size_t count, size_t size,
	      int (*compare)(const void *, const void *))
{
	if (is_sorted(items, count, size, compare)) /* usually they are */
		return;
	char *from = items;
	char *to = spb_alloc_array(arena, count, size);
	for (size_t width = 1; width < count; width *= 2) {
		for (size_t i = 0; i < count; i += 2 * width) {
			size_t a = count - i < width ? count - i : width;
			size_t b = count - i - a < width ? count - i - a : width;
			merge(to + i * size, from + i * size, a, from + (i + a) * size, b, size, compare);
		}
		char *swap = from;
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * size);
}

size_t spb_lower_bound(const void *items, size_t count, size_t size, const void *wanted,
		       int (*compare)(const void *, const void *))
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;
		if (compare((const char *)items + middle * size, wanted) < 0)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}
