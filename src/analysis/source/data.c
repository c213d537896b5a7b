/* SPDX-License-Identifier: Apache-2.0 */
/* data: where the data is in an HLSL struct that also holds resources.
 *
 *     struct Light { float3 position; Texture2D shadow; float4x4 from_world; };
 *     Light light[2];                                  light[0].position, light[0].shadow, ...
 *
 * glslang makes a variable of each member that a function uses, also of those that are not resources, for which there
 * is no descriptor. They belong in one block for each struct, whose layout depends on the declarations only:
 * {float3 at 0, float4x4 at 16}, with a stride of 80. The rules are those of std140, which every version of Vulkan
 * accepts without a feature. */
#include "analysis/source/text.h"

enum { UNIT = 16, LARGEST = 1 << 28 };

struct builder {
	struct spb_reader *r;
	struct spb_arena *arena;
	struct spb_data *data;
};

static uint32_t round_up(uint32_t n, uint32_t to)
{
	return (n + to - 1) / to * to;
}

/* Of a vector with this many components; 0: a scalar. */
static uint32_t vector_alignment(const struct spb_type *t, uint32_t components)
{
	const uint32_t scalar = t->scalar == 'd' ? 8 : 4;

	return components < 2 ? scalar : components == 2 ? 2 * scalar : 4 * scalar;
}

/* Bytes from one column (or row, if these are contiguous) of a matrix to the next. */
static uint32_t matrix_stride(const struct spb_type *t)
{
	return round_up(vector_alignment(t, t->row_major ? t->columns : t->rows), UNIT);
}

static uint32_t alignment_of(const struct builder *b, const struct spb_type *t)
{
	if (t->kind == SPB_KIND_STRUCT)
		return b->data->structs[t->structure].alignment;
	const uint32_t own = t->rows ? matrix_stride(t) : vector_alignment(t, t->columns);
	return t->dimensions.count ? round_up(own, UNIT) : own;
}

/* The size of one element; 0: not known. */
static uint32_t size_of(const struct builder *b, const struct spb_type *t)
{
	if (t->kind == SPB_KIND_STRUCT)
		return b->data->structs[t->structure].size;
	if (!t->scalar)
		return 0;
	if (t->rows)
		return matrix_stride(t) * (t->row_major ? t->rows : t->columns);
	return vector_alignment(t, 0) * (t->columns ? t->columns : 1);
}

static struct spb_data_type type_of(struct builder *b, const struct spb_type *t)
{
	const struct spb_dimensions d = t->dimensions;
	struct spb_data_type type = {.scalar = t->scalar,
				     .rows = t->rows,
				     .columns = t->columns,
				     .row_major = t->row_major,
				     .matrix_stride = t->rows ? matrix_stride(t) : 0,
				     .structure = t->kind == SPB_KIND_STRUCT ? t->structure : 0,
				     .dimensions = d.count};
	uint32_t *extents = spb_alloc_array(b->arena, d.count, sizeof *extents);
	uint64_t size = size_of(b, t);

	type.stride = round_up((uint32_t)size, alignment_of(b, t));
	size = d.count ? type.stride : size;
	for (uint32_t i = d.count; i-- > 0;) {
		const int64_t extent = b->r->extents.items[d.first + i];
		size = extent > 0 && size <= LARGEST ? size * (uint64_t)extent : 0;
		extents[i] = size && size <= LARGEST ? (uint32_t)extent : 0;
	}
	type.extents = extents;
	type.size = size <= LARGEST ? (uint32_t)size : 0;
	return type;
}

static bool has_data(const struct spb_reader *r, const struct spb_type *t)
{
	return t->kind == SPB_KIND_STRUCT ? r->structures.items[t->structure].data : t->kind >= SPB_DESCRIPTOR_COUNT;
}

/* All structs that it contains come before it. */
static void lay_out(struct builder *b, struct spb_data_struct *to, const struct spb_structure *s)
{
	struct spb_reader *r = b->r;
	struct spb_data_member *members = spb_alloc_array(b->arena, s->count, sizeof *members);
	uint32_t end = 0;

	to->members = members;
	to->alignment = UNIT;
	for (uint32_t i = 0; i < s->count && spb_spend(r, 1, NULL); i++) {
		const struct spb_member *from = &r->members.items[s->first + i];
		const struct spb_word *word = &r->words.items[from->word];
		if (!has_data(r, &from->type))
			continue;
		struct spb_data_member *m = &members[to->count++];
		m->name = spb_copy_text(b->arena, word->bytes, word->length);
		m->type = type_of(b, &from->type);
		if (!m->type.size && !to->unknown)
			to->unknown = m->name;
		const uint32_t alignment = alignment_of(b, &from->type);
		to->alignment = alignment > to->alignment ? alignment : to->alignment;
		m->offset = end = round_up(end, alignment);
		end += end <= LARGEST ? m->type.size : 0;
	}
	to->size = to->unknown || end > LARGEST ? 0 : round_up(end, to->alignment);
}

static void add_block(struct builder *b, const struct spb_declared *d)
{
	const struct spb_word *word = &b->r->words.items[d->word];
	struct spb_data_block block = {.name = spb_copy_text(b->arena, word->bytes, word->length),
				       .type = type_of(b, &d->type),
				       .set = d->knows_set ? d->set : 0};

	for (int k = 0; k < SPB_CLASS_COUNT && !d->knows_set && !block.set; k++)
		block.set = d->has_space[k] ? d->space[k] : 0;
	SPB_PUSH(b->arena, &b->data->blocks, block);
}

static int by_name(const void *a, const void *b)
{
	const struct spb_data_block *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct spb_data spb_read_data(const spb_options *options, const struct spb_module *m, struct spb_arena *arena)
{
	struct spb_data data = {0};
	struct spb_reader r;
	struct builder b = {&r, arena, &data};
	const struct spb_source_text text = spb_open_text(&r, options, m, arena);

	if (!text.present || !text.hlsl || r.failure)
		return data;
	data.present = true;
	data.structs = spb_alloc_zeroed(arena, r.structures.count, sizeof *data.structs);
	data.struct_count = (uint32_t)r.structures.count;
	for (size_t i = 0; i < r.structures.count; i++)
		lay_out(&b, &data.structs[i], &r.structures.items[i]);
	for (size_t i = 0; i < r.declarations.count && !r.failure; i++) {
		const struct spb_declared *d = &r.declarations.items[i];
		if (spb_is_mixed(&r, &d->type) && !d->again)
			add_block(&b, d);
	}
	spb_sort(arena, data.blocks.items, data.blocks.count, sizeof *data.blocks.items, by_name);
	return data;
}

/* light[1].position */

static bool step(const struct spb_data *data, struct spb_data_place *place, const char **p)
{
	struct spb_data_type *t = &place->type;
	uint32_t number = 0;

	if (**p == '[') {
		for (++*p; **p >= '0' && **p <= '9' && number < LARGEST; ++*p)
			number = 10 * number + (uint32_t)(**p - '0');
		if (**p != ']' || !t->dimensions || number >= *t->extents)
			return false;
		++*p;
		t->extents++;
		t->dimensions--;
	} else {
		const char *name = ++*p;
		const size_t length = strcspn(name, ".[");
		const struct spb_data_struct *s = &data->structs[t->structure];
		if (t->dimensions || t->scalar)
			return false;
		while (number < s->count &&
		       (strncmp(s->members[number].name, name, length) != 0 || s->members[number].name[length]))
			number++;
		if (number == s->count)
			return false;
		*t = s->members[number].type;
		*p += length;
	}
	if (place->count == SPB_COUNT(place->path))
		return false;
	place->path[place->count++] = number;
	return true;
}

bool spb_find_data(const struct spb_data *data, const char *name, struct spb_data_place *place, struct spb_arena *arena)
{
	const size_t length = strcspn(name, ".[");
	const struct spb_data_block wanted = {.name = spb_copy_text(arena, name, length)}, *blocks = data->blocks.items;
	const size_t i = spb_lower_bound(blocks, data->blocks.count, sizeof *blocks, &wanted, by_name);
	const char *p = name + length;

	if (i == data->blocks.count || strcmp(blocks[i].name, wanted.name) != 0)
		return false;
	*place = (struct spb_data_place){.block = (uint32_t)i, .type = blocks[i].type};
	while (*p) {
		if (!step(data, place, &p))
			return false;
	}
	return true;
}
