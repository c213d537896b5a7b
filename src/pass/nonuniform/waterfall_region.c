/* SPDX-License-Identifier: Apache-2.0 */
/* waterfall_region: one loop around a selection whose branches all make accesses by the same indexes.
 *
 *     OpSelectionMerge %m None                        (the loop begins, as waterfall.c shows it)
 *     OpBranchConditional %c %t %e                    %mine = OpLabel
 *     %t = OpLabel                                    OpSelectionMerge %m None
 *     … an access by %i                               OpBranchConditional %c %t %e
 *     OpBranch %m                                     … the same, by %f
 *     %e = OpLabel                                    %m = OpLabel
 *     … an access by %i                               %y = OpPhi %type %a %t %b %e
 *     OpBranch %m                                     OpBranch %both
 *     %m = OpLabel                                    %both = OpLabel
 *     %x = OpPhi %type %a %t %b %e                    %x = OpPhi %type %y %m %none %body
 *     …                                               … (it ends)
 *
 * Nothing within is moved, so the order of what an invocation does stays. The selection has to be left by its merge
 * block alone; nothing in it may depend on which invocations are there together (barriers, derivatives, subgroup
 * operations, calls), or write variables of the invocation, of which SwiftShader loses what all but the last turn
 * writes. And each way through it has to make an access: otherwise those that make none would cost turns that nobody
 * needs. */
#include "analysis/uniformity/uniformity.h"
#include "pass/nonuniform/waterfall.h"

enum { MOST_BLOCKS = 64, MOST_INSTRUCTIONS = 4096, MOST_ACCESSES = 256 }; /* so that time stays linear */

struct search {
	const struct spb_loops *p;
	const struct spb_module *m;
	const struct spb_region *r;
	spb_at last;                /* the terminator of the header */
	spb_at label[MOST_BLOCKS];  /* of the blocks between */
	bool accesses[MOST_BLOCKS]; /* does it make an access? */
	bool reached[MOST_BLOCKS];  /* without an access on the way */
	uint32_t count;
};

/* Number of the block that a label begins; UINT32_MAX: it is not one of those between. */
static uint32_t number_of(const struct search *s, uint32_t label)
{
	spb_at at = s->m->def[label];
	uint32_t low = 0, high = s->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (s->label[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->count && s->label[low] == at ? low : UINT32_MAX;
}

static bool is_merge(const struct search *s, uint32_t label)
{
	return s->m->def[label] == s->r->merge;
}

/* The blocks between, all of whose instructions are visited. */
static bool find_blocks(struct search *s)
{
	const struct spb_module *m = s->m;
	size_t k = s->r->first;
	uint32_t instructions = 0;

	for (spb_at at = spb_next(m, s->last); at < s->r->merge; at = spb_next(m, at)) {
		if (++instructions > MOST_INSTRUCTIONS)
			return false;
		if (spb_op(m, at) == SpvOpLabel) {
			if (s->count == MOST_BLOCKS)
				return false;
			s->label[s->count++] = at;
		}
		if (k < s->r->end && s->p->accesses.items[k].at == at && s->count) {
			s->accesses[s->count - 1] = true;
			k++;
		}
	}
	return s->count != 0;
}

static bool have_same_indexes(const struct search *s)
{
	const struct spb_waterfall_access *first = &s->p->accesses.items[s->r->first];
	const uint32_t *indexes = s->p->indexes.items;

	for (uint32_t n = 0; n < first->indexes; n++) {
		if (s->m->def[indexes[first->first_index + n]] > s->last)
			return false; /* computed in one of the branches */
	}
	for (size_t k = s->r->first + 1; k < s->r->end; k++) {
		const struct spb_waterfall_access *a = &s->p->accesses.items[k];
		if (a->indexes != first->indexes)
			return false;
		for (uint32_t n = 0; n < a->indexes; n++) {
			if (indexes[a->first_index + n] != indexes[first->first_index + n])
				return false;
		}
	}
	return true;
}

/* Do all labels that an instruction names begin blocks between, or the merge block? */
static bool stays_within(const struct search *s, spb_at at, bool may_leave)
{
	const struct spb_module *m = s->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = spb_operand_is_id(&o) ? m->words[o.word] : 0;
		if (!id || spb_def_op(m, id) != SpvOpLabel)
			continue;
		if (number_of(s, id) == UINT32_MAX && !(may_leave && is_merge(s, id)))
			return false;
	}
	return true;
}

/* Is the result used only between, or by an OpPhi of the merge block? */
static bool is_used_within(const struct search *s, uint32_t id, spb_at behind_phis)
{
	const struct spb_module *m = s->m;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (at >= m->section[SPB_SECTION_FUNCTION] && (at < s->last || at >= behind_phis))
			return false;
	}
	return true;
}

static bool can_be_inside(const struct search *s, spb_at at, spb_at behind_phis)
{
	const struct spb_module *m = s->m;
	uint32_t op = spb_op(m, at), id = spb_result(m, at);

	if (op == SpvOpLabel)
		return true;
	if (op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch)
		return stays_within(s, at, true);
	if (op == SpvOpSelectionMerge || op == SpvOpLoopMerge)
		return stays_within(s, at, false);
	if (spb_op_is(op, SPB_OP_TERMINATOR) || (id && !is_used_within(s, id, behind_phis)))
		return false;
	if (op == SpvOpPhi || op == SpvOpLine || op == SpvOpNoLine || spb_is_remark(m, at))
		return true;
	struct spb_effect effect = spb_waterfall_effect(m, at);
	if (effect.converges || effect.kind == SPB_DOES_STOP ||
	    (effect.kind == SPB_DOES_WRITE && effect.memory != SPB_MEMORY_SHARED))
		return false;
	return effect.memory != SPB_MEMORY_SHARED || !s->p->has_volatile;
}

/* Nothing else may go to the merge block, or name it as its own. */
static bool is_left_by(const struct search *s)
{
	const struct spb_module *m = s->m;
	uint32_t id = m->words[s->r->merge + 1];

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (at < m->section[SPB_SECTION_FUNCTION] || spb_op(m, at) == SpvOpPhi || at == s->r->selection)
			continue;
		if (at < s->last || at > s->r->merge)
			return false;
	}
	return true;
}

/* The first instruction of the merge block that is no OpPhi; 0: an OpPhi cannot be made again, or a loop begins. */
static spb_at behind_phis(const struct search *s)
{
	const struct spb_module *m = s->m;
	spb_at begin = spb_next(m, s->r->merge), at = begin;

	for (; !spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR); at = spb_next(m, at)) {
		uint32_t type = spb_type_of(m, spb_result(m, at));
		if (spb_op(m, at) == SpvOpLoopMerge)
			return 0;
		if (spb_op(m, at) != SpvOpPhi)
			continue;
		if (spb_def_op(m, type) == SpvOpTypePointer || spb_is_opaque_type(m, type) ||
		    spb_bit(s->p->limited, type))
			return 0;
		begin = spb_next(m, at);
	}
	return begin;
}

static bool goes_on(struct search *s, spb_at at, uint32_t *work, uint32_t *count)
{
	const struct spb_module *m = s->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = spb_operand_is_id(&o) ? m->words[o.word] : 0, k;
		if (!id || spb_def_op(m, id) != SpvOpLabel)
			continue;
		if (is_merge(s, id))
			return false;
		k = number_of(s, id);
		if (k == UINT32_MAX || s->reached[k] || s->accesses[k])
			continue;
		s->reached[k] = true;
		work[(*count)++] = k;
	}
	return true;
}

static bool always_accesses(struct search *s)
{
	const struct spb_module *m = s->m;
	uint32_t work[MOST_BLOCKS], count = 0;

	if (!goes_on(s, s->last, work, &count))
		return false;
	while (count) {
		spb_at at = s->label[work[--count]];
		while (!spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR))
			at = spb_next(m, at);
		if (!goes_on(s, at, work, &count))
			return false;
	}
	return true;
}

bool spb_waterfall_region(const struct spb_loops *p, spb_at label, spb_at last, size_t next, struct spb_region *r)
{
	const struct spb_module *m = p->m;
	const struct spb_waterfall_access *a = p->accesses.items;
	struct search s = {.p = p, .m = m, .r = r, .last = last};
	spb_at begin;

	*r = (struct spb_region){.header = label, .first = next};
	if (spb_op(m, last) != SpvOpBranchConditional && spb_op(m, last) != SpvOpSwitch)
		return false;
	for (spb_at at = label; at < last; at = spb_next(m, at))
		r->selection = spb_op(m, at) == SpvOpSelectionMerge ? at : r->selection;
	if (!r->selection)
		return false;
	r->merge = m->def[m->words[r->selection + 1]];
	while (r->first < p->accesses.count && a[r->first].at < last)
		r->first++;
	for (r->end = r->first;
	     r->end < p->accesses.count && a[r->end].at < r->merge && r->end - r->first <= MOST_ACCESSES;)
		r->end++;
	if (r->merge < last || r->end < r->first + 2 || r->end - r->first > MOST_ACCESSES || !have_same_indexes(&s) ||
	    !find_blocks(&s) || !is_left_by(&s) || !stays_within(&s, last, true) || !always_accesses(&s))
		return false;
	begin = behind_phis(&s);
	for (spb_at at = spb_next(m, last); begin && at < r->merge; at = spb_next(m, at)) {
		if (!can_be_inside(&s, at, begin))
			return false;
	}
	return begin != 0;
}

void spb_region_open(struct spb_loop_writer *w, struct spb_region *r)
{
	const struct spb_module *m = w->m;
	const struct spb_waterfall_access *accesses = w->p->accesses.items;

	w->place = r->selection;
	spb_loop_open(w, &r->loop, &accesses[r->first]);
	for (spb_at at = spb_next(m, r->merge); !spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR); at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpPhi)
			spb_loop_none(w, m->words[at + 1]);
	}
	spb_loop_take_turn(w, &r->loop);
	spb_loop_put_lines(w, r->selection);
	w->tail = r->loop.label[SPB_LOOP_MINE];
	for (size_t k = r->first; k < r->end; k++)
		spb_loop_rewrite(w, &r->loop, &accesses[k]);
}

/* What the merge block joins gets another id there, and its own behind the loop's turn. */
void spb_region_close(struct spb_loop_writer *w, const struct spb_region *r)
{
	const struct spb_module *m = w->m;
	spb_at begin = spb_next(m, r->merge);

	for (spb_at at = begin; !spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR); at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpPhi)
			begin = spb_next(m, at);
	}
	w->place = begin;
	spb_loop_end_turn(w, &r->loop);
	for (spb_at at = spb_next(m, r->merge); at < begin; at = spb_next(m, at)) {
		uint32_t type = m->words[at + 1], id = m->words[at + 2], inside;
		if (spb_op(m, at) != SpvOpPhi)
			continue;
		inside = spb_new_id(w->e);
		spb_patch(w->e, at + 2, inside);
		spb_loop_put(
		    w, SpvOpPhi,
		    W(type, id, inside, m->words[r->merge + 1], spb_loop_none(w, type), r->loop.label[SPB_LOOP_BODY]));
		if (spb_decoration(m, id, SpvDecorationRelaxedPrecision))
			spb_add_decoration(w->e, inside, SpvDecorationRelaxedPrecision, NULL, 0);
	}
	spb_loop_close(w, &r->loop);
	w->lines = (struct spb_line_scope){0};
	for (spb_at at = r->merge; at < begin; at = spb_next(m, at))
		spb_loop_note_line(w, at);
	spb_loop_put_lines(w, begin);
}
