/* SPDX-License-Identifier: Apache-2.0 */
/* options: checks and copies the caller's options. */
#include "lib/lib.h"
#include "pass/nonuniform/nonuniform.h"

void spb_options_init(spb_options *options, uint32_t struct_size)
{
	memset(options, 0, struct_size);
	options->struct_size = struct_size;
}

/* "TEX:SMP": two names with exactly one colon between them. */
static bool is_pair(const char *text)
{
	const char *colon = text ? strchr(text, ':') : NULL;

	return colon && colon != text && colon[1] && !strchr(colon + 1, ':');
}

static bool is_zero(const uint32_t *words, size_t count)
{
	uint32_t all = 0;

	for (size_t i = 0; i < count; i++)
		all |= words[i];
	return !all;
}

static bool is_pass(const char *name, size_t length)
{
	const char *pass;

	for (uint32_t i = 0; (pass = spb_pass_name(i)); i++) {
		if (strlen(pass) == length && !memcmp(pass, name, length))
			return true;
	}
	return false;
}

static bool are_passes(const char *list)
{
	while (is_pass(list, strcspn(list, ","))) {
		list += strcspn(list, ",");
		if (!*list)
			return true;
		list++;
	}
	return false;
}

#define UNUSED(group) is_zero((group).reserved, SPB_COUNT((group).reserved))

/* Fields that this library does not have must be zero; otherwise the caller asks for something that it would ignore. */
bool spb_read_options(const spb_options *from, spb_options *to)
{
	uint32_t known = (uint32_t)sizeof *to;

	to->struct_size = known;
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
	if (!UNUSED(to->layout) || !UNUSED(to->handles) || !UNUSED(to->heaps) || !UNUSED(to->combined) ||
	    !UNUSED(to->uniformity) || !UNUSED(to->validation) || !UNUSED(to->debug) || !UNUSED(to->output))
		return false;
	if (to->combined.merge_count && !to->combined.merge)
		return false;
	for (uint32_t i = 0; i < to->combined.merge_count; i++) {
		if (!is_pair(to->combined.merge[i]))
			return false;
	}
	if (to->heaps.place_count && !to->heaps.places)
		return false;
	for (uint32_t i = 0; i < to->heaps.place_count; i++) {
		if (!spb_heap_info(to->heaps.places[i].kind))
			return false;
	}
	if (to->layout.entry_count && !to->layout.entries)
		return false;
	for (uint32_t i = 0; i < to->layout.entry_count; i++) {
		if (!to->layout.entries[i])
			return false;
	}
	if (to->layout.policy_count && !to->layout.policies)
		return false;
	for (uint32_t i = 0; i < to->layout.policy_count; i++) {
		if (!to->layout.policies[i].name)
			return false;
	}
	if (to->layout.spec_value_count && !to->layout.spec_values)
		return false;
	if (to->handles.resolver_count && !to->handles.resolvers)
		return false;
	for (uint32_t i = 0; i < to->handles.resolver_count; i++) {
		if (!to->handles.resolvers[i].name ||
		    (to->handles.resolvers[i].word_count && !to->handles.resolvers[i].words))
			return false;
	}
	if (to->heaps.bounds_check > SPB_BOUNDS_CHECK_NULL || (to->heaps.bounds_check && !to->heaps.size))
		return false;
	if (to->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP) /* it has no combined descriptors */
		to->heaps.combined = SPB_COMBINED_SPLIT;
	if ((to->debug.only && !are_passes(to->debug.only)) ||
	    (to->debug.dump_after && !is_pass(to->debug.dump_after, strlen(to->debug.dump_after))))
		return false;
	if (to->debug.only) /* the result need not be valid */
		to->validation.which = SPB_VALIDATE_NONE;
	if (to->output.record && strlen(to->output.record) > UINT16_MAX)
		return false;
	if (to->heaps.unified_stride && to->heaps.resource_stride)
		return false;
	return to->layout.rules <= SPB_RULES_HLSL && to->layout.unused <= SPB_UNUSED_REMOVE &&
	       to->layout.rebind <= SPB_REBIND_ALL_SETS && to->layout.order <= SPB_ORDER_SOURCE_STRICT &&
	       to->layout.module_order <= SPB_MODULE_ORDER_PIPELINE && to->uniformity.mode <= SPB_NONUNIFORM_LINT &&
	       spb_is_lint(to->uniformity.lint) && to->uniformity.check_assertions <= SPB_ASSERTIONS_OFF &&
	       to->uniformity.scope <= SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP &&
	       to->validation.which <= SPB_VALIDATE_STRICT && to->validation.env <= SPB_ENV_VULKAN_1_4 &&
	       (to->validation.which == SPB_VALIDATE_NONE || spb_has_env(to->validation.env)) &&
	       to->uniformity.waterfall <= SPB_WATERFALL_DRIVERS && to->heaps.combined <= SPB_COMBINED_SPLIT &&
	       to->heaps.model <= SPB_HEAP_MODEL_DESCRIPTOR_HEAP;
}

/* The caller's strings need not outlive the call. */
static void copy_pairs(struct spb_program *p)
{
	uint32_t count = p->options.combined.merge_count;
	const char **pairs;

	if (!count)
		return;
	pairs = spb_alloc_array(&p->keep, count, sizeof *pairs);
	for (uint32_t i = 0; i < count; i++) {
		const char *pair = p->options.combined.merge[i];
		pairs[i] = spb_copy_text(&p->keep, pair, strlen(pair));
	}
	p->options.combined.merge = pairs;
	p->pairs_found = spb_bits(&p->keep, count);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, and each once. */
static void copy_entries(struct spb_program *p)
{
	uint32_t count = p->options.layout.entry_count, n = 0;
	const char **entries;

	if (!count)
		return;
	entries = spb_alloc_array(&p->keep, count, sizeof *entries);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = p->options.layout.entries[i];
		entries[i] = spb_copy_text(&p->keep, name, strlen(name));
	}
	spb_sort(&p->context->scratch, entries, count, sizeof *entries, by_text);
	for (uint32_t i = 0; i < count; i++) {
		if (!n || strcmp(entries[n - 1], entries[i]) != 0)
			entries[n++] = entries[i];
	}
	p->options.layout.entries = entries;
	p->options.layout.entry_count = n;
}

static void copy_heap_places(struct spb_program *p)
{
	uint32_t count = p->options.heaps.place_count;
	spb_heap_place *places;

	if (!count)
		return;
	places = spb_alloc_array(&p->keep, count, sizeof *places);
	memcpy(places, p->options.heaps.places, count * sizeof *places);
	p->options.heaps.places = places;
}

static int by_spec_id(const void *a, const void *b)
{
	const spb_spec_value *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Sorted by SpecId, the last value of each. */
static void copy_spec_values(struct spb_program *p)
{
	uint32_t count = p->options.layout.spec_value_count, n = 0;
	spb_spec_value *values;

	if (!count)
		return;
	values = spb_alloc_array(&p->keep, count, sizeof *values);
	memcpy(values, p->options.layout.spec_values, count * sizeof *values);
	spb_sort(&p->context->scratch, values, count, sizeof *values, by_spec_id);
	for (uint32_t i = 0; i < count; i++) {
		if (i + 1 == count || values[i].id != values[i + 1].id)
			values[n++] = values[i];
	}
	p->options.layout.spec_values = values;
	p->options.layout.spec_value_count = n;
}

/* Reads the lines of all policies, and of the profiles they name. */
static void read_policies(struct spb_program *p)
{
	struct spb_context *c = p->context;

	c->pass = "policy";
	for (uint32_t i = 0; i < p->options.layout.policy_count; i++) {
		const spb_policy *policy = &p->options.layout.policies[i];
		const char *name = spb_copy_text(&p->keep, policy->name, strlen(policy->name));
		const char *text = policy->text ? policy->text : spb_profile_text(c, name);
		spb_policy_read(&p->policies, c, name, text, &p->keep);
	}
	spb_policy_index(&p->policies, &p->keep);
	p->options.layout.policies = NULL; /* the caller's own pointers */
	p->options.layout.policy_count = 0;
}

/* Resolvers are modules of their own; the options only point to the caller's words. */
static void read_resolvers(struct spb_program *p)
{
	const spb_resolver *resolvers = p->options.handles.resolvers;
	uint32_t count = p->options.handles.resolver_count;

	p->options.handles.resolvers = NULL;
	if (!count)
		return;
	p->resolvers = spb_alloc_zeroed(&p->keep, count, sizeof *p->resolvers);
	for (uint32_t i = 0; i < count; i++) {
		struct spb_resolver_module *r = &p->resolvers[i];
		r->unit.m.context = p->context;
		r->unit.options = &p->options;
		p->resolver_count = i + 1;
		spb_resolver_read(r, resolvers[i].name, resolvers[i].words, resolvers[i].word_count);
	}
	p->options.handles.resolver_count = 0;
	spb_check_resolvers(p->resolvers, p->resolver_count);
}

static const char *copy_or_null(struct spb_arena *keep, const char *text)
{
	return text ? spb_copy_text(keep, text, strlen(text)) : NULL;
}

void spb_copy_options(struct spb_program *p)
{
	p->options.layout.lock = copy_or_null(&p->keep, p->options.layout.lock);
	p->options.layout.lock_name = copy_or_null(&p->keep, p->options.layout.lock_name);
	p->options.debug.only = copy_or_null(&p->keep, p->options.debug.only);
	p->options.debug.dump_after = copy_or_null(&p->keep, p->options.debug.dump_after);
	p->options.uniformity.lint = copy_or_null(&p->keep, p->options.uniformity.lint);
	p->options.uniformity.suppress = copy_or_null(&p->keep, p->options.uniformity.suppress);
	p->options.uniformity.baseline = copy_or_null(&p->keep, p->options.uniformity.baseline);
	p->options.uniformity.ycbcr = copy_or_null(&p->keep, p->options.uniformity.ycbcr);
	p->options.handles.buffer_reference_blocks = copy_or_null(&p->keep, p->options.handles.buffer_reference_blocks);
	p->options.output.record = copy_or_null(&p->keep, p->options.output.record);
	copy_entries(p);
	copy_pairs(p);
	copy_heap_places(p);
	copy_spec_values(p);
	read_policies(p);
	read_resolvers(p);
}
