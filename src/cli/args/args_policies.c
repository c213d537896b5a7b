/* SPDX-License-Identifier: Apache-2.0 */
/* args_policies: --profile, which names a profile of the library or a file. */
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"

char *arg_read_text_file(const char *path)
{
	size_t size;
	unsigned char *bytes = cli_read_file(path, &size);
	char *text = bytes ? realloc(bytes, size + 1) : NULL;

	if (bytes && !text) {
		free(bytes);
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
		return NULL;
	}
	if (!text)
		return NULL;
	text[size] = '\0';
	for (size_t i = 0; i < size; i++) {
		if (!text[i])
			text[i] = '?'; /* not text: a line will be malformed */
	}
	return text;
}

void arg_add_profile(struct arguments *a, const struct option *o, const char *value)
{
	struct spb_option_reader r = arg_option_reader(a);
	char *text = NULL;

	if (spb_option_is_file(spb_option_find("profile"), value)) {
		if (!os_is_there(value)) {
			arg_refuse_choice(a, o, value);
			return;
		}
		text = arg_read_text_file(value);
		if (!text) {
			a->done = EXIT_IO + 1;
			return;
		}
	}
	if (!spb_option_add_policy(&r, value, text))
		arg_no_memory(a);
	free(text);
}
