/* SPDX-License-Identifier: Apache-2.0 */
/* decide: applies `descriptor` and `push` lines of policies, which state what the host decides about descriptors and
 * SPIR-V cannot express, and checks them against the rules of VkDescriptorSetLayoutCreateInfo.
 *
 *     descriptor name=Draw -> type=dynamic                 UNIFORM_BUFFER_DYNAMIC
 *     descriptor set=1 binding=4 -> type=mutable           MUTABLE_EXT
 *     descriptor set=1 binding=4 -> type=mapped            one descriptor of each type, for resourceMask
 *     descriptor kind=sampler set=0 -> samplers=immutable  pImmutableSamplers
 *     descriptor name=heap_* -> flags=partially-bound,update-after-bind
 *     push set=3                                           PUSH_DESCRIPTOR
 *
 * A line applies to an entry if it applies to one of its views. The first line that gives a value wins. */
#include "analysis/layout/plan.h"

struct decision {
	struct spb_entry *entry;
	const struct spb_parameter *view; /* the first one that a line applies to */
	const struct spb_policy_line *form, *samplers, *flags;
};

/* Which lines apply */

static void keep_first(const struct spb_policy_line **to, const struct spb_policy_line *line, bool gives)
{
	if (gives && (!*to || line < *to))
		*to = line;
}

static struct spb_policy_question question_of(const struct spb_parameter *p, uint32_t binding)
{
	return (struct spb_policy_question){
	    .about_descriptor = true,
	    .names = {p->variable->key, spb_declared_name(p->variable), p->variable->name},
	    .kind = p->variable->kind,
	    .class = p->class,
	    .stages = p->stages,
	    .writable = p->writable,
	    .has_binding = true,
	    .set = p->set,
	    .binding = binding,
	};
}

/* Its binding; before numbers are decided, its number plus any known shift. */
static uint32_t binding_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	uint32_t by = 0;

	if (s->numbered || p->place == SPB_PLACE_BOUND)
		return p->binding;
	if (s->hlsl)
		spb_known_shift(&s->lanes, spb_own_lane(s, p), p->set, &by);
	return p->number + by;
}

static void find_form(struct spb_plan *s, const struct spb_parameter *p, const struct spb_policy_line **form)
{
	const struct spb_policy_question q = question_of(p, binding_of(s, p));

	if (s->policies->lines.count == s->policies->placing)
		return;
	const struct spb_policy_found found = spb_policy_find(s->policies, &q, &s->c->scratch);
	for (size_t i = 0; i < found.count; i++)
		keep_first(form, found.items[i], found.items[i]->has_form);
}

bool spb_is_mapped(struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_policy_line *form = NULL;

	find_form(s, p, &form);
	return s->maps_all || (form && form->form == SPB_FORM_MAPPED);
}

const struct spb_policy_line *spb_mixing_policy(struct spb_plan *s, const struct spb_group *a,
						const struct spb_group *b)
{
	const struct spb_policy_line *form = NULL;

	if (s->policies->lines.count == s->policies->placing)
		return NULL;
	for (uint32_t i = a->first + 1; i; i = spb_next_view(s, i))
		find_form(s, spb_plan_parameter(s, i - 1), &form);
	for (uint32_t i = b->first + 1; i; i = spb_next_view(s, i))
		find_form(s, spb_plan_parameter(s, i - 1), &form);
	return form && (form->form == SPB_FORM_MUTABLE || form->form == SPB_FORM_MAPPED) ? form : NULL;
}

static struct decision find_decision(struct spb_plan *s, struct spb_entry *e)
{
	struct decision d = {.entry = e, .view = spb_plan_parameter(s, s->layout->sorted[e->first])};

	for (uint32_t i = e->first; i < spb_entry_end(e); i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, s->layout->sorted[i]);
		struct spb_policy_question q = question_of(p, p->binding);
		q.counts = true;
		const struct spb_policy_found found = spb_policy_find(s->policies, &q, &s->c->scratch);
		for (size_t k = 0; k < found.count; k++) {
			const struct spb_policy_line *line = found.items[k];
			if (!d.form && !d.samplers && !d.flags)
				d.view = p;
			keep_first(&d.form, line, line->has_form);
			keep_first(&d.samplers, line, line->has_samplers);
			keep_first(&d.flags, line, line->has_flags);
		}
	}
	return d;
}

/* Whether Vulkan allows it */

static noreturn void refuse(const struct spb_plan *s, const struct decision *d, const struct spb_policy_line *line,
			    const char *what, const char *rule)
{
	const struct spb_parameter *p = d->view;

	spb_fail(spb_module_of(s, p), SPB_ERROR_CONFLICT, SPB_E_DESCRIPTOR, p->variable->at,
		 "%s (%s) cannot %s, as %s asks: %s", spb_parameter_label(s, p),
		 spb_descriptor_type_name(d->entry->vk_type), what, line->origin, rule);
}

static bool is_flagged(const struct spb_entry *e, uint32_t flag)
{
	return e->flags >> flag & 1;
}

static bool is_dynamic(const struct spb_entry *e)
{
	return e->vk_type == SPB_VK_UNIFORM_BUFFER_DYNAMIC || e->vk_type == SPB_VK_STORAGE_BUFFER_DYNAMIC;
}

static void make_dynamic(const struct spb_plan *s, const struct decision *d)
{
	struct spb_entry *e = d->entry;

	if (e->vk_type == SPB_VK_MUTABLE)
		refuse(s, d, d->form, "be dynamic",
		       "a mutable descriptor is never dynamic (VUID-VkMutableDescriptorTypeListEXT-"
		       "pDescriptorTypes-04601 and -04602)");
	if (e->types != 1u << SPB_DESCRIPTOR_UBO && e->types != 1u << SPB_DESCRIPTOR_SSBO)
		refuse(s, d, d->form, "be dynamic", "only uniform and storage buffers have dynamic offsets");
	e->vk_type =
	    e->types == 1u << SPB_DESCRIPTOR_UBO ? SPB_VK_UNIFORM_BUFFER_DYNAMIC : SPB_VK_STORAGE_BUFFER_DYNAMIC;
}

/* The size of the largest block among all views. Type sizes are computed once per module, on first use. */
static uint32_t bytes_of(const struct spb_plan *s, const struct spb_entry *e)
{
	uint32_t most = 0;

	for (uint32_t i = e->first; i < spb_entry_end(e); i++) {
		uint32_t p = s->layout->sorted[i];
		for (uint32_t k = s->layout->first_view[p]; k < s->layout->first_view[p + 1]; k++) {
			struct spb_layout_module *m = &s->modules[s->layout->views[k].module];
			if (!m->sizes)
				m->sizes =
				    spb_type_sizes(spb_plan_module(s, s->layout->views[k].module), NULL, s->arena);
			uint32_t bytes = m->sizes[m->variables.items[s->layout->views[k].variable].element];
			most = bytes > most ? bytes : most;
		}
	}
	return most;
}

static void make_inline(const struct spb_plan *s, const struct decision *d)
{
	struct spb_entry *e = d->entry;
	uint32_t bytes;

	if (e->vk_type != spb_descriptor_info(SPB_DESCRIPTOR_UBO)->vk_type)
		refuse(s, d, d->form, "be an inline uniform block", "only a uniform block can be inline");
	if (e->count != 1)
		refuse(s, d, d->form, "be an inline uniform block",
		       "inline uniform blocks cannot be aggregated into arrays (Vulkan, \"Inline Uniform Block\")");
	bytes = bytes_of(s, e);
	if (bytes > UINT32_MAX - 3)
		refuse(s, d, d->form, "be an inline uniform block", "its size exceeds 32 bits");
	e->vk_type = SPB_VK_INLINE_UNIFORM_BLOCK;
	e->count = (bytes + 3) / 4 * 4; /* VUID-VkDescriptorSetLayoutBinding-descriptorType-02209 */
}

static void make_immutable(const struct spb_plan *s, const struct decision *d)
{
	uint32_t samplers = 1u << SPB_DESCRIPTOR_SAMPLER | 1u << SPB_DESCRIPTOR_COMBINED;

	if (d->entry->vk_type == SPB_VK_MUTABLE)
		refuse(s, d, d->samplers, "have immutable samplers",
		       "a mutable descriptor has none (VUID-VkDescriptorSetLayoutCreateInfo-descriptorType-04594)");
	if (d->entry->types & ~samplers)
		refuse(s, d, d->samplers, "have immutable samplers",
		       "only samplers and combined image-samplers have any (VkDescriptorSetLayoutBinding)");
	d->entry->immutable = true;
}

static void check_flags(const struct spb_plan *s, const struct decision *d)
{
	const struct spb_entry *e = d->entry;

	if (is_flagged(e, SPB_FLAG_UPDATE_AFTER_BIND) &&
	    (is_dynamic(e) || e->types & 1u << SPB_DESCRIPTOR_INPUT_ATTACHMENT))
		refuse(s, d, d->flags, "have the flag update-after-bind",
		       "input attachments and dynamic buffers are bound as they are "
		       "(VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-None-03011)");
	if (is_flagged(e, SPB_FLAG_VARIABLE_COUNT) && is_dynamic(e))
		refuse(s, d, d->flags, "have the flag variable-count",
		       "dynamic buffers have none "
		       "(VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03015)");
}

static void apply(const struct spb_plan *s, const struct decision *d)
{
	switch (d->form ? d->form->form : SPB_FORM_PLAIN) {
	case SPB_FORM_PLAIN:
	case SPB_FORM_MAPPED: /* each type already has a separate entry */
		break;
	case SPB_FORM_MUTABLE:
		d->entry->vk_type = SPB_VK_MUTABLE;
		d->entry->chosen = true;
		break;
	case SPB_FORM_DYNAMIC:
		make_dynamic(s, d);
		break;
	case SPB_FORM_INLINE:
		make_inline(s, d);
		break;
	}
	if (d->samplers && d->samplers->immutable)
		make_immutable(s, d);
	if (d->flags) {
		d->entry->flags = (uint8_t)d->flags->flags;
		check_flags(s, d);
	}
}

/* Checks the entries of one set. Entries at the same place are never in the same set layout. */
static void check_set(const struct spb_plan *s, const struct decision *all, size_t count)
{
	const struct spb_entry *last = all[count - 1].entry;
	const struct decision *updated = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct decision *d = &all[i];
		if (is_flagged(d->entry, SPB_FLAG_VARIABLE_COUNT) && d->entry->binding != last->binding)
			refuse(s, d, d->flags, "have the flag variable-count",
			       "only the last binding of a set has that "
			       "(VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03004)");
		if (is_flagged(d->entry, SPB_FLAG_UPDATE_AFTER_BIND))
			updated = d;
	}
	for (size_t i = 0; i < count && updated; i++) {
		if (is_dynamic(all[i].entry) && all[i].entry->binding != updated->entry->binding)
			refuse(s, updated, updated->flags, "have the flag update-after-bind",
			       "a set that has such a binding has no dynamic buffer "
			       "(VUID-VkDescriptorSetLayoutCreateInfo-descriptorType-03001)");
	}
}

static void check_push_set(const struct spb_plan *s, const struct decision *d, const struct spb_policy_line *push)
{
	const struct spb_entry *e = d->entry;
	uint32_t fixed = ~(1u << SPB_FLAG_PARTIALLY_BOUND);

	if (is_dynamic(e))
		refuse(s, d, push, "be a push descriptor",
		       "dynamic buffers are not pushed (VUID-VkDescriptorSetLayoutCreateInfo-flags-00280)");
	if (e->vk_type == SPB_VK_INLINE_UNIFORM_BLOCK)
		refuse(s, d, push, "be a push descriptor",
		       "inline uniform blocks are not pushed (VUID-VkDescriptorSetLayoutCreateInfo-flags-02208)");
	if (e->vk_type == SPB_VK_MUTABLE)
		refuse(s, d, push, "be a push descriptor",
		       "mutable descriptors are not pushed (VUID-VkDescriptorSetLayoutCreateInfo-flags-04591)");
	if (e->flags & fixed)
		refuse(s, d, push, "be a push descriptor",
		       "of all flags they can only have partially-bound "
		       "(VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-flags-03003)");
}

/* One with a descriptor buffer; then all of its pipeline layout have one
 * (VUID-VkPipelineLayoutCreateInfo-pSetLayouts-08008). */
static void check_buffer_set(const struct spb_plan *s, const struct decision *d)
{
	if (is_dynamic(d->entry))
		refuse(s, d, d->form, "be dynamic",
		       "descriptor buffers have no dynamic offsets (VUID-VkDescriptorSetLayoutCreateInfo-flags-08000)");
	if (is_flagged(d->entry, SPB_FLAG_UPDATE_AFTER_BIND))
		refuse(s, d, d->flags, "have the flag update-after-bind",
		       "descriptor buffers need none (VUID-VkDescriptorSetLayoutCreateInfo-flags-08002)");
}

static void add_set_flag(struct decision *all, size_t count, uint32_t flag)
{
	for (size_t i = 0; i < count; i++)
		all[i].entry->set_flags |= (uint8_t)flag;
}

static bool has_updates(const struct decision *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (is_flagged(all[i].entry, SPB_FLAG_UPDATE_AFTER_BIND))
			return true;
	}
	return false;
}

static void decide_sets(struct spb_plan *s, struct decision *all, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && all[end].entry->set == all[i].entry->set; end++)
			;
		check_set(s, &all[i], end - i);
		if (has_updates(&all[i], end - i)) /* VUID-VkDescriptorSetLayoutCreateInfo-flags-03000 */
			add_set_flag(&all[i], end - i, 1u << SPB_SET_UPDATE_AFTER_BIND_POOL);
	}
	for (size_t i = 0; i < count && s->policies->descriptor_buffers; i++)
		check_buffer_set(s, &all[i]);
	if (s->policies->descriptor_buffers)
		add_set_flag(all, count, 1u << SPB_SET_DESCRIPTOR_BUFFER);
	const struct spb_policy_line *push = NULL; /* the first: all are about one set */
	for (size_t k = 0; k < s->policies->lines.count; k++) {
		struct spb_policy_line *line = &s->policies->lines.items[k];
		if (line->verb != SPB_POLICY_PUSH)
			continue;
		for (size_t i = 0; i < count && !push; i++) {
			if (all[i].entry->set != line->set)
				continue;
			line->matched = true;
			check_push_set(s, &all[i], line);
			add_set_flag(&all[i], 1, 1u << SPB_SET_PUSH_DESCRIPTOR);
		}
		push = push ? push : line;
		line->matched = push->matched;
	}
}

static void warn_unmatched(const struct spb_plan *s)
{
	spb_policy_note_matched(s->policies);
	for (size_t i = 0; i < s->policies->lines.count && s->module_count; i++) {
		const struct spb_policy_line *line = &s->policies->lines.items[i];
		bool push = line->verb == SPB_POLICY_PUSH;
		if (line->matched || strncmp(line->file, "--", 2) != 0 ||
		    (line->verb != SPB_POLICY_DESCRIPTOR && !push))
			continue;
		spb_report(
		    spb_plan_module(s, 0), SPB_SEVERITY_WARNING, SPB_E_POLICY_NO_MATCH, 0,
		    push ? "%s matches no descriptor of the program, whose sets spirv-bind layout lists"
			 : "%s matches no descriptor of the program" SPB_REMEDY
			   "In a policy, set= and binding= are those of the result, which spirv-bind layout lists.",
		    line->origin);
	}
}

void spb_decide(struct spb_plan *s)
{
	size_t count = s->layout->entries.count;
	struct decision *all;

	if (s->policies->lines.count == s->policies->placing && !s->policies->descriptor_buffers)
		return;
	all = spb_alloc_array(&s->c->scratch, count, sizeof *all);
	for (size_t i = 0; i < count; i++) {
		all[i] = find_decision(s, &s->layout->entries.items[i]);
		apply(s, &all[i]);
	}
	decide_sets(s, all, count);
	warn_unmatched(s);
}
