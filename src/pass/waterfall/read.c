/* SPDX-License-Identifier: Apache-2.0 */
/* read: finds what goes into loops, from the finished decorations.
 *
 * A decorated id that is a descriptor, or a pointer to one or into one, is a step of a path or the operand of an
 * access. From there the path is followed back to the access chains on variables, whose indexes are compared in the
 * loop:
 *
 *     %x = OpImageFetch %v4 %im …  <-  %im = OpImage %si  <-  %si = OpSampledImage %t %s  <-  %t = OpLoad %c  <-
 *     %c = OpAccessChain %textures %i
 *
 * If several paths end in indexes (texture and sampler), only those with a decoration on the way count; if none has
 * one, all of them do. */
#include "analysis/uniformity/uniformity.h"
#include "pass/waterfall/loops.h"

enum { MOST_STEPS = 32, MOST_INDEXES = SPB_WATERFALL_INDEXES, MOST_COPIES = 64, MOST_WARNINGS = 8 };

bool spb_waterfall_is_opaque(const struct spb_module *m, uint32_t id)
{
	return spb_is_opaque_type(m, spb_type_of(m, id));
}

/* Is the id a descriptor, a pointer to one, or a pointer into its contents? */
bool spb_waterfall_is_path(const struct spb_module *m, uint32_t id)
{
	spb_at type = m->def[spb_type_of(m, id)];

	if (spb_is_opaque_type(m, spb_type_of(m, id)))
		return true;
	return spb_op(m, type) == SpvOpTypePointer &&
	       (m->words[type + 2] == SpvStorageClassImage || spb_is_resource_class(m->words[type + 2]));
}

/* Is the type, or the element type of an array, that of a descriptor? A function may be passed an array inside a
 * buffer: its elements, structs that are not blocks or no structs at all, are not descriptors. */
static bool has_descriptors(const struct spb_module *m, uint32_t base, uint32_t class, uint32_t type)
{
	while (spb_array_element(m, type))
		type = spb_array_element(m, type);
	if (spb_def_op(m, base) == SpvOpFunctionParameter && spb_def_op(m, type) == SpvOpTypeStruct &&
	    !spb_decoration(m, type, SpvDecorationBlock) && !spb_decoration(m, type, SpvDecorationBufferBlock))
		return false;
	return spb_descriptor_of(m, class, type) != SPB_DESCRIPTOR_OTHER;
}

/* An access chain may end within an array of arrays, or have no index at all; another one goes on from there. */
static bool is_array_of_descriptors(const struct spb_module *m, uint32_t id)
{
	for (int n = 0; n < MOST_COPIES; n++) {
		const spb_at at = m->def[id];
		const spb_at pointer = m->def[spb_type_of(m, id)];
		if (spb_op(m, pointer) != SpvOpTypePointer || !spb_is_resource_class(m->words[pointer + 2]))
			return false;
		if (spb_op(m, at) == SpvOpVariable || spb_op(m, at) == SpvOpFunctionParameter)
			return has_descriptors(m, id, m->words[pointer + 2], m->words[pointer + 3]);
		if (spb_op(m, at) != SpvOpCopyObject && !spb_op_is(spb_op(m, at), SPB_OP_CHAIN))
			return false;
		id = m->words[at + 3];
		uint32_t type = m->words[m->def[spb_type_of(m, id)] + 3];
		for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
			type = spb_array_element(m, type);
			if (!type) /* a member of a block */
				return false;
		}
	}
	return false;
}

uint32_t spb_waterfall_selection(const struct spb_module *m, spb_at chain)
{
	uint32_t base = m->words[chain + 3], w = chain + 4, type;
	spb_at pointer = m->def[spb_type_of(m, base)];

	if (!spb_op_is(spb_op(m, chain), SPB_OP_CHAIN) || !is_array_of_descriptors(m, base))
		return w;
	type = m->words[pointer + 3];
	while (w < spb_next(m, chain) && spb_array_element(m, type)) {
		type = spb_array_element(m, type);
		w++;
	}
	return w;
}

uint32_t spb_waterfall_source(const struct spb_module *m, uint32_t id)
{
	for (int n = 0; n < MOST_COPIES && spb_def_op(m, id) == SpvOpCopyObject; n++)
		id = m->words[m->def[id] + 3];
	return id;
}

/* Reading */

bool spb_waterfall_makes_opaque(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	return (op == SpvOpLoad || op == SpvOpSampledImage || op == SpvOpImage || op == SpvOpCopyObject) &&
	       spb_waterfall_is_opaque(m, m->words[at + 2]);
}

/* Does the use of an id of a path yield another one? Then that one is decorated, too, and its own uses are visited. */
bool spb_waterfall_is_step(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	return spb_op_is(op, SPB_OP_FORWARDS) || (op == SpvOpLoad && spb_waterfall_is_opaque(m, m->words[at + 2]));
}

static enum spb_kept_reason can_loop(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	if (spb_explicit_lod(op))
		return spb_can_derive(m, at) ? FINE : DERIVATIVES;
	if (op == SpvOpLoad)
		return spb_def_op(m, spb_type_of(m, m->words[at + 3])) == SpvOpTypePointer &&
			       m->words[m->def[spb_type_of(m, m->words[at + 3])] + 2] == SpvStorageClassUniformConstant
			   ? INSTRUCTION /* all descriptors of an array */
			   : FINE;
	if (!spb_op_is(op, SPB_OP_IN_TURNS))
		return INSTRUCTION;
	return spb_op_is(op, SPB_OP_DERIVES) ? DERIVATIVES : FINE;
}

static bool is_pointer_operand(const struct spb_module *m, struct spb_use use)
{
	return spb_op(m, use.at) != SpvOpStore || use.word == use.at + 1; /* otherwise the pointer itself is stored */
}

static bool is_limited(const struct spb_loops *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t last;

	switch (spb_op(m, at)) {
	case SpvOpTypeInt:
		return (m->words[at + 2] == 8 && !spb_has_capability(m, SpvCapabilityInt8)) ||
		       (m->words[at + 2] == 16 && !spb_has_capability(m, SpvCapabilityInt16));
	case SpvOpTypeFloat:
		return m->words[at + 2] == 16 && !spb_has_capability(m, SpvCapabilityFloat16);
	case SpvOpTypeVector:
	case SpvOpTypeMatrix:
	case SpvOpTypeArray:
		last = at + 3;
		break;
	case SpvOpTypeStruct:
		last = spb_next(m, at);
		break;
	default:
		return false;
	}
	for (uint32_t w = at + 2; w < last; w++) {
		if (spb_bit(p->limited, m->words[w]))
			return true;
	}
	return false;
}

static void find_limited(struct spb_loops *p)
{
	const struct spb_module *m = p->m;

	p->limited = spb_bits(p->arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (is_limited(p, at))
			spb_set_bit(p->limited, m->words[at + 1]);
	}
}

bool spb_waterfall_can_come_out(const struct spb_loops *p, uint32_t id)
{
	const struct spb_module *m = p->m;
	uint32_t type = spb_type_of(m, id);

	if (!type || spb_def_op(m, type) == SpvOpTypePointer || spb_is_opaque_type(m, type) ||
	    spb_bit(p->limited, type))
		return false;
	for (uint32_t n = m->first_note[id]; n < m->first_note[id + 1]; n++) {
		spb_at at = m->note[n].at;
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] != SpvDecorationRelaxedPrecision &&
		    m->words[at + 2] != SpvDecorationNonUniform)
			return false;
	}
	return true;
}

static void find_candidates(struct spb_loops *p)
{
	const struct spb_module *m = p->m;

	for (uint32_t id = 1; id < m->bound; id++) {
		if (!spb_bit(p->marked, id) || !spb_waterfall_is_path(m, id))
			continue;
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			struct spb_use use = m->use[i];
			if (use.at < m->section[SPB_SECTION_FUNCTION] || spb_is_non_semantic(m, use.at) ||
			    spb_waterfall_is_step(m, use.at) || spb_op(m, use.at) == SpvOpFunctionCall)
				continue;
			SPB_PUSH(p->arena, &p->candidates, use.at);
			if (!is_pointer_operand(m, use) && spb_goes_into_loop(p->u, spb_kind_named(m, id)))
				SPB_PUSH(p->arena, &p->kept, ((struct spb_kept){use.at, INSTRUCTION}));
		}
	}
}

struct walk { /* from the operands of one access to the indexes */
	struct spb_loops *p;
	uint32_t steps[MOST_STEPS], indexes[MOST_INDEXES];
	uint32_t step_count, index_count, budget;
	uint32_t length;            /* of the longest array that is indexed; UINT32_MAX: unknown */
	bool differs[MOST_INDEXES]; /* a decoration lies between it and the access, or the OpSampledImage there */
};

static enum spb_kept_reason see_index(struct walk *w, uint32_t index, bool marked)
{
	const struct spb_module *m = w->p->m;
	uint32_t source = spb_waterfall_source(m, index), n = 0;

	if (spb_is_constant(m, source) || spb_def_op(m, spb_type_of(m, source)) != SpvOpTypeInt)
		return FINE;
	marked |= spb_bit(w->p->marked, index) || spb_bit(w->p->marked, source);
	while (n < w->index_count && w->indexes[n] != source)
		n++;
	if (n == MOST_INDEXES)
		return LONG;
	if (n == w->index_count) {
		w->indexes[w->index_count] = source;
		w->differs[w->index_count++] = false;
	}
	w->differs[n] |= marked;
	return FINE;
}

static enum spb_kept_reason add_step(struct walk *w, uint32_t id)
{
	for (uint32_t i = 0; i < w->step_count; i++) {
		if (w->steps[i] == id)
			return FINE;
	}
	if (w->step_count == MOST_STEPS)
		return LONG;
	w->steps[w->step_count++] = id;
	return FINE;
}

static enum spb_kept_reason walk_back(struct walk *w, uint32_t id, bool marked);

static void see_length(struct walk *w, uint32_t array)
{
	const struct spb_module *m = w->p->m;
	spb_at at = m->def[array];
	uint64_t length = UINT32_MAX;

	if (spb_op(m, at) != SpvOpTypeArray || spb_def_op(m, m->words[at + 3]) != SpvOpConstant ||
	    !spb_constant_value(m, m->words[at + 3], &length) || length > UINT32_MAX)
		length = UINT32_MAX;
	w->length = length > w->length ? (uint32_t)length : w->length;
}

static enum spb_kept_reason walk_operands(struct walk *w, spb_at at, bool marked)
{
	const struct spb_module *m = w->p->m;
	uint32_t op = spb_op(m, at);
	enum spb_kept_reason reason;

	if (op == SpvOpSampledImage) { /* which of the two differs follows from their own decorations */
		reason = walk_back(w, m->words[at + 3], false);
		return reason ? reason : walk_back(w, m->words[at + 4], false);
	}
	if (spb_op_is_chain(op)) {
		uint32_t end = spb_waterfall_selection(m, at);
		uint32_t type = end > at + 4 ? m->words[m->def[spb_type_of(m, m->words[at + 3])] + 3] : 0;
		for (uint32_t word = at + 4; word < end; word++) {
			see_length(w, type);
			type = spb_array_element(m, type);
			reason = see_index(w, m->words[word], marked);
			if (reason)
				return reason;
		}
	}
	return walk_back(w, m->words[at + 3], marked);
}

/* Is it a pointer to a whole array of descriptors? Then the selection happens in this function, unless the parameter
 * itself is decorated. */
static bool is_whole_array(const struct spb_module *m, uint32_t id)
{
	spb_at pointer = m->def[spb_type_of(m, id)];

	return spb_op(m, pointer) == SpvOpTypePointer && spb_array_element(m, m->words[pointer + 3]) &&
	       has_descriptors(m, id, m->words[pointer + 2], m->words[pointer + 3]);
}

static enum spb_kept_reason walk_back(struct walk *w, uint32_t id, bool marked)
{
	const struct spb_module *m = w->p->m;
	spb_at at = m->def[id];
	uint32_t op = spb_op(m, at);
	enum spb_kept_reason reason;

	if (!w->budget--)
		return LONG;
	marked |= spb_bit(w->p->marked, id);
	if (op == SpvOpVariable)
		return FINE;
	if (op == SpvOpFunctionParameter)
		return (is_whole_array(m, id) ? spb_bit(w->p->marked, id) : marked) ? PARAMETER : FINE;
	if (op == SpvOpCopyObject)
		return walk_back(w, m->words[at + 3], marked);
	if (!spb_waterfall_is_step(m, at) || op == SpvOpPhi || op == SpvOpSelect)
		return FLOW;
	reason = walk_operands(w, at, marked);
	return reason ? reason : add_step(w, id);
}

static void touch(struct spb_loops *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	spb_set_bit(p->touched, id);
	for (int n = 0; n < MOST_COPIES && spb_def_op(m, id) == SpvOpCopyObject; n++) {
		id = m->words[m->def[id] + 3];
		spb_set_bit(p->touched, id);
	}
}

static void touch_step(struct spb_loops *p, uint32_t id)
{
	const struct spb_module *m = p->m;
	spb_at at = m->def[id];

	touch(p, id);
	touch(p, m->words[at + 3]);
	if (spb_op(m, at) == SpvOpSampledImage)
		touch(p, m->words[at + 4]);
	if (!spb_op_is_chain(spb_op(m, at)))
		return;
	for (uint32_t w = at + 4, end = spb_waterfall_selection(m, at); w < end; w++) {
		touch(p, m->words[w]);
		spb_at pointer = m->def[spb_type_of(m, m->words[at + 3])];
		uint32_t type = m->words[pointer + 3];
		while (spb_array_element(m, type))
			type = spb_array_element(m, type);
		if (!p->builtin || !spb_bit(p->builtin, m->words[at + 3]))
			p->rewritten[spb_descriptor_of(m, m->words[pointer + 2], type)] = true;
	}
}

static void add_access(struct spb_loops *p, spb_at at, const struct walk *walk)
{
	struct spb_loops *w = p;
	struct spb_waterfall_access a = {
	    .at = at, .first_step = (uint32_t)w->steps.count, .first_index = (uint32_t)w->indexes.count};
	bool any = false;

	for (uint32_t i = 0; i < walk->index_count; i++)
		any |= walk->differs[i];
	for (uint32_t i = 0; i < walk->index_count; i++) {
		if (any && !walk->differs[i])
			continue;
		SPB_PUSH(w->arena, &w->indexes, walk->indexes[i]);
		a.indexes++;
	}
	if (!a.indexes)
		return; /* decorated, but there is nothing to select */
	for (uint32_t i = 0; i < walk->step_count; i++) {
		SPB_PUSH(w->arena, &w->steps, walk->steps[i]);
		touch_step(p, walk->steps[i]);
	}
	a.steps = walk->step_count;
	a.length = walk->length < UINT32_MAX ? walk->length : 0;
	for (struct spb_operand o = spb_operands(w->m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && spb_waterfall_is_path(w->m, w->m->words[o.word]))
			touch(p, w->m->words[o.word]);
	}
	SPB_PUSH(w->arena, &w->accesses, a);
}

/* lavapipe and SwiftShader get OpArrayLength wrong; Mesa's front end forgets the decoration on atomic instructions, so
 * its hardware drivers use one buffer for all invocations. Image atomics are not affected: there, the decoration on the
 * texel pointer counts. */
static bool is_wrong_on_drivers(const struct spb_loops *p, spb_at at)
{
	const struct spb_module *m = p->m;
	const struct spb_op_facts *facts = spb_op_facts(spb_op(m, at));

	if (spb_op(m, at) == SpvOpArrayLength)
		return p->u->options->uniformity.waterfall != SPB_WATERFALL_NONE;
	if (p->u->options->uniformity.waterfall != SPB_WATERFALL_DRIVERS || !(facts->flags & SPB_OP_ATOMIC))
		return false;
	spb_at pointer = m->def[spb_type_of(m, m->words[at + (spb_result(m, at) ? 3 : 1)])];
	return spb_op(m, pointer) == SpvOpTypePointer && m->words[pointer + 2] != SpvStorageClassImage;
}

/* Does the access differ by a descriptor of such a kind? */
static bool is_of_kind(const struct spb_loops *p, spb_at at,
		       bool (*is_such)(const struct spb_unit *u, enum spb_descriptor kind))
{
	const struct spb_module *m = p->m;
	uint32_t first, end;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = o.kind == SPB_KIND_ID ? m->words[o.word] : 0;
		for (int n = 0; n < MOST_STEPS && id && spb_bit(p->marked, id); n++) {
			if (is_such(p->u, spb_kind_named(m, id)))
				return true;
			id = spb_path_operands(m, m->def[id], &first, &end) ? m->words[first] : 0;
		}
	}
	return false;
}

static bool is_asked(const struct spb_loops *p, spb_at at)
{
	return p->selective ? is_wrong_on_drivers(p, at) || is_of_kind(p, at, spb_host_needs_loop)
			    : is_of_kind(p, at, spb_goes_into_loop);
}

static enum spb_kept_reason read_access(struct spb_loops *p, spb_at at)
{
	const struct spb_module *m = p->m;
	struct walk walk = {.p = p, .budget = 2 * MOST_STEPS};
	enum spb_kept_reason reason = is_asked(p, at) ? can_loop(m, at) : NOT_ASKED;

	if (!reason && spb_result(m, at) && spb_bit(p->limited, m->words[at + 1]))
		reason = STORAGE_ONLY;

	for (struct spb_operand o = spb_operands(m, at); !reason && spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && spb_waterfall_is_path(m, m->words[o.word]))
			reason = walk_back(&walk, m->words[o.word], false);
	}
	if (!reason)
		add_access(p, at, &walk);
	return reason;
}

static int by_place(const void *a, const void *b)
{
	spb_at x = *(const spb_at *)a, y = *(const spb_at *)b;

	return (x > y) - (x < y);
}

static int by_kept_place(const void *a, const void *b)
{
	const struct spb_kept *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Number of steps that make an opaque value. MOST_STEPS: too many, or an operand is not defined before it. */
static uint8_t steps_to(const struct spb_module *m, const uint8_t *steps, spb_at at)
{
	uint32_t op = spb_op(m, at);
	uint8_t most = 0;

	if (op == SpvOpLoad)
		return 1;
	for (uint32_t w = at + 3; w < at + 4 + (op == SpvOpSampledImage); w++) {
		uint8_t n = m->def[m->words[w]] < at ? steps[m->words[w]] : (uint8_t)MOST_STEPS;
		most = n > most ? n : most;
	}
	return most < MOST_STEPS ? most + 1 : (uint8_t)MOST_STEPS;
}

/* Where a block is split, opaque values used after the split are recreated, with everything they are made from. Blocks
 * with long chains of them are not split, because each access would repeat the whole chain. */
static void find_tangled(struct spb_loops *p)
{
	const struct spb_module *m = p->m;
	uint8_t *steps = spb_alloc_zeroed(p->arena, m->bound, sizeof *steps);
	struct spb_tangled block = {0};
	bool tangled = false;

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].body; at < m->function[f].end; at = spb_next(m, at)) {
			if (spb_op(m, at) == SpvOpLabel) {
				block.begin = at;
				tangled = false;
			} else if (spb_waterfall_makes_opaque(m, at)) {
				uint32_t id = m->words[at + 2];
				steps[id] = steps_to(m, steps, at);
				tangled |= steps[id] == MOST_STEPS;
			} else if (spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR) && tangled) {
				block.end = at;
				SPB_PUSH(p->arena, &p->tangled, block);
			}
		}
	}
}

static bool is_tangled(const struct spb_loops *p, size_t *next, spb_at at)
{
	while (*next < p->tangled.count && p->tangled.items[*next].end < at)
		++*next;
	return *next < p->tangled.count && p->tangled.items[*next].begin < at;
}

static void read_accesses(struct spb_loops *p)
{
	size_t given = p->kept.count, k = 0, t = 0; /* found by find_candidates */

	spb_sort(p->arena, p->candidates.items, p->candidates.count, sizeof *p->candidates.items, by_place);
	spb_sort(p->arena, p->kept.items, p->kept.count, sizeof *p->kept.items, by_kept_place);
	for (size_t i = 0; i < p->candidates.count; i++) {
		spb_at at = p->candidates.items[i];
		if (i && p->candidates.items[i - 1] == at)
			continue;
		while (k < given && p->kept.items[k].at < at)
			k++;
		if (k < given && p->kept.items[k].at == at)
			continue;
		enum spb_kept_reason reason = is_tangled(p, &t, at) && is_asked(p, at) ? LONG : read_access(p, at);
		if (reason)
			SPB_PUSH(p->arena, &p->kept, ((struct spb_kept){at, reason}));
	}
}

static const char *explanation(enum spb_kept_reason reason)
{
	switch (reason) {
	case PARAMETER:
		return "the descriptor is a function parameter, so its index is unknown here" SPB_REMEDY
		       "Pass the index instead, or inline the function.";
	case FLOW:
		return "the pointer comes from an instruction that has no index (OpSelect or OpPhi, for "
		       "example)" SPB_REMEDY "Select an index instead of a pointer.";
	case LONG:
		return "the chain of instructions from the index to the access is too long" SPB_REMEDY
		       "Index the array where it is accessed.";
	case DERIVATIVES:
		return "it computes implicit derivatives and has no form with explicit ones" SPB_REMEDY
		       "Give the level of detail, or make the index uniform.";
	case STORAGE_ONLY:
		return "its result may only be stored and converted" SPB_REMEDY
		       "Declare the capability Int8, Int16 or Float16, or make the index uniform.";
	case FINE:
	case NOT_ASKED:
	case INSTRUCTION:
		break;
	}
	return "the instruction cannot be put into a loop" SPB_REMEDY "Make the index uniform.";
}

/* Warns about the first few with their places, since finding a place walks the module. */
static void warn(const struct spb_loops *p)
{
	uint32_t count = 0;

	for (size_t i = 0; i < p->kept.count; i++) {
		struct spb_kept k = p->kept.items[i];
		if (k.reason != NOT_ASKED && is_of_kind(p, k.at, spb_host_needs_loop))
			spb_fail(p->m, SPB_ERROR_UNSUPPORTED, SPB_E_HOST_FEATURE, k.at,
				 "%s needs non-uniform indexing, which --host-features does not list, or a loop: %r",
				 spb_word_of(p->m, k.at), explanation(k.reason));
		if (k.reason == NOT_ASKED || ++count > MOST_WARNINGS)
			continue;
		spb_report(p->m, SPB_SEVERITY_WARNING, SPB_E_WATERFALL_KEPT, k.at,
			   "%s keeps its NonUniform decorations and needs a device with non-uniform indexing: %r",
			   spb_word_of(p->m, k.at), explanation(k.reason));
	}
	if (count > MOST_WARNINGS)
		spb_report(p->m, SPB_SEVERITY_WARNING, SPB_E_WATERFALL_KEPT, 0,
			   "%u more accesses keep their NonUniform decorations", count - MOST_WARNINGS);
}

void spb_waterfall_read(struct spb_loops *p)
{
	find_limited(p);
	find_tangled(p);
	find_candidates(p);
	read_accesses(p);
	warn(p);
}
