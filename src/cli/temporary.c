/* SPDX-License-Identifier: Apache-2.0 */
/* temporary: the temporary files of an output, and how the next run removes those of a killed one.
 *
 * The new contents of NAME are written to .NAME.N.tmp, and its old contents are kept as .NAME.N.old. A run uses the
 * least N that no other run holds; it holds N while it has an fcntl lock on either file. When a process dies, the
 * system releases its locks. So the next run that writes NAME can lock the files of a killed run, removes them, and
 * takes the same N: leftovers never accumulate, and no directory has to be searched for them.
 *
 *     .NAME.N.tmp    locked from its creation until it is renamed to NAME. Only the holder of this lock may create
 *                    or remove .NAME.N.old.
 *     .NAME.N.old    locked from its creation until it is removed or renamed back
 *
 * Another run may remove a file between the calls that create it and lock it, so a lock counts only if the name still
 * belongs to the locked file. Closing any descriptor of a file releases the lock, so a run never opens its own files a
 * second time.
 *
 * Where files cannot be locked, or where there are more outputs than descriptors to hold locks, names contain the
 * process's number instead, and the files of a killed run stay. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
	MOST_NUMBERS = 100, /* runs that write the same output at the same time */
	SWEPT_NUMBERS = 4,  /* looked for even if a lower one is missing */
	MOST_LISTED = 4096, /* names in a directory that are searched */
	MOST_KEPT = 200,    /* bytes of a name in that of its temporary file */
	OTHER_DESCRIPTORS = 32
};

/* The files that a signal must remove. Changed only while signals are held. */
static struct output *volatile pending;
static volatile sig_atomic_t pending_count;
static bool can_lock; /* there are enough descriptors to hold the locks of all */

static void remove_pending(void)
{
	for (int i = 0; i < pending_count; i++) {
		if (pending[i].temporary)
			os_remove(OS_HERE, pending[i].temporary);
	}
}

void cli_begin_temporaries(struct output *outputs, size_t count)
{
	long most = os_most_files();

	can_lock = most < 0 || 2 * count + OTHER_DESCRIPTORS <= (size_t)most;
	pending = outputs;
	pending_count = (sig_atomic_t)count;
	os_on_fatal_signals(remove_pending);
}

void cli_end_temporaries(void)
{
	os_on_fatal_signals(NULL);
}

static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

char *cli_beside(const char *path, const char *name)
{
	size_t folder = folder_length(path), room = folder + strlen(name) + 1;
	char *joined = malloc(room);

	if (joined)
		snprintf(joined, room, "%.*s%s", (int)folder, path, name);
	return joined;
}

/* A hidden name next to the target, .NAME.NUMBER.SUFFIX, within the length limit of file names. NULL: no memory, in
 * errno. */
static char *sibling(const char *target, const char *number, const char *suffix)
{
	size_t folder = folder_length(target), room = strlen(target) + strlen(number) + strlen(suffix) + 3;
	char *path = malloc(room);

	if (path)
		snprintf(path, room, "%.*s.%.*s.%s%s", (int)folder, target, MOST_KEPT, target + folder, number, suffix);
	return path;
}

/* The number is below MOST_NUMBERS. */
static char *numbered(const char *target, unsigned number, const char *suffix)
{
	const char digits[] = {(char)('0' + number / 10), (char)('0' + number % 10), '\0'};

	return sibling(target, number < 10 ? digits + 1 : digits, suffix);
}

static char *unique(const char *target, unsigned number, const char *suffix)
{
	char text[48];

	snprintf(text, sizeof text, "%lu-%u", os_process(), number);
	return sibling(target, text, suffix);
}

/* Locks */

static bool has_name(int fd, const char *name)
{
	struct os_status opened, named;

	return os_status(fd, &opened) && os_look(OS_HERE, name, &named) && os_is_same(&opened, &named);
}

/* Two long names may have the same beginning. */
static bool is_of_this_run(const struct os_status *st)
{
	struct os_status own;

	for (int i = 0; i < pending_count; i++) {
		if (pending[i].lock && os_status(pending[i].lock, &own) && os_is_same(&own, st))
			return true;
	}
	return false;
}

/* Whether a run of this user can have left it. */
static bool is_plain(const struct os_status *st)
{
	return st->kind == OS_FILE && os_is_own(st);
}

/* Removes .NAME.N.tmp of a killed run, which is writable and has no second name. */
static bool remove_stale_temporary(const char *name)
{
	struct os_status st;

	if (!os_look(OS_HERE, name, &st) || !is_plain(&st) || st.links != 1 || !(st.mode & S_IWUSR) ||
	    is_of_this_run(&st))
		return false;
	int fd = os_open(OS_HERE, name, OS_WRITE | OS_NO_LINK | OS_NO_WAIT, 0);
	if (fd < 0)
		return false;
	bool removed = os_lock(fd, OS_EXCLUSIVE) && has_name(fd, name) && os_remove(OS_HERE, name);
	close(fd);
	return removed;
}

/* Makes sure that there is no .NAME.N.old. The caller holds .NAME.N.tmp. */
static bool remove_stale_backup(const char *name)
{
	struct os_status st;

	if (!os_look(OS_HERE, name, &st))
		return errno == ENOENT;
	if (!is_plain(&st))
		return false;
	int fd = os_open(OS_HERE, name, OS_READ | OS_NO_LINK | OS_NO_WAIT, 0);
	if (fd < 0)
		return false;
	bool removed = !os_is_locked(fd) && has_name(fd, name) && os_remove(OS_HERE, name);
	close(fd);
	return removed;
}

/* Creates and locks a file. -1: errno says why; EEXIST: the name is in use; ENOLCK: files cannot be locked here. */
static int create_locked(const char *name, mode_t mode)
{
	int fd = os_open(OS_HERE, name, OS_WRITE | OS_NEW, mode);

	if (fd < 0 && errno == EEXIST) {
		bool removed = remove_stale_temporary(name);
		errno = EEXIST;
		fd = removed ? os_open(OS_HERE, name, OS_WRITE | OS_NEW, mode) : -1;
	}
	if (fd < 0)
		return -1;
	bool locked = os_lock(fd, OS_EXCLUSIVE), taken = !locked && (errno == EACCES || errno == EAGAIN);
	if (locked && has_name(fd, name))
		return fd;
	if (!locked && !taken)
		os_remove(OS_HERE, name);
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
		os_remove(OS_HERE, temporary);
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
	errno = EEXIST;
	for (unsigned n = 0; n < MOST_NUMBERS && errno == EEXIST; n++) {
		char *path = unique(target, n, suffix);
		int fd = path ? os_open(OS_HERE, path, OS_WRITE | OS_NEW, mode) : -1, saved = errno;
		if (fd >= 0) {
			*name = path;
			return fd;
		}
		free(path);
		errno = saved;
	}
	return -1;
}

int cli_create_temporary(struct output *o, mode_t mode)
{
	errno = EEXIST;
	for (unsigned n = 0; can_lock && n < MOST_NUMBERS && errno == EEXIST; n++) {
		int fd = take_number(o->target, n, mode | S_IWUSR, &o->temporary);
		if (fd >= 0) {
			o->number = n;
			o->lock = fd;
			return fd;
		}
	}
	if (errno == EEXIST || errno == ENOLCK)
		return create_unique(o->target, ".tmp", mode, &o->temporary);
	return -1;
}

bool cli_link_backup(struct output *o)
{
	for (unsigned n = 0; n < MOST_NUMBERS; n++) {
		bool is_locked_name = o->lock && !n;
		char *name = is_locked_name ? numbered(o->target, o->number, ".old") : unique(o->target, n, ".old");
		if (!name)
			return false;
		if (!os_link(OS_HERE, o->target, OS_HERE, name)) {
			int saved = errno;
			free(name);
			errno = saved;
			if (errno == EEXIST)
				continue;
			return false;
		}
		o->backup = name;
		int fd = is_locked_name ? os_open(OS_HERE, name, OS_READ | OS_NO_LINK | OS_NO_WAIT, 0) : -1;
		if (fd >= 0 && os_lock(fd, OS_SHARED))
			o->backup_lock = fd;
		else if (fd >= 0)
			close(fd);
		return true;
	}
	return false;
}

int cli_create_backup(struct output *o, mode_t mode)
{
	char *name = o->lock ? numbered(o->target, o->number, ".old") : NULL;
	int fd = name ? os_open(OS_HERE, name, OS_WRITE | OS_NEW, mode) : -1;

	if (fd < 0) {
		free(name);
		return create_unique(o->target, ".old", mode, &o->backup);
	}
	o->backup = name;
	if (os_lock(fd, OS_EXCLUSIVE))
		o->backup_lock = fd;
	return fd;
}

static bool is_there(const char *target, unsigned number, const char *suffix)
{
	struct os_status st;
	char *name = numbered(target, number, suffix);
	bool there = name && os_look(OS_HERE, name, &st);

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
			os_remove(OS_HERE, name);
			close(fd);
		}
		free(name);
	}
}

struct search {
	unsigned count;
	bool found;
};

static bool look_at_name(void *user, const char *name)
{
	struct search *s = user;
	const char *dot = strrchr(name, '.');

	s->found = ++s->count > MOST_LISTED || (name[0] == '.' && (!strcmp(dot, ".tmp") || !strcmp(dot, ".old")));
	return !s->found;
}

/* Whether the directory of the target, unless it is large, may have leftovers. */
static bool may_have_leftovers(const char *target)
{
	struct search s = {0};
	char *path = cli_beside(target, ".");
	bool read = path && os_list(OS_HERE, path, look_at_name, &s);

	free(path);
	return !read || s.found;
}

static bool is_in_folder(const struct output *o, const char *target, size_t length)
{
	return o->target && !strncmp(o->target, target, length) && !strchr(o->target + length, '/');
}

/* Leftovers of several outputs in one directory are searched together. */
void cli_remove_leftovers(const struct output *outputs, size_t count)
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
