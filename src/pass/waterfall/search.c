/* SPDX-License-Identifier: Apache-2.0 */
/* search: finds regions: blocks, one behind the other, that share a loop.
 *
 * A region begins at an access, or at a selection, and goes over selections, one behind the other, to an access of the
 * block in which the last of them merges, or to the beginning of that block. Nothing within is moved, so the order of
 * what an invocation does stays. Each selection has to be left by its merge block alone; nothing within may depend on
 * which invocations are there together (barriers, derivatives, subgroup operations, calls), unless it can go before the
 * region (early.c). And each way through it has to make an access: otherwise those that make none would cost turns that
 * nobody needs.
 *
 * Indexes are compared by value (values.c), and each has to be known before the region, or to be something
 * that can be computed there (early.c); so do the coordinates of accesses with an implicit level of detail,
 * whose derivatives are taken there, where all invocations of the quad are.
 *
 * Accesses that use other indexes in between have their turn in the same loop, which then goes by all of these indexes:
 *
 *     t[i]  u[j]  if (c) { t[i]  u[j] }        one loop, in which i and j both are those of the first invocation
 *
 * An invocation still has one turn, so there are never more turns than invocations. That is done where the indexes
 * alternate, and each is used twice on average: what comes before the first access by any of the indexes that are used
 * at the end, or behind the last one, is no part of the region. */
#include "analysis/uniformity/uniformity.h"
#include "pass/waterfall/loops.h"

enum {                           /* so that time stays linear */
       MOST_BLOCKS = 64,         /* of one selection */
       MOST_INSTRUCTIONS = 4096, /* of the region */
       MOST_BETWEEN = 256,       /* instructions of a block, or of a selection, without an access */
       MOST_ACCESSES = 256,
       MOST_SELECTIONS = 16,
       MOST_SETS = 4,
       MOST_COPIES = 8 /* of a copy that are looked at */
};

struct end { /* where the region may end */
	spb_at merge, at;
	size_t first, access; /* its accesses: from `first` to before `access` */
	uint32_t indexes;     /* bits: which of search.index it uses */
	uint32_t moves;
	bool always; /* does each way from the first selection to there make an access? */
};

struct search {
	struct spb_loops *p;
	const struct spb_module *m;
	struct spb_block *values;
	spb_at begin; /* as far as is known; 0: nothing can be inside so far */
	spb_at first_selection;
	size_t first,
	    behind;     /* the first access at or behind `begin`, and behind the block in which the region begins */
	uint32_t clock; /* of the values, at `begin` */
	bool between;   /* are we between the branch and the merge block of a selection? */
	bool written;   /* has something that others can reach been written since `begin`? */
	spb_at moved[SPB_REGION_MOVED];
	uint32_t moves;

	/* The indexes of all accesses; which of them are used together, and in which part of the sequence. Parts have
	 * no index in common: one is over when the next begins. */
	uint32_t index[SPB_WATERFALL_INDEXES], indexes;
	struct {
		uint32_t indexes, part;
	} set[MOST_SETS];
	uint32_t sets, parts;
	size_t part_first[MOST_SETS];

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

static bool is_loop_header(const struct spb_module *m, spb_at label)
{
	spb_at at = label;

	while (spb_op(m, at) != SpvOpLoopMerge && !spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR))
		at = spb_next(m, at);
	return spb_op(m, at) == SpvOpLoopMerge;
}

/* Accesses of the region */

static bool is_early(const struct search *s, uint32_t id)
{
	return spb_is_early(s->m, s->values, (struct spb_early){s->begin, s->clock, !s->between}, id);
}

/* Can the derivatives be taken before the region? */
static bool derives_early(const struct search *s, spb_at at)
{
	uint32_t bias;

	if (!spb_waterfall_explicit(spb_op(s->m, at)))
		return true;
	bias = spb_waterfall_bias(s->m, at);
	return is_early(s, s->m->words[at + 4]) && (!bias || is_early(s, bias));
}

/* Bit of an index, which is entered if it is new; 0: that cannot be. */
static uint32_t enter_index(struct search *s, uint32_t id)
{
	uint32_t n = 0;

	while (n < s->indexes && spb_waterfall_value(s->values, s->index[n]) != spb_waterfall_value(s->values, id))
		n++;
	if (n == s->indexes) {
		if (n == SPB_WATERFALL_INDEXES || !is_early(s, id))
			return 0;
		s->index[s->indexes++] = id;
	}
	return 1u << n;
}

/* A set that was there before: the parts since then have become one. */
static bool enter_set(struct search *s, uint32_t indexes, size_t k)
{
	uint32_t n = 0;

	while (n < s->sets && s->set[n].indexes != indexes)
		n++;
	if (n < s->sets) {
		uint32_t part = s->set[n].part;
		for (uint32_t i = 0; i < s->sets; i++)
			s->set[i].part = s->set[i].part > part ? part : s->set[i].part;
		s->parts = part + 1;
		return true;
	}
	if (n == MOST_SETS)
		return false;
	s->set[s->sets++].indexes = indexes;
	s->set[n].part = s->parts;
	s->part_first[s->parts++] = k;
	return true;
}

/* Adds access `k`; false: that cannot be. */
static bool join(struct search *s, size_t k)
{
	const struct spb_waterfall_access *a = &s->p->accesses.items[k];
	uint32_t indexes = 0;

	if (k - s->first >= MOST_ACCESSES || !derives_early(s, a->at))
		return false;
	for (uint32_t n = 0; n < a->indexes; n++) {
		uint32_t bit = enter_index(s, s->p->indexes.items[a->first_index + n]);
		if (!bit)
			return false;
		indexes |= bit;
	}
	return enter_set(s, indexes, k);
}

/* Begins a region anew. */
static void begin_at(struct search *s, spb_at at, size_t k)
{
	s->begin = at;
	s->clock = s->values->clock;
	s->first = k;
	s->indexes = s->sets = s->parts = s->moves = 0;
	s->written = false;
}

/* What can be within */

/* Do all labels that an instruction names begin blocks between, or the merge block? */
static bool stays_within(const struct search *s, spb_at at, bool may_leave)
{
	const struct spb_module *m = s->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word];
		if (!spb_operand_is_id(&o) || spb_def_op(m, id) != SpvOpLabel)
			continue;
		if (number_of(s, id) == UINT32_MAX && !(may_leave && is_merge(s, id)))
			return false;
	}
	return true;
}

/* What invocations do together, and is no access, may go before the region. */
static bool can_go_before(struct search *s, spb_at at, struct spb_effect effect)
{
	struct spb_early begin = {s->begin, s->clock, !s->between};

	if (!s->begin || s->moves == SPB_REGION_MOVED || !spb_can_go_early(s->m, s->values, begin, at) ||
	    (effect.memory == SPB_MEMORY_SHARED && s->written))
		return false;
	s->moved[s->moves++] = at;
	return true;
}

static bool can_be_inside(struct search *s, spb_at at, bool accesses)
{
	const struct spb_module *m = s->m;
	struct spb_effect effect = spb_waterfall_effect(m, at);

	if (spb_op(m, at) == SpvOpPhi)
		return true;
	if (effect.kind == SPB_DOES_STOP || (effect.memory == SPB_MEMORY_SHARED && s->p->has_volatile))
		return false;
	/* an access that derives has an explicit form: read.c */
	return !effect.converges || accesses || can_go_before(s, at, effect);
}

static void see(struct search *s, spb_at at)
{
	struct spb_effect effect = {SPB_DOES_REMARK, false, SPB_MEMORY_CONSTANT};

	if (spb_op(s->m, at) != SpvOpPhi)
		effect = spb_waterfall_effect(s->m, at);
	spb_values_see(s->p, s->values, at, effect);
	s->written |= effect.kind == SPB_DOES_WRITE && effect.memory == SPB_MEMORY_SHARED;
}

/* Can an instruction between the branch and the merge block of a selection be inside? */
static bool can_be_between(struct search *s, spb_at at, bool accesses)
{
	uint32_t op = spb_op(s->m, at);

	if (op == SpvOpLabel) {
		spb_values_join(s->values, is_loop_header(s->m, at));
		return true;
	}
	if (op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch)
		return stays_within(s, at, true);
	if (op == SpvOpSelectionMerge || op == SpvOpLoopMerge)
		return stays_within(s, at, false);
	if (spb_op_is(op, SPB_OP_TERMINATOR) || !can_be_inside(s, at, accesses))
		return false;
	see(s, at);
	return true;
}

/* The blocks between; *next: the first access behind them. */
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

/* Can all that is in these blocks be inside? */
static bool take_blocks(struct search *s)
{
	size_t k = s->access;

	s->between = true;
	for (spb_at at = spb_next(s->m, s->last); at < s->merge; at = spb_next(s->m, at)) {
		bool accesses = at == access_at(s, k);
		if (accesses && !join(s, k++))
			return false;
		if (!can_be_between(s, at, accesses))
			return false;
	}
	s->between = false;
	return true;
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
		uint32_t id = m->words[o.word];
		if (!spb_operand_is_id(&o) || spb_def_op(m, id) != SpvOpLabel)
			continue;
		if (is_merge(s, id))
			return false;
		uint32_t k = number_of(s, id);
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
	return (op == SpvOpBranchConditional || op == SpvOpSwitch) && s->merge > s->last && find_blocks(s, next) &&
	       is_left_by(s) && stays_within(s, s->last, true) && take_blocks(s);
}

/* Ends */

/* The region may end before `at`, if its last part is one: it begins in the block where the search does, and uses each
 * set of indexes twice on average. */
static void note_end(struct search *s, spb_at at, size_t access, bool always)
{
	uint32_t part = s->parts - 1, sets = 0, indexes = 0;

	if (!s->parts)
		return;
	size_t first = s->part_first[part];
	for (uint32_t n = 0; n < s->sets; n++) {
		if (s->set[n].part != part)
			continue;
		indexes |= s->set[n].indexes;
		sets++;
	}
	if (access - first < 2 * sets || first > s->behind)
		return;
	if (!s->ends || s->end[s->ends - 1].merge != s->merge)
		s->ends++;
	s->end[s->ends - 1] = (struct end){s->merge, at, first, access, indexes, s->moves, always};
}

/* Goes on in the block where the selection merges, over all that can be inside, and to the next selection, if all
 * before that can. Returns whether there is one. */
static bool take_merge_block(struct search *s, size_t *access, bool *always)
{
	const struct spb_module *m = s->m;
	spb_at behind = spb_behind_phis(m, s->merge);
	uint32_t gap = 0;

	spb_values_join(s->values, false);
	if (*access > s->access)
		note_end(s, behind, *access, *always);
	for (s->last = spb_next(m, s->merge); !spb_op_is(spb_op(m, s->last), SPB_OP_TERMINATOR);
	     s->last = spb_next(m, s->last)) {
		bool accesses = s->last == access_at(s, *access);
		if (spb_op(m, s->last) == SpvOpSelectionMerge) {
			s->selection = s->last;
			s->last = spb_next(m, s->last);
			return s->instructions < MOST_INSTRUCTIONS;
		}
		s->instructions++;
		if (++gap > MOST_BETWEEN || !can_be_inside(s, s->last, accesses) || (accesses && !join(s, *access)))
			return false;
		see(s, s->last);
		if (!accesses)
			continue;
		gap = 0;
		++*access;
		*always = true;
		note_end(s, spb_next(m, s->last), *access, true);
	}
	return false;
}

/* All places where a region can end; `next`: the first access behind the branch of the selection. */
static void find_ends(struct search *s, size_t next)
{
	bool always = false;

	while (s->ends < MOST_SELECTIONS && take_selection(s, &next) && !is_loop_header(s->m, s->merge)) {
		always |= next > s->access && always_accesses(s);
		if (!take_merge_block(s, &next, &always))
			return;
	}
}

/* From which access of the block on can all be in the region? If there is none, it begins at the selection. */
static void find_begin(struct search *s, spb_at from, size_t next)
{
	uint32_t gap = 0;

	spb_values_begin(s->values);
	for (spb_at at = from; at < s->selection; at = spb_next(s->m, at)) {
		bool accesses = at == access_at(s, next);
		if (!can_be_inside(s, at, accesses) || ++gap > MOST_BETWEEN)
			s->begin = 0;
		if (accesses) {
			gap = 0;
			if (!s->begin || !join(s, next)) {
				begin_at(s, at, next);
				s->begin = can_be_inside(s, at, true) && join(s, next) ? at : 0;
			}
			next++;
		}
		see(s, at);
	}
	if (!s->begin)
		begin_at(s, s->selection, next);
	s->behind = next;
}

/* What comes out of a region */

/* What uses a copy in an access may use the original in a loop. */
static bool is_used_behind(const struct spb_module *m, uint32_t id, const struct spb_region *r, uint32_t copies)
{
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (at >= m->section[SPB_SECTION_FUNCTION] && (at < r->begin || at >= r->end))
			return true;
		if (spb_op(m, at) == SpvOpCopyObject &&
		    (copies == MOST_COPIES || is_used_behind(m, m->words[at + 2], r, copies + 1)))
			return true;
	}
	return false;
}

bool spb_region_moves(const struct spb_region *r, spb_at at)
{
	for (uint32_t i = 0; i < r->moves; i++) {
		if (r->moved[i] == at)
			return true;
	}
	return false;
}

const struct spb_waterfall_access *spb_waterfall_access_at(const struct spb_loops *p, spb_at at)
{
	size_t low = 0, high = p->accesses.count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (p->accesses.items[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->accesses.count && p->accesses.items[low].at == at ? &p->accesses.items[low] : NULL;
}

/* Does a chain select by an index of the access? Then the access makes it again. */
static bool selects_for(const struct spb_loops *p, spb_at chain, const struct spb_waterfall_access *a)
{
	const struct spb_module *m = p->m;

	for (uint32_t w = chain + 4, end = spb_waterfall_selection(m, chain); w < end; w++) {
		uint32_t source = spb_waterfall_source(m, m->words[w]);
		for (uint32_t n = 0; n < a->indexes; n++) {
			if (p->indexes.items[a->first_index + n] == source)
				return true;
		}
	}
	return false;
}

/* Of a region: what an invalid module uses in it and defines behind it cannot. */
static bool can_come_out(const struct search *s, const struct spb_region *r, uint32_t id)
{
	return s->m->def[id] < r->end && spb_waterfall_can_come_out(s->p, id);
}

/* A pointer or image that spirv-opt has left to accesses in several blocks cannot come out; but all that use it behind
 * the region may make it again, from what can come out. */
static bool is_made_again_behind(const struct search *s, uint32_t id, const struct spb_region *r)
{
	const struct spb_module *m = s->m;
	spb_at at = m->def[id], chain = spb_op(m, at) == SpvOpLoad ? m->def[m->words[at + 3]] : at;

	if (!spb_waterfall_is_path(m, id) || !spb_op_is(spb_op(m, chain), SPB_OP_CHAIN))
		return false;
	for (struct spb_operand o = spb_operands(m, chain); spb_operand_next(&o);) {
		uint32_t operand = m->words[o.word];
		if (o.kind == SPB_KIND_ID && m->def[operand] >= r->begin &&
		    (!can_come_out(s, r, operand) || !can_come_out(s, r, spb_waterfall_source(m, operand))))
			return false;
	}
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at use = m->use[i].at;
		if (use < m->section[SPB_SECTION_FUNCTION] || (use >= r->begin && use < r->end))
			continue;
		const struct spb_waterfall_access *a = spb_waterfall_access_at(s->p, use);
		if (!a || !selects_for(s->p, chain, a))
			return false;
	}
	return true;
}

static void bring_out(const struct search *s, struct spb_region *r, uint32_t id)
{
	uint32_t *home = &s->values->home[id];

	if (*home < r->results.count && r->results.items[*home] == id)
		return;
	*home = (uint32_t)r->results.count;
	SPB_PUSH(s->p->arena, &r->results, id);
}

/* What a pointer is made from. */
static void bring_operands_out(const struct search *s, struct spb_region *r, spb_at at)
{
	const struct spb_module *m = s->m;

	if (spb_op(m, at) == SpvOpLoad)
		at = m->def[m->words[at + 3]];
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind != SPB_KIND_ID)
			continue;
		uint32_t id = m->words[o.word], source = spb_waterfall_source(m, id);
		if (m->def[id] >= r->begin && !spb_region_moves(r, m->def[id]))
			bring_out(s, r, id);
		if (m->def[source] >= r->begin && !spb_region_moves(r, m->def[source]))
			bring_out(s, r, source);
	}
}

/* Finds what comes out of a region; false: that cannot be. */
static bool find_results(const struct search *s, struct spb_region *r)
{
	const struct spb_module *m = s->m;

	r->results.count = 0;
	for (spb_at at = r->begin; at < r->end; at = spb_next(m, at)) {
		uint32_t id = spb_op(m, at) == SpvOpLabel || spb_is_non_semantic(m, at) ? 0 : spb_result(m, at);
		if (!id || !is_used_behind(m, id, r, 0) || spb_region_moves(r, at))
			continue;
		if (is_made_again_behind(s, id, r))
			bring_operands_out(s, r, at);
		else if (spb_waterfall_can_come_out(s->p, id))
			bring_out(s, r, id);
		else
			return false;
	}
	return true;
}

static bool take(const struct search *s, const struct end *e, size_t first, struct spb_region *r)
{
	r->begin = first == s->behind ? s->first_selection : access_at(s, first);
	r->early = (struct spb_early){r->begin, s->clock, true};
	r->first = first;
	r->merge = e->merge;
	r->end = e->at;
	r->last = e->access;
	r->indexes = r->moves = 0;
	for (uint32_t i = 0; i < e->moves; i++) {
		if (s->moved[i] > r->begin)
			r->moved[r->moves++] = s->moved[i];
	}
	for (uint32_t n = 0; n < s->indexes; n++) {
		if (e->indexes & 1u << n)
			r->index[r->indexes++] = s->index[n];
	}
	return (e->always || first < s->behind) && r->last - first >= 2 && find_results(s, r);
}

bool spb_waterfall_region(struct spb_loops *p, struct spb_block *values, spb_at from, spb_at last, size_t next,
			  struct spb_region *r)
{
	const struct spb_module *m = p->m;
	struct search s = {.p = p, .m = m, .values = values, .last = last};
	size_t behind = next;

	for (spb_at at = from; at < last; at = spb_next(m, at))
		s.selection = spb_op(m, at) == SpvOpSelectionMerge ? at : s.selection;
	while (access_at(&s, behind) < last)
		behind++;
	if (!s.selection || behind == p->accesses.count)
		return false;
	s.first_selection = r->selection = s.selection;
	if (behind == next && p->accesses.items[behind].at > m->def[m->words[s.selection + 1]])
		return false;
	find_begin(&s, from, next);
	if (s.begin == s.selection && p->accesses.items[behind].at > m->def[m->words[s.selection + 1]])
		return false;
	find_ends(&s, s.behind);
	for (uint32_t i = s.ends; i--;) {
		if (take(&s, &s.end[i], s.end[i].first, r))
			return true;
	}
	for (uint32_t i = s.sets == 1 ? s.ends : 0; i--;) { /* without what is before the selection */
		if (take(&s, &s.end[i], s.behind, r))
			return true;
	}
	return false;
}
