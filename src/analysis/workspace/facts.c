/* SPDX-License-Identifier: Apache-2.0 */
/* facts: what the layout of one program says about its resources, as text, so that another process, or another machine,
 * can decide the numbers that the program shares with others.
 *
 *     shift class=t set=0 by=4
 *     reserve set=0 range=0..3
 *     resource Frame set=0 binding=1 place=open kind=ubo type=9d3a... stages=vertex,fragment
 *     member view type=float4x4 offset=0 end=64 hash=51b0...
 *
 * Lines are sorted by set and binding. Giving each open resource the first free number in this order reproduces the
 * numbers that the program has on its own. Keys with their usual value are left out. A member belongs to the resource
 * before it. A resource that is `dropped` is a declaration of a source text without a variable: it has a number, but no
 * type. */
#include "analysis/workspace/workspace.h"

static const char truncated[] = "the line is truncated" SPB_REMEDY "Collect the program again.";
static const struct spb_freedom usual_freedom = {.length = 1};

/* What a layout says */

struct writer {
	const struct spb_layout *layout;
	const spb_options *options;
	const struct spb_policies *policies;
	struct spb_layout_module *modules;
	struct spb_context *c;
	struct spb_text_buffer text;
	uint32_t *order;   /* parameters, in the order of lines */
	uint32_t *line_of; /* [parameters] */
	uint32_t count;
};

static const struct spb_parameter *parameter(const struct writer *w, uint32_t i)
{
	return &w->layout->parameters.items[i];
}

struct line_key {
	uint32_t set, binding, parameter;
};

static int by_line(const void *a, const void *b)
{
	const struct line_key *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	order = order ? order : spb_compare(x->binding, y->binding);
	return order ? order : spb_compare(x->parameter, y->parameter);
}

static void sort_lines(struct writer *w)
{
	uint32_t total = (uint32_t)w->layout->parameters.count;
	struct line_key *keys = spb_alloc_array(&w->c->scratch, total, sizeof *keys);

	w->order = spb_alloc_array(&w->c->scratch, total, sizeof *w->order);
	w->line_of = spb_alloc_zeroed(&w->c->scratch, total, sizeof *w->line_of);
	for (uint32_t i = 0; i < total; i++) {
		const struct spb_parameter *p = parameter(w, i);
		if (p->place != SPB_PLACE_REMOVED && !(p->dropped && p->place == SPB_PLACE_FIXED))
			keys[w->count++] = (struct line_key){p->set, p->binding, i};
	}
	spb_sort(&w->c->scratch, keys, w->count, sizeof *keys, by_line);
	for (uint32_t i = 0; i < w->count; i++) {
		w->order[i] = keys[i].parameter;
		w->line_of[keys[i].parameter] = i;
	}
}

static enum spb_fact_place place_of(const struct spb_parameter *p)
{
	if (p->place == SPB_PLACE_OPEN)
		return SPB_FACT_OPEN;
	return p->place == SPB_PLACE_BOUND && p->locked ? SPB_FACT_LOCKED : SPB_FACT_FIXED;
}

/* The entry of a resource whose line has no keys about it. */
static struct spb_entry usual_entry(enum spb_descriptor kind, uint32_t count, uint32_t descriptors)
{
	return (struct spb_entry){.vk_type = spb_descriptor_info(kind)->vk_type,
				  .types = (uint16_t)(1u << kind),
				  .count = count,
				  .flags = descriptors ? 0 : 1u << SPB_FLAG_PARTIALLY_BOUND};
}

static void put_stages(struct spb_text_buffer *text, uint32_t bits)
{
	const char *separator = " stages=";

	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		if (!(bits >> i & 1))
			continue;
		spb_text_format(text, "%s%s", separator, spb_stage_name(i));
		separator = ",";
	}
}

static void put_hash(struct spb_text_buffer *text, const char *key, uint64_t hash)
{
	static const char digits[] = "0123456789abcdef";

	spb_text_put(text, key);
	for (int shift = 60; shift >= 0; shift -= 4)
		spb_text_byte(text, digits[hash >> shift & 15]);
}

/* The freedom of a parameter, where `lead` is a line rather than a parameter. */
static struct spb_freedom freedom_of(const struct writer *w, uint32_t i)
{
	struct spb_freedom f = spb_freedom_of(w->layout, parameter(w, i));

	if (f.lead)
		f.lead = w->line_of[f.lead - 1] + 1;
	return f;
}

/* The view of a parameter with most members, and its type. */
static struct spb_layout_module *fullest_of(const struct writer *w, uint32_t i, uint32_t *type)
{
	const struct spb_view view = w->layout->drafts[i].fullest;
	struct spb_layout_module *lm = &w->modules[view.module];

	if (!lm->hashes)
		lm->hashes = spb_type_hashes(lm->m, w->text.arena);
	*type = lm->variables.items[view.variable].element;
	return lm;
}

/* The name that a compiler gave to the block that it made; NULL: it made none. */
static const char *made_name(const struct spb_variable *v)
{
	struct spb_variable of = *v;

	of.key = spb_declared_name(v);
	return spb_is_made_name(&of) ? of.key : NULL;
}

static struct spb_fact fact_of(struct writer *w, uint32_t i)
{
	const struct spb_parameter *p = parameter(w, i);
	const struct spb_declaration *d = p->variable->extra->declaration;
	struct spb_fact f = {.name = p->variable->key,
			     .made = made_name(p->variable),
			     .ordinal = p->ordinal,
			     .heap = p->variable->heap,
			     .dropped = p->dropped,
			     .place = place_of(p),
			     .set = p->set,
			     .binding = p->binding,
			     .kind = p->variable->kind,
			     .count = p->count,
			     .stages = p->uses};
	uint32_t type;

	f.text = f.made && d && d->loose ? d->content : 0;
	f.entry = usual_entry(f.kind, f.count, f.count);
	if (p->dropped)
		return f;
	const struct spb_layout_module *lm = fullest_of(w, i, &type);
	f.type = lm->hashes[type];
	f.entry = *spb_entry_of(w->layout, p);
	return f;
}

static const struct spb_typed_member *members_of(const struct writer *w, uint32_t i, uint32_t *count)
{
	uint32_t type;

	*count = 0;
	if (parameter(w, i)->dropped)
		return NULL;
	const struct spb_layout_module *lm = fullest_of(w, i, &type);
	if (spb_def_op(lm->m, type) != SpvOpTypeStruct)
		return NULL;
	return spb_typed_members(lm->m, type, lm->hashes, &w->c->scratch, count);
}

/* Lines */

static void put_entry(struct spb_text_buffer *text, const struct spb_fact *f)
{
	const struct spb_entry *e = &f->entry;
	const struct spb_entry usual = usual_entry(f->kind, f->count, e->count);

	if (e->vk_type != usual.vk_type)
		spb_text_format(text, " descriptor=%u", e->vk_type);
	if (e->types != usual.types)
		spb_text_format(text, " types=%u", e->types);
	if (e->count != usual.count)
		spb_text_format(text, " descriptors=%u", e->count);
	if (e->flags != usual.flags)
		spb_text_format(text, " flags=%u", e->flags);
	if (e->set_flags)
		spb_text_format(text, " set-flags=%u", e->set_flags);
	if (e->immutable)
		spb_text_put(text, " immutable=1");
	if (e->non_uniform)
		spb_text_put(text, " non-uniform=1");
	if (e->mask)
		spb_text_format(text, " mask=%u", e->mask);
}

static void put_freedom(struct spb_text_buffer *text, const struct spb_freedom *f)
{
	if (f->has_lane || f->is_recorded)
		spb_text_format(text, " class=%c number=%u%s", spb_class_letter(f->class), f->number,
				f->is_recorded  ? " recorded=1"
				: f->must_shift ? " shift=1"
						: "");
	if (f->from)
		spb_text_format(text, " from=%u", f->from);
	if (f->length != 1)
		spb_text_format(text, " length=%u", f->length);
	if (f->has_range)
		spb_text_format(text, " range=%u..%u", f->first, f->last);
	if (f->lead)
		spb_text_format(text, " lead=%u offset=%u", f->lead - 1, f->offset);
	if (f->alone) {
		spb_text_put(text, " alone=");
		spb_lock_put_name(text, f->alone);
	}
}

static void put_members(struct spb_text_buffer *text, const struct spb_typed_member *members, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		spb_text_put(text, "member ");
		spb_lock_put_name(text, members[i].name);
		spb_text_put(text, " type=");
		spb_lock_put_name(text, members[i].type);
		spb_text_format(text, " offset=%u end=%u", members[i].offset, members[i].end);
		put_hash(text, " hash=", members[i].hash);
		spb_text_put(text, "\n");
	}
}

static void put_fact(struct spb_text_buffer *text, const struct spb_fact *f)
{
	static const char *const places[] = {"open", "fixed", "locked"};

	spb_text_put(text, f->heap ? "heap " : "resource ");
	spb_lock_put_name(text, f->name);
	if (f->ordinal)
		spb_text_format(text, " ordinal=%u", f->ordinal);
	spb_text_format(text, " set=%u binding=%u place=%s kind=%s", f->set, f->binding, places[f->place],
			spb_descriptor_info(f->kind)->kind);
	if (f->count != 1)
		spb_text_format(text, " count=%u", f->count);
	put_hash(text, " type=", f->type);
	if (f->made) {
		spb_text_put(text, " made=");
		spb_lock_put_name(text, f->made);
		put_hash(text, " text=", f->text);
	}
	if (f->dropped)
		spb_text_put(text, " dropped=1");
	put_stages(text, f->stages);
	put_entry(text, f);
	put_freedom(text, f->free);
	spb_text_put(text, "\n");
}

static void put_shift(struct spb_text_buffer *text, const struct spb_fact_shift *s)
{
	spb_text_format(text, "shift class=%c set=%u by=%u%s\n", spb_class_letter(s->class), s->set, s->by,
			s->recorded ? " recorded=1" : "");
}

static void put_reserve(struct spb_text_buffer *text, uint32_t set, uint32_t first, uint32_t last)
{
	spb_text_format(text, "reserve set=%u range=%u..%u\n", set, first, last);
}

void spb_put_facts(const struct spb_workspace_plan *w, const struct spb_workspace_program *p,
		   struct spb_text_buffer *text)
{
	const struct spb_facts *facts = &p->facts;

	for (uint32_t i = 0; i < facts->shift_count; i++)
		put_shift(text, &facts->shifts[i]);
	for (uint32_t i = 0; i < facts->reserve_count; i++)
		put_reserve(text, facts->reserved[i].set, facts->reserved[i].first, facts->reserved[i].last);
	for (uint32_t i = 0; i < facts->count; i++) {
		const struct spb_fact *f = spb_fact_of(w, p, i);
		put_fact(text, f);
		put_members(text, w->facts.members.items + f->blocks, f->members);
	}
}

const char *spb_facts_text(const struct spb_layout *layout, const spb_options *options,
			   const struct spb_policies *policies, struct spb_layout_module *modules,
			   struct spb_context *c, struct spb_arena *keep, size_t *length)
{
	struct writer w = {layout, options, policies, modules, c, .text = {.arena = keep}};

	sort_lines(&w);
	for (size_t i = 0; i < layout->shifts.count && layout->hlsl; i++) {
		const struct spb_shift *shift = &layout->shifts.items[i];
		if (!shift->group)
			put_shift(&w.text, &(struct spb_fact_shift){
					       shift->class, shift->set, shift->by,
					       !shift->automatic &&
						   !spb_policy_lane_shift(policies, shift->class, 0, shift->set)});
	}
	for (size_t i = 0; i < policies->lines.count; i++) {
		const struct spb_policy_line *line = &policies->lines.items[i];
		if (line->verb == SPB_POLICY_RESERVE)
			put_reserve(&w.text, line->set, line->first, line->last);
	}
	for (uint32_t i = 0; i < layout->parameters.count && !layout->hlsl; i++) {
		const struct spb_parameter *p = parameter(&w, i);
		if (p->dropped && p->place == SPB_PLACE_FIXED) /* what its author wrote stays free */
			put_reserve(&w.text, p->set, p->binding, p->binding);
	}
	for (uint32_t i = 0; i < w.count; i++) {
		struct spb_fact f = fact_of(&w, w.order[i]);
		struct spb_freedom freedom = freedom_of(&w, w.order[i]);
		uint32_t count;
		const struct spb_typed_member *members = members_of(&w, w.order[i], &count);
		f.free = &freedom;
		put_fact(&w.text, &f);
		put_members(&w.text, members, count);
	}
	*length = w.text.count;
	return spb_text_end(&w.text);
}

/* Reading */

struct reader { /* reads the facts of one program */
	struct spb_lines *r;
	struct spb_workspace_plan *w;
	SPB_LIST(uint32_t) items;
	SPB_LIST(struct spb_fact_shift) shifts;
	SPB_LIST(struct spb_fact_reserve) reserved;
};

static uint64_t read_hash(const struct spb_lines *r, const struct spb_pair *p)
{
	uint64_t hash = 0;
	const char *at = p->value;

	for (; (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f'); at++)
		hash = hash << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
	if (*at || at - p->value != 16)
		spb_line_wrong(r, "%s= takes 16 hexadecimal digits, but got \"%s\"", p->key, p->value);
	return hash;
}

enum { USUAL_TYPES = UINT16_MAX, USUAL_FLAGS = UINT8_MAX }; /* mark keys that a line does not have */

/* Reads a number into a field of fewer than 32 bits. */
static uint32_t number_to(const struct spb_lines *r, const struct spb_pair *p, uint32_t most)
{
	uint32_t number = spb_pair_number(r, p);

	if (number > most)
		spb_line_wrong(r, "%s= takes a number up to %u, but got %s", p->key, (unsigned)most, p->value);
	return number;
}

static bool read_descriptor(const struct spb_lines *r, const struct spb_pair *p, struct spb_fact *f)
{
	struct spb_entry *e = &f->entry;

	if (!strcmp(p->key, "descriptor"))
		e->vk_type = spb_pair_number(r, p);
	else if (!strcmp(p->key, "types"))
		e->types = (uint16_t)number_to(r, p, USUAL_TYPES);
	else if (!strcmp(p->key, "descriptors"))
		e->count = spb_pair_number(r, p);
	else if (!strcmp(p->key, "flags"))
		e->flags = (uint8_t)number_to(r, p, USUAL_FLAGS);
	else if (!strcmp(p->key, "set-flags"))
		e->set_flags = (uint8_t)number_to(r, p, USUAL_FLAGS);
	else if (!strcmp(p->key, "immutable"))
		e->immutable = spb_pair_number(r, p) != 0;
	else if (!strcmp(p->key, "non-uniform"))
		e->non_uniform = spb_pair_number(r, p) != 0;
	else if (!strcmp(p->key, "mask"))
		e->mask = (uint16_t)number_to(r, p, (1u << SPB_RESOURCE_MASK_BITS) - 1);
	else
		return false;
	return true;
}

static bool read_freedom(const struct spb_lines *r, const struct spb_pair *p, struct spb_freedom *f)
{
	if (!strcmp(p->key, "class")) {
		f->class = (enum spb_class)spb_pair_name(r, p, spb_class_name, SPB_CLASS_COUNT);
		f->has_lane = true;
	} else if (!strcmp(p->key, "number")) {
		f->number = spb_pair_number(r, p);
	} else if (!strcmp(p->key, "recorded")) {
		f->is_recorded = spb_pair_number(r, p) != 0;
		f->has_lane = !f->is_recorded;
	} else if (!strcmp(p->key, "shift")) {
		f->must_shift = spb_pair_number(r, p) != 0;
	} else if (!strcmp(p->key, "from")) {
		f->from = spb_pair_number(r, p);
	} else if (!strcmp(p->key, "range")) {
		spb_pair_range(r, p, &f->first, &f->last);
		f->has_range = true;
	} else if (!strcmp(p->key, "length")) {
		f->length = spb_pair_number(r, p);
	} else if (!strcmp(p->key, "lead")) {
		f->lead = spb_pair_number(r, p);
		f->lead += f->lead < UINT32_MAX;
	} else if (!strcmp(p->key, "offset")) {
		f->offset = spb_pair_number(r, p);
	} else if (!strcmp(p->key, "alone")) {
		f->alone = p->value;
	} else {
		return false;
	}
	return true;
}

static void complete_entry(struct spb_fact *f)
{
	struct spb_entry *e = &f->entry;

	e->count = e->count == UINT32_MAX ? f->count : e->count;
	const struct spb_entry usual = usual_entry(f->kind, f->count, e->count);
	e->vk_type = e->vk_type == UINT32_MAX ? usual.vk_type : e->vk_type;
	e->types = e->types == USUAL_TYPES ? usual.types : e->types;
	e->flags = e->flags == USUAL_FLAGS ? usual.flags : e->flags;
}

/* f.free: `freedom`, or NULL if the line has no keys about it */
static struct spb_fact read_fact(struct spb_lines *r, struct spb_freedom *freedom)
{
	static const char *const places[] = {"open", "fixed", "locked", ""};
	bool heap = *spb_line_word(r) == 'h';
	struct spb_fact f = {.name = spb_line_word(r), .heap = heap, .count = 1};
	bool set = false, binding = false, kind = false, type = false;

	*freedom = usual_freedom;
	f.entry.vk_type = f.entry.count = UINT32_MAX;
	f.entry.types = USUAL_TYPES;
	f.entry.flags = USUAL_FLAGS;
	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "set")) {
			f.set = spb_pair_number(r, &p);
			set = true;
		} else if (!strcmp(p.key, "binding")) {
			f.binding = spb_pair_number(r, &p);
			binding = true;
		} else if (!strcmp(p.key, "ordinal")) {
			f.ordinal = spb_pair_number(r, &p);
		} else if (!strcmp(p.key, "place")) {
			f.place = (enum spb_fact_place)spb_pair_choice(r, &p, places);
		} else if (!strcmp(p.key, "kind")) {
			f.kind = (enum spb_descriptor)spb_pair_name(r, &p, spb_kind_name, SPB_DESCRIPTOR_OTHER);
			kind = true;
		} else if (!strcmp(p.key, "count")) {
			f.count = spb_pair_number(r, &p);
		} else if (!strcmp(p.key, "stages")) {
			f.stages = spb_pair_bits(r, &p, spb_stage_name, SPB_STAGE_COUNT);
		} else if (!strcmp(p.key, "type")) {
			f.type = read_hash(r, &p);
			type = true;
		} else if (!strcmp(p.key, "made")) {
			f.made = p.value;
		} else if (!strcmp(p.key, "text")) {
			f.text = read_hash(r, &p);
		} else if (!strcmp(p.key, "dropped")) {
			f.dropped = spb_pair_number(r, &p) != 0;
		} else if (read_freedom(r, &p, freedom)) {
			f.free = freedom;
		} else if (!read_descriptor(r, &p, &f)) {
			spb_line_wrong(r, "unknown key \"%s\"", p.key);
		}
	}
	if (!set || !binding || !kind || !type)
		spb_line_wrong(r, truncated);
	complete_entry(&f);
	return f;
}

static struct spb_typed_member read_member(struct spb_lines *r)
{
	struct spb_typed_member member = {.type = NULL};
	bool offset = false, hash = false;

	spb_line_word(r);
	member.name = spb_line_word(r);
	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "type")) {
			member.type = p.value;
		} else if (!strcmp(p.key, "offset")) {
			member.offset = spb_pair_number(r, &p);
			offset = true;
		} else if (!strcmp(p.key, "end")) {
			member.end = spb_pair_number(r, &p);
		} else if (!strcmp(p.key, "hash")) {
			member.hash = read_hash(r, &p);
			hash = true;
		} else {
			spb_pair_unknown(r, &p, "type, offset, end and hash");
		}
	}
	if (!member.type || !offset || !hash)
		spb_line_wrong(r, truncated);
	return member;
}

static bool is_member(const char *line)
{
	return !strncmp(line, "member ", 7);
}

/* The length of a fact with its members, without the last line feed. */
static size_t fact_length(const char *text, uint32_t *lines)
{
	const char *end = text + strcspn(text, "\n");

	for (*lines = 1; *end && is_member(end + 1); ++*lines)
		end += 1 + strcspn(end + 1, "\n");
	return (size_t)(end - text);
}

static uint32_t *fact_slot(const struct spb_workspace_plan *w, const unsigned char digest[DIGEST])
{
	uint32_t h;

	memcpy(&h, digest, sizeof h);
	for (h &= w->facts.mask; w->facts.slot[h]; h = (h + 1) & w->facts.mask) {
		if (!memcmp(w->facts.items[w->facts.slot[h] - 1].digest, digest, DIGEST))
			break;
	}
	return &w->facts.slot[h];
}

static void grow(struct spb_workspace_plan *w)
{
	uint32_t size = w->facts.slot ? 2 * (w->facts.mask + 1) : 64;

	w->facts.slot = spb_alloc_zeroed(w->keep, size, sizeof *w->facts.slot);
	w->facts.mask = size - 1;
	for (uint32_t i = 0; i < w->facts.count; i++)
		*fact_slot(w, w->facts.items[i].digest) = i + 1;
}

/* Reads the fact in these lines, and stops at the end of the last one. */
static struct spb_fact read_lines(struct spb_workspace_plan *w, struct spb_lines *r, uint32_t lines)
{
	struct spb_freedom freedom, *kept;
	struct spb_fact f = read_fact(r, &freedom);

	if (f.free) {
		kept = spb_alloc(w->keep, sizeof *kept);
		*kept = freedom;
		f.free = kept;
	} else {
		f.free = &usual_freedom;
	}
	f.blocks = (uint32_t)w->facts.members.count;
	f.members = lines - 1;
	while (--lines) {
		spb_line_next(r);
		SPB_PUSH(w->keep, &w->facts.members, read_member(r));
	}
	return f;
}

/* Finds or reads the fact in the next lines. Lines that another program has, too, are not read again. */
static uint32_t find_fact(struct spb_workspace_plan *w, struct spb_lines *r)
{
	unsigned char digest[DIGEST];
	struct spb_blake2 b;
	uint32_t lines, *slot;
	size_t length = fact_length(r->at, &lines);

	if (!w->facts.slot || 2 * w->facts.count > w->facts.mask)
		grow(w);
	spb_blake2_begin(&b);
	spb_blake2_add(&b, r->at, length);
	spb_blake2_end(&b, digest);
	slot = fact_slot(w, digest);
	if (*slot) {
		r->at += length;
		r->number += lines - 1;
		return *slot - 1;
	}
	struct spb_fact f = read_lines(w, r, lines);
	memcpy(f.digest, digest, DIGEST);
	SPB_PUSH(w->keep, &w->facts, f);
	*slot = (uint32_t)w->facts.count;
	return *slot - 1;
}

static void add_fact(struct reader *in)
{
	struct spb_lines here = *in->r;
	uint32_t number = find_fact(in->w, in->r);

	if (in->w->facts.items[number].free->lead > in->items.count)
		spb_line_wrong(&here, "lead= takes the number of a line before this one");
	SPB_PUSH(&in->w->c->scratch, &in->items, number);
}

static void read_set(struct reader *in, bool shift)
{
	struct spb_lines *r = in->r;
	struct spb_fact_shift s = {0};
	uint32_t first = 0, last = 0;

	spb_line_word(r);
	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "set"))
			s.set = spb_pair_number(r, &p);
		else if (shift && !strcmp(p.key, "class"))
			s.class = (enum spb_class)spb_pair_name(r, &p, spb_class_name, SPB_CLASS_COUNT);
		else if (shift && !strcmp(p.key, "by"))
			s.by = spb_pair_number(r, &p);
		else if (shift && !strcmp(p.key, "recorded"))
			s.recorded = spb_pair_number(r, &p) != 0;
		else if (!shift && !strcmp(p.key, "range"))
			spb_pair_range(r, &p, &first, &last);
		else
			spb_pair_unknown(r, &p, shift ? "class, set, by and recorded" : "set and range");
	}
	if (shift)
		SPB_PUSH(&in->w->c->scratch, &in->shifts, s);
	else
		SPB_PUSH(&in->w->c->scratch, &in->reserved, ((struct spb_fact_reserve){s.set, first, last}));
}

static bool begins_with(const char *line, const char *verb)
{
	size_t length = strlen(verb);

	return !strncmp(line, verb, length) && line[length] == ' ';
}

static void read_line(struct reader *in)
{
	const char *line = in->r->at;

	if (begins_with(line, "resource") || begins_with(line, "heap"))
		add_fact(in);
	else if (begins_with(line, "shift") || begins_with(line, "reserve"))
		read_set(in, *line == 's');
	else if (is_member(line))
		spb_line_wrong(in->r, "a member comes directly after the resource that has it");
	else
		spb_line_wrong(in->r, "no line of facts begins with \"%s\"" SPB_REMEDY "Collect the program again.",
			       spb_line_word(in->r));
}

static const void *copy_list(struct spb_arena *keep, const void *items, size_t count, size_t size)
{
	return count ? memcpy(spb_alloc_array(keep, count, size), items, count * size) : NULL;
}

void spb_read_facts(struct spb_workspace_plan *w, struct spb_workspace_program *p, struct spb_lines *r)
{
	struct spb_mark mark = spb_arena_mark(&w->c->scratch);
	struct reader in = {.r = r, .w = w};

	while (!begins_with(r->at, "program")) {
		if (!spb_line_at_end(r))
			read_line(&in);
		if (!spb_line_next(r))
			break;
	}
	p->facts = (struct spb_facts){
	    .items = copy_list(w->keep, in.items.items, in.items.count, sizeof *in.items.items),
	    .shifts = copy_list(w->keep, in.shifts.items, in.shifts.count, sizeof *in.shifts.items),
	    .reserved = copy_list(w->keep, in.reserved.items, in.reserved.count, sizeof *in.reserved.items),
	    .count = (uint32_t)in.items.count,
	    .shift_count = (uint32_t)in.shifts.count,
	    .reserve_count = (uint32_t)in.reserved.count};
	p->collected = true;
	spb_arena_rewind(&w->c->scratch, mark);
}
