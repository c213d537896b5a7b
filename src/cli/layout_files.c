/* SPDX-License-Identifier: Apache-2.0 */
/* layout_files: the file formats of a layout. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const struct {
	const char *option;
	spb_text_kind kind;
} forms[LAYOUT_FILES] = {
    [LAYOUT_JSON] = {"--layout-json", SPB_TEXT_LAYOUT_JSON},
    [LAYOUT_HEADER] = {"--layout-header", SPB_TEXT_LAYOUT_HEADER},
    [LAYOUT_GLSL] = {"--layout-glsl", SPB_TEXT_LAYOUT_GLSL},
    [LAYOUT_REPORT] = {"--report", SPB_TEXT_REPORT},
};

const char *cli_layout_option(enum layout_file form)
{
	return forms[form].option;
}

static bool is_identifier(const char *text)
{
	static const char allowed[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return strspn(text, allowed + 10) && !text[strspn(text, allowed)];
}

char *cli_layout_prefix(const char *path)
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

const char *cli_first_layout_file(const struct layout_options *o)
{
	for (int i = 0; i < LAYOUT_FILES; i++) {
		if (o->files[i])
			return o->files[i];
	}
	return NULL;
}

void cli_make_layout_file(const struct layout_options *o, enum layout_file form, spb_program *program,
			  struct output *to)
{
	char *prefix = cli_layout_prefix(o->files[form]);
	const char *argument = form == LAYOUT_REPORT ? o->against_text : prefix;

	if (prefix)
		to->bytes = spb_program_text(program, forms[form].kind, argument, &to->size);
	free(prefix);
}
