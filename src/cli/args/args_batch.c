/* SPDX-License-Identifier: Apache-2.0 */
/* args_batch: which options make sense for many programs, and where the files of each of them are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"

/* "layouts/%.json" */
static bool has_mark(const char *pattern)
{
	return strchr(pattern, '%') != NULL;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The modules, and the files that the pattern stands for, are all different. */
static void check_pattern(struct arguments *a, const char *pattern)
{
	struct each_programs b;
	bool ok = arg_list_programs(&b, a);
	size_t room = ok ? b.count + b.input_count + 1 : 1, count = 0;
	char **paths = calloc(room, sizeof *paths);

	for (size_t i = 0; ok && paths && i < b.count; i++)
		paths[count++] = arg_expand_pattern(pattern, b.items[i].name);
	for (size_t i = 0; ok && paths && i < a->input_count; i++)
		paths[count++] = a->out_dir ? cli_path_in(a->out_dir, a->inputs[i]) : strdup(a->inputs[i]);
	for (size_t i = 0; i < count; i++)
		ok &= paths[i] != NULL;
	if (!ok || !paths) {
		cli_no_memory(a);
	} else {
		qsort(paths, count, sizeof *paths, by_text);
		for (size_t i = 1; i < count && !a->done; i++) {
			if (!strcmp(paths[i - 1], paths[i]))
				cli_usage(a, WORDS("two outputs would be written to the same file: ", paths[i]));
		}
	}
	for (size_t i = 0; paths && i < count; i++)
		free(paths[i]);
	free(paths);
	arg_free_programs(&b);
}

void arg_check_batch_options(struct arguments *a)
{
	if (!a->each) {
		if (a->cache)
			cli_usage(a, WORDS("--cache=DIR needs --each or -m"));
		return;
	}
	if (a->output)
		cli_usage(a, WORDS("-o takes one module, and --each writes many; use --out-dir=DIR"));
	else if (a->lock)
		cli_usage(a, WORDS("--lock=FILE is the lock of one program; --each has many"));
	else if (a->import_count && a->out_dir)
		cli_usage(a, WORDS("--import with --each and --out-dir: each program would write the imported module; "
				   "bind such programs one by one"));
	else if (a->verb == VERB_CHECK && a->against && !has_mark(a->against))
		cli_usage(a, WORDS("--each has a layout for each program: put a % into the file name, as in "
				   "--against=layouts/%.json"));
	else if (a->cache && a->options.debug.dump_after)
		cli_usage(a, WORDS("--cache keeps no dumps; leave out --cache or --dump-after"));
	for (size_t i = 0; i < a->input_count && !a->done; i++) {
		if (!strcmp(a->inputs[i], "-"))
			cli_usage(a, WORDS("--each needs the names of files, and stdin has none"));
	}
	for (int i = 0; i < LAYOUT_FILES && !a->done; i++) {
		const char *option = cli_layout_option((enum layout_file)i);
		if (!a->layout[i] || !strcmp(a->layout[i], "-"))
			continue;
		if (!has_mark(a->layout[i]))
			cli_usage(a, WORDS("--each has a layout for each program: put a % into the file name, as in ",
					   option, "=layouts/%",
					   i == LAYOUT_JSON     ? ".json"
					   : i == LAYOUT_HEADER ? ".h"
					   : i == LAYOUT_REPORT ? ".html"
								: ".glsl"));
		else
			check_pattern(a, a->layout[i]);
	}
}
