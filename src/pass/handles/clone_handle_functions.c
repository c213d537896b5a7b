/* SPDX-License-Identifier: Apache-2.0 */
/* clone-handle-functions: a function that takes or returns pointers to buffers, and is called both with pointers from
 * handles and with device addresses, is copied so that each copy is called in one way only. The same holds for a
 * function that takes opaque values whose handles have to flow (handle_kinds.c), and is called both with handles and
 * with bound resources.
 *
 *     %f = OpFunction %float None %ff          %f = OpFunction ...                    for device addresses
 *     %p = OpFunctionParameter %ptr            %f2 = OpFunction ...                   for handles
 *     ... OpFunctionCall %float %f %q          ... OpFunctionCall %float %f2 %q
 *
 * A copy has the names and decorations of the original, and the original keeps its first caller. Debug information
 * refers to the original only. */
#include "pass/handles/handle_flow.h"

struct cloner {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_handle_flow f;
	struct spb_variants v;
	uint32_t *id_of; /* [variants] of the function */
	uint32_t *map;   /* [bound] id in the original -> id in its last copy */
	size_t words;
};

/* Debug information that belongs to a single function. */
static bool is_debug_info(const struct spb_module *m, spb_at at)
{
	return spb_is_non_semantic(m, at) && spb_is_debug_info(spb_string(m, m->def[m->words[at + 3]] + 2));
}

static void copy_notes(struct cloner *c, uint32_t id)
{
	const struct spb_module *m = c->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at);
		if (op == SpvOpName || op == SpvOpDecorate) /* a function with linkage is only called in one way */
			spb_copy_note(c->e, at, c->map[id]);
	}
}

/* Appends a copy of an instruction to the module, with new ids. */
static void copy_instruction(struct cloner *c, spb_at at, uint32_t *call)
{
	const struct spb_module *m = c->m;

	if (is_debug_info(m, at))
		return;
	uint32_t *words = spb_copy_operands(m, at, c->map, c->f.arena);
	if (spb_op(m, at) == SpvOpFunctionCall) {
		uint32_t callee = c->v.calls.items[(*call)++];
		if (callee != UINT32_MAX)
			words[2] = c->id_of[callee];
	}
	c->words += spb_length(m, at);
	spb_insert(c->e, m->count, spb_op(m, at), words, spb_length(m, at) - 1);
}

static void copy_function(struct cloner *c, uint32_t variant)
{
	const struct spb_module *m = c->m;
	const struct spb_function *f = &m->function[c->v.list.items[variant].function];
	uint32_t call = c->v.list.items[variant].first_call;

	for (spb_at at = f->at; at != f->end; at = spb_next(m, at)) { /* an id may be used before its definition */
		uint32_t id = spb_result(m, at);
		if (!id || is_debug_info(m, at))
			continue;
		c->map[id] = at == f->at ? c->id_of[variant] : spb_new_id(c->e);
		copy_notes(c, id);
	}
	for (spb_at at = f->at; at <= f->end; at = spb_next(m, at))
		copy_instruction(c, at, &call);
	if (c->words > 16 * (size_t)m->count + 65536)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_TOO_MUCH, f->at,
			 "copying the functions that take both handles and device addresses would make the module more "
			 "than 16 times as large" SPB_REMEDY "Pass handles only.");
}

static void patch_calls(struct cloner *c, uint32_t variant)
{
	const struct spb_module *m = c->m;
	const struct spb_function *f = &m->function[c->v.list.items[variant].function];
	uint32_t call = c->v.list.items[variant].first_call;

	for (spb_at at = f->at; at != f->end; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpFunctionCall)
			continue;
		uint32_t callee = c->v.calls.items[call++];
		if (callee != UINT32_MAX && c->id_of[callee] != m->words[at + 3])
			spb_patch(c->e, at + 3, c->id_of[callee]);
	}
}

bool spb_pass_clone_handle_functions(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct cloner c = {.u = u, .m = m, .e = &u->edit};
	bool any = false;
	uint32_t *opaque;

	if (!spb_has_carried_handles(u, &opaque))
		return false;
	spb_module_need_uses(m);
	spb_follow_handles(&c.f, u, opaque);
	c.v = spb_find_variants(&c.f);
	c.id_of = spb_alloc_array(c.f.arena, c.v.list.count, sizeof *c.id_of);
	c.map = spb_alloc_zeroed(c.f.arena, m->bound, sizeof *c.map);
	for (uint32_t i = 0; i < c.v.list.count; i++) {
		uint32_t function = c.v.list.items[i].function;
		bool first = c.v.of_function[function] == i + 1;
		c.id_of[i] = first ? m->words[m->function[function].at + 2] : spb_new_id(c.e);
		any |= !first;
	}
	for (uint32_t i = 0; i < c.v.list.count && any; i++) {
		if (c.v.of_function[c.v.list.items[i].function] == i + 1)
			patch_calls(&c, i);
		else
			copy_function(&c, i);
	}
	return any;
}
