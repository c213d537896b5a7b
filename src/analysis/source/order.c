/* SPDX-License-Identifier: Apache-2.0 */
/* order: the order in which the source declares the resources.
 *
 * Stock glslang writes OpVariable in the order of first use in function bodies, so editing a body would move bindings.
 * The order of declaration is recovered
 *   1. from the source text in the module (OpSource, DebugSource), see source.c;
 *   2. otherwise from DebugGlobalVariable, if all variables have different lines in the same file. glslang 12.0
 *      gives a variable the line of its first use, so the text takes precedence;
 *   3. otherwise from the numbers that are to be replaced, and then from the order of OpVariable; the caller reports
 *      that. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "analysis/source/source.h"

struct ranked {
	uint64_t rank;     /* position in declaration order; 0: unknown */
	uint32_t variable; /* index */
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_key(const void *a, const void *b)
{
	const struct spb_variable *x = a, *y = b;

	const char *name = x->extra->part_of ? x->extra->part_of : spb_declared_name(x);
	int order = strcmp(name, y->extra->part_of ? y->extra->part_of : spb_declared_name(y));

	if (!order && !*name) /* The next run cannot recognise parts without names. */
		return 0;
	if (!order)
		order = (x->extra->origin > y->extra->origin) - (x->extra->origin < y->extra->origin);
	return order ? order : (x->extra->piece > y->extra->piece) - (x->extra->piece < y->extra->piece);
}

static uint32_t constant(const struct spb_module *m, uint32_t id)
{
	uint64_t value;

	return spb_constant_value(m, id, &value) ? (uint32_t)value : 0;
}

/* Not declared by this module, so it comes last. */
static bool is_made(const struct spb_variable *v)
{
	return v->heap || v->added;
}

/* Sorts the variables, and returns whether all ranks are known and different. */
static bool sort_ranks(struct ranked *ranked, const struct spb_variables *variables, struct spb_arena *arena)
{
	spb_sort(arena, ranked, variables->count, sizeof *ranked, by_rank);
	for (size_t i = 0; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[ranked[i].variable];
		const struct spb_variable *before = i ? &variables->items[ranked[i - 1].variable] : v;
		bool one = is_made(v) || v->extra->counter_of ||
			   (v->extra->origin && v->extra->origin == before->extra->origin);
		if (!ranked[i].rank || (i && ranked[i - 1].rank == ranked[i].rank && !one))
			return false;
	}
	return true;
}

/* Parts of a split variable take its place; the first one keeps the debug line. */
static void rank_parts(struct ranked *ranked, const struct spb_variables *variables)
{
	for (size_t i = 1; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[i];
		if (v->extra->origin && v->extra->origin == v[-1].extra->origin)
			ranked[i].rank = ranked[i - 1].rank;
	}
}

/* Operands of DebugGlobalVariable: Name, Type, Source, Line, Column, Parent, LinkageName, Variable, Flags. */
static bool rank_by_debug_lines(struct ranked *ranked, const struct spb_module *m,
				const struct spb_variables *variables, struct spb_arena *arena)
{
	uint32_t set = spb_debug_info(m);
	uint32_t file = 0;
	uint32_t *index;

	if (!set)
		return false;
	index = spb_alloc_zeroed(arena, m->bound, sizeof *index); /* id -> variable + 1 */
	for (uint32_t i = 0; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[i];
		index[v->id] = i + 1;
		ranked[i] = (struct ranked){is_made(v) || v->extra->counter_of ? UINT64_MAX : 0, i};
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpExtInst || m->words[at + 3] != set ||
		    m->words[at + 4] != NonSemanticShaderDebugInfo100DebugGlobalVariable)
			continue;
		const uint32_t *operand = m->words + at + 5;
		if (!index[operand[7]])
			continue;
		if (file && file != operand[2])
			return false; /* it is unknown which file came first */
		file = operand[2];
		ranked[index[operand[7]] - 1].rank = (uint64_t)constant(m, operand[3]) << 32 | constant(m, operand[4]);
	}
	rank_parts(ranked, variables);
	return sort_ranks(ranked, variables, arena);
}

/* The block of loose uniforms, which no line declares, comes first. */
static bool rank_by_source_text(struct ranked *ranked, const struct spb_source_text *text,
				const struct spb_variables *variables, struct spb_arena *arena)
{
	if (!text->present || text->fault)
		return false;
	for (uint32_t i = 0; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[i];
		ranked[i] = (struct ranked){is_made(v)              ? UINT64_MAX
					    : v->extra->declaration ? v->extra->declaration->order
								    : 1,
					    i};
		if (v->extra->piece) /* numbered in a row, also where a linked module has two of the struct */
			ranked[i].rank = ranked[i - 1].rank;
	}
	spb_sort(arena, ranked, variables->count, sizeof *ranked, by_rank);
	return true;
}

/* False: the order of declaration is unknown. */
static bool sort_by_declaration(const struct spb_module *m, const struct spb_source_text *text,
				struct spb_variables *variables, struct spb_arena *arena)
{
	const bool trusted = spb_generator(m) != SPB_GENERATOR_GLSLANG || !text->present;
	const size_t n = variables->count;
	struct ranked *ranked = spb_alloc_array(arena, n, sizeof *ranked);

	if (!rank_by_source_text(ranked, text, variables, arena) &&
	    !(trusted && rank_by_debug_lines(ranked, m, variables, arena)))
		return false;
	struct spb_variable *copy = spb_alloc_array(arena, n, sizeof *copy);
	memcpy(copy, variables->items, n * sizeof *copy);
	for (size_t i = 0; i < n; i++)
		variables->items[i] = copy[ranked[i].variable];
	return true;
}

struct numbered { /* sort key: by the number that the variable has, if it counts */
	uint32_t open, set, binding, variable;
};

/* A number that may be a compiler's for what nothing uses, or may mean "assign one", orders its variable if no other
 * has it: in the output of an earlier run, whose order has to stay, none has. */
static void leave_shared(const spb_options *options, struct numbered *keys, const struct spb_variable *variables,
			 size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		bool shared = false;
		for (end = i;
		     end < n && !keys[end].open && keys[end].set == keys[i].set && keys[end].binding == keys[i].binding;
		     end++)
			shared |= end > i && !variables[keys[end].variable].extra->piece;
		end += end == i; /* open */
		for (size_t k = i; k < end && shared; k++) {
			const struct spb_variable *v = &variables[keys[k].variable];
			keys[k].open = v->extra->piece ? keys[k - 1].open : v->unnumbered || spb_is_auto(options, v);
		}
	}
}

/* Without a text, the order is that of existing numbers, from an author, or from a compiler in declaration order. */
static void sort_by_numbers(const spb_options *options, struct spb_variables *variables, struct spb_arena *arena)
{
	const size_t n = variables->count;
	const bool all = options->layout.rebind >= SPB_REBIND_ALL; /* none of the numbers stays */
	struct numbered *keys = spb_alloc_array(arena, n, sizeof *keys);
	struct spb_variable *copy = spb_alloc_array(arena, n, sizeof *copy);

	for (uint32_t i = 0; i < n; i++) {
		const struct spb_variable *v = &variables->items[i];
		const bool counts = v->has_binding && !is_made(v) && (all || !spb_is_auto(options, v));
		keys[i] = (struct numbered){!counts, counts && v->has_set ? v->set : 0, counts ? v->binding : 0, i};
		if (v->extra->piece) { /* numbered in a row */
			keys[i] = keys[i - 1];
			keys[i].variable = i;
		}
	}
	spb_sort_by_words(arena, keys, n, sizeof *keys, 3); /* stable */
	leave_shared(options, keys, variables->items, n);
	spb_sort_by_words(arena, keys, n, sizeof *keys, 1);
	memcpy(copy, variables->items, n * sizeof *copy);
	for (size_t i = 0; i < n; i++)
		variables->items[i] = copy[keys[i].variable];
}

bool spb_order_variables(const struct spb_module *m, const spb_options *options, const struct spb_source_text *text,
			 struct spb_variables *variables, struct spb_arena *arena)
{
	const spb_order order = options->layout.order;
	bool fell_back = false;

	if (variables->count < 2)
		return false;
	if (order == SPB_ORDER_NAME)
		spb_sort(arena, variables->items, variables->count, sizeof *variables->items, by_key);
	else if (order != SPB_ORDER_MODULE)
		fell_back = !sort_by_declaration(m, text, variables, arena);
	if (fell_back && options->layout.rebind != SPB_REBIND_MISSING)
		sort_by_numbers(options, variables, arena);
	spb_put_counters(m, variables, arena);
	return fell_back;
}

/* Resources that a source text declares but for which the module has no variable.
 *
 *     Texture2D a, b;  Texture2D c : register(t4);         the module has b: a takes number 0, b 1, and t4 stays free
 *
 * Compilers drop resources that the entry point does not use, so numbers of variables would change with function
 * bodies. Numbers of declarations do not. A dropped declaration takes a number as if it were present, or reserves the
 * place that its author chose; it conflicts with nothing, and does not become a descriptor. */

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
	    .beside = d->beside,
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
