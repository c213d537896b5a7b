/* SPDX-License-Identifier: Apache-2.0 */
/* file: reads whole files, and follows paths. stage.c writes files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const uintmax_t FILE_LIMIT = UINT32_MAX / 4; /* bytes of an input */

enum {
	LARGE_FILE = 1 << 20,  /* bytes; preparing memory does not pay for smaller ones */
	NEED_OF_EACH_BYTE = 8, /* of memory; most modules need three to seven */
};

bool cli_cannot(const char *what, const char *path)
{
	int saved = errno;

	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot ", what, " ", path, ": ", strerror(saved)));
	return false;
}

static const char *without_dots(const char *path)
{
	while (path[0] == '.' && path[1] == '/')
		path += 2 + strspn(path + 2, "/");
	return path;
}

const char *cli_name_below(const char *folder, const char *path)
{
	const char *from = without_dots(folder), *rest = without_dots(path);
	size_t length = strlen(from);

	while (length && from[length - 1] == '/')
		length--;
	if (!strcmp(from, "."))
		length = 0;
	if (length && (strncmp(rest, from, length) != 0 || rest[length] != '/'))
		return NULL;
	rest += length + (length && rest[length] == '/');
	if (!length && *rest == '/' && *from != '/')
		return NULL;
	return rest + strspn(rest, "/");
}

static bool has_size(int fd, struct os_status *st)
{
	const bool known = os_status(fd, st);
	const bool fits = known && (st->kind != OS_FILE || st->size <= FILE_LIMIT);

	errno = known ? EFBIG : errno;
	return fits;
}

unsigned char *cli_read_own_file(const char *path, size_t *size)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : os_open(OS_HERE, path, OS_READ, 0);
	struct os_status st;
	size_t capacity = 65536, count = 0;

	if (fd < 0 || !has_size(fd, &st)) {
		cli_cannot("read", path);
		if (fd > 0)
			close(fd);
		return NULL;
	}
	if (st.kind == OS_FILE && st.size > 0)
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
			cli_cannot("read", path);
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
		cli_cannot("read", path); /* ENOMEM, EFBIG */
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

bool cli_read_lock(const struct program_options *p, char **text)
{
	struct os_status st;

	*text = NULL;
	if (!p->lock.file)
		return true;
	if (!os_look_through(p->lock.file, &st)) {
		if (errno != ENOENT)
			return cli_cannot("read", p->lock.file);
		if (!p->library.layout.update_lock)
			msg_say(SPB_SEVERITY_ERROR, WORDS("cannot read ", p->lock.file, ": ", strerror(ENOENT),
							  MSG_REMEDY "Write it with spirv-bind lock update."));
		return p->library.layout.update_lock;
	}
	*text = cli_read_text_file(p->lock.file);
	return *text;
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

const char *cli_base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

size_t cli_without(const char *path, size_t length, const char *end)
{
	size_t tail = strlen(end);

	return length > tail && !memcmp(path + length - tail, end, tail) ? length - tail : length;
}

bool cli_ends_in(const char *path, const char *end)
{
	size_t length = strlen(path);

	return cli_without(path, length, end) < length;
}

char *cli_beside(const char *path, const char *name)
{
	size_t folder = (size_t)(cli_base_of(path) - path), room = folder + strlen(name) + 1;
	char *joined = malloc(room);

	if (joined)
		snprintf(joined, room, "%.*s%s", (int)folder, path, name);
	return joined;
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
