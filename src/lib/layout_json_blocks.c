/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json_blocks: the blocks of a module in the layout JSON, each once, since many variables may be of one type:
 * "blocks": [{"id": 12, "name": "Camera", "size": 80, "members": [{"name": "view", "offset": 0, "size": 64}, …]}].
 * Members that are structs name them by id, and "structs" lists these in the same way, also each once: written inside
 * one another, n types could take 2^n lines. */
#include "base/json.h"
#include "lib/lib.h"

static void add_block(const struct spb_module *m, struct spb_blocks *blocks, uint32_t type, struct spb_arena *arena)
{
	if (spb_def_op(m, type) != SpvOpTypeStruct)
		return;
	if (!blocks->all)
		blocks->all = spb_bits(arena, m->bound);
	spb_set_bit(blocks->all, type);
}

static void add_push_constants(const struct spb_module *m, struct spb_blocks *blocks, struct spb_arena *arena)
{
	blocks->pushed = spb_bits(arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (!spb_is_push_constants(m, at))
			continue;
		uint32_t type = m->words[m->def[m->words[at + 1]] + 3]; /* of its pointer */
		spb_set_bit(blocks->pushed, type);
		add_block(m, blocks, type, arena);
	}
}

/* The type of the innermost elements. */
static uint32_t innermost(const struct spb_module *m, uint32_t type)
{
	for (uint32_t element; (element = spb_array_element(m, type)) != 0;)
		type = element;
	return type;
}

/* Bits over ids: the structs that are members of these blocks, and of one another. A struct is defined after the types
 * of its members, so one walk backwards finds all. */
static uint32_t *find_inner(const struct spb_module *m, const struct spb_structs *structs,
			    const struct spb_blocks *blocks, struct spb_arena *arena)
{
	uint32_t *inner = NULL;

	for (size_t i = structs->count; i--;) {
		const uint32_t id = structs->items[i].id;
		const spb_at at = m->def[id];
		if (!spb_bit(blocks->all, id) && !(inner && spb_bit(inner, id)))
			continue;
		for (uint32_t k = 2; k < spb_length(m, at); k++) {
			const uint32_t type = innermost(m, m->words[at + k]);
			if (spb_def_op(m, type) != SpvOpTypeStruct)
				continue;
			inner = inner ? inner : spb_bits(arena, m->bound);
			spb_set_bit(inner, type);
		}
	}
	return inner;
}

struct spb_blocks spb_find_blocks(struct spb_program *p, size_t module)
{
	struct spb_arena *scratch = &p->context->scratch;
	const struct spb_unit *u = &p->slots.items[module]->unit;
	struct spb_blocks blocks = {0};

	for (size_t i = 0; i < u->placed.variables.count; i++)
		add_block(&u->m, &blocks, u->placed.variables.items[i].element, scratch);
	if (u->m.has & SPB_HAS_PUSH_CONSTANTS)
		add_push_constants(&u->m, &blocks, scratch);
	if (blocks.all)
		blocks.inner = find_inner(&u->m, spb_structs_of(p, module), &blocks, scratch);
	return blocks;
}

/* "arrays": [{"count": 3, "stride": 64}], the outermost first */
static void arrays_key(struct spb_json *j, const struct spb_module *m, uint32_t type, const uint32_t *sizes)
{
	if (!spb_array_element(m, type))
		return;
	spb_json_open_key(j, "arrays", '[');
	for (; spb_array_element(m, type); type = spb_array_element(m, type)) {
		const uint32_t stride = spb_decoration(m, type, SpvDecorationArrayStride);
		const bool sized = spb_def_op(m, type) == SpvOpTypeArray;
		spb_json_comma(j);
		spb_json_open(j, '{');
		spb_json_count_key(j, sized && stride && m->words[stride] ? sizes[type] / m->words[stride] : 0);
		if (stride)
			spb_json_number_key(j, "stride", m->words[stride]);
		spb_text_byte(&j->text, ' ');
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', false);
}

static void type_keys(struct spb_json *j, const struct spb_module *m, const struct spb_block_member *member,
		      uint32_t type)
{
	uint32_t columns = 0, rows = 0;

	if (spb_def_op(m, type) == SpvOpTypeStruct) {
		spb_json_number_key(j, "structId", type);
		return;
	}
	if (spb_def_op(m, type) == SpvOpTypeMatrix) {
		columns = m->words[m->def[type] + 3];
		type = m->words[m->def[type] + 2];
	}
	if (spb_def_op(m, type) == SpvOpTypeVector) {
		rows = m->words[m->def[type] + 3];
		type = m->words[m->def[type] + 2];
	}
	spb_json_word_key(j, "component",
			  spb_def_op(m, type) == SpvOpTypePointer ? "pointer" : spb_component_name(m, type));
	if (rows)
		spb_json_number_key(j, "rows", rows);
	if (columns) {
		spb_json_number_key(j, "columns", columns);
		spb_json_number_key(j, "matrixStride", member->stride);
		spb_json_bool_key(j, "rowMajor", member->row_major);
	}
}

static void write_members(struct spb_json *j, const struct spb_module *m, const struct spb_struct *block,
			  const uint32_t *sizes)
{
	const spb_at at = m->def[block->id];

	spb_json_open_key(j, "members", '[');
	for (uint32_t i = 0; i < spb_length(m, at) - 2; i++) {
		const struct spb_block_member *member = &block->members[i];
		spb_json_item(j, '{');
		spb_json_string_key(j, "name", member->name);
		spb_json_number_key(j, "offset", member->offset);
		spb_json_number_key(j, "size", member->size);
		arrays_key(j, m, m->words[at + 2 + i], sizes);
		type_keys(j, m, member, innermost(m, m->words[at + 2 + i]));
		spb_text_byte(&j->text, ' ');
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', true);
}

/* The structs in `which`, in module order. `pushed`: NULL if none is a block of push constants. */
static void structs_key(struct spb_json *j, const char *key, const struct spb_module *m,
			const struct spb_structs *structs, const uint32_t *sizes, const uint32_t *which,
			const uint32_t *pushed)
{
	spb_json_open_key(j, key, '[');
	for (size_t i = 0; i < structs->count; i++) {
		const uint32_t type = structs->items[i].id;
		if (!spb_bit(which, type))
			continue;
		spb_json_item(j, '{');
		spb_json_number_key(j, "id", type);
		spb_json_string_key(j, "name", spb_id_name(m, type));
		spb_json_number_key(j, "size", sizes[type]);
		if (pushed && spb_bit(pushed, type))
			spb_json_bool_key(j, "pushConstants", true);
		write_members(j, m, &structs->items[i], sizes);
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}

void spb_json_blocks_keys(struct spb_json *j, struct spb_program *p, size_t module)
{
	const struct spb_module *m = &p->slots.items[module]->unit.m;
	const struct spb_blocks blocks = spb_find_blocks(p, module);

	if (!blocks.all) {
		spb_json_empty_key(j, "blocks");
		return;
	}
	const struct spb_structs *structs = spb_structs_of(p, module);
	const uint32_t *sizes = spb_sizes_of(p, module);
	structs_key(j, "blocks", m, structs, sizes, blocks.all, blocks.pushed);
	if (blocks.inner)
		structs_key(j, "structs", m, structs, sizes, blocks.inner, NULL);
}
