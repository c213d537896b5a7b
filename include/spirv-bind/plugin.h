/* SPDX-License-Identifier: Apache-2.0 */
/* spirv-bind as a plug-in: for hosts that load the shared library at run time, such as asset pipelines, and for
 * languages that can call C. A host needs one symbol, spb_plugin_get, and passes options by their names on the command
 * line, so that it knows no struct but these. All that files are needed for goes through the host.
 *
 *     const spb_plugin *p = ((spb_plugin_get_fn)dlsym(library, "spb_plugin_get"))(SPB_PLUGIN_VERSION);
 *     p->create(&host, &job);
 *     p->set(job, "auto-binding", "65534");
 *     p->set(job, "profile", "engine.policy");               read by host.read when it is needed
 *     p->add(job, "lit.frag", words, word_count);
 *     if (is_cached(p->key(job)))                             of the tool, the options and all contents
 *         ...
 *     if (p->run(job) == SPB_OK)
 *         words = p->module(job, 0, &word_count);
 *     for (uint32_t i = 0; (path = p->dependency(job, i)); i++)
 *         ...
 *     p->destroy(job);
 *
 * Ownership and threads are as in spirv_bind.h: what is passed is copied, what is returned belongs to the job; a job is
 * used by one thread at a time, and different jobs are independent. */
#ifndef SPIRV_BIND_PLUGIN_H
#define SPIRV_BIND_PLUGIN_H

#include <spirv-bind/spirv_bind.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when functions change or go. New functions come at the end of spb_plugin, whose struct_size says whether they
 * are there. */
#define SPB_PLUGIN_VERSION 1

typedef struct spb_job spb_job;

/* What the host's compiler has made. */
typedef struct spb_plugin_compiled {
	const void *words; /* SPIR-V, which stays valid until `release` is called for it */
	size_t size;       /* in bytes */
	/* What has been read beside the source, such as included files, whether or not it exists. The plug-in asks
	 * `read` for each, and copies the names at once. */
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
	/* Compiles a file that is not SPIR-V, which `read` has given: of add_file, or a resolver, which has no main()
	 * (docs/resolvers.md says how spirv-bind compiles those). `to` is all zero. False: it cannot be compiled, and
	 * the host has told why. NULL: such a file is an error. */
	bool (*compile)(void *user, const char *path, const void *source, size_t size, bool is_resolver,
			spb_plugin_compiled *to);
} spb_plugin_host;

/* The texts that a job makes beside modules. */
typedef enum spb_plugin_text {
	SPB_PLUGIN_LAYOUT_JSON = 0,
	SPB_PLUGIN_LOCK = 1,
	SPB_PLUGIN_LAYOUT_HEADER = 2,
	SPB_PLUGIN_LAYOUT_GLSL = 3
} spb_plugin_text;

/* Every spb_status but that of create is described to host->message, SPB_ERROR_INVALID_ARGUMENT too. */
typedef struct spb_plugin {
	uint32_t struct_size;  /* sizeof(spb_plugin) in the library */
	uint32_t version;      /* SPB_PLUGIN_VERSION of the library */
	const char *name;      /* "spirv-bind" */
	const char *extension; /* ".spv": what it reads and writes */

	/* Returns what results depend on beside options and files, one after the other until NULL: the versions of
	 * spirv-bind, of SPIRV-Tools and of the SPIR-V grammar. They are constants. */
	const char *(*tool)(uint32_t index);

	/* A job is one program. host: copied. SPB_ERROR_INVALID_ARGUMENT, without a message: host->struct_size is too
	 * small, or `read` has no `release`. */
	spb_status (*create)(const spb_plugin_host *host, spb_job **job);
	void (*destroy)(spb_job *job); /* NULL is ignored */

	/* Sets an option of spirv-bind(1) by its name, with or without "--": those about the layout, locks, handles,
	 * samplers, NonUniform and validation, as far as option() lists them. A switch takes NULL, "1" or "0".
	 * `profile`, `policy`, `resolver`, `entry`, `merge-combined`, `heap` and `spec` may be given several times. */
	spb_status (*set)(spb_job *job, const char *name, const char *value);
	/* Returns the names of all options, one after the other until NULL. */
	const char *(*option)(uint32_t index);

	/* Adds a module, from memory or read by the host. `import`: as with spb_program_add_import. */
	spb_status (*add)(spb_job *job, const char *name, const uint32_t *words, size_t word_count);
	spb_status (*add_import)(spb_job *job, const char *name, const uint32_t *words, size_t word_count);
	spb_status (*add_file)(spb_job *job, const char *path);

	/* Reads the files that options name, and returns a hash of all that the results follow from, 64 hexadecimal
	 * digits: tool, options, names and contents of modules and files, and what is compiled of them; no folders.
	 * NULL: a file cannot be read or compiled, or memory has run out. Nothing can be set or added after it. Two
	 * development builds of one version have the same keys. */
	const char *(*key)(spb_job *job);

	/* Binds. Once for each job. Files are read again only if `key` has not read them. */
	spb_status (*run)(spb_job *job);

	/* Returns the files that have been asked for, one after the other until NULL, each once, whether or not they
	 * exist: when one of them changes, appears or goes, the results may change. Also after a failure. */
	const char *(*dependency)(const spb_job *job, uint32_t index);

	/* Results of a successful run; NULL otherwise. */
	const uint32_t *(*module)(const spb_job *job, size_t index, size_t *word_count);
	bool (*changed)(const spb_job *job, size_t index);
	/* prefix: of the names in a header; ignored for other texts. NUL-terminated; `length` is without the NUL. */
	const char *(*text)(spb_job *job, spb_plugin_text what, const char *prefix, size_t *length);
	spb_program *(*program)(spb_job *job); /* for the functions of spirv_bind.h */
} spb_plugin;

/* Since 0.1 */

/* Returns the table of functions, or NULL if the library does not have this version. */
SPB_API const spb_plugin *spb_plugin_get(uint32_t version);

typedef const spb_plugin *(*spb_plugin_get_fn)(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif
