/* SPDX-License-Identifier: Apache-2.0 */
/* generate: the table of options in the forms that scripts/gen_cli.py puts into files: the man page's list and the
 * completions of three shells; and as a table for tests. --help=man and its like print them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/option_table.h"

static bool is_shown(const struct option *o)
{
	return o->kind != PLANNED;
}

static bool takes_directory(const struct option *o)
{
	return o->value && !strcmp(o->value, "DIR");
}

/* The words that complete a value, separated by spaces; a kind of heap as "texture=". */
static void put_words(FILE *to, const struct option *o)
{
	const char *word;

	for (uint32_t i = 0; (word = option_word(o, i)); i++)
		fprintf(to, "%s%s%s", i ? " " : "", word, is_whole_word(o) ? "" : "=");
}

static bool has_words(const struct option *o)
{
	return option_word(o, 0);
}

/* Man source */

static void put_roff_char(FILE *to, char c)
{
	if (c == '-')
		fputs("\\-", to);
	else if (c == '\\')
		fputs("\\e", to);
	else
		fputc(c, to);
}

/* One word; an option in it is bold. Returns its length on the page. */
static size_t put_roff_word(FILE *to, const char *word, size_t length)
{
	size_t start = strspn(word, "(\"");
	bool is_option =
	    length > start + 1 && word[start] == '-' && (word[start + 1] == '-' || isalpha(word[start + 1]));
	size_t end = length;

	while (is_option && end > start && strchr(".,;:)\"", word[end - 1]))
		end--;
	for (size_t i = 0; i < length; i++) {
		if (is_option && i == start)
			fputs("\\fB", to);
		if (is_option && i == end)
			fputs("\\fR", to);
		put_roff_char(to, word[i]);
	}
	if (is_option && end == length)
		fputs("\\fR", to);
	return length;
}

static void put_roff(FILE *to, const char *text)
{
	enum { WIDTH = 100 };
	size_t at = 0;

	while (*text) {
		size_t length = strcspn(text, " \n");
		if (at && at + 1 + length > WIDTH) {
			fputc('\n', to);
			at = 0;
		}
		if (!at && (*text == '.' || *text == '\''))
			fputs("\\&", to);
		if (at)
			fputc(' ', to);
		at += put_roff_word(to, text, length) + 1;
		text += length;
		if (*text == '\n') {
			fputs("\n.IP\n", to);
			at = 0;
		}
		text += strspn(text, " \n");
	}
	fputc('\n', to);
}

/* Capitals stand for what the user gives. */
static void put_roff_value(FILE *to, const char *value)
{
	bool italic = false;

	for (; *value; value++) {
		bool capital = isupper((unsigned char)*value);
		if (capital != italic)
			fputs(capital ? "\\fI" : "\\fR", to);
		italic = capital;
		put_roff_char(to, *value);
	}
	if (italic)
		fputs("\\fR", to);
}

static void put_roff_name(FILE *to, const char *name)
{
	fputs("\\fB", to);
	for (; *name; name++)
		put_roff_char(to, *name);
	fputs("\\fR", to);
}

static void put_man_option(FILE *to, const struct option *o)
{
	fputs(".TP\n", to);
	if (o->short_name) {
		put_roff_name(to, o->short_name);
		fputs(", ", to);
	}
	put_roff_name(to, o->name);
	if (o->value) {
		fputs(is_optional(o) ? "[=" : o->name[1] == '-' ? "=" : " ", to);
		put_roff_value(to, o->value);
		fputs(is_optional(o) ? "]" : "", to);
	}
	fputc('\n', to);
	put_roff(to, o->text);
	if (is_repeated(o))
		fputs("May be repeated.\n", to);
	if (o->choices)
		fputs(".RS\n", to);
	for (const struct choice *c = o->choices; c && c->word; c++) {
		fputs(".TP\n", to);
		put_roff_name(to, c->word);
		fputs(c->is_default ? " (default)\n" : "\n", to);
		put_roff(to, c->text);
	}
	if (o->choices)
		fputs(".RE\n", to);
	if (option_name(o, 0)) {
		fprintf(to, ".IP\n\\fI%.*s\\fR is one of\n", (int)strcspn(o->value, "|[="), o->value);
		for (uint32_t i = 0; option_name(o, i); i++) {
			put_roff_name(to, option_name(o, i));
			fputs(option_name(o, i + 1) ? ",\n" : ".\n", to);
		}
	}
}

static void put_man(FILE *to)
{
	for (enum option_group g = 0; g < GROUPS; g++) {
		fprintf(to, ".SS %s\n", groups[g].title);
		for (size_t i = 0; i < option_count; i++) {
			if (is_shown(&options[i]) && options[i].group == g)
				put_man_option(to, &options[i]);
		}
	}
}

/* Completions */

/* The names of options for which `is` holds, as a pattern of bash. */
static void put_bash_pattern(FILE *to, bool (*is)(const struct option *))
{
	bool any = false;

	for (size_t i = 0; i < option_count; i++) {
		if (!is_shown(&options[i]) || !is(&options[i]))
			continue;
		fprintf(to, "%s%s", any ? " | " : "", options[i].name);
		any = true;
	}
}

static bool takes_file_only(const struct option *o)
{
	return takes_file(o) && !has_words(o);
}

static bool takes_other_value(const struct option *o)
{
	return o->value && !takes_file(o) && !takes_directory(o) && !has_words(o);
}

static void put_bash(FILE *to)
{
	fputs("# bash completion for spirv-bind. Generated from its table of options by scripts/gen_cli.py.\n"
	      "_spirv_bind()\n"
	      "{\n"
	      "\tlocal current=${COMP_WORDS[COMP_CWORD]} option= prefix= words= files=\n"
	      "\tlocal before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [[ $current == --*=* ]]; then # \"=\" does not break words\n"
	      "\t\toption=${current%%=*} prefix=${current%%=*}= current=${current#*=}\n"
	      "\telif [[ $current == = ]]; then\n"
	      "\t\toption=$before current=\n"
	      "\telif [[ $before == = ]]; then\n"
	      "\t\toption=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\telse\n"
	      "\t\tcase $before in\n"
	      "\t\t",
	      to);
	put_bash_pattern(to, is_optional);
	fputs(") ;; # its value follows \"=\" only\n"
	      "\t\t*) option=$before ;;\n"
	      "\t\tesac\n"
	      "\tfi\n"
	      "\tcase $option in\n",
	      to);
	for (size_t i = 0; i < option_count; i++) {
		const struct option *o = &options[i];
		if (!is_shown(o) || !has_words(o))
			continue;
		fprintf(to, "\t%s) words='", o->name);
		put_words(to, o);
		fprintf(to, "'%s ;;\n", takes_file(o) ? " files=yes" : "");
	}
	fputc('\t', to);
	put_bash_pattern(to, takes_file_only);
	fputs(")\n"
	      "\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -P \"$prefix\" -f -- \"$current\")\n"
	      "\t\treturn\n"
	      "\t\t;;\n"
	      "\t",
	      to);
	put_bash_pattern(to, takes_directory);
	fputs(")\n"
	      "\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -P \"$prefix\" -d -- \"$current\")\n"
	      "\t\treturn\n"
	      "\t\t;;\n"
	      "\t",
	      to);
	put_bash_pattern(to, takes_other_value);
	fputs(")\n"
	      "\t\tcompopt +o default 2>/dev/null\n"
	      "\t\treturn\n"
	      "\t\t;;\n"
	      "\tesac\n"
	      "\tif [[ $words ]]; then\n"
	      "\t\tCOMPREPLY=($(compgen -P \"$prefix\" -W \"$words\" -- \"$current\"))\n"
	      "\t\tif [[ $files ]]; then\n"
	      "\t\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\t\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P \"$prefix\" -f -- \"$current\")\n"
	      "\t\tfi\n"
	      "\telif [[ $current == -* ]]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W '",
	      to);
	for (size_t i = 0; i < option_count; i++) {
		const struct option *o = &options[i];
		if (is_shown(o))
			fprintf(to, "%s%s%s", i ? " " : "", o->name,
				o->value && o->name[1] == '-' && !is_optional(o) ? "=" : "");
	}
	fputs("' -- \"$current\"))\n"
	      "\tfi\n"
	      "\tif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then\n"
	      "\t\tcompopt -o nospace 2>/dev/null\n"
	      "\tfi\n"
	      "}\n"
	      "complete -o default -o bashdefault -F _spirv_bind spirv-bind\n",
	      to);
}

/* In single quotes, with what zsh gives a meaning escaped. */
static void put_zsh_text(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", to);
		else if (strchr("[]:\\", *text))
			fprintf(to, "\\%c", *text);
		else
			fputc(*text, to);
	}
}

static void put_zsh_option(FILE *to, const struct option *o, const char *name)
{
	const char *equals = !o->value || name[1] != '-' ? "" : is_optional(o) ? "=-" : "=";

	fprintf(to, "\t'%s%s%s[", is_repeated(o) ? "*" : o->kind == CALL && !o->value ? "(- *)" : "", name, equals);
	put_zsh_text(to, o->summary);
	fputc(']', to);
	if (o->value && (name[1] == '-' || !is_optional(o))) {
		fputs(is_optional(o) ? "::" : ":", to);
		put_zsh_text(to, o->value);
		fputc(':', to);
		if (option_name(o, 0) && takes_file(o)) {
			fputs("{_files; compadd ", to);
			put_words(to, o);
			fputc('}', to);
		} else if (has_words(o)) {
			fputc('(', to);
			put_words(to, o);
			fputc(')', to);
		} else if (takes_file(o)) {
			fputs("_files", to);
		} else if (takes_directory(o)) {
			fputs("_files -/", to);
		}
	}
	fputs("' \\\n", to);
}

static void put_zsh(FILE *to)
{
	fputs("#compdef spirv-bind\n"
	      "# zsh completion for spirv-bind. Generated from its table of options by scripts/gen_cli.py.\n"
	      "_arguments -S \\\n",
	      to);
	for (size_t i = 0; i < option_count; i++) {
		const struct option *o = &options[i];
		if (!is_shown(o))
			continue;
		if (o->short_name)
			put_zsh_option(to, o, o->short_name);
		put_zsh_option(to, o, o->name);
	}
	fputs("\t'*:input:_files -g \"*.spv(-.)\"'\n", to);
}

static void put_fish_text(FILE *to, const char *text)
{
	fputc('\'', to);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', to);
		fputc(*text, to);
	}
	fputc('\'', to);
}

static void put_fish(FILE *to)
{
	fputs("# fish completion for spirv-bind. Generated from its table of options by scripts/gen_cli.py.\n", to);
	for (size_t i = 0; i < option_count; i++) {
		const struct option *o = &options[i];
		if (!is_shown(o))
			continue;
		fputs("complete -c spirv-bind", to);
		if (o->short_name)
			fprintf(to, " -s %s", o->short_name + 1);
		fprintf(to, o->name[1] == '-' ? " -l %s" : " -s %s", o->name + (o->name[1] == '-' ? 2 : 1));
		if (o->value)
			fputs(is_optional(o) ? " -f" : takes_file(o) ? " -r" : " -x", to);
		if (has_words(o)) {
			fputs(" -a '", to);
			put_words(to, o);
			fputc('\'', to);
		} else if (takes_directory(o)) {
			fputs(" -a '(__fish_complete_directories)'", to);
		}
		fputs(" -d ", to);
		put_fish_text(to, o->summary);
		fputc('\n', to);
	}
}

/* name, short name, value, "optional" or "", words, group or "planned"; separated by tabs */
static void put_table(FILE *to)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option *o = &options[i];
		fprintf(to, "%s\t%s\t%s\t%s\t", o->name, o->short_name ? o->short_name : "", o->value ? o->value : "",
			is_optional(o) ? "optional" : "");
		put_words(to, o);
		fprintf(to, "\t%s\n", is_shown(o) ? groups[o->group].key : "planned");
	}
}

bool put_generated(FILE *to, const char *what)
{
	static const struct {
		const char *what;
		void (*put)(FILE *to);
	} forms[] = {{"man", put_man}, {"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}, {"table", put_table}};

	for (size_t i = 0; i < SPB_COUNT(forms); i++) {
		if (strcmp(what, forms[i].what) != 0)
			continue;
		forms[i].put(to);
		return true;
	}
	return false;
}
