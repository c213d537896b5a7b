/* SPDX-License-Identifier: Apache-2.0 */
/* options: what the caller asks for, checked and copied. */
#include "analysis/layout/lines.h"
#include "lib/lib.h"

void spb_options_init(spb_options *options, uint32_t struct_size)
{
	memset(options, 0, struct_size);
	options->struct_size = struct_size;
}

/* "TEX:SMP": two names and the one colon between them. */
static bool is_pair(const char *text)
{
	const char *colon = text ? strchr(text, ':') : NULL;

	return colon && colon != text && colon[1] && !strchr(colon + 1, ':');
}

/* Fields this library does not have must be zero: else the caller asks for something we would ignore. */
bool spb_read_options(const spb_options *from, spb_options *to)
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
	if (to->heap_place_count && !to->heap_places)
		return false;
	for (uint32_t i = 0; i < to->heap_place_count; i++) {
		if (to->heap_places[i].kind > SPB_HEAP_COUNTER)
			return false;
	}
	if (to->policy_count && !to->policies)
		return false;
	for (uint32_t i = 0; i < to->policy_count; i++) {
		if (!to->policies[i].name)
			return false;
	}
	if (to->resolver_count && !to->resolvers)
		return false;
	for (uint32_t i = 0; i < to->resolver_count; i++) {
		if (!to->resolvers[i].name || (to->resolvers[i].word_count && !to->resolvers[i].words))
			return false;
	}
	if (to->bounds_check > SPB_BOUNDS_CHECK_NULL || (to->bounds_check && !to->heap_size))
		return false;
	if (to->heap_model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP) /* which has no combined descriptors */
		to->combined = SPB_COMBINED_SPLIT;
	if (to->unified_stride && to->resource_stride)
		return false;
	return to->rules <= SPB_RULES_HLSL && to->unused <= SPB_UNUSED_REMOVE && to->rebind <= SPB_REBIND_ALL_SETS &&
	       to->order <= SPB_ORDER_NAME && to->nonuniform <= SPB_NONUNIFORM_LINT &&
	       to->uniform_scope <= SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP && to->validate <= SPB_VALIDATE_NONE &&
	       to->target_env <= SPB_ENV_VULKAN_1_3 && to->waterfall <= SPB_WATERFALL_ALL &&
	       to->combined <= SPB_COMBINED_SPLIT && to->heap_model <= SPB_HEAP_MODEL_DESCRIPTOR_HEAP;
}

/* The caller's strings need not outlive the call. */
static void copy_pairs(struct spb_program *p)
{
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

static void copy_heap_places(struct spb_program *p)
{
	uint32_t count = p->options.heap_place_count;
	spb_heap_place *places;

	if (!count)
		return;
	places = spb_alloc_array(&p->keep, count, sizeof *places);
	memcpy(places, p->options.heap_places, count * sizeof *places);
	p->options.heap_places = places;
}

static noreturn void no_profile(struct spb_context *c, const char *name)
{
	const struct spb_lines all = {.c = c, .file = name, .code = SPB_E_POLICY};
	struct spb_text_buffer known = {.arena = &c->scratch};

	for (uint32_t i = 0; spb_profile_name(i); i++)
		spb_text_format(&known, i ? ", %s" : "%s", spb_profile_name(i));
	spb_line_wrong(&all, "there is no profile of this name; there are %s", spb_text_end(&known));
}

/* The lines of all policies, and of the profiles they name. */
static void read_policies(struct spb_program *p)
{
	struct spb_context *c = p->context;

	c->pass = "policy";
	for (uint32_t i = 0; i < p->options.policy_count; i++) {
		const spb_policy *policy = &p->options.policies[i];
		const char *name = spb_copy_text(&p->keep, policy->name, strlen(policy->name));
		const char *text = policy->text ? policy->text : spb_profile_text(name);
		if (!text)
			no_profile(c, name);
		spb_policy_read(&p->policies, c, name, text, &p->keep);
	}
	spb_policy_index(&p->policies, &p->keep);
	p->options.policies = NULL; /* the caller's own */
	p->options.policy_count = 0;
}

/* Modules of their own; what the options point to is the caller's. */
static void read_resolvers(struct spb_program *p)
{
	const spb_resolver *resolvers = p->options.resolvers;
	uint32_t count = p->options.resolver_count;

	p->options.resolvers = NULL;
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
	p->options.resolver_count = 0;
	spb_check_resolvers(p->resolvers, p->resolver_count);
}

static const char *copy_or_null(struct spb_arena *keep, const char *text)
{
	return text ? spb_copy_text(keep, text, strlen(text)) : NULL;
}

void spb_copy_options(struct spb_program *p)
{
	p->options.lock = copy_or_null(&p->keep, p->options.lock);
	p->options.lock_name = copy_or_null(&p->keep, p->options.lock_name);
	p->options.ycbcr = copy_or_null(&p->keep, p->options.ycbcr);
	p->options.buffer_reference_blocks = copy_or_null(&p->keep, p->options.buffer_reference_blocks);
	copy_pairs(p);
	copy_heap_places(p);
	read_policies(p);
	read_resolvers(p);
}
