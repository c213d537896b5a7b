/* SPDX-License-Identifier: Apache-2.0 */
/* What passes make of modules, case by case: which lines go, which come, and what is said. The cases are in rows:
 *
 *     = case What it shows
 *     = options WORDS    `only=` passes, `1.4`: the version of SPIR-V, and options of the plug-in, as `rebind=all`
 *     = head             in front of names
 *     = types            in front of `globals`
 *     = notes            decorations
 *     = globals
 *     = main             instructions of %main; without it and `functions`, it does nothing
 *     = functions        all of them
 *     = resolver         a module that is given with --resolver
 *     = becomes          lines that go (-) and come (+), but for names of ids that go; and messages (!)
 *
 * All ids have their names. A # begins a comment. What is in `prelude`, and in front of the first case of a file, is
 * there in each case; a part of a case replaces it, but options are added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "lib/plugin/job.h"
#include "texts.h"

enum part { OPTIONS, HEAD, TYPES, NOTES, GLOBALS, MAIN, FUNCTIONS, RESOLVER, BECOMES, PARTS };

static const char *const part_names[] = {"options", "head",      "types",    "notes",  "globals",
					 "main",    "functions", "resolver", "becomes"};

static struct text parts[PARTS]; /* of the current case */
static const spb_plugin *plugin;

static const char *end_of_line(const char *at)
{
	return at + strcspn(at, "\n");
}

static const char *next_line(const char *at)
{
	return end_of_line(at) + (*end_of_line(at) == '\n');
}

/* Each id that a line of `text` defines is named after itself. */
static void put_names(struct text *to, const char *text)
{
	for (const char *at = text; *at; at = next_line(at)) {
		const int length = (int)strcspn(at, " \n");
		if (*at == '%' && !strncmp(at + length, " = ", 3))
			put(to, "OpName %.*s \"%.*s\"\n", length, at, length - 1, at + 1);
	}
}

static spv_binary assembled(const char *text)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_binary binary = NULL;
	spv_diagnostic wrong = NULL;

	if (spvTextToBinary(context, text, strlen(text), &binary, &wrong) != SPV_SUCCESS)
		fail_msg("line %u: %s\n%s", (unsigned)wrong->position.line + 1, wrong->error, text);
	spvContextDestroy(context);
	return binary;
}

static spv_text disassembled(const uint32_t *words, size_t count)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_text text = NULL;

	assert_int_equal(spvBinaryToText(context, words, count,
					 SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
					 &text, NULL),
			 SPV_SUCCESS);
	spvContextDestroy(context);
	return text;
}

/* differences */

enum { LINES = 400 };

static size_t lines_of(const char *text, const char **lines)
{
	size_t count = 0;

	for (const char *at = text; *at; at = next_line(at)) {
		assert_true(count < LINES);
		lines[count++] = at;
	}
	return count;
}

static bool is_same_line(const char *x, const char *y)
{
	const size_t length = strcspn(x, "\n");

	return length == strcspn(y, "\n") && !memcmp(x, y, length);
}

/* `OpName %x "x"`, where the line `%x = ` goes, too. */
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

/* The longest sequence of lines that both have stays. */
static void put_difference(struct text *to, const char *before, const char *after)
{
	static uint16_t longest[LINES + 1][LINES + 1];
	const char *was[LINES], *is[LINES];
	bool stays[LINES] = {false}, stood[LINES] = {false};
	const size_t n = lines_of(before, was), k = lines_of(after, is);

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
				put(to, "- %.*s\n", (int)strcspn(was[i], "\n"), was[i]);
			i++;
		} else if (j < k && !stood[j]) {
			put(to, "+ %.*s\n", (int)strcspn(is[j], "\n"), is[j]);
			j++;
		} else {
			i++, j++;
		}
	}
}

/* cases */

static struct text got;
static spv_binary resolver;

static void hear(void *user, const spb_message *message)
{
	(void)user;
	put(&got, "! ");
	for (const char *at = message->text; *at; at++) { /* `%12 "name"` is `name`, whatever its number */
		if (*at == '%' && at[strspn(at + 1, "0123456789") + 1] == ' ' &&
		    at[strspn(at + 1, "0123456789") + 2] == '"')
			at += strspn(at + 1, "0123456789") + 2;
		put(&got, "%c", *at);
	}
	put(&got, "\n");
}

static bool read_resolver(void *user, const char *path, const void **bytes, size_t *size)
{
	(void)user;
	(void)path;
	*bytes = resolver->code;
	*size = resolver->wordCount * sizeof *resolver->code;
	return true;
}

static void release(void *user, const void *bytes, size_t size)
{
	(void)user;
	(void)bytes;
	(void)size;
}

static void set_options(spb_job *job, const char *words, uint32_t *version)
{
	static char only[100];
	char word[200];

	*version = 0x10300;
	while (*word_of(&words, word)) {
		char *value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		if (!strncmp(word, "1.", 2)) {
			*version = 0x10000 | (uint32_t)(word[2] - '0') << 8;
		} else if (!strcmp(word, "only")) {
			snprintf(only, sizeof only, "%s", value);
			job->options.debug.only = only;
		} else {
			assert_int_equal(plugin->set(job, word, value), SPB_OK);
		}
	}
}

static spv_binary module_of_case(uint32_t version)
{
	static struct text text, rest;

	clear(&text);
	clear(&rest);
	put(&rest, "%s%s%s", parts[NOTES].items, parts[TYPES].items, parts[GLOBALS].items);
	if (parts[FUNCTIONS].count)
		put(&rest, "%s", parts[FUNCTIONS].items);
	else
		put(&rest, "%%main = OpFunction %%void None %%fn\n%%main0 = OpLabel\n%sOpFunctionEnd\n",
		    parts[MAIN].count ? parts[MAIN].items : "OpReturn\n");
	put(&text, "%s", parts[HEAD].items);
	put_names(&text, rest.items);
	put(&text, "%s", rest.items);
	spv_binary binary = assembled(text.items);
	binary->code[1] = version;
	return binary;
}

static spv_binary resolver_of_case(void)
{
	static struct text text;

	clear(&text);
	put(&text, "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n");
	put_names(&text, parts[RESOLVER].items);
	put(&text, "%s", parts[RESOLVER].items);
	return assembled(text.items);
}

/* Does it become what it should? */
static bool check(const char *title)
{
	const spb_plugin_host host = {
	    .struct_size = sizeof host, .message = hear, .read = read_resolver, .release = release};
	spb_job *job;
	uint32_t version;
	size_t count;

	clear(&got);
	assert_int_equal(plugin->create(&host, &job), SPB_OK);
	set_options(job, parts[OPTIONS].items, &version);
	spv_binary binary = module_of_case(version);
	resolver = parts[RESOLVER].count ? resolver_of_case() : NULL;
	if (resolver)
		assert_int_equal(plugin->set(job, "resolver", "r"), SPB_OK);
	assert_int_equal(plugin->add(job, "m", binary->code, binary->wordCount), SPB_OK);
	if (plugin->run(job) == SPB_OK) {
		const uint32_t *words = plugin->module(job, 0, &count);
		spv_text before = disassembled(binary->code, binary->wordCount), after = disassembled(words, count);
		put_difference(&got, before->str, after->str);
		spvTextDestroy(before);
		spvTextDestroy(after);
	}
	const bool same = !strcmp(got.items, parts[BECOMES].items);
	if (!same)
		fprintf(stderr, "case %s\n%s%s\nshould become\n%s\nand becomes\n%send\n", title, parts[MAIN].items,
			parts[FUNCTIONS].items, parts[BECOMES].items, got.items);
	spvBinaryDestroy(resolver);
	spvBinaryDestroy(binary);
	plugin->destroy(job);
	return same;
}

static struct text shared[PARTS]; /* what all cases of a file begin with */

static void begin_case(void)
{
	for (enum part part = OPTIONS; part < PARTS; part++) {
		clear(&parts[part]);
		put(&parts[part], "%s", shared[part].items);
	}
}

static enum part part_named(const char *name)
{
	enum part part = OPTIONS;

	while (part < PARTS && strncmp(name, part_names[part], strlen(part_names[part])) != 0)
		part++;
	if (part == PARTS)
		fail_msg("no part of a case: %.40s", name);
	return part;
}

static void read_rows(const char *name, struct text *text)
{
	char path[600];

	snprintf(path, sizeof path, SPB_FIXTURES "/../test/rows/%s", name);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	text->count = fread(text->items, 1, LONG - 1, f);
	text->items[text->count] = 0;
	assert_true(text->count < LONG - 1);
	fclose(f);
}

/* Returns the number of cases that did not become what they should. */
static unsigned read_cases(const char *name)
{
	static struct text text;
	struct text *to = NULL;
	char title[200] = "";
	unsigned wrong = 0;

	read_rows(name, &text);
	for (const char *at = text.items; *at; at = next_line(at)) {
		if (!strncmp(at, "= case ", 7)) {
			wrong += *title && !check(title);
			begin_case();
			snprintf(title, sizeof title, "%.*s", (int)strcspn(at + 7, "\n"), at + 7);
			assert_true(*title);
		} else if (!strncmp(at, "= options ", 10)) {
			to = *title ? parts : shared;
			put(&to[OPTIONS], "%.*s ", (int)strcspn(at + 10, "\n"), at + 10);
		} else if (!strncmp(at, "= ", 2)) {
			to = &(*title ? parts : shared)[part_named(at + 2)];
			if (*title)
				clear(to);
		} else if (*at != '#' && *at != '\n') {
			put(to, "%.*s", (int)(next_line(at) - at), at);
		}
	}
	return wrong + (*title && !check(title));
}

static void cases_become_what_they_should(void **state)
{
	for (enum part part = OPTIONS; part < PARTS; part++)
		clear(&shared[part]);
	read_cases("prelude");
	assert_int_equal(read_cases(*state), 0);
}

#define CASES(name)                                                                                                    \
	{                                                                                                              \
		name, cases_become_what_they_should, NULL, NULL, (void *)(uintptr_t)(name)                             \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    CASES("assign-bindings.rows"), CASES("declare-runtime-arrays.rows"), CASES("expand-groups.rows"),
	    CASES("remove-unused.rows"),   CASES("unsize-arrays.rows"),
	};

	plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
