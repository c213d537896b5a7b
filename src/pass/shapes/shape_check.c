/* SPDX-License-Identifier: Apache-2.0 */
/* shape_check: do the operands of the instructions that move descriptors match their types? The parser checks only the
 * form of a module. What follows walks down types by the indexes in instructions, and trusts them. */
#include "pass/shapes/shape.h"

static noreturn void unfit(const struct shapes *p, spb_at at, const char *what)
{
	spb_fail(p->m, SPB_ERROR_INVALID_SPIRV, SPB_E_TYPES, at,
		 "%s: %s" SPB_REMEDY "The module is invalid, check it with spirv-val.", spb_word_of(p->m, at), what);
}

/* For c ? a : b of RWBuffer<uint> in HLSL, glslang uses a type without their image format, to which version 16 converts
 * them by OpCopyLogical. The final load has the type of its resource. */
static bool are_alike(const struct spb_module *m, uint32_t type, uint32_t given)
{
	enum { FORMAT = 8 };
	spb_at a = m->def[type], b = m->def[given];

	if (type == given)
		return true;
	if (spb_op(m, a) != SpvOpTypeImage || spb_op(m, b) != SpvOpTypeImage || spb_length(m, a) != spb_length(m, b))
		return false;
	return !memcmp(m->words + a + 2, m->words + b + 2, (FORMAT - 2) * sizeof *m->words);
}

static bool fits(const struct spb_module *m, uint32_t type, uint32_t value)
{
	return are_alike(m, type, spb_type_of(m, value));
}

static uint32_t pointee(const struct shapes *p, spb_at at, uint32_t pointer)
{
	spb_at type = p->m->def[spb_type_of(p->m, pointer)];

	if (spb_op(p->m, type) == OpTypeUntypedPointerKHR)
		spb_refuse(p, SPB_E_BUILTIN_HEAP, at,
			   "%s reaches a descriptor through an untyped pointer, in a module in which descriptors have "
			   "to be resolved" SPB_REMEDY "Give the pointer a type.",
			   spb_word_of(p->m, at));
	if (spb_op(p->m, type) != SpvOpTypePointer)
		unfit(p, at, "its pointer operand is not a pointer");
	return p->m->words[type + 3];
}

static void check_chain(const struct shapes *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t from = m->words[at + 3], type = pointee(p, at, from);

	for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
		uint64_t member = 0;
		uint32_t index = m->words[w];
		if (spb_def_op(m, type) == SpvOpTypeStruct &&
		    (spb_def_op(m, index) != SpvOpConstant || !spb_constant_value(m, index, &member)))
			unfit(p, at, "the index of a struct member is not a constant");
		if (spb_def_op(m, spb_type_of(m, index)) != SpvOpTypeInt)
			unfit(p, at, "an index is not an integer");
		type = spb_part_type(m, type, member);
		if (!type)
			unfit(p, at, "an index leads into a type that has no parts");
	}
	if (type != pointee(p, at, m->words[at + 2]) ||
	    m->words[m->def[m->words[at + 1]] + 2] != m->words[m->def[spb_type_of(m, from)] + 2])
		unfit(p, at, "the result type does not match the type that the indexes select");
}

/* Checks that the literals from `w` on lead from one type to the other. */
static void check_literals(const struct shapes *p, spb_at at, uint32_t from, uint32_t w, uint32_t to)
{
	const struct spb_module *m = p->m;

	for (; w < spb_next(m, at) && from; w++) {
		uint64_t length;
		spb_at array = m->def[from];
		if (p->model.cells[from] && spb_op(m, array) == SpvOpTypeArray &&
		    spb_constant_value(m, m->words[array + 3], &length) && m->words[w] >= length)
			unfit(p, at, "an index is outside the array");
		from = spb_part_type(m, from, m->words[w]);
	}
	if (!from || from != to) /* an id that is not a value has no type */
		unfit(p, at, "the indexes do not select a value of this type");
}

static void check_construct(const struct shapes *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t type = m->words[at + 1], count = spb_length(m, at) - 3, wanted = count;
	uint64_t length;

	if (!p->model.cells[type])
		return;
	if (spb_def_op(m, type) == SpvOpTypeStruct)
		wanted = spb_length(m, m->def[type]) - 2;
	else if (spb_def_op(m, type) == SpvOpTypeArray && spb_constant_value(m, m->words[m->def[type] + 3], &length))
		wanted = (uint32_t)length; /* at most MAX_CELLS: shape_scan.c */
	if (count != wanted)
		unfit(p, at, "the number of constituents does not match the type");
	for (uint32_t i = 0; i < count; i++) {
		if (spb_type_of(m, m->words[at + 3 + i]) != spb_part_type(m, type, i))
			unfit(p, at, "a constituent has the wrong type");
	}
}

static void check_call(const struct shapes *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t callee = p->flow.function_of[m->words[at + 3]];

	if (!callee)
		unfit(p, at, "the called id is not a function");
	const struct function *f = &p->flow.functions[callee - 1];
	if (f->parameter_count != spb_length(m, at) - 4 || m->words[at + 1] != m->words[m->function[callee - 1].at + 1])
		unfit(p, at, "the number of arguments, or the result type, does not match the function");
	for (uint32_t i = 0; i < f->parameter_count; i++) {
		uint32_t parameter = p->flow.parameters.items[f->first_parameter + i];
		if (!fits(m, spb_type_of(m, parameter), m->words[at + 4 + i]))
			unfit(p, at, "the type of an argument does not match its parameter");
	}
}

static void check_same(const struct shapes *p, spb_at at, uint32_t from, uint32_t step)
{
	const struct spb_module *m = p->m;

	for (uint32_t w = at + from; w < spb_next(m, at); w += step) {
		if (!fits(m, m->words[at + 1], m->words[w]))
			unfit(p, at, "the type of an operand does not match the result type");
	}
}

/* SPIR-V 3.3.12, "Composite Instructions", OpCopyLogical: types that match logically. The recursion is bounded, since
 * types of descriptors are of limited depth; `budget` limits the number of comparisons, since a type may contain
 * another many times. */
static bool matches(const struct shapes *p, uint32_t a, uint32_t b, uint32_t *budget)
{
	const struct spb_module *m = p->m;
	spb_at x = m->def[a], y = m->def[b];
	uint32_t op = spb_op(m, x);
	uint64_t n, k;

	if (a == b || (b && are_alike(m, a, b)))
		return true;
	if (!b || !p->model.cells[a] || p->model.cells[a] != p->model.cells[b] || op != spb_op(m, y) || !--*budget)
		return false;
	if (op == SpvOpTypeArray)
		return spb_constant_value(m, m->words[x + 3], &n) && spb_constant_value(m, m->words[y + 3], &k) &&
		       n == k && matches(p, m->words[x + 2], m->words[y + 2], budget);
	if (op != SpvOpTypeStruct || spb_length(m, x) != spb_length(m, y))
		return false;
	for (uint32_t i = 2; i < spb_length(m, x); i++) {
		if (!matches(p, m->words[x + i], m->words[y + i], budget))
			return false;
	}
	return true;
}

/* Can the instruction make a pointer to local memory? */
static bool makes_pointer(uint32_t op)
{
	return op == SpvOpVariable || op == SpvOpFunctionParameter || spb_op_is(op, SPB_OP_CHAIN | SPB_OP_MOVES);
}

/* Operands must not be ids or labels of other functions. */
static void check_ids(const struct shapes *p, uint32_t number, spb_at at)
{
	const struct spb_module *m = p->m;
	const struct function *f = &p->flow.functions[number];
	bool ends = spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR);

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word];
		if (o.kind != SPB_KIND_ID)
			continue;
		uint32_t carrier = p->flow.carrier_of[id];
		bool inside = m->def[id] >= m->function[number].at && m->def[id] <= m->function[number].end;
		if (carrier && (carrier <= f->first_carrier || carrier > f->first_carrier + f->carrier_count))
			unfit(p, at, "it uses an id that is defined in another function");
		if (spb_carrier_kind(p, id) == CARRIER_LOCAL && !makes_pointer(spb_def_op(m, id)))
			unfit(p, at, "its pointer operand comes from an instruction that cannot make one");
		if (ends && spb_def_op(m, id) == SpvOpLabel && !inside)
			unfit(p, at, "it branches into another function");
	}
}

/* An address has no index, so where it may be chosen, the resource would always be. */
static void check_addresses(const struct shapes *p, spb_at at)
{
	const struct spb_module *m = p->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && spb_def_op(m, m->words[o.word]) == SpvOpConvertUToAccelerationStructureKHR)
			spb_refuse(p, SPB_E_UNASSIGNED, at,
				   "%s passes on a device address as an acceleration structure, in a module that "
				   "passes on bound ones, too" SPB_REMEDY
				   "Pass on the address, and convert it where it is used.",
				   spb_word_of(m, at));
	}
}

static void check_event(const struct shapes *p, uint32_t function, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, at), budget;

	check_ids(p, function, at);
	if (spb_op_is(op, SPB_OP_MOVES))
		check_addresses(p, at);
	if (spb_op_is(op, SPB_OP_CHAIN))
		check_chain(p, at);
	switch (op) {
	case SpvOpLoad:
		if (pointee(p, at, m->words[at + 3]) != m->words[at + 1])
			unfit(p, at, "the result type does not match the memory");
		break;
	case SpvOpStore:
		if (!fits(m, pointee(p, at, m->words[at + 1]), m->words[at + 2]))
			unfit(p, at, "the type of the value does not match the memory");
		break;
	case SpvOpPhi:
		check_same(p, at, 3, 2);
		break;
	case SpvOpSelect:
		check_same(p, at, 4, 1);
		break;
	case SpvOpCopyObject:
		check_same(p, at, 3, 1);
		break;
	case SpvOpCopyLogical:
		budget = MAX_NODES;
		if (p->model.cells[m->words[at + 1]] &&
		    !matches(p, m->words[at + 1], spb_type_of(m, m->words[at + 3]), &budget))
			unfit(p, at, "the types do not match logically");
		break;
	case SpvOpCompositeConstruct:
		check_construct(p, at);
		break;
	case SpvOpCompositeExtract:
		check_literals(p, at, spb_type_of(m, m->words[at + 3]), at + 4, m->words[at + 1]);
		break;
	case SpvOpCompositeInsert:
		if (spb_type_of(m, m->words[at + 4]) != m->words[at + 1])
			unfit(p, at, "the type of the composite does not match the result type");
		check_literals(p, at, m->words[at + 1], at + 5, spb_type_of(m, m->words[at + 3]));
		break;
	case SpvOpFunctionCall:
		check_call(p, at);
		break;
	case SpvOpReturnValue:
		if (!fits(m, m->words[m->function[function].at + 1], m->words[at + 1]))
			unfit(p, at, "the type of the value does not match the return type of the function");
		break;
	case SpvOpImageTexelPointer:
		if (spb_def_op(m, m->words[at + 1]) != SpvOpTypePointer ||
		    spb_def_op(m, pointee(p, at, m->words[at + 3])) != SpvOpTypeImage ||
		    m->words[m->def[m->words[at + 1]] + 2] != SpvStorageClassImage)
			unfit(p, at, "the result must be a pointer to a texel of a single image");
		break;
	default:
		break;
	}
}

void spb_check_events(const struct shapes *p)
{
	for (uint32_t f = 0; f < p->m->function_count; f++) {
		const struct function *function = &p->flow.functions[f];
		for (uint32_t i = 0; i < function->event_count; i++)
			check_event(p, f, p->flow.events.items[function->first_event + i].at);
	}
}
