/* SPDX-License-Identifier: Apache-2.0 */
/* merge-resolver: merges functions that map handles to descriptors into the module that dereferences handles.
 *
 *     --resolver: uint getDescriptorIndexFromHandle(uvec2)     merged; put_handle_index calls it
 *     --resolver: %texture getDescriptorFromHandle(uvec2)      merged
 *     %t = OpExtInst %texture %set 1 %handle                   %t = OpFunctionCall %texture %f %handle
 *     --resolver: uvec2 getDeviceAddressFromHandle(uvec2)      merged, with --heap=as=address
 *     %t = OpExtInst %as %set 1 %handle                        %a = OpFunctionCall %uint2 %f %handle
 *                                                              %t = OpExtInst %as %set 1 %a
 *
 * The module may also define these functions itself. Only those that its dereferences need are merged. A dereference
 * in such a function, or one that was a call of defaultGetDescriptorFromHandle..., bypasses the resolver: its handle
 * is copied, and the copy is recorded. LinkageAttributes of the known functions are removed, and with the last of
 * them the capability Linkage.
 *
 * Runs after normalize-handles, so it sees only one dialect. Refused: a function that is defined twice
 * (SPB_E_RESOLVER_TWICE), and what resolver.c and merge_*.c refuse. */
#include "pass/resolver/merge.h"

struct source { /* of known functions */
	struct spb_merge merge;
	const struct spb_known_functions *known;
	uint32_t *values; /* parallel to known->whole: the function in the target; 0: not needed */
	bool index;       /* its index function is needed */
	bool address;     /* its function for addresses is needed */
};

struct plan {
	struct spb_unit *u;
	struct spb_known_functions own;
	uint32_t *own_functions; /* bits over ids: known functions and their callees; NULL: none */
	uint32_t *defaults;      /* bits over ids: results of dereferences that bypass the resolver; NULL: none */
	SPB_LIST(spb_at) dereferences;
	struct source *sources;
	size_t source_count;
	uint32_t *whole_source, *whole_number;   /* [bound] type -> source and number of its function, + 1 */
	bool references;                         /* carry-handles turns references into dereferences */
	bool heaps;                              /* the module indexes heaps that it has already */
	bool index, address;                     /* needed by some dereference */
	uint32_t address_function, address_type; /* in the target, and its parameter type; 0: none */
};

static const struct spb_module *module(const struct plan *p)
{
	return &p->u->m;
}

static struct spb_arena *scratch(const struct plan *p)
{
	return &p->u->m.context->scratch;
}

static void add_plain_handle(struct spb_unit *u, uint32_t id)
{
	SPB_PUSH(&u->m.keep, &u->resolver.plain, id);
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

bool spb_is_plain_handle(const struct spb_unit *u, uint32_t id)
{
	size_t i = spb_lower_bound(u->resolver.plain.items, u->resolver.plain.count, sizeof id, &id,
				   by_number); /* new ids are ascending */

	return i < u->resolver.plain.count && u->resolver.plain.items[i] == id;
}

static void collect(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (spb_at at_import = m->section[SPB_SECTION_IMPORT]; at_import < m->section[SPB_SECTION_MEMORY_MODEL];
	     at_import = spb_next(m, at_import)) {
		uint32_t import = m->words[at_import + 1];
		if (spb_op(m, at_import) != SpvOpExtInstImport ||
		    strcmp(spb_string(m, at_import + 2), SPB_HANDLE_SET) != 0)
			continue;
		for (uint32_t i = m->first_use[import]; i < m->first_use[import + 1]; i++) {
			spb_at at = m->use[i].at;
			if (spb_op(m, at) == SpvOpExtInst && m->use[i].word == at + 3 && spb_length(m, at) == 6 &&
			    m->words[at + 4] <= SPB_HANDLE_COHERENT && spb_function_around(m, at))
				SPB_PUSH(scratch(p), &p->dereferences, at);
		}
	}
}

/* Functions that the module's own known functions may call. */
static void find_own_functions(struct plan *p)
{
	const struct spb_module *m = module(p);
	SPB_LIST(uint32_t) work = {0};

	if (!p->own.index && !p->own.address && !p->own.whole.count)
		return;
	p->own_functions = spb_bits(scratch(p), m->bound);
	for (size_t i = 0; i < p->own.whole.count; i++)
		SPB_PUSH(scratch(p), &work, p->own.whole.items[i]);
	if (p->own.index)
		SPB_PUSH(scratch(p), &work, p->own.index);
	if (p->own.address)
		SPB_PUSH(scratch(p), &work, p->own.address);
	while (work.count) {
		uint32_t id = work.items[--work.count];
		if (spb_def_op(m, id) != SpvOpFunction || spb_bit(p->own_functions, id))
			continue;
		spb_set_bit(p->own_functions, id);
		SPB_PUSH(&p->u->m.keep, &p->u->resolver.functions, id);
		const struct spb_function *f = spb_function_around(m, m->def[id]);
		for (spb_at at = f->at; at < f->end; at = spb_next(m, at)) {
			if (spb_op(m, at) == SpvOpFunctionCall)
				SPB_PUSH(scratch(p), &work, m->words[at + 3]);
		}
	}
}

static void find_defaults(struct plan *p)
{
	if (!p->u->resolver.defaults.count)
		return;
	p->defaults = spb_bits(scratch(p), module(p)->bound);
	for (size_t i = 0; i < p->u->resolver.defaults.count; i++)
		spb_set_bit(p->defaults, p->u->resolver.defaults.items[i]);
}

static bool is_default(const struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);

	return (p->defaults && spb_bit(p->defaults, m->words[at + 2])) ||
	       (p->own_functions && spb_bit(p->own_functions, m->words[spb_function_around(m, at)->at + 2]));
}

static const char *name_of(const struct plan *p, const struct source *s, uint32_t id)
{
	struct spb_text_buffer text = {.arena = scratch(p)};

	spb_text_format(&text, "%s of %s", spb_label(text.arena, s->merge.from, id), s->merge.from->name);
	return spb_text_end(&text);
}

static noreturn void twice(const struct plan *p, const struct source *a, uint32_t in_a, const struct source *b,
			   uint32_t in_b)
{
	spb_fail(b->merge.from, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_TWICE, b->merge.from->def[in_b],
		 "%s and %s both define which descriptor a handle refers to" SPB_REMEDY "Remove one of them.",
		 name_of(p, a, in_a), name_of(p, b, in_b));
}

static void open_sources(struct plan *p)
{
	struct spb_unit *u = p->u;
	struct spb_merged *merged = spb_merged_begin(u);
	const struct source *index = NULL, *address = NULL;

	spb_merged_add_own_variables(merged);
	p->sources = spb_alloc_zeroed(scratch(p), u->program.resolver_count + 1, sizeof *p->sources);
	for (size_t i = 0; i <= u->program.resolver_count; i++) {
		bool own = i == u->program.resolver_count;
		struct source *s = &p->sources[i];
		s->known = own ? &p->own : &u->program.resolvers[i].known;
		s->merge = spb_merge_begin(merged, own ? &u->m : &u->program.resolvers[i].unit.m);
		s->values = spb_alloc_zeroed(scratch(p), s->known->whole.count, sizeof *s->values);
		if (s->known->index && index)
			twice(p, index, index->known->index, s, s->known->index);
		if (s->known->index)
			index = s;
		if (s->known->address && address)
			twice(p, address, address->known->address, s, s->known->address);
		if (s->known->address)
			address = s;
	}
	p->source_count = u->program.resolver_count + 1;
}

/* Chooses for each dereferenced type the function that does it. */
static void choose_whole(struct plan *p)
{
	const struct spb_module *m = module(p);
	uint32_t *dereferenced = spb_bits(scratch(p), m->bound);

	p->whole_source = spb_alloc_zeroed(scratch(p), m->bound, sizeof *p->whole_source);
	p->whole_number = spb_alloc_zeroed(scratch(p), m->bound, sizeof *p->whole_number);
	for (size_t i = 0; i < p->dereferences.count; i++) {
		spb_at at = p->dereferences.items[i];
		if (!is_default(p, at) && m->words[at + 4] == SPB_HANDLE_OPAQUE)
			spb_set_bit(dereferenced, m->words[at + 1]);
	}
	for (uint32_t i = 0; i < p->source_count; i++) {
		struct source *s = &p->sources[i];
		const struct spb_module *from = s->merge.from;
		for (uint32_t w = 0; w < s->known->whole.count; w++) {
			uint32_t id = s->known->whole.items[w], other;
			uint32_t type = spb_merge_find_type(&s->merge, from->words[from->def[id] + 1]);
			if (!type || !spb_bit(dereferenced, type))
				continue;
			other = p->whole_source[type];
			if (other)
				twice(p, &p->sources[other - 1],
				      p->sources[other - 1].known->whole.items[p->whole_number[type]], s, id);
			p->whole_source[type] = i + 1;
			p->whole_number[type] = w;
			s->values[w] = id; /* until it is merged */
		}
	}
}

/* The function whose call replaces a dereference; 0: none. */
static uint32_t whole_of(const struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	uint32_t type = m->words[at + 1], source = p->whole_source[type];

	if (!source || m->words[at + 4] != SPB_HANDLE_OPAQUE || is_default(p, at))
		return 0;
	return p->sources[source - 1].values[p->whole_number[type]];
}

/* Is the handle the address of an acceleration structure, which has no heap? */
static bool is_address(const struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);

	return p->u->options->heaps.as_address && m->words[at + 4] == SPB_HANDLE_OPAQUE &&
	       spb_def_op(m, m->words[at + 1]) == SpvOpTypeAccelerationStructureKHR;
}

static void choose_index(struct plan *p)
{
	p->index = p->references || p->heaps;
	for (size_t i = 0; i < p->dereferences.count; i++) {
		spb_at at = p->dereferences.items[i];
		bool *needed = is_address(p, at) ? &p->address : &p->index;
		*needed |= !is_default(p, at) && !whole_of(p, at);
	}
	for (size_t i = 0; i < p->source_count; i++) {
		p->sources[i].index = p->index && p->sources[i].known->index;
		p->sources[i].address = p->address && p->sources[i].known->address;
	}
}

static bool takes_pointers(const struct spb_module *m, uint32_t function)
{
	for (spb_at at = spb_next_parameter(m, m->def[function]); spb_op(m, at) == SpvOpFunctionParameter;
	     at = spb_next_parameter(m, at)) {
		if (spb_parameter_value(m, m->words[at + 1]) != m->words[at + 1])
			return true;
	}
	return false;
}

static void need(struct source *s, uint32_t function)
{
	if (s->merge.from != &s->merge.u->m)
		spb_merge_need(&s->merge, function, !takes_pointers(s->merge.from, function));
}

/* The function in the target, taking values. */
static uint32_t put_function(struct source *s, uint32_t function)
{
	return takes_pointers(s->merge.from, function) ? spb_merge_function_of_values(&s->merge, function)
						       : s->merge.map[function];
}

/* The handle type that a function takes, in the target. */
static uint32_t uint2_of(const struct source *s, uint32_t function)
{
	const struct spb_module *m = s->merge.from;

	return s->merge.map[spb_parameter_value(m, m->words[spb_next(m, m->def[function]) + 1])];
}

/* Returns whether the module needs anything from the source. */
static bool merge(struct plan *p, struct source *s)
{
	bool any = s->index || s->address;

	for (size_t i = 0; i < s->known->whole.count; i++) {
		any |= s->values[i] != 0;
		if (s->values[i])
			need(s, s->values[i]);
	}
	if (!any)
		return false;
	if (s->index)
		need(s, s->known->index);
	if (s->address)
		need(s, s->known->address);
	spb_merge_globals(&s->merge);
	spb_merge_functions(&s->merge);
	for (size_t i = 0; i < s->known->whole.count; i++) {
		if (s->values[i])
			s->values[i] = put_function(s, s->values[i]);
	}
	if (s->index) {
		p->u->resolver.index_function = put_function(s, s->known->index);
		p->u->resolver.index_takes_kind = s->known->takes_kind;
		p->u->resolver.handle_type = uint2_of(s, s->known->index);
	}
	if (s->address) {
		p->address_function = put_function(s, s->known->address);
		p->address_type = uint2_of(s, s->known->address);
	}
	return true;
}

static void rewrite(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	struct spb_edit *e = &p->u->edit;
	uint32_t handle = m->words[at + 5], function = whole_of(p, at), type;

	spb_check_handle_type(m, at, handle);
	type = spb_type_of(m, handle);
	if (p->defaults && spb_bit(p->defaults, m->words[at + 2])) {
		uint32_t copy = spb_new_id(e);
		spb_insert(e, at, SpvOpCopyObject, W(type, copy, handle));
		add_plain_handle(p->u, copy);
		spb_patch(e, at + 5, copy);
	} else if (function) {
		const struct source *s = &p->sources[p->whole_source[m->words[at + 1]] - 1];
		uint32_t original = s->known->whole.items[p->whole_number[m->words[at + 1]]];
		handle = spb_put_uint2(p->u, at, handle, uint2_of(s, original));
		spb_replace(e, at, SpvOpFunctionCall, W(m->words[at + 1], m->words[at + 2], function, handle));
		SPB_PUSH(&p->u->m.keep, &p->u->resolver.whole_functions, function);
	} else if (p->address_function && is_address(p, at) && !is_default(p, at)) {
		uint32_t address = spb_new_id(e);
		handle = spb_put_uint2(p->u, at, handle, p->address_type);
		spb_insert(e, at, SpvOpFunctionCall, W(p->address_type, address, p->address_function, handle));
		spb_patch(e, at + 5, address);
		SPB_PUSH(&p->u->m.keep, &p->u->resolver.whole_functions, p->address_function);
	}
}

/* SPIR-V 2.16.1, "Universal Validation Rules": Linkage is not for shaders that Vulkan runs. */
static void remove_linkage(struct plan *p)
{
	const struct spb_module *m = module(p);
	bool others = false;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationLinkageAttributes)
			continue;
		if (p->own_functions && spb_bit(p->own_functions, m->words[at + 1]))
			spb_remove(&p->u->edit, at);
		else
			others = true;
	}
	if (p->own_functions && !others)
		spb_remove_capability(&p->u->edit, SpvCapabilityLinkage);
}

/* Does a resolver have to map the indexes of heaps that the module has already? Not if an earlier run has done so. */
static bool resolves_heaps(struct spb_unit *u)
{
	bool index = false;

	for (size_t i = 0; i < u->program.resolver_count; i++)
		index |= u->program.resolvers[i].known.index != 0;
	if (!index || !(u->m.has & SPB_HAS_DESCRIPTOR_ARRAYS) || spb_find_remark(&u->m, SPB_RESOLVED_REMARK))
		return false;
	struct spb_variables vs = spb_find_heaps(u);
	for (size_t i = 0; i < vs.count; i++) {
		for (uint32_t k = u->m.first_use[vs.items[i].id]; k < u->m.first_use[vs.items[i].id + 1]; k++) {
			if (spb_is_heap_chain(&u->m, u->m.use[k]))
				return true;
		}
	}
	return false;
}

bool spb_pass_merge_resolver(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.u = u};

	p.references = u->options->handles.lower_buffer_references &&
		       spb_has_capability(m, SpvCapabilityPhysicalStorageBufferAddresses);
	if (m->has_unknown_ops) /* lower-handles refuses it */
		return false;
	spb_module_need_uses(m);
	p.heaps = u->resolver.resolves_heaps = resolves_heaps(u);
	if (!spb_import(m, SPB_HANDLE_SET) && !p.references && !p.heaps)
		return false;
	collect(&p);
	u->resolver.has_handles |= p.dereferences.count != 0;
	if (!p.dereferences.count && !p.references && !p.heaps)
		return false;
	p.own = spb_find_known_functions(m, scratch(&p));
	if (!p.own.index && !p.own.address && !p.own.whole.count && !u->program.resolver_count)
		return false;
	find_own_functions(&p);
	find_defaults(&p);
	open_sources(&p);
	choose_whole(&p);
	choose_index(&p);
	bool resolved = false;
	for (size_t i = 0; i < p.source_count; i++) {
		bool merged = merge(&p, &p.sources[i]);
		resolved |= merged;
		if (i < u->program.resolver_count)
			u->program.resolvers[i].used |= merged;
	}
	for (size_t i = 0; i < p.dereferences.count; i++)
		rewrite(&p, p.dereferences.items[i]);
	remove_linkage(&p);
	if (resolved && !spb_find_remark(m, SPB_RESOLVED_REMARK))
		spb_put_remark(&u->edit, 0, SPB_RESOLVED_REMARK);
	return true;
}
