/* SPDX-License-Identifier: Apache-2.0 */
/* failing: runs the command with an allocation or a system call that fails. For test/failing.py.
 *
 *     failing ARGUMENT…
 *
 * Of each line on stdin, two numbers, ERROR and N: the command runs with these arguments, in a process of its own. With
 * ERROR 0 its N-th allocation fails, else its N-th call of the system, with this errno; that one only, and none if N is
 * 0. With ERROR -1 it is killed at its N-th call that changes what is on the disk: at any other call, the disk is as at
 * the next one of these. With ERROR -2 each look at a file finds another inode, as on some network file systems. It
 * runs in the folder `run`; its stdout and stderr are files beside it. The answer is a line: how many allocations,
 * calls and changes the run made and which of them failed, unless the run was killed, and its exit status, or 1000 and
 * the signal.
 *
 * The linker makes the calls of the command, and of the library in it, come here; Jansson is told. Nothing is synced,
 * since that takes time, and there is no power failure here to tell the difference. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

int spb_command(int argc, char **argv);

enum { KILLED = -1, RENUMBERED = -2 };

static int error;                                 /* 0: an allocation fails */
static long allocations, calls, changes, failing; /* how many there were; which one fails */
static const char *failed = "none";
static FILE *answers;

static int allocation_fails(const char *name)
{
	if (++allocations != failing || error)
		return 0;
	failed = name;
	errno = ENOMEM;
	return 1;
}

static int call_fails(const char *name)
{
	if (++calls != failing || error <= 0)
		return 0;
	failed = name;
	errno = error;
	return 1;
}

static int change_fails(const char *name)
{
	if (++changes == failing && error == KILLED)
		raise(SIGKILL);
	return call_fails(name);
}

#define WRAP(type, name, fails, failure, parameters, ...)                                                              \
	type __real_##name parameters;                                                                                 \
	type __wrap_##name parameters;                                                                                 \
	type __wrap_##name parameters                                                                                  \
	{                                                                                                              \
		return fails(#name) ? failure : __real_##name(__VA_ARGS__);                                            \
	}
#define MEMORY(type, name, parameters, ...)  WRAP(type, name, allocation_fails, NULL, parameters, __VA_ARGS__)
#define POINTER(type, name, parameters, ...) WRAP(type, name, call_fails, NULL, parameters, __VA_ARGS__)
#define NUMBER(type, name, parameters, ...)  WRAP(type, name, call_fails, -1, parameters, __VA_ARGS__)
#define CHANGE(type, name, parameters, ...)  WRAP(type, name, change_fails, -1, parameters, __VA_ARGS__)
#define LOOK(name, parameters, ...)                                                                                    \
	int __real_##name parameters;                                                                                  \
	int __wrap_##name parameters;                                                                                  \
	int __wrap_##name parameters                                                                                   \
	{                                                                                                              \
		int result = call_fails(#name) ? -1 : __real_##name(__VA_ARGS__);                                      \
		if (!result && error == RENUMBERED)                                                                    \
			st->st_ino = (ino_t)calls;                                                                     \
		return result;                                                                                         \
	}

MEMORY(void *, malloc, (size_t size), size)
MEMORY(void *, calloc, (size_t count, size_t size), count, size)
MEMORY(void *, realloc, (void *old, size_t size), old, size)
MEMORY(char *, strdup, (const char *text), text)
MEMORY(FILE *, open_memstream, (char **text, size_t *size), text, size)
POINTER(FILE *, fopen, (const char *path, const char *mode), path, mode)
POINTER(DIR *, opendir, (const char *path), path)
POINTER(DIR *, fdopendir, (int fd), fd)
POINTER(char *, realpath, (const char *path, char *to), path, to)
POINTER(char *, getcwd, (char *to, size_t size), to, size)
NUMBER(ssize_t, readlink, (const char *path, char *to, size_t size), path, to, size)
NUMBER(ssize_t, read, (int fd, void *to, size_t size), fd, to, size)
CHANGE(ssize_t, write, (int fd, const void *from, size_t size), fd, from, size)
LOOK(stat, (const char *path, struct stat *st), path, st)
LOOK(fstat, (int fd, struct stat *st), fd, st)
LOOK(fstatat, (int folder, const char *path, struct stat *st, int flags), folder, path, st, flags)
NUMBER(int, access, (const char *path, int mode), path, mode)
CHANGE(int, link, (const char *from, const char *to), from, to)
CHANGE(int, linkat, (int a, const char *from, int b, const char *to, int flags), a, from, b, to, flags)
CHANGE(int, rename, (const char *from, const char *to), from, to)
CHANGE(int, renameat, (int a, const char *from, int b, const char *to), a, from, b, to)
CHANGE(int, unlink, (const char *path), path)
CHANGE(int, unlinkat, (int folder, const char *path, int flags), folder, path, flags)
CHANGE(int, mkdir, (const char *path, mode_t mode), path, mode)
CHANGE(int, mkdirat, (int folder, const char *path, mode_t mode), folder, path, mode)
CHANGE(int, rmdir, (const char *path), path)
CHANGE(int, fchmod, (int fd, mode_t mode), fd, mode)

int __wrap_fsync(int fd);
int __wrap_syncfs(int fd);
int __real_close(int fd);
int __wrap_close(int fd);
int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __real_fcntl(int fd, int what, ...);
int __wrap_fcntl(int fd, int what, ...);

int __wrap_fsync(int fd)
{
	(void)fd;
	return call_fails("fsync") ? -1 : 0;
}

int __wrap_syncfs(int fd)
{
	(void)fd;
	return call_fails("syncfs") ? -1 : 0;
}

int __wrap_close(int fd)
{
	int result = __real_close(fd); /* it is closed even if this fails */

	return call_fails("close") ? -1 : result;
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
	va_list list;

	va_start(list, flags);
	mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
	va_end(list);
	return (flags & O_CREAT ? change_fails : call_fails)("openat") ? -1 : __real_openat(folder, path, flags, mode);
}

int __wrap_fcntl(int fd, int what, ...) /* for locks only */
{
	va_list list;

	va_start(list, what);
	struct flock *lock = va_arg(list, struct flock *);
	va_end(list);
	return call_fails("fcntl") ? -1 : __real_fcntl(fd, what, lock);
}

static void tell(void)
{
	fprintf(answers, "%ld %ld %ld %s ", allocations, calls, changes, failed);
	fflush(answers);
}

/* Runs in a separate process. */
static void run(int argc, char **argv)
{
	if (!freopen("/dev/null", "r", stdin) || !freopen("stdout", "w", stdout) || !freopen("stderr", "w", stderr) ||
	    chdir("run") || atexit(tell))
		exit(99);
	json_set_alloc_funcs(__wrap_malloc, free);
	allocations = calls = changes = 0;
	exit(spb_command(argc, argv));
}

int main(int argc, char **argv)
{
	int status;

	answers = fdopen(dup(STDOUT_FILENO), "w");
	if (!answers)
		return 99;
	for (char line[64]; fgets(line, sizeof line, stdin);) {
		char *end;

		error = (int)strtol(line, &end, 10);
		failing = strtol(end, NULL, 10);

		pid_t child = fork();

		if (!child)
			run(argc, argv);
		if (child < 0 || waitpid(child, &status, 0) < 0)
			return 99;
		fprintf(answers, "%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status));
		fflush(answers);
	}
	return 0;
}
