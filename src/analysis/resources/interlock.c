/* SPDX-License-Identifier: Apache-2.0 */
/* interlock: the resources that a fragment shader accesses in pixel order (HLSL's RasterizerOrdered*, GLSL's
 * beginInvocationInterlockARB), that is, between OpBeginInvocationInterlockEXT and OpEndInvocationInterlockEXT, or in a
 * function called from there. See SPV_EXT_fragment_shader_interlock. */
#include "analysis/resources/resources.h"

static void mark_operands(const struct spb_module *m, spb_at at, const uint32_t *bases, uint32_t *bits)
{
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word];
		if (!spb_operand_is_id(&o))
			continue;
		id = bases[id] ? bases[id] : id;
		if (spb_def_op(m, id) == SpvOpVariable)
			spb_set_bit(bits, id);
	}
}

static void mark_function(const struct spb_module *m, uint32_t f, const uint32_t *bases, uint32_t *bits)
{
	for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at))
		mark_operands(m, at, bases, bits);
}

uint32_t *spb_find_ordered(const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *bits, *bases, *done;
	struct spb_calls calls;

	if (!spb_has_extension(m, "SPV_EXT_fragment_shader_interlock"))
		return NULL;
	bits = spb_bits(arena, m->bound);
	bases = spb_pointer_bases(m, arena);
	calls = spb_find_calls(m, arena);
	done = spb_bits(arena, m->function_count);
	for (uint32_t f = 0; f < m->function_count; f++) {
		bool inside = false;
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			uint32_t op = spb_op(m, at);
			inside =
			    (inside || op == SpvOpBeginInvocationInterlockEXT) && op != SpvOpEndInvocationInterlockEXT;
			if (inside)
				mark_operands(m, at, bases, bits);
			if (!inside || op != SpvOpFunctionCall)
				continue;
			for (uint32_t i = 0, n = spb_reach(&calls, m->words[at + 3]); i < n; i++) {
				if (!spb_bit(done, calls.reached[i]))
					mark_function(m, calls.reached[i], bases, bits);
				spb_set_bit(done, calls.reached[i]);
			}
		}
	}
	return bits;
}
