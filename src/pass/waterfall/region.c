/* SPDX-License-Identifier: Apache-2.0 */
/* region: one loop around blocks that follow one another, which search.c has found.
 *
 *     %x = OpLoad %uint %p                            (the loop begins, as waterfall.c shows it)
 *     OpSelectionMerge %m None                        %mine = OpLabel
 *     OpBranchConditional %c %t %m                    %x1 = OpLoad %uint %q
 *     %t = OpLabel                                    OpSelectionMerge %m None
 *     … an access by %i                               OpBranchConditional %c %t %m
 *     OpBranch %m                                     … the same, by %f, with %x1
 *     %m = OpLabel                                    %m = OpLabel
 *     %y = OpPhi %type %x %h %a %t                    %y1 = OpPhi %type %x1 %mine %a %t
 *     … an access by %i                               … the same, by %f
 *     …                                               OpBranch %both
 *                                                     %both = OpLabel
 *                                                     %y = OpPhi %type %y1 %m %none %body
 *                                                     … (it ends)
 *
 * Before the loop are the indexes and the derivatives of the accesses within, and what invocations do together. What is
 * used behind the region gets another id within, and its own from an OpPhi behind the loop's turn. */
#include "pass/waterfall/loops.h"

bool spb_region_takes(const struct spb_loops *p, const struct spb_region *r, spb_at at)
{
	return spb_region_moves(r, at) || spb_waterfall_access_at(p, at);
}

/* Before the region: the gradients of an access that has an implicit level of detail. */
static struct spb_gradients put_gradients(struct spb_loop_writer *w, const struct spb_region *r, spb_at at)
{
	uint32_t bias = spb_waterfall_bias(w->m, at);

	if (!spb_waterfall_explicit(spb_op(w->m, at)))
		return (struct spb_gradients){0};
	return spb_loop_put_gradients(w, at, spb_put_early(w, r->early, w->m->words[at + 4]),
				      bias ? spb_put_early(w, r->early, bias) : 0);
}

/* Makes an access of the region again where it is, by the loop's indexes. */
static void rewrite(struct spb_loop_writer *w, const struct spb_region *r, const struct spb_waterfall_access *a,
		    struct spb_gradients g)
{
	uint32_t first[SPB_WATERFALL_INDEXES] = {0};

	for (uint32_t n = 0; n < a->indexes; n++) {
		uint32_t value = spb_waterfall_value(&w->values, w->p->indexes.items[a->first_index + n]);
		for (uint32_t i = 0; i < r->indexes; i++) {
			if (spb_waterfall_value(&w->values, r->index[i]) == value)
				first[n] = r->loop.first[i];
		}
	}
	spb_loop_rewrite(w, a, first, g);
}

void spb_region_open(struct spb_loop_writer *w, struct spb_region *r)
{
	const struct spb_module *m = w->m;
	const struct spb_waterfall_access *accesses = w->p->accesses.items;
	struct spb_gradients *gradients = spb_alloc_zeroed(w->p->arena, r->last - r->first, sizeof *gradients);
	uint32_t values[SPB_WATERFALL_INDEXES];

	w->place = r->begin;
	for (uint32_t i = 0; i < r->indexes; i++)
		values[i] = spb_put_early(w, r->early, r->index[i]);
	for (uint32_t i = 0; i < r->moves; i++)
		spb_move_early(w, r->early, r->moved[i]);
	for (size_t k = r->first; k < r->last; k++)
		gradients[k - r->first] = put_gradients(w, r, accesses[k].at);
	spb_loop_open(w, &r->loop, r->index, values, r->indexes);
	for (size_t i = 0; i < r->results.count; i++)
		spb_loop_none(w, spb_type_of(m, r->results.items[i]));
	spb_loop_take_turn(w, &r->loop);
	spb_loop_put_lines(w, r->begin);
	w->tail = r->loop.label[SPB_LOOP_MINE];
	for (size_t i = 0; i < r->results.count; i++) {
		uint32_t id = r->results.items[i], inside = spb_new_id(w->e);
		w->inside[id] = inside;
		if (spb_decoration(m, id, SpvDecorationRelaxedPrecision))
			spb_add_decoration(w->e, inside, SpvDecorationRelaxedPrecision, NULL, 0);
	}
	for (size_t k = r->first; k < r->last; k++)
		rewrite(w, r, &accesses[k], gradients[k - r->first]);
}

void spb_region_rename(struct spb_loop_writer *w, struct spb_region *r)
{
	const struct spb_module *m = w->m;

	r->inside = spb_alloc_zeroed(w->p->arena, r->results.count, sizeof *r->inside);
	for (size_t i = 0; i < r->results.count; i++) {
		uint32_t id = r->results.items[i];
		r->inside[i] = w->inside[id];
		w->inside[id] = 0;
		if (!spb_region_takes(w->p, r, m->def[id]))
			spb_patch(w->e, m->def[id] + 2, r->inside[i]);
		spb_set_bit(w->p->patched, id);
		for (uint32_t n = m->first_use[id]; n < m->first_use[id + 1]; n++) {
			struct spb_use use = m->use[n];
			if (use.at >= r->begin && use.at < r->end && !spb_region_takes(w->p, r, use.at))
				SPB_PUSH(w->p->arena, &w->p->renamed,
					 ((struct spb_renamed){use.at, use.word, r->inside[i]}));
		}
	}
}

void spb_region_close(struct spb_loop_writer *w, const struct spb_region *r)
{
	const struct spb_module *m = w->m;

	w->place = r->end;
	spb_loop_end_turn(w, &r->loop);
	for (size_t i = 0; i < r->results.count; i++) {
		uint32_t id = r->results.items[i], type = spb_type_of(m, id);
		spb_loop_put(w, SpvOpPhi,
			     W(type, id, r->inside[i], m->words[r->merge + 1], spb_loop_none(w, type),
			       r->loop.label[SPB_LOOP_BODY]));
	}
	spb_loop_close(w, &r->loop);
	for (spb_at at = r->merge; at < r->end; at = spb_next(m, at))
		spb_loop_note_line(w, at);
	spb_loop_put_lines(w, r->end);
}
