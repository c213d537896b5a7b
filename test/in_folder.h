/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up and tear-down of unit tests of the command, and their files. Include it after the headers that cmocka.h
 * needs. */
#ifndef TEST_IN_FOLDER_H
#define TEST_IN_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/args/args.h"

/* Each test runs in an empty folder, and stderr goes to the file `said`. */
static char folder[4096];
static int stderr_before;

static int begin(void **state)
{
	(void)state;
	if (!os_make_temporary_folder(folder, sizeof folder) || chdir(folder))
		return 1;
	fflush(stderr);
	stderr_before = dup(STDERR_FILENO);
	return stderr_before < 0 || !freopen("said", "w", stderr);
}

static int end(void **state)
{
	char command[5000];

	(void)state;
	fflush(stderr);
	dup2(stderr_before, STDERR_FILENO);
	close(stderr_before);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return chdir("/") || system(command);
}

static inline void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Returns the contents of a file, and removes it. */
static inline char *taken(const char *path)
{
	size_t size;
	char *text = (char *)cli_read_own_file(path, &size);

	assert_non_null(text);
	text = realloc(text, size + 1);
	assert_non_null(text);
	text[size] = '\0';
	unlink(path);
	return text;
}

/* The messages since the last call. */
static inline const char *said(void)
{
	static char text[20000];
	FILE *f = fopen("said", "rb");

	fflush(stderr);
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	rewind(stderr);
	assert_int_equal(ftruncate(STDERR_FILENO, 0), 0);
	return text;
}

/* The same without the notes, which say what to do. */
static inline const char *causes(void)
{
	static char text[20000];
	const char *all = said();
	size_t length = 0;

	for (size_t size; *all; all += size) {
		const char *note = strstr(all, ": note: ");
		size = strcspn(all, "\n") + 1;
		if (note && note < all + size)
			continue;
		memcpy(text + length, all, size);
		length += size;
	}
	text[length] = '\0';
	return text;
}

/* The cause of the refusal of a command line, which ends with NULL; "": it is accepted. */
static inline const char *refused(const char *const *words)
{
	struct arguments a;
	char *argv[20] = {NULL};
	int count = 0;
	const char *why;

	for (; words[count]; count++)
		argv[count] = strdup(words[count]);
	arg_read_arguments(&a, count, argv, NULL);
	why = causes();
	assert_int_equal(a.done, *why ? EXIT_USAGE + 1 : 0);
	arg_free_arguments(&a);
	for (int i = 0; i < count; i++)
		free(argv[i]);
	if (!*why)
		return "";
	assert_memory_equal(why, "spirv-bind: error: ", 19);
	return why + 19;
}

#endif
