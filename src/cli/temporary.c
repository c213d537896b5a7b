/* SPDX-License-Identifier: Apache-2.0 */
/* temporary: the files beside an output while it is written, and how the next run removes those of a killed one.
 *
 * The new contents of NAME are written to .NAME.N.tmp, and its old contents are kept as .NAME.N.old. A run uses the
 * least N that no other run holds; it holds N while it has an fcntl lock on either file. When a process dies, the
 * system releases its locks. So the next run that writes NAME can lock what a killed run left, removes it, and takes
 * the same N: leftovers never accumulate, and nobody has to search a directory for them.
 *
 *     .NAME.N.tmp    locked from its creation until it is renamed to NAME. Whoever has this lock may create or remove
 *                    .NAME.N.old, and nobody else may.
 *     .NAME.N.old    locked from its creation until it is removed or renamed back
 *
 * Another run may remove a file between the calls that create it and lock it, so a lock counts only if the name still
 * belongs to the locked file. Closing any descriptor of a file releases the lock, so a run never opens its own files a
 * second time.
 *
 * Where files cannot be locked, or where there are more outputs than descriptors to hold locks, names contain the
 * process's number instead, and what a killed run leaves stays. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
	MOST_NUMBERS = 100, /* runs that write the same output at the same time */
	SWEPT_NUMBERS = 4,  /* looked for even if a lower one is missing */
	MOST_LISTED = 4096, /* names in a directory that are looked through */
	OTHER_DESCRIPTORS = 32
};

/* What a signal must remove. Changed only while signals are held. */
static struct output *volatile pending;
static volatile sig_atomic_t pending_count;
static bool can_lock; /* there are enough descriptors to hold the locks of all */

static void remove_pending(void)
{
	for (int i = 0; i < pending_count; i++) {
		if (pending[i].temporary)
			unlink(pending[i].temporary);
	}
}

void begin_temporaries(struct output *outputs, size_t count)
{
	long most = sysconf(_SC_OPEN_MAX);

	can_lock = most < 0 || (most > OTHER_DESCRIPTORS && count <= (size_t)(most - OTHER_DESCRIPTORS) / 2);
	pending = outputs;
	pending_count = (sig_atomic_t)count;
	on_fatal_signals(remove_pending);
}

void end_temporaries(void)
{
	on_fatal_signals(NULL);
	pending_count = 0;
}

char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t directory = slash ? (size_t)(slash - path) + 1 : 0, length = directory + strlen(name) + 1;
	char *joined = malloc(length);

	if (joined)
		snprintf(joined, length, "%.*s%s", (int)directory, path, name);
	return joined;
}

/* A hidden name beside the target, no longer than file names may be. NULL: no memory, in errno. */
static char *sibling(const char *target, const char *number, const char *suffix)
{
	const char *slash = strrchr(target, '/');
	char name[256];

	snprintf(name, sizeof name, ".%.200s.%s%s", slash ? slash + 1 : target, number, suffix);
	char *path = beside(target, name);
	if (!path)
		errno = ENOMEM;
	return path;
}

static char *numbered(const char *target, unsigned number, const char *suffix)
{
	char text[16];

	snprintf(text, sizeof text, "%u", number);
	return sibling(target, text, suffix);
}

static char *unique(const char *target, unsigned number, const char *suffix)
{
	char text[48];

	snprintf(text, sizeof text, "%ld-%u", (long)getpid(), number);
	return sibling(target, text, suffix);
}

/* Locks */

static bool lock_file(int fd, short type)
{
	struct flock all = {.l_type = type, .l_whence = SEEK_SET};

	return !fcntl(fd, F_SETLK, &all);
}

static bool is_locked(int fd)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_GETLK, &all) || all.l_type != F_UNLCK;
}

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool has_name(int fd, const char *name)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !lstat(name, &named) && is_same_inode(&opened, &named);
}

/* Two long names may begin alike. */
static bool is_of_this_run(const struct stat *st)
{
	struct stat own;

	for (int i = 0; i < pending_count; i++) {
		if (pending[i].lock && !fstat(pending[i].lock, &own) && is_same_inode(&own, st))
			return true;
	}
	return false;
}

/* Whether a run of this user can have left it. */
static bool is_plain(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid();
}

/* Removes what a killed run left as .NAME.N.tmp, which is writable and has no second name. */
static bool remove_stale_temporary(const char *name)
{
	struct stat st;

	if (lstat(name, &st) || !is_plain(&st) || st.st_nlink != 1 || !(st.st_mode & S_IWUSR) || is_of_this_run(&st))
		return false;
	int fd = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	bool removed = lock_file(fd, F_WRLCK) && has_name(fd, name) && !unlink(name);
	close(fd);
	return removed;
}

/* Makes sure that there is no .NAME.N.old. The caller holds .NAME.N.tmp. */
static bool remove_stale_backup(const char *name)
{
	struct stat st;

	if (lstat(name, &st))
		return errno == ENOENT;
	if (!is_plain(&st))
		return false;
	int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	bool removed = !is_locked(fd) && has_name(fd, name) && !unlink(name);
	close(fd);
	return removed;
}

/* Creates and locks a file. -1: errno says why; EEXIST: the name is in use; ENOLCK: files cannot be locked here. */
static int create_locked(const char *name, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, mode);

	if (fd < 0 && errno == EEXIST) {
		bool removed = remove_stale_temporary(name);
		errno = EEXIST;
		fd = removed ? open(name, O_WRONLY | O_CREAT | O_EXCL, mode) : -1;
	}
	if (fd < 0)
		return -1;
	bool locked = lock_file(fd, F_WRLCK), taken = !locked && (errno == EACCES || errno == EAGAIN);
	if (locked && has_name(fd, name))
		return fd;
	if (!locked && !taken)
		unlink(name);
	close(fd);
	errno = locked || taken ? EEXIST : ENOLCK;
	return -1;
}

/* Takes the number n for an output: its temporary file is new and locked, and its backup's name is free. */
static int take_number(const char *target, unsigned n, mode_t mode, char **name)
{
	char *temporary = numbered(target, n, ".tmp"), *backup = numbered(target, n, ".old");
	int fd = temporary && backup ? create_locked(temporary, mode) : -1;

	if (fd >= 0 && !remove_stale_backup(backup)) {
		unlink(temporary);
		close(fd);
		fd = -1;
		errno = EEXIST;
	}
	int saved = errno;
	free(backup);
	if (fd < 0)
		free(temporary);
	else
		*name = temporary;
	errno = saved;
	return fd;
}

/* Creates a file whose name contains the process's number. */
static int create_unique(const char *target, const char *suffix, mode_t mode, char **name)
{
	int fd = -1;

	errno = EEXIST;
	for (unsigned n = 0; n < MOST_NUMBERS && fd < 0 && errno == EEXIST; n++) {
		char *path = unique(target, n, suffix);
		if (!path)
			return -1;
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
		int saved = errno;
		if (fd < 0)
			free(path);
		else
			*name = path;
		errno = saved;
	}
	return fd;
}

int create_temporary(struct output *o, mode_t mode)
{
	int fd = -1;

	errno = EEXIST;
	for (unsigned n = 0; can_lock && n < MOST_NUMBERS && fd < 0 && errno == EEXIST; n++) {
		o->number = n;
		fd = take_number(o->target, n, mode | S_IWUSR, &o->temporary);
	}
	if (fd >= 0)
		o->lock = fd;
	else if (errno == EEXIST || errno == ENOLCK)
		fd = create_unique(o->target, ".tmp", mode, &o->temporary);
	return fd;
}

bool link_backup(struct output *o)
{
	for (unsigned n = 0; n < MOST_NUMBERS; n++) {
		bool is_locked_name = o->lock && !n;
		char *name = is_locked_name ? numbered(o->target, o->number, ".old") : unique(o->target, n, ".old");
		if (!name)
			return false;
		if (link(o->target, name)) {
			int saved = errno;
			free(name);
			errno = saved;
			if (errno == EEXIST)
				continue;
			return false;
		}
		o->backup = name;
		int fd = is_locked_name ? open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) : -1;
		if (fd >= 0 && lock_file(fd, F_RDLCK))
			o->backup_lock = fd;
		else if (fd >= 0)
			close(fd);
		return true;
	}
	return false;
}

int create_backup(struct output *o, mode_t mode)
{
	char *name = o->lock ? numbered(o->target, o->number, ".old") : NULL;
	int fd = name ? open(name, O_WRONLY | O_CREAT | O_EXCL, mode) : -1;

	if (fd < 0) {
		free(name);
		return create_unique(o->target, ".old", mode, &o->backup);
	}
	o->backup = name;
	if (lock_file(fd, F_WRLCK))
		o->backup_lock = fd;
	return fd;
}

static bool is_there(const char *target, unsigned number, const char *suffix)
{
	struct stat st;
	char *name = numbered(target, number, suffix);
	bool there = name && !lstat(name, &st);

	free(name);
	return there;
}

static void remove_leftovers_of(const char *target)
{
	bool found = true;

	for (unsigned n = 0; n < SWEPT_NUMBERS || (found && n < MOST_NUMBERS); n++) {
		found = is_there(target, n, ".tmp") || is_there(target, n, ".old");
		if (!found)
			continue;
		char *name = NULL;
		int fd = take_number(target, n, S_IRUSR | S_IWUSR, &name);
		if (fd >= 0) {
			unlink(name);
			close(fd);
		}
		free(name);
	}
}

static bool may_be_leftover(const char *name)
{
	const char *dot = strrchr(name, '.');

	return name[0] == '.' && (!strcmp(dot, ".tmp") || !strcmp(dot, ".old"));
}

/* Whether anything in the directory of the target, if it is not a large one, may have been left. */
static bool may_have_leftovers(const char *target)
{
	char *path = beside(target, ".");
	DIR *all = path ? opendir(path) : NULL;
	const struct dirent *entry = NULL;
	unsigned count = 0;

	while (all && count++ < MOST_LISTED && (entry = readdir(all)) && !may_be_leftover(entry->d_name))
		continue;
	bool may = !all || entry;
	if (all)
		closedir(all);
	free(path);
	return may;
}

static bool is_in_folder(const struct output *o, const char *target, size_t length)
{
	return o->target && !strncmp(o->target, target, length) && !strchr(o->target + length, '/');
}

/* Several outputs in one directory are looked for together. */
void remove_leftovers(const struct output *outputs, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		const char *target = outputs[i].target, *slash = target ? strrchr(target, '/') : NULL;
		size_t length = slash ? (size_t)(slash - target) + 1 : 0;
		for (end = i + 1; end < count && target && is_in_folder(&outputs[end], target, length); end++)
			continue;
		bool may = target && (end - i == 1 || may_have_leftovers(target));
		for (size_t k = i; may && k < end; k++)
			remove_leftovers_of(outputs[k].target);
	}
}
