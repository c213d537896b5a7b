/* SPDX-License-Identifier: Apache-2.0 */
/* guard: one run at a time reads a lock file, decides, and writes it.
 *
 * The lock file itself is replaced when it is written, so that a lock on it would be a lock on the old file. Runs lock
 * .NAME.guard beside it, which the last one removes. The system releases what a killed run has locked. Whoever gets the
 * lock looks whether the name still belongs to the file: the run before may have removed it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/workspace/manifest.h"

static bool has_name(int fd, const char *path)
{
	struct os_status opened, named;

	return os_status(fd, &opened) && os_look(OS_HERE, path, &named) && os_is_same(&opened, &named);
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
	for (;;) {
		g->fd = os_open(OS_HERE, g->path, OS_READ_WRITE | OS_CREATE | OS_NO_LINK | OS_NO_WAIT, 0666);
		if (g->fd < 0 || !os_lock(g->fd, OS_WAIT))
			break;
		if (has_name(g->fd, g->path))
			return true;
		close(g->fd);
	}
	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot lock ", g->path, ": ", strerror(errno)));
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
