/* SPDX-License-Identifier: Apache-2.0 */
/* resolvers: shared by the files that read --resolver. */
#ifndef SPB_RESOLVERS_H
#define SPB_RESOLVERS_H

#include "cli/cli.h"

/* assemble.c; int: EXIT_* */
int cli_take_words(struct resolver_file *r, uint32_t version, const void *bytes, size_t size);
/* `more`: lines with details, or "" */
int cli_refuse_resolver(const struct resolver_file *r, const char *what, const char *more);
int cli_assemble(struct resolver_file *r, const char *text, uint32_t version);
int cli_assemble_file(struct resolver_file *r, spb_env env); /* an input */
uint32_t cli_version_of_env(spb_env env); /* N of SPIR-V 1.N, the newest that it accepts; 0 for SPB_ENV_AUTO */

/* compile_folder.c */

struct compile_folder {
	char path[512];
	int lock; /* -1: there is none */
};

bool cli_make_compile_folder(struct compile_folder *f); /* false: errno says why */
void cli_remove_compile_folder(const struct compile_folder *f);

/* compile.c; with a time limit in seconds, 0: none */

struct shader {
	const char *text;  /* of a resolver; NULL: an input */
	const char *stage; /* as glslangValidator calls it */
	const char *entry; /* of HLSL; NULL: main */
	bool hlsl;
	spb_env env;
	uint32_t version; /* N of SPIR-V 1.N */
	uint32_t slot;    /* index for the words: the version for a resolver, 0 for inputs */
	const struct source_options *options;
	const struct source_store *store; /* NULL: nothing is kept */
};

int cli_compile_resolver(const struct source_options *o, struct resolver_file *r, const char *text, uint32_t version,
			 uint32_t seconds);
int cli_compile_shader(struct resolver_file *r, const struct shader *shader, uint32_t seconds);

/* compiler_log.c */

struct compiler_log {
	const char *path, *compiled;       /* the source, as the user and as the compiler calls it */
	char *text;                        /* the messages; reporting them modifies the text */
	unsigned errors, placed_errors;    /* all, and those with a line */
	unsigned warnings, whole_warnings; /* all, and those about the module as a whole */
};

void cli_scan_log(struct compiler_log *log); /* counts */
void cli_report_log(const struct compiler_log *log);
char *cli_plain_log(const struct compiler_log *log); /* with the user's path. NULL: no memory; free() */

/* hlsl_entries.c */

/* "VSMain, PSMain": those that no other function calls. NULL: no memory; free() */
char *cli_list_functions(const char *text);
char *cli_call_resolvers(const char *text); /* a main that calls the functions of a resolver; likewise */
bool cli_is_empty_shader(const uint32_t *words, size_t count);

/* source_cache.c */

/* header: the folder of our own headers. false: nothing can be kept. */
bool cli_make_source_key(const struct source_store *store, const struct shader *s, const char *path, const char *header,
			 unsigned char *key);
bool cli_find_compiled(const struct source_store *store, const unsigned char *key, struct resolver_file *r);
/* Keeps a module compiled since `begun`, as time(). */
void cli_keep_compiled(const struct source_store *store, const unsigned char *key, const struct resolver_file *r,
		       const struct shader *s, const struct path_list *files, const char *header, int64_t begun);

#endif
