/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json_blocks: the blocks of a module in the layout JSON, each once, since many variables may be of one type:
 * "blocks": [{"id": 12, "name": "Camera", "size": 80, "members": [{"name": "view", "offset": 0, "size": 64}, …]}]. */
#include "base/json.h"
#include "lib/lib.h"

struct blocks { /* types of uniform and storage buffers, and of push constants: bits over ids */
	uint32_t *all, *pushed;
	uint32_t count;
};

static void add_block(const struct spb_module *m, struct blocks *blocks, uint32_t type)
{
	blocks->count += spb_def_op(m, type) == SpvOpTypeStruct && !spb_bit(blocks->all, type);
	spb_set_bit(blocks->all, type);
}

static struct blocks find_blocks(const struct spb_unit *u, struct spb_arena *arena)
{
	const struct spb_module *m = &u->m;
	struct blocks blocks = {.all = spb_bits(arena, m->bound), .pushed = spb_bits(arena, m->bound)};

	for (size_t i = 0; i < u->variables.count; i++)
		add_block(m, &blocks, u->variables.items[i].element);
	if (!(m->has & SPB_HAS_PUSH_CONSTANTS))
		return blocks;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (!spb_is_push_constants(m, at))
			continue;
		uint32_t type = m->words[m->def[m->words[at + 1]] + 3]; /* of its pointer */
		spb_set_bit(blocks.pushed, type);
		add_block(m, &blocks, type);
	}
	return blocks;
}

static void write_members(struct spb_json *j, const struct spb_module *m, uint32_t type, const uint32_t *sizes,
			  struct spb_arena *arena)
{
	const struct spb_block_member *members = spb_block_members(m, type, sizes, arena);

	spb_json_key(j, "members");
	spb_json_open(j, '[');
	for (uint32_t i = 0; i < spb_length(m, m->def[type]) - 2; i++) {
		spb_json_item(j, '{');
		spb_json_string_key(j, "name", members[i].name);
		spb_json_number_key(j, "offset", members[i].offset);
		spb_json_number_key(j, "size", members[i].size);
		spb_text_byte(&j->text, ' ');
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', true);
}

void spb_json_blocks_key(struct spb_json *j, const struct spb_unit *u, const uint32_t *sizes, struct spb_arena *arena)
{
	const struct spb_module *m = &u->m;
	const struct blocks blocks = find_blocks(u, arena);
	uint32_t left = blocks.count;

	spb_json_key(j, "blocks");
	spb_json_open(j, '[');
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; left && at < m->section[SPB_SECTION_FUNCTION];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpTypeStruct || !spb_bit(blocks.all, m->words[at + 1]))
			continue;
		left--;
		uint32_t type = m->words[at + 1];
		spb_json_item(j, '{');
		spb_json_number_key(j, "id", type);
		spb_json_string_key(j, "name", spb_name(m, type));
		spb_json_number_key(j, "size", sizes[type]);
		if (spb_bit(blocks.pushed, type))
			spb_json_bool_key(j, "pushConstants", true);
		write_members(j, m, type, sizes, arena);
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}
