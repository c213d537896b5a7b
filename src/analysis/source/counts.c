/* SPDX-License-Identifier: Apache-2.0 */
/* counts: who decided the number that a variable has in its module, and whether it counts.
 *
 *     layout(binding = 3) uniform sampler2D a;     Binding 3        the author
 *     layout(binding = 65534) uniform ...          Binding 65534    no one: it means "assign one"
 *     uniform sampler2D b;                         Binding 0        glslang's --auto-map-bindings, for this stage
 *                                                                   alone: the number means nothing
 *     uniform sampler2D c;                         Binding 7        another tool, later: it counts
 *     no source text                               Binding 7        unknown: it counts, but says nothing about other
 *                                                                   modules
 *
 * Without a text, nothing shows that glslang numbered a module, except that it gives 0 to unused resources. */
#include "analysis/source/source.h"

enum { SENTINEL = 65534 };

bool spb_has_auto_set(const spb_options *o, const struct spb_variable *v)
{
	return o->layout.has_auto_set && v->has_set && v->set == o->layout.auto_set && !v->placed;
}

/* The numbers that mean "assign one" where a compiler insists on a number. HLSL does not, and has a register
 * 4294967294. */
bool spb_is_sentinel(const spb_options *o, uint32_t binding)
{
	return binding == SENTINEL || (binding == 4294967294 && o->layout.rules != SPB_RULES_HLSL) ||
	       (o->layout.has_auto_binding && binding == o->layout.auto_binding);
}

static bool is_sentinel(const spb_options *o, const struct spb_variable *v, uint32_t number)
{
	const struct spb_declaration *d = v->extra->declaration;

	if (d && d->has_register && (uint16_t)d->number == (uint16_t)number) /* glslang 12 keeps 16 bits */
		return o->layout.has_auto_binding && number == o->layout.auto_binding;
	return spb_is_sentinel(o, number);
}

/* A resource that an earlier run placed may have a number that otherwise means "assign one". */
bool spb_is_auto(const spb_options *o, const struct spb_variable *v)
{
	const bool assigned = v->placed && v->binding < SENTINEL;

	return spb_has_auto_set(o, v) || (v->has_binding && !assigned && is_sentinel(o, v, v->binding));
}

static bool has_number(const struct spb_declaration *d)
{
	return d && (d->has_register || d->has_place);
}

bool spb_is_open_too(const struct spb_variable *v)
{
	const struct spb_declaration *d = v->extra->declaration;

	return d && d->open_too && spb_is_at_zero(v) && (d->has_register ? d->number : d->binding);
}

bool spb_is_authored(const spb_options *options, const struct spb_variable *v, uint32_t *number)
{
	const struct spb_declaration *d = v->extra->declaration;

	if (!has_number(d) || spb_is_open_too(v))
		return false;
	*number = d->has_register ? d->number : d->knows_binding ? d->binding : spb_number_of(v);
	return !is_sentinel(options, v, *number) && !spb_is_auto(options, v);
}

const char *spb_chosen_by(const spb_options *options, const struct spb_source_text *text, const struct spb_variable *v)
{
	const struct spb_declaration *d = v->extra->declaration;

	if (!v->has_binding || v->added)
		return "";
	if (spb_is_auto(options, v))
		return "nobody";
	if (text->numbered)
		return "spirv-bind";
	if (v->unnumbered)
		return "compiler";
	if (!text->present || text->fault || v->heap)
		return "unknown";
	if (!has_number(d))
		return "tool";
	return (d->has_register    ? d->number
		: d->knows_binding ? d->binding
				   : v->binding) == v->binding
		   ? "author"
		   : "tool";
}

bool spb_has_authored_set(const spb_options *options, const struct spb_variable *v)
{
	const struct spb_declaration *d = v->extra->declaration;

	if (!v->has_set || spb_has_auto_set(options, v))
		return false;
	return d ? d->has_space || d->knows_set : v->set != 0;
}

bool spb_has_counting_set(const spb_options *options, const struct spb_variable *v)
{
	const struct spb_declaration *d = v->extra->declaration;

	if (!v->has_set || spb_has_auto_set(options, v))
		return false;
	if (!d || v->set || (v->has_binding && !v->unnumbered && !spb_is_auto(options, v)))
		return true;
	return (d->has_space || d->knows_set) && !spb_is_open_too(v);
}

static bool is_glsl_by_glslang(const struct spb_module *m)
{
	const uint32_t generator = spb_generator(m), language = spb_source_language(m);

	return (generator == SPB_GENERATOR_GLSLANG || generator == SPB_GENERATOR_SHADERC) &&
	       (language == SpvSourceLanguageGLSL || language == SpvSourceLanguageESSL);
}

bool spb_is_hlsl_by_glslang(const struct spb_module *m)
{
	bool hlsl = spb_source_language(m) == SpvSourceLanguageHLSL;

	for (spb_at at = m->section[SPB_SECTION_SOURCE]; at < m->section[SPB_SECTION_NAME]; at = spb_next(m, at))
		hlsl |= spb_op(m, at) == SpvOpSource && m->words[at + 1] == SpvSourceLanguageHLSL; /* linked to GLSL */
	return hlsl && spb_generator(m) != SPB_GENERATOR_DXC; /* DXC numbers every resource */
}

bool spb_numbers_bindings(const struct spb_module *m)
{
	const uint32_t generator = spb_generator(m);

	return generator == SPB_GENERATOR_DXC || generator == SPB_GENERATOR_SLANG || generator == SPB_GENERATOR_LLVM;
}

bool spb_writes_registers(const struct spb_module *m)
{
	return spb_is_hlsl_by_glslang(m) || spb_numbers_bindings(m);
}

bool spb_is_loose_name(const char *name)
{
	return !strcmp(name, "$Global") || !strcmp(name, "$Globals") || !strcmp(name, "type.$Globals") ||
	       !strcmp(name, "gl_DefaultUniformBlock");
}

bool spb_is_loose_block(const struct spb_variable *v)
{
	return spb_is_loose_name(v->key);
}

bool spb_is_made_name(const struct spb_variable *v)
{
	static const char *const of_slang[] = {"globalParams", "GlobalParams", "entryPointParams", "EntryPointParams"};
	bool made = spb_is_loose_block(v);

	for (size_t i = 0; i < SPB_COUNT(of_slang) && !made; i++) {
		const size_t length = strlen(of_slang[i]);
		made = !strncmp(v->key, of_slang[i], length) && (!v->key[length] || v->key[length] == '_');
	}
	return made && v->kind == SPB_DESCRIPTOR_UBO;
}

/* A struct that has been split has one number: it counts if that of any member does. */
static void unite_pieces(struct spb_variables *variables)
{
	for (size_t i = 0, end; i < variables->count; i = end) {
		bool unnumbered = true;
		for (end = i; end == i || (end < variables->count && variables->items[end].extra->piece); end++)
			unnumbered &= variables->items[end].unnumbered;
		for (size_t k = i; k < end; k++)
			variables->items[k].unnumbered = unnumbered;
	}
}

void spb_find_numbers(const struct spb_module *m, const struct spb_source_text *text, struct spb_variables *variables)
{
	const bool hlsl = spb_is_hlsl_by_glslang(m), glsl = is_glsl_by_glslang(m);

	const bool reads = text->present && !text->fault;

	for (size_t i = 0; i < variables->count && (reads || !text->numbered); i++) {
		struct spb_variable *v = &variables->items[i];
		const struct spb_declaration *d = v->extra->declaration;
		const bool at_zero = spb_is_at_zero(v);
		if (v->heap || v->added)
			continue;
		if ((((hlsl || glsl) && spb_is_made_name(v)) || (hlsl && v->extra->counter_of)) && at_zero)
			v->unnumbered = true;
		if (reads)
			v->unnumbered |= (!has_number(d) || spb_is_open_too(v)) &&
					 (text->auto_mapped || ((hlsl || (glsl && (!d || d->loose))) && at_zero));
		else
			v->unnumbered |= glsl && !v->stages && !v->elsewhere && v->has_binding && !v->binding;
	}
	unite_pieces(variables);
}
