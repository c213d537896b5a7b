/* SPDX-License-Identifier: Apache-2.0 */
/* dump: the modules as they are after the pass of --dump-after. They are no outputs of the program: a program that is
 * refused later leaves them, because that is when they are wanted. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

bool cli_dumps_to_files(const struct arguments *a)
{
	return a->out_dir || (a->output && strcmp(a->output, "-") != 0);
}

char *cli_dump_path(const struct arguments *a, size_t input)
{
	const char *pass = a->options.debug.dump_after;
	char *made = a->output ? NULL : cli_path_in(a->out_dir, a->inputs[input]), *path = NULL;
	const char *output = a->output ? a->outputs[input] : made;
	size_t length = output ? strlen(output) + strlen(pass) + 6 : 0;

	if (output)
		path = malloc(length);
	if (path)
		snprintf(path, length, "%s.%s.spv", output, pass);
	free(made);
	return path;
}

static bool make_directory(const struct arguments *a)
{
	unsigned made;

	if (!a->out_dir || cli_make_path(a->out_dir, &made))
		return true;
	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot create the directory ", a->out_dir, ": ", strerror(errno)));
	return false;
}

int cli_write_dumps(const struct arguments *a, const spb_program *program)
{
	bool files = cli_dumps_to_files(a), fits = true;
	size_t modules = a->input_count, count = 0;
	struct output *outputs = calloc(modules + 1, sizeof *outputs);
	char **paths = calloc(modules + 1, sizeof *paths);

	for (size_t i = 0; outputs && paths && i < modules && fits; i++) {
		struct output o = {.path = "-"};
		size_t words;
		o.bytes = spb_program_words(program, i, SPB_WORDS_DUMP, &words);
		o.size = words * sizeof(uint32_t);
		if (!o.bytes) /* refused before that pass */
			continue;
		if (files)
			o.path = paths[i] = cli_dump_path(a, i);
		fits = o.path != NULL;
		outputs[count++] = o;
	}
	if (!outputs || !paths || !fits)
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	bool done = outputs && paths && fits && (!count || (make_directory(a) && cli_write_outputs(outputs, count)));
	for (size_t i = 0; paths && i < modules; i++)
		free(paths[i]);
	free(paths);
	free(outputs);
	return done ? EXIT_DONE : EXIT_IO;
}
