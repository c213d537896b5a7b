/* SPDX-License-Identifier: Apache-2.0 */
/* args_batch: which options make sense for many programs, and the paths of each program's files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"

/* "layouts/%.json" */
static bool has_mark(const char *pattern)
{
	return strchr(pattern, '%') != NULL;
}

/* The modules, and the files that the pattern stands for, are all different. */
static void check_pattern(struct arguments *a, const char *pattern)
{
	struct program_options *p = &a->program;
	struct each_programs b;
	bool ok = arg_list_programs(&b, a);
	size_t room = ok ? b.count + b.input_count + 1 : 1, count = 0;
	char **paths = calloc(room, sizeof *paths);

	for (size_t i = 0; ok && paths && i < b.count; i++)
		paths[count++] = arg_expand_pattern(pattern, b.items[i].name);
	for (size_t i = 0; ok && paths && i < p->input_count; i++)
		paths[count++] = p->modules.folder ? cli_path_in(p, p->inputs[i]) : strdup(p->inputs[i]);
	for (size_t i = 0; i < count; i++)
		ok &= paths[i] != NULL;
	if (!ok || !paths) {
		cli_no_memory(a);
	} else {
		qsort(paths, count, sizeof *paths, cli_by_path);
		for (size_t i = 1; i < count && !a->done; i++) {
			if (!strcmp(paths[i - 1], paths[i]))
				cli_usage(a, WORDS("two outputs would be written to the same file, ", paths[i],
						   MSG_REMEDY "Keep the folders of the inputs with --base=DIR."));
		}
	}
	for (size_t i = 0; paths && i < count; i++)
		free(paths[i]);
	free(paths);
	arg_free_programs(&b);
}

void arg_check_batch_options(struct arguments *a)
{
	const struct program_options *p = &a->program;

	if (!a->run.each)
		return;
	if (p->modules.first)
		cli_usage(a, WORDS("-o takes one module, and --each writes many" MSG_REMEDY "Use --out-dir=DIR."));
	else if (p->lock.file)
		cli_usage(a, WORDS("--lock is the lock of one program, and --each has many" MSG_REMEDY
				   "List the programs in a manifest, whose lock has them all."));
	else if (p->import_count && p->modules.folder)
		cli_usage(a, WORDS("with --import and --each, all programs would write the imported module" MSG_REMEDY
				   "Bind such programs one by one."));
	else if (p->verb == VERB_CHECK && p->layout.against && !has_mark(p->layout.against))
		cli_usage(a, WORDS("--each has a layout for each program, but --against names one file" MSG_REMEDY
				   "Put a % into its name, as in --against=layouts/%.json."));
	else if (a->run.cache && p->library.debug.dump_after)
		cli_usage(a, WORDS("--cache keeps no dumps" MSG_REMEDY "Leave out --cache or --dump-after."));
	for (size_t i = 0; i < p->input_count && !a->done; i++) {
		if (!strcmp(p->inputs[i], "-"))
			cli_usage(
			    a, WORDS("--each needs the names of files, and stdin has none" MSG_REMEDY "Name files."));
	}
	for (int i = 0; i < LAYOUT_FILES && !a->done; i++) {
		const char *option = cli_layout_option((enum layout_file)i);
		if (!p->layout.files[i] || !strcmp(p->layout.files[i], "-"))
			continue;
		if (!has_mark(p->layout.files[i]))
			cli_usage(a, WORDS("--each has a layout for each program, but ", option,
					   " names one file" MSG_REMEDY "Put a % into its name, as in ", option,
					   "=layouts/%",
					   i == LAYOUT_JSON     ? ".json"
					   : i == LAYOUT_HEADER ? ".h"
					   : i == LAYOUT_REPORT ? ".html"
								: ".glsl",
					   "."));
		else
			check_pattern(a, p->layout.files[i]);
	}
}
