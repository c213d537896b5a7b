/* SPDX-License-Identifier: Apache-2.0 */
/* program: contexts and programs: memory, error handling, options and modules. */
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

static void *default_new_zeroed(struct spb_context *c, size_t size)
{
	void *zeroed = spb_may_hold(c, size) ? calloc(1, size) : NULL;

	c->held += zeroed ? size : 0;
	return zeroed;
}

spb_status spb_no_memory(struct spb_context *c)
{
	if (!c->is_full)
		return SPB_ERROR_OUT_OF_MEMORY;
	c->is_full = false;
	spb_deliver(c, &(const spb_message){.code = SPB_E_LIMIT,
					    .module = "",
					    .pass = "limits",
					    .text = "more memory is needed than the limits of this context allow",
					    .remedy = "Raise spb_limits.memory, or destroy programs that are no "
						      "longer needed."});
	return SPB_ERROR_LIMIT;
}

/* The only setjmp, in a function that does nothing else (base.h explains why). */
spb_status spb_guard(struct spb_context *c, void (*run)(void *), void *argument)
{
	jmp_buf escape;

	assert(!c->escape);
	c->escape = &escape;
	c->status = SPB_OK;
	if (!setjmp(escape))
		run(argument);
	c->escape = NULL;
	c->pass = NULL;
	return c->status == SPB_ERROR_OUT_OF_MEMORY ? spb_no_memory(c) : c->status;
}

static const spb_limits defaults = {sizeof defaults, 0x400000, 1u << 27, 1000000, UINT64_C(64) << 30};

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
	*c = (struct spb_context){.allocator = {spb_resize, c},
				  .new_zeroed = allocator == &standard ? default_new_zeroed : NULL,
				  .given = *allocator,
				  .limits = defaults,
				  .held = sizeof *c};
	if (callbacks)
		c->callbacks = *callbacks;
	c->scratch.context = c->edits.context = c->drafts.context = c;
	*context = c;
	return SPB_OK;
}

spb_status spb_context_limit(spb_context *c, const spb_limits *limits)
{
	spb_limits known = {0};

	if (!c || !limits || spb_is_busy(c) || !limits->struct_size || limits->struct_size > 4096)
		return SPB_ERROR_INVALID_ARGUMENT;
	memcpy(&known, limits, limits->struct_size < sizeof known ? limits->struct_size : sizeof known);
	c->limits = (spb_limits){.struct_size = sizeof known,
				 .ids = known.ids ? known.ids : defaults.ids,
				 .instructions = known.instructions ? known.instructions : defaults.instructions,
				 .findings = known.findings ? known.findings : defaults.findings,
				 .memory = known.memory ? known.memory : defaults.memory};
	return SPB_OK;
}

void spb_context_destroy(spb_context *c)
{
	if (!c || spb_is_busy(c))
		return;
	spb_allocator allocator = c->given;
	c->busy = true;
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

	if (!c || !program || spb_is_busy(c))
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
	struct spb_context *c = p ? p->context : NULL;

	if (!p || spb_is_busy(c))
		return;
	c->busy = true; /* the allocator may */
	for (size_t i = 0; i < p->slots.count; i++)
		spb_module_release(&p->slots.items[i]->unit.m);
	for (size_t i = 0; i < p->resolver_count; i++)
		spb_module_release(&p->resolvers[i].unit.m);
	spb_arena_release(&p->layout.planning);
	struct spb_arena keep = p->keep;
	spb_arena_release(&keep);
	c->busy = false;
}

struct addition {
	struct spb_program *p;
	struct spb_slot *slot;
	const char *name;
	const uint32_t *words;
	size_t word_count;
	uint32_t flags; /* SPB_ADD_* */
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

/* For the module with this number. */
static struct spb_slot *new_slot(struct spb_program *p, uint32_t number, uint32_t flags)
{
	struct spb_slot *slot = spb_alloc_zeroed(&p->keep, 1, sizeof *slot);

	slot->unit.m.context = p->context;
	slot->unit.m.spec_value = p->options.layout.spec_values;
	slot->unit.m.spec_value_count = p->options.layout.spec_value_count;
	if (number >= SPB_FEW_MODULES)
		share(p, &slot->unit.m);
	slot->flags = flags;
	slot->unit.options = &p->options;
	slot->unit.program.number = number;
	slot->unit.program.policies = &p->policies;
	slot->unit.program.pairs_found = p->pairs_found;
	slot->unit.program.resolvers = p->resolvers;
	slot->unit.program.resolver_count = p->resolver_count;
	return slot;
}

static void add(void *argument)
{
	struct addition *a = argument;
	struct spb_program *p = a->p;
	struct spb_text_buffer number = {.arena = &p->context->scratch};

	spb_arena_reset(&p->context->scratch);
	spb_settle_options(p);
	p->context->pass = "parse";
	if (!a->name) {
		spb_text_format(&number, "module %u", (unsigned)p->slots.count);
		a->name = spb_text_end(&number);
	}
	a->name = spb_copy_text(&p->keep, a->name, strlen(a->name));
	p->slots.items =
	    spb_reserve(&p->keep, p->slots.items, p->slots.count, 1, &p->slots.capacity, sizeof *p->slots.items);
	a->slot = new_slot(p, (uint32_t)p->slots.count, a->flags);
	spb_module_parse(&a->slot->unit.m, a->name, a->words, a->word_count);
}

spb_status spb_program_add(spb_program *p, const char *name, const uint32_t *words, size_t word_count, uint32_t flags)
{
	struct addition a = {p, NULL, name, words, word_count, flags};

	if (!p || spb_is_busy(p->context) || (!words && word_count) || p->tried ||
	    flags & ~(uint32_t)(SPB_ADD_IMPORT | SPB_ADD_COMPILED))
		return SPB_ERROR_INVALID_ARGUMENT;
	spb_status status = spb_guard(p->context, add, &a);
	if (status == SPB_OK)
		p->slots.items[p->slots.count++] = a.slot;
	else if (a.slot)
		spb_module_release(&a.slot->unit.m);
	return status;
}

/* A bind that ran out of memory leaves its modules half rewritten, so they are parsed again. */

struct reparsing {
	struct spb_program *p;
	struct spb_slot *fresh; /* being parsed */
};

static void parse_again(void *argument)
{
	struct reparsing *r = argument;
	struct spb_program *p = r->p;

	for (uint32_t i = 0; i < p->slots.count; i++) {
		struct spb_slot *old = p->slots.items[i];
		const struct spb_module *m = &old->unit.m;
		spb_arena_reset(&p->context->scratch);
		r->fresh = new_slot(p, i, old->flags);
		spb_module_parse(&r->fresh->unit.m, m->name, m->given, m->given_count);
		r->fresh->unit.m.swapped = m->swapped;
		p->slots.items[i] = r->fresh;
		r->fresh = NULL;
		spb_module_release(&old->unit.m);
	}
}

spb_status spb_begin_again(struct spb_program *p)
{
	struct reparsing r = {.p = p};

	spb_arena_release(&p->layout.planning);
	p->layout = (struct spb_layout){0};
	p->modules = NULL;
	p->results = (struct spb_results){0}; /* they point into the modules */
	spb_policy_forget_matched(&p->policies);
	for (size_t i = 0; i < p->resolver_count; i++)
		p->resolvers[i].used = false;
	if (p->pairs_found)
		memset(p->pairs_found, 0, (p->options.combined.merge_count + 31) / 32 * sizeof *p->pairs_found);
	spb_status status = spb_guard(p->context, parse_again, &r);
	if (r.fresh)
		spb_module_release(&r.fresh->unit.m);
	return status;
}
