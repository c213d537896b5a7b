/* SPDX-License-Identifier: Apache-2.0 */
/* verb_layout: which resource is where, as a table or in the files that are asked for. */
#include "cli/verbs/verbs.h"

static void want(struct arguments *a)
{
	a->options.validation.which = SPB_VALIDATE_NONE;
	a->prints_table = !cli_first_layout_file(a);
	if (a->layout[LAYOUT_REPORT])
		a->options.explain = 1;
}

static int report(const struct arguments *a, const char *name, spb_program *program)
{
	int status = verb_report_lock(a, name, program);

	if (status != EXIT_DONE || !a->prints_table)
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
