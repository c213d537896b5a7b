/* SPDX-License-Identifier: Apache-2.0 */
/* file: reads whole files, and writes all outputs of a program or none.
 *
 * Each output that differs from its target is written to a temporary file next to it and synced. When all are written,
 * they are renamed over their targets. If there are several, each target is kept under a second name (a hard link; a
 * copy where there are none) until the last rename, so that a failure in between restores everything. SIGINT, SIGTERM
 * and SIGHUP remove the temporary files, and wait while files are renamed. temporary.c names and locks these files.
 *
 * File systems may be remote, so each call counts: the status of a target is queried once. Only symbolic links are
 * followed by hand. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const uintmax_t FILE_LIMIT = UINT32_MAX; /* bytes of an input */

enum {
	LARGE_FILE = 1 << 20,  /* bytes; preparing memory does not pay for smaller ones */
	NEED_OF_EACH_BYTE = 8, /* of memory; most modules need three to seven */
};

static bool fail(const char *what, const char *path)
{
	int saved = errno;

	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot ", what, " ", path, ": ", strerror(saved)));
	return false;
}

unsigned char *cli_read_own_file(const char *path, size_t *size)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : os_open(OS_HERE, path, OS_READ, 0);
	struct os_status st;
	size_t capacity = 65536, count = 0;

	if (fd < 0 || !os_status(fd, &st)) {
		fail("read", path);
		if (fd > 0)
			close(fd);
		return NULL;
	}
	if (st.kind == OS_FILE && st.size > 0 && st.size < FILE_LIMIT)
		capacity = (size_t)st.size + 1; /* one more, to detect the end in the first read */
	/* The threads of a batch have heaps of their own. */
	if (capacity >= LARGE_FILE && !msg_is_recording())
		os_expect_need(NEED_OF_EACH_BYTE * capacity);
	unsigned char *bytes = malloc(capacity);
	while (bytes) {
		if (count == capacity) {
			bool fits = capacity <= SIZE_MAX / 2 && count < FILE_LIMIT;
			unsigned char *more = fits ? realloc(bytes, capacity * 2) : NULL;
			if (!more)
				free(bytes);
			if (!fits)
				errno = EFBIG;
			bytes = more;
			capacity *= 2;
			continue;
		}
		ssize_t n = os_read(fd, bytes + count, capacity - count);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			fail("read", path);
			free(bytes);
			if (!is_stdin)
				close(fd);
			return NULL;
		}
		if (!n)
			break;
		count += (size_t)n;
		if (st.kind == OS_FILE && st.size == count)
			break; /* as many bytes as it had when it was opened */
	}
	if (!bytes)
		fail("read", path); /* ENOMEM, EFBIG */
	if (!is_stdin)
		close(fd);
	*size = count;
	return bytes;
}

unsigned char *cli_read_file(const char *path, size_t *size)
{
	if (strcmp(path, "-") != 0)
		cli_note_read(path, strlen(path));
	return cli_read_own_file(path, size);
}

char *cli_read_text_file(const char *path)
{
	size_t size;
	unsigned char *bytes = cli_read_file(path, &size);
	char *text = bytes ? realloc(bytes, size + 1) : NULL;

	if (bytes && !text) {
		free(bytes);
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
		return NULL;
	}
	if (!text)
		return NULL;
	text[size] = '\0';
	for (size_t i = 0; i < size; i++) {
		if (!text[i])
			text[i] = '?'; /* makes the line malformed */
	}
	return text;
}

bool cli_write_all(int fd, const void *bytes, size_t size)
{
	for (const char *p = bytes; size;) {
		ssize_t n = os_write(fd, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

/* Whether the target, a file of the same size, has these bytes already. */
static bool has_bytes(const struct output *o)
{
	int fd = os_open(OS_HERE, o->target, OS_READ | OS_NO_WAIT, 0);
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

const char *cli_base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The file that writing to `path` changes: the target of a symbolic link, even if it does not exist yet. NULL: no
 * memory. */
char *cli_resolve_path(const char *path)
{
	char *real = os_real_path(path), *at = real ? NULL : strdup(path), *directory, *joined;
	char link_target[4096];

	for (int hops = 0; at && hops < 40 && os_read_link(at, link_target, sizeof link_target); hops++) {
		char *next = os_is_absolute(link_target) ? strdup(link_target) : cli_beside(at, link_target);
		free(at);
		at = next;
	}
	if (!at)
		return real;
	directory = cli_beside(at, ".");
	real = directory ? os_real_path(directory) : NULL;
	free(directory);
	if (!real)
		return at; /* opening it will report the error */
	size_t length = strlen(real) + strlen(cli_base_of(at)) + 2;
	joined = malloc(length);
	if (joined)
		snprintf(joined, length, "%s/%s", real, cli_base_of(at));
	free(real);
	free(at);
	return joined;
}

bool cli_leads_to(const char *path, const char *resolved)
{
	struct os_status st;
	bool is_link = os_look(OS_HERE, path, &st) && st.kind == OS_LINK;

	if (!is_link && strcmp(cli_base_of(path), cli_base_of(resolved)) != 0)
		return false;
	char *at = cli_resolve_path(path);
	bool same = at && !strcmp(at, resolved);
	free(at);
	return same;
}

bool cli_is_same_file(const char *a, const char *b)
{
	char *at = cli_resolve_path(a);
	bool same = at && cli_leads_to(b, at);

	free(at);
	return same;
}

/* Writes and syncs. A descriptor that does not hold a lock is closed. */
static bool fill(int fd, int lock, const void *bytes, size_t size, const mode_t *mode)
{
	bool ok = cli_write_all(fd, bytes, size) && (!mode || os_set_mode(fd, *mode)) && os_sync(fd);
	int saved = errno;

	if (fd != lock && close(fd) && ok)
		return false;
	errno = saved;
	return ok;
}

/* Queries the target: sets target, kind, mode and changed. */
static bool look(struct output *o)
{
	struct os_status st;
	bool there;

	o->changed = true;
	o->kind = OUTPUT_STREAM;
	if (!strcmp(o->path, "-"))
		return true;
	there = os_look(OS_HERE, o->path, &st);
	if (there && st.kind == OS_LINK) { /* write through it */
		o->target = cli_resolve_path(o->path);
		there = o->target && os_look_through(o->target, &st);
		if (o->target && !there && errno == ELOOP)
			return fail("write", o->path);
	} else {
		o->target = strdup(o->path);
	}
	if (!o->target) {
		errno = ENOMEM;
		return fail("write", o->path);
	}
	if (there && st.kind != OS_FILE && st.kind != OS_DIRECTORY) {
		free(o->target);
		o->target = NULL;
		return true;
	}
	o->kind = !there ? OUTPUT_NEW : st.kind == OS_FILE ? OUTPUT_FILE : OUTPUT_DIRECTORY;
	o->mode = there ? st.mode : 0666;
	if (o->kind == OUTPUT_FILE && st.size == o->size && !o->renewed)
		o->changed = !has_bytes(o);
	return true;
}

static bool write_temporary(struct output *o)
{
	os_signals before;
	int fd = -1;

	if (o->kind == OUTPUT_STREAM || !o->changed)
		return true;
	errno = EISDIR;
	if (o->kind != OUTPUT_DIRECTORY) {
		os_hold_signals(&before);
		fd = cli_create_temporary(o, o->mode);
		os_release_signals(&before);
	}
	mode_t mode = o->lock ? o->mode | S_IWUSR : o->mode; /* writable, for the next run must be able to lock it */
	bool keeps = o->kind == OUTPUT_FILE;
	return (fd >= 0 && fill(fd, o->lock, o->bytes, o->size, keeps ? &mode : NULL)) || fail("write", o->path);
}

bool cli_write_stdout(const void *bytes, size_t size)
{
	return msg_is_recording() ? fwrite(bytes, 1, size, msg_out()) == size
				  : cli_write_all(STDOUT_FILENO, bytes, size);
}

static bool write_stream(const struct output *o)
{
	bool is_stdout = !strcmp(o->path, "-");
	int fd = is_stdout ? STDOUT_FILENO : os_open(OS_HERE, o->path, OS_WRITE, 0);
	bool ok = is_stdout ? cli_write_stdout(o->bytes, o->size) : fd >= 0 && cli_write_all(fd, o->bytes, o->size);

	if (!ok)
		fail("write", is_stdout ? "to stdout" : o->path);
	if (fd >= 0 && !is_stdout && close(fd) && ok)
		ok = fail("write", o->path);
	return ok;
}

/* Keeps the target under a second name. */
static bool make_backup(struct output *o)
{
	struct os_status st;
	size_t size;

	if (cli_link_backup(o))
		return true;
	if (errno == ENOENT) /* there is nothing to keep */
		return true;
	/* The file system has no hard links. */
	if (!os_look_through(o->target, &st))
		return errno == ENOENT || fail("keep", o->path);
	unsigned char *bytes = cli_read_own_file(o->target, &size);
	if (!bytes)
		return false;
	int fd = cli_create_backup(o, st.mode);
	bool ok = (fd >= 0 && fill(fd, o->backup_lock, bytes, size, &st.mode)) || fail("keep", o->path);
	free(bytes);
	return ok;
}

static bool put_in_place(struct output *o, bool keep)
{
	if (!o->temporary)
		return true;
	if (keep && !make_backup(o))
		return false;
	if (!os_rename(OS_HERE, o->temporary, OS_HERE, o->target))
		return fail("write", o->path);
	if (o->lock && !(o->mode & S_IWUSR))
		os_set_mode(o->lock, o->mode);
	free(o->temporary);
	o->temporary = NULL;
	return true;
}

static void put_back(struct output *o)
{
	if (o->temporary) { /* the target is still the old one */
		os_remove(OS_HERE, o->temporary);
		if (o->backup)
			os_remove(OS_HERE, o->backup);
	} else if (o->backup) {
		if (!os_rename(OS_HERE, o->backup, OS_HERE, o->target)) {
			fail("put back", o->target);
			msg_say(SPB_SEVERITY_ERROR, WORDS("the old file is kept as ", o->backup,
							  " until the next run that writes ", o->path));
		}
	} else {
		os_remove(OS_HERE, o->target); /* it did not exist before */
	}
}

/* Cleans up after one output, so that either the old or the new file is left, and nothing else. */
static void finish(struct output *o, bool ok, bool placed)
{
	if (!ok && (o->temporary || (placed && o->kind != OUTPUT_STREAM && o->changed)))
		put_back(o);
	else if (o->backup)
		os_remove(OS_HERE, o->backup);
	if (o->lock)
		close(o->lock);
	if (o->backup_lock)
		close(o->backup_lock);
	o->lock = o->backup_lock = 0;
	free(o->temporary);
	free(o->backup);
	free(o->target);
	o->temporary = o->backup = o->target = NULL;
}

static bool write_together(struct output *outputs, size_t count)
{
	size_t placed = 0, changes = 0;
	bool ok = true;
	os_signals before;

	cli_begin_temporaries(outputs, count);
	for (size_t i = 0; ok && i < count; i++)
		ok = look(&outputs[i]);
	if (ok) {
		os_hold_signals(&before);
		cli_remove_leftovers(outputs, count);
		os_release_signals(&before);
	}
	for (size_t i = 0; ok && i < count; i++)
		ok = write_temporary(&outputs[i]);
	/* Pipes and devices are written at the end: they cannot be taken back. */
	for (size_t i = 0; ok && i < count; i++)
		ok = outputs[i].kind != OUTPUT_STREAM || write_stream(&outputs[i]);
	for (size_t i = 0; i < count; i++)
		changes += outputs[i].temporary != NULL;
	os_hold_signals(&before);
	while (ok && placed < count && (ok = put_in_place(&outputs[placed], changes > 1)))
		placed++;
	for (size_t i = 0; i < count; i++)
		finish(&outputs[i], ok, i < placed);
	cli_end_temporaries();
	os_release_signals(&before);
	return ok;
}

/* The files that a signal must remove are global state, so only one thread at a time may write. */
bool cli_write_outputs(struct output *outputs, size_t count)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	bool ok = write_together(outputs, count);
	pthread_mutex_unlock(&lock);
	return ok;
}
