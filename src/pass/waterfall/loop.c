/* SPDX-License-Identifier: Apache-2.0 */
/* loop: writes one loop, with its types and constants, lines and derivatives, from the places that
 * group.c has decided.
 *
 * Derivatives are computed before the loop, where all invocations of the quad are active (gradients.c).
 *
 * Before SPIR-V 1.3, with Vulkan 1.0, a device need not have any operation on subgroups. If the arrays are short, the
 * turns are then those of all their elements, which needs none:
 *
 *     %header = OpLabel                                  %both = OpLabel
 *     %f = OpPhi %uint %zero %before %g %continue        …
 *     OpLoopMerge %merge %continue None                  %last = OpIEqual %bool %f %length_minus_one
 *     OpBranch %body                                     %leave = OpLogicalOr %bool %eq %last
 *     %body = OpLabel                                    OpBranchConditional %leave %merge %continue
 *     %eq = OpIEqual %bool %f %i                         %continue = OpLabel
 *     …                                                  %g = OpIAdd %uint %f %one
 */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "pass/waterfall/loops.h"

enum { HEADER, BODY, MINE, BOTH, CONTINUE, MERGE, LABELS };

struct loop {
	uint32_t label[LABELS];
	uint32_t equal;                        /* is it this invocation's turn? */
	uint32_t first[SPB_WATERFALL_INDEXES]; /* the indexes of this turn */
	uint32_t length; /* of the array whose elements take turns; 0: the subgroup's indexes do */
	uint32_t next;   /* the next element */
};

/* Instructions */

void spb_loop_put(struct spb_loop_writer *w, uint32_t op, const uint32_t *operands, uint32_t count)
{
	spb_insert(w->e, w->place, op, operands, count);
}

void spb_loop_put_label(struct spb_loop_writer *w, uint32_t id)
{
	spb_loop_put(w, SpvOpLabel, W(id));
}

static uint32_t put_value(struct spb_loop_writer *w, uint32_t op, uint32_t type, uint32_t a,
			  uint32_t b) /* b 0: no second operand */
{
	uint32_t id = spb_new_id(w->e);

	spb_loop_put(w, op, (const uint32_t[]){type, id, a, b}, b ? 4 : 3);
	return id;
}

/* What replaces an id in copies of this segment; 0: nothing. */
static uint32_t mapped(const struct spb_loop_writer *w, uint32_t id)
{
	return w->to_in[id] == w->segment ? w->to[id] : 0;
}

static uint32_t mapped_index(const struct spb_loop_writer *w, uint32_t id)
{
	uint32_t source = spb_waterfall_source(w->m, id);

	return w->index_in[source] == w->segment ? w->index[source] : 0;
}

static void map(struct spb_loop_writer *w, uint32_t from, uint32_t to)
{
	w->to[from] = to;
	w->to_in[from] = w->segment;
}

void spb_loop_begin_segment(struct spb_loop_writer *w)
{
	w->segment++;
}

/* Does the instruction come later: after the loop or, for what is written before the loop, inside it? */
static bool is_behind(const struct spb_loop_writer *w, uint32_t id)
{
	const struct spb_block *b = &w->block;
	size_t k = b->home[id];

	return k < b->count && b->items[k].at == w->m->def[id] && b->items[k].at > w->place &&
	       (b->items[k].place == SPB_STAYS || (w->preparing && b->items[k].place != SPB_BEFORE)) &&
	       !b->items[k].gone;
}

/* The id itself, or an earlier one with the same value if its instruction comes later. */
static uint32_t available(const struct spb_loop_writer *w, uint32_t id)
{
	return is_behind(w, id) ? spb_waterfall_earlier(w->p, &w->block, id) : id;
}

/* Copies an instruction into w->words with the result `result` (0: none). */
void spb_loop_copy(struct spb_loop_writer *w, spb_at at, uint32_t result)
{
	const struct spb_module *m = w->m;

	w->words.count = 0;
	for (uint32_t word = at + 1; word < spb_next(m, at); word++)
		SPB_PUSH(w->p->arena, &w->words, m->words[word]);
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t *word = &w->words.items[o.word - (at + 1)];
		if (o.kind == SPB_KIND_RESULT)
			*word = result;
		if (o.kind == SPB_KIND_ID) {
			uint32_t to = mapped(w, *word);
			uint32_t from = to ? *word : available(w, *word);
			to = to ? to : mapped(w, from);
			w->p->losses.balance[from] += !to;
			*word = to ? to : from;
		}
	}
}

void spb_loop_put_copy(struct spb_loop_writer *w, uint32_t op)
{
	spb_loop_put(w, op, w->words.items, (uint32_t)w->words.count);
}

/* Lines and scopes */

static bool is_debug(const struct spb_loop_writer *w, spb_at at)
{
	return spb_op(w->m, at) == SpvOpExtInst && w->debug_set && w->m->words[at + 3] == w->debug_set;
}

void spb_loop_note_line(struct spb_loop_writer *w, spb_at at)
{
	uint32_t op = spb_op(w->m, at), number = is_debug(w, at) ? w->m->words[at + 4] : UINT32_MAX;

	if (op == SpvOpLine)
		w->lines.line = at;
	else if (op == SpvOpNoLine)
		w->lines.line = 0;
	else if (number == NonSemanticShaderDebugInfo100DebugScope)
		w->lines.scope = at;
	else if (number == NonSemanticShaderDebugInfo100DebugNoScope)
		w->lines.scope = 0;
	else if (number == NonSemanticShaderDebugInfo100DebugLine)
		w->lines.debug_line = at;
	else if (number == NonSemanticShaderDebugInfo100DebugNoLine)
		w->lines.debug_line = 0;
}

/* At the beginning of a block; `next` is the first instruction there. */
void spb_loop_put_lines(struct spb_loop_writer *w, spb_at next)
{
	spb_at said[] = {w->lines.scope, w->lines.debug_line, w->lines.line};
	uint32_t op = spb_op(w->m, next);

	for (size_t i = 0; i < SPB_COUNT(said); i++) {
		if (!said[i] || (i == 2 && (op == SpvOpLine || op == SpvOpNoLine)))
			continue;
		spb_loop_copy(w, said[i], spb_op(w->m, said[i]) == SpvOpExtInst ? spb_new_id(w->e) : 0);
		spb_loop_put_copy(w, spb_op(w->m, said[i]));
	}
}

/* Loops */

/* Before the loop: converts an index of another width to 32 bits. */
static uint32_t put_narrow(struct spb_loop_writer *w, uint32_t index)
{
	const struct spb_module *m = w->m;
	spb_at type = m->def[spb_type_of(m, index)];

	spb_set_bit(w->p->patched, index);
	if (m->words[type + 2] == 32)
		return index;
	return put_value(w, m->words[type + 3] ? SpvOpSConvert : SpvOpUConvert, spb_uint_type(w->e), index, 0);
}

/* The capabilities for operations on subgroups. */
static void declare_operations(struct spb_loop_writer *w)
{
	if (spb_version_word(w->m) < 0x00010300) {
		spb_add_capability(w->e, SpvCapabilitySubgroupBallotKHR);
		spb_add_extension(w->e, "SPV_KHR_shader_ballot");
		return;
	}
	spb_add_capability(w->e, SpvCapabilityGroupNonUniform);
	spb_add_capability(w->e, SpvCapabilityGroupNonUniformBallot);
}

static uint32_t put_first(struct spb_loop_writer *w, uint32_t type, uint32_t value)
{
	declare_operations(w);
	if (spb_version_word(w->m) < 0x00010300)
		return put_value(w, SpvOpSubgroupFirstInvocationKHR, type, value, 0);
	return put_value(w, SpvOpGroupNonUniformBroadcastFirst, type, spb_uint_constant(w->e, SpvScopeSubgroup), value);
}

/* Broadcasts each index of the first invocation, unless the turns are counted; returns whether this invocation's are
 * equal. */
static uint32_t put_comparison(struct spb_loop_writer *w, const uint32_t *indexes, const uint32_t *values,
			       uint32_t count, struct loop *l)
{
	uint32_t equal = 0, *first = l->first;

	for (uint32_t i = 0; i < count && !l->length; i++) {
		uint32_t own = spb_type_of(w->m, indexes[i]);
		bool narrow = w->m->words[w->m->def[own] + 2] != 32;
		first[i] = put_first(w, narrow ? spb_uint_type(w->e) : own, values[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t same = put_value(w, SpvOpIEqual, spb_bool_type(w->e), first[i], values[i]);
		equal = equal ? put_value(w, SpvOpLogicalAnd, spb_bool_type(w->e), equal, same) : same;
	}
	return equal;
}

/* Emits one id of the path with the loop's index. A chain that would be the same as before is reused. */
static void put_step(struct spb_loop_writer *w, uint32_t id)
{
	const struct spb_module *m = w->m;
	spb_at at = m->def[id];
	uint32_t op = spb_op(m, at), end = spb_waterfall_selection(m, at);
	bool chain = !spb_waterfall_is_opaque(m, id) && op != SpvOpImageTexelPointer;
	bool other = !chain || is_behind(w, id);

	if (mapped(w, id))
		return; /* for another access */
	for (uint32_t word = at + 4; chain && word < end; word++)
		other |= mapped_index(w, m->words[word]) != 0;
	other |= mapped(w, spb_waterfall_source(m, m->words[at + 3])) != 0;
	if (!other)
		return;
	uint32_t to = spb_new_id(w->e);
	spb_loop_copy(w, at, to);
	for (uint32_t word = at + 4; chain && word < end; word++) {
		uint32_t index = mapped_index(w, m->words[word]);
		if (!index)
			continue;
		w->p->losses.balance[m->words[word]] -= !mapped(w, m->words[word]);
		w->words.items[word - (at + 1)] = index;
	}
	spb_loop_put_copy(w, op);
	map(w, id, to);
}

/* Maps copies along the path to what they are copies of. */
static void map_copies(struct spb_loop_writer *w, spb_at at)
{
	const struct spb_module *m = w->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word];
		if (o.kind != SPB_KIND_ID || spb_def_op(m, id) != SpvOpCopyObject || mapped(w, id) ||
		    !spb_waterfall_is_path(m, id))
			continue;
		uint32_t source = spb_waterfall_source(m, id), to = mapped(w, source);
		if (to || is_behind(w, id))
			map(w, id, to ? to : source);
	}
}

static void put_access(struct spb_loop_writer *w, const struct spb_waterfall_access *a, struct spb_gradients g,
		       uint32_t result)
{
	const struct spb_module *m = w->m;
	uint32_t op = spb_op(m, a->at);

	for (uint32_t i = 0; i < a->steps; i++) {
		uint32_t id = w->p->steps.items[a->first_step + i];
		map_copies(w, m->def[id]);
		put_step(w, id);
	}
	map_copies(w, a->at);
	spb_loop_copy(w, a->at, result);
	if (spb_explicit_lod(op)) {
		for (uint32_t n = 0; n < SPB_GRADIENT_WORDS; n++)
			SPB_PUSH(w->p->arena, &w->words, 0);
		w->words.count = spb_use_gradients(m, a->at, w->words.items, g);
		op = spb_explicit_lod(op);
	}
	spb_loop_put_copy(w, op);
}

/* A line or scope that differs from that of the instruction before. */
static void put_changed_lines(struct spb_loop_writer *w, const struct spb_instruction *i)
{
	struct spb_line_scope now = i->lines, before = w->lines;

	w->lines = (struct spb_line_scope){now.scope == before.scope ? 0 : now.scope,
					   now.debug_line == before.debug_line ? 0 : now.debug_line,
					   now.line == before.line ? 0 : now.line};
	spb_loop_put_lines(w, i->at);
	if (before.line && !now.line)
		spb_loop_put(w, SpvOpNoLine, NULL, 0);
	w->lines = now;
}

/* The recursion is no deeper than a path. */
uint32_t spb_loop_make_again(struct spb_loop_writer *w, uint32_t id)
{
	const struct spb_module *m = w->m;
	spb_at at;

	id = spb_waterfall_source(m, id);
	if (!spb_loop_is_stale(w, id))
		return id;
	if (w->again_in[id] == w->segment)
		return w->again[id];
	at = m->def[id];
	uint32_t op = spb_op(m, at), parts = op == SpvOpSampledImage ? 2 : op == SpvOpLoad ? 0 : 1, part[2] = {0};
	for (uint32_t i = 0; i < parts; i++)
		part[i] = spb_loop_make_again(w, m->words[at + 3 + i]);
	for (uint32_t i = 0; i < parts; i++) {
		if (part[i] != m->words[at + 3 + i])
			map(w, m->words[at + 3 + i], part[i]);
	}
	w->again[id] = spb_new_id(w->e);
	w->again_in[id] = w->segment;
	spb_loop_copy(w, at, w->again[id]);
	spb_loop_put_copy(w, op);
	if (spb_waterfall_keeps_mark(w->p, id))
		spb_add_decoration(w->e, w->again[id], SpvDecorationNonUniform, NULL, 0);
	return w->again[id];
}

/* Repeats the instructions that make the opaque operands of the one being copied, if those are of another segment. */
static void refresh(struct spb_loop_writer *w, spb_at at)
{
	const struct spb_module *m = w->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = o.kind == SPB_KIND_ID ? m->words[o.word] : 0;
		if (id && spb_loop_is_stale(w, id))
			map(w, id, spb_loop_make_again(w, id));
	}
}

/* Removes the original of an instruction that has been copied. */
static void take(struct spb_loop_writer *w, struct spb_instruction *i)
{
	const struct spb_module *m = w->m;

	spb_lose_operands(&w->p->losses, i->at);
	spb_set_bit(w->p->patched, spb_result(m, i->at)); /* 0: none */
	spb_remove(w->e, i->at);
	i->gone = true;
}

static void put_before(struct spb_loop_writer *w, struct spb_instruction *i)
{
	const struct spb_module *m = w->m;
	uint32_t id = spb_result(m, i->at);

	put_changed_lines(w, i);
	refresh(w, i->at);
	spb_loop_copy(w, i->at, id);
	spb_loop_put_copy(w, spb_op(m, i->at));
	if (spb_waterfall_makes_opaque(m, i->at))
		w->segment_of[id] = w->segment;
	take(w, i);
}

static void put_inside(struct spb_loop_writer *w, const struct spb_instruction *i, uint32_t result)
{
	refresh(w, i->at);
	spb_loop_copy(w, i->at, result);
	spb_loop_put_copy(w, spb_op(w->m, i->at));
}

/* Place in the block of the instruction at `at`; SIZE_MAX: it is elsewhere. */
static size_t place_of(const struct spb_block *b, spb_at at)
{
	size_t low = 0, high = b->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (b->items[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < b->count && b->items[low].at == at ? low : SIZE_MAX;
}

/* Is a result from inside the loop needed elsewhere? */
static bool is_needed_behind(const struct spb_loop_writer *w, const struct spb_instruction *i)
{
	const struct spb_module *m = w->m;
	const struct spb_block *b = &w->block;
	uint32_t id = spb_result(m, i->at);

	if (!id || i->place == SPB_LOOPED)
		return id != 0;
	for (uint32_t n = m->first_use[id]; n < m->first_use[id + 1]; n++) {
		spb_at at = m->use[n].at;
		size_t k = place_of(b, at);
		if (at >= m->section[SPB_SECTION_FUNCTION] &&
		    (k == SIZE_MAX || b->items[k].gone || b->items[k].place < SPB_INSIDE))
			return true;
	}
	return false;
}

/* An OpUndef of the type, in the block BODY of the current loop. */
static uint32_t none_of(struct spb_loop_writer *w, uint32_t type)
{
	for (size_t i = 0; i < w->none.count; i++) {
		if (w->none.items[i].type == type)
			return w->none.items[i].id;
	}
	struct spb_none none = {type, spb_new_id(w->e)};
	SPB_PUSH(w->p->arena, &w->none, none);
	spb_loop_put(w, SpvOpUndef, W(type, none.id));
	return none.id;
}

/* The body of an invocation's turn. */
static void put_body(struct spb_loop_writer *w, size_t first, size_t end, const uint32_t *result,
		     const struct spb_gradients *gradients)
{
	const struct spb_module *m = w->m;

	w->lines = w->block.items[first].lines;
	spb_loop_put_lines(w, w->block.items[first].at);
	for (size_t k = first; k < end; k++) {
		struct spb_instruction *i = &w->block.items[k];
		uint32_t old = spb_result(m, i->at), id = result[k - first] ? result[k - first] : old;
		if (i->place < SPB_INSIDE || i->gone)
			continue;
		put_changed_lines(w, i);
		if (i->place == SPB_LOOPED)
			put_access(w, i->access, gradients[k - first], id);
		else
			put_inside(w, i, id);
		if (id == old)
			continue;
		map(w, old, id);
		if (spb_decoration(m, old, SpvDecorationRelaxedPrecision))
			spb_add_decoration(w->e, id, SpvDecorationRelaxedPrecision, NULL, 0);
	}
}

/* The results of the invocation's turn, or undefined values before it. */
static void put_results(struct spb_loop_writer *w, size_t first, size_t end, const uint32_t *result,
			const uint32_t *label)
{
	const struct spb_module *m = w->m;

	for (size_t k = first; k < end; k++) {
		struct spb_instruction *i = &w->block.items[k];
		if (i->place < SPB_INSIDE || i->gone)
			continue;
		uint32_t type = m->words[i->at + 1];
		if (result[k - first])
			spb_loop_put(w, SpvOpPhi,
				     W(type, m->words[i->at + 2], result[k - first], label[MINE], none_of(w, type),
				       label[BODY]));
		take(w, i);
	}
}

/* Names for the results inside, and their OpUndef. */
static uint32_t *name_results(struct spb_loop_writer *w, size_t first, size_t end)
{
	uint32_t *result = spb_alloc_zeroed(w->p->arena, end - first, sizeof *result);

	for (size_t k = first; k < end; k++) {
		const struct spb_instruction *i = &w->block.items[k];
		if (i->gone || i->place < SPB_INSIDE || !is_needed_behind(w, i))
			continue;
		none_of(w, w->m->words[i->at + 1]);
		result[k - first] = spb_new_id(w->e);
	}
	return result;
}

/* Writes what goes before the loop; returns the gradients of accesses that have an implicit level of detail. */
static struct spb_gradients *put_preparations(struct spb_loop_writer *w, size_t first, size_t end)
{
	const struct spb_module *m = w->m;
	struct spb_gradients *gradients = spb_alloc_zeroed(w->p->arena, end - first, sizeof *gradients);

	w->preparing = true;
	for (size_t k = first; k < end; k++) {
		struct spb_instruction *i = &w->block.items[k];
		if (i->place == SPB_BEFORE && !i->gone)
			put_before(w, i);
		if (i->place == SPB_LOOPED && !i->gone && spb_explicit_lod(spb_op(m, i->at))) {
			uint32_t bias = spb_lod_bias(m, i->at);
			put_changed_lines(w, i);
			gradients[k - first] = spb_put_gradients(
			    &w->gradients, i->at, available(w, m->words[i->at + 4]), bias ? available(w, bias) : 0);
		}
	}
	w->preparing = false;
	return gradients;
}

static void map_indexes(struct spb_loop_writer *w, const struct spb_waterfall_access *a, const uint32_t *to)
{
	for (uint32_t n = 0; n < a->indexes; n++) {
		uint32_t source = w->p->indexes.items[a->first_index + n];
		w->index[source] = to[n];
		w->index_in[source] = w->segment;
	}
}

/* Writes the loop up to the comparison of the indexes. */
static void open_loop(struct spb_loop_writer *w, struct loop *l, const struct spb_waterfall_access *a)
{
	const uint32_t *indexes = &w->p->indexes.items[a->first_index];
	uint32_t narrow[SPB_WATERFALL_INDEXES], before = w->tail;

	for (uint32_t i = 0; i < a->indexes; i++)
		narrow[i] = put_narrow(w, indexes[i]);
	for (int i = 0; i < LABELS; i++)
		l->label[i] = spb_new_id(w->e);
	spb_loop_put(w, SpvOpBranch, W(l->label[HEADER]));
	spb_loop_put_label(w, l->label[HEADER]);
	if (l->length) {
		l->first[0] = spb_new_id(w->e);
		l->next = spb_new_id(w->e);
		spb_loop_put(w, SpvOpPhi,
			     W(spb_uint_type(w->e), l->first[0], spb_uint_constant(w->e, 0), before, l->next,
			       l->label[CONTINUE]));
	}
	spb_loop_put(w, SpvOpLoopMerge, W(l->label[MERGE], l->label[CONTINUE], SpvLoopControlMaskNone));
	spb_loop_put(w, SpvOpBranch, W(l->label[BODY]));
	spb_loop_put_label(w, l->label[BODY]);
	l->equal = put_comparison(w, indexes, narrow, a->indexes, l);
	w->none.count = 0;
}

/* DontFlatten: an invocation must not execute the accesses of other turns. It is more than a hint: spirv-opt, which
 * SwiftShader runs on each module, turns an OpPhi into an OpSelect if its operands can be computed before the
 * selection, and SwiftShader then gives an invocation that has left the loop the value of the last turn. */
static void take_turn(struct spb_loop_writer *w, const struct loop *l)
{
	spb_loop_put(w, SpvOpSelectionMerge, W(l->label[BOTH], SpvSelectionControlDontFlattenMask));
	spb_loop_put(w, SpvOpBranchConditional, W(l->equal, l->label[MINE], l->label[BOTH]));
	spb_loop_put_label(w, l->label[MINE]);
	spb_loop_begin_segment(w);
}

/* Writes the end of the loop, after the results. */
static void close_loop(struct spb_loop_writer *w, const struct loop *l)
{
	uint32_t leave = l->equal;

	if (l->length) { /* an index out of bounds must not loop for ever */
		uint32_t last =
		    put_value(w, SpvOpIEqual, spb_bool_type(w->e), l->first[0], spb_uint_constant(w->e, l->length - 1));
		leave = put_value(w, SpvOpLogicalOr, spb_bool_type(w->e), leave, last);
	}
	spb_loop_put(w, SpvOpBranchConditional, W(leave, l->label[MERGE], l->label[CONTINUE]));
	spb_loop_put_label(w, l->label[CONTINUE]);
	if (l->length)
		spb_loop_put(w, SpvOpIAdd, W(spb_uint_type(w->e), l->next, l->first[0], spb_uint_constant(w->e, 1)));
	spb_loop_put(w, SpvOpBranch, W(l->label[HEADER]));
	spb_loop_put_label(w, l->label[MERGE]);
	spb_loop_begin_segment(w);
	w->tail = l->label[MERGE];
}

/* The number of elements that take turns; 0: the indexes of the subgroup do. */
static uint32_t length_of(const struct spb_loop_writer *w, size_t first, size_t end)
{
	enum { MOST = 32 };
	uint32_t most = 0;

	for (size_t k = first; k < end && spb_version_word(w->m) < 0x00010300; k++) {
		const struct spb_instruction *i = &w->block.items[k];
		if (i->place != SPB_LOOPED || i->gone)
			continue;
		if (i->access->indexes != 1 || !i->access->length || i->access->length > MOST)
			return 0;
		most = i->access->length > most ? i->access->length : most;
	}
	return most;
}

/* The host may be one of Vulkan 1.0, which need not have the extension. */
static void warn_of_extension(struct spb_loop_writer *w, spb_at at)
{
	if (spb_version_word(w->m) >= 0x00010300 || w->p->warned || w->p->u->options->uniformity.host_features)
		return;
	spb_report(
	    w->m, SPB_SEVERITY_WARNING, SPB_E_HOST_FEATURE, at,
	    "this waterfall loop needs VK_EXT_shader_subgroup_ballot: before SPIR-V 1.3, only loops over up to 32 "
	    "descriptors do without" SPB_REMEDY
	    "Compile for Vulkan 1.1; or enable the extension and list it in --host-features.");
	w->p->warned = true;
}

void spb_loop_write(struct spb_loop_writer *w, size_t first, size_t end)
{
	const struct spb_waterfall_access *a = w->block.items[first].access;
	struct loop l = {.length = length_of(w, first, end)};

	if (!l.length)
		warn_of_extension(w, a->at);
	w->place = a->at;
	struct spb_gradients *gradients = put_preparations(w, first, end);
	open_loop(w, &l, a);
	uint32_t *result = name_results(w, first, end);
	take_turn(w, &l);
	for (size_t k = first; k < end; k++) {
		if (w->block.items[k].place == SPB_LOOPED && !w->block.items[k].gone)
			map_indexes(w, w->block.items[k].access, l.first);
	}
	put_body(w, first, end, result, gradients);
	spb_loop_put(w, SpvOpBranch, W(l.label[BOTH]));
	spb_loop_put_label(w, l.label[BOTH]);
	put_results(w, first, end, result, l.label);
	close_loop(w, &l);
	w->lines = w->block.items[first].lines;
	spb_loop_put_lines(w, spb_next(w->m, a->at));
}
