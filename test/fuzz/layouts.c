/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the layout JSON of --against, and as the one compared with it: a valid layout is compatible with
 * itself. */
#include "cli/cli.h"

#include "in_folder.h"

static const char other[] =
    "{\"version\": 1, \"sets\": [{\"set\": 0, \"bindings\": [{\"binding\": 0, \"name\": \"a\", \"kind\": \"texture\", "
    "\"descriptorType\": \"sampled-image\", \"count\": 1, \"stages\": [\"fragment\"], \"flags\": []}]}], "
    "\"pushConstants\": []}";

static int compare(const char *asked, const char *old, const char *new, bool *said)
{
	struct record record;

	begin_listening(&record);
	int status = cli_check_compatible("old.json", asked, "p", old, new);
	*said = has_said_something(&record);
	MUST(status == EXIT_DONE || status == EXIT_DIFFERENT || *said);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_text(data, size);
	bool said;
	int status = compare(NULL, text, text, &said);

	MUST(status == EXIT_DONE || said);
	MUST(status != EXIT_DIFFERENT);
	compare("0,2", text, text, &said);
	compare(NULL, text, other, &said);
	compare(NULL, other, text, &said);
	free(text);
	return 0;
}
