/* SPDX-License-Identifier: Apache-2.0 */
/* spirv-bind as a plug-in: for hosts that load the shared library at run time, such as asset pipelines, and for
 * languages that can call C. A host needs one symbol, spb_plugin_get, and passes options by their names on the command
 * line, so that these structs are all it has to know. Files are read by the host.
 *
 *     const spb_plugin *p = ((spb_plugin_get_fn)dlsym(library, "spb_plugin_get"))(SPB_PLUGIN_VERSION);
 *     p->create(&host, &job);
 *     p->set(job, "auto-binding", "65534");
 *     p->set(job, "profile", "engine.policy");               read by host.read when it is needed
 *     p->add(job, "lit.frag", words, word_count, 0);
 *     if (is_cached(p->key(job)))                             of the tool, the options and all contents
 *         ...
 *     if (p->run(job) == SPB_OK)
 *         words = p->module(job, 0, &word_count);
 *     for (uint32_t i = 0; (path = p->dependency(job, i)); i++)
 *         ...
 *     p->destroy(job);
 *
 * Ownership and threads are as in spirv_bind.h: arguments are copied, and what is returned belongs to the job; a job is
 * used by one thread at a time, and different jobs are independent. */
#ifndef SPIRV_BIND_PLUGIN_H
#define SPIRV_BIND_PLUGIN_H

#include <spirv-bind/spirv_bind.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when functions change or are removed. New functions are added at the end of spb_plugin, whose struct_size
 * tells whether the library has them. */
#define SPB_PLUGIN_VERSION 1

typedef struct spb_job spb_job;

/* The output of the host's compiler. */
typedef struct spb_plugin_compiled {
	const void *words; /* SPIR-V, valid until `release` is called for it */
	size_t size;       /* in bytes */
	/* The other files that were read or looked for, such as included ones. The plug-in asks `read` for each of
	 * them, and copies the names before it calls the host again. */
	const char *const *files;
	uint32_t file_count;
} spb_plugin_compiled;

/* What the host does for the plug-in. Each function may be NULL. */
typedef struct spb_plugin_host {
	uint32_t struct_size; /* sizeof(spb_plugin_host) as the host was compiled; the struct only grows at the end */
	void *user;           /* passed to the functions */
	/* Gives the contents of a file, which stay valid until `release` is called with the same values. False: there
	 * is no such file. NULL: the host has no files, and options that name one are errors. */
	bool (*read)(void *user, const char *path, const void **bytes, size_t *size);
	void (*release)(void *user, const void *bytes, size_t size);
	void (*message)(void *user, const spb_message *message); /* receives every diagnostic */
	const spb_allocator *allocator;                          /* NULL: malloc and free */
	/* Compiles a file from `read` that is not SPIR-V: one of add_file, or a resolver, which has no main()
	 * (docs/resolvers.md says how spirv-bind compiles those). `to` is all zero. False: it cannot be compiled, and
	 * the host has reported why. NULL: a file that is not SPIR-V is an error. */
	bool (*compile)(void *user, const char *path, const void *source, size_t size, bool is_resolver,
			spb_plugin_compiled *to);
	const spb_limits *limits; /* as for spb_context_limit; NULL: the defaults. Read by `create` only. */
} spb_plugin_host;

/* The table of functions. Every spb_status but that of create is described to host->message, including
 * SPB_ERROR_INVALID_ARGUMENT. */
typedef struct spb_plugin {
	uint32_t struct_size; /* sizeof(spb_plugin) in the library */
	uint32_t version;     /* SPB_PLUGIN_VERSION of the library */

	/* spb_name(): the versions of the tool, the options, and so on. */
	const char *(*name)(spb_name_kind kind, uint32_t index);

	/* A job is one program.
	 *     host   copied
	 *     job    receives the job, to be destroyed with `destroy`; NULL on failure
	 * Returns SPB_ERROR_INVALID_ARGUMENT if host->struct_size is too small, `read` has no `release`, or
	 * spb_context_limit refuses `limits`; or SPB_ERROR_OUT_OF_MEMORY, both without a message; or SPB_ERROR_LIMIT.
	 */
	spb_status (*create)(const spb_plugin_host *host, spb_job **job);
	void (*destroy)(spb_job *job); /* NULL is ignored */

	/* Sets an option as spb_program_set does; here, lock, profile and resolver may name files, which the host
	 * reads. */
	spb_status (*set)(spb_job *job, const char *name, const char *value);

	/* Adds a module, from memory or from a file of the host. flags: SPB_ADD_*, as for spb_program_add. */
	spb_status (*add)(spb_job *job, const char *name, const uint32_t *words, size_t word_count, uint32_t flags);
	spb_status (*add_file)(spb_job *job, const char *path, uint32_t flags);

	/* Reads the files that options name, and returns a hash of everything that the results depend on, as 64
	 * hexadecimal digits: tool, options, names and contents of modules and files, and what is compiled from them,
	 * but not their folders. NULL: a file cannot be read or compiled, or memory has run out. Nothing can be set or
	 * added afterwards. Two development builds of one version have the same keys. */
	const char *(*key)(spb_job *job);

	/* Binds, once for each job, and again after SPB_ERROR_OUT_OF_MEMORY or SPB_ERROR_LIMIT. Files are read only if
	 * `key` has not read them. */
	spb_status (*run)(spb_job *job);

	/* Returns the files that `read` was called for, each once, whether or not they exist; NULL after the last one.
	 * When one of them changes, appears or disappears, the results may change. Available after a failure, too. */
	const char *(*dependency)(const spb_job *job, uint32_t index);

	/* Results of a successful run; NULL otherwise: spb_program_words with SPB_WORDS_OUTPUT, spb_program_text, and
	 * the program for the other functions of spirv_bind.h. */
	const uint32_t *(*module)(const spb_job *job, size_t index, size_t *word_count);
	const char *(*text)(spb_job *job, spb_text_kind kind, const char *argument, size_t *length);
	spb_program *(*program)(spb_job *job);
} spb_plugin;

/* Since 0.1 */

/* Returns the table of functions, a constant, or NULL if the library does not have this version. Any thread. */
SPB_API const spb_plugin *spb_plugin_get(uint32_t version);

typedef const spb_plugin *(*spb_plugin_get_fn)(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif
