/* SPDX-License-Identifier: Apache-2.0 */
/* help: the table of options as plain text of at most 80 columns. */
#include <stdio.h>
#include <string.h>

#include "cli/args/option_table.h"

enum { WIDTH = 80, INDENT = 4, SUMMARY_COLUMN = 28 };

/* Wraps `text`, which begins at column `at`, at WIDTH; further lines begin at column `indent`. */
static void put_wrapped(FILE *to, const char *text, size_t at, size_t indent)
{
	bool is_first = true;

	while (*text) {
		size_t length = strcspn(text, " \n");
		if (!is_first && at + 1 + length > WIDTH) {
			fprintf(to, "\n%*s", (int)indent, "");
			at = indent;
			is_first = true;
		}
		at += (size_t)fprintf(to, "%s%.*s", is_first ? "" : " ", (int)length, text);
		is_first = false;
		text += length;
		if (*text == '\n') { /* an empty line between paragraphs */
			fprintf(to, "\n\n%*s", (int)indent, "");
			at = indent;
			is_first = true;
		}
		text += strspn(text, " \n");
	}
	fputc('\n', to);
}

/* "--rules=RULES"; returns how many characters. */
static size_t put_form(FILE *to, const struct option *o, const struct verb *verb)
{
	const char *equals = o->name[1] == '-' ? "=" : " ";
	int n = fprintf(to, "%s%s%s", o->short_name ? o->short_name : "", o->short_name ? ", " : "", o->name);

	if (o->value && (arg_optional_verbs(o) & verb->bit))
		n += fprintf(to, "[=%s]", o->value);
	else if (o->value)
		n += fprintf(to, "%s%s", equals, o->value);
	return (size_t)n;
}

/* "summary: slang (default), hlsl" */
static void put_summary(FILE *to, const struct option *o)
{
	char line[512] = "";
	size_t plain;

	arg_append(line, sizeof line, o->summary);
	plain = strlen(line);
	for (const struct choice *c = o->choices; c && c->word; c++) {
		arg_append(line, sizeof line, c == o->choices ? ": " : ", ");
		arg_append(line, sizeof line, c->word);
		arg_append(line, sizeof line, c->is_default ? " (default)" : "");
	}
	if (SUMMARY_COLUMN + strlen(line) > WIDTH) /* the choices are in the full text */
		line[plain] = '\0';
	put_wrapped(to, line, SUMMARY_COLUMN, SUMMARY_COLUMN);
}

static void put_line(FILE *to, const struct option *o, const struct verb *verb)
{
	size_t at = (size_t)fprintf(to, "  ") + put_form(to, o, verb);

	if (at + 2 > SUMMARY_COLUMN) {
		fputc('\n', to);
		at = 0;
	}
	fprintf(to, "%*s", (int)(SUMMARY_COLUMN - at), "");
	put_summary(to, o);
}

/* The verbs, those of one first word once. */
static void put_verbs(FILE *to)
{
	const struct verb *v;

	fputs("\nVerbs (VERB --help):\n", to);
	for (size_t i = 0; (v = verb_at(i)); i++) {
		if (v->bit != VERB_LOCK_UPDATE && v->bit != VERB_LOCK_MERGE && v->bit != VERB_LOCK_PART)
			fprintf(to, "  %-9s%s\n", v->bit == VERB_LOCK_CHECK ? "lock" : v->name,
				v->bit == VERB_LOCK_CHECK
				    ? "numbers that must not move: lock check, update, merge, part"
				    : v->summary);
	}
}

/* Does the help of a verb also cover v? The verbs of lock share theirs. */
static bool is_with(const struct verb *v, const struct verb *verb)
{
	size_t length = strcspn(verb->name, " ");

	return v == verb || (verb->name[length] && !strncmp(v->name, verb->name, length + 1));
}

static void put_usage(FILE *to, const struct verb *verb)
{
	const char *before = "Usage: ";
	const struct verb *v;

	for (size_t i = 0; (v = verb_at(i)); i++) {
		if (!is_with(v, verb))
			continue;
		fprintf(to, "%sspirv-bind %s%s%s %s [options]\n", before, v->bit == VERB_BIND ? "[" : "", v->name,
			v->bit == VERB_BIND ? "]" : "", v->words);
		before = "       ";
	}
	for (size_t i = 0; (v = verb_at(i)); i++) {
		if (!is_with(v, verb))
			continue;
		fputc('\n', to);
		put_wrapped(to, v->text, 0, 0);
	}
}

void arg_put_overview(FILE *to, const struct verb *verb)
{
	put_usage(to, verb);
	if (verb->bit == VERB_BIND)
		put_verbs(to);
	fputs("\nOptions (--help=all describes all, --help=OPTION one of them):\n", to);
	for (const struct option *o = NULL; (o = arg_next_option(o, verb->bit));) {
		if (o->brief & verb->bit)
			put_line(to, o, verb);
	}
	fputs("\n"
	      "Exit status: 0 done; 1 refused; 2 wrong usage, or a malformed policy, lock or\n"
	      "layout file; 3 check, lint, lock check or --locked found something; 4 input,\n"
	      "output or memory failed. Unless it is 0, no output file has been touched.\n",
	      to);
}

static void put_choices(FILE *to, const struct option *o)
{
	char line[1024];
	size_t widest = 0;

	for (const struct choice *c = o->choices; c->word; c++) {
		if (strlen(c->word) > widest)
			widest = strlen(c->word);
	}
	fputc('\n', to);
	for (const struct choice *c = o->choices; c->word; c++) {
		fprintf(to, "%*s%-*s", INDENT, "", (int)widest + 2, c->word);
		snprintf(line, sizeof line, "%s%s", c->text, c->is_default ? " (default)" : "");
		put_wrapped(to, line, INDENT + widest + 2, INDENT + widest + 2);
	}
}

/* Names in the library, such as those of profiles. */
static void put_names(FILE *to, const struct option *o)
{
	size_t at = INDENT + (size_t)fprintf(to, "\n%*s%.*s:", INDENT, "", (int)strcspn(o->value, "|[="), o->value) -
		    INDENT - 1;

	for (uint32_t i = 0; arg_option_name(o, i); i++) {
		size_t length = strlen(arg_option_name(o, i)) + 1;
		if (at + 1 + length > WIDTH)
			at = (size_t)fprintf(to, "\n%*s", INDENT - 1, "") - 1;
		at += (size_t)fprintf(to, " %s%s", arg_option_name(o, i), arg_option_name(o, i + 1) ? "," : "\n");
	}
}

static void put_option(FILE *to, const struct option *o, const struct verb *verb)
{
	char text[2048];

	put_form(to, o, verb);
	fprintf(to, "\n%*s", INDENT, "");
	snprintf(text, sizeof text, "%s%s", o->text, arg_is_repeated(o) ? " May be repeated." : "");
	put_wrapped(to, text, INDENT, INDENT);
	if (o->choices)
		put_choices(to, o);
	if (arg_option_name(o, 0))
		put_names(to, o);
}

static void put_group(FILE *to, enum option_group g, const struct verb *verb)
{
	const char *separator = "";

	for (const struct option *o = NULL; (o = arg_next_option(o, verb->bit));) {
		if (o->group != g)
			continue;
		fputs(separator, to);
		put_option(to, o, verb);
		separator = "\n";
	}
}

static const struct option *find_topic(const char *topic, const struct verb *verb)
{
	const char *const dashes[] = {"", "--", "-"};
	const struct option *found = NULL;
	char name[64];

	for (size_t i = 0; i < SPB_COUNT(dashes) && !found; i++) {
		snprintf(name, sizeof name, "%s%s", dashes[i], topic);
		found = arg_find_option(name);
	}
	return found && found->verbs & verb->bit ? found : NULL;
}

static bool has_options(enum option_group g, const struct verb *verb)
{
	for (const struct option *o = NULL; (o = arg_next_option(o, verb->bit));) {
		if (o->group == g)
			return true;
	}
	return false;
}

bool arg_put_topic(FILE *to, const char *topic, const struct verb *verb)
{
	bool all = !strcmp(topic, "all"), found = false;

	for (enum option_group g = 0; g < GROUPS; g++) {
		if ((!all && strcmp(topic, arg_groups[g].key) != 0) || !has_options(g, verb))
			continue;
		fprintf(to, "%s%s:\n\n", found ? "\n" : "", arg_groups[g].title);
		put_group(to, g, verb);
		found = true;
	}
	if (found)
		return true;
	const struct option *o = find_topic(topic, verb);
	if (o)
		put_option(to, o, verb);
	return o != NULL;
}
