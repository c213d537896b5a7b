/* SPDX-License-Identifier: Apache-2.0 */
/* counters: which buffer each counter belongs to. A decoration says so, or its name:
 *
 *     a, a@count                      glslang
 *     a, counter.var.a                DXC
 *     a.elements, a.counter           Slang
 *
 * A linked module may have several buffers of one name, and a compiler may have dropped the buffer of a counter: then
 * the text, or the stages that use them, tell which belong together. */
#include "analysis/source/source.h"

/* Is it a counter of an append or consume buffer? Assumed unless the type name says otherwise. */
static bool is_beside(const struct spb_module *m, const struct spb_variable *buffer)
{
	return strncmp(spb_id_name(m, buffer->element), "type.RWStructuredBuffer", 23) != 0;
}

struct counted { /* buffers that a counter may belong to, found by name and by id */
	const struct spb_module *m;
	const struct spb_variables *variables;
	uint32_t *by_name, *by_id; /* variable + 1; NULL: not built yet */
	uint32_t *next;            /* the next one with this name, + 1 */
	size_t mask;
};

/* The first buffer of this name, + 1, or a free slot. */
static uint32_t *find_named(const struct counted *c, const char *name, size_t length)
{
	size_t h = (size_t)spb_hash_bytes(11, name, length) & c->mask;

	for (; c->by_name[h]; h = (h + 1) & c->mask) {
		const char *other = c->variables->items[c->by_name[h] - 1].name;
		if (!strncmp(other, name, length) && !other[length])
			break;
	}
	return &c->by_name[h];
}

static void index_buffers(struct counted *c)
{
	struct spb_arena *scratch = &c->m->context->scratch;
	const struct spb_variables *variables = c->variables;

	c->mask = 15;
	while (c->mask + 1 < 2 * variables->count)
		c->mask = 2 * c->mask + 1;
	c->by_name = spb_alloc_zeroed(scratch, c->mask + 1, sizeof *c->by_name);
	c->by_id = spb_alloc_zeroed(scratch, c->m->bound, sizeof *c->by_id);
	c->next = spb_alloc_array(scratch, variables->count, sizeof *c->next);
	for (size_t i = variables->count; i--;) {
		const struct spb_variable *v = &variables->items[i];
		uint32_t *first = find_named(c, v->name, strlen(v->name));
		c->next[i] = *first;
		*first = (uint32_t)i + 1;
		c->by_id[v->id] = (uint32_t)i + 1;
	}
}

/* Slang makes two members of an append or consume buffer: list.elements and list.counter. */
static size_t slang_counted_name(const struct spb_module *m, const char *name, const char **counted)
{
	static const char counter[] = ".counter";
	const size_t length = strlen(name), tail = sizeof counter - 1;
	struct spb_arena *scratch = &m->context->scratch;
	struct spb_text_buffer text = {.arena = scratch};

	if (length <= tail || strcmp(name + length - tail, counter) != 0 || spb_generator(m) != SPB_GENERATOR_SLANG)
		return 0;
	spb_text_format(&text, "%s.elements", spb_copy_text(scratch, name, length - tail));
	*counted = spb_text_end(&text);
	return strlen(*counted);
}

/* How well a buffer fits a counter that is named after it; below 0: it is that of another stage of a linked module. */
static int fit_of(const struct spb_variable *buffer, const struct spb_variable *v)
{
	const struct spb_declaration *of_buffer = buffer->extra->declaration, *d = v->extra->declaration;
	const bool together = (buffer->stages | buffer->listed) & (v->stages | v->listed);

	if (of_buffer && d && d->counter && d->order != of_buffer->order + 1)
		return -1;
	return 2 * together + !buffer->extra->counted;
}

static struct spb_variable *choose_buffer(const struct counted *c, uint32_t first, const struct spb_variable *v)
{
	struct spb_variable *best = NULL;
	int most = -1;

	for (int n = 0; first && n < SPB_STAGE_COUNT; n++) {
		struct spb_variable *buffer = &c->variables->items[first - 1];
		const int fit = fit_of(buffer, v);
		best = fit > most ? buffer : best;
		most = fit > most ? fit : most;
		first = c->next[first - 1];
	}
	return best;
}

static struct spb_variable *find_counted(struct counted *c, const struct spb_variable *v)
{
	const char *name;
	size_t length = spb_counted_name(v->name, &name);

	if (!length)
		length = slang_counted_name(c->m, v->name, &name);
	if (!v->extra->counter_of && !length)
		return NULL;
	if (!c->by_id)
		index_buffers(c);
	if (v->extra->counter_of)
		return c->by_id[v->extra->counter_of] ? &c->variables->items[c->by_id[v->extra->counter_of] - 1] : NULL;
	return choose_buffer(c, *find_named(c, name, length), v);
}

void spb_find_counters(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena)
{
	struct counted c = {.m = m, .variables = variables};

	for (size_t i = 0; i < variables->count; i++) {
		struct spb_variable *v = &variables->items[i];
		if (v->heap) /* a heap of counters has one for each descriptor of another heap, and its own binding */
			continue;
		struct spb_variable *buffer = find_counted(&c, v);
		const struct spb_declaration *d = v->extra->declaration;
		if (v->extra->counter_of != (buffer ? buffer->id : 0))
			spb_own_extra(v, arena)->counter_of = buffer ? buffer->id : 0;
		v->beside = (buffer ? is_beside(m, buffer) : d && d->counter) && (!d || !d->counter || d->beside);
		if (buffer)
			spb_own_extra(buffer, arena)->counted = true;
	}
}

void spb_put_counters(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena)
{
	struct spb_variable *sorted;
	uint32_t *first, *next; /* id of a buffer -> its first counter + 1; the next one + 1 */
	size_t n = 0, counters = 0;

	for (size_t i = 0; i < variables->count; i++)
		counters += variables->items[i].extra->counter_of != 0;
	if (!counters)
		return;
	sorted = spb_alloc_array(arena, variables->count, sizeof *sorted);
	first = spb_alloc_zeroed(arena, m->bound, sizeof *first);
	next = spb_alloc_zeroed(arena, variables->count, sizeof *next);
	for (size_t i = variables->count;
	     i--;) { /* variables that are not counters are listed under 0, which is never looked up */
		next[i] = first[variables->items[i].extra->counter_of];
		first[variables->items[i].extra->counter_of] = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < variables->count; i++) {
		if (variables->items[i].extra->counter_of)
			continue;
		sorted[n++] = variables->items[i];
		for (uint32_t k = first[variables->items[i].id]; k; k = next[k - 1])
			sorted[n++] = variables->items[k - 1];
	}
	if (n == variables->count) /* otherwise it belongs to another counter, or to something that is not a resource */
		memcpy(variables->items, sorted, n * sizeof *sorted);
}
