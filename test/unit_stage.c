/* SPDX-License-Identifier: Apache-2.0 */
/* The files of many programs, staged and put in place: which are written, with which permissions, what is left after a
 * failure, and how stages of other runs are treated. */
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/jobs/jobs.h"

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

	return job_stage_outputs(s, outputs, count, &files) && job_sync_files(s, &files, 1) && job_place_files(&files);
}

/* The same by one program alone. */
static bool written_at_once(struct stage *s, struct output *outputs, size_t count)
{
	(void)s;
	return cli_write_outputs(outputs, count);
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
	struct stage *s = job_open_stage(NULL);
	assert_true(write(s, all, sizeof all / sizeof *all));
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		assert_int_equal(all[i].changed, changes[i]);
	snprintf(absolute, sizeof absolute, "%s/here/absolute", folder);
	struct output more = of(absolute, "3");
	assert_true(write(s, &more, 1));
	job_close_stage(s);
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
		struct stage *s = job_open_stage(NULL);
		assert_true(written(s, &o, 1));
		assert_false(o.changed);
		bytes[at < SIZE ? at : SIZE - 1] = 'b';
		assert_true(written(s, &o, 1));
		assert_true(o.changed);
		job_close_stage(s);
	}
}

static void failed_writes_are_reported_and_leave_nothing(void **state)
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
		struct stage *s = job_open_stage(NULL);
		assert_false(job_stage_outputs(s, both, 3, &files));
		assert_string_equal(said(), rows[i].wanted);
		assert_int_equal(files.count, 0);
		job_close_stage(s);
		assert_file("file", "old", 0600);
		assert_gone("never");
		assert_gone(".spirv-bind.0");
	}
}

/* The standard output is not staged. */
static void standard_output_is_written_immediately(void **state)
{
	struct record r;

	(void)state;
	struct output both[] = {of("-", "to stdout"), of("x", "1")};
	struct staged_files files;
	struct stage *s = job_open_stage(NULL);
	both[0].changed = false;
	assert_true(msg_open_record(&r));
	msg_begin_recording(&r);
	assert_true(job_stage_outputs(s, both, 2, &files));
	assert_true(msg_end_recording(&r));
	assert_true(both[0].changed);
	assert_int_equal(r.printed_size, 9);
	assert_memory_equal(r.printed, "to stdout", 9);
	assert_int_equal(files.count, 1);
	msg_close_record(&r);
	job_discard_files(&files);
	job_close_stage(s);
	fflush(stdout);
	int stdout_before = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
	assert_true(stdout_before >= 0 && full >= 0);
	dup2(full, STDOUT_FILENO);
	struct output full_last[] = {of("x", "1"), of("-", "to stdout")};
	s = job_open_stage(NULL);
	bool staged = job_stage_outputs(s, full_last, 2, &files), at_once = cli_write_outputs(full_last, 2);
	dup2(stdout_before, STDOUT_FILENO);
	close(stdout_before);
	close(full);
	assert_false(staged || at_once);
	assert_string_equal(said(), "spirv-bind: cannot write to stdout: No space left on device\n"
				    "spirv-bind: cannot write to stdout: No space left on device\n");
	assert_int_equal(files.count, 0);
	job_close_stage(s);
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
		struct stage *s = job_open_stage(NULL);
		assert_true(job_stage_outputs(s, all, 4, &files));
		unlink(names[which]);
		assert_int_equal(mkdir(names[which], 0700), 0); /* meanwhile */
		assert_false(job_place_files(&files));
		char wanted[100];
		snprintf(wanted, sizeof wanted, "spirv-bind: cannot write ./%s: Is a directory\n", names[which]);
		assert_string_equal(said(), wanted);
		job_close_stage(s);
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
	struct stage *s = job_open_stage(NULL);
	assert_true(job_stage_outputs(s, all, 2, &files));
	assert_int_equal(files.count, 2);
	assert_file(".spirv-bind.0/0", "new", 0600);
	assert_file(".spirv-bind.0/1", "new", 0644);
	job_discard_files(&files);
	assert_true(!files.items && !files.count);
	assert_gone(".spirv-bind.0/0");
	assert_file("a", "old", 0600);
	job_close_stage(s);
	assert_gone("b");
	assert_gone(".spirv-bind.0");
}

static void the_folder_for_the_outputs_is_made_when_it_is_needed(void **state)
{
	struct output inside = of("new/folder/x", "1"), beside_it = of("other/x", "1");
	struct staged_files files;
	struct stat st;

	(void)state;
	struct stage *s = job_open_stage("new/folder");
	assert_gone("new");
	assert_true(job_stage_outputs(s, &inside, 1, &files));
	assert_int_equal(stat("new/folder", &st), 0);
	job_discard_files(&files);
	assert_false(job_stage_outputs(s, &beside_it, 1, &files)); /* only that program */
	assert_string_equal(said(), "spirv-bind: cannot write other/x: No such file or directory\n");
	job_close_stage(s);
	assert_gone("new"); /* it was created for nothing */

	s = job_open_stage("new/folder");
	assert_true(written(s, &inside, 1));
	put_file("new/folder/x", "meanwhile", 0600); /* an empty folder is not checked again */
	assert_true(written(s, &inside, 1));
	job_close_stage(s);
	assert_file("new/folder/x", "1", 0644);
	put_file("file", "", 0600);
	inside.path = "file/x";
	s = job_open_stage("file");
	assert_false(written(s, &inside, 1));
	job_close_stage(s);
	assert_string_equal(said(), "spirv-bind: cannot write file/x: Not a directory\n");
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

static void staging_files_of_running_processes_are_kept_and_others_reused(void **state)
{
	struct output o = of("x", "1");
	struct staged_files files;

	(void)state;
	put_file("y", "", 0600); /* so that the folder is not empty */
	pid_t first = hold_stage(0), second = hold_stage(1);
	put_file(".spirv-bind.0/0", "of the first", 0600);
	put_file(".spirv-bind.1/7", "of the second", 0600);
	struct stage *s = job_open_stage(NULL);
	assert_true(job_stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.2/0", "1", 0644);
	assert_true(job_place_files(&files));
	job_close_stage(s);
	assert_gone(".spirv-bind.2");
	assert_file(".spirv-bind.0/0", "of the first", 0600);
	assert_file(".spirv-bind.1/7", "of the second", 0600);

	kill_it(second);
	o = of("x", "2");
	s = job_open_stage(NULL);
	assert_true(job_stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.1/0", "2", 0644);
	assert_gone(".spirv-bind.1/7"); /* emptied */
	assert_true(job_place_files(&files));
	job_close_stage(s);
	assert_gone(".spirv-bind.1");
	assert_file(".spirv-bind.0/0", "of the first", 0600);

	second = hold_stage(1);
	kill_it(second);
	put_file(".spirv-bind.1/7", "of the second", 0600);
	s = job_open_stage(NULL); /* it writes nothing, and removes leftovers */
	assert_true(written(s, &o, 1));
	assert_false(o.changed);
	job_close_stage(s);
	assert_gone(".spirv-bind.1");
	assert_file(".spirv-bind.0/0", "of the first", 0600);
	kill_it(first);
	s = job_open_stage(NULL);
	assert_true(written(s, &o, 1));
	job_close_stage(s);
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
	struct stage *s = job_open_stage(NULL);
	struct staged_files files;
	assert_true(job_stage_outputs(s, &o, 1, &files));
	assert_file(".spirv-bind.3/0", "1", 0644);
	assert_gone("made"); /* by opening the lock */
	assert_true(job_place_files(&files));
	job_close_stage(s);
	assert_file("precious/7", "precious", 0600);
	assert_file(".spirv-bind.1", "a file", 0600);
	assert_gone(".spirv-bind.3");
	assert_file("x", "1", 0644);
}

static void only_disks_are_synced(void **state)
{
	struct output o = of("x", "1");
	struct stage *s = job_open_stage(NULL);
	int here = open(".", O_RDONLY);

	(void)state;
	assert_false(job_needs_sync(s)); /* nothing is in use yet */
	assert_true(written(s, &o, 1));
	assert_int_equal(job_needs_sync(s), !os_is_in_memory(here));
	close(here);
	job_close_stage(s);
}

/* One program */

static void a_failed_write_of_one_program_rolls_back_the_others(void **state)
{
	static const struct {
		const char *path, *wanted;
	} rows[] = {{"folder", "spirv-bind: cannot write folder: Is a directory\n"},
		    {"/dev/full", "spirv-bind: cannot write /dev/full: No space left on device\n"},
		    {"missing/x", "spirv-bind: cannot write missing/x: No such file or directory\n"},
		    {"file/x", "spirv-bind: cannot write file/x: Not a directory\n"},
		    {"to folder", "spirv-bind: cannot write to folder: Is a directory\n"}};

	(void)state;
	put_file("file", "old", 0640);
	assert_int_equal(mkdir("folder", 0700) | symlink("folder", "to folder"), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (size_t first = 0; first < 2; first++) {
			struct output both[2];
			both[first] = of("file", "new");
			both[!first] = of(rows[i].path, "x");
			assert_false(cli_write_outputs(both, 2));
			assert_string_equal(said(), rows[i].wanted);
			assert_file("file", "old", 0640);
			assert_gone(".file.0.tmp");
			assert_gone(".file.0.old");
		}
	}
}

/* The old file is kept as a hard link, or as a copy; each is locked, and writable while it is temporary. */
static void staging_files_are_locked(void **state)
{
	struct stat st, old;

	(void)state;
	put_file("x", "old", 0444);
	assert_int_equal(stat("x", &old), 0);
	for (int linked = 0; linked < 2; linked++) {
		struct output o = of("x", "new");
		o.target = o.path ? strdup(o.path) : NULL;
		cli_begin_temporaries(&o, 1);
		int fd = cli_create_temporary(&o, 0444);
		assert_true(fd >= 0 && fd == o.lock);
		assert_string_equal(o.temporary, ".x.0.tmp");
		assert_true(!stat(".x.0.tmp", &st) && (st.st_mode & 07777) == 0644);
		if (linked) {
			assert_true(cli_link_backup(&o));
			assert_true(!stat(".x.0.old", &st) && st.st_ino == old.st_ino && st.st_nlink == 2);
		} else {
			assert_true(cli_create_backup(&o, 0640) == o.backup_lock);
			assert_true(!stat(".x.0.old", &st) && st.st_ino != old.st_ino);
			assert_int_equal(st.st_mode & 07777, 0640);
		}
		assert_string_equal(o.backup, ".x.0.old");
		assert_true(o.backup_lock > 0);
		int status;
		pid_t child = fork();
		assert_true(child >= 0);
		if (!child) { /* other runs see both locks */
			int both[2] = {os_open(OS_HERE, ".x.0.tmp", OS_READ, 0),
				       os_open(OS_HERE, ".x.0.old", OS_READ, 0)};
			_exit(os_is_locked(both[0]) && os_is_locked(both[1]) ? 0 : 1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		cli_end_temporaries();
		close(o.lock);
		close(o.backup_lock);
		unlink(o.temporary);
		unlink(o.backup);
		free(o.temporary);
		free(o.backup);
		free(o.target);
	}
	assert_true(!stat("x", &st) && st.st_nlink == 1);
}

/* If there are not enough descriptors for all locks, temporary files are named by the number of the process. */
static void many_outputs_are_not_locked(void **state)
{
	enum { OTHERS = 32, LOCKED = 4 };
	struct output all[LOCKED + 1];
	struct rlimit usual, limit;
	char wanted[60];

	(void)state;
	put_file("x", "old", 0600);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
	limit = usual;
	limit.rlim_cur = OTHERS + 2 * LOCKED + 1;
	for (size_t count = LOCKED; count <= LOCKED + 1; count++) {
		for (size_t i = 0; i < count; i++) {
			all[i] = of("x", "new");
			all[i].target = strdup("x");
		}
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		cli_begin_temporaries(all, count);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
		bool locked = count == LOCKED;
		for (unsigned i = 0; i < count; i++) {
			int fd = cli_create_temporary(&all[i], 0600);
			assert_true(fd >= 0 && cli_link_backup(&all[i]));
			assert_int_equal(all[i].lock, locked ? fd : 0);
			assert_int_equal(all[i].backup_lock != 0, locked);
			for (int old = 0; old < 2; old++) {
				const char *name = old ? all[i].backup : all[i].temporary, *end = old ? "old" : "tmp";
				if (locked)
					snprintf(wanted, sizeof wanted, ".x.%u.%s", i, end);
				else
					snprintf(wanted, sizeof wanted, ".x.%lu-%u.%s", os_process(), i, end);
				assert_string_equal(name, wanted);
			}
			assert_true(os_is_there(all[i].temporary) && os_is_there(all[i].backup));
			if (!locked)
				close(fd);
		}
		cli_end_temporaries();
		for (size_t i = 0; i < count; i++) {
			if (locked)
				close(all[i].lock), close(all[i].backup_lock);
			unlink(all[i].temporary), unlink(all[i].backup);
			free(all[i].temporary), free(all[i].backup), free(all[i].target);
		}
	}
	for (size_t i = 0; i <= LOCKED; i++) {
		snprintf(wanted, sizeof wanted, "%zu", i);
		all[i] = of(strdup(wanted), "new");
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_true(cli_write_outputs(all, LOCKED + 1));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
	for (size_t i = 0; i <= LOCKED; i++) {
		assert_file(all[i].path, "new", 0644);
		free((char *)all[i].path);
	}
	assert_int_equal(system("test -z \"$(find . -name '.[0-9x]*')\""), 0); /* no temporary files are left */
}

/* A number that another run holds is not taken, and leftovers of a killed one are removed: up to a gap, and up to
 * four. */
static void staging_names_are_reserved_and_cleared(void **state)
{
	static const struct {
		const char *names[8]; /* next to x, apart from the one that is held */
		bool gone[8];
	} rows[] = {{{".x.0.tmp", ".x.1.tmp", ".x.2.old"}, {true, true, true}},
		    {{".x.3.tmp", ".x.3.old"}, {true, true}},
		    {{".x.4.tmp"}, {false}}, /* beyond the searched range */
		    {{".x.3.tmp", ".x.4.old", ".x.5.tmp", ".x.7.tmp"}, {true, true, true, false}},
		    {{".x.0.tmp.more", ".y.0.tmp", "x.0.tmp", ".x.0", ".x.00.tmp"}, {false}}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (size_t k = 0; rows[i].names[k]; k++)
			put_file(rows[i].names[k], "left", 0600);
		struct output o = of("x", i % 2 ? "1" : "2");
		assert_true(cli_write_outputs(&o, 1));
		assert_int_equal(o.number, 0);
		assert_file("x", i % 2 ? "1" : "2", 0644);
		for (size_t k = 0; rows[i].names[k]; k++) {
			assert_int_equal(os_is_there(rows[i].names[k]), !rows[i].gone[k]);
			unlink(rows[i].names[k]);
		}
	}

	/* Not files of a killed run: read-only, a folder, a link, with two names. */
	put_file(".x.0.tmp", "read only", 0400);
	assert_int_equal(mkdir(".x.1.tmp", 0700) | symlink("x", ".x.2.tmp") | mkdir(".x.3.old", 0700), 0);
	put_file("other", "", 0600);
	assert_int_equal(link("other", ".x.4.tmp"), 0);
	struct output o = of("x", "3");
	assert_true(cli_write_outputs(&o, 1));
	assert_int_equal(o.number, 5);
	assert_file("x", "3", 0644);
	assert_gone(".x.5.tmp");
	assert_true(os_is_there(".x.0.tmp") && os_is_there(".x.1.tmp") && os_is_there(".x.2.tmp") &&
		    os_is_there(".x.3.old") && os_is_there(".x.4.tmp"));
}

/* In another process: writes x while it holds a lock on `held`; returns the number that the output gets. */
static int number_beside(const char *held, enum os_lock kind)
{
	int ends[2], status;
	char byte = 0;

	put_file(held, "held", 0600);
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		int fd = os_open(OS_HERE, held, OS_READ_WRITE, 0);
		if (os_lock(fd, kind) && write(ends[1], "x", 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	close(ends[1]);
	struct output o = of("x", held);
	assert_true(cli_write_outputs(&o, 1));
	int number = (int)o.number;
	assert_file(held, "held", 0600);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	o = of("x", "again");
	assert_true(cli_write_outputs(&o, 1)); /* now it is a leftover of a killed run */
	assert_gone(held);
	return number;
}

static void files_locked_by_other_runs_are_kept(void **state)
{
	(void)state;
	assert_int_equal(number_beside(".x.0.tmp", OS_EXCLUSIVE), 1);
	assert_int_equal(number_beside(".x.0.old", OS_SHARED), 1);
	assert_int_equal(number_beside(".x.2.tmp", OS_EXCLUSIVE), 0);
}

/* Leftovers of many outputs in a folder are searched together, separately for each folder. */
static void leftovers_are_removed_in_each_folder(void **state)
{
	(void)state;
	assert_int_equal(mkdir("d", 0700) | mkdir("e", 0700), 0);
	put_file(".a.0.tmp", "left", 0600);
	put_file(".b.0.old", "left", 0600);
	put_file("d/.a.0.tmp", "left", 0600);
	put_file("e/.c.0.tmp", "of none of them", 0600);
	struct output all[] = {of("a", "1"),   of("b", "1"),   of("d/a", "1"),
			       of("d/b", "1"), of("e/a", "1"), of("e/b", "1")};
	assert_true(cli_write_outputs(all, 6));
	assert_gone(".a.0.tmp");
	assert_gone(".b.0.old");
	assert_gone("d/.a.0.tmp");
	assert_file("e/.c.0.tmp", "of none of them", 0600);
	assert_file("d/b", "1", 0644);
	put_file(".a.0.tmp", "left", 0600);
	put_file("d/.b.1.old", "left", 0600);
	assert_true(cli_write_outputs(all, 6)); /* which are unchanged */
	assert_gone(".a.0.tmp");
	assert_gone("d/.b.1.old");
}

static void long_names_get_short_staging_names(void **state)
{
	char name[256] = "", left[300];

	(void)state;
	for (size_t length = 190; length <= 250; length += 20) {
		memset(name, 'n', length);
		name[length] = '\0';
		snprintf(left, sizeof left, ".%.200s.0.tmp", name);
		put_file(left, "left", 0600);
		struct output o = of(name, "1");
		assert_true(cli_write_outputs(&o, 1));
		assert_file(name, "1", 0644);
		assert_gone(left);
	}
	for (int n = 0; n < 12; n++) { /* two digits */
		snprintf(left, sizeof left, ".x.%d.tmp", n);
		assert_int_equal(mkdir(left, 0700), 0);
	}
	struct output o = of("x", "1");
	assert_true(cli_write_outputs(&o, 1));
	assert_int_equal(o.number, 12);
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
	    TEST(a_failed_write_of_one_program_rolls_back_the_others),
	    TEST(staging_files_are_locked),
	    TEST(many_outputs_are_not_locked),
	    TEST(staging_names_are_reserved_and_cleared),
	    TEST(files_locked_by_other_runs_are_kept),
	    TEST(leftovers_are_removed_in_each_folder),
	    TEST(long_names_get_short_staging_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
