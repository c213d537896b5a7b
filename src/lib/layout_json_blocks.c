/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json_blocks: the blocks of a module in the layout JSON, each once, since many variables may be of one type:
 * "blocks": [{"id": 12, "name": "Camera", "size": 80, "members": [{"name": "view", "offset": 0, "size": 64}, …]}]. */
#include "base/json.h"
#include "lib/lib.h"

struct blocks {                 /* types of uniform and storage buffers, and of push constants */
	uint32_t *all, *pushed; /* bits over ids; NULL: there are none */
};

static void add_block(const struct spb_module *m, struct blocks *blocks, uint32_t type, struct spb_arena *arena)
{
	if (spb_def_op(m, type) != SpvOpTypeStruct)
		return;
	if (!blocks->all)
		blocks->all = spb_bits(arena, m->bound);
	spb_set_bit(blocks->all, type);
}

static void add_push_constants(const struct spb_module *m, struct blocks *blocks, struct spb_arena *arena)
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

static struct blocks find_blocks(const struct spb_unit *u, struct spb_arena *arena)
{
	struct blocks blocks = {0};

	for (size_t i = 0; i < u->placed.variables.count; i++)
		add_block(&u->m, &blocks, u->placed.variables.items[i].element, arena);
	if (u->m.has & SPB_HAS_PUSH_CONSTANTS)
		add_push_constants(&u->m, &blocks, arena);
	return blocks;
}

static void write_members(struct spb_json *j, const struct spb_module *m, const struct spb_struct *block)
{
	spb_json_open_key(j, "members", '[');
	for (uint32_t i = 0; i < spb_length(m, m->def[block->id]) - 2; i++) {
		const struct spb_block_member *member = &block->members[i];
		spb_json_item(j, '{');
		spb_json_string_key(j, "name", member->name);
		spb_json_number_key(j, "offset", member->offset);
		spb_json_number_key(j, "size", member->size);
		spb_text_byte(&j->text, ' ');
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', true);
}

void spb_json_blocks_key(struct spb_json *j, struct spb_program *p, size_t module)
{
	const struct spb_unit *u = &p->slots.items[module]->unit;
	const struct spb_module *m = &u->m;
	const struct blocks blocks = find_blocks(u, &p->context->scratch);

	if (!blocks.all) {
		spb_json_empty_key(j, "blocks");
		return;
	}
	const struct spb_structs *structs = spb_structs_of(p, module);
	const uint32_t *sizes = spb_sizes_of(p, module);
	spb_json_open_key(j, "blocks", '[');
	for (size_t i = 0; i < structs->count; i++) {
		const uint32_t type = structs->items[i].id;
		if (!spb_bit(blocks.all, type))
			continue;
		spb_json_item(j, '{');
		spb_json_number_key(j, "id", type);
		spb_json_string_key(j, "name", spb_id_name(m, type));
		spb_json_number_key(j, "size", sizes[type]);
		if (blocks.pushed && spb_bit(blocks.pushed, type))
			spb_json_bool_key(j, "pushConstants", true);
		write_members(j, m, &structs->items[i]);
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}
