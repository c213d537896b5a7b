/* SPDX-License-Identifier: Apache-2.0 */
/* waterfall_region: one loop around blocks that follow one another and make accesses by the same indexes.
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
 * A region begins at an access, or at a selection, and goes over selections, one behind the other, to an access of the
 * block in which the last of them merges, or to the beginning of that block. Nothing within is moved, so the order of
 * what an invocation does stays. Each selection has to be left by its merge block alone; nothing may depend on which
 * invocations are there together (barriers, derivatives, subgroup operations, calls). And each way through it has to
 * make an access: otherwise those that make none would cost turns that nobody needs. What is used behind the region
 * gets another id within, and its own from an OpPhi behind the loop's turn. */
#include "analysis/uniformity/uniformity.h"
#include "pass/nonuniform/waterfall.h"

enum {                           /* so that time stays linear */
       MOST_BLOCKS = 64,         /* of one selection */
       MOST_INSTRUCTIONS = 4096, /* of the region */
       MOST_BETWEEN = 256,       /* instructions of a block, or of a selection, without an access */
       MOST_ACCESSES = 256,
       MOST_SELECTIONS = 16
};

struct end { /* where the region may end */
	spb_at merge, at;
	size_t access;
	bool always; /* does each way to there make an access, if the region begins at a selection? */
};

struct search {
	const struct spb_loops *p;
	const struct spb_module *m;
	size_t first; /* the first access behind the block in which the region begins; it gives the indexes */
	struct end end[MOST_SELECTIONS];
	uint32_t ends, instructions;

	/* of the current selection */
	spb_at selection, last, merge; /* OpSelectionMerge, the branch, and the label where it merges */
	size_t access;                 /* the first access behind the branch */
	spb_at label[MOST_BLOCKS];     /* of the blocks between */
	bool accesses[MOST_BLOCKS];    /* does it make an access? */
	bool reached[MOST_BLOCKS];     /* without an access on the way */
	uint32_t count;
};

static spb_at access_at(const struct search *s, size_t k)
{
	return k < s->p->accesses.count ? s->p->accesses.items[k].at : UINT32_MAX;
}

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
	return s->m->def[label] == s->merge;
}

/* The blocks between, all of whose instructions are visited; *next: the first access behind them. */
static bool find_blocks(struct search *s, size_t *next)
{
	const struct spb_module *m = s->m;
	uint32_t before = s->instructions;
	bool loops = false;

	s->count = 0;
	for (spb_at at = spb_next(m, s->last); at < s->merge; at = spb_next(m, at)) {
		if (++s->instructions > MOST_INSTRUCTIONS)
			return false;
		loops |= spb_op(m, at) == SpvOpLoopMerge;
		if (spb_op(m, at) == SpvOpLabel) {
			if (s->count == MOST_BLOCKS)
				return false;
			s->accesses[s->count] = s->reached[s->count] = false;
			s->label[s->count++] = at;
		}
		if (at == access_at(s, *next) && s->count) {
			s->accesses[s->count - 1] = true;
			++*next;
		}
	}
	return s->count && (*next > s->access || (!loops && s->instructions - before <= MOST_BETWEEN));
}

/* Does an access use the indexes of the region? */
static bool has_indexes(const struct search *s, size_t k)
{
	const struct spb_waterfall_access *first = &s->p->accesses.items[s->first], *a = &s->p->accesses.items[k];
	const uint32_t *indexes = s->p->indexes.items;

	if (a->indexes != first->indexes)
		return false;
	for (uint32_t n = 0; n < a->indexes; n++) {
		if (indexes[a->first_index + n] != indexes[first->first_index + n])
			return false;
	}
	return true;
}

static bool is_index(const struct search *s, uint32_t id)
{
	const struct spb_waterfall_access *first = &s->p->accesses.items[s->first];
	bool is = false;

	for (uint32_t n = 0; id && n < first->indexes; n++)
		is |= s->p->indexes.items[first->first_index + n] == id;
	return is;
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

static bool can_be_inside(const struct search *s, spb_at at)
{
	const struct spb_module *m = s->m;
	uint32_t op = spb_op(m, at);

	if (op == SpvOpPhi || op == SpvOpLine || op == SpvOpNoLine || spb_is_remark(m, at))
		return true;
	if (is_index(s, spb_result(m, at)))
		return false;
	struct spb_effect effect = spb_waterfall_effect(m, at);
	if (effect.converges || effect.kind == SPB_DOES_STOP)
		return false;
	return effect.memory != SPB_MEMORY_SHARED || !s->p->has_volatile;
}

/* The same for what is between the branch and the merge block of a selection. */
static bool can_be_between(const struct search *s, spb_at at)
{
	uint32_t op = spb_op(s->m, at);

	if (op == SpvOpLabel)
		return true;
	if (op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch)
		return stays_within(s, at, true);
	if (op == SpvOpSelectionMerge || op == SpvOpLoopMerge)
		return stays_within(s, at, false);
	return !spb_op_is(op, SPB_OP_TERMINATOR) && can_be_inside(s, at);
}

/* Nothing else may go to the merge block, or name it as its own. */
static bool is_left_by(const struct search *s)
{
	const struct spb_module *m = s->m;
	uint32_t id = m->words[s->merge + 1];

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (at < m->section[SPB_SECTION_FUNCTION] || spb_op(m, at) == SpvOpPhi || at == s->selection)
			continue;
		if (at < s->last || at > s->merge)
			return false;
	}
	return true;
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

/* Can the loop be around the selection? Finds where it merges; *next: the first access there or behind. */
static bool take_selection(struct search *s, size_t *next)
{
	const struct spb_module *m = s->m;
	uint32_t op = spb_op(m, s->last);

	s->merge = m->def[m->words[s->selection + 1]];
	s->access = *next;
	if ((op != SpvOpBranchConditional && op != SpvOpSwitch) || s->merge < s->last || !find_blocks(s, next) ||
	    !is_left_by(s) || !stays_within(s, s->last, true))
		return false;
	for (size_t k = s->access; k < *next; k++) {
		if (!has_indexes(s, k))
			return false;
	}
	for (spb_at at = spb_next(m, s->last); at < s->merge; at = spb_next(m, at)) {
		if (!can_be_between(s, at))
			return false;
	}
	return true;
}

/* Goes on in the block where the selection merges: to its last access that can be inside, and to the next selection,
 * if all before that can. Returns whether there is one. */
static bool take_merge_block(struct search *s, struct end *e)
{
	const struct spb_module *m = s->m;
	uint32_t gap = 0;

	e->merge = s->merge;
	e->at = spb_next(m, s->merge);
	for (spb_at at = e->at; !spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR); at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpPhi)
			e->at = spb_next(m, at);
	}
	for (s->last = e->at; !spb_op_is(spb_op(m, s->last), SPB_OP_TERMINATOR); s->last = spb_next(m, s->last)) {
		bool accesses = s->last == access_at(s, e->access);
		if (spb_op(m, s->last) == SpvOpSelectionMerge) {
			s->selection = s->last;
			s->last = spb_next(m, s->last);
			return s->instructions < MOST_INSTRUCTIONS;
		}
		s->instructions++;
		if (++gap > MOST_BETWEEN || !can_be_inside(s, s->last) || (accesses && !has_indexes(s, e->access)))
			return false;
		if (!accesses)
			continue;
		gap = 0;
		e->access++;
		e->at = spb_next(m, s->last);
		e->always = true;
	}
	return false;
}

static bool is_loop_header(const struct spb_module *m, spb_at label)
{
	spb_at at = label;

	while (spb_op(m, at) != SpvOpLoopMerge && !spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR))
		at = spb_next(m, at);
	return spb_op(m, at) == SpvOpLoopMerge;
}

/* All places where a region can end that begins before the selection. */
static void find_ends(struct search *s, size_t next)
{
	struct end e = {.access = next};

	while (s->ends < MOST_SELECTIONS && take_selection(s, &e.access) && !is_loop_header(s->m, s->merge)) {
		size_t before = s->access;
		e.always |= e.access > before && always_accesses(s);
		bool more = take_merge_block(s, &e);
		if (e.access > before)
			s->end[s->ends++] = e;
		if (!more)
			return;
	}
}

/* The first access of the block from which on all can be in the region; if there is none, the selection. */
static spb_at find_begin(const struct search *s, spb_at from, size_t next)
{
	spb_at begin = 0;
	uint32_t gap = 0;

	for (spb_at at = from; at < s->selection; at = spb_next(s->m, at)) {
		bool accesses = at == access_at(s, next);
		if (!can_be_inside(s, at) || (accesses && !has_indexes(s, next)) || ++gap > MOST_BETWEEN)
			begin = 0;
		else if (accesses && !begin)
			begin = at;
		gap = accesses ? 0 : gap;
		next += accesses;
	}
	return begin ? begin : s->selection;
}

/* Can an OpPhi behind the loop give what the instruction has found? */
static bool can_come_out(const struct search *s, uint32_t id)
{
	const struct spb_module *m = s->m;
	uint32_t type = spb_type_of(m, id);

	if (!type || spb_def_op(m, type) == SpvOpTypePointer || spb_is_opaque_type(m, type) ||
	    spb_bit(s->p->limited, type))
		return false;
	for (uint32_t n = m->first_note[id]; n < m->first_note[id + 1]; n++) {
		spb_at at = m->note[n].at;
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] != SpvDecorationRelaxedPrecision &&
		    m->words[at + 2] != SpvDecorationNonUniform)
			return false;
	}
	return true;
}

static bool is_used_behind(const struct spb_module *m, uint32_t id, const struct spb_region *r)
{
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (at >= m->section[SPB_SECTION_FUNCTION] && (at < r->begin || at >= r->end))
			return true;
	}
	return false;
}

/* Finds what comes out of a region; false: that cannot be. */
static bool find_results(const struct search *s, struct spb_region *r)
{
	const struct spb_module *m = s->m;

	r->results.count = 0;
	for (spb_at at = r->begin; at < r->end; at = spb_next(m, at)) {
		uint32_t id = spb_op(m, at) == SpvOpLabel || spb_is_remark(m, at) ? 0 : spb_result(m, at);
		if (!id || !is_used_behind(m, id, r))
			continue;
		if (!can_come_out(s, id))
			return false;
		SPB_PUSH(s->p->arena, &r->results, id);
	}
	return true;
}

/* The longest region that begins there; false: none has two accesses, and one on each way. */
static bool take_longest(const struct search *s, spb_at begin, size_t first, struct spb_region *r)
{
	r->begin = begin;
	r->first = first;
	for (uint32_t i = s->ends; i--;) {
		const struct end *e = &s->end[i];
		r->merge = e->merge;
		r->end = e->at;
		r->last = e->access;
		if (r->last - r->first >= 2 && r->last - r->first <= MOST_ACCESSES &&
		    (e->always || begin != r->selection) && find_results(s, r))
			return true;
	}
	return false;
}

bool spb_waterfall_region(const struct spb_loops *p, spb_at from, spb_at last, size_t next, struct spb_region *r)
{
	const struct spb_module *m = p->m;
	struct search s = {.p = p, .m = m, .first = next, .last = last};
	const struct spb_waterfall_access *first;

	for (spb_at at = from; at < last; at = spb_next(m, at))
		s.selection = spb_op(m, at) == SpvOpSelectionMerge ? at : s.selection;
	while (access_at(&s, s.first) < last)
		s.first++;
	if (!s.selection || s.first == p->accesses.count)
		return false;
	first = &p->accesses.items[s.first];
	for (uint32_t n = 0; n < first->indexes; n++) {
		if (m->def[p->indexes.items[first->first_index + n]] > last)
			return false; /* computed behind the block */
	}
	r->selection = s.selection;
	spb_at begin = find_begin(&s, from, next);
	if (begin == s.selection && first->at > m->def[m->words[s.selection + 1]])
		return false;
	find_ends(&s, s.first);
	while (access_at(&s, next) < begin)
		next++;
	return take_longest(&s, begin, next, r) ||
	       (begin != r->selection && take_longest(&s, r->selection, s.first, r));
}

bool spb_region_accesses(const struct spb_loops *p, const struct spb_region *r, spb_at at)
{
	size_t low = r->first, high = r->last;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (p->accesses.items[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->last && p->accesses.items[low].at == at;
}

void spb_region_open(struct spb_loop_writer *w, struct spb_region *r)
{
	const struct spb_module *m = w->m;
	const struct spb_waterfall_access *accesses = w->p->accesses.items;

	w->place = r->begin;
	spb_loop_open(w, &r->loop, &accesses[r->first]);
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
		spb_loop_rewrite(w, &r->loop, &accesses[k]);
}

void spb_region_rename(struct spb_loop_writer *w, struct spb_region *r)
{
	const struct spb_module *m = w->m;

	r->inside = spb_alloc_zeroed(w->p->arena, r->results.count, sizeof *r->inside);
	for (size_t i = 0; i < r->results.count; i++) {
		uint32_t id = r->results.items[i];
		r->inside[i] = w->inside[id];
		w->inside[id] = 0;
		if (!spb_region_accesses(w->p, r, m->def[id]))
			spb_patch(w->e, m->def[id] + 2, r->inside[i]);
		spb_set_bit(w->p->patched, id);
		for (uint32_t n = m->first_use[id]; n < m->first_use[id + 1]; n++) {
			struct spb_use use = m->use[n];
			if (use.at >= r->begin && use.at < r->end && !spb_region_accesses(w->p, r, use.at))
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
	w->lines = (struct spb_line_scope){0};
	for (spb_at at = r->merge; at < r->end; at = spb_next(m, at))
		spb_loop_note_line(w, at);
	spb_loop_put_lines(w, r->end);
}
