/* SPDX-License-Identifier: Apache-2.0 */
/* write: splits blocks at their accesses.
 *
 * A block keeps its label, so that branches to it, and instructions that name it as merge block or continue target,
 * stay valid. Its end gets a new label, which OpPhi instructions in its successors then name. Two rules need care:
 *
 *   - OpLoopMerge stays in the block that the back edge goes to. The rest of a loop header becomes a block of its
 *     own; if it ends in a conditional branch between two blocks of the loop, that becomes a selection whose merge
 *     block is unreachable. The continue target of a single-block loop is the block itself; its last part takes that
 *     role.
 *   - SPIR-V 2.16.1, "Universal Validation Rules": OpSampledImage, and the load of an image, must be in the block
 *     that uses them. If a split comes between, they are repeated.
 *
 * Lines and scopes end with their block, so they are repeated. */
#include "pass/waterfall/loops.h"

static void see_instruction(struct spb_loop_writer *w, spb_at at)
{
	const struct spb_module *m = w->m;

	if (spb_waterfall_makes_opaque(m, at)) {
		bool stale = spb_op(m, at) != SpvOpLoad &&
			     (spb_loop_is_stale(w, m->words[at + 3]) ||
			      (spb_op(m, at) == SpvOpSampledImage && spb_loop_is_stale(w, m->words[at + 4])));
		w->segment_of[m->words[at + 2]] = stale ? w->first_segment : w->segment;
		return;
	}
	if (w->segment == w->first_segment)
		return;
	w->place = at;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = o.kind == SPB_KIND_ID ? m->words[o.word] : 0;
		if (!id || !spb_loop_is_stale(w, id))
			continue;
		uint32_t to = spb_loop_make_again(w, id);
		spb_patch(w->e, o.word, to);
		spb_set_bit(w->p->patched, spb_result(m, at)); /* 0: none */
		w->p->losses.balance[to < m->bound ? to : 0]++;
		spb_lose_use(&w->p->losses, id);
	}
}

static spb_at terminator(const struct spb_module *m, spb_at at)
{
	while (!spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR))
		at = spb_next(m, at);
	return at;
}

/* The first instruction after the OpPhi instructions of a block. In an invalid module, others come after an access. */
static spb_at behind_phis(const struct spb_module *m, spb_at label, spb_at access)
{
	spb_at begin = spb_next(m, label);

	for (spb_at at = begin; at < access; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpPhi)
			begin = spb_next(m, at);
	}
	return begin;
}

/* The label keeps the OpPhi instructions and gets the OpLoopMerge; everything else becomes a block of its own. Returns
 * where that begins. */
static spb_at open_header(struct spb_loop_writer *w, spb_at label, spb_at access, spb_at merge, uint32_t target)
{
	const struct spb_module *m = w->m;
	spb_at begin = behind_phis(m, label, access);

	w->lines = (struct spb_line_scope){0};
	for (spb_at at = label; at < begin; at = spb_next(m, at))
		spb_loop_note_line(w, at);
	w->place = begin;
	w->tail = spb_new_id(w->e);
	spb_loop_begin_segment(w);
	spb_loop_copy(w, merge, 0);
	w->words.items[1] = target;
	spb_loop_put_copy(w, SpvOpLoopMerge);
	spb_loop_put(w, SpvOpBranch, W(w->tail));
	spb_loop_put_label(w, w->tail);
	spb_loop_put_lines(w, begin);
	spb_remove(w->e, merge);
	return begin;
}

/* Writes the end of a block that was a loop header. */
static void close_header(struct spb_loop_writer *w, spb_at label, spb_at merge, uint32_t target, spb_at last)
{
	const struct spb_module *m = w->m;
	uint32_t out = m->words[merge + 1], back = m->words[merge + 2];

	w->place = last;
	if (back == m->words[label + 1]) {
		spb_loop_put(w, SpvOpBranch, W(target));
		spb_loop_put_label(w, target);
		spb_loop_put_lines(w, last);
		w->tail = target;
	} else if (spb_op(m, last) == SpvOpBranchConditional && m->words[last + 2] != out &&
		   m->words[last + 2] != back && m->words[last + 3] != out && m->words[last + 3] != back) {
		uint32_t nowhere = spb_new_id(w->e);
		spb_loop_put(w, SpvOpSelectionMerge, W(nowhere, SpvSelectionControlMaskNone));
		w->place = spb_next(m, last);
		spb_loop_put_label(w, nowhere);
		spb_insert(w->e, w->place, SpvOpUnreachable, NULL, 0);
	}
}

/* An OpPhi names the block from whose end its value comes. */
static void patch_phis(struct spb_loop_writer *w, uint32_t label)
{
	const struct spb_module *m = w->m;

	for (uint32_t i = m->first_use[label]; i < m->first_use[label + 1]; i++) {
		struct spb_use use = m->use[i];
		if (spb_op(m, use.at) == SpvOpPhi && use.word > use.at + 3 && (use.word - use.at) % 2 == 0)
			spb_patch(w->e, use.word, w->tail);
	}
}

/* The instructions of the block from `begin` to `end`, with those accesses that go into loops. */
static void read_block(struct spb_loop_writer *w, spb_at begin, spb_at end, size_t *next)
{
	const struct spb_module *m = w->m;
	struct spb_block *b = &w->block;
	struct spb_line_scope lines = w->lines;
	struct spb_waterfall_access *accesses = w->p->accesses.items;

	b->count = 0;
	for (spb_at at = begin; at < end; at = spb_next(m, at)) {
		struct spb_instruction i = {.at = at, .effect = spb_waterfall_effect(m, at)};
		uint32_t id = spb_result(m, at);
		spb_loop_note_line(w, at);
		if (w->p->has_volatile && i.effect.memory == SPB_MEMORY_SHARED)
			i.effect.kind = SPB_DOES_STOP;
		i.lines = w->lines;
		if (*next < w->p->accesses.count && accesses[*next].at == at)
			i.access = &accesses[(*next)++];
		if (id)
			b->home[id] = (uint32_t)b->count;
		SPB_PUSH(w->p->arena, b, i);
	}
	w->lines = lines;
	spb_waterfall_number(w->p, b);
}

/* Writes a block with accesses, from *next on. */
static void write_block(struct spb_loop_writer *w, spb_at label, spb_at last, size_t *next)
{
	const struct spb_module *m = w->m;
	uint32_t id = m->words[label + 1], target = 0;
	spb_at merge = 0, at = spb_next(m, label);

	for (spb_at i = at; i < last; i = spb_next(m, i)) {
		if (spb_op(m, i) == SpvOpLoopMerge)
			merge = i;
	}
	spb_loop_begin_segment(w);
	w->first_segment = w->segment;
	w->lines = (struct spb_line_scope){0};
	w->tail = id;
	if (merge) {
		target = m->words[merge + 2] == id ? spb_new_id(w->e) : m->words[merge + 2];
		at = open_header(w, label, w->p->accesses.items[*next].at, merge, target);
	}
	read_block(w, at, last, next);
	for (size_t k = 0; k < w->block.count; k++) {
		const struct spb_instruction *i = &w->block.items[k];
		spb_loop_note_line(w, i->at);
		if (i->at == merge || i->gone)
			continue;
		if (i->access)
			spb_loop_write(w, k, spb_waterfall_group(w->p, &w->block, k));
		else
			see_instruction(w, i->at);
	}
	see_instruction(w, last);
	if (merge)
		close_header(w, label, merge, target, last);
	patch_phis(w, id);
}

static void write_function(struct spb_loop_writer *w, const struct spb_function *f, size_t *next)
{
	const struct spb_module *m = w->m;

	for (spb_at at = f->body; at < f->end; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpLabel)
			continue;
		spb_at label = at;
		at = terminator(m, at);
		if (*next < w->p->accesses.count && w->p->accesses.items[*next].at < at)
			write_block(w, label, at, next);
	}
}

/* Is any memory volatile that other invocations can reach? Inputs are not such memory; HelperInvocation of SPIR-V 1.6
 * is one. */
static bool has_volatile(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		spb_at type = m->def[op == SpvOpDecorate ? spb_type_of(m, m->words[at + 1]) : 0];
		if (op == SpvOpDecorate && m->words[at + 2] == SpvDecorationVolatile &&
		    !(spb_op(m, type) == SpvOpTypePointer && m->words[type + 2] == SpvStorageClassInput))
			return true;
		if (op == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationVolatile)
			return true;
	}
	return false;
}

static void put_gradient(void *to, uint32_t op, const uint32_t *operands, uint32_t count)
{
	spb_loop_put(to, op, operands, count);
}

void spb_waterfall_write(struct spb_loops *p)
{
	const struct spb_module *m = p->m;
	struct spb_loop_writer w = {.p = p,
				    .m = m,
				    .e = p->e,
				    .gradients = {.m = m, .e = p->e, .put = put_gradient, .to = &w},
				    .debug_set = spb_debug_set(m)};
	size_t next = 0;

	w.segment_of = spb_alloc_zeroed(p->arena, m->bound, sizeof *w.segment_of);
	w.again = spb_alloc_zeroed(p->arena, m->bound, sizeof *w.again);
	w.again_in = spb_alloc_zeroed(p->arena, m->bound, sizeof *w.again_in);
	uint32_t **arrays[] = {&w.to, &w.to_in, &w.index, &w.index_in};
	for (size_t i = 0; i < SPB_COUNT(arrays); i++)
		*arrays[i] = spb_alloc_zeroed(p->arena, m->bound, sizeof **arrays[i]);
	spb_values_allocate(p->arena, &w.block, m->bound);
	p->has_volatile = has_volatile(m);
	for (uint32_t f = 0; f < m->function_count && next < p->accesses.count; f++)
		write_function(&w, &m->function[f], &next);
	assert(next == p->accesses.count);
}
