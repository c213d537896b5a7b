/* SPDX-License-Identifier: Apache-2.0 */
/* cache: keeps the outputs and messages of programs in a directory, so that nothing is bound twice.
 *
 * The key of a program is a hash of everything that its result depends on: this build, the options, the files that they
 * name, its part of a lock, and the names and contents of its modules. Facts, for numbers that programs share, are the
 * only output of a separate entry. An entry is a file named by its key. It begins with a hash of the key and of the
 * rest, which detects damaged and renamed entries; and it is valid only if no other user can have written it. Invalid
 * entries are ignored and replaced.
 *
 * Only programs that were bound without an error are kept. Entries are written to a temporary name and renamed, so runs
 * may share a directory. Nothing is synced: after a crash, incomplete entries are invalid. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/blake2.h"
#include "cli/jobs/jobs.h"

struct cache {
	int directory;
	unsigned char build[DIGEST]; /* of spirv-bind, and SPIRV-Tools */
};

enum { NAME_BYTES = 2 * DIGEST + 8 }; /* of a file, with a suffix */

/* The hashed part of an entry begins with this; then come messages and printed text, an output_head for each output,
 * and the bytes of outputs that are not those of a module as it was read. */
struct head {
	uint32_t said, printed, modules, outputs;
};

struct output_head {
	uint32_t size;
	uint32_t same; /* the module that it is the same as, from 1; 0: its bytes follow */
};

/* The key */

static void add_bytes(struct spb_blake2 *b, const void *bytes, size_t size)
{
	const uint64_t length = size;

	spb_blake2_add(b, &length, sizeof length); /* so that different texts cannot concatenate to the same bytes */
	spb_blake2_add(b, bytes, size);
}

static void add_text(struct spb_blake2 *b, const char *text)
{
	add_bytes(b, text, text ? strlen(text) + 1 : 0);
}

/* The contents of files that options name; the options themselves, such as -D, are in `given`. */
static void add_option_files(struct spb_blake2 *b, const struct program_options *p)
{
	add_bytes(b, p->given.bytes, p->given.size);
	for (uint32_t i = 0; i < p->library.layout.policy_count; i++)
		add_text(b, p->library.layout.policies[i].text);
	for (size_t i = 0; i < p->library.handles.resolver_count; i++) {
		const spb_resolver *r = &p->library.handles.resolvers[i];
		add_bytes(b, r->words, r->word_count * sizeof *r->words);
	}
	add_text(b, p->lint.baseline_text);
	add_text(b, p->layout.against_text);
	add_text(b, p->library.layout.lock);
}

/* In a manifest, outputs and names of layouts do not follow from the options. */
static void add_job(struct spb_blake2 *b, const struct program_options *p, const struct job *job)
{
	unsigned char facts = job_gives_facts(job);
	uint32_t verb = facts ? 0 : p->verb, doctor = p->library.layout.doctor; /* facts do not depend on the verb */

	spb_blake2_add(b, &facts, sizeof facts);
	spb_blake2_add(b, &verb, sizeof verb);
	spb_blake2_add(b, &doctor, sizeof doctor);
	for (int i = 0; i < LAYOUT_FILES; i++)
		add_text(b, p->layout.files[i] ? cli_base_of(p->layout.files[i]) : NULL);
	for (size_t i = 0; i < p->input_count; i++) {
		unsigned char written = !job->outputs || job->outputs[i];
		spb_blake2_add(b, &written, sizeof written);
	}
}

void job_make_key(const struct cache *c, const struct program_options *p, const struct job *job,
		  const struct loaded *modules, struct key *key)
{
	struct spb_blake2 b;
	uint64_t imports = p->import_count;

	spb_blake2_begin(&b);
	spb_blake2_add(&b, c->build, sizeof c->build);
	add_option_files(&b, p);
	spb_blake2_add(&b, &imports, sizeof imports);
	for (size_t i = 0; i < p->input_count; i++) {
		add_text(&b, p->inputs[i]);
		add_bytes(&b, modules[i].bytes, modules[i].size);
	}
	add_job(&b, p, job);
	spb_blake2_end(&b, key->bytes);
}

static void name_of(const struct key *key, const char *suffix, char name[NAME_BYTES])
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned i = 0; i < DIGEST; i++) {
		*name++ = digits[key->bytes[i] >> 4];
		*name++ = digits[key->bytes[i] & 15];
	}
	memcpy(name, suffix, strlen(suffix) + 1);
}

/* Reading */

/* The whole file, or NULL. */
static unsigned char *read_entry(const struct cache *c, const char *name, size_t *size)
{
	struct os_status st;
	unsigned char *bytes = NULL;
	size_t count = 0;
	int fd = os_open(c->directory, name, OS_READ | OS_NO_LINK | OS_NO_WAIT, 0);

	if (fd < 0)
		return NULL;
	if (os_status(fd, &st) && st.kind == OS_FILE && os_is_own(&st) && !(st.mode & 022) && st.size > 0)
		bytes = malloc((size_t)st.size);
	while (bytes && count < (size_t)st.size) {
		ssize_t n = os_read(fd, bytes + count, (size_t)st.size - count);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			break;
		count += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	*size = count;
	return bytes;
}

static void hash_entry(const struct key *key, const void *bytes, size_t size, unsigned char *digest)
{
	struct spb_blake2 b;

	spb_blake2_begin(&b);
	spb_blake2_add(&b, key->bytes, sizeof key->bytes);
	spb_blake2_add(&b, bytes, size);
	spb_blake2_end(&b, digest);
}

static bool is_whole(const struct key *key, const unsigned char *bytes, size_t size)
{
	unsigned char digest[DIGEST];

	if (size < DIGEST + sizeof(struct head))
		return false;
	hash_entry(key, bytes + DIGEST, size - DIGEST, digest);
	return !memcmp(digest, bytes, DIGEST);
}

/* The next bytes of an entry; NULL: there are not enough. */
static const void *take(const unsigned char **at, size_t *left, size_t size)
{
	const unsigned char *bytes = *at;

	if (size > *left)
		return NULL;
	*at += size;
	*left -= size;
	return bytes;
}

static bool take_outputs(const unsigned char **at, size_t *left, const struct loaded *modules, size_t module_count,
			 struct entry *e)
{
	const unsigned char *heads = take(at, left, e->output_count * sizeof(struct output_head));

	for (size_t i = 0; heads && i < e->output_count; i++) {
		struct output_head h;
		memcpy(&h, heads + i * sizeof h, sizeof h);
		if (h.same > module_count || (h.same && modules[h.same - 1].size != h.size))
			return false;
		e->outputs[i].size = h.size;
		e->outputs[i].bytes = h.same ? modules[h.same - 1].bytes : take(at, left, h.size);
		if (!e->outputs[i].bytes)
			return false;
	}
	return heads && !*left;
}

/* The key determines an entry's shape; an intact entry of another shape is forged. */
static bool take_apart(struct entry *e, size_t size, const struct loaded *modules, size_t module_count)
{
	const unsigned char *at = e->file + DIGEST;
	size_t left = size - DIGEST;
	struct head h;

	memcpy(&h, at, sizeof h);
	at += sizeof h;
	left -= sizeof h;
	if (h.modules != module_count || h.outputs != e->output_count)
		return false;
	e->said_size = h.said;
	e->printed_size = h.printed;
	e->said = take(&at, &left, h.said);
	e->printed = e->said ? take(&at, &left, h.printed) : NULL;
	return e->printed && take_outputs(&at, &left, modules, module_count, e);
}

/* NULL: there is none, or it is damaged. */
static unsigned char *read_whole_entry(const struct cache *c, const struct key *key, size_t *size)
{
	char name[NAME_BYTES];

	name_of(key, "", name);
	unsigned char *file = read_entry(c, name, size);
	if (file && is_whole(key, file, *size))
		return file;
	free(file);
	return NULL;
}

static unsigned char *find_bytes(void *user, const unsigned char *bytes, size_t *size)
{
	struct key key;

	memcpy(key.bytes, bytes, DIGEST);
	unsigned char *file = read_whole_entry(user, &key, size);
	if (file) {
		*size -= DIGEST;
		memmove(file, file + DIGEST, *size);
	}
	return file;
}

bool job_find_entry(const struct cache *c, const struct key *key, const struct loaded *modules, size_t module_count,
		    struct entry *e)
{
	size_t size;

	e->file = read_whole_entry(c, key, &size);
	if (e->file && take_apart(e, size, modules, module_count))
		return true;
	free(e->file);
	e->file = NULL;
	return false;
}

/* Writing */

static uint32_t same_module(const struct output *o, const struct loaded *modules, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (modules[i].size == o->size && !memcmp(modules[i].bytes, o->bytes, o->size))
			return (uint32_t)i + 1;
	}
	return 0;
}

/* The bytes of an entry, and its digest before them. NULL: no memory, or its counts are too large. */
static unsigned char *pack(const struct key *key, const struct entry *e, const struct loaded *modules,
			   size_t module_count, size_t *size)
{
	struct head h = {(uint32_t)e->said_size, (uint32_t)e->printed_size, (uint32_t)module_count,
			 (uint32_t)e->output_count};
	size_t room = DIGEST + sizeof h + e->said_size + e->printed_size;

	for (size_t i = 0; i < e->output_count; i++)
		room += sizeof(struct output_head) + e->outputs[i].size;
	unsigned char *bytes = room <= UINT32_MAX ? malloc(room) : NULL;
	if (!bytes)
		return NULL;
	unsigned char *at = bytes + DIGEST;
#define PUT(from, n) at = (unsigned char *)memcpy(at, from, n) + (n)
	PUT(&h, sizeof h);
	if (e->said_size)
		PUT(e->said, e->said_size);
	if (e->printed_size)
		PUT(e->printed, e->printed_size);
	for (size_t i = 0; i < e->output_count; i++) {
		struct output_head o = {(uint32_t)e->outputs[i].size,
					same_module(&e->outputs[i], modules, module_count)};
		PUT(&o, sizeof o);
	}
	for (size_t i = 0; i < e->output_count; i++) {
		if (!same_module(&e->outputs[i], modules, module_count))
			PUT(e->outputs[i].bytes, e->outputs[i].size);
	}
#undef PUT
	*size = (size_t)(at - bytes);
	hash_entry(key, bytes + DIGEST, *size - DIGEST, bytes);
	return bytes;
}

/* Removes the file of a killed run. Writing an entry takes less than a minute; a slower run loses its entry. The clock
 * may have been set back meanwhile. */
static void remove_stale(const struct cache *c, const char *temporary)
{
	enum { MINUTE = 60 };
	struct os_status st;
	const int64_t now = time(NULL);

	if (os_look(c->directory, temporary, &st) && (st.modified < now - MINUTE || st.modified > now + MINUTE))
		os_remove(c->directory, temporary);
}

/* A cache that cannot be written to is not an error: the program has been bound. */
static void write_entry(const struct cache *c, const struct key *key, const unsigned char *bytes, size_t size)
{
	char name[NAME_BYTES], temporary[NAME_BYTES];
	int fd = -1;

	name_of(key, "", name);
	name_of(key, ".tmp", temporary);
	if (bytes)
		fd = os_open(c->directory, temporary, OS_WRITE | OS_NEW, 0600);
	if (fd >= 0) {
		bool ok = cli_write_all(fd, bytes, size);
		if (close(fd) || !ok || !os_rename(c->directory, temporary, c->directory, name))
			os_remove(c->directory, temporary);
	} else if (bytes && errno == EEXIST) { /* written by another run */
		remove_stale(c, temporary);
	}
}

void job_keep_entry(const struct cache *c, const struct key *key, const struct loaded *modules, size_t module_count,
		    const struct entry *e)
{
	size_t size = 0;
	unsigned char *bytes = pack(key, e, modules, module_count, &size);

	write_entry(c, key, bytes, size);
	free(bytes);
}

static void keep_bytes(void *user, const unsigned char *key_bytes, const void *bytes, size_t size)
{
	unsigned char *entry = malloc(DIGEST + size);
	struct key key;

	if (!entry)
		return;
	memcpy(key.bytes, key_bytes, DIGEST);
	memcpy(entry + DIGEST, bytes, size);
	hash_entry(&key, bytes, size, entry);
	write_entry(user, &key, entry, DIGEST + size);
	free(entry);
}

/* The name of the lock is removed before the lock is released. A run that waited for it finds the entry; without one,
 * it may compile at the same time as another, which does no harm. */
static int begin_turn(void *user, const unsigned char *bytes)
{
	const struct cache *c = user;
	char name[NAME_BYTES];
	struct key key;

	memcpy(key.bytes, bytes, DIGEST);
	name_of(&key, ".lock", name);
	int fd = os_open(c->directory, name, OS_READ_WRITE | OS_CREATE | OS_NO_LINK | OS_NO_WAIT, 0600);
	if (fd >= 0)
		os_wait_for_lock(fd);
	return fd;
}

static void end_turn(void *user, const unsigned char *bytes, int turn)
{
	const struct cache *c = user;
	char name[NAME_BYTES];
	struct key key;

	if (turn < 0)
		return;
	memcpy(key.bytes, bytes, DIGEST);
	name_of(&key, ".lock", name);
	os_remove(c->directory, name);
	close(turn);
}

/* The cache */

/* Identifies the build of spirv-bind and SPIRV-Tools, not just the version, by the linker's hash of the program. */
static bool identify_build(unsigned char *digest)
{
	unsigned char id[128];
	size_t size = os_build_id(id, sizeof id);
	struct spb_blake2 b;

	if (size < 8)
		return cli_hash_file(os_executable(), digest);
	spb_blake2_begin(&b);
	spb_blake2_add(&b, id, size);
	spb_blake2_end(&b, digest);
	return true;
}

static bool refuse(const char *path, const char *why)
{
	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot use ", path, " as a cache: ", why));
	return false;
}

static bool open_directory(struct cache *c, const char *path)
{
	struct os_status st;

	if (!os_make_folder(OS_HERE, path, 0700) && errno != EEXIST) {
		if (errno == ENOSPC) /* binding works without a cache */
			return true;
		return refuse(path, strerror(errno));
	}
	c->directory = os_open(OS_HERE, path, OS_READ | OS_FOLDER, 0);
	if (c->directory < 0 || !os_status(c->directory, &st))
		return refuse(path, strerror(errno));
	if (!os_is_own(&st) || (st.mode & 022))
		return refuse(path, "others can write to it" MSG_REMEDY
				    "They could put in what was never bound: use chmod go-w.");
	return true;
}

struct cache *job_open_cache(const char *path)
{
	struct cache *c = calloc(1, sizeof *c);

	if (!c) {
		refuse(path, "out of memory");
		return NULL;
	}
	c->directory = -1;
	if (open_directory(c, path) && identify_build(c->build))
		return c;
	job_close_cache(c);
	return NULL;
}

const struct source_store *job_begin_compiled_cache(struct compiled_cache *c, struct cache *cache, bool has_sources)
{
	static const char *const compilers[] = {"glslangValidator", "glslc"};
	struct spb_blake2 b;
	bool known = false;

	spb_blake2_begin(&b);
	for (size_t i = 0; cache && has_sources && i < sizeof compilers / sizeof *compilers; i++) {
		unsigned char digest[DIGEST] = {0};
		char *path = os_find_program(compilers[i]);
		known |= path && cli_hash_file(path, digest);
		spb_blake2_add(&b, digest, sizeof digest);
		free(path);
	}
	spb_blake2_end(&b, c->compiler.bytes);
	c->store = (struct source_store){cache, find_bytes, keep_bytes, c->compiler.bytes, begin_turn, end_turn};
	return known ? &c->store : NULL;
}

void job_close_cache(struct cache *c)
{
	if (c && c->directory >= 0)
		close(c->directory);
	free(c);
}
