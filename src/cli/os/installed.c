/* SPDX-License-Identifier: Apache-2.0 */
/* installed: finds the folders that were installed with the command, first next to it, since an archive is unpacked
 * anywhere and a prefix may be moved, and then in the prefix of the build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/os/os.h"

/* prefix/bin/spirv-bind: the length of prefix; 0: it is not in such a folder. */
static size_t prefix_length(const char *program)
{
	const char *name = strrchr(program, '/');
	size_t folder = name ? (size_t)(name - program) : 0;

	return folder >= 4 && !strncmp(name - 4, "/bin", 4) ? folder - 4 : 0;
}

void os_installed_folder(char *to, size_t size, const char *before, const char *below, const char *built)
{
	char *program = os_real_path(os_executable());
	size_t prefix = program ? prefix_length(program) : 0;
	int length = prefix ? snprintf(to, size, "%s%.*s/%s", before, (int)prefix, program, below) : -1;

	if (length < 0 || (size_t)length >= size || !os_is_there(to + strlen(before)))
		snprintf(to, size, "%s%s", before, built);
	free(program);
}
