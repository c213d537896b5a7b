/* SPDX-License-Identifier: Apache-2.0 */
/* leaves: which variables stand for parts of declared resources, updated as passes create and remove them.
 *
 *     tex                    run 1, leaf 0 of 1, path ""
 *     tex_sampler            run 1, leaf 0 of 1, path ".sampler"
 *
 * Each of these is numbered separately. Members of a struct that was split are numbered together (leaf i of n); a part
 * of one of them becomes another member. */
#include "pass/combined/combined.h"

struct list {
	struct spb_leaf *items;
	size_t count, capacity;
};

static const char *joined(struct spb_unit *u, const char *a, const char *b)
{
	struct spb_text_buffer text = {.arena = &u->m.keep};

	spb_text_put(&text, a);
	spb_text_put(&text, b);
	return spb_text_end(&text);
}

/* Appends `leaf`, unless it is removed, and the parts from `i` on that were created beside it. */
static void put(struct spb_unit *u, struct list *to, struct spb_leaf leaf, const struct spb_companion *parts, size_t i,
		size_t count, const uint32_t *gone)
{
	struct spb_arena *keep = &u->m.keep;
	uint32_t binding = spb_decoration(&u->m, leaf.variable, SpvDecorationBinding), whole = leaf.variable;
	const char *path = leaf.path;

	if (!gone || leaf.variable >= u->m.bound || !spb_bit(gone, leaf.variable))
		SPB_PUSH(keep, to, leaf);
	for (; i < count && parts[i].whole == whole; i++) {
		leaf.variable = parts[i].part;
		leaf.path = joined(u, path, parts[i].path);
		SPB_PUSH(keep, to, leaf);
		if (leaf.leaves > 1 && binding) /* all members carry the struct's binding */
			spb_add_decoration(&u->edit, leaf.variable, SpvDecorationBinding, &u->m.words[binding], 1);
	}
}

/* Members of a split struct are contiguous and numbered from 0. */
static void number(struct list *leaves)
{
	for (size_t i = 0, end; i < leaves->count; i = end) {
		for (end = i; end < leaves->count && leaves->items[end].run == leaves->items[i].run; end++)
			;
		for (size_t k = i; k < end && leaves->items[i].leaves > 1; k++)
			leaves->items[k].leaf = (uint32_t)(k - i);
		for (size_t k = end; k-- > i && leaves->items[k].leaves > 1;)
			leaves->items[k].leaves = (uint32_t)(end - i);
	}
}

void spb_add_companions(struct spb_unit *u, const struct spb_companion *parts, size_t count, const uint32_t *gone)
{
	const struct spb_module *m = &u->m;
	uint32_t *first = spb_alloc_zeroed(&m->context->scratch, m->bound, sizeof *first); /* id -> its part, + 1 */
	struct list to = {0};
	uint32_t run = 0;

	for (size_t i = count; i--;)
		first[parts[i].whole] = (uint32_t)i + 1;
	for (size_t i = 0; i < u->leaves.count; i++) {
		const struct spb_leaf *leaf = &u->leaves.items[i];
		size_t at = first[leaf->variable] ? first[leaf->variable] - 1 : count;
		run = leaf->run > run ? leaf->run : run;
		first[leaf->variable] = 0;
		put(u, &to, *leaf, parts, at, count, gone);
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t whole = parts[i].whole;
		if (first[whole] != i + 1)
			continue;
		struct spb_leaf leaf = {.variable = whole, .run = ++run, .leaves = 1, .path = ""};
		leaf.declared = joined(u, spb_name(m, whole), "");
		leaf.unused = whole < m->in_function_bound && !spb_bit(m->in_function, whole);
		put(u, &to, leaf, parts, i, count, gone);
	}
	number(&to);
	u->leaves.items = to.items;
	u->leaves.count = to.count;
	u->leaves.capacity = to.capacity;
}
