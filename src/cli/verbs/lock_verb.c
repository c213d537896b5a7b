/* SPDX-License-Identifier: Apache-2.0 */
/* lock_verb: numbers that must not move, in a file of their own. */
#include <stdlib.h>
#include <string.h>

#include "cli/verbs/verbs.h"

int verb_refuse_lock(const struct program_options *p, const char *old, const char *text)
{
	char *difference = cli_lock_difference(old, text);

	if (!difference)
		return msg_out_of_memory();
	msg_report_error(p->lock.file, 0, p->verb == VERB_CHECK ? "check" : "locked",
			 "the lock file would change (-: now, +: then)" MSG_REMEDY "spirv-bind lock update writes it.",
			 difference);
	free(difference);
	return EXIT_DIFFERENT;
}

/* With --locked, and in `lock check`, the lock file must not change. */
int verb_report_lock(const struct program_options *p, const char *name, spb_program *program)
{
	const char *text, *old = p->lock.text ? p->lock.text : "";
	size_t length;

	(void)name;
	if (!p->lock.locked)
		return EXIT_DONE;
	text = spb_program_text(program, SPB_TEXT_LOCK, NULL, &length);
	if (!text)
		return msg_out_of_memory();
	return strcmp(text, old) != 0 ? verb_refuse_lock(p, old, text) : EXIT_DONE;
}

static void want_check(struct program_options *p)
{
	p->lock.locked = true;
	p->library.validation.which = SPB_VALIDATE_NONE;
}

static void want_update(struct program_options *p)
{
	p->library.layout.update_lock = 1;
	p->library.validation.which = SPB_VALIDATE_NONE;
}

static void check_merge(struct arguments *a)
{
	if (a->program.input_count != 3)
		cli_usage(a, WORDS("lock merge takes three files" MSG_REMEDY
				   "Write spirv-bind lock merge BASE OURS THEIRS, which writes OURS."));
}

const struct verb verb_lock_check = {
    .bit = VERB_LOCK_CHECK,
    .name = "lock check",
    .words = "--lock=FILE INPUT...",
    .summary = "exit with 3 if the lock file would change",
    .text = "Keeps numbers in a file, so that they do not move when shaders change. lock check prints how the lock "
	    "file would change and exits with 3 if it would. It writes nothing.",
    .needs_lock = true,
    .want = want_check,
    .report = verb_report_lock,
};

const struct verb verb_lock_update = {
    .bit = VERB_LOCK_UPDATE,
    .name = "lock update",
    .words = "--lock=FILE INPUT...",
    .summary = "write the lock file, and no module",
    .text =
	"lock update writes the lock file, and nothing else. bind --update-lock writes it together with the modules. "
	"Resources no longer in the program stay in the file, marked removed. Where a module fixes a resource at "
	"another binding, the file follows the module.",
    .needs_lock = true,
    .want = want_update,
};

const struct verb verb_lock_merge = {
    .bit = VERB_LOCK_MERGE,
    .name = "lock merge",
    .words = "BASE OURS THEIRS",
    .summary = "merge lock files into OURS, as a merge driver of git",
    .text = "lock merge merges lock files as a merge driver of git does: the result is written to OURS. If both sides "
	    "have given one number to new resources, those of THEIRS get other numbers, and a warning says so.",
    .check = check_merge,
};

const struct verb verb_lock_part = {
    .bit = VERB_LOCK_PART,
    .name = "lock part",
    .words = "-m MANIFEST --lock=FILE -o PART",
    .summary = "write the lines that these programs depend on",
    .text =
	"lock part writes to PART those lines of the lock file that the programs of the manifest, or of --programs and "
	"--shard, depend on: their own and those of shared sets. A build system that gives only these to the run that "
	"binds them need not repeat it if others change.",
    .needs_lock = true,
    .is_of_manifest = true,
    .makes_file = true,
};
