/* SPDX-License-Identifier: Apache-2.0 */
/* text_registers: takes HLSL registers and spaces from the source text in the module.
 *
 * glslang keeps 16 bits of a register and 7 of a space, writes 0 if there is none, and numbers the members of a struct
 * regardless of register classes and array sizes:
 *
 *     Texture2D a : register(t70000, space200);       DescriptorSet 72, Binding 4464
 *     Texture2D b;                                    DescriptorSet 0, Binding 0
 *     struct { Texture2D t[3]; Texture2D u; } s : register(t10);      Binding 10, Binding 11
 *
 * glslang 16 keeps all 32 bits, in which the largest number means none. So the text decides, provided that the
 * decorations are those that one of the two derives from it. Otherwise, bindings have been assigned since
 * (--auto-map-bindings, --shift-texture-binding, another tool), and the text is ignored.
 *
 * A remark in the output says that its bindings are no longer registers:
 *
 *     OpModuleProcessed "spirv-bind: registers bound" */
#include "analysis/source/source.h"

struct kept { /* by a version of glslang: bits of a number, and the number that means none */
	uint32_t register_bits, no_register, space_bits, no_space;
};

static const struct kept kept_by[] = {{0xFFFF, 0xFFFF, 0x7F, 0x3F}, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};

static uint32_t cut(bool has, uint32_t number, uint32_t bits, uint32_t none)
{
	return has && (number & bits) != none ? number & bits : 0;
}

static bool is_counter(const struct spb_variable *v)
{
	const char *counted;

	return spb_counted_name(v->name, &counted) != 0;
}

/* Whether its registers are all of other classes: Texture2D t : register(s5), which only glslang accepts. A struct has
 * registers for each class of its members. */
static bool has_other_letter(const struct spb_variable *v)
{
	const struct spb_declaration *d = v->extra->declaration;

	return d && d->letters && !d->paired && !(d->letters >> v->class & 1) && d->kind == v->kind && !is_counter(v) &&
	       !strpbrk(d->name, ".[");
}

void spb_check_letters(const struct spb_module *m, const struct spb_variables *variables, bool hlsl)
{
	static const char *const holders[] = {"constant buffers", "textures and buffers that are only read", "samplers",
					      "textures and buffers that are written"};
	bool any = false;

	for (size_t i = 0; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[i];
		if (!has_other_letter(v))
			continue;
		uint32_t other = 0;
		while (!(v->extra->declaration->letters >> other & 1))
			other++;
		any = true;
		spb_report(m, hlsl ? SPB_SEVERITY_ERROR : SPB_SEVERITY_WARNING, SPB_E_LETTER, v->at,
			   "\"%s\" (%s) has a register of class %c, which is for %s" SPB_REMEDY
			   "Give it one of class %c.",
			   v->key, spb_descriptor_info(v->kind)->kind, spb_class_letter((enum spb_class)other),
			   holders[other], spb_class_letter((enum spb_class)v->class));
	}
	if (any && hlsl)
		spb_throw(m->context, SPB_ERROR_CONFLICT);
}

/* Whether the variable has the numbers that glslang derives from the text. The bindings of members are not compared,
 * nor those that --auto-map-bindings gives to what has no register. */
static bool agrees(const struct spb_variable *v, const struct kept *kept, bool auto_mapped)
{
	const struct spb_declaration *d = v->extra->declaration;

	if (!d || d->loose || d->data || v->heap || d->has_place || is_counter(v) || has_other_letter(v) ||
	    spb_is_open_too(v))
		return true;
	if (!v->has_binding ||
	    (v->has_set ? v->set : 0) != cut(d->has_space, d->space, kept->space_bits, kept->no_space))
		return false;
	return strpbrk(v->name, ".[") || (auto_mapped && !d->has_register) ||
	       v->binding == cut(d->has_register, d->number, kept->register_bits, kept->no_register);
}

static bool all_agree(const struct spb_variables *variables, const struct kept *kept, bool auto_mapped)
{
	size_t agreeing = 0;

	while (agreeing < variables->count && agrees(&variables->items[agreeing], kept, auto_mapped))
		agreeing++;
	return agreeing == variables->count;
}

/* Takes the register of a variable. True: the text differs from the decorations. */
static bool take(struct spb_variable *v, struct spb_arena *arena)
{
	const struct spb_declaration *d = v->extra->declaration;
	const bool at_zero = spb_is_at_zero(v);
	uint32_t set = v->set, binding = v->binding;

	if (v->heap || v->added || (d && d->data))
		return false;
	if (!d || d->loose || (is_counter(v) && !d->has_place) ||
	    spb_is_open_too(v)) { /* $Global and counters have no register in the text */
		v->unnumbered = at_zero;
		return at_zero;
	}
	if (d->has_place || has_other_letter(v))
		return false;
	v->unnumbered = !d->has_register;
	v->set = d->has_space ? d->space : 0;
	v->binding = d->has_register ? d->number : 0;
	if (v->set != set || v->binding != binding) {
		struct spb_extra *extra = spb_own_extra(v, arena);
		extra->set = set;
		extra->binding = binding;
		extra->by_text = true;
	}
	return v->unnumbered || v->set != set || v->binding != binding;
}

/* glslang does not know [[vk::counter_binding(3)]], and gives counters (0, 0), or a number of --auto-map-bindings. The
 * set is that of the buffer, which the compiler may have dropped. */
static bool take_counter(const struct spb_source_text *text, const struct spb_variables *variables,
			 const uint32_t *by_id, struct spb_variable *v, struct spb_arena *arena)
{
	const struct spb_declaration *d = v->extra->declaration;
	const uint32_t buffer = v->extra->counter_of ? by_id[v->extra->counter_of] : 0;

	if (!d || !d->counter || !d->knows_binding || !(text->auto_mapped || spb_is_at_zero(v)))
		return false;
	struct spb_extra *extra = spb_own_extra(v, arena);
	extra->set = v->set;
	extra->binding = v->binding;
	extra->by_text = true;
	v->set = buffer ? variables->items[buffer - 1].set : d->knows_set ? d->set : d->has_space ? d->space : 0;
	v->binding = d->binding;
	return v->set != extra->set || v->binding != extra->binding;
}

bool spb_take_counters(struct spb_module *m, const struct spb_source_text *text, struct spb_variables *variables)
{
	uint32_t *by_id = spb_alloc_zeroed(&m->context->scratch, m->bound, sizeof *by_id); /* variable + 1 */
	bool taken = false;

	for (size_t i = 0; i < variables->count; i++)
		by_id[variables->items[i].id] = (uint32_t)i + 1;
	for (size_t i = 0; i < variables->count; i++)
		taken |= take_counter(text, variables, by_id, &variables->items[i], &m->keep);
	return taken;
}

bool spb_is_text_decisive(const struct spb_module *m, const struct spb_source_text *text)
{
	return text->present && !text->fault && spb_is_hlsl_by_glslang(m);
}

bool spb_take_registers(const struct spb_source_text *text, struct spb_variables *variables, struct spb_arena *arena,
			bool *differ)
{
	*differ = false;
	if (!all_agree(variables, &kept_by[0], text->auto_mapped) &&
	    !all_agree(variables, &kept_by[1], text->auto_mapped))
		return false;
	for (size_t i = 0; i < variables->count; i++)
		*differ |= take(&variables->items[i], arena);
	return true;
}
