/* SPDX-License-Identifier: Apache-2.0 */
/* Files for the command, in a current folder that only this process uses. Messages of the command are recorded and
 * discarded. */
#include <unistd.h>

#include "cli/cli.h"

#include "in_folder.h"

static char folder[4096];

static void remove_folder(void)
{
	char command[5000];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	MUST(!chdir("/") && !system(command));
}

void put_file(const char *path, const void *bytes, size_t size)
{
	FILE *f;

	if (!*folder) {
		MUST(os_make_temporary_folder(folder, sizeof folder) && !chdir(folder));
		atexit(remove_folder);
	}
	f = fopen(path, "wb");
	MUST(f && fwrite(bytes, 1, size, f) == size && !fclose(f));
}

void begin_listening(struct record *r)
{
	MUST(msg_open_record(r));
	msg_begin_recording(r);
}

bool has_said_something(struct record *r)
{
	bool said;

	MUST(msg_end_recording(r));
	said = r->size != 0;
	msg_close_record(r);
	return said;
}
