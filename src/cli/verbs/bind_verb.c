/* SPDX-License-Identifier: Apache-2.0 */
/* verb_bind: the main job. */
#include "cli/verbs/verbs.h"

static void want(struct program_options *p)
{
	if (p->layout.files[LAYOUT_REPORT])
		p->library.explain = 1;
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
    .writes_modules = true,
    .writes_layouts = true,
    .want = want,
    .report = verb_report_lock,
};
