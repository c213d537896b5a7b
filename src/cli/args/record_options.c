/* SPDX-License-Identifier: Apache-2.0 */
/* record_options: the text of --record-options: the given options that modules depend on. It can be read as a response
 * file. Files are named without their folders, since a module must not depend on these. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"

static bool decides_modules(const struct option *o)
{
	switch (o->group) {
	case GROUP_LAYOUT:
	case GROUP_LOCKS:
	case GROUP_HANDLES:
	case GROUP_SAMPLERS:
	case GROUP_UNIFORMITY:
		return true;
	case GROUP_OUTPUT:
		return !strcmp(o->name, "--strip-debug");
	case GROUP_BATCH:
	case GROUP_VALIDATION:
	case GROUP_GENERAL:
	case GROUP_DEBUG:
	case GROUPS:
		break;
	}
	return false;
}

static const char *without_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Quoted for response.c. */
static void put_word(FILE *to, const char *word)
{
	bool plain = !word[strcspn(word, " \t\r\n\v\f\"'\\")] && *word != '@';

	if (!plain)
		fputc('"', to);
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			fputc('\\', to);
		fputc(*word, to);
	}
	if (!plain)
		fputc('"', to);
}

/* a->program.given has the name, the value if there is one, each with a 0 at the end, and a line feed. */
static const char *put_option(FILE *to, const char *at, bool first)
{
	const struct option *o = arg_find_option(at);
	const char *value = at + strlen(at) + 1, *end = *value == '\n' ? value : value + strlen(value) + 1;

	if (decides_modules(o)) {
		fprintf(to, "%s%s", first ? "" : " ", o->name);
		if (end != value) {
			fputc('=', to);
			put_word(to, arg_takes_file(o) ? without_folder(value) : value);
		}
	}
	return end + 1;
}

void arg_record_options(struct arguments *a)
{
	struct program_options *p = &a->program;
	size_t size;
	FILE *to = os_open_text(&p->given.record, &size);

	for (const char *at = p->given.bytes; to && at < p->given.bytes + p->given.size;)
		at = put_option(to, at, ftell(to) == 0);
	if (!to || !os_close_text(to) || !p->given.record)
		cli_no_memory(a);
	else if (size > UINT16_MAX)
		cli_usage(a, WORDS("the options are too long for the remark of --record-options" MSG_REMEDY
				   "Put them into a policy, or leave out --record-options."));
	p->library.output.record = p->given.record;
}
