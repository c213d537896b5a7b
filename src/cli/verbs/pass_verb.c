/* SPDX-License-Identifier: Apache-2.0 */
/* verb_pass: some passes by themselves, for work on the tool. */
#include "cli/args.h"

static void want(struct arguments *a)
{
	if (!a->options.debug.only)
		arg_usage(a,
			  WORDS("pass needs the names of passes, as in spirv-bind pass split-combined,assign-bindings "
				"a.spv -o b.spv"));
}

static void check(struct arguments *a)
{
	if (!a->output && !a->out_dir && !a->options.debug.dump_after)
		arg_usage(a, WORDS("no output: give -o FILE or --out-dir=DIR"));
	else
		arg_check_module_files(a);
}

const struct verb verb_pass = {
    .bit = VERB_PASS,
    .name = "pass",
    .words = "PASS[,PASS] INPUT... (-o FILE | --out-dir=DIR)",
    .summary = "run only these passes, for work on spirv-bind",
    .text =
	"Runs only these passes, always in the order of the pipeline. The result need not be valid for Vulkan, so it "
	"is not validated.",
    .want = want,
    .check = check,
};
