/* SPDX-License-Identifier: Apache-2.0 */
/* verb_pass: runs selected passes, for development. */
#include "cli/verbs/verbs.h"

static void want(struct program_options *p)
{
	p->library.validation.which = SPB_VALIDATE_NONE;
}

static void check(struct arguments *a)
{
	if (!a->program.library.debug.only)
		cli_usage(a, WORDS("pass needs the names of passes" MSG_REMEDY
				   "Write, say, spirv-bind pass split-combined,assign-bindings a.spv -o b.spv."));
}

const struct verb verb_pass = {
    .bit = VERB_PASS,
    .name = "pass",
    .words = "PASS[,PASS] INPUT... (-o FILE | --out-dir=DIR)",
    .summary = "run only these passes, for work on spirv-bind",
    .text =
	"Runs only these passes, always in the order of the pipeline. The result need not be valid for Vulkan, so it "
	"is not validated.",
    .writes_modules = true,
    .want = want,
    .check = check,
};
