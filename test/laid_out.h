/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of programs in short, and of where everything in them goes. After cmocka.h and libspirv.h. */
#ifndef SPB_TEST_LAID_OUT_H
#define SPB_TEST_LAID_OUT_H

#include "declared.h"

static struct text got, said, lock_text;

struct row {
	const char *options;  /* words of set_options; of what is printed: why, descriptors, lock,
			       * remarks; facts */
	const char *policies; /* lines; or a name like --place, and lines; or @ and the name of a profile */
	const char *lock;     /* its lines, with the first, or an empty one instead, or without; NULL: none */
	const char
	    *modules; /* declarations; ` | ` begins the next module, and a stage may come first, else it is compute */
	const char *result; /* name set.binding, for each variable; messages */
};

static inline bool is_word(const char *word, const char *known)
{
	return !strcmp(word, known);
}

static inline void set_options(spb_options *o, const char *words)
{
	static const char *const entries[] = {"main"};
	char word[200];

	spb_options_init(o, sizeof *o);
	o->validation.which = SPB_VALIDATE_NONE;
	o->layout.order = SPB_ORDER_MODULE;
	while (*word_of(&words, word)) {
		const unsigned number = strchr(word, '=') ? (unsigned)strtoul(strchr(word, '=') + 1, NULL, 10) : 0;
		if (is_word(word, "hlsl"))
			o->layout.rules = SPB_RULES_HLSL;
		else if (is_word(word, "conflicts"))
			o->layout.rebind = SPB_REBIND_CONFLICTS;
		else if (is_word(word, "all"))
			o->layout.rebind = SPB_REBIND_ALL;
		else if (is_word(word, "all-sets"))
			o->layout.rebind = SPB_REBIND_ALL_SETS;
		else if (is_word(word, "count"))
			o->layout.unused = SPB_UNUSED_COUNT;
		else if (is_word(word, "last"))
			o->layout.unused = SPB_UNUSED_LAST;
		else if (is_word(word, "remove"))
			o->layout.unused = SPB_UNUSED_REMOVE;
		else if (is_word(word, "source"))
			o->layout.order = SPB_ORDER_SOURCE;
		else if (is_word(word, "strict"))
			o->layout.order = SPB_ORDER_SOURCE_STRICT;
		else if (is_word(word, "by-name"))
			o->layout.order = SPB_ORDER_NAME;
		else if (is_word(word, "overlap"))
			o->layout.allow_overlap = 1;
		else if (is_word(word, "no-merge"))
			o->layout.no_merge = 1;
		else if (is_word(word, "auto-shift"))
			o->layout.auto_shift = 1;
		else if (is_word(word, "doctor"))
			o->layout.doctor = 1;
		else if (is_word(word, "update"))
			o->layout.update_lock = 1;
		else if (is_word(word, "split"))
			o->layout.split_shared = 1;
		else if (is_word(word, "pipeline"))
			o->layout.module_order = SPB_MODULE_ORDER_PIPELINE;
		else if (is_word(word, "entries"))
			o->layout.entries = entries, o->layout.entry_count = 1;
		else if (is_word(word, "mutable"))
			o->heaps.model = SPB_HEAP_MODEL_MUTABLE;
		else if (is_word(word, "heaps-in-default-set"))
			o->heaps.in_default_set = 1;
		else if (!strncmp(word, "heap-set=", 9))
			o->heaps.has_set = 1, o->heaps.set = number;
		else if (!strncmp(word, "set=", 4))
			o->layout.default_set = number;
		else if (!strncmp(word, "auto-binding=", 13))
			o->layout.has_auto_binding = 1, o->layout.auto_binding = number;
		else if (!strncmp(word, "auto-set=", 9))
			o->layout.has_auto_set = 1, o->layout.auto_set = number;
		else if (!is_word(word, "why") && !is_word(word, "descriptors") && !is_word(word, "lock") &&
			 !is_word(word, "facts") && !is_word(word, "remarks"))
			fail_msg("no option: %s", word);
	}
}

/* A name of a stage in front of the declarations, which are behind it then. */
static inline void take_stage(const char **at, char *stage, size_t size)
{
	*at += strspn(*at, " ");

	const size_t length = strcspn(*at, " ");
	snprintf(stage, size, "GLCompute");
	if (strchr("(/=?<", **at) || strcspn(*at, ":") < length || !(*at)[length])
		return;
	snprintf(stage, size, "%.*s", (int)length, *at);
	*at += length + 1;
}

static inline void add_modules(spb_program *p, const char *modules)
{
	for (char name[] = "m0"; *modules; name[1]++) {
		static char text[LONG];
		char stage[30];
		const char *next = strstr(modules, " | ");
		size_t length = next ? (size_t)(next - modules) : strlen(modules), count;
		snprintf(text, sizeof text, "%.*s", (int)length, modules);
		modules += length + (next ? 3 : 0);
		const char *at = text;
		take_stage(&at, stage, sizeof stage);
		uint32_t *words = declared(stage, at, &count);
		if (spb_program_add_module(p, name, words, count) != SPB_OK)
			fail_msg("%s\n%s", text, said.items);
		free(words);
		modules += strspn(modules, " ");
	}
}

/* Of each resource of the program where it is; registers in parentheses if they are other numbers. */
static inline void put_resources(struct text *t, spb_program *p, bool why)
{
	const spb_resource *list;
	const size_t count = spb_program_resources(p, sizeof *list, &list);

	for (size_t i = 0; i < count; i++) {
		const spb_resource *r = &list[i];
		put(t, "%s%s ", i ? "; " : "", r->name);
		if (r->removed)
			put(t, "removed");
		else
			put(t, "%u.%u", r->set, r->binding);
		if (!r->removed && r->has_register && r->register_number != r->binding)
			put(t, " (%c%u)", r->register_class, r->register_number);
		if (why)
			put(t, ": %s%s%s", r->fixed ? "fixed, " : "", r->heap ? "heap, " : "", r->why);
	}
}

/* Of each descriptor what its set layout says: type, count, stages, flags, those of the set, immutable samplers, views.
 */
static inline void put_descriptors(struct text *t, spb_program *p)
{
	const spb_descriptor_binding *list;
	const size_t count = spb_program_descriptors(p, sizeof *list, &list);

	for (size_t i = 0; i < count; i++) {
		const spb_descriptor_binding *d = &list[i];
		put(t, "\n%u.%u %s: type %u, count %u, stages %u", d->set, d->binding, d->name, d->descriptor_type,
		    d->count, d->stages);
		if (d->flags)
			put(t, ", flags %u", d->flags);
		if (d->set_flags)
			put(t, ", set %u", d->set_flags);
		if (d->immutable_samplers)
			put(t, ", immutable");
		if (d->resource_count > 1)
			put(t, ", %u views", d->resource_count);
	}
}

/* The remarks in the output of the first module. */
static inline void put_remarks(struct text *t, spb_program *p)
{
	enum { HEADER = 5, OP_MODULE_PROCESSED = 330 };
	size_t count;
	const uint32_t *words = spb_program_words(p, 0, &count);

	for (size_t at = HEADER; at < count; at += words[at] >> 16) {
		if ((words[at] & 0xFFFF) == OP_MODULE_PROCESSED)
			put(t, "\n<%s>", (const char *)&words[at + 1]);
	}
}

/* What a workspace is told of the program, but for hashes of types. */
static inline void put_facts(struct text *t, spb_program *p)
{
	for (const char *facts = spb_program_facts(p, NULL); *facts; facts++) {
		if (!strncmp(facts, " type=", 6) && strspn(facts + 6, "0123456789abcdef") == 16)
			facts += 22;
		else if (!strncmp(facts, " hash=", 6))
			facts += 22;
		put(t, "%c", *facts);
	}
}

/* Binds the program of a row, or only finds its facts. NULL: it is refused. */
static inline spb_program *bound(const struct row *r, spb_context *context)
{
	char name[100] = "policy";
	spb_policy policy = {.name = name,
			     .text = r->policies + (*r->policies == '-' ? strcspn(r->policies, "\n") : 0)};

	if (*r->policies == '-') /* an option that is the same as the lines behind it */
		snprintf(name, sizeof name, "%.*s", (int)strcspn(r->policies, "\n"), r->policies);
	spb_options options;
	spb_program *p;

	set_options(&options, r->options);
	if (*r->policies == '@') { /* a built-in profile */
		snprintf(name, sizeof name, "%s", r->policies + 1);
		policy.text = NULL;
	}
	if (*r->policies) {
		options.layout.policies = &policy;
		options.layout.policy_count = 1;
	}
	if (r->lock) {
		clear(&lock_text);
		put(&lock_text, "%s%s", strncmp(r->lock, "lock ", 5) && *r->lock != '\n' ? "lock version=1\n" : "",
		    r->lock);
		options.layout.lock = lock_text.items;
	}
	if (spb_program_create(context, &options, &p) != SPB_OK)
		return NULL;
	add_modules(p, r->modules);
	if ((strstr(r->options, "facts") ? spb_program_collect(p) : spb_program_bind(p)) == SPB_OK)
		return p;
	spb_program_destroy(p);
	return NULL;
}

static inline void check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const spb_callbacks callbacks = {.user = &said, .message = keep_message};
		spb_context *context;
		clear(&said), clear(&got);
		assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
		spb_program *p = bound(&rows[i], context);
		if (p && strstr(rows[i].options, "facts"))
			put_facts(&got, p);
		else if (p)
			put_resources(&got, p, strstr(rows[i].options, "why") != NULL);
		if (p && strstr(rows[i].options, "descriptors"))
			put_descriptors(&got, p);
		if (p && strstr(rows[i].options, "remarks"))
			put_remarks(&got, p);
		if (p && strstr(rows[i].options, "lock"))
			put(&got, "\n%s", strstr(spb_program_lock(p, NULL), "lock version="));
		put(&got, p && said.count ? "\n%s" : "%s", said.items);
		if (p)
			spb_program_destroy(p);
		spb_context_destroy(context);
		expect(got.items, rows[i].result, rows[i].modules);
	}
}

#define TABLE(name, ...)                                                                                               \
	static void name(void **state)                                                                                 \
	{                                                                                                              \
		static const struct row rows[] = {__VA_ARGS__};                                                        \
                                                                                                                       \
		(void)state;                                                                                           \
		check(rows, sizeof rows / sizeof *rows);                                                               \
	}

#endif
