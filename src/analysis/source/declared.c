/* SPDX-License-Identifier: Apache-2.0 */
/* declared: the list of declarations in the text.
 *
 *     struct S { Texture2D t; AppendStructuredBuffer<uint> a; };
 *     S s;                     s.t, s.a, s.a@count          three items of one whole
 *     float4 tint;             $Global                      the first loose uniform declares the block of all of them,
 *                                                           in a linked module one for each different content
 *     Texture2D shadow;        shadow                       glslang may create two variables for it: two views
 *
 * A declaration that no variable of the module is a view of has been dropped by the compiler. Its name is the one that
 * the compiler would have given it. Unknown types are not listed, since they may not be resources, unless a variable
 * shows that they are. */
#include "analysis/source/text.h"

struct loose_block {
	const struct spb_loose *first; /* of its loose uniforms */
	uint64_t content, names;       /* hashes of their names and types, and of their names */
	uint32_t units;                /* bits, as in spb_declared */
	bool seen;                     /* the module has it */
};

struct lister {
	struct spb_reader *r;
	const struct spb_module *m;
	const struct spb_dialect *dialects; /* of each unit */
	struct spb_arena *keep;
	const char **files;          /* copies of the names of files */
	struct spb_declarations all; /* one for each match, then those without one */
	const uint64_t *seen;        /* orders of the matches, ascending */
	size_t seen_count;
	uint8_t *state;             /* of each declaration */
	const uint64_t *structures; /* a hash of each */
	SPB_LIST(struct loose_block) loose;
};

enum { HAS_VIEWS = 1, IS_WHOLE = 2, HAS_ELEMENTS = 4 }; /* IS_WHOLE: all of its parts have views */

/* The order of a resource: its declaration, its index in that, and whether it is the counter of it. */
static uint64_t order_of(uint32_t declared, uint64_t leaf, bool counter)
{
	return ((uint64_t)declared << SPB_LEAF_BITS | leaf) << 1 | counter;
}

static const char *file_of(struct lister *x, uint16_t file)
{
	const char *name = x->r->names.items[file];

	if (!x->files[file])
		x->files[file] = spb_copy_text(x->keep, name, strlen(name));
	return x->files[file];
}

static const char *word_text(const struct spb_reader *r, uint32_t word)
{
	return spb_copy_text(r->arena, r->words.items[word].bytes, r->words.items[word].length);
}

static uint32_t count_of(const struct spb_reader *r, struct spb_dimensions d)
{
	const uint64_t n = spb_elements(r, d);

	return n <= UINT32_MAX ? (uint32_t)n : 0;
}

/* Adds the properties in the text of a resource of this declaration. */
static struct spb_declaration *add(struct lister *x, const struct spb_match *at, enum spb_class class, const char *name)
{
	struct spb_reader *r = x->r;
	const struct spb_declared *d = &r->declarations.items[at->declared - 1];
	const struct spb_dimensions dimensions = at->type.dimensions;
	const uint64_t number = (uint64_t)d->number[class] + at->registers[class];
	const bool placed = !at->counter && !at->data;

	SPB_PUSH(r->arena, &x->all,
		 ((struct spb_declaration){
		     .name = name,
		     .file = file_of(x, d->file),
		     .line = d->line,
		     .order = order_of(at->declared + 1, at->leaf, at->counter),
		     .kind = (uint8_t)(at->type.kind < SPB_DESCRIPTOR_COUNT ? at->type.kind : SPB_DESCRIPTOR_OTHER),
		     .class = (uint8_t) class,
		     .count = count_of(r, dimensions),
		     .writable = at->type.writable,
		     .bytes = at->type.bytes,
		     .unsized = dimensions.count && r->extents.items[dimensions.first] == SPB_EXTENT_OPEN,
		     .components = at->type.components,
		     .samples = at->type.samples,
		     .counter = at->counter,
		     .beside = at->counter && at->type.counter != SPB_COUNTER_ASKED,
		     .paired = d->paired,
		     .data = at->data,
		     .whole = at->declared,
		     .has_register = placed && d->has_register[class] && number <= UINT32_MAX,
		     .has_space = d->has_space[class],
		     .has_place = at->counter ? d->has_counter_binding : placed && d->has_place,
		     .knows_binding = at->counter ? d->has_counter_binding : placed && d->knows_binding,
		     .knows_set = d->knows_set,
		     .space = d->space[class],
		     .binding = at->counter ? d->counter_binding : d->binding,
		     .set = d->set,
		     .open_too = d->open_too,
		 }));
	struct spb_declaration *item = &x->all.items[x->all.count - 1];
	for (int k = 0; k < SPB_CLASS_COUNT && at->data && !item->has_space; k++) {
		item->has_space = d->has_space[k];
		item->space = d->space[k];
	}
	item->number = item->has_register ? (uint32_t)number : 0;
	for (int k = 0; k < SPB_CLASS_COUNT && placed; k++)
		item->letters |= (uint8_t)(d->has_register[k] << k);
	if (d->doubt) {
		const struct spb_word *word = &r->words.items[d->doubt];
		item->macro = spb_copy_text(x->keep, word->bytes, word->length);
		item->macro_file = file_of(x, d->doubt_file);
		item->macro_line = d->doubt_line;
	}
	return item;
}

static const struct spb_dialect *dialect_of(const struct lister *x, uint32_t declared)
{
	return &x->dialects[x->r->declarations.items[declared - 1].unit];
}

/* Loose uniforms */

/* Whether it is data, or has some, that belongs to the block of loose uniforms. There, glslang also puts a struct that
 * is declared a push constant. */
static bool is_loose(const struct lister *x, const struct spb_loose *d)
{
	if (d->type.kind != SPB_KIND_STRUCT)
		return d->type.kind == SPB_KIND_DATA;
	return x->r->structures.items[d->type.structure].data &&
	       !(x->dialects[d->unit].own_data && spb_is_mixed(x->r, &d->type));
}

static uint64_t hash_word(const struct spb_reader *r, uint64_t hash, uint32_t word)
{
	return spb_hash_bytes(hash, r->words.items[word].bytes, r->words.items[word].length);
}

static uint64_t hash_type(const struct lister *x, uint64_t hash, const struct spb_type *t)
{
	const uint64_t words[] = {t->kind,      (uint8_t)t->scalar,
				  t->rows,      t->columns,
				  t->row_major, t->kind == SPB_KIND_STRUCT ? x->structures[t->structure] : 0};

	for (size_t k = 0; k < SPB_COUNT(words); k++)
		hash = spb_hash_mix(hash, words[k]);
	for (uint32_t k = 0; k < t->dimensions.count && spb_spend(x->r, 1, NULL); k++)
		hash = spb_hash_mix(hash, (uint64_t)x->r->extents.items[t->dimensions.first + k]);
	return hash;
}

/* Structs of one name have different members in two texts. Each comes after those that it contains. */
static void hash_structures(struct lister *x)
{
	const struct spb_reader *r = x->r;
	uint64_t *hashes = spb_alloc_array(r->arena, r->structures.count, sizeof *hashes);

	x->structures = hashes;
	for (size_t i = 0; i < r->structures.count; i++) {
		const struct spb_structure *s = &r->structures.items[i];
		hashes[i] = s->count;
		for (uint32_t k = 0; k < s->count; k++) {
			const struct spb_member *member = &r->members.items[s->first + k];
			hashes[i] = hash_type(x, hash_word(r, hashes[i], member->word), &member->type);
		}
	}
}

/* Finds the block of a unit whose first declaration of data or a struct is `first`; returns the end of the unit. */
static size_t find_loose_block(struct lister *x, size_t first)
{
	struct spb_reader *r = x->r;
	struct loose_block block = {0};
	size_t i = first, same = 0;

	for (; i < r->loose.count && r->loose.items[i].unit == r->loose.items[first].unit; i++) {
		const struct spb_loose *d = &r->loose.items[i];
		if (!is_loose(x, d))
			continue;
		block.first = block.first ? block.first : d;
		block.names = hash_word(r, block.names, d->word);
		block.units = d->unit < 32 ? 1u << d->unit : UINT32_MAX;
		block.content = hash_word(r, hash_word(r, block.content, d->word), d->type_word);
		block.content = hash_type(x, block.content, &d->type);
	}
	while (same < x->loose.count && x->loose.items[same].content != block.content && spb_spend(r, 1, NULL))
		same++;
	if (block.first && same == x->loose.count)
		SPB_PUSH(r->arena, &x->loose, block);
	else if (block.first)
		x->loose.items[same].units |= block.units;
	return i;
}

/* The block of this variable, in a module that may have been linked of several: that of its stage, with its members. */
static struct loose_block *loose_block_of(const struct lister *x, const struct spb_variable *v)
{
	const struct spb_module *m = x->m;
	struct loose_block *found = x->loose.items;
	uint64_t names = 0;
	int best = -1;

	for (uint32_t i = m->first_note[v->element]; i < m->first_note[v->element + 1] && x->loose.count > 1; i++) {
		if (spb_op(m, m->note[i].at) == SpvOpMemberName) {
			const char *name = spb_string(m, m->note[i].at + 3);
			names = spb_hash_bytes(names, name, strlen(name));
		}
	}
	for (size_t i = 0; i < x->loose.count && spb_spend(x->r, 1, NULL); i++) {
		struct loose_block *block = &x->loose.items[i];
		const int fit = 2 * spb_is_of_units(x->r, block->units, v) + (block->names == names);
		found = fit > best ? block : found;
		best = fit > best ? fit : best;
	}
	return found;
}

/* The first loose uniform is the declaration of the block. */
static struct spb_declaration *add_loose(struct lister *x, const struct loose_block *block)
{
	const struct spb_loose *first = block->first;
	struct spb_match at = {.declared = first->declared + 1, .type = {.kind = SPB_DESCRIPTOR_UBO}};
	struct spb_declaration *item = add(x, &at, SPB_CLASS_B, x->dialects[first->unit].loose);

	item->loose = true;
	item->content = block->content;
	for (size_t i = 0; i < x->r->units.count && i < 32; i++)
		item->stages |= (uint16_t)(block->units >> i & 1 ? x->r->units.items[i].stage : 0);
	item->line = first->line;
	item->file = file_of(x, first->file);
	/* directly before it, which may be a struct that has resources, too, and after the blocks of earlier units */
	item->order = order_of(first->next + 2, 0, false) - (uint64_t)(x->loose.items + x->loose.count - block);
	item->whole = 0;
	item->has_register = item->has_space = item->has_place = item->knows_binding = item->knows_set = false;
	item->letters = 0;
	return item;
}

/* Declarations without views */

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool is_seen(const struct lister *x, uint64_t order)
{
	const size_t i = spb_lower_bound(x->seen, x->seen_count, sizeof order, &order, by_value);

	return i < x->seen_count && x->seen[i] == order;
}

static const char *put_together(struct lister *x, const char *before, const char *name, const char *behind)
{
	struct spb_text_buffer text = {.arena = x->keep};

	spb_text_format(&text, "%s%s%s", before, name, behind);
	return spb_text_end(&text);
}

/* Counters that exist only if a function asks for them are declared by [[vk::counter_binding(3)]]. */
static bool declares_counter(const struct spb_declared *d, const struct spb_type *type)
{
	return type->counter == SPB_COUNTER_ALWAYS || (type->counter && d->has_counter_binding);
}

static void add_resource(struct lister *x, struct spb_match *at, const char *name)
{
	const enum spb_class class = spb_class_of_type(&at->type);
	const struct spb_dialect *dialect = dialect_of(x, at->declared);

	at->counter = false;
	if (!is_seen(x, order_of(at->declared + 1, at->leaf, false)))
		add(x, at, class, put_together(x, "", name, ""));
	at->counter = declares_counter(&x->r->declarations.items[at->declared - 1], &at->type);
	if (at->counter && !is_seen(x, order_of(at->declared + 1, at->leaf, true)))
		add(x, at, class, put_together(x, dialect->before, name, dialect->behind));
}

static void add_parts(struct lister *x, struct spb_match at, const char *name, bool by_element);

static void add_members(struct lister *x, const struct spb_match *of, const char *name, bool by_element)
{
	struct spb_reader *r = x->r;
	const struct spb_structure s = r->structures.items[of->type.structure];

	for (uint32_t i = 0; i < s.count && spb_spend(r, 8 + strlen(name) / 8, NULL); i++) {
		const struct spb_member *member = &r->members.items[s.first + i];
		struct spb_match at = *of;
		at.type = member->type;
		at.leaf += member->leaf;
		for (int k = 0; k < SPB_CLASS_COUNT; k++)
			at.registers[k] += member->registers[k];
		struct spb_text_buffer text = {.arena = r->arena};
		spb_text_format(&text, "%s.%s", name, word_text(r, member->word));
		add_parts(x, at, spb_text_end(&text), by_element);
	}
}

/* The elements of an array of structs: s[0][0], s[0][1], ... */
static void add_elements(struct lister *x, const struct spb_match *of, const char *name)
{
	struct spb_reader *r = x->r;
	const struct spb_dimensions d = of->type.dimensions;
	const struct spb_structure s = r->structures.items[of->type.structure];
	const uint64_t elements = spb_elements(r, d);

	for (uint64_t i = 0; i < elements && spb_spend(r, 8 + d.count + strlen(name) / 8, NULL); i++) {
		struct spb_text_buffer text = {.arena = r->arena};
		struct spb_match at = *of;
		uint64_t rest = elements;
		spb_text_put(&text, name);
		for (uint32_t k = 0; k < d.count; k++) {
			const uint64_t extent = (uint64_t)r->extents.items[d.first + k];
			rest /= extent;
			spb_text_format(&text, "[%u]", (unsigned)(i / rest % extent));
		}
		at.type.dimensions.count = 0;
		at.leaf += i * s.leaves;
		for (int k = 0; k < SPB_CLASS_COUNT; k++)
			at.registers[k] += i * s.registers[k];
		add_members(x, &at, spb_text_end(&text), true);
	}
}

static void add_parts(struct lister *x, struct spb_match at, const char *name, bool by_element)
{
	if (at.type.kind < SPB_DESCRIPTOR_OTHER) {
		const uint32_t inside = at.type.inside;
		add_resource(x, &at, name);
		at.leaf++;
		at.type.structure = inside - 1;
		if (inside) /* split by member, as whatever a block contains */
			add_members(x, &at, name, false);
	} else if (at.type.kind == SPB_KIND_STRUCT && at.type.dimensions.count && by_element)
		add_elements(x, &at, name);
	else if (at.type.kind == SPB_KIND_STRUCT)
		add_members(x, &at, name, by_element);
}

static void add_data(struct lister *x, uint32_t declared, const char *name)
{
	const struct spb_type *type = &x->r->declarations.items[declared - 1].type;
	struct spb_match at = {.declared = declared, .type = {.kind = SPB_DESCRIPTOR_UBO}, .data = true};

	if (!dialect_of(x, declared)->own_data || !spb_is_mixed(x->r, type))
		return;
	at.leaf = spb_data_leaf(x->r, type);
	if (!is_seen(x, order_of(declared + 1, at.leaf, false)))
		add(x, &at, SPB_CLASS_B, put_together(x, "", name, ""));
}

static void add_dropped(struct lister *x)
{
	static const char counters[] =
	    "gl_AtomicCounterBlock"; /* the module's names have a number, which is its binding */
	struct spb_reader *r = x->r;

	for (uint32_t i = 0; i < r->declarations.count && !r->failure; i++) {
		const struct spb_declared *d = &r->declarations.items[i];
		const uint8_t state = x->state[i];
		const char *name;
		if (d->other || d->paired || state & IS_WHOLE || !strcmp(name = word_text(r, d->word), counters))
			continue;
		add_parts(x, (struct spb_match){.declared = i + 1, .type = d->type}, name,
			  state & HAS_VIEWS ? state & HAS_ELEMENTS : dialect_of(x, i + 1)->by_element);
		add_data(x, i + 1, name);
	}
}

/* Putting them in order */

static int by_order(const void *a, const void *b)
{
	const struct spb_declaration *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

static bool is_struct(const struct lister *x, uint32_t whole)
{
	const struct spb_type *type = whole ? &x->r->declarations.items[whole - 1].type : NULL;

	return type && (type->kind == SPB_KIND_STRUCT || type->inside);
}

/* Merges equal ones, and counts the views and the parts of each. */
static struct spb_declarations unite(struct lister *x)
{
	struct spb_declarations list = {0};
	const struct spb_declaration *items = x->all.items;

	spb_sort(x->r->arena, x->all.items, x->all.count, sizeof *x->all.items, by_order);
	SPB_SIZE(x->keep, &list, x->all.count);
	for (size_t i = 0, end; i < x->all.count; i = end) {
		uint32_t count = 0;
		for (end = i; end < x->all.count && items[end].order == items[i].order; end++)
			count += items[end].view_count;
		list.items[list.count] = items[i];
		list.items[list.count++].view_count = count;
	}
	for (size_t i = 0, end; i < list.count; i = end) {
		for (end = i; end < list.count && list.items[end].whole == list.items[i].whole; end++)
			;
		const bool one = !is_struct(x, list.items[i].whole);
		for (size_t k = i; k < end; k++) {
			list.items[k].leaf = one ? 0 : (uint32_t)(k - i);
			list.items[k].leaves = one ? 1 : (uint32_t)(end - i);
		}
	}
	return list;
}

static void add_match(struct lister *x, const struct spb_match *match, struct spb_variable *v)
{
	struct spb_match at = *match;
	struct spb_declaration *item;
	const bool split = v->extra->origin || v->extra->part_of;

	if (!at.declared) {
		struct loose_block *block = loose_block_of(x, v);
		block->seen = true;
		item = add_loose(x, block);
	} else {
		const struct spb_declared *d = &x->r->declarations.items[at.declared - 1];
		at.leaf += v->extra->piece;
		if (match->renamed)
			v->key = put_together(x, "", word_text(x->r, d->word), "");
		item = add(x, &at, v->class, put_together(x, "", v->key, ""));
		x->state[at.declared - 1] |= HAS_VIEWS | (at.element ? HAS_ELEMENTS : 0);
		if (split || (!at.counter && d->type.kind == at.type.kind && !declares_counter(d, &d->type)))
			x->state[at.declared - 1] |= IS_WHOLE;
	}
	item->view_count = 1;
}

struct spb_declarations spb_list_declared(struct spb_reader *r, const struct spb_module *m,
					  const struct spb_matches *matches, const struct spb_dialect *dialects,
					  struct spb_variables *variables, struct spb_arena *keep)
{
	struct lister x = {.r = r, .m = m, .dialects = dialects, .keep = keep};
	uint64_t *orders = spb_alloc_zeroed(r->arena, matches->count, sizeof *orders); /* per match; 0: not listed */
	uint64_t *seen = spb_alloc_array(r->arena, matches->count, sizeof *seen);

	x.files = spb_alloc_zeroed(r->arena, r->names.count, sizeof *x.files);
	x.state = spb_alloc_zeroed(r->arena, r->declarations.count, sizeof *x.state);
	hash_structures(&x);
	for (size_t i = 0; i < r->loose.count;)
		i = find_loose_block(&x, i);
	for (size_t i = 0; i < matches->count; i++) {
		const struct spb_match *match = &matches->items[i];
		if (!match->declared && !x.loose.count)
			continue; /* the types of all of them are unknown */
		add_match(&x, match, &variables->items[match->variable]);
		orders[i] = seen[x.seen_count++] = x.all.items[x.all.count - 1].order;
	}
	spb_sort(r->arena, seen, x.seen_count, sizeof *seen, by_value);
	x.seen = seen;
	add_dropped(&x);
	for (size_t i = 0; i < x.loose.count; i++) {
		if (!x.loose.items[i].seen)
			add_loose(&x, &x.loose.items[i]);
	}
	if (r->failure)
		return (struct spb_declarations){0};
	struct spb_declarations list = unite(&x);
	for (size_t i = 0; i < matches->count; i++) {
		const struct spb_match *match = &matches->items[i];
		const struct spb_declaration wanted = {.order = orders[i]};
		struct spb_variable *v = &variables->items[match->variable];
		if (!orders[i])
			continue;
		const size_t at = spb_lower_bound(list.items, list.count, sizeof *list.items, &wanted, by_order);
		spb_own_extra(v, keep)->declaration = &list.items[at];
		if (v->kind == SPB_DESCRIPTOR_SAMPLER && v->extra->declaration->paired)
			v->class = SPB_CLASS_T; /* as with DXC: s2 is where t2 is */
	}
	return list;
}
