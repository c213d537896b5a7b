/* SPDX-License-Identifier: Apache-2.0 */
/* compile_glsl: a resolver in GLSL, by the glslangValidator or glslc that is installed. A process of their own takes a
 * tenth of a second, and that only where there is such a resolver; glslang inside would make the command half as large
 * again for everybody.
 *
 * GLSL cannot export, and compilers want a main and drop what it does not call:
 *
 *     glslangValidator -V -S comp --keep-uncalled    of the text with an empty main behind it
 *     glslc -fshader-stage=comp                      of the text with a main that calls the function
 *
 * The function is known by its name, getDescriptorIndexFromHandle(vu2; or ...(vu2;u1; in the module. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/resolvers.h"

extern char **environ;

struct compilation {
	char directory[512]; /* temporary; removed at the end */
	char source[544], binary[544], log[544];
	char include[1024]; /* -I: where the resolver is */
	char target[32];
};

static bool make_directory(struct compilation *c)
{
	const char *base = getenv("TMPDIR");
	int length;

	if (!base || !*base)
		base = "/tmp";
	length = snprintf(c->directory, sizeof c->directory, "%s/spirv-bind.XXXXXX", base);
	if (length < 0 || (size_t)length >= sizeof c->directory || !mkdtemp(c->directory)) {
		c->directory[0] = '\0';
		return false;
	}
	snprintf(c->source, sizeof c->source, "%s/resolver.comp", c->directory);
	snprintf(c->binary, sizeof c->binary, "%s/resolver.spv", c->directory);
	snprintf(c->log, sizeof c->log, "%s/log", c->directory);
	return true;
}

static void remove_directory(const struct compilation *c)
{
	if (!c->directory[0])
		return;
	unlink(c->source);
	unlink(c->binary);
	unlink(c->log);
	rmdir(c->directory);
}

/* The text with `main` behind it, on a line of its own, so that lines keep their numbers. */
static bool write_source(const struct compilation *c, const char *text, const char *main)
{
	FILE *file = fopen(c->source, "wb");
	bool whole = file && fputs(text, file) >= 0 && fprintf(file, "\n%s\n", main) > 0;

	if (file && fclose(file))
		whole = false;
	return whole;
}

/* Exit status; -1: there is no such program; -2: it could not be run. */
static int run(const struct compilation *c, const char *const *arguments)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status = 0, error;

	if (posix_spawn_file_actions_init(&actions))
		return -2;
	error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, c->log, O_WRONLY | O_CREAT | O_TRUNC,
							 0600);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
	if (!error) /* posix_spawnp does not change its arguments */
		error =
		    posix_spawnp(&child, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return error == ENOENT ? -1 : -2;
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return -2;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

/* A main that calls the form of the function that the text defines: that it does not fit is the compiler's to say. */
static const char *calling_main(const char *text)
{
	const char *at = strstr(text, "getDescriptorIndexFromHandle");
	const char *open = at ? strchr(at, '(') : NULL, *close = open ? strchr(open, ')') : NULL;

	if (!close)
		return "void main() {}";
	return memchr(open, ',', (size_t)(close - open))
		   ? "void main() { getDescriptorIndexFromHandle(uvec2(0u), 0u); }"
		   : "void main() { getDescriptorIndexFromHandle(uvec2(0u)); }";
}

/* Runs glslangValidator or, if it is not installed, glslc. */
static int run_compiler(struct compilation *c, const char *text, uint32_t version)
{
	/* Vulkan's version for each of SPIR-V */
	static const char *const vulkan[] = {"vulkan1.0", "vulkan1.1", "vulkan1.1", "vulkan1.1",
					     "vulkan1.2", "vulkan1.2", "vulkan1.3"};
	const char *const header = "-I" SPB_GLSL_DIRECTORY;
	char target[64];
	int status;

	snprintf(c->target, sizeof c->target, "spirv1.%u", (unsigned)version);
	if (!write_source(c, text, "void main() {}"))
		return -2;
	status =
	    run(c, WORDS("glslangValidator", "-V", "-S", "comp", "--keep-uncalled", "--target-env", vulkan[version],
			 "--target-env", c->target, c->include, header, "-o", c->binary, c->source));
	if (status != -1)
		return status;
	if (!write_source(c, text, calling_main(text)))
		return -2;
	snprintf(target, sizeof target, "--target-env=%s", vulkan[version]);
	snprintf(c->target, sizeof c->target, "--target-spv=spv1.%u", (unsigned)version);
	return run(c, WORDS("glslc", "-fshader-stage=comp", target, c->target, c->include, header, "-o", c->binary,
			    c->source));
}

/* Compiler messages name our temporary file: replace that with the name that the user knows. */
static int refuse(const struct resolver_file *r, const struct compilation *c)
{
	char *log = read_text_file(c->log), *all = log ? calloc(strlen(log) + 1, 1) : NULL, *to = all;
	int status;

	if (!all) {
		free(log);
		return out_of_memory();
	}
	for (const char *from = log; *from;) {
		size_t path = strlen(c->source);
		if (!strncmp(from, c->source, path)) {
			memcpy(to, "line", 4);
			from += path;
			to += 4;
		} else {
			*to++ = *from++;
		}
	}
	status = refuse_resolver(r, "the resolver cannot be compiled as GLSL", all);
	free(log);
	free(all);
	return status;
}

static int take_binary(struct resolver_file *r, const struct compilation *c)
{
	size_t size;
	unsigned char *bytes = read_file(c->binary, &size);
	int status = bytes ? take_words(r, bytes, size) : EXIT_IO;

	free(bytes);
	return status;
}

int compile_glsl(struct resolver_file *r, const char *text, uint32_t version)
{
	struct compilation c = {.directory = ""};
	const char *slash = strrchr(r->path, '/');
	size_t length = slash ? (size_t)(slash - r->path) + 1 : 1;
	int status;

	if (length > sizeof c.include - 3)
		return refuse_resolver(r, "the path is too long for the GLSL compiler", (char[]){""});
	snprintf(c.include, sizeof c.include, "-I%.*s", (int)length, slash ? r->path : ".");
	status = make_directory(&c) ? run_compiler(&c, text, version) : -2;
	if (status == 0) {
		status = take_binary(r, &c);
	} else if (status > 0) {
		status = refuse(r, &c);
	} else {
		say(SPB_SEVERITY_ERROR,
		    status == -1
			? WORDS("cannot compile ", r->path,
				": neither glslangValidator nor glslc is in PATH; install one, or compile it to "
				"SPIR-V (docs/resolvers.md)")
			: WORDS("cannot compile ", r->path, ": ", strerror(errno)));
		status = EXIT_IO;
	}
	remove_directory(&c);
	return status;
}
