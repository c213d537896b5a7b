/* SPDX-License-Identifier: Apache-2.0 */
/* The files of programs, written aside and put in place, where a call of the system fails, or memory ends. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
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

#include "cli/jobs/jobs.h"
#include "in_folder.h"
#include "scarce.h"

/* Calls that fail: the linker sends those of the command here. */

static struct {
	bool on, no_links;
	int count, failing, error; /* the how-manieth fails, from 1 on */
	const char *failed;        /* its name */
	bool many_devices;         /* each folder is on one of its own */
} system_;

static int syncs;
static char opened[100]; /* the last folder */
static mode_t created;   /* of the last file */

static bool has_failed(const char *call)
{
	if (!system_.on || ++system_.count != system_.failing)
		return false;
	system_.failed = call;
	errno = system_.error;
	return true;
}

#define fails() has_failed(__func__ + sizeof "__wrap_" - 1)

#define FAILS(type, failure, name, parameters, ...)                                                                    \
	type __real_##name parameters;                                                                                 \
	type __wrap_##name parameters;                                                                                 \
	type __wrap_##name parameters                                                                                  \
	{                                                                                                              \
		return fails() ? failure : __real_##name(__VA_ARGS__);                                                 \
	}
int __real_os_open(int where, const char *name, unsigned how, mode_t mode);
int __wrap_os_open(int where, const char *name, unsigned how, mode_t mode);
int __wrap_os_open(int where, const char *name, unsigned how, mode_t mode)
{
	if (how & OS_FOLDER)
		snprintf(opened, sizeof opened, "%s", name);
	if (how & OS_NEW)
		created = mode;
	return fails() ? -1 : __real_os_open(where, name, how, mode);
}

FAILS(bool, false, os_look, (int where, const char *name, struct os_status *st), where, name, st)
FAILS(bool, false, os_rename, (int a, const char *from, int b, const char *to), a, from, b, to)
FAILS(bool, false, os_remove, (int where, const char *name), where, name)
FAILS(bool, false, os_make_folder, (int where, const char *name, mode_t mode), where, name, mode)
FAILS(bool, false, os_lock, (int fd, enum os_lock kind), fd, kind)
FAILS(ssize_t, -1, os_read, (int fd, void *to, size_t size), fd, to, size)
FAILS(ssize_t, -1, os_write, (int fd, const void *from, size_t size), fd, from, size)
FAILS(bool, false, os_set_mode, (int fd, mode_t mode), fd, mode)
FAILS(bool, false, os_list, (int where, const char *path, bool (*take)(void *user, const char *name), void *user),
      where, path, take, user)

bool __wrap_os_sync_device(int folder);
bool __real_os_status(int fd, struct os_status *st);
bool __wrap_os_status(int fd, struct os_status *st);
bool __wrap_os_status(int fd, struct os_status *st)
{
	if (fails() || !__real_os_status(fd, st))
		return false;
	if (system_.many_devices && st->kind == OS_DIRECTORY)
		st->device = st->number;
	return true;
}

/* Whoever has the lock gives it back, once. */
static int held;

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	held++;
	return __real_pthread_mutex_lock(mutex);
}

int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	assert_int_equal(held, 1);
	held--;
	return __real_pthread_mutex_unlock(mutex);
}

bool __wrap_os_is_in_memory(int folder);
bool __wrap_os_is_in_memory(int where)
{
	(void)where;
	return false;
}

bool __wrap_os_sync_device(int where) /* it would take the time of the disk */
{
	(void)where;
	syncs++;
	return !fails();
}

bool __real_os_link(int a, const char *from, int b, const char *to);
bool __wrap_os_link(int a, const char *from, int b, const char *to);
bool __wrap_os_link(int a, const char *from, int b, const char *to)
{
	if (fails())
		return false;
	struct os_status st;
	if (system_.on && system_.no_links && __real_os_look(a, from, &st)) {
		errno = EPERM;
		return false;
	}
	return __real_os_link(a, from, b, to);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	int result = __real_close(fd); /* it is closed, whatever it says */

	return fails() ? -1 : result;
}

static int open_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 100; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* In a folder and one in it. False: something of it failed. */
static bool write_some(size_t count)
{
	struct output outputs[] = {{.path = "a", .bytes = "new", .size = 3},
				   {.path = "b", .bytes = "new", .size = 3},
				   {.path = "d/c", .bytes = "new", .size = 3}};
	struct stage *s = open_stage(NULL, false);

	if (!s)
		return exit_of(SPB_ERROR_OUT_OF_MEMORY) == EXIT_DONE;
	struct staged_files files;
	syncs = 0;
	bool ok = stage_outputs(s, outputs, count, &files);
	if (ok && !sync_files(s, &files, 1)) {
		discard_files(&files);
		ok = false;
	} else if (ok) {
		ok = place_files(&files);
	}
	close_stage(s);
	return ok;
}

static void assert_file(const char *path, const char *text, mode_t mode)
{
	char found[100];
	struct stat st;
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	found[fread(found, 1, sizeof found - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(found, text);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, mode);
}

static void put_three(void)
{
	put_file("a", "o");
	assert_int_equal(chmod("a", 0640), 0);
	put_file("b", "old and longer");
	unlink("d/c");
}

static void assert_files(size_t count, bool are_new)
{
	assert_file("a", are_new ? "new" : "o", 0640);
	assert_file("b", are_new ? "new" : "old and longer", 0644);
	assert_int_equal(os_is_there("d/c"), are_new && count == 3);
}

static bool see_others(void *user, const char *name)
{
	static const char *const known[] = {".", "..", "a", "b", "c", "d", "said"};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!strcmp(name, known[i]))
			return true;
	}
	*(int *)user += 1;
	return true;
}

static int count_others(void)
{
	int others = 0;

	assert_true(os_list(OS_HERE, ".", see_others, &others) && os_list(OS_HERE, "d", see_others, &others));
	return others;
}

/* Whichever call fails: all files are new, or all are old, and that is said; what is left behind goes in the next run.
 */
static void calls_may_fail_anywhere(void **state)
{
	static const struct {
		int error;
		bool no_links;
		size_t count; /* of the files */
	} rows[] = {{EIO, false, 3}, {EIO, true, 3}, {EACCES, false, 2}, {EINTR, true, 2}};
	int descriptors = open_descriptors();

	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int refused = 0;
		for (int n = 1;; n++) {
			put_three();
			memset(&system_, 0, sizeof system_);
			system_.no_links = rows[i].no_links;
			system_.failing = n;
			system_.error = rows[i].error;
			system_.on = true;
			bool ok = write_some(rows[i].count);
			system_.on = false;
			bool failed = system_.count >= n;
			assert_files(rows[i].count, ok);
			const char *why = said();
			assert_true(ok ? !*why : strstr(why, strerror(rows[i].error)) != NULL);
			if (!failed) {
				assert_true(ok && !count_others());
				break;
			}
			assert_false(ok && !strcmp(system_.failed, "os_sync_device"));
			if (!strcmp(system_.failed, "os_rename") || !strcmp(system_.failed, "os_write") ||
			    !strcmp(system_.failed, "os_link"))
				assert_int_equal(count_others(), 0);
			assert_int_equal(open_descriptors(), descriptors);
			refused += !ok;
			if (count_others()) {
				put_three();
				assert_true(write_some(3));
				assert_int_equal(count_others(), 0);
			}
		}
		assert_true(refused > 10);
	}
}

static void memory_may_end_anywhere(void **state)
{
	bool failed = true;
	long refused = 0;

	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	for (long number = 1; failed; number++) {
		put_three();
		begin_scarcity(number);
		bool ok = write_some(3);
		failed = end_scarcity();
		assert_int_equal(scarce_.out_count, 0);
		assert_memory_said(ok ? EXIT_DONE : EXIT_IO);
		assert_files(3, ok);
		assert_int_equal(count_others(), 0);
		refused += !ok;
	}
	assert_true(refused > 5);
}

/* Once where all are on one, whichever of them it is; where no module has changed, not at all. */
static void disks_are_synced_once(void **state)
{
	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	for (size_t count = 1; count <= 3; count++) {
		put_three();
		assert_true(write_some(count));
		assert_int_equal(syncs, 1);
		assert_true(write_some(count));
		assert_int_equal(syncs, 0);
	}
	memset(&system_, 0, sizeof system_);
	system_.many_devices = true;
	put_three();
	assert_true(write_some(3));
	assert_int_equal(syncs, 2);
}

/* The folder of /a is not that of a. */
static void the_root_is_a_folder(void **state)
{
	struct output o = {.path = "/no such file", .bytes = "new", .size = 3};
	struct stage *s = open_stage(NULL, true);
	struct staged_files files;

	(void)state;
	assert_true(stage_outputs(s, &o, 1, &files));
	assert_string_equal(opened, "/");
	discard_files(&files);
	close_stage(s);
	close_stage(NULL); /* of which there is none */
}

/* What is there is read to its end, also when a signal comes; where that cannot be done, it is written. */
static void what_cannot_be_compared_is_written(void **state)
{
	static const int errors[] = {EINTR, EIO};

	(void)state;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		bool was_read = false;
		memset(&system_, 0, sizeof system_);
		system_.failed = "";
		for (int n = 1; !was_read; n++) {
			struct output o = {.path = "a", .bytes = "new", .size = 3};
			struct stage *s = open_stage(NULL, true);
			struct staged_files files;
			put_file("a", "new");
			system_.count = 0;
			system_.failing = n;
			system_.error = errors[i];
			system_.on = true;
			if (stage_outputs(s, &o, 1, &files))
				discard_files(&files);
			system_.on = false;
			was_read = !strcmp(system_.failed, "os_read");
			if (was_read)
				assert_int_equal(o.changed, errors[i] == EIO);
			close_stage(s);
			assert_true(n < 20);
		}
		said();
	}
}

/* Nobody waits for who would write to a pipe that has the name of a folder. */
static void pipes_are_no_folders(void **state)
{
	struct output o = {.path = "pipe/a", .bytes = "new", .size = 3};
	struct stage *s = open_stage(NULL, false);
	struct staged_files files;

	(void)state;
	assert_int_equal(mkfifo("pipe", 0600) | mkfifo(".spirv-bind.0", 0600) | mkdir("d", 0700), 0);
	alarm(20);
	assert_false(stage_outputs(s, &o, 1, &files));
	assert_string_equal(said(), "spirv-bind: cannot write pipe/a: Not a directory\n");
	close_stage(s);
	put_three();
	assert_int_equal(chmod("b", 0444), 0);
	assert_true(write_some(2));
	alarm(0);
	assert_int_equal(created, 0644); /* for it is written, and only then read-only, as it was */
	assert_file("b", "new", 0444);
}

static void stages_are_private(void **state)
{
	struct output o = {.path = "a", .bytes = "new", .size = 3};
	struct stage *s = open_stage(NULL, false);
	struct staged_files files;
	struct stat st;

	(void)state;
	assert_non_null(s);
	assert_true(stage_outputs(s, &o, 1, &files));
	assert_int_equal(stat(".spirv-bind.0", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(".spirv-bind.0/lock", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	discard_files(&files);
	close_stage(s);
	assert_false(os_is_there(".spirv-bind.0"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	umask(022);
	const struct CMUnitTest tests[] = {
	    TEST(calls_may_fail_anywhere), TEST(memory_may_end_anywhere), TEST(disks_are_synced_once),
	    TEST(the_root_is_a_folder),    TEST(stages_are_private),      TEST(what_cannot_be_compared_is_written),
	    TEST(pipes_are_no_folders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
