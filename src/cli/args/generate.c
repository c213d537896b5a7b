/* SPDX-License-Identifier: Apache-2.0 */
/* generate: prints the table of options for scripts/gen_cli.py (--help=man, --help=bash and so on): the man page's list
 * and the completions of three shells; and as a table for tests. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/args/option_table.h"

static bool takes_directory(const struct option *o)
{
	return o->value && !strcmp(o->value, "DIR");
}

/* The words that complete a value, separated by spaces; a kind of heap as "texture=". */
static void put_words(FILE *to, const struct option *o)
{
	const char *word;

	for (uint32_t i = 0; (word = arg_option_word(o, i)); i++)
		fprintf(to, "%s%s%s", i ? " " : "", word, arg_is_whole_word(o) ? "" : "=");
}

static bool has_words(const struct option *o)
{
	return arg_option_word(o, 0);
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

/* Capitals stand for values of the user. */
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
		fputs(arg_optional_verbs(o) ? "[=" : o->name[1] == '-' ? "=" : " ", to);
		put_roff_value(to, o->value);
		fputs(arg_optional_verbs(o) ? "]" : "", to);
	}
	fputc('\n', to);
	put_roff(to, o->text);
	if (arg_is_repeated(o))
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
	if (arg_option_name(o, 0)) {
		fprintf(to, ".IP\n\\fI%.*s\\fR is one of\n", (int)strcspn(o->value, "|[="), o->value);
		for (uint32_t i = 0; arg_option_name(o, i); i++) {
			put_roff_name(to, arg_option_name(o, i));
			fputs(arg_option_name(o, i + 1) ? ",\n" : ".\n", to);
		}
	}
}

/* Options of the verbs, by groups, except those that bind has, too. */
static void put_man_options(FILE *to, uint32_t verbs, uint32_t others)
{
	for (enum option_group g = 0; g < GROUPS; g++) {
		bool any = false;
		for (const struct option *o = NULL; (o = arg_next_option(o, verbs));) {
			if (o->group != g || (o->verbs & others))
				continue;
			if (!any)
				fprintf(to, ".SS %s\n", arg_groups[g].title);
			any = true;
			put_man_option(to, o);
		}
	}
}

/* In bold, separated by commas: the options that spirv-bind(1) describes. */
static void put_man_names(FILE *to, uint32_t verbs)
{
	const char *before = "";

	for (const struct option *o = NULL; (o = arg_next_option(o, verbs));) {
		if (!(o->verbs & VERB_BIND))
			continue;
		fputs(before, to);
		put_roff_name(to, o->name);
		before = ",\n";
	}
	fputs(".\n", to);
}

/* "lock" for all verbs that begin with it. */
static uint32_t verbs_of_word(const char *name, size_t *length)
{
	const struct verb *v;
	uint32_t bits = 0;

	*length = strcspn(name, " ");
	for (size_t i = 0; (v = verb_at(i)); i++) {
		if (!strncmp(v->name, name, *length) && (!v->name[*length] || v->name[*length] == ' '))
			bits |= v->bit;
	}
	return bits;
}

/* The page of a verb, or of all with the same first word. */
static void put_man_page(FILE *to, const struct verb *verb)
{
	size_t length;
	const struct verb *v;
	const uint32_t bits = verbs_of_word(verb->name, &length);

	fprintf(to, ".\\\" SPDX-License-Identifier: Apache-2.0\n"
		    ".\\\" Generated from the tables of verbs and options by scripts/gen_cli.py.\n"
		    ".TH SPIRV\\-BIND\\-");
	for (size_t i = 0; i < length; i++)
		fputc(toupper((unsigned char)verb->name[i]), to);
	fprintf(to, " 1 \"\" \"spirv\\-bind\"\n.SH NAME\nspirv\\-bind\\-%.*s \\- ", (int)length, verb->name);
	put_roff(to, verb->bit & VERB_LOCK_CHECK ? "numbers that must not move" : verb->summary);
	fputs(".SH SYNOPSIS\n.nf\n", to);
	for (size_t i = 0; (v = verb_at(i)); i++) {
		if (!(v->bit & bits))
			continue;
		fputs("\\fBspirv\\-bind ", to);
		fprintf(to, "%s\\fR ", v->name);
		put_roff_value(to, v->words);
		fputs(" [options]\n", to);
	}
	fputs(".fi\n.SH DESCRIPTION\n", to);
	for (size_t i = 0; (v = verb_at(i)); i++) {
		if (v->bit & bits) {
			fputs(".PP\n", to);
			put_roff(to, v->text);
		}
	}
	fputs(".SH OPTIONS\n", to);
	put_man_options(to, bits, VERB_BIND);
	fputs(".SS As described in spirv\\-bind(1)\n", to);
	put_man_names(to, bits);
	fputs(".SH SEE ALSO\n.BR spirv\\-bind (1)\n", to);
}

static void put_man(FILE *to, const struct verb *verb)
{
	if (verb->bit == VERB_BIND)
		put_man_options(to, VERB_BIND, 0);
	else
		put_man_page(to, verb);
}

/* Completions */

/* The names of options for which `is` holds, as a pattern of bash. */
static void put_bash_pattern(FILE *to, bool (*is)(const struct option *))
{
	bool any = false;

	for (const struct option *o = NULL; (o = arg_next_option(o, VERBS));) {
		if (!is(o))
			continue;
		fprintf(to, "%s%s", any ? " | " : "", o->name);
		any = true;
	}
}

static bool takes_file_only(const struct option *o)
{
	return arg_takes_file(o) && !has_words(o);
}

static bool takes_other_value(const struct option *o)
{
	return o->value && !arg_takes_file(o) && !takes_directory(o) && !has_words(o);
}

static bool is_optional(const struct option *o)
{
	return arg_optional_verbs(o) == VERBS;
}

/* The second words after "lock", separated by blanks. */
static void put_second_words(FILE *to)
{
	const char *separator = "";
	const struct verb *v;

	for (size_t i = 0; (v = verb_at(i)); i++) {
		const char *blank = strchr(v->name, ' ');
		if (!blank)
			continue;
		fprintf(to, "%s%s", separator, blank + 1);
		separator = " ";
	}
}

/* Calls put() for each first word. */
static void for_verbs(FILE *to, void (*put)(FILE *to, const char *word, uint32_t bits))
{
	const struct verb *v;
	uint32_t seen = 0;

	for (size_t i = 0; (v = verb_at(i)); i++) {
		size_t length;
		uint32_t bits = verbs_of_word(v->name, &length);
		char word[16];
		snprintf(word, sizeof word, "%.*s", (int)length, v->name);
		if (!(seen & bits))
			put(to, word, bits);
		seen |= bits;
	}
}

static void put_word(FILE *to, const char *word, uint32_t bits)
{
	(void)bits;
	fprintf(to, "%s ", word);
}

static void put_bash_options(FILE *to, const char *word, uint32_t bits)
{
	const char *separator = "";

	fprintf(to, "\t\t%s) words='", bits & VERB_BIND ? "*" : word);
	for (const struct option *o = NULL; (o = arg_next_option(o, bits));) {
		fprintf(to, "%s%s%s", separator, o->name,
			o->value && o->name[1] == '-' && arg_optional_verbs(o) != VERBS ? "=" : "");
		separator = " ";
	}
	fputs("' ;;\n", to);
}

static void put_bash_verb_options(FILE *to, const char *word, uint32_t bits)
{
	if (!(bits & VERB_BIND))
		put_bash_options(to, word, bits);
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
	for (const struct option *o = NULL; (o = arg_next_option(o, VERBS));) {
		if (!has_words(o))
			continue;
		fprintf(to, "\t%s) words='", o->name);
		put_words(to, o);
		fprintf(to, "'%s ;;\n", arg_takes_file(o) ? " files=yes" : "");
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
	      "\t\tcase ${COMP_WORDS[1]} in\n",
	      to);
	for_verbs(to, put_bash_verb_options);
	put_bash_options(to, "bind", VERB_BIND);
	fputs("\t\tesac\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
	      "\telif [[ $COMP_CWORD -eq 1 ]]; then\n"
	      "\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W '",
	      to);
	for_verbs(to, put_word);
	fputs("' -f -- \"$current\")\n"
	      "\telif [[ $COMP_CWORD -eq 2 && $before == lock ]]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W '",
	      to);
	put_second_words(to);
	fputs("' -- \"$current\"))\n"
	      "\tfi\n"
	      "\tif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then\n"
	      "\t\tcompopt -o nospace 2>/dev/null\n"
	      "\tfi\n"
	      "}\n"
	      "complete -o default -o bashdefault -F _spirv_bind spirv-bind\n",
	      to);
}

/* In single quotes, with zsh's special characters escaped. */
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
	const char *equals = !o->value || name[1] != '-' ? "" : arg_optional_verbs(o) == VERBS ? "=-" : "=";

	fprintf(to, "\t'%s%s%s[", arg_is_repeated(o) ? "*" : "", name, equals);
	put_zsh_text(to, o->summary);
	fputc(']', to);
	if (o->value && (name[1] == '-' || !arg_optional_verbs(o))) {
		fputs(arg_optional_verbs(o) == VERBS ? "::" : ":", to);
		put_zsh_text(to, o->value);
		fputc(':', to);
		if (arg_option_name(o, 0) && arg_takes_file(o)) {
			fputs("{_files; compadd ", to);
			put_words(to, o);
			fputc('}', to);
		} else if (has_words(o)) {
			fputc('(', to);
			put_words(to, o);
			fputc(')', to);
		} else if (arg_takes_file(o)) {
			fputs("_files", to);
		} else if (takes_directory(o)) {
			fputs("_files -/", to);
		}
	}
	fputs("' \\\n", to);
}

static void put_zsh_verb(FILE *to, const char *word, uint32_t bits)
{
	fprintf(to, "%s) _arguments -S \\\n", bits & VERB_BIND ? "*" : word);
	for (const struct option *o = NULL; (o = arg_next_option(o, bits));) {
		if (o->short_name)
			put_zsh_option(to, o, o->short_name);
		put_zsh_option(to, o, o->name);
	}
	fputs("\t'*:input:_files -g \"*.spv(-.)\"' ;;\n", to);
}

static void put_zsh_other_verb(FILE *to, const char *word, uint32_t bits)
{
	if (!(bits & VERB_BIND))
		put_zsh_verb(to, word, bits);
}

static void put_zsh(FILE *to)
{
	fputs("#compdef spirv-bind\n"
	      "# zsh completion for spirv-bind. Generated from its tables of verbs and options by scripts/gen_cli.py.\n"
	      "if ((CURRENT == 2)) && [[ ${words[2]} != -* ]]; then\n"
	      "\t_alternative 'verbs:verb:(",
	      to);
	for_verbs(to, put_word);
	fputs(")' 'files:input:_files -g \"*.spv(-.)\"'\n"
	      "\treturn\n"
	      "fi\n"
	      "if ((CURRENT == 3)) && [[ ${words[2]} == lock ]]; then\n"
	      "\t_values verb ",
	      to);
	put_second_words(to);
	fputs("\n"
	      "\treturn\n"
	      "fi\n"
	      "case ${words[2]} in\n",
	      to);
	for_verbs(to, put_zsh_other_verb);
	put_zsh_verb(to, "bind", VERB_BIND);
	fputs("esac\n", to);
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

static void put_fish_verb(FILE *to, const char *word, uint32_t bits)
{
	(void)bits;
	fprintf(to, "complete -c spirv-bind -n __fish_is_first_arg -a %s\n", word);
}

/* Words of verbs that take the option; options of bind also complete without a verb. */
static void put_fish_condition(FILE *to, const struct option *o)
{
	const struct verb *v;
	uint32_t seen = 0;

	if ((o->verbs | VERB_LOCK_MERGE) == VERBS)
		return;
	fputs(" -n '", to);
	if (o->verbs & VERB_BIND)
		fputs("__fish_spirv_bind_is_bind; or ", to);
	fputs("__fish_seen_subcommand_from", to);
	for (size_t i = 0; (v = verb_at(i)); i++) {
		size_t length;
		uint32_t bits = verbs_of_word(v->name, &length);
		if ((o->verbs & bits) && !(seen & bits))
			fprintf(to, " %.*s", (int)length, v->name);
		seen |= bits;
	}
	fputc('\'', to);
}

static void put_fish(FILE *to)
{
	fputs(
	    "# fish completion for spirv-bind. Generated from its tables of verbs and options by scripts/gen_cli.py.\n"
	    "function __fish_spirv_bind_is_bind\n"
	    "\tnot __fish_seen_subcommand_from ",
	    to);
	for_verbs(to, put_word);
	fputs("\nend\n", to);
	for_verbs(to, put_fish_verb);
	fputs("complete -c spirv-bind -n '__fish_seen_subcommand_from lock' -a '", to);
	put_second_words(to);
	fputs("'\n", to);
	for (const struct option *o = NULL; (o = arg_next_option(o, VERBS));) {
		fputs("complete -c spirv-bind", to);
		put_fish_condition(to, o);
		if (o->short_name)
			fprintf(to, " -s %s", o->short_name + 1);
		fprintf(to, o->name[1] == '-' ? " -l %s" : " -s %s", o->name + (o->name[1] == '-' ? 2 : 1));
		if (o->value)
			fputs(arg_optional_verbs(o) == VERBS ? " -f" : arg_takes_file(o) ? " -r" : " -x", to);
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

/* name, short name, value, "optional" or "", words, group; separated by tabs; of options of the verb */
static void put_table(FILE *to, const struct verb *verb)
{
	for (const struct option *o = NULL; (o = arg_next_option(o, verb->bit));) {
		fprintf(to, "%s\t%s\t%s\t%s\t", o->name, o->short_name ? o->short_name : "", o->value ? o->value : "",
			arg_optional_verbs(o) & verb->bit ? "optional" : "");
		put_words(to, o);
		fprintf(to, "\t%s\n", arg_groups[o->group].key);
	}
}

/* The names of all verbs, one a line. */
static void put_verbs(FILE *to)
{
	const struct verb *v;

	for (size_t i = 0; (v = verb_at(i)); i++)
		fprintf(to, "%s\n", v->name);
}

bool arg_put_generated(FILE *to, const char *what, const struct verb *verb)
{
	static const struct {
		const char *what;
		void (*put)(FILE *to);
	} forms[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}, {"verbs", put_verbs}};

	for (size_t i = 0; i < SPB_COUNT(forms); i++) {
		if (strcmp(what, forms[i].what) != 0)
			continue;
		forms[i].put(to);
		return true;
	}
	if (!strcmp(what, "man"))
		put_man(to, verb);
	else if (!strcmp(what, "table"))
		put_table(to, verb);
	else
		return false;
	return true;
}
