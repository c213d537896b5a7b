/* SPDX-License-Identifier: Apache-2.0 */
/* args_files: no file of a run may have two uses, and the standard output takes one thing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"
#include "cli/verbs/verbs.h"

bool arg_is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A file of HLSL may be compiled for several entry points. */
static bool is_another_part(const struct program_options *p, const char *a, const char *b)
{
	const struct source_part x = cli_part_of(p, a), y = cli_part_of(p, b);
	const char *x_entry = x.entry ? x.entry : "main", *y_entry = y.entry ? y.entry : "main";

	return cli_is_shader(p, a) &&
	       (strcmp(x_entry, y_entry) != 0 || (x.stage && y.stage && strcmp(x.stage, y.stage) != 0));
}

static void check_base(struct arguments *a)
{
	const struct program_options *p = &a->program;

	for (size_t i = 0; i < p->input_count && p->modules.base && !a->done; i++) {
		if (!cli_path_below(p->modules.base, p->inputs[i]))
			cli_usage(a, WORDS("the input ", p->inputs[i], " is not below --base=", p->modules.base,
					   MSG_REMEDY "Give a folder that has all inputs."));
	}
}

static void check_folder_names(struct arguments *a)
{
	const struct program_options *p = &a->program;
	char **names = calloc(p->input_count, sizeof *names);
	bool whole = names != NULL;

	for (size_t i = 0; whole && i < p->input_count; i++)
		whole = (names[i] = cli_path_in(p, p->inputs[i])) != NULL;
	if (whole)
		qsort(names, p->input_count, sizeof *names, by_string);
	else
		cli_no_memory(a);
	for (size_t i = 1; i < p->input_count && !a->done; i++) {
		if (!strcmp(names[i - 1], names[i]))
			cli_usage(a, WORDS("two inputs would be written to the same file, ", names[i],
					   MSG_REMEDY "Keep their folders with --base=DIR, or give one -o for each."));
	}
	for (size_t i = 0; names && i < p->input_count; i++)
		free(names[i]);
	free(names);
}

/* Two inputs must not be written to the same file, nor the same file be given twice. */
static void check_names(struct arguments *a)
{
	const struct program_options *p = &a->program;
	const char **inputs = malloc(p->input_count * sizeof *inputs);

	if (!inputs) {
		cli_no_memory(a);
		return;
	}
	for (size_t i = 0; i < p->input_count; i++)
		inputs[i] = p->inputs[i];
	qsort(inputs, p->input_count, sizeof *inputs, by_string);
	for (size_t i = 1; i < p->input_count && !a->done; i++) {
		if (!strcmp(inputs[i - 1], inputs[i]) && !is_another_part(p, inputs[i - 1], inputs[i]))
			cli_usage(a, WORDS("the same input is given twice: ", inputs[i], MSG_REMEDY "Leave one out."));
	}
	free(inputs);
	check_base(a);
	if (p->modules.folder && !a->done)
		check_folder_names(a);
	for (size_t i = 0; i < p->modules.count && !a->done; i++) {
		for (size_t k = 0; k < p->input_count && !a->done; k++) {
			if (cli_is_source(p, p->inputs[k]) && cli_is_same_file(p->modules.files[i], p->inputs[k]))
				cli_usage(a, WORDS("-o would overwrite the source text ", p->inputs[k],
						   MSG_REMEDY "Give the module another name."));
		}
	}
}

/* Of several -o: no module may be written over another one, or over the input of another one. */
static void check_outputs(struct arguments *a)
{
	const struct program_options *p = &a->program;

	for (size_t i = 0; i < p->modules.count && p->modules.count > 1 && !a->done; i++) {
		const char *path = p->modules.files[i];
		char *resolved = cli_resolve_path(path);
		if (!resolved)
			cli_no_memory(a);
		if (arg_is_stdout(path))
			cli_usage(a, WORDS("one of several -o is stdout, which takes a single module" MSG_REMEDY
					   "Give files."));
		for (size_t k = 0; k < p->modules.count && !a->done; k++) {
			if (k < i && cli_leads_to(p->modules.files[k], resolved) && strcmp(path, "/dev/null") != 0)
				cli_usage(a, WORDS("two modules would be written to the same file, ", path,
						   MSG_REMEDY "Give each -o another name."));
			else if (k != i && strcmp(p->inputs[k], "-") != 0 && cli_leads_to(p->inputs[k], resolved))
				cli_usage(a, WORDS("-o ", path,
						   " would overwrite an input that has another -o" MSG_REMEDY
						   "Give them in the order of the inputs."));
		}
		free(resolved);
	}
}

/* No other output may overwrite an input or a module, and no module may overwrite it. `what`: "the layout", say. */
static void check_side_output(struct arguments *a, const char *what, const char *side)
{
	const struct program_options *p = &a->program;

	if (arg_is_stdout(side))
		return;
	char *resolved = cli_resolve_path(side);
	if (!resolved) {
		cli_no_memory(a);
		return;
	}
	for (size_t i = 0; i < p->modules.count && !a->done; i++) {
		if (cli_leads_to(p->modules.files[i], resolved) && strcmp(p->modules.files[i], "/dev/null") != 0)
			cli_usage(a, WORDS("the module and ", what, " would be written to the same file, ",
					   p->modules.files[i], MSG_REMEDY "Give one another name."));
	}
	for (size_t i = 0; i < p->input_count && !a->done; i++) {
		const char *input = p->inputs[i];
		char *path = p->modules.folder ? cli_path_in(p, input) : NULL;
		if (strcmp(input, "-") != 0 && cli_leads_to(input, resolved))
			cli_usage(a,
				  WORDS(what, " would overwrite the input ", input, MSG_REMEDY "Give another name."));
		else if (path && cli_leads_to(path, resolved))
			cli_usage(a, WORDS("a module and ", what, " would be written to the same file, ", path,
					   MSG_REMEDY "Give one another name."));
		free(path);
	}
	free(resolved);
}

static void check_side_outputs(struct arguments *a)
{
	const struct program_options *p = &a->program;

	for (int i = 0; i < LAYOUT_FILES && !a->run.each; i++) {
		if (p->layout.files[i] && !a->done)
			check_side_output(a, "the layout", p->layout.files[i]);
		for (int k = 0; k < i && p->layout.files[i] && !a->done; k++) {
			if (p->layout.files[k] && cli_is_same_file(p->layout.files[k], p->layout.files[i]))
				cli_usage(a, WORDS("two forms of the layout would be written to the same file, ",
						   p->layout.files[i], MSG_REMEDY "Give one another name."));
		}
	}
	if (p->lock.file && !a->done)
		check_side_output(a, "the lock file", p->lock.file);
	if (a->run.depfile && !a->done)
		check_side_output(a, "the file of --depfile", a->run.depfile);
	if (a->run.stamp && !a->done)
		check_side_output(a, "the file of --stamp", a->run.stamp);
	if (a->messages.diagnostics_file && !a->done)
		check_side_output(a, "the messages", a->messages.diagnostics_file);
	for (int i = 0; i < LAYOUT_FILES && p->lock.file; i++) {
		if (p->layout.files[i] && !a->done && cli_is_same_file(p->lock.file, p->layout.files[i]))
			cli_usage(a, WORDS("the layout and the lock file would be written to the same file, ",
					   p->lock.file, MSG_REMEDY "Give one another name."));
	}
}

/* Dumps must not overwrite a module either. */
static void check_dumps(struct arguments *a)
{
	const struct program_options *p = &a->program;

	if (!p->library.debug.dump_after)
		return;
	if (!cli_dumps_to_files(p) && (p->input_count > 1 || arg_is_stdout(p->modules.first)))
		cli_usage(a, WORDS("--dump-after writes next to the outputs, and there are none" MSG_REMEDY
				   "Give -o FILE or --out-dir=DIR."));
	for (size_t i = 0; i < p->input_count && cli_dumps_to_files(p) && !a->done; i++) {
		char *path = cli_dump_path(p, i);
		if (path)
			check_side_output(a, "the dump", path);
		free(path);
	}
}

static void check_inputs(struct arguments *a)
{
	const struct program_options *p = &a->program;

	for (size_t i = 0; i < p->input_count && !a->done; i++) {
		if (p->modules.folder && !strcmp(p->inputs[i], "-"))
			cli_usage(a, WORDS("--out-dir needs file names, and stdin has none" MSG_REMEDY "Use -o FILE."));
	}
}

/* The standard output takes one thing: a module, the layout as JSON, a dump, or reports. */
static void check_stdout(struct arguments *a)
{
	const struct program_options *p = &a->program;
	bool prints = verb_prints(p);
	bool dumps = p->library.debug.dump_after && !cli_dumps_to_files(p);
	int layouts = 0;
	const char *option = NULL;

	for (int i = 0; i < LAYOUT_FILES; i++) {
		if (arg_is_stdout(p->layout.files[i])) {
			layouts++;
			option = cli_layout_option((enum layout_file)i);
		}
	}

	if (arg_is_stdout(p->modules.first) && (layouts || prints))
		cli_usage(a, WORDS("the module goes to stdout, so the layout cannot be printed there" MSG_REMEDY
				   "Use -o FILE."));
	else if (prints && layouts)
		cli_usage(a, WORDS(option, "=- and a printed report cannot both go to stdout" MSG_REMEDY "Give ",
				   option, " a file."));
	else if (layouts > 1)
		cli_usage(a, WORDS("only one form of the layout can go to stdout" MSG_REMEDY "Give the others files."));
	else if (dumps && (prints || layouts))
		cli_usage(a, WORDS("stdout is taken by the dump of --dump-after" MSG_REMEDY
				   "Give -o FILE or --out-dir=DIR."));
}

static void check_module_files(struct arguments *a)
{
	const struct program_options *p = &a->program;

	if (!p->modules.first && !p->modules.folder && !p->library.debug.dump_after)
		cli_usage(a, WORDS("there is no output" MSG_REMEDY "Give -o FILE or --out-dir=DIR."));
	else if (p->modules.first && p->modules.folder)
		cli_usage(a, WORDS("-o and --out-dir exclude each other" MSG_REMEDY "Leave one out."));
	else if (p->modules.base && !p->modules.folder)
		cli_usage(a, WORDS("--base is about the names in --out-dir" MSG_REMEDY "Add --out-dir=DIR."));
	else if (p->modules.first && p->input_count != p->modules.count && !a->run.each)
		cli_usage(a, WORDS(p->modules.count > 1 ? "the number of -o is not that of the inputs" MSG_REMEDY
							  "Give one for each input, in the same order."
							: "-o takes a single input" MSG_REMEDY
							  "Give one -o for each input, or --out-dir=DIR."));
}

static void check_verb(struct arguments *a)
{
	const struct verb *verb = verb_of(&a->program);

	if (verb->is_of_manifest)
		cli_usage(a, WORDS(verb->name, " is about the programs of a manifest" MSG_REMEDY "Add -m MANIFEST."));
	else if (verb->needs_lock && !a->program.lock.file)
		cli_usage(a, WORDS(verb->name, " has no lock file" MSG_REMEDY "Add --lock=FILE."));
	else if (verb->writes_modules)
		check_module_files(a);
}

void arg_check_locked(struct arguments *a)
{
	const struct program_options *p = &a->program;

	if ((p->lock.locked || p->library.layout.update_lock) && !p->lock.file)
		cli_usage(a, WORDS("--locked and --update-lock are about a lock file" MSG_REMEDY "Add --lock=FILE."));
	else if (p->lock.locked && p->library.layout.update_lock)
		cli_usage(a, WORDS("--locked and --update-lock exclude each other" MSG_REMEDY "Leave one out."));
}

static void check_lock(struct arguments *a)
{
	if (arg_is_stdout(a->program.lock.file))
		cli_usage(a, WORDS("--lock takes neither stdin nor stdout" MSG_REMEDY "Give a file."));
	else
		arg_check_locked(a);
}

/* The files of one program that make could have as targets. */
static bool has_targets(const struct program_options *p)
{
	bool any = verb_of(p)->writes_modules && (p->modules.first || p->modules.folder);

	for (int i = 0; i < LAYOUT_FILES && verb_of(p)->writes_layouts; i++)
		any |= p->layout.files[i] && !arg_is_stdout(p->layout.files[i]);
	return any;
}

void arg_check_depfile(struct arguments *a)
{
	const struct program_options *p = &a->program;
	bool many = a->run.each || a->run.manifest;

	if (!a->run.depfile)
		return;
	if (!strcmp(a->run.depfile, "-"))
		cli_usage(a, WORDS("--depfile does not take stdout" MSG_REMEDY "Give a file."));
	else if (!a->run.stamp && (many || !has_targets(p)))
		cli_usage(
		    a, WORDS("no file is made that the rule of --depfile could name" MSG_REMEDY "Add --stamp=FILE."));
	else if (!a->run.stamp && !p->modules.folder && p->modules.first && !strcmp(p->modules.first, "-"))
		cli_usage(a, WORDS("the output goes to stdout, which the rule of --depfile cannot name" MSG_REMEDY
				   "Use -o FILE, or add --stamp=FILE."));
}

void arg_check_files(struct arguments *a)
{
	void (*const checks[])(struct arguments * a) = {
	    check_verb,   arg_check_batch_options, check_stdout,      check_lock, check_names, check_outputs,
	    check_inputs, check_side_outputs,      arg_check_depfile, check_dumps};

	for (size_t i = 0; i < SPB_COUNT(checks) && !a->done; i++)
		checks[i](a);
}
