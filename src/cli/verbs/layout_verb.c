/* SPDX-License-Identifier: Apache-2.0 */
/* verb_layout: which resource is where, as a table or in files. */
#include "cli/verbs/verbs.h"

static void want(struct program_options *p)
{
	p->library.validation.which = SPB_VALIDATE_NONE;
	p->layout.prints_table = !cli_first_layout_file(&p->layout);
	if (p->layout.files[LAYOUT_REPORT])
		p->library.explain = 1;
}

static int report(const struct program_options *p, const char *name, spb_program *program)
{
	int status = verb_report_lock(p, name, program);

	if (status != EXIT_DONE || !p->layout.prints_table)
		return status;
	cli_print_layout(program);
	return msg_flush();
}

const struct verb verb_layout = {
    .bit = VERB_LAYOUT,
    .name = "layout",
    .words = "INPUT...",
    .summary = "which resource is where: a table, JSON, headers, a page",
    .text =
	"Prints the layout that bind gives the program as a table: set, binding, count ([] for a runtime array), type "
	"and name; or writes it in the forms that are asked for, to files or, where the value is left out, to the "
	"standard output. Writes no module and validates nothing.",
    .writes_layouts = true,
    .want = want,
    .report = report,
};
