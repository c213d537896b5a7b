/* SPDX-License-Identifier: Apache-2.0 */
/* spirv_bind: the public functions, and the way of a program through the library. */
#include <stdlib.h>

#include "lib/lib.h"

static void *default_resize(void *user, void *p, size_t old_size, size_t new_size)
{
	(void)user;
	(void)old_size;
	if (new_size)
		return realloc(p, new_size);
	free(p);
	return NULL;
}

/* The one setjmp: does nothing else (base.h says why). */
static spb_status guard(struct spb_context *c, void (*run)(void *), void *argument)
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
	case SPB_ERROR_INTERNAL:
		break;
	}
	return "internal error";
}

void spb_options_init(spb_options *options, uint32_t struct_size)
{
	memset(options, 0, struct_size);
	options->struct_size = struct_size;
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
	*c = (struct spb_context){.allocator = *allocator};
	if (callbacks)
		c->callbacks = *callbacks;
	c->scratch.context = c;
	*context = c;
	return SPB_OK;
}

void spb_context_destroy(spb_context *c)
{
	if (!c)
		return;
	spb_allocator allocator = c->allocator;
	spb_arena_release(&c->scratch);
	allocator.resize(allocator.user, c, sizeof *c, 0);
}

/* "TEX:SMP": two names and the one colon between them. */
static bool is_pair(const char *text)
{
	const char *colon = text ? strchr(text, ':') : NULL;

	return colon && colon != text && colon[1] && !strchr(colon + 1, ':');
}

/* Fields this library does not have must be zero: else the caller asks for something we would ignore. */
static bool read_options(const spb_options *from, spb_options *to)
{
	uint32_t known = (uint32_t)sizeof *to;

	spb_options_init(to, known);
	if (!from)
		return true;
	if (from->struct_size < sizeof from->struct_size || from->struct_size > 4096)
		return false;
	for (uint32_t i = known; i < from->struct_size; i++) {
		if (((const unsigned char *)from)[i])
			return false;
	}
	memcpy(to, from, from->struct_size < known ? from->struct_size : known);
	to->struct_size = known;
	if (to->merge_combined_count && !to->merge_combined)
		return false;
	for (uint32_t i = 0; i < to->merge_combined_count; i++) {
		if (!is_pair(to->merge_combined[i]))
			return false;
	}
	return to->rebind <= SPB_REBIND_ALL_SETS && to->order <= SPB_ORDER_NAME &&
	       to->nonuniform <= SPB_NONUNIFORM_KEEP && to->validate <= SPB_VALIDATE_NONE &&
	       to->target_env <= SPB_ENV_VULKAN_1_3;
}

/* The caller's strings need not outlive the call. */
static void copy_pairs(void *argument)
{
	struct spb_program *p = argument;
	uint32_t count = p->options.merge_combined_count;
	const char **pairs;

	if (!count)
		return;
	pairs = spb_alloc_array(&p->keep, count, sizeof *pairs);
	for (uint32_t i = 0; i < count; i++) {
		const char *pair = p->options.merge_combined[i];
		pairs[i] = spb_copy_text(&p->keep, pair, strlen(pair));
	}
	p->options.merge_combined = pairs;
	p->pairs_found = spb_bits(&p->keep, count);
}

spb_status spb_program_create(spb_context *c, const spb_options *options, spb_program **program)
{
	spb_options read;

	if (!c || !program)
		return SPB_ERROR_INVALID_ARGUMENT;
	*program = NULL;
	if (!read_options(options, &read))
		return SPB_ERROR_INVALID_ARGUMENT;
	struct spb_program *p = c->allocator.resize(c->allocator.user, NULL, 0, sizeof *p);
	if (!p)
		return SPB_ERROR_OUT_OF_MEMORY;
	*p = (struct spb_program){.context = c, .options = read, .keep = {.context = c}};
	spb_status status = guard(c, copy_pairs, p);
	if (status == SPB_OK)
		*program = p;
	else
		spb_program_destroy(p);
	return status;
}

void spb_program_destroy(spb_program *p)
{
	if (!p)
		return;
	struct spb_context *c = p->context;
	for (size_t i = 0; i < p->slots.count; i++)
		spb_module_release(&p->slots.items[i]->unit.m);
	spb_arena_release(&p->keep);
	c->allocator.resize(c->allocator.user, p, sizeof *p, 0);
}

struct addition {
	struct spb_program *p;
	struct spb_slot *slot;
	const char *name;
	const uint32_t *words;
	size_t word_count;
};

static void add(void *argument)
{
	struct addition *a = argument;
	struct spb_program *p = a->p;
	struct spb_text_buffer number = {.arena = &p->context->scratch};

	p->context->pass = "parse";
	spb_arena_reset(&p->context->scratch);
	if (!a->name) {
		spb_text_format(&number, "module %u", (unsigned)p->slots.count);
		a->name = spb_text_end(&number);
	}
	a->name = spb_copy_text(&p->keep, a->name, strlen(a->name));
	a->slot = spb_alloc_zeroed(&p->keep, 1, sizeof *a->slot);
	p->slots.items =
	    spb_reserve(&p->keep, p->slots.items, p->slots.count, 1, &p->slots.capacity, sizeof *p->slots.items);
	a->slot->unit.m.context = p->context;
	a->slot->unit.options = &p->options;
	a->slot->unit.pairs_found = p->pairs_found;
	spb_module_parse(&a->slot->unit.m, a->name, a->words, a->word_count);
}

spb_status spb_program_add_module(spb_program *p, const char *name, const uint32_t *words, size_t word_count)
{
	struct addition a = {p, NULL, name, words, word_count};

	if (!p || (!words && word_count) || p->tried)
		return SPB_ERROR_INVALID_ARGUMENT;
	spb_status status = guard(p->context, add, &a);
	if (status == SPB_OK)
		p->slots.items[p->slots.count++] = a.slot;
	else if (a.slot)
		spb_module_release(&a.slot->unit.m);
	return status;
}

static bool needs_order(const struct spb_program *p, const struct spb_variables *variables)
{
	const spb_options *o = &p->options;
	size_t open = 0;

	for (size_t i = 0; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[i];
		open += v->heap ? 0
				: !v->has_binding || o->rebind != SPB_REBIND_MISSING ||
				      (o->has_auto_binding && v->binding == o->auto_binding) ||
				      (o->has_auto_set && v->has_set && v->set == o->auto_set);
	}
	return open > 1;
}

/* Parts of what the author declared are known by its name and their path. */
static void apply_leaves(struct spb_unit *u, struct spb_arena *scratch)
{
	uint32_t *number;

	if (!u->leaves.count)
		return;
	number = spb_alloc_zeroed(scratch, u->m.bound, sizeof *number);
	for (size_t i = 0; i < u->leaves.count; i++)
		number[u->leaves.items[i].variable] = (uint32_t)i + 1;
	for (size_t i = 0; i < u->variables.count; i++) {
		struct spb_variable *v = &u->variables.items[i];
		if (!number[v->id])
			continue;
		const struct spb_leaf *leaf = &u->leaves.items[number[v->id] - 1];
		struct spb_text_buffer name = {.arena = &u->m.keep};
		if (*leaf->declared)
			spb_text_format(&name, "%s%s", leaf->declared, leaf->path);
		v->key = spb_text_end(&name);
		v->declared = leaf->declared;
		v->path = leaf->path;
		v->run = leaf->run;
		v->leaf = leaf->leaf;
		v->leaves = leaf->leaves;
		v->used = v->used && !leaf->unused;
	}
}

static void collect_variables(struct spb_program *p, struct spb_slot *slot)
{
	struct spb_unit *u = &slot->unit;
	struct spb_variables *vs = &u->variables;

	p->context->pass = "layout";
	spb_arena_reset(&p->context->scratch);
	spb_module_need_index(&u->m);
	*vs = spb_collect_variables(&u->m, &u->m.keep);
	if (u->heaps.count) {
		uint32_t *heap = spb_bits(&p->context->scratch, u->m.bound);
		for (size_t i = 0; i < u->heaps.count; i++)
			spb_set_bit(heap, u->heaps.items[i].variable);
		for (size_t i = 0; i < vs->count; i++)
			vs->items[i].heap = spb_bit(heap, vs->items[i].id);
	}
	apply_leaves(u, &p->context->scratch);
	if (needs_order(p, vs) && spb_order_variables(&u->m, p->options.order, vs, &p->context->scratch))
		spb_report(&u->m, SPB_SEVERITY_NOTE, SPB_E_ORDER_FALLBACK, 0,
			   "the module carries no source text that declares all its resources, so they are numbered in "
			   "the order "
			   "of OpVariable, which changes with function bodies; compile with -g, or use --order=name or "
			   "--order=module");
}

static int by_place(const void *a, const void *b)
{
	const spb_resource *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	if (x->binding != y->binding)
		return x->binding < y->binding ? -1 : 1;
	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static void list_resources(struct spb_program *p)
{
	size_t total = 0, n = 0;

	for (size_t i = 0; i < p->slots.count; i++)
		total += p->slots.items[i]->unit.variables.count;
	p->resources = spb_alloc_array(&p->keep, total, sizeof *p->resources);
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_variables *vs = &p->slots.items[i]->unit.variables;
		for (size_t k = 0; k < vs->count; k++) {
			const struct spb_variable *v = &vs->items[k];
			const struct spb_parameter *q = &p->layout.parameters.items[v->parameter];
			p->resources[n++] = (spb_resource){
			    .module = (uint32_t)i,
			    .id = v->id,
			    .set = q->set,
			    .binding = q->binding,
			    .count = q->count,
			    .descriptor_type = spb_descriptor_info(q->kind)->vk_type,
			    .fixed = q->fixed,
			    .heap = q->heap,
			    .name = v->key,
			};
		}
	}
	spb_sort(&p->context->scratch, p->resources, total, sizeof *p->resources, by_place);
	p->resource_count = total;
}

static void check_pairs(const struct spb_program *p)
{
	p->context->pass = "merge-combined";
	for (uint32_t i = 0; i < p->options.merge_combined_count && p->slots.count; i++) {
		if (!spb_bit(p->pairs_found, i))
			spb_fail(&p->slots.items[0]->unit.m, SPB_ERROR_UNSUPPORTED, SPB_E_MERGE_NAME, 0,
				 "--merge-combined=%s: no module of the program has both a texture and a sampler of "
				 "these names; names are those of OpName, so compile without stripping them",
				 p->options.merge_combined[i]);
	}
}

/* Only where there is an array to be outside of. */
static void check_indexes(struct spb_program *p, struct spb_slot *slot)
{
	bool sized = false;

	for (size_t i = 0; i < slot->unit.variables.count; i++)
		sized |= slot->unit.variables.items[i].count > 1 ||
			 slot->unit.variables.items[i].type != slot->unit.variables.items[i].element;
	if (!sized)
		return;
	p->context->pass = "access";
	spb_module_need_index(&slot->unit.m);
	spb_check_indexes(&slot->unit.m);
}

static void rewrite(void *argument)
{
	struct spb_program *p = argument;
	size_t n = p->slots.count;

	for (size_t i = 0; i < n; i++) {
		spb_run_before_layout(&p->slots.items[i]->unit);
		collect_variables(p, p->slots.items[i]);
	}
	check_pairs(p);
	p->context->pass = "layout";
	spb_arena_reset(&p->context->scratch);
	p->modules = spb_alloc_zeroed(&p->keep, n, sizeof *p->modules);
	for (size_t i = 0; i < n; i++) {
		p->modules[i].m = &p->slots.items[i]->unit.m;
		p->modules[i].variables = p->slots.items[i]->unit.variables;
	}
	spb_lay_out(p->context, &p->options, p->modules, n, &p->layout, &p->keep);
	list_resources(p);
	for (size_t i = 0; i < n; i++) {
		struct spb_slot *slot = p->slots.items[i];
		slot->unit.layout = &p->layout;
		check_indexes(p, slot); /* before the last commit, which makes no index */
		spb_run_after_layout(&slot->unit);
		spb_check_no_handles(&slot->unit.m);
		slot->output = slot->unit.m.words;
	}
}

static void restore_byte_order(void *argument)
{
	struct spb_program *p = argument;

	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_slot *slot = p->slots.items[i];
		const struct spb_module *m = &slot->unit.m;
		if (!m->swapped)
			continue;
		uint32_t *words = spb_alloc_array(&p->keep, m->count, sizeof *words);
		spb_swap_words(words, m->words, m->count);
		slot->output = words;
	}
}

struct judgement {
	struct spb_program *p;
	struct spb_slot *slot;
	const struct spb_verdict *verdict;
	bool input;
};

static void pronounce(void *argument)
{
	const struct judgement *j = argument;
	const struct spb_module *m = &j->slot->unit.m;
	const char *what = j->input ? "the module as given"
			   : m->run ? "the rewritten module"
				    : "the module, which needed no change,";

	j->p->context->pass = "validate";
	switch (j->verdict->kind) {
	case SPB_VERDICT_OUT_OF_MEMORY:
		spb_throw(j->p->context, SPB_ERROR_OUT_OF_MEMORY);
	case SPB_VERDICT_INVALID:
		spb_fail(m, SPB_ERROR_VALIDATION, j->input ? SPB_E_INVALID_INPUT : SPB_E_INVALID_OUTPUT, 0,
			 "%s is not valid: %s%s", what, j->verdict->text,
			 !j->input && m->run ? "\n(--validate=both tells whether the input was)" : "");
	case SPB_VERDICT_UNKNOWN:
		if (!j->p->options.allow_unvalidated)
			spb_fail(m, SPB_ERROR_VALIDATION, SPB_E_NOT_VALIDATABLE, 0,
				 "%s cannot be judged by SPIRV-Tools %s: %s; use a newer one, --allow-unvalidated or "
				 "--validate=none",
				 what, spb_validator_version(), j->verdict->text);
		spb_report(m, SPB_SEVERITY_WARNING, SPB_E_NOT_VALIDATABLE, 0,
			   "%s cannot be judged by SPIRV-Tools %s: %s", what, spb_validator_version(),
			   j->verdict->text);
		break;
	case SPB_VERDICT_NONE:
	case SPB_VERDICT_VALID:
	case SPB_VERDICT_SHIM:
		break;
	}
}

static spb_status validate_all(struct spb_program *p, bool input)
{
	struct spb_context *c = p->context;
	struct spb_validator *validator = spb_validator_create(&c->allocator, &p->options);
	spb_status status = validator ? SPB_OK : SPB_ERROR_OUT_OF_MEMORY;

	for (size_t i = 0; i < p->slots.count && status == SPB_OK; i++) {
		struct spb_slot *slot = p->slots.items[i];
		if (input && spb_import(&slot->unit.m, SPB_HANDLE_SET))
			continue; /* cannot be valid before its handles are lowered */
		struct spb_verdict verdict = spb_judge(validator, slot->unit.m.words, slot->unit.m.count, input);
		struct judgement j = {p, slot, &verdict, input};
		status = guard(c, pronounce, &j);
		slot->verdict = verdict.kind;
		spb_verdict_release(&verdict);
	}
	spb_validator_destroy(validator);
	return status;
}

spb_status spb_program_bind(spb_program *p)
{
	spb_status status = SPB_OK;

	if (!p || p->tried)
		return SPB_ERROR_INVALID_ARGUMENT;
	p->tried = true;
	if (p->options.validate == SPB_VALIDATE_BOTH)
		status = validate_all(p, true);
	if (status == SPB_OK)
		status = guard(p->context, rewrite, p);
	if (status == SPB_OK && p->options.validate != SPB_VALIDATE_NONE)
		status = validate_all(p, false);
	if (status == SPB_OK)
		status = guard(p->context, restore_byte_order, p);
	p->bound = status == SPB_OK;
	return status;
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
		*word_count = p->slots.items[module]->unit.m.count;
	return p->slots.items[module]->output;
}

bool spb_program_changed(const spb_program *p, size_t module)
{
	return p && p->bound && module < p->slots.count && p->slots.items[module]->unit.m.run;
}

size_t spb_program_resources(const spb_program *p, const spb_resource **resources)
{
	bool known = p && p->bound;

	if (resources)
		*resources = known ? p->resources : NULL;
	return known ? p->resource_count : 0;
}

static void write_json(void *argument)
{
	struct spb_program *p = argument;

	p->context->pass = "layout-json";
	spb_arena_reset(&p->context->scratch);
	p->json = spb_write_layout_json(p, &p->json_length);
}

const char *spb_program_layout_json(spb_program *p, size_t *length)
{
	if (length)
		*length = 0;
	if (!p || !p->bound)
		return NULL;
	if (!p->json && guard(p->context, write_json, p) != SPB_OK)
		return NULL;
	if (length)
		*length = p->json_length;
	return p->json;
}
