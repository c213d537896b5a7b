/* SPDX-License-Identifier: Apache-2.0 */
/* options: checks and copies the caller's options. */
#include "lib/lib.h"
#include "lib/options/option.h"

void spb_options_init(spb_options *options, uint32_t struct_size)
{
	memset(options, 0, struct_size);
	options->struct_size = struct_size;
}

static bool is_zero(const uint32_t *words, size_t count)
{
	uint32_t all = 0;

	for (size_t i = 0; i < count; i++)
		all |= words[i];
	return !all;
}

#define UNUSED(group) is_zero((group).reserved, SPB_COUNT((group).reserved))

/* Fields that this library does not have must be zero; otherwise it would silently ignore an option. */
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
		if (!spb_is_pair(to->combined.merge[i]))
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
	if (to->layout.macro_count && !to->layout.macros)
		return false;
	for (uint32_t i = 0; i < to->layout.macro_count; i++) {
		if (!to->layout.macros[i])
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
	if ((to->debug.only && !spb_are_passes(to->debug.only)) ||
	    (to->debug.dump_after && !spb_is_pass(to->debug.dump_after)))
		return false;
	if (to->uniformity.host_features && !spb_are_host_features(to->uniformity.host_features))
		return false;
	if (to->output.record && strlen(to->output.record) > UINT16_MAX)
		return false;
	if (to->heaps.unified_stride && to->heaps.resource_stride)
		return false;
	return to->layout.rules <= SPB_RULES_HLSL && to->layout.unused <= SPB_UNUSED_REMOVE &&
	       to->layout.rebind <= SPB_REBIND_ALL_SETS && to->layout.order <= SPB_ORDER_SOURCE_STRICT &&
	       to->layout.module_order <= SPB_MODULE_ORDER_PIPELINE && to->uniformity.mode <= SPB_NONUNIFORM_ALL &&
	       to->mode <= SPB_MODE_COLLECT && (!to->uniformity.lint || spb_are_rules(to->uniformity.lint)) &&
	       to->uniformity.check_assertions <= SPB_ASSERTIONS_OFF &&
	       to->uniformity.scope <= SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP &&
	       to->validation.which <= SPB_VALIDATE_STRICT && to->validation.env <= SPB_ENV_VULKAN_1_4 &&
	       to->heaps.bounds_check <= SPB_BOUNDS_CHECK_NULL && to->uniformity.waterfall <= SPB_WATERFALL_DRIVERS &&
	       (!to->uniformity.waterfall_kinds || to->uniformity.waterfall == SPB_WATERFALL_ALL) &&
	       to->uniformity.waterfall_kinds < 2 * SPB_WATERFALL_INPUT_ATTACHMENTS &&
	       to->heaps.combined <= SPB_COMBINED_SPLIT && to->heaps.model <= SPB_HEAP_MODEL_DESCRIPTOR_HEAP;
}

const char *spb_options_disagree(const spb_options *o)
{
	if (o->heaps.bounds_check && !o->heaps.size)
		return "bounds-check needs heap-size";
	if (o->heaps.has_size_constant && !o->heaps.size)
		return "the constant of heap-size needs a default";
	if (o->validation.which != SPB_VALIDATE_NONE && !o->debug.only && !spb_env_name(o->validation.env))
		return "SPIRV-Tools does not know the environment of target-env";
	return NULL;
}

/* Copies: the caller's memory need not outlive the call. */

static const char *copy_or_null(struct spb_arena *keep, const char *text)
{
	return text ? spb_copy_text(keep, text, strlen(text)) : NULL;
}

/* With room for what spb_program_set adds. */
static void *copy_list(struct spb_arena *keep, const void *items, uint32_t count, size_t size)
{
	return count ? memcpy(spb_alloc_array(keep, spb_option_room(count), size), items, count * size) : NULL;
}

static const char *const *copy_texts(struct spb_arena *keep, const char *const *texts, uint32_t count)
{
	const char **copies = copy_list(keep, texts, count, sizeof *copies);

	for (uint32_t i = 0; i < count; i++)
		copies[i] = spb_copy_text(keep, texts[i], strlen(texts[i]));
	return copies;
}

static void copy_policies(struct spb_program *p)
{
	spb_layout_options *o = &p->options.layout;
	spb_policy *policies = copy_list(&p->keep, o->policies, o->policy_count, sizeof *policies);

	for (uint32_t i = 0; i < o->policy_count; i++) {
		policies[i].name = spb_copy_text(&p->keep, policies[i].name, strlen(policies[i].name));
		policies[i].text = copy_or_null(&p->keep, policies[i].text);
	}
	o->policies = policies;
}

noreturn void spb_refuse_option(struct spb_context *c, const char *text)
{
	spb_deliver(
	    c, &(const spb_message){.severity = SPB_SEVERITY_ERROR, .module = "", .pass = "options", .text = text});
	spb_throw(c, SPB_ERROR_INVALID_ARGUMENT);
}

void spb_read_policies(struct spb_program *p)
{
	const spb_layout_options *o = &p->options.layout;

	p->policies = (struct spb_policies){0};
	p->context->pass = "policy";
	for (uint32_t i = 0; i < o->policy_count; i++) {
		const spb_policy *policy = &o->policies[i];
		const char *text = policy->text ? policy->text : spb_profile_text(p->context, policy->name);
		spb_policy_read(&p->policies, p->context, policy->name, text, &p->keep);
	}
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
		spb_resolver_parse(r, resolvers[i].name, resolvers[i].words, resolvers[i].word_count);
		spb_run_on_resolver(&r->unit);
		spb_resolver_find_functions(r);
	}
	p->options.handles.resolver_count = 0;
	spb_check_resolvers(p->resolvers, p->resolver_count);
}

void spb_copy_options(struct spb_program *p)
{
	spb_options *o = &p->options;

	o->layout.lock = copy_or_null(&p->keep, o->layout.lock);
	o->layout.lock_name = copy_or_null(&p->keep, o->layout.lock_name);
	o->debug.only = copy_or_null(&p->keep, o->debug.only);
	o->debug.dump_after = copy_or_null(&p->keep, o->debug.dump_after);
	o->uniformity.lint = copy_or_null(&p->keep, o->uniformity.lint);
	o->uniformity.suppress = copy_or_null(&p->keep, o->uniformity.suppress);
	o->uniformity.baseline = copy_or_null(&p->keep, o->uniformity.baseline);
	o->uniformity.ycbcr = copy_or_null(&p->keep, o->uniformity.ycbcr);
	o->uniformity.host_features = copy_or_null(&p->keep, o->uniformity.host_features);
	o->handles.buffer_reference_blocks = copy_or_null(&p->keep, o->handles.buffer_reference_blocks);
	o->output.record = copy_or_null(&p->keep, o->output.record);
	o->layout.entries = copy_texts(&p->keep, o->layout.entries, o->layout.entry_count);
	o->layout.macros = copy_texts(&p->keep, o->layout.macros, o->layout.macro_count);
	o->layout.spec_values =
	    copy_list(&p->keep, o->layout.spec_values, o->layout.spec_value_count, sizeof *o->layout.spec_values);
	o->combined.merge = copy_texts(&p->keep, o->combined.merge, o->combined.merge_count);
	o->heaps.places = copy_list(&p->keep, o->heaps.places, o->heaps.place_count, sizeof *o->heaps.places);
	copy_policies(p);
	spb_read_policies(p);
	read_resolvers(p);
}

/* Once all options are set */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, and each once. */
static void settle_entries(struct spb_program *p, spb_layout_options *o)
{
	uint32_t count = o->entry_count, n = 0;
	const char **entries;

	if (!count)
		return;
	entries = spb_alloc_array(&p->keep, count, sizeof *entries);
	memcpy(entries, o->entries, count * sizeof *entries);
	spb_sort(&p->context->scratch, entries, count, sizeof *entries, by_text);
	for (uint32_t i = 0; i < count; i++) {
		if (!n || strcmp(entries[n - 1], entries[i]) != 0)
			entries[n++] = entries[i];
	}
	o->entries = entries;
	o->entry_count = n;
}

static int by_spec_id(const void *a, const void *b)
{
	const spb_spec_value *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Sorted by SpecId, the last value of each. */
static void settle_spec_values(struct spb_program *p, spb_layout_options *o)
{
	uint32_t count = o->spec_value_count, n = 0;
	spb_spec_value *values;

	if (!count)
		return;
	values = spb_alloc_array(&p->keep, count, sizeof *values);
	memcpy(values, o->spec_values, count * sizeof *values);
	spb_sort(&p->context->scratch, values, count, sizeof *values, by_spec_id);
	for (uint32_t i = 0; i < count; i++) {
		if (i + 1 == count || values[i].id != values[i + 1].id)
			values[n++] = values[i];
	}
	o->spec_values = values;
	o->spec_value_count = n;
}

/* The options of `option` lines, unless explicit ones override them. */
static void settle_policies(struct spb_program *p, spb_layout_options *o)
{
	const struct spb_policies *said = &p->policies;

	o->auto_shift |= said->shifting == SPB_SHIFT_AUTO;
	o->no_merge |= said->no_merge;
	o->split_shared |= said->split_shared;
	o->keep_array_sizes |= said->keep_array_sizes;
	if (!o->has_auto_set && said->has_auto_set) {
		o->has_auto_set = true;
		o->auto_set = said->auto_set;
	}
	if (!o->default_set)
		o->default_set = said->default_set;
	if (!o->module_order)
		o->module_order = said->module_order;
	spb_policy_index(&p->policies, &p->keep);
}

/* All of it or, if memory runs out, nothing, so that it can be called again. */
void spb_settle_options(struct spb_program *p)
{
	spb_options o = p->options;
	const char *wrong = spb_options_disagree(&o);

	if (p->settled)
		return;
	if (wrong)
		spb_refuse_option(p->context, wrong);
	if (o.heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP) /* it has no combined descriptors */
		o.heaps.combined = SPB_COMBINED_SPLIT;
	if (o.mode == SPB_MODE_LINT) /* which reports what automatic decoration would do */
		o.uniformity.mode = SPB_NONUNIFORM_AUTO;
	if (o.debug.only) /* the result need not be valid */
		o.validation.which = SPB_VALIDATE_NONE;
	settle_entries(p, &o.layout);
	settle_spec_values(p, &o.layout);
	if (o.combined.merge_count)
		p->pairs_found = spb_bits(&p->keep, o.combined.merge_count);
	settle_policies(p, &o.layout);
	p->options = o;
	p->settled = true;
}
