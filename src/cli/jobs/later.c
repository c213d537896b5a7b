/* SPDX-License-Identifier: Apache-2.0 */
/* later: programs that are bound first, and validated when others have been bound, too.
 *
 * By turns, our code and that of SPIRV-Tools push each other out of the caches, like the system's (ahead.c). So where
 * the outputs of a program are all there is to it, they are made without validation, kept, and validated together with
 * those of the programs next to it, before any is written:
 *
 *     read all -> bind each -> validate each output -> write all
 *                                     | anything but "valid"
 *                                     +-> bind that program again, with validation, and do as that says
 *
 * So nobody sees a difference. A program that is not bound to its end is bound again as well: a fault of its output
 * might have come before what else is to be said. */
#include "cli/jobs/jobs.h"

/* Is each module of it written? Those that are not are validated, too, but not kept. */
static bool writes_all(const struct arguments *a, const struct job *job)
{
	for (size_t i = 0; job->outputs && i < job->input_count; i++) {
		if (!job->outputs[i])
			return false;
	}
	return job->outputs || a->out_dir || a->output;
}

/* Is there nothing but modules to write, and are those that are written the ones that are validated? */
static bool is_plain(const struct arguments *a, const struct job *job)
{
	for (int i = 0; i < LAYOUT_FILES; i++) {
		if (a->layout[i])
			return false;
	}
	bool reports = has_report(a) || reports_only(a) || gives_facts(job) || a->verbose || a->check;
	bool other_files = (a->options.layout.update_lock && !job->exchange) || a->options.debug.dump_after;
	/* Names are validated that are not written, or other entry points are completed. */
	bool other_words = a->options.output.strip_debug || a->record_options || a->options.layout.entry_count;
	return !reports && !other_files && !other_words && !a->options.debug.only; /* which validates nothing */
}

bool can_wait(const struct job *job, size_t bytes)
{
	const struct arguments *a = job->arguments;
	spb_validate which = a->options.validation.which;

	/* What is too large to be kept would be bound twice. */
	return !job->skipped && bytes <= MOST_AHEAD / 2 &&
	       (which == SPB_VALIDATE_OUTPUT || which == SPB_VALIDATE_STRICT) && writes_all(a, job) && is_plain(a, job);
}

int bind_unvalidated(const struct job *job, struct worker *w)
{
	struct arguments a = *job->arguments;
	struct job plain = *job;

	a.options.validation.which = SPB_VALIDATE_NONE;
	plain.arguments = &a;
	w->unvalidated = true;
	int status = run_job(&plain, w);
	w->unvalidated = false;
	return status;
}

bool are_valid(const struct job *job, const struct deferred *outputs, spb_context *context)
{
	const spb_options *options = &job->arguments->options;
	bool valid = outputs->count == job->input_count; /* each module is written */

	for (size_t i = 0; valid && i < outputs->count; i++) {
		const struct output *o = &outputs->items[i];
		valid = spb_validate_output(context, options, o->bytes, o->size / sizeof(uint32_t)) == SPB_OK;
	}
	return valid;
}
