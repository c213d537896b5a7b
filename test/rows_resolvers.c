/* SPDX-License-Identifier: Apache-2.0 */
/* rows/resolvers: which functions of a resolver count.
 *
 *     basics        types
 *     names         names of functions
 *     functions     the resolver's
 *     finds         `index`, `index of a kind`, `address`, `N whole` descriptors, or `nothing`; or a message
 *
 *     signatures    instead: `RESULT NAME<PARAMETERS>`, each a resolver with this function, once by its name and once
 *                   exported; after a semicolon, what it is found to be: as above, or `refused` */
#include "pass/resolver/resolver.h"
#include "rows.h"

enum part { OPTIONS, BASICS, NAMES, FUNCTIONS, SIGNATURES, FINDS };

static const char *const part_names[] = {"options", "basics", "names", "functions", "signatures", "finds", NULL};

#define HEAD "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"

struct finding {
	struct spb_module m;
	struct spb_known_functions known;
};

static void find(void *argument)
{
	struct finding *f = argument;

	f->known = spb_find_known_functions(&f->m, &f->m.keep);
}

static void hear(void *user, const spb_message *message)
{
	put_message(user, message);
}

static void put_found(struct text *got, const struct row *row, const char *text)
{
	struct words words = assembled(row, text, 0);
	struct finding f = {.known = {0}};

	begin_module(row, &f.m, words);
	f.m.context->callbacks = (spb_callbacks){.user = got, .message = hear};
	if (!throws(f.m.context, find, &f)) {
		if (f.known.index)
			put(got, f.known.takes_kind ? "index of a kind\n" : "index\n");
		if (f.known.address)
			put(got, "address\n");
		if (f.known.whole.count)
			put(got, "%u whole\n", (unsigned)f.known.whole.count);
		put(got, got->count ? "" : "nothing\n");
	}
	end_module(&f.m, words);
}

/* A resolver with one function of this signature. */
static void put_resolver(struct text *to, const struct row *row, const char *signature, bool exported)
{
	char result[40], name[60], parameters[100], parameter[40];
	unsigned count = 0;

	next_word(&signature, result, sizeof result);
	signature += strspn(signature, " ");
	const int length = (int)strcspn(signature, "<");
	snprintf(name, sizeof name, "%.*s", length, signature);
	signature += length + 1;
	snprintf(parameters, sizeof parameters, "%.*s", (int)strcspn(signature, ">"), signature);
	put(to, HEAD "%s \"%s\"%s\n%s%%type = OpTypeFunction %%%s",
	    exported ? "OpDecorate %f LinkageAttributes" : "OpName %f", name, exported ? " Export" : "",
	    row->parts[BASICS].items, result);
	for (const char *at = parameters; next_word(&at, parameter, sizeof parameter);)
		put(to, " %%%s", parameter);
	put(to, "\n%%f = OpFunction %%%s None %%type\n", result);
	for (const char *at = parameters; next_word(&at, parameter, sizeof parameter); count++)
		put(to, "%%p%u = OpFunctionParameter %%%s\n", count, parameter);
	put(to, "%%l = OpLabel\nOpUnreachable\nOpFunctionEnd\n");
}

static void answer_signatures(const struct row *row)
{
	static struct text text, found;

	for (const char *at = row->parts[SIGNATURES].items; *at; at = next_line(at)) {
		const char *wanted = strstr(at, " ; ");
		if (!wanted || wanted > at + length_of_line(at))
			unreadable(row, "nothing says what is right: %.*s", length_of_line(at), at);
		wanted += 3;
		for (unsigned exported = 0; exported < 2; exported++) {
			clear(&text);
			clear(&found);
			put_resolver(&text, row, at, exported);
			put_found(&found, row, text.items);
			const char *is = *found.items == '!' ? "refused\n" : found.items;
			if (length_of_line(is) != length_of_line(wanted) ||
			    strncmp(is, wanted, (size_t)length_of_line(is)) != 0)
				wrong(row, "%.*s\n  %sis %s", length_of_line(at), at, exported ? "exported, " : "", is);
		}
	}
}

static void answer(const struct row *row, struct text *got)
{
	static struct text text;

	if (row->parts[SIGNATURES].count) {
		answer_signatures(row);
		return;
	}
	clear(&text);
	put(&text, HEAD "%s%s%s", row->parts[NAMES].items, row->parts[BASICS].items, row->parts[FUNCTIONS].items);
	put_found(got, row, text.items);
}

const struct rows_kind rows_of_resolvers = {"resolvers", part_names, "finds", answer};
