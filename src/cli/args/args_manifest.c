/* SPDX-License-Identifier: Apache-2.0 */
/* args_manifest: what the command line may say beside -m. */
#include <string.h>

#include "cli/args/args.h"
#include "cli/verbs/verbs.h"

static bool is_printed(const char *path)
{
	return path && !strcmp(path, "-");
}

/* What verbs need of a manifest's run. */
static void check_manifest_verb(struct arguments *a)
{
	const struct verb *verb = verb_of(a);

	if (a->input_count && a->verb != VERB_DECIDE)
		cli_usage(a, WORDS("the manifest lists the inputs; what is ", a->inputs[0], " for?"));
	else if (!a->input_count && a->verb == VERB_DECIDE)
		cli_usage(a, WORDS("decide needs the files that collect has written"));
	else if (verb->makes_file && (!a->output || a->output_count > 1))
		cli_usage(a, WORDS(verb->name, " needs -o FILE"));
	else if (verb->needs_lock && !a->lock)
		cli_usage(a, WORDS(verb->name, " needs --lock=FILE"));
	else if ((a->output && !verb->makes_file) || a->import_count || a->each)
		cli_usage(
		    a,
		    WORDS("-o, --import and --each are not for manifests, which list inputs and outputs themselves"));
}

void arg_check_manifest_options(struct arguments *a)
{
	bool writes_lock = a->options.layout.update_lock;

	check_manifest_verb(a);
	if (a->done)
		return;
	if ((a->locked || writes_lock) && !a->lock)
		cli_usage(a, WORDS("--locked and --update-lock need --lock=FILE"));
	else if (a->locked && writes_lock)
		cli_usage(a, WORDS("--locked and --update-lock exclude each other"));
	else if (a->verb == VERB_CHECK && a->against && (a->shards || a->programs))
		cli_usage(a, WORDS("--against is about the sets that all programs of the manifest share"));
	else if (a->layout[LAYOUT_HEADER] || a->layout[LAYOUT_GLSL])
		cli_usage(a, WORDS("--layout-header and --layout-glsl are about one program; give them in the "
				   "manifest, on its line"));
	else if (is_printed(a->lock))
		cli_usage(a, WORDS("--lock needs a file, not stdin or stdout"));
}
