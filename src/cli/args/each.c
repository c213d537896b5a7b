/* SPDX-License-Identifier: Apache-2.0 */
/* each: the inputs of the command line as many programs.
 *
 *     --each          each input is a program
 *     --each=stem     inputs of one name are: lit.vert.spv and lit.frag.spv are stages of "lit"; a compute shader,
 *                     which is alone in its pipeline, is a separate program
 *
 * Imported modules belong to every program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"

char *arg_expand_pattern(const char *pattern, const char *name)
{
	const char *base = cli_base_of(name);
	const size_t length = strlen(base);
	size_t room = strlen(pattern) + 1;

	for (const char *mark = pattern; (mark = strchr(mark, '%')); mark++)
		room += length;
	char *path = malloc(room), *to = path;
	for (; path && *pattern; pattern++) {
		if (*pattern != '%') {
			*to++ = *pattern;
			continue;
		}
		memcpy(to, base, length);
		to += length;
	}
	if (path)
		*to = '\0';
	return path;
}

/* The length without .spv, and for a stem also without the extensions of language and stage. */
static size_t name_length(const char *path, bool stem)
{
	const char *base = cli_base_of(path);
	size_t length = cli_without(base, strlen(base), ".spv"), dot;
	const size_t shader = cli_without(base, cli_without(base, length, ".hlsl"), ".glsl");

	for (dot = shader; dot && base[dot - 1] != '.'; dot--)
		continue;
	if (stem && dot > 1 && cli_stage_of_extension(base + dot, shader - dot))
		length = dot - 1;
	return (size_t)(base - path) + length;
}

static bool is_compute(const char *path, size_t stem, size_t whole)
{
	const char *extension = path + stem + 1;
	const char *stage = whole > stem ? cli_stage_of_extension(extension, strcspn(extension, ".")) : NULL;

	return stage && !strcmp(stage, "comp");
}

struct named {
	const char *path;
	size_t length; /* of the name, which the path begins with */
	size_t number; /* of the input */
	size_t first;  /* the number of the first input of this name */
};

static int compare(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int by_name(const void *one, const void *other)
{
	const struct named *a = one, *b = other;
	int order = memcmp(a->path, b->path, a->length < b->length ? a->length : b->length);

	order = order ? order : compare(a->length, b->length);
	return order ? order : compare(a->number, b->number);
}

static bool is_same_name(const struct named *a, const struct named *b)
{
	return a->length == b->length && !memcmp(a->path, b->path, a->length);
}

static int by_place(const void *one, const void *other)
{
	const struct named *a = one, *b = other;
	int order = compare(a->first, b->first);

	return order ? order : compare(a->number, b->number);
}

/* Makes one program of inputs of one name, and a separate one of each compute shader among other stages. */
static void join_stages(struct named *inputs, size_t count)
{
	const struct named *first = NULL;

	for (size_t i = 0; i < count; i++) {
		const size_t whole = name_length(inputs[i].path, false);
		if (is_compute(inputs[i].path, inputs[i].length, whole) && count > 1)
			inputs[i].length = whole;
		else
			first = first ? first : &inputs[i];
		inputs[i].first = first && first->length == inputs[i].length ? first->number : inputs[i].number;
	}
}

/* Inputs of a program are adjacent, programs in the order of their first inputs. */
static struct named *sort_inputs(const struct arguments *a, size_t count)
{
	struct named *inputs = calloc(count + 1, sizeof *inputs);
	bool stem = a->run.each == BATCH_STEMS;

	for (size_t i = 0; inputs && i < count; i++)
		inputs[i] = (struct named){a->program.inputs[i], name_length(a->program.inputs[i], stem), i, i};
	if (!inputs || !stem)
		return inputs;
	qsort(inputs, count, sizeof *inputs, by_name);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && is_same_name(&inputs[i], &inputs[end]); end++)
			continue;
		join_stages(&inputs[i], end - i);
	}
	qsort(inputs, count, sizeof *inputs, by_place);
	return inputs;
}

/* Adds the inputs of one program to b->inputs, and the program itself. */
static bool add_program(struct each_programs *b, const struct arguments *a, const struct named *inputs, size_t count)
{
	const struct program_options *p = &a->program;
	struct each_program *program = &b->items[b->count++];
	char *name = malloc(inputs->length + 1);

	*program = (struct each_program){name, b->inputs + b->input_count, count + p->import_count};
	if (!name)
		return false;
	memcpy(name, inputs->path, inputs->length);
	name[inputs->length] = '\0';
	for (size_t i = 0; i < count; i++)
		b->inputs[b->input_count++] = inputs[i].path;
	for (size_t i = 0; i < p->import_count; i++)
		b->inputs[b->input_count++] = p->imports[i];
	return true;
}

bool arg_list_programs(struct each_programs *b, const struct arguments *a)
{
	const struct program_options *p = &a->program;
	size_t count = p->input_count - p->import_count;
	struct named *inputs = sort_inputs(a, count);
	bool ok;

	*b = (struct each_programs){.items = calloc(count + 1, sizeof *b->items)};
	b->inputs = calloc(count * (p->import_count + 1) + 1, sizeof *b->inputs);
	ok = inputs && b->items && b->inputs;
	for (size_t i = 0, end; ok && i < count; i = end) {
		for (end = i + 1; end < count && inputs[end].first == inputs[i].first; end++)
			continue;
		ok = add_program(b, a, &inputs[i], end - i);
	}
	free(inputs);
	return ok;
}

void arg_free_programs(struct each_programs *b)
{
	for (size_t i = 0; i < b->count; i++)
		free(b->items[i].name);
	free(b->items);
	free(b->inputs);
}
