/* SPDX-License-Identifier: Apache-2.0 */
/* option_table: the table of options. Parsing (args.c), --help (help.c), the man page's list of options and the shell
 * completions (generate.c) read it, so a new option is a row in option_table.c, the field that the row names, and the
 * code that uses the field. Then scripts/gen_cli.py brings the generated files up to date. */
#ifndef SPB_OPTION_TABLE_H
#define SPB_OPTION_TABLE_H

#include "cli/cli.h"
#include "cli/verbs/verbs.h"
#include "lib/options/option.h"

enum option_kind {
	SWITCH, /* takes no value: the field becomes `set`, or 1 */
	NUMBER, /* the field is a uint32_t */
	CHOICE, /* one of `choices`; the field is an enum */
	TEXT,   /* the field is a const char * */
	CALL,   /* `read` interprets the value */
	HELP,   /* prints the topic that the value names: help.c, generate.c */
	LIBRARY /* of the library, whose row has the kind and the field in spb_options */
};

/* ORDER groups */
enum option_group {
	GROUP_OUTPUT,
	GROUP_BATCH,
	GROUP_LAYOUT,
	GROUP_LOCKS,
	GROUP_HANDLES,
	GROUP_SAMPLERS,
	GROUP_UNIFORMITY,
	GROUP_VALIDATION,
	GROUP_GENERAL,
	GROUP_DEBUG,
	GROUPS
};

struct group {
	const char *key; /* for --help=KEY */
	const char *title;
};

struct choice {
	const char *word;
	uint32_t value;
	const char *text; /* what it means, as a fragment */
	bool is_default;
};

struct field { /* of struct arguments; size 0: none */
	size_t offset, size;
};

struct option {
	const char *name;       /* with its dashes */
	const char *short_name; /* "-h", or NULL */
	const char *value;      /* placeholder for the value in help, in capitals; NULL: none */
	enum option_kind kind;
	enum option_group group;
	const char *library; /* its name there, if it is another one */
	uint32_t verbs;      /* those that take it */
	uint32_t brief;      /* those whose short help has it; the others are in --help=all */
	uint32_t optional;   /* those with which the value may be left out; it is given after "=" only */
	bool is_of_run;      /* about the whole run, so not for the lines of a manifest */
	bool is_path;        /* the value names a file, which in a manifest is relative to it */
	bool is_glued;       /* the value may follow the letter directly: -j8 */
	bool is_neutral;     /* does not affect results or messages, except by the contents of its file */
	bool is_repeated;    /* may be given several times */
	uint32_t set;        /* for SWITCH, and a CHOICE whose value is left out */
	struct field field;
	const struct choice *choices; /* ends with a word that is NULL; or NULL */
	spb_name_kind names;          /* words of the library; 0: none */
	void (*read)(struct arguments *a, const struct option *o, const char *value); /* CALL */
	const char *summary;                                                          /* a fragment, for the overview */
	const char *text; /* whole sentences; an empty line separates paragraphs. NULL: the summary says it all */
};

/* option_table.c */

extern const struct group arg_groups[GROUPS];

const struct option *arg_find_option(const char *name); /* NULL: there is none */
/* The option of these verbs after `after`, or the first one if that is NULL; NULL past the last. */
const struct option *arg_next_option(const struct option *after, uint32_t verbs);

/* option_row.c */

const struct spb_option *arg_library_option(const struct option *o); /* NULL: it is not of kind LIBRARY */
uint32_t arg_optional_verbs(const struct option *o);                 /* those with which its value may be left out */
bool arg_is_repeated(const struct option *o);                        /* it may be given several times */
const char *arg_option_name(const struct option *o, uint32_t index); /* a name of the library; NULL past the last */
/* The word `index` that a value is or begins with, first the choices, then the names; NULL past the last. */
const char *arg_option_word(const struct option *o, uint32_t index);
bool arg_is_whole_word(const struct option *o); /* such a word is a whole value; false: "texture=" begins one */
bool arg_takes_file(const struct option *o);
void arg_append(char *to, size_t size, const char *text); /* to the text in a buffer of that size, truncated to fit */

/* help.c */

void arg_put_overview(FILE *to, const struct verb *verb);
/* A group, an option, or "all"; false: there is none that the verb takes. */
bool arg_put_topic(FILE *to, const char *topic, const struct verb *verb);

/* generate.c */

/* "man" (the page of the verb; of bind, the list of options alone), "bash", "zsh", "fish", "table", "verbs"; false: it
 * is none of these. */
bool arg_put_generated(FILE *to, const char *what, const struct verb *verb);

#endif
