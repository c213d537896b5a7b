/* SPDX-License-Identifier: Apache-2.0 */
/* threads: what the headers promise of threads. Each of several threads binds the same modules, again and again, by the
 * library and by the plug-in, and all of them get the same. scripts/threads.sh builds it with ThreadSanitizer, which
 * sees what they have in common.
 *
 *     threads MODULE… */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv-bind/plugin.h"

enum { THREADS = 4, TIMES = 3, MOST = 64 };

static struct {
	const char *name;
	uint32_t *words;
	size_t count;
} modules[MOST];
static size_t module_count;

static uint64_t hash(uint64_t h, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
	return h;
}

static void hear(void *user, const spb_message *message)
{
	*(size_t *)user += strlen(message->text);
}

static uint64_t by_library(uint64_t h, size_t module, size_t *heard)
{
	const spb_callbacks callbacks = {hear, heard};
	spb_context *c;
	spb_program *p;
	size_t count = 0, length = 0;

	if (spb_context_create(NULL, &callbacks, &c) != SPB_OK || spb_program_create(c, NULL, &p) != SPB_OK)
		exit(99);
	spb_status status = spb_program_set(p, "accesses", NULL);
	if (status == SPB_OK)
		status = spb_program_add(p, modules[module].name, modules[module].words, modules[module].count, 0);
	if (status == SPB_OK)
		status = spb_program_bind(p);
	const uint32_t *words = spb_program_words(p, 0, SPB_WORDS_OUTPUT, &count);
	const char *json = spb_program_text(p, SPB_TEXT_LAYOUT_JSON, NULL, &length);
	h = hash(hash(hash(h, &status, sizeof status), words, count * sizeof *words), json, length);
	spb_program_destroy(p);
	spb_context_destroy(c);
	return h;
}

static uint64_t by_plugin(uint64_t h, size_t module, size_t *heard)
{
	const spb_plugin *plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	const spb_plugin_host host = {.struct_size = sizeof host, .user = heard, .message = hear};
	spb_job *job;
	size_t count = 0;

	if (plugin->create(&host, &job) != SPB_OK)
		exit(99);
	spb_status status = plugin->set(job, "nonuniform", "all");
	if (status == SPB_OK)
		status = plugin->add(job, modules[module].name, modules[module].words, modules[module].count, 0);
	const char *key = plugin->key(job);
	if (status == SPB_OK)
		status = plugin->run(job);
	const uint32_t *words = plugin->module(job, 0, &count);
	h = hash(hash(hash(h, &status, sizeof status), words, count * sizeof *words), key, key ? strlen(key) : 0);
	plugin->destroy(job);
	return h;
}

static void *bind_all(void *result)
{
	size_t heard = 0;
	uint64_t h = 1;

	for (int times = 0; times < TIMES; times++) {
		for (size_t i = 0; i < module_count; i++)
			h = by_plugin(by_library(h, i, &heard), i, &heard);
	}
	*(uint64_t *)result = hash(h, &heard, sizeof heard);
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t thread[THREADS];
	uint64_t result[THREADS];

	for (int i = 1; i < count && module_count < MOST; i++) {
		FILE *f = fopen(arguments[i], "rb");
		uint32_t *words = malloc(1 << 20);
		if (!f || !words)
			return 99;
		modules[module_count].name = arguments[i];
		modules[module_count].count = fread(words, sizeof *words, (1 << 20) / sizeof *words, f);
		modules[module_count++].words = words;
		fclose(f);
	}
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&thread[i], NULL, bind_all, &result[i]))
			return 99;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 1; i < THREADS; i++) {
		if (result[i] != result[0])
			return 1;
	}
	for (size_t i = 0; i < module_count; i++)
		free(modules[i].words);
	printf("%u modules, %u threads\n", (unsigned)module_count, (unsigned)THREADS);
	return module_count ? 0 : 99;
}
