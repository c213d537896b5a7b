/* SPDX-License-Identifier: Apache-2.0 */
/* features: the Vulkan features that the modules of a program need, the capabilities that binding adds, and whether the
 * host has what --host-features says. */
#include "lib/lib.h"

void spb_add_feature(struct spb_program *p, struct spb_feature_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++) {
		if (!strcmp(names->items[i], name))
			return;
	}
	SPB_PUSH(&p->context->scratch, names, name);
}

/* Indexing comes first, then the rest, each by the number of the capability. */
static int by_kind_and_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const bool x_indexes = spb_is_indexing(x), y_indexes = spb_is_indexing(y);

	return x_indexes != y_indexes ? y_indexes - x_indexes : (x > y) - (x < y);
}

/* The requirements of a variable's entry. */
static void add_entry_features(struct spb_program *p, struct spb_feature_names *names, const struct spb_variable *v)
{
	const struct spb_parameter *q = &p->layout.parameters.items[v->parameter];
	const struct spb_entry *e = spb_entry_of(&p->layout, q);
	enum spb_descriptor type = q->type;

	if (q->place == SPB_PLACE_REMOVED)
		return;
	for (uint32_t i = 0; i < SPB_FLAG_COUNT; i++) {
		const char *feature = e->flags >> i & 1 ? spb_flag_feature(i, type, e->vk_type) : NULL;
		if (feature)
			spb_add_feature(p, names, feature);
	}
	if (e->vk_type == SPB_VK_MUTABLE && q->variable->heap)
		spb_add_feature(p, names, "mutableDescriptorType");
	if (e->vk_type == SPB_VK_INLINE_UNIFORM_BLOCK)
		spb_add_feature(p, names, "inlineUniformBlock");
	const bool push = e->set_flags >> SPB_SET_PUSH_DESCRIPTOR & 1,
		   buffer = e->set_flags >> SPB_SET_DESCRIPTOR_BUFFER & 1;
	if (push)
		spb_add_feature(p, names, "pushDescriptor");
	if (buffer)
		spb_add_feature(p, names, "descriptorBuffer");
	if (push && buffer)
		spb_add_feature(p, names, "descriptorBufferPushDescriptors");
}

/* VUID-RuntimeSpirv-NonWritable-06340 and 06341 */
static void add_store_features(struct spb_program *p, struct spb_feature_names *names, const struct spb_variable *v)
{
	enum { VERTEX_PIPELINE = 0xF, FRAGMENT = 0x10 }; /* VkShaderStageFlags */
	const uint32_t stages = v->writable ? spb_stage_flags(v->stages | v->listed) : 0;

	if (stages & FRAGMENT)
		spb_add_feature(p, names, "fragmentStoresAndAtomics");
	if (stages & VERTEX_PIPELINE)
		spb_add_feature(p, names, "vertexPipelineStoresAndAtomics");
}

void spb_list_features(struct spb_program *p, size_t module, bool all, struct spb_feature_names *names)
{
	const struct spb_unit *u = &p->slots.items[module]->unit;
	const struct spb_module *m = &u->m;
	SPB_LIST(uint32_t) numbers = {0};

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at))
		SPB_PUSH(&p->context->scratch, &numbers, spb_capability(m, at));
	spb_sort(&p->context->scratch, numbers.items, numbers.count, sizeof *numbers.items, by_kind_and_number);
	for (size_t i = 0; i < numbers.count; i++) {
		bool is_feature;
		const char *name = spb_feature_of(numbers.items[i], &is_feature);
		if (name && (is_feature || all))
			spb_add_feature(p, names, name);
		else if (!name && !all && (name = spb_other_feature_of(numbers.items[i])))
			spb_add_feature(p, names, name);
	}
	for (size_t i = 0; i < u->placed.variables.count; i++) {
		add_entry_features(p, names, &u->placed.variables.items[i]);
		if (!all)
			add_store_features(p, names, &u->placed.variables.items[i]);
	}
}

/* ---- what is added ---- */

static bool had_capability(const struct spb_module *m, uint32_t capability)
{
	for (uint32_t at = 5; at < m->given_count && (m->given[at] & 0xFFFF) <= SpvOpCapability;
	     at += m->given[at] >> 16) {
		if ((m->given[at] & 0xFFFF) == SpvOpCapability && m->given[at + 1] == capability)
			return true;
	}
	return false;
}

struct spb_added spb_find_added(const struct spb_program *p, size_t module, struct spb_arena *arena)
{
	const struct spb_slot *slot = p->slots.items[module];
	const struct spb_module *m = &slot->unit.m;
	struct spb_added added = {0};

	for (spb_at at = 5; at < m->section[SPB_SECTION_EXTENSION] && spb_is_changed(slot); at = spb_next(m, at)) {
		const uint32_t capability = spb_capability(m, at);
		bool is_feature;
		if (capability == UINT32_MAX || had_capability(m, capability))
			continue;
		const char *feature = spb_feature_of(capability, &is_feature);
		SPB_PUSH(arena, &added,
			 ((spb_added_capability){capability, spb_capability_name(capability), feature ? feature : ""}));
	}
	return added;
}

void spb_list_all_features(struct spb_program *p)
{
	struct spb_feature_names names = {0};

	for (size_t i = 0; i < p->slots.count; i++)
		spb_list_features(p, i, false, &names);
	p->results.features.count = 0;
	for (size_t i = 0; i < names.count; i++) {
		const struct spb_feature_struct *of = spb_struct_of_feature(names.items[i]);
		SPB_PUSH(&p->keep, &p->results.features,
			 ((spb_required_feature){names.items[i], of->name ? of->name : "", of->type ? of->type : "",
						 of->guard ? of->guard : "", of->version}));
	}
}

/* ---- what the host has ---- */

static const char *remedy_for(const char *feature)
{
	if (!strcmp(feature, "runtimeDescriptorArray"))
		return "Give the array a size, or the heap --heap-size=N; or enable the feature and list it.";
	if (!strcmp(feature, "mutableDescriptorType"))
		return "Use --heap-model=typed; or enable the feature and list it.";
	if (!strcmp(feature, "VK_EXT_shader_subgroup_ballot"))
		return "Compile for Vulkan 1.1, which has VK_SUBGROUP_FEATURE_BALLOT_BIT instead; or enable it and "
		       "list it.";
	return "Enable it and list it, or change what needs it in the shader or the policy.";
}

void spb_check_host(struct spb_program *p)
{
	const char *host = p->options.uniformity.host_features;

	p->context->pass = "features";
	for (size_t i = 0; i < p->slots.count && host; i++) {
		struct spb_feature_names names = {0};
		spb_arena_reset(&p->context->scratch);
		spb_list_features(p, i, true, &names);
		for (size_t k = 0; k < names.count; k++) {
			if (!spb_host_has(host, names.items[k]))
				spb_fail(&p->slots.items[i]->unit.m, SPB_ERROR_UNSUPPORTED, SPB_E_HOST_FEATURE, 0,
					 "the module needs %s, which --host-features does not list" SPB_REMEDY "%s",
					 names.items[k], remedy_for(names.items[k]));
		}
	}
}
