/* SPDX-License-Identifier: Apache-2.0 */
/* options: the command line, by subject. A row of the table (args/option_table.c) names its field here, or one in
 * spb_options. Code that works on one program gets the options of that program, and nothing else. */
#ifndef SPB_CLI_OPTIONS_H
#define SPB_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/messages/messages.h"
#include "spirv-bind/spirv_bind.h"

/* What the command does: bits of the masks in the table of options. */
enum verb_bit {
	VERB_BIND = 1 << 0,
	VERB_CHECK = 1 << 1,
	VERB_LINT = 1 << 2,
	VERB_LAYOUT = 1 << 3,
	VERB_EXPLAIN = 1 << 4,
	VERB_LOCK_CHECK = 1 << 5,
	VERB_LOCK_UPDATE = 1 << 6,
	VERB_LOCK_MERGE = 1 << 7,
	VERB_LOCK_PART = 1 << 8,
	VERB_COLLECT = 1 << 9,
	VERB_DECIDE = 1 << 10,
	VERB_PASS = 1 << 11,
	VERBS = (1 << 12) - 1
};

enum version_format { VERSION_TEXT, VERSION_JSON }; /* of --version, which is not kept */

/* Options of one program */

/* The stage and entry point of an input in GLSL or HLSL, which is identified by the address of its name, since one file
 * may be given twice. */
struct source_part {
	const char *input, *stage, *entry; /* NULL: the stage from its name; main */
};

/* -I, -D, -S, -e: how inputs in GLSL and HLSL are compiled, along with --target-env */
struct source_options {
	const char **include_paths, **macros;
	size_t include_path_count, macro_count;
	struct source_part last;   /* of the last -S and -e; `input` is NULL up to the next input */
	struct source_part *parts; /* of inputs, sorted once all are known; others have the last -S and -e */
	size_t part_count;
};

/* --resolver */
struct resolver_options {
	struct resolver_file *files;
	size_t count;
	spb_resolver *listed; /* for each version of SPIR-V, `count` of them */
	uint32_t versions;    /* a bit for each version for which they have been compiled */
};

enum words_form { WORDS_BINARY, WORDS_NUMBERS, WORDS_C };

/* -o, --out-dir, --base, --words */
struct module_options {
	const char *first;  /* of `files`, or NULL; "-": stdout, and then it is the only one */
	const char **files; /* one for each input, if there is any */
	size_t count;
	const char *folder;
	const char *base; /* below which inputs keep their folders in `folder`; NULL: they keep none */
	enum words_form words;
};

enum layout_file { LAYOUT_JSON, LAYOUT_HEADER, LAYOUT_GLSL, LAYOUT_REPORT, LAYOUT_FILES };

/* --layout-json, --layout-header, --layout-glsl, --report; --against */
struct layout_options {
	const char *files[LAYOUT_FILES]; /* "-": stdout */
	char *made[LAYOUT_FILES];        /* paths that were allocated for `files` */
	bool prints_table;               /* on stdout */
	const char *against;             /* an older layout JSON, and which sets */
	char *against_text;
};

/* --lock, --locked; --update-lock is an option of the library */
struct lock_options {
	const char *file;
	char *text;
	bool locked;
};

/* --lint, --baseline */
struct lint_options {
	bool asked;           /* beside what the verb does */
	const char *baseline; /* a file */
	char *baseline_text;
};

/* The options that were given and affect results, with their values: for the cache and --record-options. */
struct given_options {
	char *bytes;
	size_t size;
	bool is_recorded;
	char *record; /* memory of library.output.record */
};

struct program_options {
	enum verb_bit verb;
	spb_options library;
	void **blocks; /* memory that `library` points to */
	size_t block_count;
	const char **inputs; /* "-": stdin */
	size_t input_count;
	const char **imports; /* appended to the inputs after reading */
	size_t import_count;
	struct source_options sources;
	struct resolver_options resolvers;
	struct module_options modules;
	struct layout_options layout;
	struct lock_options lock;
	struct lint_options lint;
	struct given_options given;
	const char *explained; /* --name: a pattern, only these are explained */
	bool verbose;          /* -v */
	bool renews;           /* outputs whose contents are the same get a new age */
};

/* Options of the whole run */

enum batch_kind { BATCH_NONE, BATCH_INPUTS, BATCH_STEMS };
enum progress_mode { PROGRESS_AUTO, PROGRESS_NEVER, PROGRESS_ALWAYS };

struct run_options {
	enum batch_kind each;
	const char *manifest;   /* -m */
	const char *programs;   /* a pattern: only these of the manifest */
	unsigned shard, shards; /* the part of the manifest, from 1; 0: all of it */
	unsigned threads;       /* -j; 0: as many as there are cores */
	bool fail_fast;
	enum progress_mode progress;
	const char *cache; /* a directory */
	const char *depfile, *stamp;
};

struct arguments {
	struct msg_options messages;
	struct run_options run;
	struct program_options program; /* for all programs, except in a run over a manifest */
	int done;                       /* EXIT_* + 1: the run ends here; 0: it goes on */
};

#endif
