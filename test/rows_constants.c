/* SPDX-License-Identifier: Apache-2.0 */
/* rows/constants: the values of constants.
 *
 *     given     `ID VALUE`: a specialization constant that the pipeline sets
 *     show      `known`: without the defaults of specialization constants
 *     notes     decorations
 *     module    types and constants; after each one to check, as a comment, its value, or `unknown` */
#include "rows.h"

enum part { OPTIONS, GIVEN, SHOW, NOTES, MODULE };

static const char *const part_names[] = {"options", "given", "show", "notes", "module", NULL};

struct folding {
	struct spb_module m;
	struct spb_folded folded;
	bool known;
};

static void fold(void *argument)
{
	struct folding *f = argument;

	f->folded = f->known ? spb_fold_known(&f->m, &f->m.context->scratch)
			     : spb_fold_constants(&f->m, &f->m.context->scratch);
}

static uint32_t named(const struct spb_module *m, const char *name, size_t length)
{
	uint32_t id = 1;

	while (id < m->bound && (strlen(spb_id_name(m, id)) != length || memcmp(spb_id_name(m, id), name, length) != 0))
		id++;
	return id;
}

static void compare(const struct row *row, struct folding *f)
{
	static struct text is;

	for (const char *at = row->parts[MODULE].items; *at; at = next_line(at)) {
		const char *wanted = strstr(at, " ; ");
		uint64_t value;
		if (!wanted || wanted > at + length_of_line(at))
			continue;
		clear(&is);
		if (spb_folded_value(&f->folded, named(&f->m, at + 1, strcspn(at + 1, " ")), &value))
			put(&is, "%llu", (unsigned long long)value);
		else
			put(&is, "unknown");
		if (is.count != (size_t)length_of_line(wanted + 3) || memcmp(is.items, wanted + 3, is.count) != 0)
			wrong(row, "%.*s\n  is %s", length_of_line(at), at, is.items);
	}
}

static void answer(const struct row *row, struct text *got)
{
	static struct text text;
	const char *given = row->parts[GIVEN].items;
	struct folding f = {.known = row->parts[SHOW].count > 0};
	char id[20], number[30];

	(void)got;
	clear(&text);
	put(&text, "OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
	put_names(&text, row->parts[MODULE].items);
	put(&text, "%s%s", row->parts[NOTES].items, row->parts[MODULE].items);
	struct words words = assembled(row, text.items, 0);
	begin_module(row, &f.m, words);
	spb_spec_value value = {0};
	if (next_word(&given, id, sizeof id) && next_word(&given, number, sizeof number)) {
		value = (spb_spec_value){(uint32_t)strtoul(id, NULL, 10), strtoull(number, NULL, 0)};
		f.m.spec_value = &value;
		f.m.spec_value_count = 1;
	}
	if (throws(f.m.context, fold, &f))
		unreadable(row, "the module is refused");
	compare(row, &f);
	end_module(&f.m, words);
}

const struct rows_kind rows_of_constants = {"constants", part_names, NULL, answer};
