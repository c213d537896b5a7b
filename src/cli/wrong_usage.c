/* SPDX-License-Identifier: Apache-2.0 */
/* wrong_usage: how reading the command line ends early. */
#include "cli/cli.h"

void cli_usage(struct arguments *a, const char *const *words)
{
	msg_say(SPB_SEVERITY_ERROR, words);
	a->done = EXIT_USAGE + 1;
}

void cli_no_memory(struct arguments *a)
{
	a->done = msg_out_of_memory() + 1;
}

void cli_end_print(struct arguments *a)
{
	a->done = msg_flush() + 1;
}
