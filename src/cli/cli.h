/* SPDX-License-Identifier: Apache-2.0 */
/* cli: the command. It uses only the public API, and is the only part that touches files and stdio. */
#ifndef SPB_CLI_H
#define SPB_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/messages/messages.h"
#include "cli/options.h"
#include "cli/os/os.h"
#include "spirv-bind/spirv_bind.h"

enum { SPIRV_VERSIONS = 7 };    /* 1.0 to 1.6 */
enum { COMPILER_SECONDS = 60 }; /* time limit for compiling one source */

struct resolver_file {
	const char *path;
	uint32_t *words[SPIRV_VERSIONS]; /* for modules of these versions; NULL: not made */
	size_t word_count[SPIRV_VERSIONS];
	bool is_input; /* of sources.c */
};

struct output;

/* wrong_usage.c */

/* Reports wrong usage: the run ends with EXIT_USAGE. `words` are those of WORDS(...). */
void cli_usage(struct arguments *a, const char *const *words);
void cli_no_memory(struct arguments *a);
void cli_end_print(struct arguments *a); /* for options such as --help: the run ends after printing */

/* folders.c */

/* Makes a folder and those above it. made: how many did not exist. false: those made have been removed; the error is in
 * errno. */
bool cli_make_path(const char *path, unsigned *made);
void cli_remove_path(const char *path, unsigned made); /* so many folders, if they are empty */

/* layout_files.c */

const char *cli_layout_option(enum layout_file form);
const char *cli_first_layout_file(const struct layout_options *o); /* NULL: there is none */
/* The name of a header up to its first dot, as an identifier. NULL: no memory. Free with free(). */
char *cli_layout_prefix(const char *path);
/* Makes the contents of o->files[form]. to->bytes is NULL if there is no memory. */
void cli_make_layout_file(const struct layout_options *o, enum layout_file form, spb_program *program,
			  struct output *to);

/* sources.c */

/* The stage from the extension of a file name, as glslangValidator calls it. NULL: none. */
const char *cli_stage_of_extension(const char *extension, size_t length);
struct source_part cli_part_of(const struct program_options *p, const char *input);
void cli_sort_parts(struct program_options *p); /* once all inputs are known */
/* For GLSL or HLSL. NULL: the name does not contain any. */
const char *cli_stage_in_name(const char *path, bool *hlsl);
bool cli_is_source(const struct program_options *p, const char *path); /* has to be compiled or assembled first */
bool cli_is_shader(const struct program_options *p, const char *path); /* has to be compiled */
/* The name of the module that is written for an input called `name`, or whose name ends in it. NULL: no memory. Free
 * with free(). */
char *cli_module_name(const struct program_options *p, const char *input, const char *name);
/* cli_name_below(), if no .. leads out of the folder. */
const char *cli_path_below(const char *folder, const char *path);
int cli_by_path(const void *a, const void *b); /* for qsort: pointers to paths */
/* Where the module of an input goes in --out-dir: under the same name, and with --base in the same folders. NULL: no
 * memory. Free with free(). */
char *cli_path_in(const struct program_options *p, const char *path);
unsigned cli_threads(unsigned asked); /* of -j */
/* Keeps compiled sources, under keys of DIGEST bytes. */
struct source_store {
	void *user;
	unsigned char *(*find)(void *user, const unsigned char *key, size_t *size); /* NULL: not found; free() */
	void (*keep)(void *user, const unsigned char *key, const void *bytes, size_t size);
	const unsigned char *compiler; /* a hash of its executable; NULL: unknown */
	/* A run compiles while others that need the same wait, and then find it. -1: there is no need to end. NULL:
	 * nobody waits. */
	int (*begin)(void *user, const unsigned char *key);
	void (*end)(void *user, const unsigned char *key, int turn);
};

struct source_inputs {
	const struct program_options *options; /* must outlive the modules */
	const char *const *inputs;
	size_t count;
};

/* Compiles the sources among these inputs, each once, before inputs are read. EXIT_*; a source that cannot be compiled
 * is reported later. */
int cli_make_sources(const struct source_inputs *lists, size_t count, unsigned threads,
		     const struct source_store *store);
/* The same for the command line; for a single program, every failure is reported. */
int cli_make_own_sources(const struct program_options *p, const struct run_options *run,
			 const struct source_store *store);
bool cli_has_shaders(const struct program_options *p, const char *const *inputs, size_t count);
bool cli_hash_file(const char *path, unsigned char *digest); /* of DIGEST bytes; false: cannot be read */
/* The compiled module of a source of a program with these options; NULL: none. */
const void *cli_find_made(const struct program_options *p, const char *path, size_t *size);
/* Repeats the messages from its compilation. Returns whether that failed; *status is then an EXIT_*. */
bool cli_is_refused_source(const struct program_options *p, const char *path, int *status);
/* Like cli_read_file(); for a source, the compiled module. */
unsigned char *cli_read_input(const struct program_options *p, const char *path, size_t *size);
void cli_forget_sources(void);

/* resolvers.c */

bool cli_allocate_resolvers(struct resolver_options *o, size_t count);
/* N of SPIR-V 1.N, to which resolvers in text are compiled for a program of these modules. */
uint32_t cli_version_for(const struct program_options *p, const char *const *inputs, size_t count);
bool cli_has_text_resolver(const struct program_options *p);
int cli_read_resolvers(struct program_options *p,
		       uint32_t versions);         /* EXIT_*; reads and compiles --resolver for these versions */
void cli_use_resolvers(struct program_options *p); /* sets library.handles to those for its inputs */
void cli_free_resolvers(struct resolver_options *o);

/* file.c */

/* What follows the folder in the path, "" and "." being the current one; NULL: the path does not begin with it. */
const char *cli_name_below(const char *folder, const char *path);
/* Reads a whole file, or stdin for "-". Returns NULL after reporting an error. Free with free(). */
unsigned char *cli_read_file(const char *path, size_t *size);

unsigned char *cli_read_own_file(const char *path, size_t *size); /* as above, but not noted for --depfile */
char *cli_read_text_file(const char *path);                       /* as cli_read_file(), zero-terminated */
/* *text: of --lock; NULL: there is none, or --update-lock is going to create it. Returns false after reporting an
 * error. Free with free(). */
bool cli_read_lock(const struct program_options *p, char **text);

bool cli_write_all(int fd, const void *bytes, size_t size);
const char *cli_base_of(const char *path);                            /* the name after the last slash */
size_t cli_without(const char *path, size_t length, const char *end); /* the length without this extension */
bool cli_ends_in(const char *path, const char *end);
bool cli_cannot(const char *what, const char *path);  /* reports "cannot WHAT PATH" with errno; always false */
char *cli_beside(const char *path, const char *name); /* `name` in the directory of `path` */
char *
cli_resolve_path(const char *path); /* where a write to it ends up, through symbolic links; NULL: no memory. free() */

/* Whether writing to a would overwrite b; resolves symbolic links and "..", whether or not the files exist. */
bool cli_is_same_file(const char *a, const char *b);
bool cli_leads_to(const char *path, const char *resolved); /* resolved: of cli_resolve_path(), for many paths */

/* stage.c */

struct output {
	const char *path; /* as the user wrote it; "-": stdout */
	const void *bytes;
	size_t size;
	bool renewed;   /* written even if the target has these bytes, for its age */
	bool changed;   /* the target does not have these bytes, or is renewed */
	bool is_stream; /* stdout, a pipe or a device: it cannot be taken back */
};

/* Writes all outputs or none. Returns false after reporting an error; every file is then unchanged. out_dir: a folder
 * that is made, with those below it, if they are missing; NULL: none is. */
bool cli_write_outputs(const char *out_dir, struct output *outputs, size_t count);

/* The same for many programs, step by step */
struct stage;
struct staged;

/* The files of one program in a stage. */
struct staged_files {
	struct staged *items;
	size_t count;
};

struct stage *cli_open_stage(const char *out_dir); /* NULL: no memory; out_dir: made when needed; or NULL */
void cli_close_stage(struct stage *s);             /* after discarding files that have not been placed */
/* Writes those that differ from their targets; on failure, which is reported, none. From any thread. */
bool cli_stage_outputs(struct stage *s, struct output *outputs, size_t count, struct staged_files *files);
bool cli_needs_sync(struct stage *s); /* for the directories in use so far */
bool cli_sync_files(struct stage *s, const struct staged_files *programs, size_t count); /* false: reported */
bool cli_place_files(struct staged_files *files);   /* all files of a program or, after reporting why, none */
void cli_discard_files(struct staged_files *files); /* as if they had never been written */

/* reads.c */

struct path_list {
	char **paths;
	size_t count, capacity;
	bool incomplete; /* memory ran out */
	bool listed;     /* of files that were read: the outputs of the run have the depfile among them */
};

void cli_add_path(struct path_list *list, const char *path, size_t length); /* a copy */
void cli_free_paths(struct path_list *list);                                /* leaves it empty */
void cli_note_read(const char *path, size_t length);                        /* from any thread */
/* Calls take() for each file that a depfile names, except those below `folder`. Modifies the text. */
void cli_read_depfile(char *text, const char *folder, void (*take)(void *user, const char *path, size_t length),
		      void *user);
struct path_list *cli_reads(void); /* the recorded files, once all threads have ended */
void cli_forget_reads(void);
void cli_ignore_reads(void); /* including those before it, until cli_forget_reads() */

/* depfile.c: --depfile, --stamp */
/* Appends both to the outputs of a run, all of which are written or none. Returns false after reporting an error.
 * `text` is of the depfile: free() it. */
bool cli_add_depfile(const struct arguments *a, struct output *outputs, size_t *count, char **text);
/* EXIT_*. For a run whose outputs do not include them, after everything else has been written. */
int cli_write_depfile(const struct arguments *a);

/* dump.c: --dump-after */

bool cli_dumps_to_files(const struct program_options *p);           /* false: to stdout */
char *cli_dump_path(const struct program_options *p, size_t input); /* NULL: no memory. Free with free(). */
int cli_write_dumps(const struct program_options *p, const spb_program *program); /* EXIT_* */

/* compatible.c */

/* Prints which sets of the layout JSON stay compatible; asked: the sets that must be identical. If the older layout has
 * the shared sets of a workspace, and the new one is that of a program, whether it fits them; program: its name, or
 * NULL. EXIT_* */
int cli_check_compatible(const char *path, const char *asked, const char *program, const char *old_text,
			 const char *new_text);
/* Parts of the value of --against: */
const char *cli_asked_sets(const char *value); /* "0,2"; NULL: all */
/* The text of its file; only check asks for sets. NULL after reporting an error. Free with free(). */
char *cli_read_older_layout(const struct program_options *p);

/* show.c */
void cli_print_layout(spb_program *program);
int cli_print_explanation(const struct program_options *p, spb_program *program);
char *cli_lock_difference(const char *old, const char *new); /* NULL: no memory. Free with free(). */

#endif
