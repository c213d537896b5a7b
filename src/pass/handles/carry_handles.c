/* SPDX-License-Identifier: Apache-2.0 */
/* carry-handles: wherever a pointer to a handle's buffer flows, the handle flows instead, and is dereferenced where
 * the buffer is accessed. Later passes then never see a pointer to a handle's buffer that is stored, passed or
 * merged.
 *
 *     %q = OpVariable %ptr_Function_ptr Function       %q = OpVariable %ptr_Function_uint2 Function
 *     %p = OpExtInst %ptr %set 2 %h                    (unused now)
 *     OpStore %q %p                                    OpStore %q %h
 *     %l = OpLoad %ptr %q                              %l = OpLoad %uint2 %q
 *                                                      %d = OpExtInst %ptr %set 2 %l
 *     %c = OpAccessChain %ptr_f %l %uint_1             %c = OpAccessChain %ptr_f %d %uint_1
 *
 * With --lower-buffer-references, a uint2 converted to a reference is a handle, too (GL_EXT_buffer_reference_uvec2,
 * also by way of a uint64), and becomes the extended instruction. A reference that is loaded from memory, or made
 * from any other number, is a device address and stays one. A pointer converted back to a number becomes its handle.
 *
 * The same applies to opaque values for which an index alone is not enough (handle_kinds.c):
 *
 *     %s = OpFunctionParameter %ptr_sampled_image      %s = OpFunctionParameter %uint2
 *     %l = OpLoad %sampled_image %s                    %l = OpCopyObject %uint2 %s
 *                                                      %d = OpExtInst %sampled_image %set 1 %l
 *     %v = OpImageSampleExplicitLod %v4 %l %uv ...     %v = OpImageSampleExplicitLod %v4 %d %uv ...
 *
 * Variables, structs, arrays, parameters and results change their types; a Private variable moves after the new
 * types. Refusals: see handle_flow.c. */
#include "pass/handles/handle_types.h"

struct carrier {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_handle_flow f;
	struct spb_retyper types;
	uint32_t *value_of; /* [bound] pointer that an instruction defines -> the handle, a uint2 */
	uint32_t *made;     /* bits over the same ids: the value has been emitted */
	uint32_t *moved;    /* bits over ids of globals */
	uint32_t import;
};

/* Bit mask of the leaves of a value that are handles. */
static uint64_t handles_of(struct carrier *c, uint32_t id)
{
	uint64_t handles = 0;
	uint32_t count = c->f.node_of[id] ? spb_pointer_leaves_of(&c->f.leaves, id) : 0;

	for (uint32_t k = 0; k < count; k++) {
		if (spb_leaf_status(&c->f, c->f.node_of[id] - 1 + k) & SPB_LEAF_HANDLE)
			handles |= (uint64_t)1 << k;
	}
	return handles;
}

/* Is the id a single pointer, and one to a handle's buffer? */
static bool is_handle(struct carrier *c, uint32_t id)
{
	return handles_of(c, id) && spb_is_leaf(&c->f.leaves, spb_type_of(c->m, id));
}

static uint32_t handle_set(struct carrier *c)
{
	if (!c->import)
		c->import = c->f.import ? c->f.import : spb_add_import(c->e, SPB_HANDLE_SET);
	return c->import;
}

static uint32_t number_of(struct carrier *c, uint32_t id)
{
	if (!spb_is_buffer_pointer(c->m, spb_type_of(c->m, id)))
		return SPB_HANDLE_OPAQUE;
	return spb_leaf_status(&c->f, c->f.node_of[id] - 1) == SPB_LEAF_UNIFORM ? SPB_HANDLE_UNIFORM_BUFFER
										: SPB_HANDLE_STORAGE_BUFFER;
}

/* Does the instruction make a pointer from a number or from another pointer? It then still does, as a dereference.
 * Every other definition of a handle's pointer (OpLoad, OpPhi, ...) becomes the handle. */
static bool makes_pointer(struct carrier *c, spb_at at)
{
	switch (spb_op(c->m, at)) {
	case SpvOpBitcast:
	case SpvOpConvertUToPtr:
	case SpvOpCopyObject:
	case SpvOpExtInst:
		return is_handle(c, c->m->words[at + 2]);
	default:
		return false;
	}
}

static bool flows(const struct carrier *c, uint32_t id)
{
	const struct spb_module *m = c->m;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		enum spb_pointer_use use = spb_leaf_use(&c->f.leaves, m->use[i]);
		if (use == SPB_POINTER_FLOWS || use == SPB_POINTER_REMARK)
			return true;
	}
	return false;
}

/* What the pointer is made from: a handle, a uint64 or another pointer. */
static uint32_t source_of(struct carrier *c, spb_at at)
{
	uint32_t reference = spb_reference_handle(c->u, at);

	return spb_op(c->m, at) == SpvOpExtInst ? c->m->words[at + 5] : reference ? reference : c->m->words[at + 3];
}

static uint32_t value_of(const struct carrier *c, uint32_t id)
{
	return c->value_of[id] ? c->value_of[id] : id;
}

/* Sets the handle of a pointer to the value it is made from, or will be made from. */
static void choose_value(struct carrier *c, spb_at at)
{
	const struct spb_module *m = c->m;
	uint32_t result = m->words[at + 2], source = source_of(c, at), type = spb_type_of(m, source);
	bool same = is_handle(c, source) || type == spb_uint2_type(c->e);
	bool marked = spb_decoration(m, result, SpvDecorationNonUniform) && flows(c, result);

	if (same && !marked) {
		c->value_of[result] = value_of(c, source);
		return;
	}
	c->value_of[result] = spb_new_id(c->e);
	spb_set_bit(c->made, result);
}

static void rewrite_pointer(struct carrier *c, spb_at at)
{
	const struct spb_module *m = c->m;
	struct spb_edit *e = c->e;
	uint32_t result = m->words[at + 2], source = source_of(c, at), value = c->value_of[result];

	if (spb_bit(c->made, result)) {
		bool same = is_handle(c, source) || spb_type_of(m, source) == spb_uint2_type(c->e);
		spb_insert(e, at, same ? SpvOpCopyObject : SpvOpBitcast,
			   W(spb_uint2_type(c->e), value, value_of(c, source)));
		if (spb_decoration(m, result, SpvDecorationNonUniform))
			spb_add_decoration(e, value, SpvDecorationNonUniform, NULL, 0);
	}
	if (spb_op(m, at) == SpvOpExtInst && value == source && number_of(c, result) == m->words[at + 4])
		return;
	spb_replace(e, at, SpvOpExtInst, W(m->words[at + 1], result, handle_set(c), number_of(c, result), value));
}

/* Is this a uint64 whose only purpose is to convert a uint2 to a pointer? */
static bool is_only_on_the_way(struct carrier *c, spb_at at)
{
	const struct spb_module *m = c->m;
	uint32_t id;

	if (spb_op(m, at) != SpvOpBitcast)
		return false;
	id = m->words[at + 2];
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (spb_reference_handle(c->u, m->use[i].at) != m->words[at + 3])
			return false;
	}
	return m->first_use[id] != m->first_use[id + 1];
}

/* A pointer converted to a number becomes the handle's bits. */
static bool rewrite_number(struct carrier *c, spb_at at)
{
	const struct spb_module *m = c->m;
	uint32_t op = spb_op(m, at), type;

	if ((op != SpvOpBitcast && op != SpvOpConvertPtrToU) || !is_handle(c, m->words[at + 3]))
		return false;
	type = m->words[at + 1]; /* not a pointer, which would be a handle, too */
	spb_replace(c->e, at, type == spb_uint2_type(c->e) ? SpvOpCopyObject : SpvOpBitcast,
		    W(type, m->words[at + 2], value_of(c, m->words[at + 3])));
	return true;
}

/* Before SPIR-V 1.4, OpSelect on a vector needs a vector as its condition. */
static void widen_condition(struct carrier *c, spb_at at)
{
	const struct spb_module *m = c->m;
	uint32_t condition;

	if (spb_op(m, at) != SpvOpSelect || !is_handle(c, m->words[at + 2]) || spb_version_word(m) >= 0x00010400)
		return;
	condition = m->words[at + 3];
	if (spb_def_op(m, spb_type_of(m, condition)) != SpvOpTypeBool)
		return;
	uint32_t both = spb_new_id(c->e);
	spb_insert(c->e, at, SpvOpCompositeConstruct,
		   W(spb_make(c->e, SpvOpTypeVector, W(spb_bool_type(c->e), 2)), both, condition, condition));
	spb_patch(c->e, at + 3, both);
}

static uint64_t handles_from(uint64_t handles, uint32_t first)
{
	return first < 64 ? handles >> first : 0; /* it may exceed 64 if there are too many to follow */
}

/* For constant operands: the leaves that have to be handles in the operand at `word`, judging by the instruction's
 * result. */
static uint64_t wanted_handles(struct carrier *c, spb_at at, uint32_t word)
{
	const struct spb_module *m = c->m;
	uint32_t result = spb_result(m, at), first = 0, type, callee, parameter;

	switch (spb_op(m, at)) {
	case SpvOpStore:
		return handles_of(c, m->words[at + 1]);
	case SpvOpReturnValue:
		return handles_of(c, m->words[spb_function_around(m, at)->at + 2]);
	case SpvOpFunctionCall:
		callee = c->f.calls.function_of[m->words[at + 3]];
		if (!callee)
			return 0;
		parameter = c->f.calls.first_parameter[callee - 1] + (word - at - 4);
		return parameter < c->f.calls.first_parameter[callee]
			   ? handles_of(c, c->f.calls.parameters.items[parameter])
			   : 0;
	case SpvOpCompositeConstruct:
		spb_leaf_part(&c->f.leaves, spb_type_of(m, result), word - at - 3, &first);
		return handles_from(handles_of(c, result), first);
	case SpvOpCompositeInsert:
		if (word == at + 4)
			return handles_of(c, result);
		type = spb_type_of(m, result);
		for (uint32_t w = at + 5; w < spb_next(m, at) && type; w++)
			type = spb_leaf_part(&c->f.leaves, type, m->words[w], &first);
		return handles_from(handles_of(c, result), first);
	case SpvOpCompositeExtract:
		type = spb_type_of(m, m->words[at + 3]);
		for (uint32_t w = at + 4; w < spb_next(m, at) && type; w++)
			type = spb_leaf_part(&c->f.leaves, type, m->words[w], &first);
		return first < 64 ? handles_of(c, result) << first : 0;
	case SpvOpVariable:
	case SpvOpPhi:
	case SpvOpSelect:
	case SpvOpCopyObject:
	case SpvOpCopyLogical:
		return handles_of(c, result);
	default:
		return 0;
	}
}

static void rewrite_operand(struct carrier *c, spb_at at, uint32_t word)
{
	const struct spb_module *m = c->m;
	uint32_t id = m->words[word], leaves = spb_pointer_leaves_of(&c->f.leaves, id);

	if (leaves && !c->f.node_of[id] && (spb_is_constant(m, id) || spb_def_op(m, id) == SpvOpUndef)) {
		uint64_t wanted = wanted_handles(c, at, word) & (UINT64_MAX >> (64 - leaves));
		if (wanted)
			spb_patch(c->e, word, spb_retype_constant(&c->types, id, wanted));
		return;
	}
	if (!is_handle(c, id))
		return;
	enum spb_pointer_use use = spb_leaf_use(&c->f.leaves, (struct spb_use){at, word});
	if (use == SPB_POINTER_FLOWS || use == SPB_POINTER_REMARK) {
		if (value_of(c, id) != id)
			spb_patch(c->e, word, value_of(c, id));
	} else if (!c->value_of[id]) {
		uint32_t pointer = spb_new_id(c->e);
		spb_insert(c->e, at, SpvOpExtInst, W(spb_type_of(m, id), pointer, handle_set(c), number_of(c, id), id));
		spb_patch(c->e, word, pointer);
	}
}

/* A load through a parameter that was a pointer and has become a handle yields the handle. */
static bool rewrite_load(struct carrier *c, spb_at at)
{
	const struct spb_module *m = c->m;

	if (spb_op(m, at) != SpvOpLoad || !spb_is_resource_pointer(&c->f.leaves, spb_type_of(m, m->words[at + 3])) ||
	    !is_handle(c, m->words[at + 2]))
		return false;
	spb_replace(c->e, at, SpvOpCopyObject,
		    W(spb_uint2_type(c->e), m->words[at + 2], value_of(c, m->words[at + 3])));
	return true;
}

/* The decorations of a pointer do not apply to a handle. */
static void drop_decorations(struct carrier *c, uint32_t id)
{
	const struct spb_module *m = c->m;
	bool pointer = spb_is_buffer_pointer(m, spb_type_of(m, id));

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t what = spb_op(m, at) == SpvOpDecorate ? m->words[at + 2] : SpvDecorationMax;
		if (what == SpvDecorationAliasedPointer || what == SpvDecorationRestrictPointer ||
		    (pointer && (what == SpvDecorationAliased || what == SpvDecorationRestrict)))
			spb_remove(c->e, at);
	}
}

static void rewrite_function(struct carrier *c, spb_at at)
{
	const struct spb_module *m = c->m;
	uint32_t function = c->f.calls.function_of[m->words[at + 2]] - 1;
	uint32_t first = c->f.calls.first_parameter[function], end = c->f.calls.first_parameter[function + 1];
	uint32_t count = 1 + end - first, *words = spb_alloc_array(c->f.arena, count, sizeof *words);
	uint64_t any = handles_of(c, m->words[at + 2]);

	words[0] = spb_retype(&c->types, m->words[at + 1], any);
	if (any)
		spb_patch(c->e, at + 1, words[0]);
	for (uint32_t i = first; i < end; i++) {
		uint32_t id = c->f.calls.parameters.items[i];
		uint64_t handles = handles_of(c, id);
		words[1 + i - first] = spb_retype(&c->types, spb_type_of(m, id), handles);
		any |= handles;
	}
	if (any)
		spb_patch(c->e, at + 4, spb_make(c->e, SpvOpTypeFunction, words, count));
}

static void rewrite(struct carrier *c, spb_at at)
{
	const struct spb_module *m = c->m;
	uint32_t result = spb_result(m, at);

	if (spb_op(m, at) == SpvOpFunction) {
		rewrite_function(c, at);
		return;
	}
	if (makes_pointer(c, at)) {
		rewrite_pointer(c, at);
		return;
	}
	if (rewrite_number(c, at) || rewrite_load(c, at))
		return;
	if (is_only_on_the_way(c, at)) {
		spb_remove_id(c->e, result);
		return;
	}
	uint64_t handles = result ? handles_of(c, result) : 0;
	if (handles) {
		uint32_t leaves = spb_pointer_leaves_of(&c->f.leaves, result);
		spb_patch(c->e, at + 1, spb_retype(&c->types, m->words[at + 1], handles));
		if (handles == UINT64_MAX >> (64 - leaves))
			drop_decorations(c, result);
	}
	widen_condition(c, at);
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID)
			rewrite_operand(c, at, o.word);
	}
}

static void move_to_end(struct carrier *c, spb_at at, uint32_t type)
{
	const struct spb_module *m = c->m;
	uint32_t count = spb_length(m, at) - 1, *words = spb_alloc_array(c->f.arena, count, sizeof *words);

	if (spb_bit(c->moved, m->words[at + 2]))
		return;
	spb_set_bit(c->moved, m->words[at + 2]);
	memcpy(words, m->words + at + 1, count * sizeof *words);
	words[0] = type;
	if (spb_op(m, at) == SpvOpVariable && count > 3 &&
	    spb_pointer_leaves_of(&c->f.leaves, words[3]) == spb_pointer_leaves_of(&c->f.leaves, words[1]))
		words[3] = spb_retype_constant(&c->types, words[3], handles_of(c, words[1]));
	spb_remove(c->e, at);
	spb_add_global(c->e, spb_op(m, at), words, count);
}

/* Debug instructions that name such a variable have to come after it. */
static void move_remarks(struct carrier *c, uint32_t id)
{
	const struct spb_module *m = c->m;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at user = m->use[i].at;
		if (user >= m->section[SPB_SECTION_FUNCTION])
			break;
		if (!spb_is_non_semantic(m, user))
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, user,
				 "%s uses %s, which has to become a variable of handles" SPB_REMEDY
				 "Use the variable in functions only.",
				 spb_word_of(m, user), spb_label(c->f.arena, m, id));
		move_to_end(c, user, m->words[user + 1]);
	}
}

/* Private and Workgroup variables with new types move after these types, followed by the debug information that
 * names them. */
static void rewrite_globals(struct carrier *c)
{
	const struct spb_module *m = c->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpVariable)
			continue;
		uint32_t id = m->words[at + 2];
		uint64_t handles = handles_of(c, id);
		if (!handles)
			continue;
		move_to_end(c, at, spb_retype(&c->types, m->words[at + 1], handles));
		if (handles == UINT64_MAX >> (64 - spb_pointer_leaves_of(&c->f.leaves, id)))
			drop_decorations(c, id);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpVariable && spb_bit(c->moved, m->words[at + 2]))
			move_remarks(c, m->words[at + 2]);
	}
}

bool spb_pass_carry_handles(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct carrier c = {.u = u, .m = m, .e = &u->edit};
	uint32_t *opaque;

	if (!spb_has_carried_handles(u, &opaque))
		return false;
	spb_module_need_uses(m);
	spb_follow_handles(&c.f, u, opaque);
	spb_find_variants(&c.f);
	spb_check_handle_numbers(&c.f);
	spb_retyper_begin(&c.types, &c.f, c.e);
	c.value_of = spb_alloc_zeroed(c.f.arena, m->bound, sizeof *c.value_of);
	c.made = spb_bits(c.f.arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (makes_pointer(&c, at))
			choose_value(&c, at);
	}
	c.moved = spb_bits(c.f.arena, m->bound);
	rewrite_globals(&c);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at))
		rewrite(&c, at);
	return u->edit.changes.count > 0;
}
