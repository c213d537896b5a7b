/* SPDX-License-Identifier: Apache-2.0 */
/* dropped: resources that a source text declares but for which the module has no variable.
 *
 *     Texture2D a, b;  Texture2D c : register(t4);         the module has b: a takes number 0, b 1, and t4 stays free
 *
 * Compilers drop resources that the entry point does not use, so numbers of variables would change with function
 * bodies. Numbers of declarations do not. A dropped declaration takes a number as if it were present, or reserves the
 * place that its author chose; it conflicts with nothing, and does not become a descriptor. */
#include "analysis/source/source.h"

static struct spb_variable variable_of(const struct spb_declaration *d, bool has_set, struct spb_arena *arena)
{
	struct spb_variable v = {
	    .count = d->unsized ? 0
		     : d->count ? d->count
				: 1,
	    .kind = d->kind,
	    .class = (unsigned)d->class & 7,
	    .readable = true,
	    .writable = d->writable,
	    .beside = d->counter,
	    .extra = &spb_no_extra,
	    .name = d->name,
	    .key = d->name,
	    .has_set = has_set || d->has_space || d->knows_set,
	    .set = d->knows_set ? d->set : d->space,
	    .has_binding = d->knows_binding || (d->has_register && !d->has_place),
	    .binding = d->knows_binding ? d->binding : d->number,
	};

	spb_own_extra(&v, arena)->declaration = d;
	return v;
}

struct spb_dropped spb_find_dropped(const struct spb_source_text *text, const struct spb_variables *variables,
				    struct spb_arena *arena)
{
	struct spb_dropped dropped = {0};
	const bool has_set = !variables->count || variables->items[0].has_set;

	for (size_t i = 0; i < text->declarations.count; i++) {
		const struct spb_declaration *d = &text->declarations.items[i];
		if (!d->view_count && !d->macro && d->kind != SPB_DESCRIPTOR_OTHER &&
		    (d->knows_binding || !d->has_place))
			SPB_PUSH(arena, &dropped.variables, variable_of(d, has_set, arena));
	}
	return dropped;
}

static uint64_t order_of(const struct spb_variable *v)
{
	return v->extra->declaration ? v->extra->declaration->order : UINT64_MAX;
}

static int by_name(const void *a, const void *b)
{
	const struct spb_variable *x = a, *y = b;
	const int order = strcmp(x->key, y->key);

	return order ? order : (order_of(x) > order_of(y)) - (order_of(x) < order_of(y));
}

void spb_order_dropped(spb_order order, bool unordered, const struct spb_variables *variables,
		       struct spb_dropped *dropped, struct spb_arena *arena)
{
	struct spb_variables *vs = &dropped->variables;
	uint32_t k = 0;
	size_t n = 0;

	for (size_t i = 0; i < vs->count; i++) {
		if (!unordered || vs->items[i].has_binding)
			vs->items[n++] = vs->items[i];
	}
	vs->count = n;
	dropped->before = spb_alloc_zeroed(arena, n, sizeof *dropped->before);
	if (order == SPB_ORDER_NAME)
		spb_sort(arena, vs->items, n, sizeof *vs->items, by_name);
	for (size_t i = 0; i < n && !unordered; i++) {
		const struct spb_variable *v = &vs->items[i];
		while (k < variables->count && !variables->items[k].heap && !variables->items[k].added &&
		       (order == SPB_ORDER_NAME ? by_name(&variables->items[k], v) < 0
						: order_of(&variables->items[k]) < order_of(v)))
			k++;
		dropped->before[i] = k;
	}
}
