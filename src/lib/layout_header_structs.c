/* SPDX-License-Identifier: Apache-2.0 */
/* layout_header_structs: the blocks of a program as structs of C, each once.
 *
 *     struct mesh_Camera_data {
 *         float view_projection[4][4];
 *         float position[3];
 *         unsigned char pad_76_[4];
 *     };
 *
 * Every gap is a member, so the offsets are those of SPIR-V on any machine; an array type of a negative size is an
 * error where a compiler sees it otherwise. An element of an array takes all of its stride: in a uniform block,
 * `float weights[8]` is `float weights[8][4]`. What has no such form in C is an array of bytes. An array without a size
 * is no member of its struct, but has macros with its offset and stride. */
#include "lib/lib.h"

struct form { /* of a struct */
	uint32_t size, align;
	const char *name; /* NULL: it has no members in C */
};

struct named { /* structs with one name and one text are one; others with that name are numbered */
	const char *base, *body, *name;
};

struct structs {
	struct spb_program *p;
	const char *prefix;
	struct spb_text_buffer *text; /* of the header */
	struct named *named;
	uint32_t count, *slot, mask; /* of named: hash -> index + 1 */
	struct spb_names bases;

	/* of the module */
	const struct spb_module *m;
	const uint32_t *sizes, *pushed;
	uint32_t *strides;  /* [bound] of structs in arrays: the least; 0: it is in none */
	struct form *forms; /* [bound] */
};

/* Types */

static const char *scalar_name(const struct spb_module *m, uint32_t type, uint32_t *bytes)
{
	static const char *const integers[][2] = {
	    {"uint8_t", "int8_t"}, {"uint16_t", "int16_t"}, {"uint32_t", "int32_t"}, {"uint64_t", "int64_t"}};
	const spb_at at = m->def[type];
	const uint32_t op = spb_op(m, at), width = op == SpvOpTypePointer ? 64 : m->words[at + 2];
	const uint32_t log = width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : 3;

	*bytes = width / 8;
	if (op != SpvOpTypePointer && op != SpvOpTypeInt && op != SpvOpTypeFloat)
		return NULL;
	if (width != 8u << log)
		return NULL;
	if (op == SpvOpTypeFloat && width >= 32)
		return width == 32 ? "float" : "double";
	return integers[log][op == SpvOpTypeInt && m->words[at + 3]];
}

struct declaration { /* of a member */
	const char *type;
	bool is_struct, rows;
	struct spb_text_buffer dimensions;
	uint64_t size;
	uint32_t align;
};

static void add_dimension(struct declaration *d, uint64_t count)
{
	spb_text_byte(&d->dimensions, '[');
	spb_text_number(&d->dimensions, count);
	spb_text_byte(&d->dimensions, ']');
	d->size *= count;
}

/* The innermost element, whose bytes are `stride` if it is in an array. */
static bool declare_element(const struct structs *s, struct declaration *d, const struct spb_block_member *member,
			    uint32_t type, uint32_t stride)
{
	const struct spb_module *m = s->m;
	uint32_t bytes, components = 1;

	if (spb_def_op(m, type) == SpvOpTypeStruct) {
		const struct form *f = &s->forms[type];
		*d = (struct declaration){f->name, true, false, d->dimensions, d->size * f->size, f->align};
		return f->name && (!stride || stride == f->size);
	}
	if (spb_def_op(m, type) == SpvOpTypeMatrix) {
		const uint32_t columns = m->words[m->def[type] + 3], column = m->words[m->def[type] + 2];
		if (spb_def_op(m, column) != SpvOpTypeVector)
			return false;
		const uint32_t rows = m->words[m->def[column] + 3], outer = member->row_major ? rows : columns;
		d->rows = member->row_major;
		if (stride && stride != (uint64_t)outer * member->stride)
			return false;
		add_dimension(d, outer);
		stride = member->stride;
		components = member->row_major ? columns : rows;
		type = m->words[m->def[column] + 2];
	} else if (spb_def_op(m, type) == SpvOpTypeVector) {
		components = m->words[m->def[type] + 3];
		type = m->words[m->def[type] + 2];
	}
	d->type = scalar_name(m, type, &bytes);
	if (!d->type || (stride && (stride % bytes || stride / bytes < components)))
		return false;
	components = stride ? stride / bytes : components;
	if (components > 1)
		add_dimension(d, components);
	d->size *= bytes;
	d->align = bytes;
	return true;
}

static bool declare(const struct structs *s, struct declaration *d, const struct spb_block_member *member,
		    uint32_t type)
{
	const struct spb_module *m = s->m;
	uint32_t stride = 0;

	for (; spb_def_op(m, type) == SpvOpTypeArray; type = m->words[m->def[type] + 2]) {
		const uint32_t word = spb_decoration(m, type, SpvDecorationArrayStride);
		if (!word || !m->words[word] || (stride && stride != s->sizes[type]))
			return false;
		stride = m->words[word];
		add_dimension(d, s->sizes[type] / stride);
	}
	return declare_element(s, d, member, type, stride);
}

/* Members */

struct placed {
	uint32_t offset, index;
};

static int by_offset(const void *a, const void *b)
{
	return spb_compare(((const struct placed *)a)->offset, ((const struct placed *)b)->offset);
}

static void put_padding(struct spb_text_buffer *body, uint32_t from, uint32_t to)
{
	if (from < to)
		spb_text_format(body, "\tunsigned char pad_%u_[%u];\n", from, to - from);
}

/* Returns the offset after it. `end`: where the next one begins. */
static uint32_t put_member(const struct structs *s, struct spb_text_buffer *body, struct form *form, const char *name,
			   const struct spb_block_member *member, uint32_t type, uint32_t base, uint32_t end)
{
	struct declaration d = {.size = 1, .dimensions = {.arena = body->arena}};
	const uint32_t offset = member->offset - base;

	if (!declare(s, &d, member, type) || d.size > end - offset || offset % d.align) {
		const uint32_t size = member->size < end - offset ? member->size : end - offset;
		spb_text_format(body, "\tunsigned char %s[%u];\n", name, size);
		return offset + size;
	}
	form->align = d.align > form->align ? d.align : form->align;
	if (d.is_struct)
		spb_text_format(body, "\tstruct %s_", s->prefix);
	else
		spb_text_byte(body, '\t');
	spb_text_format(body, "%s%s %s%s;%s\n", d.type, d.is_struct ? "_data" : "", name, spb_text_end(&d.dimensions),
			d.rows ? " /* rows */" : "");
	return offset + (uint32_t)d.size;
}

static uint32_t round_up(uint32_t size, uint32_t align)
{
	const uint32_t excess = size % align;

	return excess && size <= UINT32_MAX - align ? size - excess + align : size;
}

/* The members of a struct in the order of their offsets; its form. */
static struct form put_members(const struct structs *s, struct spb_text_buffer *body, const struct spb_struct *of,
			       const char **names)
{
	const struct spb_module *m = s->m;
	const spb_at at = m->def[of->id];
	const uint32_t count = spb_length(m, at) - 2;
	const bool pushed = s->pushed && spb_bit(s->pushed, of->id);
	struct placed *placed = spb_alloc_array(body->arena, count, sizeof *placed);
	struct form form = {.align = 1};
	uint32_t n = 0, reached = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (of->members[i].placed && of->members[i].size)
			placed[n++] = (struct placed){of->members[i].offset, i};
	}
	spb_sort(body->arena, placed, n, sizeof *placed, by_offset);
	const uint32_t base = pushed && n ? placed[0].offset / 4 * 4 : 0; /* as their range begins */
	const uint32_t last = s->sizes[of->id] > s->strides[of->id] ? s->sizes[of->id] : s->strides[of->id];
	const uint32_t all = pushed ? round_up(last, 4) : last;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t offset = placed[i].offset - base;
		const uint32_t end = i + 1 < n ? placed[i + 1].offset - base : all - base;
		if (offset < reached || end <= offset)
			continue; /* members that share bytes: only in a module that is not valid */
		put_padding(body, reached, offset);
		reached = put_member(s, body, &form, names[placed[i].index], &of->members[placed[i].index],
				     m->words[at + 2 + placed[i].index], base, end);
	}
	form.size = round_up(all - base, form.align);
	if (n)
		put_padding(body, reached, form.size);
	form.name = n ? "" : NULL;
	return form;
}

/* Structs */

static struct named *find_named(const struct structs *s, const char *base, const char *body)
{
	uint32_t h = (uint32_t)spb_hash_bytes(spb_hash_bytes(0, base, strlen(base)), body, strlen(body)) & s->mask;

	while (s->slot[h] &&
	       (strcmp(s->named[s->slot[h] - 1].base, base) != 0 || strcmp(s->named[s->slot[h] - 1].body, body) != 0))
		h = (h + 1) & s->mask;
	if (!s->slot[h])
		s->slot[h] = s->count + 1;
	return &s->named[s->slot[h] - 1];
}

/* "type.ConstantBuffer.Params" of DXC is Params. */
static const char *declared_name(const char *name)
{
	const char *dot = strncmp(name, "type.", 5) ? NULL : strrchr(name, '.');

	return dot && dot[1] ? dot + 1 : name;
}

static void put_unsized(struct structs *s, const struct spb_struct *of, const char *name, const char **names)
{
	const struct spb_module *m = s->m;
	const spb_at at = m->def[of->id];
	const uint32_t last = spb_length(m, at) - 3;

	if (spb_length(m, at) < 3 || spb_def_op(m, m->words[at + 2 + last]) != SpvOpTypeRuntimeArray)
		return;
	const uint32_t stride = spb_decoration(m, m->words[at + 2 + last], SpvDecorationArrayStride);
	spb_text_format(s->text, "#define %s_%s_%s_offset %uu\n", s->prefix, name, names[last],
			of->members[last].offset);
	if (stride)
		spb_text_format(s->text, "#define %s_%s_%s_stride %uu\n", s->prefix, name, names[last],
				m->words[stride]);
}

static void put_struct(struct structs *s, const struct spb_struct *of)
{
	struct spb_arena *arena = &s->p->context->scratch;
	const uint32_t count = spb_length(s->m, s->m->def[of->id]) - 2;
	struct spb_text_buffer body = {.arena = arena};
	const char **names = spb_alloc_array(arena, count, sizeof *names);

	for (uint32_t i = 0; i < count; i++)
		names[i] = of->members[i].name;
	spb_c_members(arena, names, count);
	struct form form = put_members(s, &body, of, names);
	const char *base = spb_c_identifier(arena, declared_name(spb_id_name(s->m, of->id)));
	base = *base ? base : "block";
	struct named *named = find_named(s, base, spb_text_end(&body));
	const bool is_new = !named->name;
	if (is_new) {
		const size_t bases = s->bases.count;
		struct spb_text_buffer name = {.arena = arena};
		(void)spb_keep_name(&s->bases, arena, base, strlen(base));
		spb_text_put(&name, base);
		if (s->bases.count == bases || spb_looks_numbered(base))
			spb_text_format(&name, "_x%u", s->count);
		*named = (struct named){base, body.items, spb_text_end(&name)};
		s->count++;
	}
	s->forms[of->id] = form;
	s->forms[of->id].name = form.name ? named->name : NULL;
	if (is_new && form.name)
		spb_text_format(s->text,
				"struct %s_%s_data {\n%s};\n"
				"typedef char %s_%s_data_is_%u_bytes[sizeof(struct %s_%s_data) == %u ? 1 : -1];\n",
				s->prefix, named->name, body.items, s->prefix, named->name, form.size, s->prefix,
				named->name, form.size);
	if (is_new)
		put_unsized(s, of, named->name, names);
}

static uint32_t *least_strides(const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *strides = spb_alloc_zeroed(arena, m->bound, sizeof *strides);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t op = spb_op(m, at);
		if (op != SpvOpTypeArray && op != SpvOpTypeRuntimeArray)
			continue;
		const uint32_t word = spb_decoration(m, m->words[at + 1], SpvDecorationArrayStride);
		uint32_t *least = &strides[m->words[at + 2]];
		if (word && (!*least || m->words[word] < *least))
			*least = m->words[word];
	}
	return strides;
}

void spb_put_structs(struct spb_program *p, const char *prefix, struct spb_text_buffer *text)
{
	struct spb_arena *scratch = &p->context->scratch;
	struct structs s = {.p = p, .prefix = prefix, .text = text};
	size_t total = 0;

	for (size_t i = 0; i < p->slots.count; i++)
		total += spb_structs_of(p, i)->count;
	s.named = spb_alloc_zeroed(scratch, total + 1, sizeof *s.named);
	for (s.mask = 1; s.mask < 2 * total;)
		s.mask = 2 * s.mask + 1;
	s.slot = spb_alloc_zeroed(scratch, s.mask + 1, sizeof *s.slot);
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_structs *structs = spb_structs_of(p, i);
		const struct spb_blocks blocks = spb_find_blocks(p, i);
		if (!blocks.all)
			continue;
		s.m = &p->slots.items[i]->unit.m;
		s.sizes = spb_sizes_of(p, i);
		s.pushed = blocks.pushed;
		s.strides = least_strides(s.m, scratch);
		s.forms = spb_alloc_zeroed(scratch, s.m->bound, sizeof *s.forms);
		for (size_t k = 0; k < structs->count; k++) {
			const uint32_t id = structs->items[k].id;
			if (spb_bit(blocks.all, id) || (blocks.inner && spb_bit(blocks.inner, id)))
				put_struct(&s, &structs->items[k]);
		}
	}
}
