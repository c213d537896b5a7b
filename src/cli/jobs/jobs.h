/* SPDX-License-Identifier: Apache-2.0 */
/* jobs: programs that are bound in one run.
 *
 * A job is one program. Jobs run in threads, each of which has a context of its own; nothing but what is listed here is
 * shared by them, and that is not changed while they run. What a job says and prints is recorded, and shown when all
 * jobs before it have been: so what a run says and writes does not depend on its threads. */
#ifndef SPB_JOBS_H
#define SPB_JOBS_H

#include "cli/cli.h"

struct job {
	struct arguments *arguments; /* not changed while jobs run; without their inputs */
	char *name;                  /* of the program; NULL: it is the only one */
	const char **inputs;
	size_t input_count;
};

/* job.c */

int run_job(const struct job *job, spb_context *context); /* EXIT_* */
int exit_of(spb_status status);                           /* EXIT_*, after reporting what is not about a module */
int exit_of_options(spb_status status);
int flush_stdout(void); /* EXIT_* */

void warn_of_dry_run(const struct arguments *a);

/* jobs.c */

int run_single_job(const struct job *job); /* EXIT_*; nothing is recorded */

struct jobs {
	const struct job *items;
	size_t count;
	unsigned threads; /* at least 1 */
	bool fail_fast;   /* nothing is shown or written of those after the first that fails */
};

/* The status of the run: EXIT_IO if one job has it, otherwise EXIT_REFUSED, EXIT_USAGE, EXIT_DIFFERENT. */
int run_jobs(const struct jobs *jobs);

/* batch.c */

struct batch {
	struct job *jobs;
	size_t count;
	const char **inputs; /* of all jobs, one after the other */
	size_t input_count;
};

/* The programs that --batch makes of the inputs. false: no memory. Free in either case. */
bool list_programs(struct batch *b, struct arguments *a);
void free_programs(struct batch *b);
int run_batch(struct arguments *a); /* EXIT_* */

/* args_batch.c */

/* The path with the name in place of %, without its folder. NULL: no memory. Free with free(). */
char *expand_pattern(const char *pattern, const char *name);

#endif
