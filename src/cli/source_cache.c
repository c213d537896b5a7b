/* SPDX-License-Identifier: Apache-2.0 */
/* source_cache: keeps compiled sources in the directory of --cache, so that a source is recompiled only if something
 * that its module depends on has changed.
 *
 * The key is of the compiler's own bytes, the options, and the name and text of the source. Its includes are only known
 * after it has been compiled, so an entry has the names of these files and hashes of their contents, which are compared
 * when it is found; and the names of missing files that would be included instead. Then comes the module. A source is
 * not kept if one of its files changed while it was compiled. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/blake2.h"
#include "cli/resolvers.h"

enum { MOST_FILES = 4096 };

struct file_head {
	uint32_t length; /* of the name, with its zero */
	uint32_t is_there;
	unsigned char digest[DIGEST];
};

/* The key */

static void add_bytes(struct spb_blake2 *b, const void *bytes, size_t size)
{
	const uint64_t length = size;

	spb_blake2_add(b, &length, sizeof length); /* so that different texts cannot concatenate to the same bytes */
	spb_blake2_add(b, bytes, size);
}

static void add_words(struct spb_blake2 *b, const char *const *words, size_t count)
{
	const uint64_t length = count;

	spb_blake2_add(b, &length, sizeof length);
	for (size_t i = 0; i < count; i++)
		add_bytes(b, words[i], strlen(words[i]));
}

bool cli_hash_file(const char *path, unsigned char *digest)
{
	size_t size;
	unsigned char *bytes = os_is_readable(path) ? cli_read_own_file(path, &size) : NULL;

	if (!bytes)
		return false;
	spb_blake2(bytes, size, digest);
	free(bytes);
	return true;
}

bool cli_make_source_key(const struct source_store *store, const struct shader *s, const char *path, const char *header,
			 unsigned char *key)
{
	size_t size;
	unsigned char *bytes = store && store->compiler ? cli_read_own_file(path, &size) : NULL;
	const uint32_t options[] = {s->hlsl, s->env};
	struct spb_blake2 b;

	if (!bytes)
		return false;
	spb_blake2_begin(&b);
	spb_blake2_add(&b, store->compiler, DIGEST);
	add_bytes(&b, options, sizeof options);
	add_words(&b, (const char *const[]){"a source", s->stage, s->entry ? s->entry : "", path, header}, 5);
	add_words(&b, s->options->include_paths, s->options->include_path_count);
	add_words(&b, s->options->macros, s->options->macro_count);
	add_bytes(&b, bytes, size);
	spb_blake2_end(&b, key);
	free(bytes);
	return true;
}

/* Finding */

static bool is_as_it_was(const char *path, const struct file_head *h)
{
	unsigned char digest[DIGEST];

	if (!h->is_there)
		return !os_is_there(path);
	return cli_hash_file(path, digest) && !memcmp(digest, h->digest, DIGEST);
}

/* Compares the files. Returns the offset of the module; 0: a file has changed, or the entry is forged. */
static size_t check_files(const unsigned char *bytes, size_t size, bool note)
{
	uint32_t count;
	size_t at = sizeof count;

	if (size < sizeof count)
		return 0;
	memcpy(&count, bytes, sizeof count);
	for (uint32_t i = 0; i < count; i++) {
		struct file_head h;
		if (size - at < sizeof h)
			return 0;
		memcpy(&h, bytes + at, sizeof h);
		at += sizeof h;
		const char *path = (const char *)bytes + at;
		if (!h.length || size - at < h.length || path[h.length - 1])
			return 0;
		at += h.length;
		if (note && h.is_there)
			cli_note_read(path, strlen(path));
		else if (!note && !is_as_it_was(path, &h))
			return 0;
	}
	return at;
}

bool cli_find_compiled(const struct source_store *store, const unsigned char *key, struct resolver_file *r)
{
	size_t size = 0, at;
	unsigned char *bytes = store->find(store->user, key, &size);
	bool found = bytes && (at = check_files(bytes, size, false)) && at < size &&
		     cli_take_words(r, 0, bytes + at, size - at) == EXIT_DONE;

	if (found)
		check_files(bytes, size, true);
	free(bytes);
	return found;
}

/* Keeping */

struct entry_bytes {
	unsigned char *bytes;
	size_t size, capacity;
	uint32_t files;
	bool failed;
};

static void put(struct entry_bytes *e, const void *bytes, size_t size)
{
	if (e->size + size > e->capacity) {
		size_t capacity = 2 * (e->size + size);
		unsigned char *more = realloc(e->bytes, capacity);
		e->failed |= !more;
		e->bytes = more ? more : e->bytes;
		e->capacity = more ? capacity : e->capacity;
	}
	if (!e->failed)
		memcpy(e->bytes + e->size, bytes, size);
	e->size += e->failed ? 0 : size;
}

static void put_file(struct entry_bytes *e, const char *path, const unsigned char *digest)
{
	struct file_head h = {.length = (uint32_t)strlen(path) + 1, .is_there = digest != NULL};

	if (digest)
		memcpy(h.digest, digest, DIGEST);
	put(e, &h, sizeof h);
	put(e, path, h.length);
	e->failed |= ++e->files > MOST_FILES;
}

static bool is_older(const char *path, int64_t time)
{
	struct os_status st;

	return os_look_through(path, &st) && st.modified < time;
}

/* Adds the missing files that would have been found before a file that has been read. */
static void put_missing(struct entry_bytes *e, const char *path, const struct path_list *folders)
{
	for (size_t i = 0; i < folders->count; i++) {
		const char *name = cli_name_below(folders->paths[i], path);
		for (size_t k = 0; name && k < folders->count && !e->failed; k++) {
			const char *folder = folders->paths[k];
			size_t length = strlen(folder) + strlen(name) + 2;
			char *other = malloc(length);
			e->failed |= !other;
			if (!other)
				return;
			snprintf(other, length, "%s%s%s", folder, *folder ? "/" : "", name);
			if (!os_is_there(other))
				put_file(e, other, NULL);
			free(other);
		}
	}
}

static void add_folder(struct path_list *folders, const char *path, size_t length)
{
	for (size_t i = 0; i < folders->count; i++) {
		if (!strncmp(folders->paths[i], path, length) && !folders->paths[i][length])
			return;
	}
	cli_add_path(folders, path, length);
}

/* -I, and the folders of the files that have been read, because the folder of an including file is searched, too. Each
 * once. */
static struct path_list list_folders(const struct shader *s, const struct path_list *files, const char *header)
{
	struct path_list folders = {.incomplete = files->incomplete};

	for (size_t i = 0; i < s->options->include_path_count; i++)
		add_folder(&folders, s->options->include_paths[i], strlen(s->options->include_paths[i]));
	add_folder(&folders, header, strlen(header));
	for (size_t i = 0; i < files->count; i++) {
		const char *slash = strrchr(files->paths[i], '/');
		add_folder(&folders, files->paths[i], slash ? (size_t)(slash - files->paths[i]) : 0);
	}
	return folders;
}

void cli_keep_compiled(const struct source_store *store, const unsigned char *key, const struct resolver_file *r,
		       const struct shader *s, const struct path_list *files, const char *header, int64_t begun)
{
	struct path_list folders = list_folders(s, files, header);
	struct entry_bytes e = {.failed = folders.incomplete};
	unsigned char digest[DIGEST];

	put(&e, &e.files, sizeof e.files);
	for (size_t i = 0; i < files->count && !e.failed; i++) {
		e.failed |= !is_older(files->paths[i], begun) || !cli_hash_file(files->paths[i], digest);
		if (!e.failed)
			put_file(&e, files->paths[i], digest);
		put_missing(&e, files->paths[i], &folders);
	}
	if (!e.failed) {
		memcpy(e.bytes, &e.files, sizeof e.files);
		put(&e, r->words[0], r->word_count[0] * sizeof(uint32_t));
	}
	if (!e.failed)
		store->keep(store->user, key, e.bytes, e.size);
	cli_free_paths(&folders);
	free(e.bytes);
}
