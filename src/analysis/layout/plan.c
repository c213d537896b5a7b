/* SPDX-License-Identifier: Apache-2.0 */
/* plan: what several files ask about a parameter: how messages name it and its type, which policies apply to it, which
 * lane numbers it, and how many numbers it takes. */
#include "analysis/layout/plan.h"

const char *spb_variable_label(const struct spb_plan *s, uint32_t module, const struct spb_variable *v)
{
	const struct spb_module *m = spb_plan_module(s, module);
	struct spb_text_buffer text = {.arena = &s->c->scratch};

	if (!v->id)
		spb_text_format(&text, "\"%s\" (declared at %s)", v->key, spb_declared_at(v, &s->c->scratch));
	else if (*v->extra->path)
		spb_text_format(&text, "\"%s\"", v->key);
	else if (*v->key && strcmp(v->key, v->name) != 0)
		spb_text_format(&text, "%s \"%s\"", spb_language_of(m) == SPB_LANGUAGE_HLSL ? "cbuffer" : "block",
				v->key);
	else
		spb_text_format(&text, "%s", spb_label(&s->c->scratch, m, v->id));
	return spb_text_end(&text);
}

static const char *skip_digits(const char *p)
{
	while (*p >= '0' && *p <= '9')
		p++;
	return p;
}

bool spb_is_name(const char *key)
{
	const char *end = *key == '_' ? skip_digits(key + 1) : key;

	if (end > key + 1 && *end == '_')
		end = skip_digits(end + 1);
	return *end || end == key + 1 || (end > key && end[-1] == '_');
}

const char *spb_parameter_label(const struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_variable_label(s, p->module, p->variable);
}

noreturn void spb_plan_fail(const struct spb_plan *s, const struct spb_parameter *p, uint32_t code, const char *text)
{
	spb_fail(spb_module_of(s, p), SPB_ERROR_CONFLICT, code, p->variable->at, "%s %r", spb_parameter_label(s, p),
		 text);
}

const char *spb_type_text(const struct spb_plan *s, uint32_t module, const struct spb_variable *v)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};
	const struct spb_module *m = spb_plan_module(s, module);
	spb_at at = m->def[v->element];

	spb_text_put(&text, spb_descriptor_info(v->kind)->kind);
	if (spb_op(m, at) == SpvOpTypeSampledImage)
		at = m->def[m->words[at + 2]];
	if (spb_op(m, at) == SpvOpTypeImage)
		spb_text_format(&text, " %s%s%s %s", spb_dim_name(m->words[at + 3]),
				m->words[at + 5] == 1 ? " array" : "", m->words[at + 6] == 1 ? " multisampled" : "",
				spb_component_name(m, m->words[at + 2]));
	if (!v->count)
		spb_text_put(&text, "[]");
	else if (v->count > 1)
		spb_text_format(&text, "[%u]", v->count);
	return spb_text_end(&text);
}

struct spb_policy_question spb_policy_question_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_variable *v = p->variable;

	return (struct spb_policy_question){
	    .names = {v->key, spb_declared_name(v), v->name},
	    .kind = v->kind,
	    .class = p->class,
	    .stages = p->stages,
	    .writable = p->writable,
	    .has_binding = v->has_binding && !v->unnumbered, /* (0, 0) of glslang is not a register */
	    .set = v->has_set ? v->set : s->options->layout.default_set,
	    .binding = spb_number_of(v),
	};
}

bool spb_heaps_in_default_set(const struct spb_plan *s)
{
	return s->policies->heaps_default || s->options->heaps.in_default_set;
}

uint32_t spb_own_lane(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_shift *shift;

	if (s->hlsl && !s->policies->shift_stages.count)
		return spb_lane(0, p->class);
	/* Slang shifts HLSL's register classes, and a combined image-sampler has none */
	if (!s->has_lanes || (!s->hlsl && p->variable->kind == SPB_DESCRIPTOR_COMBINED))
		return 0;
	shift = spb_policy_shift(s->policies, &(struct spb_shift_question){p->class, 0, p->stages, p->set, false});
	return shift ? spb_lane(shift->group, p->class) : s->hlsl ? spb_lane(0, p->class) : 0;
}

/* A shift with class= does not apply to counters and split structs, which have no register. */
uint32_t spb_own_shift(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_variable *v = p->variable;
	struct spb_shift_question q = {p->class, 1u << v->kind, p->stages, p->set, false};
	const struct spb_shift *shift;

	if (v->heap || !(s->base || s->policies->fixed_registers))
		return 0;
	q.classless = s->base && (v->extra->counter_of || v->extra->pieces > 1) && p->place != SPB_PLACE_FIXED;
	shift = spb_policy_shift(s->policies, &q);
	return shift ? shift->by : 0;
}

bool spb_takes_each(const struct spb_plan *s, const struct spb_parameter *p)
{
	if (s->hlsl)
		return p->place != SPB_PLACE_FIXED || !s->modules[p->module].one_each;
	return s->arrays_each;
}

uint64_t spb_length_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	if (p->variable->heap)
		return 1; /* a Vulkan binding, under any rules */
	if (!spb_takes_each(s, p))
		return 1;
	uint32_t count = spb_group_of(s, p)->count;
	return s->hlsl || count ? count : 1; /* 0: all that follow */
}

/* Also one whose buffer the compiler has dropped. */
bool spb_is_counter(const struct spb_variable *v)
{
	return v->extra->counter_of || (v->extra->declaration && v->extra->declaration->counter);
}

static int by_order(const void *a, const void *b)
{
	const struct spb_declaration *x = ((const struct spb_variable *)a)->extra->declaration;
	const struct spb_declaration *y = ((const struct spb_variable *)b)->extra->declaration;

	return (x->order > y->order) - (x->order < y->order);
}

/* The dropped declaration directly before that of a counter, in the order of the text. */
static const struct spb_variable *find_dropped_buffer(const struct spb_layout_module *lm, const struct spb_variable *v)
{
	const struct spb_declaration wanted = {.order = v->extra->declaration->order - 1};
	const struct spb_extra extra = {.declaration = &wanted};
	const struct spb_variable key = {.extra = &extra}, *dropped = lm->dropped.variables.items;
	const size_t count = v->id ? lm->dropped.variables.count : (size_t)(v - dropped);
	const size_t i = spb_lower_bound(dropped, count, sizeof key, &key, by_order);
	const bool found = i < count && !by_order(&dropped[i], &key);

	return found && (!v->id || lm->dropped.before[i] <= (size_t)(v - lm->variables.items)) ? &dropped[i] : NULL;
}

const struct spb_variable *spb_buffer_of(const struct spb_plan *s, uint32_t module, const struct spb_variable *v)
{
	const struct spb_layout_module *lm = &s->modules[module];
	const struct spb_variable *items = lm->variables.items;
	const uint32_t buffer = v->extra->counter_of;

	if (buffer) {
		while (v > items && v->extra->counter_of == buffer)
			v--;
		return v->id == buffer ? v : NULL;
	}
	const uint32_t before = v->id ? 0 : lm->dropped.before[v - lm->dropped.variables.items];
	const struct spb_declaration *d = before ? items[before - 1].extra->declaration : NULL;
	return d && d->order == v->extra->declaration->order - 1 ? &items[before - 1] : find_dropped_buffer(lm, v);
}

bool spb_are_of_two_buffers(const struct spb_plan *s, uint32_t module_a, const struct spb_variable *a,
			    uint32_t module_b, const struct spb_variable *b)
{
	const struct spb_variable *of_a = spb_is_counter(a) ? spb_buffer_of(s, module_a, a) : NULL;
	const struct spb_variable *of_b = of_a && spb_is_counter(b) ? spb_buffer_of(s, module_b, b) : NULL;

	return of_b && of_a->parameter != of_b->parameter;
}
