/* SPDX-License-Identifier: Apache-2.0 */
/* types: whether two modules mean the same type, and how many bytes a type takes.
 *
 * Both are computed bottom-up in one walk over the globals, so that a type nested a million levels deep, or a struct of
 * two structs of two structs, costs no more than its words. Types are declared before their use, except for pointers
 * declared by OpTypeForwardPointer, whose size is always 8 bytes. */
#include "analysis/resources/resources.h"

/* Decorations that make two types different. Names, NonWritable and others do not. */
static bool matters(uint32_t decoration)
{
	switch (decoration) {
	case SpvDecorationBlock:
	case SpvDecorationBufferBlock:
	case SpvDecorationRowMajor:
	case SpvDecorationColMajor:
	case SpvDecorationArrayStride:
	case SpvDecorationMatrixStride:
	case SpvDecorationOffset:
	case SpvDecorationSpecId:
		return true;
	default:
		return false;
	}
}

/* A sum, because the order of decorations is up to the compiler. Names of members count: where hashes are equal, blocks
 * need not be compared. */
static uint64_t hash_decorations(const struct spb_module *m, uint32_t id)
{
	uint64_t sum = 0;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at), from;
		if (op == SpvOpMemberName)
			sum += spb_hash_bytes(m->words[at + 2], spb_string(m, at + 3), strlen(spb_string(m, at + 3)));
		if (op == SpvOpDecorate)
			from = 2;
		else if (op == SpvOpMemberDecorate)
			from = 3;
		else
			continue;
		if (matters(m->words[at + from])) /* these decorations have no ids as operands */
			sum += spb_hash_bytes(from, &m->words[at + 2], (spb_length(m, at) - 2) * sizeof(uint32_t));
	}
	return sum;
}

/* The Depth operand only matters where a sampler is part of the type, as in sampler2DShadow: for Texture2D, glslang
 * sets it by the use in a function. */
static uint32_t depth_of(const struct spb_module *m, spb_at image)
{
	return spb_op(m, image) == SpvOpTypeImage ? m->words[image + 4] : 0;
}

uint64_t *spb_type_hashes(const struct spb_module *m, struct spb_arena *arena)
{
	uint64_t *hash = spb_alloc_zeroed(arena, m->bound, sizeof *hash);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if (!spb_op_is(op, SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT))
			continue;
		uint64_t h = spb_hash_mix(op, spb_length(m, at));
		uint32_t result = 0;
		const spb_at depth = op == SpvOpTypeImage ? at + 4 : 0;
		if (op == SpvOpTypeSampledImage)
			h = spb_hash_mix(h, depth_of(m, m->def[m->words[at + 2]]));
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_RESULT)
				result = m->words[o.word];
			else if (spb_operand_is_id(&o)) /* 0 for a pointer declared later */
				h = spb_hash_mix(h, hash[m->words[o.word]]);
			else if (o.word != depth)
				h = spb_hash_bytes(h, &m->words[o.word], o.count * sizeof(uint32_t));
		}
		h = spb_hash_mix(h, hash_decorations(m, result));
		hash[result] = h ? h : 1;
	}
	return hash;
}

struct sizes {
	const struct spb_module *m;
	const uint32_t *bytes; /* [bound] */
	struct spb_structs *structs;
	struct spb_arena *arena;
};

/* A pointer in memory is a physical address (SPV_KHR_physical_storage_buffer), and may be declared later. */
static uint32_t bytes_of(const struct sizes *s, uint32_t type)
{
	return spb_def_op(s->m, type) == SpvOpTypePointer ? 8 : s->bytes[type];
}

static uint32_t saturate(uint64_t bytes)
{
	return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static uint32_t literal(const struct spb_module *m, uint32_t word)
{
	return word ? m->words[word] : 0;
}

/* The size of a matrix is its stride times the number of columns, or of rows if it is RowMajor. */
static uint64_t matrix_size(const struct sizes *s, const struct spb_block_member *member, uint32_t type)
{
	const struct spb_module *m = s->m;
	uint32_t column = m->words[m->def[type] + 2];
	uint64_t count = m->words[m->def[type] + 3];

	if (member->row_major && spb_def_op(m, column) == SpvOpTypeVector)
		count = m->words[m->def[column] + 3];
	return member->stride ? member->stride * count : s->bytes[type];
}

/* One walk over the notes of the struct, since a search for each member would be quadratic. */
static struct spb_block_member *read_members(const struct sizes *s, spb_at at, uint32_t count)
{
	const struct spb_module *m = s->m;
	uint32_t id = m->words[at + 1];
	struct spb_block_member *members = spb_alloc_zeroed(s->arena, count, sizeof *members);

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at note = m->note[i].at;
		const uint32_t *w = m->words + note, op = spb_op(m, note);
		if ((op != SpvOpMemberDecorate && op != SpvOpMemberName) || w[2] >= count)
			continue;
		if (op == SpvOpMemberName)
			members[w[2]].name = spb_string(m, note + 3);
		else if (w[3] == SpvDecorationMatrixStride)
			members[w[2]].stride = w[4];
		else if (w[3] == SpvDecorationRowMajor)
			members[w[2]].row_major = true;
		else if (w[3] == SpvDecorationOffset) {
			members[w[2]].offset = w[4];
			members[w[2]].placed = true;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t type = m->words[at + 2 + i];
		bool matrix = spb_def_op(m, type) == SpvOpTypeMatrix;
		if (members[i].placed)
			members[i].size = saturate(matrix ? matrix_size(s, &members[i], type) : bytes_of(s, type));
		if (!members[i].name)
			members[i].name = "";
	}
	return members;
}

static uint64_t struct_size(const struct sizes *s, spb_at at)
{
	const uint32_t count = spb_length(s->m, at) - 2;
	const struct spb_block_member *members = read_members(s, at, count);
	uint64_t total = 0;

	if (s->structs)
		SPB_PUSH(s->arena, s->structs, ((struct spb_struct){s->m->words[at + 1], members}));

	for (uint32_t i = 0; i < count; i++) {
		uint64_t end = (uint64_t)members[i].offset + members[i].size;
		total = end > total ? end : total;
	}
	return total;
}

/* Nearly all lengths are plain constants. Only for others are the constants of the module folded, once. */
static bool array_length(const struct sizes *s, struct spb_folded *folded, uint32_t id, uint64_t *length)
{
	if (spb_constant_value(s->m, id, length))
		return true;
	if (!folded->m)
		*folded = spb_fold_constants(s->m, s->arena);
	return spb_folded_value(folded, id, length);
}

static uint64_t array_size(const struct sizes *s, struct spb_folded *folded, const uint32_t *w)
{
	uint32_t stride = literal(s->m, spb_decoration(s->m, w[1], SpvDecorationArrayStride));
	uint64_t length;

	if (!array_length(s, folded, w[3], &length) || length > UINT32_MAX)
		return 0;
	return length * (stride ? stride : bytes_of(s, w[2]));
}

enum { FEW_STRUCTS = 8 };

uint32_t *spb_type_sizes(const struct spb_module *m, struct spb_structs *structs, struct spb_arena *arena)
{
	uint32_t *sizes = spb_alloc_zeroed(arena, m->bound, sizeof *sizes);
	const struct sizes s = {m, sizes, structs, arena};
	struct spb_folded folded = {0};

	if (structs)
		SPB_SIZE(arena, structs, FEW_STRUCTS);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		uint64_t bytes;
		switch (spb_op(m, at)) {
		case SpvOpTypeInt:
		case SpvOpTypeFloat:
			bytes = w[2] / 8;
			break;
		case SpvOpTypeVector:
		case SpvOpTypeMatrix:
			bytes = (uint64_t)s.bytes[w[2]] * w[3];
			break;
		case SpvOpTypeArray:
			bytes = array_size(&s, &folded, w);
			break;
		case SpvOpTypeStruct:
			bytes = struct_size(&s, at);
			break;
		default:
			continue;
		}
		sizes[w[1]] = saturate(bytes);
	}
	return sizes;
}
