/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls of the system write outputs, and what is left when one of them fails or somebody else is quicker. */
#include <dirent.h>
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

#include "in_folder.h"
#include "scarce.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { DESCRIPTORS = 100, MOST_FAULTS = 3, ALWAYS = 1000, NOTHING = -1 };

/* What happens at the n-th call of this kind, from 1 on. */
struct fault {
	const char *call;
	int n, error;      /* 0: it does not fail; NOTHING: it does nothing, and says so */
	const char *files; /* what somebody else does before, as in put_files(); "!": a signal comes */
	int last;          /* until then it does so each time; 0: just once */
};

static struct {
	bool on, faulty; /* a fault has happened */
	bool does_nothing;
	struct fault faults[MOST_FAULTS];
	int seen[MOST_FAULTS];
	char calls[60000], names[DESCRIPTORS][300];
	long most_files;
	size_t read, written; /* by a call at most; 0: all */
	bool is_no_file;      /* what is opened, by its status */
	long last_memory;     /* which allocation fails; 0: none */
	unsigned listed;      /* so many names are in each folder; 0: those that are */
} system_;

/* Names of files */

static void put_link_or_file(const char *name, const char *mode, char kind, const char *text)
{
	unlink(name);
	if (kind == '/')
		assert_int_equal(mkdir(name, 0755), 0);
	else if (kind == '|')
		assert_int_equal(mkfifo(name, 0644), 0);
	else if (kind == '>')
		assert_int_equal(symlink(text, name), 0);
	else if (kind == '+')
		assert_int_equal(link(text, name), 0);
	else if (kind == '=')
		put_file(name, text);
	if (*mode)
		assert_int_equal(chmod(name, (mode_t)strtol(mode, NULL, 8)), 0);
}

/* Each word is a NAME and what it is from now on: =TEXT, :MODE=TEXT; / (a folder), | (a pipe), >WHERE it leads, +FILE
 * of which it is a second name, or ~ (nothing). */
static void put_files(const char *words)
{
	char copy[1000], *rest, *word;

	snprintf(copy, sizeof copy, "%s", words);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		bool is_folder = word[strlen(word) - 1] == '/';
		size_t length = is_folder ? strlen(word) - 1 : strcspn(word, ":=|>+~");
		char name[300], mode[8] = "", *at = word + length;
		snprintf(name, sizeof name, "%.*s", (int)length, word);
		if (*at == ':') {
			length = strcspn(at, "=");
			snprintf(mode, sizeof mode, "%.*s", (int)length - 1, at + 1);
			at += length;
		}
		put_link_or_file(name, mode, *at, at + 1);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void describe(char *to, size_t room, const char *name)
{
	char text[300] = "";
	struct stat st;
	FILE *f = NULL;

	assert_int_equal(lstat(name, &st), 0);
	if (S_ISLNK(st.st_mode))
		assert_true(readlink(name, text, sizeof text - 1) > 0);
	else if (S_ISREG(st.st_mode) && (f = fopen(name, "rb")))
		text[fread(text, 1, sizeof text - 1, f)] = '\0';
	if (f)
		fclose(f);
	char mode[8] = "";
	if (S_ISREG(st.st_mode) && (st.st_mode & 07777) != 0644)
		snprintf(mode, sizeof mode, ":%o", st.st_mode & 07777);
	const char *kind = S_ISREG(st.st_mode) ? "=" : S_ISLNK(st.st_mode) ? ">" : S_ISDIR(st.st_mode) ? "/" : "|";
	snprintf(to, room, "%s%s%s%s", name, mode, kind, text);
}

static void list_files(char *to, size_t room, const char *where)
{
	char *names[100], path[400];
	size_t count = 0;
	DIR *here = opendir(*where ? where : ".");

	assert_non_null(here);
	for (struct dirent *e; (e = readdir(here));) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && strcmp(e->d_name, "said") != 0)
			names[count++] = strdup(e->d_name);
	}
	closedir(here);
	qsort(names, count, sizeof *names, by_name);
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(to);
		snprintf(path, sizeof path, "%s%s", where, names[i]);
		snprintf(to + length, room - length, "%s", length ? " " : "");
		length = strlen(to);
		describe(to + length, room - length, path);
		if (to[strlen(to) - 1] == '/')
			list_files(to, room, strcat(path, "/"));
		free(names[i]);
	}
}

/* As in put_files(), but a second name is a file. */
static const char *files(void)
{
	static char text[4000];

	*text = '\0';
	list_files(text, sizeof text, "");
	return text;
}

/* Calls: the linker sends those of the command here. */

static const char *name_of(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS && *system_.names[fd] ? system_.names[fd] : fd == STDOUT_FILENO ? "-" : "?";
}

/* Whether a call fails; errno is set then. */
static bool fails(const char *call)
{
	bool failed = false;

	for (size_t i = 0; system_.on && i < MOST_FAULTS; i++) {
		const struct fault *f = &system_.faults[i];
		if (!f->call || strcmp(f->call, call) != 0)
			continue;
		int n = ++system_.seen[i];
		if (n != f->n && (n < f->n || n > f->last))
			continue;
		if (!system_.faulty)
			*system_.calls = '\0';
		system_.faulty = true;
		if (f->files && *f->files == '!')
			raise(SIGTERM);
		else if (f->files)
			put_files(f->files);
		system_.does_nothing = f->error == NOTHING;
		if (f->error) {
			errno = f->error > 0 ? f->error : errno;
			failed = true;
		}
	}
	return failed;
}

/* Without the path of the folder in which all is. */
static const char *shown(const char *path)
{
	size_t length = strlen(folder);

	return !strncmp(path, folder, length) && path[length] == '/' ? path + length + 1 : path;
}

static const char *said_here(void)
{
	static char text[20000];
	size_t length = strlen(folder);

	strcpy(text, said());
	for (char *at; (at = strstr(text, folder));)
		memmove(at, at + length + 1, strlen(at + length));
	return text;
}

static void note(const char *call, const char *name, const char *more, bool ok)
{
	int saved = errno;

	if (system_.on) {
		size_t length = strlen(system_.calls);
		snprintf(system_.calls + length, sizeof system_.calls - length, "%s(%s%s%s)%s ", call, shown(name),
			 *more ? "," : "", shown(more), ok ? "" : "!");
	}
	errno = saved;
}

#define WRAPPED(type, name, parameters)                                                                                \
	type __real_##name parameters;                                                                                 \
	type __wrap_##name parameters;                                                                                 \
	type __wrap_##name parameters

WRAPPED(int, os_open, (int where, const char *name, unsigned how, mode_t mode))
{
	static const char letters[] = "wxcnlt/";
	int fd = fails("open") ? -1 : __real_os_open(where, name, how, mode);
	char more[32] = "";
	size_t count = 0;

	for (unsigned i = 0; letters[i]; i++) {
		if (how >> i & 1)
			more[count++] = letters[i];
	}
	if (how & (OS_NEW | OS_CREATE))
		snprintf(more + count, sizeof more - count, ",%o", mode);
	note("open", name, more, fd >= 0);
	if (system_.on && fd >= 0 && fd < DESCRIPTORS)
		snprintf(system_.names[fd], sizeof system_.names[fd], "%s", name);
	return fd;
}

WRAPPED(int, close, (int fd))
{
	int result = __real_close(fd);

	if (!system_.on)
		return result;
	if (fails("close"))
		result = -1;
	note("close", name_of(fd), "", !result);
	if (fd >= 0 && fd < DESCRIPTORS)
		*system_.names[fd] = '\0';
	return result;
}

WRAPPED(bool, os_look, (int where, const char *name, struct os_status *st))
{
	bool ok = !fails("look") && __real_os_look(where, name, st);

	note("look", name, "", ok);
	return ok;
}

WRAPPED(bool, os_look_through, (const char *name, struct os_status *st))
{
	bool ok = !fails("through") && __real_os_look_through(name, st);

	note("through", name, "", ok);
	return ok;
}

WRAPPED(bool, os_status, (int fd, struct os_status *st))
{
	bool ok = !fails("status") && __real_os_status(fd, st);

	if (ok && system_.is_no_file)
		st->kind = OS_OTHER;
	note("status", name_of(fd), "", ok);
	return ok;
}

WRAPPED(bool, os_link, (int from_folder, const char *from, int to_folder, const char *to))
{
	bool ok = !fails("link") && __real_os_link(from_folder, from, to_folder, to);

	note("link", from, to, ok);
	return ok;
}

WRAPPED(bool, os_rename, (int from_folder, const char *from, int to_folder, const char *to))
{
	bool ok = !fails("rename") && __real_os_rename(from_folder, from, to_folder, to);

	note("rename", from, to, ok);
	return ok;
}

WRAPPED(bool, os_remove, (int where, const char *name))
{
	bool ok = !fails("remove") && __real_os_remove(where, name);

	note("remove", name, "", ok);
	return ok;
}

WRAPPED(bool, os_lock, (int fd, enum os_lock kind))
{
	static const char *const kinds[] = {"s", "x", "wait"};

	bool ok = !fails("lock") && __real_os_lock(fd, kind);

	note("lock", name_of(fd), kinds[kind], ok);
	return ok;
}

/* It fails where another process has a lock. */
WRAPPED(bool, os_is_locked, (int fd))
{
	bool locked = fails("free") || __real_os_is_locked(fd);

	note("free", name_of(fd), "", !locked);
	return locked;
}

WRAPPED(ssize_t, os_read, (int fd, void *to, size_t size))
{
	size_t most = system_.read && size > system_.read ? system_.read : size;
	ssize_t n = fails("read") ? (system_.does_nothing ? 0 : -1) : __real_os_read(fd, to, most);

	note("read", name_of(fd), "", n >= 0);
	return n;
}

WRAPPED(ssize_t, os_write, (int fd, const void *bytes, size_t size))
{
	size_t most = system_.written && size > system_.written ? system_.written : size;
	ssize_t n = fails("write") ? (system_.does_nothing ? 0 : -1) : __real_os_write(fd, bytes, most);

	note("write", name_of(fd), "", n >= 0);
	return n;
}

WRAPPED(bool, os_set_mode, (int fd, mode_t mode))
{
	bool ok = !fails("mode") && __real_os_set_mode(fd, mode);
	char more[16];

	snprintf(more, sizeof more, "%o", mode);
	note("mode", name_of(fd), more, ok);
	return ok;
}

WRAPPED(bool, os_sync, (int fd))
{
	bool ok = !fails("sync") && (system_.on || __real_os_sync(fd)); /* which would take the time of the disk */

	note("sync", name_of(fd), "", ok);
	return ok;
}

WRAPPED(bool, os_list, (int where, const char *path, bool (*take)(void *user, const char *name), void *user))
{
	bool ok = !fails("list"), more = true;

	for (unsigned i = 0; ok && i < system_.listed && more; i++)
		more = take(user, "name");
	if (ok && !system_.listed)
		ok = __real_os_list(where, path, take, user);
	note("list", path, "", ok);
	return ok;
}

WRAPPED(char *, os_real_path, (const char *path))
{
	char *real = fails("real") ? NULL : __real_os_real_path(path);

	note("real", path, "", real != NULL);
	return real;
}

WRAPPED(unsigned long, os_process, (void))
{
	return 7;
}

WRAPPED(long, os_most_files, (void))
{
	return system_.most_files;
}

/* Runs */

struct run {
	const char *files, *outputs; /* before; what is written, all with the same bytes */
	struct fault faults[MOST_FAULTS];
	const char *calls; /* from the first fault on; NULL: not looked at */
	const char *after, *said;
};

static bool memory_has_ended;

/* Writes "new" to each. */
static bool write_some(const char *names, bool dry_run)
{
	struct output outputs[8] = {{0}};
	char copy[1000], *rest = NULL;
	size_t count = 0;

	snprintf(copy, sizeof copy, "%s", names);
	for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
		outputs[count++] = (struct output){.path = name, .bytes = "new", .size = 3};
	/* No output of the run: nobody may touch what is behind them. */
	int guard = open("guard", O_WRONLY | O_CREAT | O_EXCL, 0600);
	outputs[count] = (struct output){.temporary = strdup("guard"), .target = strdup("guard"), .lock = guard};
	system_.on = true;
	begin_scarcity(system_.last_memory);
	bool ok = write_outputs(outputs, count, dry_run);
	memory_has_ended = end_scarcity();
	system_.on = false;
	assert_int_equal(scarce_.out_count, 0);
	assert_string_equal(outputs[count].temporary, "guard");
	assert_string_equal(outputs[count].target, "guard");
	assert_int_equal(close(guard) | unlink("guard"), 0);
	free(outputs[count].temporary);
	free(outputs[count].target);
	for (size_t i = 0; i < count; i++) {
		assert_true(!outputs[i].lock && !outputs[i].backup_lock);
		assert_true(!outputs[i].target && !outputs[i].temporary && !outputs[i].backup);
	}
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		assert_string_equal(system_.names[fd], ""); /* nothing stays open */
	return ok;
}

static void empty(const char *where)
{
	struct dirent *e;
	DIR *here = opendir(where);
	char path[400];

	assert_non_null(here);
	while ((e = readdir(here)) != NULL) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !strcmp(e->d_name, "said"))
			continue;
		snprintf(path, sizeof path, "%s/%s", where, e->d_name);
		if (!unlink(path))
			continue;
		empty(path);
		rmdir(path);
	}
	closedir(here);
}

static void prepare(const char *words)
{
	memset(&system_, 0, sizeof system_);
	system_.most_files = 1000;
	put_files(words);
}

static void check(const struct run *r)
{
	prepare(r->files);
	memcpy(system_.faults, r->faults, sizeof system_.faults);
	bool ok = write_some(r->outputs, false);
	const char *told = said_here(), *after = files();
	if (r->calls)
		assert_string_equal(system_.calls, r->calls);
	assert_string_equal(after, r->after);
	assert_string_equal(told, r->said);
	assert_int_equal(ok, !*r->said);
	empty(".");
}

#include "written_runs.h"

static void check_all(const struct run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check(&runs[i]);
}

static void each_kind_of_output_takes_its_calls(void **state)
{
	(void)state;
	check_all(kinds, COUNT(kinds));
}

static void what_a_killed_run_left_goes(void **state)
{
	(void)state;
	check_all(leftovers, COUNT(leftovers));
}

static void what_somebody_else_made_stays(void **state)
{
	(void)state;
	check_all(others, COUNT(others));
}

static void what_fails_is_said_and_put_back(void **state)
{
	(void)state;
	check_all(failures, COUNT(failures));
}

/* All further than the first two numbers: locks are held until the end, so there must be descriptors for two of each
 * output, besides 32. Else names have the number of the process. */
static void names_are_unique_where_locks_have_no_room(void **state)
{
	static const struct {
		long most_files;
		const char *outputs;
		bool locked;
	} rows[] = {{-1, "a", true},    {0, "a", false},   {32, "a", false},     {33, "a", false},   {34, "a", true},
		    {35, "a b", false}, {36, "a b", true}, {37, "a b c", false}, {38, "a b c", true}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		prepare("a=old b=old");
		system_.most_files = rows[i].most_files;
		assert_true(write_some(rows[i].outputs, false));
		assert_int_equal(strstr(system_.calls, "open(.a.0.tmp,wn,644)") != NULL, rows[i].locked);
		assert_int_equal(strstr(system_.calls, "open(.a.7-0.tmp,wn,644)") == NULL, rows[i].locked);
		assert_int_equal(strstr(system_.calls, "lock(") != NULL, rows[i].locked);
		assert_int_equal(strstr(system_.calls, "link(a,.a.7-0.old)") != NULL,
				 !rows[i].locked && rows[i].outputs[1]);
		assert_null(strstr(files(), ".a."));
		empty(".");
	}
	prepare("a:444=old");
	system_.most_files = 0;
	assert_true(write_some("a", false));
	assert_string_equal(system_.calls,
			    COMPARED("a")
				SWEPT("", "a") "open(.a.7-0.tmp,wn,444) write(.a.7-0.tmp) mode(.a.7-0.tmp,444) "
					       "sync(.a.7-0.tmp) close(.a.7-0.tmp) rename(.a.7-0.tmp,a) ");
	assert_string_equal(files(), "a:444=new");
	prepare("a=old");
	system_.most_files = 0;
	system_.faults[0] = (struct fault){"close", 2, EIO, NULL, 0}; /* the first one is of the comparison */
	assert_false(write_some("a", false));
	assert_string_equal(said(), "spirv-bind: cannot write a: Input/output error\n");
	assert_string_equal(files(), "a=old");
}

/* A folder with more names than that is not looked through: the leftovers of each output are asked for. */
static void large_folders_are_not_looked_through(void **state)
{
	(void)state;
	for (unsigned listed = 4096; listed <= 4097; listed++) {
		prepare("a=new b=new");
		system_.listed = listed;
		assert_true(write_some("a b", false));
		assert_string_equal(system_.calls, listed == 4096 ? COMPARED("a") COMPARED("b") "list(.) "
								  : COMPARED("a")
									COMPARED("b") "list(.) " SWEPT("", "a")
									    SWEPT("", "b"));
		empty(".");
	}
}

/* Those of a hundred runs that were killed go, and no more are looked for. */
static void all_numbers_are_looked_for(void **state)
{
	char name[20];

	(void)state;
	prepare("");
	for (int number = 0; number < 100; number++) {
		snprintf(name, sizeof name, ".a.%d.tmp", number);
		put_file(name, "half");
	}
	assert_true(write_some("a", false));
	assert_string_equal(files(), "a=new");
	assert_non_null(strstr(system_.calls, "look(.a.99.tmp)"));
	assert_null(strstr(system_.calls, ".a.:0"));
	empty(".");
	prepare("d/ d/e/ d/e/.f.2.tmp=half"); /* in each folder for itself */
	assert_true(write_some("d/a d/e/f", false));
	assert_string_equal(files(), "d/ d/a=new d/e/ d/e/f=new");
	empty(".");
}

static void a_dry_run_only_looks(void **state)
{
	struct output outputs[] = {{.path = "a", .bytes = "new", .size = 3},
				   {.path = "b", .bytes = "new", .size = 3},
				   {.path = "c", .bytes = "new", .size = 3},
				   {.path = "d", .bytes = "", .size = 0},
				   {.path = "p", .bytes = "new", .size = 3}};

	(void)state;
	prepare("a=new b=old d= .a.0.tmp=half p>/dev/full");
	system_.on = true;
	assert_true(write_outputs(outputs, COUNT(outputs), true));
	system_.on = false;
	assert_string_equal(
	    system_.calls,
	    COMPARED("a") COMPARED("b") "look(c)! look(d) open(d,t) close(d) look(p) real(p) through(/dev/full) ");
	assert_true(!outputs[0].changed && outputs[1].changed && outputs[2].changed && !outputs[3].changed);
	assert_true(outputs[0].kind == OUTPUT_FILE && outputs[2].kind == OUTPUT_NEW &&
		    outputs[4].kind == OUTPUT_STREAM);
	assert_string_equal(files(), ".a.0.tmp=half a=new b=old d= p>/dev/full");
}

/* 200 bytes of a name are kept, so two may have the same temporary file: the second one takes the next number. */
static void long_names_that_begin_alike_are_told_apart(void **state)
{
	char names[600], long_name[201], wanted[700];

	(void)state;
	memset(long_name, 'n', 200);
	long_name[200] = '\0';
	prepare("");
	snprintf(names, sizeof names, "%s1 %s2", long_name, long_name);
	assert_true(write_some(names, false));
	snprintf(wanted, sizeof wanted, "%s1=new %s2=new", long_name, long_name);
	assert_string_equal(files(), wanted);
	snprintf(wanted, sizeof wanted, "rename(.%s.0.tmp,%s1) ", long_name, long_name);
	assert_non_null(strstr(system_.calls, wanted));
	snprintf(wanted, sizeof wanted, "rename(.%s.1.tmp,%s2) ", long_name, long_name);
	assert_non_null(strstr(system_.calls, wanted));
	empty(".");
	prepare("");
	long_name[199] = '\0'; /* with another byte it is as long as may be */
	snprintf(names, sizeof names, "%s1 %s2", long_name, long_name);
	assert_true(write_some(names, false));
	snprintf(wanted, sizeof wanted, "rename(.%s2.0.tmp,%s2) ", long_name, long_name);
	assert_non_null(strstr(system_.calls, wanted));
}

/* A hundred numbers are tried, and then a hundred with the process's number, of which the last one is left or not. */
static void names_may_run_out(void **state)
{
	enum { NUMBERS = 100 };
	char wanted[200];

	(void)state;
	for (int taken = 2 * NUMBERS - 1; taken <= 2 * NUMBERS; taken++) {
		prepare("");
		system_.faults[0] = (struct fault){"open", 1, EEXIST, NULL, taken};
		bool ok = write_some("a", false);
		assert_int_equal(ok, taken < 2 * NUMBERS);
		assert_string_equal(said(), ok ? "" : "spirv-bind: cannot write a: File exists\n");
		assert_string_equal(files(), ok ? "a=new" : "");
		const char *calls = system_.calls;
		for (int i = 0; i < 2 * NUMBERS; i++) {
			if (i < NUMBERS)
				sprintf(wanted, "open(.a.%d.tmp,wn,666)! look(.a.%d.tmp)! ", i, i);
			else
				sprintf(wanted, "open(.a.7-%d.tmp,wn,666)%s ", i - NUMBERS, i < taken ? "!" : "");
			assert_memory_equal(calls, wanted, strlen(wanted));
			calls += strlen(wanted);
		}
		empty(".");
	}
	/* then the old file is copied */
	for (int taken = NUMBERS - 1; taken <= NUMBERS; taken++) {
		prepare("a=old b=old");
		system_.faults[0] = (struct fault){"link", 1, EEXIST, NULL, taken};
		assert_true(write_some("a b", false));
		assert_string_equal(files(), "a=new b=new");
		const char *last = strstr(system_.calls, "link(a,.a.7-99.old)");
		assert_non_null(last);
		snprintf(wanted, sizeof wanted, "link(a,.a.7-99.old)%s",
			 taken < NUMBERS ? " rename(" : "! through(a) ");
		assert_memory_equal(last, wanted, strlen(wanted));
		empty(".");
	}
}

/* Wherever memory ends, all files are new, or all are old, and that is said. */
static void memory_may_end_anywhere(void **state)
{
	static const struct {
		const char *files;
		long most_files;
		struct fault fault;
		long refused;
	} rows[] = {{"a=old b=old", 1000, {NULL, 0, 0, NULL, 0}, 6},
		    {"a=old b=old", 0, {NULL, 0, 0, NULL, 0}, 4},
		    {"a=old b=old", 1000, {"link", 1, EPERM, NULL, ALWAYS}, 8},
		    {"a=old b=old", 0, {"link", 1, EPERM, NULL, ALWAYS}, 8},
		    {"a=old b=old .a.0.tmp=half .b.1.tmp=half", 1000, {NULL, 0, 0, NULL, 0}, 6}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		long refused = 0;
		memory_has_ended = true;
		for (long number = 1; memory_has_ended; number++) {
			prepare(rows[i].files);
			system_.most_files = rows[i].most_files;
			system_.faults[0] = rows[i].fault;
			system_.last_memory = number;
			bool ok = write_some("a b", false);
			assert_memory_said(ok ? EXIT_DONE : EXIT_IO);
			assert_string_equal(strstr(files(), "a="), ok ? "a=new b=new" : "a=old b=old");
			refused += !ok;
			empty(".");
		}
		assert_int_equal(refused, rows[i].refused);
	}
	memory_has_ended = true;
	for (long number = 1; memory_has_ended; number++) { /* and the second file cannot be put in place */
		prepare("a=old b=old");
		system_.faults[0] = (struct fault){"rename", 2, EIO, NULL, 0};
		system_.last_memory = number;
		bool ok = write_some("a b", false);
		assert_string_equal(files(), ok ? "a=new b=new" : "a=old b=old"); /* fewer are renamed then */
		assert_int_equal(ok, !*said());
		empty(".");
	}
	empty(".");
	prepare("a=old");
	system_.faults[0] = (struct fault){"lock", 1, 0, ".a.0.tmp=other", 0}; /* it is not the one that is locked */
	assert_true(write_some("a", false));
	assert_string_equal(files(), ".a.0.tmp=other a=new");
	empty(".");
	prepare("a=new");
	system_.faults[0] = (struct fault){"read", 1, EINTR, NULL, 0};
	assert_true(write_some("a", false));
	assert_null(strstr(system_.calls, "rename")); /* it has been read again, and does not change */
	prepare("a=old b=old");
	system_.faults[0] = (struct fault){"lock", 1, EAGAIN, NULL, 0};
	assert_true(write_some("a b", false));
	assert_non_null(strstr(system_.calls, "link(a,.a.1.old)")); /* both names have the number that was free */
}

static unsigned char *some_bytes(size_t size)
{
	unsigned char *bytes = malloc(size + 1);

	assert_non_null(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(i % 251);
	return bytes;
}

static void put_bytes(const char *path, const unsigned char *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

/* Where the first byte is that differs, and how many are read and written at a time. */
static void what_is_there_is_compared_to_the_last_byte(void **state)
{
	enum { SIZE = 140000 };
	static const size_t places[] = {0, 1, 65535, 65536, SIZE - 1, SIZE}, pieces[] = {0, 1000, 65535};

	(void)state;
	for (size_t i = 0; i < COUNT(places); i++) {
		for (size_t k = 0; k < COUNT(pieces); k++) {
			unsigned char *bytes = some_bytes(SIZE), *old = some_bytes(SIZE);
			old[places[i]] ^= 1;
			prepare("");
			put_bytes("a", old, SIZE);
			struct output o = {.path = "a", .bytes = bytes, .size = SIZE};
			system_.on = true;
			system_.read = system_.written = pieces[k];
			assert_true(write_outputs(&o, 1, false));
			system_.on = false;
			assert_int_equal(o.changed, places[i] < SIZE);
			size_t size;
			unsigned char *now = read_own_file("a", &size);
			assert_int_equal(size, SIZE);
			assert_memory_equal(now, bytes, SIZE);
			free(now);
			free(old);
			free(bytes);
		}
	}
}

/* A pipe does not say how long it is. */
static void what_has_no_size_is_read_to_its_end(void **state)
{
	static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 131071, 131072, 131073, 300000},
			    pieces[] = {0, 40000};

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		for (size_t k = 0; k < COUNT(pieces); k++) {
			unsigned char *bytes = some_bytes(sizes[i]);
			size_t size;
			prepare("");
			put_bytes("a", bytes, sizes[i]);
			system_.is_no_file = true;
			system_.read = pieces[k];
			system_.faults[0] = (struct fault){"read", 2, EINTR, NULL, 0};
			system_.on = true;
			unsigned char *read = read_own_file("a", &size);
			system_.on = false;
			assert_int_equal(size, sizes[i]);
			assert_memory_equal(read, bytes, size);
			free(read);
			free(bytes);
		}
	}
}

/* A signal ends the run and leaves no temporary file; while files are put in place, it waits for all of them. */
static void a_signal_leaves_all_or_nothing(void **state)
{
	static const struct {
		const char *call;
		int n;
		const char *after;
	} rows[] = {{"write", 1, "a=old b=old"},  {"sync", 2, "a=old b=old"},   {"look", 3, "a=old b=old"},
		    {"rename", 1, "a=new b=new"}, {"rename", 2, "a=new b=new"}, {"link", 1, "a=new b=new"},
		    {"remove", 1, "a=new b=new"}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int status;
		prepare("a=old b=old");
		system_.faults[0] = (struct fault){rows[i].call, rows[i].n, 0, "!", 0};
		pid_t child = fork();
		assert_true(child >= 0);
		if (!child) {
			write_some("a b", false);
			_exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(unlink("guard"), 0);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
		assert_string_equal(files(), rows[i].after);
		empty(".");
	}
	/* and once all is written, a signal is as it was before */
	prepare("");
	assert_true(write_some("a", false));
	struct sigaction action;
	assert_int_equal(sigaction(SIGTERM, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_DFL);
	int status;
	pid_t child = fork();
	if (!child) {
		raise(SIGTERM);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_string_equal(files(), "a=new");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	umask(022);
	const struct CMUnitTest tests[] = {
	    TEST(each_kind_of_output_takes_its_calls),
	    TEST(what_a_killed_run_left_goes),
	    TEST(what_somebody_else_made_stays),
	    TEST(what_fails_is_said_and_put_back),
	    TEST(names_are_unique_where_locks_have_no_room),
	    TEST(large_folders_are_not_looked_through),
	    TEST(a_dry_run_only_looks),
	    TEST(long_names_that_begin_alike_are_told_apart),
	    TEST(names_may_run_out),
	    TEST(all_numbers_are_looked_for),
	    TEST(memory_may_end_anywhere),
	    TEST(what_is_there_is_compared_to_the_last_byte),
	    TEST(what_has_no_size_is_read_to_its_end),
	    TEST(a_signal_leaves_all_or_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
