/* SPDX-License-Identifier: Apache-2.0 */
/* compile_folder: the temporary folder in which a compiler runs, and the removal of those that killed runs have left.
 *
 *     spirv-bind.XXXXXX/lock    locked during the run; the system releases the lock of a killed run */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/resolvers.h"

static const char lock_name[] = "lock";

static bool remove_file(void *user, const char *name)
{
	const int *folder = user;

	if (name[0] != '.' && strcmp(name, lock_name) != 0)
		os_remove(*folder, name);
	return true;
}

/* Removes all files in it, too, the lock last. */
static bool remove_folder(const char *path)
{
	int folder = os_open(OS_HERE, path, OS_READ | OS_FOLDER | OS_NO_LINK, 0);

	if (folder < 0)
		return errno == ENOENT;
	os_list(folder, ".", remove_file, &folder);
	os_remove(folder, lock_name);
	close(folder);
	return os_remove_folder(OS_HERE, path);
}

/* Processes that a stopped compiler started may outlive it for a moment, and create files. */
void cli_remove_compile_folder(const struct compile_folder *f)
{
	enum { TRIES = 100, PAUSE = 10 /* milliseconds */ };

	if (f->lock >= 0)
		close(f->lock); /* Windows removes open files when they are closed */
	for (int i = 0; i < TRIES && !remove_folder(f->path); i++)
		os_pause(PAUSE);
}

struct sweep {
	char base[512];
	unsigned looked_at;
};

/* Without a lock, a folder is not ours, or is being created. */
static bool sweep_folder(void *user, const char *name)
{
	enum { MOST = 4096 };
	struct sweep *s = user;
	char path[1024], lock[1100];
	struct os_status st;

	if (strncmp(name, OS_TEMPORARY, strlen(OS_TEMPORARY)) != 0)
		return ++s->looked_at < MOST;
	snprintf(path, sizeof path, "%s/%s", s->base, name);
	snprintf(lock, sizeof lock, "%s/%s", path, lock_name);
	if (!os_look(OS_HERE, path, &st) || st.kind != OS_DIRECTORY || !os_is_own(&st))
		return true;
	int fd = os_open(OS_HERE, lock, OS_READ_WRITE | OS_NO_LINK | OS_NO_WAIT, 0);
	const bool abandoned = fd >= 0 && os_lock(fd);
	if (fd >= 0)
		close(fd);
	if (abandoned)
		remove_folder(path);
	return true;
}

/* Locks belong to the process, so this runs before it has any. */
static void sweep(void)
{
	struct sweep s = {.looked_at = 0};

	if (os_temporary_base(s.base, sizeof s.base))
		os_list(OS_HERE, s.base, sweep_folder, &s);
}

/* It has its name when it is locked, so that no sweep of another run comes between. */
bool cli_make_compile_folder(struct compile_folder *f)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char path[sizeof f->path + sizeof lock_name + 1], made[sizeof path + sizeof ".new"];

	pthread_once(&once, sweep);
	f->lock = -1;
	if (!os_make_temporary_folder(f->path, sizeof f->path))
		return false;
	snprintf(path, sizeof path, "%s/%s", f->path, lock_name);
	snprintf(made, sizeof made, "%s.new", path);
	f->lock = os_open(OS_HERE, made, OS_READ_WRITE | OS_NEW, 0600);
	if (f->lock >= 0 && os_lock(f->lock)) /* where files cannot be locked, leftovers of killed runs stay */
		os_rename(OS_HERE, made, OS_HERE, path);
	return true;
}
