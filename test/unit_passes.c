/* SPDX-License-Identifier: Apache-2.0 */
/* What passes make of modules, case by case: which lines go, which come, and what is said; and bounds that no case can
 * reach in a few lines. The cases are in rows:
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
 * there in each case; a part of a case replaces it, but options are added. A file's types are added, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "caught.h"
#include "lib/plugin/job.h"
#include "pass/combined/combined.h"
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
	put(&got, "! %s: ", message->pass);
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

/* The lines of a text that define strings, which come before names, or all others. */
static void put_strings(struct text *to, const char *text, bool strings)
{
	for (const char *at = text; *at; at = next_line(at)) {
		const bool is_string = !strncmp(at + strcspn(at, " \n"), " = OpString ", 12);
		if (is_string == strings)
			put(to, "%.*s", (int)(next_line(at) - at), at);
	}
}

static spv_binary resolver_of_case(uint32_t version)
{
	static struct text text;

	clear(&text);
	put(&text, "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n");
	put_strings(&text, parts[RESOLVER].items, true);
	put_names(&text, parts[RESOLVER].items);
	put_strings(&text, parts[RESOLVER].items, false);
	spv_binary binary = assembled(text.items);
	binary->code[1] = version;
	return binary;
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
	resolver = parts[RESOLVER].count ? resolver_of_case(version) : NULL;
	if (resolver)
		assert_int_equal(plugin->set(job, "resolver", "r"), SPB_OK);
	assert_int_equal(plugin->add(job, "m", binary->code, binary->wordCount), SPB_OK);
	if (plugin->run(job) == SPB_OK) {
		const uint32_t *words = plugin->module(job, 0, &count);
		spv_text before = disassembled(binary->code, binary->wordCount), after = disassembled(words, count);
		put_difference(&got, before->str, after->str);
		assert_int_equal(plugin->changed(job, 0),
				 count != binary->wordCount || memcmp(words, binary->code, 4 * count) != 0);
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
			const enum part part = part_named(at + 2);
			to = &(*title ? parts : shared)[part];
			if (*title || part == HEAD)
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

/* What assign-bindings notes for later runs */

enum { VARIABLES = 3 };

struct noting {
	struct spb_unit unit;
	spv_binary binary;
	bool changed;
};

static void assign(void *argument)
{
	struct noting *n = argument;
	struct spb_unit *u = &n->unit;

	spb_module_parse(&u->m, "m", n->binary->code, n->binary->wordCount);
	spb_edit_begin(&u->edit, &u->m, &u->m.context->edits);
	n->changed = spb_pass_assign_bindings(u);
	spb_edit_commit(&u->edit);
}

/* The texts of OpModuleProcessed, each with a line. */
static void put_remarks(struct text *to, const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_PROCESSED]; at < m->section[SPB_SECTION_ANNOTATION];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpModuleProcessed)
			put(to, "%.60s\n", spb_string(m, at + 1));
	}
}

/* Of variables 1.0, 1.1, ..., as the module has it unless it is `moved`. Their names are not in the module, which has
 * no index when the pass begins. */
static void note(const char *had, const char *remark, const spb_options *options, const struct spb_variable *variables,
		 const char *removed, bool moved, const char *wanted, bool changed)
{
	struct spb_parameter parameters[VARIABLES] = {{0}};
	struct spb_layout layout = {.parameters = {parameters, VARIABLES, VARIABLES}};
	struct spb_variable items[VARIABLES] = {{0}};
	struct noting n = {.unit = {.options = options, .layout = &layout, .registers_remark = remark}};
	static struct text text;

	clear(&text);
	put(&text,
	    "OpCapability Shader\n%%9 = OpExtInstImport \"NonSemantic.ClspvReflection.5\"\n"
	    "OpMemoryModel Logical GLSL450\n%s%s%s",
	    had ? "OpModuleProcessed \"" : "", had ? had : "", had ? "\"\n" : "");
	for (uint32_t i = 0; i < VARIABLES; i++) {
		put(&text, "OpDecorate %%%u DescriptorSet 1\nOpDecorate %%%u Binding %u\n", i + 1, i + 1, i);
		items[i] = variables[i];
		items[i].id = i + 1;
		items[i].set = 1;
		items[i].binding = i;
		items[i].placed_once = true;
		items[i].parameter = i;
		parameters[i].set = 1;
		parameters[i].binding = i + moved;
		parameters[i].place = removed[i] == 'x' ? SPB_PLACE_REMOVED : SPB_PLACE_FIXED;
	}
	put(&text, "%%4 = OpTypeInt 32 0\n%%5 = OpTypePointer Private %%4\n%%1 = OpVariable %%5 Private\n"
		   "%%2 = OpVariable %%5 Private\n%%3 = OpVariable %%5 Private\n");
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	assert_int_equal(spvTextToBinaryWithOptions(context, text.items, text.count,
						    SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &n.binary, NULL),
			 SPV_SUCCESS);
	spvContextDestroy(context);
	n.unit.variables.items = items;
	n.unit.variables.count = VARIABLES;
	const spb_callbacks callbacks = {hear, NULL};
	clear(&got);
	assert_int_equal(spb_context_create(NULL, &callbacks, &n.unit.m.context), SPB_OK);
	assert_false(caught(n.unit.m.context, assign, &n));
	assert_int_equal(moved, strstr(got.items, "%1 moves from set 1, binding 0 to set 1, binding 1,") != NULL);
	clear(&text);
	spb_module_need_index(&n.unit.m);
	put_remarks(&text, &n.unit.m);
	expect(text.items, wanted, remark);
	assert_int_equal(n.changed, changed);
	spvBinaryDestroy(n.binary);
	spb_context *own = n.unit.m.context;
	spb_module_release(&n.unit.m);
	spb_context_destroy(own);
}

static const char *long_text(char with, size_t length)
{
	static char text[2][300000];
	static size_t next;
	char *to = text[next++ % 2];

	memset(to, with, length);
	to[length] = '\0';
	return to;
}

static void a_remark_about_registers_is_kept_up_to_date(void **state)
{
	static const struct spb_variable none[VARIABLES] = {
	    {.extra = &spb_no_extra}, {.extra = &spb_no_extra}, {.extra = &spb_no_extra}};
#define OLD "spirv-bind: registers shifted t:0=1"
#define NEW "spirv-bind: registers shifted t:0=2"
	static const struct {
		const char *had, *remark;
		bool moved;
		const char *wanted;
		bool changed;
	} rows[] = {
	    {NULL, "", false, "", false},
	    {NULL, "", true, "", true},
	    {NULL, NEW, false, NEW "\n", true},
	    {NULL, NEW, true, NEW "\n", true},
	    {NEW, NEW, false, NEW "\n", false},
	    {NEW, NEW, true, NEW "\n", true},
	    {OLD, NEW, false, NEW "\n", true},
	    {OLD, "", false, OLD "\n", false}, /* as it was, it may still be true */
	    {OLD, "", true, "", true},
	    {"another", "", true, "another\n", true},
	    {"another", NEW, true, "another\n" NEW "\n", true},
	};
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	for (size_t i = 0; i < SPB_COUNT(rows); i++)
		note(rows[i].had, rows[i].remark, &options, none, "---", rows[i].moved, rows[i].wanted,
		     rows[i].changed);
	/* An instruction has at most 0xFFFF words: one, the characters, and a NUL. */
	note(NULL, long_text('x', 4 * 0xFFFE - 1), &options, none, "---", false,
	     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", true);
	note(NULL, long_text('x', 4 * 0xFFFE), &options, none, "---", false, "", false);
}

static void parts_are_noted_where_names_say_their_order(void **state)
{
	const struct spb_extra split[] = {{.origin = 1, .declared = "whole"},
					  {.origin = 2, .declared = "whole"},
					  {.origin = 1},
					  {.origin = 1, .part_of = "whole", .declared = "whole"},
					  {.declared = "whole"}};
#define PART(n, name_, key_)                                                                                           \
	{                                                                                                              \
		.extra = &split[n], .name = name_, .key = key_                                                         \
	}
#define NONE                                                                                                           \
	{                                                                                                              \
		.extra = &spb_no_extra, .name = "none", .key = "none"                                                  \
	}
#define NOTE(part, whole) "spirv-bind: part " part " of " whole "\n"
	const struct {
		struct spb_variable variables[VARIABLES];
		const char *removed, *wanted;
	} rows[] = {
	    {{PART(0, "a", ""), PART(0, "b", ""), NONE}, "---", NOTE("a", "whole") NOTE("b", "whole")},
	    {{NONE, PART(0, "a", ""), PART(0, "b", "")}, "---", NOTE("a", "whole") NOTE("b", "whole")},
	    {{PART(0, "a", ""), PART(0, "b", ""), PART(0, "c", "")}, "-x-", NOTE("a", "whole") NOTE("c", "whole")},
	    {{PART(0, "a", ""), NONE, NONE}, "---", NOTE("a", "whole")},
	    /* One that is alone, and has the name of the whole, is found without. */
	    {{PART(0, "whole", ""), NONE, NONE}, "---", ""},
	    {{NONE, PART(0, "whole", ""), NONE}, "---", ""},
	    {{NONE, NONE, PART(0, "whole", "")}, "---", ""},
	    {{PART(0, "whole", ""), PART(1, "whole", ""), NONE}, "---", ""},
	    {{NONE, PART(0, "whole", ""), PART(0, "b", "")}, "---", NOTE("whole", "whole") NOTE("b", "whole")},
	    {{NONE, PART(0, "b", ""), PART(0, "whole", "")}, "---", NOTE("b", "whole") NOTE("whole", "whole")},
	    {{PART(0, "whole", ""), PART(0, "b", ""), NONE}, "---", NOTE("whole", "whole") NOTE("b", "whole")},
	    /* What is not declared under another name, has none, was split before, or was not split. */
	    {{PART(2, "a", "key"), PART(2, "b", ""), NONE}, "---", NOTE("a", "key")},
	    {{PART(0, "", "key"), PART(0, "b", ""), NONE}, "---", NOTE("b", "whole")},
	    {{PART(3, "a", ""), PART(0, "b", ""), PART(4, "c", "")}, "---", NOTE("b", "whole")},
	};
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	for (unsigned rebind = SPB_REBIND_MISSING; rebind <= SPB_REBIND_ALL_SETS; rebind++) {
		for (unsigned order = 0; order < 4; order++) {
			options.layout.rebind = (spb_rebind)rebind;
			options.layout.order = (spb_order)order;
			const bool matters = rebind >= SPB_REBIND_ALL && order != SPB_ORDER_MODULE;
			for (size_t i = 0; i < SPB_COUNT(rows); i++)
				note(NULL, "", &options, rows[i].variables, rows[i].removed, false,
				     matters ? rows[i].wanted : "", matters && *rows[i].wanted);
		}
	}
	/* Both names together have at most 1 << 16 bytes. */
	for (unsigned more = 0; more < 2; more++) {
		const struct spb_extra named = {.origin = 1, .declared = long_text('w', 40000)};
		const struct spb_variable variables[VARIABLES] = {
		    {.extra = &named, .name = long_text('p', (1 << 16) - 40000 + more)}, NONE, NONE};
		note(NULL, "", &options, variables, "---", false,
		     more ? "" : "spirv-bind: part ppppppppppppppppppppppppppppppppppppppppppp\n", !more);
	}
}

/* pieces.c */

struct splitting {
	struct spb_unit unit;
	spv_binary binary;
	const struct spb_companion *companions;
	size_t count;
	uint32_t gone;
};

static void split(void *argument)
{
	struct splitting *s = argument;
	struct spb_unit *u = &s->unit;
	const struct spb_piece before[] = {
	    {.variable = 6, .origin = 9, .piece = 0, .pieces = 2, .declared = "x", .path = ".a"},
	    {.variable = 7, .origin = 9, .piece = 1, .pieces = 2, .declared = "x", .path = ".b"},
	    {.variable = 1, .origin = 2, .piece = 0, .pieces = 2, .declared = "w", .path = ".a"},
	    {.variable = 2, .origin = 2, .piece = 1, .pieces = 2, .declared = "w", .path = ".b"},
	    {.variable = 3, .origin = 1, .piece = 0, .pieces = 1, .declared = "v", .path = ""}};

	spb_module_parse(&u->m, "m", s->binary->code, s->binary->wordCount);
	spb_module_need_uses(&u->m);
	spb_edit_begin(&u->edit, &u->m, &u->m.context->edits);
	for (size_t i = 0; i < SPB_COUNT(before); i++)
		SPB_PUSH(&u->m.keep, &u->pieces, before[i]);
	uint32_t *gone = spb_bits(&u->m.context->scratch, u->m.bound);
	if (s->gone)
		spb_set_bit(gone, s->gone);
	spb_add_companions(u, s->companions, s->count, s->gone ? gone : NULL);
	spb_edit_commit(&u->edit);
	spb_module_need_index(&u->m);
}

/* Two members of x, two of w at one binding, v, and what was whole before: d, which nothing uses, and e. */
static void parts_are_numbered_beside_what_they_are_of(void **state)
{
#define FIRST "6 is 0 of 2 in 9: x.a\n7 is 1 of 2 in 9: x.b\n"
#define WHOLE "1 is 0 of 2 in 2: w.a\n2 is 1 of 2 in 2: w.b\n"
#define OTHER "3 is 0 of 1 in 1: v\n"
	static const struct {
		struct spb_companion companions[4];
		size_t count;
		uint32_t gone;
		const char *pieces; /* ?: unused; @: decorated with the binding of w */
	} rows[] = {
	    {{{0}}, 0, 0, WHOLE OTHER},
	    {{{1, 20, ".s"}}, 1, 0, "1 is 0 of 3 in 2: w.a\n20@ is 1 of 3 in 2: w.a.s\n2 is 2 of 3 in 2: w.b\n" OTHER},
	    {{{2, 20, ".s"}}, 1, 0, "1 is 0 of 3 in 2: w.a\n2 is 1 of 3 in 2: w.b\n20 is 2 of 3 in 2: w.b.s\n" OTHER},
	    {{{3, 20, ".s"}}, 1, 0, WHOLE OTHER "20 is 1 of 1 in 1: v.s\n"},
	    {{{3, 20, ".s"}, {3, 21, ".t"}}, 2, 0, WHOLE OTHER "20 is 1 of 1 in 1: v.s\n21 is 2 of 1 in 1: v.t\n"},
	    {{{4, 20, ".s"}}, 1, 0, WHOLE OTHER "4? is 0 of 1 in 10: d\n20? is 1 of 1 in 10: d.s\n"},
	    {{{5, 20, ".s"}}, 1, 0, WHOLE OTHER "5 is 0 of 1 in 10: e\n20 is 1 of 1 in 10: e.s\n"},
	    {{{5, 20, ".s"}, {4, 21, ".t"}},
	     2,
	     0,
	     WHOLE OTHER
	     "5 is 0 of 1 in 10: e\n20 is 1 of 1 in 10: e.s\n4? is 0 of 1 in 11: d\n21? is 1 of 1 in 11: d.t\n"},
	    {{{1, 20, ".s"}, {3, 21, ".t"}, {5, 22, ".u"}, {5, 23, ".v"}},
	     4,
	     0,
	     "1 is 0 of 3 in 2: w.a\n20@ is 1 of 3 in 2: w.a.s\n2 is 2 of 3 in 2: w.b\n" OTHER
	     "21 is 1 of 1 in 1: v.t\n"
	     "5 is 0 of 1 in 10: e\n22 is 1 of 1 in 10: e.u\n23 is 2 of 1 in 10: e.v\n"},
	    {{{1, 20, ".s"}}, 1, 1, "20@ is 0 of 2 in 2: w.a.s\n2 is 1 of 2 in 2: w.b\n" OTHER},
	    {{{5, 20, ".s"}}, 1, 5, WHOLE OTHER "20 is 0 of 1 in 10: e.s\n"},
	    {{{5, 20, ".s"}}, 1, 3, WHOLE "5 is 0 of 1 in 10: e\n20 is 1 of 1 in 10: e.s\n"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		static struct text text;
		struct splitting s = {.companions = rows[i].companions, .count = rows[i].count, .gone = rows[i].gone};
		clear(&text);
		put(&text, "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpName %%4 \"d\"\nOpName %%5 \"e\"\n"
			   "OpDecorate %%1 Binding 7\nOpDecorate %%3 Binding 9\n%%10 = OpTypeVoid\n"
			   "%%11 = OpTypeFunction %%10\n%%12 = OpTypeInt 32 0\n%%13 = OpTypePointer Private %%12\n");
		for (unsigned id = 1; id <= 7; id++)
			put(&text, "%%%u = OpVariable %%13 Private\n", id);
		for (unsigned id = 20; id <= 23; id++)
			put(&text, "%%%u = OpVariable %%13 Private\n", id);
		put(&text, "%%14 = OpFunction %%10 None %%11\n%%15 = OpLabel\n%%16 = OpLoad %%12 %%5\nOpReturn\n"
			   "OpFunctionEnd\n");
		spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
		assert_int_equal(spvTextToBinaryWithOptions(context, text.items, text.count,
							    SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &s.binary,
							    NULL),
				 SPV_SUCCESS);
		spvContextDestroy(context);
		assert_int_equal(spb_context_create(NULL, NULL, &s.unit.m.context), SPB_OK);
		assert_false(caught(s.unit.m.context, split, &s));
		clear(&text);
		for (size_t k = 0; k < s.unit.pieces.count; k++) {
			const struct spb_piece *p = &s.unit.pieces.items[k];
			uint32_t binding = spb_decoration(&s.unit.m, p->variable, SpvDecorationBinding);
			put(&text, "%u%s%s is %u of %u in %u: %s%s\n", p->variable, p->unused ? "?" : "",
			    p->variable >= 20 && binding && s.unit.m.words[binding] == 7 &&
				    spb_length(&s.unit.m, binding - 3) == 4
				? "@"
				: "",
			    p->piece, p->pieces, p->origin, p->declared, p->path);
		}
		assert_int_equal(strncmp(text.items, FIRST, strlen(FIRST)), 0);
		expect(text.items + strlen(FIRST), rows[i].pieces, "pieces");
		spvBinaryDestroy(s.binary);
		spb_context *own = s.unit.m.context;
		spb_module_release(&s.unit.m);
		spb_context_destroy(own);
	}
}

/* --dump-after */

/* What is dumped has the byte order of what was given, as what is written has. */
static void dumps_have_the_order_of_the_input(void **state)
{
	const spb_plugin_host host = {.struct_size = sizeof host, .message = hear};

	(void)state;
	for (unsigned swapped = 0; swapped < 2; swapped++) {
		spb_job *job;
		size_t count, dumped;
		spv_binary binary = assembled("OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
					      "OpDecorate %a NonWritable\n%a = OpDecorationGroup\n");
		uint32_t *words = malloc(binary->wordCount * sizeof *words);
		assert_non_null(words);
		for (size_t i = 0; i < binary->wordCount; i++) {
			const uint32_t w = binary->code[i];
			words[i] = swapped ? w << 24 | (w & 0xFF00) << 8 | (w >> 8 & 0xFF00) | w >> 24 : w;
		}
		assert_int_equal(plugin->create(&host, &job), SPB_OK);
		job->options.debug.dump_after = "expand-groups";
		assert_int_equal(plugin->set(job, "validate", "none"), SPB_OK);
		assert_int_equal(plugin->add(job, "m", words, binary->wordCount), SPB_OK);
		assert_int_equal(plugin->run(job), SPB_OK);
		const uint32_t *made = plugin->module(job, 0, &count);
		const uint32_t *dump = spb_program_dump(plugin->program(job), 0, &dumped);
		assert_int_equal(count, binary->wordCount - 5);
		assert_int_equal(dumped, count);
		assert_memory_equal(dump, made, count * sizeof *dump);
		assert_int_equal(dump[0], words[0]);
		plugin->destroy(job);
		free(words);
		spvBinaryDestroy(binary);
	}
}

/* expand-groups */

/* `count` decorations of a group for as many targets, in a module of `words`. `odd`: one of them has no operand. */
static bool may_expand(uint32_t count, bool odd, uint32_t words)
{
	static struct text text;
	const spb_plugin_host host = {.struct_size = sizeof host, .message = hear};
	spb_job *job;

	clear(&text);
	put(&text, "OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
	spv_binary empty = assembled(text.items);
	const uint32_t own = (uint32_t)empty->wordCount + 4 * count - odd + 2 + 2 + count + 4 + 4 * count;
	spvBinaryDestroy(empty);
	assert_true(words >= own + 3);
	put(&text, "OpName %%g \"%.*s\"\n", 4 * (int)(words - own - 3), long_text('x', 4 * (words - own - 3)));
	if (odd)
		put(&text, "OpDecorate %%g NonWritable\n");
	for (uint32_t i = odd; i < count; i++)
		put(&text, "OpDecorate %%g Binding %u\n", i);
	put(&text, "%%g = OpDecorationGroup\nOpGroupDecorate %%g");
	for (uint32_t i = 0; i < count; i++)
		put(&text, " %%c%u", i);
	put(&text, "\n%%int = OpTypeInt 32 0\n");
	for (uint32_t i = 0; i < count; i++)
		put(&text, "%%c%u = OpConstant %%int %u\n", i, i);
	spv_binary binary = assembled(text.items);
	assert_int_equal(binary->wordCount, words);
	assert_int_equal(plugin->create(&host, &job), SPB_OK);
	job->options.debug.only = "expand-groups";
	assert_int_equal(plugin->set(job, "validate", "none"), SPB_OK);
	assert_int_equal(plugin->add(job, "m", binary->code, binary->wordCount), SPB_OK);
	clear(&got);
	const bool may = plugin->run(job) == SPB_OK;
	if (!may)
		expect(got.items,
		       "! expand-groups: expanding the decoration groups would make the module more than five times as "
		       "large; "
		       "decorate the ids directly\n",
		       "of what is too large");
	plugin->destroy(job);
	spvBinaryDestroy(binary);
	return may;
}

/* No instruction is added to four times the module's words and 1 << 16 more. */
static void decorations_of_groups_are_limited(void **state)
{
	const uint32_t count = 151, last = 4 * (count * count - 1), with_odd = last - count;

	(void)state;
	assert_true(may_expand(count, false, (last - (1 << 16)) / 4));
	assert_false(may_expand(count, false, (last - (1 << 16)) / 4 - 1));
	assert_int_equal(with_odd % 4, 1);
	assert_false(may_expand(count, true, (with_odd - (1 << 16)) / 4));
	assert_true(may_expand(count, true, (with_odd - (1 << 16)) / 4 + 1));
}

#define CASES(name)                                                                                                    \
	{                                                                                                              \
		name, cases_become_what_they_should, NULL, NULL, (void *)(uintptr_t)(name)                             \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    CASES("assign-bindings.rows"),
	    CASES("declare-runtime-arrays.rows"),
	    CASES("decorate-nonuniform.rows"),
	    CASES("expand-groups.rows"),
	    CASES("merge-combined.rows"),
	    CASES("merge-indexes.rows"),
	    CASES("remove-unused.rows"),
	    CASES("split-combined.rows"),
	    CASES("unsize-arrays.rows"),
	    CASES("flowing-shapes.rows"),
	    CASES("lower-handles.rows"),
	    CASES("resolve-descriptors.rows"),
	    CASES("mixed-shapes.rows"),
	    CASES("waterfall.rows"),
	    CASES("resolvers.rows"),
	    CASES("whole.rows"),
	    cmocka_unit_test(a_remark_about_registers_is_kept_up_to_date),
	    cmocka_unit_test(parts_are_noted_where_names_say_their_order),
	    cmocka_unit_test(parts_are_numbered_beside_what_they_are_of),
	    cmocka_unit_test(dumps_have_the_order_of_the_input),
	    cmocka_unit_test(decorations_of_groups_are_limited),
	};

	plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
