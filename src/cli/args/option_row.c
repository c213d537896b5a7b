/* SPDX-License-Identifier: Apache-2.0 */
/* option_row: rows of the table of options, completed by those of the library. */
#include <stdio.h>
#include <string.h>

#include "cli/args/option_table.h"

const struct spb_option *arg_library_option(const struct option *o)
{
	return o->kind == LIBRARY ? spb_option_find(o->library ? o->library : o->name + 2) : NULL;
}

uint32_t arg_optional_verbs(const struct option *o)
{
	const struct spb_option *of_library = arg_library_option(o);

	return of_library && of_library->is_optional ? VERBS : o->optional;
}

bool arg_is_repeated(const struct option *o)
{
	const struct spb_option *of_library = arg_library_option(o);

	return of_library ? of_library->is_repeated : o->is_repeated;
}

const char *arg_option_name(const struct option *o, uint32_t index)
{
	const struct spb_option *of_library = arg_library_option(o);

	return spb_name(of_library ? of_library->names : o->names, index);
}

const char *arg_option_word(const struct option *o, uint32_t index)
{
	uint32_t i = 0;

	for (const struct choice *c = o->choices; c && c->word; c++, i++) {
		if (i == index)
			return c->word;
	}
	return arg_option_name(o, index - i);
}

bool arg_is_whole_word(const struct option *o)
{
	return !strchr(o->value, '=');
}

bool arg_takes_file(const struct option *o)
{
	return o->value && (strstr(o->value, "FILE") || strstr(o->value, "MANIFEST") || strstr(o->value, ".json"));
}

void arg_append(char *to, size_t size, const char *text)
{
	size_t length = strlen(to);

	snprintf(to + length, size - length, "%s", text);
}
