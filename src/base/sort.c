/* SPDX-License-Identifier: Apache-2.0 */
/* sort: a stable merge sort with memory from an arena (qsort is not stable, and may allocate by itself).
 *
 * It begins with the runs that ascend already. What is sorted here is nearly always sorted, or consists of few runs. */
#include "base.h"

typedef int compare_items(const void *, const void *);

static inline void copy_item(char *to, const char *from, size_t size)
{
	switch (size) { /* a constant size needs no call */
	case 4:
		memcpy(to, from, 4);
		break;
	case 8:
		memcpy(to, from, 8);
		break;
	case 16:
		memcpy(to, from, 16);
		break;
	default:
		memcpy(to, from, size);
		break;
	}
}

static void merge(char *to, const char *a, size_t a_count, const char *b, size_t b_count, size_t size,
		  compare_items *compare)
{
	while (a_count && b_count) {
		if (compare(a, b) <= 0) {
			copy_item(to, a, size);
			a += size;
			a_count--;
		} else {
			copy_item(to, b, size);
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

static size_t run_length(const char *items, size_t count, size_t size, compare_items *compare)
{
	size_t n = 1;

	while (n < count && compare(items + (n - 1) * size, items + n * size) <= 0)
		n++;
	return n;
}

void spb_sort(struct spb_arena *arena, void *items, size_t count, size_t size, compare_items *compare)
{
	size_t first = run_length(items, count, size, compare), runs = 0;

	if (first >= count)
		return;
	char *from = items, *to = spb_alloc_array(arena, count, size);
	size_t *lengths = spb_alloc_array(arena, count - first + 1, sizeof *lengths);
	for (size_t i = 0; i < count; i += lengths[runs++])
		lengths[runs] = i ? run_length(from + i * size, count - i, size, compare) : first;
	while (runs > 1) {
		size_t at = 0, made = 0;
		for (size_t i = 0; i < runs; i += 2) {
			size_t a = lengths[i], b = i + 1 < runs ? lengths[i + 1] : 0;
			merge(to + at * size, from + at * size, a, from + (at + a) * size, b, size, compare);
			lengths[made++] = a + b;
			at += a + b;
		}
		runs = made;
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
