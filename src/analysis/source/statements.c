/* SPDX-License-Identifier: Apache-2.0 */
/* statements: what the readers of GLSL and HLSL share: brackets, sizes of arrays, constants, structs. */
#include "analysis/source/text.h"

enum { LONGEST = 64 }; /* tokens of an expression that is evaluated; longer ones are unknown */

void spb_take(struct spb_reader *r)
{
	r->token = spb_expanded_token(r);
}

static int depth_change(const struct spb_token *t)
{
	if (t->kind != SPB_TOKEN_MARK)
		return 0;
	return t->mark == '(' || t->mark == '[' || t->mark == '{'   ? 1
	       : t->mark == ')' || t->mark == ']' || t->mark == '}' ? -1
								    : 0;
}

void spb_skip_group(struct spb_reader *r)
{
	size_t depth = 0;

	do {
		int change = depth_change(&r->token);
		depth = change < 0 && !depth ? 0 : depth + (size_t)change;
		spb_take(r);
	} while (depth && r->token.kind != SPB_TOKEN_END);
}

bool spb_skip_angles(struct spb_reader *r)
{
	spb_take(r); /* the < */
	return spb_skip_open_angles(r, 1);
}

bool spb_skip_open_angles(struct spb_reader *r, size_t depth)
{
	while (depth && r->token.kind != SPB_TOKEN_END) {
		const struct spb_token *t = &r->token;
		if (spb_is_mark(t, '(') || spb_is_mark(t, '[')) {
			spb_skip_group(r);
			continue;
		}
		if (spb_is_mark(t, ';') || spb_is_mark(t, '{') || spb_is_mark(t, '}'))
			return false;
		size_t ends = spb_is_mark(t, '>') ? 1 : spb_is_mark(t, SPB_MARK2('>', '>')) ? 2 : 0;
		depth += spb_is_mark(t, '<');
		depth = ends < depth ? depth - ends : 0;
		spb_take(r);
	}
	return !depth;
}

/* Copies the tokens up to a , or ; or closing bracket, outside nested brackets, to the pool. `known`: they fit. */
static struct spb_range collect(struct spb_reader *r)
{
	struct spb_range range = {.first = r->pool.count, .known = true};
	size_t depth = 0;

	for (; r->token.kind != SPB_TOKEN_END; spb_take(r)) {
		const struct spb_token *t = &r->token;
		int change = depth_change(t);
		if (!depth && (change < 0 || spb_is_mark(t, ',') || spb_is_mark(t, ';')))
			break;
		depth += (size_t)change;
		range.known &= range.count < LONGEST;
		range.count += range.known;
		if (range.known)
			SPB_PUSH(r->arena, &r->pool, *t);
	}
	return range;
}

/* Evaluates the tokens that collect has put at the end of the pool, and removes them. */
static bool value_of(struct spb_reader *r, struct spb_range range, int64_t *value)
{
	bool known =
	    range.known && range.count && spb_evaluate(r, r->pool.items + range.first, range.count, false, value);

	r->pool.count = range.first;
	return known;
}

bool spb_read_number(struct spb_reader *r, uint32_t *number)
{
	int64_t value = 0;

	spb_take(r); /* the = or the ( */
	if (!value_of(r, collect(r), &value) || value < 0 || value > UINT32_MAX)
		return false;
	*number = (uint32_t)value;
	return true;
}

void spb_read_initializer(struct spb_reader *r, uint32_t word, bool constant)
{
	int64_t value = 0;

	spb_take(r); /* the = */
	bool known = value_of(r, collect(r), &value);
	struct spb_word *w = &r->words.items[word];
	w->is_constant = constant && known;
	w->constant = value;
}

static void check_dimensions(struct spb_reader *r, uint32_t count)
{
	if (count > SPB_TYPE_DEPTH)
		spb_text_fails(r, &r->token, "an array has too many dimensions");
}

struct spb_dimensions spb_read_dimensions(struct spb_reader *r)
{
	struct spb_dimensions d = {(uint32_t)r->extents.count, 0};

	while (spb_is_mark(&r->token, '[')) { /* a failure ends the tokens */
		check_dimensions(r, d.count + 1);
		int64_t value = 0;
		spb_take(r);
		struct spb_range range = collect(r);
		bool known = value_of(r, range, &value);
		if (!range.count)
			value = SPB_EXTENT_OPEN;
		else if (!known || value <= 0)
			value = SPB_EXTENT_UNKNOWN;
		SPB_PUSH(r->arena, &r->extents, value);
		d.count++;
		if (!spb_is_mark(&r->token, ']'))
			break;
		spb_take(r);
	}
	return d;
}

struct spb_dimensions spb_join_dimensions(struct spb_reader *r, struct spb_dimensions outer,
					  struct spb_dimensions inner)
{
	struct spb_dimensions d = {(uint32_t)r->extents.count, outer.count + inner.count};

	if (!outer.count || !inner.count)
		return outer.count ? outer : inner;
	check_dimensions(r, d.count);
	if (!spb_spend(r, d.count, &r->token))
		return outer;
	for (uint32_t i = 0; i < d.count; i++) {
		int64_t extent = i < outer.count ? r->extents.items[outer.first + i]
						 : r->extents.items[inner.first + (i - outer.count)];
		SPB_PUSH(r->arena, &r->extents, extent);
	}
	return d;
}

#define MOST ((UINT64_C(1) << SPB_LEAF_BITS) - 1)

static uint64_t times(uint64_t a, uint64_t b)
{
	return a && b > MOST / a ? MOST : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a + b > MOST ? MOST : a + b;
}

uint64_t spb_elements(const struct spb_reader *r, struct spb_dimensions d)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < d.count; i++) {
		int64_t extent = r->extents.items[d.first + i];
		n = times(n, extent > 0 ? (uint64_t)extent : 0);
	}
	return n;
}

struct spb_type spb_named_type(const struct spb_reader *r, uint32_t word)
{
	uint32_t type = r->words.items[word].type;

	return type ? r->types.items[type - 1] : (struct spb_type){.kind = SPB_KIND_UNKNOWN};
}

/* If two namespaces have a type of the same name, it counts as unknown. */
void spb_name_type(struct spb_reader *r, uint32_t word, struct spb_type type)
{
	if (r->words.items[word].type)
		type = (struct spb_type){.kind = SPB_KIND_UNKNOWN};
	SPB_PUSH(r->arena, &r->types, type);
	r->words.items[word].type = (uint32_t)r->types.count;
}

/* A loose uniform, which belongs to the block of its unit. */
static bool is_data(const struct spb_reader *r, const struct spb_type *type)
{
	return type->kind == SPB_KIND_DATA ||
	       (type->kind == SPB_KIND_STRUCT && !r->structures.items[type->structure].resources);
}

static bool has_number(const struct spb_declared *d)
{
	bool any = d->has_place;

	for (int k = 0; k < SPB_CLASS_COUNT; k++)
		any |= d->has_register[k] || d->has_space[k];
	return any;
}

/* The declaration of another unit is the same resource, declared in another stage. Its author may have written the
 * place there only. */
static void join_units(struct spb_declared *first, const struct spb_declared *d)
{
	first->open_too |= !has_number(d) || !has_number(first);
	if (has_number(first))
		return;
	first->has_place = d->has_place;
	first->knows_binding = d->knows_binding;
	first->knows_set = d->knows_set;
	first->binding = d->binding;
	first->set = d->set;
	memcpy(first->has_register, d->has_register, sizeof d->has_register);
	memcpy(first->has_space, d->has_space, sizeof d->has_space);
	memcpy(first->number, d->number, sizeof d->number);
	memcpy(first->space, d->space, sizeof d->space);
}

static bool means_nothing(const spb_options *o, const struct spb_declared *d)
{
	return spb_is_sentinel(o, d->binding) || (o->layout.has_auto_set && d->set == o->layout.auto_set);
}

/* Whether authors chose different places. Those of a register and of a binding cannot be compared. */
static bool are_apart(const spb_options *o, const struct spb_declared *a, const struct spb_declared *b)
{
	if (a->knows_binding && b->knows_binding)
		return (a->binding != b->binding || a->set != b->set) && !means_nothing(o, a) && !means_nothing(o, b);
	for (int k = 0; k < SPB_CLASS_COUNT && !a->has_place && !b->has_place; k++) {
		if (a->has_register[k] && b->has_register[k] &&
		    (a->number[k] != b->number[k] || a->space[k] != b->space[k]))
			return true;
	}
	return false;
}

/* The declaration of this name, + 1, that is the same as `d`: in the same unit, or not elsewhere. 0: none. *last: the
 * last one with this name, + 1, if none is the same. */
static uint32_t find_same(struct spb_reader *r, const struct spb_declared *d, uint32_t unit, uint32_t *last)
{
	uint32_t first = r->words.items[d->word].declaration;

	*last = 0;
	while (first && spb_spend(r, 1, &r->token)) {
		const struct spb_declared *other = &r->declarations.items[first - 1];
		if (other->unit == unit || !are_apart(r->options, other, d)) {
			*last = 0;
			return first;
		}
		*last = first;
		first = other->elsewhere;
	}
	return 0;
}

void spb_declare(struct spb_reader *r, const struct spb_declared *d)
{
	const size_t doubt = r->conditions.count ? r->conditions.items[r->conditions.count - 1].doubt : 0;
	struct spb_word *word = &r->words.items[d->word], *tail = &r->words.items[d->last];

	const uint32_t unit = (uint32_t)r->units.count - 1;
	uint32_t last;
	const uint32_t first = find_same(r, d, unit, &last), next = (uint32_t)r->declarations.count;
	const uint32_t units = unit < 32 ? 1u << unit : UINT32_MAX;
	const bool joins = first && (r->declarations.items[first - 1].unit == unit || !is_data(r, &d->type));
	if (d->type.kind == SPB_DESCRIPTOR_UBO || d->type.kind == SPB_DESCRIPTOR_SSBO)
		SPB_PUSH(r->arena, &r->blocks, ((struct spb_block_of){d->instance, units, first ? first - 1 : next}));
	if ((d->type.kind == SPB_KIND_DATA || d->type.kind == SPB_KIND_STRUCT) && !d->constant &&
	    !(d->other && r->units.items[unit].wide))
		SPB_PUSH(r->arena, &r->loose,
			 ((struct spb_loose){unit, d->word, d->type_word, d->line, d->file, joins ? first - 1 : next,
					     next, d->type}));
	if (joins) {
		struct spb_declared *other = &r->declarations.items[first - 1];
		other->units |= units;
		if (other->unit == unit)
			other->again = true;
		else
			join_units(other, d);
		return;
	}
	SPB_PUSH(r->arena, &r->declarations, *d);
	if (last)
		r->declarations.items[last - 1].elsewhere = next + 1;
	else if (!first)
		word->declaration = next + 1;
	r->declarations.items[r->declarations.count - 1].unit = unit;
	r->declarations.items[r->declarations.count - 1].units = units;
	if (doubt) {
		const struct spb_condition *c = &r->conditions.items[doubt - 1];
		struct spb_declared *declared = &r->declarations.items[r->declarations.count - 1];
		declared->doubt = c->macro;
		declared->doubt_line = c->line;
		declared->doubt_file = c->file;
	}
	if (tail != word && !last) {
		tail->last_again |= tail->last != 0;
		tail->last = (uint32_t)r->declarations.count;
	}
}

enum spb_class spb_class_of_type(const struct spb_type *type)
{
	return spb_class_of(type->kind < SPB_DESCRIPTOR_COUNT ? (enum spb_descriptor)type->kind : SPB_DESCRIPTOR_OTHER,
			    type->writable);
}

bool spb_is_mixed(const struct spb_reader *r, const struct spb_type *type)
{
	if (type->kind != SPB_KIND_STRUCT)
		return false;
	const struct spb_structure *s = &r->structures.items[type->structure];
	return s->data && s->resources;
}

uint64_t spb_data_leaf(const struct spb_reader *r, const struct spb_type *type)
{
	const uint64_t n = spb_elements(r, type->dimensions);

	return times(n ? n : 1, r->structures.items[type->structure].leaves);
}

struct spb_type spb_add_structure(struct spb_reader *r, struct spb_members *members)
{
	struct spb_structure s = {.first = (uint32_t)r->members.count, .count = (uint32_t)members->count};

	spb_spend(r, 32, &r->token); /* its memory, which is more than that of other tokens */
	for (size_t i = 0; i < members->count; i++) {
		struct spb_member *m = &members->items[i];
		uint64_t n = spb_elements(r, m->type.dimensions);
		m->leaf = s.leaves;
		memcpy(m->registers, s.registers, sizeof m->registers);
		s.data |= m->type.kind == SPB_KIND_DATA;
		s.resources |= m->type.kind < SPB_DESCRIPTOR_COUNT;
		if (m->type.kind == SPB_KIND_STRUCT) {
			const struct spb_structure *inner = &r->structures.items[m->type.structure];
			s.depth = inner->depth > s.depth ? inner->depth : s.depth;
			s.data |= inner->data;
			s.resources |= inner->resources;
			s.leaves = plus(s.leaves, times(n ? n : 1, inner->leaves));
			for (int k = 0; k < SPB_CLASS_COUNT; k++)
				s.registers[k] = plus(s.registers[k], times(n ? n : 1, inner->registers[k]));
		} else if (m->type.kind < SPB_DESCRIPTOR_COUNT) {
			enum spb_class class = spb_class_of_type(&m->type);
			s.leaves = plus(s.leaves, n ? n : 1);
			s.registers[class] = plus(s.registers[class], n ? n : 1);
		} else {
			s.leaves = plus(s.leaves, 1); /* it may be a resource */
		}
		SPB_PUSH(r->arena, &r->members, *m);
	}
	if (++s.depth > SPB_TYPE_DEPTH)
		spb_text_fails(r, &r->token, "structs are nested too deeply");
	SPB_PUSH(r->arena, &r->structures, s);
	return (struct spb_type){.kind = SPB_KIND_STRUCT, .structure = (uint32_t)r->structures.count - 1};
}
