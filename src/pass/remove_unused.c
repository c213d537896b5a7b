/* SPDX-License-Identifier: Apache-2.0 */
/* remove-unused: removes the resources in u->placed.removed, with everything that refers to them.
 *
 *     OpName %b "b"                               (gone)
 *     %b = OpVariable %ptr Uniform                (gone)
 *     OpSelectionMerge %merge None                OpSelectionMerge %merge None
 *     OpBranchConditional %false %then %merge     OpBranchConditional %false %then %merge
 *     %then = OpLabel                             %then = OpLabel
 *     %p = OpAccessChain %ptr_float %b %0         OpUnreachable
 *     OpStore %p %x
 *     OpBranch %merge
 *     %merge = OpLabel                            %merge = OpLabel
 *
 * Dead code that names them is removed as well, and no other dead code: an unreachable function is removed as a whole,
 * with its callers; in a reachable function all dead blocks are cut. Live code stays as it is, so the blocks it names
 * must stay: a dead block that is a branch target or merge block becomes OpUnreachable, and a dead continue target
 * branches back to its loop. Other dead blocks are removed. But in the continue construct of a live loop no block may
 * end in OpUnreachable, because the back edge must post-dominate it (SPIR-V 2.11, "Structured Control Flow"). Dead
 * blocks there keep their branches and lose the rest. An OpPhi loses the pairs for blocks that no longer branch to it;
 * remaining values that were defined in dead code become OpUndef.
 *
 * Debug information names DebugInfoNone in place of a removed variable, or is removed with it. Refuses nothing. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "pass/pass.h"

enum fate { GONE, STOP, BACK, FRAME }; /* fate of a dead block */

struct block {
	uint32_t id;
	spb_at begin; /* including the lines before the label */
	spb_at label;
	spb_at merge; /* 0: none */
	spb_at last;  /* its terminator */
	bool live, seen;
	enum fate fate;
	uint32_t header; /* BACK: the loop */
};

struct plan {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_arena *arena;
	const uint32_t *used; /* bits over ids, of spb_find_used */
	uint32_t *gone;       /* bits over ids */
	struct {              /* the same as a list */
		uint32_t *items;
		size_t count, capacity;
	} lost;
	uint32_t *dropped; /* bits over words: removed instructions */
	uint32_t *cut;     /* bits over functions that lose their dead blocks */
	struct {           /* in the current function */
		struct block *items;
		size_t count, capacity;
	} blocks;
	uint32_t *block_of; /* [bound] label -> its position in its function's blocks, + 1 */
	SPB_LIST(uint32_t) todo;
	SPB_LIST(uint32_t) phi; /* operands of the one that is rewritten */
	uint32_t *nothing_of;   /* [bound] type -> a placeholder value; NULL: not needed so far */

	uint32_t debug_set, debug_none;   /* ids; 0: none */
	bool old_debug;                   /* OpenCL.DebugInfo.100: DebugFunction names its OpFunction */
	SPB_LIST(struct spb_use) unnamed; /* operands of debug information that become DebugInfoNone */
};

static void lose(struct plan *p, uint32_t id)
{
	if (!id || spb_bit(p->gone, id))
		return;
	spb_set_bit(p->gone, id);
	SPB_PUSH(p->arena, &p->lost, id);
}

static void drop(struct plan *p, spb_at at)
{
	if (spb_bit(p->dropped, at))
		return;
	spb_set_bit(p->dropped, at);
	spb_remove(p->e, at);
	lose(p, spb_result(p->m, at));
}

static void drop_all(struct plan *p, spb_at begin, spb_at end)
{
	for (spb_at at = begin; at < end; at = spb_next(p->m, at))
		drop(p, at);
}

/* What has to be removed */

/* Globals that depend on a removed id are unused, too. Functions are removed, or their dead blocks are. */
static void lose_user(struct plan *p, struct spb_use use)
{
	const struct spb_module *m = p->m;

	if (spb_is_non_semantic(m, use.at))
		return;
	if (use.at < m->section[SPB_SECTION_FUNCTION]) {
		drop(p, use.at);
		return;
	}
	const struct spb_function *f = spb_function_around(m, use.at);
	if (!f)
		return;
	if (spb_bit(p->used, m->words[f->at + 2]))
		spb_set_bit(p->cut, (uint32_t)(f - m->function));
	else
		lose(p, m->words[f->at + 2]);
}

static void spread(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (size_t i = 0; i < p->lost.count; i++) {
		uint32_t id = p->lost.items[i];
		for (uint32_t n = m->first_use[id]; n < m->first_use[id + 1]; n++)
			lose_user(p, m->use[n]);
	}
}

/* The lines before a function belong to it. */
static void drop_function(struct plan *p, uint32_t f)
{
	const struct spb_module *m = p->m;
	spb_at at = f ? spb_next(m, m->function[f - 1].end) : m->section[SPB_SECTION_FUNCTION], lines = 0;

	for (; at < m->function[f].at; at = spb_next(m, at)) {
		bool is_line = spb_op(m, at) == SpvOpLine || spb_op(m, at) == SpvOpNoLine;
		lines = !is_line ? 0 : lines ? lines : at;
	}
	drop_all(p, lines ? lines : at, spb_next(m, m->function[f].end));
}

/* Dead blocks of a live function */

static struct block *block_named(const struct plan *p, uint32_t id)
{
	uint32_t place = p->block_of[id]; /* which may be one in another function, where the module is invalid */

	return place && place <= p->blocks.count ? &p->blocks.items[place - 1] : NULL;
}

static void find_blocks(struct plan *p, const struct spb_function *f)
{
	const struct spb_module *m = p->m;
	struct block b = {0};

	p->blocks.count = 0;
	for (spb_at at = f->body; at < f->end; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		b.begin = b.begin ? b.begin : at;
		if (op == SpvOpLabel) {
			b.label = at;
			b.id = m->words[at + 1];
			b.live = spb_bit(p->used, b.id);
		} else if (op == SpvOpSelectionMerge || op == SpvOpLoopMerge) {
			b.merge = at;
		} else if (spb_op_is(op, SPB_OP_TERMINATOR)) {
			b.last = at;
			SPB_PUSH(p->arena, &p->blocks, b);
			p->block_of[b.id] = (uint32_t)p->blocks.count;
			b = (struct block){0};
		}
	}
}

/* Successors as the validator sees them: every constant condition may have any value, and a merge block is always
 * reachable. */
static void frame_successors(struct plan *p, const struct block *b, uint32_t header, uint32_t merge)
{
	const struct spb_module *m = p->m;

	for (spb_at at = b->merge ? b->merge : b->last; at <= b->last; at = spb_next(m, at)) {
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			struct block *next = o.kind == SPB_KIND_ID ? block_named(p, m->words[o.word]) : NULL;
			if (!next || next->seen || next->id == header || next->id == merge)
				continue;
			next->seen = true;
			SPB_PUSH(p->arena, &p->todo, (uint32_t)(next - p->blocks.items));
		}
	}
}

static bool begins_loop(const struct plan *p, const struct block *b)
{
	return spb_op(p->m, b->merge) == SpvOpLoopMerge;
}

/* Dead blocks in the continue construct of a live loop. An outer loop comes before the loops in its continue
 * construct. */
static void frame(struct plan *p, const struct block *header)
{
	const struct spb_module *m = p->m;
	uint32_t merge = m->words[header->merge + 1];
	struct block *target = block_named(p, m->words[header->merge + 2]);

	if (!target || !target->live || target == header || target->seen)
		return;
	SPB_PUSH(p->arena, &p->todo, (uint32_t)(target - p->blocks.items));
	while (p->todo.count) {
		struct block *b = &p->blocks.items[p->todo.items[--p->todo.count]];
		if (!b->live)
			b->fate = FRAME;
		frame_successors(p, b, header->id, merge);
	}
}

/* If a block stays, the blocks named by its merge and branch instructions must stay, too. */
static void keep_named(struct plan *p, const struct block *b)
{
	const struct spb_module *m = p->m;
	struct block *target = NULL;

	for (spb_at at = b->merge ? b->merge : b->last; at <= b->last; at = spb_next(m, at)) {
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			struct block *other = o.kind == SPB_KIND_ID ? block_named(p, m->words[o.word]) : NULL;
			if (other && !other->live && other->fate == GONE)
				other->fate = STOP;
		}
	}
	if (begins_loop(p, b))
		target = block_named(p, m->words[b->merge + 2]);
	if (target && !target->live && target->fate != FRAME) {
		target->fate = BACK;
		target->header = b->id;
	}
}

/* A placeholder for a value that is never used at run time. */
static uint32_t nothing_of(struct plan *p, uint32_t type)
{
	const struct spb_module *m = p->m;
	spb_at at = m->def[type];

	if (!p->nothing_of)
		p->nothing_of = spb_alloc_zeroed(p->arena, m->bound, sizeof *p->nothing_of);
	if (!p->nothing_of[type]) {
		/* SPIR-V 2.16.1, "Universal Validation Rules": only a few instructions may make a variable pointer, and
		 * OpUndef is not one of them. */
		bool null =
		    spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] != SpvStorageClassPhysicalStorageBuffer;
		p->nothing_of[type] = spb_new_id(p->e);
		spb_add_global(p->e, null ? SpvOpConstantNull : SpvOpUndef, W(type, p->nothing_of[type]));
	}
	return p->nothing_of[type];
}

static bool still_branches(const struct plan *p, uint32_t from, uint32_t to)
{
	const struct block *b = block_named(p, from);

	return !b || b->live || b->fate == FRAME || (b->fate == BACK && b->header == to);
}

static void rewrite_phi(struct plan *p, spb_at at, uint32_t block, uint32_t back)
{
	const struct spb_module *m = p->m;
	uint32_t type = m->words[at + 1];
	bool changed = false;

	p->phi.count = 0;
	SPB_PUSH(p->arena, &p->phi, type);
	SPB_PUSH(p->arena, &p->phi, m->words[at + 2]);
	for (uint32_t w = at + 3; w < spb_next(m, at); w += 2) {
		uint32_t value = m->words[w], from = m->words[w + 1];
		bool lost = spb_bit(p->gone, value), stays = still_branches(p, from, block);
		changed |= lost || !stays;
		if (!stays)
			continue;
		SPB_PUSH(p->arena, &p->phi, lost ? nothing_of(p, type) : value);
		SPB_PUSH(p->arena, &p->phi, from);
		if (from == back)
			back = 0;
	}
	if (back) { /* the back edge was further down in the continue construct */
		SPB_PUSH(p->arena, &p->phi, nothing_of(p, type));
		SPB_PUSH(p->arena, &p->phi, back);
	}
	if (changed || back)
		spb_replace(p->e, at, SpvOpPhi, p->phi.items, (uint32_t)p->phi.count);
}

static void rewrite_phis(struct plan *p, const struct block *b)
{
	const struct spb_module *m = p->m;
	const struct block *target = begins_loop(p, b) ? block_named(p, m->words[b->merge + 2]) : NULL;
	bool cut = target && !target->live && target->fate == BACK && target->header == b->id;

	for (spb_at at = b->label; at < b->last; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpPhi)
			rewrite_phi(p, at, b->id, cut ? target->id : 0);
	}
}

static void drop_content(struct plan *p, const struct block *b)
{
	const struct spb_module *m = p->m;
	spb_at body = spb_next(m, b->label);

	if (b->fate == GONE) {
		drop_all(p, b->begin, spb_next(m, b->last));
	} else if (b->fate == FRAME && b->merge) {
		drop_all(p, body, b->merge);
		drop_all(p, spb_next(m, b->merge), b->last);
	} else {
		drop_all(p, body, b->last);
	}
}

static void end_block(struct plan *p, const struct block *b)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, b->last);
	bool chooses = op == SpvOpBranchConditional || op == SpvOpSwitch;
	uint32_t value = chooses ? m->words[b->last + 1] : 0;

	if (b->fate == BACK)
		spb_replace(p->e, b->last, SpvOpBranch, W(b->header));
	else if (b->fate == STOP || (b->fate == FRAME && !chooses && op != SpvOpBranch))
		spb_replace(p->e, b->last, SpvOpUnreachable, NULL, 0);
	else if (b->fate == FRAME && chooses && spb_bit(p->gone, value))
		spb_patch(p->e, b->last + 1, nothing_of(p, spb_type_of(m, value)));
}

static void cut_function(struct plan *p, const struct spb_function *f)
{
	find_blocks(p, f);
	struct block *const first = p->blocks.items, *const end = first + p->blocks.count;
	for (const struct block *b = first; b < end; b++) {
		if (b->live && begins_loop(p, b))
			frame(p, b);
	}
	for (const struct block *b = first; b < end; b++) {
		if (b->live || b->fate == FRAME)
			keep_named(p, b);
	}
	for (const struct block *b = first; b < end; b++) {
		if (!b->live)
			drop_content(p, b);
	}
	for (const struct block *b = first; b < end; b++) {
		if (b->live)
			rewrite_phis(p, b);
		else
			end_block(p, b);
	}
}

/* Names and decorations */

static void drop_notes(struct plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpEntryPoint)
			spb_interface_remove(p->e, at, id);
		else
			drop(p, at); /* it may concern another id, too: OpDecorateId %buffer CounterBuffer %id */
	}
}

/* The first set of debug information, and its DebugInfoNone. */
static void find_debug(struct plan *p)
{
	const struct spb_module *m = p->m;

	p->debug_set = spb_debug_set(m);
	p->old_debug = p->debug_set != spb_debug_info(m);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL];
	     p->debug_set && !p->debug_none && at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInst && m->words[at + 3] == p->debug_set &&
		    m->words[at + 4] == NonSemanticShaderDebugInfo100DebugInfoNone)
			p->debug_none = m->words[at + 2];
	}
}

static bool may_be_none(const struct plan *p, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t instruction = m->words[use.at + 4], operand = use.word - use.at - 5, result = m->words[use.at + 2];
	bool variable = instruction == NonSemanticShaderDebugInfo100DebugGlobalVariable && operand == 7;
	bool function = p->old_debug && instruction == NonSemanticShaderDebugInfo100DebugFunction && operand == 9;

	return m->words[use.at + 3] == p->debug_set && (variable || function) &&
	       ((p->debug_none && m->def[p->debug_none] < use.at) || m->first_use[result] != m->first_use[result + 1]);
}

static void drop_remarks(struct plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		struct spb_use use = m->use[i];
		if (spb_bit(p->dropped, use.at) || !spb_is_non_semantic(m, use.at))
			continue;
		if (may_be_none(p, use))
			SPB_PUSH(p->arena, &p->unnamed, use);
		else
			drop(p, use.at);
	}
}

static void write_none(struct plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t made = 0;

	for (size_t i = 0; i < p->unnamed.count; i++) {
		struct spb_use use = p->unnamed.items[i];
		uint32_t type = m->words[use.at + 1], none = p->debug_none;
		if (spb_bit(p->dropped, use.at))
			continue;
		if (!none || m->def[none] > use.at) {
			none = made ? made : spb_new_id(p->e);
			if (!made)
				spb_insert(p->e, spb_next(m, m->def[type]), SpvOpExtInst,
					   W(type, none, p->debug_set, NonSemanticShaderDebugInfo100DebugInfoNone));
			made = none;
		}
		spb_patch(p->e, use.word, none);
	}
}

static void find_lost(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if ((op != SpvOpVariable && op != OpUntypedVariableKHR) ||
		    !spb_bit(p->u->placed.removed, m->words[at + 2]))
			continue;
		assert(!spb_bit(p->used, m->words[at + 2]));
		drop(p, at);
	}
}

bool spb_may_remove_unused(const struct spb_unit *u)
{
	return u->placed.removed != NULL;
}

bool spb_pass_remove_unused(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.u = u, .m = m, .e = &u->edit, .arena = &m->context->scratch};

	if (!spb_may_remove_unused(u) || m->has_unknown_ops)
		return false;
	p.used = spb_find_used(m, p.arena);
	p.gone = spb_bits(p.arena, m->bound);
	p.dropped = spb_bits(p.arena, m->count);
	find_lost(&p);
	if (!p.lost.count)
		return false;
	spb_module_need_uses(m);
	p.cut = spb_bits(p.arena, m->function_count);
	p.block_of = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.block_of);
	spread(&p);
	for (uint32_t f = 0; f < m->function_count; f++) {
		if (spb_bit(p.gone, m->words[m->function[f].at + 2]))
			drop_function(&p, f);
		else if (spb_bit(p.cut, f))
			cut_function(&p, &m->function[f]);
	}
	find_debug(&p);
	for (size_t i = 0; i < p.lost.count; i++) {
		drop_notes(&p, p.lost.items[i]);
		drop_remarks(&p, p.lost.items[i]);
	}
	write_none(&p);
	return true;
}
