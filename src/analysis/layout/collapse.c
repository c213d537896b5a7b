/* SPDX-License-Identifier: Apache-2.0 */
/* collapse: merges the variables of all modules into the parameters of the program. Variables with the same name in
 * several modules become one parameter, at the position of the first; their types must agree. */
#include "analysis/layout/plan.h"

/* A block that a compiler named contains what one stage declares: blocks with different contents are different
 * resources, and are named after their stages. */
struct made_block {
	const char *name;       /* by the compiler */
	const char *key;        /* by us */
	uint64_t text, content; /* hashes of what the source text declares, and of the type; 0: unknown */
	uint32_t stage;         /* the first of its module */
	uint32_t module;
};

struct turn { /* sort key: the order in which modules are merged */
	uint32_t import, rank, module;
};

struct collapse {
	struct spb_plan *plan;
	struct spb_agreement agree;
	uint32_t *slot; /* open addressing: hash -> parameter + 1; NULL: there is nothing to merge */
	uint32_t mask;
	uint64_t *key_hash;  /* per parameter */
	uint32_t *latest;    /* per parameter: the last module that declares it */
	uint32_t **ordinal;  /* per module and variable: its index among those of the module with the same name; NULL:
			      * no name is repeated in the module */
	uint32_t **namesake; /* the same: the one before it with this name, + 1 */
	uint32_t *stages;    /* per module */
	struct turn *turns;  /* the same, sorted */
	uint32_t stride;     /* greater than any ordinal in a module */
	SPB_LIST(struct made_block) made;
	uint32_t imported; /* parameters that imported modules declare, so far */
	uint32_t *twins;   /* per declaration of the module: its first variable + 1; NULL: none has several */
	const struct spb_variable
	    *joined; /* the first piece of what the current pieces are joined with; NULL: nothing */
};

static void hash_name(struct spb_variable *v)
{
	v->name_hash = (uint32_t)spb_hash_bytes(1, v->key, strlen(v->key));
}

/* A name may occur several times in one module (a generic block type used for two variables, hand-written names). Such
 * variables are identified by their index among those with that name. */
static void number_repeated_names(struct collapse *x)
{
	struct spb_plan *s = x->plan;
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
		uint32_t used = 16, *ordinal = NULL, *namesake = NULL;
		while (used < 2 * vs->count)
			used *= 2;
		memset(slot, 0, used * sizeof *slot);
		for (uint32_t k = 0; k < s->modules[i].dropped.variables.count; k++)
			hash_name(&s->modules[i].dropped.variables.items[k]);
		for (uint32_t k = 0; k < vs->count; k++) {
			struct spb_variable *v = &vs->items[k];
			hash_name(v);
			uint32_t h = v->name_hash & (used - 1);
			while (slot[h] && (vs->items[slot[h] - 1].name_hash != v->name_hash ||
					   strcmp(vs->items[slot[h] - 1].key, v->key) != 0))
				h = (h + 1) & (used - 1);
			if (slot[h]) {
				if (!ordinal) {
					ordinal = spb_alloc_zeroed(arena, vs->count, sizeof *ordinal);
					namesake = spb_alloc_zeroed(arena, vs->count, sizeof *namesake);
				}
				namesake[k] = slot[h];
				ordinal[k] = ordinal[slot[h] - 1] + 1;
				x->stride = x->stride > ordinal[k] ? x->stride : ordinal[k] + 1;
			}
			slot[h] = k + 1; /* the latest with this name */
		}
		x->ordinal[i] = ordinal;
		x->namesake[i] = namesake;
	}
}

/* Finds the parameter of a variable, or the free slot for a new one. */
static uint32_t *find_parameter(struct collapse *x, uint64_t hash, const char *key, uint32_t ordinal)
{
	for (uint32_t h = (uint32_t)hash & x->mask;; h = (h + 1) & x->mask) {
		uint32_t *slot = &x->slot[h];
		if (!*slot)
			return slot;
		const struct spb_parameter *p = spb_plan_parameter(x->plan, *slot - 1);
		if (x->key_hash[*slot - 1] == hash && !strcmp(p->variable->key, key) && p->ordinal == ordinal)
			return slot;
	}
}

/* Finds which decorations of a variable remain in effect under --rebind, --auto-binding and auto-set=. */
static void read_place(const spb_options *o, const struct spb_variable *v, bool *has_set, bool *has_binding)
{
	if (v->heap) { /* either both or neither; --rebind=all alone keeps them */
		*has_set = v->has_set && !spb_is_auto(o, v) && o->layout.rebind != SPB_REBIND_ALL_SETS &&
			   !(o->layout.rebind == SPB_REBIND_ALL && o->heaps.has_set);
		*has_binding = *has_set;
		return;
	}
	*has_set = spb_has_counting_set(o, v) && o->layout.rebind != SPB_REBIND_ALL_SETS;
	*has_binding = v->has_binding && !v->unnumbered && !spb_is_auto(o, v) && o->layout.rebind != SPB_REBIND_ALL &&
		       o->layout.rebind != SPB_REBIND_ALL_SETS;
}

/* Fails because two structs with the same name, which have been split, have different members. */
static noreturn void other_parts(const struct spb_plan *s, const struct spb_parameter *p, uint32_t module,
				 const struct spb_variable *v)
{
	spb_report_two(s->modules[module].m, SPB_SEVERITY_ERROR, SPB_E_TYPE_MISMATCH, v->at,
		       spb_note_of(s, p, "declared"), "%s is not a member of the same struct as in %s",
		       spb_variable_label(s, module, v), spb_module_of(s, p)->name);
	spb_throw(s->c, SPB_ERROR_CONFLICT);
}

/* The members of a split struct are numbered as one run, so their parameters must be adjacent. Returns whether `p`, the
 * parameter for `v`, directly follows that of the previous member. */
static bool continues(const struct spb_plan *s, const struct spb_variable *v, const struct spb_parameter *p)
{
	return !v->extra->piece || spb_plan_parameter(s, v[-1].parameter) + 1 == p;
}

static void take_place(const struct spb_plan *s, struct spb_parameter *p, const struct spb_variable *v, bool has_set,
		       bool has_binding)
{
	const bool settles = has_binding && v->bound && !p->bound;

	p->has_set |= has_set;
	if (has_set)
		p->set = v->set;
	if (has_binding && (v->bound || !p->bound)) {
		p->place = SPB_PLACE_FIXED;
		p->bound = v->bound;
		p->number = spb_number_of(v) + v->extra->piece;
		if (!p->has_set) {
			p->has_set = true;
			p->set = s->options->layout.default_set;
		}
	}
	if (!p->has_place || settles || (!p->authored && spb_is_authored(s->options, v, &(uint32_t){0})))
		spb_note_place(s, p, v);
}

/* Merges another variable with the same name. False: type or binding differ, so it is another parameter. */
static bool merge(struct collapse *x, struct spb_parameter *p, uint32_t module, struct spb_variable *v, bool has_set,
		  bool has_binding)
{
	struct spb_plan *s = x->plan;
	const struct spb_variable *first = p->variable;
	const bool recorded = first->extra->part_of || v->extra->part_of; /* an earlier run split one of them */

	if ((!recorded && first->extra->pieces != v->extra->pieces) ||
	    (v->extra->pieces > 1 && ((!recorded && first->extra->piece != v->extra->piece) || !continues(s, v, p))))
		other_parts(s, p, module, v);
	if (!spb_places_agree(&x->agree, p, module, v, has_set, has_binding) ||
	    !spb_types_agree(&x->agree, p, module, v))
		return false;
	take_place(s, p, v, has_set, has_binding);
	if (!v->count || (p->count && v->count > p->count))
		p->count = v->count; /* Vulkan: an array must not be longer than its binding */
	if (v->class == SPB_CLASS_U && p->class == SPB_CLASS_T)
		p->class = SPB_CLASS_U; /* read in one stage and written in another */
	p->writable |= v->writable;
	p->used |= v->used;
	p->reached |= v->reached;
	p->aliased |= v->aliased;
	p->stages |= (uint16_t)x->stages[module];
	return true;
}

static void need_names(const struct collapse *x)
{
	const struct spb_plan *s = x->plan;

	if (s->module_count < 2 || x->agree.no_merge)
		return;
	for (size_t i = 0; i < s->module_count; i++) {
		for (size_t k = 0; k < s->modules[i].variables.count; k++) {
			const struct spb_variable *v = &s->modules[i].variables.items[k];
			bool has_set, has_binding;
			read_place(s->options, v, &has_set, &has_binding);
			if (!spb_is_name(v->key) && !v->heap && !has_binding)
				spb_fail(s->modules[i].m, SPB_ERROR_UNSUPPORTED, SPB_E_NO_NAMES, v->at,
					 "%%%u has no OpName, so it cannot be matched with the other modules of the "
					 "program" SPB_REMEDY "Strip names after binding rather than before, give it a "
					 "fixed binding, or use --policy='option merge=no'.",
					 v->id);
		}
	}
}

/* Another compiler may give all views of a heap one name; the lock file then distinguishes them by kind. */
static uint32_t ordinal_of(const struct collapse *x, uint32_t module, uint32_t variable)
{
	const struct spb_variable *v = &x->plan->modules[module].variables.items[variable];

	if (!v->heap)
		return x->ordinal[module] ? x->ordinal[module][variable] : 0;
	return spb_heap_named(v->name) == v->kind ? 0 : (uint32_t)v->heap_kind;
}

/* Makes a variable the first of its parameter. */
static void begin(struct collapse *x, struct spb_parameter *p, uint32_t module, const struct spb_variable *v,
		  uint32_t ordinal, bool has_set, bool has_binding)
{
	struct spb_plan *s = x->plan;

	if (has_binding && spb_number_of(v) > UINT32_MAX - v->extra->piece)
		spb_fail(s->modules[module].m, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, v->at,
			 "no binding is left in set %u for %s" SPB_REMEDY "Use another set.", v->set,
			 spb_variable_label(s, module, v));
	*p = (struct spb_parameter){
	    .module = module,
	    .variable = v,
	    .ordinal = ordinal,
	    .class = v->class,
	    .count = v->count,
	    .has_set = has_set || has_binding,
	    .set = has_set ? v->set : s->options->layout.default_set,
	    .place = has_binding ? SPB_PLACE_FIXED : SPB_PLACE_OPEN,
	    .number = spb_number_of(v) + v->extra->piece,
	    .stages = (uint16_t)x->stages[module],
	    .heap = v->heap,
	    .aliased = v->aliased,
	    .writable = v->writable,
	    .used = v->used,
	    .reached = v->reached,
	    .dropped = !v->id,
	    .bound = has_binding && v->bound,
	};
	if (v->id)
		spb_draft(s, p)->fullest =
		    (struct spb_view){module, (uint32_t)(v - s->modules[module].variables.items)};
	spb_note_place(s, p, v);
}

static void add(struct collapse *x, uint32_t module, struct spb_variable *v, uint32_t ordinal, bool has_set,
		bool has_binding)
{
	struct spb_plan *s = x->plan;
	struct spb_parameter *p = &s->layout->parameters.items[s->layout->parameters.count];
	const struct spb_declaration *d = v->extra->declaration;

	if (v->extra->pieces > 1 && !continues(s, v, p))
		other_parts(s, spb_plan_parameter(s, v[-1].parameter), module, v);
	*spb_draft(s, p) =
	    (struct spb_draft){.leaves = 1, .namesake = x->agree.namesake, .at = (uint32_t)s->layout->parameters.count};
	if (d && d->leaves > 1 && v->extra->pieces == 1) {
		spb_draft(s, p)->struct_module = module;
		spb_draft(s, p)->whole = d->whole;
	}
	begin(x, p, module, v, ordinal, has_set, has_binding);
	v->parameter = (uint32_t)s->layout->parameters.count++;
}

/* The blocks of loose uniforms of two texts are one resource only if the texts declare the same ones. */
static bool is_other_block(const struct spb_variable *a, const struct spb_variable *b)
{
	const struct spb_declaration *x = a->extra->declaration, *y = b->extra->declaration;

	return x && y && x->loose && y->loose && x->content != y->content;
}

static uint64_t hash_key(struct collapse *x, uint32_t module, const struct spb_variable *v, uint32_t name,
			 uint32_t ordinal)
{
	uint64_t hash = spb_hash_mix(name, ordinal);

	if (v->heap) /* views of one heap are distinguished by type */
		hash = spb_hash_mix(hash, spb_hashes_of(x->plan, module)[v->element]);
	return hash;
}

/* Whether a variable declares the parameter found for its name, as opposed to another resource with that name. If so,
 * it is merged. */
static bool is_of(struct collapse *x, uint32_t parameter, uint32_t module, struct spb_variable *v, bool has_set,
		  bool has_binding)
{
	struct spb_plan *s = x->plan;
	struct spb_parameter *p = spb_plan_parameter(s, parameter);

	if (p->variable->heap != v->heap || spb_are_of_two_buffers(s, p->module, p->variable, module, v) ||
	    (!v->heap && (x->latest[parameter] == module || !spb_is_name(v->key))))
		return false;
	if (!v->id || p->dropped) { /* a dropped declaration is compared with nothing */
		const struct spb_declaration *d = p->variable->extra->declaration;
		if (is_other_block(p->variable, v) || spb_is_elsewhere(s, p, v) ||
		    (v->extra->pieces > 1 && (d->leaf != v->extra->piece || d->leaves != v->extra->pieces)))
			return false;
		if (!v->id)
			return true;
		begin(x, p, module, v, p->ordinal, has_set, has_binding);
		x->latest[parameter] = module;
		x->agree.type_hash[parameter] = 0;
		return true;
	}
	if (v->heap && has_binding && p->place == SPB_PLACE_FIXED &&
	    (p->set != v->set || p->number != spb_number_of(v)))
		return false; /* another heap whose descriptors have the same type */
	if (!merge(x, p, module, v, has_set, has_binding))
		return false;
	x->latest[parameter] = module;
	return true;
}

/* Finds the existing parameter that a variable declares. False: there is none, and *slot is where to enter a new one,
 * or NULL if it is not entered. A different resource with the same name gets an ordinal beyond those of any module. */
static bool find_declared(struct collapse *x, uint32_t module, struct spb_variable *v, uint32_t *ordinal,
			  uint32_t **slot, bool has_set, bool has_binding)
{
	const size_t count = x->plan->layout->parameters.count;
	const uint32_t name = v->name_hash; /* it shares storage with v->parameter */
	x->agree.namesake = x->agree.elsewhere = 0;
	uint64_t hash = hash_key(x, module, v, name, *ordinal);

	if (*v->key && !x->agree.no_merge) {
		*slot = find_parameter(x, hash, v->key, *ordinal);
		while (**slot) {
			v->parameter = **slot - 1;
			if (is_of(x, v->parameter, module, v, has_set, has_binding))
				return true;
			if (x->latest[v->parameter] != module)
				x->agree.namesake = v->parameter + 1;
			if (v->heap || *ordinal > UINT32_MAX - x->stride) {
				*slot = NULL; /* the table keeps the first one */
				break;
			}
			*ordinal += x->stride;
			hash = hash_key(x, module, v, name, *ordinal);
			*slot = find_parameter(x, hash, v->key, *ordinal);
		}
	}
	if (x->agree.elsewhere)
		spb_report_place(x->plan, spb_plan_parameter(x->plan, x->agree.elsewhere - 1), module, v);
	x->key_hash[count] = hash;
	x->latest[count] = module;
	x->agree.type_hash[count] = 0;
	return false;
}

static bool is_open(const struct collapse *x, const struct spb_variable *v)
{
	return !v->has_binding || v->unnumbered || spb_is_auto(x->plan->options, v);
}

static bool have_one_number(const struct collapse *x, const struct spb_variable *a, const struct spb_variable *b)
{
	return !is_open(x, a) && !is_open(x, b) && a->binding == b->binding;
}

/* Whether two variables of a module can be one resource: their numbers do not tell them apart, as those of which no
 * text knows anything never do if all are replaced, and blocks are equal. */
static bool are_together(struct collapse *x, uint32_t module, const struct spb_variable *a,
			 const struct spb_variable *b)
{
	const bool block = a->kind == SPB_DESCRIPTOR_UBO || a->kind == SPB_DESCRIPTOR_SSBO;
	const uint64_t *hashes = block ? spb_hashes_of(x->plan, module) : NULL;
	const spb_options *o = x->plan->options;
	const bool replaced = o->layout.rebind >= SPB_REBIND_ALL && !a->extra->declaration;

	if (hashes && hashes[a->element] != hashes[b->element])
		return false;
	return (a->unnumbered && b->unnumbered) ||
	       (((a->has_set == b->has_set && a->set == b->set) || !spb_has_counting_set(o, a) ||
		 !spb_has_counting_set(o, b)) &&
		(replaced || is_open(x, a) || is_open(x, b) || a->binding == b->binding));
}

/* The same for all parts of variables that have been split. */
static bool are_joined(struct collapse *x, uint32_t module, const struct spb_variable *a, const struct spb_variable *b)
{
	const struct spb_variables *vs = &x->plan->modules[module].variables;
	const struct spb_variable *end = vs->items + vs->count;

	if (a->extra->pieces != b->extra->pieces || a->extra->piece || b->extra->piece)
		return false;
	do {
		if (a->extra->piece != b->extra->piece || a->kind != b->kind || strcmp(a->key, b->key) != 0 ||
		    !are_together(x, module, a, b))
			return false;
		a++;
		b++;
	} while (b < end && b->extra->piece);
	return !a->extra->piece;
}

/* spirv-link makes one type of blocks with equal members, and one name, so names of types show nothing. */
static bool has_lost_name(const struct collapse *x, uint32_t module, const struct spb_variable *a,
			  const struct spb_variable *b)
{
	const struct spb_plan *s = x->plan;
	const bool block = a->kind == SPB_DESCRIPTOR_UBO || a->kind == SPB_DESCRIPTOR_SSBO;

	if (!block || (*a->name && !strcmp(a->name, b->name)) || have_one_number(x, a, b))
		return false;
	spb_report_two(
	    s->modules[module].m, SPB_SEVERITY_WARNING, SPB_E_NO_NAMES, b->at,
	    spb_note(s->modules[module].m, a->at, "the other one is here"),
	    "blocks of two stages have the type \"%s\", which a linker may have made of two, so they are two "
	    "resources" SPB_REMEDY "Bind the modules before they are linked, or compile with -g.",
	    b->key);
	return true;
}

/* The stages that use it, or a part that was split from the same variable. */
static uint32_t stages_of(const struct spb_variables *vs, const struct spb_variable *v)
{
	uint32_t stages = 0;

	do {
		stages |= v->stages | v->listed;
		v++;
	} while (v < vs->items + vs->count && v->extra->piece);
	return stages;
}

/* Finds the earlier variable with the same name in a linked module. Within a stage no name is declared twice, so they
 * come from stages that were modules of their own. NULL: there is none. */
static const struct spb_variable *find_linked(struct collapse *x, uint32_t module, uint32_t variable)
{
	const struct spb_variables *vs = &x->plan->modules[module].variables;
	const struct spb_variable *items = vs->items, *v = &items[variable];
	const uint32_t *namesake = x->namesake[module];
	uint32_t stages = stages_of(vs, v);
	const struct spb_variable *first = NULL;

	if (!namesake || !spb_is_name(v->key) || x->agree.no_merge)
		return NULL;
	for (uint32_t i = variable, n = 0; stages && namesake[i] && n < SPB_STAGE_COUNT; n++) {
		i = namesake[i] - 1;
		first = &items[i];
		const uint32_t others = stages_of(vs, first);
		if (!others || others & stages || !are_joined(x, module, first, v) ||
		    spb_are_of_two_buffers(x->plan, module, first, module, v) ||
		    spb_hashes_of(x->plan, module)[first->element] != spb_hashes_of(x->plan, module)[v->element])
			return NULL;
		stages |= others;
	}
	return first && has_lost_name(x, module, first, v) ? NULL : first;
}

/* Finds the variable that the compiler made earlier of the same declaration, as glslang does for a texture that is used
 * with both kinds of samplers. NULL: there is none. */
static const struct spb_variable *find_declared_twin(struct collapse *x, uint32_t module, uint32_t variable)
{
	const struct spb_layout_module *lm = &x->plan->modules[module];
	const struct spb_variable *v = &lm->variables.items[variable];
	const struct spb_declaration *d = v->extra->declaration;

	if (d->view_count < 2)
		return NULL;
	if (!x->twins)
		x->twins = spb_alloc_zeroed(&x->plan->c->scratch, lm->text->declarations.count, sizeof *x->twins);
	uint32_t *twin = &x->twins[d - lm->text->declarations.items];
	const struct spb_variable *first = *twin ? &lm->variables.items[*twin - 1] : NULL;
	if (first && are_joined(x, module, first, v))
		return first;
	*twin = variable + 1;
	return NULL;
}

/* Finds the earlier variable of the module that is a view of the same resource. NULL: there is none. */
static const struct spb_variable *find_twin(struct collapse *x, uint32_t module, uint32_t variable)
{
	const struct spb_variable *v = &x->plan->modules[module].variables.items[variable];

	if (v->extra->piece)
		return x->joined ? x->joined + v->extra->piece : NULL;
	x->joined = NULL;
	if (v->heap || v->extra->part_of)
		return NULL;
	x->joined = v->extra->declaration ? find_declared_twin(x, module, variable) : find_linked(x, module, variable);
	return x->joined;
}

static void join_twin(const struct collapse *x, struct spb_variable *v, const struct spb_variable *twin)
{
	struct spb_parameter *p = spb_plan_parameter(x->plan, twin->parameter);
	bool has_set, has_binding;

	v->parameter = twin->parameter;
	read_place(x->plan->options, v, &has_set, &has_binding);
	if (has_set || has_binding)
		take_place(x->plan, p, v, has_set, has_binding);
	p->count = v->count && p->count ? (uint32_t)spb_larger(v->count, p->count) : 0;
	p->writable |= v->writable;
	p->used |= v->used;
	p->reached |= v->reached;
	p->aliased |= v->aliased;
}

static void see(struct collapse *x, uint32_t module, struct spb_variable *v, uint32_t ordinal)
{
	uint32_t *slot = NULL;
	bool has_set, has_binding;

	read_place(x->plan->options, v, &has_set, &has_binding);
	if (x->slot && find_declared(x, module, v, &ordinal, &slot, has_set, has_binding))
		return;
	add(x, module, v, ordinal, has_set, has_binding);
	if (slot)
		*slot = v->parameter + 1;
}

/* With merge=no, the same name in two modules means two parameters, distinguished by their order. Nothing else uses
 * the table of names then. */
static void number_unmerged(struct collapse *x)
{
	struct spb_plan *s = x->plan;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		const char *key = p->variable->key;
		if (p->variable->heap)
			continue;
		uint32_t h = (uint32_t)spb_hash_bytes(0, key, strlen(key)) & x->mask;
		while (x->slot[h] && strcmp(spb_plan_parameter(s, x->slot[h] - 1)->variable->key, key) != 0)
			h = (h + 1) & x->mask;
		p->ordinal = x->slot[h] ? spb_plan_parameter(s, x->slot[h] - 1)->ordinal + 1 : 0;
		x->slot[h] = i + 1;
	}
}

static bool is_same(const struct made_block *a, const struct made_block *b)
{
	if (strcmp(a->name, b->name) != 0)
		return false;
	if (a->text && b->text && (a->text == b->text || a->module == b->module)) /* spirv-link makes one type of two */
		return a->text == b->text;
	return a->content && a->content == b->content;
}

/* The key of a block that no earlier module has. */
static const char *new_key(struct collapse *x, const struct made_block *b, uint32_t others, uint32_t of_stage)
{
	struct spb_text_buffer text = {.arena = x->plan->arena};

	if (!others)
		return b->name;
	spb_text_format(&text, of_stage ? "%s.%s.%u" : "%s.%s", b->name, spb_stage_name(b->stage), of_stage + 1);
	return spb_text_end(&text);
}

/* Also of the blocks of a linked module, each of which the entry points of one stage use. */
static void name_made_block(struct collapse *x, uint32_t module, struct spb_variable *v)
{
	const struct spb_declaration *d = v->extra->declaration;
	uint32_t stages = v->stages | v->listed, others = 0, of_stage = 0;

	if (v->heap || !spb_is_made_name(v))
		return;
	stages = stages ? stages : d && d->loose && d->stages ? d->stages : x->stages[module];
	struct made_block b = {.name = v->key,
			       .module = module,
			       .text = d && d->loose ? d->content : 0,
			       .content = v->id ? spb_hashes_of(x->plan, module)[v->element] : 0};
	while (b.stage + 1 < SPB_STAGE_COUNT && !(stages >> b.stage & 1))
		b.stage++;
	for (size_t i = 0; i < x->made.count && !b.key; i++) {
		const struct made_block *other = &x->made.items[i];
		b.key = is_same(other, &b) ? other->key : NULL;
		others += !strcmp(other->name, b.name);
		of_stage += !strcmp(other->name, b.name) && other->stage == b.stage;
	}
	if (!b.key) {
		b.key = new_key(x, &b, others, of_stage);
		SPB_PUSH(x->plan->arena, &x->made, b);
	}
	if (!strcmp(b.key, v->key))
		return;
	spb_own_extra(v, x->plan->arena)->declared = v->key; /* policies may use either name */
	v->key = b.key;
}

/* Walks the variables of a module and the dropped declarations between them: k and n count both. */
static struct spb_variable *next_of(struct spb_layout_module *lm, uint32_t *k, uint32_t *n)
{
	if (*n < lm->dropped.variables.count && lm->dropped.before[*n] <= *k)
		return &lm->dropped.variables.items[(*n)++];
	return *k < lm->variables.count ? &lm->variables.items[(*k)++] : NULL;
}

static void name_made_blocks(struct collapse *x)
{
	struct spb_plan *s = x->plan;
	struct spb_variable *v;

	for (size_t i = 0; i < s->module_count && !x->agree.no_merge; i++) {
		const uint32_t module = x->turns[i].module;
		const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
		for (uint32_t k = 0, n = 0; (v = next_of(&s->modules[module], &k, &n));)
			name_made_block(x, module, v);
		s->modules[module].hashes = NULL;
		spb_arena_rewind(&s->c->scratch, mark);
	}
}

/* Resources of imported modules are numbered last, even if other modules declare them, too: a SPIR-V module contains
 * the declarations of everything that its source includes. */
static void see_module(struct collapse *x, uint32_t module)
{
	struct spb_plan *s = x->plan;
	struct spb_layout_module *lm = &s->modules[module];
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	const size_t before = s->layout->parameters.count;
	struct spb_variable *v;

	x->twins = NULL;
	for (uint32_t k = 0, n = 0; (v = next_of(lm, &k, &n));) {
		const struct spb_variable *twin = v->id ? find_twin(x, module, k - 1) : NULL;
		if (twin)
			join_twin(x, v, twin);
		else
			see(x, module, v, v->id ? ordinal_of(x, module, k - 1) : 0);
		struct spb_parameter *p = spb_plan_parameter(s, v->parameter);
		if (lm->import && !spb_draft(s, p)->imported)
			spb_draft(s, p)->imported = ++x->imported;
	}
	/* a module with new parameters but no hashes yet may be needed by the next one */
	if (s->leaves_shared && (lm->hashes || before == s->layout->parameters.count))
		spb_module_leave_shared(lm->m);
	if (!lm->hashes) /* no types were compared */
		return;
	if (before < s->layout->parameters.count && x->slot)
		spb_keep_type_hashes(&x->agree, (uint32_t)before, lm->hashes);
	lm->hashes = NULL;
	x->agree.other_hashes = NULL;
	spb_arena_rewind(&s->c->scratch, mark); /* kilobytes per module, of which there may be thousands */
}

static int by_turn(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	int order = spb_compare(x->import, y->import);

	order = order ? order : spb_compare(x->rank, y->rank);
	return order ? order : spb_compare(x->module, y->module);
}

static void find_turns(struct collapse *x)
{
	const struct spb_plan *s = x->plan;
	bool pipeline = s->options->layout.module_order == SPB_MODULE_ORDER_PIPELINE;

	for (uint32_t i = 0; i < s->module_count; i++) {
		x->stages[i] = spb_module_stages(s->options, s->modules[i].m);
		x->turns[i] = (struct turn){s->modules[i].import, pipeline ? spb_pipeline_rank(x->stages[i]) : 0, i};
	}
	spb_sort(&s->c->scratch, x->turns, s->module_count, sizeof *x->turns, by_turn);
}

static void see_modules(struct collapse *x)
{
	const struct spb_plan *s = x->plan;

	for (size_t i = 0; i < s->module_count; i++)
		see_module(x, x->turns[i].module);
	for (size_t i = 0; i < s->module_count && s->leaves_shared; i++)
		spb_module_leave_shared(s->modules[i].m);
}

/* Only heaps need merging in a program of one module: several views can be one parameter. */
static bool has_heaps(const struct spb_plan *s)
{
	for (size_t i = 0; i < s->module_count; i++) {
		for (size_t k = 0; k < s->modules[i].variables.count; k++) {
			if (s->modules[i].variables.items[k].heap)
				return true;
		}
	}
	return false;
}

/* The members of a struct that the text declares are numbered together if their parameters are adjacent. */
static void find_structs(struct spb_plan *s)
{
	const uint32_t count = (uint32_t)s->layout->parameters.count;

	for (uint32_t i = 0, end; i < count; i = end) {
		const struct spb_draft *d = spb_plan_draft(s, i);
		for (end = i + 1; d->whole && end < count; end++) {
			const struct spb_draft *next = spb_plan_draft(s, end);
			if (next->whole != d->whole || next->struct_module != d->struct_module)
				break;
		}
		for (uint32_t k = i; k < end; k++) {
			spb_plan_draft(s, k)->leaf = k - i;
			spb_plan_draft(s, k)->leaves = end - i;
		}
	}
}

/* pairs[1].a -> pairs.a */
static const char *without_indexes(const char *key, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};

	for (; *key; key++) {
		if (*key == '[')
			key += strcspn(key, "]");
		else
			spb_text_add(&text, key, 1);
		if (!*key)
			break;
	}
	return spb_text_end(&text);
}

/* Compilers split an array of structs by element (pairs[1].a), or by member (pairs.a, an array). The numbers of one way
 * say nothing about the other. */
static void refuse_two_ways(struct collapse *x)
{
	struct spb_plan *s = x->plan;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (p->heap || p->dropped || !strchr(p->variable->key, '['))
			continue;
		const char *whole = without_indexes(p->variable->key, &s->c->scratch);
		const uint32_t name = (uint32_t)spb_hash_bytes(1, whole, strlen(whole));
		const uint32_t found = *find_parameter(x, spb_hash_mix(name, 0), whole, 0);
		const struct spb_parameter *q = found ? spb_plan_parameter(s, found - 1) : NULL;
		if (!q || q->dropped || (p->has_place && q->has_place))
			continue;
		spb_report_two(spb_module_of(s, p), SPB_SEVERITY_ERROR, SPB_E_TYPE_MISMATCH, p->variable->at,
			       spb_note_of(s, q, "declared"),
			       "%s is an element of an array that %s has as a whole" SPB_REMEDY
			       "Compile the stages with one compiler, or give the array bindings.",
			       spb_parameter_label(s, p), spb_module_of(s, q)->name);
		spb_throw(s->c, SPB_ERROR_CONFLICT);
	}
}

void spb_collapse(struct spb_plan *s)
{
	struct spb_arena *scratch = &s->c->scratch;
	const struct spb_mark mark = spb_arena_mark(scratch);
	struct collapse x = {.plan = s, .agree = {.plan = s, .no_merge = s->options->layout.no_merge}, .stride = 1};
	size_t total = 0, size = 16;

	spb_spread_heaps(s);
	need_names(&x);
	for (size_t i = 0; i < s->module_count; i++)
		total += s->modules[i].variables.count + s->modules[i].dropped.variables.count;
	while (size < total + total / 2)
		size *= 2;
	if (size > UINT32_MAX)
		spb_throw(s->c, SPB_ERROR_OUT_OF_MEMORY);
	if (s->module_count > 1 || has_heaps(s)) {
		x.slot = spb_alloc_zeroed(scratch, size, sizeof *x.slot);
		x.key_hash = spb_alloc_array(scratch, total, sizeof *x.key_hash);
		x.latest = spb_alloc_array(scratch, total, sizeof *x.latest);
		x.agree.type_hash = spb_alloc_array(scratch, total, sizeof *x.agree.type_hash);
	}
	x.mask = (uint32_t)size - 1;
	x.ordinal = spb_alloc_array(scratch, s->module_count, sizeof *x.ordinal);
	x.namesake = spb_alloc_array(scratch, s->module_count, sizeof *x.namesake);
	x.stages = spb_alloc_array(scratch, s->module_count, sizeof *x.stages);
	x.turns = spb_alloc_array(scratch, s->module_count, sizeof *x.turns);
	SPB_SIZE(s->arena, &s->layout->parameters, total);
	s->layout->drafts = spb_alloc_array(spb_planning_arena(s, total), total, sizeof *s->layout->drafts);
	find_turns(&x);
	name_made_blocks(&x);
	number_repeated_names(&x);
	see_modules(&x);
	if (x.slot && !x.agree.no_merge)
		refuse_two_ways(&x);
	find_structs(s);
	if (x.agree.no_merge && x.slot) /* a single module has its ordinals already */
		number_unmerged(&x);
	spb_arena_rewind(scratch, mark);
}
