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
		cli_usage(a, WORDS("the manifest lists the inputs; what is ", p->inputs[0], " for?"));
	else if (p->modules.base)
		cli_usage(a, WORDS("a manifest keeps the folders below its own; leave out --base"));
	else if (!p->input_count && p->verb == VERB_DECIDE)
		cli_usage(a, WORDS("decide needs the files that collect has written"));
	else if (verb->makes_file && (!p->modules.first || p->modules.count > 1))
		cli_usage(a, WORDS(verb->name, " needs -o FILE"));
	else if (verb->needs_lock && !p->lock.file)
		cli_usage(a, WORDS(verb->name, " needs --lock=FILE"));
	else if ((p->modules.first && !verb->makes_file) || p->import_count || a->run.each)
		cli_usage(
		    a,
		    WORDS("-o, --import and --each are not for manifests, which list inputs and outputs themselves"));
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
		cli_usage(a, WORDS("--against is about the sets that all programs of the manifest share"));
	else if (arg_is_stdout(p->lock.file))
		cli_usage(a, WORDS("--lock needs a file, not stdin or stdout"));
	else if (p->layout.files[LAYOUT_GLSL] && !strchr(p->layout.files[LAYOUT_GLSL], '%'))
		cli_usage(a, WORDS("each program has its own layout: put a % into the file name, as in "
				   "--layout-glsl=layouts/%.glsl"));
}
