/* SPDX-License-Identifier: Apache-2.0 */
/* jobs: runs jobs in threads, and shows their results in the order of the list.
 *
 * The thread that finishes the next job to be shown shows it, and all finished jobs after it. No thread waits for its
 * turn, so a long job does not hold up the others; but no thread is more than WINDOW jobs ahead of what has been shown,
 * which bounds the memory for results. Decisions such as to stop are made while results are shown, so they do not
 * depend on the threads.
 *
 * Threads write files to a stage (stage.c). After each round of programs that have been shown, and at the end, one
 * thread syncs the files and moves them into place while the others continue. Where files must reach a disk first, a
 * round is long, since a sync takes about as long for one file as for many. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/jobs/jobs.h"
#include "cli/verbs/verbs.h"

enum { WINDOW = 1024, ROUND = 16384, ROUND_IN_MEMORY = 64 };

struct result {
	char *said, *printed;
	size_t said_size, printed_size;
	struct staged_files files;
	int status;
	bool done;
};

struct run {
	const struct jobs *jobs;
	pthread_mutex_t lock; /* protects all that follows */
	pthread_cond_t moved; /* `shown` has grown, `stopped` is set, or a round is in place */
	size_t next, shown;   /* jobs that have been begun, and shown */
	size_t failed;
	bool stopped;
	int status;
	struct progress progress;
	struct stage *stage;
	struct staged_files *round,
	    *placed_round; /* files of programs that have been shown; those being put in place */
	size_t round_count, round_room;
	bool placing;                  /* a thread is putting a round in place */
	struct result results[WINDOW]; /* of job i at i % WINDOW */
};

static void count_failure(struct run *run, int status)
{
	run->failed++;
	run->status = msg_more_severe(run->status, status);
	run->stopped |= run->jobs->fail_fast;
}

static void count_unplaced(struct run *run, size_t count)
{
	while (count--)
		count_failure(run, EXIT_IO);
}

static void show(struct run *run, const struct job *job, const struct result *r)
{
	bool again = job_gives_facts(job) && r->status == EXIT_DONE; /* its messages are repeated when it is bound */

	if ((r->said_size && !again) || r->printed_size)
		job_clear_progress(&run->progress);
	if (r->said_size && !again)
		fflush(stdout); /* reports and messages may go to one file; msg_flush() will see an error */
	const struct msg_line before = msg_follow(job->line);
	bool whole = again || msg_replay(r->said, r->said_size);
	msg_follow(before);
	if (r->printed_size && verb_prints(job->options)) { /* printed text does not name the program */
		msg_put_text(stdout, job->name);
		fputs(":\n", stdout);
	}
	if (r->printed_size)
		fwrite(r->printed, 1, r->printed_size, stdout);
	if (r->status != EXIT_DONE || !whole)
		count_failure(run, whole ? r->status : EXIT_IO);
}

/* Syncs files of programs, and puts them in place. Returns the number of programs that failed. */
static size_t place_programs(const struct run *run, struct staged_files *programs, size_t count)
{
	bool ok = !count || cli_sync_files(run->stage, programs, count);
	size_t failed = 0;

	for (size_t i = 0; i < count; i++) {
		bool placed = ok && cli_place_files(&programs[i]);
		if (!placed)
			cli_discard_files(&programs[i]);
		failed += !placed;
		ok = placed || (ok && !run->jobs->fail_fast);
	}
	return failed;
}

/* Called with the lock, which is released while files are put in place. */
static void place_round(struct run *run)
{
	struct staged_files *programs = run->round;
	size_t count = run->round_count;

	run->round = run->placed_round;
	run->placed_round = programs;
	run->round_count = 0;
	run->placing = true;
	pthread_mutex_unlock(&run->lock);
	size_t failed = place_programs(run, programs, count);
	pthread_mutex_lock(&run->lock);
	run->placing = false;
	count_unplaced(run, failed);
	pthread_cond_broadcast(&run->moved);
}

static bool is_round_due(const struct run *run)
{
	return run->round_count == run->round_room ||
	       (run->round_count >= ROUND_IN_MEMORY && !cli_needs_sync(run->stage));
}

static void keep_files(struct run *run, struct result *r)
{
	if (r->files.count)
		run->round[run->round_count++] = r->files;
	else
		cli_discard_files(&r->files);
	r->files = (struct staged_files){0};
}

static void free_result(struct result *r)
{
	free(r->said);
	free(r->printed);
	cli_discard_files(&r->files);
	*r = (struct result){0};
}

/* Shows finished jobs, as long as there is room for their files. The lock is held. */
static void show_finished(struct run *run)
{
	size_t before = run->shown;
	struct result *r;

	for (; run->round_count < run->round_room && (r = &run->results[run->shown % WINDOW])->done; run->shown++) {
		if (!run->stopped) {
			show(run, &run->jobs->items[run->shown], r);
			keep_files(run, r);
		}
		free_result(r);
	}
	if (run->shown == before)
		return;
	job_show_progress(&run->progress, run->shown, run->jobs->count, run->failed);
	pthread_cond_broadcast(&run->moved);
}

static char *copy_bytes(const char *bytes, size_t *size, bool *failed)
{
	char *copy = *size ? malloc(*size) : NULL;

	if (copy)
		memcpy(copy, bytes, *size);
	*failed |= *size && !copy;
	*size = copy ? *size : 0;
	return copy;
}

static struct result take_result(struct record *record, int status)
{
	bool failed = !msg_end_recording(record);
	struct result r = {.said_size = record->size, .printed_size = record->printed_size, .done = true};

	r.said = copy_bytes(record->bytes, &r.said_size, &failed);
	r.printed = copy_bytes(record->printed, &r.printed_size, &failed);
	if (failed)
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	r.status = failed ? EXIT_IO : status;
	return r;
}

/* Takes the next job. False: there is none, or the run has stopped. */
static bool take_job(struct run *run, size_t *job)
{
	pthread_mutex_lock(&run->lock);
	run->stopped |= os_stop_signal() != 0;
	while (!run->stopped && run->next < run->jobs->count && run->next - run->shown >= WINDOW)
		pthread_cond_wait(&run->moved, &run->lock);
	const bool taken = !run->stopped && run->next < run->jobs->count;
	if (taken)
		*job = run->next++;
	pthread_mutex_unlock(&run->lock);
	return taken;
}

/* Stores the result, shows results whose turn has come, and puts a round in place if one is due. */
static void hand_in(struct run *run, size_t job, struct result result)
{
	pthread_mutex_lock(&run->lock);
	run->results[job % WINDOW] = result;
	show_finished(run);
	while (is_round_due(run) && !run->placing) {
		place_round(run);
		show_finished(run);
	}
	pthread_mutex_unlock(&run->lock);
}

static void *work(void *argument)
{
	static const spb_callbacks callbacks = {msg_report, NULL};
	struct run *run = argument;
	struct worker w = {.stage = run->stage, .cache = run->jobs->cache};
	struct record record;
	bool opened = msg_open_record(&record) && spb_context_create(NULL, &callbacks, &w.context) == SPB_OK;

	for (size_t job; opened && take_job(run, &job);) {
		msg_begin_recording(&record);
		struct staged_files files;
		int status = job_run(&run->jobs->items[job], &w, &files);
		struct result result = take_result(&record, status);
		result.files = files;
		hand_in(run, job, result);
	}
	spb_context_destroy(w.context);
	msg_close_record(&record);
	return NULL;
}

/* This thread works as well, also in place of any that could not be started. */
static void run_threads(struct run *run)
{
	size_t most = run->jobs->threads < run->jobs->count ? run->jobs->threads : run->jobs->count, started = 0;
	pthread_t *threads = calloc(most, sizeof *threads);

	while (threads && started + 1 < most && !pthread_create(&threads[started], NULL, work, run))
		started++;
	work(run);
	while (started)
		pthread_join(threads[--started], NULL);
	free(threads);
}

/* The depfile and the stamp, which are put in place after all programs. If they cannot be written, the last round of
 * programs is not put in place either. */
static void stage_depfile(struct run *run, struct staged_files *files)
{
	struct output outputs[2];
	size_t count = 0;
	char *text;

	if (!run->jobs->run || !run->stage || run->failed || run->stopped || run->shown < run->jobs->count)
		return;
	bool staged = cli_add_depfile(run->jobs->run, outputs, &count, &text) &&
		      cli_stage_outputs(run->stage, outputs, count, files);
	free(text);
	if (staged)
		return;
	count_failure(run, EXIT_IO);
	while (run->round_count)
		cli_discard_files(&run->round[--run->round_count]);
}

/* Ends a run after the last result has been shown. No other thread is left. */
static int finish(struct run *run)
{
	size_t count = run->jobs->count;
	struct staged_files last = {0};

	job_clear_progress(&run->progress);
	stage_depfile(run, &last);
	count_unplaced(run, place_programs(run, run->round, run->round_count));
	if (run->failed)
		cli_discard_files(&last);
	count_unplaced(run, place_programs(run, &last, last.items != NULL));
	job_end_progress(&run->progress, run->shown, count, run->failed);
	if (!run->stopped && run->shown < count) /* no thread could start */
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	return msg_flush() == EXIT_DONE ? run->status : EXIT_IO;
}

int job_run_all(const struct jobs *jobs)
{
	struct run *run = calloc(1, sizeof *run);
	int status;

	if (!run)
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	run->jobs = jobs;
	run->round_room = 1 + (jobs->count < ROUND ? jobs->count : ROUND); /* at least one: there may be no jobs */
	run->round = calloc(run->round_room, sizeof *run->round);
	run->placed_round = calloc(run->round_room, sizeof *run->round);
	run->stage = cli_open_stage(jobs->out_dir);
	pthread_mutex_init(&run->lock, NULL);
	pthread_cond_init(&run->moved, NULL);
	job_begin_progress(&run->progress, jobs->progress);
	os_defer_signals(true);
	if (run->round && run->placed_round && run->stage)
		run_threads(run);
	status = finish(run);
	cli_close_stage(run->stage);
	pthread_mutex_destroy(&run->lock);
	pthread_cond_destroy(&run->moved);
	free(run->round);
	free(run->placed_round);
	free(run);
	os_heed_signals();
	return status;
}

int job_run_single(const struct job *job)
{
	spb_callbacks callbacks = {msg_report, NULL};
	struct worker w = {0};
	struct staged_files files;
	struct program_options *p = job->options;
	int status =
	    cli_read_resolvers(p, p->resolvers.count ? 1u << cli_version_for(p, p->inputs, p->input_count) : 0);

	if (status == EXIT_DONE)
		status = msg_exit_of(spb_context_create(NULL, &callbacks, &w.context));
	if (status == EXIT_DONE)
		status = job_run(job, &w, &files);
	spb_context_destroy(w.context);
	return status;
}
