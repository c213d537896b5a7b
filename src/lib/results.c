/* SPDX-License-Identifier: Apache-2.0 */
/* results: what a program that has been bound returns: words, lists and texts. Lists are made by the first call, and so
 * are texts without an argument. */
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

static bool is_ready(const struct spb_program *p)
{
	return p && p->bound && !spb_is_busy(p->context);
}

static bool know_descriptors(struct spb_program *p)
{
	return is_ready(p) && (p->descriptors_listed || spb_guard(p->context, list_descriptors, p) == SPB_OK);
}

static void list_modules(void *argument)
{
	struct spb_program *p = argument;

	SPB_SIZE(&p->keep, &p->module_infos, p->slots.count);
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_slot *slot = p->slots.items[i];
		p->module_infos.items[p->module_infos.count++] = (spb_module_info){
		    .name = slot->unit.m.name, .stages = slot->stages, .changed = spb_is_changed(slot)};
	}
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

/* The returned list must be one of the program's lists. */
static size_t give(struct spb_program *p, const void *list, size_t count, size_t size, uint32_t struct_size,
		   const void **to)
{
	const void *given = count ? spb_give(p, list, count, (uint32_t)size, struct_size) : NULL;

	if (to)
		*to = given;
	return given ? count : 0;
}

size_t spb_program_modules(spb_program *p, uint32_t struct_size, const spb_module_info **modules)
{
	const void *list = NULL;
	bool known = is_ready(p) && (p->module_infos.count || spb_guard(p->context, list_modules, p) == SPB_OK);
	size_t count = known ? give(p, p->module_infos.items, p->module_infos.count, sizeof *p->module_infos.items,
				    struct_size, &list)
			     : 0;

	if (modules)
		*modules = list;
	return count;
}

size_t spb_program_descriptors(spb_program *p, uint32_t struct_size, const spb_descriptor_binding **descriptors)
{
	const void *list = NULL;
	size_t count = know_descriptors(p) ? give(p, p->descriptors.items, p->descriptors.count,
						  sizeof *p->descriptors.items, struct_size, &list)
					   : 0;

	if (descriptors)
		*descriptors = list;
	return count;
}

size_t spb_program_resources(spb_program *p, uint32_t struct_size, const spb_resource **resources)
{
	const void *list = NULL;
	size_t count = know_descriptors(p) ? give(p, p->resources.items, p->resources.count, sizeof *p->resources.items,
						  struct_size, &list)
					   : 0;

	if (resources)
		*resources = list;
	return count;
}

size_t spb_program_push_constants(spb_program *p, uint32_t struct_size, const spb_push_constant_range **ranges)
{
	const void *list = NULL;
	bool known =
	    is_ready(p) && (p->push_constants_listed || spb_guard(p->context, list_push_constants, p) == SPB_OK);
	size_t count = known ? give(p, p->push_constants.items, p->push_constants.count,
				    sizeof *p->push_constants.items, struct_size, &list)
			     : 0;

	if (ranges)
		*ranges = list;
	return count;
}

size_t spb_program_accesses(spb_program *p, uint32_t struct_size, const spb_descriptor_access **accesses)
{
	const void *list = NULL;
	bool known = is_ready(p) && (p->accesses_listed || spb_guard(p->context, list_accesses, p) == SPB_OK);
	size_t count =
	    known ? give(p, p->accesses.items, p->accesses.count, sizeof *p->accesses.items, struct_size, &list) : 0;

	if (accesses)
		*accesses = list;
	return count;
}

/* Texts */

static bool is_identifier(const char *text)
{
	static const char allowed[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return text && strspn(text, allowed + 10) && !text[strspn(text, allowed)];
}

struct text_call {
	struct spb_program *p;
	spb_text_kind kind;
	const char *argument, *text;
	size_t length;
};

static const char *write_report(struct spb_program *p, const char *before, size_t *length)
{
	struct spb_text_buffer text = {.arena = &p->keep};

	spb_put_page(&text, SPB_PAGE_LAYOUT, p->texts[SPB_TEXT_LAYOUT_JSON].text, before);
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
	    !(kind == SPB_TEXT_FACTS ? p->collected : p->bound) || (needs_identifier(kind) && !is_identifier(argument)))
		return NULL;
	if (kind == SPB_TEXT_REPORT && !spb_program_text(p, SPB_TEXT_LAYOUT_JSON, NULL, NULL))
		return NULL;
	if (!takes_argument && p->texts[kind].text)
		call = (struct text_call){.text = p->texts[kind].text, .length = p->texts[kind].length};
	else if (spb_guard(p->context, write_text, &call) != SPB_OK)
		return NULL;
	if (!takes_argument) {
		p->texts[kind].text = call.text;
		p->texts[kind].length = call.length;
	}
	if (length)
		*length = call.length;
	return call.text;
}
