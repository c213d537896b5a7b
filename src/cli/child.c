/* SPDX-License-Identifier: Apache-2.0 */
/* child: runs another program, with a time limit, and so that a signal handler can stop it. It is the leader of a
 * process group, so that what it starts in turn is stopped, too. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/resolvers.h"

extern char **environ;

/* Changed only while signals are held. */
static volatile sig_atomic_t child; /* 0: none is running */
static volatile sig_atomic_t has_timed_out;

void stop_child(void)
{
	if (!child)
		return;
	kill(-(pid_t)child, SIGKILL);
	while (waitpid((pid_t)child, NULL, 0) < 0 && errno == EINTR)
		continue;
	child = 0;
}

static void time_out(int number)
{
	(void)number;
	if (!child)
		return;
	has_timed_out = 1;
	kill(-(pid_t)child, SIGKILL);
}

/* Returns errno. */
static int spawn(pid_t *pid, const char *const *arguments, const char *log, const sigset_t *mask)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error) {
		posix_spawn_file_actions_destroy(&actions);
		return error;
	}
	error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!error)
		error =
		    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
	if (!error)
		error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	if (!error)
		error = posix_spawnattr_setpgroup(&attributes, 0);
	if (!error)
		error = posix_spawnattr_setsigmask(&attributes, mask);
	if (!error) /* posix_spawnp does not change its arguments */
		error = posix_spawnp(pid, arguments[0], &actions, &attributes, (char *const *)(uintptr_t)arguments,
				     environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static void set_alarm(unsigned seconds)
{
	struct sigaction action = {.sa_handler = time_out};
	sigset_t set;

	sigfillset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	has_timed_out = 0;
	alarm(seconds);
}

/* Until the child is reaped, its number, which the handlers use, belongs to no other process. */
static int wait_for_child(unsigned seconds)
{
	siginfo_t info;
	sigset_t before;
	int status = 0;

	set_alarm(seconds);
	while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) && errno == EINTR)
		continue;
	alarm(0);
	hold_signals(&before);
	pid_t reaped = waitpid((pid_t)child, &status, 0);
	child = 0;
	release_signals(&before);
	if (reaped < 0)
		return CHILD_FAILED;
	if (WIFEXITED(status))
		return WEXITSTATUS(status) == 127 ? CHILD_NOT_FOUND : WEXITSTATUS(status);
	return has_timed_out ? CHILD_TOO_LONG : CHILD_KILLED;
}

int run_child(const char *const *arguments, const char *log, unsigned seconds)
{
	sigset_t before;
	pid_t pid = 0;

	signal(SIGCHLD, SIG_DFL); /* if it is ignored, there is no exit status */
	hold_signals(&before);
	int error = spawn(&pid, arguments, log, &before);
	child = error ? 0 : (sig_atomic_t)pid;
	release_signals(&before);
	errno = error;
	if (error)
		return error == ENOENT ? CHILD_NOT_FOUND : CHILD_FAILED;
	return wait_for_child(seconds);
}
