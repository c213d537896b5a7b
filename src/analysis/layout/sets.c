/* SPDX-License-Identifier: Apache-2.0 */
/* sets: assigns whole sets to parameter blocks and heaps.
 *
 * Parameter blocks get the first sets that are neither used nor reserved, in the order of their first parameters. The
 * default set counts as used only if an unassigned parameter needs it.
 *
 * Heaps are placed last. Without --heap-set, they join the heaps of other modules, made by Slang, by DXC or by an
 * earlier run: one of their kind, or one whose descriptors are mutable. Others are at fixed bindings in the set of
 * existing heaps, in the set that --heap-set names if the program shares it with others, or else in the first free set
 * at or above --heap-set. If --heap or the lock file gives the binding of a kind, it is used instead. Of several
 * places for one kind, a heap gets the one where an array of its type is, or else the last. Heaps in the input keep
 * their bindings unless --heap moves their kind, or --rebind=all with --heap-set, or --rebind=all,sets, moves all of
 * them, or one compiler's join another's (unite_heaps.c). Policies about resources do not apply to heaps. What is a
 * heap is settled before anything else: an array is one in all modules if several views in one show that it is. */
#include "analysis/layout/plan.h"

static uint32_t table_binding(const struct spb_plan *s, spb_heap_kind kind)
{
	const struct spb_heap_info *heap = spb_heap_info(kind);

	return s->options->heaps.model == SPB_HEAP_MODEL_MUTABLE ? heap->mutable : heap->typed;
}

/* Whether it is a heap of the input at the binding that a new heap of its kind would get, or that of mutable
 * descriptors, which no new heap gets without joining it. */
static bool is_by_table(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_heap_info *heap = p->heap_kept ? spb_heap_info(p->variable->heap_kind) : NULL;

	return heap && p->count == s->options->heaps.size &&
	       (p->binding == table_binding(s, p->variable->heap_kind) ||
		(heap->may_mix && p->binding == heap->mutable));
}

static struct spb_sets find_used_sets(struct spb_plan *s, bool for_heaps)
{
	struct spb_sets sets = {0};

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		bool waits =
		    p->place == SPB_PLACE_OPEN && (p->variable->heap || (spb_draft(s, p)->block && !p->in_block));
		if (!waits && p->place != SPB_PLACE_REMOVED && !(for_heaps && is_by_table(s, p)))
			SPB_PUSH(&s->c->scratch, &sets, p->set);
	}
	for (size_t i = 0; i < s->policies->lines.count; i++) {
		const struct spb_policy_line *line = &s->policies->lines.items[i];
		if (line->verb == SPB_POLICY_RESERVE)
			SPB_PUSH(&s->c->scratch, &sets, line->set);
	}
	for (size_t i = 0; i < s->lock.entries.count; i++) {
		const struct spb_lock_entry *e = &s->lock.entries.items[i];
		if (!e->shift && !e->push && (!e->seen || e->heap)) /* a removed resource, or a heap */
			SPB_PUSH(&s->c->scratch, &sets, e->set);
	}
	spb_sort_sets(&s->c->scratch, &sets);
	return sets;
}

/* Adds the sets that the program shares with others. Blocks and heaps avoid these unless placed there explicitly. */
static void add_shared(struct spb_plan *s, struct spb_sets *sets)
{
	for (size_t i = 0; i < s->lock.shares.count; i++)
		SPB_PUSH(&s->c->scratch, sets, s->lock.shares.items[i].set);
	spb_sort_sets(&s->c->scratch, sets);
}

struct block {
	const struct spb_policy_line *line;
	const struct spb_parameter *first;
	bool placed, locked;
	uint32_t set;
};

/* Makes a block for each block line that applies; blocks that only imported modules have come last. */
static size_t find_blocks(struct spb_plan *s, struct block *blocks, uint32_t *number)
{
	size_t count = 0;

	for (int imported = 0; imported < 2; imported++) {
		for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
			const struct spb_parameter *p = spb_plan_parameter(s, i);
			const struct spb_draft *d = spb_plan_draft(s, i);
			if (!d->block || p->place == SPB_PLACE_REMOVED || number[d->block - 1] ||
			    (d->imported && !imported))
				continue;
			const struct spb_policy_line *line = &s->policies->lines.items[d->block - 1];
			blocks[count] = (struct block){line, p, line->has_set, false, line->set};
			number[d->block - 1] = (uint32_t)++count;
		}
	}
	return count;
}

/* Lists the blocks in the order of their first parameters. number[line]: index of the block of a policy line, + 1. */
static size_t list_blocks(struct spb_plan *s, struct block *blocks, uint32_t *number)
{
	size_t count = find_blocks(s, blocks, number);

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		const uint32_t line = spb_plan_draft(s, i)->block;
		if (!line || p->place == SPB_PLACE_REMOVED)
			continue;
		struct block *b = &blocks[number[line - 1] - 1];
		bool bound = p->place == SPB_PLACE_BOUND && !b->locked; /* the lock file has this member */
		if (bound && (!b->placed || b->set == p->set)) {
			b->placed = b->locked = true;
			b->set = p->set;
		} else if (p->was_fixed && !b->placed) { /* the input may be the output of an earlier run */
			b->placed = true;
			b->set = p->variable->set;
		}
	}
	return count;
}

static noreturn void refuse_used_set(const struct spb_plan *s, const struct block *b)
{
	spb_fail(spb_module_of(s, b->first), SPB_ERROR_CONFLICT, SPB_E_BLOCK, b->first->variable->at,
		 "%s belongs to the parameter block of %s, but set %u%s is in use" SPB_REMEDY
		 "A block takes a whole set: %s.",
		 spb_parameter_label(s, b->first), b->line->origin, b->set,
		 b->line->has_set ? "" : ", where the module has it,",
		 b->line->has_set ? "name another set, or none"
				  : "leave it unassigned (--auto-binding, --rebind=all), or drop the block");
}

static void choose_sets(struct spb_plan *s, struct block *blocks, size_t count)
{
	struct spb_sets sets = find_used_sets(s, false);
	uint64_t set = 0;
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		if (!blocks[i].placed)
			continue;
		if (!blocks[i].locked && spb_is_set_used(&sets, blocks[i].set))
			refuse_used_set(s, &blocks[i]);
	}
	for (size_t i = 0; i < count; i++) {
		if (blocks[i].placed)
			SPB_PUSH(&s->c->scratch, &sets, blocks[i].set);
	}
	add_shared(s, &sets);
	for (size_t i = 0; i < count; i++) {
		if (blocks[i].placed)
			continue;
		set = spb_first_free_set(&sets, set, &next); /* cannot run out: there are more sets than resources */
		blocks[i].set = (uint32_t)set++;
	}
}

void spb_place_blocks(struct spb_plan *s)
{
	size_t lines = s->policies->lines.count, count;
	struct block *blocks;
	uint32_t *number;

	if (!lines)
		return;
	blocks = spb_alloc_array(&s->c->scratch, lines, sizeof *blocks);
	number = spb_alloc_zeroed(&s->c->scratch, lines, sizeof *number);
	count = list_blocks(s, blocks, number);
	if (!count)
		return;
	choose_sets(s, blocks, count);
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		struct spb_draft *d = spb_plan_draft(s, i);
		if (!d->block || p->place != SPB_PLACE_OPEN)
			continue;
		p->set = blocks[number[d->block - 1] - 1].set;
		p->has_set = p->in_block = true;
		if (p->variable->kind != SPB_DESCRIPTOR_UBO) /* the uniform buffer of a block comes first */
			d->order |= 1u << 16;
	}
}

void spb_check_blocks(struct spb_plan *s)
{
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		const struct spb_variable *v = p->variable;
		if (!p->was_fixed || (p->set == v->set && p->binding == v->binding))
			continue;
		spb_fail(spb_module_of(s, p), SPB_ERROR_CONFLICT, SPB_E_BLOCK, v->at,
			 "%s has set %u, binding %u, but its parameter block, %s, would give it set %u, binding "
			 "%u" SPB_REMEDY "Leave it unassigned (--auto-binding, --rebind=all), or drop the block.",
			 spb_parameter_label(s, p), v->set, v->binding,
			 s->policies->lines.items[spb_draft(s, p)->block - 1].origin, p->set, p->binding);
	}
}

struct view { /* a heap of one module */
	uint32_t set, binding;
	const char *name;
};

static int by_view(const void *a, const void *b)
{
	const struct view *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	order = order ? order : spb_compare(x->binding, y->binding);
	return order ? order : strcmp(x->name, y->name);
}

/* An array that several views in one module show to be a heap is also a heap in modules with a single view. */
void spb_spread_heaps(struct spb_plan *s)
{
	SPB_LIST(struct view) views = {0};

	for (size_t i = 0; i < s->module_count && s->module_count > 1; i++) {
		for (size_t k = 0; k < s->modules[i].variables.count; k++) {
			const struct spb_variable *v = &s->modules[i].variables.items[k];
			if (v->heap && v->has_set && v->has_binding)
				SPB_PUSH(&s->c->scratch, &views, ((struct view){v->set, v->binding, v->name}));
		}
	}
	spb_sort(&s->c->scratch, views.items, views.count, sizeof *views.items, by_view);
	for (size_t i = 0; i < s->module_count && views.count; i++) {
		for (size_t k = 0; k < s->modules[i].variables.count; k++) {
			struct spb_variable *v = &s->modules[i].variables.items[k];
			const struct view wanted = {v->set, v->binding, v->name};
			if (v->heap || v->count || !v->has_set || !v->has_binding || !spb_has_heap(v->kind))
				continue;
			size_t found = spb_lower_bound(views.items, views.count, sizeof *views.items, &wanted, by_view);
			if (found == views.count || by_view(&views.items[found], &wanted) != 0)
				continue;
			spb_mark_heap(v);
			if (v->extra->declared && *v->name) /* the source declares it, not a struct it is part of */
				spb_own_extra(v, s->arena)->declared = NULL;
		}
	}
}

/* Whether it is a heap that still needs a binding. */
static bool waits_for_place(const struct spb_parameter *p)
{
	return p->variable->heap && p->place == SPB_PLACE_OPEN;
}

static struct spb_parameter *first_heap(struct spb_plan *s)
{
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		if (waits_for_place(spb_plan_parameter(s, i)))
			return spb_plan_parameter(s, i);
	}
	return NULL;
}

/* Its own line in the lock file, or that of any heap of its kind created by lower-handles. */
static const struct spb_lock_entry *locked_place(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_lock_entry *own =
	    spb_lock_find(&s->lock, &(struct spb_lock_name){NULL, p->variable->key, p->ordinal, true});

	for (size_t i = 0; i < s->lock.entries.count && !own && !p->ordinal; i++) {
		const struct spb_lock_entry *e = &s->lock.entries.items[i];
		if (e->heap && spb_heap_named(e->name) == p->variable->kind)
			return e;
	}
	return own;
}

/* Whether the lock file is the part of a program that shares its heaps with others, so that all numbers are in it. */
static bool shares_heaps(const struct spb_plan *s)
{
	bool shares = false;

	for (size_t i = 0; i < s->lock.shares.count; i++)
		shares |= s->lock.shares.items[i].set == SPB_SHARED_HEAPS;
	return shares;
}

/* Whether --heap-set names a set that the program shares with others. */
static bool joins_shared_set(const struct spb_plan *s)
{
	bool joins = false;

	for (size_t i = 0; i < s->lock.shares.count && s->options->heaps.has_set; i++)
		joins |= s->lock.shares.items[i].set == s->options->heaps.set;
	return joins;
}

static const char asked_why[] = "heap of DescriptorHandles, at the binding given by --heap";

static void bind_heap(struct spb_parameter *p, uint32_t set, uint32_t binding, const char *why)
{
	p->heap_kept = false;
	p->place = SPB_PLACE_BOUND;
	p->set = set;
	p->binding = binding;
	p->why = why;
}

/* --heap */

struct typed_place { /* an array of the input at a place that --heap gives */
	uint64_t type;
	const struct spb_parameter *array;
};

static int by_type(const void *a, const void *b)
{
	const struct typed_place *x = a, *y = b;

	if (x->type != y->type)
		return (x->type > y->type) - (x->type < y->type);
	return (x->array > y->array) - (x->array < y->array);
}

static uint64_t type_of(struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_hashes_of(s, p->module)[p->variable->element];
}

/* The arrays of the input that --heap makes heaps, by type. */
static struct typed_place *list_typed_places(struct spb_plan *s, size_t *count)
{
	SPB_LIST(struct typed_place) list = {0};

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		const struct spb_variable *v = p->variable;
		if (v->heap && p->has_place && spb_is_asked_heap_place(s->options, v->heap_kind, v->set, v->binding))
			SPB_PUSH(&s->c->scratch, &list, ((struct typed_place){type_of(s, p), p}));
	}
	spb_sort(&s->c->scratch, list.items, list.count, sizeof *list.items, by_type);
	*count = list.count;
	return list.items;
}

static noreturn void refuse_choice(const struct spb_plan *s, const struct spb_parameter *p,
				   const struct spb_parameter *a, const struct spb_parameter *b)
{
	const struct spb_module *m = spb_module_of(s, p);

	spb_report_two(
	    m, SPB_SEVERITY_ERROR, SPB_E_HEAP_CHOICE, p->variable->at, spb_note_of(s, b, "declared"),
	    "%s may be at set %u, binding %u or at set %u, binding %u: --heap names both, and each has an array of its "
	    "type" SPB_REMEDY "Give --heap for one of them only.",
	    spb_parameter_label(s, p), a->variable->set, a->variable->binding, b->variable->set, b->variable->binding);
	spb_throw(s->c, SPB_ERROR_CONFLICT);
}

/* Chooses among several places that --heap gives for one kind. */
void spb_choose_heap_places(struct spb_plan *s)
{
	size_t count = 0;
	const struct typed_place *places = NULL;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		const struct spb_variable *v = p->variable;
		if (!v->heap || !spb_has_heap_choice(s->options, v->heap_kind) ||
		    (p->has_place && spb_is_asked_heap_place(s->options, v->heap_kind, v->set, v->binding)))
			continue;
		if (!places)
			places = list_typed_places(s, &count);
		const struct typed_place wanted = {type_of(s, p), NULL};
		const size_t found = spb_lower_bound(places, count, sizeof *places, &wanted, by_type);
		const struct spb_parameter *first =
		    found < count && places[found].type == wanted.type ? places[found].array : NULL;
		for (size_t k = found + 1; first && k < count && places[k].type == wanted.type; k++) {
			const struct spb_variable *x = first->variable, *y = places[k].array->variable;
			if (x->set != y->set || x->binding != y->binding)
				refuse_choice(s, p, first, places[k].array);
		}
		if (first)
			bind_heap(p, first->variable->set, first->variable->binding, asked_why);
	}
}

void spb_bind_heap(struct spb_plan *s, struct spb_parameter *p)
{
	const struct spb_variable *v = p->variable;
	const spb_heap_place *asked = spb_asked_heap_place(s->options, v->heap_kind);
	const struct spb_lock_entry *locked =
	    asked || (p->heap_kept && !(p->heap_free && shares_heaps(s))) ? NULL : locked_place(s, p);

	if (asked && p->has_place && spb_is_asked_heap_place(s->options, v->heap_kind, v->set, v->binding))
		bind_heap(p, v->set, v->binding, asked_why);
	else if (asked)
		bind_heap(p, asked->set, asked->binding, asked_why);
	else if (locked)
		bind_heap(p, locked->set, locked->binding,
			  "heap of DescriptorHandles, at its binding in the lock file");
	else if (p->heap_kept)
		p->why = "heap of descriptors, at its binding in the module";
	else if (joins_shared_set(s))
		bind_heap(p, s->options->heaps.set, table_binding(s, p->variable->heap_kind),
			  "heap of DescriptorHandles, in the shared set that --heap-set names");
	p->heap_kept |= locked && shares_heaps(s); /* programs whose heaps are mutable share it */
}

/* The set of the heaps in the lock file, which is used for new heaps, too. Heaps with explicit bindings do not count.
 */
static bool locked_heap_set(const struct spb_plan *s, uint64_t *set)
{
	for (size_t i = 0; i < s->lock.entries.count; i++) {
		const struct spb_lock_entry *e = &s->lock.entries.items[i];
		enum spb_descriptor kind = e->heap ? spb_heap_named(e->name) : SPB_DESCRIPTOR_OTHER;
		if (kind == SPB_DESCRIPTOR_OTHER)
			continue;
		spb_heap_kind heap = spb_descriptor_info(kind)->heap.kind;
		if (e->binding == table_binding(s, heap) && !spb_asked_heap_place(s->options, heap)) {
			*set = e->set;
			return true;
		}
	}
	return false;
}

/* The lowest set that contains heaps and nothing else. */
static bool kept_heap_set(struct spb_plan *s, const struct spb_sets *used, uint64_t *set)
{
	bool found = false;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (!is_by_table(s, p) || p->set < s->options->heaps.set || spb_is_set_used(used, p->set) ||
		    (found && p->set >= *set))
			continue;
		*set = p->set;
		found = true;
	}
	return found;
}

/* The heaps of the input that new ones join. */
struct joined {
	const struct spb_parameter *of_kind[SPB_HEAP_KINDS]; /* NULL: none */
	const struct spb_parameter *mutable;                 /* several kinds have its binding; NULL: none */
};

struct kept {
	uint32_t set, binding, number; /* of the parameter */
};

static int by_place(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->set != y->set)
		return spb_compare(x->set, y->set);
	return x->binding != y->binding ? spb_compare(x->binding, y->binding) : spb_compare(x->number, y->number);
}

static struct joined find_joined(struct spb_plan *s)
{
	SPB_LIST(struct kept) kept = {0};
	struct joined joined = {0};
	const struct spb_parameter *before = NULL;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (p->heap_kept && p->count == s->options->heaps.size)
			SPB_PUSH(&s->c->scratch, &kept, ((struct kept){p->set, p->binding, i}));
	}
	spb_sort(&s->c->scratch, kept.items, kept.count, sizeof *kept.items, by_place);
	for (size_t i = 0; i < kept.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, kept.items[i].number);
		const struct spb_parameter **first = &joined.of_kind[p->variable->heap_kind];
		if (!*first)
			*first = p;
		if (!joined.mutable && before && before->set == p->set && before->binding == p->binding &&
		    before->variable->heap_kind != p->variable->heap_kind)
			joined.mutable = p;
		before = p;
	}
	return joined;
}

static bool is_free(const struct spb_plan *s, const struct spb_parameter *p)
{
	return p->heap_free && p->heap_kept && p->count == s->options->heaps.size;
}

static int by_number(const void *a, const void *b)
{
	const struct spb_range *x = a, *y = b;

	return x->set != y->set ? spb_compare(x->set, y->set) : (x->first > y->first) - (x->first < y->first);
}

/* Bits: modules with a heap where another resource is. */
static uint32_t *find_crowded(struct spb_plan *s)
{
	uint32_t *crowded = spb_bits(&s->c->scratch, (uint32_t)s->module_count);
	SPB_LIST(struct spb_range) taken = {0};

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (!p->variable->heap && p->place == SPB_PLACE_FIXED)
			SPB_PUSH(&s->c->scratch, &taken, ((struct spb_range){.set = p->set, .first = p->number}));
	}
	spb_sort(&s->c->scratch, taken.items, taken.count, sizeof *taken.items, by_number);
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		const struct spb_range at = {.set = p->set, .first = p->variable->binding};
		if (!is_free(s, p))
			continue;
		const size_t k = spb_lower_bound(taken.items, taken.count, sizeof *taken.items, &at, by_number);
		if (k < taken.count && !by_number(&taken.items[k], &at))
			spb_set_bit(crowded, p->module);
	}
	return crowded;
}

/* Puts the heaps that several compilers have made at one place, preferably one that is free. */
void spb_unite_kept_heaps(struct spb_plan *s)
{
	struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	SPB_LIST(struct spb_heap_at) heaps = {0};
	bool any = false;

	for (uint32_t i = 0; i < s->layout->parameters.count && s->module_count > 1; i++)
		any |= is_free(s, spb_plan_parameter(s, i));
	if (!any)
		return;
	const uint32_t *crowded = find_crowded(s);
	for (uint32_t i = 0; i < 2 * s->layout->parameters.count; i++) {
		const bool second = i >= s->layout->parameters.count;
		const uint32_t owner = second ? i - (uint32_t)s->layout->parameters.count : i;
		const struct spb_parameter *p = spb_plan_parameter(s, owner);
		const struct spb_variable *v = p->variable;
		if (is_free(s, p) && spb_bit(crowded, p->module) == second)
			SPB_PUSH(&s->c->scratch, &heaps,
				 ((struct spb_heap_at){v->heap_kind, p->module, v->set, v->binding, owner, false}));
	}
	spb_unite_heaps(&s->c->scratch, heaps.items, heaps.count);
	for (size_t i = 0; i < heaps.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, heaps.items[i].owner);
		if (p->variable->set == heaps.items[i].set && p->variable->binding == heaps.items[i].binding)
			continue;
		bind_heap(p, heaps.items[i].set, heaps.items[i].binding,
			  "heap of descriptors, at the binding of another compiler's");
		p->heap_kept = true;
	}
	spb_arena_rewind(&s->c->scratch, mark);
}

static void join_heaps(struct spb_plan *s)
{
	const struct joined joined = find_joined(s);

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		const struct spb_parameter *to = joined.of_kind[p->variable->heap_kind];
		if (!waits_for_place(p) || p->count != s->options->heaps.size)
			continue;
		if (!to && joined.mutable && spb_heap_info(p->variable->heap_kind)->may_mix)
			to = joined.mutable;
		if (!to)
			continue;
		bind_heap(p, to->set, to->binding, "heap of DescriptorHandles, at the binding of another module's");
		p->heap_kept = p->heap_free = true; /* as if the module had had it there */
	}
}

static void place_in_own_set(struct spb_plan *s, const struct spb_parameter *heap)
{
	struct spb_sets sets = find_used_sets(s, true);
	uint64_t set = s->options->heaps.set;
	size_t next = 0;
	bool locked = locked_heap_set(s, &set), joins = !locked && kept_heap_set(s, &sets, &set);

	add_shared(s, &sets);
	if (!locked && !joins)
		set = spb_first_free_set(&sets, set, &next);
	if (set > UINT32_MAX)
		spb_fail(spb_module_of(s, heap), SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, heap->variable->at,
			 "no descriptor set at or above %u is free for the heaps" SPB_REMEDY
			 "Give another set with --heap-set.",
			 s->options->heaps.set);
	if (!locked && !joins && s->options->heaps.has_set && set != s->options->heaps.set)
		spb_report(spb_module_of(s, heap), SPB_SEVERITY_WARNING, SPB_E_HEAP_SET_TAKEN, heap->variable->at,
			   "set %u is in use, so the heaps are in set %u" SPB_REMEDY
			   "Read the set from the layout, or give a free one with --heap-set.",
			   s->options->heaps.set, (unsigned)set);
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		if (!waits_for_place(p))
			continue;
		p->set = (uint32_t)set;
		p->binding = table_binding(s, p->variable->heap_kind);
		p->why = locked  ? "heap of DescriptorHandles, in the set that the lock file has for heaps"
			 : joins ? "heap of DescriptorHandles, in the set of the other heaps"
				 : "heap of DescriptorHandles, in the first set that nothing else uses";
	}
}

/* Places heaps as DXC does: one binding for all resources, one for samplers, one for counters, each the first free one.
 */
static void place_in_default_set(struct spb_plan *s)
{
	struct spb_ranges taken = {0};
	uint64_t binding[3] = {SPB_NUMBERS, SPB_NUMBERS, SPB_NUMBERS}, free = 0;
	size_t next = 0;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		const uint64_t length =
		    s->hlsl ? 1 : spb_length_of(s, p); /* the following registers are not bindings */
		if (!waits_for_place(p) && p->place != SPB_PLACE_REMOVED && p->set == s->options->layout.default_set)
			SPB_PUSH(&s->c->scratch, &taken,
				 ((struct spb_range){.first = p->binding, .end = p->binding + length}));
	}
	spb_sort_ranges(&s->c->scratch, &taken);
	for (int heap = 0; heap < 3; heap++) {
		for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
			struct spb_parameter *p = spb_plan_parameter(s, i);
			if (!waits_for_place(p) || spb_heap_info(p->variable->heap_kind)->dxc != heap)
				continue;
			if (binding[heap] == SPB_NUMBERS) {
				for (; next < taken.count && taken.items[next].first <= free; next++)
					free = taken.items[next].end > free ? taken.items[next].end : free;
				binding[heap] = free++;
			}
			if (binding[heap] > UINT32_MAX)
				spb_plan_fail(s, p, SPB_E_NO_ROOM,
					      "finds no free binding for its heap" SPB_REMEDY "Use another set.");
			p->binding = (uint32_t)binding[heap];
			p->why = "heap of DescriptorHandles, at the first free binding of the default set";
		}
	}
}

void spb_place_heaps(struct spb_plan *s)
{
	const struct spb_parameter *heap = first_heap(s);

	if (heap && !s->options->heaps.has_set && !spb_heaps_in_default_set(s)) {
		join_heaps(s);
		heap = first_heap(s);
	}
	if (!heap)
		return;
	if (spb_heaps_in_default_set(s))
		place_in_default_set(s);
	else
		place_in_own_set(s, heap);
}
