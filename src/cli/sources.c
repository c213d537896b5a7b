/* SPDX-License-Identifier: Apache-2.0 */
/* sources: inputs that are no modules yet, by their suffix. They are made into modules before all else, one after the
 * other; whoever reads such a file afterwards gets its module.
 *
 *     lit.frag, lit.frag.glsl     GLSL      by glslangValidator or glslc, as resolvers are
 *     lit.frag.hlsl               HLSL      the same
 *     lit.frag.spvasm             assembly  by the assembler of SPIRV-Tools
 *
 * A file of such a name that has SPIR-V in it is a module.
 * They are SPIR-V of the version of --target-env, or 1.0, and have debug lines, which tell the order of declaration. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/resolvers.h"

static struct {
	struct resolver_file *items;
	size_t count;
} made;

static const struct {
	const char *suffix, *stage;
} stages[] = {
    {".vert", "vert"},   {".tesc", "tesc"},   {".tese", "tese"},   {".geom", "geom"},   {".frag", "frag"},
    {".comp", "comp"},   {".task", "task"},   {".mesh", "mesh"},   {".rgen", "rgen"},   {".rint", "rint"},
    {".rahit", "rahit"}, {".rchit", "rchit"}, {".rmiss", "rmiss"}, {".rcall", "rcall"},
};

static bool ends_with(const char *text, size_t length, const char *end)
{
	size_t tail = strlen(end);

	return length > tail && !memcmp(text + length - tail, end, tail);
}

/* The stage that a name says. NULL: none, so it is no shader. */
static const char *stage_of(const char *path, bool *hlsl)
{
	size_t length = strlen(path);

	*hlsl = ends_with(path, length, ".hlsl");
	if (*hlsl || ends_with(path, length, ".glsl"))
		length -= strlen(".glsl");
	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
		if (ends_with(path, length, stages[i].suffix))
			return stages[i].stage;
	}
	return NULL;
}

static bool is_assembly(const char *path)
{
	return ends_with(path, strlen(path), ".spvasm");
}

/* Whatever its name is. A pipe must not be read twice. */
static bool has_module(const char *path)
{
	uint32_t magic = 0;
	struct os_status st;
	FILE *file = os_look_through(path, &st) && st.kind == OS_FILE ? os_open_stream(path, "rb") : NULL;
	bool whole = file && fread(&magic, sizeof magic, 1, file) == 1;

	if (file)
		fclose(file);
	return whole && (magic == 0x07230203 || magic == 0x03022307);
}

bool is_source(const char *path)
{
	bool hlsl;

	return (is_assembly(path) || stage_of(path, &hlsl)) && !has_module(path);
}

/* lit.frag becomes lit.frag.spv, lit.frag.spvasm as well. */
size_t module_name_length(const char *name)
{
	return strlen(name) - (is_assembly(name) ? strlen(".spvasm") : 0);
}

const void *find_made(const char *path, size_t *size)
{
	for (size_t i = 0; i < made.count; i++) {
		if (strcmp(made.items[i].path, path) != 0)
			continue;
		*size = made.items[i].word_count[0] * sizeof(uint32_t);
		return made.items[i].words[0];
	}
	return NULL;
}

static int make(const struct arguments *a, struct resolver_file *r)
{
	struct shader shader = {.include_paths = a->include_paths,
				.include_path_count = a->include_path_count,
				.macros = a->macros,
				.macro_count = a->macro_count,
				.env = a->options.validation.env};

	if (is_assembly(r->path))
		return assemble_file(r, a->options.validation.env);
	shader.stage = stage_of(r->path, &shader.hlsl);
	return compile_shader(r, &shader, a->resolver_timeout);
}

int make_sources(const struct arguments *a)
{
	int status = EXIT_DONE;

	made.items = calloc(a->input_count + 1, sizeof *made.items);
	if (!made.items)
		return out_of_memory();
	for (size_t i = 0; i < a->input_count && status == EXIT_DONE; i++) {
		if (!is_source(a->inputs[i]))
			continue;
		struct resolver_file *r = &made.items[made.count];
		r->path = a->inputs[i];
		r->is_input = true;
		status = make(a, r);
		made.count += status == EXIT_DONE;
	}
	return status;
}

void forget_sources(void)
{
	for (size_t i = 0; i < made.count; i++)
		free(made.items[i].words[0]);
	free(made.items);
	memset(&made, 0, sizeof made);
}
