/* SPDX-License-Identifier: Apache-2.0 */
/* job: what plugin.c and plugin_options.c share. */
#ifndef SPB_JOB_H
#define SPB_JOB_H

#include "base/blake2.h"
#include "lib/lib.h"
#include "spirv-bind/plugin.h"

struct spb_job_file {
	const char *path;
	unsigned char *bytes; /* ended by 0; NULL: not there */
	size_t size;
	const void *words; /* what the host has compiled of it; NULL: nothing */
	size_t words_size;
};

struct spb_job_words {
	const void *bytes;
	size_t size;
};

struct spb_job_module {
	const char *name;
	const void *bytes; /* NULL: a file, which is read later */
	size_t size;
	bool import;
};

struct spb_job {
	spb_context *context;
	spb_plugin_host host;
	struct spb_arena keep;
	spb_options options;
	SPB_LIST(const char *) profiles; /* names; of rules, "--policy=..." */
	SPB_LIST(const char *) rules;    /* parallel: the text of a rule; NULL: a profile */
	SPB_LIST(const char *) resolvers;
	SPB_LIST(const char *) entries;
	SPB_LIST(const char *) pairs;
	SPB_LIST(spb_heap_place) heaps;
	SPB_LIST(spb_spec_value) specs;
	SPB_LIST(struct spb_job_module) modules;
	SPB_LIST(struct spb_job_file) files; /* asked for */
	const char *lock;
	struct spb_text_buffer words; /* the options as they were set */
	const void *lent;             /* by the host, until the end of the call */
	size_t lent_size;
	char key[2 * DIGEST + 1];
	bool prepared, ready; /* files have been read; all of them */
	spb_program *program;
};

/* plugin_options.c */

const char *spb_job_option(uint32_t index);
/* What is wrong with the value, or NULL. Throws if memory runs out. */
const char *spb_job_set(struct spb_job *job, const char *name, const char *value);

/* plugin_values.c, for plugin_options.c: options whose values have parts */

/* NULL: there are no more. */
const char *spb_job_value_name(uint32_t index);
/* What is expected instead of the value, or NULL. */
const char *spb_job_read_value(struct spb_job *job, uint32_t index, const char *value);

#endif
