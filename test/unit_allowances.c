/* SPDX-License-Identifier: Apache-2.0 */
/* Comments that allow findings of the lint: each row has source files and what their comments allow, where, and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "analysis/source/source.h"
#include "caught.h"

enum { LONG = 200000 };

struct text {
	char items[LONG];
	size_t count;
};

static void clear(struct text *t)
{
	t->count = 0;
	t->items[0] = 0;
}

static void put(struct text *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	t->count += (size_t)vsnprintf(t->items + t->count, LONG - t->count, format, arguments);
	va_end(arguments);
	assert_true(t->count < LONG);
}

static void expect(const char *got, const char *expected, const char *what)
{
	if (strcmp(got, expected) != 0)
		fail_msg("%s\n got      %s\n expected %s", what, got, expected);
}

struct reading {
	const uint32_t *words;
	size_t count;
	struct spb_module m;
	struct spb_arena arena;
	struct text got;
};

/* RULE line LINE: REASON, for each; a file is named where it is not t, and where the comment is elsewhere, too. */
static void read_module(void *argument)
{
	struct reading *k = argument;

	spb_module_parse(&k->m, "m", k->words, k->count);
	const struct spb_allowances all = spb_read_allowances(&k->m, &k->arena);
	for (size_t i = 0; i < all.count; i++) {
		const struct spb_allowance *a = &all.items[i];
		put(&k->got, "%s%s ", i ? "; " : "", *a->rule ? a->rule : "-");
		if (strcmp(a->file, "t") != 0)
			put(&k->got, "%s:", a->file);
		put(&k->got, "%u", a->code_line);
		if (strcmp(a->file, a->comment_file) != 0 || a->line != a->code_line)
			put(&k->got, " by %s:%u", a->comment_file, a->line);
		put(&k->got, a->is_main ? "" : " included");
		put(&k->got, *a->reason ? " (%s)" : "%s", a->reason);
	}
}

/* A module with these files: `t` and its text; `|u|` begins the next one, and `|` a piece of the same. */
static uint32_t *with_source(const char *files, size_t *count)
{
	static struct text strings, sources, all;

	clear(&strings), clear(&sources), clear(&all);
	put(&strings, "%%s0 = OpString \"t\"\n");
	put(&sources, "OpSource GLSL 450 %%s0 \"");
	for (unsigned i = 0; *files; files++) {
		if (*files == '|' && files[1] && files[2] == '|') {
			put(&strings, "%%s%u = OpString \"%c\"\n", ++i, files[1]);
			put(&sources, "\"\nOpSource GLSL 450 %%s%u \"", i);
			files += 2;
		} else if (*files == '|') {
			put(&sources, "\"\nOpSourceContinued \"");
		} else {
			put(&sources, strchr("\"\\", *files) ? "\\%c" : "%c", *files);
		}
	}
	put(&all,
	    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
	    "OpExecutionMode %%main LocalSize 1 1 1\n%s%s\"\n%%void = OpTypeVoid\n%%f = OpTypeFunction %%void\n"
	    "%%main = OpFunction %%void None %%f\n%%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
	    strings.items, sources.items);
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	spv_binary binary = NULL;
	assert_int_equal(spvTextToBinary(context, all.items, all.count, &binary, NULL), SPV_SUCCESS);
	uint32_t *words = malloc(binary->wordCount * sizeof *words);
	memcpy(words, binary->code, binary->wordCount * sizeof *words);
	*count = binary->wordCount;
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return words;
}

#define ALLOW "// spirv-bind: allow "

static void comments_allow(void **state)
{
	static const struct {
		const char *files, *allowed;
	} rows[] = {
	    {"a; " ALLOW "x", "x 1"},
	    {"\na; " ALLOW "x\nb", "x 2"},
	    {"a;\n" ALLOW "x\n\nb; c;\nd", "x 4 by t:2"},
	    {ALLOW "x", "x 0 by t:1"},
	    {"a\n" ALLOW "x\n", "x 0 by t:2"},
	    {ALLOW "x\n" ALLOW "y\nb " ALLOW "z", "x 3 by t:1; y 3 by t:2; z 3"},
	    {"a " ALLOW "x\n" ALLOW "y\nb\n" ALLOW "z\n", "x 1; y 3 by t:2; z 0 by t:4"},
	    {"/* spirv-bind: allow x */ a\nb", "x 1"},
	    {"a /* spirv-bind: allow x */\nb", "x 1"},
	    {"a\n/* spirv-bind: allow x */ b\nc", "x 2"},
	    {"/* spirv-bind: allow x\n\n*/ a", "x 3 by t:1"},
	    /* comments for spirv-bind */
	    {"a //spirv-bind:allow x", "x 1"},
	    {"a ///!< spirv-bind: \t allow\tx", "x 1"},
	    {"a /** spirv-bind: allow x **/", "x 1 (*)"},
	    {"a /*spirv-bind: allow x*/", "x 1"},
	    {"a // spirv-bind: allow x*/", "x*/ 1"},
	    {"a // spirv-bind allow x", ""},
	    {"a // spirv-bind: allowed x", ""},
	    {"a // spirv-bind: deny x", ""},
	    {"a // spirv-bind: allo", ""},
	    {"a // no spirv-bind: allow x", ""},
	    {"a // spirv-bind:", ""},
	    {"a // \nspirv-bind: allow x", ""},
	    {"a // spirv-bind: allow", "- 1"},
	    {"a /* spirv-bind: allow*/", "- 1"},
	    {"a // spirv-bind: allow: why", "- 1 (why)"},
	    {"a // spirv-bind: allow, x", "- 1 (x)"},
	    {"a \"// spirv-bind: allow x\"", ""},
	    /* rules */
	    {"a " ALLOW "x,y , z w", "x 1 (w); y 1 (w); z 1 (w)"},
	    {"a " ALLOW "x y", "x 1 (y)"},
	    {"a " ALLOW "SPB5001 SPB5002  SPB9, x", "SPB5001 1; SPB5002 1; SPB9 1; x 1"},
	    {"a " ALLOW "SPB5001 SPBx", "SPB5001 1 (SPBx)"},
	    {"a " ALLOW "SPB5001 SPB", "SPB5001 1 (SPB)"},
	    {"a " ALLOW "SPB5001 SPB/", "SPB5001 1 (SPB/)"},
	    {"a " ALLOW "SPB5001 SPB:", "SPB5001 1 (SPB:)"},
	    {"a " ALLOW "SPB5001 SPB0 SPB9", "SPB5001 1; SPB0 1; SPB9 1"},
	    {"a " ALLOW "x,,y", "x 1 (y); - 1 (y)"},
	    {"a " ALLOW "x,", "x 1; - 1"},
	    {ALLOW "x, y\na", "x 2 by t:1; y 2 by t:1"},
	    /* reasons */
	    {"a " ALLOW "x: since  it is - so \t", "x 1 (since  it is - so)"},
	    {"a " ALLOW "x -- :since", "x 1 (since)"},
	    {"a /* spirv-bind: allow x: one\n\ttwo */", "x 1 (one  two)"},
	    {"a " ALLOW "x:y, z", "x 1 (y, z)"},
	    /* lines as compilers count them */
	    {"#line 9\na " ALLOW "x", "x 9"},
	    {"#version 450\n#line 9\na " ALLOW "x", "x 9"},
	    {"#version 150\n#line 9\na " ALLOW "x", "x 10"},
	    {"#version 329\n#line 9\na " ALLOW "x", "x 10"},
	    {"#version 330\n#line 9\na " ALLOW "x", "x 9"},
	    {"#version 300 es\n#line 9\na " ALLOW "x", "x 9"},
	    {"#version 100\n#line 9\na " ALLOW "x", "x 9"},
	    {"#version 150 core\n#line 9\na " ALLOW "x", "x 10"},
	    {"#line 9 \"u\"\na " ALLOW "x", "x u:9"},
	    {"#line 9 u\na " ALLOW "x", "x 9"},
	    {"#line x\na " ALLOW "x", "x 2"},
	    {"#line 4294967294\na " ALLOW "x", "x 4294967294"},
	    {"#line 4294967295\na " ALLOW "x", "x 2"},
	    {"#define line 9\na " ALLOW "x", "x 2"},
	    {"a #line 9\nb " ALLOW "x", "x 2"},
	    {ALLOW "x\n#line 9 \"u\"\na", "x u:9 by t:1"},
	    {ALLOW "x\n#define b\n# line 9\na", "x 9 by t:1"},
	    {"#define b " ALLOW "x\na", "x 2 by t:1"},
	    {"a\n#line 1 \"u\"\n" ALLOW "x\n#line 1 \"t\"\nb", "x 1 by u:1"},
	    {"a\n#line 1 \"u\"\n/* spirv-bind: allow x */ b", "x u:1"},
	    /* files */
	    {"a|u|b " ALLOW "x", "x u:1 included"},
	    {ALLOW "x|u|b " ALLOW "y", "x 0 by t:1; y u:1 included"},
	    {"a|u|" ALLOW "x", "x u:0 by u:1 included"},
	    {"a\n// spi|rv-bind: al|low x\nb|u|c", "x 3 by t:2"},
	    {"|u|\n\na " ALLOW "x|v|", "x u:3 included"},
	    {"a|t|" ALLOW "x\nb", "x 2 by t:1 included"}, /* another file of that name */
	    {"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		static struct reading k;
		spb_context *context;
		k = (struct reading){0};
		assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
		uint32_t *words = with_source(rows[i].files, &k.count);
		k.words = words;
		k.arena.context = k.m.context = context;
		assert_false(caught(context, read_module, &k));
		expect(k.got.items, rows[i].allowed, rows[i].files);
		spb_module_release(&k.m);
		spb_arena_release(&k.arena);
		spb_context_destroy(context);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(comments_allow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
