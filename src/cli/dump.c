/* SPDX-License-Identifier: Apache-2.0 */
/* dump: the modules as they are after the pass of --dump-after. Unlike outputs, they stay if the program is refused
 * later, because that is when they are needed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

bool cli_dumps_to_files(const struct program_options *p)
{
	return p->modules.folder || (p->modules.first && strcmp(p->modules.first, "-") != 0);
}

char *cli_dump_path(const struct program_options *p, size_t input)
{
	const char *pass = p->library.debug.dump_after;
	char *made = p->modules.first ? NULL : cli_path_in(p, p->inputs[input]), *path = NULL;
	const char *output = p->modules.first ? p->modules.files[input] : made;
	size_t length = output ? strlen(output) + strlen(pass) + 6 : 0;

	if (output)
		path = malloc(length);
	if (path)
		snprintf(path, length, "%s.%s.spv", output, pass);
	free(made);
	return path;
}

static bool make_directory(const struct program_options *p)
{
	unsigned made;

	if (!p->modules.folder || cli_make_path(p->modules.folder, &made))
		return true;
	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot create the directory ", p->modules.folder, ": ", strerror(errno)));
	return false;
}

int cli_write_dumps(const struct program_options *p, const spb_program *program)
{
	bool files = cli_dumps_to_files(p), fits = true;
	size_t modules = p->input_count, count = 0;
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
			o.path = paths[i] = cli_dump_path(p, i);
		fits = o.path != NULL;
		outputs[count++] = o;
	}
	if (!outputs || !paths || !fits)
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	bool done = outputs && paths && fits &&
		    (!count || (make_directory(p) && cli_write_outputs(p->modules.folder, outputs, count)));
	for (size_t i = 0; paths && i < modules; i++)
		free(paths[i]);
	free(paths);
	free(outputs);
	return done ? EXIT_DONE : EXIT_IO;
}
