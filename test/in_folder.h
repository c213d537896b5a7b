/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up and tear-down of unit tests of the command. */
#ifndef TEST_IN_FOLDER_H
#define TEST_IN_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

/* Each test runs in an empty folder, and what is said goes to the file `said`. */
static char folder[4096];
static int before;

static int begin(void **state)
{
	(void)state;
	if (!os_make_temporary_folder(folder, sizeof folder) || chdir(folder))
		return 1;
	fflush(stderr);
	before = dup(STDERR_FILENO);
	return before < 0 || !freopen("said", "w", stderr);
}

static int end(void **state)
{
	char command[5000];

	(void)state;
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return chdir("/") || system(command);
}

#endif
