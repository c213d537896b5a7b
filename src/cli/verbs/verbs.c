/* SPDX-License-Identifier: Apache-2.0 */
/* verbs: finds the verb in the first words. */
#include <string.h>

#include "cli/verbs/verbs.h"
#include "lib/options/option_words.h"

static const struct verb *const verbs[] = {
    &verb_bind,        &verb_check,      &verb_lint,      &verb_layout,  &verb_explain, &verb_lock_check,
    &verb_lock_update, &verb_lock_merge, &verb_lock_part, &verb_collect, &verb_decide,  &verb_pass,
};

const struct verb *verb_at(size_t index)
{
	return index < SPB_COUNT(verbs) ? verbs[index] : NULL;
}

const struct verb *verb_of(const struct program_options *p)
{
	size_t i = 0;

	while (verbs[i]->bit != p->verb)
		i++;
	return verbs[i];
}

enum { MOST_LETTERS = 16 }; /* of the first word of a verb */

/* The verb that resembles a word which is neither a verb nor a file. false: none. */
static bool guess(const char *word, char meant[MOST_LETTERS])
{
	size_t nearest = 3;
	bool found = false;

	for (size_t i = 0; i < SPB_COUNT(verbs); i++) {
		char name[MOST_LETTERS];
		size_t length = strcspn(verbs[i]->name, " ");
		snprintf(name, sizeof name, "%.*s", (int)length, verbs[i]->name);
		if (spb_is_nearer(word, name, &nearest)) {
			memcpy(meant, name, sizeof name);
			found = true;
		}
	}
	return found;
}

static bool is_second_word(const struct verb *v, const char *first, const char *second)
{
	size_t length = strlen(first);

	return !strncmp(v->name, first, length) && v->name[length] == ' ' && !strcmp(v->name + length + 1, second);
}

/* lock needs a second word, except for help. */
static int read_lock_verb(struct arguments *a, int argc, char **argv)
{
	const char *second = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < SPB_COUNT(verbs); i++) {
		if (is_second_word(verbs[i], argv[0], second)) {
			a->program.verb = verbs[i]->bit;
			return 2;
		}
	}
	a->program.verb = VERB_LOCK_CHECK;
	if (strcmp(second, "-h") != 0 && strncmp(second, "--help", 6) != 0)
		cli_usage(a, WORDS("lock needs to know what to do" MSG_REMEDY
				   "Write lock check, lock update, lock merge or lock part."));
	return 1;
}

int verb_read(struct arguments *a, int argc, char **argv)
{
	const char *word = argc ? argv[0] : "";
	char meant[MOST_LETTERS];

	if (!strcmp(word, "lock"))
		return read_lock_verb(a, argc, argv);
	for (size_t i = 0; i < SPB_COUNT(verbs); i++) {
		if (!strcmp(word, verbs[i]->name)) {
			a->program.verb = verbs[i]->bit;
			return 1;
		}
	}
	if (*word && *word != '-' && *word != '@' && !strpbrk(word, "/.") && !os_is_there(word) && guess(word, meant))
		cli_usage(a, WORDS("there is no file ", word, MSG_REMEDY "Did you mean the verb ", meant, "?"));
	return 0;
}

bool verb_is_word(const char *word)
{
	for (size_t i = 0; i < SPB_COUNT(verbs); i++) {
		size_t length = strcspn(verbs[i]->name, " ");
		if (strlen(word) == length && !memcmp(word, verbs[i]->name, length))
			return true;
	}
	return false;
}

/* A verb behind options or files is taken for an input. */
void verb_check_inputs(struct arguments *a)
{
	const struct program_options *p = &a->program;

	for (size_t i = 0; i < p->input_count && !a->done; i++) {
		if (verb_is_word(p->inputs[i]) && !os_is_there(p->inputs[i]))
			cli_usage(a, WORDS("there is no file ", p->inputs[i],
					   MSG_REMEDY "The verb comes first: spirv-bind ", p->inputs[i], " ..."));
	}
}

bool verb_prints(const struct program_options *p)
{
	return p->layout.prints_table || verb_of(p)->prints;
}
