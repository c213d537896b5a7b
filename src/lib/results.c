/* SPDX-License-Identifier: Apache-2.0 */
/* results: the results of a bound program: words, lists and texts. Lists, and texts without an argument, are made by
 * the first call. */
#include "lib/lib.h"
#include "lib/report/report.h"

const uint32_t *spb_program_words(const spb_program *p, size_t module, spb_words_kind which, size_t *word_count)
{
	const struct spb_slot *slot =
	    p && !spb_is_busy(p->context) && module < p->slots.count ? p->slots.items[module] : NULL;
	const uint32_t *words = NULL;
	size_t count = 0;

	if (slot && which == SPB_WORDS_OUTPUT && p->bound) {
		words = slot->output;
		count = slot->output_count;
	} else if (slot && which == SPB_WORDS_DUMP) {
		words = slot->unit.run.dump;
		count = slot->unit.run.dump_count;
	}
	if (word_count)
		*word_count = count;
	return words;
}

/* Lists */

static void list_descriptors(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	spb_list_descriptors(p);
}

static void list_modules(void *argument)
{
	struct spb_program *p = argument;

	SPB_SIZE(&p->keep, &p->results.module_infos, p->slots.count);
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_slot *slot = p->slots.items[i];
		const struct spb_added added = spb_find_added(p, i, &p->keep);
		p->results.module_infos.items[p->results.module_infos.count++] = (spb_module_info){
		    .name = slot->unit.m.name,
		    .stages = slot->stages,
		    .changed = spb_is_changed(slot),
		    .added = added.items,
		    .added_count = (uint32_t)added.count,
		    .accesses_marked = slot->unit.nonuniform.marked > slot->unit.nonuniform.looped
					   ? slot->unit.nonuniform.marked - slot->unit.nonuniform.looped
					   : 0,
		    .accesses_looped = slot->unit.nonuniform.looped};
	}
	p->results.modules_listed = true;
}

static void list_accesses(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	spb_list_accesses(p);
}

static void list_push_constants(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	spb_list_push_constants(p);
}

static void list_interfaces(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	spb_list_interfaces(p);
}

static void list_blocks(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	spb_list_blocks(p);
}

/* A list in struct spb_results, which the first call makes. */
struct listing {
	void (*make)(void *program);
	size_t made; /* a bool */
	size_t items, count, size;
};

#define LISTING(make, made, list)                                                                                      \
	{                                                                                                              \
		make, offsetof(struct spb_program, results.made), offsetof(struct spb_program, results.list.items),    \
		    offsetof(struct spb_program, results.list.count),                                                  \
		    sizeof *((struct spb_program *)0)->results.list.items                                              \
	}

static bool is_ready(const struct spb_program *p)
{
	return p && p->bound && !spb_is_busy(p->context);
}

static bool know(struct spb_program *p, const struct listing *l)
{
	return is_ready(p) &&
	       (*(const bool *)((const char *)p + l->made) || spb_guard(p->context, l->make, p) == SPB_OK);
}

/* to: where a pointer to the items goes, or NULL. The number of items. */
static size_t give(struct spb_program *p, const struct listing *l, uint32_t struct_size, void *to)
{
	const void *items = NULL;
	size_t count = 0;

	if (know(p, l)) {
		memcpy(&items, (const char *)p + l->items, sizeof items);
		memcpy(&count, (const char *)p + l->count, sizeof count);
		items = count ? spb_give(p, items, count, (uint32_t)l->size, struct_size) : NULL;
	}
	if (to)
		memcpy(to, &items, sizeof items);
	return items ? count : 0;
}

size_t spb_program_modules(spb_program *p, uint32_t struct_size, const spb_module_info **modules)
{
	static const struct listing all = LISTING(list_modules, modules_listed, module_infos);

	return give(p, &all, struct_size, modules);
}

static const struct listing descriptor_list = LISTING(list_descriptors, descriptors_listed, descriptors);

size_t spb_program_descriptors(spb_program *p, uint32_t struct_size, const spb_descriptor_binding **descriptors)
{
	return give(p, &descriptor_list, struct_size, descriptors);
}

size_t spb_program_resources(spb_program *p, uint32_t struct_size, const spb_resource **resources)
{
	static const struct listing all = LISTING(list_descriptors, descriptors_listed, resources);

	return give(p, &all, struct_size, resources);
}

size_t spb_program_push_constants(spb_program *p, uint32_t struct_size, const spb_push_constant_range **ranges)
{
	static const struct listing all = LISTING(list_push_constants, push_constants_listed, push_constants);

	return give(p, &all, struct_size, ranges);
}

size_t spb_program_accesses(spb_program *p, uint32_t struct_size, const spb_descriptor_access **accesses)
{
	static const struct listing all = LISTING(list_accesses, accesses_listed, accesses);

	return give(p, &all, struct_size, accesses);
}

size_t spb_program_entry_points(spb_program *p, uint32_t struct_size, const spb_entry_point **entry_points)
{
	static const struct listing all = LISTING(list_interfaces, interfaces_listed, entry_points);

	return give(p, &all, struct_size, entry_points);
}

size_t spb_program_specialization_constants(spb_program *p, uint32_t struct_size,
					    const spb_specialization_constant **constants)
{
	static const struct listing all = LISTING(list_interfaces, interfaces_listed, constants);

	return give(p, &all, struct_size, constants);
}

size_t spb_program_vertex_inputs(spb_program *p, uint32_t struct_size, const spb_vertex_input **inputs)
{
	static const struct listing all = LISTING(list_interfaces, interfaces_listed, vertex_inputs);

	return give(p, &all, struct_size, inputs);
}

size_t spb_program_features(spb_program *p, uint32_t struct_size, const spb_required_feature **list)
{
	static const struct listing all = LISTING(list_interfaces, interfaces_listed, features);

	return give(p, &all, struct_size, list);
}

size_t spb_program_blocks(spb_program *p, uint32_t struct_size, const spb_block **blocks)
{
	static const struct listing all = LISTING(list_blocks, blocks_listed, blocks);

	return give(p, &all, struct_size, blocks);
}

size_t spb_program_members(spb_program *p, uint32_t struct_size, const spb_member **members)
{
	static const struct listing all = LISTING(list_blocks, blocks_listed, members);

	return give(p, &all, struct_size, members);
}

/* Texts */

struct text_call {
	struct spb_program *p;
	spb_text_kind kind;
	const char *argument, *text;
	size_t length;
};

static const char *write_report(struct spb_program *p, const char *before, size_t *length)
{
	struct spb_text_buffer text = {.arena = &p->keep};

	spb_put_page(&text, SPB_PAGE_LAYOUT, p->results.texts[SPB_TEXT_LAYOUT_JSON].text, before);
	*length = text.count;
	return spb_text_end(&text);
}

static const char *write_facts(struct spb_program *p, size_t *length)
{
	for (size_t i = 0; i < p->slots.count; i++)
		spb_module_need_index(&p->slots.items[i]->unit.m);
	return spb_facts_text(&p->layout, &p->options, &p->policies, p->modules, p->context, &p->keep, length);
}

static void write_text(void *argument)
{
	struct text_call *call = argument;
	struct spb_program *p = call->p;

	spb_arena_reset(&p->context->scratch);
	switch (call->kind) {
	case SPB_TEXT_LAYOUT_JSON:
		call->text = spb_write_layout_json(p, &call->length);
		break;
	case SPB_TEXT_LAYOUT_HEADER:
		call->text = spb_write_layout_header(p, call->argument, &call->length);
		break;
	case SPB_TEXT_LAYOUT_GLSL:
		call->text = spb_write_layout_glsl(p, call->argument, &call->length);
		break;
	case SPB_TEXT_REPORT:
		call->text = write_report(p, call->argument ? call->argument : "", &call->length);
		break;
	case SPB_TEXT_LOCK:
		call->text = spb_lock_text(&p->layout, p->context, &p->keep, &call->length);
		break;
	case SPB_TEXT_FACTS:
		call->text = write_facts(p, &call->length);
		break;
	}
}

static bool needs_identifier(spb_text_kind kind)
{
	return kind == SPB_TEXT_LAYOUT_HEADER || kind == SPB_TEXT_LAYOUT_GLSL;
}

const char *spb_program_text(spb_program *p, spb_text_kind kind, const char *argument, size_t *length)
{
	struct text_call call = {.p = p, .kind = kind, .argument = argument};
	const bool takes_argument = needs_identifier(kind) || kind == SPB_TEXT_REPORT;

	if (length)
		*length = 0;
	if (!p || spb_is_busy(p->context) || kind > SPB_TEXT_FACTS ||
	    !(kind == SPB_TEXT_FACTS ? p->collected : p->bound) ||
	    (needs_identifier(kind) && !spb_c_is_identifier(argument)))
		return NULL;
	if (kind == SPB_TEXT_REPORT && !spb_program_text(p, SPB_TEXT_LAYOUT_JSON, NULL, NULL))
		return NULL;
	if (!takes_argument && p->results.texts[kind].text)
		call = (struct text_call){.text = p->results.texts[kind].text, .length = p->results.texts[kind].length};
	else if (spb_guard(p->context, write_text, &call) != SPB_OK)
		return NULL;
	if (!takes_argument) {
		p->results.texts[kind].text = call.text;
		p->results.texts[kind].length = call.length;
	}
	if (length)
		*length = call.length;
	return call.text;
}
