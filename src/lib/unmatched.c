/* SPDX-License-Identifier: Apache-2.0 */
/* unmatched: warnings about options that have no effect on the program, so that none is ignored silently.
 *
 *     --ycbcr=shadow*            no combined image-sampler has such a name
 *     --resolver=bindless.glsl   no handle is dereferenced
 *     --heap-size=64             no heap is made
 *
 * Only what the caller says about this program counts. Policies, profiles and presets may be shared between programs,
 * so their rules need not match. The layout reports --place and --policy itself (settle.c). */
#include "lib/lib.h"
#include "pass/handles/handles.h"

static const struct spb_module *first_module(const struct spb_program *p)
{
	return &p->slots.items[0]->unit.m;
}

/* Buffer references */

/* One pattern of --lower-buffer-references=GLOB,GLOB. */
static void check_reference_glob(const struct spb_program *p, const char *glob)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		if (spb_has_reference_to(&p->slots.items[i]->unit.m, glob))
			return;
	}
	spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_POLICY_NO_MATCH, 0,
		   "--lower-buffer-references=%s matches no block that a buffer reference points to" SPB_REMEDY
		   "Use the names of the blocks.",
		   glob);
}

static void check_reference_globs(const struct spb_program *p)
{
	const char *list = p->options.handles.buffer_reference_blocks;

	while (list && *list) {
		size_t length = strcspn(list, ",");
		check_reference_glob(p, spb_copy_text(&p->context->scratch, list, length));
		list += length + (list[length] == ',');
	}
}

/* References made from a number whose two words are unknown stay device addresses. That is legal next to references
 * that are lowered, so it is only a note there. */
static void report_addresses(const struct spb_module *m, const struct spb_references *found, bool lowered)
{
	struct spb_text_buffer others = {.arena = &m->context->scratch};

	if (found->address_count > 1)
		spb_text_format(&others, ", as %u more are", found->address_count - 1);
	spb_report(m, lowered ? SPB_SEVERITY_NOTE : SPB_SEVERITY_WARNING, SPB_E_REFERENCE_KEPT, found->address,
		   "this buffer reference is made of a uint64_t%s, so --lower-buffer-references leaves it a device "
		   "address" SPB_REMEDY "If the number is a handle, declare it as a uvec2.",
		   spb_text_end(&others));
}

static void check_references(struct spb_program *p)
{
	bool lowered = false, kept = false;
	struct spb_references *found = spb_alloc_zeroed(&p->keep, p->slots.count, sizeof *found);

	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_unit *u = &p->slots.items[i]->unit;
		spb_module_need_index(&u->m);
		found[i] = spb_find_references(u);
		u->resolver.has_handles = found[i].lowered;
		lowered |= found[i].lowered;
		kept |= found[i].address_count != 0;
	}
	for (size_t i = 0; i < p->slots.count; i++) {
		if (found[i].address_count)
			report_addresses(&p->slots.items[i]->unit.m, &found[i], lowered);
	}
	if (p->options.handles.buffer_reference_blocks)
		check_reference_globs(p);
	else if (!lowered && !kept)
		spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, 0,
			   "no buffer reference of the program is made of a uvec2, so --lower-buffer-references does "
			   "nothing");
}

void spb_warn_before_passes(struct spb_program *p)
{
	if (!p->slots.count || p->options.debug.only || !p->options.handles.lower_buffer_references)
		return;
	p->context->pass = "options";
	spb_arena_reset(&p->context->scratch);
	check_references(p);
}

/* Samplers with a Y'CbCr conversion */

static bool has_combined(struct spb_unit *u, const char *glob)
{
	struct spb_variables vs;

	spb_module_need_index(&u->m);
	vs = spb_collect_variables(&u->m, &u->m.keep);
	for (size_t i = 0; i < vs.count; i++) {
		if (vs.items[i].kind == SPB_DESCRIPTOR_COMBINED && spb_glob(glob, spb_id_name(&u->m, vs.items[i].id)))
			return true;
	}
	return false;
}

static void check_ycbcr(const struct spb_program *p)
{
	const char *glob = p->options.uniformity.ycbcr;

	for (size_t i = 0; i < p->slots.count; i++) {
		if (has_combined(&p->slots.items[i]->unit, glob))
			return;
	}
	spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_POLICY_NO_MATCH, 0,
		   "--ycbcr=%s matches no combined image-sampler of the program" SPB_REMEDY
		   "Use names as given by OpName.",
		   glob);
}

/* Handles and heaps */

static bool has_handles(const struct spb_program *p)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		if (p->slots.items[i]->unit.resolver.has_handles)
			return true;
	}
	return false;
}

static bool makes_heaps(const struct spb_program *p)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_unit *u = &p->slots.items[i]->unit;
		if (u->handles.heaps.count || u->builtin.kinds)
			return true;
	}
	return false;
}

/* The heaps of an earlier run, or of another compiler. */
static bool has_heaps(const struct spb_program *p)
{
	for (size_t i = 0; i < p->layout.parameters.count; i++) {
		if (p->layout.parameters.items[i].variable->heap)
			return true;
	}
	return false;
}

static bool has_builtin_heaps(const struct spb_program *p)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		if (spb_has_capability(&p->slots.items[i]->unit.m, CapabilityDescriptorHeapEXT))
			return true;
	}
	return false;
}

/* The names of the options that were given, separated by commas; "": none. */
static const char *heap_options(const struct spb_program *p)
{
	const spb_heap_options *o = &p->options.heaps;
	bool builtin = o->model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP; /* implies --combined=split */
	const struct {
		const char *name;
		bool given;
	} options[] = {
	    {"--heap", o->place_count != 0},
	    {"--heap-set", o->has_set != 0},
	    {"--heap-size", o->size != 0},
	    {"--bounds-check", o->bounds_check != SPB_BOUNDS_CHECK_OFF},
	    {"--instrument-handles", p->options.handles.instrument != 0},
	    {"--combined=split", o->combined == SPB_COMBINED_SPLIT && !builtin},
	    /* existing descriptor heaps take these strides, or have them */
	    {"--heap-stride", (o->resource_stride || o->sampler_stride || o->unified_stride) && !has_builtin_heaps(p)},
	};
	struct spb_text_buffer names = {.arena = &p->context->scratch};

	for (size_t i = 0; i < SPB_COUNT(options); i++) {
		if (options[i].given)
			spb_text_format(&names, "%s%s", names.count ? ", " : "", options[i].name);
	}
	return names.count ? spb_text_end(&names) : "";
}

/* A check has the options of the run that lowered the handles. */
static bool checks_outputs(const struct spb_program *p)
{
	return p->options.mode == SPB_MODE_CHECK;
}

static void check_heaps(const struct spb_program *p)
{
	const char *options = heap_options(p);

	if (!*options || makes_heaps(p))
		return;
	if (has_builtin_heaps(p))
		spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, 0,
			   "the program has descriptor heaps already, which keep their sizes, so these "
			   "options do nothing: %s",
			   options);
	else if (!has_heaps(p))
		spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, 0,
			   "no heap is made, so these options do nothing: %s" SPB_REMEDY
			   "Either remove them, or check that the shaders dereference handles.",
			   options);
}

/* Has an earlier run merged resolvers? */
static bool is_resolved(const struct spb_program *p)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		if (spb_find_remark(&p->slots.items[i]->unit.m, SPB_RESOLVED_REMARK))
			return true;
	}
	return false;
}

/* What to check if the program has no use for a resolver. */
static const char *resolver_advice(const struct spb_program *p, const struct spb_resolver_module *r)
{
	if (r->known.address && !p->options.heaps.as_address)
		return "that acceleration structures are addresses (--heap=as=address)";
	if (!r->known.index && !has_handles(p))
		return "that it has getDescriptorIndexFromHandle, which heaps that exist already need";
	return "for which types of descriptors it has functions";
}

static void check_resolvers(const struct spb_program *p)
{
	const bool heaps = has_heaps(p) || has_builtin_heaps(p), needed = has_handles(p) || heaps;
	bool used = false;

	for (size_t i = 0; i < p->resolver_count; i++)
		used |= p->resolvers[i].used;
	for (size_t i = 0; i < p->resolver_count; i++) {
		const struct spb_resolver_module *r = &p->resolvers[i];
		if (r->used || (heaps && checks_outputs(p)))
			continue;
		if (!used && is_resolved(p))
			spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, 0,
				   "an earlier run has resolved the heap indexes of the program, so --resolver=%s does "
				   "nothing" SPB_REMEDY "Either remove it, or bind the original module.",
				   r->unit.m.name);
		else if (!needed)
			spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, 0,
				   "the program dereferences no handle, so --resolver=%s does nothing" SPB_REMEDY
				   "Either remove it, or check that the shaders dereference handles.",
				   r->unit.m.name);
		else
			spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, 0,
				   "no dereference of the program needs a function of --resolver=%s" SPB_REMEDY
				   "Either remove it, or check %s.",
				   r->unit.m.name, resolver_advice(p, r));
	}
}

/* Shifts */

static bool is_shifted(const struct spb_program *p, const struct spb_shift *shift)
{
	for (size_t i = 0; i < p->layout.parameters.count; i++) {
		const struct spb_parameter *q = &p->layout.parameters.items[i];
		bool fits = shift->kinds ? shift->kinds >> q->variable->kind & 1 : q->class == shift->class;
		if (!q->variable->heap && fits && (!shift->has_set || q->set == shift->set) &&
		    (!shift->stages || q->stages & shift->stages))
			return true;
	}
	return false;
}

/* With HLSL's rules, all programs of a project are given the same shifts, as with DXC. */
static void check_shifts(const struct spb_program *p)
{
	for (size_t i = 0; i < p->policies.shifts.count && !p->layout.hlsl; i++) {
		const struct spb_shift *shift = &p->policies.shifts.items[i];
		bool said = i && shift[-1].option == shift->option; /* a line has a shift for each class */
		if (!shift->option || said || is_shifted(p, shift))
			continue;
		spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_POLICY_NO_MATCH, 0,
			   "%s matches no resource of the program; no resource has this %s%s%s", shift->option,
			   shift->kinds ? "kind" : "register class", shift->has_set ? " in this set" : "",
			   shift->stages ? " and stage" : "");
	}
}

void spb_warn_after_passes(struct spb_program *p)
{
	bool lint = p->options.mode == SPB_MODE_LINT;

	if (!p->slots.count || p->options.debug.only)
		return;
	p->context->pass = "options";
	spb_arena_reset(&p->context->scratch);
	if (lint) { /* there is no layout */
		if (p->options.uniformity.ycbcr)
			check_ycbcr(p);
		return;
	}
	if (p->options.uniformity.ycbcr)
		spb_report(first_module(p), SPB_SEVERITY_WARNING, SPB_E_POLICY_NO_MATCH, 0,
			   "--ycbcr=%s does nothing but in the lint", p->options.uniformity.ycbcr);
	check_resolvers(p);
	check_heaps(p);
	check_shifts(p);
}
