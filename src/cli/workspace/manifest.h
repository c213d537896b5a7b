/* SPDX-License-Identifier: Apache-2.0 */
/* manifest: many programs that are bound in one run, and the descriptor sets that they share.
 *
 *     options --auto-binding=65534                 # of all programs
 *     include materials.manifest
 *     share set=0
 *     share set=1 programs=material.*
 *     share heaps
 *     program sky: sky.vert.spv sky.frag.spv -o sky2.frag.spv --rules=hlsl
 *     program material.skinned: skinned.vert.spv m.frag.spv variant-of=material.base
 *
 *   manifest.c    reads it
 *   programs.c    the options of each program, and where its files are
 *   workspace.c   collects, decides and binds (the public workspace.h says why in this order)
 *   guard.c       one run at a time reads and writes a lock file */
#ifndef SPB_MANIFEST_H
#define SPB_MANIFEST_H

#include "cli/jobs/jobs.h"

#include "spirv-bind/workspace.h"

struct words {
	char **items;
	size_t count, capacity;
};

struct manifest_program {
	char *name, *variant_of; /* variant_of: NULL: none */
	const char *family;      /* the program that all are variants of; NULL: it has no variants */
	const char *file;        /* where it is declared */
	unsigned line;
	struct words inputs;  /* paths as the command opens them */
	struct words outputs; /* of -o, as written, up to the last input that has one; NULL: none */
	struct words options;
	struct words words; /* options and inputs in their order: -S and -e are for the inputs after them */
};

struct manifest_share {
	uint32_t set;
	char *programs; /* NULL: all */
};

struct manifest {
	const char *path;
	char *folder; /* of the manifest, with a slash at the end; "": the current one */
	struct words options;
	struct msg_line *option_lines; /* parallel to the options */
	size_t option_line_capacity;
	struct manifest_program *programs;
	size_t program_count, program_capacity;
	struct manifest_share *shares;
	size_t share_count, share_capacity;
	struct words files; /* that were read: the manifest and the files that it includes */
	struct words open;  /* files being read */
	struct words texts; /* blocks of text that are freed at the end */
	char *next;         /* the rest of the last one */
	size_t room;
};

int ws_read_manifest(struct manifest *m, const char *path); /* EXIT_* */
void ws_free_manifest(struct manifest *m);                  /* in any case */

/* An error in a line. Returns EXIT_USAGE. */
int ws_refuse_line(const char *file, unsigned line, const char *const *words);

/* programs.c */

struct program_list {
	struct job *jobs;
	size_t count;
	const struct manifest_program **programs; /* parallel to the jobs */
	struct arguments **arguments;             /* of the jobs; many have the same */
	size_t argument_count;
};

/* Jobs for the programs that the command line asks for. EXIT_* */
int ws_make_jobs(const struct manifest *m, struct arguments *a, int argc, char **argv, struct program_list *b);
/* Compiles their sources and resolvers, as far as they are not in the cache (NULL: there is none). EXIT_* */
int ws_prepare_jobs(const struct arguments *a, struct cache *cache, const struct program_list *b);
void ws_free_jobs(struct program_list *b);         /* in any case */
int ws_make_folders(const struct program_list *b); /* for the outputs. EXIT_* */

/* guard.c */

struct guard {
	char *path; /* NULL: it has not been taken */
	int fd;
};

/* Waits until no other run has the lock file. False after reporting an error. */
bool ws_take_guard(struct guard *g, const char *lock);
void ws_release_guard(struct guard *g); /* also of a zeroed guard */

/* linked_pages.c: puts links to the pages of programs into that of the manifest. The bytes to free afterwards; NULL:
 * there are none. */
char *ws_link_pages(struct output *page, const struct program_list *list);

/* merge_files.c */
int ws_merge_lock_files(const struct arguments *a); /* lock merge. EXIT_* */

/* workspace.c */

int ws_run_manifest(struct arguments *a, int argc, char **argv); /* EXIT_* */

#endif
