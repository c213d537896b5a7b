/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_options: options by the names that the command has for them. test/plugin.py compares the table with the
 * command's: --help=table lists that. */
#include "lib/plugin/job.h"

enum kind { NUMBER, WORD, SWITCH, BIT, TEXT, LIST };

struct option {
	const char *name;
	enum kind kind;
	size_t field; /* of spb_options; LIST: of struct spb_job */
	size_t given; /* becomes 1; 0: there is none */
	/* WORD: the values from `first` on, separated by spaces. */
	const char *words;
	uint32_t first; /* BIT: which */
};

#define FIELD(f)  offsetof(spb_options, f)
#define LISTED(f) offsetof(struct spb_job, f)

static const struct option options[] = {
    {"rules", WORD, FIELD(layout.rules), 0, "slang hlsl", SPB_RULES_SLANG},
    {"rebind", WORD, FIELD(layout.rebind), 0, "missing conflicts all all,sets", 0},
    {"order", WORD, FIELD(layout.order), 0, "source module name source-strict", 0},
    {"module-order", WORD, FIELD(layout.module_order), 0, "given pipeline", 0},
    {"auto-binding", NUMBER, FIELD(layout.auto_binding), FIELD(layout.has_auto_binding), NULL, 0},
    {"auto-set", NUMBER, FIELD(layout.auto_set), FIELD(layout.has_auto_set), NULL, 0},
    {"default-set", NUMBER, FIELD(layout.default_set), 0, NULL, 0},
    {"profile", LIST, LISTED(profiles), 0, NULL, 0},
    {"policy", LIST, LISTED(rules), 0, NULL, 0},
    {"auto-shift", SWITCH, FIELD(layout.auto_shift), 0, NULL, 0},
    {"unused", WORD, FIELD(layout.unused), 0, "count last remove", SPB_UNUSED_COUNT},
    {"keep-array-sizes", SWITCH, FIELD(layout.keep_array_sizes), 0, NULL, 0},
    {"allow-overlap", SWITCH, FIELD(layout.allow_overlap), 0, NULL, 0},
    {"split-shared", SWITCH, FIELD(layout.split_shared), 0, NULL, 0},
    {"entry", LIST, LISTED(entries), 0, NULL, 0},
    {"no-merge", SWITCH, FIELD(layout.no_merge), 0, NULL, 0},
    {"lock", LIST, LISTED(lock), 0, NULL, 0},
    {"update-lock", SWITCH, FIELD(layout.update_lock), 0, NULL, 0},
    {"heap-model", WORD, FIELD(heaps.model), FIELD(heaps.has_model), "typed mutable descriptor-heap", 0},
    {"heap-set", NUMBER, FIELD(heaps.set), FIELD(heaps.has_set), NULL, 0},
    {"heap-size", NUMBER, FIELD(heaps.size), 0, NULL, 0},
    {"combined", WORD, FIELD(heaps.combined), 0, "native split", 0},
    {"bounds-check", WORD, FIELD(heaps.bounds_check), 0, "off clamp null", 0},
    {"resolver", LIST, LISTED(resolvers), 0, NULL, 0},
    {"lower-buffer-references", TEXT, FIELD(handles.buffer_reference_blocks), FIELD(handles.lower_buffer_references),
     NULL, 0},
    {"split-combined", SWITCH, FIELD(combined.split), 0, NULL, 0},
    {"merge-combined", LIST, LISTED(pairs), 0, NULL, 0},
    {"nonuniform", WORD, FIELD(uniformity.mode), 0, "auto explicit keep all lint", 0},
    {"prune", SWITCH, FIELD(uniformity.prune), 0, NULL, 0},
    {"uniform-scope", WORD, FIELD(uniformity.scope), 0, "group group-or-subgroup", 0},
    {"waterfall", WORD, FIELD(uniformity.waterfall), 0, "lengths all drivers", SPB_WATERFALL_LENGTHS},
    {"no-dynamic-caps", SWITCH, FIELD(uniformity.no_dynamic_caps), 0, NULL, 0},
    {"distrust-uniform", SWITCH, FIELD(uniformity.distrust_uniform), 0, NULL, 0},
    {"assume-aliased-references", SWITCH, FIELD(uniformity.aliased_references), 0, NULL, 0},
    {"ycbcr", TEXT, FIELD(uniformity.ycbcr), 0, NULL, 0},
    {"lint", TEXT, FIELD(uniformity.lint), 0, NULL, 0},
    {"suppress", TEXT, FIELD(uniformity.suppress), 0, NULL, 0},
    {"check-assertions", WORD, FIELD(uniformity.check_assertions), 0, "compile warn runtime off", 0},
    {"target-env", WORD, FIELD(validation.env), 0, "vulkan1.0 vulkan1.1 vulkan1.1spv1.4 vulkan1.2 vulkan1.3 vulkan1.4",
     SPB_ENV_VULKAN_1_0},
    {"validate", WORD, FIELD(validation.which), 0, "output both none strict", 0},
    {"allow-unvalidated", SWITCH, FIELD(validation.allow_unvalidated), 0, NULL, 0},
#define ROW(name, bit, option) {&(option)[2], BIT, FIELD(validation.flags), 0, NULL, bit},
    /* clang-format off */
    SPB_VALIDATOR_FLAGS(ROW)
/* clang-format on */
#undef ROW
	{"explain", SWITCH, FIELD(explain), 0, NULL, 0},
    {"strip-debug", SWITCH, FIELD(output.strip_debug), 0, NULL, 0},
};

const char *spb_job_option(uint32_t index)
{
	return index < SPB_COUNT(options) ? options[index].name
					  : spb_job_value_name(index - (uint32_t)SPB_COUNT(options));
}

static const struct option *find(const char *name)
{
	for (size_t i = 0; i < SPB_COUNT(options); i++) {
		if (!strcmp(options[i].name, name))
			return &options[i];
	}
	return NULL;
}

static bool read_number(const char *text, uint32_t *number)
{
	uint64_t n = 0;

	for (const char *p = text; *p; p++) {
		if (*p < '0' || *p > '9' || (n = n * 10 + (uint64_t)(*p - '0')) > UINT32_MAX)
			return false;
	}
	*number = (uint32_t)n;
	return *text != '\0';
}

static bool read_word(const struct option *o, const char *value, uint32_t *number)
{
	size_t length = strlen(value);
	uint32_t n = o->first;

	for (const char *p = o->words;; n++) {
		size_t word = strcspn(p, " ");
		if (word == length && !memcmp(p, value, length)) {
			*number = n;
			return true;
		}
		if (!p[word])
			return false;
		p += word + 1;
	}
}

static const char *copy(struct spb_job *job, const char *text)
{
	return spb_copy_text(&job->keep, text, strlen(text));
}

static void add_to_list(struct spb_job *job, const struct option *o, const char *value)
{
	if (o->field == LISTED(lock)) {
		job->lock = copy(job, value);
	} else if (o->field == LISTED(profiles)) {
		SPB_PUSH(&job->keep, &job->profiles, copy(job, value));
		SPB_PUSH(&job->keep, &job->rules, NULL);
	} else if (o->field == LISTED(rules)) {
		struct spb_text_buffer name = {.arena = &job->keep};
		spb_text_format(&name, "--policy=%s", value);
		SPB_PUSH(&job->keep, &job->profiles, spb_text_end(&name));
		SPB_PUSH(&job->keep, &job->rules, copy(job, value));
	} else if (o->field == LISTED(resolvers)) {
		SPB_PUSH(&job->keep, &job->resolvers, copy(job, value));
	} else if (o->field == LISTED(entries)) {
		SPB_PUSH(&job->keep, &job->entries, copy(job, value));
	} else {
		SPB_PUSH(&job->keep, &job->pairs, copy(job, value));
	}
}

static const char *refuse(struct spb_job *job, const char *name, const char *expected, const char *words,
			  const char *value)
{
	struct spb_text_buffer text = {.arena = &job->context->scratch};

	spb_text_format(&text, "%s: expected %s%s; got \"%s\"", name, expected, words, value);
	return spb_text_end(&text);
}

/* Options whose values have parts. Returns whether `name` is one. */
static bool set_value(struct spb_job *job, const char *name, const char *value, const char **wrong)
{
	uint32_t i = 0;
	const char *other, *expected;

	while ((other = spb_job_value_name(i)) != NULL && strcmp(other, name) != 0)
		i++;
	*wrong = NULL;
	if (!other)
		return false;
	expected = value ? spb_job_read_value(job, i, value) : "a value";
	if (expected)
		*wrong = refuse(job, name, expected, "", value ? value : "");
	else
		spb_text_format(&job->words, "%s=%s\n", name, value);
	return true;
}

const char *spb_job_set(struct spb_job *job, const char *name, const char *value)
{
	if (!strncmp(name, "--", 2))
		name += 2;
	const struct option *o = find(name);
	char *fields = (char *)&job->options;
	uint32_t number = 1, bits;
	const char *text;

	if (!o && set_value(job, name, value, &text))
		return text;
	if (!o)
		return refuse(job, "option", "a name that spb_plugin.option() lists", "", name);
	if (!value && o->kind != SWITCH && o->kind != BIT)
		return refuse(job, name, "a value", "", "");
	if (o->kind == NUMBER && !read_number(value, &number))
		return refuse(job, name, "a number from 0 to 4294967295", "", value);
	if (o->kind == WORD && !read_word(o, value, &number))
		return refuse(job, name, "one of: ", o->words, value);
	if ((o->kind == SWITCH || o->kind == BIT) && value && (!read_number(value, &number) || number > 1))
		return refuse(job, name, "1 or 0", "", value);
	if (o->kind == LIST) {
		add_to_list(job, o, value);
	} else if (o->kind == TEXT) {
		text = copy(job, value);
		memcpy(fields + o->field, &text, sizeof text);
	} else if (o->kind == BIT) {
		memcpy(&bits, fields + o->field, sizeof bits);
		bits = number ? bits | o->first : bits & ~o->first;
		memcpy(fields + o->field, &bits, sizeof bits);
	} else {
		memcpy(fields + o->field, &number, sizeof number);
	}
	number = 1;
	if (o->given)
		memcpy(fields + o->given, &number, sizeof number);
	if (o->field == LISTED(profiles) || o->field == LISTED(lock) || o->field == LISTED(resolvers))
		value = o->kind == LIST ? spb_base_name(value) : value; /* of results, folders are no part */
	spb_text_format(&job->words, "%s=%s\n", o->name, value ? value : "1");
	return NULL;
}
