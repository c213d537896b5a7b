/* SPDX-License-Identifier: Apache-2.0 */
/* members: the contents of a block, and whether two blocks can be one. This is the only place where blocks are
 * compared: for merging, for check, for workspaces, and for push constants.
 *
 *     struct Light { vec4 colour; float range; };
 *     uniform Frame { mat4 view; Light sun; Light lamps[4]; };
 *
 *     view 0, sun.colour 64, sun.range 80, lamps.colour 96, lamps.range 112      elements of arrays are listed once
 *
 * Where both have bytes, these must mean the same: type, stride, order of matrices. One of them may lack members of the
 * other. A member with another name is the same one, unless one of the two names is elsewhere in the other block: then
 * members were exchanged. Front ends of HLSL and Slang transpose matrices in SPIR-V. */
#include "analysis/resources/resources.h"

enum {
	MOST_MEMBERS =
	    4096, /* of a block, which may have any number through nested structs. The rest is compared by hash. */
	MOST_DEPTH = 16,
	SLANG = 11 /* a language newer than some spirv.h */
};

/* Types in messages */

/* "float", "float4", "float4x4", "float4[3]", "struct Light" */
static const char *type_text(const struct spb_module *m, uint32_t type, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};
	SPB_LIST(uint32_t) arrays = {0};
	spb_at at = m->def[type];
	uint64_t length;

	while (spb_array_element(m, type) && arrays.count < 8) {
		SPB_PUSH(arena, &arrays, type);
		type = spb_array_element(m, type);
		at = m->def[type];
	}
	const uint32_t *w = m->words + at;
	if (spb_op(m, at) == SpvOpTypeStruct && *spb_id_name(m, type))
		spb_text_format(&text, "struct %s", spb_id_name(m, type));
	else if (spb_op(m, at) == SpvOpTypeStruct)
		spb_text_put(&text, "a struct");
	else if (spb_op(m, at) == SpvOpTypeVector)
		spb_text_format(&text, "%s%u", spb_component_name(m, w[2]), w[3]);
	else if (spb_op(m, at) == SpvOpTypeMatrix && spb_def_op(m, w[2]) == SpvOpTypeVector)
		spb_text_format(&text, "%s%ux%u", spb_component_name(m, m->words[m->def[w[2]] + 2]),
				m->words[m->def[w[2]] + 3], w[3]);
	else if (spb_op(m, at) == SpvOpTypePointer)
		spb_text_put(&text, "a pointer");
	else
		spb_text_put(&text, spb_component_name(m, type));
	for (size_t i = 0; i < arrays.count; i++) {
		at = m->def[arrays.items[i]];
		if (spb_op(m, at) == SpvOpTypeArray && spb_constant_value(m, m->words[at + 3], &length))
			spb_text_format(&text, "[%u]", (unsigned)length);
		else
			spb_text_put(&text, "[]");
	}
	return spb_text_end(&text);
}

/* The members of a block */

struct flat {
	const struct spb_module *m;
	const uint64_t *hashes;
	struct spb_arena *arena;
	bool transposed; /* the language's matrices are */
	SPB_LIST(struct spb_typed_member) members;
};

struct placed { /* a member of a struct, as decorated */
	uint32_t type, offset, stride;
	bool has_offset, row_major;
	const char *name;
};

/* The location of a struct in a block, possibly in arrays. */
struct within {
	const char *path;
	uint64_t offset, arrays; /* arrays: a hash of their lengths and strides */
	uint32_t end;            /* of the outermost array; 0: there is none */
	int depth;
};

static struct placed *read_struct(const struct flat *f, uint32_t type, uint32_t *count)
{
	const struct spb_module *m = f->m;
	const spb_at definition = m->def[type];
	struct placed *members;

	*count = spb_length(m, definition) - 2;
	members = spb_alloc_zeroed(f->arena, *count, sizeof *members);
	for (uint32_t i = 0; i < *count; i++)
		members[i] = (struct placed){.type = m->words[definition + 2 + i], .name = ""};
	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		const spb_at at = m->note[i].at;
		const uint32_t *w = m->words + at, op = spb_op(m, at);
		if ((op != SpvOpMemberDecorate && op != SpvOpMemberName) || w[2] >= *count)
			continue;
		struct placed *p = &members[w[2]];
		if (op == SpvOpMemberName) {
			p->name = spb_string(m, at + 3);
		} else if (w[3] == SpvDecorationOffset) {
			p->offset = w[4];
			p->has_offset = true;
		} else if (w[3] == SpvDecorationMatrixStride) {
			p->stride = w[4];
		} else if (w[3] == SpvDecorationRowMajor) {
			p->row_major = true;
		}
	}
	return members;
}

static uint32_t scalar_bytes(const struct spb_module *m, uint32_t type)
{
	const uint32_t op = spb_def_op(m, type);

	return op == SpvOpTypeInt || op == SpvOpTypeFloat ? m->words[m->def[type] + 2] / 8
	       : op == SpvOpTypePointer                   ? 8
							  : 4;
}

/* A scalar, vector or matrix in memory, and its size in bytes. */
static uint64_t hash_of_value(const struct flat *f, uint32_t type, const struct placed *p, uint64_t *bytes)
{
	const struct spb_module *m = f->m;
	const uint32_t *w = m->words + m->def[type];

	if (spb_def_op(m, type) == SpvOpTypeVector)
		*bytes = (uint64_t)scalar_bytes(m, w[2]) * w[3];
	else if (spb_def_op(m, type) != SpvOpTypeMatrix || spb_def_op(m, w[2]) != SpvOpTypeVector)
		*bytes = scalar_bytes(m, type);
	else {
		const uint32_t *column = m->words + m->def[w[2]];
		const uint32_t shape[] = {f->transposed ? column[3] : w[3], f->transposed ? w[3] : column[3],
					  p->row_major != f->transposed, p->stride};
		*bytes = (uint64_t)p->stride * (p->row_major ? column[3] : w[3]);
		return spb_hash_bytes(f->hashes[column[2]], shape, sizeof shape);
	}
	return f->hashes[type];
}

static uint32_t clamp(uint64_t bytes)
{
	return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* Enters arrays; returns their element type, and the end of the outermost. */
static uint32_t enter_arrays(const struct flat *f, uint32_t type, uint64_t begin, struct within *within)
{
	const struct spb_module *m = f->m;

	for (uint32_t element; (element = spb_array_element(m, type)) != 0; type = element) {
		const spb_at at = m->def[type];
		const uint32_t note = spb_decoration(m, type, SpvDecorationArrayStride);
		const uint32_t stride = note ? m->words[note] : 0;
		uint64_t length = 0, known = 0;
		if (spb_op(m, at) == SpvOpTypeArray)
			known = spb_def_op(m, m->words[at + 3]) == SpvOpConstant &&
					spb_constant_value(m, m->words[at + 3], &length)
				    ? length
				    : f->hashes[m->words[at + 3]];
		within->arrays = spb_hash_mix(spb_hash_mix(within->arrays, known), stride);
		if (!within->end)
			within->end = length && stride ? clamp(begin + length * stride) : UINT32_MAX;
	}
	return type;
}

static const char *join_path(struct spb_arena *arena, const char *path, const char *name)
{
	struct spb_text_buffer text = {.arena = arena};

	if (!*path || !*name)
		return *path ? path : name;
	spb_text_format(&text, "%s.%s", path, name);
	return spb_text_end(&text);
}

static void flatten(struct flat *f, uint32_t type, const struct within *outer)
{
	uint32_t count;
	const struct placed *members = read_struct(f, type, &count);
	uint64_t next = outer->offset; /* of a member that has no Offset */

	for (uint32_t i = 0; i < count; i++) {
		const struct placed *p = &members[i];
		struct within inner = *outer;
		uint64_t bytes = 4;
		inner.offset = p->has_offset ? outer->offset + p->offset : next;
		const uint32_t held = enter_arrays(f, p->type, inner.offset, &inner);
		inner.path = join_path(f->arena, outer->path, p->name);
		inner.depth++;
		if (spb_def_op(f->m, held) == SpvOpTypeStruct && inner.depth < MOST_DEPTH &&
		    f->members.count < MOST_MEMBERS) {
			const size_t before = f->members.count;
			flatten(f, held, &inner);
			next = f->members.count > before ? f->members.items[f->members.count - 1].end : inner.offset;
			continue;
		}
		const uint64_t value = hash_of_value(f, held, p, &bytes);
		next = inner.end ? inner.end : inner.offset + bytes;
		SPB_PUSH(f->arena, &f->members,
			 ((struct spb_typed_member){.hash = spb_hash_mix(inner.arrays, value),
						    .name = inner.path,
						    .type = type_text(f->m, p->type, f->arena),
						    .offset = clamp(inner.offset),
						    .end = clamp(next)}));
	}
}

static int by_offset(const void *a, const void *b)
{
	const struct spb_typed_member *x = a, *y = b;

	return spb_compare(x->offset, y->offset);
}

struct spb_typed_member *spb_typed_members(const struct spb_module *m, uint32_t type, const uint64_t *hashes,
					   struct spb_arena *arena, uint32_t *count)
{
	const uint32_t language = spb_source_language(m);
	struct flat f = {.m = m,
			 .hashes = hashes,
			 .arena = arena,
			 .transposed = language == SpvSourceLanguageHLSL || language == SLANG};

	flatten(&f, type, &(struct within){.path = ""});
	spb_sort(arena, f.members.items, f.members.count, sizeof *f.members.items, by_offset); /* stable */
	*count = (uint32_t)f.members.count;
	return f.members.items;
}

/* Comparing */

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct spb_typed_member *const *)a)->name,
		      (*(const struct spb_typed_member *const *)b)->name);
}

static const struct spb_typed_member **sort_names(const struct spb_contents *block, struct spb_arena *scratch)
{
	const struct spb_typed_member **sorted = spb_alloc_array(scratch, block->count, sizeof *sorted);

	for (uint32_t i = 0; i < block->count; i++)
		sorted[i] = &block->members[i];
	spb_sort(scratch, sorted, block->count, sizeof *sorted, by_name);
	return sorted;
}

/* The member with this name; NULL: none. */
static const struct spb_typed_member *find_name(const struct spb_typed_member **sorted, uint32_t count,
						const struct spb_typed_member *wanted)
{
	const size_t i = spb_lower_bound(sorted, count, sizeof *sorted, &wanted, by_name);

	return i < count && !by_name(&sorted[i], &wanted) ? sorted[i] : NULL;
}

static bool are_renamed(const struct spb_typed_member *a, const struct spb_typed_member *b)
{
	return *a->name && *b->name && strcmp(a->name, b->name) != 0;
}

/* Whether a name of `a` is at another offset in `b`. */
static bool find_moved(const struct spb_contents *a, const struct spb_contents *b, struct spb_arena *scratch,
		       struct spb_difference *d)
{
	const struct spb_typed_member **names = sort_names(b, scratch);

	for (uint32_t i = 0; i < a->count; i++) {
		const struct spb_typed_member *same =
		    *a->members[i].name ? find_name(names, b->count, &a->members[i]) : NULL;
		if (!same || same->offset == a->members[i].offset)
			continue;
		*d = (struct spb_difference){&a->members[i], same, true};
		return true;
	}
	return false;
}

enum spb_sameness spb_compare_contents(const struct spb_contents *x, const struct spb_contents *y,
				       struct spb_arena *scratch, struct spb_difference *d)
{
	const struct spb_typed_member *a = x->members, *b = y->members;
	const struct spb_typed_member *const last_a = a + x->count, *const last_b = b + y->count;
	struct spb_difference renamed = {0};
	bool lacking = x->count != y->count;

	while (a < last_a && b < last_b) {
		*d = (struct spb_difference){a, b, false};
		const bool together = a->offset == b->offset, first = a->offset < b->offset;
		if (together ? a->hash != b->hash : first ? a->end > b->offset : b->end > a->offset)
			return SPB_DIFFERENT;
		if (together && !renamed.a && are_renamed(a, b))
			renamed = *d;
		lacking |= !together;
		a += together || first;
		b += together || !first;
	}
	if ((renamed.a || lacking) && find_moved(x, y, scratch, d))
		return SPB_DIFFERENT;
	*d = renamed;
	return renamed.a ? SPB_RENAMED : SPB_SAME;
}

const char *spb_difference_text(const struct spb_difference *d, const char *other, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};

	if (!d->moved && d->a->offset == d->b->offset && !strcmp(d->a->name, d->b->name) &&
	    !strcmp(d->a->type, d->b->type))
		spb_text_format(&text, "\"%s\" (%s) at offset %u has another stride or matrix order in %s", d->a->name,
				d->a->type, d->a->offset, other);
	else
		spb_text_format(&text, "\"%s\" (%s) is at offset %u here, but \"%s\" (%s) at offset %u in %s",
				d->a->name, d->a->type, d->a->offset, d->b->name, d->b->type, d->b->offset, other);
	return spb_text_end(&text);
}
