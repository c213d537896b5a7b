/* SPDX-License-Identifier: Apache-2.0 */
/* process_posix: this process, its signals, and its children. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* F_SETSIG */
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/os/os.h"

/* A closed pipe and a file too large are errors of write(), which cleans up. A standard stream that is closed must
 * not become an output file; opened for reading, writing to it fails. Messages of parallel runs mix by lines. */
static void prepare_streams(void)
{
	int fd;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
		continue;
	close(fd); /* -1: not a descriptor, which does nothing */
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
}

void os_begin(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	prepare_streams();
}

unsigned long os_process(void)
{
	return (unsigned long)getpid();
}

long os_cores(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

double os_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void os_pause(unsigned milliseconds)
{
	poll(NULL, 0, (int)milliseconds);
}

/* Signals: SIGINT, SIGTERM and SIGHUP end the command after temporary files have been removed: by the handler, or,
 * while threads work, by the code that polls for signals. */

static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP, 0};

static void (*volatile clean_up)(void);

static bool deferred;
static volatile sig_atomic_t stop;

static void clean_and_die(int number)
{
	clean_up();
	signal(number, SIG_DFL);
	raise(number); /* delivered when this handler returns */
}

void os_on_fatal_signals(void (*function)(void))
{
	struct sigaction action = {.sa_handler = function ? clean_and_die : SIG_DFL}, old;

	if (deferred)
		return;
	if (function)
		clean_up = function;
	sigfillset(&action.sa_mask);
	for (const int *number = fatal_signals; *number; number++) {
		if (!sigaction(*number, NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(*number, &action, NULL);
	}
}

static void note(int number)
{
	stop = number;
}

void os_defer_signals(bool defer)
{
	struct sigaction action = {.sa_handler = defer ? note : SIG_DFL, .sa_flags = (int)SA_RESETHAND}, old;

	deferred = defer;
	stop = 0;
	sigfillset(&action.sa_mask);
	for (const int *number = fatal_signals; *number; number++) {
		if (!sigaction(*number, NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(*number, &action, NULL);
	}
}

int os_stop_signal(void)
{
	return stop;
}

void os_die_of_signal(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

void os_hold_signals(os_signals *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (const int *number = fatal_signals; *number; number++)
		sigaddset(&set, *number);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

void os_release_signals(const os_signals *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL); /* does not touch errno, nor do our handlers */
}

/* Children: each leads a process group, so that its own children are stopped, too. The group has the reading end of a
 * pipe whose other end only this process has: when it ends, in whatever way, the system kills the group. */

enum { TIE = 3 }; /* that end in the child */

static void close_tie(const int tie[2])
{
	for (int i = 0; i < 2; i++) {
		if (tie[i] >= 0)
			close(tie[i]);
	}
}

/* Without descriptors, the child is not tied. */
static void open_tie(int tie[2])
{
	if (pipe(tie)) {
		tie[0] = tie[1] = -1;
		return;
	}
	for (int i = 0; i < 2; i++)
		fcntl(tie[i], F_SETFD, FD_CLOEXEC);
}

/* In the child, before anything else can start, so that no moment is left in which the command may end without it. */
static void fasten(const int tie[2])
{
	struct pollfd other = {.fd = TIE};

	if (tie[0] < 0)
		return;
	close(tie[1]);
	if (tie[0] == TIE ? fcntl(TIE, F_SETFD, 0) : dup2(tie[0], TIE) < 0)
		return;
#ifdef F_SETSIG
	if (!fcntl(TIE, F_SETSIG, SIGKILL) && !fcntl(TIE, F_SETOWN, -getpid()))
		fcntl(TIE, F_SETFL, O_ASYNC);
#endif
	if (poll(&other, 1, 0) > 0) /* it has ended already */
		_exit(127);
}

extern char **environ;

char *os_find_program(const char *name)
{
	const char *folders = getenv("PATH");

	for (const char *at = folders ? folders : "", *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ":");
		size_t length = (size_t)(end - at), room = length + strlen(name) + 2;
		char *path = malloc(room);
		if (!path)
			return NULL;
		snprintf(path, room, "%.*s%s%s", (int)length, at, length ? "/" : "", name);
		if (!access(path, X_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* The child: only what is safe between fork and exec in a process with threads. */
static void become(const char *path, const char *const *arguments, int log, const int tie[2])
{
	const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0) {
		fasten(tie);
		execve(path, (char *const *)(uintptr_t)arguments, environ); /* which does not change its arguments */
	}
	_exit(127);
}

/* Returns errno. */
static int start(pid_t *pid, const char *const *arguments, const char *log, const int tie[2])
{
	char *path = strchr(arguments[0], '/') ? strdup(arguments[0]) : os_find_program(arguments[0]);
	const int fd = path ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	int error = path && fd < 0 ? errno : path ? 0 : ENOENT;

	if (!error && (*pid = fork()) < 0)
		error = errno;
	if (!error && !*pid)
		become(path, arguments, fd, tie);
	if (!error)
		setpgid(*pid, *pid); /* whichever of the two comes first */
	if (fd >= 0)
		close(fd);
	free(path);
	return error;
}

/* Until the child is reaped, no other process gets its number. Polls with pauses, since a compiler takes 50 ms or
 * more. */
static int wait_for_child(pid_t pid, const char *log, unsigned seconds)
{
	enum { LONGEST_PAUSE = 8 /* milliseconds */ };
	double end = os_seconds() + seconds;
	bool is_late = false, is_loud = false, is_stopped = false;
	struct os_status st;
	int status = 0;

	for (unsigned pause = 1;; pause = pause < LONGEST_PAUSE ? 2 * pause : pause) {
		siginfo_t info = {0};
		if (!waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG) && info.si_pid)
			break;
		if (!is_stopped) {
			is_late = seconds && os_seconds() >= end;
			is_loud = os_look(OS_HERE, log, &st) && st.size > OS_MOST_LOG;
			is_stopped = is_late || is_loud || os_stop_signal();
			if (is_stopped)
				kill(-pid, SIGKILL);
		}
		os_pause(pause);
	}
	if (waitpid(pid, &status, 0) != pid)
		return OS_CHILD_FAILED;
	if (is_loud || (os_look(OS_HERE, log, &st) && st.size > OS_MOST_LOG))
		return OS_CHILD_TOO_LOUD;
	if (WIFEXITED(status))
		return WEXITSTATUS(status) == 127 ? OS_CHILD_NOT_FOUND : WEXITSTATUS(status);
	return is_late ? OS_CHILD_TOO_LONG : OS_CHILD_KILLED;
}

int os_run_child(const char *const *arguments, const char *log, unsigned seconds)
{
	pid_t pid = 0;
	int tie[2];

	signal(SIGCHLD, SIG_DFL); /* if it were ignored, there would be no exit status */
	open_tie(tie);
	int error = start(&pid, arguments, log, tie);
	int status = !error            ? wait_for_child(pid, log, seconds)
		     : error == ENOENT ? OS_CHILD_NOT_FOUND
				       : OS_CHILD_FAILED;
	close_tie(tie);
	errno = error ? error : errno;
	return status;
}
