/* SPDX-License-Identifier: Apache-2.0 */
/* verb_bind: the main job. */
#include "cli/args.h"
#include "cli/jobs/jobs.h"

static void want(struct arguments *a)
{
	if (a->layout[LAYOUT_REPORT])
		a->options.explain = 1;
}

static void check(struct arguments *a)
{
	if (!a->output && !a->out_dir && !a->options.debug.dump_after)
		arg_usage(a, WORDS("no output: give -o FILE or --out-dir=DIR"));
	else
		arg_check_module_files(a);
}

const struct verb verb_bind = {
    .bit = VERB_BIND,
    .name = "bind",
    .words = "INPUT... (-o FILE | --out-dir=DIR)",
    .summary = "number resources, lower handles, mark accesses, validate",
    .text =
	"Assigns a descriptor set and a binding to every resource of SPIR-V modules, rewrites dereferences of "
	"DescriptorHandles into descriptor-array accesses, decorates divergent accesses NonUniform, and validates the "
	"result. All inputs form one program, which has one pipeline layout. The verb may be left out.",
    .want = want,
    .check = check,
    .report = cli_report_lock,
};
