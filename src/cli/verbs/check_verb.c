/* SPDX-License-Identifier: Apache-2.0 */
/* verb_check: reports what bind would change, and faults. */
#include "cli/verbs/verbs.h"

static void want(struct program_options *p)
{
	p->library.mode = SPB_MODE_CHECK;
	p->library.layout.doctor = p->verbose;
	p->lock.locked = p->lock.file != NULL;
	if (p->library.validation.which == SPB_VALIDATE_OUTPUT)
		p->library.validation.which = SPB_VALIDATE_STRICT;
}

static int compare_with_older(const struct program_options *p, const char *name, spb_program *program)
{
	size_t length;
	const char *layout;
	int status;

	if (!p->layout.against)
		return EXIT_DONE;
	layout = spb_program_text(program, SPB_TEXT_LAYOUT_JSON, NULL, &length);
	if (!layout)
		return msg_out_of_memory();
	status = cli_check_compatible(p->layout.against, cli_asked_sets(p->layout.against), name,
				      p->layout.against_text, layout);
	return msg_flush() == EXIT_DONE ? status : EXIT_IO;
}

static int report(const struct program_options *p, const char *name, spb_program *program)
{
	int compared = compare_with_older(p, name, program);

	return compared == EXIT_IO ? EXIT_IO : msg_more_severe(compared, verb_report_lock(p, name, program));
}

const struct verb verb_check = {
    .bit = VERB_CHECK,
    .name = "check",
    .words = "INPUT...",
    .summary = "would bind change anything, and is everything right?",
    .text =
	"Writes nothing, and exits with 3 if it finds something: a module that is not in its final form, that is, that "
	"bind would change, and what would change there: numbers, NonUniform and why, capabilities (sources have no "
	"final "
	"form); with --lint, what "
	"lint "
	"finds; with --lock, a lock file that bind would change; "
	"with "
	"--against, a set that is not compatible with an older layout; and every binding that different resources "
	"share in conflict, by which rule, and how to repair it. What shares a binding legally, or doubtfully, is "
	"shown with -v, or is a warning.",
    .prints = true,
    .want = want,
    .report = report,
};
