/* SPDX-License-Identifier: Apache-2.0 */
/* sort: two stable sorts with memory from an arena (qsort is not stable and may allocate).
 *
 * The merge sort starts from the ascending runs of the input, since what is sorted here is nearly always sorted
 * already or consists of few runs. The radix sort is for numbers and starts with the least significant byte. */
#include "base.h"

typedef int compare_items(const void *, const void *);

static inline void copy_item(char *to, const char *from, size_t size)
{
	switch (size) { /* a constant size avoids the call */
	case 4:
		memcpy(to, from, 4);
		break;
	case 8:
		memcpy(to, from, 8);
		break;
	case 12:
		memcpy(to, from, 12);
		break;
	case 16:
		memcpy(to, from, 16);
		break;
	case 20:
		memcpy(to, from, 20);
		break;
	case 24:
		memcpy(to, from, 24);
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
	memcpy(to, a_count ? a : b, (a_count + b_count) * size);
}

static size_t run_length(const char *items, size_t count, size_t size, compare_items *compare)
{
	size_t n = 1;

	while (n < count && compare(items + (n - 1) * size, items + n * size) <= 0)
		n++;
	return n;
}

void spb_sort_many(struct spb_arena *arena, void *items, size_t count, size_t size, compare_items *compare)
{
	size_t first = run_length(items, count, size, compare), runs = 0;

	if (first >= count)
		return;
	struct spb_mark mark = spb_arena_mark(arena);
	size_t *lengths = spb_alloc_array(arena, count - first + 1, sizeof *lengths);
	char *from = items, *to = spb_alloc_array(arena, count, size);
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
	spb_arena_rewind(arena, mark);
}

/* Does item a come after item b? */
static bool is_after(const char *a, const char *b, unsigned words)
{
	for (unsigned i = 0; i < words; i++) {
		uint32_t x, y;
		memcpy(&x, a + i * sizeof x, sizeof x);
		memcpy(&y, b + i * sizeof y, sizeof y);
		if (x != y)
			return x > y;
	}
	return false;
}

/* Insertion sort, for few items. */
static void insert_each(char *items, size_t count, size_t size, unsigned words, char *moving)
{
	for (size_t i = 1; i < count; i++) {
		size_t to = i;
		while (to && is_after(items + (to - 1) * size, items + i * size, words))
			to--;
		if (to == i)
			continue;
		memcpy(moving, items + i * size, size);
		memmove(items + (to + 1) * size, items + to * size, (i - to) * size);
		memcpy(items + to * size, moving, size);
	}
}

struct keyed {
	uint32_t key, item;
};

/* Bits per radix pass: for many items, and for fewer, where the table of a larger radix would dominate. */
enum { MANY_BITS = 11, FEW_BITS = 8, MANY = 4096 };

static void scatter(struct keyed *to, const struct keyed *from, size_t count, unsigned shift, unsigned bits)
{
	const uint32_t mask = (1u << bits) - 1;
	uint32_t next[1 << MANY_BITS], sum = 0;

	memset(next, 0, (mask + 1) * sizeof *next);
	for (const struct keyed *k = from; k != from + count; k++)
		next[k->key >> shift & mask]++;
	for (uint32_t *of = next; of != next + mask + 1; of++) {
		const uint32_t here = *of;
		*of = sum;
		sum += here;
	}
	for (const struct keyed *k = from; k != from + count; k++)
		to[next[k->key >> shift & mask]++] = *k;
}

/* Reads the keys from a word of the items. Returns the bits in which they differ; 0 if they already ascend. */
static uint32_t read_keys(struct keyed *order, const char *word, size_t count, size_t size)
{
	uint32_t differing = 0, first, before;
	bool descends = false;

	memcpy(&first, word + order->item * size, sizeof first);
	before = first;
	for (struct keyed *k = order; k != order + count; k++) {
		uint32_t key;
		memcpy(&key, word + k->item * size, sizeof key);
		k->key = key;
		differing |= key ^ first;
		descends |= key < before;
		before = key;
	}
	return descends ? differing : 0;
}

/* Moves each item to its place, cycle by cycle, since a copy of all items would be the largest allocation here. */
static void put_in_order(char *items, size_t count, size_t size, struct keyed *order, char *first)
{
	for (uint32_t i = 0; i < count; i++) {
		if (order[i].item == i)
			continue;
		copy_item(first, items + i * size, size);
		uint32_t to = i;
		for (uint32_t from; (from = order[to].item) != i; to = from) {
			copy_item(items + to * size, items + from * size, size);
			order[to].item = to;
		}
		copy_item(items + to * size, first, size);
		order[to].item = to;
	}
}

void spb_sort_many_by_words(struct spb_arena *arena, void *all, size_t count, size_t size, unsigned words)
{
	enum { FEW = 24 };
	char *items = all;
	size_t sorted = 0;

	do
		sorted++;
	while (sorted < count && !is_after(items + (sorted - 1) * size, items + sorted * size, words));
	if (sorted >= count)
		return;
	struct spb_mark mark = spb_arena_mark(arena);
	if (count <= FEW) {
		insert_each(items, count, size, words, spb_alloc(arena, size));
		spb_arena_rewind(arena, mark);
		return;
	}
	assert(count <= UINT32_MAX);
	const unsigned bits = count < MANY ? FEW_BITS : MANY_BITS;
	struct keyed *order = spb_alloc_array(arena, count, sizeof *order);
	struct keyed *other = spb_alloc_array(arena, count, sizeof *other);
	for (size_t i = 0; i < count; i++)
		order[i].item = (uint32_t)i;
	for (unsigned word = words; word--;) {
		uint32_t differing = read_keys(order, items + word * sizeof(uint32_t), count, size);
		for (unsigned shift = 0; shift < 32 && differing >> shift; shift += bits) {
			while (!(differing >> shift & 1)) /* equal in all items */
				shift++;
			scatter(other, order, count, shift, bits);
			struct keyed *swap = order;
			order = other;
			other = swap;
		}
	}
	put_in_order(items, count, size, order, spb_alloc(arena, size));
	spb_arena_rewind(arena, mark);
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
