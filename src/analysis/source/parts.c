/* SPDX-License-Identifier: Apache-2.0 */
/* parts: the resources of a module that an earlier run split off from one that the source declares.
 *
 * The source declares "pair", not "pair_b". A run that reassigns all bindings has to sort the parts to where their
 * whole was declared, so the run that makes them records it, in one remark for each part:
 *
 *     OpModuleProcessed "spirv-bind: part pair_b of pair .b"
 *
 * so that it is pair.b again, as in a stage that has not been bound or that drops it. The names are those of OpName:
 * ids may change before the next run. Parts stay in module order, which is the order of the members. */
#include "analysis/source/source.h"

static const char part_note[] = "spirv-bind: part ", of[] = " of ";

enum { FIRST_ORIGIN = 1 << 30 }; /* larger than the origins of parts that this run makes */

struct part {
	const char *name, *whole, *path; /* path: NULL if it is not recorded */
};

static int by_name(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* pair_b of pair .b */
static bool read_part(const char *text, struct part *part, struct spb_arena *arena)
{
	const char *end = strstr(text, of), *path;

	if (!end)
		return false;
	part->name = spb_copy_text(arena, text, (size_t)(end - text));
	end += strlen(of);
	path = strchr(end, ' ');
	part->whole = path ? spb_copy_text(arena, end, (size_t)(path - end)) : end;
	part->path = path ? path + 1 : NULL;
	return true;
}

/* As the run that split it called it. */
static void name_part(struct spb_variable *v, struct spb_extra *extra, const struct part *part, struct spb_arena *arena)
{
	struct spb_text_buffer key = {.arena = arena};

	spb_text_format(&key, "%s%s", part->whole, part->path);
	v->key = spb_text_end(&key);
	extra->declared = part->whole;
	extra->path = part->path;
}

void spb_read_parts(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena)
{
	SPB_LIST(struct part) parts = {0};
	const char *whole = "";
	uint32_t origin = FIRST_ORIGIN;

	for (spb_at at = spb_next_remark(m, 0, part_note); at; at = spb_next_remark(m, at, part_note)) {
		struct part part;
		if (read_part(spb_string(m, at + 1) + strlen(part_note), &part, arena))
			SPB_PUSH(arena, &parts, part);
	}
	spb_sort(arena, parts.items, parts.count, sizeof *parts.items, by_name);
	for (size_t i = 0; i < variables->count && parts.count; i++) {
		struct spb_variable *v = &variables->items[i];
		const struct part wanted = {.name = v->name};
		size_t k = spb_lower_bound(parts.items, parts.count, sizeof *parts.items, &wanted, by_name);
		if (v->extra->origin || k == parts.count || strcmp(parts.items[k].name, v->name) != 0)
			continue;
		origin += strcmp(parts.items[k].whole, whole) != 0;
		whole = parts.items[k].whole;
		struct spb_extra *extra = spb_own_extra(v, arena);
		extra->part_of = whole;
		extra->origin = origin;
		if (parts.items[k].path)
			name_part(v, extra, &parts.items[k], arena);
	}
}

const char *spb_part_note(const struct spb_variable *v, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};

	spb_text_format(&text, "%s%s%s%s %s", part_note, v->name, of, spb_declared_name(v), v->extra->path);
	return spb_text_end(&text);
}
