/* SPDX-License-Identifier: Apache-2.0 */
/* effects: whether a shader reads or writes through a pointer or descriptor, wherever that goes: through chains, loads
 * of images, choices, and parameters. */
#include <string.h>

#include "analysis/paths/descriptor_paths.h"
#include "analysis/paths/selection.h"

enum { OPEN = SPB_EFFECT_BOTH + 1, DONE = 2 * OPEN }; /* bits beside the effects */

/* The parameter that receives an argument; 0: one of too many. */
static uint32_t parameter_of(const struct spb_module *m, spb_at call, uint32_t argument)
{
	enum { MOST = 255 };
	spb_at at = m->def[m->words[call + 3]];

	if (argument >= MOST || !at)
		return 0;
	for (uint32_t i = 0; i <= argument; i++)
		at = spb_next(m, at);
	return spb_op(m, at) == SpvOpFunctionParameter ? m->words[at + 2] : 0;
}

/* The pointer or descriptor that the use makes of the other one; 0: none. */
static uint32_t followed(const struct spb_module *m, struct spb_use use)
{
	const uint32_t op = spb_op(m, use.at), result = spb_result(m, use.at);

	if (op == SpvOpFunctionCall)
		return parameter_of(m, use.at, use.word - use.at - 4);
	if (!spb_op_is(op, SPB_OP_FORWARDS) || !result || (op == SpvOpLoad && !spb_names_descriptor(m, result)))
		return 0;
	return result;
}

static bool is_remark(const struct spb_module *m, spb_at at)
{
	static const char non_semantic[] = "NonSemantic.";

	if (spb_op(m, at) != SpvOpExtInst)
		return false;
	const char *set = spb_string(m, m->def[m->words[at + 3]] + 2);
	return !strncmp(set, non_semantic, strlen(non_semantic)) || spb_is_debug_info(set);
}

static uint32_t effect_of(const struct spb_module *m, struct spb_use use)
{
	const uint32_t op = spb_op(m, use.at);

	if (!m->function_count || use.at < m->function[0].at || spb_op_is(op, SPB_OP_QUERY) || is_remark(m, use.at))
		return 0;
	if (op == SpvOpFunctionCall || op == SpvOpExtInst || op == SpvOpReturnValue)
		return SPB_EFFECT_BOTH;
	if (op == SpvOpStore || op == SpvOpCopyMemory || op == SpvOpCopyMemorySized)
		return use.word == use.at + 1 ? SPB_EFFECT_WRITES
		       : op == SpvOpStore     ? SPB_EFFECT_BOTH
					      : SPB_EFFECT_READS;
	if (!spb_op_is(op, SPB_OP_WRITES))
		return SPB_EFFECT_READS;
	return spb_op_is(op, SPB_OP_ATOMIC) && op != SpvOpAtomicStore ? SPB_EFFECT_BOTH : SPB_EFFECT_WRITES;
}

uint32_t spb_effects_of(const struct spb_module *m, uint32_t id, struct spb_effects *x)
{
	struct visit {
		uint32_t id, use;
	};
	SPB_LIST(struct visit) open = {0};

	if (!x->known)
		x->known = spb_alloc_zeroed(x->arena, m->bound, sizeof *x->known);
	for (uint32_t next = x->known[id] ? 0 : id;;) {
		if (next) {
			x->known[next] = OPEN;
			SPB_PUSH(x->arena, &open, ((struct visit){next, m->first_use[next]}));
			next = 0;
		}
		if (!open.count)
			return x->known[id] & SPB_EFFECT_BOTH;
		const uint32_t top = open.items[open.count - 1].id;
		if (open.items[open.count - 1].use == m->first_use[top + 1]) {
			x->known[top] |= DONE;
			if (--open.count)
				x->known[open.items[open.count - 1].id] |= (uint8_t)(x->known[top] & SPB_EFFECT_BOTH);
			continue;
		}
		const struct spb_use use = m->use[open.items[open.count - 1].use++];
		const uint32_t other = followed(m, use);
		if (!other)
			x->known[top] |= (uint8_t)effect_of(m, use);
		else if (!x->known[other])
			next = other;
		else /* in a loop of choices, unless it is done */
			x->known[top] |=
			    (uint8_t)(x->known[other] & DONE ? x->known[other] & SPB_EFFECT_BOTH : SPB_EFFECT_BOTH);
	}
}
