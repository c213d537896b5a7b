/* SPDX-License-Identifier: Apache-2.0 */
/* rows/usage: what entry points, or exported functions of a library, use.
 *
 *     show         `ordered`: what is accessed in the interlock, instead of what is used
 *     head         in front of names
 *     notes        names and decorations; others than a, b, c and d are listed only if they have a name
 *     basics       types, constants and the variables %a, %b, %c and %d, which each module has
 *     types        more
 *     functions    all of them
 *     used         names, in the order of ids */
#include "analysis/resources/resources.h"
#include "rows.h"

enum part { OPTIONS, SHOW, HEAD, NOTES, BASICS, TYPES, FUNCTIONS, USED };

static const char *const part_names[] = {"options", "show",      "head", "notes", "basics",
					 "types",   "functions", "used", NULL};

struct finding {
	struct spb_module m;
	bool ordered;
	const uint32_t *bits;
};

static void find(void *argument)
{
	struct finding *f = argument;

	f->bits = f->ordered ? spb_find_ordered(&f->m, &f->m.keep) : spb_find_used(&f->m, &f->m.keep);
}

static void answer(const struct row *row, struct text *got)
{
	static struct text text;
	const struct text *parts = row->parts;
	struct finding f = {.ordered = parts[SHOW].count > 0};

	clear(&text);
	put(&text, "%s%s%s%s%s", parts[HEAD].items, parts[NOTES].items, parts[BASICS].items, parts[TYPES].items,
	    parts[FUNCTIONS].items);
	struct words words = assembled(row, text.items, 0);
	begin_module(row, &f.m, words);
	if (throws(f.m.context, find, &f))
		unreadable(row, "the module is refused");
	for (uint32_t id = 1; f.bits && id < f.m.bound; id++) {
		if (*spb_id_name(&f.m, id) && spb_bit(f.bits, id))
			put(got, "%s%s", got->count ? " " : "", spb_id_name(&f.m, id));
	}
	put(got, got->count ? "\n" : "");
	end_module(&f.m, words);
}

const struct rows_kind rows_of_usage = {"usage", part_names, "used", answer};
