/* SPDX-License-Identifier: Apache-2.0 */
/* main: files in, one program, files out. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

static int exit_of(spb_status status)
{
	switch (status) {
	case SPB_OK:
		return EXIT_DONE;
	case SPB_ERROR_OUT_OF_MEMORY:
		fputs("spirv-bind: out of memory\n", stderr);
		return EXIT_IO;
	case SPB_ERROR_INTERNAL:
	case SPB_ERROR_INVALID_ARGUMENT:
		fputs("spirv-bind: internal error; please report this\n", stderr);
		return EXIT_REFUSED;
	case SPB_ERROR_INVALID_SPIRV:
	case SPB_ERROR_UNSUPPORTED:
	case SPB_ERROR_CONFLICT:
	case SPB_ERROR_VALIDATION:
		break;
	}
	return EXIT_REFUSED;
}

static int add_input(spb_program *program, const char *path)
{
	size_t size;
	unsigned char *bytes = read_file(path, &size);
	const char *name = strcmp(path, "-") ? path : "<stdin>";
	int status;

	if (!bytes)
		return EXIT_IO;
	if (size % 4 && size < (size_t)1 << 32) {
		bool text =
		    size > 4 && bytes[0] != 0x03 && bytes[0] != 0x07 && !memchr(bytes, 0, size < 4096 ? size : 4096);
		fprintf(stderr, "%s: error: [SPB1001] %zu bytes are no whole number of words; %s\n", name, size,
			text ? "this looks like text: compile or assemble it first"
			     : "the file is cut off or not SPIR-V");
		status = EXIT_REFUSED;
	} else {
		status =
		    exit_of(spb_program_add_module(program, name, (const uint32_t *)(const void *)bytes, size / 4));
	}
	free(bytes);
	return status;
}

static char *join(const char *directory, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t length = strlen(directory) + strlen(base) + 2;
	char *name = malloc(length);

	if (name)
		snprintf(name, length, "%s/%s", directory, base);
	return name;
}

/* What goes where. Paths that were made are in made[] and are the caller's to free. */
static int list_outputs(const struct arguments *a, spb_program *program, struct output *outputs, size_t *count,
			char **made)
{
	*count = 0;
	if (a->out_dir && mkdir(a->out_dir, 0777) && errno != EEXIST) {
		fprintf(stderr, "spirv-bind: cannot make %s: %s\n", a->out_dir, strerror(errno));
		return EXIT_IO;
	}
	for (size_t i = 0; i < a->input_count && (a->output || a->out_dir); i++) {
		struct output o = {.path = a->output};
		size_t words;
		if (!o.path)
			o.path = made[i] = join(a->out_dir, a->inputs[i]);
		if (!o.path)
			return exit_of(SPB_ERROR_OUT_OF_MEMORY);
		o.bytes = spb_program_words(program, i, &words);
		o.size = words * sizeof(uint32_t);
		outputs[(*count)++] = o;
	}
	if (a->layout_json && !a->check && !(a->dry_run && strcmp(a->layout_json, "-") != 0)) {
		struct output o = {.path = a->layout_json};
		o.bytes = spb_program_layout_json(program, &o.size);
		if (!o.bytes)
			return exit_of(SPB_ERROR_OUT_OF_MEMORY);
		outputs[(*count)++] = o;
	}
	return EXIT_DONE;
}

static int check(const struct arguments *a, const spb_program *program)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < a->input_count; i++) {
		if (!spb_program_changed(program, i))
			continue;
		fprintf(stderr, "%s: error: not in its final form; run spirv-bind on it\n", a->inputs[i]);
		status = EXIT_DIFFERENT;
	}
	return status;
}

static int deliver(const struct arguments *a, spb_program *program)
{
	struct output *outputs = calloc(a->input_count + 1, sizeof *outputs);
	char **made = calloc(a->input_count, sizeof *made);
	size_t count = 0;
	int status = outputs && made ? EXIT_DONE : exit_of(SPB_ERROR_OUT_OF_MEMORY);

	if (status == EXIT_DONE)
		status = list_outputs(a, program, outputs, &count, made);
	if (status == EXIT_DONE && !write_outputs(outputs, count))
		status = EXIT_IO;
	for (size_t i = 0; status == EXIT_DONE && a->verbose && i < count; i++)
		fprintf(stderr, "spirv-bind: %s %s\n", outputs[i].changed ? "wrote" : "unchanged:", outputs[i].path);
	for (size_t i = 0; made && i < a->input_count; i++)
		free(made[i]);
	free(made);
	free(outputs);
	if (status == EXIT_DONE && a->print_layout)
		print_layout(program);
	if (status == EXIT_DONE && (fflush(stdout) || ferror(stdout))) {
		fprintf(stderr, "spirv-bind: cannot write to stdout: %s\n", strerror(errno));
		status = EXIT_IO;
	}
	return status;
}

static int run(const struct arguments *a, spb_program *program)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < a->input_count && status == EXIT_DONE; i++)
		status = add_input(program, a->inputs[i]);
	if (status == EXIT_DONE)
		status = exit_of(spb_program_bind(program));
	if (status == EXIT_DONE && a->check)
		status = check(a, program);
	if (status == EXIT_DONE)
		status = deliver(a, program);
	return status;
}

int main(int argc, char **argv)
{
	struct arguments a;
	struct reporter reporter = {0};
	spb_callbacks callbacks = {report_message, &reporter};
	spb_context *context = NULL;
	spb_program *program = NULL;
	int status;

	read_arguments(&a, argc, argv);
	if (a.done) {
		free(a.inputs);
		return a.done - 1;
	}
	reporter.quiet = a.quiet;
	status = exit_of(spb_context_create(NULL, &callbacks, &context));
	if (status == EXIT_DONE)
		status = exit_of(spb_program_create(context, &a.options, &program));
	if (status == EXIT_DONE)
		status = run(&a, program);
	spb_program_destroy(program);
	spb_context_destroy(context);
	free(a.inputs);
	return status;
}
