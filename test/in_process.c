/* SPDX-License-Identifier: Apache-2.0 */
/* in_process: runs the command, the validator, the assembler, the disassembler and the GLSL compiler any number of
 * times in one process. Starting them takes longer than their work: the command with sanitizers 15 ms, glslangValidator
 * 75. The command is the shipped one, with its main renamed.
 *
 *     request   one line of fields, separated by 0x1F:  FOLDER IN OUT ERR NAME ARGUMENT…
 *               the folder in which it runs, and the files for stdin, stdout and stderr
 *     answer    the exit status, one line; ELSEWHERE if it must run as a process
 *
 * NAME: spirv-bind (ARGUMENT…), spirv-val (--target-env ENVIRONMENT FILE), spirv-dis (--raw-id --no-header FILE),
 * spirv-as ([--preserve-numeric-ids] --target-env ENVIRONMENT FILE -o BINARY), glslangValidator (in_process_glslang.c).
 * FILE may be -, for stdin. uninitialised-read reads uninitialised memory, for test/memcheck.py. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define kDefaultMaxIdBound in_process_max_id_bound /* the header defines it, and the command has one already */
#include <spirv-tools/libspirv.h>

#include "in_process.h"

int spb_command(int argc, char **argv);

enum { ARGUMENTS = 256, SEPARATOR = 0x1F };

void stop(const char *what, const char *path)
{
	fprintf(stderr, "in_process: cannot %s %s\n", what, path);
	exit(99);
}

char *contents(const char *path, size_t *size)
{
	FILE *f = fopen(strcmp(path, "-") ? path : "/dev/stdin", "rb");
	char *data = NULL;
	long length;

	if (!f || fseek(f, 0, SEEK_END) || (length = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
		stop("read", path);
	*size = (size_t)length;
	data = malloc(*size + 1);
	if (!data || fread(data, 1, *size, f) != *size)
		stop("read", path);
	data[*size] = 0;
	fclose(f);
	return data;
}

void write_words(const char *path, const uint32_t *words, size_t count)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(words, sizeof *words, count, f) != count || fclose(f))
		stop("write", path);
}

static spv_context context_of(const char *environment)
{
	spv_target_env env;

	if (!spvParseTargetEnv(environment, &env))
		stop("use the environment", environment);
	return spvContextCreate(env);
}

static int finish(spv_context context, spv_result_t result, spv_diagnostic diagnostic)
{
	if (result != SPV_SUCCESS)
		fprintf(stderr, "error: %zu: %s\n", diagnostic ? diagnostic->position.index : 0,
			diagnostic ? diagnostic->error : "no reason");
	spvDiagnosticDestroy(diagnostic);
	spvContextDestroy(context);
	return result != SPV_SUCCESS;
}

static int validate(const char *environment, const char *path)
{
	spv_context context = context_of(environment);
	spv_diagnostic diagnostic = NULL;
	size_t size;
	uint32_t *words = (uint32_t *)(void *)contents(path, &size);
	spv_result_t result = spvValidateBinary(context, words, size / 4, &diagnostic);

	free(words);
	return finish(context, result, diagnostic);
}

/* Like spirv-dis. */
static int disassemble(uint32_t options, const char *path)
{
	spv_context context = context_of("spv1.6");
	spv_diagnostic diagnostic = NULL;
	spv_text text = NULL;
	size_t size;
	uint32_t *words = (uint32_t *)(void *)contents(path, &size);
	spv_result_t result =
	    spvBinaryToText(context, words, size / 4, SPV_BINARY_TO_TEXT_OPTION_INDENT | options, &text, &diagnostic);

	free(words);
	if (result == SPV_SUCCESS)
		fwrite(text->str, 1, text->length, stdout);
	spvTextDestroy(text);
	return finish(context, result, diagnostic);
}

static int assemble(bool keep_ids, const char *environment, const char *from, const char *to)
{
	spv_context context = context_of(environment);
	spv_diagnostic diagnostic = NULL;
	spv_binary binary = NULL;
	size_t size;
	char *text = contents(from, &size);
	spv_result_t result = spvTextToBinaryWithOptions(context, text, size,
							 keep_ids ? SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS
								  : SPV_TEXT_TO_BINARY_OPTION_NONE,
							 &binary, &diagnostic);

	free(text);
	if (result == SPV_SUCCESS)
		write_words(to, binary->code, binary->wordCount);
	spvBinaryDestroy(binary);
	return finish(context, result, diagnostic);
}

/* valgrind must notice this. */
static int read_uninitialised(void)
{
	static char *volatile fresh;
	int status;

	fresh = malloc(1);
	status = *fresh == 7;
	free(fresh);
	return status;
}

static bool is(char **given, int at, const char *word)
{
	return !strcmp(given[at], word);
}

static int disassemble_here(int count, char **given)
{
	uint32_t options = SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;

	for (int i = 1; i < count - 1; i++) {
		if (is(given, i, "--raw-id"))
			options &= ~(uint32_t)SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
		else if (is(given, i, "--no-header"))
			options |= SPV_BINARY_TO_TEXT_OPTION_NO_HEADER;
		else if (!is(given, i, "--no-color"))
			return ELSEWHERE;
	}
	if (count < 2 || (!is(given, count - 1, "-") && access(given[count - 1], R_OK)))
		return ELSEWHERE;
	return disassemble(options, given[count - 1]);
}

static int run(int count, char **given)
{
	if (is(given, 0, "spirv-bind"))
		return spb_command(count, given);
	if (is(given, 0, "glslangValidator"))
		return compile_glsl_here(count - 1, given + 1);
	if (is(given, 0, "uninitialised-read"))
		return read_uninitialised();
	if (count == 4 && is(given, 0, "spirv-val") && is(given, 1, "--target-env"))
		return validate(given[2], given[3]);
	if (is(given, 0, "spirv-dis"))
		return disassemble_here(count, given);
	if (is(given, 0, "spirv-as")) {
		bool keep = count == 7 && is(given, 1, "--preserve-numeric-ids");
		int at = keep ? 2 : 1;

		if (count == at + 5 && is(given, at, "--target-env") && is(given, at + 3, "-o"))
			return assemble(keep, given[at + 1], given[at + 2], given[at + 4]);
	}
	return ELSEWHERE;
}

static void redirect(const char *path, int to)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || dup2(fd, to) < 0)
		stop("open", path);
	close(fd);
}

enum { FOLDER, IN, OUT, ERR, NAME };

static int run_request(char *line)
{
	char *fields[ARGUMENTS + 1];
	int count = 0;

	for (char *at = line; at && count < ARGUMENTS; count++) {
		char *end = strchr(at, SEPARATOR);

		fields[count] = at;
		if (end)
			*end++ = 0;
		at = end;
	}
	fields[count] = NULL;
	if (count <= NAME || count == ARGUMENTS)
		stop("read", "a request");
	if (chdir(fields[FOLDER]))
		stop("enter", fields[FOLDER]);
	if (!freopen(fields[IN], "rb", stdin))
		stop("open", fields[IN]);
	redirect(fields[OUT], STDOUT_FILENO);
	redirect(fields[ERR], STDERR_FILENO);

	int status = run(count - NAME, fields + NAME);

	fflush(stdout);
	fflush(stderr);
	return status;
}

int main(void)
{
	FILE *requests = fdopen(dup(STDIN_FILENO), "r"), *answers = fdopen(dup(STDOUT_FILENO), "w");
	int console = dup(STDERR_FILENO);
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	if (!requests || !answers || console < 0)
		stop("open", "the streams");
	while ((length = getline(&line, &room, requests)) > 0) {
		line[length - 1] = 0;
		fprintf(answers, "%d\n", run_request(line));
		fflush(answers);
	}
	free(line);
	fclose(requests);
	fclose(answers);
	dup2(console, STDERR_FILENO); /* for reports of leaks by the sanitizers */
	return 0;
}
