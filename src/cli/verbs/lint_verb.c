/* SPDX-License-Identifier: Apache-2.0 */
/* verb_lint: reports values that have to be uniform and are not. */
#include "cli/verbs/verbs.h"

static void want(struct program_options *p)
{
	p->library.mode = SPB_MODE_LINT;
}

const struct verb verb_lint = {
    .bit = VERB_LINT,
    .name = "lint",
    .words = "INPUT...",
    .summary = "what has to be uniform and is not",
    .text =
	"Writes nothing and reports every access that lacks a NonUniform decoration: an error if its index is known to "
	"differ, a warning if nothing is known about it. Accesses that no decoration can repair, such as a divergent "
	"index into an array in push constants, are errors as well; and so are barriers, derivatives and subgroup "
	"operations in control flow that varies. The exit status is 3 if there is an error.",
    .want = want,
};
