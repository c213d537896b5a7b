/* SPDX-License-Identifier: Apache-2.0 */
/* layout: the set and binding of every resource of a program, by the rules of Slang for Vulkan.
 *
 *   1. Order: modules as given; in each, resources in declaration order.
 *   2. Collapse: resources of one name in several modules are one parameter, at the first place it is seen.
 *   3. Reserve what is fixed in the input. Two different parameters at one place are an error.
 *   4. Allocate the rest in order, each the first free binding of its set; what was split out of one variable
 *      takes the first contiguous run that fits. A resource takes one binding, also an array. Nothing is dropped
 *      for being unused.
 *   5. Heaps come last: the first set that nothing uses.
 *
 * Everything is a sort or a walk; no resource is searched for among the others. */
#include "analysis/analysis.h"

/* The parameters of a program while they are being found. */
struct names { /* open addressing: hash -> parameter + 1 */
	uint32_t *slot;
	uint32_t mask;
};

struct state {
	struct spb_context *c;
	const spb_options *options;
	struct spb_layout_module *modules;
	size_t module_count;
	struct spb_layout *layout;
	struct spb_arena *arena;
	struct names names;
	uint64_t *key_hash; /* of each parameter */
};

static const struct spb_variable *variable_of(const struct state *s, const struct spb_parameter *p)
{
	return &s->modules[p->module].variables.items[p->variable];
}

static const struct spb_module *module_of(const struct state *s, const struct spb_parameter *p)
{
	return s->modules[p->module].m;
}

static const char *label_of(const struct state *s, const struct spb_module *m, const struct spb_variable *v)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};

	if (*v->path)
		spb_text_format(&text, "\"%s\" (%s)", v->key, spb_label(&s->c->scratch, m, v->id));
	else if (*v->key && strcmp(v->key, v->name) != 0)
		spb_text_format(&text, "block \"%s\" (%s)", v->key, spb_label(&s->c->scratch, m, v->id));
	else
		spb_text_format(&text, "%s", spb_label(&s->c->scratch, m, v->id));
	return spb_text_end(&text);
}

/* Names that stand several times in one module (a generic block type used for two variables; hand-written
 * names) tell nothing apart: such variables are known by both names, then by the how-manieth they are. */
static void number_repeated_names(struct state *s, uint32_t **ordinals)
{
	struct spb_arena *arena = &s->c->scratch;
	size_t largest = 0;

	for (size_t i = 0; i < s->module_count; i++) {
		if (s->modules[i].variables.count > largest)
			largest = s->modules[i].variables.count;
	}
	size_t size = 16;
	while (size < 2 * largest)
		size *= 2;
	uint32_t *slot = spb_alloc_array(arena, size, sizeof *slot);
	for (size_t i = 0; i < s->module_count; i++) {
		struct spb_variables *vs = &s->modules[i].variables;
		ordinals[i] = spb_alloc_zeroed(arena, vs->count, sizeof **ordinals);
		memset(slot, 0, size * sizeof *slot);
		for (size_t k = 0; k < vs->count; k++) {
			const char *key = vs->items[k].key;
			size_t h = (size_t)spb_hash_bytes(1, key, strlen(key)) & (size - 1);
			while (slot[h] && strcmp(vs->items[slot[h] - 1].key, key) != 0)
				h = (h + 1) & (size - 1);
			if (slot[h])
				ordinals[i][k] = ordinals[i][slot[h] - 1] + 1;
			slot[h] = (uint32_t)k + 1; /* the latest of that name */
		}
	}
}

/* Finds the parameter a variable belongs to, or the free slot where a new one goes. */
static uint32_t *find_parameter(struct state *s, uint64_t hash, const char *key, uint32_t ordinal,
				const uint32_t *const *ordinals)
{
	for (uint32_t h = (uint32_t)hash & s->names.mask;; h = (h + 1) & s->names.mask) {
		uint32_t *slot = &s->names.slot[h];
		if (!*slot)
			return slot;
		const struct spb_parameter *p = &s->layout->parameters.items[*slot - 1];
		if (s->key_hash[*slot - 1] == hash && !strcmp(variable_of(s, p)->key, key) &&
		    ordinals[p->module][p->variable] == ordinal)
			return slot;
	}
}

static const uint64_t *hashes_of(struct state *s, uint32_t module)
{
	struct spb_layout_module *lm = &s->modules[module];

	if (!lm->hashes)
		lm->hashes = spb_type_hashes(lm->m, s->arena);
	return lm->hashes;
}

/* What of a variable's decorations counts, under --rebind, --auto-binding, --auto-set. */
static void read_place(const spb_options *o, const struct spb_variable *v, bool *has_set, bool *has_binding)
{
	*has_set = v->has_set && !(o->has_auto_set && v->set == o->auto_set) && o->rebind != SPB_REBIND_ALL_SETS;
	*has_binding = v->has_binding && !(o->has_auto_binding && v->binding == o->auto_binding) &&
		       !(v->has_set && o->has_auto_set && v->set == o->auto_set) && o->rebind != SPB_REBIND_ALL &&
		       o->rebind != SPB_REBIND_ALL_SETS;
}

static void note_first(const struct state *s, const struct spb_parameter *p, const char *what)
{
	spb_report(module_of(s, p), SPB_SEVERITY_NOTE, SPB_E_OVERLAP, variable_of(s, p)->at, "%s: %s", what,
		   label_of(s, module_of(s, p), variable_of(s, p)));
}

/* Structs of one name that were split differ in their members. */
static noreturn void other_parts(const struct state *s, const struct spb_parameter *p, uint32_t module,
				 const struct spb_variable *v)
{
	const struct spb_module *m = s->modules[module].m;

	note_first(s, p, "first seen here");
	spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_TYPE_MISMATCH, v->at,
		 "%s is not a member of the same struct as in %s; resources of one name are one resource of the "
		 "program: make "
		 "the declarations equal, or rename one, or use --no-merge",
		 label_of(s, m, v), module_of(s, p)->name);
}

/* A second variable of the same name: it must be the same thing in the same place. */
static void merge(struct state *s, struct spb_parameter *p, uint32_t module, const struct spb_variable *v, bool has_set,
		  bool has_binding)
{
	const struct spb_module *m = s->modules[module].m;
	const struct spb_variable *first = variable_of(s, p);
	bool same_length = first->count == v->count || !first->count || !v->count;
	bool same_parts = p->leaf == v->leaf && p->leaves == v->leaves &&
			  (!v->leaf || &s->layout->parameters.items[v[-1].parameter] + 1 == p);
	uint32_t binding = v->binding + v->leaf;

	if (!same_parts)
		other_parts(s, p, module, v);
	if (p->kind != v->kind || !same_length ||
	    hashes_of(s, p->module)[first->element] != hashes_of(s, module)[v->element]) {
		const char *what = p->kind != v->kind ? "is another kind of descriptor"
				   : !same_length     ? "has another array size"
						      : "has another type";
		note_first(s, p, "first seen here");
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_TYPE_MISMATCH, v->at,
			 "%s %s here (%s) than in %s (%s); resources of one name are one resource of the program: make "
			 "the declarations "
			 "equal, or rename one, or use --no-merge",
			 label_of(s, m, v), what, spb_descriptor_info(v->kind)->kind, module_of(s, p)->name,
			 spb_descriptor_info(p->kind)->kind);
	}
	if ((has_set && p->has_set && p->set != v->set) || (has_binding && p->fixed && p->binding != binding)) {
		note_first(s, p, "first placed here");
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_PLACE_MISMATCH, v->at,
			 "%s is placed at set %u, binding %u here, but at set %u, binding %u in %s; correct one, or "
			 "use --rebind=all",
			 label_of(s, m, v), v->has_set ? v->set : s->options->default_set, binding, p->set, p->binding,
			 module_of(s, p)->name);
	}
	if (has_set) {
		p->has_set = true;
		p->set = v->set;
	}
	if (has_binding) {
		p->fixed = true;
		p->binding = binding;
		if (!p->has_set) {
			p->has_set = true;
			p->set = s->options->default_set;
		}
	}
	if (!v->count)
		p->count = 0;
	p->used |= v->used;
	p->aliased |= v->aliased;
}

static void need_names(const struct state *s)
{
	if (s->module_count < 2 || s->options->no_merge)
		return;
	for (size_t i = 0; i < s->module_count; i++) {
		for (size_t k = 0; k < s->modules[i].variables.count; k++) {
			const struct spb_variable *v = &s->modules[i].variables.items[k];
			bool has_set, has_binding;
			read_place(s->options, v, &has_set, &has_binding);
			if (!*v->key && !v->heap && !has_binding)
				spb_fail(s->modules[i].m, SPB_ERROR_UNSUPPORTED, SPB_E_NO_NAMES, v->at,
					 "%%%u has no OpName, so it cannot be matched with the other modules of the "
					 "program; keep "
					 "names (strip after binding), fix its binding, or use --no-merge",
					 v->id);
		}
	}
}

static noreturn void no_room(const struct state *s, uint32_t module, const struct spb_variable *v, uint32_t set)
{
	const struct spb_module *m = s->modules[module].m;

	spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, v->at, "no binding is left in set %u for %s", set,
		 label_of(s, m, v));
}

static void collapse(struct state *s)
{
	struct spb_layout *layout = s->layout;
	uint32_t **ordinals = spb_alloc_array(&s->c->scratch, s->module_count, sizeof *ordinals);
	size_t total = 0, size = 16;

	need_names(s);
	for (size_t i = 0; i < s->module_count; i++)
		total += s->modules[i].variables.count;
	while (size < 2 * total)
		size *= 2;
	if (size > UINT32_MAX)
		spb_throw(s->c, SPB_ERROR_OUT_OF_MEMORY);
	s->names.slot = spb_alloc_zeroed(&s->c->scratch, size, sizeof *s->names.slot);
	s->names.mask = (uint32_t)size - 1;
	s->key_hash = spb_alloc_array(&s->c->scratch, total, sizeof *s->key_hash);
	number_repeated_names(s, ordinals);

	for (uint32_t i = 0; i < s->module_count; i++) {
		struct spb_variables *vs = &s->modules[i].variables;
		for (uint32_t k = 0; k < vs->count; k++) {
			struct spb_variable *v = &vs->items[k];
			bool has_set, has_binding;
			uint32_t *slot = NULL;
			uint64_t hash = spb_hash_mix(spb_hash_bytes(v->heap, v->key, strlen(v->key)), ordinals[i][k]);

			read_place(s->options, v, &has_set, &has_binding);
			if (*v->key && !s->options->no_merge) {
				slot =
				    find_parameter(s, hash, v->key, ordinals[i][k], (const uint32_t *const *)ordinals);
				if (*slot && s->layout->parameters.items[*slot - 1].heap == v->heap) {
					v->parameter = *slot - 1;
					merge(s, &layout->parameters.items[v->parameter], i, v, has_set, has_binding);
					continue;
				}
			}
			if (has_binding && v->binding > UINT32_MAX - v->leaf)
				no_room(s, i, v, v->set);
			if (v->leaf && v[-1].parameter + 1 != layout->parameters.count)
				other_parts(s, &layout->parameters.items[v[-1].parameter], i, v);
			struct spb_parameter p = {
			    .module = i,
			    .variable = k,
			    .kind = v->kind,
			    .count = v->count,
			    .has_set = has_set || has_binding,
			    .set = has_set ? v->set : s->options->default_set,
			    .fixed = has_binding,
			    .binding = v->binding + v->leaf,
			    .leaf = v->leaf,
			    .leaves = v->leaves,
			    .heap = v->heap,
			    .aliased = v->aliased,
			    .used = v->used,
			};
			v->parameter = (uint32_t)layout->parameters.count;
			s->key_hash[v->parameter] = hash;
			SPB_PUSH(s->arena, &layout->parameters, p);
			if (slot)
				*slot = (uint32_t)layout->parameters.count;
		}
	}
}

/* A place taken, in the order (set, binding, parameter). */
struct place {
	uint32_t set, binding, parameter;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	if (x->binding != y->binding)
		return x->binding < y->binding ? -1 : 1;
	return (x->parameter > y->parameter) - (x->parameter < y->parameter);
}

/* Views of one heap (runtime arrays of one descriptor type), and what the author calls Aliased. */
static bool may_share(const struct spb_parameter *a, const struct spb_parameter *b)
{
	return (a->kind == b->kind && !a->count && !b->count) || (a->aliased && b->aliased);
}

static void open_run(struct state *s, uint32_t parameter)
{
	struct spb_parameter *p = &s->layout->parameters.items[parameter];

	p -= p->leaf;
	for (uint32_t i = 0; i < p->leaves; i++)
		p[i].fixed = false;
}

struct places {
	struct place *items;
	size_t count, capacity;
};

static struct places reserve(struct state *s)
{
	struct places places = {0};

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = &s->layout->parameters.items[i];
		if (!p->fixed || p->heap)
			continue;
		p->why = "fixed in the module";
		SPB_PUSH(s->arena, &places, ((struct place){p->set, p->binding, i}));
	}
	spb_sort(s->arena, places.items, places.count, sizeof *places.items, by_place);

	size_t kept = 0;
	for (size_t i = 0; i < places.count; i++) {
		struct place *here = &places.items[i], *before = kept ? &places.items[kept - 1] : NULL;
		struct spb_parameter *p = &s->layout->parameters.items[here->parameter];
		if (before && before->set == here->set && before->binding == here->binding) {
			const struct spb_parameter *first = &s->layout->parameters.items[before->parameter];
			if (!may_share(first, p)) {
				if (s->options->rebind == SPB_REBIND_CONFLICTS) {
					open_run(s, here->parameter); /* the later one gives way */
					continue;
				}
				spb_severity severity =
				    s->options->allow_overlap ? SPB_SEVERITY_WARNING : SPB_SEVERITY_ERROR;
				spb_report(module_of(s, p), severity, SPB_E_OVERLAP, variable_of(s, p)->at,
					   "%s is at set %u, binding %u, where %s of %s is; move one, or use "
					   "--rebind=conflicts, or "
					   "--allow-overlap if it is meant",
					   label_of(s, module_of(s, p), variable_of(s, p)), p->set, p->binding,
					   label_of(s, module_of(s, first), variable_of(s, first)),
					   module_of(s, first)->name);
				note_first(s, first, "the other one");
				if (severity == SPB_SEVERITY_ERROR)
					spb_throw(s->c, SPB_ERROR_CONFLICT);
			}
			continue; /* a place is listed once */
		}
		places.items[kept++] = *here;
	}
	places.count = 0;
	for (size_t i = 0; i < kept; i++) { /* but for those that gave way with their run */
		if (s->layout->parameters.items[places.items[i].parameter].fixed)
			places.items[places.count++] = places.items[i];
	}
	return places;
}

/* Open parameters with the set they go to, kept in global order within a set. */
static int by_set(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->set > y->set) - (x->set < y->set);
}

/* Free bindings of one set. Gaps only shrink, so the first that fits a run of n bindings never lies before the one
 * that the last run of n went to: a cursor for each length makes all searches of one length one walk. */
struct gaps {
	struct gap {
		uint64_t begin, end;
	} * items;
	size_t count, capacity;
	size_t *cursor; /* [longest run + 1] */
};

/* The gaps between the places of `set`, from *f on; leaves *f behind them. */
static void find_gaps(struct state *s, struct gaps *gaps, const struct places *fixed, size_t *f, uint32_t set)
{
	uint64_t next = 0;

	gaps->count = 0;
	while (*f < fixed->count && fixed->items[*f].set < set)
		++*f;
	for (; *f < fixed->count && fixed->items[*f].set == set; ++*f) {
		uint64_t taken = fixed->items[*f].binding;
		if (taken > next)
			SPB_PUSH(&s->c->scratch, gaps, ((struct gap){next, taken}));
		next = taken + 1;
	}
	SPB_PUSH(&s->c->scratch, gaps, ((struct gap){next, (uint64_t)UINT32_MAX + 1}));
}

static bool take(struct gaps *gaps, uint32_t length, uint32_t *binding)
{
	size_t *i = &gaps->cursor[length];

	while (*i < gaps->count && gaps->items[*i].end - gaps->items[*i].begin < length)
		++*i;
	if (*i == gaps->count)
		return false;
	*binding = (uint32_t)gaps->items[*i].begin;
	gaps->items[*i].begin += length;
	return true;
}

static void allocate(struct state *s, const struct places *fixed, struct places *open)
{
	struct gaps gaps = {0};
	uint32_t longest = 1, binding;
	size_t f = 0;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = &s->layout->parameters.items[i];
		if (p->fixed || p->heap || p->leaf)
			continue;
		SPB_PUSH(s->arena, open, ((struct place){p->set, 0, i}));
		longest = p->leaves > longest ? p->leaves : longest;
	}
	spb_sort(s->arena, open->items, open->count, sizeof *open->items, by_set);
	gaps.cursor = spb_alloc_array(&s->c->scratch, (size_t)longest + 1, sizeof *gaps.cursor);

	for (size_t i = 0; i < open->count; i++) {
		struct spb_parameter *p = &s->layout->parameters.items[open->items[i].parameter];
		if (!i || open->items[i - 1].set != p->set) {
			find_gaps(s, &gaps, fixed, &f, p->set);
			for (size_t k = i; k < open->count && open->items[k].set == p->set; k++)
				gaps.cursor[s->layout->parameters.items[open->items[k].parameter].leaves] = 0;
		}
		if (!take(&gaps, p->leaves, &binding))
			no_room(s, p->module, variable_of(s, p), p->set);
		for (uint32_t k = 0; k < p->leaves; k++) {
			p[k].binding = binding + k;
			p[k].why = p->has_set ? "first free binding of the set it names"
					      : "first free binding of the default set";
		}
	}
}

/* ORDER DESCRIPTOR: bindings of the typed heaps (--heap-model=typed). */
static const uint8_t heap_binding[SPB_DESCRIPTOR_COUNT] = {
    [SPB_DESCRIPTOR_SAMPLER] = 0, [SPB_DESCRIPTOR_COMBINED] = 1, [SPB_DESCRIPTOR_TEXTURE] = 2,
    [SPB_DESCRIPTOR_IMAGE] = 3,   [SPB_DESCRIPTOR_UTEXBUF] = 4,  [SPB_DESCRIPTOR_STEXBUF] = 5,
    [SPB_DESCRIPTOR_UBO] = 6,     [SPB_DESCRIPTOR_SSBO] = 7,     [SPB_DESCRIPTOR_AS] = 8,
};

static void place_heaps(struct state *s, const struct places *fixed, const struct places *open)
{
	uint64_t set = s->options->heap_set;
	size_t f = 0, o = 0;
	bool any = false;

	for (size_t i = 0; i < s->layout->parameters.count; i++)
		any |= s->layout->parameters.items[i].heap;
	if (!any)
		return;
	for (;; set++) { /* both lists ascend by set */
		while (f < fixed->count && fixed->items[f].set < set)
			f++;
		while (o < open->count && open->items[o].set < set)
			o++;
		if (!(f < fixed->count && fixed->items[f].set == set) &&
		    !(o < open->count && open->items[o].set == set))
			break;
	}
	for (size_t i = 0, said = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = &s->layout->parameters.items[i];
		if (!p->heap)
			continue;
		if (set > UINT32_MAX)
			spb_fail(module_of(s, p), SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, variable_of(s, p)->at,
				 "no descriptor set at or above %u is free for the heaps", s->options->heap_set);
		if (s->options->has_heap_set && set != s->options->heap_set && !said++)
			spb_report(module_of(s, p), SPB_SEVERITY_WARNING, SPB_E_HEAP_SET_TAKEN, variable_of(s, p)->at,
				   "set %u is in use; the heaps are in set %u", s->options->heap_set, (unsigned)set);
		p->set = (uint32_t)set;
		p->binding = heap_binding[p->kind];
		p->why = "heap of DescriptorHandles, in the first set that nothing else uses";
	}
}

void spb_lay_out(struct spb_context *c, const spb_options *options, struct spb_layout_module *modules, size_t count,
		 struct spb_layout *layout, struct spb_arena *arena)
{
	struct state s = {
	    .c = c, .options = options, .modules = modules, .module_count = count, .layout = layout, .arena = arena};
	struct places open = {0};

	collapse(&s);
	struct places fixed = reserve(&s);
	allocate(&s, &fixed, &open);
	place_heaps(&s, &fixed, &open);
}
