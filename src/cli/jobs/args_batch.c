/* SPDX-License-Identifier: Apache-2.0 */
/* args_batch: which options make sense for many programs, and where the files of each of them are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/jobs/jobs.h"

/* A number that follows at once, as in -j8. */
void job_read_threads(struct arguments *a, const struct option *o, const char *value)
{
	enum { MOST = 1024 };
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (value[0] < '0' || *end || !n || n > MOST) /* no sign, and no space */
		arg_refuse_value(a, o, "a number from 1 to 1024", value);
	else
		a->threads = (unsigned)n;
}

/* "layouts/%.json" */
static bool has_mark(const char *pattern)
{
	return strchr(pattern, '%') != NULL;
}

char *job_expand_pattern(const char *pattern, const char *name)
{
	const char *mark = strchr(pattern, '%'), *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	size_t length = strlen(pattern) + strlen(base) + 1;
	char *path = malloc(length);

	if (path && mark)
		snprintf(path, length, "%.*s%s%s", (int)(mark - pattern), pattern, base, mark + 1);
	else if (path)
		memcpy(path, pattern, strlen(pattern) + 1);
	return path;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The modules, and the files that the pattern stands for, are all different. */
static void check_pattern(struct arguments *a, const char *pattern)
{
	struct batch b;
	bool ok = job_list_programs(&b, a);
	size_t room = ok ? b.count + b.input_count + 1 : 1, count = 0;
	char **paths = calloc(room, sizeof *paths);

	for (size_t i = 0; ok && paths && i < b.count; i++)
		paths[count++] = job_expand_pattern(pattern, b.jobs[i].name);
	for (size_t i = 0; ok && paths && i < a->input_count; i++)
		paths[count++] = a->out_dir ? cli_path_in(a->out_dir, a->inputs[i]) : strdup(a->inputs[i]);
	for (size_t i = 0; i < count; i++)
		ok &= paths[i] != NULL;
	if (!ok || !paths) {
		arg_no_memory(a);
	} else {
		qsort(paths, count, sizeof *paths, by_text);
		for (size_t i = 1; i < count && !a->done; i++) {
			if (!strcmp(paths[i - 1], paths[i]))
				arg_usage(a, WORDS("two outputs would be written to the same file: ", paths[i]));
		}
	}
	for (size_t i = 0; paths && i < count; i++)
		free(paths[i]);
	free(paths);
	job_free_programs(&b);
}

void job_check_batch_options(struct arguments *a)
{
	if (!a->each) {
		if (a->cache)
			arg_usage(a, WORDS("--cache=DIR needs --each or -m"));
		return;
	}
	if (a->output)
		arg_usage(a, WORDS("-o takes one module, and --each writes many; use --out-dir=DIR"));
	else if (a->lock)
		arg_usage(a, WORDS("--lock=FILE is the lock of one program; --each has many"));
	else if (a->import_count && a->out_dir)
		arg_usage(a, WORDS("--import with --each and --out-dir: each program would write the imported module; "
				   "bind such programs one by one"));
	else if (a->verb == VERB_CHECK && a->against && !has_mark(a->against))
		arg_usage(a, WORDS("--each has a layout for each program: put a % into the file name, as in "
				   "--against=layouts/%.json"));
	else if (a->cache && a->options.debug.dump_after)
		arg_usage(a, WORDS("--cache keeps no dumps; leave out --cache or --dump-after"));
	for (size_t i = 0; i < a->input_count && !a->done; i++) {
		if (!strcmp(a->inputs[i], "-"))
			arg_usage(a, WORDS("--each needs the names of files, and stdin has none"));
	}
	for (int i = 0; i < LAYOUT_FILES && !a->done; i++) {
		const char *option = cli_layout_option((enum layout_file)i);
		if (!a->layout[i] || !strcmp(a->layout[i], "-"))
			continue;
		if (!has_mark(a->layout[i]))
			arg_usage(a, WORDS("--each has a layout for each program: put a % into the file name, as in ",
					   option, "=layouts/%",
					   i == LAYOUT_JSON     ? ".json"
					   : i == LAYOUT_HEADER ? ".h"
					   : i == LAYOUT_REPORT ? ".html"
								: ".glsl"));
		else
			check_pattern(a, a->layout[i]);
	}
}
