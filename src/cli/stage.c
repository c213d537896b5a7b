/* SPDX-License-Identifier: Apache-2.0 */
/* stage: writes files, all of a program or none; of one program, or of many that are synced together.
 *
 * While a run lasts, each directory that is written to has a directory ".spirv-bind.N" in it, the stage. A file that
 * differs from its target is written to the stage, and synced: each of a few files, or the file system once, unless it
 * is in memory. When all are there, they are renamed to their targets in the order of the list, program by program: all
 * files of a program or, if one fails, none. If a program has several files, the old ones are kept in the stage until
 * the last has been renamed. Symbolic links are followed. Pipes and devices are written before the first rename,
 * because that cannot be taken back.
 *
 * So a killed run leaves whole files, old or new, and a stage. A run takes the least N whose stage it can lock; the
 * system releases locks when a process dies, so the next run locks what a killed one left, empties it and uses it, or
 * removes it at the end if there was nothing to write. Where files cannot be locked, a greater N is derived from the
 * process, and what a killed run leaves stays.
 *
 *     .spirv-bind.N/lock     locked by the run that the stage belongs to; it removes this file last
 *     .spirv-bind.N/123      a new file
 *     .spirv-bind.N/123.old  the old file
 *
 * While one program writes, SIGINT, SIGTERM and SIGHUP are held, except during writes to pipes and devices, which may
 * block: then they remove the stage. A run of many programs defers these signals. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
	MOST_STAGES = 100,
	FEW_FILES = 64 /* synced one by one, without waiting for what others have written to the file system */
};

struct directory {
	char *path; /* "." for files without a directory */
	struct directory *next;
	int fd;                    /* -1: there is none yet */
	int stage;                 /* 0: not made yet */
	int lock;                  /* of the stage; 0: files cannot be locked here */
	unsigned made;             /* folders created by this run: this one and its parents */
	unsigned n;                /* .spirv-bind.N */
	uint64_t device;           /* file system */
	struct os_status identity; /* of the stage */
	bool in_memory;            /* whether it is */
	bool unsynced;
	bool was_empty; /* so targets need not be queried; files that others add meanwhile are replaced */
};

struct stage {
	pthread_mutex_t lock; /* protects what follows; items are only added to lists */
	const char *out_dir;  /* made when a file is written to it; or NULL */
	struct directory *directories;
	unsigned files;         /* numbers of files in use */
	bool needs_sync;        /* one of the directories does */
	const os_signals *held; /* signals as they were before this thread held them; NULL: they are deferred */
};

struct staged {
	struct directory *directory;
	char *name; /* in the directory */
	unsigned number;
	int fd;    /* open until it is synced; 0: the file system is */
	bool kept; /* 123.old is there */
	bool placed;
};

static bool close_file(struct staged *f)
{
	int fd = f->fd;

	f->fd = 0;
	return !fd || !close(fd);
}

/* Directories */

/* In a handler of signals, there is no snprintf(). */
static void put_name(char name[32], const char *before, unsigned number, const char *behind)
{
	char digits[12], *first = digits + sizeof digits - 1;

	*first = '\0';
	do
		*--first = (char)('0' + number % 10);
	while (number /= 10);
	strcat(strcat(strcpy(name, before), first), behind);
}

static void stage_name(char name[32], unsigned n)
{
	put_name(name, ".spirv-bind.", n, "");
}

static void file_name(char name[32], unsigned number, const char *suffix)
{
	put_name(name, "", number, suffix);
}

static bool remove_file(void *user, const char *name)
{
	const int *stage = user;

	if (name[0] != '.' && strcmp(name, "lock") != 0)
		os_remove(*stage, name);
	return true;
}

/* Removes the files of a killed run. */
static void empty(int stage)
{
	os_list(stage, ".", remove_file, &stage);
}

static bool is_own_lock(int fd, int stage)
{
	struct os_status opened, named;

	if (!os_status(fd, &opened) || !os_look(stage, "lock", &named))
		return false;
	errno = ENOLCK; /* another run's, or the file system numbers files differently each time */
	return os_is_same(&opened, &named);
}

/* Of this run, which could lock it once more: a directory may have several paths. */
static bool is_own_stage(const struct stage *s, const struct os_status *st)
{
	const struct directory *d = s->directories;

	while (d && !(d->stage && os_is_same(&d->identity, st)))
		d = d->next;
	return d;
}

/* Creates the stage with this number, or takes an abandoned one. false with EEXIST: it is in use; with ENOLCK: files
 * cannot be locked here. */
static bool take_stage(const struct stage *s, struct directory *d, unsigned n)
{
	struct os_status st;
	char name[32];

	stage_name(name, n);
	const bool made = os_make_folder(d->fd, name, 0700);
	if (!made && errno != EEXIST)
		return false;
	int stage = os_open(d->fd, name, OS_READ | OS_FOLDER | OS_NO_LINK, 0);
	const bool usable = stage >= 0 && os_status(stage, &st) && os_is_own(&st) && !is_own_stage(s, &st);
	int lock = usable ? os_open(stage, "lock", OS_READ_WRITE | OS_CREATE | OS_NO_LINK, 0600) : -1;
	const bool locked = lock >= 0 && os_lock(lock);
	if (locked && is_own_lock(lock, stage)) {
		d->stage = stage;
		d->lock = lock;
		d->n = n;
		d->identity = st;
		empty(stage);
		return true;
	}
	int why = errno;
	const bool is_others = why == ENOENT || (lock >= 0 && !locked && (why == EACCES || why == EAGAIN));
	if (lock >= 0 && !locked)
		why = ENOLCK;
	if (made && !is_others) { /* other numbers would fail, too */
		if (lock >= 0)
			os_remove(stage, "lock");
		os_remove_folder(d->fd, name);
	}
	if (lock >= 0)
		close(lock);
	if (stage >= 0)
		close(stage);
	errno = made && !is_others ? why : EEXIST;
	return false;
}

/* Creates a stage without a lock. */
static bool make_unlocked(struct directory *d)
{
	char name[32];
	bool made = false;

	for (unsigned k = 0; !made && k < MOST_STAGES; k++) {
		d->n = MOST_STAGES * (1 + (unsigned)os_process()) + k;
		stage_name(name, d->n);
		made = os_make_folder(d->fd, name, 0700);
		if (!made && errno != EEXIST)
			return false;
	}
	int stage = made ? os_open(d->fd, name, OS_READ | OS_FOLDER | OS_NO_LINK, 0) : -1;
	if (stage < 0)
		return false;
	d->stage = stage;
	return true;
}

static bool make_stage(const struct stage *s, struct directory *d)
{
	bool taken = d->stage != 0;

	errno = EEXIST;
	for (unsigned n = 0; !taken && n < MOST_STAGES && errno == EEXIST; n++)
		taken = take_stage(s, d, n);
	return taken || (errno == ENOLCK && make_unlocked(d));
}

static void remove_stage(struct directory *d)
{
	char name[32];

	if (!d->stage)
		return;
	stage_name(name, d->n);
	if (d->lock) {
		os_remove(d->stage, "lock");
		close(d->lock); /* Windows removes what is open when it is closed */
	}
	close(d->stage);
	os_remove_folder(d->fd, name);
	d->identity = (struct os_status){0};
}

/* Removes the stages of killed runs, up to the first missing number after this run's own. */
static void remove_abandoned(const struct stage *s, struct directory *d)
{
	struct os_status st;
	char name[32];

	const unsigned own = d->n;
	for (unsigned n = 0; n < MOST_STAGES; n++) {
		stage_name(name, n);
		const bool there = os_look(d->fd, name, &st);
		if (!there && n > own)
			return;
		if (there && take_stage(s, d, n))
			remove_stage(d);
	}
}

static bool see_entry(void *user, const char *name)
{
	bool *empty = user;

	*empty = !strcmp(name, ".") || !strcmp(name, "..");
	return *empty;
}

static bool is_empty(int folder)
{
	bool empty = true;

	return os_list(folder, ".", see_entry, &empty) && empty;
}

/* The folder itself, or one below it. */
static bool is_in_folder(const char *path, const char *folder)
{
	const size_t length = folder ? strlen(folder) : 0;

	return length && !strncmp(path, folder, length) &&
	       (!path[length] || path[length] == '/' || folder[length - 1] == '/');
}

static bool open_directory(struct stage *s, struct directory *d)
{
	struct os_status st;

	d->fd = os_open(OS_HERE, d->path, OS_READ | OS_FOLDER, 0);
	if (d->fd < 0 && errno == ENOENT && is_in_folder(d->path, s->out_dir)) {
		if (!cli_make_path(d->path, &d->made))
			return false;
		d->fd = os_open(OS_HERE, d->path, OS_READ | OS_FOLDER, 0);
	}
	if (d->fd < 0)
		return false;
	if (os_status(d->fd, &st))
		d->device = st.device;
	d->in_memory = os_is_in_memory(d->fd);
	d->was_empty = d->made || is_empty(d->fd);
	s->needs_sync |= !d->in_memory;
	return true;
}

/* The directory with this path, as spelled. NULL: no memory. The lock is held. */
static struct directory *find_directory(struct stage *s, const char *path, size_t length)
{
	struct directory *d;

	for (d = s->directories; d; d = d->next) {
		if (!strncmp(d->path, path, length) && !d->path[length])
			return d;
	}
	d = calloc(1, sizeof *d);
	if (d)
		d->path = malloc(length + 1);
	if (!d || !d->path) {
		free(d);
		return NULL;
	}
	memcpy(d->path, path, length);
	d->path[length] = '\0';
	d->fd = -1;
	d->next = s->directories;
	s->directories = d;
	return d;
}

/* Staging */

struct target {
	struct directory *directory;
	const char *name;
	bool there;
	mode_t mode;
};

/* Splits a path: its directory, which is opened, and the name in it. */
static bool find_target(struct stage *s, const char *path, struct target *t)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 1;

	pthread_mutex_lock(&s->lock);
	t->name = slash ? slash + 1 : path;
	t->directory = find_directory(s, slash ? path : ".", slash == path ? 1 : length);
	errno = ENOMEM;
	bool ok = t->directory && (t->directory->fd >= 0 || open_directory(s, t->directory));
	pthread_mutex_unlock(&s->lock);
	if (ok && !*t->name)
		errno = EISDIR;
	return ok && *t->name;
}

/* Whether the target, a file of the same size, has these bytes already. */
static bool has_bytes(const struct target *t, const struct output *o)
{
	int fd = os_open(t->directory->fd, t->name, OS_READ | OS_NO_LINK | OS_NO_WAIT, 0);
	char buffer[65536];
	size_t at = 0;

	if (fd < 0)
		return false;
	while (at < o->size) {
		ssize_t n = os_read(fd, buffer, sizeof buffer);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || (size_t)n > o->size - at || memcmp(buffer, (const char *)o->bytes + at, (size_t)n) != 0)
			break;
		at += (size_t)n;
	}
	close(fd);
	return at == o->size;
}

/* Compares the output with its target. false with ELOOP: that is a symbolic link. */
static bool compare(struct output *o, struct target *t)
{
	struct os_status st;

	o->changed = true;
	if (t->directory->was_empty)
		return true;
	t->there = os_look(t->directory->fd, t->name, &st);
	if (!t->there)
		return errno == ENOENT;
	t->mode = st.mode;
	o->is_stream = st.kind == OS_OTHER;
	if (st.kind == OS_FILE && st.size == o->size && !o->renewed)
		o->changed = !has_bytes(t, o);
	errno = st.kind == OS_LINK ? ELOOP : EISDIR;
	return st.kind == OS_FILE || st.kind == OS_OTHER;
}

/* Like compare(), but follows symbolic links: *made, initially NULL, becomes their destination. */
static bool look(struct stage *s, struct output *o, struct target *t, char **made)
{
	struct os_status st;

	o->is_stream = !strcmp(o->path, "-");
	o->changed = true;
	if (o->is_stream)
		return true;
	if (!find_target(s, o->path, t))
		return false;
	if (compare(o, t))
		return true;
	if (errno != ELOOP)
		return false;
	o->is_stream = os_look_through(o->path, &st) && st.kind == OS_OTHER; /* may have no other path: /dev/stdout */
	if (o->is_stream)
		return true;
	*made = cli_resolve_path(o->path);
	errno = ENOMEM;
	return *made && find_target(s, *made, t) && compare(o, t);
}

static bool write_aside(struct stage *s, const struct output *o, const struct target *t, struct staged *file)
{
	char name[32];

	pthread_mutex_lock(&s->lock);
	bool ok = make_stage(s, t->directory);
	*file = (struct staged){.directory = t->directory, .number = s->files++};
	pthread_mutex_unlock(&s->lock);
	if (!ok)
		return false;
	file_name(name, file->number, "");
	file->fd = os_open(t->directory->stage, name, OS_WRITE | OS_NEW, t->there ? t->mode | S_IWUSR : 0666);
	if (file->fd < 0) {
		file->fd = 0;
		return false;
	}
	ok = cli_write_all(file->fd, o->bytes, o->size) && (!t->there || os_set_mode(file->fd, t->mode));
	if (ok && (t->directory->in_memory || file->number >= FEW_FILES))
		ok = close_file(file);
	if (ok) {
		file->name = strdup(t->name);
		errno = ENOMEM;
	}
	return ok && file->name;
}

static bool write_stdout(const void *bytes, size_t size)
{
	return msg_is_recording() ? fwrite(bytes, 1, size, msg_out()) == size
				  : cli_write_all(STDOUT_FILENO, bytes, size);
}

static bool write_stream(const struct output *o)
{
	if (!strcmp(o->path, "-"))
		return write_stdout(o->bytes, o->size) || cli_cannot("write", "to stdout");
	int fd = os_open(OS_HERE, o->path, OS_WRITE, 0);
	bool ok = fd >= 0 && cli_write_all(fd, o->bytes, o->size);
	int saved = errno;
	if (fd >= 0 && close(fd) && ok)
		return cli_cannot("write", o->path);
	errno = saved;
	return ok || cli_cannot("write", o->path);
}

static bool write_streams(const struct stage *s, const struct output *outputs, size_t count)
{
	os_signals held;
	bool ok = true;

	if (s->held)
		os_release_signals(s->held);
	for (size_t i = 0; ok && i < count; i++)
		ok = !outputs[i].is_stream || write_stream(&outputs[i]);
	if (s->held)
		os_hold_signals(&held);
	return ok;
}

bool cli_stage_outputs(struct stage *s, struct output *outputs, size_t count, struct staged_files *files)
{
	bool ok = true;

	files->items = calloc(count + 1, sizeof *files->items);
	files->count = 0;
	if (!files->items)
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY) == EXIT_DONE;
	for (size_t i = 0; ok && i < count; i++) {
		struct output *o = &outputs[i];
		struct target t = {0};
		char *made = NULL;
		ok = look(s, o, &t, &made);
		if (ok && o->changed && !o->is_stream)
			ok = write_aside(s, o, &t, &files->items[files->count++]);
		if (!ok)
			cli_cannot("write", o->path);
		free(made);
	}
	ok = ok && write_streams(s, outputs, count);
	if (!ok)
		cli_discard_files(files);
	return ok;
}

/* Putting in place */

void cli_discard_files(struct staged_files *files)
{
	char name[32];

	for (size_t i = 0; i < files->count; i++) {
		struct staged *f = &files->items[i];
		file_name(name, f->number, "");
		close_file(f);
		if (f->directory->stage && !f->placed)
			os_remove(f->directory->stage, name);
		free(f->name);
	}
	free(files->items);
	*files = (struct staged_files){0};
}

/* Where there are no hard links, a copy. */
static bool copy_old(int from, int stage, const char *name)
{
	char buffer[65536];
	int to = os_open(stage, name, OS_WRITE | OS_NEW, 0600);
	struct os_status st;
	bool ok = to >= 0;

	for (ssize_t n; ok && (n = os_read(from, buffer, sizeof buffer)) != 0;)
		ok = n > 0 ? cli_write_all(to, buffer, (size_t)n) : errno == EINTR;
	ok = ok && os_status(from, &st) && os_set_mode(to, st.mode);
	return (to < 0 || !close(to)) && ok;
}

static bool keep_old(struct staged *f)
{
	char old[32];

	file_name(old, f->number, ".old");
	if (os_link(f->directory->fd, f->name, f->directory->stage, old)) {
		f->kept = true;
		return true;
	}
	if (errno == ENOENT)
		return true;
	int from = os_open(f->directory->fd, f->name, OS_READ | OS_NO_LINK, 0);
	if (from < 0)
		return errno == ENOENT;
	f->kept = copy_old(from, f->directory->stage, old);
	int saved = errno;
	close(from);
	if (!f->kept)
		os_remove(f->directory->stage, old);
	errno = saved;
	return f->kept;
}

static void put_back(struct staged *f)
{
	const struct directory *d = f->directory;
	char old[32], stage[32], path[4096];

	file_name(old, f->number, ".old");
	if (!f->kept)
		os_remove(d->fd, f->name);
	else if (!os_rename(d->stage, old, d->fd, f->name)) {
		cli_cannot("put back", f->name);
		stage_name(stage, d->n);
		snprintf(path, sizeof path, "%s/%s/%s", d->path, stage, old);
		msg_say(SPB_SEVERITY_ERROR,
			WORDS("the old file is kept as ", path, " until the next run that writes ", f->name));
	}
}

static void drop_old(struct staged *f)
{
	char old[32];

	file_name(old, f->number, ".old");
	if (f->kept)
		os_remove(f->directory->stage, old);
}

static bool place_file(struct staged *f, bool keep)
{
	char name[32];

	file_name(name, f->number, "");
	f->placed = (!keep || keep_old(f)) && os_rename(f->directory->stage, name, f->directory->fd, f->name);
	return f->placed;
}

bool cli_place_files(struct staged_files *files)
{
	size_t placed = 0;
	bool ok = true;

	while (placed < files->count && (ok = place_file(&files->items[placed], files->count > 1)))
		placed++;
	if (!ok) {
		struct staged *f = &files->items[placed];
		const char *folder = f->directory->path;
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", folder, f->name);
		cli_cannot("write", path);
		drop_old(f);
	}
	for (size_t i = 0; i < placed; i++) {
		if (ok)
			drop_old(&files->items[i]);
		else
			put_back(&files->items[i]);
	}
	cli_discard_files(files);
	return ok;
}

/* The stage */

struct stage *cli_open_stage(const char *out_dir)
{
	struct stage *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	pthread_mutex_init(&s->lock, NULL);
	s->out_dir = out_dir;
	return s;
}

bool cli_needs_sync(struct stage *s)
{
	pthread_mutex_lock(&s->lock);
	bool needed = s->needs_sync;
	pthread_mutex_unlock(&s->lock);
	return needed;
}

static bool sync_each(const struct staged_files *programs, size_t count)
{
	bool ok = true;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < programs[i].count; k++) {
			struct staged *f = &programs[i].items[k];
			bool synced = !f->fd || os_sync(f->fd);
			if (!close_file(f) || !synced)
				ok = cli_cannot("sync", f->name);
		}
	}
	return ok;
}

/* Directories are only added at the front, so that other threads may continue meanwhile. */
static bool sync_devices(struct stage *s, const struct staged_files *programs, size_t count)
{
	bool ok = true;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < programs[i].count; k++) {
			struct directory *d = programs[i].items[k].directory;
			d->unsynced = !d->in_memory;
			ok &= close_file(&programs[i].items[k]) || cli_cannot("sync", d->path);
		}
	}
	pthread_mutex_lock(&s->lock);
	struct directory *first = s->directories;
	pthread_mutex_unlock(&s->lock);
	for (struct directory *d = first; d; d = d->next) {
		if (!d->unsynced)
			continue;
		if (!os_sync_device(d->stage)) /* the directory itself may not be readable */
			ok = cli_cannot("sync", d->path);
		for (struct directory *same = d; same; same = same->next)
			same->unsynced &= same->device != d->device;
	}
	return ok;
}

bool cli_sync_files(struct stage *s, const struct staged_files *programs, size_t count)
{
	pthread_mutex_lock(&s->lock);
	bool are_few = s->files <= FEW_FILES;
	pthread_mutex_unlock(&s->lock);
	return are_few ? sync_each(programs, count) : sync_devices(s, programs, count);
}

void cli_close_stage(struct stage *s)
{
	for (struct directory *d = s ? s->directories : NULL, *next; d; d = next) {
		next = d->next;
		remove_stage(d);
		if (d->fd >= 0 && (d->lock || !d->stage)) /* files can be locked */
			remove_abandoned(s, d);
		if (d->fd >= 0)
			close(d->fd);
		if (d->made)
			cli_remove_path(d->path, d->made); /* unless it has contents */
		s->directories = next;
		free(d->path);
		free(d);
	}
	if (s)
		pthread_mutex_destroy(&s->lock);
	free(s);
}

/* One program */

static struct stage *volatile pending; /* what a signal must remove; changed only while signals are held */

static void remove_pending(void)
{
	char name[32];

	for (struct directory *d = pending->directories; d; d = d->next) {
		for (unsigned i = 0; d->stage && i < pending->files; i++) {
			file_name(name, i, "");
			os_remove(d->stage, name);
		}
		remove_stage(d);
	}
}

static bool write_together(struct stage *s, struct output *outputs, size_t count)
{
	struct staged_files files;

	if (!cli_stage_outputs(s, outputs, count, &files))
		return false;
	if (cli_sync_files(s, &files, 1))
		return cli_place_files(&files);
	cli_discard_files(&files);
	return false;
}

bool cli_write_outputs(const char *out_dir, struct output *outputs, size_t count)
{
	static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* of `pending` */
	os_signals before;

	pthread_mutex_lock(&turn);
	os_hold_signals(&before);
	struct stage *s = pending = cli_open_stage(out_dir);
	if (s) {
		s->held = &before;
		os_on_fatal_signals(remove_pending);
	}
	bool ok = s ? write_together(s, outputs, count) : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY) == EXIT_DONE;
	if (s)
		os_on_fatal_signals(NULL);
	cli_close_stage(s);
	os_release_signals(&before);
	pthread_mutex_unlock(&turn);
	return ok;
}
