/* SPDX-License-Identifier: Apache-2.0 */
/* rows/merging: what a function of a resolver finds in the module that it is merged into, and what is merged with it.
 *
 *     options          of the plug-in
 *     show             `head`: in front of what is found, what stands in front of the entry points then
 *     versions         of SPIR-V: those of the module and the resolver, 1.3 if there are none
 *     module-head      of the module: capabilities and the like
 *     module           its names and decorations, types, constants and variables, besides those of `basics`
 *     resolver-head
 *     resolver         the same of the resolver, whose function uses everything that has a name here
 *     functions        other functions of the resolver
 *     found            `a=b`: what the resolver calls %a is %b of the module; `a=new`: it comes along, `a=new:b` under
 *                      another name; `@1,2`: its set and binding then; or a message
 *
 * Both contain `basics`, types and constants. */
#include "rows.h"

enum part { OPTIONS, VERSIONS, SHOW, BASICS, MODULE_HEAD, MODULE, RESOLVER_HEAD, RESOLVER, FUNCTIONS, FOUND };

static const char *const part_names[] = {"options",       "versions", "show",      "basics", "module-head", "module",
					 "resolver-head", "resolver", "functions", "found",  NULL};

#define GETTER "getDescriptorIndexFromHandle"

/* modules */

/* The lines that begin, after a result, with one of these words, or all others. */
static void put_lines(struct text *to, const char *text, const char *const *words, size_t count, bool those)
{
	for (const char *at = text; *at; at = next_line(at)) {
		const char *equals = strstr(at, " = "), *op = equals && equals < next_line(at) ? equals + 3 : at;
		bool is = false;
		for (size_t i = 0; i < count; i++)
			is |= !strncmp(op, words[i], strlen(words[i]));
		if (is == those)
			put(to, "%.*s", (int)(next_line(at) - at), at);
	}
}

/* `globals` around `basics`, in their order. `name`: another one. */
static void put_globals(struct text *to, const struct row *row, const char *globals, const char *name)
{
	static const char *const strings[] = {"OpString"}, *const names[] = {"OpName", "OpMemberName"},
				 *const notes[] = {"OpDecorate", "OpMemberDecorate"},
				 *const all[] = {"OpString", "OpName", "OpMemberName", "OpDecorate",
						 "OpMemberDecorate"};

	put_lines(to, globals, strings, SPB_COUNT(strings), true);
	put(to, "%s", name);
	put_lines(to, globals, names, SPB_COUNT(names), true);
	put_lines(to, globals, notes, SPB_COUNT(notes), true);
	put(to, "%s", row->parts[BASICS].items);
	put_lines(to, globals, all, SPB_COUNT(all), false);
}

static uint32_t version_of(const struct row *row, bool of_resolver)
{
	const char *versions = row->parts[VERSIONS].items; /* 1.N 1.N */

	return *versions ? 0x10000 | (uint32_t)(versions[of_resolver ? 6 : 2] - '0') << 8 : 0x10300;
}

static struct words module_of(const struct row *row)
{
	static const char *const model[] = {"OpMemoryModel", "OpEntryPoint"};
	static struct text text;
	const char *head = row->parts[MODULE_HEAD].items;

	clear(&text);
	put_lines(&text, head, model, SPB_COUNT(model), false);
	put(&text, "%%handles = OpExtInstImport \"NonSemantic.DescriptorHandle\"\n");
	put_lines(&text, head, model, SPB_COUNT(model), true);
	put_globals(&text, row, row->parts[MODULE].items, "");
	put(&text, "%%main = OpFunction %%void None %%fn\n%%label = OpLabel\n"
		   "%%descriptor = OpExtInst %%image %%handles 1 %%handle\nOpReturn\nOpFunctionEnd\n");
	return assembled(row, text.items, version_of(row, false));
}

/* Each named id is stored to itself, so that the function needs it. */
static struct words resolver_of(const struct row *row)
{
	static struct text text;

	clear(&text);
	put(&text, "%s", row->parts[RESOLVER_HEAD].items);
	put_globals(&text, row, row->parts[RESOLVER].items, "OpName %getter \"" GETTER "\"\n");
	put(&text, "%%getter = OpFunction %%uint None %%get\n%%h = OpFunctionParameter %%u2\n%%label = OpLabel\n");
	for (const char *at = row->parts[RESOLVER].items; (at = strstr(at, "OpName %")) != NULL; at++) {
		const int length = (int)strcspn(at + 7, " ");
		put(&text, "OpStore %.*s %.*s\n", length, at + 7, length, at + 7);
	}
	put(&text, "OpReturnValue %%c4\nOpFunctionEnd\n%s", row->parts[FUNCTIONS].items);
	return assembled(row, text.items, version_of(row, true));
}

/* what has been found */

static spb_at first_store(const struct row *row, const struct spb_module *m)
{
	spb_at at = m->section[SPB_SECTION_FUNCTION];

	while (at < m->count &&
	       (spb_op(m, at) != SpvOpFunction || strcmp(spb_id_name(m, m->words[at + 2]), GETTER) != 0))
		at = spb_next(m, at);
	while (at < m->count && spb_op(m, at) != SpvOpLabel)
		at = spb_next(m, at);
	if (at == m->count)
		unreadable(row, "the function has not been merged");
	return spb_next(m, at);
}

/* A decoration with one operand, once. */
static bool has_number(const struct row *row, const struct spb_module *m, uint32_t id, SpvDecoration what,
		       uint32_t *number)
{
	const uint32_t at = spb_decoration(m, id, what);

	if (at && spb_length(m, at - 3) != 4)
		wrong(row, "%s has a decoration of another length", spb_id_name(m, id));
	*number = at ? m->words[at] : 0;
	return at;
}

static void put_found(struct text *got, const struct row *row, const struct spb_module *from,
		      const struct spb_module *m, uint32_t bound)
{
	spb_at at = first_store(row, from), to = first_store(row, m);
	bool first = true;

	for (; spb_op(from, at) == SpvOpStore; first = false) {
		const uint32_t was = from->words[at + 1], is = m->words[to + 1];
		const bool renamed = strcmp(spb_id_name(m, is), spb_id_name(from, was)) != 0;
		uint32_t set, binding;
		if (spb_op(m, to) != SpvOpStore || spb_def_op(m, is) != spb_def_op(from, was))
			wrong(row, "%s is something else", spb_id_name(from, was));
		put(got, "%s%s=%s%s", first ? "" : " ", spb_id_name(from, was),
		    is < bound ? ""
		    : renamed  ? "new:"
			       : "new",
		    is < bound || renamed ? spb_id_name(m, is) : "");
		const bool has_set = has_number(row, m, is, SpvDecorationDescriptorSet, &set),
			   has_binding = has_number(row, m, is, SpvDecorationBinding, &binding);
		put(got, has_set || has_binding ? "@" : "");
		put(got, has_set ? "%u" : "", set);
		put(got, has_binding ? ",%u" : "", binding);
		at = spb_next(from, at);
		to = spb_next(m, to);
	}
	put(got, first ? "" : "\n");
}

/* The instructions before the entry points, without the import of handles. */
static void put_head(struct text *got, const struct words *made)
{
	static struct text text;

	clear(&text);
	put_disassembled(&text, made->items, made->count);
	put(got, "SPIR-V 1.%u\n", made->items[1] >> 8 & 0xFF);
	for (const char *at = text.items; *at && strncmp(at, "OpEntryPoint", 12) != 0; at = next_line(at)) {
		const char *handles = strstr(at, "DescriptorHandle");
		if (!handles || handles > next_line(at))
			put(got, "%.*s\n", length_of_line(at), at);
	}
}

static void hear(void *user, const spb_message *message)
{
	put_message(user, message);
}

static void answer(const struct row *row, struct text *got)
{
	struct words module = module_of(row), resolver = resolver_of(row), made;
	struct spb_module from, to;

	if (run_passes(row, row->parts[OPTIONS].items, module, resolver, hear, got, &made)) {
		begin_module(row, &from, resolver);
		begin_module(row, &to, made);
		if (row->parts[SHOW].count)
			put_head(got, &made);
		put_found(got, row, &from, &to, module.items[3]);
		end_module(&to, made);
		end_module(&from, resolver);
	} else {
		free(resolver.items);
	}
	free(module.items);
}

const struct rows_kind rows_of_merging = {"merging", part_names, "found", answer};
