/* SPDX-License-Identifier: Apache-2.0 */
/* handle_flow: which pointers to buffers flow into one another, and where they come from.
 *
 *     %p = OpExtInst %ptr %set 2 %h       one leaf, of a handle
 *     OpStore %q %p                       %q is a variable with one leaf: the class of %p
 *     %l = OpLoad %ptr %q                 the same
 *     %c = OpAccessChain %f %l %uint_1    goes into the buffer: no leaf, its root is %l
 *     %n = OpLoad %ptr %c                 out of a buffer's memory: of a device address
 *
 * The order of instructions does not matter, so classes are merged as they are encountered (union-find), in linear
 * time. One leaf stands for all elements of an array. An instruction with an unknown effect on a handle turns the
 * class into one of device addresses, so a single check finds everything that has to be refused. Constants
 * (OpConstantNull, OpUndef) belong to any class. */
#include "pass/handles/handle_flow.h"

static bool is_pointer_to_buffer(const struct spb_module *m, uint32_t id)
{
	return spb_is_buffer_pointer(m, spb_type_of(m, id));
}

/* Memory that has the leaves of its contents. */
static bool has_own_leaves(const struct spb_handle_flow *f, uint32_t pointer)
{
	uint32_t type = spb_type_of(f->m, pointer);

	return spb_is_local_pointer(f->m, type) || spb_is_resource_pointer(&f->leaves, type);
}

uint32_t spb_leaf_class(struct spb_handle_flow *f, uint32_t node)
{
	struct spb_leaf_node *n = f->nodes.items;

	while (n[node].parent != node)
		node = n[node].parent = n[n[node].parent].parent;
	return node;
}

static void mark(struct spb_handle_flow *f, uint32_t node, uint32_t flags, spb_at at)
{
	struct spb_leaf_node *n = &f->nodes.items[spb_leaf_class(f, node)];

	if (flags & SPB_LEAF_HANDLE && !n->handle)
		n->handle = at;
	if (flags & SPB_LEAF_ADDRESS && !n->address)
		n->address = at;
	if (flags & SPB_LEAF_WRITTEN && !n->written)
		n->written = at;
	n->flags |= (uint8_t)flags;
}

static void unite(struct spb_handle_flow *f, uint32_t a, uint32_t b)
{
	a = spb_leaf_class(f, a);
	b = spb_leaf_class(f, b);
	if (a == b)
		return;
	struct spb_leaf_node *to = &f->nodes.items[a], *from = &f->nodes.items[b];
	from->parent = a;
	to->flags |= from->flags;
	to->handle = to->handle ? to->handle : from->handle;
	to->address = to->address ? to->address : from->address;
	to->written = to->written ? to->written : from->written;
	to->type = to->type ? to->type : from->type;
}

static bool is_neutral(const struct spb_module *m, uint32_t id)
{
	spb_at at = m->def[id];
	uint64_t value;

	if (spb_op(m, at) == SpvOpBitcast || spb_op(m, at) == SpvOpConvertUToPtr) /* null pointer */
		return spb_def_op(m, m->words[at + 3]) == SpvOpConstantNull ||
		       (spb_def_op(m, m->words[at + 3]) == SpvOpConstant &&
			spb_constant_value(m, m->words[at + 3], &value) && !value);
	return at < m->section[SPB_SECTION_FUNCTION] &&
	       (spb_op(m, at) == SpvOpConstantNull || spb_op(m, at) == SpvOpUndef ||
		spb_op(m, at) == SpvOpConstantComposite);
}

/* Marks all pointers of a value as used in a way that only device addresses allow. */
static void escape(struct spb_handle_flow *f, uint32_t id, spb_at at)
{
	uint32_t root = f->root_of[id] ? f->root_of[id] : id;

	for (uint32_t k = 0; f->node_of[root] && k < spb_pointer_leaves_of(&f->leaves, root); k++)
		mark(f, f->node_of[root] - 1 + k, SPB_LEAF_ADDRESS, at);
}

/* Merges the leaves [first, first + count) of `from` with those of `to` that begin at to_first. */
static void join(struct spb_handle_flow *f, spb_at at, uint32_t to, uint32_t to_first, uint32_t from, uint32_t first,
		 uint32_t count)
{
	bool fits = first + count <= spb_pointer_leaves_of(&f->leaves, from) &&
		    to_first + count <= spb_pointer_leaves_of(&f->leaves, to);

	if (!count || (!f->node_of[to] && !f->node_of[from]))
		return;
	if (f->node_of[to] && is_neutral(f->m, from) && !f->node_of[from])
		return;
	if (!fits || !f->node_of[to] || !f->node_of[from]) {
		escape(f, to, at);
		escape(f, from, at);
		return;
	}
	for (uint32_t k = 0; k < count; k++)
		unite(f, f->node_of[to] - 1 + to_first + k, f->node_of[from] - 1 + first + k);
}

static void join_whole(struct spb_handle_flow *f, spb_at at, uint32_t to, uint32_t from)
{
	uint32_t count = spb_pointer_leaves_of(&f->leaves, to);

	if (count != spb_pointer_leaves_of(&f->leaves, from)) {
		escape(f, to, at);
		escape(f, from, at);
		return;
	}
	join(f, at, to, 0, from, 0, count);
}

static void see_use(struct spb_handle_flow *f, spb_at at, uint32_t word)
{
	uint32_t id = f->m->words[word], root = f->root_of[id] ? f->root_of[id] : id;
	enum spb_pointer_use use = spb_pointer_use(f->m, (struct spb_use){at, word});

	if (!f->node_of[root])
		return;
	if (use == SPB_POINTER_FLOWS)
		escape(f, id, at);
	else if (use == SPB_POINTER_WRITTEN)
		mark(f, f->node_of[root] - 1, SPB_LEAF_WRITTEN, at);
}

/* An access chain into a buffer, or a copy of one. */
static bool see_buffer_chain(struct spb_handle_flow *f, spb_at at)
{
	if (!f->root_of[f->m->words[at + 2]])
		return false;
	if (spb_op(f->m, at) != SpvOpCopyObject)
		see_use(f, at, at + 3);
	return true;
}

static void see_local_chain(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t base = m->words[at + 3], result = m->words[at + 2], first = 0;
	spb_at pointer = m->def[spb_type_of(m, base)];
	uint32_t type = spb_op(m, pointer) == SpvOpTypePointer ? m->words[pointer + 3] : 0;

	if (is_pointer_to_buffer(m, base)) { /* a chain cannot lead out of a buffer */
		escape(f, base, at);
		escape(f, result, at);
		return;
	}
	for (uint32_t w = at + 4; w < spb_next(m, at) && type; w++) {
		uint64_t index = 0; /* any, for an array */
		spb_constant_value(m, m->words[w], &index);
		type = spb_leaf_part(&f->leaves, type, index, &first);
	}
	join(f, at, result, 0, base, first, spb_pointer_leaves_of(&f->leaves, result));
}

/* Type and first leaf of the part of `type` that the literals from `w` on select; false if there is no such part. */
static bool literal_part(const struct spb_handle_flow *f, uint32_t type, uint32_t w, uint32_t end, uint32_t *first)
{
	for (; w < end && type; w++)
		type = spb_leaf_part(&f->leaves, type, f->m->words[w], first);
	return type != 0;
}

static void see_composite(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t result = m->words[at + 2], first = 0, end = spb_next(m, at), part;

	switch (spb_op(m, at)) {
	case SpvOpCompositeExtract:
		if (literal_part(f, spb_type_of(m, m->words[at + 3]), at + 4, end, &first))
			join(f, at, result, 0, m->words[at + 3], first, spb_pointer_leaves_of(&f->leaves, result));
		return;
	case SpvOpCompositeInsert:
		part = m->words[at + 3];
		if (!literal_part(f, spb_type_of(m, result), at + 5, end, &first))
			return;
		join_whole(f, at, result, m->words[at + 4]);
		if (f->root_of[part])
			escape(f, part, at);
		else
			join(f, at, result, first, part, 0, spb_pointer_leaves_of(&f->leaves, part));
		return;
	default: /* OpCompositeConstruct */
		for (uint32_t w = at + 3; w < end; w++) {
			uint32_t count = spb_pointer_leaves_of(&f->leaves, m->words[w]);
			first = 0;
			spb_leaf_part(&f->leaves, spb_type_of(m, result), w - at - 3, &first);
			if (count)
				join(f, at, result, first, m->words[w], 0, count);
		}
	}
}

static void see_load(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t result = m->words[at + 2], pointer = m->words[at + 3];

	if (has_own_leaves(f, pointer))
		join_whole(f, at, result, pointer);
	else
		escape(f, result, at);
}

static void see_store(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t pointer = m->words[at + 1], value = m->words[at + 2];

	if (is_pointer_to_buffer(m, pointer))
		see_use(f, at, at + 1);
	if (!spb_pointer_leaves_of(&f->leaves, value))
		return;
	if (has_own_leaves(f, pointer))
		join_whole(f, at, pointer, value);
	else
		escape(f, value, at);
}

static void see_copy_memory(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t to = m->words[at + 1], from = m->words[at + 2];
	bool local_to = spb_is_local_pointer(m, spb_type_of(m, to));
	bool local_from = spb_is_local_pointer(m, spb_type_of(m, from));

	if (!local_to)
		see_use(f, at, at + 1);
	if (local_to && local_from) {
		join_whole(f, at, to, from);
		return;
	}
	if (local_to)
		escape(f, to, at);
	if (local_from)
		escape(f, from, at);
}

/* A conversion between a pointer and a number, or between pointer types. */
static void see_cast(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t result = m->words[at + 2], from = m->words[at + 3], type = m->words[at + 1];

	if (f->node_of[result] && f->node_of[from] && spb_op(m, at) == SpvOpBitcast) {
		join_whole(f, at, result, from);
	} else if (f->node_of[result]) {
		escape(f, from, at);
		if (spb_reference_handle(f->u, at))
			mark(f, f->node_of[result] - 1, SPB_LEAF_STORAGE, at);
		else if (!is_neutral(m, result))
			mark(f, f->node_of[result] - 1, SPB_LEAF_ADDRESS, at);
	} else if (f->root_of[from] || (!spb_is_int(m, type, 64) && !spb_is_int2(m, type))) {
		escape(f, from, at);
	}
}

static void see_dereference(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t number = m->words[at + 4];

	if (spb_length(m, at) != 6)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_INSTRUCTION, at,
			 "instruction %u of " SPB_HANDLE_SET " has %u operands, but takes exactly one, the handle",
			 number, spb_length(m, at) - 5);
	if (!is_pointer_to_buffer(m, m->words[at + 2]))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_KIND, at,
			 "a handle is dereferenced to a buffer, but the result is not a pointer in "
			 "PhysicalStorageBuffer (buffer_reference)" SPB_REMEDY
			 "For textures, images and samplers use instruction 1.");
	spb_check_handle_type(m, at, m->words[at + 5]);
	mark(f, f->node_of[m->words[at + 2]] - 1,
	     number == SPB_HANDLE_STORAGE_BUFFER ? SPB_LEAF_STORAGE : SPB_LEAF_UNIFORM, at);
}

/* An instruction that this file does not know: leaves in its operands and result cannot be handles. */
static void see_other(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	bool remark = spb_is_non_semantic(m, at) && m->words[at + 3] != f->import;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o) && !remark;) {
		uint32_t id = m->words[o.word];
		if (o.kind == SPB_KIND_RESULT)
			escape(f, id, at);
		if (o.kind != SPB_KIND_ID)
			continue;
		if (is_pointer_to_buffer(m, id))
			see_use(f, at, o.word);
		else if (!spb_is_leaf(&f->leaves, spb_type_of(m, id)) ||
			 spb_leaf_use(&f->leaves, (struct spb_use){at, o.word}) != SPB_POINTER_READ)
			escape(f, id, at);
	}
}

/* Merges the arguments and the result of a call with the callee's, in terms of the caller's nodes. Global classes
 * belong to the caller as well. */
static void join_call(struct spb_handle_flow *f, spb_at at, uint32_t own, uint32_t theirs, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++) {
		uint32_t class = spb_leaf_class(f, theirs + k);
		const struct spb_leaf_node *n = &f->nodes.items[class];
		if (n->flags & SPB_LEAF_GLOBAL) {
			unite(f, own + k, class);
			continue;
		}
		if (f->stamp[class] == f->calls_seen) {
			unite(f, own + k, f->image[class]);
			continue;
		}
		f->stamp[class] = f->calls_seen;
		f->image[class] = own + k;
		struct spb_leaf_node copy = *n;
		mark(f, own + k, copy.flags & SPB_LEAF_HANDLE, copy.handle);
		mark(f, own + k, copy.flags & SPB_LEAF_ADDRESS, copy.address ? copy.address : at);
		mark(f, own + k, copy.flags & SPB_LEAF_WRITTEN, copy.written);
	}
}

/* A callee's effect on leaves has to be known before its callers are visited, which VUID-StandaloneSpirv-None-04634
 * makes possible. Functions that no entry point reaches may call each other, which matters only if leaves are
 * passed. */
static void refuse_recursion(const struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;

	spb_fail(
	    m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, at,
	    "%s calls itself, and this call passes or returns a buffer or descriptor that may be a handle's" SPB_REMEDY
	    "Use a loop: Vulkan allows no recursion.",
	    spb_label(&m->context->scratch, m, m->words[at + 3]));
}

static void see_call(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	uint32_t callee = f->calls.function_of[m->words[at + 3]], result = m->words[at + 2], count;

	f->calls_seen++;
	uint32_t first = callee ? f->calls.first_parameter[callee - 1] : 0;
	uint32_t parameters = callee ? f->calls.first_parameter[callee] - first : 0;
	bool recursive = callee && !f->done[callee - 1];

	for (uint32_t i = 0; at + 4 + i < spb_next(m, at); i++) {
		uint32_t id = m->words[at + 4 + i];
		if (i >= parameters) {
			escape(f, id, at);
			continue;
		}
		uint32_t parameter = f->calls.parameters.items[first + i];
		count = spb_pointer_leaves_of(&f->leaves, id);
		if (recursive && count)
			refuse_recursion(f, at);
		if (f->root_of[id] || count != spb_pointer_leaves_of(&f->leaves, parameter))
			escape(f, id, at);
		else if (f->node_of[id] && f->node_of[parameter])
			join_call(f, at, f->node_of[id] - 1, f->node_of[parameter] - 1, count);
	}
	count = spb_pointer_leaves_of(&f->leaves, result);
	if (recursive && count)
		refuse_recursion(f, at);
	if (!callee || spb_type_of(m, m->words[at + 3]) != m->words[at + 1])
		escape(f, result, at);
	else if (count)
		join_call(f, at, f->node_of[result] - 1, f->node_of[m->words[at + 3]] - 1, count);
}

static void see_phi_or_select(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;
	bool phi = spb_op(m, at) == SpvOpPhi;
	uint32_t result = m->words[at + 2];

	if (!f->node_of[result])
		return;
	for (uint32_t w = at + (phi ? 3 : 4); w < spb_next(m, at); w += phi ? 2 : 1)
		join_whole(f, at, result, m->words[w]);
}

/* An access chain into memory that holds pointers, or a copy of one. */
static void see_chain_or_copy(struct spb_handle_flow *f, spb_at at)
{
	uint32_t op = spb_op(f->m, at);

	if (op != SpvOpCopyLogical && see_buffer_chain(f, at))
		return;
	if (spb_op_is(op, SPB_OP_COPY))
		join_whole(f, at, f->m->words[at + 2], f->m->words[at + 3]);
	else if (spb_op_is(op, SPB_OP_CHAIN))
		see_local_chain(f, at);
	else
		see_other(f, at);
}

static void see_ext_inst(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;

	if (spb_is_opaque_dereference(m, f->import, at) && f->node_of[m->words[at + 2]])
		mark(f, f->node_of[m->words[at + 2]] - 1, SPB_LEAF_STORAGE, at);
	else if (spb_is_buffer_dereference(m, f->import, at))
		see_dereference(f, at);
	else
		see_other(f, at);
}

static void see(struct spb_handle_flow *f, spb_at at, uint32_t function)
{
	const struct spb_module *m = f->m;
	uint32_t op = spb_op(m, at);

	switch (op) {
	case SpvOpFunction:
	case SpvOpFunctionParameter:
	case SpvOpUndef:
	case SpvOpVariable: /* the initializer is a constant */
		return;
	case SpvOpLoad:
		see_load(f, at);
		return;
	case SpvOpStore:
		see_store(f, at);
		return;
	case SpvOpCopyMemory:
		see_copy_memory(f, at);
		return;
	case SpvOpPhi:
	case SpvOpSelect:
		see_phi_or_select(f, at);
		return;
	case SpvOpCompositeExtract:
	case SpvOpCompositeInsert:
	case SpvOpCompositeConstruct:
		see_composite(f, at);
		return;
	case SpvOpFunctionCall:
		see_call(f, at);
		return;
	case SpvOpReturnValue:
		join_whole(f, at, m->words[m->function[function].at + 2], m->words[at + 1]);
		return;
	case SpvOpBitcast:
	case SpvOpConvertUToPtr:
	case SpvOpConvertPtrToU:
		see_cast(f, at);
		return;
	case SpvOpExtInst:
		see_ext_inst(f, at);
		return;
	default:
		if (spb_op_is(op, SPB_OP_CHAIN | SPB_OP_PTR_CHAIN | SPB_OP_COPY))
			see_chain_or_copy(f, at);
		else
			see_other(f, at);
	}
}

/* Only chains and copies, so that a pointer into a buffer has a root instead of a node. */
static bool may_have_root(uint32_t op)
{
	return spb_op_is_chain(op) || op == SpvOpCopyObject;
}

static void add_nodes(struct spb_handle_flow *f, spb_at at, uint32_t flags)
{
	const struct spb_module *m = f->m;
	uint32_t id = spb_result(m, at), count = id ? spb_pointer_leaves_of(&f->leaves, id) : 0;

	if (!count || (f->root_of[id] && may_have_root(spb_op(m, at))))
		return;
	f->node_of[id] = (uint32_t)f->nodes.count + 1;
	for (uint32_t i = 0; i < count; i++) {
		struct spb_leaf_node node = {.flags = (uint8_t)flags, .type = f->leaves.pointer[m->words[at + 1]]};
		node.parent = (uint32_t)f->nodes.count;
		SPB_PUSH(f->arena, &f->nodes, node);
	}
}

/* Chains into buffers and copies of them are found before the classes, since their base is defined before them. */
static void find_root(struct spb_handle_flow *f, spb_at at)
{
	const struct spb_module *m = f->m;

	if (!may_have_root(spb_op(m, at)))
		return;
	uint32_t base = m->words[at + 3];
	if (!is_pointer_to_buffer(m, base) || !is_pointer_to_buffer(m, m->words[at + 2]) ||
	    (spb_op(m, at) == SpvOpCopyObject && !f->root_of[base]))
		return;
	f->root_of[m->words[at + 2]] = f->root_of[base] ? f->root_of[base] : base;
}

static void make_nodes(struct spb_handle_flow *f)
{
	const struct spb_module *m = f->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpVariable) /* a bound resource, not a handle */
			add_nodes(f, at,
				  spb_is_resource_pointer(&f->leaves, m->words[at + 1])
				      ? SPB_LEAF_GLOBAL | SPB_LEAF_ADDRESS
				      : SPB_LEAF_GLOBAL);
	}
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		find_root(f, at);
		add_nodes(f, at, 0);
	}
	f->image = spb_alloc_zeroed(f->arena, f->nodes.count, sizeof *f->image);
	f->stamp = spb_alloc_zeroed(f->arena, f->nodes.count, sizeof *f->stamp);
}

/* A function without a body, or one that other modules call: its pointers are beyond our control. */
static void see_linkage(struct spb_handle_flow *f, uint32_t function)
{
	const struct spb_module *m = f->m;
	uint32_t id = m->words[m->function[function].at + 2];

	if (spb_has_body(&m->function[function]) && !spb_decoration(m, id, SpvDecorationLinkageAttributes))
		return;
	escape(f, id, m->function[function].at);
	for (uint32_t i = f->calls.first_parameter[function]; i < f->calls.first_parameter[function + 1]; i++)
		escape(f, f->calls.parameters.items[i], m->function[function].at);
}

static void see_function(struct spb_handle_flow *f, uint32_t function)
{
	const struct spb_module *m = f->m;

	for (spb_at at = m->function[function].at; at < m->function[function].end; at = spb_next(m, at))
		see(f, at, function);
	see_linkage(f, function);
	f->done[function] = true;
}

/* Visits callees before their callers; functions that call each other, in any order. */
static void see_functions(struct spb_handle_flow *f)
{
	const struct spb_calls *calls = &f->calls;
	uint32_t count = calls->function_count;
	uint32_t *next = spb_alloc_array(f->arena, count, sizeof *next), *stack, depth;
	bool *entered = spb_alloc_zeroed(f->arena, count, sizeof *entered);

	stack = spb_alloc_array(f->arena, count, sizeof *stack);
	memcpy(next, calls->first, count * sizeof *next);
	for (uint32_t root = 0; root < count; root++) {
		if (entered[root])
			continue;
		entered[root] = true;
		stack[0] = root;
		for (depth = 1; depth;) {
			uint32_t at = stack[depth - 1];
			if (next[at] == calls->first[at + 1]) {
				see_function(f, at);
				depth--;
				continue;
			}
			uint32_t callee = calls->callees.items[next[at]++];
			if (!entered[callee]) {
				entered[callee] = true;
				stack[depth++] = callee;
			}
		}
	}
}

static void note_types(struct spb_handle_flow *f)
{
	for (uint32_t i = 0; i < f->nodes.count; i++) {
		if (f->nodes.items[i].type)
			f->uses_of_type[f->nodes.items[i].type] |= f->nodes.items[spb_leaf_class(f, i)].flags;
	}
}

/* Does the conversion take a pointer to or into a buffer of this class, rather than produce one? */
static bool is_converted(struct spb_handle_flow *f, const struct spb_leaf_node *n, spb_at at)
{
	uint32_t from = f->m->words[at + 3], root = f->root_of[from] ? f->root_of[from] : from;

	return f->node_of[root] && &f->nodes.items[spb_leaf_class(f, f->node_of[root] - 1)] == n;
}

static const char *describe_conversion(const struct spb_handle_flow *f, spb_at at)
{
	if (!f->root_of[f->m->words[at + 3]])
		return "is converted to something other than a pointer, a uint2 or a 64-bit integer";
	return is_pointer_to_buffer(f->m, f->m->words[at + 2])
		   ? "is cast as a pointer into the buffer"
		   : "is converted to a number as a pointer into the buffer";
}

/* Reports why a class consists of device addresses, and what to do about it. */
static void refuse_mix(struct spb_handle_flow *f, const struct spb_leaf_node *n)
{
	const struct spb_module *m = f->m;
	const char *what = "is used in a way that only a device address allows",
		   *remedy = "Keep the handle, a uint2, and dereference it at the access.";

	switch (spb_op(m, n->address)) {
	case SpvOpStore:
	case SpvOpCopyMemory:
		what = "is stored to memory outside the invocation";
		remedy = "Store the handle, a uint2, and dereference it where it is read.";
		break;
	case SpvOpLoad:
		what = "meets a device address that is loaded from memory";
		remedy = "Keep handles and device addresses in separate variables and functions.";
		break;
	case SpvOpConvertPtrToU:
	case SpvOpConvertUToPtr:
	case SpvOpBitcast:
		if (is_converted(f, n, n->address)) {
			what = describe_conversion(f, n->address);
			break;
		}
		what = is_pointer_to_buffer(m, m->words[n->address + 3])
			   ? "meets a device address that is cast from a pointer into another buffer"
			   : "meets a device address that is converted from an integer";
		remedy = "Keep handles and device addresses in separate variables and functions.";
		break;
	case SpvOpPtrAccessChain:
	case SpvOpInBoundsPtrAccessChain:
		what = "is the base of pointer arithmetic";
		remedy = "Index an array in the block.";
		break;
	case SpvOpFunctionCall:
		what = "is passed to a function as a pointer into the buffer";
		remedy = "Pass the whole block, and access its members in the function.";
		break;
	default:
		break;
	}
	spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, n->address,
		 "the buffer dereferenced as %s %s here (%s), which no descriptor can" SPB_REMEDY "%s",
		 spb_label(&m->context->scratch, m, spb_result(m, n->handle)), what, spb_word_of(m, n->address),
		 remedy);
}

/* For opaque values: a bound resource meets a handle. */
static noreturn void refuse_bound(const struct spb_handle_flow *f, const struct spb_leaf_node *n)
{
	const struct spb_module *m = f->m;
	const char *remedy = "Keep handles and bound resources in separate variables.";

	if (n->type && spb_def_op(m, n->type) == SpvOpTypeSampledImage &&
	    f->u->options->heaps.combined == SPB_COMBINED_SPLIT)
		remedy = "Keep handles and bound resources in separate variables, or use --combined=native.";
	spb_fail(
	    m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, n->address ? n->address : n->handle,
	    "the descriptor dereferenced as %s meets one with a binding, or goes where no handle can (%s)" SPB_REMEDY
	    "%s",
	    spb_label(&m->context->scratch, m, spb_result(m, n->handle)),
	    n->address ? spb_word_of(m, n->address) : "a resource", remedy);
}

/* Fails if a class has both handles and addresses. */
static void check_classes(struct spb_handle_flow *f)
{
	const struct spb_module *m = f->m;

	for (uint32_t i = 0; i < f->nodes.count; i++) {
		const struct spb_leaf_node *n = &f->nodes.items[i];
		if (n->parent != i || !(n->flags & SPB_LEAF_HANDLE))
			continue;
		if (n->flags & SPB_LEAF_ADDRESS && !spb_is_buffer_pointer(m, n->type))
			refuse_bound(f, n);
		if (n->flags & SPB_LEAF_ADDRESS)
			refuse_mix(f, n);
		if ((n->flags & SPB_LEAF_HANDLE) == SPB_LEAF_HANDLE)
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, n->handle,
				 "one pointer is dereferenced both as a storage buffer (DECLARE_BUFFER_HANDLE) and as "
				 "a uniform one" SPB_REMEDY "Use the same for both.");
		if (n->flags & SPB_LEAF_UNIFORM && n->flags & SPB_LEAF_WRITTEN)
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, n->written,
				 "%s needs a storage buffer, but %s dereferences the buffer as a uniform one" SPB_REMEDY
				 "Use instruction 2 (DECLARE_BUFFER_HANDLE).",
				 spb_word_of(m, n->written),
				 spb_label(&m->context->scratch, m, spb_result(m, n->handle)));
	}
}

void spb_follow_handles(struct spb_handle_flow *f, struct spb_unit *u, const uint32_t *opaque)
{
	const struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;

	*f = (struct spb_handle_flow){.u = u, .m = m, .arena = arena, .import = spb_import(m, SPB_HANDLE_SET)};
	spb_refuse_unknown_ops(m, SPB_E_HANDLE_UNKNOWN_OPS, "their effect on handles is unknown", "");
	f->leaves = spb_find_pointer_leaves(m, arena, opaque);
	f->calls = spb_find_calls(m, arena);
	f->node_of = spb_alloc_zeroed(arena, m->bound, sizeof *f->node_of);
	f->root_of = spb_alloc_zeroed(arena, m->bound, sizeof *f->root_of);
	f->uses_of_type = spb_alloc_zeroed(arena, m->bound, sizeof *f->uses_of_type);
	f->done = spb_alloc_zeroed(arena, m->function_count, sizeof *f->done);
	make_nodes(f);
	see_functions(f);
	check_classes(f);
	note_types(f);
}
