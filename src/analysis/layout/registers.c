/* SPDX-License-Identifier: Apache-2.0 */
/* registers: HLSL registers in a module, and whether a program has any.
 *
 * glslang writes the register number as Binding, and (0, 0) for a resource without a register. Only the source text,
 * which glslang includes with -g, distinguishes the two.
 *
 * A module that has been bound contains Vulkan bindings, which must not be mistaken for registers when it is bound
 * again. A remark records how registers were shifted:
 *
 *     OpModuleProcessed "spirv-bind: registers shifted t:0=4 u:0=9"       HLSL rules
 *     OpModuleProcessed "spirv-bind: registers shifted bound"             some stages have their own shifts, which
 *                                                                         cannot be undone from one module
 *     OpModuleProcessed "spirv-bind: registers shifted t:0=4 one"         an array takes one of its numbers
 *     OpModuleProcessed "spirv-bind: bindings placed"                     a policy depends on registers or sets
 *                                                                         of the input, or assigned new bindings,
 *                                                                         and must not be applied again
 *
 * spb_put_remark describes the form of remarks in SPIR-V 1.0. */
#include "analysis/layout/plan.h"

static const char shifted_remark[] = "spirv-bind: registers shifted";
static const char placed_remark[] = "spirv-bind: bindings placed";
static const char one_too[] = " one";     /* after the shifts */
static const char bound_too[] = " bound"; /* after these */
const char spb_text_remark[] = "spirv-bind: registers bound";
static const char placed_too[] = " placed"; /* after these */

static bool is_at_zero(const struct spb_variable *v)
{
	return spb_is_at_zero(v) && !v->heap;
}

/* Without source text: marks the variables at (0, 0) that collide with another one of their class. */
static bool guess(struct spb_variables *variables)
{
	uint32_t at_zero[SPB_CLASS_COUNT] = {0}, least[SPB_CLASS_COUNT];
	bool any = false;

	memset(least, 0xFF, sizeof least);
	for (size_t i = 0; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[i];
		if (is_at_zero(v))
			at_zero[v->class]++;
		else if (v->has_binding && (!v->has_set || !v->set) && v->binding < least[v->class])
			least[v->class] = v->binding;
	}
	for (size_t i = 0; i < variables->count; i++) {
		struct spb_variable *v = &variables->items[i];
		bool reaches = !v->count || v->count > least[v->class];
		if (!is_at_zero(v) || !(at_zero[v->class] > 1 || reaches))
			continue;
		v->unnumbered = any = true;
	}
	return any;
}

bool spb_find_unregistered(const struct spb_module *m, const struct spb_source_text *text,
			   struct spb_variables *variables)
{
	bool any = false;

	if (!spb_is_hlsl_by_glslang(m))
		return false;
	for (size_t i = 0; i < variables->count; i++)
		any |= is_at_zero(&variables->items[i]);
	if (!any)
		return false;
	if (!text->present || text->fault)
		return guess(variables);
	for (size_t i = 0; i < variables->count; i++) {
		struct spb_variable *v = &variables->items[i];
		const struct spb_declaration *d = v->extra->declaration;
		bool loose = (!d || d->loose) && !v->heap && !v->added;
		v->unnumbered = is_at_zero(v) && (loose || (d && !d->has_register && !d->has_place));
	}
	return false;
}

spb_at spb_find_registers_remark(const struct spb_module *m)
{
	spb_at at = spb_find_remark(m, shifted_remark);

	at = at ? at : spb_find_remark(m, placed_remark);
	return at ? at : spb_find_remark(m, spb_text_remark);
}

static bool read_digits(const char **text, uint32_t *number)
{
	uint64_t value = 0;
	const char *p = *text;

	for (; *p >= '0' && *p <= '9' && value <= UINT32_MAX; p++)
		value = value * 10 + (uint64_t)(*p - '0');
	if (p == *text || value > UINT32_MAX)
		return false;
	*number = (uint32_t)value;
	*text = p;
	return true;
}

/* Reads " t:0=4". False: there are no more, or another tool wrote the remark. */
static bool read_shift(const char **text, struct spb_shift *shift)
{
	const char *p = *text, *class = "btsu", *letter;

	if (*p != ' ' || !p[1] || !(letter = strchr(class, p[1])) || p[2] != ':')
		return false;
	shift->class = (enum spb_class)(letter - class);
	p += 3;
	if (!read_digits(&p, &shift->set) || *p++ != '=' || !read_digits(&p, &shift->by))
		return false;
	*text = p;
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

/* Records the shift. Consecutive variables with the same shift and no other spb_extra of their own share one. */
static void unshift(struct spb_variable *v, uint32_t by, const struct spb_extra **shared, struct spb_arena *arena)
{
	if (v->extra != &spb_no_extra) {
		spb_own_extra(v, arena)->shift = by;
		return;
	}
	if ((*shared)->shift != by) {
		spb_own_extra(v, arena)->shift = by;
		*shared = v->extra;
	}
	v->extra = *shared;
}

bool spb_read_registers_remark(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena,
			       bool hlsl)
{
	spb_at at = spb_find_registers_remark(m);
	const char *text = at ? spb_string(m, at + 1) : "";
	SPB_LIST(struct spb_shift) shifts = {0};
	struct spb_shift shift = {0};
	const struct spb_extra *shared = &spb_no_extra;

	for (size_t i = 0; i < variables->count && at; i++)
		variables->items[i].placed = ends_with(text, placed_too);
	if (!hlsl || strncmp(text, shifted_remark, sizeof shifted_remark - 1) != 0)
		return at != 0;
	text += sizeof shifted_remark - 1;
	while (read_shift(&text, &shift))
		SPB_PUSH(&m->context->scratch, &shifts, shift);
	text += !strncmp(text, one_too, sizeof one_too - 1) ? sizeof one_too - 1 : 0;
	bool bound = !strncmp(text, bound_too, sizeof bound_too - 1);
	spb_sort(&m->context->scratch, shifts.items, shifts.count, sizeof *shifts.items, spb_by_shift);
	for (size_t i = 0; i < variables->count; i++) {
		struct spb_variable *v = &variables->items[i];
		uint32_t by = 0, lane = spb_lane(0, v->class);
		v->bound = bound;
		spb_find_shift(shifts.items, shifts.count, lane, v->has_set ? v->set : 0, &by);
		if (by && !bound && v->has_binding && v->binding >= by)
			unshift(v, by, &shared, arena);
	}
	return true;
}

/* Of a module that no run has numbered. */
static bool has_only_registers(const struct spb_layout_module *m)
{
	return spb_is_hlsl_by_glslang(m->m) && !m->one_each;
}

struct spb_shifts spb_recorded_shifts(const struct spb_plan *s)
{
	const spb_rebind rebind = s->options->layout.rebind;
	struct spb_shifts all = {0}, agreed = {0};

	if (!s->hlsl || (rebind != SPB_REBIND_MISSING && rebind != SPB_REBIND_CONFLICTS))
		return agreed;
	for (size_t i = 0; i < s->module_count; i++) {
		const struct spb_layout_module *m = &s->modules[i];
		const struct spb_variables *variables = &m->variables;
		if (!m->text->numbered && variables->count && !has_only_registers(m))
			return agreed; /* together with bindings, all of them are shifted in a new way */
		for (size_t k = 0; k < variables->count && m->text->numbered; k++) {
			const struct spb_variable *v = &variables->items[k];
			if (v->has_binding && !v->unnumbered && !v->heap && !v->bound && !spb_is_auto(s->options, v))
				SPB_PUSH(&s->c->scratch, &all,
					 ((struct spb_shift){.class = (enum spb_class)v->class,
							     .has_set = true,
							     .set = v->has_set ? v->set : 0,
							     .by = v->extra->shift}));
		}
	}
	spb_sort(&s->c->scratch, all.items, all.count, sizeof *all.items, spb_by_shift);
	for (size_t i = 0, end; i < all.count; i = end) {
		bool differ = false;
		for (end = i; end < all.count && !spb_by_shift(&all.items[end], &all.items[i]); end++)
			differ |= all.items[end].by != all.items[i].by;
		if (!differ)
			SPB_PUSH(s->arena, &agreed, all.items[i]);
	}
	return agreed;
}

/* Whether a policy must not be applied again, because it depends on the input, or unassigns what the input fixes: on
 * the output, where structs have been split, it might have another effect. */
static bool is_placed(const struct spb_layout *layout, const struct spb_policies *policies)
{
	for (size_t i = 0; i < policies->lines.count; i++) {
		const struct spb_policy_line *line = &policies->lines.items[i];
		if (line->verb != SPB_POLICY_DESCRIPTOR &&
		    (line->has_from_set || line->has_register || line->open || line->has_range))
			return true;
	}
	for (size_t i = 0; i < layout->parameters.count; i++) {
		const struct spb_parameter *p = &layout->parameters.items[i];
		if (p->variable->placed && p->place == SPB_PLACE_FIXED) /* an earlier run decided */
			return true;
		if ((layout->drafts[i].block && p->variable->extra->pieces > 1) ||
		    (p->said && *p->variable->extra->path))
			return true;
	}
	return policies->fixed_registers && policies->shifts.count;
}

bool spb_records_shifts(const struct spb_module *m)
{
	return spb_find_remark(m, shifted_remark) != 0;
}

bool spb_records_one_each(const struct spb_module *m)
{
	const spb_at at = spb_find_remark(m, shifted_remark);

	return at && strstr(spb_string(m, at + 1), one_too);
}

/* Whether a stage has its own shifts, or had them when an earlier run numbered it. */
static bool has_bound(const struct spb_layout *layout)
{
	bool bound = false;

	for (size_t i = 0; i < layout->shifts.count && layout->hlsl; i++)
		bound |= layout->shifts.items[i].group != 0;
	for (size_t i = 0; i < layout->parameters.count && layout->hlsl; i++)
		bound |= layout->parameters.items[i].place == SPB_PLACE_BOUND && layout->parameters.items[i].bound;
	return bound;
}

const char *spb_registers_remark(const struct spb_layout *layout, const struct spb_policies *policies, bool one_each,
				 struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};
	bool placed = is_placed(layout, policies), any = false, bound = has_bound(layout);

	if (layout->hlsl)
		spb_text_put(&text, shifted_remark);
	for (size_t i = 0; i < layout->shifts.count && !bound && layout->hlsl; i++) {
		const struct spb_shift *shift = &layout->shifts.items[i];
		if (!shift->by)
			continue;
		spb_text_format(&text, " %c:%u=%u", spb_class_letter(shift->class), shift->set, shift->by);
		any = true;
	}
	if (!any && !bound)
		return placed ? placed_remark : "";
	if (one_each)
		spb_text_put(&text, one_too);
	if (bound)
		spb_text_put(&text, bound_too);
	if (placed)
		spb_text_put(&text, placed_too);
	return spb_text_end(&text);
}

/* Which rules number a program for which nobody has named any.
 *
 * In HLSL, b0 and t0 are two things, and glslang, which writes registers as bindings, gives them one number:
 *
 *     cbuffer Frame : register(b0) { … };       DescriptorSet 0, Binding 0
 *     Texture2D depth : register(t0);           DescriptorSet 0, Binding 0
 *
 * No descriptor serves both, so where the source text has these numbers, they are registers, and HLSL's rules apply. A
 * texture and a sampler at one number do not show that: on Vulkan, authors write a combined image-sampler so in HLSL.
 * Nor do registers of which none collide: as bindings, they are the same. Nor do any for VK_EXT_descriptor_heap, where
 * the host maps b0 and t0 of one number apart. */

bool spb_counts_registers(const spb_options *options, const struct spb_policies *policies)
{
	return (options->layout.rules ? options->layout.rules : policies->rules) == SPB_RULES_HLSL;
}

/* Whoever moves numbers says what they are. */
static bool may_choose(const spb_options *o, const struct spb_policies *policies)
{
	return !o->layout.rules && !policies->rules && o->layout.rebind == SPB_REBIND_MISSING &&
	       !o->layout.allow_overlap && !o->layout.auto_shift && !policies->shifts.count &&
	       policies->shifting != SPB_SHIFT_BASE && !policies->fixed_registers;
}

bool spb_may_count_registers(const spb_options *options, const struct spb_policies *policies,
			     const struct spb_module *m, const struct spb_source_text *text)
{
	if (!may_choose(options, policies) || spb_source_language(m) != SpvSourceLanguageHLSL)
		return false;
	if (spb_find_registers_remark(m)) /* an earlier run */
		return spb_records_shifts(m);
	if (!spb_is_text_decisive(m, text))
		return false;
	for (size_t i = 0; i < text->declarations.count; i++) {
		if (text->declarations.items[i].has_place) /* [[vk::binding]]: the author's numbers are bindings */
			return false;
	}
	return true;
}

struct numbered {
	uint32_t set, number, class;
};

bool spb_means_registers(const struct spb_plan *s)
{
	SPB_LIST(struct numbered) list = {0};
	bool shifted = false, collide = false;

	if (spb_counts_registers(s->options, s->policies))
		return true;
	for (size_t i = 0; i < s->module_count; i++) {
		const struct spb_layout_module *m = &s->modules[i];
		if (!m->variables.count && !m->dropped.variables.count)
			continue;
		const bool bound = spb_records_shifts(m->m);
		if (!m->may_have_registers || (m->one_each && !bound))
			return false;
		shifted |= bound;
		for (size_t k = 0; k < m->variables.count + m->dropped.variables.count; k++) {
			const struct spb_variable *v = k < m->variables.count
							   ? &m->variables.items[k]
							   : &m->dropped.variables.items[k - m->variables.count];
			if (v->has_binding && !v->unnumbered && !v->heap && !v->added && !spb_is_auto(s->options, v))
				SPB_PUSH(&s->c->scratch, &list,
					 ((struct numbered){v->has_set ? v->set : 0, v->binding, v->class}));
		}
	}
	spb_sort_by_words(&s->c->scratch, list.items, list.count, sizeof *list.items, 2);
	for (size_t i = 0, end; i < list.count; i = end) {
		uint32_t classes = 0;
		for (end = i; end < list.count && list.items[end].set == list.items[i].set &&
			      list.items[end].number == list.items[i].number;
		     end++)
			classes |= 1u << list.items[end].class;
		collide |= (classes & (classes - 1)) && classes != (1u << SPB_CLASS_T | 1u << SPB_CLASS_S);
	}
	return shifted || (collide && !s->maps_all);
}
