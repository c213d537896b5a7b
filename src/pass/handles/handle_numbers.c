/* SPDX-License-Identifier: Apache-2.0 */
/* handle_numbers: a pointer to a handle's buffer that is converted to a number becomes the handle's bits, which may
 * be compared and stored. A value computed from them and converted back to a pointer would be taken for a device
 * address:
 *
 *     %n = OpConvertPtrToU %ulong %p        %p of a handle
 *     %m = OpIAdd %ulong %n %ulong_16
 *     %q = OpConvertUToPtr %ptr %m          refused
 *
 * The check follows arithmetic, local variables and calls, and visits each id once. */
#include "pass/handles/handle_flow.h"

struct walk {
	struct spb_handle_flow *f;
	const struct spb_module *m;
	uint32_t *seen; /* bits over ids */
	SPB_LIST(uint32_t) work;
};

/* Does a value derive numerically from its operand? A Boolean or a new pointer does not. */
static bool is_number(const struct walk *w, uint32_t id)
{
	uint32_t type = spb_type_of(w->m, id);

	if (spb_def_op(w->m, type) == SpvOpTypeVector)
		type = w->m->words[w->m->def[type] + 2];
	return spb_def_op(w->m, type) != SpvOpTypeBool && !spb_is_buffer_pointer(w->m, type);
}

static void follow(struct walk *w, uint32_t id)
{
	if (!id || spb_bit(w->seen, id) || !is_number(w, id))
		return;
	spb_set_bit(w->seen, id);
	SPB_PUSH(w->f->arena, &w->work, id);
}

static bool is_handle(struct walk *w, uint32_t id)
{
	return w->f->node_of[id] && spb_leaf_status(w->f, w->f->node_of[id] - 1) & SPB_LEAF_HANDLE;
}

static bool is_pointer_to_buffer(const struct walk *w, uint32_t id)
{
	return spb_is_buffer_pointer(w->m, spb_type_of(w->m, id));
}

static void follow_call(struct walk *w, struct spb_use use)
{
	const struct spb_calls *calls = &w->f->calls;
	uint32_t callee = calls->function_of[w->m->words[use.at + 3]], place = use.word - use.at - 4;

	if (callee && calls->first_parameter[callee - 1] + place < calls->first_parameter[callee])
		follow(w, calls->parameters.items[calls->first_parameter[callee - 1] + place]);
}

static void follow_return(struct walk *w, spb_at at)
{
	const struct spb_module *m = w->m;
	uint32_t function = m->words[spb_function_around(m, at)->at + 2];

	for (uint32_t i = m->first_use[function]; i < m->first_use[function + 1]; i++) {
		if (spb_op(m, m->use[i].at) == SpvOpFunctionCall && m->use[i].word == m->use[i].at + 3)
			follow(w, m->words[m->use[i].at + 2]);
	}
}

/* Follows the local variable, if any, that a store to `pointer` changes. */
static void follow_stored(struct walk *w, uint32_t pointer)
{
	const struct spb_module *m = w->m;

	while (spb_is_local_pointer(m, spb_type_of(m, pointer)) && !spb_bit(w->seen, pointer)) {
		uint32_t op = spb_def_op(m, pointer);
		follow(w, pointer);
		if (!spb_op_is(op, SPB_OP_CHAIN) && op != SpvOpCopyObject)
			return;
		pointer = m->words[m->def[pointer] + 3];
	}
}

static void follow_use(struct walk *w, struct spb_use use)
{
	const struct spb_module *m = w->m;
	uint32_t op = spb_op(m, use.at), result = spb_result(m, use.at);

	if (result && is_pointer_to_buffer(w, result) && (op == SpvOpConvertUToPtr || op == SpvOpBitcast)) {
		if (!is_handle(w, result))
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, use.at,
				 "%s turns a number that was made of a handle into a device address" SPB_REMEDY
				 "Keep the handle, a uint2, and dereference it.",
				 spb_op_name(op));
		return;
	}
	switch (op) {
	case SpvOpFunctionCall:
		follow_call(w, use);
		break;
	case SpvOpReturnValue:
		follow_return(w, use.at);
		break;
	case SpvOpStore:
		if (use.word == use.at + 2) /* the value, not the pointer */
			follow_stored(w, m->words[use.at + 1]);
		break;
	case SpvOpLoad:
		follow(w, result);
		break;
	default:
		if (!spb_op_is(op, SPB_OP_CHAIN) || use.word == use.at + 3) /* not an index */
			follow(w, result);
		break;
	}
}

void spb_check_handle_numbers(struct spb_handle_flow *f)
{
	const struct spb_module *m = f->m;
	struct walk w = {.f = f, .m = m, .seen = spb_bits(f->arena, m->bound)};

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if ((op == SpvOpBitcast || op == SpvOpConvertPtrToU) && is_pointer_to_buffer(&w, m->words[at + 3]) &&
		    is_handle(&w, m->words[at + 3]) && !is_pointer_to_buffer(&w, m->words[at + 2]))
			follow(&w, m->words[at + 2]);
	}
	while (w.work.count) {
		uint32_t id = w.work.items[--w.work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			follow_use(&w, m->use[i]);
	}
}
