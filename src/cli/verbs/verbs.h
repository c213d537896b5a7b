/* SPDX-License-Identifier: Apache-2.0 */
/* verbs: the first word of the command line; bind if that is not a verb. The table of options says which verbs take an
 * option, and each verb has a file here:
 *
 *     bind_verb.c  writes bound modules
 *     check_verb.c  is everything in its final form and right?
 *     lint_verb.c  what has to be uniform and is not
 *     layout_verb.c  which resource is where
 *     explain_verb.c  why it is there; what a message code means
 *     lock_verb.c  lock files: check, update, merge, part
 *     farm_verb.c  collect and decide, the phases of a build farm
 *     pass_verb.c  selected passes */
#ifndef SPB_VERBS_H
#define SPB_VERBS_H

#include "cli/cli.h"

struct verb {
	enum verb_bit bit;
	const char *name;    /* one word or two */
	const char *words;   /* what follows the name, as in a synopsis */
	const char *summary; /* a fragment */
	const char *text;    /* whole sentences, for the help and the manual; an empty line separates paragraphs */

	bool writes_modules; /* so it needs -o, --out-dir or --dump-after */
	bool writes_layouts; /* if requested */
	bool prints;         /* a report of each program on stdout */
	bool needs_lock;     /* --lock=FILE */
	bool is_of_manifest; /* it needs -m */
	bool makes_file;     /* for a manifest, named by -o */

	/* Sets options of the library after all options have been read; NULL: none. */
	void (*want)(struct program_options *p);
	/* Checks what else has to be given, or cannot be, for one program or --each; NULL: no check. */
	void (*check)(struct arguments *a);
	/* Reports or prints results of a bound program, before files are written. name: of the program, NULL if it is
	 * the only one. EXIT_*; NULL: no report. */
	int (*report)(const struct program_options *p, const char *name, spb_program *program);
};

extern const struct verb verb_bind, verb_check, verb_lint, verb_layout, verb_explain, verb_lock_check, verb_lock_update,
    verb_lock_merge, verb_lock_part, verb_collect, verb_decide, verb_pass;

/* verbs.c */

const struct verb *verb_at(size_t index); /* in the order of the help; NULL: past the last */
const struct verb *verb_of(const struct program_options *p);
/* Reads the verb at the beginning of the words; returns how many it has. */
int verb_read(struct arguments *a, int argc, char **argv);

bool verb_is_word(const char *word);               /* the first one of a verb */
void verb_check_inputs(struct arguments *a);       /* wrong usage, if one of them is meant as the verb */
bool verb_prints(const struct program_options *p); /* a report of each program on stdout */

/* lock_verb.c */

/* Reports how the lock file would change, if it must not. EXIT_*, of any verb */
int verb_report_lock(const struct program_options *p, const char *name, spb_program *program);
int verb_refuse_lock(const struct program_options *p, const char *old, const char *text); /* of differing texts */

#endif
