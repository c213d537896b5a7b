/* SPDX-License-Identifier: Apache-2.0 */
/* job: a job of the plug-in. */
#ifndef SPB_JOB_H
#define SPB_JOB_H

#include "base/blake2.h"
#include "lib/lib.h"
#include "spirv-bind/plugin.h"

struct spb_job_file {
	const char *path;
	unsigned char *bytes; /* ends in 0; NULL: no such file */
	size_t size;
	const void *words; /* the host's SPIR-V for it; NULL: not compiled */
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
	uint32_t flags; /* SPB_ADD_* */
};

struct spb_job {
	spb_context *context;
	spb_plugin_host host;
	struct spb_arena keep;
	spb_options options;
	SPB_LIST(const char *) resolvers;
	SPB_LIST(struct spb_job_module) modules;
	SPB_LIST(struct spb_job_file) files; /* asked for */
	const char *lock;
	struct spb_text_buffer words; /* the options as they were set */
	const void *lent;             /* memory of the host, released at the end of the call */
	size_t lent_size;
	char key[2 * DIGEST + 1];
	bool prepared, ready; /* reading files has been tried; all have been read */
	spb_program *program;
};

#endif
