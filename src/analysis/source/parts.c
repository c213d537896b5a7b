/* SPDX-License-Identifier: Apache-2.0 */
/* parts: the resources of a module that an earlier run split off from one that the source declares.
 *
 * The source declares "pair", not "pair_b". A run that reassigns all bindings has to sort the parts to where their
 * whole was declared, so the run that makes them records it, in one remark for each part:
 *
 *     OpModuleProcessed "spirv-bind: part pair_b of pair"
 *
 * The names are those of OpName: ids may change before the next run. Parts stay in module order, which is the order of
 * the members. */
#include "analysis/source/source.h"

static const char part_note[] = "spirv-bind: part ", of[] = " of ";

enum { FIRST_ORIGIN = 1 << 30 }; /* larger than the origins of parts that this run makes */

struct part {
	const char *name, *whole;
};

static int by_name(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void spb_read_parts(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena)
{
	SPB_LIST(struct part) parts = {0};
	const char *whole = "";
	uint32_t origin = FIRST_ORIGIN;

	for (spb_at at = spb_next_remark(m, 0, part_note); at; at = spb_next_remark(m, at, part_note)) {
		const char *name = spb_string(m, at + 1) + strlen(part_note), *end = strstr(name, of);
		if (end)
			SPB_PUSH(arena, &parts,
				 ((struct part){spb_copy_text(arena, name, (size_t)(end - name)), end + strlen(of)}));
	}
	spb_sort(arena, parts.items, parts.count, sizeof *parts.items, by_name);
	for (size_t i = 0; i < variables->count && parts.count; i++) {
		struct spb_variable *v = &variables->items[i];
		const struct part wanted = {v->name, ""};
		size_t k = spb_lower_bound(parts.items, parts.count, sizeof *parts.items, &wanted, by_name);
		if (v->extra->origin || k == parts.count || strcmp(parts.items[k].name, v->name) != 0)
			continue;
		origin += strcmp(parts.items[k].whole, whole) != 0;
		whole = parts.items[k].whole;
		struct spb_extra *extra = spb_own_extra(v, arena);
		extra->part_of = whole;
		extra->origin = origin;
	}
}

const char *spb_part_note(const struct spb_variable *v, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};

	spb_text_format(&text, "%s%s%s%s", part_note, v->name, of, spb_declared_name(v));
	return spb_text_end(&text);
}
