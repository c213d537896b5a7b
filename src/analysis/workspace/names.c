/* SPDX-License-Identifier: Apache-2.0 */
/* names: finds programs by name, and the scope of each of their resources.
 *
 *     share set=1 programs=material.*    scope "material.*": resources of these programs in set 1
 *     share heaps programs=material.*    the same scope: their heaps
 *     variant-of=material.base           scope "material.base": all other resources of the family
 *     neither                            scope "sky": all other resources of this program */
#include "analysis/workspace/workspace.h"

static void vsay(struct spb_workspace_plan *w, spb_severity severity, uint32_t code, const char *program,
		 const char *format, va_list arguments)
{
	spb_vdeliver(w->c, (spb_message){.severity = severity, .code = code, .module = program, .pass = "workspace"},
		     format, arguments);
}

void spb_workspace_warn(struct spb_workspace_plan *w, uint32_t code, const char *program, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsay(w, SPB_SEVERITY_WARNING, code, program, format, arguments);
	va_end(arguments);
}

void spb_workspace_say(struct spb_workspace_plan *w, uint32_t code, const char *program, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsay(w, SPB_SEVERITY_ERROR, code, program, format, arguments);
	va_end(arguments);
}

noreturn void spb_workspace_fail(struct spb_workspace_plan *w, spb_status status, uint32_t code, const char *program,
				 const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsay(w, SPB_SEVERITY_ERROR, code, program, format, arguments);
	va_end(arguments);
	spb_throw(w->c, status);
}

const char *spb_place_taken(const struct spb_workspace_plan *w, const char *name, uint32_t type,
			    const struct spb_resource_of_all *other, const char *program)
{
	struct spb_text_buffer text = {.arena = &w->c->scratch};

	spb_text_format(
	    &text,
	    "\"%s\" (%s) has set %u, binding %u here, where program %s has \"%s\" (%s)" SPB_REMEDY
	    "Programs that share a set (%s) have one descriptor there: correct one, or leave it unassigned.",
	    name, spb_descriptor_type_name(type), other->set, other->binding, program, other->name,
	    spb_descriptor_type_name(other->entry.vk_type), w->scopes.items[other->scope].label);
	return spb_text_end(&text);
}

void spb_leave_out_program(struct spb_workspace_plan *w, struct spb_workspace_program *p)
{
	p->facts = (struct spb_facts){0};
	p->collected = false;
	p->left_out = w->left_out = w->partial = true;
}

/* Programs */

static uint32_t *program_slot(const struct spb_workspace_plan *w, const char *name)
{
	uint32_t h = (uint32_t)spb_hash_bytes(0, name, strlen(name)) & w->programs.mask;

	while (w->programs.slot[h] && strcmp(w->programs.items[w->programs.slot[h] - 1].name, name) != 0)
		h = (h + 1) & w->programs.mask;
	return &w->programs.slot[h];
}

struct spb_workspace_program *spb_find_workspace_program(const struct spb_workspace_plan *w, const char *name)
{
	uint32_t slot = w->programs.slot ? *program_slot(w, name) : 0;

	return slot ? &w->programs.items[slot - 1] : NULL;
}

static void grow(struct spb_workspace_plan *w)
{
	uint32_t size = w->programs.slot ? 2 * (w->programs.mask + 1) : 64;

	w->programs.slot = spb_alloc_zeroed(w->keep, size, sizeof *w->programs.slot);
	w->programs.mask = size - 1;
	for (uint32_t i = 0; i < w->programs.count; i++)
		*program_slot(w, w->programs.items[i].name) = i + 1;
}

void spb_add_workspace_program(struct spb_workspace_plan *w, const char *name, const char *family)
{
	struct spb_workspace_program program = {.name = spb_keep_name(&w->names, w->keep, name, strlen(name))};

	if (family)
		program.family = spb_keep_name(&w->names, w->keep, family, strlen(family));
	if (!w->programs.slot || 2 * w->programs.count > w->programs.mask)
		grow(w);
	SPB_PUSH(w->keep, &w->programs, program);
	*program_slot(w, name) = (uint32_t)w->programs.count;
}

/* Scopes */

static uint32_t *scope_slot(const struct spb_workspace_plan *w, const char *label)
{
	uint32_t h = (uint32_t)spb_hash_bytes(1, label, strlen(label)) & w->scopes.mask;

	while (w->scopes.slot[h] && strcmp(w->scopes.items[w->scopes.slot[h] - 1].label, label) != 0)
		h = (h + 1) & w->scopes.mask;
	return &w->scopes.slot[h];
}

const struct spb_scope *spb_find_scope(const struct spb_workspace_plan *w, const char *label)
{
	uint32_t slot = *scope_slot(w, label);

	return slot ? &w->scopes.items[slot - 1] : NULL;
}

/* Adds a scope, unless there is one with this label: a program may have the name of the scope of a shared set, which is
 * added first. */
static uint32_t add_scope(struct spb_workspace_plan *w, const char *label, bool shared)
{
	uint32_t *slot = scope_slot(w, label);

	if (!*slot) {
		SPB_PUSH(w->keep, &w->scopes,
			 ((struct spb_scope){.label = label, .shared = shared, .complete = !w->partial || !shared}));
		*slot = (uint32_t)w->scopes.count;
	}
	return *slot - 1;
}

/* A variant of a variant belongs to the family of the latter. A program that names itself as its base has variants,
 * possibly outside this workspace. */
static void find_families(struct spb_workspace_plan *w)
{
	for (size_t i = 0; i < w->programs.count; i++) {
		struct spb_workspace_program *p = &w->programs.items[i], *base = p;
		size_t steps = 0;
		const char *family = p->family; /* which is kept until the chain has ended: it may be a cycle */
		while (base && base->family && strcmp(base->family, base->name) != 0) {
			if (steps++ == w->programs.count)
				spb_workspace_fail(w, SPB_ERROR_CONFLICT, SPB_E_WORKSPACE, p->name,
						   "is a variant of a variant of itself" SPB_REMEDY
						   "Correct variant-of.");
			family = base->family;
			base = spb_find_workspace_program(w, family);
			if (base)
				base->in_family = true;
		}
		p->family = family;
		p->in_family |= p->family != NULL;
	}
}

void spb_find_scopes(struct spb_workspace_plan *w)
{
	uint32_t size = 16;

	while (size < 2 * (w->programs.count + w->shares.count + 1))
		size *= 2;
	if (!w->scopes.slot || w->scopes.mask < size - 1)
		w->scopes.slot = spb_alloc_array(w->keep, size, sizeof *w->scopes.slot);
	memset(w->scopes.slot, 0, size * sizeof *w->scopes.slot);
	w->scopes.mask = size - 1;
	w->scopes.count = 0;
	find_families(w);
	for (size_t i = 0; i < w->shares.count; i++)
		add_scope(w, w->shares.items[i].programs, true);
	for (size_t i = 0; i < w->programs.count; i++) {
		struct spb_workspace_program *p = &w->programs.items[i];
		if (!p->left_out)
			p->scope = add_scope(w, p->family ? p->family : p->name, p->in_family);
	}
}

uint32_t spb_scope_of(const struct spb_workspace_plan *w, uint32_t program, uint32_t set)
{
	const struct spb_workspace_program *p = &w->programs.items[program];

	for (size_t i = 0; i < w->shares.count; i++) {
		const struct spb_share *share = &w->shares.items[i];
		if (share->set == set && spb_glob(share->programs, p->name))
			return *scope_slot(w, share->programs) - 1;
	}
	return p->scope;
}

/* Resources in a set that only blocks or heaps of the program use are not in a shared set, whatever its number. */
uint32_t spb_scope_of_fact(const struct spb_workspace_plan *w, uint32_t program, const struct spb_fact *f)
{
	const uint32_t own = w->programs.items[program].scope;
	const uint32_t heaps = f->heap ? spb_scope_of(w, program, SPB_SHARED_HEAPS) : own;

	return heaps != own || (f->free->alone && f->place == SPB_FACT_OPEN) ? heaps : spb_scope_of(w, program, f->set);
}
