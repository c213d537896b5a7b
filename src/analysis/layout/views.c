/* SPDX-License-Identifier: Apache-2.0 */
/* views: which variables are views of one descriptor, and when two descriptors can share a binding.
 *
 * A descriptor is a set, a binding, a VkDescriptorType, a count and the stages that use it; a variable is a view of it.
 * The first note of "DescriptorSet and Binding Assignment" in the Vulkan specification allows any number of variables
 * to share a set and binding, and a shader to use all of them statically, if the descriptor bound there supports their
 * declared types ("Shader Resource and Descriptor Type Correspondence"). Variables that an entry point does not
 * statically use ("Static Use") do not matter to it. The rule for modules is VUID-RuntimeSpirv-DescriptorSet-06323;
 * those for pipeline layouts are VUID-VkGraphicsPipelineCreateInfo-layout-07988 (stages), -07990 (type), -07991 (count)
 * and their counterparts for other pipelines.
 *
 *     texture + sampler + combined image-sampler    one VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
 *     uniform blocks with different members         one uniform buffer; storage blocks likewise
 *     images of any dimension and component type    one image of the same descriptor type
 *     arrays of different lengths                   the longest array; a runtime array is unbounded
 *     anything else                                 two descriptors: a conflict if one pipeline needs both
 *
 * Writing through a view that is not Aliased is legal, too, but then a compiler may reorder its accesses with those
 * through other views (SPIR-V, 2.18.2 "Aliasing"). */
#include "analysis/layout/plan.h"

enum { MOST_SEARCHES = 256 }; /* each walks a module; beyond this limit the verdict is "doubtful" */

struct spb_module_facts {
	uint32_t single;             /* bits: stages that have one entry point */
	bool registers;              /* spb_is_hlsl_by_glslang */
	uint32_t used[2], listed[2]; /* bits: stages that use or list either of two descriptors, see gather */
	/* in unite_modules: the latest parameter, + 1, of each family and class at this place that the module has */
	uint32_t latest[SPB_DESCRIPTOR_COUNT][SPB_CLASS_COUNT];
};

_Static_assert(SPB_DESCRIPTOR_COUNT <= 16, "groups have 16 bits for their types");

/* The descriptor types that can serve a view of this kind. */
static uint16_t types_for(enum spb_descriptor kind)
{
	uint32_t own = 1u << kind;

	if (kind == SPB_DESCRIPTOR_SAMPLER || kind == SPB_DESCRIPTOR_TEXTURE)
		own |= 1u << SPB_DESCRIPTOR_COMBINED;
	return (uint16_t)own;
}

/* The lowest type of the set. */
static enum spb_descriptor type_of(uint32_t types)
{
	uint32_t type = 0;

	while (!(types >> type & 1))
		type++;
	return (enum spb_descriptor)type;
}

void spb_sum_up_group(struct spb_plan *s, struct spb_group *group)
{
	bool any = false, present = false;

	for (uint32_t i = group->first + 1; i; i = spb_next_view(s, i)) {
		const struct spb_parameter *p = spb_plan_parameter(s, i - 1);
		if (p->place == SPB_PLACE_REMOVED || (p->dropped && present))
			continue;
		group->leader = any ? group->leader : i - 1;
		if (!any || (!present && !p->dropped)) { /* what has been dropped says nothing about the descriptor */
			group->types = types_for(p->variable->kind);
			group->count = p->count;
		}
		any = true;
		present |= !p->dropped;
		group->types &= types_for(p->variable->kind);
		if (!p->count || (group->count && p->count > group->count))
			group->count = p->count;
	}
	const uint8_t type = group->types & (group->types - 1) ? spb_plan_parameter(s, group->leader)->variable->kind
							       : (uint8_t)type_of(group->types);
	for (uint32_t i = group->first + 1; i; i = spb_next_view(s, i))
		spb_plan_parameter(s, i - 1)->type = type;
}

bool spb_has_registers(const struct spb_plan *s, const struct spb_parameter *p)
{
	return s->facts[p->module].registers;
}

/* Views */

/* Lists the views of each parameter, and collects the stages that use it. */
static void list_views(struct spb_plan *s)
{
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	size_t count = s->layout->parameters.count, total = 0;
	uint32_t *next;

	s->layout->first_view = spb_alloc_zeroed(s->arena, count + 1, sizeof *s->layout->first_view);
	for (size_t i = 0; i < s->module_count; i++) {
		total += s->modules[i].variables.count;
		for (size_t k = 0; k < s->modules[i].variables.count; k++)
			s->layout->first_view[s->modules[i].variables.items[k].parameter + 1]++;
	}
	for (size_t i = 0; i < count; i++)
		s->layout->first_view[i + 1] += s->layout->first_view[i];
	s->layout->views = spb_alloc_array(s->arena, total, sizeof *s->layout->views);
	next = spb_alloc_array(&s->c->scratch, count, sizeof *next);
	memcpy(next, s->layout->first_view, count * sizeof *next);
	for (uint32_t i = 0; i < s->module_count; i++) {
		const struct spb_variables *vs = &s->modules[i].variables;
		for (uint32_t k = 0; k < vs->count; k++) {
			const struct spb_variable *v = &vs->items[k];
			s->layout->views[next[v->parameter]++] = (struct spb_view){i, k};
			spb_plan_parameter(s, v->parameter)->uses |= v->stages | v->listed;
		}
	}
	spb_arena_rewind(&s->c->scratch, mark);
}

/* Grouping */

struct place { /* binding of a parameter in the input */
	uint32_t set, binding;
	uint32_t to; /* if that is vague: its destination */
	uint32_t parameter;
};

/* Special destinations; any other value is the set that a policy gives it, + 1. */
static const uint32_t STAYS = 0, GETS_A_NUMBER = UINT32_MAX;

/* The destination of a parameter that has a binding in the input. Must predict what spb_settle decides. */
static uint32_t move_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	struct spb_policy_question q = spb_policy_question_of(s, p);
	bool has_set = false;
	uint32_t to = STAYS;

	if (s->options->layout.rebind != SPB_REBIND_MISSING || (s->hlsl && s->unused == SPB_UNUSED_LAST && !p->reached))
		return GETS_A_NUMBER;
	if (p->variable->placed)
		return STAYS; /* an earlier run decided */
	const struct spb_policy_found found = spb_policy_find(s->policies, &q, &s->c->scratch);
	for (size_t i = 0; i < found.count; i++) {
		const struct spb_policy_line *line = found.items[i];
		if (line->verb == SPB_POLICY_BLOCK || line->has_binding || line->has_range || line->open)
			return GETS_A_NUMBER;
		if (line->has_set && !has_set)
			to = line->set + 1;
		has_set |= line->has_set;
	}
	return to;
}

/* Whether the view may be at (0, 0) because glslang puts resources without a register there. Sharing that place means
 * nothing once the resource moves. With a text, what has no register has no place. */
static bool is_vague(const struct spb_plan *s, struct spb_view view)
{
	const struct spb_variable *v = spb_variable_of(s, view);

	return s->facts[view.module].registers && spb_is_at_zero(v) && !v->extra->declaration;
}

/* The binding of a parameter in the input. False: it has none, or modules disagree about it, so any sharing would be a
 * coincidence. */
static bool find_place(const struct spb_plan *s, uint32_t parameter, struct place *place)
{
	const struct spb_parameter *p = spb_plan_parameter(s, parameter);
	bool found = false;

	if (!p->has_place || p->variable->heap || p->variable->extra->pieces > 1)
		return false;
	if (p->dropped && s->options->layout.rebind != SPB_REBIND_MISSING) { /* moves as if it were used */
		const struct spb_draft *d = spb_plan_draft(s, parameter);
		*place = (struct place){d->place_set, d->place_binding, STAYS, parameter};
		return true;
	}
	for (uint32_t k = s->layout->first_view[parameter]; k < s->layout->first_view[parameter + 1]; k++) {
		const struct spb_variable *v = spb_variable_of(s, s->layout->views[k]);
		uint32_t set, binding, to = STAYS;
		if (!spb_find_place(s, v, &set, &binding))
			continue;
		if (is_vague(s, s->layout->views[k]) && (to = move_of(s, p)) == GETS_A_NUMBER)
			continue;
		if (found && (place->set != set || place->binding != binding))
			return false;
		*place = (struct place){set, binding, found && place->to == STAYS ? STAYS : to, parameter};
		found = true;
	}
	return found;
}

struct moved { /* sort key: by its text; where it is now */
	uint32_t set, number, class, binding;
};

struct places {
	struct place *items;
	size_t count, capacity;
};

static int by_author(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	order = order ? order : spb_compare(x->number, y->number);
	return order ? order : spb_compare(x->class, y->class);
}

/* Only its text says where a dropped declaration is. If an earlier run has moved what others have there, it went
 * along. */
static void move_dropped(struct spb_plan *s, struct places *places)
{
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	SPB_LIST(struct moved) moved = {0};

	if (s->options->layout.rebind == SPB_REBIND_MISSING)
		return;
	for (size_t i = 0; i < places->count; i++) {
		const struct place *at = &places->items[i];
		struct moved to = {
		    .set = at->set, .class = spb_plan_parameter(s, at->parameter)->class, .binding = at->binding};
		for (uint32_t k = s->layout->first_view[at->parameter]; k < s->layout->first_view[at->parameter + 1];
		     k++) {
			const struct spb_variable *v = spb_variable_of(s, s->layout->views[k]);
			if (spb_is_renumbered(v) && spb_is_authored(s->options, v, &to.number))
				SPB_PUSH(&s->c->scratch, &moved, to);
		}
	}
	spb_sort_by_words(&s->c->scratch, moved.items, moved.count, sizeof *moved.items, 4);
	for (size_t i = 0; i < places->count && moved.count; i++) {
		struct place *at = &places->items[i];
		const struct spb_parameter *p = spb_plan_parameter(s, at->parameter);
		struct moved wanted = {.set = at->set, .class = p->class};
		if (!p->dropped || !spb_is_authored(s->options, p->variable, &wanted.number))
			continue;
		const size_t k = spb_lower_bound(moved.items, moved.count, sizeof wanted, &wanted, by_author);
		if (k < moved.count && !by_author(&moved.items[k], &wanted))
			at->binding = moved.items[k].binding;
	}
	spb_arena_rewind(&s->c->scratch, mark);
}

/* Adds a group for a parameter. The list has room for one group per parameter. */
static void add_group(struct spb_plan *s, uint32_t parameter)
{
	struct spb_parameter *p = spb_plan_parameter(s, parameter);
	s->layout->groups.items[s->layout->groups.count] = (struct spb_group){
	    .first = parameter,
	    .last = parameter,
	    .leader = parameter,
	    .types = types_for(p->variable->kind),
	    .count = p->count,
	    .uses = p->uses,
	    .reached = p->reached,
	};

	p->type = p->variable->kind;
	spb_draft(s, p)->group = (uint32_t)s->layout->groups.count++;
}

static void join(struct spb_plan *s, struct spb_group *group, uint32_t parameter)
{
	struct spb_parameter *p = spb_plan_parameter(s, parameter);

	spb_plan_draft(s, group->last)->next_view = parameter + 1;
	group->last = parameter;
	group->uses |= p->uses;
	group->reached |= p->reached;
	spb_draft(s, p)->group = (uint32_t)(group - s->layout->groups.items);
}

static bool have_registers(const struct spb_plan *s)
{
	return s->hlsl || (s->policies->fixed_registers && s->policies->shifts.count);
}

/* Whether two parameters are registers of different classes, and therefore get different bindings: always under HLSL's
 * rules, otherwise only if one is from a module with registers and either moves. */
static bool are_registers(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	if (a->class == b->class)
		return false;
	if (have_registers(s))
		return true;
	if (!spb_has_registers(s, a) && !spb_has_registers(s, b))
		return false;
	uint32_t to = move_of(s, a);
	return to == GETS_A_NUMBER || to != move_of(s, b);
}

/* Whether both are registers, t0 and u0, rather than a buffer that is declared twice. */
static bool is_other_register(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	return a->class != b->class && spb_has_registers(s, a) && spb_has_registers(s, b);
}

/* Whether p can join a group. Comparing it with the first view is enough, since only combined image-samplers serve
 * several kinds. */
static bool can_join(struct spb_plan *s, const struct spb_group *group, const struct spb_parameter *p)
{
	const struct spb_parameter *first = spb_plan_parameter(s, group->first);

	if ((first->variable->kind != p->variable->kind || is_other_register(s, first, p)) &&
	    (spb_is_mapped(s, first) || spb_is_mapped(s, p)))
		return false;
	if (!(group->types & types_for(p->variable->kind)) || (s->hlsl && spb_own_lane(s, first) != spb_own_lane(s, p)))
		return false;
	return !are_registers(s, first, p);
}

/* Which parameters share a number: within a module, all that have it; across modules, those to which authors gave it.
 * Other numbers were assigned stage by stage, so unrelated resources have the same one. */

static void unite(uint32_t *root, uint32_t a, uint32_t b)
{
	root[spb_find_root(root, b)] = spb_find_root(root, a);
}

/* The latest of those at this place with which it can share a descriptor: one type serves any number of its family.
 * What does not share with it says nothing about what has its name in another module. */
static uint32_t *latest_of(struct spb_plan *s, uint32_t module, const struct spb_parameter *p)
{
	const uint32_t kind = p->variable->kind;
	const bool half = kind == SPB_DESCRIPTOR_SAMPLER || kind == SPB_DESCRIPTOR_TEXTURE;

	return &s->facts[module].latest[half ? SPB_DESCRIPTOR_COMBINED : kind][have_registers(s) ? p->class : 0];
}

/* Only modules in which they have the number: others may declare both, with numbers that do not count. Nor does what is
 * removed. */
static void unite_modules(struct spb_plan *s, const struct place *places, size_t count)
{
	for (int clear = 0; clear < 2; clear++) {
		for (size_t i = 0; i < count; i++) {
			const uint32_t p = places[i].parameter, end = s->layout->first_view[p + 1];
			const struct spb_parameter *of = spb_plan_parameter(s, p);
			if (s->unused == SPB_UNUSED_REMOVE && !of->reached)
				continue;
			for (uint32_t k = s->layout->first_view[p]; k < end; k++) {
				uint32_t *latest = latest_of(s, s->layout->views[k].module, of);
				const struct spb_variable *v = spb_variable_of(s, s->layout->views[k]);
				uint32_t set, binding;
				if (!spb_find_place(s, v, &set, &binding) || set != places[i].set ||
				    binding != places[i].binding)
					continue;
				if (!clear && *latest)
					unite(s->root, *latest - 1, p);
				*latest = clear ? 0 : p + 1;
			}
		}
	}
}

struct author { /* a parameter, and the number that its author gave it */
	uint32_t number, parameter;
};

/* The number in the text counts, not the one in the module: that may have been moved since, stage by stage. */
static void unite_authors(struct spb_plan *s, const struct place *places, size_t count)
{
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	SPB_LIST(struct author) authors = {0};
	struct author a;

	for (size_t i = 0; i < count; i++) {
		a.parameter = places[i].parameter;
		const struct spb_parameter *p = spb_plan_parameter(s, a.parameter);
		if (p->dropped && spb_is_authored(s->options, p->variable, &a.number))
			SPB_PUSH(&s->c->scratch, &authors, a);
		for (uint32_t k = s->layout->first_view[a.parameter]; k < s->layout->first_view[a.parameter + 1]; k++) {
			const struct spb_variable *v = spb_variable_of(s, s->layout->views[k]);
			if (spb_is_authored(s->options, v, &a.number))
				SPB_PUSH(&s->c->scratch, &authors, a);
		}
	}
	spb_sort_by_words(&s->c->scratch, authors.items, authors.count, sizeof *authors.items, 1);
	for (size_t i = 1; i < authors.count; i++) {
		if (authors.items[i].number == authors.items[i - 1].number)
			unite(s->root, authors.items[i - 1].parameter, authors.items[i].parameter);
	}
	spb_arena_rewind(&s->c->scratch, mark);
}

/* Whether a variable shares the number that it has with others, even if a tool assigned it: if it keeps its number, or
 * has no name to distinguish it. */
static bool shares_by_number(const struct spb_plan *s, const struct spb_parameter *p)
{
	return s->options->layout.rebind == SPB_REBIND_MISSING || !*p->variable->key;
}

static void unite_places(struct spb_plan *s, const struct place *places, size_t count)
{
	uint32_t numbered = 0; /* the first that shares by number, + 1 */

	for (size_t i = 0; i < count; i++) {
		const uint32_t p = places[i].parameter, namesake = spb_plan_draft(s, p)->namesake;
		if (shares_by_number(s, spb_plan_parameter(s, p))) {
			unite(s->root, numbered ? numbered - 1 : p, p);
			numbered = p + 1;
		}
		if (namesake && spb_plan_draft(s, namesake - 1)->place_set == places[i].set &&
		    spb_plan_draft(s, namesake - 1)->place_binding == places[i].binding)
			unite(s->root, namesake - 1, p);
	}
	if (s->options->layout.rebind == SPB_REBIND_MISSING)
		return;
	unite_modules(s, places, count);
	unite_authors(s, places, count);
}

/* Groups the parameters at one binding, in order. The walks over groups are short: their types are disjoint. */
static void group_place(struct spb_plan *s, const struct place *places, size_t count)
{
	unite_places(s, places, count);
	for (size_t i = 0; i < count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, places[i].parameter);
		uint32_t *first = &s->groups_of[spb_find_root(s->root, places[i].parameter)], g = *first, last = 0;
		while (g && !can_join(s, &s->layout->groups.items[g - 1], p)) {
			last = g;
			g = s->layout->groups.items[g - 1].next_at_place;
		}
		if (g) {
			join(s, &s->layout->groups.items[g - 1], places[i].parameter);
			continue;
		}
		add_group(s, places[i].parameter);
		g = spb_draft(s, p)->group + 1;
		*(last ? &s->layout->groups.items[last - 1].next_at_place : first) = g;
	}
}

/* False: its authors gave it none. */
static bool find_author_number(const struct spb_plan *s, const struct spb_parameter *p, uint32_t *number)
{
	const size_t i = (size_t)(p - s->layout->parameters.items);

	for (uint32_t k = s->layout->first_view[i]; k < s->layout->first_view[i + 1]; k++) {
		if (spb_is_authored(s->options, spb_variable_of(s, s->layout->views[k]), number))
			return true;
	}
	return false;
}

bool spb_have_common_author(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	uint32_t of_a, of_b;

	return find_author_number(s, a, &of_a) && find_author_number(s, b, &of_b) && of_a == of_b;
}

static void find_facts(struct spb_plan *s)
{
	s->facts = spb_alloc_zeroed(&s->c->scratch, s->module_count, sizeof *s->facts);
	for (size_t i = 0; i < s->module_count; i++) {
		s->facts[i].single = spb_single_stages(s->options, s->modules[i].m);
		s->facts[i].registers = spb_is_hlsl_by_glslang(s->modules[i].m);
	}
}

static bool same_place(const struct place *a, const struct place *b)
{
	return a->set == b->set && a->binding == b->binding && a->to == b->to;
}

void spb_group_views(struct spb_plan *s)
{
	size_t count = s->layout->parameters.count;
	struct places places = {0};
	struct place place;

	SPB_SIZE(spb_planning_arena(s, count), &s->layout->groups, count);
	find_facts(s);
	list_views(s);
	s->root = spb_alloc_array(&s->c->scratch, count, sizeof *s->root);
	s->groups_of = spb_alloc_zeroed(&s->c->scratch, count, sizeof *s->groups_of);
	for (uint32_t i = 0; i < count; i++)
		s->root[i] = i;
	for (uint32_t i = 0; i < count; i++) {
		if (!s->options->layout.split_shared && find_place(s, i, &place))
			SPB_PUSH(&s->c->scratch, &places, place);
		else
			add_group(s, i);
	}
	move_dropped(s, &places);
	spb_sort_by_words(&s->c->scratch, places.items, places.count, sizeof *places.items, 3); /* stable */
	for (size_t i = 0, end; i < places.count; i = end) {
		for (end = i; end < places.count && same_place(&places.items[end], &places.items[i]); end++)
			;
		group_place(s, &places.items[i], end - i);
	}
}

/* Two descriptors at one binding */

/* The stages of each kind of pipeline. */
static const struct {
	uint32_t stages;
	bool many; /* a pipeline may have several entry points of one stage */
} pipelines[] = {
    {0x001F, false}, /* vertex to fragment */
    {0x3010, false}, /* task, mesh and fragment */
    {0x0020, false}, /* compute */
    {0x0FC0, true},  /* ray tracing */
};

struct sides {
	struct spb_plan *s;
	const struct spb_group *group[2];
	SPB_LIST(uint32_t) modules; /* modules that use either */
	bool strangers;             /* the last two modules that were compared are never in one pipeline */
	const char *reason;         /* why they are two descriptors, for messages */
	struct spb_overlap overlap;
	const char *entry_point;
};

/* Collects the stages that use one of the two descriptors, per module. */
static void gather(struct sides *x, int side)
{
	struct spb_plan *s = x->s;

	for (uint32_t i = x->group[side]->first + 1; i; i = spb_next_view(s, i)) {
		for (uint32_t k = s->layout->first_view[i - 1]; k < s->layout->first_view[i]; k++) {
			struct spb_view view = s->layout->views[k];
			const struct spb_variable *v = spb_variable_of(s, view);
			struct spb_module_facts *f = &s->facts[view.module];
			if (!(f->listed[0] | f->listed[1]) && (v->stages | v->listed))
				SPB_PUSH(&s->c->scratch, &x->modules, view.module);
			f->used[side] |= v->stages;
			f->listed[side] |= v->stages | v->listed;
		}
	}
}

/* A parameter of the group that the stages `bits` of a module use. */
static const struct spb_parameter *user(const struct sides *x, int side, uint32_t module, uint32_t bits)
{
	const struct spb_plan *s = x->s;

	for (uint32_t i = x->group[side]->first + 1; i; i = spb_next_view(s, i)) {
		for (uint32_t k = s->layout->first_view[i - 1]; k < s->layout->first_view[i]; k++) {
			const struct spb_variable *v = spb_variable_of(s, s->layout->views[k]);
			if (s->layout->views[k].module == module && (v->stages | v->listed) & bits)
				return spb_plan_parameter(s, i - 1);
		}
	}
	return spb_plan_parameter(s, x->group[side]->first);
}

static void decide(struct sides *x, enum spb_verdict_of_two verdict, const char *rule, uint32_t module_a,
		   uint32_t bits_a, uint32_t module_b, uint32_t bits_b)
{
	if (verdict <= x->overlap.verdict)
		return;
	x->overlap.verdict = verdict;
	x->overlap.rule = rule;
	x->overlap.a = user(x, 0, module_a, bits_a);
	x->overlap.b = user(x, 1, module_b, bits_b);
}

/* Finds an entry point that uses both. */
static spb_at find_shared(struct sides *x, uint32_t module)
{
	struct spb_plan *s = x->s;
	const struct spb_module *m = spb_plan_module(s, module);
	uint8_t *side = spb_alloc_zeroed(&s->c->scratch, m->bound, sizeof *side);

	for (uint32_t n = 0; n < 2; n++) {
		for (uint32_t i = x->group[n]->first + 1; i; i = spb_next_view(s, i)) {
			for (uint32_t k = s->layout->first_view[i - 1]; k < s->layout->first_view[i]; k++) {
				if (s->layout->views[k].module == module)
					side[spb_variable_of(s, s->layout->views[k])->id] |= (uint8_t)(n + 1);
			}
		}
	}
	return spb_shared_entry_point(s->options, m, side, &s->c->scratch);
}

/* Names what uses both, and why that is a conflict. */
static const char *rule_text(const struct sides *x, const char *who)
{
	struct spb_text_buffer text = {.arena = x->s->arena};

	spb_text_format(&text, "%s, and %s", who, x->reason);
	return spb_text_end(&text);
}

static const char *name_rule(const struct sides *x, const char *name)
{
	struct spb_text_buffer text = {.arena = &x->s->c->scratch};

	spb_text_format(&text, "entry point \"%s\" uses both", name);
	return rule_text(x, spb_text_end(&text));
}

static const char *single_entry_point(const spb_options *options, const struct spb_module *m, uint32_t stages)
{
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_is_wanted_entry_point(options, m, at) && spb_stage_bit(m->words[at + 1]) & stages)
			return spb_string(m, at + 3);
	}
	return "";
}

static void judge_entry_points(struct sides *x, uint32_t module)
{
	struct spb_plan *s = x->s;
	const struct spb_module_facts *f = &s->facts[module];
	const struct spb_module *m = s->modules[module].m;
	uint32_t both = f->used[0] & f->used[1];

	if (both & f->single) {
		decide(x, SPB_OVERLAP_CONFLICT, name_rule(x, single_entry_point(s->options, m, both & f->single)),
		       module, both, module, both);
		return;
	}
	if (both && s->searches++ >= MOST_SEARCHES) {
		decide(x, SPB_OVERLAP_DOUBTFUL, "an entry point may use both", module, both, module, both);
		return;
	}
	spb_at shared = both ? find_shared(x, module) : 0;
	if (shared) {
		decide(x, SPB_OVERLAP_CONFLICT, name_rule(x, spb_string(m, shared + 3)), module, both, module, both);
		return;
	}
	both = f->listed[0] & f->listed[1] & ~(f->used[0] & f->used[1]);
	if (both)
		decide(x, SPB_OVERLAP_DOUBTFUL,
		       "the interface of an entry point lists both, which Vulkan counts as static use", module, both,
		       module, both);
}

/* Two stages of a module are certain to be in one pipeline if each has only one entry point. */
static void judge_stages(struct sides *x, uint32_t module)
{
	const struct spb_module_facts *f = &x->s->facts[module];

	for (size_t i = 0; i < SPB_COUNT(pipelines); i++) {
		uint32_t a = f->used[0] & pipelines[i].stages, b = f->used[1] & pipelines[i].stages;
		uint32_t sure_a = a & f->single, sure_b = b & f->single;
		if (sure_a && sure_b && sure_a != sure_b)
			decide(x, SPB_OVERLAP_CONFLICT, rule_text(x, "two stages of the pipeline use them"), module,
			       sure_a, module, sure_b);
		else if (a && b && (a != b || a & (a - 1) || pipelines[i].many))
			decide(x, SPB_OVERLAP_DOUBTFUL, rule_text(x, "two shaders may use them in one pipeline"),
			       module, a, module, b);
	}
}

enum { COMPUTE = 0x0020 };

/* Whether one module has compute shaders only, and the other none: they are never in one pipeline. */
static bool are_strangers(const struct spb_plan *s, uint32_t a, uint32_t b)
{
	const uint32_t of_a = spb_module_stages(s->options, s->modules[a].m),
		       of_b = spb_module_stages(s->options, s->modules[b].m);

	return (of_a == COMPUTE && !(of_b & COMPUTE)) || (of_b == COMPUTE && !(of_a & COMPUTE));
}

/* The modules of a program share one pipeline layout. */
static void judge_modules(struct sides *x)
{
	struct spb_plan *s = x->s;

	for (int sure = 1; sure >= 0; sure--) {
		uint32_t users[2][2], counts[2] = {0, 0}; /* two per side are enough to find a pair that differs */
		for (size_t i = 0; i < x->modules.count; i++) {
			const struct spb_module_facts *f = &s->facts[x->modules.items[i]];
			for (int side = 0; side < 2; side++) {
				if (f->used[side] & (sure ? f->single : UINT32_MAX) && counts[side] < 2)
					users[side][counts[side]++] = x->modules.items[i];
			}
		}
		for (uint32_t i = 0; i < counts[0]; i++) {
			for (uint32_t k = 0; k < counts[1]; k++) {
				if (users[0][i] == users[1][k])
					continue;
				x->strangers = are_strangers(s, users[0][i], users[1][k]);
				decide(x, sure ? SPB_OVERLAP_CONFLICT : SPB_OVERLAP_DOUBTFUL,
				       rule_text(x, x->strangers ? "a compute shader and another stage use them"
						    : sure       ? "two modules of one pipeline use them"
								 : "two modules may use them in one pipeline"),
				       users[0][i], UINT32_MAX, users[1][k], UINT32_MAX);
			}
		}
	}
}

/* VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT: any combination of these is supported wherever the feature is. */
static const uint32_t always_mutable = 1u << SPB_DESCRIPTOR_TEXTURE | 1u << SPB_DESCRIPTOR_IMAGE |
				       1u << SPB_DESCRIPTOR_UTEXBUF | 1u << SPB_DESCRIPTOR_STEXBUF |
				       1u << SPB_DESCRIPTOR_UBO | 1u << SPB_DESCRIPTOR_SSBO;

static bool can_be_mutable(const struct spb_plan *s, const struct spb_group *a, const struct spb_group *b)
{
	const uint32_t types =
	    1u << spb_plan_parameter(s, a->leader)->type | 1u << spb_plan_parameter(s, b->leader)->type;

	return !(a->types & b->types) && !(types & ~always_mutable);
}

static const char *remedy_of(const struct sides *x)
{
	if (x->strangers)
		return "Bind the compute shader in a run of its own, as --each=stem does: it is in no pipeline with "
		       "others.";
	if (spb_writes_registers(spb_module_of(x->s, x->overlap.a)) && x->overlap.a->class != x->overlap.b->class)
		return x->s->policies->fixed_registers
			   ? "Give their classes different values of --shift, as in --shift=t=32, or use --rules=hlsl."
			   : "Use --rules=hlsl, under which they are registers of different classes.";
	/* merely doubtful sharing is kept under --rebind=conflicts */
	const char *rebind = x->overlap.verdict == SPB_OVERLAP_CONFLICT ? "conflicts" : "all";
	struct spb_text_buffer text = {.arena = x->s->arena};
	if (can_be_mutable(x->s, x->group[0], x->group[1]))
		spb_text_format(&text,
				"Move one of them, use --rebind=%s, or make it mutable with --policy='descriptor "
				"set=%u binding=%u -> type=mutable'.",
				rebind, x->overlap.a->set, x->overlap.a->number);
	else
		spb_text_format(&text, "Move one of them, or use --rebind=%s.", rebind);
	return spb_text_end(&text);
}

/* For two groups that a policy allows at one place. */
static struct spb_overlap judge_mixing(const struct spb_plan *s, const struct spb_policy_line *policy,
				       const struct spb_group *a, const struct spb_group *b)
{
	struct spb_overlap o = {.verdict = SPB_OVERLAP_LEGAL, .remedy = ""};
	struct spb_text_buffer text = {.arena = s->arena};

	if (policy->form == SPB_FORM_MAPPED) {
		spb_text_format(&text, "%s: the host maps each type by its resourceMask", policy->why);
	} else if (!can_be_mutable(s, a, b)) {
		spb_text_format(&text, "%s makes it mutable, but devices need not support this type in the list",
				policy->why);
		o.verdict = SPB_OVERLAP_DOUBTFUL;
		o.remedy = "Ask vkGetDescriptorSetLayoutSupport.";
	} else {
		spb_text_format(&text, "%s makes it a VK_DESCRIPTOR_TYPE_MUTABLE_EXT", policy->why);
	}
	o.rule = spb_text_end(&text);
	return o;
}

/* Only with --rebind=conflicts, which separates them. */
static struct spb_overlap strangers(const struct spb_plan *s, const struct spb_group *a, const struct spb_group *b)
{
	return (struct spb_overlap){
	    .verdict = SPB_OVERLAP_CONFLICT,
	    .rule = "they have different names in different modules, and no author gave both this number",
	    .remedy = "",
	    .a = spb_plan_parameter(s, a->first),
	    .b = spb_plan_parameter(s, b->first),
	};
}

struct spb_overlap spb_judge_groups(struct spb_plan *s, const struct spb_group *a, const struct spb_group *b)
{
	struct sides x = {.s = s, .group = {a, b}};
	const struct spb_policy_line *mixing = spb_mixing_policy(s, a, b);

	if (mixing)
		return judge_mixing(s, mixing, a, b);
	if (a->types & b->types && spb_find_root(s->root, a->first) != spb_find_root(s->root, b->first) &&
	    !s->options->layout.split_shared)
		return strangers(s, a, b);
	/* if types overlap, shared=apart is the only reason to get here: HLSL registers of glslang that differ only
	 * in class are two descriptors, too, but the later one always moves */
	if (a->types & b->types && s->options->layout.split_shared)
		x.reason = "option shared=apart makes them two descriptors";
	else
		x.reason = "no VkDescriptorType serves both"; /* but a mutable one, which the remedy names */
	x.overlap = (struct spb_overlap){
	    .verdict = SPB_OVERLAP_LEGAL,
	    .rule = "no pipeline uses both",
	    .remedy = "",
	    .a = spb_plan_parameter(s, a->first),
	    .b = spb_plan_parameter(s, b->first),
	};
	gather(&x, 0);
	gather(&x, 1);
	for (size_t i = 0; i < x.modules.count; i++) {
		judge_entry_points(&x, x.modules.items[i]);
		judge_stages(&x, x.modules.items[i]);
	}
	judge_modules(&x);
	for (size_t i = 0; i < x.modules.count; i++) {
		struct spb_module_facts *f = &s->facts[x.modules.items[i]];
		f->used[0] = f->used[1] = f->listed[0] = f->listed[1] = 0;
	}
	if (x.overlap.verdict != SPB_OVERLAP_LEGAL)
		x.overlap.remedy = remedy_of(&x);
	return x.overlap;
}
