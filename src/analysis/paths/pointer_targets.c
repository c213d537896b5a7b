/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/paths/pointer_targets.h"
#include "analysis/paths/selection.h"

enum { MAX_ROUNDS = 32 };

static const struct spb_target anything = {UINT32_MAX, UINT32_MAX};

struct finder {
	struct spb_targets t;
	const struct spb_module *m;
	const struct spb_calls *calls;
	bool changed, lost; /* lost: a pointer was stored in unknown memory, so any pointer may refer to anything */
};

/* Finds the types that are or hold pointers or descriptors, in one walk, since types are declared before their use. */
static uint32_t *find_holders(const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *holders = spb_bits(arena, m->bound);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at), end = spb_op_is(op, SPB_OP_ARRAY) ? at + 3 : spb_next(m, at);
		bool holds = op == SpvOpTypePointer || op == OpTypeUntypedPointerKHR || spb_op_is(op, SPB_OP_OPAQUE);
		if (spb_op_is(op, SPB_OP_ARRAY) || op == SpvOpTypeStruct) {
			for (uint32_t w = at + 2; w < end && !holds; w++)
				holds = spb_bit(holders, m->words[w]);
		}
		if (holds)
			spb_set_bit(holders, m->words[at + 1]);
	}
	return holders;
}

bool spb_holds_pointers(const struct spb_targets *t, uint32_t id)
{
	uint32_t type = spb_type_of(t->m, id);

	return type && t->holders && spb_bit(t->holders, type);
}

uint32_t spb_pointer_holder(const struct spb_targets *t, uint32_t pointer)
{
	const struct spb_module *m = t->m;
	uint32_t root = t->bases[pointer] ? t->bases[pointer] : pointer;
	spb_at type = m->def[spb_type_of(m, root)];

	if (spb_op(m, type) != SpvOpTypePointer || spb_is_resource_class(m->words[type + 2]) ||
	    (spb_def_op(m, root) != SpvOpVariable && spb_def_op(m, root) != SpvOpFunctionParameter))
		return 0;
	return spb_bit(t->holders, m->words[type + 3]) ? root : 0;
}

static struct spb_target joined(struct spb_target a, struct spb_target b)
{
	if (!a.root || !b.root)
		return a.root ? a : b;
	if (a.root != b.root)
		return anything;
	if (a.element != b.element)
		a.element = UINT32_MAX;
	return a;
}

static void join(struct finder *f, uint32_t id, struct spb_target b)
{
	struct spb_target *a = &f->t.of[id], now = joined(*a, b);

	f->changed |= now.root != a->root || now.element != a->element;
	*a = now;
}

/* What the value of an id refers to so far; null refers to nothing. */
static struct spb_target target(const struct finder *f, uint32_t id)
{
	const struct spb_module *m = f->m;
	uint32_t op = spb_def_op(m, id);

	if ((op == SpvOpVariable || op == OpUntypedVariableKHR) && spb_names_descriptor(m, id))
		return (struct spb_target){id, 0};
	return op == SpvOpUndef ? anything : f->t.of[id];
}

static struct spb_target behind_chain(const struct finder *f, spb_at at)
{
	const struct spb_module *m = f->m;
	struct spb_selection s = spb_selection_of(m, at);
	struct spb_target base = target(f, m->words[s.base]);
	uint64_t index;

	if (!base.root || base.root == UINT32_MAX || s.end <= s.base + 1)
		return base;
	if (s.end == s.base + 2 && spb_op_is(spb_op(m, at), SPB_OP_CHAIN) && !base.element &&
	    spb_def_op(m, m->words[s.base + 1]) == SpvOpConstant &&
	    spb_constant_value(m, m->words[s.base + 1], &index) && index < UINT32_MAX) /* + 1 must fit */
		return (struct spb_target){base.root, (uint32_t)index + 1};
	return (struct spb_target){base.root, UINT32_MAX};
}

static void see_call(struct finder *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t callee = f->calls->function_of[m->words[at + 3]];
	bool known = callee && spb_has_body(&m->function[callee - 1]);

	if (spb_holds_pointers(&f->t, m->words[at + 2]))
		join(f, m->words[at + 2], known ? f->t.of[m->words[at + 3]] : anything);
	for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
		uint32_t number = w - at - 4, holder = spb_pointer_holder(&f->t, m->words[w]), parameter;
		if (!known || f->calls->first_parameter[callee - 1] + number >= f->calls->first_parameter[callee]) {
			f->lost |= holder != 0;
			continue;
		}
		parameter = f->calls->parameters.items[f->calls->first_parameter[callee - 1] + number];
		if (!holder) {
			join(f, parameter, target(f, m->words[w]));
			continue;
		}
		join(f, parameter, f->t.of[holder]); /* the same memory */
		join(f, holder, f->t.of[parameter]);
	}
}

static void see_store(struct finder *f, uint32_t pointer, struct spb_target what)
{
	uint32_t holder = spb_pointer_holder(&f->t, pointer);

	if (holder)
		join(f, holder, what);
	else
		f->lost = true;
}

static void see_load(struct finder *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t pointer = m->words[at + 3], holder = spb_pointer_holder(&f->t, pointer);

	if (spb_names_descriptor(m, pointer)) /* a descriptor */
		join(f, m->words[at + 2], target(f, pointer));
	else
		join(f, m->words[at + 2], holder ? f->t.of[holder] : anything);
}

/* Joins the targets of the operands, of a choice or of a structure. */
static void see_operands(struct finder *f, spb_at at)
{
	const struct spb_module *m = f->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if ((o.kind == SPB_KIND_ID || o.kind == SPB_KIND_PAIR_ID_ID) &&
		    spb_holds_pointers(&f->t, m->words[o.word]))
			join(f, m->words[at + 2], target(f, m->words[o.word]));
	}
}

static void see_copy(struct finder *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t from = spb_pointer_holder(&f->t, m->words[at + 2]);

	if (from || spb_pointer_holder(&f->t, m->words[at + 1]))
		see_store(f, m->words[at + 1], from ? f->t.of[from] : anything);
}

static void see_instruction(struct finder *f, spb_at at, uint32_t function)
{
	const struct spb_module *m = f->m;
	const struct spb_op_facts *row = spb_op_facts(spb_op(m, at));
	uint32_t op = spb_op(m, at);

	f->lost |= (row->flags & SPB_OP_CALLS) != 0;
	switch (op) {
	case SpvOpFunctionCall:
		see_call(f, at);
		return;
	case SpvOpStore:
		if (spb_holds_pointers(&f->t, m->words[at + 2]))
			see_store(f, m->words[at + 1], target(f, m->words[at + 2]));
		return;
	case SpvOpCopyMemory:
		see_copy(f, at);
		return;
	case SpvOpReturnValue:
		if (spb_holds_pointers(&f->t, m->words[at + 1]))
			join(f, m->words[m->function[function].at + 2], target(f, m->words[at + 1]));
		return;
	case SpvOpVariable:
		if (spb_length(m, at) > 4 && spb_pointer_holder(&f->t, m->words[at + 2]))
			join(f, m->words[at + 2], target(f, m->words[at + 4]));
		return;
	default:
		break;
	}
	if (!(row->flags & SPB_OP_HAS_TYPE) || !spb_bit(f->t.holders, m->words[at + 1]))
		return;
	if (spb_is_any_chain(op))
		join(f, m->words[at + 2], behind_chain(f, at));
	else if (op == SpvOpLoad)
		see_load(f, at);
	else if (row->flags & (SPB_OP_FORWARDS | SPB_OP_JOINS | SPB_OP_COPY) || op == SpvOpCompositeExtract)
		see_operands(f, at);
	else
		join(f, m->words[at + 2], anything);
}

/* Parameters of functions that other modules may call. */
static void see_exports(struct finder *f)
{
	const struct spb_module *m = f->m;

	for (uint32_t i = 0; spb_has_capability(m, SpvCapabilityLinkage) && i < m->function_count; i++) {
		if (!spb_decoration(m, m->words[m->function[i].at + 2], SpvDecorationLinkageAttributes))
			continue;
		for (uint32_t k = f->calls->first_parameter[i]; k < f->calls->first_parameter[i + 1]; k++)
			join(f, f->calls->parameters.items[k], anything);
	}
}

static void see_everything(struct finder *f)
{
	const struct spb_module *m = f->m;

	f->changed = false;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpVariable)
			see_instruction(f, at, 0);
	}
	for (uint32_t i = 0; i < m->function_count; i++) {
		for (spb_at at = m->function[i].body; at < m->function[i].end; at = spb_next(m, at))
			see_instruction(f, at, i);
	}
}

struct spb_targets spb_find_targets(const struct spb_module *m, const struct spb_calls *calls, struct spb_arena *arena)
{
	struct finder f = {.t = {.m = m}, .m = m, .calls = calls};
	uint32_t left = MAX_ROUNDS;

	if (m->has_unknown_ops || !spb_has_choices(m))
		return f.t;
	f.t.holders = find_holders(m, arena);
	f.t.bases = spb_pointer_bases(m, arena);
	f.t.of = spb_alloc_zeroed(arena, m->bound, sizeof *f.t.of);
	see_exports(&f);
	do
		see_everything(&f);
	while (f.changed && !f.lost && --left);
	if (f.changed || f.lost)
		f.t.of = NULL;
	return f.t;
}

struct spb_targets spb_with_memory(const struct spb_targets *t, struct spb_arena *arena)
{
	struct spb_targets with = *t;

	if (!with.holders)
		with.holders = find_holders(t->m, arena);
	if (!with.bases)
		with.bases = spb_pointer_bases(t->m, arena);
	return with;
}

bool spb_has_one_target(const struct spb_targets *t, uint32_t id)
{
	return t->of && t->of[id].root != UINT32_MAX && t->of[id].element != UINT32_MAX && t->of[id].root;
}

uint32_t spb_target_variable(const struct spb_targets *t, uint32_t id)
{
	return t->of && t->of[id].root != UINT32_MAX ? t->of[id].root : 0;
}
