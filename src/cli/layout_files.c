/* SPDX-License-Identifier: Apache-2.0 */
/* layout_files: the forms in which a layout is written to files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"

static const char *json(const struct arguments *a, spb_program *program, const char *prefix, size_t *size)
{
	(void)a;
	(void)prefix;
	return spb_program_layout_json(program, size);
}

static const char *header(const struct arguments *a, spb_program *program, const char *prefix, size_t *size)
{
	(void)a;
	return spb_program_layout_header(program, prefix, size);
}

static const char *glsl(const struct arguments *a, spb_program *program, const char *prefix, size_t *size)
{
	(void)a;
	return spb_program_layout_glsl(program, prefix, size);
}

static const char *report(const struct arguments *a, spb_program *program, const char *prefix, size_t *size)
{
	(void)prefix;
	return spb_program_report(program, a->diff_against_text, size);
}

static const struct {
	const char *option;
	const char *(*make)(const struct arguments *a, spb_program *program, const char *prefix, size_t *size);
} forms[LAYOUT_FILES] = {
    [LAYOUT_JSON] = {"--layout-json", json},
    [LAYOUT_HEADER] = {"--layout-header", header},
    [LAYOUT_GLSL] = {"--layout-glsl", glsl},
    [LAYOUT_REPORT] = {"--report", report},
};

const char *layout_option(enum layout_file form)
{
	return forms[form].option;
}

static bool is_identifier(const char *text)
{
	static const char allowed[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return strspn(text, allowed + 10) && !text[strspn(text, allowed)];
}

/* The name of the file up to its first dot, as an identifier. NULL: no memory. Free with free(). */
static char *prefix_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *prefix = strdup(name);

	if (!prefix)
		return NULL;
	prefix[strcspn(prefix, ".")] = 0;
	for (char *c = prefix; *c; c++)
		*c = is_identifier((const char[]){'_', *c, 0}) ? *c : '_';
	if (is_identifier(prefix) && strspn(prefix, "_") < strlen(prefix))
		return prefix;
	free(prefix);
	return strdup("layout");
}

const char *first_layout_file(const struct arguments *a)
{
	for (int i = 0; i < LAYOUT_FILES; i++) {
		if (a->layout[i])
			return a->layout[i];
	}
	return NULL;
}

void cli_make_layout_file(const struct arguments *a, enum layout_file form, spb_program *program, struct output *o)
{
	char *prefix = prefix_of(a->layout[form]);

	if (prefix)
		o->bytes = forms[form].make(a, program, prefix, &o->size);
	free(prefix);
}
