/* SPDX-License-Identifier: Apache-2.0 */
/* verbs: what the command does, by its first word; bind if that is not a verb. The table of options says which of them
 * take an option, and each has a file here:
 *
 *     bind_verb.c  modules with numbers, marks and what else Vulkan needs
 *     check_verb.c  is everything in its final form and right?
 *     lint_verb.c  what has to be uniform and is not
 *     layout_verb.c  which resource is where
 *     explain_verb.c  why it is there; what a message code means
 *     lock_verb.c  lock files: check, update, merge, part
 *     farm_verb.c  collect and decide, the phases of a build farm
 *     pass_verb.c  some passes alone */
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
	bool writes_layouts; /* if any is asked for */
	bool prints;         /* a report of each program on stdout */
	bool needs_lock;     /* --lock=FILE */
	bool is_of_manifest; /* it needs -m */
	bool makes_file;     /* of a manifest, which -o names */

	/* What the verb says to the library, once all options are read; NULL: nothing. */
	void (*want)(struct program_options *p);
	/* What else has to be given, or cannot be, where the inputs are one program or --each is; NULL: anything goes.
	 */
	void (*check)(struct arguments *a);
	/* What it says or prints of a program that is bound, before files are written. name: of the program, NULL if it
	 * is the only one. EXIT_*; NULL: nothing. */
	int (*report)(const struct program_options *p, const char *name, spb_program *program);
};

extern const struct verb verb_bind, verb_check, verb_lint, verb_layout, verb_explain, verb_lock_check, verb_lock_update,
    verb_lock_merge, verb_lock_part, verb_collect, verb_decide, verb_pass;

/* verbs.c */

const struct verb *verb_at(size_t index); /* in the order of the help; NULL: past the last */
const struct verb *verb_of(const struct program_options *p);
/* Reads the verb at the beginning of the words; returns how many it has. */
int verb_read(struct arguments *a, int argc, char **argv);

bool verb_prints(const struct program_options *p); /* a report of each program on stdout */

/* lock_verb.c */

/* Says how the lock file would change, where it must not. EXIT_*, of any verb */
int verb_report_lock(const struct program_options *p, const char *name, spb_program *program);
int verb_refuse_lock(const struct program_options *p, const char *old, const char *text); /* of differing texts */

#endif
