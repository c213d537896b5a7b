/* SPDX-License-Identifier: Apache-2.0 */
/* args_manifest: which options the command line may have in addition to -m. */
#include <string.h>

#include "cli/args/args.h"
#include "cli/verbs/verbs.h"

/* What each verb requires in a run over a manifest. */
static void check_manifest_verb(struct arguments *a)
{
	const struct program_options *p = &a->program;
	const struct verb *verb = verb_of(p);

	if (p->input_count && p->verb != VERB_DECIDE)
		cli_usage(a, WORDS("the manifest lists the inputs, so ", p->inputs[0],
				   " has no place here" MSG_REMEDY "Add it to a program of the manifest."));
	else if (p->modules.base)
		cli_usage(a, WORDS("a manifest keeps the folders below its own" MSG_REMEDY "Leave out --base."));
	else if (!p->input_count && p->verb == VERB_DECIDE)
		cli_usage(a, WORDS("decide has no input" MSG_REMEDY "Name the files that collect has written."));
	else if (verb->makes_file && (!p->modules.first || p->modules.count > 1))
		cli_usage(a, WORDS(verb->name, " writes one file" MSG_REMEDY "Add -o FILE."));
	else if (verb->needs_lock && !p->lock.file)
		cli_usage(a, WORDS(verb->name, " has no lock file" MSG_REMEDY "Add --lock=FILE."));
	else if ((p->modules.first && !verb->makes_file) || p->import_count || a->run.each)
		cli_usage(
		    a, WORDS("-o, --import and --each are not for manifests, which list inputs and outputs" MSG_REMEDY
			     "Write them behind the inputs there."));
}

void arg_check_manifest_options(struct arguments *a)
{
	const struct program_options *p = &a->program;

	check_manifest_verb(a);
	if (!a->done)
		arg_check_locked(a);
	if (a->done)
		return;
	if (p->verb == VERB_CHECK && p->layout.against && (a->run.shards || a->run.programs))
		cli_usage(a, WORDS("--against is about the sets that all programs of a manifest share" MSG_REMEDY
				   "Leave out --programs and --shard."));
	else if (arg_is_stdout(p->lock.file))
		cli_usage(a, WORDS("--lock takes neither stdin nor stdout" MSG_REMEDY "Give a file."));
	else if (p->layout.files[LAYOUT_GLSL] && !strchr(p->layout.files[LAYOUT_GLSL], '%'))
		cli_usage(a, WORDS("each program has its own layout, but --layout-glsl names one file" MSG_REMEDY
				   "Put a % into its name, as in --layout-glsl=layouts/%.glsl."));
}
