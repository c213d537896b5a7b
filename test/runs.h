/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the command within a unit test. Include it after the headers that cmocka.h needs. */
#ifndef TEST_RUNS_H
#define TEST_RUNS_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define kDefaultMaxIdBound test_max_id_bound /* the header defines it, and the command has one already */
#include <spirv-tools/libspirv.h>

#include "in_folder.h"

int spb_command(int argc, char **argv);

/* Writes the module of an assembly text, padded by so many bytes of unused strings. */
static inline void put_padded(const char *path, const char *assembly, size_t bytes)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_0);
	spv_binary binary = NULL;
	uint32_t *padding = calloc(1, bytes + 8), length = (uint32_t)(bytes / 4 + 2); /* with a NUL at the end */
	FILE *f = fopen(path, "wb");

	assert_int_equal(spvTextToBinary(context, assembly, strlen(assembly), &binary, NULL), SPV_SUCCESS);
	assert_true(f && padding);
	size_t names = 5;
	while (bytes && (binary->code[names] & 0xFFFF) != 5) /* OpName, which follows an OpString */
		names += binary->code[names] >> 16;
	binary->code[3]++;
	if (bytes)
		memset(padding + 2, 'p', bytes - 1);
	padding[0] = length << 16 | 7; /* OpString */
	padding[1] = binary->code[3] - 1;
	fwrite(binary->code, 4, names, f);
	if (bytes)
		fwrite(padding, 4, length, f);
	fwrite(binary->code + names, 4, binary->wordCount - names, f);
	fclose(f);
	free(padding);
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
}

/* The messages and output of a run; returns its status. */
static char *printed, *told;

static inline int run(const char *const *words)
{
	char *argv[80] = {NULL};
	int count = 0;

	for (; words[count]; count++)
		argv[count] = strdup(words[count]);
	fflush(stdout);
	int stdout_before = dup(STDOUT_FILENO), to = open("printed", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(stdout_before >= 0 && to >= 0);
	dup2(to, STDOUT_FILENO);
	int status = spb_command(count, argv);
	fflush(stdout);
	dup2(stdout_before, STDOUT_FILENO);
	close(stdout_before);
	close(to);
	for (int i = 0; i < count; i++)
		free(argv[i]);
	free(printed);
	free(told);
	printed = taken("printed");
	told = strdup(said());
	return status;
}

#define RUN(...)   run((const char *const[]){"x", "--validate=none", "-j1", __VA_ARGS__, NULL})
#define CHECK(...) run((const char *const[]){"x", "check", "--validate=none", "-j1", __VA_ARGS__, NULL})
/* Verbs that validate nothing. */
#define VERB(...) run((const char *const[]){"x", __VA_ARGS__, "-j1", NULL})

#endif
