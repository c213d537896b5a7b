/* SPDX-License-Identifier: Apache-2.0 */
/* The files of many programs, written aside and put in place: which are written, with which permissions, what is left
 * when one cannot be, and what is made of stages that other runs have. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/jobs/jobs.h"

/* Each test runs in an empty folder, and what is said goes to the file `said` beside it. */
static char folder[4096];
static int before;

static int begin(void **state)
{
	(void)state;
	if (!os_make_temporary_folder(folder, sizeof folder) || chdir(folder) || mkdir("here", 0700))
		return 1;
	fflush(stderr);
	before = dup(STDERR_FILENO);
	umask(022);
	return before < 0 || !freopen("said", "w", stderr) || chdir("here");
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

static void put_file(const char *path, const char *text, mode_t mode)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(chmod(path, mode), 0);
}

static void assert_file(const char *path, const char *text, mode_t mode)
{
	char found[1000];
	struct stat st;
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	found[fread(found, 1, sizeof found - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(found, text);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, mode);
}

static void assert_gone(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), -1);
}

static const char *said(void)
{
	static char text[5000];
	FILE *f = fopen("../said", "rb");

	fflush(stderr);
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	rewind(stderr);
	assert_int_equal(ftruncate(STDERR_FILENO, 0), 0);
	return text;
}

static struct output of(const char *path, const char *text)
{
	return (struct output){.path = path, .bytes = text, .size = strlen(text)};
}

/* Stages the outputs of one program and, if that is possible, puts them in place. */
static bool written(struct stage *s, struct output *outputs, size_t count)
{
	struct staged_files files;

	return stage_outputs(s, outputs, count, &files) && sync_files(s, &files, 1) && place_files(&files);
}

static void what_differs_is_written_with_the_permissions_that_are_there(void **state)
{
	struct output all[] = {of("new", "1"),       of("equal", "same"),  of("changed", "new"),
			       of("longer", "ab"),   of("read only", "x"), of("d/new", "2"),
			       of("link", "linked"), of("empty", ""),      of("emptied", "")};
	const bool changes[] = {true, false, true, true, true, true, true, true, true};
	char absolute[5000];

	(void)state;
	put_file("equal", "same", 0600);
	put_file("changed", "old", 0640);
	put_file("longer", "abc", 0755);
	put_file("read only", "y", 0444);
	put_file("emptied", "x", 0600);
	assert_int_equal(mkdir("d", 0700) | mkdir("e", 0700), 0);
	put_file("e/target", "old", 0660);
	assert_int_equal(symlink("e/target", "link"), 0);
	struct stage *s = open_stage(NULL, false);
	assert_true(written(s, all, sizeof all / sizeof *all));
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		assert_int_equal(all[i].changed, changes[i]);
	snprintf(absolute, sizeof absolute, "%s/here/absolute", folder);
	struct output more = of(absolute, "3");
	assert_true(written(s, &more, 1));
	close_stage(s);
	assert_file("new", "1", 0644);
	assert_file("equal", "same", 0600);
	assert_file("changed", "new", 0640);
	assert_file("longer", "ab", 0755);
	assert_file("read only", "x", 0444);
	assert_file("d/new", "2", 0644);
	assert_file("e/target", "linked", 0660);
	assert_file("empty", "", 0644);
	assert_file("emptied", "", 0600);
	assert_file("absolute", "3", 0644);
	struct stat st;
	assert_true(!lstat("link", &st) && S_ISLNK(st.st_mode));
	assert_gone(".spirv-bind.0");
	assert_gone("d/.spirv-bind.0");
	assert_string_equal(said(), "");
}

static void large_files_are_compared_to_their_ends(void **state)
{
	enum { SIZE = 3 * 65536 };
	static char bytes[SIZE + 1];

	(void)state;
	for (size_t at = 0; at <= SIZE; at += 65535) {
		memset(bytes, 'a', SIZE);
		put_file("file", bytes, 0600);
		struct output o = of("file", bytes);
		struct stage *s = open_stage(NULL, false);
		assert_true(written(s, &o, 1));
		assert_false(o.changed);
		bytes[at < SIZE ? at : SIZE - 1] = 'b';
		assert_true(written(s, &o, 1));
		assert_true(o.changed);
		close_stage(s);
	}
}

static void what_cannot_be_written_is_said_and_nothing_is(void **state)
{
	static const struct {
		const char *path, *wanted;
	} rows[] = {{"folder", "spirv-bind: cannot write folder: Is a directory\n"},
		    {"pipe", "spirv-bind: cannot write pipe: Invalid argument\n"},
		    {"missing/x", "spirv-bind: cannot write missing/x: No such file or directory\n"},
		    {"file/x", "spirv-bind: cannot write file/x: Not a directory\n"},
		    {"to folder", "spirv-bind: cannot write to folder: Is a directory\n"}};

	(void)state;
	put_file("file", "old", 0600);
	assert_int_equal(mkdir("folder", 0700) | mkfifo("pipe", 0600) | symlink("folder", "to folder"), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct output both[] = {of("file", "new"), of(rows[i].path, "x"), of("never", "x")};
		struct staged_files files;
		struct stage *s = open_stage(NULL, false);
		assert_false(stage_outputs(s, both, 3, &files));
		assert_string_equal(said(), rows[i].wanted);
		assert_int_equal(files.count, 0);
		close_stage(s);
		assert_file("file", "old", 0600);
		assert_gone("never");
		assert_gone(".spirv-bind.0");
	}
}

/* All files of a program or none: the old ones come back, and new ones go. */
static void a_file_that_cannot_be_placed_takes_the_others_back(void **state)
{
	(void)state;
	for (int which = 0; which < 3; which++) {
		put_file("a", "old a", 0640);
		put_file("c", "old c", 0600);
		struct output all[] = {of("a", "new a"), of("b", "new b"), of("c", "new c"), of("x", "new x")};
		static const char *const names[] = {"x", "c", "b"};
		struct staged_files files;
		struct stage *s = open_stage(NULL, false);
		assert_true(stage_outputs(s, all, 4, &files));
		unlink(names[which]);
		assert_int_equal(mkdir(names[which], 0700), 0); /* meanwhile */
		assert_false(place_files(&files));
		char wanted[100];
		snprintf(wanted, sizeof wanted, "spirv-bind: cannot write ./%s: Is a directory\n", names[which]);
		assert_string_equal(said(), wanted);
		close_stage(s);
		assert_file("a", "old a", 0640);
		if (which != 1)
			assert_file("c", "old c", 0600);
		rmdir(names[which]);
		assert_gone("b");
		assert_gone("x");
		assert_gone(".spirv-bind.0");
	}
}

static void files_that_are_discarded_are_as_never_written(void **state)
{
	struct output all[] = {of("a", "new"), of("b", "new")};
	struct staged_files files;

	(void)state;
	put_file("a", "old", 0600);
	struct stage *s = open_stage(NULL, false);
	assert_true(stage_outputs(s, all, 2, &files));
	assert_int_equal(files.count, 2);
	assert_file(".spirv-bind.0/0", "new", 0600);
	assert_file(".spirv-bind.0/1", "new", 0644);
	discard_files(&files);
	assert_true(!files.items && !files.count);
	assert_gone(".spirv-bind.0/0");
	assert_file("a", "old", 0600);
	close_stage(s);
	assert_gone("b");
	assert_gone(".spirv-bind.0");
}

static void the_folder_for_the_outputs_is_made_when_it_is_needed(void **state)
{
	struct output inside = of("new/folder/x", "1"), beside_it = of("other/x", "1");
	struct staged_files files;
	struct stat st;

	(void)state;
	struct stage *s = open_stage("new/folder", true); /* a dry run */
	assert_true(written(s, &inside, 1));
	assert_true(inside.changed);
	close_stage(s);
	assert_gone("new");

	s = open_stage("new/folder", false);
	assert_gone("new");
	assert_true(stage_outputs(s, &inside, 1, &files));
	assert_int_equal(stat("new/folder", &st), 0);
	discard_files(&files);
	assert_false(stage_outputs(s, &beside_it, 1, &files)); /* only that one */
	assert_string_equal(said(), "spirv-bind: cannot write other/x: No such file or directory\n");
	close_stage(s);
	assert_gone("new"); /* it was made in vain */

	s = open_stage("new/folder", false);
	assert_true(written(s, &inside, 1));
	put_file("new/folder/x", "meanwhile", 0600); /* what was empty is not looked at again */
	assert_true(written(s, &inside, 1));
	close_stage(s);
	assert_file("new/folder/x", "1", 0644);
	put_file("file", "", 0600);
	inside.path = "file/x";
	s = open_stage("file", false);
	assert_false(written(s, &inside, 1));
	close_stage(s);
	assert_string_equal(said(), "spirv-bind: cannot write file/x: Not a directory\n");
}

/* Holds the stage of a number until it is killed. */
static pid_t hold_stage(int number)
{
	char path[40], ready[40];
	pid_t child;

	snprintf(path, sizeof path, ".spirv-bind.%d", number);
	mkdir(path, 0700);
	snprintf(path, sizeof path, ".spirv-bind.%d/lock", number);
	snprintf(ready, sizeof ready, "../ready%d", number);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		int fd = os_open(OS_HERE, path, OS_READ_WRITE | OS_CREATE, 0600);
		if (os_lock(fd, OS_EXCLUSIVE))
			close(os_open(OS_HERE, ready, OS_WRITE | OS_CREATE, 0600));
		for (;;)
			pause();
	}
	while (!os_is_there(ready))
		os_pause(1);
	return child;
}

static void kill_it(pid_t child)
{
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void stages_of_other_runs_are_spared_and_those_of_killed_ones_used(void **state)
{
	struct output o = of("x", "1");
	struct staged_files files;

	(void)state;
	put_file("y", "", 0600); /* so that the folder is not empty */
	pid_t first = hold_stage(0), second = hold_stage(1);
	put_file(".spirv-bind.0/0", "of the first", 0600);
	put_file(".spirv-bind.1/7", "of the second", 0600);
	struct stage *s = open_stage(NULL, false);
	assert_true(stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.2/0", "1", 0644);
	assert_true(place_files(&files));
	close_stage(s);
	assert_gone(".spirv-bind.2");
	assert_file(".spirv-bind.0/0", "of the first", 0600);
	assert_file(".spirv-bind.1/7", "of the second", 0600);

	kill_it(second);
	o = of("x", "2");
	s = open_stage(NULL, false);
	assert_true(stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.1/0", "2", 0644);
	assert_gone(".spirv-bind.1/7"); /* emptied */
	assert_true(place_files(&files));
	close_stage(s);
	assert_gone(".spirv-bind.1");
	assert_file(".spirv-bind.0/0", "of the first", 0600);

	second = hold_stage(1);
	kill_it(second);
	put_file(".spirv-bind.1/7", "of the second", 0600);
	s = open_stage(NULL, false); /* which writes nothing, and removes what has been left */
	assert_true(written(s, &o, 1));
	assert_false(o.changed);
	close_stage(s);
	assert_gone(".spirv-bind.1");
	assert_file(".spirv-bind.0/0", "of the first", 0600);
	kill_it(first);
	s = open_stage(NULL, true); /* a dry run leaves all as it is */
	assert_true(written(s, &o, 1));
	close_stage(s);
	assert_file(".spirv-bind.0/0", "of the first", 0600);
	s = open_stage(NULL, false);
	assert_true(written(s, &o, 1));
	close_stage(s);
	assert_gone(".spirv-bind.0");
}

/* A stage is a folder of this user, and no link. */
static void what_is_no_stage_is_left_alone(void **state)
{
	struct output o = of("x", "1");

	(void)state;
	put_file("y", "", 0600);
	assert_int_equal(mkdir("precious", 0700) | symlink("precious", ".spirv-bind.0"), 0);
	put_file("precious/7", "precious", 0600);
	put_file(".spirv-bind.1", "a file", 0600);
	struct stage *s = open_stage(NULL, false);
	struct staged_files files;
	assert_true(stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.2/0", "1", 0644);
	assert_true(place_files(&files));
	close_stage(s);
	assert_file("precious/7", "precious", 0600);
	assert_file(".spirv-bind.1", "a file", 0600);
	assert_gone(".spirv-bind.2");
	assert_file("x", "1", 0644);
}

static void disks_are_synced_and_memory_is_not(void **state)
{
	struct output o = of("x", "1");
	struct stage *s = open_stage(NULL, false);
	int here = open(".", O_RDONLY);

	(void)state;
	assert_false(needs_sync(s)); /* nothing is in use yet */
	assert_true(written(s, &o, 1));
	assert_int_equal(needs_sync(s), !os_is_in_memory(here));
	close(here);
	close_stage(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_differs_is_written_with_the_permissions_that_are_there),
	    TEST(large_files_are_compared_to_their_ends),
	    TEST(what_cannot_be_written_is_said_and_nothing_is),
	    TEST(a_file_that_cannot_be_placed_takes_the_others_back),
	    TEST(files_that_are_discarded_are_as_never_written),
	    TEST(the_folder_for_the_outputs_is_made_when_it_is_needed),
	    TEST(stages_of_other_runs_are_spared_and_those_of_killed_ones_used),
	    TEST(what_is_no_stage_is_left_alone),
	    TEST(disks_are_synced_and_memory_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
