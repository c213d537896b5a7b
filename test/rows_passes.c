/* SPDX-License-Identifier: Apache-2.0 */
/* rows/passes: modules before and after passes.
 *
 *     options      `only=` passes, `1.4`: the version of SPIR-V, and options of the plug-in, as `rebind=all`
 *     head         before names
 *     types        before `globals`
 *     notes        decorations
 *     globals
 *     main         instructions of %main; without it and `functions`, it does nothing
 *     functions    others, or all of them
 *     resolver     a module that is given with --resolver
 *     becomes      removed (-) and added (+) lines, without the names of removed ids; and messages
 *
 * All ids are named. */
#include "spirv-bind/plugin.h"
#include "results.h"
#include "rows.h"

enum part { OPTIONS, HEAD, TYPES, NOTES, GLOBALS, MAIN, FUNCTIONS, RESOLVER, BECOMES };

static const char *const part_names[] = {"options", "head",      "types",    "notes",   "globals",
					 "main",    "functions", "resolver", "becomes", NULL};

/* differences */

enum { LINES = 400 };

static size_t lines_of(const struct row *row, const char *text, const char **lines)
{
	size_t count = 0;

	for (const char *at = text; *at; at = next_line(at)) {
		if (count == LINES)
			unreadable(row, "more than %u lines", LINES);
		lines[count++] = at;
	}
	return count;
}

static bool is_same_line(const char *x, const char *y)
{
	const int length = length_of_line(x);

	return length == length_of_line(y) && !memcmp(x, y, (size_t)length);
}

/* `OpName %x "x"`, where the line `%x = ` is removed, too. */
static bool is_name_of_lost(const char *line, const char *const *was, const bool *stays, size_t count)
{
	if (strncmp(line, "OpName ", 7) != 0)
		return false;
	const size_t length = strcspn(line + 7, " ");
	for (size_t i = 0; i < count; i++) {
		if (!stays[i] && !strncmp(was[i], line + 7, length) && !strncmp(was[i] + length, " = ", 3))
			return true;
	}
	return false;
}

/* The longest common sequence of lines is left out. */
static void put_difference(const struct row *row, struct text *to, const char *before, const char *after)
{
	static uint16_t longest[LINES + 1][LINES + 1];
	const char *was[LINES], *is[LINES];
	bool stays[LINES] = {false}, stood[LINES] = {false};
	const size_t n = lines_of(row, before, was), k = lines_of(row, after, is);

	memset(longest, 0, sizeof longest);
	for (size_t i = n; i-- > 0;) {
		for (size_t j = k; j-- > 0;) {
			const uint16_t x = longest[i + 1][j], y = longest[i][j + 1];
			longest[i][j] = is_same_line(was[i], is[j]) ? (uint16_t)(longest[i + 1][j + 1] + 1)
					: x > y                     ? x
								    : y;
		}
	}
	for (size_t i = 0, j = 0; i < n && j < k;) {
		if (is_same_line(was[i], is[j]))
			stays[i++] = stood[j++] = true;
		else if (longest[i + 1][j] >= longest[i][j + 1])
			i++;
		else
			j++;
	}
	for (size_t i = 0, j = 0; i < n || j < k;) {
		if (i < n && !stays[i]) {
			if (!is_name_of_lost(was[i], was, stays, n))
				put(to, "- %.*s\n", length_of_line(was[i]), was[i]);
			i++;
		} else if (j < k && !stood[j]) {
			put(to, "+ %.*s\n", length_of_line(is[j]), is[j]);
			j++;
		} else {
			i++, j++;
		}
	}
}

/* modules */

static struct words module_of(const struct row *row, uint32_t version)
{
	static struct text text, rest;
	const struct text *parts = row->parts;

	clear(&text);
	clear(&rest);
	put(&rest, "%s%s%s", parts[NOTES].items, parts[TYPES].items, parts[GLOBALS].items);
	if (parts[MAIN].count || !parts[FUNCTIONS].count)
		put(&rest, "%%main = OpFunction %%void None %%fn\n%%main0 = OpLabel\n%sOpFunctionEnd\n",
		    parts[MAIN].count ? parts[MAIN].items : "OpReturn\n");
	put(&rest, "%s", parts[FUNCTIONS].items);
	put(&text, "%s", parts[HEAD].items);
	put_names(&text, rest.items);
	put(&text, "%s", rest.items);
	return assembled(row, text.items, version);
}

/* The lines of a text that define strings, which come before names, or all others. */
static void put_strings(struct text *to, const char *text, bool strings)
{
	for (const char *at = text; *at; at = next_line(at)) {
		const bool is_string = !strncmp(at + strcspn(at, " \n"), " = OpString ", 12);
		if (is_string == strings)
			put(to, "%.*s", (int)(next_line(at) - at), at);
	}
}

static struct words resolver_of(const struct row *row, uint32_t version)
{
	static struct text text;
	const char *const resolver = row->parts[RESOLVER].items;

	clear(&text);
	put(&text, "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n");
	put_strings(&text, resolver, true);
	put_names(&text, resolver);
	put_strings(&text, resolver, false);
	return assembled(row, text.items, version);
}

/* the host */

struct hosting {
	struct words resolver;
	void (*hear)(void *user, const spb_message *message);
	void *user;
};

static void pass_on(void *user, const spb_message *message)
{
	const struct hosting *hosting = user;

	hosting->hear(hosting->user, message);
}

static bool read_resolver(void *user, const char *path, const void **bytes, size_t *size)
{
	const struct words *resolver = &((struct hosting *)user)->resolver;

	(void)path;
	*bytes = resolver->items;
	*size = resolver->count * sizeof *resolver->items;
	return true;
}

static void release(void *user, const void *bytes, size_t size)
{
	(void)user;
	(void)bytes;
	(void)size;
}

static void set_options(const struct row *row, const char *words, const spb_plugin *plugin, spb_job *job)
{
	char word[200];

	while (next_word(&words, word, sizeof word)) {
		char *value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		if (strncmp(word, "1.", 2) != 0 && plugin->set(job, word, value) != SPB_OK)
			unreadable(row, "no option: %s", word);
	}
}

bool run_passes(const struct row *row, const char *options, struct words module, struct words resolver,
		void (*hear)(void *user, const spb_message *message), void *user, struct words *made)
{
	const spb_plugin *plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	struct hosting hosting = {resolver, hear, user};
	const spb_plugin_host host = {.struct_size = sizeof host,
				      .user = &hosting,
				      .message = pass_on,
				      .read = read_resolver,
				      .release = release};
	spb_job *job;

	if (plugin->create(&host, &job) != SPB_OK)
		unreadable(row, "no job");
	set_options(row, options, plugin, job);
	if (resolver.items)
		plugin->set(job, "resolver", "r");
	*made = (struct words){NULL, 0};
	const bool has_run =
	    plugin->add(job, "m", module.items, module.count, 0) == SPB_OK && plugin->run(job) == SPB_OK;
	if (has_run) {
		const uint32_t *words = plugin->module(job, 0, &made->count);
		made->items = malloc(made->count * sizeof *words);
		if (!made->items)
			abort();
		memcpy(made->items, words, made->count * sizeof *words);
		const bool changed =
		    made->count != module.count || memcmp(words, module.items, module.count * sizeof *words) != 0;
		if (is_changed(plugin->program(job), 0) != changed)
			wrong(row, "whether the module has changed is not what the list of modules says");
	}
	plugin->destroy(job);
	return has_run;
}

static void hear(void *user, const spb_message *message)
{
	put_message(user, message);
}

static uint32_t version_of(const struct row *row)
{
	const char *words = row->parts[OPTIONS].items;
	char word[200];
	uint32_t version = 0x10300;

	while (next_word(&words, word, sizeof word)) {
		if (!strncmp(word, "1.", 2))
			version = 0x10000 | (uint32_t)(word[2] - '0') << 8;
	}
	return version;
}

static void answer(const struct row *row, struct text *got)
{
	static struct text before, after;
	const uint32_t version = version_of(row);
	struct words module = module_of(row, version), resolver = {NULL, 0}, made;

	if (row->parts[RESOLVER].count)
		resolver = resolver_of(row, version);
	if (run_passes(row, row->parts[OPTIONS].items, module, resolver, hear, got, &made)) {
		clear(&before);
		clear(&after);
		put_disassembled(&before, module.items, module.count);
		put_disassembled(&after, made.items, made.count);
		put_difference(row, got, before.items, after.items);
	}
	free(made.items);
	free(resolver.items);
	free(module.items);
}

const struct rows_kind rows_of_passes = {"passes", part_names, "becomes", answer};
