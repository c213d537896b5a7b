/* SPDX-License-Identifier: Apache-2.0 */
/* shape_candidates: lists of descriptors that a value may be, each a leaf and an index in it.
 *
 * A leaf occurs at most once: when different indexes of one leaf are joined, only the manner of the join is kept. Lists
 * are hash-consed, so they can be compared by number, and the join of two numbers is remembered. 0 is the empty list:
 * never assigned. */
#include "pass/shapes/shape.h"

static uint64_t hash_members(const struct member *members, uint32_t count)
{
	return spb_hash_bytes(count, members, count * sizeof *members);
}

static void grow_slots(struct candidate_table *s)
{
	uint32_t size = s->slot ? 2 * (s->slot_mask + 1) : 64;

	s->slot = spb_alloc_zeroed(s->arena, size, sizeof *s->slot);
	s->slot_mask = size - 1;
	for (uint32_t i = 0; i < s->list.count; i++) {
		const struct candidates *candidates = &s->list.items[i];
		uint32_t h =
		    (uint32_t)hash_members(s->members.items + candidates->first, candidates->count) & s->slot_mask;
		while (s->slot[h])
			h = (h + 1) & s->slot_mask;
		s->slot[h] = i + 1;
	}
}

/* The number of the list formed by the last `count` entries of s->members, which stay there if it is new. */
static uint32_t intern(struct candidate_table *s, uint32_t count)
{
	uint32_t first = (uint32_t)s->members.count - count;
	const struct member *members = s->members.items + first;

	if (2 * s->list.count >= s->slot_mask)
		grow_slots(s);
	uint32_t h = (uint32_t)hash_members(members, count) & s->slot_mask;
	for (; s->slot[h]; h = (h + 1) & s->slot_mask) {
		const struct candidates *known = &s->list.items[s->slot[h] - 1];
		if (known->count == count &&
		    !memcmp(s->members.items + known->first, members, count * sizeof *members)) {
			s->members.count = first;
			return s->slot[h] - 1;
		}
	}
	SPB_PUSH(s->arena, &s->list, ((struct candidates){first, count}));
	s->slot[h] = (uint32_t)s->list.count;
	return s->slot[h] - 1;
}

void spb_candidates_init(struct candidate_table *s, struct spb_arena *arena)
{
	*s = (struct candidate_table){.arena = arena};
	SPB_PUSH(arena, &s->members, ((struct member){0, 0})); /* so that the array is allocated */
	grow_slots(s);
	intern(s, 0);
}

uint32_t spb_candidates_of(struct candidate_table *s, uint32_t leaf, uint32_t index)
{
	SPB_PUSH(s->arena, &s->members, ((struct member){leaf, index}));
	return intern(s, 1);
}

uint32_t spb_candidates_with_index(struct candidate_table *s, uint32_t candidates, uint32_t index)
{
	struct candidates of = s->list.items[candidates];
	bool any = false;

	for (uint32_t i = 0; i < of.count; i++)
		any |= s->members.items[of.first + i].index == DYNAMIC;
	for (uint32_t i = 0; i < of.count && any; i++) {
		struct member member = s->members.items[of.first + i];
		SPB_PUSH(s->arena, &s->members,
			 ((struct member){member.leaf, member.index == DYNAMIC ? index : member.index}));
	}
	return any ? intern(s, of.count) : candidates;
}

uint32_t spb_candidates_without_indexes(struct candidate_table *s, uint32_t candidates)
{
	struct candidates of = s->list.items[candidates];

	if (!candidates)
		return 0;
	for (uint32_t i = 0; i < of.count; i++)
		SPB_PUSH(s->arena, &s->members, ((struct member){s->members.items[of.first + i].leaf, DYNAMIC}));
	return intern(s, of.count);
}

static uint32_t join_index(uint32_t a, uint32_t b, enum join how)
{
	if (how == JOIN_CHOICE && a == b)
		return a == DYNAMIC ? CHOSEN : a;
	if (a == b || a == CHOSEN || b == CHOSEN)
		return a == b ? a : CHOSEN;
	return how == JOIN_ANY ? DYNAMIC : CHOSEN;
}

static uint32_t join(struct candidate_table *s, struct candidates a, struct candidates b, enum join how)
{
	uint32_t i = 0, k = 0, count = 0;

	while (i < a.count || k < b.count) {
		struct member x = i < a.count ? s->members.items[a.first + i] : (struct member){UINT32_MAX, 0};
		struct member y = k < b.count ? s->members.items[b.first + k] : (struct member){UINT32_MAX, 0};
		struct member least = x.leaf <= y.leaf ? x : y;
		if (x.leaf == y.leaf && i < a.count && k < b.count)
			least.index = join_index(x.index, y.index, how);
		i += x.leaf == least.leaf && i < a.count;
		k += y.leaf == least.leaf && k < b.count;
		SPB_PUSH(s->arena, &s->members, least);
		count++;
	}
	return intern(s, count);
}

static void grow_joins(struct candidate_table *s)
{
	uint32_t size = s->join_key ? 2 * (s->join_mask + 1) : 64, old = s->join_key ? s->join_mask + 1 : 0;
	uint64_t *key = s->join_key;
	uint32_t *value = s->join_value;

	s->join_key = spb_alloc_zeroed(s->arena, size, sizeof *s->join_key);
	s->join_value = spb_alloc_array(s->arena, size, sizeof *s->join_value);
	s->join_mask = size - 1;
	for (uint32_t i = 0; i < old; i++) {
		uint32_t h = (uint32_t)spb_hash_mix(key[i], 7) & s->join_mask;
		if (!key[i])
			continue;
		while (s->join_key[h])
			h = (h + 1) & s->join_mask;
		s->join_key[h] = key[i];
		s->join_value[h] = value[i];
	}
}

uint32_t spb_candidates_join(struct candidate_table *s, uint32_t a, uint32_t b, enum join how)
{
	uint64_t key = (uint64_t)how << 62 | (a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);

	if ((a == b && how != JOIN_CHOICE) || !b)
		return a;
	if (!a)
		return b;
	if (2 * s->join_count >= s->join_mask || !s->join_key)
		grow_joins(s);
	uint32_t h = (uint32_t)spb_hash_mix(key, 7) & s->join_mask;
	for (; s->join_key[h]; h = (h + 1) & s->join_mask) {
		if (s->join_key[h] == key)
			return s->join_value[h];
	}
	s->join_key[h] = key;
	s->join_count++;
	s->join_value[h] = join(s, s->list.items[a], s->list.items[b], how);
	return s->join_value[h];
}
