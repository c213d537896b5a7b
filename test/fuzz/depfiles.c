/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the depfile of a compiler: the file names are part of the text. */
#include "cli/cli.h"

#include "in_folder.h"

static void take(void *user, const char *path, size_t length)
{
	size_t *left = user;

	MUST(length <= *left && !memchr(path, '\n', length));
	*left -= length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_text(data, size);
	size_t left = size;

	cli_read_depfile(text, "/tmp/compiled", take, &left);
	free(text);
	return 0;
}
