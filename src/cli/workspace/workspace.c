/* SPDX-License-Identifier: Apache-2.0 */
/* workspace: a run over a manifest.
 *
 *   1. Facts that the shared numbers depend on are collected from each program (decide reads them from files).
 *   2. The numbers are decided, and the lock file is written: before any module, so that after a run that is killed in
 *      the middle, the next one gives the same numbers.
 *   3. Each program is bound with its part of the lock.
 *
 * A program that fails in 1 or 3 does not stop the others. Its lines of the lock stay as they are. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verbs/verbs.h"
#include "cli/workspace/manifest.h"

struct run {
	const struct arguments *a;
	struct manifest manifest;
	struct program_list list;
	struct guard guard;
	struct cache *cache; /* NULL: there is none */
	spb_context *context;
	spb_workspace *workspace;
	pthread_mutex_t turn; /* held for each call on the workspace */
	struct exchange exchange;
	char *lock_text;  /* its contents; kept for a comparison with the new one, unless it is written */
	char *older_text; /* of the layout of --against */
	bool failed;      /* some program has failed: the others are part of the workspace only */
};

/* What the library says of a program as a whole is about its line of the manifest. */
static void report(void *user, const spb_message *m)
{
	const struct run *r = user;
	spb_message placed = *m;

	for (size_t i = 0; i < r->list.count && !*m->file; i++) {
		if (strcmp(r->list.jobs[i].name, m->module) != 0)
			continue;
		placed.file = r->list.jobs[i].line.file;
		placed.line = r->list.jobs[i].line.line;
		break;
	}
	msg_report(NULL, &placed);
}

static bool writes_lock(const struct run *r)
{
	return r->a->program.library.layout.update_lock;
}

static bool compares_lock(const struct run *r)
{
	return r->a->program.lock.locked;
}

static int read_lock_file(struct run *r)
{
	const struct program_options *p = &r->a->program;

	if (p->lock.file && writes_lock(r) && !ws_take_guard(&r->guard, p->lock.file))
		return EXIT_IO;
	return cli_read_lock(p, &r->lock_text) ? EXIT_DONE : EXIT_IO;
}

/* Calls of jobs */

static char *lock_of(void *user, const struct job *job)
{
	struct run *r = user;
	const char *text;
	char *copy;

	pthread_mutex_lock(&r->turn);
	text = spb_workspace_text(r->workspace, SPB_WORKSPACE_PROGRAM_LOCK, job->name, NULL);
	copy = text ? strdup(text) : NULL;
	pthread_mutex_unlock(&r->turn);
	return copy;
}

static int take_facts(void *user, const struct job *job, const char *facts)
{
	struct run *r = user;
	spb_status status;

	pthread_mutex_lock(&r->turn);
	status = spb_workspace_add_facts(r->workspace, job->name, facts, NULL);
	r->list.jobs[job - r->list.jobs].collected = status == SPB_OK;
	pthread_mutex_unlock(&r->turn);
	return msg_exit_of_options(status);
}

static int open_workspace(struct run *r)
{
	const struct manifest *m = &r->manifest;
	spb_status status = spb_workspace_create(r->context, r->lock_text, r->a->program.lock.file,
						 r->a->run.shards || r->a->run.programs, &r->workspace);

	for (size_t i = 0; i < m->share_count && status == SPB_OK; i++)
		status = spb_workspace_share(r->workspace, m->shares[i].set, m->shares[i].programs);
	for (size_t i = 0; i < r->list.count && status == SPB_OK; i++) {
		r->list.jobs[i].exchange = &r->exchange;
		status = spb_workspace_add_program(r->workspace, r->list.jobs[i].name, r->list.programs[i]->family);
	}
	if (writes_lock(r)) { /* the workspace has a copy */
		free(r->lock_text);
		r->lock_text = NULL;
	}
	return msg_exit_of_options(status);
}

static int run_all(struct run *r, const struct arguments *of_depfile)
{
	return job_run_all(&(struct jobs){.items = r->list.jobs,
					  .count = r->list.count,
					  .cache = r->cache,
					  .threads = cli_threads(r->a->run.threads),
					  .progress = r->a->run.progress,
					  .fail_fast = r->a->run.fail_fast,
					  .run = of_depfile});
}

/* 1. Collecting */

/* A program that has failed is left out: its lines of the lock stay as they are. */
static int collect(struct run *r)
{
	int status;

	r->exchange.collecting = true;
	status = run_all(r, NULL);
	r->exchange.collecting = false;
	for (size_t i = 0; i < r->list.count; i++) {
		struct job *job = &r->list.jobs[i];
		if (job->collected)
			continue;
		r->failed = job->skipped = true;
		spb_workspace_leave_out(r->workspace, job->name);
	}
	return status;
}

static int read_collected(struct run *r)
{
	const struct program_options *p = &r->a->program;
	int status = EXIT_DONE;

	for (size_t i = 0; i < p->input_count && status == EXIT_DONE; i++) {
		char *text = cli_read_text_file(p->inputs[i]);
		status = text ? msg_exit_of_options(spb_workspace_add_facts(r->workspace, NULL, text, p->inputs[i]))
			      : EXIT_IO;
		free(text);
	}
	return status;
}

static int write_collected(struct run *r)
{
	struct output o = {.path = r->a->program.modules.first};

	o.bytes = spb_workspace_text(r->workspace, SPB_WORKSPACE_FACTS, NULL, &o.size);
	if (!o.bytes)
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	return cli_write_outputs(NULL, &o, 1) ? EXIT_DONE : EXIT_IO;
}

/* 2. The lock */

/* With --locked, no program's part of the lock may change; if the lock is not written, no number in it. Programs for
 * which that would be are not bound. */
static int check_lock(struct run *r)
{
	const struct program_options *p = &r->a->program;
	const char *text, *old = r->lock_text ? r->lock_text : "";
	bool moved = false;

	if (!p->lock.file || writes_lock(r))
		return EXIT_DONE;
	text = spb_workspace_text(r->workspace, SPB_WORKSPACE_LOCK, NULL, NULL); /* it has been decided */
	if (!strcmp(text, old))
		return EXIT_DONE;
	for (size_t i = 0; i < r->list.count; i++) {
		struct job *job = &r->list.jobs[i];
		spb_workspace_verdict verdict = spb_workspace_judge(r->workspace, job->name);
		bool moves = verdict == SPB_WORKSPACE_MOVED;
		if (job->skipped || !(moves || (compares_lock(r) && verdict == SPB_WORKSPACE_DIFFERS)))
			continue;
		msg_report_line(job->line.file, job->line.line, p->verb == VERB_CHECK ? "check" : "locked",
				compares_lock(r) ? WORDS("the lock file does not have the numbers of program ",
							 job->name, MSG_REMEDY "spirv-bind lock update writes them.")
						 : WORDS("the lock file has other numbers for program ", job->name,
							 MSG_REMEDY "spirv-bind lock update accepts the new ones."));
		job->skipped = true;
		moved = true;
	}
	return compares_lock(r) || moved ? verb_refuse_lock(p, old, text) : EXIT_DONE;
}

/* Unless the shared sets stay compatible, nothing is written or bound. */
static int check_shared_sets(struct run *r)
{
	const struct program_options *p = &r->a->program;
	const char *text;

	if (p->verb != VERB_CHECK || !p->layout.against || r->failed) /* the sets of a failed program are unknown */
		return EXIT_DONE;
	text = spb_workspace_text(r->workspace, SPB_WORKSPACE_LAYOUT_JSON, NULL, NULL);
	if (!text)
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	int status =
	    cli_check_compatible(p->layout.against, cli_asked_sets(p->layout.against), NULL, r->older_text, text);
	return msg_flush() == EXIT_DONE ? status : EXIT_IO;
}

/* The forms in which the shared sets are written. */
static bool add_layouts(struct run *r, struct output *outputs, size_t *count, char **linked)
{
	const char *const *paths = r->a->program.layout.files;

	if (paths[LAYOUT_JSON]) {
		struct output *o = &outputs[(*count)++];
		o->path = paths[LAYOUT_JSON];
		o->renewed = r->a->program.renews;
		if (!(o->bytes = spb_workspace_text(r->workspace, SPB_WORKSPACE_LAYOUT_JSON, NULL, &o->size)))
			return false;
	}
	if (paths[LAYOUT_HEADER] && !strchr(paths[LAYOUT_HEADER], '%')) { /* otherwise, each program has one */
		struct output *o = &outputs[(*count)++];
		char *prefix = cli_layout_prefix(paths[LAYOUT_HEADER]);
		o->path = paths[LAYOUT_HEADER];
		o->renewed = r->a->program.renews;
		if (prefix)
			o->bytes = spb_workspace_text(r->workspace, SPB_WORKSPACE_LAYOUT_HEADER, prefix, &o->size);
		free(prefix);
		if (!o->bytes)
			return false;
	}
	if (paths[LAYOUT_REPORT]) {
		struct output *o = &outputs[(*count)++];
		o->path = paths[LAYOUT_REPORT];
		o->renewed = r->a->program.renews;
		if (!(o->bytes = spb_workspace_text(r->workspace, SPB_WORKSPACE_REPORT, r->older_text, &o->size)))
			return false;
		*linked = ws_link_pages(o, &r->list);
	}
	return true;
}

static int write_decision(struct run *r)
{
	struct output outputs[4] = {{0}};
	char *linked = NULL;
	size_t count = 0;

	if (r->a->program.library.layout.update_lock) {
		outputs[count].path = r->a->program.lock.file;
		outputs[count].bytes = spb_workspace_text(r->workspace, SPB_WORKSPACE_LOCK, NULL, &outputs[count].size);
		count++;
	}
	if (!add_layouts(r, outputs, &count, &linked))
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	int status = cli_write_outputs(NULL, outputs, count) ? EXIT_DONE : EXIT_IO;
	free(linked);
	return status;
}

/* Finds the programs that contradict others, which are not bound. False: no numbers could be decided, or the run stops
 * here. */
static bool find_decision(struct run *r, int *status)
{
	*status = msg_exit_of(spb_workspace_decide(r->workspace));
	if (*status == EXIT_DONE)
		return true;
	if (!spb_workspace_text(r->workspace, SPB_WORKSPACE_LOCK, NULL, NULL) || r->a->run.fail_fast)
		return false;
	r->failed = true;
	for (size_t i = 0; i < r->list.count; i++)
		r->list.jobs[i].skipped |=
		    spb_workspace_judge(r->workspace, r->list.jobs[i].name) == SPB_WORKSPACE_LEFT_OUT;
	return true;
}

/* *stop: nothing is to be bound. */
static int decide(struct run *r, bool *stop)
{
	int first, status = EXIT_DONE;

	*stop = !find_decision(r, &first);
	if (!*stop)
		status = check_shared_sets(r);
	*stop |= status != EXIT_DONE;
	if (!*stop)
		status = check_lock(r);
	if (!*stop && status == EXIT_DONE)
		status = write_decision(r);
	*stop |= status != EXIT_DONE && status != EXIT_DIFFERENT;
	return msg_more_severe(first, status);
}

/* Collects and decides. *stop: nothing is left to do. */
static int find_numbers(struct run *r, bool *stop)
{
	const struct program_options *p = &r->a->program;
	int status = open_workspace(r), first = EXIT_DONE;

	*stop = true;
	if (status == EXIT_DONE && p->verb == VERB_DECIDE) {
		status = read_collected(r);
	} else if (status == EXIT_DONE) {
		first = collect(r);
		if (r->failed && r->a->run.fail_fast)
			return first;
	}
	if (status == EXIT_DONE && p->verb == VERB_COLLECT)
		return msg_more_severe(first, write_collected(r));
	if (status == EXIT_DONE)
		status = decide(r, stop);
	if (!*stop)
		*stop = p->verb & (VERB_DECIDE | VERB_LOCK_CHECK | VERB_LOCK_UPDATE);
	return msg_more_severe(first, status);
}

static int write_part(struct run *r)
{
	struct output o = {.path = r->a->program.modules.first};
	int status = open_workspace(r);

	if (status != EXIT_DONE)
		return status;
	o.bytes = spb_workspace_text(r->workspace, SPB_WORKSPACE_PART_OF_LOCK, NULL, &o.size);
	if (!o.bytes)
		return msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	return cli_write_outputs(NULL, &o, 1) ? EXIT_DONE : EXIT_IO;
}

/* Programs that share nothing need not wait for each other. The lint does not depend on numbers. */
static bool is_workspace(const struct run *r)
{
	const struct program_options *p = &r->a->program;

	if (p->verb == VERB_LINT)
		return false;
	bool any = p->lock.file || p->verb & (VERB_COLLECT | VERB_DECIDE) || r->manifest.share_count ||
		   cli_first_layout_file(&p->layout) || p->layout.against;

	for (size_t i = 0; i < r->list.count && !any; i++)
		any = r->list.programs[i]->family != NULL;
	return any;
}

static int bind_all(struct run *r)
{
	if (r->a->program.verb == VERB_LOCK_PART)
		return write_part(r);

	bool stop = false;
	int status = is_workspace(r) ? find_numbers(r, &stop) : EXIT_DONE;

	ws_release_guard(&r->guard); /* the lock file is written */
	if (stop || (r->a->run.fail_fast && status != EXIT_DONE))
		return status;
	if (verb_of(&r->a->program)->writes_modules || verb_of(&r->a->program)->writes_layouts) {
		int folders = ws_make_folders(&r->list);
		if (folders != EXIT_DONE)
			return msg_more_severe(status, folders);
	}
	return msg_more_severe(status, run_all(r, status == EXIT_DONE ? r->a : NULL));
}

int ws_run_manifest(struct arguments *a, int argc, char **argv)
{
	const struct program_options *p = &a->program;
	struct run r = {.a = a, .exchange = {&r, false, lock_of, take_facts}};
	spb_callbacks callbacks = {report, &r};
	int status = ws_read_manifest(&r.manifest, a->run.manifest);

	os_return_blocks(1 << 20); /* the lists and texts here grow and are freed */
	pthread_mutex_init(&r.turn, NULL);
	if (status == EXIT_DONE)
		status = ws_make_jobs(&r.manifest, a, argc, argv, &r.list);
	if (status == EXIT_DONE && a->run.cache && !(r.cache = job_open_cache(a->run.cache)))
		status = EXIT_IO;
	if (status == EXIT_DONE)
		status = ws_prepare_jobs(a, r.cache, &r.list);
	if (status == EXIT_DONE)
		status = msg_exit_of(spb_context_create(NULL, &callbacks, &r.context));
	if (status == EXIT_DONE && p->layout.against) { /* before the new layout may be written to the same file */
		r.older_text = cli_read_older_layout(p);
		status = r.older_text ? EXIT_DONE : EXIT_IO;
	}
	if (status == EXIT_DONE)
		status = read_lock_file(&r);
	if (status == EXIT_DONE)
		status = bind_all(&r);
	ws_release_guard(&r.guard);
	job_close_cache(r.cache);
	spb_workspace_destroy(r.workspace);
	spb_context_destroy(r.context);
	pthread_mutex_destroy(&r.turn);
	free(r.lock_text);
	free(r.older_text);
	ws_free_jobs(&r.list);
	ws_free_manifest(&r.manifest);
	return status;
}
