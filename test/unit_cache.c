/* SPDX-License-Identifier: Apache-2.0 */
/* The cache: what its keys depend on, what it returns, and which entries are invalid. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/blake2.h"
#include "cli/jobs/jobs.h"
#include "cli/resolvers.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *build_id; /* of this program; NULL: its own */

size_t __real_os_build_id(unsigned char *id, size_t room);
size_t __wrap_os_build_id(unsigned char *id, size_t room);
size_t __wrap_os_build_id(unsigned char *id, size_t room)
{
	if (!build_id)
		return __real_os_build_id(id, room);
	memcpy(id, build_id, strlen(build_id));
	return strlen(build_id);
}

static enum { WHOLE, IN_PARTS, INTERRUPTED, ENDS, FAILS } reads; /* of a file */

ssize_t __real_os_read(int fd, void *to, size_t size);
ssize_t __wrap_os_read(int fd, void *to, size_t size);
ssize_t __wrap_os_read(int fd, void *to, size_t size)
{
	static int calls;

	calls++;
	errno = reads == FAILS ? EIO : EINTR;
	if (reads == ENDS)
		return 0;
	if (reads == FAILS || (reads == INTERRUPTED && calls % 2))
		return -1;
	return __real_os_read(fd, to, reads == WHOLE ? size : 1);
}

/* Each test runs in an empty folder, with a cache. */
static char folder[4096], entry_path[100];
static struct cache *cache;

static int begin(void **state)
{
	(void)state;
	if (!os_make_temporary_folder(folder, sizeof folder) || chdir(folder))
		return 1;
	cache = job_open_cache("cache");
	return !cache;
}

static int end(void **state)
{
	char command[5000];

	(void)state;
	job_close_cache(cache);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return chdir("/") || system(command);
}

/* Keys */

static char option_words[] = "--x\0y\n", some_text[] = "t";
static const char *inputs[] = {"a.spv", "b.spv"}, *others[] = {"a.spv", "c.spv"};
static unsigned char one[] = "12345678", other[] = "12345679";
static uint32_t words[] = {1, 2}, more_words[] = {1, 3};
static spb_resolver resolvers[] = {{.words = words, .word_count = 2}},
		    other_resolvers[] = {{.words = more_words, .word_count = 2}};
static const spb_policy policies[] = {{"p", "rule"}}, other_policies[] = {{"p", "rules"}}, builtin[] = {{"p", NULL}};
static char *outputs[] = {(char[]){"x"}, NULL}, *other_outputs[] = {NULL, (char[]){"x"}};
static const struct exchange collecting = {.collecting = true}, binding = {.collecting = false};

struct keyed {
	struct arguments a;
	struct job job;
	struct loaded modules[2];
};

static struct keyed plain(void)
{
	struct keyed k = {.a.program = {.inputs = inputs, .input_count = 2}, .job = {.name = NULL}};

	k.modules[0] = (struct loaded){one, 8};
	k.modules[1] = (struct loaded){one, 4};
	k.a.program.given.bytes = option_words;
	k.a.program.given.size = 6;
	return k;
}

static void change(struct keyed *k, unsigned how)
{
	switch (how) {
	case 0:
		k->a.program.given.size = 5;
		break;
	case 1:
		k->a.program.library.layout.policies = policies;
		k->a.program.library.layout.policy_count = 1;
		break;
	case 2:
		k->a.program.library.layout.policies = other_policies;
		k->a.program.library.layout.policy_count = 1;
		break;
	case 3:
		k->a.program.library.layout.policies = builtin;
		k->a.program.library.layout.policy_count = 1;
		break;
	case 4:
		k->a.program.library.handles.resolvers = resolvers;
		k->a.program.library.handles.resolver_count = 1;
		break;
	case 5:
		k->a.program.library.handles.resolvers = other_resolvers;
		k->a.program.library.handles.resolver_count = 1;
		break;
	case 6:
		k->a.program.lint.baseline_text = some_text;
		break;
	case 7:
		k->a.program.layout.against_text = some_text;
		break;
	case 8:
		k->a.program.library.layout.lock = "t";
		break;
	case 9:
		k->a.program.library.layout.lock = "";
		break;
	case 10:
		k->a.program.import_count = 1;
		break;
	case 11:
		k->a.program.inputs = others;
		break;
	case 12:
		k->modules[0].bytes = other;
		break;
	case 13:
		k->modules[1].size = 8;
		break;
	case 14:
		k->a.program.input_count = 1;
		break;
	case 15:
		k->job.exchange = &collecting;
		break;
	case 16:
		k->job.outputs = outputs;
		break;
	case 17:
		k->job.outputs = other_outputs;
		break;
	default: /* the file name of each form of the layout, without its folder */
		k->a.program.layout.files[how - 18] = "l/x";
		break;
	}
}

enum { CHANGES = 18 + LAYOUT_FILES };

static struct key key_of(struct keyed *k)
{
	struct key key;

	job_make_key(cache, &k->a.program, &k->job, k->modules, &key);
	return key;
}

static void every_input_of_a_result_is_in_its_key(void **state)
{
	struct key keys[CHANGES + 1];

	(void)state;
	for (unsigned i = 0; i <= CHANGES; i++) {
		struct keyed k = plain(), again = plain();
		if (i < CHANGES) {
			change(&k, i);
			change(&again, i);
		}
		keys[i] = key_of(&k);
		again.job.name = some_text; /* the name of a program changes nothing */
		again.a.program.modules.folder = "elsewhere";
		if (!again.job.exchange)
			again.job.exchange = &binding;
		for (int form = 0; form < LAYOUT_FILES; form++)
			again.a.program.layout.files[form] = again.a.program.layout.files[form] ? "elsewhere/x" : NULL;
		struct key other_key = key_of(&again);
		assert_memory_equal(&keys[i], &other_key, sizeof other_key);
		for (unsigned k2 = 0; k2 < i; k2++)
			assert_memory_not_equal(&keys[i], &keys[k2], sizeof keys[i]);
	}
}

/* A build is identified by its id, if that has 64 bits or more, otherwise by a hash of the program. */
static void builds_have_different_keys(void **state)
{
	static const char *const ids[] = {"", "1234567", "7654321", "12345678", "12345679", "123456789", NULL};
	struct key keys[COUNT(ids)];
	struct keyed k = plain();

	(void)state;
	for (size_t i = 0; i < COUNT(ids); i++) {
		job_close_cache(cache);
		build_id = ids[i];
		cache = job_open_cache("cache");
		build_id = NULL;
		assert_non_null(cache);
		keys[i] = key_of(&k);
		for (size_t j = 0; j < i; j++)
			assert_int_equal(!memcmp(&keys[i], &keys[j], sizeof keys[i]), i < 3);
	}
}

/* Entries */

static const struct loaded modules[] = {{one, 8}, {other, 8}};
static struct key key = {{0x01, 0xAB, 0xFF}};

/* Messages, output, and files: the second module as it was read, other bytes, and nothing. */
static struct entry some_entry(struct output *three)
{
	three[0] = (struct output){.bytes = "12345679", .size = 8};
	three[1] = (struct output){.bytes = "own", .size = 3};
	three[2] = (struct output){.bytes = "", .size = 0};
	return (struct entry){.said = "said",
			      .said_size = 4,
			      .printed = "printed",
			      .printed_size = 7,
			      .outputs = three,
			      .output_count = 3};
}

/* Keeps it, and returns the bytes of the file. */
static unsigned char *kept(size_t *size)
{
	struct output three[3];
	struct entry e = some_entry(three);

	snprintf(entry_path, sizeof entry_path, "cache/01abff%058d", 0);
	unlink(entry_path);
	job_keep_entry(cache, &key, modules, 2, &e);
	unsigned char *bytes = cli_read_own_file(entry_path, size);
	assert_non_null(bytes);
	return bytes;
}

static bool is_found(size_t module_count, size_t output_count)
{
	struct output found[4] = {{0}};
	struct entry e = {.outputs = found, .output_count = output_count};
	bool is = job_find_entry(cache, &key, modules, module_count, &e);

	assert_int_equal(is, e.file != NULL);
	free(e.file);
	return is;
}

static void stored_results_are_found(void **state)
{
	struct output found[3] = {{0}};
	struct entry e = {.outputs = found, .output_count = 3};
	struct stat st;
	size_t size;

	(void)state;
	assert_false(is_found(2, 3));
	free(kept(&size));
	assert_int_equal(stat(entry_path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	/* a hash, four counts, messages, output, two numbers for each file, and its bytes */
	assert_int_equal(size, DIGEST + 16 + 4 + 7 + 3 * 8 + 3);
	assert_true(job_find_entry(cache, &key, modules, 2, &e));
	assert_int_equal(e.said_size, 4);
	assert_memory_equal(e.said, "said", 4);
	assert_int_equal(e.printed_size, 7);
	assert_memory_equal(e.printed, "printed", 7);
	assert_int_equal(found[0].size, 8);
	assert_ptr_equal(found[0].bytes, other);
	assert_int_equal(found[1].size, 3);
	assert_memory_equal(found[1].bytes, "own", 3);
	assert_int_equal(found[2].size, 0);
	free(e.file);
	assert_false(is_found(1, 3) || is_found(2, 2) || is_found(2, 4));
	struct key another = key;
	another.bytes[DIGEST - 1] = 1;
	assert_false(job_find_entry(cache, &another, modules, 2, &e));
	job_close_cache(cache);
	cache = job_open_cache("cache");
	assert_true(is_found(2, 3));
}

static void truncated_entries_are_ignored(void **state)
{
	size_t size;

	(void)state;
	free(kept(&size));
	for (reads = WHOLE; reads <= FAILS; reads++)
		assert_int_equal(is_found(2, 3), reads != ENDS && reads != FAILS);
	reads = WHOLE;
}

/* Outputs that equal an input module take no room, large ones as much as their size. */
static void outputs_equal_to_modules_are_not_stored_twice(void **state)
{
	static char large[100000];
	struct output some[] = {{.bytes = large, .size = sizeof large},
				{.bytes = one, .size = 8},
				{.bytes = "x", .size = 1}},
		      found[3] = {{0}};
	const struct entry e = {.outputs = some, .output_count = 3};
	struct entry again = {.outputs = found, .output_count = 3};
	size_t size;

	(void)state;
	memset(large, 'l', sizeof large);
	free(kept(&size));
	unlink(entry_path);
	job_keep_entry(cache, &key, modules, 2, &e);
	free(cli_read_own_file(entry_path, &size));
	assert_int_equal(size, DIGEST + 16 + 3 * 8 + sizeof large + 1);
	assert_true(job_find_entry(cache, &key, modules, 2, &again));
	assert_int_equal(again.said_size + again.printed_size, 0);
	assert_memory_equal(found[0].bytes, large, sizeof large);
	assert_ptr_equal(found[1].bytes, one);
	assert_memory_equal(found[2].bytes, "x", 1);
	free(again.file);
}

/* An entry that cannot be written completely does not exist, not even in part. */
static void a_full_disk_leaves_no_part_of_an_entry(void **state)
{
	static char large[100000];
	struct output some[] = {{.bytes = large, .size = sizeof large}};
	const struct entry e = {.outputs = some, .output_count = 1};
	struct rlimit before, small;
	size_t size;

	(void)state;
	free(kept(&size));
	unlink(entry_path);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){.rlim_cur = 50000, .rlim_max = before.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	job_keep_entry(cache, &key, modules, 2, &e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_false(os_is_there(entry_path));
	job_keep_entry(cache, &key, modules, 2, &e); /* and it can be written later */
	assert_true(os_is_there(entry_path));
}

static void put_entry(unsigned char *bytes, size_t size)
{
	FILE *f = fopen(entry_path, "wb");

	assert_non_null(f);
	if (size >= DIGEST) {
		struct spb_blake2 b;
		spb_blake2_begin(&b);
		spb_blake2_add(&b, key.bytes, DIGEST);
		spb_blake2_add(&b, bytes + DIGEST, size - DIGEST);
		spb_blake2_end(&b, bytes);
	}
	fwrite(bytes, 1, size, f);
	fclose(f);
}

/* An entry may be forged, with a correct hash: one that does not fit is ignored. */
static void entries_with_wrong_counts_are_ignored(void **state)
{
	enum { HEADS = DIGEST + 16 + 4 + 7 + 2 };
	size_t size;
	unsigned char *bytes = kept(&size), *room = realloc(bytes, size + 1);

	(void)state;
	assert_non_null(room);
	bytes = room;
	bytes[size] = 0;
	put_entry(bytes, size);
	assert_true(is_found(2, 3));
	for (size_t less = 1; less <= size; less++) {
		put_entry(bytes, size - less);
		assert_false(is_found(2, 3));
	}
	put_entry(bytes, size + 1);
	assert_false(is_found(2, 3));
	for (size_t field = 0; field < 4 + 6; field++) {
		size_t at = field < 4 ? DIGEST + 4 * field : HEADS + 4 * (field - 4);
		uint32_t number, before;
		memcpy(&before, bytes + at, sizeof before);
		for (int k = 0; k < 4; k++) {
			number = k == 0 ? before + 1 : k == 1 ? before - 1 : k == 2 ? 3 : UINT32_MAX;
			memcpy(bytes + at, &number, sizeof number);
			put_entry(bytes, size);
			assert_int_equal(is_found(2, 3), number == before || (field == 5 && number == 1));
		}
		memcpy(bytes + at, &before, sizeof before);
	}
	put_entry(bytes, size);
	assert_true(is_found(2, 3));
	for (size_t at = 0; at < size; at += at < DIGEST ? 5 : 7) { /* with a wrong hash */
		FILE *f = fopen(entry_path, "wb");
		assert_non_null(f);
		bytes[at] ^= 0x10;
		fwrite(bytes, 1, size, f);
		bytes[at] ^= 0x10;
		fclose(f);
		assert_false(is_found(2, 3));
	}
	free(bytes);
}

static void entries_that_others_could_have_written_are_ignored(void **state)
{
	static const struct {
		mode_t mode;
		bool counts;
	} modes[] = {{0600, true}, {0644, true}, {0400, true}, {0620, false}, {0602, false}, {0666, false}};
	size_t size;

	(void)state;
	free(kept(&size));
	for (size_t i = 0; i < COUNT(modes); i++) {
		assert_int_equal(chmod(entry_path, modes[i].mode), 0);
		assert_int_equal(is_found(2, 3), modes[i].counts);
	}
	assert_int_equal(chmod(entry_path, 0600) | rename(entry_path, "elsewhere"), 0);
	assert_int_equal(symlink("../elsewhere", entry_path), 0);
	assert_false(is_found(2, 3));
	assert_int_equal(unlink(entry_path) | mkfifo(entry_path, 0600), 0);
	assert_false(is_found(2, 3));
	assert_int_equal(unlink(entry_path) | mkdir(entry_path, 0700), 0);
	assert_false(is_found(2, 3));
	rmdir(entry_path);
}

/* While another run writes an entry, this run does not; leftovers of a killed one are removed after a minute. */
static void temporary_files_are_kept_for_a_minute(void **state)
{
	char temporary[200];
	struct output three[3];
	struct entry e = some_entry(three);
	struct stat st;
	size_t size;

	(void)state;
	free(kept(&size));
	unlink(entry_path);
	snprintf(temporary, sizeof temporary, "%s.tmp", entry_path);
	for (int old = 0; old < 2; old++) {
		const struct timespec then = {.tv_sec = time(NULL) - (old ? 70 : 50)}, times[2] = {then, then};
		fclose(fopen(temporary, "wb"));
		assert_int_equal(utimensat(AT_FDCWD, temporary, times, 0), 0);
		job_keep_entry(cache, &key, modules, 2, &e);
		assert_int_equal(stat(temporary, &st), old ? -1 : 0);
		assert_int_equal(stat(entry_path, &st), -1);
	}
	job_keep_entry(cache, &key, modules, 2, &e);
	assert_true(is_found(2, 3));
	assert_int_equal(stat(temporary, &st), -1);
}

static void a_cache_folder_belongs_to_the_user(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat("cache", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	fclose(fopen("file", "wb"));
	assert_null(job_open_cache("file"));
	assert_null(job_open_cache("missing/cache"));
	static const mode_t refused[] = {0720, 0702, 0777}, accepted[] = {0700, 0755, 0711};
	for (size_t i = 0; i < COUNT(refused); i++) {
		assert_int_equal(chmod("cache", refused[i]), 0);
		assert_null(job_open_cache("cache"));
		assert_int_equal(chmod("cache", accepted[i]), 0);
		struct cache *c = job_open_cache("cache");
		assert_non_null(c);
		job_close_cache(c);
	}
}

/* The cache as a store of compiled sources: it exists if there are sources and a readable compiler. */
static void compiled_modules_share_the_cache_folder(void **state)
{
	struct compiled_cache c, again;
	unsigned char some_key[DIGEST] = "a key", digest[DIGEST];
	const char *const programs[] = {"bin/glslangValidator", "bin/glslc"};
	char *path = strdup(getenv("PATH"));
	size_t size = 0;

	(void)state;
	assert_int_equal(mkdir("bin", 0700) | mkdir("none", 0700), 0);
	setenv("PATH", "none", 1);
	assert_null(job_begin_compiled_cache(&c, cache, true));
	setenv("PATH", "bin", 1);
	const struct source_store *kept_in = NULL;
	for (int i = 0; i < 2; i++) { /* either compiler is enough, and each counts */
		FILE *f = fopen(programs[i], "wb");
		assert_non_null(f);
		fputs("a compiler", f);
		fclose(f);
		assert_int_equal(chmod(programs[i], 0700), 0);
		kept_in = job_begin_compiled_cache(&c, cache, true);
		assert_ptr_equal(kept_in, &c.store);
		if (i)
			assert_memory_not_equal(kept_in->compiler, digest, DIGEST);
		memcpy(digest, kept_in->compiler, DIGEST);
	}
	assert_null(job_begin_compiled_cache(&c, cache, false));
	assert_null(job_begin_compiled_cache(&c, NULL, true));
	kept_in = job_begin_compiled_cache(&c, cache, true);
	assert_memory_equal(kept_in->compiler, digest, DIGEST);
	assert_null(kept_in->find(kept_in->user, some_key, &size));
	kept_in->keep(kept_in->user, some_key, "some bytes of more than the counts of an entry", 46);
	unsigned char *found = kept_in->find(kept_in->user, some_key, &size);
	assert_int_equal(size, 46);
	assert_memory_equal(found, "some bytes of more than the counts of an entry", 46);
	free(found);
	kept_in = job_begin_compiled_cache(&again, cache, true);
	found = kept_in->find(kept_in->user, some_key, &size);
	assert_non_null(found);
	free(found);
	char name[100] = "cache/";
	for (int i = 0; i < DIGEST; i++)
		snprintf(name + strlen(name), 3, "%02x", some_key[i]);
	for (int length = DIGEST + 45; length >= 0; length--) { /* a truncated entry is ignored */
		assert_int_equal(truncate(name, length), 0);
		assert_null(kept_in->find(kept_in->user, some_key, &size));
	}
	kept_in->keep(kept_in->user, some_key, "sixteen letters.", 16); /* as many bytes as its counts */
	found = kept_in->find(kept_in->user, some_key, &size);
	assert_true(found && size == 16);
	free(found);
	some_key[0]++;
	assert_null(kept_in->find(kept_in->user, some_key, &size));
	setenv("PATH", path, 1);
	free(path);
}

static void no_file_stays_open(void **state)
{
	size_t size;
	int free_before = dup(0);

	(void)state;
	close(free_before);
	free(kept(&size));
	assert_true(is_found(2, 3));
	assert_false(is_found(1, 3));
	job_close_cache(cache);
	cache = job_open_cache("cache");
	assert_int_equal(chmod("cache", 0777), 0);
	assert_null(job_open_cache("cache"));
	int free_after = dup(0);
	close(free_after);
	assert_int_equal(free_after, free_before);
}

/* A store with room for one compiled module */

static unsigned char stored[5000], stored_key[DIGEST];
static size_t stored_size;

static unsigned char *find_stored(void *user, const unsigned char *wanted, size_t *size)
{
	unsigned char *copy =
	    stored_size ? malloc(stored_size) : NULL; /* so that memcheck detects reads past the end */

	assert_null(user);
	if (!copy || memcmp(wanted, stored_key, DIGEST) != 0) {
		free(copy);
		return NULL;
	}
	memcpy(copy, stored, stored_size);
	*size = stored_size;
	return copy;
}

static void keep_stored(void *user, const unsigned char *wanted, const void *bytes, size_t size)
{
	assert_null(user);
	assert_true(size <= sizeof stored);
	memcpy(stored_key, wanted, DIGEST);
	memcpy(stored, bytes, size);
	stored_size = size;
}

static const unsigned char compiler[DIGEST] = "a compiler";
static const struct source_store store = {NULL, find_stored, keep_stored, compiler, NULL, NULL};

static void put_old_file(const char *path, const char *text)
{
	const struct timespec then = {.tv_sec = 1000}, times[2] = {then, then};
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A shader includes two files, one of them from a folder; the first folder of -I lacks the other one. */
static void keep_some(int64_t begun, const char *const *paths, size_t count)
{
	static const char *folders[] = {"first", "inc/"};
	static const struct source_options options = {.include_paths = folders, .include_path_count = 2};
	static uint32_t made[] = {0x07230203, 2, 3};
	const struct resolver_file r = {.path = "a.frag", .words = {made}, .word_count = {3}};
	const struct shader s = {.stage = "frag", .options = &options, .store = &store};
	struct path_list files = {0};

	for (size_t i = 0; i < count; i++)
		cli_add_path(&files, paths[i], strlen(paths[i]));
	stored_size = 0;
	cli_keep_compiled(&store, stored_key, &r, &s, &files, "header", begun);
	cli_free_paths(&files);
}

static bool comes_back(void)
{
	struct resolver_file r = {.path = "a.frag"};
	bool found = cli_find_compiled(&store, stored_key, &r);

	if (found) {
		assert_int_equal(r.word_count[0], 3);
		assert_int_equal(r.words[0][2], 3);
	}
	free(r.words[0]);
	return found;
}

static void compiled_modules_are_reused_until_a_file_changes(void **state)
{
	static const char *const paths[] = {"inc/b.h", "inc/c.h"}, *const missing[] = {"first/b.h", "first/c.h",
										       "header/b.h", "b.h"};

	(void)state;
	assert_int_equal(mkdir("inc", 0700) | mkdir("first", 0700) | mkdir("header", 0700), 0);
	put_old_file("inc/b.h", "b");
	put_old_file("inc/c.h", "c");
	keep_some(1001, paths, 2);
	assert_true(comes_back());
	const char *outputs_of_run[] = {"o"};
	const struct arguments a = {.program.input_count = 1,
				    .program.modules.files = outputs_of_run,
				    .program.modules.count = 1,
				    .program.modules.first = "o",
				    .run.depfile = "dep"};
	cli_forget_reads();
	assert_true(comes_back());
	assert_int_equal(cli_write_depfile(&a), EXIT_DONE); /* the run has read its files */
	size_t size;
	unsigned char *read = cli_read_own_file("dep", &size);
	static const char rules[] = "o: inc/b.h inc/c.h\n\ninc/b.h:\ninc/c.h:\n";
	assert_int_equal(size, sizeof rules - 1);
	assert_memory_equal(read, rules, size);
	free(read);
	cli_forget_reads();
	for (size_t i = 0; i < COUNT(paths); i++) {
		put_old_file(paths[i], "changed");
		assert_false(comes_back());
		unlink(paths[i]);
		assert_false(comes_back());
		put_old_file(paths[i], i ? "c" : "b");
		assert_true(comes_back());
	}
	for (size_t i = 0; i + 1 < COUNT(missing); i++) { /* which would be included instead */
		put_old_file(missing[i], "");
		assert_false(comes_back());
		unlink(missing[i]);
		assert_true(comes_back());
	}
	put_old_file(missing[3], ""); /* not searched */
	assert_true(comes_back());
	const char *const deeper[] = {"inc/sub/d.h"}; /* of <sub/d.h> */
	assert_int_equal(mkdir("inc/sub", 0700) | mkdir("first/sub", 0700), 0);
	put_old_file(deeper[0], "d");
	keep_some(1001, deeper, 1);
	assert_true(comes_back());
	put_old_file("first/sub/d.h", "");
	assert_false(comes_back());
	keep_some(1000, paths, 2); /* one changed in the same second */
	assert_int_equal(stored_size, 0);
	const char *const gone[] = {"inc/b.h", "inc/d.h"};
	keep_some(1001, gone, 2);
	assert_int_equal(stored_size, 0);
	keep_some(1001, paths, 0); /* it includes nothing */
	assert_true(comes_back());
	assert_int_equal(stored_size, 4 + 12);
}

/* An entry may be forged. */
static void damaged_compiled_entries_are_ignored(void **state)
{
	static const char *const paths[] = {"inc/b.h"};
	enum { HEAD = 8 + DIGEST, NAME = sizeof "inc/b.h" };

	(void)state;
	assert_int_equal(mkdir("inc", 0700), 0);
	put_old_file("inc/b.h", "b");
	keep_some(1001, paths, 1);
	size_t whole = stored_size, files = stored_size - 12;
	assert_true(comes_back() && whole > 4 + HEAD + NAME + 12);
	for (size_t size = 1; size <= files; size++) { /* nothing is left of the module */
		struct resolver_file r = {.path = "a.frag"};
		stored_size = size;
		assert_false(cli_find_compiled(&store, stored_key, &r));
	}
	stored_size = whole;
	for (uint32_t length = 0; length < 2 * NAME; length++) { /* of the first name */
		memcpy(stored + 4, &length, sizeof length);
		if (length != NAME)
			assert_false(comes_back());
	}
	const uint32_t lengths[] = {UINT32_MAX, (uint32_t)whole, NAME};
	for (size_t i = 0; i < COUNT(lengths); i++) {
		memcpy(stored + 4, &lengths[i], sizeof lengths[i]);
		assert_int_equal(comes_back(), lengths[i] == NAME);
	}
	uint32_t count;
	memcpy(&count, stored, sizeof count);
	for (uint32_t more = 1; more < 4; more++) {
		uint32_t wrong = count + more;
		memcpy(stored, &wrong, sizeof wrong);
		assert_false(comes_back());
	}
}

static void every_input_of_a_compiled_module_is_in_its_key(void **state)
{
	enum { WAYS = 11 };
	unsigned char keys[WAYS][DIGEST], again[DIGEST];
	const char *folders[] = {"x", "y"};
	const unsigned char other_compiler[DIGEST] = "another compiler";
	const struct source_store other_store = {NULL, find_stored, keep_stored, other_compiler, NULL, NULL},
				  unknown = {NULL, find_stored, keep_stored, NULL, NULL, NULL};

	(void)state;
	for (int way = 0; way < WAYS; way++) {
		const struct source_options options = {.include_paths = folders,
						       .include_path_count = way == 4   ? 2
									     : way == 5 ? 1
											: 0,
						       .macros = folders,
						       .macro_count = way == 5   ? 1
								      : way == 6 ? 2
										 : 0};
		const struct shader s = {.stage = way == 1 ? "vert" : "frag",
					 .hlsl = way == 2,
					 .env = way == 3 ? SPB_ENV_VULKAN_1_2 : SPB_ENV_AUTO,
					 .entry = way == 10 ? "other" : NULL,
					 .options = &options};
		put_old_file("a.frag", way == 7 ? "text2" : "text");
		put_old_file("b.frag", "text");
		const char *path = way == 8 ? "b.frag" : "a.frag", *header = way == 9 ? "other" : "header";
		assert_true(cli_make_source_key(&store, &s, path, header, keys[way]));
		assert_true(cli_make_source_key(&store, &s, path, header, again));
		assert_memory_equal(keys[way], again, DIGEST);
		for (int k = 0; k < way; k++)
			assert_memory_not_equal(keys[way], keys[k], DIGEST);
		assert_true(cli_make_source_key(&other_store, &s, path, header, again));
		assert_memory_not_equal(keys[way], again, DIGEST);
		assert_false(cli_make_source_key(&unknown, &s, path, header, again));
		assert_false(cli_make_source_key(NULL, &s, path, header, again));
	}
}

/* Builds */

/* The build id in the file of this program. Returns its size. */
static size_t id_in_file(unsigned char *id, size_t room)
{
	FILE *f = fopen(os_executable(), "rb");
	ElfW(Ehdr) head;
	ElfW(Phdr) part;
	unsigned char notes[2000];

	assert_non_null(f);
	assert_int_equal(fread(&head, sizeof head, 1, f), 1);
	for (int i = 0; i < head.e_phnum; i++) {
		fseek(f, (long)(head.e_phoff + (unsigned)i * head.e_phentsize), SEEK_SET);
		assert_int_equal(fread(&part, sizeof part, 1, f), 1);
		if (part.p_type != PT_NOTE || part.p_filesz > sizeof notes)
			continue;
		fseek(f, (long)part.p_offset, SEEK_SET);
		assert_int_equal(fread(notes, 1, part.p_filesz, f), part.p_filesz);
		for (size_t at = 0; at + 12 < part.p_filesz;) {
			uint32_t sizes[3]; /* sizes of name and contents; type */
			memcpy(sizes, notes + at, sizeof sizes);
			size_t name = (sizes[0] + 3) / 4 * 4, contents = (sizes[1] + 3) / 4 * 4;
			if (sizes[2] == NT_GNU_BUILD_ID && !memcmp(notes + at + 12, "GNU", 4)) {
				assert_true(sizes[1] <= room);
				memcpy(id, notes + at + 12 + name, sizes[1]);
				fclose(f);
				return sizes[1];
			}
			at += 12 + name + contents;
		}
	}
	fclose(f);
	return 0;
}

static void a_build_is_identified_by_its_build_id(void **state)
{
	unsigned char wanted[128], found[128];
	size_t size = id_in_file(wanted, sizeof wanted);

	(void)state;
	assert_int_equal(os_build_id(found, sizeof found), size); /* 0: there is no build id */
	assert_memory_equal(found, wanted, size);
	memset(found, 0, sizeof found);
	assert_int_equal(os_build_id(found, size), size);
	assert_memory_equal(found, wanted, size);
	for (size_t room = 0; room < size; room++)
		assert_int_equal(os_build_id(found, room), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(every_input_of_a_result_is_in_its_key),
	    TEST(builds_have_different_keys),
	    TEST(stored_results_are_found),
	    TEST(truncated_entries_are_ignored),
	    TEST(entries_with_wrong_counts_are_ignored),
	    TEST(entries_that_others_could_have_written_are_ignored),
	    TEST(temporary_files_are_kept_for_a_minute),
	    TEST(a_cache_folder_belongs_to_the_user),
	    TEST(outputs_equal_to_modules_are_not_stored_twice),
	    TEST(a_full_disk_leaves_no_part_of_an_entry),
	    TEST(compiled_modules_share_the_cache_folder),
	    TEST(no_file_stays_open),
	    TEST(compiled_modules_are_reused_until_a_file_changes),
	    TEST(damaged_compiled_entries_are_ignored),
	    TEST(every_input_of_a_compiled_module_is_in_its_key),
	    TEST(a_build_is_identified_by_its_build_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
