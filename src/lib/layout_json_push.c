/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json_push: the push-constant ranges of the layout JSON, at most one for each stage. */
#include "lib/json.h"
#include "lib/lib.h"

struct push_constants {
	const char *name;
	uint64_t begin, end; /* bytes; begin == end: there are none */
};

static uint32_t first_offset(const struct spb_module *m, uint32_t type)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationOffset &&
		    m->words[at + 4] < least)
			least = m->words[at + 4];
	}
	return least == UINT32_MAX ? 0 : least;
}

/* A range that covers blocks with different names has no name. */
static void cover(struct push_constants *range, const char *name, uint64_t begin, uint64_t end)
{
	if (range->begin == range->end) {
		*range = (struct push_constants){name, begin, end};
		return;
	}
	if (strcmp(range->name, name) != 0)
		range->name = "";
	range->begin = begin < range->begin ? begin : range->begin;
	range->end = end > range->end ? end : range->end;
}

static bool is_push_constants(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpVariable && m->words[at + 3] == SpvStorageClassPushConstant &&
	       spb_def_op(m, m->words[at + 1]) == SpvOpTypePointer;
}

/* The blocks of a module, but for those that --entry leaves out. */
static struct spb_variables find_push_blocks(struct spb_program *p, const struct spb_module *m)
{
	struct spb_arena *scratch = &p->context->scratch;
	struct spb_variables blocks = {0};

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (is_push_constants(m, at))
			SPB_PUSH(scratch, &blocks, ((struct spb_variable){.id = m->words[at + 2], .at = at}));
	}
	if (p->options.layout.entry_count)
		spb_find_static_use(&p->options, m, &blocks, scratch);
	return blocks;
}

/* VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292: no two ranges have a stage in common. So each stage has
 * one, which covers the blocks of all its entry points; stages with equal ranges share them. */
static void find_push_constants(struct spb_program *p, uint32_t *const *sizes, struct push_constants *of_stage)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_module *m = &p->slots.items[i]->unit.m;
		uint32_t stages = spb_module_stages(&p->options, m);
		struct spb_variables blocks = find_push_blocks(p, m);
		for (size_t b = 0; b < blocks.count; b++) {
			spb_at at = blocks.items[b].at;
			if (blocks.items[b].elsewhere)
				continue;
			uint32_t type = m->words[m->def[m->words[at + 1]] + 3];
			uint64_t begin = first_offset(m, type) / 4 * 4, end = ((uint64_t)sizes[i][type] + 3) / 4 * 4;
			const char *block = spb_name(m, type);
			for (uint32_t k = 0; k < SPB_STAGE_COUNT; k++) {
				if (stages >> k & 1 && end > begin)
					cover(&of_stage[k], *block ? block : spb_name(m, m->words[at + 2]), begin, end);
			}
		}
	}
}

static bool same_range(const struct push_constants *a, const struct push_constants *b)
{
	return a->begin == b->begin && a->end == b->end && !strcmp(a->name, b->name);
}

void spb_json_push_constants(struct spb_json *j, struct spb_program *p, uint32_t *const *sizes)
{
	struct push_constants of_stage[SPB_STAGE_COUNT] = {0};
	uint32_t written = 0; /* bits over stages */

	find_push_constants(p, sizes, of_stage);
	spb_json_key(j, "pushConstants");
	spb_json_open(j, "[");
	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		const struct push_constants *range = &of_stage[i];
		uint32_t stages = 0;
		if (range->begin == range->end || written >> i & 1)
			continue;
		for (uint32_t k = i; k < SPB_STAGE_COUNT; k++)
			stages |= of_stage[k].begin != of_stage[k].end && same_range(range, &of_stage[k]) ? 1u << k : 0;
		written |= stages;
		spb_json_comma(j);
		spb_json_line(j);
		spb_json_open(j, "{");
		spb_json_string_key(j, "name", range->name);
		spb_json_number_key(j, "offset", (uint32_t)range->begin);
		spb_json_number_key(j, "size", (uint32_t)(range->end - range->begin)); /* sizes of types saturate */
		spb_json_stages_key(j, stages);
		spb_json_close(j, "}", true);
	}
	spb_json_close(j, "]", true);
}
