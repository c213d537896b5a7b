/* SPDX-License-Identifier: Apache-2.0 */
/* analyse: the stages of a program are one program of the library, with the entry points and the values of
 * specialization constants that they run with. First it is linted; then it is bound as it is, and what its modules
 * access is compared with the set layouts of the application, as far as the Khronos validation layer does not do that.
 * Nothing of the result gets to the driver. */
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "layer/layer.h"

enum { MOST_MEMORY = 1 << 30 };

/* What is wrong with a module, too: it cannot be analysed. */
static void on_message(void *user, const spb_message *m)
{
	if (m->finding == SPB_FINDING_NEW && (*m->rule || m->severity == SPB_SEVERITY_ERROR))
		layer_report(user, m);
}

static void run(const struct layer_program *p, const spb_options *options,
		void (*message)(void *user, const spb_message *m),
		void (*then)(const struct layer_program *p, spb_program *program))
{
	const spb_limits limits = {.struct_size = sizeof limits, .memory = MOST_MEMORY};
	const spb_callbacks callbacks = {message, (void *)(uintptr_t)p};
	spb_context *context = NULL;
	spb_program *program = NULL;
	spb_status status = spb_context_create(NULL, &callbacks, &context);

	if (status == SPB_OK)
		status = spb_context_limit(context, &limits);
	if (status == SPB_OK)
		status = spb_program_create(context, options, &program);
	for (size_t k = 0; status == SPB_OK && k < p->module_count; k++) {
		const struct layer_module *m = p->modules[k];
		status = spb_program_add(program, m->name, m->words, m->word_count, 0);
	}
	if (status == SPB_OK)
		status = spb_program_bind(program);
	if (status == SPB_OK && then)
		then(p, program);
	spb_program_destroy(program);
	spb_context_destroy(context);
}

/* Check */

static void report(const struct layer_program *p, const spb_resource *r, const spb_descriptor_access *a,
		   const char *what, uint32_t number, const char *remedy)
{
	spb_message m = {.struct_size = sizeof m,
			 .severity = SPB_SEVERITY_ERROR,
			 .module = p->modules[r->module]->name,
			 .pass = "layout",
			 .id = a ? a->input_id : r->input_id,
			 .op = "",
			 .name = r->name,
			 .function = "",
			 .file = a ? a->file : r->file,
			 .line = a ? a->line : r->line,
			 .remedy = remedy,
			 .rule = "layout",
			 .justification = ""};
	const uint32_t what_is_wrong[] = {r->old_set, r->old_binding, number};
	struct layer_text t = {0}, fingerprint = {0};

	layer_add(&fingerprint, "%x", layer_hash(p->modules[r->module]->hash, what_is_wrong, sizeof what_is_wrong));
	m.fingerprint = fingerprint.data;
	layer_add(&t, *r->name ? "\"%s\"" : "the resource", r->name);
	layer_add(&t, " at set %u, binding %u", r->old_set, r->old_binding);
	layer_add(&t, what, number);
	m.text = t.data;
	if (!t.lost && !fingerprint.lost)
		layer_report(p, &m);
	free(t.data);
	free(fingerprint.data);
}

/* Known when the pipeline is created: OpSpecConstant or OpSpecConstantOp, which stand before the functions. */
static bool is_specialized(const struct layer_module *m, uint32_t id)
{
	for (size_t at = 5; at + 2 < m->word_count; at += m->words[at] >> 16) {
		const uint32_t op = m->words[at] & 0xFFFF;
		if (op == SpvOpFunction || m->words[at] >> 16 == 0)
			break;
		if ((op == SpvOpSpecConstant || op == SpvOpSpecConstantOp) && m->words[at + 2] == id)
			return true;
	}
	return false;
}

/* Samplers that convert Y'CbCr are indexed by constants only (Vulkan, Sampler Y'CBCR Conversion). Past the end: a fault
 * of an array with a length is one that the validation layer reports (VUID-...-layout-07991). */
static void check_accesses(const struct layer_program *p, const spb_resource *r, const struct layer_binding *b,
			   const spb_descriptor_access *accesses, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		const spb_descriptor_access *a = &accesses[k];
		if (a->module != r->module || a->resource != r->id)
			continue;
		if (!r->count && a->constant && a->index >= b->count)
			report(p, r, a, " is accessed past the end of the set layout's array, at element %u", a->index,
			       "Use an element that the set layout has, or give the binding more descriptors.");
		if (b->converts && a->index_id && !a->constant && !is_specialized(p->modules[r->module], a->index_id))
			report(p, r, a, ", with %u samplers for Y'CbCr conversion, has an index that is not constant",
			       b->count, "Use constants or specialization constants.");
	}
}

static void check(const struct layer_program *p, spb_program *program)
{
	const spb_descriptor_binding *descriptors;
	const spb_descriptor_access *accesses;
	const spb_resource *resources;
	const size_t count = spb_program_resources(program, sizeof *resources, &resources),
		     access_count = spb_program_accesses(program, sizeof *accesses, &accesses);

	spb_program_descriptors(program, sizeof *descriptors, &descriptors);
	for (size_t k = 0; k < count; k++) {
		const spb_resource *r = &resources[k];
		const struct layer_stage *s = layer_stage_of(p, p->modules[r->module]->name);
		const struct layer_binding *b =
		    r->had_binding ? layer_find_binding(s->layout, r->old_set, r->old_binding) : NULL;
		if (!b)
			continue;
		if (b->mutable_types && layer_type_bit(r->descriptor_type) & ~b->mutable_types)
			report(p, r, NULL, ", which is mutable, cannot be a descriptor of VkDescriptorType %u",
			       r->descriptor_type, "Add the type to the binding's VkMutableDescriptorTypeListEXT.");
		if (b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK && descriptors[r->descriptor].count > b->count)
			report(p, r, NULL, ", which is inline in the set, has fewer bytes there than in the shader: %u",
			       b->count, "Give the binding a descriptorCount of the size of the block.");
		if (!r->count || b->converts)
			check_accesses(p, r, b, accesses, access_count);
	}
}

static bool has_capability(const struct layer_module *m, uint32_t capability)
{
	for (size_t at = 5; at + 1 < m->word_count && m->words[at] == (2u << 16 | 17); at += 2) { /* OpCapability */
		if (m->words[at + 1] == capability)
			return true;
	}
	return false;
}

/* Rules that make descriptors of the layout's kinds; sets *needed if there is something to check. */
static void read_layouts(const struct layer_program *p, struct layer_text *rules, bool *needed)
{
	for (size_t k = 0; k < p->count; k++) {
		const struct layer_layout *l = p->stages[k]->layout;
		*needed |= l && has_capability(p->stages[k]->module, 5302); /* RuntimeDescriptorArray */
		for (uint32_t set = 0; l && set < l->set_count; set++) {
			const struct layer_set *s = l->sets[set];
			for (uint32_t n = 0; s && n < s->count; n++) {
				const struct layer_binding *b = &s->bindings[n];
				*needed |= b->mutable_types || b->converts;
				if (b->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
					continue;
				*needed = true;
				layer_add(rules, "descriptor set=%u binding=%u -> type=inline-uniform-block\n", set,
					  b->binding);
			}
		}
	}
}

void layer_analyse(const struct layer_program *p)
{
	const struct layer_settings *settings = &p->device->instance->settings;
	const char **entries = malloc(p->count * sizeof *entries);
	struct layer_text rules = {0};
	spb_policy policy = {"set layouts", NULL};
	bool needed = false;
	spb_options o;

	spb_options_init(&o, sizeof o);
	for (size_t k = 0; entries && k < p->count; k++)
		entries[k] = p->stages[k]->entry;
	o.layout.entries = entries;
	o.layout.entry_count = entries ? (uint32_t)p->count : 0;
	o.layout.spec_values = p->values;
	o.layout.spec_value_count = p->value_count;
	o.layout.allow_overlap = o.layout.no_merge = true;
	o.layout.unused = SPB_UNUSED_COUNT;
	o.uniformity.lint = *settings->rules ? settings->rules : NULL;
	o.uniformity.suppress = *settings->suppress ? settings->suppress : NULL;
	o.uniformity.lint_all = settings->format != LAYER_FORMAT_TEXT; /* with text, one for each cause */
	o.validation.which = SPB_VALIDATE_NONE;
	o.mode = SPB_MODE_LINT;
	if (settings->lint)
		run(p, &o, on_message, NULL);

	read_layouts(p, &rules, &needed);
	policy.text = rules.data;
	o.layout.policies = &policy;
	o.layout.policy_count = rules.data && !rules.lost;
	o.uniformity.lint = o.uniformity.suppress = NULL;
	o.uniformity.mode = SPB_NONUNIFORM_KEEP;
	o.mode = SPB_MODE_BIND;
	o.explain = true;
	if (settings->check && needed) /* what binding refuses, lint has reported, or Vulkan accepts */
		run(p, &o, NULL, check);
	free(rules.data);
	free(entries);
}
