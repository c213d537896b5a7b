/* SPDX-License-Identifier: Apache-2.0 */
/* push_constants: the push-constant ranges of a program, at most one for each stage. */
#include "lib/lib.h"

struct push_constants {
	const char *name;
	uint64_t begin, end; /* bytes; begin == end: none */
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

/* A range that covers blocks with different names is unnamed. */
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

bool spb_is_push_constants(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpVariable && m->words[at + 3] == SpvStorageClassPushConstant &&
	       spb_def_op(m, m->words[at + 1]) == SpvOpTypePointer;
}

/* The blocks of a module, with the stages that use them. An unused block counts for all entry points, so uses matter
 * only if there are several blocks. */
static struct spb_variables find_push_blocks(struct spb_program *p, const struct spb_module *m)
{
	struct spb_arena *scratch = &p->context->scratch;
	struct spb_variables blocks = {0};
	const spb_at entry = m->section[SPB_SECTION_ENTRY_POINT], end = m->section[SPB_SECTION_EXECUTION_MODE];
	const bool many = entry < end && spb_next(m, entry) < end;

	if (!(m->has & SPB_HAS_PUSH_CONSTANTS))
		return blocks;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_is_push_constants(m, at))
			SPB_PUSH(scratch, &blocks, ((struct spb_variable){.id = m->words[at + 2], .at = at}));
	}
	if (blocks.count && many)
		spb_find_static_use(&p->options, m, &blocks, scratch);
	for (size_t b = 0; b < blocks.count; b++) {
		struct spb_variable *v = &blocks.items[b];
		v->stages |= v->listed;
		v->stages = v->stages ? v->stages : (uint16_t)spb_module_stages(&p->options, m);
	}
	return blocks;
}

const uint32_t *spb_sizes_of(struct spb_program *p, size_t module)
{
	struct spb_layout_module *m = &p->modules[module];

	if (!m->sizes) {
		spb_module_need_index(&p->slots.items[module]->unit.m);
		m->sizes = spb_type_sizes(m->m, &m->structs, &p->keep);
	}
	return m->sizes;
}

const struct spb_structs *spb_structs_of(struct spb_program *p, size_t module)
{
	struct spb_layout_module *m = &p->modules[module];

	(void)spb_sizes_of(p, module);
	if (!m->structs.count) /* the layout needed their sizes, before the passes that follow it */
		m->sizes = spb_type_sizes(m->m, &m->structs, &p->keep);
	return &m->structs;
}

/* VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292: no two ranges have a stage in common. So each stage has
 * one, which covers the blocks of all its entry points; stages with equal ranges share them. */
static void find_push_constants(struct spb_program *p, struct push_constants *of_stage)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_module *m = &p->slots.items[i]->unit.m;
		spb_module_need_index(m);
		struct spb_variables blocks = find_push_blocks(p, m);
		for (size_t b = 0; b < blocks.count; b++) {
			const struct spb_variable *v = &blocks.items[b];
			if (v->elsewhere)
				continue;
			uint32_t type = m->words[m->def[m->words[v->at + 1]] + 3];
			uint64_t begin = first_offset(m, type) / 4 * 4;
			uint64_t end = ((uint64_t)spb_sizes_of(p, i)[type] + 3) / 4 * 4;
			const char *block = spb_id_name(m, type);
			for (uint32_t k = 0; k < SPB_STAGE_COUNT; k++) {
				if (v->stages >> k & 1 && end > begin)
					cover(&of_stage[k], *block ? block : spb_id_name(m, v->id), begin, end);
			}
		}
	}
}

/* Blocks of different stages: vkCmdPushConstants writes the same bytes for all stages whose ranges include them. */

struct push_block {
	size_t module;
	uint32_t stages, type, begin, end;
	const struct spb_typed_member *members;
	uint32_t count;
	spb_at at;
};

static bool meet(const struct push_block *a, const struct push_block *b)
{
	return !(a->stages & b->stages) && a->begin < b->end && b->begin < a->end;
}

/* The members, which are needed only if two blocks overlap. */
static struct spb_contents contents_of(struct spb_program *p, struct push_block *block)
{
	struct spb_arena *scratch = &p->context->scratch;
	const struct spb_module *m = &p->slots.items[block->module]->unit.m;

	if (!block->members)
		block->members = spb_typed_members(m, block->type, spb_type_hashes(m, scratch), scratch, &block->count);
	return (struct spb_contents){block->members, block->count};
}

static void compare(struct spb_program *p, struct push_block *first, struct push_block *later)
{
	const struct spb_contents a = contents_of(p, later), b = contents_of(p, first);
	const struct spb_module *m = &p->slots.items[later->module]->unit.m;
	struct spb_arena *scratch = &p->context->scratch;
	struct spb_difference d;

	if (spb_compare_contents(&a, &b, scratch, &d) != SPB_DIFFERENT)
		return;
	spb_report(m, SPB_SEVERITY_WARNING, SPB_E_PUSH_CONSTANTS, later->at,
		   "push constants of two stages differ in the same bytes: %s" SPB_REMEDY
		   "Move one block with layout(offset = N), or make them equal: vkCmdPushConstants writes them for "
		   "both stages.",
		   spb_difference_text(&d, p->slots.items[first->module]->unit.m.name, scratch));
}

/* Compute shaders are alone in their pipelines. */
void spb_compare_push_constants(struct spb_program *p)
{
	enum { COMPUTE = 0x0020 };
	SPB_LIST(struct push_block) seen = {0};

	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_module *m = &p->slots.items[i]->unit.m;
		if (!(m->has & SPB_HAS_PUSH_CONSTANTS))
			continue;
		spb_module_need_index(m);
		const struct spb_variables blocks = find_push_blocks(p, m);
		/* not spb_sizes_of(), which keeps names that later passes free */
		const uint32_t *sizes = blocks.count ? spb_type_sizes(m, NULL, &p->context->scratch) : NULL;
		for (size_t b = 0; b < blocks.count; b++) {
			const struct spb_variable *v = &blocks.items[b];
			struct push_block block = {.module = i, .stages = v->stages & ~(uint32_t)COMPUTE, .at = v->at};
			block.type = m->words[m->def[m->words[v->at + 1]] + 3];
			block.begin = first_offset(m, block.type);
			block.end = sizes[block.type];
			if (!block.stages || v->elsewhere)
				continue;
			for (size_t k = 0; k < seen.count; k++) {
				if (meet(&seen.items[k], &block)) {
					compare(p, &seen.items[k], &block);
					break;
				}
			}
			if (seen.count < SPB_STAGE_COUNT)
				SPB_PUSH(&p->context->scratch, &seen, block);
		}
	}
}

static bool same_range(const struct push_constants *a, const struct push_constants *b)
{
	return a->begin == b->begin && a->end == b->end && !strcmp(a->name, b->name);
}

static bool may_have_push_constants(const struct spb_program *p)
{
	uint32_t has = 0;

	for (size_t i = 0; i < p->slots.count; i++)
		has |= p->slots.items[i]->unit.m.run ? SPB_HAS_ANYTHING : p->slots.items[i]->unit.m.has;
	return has & SPB_HAS_PUSH_CONSTANTS;
}

static void list_ranges(struct spb_program *p)
{
	struct push_constants of_stage[SPB_STAGE_COUNT] = {0};
	uint32_t listed = 0; /* bits over stages */

	find_push_constants(p, of_stage);
	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		const struct push_constants *range = &of_stage[i];
		uint32_t stages = 0;
		if (range->begin == range->end || listed >> i & 1)
			continue;
		for (uint32_t k = i; k < SPB_STAGE_COUNT; k++)
			stages |= of_stage[k].begin != of_stage[k].end && same_range(range, &of_stage[k]) ? 1u << k : 0;
		listed |= stages;
		SPB_PUSH(&p->keep, &p->results.push_constants,
			 ((spb_push_constant_range){
			     .stages = spb_stage_flags(stages),
			     .offset = (uint32_t)range->begin,
			     .size = (uint32_t)(range->end - range->begin), /* sizes of types saturate */
			     .name = range->name,
			 }));
	}
}

void spb_list_push_constants(struct spb_program *p)
{
	if (p->results.push_constants_listed)
		return;
	p->results.push_constants.count = 0; /* of a call that ran out of memory */
	if (may_have_push_constants(p))
		list_ranges(p);
	p->results.push_constants_listed = true;
}
