/* SPDX-License-Identifier: Apache-2.0 */
/* The files of programs, written aside and put in place: which are written, with which permissions, what is left when
 * one cannot be, and what is made of stages that other runs have. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
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

#include "cli/cli.h"

/* Each test runs in an empty folder, and messages go to the file `said` next to it. */
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

	return cli_stage_outputs(s, outputs, count, &files) && cli_sync_files(s, &files, 1) && cli_place_files(&files);
}

/* The same by one program alone. */
static bool written_at_once(struct stage *s, struct output *outputs, size_t count)
{
	(void)s;
	return cli_write_outputs(NULL, outputs, count);
}

static void write_what_differs(bool (*write)(struct stage *s, struct output *outputs, size_t count))
{
	struct output all[] = {of("new", "1"),       of("equal", "same"),  of("changed", "new"),
			       of("longer", "ab"),   of("read only", "x"), of("d/new", "2"),
			       of("link", "linked"), of("empty", ""),      of("emptied", "")};
	const bool changes[] = {true, false, true, true, true, true, true, true, true};
	char absolute[5000];

	put_file("equal", "same", 0600);
	put_file("changed", "old", 0640);
	put_file("longer", "abc", 0755);
	put_file("read only", "y", 0444);
	put_file("emptied", "x", 0600);
	assert_int_equal(mkdir("d", 0700) | mkdir("e", 0700), 0);
	put_file("e/target", "old", 0660);
	assert_int_equal(symlink("e/target", "link"), 0);
	struct stage *s = cli_open_stage(NULL);
	assert_true(write(s, all, sizeof all / sizeof *all));
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		assert_int_equal(all[i].changed, changes[i]);
	snprintf(absolute, sizeof absolute, "%s/here/absolute", folder);
	struct output more = of(absolute, "3");
	assert_true(write(s, &more, 1));
	cli_close_stage(s);
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

static void changed_files_keep_their_permissions(void **state)
{
	(void)state;
	write_what_differs(written);
}

static void one_program_writes_only_changed_files(void **state)
{
	(void)state;
	write_what_differs(written_at_once);
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
		struct stage *s = cli_open_stage(NULL);
		assert_true(written(s, &o, 1));
		assert_false(o.changed);
		bytes[at < SIZE ? at : SIZE - 1] = 'b';
		assert_true(written(s, &o, 1));
		assert_true(o.changed);
		cli_close_stage(s);
	}
}

static void failed_writes_are_reported_and_leave_nothing(void **state)
{
	static const struct {
		const char *path, *wanted;
	} rows[] = {{"folder", "spirv-bind: error: cannot write folder: Is a directory\n"},
		    {"folder/", "spirv-bind: error: cannot write folder/: Is a directory\n"},
		    {"/dev/full", "spirv-bind: error: cannot write /dev/full: No space left on device\n"},
		    {"missing/x", "spirv-bind: error: cannot write missing/x: No such file or directory\n"},
		    {"file/x", "spirv-bind: error: cannot write file/x: Not a directory\n"},
		    {"loop", "spirv-bind: error: cannot write loop: Too many levels of symbolic links\n"},
		    {"to folder", "spirv-bind: error: cannot write to folder: Is a directory\n"}};

	(void)state;
	put_file("file", "old", 0640);
	assert_int_equal(mkdir("folder", 0700) | symlink("folder", "to folder") | symlink("loop", "loop"), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (size_t first = 0; first < 2; first++) {
			struct output both[2];
			struct staged_files files;
			both[first] = of("file", "new");
			both[!first] = of(rows[i].path, "x");
			struct stage *s = cli_open_stage(NULL);
			assert_false(cli_stage_outputs(s, both, 2, &files));
			assert_string_equal(said(), rows[i].wanted);
			assert_int_equal(files.count, 0);
			cli_close_stage(s);
			assert_false(cli_write_outputs(NULL, both, 2));
			assert_string_equal(said(), rows[i].wanted);
			assert_file("file", "old", 0640);
			assert_gone(".spirv-bind.0");
		}
	}
}

/* The standard output is not staged. */
static void standard_output_is_written_immediately(void **state)
{
	struct record r;

	(void)state;
	struct output both[] = {of("-", "to stdout"), of("x", "1")};
	struct staged_files files;
	struct stage *s = cli_open_stage(NULL);
	both[0].changed = false;
	assert_true(msg_open_record(&r));
	msg_begin_recording(&r);
	assert_true(cli_stage_outputs(s, both, 2, &files));
	assert_true(msg_end_recording(&r));
	assert_true(both[0].changed);
	assert_int_equal(r.printed_size, 9);
	assert_memory_equal(r.printed, "to stdout", 9);
	assert_int_equal(files.count, 1);
	msg_close_record(&r);
	cli_discard_files(&files);
	cli_close_stage(s);
	fflush(stdout);
	int stdout_before = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
	assert_true(stdout_before >= 0 && full >= 0);
	dup2(full, STDOUT_FILENO);
	struct output full_last[] = {of("x", "1"), of("-", "to stdout")};
	s = cli_open_stage(NULL);
	bool staged = cli_stage_outputs(s, full_last, 2, &files), at_once = cli_write_outputs(NULL, full_last, 2);
	dup2(stdout_before, STDOUT_FILENO);
	close(stdout_before);
	close(full);
	assert_false(staged || at_once);
	assert_string_equal(said(), "spirv-bind: error: cannot write to stdout: No space left on device\n"
				    "spirv-bind: error: cannot write to stdout: No space left on device\n");
	assert_int_equal(files.count, 0);
	cli_close_stage(s);
	assert_gone("x");
}

/* All files of a program or none: old ones are restored, and new ones removed. */
static void a_file_that_cannot_be_placed_rolls_back_the_others(void **state)
{
	(void)state;
	for (int which = 0; which < 3; which++) {
		put_file("a", "old a", 0640);
		put_file("c", "old c", 0600);
		struct output all[] = {of("a", "new a"), of("b", "new b"), of("c", "new c"), of("x", "new x")};
		static const char *const names[] = {"x", "c", "b"};
		struct staged_files files;
		struct stage *s = cli_open_stage(NULL);
		assert_true(cli_stage_outputs(s, all, 4, &files));
		unlink(names[which]);
		assert_int_equal(mkdir(names[which], 0700), 0); /* meanwhile */
		assert_false(cli_place_files(&files));
		char wanted[100];
		snprintf(wanted, sizeof wanted, "spirv-bind: error: cannot write ./%s: Is a directory\n", names[which]);
		assert_string_equal(said(), wanted);
		cli_close_stage(s);
		assert_file("a", "old a", 0640);
		if (which != 1)
			assert_file("c", "old c", 0600);
		rmdir(names[which]);
		assert_gone("b");
		assert_gone("x");
		assert_gone(".spirv-bind.0");
	}
}

static void discarded_files_leave_no_trace(void **state)
{
	struct output all[] = {of("a", "new"), of("b", "new")};
	struct staged_files files;

	(void)state;
	put_file("a", "old", 0600);
	struct stage *s = cli_open_stage(NULL);
	assert_true(cli_stage_outputs(s, all, 2, &files));
	assert_int_equal(files.count, 2);
	assert_file(".spirv-bind.0/0", "new", 0600);
	assert_file(".spirv-bind.0/1", "new", 0644);
	cli_discard_files(&files);
	assert_true(!files.items && !files.count);
	assert_gone(".spirv-bind.0/0");
	assert_file("a", "old", 0600);
	cli_close_stage(s);
	assert_gone("b");
	assert_gone(".spirv-bind.0");
}

static void the_folder_for_the_outputs_is_made_when_it_is_needed(void **state)
{
	struct output inside = of("new/folder/x", "1"), beside_it = of("other/x", "1");
	struct staged_files files;
	struct stat st;

	(void)state;
	struct stage *s = cli_open_stage("new/folder");
	assert_gone("new");
	assert_true(cli_stage_outputs(s, &inside, 1, &files));
	assert_int_equal(stat("new/folder", &st), 0);
	cli_discard_files(&files);
	assert_false(cli_stage_outputs(s, &beside_it, 1, &files)); /* only that one */
	assert_string_equal(said(), "spirv-bind: error: cannot write other/x: No such file or directory\n");
	cli_close_stage(s);
	assert_gone("new"); /* it was created for nothing */

	s = cli_open_stage("new/folder");
	assert_true(written(s, &inside, 1));
	put_file("new/folder/x", "meanwhile", 0600); /* an empty folder is not checked again */
	assert_true(written(s, &inside, 1));
	cli_close_stage(s);
	assert_file("new/folder/x", "1", 0644);
	put_file("file", "", 0600);
	inside.path = "file/x";
	s = cli_open_stage("file");
	assert_false(written(s, &inside, 1));
	cli_close_stage(s);
	assert_string_equal(said(), "spirv-bind: error: cannot write file/x: Not a directory\n");
}

/* Holds the stage with a number until it is killed. */
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
		if (os_lock(fd))
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

static void staging_files_of_running_processes_are_kept_and_others_reused(void **state)
{
	struct output o = of("x", "1");
	struct staged_files files;

	(void)state;
	put_file("y", "", 0600); /* so that the folder is not empty */
	pid_t first = hold_stage(0), second = hold_stage(1);
	put_file(".spirv-bind.0/0", "of the first", 0600);
	put_file(".spirv-bind.1/7", "of the second", 0600);
	struct stage *s = cli_open_stage(NULL);
	assert_true(cli_stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.2/0", "1", 0644);
	assert_true(cli_place_files(&files));
	cli_close_stage(s);
	assert_gone(".spirv-bind.2");
	assert_file(".spirv-bind.0/0", "of the first", 0600);
	assert_file(".spirv-bind.1/7", "of the second", 0600);

	kill_it(second);
	o = of("x", "2");
	s = cli_open_stage(NULL);
	assert_true(cli_stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.1/0", "2", 0644);
	assert_gone(".spirv-bind.1/7"); /* emptied */
	assert_true(cli_place_files(&files));
	cli_close_stage(s);
	assert_gone(".spirv-bind.1");
	assert_file(".spirv-bind.0/0", "of the first", 0600);

	second = hold_stage(1);
	kill_it(second);
	put_file(".spirv-bind.1/7", "of the second", 0600);
	s = cli_open_stage(NULL); /* which writes nothing, and removes what has been left */
	assert_true(written(s, &o, 1));
	assert_false(o.changed);
	cli_close_stage(s);
	assert_gone(".spirv-bind.1");
	assert_file(".spirv-bind.0/0", "of the first", 0600);
	kill_it(first);
	s = cli_open_stage(NULL);
	assert_true(written(s, &o, 1));
	cli_close_stage(s);
	assert_gone(".spirv-bind.0");
}

/* A stage is a folder of this user, not a link. */
static void files_that_are_not_staged_are_left_alone(void **state)
{
	struct output o = of("x", "1");

	(void)state;
	put_file("y", "", 0600);
	assert_int_equal(mkdir("precious", 0700) | symlink("precious", ".spirv-bind.0"), 0);
	put_file("precious/7", "precious", 0600);
	put_file(".spirv-bind.1", "a file", 0600);
	assert_int_equal(mkdir(".spirv-bind.2", 0700) | symlink("../made", ".spirv-bind.2/lock"), 0);
	struct stage *s = cli_open_stage(NULL);
	struct staged_files files;
	assert_true(cli_stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.3/0", "1", 0644);
	assert_gone("made"); /* by opening the lock */
	assert_true(cli_place_files(&files));
	cli_close_stage(s);
	assert_file("precious/7", "precious", 0600);
	assert_file(".spirv-bind.1", "a file", 0600);
	assert_gone(".spirv-bind.3");
	assert_file("x", "1", 0644);
}

static void only_disks_are_synced(void **state)
{
	struct output o = of("x", "1");
	struct stage *s = cli_open_stage(NULL);
	int here = open(".", O_RDONLY);

	(void)state;
	assert_false(cli_needs_sync(s)); /* nothing is in use yet */
	assert_true(written(s, &o, 1));
	assert_int_equal(cli_needs_sync(s), !os_is_in_memory(here));
	close(here);
	cli_close_stage(s);
}

bool __real_os_lock(int fd);
bool __wrap_os_lock(int fd);
bool __real_os_status(int fd, struct os_status *s);
bool __wrap_os_status(int fd, struct os_status *s);
static int cannot_lock; /* errno */
static bool is_renumbered;

bool __wrap_os_lock(int fd)
{
	errno = cannot_lock;
	return !cannot_lock && __real_os_lock(fd);
}

bool __wrap_os_status(int fd, struct os_status *s)
{
	static uint64_t calls;
	bool found = __real_os_status(fd, s);

	s->number += is_renumbered ? ++calls : 0;
	return found;
}

/* The number follows from the process. */
static void where_files_cannot_be_locked_the_stage_is_of_the_process(void **state)
{
	struct output o = of("x", "1");
	struct staged_files files;
	char name[40];

	(void)state;
	put_file("y", "", 0600);                       /* so that the folder is not empty */
	for (unsigned taken = 0; taken < 2; taken++) { /* by another computer, say */
		cannot_lock = taken ? 0 : EOPNOTSUPP;
		is_renumbered = taken;
		struct stage *s = cli_open_stage(NULL);
		assert_true(cli_stage_outputs(s, &o, 1, &files));
		snprintf(name, sizeof name, ".spirv-bind.%lu/0", 100 * (1 + os_process()) + taken);
		assert_file(name, taken ? "2" : "1", 0644);
		assert_true(cli_place_files(&files));
		cli_close_stage(s);
		assert_file("x", taken ? "2" : "1", 0644);
		name[strlen(name) - 2] = '\0';
		assert_gone(name);
		assert_int_equal(mkdir(name, 0700), 0);
		o = of("x", "2");
	}
	is_renumbered = false;
	assert_int_equal(system("rmdir .spirv-bind.*"), 0); /* nothing is in them */
}

static void leftovers_are_removed_in_each_folder(void **state)
{
	static const char *const left[] = {".spirv-bind.0/7", "d/.spirv-bind.0/7", "d/.spirv-bind.1/7",
					   "e/.spirv-bind.0/7"};

	(void)state;
	struct output all[] = {of("a", "1"), of("d/a", "1"), of("d/b", "1")};
	for (int same = 0; same < 2; same++) { /* which are as they are */
		assert_int_equal(system("mkdir -p d e .spirv-bind.0 d/.spirv-bind.0 d/.spirv-bind.1 e/.spirv-bind.0"),
				 0);
		for (size_t i = 0; i < sizeof left / sizeof *left; i++)
			put_file(left[i], "left", 0600);
		assert_true(cli_write_outputs(NULL, all, 3));
		assert_int_equal(all[1].changed, !same);
		assert_gone(".spirv-bind.0");
		assert_gone("d/.spirv-bind.0");
		assert_gone("d/.spirv-bind.1");
		assert_file("e/.spirv-bind.0/7", "left", 0600); /* nothing was written there */
		assert_file("d/b", "1", 0644);
	}
}

static void names_may_be_as_long_as_the_system_allows(void **state)
{
	char name[256] = "";

	(void)state;
	memset(name, 'n', 255);
	for (int times = 0; times < 2; times++) {
		struct output both[] = {of(name, times ? "2" : "1"), of("x", times ? "2" : "1")};
		assert_true(cli_write_outputs(NULL, both, 2));
		assert_file(name, times ? "2" : "1", 0644);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(changed_files_keep_their_permissions),
	    TEST(one_program_writes_only_changed_files),
	    TEST(large_files_are_compared_to_their_ends),
	    TEST(failed_writes_are_reported_and_leave_nothing),
	    TEST(standard_output_is_written_immediately),
	    TEST(a_file_that_cannot_be_placed_rolls_back_the_others),
	    TEST(discarded_files_leave_no_trace),
	    TEST(the_folder_for_the_outputs_is_made_when_it_is_needed),
	    TEST(staging_files_of_running_processes_are_kept_and_others_reused),
	    TEST(files_that_are_not_staged_are_left_alone),
	    TEST(only_disks_are_synced),
	    TEST(where_files_cannot_be_locked_the_stage_is_of_the_process),
	    TEST(leftovers_are_removed_in_each_folder),
	    TEST(names_may_be_as_long_as_the_system_allows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
