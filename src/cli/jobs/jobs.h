/* SPDX-License-Identifier: Apache-2.0 */
/* jobs: programs that are bound in one run.
 *
 * A job is one program. Jobs run in threads, each with its own context; they share only what is listed here, which does
 * not change while they run. The messages and output of a job are recorded, and shown after those of all jobs before
 * it, so the output of a run does not depend on its threads. */
#ifndef SPB_JOBS_H
#define SPB_JOBS_H

#include "cli/cli.h"

struct job;

/* How a job exchanges data with its workspace. The functions are called from any thread. */
struct exchange {
	void *user;
	bool collecting; /* jobs only collect facts */
	char *(*lock_of)(void *user,
			 const struct job *job); /* its part of the lock. NULL: no memory. Free with free() */
	int (*take_facts)(void *user, const struct job *job, const char *facts); /* EXIT_* */
};

struct job {
	struct program_options *options; /* not changed while jobs run; without their inputs */
	char *name;                      /* of the program; NULL: it is the only one */
	const struct arguments *run;     /* if it is the only one, whose depfile and stamp are among its outputs */
	const char **inputs;
	size_t input_count;

	/* Of a manifest */
	struct msg_line line;            /* where it is declared */
	char **outputs;                  /* of each input; NULL: it is not written. NULL: as the arguments say */
	const struct exchange *exchange; /* NULL: it shares nothing, and the lock is that of the arguments */
	bool skipped;                    /* nothing to do */
	bool collected;                  /* its facts have been taken */
};

/* cache.c */

struct cache;

struct loaded { /* a file */
	unsigned char *bytes;
	size_t size;
};

struct key {
	unsigned char bytes[32];
};

/* The cached data of a program. */
struct entry {
	const char *said; /* a record */
	size_t said_size;
	const char *printed;
	size_t printed_size;
	struct output *outputs; /* their bytes and sizes */
	size_t output_count;
	unsigned char *file; /* contents read by job_find_entry(); free() it */
};

struct cache *job_open_cache(const char *path); /* NULL after reporting why */

/* Compiled sources. */
struct compiled_cache {
	struct source_store store;
	struct key compiler;
};

/* The store for cli_make_sources(); NULL: no cache, no sources, or glslangValidator cannot be identified. */
const struct source_store *job_begin_compiled_cache(struct compiled_cache *c, struct cache *cache, bool has_sources);
void job_close_cache(struct cache *c);
void job_make_key(const struct cache *c, const struct program_options *p, const struct job *job,
		  const struct loaded *modules, struct key *key);
/* Fills in e, whose outputs are listed. false: no valid entry. */
bool job_find_entry(const struct cache *c, const struct key *key, const struct loaded *modules, size_t module_count,
		    struct entry *e);
void job_keep_entry(const struct cache *c, const struct key *key, const struct loaded *modules, size_t module_count,
		    const struct entry *e);

/* progress.c */

struct progress {
	bool on, terminal;
	bool visible; /* the line is on the terminal */
	double begun, last;
};

void job_begin_progress(struct progress *p, enum progress_mode mode);
void job_clear_progress(struct progress *p); /* called before anything else is shown */
void job_show_progress(struct progress *p, size_t done, size_t count, size_t failed);
void job_end_progress(struct progress *p, size_t done, size_t count, size_t failed);

/* job.c */

/* Shared by the jobs of one thread. */
struct worker {
	spb_context *context;
	struct stage *stage; /* NULL: outputs are written immediately */
	struct cache *cache; /* NULL: there is none */
};

/* Binds a program, or takes it from the cache. EXIT_*; files: those that it has written to the stage. */
int job_run(const struct job *job, const struct worker *w, struct staged_files *files);

static inline bool job_gives_facts(const struct job *job) /* rather than binding */
{
	return job->exchange && job->exchange->collecting;
}

/* jobs.c */

int job_run_single(const struct job *job); /* EXIT_*; nothing is recorded */

struct jobs {
	const struct job *items;
	size_t count;
	const char *out_dir; /* NULL: there is none */
	struct cache *cache; /* NULL: there is none */
	unsigned threads;    /* at least 1 */
	enum progress_mode progress;
	bool fail_fast;              /* after the first failure, nothing is shown or written */
	const struct arguments *run; /* whose depfile and stamp are written when all programs are; NULL: they are not */
};

/* The status of the run: the most severe of its jobs', by msg_more_severe(). */
int job_run_all(const struct jobs *jobs);

/* batch.c */
int job_run_batch(struct arguments *a); /* the programs of --each. EXIT_* */

#endif
