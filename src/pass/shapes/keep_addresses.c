/* SPDX-License-Identifier: Apache-2.0 */
/* keep-addresses: where acceleration structures are device addresses, as in Slang's handles, and flow through memory,
 * arrays, structs or OpSelect, which Vulkan does not allow (VUID-StandaloneSpirv-OpTypeImage-06924), the addresses flow
 * in their place.
 *
 *     %v = OpVariable %pscene Function                           %v = OpVariable %paddress Function
 *     %s = OpConvertUToAccelerationStructureKHR %scene %a        %s = OpCopyObject %address %a
 *     OpStore %v %s                                              OpStore %v %s
 *     %l = OpLoad %scene %v                                      %l = OpLoad %address %v
 *                                                                %n = OpConvertUToAccelerationStructureKHR %scene %l
 *     OpRayQueryInitializeKHR %q %l ...                          OpRayQueryInitializeKHR %q %n ...
 *
 * Values and memory between which structures may move belong together, and change together. Those that a bound
 * structure may reach, too, stay, and resolve-descriptors refuses them. */
#include "pass/shapes/shape.h"
#include "pass/shapes/shapes.h"

enum {
	ADDRESS = 1, /* some are converted from addresses */
	OTHER = 2,   /* some are bound, or go where this pass cannot follow */
	BAD = 4      /* where no acceleration structure may be */
};

struct plan {
	struct spb_module *m;
	struct spb_edit *e;
	uint32_t scene, address; /* types */
	uint32_t *holds;         /* bits over types: acceleration structures, what contains them, and pointers to it */
	uint32_t *parent;        /* [bound] of values that belong together */
	uint8_t *flags;          /* [bound] of those without a parent */
	uint32_t *to;            /* [bound] type or constant -> the one with addresses */
	uint32_t *needed;        /* bits over types and constants: with addresses */
	uint32_t *lost;          /* [bound] uses of a constant that change */
	uint32_t *types, *gone;  /* bits over ids: for spb_sweep_types */
};

/* What belongs together */

static bool is_scene_type(const struct plan *p, uint32_t type)
{
	return spb_def_op(p->m, type) == SpvOpTypeAccelerationStructureKHR;
}

/* Constants belong to nothing: there is one with addresses where it is needed. */
static bool is_value(const struct plan *p, uint32_t id)
{
	uint32_t type = spb_type_of(p->m, id);

	return type && spb_bit(p->holds, type) &&
	       (p->m->def[id] >= p->m->section[SPB_SECTION_FUNCTION] || spb_def_op(p->m, id) == SpvOpVariable);
}

static void join(struct plan *p, uint32_t a, uint32_t b)
{
	if (!is_value(p, a) || !is_value(p, b))
		return;
	a = spb_find_root(p->parent, a);
	b = spb_find_root(p->parent, b);
	p->flags[b] |= p->flags[a];
	p->parent[a] = b;
}

static void flag(struct plan *p, uint32_t id, uint8_t flags)
{
	if (is_value(p, id))
		p->flags[spb_find_root(p->parent, id)] |= flags;
}

static bool is_local(const struct plan *p, uint32_t pointer_type)
{
	uint32_t storage = p->m->words[p->m->def[pointer_type] + 2];

	return storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate;
}

static void see_call(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	spb_at parameter = m->def[m->words[at + 3]];

	if (spb_op(m, parameter) != SpvOpFunction)
		return;
	join(p, m->words[at + 2], m->words[at + 3]);
	for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
		parameter = spb_next_parameter(m, parameter);
		if (spb_op(m, parameter) != SpvOpFunctionParameter)
			return;
		join(p, m->words[w], m->words[parameter + 2]);
	}
}

/* Before SPIR-V 1.4, OpSelect on a vector needs a vector as its condition. */
static bool can_select(const struct plan *p, spb_at at)
{
	return spb_version_word(p->m) >= 0x00010400 ||
	       spb_def_op(p->m, spb_type_of(p->m, p->m->words[at + 3])) != SpvOpTypeBool;
}

static bool moves_values(uint32_t op)
{
	return op == SpvOpPhi || op == SpvOpSelect || op == SpvOpCopyObject || op == SpvOpCopyLogical ||
	       op == SpvOpCompositeConstruct || op == SpvOpCompositeExtract || op == SpvOpCompositeInsert ||
	       op == SpvOpLoad || op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
}

static bool is_consumed(const struct plan *p, uint32_t id)
{
	return is_value(p, id) && is_scene_type(p, spb_type_of(p->m, id));
}

static void see_other(struct plan *p, spb_at at, uint32_t result)
{
	const struct spb_module *m = p->m;

	if (result)
		flag(p, result, OTHER);
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && !is_consumed(p, m->words[o.word]))
			flag(p, m->words[o.word], OTHER);
	}
}

static void see(struct plan *p, spb_at at, uint32_t function)
{
	const struct spb_module *m = p->m;
	const uint32_t *w = m->words + at;
	uint32_t op = spb_op(m, at), result = spb_op_is(op, SPB_OP_HAS_TYPE) ? w[2] : 0;

	if (result && (!is_scene_type(p, w[1]) || op == SpvOpSelect || op == SpvOpUndef))
		flag(p, result, BAD);
	if (op == SpvOpVariable || op == SpvOpFunctionParameter) {
		if (spb_def_op(m, w[1]) == SpvOpTypePointer && !is_local(p, w[1]))
			flag(p, result, OTHER);
	} else if (op == SpvOpConvertUToAccelerationStructureKHR) {
		flag(p, result, spb_type_of(m, w[3]) == p->address ? ADDRESS : OTHER);
	} else if (op == SpvOpStore || op == SpvOpCopyMemory) {
		join(p, w[1], w[2]);
	} else if (op == SpvOpFunctionCall) {
		see_call(p, at);
	} else if (op == SpvOpReturnValue) {
		join(p, w[1], function);
	} else if (moves_values(op)) {
		if (op == SpvOpSelect && !can_select(p, at))
			flag(p, result, OTHER);
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				join(p, result, m->words[o.word]);
		}
	} else if (op != SpvOpFunction && op != SpvOpUndef && !spb_is_non_semantic(m, at)) {
		see_other(p, at, result);
	}
}

/* What happens in a function without a body is not known. */
static void see_function(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	spb_at next = spb_next_parameter(m, at);

	while (spb_op(m, next) == SpvOpFunctionParameter)
		next = spb_next_parameter(m, next);
	if (spb_op(m, next) != SpvOpFunctionEnd)
		return;
	flag(p, m->words[at + 2], OTHER);
	for (at = spb_next_parameter(m, at); at != next; at = spb_next_parameter(m, at))
		flag(p, m->words[at + 2], OTHER);
}

static void find_types(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		uint32_t op = spb_op(m, at);
		bool holds = op == SpvOpTypeAccelerationStructureKHR;
		if (holds)
			p->scene = w[1];
		if (op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray)
			holds = spb_bit(p->holds, w[2]);
		if (op == SpvOpTypePointer)
			holds = spb_bit(p->holds, w[3]);
		for (uint32_t i = 2; op == SpvOpTypeStruct && i < spb_length(m, at); i++)
			holds |= spb_bit(p->holds, w[i]);
		if (holds)
			spb_set_bit(p->holds, w[1]);
	}
}

/* The type of the first address; 0: there is none. */
static uint32_t find_address_type(const struct spb_module *m)
{
	spb_at at = m->section[SPB_SECTION_FUNCTION];

	while (at < m->count && spb_op(m, at) != SpvOpConvertUToAccelerationStructureKHR)
		at = spb_next(m, at);
	return at < m->count ? spb_type_of(m, m->words[at + 3]) : 0;
}

/* False: nothing changes. */
static bool find_values(struct plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t function = 0;
	bool found = false;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpVariable)
			see(p, at, 0);
		else if (spb_is_non_semantic(m, at)) /* about a variable, and would have to move along */
			see_other(p, at, 0);
	}
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpFunction) {
			function = m->words[at + 2];
			see_function(p, at);
		}
		see(p, at, function);
	}
	for (uint32_t id = 1; id < m->bound; id++)
		found |= p->parent[id] == id && p->flags[id] == (ADDRESS | BAD);
	return found;
}

/* Edits */

static bool changes(const struct plan *p, uint32_t id)
{
	return is_value(p, id) && p->flags[spb_find_root(p->parent, id)] == (ADDRESS | BAD);
}

/* Is it a constant, or OpUndef, that needs another one with addresses? */
static bool is_constant(const struct plan *p, uint32_t id)
{
	uint32_t op = spb_def_op(p->m, id);

	return (op == SpvOpConstantNull || op == SpvOpUndef || op == SpvOpConstantComposite ||
		op == SpvOpSpecConstantComposite) &&
	       spb_bit(p->holds, spb_type_of(p->m, id)) && !is_value(p, id);
}

/* What decides whether an operand changes if it is a constant: where it goes. 0: it goes nowhere. */
static uint32_t goal_of(const struct plan *p, spb_at at, uint32_t word, uint32_t function)
{
	const struct spb_module *m = p->m;
	spb_at parameter;

	switch (spb_op(m, at)) {
	case SpvOpStore:
		return m->words[at + 1];
	case SpvOpReturnValue:
		return function;
	case SpvOpFunctionCall:
		parameter = m->def[m->words[at + 3]];
		for (uint32_t w = at + 4; w <= word && parameter; w++) {
			parameter = spb_next_parameter(m, parameter);
			if (spb_op(m, parameter) != SpvOpFunctionParameter)
				return 0;
		}
		return word > at + 3 ? m->words[parameter + 2] : 0;
	default:
		return spb_result(m, at);
	}
}

static bool passes_on(uint32_t op)
{
	return moves_values(op) || op == SpvOpStore || op == SpvOpCopyMemory || op == SpvOpFunctionCall ||
	       op == SpvOpReturnValue || op == SpvOpVariable;
}

static bool is_changing_constant(const struct plan *p, spb_at at, uint32_t word, uint32_t function)
{
	if (!passes_on(spb_op(p->m, at)) || !is_constant(p, p->m->words[word]))
		return false;
	uint32_t goal = goal_of(p, at, word, function);
	return goal && changes(p, goal);
}

/* Which types and constants are needed with addresses. */
static void find_needed(struct plan *p, spb_at at, uint32_t function)
{
	const struct spb_module *m = p->m;

	if (spb_op_is(spb_op(m, at), SPB_OP_HAS_TYPE) && changes(p, m->words[at + 2])) {
		spb_set_bit(p->needed, m->words[at + 1]);
		spb_set_bit(p->gone, m->words[at + 2]);
	}
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind != SPB_KIND_ID || !is_changing_constant(p, at, o.word, function))
			continue;
		spb_set_bit(p->needed, m->words[o.word]);
		p->lost[m->words[o.word]]++;
	}
}

/* Is the operand of a needed type or constant needed, too? The length of an array is not. */
static bool is_part(const struct plan *p, uint32_t id)
{
	return is_constant(p, id) || (spb_bit(p->holds, id) && spb_def_op(p->m, id) != SpvOpTypePointer);
}

static bool is_needed(const struct plan *p, spb_at at)
{
	uint32_t id = spb_result(p->m, at);

	return id && id != p->scene && spb_bit(p->needed, id) && (spb_bit(p->holds, id) || is_constant(p, id));
}

static void make_copy(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t id = spb_result(m, at), count = spb_length(m, at) - 1;
	uint32_t *words = spb_alloc_array(p->e->arena, count, sizeof *words);

	if (spb_op(m, at) == SpvOpTypePointer) {
		p->to[id] = spb_pointer_type(p->e, m->words[at + 2], p->to[m->words[at + 3]]);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t word = m->words[at + 1 + i];
		words[i] = word == id ? spb_new_id(p->e) : word < m->bound && p->to[word] ? p->to[word] : word;
	}
	p->to[id] = words[spb_bit(p->holds, id) ? 0 : 1];
	spb_add_global(p->e, spb_op(m, at), words, count);
}

static void remove_unused(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t id = spb_result(m, at);

	if (!is_constant(p, id) || p->lost[id] < m->first_use[id + 1] - m->first_use[id])
		return;
	for (uint32_t w = at + 3; w < spb_next(m, at); w++)
		p->lost[m->words[w]]++;
	spb_set_bit(p->gone, id);
	spb_remove_id(p->e, id);
}

/* Makes the types and constants: what they consist of is declared before them. */
static void make_copies(struct plan *p)
{
	const struct spb_module *m = p->m;
	SPB_LIST(spb_at) globals = {0};

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at))
		SPB_PUSH(p->e->arena, &globals, at);
	for (size_t i = globals.count; i--;) {
		const spb_at at = globals.items[i];
		if (!is_needed(p, at))
			continue;
		for (uint32_t w = at + 1; w < spb_next(m, at); w++) {
			if (m->words[w] < m->bound &&
			    (is_part(p, m->words[w]) || (spb_op(m, at) == SpvOpTypePointer && w == at + 3)))
				spb_set_bit(p->needed, m->words[w]);
		}
		remove_unused(p, at);
	}
	p->to[p->scene] = p->address;
	for (size_t i = 0; i < globals.count; i++) {
		if (!is_needed(p, globals.items[i]))
			continue;
		make_copy(p, globals.items[i]);
		if (spb_bit(p->holds, spb_result(m, globals.items[i])))
			spb_set_bit(p->types, spb_result(m, globals.items[i]));
	}
}

static void rewrite_function(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	const spb_at type = m->def[m->words[at + 4]];
	uint32_t count = spb_length(m, type) - 2, *words = spb_alloc_array(p->e->arena, count + 1, sizeof *words);
	spb_at parameter = at;
	bool changed = changes(p, m->words[at + 2]);

	if (spb_op(m, type) != SpvOpTypeFunction)
		return;
	memcpy(words, m->words + type + 2, count * sizeof *words);
	if (changed)
		words[0] = p->to[m->words[at + 1]];
	for (uint32_t i = 1; i < count; i++) {
		parameter = spb_next_parameter(m, parameter);
		if (spb_op(m, parameter) != SpvOpFunctionParameter)
			break;
		if (!changes(p, m->words[parameter + 2]))
			continue;
		words[i] = p->to[m->words[parameter + 1]];
		changed = true;
	}
	if (!changed)
		return;
	spb_set_bit(p->gone, m->words[at + 2]);
	spb_set_bit(p->types, m->words[at + 4]);
	spb_patch(p->e, at + 1, words[0]);
	spb_patch(p->e, at + 4, spb_make(p->e, SpvOpTypeFunction, words, count));
}

static void rewrite_operand(struct plan *p, spb_at at, uint32_t word, uint32_t function)
{
	const struct spb_module *m = p->m;
	uint32_t id = m->words[word];

	if (is_changing_constant(p, at, word, function)) {
		spb_patch(p->e, word, p->to[id]);
	} else if (!passes_on(spb_op(m, at)) && changes(p, id) && !spb_is_non_semantic(m, at)) {
		uint32_t converted = spb_new_id(p->e);
		spb_insert(p->e, at, SpvOpConvertUToAccelerationStructureKHR, W(p->scene, converted, id));
		spb_patch(p->e, word, converted);
	}
}

static void rewrite(struct plan *p, spb_at at, uint32_t function)
{
	const struct spb_module *m = p->m;
	const uint32_t *w = m->words + at;
	uint32_t op = spb_op(m, at);

	if (op == SpvOpFunction) {
		rewrite_function(p, at);
		return;
	}
	if (spb_op_is(op, SPB_OP_HAS_TYPE) && changes(p, w[2])) {
		if (op == SpvOpConvertUToAccelerationStructureKHR) {
			spb_replace(p->e, at, SpvOpCopyObject, W(p->address, w[2], w[3]));
			return;
		}
		spb_patch(p->e, at + 1, p->to[w[1]]);
	}
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID)
			rewrite_operand(p, at, o.word, function);
	}
}

/* Private variables move behind their types. */
static void move_variables(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) != SpvOpVariable || !changes(p, w[2]))
			continue;
		uint32_t initial = spb_length(m, at) > 4 ? w[4] : 0;
		spb_remove(p->e, at);
		spb_add_global(
		    p->e, SpvOpVariable,
		    (uint32_t[]){p->to[w[1]], w[2], w[3], initial && p->to[initial] ? p->to[initial] : initial},
		    initial ? 4 : 3);
	}
}

bool spb_pass_keep_addresses(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.m = m, .e = &u->edit};
	uint32_t function = 0;

	if (!spb_has_capability(m, SpvCapabilityRayQueryKHR) && !spb_has_capability(m, SpvCapabilityRayTracingKHR))
		return false;
	p.address = find_address_type(m);
	if (!p.address || spb_structures_are_values(m))
		return false;
	p.holds = spb_bits(p.e->arena, m->bound);
	p.needed = spb_bits(p.e->arena, m->bound);
	p.lost = spb_alloc_zeroed(p.e->arena, m->bound, sizeof *p.lost);
	p.types = spb_bits(p.e->arena, m->bound);
	p.gone = spb_bits(p.e->arena, m->bound);
	p.parent = spb_alloc_array(p.e->arena, m->bound, sizeof *p.parent);
	p.flags = spb_alloc_zeroed(p.e->arena, m->bound, sizeof *p.flags);
	p.to = spb_alloc_zeroed(p.e->arena, m->bound, sizeof *p.to);
	for (uint32_t id = 0; id < m->bound; id++)
		p.parent[id] = id;
	find_types(&p);
	if (!find_values(&p))
		return false;
	spb_module_need_uses(m);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		function = spb_op(m, at) == SpvOpFunction ? m->words[at + 2] : function;
		find_needed(&p, at, function);
	}
	make_copies(&p);
	move_variables(&p);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		function = spb_op(m, at) == SpvOpFunction ? m->words[at + 2] : function;
		rewrite(&p, at, function);
	}
	spb_sweep_types(p.e, p.types, p.gone, NULL, 0);
	return true;
}
