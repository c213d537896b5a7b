/* SPDX-License-Identifier: Apache-2.0 */
/* help: the table of options as plain text of at most 80 columns. */
#include <stdio.h>
#include <string.h>

#include "cli/option_table.h"

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
static size_t put_form(FILE *to, const struct option *o)
{
	const char *equals = o->name[1] == '-' ? "=" : " ";
	int n = fprintf(to, "%s%s%s", o->short_name ? o->short_name : "", o->short_name ? ", " : "", o->name);

	if (is_optional(o))
		n += fprintf(to, "[=%s]", o->value);
	else if (o->value)
		n += fprintf(to, "%s%s", equals, o->value);
	return (size_t)n;
}

void append(char *to, size_t size, const char *text)
{
	size_t length = strlen(to);

	snprintf(to + length, size - length, "%s", text);
}

/* "summary: slang (default), hlsl" */
static void put_summary(FILE *to, const struct option *o)
{
	char line[512] = "";

	append(line, sizeof line, o->summary);
	for (const struct choice *c = o->choices; c && c->word; c++) {
		append(line, sizeof line, c == o->choices ? ": " : ", ");
		append(line, sizeof line, c->word);
		append(line, sizeof line, c->is_default ? " (default)" : "");
	}
	put_wrapped(to, line, SUMMARY_COLUMN, SUMMARY_COLUMN);
}

static void put_line(FILE *to, const struct option *o)
{
	size_t at = (size_t)fprintf(to, "  ") + put_form(to, o);

	if (at + 2 > SUMMARY_COLUMN) {
		fputc('\n', to);
		at = 0;
	}
	fprintf(to, "%*s", (int)(SUMMARY_COLUMN - at), "");
	put_summary(to, o);
}

void put_overview(FILE *to)
{
	fputs("Usage: spirv-bind [options] INPUT... (-o FILE | --out-dir=DIR)\n"
	      "       spirv-bind [options] INPUT... (--check | --dry-run | --doctor)\n"
	      "\n"
	      "Assigns a descriptor set and a binding to every resource of SPIR-V modules,\n"
	      "rewrites dereferences of DescriptorHandles into descriptor-array accesses,\n"
	      "decorates divergent accesses NonUniform, and validates the result. All inputs\n"
	      "form one program, which has one pipeline layout. - is stdin or stdout, -- ends\n"
	      "the options, and @FILE stands for the words in FILE.\n",
	      to);
	for (enum option_group g = 0; g < GROUPS; g++) {
		fprintf(to, "\n%s (--help=%s):\n", groups[g].title, groups[g].key);
		for (size_t i = 0; i < option_count; i++) {
			if (options[i].group == g && options[i].kind != PLANNED)
				put_line(to, &options[i]);
		}
	}
	fputs("\n"
	      "--help=OPTION describes an option in full, --help=all all of them.\n"
	      "\n"
	      "Exit status:\n"
	      "  0  done\n"
	      "  1  a module was refused, or --doctor or --nonuniform=lint found an error\n"
	      "  2  usage error, or a malformed policy, lock or layout file\n"
	      "  3  --check, --locked or --check-compatible found a difference\n"
	      "  4  input, output or memory failure\n"
	      "  5  --check-compatible=FILE:SET found that one of these sets differs\n"
	      "Unless the status is 0, no output file has been touched (--batch: of the\nprograms that failed).\n",
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

/* What the library calls its profiles, say. */
static void put_names(FILE *to, const struct option *o)
{
	size_t at = INDENT + (size_t)fprintf(to, "\n%*s%.*s:", INDENT, "", (int)strcspn(o->value, "|[="), o->value) -
		    INDENT - 1;

	for (uint32_t i = 0; option_name(o, i); i++) {
		size_t length = strlen(option_name(o, i)) + 1;
		if (at + 1 + length > WIDTH)
			at = (size_t)fprintf(to, "\n%*s", INDENT - 1, "") - 1;
		at += (size_t)fprintf(to, " %s%s", option_name(o, i), option_name(o, i + 1) ? "," : "\n");
	}
}

static void put_option(FILE *to, const struct option *o)
{
	char text[2048];

	put_form(to, o);
	fprintf(to, "\n%*s", INDENT, "");
	snprintf(text, sizeof text, "%s%s", o->text, is_repeated(o) ? " May be repeated." : "");
	put_wrapped(to, text, INDENT, INDENT);
	if (o->choices)
		put_choices(to, o);
	if (option_name(o, 0))
		put_names(to, o);
}

static void put_group(FILE *to, enum option_group g)
{
	const char *separator = "";

	for (size_t i = 0; i < option_count; i++) {
		if (options[i].group != g || options[i].kind == PLANNED)
			continue;
		fputs(separator, to);
		put_option(to, &options[i]);
		separator = "\n";
	}
}

static const struct option *find_topic(const char *topic)
{
	const char *const dashes[] = {"", "--", "-"};
	const struct option *found = NULL;
	char name[64];

	for (size_t i = 0; i < SPB_COUNT(dashes) && !found; i++) {
		snprintf(name, sizeof name, "%s%s", dashes[i], topic);
		found = find_option(name);
	}
	return found && found->kind != PLANNED ? found : NULL;
}

bool put_topic(FILE *to, const char *topic)
{
	bool all = !strcmp(topic, "all"), found = false;

	for (enum option_group g = 0; g < GROUPS; g++) {
		if (!all && strcmp(topic, groups[g].key) != 0)
			continue;
		fprintf(to, "%s%s:\n\n", found ? "\n" : "", groups[g].title);
		put_group(to, g);
		found = true;
	}
	if (found)
		return true;
	const struct option *o = find_topic(topic);
	if (o)
		put_option(to, o);
	return o != NULL;
}
