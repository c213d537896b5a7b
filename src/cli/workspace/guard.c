/* SPDX-License-Identifier: Apache-2.0 */
/* guard: one run at a time reads a lock file, decides, and writes it.
 *
 * The lock file itself is replaced when it is written, so a lock on it would be a lock on the old file. Runs lock
 * .NAME.guard next to it, which the last one removes. The system releases the locks of a killed run. A run that gets
 * the lock checks that the name still belongs to the file, which the previous run may have removed. This terminates,
 * because each retry means that another run has finished, unless the file system renumbers files each time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/workspace/manifest.h"

enum { MOST_TRIES = 1000, PATIENCE = 1000, PAUSE = 20 /* milliseconds */ };

/* Waits for the lock, and after a second reports which process holds it. */
static bool wait_for_lock(int fd, const char *path)
{
	char number[32];

	for (unsigned waited = 0; waited < PATIENCE; waited += PAUSE) {
		if (os_lock(fd))
			return true;
		if (errno != EACCES && errno != EAGAIN)
			return false;
		os_pause(PAUSE);
	}
	snprintf(number, sizeof number, "%lu", os_lock_holder(fd));
	msg_say(SPB_SEVERITY_NOTE,
		WORDS("waiting for ", path, ", which ", strcmp(number, "0") != 0 ? "process " : "another process",
		      strcmp(number, "0") != 0 ? number : "", " has locked"));
	return os_wait_for_lock(fd);
}

static char *guard_path(const char *lock)
{
	const char *slash = strrchr(lock, '/');
	char name[256];

	snprintf(name, sizeof name, ".%.200s.guard", slash ? slash + 1 : lock);
	return cli_beside(lock, name);
}

bool ws_take_guard(struct guard *g, const char *lock)
{
	*g = (struct guard){.path = guard_path(lock)};
	if (!g->path) {
		msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
		return false;
	}
	const char *why = "it is another file each time" MSG_REMEDY "Put the lock file on another file system.";
	for (int tries = 0; tries < MOST_TRIES; tries++) {
		struct os_status opened, named;
		g->fd = os_open(OS_HERE, g->path, OS_READ_WRITE | OS_CREATE | OS_NO_LINK | OS_NO_WAIT, 0666);
		const bool locked = g->fd >= 0 && wait_for_lock(g->fd, g->path) && os_status(g->fd, &opened);
		const bool is_there = locked && os_look(OS_HERE, g->path, &named);
		if (is_there && os_is_same(&opened, &named))
			return true;
		if (!locked || (!is_there && errno != ENOENT)) {
			why = strerror(errno);
			break;
		}
		close(g->fd);
		g->fd = -1;
	}
	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot lock ", g->path, ": ", why));
	close(g->fd); /* if it was opened */
	free(g->path);
	g->path = NULL;
	return false;
}

void ws_release_guard(struct guard *g)
{
	if (!g->path)
		return;
	os_remove(OS_HERE, g->path);
	close(g->fd);
	free(g->path);
	*g = (struct guard){0};
}
