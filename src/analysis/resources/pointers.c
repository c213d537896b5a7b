/* SPDX-License-Identifier: Apache-2.0 */
/* pointers: the variable or parameter to which each pointer refers. Operands are defined before their use, so one walk
 * finds them all. */
#include "analysis/resources/resources.h"

uint32_t *spb_pointer_bases(const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *base_of = spb_alloc_zeroed(arena, m->bound, sizeof *base_of);

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			uint32_t op = spb_op(m, at);
			if (!spb_op_is_chain(op) && op != SpvOpCopyObject)
				continue;
			uint32_t base = m->words[at + 3];
			base_of[m->words[at + 2]] = base_of[base] ? base_of[base] : base;
		}
	}
	return base_of;
}
