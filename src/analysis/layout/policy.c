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
			spb_line_wrong(
			    r, "the line has no effect; end it with -> set=N, binding=N, range=N..M or order=N");
		if (line->has_binding && line->has_range)
			spb_line_wrong(r, "a line can give either a binding or a range to choose it from");
		if (line->open && line->has_binding)
			spb_line_wrong(r, "a line can either give a binding or leave it unassigned");
		break;
	case SPB_POLICY_DESCRIPTOR:
		if (!has_effect)
			spb_line_wrong(r, "the line has no effect; end it with -> type=..., samplers=... or flags=...");
		break;
	case SPB_POLICY_BLOCK:
		if (!line->name)
			spb_line_wrong(r, "a block needs a name= that all its parameters match");
		break;
	case SPB_POLICY_REFUSE:
		if (!line->say)
			spb_line_wrong(r, "the line gives no reason; end it with -> say=\"what to do\"");
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
	for (size_t i = 0; i < x->to->lines.count; i++) {
		const struct spb_policy_line *other = &x->to->lines.items[i];
		if (other->verb != SPB_POLICY_PUSH || other->set == line.set)
			continue;
		r->code = SPB_E_DESCRIPTOR;
		spb_line_wrong(r,
			       "%s makes set %u the set of push descriptors, and a pipeline layout has only one "
			       "(VUID-VkPipelineLayoutCreateInfo-pSetLayouts-00293)",
			       other->origin, other->set);
	}
	add_line(x, &line);
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
    {"arrays", FIELD(arrays_each), false, {"one", "each", ""}},
    {"structs", FIELD(structs_apart), false, {"together", "apart", ""}},
    {"counters", FIELD(counters), SPB_COUNTERS_BESIDE, {"beside", "last", ""}},
    {"heaps", FIELD(heaps_default), false, {"own-set", "default-set", ""}},
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
				 "rules, unused, fixed, arrays, structs, counters, heaps, merge, shift, sets, modules, "
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
			       "no line begins with \"%s\"; expected place, block, reserve, shift, refuse, option, "
			       "descriptor or push",
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
 * A line is filed under one of its conditions, the first of these that it has:
 *
 *     name=albedo     the whole name
 *     name=Lights*    a prefix of the name; else a suffix, else a substring
 *     register=7      a single register, the set, or both
 *     kind=sampler    none: checked for each resource
 *
 * A resource is looked up by its name, by parts of its name with the lengths that lines use, by its register, and by
 * its set. The lines found are visited in order, and their other conditions are checked. */

static bool asks_resources(const struct spb_policy_line *line)
{
	return line->verb != SPB_POLICY_RESERVE && line->verb != SPB_POLICY_PUSH;
}

/* The longest run without * and ?, if the pattern begins and ends with one of them. */
static struct spb_policy_key key_within(const char *pattern)
{
	struct spb_policy_key k = {.part = SPB_PART_NONE, .text = ""};

	for (const char *at = pattern; *at;) {
		const size_t length = strcspn(at, "*?");
		if (length > k.length)
			k = (struct spb_policy_key){.part = SPB_PART_WITHIN, .text = at, .length = length};
		at += length ? length : 1;
	}
	return k;
}

static struct spb_policy_key key_of_name(const char *name)
{
	const size_t length = strlen(name), begin = strcspn(name, "*?");
	size_t end = length;

	while (end > begin && name[end - 1] != '*' && name[end - 1] != '?')
		end--;
	if (begin == length)
		return (struct spb_policy_key){.part = SPB_PART_WHOLE, .text = name, .length = length};
	if (begin)
		return (struct spb_policy_key){.part = SPB_PART_BEGIN, .text = name, .length = begin};
	if (end < length)
		return (struct spb_policy_key){.part = SPB_PART_END, .text = name + end, .length = length - end};
	return key_within(name);
}

static struct spb_policy_key number_key(enum spb_policy_part part, uint32_t set, uint32_t binding)
{
	return (struct spb_policy_key){.part = part,
				       .text = "",
				       .set = part == SPB_PART_REGISTER ? 0 : set,
				       .binding = part == SPB_PART_SET ? 0 : binding};
}

static struct spb_policy_key key_of(const struct spb_policy_line *line)
{
	const struct spb_policy_key named = key_of_name(line->name ? line->name : "*");

	if (named.part != SPB_PART_NONE)
		return named;
	const bool has_register = line->has_register && line->first_register == line->last_register;
	if (!has_register && !line->has_from_set)
		return named;
	return number_key(has_register && line->has_from_set ? SPB_PART_PLACE
			  : has_register                     ? SPB_PART_REGISTER
							     : SPB_PART_SET,
			  line->from_set, line->first_register);
}

static bool is_same(const struct spb_policy_key *a, const struct spb_policy_key *b)
{
	return a->part == b->part && a->set == b->set && a->binding == b->binding && a->length == b->length &&
	       !memcmp(a->text, b->text, a->length);
}

/* The lines under this key, or the free slot for them. */
static uint32_t *slot_of(const struct spb_policy_index *x, const struct spb_policy_key *k)
{
	uint64_t hash = spb_hash_bytes(k->part, k->text, k->length);
	hash = spb_hash_mix(spb_hash_mix(hash, k->set), k->binding);
	uint32_t h = (uint32_t)hash & x->mask;

	while (x->slot[h] && !is_same(&x->filed.items[x->slot[h] - 1].key, k))
		h = (h + 1) & x->mask;
	return &x->slot[h];
}

/* Records the lengths that occur, for lookups by parts of names. */
static void note_form(struct spb_policy_index *x, struct spb_policy_key k, struct spb_arena *keep)
{
	k.text = "";
	k.set = k.binding = 0;
	k.length = k.part == SPB_PART_WHOLE ? 0 : k.length;
	for (size_t i = 0; i < x->forms.count; i++) {
		if (x->forms.items[i].part == k.part && x->forms.items[i].length == k.length)
			return;
	}
	SPB_PUSH(keep, &x->forms, k);
}

void spb_policy_index(struct spb_policies *p, struct spb_arena *keep)
{
	struct spb_policy_index x = {0};
	uint32_t size = 16, *lines;

	if (!p->lines.count)
		return;
	while (size < 2 * p->lines.count)
		size *= 2;
	x.slot = spb_alloc_zeroed(keep, size, sizeof *x.slot);
	x.mask = size - 1;
	lines = spb_alloc_array(keep, p->lines.count, sizeof *lines);
	for (uint32_t i = 0; i < p->lines.count; i++) {
		const struct spb_policy_key k = key_of(&p->lines.items[i]);
		uint32_t *slot = slot_of(&x, &k);
		if (!asks_resources(&p->lines.items[i]))
			continue;
		if (!*slot) {
			SPB_PUSH(keep, &x.filed, ((struct spb_policy_filed){.key = k}));
			*slot = (uint32_t)x.filed.count;
			note_form(&x, k, keep);
		}
		x.filed.items[*slot - 1].count++;
	}
	for (size_t i = 0; i < x.filed.count; i++) {
		x.filed.items[i].lines = lines;
		lines += x.filed.items[i].count;
		x.filed.items[i].count = 0;
	}
	for (uint32_t i = 0; i < p->lines.count; i++) {
		const struct spb_policy_key k = key_of(&p->lines.items[i]);
		if (!asks_resources(&p->lines.items[i]))
			continue;
		struct spb_policy_filed *f = &x.filed.items[*slot_of(&x, &k) - 1];
		f->lines[f->count++] = i;
	}
	p->index = x;
}

static bool fits(const struct spb_policy_line *line, const struct spb_policy_question *q)
{
	bool named = !line->name;

	for (size_t i = 0; i < SPB_COUNT(q->names) && !named; i++)
		named = *q->names[i] && spb_glob(line->name, q->names[i]);
	return named && (line->verb == SPB_POLICY_DESCRIPTOR) == q->about_descriptor &&
	       (!line->kinds || line->kinds >> q->kind & 1) && (!line->classes || line->classes >> q->class & 1) &&
	       (!line->stages || line->stages & q->stages) && (!line->has_access || line->writes == q->writable) &&
	       (!line->has_from_set || line->from_set == q->set) &&
	       (!line->has_register ||
		(q->has_binding && q->binding >= line->first_register && q->binding <= line->last_register));
}

struct search {
	const struct spb_policy_index *index;
	uint32_t from, least; /* the first line from there on */
};

static int by_line(const void *a, const void *b)
{
	return spb_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

static void look_under(struct search *s, const struct spb_policy_key *k)
{
	const uint32_t slot = *slot_of(s->index, k);
	const struct spb_policy_filed *f = slot ? &s->index->filed.items[slot - 1] : NULL;
	const size_t i = f ? spb_lower_bound(f->lines, f->count, sizeof *f->lines, &s->from, by_line) : 0;

	if (f && i < f->count && f->lines[i] < s->least)
		s->least = f->lines[i];
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

struct spb_policy_line *spb_policy_next(struct spb_policies *p, const struct spb_policy_question *q, size_t *next)
{
	const uint32_t count = (uint32_t)p->lines.count;

	while (*next < count) {
		struct search s = {&p->index, (uint32_t)*next, count};
		for (size_t i = 0; i < s.index->forms.count; i++) {
			const struct spb_policy_key k = s.index->forms.items[i];
			const struct spb_policy_key number = number_key(k.part, q->set, q->binding);
			if (k.part == SPB_PART_NONE)
				look_under(&s, &k);
			else if (k.part >= SPB_PART_REGISTER)
				look_under(&s, &number);
			for (size_t n = 0; n < SPB_COUNT(q->names) && k.part < SPB_PART_NONE; n++)
				look_under_name(&s, k, q->names[n]);
		}
		*next = (size_t)s.least + 1;
		if (s.least < count && fits(&p->lines.items[s.least], q))
			return &p->lines.items[s.least];
	}
	return NULL;
}

/* Shifts */

/* Chooses between two shifts that apply. Lines are visited from the last to the first, so `next` is the earlier one. */
static const struct spb_shift *prefer(const struct spb_shift *found, const struct spb_shift *next)
{
	return !found || (next->has_set && !found->has_set) ? next : found;
}

const struct spb_shift *spb_policy_shift(const struct spb_policies *p, const struct spb_shift_question *q)
{
	const struct spb_shift *found = NULL;

	for (size_t i = p->shifts.count; i-- && !(found && found->has_set);) {
		const struct spb_shift *shift = &p->shifts.items[i];
		bool kind = shift->kinds ? (shift->kinds & q->kinds) != 0 : !q->classless;
		if (shift->class == q->class && kind && (!shift->stages || shift->stages & q->stages) &&
		    (!shift->has_set || shift->set == q->set))
			found = prefer(found, shift);
	}
	return found;
}

const struct spb_shift *spb_policy_lane_shift(const struct spb_policies *p, enum spb_class class, uint32_t group,
					      uint32_t set)
{
	const struct spb_shift *found = NULL;

	for (size_t i = p->shifts.count; i-- && !(found && found->has_set);) {
		const struct spb_shift *shift = &p->shifts.items[i];
		if (shift->class == class && shift->group == group && !shift->kinds &&
		    (!shift->has_set || shift->set == set))
			found = prefer(found, shift);
	}
	return found;
}
