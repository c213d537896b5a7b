/* SPDX-License-Identifier: Apache-2.0 */
/* verb_explain: why resources are where they are and why accesses differ; or what a message code means. */
#include <stdlib.h>
#include <string.h>

#include "cli/verbs/verbs.h"
#include "lib/options/option_words.h"

static void want(struct program_options *p)
{
	p->library.validation.which = SPB_VALIDATE_NONE;
	p->library.explain = 1;
	if (!p->explained)
		p->explained = "*";
}

enum { FIRST_CODE = 1000, END_OF_CODES = 10000 };

static const struct {
	uint32_t code;
	const char *text;
} examples[] = {
#include "cli/verbs/examples.inc"
};

/* The number in "SPB4001"; 0: not a code. */
static uint32_t code_of(const char *word)
{
	const size_t digits = strncmp(word, "SPB", 3) ? 0 : strspn(word + 3, "0123456789");

	return digits && digits < 6 && !word[3 + digits] ? (uint32_t)strtoul(word + 3, NULL, 10) : 0;
}

static bool print_code(uint32_t code)
{
	const char *cause, *remedy;

	if (!spb_describe_code(code, &cause, &remedy))
		return false;
	printf("SPB%04u: %s\nWhat to do: %s\n", (unsigned)code, cause, remedy);
	for (size_t i = 0; i < SPB_COUNT(examples); i++) {
		if (examples[i].code == code)
			printf("Example:\n%s", examples[i].text);
	}
	return true;
}

/* The codes that a rule of the lint, or a rule of the specification, has; false: none. */
static bool print_codes_of(const char *rule)
{
	const bool is_vuid = !strncmp(rule, "VUID-", strlen("VUID-"));
	const char *cause, *remedy;
	char quoted[64];
	bool any = false;

	snprintf(quoted, sizeof quoted, "rule `%s`", rule);
	for (uint32_t code = FIRST_CODE; *rule && code < END_OF_CODES; code++) {
		if (spb_describe_code(code, &cause, &remedy) && strstr(cause, is_vuid ? rule : quoted))
			any |= print_code(code);
	}
	return any;
}

/* The code with the fewest other digits. */
static void guess(const char *word, char meant[8])
{
	const char *cause, *remedy;
	size_t nearest = SIZE_MAX;

	for (uint32_t code = FIRST_CODE; code < END_OF_CODES; code++) {
		char name[8];
		snprintf(name, sizeof name, "SPB%04u", (unsigned)code);
		if (spb_describe_code(code, &cause, &remedy) && spb_is_nearer(word, name, &nearest))
			memcpy(meant, name, sizeof name);
	}
}

static void check(struct arguments *a)
{
	const struct program_options *p = &a->program;
	const char *word = p->input_count == 1 ? p->inputs[0] : "";
	const uint32_t code = code_of(word);
	char meant[8];

	if (!*word || os_is_there(word))
		return;
	if (code ? print_code(code) : print_codes_of(word)) {
		cli_end_print(a);
	} else if (code) {
		guess(word, meant);
		cli_usage(a, WORDS("no message has the code ", word, MSG_REMEDY "Did you mean ", meant, "?"));
	} else if (!strncmp(word, "VUID-", strlen("VUID-"))) {
		cli_usage(a, WORDS("no message is about ", word,
				   MSG_REMEDY "docs/messages.md has the rules that messages are about."));
	}
}

static int report(const struct program_options *p, const char *name, spb_program *program)
{
	int status = cli_print_explanation(p, program);

	(void)name;
	return status == EXIT_DONE ? msg_flush() : status;
}

const struct verb verb_explain = {
    .bit = VERB_EXPLAIN,
    .name = "explain",
    .words = "[--name=GLOB] INPUT... | SPB4001 | RULE",
    .summary = "why a resource is there, and an access differs; what a code means",
    .text = "Prints for each resource where it is, which rule placed it there, where each module had it, and for each "
	    "access whether its index may differ between invocations, and why. With the code of a message in place of "
	    "inputs, prints its cause, what to do, and an example; with a rule of the lint or a VUID, all its codes.",
    .prints = true,
    .want = want,
    .check = check,
    .report = report,
};
