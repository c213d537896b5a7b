/* SPDX-License-Identifier: Apache-2.0 */
/* args_policies: --profile, which names a profile of the library or a file. */
#include <stdlib.h>

#include "cli/args/args.h"

void arg_add_profile(struct arguments *a, const struct option *o, const char *value)
{
	struct spb_option_reader r = arg_option_reader(a);
	char *text = NULL;

	if (spb_option_is_file(spb_option_find("profile"), value)) {
		if (!os_is_there(value)) {
			arg_refuse_choice(a, o, value);
			return;
		}
		text = cli_read_text_file(value);
		if (!text) {
			a->done = EXIT_IO + 1;
			return;
		}
	}
	if (!spb_option_add_policy(&r, value, text))
		cli_no_memory(a);
	free(text);
}
