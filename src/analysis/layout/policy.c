/* SPDX-License-Identifier: Apache-2.0 */
/* policy: reads the user's rules, and finds those that apply to a resource.
 *
 *     place name=gShadow* kind=texture stage=fragment -> set=2 range=16..31
 *     place set=3 -> set=1                                # resources with set 3 in the input
 *     block name=gMaterial* -> set=2
 *     reserve set=0 range=0..3
 *     shift class=t set=0 by=128
 *     shift kind=texture,combined stage=fragment by=32
 *     refuse kind=combined -> say="split them"
 *     descriptor name=Draw -> type=dynamic                # what SPIR-V cannot express (decide.c)
 *     push set=3
 *     option rules=hlsl unused=last default-set=1
 *
 * Lines that name a single resource are found by hash, so a policy with one line per resource stays fast. */
#include "base/lines.h"
#include "analysis/layout/policy.h"

static const uint64_t MOST_WORK = 1u << 29; /* bytes of patterns times bytes of names: a second or two */

struct reader {
	struct spb_lines lines;
	struct spb_policies *to;
};

/* Lines */

static void read_condition(const struct spb_lines *r, struct spb_policy_line *line, const struct spb_pair *p)
{
	static const char *const access[] = {"read", "write", ""};
	bool descriptor = line->verb == SPB_POLICY_DESCRIPTOR;

	if (!strcmp(p->key, "name")) {
		line->name = p->value;
	} else if (!strcmp(p->key, "kind")) {
		line->kinds = spb_pair_bits(r, p, spb_kind_name, SPB_DESCRIPTOR_OTHER);
	} else if (!strcmp(p->key, "class")) {
		line->classes = spb_pair_bits(r, p, spb_class_name, SPB_CLASS_COUNT);
	} else if (!strcmp(p->key, "stage")) {
		line->stages = spb_pair_bits(r, p, spb_stage_name, SPB_STAGE_COUNT);
	} else if (!strcmp(p->key, "access")) {
		line->has_access = true;
		line->writes = spb_pair_choice(r, p, access) == 1;
	} else if (!strcmp(p->key, "set")) {
		line->has_from_set = true;
		line->from_set = spb_pair_number(r, p);
	} else if (!strcmp(p->key, descriptor ? "binding" : "register")) {
		line->has_register = true;
		spb_pair_range(r, p, &line->first_register, &line->last_register);
	} else {
		spb_pair_unknown(r, p,
				 descriptor ? "name, kind, class, stage, access, set and binding before ->"
					    : "name, kind, class, stage, access, set and register before ->");
	}
}

static void read_action(const struct spb_lines *r, struct spb_policy_line *line, const struct spb_pair *p)
{
	bool place = line->verb == SPB_POLICY_PLACE;

	if (!strcmp(p->key, "set") && line->verb != SPB_POLICY_REFUSE) {
		line->has_set = true;
		line->set = spb_pair_number(r, p);
	} else if (place && !strcmp(p->key, "binding") && !strcmp(p->value, "auto")) {
		line->open = true;
	} else if (place && !strcmp(p->key, "binding")) {
		line->has_binding = true;
		line->first = line->last = spb_pair_number(r, p);
	} else if (place && !strcmp(p->key, "range")) {
		line->has_range = true;
		spb_pair_range(r, p, &line->first, &line->last);
	} else if (place && !strcmp(p->key, "order")) {
		line->has_order = true;
		line->order = spb_pair_number(r, p);
		if (line->order > SPB_ORDER_LAST)
			spb_line_wrong(r, "order= takes a number from 0 to %u", SPB_ORDER_LAST);
	} else if (line->verb == SPB_POLICY_REFUSE && !strcmp(p->key, "say")) {
		line->say = p->value;
	} else {
		spb_pair_unknown(r, p,
				 place                            ? "set, binding, range and order behind ->"
				 : line->verb == SPB_POLICY_BLOCK ? "set behind -> of a block"
								  : "say behind -> of a refusal");
	}
}

static void read_decision(const struct spb_lines *r, struct spb_policy_line *line, const struct spb_pair *p)
{
	static const char *const forms[] = {"plain", "dynamic", "inline-uniform-block", "mutable", "mapped", ""};
	static const char *const samplers[] = {"plain", "immutable", ""};

	if (!strcmp(p->key, "type")) {
		line->has_form = true;
		line->form = (enum spb_form)spb_pair_choice(r, p, forms);
	} else if (!strcmp(p->key, "samplers")) {
		line->has_samplers = true;
		line->immutable = spb_pair_choice(r, p, samplers);
	} else if (!strcmp(p->key, "flags")) {
		line->has_flags = true;
		line->flags = strcmp(p->value, "none") ? spb_pair_bits(r, p, spb_flag_name, SPB_FLAG_COUNT) : 0;
	} else {
		spb_pair_unknown(r, p, "type, samplers and flags behind -> of a descriptor");
	}
}

/* "file:line", or the option that is equivalent to the line. */
static const char *origin_of(const struct spb_lines *r)
{
	struct spb_text_buffer text = {.arena = r->keep};

	if (strncmp(r->file, "--", 2) != 0)
		spb_text_format(&text, "%s:%u", r->file, r->number);
	else
		spb_text_put(&text, r->file);
	return spb_text_end(&text);
}

static struct spb_policy_line begin_line(const struct spb_lines *r, enum spb_policy_verb verb)
{
	const char *origin = origin_of(r), *why = strncmp(origin, "--", 2) ? spb_base_name(origin) : origin;

	return (struct spb_policy_line){.verb = verb, .file = r->file, .line = r->number, .origin = origin, .why = why};
}

static void add_line(struct reader *x, const struct spb_policy_line *line)
{
	x->to->placing += line->verb != SPB_POLICY_DESCRIPTOR && line->verb != SPB_POLICY_PUSH;
	SPB_PUSH(x->lines.keep, &x->to->lines, *line);
}

static void check_line(const struct spb_lines *r, const struct spb_policy_line *line, bool has_effect)
{
	switch (line->verb) {
	case SPB_POLICY_PLACE:
		if (!has_effect)
			spb_line_wrong(r, "the line has no effect" SPB_REMEDY
					  "End it with -> set=N, binding=N, range=N..M or order=N.");
		if (line->has_binding && line->has_range)
			spb_line_wrong(r, "a line can give either a binding or a range to choose it from");
		if (line->open && line->has_binding)
			spb_line_wrong(r, "a line can either give a binding or leave it unassigned");
		break;
	case SPB_POLICY_DESCRIPTOR:
		if (!has_effect)
			spb_line_wrong(r, "the line has no effect" SPB_REMEDY
					  "End it with -> type=..., samplers=... or flags=...");
		break;
	case SPB_POLICY_BLOCK:
		if (!line->name)
			spb_line_wrong(r, "a block needs a name= that all its parameters match");
		break;
	case SPB_POLICY_REFUSE:
		if (!line->say)
			spb_line_wrong(r, "the line gives no reason" SPB_REMEDY "End it with -> say=\"what to do\".");
		break;
	case SPB_POLICY_RESERVE:
	case SPB_POLICY_PUSH:
		break;
	}
}

static void read_line(struct reader *x, enum spb_policy_verb verb)
{
	struct spb_lines *r = &x->lines;
	struct spb_policy_line line = begin_line(r, verb);
	bool behind = false, any = false;

	while (!spb_line_at_end(r)) {
		if (!behind && r->at[0] == '-' && r->at[1] == '>') {
			behind = true;
			r->at += 2;
			continue;
		}
		struct spb_pair p = spb_line_pair(r);
		if (behind && verb == SPB_POLICY_DESCRIPTOR)
			read_decision(r, &line, &p);
		else if (behind)
			read_action(r, &line, &p);
		else
			read_condition(r, &line, &p);
		any |= behind;
	}
	check_line(r, &line, any);
	add_line(x, &line);
}

/* VUID-VkPipelineLayoutCreateInfo-pSetLayouts-00293: a pipeline layout has at most one set of push descriptors. */
static void read_push(struct reader *x)
{
	struct spb_lines *r = &x->lines;
	struct spb_policy_line line = begin_line(r, SPB_POLICY_PUSH);

	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (strcmp(p.key, "set") != 0)
			spb_pair_unknown(r, &p, "set");
		line.set = spb_pair_number(r, &p);
		line.has_set = true;
	}
	if (!line.has_set)
		spb_line_wrong(r, "push needs a set=");
	const struct spb_policy_line *other = x->to->push ? &x->to->lines.items[x->to->push - 1] : &line;
	if (other->set != line.set) {
		r->code = SPB_E_DESCRIPTOR;
		spb_line_wrong(r,
			       "%s makes set %u the set of push descriptors, and a pipeline layout has only one "
			       "(VUID-VkPipelineLayoutCreateInfo-pSetLayouts-00293)",
			       other->origin, other->set);
	}
	add_line(x, &line);
	x->to->push = x->to->push ? x->to->push : x->to->lines.count;
}

static void read_reserve(struct reader *x)
{
	struct spb_lines *r = &x->lines;
	struct spb_policy_line line = {.verb = SPB_POLICY_RESERVE, .file = r->file, .line = r->number};
	bool set = false;

	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "set")) {
			line.set = spb_pair_number(r, &p);
			set = true;
		} else if (!strcmp(p.key, "range")) {
			spb_pair_range(r, &p, &line.first, &line.last);
			line.has_range = true;
		} else {
			spb_pair_unknown(r, &p, "set and range");
		}
	}
	if (!set)
		spb_line_wrong(r, "a reservation needs a set=");
	if (!line.has_range)
		line.last = UINT32_MAX;
	add_line(x, &line);
}

/* The group of lanes for these stages; new stages get a new one. */
static uint32_t group_of_stages(struct reader *x, uint32_t stages)
{
	struct spb_policies *to = x->to;

	for (size_t i = 0; i < to->shift_stages.count; i++) {
		if (to->shift_stages.items[i] == stages)
			return (uint32_t)i + 1;
	}
	if (!stages)
		return 0;
	SPB_PUSH(x->lines.keep, &to->shift_stages, stages);
	return (uint32_t)to->shift_stages.count;
}

static void read_shift(struct reader *x)
{
	struct spb_lines *r = &x->lines;
	struct spb_shift shift = {
	    .option = strncmp(r->file, "--", 2) ? NULL : r->file, .file = r->file, .line = r->number};
	uint32_t classes = 0;
	bool by = false;

	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "class")) {
			classes = spb_pair_bits(r, &p, spb_class_name, SPB_CLASS_COUNT);
		} else if (!strcmp(p.key, "kind")) {
			shift.kinds = spb_pair_bits(r, &p, spb_kind_name, SPB_DESCRIPTOR_OTHER);
		} else if (!strcmp(p.key, "stage")) {
			shift.stages = spb_pair_bits(r, &p, spb_stage_name, SPB_STAGE_COUNT);
		} else if (!strcmp(p.key, "set")) {
			shift.has_set = true;
			shift.set = spb_pair_number(r, &p);
		} else if (!strcmp(p.key, "by")) {
			shift.by = spb_pair_number(r, &p);
			by = true;
		} else {
			spb_pair_unknown(r, &p, "class, kind, stage, set and by");
		}
	}
	if ((!classes && !shift.kinds) || !by)
		spb_line_wrong(r, "a shift needs class= or kind=, and by=");
	classes = classes ? classes : (1u << SPB_CLASS_COUNT) - 1;
	shift.group = group_of_stages(x, shift.stages);
	for (uint32_t i = 0; i < SPB_CLASS_COUNT; i++) {
		shift.class = (enum spb_class)i;
		if (classes >> i & 1)
			SPB_PUSH(r->keep, &x->to->shifts, shift);
	}
}

#define FIELD(f) offsetof(struct spb_policies, f), sizeof((struct spb_policies *)0)->f

/* The keys of option lines. A bool or an enum becomes `first` with the first word, and so on. */
static const struct choice {
	const char *key;
	size_t field, size;
	uint32_t first;
	const char *words[4];
} choices[] = {
    {"rules", FIELD(rules), SPB_RULES_SLANG, {"slang", "hlsl", ""}},
    {"unused", FIELD(unused), SPB_UNUSED_COUNT, {"count", "last", "remove", ""}},
    {"fixed", FIELD(fixed_registers), false, {"bindings", "registers", ""}},
    {"arrays", FIELD(arrays), SPB_ARRAYS_ONE, {"one", "each", "each-with-structs", ""}},
    {"structs", FIELD(structs), SPB_PARTS_TOGETHER, {"together", "apart", "data-last", ""}},
    {"counters", FIELD(counters), SPB_COUNTERS_BESIDE, {"beside", "last", ""}},
    {"heaps", FIELD(heaps_default), false, {"own-set", "default-set", ""}},
    {"descriptor-buffers", FIELD(descriptor_buffers), false, {"no", "yes", ""}},
    {"merge", FIELD(no_merge), false, {"yes", "no", ""}},
    {"shift", FIELD(shifting), SPB_SHIFT_GIVEN, {"no", "auto", "base", ""}},
    {"sets", FIELD(sets_first), false, {"in-order", "first", ""}},
    {"modules", FIELD(module_order), SPB_MODULE_ORDER_GIVEN, {"given", "pipeline", ""}},
    {"shared", FIELD(split_shared), false, {"together", "apart", ""}},
    {"unsized", FIELD(keep_array_sizes), false, {"runtime", "keep", ""}},
};

static void read_choice(struct reader *x, const struct spb_pair *p)
{
	size_t i = 0;

	while (i < SPB_COUNT(choices) && strcmp(p->key, choices[i].key) != 0)
		i++;
	if (i == SPB_COUNT(choices))
		spb_pair_unknown(&x->lines, p,
				 "rules, unused, fixed, arrays, structs, counters, heaps, descriptor-buffers, merge, "
				 "shift, sets, modules, "
				 "shared, unsized, auto-set and default-set");
	const uint32_t value = choices[i].first + spb_pair_choice(&x->lines, p, choices[i].words);
	const bool flag = value;
	memcpy((char *)x->to + choices[i].field, choices[i].size == sizeof flag ? (const void *)&flag : &value,
	       choices[i].size);
}

static void read_options(struct reader *x)
{
	struct spb_lines *r = &x->lines;
	struct spb_policies *to = x->to;

	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "auto-set")) {
			to->has_auto_set = true;
			to->auto_set = spb_pair_number(r, &p);
		} else if (!strcmp(p.key, "default-set")) {
			to->has_default_set = true;
			to->default_set = spb_pair_number(r, &p);
		} else {
			read_choice(x, &p);
		}
	}
}

static void read_verb(struct reader *x)
{
	struct spb_lines *r = &x->lines;
	const char *verb = spb_line_word(r);

	if (!strcmp(verb, "place"))
		read_line(x, SPB_POLICY_PLACE);
	else if (!strcmp(verb, "block"))
		read_line(x, SPB_POLICY_BLOCK);
	else if (!strcmp(verb, "refuse"))
		read_line(x, SPB_POLICY_REFUSE);
	else if (!strcmp(verb, "descriptor"))
		read_line(x, SPB_POLICY_DESCRIPTOR);
	else if (!strcmp(verb, "push"))
		read_push(x);
	else if (!strcmp(verb, "reserve"))
		read_reserve(x);
	else if (!strcmp(verb, "shift"))
		read_shift(x);
	else if (!strcmp(verb, "option"))
		read_options(x);
	else
		spb_line_wrong(r,
			       "no line begins with \"%s\"" SPB_REMEDY
			       "Expected place, block, reserve, shift, refuse, option, descriptor or push.",
			       verb);
}

void spb_policy_read(struct spb_policies *to, struct spb_context *c, const char *name, const char *text,
		     struct spb_arena *keep)
{
	struct reader x = {
	    {.c = c, .keep = keep, .file = name, .at = text, .number = 1, .code = SPB_E_POLICY, .pass = "policy"}, to};

	do {
		if (!spb_line_at_end(&x.lines))
			read_verb(&x);
	} while (spb_line_next(&x.lines));
}

/* Finding the lines that apply to a resource without a search through all, so that the time is linear in lines and
 * resources.
 *
 * A line is filed under a text of its name, its set, and its bindings:
 *
 *     name=albedo     the whole name
 *     name=*ights*_n  the text that the fewest lines have, at the beginning, at the end or anywhere in the name
 *     register=4..7   as few aligned blocks of 2^n bindings as make up the range
 *     kind=sampler    none of these: found for each resource
 *
 * Lines for a resource are looked up under its name, and under those parts of it whose lengths occur in lines; each
 * with its set or any, and with the blocks that contain its binding or any. What is found may have other conditions:
 * kind, class, stage, access, the rest of the name. Of the lines under one key with equal other conditions, those that
 * decide nothing new are left out; they have matched if the first of them has. */

static bool asks_resources(const struct spb_policy_line *line)
{
	return line->verb != SPB_POLICY_RESERVE && line->verb != SPB_POLICY_PUSH;
}

static bool is_same_text(const struct spb_policy_key *a, const struct spb_policy_key *b)
{
	return a->part == b->part && a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static bool is_same(const struct spb_policy_key *a, const struct spb_policy_key *b)
{
	return a->set == b->set && a->block == b->block && a->level == b->level && a->has_set == b->has_set &&
	       a->about_descriptor == b->about_descriptor && is_same_text(a, b);
}

/* The lines under this key, or the free slot for them. */
static uint32_t *slot_of(const struct spb_policy_index *x, const struct spb_policy_key *k)
{
	uint64_t hash = spb_hash_bytes(k->part, k->text, k->length);
	hash = spb_hash_mix(spb_hash_mix(hash, k->set), k->block);
	hash = spb_hash_mix(hash, k->level << 2 | (uint32_t)k->has_set << 1 | k->about_descriptor);
	uint32_t h = (uint32_t)hash & x->mask;

	while (x->slot[h] && !is_same(&x->filed.items[x->slot[h] - 1].key, k))
		h = (h + 1) & x->mask;
	return &x->slot[h];
}

static void make_slots(struct spb_policy_index *x, uint32_t size, struct spb_arena *arena)
{
	x->slot = spb_alloc_zeroed(arena, size, sizeof *x->slot);
	x->mask = size - 1;
}

static struct spb_policy_filed *file_under(struct spb_policy_index *x, const struct spb_policy_key *k,
					   struct spb_arena *arena)
{
	uint32_t *slot = slot_of(x, k);

	if (!*slot) {
		SPB_PUSH(arena, &x->filed, ((struct spb_policy_filed){.key = *k}));
		*slot = (uint32_t)x->filed.count;
		if (2 * x->filed.count > x->mask) {
			make_slots(x, 2 * (x->mask + 1), arena);
			for (uint32_t i = 0; i < x->filed.count; i++)
				*slot_of(x, &x->filed.items[i].key) = i + 1;
		}
		return &x->filed.items[x->filed.count - 1];
	}
	return &x->filed.items[*slot - 1];
}

/* The first text without * and ? of a pattern, from *at on, which becomes its end. Length 0: there is none. */
static struct spb_policy_key next_text(const char *pattern, const char **at)
{
	const char *text = *at + strspn(*at, "*?");
	const size_t length = strcspn(text, "*?");
	enum spb_policy_part part = text > pattern ? SPB_PART_WITHIN : SPB_PART_BEGIN;

	if (!text[length])
		part = text > pattern ? SPB_PART_END : SPB_PART_WHOLE;
	*at = text + length;
	return (struct spb_policy_key){.part = part, .text = text, .length = length, .level = SPB_LEVEL_NONE};
}

/* Counts for each text of a name how many there are of it. */
static void count_texts(struct spb_policy_index *texts, const struct spb_policy_line *line, struct spb_arena *arena)
{
	const char *name = line->name ? line->name : "", *at = name;

	for (struct spb_policy_key k; (k = next_text(name, &at)).length;)
		file_under(texts, &k, arena)->count++;
}

/* The text of a name that the fewest names have, a long one first. */
static struct spb_policy_key rarest_text(struct spb_policy_index *texts, const struct spb_policy_line *line)
{
	struct spb_policy_key rarest = {.part = SPB_PART_NONE, .text = "", .level = SPB_LEVEL_NONE};
	uint32_t least = UINT32_MAX;
	const char *name = line->name ? line->name : "", *at = name;

	for (struct spb_policy_key k; (k = next_text(name, &at)).length;) {
		const uint32_t count = texts->filed.items[*slot_of(texts, &k) - 1].count;
		if (count < least || (count == least && k.length > rarest.length)) {
			rarest = k;
			least = count;
		}
	}
	return rarest;
}

/* Records the lengths that occur, for lookups by parts of names. */
static void note_form(struct spb_policy_index *x, struct spb_policy_key k, struct spb_arena *keep)
{
	k.text = "";
	k.set = k.block = 0;
	k.length = k.part == SPB_PART_WHOLE ? 0 : k.length;
	for (size_t i = 0; i < x->forms.count; i++) {
		const struct spb_policy_key *form = &x->forms.items[i];
		if (form->part == k.part && form->length == k.length && form->level == k.level &&
		    form->has_set == k.has_set && form->about_descriptor == k.about_descriptor)
			return;
	}
	SPB_PUSH(keep, &x->forms, k);
}

/* Until the entries are sorted, `like` is their key. */
static void file_line(struct spb_policy_index *x, uint32_t line, const struct spb_policy_key *k, struct spb_arena *keep)
{
	struct spb_policy_filed *f = file_under(x, k, keep);

	if (!f->count++)
		note_form(x, *k, keep);
	SPB_PUSH(keep, &x->entries, ((struct spb_policy_entry){.line = line, .like = (uint32_t)(f - x->filed.items)}));
}

/* Under each of the blocks that make up its range. */
static void file_by_bindings(struct spb_policy_index *x, uint32_t number, const struct spb_policy_line *line,
			     struct spb_policy_key k, struct spb_arena *keep)
{
	k.about_descriptor = line->verb == SPB_POLICY_DESCRIPTOR;
	k.has_set = line->has_from_set;
	k.set = line->has_from_set ? line->from_set : 0;
	if (!line->has_register) {
		file_line(x, number, &k, keep);
		return;
	}
	for (uint64_t at = line->first_register; at <= line->last_register; at += UINT64_C(1) << k.level) {
		k.level = 0;
		while (k.level < 32 && !(at >> k.level & 1) &&
		       at + (UINT64_C(2) << k.level) <= (uint64_t)line->last_register + 1)
			k.level++;
		k.block = (uint32_t)(at >> k.level);
		file_line(x, number, &k, keep);
	}
}

/* Bits: the values that a line gives. Of several lines that give a value, only the first counts. */
static unsigned gifts_of(const struct spb_policy_line *line)
{
	const bool gifts[] = {line->has_set,      line->has_binding || line->has_range || line->open,
			      line->has_order,    line->has_form,
			      line->has_samplers, line->has_flags};
	unsigned all = 0;

	if (line->verb == SPB_POLICY_BLOCK || line->verb == SPB_POLICY_REFUSE)
		return line->verb == SPB_POLICY_BLOCK ? 1u << SPB_COUNT(gifts) : 2u << SPB_COUNT(gifts);
	for (unsigned i = 0; i < SPB_COUNT(gifts); i++)
		all |= (unsigned)gifts[i] << i;
	return all;
}

/* Lines under one key whose other conditions are the same. */
struct likes {
	uint32_t *slot, mask; /* hash -> entry + 1, the first of them */
	unsigned *gifts;      /* of all of them, by that entry */
};

static bool is_like(const struct spb_policy_line *a, const struct spb_policy_line *b)
{
	return a->kinds == b->kinds && a->classes == b->classes && a->stages == b->stages &&
	       a->has_access == b->has_access && a->writes == b->writes && !a->name == !b->name &&
	       (!a->name || !strcmp(a->name, b->name));
}

/* The first entry like this one, from `first` on. */
static uint32_t first_like(const struct spb_policies *p, const struct spb_policy_index *x, struct likes *all,
			   uint32_t first, uint32_t entry)
{
	const struct spb_policy_line *line = &p->lines.items[x->entries.items[entry].line];
	const char *name = line->name ? line->name : "";
	uint64_t hash = spb_hash_mix(spb_hash_bytes(first, name, strlen(name)), line->kinds);
	hash = spb_hash_mix(spb_hash_mix(hash, line->classes),
			    line->stages << 2 | (uint32_t)line->has_access << 1 | line->writes);
	uint32_t h = (uint32_t)hash & all->mask;

	for (; all->slot[h]; h = (h + 1) & all->mask) {
		const uint32_t other = all->slot[h] - 1;
		if (other >= first && is_like(&p->lines.items[x->entries.items[other].line], line))
			return other;
	}
	all->slot[h] = entry + 1;
	return entry;
}

/* Sorts the entries by their keys, and finds those that give something. */
static void put_to_work(const struct spb_policies *p, struct spb_policy_index *x, struct spb_arena *keep)
{
	struct likes all = {.mask = 15};
	struct spb_policy_filed *f = NULL;

	while (all.mask < 2 * x->entries.count)
		all.mask = 2 * all.mask + 1;
	all.slot = spb_alloc_zeroed(keep, (size_t)all.mask + 1, sizeof *all.slot);
	all.gifts = spb_alloc_zeroed(keep, x->entries.count, sizeof *all.gifts);
	spb_sort_by_words(keep, x->entries.items, x->entries.count, sizeof *x->entries.items, 1);
	for (uint32_t i = 0, first = 0; i < x->entries.count; i++) {
		struct spb_policy_entry *e = &x->entries.items[i];
		if (f != &x->filed.items[e->like]) {
			f = &x->filed.items[e->like];
			f->first = (uint32_t)x->working.count;
			f->count = 0;
			first = i;
		}
		e->like = first_like(p, x, &all, first, i);
		const unsigned gifts = gifts_of(&p->lines.items[e->line]);
		if (gifts & ~all.gifts[e->like]) {
			SPB_PUSH(keep, &x->working, i);
			f->count++;
		}
		all.gifts[e->like] |= gifts;
	}
}

void spb_policy_index(struct spb_policies *p, struct spb_arena *keep)
{
	struct spb_policy_index x = {0}, texts = {0};

	if (p->shifts.count)
		spb_policy_index_shifts(p, keep);
	if (!p->lines.count)
		return;
	make_slots(&x, 16, keep);
	make_slots(&texts, 16, keep);
	for (uint32_t i = 0; i < p->lines.count; i++) {
		if (asks_resources(&p->lines.items[i]))
			count_texts(&texts, &p->lines.items[i], keep);
	}
	for (uint32_t i = 0; i < p->lines.count; i++) {
		const struct spb_policy_line *line = &p->lines.items[i];
		if (asks_resources(line))
			file_by_bindings(&x, i, line, rarest_text(&texts, line), keep);
	}
	put_to_work(p, &x, keep);
	p->index = x;
}

void spb_policy_note_matched(struct spb_policies *p)
{
	for (size_t i = 0; i < p->index.entries.count; i++) {
		const struct spb_policy_entry *e = &p->index.entries.items[i];
		p->lines.items[e->line].matched |= p->index.entries.items[e->like].matched;
	}
}

void spb_policy_forget_matched(struct spb_policies *p)
{
	for (size_t i = 0; i < p->index.entries.count; i++)
		p->index.entries.items[i].matched = false;
	for (size_t i = 0; i < p->lines.count; i++)
		p->lines.items[i].matched = false;
}

/* Whether the conditions hold that are not part of the key. */
static bool fits(const struct spb_policy_line *line, const struct spb_policy_question *q)
{
	bool fit = (!line->kinds || line->kinds >> q->kind & 1) && (!line->classes || line->classes >> q->class & 1) &&
		   (!line->stages || line->stages & q->stages) && (!line->has_access || line->writes == q->writable);
	bool named = !line->name;

	for (size_t i = 0; i < SPB_COUNT(q->names) && fit && !named; i++)
		named = *q->names[i] && spb_glob(line->name, q->names[i]);
	return fit && named;
}

struct search {
	struct spb_policies *policies;
	const struct spb_policy_question *q;
	size_t length; /* of its names */
	struct spb_policy_found found;
	struct spb_arena *arena;
};

static noreturn void refuse_work(const struct search *s, const struct spb_policy_line *line)
{
	const struct spb_lines at = {
	    .c = s->arena->context, .file = line->file, .number = line->line, .code = SPB_E_POLICY, .pass = "policy"};

	spb_line_wrong(&at, "too many lines like this one may apply to too many resources" SPB_REMEDY
			    "Use fewer lines whose names differ only in their wildcards.");
}

static void look_under(struct search *s, const struct spb_policy_key *k)
{
	struct spb_policy_index *x = &s->policies->index;
	const uint32_t slot = *slot_of(x, k);
	struct spb_policy_filed *f = slot ? &x->filed.items[slot - 1] : NULL;

	if (!f || f->seen == x->searches)
		return;
	f->seen = x->searches;
	for (uint32_t i = f->first; i < f->first + f->count; i++) {
		const struct spb_policy_entry *e = &x->entries.items[x->working.items[i]];
		struct spb_policy_line *line = &s->policies->lines.items[e->line];
		/* lines whose names differ only in their wildcards have one key, and are compared one by one */
		x->work += 1 + (line->name ? strlen(line->name) * s->length : 0);
		if (x->work > MOST_WORK)
			refuse_work(s, line);
		if (!fits(line, s->q))
			continue;
		x->entries.items[e->like].matched |= s->q->counts;
		SPB_PUSH(s->arena, &s->found, line);
	}
}

static void look_under_name(struct search *s, struct spb_policy_key k, const char *name)
{
	const size_t length = strlen(name);

	if (!length || k.length > length)
		return;
	k.length = k.part == SPB_PART_WHOLE ? length : k.length;
	const size_t first = k.part == SPB_PART_END ? length - k.length : 0;
	const size_t last = k.part == SPB_PART_WITHIN ? length - k.length : first;
	for (size_t at = first; at <= last; at++) {
		k.text = name + at;
		look_under(s, &k);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct spb_policy_line *const *x = a, *const *y = b;

	return (*x > *y) - (*x < *y);
}

struct spb_policy_found spb_policy_find(struct spb_policies *p, const struct spb_policy_question *q,
					struct spb_arena *arena)
{
	struct search s = {.policies = p, .q = q, .arena = arena};

	p->index.searches++;
	for (size_t n = 0; n < SPB_COUNT(q->names); n++)
		s.length += strlen(q->names[n]);
	for (size_t i = 0; i < p->index.forms.count; i++) {
		struct spb_policy_key k = p->index.forms.items[i];
		if (k.about_descriptor != q->about_descriptor || (k.level != SPB_LEVEL_NONE && !q->has_binding))
			continue;
		k.set = k.has_set ? q->set : 0;
		k.block = k.level < 32 ? q->binding >> k.level : 0;
		if (k.part == SPB_PART_NONE)
			look_under(&s, &k);
		for (size_t n = 0; n < SPB_COUNT(q->names) && k.part != SPB_PART_NONE; n++)
			look_under_name(&s, k, q->names[n]);
	}
	spb_sort(arena, s.found.items, s.found.count, sizeof *s.found.items, by_line);
	return s.found;
}
