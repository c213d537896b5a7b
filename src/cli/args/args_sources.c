/* SPDX-License-Identifier: Apache-2.0 */
/* args_sources: how inputs in GLSL and HLSL are compiled: -I and -D for all of them, -S and -e for those after it. */
#include <string.h>

#include "cli/args/args.h"

void arg_add_include_path(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->program.sources.include_paths[a->program.sources.include_path_count++] = value;
}

void arg_add_macro(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->program.sources.macros[a->program.sources.macro_count++] = value;
}

void arg_read_stage(struct arguments *a, const struct option *o, const char *value)
{
	const char *stage = cli_stage_of_extension(value, strlen(value));

	if (!stage)
		arg_refuse_choice(a, o, value);
	a->program.sources.last.stage = stage;
	a->program.sources.last.input = NULL;
}

static void want_entry(struct arguments *a, const char *name)
{
	struct spb_option_reader r = arg_option_reader(a);

	if (!spb_option_read(&r, spb_option_find("entry"), name))
		cli_no_memory(a);
}

void arg_read_entry(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	want_entry(a, value);
	a->program.sources.last.entry = value;
	a->program.sources.last.input = NULL;
}

const char *arg_name_input(struct arguments *a, const char *input)
{
	struct source_options *o = &a->program.sources;

	o->last.input = input;
	o->parts[o->part_count++] = o->last;
	return input;
}

void arg_add_import(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->program.imports[a->program.import_count++] = arg_name_input(a, value);
}

static void check_source(struct arguments *a, const char *input)
{
	const struct program_options *p = &a->program;
	const struct source_part part = cli_part_of(p, input);
	bool hlsl;
	const char *stage = cli_stage_in_name(input, &hlsl);

	if (!cli_is_shader(p, input))
		return;
	if (stage && part.stage && strcmp(stage, part.stage) != 0)
		cli_usage(a, WORDS("-S ", part.stage, ": the name of ", input, " says ", stage,
				   MSG_REMEDY "-S is for the inputs after it whose names say no stage."));
	else if (!hlsl && part.entry && strcmp(part.entry, "main") != 0)
		cli_usage(a, WORDS("-e ", part.entry, ": the entry point of ", input,
				   " is main, as in all GLSL" MSG_REMEDY "-e is for the inputs in HLSL after it."));
}

void arg_check_sources(struct arguments *a)
{
	const struct program_options *p = &a->program;
	bool has_main = !p->library.layout.entry_count;

	for (size_t i = 0; i < p->input_count && !a->done; i++) {
		check_source(a, p->inputs[i]);
		if (has_main || cli_part_of(p, p->inputs[i]).entry || !cli_is_shader(p, p->inputs[i]))
			continue;
		want_entry(a, "main"); /* the default */
		has_main = true;
	}
}
