/* SPDX-License-Identifier: Apache-2.0 */
/* folders: creates the folders of --out-dir, like `mkdir -p`, and removes them again if their files could not be
 * written. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

bool cli_make_path(const char *path, unsigned *made)
{
	char *copy = strdup(path), *made_up_to = copy;
	bool done = copy != NULL, last = false;
	int why = ENOMEM, first = 0;

	*made = 0;
	for (char *at = copy; done && !last;) {
		at += strspn(at, "/");
		at += strcspn(at, "/");
		last = !at[strspn(at, "/")];
		char end = *at;
		*at = '\0';
		if (os_make_folder(OS_HERE, copy, 0777)) {
			++*made;
			made_up_to = at;
		} else if (errno != EEXIST && !first) {
			first = errno;
		}
		if (last && first && !os_is_there(copy)) { /* a parent that cannot be created may exist */
			done = false;
			why = first;
		}
		*at = end;
	}
	if (copy && !done) { /* those below it have not been made */
		*made_up_to = '\0';
		cli_remove_path(copy, *made);
	}
	free(copy);
	if (!done)
		errno = why;
	return done;
}

void cli_remove_path(const char *path, unsigned made)
{
	char *copy = strdup(path);

	for (size_t length = copy ? strlen(copy) : 0; made && length; made--) {
		while (length > 1 && copy[length - 1] == '/')
			copy[--length] = '\0';
		os_remove_folder(OS_HERE, copy);
		while (length && copy[length - 1] != '/')
			copy[--length] = '\0';
	}
	free(copy);
}
