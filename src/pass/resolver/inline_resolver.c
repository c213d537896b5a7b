/* SPDX-License-Identifier: Apache-2.0 */
/* inline-resolver: cleans up after merge-resolver and the lowering of handles.
 *
 *     %x = OpFunctionCall %uint %getDescriptorIndexFromHandle %h      %y = OpCompositeExtract %uint %h 0
 *                                                                     %x = OpBitwiseAnd %uint %y %mask
 *
 * A call of the index function is replaced by its body if that is one block of at most 64 instructions, so that each
 * access is judged by its own handle rather than by all handles that the function is called with. Merged functions
 * without a caller are removed. Entry points list the variables that merged functions use: built-in inputs, and from
 * SPIR-V 1.4 on all variables. */
#include "pass/resolver/merge.h"

enum { LONGEST = 64 };

struct plan {
	struct spb_unit *u;
	const struct spb_function *index; /* NULL: not inlined */
	uint32_t *resolvers;              /* bits over function indexes: functions that known functions may call */
	uint32_t *now;                    /* [bound] id in the body -> id in the current copy */
	uint32_t *removable;              /* bits over function indexes: functions of a resolver that are only called */
	uint32_t *removed;                /* the same: functions that are removed */
};

static const struct spb_module *module(const struct plan *p)
{
	return &p->u->m;
}

static struct spb_arena *scratch(const struct plan *p)
{
	return &p->u->m.context->scratch;
}

/* The lines of the body are not those of the dereference. */
static bool is_left_out(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	return op == SpvOpLine || op == SpvOpNoLine || spb_merge_skips(m, at);
}

static bool is_short(const struct spb_module *m, const struct spb_function *f)
{
	uint32_t count = 0;

	for (spb_at at = spb_next(m, f->body); at < f->end; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpLabel || ++count > LONGEST)
			return false;
		if (spb_next(m, at) == f->end && spb_op(m, at) != SpvOpReturnValue)
			return false;
	}
	return true;
}

static void put_notes(struct plan *p, uint32_t id, uint32_t to)
{
	const struct spb_module *m = module(p);

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at);
		if ((op == SpvOpDecorate || op == SpvOpDecorateId) && m->note[i].word == at + 1 &&
		    (to >= m->bound || !spb_decoration(m, to, m->words[at + 2])))
			spb_copy_note(&p->u->edit, at, to);
	}
}

static uint32_t now(const struct plan *p, uint32_t id)
{
	return p->now[id] ? p->now[id] : id;
}

/* Emits one instruction of the body before `call`. */
static void put_copy(struct plan *p, spb_at call, spb_at at)
{
	const struct spb_module *m = module(p);

	spb_insert(&p->u->edit, call, spb_op(m, at), spb_copy_operands(m, at, p->now, scratch(p)),
		   spb_length(m, at) - 1);
}

/* Variables must be at the head of a function, so all of them are emitted there before any copy of the body, which may
 * begin at the same place. Returns the id of the first one. */
static uint32_t put_variables(struct plan *p, spb_at call)
{
	const struct spb_module *m = module(p);
	const struct spb_function *caller = spb_function_around(m, call);
	uint32_t first = p->u->edit.bound;

	for (spb_at at = spb_next(m, p->index->body); at < p->index->end; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpVariable)
			spb_insert(&p->u->edit, spb_next(m, caller->body), SpvOpVariable,
				   W(m->words[at + 1], spb_new_id(&p->u->edit), m->words[at + 3]));
	}
	return first;
}

static bool is_removed(const struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	const struct spb_function *f = spb_function_around(m, at);

	return f && spb_bit(p->removed, (uint32_t)(f - m->function));
}

/* Is this a call that can be inlined? */
static bool is_inlined(const struct plan *p, struct spb_use use)
{
	return spb_op(module(p), use.at) == SpvOpFunctionCall && use.word == use.at + 3 && !is_removed(p, use.at);
}

/* `variable`: id of the first variable. A variable with an initializer is initialized at each call. */
static void inline_call(struct plan *p, spb_at call, uint32_t variable)
{
	const struct spb_module *m = module(p);
	const struct spb_function *f = p->index;
	spb_at at = spb_next_parameter(m, f->at);
	uint32_t argument = call + 4, result = m->words[call + 2], value;

	for (; spb_op(m, at) == SpvOpFunctionParameter; at = spb_next_parameter(m, at))
		p->now[m->words[at + 2]] = m->words[argument++];
	value = m->words[f->end - 1]; /* the operand of OpReturnValue */
	for (at = spb_next(m, f->body); at < f->end; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (!id || is_left_out(m, at))
			continue;
		p->now[id] = spb_op(m, at) == SpvOpVariable ? variable++
			     : id == value                  ? result
							    : spb_new_id(&p->u->edit);
		put_notes(p, id, p->now[id]);
	}
	for (at = spb_next(m, f->body); at < f->end; at = spb_next(m, at)) {
		if (is_left_out(m, at) || spb_op(m, at) == SpvOpReturnValue)
			continue;
		if (spb_op(m, at) != SpvOpVariable)
			put_copy(p, call, at);
		else if (spb_length(m, at) > 4)
			spb_insert(&p->u->edit, call, SpvOpStore, W(p->now[m->words[at + 2]], m->words[at + 4]));
	}
	if (now(p, value) == result)
		spb_remove(&p->u->edit, call);
	else /* a constant, or an argument */
		spb_replace(&p->u->edit, call, SpvOpCopyObject, W(m->words[call + 1], result, now(p, value)));
}

/* Then the function is no longer needed, unless something else names it. The functions that it calls are now called
 * by the copies. */
static void inline_calls(struct plan *p)
{
	const struct spb_module *m = module(p);
	uint32_t id = m->words[p->index->at + 2], begin = m->first_use[id], end = m->first_use[id + 1];
	uint32_t *variables = spb_alloc_array(scratch(p), end - begin, sizeof *variables);

	p->now = spb_alloc_zeroed(scratch(p), m->bound, sizeof *p->now);
	for (uint32_t i = begin; i < end; i++) {
		if (is_inlined(p, m->use[i]))
			variables[i - begin] = put_variables(p, m->use[i].at);
	}
	for (uint32_t i = begin; i < end; i++) {
		if (is_inlined(p, m->use[i]))
			inline_call(p, m->use[i].at, variables[i - begin]);
	}
	if (spb_bit(p->removable, (uint32_t)(p->index - m->function)))
		spb_set_bit(p->removed, (uint32_t)(p->index - m->function));
}

/* Older debug information names functions, too. */
static bool is_only_called(const struct spb_module *m, uint32_t id)
{
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (spb_op(m, m->use[i].at) != SpvOpFunctionCall)
			return false;
	}
	return true;
}

static void find_functions(struct plan *p, const struct spb_calls *calls)
{
	const struct spb_module *m = module(p);

	p->removable = spb_bits(scratch(p), m->function_count);
	p->removed = spb_bits(scratch(p), m->function_count);
	for (size_t i = 0; i < p->u->resolver.functions.count; i++) {
		uint32_t f = calls->function_of[p->u->resolver.functions.items[i]];
		if (f && is_only_called(m, p->u->resolver.functions.items[i]))
			spb_set_bit(p->removable, f - 1);
	}
	uint32_t index = p->u->resolver.index_function ? calls->function_of[p->u->resolver.index_function] : 0;
	if (index && is_short(m, &m->function[index - 1]))
		p->index = &m->function[index - 1];
}

/* The global variables that each resolver function names, as runs of a list. */
struct variables {
	uint32_t *first; /* [function_count + 1] */
	SPB_LIST(uint32_t) list;
};

static bool is_listed_class(const struct spb_module *m, uint32_t class)
{
	return class == SpvStorageClassInput || class == SpvStorageClassOutput || spb_version_word(m) >= 0x00010400;
}

static struct variables find_variables(const struct plan *p)
{
	const struct spb_module *m = module(p);
	struct variables v = {.first = spb_alloc_array(scratch(p), m->function_count + 1, sizeof *v.first)};

	for (uint32_t f = 0; f < m->function_count; f++) {
		v.first[f] = (uint32_t)v.list.count;
		if (!spb_bit(p->resolvers, f))
			continue;
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
				spb_at def = o.kind == SPB_KIND_ID ? m->def[m->words[o.word]] : 0;
				if (spb_op(m, def) == SpvOpVariable && def < m->section[SPB_SECTION_FUNCTION] &&
				    is_listed_class(m, m->words[def + 3]))
					SPB_PUSH(scratch(p), &v.list, m->words[o.word]);
			}
		}
	}
	v.first[m->function_count] = (uint32_t)v.list.count;
	return v;
}

static void extend_interfaces(struct plan *p, struct spb_calls *calls)
{
	const struct spb_module *m = module(p);
	struct variables v = find_variables(p);
	uint32_t *listed; /* [bound] last entry point that lists it */

	if (!v.list.count)
		return;
	listed = spb_alloc_zeroed(scratch(p), m->bound, sizeof *listed);
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		for (uint32_t w = at + 3 + (uint32_t)strlen(spb_string(m, at + 3)) / 4 + 1; w < spb_next(m, at); w++)
			listed[m->words[w]] = at;
		uint32_t count = spb_reach(calls, m->words[at + 2]);
		for (uint32_t i = 0; i < count; i++) {
			uint32_t f = calls->reached[i];
			for (uint32_t k = v.first[f]; k < v.first[f + 1]; k++) {
				uint32_t id = v.list.items[k];
				if (listed[id] != at)
					spb_interface_add(&p->u->edit, at, id);
				listed[id] = at;
			}
		}
	}
}

/* Do only removed functions have lines in this file? */
static bool is_of_removed(const struct plan *p, uint32_t file)
{
	const struct spb_module *m = module(p);
	uint32_t i = m->first_use[file], end = m->first_use[file + 1];

	if (i == end)
		return false;
	for (; i < end; i++) {
		if (!is_removed(p, m->use[i].at))
			return false;
	}
	return true;
}

static void remove_files(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (spb_at at = m->section[SPB_SECTION_SOURCE]; at < m->section[SPB_SECTION_NAME]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpString && is_of_removed(p, m->words[at + 1]))
			spb_remove(&p->u->edit, at);
	}
}

/* Functions of resolvers that are not called, and callees that only they call. */
static void find_uncalled(struct plan *p, const struct spb_calls *calls)
{
	const struct spb_module *m = module(p);
	uint32_t *callers = spb_alloc_zeroed(scratch(p), m->function_count, sizeof *callers);
	uint32_t *work = spb_alloc_array(scratch(p), m->function_count, sizeof *work), top = 0;

	for (size_t i = 0; i < calls->callees.count; i++)
		callers[calls->callees.items[i]]++;
	for (uint32_t f = 0; f < m->function_count; f++) {
		if (spb_bit(p->removable, f) && !callers[f])
			work[top++] = f;
	}
	while (top) {
		uint32_t f = work[--top];
		spb_set_bit(p->removed, f);
		for (uint32_t i = calls->first[f]; i < calls->first[f + 1]; i++) {
			uint32_t callee = calls->callees.items[i];
			if (spb_bit(p->removable, callee) && !--callers[callee])
				work[top++] = callee;
		}
	}
}

static void remove_functions(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (uint32_t f = 0; f < m->function_count; f++) {
		if (spb_bit(p->removed, f))
			spb_remove_function(&p->u->edit, &m->function[f]);
	}
}

bool spb_pass_inline_resolver(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.u = u};

	if (!u->resolver.index_function && !u->resolver.functions.count && !u->resolver.whole_functions.count)
		return false;
	spb_module_need_uses(m);
	struct spb_calls calls = spb_find_calls(m, scratch(&p));
	find_functions(&p, &calls);
	p.resolvers = spb_find_resolver_functions(u, &calls);
	extend_interfaces(&p, &calls);
	find_uncalled(&p, &calls);
	if (p.index)
		inline_calls(&p);
	remove_functions(&p);
	remove_files(&p);
	return true;
}
