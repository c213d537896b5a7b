/* SPDX-License-Identifier: Apache-2.0 */
/* option: the table of options, and how their values are read. */
#include "lib/options/option.h"
#include "lib/options/option_words.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define SPB_CHOICES(name)                          static const struct spb_choice name[] = {
#define SPB_CHOICE(word, value, is_default, means) {word, value},
#define SPB_END_CHOICES                                                                                                \
	{                                                                                                              \
		NULL, 0                                                                                                \
	}                                                                                                              \
	}                                                                                                              \
	;
#define SPB_LIBRARY_CHOICE SPB_CHOICE /* which the command has a verb for */
#include "lib/options/choices.inc"

/* The command has a verb or an option for each. */
static const struct spb_choice modes[] = {{"bind", SPB_MODE_BIND},
					  {"check", SPB_MODE_CHECK},
					  {"lint", SPB_MODE_LINT},
					  {"collect", SPB_MODE_COLLECT},
					  {NULL, 0}};

/* Memory */

static void *allocate(struct spb_option_reader *r, size_t size)
{
	void *p = r->allocate(r->user, size);

	r->no_memory = r->no_memory || !p;
	return p;
}

static char *copy(struct spb_option_reader *r, const char *text)
{
	const size_t size = strlen(text) + 1;
	char *to = allocate(r, size);

	return to ? memcpy(to, text, size) : NULL;
}

uint32_t spb_option_room(uint32_t count)
{
	uint32_t room = 1;

	while (room <= count && room <= UINT32_MAX / 2)
		room *= 2;
	return room;
}

/* Inserts an element into a list of the options. list: the address of the pointer to its first element. */
static bool insert(struct spb_option_reader *r, void *list, uint32_t *count, uint32_t at, const void *item, size_t size)
{
	const uint32_t n = *count;
	char *items;

	memcpy(&items, list, sizeof items);
	if (!(n & (n - 1))) { /* it is full, or there is none yet */
		char *more = allocate(r, size * spb_option_room(n));
		if (!more)
			return false;
		if (n)
			memcpy(more, items, n * size);
		items = more;
		memcpy(list, &items, sizeof items);
	}
	memmove(items + (at + 1) * size, items + at * size, (n - at) * size);
	memcpy(items + at * size, item, size);
	*count = n + 1;
	return true;
}

static bool append(struct spb_option_reader *r, void *list, uint32_t *count, const void *item, size_t size)
{
	return insert(r, list, count, *count, item, size);
}

static bool append_text(struct spb_option_reader *r, const char *const **list, uint32_t *count, const char *text)
{
	const char *item = copy(r, text);

	return item && append(r, list, count, &item, sizeof item);
}

/* What was expected instead of a refused value */

static void put(struct spb_option_reader *r, const char *text)
{
	const size_t length = strlen(r->expected), room = sizeof r->expected - 1 - length;

	strncat(r->expected, text, room);
}

/* The word `index` that a value is or begins with, first the choices, then the names; NULL past the last. */
static const char *word_at(const struct spb_option *o, uint32_t index)
{
	uint32_t i = 0;

	for (const struct spb_choice *c = o->choices; c && c->word; c++, i++) {
		if (i == index)
			return c->word;
	}
	return spb_name(o->names, index - i);
}

static bool refuse(struct spb_option_reader *r, const char *expected)
{
	r->expected[0] = '\0';
	put(r, expected);
	return false;
}

/* "a, b or c" */
static bool refuse_word(struct spb_option_reader *r, const char *before, const struct spb_option *o)
{
	const char *word;

	refuse(r, before);
	for (uint32_t i = 0; (word = word_at(o, i)) != NULL; i++) {
		put(r, !i ? "" : word_at(o, i + 1) ? ", " : " or ");
		put(r, word);
	}
	return false;
}

static bool is_word(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && !memcmp(word, text, length);
}

/* Whether the text is one of the words; *number: its index. */
static bool find_word(const struct spb_option *o, const char *text, size_t length, uint32_t *number)
{
	const char *word;

	for (*number = 0; (word = word_at(o, *number)) != NULL; ++*number) {
		if (is_word(word, text, length))
			return true;
	}
	return false;
}

/* Numbers */

/* A decimal number of at least one digit, up to `most`. Returns what follows it; NULL: there is none. */
static const char *read_decimal(const char *text, uint64_t most, uint64_t *number)
{
	const char *p = text;

	for (*number = 0; *p >= '0' && *p <= '9'; p++) {
		const uint64_t digit = (uint64_t)(*p - '0');
		if (*number > (most - digit) / 10)
			return NULL;
		*number = *number * 10 + digit;
	}
	return p > text ? p : NULL;
}

/* The same, or hexadecimal after 0x. */
static const char *read_bits(const char *text, uint64_t most, uint64_t *number)
{
	const char *p = text + 2;

	if (text[0] != '0' || (text[1] | 32) != 'x')
		return read_decimal(text, most, number);
	for (*number = 0;; p++) {
		const char low = (char)(*p | 32); /* lower case, if a letter */
		const bool is_letter = low >= 'a' && low <= 'f';
		if (!is_letter && (*p < '0' || *p > '9'))
			return p > text + 2 ? p : NULL;
		if (*number > most >> 4)
			return NULL;
		*number = *number << 4 | (uint64_t)(is_letter ? low - 'a' + 10 : *p - '0');
	}
}

static bool read_number(const char *text, uint32_t *number)
{
	uint64_t n;
	const char *end = read_bits(text, UINT32_MAX, &n);

	*number = (uint32_t)n;
	return end && !*end;
}

/* SET.BINDING */
static bool read_place(const char *text, uint32_t *set, uint32_t *binding)
{
	uint64_t first, second;
	const char *end = read_decimal(text, UINT32_MAX, &first);

	if (!end || *end != '.' || !(end = read_decimal(end + 1, UINT32_MAX, &second)) || *end)
		return false;
	*set = (uint32_t)first;
	*binding = (uint32_t)second;
	return true;
}

/* Heaps */

static bool read_heap(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	const size_t length = strcspn(value, "=");
	spb_heap_options *heaps = &r->options->heaps;
	spb_heap_place place = {0};
	uint32_t kind;

	if (!strcmp(value, "as=address")) {
		heaps->as_address = true;
		return true;
	}
	if (!find_word(o, value, length, &kind))
		return refuse_word(r, "", o);
	if (!value[length] || !read_place(value + length + 1, &place.set, &place.binding))
		return refuse(r, "KIND=SET.BINDING or as=address");
	place.kind = (spb_heap_kind)kind;
	return append(r, &heaps->places, &heaps->place_count, &place, sizeof place);
}

/* The name of a compiler sets several fields, which later options may change. */
static bool read_heap_model(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	spb_heap_options *heaps = &r->options->heaps;
	uint32_t word;

	if (!find_word(o, value, strlen(value), &word))
		return refuse_word(r, "", o);
	const uint32_t model = o->choices[word].value;
	heaps->model = model < SPB_HEAPS_OF_SLANG ? (spb_heap_model)model : SPB_HEAP_MODEL_MUTABLE;
	heaps->in_default_set = model == SPB_HEAPS_OF_DXC;
	if (model >= SPB_HEAPS_OF_SLANG)
		heaps->as_address = model == SPB_HEAPS_OF_SLANG;
	return true;
}

/* "size" is stored as 0. */
static const char *read_stride(const char *text, uint32_t *bytes)
{
	uint64_t number;
	const char *end = read_decimal(text, 65536, &number);

	*bytes = 0;
	if (!strncmp(text, "size", 4))
		return text + 4;
	if (!end || !number || number % 4)
		return NULL;
	*bytes = (uint32_t)number;
	return end;
}

/* RESOURCES[,SAMPLERS] */
static bool read_heap_stride(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	spb_heap_options *heaps = &r->options->heaps;
	uint32_t resources = 0, samplers = 0;
	const bool unified = !strncmp(value, "unified", 7);
	const char *end = unified ? value + 7 : read_stride(value, &resources);

	if (end && *end == ',')
		end = read_stride(end + 1, &samplers);
	if (!end || *end)
		return refuse(r, o->expected);
	heaps->resource_stride = resources;
	heaps->sampler_stride = samplers;
	heaps->unified_stride = unified;
	return true;
}

/* N[:ID] */
static bool read_heap_size(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	spb_heap_options *heaps = &r->options->heaps;
	uint64_t size, constant = 0;
	const char *end = read_bits(value, UINT32_MAX, &size);
	const bool has_constant = end && size && *end == ':';

	if (has_constant)
		end = read_decimal(end + 1, UINT32_MAX, &constant);
	if (!end || *end)
		return refuse(r, o->expected);
	heaps->size = (uint32_t)size;
	heaps->has_size_constant = has_constant;
	heaps->size_constant = (uint32_t)constant;
	return true;
}

static bool read_instrument_handles(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	spb_handle_options *handles = &r->options->handles;

	if (!read_place(value, &handles->instrument_set, &handles->instrument_binding))
		return refuse(r, o->expected);
	handles->instrument = true;
	return true;
}

/* Lists */

static bool read_entry(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	(void)o;
	return append_text(r, &r->options->layout.entries, &r->options->layout.entry_count, value);
}

/* ID=VALUE; a negative number is its two's complement. */
static bool read_spec(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	uint64_t id, number;
	const char *end = read_bits(value, UINT32_MAX, &id);

	if (!end || *end != '=')
		return refuse(r, o->expected);
	const bool negative = end[1] == '-';
	end = read_bits(end + 1 + negative, negative ? (uint64_t)1 << 63 : UINT64_MAX, &number);
	if (!end || *end)
		return refuse(r, o->expected);
	const spb_spec_value spec = {(uint32_t)id, negative ? 0 - number : number};
	return append(r, &r->options->layout.spec_values, &r->options->layout.spec_value_count, &spec, sizeof spec);
}

bool spb_is_pair(const char *text)
{
	const char *colon = text ? strchr(text, ':') : NULL;

	return colon && colon != text && colon[1] && !strchr(colon + 1, ':');
}

static bool read_pair(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	if (!spb_is_pair(value))
		return refuse(r, o->expected);
	return append_text(r, &r->options->combined.merge, &r->options->combined.merge_count, value);
}

/* Adds to a list that has commas between its parts. */
static bool add_to_text(struct spb_option_reader *r, const char **list, const char *value)
{
	const char *before = *list;
	char *text = allocate(r, (before ? strlen(before) + 1 : 0) + strlen(value) + 1);

	if (!text)
		return false;
	*list = text;
	*text = '\0';
	if (before)
		strcat(strcpy(text, before), ",");
	strcat(text, value);
	return true;
}

static bool read_suppressions(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	(void)o;
	return add_to_text(r, &r->options->uniformity.suppress, value);
}

/* Refuses a word that is not in a long list of names, with the name that resembles it most. */
static bool refuse_name(struct spb_option_reader *r, const struct spb_option *o, const char *text, size_t length)
{
	char got[65] = "";
	const char *word, *meant = NULL;
	size_t nearest = length / 4 + 2;

	if (length < sizeof got)
		memcpy(got, text, length);
	for (uint32_t i = 0; (word = word_at(o, i)) != NULL; i++) {
		if (spb_is_nearer(got, word, &nearest))
			meant = word;
	}
	refuse(r, o->expected);
	if (meant) {
		put(r, ", perhaps ");
		put(r, meant);
	}
	return false;
}

/* Words with commas between them */

static const struct spb_option passes = {.names = SPB_NAME_PASS};

bool spb_is_pass(const char *text)
{
	uint32_t number;

	return find_word(&passes, text, strlen(text), &number);
}

/* The first part of a list with commas that is not one of the words; NULL: each is. */
static const char *find_wrong_word(const struct spb_option *o, const char *text)
{
	uint32_t number;

	for (;; text++) {
		const size_t length = strcspn(text, ",");
		if (!find_word(o, text, length, &number))
			return text;
		text += length;
		if (!*text)
			return NULL;
	}
}

bool spb_are_passes(const char *text)
{
	return !find_wrong_word(&passes, text);
}

static const struct spb_option host_features = {.names = SPB_NAME_HOST_FEATURE};

bool spb_are_host_features(const char *text)
{
	return !find_wrong_word(&host_features, text);
}

static bool read_host_features(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	const char *wrong = find_wrong_word(o, value);

	return wrong ? refuse_name(r, o, wrong, strcspn(wrong, ","))
		     : add_to_text(r, &r->options->uniformity.host_features, value);
}

static bool store_text(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	const char *text = copy(r, value);

	if (text)
		memcpy((char *)r->options + o->field, &text, sizeof text);
	return text != NULL;
}

static bool read_passes(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	return spb_are_passes(value) ? store_text(r, o, value) : refuse_word(r, "", o);
}

static bool read_pass(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	return spb_is_pass(value) ? store_text(r, o, value) : refuse_word(r, "", o);
}

static const struct spb_option rules_of_lint = {.choices = lint_rules, .names = SPB_NAME_LINT_RULE},
			       severities = {.names = SPB_NAME_SEVERITY};

/* RULE[=SEVERITY],...: the option that describes what the first wrong word should have been; NULL: none is wrong. */
static const struct spb_option *find_wrong(const char *text)
{
	uint32_t number;

	for (;; text++) {
		const size_t length = strcspn(text, ","), name = strcspn(text, ",=");
		if (!find_word(&rules_of_lint, text, name, &number))
			return &rules_of_lint;
		if (name < length && !find_word(&severities, text + name + 1, length - name - 1, &number))
			return &severities;
		text += length;
		if (!*text)
			return NULL;
	}
}

bool spb_are_rules(const char *text)
{
	return !find_wrong(text);
}

static bool read_lint(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	const struct spb_option *wrong = find_wrong(value);

	return wrong ? refuse_word(r, wrong == &severities ? "RULE=" : "", wrong) : store_text(r, o, value);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* 0: a rule of an option; 1: a profile or a file; 2: a rule of an option whose last occurrence wins */
static int rank(const spb_policy *p)
{
	const char *rule = p->text ? p->text + strspn(p->text, " \t") : "";

	if (!begins(p->name, "--"))
		return 1;
	return begins(rule, "shift ") || begins(rule, "option ") ? 2 : 0;
}

bool spb_option_add_policy(struct spb_option_reader *r, const char *name, const char *text)
{
	spb_layout_options *layout = &r->options->layout;
	const spb_policy p = {copy(r, name), text ? copy(r, text) : NULL};
	uint32_t at = layout->policy_count;

	if (r->no_memory)
		return false;
	while (at && rank(&layout->policies[at - 1]) > rank(&p))
		at--;
	return insert(r, &layout->policies, &layout->policy_count, at, &p, sizeof p);
}

static bool read_policy(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	const size_t length = strlen(value);
	char *line = allocate(r, 2 * length + 64), *name = allocate(r, strlen(o->name) + length + sizeof "--=");

	if (r->no_memory)
		return false;
	if (!spb_policy_line(o->name, value, line))
		return refuse(r, o->expected);
	strcat(strcat(strcat(strcpy(name, "--"), o->name), "="), value);
	return spb_option_add_policy(r, name, line);
}

static bool read_profile(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	(void)o;
	return spb_option_add_policy(r, value, NULL);
}

/* The lint is a mode, not a value of this option. */
static bool read_nonuniform(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	uint32_t number;

	if (!find_word(o, value, strlen(value), &number))
		return refuse_word(r, "", o);
	const uint32_t which = o->choices[number].value;
	if (which <= SPB_NONUNIFORM_ALL)
		r->options->uniformity.mode = (spb_nonuniform)which;
	if (which > SPB_NONUNIFORM_ALL)
		r->options->mode = SPB_MODE_LINT;
	else if (r->options->mode == SPB_MODE_LINT)
		r->options->mode = SPB_MODE_BIND;
	return true;
}

/* The kind of descriptor that a word names, as a bit; 0: none. */
static uint32_t looped_kind(const struct spb_option *o, const char *word, size_t length)
{
	uint32_t number;

	if (!find_word(o, word, length, &number))
		return 0;
	for (const struct spb_choice *c = o->choices; c->word; c++, number--) {
		if (!number)
			return c->value == SPB_WATERFALL_INPUT_ATTACHMENTS ? c->value : 0;
	}
	return 1u << (number == SPB_HEAP_COUNTER ? SPB_HEAP_SSBO : number);
}

/* One of the words, or kinds of descriptors with commas between them. */
static bool read_waterfall(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	spb_uniformity_options *to = &r->options->uniformity;
	uint32_t word, kinds = 0, kind;
	const char *end = value ? value : "all";

	if (find_word(o, end, strlen(end), &word) && !looped_kind(o, end, strlen(end))) {
		to->waterfall = (spb_waterfall)o->choices[word].value;
		to->waterfall_kinds = 0;
		return true;
	}
	for (;; value = end + 1) {
		end = value + strcspn(value, ",");
		kind = looped_kind(o, value, (size_t)(end - value));
		if (!kind)
			return refuse_word(r, "", o);
		kinds |= kind;
		if (!*end)
			break;
	}
	to->waterfall = SPB_WATERFALL_ALL;
	to->waterfall_kinds = kinds;
	return true;
}

/* The table */

#define FIELD(f) .field = offsetof(spb_options, f)
#define GIVEN(f) .given = offsetof(spb_options, f)
#define FLAG     .kind = SPB_OPTION_FLAG
#define NUMBER   .kind = SPB_OPTION_NUMBER, .expected = "a number from 0 to 4294967295"
#define TEXT     .kind = SPB_OPTION_TEXT
#define PARTS(f) .kind = SPB_OPTION_PARTS, .read = f
#define FILES    .kind = SPB_OPTION_FILE
#define WORDS(w) .kind = SPB_OPTION_CHOICE, .choices = w

static const struct spb_option table[] = {
    {"mode", WORDS(modes), FIELD(mode)},
    {"rules", WORDS(rules), FIELD(layout.rules)},
    {"rebind", WORDS(rebind), FIELD(layout.rebind)},
    {"order", WORDS(order), FIELD(layout.order)},
    {"auto-binding", NUMBER, FIELD(layout.auto_binding), GIVEN(layout.has_auto_binding)},
    {"place", PARTS(read_policy), .is_repeated = true, .expected = "GLOB=SET.BINDING"},
    {"policy", PARTS(read_policy), .is_repeated = true,
     .expected = "one rule, such as \"place kind=sampler -> set=1\""},
    {"profile", FILES, .read = read_profile, .names = SPB_NAME_PROFILE, .is_repeated = true},
    {"shift", PARTS(read_policy), .is_repeated = true,
     .expected = "CLASS=N, CLASS:SPACE=N or CLASS@STAGE=N, where CLASS is b, t, s or u, or kinds of resources"},
    {"unused", WORDS(unused), FIELD(layout.unused)},
    {"allow-overlap", FLAG, FIELD(layout.allow_overlap)},
    {"entry", PARTS(read_entry), .is_repeated = true},
    {"spec", PARTS(read_spec), .is_repeated = true, .expected = "a SpecId and an integer, ID=VALUE"},
    {"doctor", FLAG, FIELD(layout.doctor)},
    {"lock", FILES},
    {"update-lock", FLAG, FIELD(layout.update_lock)},
    {"heap-model", PARTS(read_heap_model), GIVEN(heaps.has_model), .choices = heap_models},
    {"heap-set", NUMBER, FIELD(heaps.set), GIVEN(heaps.has_set)},
    {"heap", PARTS(read_heap), .names = SPB_NAME_HEAP_KIND, .is_repeated = true},
    {"heap-size", PARTS(read_heap_size), .expected = "a number from 0 to 4294967295, or N:SPECID"},
    {"heap-stride", PARTS(read_heap_stride),
     .expected = "RESOURCES or RESOURCES,SAMPLERS, each size or a multiple of 4 up to 65536 (RESOURCES also unified)"},
    {"combined", WORDS(combined), FIELD(heaps.combined)},
    {"bounds-check", WORDS(bounds_checks), FIELD(heaps.bounds_check)},
    {"instrument-handles", PARTS(read_instrument_handles), .expected = "SET.BINDING"},
    {"resolver", FILES, .is_repeated = true},
    {"lower-buffer-references", TEXT, FIELD(handles.buffer_reference_blocks), GIVEN(handles.lower_buffer_references),
     .is_optional = true},
    {"split-combined", FLAG, FIELD(combined.split)},
    {"merge-combined", PARTS(read_pair), .is_repeated = true,
     .expected = "the names of a texture and a sampler, TEX:SMP"},
    {"nonuniform", PARTS(read_nonuniform), .choices = nonuniform},
    {"prune", FLAG, FIELD(uniformity.prune)},
    {"uniform-scope", WORDS(uniform_scopes), FIELD(uniformity.scope)},
    {"waterfall", PARTS(read_waterfall), .choices = waterfalls, .names = SPB_NAME_HEAP_KIND, .is_optional = true},
    {"host-features", PARTS(read_host_features), .names = SPB_NAME_HOST_FEATURE, .is_repeated = true,
     .expected = "none, vulkan1.0 to vulkan1.4, roadmap2022 to roadmap2026, or features as in vulkan.h"},
    {"distrust-uniform", FLAG, FIELD(uniformity.distrust_uniform)},
    {"assume-aliased-references", FLAG, FIELD(uniformity.aliased_references)},
    {"ycbcr", TEXT, FIELD(uniformity.ycbcr)},
    {"lint", PARTS(read_lint), FIELD(uniformity.lint), .choices = lint_rules, .names = SPB_NAME_LINT_RULE},
    {"check-assertions", WORDS(assertions), FIELD(uniformity.check_assertions)},
    {"suppress", PARTS(read_suppressions), .is_repeated = true},
    {"target-env", WORDS(environments), FIELD(validation.env)},
    {"validate", WORDS(validations), FIELD(validation.which)},
    {"allow-unvalidated", FLAG, FIELD(validation.allow_unvalidated)},
/* clang-format off */
#define ROW(name, bit, option) {&(option)[2], .kind = SPB_OPTION_BITS, .set = bit, FIELD(validation.flags)},
    SPB_VALIDATOR_FLAGS(ROW)
#undef ROW
    /* clang-format on */
    {"accesses", FLAG, FIELD(explain)},
    {"strip-debug", FLAG, FIELD(output.strip_debug)},
    {"only", PARTS(read_passes), FIELD(debug.only), .names = SPB_NAME_PASS},
    {"dump-after", PARTS(read_pass), FIELD(debug.dump_after), .names = SPB_NAME_PASS},
};

const struct spb_option *spb_option_row(uint32_t index)
{
	return index < COUNT(table) ? &table[index] : NULL;
}

const struct spb_option *spb_option_find(const char *name)
{
	for (size_t i = 0; i < COUNT(table); i++) {
		if (!strcmp(table[i].name, name))
			return &table[i];
	}
	return NULL;
}

bool spb_option_is_file(const struct spb_option *o, const char *value)
{
	uint32_t number;

	return o->kind == SPB_OPTION_FILE && !find_word(o, value, strlen(value), &number);
}

/* Reading */

static void store(struct spb_option_reader *r, size_t field, uint32_t value)
{
	memcpy((char *)r->options + field, &value, sizeof value); /* a uint32_t or an enum */
}

static void store_bool(struct spb_option_reader *r, size_t field, bool value)
{
	memcpy((char *)r->options + field, &value, sizeof value);
}

static bool read_flag(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	uint32_t on = 1, bits;

	if (value && (!read_number(value, &on) || on > 1))
		return refuse(r, "1, 0 or no value");
	if (o->kind == SPB_OPTION_FLAG) {
		store_bool(r, o->field, on);
		return true;
	}
	memcpy(&bits, (char *)r->options + o->field, sizeof bits);
	store(r, o->field, on ? bits | o->set : bits & ~o->set);
	return true;
}

static bool read_choice(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	uint32_t number;

	if (value && !find_word(o, value, strlen(value), &number))
		return refuse_word(r, "", o);
	store(r, o->field, value ? o->choices[number].value : o->set);
	return true;
}

static bool read_value(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	uint32_t number;

	switch (o->kind) {
	case SPB_OPTION_FLAG:
	case SPB_OPTION_BITS:
		return read_flag(r, o, value);
	case SPB_OPTION_CHOICE:
		return read_choice(r, o, value);
	case SPB_OPTION_NUMBER:
		if (!read_number(value, &number))
			return refuse(r, o->expected);
		store(r, o->field, number);
		return true;
	case SPB_OPTION_TEXT:
		return !value || store_text(r, o, value);
	case SPB_OPTION_PARTS:
	case SPB_OPTION_FILE:
		break;
	}
	return o->read(r, o, value);
}

bool spb_option_read(struct spb_option_reader *r, const struct spb_option *o, const char *value)
{
	r->no_memory = false;
	if (!value && o->kind != SPB_OPTION_FLAG && o->kind != SPB_OPTION_BITS && !o->is_optional)
		return refuse(r, "a value");
	if (!read_value(r, o, value))
		return false;
	if (o->given)
		store_bool(r, o->given, true);
	return true;
}
