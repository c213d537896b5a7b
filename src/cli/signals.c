/* SPDX-License-Identifier: Apache-2.0 */
/* signals: SIGINT, SIGTERM and SIGHUP end the command, but what is temporary is removed first: by the handler, or,
 * while threads work, by whoever sees that one has come. */
#include <errno.h>
#include <signal.h>

#include "cli/cli.h"

static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof fatal_signals[0] };

static void (*volatile clean_up)(void);

static bool deferred;
static volatile sig_atomic_t stop;

static void clean_and_die(int number)
{
	clean_up();
	signal(number, SIG_DFL);
	raise(number); /* delivered when this handler returns */
}

void on_fatal_signals(void (*function)(void))
{
	struct sigaction action = {.sa_handler = function ? clean_and_die : SIG_DFL}, old;

	if (deferred)
		return;
	if (function)
		clean_up = function;
	sigfillset(&action.sa_mask);
	for (int i = 0; i < FATAL_SIGNALS; i++) {
		if (!sigaction(fatal_signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &action, NULL);
	}
}

static void note(int number)
{
	stop = number;
}

void defer_signals(bool defer)
{
	struct sigaction action = {.sa_handler = defer ? note : SIG_DFL, .sa_flags = (int)SA_RESETHAND}, old;

	deferred = defer;
	stop = 0;
	sigfillset(&action.sa_mask);
	for (int i = 0; i < FATAL_SIGNALS; i++) {
		if (!sigaction(fatal_signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &action, NULL);
	}
}

int stop_signal(void)
{
	return stop;
}

void hold_signals(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < FATAL_SIGNALS; i++)
		sigaddset(&set, fatal_signals[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

void release_signals(const sigset_t *before)
{
	int saved = errno;

	pthread_sigmask(SIG_SETMASK, before, NULL);
	errno = saved;
}
