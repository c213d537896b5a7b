/* SPDX-License-Identifier: Apache-2.0 */
/* gather-data: the data in an HLSL struct that also holds resources goes into a uniform block of the struct.
 *
 *     struct Light { float3 position; Texture2D shadow; };  Light light;          the source text in the module
 *
 *     %a = OpVariable %ptr_v3float UniformConstant       %light = OpVariable %ptr_block Uniform
 *     OpName %a "light.position"                         OpName %block "light"
 *     %p = OpAccessChain %ptr_float %a %1                %p = OpAccessChain %ptr_float %light %0 %1
 *     %x = OpLoad %float %p                              %x = OpLoad %float %p
 *
 * glslang takes such structs apart, and leaves their data in UniformConstant, where Vulkan has none. The block has all
 * data of the struct, used or not, so that its layout (analysis/source/data.c) does not depend on function bodies, and
 * is numbered behind the resources of the struct.
 *
 * Refused (SPB_E_SHAPE): data of a type whose size the text does not tell; accesses other than loads, which glslang
 * does not write. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "pass/pass.h"

enum { DEPTH = 32, MOST_LOADS = 4096 };

struct numbers {
	uint32_t *items;
	size_t count, capacity;
};

struct gatherer {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_arena *arena;
	struct spb_data data;
	uint32_t *struct_type;  /* of each struct of the text; 0: not made */
	uint32_t *needed;       /* bits over these */
	uint32_t *variable;     /* of each block; 0: not made */
	uint32_t *gone, *types; /* bits over ids */
	uint32_t loads;
};

static bool is_data(const struct spb_module *m, uint32_t type, unsigned depth)
{
	const spb_at at = m->def[type];
	bool data = depth < DEPTH;

	switch (spb_op(m, at)) {
	case SpvOpTypeFloat:
	case SpvOpTypeInt:
	case SpvOpTypeBool:
	case SpvOpTypeVector:
	case SpvOpTypeMatrix:
		return true;
	case SpvOpTypeArray:
		return data && is_data(m, m->words[at + 2], depth + 1);
	case SpvOpTypeStruct:
		for (uint32_t w = at + 2; w < spb_next(m, at) && data; w++)
			data = is_data(m, m->words[w], depth + 1);
		return data;
	default:
		return false;
	}
}

static bool is_loose_data(const struct spb_module *m, spb_at at)
{
	const spb_at pointer = m->def[m->words[at + 1]];

	return spb_op(m, at) == SpvOpVariable && m->words[at + 3] == SpvStorageClassUniformConstant &&
	       spb_op(m, pointer) == SpvOpTypePointer && is_data(m, m->words[pointer + 3], 0);
}

/* Types of the block */

static uint32_t type_of(struct gatherer *g, const struct spb_data_type *t)
{
	struct spb_edit *e = g->e;
	const bool is_float = t->scalar == 'f' || t->scalar == 'd';
	uint32_t id;

	if (!t->scalar)
		id = g->struct_type[t->structure];
	else if (is_float)
		id = spb_make(e, SpvOpTypeFloat, W(t->scalar == 'd' ? 64 : 32));
	else
		id = spb_make(e, SpvOpTypeInt, W(32, t->scalar == 'i'));
	if (t->scalar && t->columns > 1)
		id = spb_make(e, SpvOpTypeVector, W(id, t->columns));
	if (t->rows > 1)
		id = spb_make(e, SpvOpTypeMatrix, W(id, t->rows));
	uint32_t stride = t->stride;
	for (uint32_t i = t->dimensions; i-- > 0; stride *= t->extents[i]) {
		const uint32_t array = spb_new_id(e);
		spb_add_global(e, SpvOpTypeArray, W(array, id, spb_uint_constant(e, t->extents[i])));
		spb_add_decoration(e, array, SpvDecorationArrayStride, W(stride));
		id = array;
	}
	return id;
}

static void place_member(struct gatherer *g, uint32_t type, uint32_t number, const struct spb_data_member *member)
{
	const struct spb_data_type *t = &member->type;

	spb_place_member(g->u, type, number, member->offset, member->name);
	if (t->rows < 2)
		return;
	/* HLSL's rows are SPIR-V's columns. */
	spb_put_note(g->e, SpvOpMemberDecorate,
		     W(type, number, t->row_major ? SpvDecorationColMajor : SpvDecorationRowMajor));
	spb_put_note(g->e, SpvOpMemberDecorate, W(type, number, SpvDecorationMatrixStride, t->matrix_stride));
}

static uint32_t make_struct(struct gatherer *g, const struct spb_data_member *members, uint32_t count)
{
	uint32_t *words = spb_alloc_array(g->arena, count + 1, sizeof *words);

	for (uint32_t i = 0; i < count; i++)
		words[i + 1] = type_of(g, &members[i].type);
	words[0] = spb_new_id(g->e);
	spb_add_global(g->e, SpvOpTypeStruct, words, count + 1);
	for (uint32_t i = 0; i < count; i++)
		place_member(g, words[0], i, &members[i]);
	return words[0];
}

static void need_structs(struct gatherer *g, const struct spb_data_struct *s, struct numbers *fresh)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct spb_data_type *t = &s->members[i].type;
		if (t->scalar || spb_bit(g->needed, t->structure))
			continue;
		spb_set_bit(g->needed, t->structure);
		SPB_PUSH(g->arena, fresh, t->structure);
	}
}

static int by_number(const void *a, const void *b)
{
	return spb_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* Makes the structs inside a struct, innermost first. */
static void make_structs(struct gatherer *g, const struct spb_data_struct *of)
{
	struct numbers fresh = {0};

	need_structs(g, of, &fresh);
	for (size_t i = 0; i < fresh.count; i++)
		need_structs(g, &g->data.structs[fresh.items[i]], &fresh);
	spb_sort(g->arena, fresh.items, fresh.count, sizeof *fresh.items, by_number);
	for (size_t i = 0; i < fresh.count; i++) {
		const struct spb_data_struct *s = &g->data.structs[fresh.items[i]];
		g->struct_type[fresh.items[i]] = make_struct(g, s->members, s->count);
	}
}

static void make_block(struct gatherer *g, uint32_t number, spb_at at)
{
	const struct spb_data_block *block = &g->data.blocks.items[number];
	const struct spb_data_struct *s = &g->data.structs[block->type.structure];
	struct spb_edit *e = g->e;
	uint32_t type;

	if (!block->type.size)
		spb_fail(g->m, SPB_ERROR_UNSUPPORTED, SPB_E_SHAPE, at,
			 "the layout of the data in \"%s\" is unknown, since the size of %s%s%s is" SPB_REMEDY
			 "Declare the data in a cbuffer.",
			 block->name, s->unknown ? "\"" : "it", s->unknown ? s->unknown : "", s->unknown ? "\"" : "");
	make_structs(g, s);
	if (block->type.dimensions) {
		struct spb_data_member all = {.name = "elements", .type = block->type};
		g->struct_type[block->type.structure] = make_struct(g, s->members, s->count);
		type = make_struct(g, &all, 1);
	} else {
		type = make_struct(g, s->members, s->count);
	}
	const uint32_t variable = spb_new_id(e);
	spb_add_global(e, SpvOpVariable,
		       W(spb_pointer_type(e, SpvStorageClassUniform, type), variable, SpvStorageClassUniform));
	spb_add_decoration(e, type, SpvDecorationBlock, NULL, 0);
	spb_add_decoration(e, variable, SpvDecorationDescriptorSet, &block->set, 1);
	spb_add_name(e, type, block->name);
	spb_add_name(e, variable, block->name);
	spb_list_everywhere(g->u, variable);
	g->variable[number] = variable;
}

/* Whether the variable has the type that the text says. */
static bool agrees(const struct gatherer *g, uint32_t type, struct spb_data_type t)
{
	const struct spb_module *m = g->m;
	const spb_at at = m->def[type];
	uint64_t length;

	if (t.dimensions) {
		if (spb_op(m, at) != SpvOpTypeArray || !spb_constant_value(m, m->words[at + 3], &length) ||
		    length != *t.extents)
			return false;
		t.extents++;
		t.dimensions--;
		return agrees(g, m->words[at + 2], t);
	}
	if (!t.scalar) {
		const struct spb_data_struct *s = &g->data.structs[t.structure];
		bool same = spb_op(m, at) == SpvOpTypeStruct && spb_length(m, at) == s->count + 2;
		for (uint32_t i = 0; i < s->count && same; i++)
			same = agrees(g, m->words[at + 2 + i], s->members[i].type);
		return same;
	}
	if (t.rows > 1) {
		const bool matrix = spb_op(m, at) == SpvOpTypeMatrix && m->words[at + 3] == t.rows;
		t.rows = 0;
		return matrix && agrees(g, m->words[at + 2], t);
	}
	if (t.columns > 1) {
		const bool vector = spb_op(m, at) == SpvOpTypeVector && m->words[at + 3] == t.columns;
		t.columns = 0;
		return vector && agrees(g, m->words[at + 2], t);
	}
	switch (spb_op(m, at)) {
	case SpvOpTypeBool:
		return t.scalar == 'b';
	case SpvOpTypeInt:
		return m->words[at + 2] == 32 && t.scalar == (m->words[at + 3] ? 'i' : 'u');
	case SpvOpTypeFloat:
		return m->words[at + 2] == (t.scalar == 'd' ? 64 : 32) && (t.scalar == 'f' || t.scalar == 'd');
	default:
		return false;
	}
}

/* Loads */

static uint32_t put_value(struct gatherer *g, spb_at at, struct numbers *path, uint32_t type, uint32_t id);

static void put_load(struct gatherer *g, spb_at at, const struct numbers *path, uint32_t type, uint32_t id)
{
	const uint32_t chain = spb_new_id(g->e);
	uint32_t *words = spb_alloc_array(g->arena, path->count + 2, sizeof *words);

	words[0] = spb_pointer_type(g->e, SpvStorageClassUniform, type);
	words[1] = chain;
	memcpy(words + 2, path->items, path->count * sizeof *words);
	spb_insert(g->e, at, SpvOpAccessChain, words, (uint32_t)path->count + 2);
	spb_insert(g->e, at, SpvOpLoad, W(type, id, chain));
}

/* Blocks have integers where HLSL has bool. */
static void put_bool(struct gatherer *g, spb_at at, const struct numbers *path, uint32_t type, uint32_t id)
{
	const struct spb_module *m = g->m;
	const bool vector = spb_def_op(m, type) == SpvOpTypeVector;
	uint32_t integer = spb_uint_type(g->e), value = spb_new_id(g->e);

	if (vector)
		integer = spb_make(g->e, SpvOpTypeVector, W(integer, m->words[m->def[type] + 3]));
	put_load(g, at, path, integer, value);
	spb_insert(g->e, at, SpvOpINotEqual, W(type, id, value, spb_make(g->e, SpvOpConstantNull, W(integer))));
}

/* The types of arrays and structs in a block are others, with strides and offsets. */
static void put_parts(struct gatherer *g, spb_at at, struct numbers *path, uint32_t type, uint32_t id)
{
	const struct spb_module *m = g->m;
	const spb_at def = m->def[type];
	const bool array = spb_op(m, def) == SpvOpTypeArray;
	uint64_t count = spb_length(m, def) - 2;

	if (array)
		spb_constant_value(m, m->words[def + 3], &count);
	if (count + g->loads > MOST_LOADS)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_SHAPE, at,
			 "data beside resources is read as a whole, in more than %u parts" SPB_REMEDY
			 "Declare the data in a cbuffer.",
			 (unsigned)MOST_LOADS);
	uint32_t *words = spb_alloc_array(g->arena, (size_t)count + 2, sizeof *words);
	words[0] = type;
	words[1] = id;
	for (uint32_t i = 0; i < count; i++) {
		SPB_PUSH(g->arena, path, spb_uint_constant(g->e, i));
		words[i + 2] = put_value(g, at, path, m->words[def + 2 + (array ? 0 : i)], spb_new_id(g->e));
		path->count--;
	}
	spb_insert(g->e, at, SpvOpCompositeConstruct, words, (uint32_t)count + 2);
}

static uint32_t put_value(struct gatherer *g, spb_at at, struct numbers *path, uint32_t type, uint32_t id)
{
	const struct spb_module *m = g->m;
	const uint32_t op = spb_def_op(m, type);

	g->loads++;
	if (op == SpvOpTypeArray || op == SpvOpTypeStruct)
		put_parts(g, at, path, type, id);
	else if (op == SpvOpTypeBool ||
		 (op == SpvOpTypeVector && spb_def_op(m, m->words[m->def[type] + 2]) == SpvOpTypeBool))
		put_bool(g, at, path, type, id);
	else
		put_load(g, at, path, type, id);
	return id;
}

static noreturn void refuse_access(const struct gatherer *g, spb_at at)
{
	spb_fail(g->m, SPB_ERROR_UNSUPPORTED, SPB_E_SHAPE, at,
		 "data beside resources is accessed by %s" SPB_REMEDY "Declare the data in a cbuffer.",
		 spb_word_of(g->m, at));
}

static void drop(struct gatherer *g, uint32_t id)
{
	spb_set_bit(g->gone, id);
	spb_set_bit(g->types, spb_type_of(g->m, id));
	spb_remove_id(g->e, id);
}

/* DebugGlobalVariable and the like name the variable no more. */
static void forget(struct gatherer *g, spb_at at)
{
	const struct spb_module *m = g->m;

	spb_replace(
	    g->e, at, SpvOpExtInst,
	    W(m->words[at + 1], m->words[at + 2], m->words[at + 3], NonSemanticShaderDebugInfo100DebugInfoNone));
}

/* Rewrites the accesses of a pointer, which becomes `path` in a block. */
static void rewrite_accesses(struct gatherer *g, uint32_t pointer, struct numbers *path)
{
	const struct spb_module *m = g->m;
	const size_t begin = path->count;

	for (uint32_t i = m->first_use[pointer]; i < m->first_use[pointer + 1]; i++) {
		const spb_at at = m->use[i].at;
		const uint32_t op = spb_op(m, at);
		if (op == SpvOpLoad) {
			g->loads = 0;
			put_value(g, at, path, m->words[at + 1], m->words[at + 2]);
			spb_remove(g->e, at);
		} else if (spb_op_is(op, SPB_OP_CHAIN) && m->use[i].word == at + 3) {
			for (uint32_t w = at + 4; w < spb_next(m, at); w++)
				SPB_PUSH(g->arena, path, m->words[w]);
			rewrite_accesses(g, m->words[at + 2], path);
			path->count = begin;
		} else if (spb_is_non_semantic(m, at) && spb_op(m, at) == SpvOpExtInst) {
			forget(g, at);
		} else {
			refuse_access(g, at);
		}
	}
	drop(g, pointer);
}

/* False: it is not the data of a struct with resources. */
static bool gather(struct gatherer *g, spb_at at)
{
	const struct spb_module *m = g->m;
	const uint32_t id = m->words[at + 2];
	struct spb_data_place place;
	struct numbers path = {0};

	if (!g->data.present && strpbrk(spb_id_name(m, id), ".["))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_SHAPE, at,
			 "%s is data beside resources, and only the source text tells where it is" SPB_REMEDY
			 "Compile with -g.",
			 spb_label(g->arena, m, id));
	if (!spb_find_data(&g->data, spb_id_name(m, id), &place, g->arena) ||
	    !agrees(g, m->words[m->def[m->words[at + 1]] + 3], place.type))
		return false;
	if (!g->variable[place.block])
		make_block(g, place.block, at);
	SPB_PUSH(g->arena, &path, g->variable[place.block]);
	if (g->data.blocks.items[place.block].type.dimensions)
		SPB_PUSH(g->arena, &path, spb_uint_constant(g->e, 0));
	for (uint32_t i = 0; i < place.count; i++)
		SPB_PUSH(g->arena, &path, spb_uint_constant(g->e, place.path[i]));
	rewrite_accesses(g, id, &path);
	return true;
}

bool spb_pass_gather_data(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct gatherer g = {.u = u, .m = m, .e = &u->edit, .arena = &m->context->scratch};
	bool changed = false;
	uint32_t i = 0;

	while (i < m->variable_count && !is_loose_data(m, m->variable[i]))
		i++;
	if (i == m->variable_count)
		return false; /* without reading the text */
	spb_module_need_uses(m);
	g.data = spb_read_data(u->options, m, g.arena);
	g.struct_type = spb_alloc_zeroed(g.arena, g.data.struct_count, sizeof *g.struct_type);
	g.needed = spb_bits(g.arena, g.data.struct_count);
	g.variable = spb_alloc_zeroed(g.arena, g.data.blocks.count, sizeof *g.variable);
	g.gone = spb_bits(g.arena, m->bound);
	g.types = spb_bits(g.arena, m->bound);
	for (; i < m->variable_count; i++)
		changed |= is_loose_data(m, m->variable[i]) && gather(&g, m->variable[i]);
	if (changed)
		spb_sweep_types(&u->edit, g.types, g.gone, NULL, 0);
	return changed;
}
