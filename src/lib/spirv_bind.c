/* SPDX-License-Identifier: Apache-2.0 */
/* spirv_bind: the public functions, and the course of a program through the library. */
#include <stdlib.h>

#include "lib/lib.h"
#include "lib/report/report.h"
#include "pass/handles/handles.h"

static void *default_resize(void *user, void *p, size_t old_size, size_t new_size)
{
	(void)user;
	(void)old_size;
	if (new_size)
		return realloc(p, new_size);
	free(p);
	return NULL;
}

static void *default_new_zeroed(size_t size)
{
	return calloc(1, size);
}

/* The only setjmp, in a function that does nothing else (base.h explains why). */
spb_status spb_guard(struct spb_context *c, void (*run)(void *), void *argument)
{
	jmp_buf escape;

	c->escape = &escape;
	c->status = SPB_OK;
	if (!setjmp(escape))
		run(argument);
	c->escape = NULL;
	c->pass = NULL;
	return c->status;
}

uint32_t spb_version(void)
{
	return SPB_VERSION_MAJOR << 16 | SPB_VERSION_MINOR << 8 | SPB_VERSION_PATCH;
}

const char *spb_status_name(spb_status status)
{
	switch (status) {
	case SPB_OK:
		return "ok";
	case SPB_ERROR_INVALID_ARGUMENT:
		return "invalid argument";
	case SPB_ERROR_INVALID_SPIRV:
		return "invalid SPIR-V";
	case SPB_ERROR_UNSUPPORTED:
		return "unsupported";
	case SPB_ERROR_CONFLICT:
		return "conflict";
	case SPB_ERROR_VALIDATION:
		return "validation failed";
	case SPB_ERROR_OUT_OF_MEMORY:
		return "out of memory";
	case SPB_ERROR_NONUNIFORM:
		return "the lint has found an error";
	case SPB_ERROR_INTERNAL:
		break;
	}
	return "internal error";
}

spb_status spb_context_create(const spb_allocator *allocator, const spb_callbacks *callbacks, spb_context **context)
{
	static const spb_allocator standard = {.resize = default_resize};

	if (!context)
		return SPB_ERROR_INVALID_ARGUMENT;
	*context = NULL;
	if (!allocator)
		allocator = &standard;
	if (!allocator->resize)
		return SPB_ERROR_INVALID_ARGUMENT;
	struct spb_context *c = allocator->resize(allocator->user, NULL, 0, sizeof *c);
	if (!c)
		return SPB_ERROR_OUT_OF_MEMORY;
	*c = (struct spb_context){.allocator = *allocator,
				  .new_zeroed = allocator == &standard ? default_new_zeroed : NULL};
	if (callbacks)
		c->callbacks = *callbacks;
	c->scratch.context = c->edits.context = c->drafts.context = c;
	*context = c;
	return SPB_OK;
}

void spb_context_destroy(spb_context *c)
{
	if (!c)
		return;
	spb_allocator allocator = c->allocator;
	spb_arena_release(&c->scratch);
	spb_arena_release(&c->edits);
	spb_arena_release(&c->drafts);
	spb_drop_kept(c);
	allocator.resize(allocator.user, c, sizeof *c, 0);
}

struct creation {
	struct spb_context *c;
	const spb_options *options;
	struct spb_program *p;
};

/* The program is in its own arena. The caller's strings need not outlive the call. */
static void create(void *argument)
{
	struct creation *a = argument;
	struct spb_arena keep = {.context = a->c};

	spb_arena_reset(&a->c->scratch);
	a->p = spb_alloc_zeroed(&keep, 1, sizeof *a->p);
	a->p->context = a->c;
	a->p->keep = keep;
	if (!spb_read_options(a->options, &a->p->options) || spb_options_disagree(&a->p->options))
		spb_throw(a->c, SPB_ERROR_INVALID_ARGUMENT);
	spb_copy_options(a->p);
}

spb_status spb_program_create(spb_context *c, const spb_options *options, spb_program **program)
{
	struct creation a = {.c = c, .options = options};

	if (!c || !program)
		return SPB_ERROR_INVALID_ARGUMENT;
	*program = NULL;
	spb_status status = spb_guard(c, create, &a);
	if (status == SPB_OK)
		*program = a.p;
	else
		spb_program_destroy(a.p);
	return status;
}

void spb_program_destroy(spb_program *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->slots.count; i++)
		spb_module_release(&p->slots.items[i]->unit.m);
	for (size_t i = 0; i < p->resolver_count; i++)
		spb_module_release(&p->resolvers[i].unit.m);
	spb_arena_release(&p->layout.planning);
	struct spb_arena keep = p->keep;
	spb_arena_release(&keep);
}

struct addition {
	struct spb_program *p;
	struct spb_slot *slot;
	const char *name;
	const uint32_t *words;
	size_t word_count;
	bool import;
};

static void share(struct spb_program *p, struct spb_module *m)
{
	if (!p->shared || p->shared->modules == SPB_MOST_SHARING) {
		p->shared = spb_alloc_zeroed(&p->keep, 1, sizeof *p->shared);
		p->shared->arena = (struct spb_arena){.context = p->context, .next = SPB_LARGE_ARENA};
	}
	p->shared->modules++;
	m->shared = p->shared;
	m->shared_keep = &p->keep;
}

static void settle_options(struct spb_program *p)
{
	if (!p->settled)
		spb_settle_options(p);
	p->settled = true;
}

static void add(void *argument)
{
	struct addition *a = argument;
	struct spb_program *p = a->p;
	struct spb_text_buffer number = {.arena = &p->context->scratch};

	spb_arena_reset(&p->context->scratch);
	settle_options(p);
	p->context->pass = "parse";
	if (!a->name) {
		spb_text_format(&number, "module %u", (unsigned)p->slots.count);
		a->name = spb_text_end(&number);
	}
	a->name = spb_copy_text(&p->keep, a->name, strlen(a->name));
	a->slot = spb_alloc_zeroed(&p->keep, 1, sizeof *a->slot);
	p->slots.items =
	    spb_reserve(&p->keep, p->slots.items, p->slots.count, 1, &p->slots.capacity, sizeof *p->slots.items);
	a->slot->unit.m.context = p->context;
	a->slot->unit.m.spec_value = p->options.layout.spec_values;
	a->slot->unit.m.spec_value_count = p->options.layout.spec_value_count;
	if (p->slots.count >= SPB_FEW_MODULES)
		share(p, &a->slot->unit.m);
	a->slot->import = a->import;
	a->slot->unit.options = &p->options;
	a->slot->unit.program.number = (uint32_t)p->slots.count;
	a->slot->unit.program.has_policies = p->policies.placing != 0;
	a->slot->unit.program.pairs_found = p->pairs_found;
	a->slot->unit.program.resolvers = p->resolvers;
	a->slot->unit.program.resolver_count = p->resolver_count;
	spb_module_parse(&a->slot->unit.m, a->name, a->words, a->word_count);
}

static spb_status add_module(spb_program *p, const char *name, const uint32_t *words, size_t word_count, bool import)
{
	struct addition a = {p, NULL, name, words, word_count, import};

	if (!p || (!words && word_count) || p->tried)
		return SPB_ERROR_INVALID_ARGUMENT;
	spb_status status = spb_guard(p->context, add, &a);
	if (status == SPB_OK)
		p->slots.items[p->slots.count++] = a.slot;
	else if (a.slot)
		spb_module_release(&a.slot->unit.m);
	return status;
}

spb_status spb_program_add_module(spb_program *p, const char *name, const uint32_t *words, size_t word_count)
{
	return add_module(p, name, words, word_count, false);
}

spb_status spb_program_add_import(spb_program *p, const char *name, const uint32_t *words, size_t word_count)
{
	return add_module(p, name, words, word_count, true);
}

static void check_pairs(const struct spb_program *p)
{
	p->context->pass = "merge-combined";
	for (uint32_t i = 0; i < p->options.combined.merge_count && p->slots.count; i++) {
		if (!spb_bit(p->pairs_found, i))
			spb_fail(&p->slots.items[0]->unit.m, SPB_ERROR_UNSUPPORTED, SPB_E_MERGE_NAME, 0,
				 "--merge-combined=%s: no module of the program has both a texture and a sampler with "
				 "these names; names are those of OpName: check the spelling, and do not strip names "
				 "before binding",
				 p->options.combined.merge[i]);
	}
}

static void list_entry_points(struct spb_program *p, struct spb_text_buffer *text)
{
	enum { MOST_LISTED = 16 };
	uint32_t count = 0;

	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_module *m = &p->slots.items[i]->unit.m;
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
		     at = spb_next(m, at)) {
			if (spb_op(m, at) != SpvOpEntryPoint || count++ >= MOST_LISTED)
				continue;
			spb_text_format(text, count > 1 ? ", \"%s\"" : "\"%s\"", spb_string(m, at + 3));
		}
	}
	if (count > MOST_LISTED)
		spb_text_format(text, " and %u more", count - MOST_LISTED);
	if (!count)
		spb_text_put(text, "none");
}

/* A misspelt name would bind nothing. */
static void check_entries(struct spb_program *p)
{
	const spb_layout_options *o = &p->options.layout;
	struct spb_text_buffer known = {.arena = &p->keep};
	uint32_t *found;

	if (!o->entry_count || !p->slots.count)
		return;
	p->context->pass = "layout";
	found = spb_bits(&p->keep, o->entry_count);
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_module *m = &p->slots.items[i]->unit.m;
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
		     at = spb_next(m, at)) {
			if (spb_is_wanted_entry_point(&p->options, m, at))
				spb_set_bit(found, spb_find_entry(&p->options, spb_string(m, at + 3)) - 1);
		}
	}
	for (uint32_t i = 0; i < o->entry_count; i++) {
		if (spb_bit(found, i))
			continue;
		list_entry_points(p, &known);
		spb_fail(&p->slots.items[0]->unit.m, SPB_ERROR_INVALID_ARGUMENT, SPB_E_ENTRY, 0,
			 "--entry=%s: no module of the program has an entry point of this name; the entry points are "
			 "%s",
			 o->entries[i], spb_text_end(&known));
	}
}

static bool has_arrays(const struct spb_variables *vs)
{
	for (size_t i = 0; i < vs->count; i++) {
		if (vs->items[i].count > 1 || vs->items[i].type != vs->items[i].element)
			return true;
	}
	return false;
}

/* While there is still an index, which the layout may end. What is wrong is reported after it. */
static void look_at_indexes(struct spb_slot *slot)
{
	slot->indexes_fit = !has_arrays(&slot->unit.placed.variables) || !spb_find_wrong_index(&slot->unit.m);
}

static void check_indexes(struct spb_program *p, struct spb_slot *slot)
{
	if (slot->indexes_fit)
		return;
	p->context->pass = "access";
	spb_module_need_index(&slot->unit.m);
	spb_check_indexes(&slot->unit.m);
}

/* What a stage is given depends on those before it. */
static void acquaint(struct spb_program *p)
{
	uint32_t n = (uint32_t)p->slots.count;
	struct spb_module **all = spb_alloc_array(&p->keep, n, sizeof(struct spb_module *));

	for (uint32_t i = 0; i < n; i++) {
		all[i] = &p->slots.items[i]->unit.m;
		p->slots.items[i]->unit.program.modules = all;
		p->slots.items[i]->unit.program.module_count = n;
	}
}

/* Everything up to the layout. */
static void lay_out(void *argument)
{
	struct spb_program *p = argument;

	settle_options(p);
	spb_warn_before_passes(p);
	check_entries(p);
	acquaint(p);
	for (size_t i = 0; i < p->slots.count; i++) {
		spb_run_before_layout(&p->slots.items[i]->unit);
		spb_collect_slot(p, p->slots.items[i]);
		look_at_indexes(p->slots.items[i]);
	}
	check_pairs(p);
	spb_lay_out_program(p);
}

static void rewrite(void *argument)
{
	struct spb_program *p = argument;
	size_t n = p->slots.count;

	lay_out(p);
	spb_end_planning(&p->layout);
	for (size_t i = 0; i < n; i++) {
		struct spb_slot *slot = p->slots.items[i];
		check_indexes(p, slot); /* before the last commit, after which there is no index */
		spb_run_after_layout(&slot->unit);
		if (!p->options.debug.only)
			spb_check_no_handles(&slot->unit.m);
		slot->output = slot->unit.m.words;
		slot->output_count = slot->unit.m.count;
		spb_module_settle(&slot->unit.m);
	}
	spb_warn_after_passes(p);
}

/* Runs what comes before the layout, with decorate-nonuniform only reporting. */
static void lint(void *argument)
{
	struct spb_program *p = argument;

	settle_options(p);
	spb_warn_before_passes(p);
	check_entries(p);
	acquaint(p);
	for (size_t i = 0; i < p->slots.count; i++)
		spb_run_before_layout(&p->slots.items[i]->unit);
	spb_warn_after_passes(p);
}

static void finish(void *argument)
{
	struct spb_program *p = argument;

	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_slot *slot = p->slots.items[i];
		spb_finish(p, slot);
		if (!slot->unit.m.swapped)
			continue;
		uint32_t *words = spb_alloc_array(&p->keep, slot->output_count, sizeof *words);
		spb_swap_words(words, slot->output, slot->output_count);
		slot->output = words;
	}
}

/* --nonuniform=lint has already reported them. */
static bool has_lint_errors(const struct spb_program *p)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		if (p->slots.items[i]->unit.nonuniform.lint_errors)
			return true;
	}
	return false;
}

spb_status spb_program_bind(spb_program *p)
{
	spb_status status = SPB_OK;

	if (!p || p->tried)
		return SPB_ERROR_INVALID_ARGUMENT;
	p->tried = true;
	if (p->options.validation.which == SPB_VALIDATE_BOTH)
		status = spb_judge_inputs(p);
	if (p->options.uniformity.mode == SPB_NONUNIFORM_LINT) {
		status = status == SPB_OK ? spb_guard(p->context, lint, p) : status;
		return status == SPB_OK && has_lint_errors(p) ? SPB_ERROR_NONUNIFORM : status;
	}
	if (status == SPB_OK)
		status = spb_guard(p->context, rewrite, p);
	if (status == SPB_OK && p->options.validation.which != SPB_VALIDATE_NONE)
		status = spb_judge_outputs(p);
	if (status == SPB_OK)
		status = spb_guard(p->context, finish, p);
	p->bound = status == SPB_OK;
	return status;
}

spb_status spb_program_collect(spb_program *p)
{
	spb_status status = SPB_OK;

	if (!p || p->tried || p->options.uniformity.mode == SPB_NONUNIFORM_LINT)
		return SPB_ERROR_INVALID_ARGUMENT;
	p->tried = true;
	if (p->options.validation.which == SPB_VALIDATE_BOTH)
		status = spb_judge_inputs(p);
	if (status == SPB_OK)
		status = spb_guard(p->context, lay_out, p);
	p->collected = status == SPB_OK;
	return status;
}

static void write_facts(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	for (size_t i = 0; i < p->slots.count; i++)
		spb_module_need_index(&p->slots.items[i]->unit.m);
	p->facts =
	    spb_facts_text(&p->layout, &p->options, &p->policies, p->modules, p->context, &p->keep, &p->facts_length);
}

const char *spb_program_facts(spb_program *p, size_t *length)
{
	if (length)
		*length = 0;
	if (!p || !p->collected)
		return NULL;
	if (!p->facts && spb_guard(p->context, write_facts, p) != SPB_OK)
		return NULL;
	if (length)
		*length = p->facts_length;
	return p->facts;
}

size_t spb_program_module_count(const spb_program *p)
{
	return p ? p->slots.count : 0;
}

const uint32_t *spb_program_words(const spb_program *p, size_t module, size_t *word_count)
{
	if (word_count)
		*word_count = 0;
	if (!p || !p->bound || module >= p->slots.count)
		return NULL;
	if (word_count)
		*word_count = p->slots.items[module]->output_count;
	return p->slots.items[module]->output;
}

const uint32_t *spb_program_dump(const spb_program *p, size_t module, size_t *word_count)
{
	const struct spb_unit *u = p && module < p->slots.count ? &p->slots.items[module]->unit : NULL;

	if (word_count)
		*word_count = u ? u->run.dump_count : 0;
	return u ? u->run.dump : NULL;
}

bool spb_program_changed(const spb_program *p, size_t module)
{
	const struct spb_slot *slot = p && p->bound && module < p->slots.count ? p->slots.items[module] : NULL;

	return slot && (slot->unit.m.run || slot->finished);
}

uint32_t spb_program_stages(const spb_program *p, size_t module)
{
	return p && p->bound && module < p->slots.count
		   ? spb_stage_flags(spb_module_stages(&p->options, &p->slots.items[module]->unit.m))
		   : 0;
}

static void list_descriptors(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	spb_list_descriptors(p);
}

static bool know_descriptors(struct spb_program *p)
{
	return p && p->bound && (p->descriptors_listed || spb_guard(p->context, list_descriptors, p) == SPB_OK);
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
	    p && p->bound && (p->push_constants_listed || spb_guard(p->context, list_push_constants, p) == SPB_OK);
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
	bool known = p && p->bound && (p->accesses_listed || spb_guard(p->context, list_accesses, p) == SPB_OK);
	size_t count =
	    known ? give(p, p->accesses.items, p->accesses.count, sizeof *p->accesses.items, struct_size, &list) : 0;

	if (accesses)
		*accesses = list;
	return count;
}

static void write_json(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	p->json = spb_write_layout_json(p, &p->json_length);
}

static void write_lock(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	p->lock = spb_lock_text(&p->layout, p->context, &p->keep, &p->lock_length);
}

const char *spb_program_lock(spb_program *p, size_t *length)
{
	if (length)
		*length = 0;
	if (!p || !p->bound)
		return NULL;
	if (!p->lock && spb_guard(p->context, write_lock, p) != SPB_OK)
		return NULL;
	if (length)
		*length = p->lock_length;
	return p->lock;
}

const char *spb_program_layout_json(spb_program *p, size_t *length)
{
	if (length)
		*length = 0;
	if (!p || !p->bound)
		return NULL;
	if (!p->json && spb_guard(p->context, write_json, p) != SPB_OK)
		return NULL;
	if (length)
		*length = p->json_length;
	return p->json;
}

struct header_call {
	struct spb_program *p;
	const char *(*write)(struct spb_program *p, const char *prefix, size_t *length);
	const char *prefix, *text;
	size_t length;
};

static void write_header(void *argument)
{
	struct header_call *call = argument;

	spb_arena_reset(&call->p->context->scratch);
	call->text = call->write(call->p, call->prefix, &call->length);
}

static bool is_identifier(const char *text)
{
	static const char allowed[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return text && strspn(text, allowed + 10) && !text[strspn(text, allowed)];
}

static const char *give_header(struct header_call call, size_t *length)
{
	if (length)
		*length = 0;
	if (!call.p || !call.p->bound || !is_identifier(call.prefix) ||
	    spb_guard(call.p->context, write_header, &call) != SPB_OK)
		return NULL;
	if (length)
		*length = call.length;
	return call.text;
}

const char *spb_program_layout_header(spb_program *p, const char *prefix, size_t *length)
{
	return give_header((struct header_call){.p = p, .write = spb_write_layout_header, .prefix = prefix}, length);
}

const char *spb_program_layout_glsl(spb_program *p, const char *prefix, size_t *length)
{
	return give_header((struct header_call){.p = p, .write = spb_write_layout_glsl, .prefix = prefix}, length);
}

struct report_call {
	struct spb_program *p;
	const char *before, *text;
	size_t length;
};

static void write_report(void *argument)
{
	struct report_call *call = argument;

	spb_arena_reset(&call->p->context->scratch);
	struct spb_text_buffer text = {.arena = &call->p->keep};
	spb_put_page(&text, SPB_PAGE_LAYOUT, call->p->json, call->before);
	call->length = text.count;
	call->text = spb_text_end(&text);
}

const char *spb_program_report(spb_program *p, const char *before, size_t *length)
{
	struct report_call call = {.p = p, .before = before ? before : ""};

	if (length)
		*length = 0;
	if (!spb_program_layout_json(p, NULL) || spb_guard(p->context, write_report, &call) != SPB_OK)
		return NULL;
	if (length)
		*length = call.length;
	return call.text;
}
