/* SPDX-License-Identifier: Apache-2.0 */
/* in_process: runs the command, the validator, the assembler and the disassembler any number of times in one process.
 * Starting a process with sanitizers takes longer than binding a shader; the properties of test/fixtures.py need
 * thousands of runs. The command is the one that is shipped: its main comes under another name.
 *
 *     request   one line of fields, separated by 0x1F:  OUT ERR NAME ARGUMENT…
 *               OUT and ERR are the files that get what is written to stdout and stderr
 *     answer    the exit status, one line
 *
 * NAME: spirv-bind (ARGUMENT…), spirv-val (ENVIRONMENT FILE), spirv-dis (FILE), spirv-as (ENVIRONMENT TEXT BINARY). */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define kDefaultMaxIdBound in_process_max_id_bound /* the header defines it, and the command has one already */
#include <spirv-tools/libspirv.h>

int spb_command(int argc, char **argv);

enum { ARGUMENTS = 256, SEPARATOR = 0x1F };

static void stop(const char *what, const char *path)
{
	fprintf(stderr, "in_process: cannot %s %s\n", what, path);
	exit(99);
}

/* With a 0 behind it. */
static char *contents(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
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

static int disassemble(const char *path)
{
	spv_context context = context_of("spv1.6");
	spv_diagnostic diagnostic = NULL;
	spv_text text = NULL;
	size_t size;
	uint32_t *words = (uint32_t *)(void *)contents(path, &size);
	spv_result_t result =
	    spvBinaryToText(context, words, size / 4,
			    SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_NO_HEADER, &text, &diagnostic);

	free(words);
	if (result == SPV_SUCCESS)
		fwrite(text->str, 1, text->length, stdout);
	spvTextDestroy(text);
	return finish(context, result, diagnostic);
}

static int assemble(const char *environment, const char *from, const char *to)
{
	spv_context context = context_of(environment);
	spv_diagnostic diagnostic = NULL;
	spv_binary binary = NULL;
	size_t size;
	char *text = contents(from, &size);
	spv_result_t result = spvTextToBinaryWithOptions(
	    context, text, size, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary, &diagnostic);

	free(text);
	if (result == SPV_SUCCESS) {
		FILE *f = fopen(to, "wb");

		if (!f || fwrite(binary->code, 4, binary->wordCount, f) != binary->wordCount || fclose(f))
			stop("write", to);
	}
	spvBinaryDestroy(binary);
	return finish(context, result, diagnostic);
}

static int run(int count, char **given)
{
	if (count >= 1 && !strcmp(given[0], "spirv-bind"))
		return spb_command(count, given);
	if (count == 3 && !strcmp(given[0], "spirv-val"))
		return validate(given[1], given[2]);
	if (count == 2 && !strcmp(given[0], "spirv-dis"))
		return disassemble(given[1]);
	if (count == 4 && !strcmp(given[0], "spirv-as"))
		return assemble(given[1], given[2], given[3]);
	stop("run", count ? given[0] : "nothing");
	return 99;
}

static void redirect(const char *path, int to)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || dup2(fd, to) < 0)
		stop("write", path);
	close(fd);
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
		char *fields[ARGUMENTS + 1];
		int count = 0;

		line[length - 1] = 0;
		for (char *at = line; at && count < ARGUMENTS; count++) {
			char *end = strchr(at, SEPARATOR);

			fields[count] = at;
			if (end)
				*end++ = 0;
			at = end;
		}
		fields[count] = NULL;
		if (count < 3 || count == ARGUMENTS)
			stop("read", "a request");
		redirect(fields[0], STDOUT_FILENO);
		redirect(fields[1], STDERR_FILENO);

		int status = run(count - 2, fields + 2);

		fflush(stdout);
		fflush(stderr);
		fprintf(answers, "%d\n", status);
		fflush(answers);
	}
	free(line);
	fclose(requests);
	fclose(answers);
	dup2(console, STDERR_FILENO); /* what the sanitizers have to say about leaks */
	return 0;
}
