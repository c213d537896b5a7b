/* SPDX-License-Identifier: Apache-2.0 */
/* file: whole files in; all outputs of a program out, or none.
 *
 * Each output that differs from what is there is written to a temporary file beside its target and synced. Only
 * when all are there they are renamed over their targets, each target being kept under a second name (a hard
 * link) until the last rename, so that a failure in between puts everything back. A kill leaves whole files. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static bool fail(const char *what, const char *path)
{
	fprintf(stderr, "spirv-bind: cannot %s %s: %s\n", what, path, strerror(errno));
	return false;
}

unsigned char *read_file(const char *path, size_t *size)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
	struct stat st;
	size_t capacity = 65536, count = 0;

	if (fd < 0 || fstat(fd, &st)) {
		fail("read", path);
		if (fd > 0)
			close(fd);
		return NULL;
	}
	if (S_ISREG(st.st_mode) && st.st_size > 0 && (uintmax_t)st.st_size < SIZE_MAX - 1)
		capacity = (size_t)st.st_size + 1; /* one more, to see the end at the first try */
	unsigned char *bytes = malloc(capacity);
	while (bytes) {
		if (count == capacity) {
			unsigned char *more = capacity > SIZE_MAX / 2 ? NULL : realloc(bytes, capacity * 2);
			if (!more)
				free(bytes);
			bytes = more;
			capacity *= 2;
			continue;
		}
		ssize_t n = read(fd, bytes + count, capacity - count);
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
	}
	if (!bytes)
		fail("read", path); /* ENOMEM */
	if (!is_stdin)
		close(fd);
	*size = count;
	return bytes;
}

static bool write_all(int fd, const void *bytes, size_t size)
{
	for (const char *p = bytes; size;) {
		ssize_t n = write(fd, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

/* Does the target hold these bytes already? */
static bool is_same(const struct output *o)
{
	struct stat st;
	int fd = open(o->target, O_RDONLY | O_NONBLOCK);
	char buffer[65536];
	size_t at = 0;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (uintmax_t)st.st_size != o->size) {
		close(fd);
		return false;
	}
	while (at < o->size) {
		ssize_t n = read(fd, buffer, sizeof buffer);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || (size_t)n > o->size - at || memcmp(buffer, (const char *)o->bytes + at, (size_t)n) != 0)
			break;
		at += (size_t)n;
	}
	close(fd);
	return at == o->size;
}

/* What a signal must remove. Written before a file is made, read by the handler only. */
static struct output *volatile pending;
static volatile sig_atomic_t pending_count;

static void clean_and_die(int number)
{
	for (int i = 0; i < pending_count; i++) {
		if (pending[i].temporary)
			unlink(pending[i].temporary);
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_signals(void (*handler)(int))
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = handler};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		sigaction(numbers[i], &action, NULL);
}

/* A new name beside the target. */
static char *sibling(const char *target, const char *suffix, unsigned number)
{
	size_t length = strlen(target) + strlen(suffix) + 48;
	char *name = malloc(length);

	if (name)
		snprintf(name, length, "%s.%ld-%u%s", target, (long)getpid(), number, suffix);
	return name;
}

static bool write_temporary(struct output *o)
{
	struct stat st;
	bool there = !stat(o->target, &st);
	mode_t mode = there ? st.st_mode & 07777 : 0666;
	int fd = -1;

	if (there && !S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		return fail("write", o->path);
	}
	for (unsigned n = 0; n < 100 && fd < 0; n++) {
		char *name = sibling(o->target, ".tmp", n);
		if (!name)
			return fail("write", o->path);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL, mode);
		if (fd >= 0) {
			o->temporary = name;
		} else {
			free(name);
			if (errno != EEXIST)
				break;
		}
	}
	if (fd < 0)
		return fail("write", o->path);
	bool ok = write_all(fd, o->bytes, o->size) && (!there || !fchmod(fd, mode)) && !fsync(fd);
	int saved = errno;
	if (close(fd) && ok) {
		ok = false;
		saved = errno;
	}
	errno = saved;
	return ok || fail("write", o->path);
}

/* Pipes and devices are written at the end: they cannot be taken back. */
static bool is_stream(const struct output *o)
{
	struct stat st;

	return !strcmp(o->path, "-") || (!stat(o->path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static bool write_stream(const struct output *o)
{
	bool is_stdout = !strcmp(o->path, "-");
	int fd = is_stdout ? STDOUT_FILENO : open(o->path, O_WRONLY);
	bool ok = fd >= 0 && write_all(fd, o->bytes, o->size);

	if (!ok)
		fail("write", is_stdout ? "to stdout" : o->path);
	if (fd >= 0 && !is_stdout && close(fd) && ok)
		ok = fail("write", o->path);
	return ok;
}

static bool prepare(struct output *o)
{
	if (is_stream(o))
		return true;
	o->target = realpath(o->path, NULL); /* write through symbolic links */
	if (!o->target)
		o->target = strdup(o->path);
	if (!o->target)
		return fail("write", o->path);
	o->changed = !is_same(o);
	return !o->changed || write_temporary(o);
}

static bool put_in_place(struct output *o)
{
	if (!o->temporary)
		return true;
	o->backup = sibling(o->target, ".old", 0);
	if (o->backup && link(o->target, o->backup)) { /* nothing there, or no hard links here */
		free(o->backup);
		o->backup = NULL;
	}
	if (rename(o->temporary, o->target))
		return fail("write", o->path);
	free(o->temporary);
	o->temporary = NULL;
	return true;
}

static void put_back(struct output *o)
{
	if (o->temporary) { /* the target is still the old one */
		unlink(o->temporary);
		if (o->backup)
			unlink(o->backup);
	} else if (o->backup) {
		rename(o->backup, o->target);
	} else if (o->changed && o->target) {
		unlink(o->target); /* it was new */
	}
}

bool write_outputs(struct output *outputs, size_t count)
{
	size_t ready = 0, placed = 0;
	bool ok = true;

	pending = outputs;
	pending_count = (sig_atomic_t)count;
	catch_signals(clean_and_die);
	for (; ok && ready < count; ready++)
		ok = prepare(&outputs[ready]);
	for (size_t i = 0; ok && i < count; i++)
		ok = !is_stream(&outputs[i]) || write_stream(&outputs[i]);
	for (; ok && placed < count; placed++)
		ok = put_in_place(&outputs[placed]);
	pending_count = 0;
	catch_signals(SIG_DFL);
	for (size_t i = 0; i < count; i++) {
		struct output *o = &outputs[i];
		if (!ok && i < (placed > ready ? placed : ready) && o->target && (o->temporary || i < placed))
			put_back(o);
		else if (o->backup)
			unlink(o->backup);
		free(o->temporary);
		free(o->backup);
		free(o->target);
		o->temporary = o->backup = o->target = NULL;
	}
	return ok;
}
