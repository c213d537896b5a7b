/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an entry of the cache, with a valid digest: what is found lies within the entry, can be replayed, and
 * can be stored and found again. */
#include "base/blake2.h"
#include "cli/jobs/jobs.h"

#include "in_folder.h"

enum { MODULES = 2, OUTPUTS = 3 };

static unsigned char bytes_of_modules[MODULES][8] = {"module 0", "module 1"};
static const struct loaded modules[MODULES] = {{bytes_of_modules[0], 8}, {bytes_of_modules[1], 8}};
static const struct key key, other_key = {{1}};

/* Its name is the key, in hexadecimal, and its digest that of the key, which is all zeros, and of what follows. */
static void put_entry(const void *data, size_t size)
{
	char path[100] = "cache/";
	unsigned char *entry = calloc(1, sizeof key + size), digest[sizeof key];

	for (size_t i = 0; i < sizeof key; i++)
		strcat(path, "00");
	if (size)
		memcpy(entry + sizeof key, data, size);
	spb_blake2(entry, sizeof key + size, digest);
	memcpy(entry, digest, sizeof digest);
	put_file(path, entry, sizeof key + size);
	free(entry);
}

static size_t size_of(const struct entry *e)
{
	size_t size = e->said_size + e->printed_size;

	for (size_t i = 0; i < e->output_count; i++)
		size += e->outputs[i].size;
	return size;
}

static void check_found(struct cache *cache, struct entry *e, size_t size)
{
	struct output outputs[OUTPUTS] = {{0}};
	struct entry again = {.outputs = outputs, .output_count = OUTPUTS};
	struct record record;

	MUST(size_of(e) <= size + OUTPUTS * 8);
	begin_listening(&record);
	msg_replay(e->said, e->said_size);
	has_said_something(&record);
	job_keep_entry(cache, &other_key, modules, MODULES, e);
	MUST(job_find_entry(cache, &other_key, modules, MODULES, &again));
	MUST(again.said_size == e->said_size && !memcmp(again.said, e->said, e->said_size));
	MUST(again.printed_size == e->printed_size && !memcmp(again.printed, e->printed, e->printed_size));
	for (size_t i = 0; i < OUTPUTS; i++)
		MUST(outputs[i].size == e->outputs[i].size &&
		     !memcmp(outputs[i].bytes, e->outputs[i].bytes, outputs[i].size));
	free(again.file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t empty[4 + 2 * OUTPUTS] = {0, 0, MODULES, OUTPUTS}; /* a head, and those of outputs */
	static struct cache *cache;
	struct output outputs[OUTPUTS] = {{0}};
	struct entry e = {.outputs = outputs, .output_count = OUTPUTS};

	if (!cache) {
		put_file("begin", "", 0);
		cache = job_open_cache("cache");
		MUST(cache);
	}
	put_entry(empty, sizeof empty);
	MUST(job_find_entry(cache, &key, modules, MODULES, &e)); /* otherwise nothing would be tested */
	free(e.file);
	put_entry(data, size);
	if (job_find_entry(cache, &key, modules, MODULES, &e))
		check_found(cache, &e, size);
	free(e.file);
	return 0;
}
