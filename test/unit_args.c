/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: response files up to each bound, numbers up to theirs, and which option was meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/cli.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Each test runs in an empty folder, and what is said goes to the file `said`. */
static char folder[4096];
static int before;

static int begin(void **state)
{
	(void)state;
	if (!os_make_temporary_folder(folder, sizeof folder) || chdir(folder))
		return 1;
	fflush(stderr);
	before = dup(STDERR_FILENO);
	return before < 0 || !freopen("said", "w", stderr);
}

static int end(void **state)
{
	char command[5000];

	(void)state;
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return chdir("/") || system(command);
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* What has been said since the last time. */
static const char *said(void)
{
	static char text[20000];
	FILE *f = fopen("said", "rb");

	fflush(stderr);
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	rewind(stderr);
	assert_int_equal(ftruncate(STDERR_FILENO, 0), 0);
	return text;
}

/* Response files */

/* The words that a command line becomes, each in brackets; or the message. */
static const char *expanded(const char *const *words, int *status)
{
	static char text[4000];
	char *argv[20] = {NULL}, **all = argv;
	int argc = 0;
	struct word_array to = {0};

	for (; words[argc]; argc++)
		argv[argc] = strdup(words[argc]);
	int count = argc;
	*status = expand_responses(&to, &argc, &all);
	text[0] = '\0';
	for (int i = 0; !*status && i < argc && strlen(text) < 3000; i++)
		snprintf(text + strlen(text), 900, "[%s]", all[i]);
	if (!*status)
		assert_null(all[argc]);
	free_words(&to);
	for (int i = 0; i < count; i++)
		free(argv[i]);
	return *status ? said() : text;
}

#define EXPANDED(status, ...) expanded((const char *const[]){"x", __VA_ARGS__, NULL}, status)

static void words_of_files_are_those_of_a_shell(void **state)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {{"", "[x]"},
		    {" \t\r\n\v\f", "[x]"},
		    {"a", "[x][a]"},
		    {" a\tb\rc\nd\ve\ff ", "[x][a][b][c][d][e][f]"},
		    {"\xEF\xBB\xBF"
		     "a",
		     "[x][a]"},
		    {"'a b' \"c d\" e'f'\"g\"h", "[x][a b][c d][efgh]"},
		    {"'' \"\"", "[x][][]"},
		    {"a\\ b \\'c \\\\ d\\", "[x][a b]['c][\\][d\\]"},
		    {"'a\\b' \"a\\\"b\" \"a'b\" 'a\"b'", "[x][a\\b][a\"b][a'b][a\"b]"},
		    {"a@b -@b", "[x][a@b][-@b]"},
		    {"'@b' \\@b \"@\"b @'b'", "[x][@b][@b][@b][inner]"},
		    {"@b", "[x][inner]"},
		    {"-- @b", "[x][--][@b]"},
		    {"a @b c", "[x][a][inner][c]"}};
	int status;

	(void)state;
	put_file("b", "inner");
	for (size_t i = 0; i < COUNT(rows); i++) {
		put_file("words", rows[i].text);
		assert_string_equal(EXPANDED(&status, "@words"), rows[i].wanted);
		assert_int_equal(status, 0);
	}
	assert_string_equal(EXPANDED(&status, "1", "@b", "2", "@b"), "[x][1][inner][2][inner]");
	assert_string_equal(EXPANDED(&status, "@b", "--", "@b"), "[x][inner][--][@b]");
	assert_string_equal(EXPANDED(&status, "--", "@b"), "[x][--][@b]");
	assert_string_equal(EXPANDED(&status, "a", "b"), "[x][a][b]");
}

static void what_is_wrong_with_a_file_is_said(void **state)
{
	static const struct {
		const char *text, *word, *wanted;
		int status;
	} rows[] = {
	    {"'a", "@w", "spirv-bind: @w: a quote that begins with ' does not end\n", EXIT_USAGE},
	    {"a \"b c", "@w", "spirv-bind: @w: a quote that begins with \" does not end\n", EXIT_USAGE},
	    {"@w", "@w", "spirv-bind: @w: response files name each other too often; does one name itself?\n",
	     EXIT_USAGE},
	    {"@", "@w", "spirv-bind: @ needs the name of a file; write ./@ for a file of that name\n", EXIT_USAGE},
	    {"", "@", "spirv-bind: @ needs the name of a file; write ./@ for a file of that name\n", EXIT_USAGE},
	    {"", "@-", "spirv-bind: @ needs the name of a file; write ./@ for a file of that name\n", EXIT_USAGE},
	    {"", "@missing", "spirv-bind: cannot read missing: No such file or directory\n", EXIT_IO}};
	int status;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		put_file("w", rows[i].text);
		assert_string_equal(EXPANDED(&status, "a", rows[i].word, "b"), rows[i].wanted);
		assert_int_equal(status, rows[i].status);
	}
}

/* Eight files deep, 256 of them, a million words; and one more. */
static void response_files_have_bounds(void **state)
{
	enum { DEEPEST = 8, MOST_FILES = 256, MOST_WORDS = 1 << 20 };
	static char text[2 * MOST_WORDS + 2];
	char name[20];
	int status;

	(void)state;
	put_file("f1", "deep");
	for (int depth = 2; depth <= DEEPEST + 1; depth++) {
		snprintf(name, sizeof name, "f%d", depth);
		snprintf(text, sizeof text, "@f%d", depth - 1);
		put_file(name, text);
	}
	assert_string_equal(EXPANDED(&status, "@f8"), "[x][deep]");
	EXPANDED(&status, "@f9");
	assert_int_equal(status, EXIT_USAGE);
	for (int more = -1; more < 1; more++) {
		text[0] = '\0';
		put_file("empty", "");
		for (int i = 0; i < MOST_FILES + more; i++)
			strcat(text, "@empty ");
		put_file("many", text);
		EXPANDED(&status, "@many"); /* which is one itself */
		assert_int_equal(status, more < 0 ? 0 : EXIT_USAGE);
	}
	for (int more = -1; more < 1; more++) {
		memset(text, 0, sizeof text);
		for (size_t i = 0; i < MOST_WORDS + (size_t)more; i++)
			memcpy(text + 2 * i, "w ", 2);
		put_file("many", text);
		EXPANDED(&status, "@many"); /* behind the name of the command */
		assert_int_equal(status, more < 0 ? 0 : EXIT_USAGE);
	}
}

/* Options */

/* Reads them for the input m.spv and a dry run; returns 0, or EXIT_* + 1. */
static int reading(struct arguments *a, const char *option, const char *value)
{
	char *argv[] = {strdup("x"), strdup("m.spv"), strdup("--dry-run"), strdup(option), value ? strdup(value) : NULL,
			NULL};
	int argc = value ? 5 : 4;

	read_arguments(a, argc, argv);
	for (int i = 0; i < argc; i++)
		free(argv[i]);
	return a->done;
}

static void numbers_are_read_up_to_their_ends(void **state)
{
	static const struct {
		const char *option;
		bool accepted;
		uint32_t wanted;
	} rows[] = {{"--default-set=0", true, 0},
		    {"--default-set=9", true, 9},
		    {"--default-set=4294967294", true, 4294967294},
		    {"--default-set=4294967296", false, 0},
		    {"--default-set=0x10", true, 16},
		    {"--default-set=0X1f", true, 31},
		    {"--default-set=010", true, 10},
		    {"--default-set=99999999999999999999999", false, 0},
		    {"--default-set=-1", false, 0},
		    {"--default-set=+1", false, 0},
		    {"--default-set= 1", false, 0},
		    {"--default-set=1x", false, 0},
		    {"--default-set=/", false, 0},
		    {"--default-set=:", false, 0},
		    {"--default-set=", false, 0}};
	static const struct {
		const char *option;
		bool accepted;
		unsigned wanted;
	} threads[] = {{"-j1", true, 1},   {"-j9", true, 9},   {"-j1024", true, 1024}, {"-j1025", false, 0},
		       {"-j0", false, 0},  {"-j", false, 0},   {"-jx", false, 0},      {"-j1x", false, 0},
		       {"-j-1", false, 0}, {"-j+1", false, 0}, {"-j:", false, 0},      {"-j/", false, 0}};
	static const struct {
		const char *option;
		bool accepted;
		uint32_t id;
		uint64_t wanted;
	} specs[] = {{"--spec=0=0", true, 0, 0},
		     {"--spec=4294967295=1", true, UINT32_MAX, 1},
		     {"--spec=4294967296=1", false, 0, 0},
		     {"--spec=1=18446744073709551615", true, 1, UINT64_MAX},
		     {"--spec=1=18446744073709551616", false, 0, 0},
		     {"--spec=1=-1", true, 1, UINT64_MAX},
		     {"--spec=1=-9223372036854775808", true, 1, (uint64_t)1 << 63},
		     {"--spec=1=-9223372036854775809", false, 0, 0},
		     {"--spec=0x10=0xFF", true, 16, 255},
		     {"--spec=1=0X9", true, 1, 9},
		     {"--spec=1=9x", false, 0, 0},
		     {"--spec=1x=9", false, 0, 0},
		     {"--spec=1=", false, 0, 0},
		     {"--spec==1", false, 0, 0},
		     {"--spec=1", false, 0, 0},
		     {"--spec=1=--1", false, 0, 0},
		     {"--spec=:=1", false, 0, 0}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arguments a = {0};
		assert_int_equal(!reading(&a, rows[i].option, NULL), rows[i].accepted);
		if (rows[i].accepted)
			assert_int_equal(a.options.layout.default_set, rows[i].wanted);
		free_arguments(&a);
	}
	for (size_t i = 0; i < COUNT(threads); i++) {
		struct arguments a = {0};
		assert_int_equal(!reading(&a, threads[i].option, NULL), threads[i].accepted);
		if (threads[i].accepted)
			assert_int_equal(a.threads, threads[i].wanted);
		free_arguments(&a);
	}
	for (size_t i = 0; i < COUNT(specs); i++) {
		struct arguments a = {0};
		assert_int_equal(!reading(&a, specs[i].option, NULL), specs[i].accepted);
		if (specs[i].accepted) {
			assert_int_equal(a.options.layout.spec_value_count, 1);
			assert_int_equal(a.options.layout.spec_values[0].id, specs[i].id);
			assert_true(a.options.layout.spec_values[0].value == specs[i].wanted);
		}
		free_arguments(&a);
	}
}

static void the_option_that_was_meant_is_named(void **state)
{
	static const struct {
		const char *option, *meant;
	} rows[] = {{"--outdir=x", "--out-dir"},
		    {"--out-dri=x", "--out-dir"},
		    {"--ouut-dir=x", "--out-dir"},
		    {"--ot-dri=x", "--out-dir"},
		    {"--otu-dri=x", "--out-dir"},
		    {"--stmap=x", "--stamp"},
		    {"--chec", "--check"},
		    {"--chekc", "--check"},
		    {"--chekx", NULL},
		    {"--staxy", NULL},
		    {"--stampp", "--stamp"},
		    {"--stampxy", "--stamp"},
		    {"--stampxyz", NULL},
		    {"--record-o", "--record-options"},
		    {"--rec", "--record-options"},
		    {"--x", NULL},
		    {"--completely-different", NULL},
		    {"-Z", NULL},
		    {"--layout-jso=x", "--layout-json"},
		    {"--abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", NULL}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arguments a = {0};
		char name[100], wanted[300];
		assert_int_equal(reading(&a, rows[i].option, NULL), EXIT_USAGE + 1);
		snprintf(name, sizeof name, "%.*s", (int)strcspn(rows[i].option, "="), rows[i].option);
		snprintf(wanted, sizeof wanted, "spirv-bind: unknown option %s%s%s%s (see --help)\n", name,
			 rows[i].meant ? "; did you mean " : "", rows[i].meant ? rows[i].meant : "",
			 rows[i].meant ? "?" : "");
		assert_string_equal(said(), wanted);
		free_arguments(&a);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(words_of_files_are_those_of_a_shell), TEST(what_is_wrong_with_a_file_is_said),
	    TEST(response_files_have_bounds),          TEST(numbers_are_read_up_to_their_ends),
	    TEST(the_option_that_was_meant_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
