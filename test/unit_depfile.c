/* SPDX-License-Identifier: Apache-2.0 */
/* Depfiles: those of compilers are read, and those of runs written, with stamps. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/cli.h"
#include "in_folder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void add_name(void *user, const char *path, size_t length)
{
	snprintf((char *)user + strlen(user), 200 - strlen(user), "%.*s|", (int)length, path);
}

static void depfiles_of_compilers_are_read(void **state)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {{"t: a b", "a|b|"},
		    {"t: a \\\n  b\n", "a|b|"},
		    {"t: \ta\t\\\r\nb\r\n", "a|b|"},
		    {"t: a\\ b c\\#d e\\:f g\\\\h", "a b|c#d|e:f|g\\h|"},
		    {"t: a\\b c$$d e$f g\\", "a\\b|c$d|e$f|g\\|"},
		    {"C:/t: C:/a", "C:/a|"},
		    {"t: /own/x /ow y", "/ow|y|"},
		    {"no rule", ""},
		    {"t: with blank s a\n", "with blank s|a|"}, /* glslc does not escape blanks */
		    {"t: with blanks a", "with|blanks|a|"},
		    {"t: ", ""},
		    {"", ""}};

	(void)state;
	put_file("with blank s", "");
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[100], found[200] = "";
		snprintf(text, sizeof text, "%s", rows[i].text);
		cli_read_depfile(text, "/own/", add_name, found);
		assert_string_equal(found, rows[i].wanted);
	}
}

/* The files that have been read, in that order, become this depfile. */
static void assert_depfile(const struct arguments *a, const char *const *paths, const char *wanted)
{
	cli_forget_reads();
	for (; *paths; paths++)
		cli_note_read(*paths, strlen(*paths));
	assert_int_equal(cli_write_depfile(a), EXIT_DONE);
	char *text = taken("dep");
	assert_string_equal(text, wanted);
	free(text);
	assert_string_equal(said(), "");
	cli_forget_reads();
}

#define READ(...)                                                                                                      \
	(const char *const[])                                                                                          \
	{                                                                                                              \
		__VA_ARGS__, NULL                                                                                      \
	}

static void depfiles_name_targets_and_dependencies(void **state)
{
	static const struct {
		const char *path, *escaped;
	} paths[] = {{"a b", "a\\ b"},       {"a#b", "a\\#b"},
		     {"a$b", "a$$b"},        {"C:/x", "C:/x"},
		     {"ab:c", "ab\\:c"},     {":", "\\:"},
		     {"a\\b", "a\\b"},       {"a\\ b", "a\\\\\\ b"},
		     {"\\#", "\\\\\\#"},     {"a\\\\ ", "a\\\\\\\\\\ "},
		     {"a\\/ b", "a\\/\\ b"}, {"a\tb", "a\\\tb"},
		     {"a|b", "a\\|b"}};
	const char *inputs[] = {"x/a.spv", "lit.vert"}, *outputs[] = {"o", "p"};
	struct arguments a = {.program.inputs = inputs,
			      .program.input_count = 2,
			      .program.modules.files = outputs,
			      .program.modules.count = 2};
	char wanted[100];

	(void)state;
	put_file("lit.vert", "");
	a.program.modules.first = "o";
	a.run.depfile = "dep";
	assert_depfile(&a, READ(NULL), "o p:\n");
	assert_depfile(&a, READ("b", "a", "b"), "o p: a b\n\na:\nb:\n");
	assert_depfile(&a, READ("a", "p", "ab", "o", "l"), "o p: a ab l\n\na:\nab:\nl:\n");
	a.program.modules.count = 1;
	assert_depfile(&a, READ("a"), "o: a\n\na:\n");
	a.program.lock.file = "l";
	assert_depfile(&a, READ("l"), "o: l\n\nl:\n");
	a.program.library.layout.update_lock = true; /* then the run writes it */
	assert_depfile(&a, READ("l", "la"), "o: la\n\nla:\n");
	a.program.modules.folder = "d";
	assert_depfile(&a, READ("a"), "d/a.spv d/lit.vert.spv: a\n\na:\n");
	a.run.stamp = "s";
	assert_depfile(&a, READ("s", "a"), "s: a\n\na:\n");
	for (size_t i = 0; i < COUNT(paths); i++) {
		snprintf(wanted, sizeof wanted, "s: %s\n\n%s:\n", paths[i].escaped, paths[i].escaped);
		assert_depfile(&a, READ(paths[i].path), wanted);
	}
	a.run.stamp = "s t";
	assert_depfile(&a, READ("a"), "s\\ t: a\n\na:\n");
	cli_ignore_reads();
	cli_note_read("a", 1);
	assert_int_equal(cli_write_depfile(&a), EXIT_DONE);
	char *text = taken("dep");
	assert_string_equal(text, "s\\ t:\n");
	free(text);
	cli_forget_reads();
	cli_note_read("ab", 1);
	assert_int_equal(cli_write_depfile(&a), EXIT_DONE);
	text = taken("dep");
	assert_string_equal(text, "s\\ t: a\n\na:\n");
	free(text);
	cli_forget_reads();
}

static void unwritable_depfiles_are_reported(void **state)
{
	struct arguments a = {.run.depfile = "dep", .run.stamp = "s"};

	(void)state;
	cli_note_read("a\nb", 3);
	assert_int_equal(cli_write_depfile(&a), EXIT_IO);
	assert_string_equal(causes(),
			    "spirv-bind: error: the name a?b has a line feed, which --depfile cannot write\n");
	cli_forget_reads();
	cli_note_read("a;b", 3);
	assert_int_equal(cli_write_depfile(&a), EXIT_IO);
	assert_string_equal(causes(),
			    "spirv-bind: error: the name a;b has a semicolon, which --depfile cannot write\n");
	cli_forget_reads();
	a.run.stamp = "s\n";
	assert_int_equal(cli_write_depfile(&a), EXIT_IO);
	assert_string_equal(causes(), "spirv-bind: error: the name s? has a line feed, which --depfile cannot write\n");
	assert_int_equal(access("dep", F_OK) & access("s", F_OK) & access("s\n", F_OK), -1);
	a.run.stamp = "s";
	a.run.depfile = "none/dep";
	assert_int_equal(cli_write_depfile(&a), EXIT_IO);
	assert_string_equal(causes(), "spirv-bind: error: cannot write none/dep: No such file or directory\n");
	assert_int_equal(access("s", F_OK), -1);
}

/* A stamp has the age of the last run. */
static void stamps_are_written_each_time(void **state)
{
	const struct timespec then = {.tv_sec = 1000}, times[2] = {then, then};
	const struct arguments a = {.run.stamp = "s"}, elsewhere = {.run.stamp = "none/s"};
	struct stat st;

	(void)state;
	for (int run = 0; run < 3; run++) {
		if (run == 1)
			put_file("s", "x");
		if (run)
			assert_int_equal(utimensat(AT_FDCWD, "s", times, 0), 0);
		assert_int_equal(cli_write_depfile(&a), EXIT_DONE);
		assert_int_equal(stat("s", &st), 0);
		assert_int_equal(st.st_size, 0);
		assert_true(st.st_mtime > 1000);
	}
	assert_int_equal(access("dep", F_OK), -1);
	assert_int_equal(cli_write_depfile(&elsewhere), EXIT_IO);
	assert_string_equal(causes(), "spirv-bind: error: cannot write none/s: No such file or directory\n");
}

static void lists_of_paths_grow(void **state)
{
	struct path_list list = {0};

	(void)state;
	for (size_t i = 0; i < 200; i++) {
		char path[20];
		snprintf(path, sizeof path, "p%zu and more", i);
		cli_add_path(&list, path, strlen(path) - 9);
	}
	assert_int_equal(list.count, 200);
	assert_false(list.incomplete);
	assert_true(list.capacity >= 200 && list.capacity < 400);
	for (size_t i = 0; i < 200; i++) {
		char path[20];
		snprintf(path, sizeof path, "p%zu", i);
		assert_string_equal(list.paths[i], path);
	}
	cli_free_paths(&list);
	assert_true(!list.paths && !list.count && !list.capacity);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(depfiles_of_compilers_are_read),
	    TEST(depfiles_name_targets_and_dependencies),
	    TEST(unwritable_depfiles_are_reported),
	    TEST(stamps_are_written_each_time),
	    TEST(lists_of_paths_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
