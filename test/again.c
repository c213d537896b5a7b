/* SPDX-License-Identifier: Apache-2.0 */
/* again: runs a program through the library, its plug-in and a workspace, where one request for memory fails, or two of
 * them, and repeats each call that fails because of it. The results must be those of a run without failure.
 *
 *     again STEP MODULE… [NAME=VALUE…]      the options of all programs; resolver=FILE names a module
 *
 * Each STEP-th request fails in turn, and for a seventh of them another one after it. Requests are those of the library
 * to the allocator, and those of its parts to arenas, which the linker redirects here. Freed memory is overwritten, and
 * a list that grows always moves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "spirv-bind/plugin.h"
#include "spirv-bind/workspace.h"

enum { MOST = 32, NEW = 0xA5, OLD = 0xDD };

static long count, failing, pair; /* requests; which one fails; distance to a second one; 0: none */
static bool failed;               /* since the last check */

static bool fails(void)
{
	++count;
	if (!failing || (count != failing && (!pair || count != failing + pair)))
		return false;
	failed = true;
	return true;
}

static void *resize(void *user, void *old, size_t before, size_t size)
{
	(void)user;
	if (size && fails())
		return NULL;
	char *fresh = size ? malloc(size) : NULL;
	if (fresh)
		memset(fresh, NEW, size);
	if (fresh && old)
		memcpy(fresh, old, before < size ? before : size);
	if (old)
		memset(old, OLD, before);
	free(old);
	return fresh;
}

/* Requests of the library's parts to arenas */

#define WRAP(type, name, arena, parameters, ...)                                                                       \
	type __real_##name parameters;                                                                                 \
	type __wrap_##name parameters;                                                                                 \
	type __wrap_##name parameters                                                                                  \
	{                                                                                                              \
		if (fails())                                                                                           \
			spb_throw((arena)->context, SPB_ERROR_OUT_OF_MEMORY);                                          \
		return __real_##name(__VA_ARGS__);                                                                     \
	}

WRAP(void *, spb_alloc, a, (struct spb_arena * a, size_t size), a, size)
WRAP(void *, spb_alloc_array, a, (struct spb_arena * a, size_t n, size_t size), a, n, size)
WRAP(void *, spb_alloc_zeroed, a, (struct spb_arena * a, size_t n, size_t size), a, n, size)
WRAP(char *, spb_copy_text, a, (struct spb_arena * a, const char *text, size_t length), a, text, length)
WRAP(void *, spb_reserve, a, (struct spb_arena * a, void *items, size_t n, size_t more, size_t *room, size_t size), a,
     items, n, more, room, size)

/* The inputs */

static struct {
	const char *names[MOST], *options[MOST];
	uint32_t *words[MOST], *resolver;
	size_t sizes[MOST], resolver_size; /* in words */
	size_t modules, option_count;
	const char *resolver_name;
} in;

static uint32_t *contents(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint32_t *words = malloc(1 << 20);

	if (!f || !words)
		exit(99);
	*size = fread(words, sizeof *words, (1 << 20) / sizeof *words, f);
	fclose(f);
	return words;
}

static void split(const char *option, char name[64], const char **value)
{
	const size_t length = strcspn(option, "=");

	snprintf(name, 64, "%.*s", (int)length, option);
	*value = option[length] ? option + length + 1 : NULL;
}

/* With a callback, so that messages are composed. */
static void hear(void *user, const spb_message *message)
{
	(void)user;
	if (!*message->text)
		exit(99);
}

/* Results, concatenated */

struct results {
	char *bytes;
	size_t count;
};

static void put(struct results *r, const void *bytes, size_t size)
{
	r->bytes = realloc(r->bytes, r->count + size + 1);
	if (!r->bytes)
		exit(99);
	if (size)
		memcpy(r->bytes + r->count, bytes, size);
	r->count += size;
}

static void put_number(struct results *r, size_t number)
{
	put(r, &number, sizeof number);
}

static void put_text(struct results *r, const char *text)
{
	put(r, text ? text : "NULL", text ? strlen(text) + 1 : 5);
}

static void die(const char *call, int status)
{
	printf("request %ld (and %ld) of memory fails: %s: %d\n", failing, pair, call, status);
	exit(1);
}

static bool take_failure(void)
{
	const bool it_has = failed;

	failed = false;
	return it_has;
}

/* Calls that return a status run out of memory if and only if a request has failed. */
static bool starved(const char *call, int status)
{
	const bool expected = take_failure();

	if (expected != (status == SPB_ERROR_OUT_OF_MEMORY))
		die(call, status);
	return expected;
}

#define AGAIN(status, call)                                                                                            \
	do                                                                                                             \
		(status) = (call);                                                                                     \
	while (starved(#call, status))
#define AGAIN_TO_GET(result, call)                                                                                     \
	do                                                                                                             \
		(result) = (call);                                                                                     \
	while (take_failure() && !(result))

/* A program */

static void put_program_texts(struct results *r, spb_program *p)
{
	static const char *const arguments[] = {NULL, "game", "game", "{\"descriptors\": []}", NULL, NULL};

	for (int kind = SPB_TEXT_LAYOUT_JSON; kind <= SPB_TEXT_FACTS; kind++) {
		const char *text;
		AGAIN_TO_GET(text, spb_program_text(p, (spb_text_kind)kind, arguments[kind], NULL));
		put_text(r, text);
	}
}

#define PUT_LIST(function, type, member)                                                                               \
	do {                                                                                                           \
		const type *items;                                                                                     \
		size_t n;                                                                                              \
		AGAIN_TO_GET(n, function(p, sizeof *items, &items));                                                   \
		put_number(r, n);                                                                                      \
		for (size_t i = 0; i < n; i++)                                                                         \
			put_text(r, items[i].member);                                                                  \
		AGAIN_TO_GET(n, function(p, sizeof *items / 2, &items)); /* an older caller */                         \
		put_number(r, n);                                                                                      \
	} while (0)

static void put_program(struct results *r, spb_program *p)
{
	PUT_LIST(spb_program_accesses, spb_descriptor_access, file);
	PUT_LIST(spb_program_push_constants, spb_push_constant_range, name);
	PUT_LIST(spb_program_resources, spb_resource, why);
	PUT_LIST(spb_program_descriptors, spb_descriptor_binding, name);
	PUT_LIST(spb_program_modules, spb_module_info, name);
	put_program_texts(r, p);
	for (size_t i = 0; i < in.modules; i++) {
		size_t n;
		const uint32_t *words = spb_program_words(p, i, SPB_WORDS_OUTPUT, &n);
		put(r, words, words ? n * sizeof *words : 0);
	}
}

static spb_program *made_program(struct results *r, spb_context *c, spb_mode mode, const char *lock)
{
	const spb_resolver resolver = {in.resolver_name, in.resolver, in.resolver_size};
	spb_program *p;
	spb_options o;
	int status;

	spb_options_init(&o, sizeof o);
	o.mode = mode;
	o.explain = true;
	o.layout.lock = lock;
	o.layout.lock_name = "lock";
	o.layout.update_lock = lock != NULL;
	o.validation.which = SPB_VALIDATE_NONE;
	o.handles.resolvers = in.resolver ? &resolver : NULL;
	o.handles.resolver_count = in.resolver != NULL;
	AGAIN(status, spb_program_create(c, &o, &p));
	put_number(r, (size_t)status);
	for (size_t i = 0; i < in.option_count; i++) {
		char name[64];
		const char *value;
		split(in.options[i], name, &value);
		AGAIN(status, spb_program_set(p, name, value));
		put_number(r, (size_t)status);
	}
	for (size_t i = 0; i < in.modules; i++) {
		AGAIN(status, spb_program_add(p, in.names[i], in.words[i], in.sizes[i], 0));
		put_number(r, (size_t)status);
	}
	AGAIN(status, spb_program_bind(p));
	put_number(r, (size_t)status);
	return p;
}

static spb_context *made_context(void)
{
	spb_context *c;
	int status;

	AGAIN(status, spb_context_create(&(spb_allocator){resize, NULL}, &(spb_callbacks){hear, NULL}, &c));
	return c;
}

static void by_library(struct results *r)
{
	spb_context *c = made_context();
	spb_program *p = made_program(r, c, SPB_MODE_BIND, NULL);

	put_program(r, p);
	spb_program_destroy(p);
	spb_context_destroy(c);
}

/* A job of the plug-in, with files */

static bool read_file(void *user, const char *path, const void **bytes, size_t *size)
{
	static const char policy[] = "place kind=sampler name=nothing* -> set=9\n";
	size_t number = 0;

	(void)user;
	while (number < in.modules && strcmp(in.names[number], path) != 0)
		number++;
	if (number < in.modules) {
		*bytes = in.words[number];
		*size = in.sizes[number] * sizeof(uint32_t);
	} else if (in.resolver && !strcmp(path, in.resolver_name)) {
		*bytes = in.resolver;
		*size = in.resolver_size * sizeof(uint32_t);
	} else if (!strcmp(path, "a.policy")) {
		*bytes = policy;
		*size = sizeof policy - 1;
	} else {
		return false;
	}
	return true;
}

static void release(void *user, const void *bytes, size_t size)
{
	(void)user;
	(void)bytes;
	(void)size;
}

static void set(struct results *r, const spb_plugin *plugin, spb_job *job, const char *name, const char *value)
{
	int status;

	AGAIN(status, plugin->set(job, name, value));
	put_number(r, (size_t)status);
}

static void by_plugin(struct results *r)
{
	const spb_plugin *plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	const spb_allocator allocator = {resize, NULL};
	const spb_plugin_host host = {
	    .struct_size = sizeof host, .read = read_file, .release = release, .allocator = &allocator};
	spb_job *job;
	int status;
	const char *key, *path;

	AGAIN(status, plugin->create(&host, &job));
	set(r, plugin, job, "validate", "none");
	set(r, plugin, job, "accesses", NULL);
	set(r, plugin, job, "profile", "a.policy");
	for (size_t i = 0; i < in.option_count; i++) {
		char name[64];
		const char *value;
		split(in.options[i], name, &value);
		set(r, plugin, job, name, value);
	}
	for (int i = 0; i < 20; i++) { /* before the profile */
		char line[64];
		snprintf(line, sizeof line, "place name=nothing%d -> order=%d", i, i);
		set(r, plugin, job, "policy", line);
	}
	set(r, plugin, job, "policy", "nonsense"); /* a refused option changes nothing */
	if (in.resolver)
		set(r, plugin, job, "resolver", in.resolver_name);
	for (size_t i = 0; i < in.modules; i++) {
		if (i % 2)
			AGAIN(status, plugin->add(job, in.names[i], in.words[i], in.sizes[i], 0));
		else
			AGAIN(status, plugin->add_file(job, in.names[i], 0));
		put_number(r, (size_t)status);
	}
	AGAIN_TO_GET(key, plugin->key(job));
	put_text(r, key);
	AGAIN(status, plugin->run(job));
	put_number(r, (size_t)status);
	for (uint32_t i = 0; (path = plugin->dependency(job, i)) != NULL; i++)
		put_text(r, path);
	if (plugin->program(job))
		put_program(r, plugin->program(job));
	plugin->destroy(job);
}

/* Two programs that share a set */

static void add_facts(spb_workspace *w, const char *program, const char *facts)
{
	int status;

	AGAIN(status, spb_workspace_add_facts(w, program, facts, NULL));
}

static char *copy(struct results *r, const char *text)
{
	char *copied = malloc(text ? strlen(text) + 1 : 1);

	put_text(r, text);
	return copied ? strcpy(copied, text ? text : "") : NULL;
}

static char *workspace_text(struct results *r, spb_workspace *w, spb_workspace_text_kind kind, const char *argument)
{
	const char *text;

	AGAIN_TO_GET(text, spb_workspace_text(w, kind, argument, NULL));
	return copy(r, text);
}

static spb_workspace *made_workspace(spb_context *c, const char *lock)
{
	spb_workspace *w;
	int status;

	AGAIN(status, spb_workspace_create(c, lock, NULL, false, &w));
	if (!lock)
		AGAIN(status, spb_workspace_share(w, 0, NULL));
	AGAIN(status, spb_workspace_add_program(w, "sky", NULL));
	AGAIN(status, spb_workspace_add_program(w, "sea", "sea"));
	AGAIN(status, spb_workspace_add_program(w, "storm", "sea"));
	return w;
}

/* From facts to a lock and texts. */
static char *decided(struct results *r, spb_workspace *w)
{
	int status;
	char *lock;

	AGAIN(status, spb_workspace_decide(w));
	put_number(r, (size_t)status);
	lock = workspace_text(r, w, SPB_WORKSPACE_LOCK, NULL);
	free(workspace_text(r, w, SPB_WORKSPACE_LAYOUT_JSON, NULL));
	free(workspace_text(r, w, SPB_WORKSPACE_REPORT, NULL));
	free(workspace_text(r, w, SPB_WORKSPACE_PROGRAM_LOCK, "storm"));
	put_number(r, spb_workspace_judge(w, "sky"));
	return lock;
}

static void by_workspace(struct results *r)
{
	static const char *const programs[] = {"sky", "sea", "storm"};
	spb_context *c = made_context();
	spb_workspace *w = made_workspace(c, NULL);
	int status;

	for (int i = 0; i < 3; i++) {
		char *lock = workspace_text(r, w, SPB_WORKSPACE_PROGRAM_LOCK, programs[i]);
		spb_program *p = made_program(r, c, SPB_MODE_COLLECT, lock);
		const char *facts;
		AGAIN_TO_GET(facts, spb_program_text(p, SPB_TEXT_FACTS, NULL, NULL));
		put_text(r, facts);
		if (facts)
			add_facts(w, programs[i], facts);
		spb_program_destroy(p);
		free(lock);
	}
	char *collected = workspace_text(r, w, SPB_WORKSPACE_FACTS, NULL), *lock = decided(r, w);
	spb_workspace_destroy(w);

	w = made_workspace(c, lock);
	add_facts(w, NULL, collected);
	free(workspace_text(r, w, SPB_WORKSPACE_PART_OF_LOCK, NULL));
	free(decided(r, w));
	spb_workspace_destroy(w);

	AGAIN(status, spb_workspace_create(c, lock, NULL, false, &w));
	AGAIN(status, spb_workspace_merge_lock(w, "", lock, NULL));
	put_number(r, (size_t)status);
	free(workspace_text(r, w, SPB_WORKSPACE_LOCK, NULL));
	spb_workspace_destroy(w);
	free(lock);
	free(collected);
	spb_context_destroy(c);
}

static void check(const char *name, void (*run)(struct results *r), long step)
{
	struct results whole = {0};

	failing = count = 0;
	run(&whole);
	const long requests = count;
	for (pair = 0; pair < 4; pair += 3) {
		for (failing = 1; failing <= requests; failing += pair ? 7 * step : step) {
			struct results r = {0};
			count = 0;
			run(&r);
			if (r.count != whole.count || memcmp(r.bytes, whole.bytes, r.count) != 0) {
				printf("%s: request %ld (and %ld) of memory fails: other results\n", name, failing,
				       pair);
				exit(1);
			}
			free(r.bytes);
		}
	}
	printf("%s %ld\n", name, requests);
	free(whole.bytes);
}

int main(int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		const bool is_option = strchr(argv[i], '=') != NULL;
		if (is_option && !strncmp(argv[i], "resolver=", 9)) {
			in.resolver_name = argv[i] + 9;
			in.resolver = contents(in.resolver_name, &in.resolver_size);
		} else if (is_option) {
			in.options[in.option_count++] = argv[i];
		} else {
			in.names[in.modules] = argv[i];
			in.words[in.modules] = contents(argv[i], &in.sizes[in.modules]);
			in.modules++;
		}
	}
	check("library", by_library, atol(argv[1]));
	check("plug-in", by_plugin, atol(argv[1]));
	check("workspace", by_workspace, atol(argv[1]));
	return 0;
}
