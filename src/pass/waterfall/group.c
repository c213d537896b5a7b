/* SPDX-License-Identifier: Apache-2.0 */
/* group: which accesses of a block share a loop, and where the instructions between them go.
 *
 *     %a = OpImageSample… %t[%i] %uv        before   %uv2 = OpFMul …        (its derivatives are taken before, too)
 *          OpStore %colour %a               loop     %a, %b by %i
 *     %uv2 = OpFMul %uv %two                stays    OpStore %colour %a
 *     %b = OpImageSample… %n[%i] %uv2
 *
 * Accesses whose indexes have the same values go into the loop of the first. An instruction between them
 *
 *   stays    after the loop, unless an access needs it;
 *   before   if an access needs it, and it and all that it needs can be moved there: it reads nothing that has been
 *            written since the first access;
 *   inside   otherwise, in program order, so that each invocation sees its own loads, stores and atomics in that order.
 *            An instruction that depends on other invocations (derivatives, subgroup operations) cannot be inside.
 *
 * Instructions that stay are overtaken by those that go before or inside, so a memory access that must not be overtaken
 * goes inside as well. Where that is impossible, the loop ends, and the access begins another one. Barriers, calls and
 * unknown instructions end it, too.
 *
 * Other invocations cannot tell the difference, according to the Vulkan specification, appendix B, "Memory Model". Only
 * synchronization and availability operations ("Synchronizes-With", "Availability, Visibility, and Domain Operations")
 * order the accesses of one invocation for others: barriers, atomics with semantics, volatile and non-private accesses,
 * all of which end the loop. Without them, accesses by two invocations of which one writes are a race ("Data Race"). So
 * only what an invocation itself observes matters: two reads may change places, and so may accesses of memory that
 * cannot overlap; everything else, including relaxed atomics, stays in program order. Reads are loads, samples, fetches
 * and image reads; the images and buffers that other invocations can reach count as one memory, whatever their
 * decorations. */
#include "analysis/uniformity/uniformity.h"
#include "pass/waterfall/loops.h"

enum { MOST_BETWEEN = 256, MOST_TOGETHER = 1024 }; /* instructions: so that time stays linear */

struct group {
	struct spb_loops *p;
	const struct spb_module *m;
	struct spb_block *b;
	size_t first;
	uint32_t stamp;   /* b->written[id] of variables that are written since `first` */
	bool shared, own; /* written as well: SPB_MEMORY_SHARED, SPB_MEMORY_OWN */
	struct spb_id_list
	    moved; /* places in the block that the current access has moved; from `seen` on, still to be examined */
	size_t seen;
	bool impossible; /* the current access cannot join: the group ends */
};

/* Place in the block of the instruction that produces an id, from the first access on; SIZE_MAX: the id is available
 * before. */
static size_t place_of(const struct group *g, uint32_t id)
{
	const struct spb_block *b = g->b;
	size_t k = b->home[id];

	if (k >= b->count || b->items[k].at != g->m->def[id] || k < g->first || b->items[k].gone)
		return SIZE_MAX;
	return k;
}

/* The same for an operand. If it stays, or is needed before the loop but goes inside, an earlier id with the same value
 * will do. */
static size_t place_of_operand(const struct group *g, uint32_t id, bool before)
{
	size_t k = place_of(g, id);

	if (k == SIZE_MAX || g->b->items[k].place == SPB_BEFORE || (g->b->items[k].place != SPB_STAYS && !before))
		return k;
	return place_of(g, spb_waterfall_earlier(g->p, g->b, id));
}

static bool is_written(const struct group *g, uint32_t memory)
{
	if (memory == SPB_MEMORY_CONSTANT)
		return false;
	if (memory == SPB_MEMORY_SHARED)
		return g->shared;
	if (memory == SPB_MEMORY_OWN)
		return g->own || g->b->any_written == g->stamp;
	return g->own || g->b->written[memory] == g->stamp;
}

static void note_write(struct group *g, struct spb_effect effect)
{
	if (effect.kind != SPB_DOES_WRITE)
		return;
	if (effect.memory == SPB_MEMORY_SHARED) {
		g->shared = true;
	} else if (effect.memory == SPB_MEMORY_OWN) {
		g->own = true;
	} else {
		g->b->written[effect.memory] = g->stamp;
		g->b->any_written = g->stamp;
	}
}

static bool can_go_before(const struct group *g, const struct spb_instruction *i)
{
	const struct spb_module *m = g->m;

	if (i->access || !spb_result(m, i->at) ||
	    !(i->effect.kind == SPB_DOES_NOTHING ||
	      (i->effect.kind == SPB_DOES_READ && !is_written(g, i->effect.memory))))
		return false;
	for (struct spb_operand o = spb_operands(m, i->at); spb_operand_next(&o);) {
		size_t k = o.kind == SPB_KIND_ID ? place_of_operand(g, m->words[o.word], true) : SIZE_MAX;
		if (k != SIZE_MAX && !g->b->items[k].early)
			return false;
	}
	return true;
}

static bool can_go_inside(const struct group *g, const struct spb_instruction *i)
{
	uint32_t id = spb_result(g->m, i->at);

	if (i->access || i->effect.converges || i->effect.kind == SPB_DOES_STOP || i->effect.kind == SPB_DOES_REMARK)
		return false;
	return !id || spb_waterfall_can_come_out(g->p, id);
}

static void demand_place(struct group *g, size_t k, bool before)
{
	struct spb_instruction *i = &g->b->items[k];

	if (i->place != SPB_STAYS) {
		g->impossible |= before && i->place != SPB_BEFORE;
		return;
	}
	if (!i->early && (before || !can_go_inside(g, i))) {
		g->impossible = true;
		return;
	}
	i->place = i->early ? SPB_BEFORE : SPB_INSIDE;
	SPB_PUSH(g->p->arena, &g->moved, (uint32_t)k);
}

static void demand(struct group *g, uint32_t id, bool before)
{
	size_t k = place_of_operand(g, id, before);

	if (k != SIZE_MAX)
		demand_place(g, k, before);
}

static void demand_operands(struct group *g, spb_at at, bool before)
{
	for (struct spb_operand o = spb_operands(g->m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID)
			demand(g, g->m->words[o.word], before);
	}
}

/* Moves the instructions that instruction `k` must not overtake before or into the loop, too. */
static void demand_order(struct group *g, size_t k)
{
	struct spb_effect effect = g->b->items[k].effect;

	if (effect.kind != SPB_DOES_READ && effect.kind != SPB_DOES_WRITE)
		return;
	for (size_t i = g->first; i < k && !g->impossible; i++) {
		const struct spb_instruction *other = &g->b->items[i];
		if (!other->gone && other->place == SPB_STAYS && spb_effects_collide(effect, other->effect))
			demand_place(g, i, false);
	}
}

static bool is_index_of(const struct group *g, const struct spb_waterfall_access *a, uint32_t id)
{
	uint32_t source = spb_waterfall_source(g->m, id);

	for (uint32_t i = 0; i < a->indexes; i++) {
		if (g->p->indexes.items[a->first_index + i] == source)
			return true;
	}
	return false;
}

/* The loop repeats a step of the path, with all its operands but the indexes that select. */
static void demand_step(struct group *g, const struct spb_waterfall_access *a, uint32_t id)
{
	const struct spb_module *m = g->m;
	spb_at at = m->def[id];
	uint32_t end = spb_waterfall_selection(m, at);

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && !spb_waterfall_is_path(m, m->words[o.word]) &&
		    !(o.word < end && is_index_of(g, a, m->words[o.word])))
			demand(g, m->words[o.word], false);
	}
}

static void demand_access(struct group *g, size_t k)
{
	const struct spb_module *m = g->m;
	const struct spb_waterfall_access *a = g->b->items[k].access;
	bool derives = spb_explicit_lod(spb_op(m, a->at)) != 0;

	if (derives) {
		demand(g, m->words[a->at + 4], true);
		if (spb_lod_bias(m, a->at))
			demand(g, spb_lod_bias(m, a->at), true);
	}
	for (struct spb_operand o = spb_operands(m, a->at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && !spb_waterfall_is_path(m, m->words[o.word]))
			demand(g, m->words[o.word], false);
	}
	for (uint32_t i = 0; i < a->steps; i++)
		demand_step(g, a, g->p->steps.items[a->first_step + i]);
	demand_order(g, k);
}

/* Tries to add an access; false: nothing has changed. */
static bool add(struct group *g, size_t k)
{
	g->moved.count = g->seen = 0;
	demand_access(g, k);
	while (g->seen < g->moved.count && !g->impossible) {
		size_t i = g->moved.items[g->seen++];
		demand_operands(g, g->b->items[i].at, g->b->items[i].place == SPB_BEFORE);
		if (g->b->items[i].place == SPB_INSIDE)
			demand_order(g, i);
	}
	for (size_t i = 0; g->impossible && i < g->moved.count; i++)
		g->b->items[g->moved.items[i]].place = SPB_STAYS;
	return !g->impossible;
}

static bool have_same_indexes(const struct group *g, const struct spb_waterfall_access *a,
			      const struct spb_waterfall_access *b)
{
	const uint32_t *indexes = g->p->indexes.items;

	if (a->indexes != b->indexes)
		return false;
	for (uint32_t i = 0; i < a->indexes; i++) {
		if (spb_waterfall_value(g->b, indexes[a->first_index + i]) !=
		    spb_waterfall_value(g->b, indexes[b->first_index + i]))
			return false;
	}
	return true;
}

size_t spb_waterfall_group(struct spb_loops *p, struct spb_block *b, size_t first)
{
	struct group g = {.p = p, .m = p->m, .b = b, .first = first, .stamp = ++b->clock};
	size_t end = first + 1;

	b->items[first].place = SPB_LOOPED;
	for (size_t k = first; k < b->count && k < end + MOST_BETWEEN && k < first + MOST_TOGETHER; k++) {
		struct spb_instruction *i = &b->items[k];
		if (i->gone || i->effect.kind == SPB_DOES_REMARK)
			continue;
		if (i->effect.kind == SPB_DOES_STOP)
			break;
		i->early = can_go_before(&g, i);
		if (i->access && have_same_indexes(&g, b->items[first].access, i->access)) {
			if (!add(&g, k))
				break;
			i->place = SPB_LOOPED;
			end = k + 1;
		}
		note_write(&g, i->effect);
	}
	return end;
}
