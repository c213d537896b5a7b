/* SPDX-License-Identifier: Apache-2.0 */
/* progress: the progress of a run, on standard error. On a terminal it is one line that is overwritten, and removed
 * before anything else is shown; elsewhere, with --progress=always, a line a second. */
#include <stdio.h>
#include <unistd.h>

#include "cli/jobs/jobs.h"

void job_begin_progress(struct progress *p, enum progress_mode mode)
{
	bool terminal = os_is_terminal(STDERR_FILENO);

	*p = (struct progress){.on = mode == PROGRESS_ALWAYS || (mode == PROGRESS_AUTO && terminal)};
	p->terminal = terminal;
	if (p->on)
		p->begun = p->last = os_seconds();
}

void job_clear_progress(struct progress *p)
{
	if (p->visible)
		fputs("\r\033[K", stderr);
	p->visible = false;
}

static void put_progress(struct progress *p, size_t done, size_t count, size_t failed, double seconds)
{
	job_clear_progress(p);
	fprintf(stderr, "%zu of %zu programs", done, count);
	if (failed)
		fprintf(stderr, ", %zu failed", failed);
	fprintf(stderr, ", %.0f/s%s", seconds > 0 ? (double)done / seconds : 0, p->terminal ? "" : "\n");
	fflush(stderr);
	p->visible = p->terminal;
}

void job_show_progress(struct progress *p, size_t done, size_t count, size_t failed)
{
	double time;

	if (!p->on)
		return;
	time = os_seconds();
	if (time - p->last < (p->terminal ? 0.1 : 1))
		return;
	p->last = time;
	put_progress(p, done, count, failed, time - p->begun);
}

void job_end_progress(struct progress *p, size_t done, size_t count, size_t failed)
{
	if (!p->on)
		return;
	put_progress(p, done, count, failed, os_seconds() - p->begun);
	if (p->terminal)
		fputc('\n', stderr);
	p->visible = false;
}
