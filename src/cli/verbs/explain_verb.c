/* SPDX-License-Identifier: Apache-2.0 */
/* verb_explain: why resources are where they are and why accesses differ; or what a message code means. */
#include <stdlib.h>
#include <string.h>

#include "cli/verbs/verbs.h"

static void want(struct program_options *p)
{
	p->library.validation.which = SPB_VALIDATE_NONE;
	p->library.explain = 1;
	if (!p->explained)
		p->explained = "*";
}

/* The number in "SPB4001"; 0: not a code. */
static uint32_t code_of(const char *word)
{
	const size_t digits = strncmp(word, "SPB", 3) ? 0 : strspn(word + 3, "0123456789");

	return digits && digits < 6 && !word[3 + digits] ? (uint32_t)strtoul(word + 3, NULL, 10) : 0;
}

static void check(struct arguments *a)
{
	const char *cause, *remedy;
	const struct program_options *p = &a->program;
	uint32_t code = p->input_count == 1 ? code_of(p->inputs[0]) : 0;

	if (!code || os_is_there(p->inputs[0]))
		return;
	if (!spb_describe_code(code, &cause, &remedy)) {
		cli_usage(a, WORDS("no message has the code ", p->inputs[0]));
		return;
	}
	printf("%s: %s\n", p->inputs[0], cause);
	if (*remedy)
		printf("What to do: %s\n", remedy);
	cli_end_print(a);
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
    .words = "[--name=GLOB] INPUT... | SPB4001",
    .summary = "why a resource is there, and an access differs; what a code means",
    .text = "Prints for each resource where it is, which rule placed it there, where each module had it, and for each "
	    "access whether its index may differ between invocations, and why. With the code of a message in place of "
	    "inputs, prints its cause and what to do.",
    .prints = true,
    .want = want,
    .check = check,
    .report = report,
};
