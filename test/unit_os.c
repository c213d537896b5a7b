/* SPDX-License-Identifier: Apache-2.0 */
/* The interface to the system: each call on each kind of file, locks, children and signals. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
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
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cmocka.h>

#include "cli/os/os.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Each test runs in an empty folder, which is open, too; `below` is one in it. */
static char path[4096];
static int folder, below;

static int begin(void **state)
{
	(void)state;
	if (!os_make_temporary_folder(path, sizeof path) || chdir(path) || mkdir("below", 0700))
		return 1;
	folder = open(".", O_RDONLY);
	below = open("below", O_RDONLY);
	return folder < 0 || below < 0;
}

static int end(void **state)
{
	char command[9000];

	(void)state;
	close(folder);
	close(below);
	snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", path, path);
	return chdir("/") || system(command);
}

static void put_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "wb");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void assert_file(const char *name, const char *text)
{
	char found[1000];
	FILE *f = fopen(name, "rb");

	assert_non_null(f);
	found[fread(found, 1, sizeof found - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(found, text);
}

static void put_one_of_each_kind(void)
{
	put_file("file", "abc");
	put_file("below/file", "defgh");
	assert_int_equal(chmod("file", 0640), 0);
	assert_int_equal(mkfifo("pipe", 0600) | symlink("file", "link") | symlink("missing", "dangling"), 0);
}

/* errno, or 0 */
static int opening(int where, const char *name, unsigned how)
{
	int fd = os_open(where, name, how, 0600), error = errno;

	if (fd < 0)
		return error;
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC); /* child processes do not inherit it */
	close(fd);
	return 0;
}

static void each_open_mode_works(void **state)
{
	static const struct {
		const char *name;
		unsigned how;
		int error;
	} rows[] = {{"file", OS_READ, 0},
		    {"file", OS_WRITE, 0},
		    {"file", OS_READ_WRITE, 0},
		    {"file", OS_READ | OS_NO_LINK, 0},
		    {"file", OS_READ | OS_NO_WAIT, 0},
		    {"file", OS_READ | OS_FOLDER, ENOTDIR},
		    {"file", OS_WRITE | OS_NEW, EEXIST},
		    {"file", OS_WRITE | OS_CREATE, 0},
		    {"link", OS_READ, 0},
		    {"link", OS_READ | OS_NO_LINK, ELOOP},
		    {"link", OS_WRITE | OS_NEW, EEXIST},
		    {"missing", OS_READ, ENOENT},
		    {"missing", OS_WRITE, ENOENT},
		    {"below", OS_READ | OS_FOLDER, 0},
		    {"below", OS_WRITE, EISDIR},
		    {"pipe", OS_READ | OS_NO_WAIT, 0},
		    {"pipe", OS_WRITE | OS_NO_WAIT, ENXIO},
		    {"created", OS_WRITE | OS_CREATE, 0},
		    {"new", OS_WRITE | OS_NEW, 0},
		    {"new", OS_WRITE | OS_NEW, EEXIST}};

	(void)state;
	put_one_of_each_kind();
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (opening(OS_HERE, rows[i].name, rows[i].how) != rows[i].error)
			print_message("%s, %u\n", rows[i].name, rows[i].how);
		if (rows[i].how & OS_NEW && !rows[i].error)
			assert_int_equal(unlink(rows[i].name), 0);
		assert_int_equal(opening(folder, rows[i].name, rows[i].how), rows[i].error);
	}
	assert_int_equal(opening(below, "created", OS_READ), ENOENT);
	assert_int_equal(opening(below, "created", OS_WRITE | OS_NEW), 0);
	assert_file("below/created", "");
	assert_file("file", "abc"); /* nothing truncates */

	char byte;
	int fd = os_open(OS_HERE, "file", OS_READ, 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC); /* a compiler does not inherit it */
	assert_int_equal(os_read(fd, &byte, 1), 1);
	assert_int_equal(byte, 'a');
	assert_int_equal(os_write(fd, "x", 1), -1);
	close(fd);
	fd = os_open(OS_HERE, "file", OS_WRITE, 0);
	assert_int_equal(os_read(fd, &byte, 1), -1);
	assert_int_equal(os_write(fd, "x", 1), 1);
	close(fd);
	fd = os_open(OS_HERE, "file", OS_READ_WRITE, 0);
	assert_int_equal(os_read(fd, &byte, 1), 1);
	assert_int_equal(os_write(fd, "y", 1), 1);
	assert_false(os_is_terminal(fd));
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(os_is_terminal(terminal));
	close(terminal);
	close(fd);
	assert_file("file", "xyc");
	fd = os_open(OS_HERE, "read only", OS_WRITE | OS_NEW, 0400);
	assert_true(fd >= 0);
	close(fd);
	struct os_status st;
	assert_true(os_look(OS_HERE, "read only", &st));
	assert_int_equal(st.mode, 0400);
}

static void assert_status(const struct os_status *s, enum os_kind kind, const char *name)
{
	struct stat st;

	assert_int_equal(kind == OS_LINK ? lstat(name, &st) : stat(name, &st), 0);
	assert_int_equal(s->kind, kind);
	assert_int_equal(s->mode, st.st_mode & 07777);
	assert_int_equal(s->size, st.st_size);
	assert_int_equal(s->device, st.st_dev);
	assert_int_equal(s->number, st.st_ino);
	assert_int_equal(s->owner, st.st_uid);
	assert_int_equal(s->modified, st.st_mtime);
}

static void each_kind_of_file_is_described(void **state)
{
	static const struct {
		const char *name;
		enum os_kind kind, through;
	} rows[] = {{"file", OS_FILE, OS_FILE},
		    {"below", OS_DIRECTORY, OS_DIRECTORY},
		    {"link", OS_LINK, OS_FILE},
		    {"pipe", OS_OTHER, OS_OTHER},
		    {"/dev/null", OS_OTHER, OS_OTHER}};
	struct os_status st, other;

	(void)state;
	put_one_of_each_kind();
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(os_look(OS_HERE, rows[i].name, &st));
		assert_status(&st, rows[i].kind, rows[i].name);
		assert_true(os_look(folder, rows[i].name, &st));
		assert_status(&st, rows[i].kind, rows[i].name);
		assert_true(os_look_through(rows[i].name, &st));
		assert_status(&st, rows[i].through, rows[i].name);
	}
	int fd = os_open(OS_HERE, "file", OS_READ, 0);
	assert_true(os_status(fd, &st));
	assert_status(&st, OS_FILE, "file");
	close(fd);
	assert_false(os_status(fd, &st));
	assert_false(os_look(OS_HERE, "missing", &st) || os_look_through("dangling", &st));
	assert_true(os_look(below, "file", &st));
	assert_int_equal(st.size, 5);

	assert_true(os_look(OS_HERE, "file", &st) && os_look_through("link", &other) && os_is_same(&st, &other));
	assert_true(os_look(OS_HERE, "link", &other));
	assert_false(os_is_same(&st, &other));
	other = st;
	other.device++;
	assert_false(os_is_same(&st, &other));
	assert_true(os_is_own(&st));
	st.owner++;
	assert_false(os_is_own(&st));
	assert_true(os_is_there("file") && os_is_there("below") && os_is_there("link"));
	assert_false(os_is_there("missing") || os_is_there("dangling"));
	assert_true(os_is_readable("file"));
	assert_false(os_is_readable("missing"));
	assert_int_equal(chmod("file", 0), 0);
	assert_int_equal(os_is_readable("file"), !access("file", R_OK)); /* root may read all */
}

/* Each pair of folders: the current one, and an open one. */
static void names_are_moved_linked_and_removed_in_each_folder(void **state)
{
	(void)state;
	const struct {
		int from, to;
		const char *from_path, *to_path;
	} rows[] = {{OS_HERE, OS_HERE, "a", "b"},
		    {OS_HERE, below, "a", "below/b"},
		    {below, OS_HERE, "below/a", "b"},
		    {below, below, "below/a", "below/b"}};

	for (size_t i = 0; i < COUNT(rows); i++) {
		put_file(rows[i].from_path, "one");
		assert_true(os_link(rows[i].from, "a", rows[i].to, "b"));
		assert_file(rows[i].to_path, "one");
		assert_false(os_link(rows[i].from, "a", rows[i].to, "b"));
		assert_int_equal(errno, EEXIST);
		assert_true(os_remove(rows[i].from, "a"));
		assert_false(os_is_there(rows[i].from_path));
		assert_false(os_remove(rows[i].from, "a"));
		put_file(rows[i].from_path, "two");
		assert_true(os_rename(rows[i].from, "a", rows[i].to, "b")); /* replaces it */
		assert_file(rows[i].to_path, "two");
		assert_false(os_is_there(rows[i].from_path));
		assert_false(os_rename(rows[i].from, "a", rows[i].to, "b"));
		assert_true(os_remove(rows[i].to, "b"));

		assert_true(os_make_folder(rows[i].from, "a", 0700));
		assert_false(os_make_folder(rows[i].from, "a", 0700));
		assert_int_equal(errno, EEXIST);
		struct os_status st;
		assert_true(os_look(OS_HERE, rows[i].from_path, &st));
		assert_true(st.kind == OS_DIRECTORY && st.mode == 0700);
		assert_false(os_remove(rows[i].from, "a"));
		assert_true(os_remove_folder(rows[i].from, "a"));
		assert_false(os_remove_folder(rows[i].from, "a"));
	}
	int fd = os_open(OS_HERE, "file", OS_WRITE | OS_NEW, 0600);
	struct os_status st;
	assert_true(os_set_mode(fd, 0444) && os_status(fd, &st) && st.mode == 0444);
	assert_true(os_sync(fd) && os_sync_device(folder));
	close(fd);
	assert_false(os_set_mode(fd, 0600) || os_sync(fd) || os_sync_device(fd));
}

static void temporary_folders_are_where_the_environment_says(void **state)
{
	char made[4096];
	char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;

	(void)state;
	setenv("TMPDIR", path, 1);
	assert_true(os_make_temporary_folder(made, sizeof made));
	assert_memory_equal(made, path, strlen(path));
	assert_memory_equal(made + strlen(path), "/spirv-bind.", 12);
	struct os_status st;
	assert_true(os_look(OS_HERE, made, &st) && st.kind == OS_DIRECTORY && st.mode == 0700);
	size_t length = strlen(made);
	assert_true(os_make_temporary_folder(made, length + 1)); /* just enough */
	assert_false(os_make_temporary_folder(made, length));
	assert_string_equal(made, "");
	setenv("TMPDIR", "/nowhere", 1);
	assert_false(os_make_temporary_folder(made, sizeof made));
	assert_string_equal(made, "");
	for (int set = 0; set < 2; set++) {
		if (set)
			setenv("TMPDIR", "", 1);
		else
			unsetenv("TMPDIR");
		assert_true(os_make_temporary_folder(made, sizeof made));
		assert_memory_equal(made, "/tmp/spirv-bind.", 16);
		assert_int_equal(rmdir(made), 0);
	}
	if (before)
		setenv("TMPDIR", before, 1);
	free(before);
}

/* The answer of another process, since locks belong to processes. */
static int elsewhere(int (*ask)(void))
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child)
		_exit(ask());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Whether another process may have the lock; if so, it has it until it ends. */
static int ask_for_lock(void)
{
	return os_lock(os_open(OS_HERE, "file", OS_READ_WRITE, 0));
}

/* The linker redirects these calls of the command here: some fail, and some are counted. */

static bool cannot_list;
static bool cannot_fork;
static int pauses[1000], pause_count;
static int mallopt_what, mallopt_value;

#define WRAPPED(type, name, parameters)                                                                                \
	type __real_##name parameters;                                                                                 \
	type __wrap_##name parameters;                                                                                 \
	type __wrap_##name parameters

WRAPPED(DIR *, fdopendir, (int fd))
{
	errno = ENOMEM;
	return cannot_list ? NULL : __real_fdopendir(fd);
}

WRAPPED(int, poll, (struct pollfd * files, nfds_t count, int milliseconds))
{
	if (pause_count < (int)COUNT(pauses))
		pauses[pause_count++] = milliseconds;
	return __real_poll(files, count, milliseconds);
}

WRAPPED(int, mallopt, (int what, int value))
{
	mallopt_what = what;
	mallopt_value = value;
	return __real_mallopt(what, value);
}

static unsigned long file_system; /* 0: the real one */

WRAPPED(int, fstatfs, (int fd, struct statfs *st))
{
	int result = __real_fstatfs(fd, st);

	if (file_system)
		st->f_type = (int)(unsigned)file_system;
	return result;
}

WRAPPED(pid_t, fork, (void))
{
	errno = EAGAIN;
	return cannot_fork ? -1 : __real_fork();
}

static void be_interrupted(int number)
{
	(void)number;
}

static int wait_for_the_lock(void)
{
	const struct sigaction action = {.sa_handler = be_interrupted}; /* without restarting calls */
	sigaction(SIGUSR1, &action, NULL);
	put_file("waiting", "");
	int fd = os_open(OS_HERE, "file", OS_READ_WRITE, 0);

	return os_wait_for_lock(fd) && os_is_there("released");
}

/* Waits for that, up to some seconds. */
static void wait_until_blocked(pid_t process)
{
	char line[200], wanted[40];
	bool blocked = false;

	snprintf(wanted, sizeof wanted, " %ld ", (long)process);
	for (int i = 0; i < 500 && !blocked; i++) {
		FILE *locks = fopen("/proc/locks", "r");
		while (locks && !blocked && fgets(line, sizeof line, locks))
			blocked = strstr(line, "->") && strstr(line, wanted);
		if (locks)
			fclose(locks);
		os_pause(10);
	}
}

static void locks_are_seen_by_others_until_the_file_is_closed(void **state)
{
	(void)state;
	put_file("file", "");
	assert_true(elsewhere(ask_for_lock));
	int fd = os_open(OS_HERE, "file", OS_READ_WRITE, 0);
	assert_true(os_lock(fd));
	assert_false(elsewhere(ask_for_lock));
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child)
		_exit(wait_for_the_lock());
	while (!os_is_there("waiting"))
		os_pause(1);
	wait_until_blocked(child);
	kill(child, SIGUSR1);
	os_pause(20);
	put_file("released", "");
	close(fd);
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	assert_true(elsewhere(ask_for_lock));
	assert_false(os_lock(fd) || os_wait_for_lock(fd)); /* which is closed */
}

struct seen {
	int count, most;
	bool has_file;
};

static bool see(void *user, const char *name)
{
	struct seen *s = user;

	s->has_file |= !strcmp(name, "file");
	return ++s->count < s->most;
}

static void listing_stops_when_the_callback_asks(void **state)
{
	(void)state;
	put_one_of_each_kind();
	int before = dup(folder);
	close(before);
	struct seen s = {.most = 100};
	assert_true(os_list(OS_HERE, "below", see, &s));
	assert_true(s.count == 3 && s.has_file); /* with . and .. */
	s = (struct seen){.most = 100};
	assert_true(os_list(folder, "below", see, &s));
	assert_true(s.count == 3 && s.has_file);
	s = (struct seen){.most = 2};
	assert_true(os_list(OS_HERE, ".", see, &s));
	assert_int_equal(s.count, 2);
	s = (struct seen){.most = 100};
	assert_false(os_list(OS_HERE, "file", see, &s) || os_list(folder, "file", see, &s) ||
		     os_list(folder, "missing", see, &s));
	assert_int_equal(s.count, 0);
	alarm(20);
	assert_false(os_list(OS_HERE, "pipe", see, &s)); /* and does not wait for a writer */
	alarm(0);
	cannot_list = true;
	assert_false(os_list(folder, "below", see, &s));
	assert_int_equal(errno, ENOMEM);
	cannot_list = false;
	int stdin_before = dup(STDIN_FILENO);
	close(STDIN_FILENO);
	assert_true(os_list(folder, "below", see, &s)); /* with descriptor 0 */
	assert_int_equal(s.count, 3);
	assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
	dup2(stdin_before, STDIN_FILENO);
	close(stdin_before);
	int after = dup(folder); /* nothing stays open */
	close(after);
	assert_int_equal(before, after);
}

static void paths_are_resolved_by_the_system(void **state)
{
	char found[4096], small[5];

	(void)state;
	put_one_of_each_kind();
	char *real = os_real_path("link"), *here = os_real_path(".");
	assert_memory_equal(real, here, strlen(here));
	assert_string_equal(real + strlen(here), "/file");
	free(real);
	assert_null(os_real_path("dangling"));
	assert_true(os_current_folder(found, sizeof found));
	assert_string_equal(found, here);
	assert_false(os_current_folder(found, strlen(here)));
	free(here);
	assert_true(os_read_link("dangling", found, sizeof found));
	assert_string_equal(found, "missing");
	assert_true(os_read_link("dangling", small, sizeof small));
	assert_string_equal(small, "miss");
	assert_false(os_read_link("file", found, sizeof found));
	assert_true(os_is_absolute("/a"));
	assert_false(os_is_absolute("a/") || os_is_absolute(""));
	int system_files = open("/proc", O_RDONLY);
	assert_false(os_is_in_memory(system_files));
	close(system_files);
	assert_false(os_is_in_memory(system_files)); /* closed: unknown */
	static const struct {
		unsigned long magic; /* statfs(2) */
		bool in_memory;
	} systems[] = {{0x01021994, true}, {0x858458F6, true}, {0xEF53, false}, {0x9FA0, false}};
	for (size_t i = 0; i < COUNT(systems); i++) {
		file_system = systems[i].magic;
		assert_int_equal(os_is_in_memory(folder), systems[i].in_memory);
		assert_false(os_is_in_memory(system_files));
	}
	file_system = 0;
	unsigned char id[128], digits[8] = {0};
	assert_true(os_is_there(os_executable()));
	size_t size = os_build_id(id, sizeof id);
	assert_true(!size || size >= 16);
	assert_int_equal(os_build_id(digits, 4), 0); /* there is no room for it */
	assert_memory_equal(digits, "\0\0\0\0\0\0\0\0", 8);
	FILE *program = fopen(os_executable(), "rb");
	assert_non_null(program);
	bool is_in_it = !size;
	for (int byte; !is_in_it && (byte = getc(program)) != EOF;) {
		if (byte != id[0])
			continue;
		long at = ftell(program);
		unsigned char rest[128];
		is_in_it = fread(rest, 1, size - 1, program) == size - 1 && !memcmp(rest, id + 1, size - 1);
		fseek(program, at, SEEK_SET);
	}
	fclose(program);
	assert_true(is_in_it);

	char *text = NULL;
	size_t length = 0;
	FILE *to = os_open_text(&text, &length);
	assert_non_null(to);
	fputs("abc", to);
	assert_true(os_flush_text(to));
	assert_int_equal(length, 3);
	assert_string_equal(text, "abc");
	assert_true(os_close_text(to));
	free(text);
	put_file("text", "");
	to = fopen("text", "r");
	assert_non_null(to);
	assert_true(fputc('x', to) == EOF && !fflush(to)); /* a failed write is reported */
	assert_false(os_flush_text(to));
	fclose(to);
	assert_true(os_matches("a*[b-d]?", "axxcz") && os_matches("\\*", "*") && os_matches("", "") &&
		    os_matches("a*c", "a/.b/c"));
	assert_false(os_matches("a?", "a") || os_matches("[b-d]", "e"));
}

/* Children */

/* Runs a script, whose output must be `wanted`. */
static int ran(const char *script, unsigned seconds, const char *wanted)
{
	const char *const words[] = {"sh", "-c", script, NULL};
	int status = os_run_child(words, "log", seconds);

	assert_file("log", wanted);
	return status;
}

/* Waits for the end of the process whose number is in a file. */
static void assert_gone(const char *name)
{
	char stat_file[64], line[256];
	FILE *f = fopen(name, "r");
	int number = 0;
	bool gone = false;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d", &number), 1);
	fclose(f);
	snprintf(stat_file, sizeof stat_file, "/proc/%d/stat", number);
	for (int i = 0; i < 2000 && !gone; i++) {
		f = fopen(stat_file, "r");
		gone = !f || !fgets(line, sizeof line, f) || strstr(line, ") Z ");
		if (f)
			fclose(f);
		os_pause(5);
	}
	assert_true(gone);
}

static void exits_of_children_are_distinguished(void **state)
{
	const char *const missing[] = {"/nowhere/program", NULL}, *const words[] = {"true", NULL};

	(void)state;
	assert_int_equal(ran("echo out; echo error >&2", 0, "out\nerror\n"), 0);
	assert_int_equal(ran("exit 7", 0, ""), 7); /* the log is emptied */
	assert_int_equal(ran("exit 126", 0, ""), 126);
	assert_int_equal(ran("exit 127", 0, ""), OS_CHILD_NOT_FOUND);
	assert_int_equal(ran("kill -TERM $$", 0, ""), OS_CHILD_KILLED);
	int before = dup(STDIN_FILENO), words_there = open("log", O_RDWR | O_TRUNC);
	assert_true(write(words_there, "x\n", 2) == 2 && lseek(words_there, 0, SEEK_SET) == 0);
	dup2(words_there, STDIN_FILENO); /* which children do not inherit */
	assert_int_equal(ran("read x || echo none", 0, "none\n"), 0);
	dup2(before, STDIN_FILENO);
	close(before), close(words_there);
	assert_int_equal(ran("sleep 1000 & echo $! > grandchild; wait", 1, ""), OS_CHILD_TOO_LONG);
	assert_gone("grandchild");
	assert_int_equal(os_run_child(missing, "log", 0), OS_CHILD_NOT_FOUND);
	assert_int_equal(os_run_child(words, "nowhere/log", 0), OS_CHILD_NOT_FOUND); /* ENOENT, too */
	assert_int_equal(os_run_child(words, "below", 0), OS_CHILD_FAILED);
	assert_int_equal(errno, EISDIR);
	struct os_status st;
	assert_true(os_look(OS_HERE, "log", &st) && st.mode == 0600);
	assert_int_equal(ran("set -- $(ps -o pgid= -p $$); test $1 = $$ && echo leader", 5, "leader\n"), 0);
}

static void stop_soon(int number)
{
	(void)number;
	raise(SIGTERM);
}

/* Waiting for a child polls less and less often, and does not use the processor. */
static void children_are_waited_for_with_pauses(void **state)
{
	const char *const words[] = {"sleep", "0.05", NULL};

	(void)state;
	pause_count = 0;
	assert_int_equal(os_run_child(words, "log", 0), 0);
	assert_true(pause_count > 4 && pause_count < 100);
	for (int i = 0; i < pause_count; i++)
		assert_int_equal(pauses[i], i < 3 ? 1 << i : 8);
}

static void a_failed_start_leaves_nothing(void **state)
{
	const char *const words[] = {"touch", "started", NULL};
	const int free_before = dup(STDIN_FILENO);

	(void)state;
	close(free_before);
	cannot_fork = true;
	assert_int_equal(os_run_child(words, "log", 0), OS_CHILD_FAILED);
	assert_int_equal(errno, EAGAIN);
	cannot_fork = false;
	assert_false(os_is_there("started"));
	assert_int_equal(os_run_child(words, "log", 0), 0);
	assert_true(os_is_there("started"));
	const int free_after = dup(STDIN_FILENO);
	close(free_after);
	assert_int_equal(free_after, free_before);
}

/* However early we end: the child is tied before it becomes another program. */
static void children_end_with_us(void **state)
{
	const char *const words[] = {"sh", "-c", "echo $$ > child.new; mv child.new child; sleep 1000", NULL};

	(void)state;
	for (int i = 0; i < 10; i++) {
		const pid_t us = fork();
		assert_true(us >= 0);
		if (!us) {
			os_run_child(words, "log", 0);
			_exit(1);
		}
		while (!os_is_there("child"))
			os_pause(1);
		kill(us, SIGKILL);
		waitpid(us, NULL, 0);
		assert_gone("child");
		assert_int_equal(unlink("child"), 0);
	}
}

static void exit_statuses_are_known_where_they_are_ignored(void **state)
{
	(void)state;
	signal(SIGCHLD, SIG_IGN); /* as a parent process may have set it */
	alarm(20);
	assert_int_equal(ran("exit 7", 0, ""), 7);
	alarm(0);
}

/* A signal stops running children, and is not lost. */
static void children_are_stopped_when_a_signal_has_come(void **state)
{
	(void)state;
	signal(SIGALRM, stop_soon);
	os_defer_signals(true);
	assert_int_equal(os_stop_signal(), 0);
	alarm(1);
	assert_int_equal(ran("sleep 1000 & echo $! > grandchild; wait", 0, ""), OS_CHILD_KILLED);
	assert_int_equal(os_stop_signal(), SIGTERM);
	assert_gone("grandchild");
	os_defer_signals(false);
	assert_int_equal(os_stop_signal(), 0);
}

static void programs_are_found_as_the_shell_finds_them(void **state)
{
	static const struct {
		const char *folders, *found;
	} rows[] = {{"one:two", "two/tool"},
		    {"two:one", "two/tool"},
		    {"two", "two/tool"},
		    {"one", NULL},
		    {"", NULL},
		    {":two", "tool"},
		    {"one::two", "tool"},
		    {"two:", "two/tool"},
		    {"one:", NULL},
		    {"nowhere:two", "two/tool"}};
	char *before = strdup(getenv("PATH"));

	(void)state;
	mkdir("one", 0700), mkdir("two", 0700);
	put_file("one/tool", "not executable");
	put_file("two/tool", "");
	put_file("tool", "");
	assert_int_equal(chmod("one/tool", 0600) | chmod("two/tool", 0700) | chmod("tool", 0700), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		setenv("PATH", rows[i].folders, 1);
		char *found = os_find_program("tool");
		if (rows[i].found)
			assert_string_equal(found, rows[i].found);
		else
			assert_null(found);
		free(found);
	}
	unsetenv("PATH");
	assert_null(os_find_program("tool"));
	setenv("PATH", before, 1);
	free(before);
}

/* Signals, in separate processes: how one ends, as from waitpid(). */

static int ended(void (*run)(void))
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		run();
		_exit(99);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void leave_a_mark(void)
{
	close(open("mark", O_WRONLY | O_CREAT, 0600));
}

static int raised;

static void clean_up_and_raise(void)
{
	os_on_fatal_signals(leave_a_mark);
	raise(raised);
}

static void clean_up_no_more(void)
{
	os_on_fatal_signals(leave_a_mark);
	os_on_fatal_signals(NULL);
	raise(raised);
}

static void ignore_and_raise(void)
{
	signal(raised, SIG_IGN);
	os_on_fatal_signals(leave_a_mark);
	raise(raised);
	os_defer_signals(true);
	raise(raised);
	_exit(os_stop_signal() ? 1 : 7);
}

static void defer_once(void)
{
	os_defer_signals(true);
	os_on_fatal_signals(leave_a_mark); /* does nothing meanwhile */
	raise(raised);
	_exit(os_stop_signal() == raised ? 8 : 9);
}

static void defer_twice(void)
{
	os_defer_signals(true);
	raise(raised);
	raise(raised);
}

static void heed(void)
{
	os_defer_signals(true);
	raise(raised);
	os_heed_signals();
}

static void heed_nothing(void)
{
	os_defer_signals(true);
	os_heed_signals();
	os_on_fatal_signals(leave_a_mark);
	raise(raised);
}

static void hold_and_release(void)
{
	os_signals before;

	os_hold_signals(&before);
	raise(raised);
	leave_a_mark();
	errno = 5;
	os_release_signals(&before);
}

static void hold_nothing(void)
{
	os_signals before;

	os_hold_signals(&before);
	errno = 5;
	os_release_signals(&before);
	_exit(errno == 5 ? 6 : 0);
}

static void fatal_signals_clean_up_and_end_the_process(void **state)
{
	static const int fatal[] = {SIGINT, SIGTERM, SIGHUP};
	static const struct {
		void (*run)(void);
		int ended; /* 0: by the signal */
		bool marked;
	} rows[] = {{clean_up_and_raise, 0, true}, {clean_up_no_more, 0, false}, {ignore_and_raise, 7, false},
		    {defer_once, 8, false},        {defer_twice, 0, false},      {heed, 0, false},
		    {heed_nothing, 0, true},       {hold_and_release, 0, true},  {hold_nothing, 6, false}};

	(void)state;
	for (size_t i = 0; i < COUNT(fatal); i++) {
		for (size_t k = 0; k < COUNT(rows); k++) {
			raised = fatal[i];
			assert_int_equal(ended(rows[k].run), rows[k].ended ? rows[k].ended : -raised);
			assert_int_equal(os_is_there("mark"), rows[k].marked);
			unlink("mark");
		}
	}
}

static void leave_ones(void) /* on the stack of the next call */
{
	volatile unsigned char ones[2000];

	for (size_t i = 0; i < sizeof ones; i++)
		ones[i] = 255;
}

static void only_fatal_signals_are_deferred(void **state)
{
	void (*volatile before_it)(void) = leave_ones;
	os_signals before;
	sigset_t held;

	(void)state;
	before_it();
	os_hold_signals(&before);
	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &held), 0);
	for (int number = 1; number < 32; number++) {
		bool fatal = number == SIGINT || number == SIGTERM || number == SIGHUP;
		assert_int_equal(sigismember(&held, number), fatal);
	}
	os_release_signals(&before);
	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &held), 0);
	assert_false(sigismember(&held, SIGTERM));
}

/* While one signal is handled, others are blocked. */
static void assert_handled_alone(void)
{
	static const int fatal[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;

	for (size_t i = 0; i < COUNT(fatal); i++) {
		assert_int_equal(sigaction(fatal[i], NULL, &action), 0);
		assert_true(action.sa_handler != SIG_DFL);
		for (int number = 1; number < 32; number++)
			assert_true(number == SIGKILL || number == SIGSTOP || sigismember(&action.sa_mask, number));
	}
}

static void signals_are_handled_one_by_one(void **state)
{
	(void)state;
	os_on_fatal_signals(leave_a_mark);
	assert_handled_alone();
	os_on_fatal_signals(NULL);
	os_defer_signals(true);
	assert_handled_alone();
	os_defer_signals(false);
}

static void survive(int number)
{
	(void)number;
	_exit(5);
}

static void die_although_it_is_handled(void)
{
	signal(SIGTERM, survive);
	os_die_of_signal(SIGTERM);
}

static void one_may_die_of_a_signal(void **state)
{
	(void)state;
	assert_int_equal(ended(die_although_it_is_handled), -SIGTERM);
}

/* Counts the closed standard streams that cannot be written to. */
static void begin_without_streams(void)
{
	int argc = 0, bad = 0;
	char **argv = NULL;
	int free_before = dup(folder);

	close(free_before);
	close(0), close(1), close(2);
	os_begin(&argc, &argv);
	for (int fd = 0; fd < 3; fd++)
		bad += fcntl(fd, F_GETFL) != -1 && write(fd, "x", 1) < 0 && errno == EBADF;
	_exit(bad == 3 && dup(folder) == free_before ? 3 : 0); /* no others are open */
}

static void begin_with_a_closed_pipe(void)
{
	int argc = 0, ends[2];
	char **argv = NULL;

	os_begin(&argc, &argv);
	if (pipe(ends))
		_exit(1);
	close(ends[0]);
	_exit(write(ends[1], "x", 1) < 0 && errno == EPIPE && !raise(SIGXFSZ) ? 4 : 0);
}

/* Lines of several processes do not mix. */
static void begin_with_lines(void)
{
	int argc = 0, ends[2];
	char **argv = NULL, text[8] = "";

	if (pipe(ends) || dup2(ends[1], STDERR_FILENO) < 0)
		_exit(1);
	os_begin(&argc, &argv);
	fputs("ab", stderr);
	struct pollfd waiting = {.fd = ends[0], .events = POLLIN};
	if (poll(&waiting, 1, 0))
		_exit(2);
	fputs("c\n", stderr);
	_exit(read(ends[0], text, sizeof text) == 4 && !strcmp(text, "abc\n") ? 5 : 3);
}

static void a_process_begins_with_all_streams(void **state)
{
	(void)state;
	assert_int_equal(ended(begin_with_lines), 5);
	assert_int_equal(ended(begin_without_streams), 3);
	assert_int_equal(ended(begin_with_a_closed_pipe), 4);
	assert_int_equal(os_process(), getpid());
	assert_true(os_cores() >= 1);
	os_return_blocks(12345);
	assert_int_equal(mallopt_what, M_MMAP_THRESHOLD);
	assert_int_equal(mallopt_value, 12345);
	double before = os_seconds();
	os_pause(30);
	double passed = os_seconds() - before;
	assert_true(passed >= 0.029 && passed < 1000);
}

/* The heap has grown by as much, but the memory is untouched. With AddressSanitizer there is no such heap. */
static int expect_need(void)
{
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
	struct rusage before, after;
	struct mallinfo2 now;
	void *blocks[8];

	os_return_blocks(8 << 20);
	getrusage(RUSAGE_SELF, &before);
	os_expect_need(40 << 20);
	getrusage(RUSAGE_SELF, &after);
	now = mallinfo2();
	if (now.keepcost < 40 << 20 || after.ru_minflt - before.ru_minflt > 100)
		return 0;
	const size_t heap = now.arena;
	for (int i = 0; i < 8; i++)
		memset(blocks[i] = malloc(4 << 20), i, 4 << 20);
	for (int i = 8; i--;)
		free(blocks[i]);
	now = mallinfo2();
	return now.arena == heap && now.keepcost >= 40 << 20 ? 5 : 0; /* neither grown nor returned */
#else
	os_expect_need(40 << 20);
	return 5;
#endif
}

static void exit_with_need(void)
{
	_exit(expect_need());
}

static void the_heap_grows_by_the_expected_size(void **state)
{
	(void)state;
	assert_int_equal(ended(exit_with_need), 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(each_open_mode_works),
	    TEST(each_kind_of_file_is_described),
	    TEST(names_are_moved_linked_and_removed_in_each_folder),
	    TEST(temporary_folders_are_where_the_environment_says),
	    TEST(locks_are_seen_by_others_until_the_file_is_closed),
	    TEST(listing_stops_when_the_callback_asks),
	    TEST(paths_are_resolved_by_the_system),
	    TEST(exits_of_children_are_distinguished),
	    TEST(children_are_waited_for_with_pauses),
	    TEST(a_failed_start_leaves_nothing),
	    TEST(children_end_with_us),
	    TEST(exit_statuses_are_known_where_they_are_ignored),
	    TEST(children_are_stopped_when_a_signal_has_come),
	    TEST(programs_are_found_as_the_shell_finds_them),
	    TEST(fatal_signals_clean_up_and_end_the_process),
	    TEST(only_fatal_signals_are_deferred),
	    TEST(signals_are_handled_one_by_one),
	    TEST(one_may_die_of_a_signal),
	    TEST(a_process_begins_with_all_streams),
	    TEST(the_heap_grows_by_the_expected_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
