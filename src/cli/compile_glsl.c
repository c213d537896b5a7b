/* SPDX-License-Identifier: Apache-2.0 */
/* compile_glsl: compiles a resolver in GLSL by the installed glslangValidator or glslc. Starting one takes a tenth of a
 * second, and only for such resolvers; linking glslang would make the command half as large again for all users.
 *
 * GLSL cannot export, and compilers want a main and drop what it does not call:
 *
 *     glslangValidator -V -g -S comp --keep-uncalled    of the text with an empty main at the end
 *     glslc -g -fshader-stage=comp                      of the text with a main that calls the function
 *
 * The function is known by its name, getDescriptorIndexFromHandle(vu2; or ...(vu2;u1; in the module. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/blake2.h"
#include "cli/resolvers.h"

struct compilation {
	struct compile_folder folder;
	char source[544], binary[544], log[544], depfile[544];
	char include[1024];   /* -I: where the resolver is */
	char header[1024];    /* -I: where descriptor_handle.glsl is */
	const char *compiled; /* the file in messages of the compiler: source, or the path of a shader */
	char target[32];
	unsigned seconds;        /* time limit; 0: none */
	struct path_list *files; /* gets the names of files read, or NULL */
};

static void find_header(struct compilation *c)
{
	os_installed_folder(c->header, sizeof c->header, "-I", "share/spirv-bind/glsl", SPB_GLSL_DIRECTORY);
}

static bool begin(struct compilation *c)
{
	if (!cli_make_compile_folder(&c->folder))
		return false;
	snprintf(c->source, sizeof c->source, "%s/resolver.comp", c->folder.path);
	snprintf(c->binary, sizeof c->binary, "%s/resolver.spv", c->folder.path);
	snprintf(c->log, sizeof c->log, "%s/log", c->folder.path);
	snprintf(c->depfile, sizeof c->depfile, "%s/depfile", c->folder.path);
	find_header(c);
	return true;
}

/* The text, then `main` on a separate line, so that lines keep their numbers. */
static bool write_source(const struct compilation *c, const char *text, const char *main)
{
	FILE *file = os_open_stream(c->source, "wb");

	if (!file)
		return false;
	fprintf(file, "%s\n%s\n", text, main);
	bool whole = !ferror(file);
	return !fclose(file) && whole;
}

/* A main that calls the form of the function that the text defines: if neither fits, the compiler reports it. */
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

/* Runs glslangValidator or, if it is not installed, glslc. Exit status or OS_CHILD_*. */
static int run_compiler(struct compilation *c, const char *text, uint32_t version)
{
	/* Vulkan's version for each of SPIR-V */
	static const char *const vulkan[] = {"vulkan1.0", "vulkan1.1", "vulkan1.1", "vulkan1.1",
					     "vulkan1.2", "vulkan1.2", "vulkan1.3"};
	char target[64];
	int status;

	snprintf(c->target, sizeof c->target, "spirv1.%u", (unsigned)version);
	if (!write_source(c, text, "void main() {}"))
		return OS_CHILD_FAILED;
	status = os_run_child(WORDS("glslangValidator", "-V", "-g", "-S", "comp", "--keep-uncalled", "--target-env",
				    vulkan[version], "--target-env", c->target, c->include, c->header, "--depfile",
				    c->depfile, "-o", c->binary, c->source),
			      c->log, c->seconds);
	if (status != OS_CHILD_NOT_FOUND)
		return status;
	if (!write_source(c, text, calling_main(text)))
		return OS_CHILD_FAILED;
	snprintf(target, sizeof target, "--target-env=%s", vulkan[version]);
	snprintf(c->target, sizeof c->target, "--target-spv=spv1.%u", (unsigned)version);
	return os_run_child(WORDS("glslc", "-g", "-fshader-stage=comp", target, c->target, c->include, c->header, "-MD",
				  "-MF", c->depfile, "-o", c->binary, c->source),
			    c->log, c->seconds);
}

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* Does the text contain FILE:LINE:? */
static bool has_place(const char *text)
{
	for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
		size_t digits = strspn(at + 1, "0123456789");
		if (digits && at[1 + digits] == ':')
			return true;
	}
	return false;
}

/* glslangValidator writes ERROR: FILE:LINE: …, glslc FILE:LINE: error: …, for our temporary file or an included one.
 * Both become FILE:LINE: …, with the name that the user knows. */
static void add_line(FILE *to, const struct resolver_file *r, const struct compilation *c, const char *line)
{
	if (starts_with(line, "ERROR: "))
		line += strlen("ERROR: ");
	if (!*line || !strcmp(line, c->compiled))
		return;
	if (starts_with(line, c->compiled)) {
		line += strlen(c->compiled);
		size_t place = *line == ':' ? 1 + strspn(line + 1, "0123456789") : 0;
		fprintf(to, "%s%.*s", r->path, (int)place, line);
		line += place;
		if (starts_with(line, ": error: "))
			line += strlen(": error");
	}
	fprintf(to, "%s\n", line);
}

/* Reports the lines of the log that have a source location: the others are titles and summaries. If none has, reports
 * all. */
static int refuse(const struct resolver_file *r, const struct compilation *c)
{
	char *log = cli_read_text_file(c->log), *all = NULL;
	size_t size;
	FILE *to = log ? os_open_text(&all, &size) : NULL;
	const bool placed = log && has_place(log);

	for (char *line = log, *next; to && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!placed || has_place(line))
			add_line(to, r, c, line);
	}
	free(log);
	if (!to || !os_close_text(to) || !all) {
		free(all);
		return msg_out_of_memory();
	}
	int status = cli_refuse_resolver(
	    r, r->is_input ? "the shader cannot be compiled" : "the resolver cannot be compiled as GLSL", all);
	free(all);
	return status;
}

/* NULL: it cannot be read. */
static char *own_text(const char *path)
{
	size_t size;
	unsigned char *bytes = cli_read_own_file(path, &size);
	char *text = bytes ? calloc(size + 1, 1) : NULL;

	if (text)
		memcpy(text, bytes, size);
	free(bytes);
	return text;
}

enum { OP_STRING = 7 };

static bool is_string(const uint32_t *words, size_t length, const char *text)
{
	const char *string = (const char *)(words + 2);

	return (words[0] & 0xFFFF) == OP_STRING && length > 2 && memchr(string, 0, (length - 2) * sizeof *words) &&
	       !strcmp(string, text);
}

/* What the compiler wrote (a module, in this machine's byte order), with the resolver's own path in place of that of
 * the temporary file, for messages and line information. NULL: out of memory. */
static uint32_t *with_path(const uint32_t *words, size_t *count, const char *temporary, const char *path)
{
	size_t extra = strlen(path) / sizeof *words + 3, n = 0, length;
	uint32_t *to = malloc((*count + extra) * sizeof *to);

	for (size_t at = 0; to && at < *count; at += length) {
		length = at < 5 ? 1 : words[at] >> 16;
		if (!length || length > *count - at)
			length = *count - at; /* the parser will report the fault */
		if (at >= 5 && extra && is_string(words + at, length, temporary)) {
			memset(to + n, 0, extra * sizeof *to);
			to[n] = (uint32_t)extra << 16 | OP_STRING;
			to[n + 1] = words[at + 1];
			memcpy(to + n + 2, path, strlen(path));
			n += extra;
			extra = 0; /* there is one */
		} else {
			memcpy(to + n, words + at, length * sizeof *to);
			n += length;
		}
	}
	*count = n;
	return to;
}

static int take_renamed(struct resolver_file *r, const struct compilation *c, uint32_t version, const void *bytes,
			size_t size)
{
	size_t count = size / sizeof(uint32_t);
	uint32_t *words = with_path(bytes, &count, c->source, r->path);
	int status = words ? cli_take_words(r, version, words, count * sizeof *words) : msg_out_of_memory();

	free(words);
	return status;
}

static void take_file(void *user, const char *path, size_t length)
{
	struct path_list *files = user;

	cli_note_read(path, length);
	if (files)
		cli_add_path(files, path, length);
}

static int take_binary(struct resolver_file *r, const struct compilation *c, uint32_t version)
{
	size_t size;
	unsigned char *bytes = cli_read_own_file(c->binary, &size);
	char *included = NULL;

	if (os_is_readable(c->depfile))
		included = own_text(c->depfile);
	if (included)
		cli_read_depfile(included, c->folder.path, take_file, c->files);
	free(included);
	int status =
	    !bytes ? EXIT_IO
		   : (r->is_input ? cli_take_words(r, version, bytes, size) : take_renamed(r, c, version, bytes, size));

	free(bytes);
	return status;
}

static int refuse_slow(const struct resolver_file *r, unsigned seconds)
{
	char text[160];

	snprintf(text, sizeof text,
		 "the GLSL compiler did not finish within %u second%s; compile the "
		 "%s to SPIR-V beforehand",
		 seconds, seconds == 1 ? "" : "s", r->is_input ? "shader" : "resolver");
	return cli_refuse_resolver(r, text, "");
}

static int say_why_not(const struct resolver_file *r, const char *why)
{
	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot compile ", r->path, ": ", why));
	return EXIT_IO;
}

static int refuse_without_folder(const struct resolver_file *r)
{
	const char *why = strerror(errno);
	char base[512], text[700];

	os_temporary_base(base, sizeof base);
	snprintf(text, sizeof text, "no temporary folder can be made in %s: %s; set TMPDIR", base, why);
	return say_why_not(r, text);
}

static int deliver(struct resolver_file *r, const struct compilation *c, uint32_t version, int status)
{
	if (os_stop_signal())
		return EXIT_IO; /* the signal ends the run */
	switch (status) {
	case 0:
		return take_binary(r, c, version);
	case OS_CHILD_NOT_FOUND:
		return say_why_not(r, "neither glslangValidator nor glslc is in PATH; install one, or compile it to "
				      "SPIR-V (docs/resolvers.md)");
	case OS_CHILD_FAILED:
		return say_why_not(r, strerror(errno));
	case OS_CHILD_TOO_LONG:
		return refuse_slow(r, c->seconds);
	case OS_CHILD_KILLED:
		return cli_refuse_resolver(r, "the GLSL compiler crashed or was killed; run it on the file to see why",
					   "");
	case OS_CHILD_TOO_LOUD:
		return cli_refuse_resolver(
		    r, "the GLSL compiler was stopped: its messages are longer than 1 MiB; run it on the file", "");
	default:
		return refuse(r, c);
	}
}

int cli_compile_glsl(struct resolver_file *r, const char *text, uint32_t version, uint32_t seconds)
{
	struct compilation c = {.seconds = seconds};
	const char *slash = strrchr(r->path, '/');
	size_t length = slash ? (size_t)(slash - r->path) + 1 : 1;

	if (length > sizeof c.include - 3)
		return cli_refuse_resolver(r, "the path is too long for the GLSL compiler", "");
	snprintf(c.include, sizeof c.include, "-I%.*s", (int)length, slash ? r->path : ".");
	c.compiled = c.source;
	if (!begin(&c))
		return refuse_without_folder(r);
	os_defer_signals(true); /* until the compiler has been stopped, and its folder removed */
	int status = deliver(r, &c, version, run_compiler(&c, text, version));
	cli_remove_compile_folder(&c.folder);
	os_heed_signals();
	return status;
}

/* Shaders */

static const char *vulkan_name(spb_env env)
{
	switch (env) {
	case SPB_ENV_VULKAN_1_1:
	case SPB_ENV_VULKAN_1_1_SPIRV_1_4:
		return "vulkan1.1";
	case SPB_ENV_VULKAN_1_2:
		return "vulkan1.2";
	case SPB_ENV_VULKAN_1_3:
	case SPB_ENV_VULKAN_1_4: /* the same SPIR-V, and a compiler may be older */
		return "vulkan1.3";
	case SPB_ENV_AUTO:
	case SPB_ENV_VULKAN_1_0:
		break;
	}
	return "vulkan1.0";
}

struct command {
	const char **words;
	size_t count;
};

static void put_words(struct command *to, const char *const *words)
{
	while (*words)
		to->words[to->count++] = *words++;
	to->words[to->count] = NULL;
}

/* -D and -I, glued to their values, as both compilers take them. */
static bool put_glued(struct command *to, const char *option, const char *const *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(option) + strlen(values[i]) + 1;
		char *word = malloc(length);
		if (!word)
			return false;
		snprintf(word, length, "%s%s", option, values[i]);
		to->words[to->count++] = word;
	}
	return true;
}

/* Runs glslangValidator or, if it is not installed, glslc. `glued`: words for both. Exit status or OS_CHILD_*. */
static int run_shader_compiler(struct compilation *c, const struct shader *s, const struct command *glued)
{
	enum { MOST_WORDS = 32 };
	struct command command = {.words = calloc(glued->count + MOST_WORDS, sizeof *command.words)};
	char stage[32], target[32];
	int status = OS_CHILD_FAILED;

	if (!command.words)
		return status;
	snprintf(c->target, sizeof c->target, "spirv1.%u", (unsigned)cli_version_of_env(s->env));
	put_words(&command, WORDS("glslangValidator", "-V", "-g", "-S", s->stage, "--target-env", vulkan_name(s->env),
				  "--target-env", c->target, "--depfile", c->depfile, "-o", c->binary));
	if (s->hlsl)
		put_words(&command, WORDS("-D", "-e", "main"));
	put_words(&command, glued->words);
	put_words(&command, WORDS(c->header, c->compiled));
	status = os_run_child(command.words, c->log, c->seconds);
	if (status == OS_CHILD_NOT_FOUND) {
		command.count = 0;
		snprintf(stage, sizeof stage, "-fshader-stage=%s", s->stage);
		snprintf(target, sizeof target, "--target-env=%s", vulkan_name(s->env));
		snprintf(c->target, sizeof c->target, "--target-spv=spv1.%u", (unsigned)cli_version_of_env(s->env));
		put_words(&command, WORDS("glslc", "-g", stage, target, c->target, "-x", s->hlsl ? "hlsl" : "glsl",
					  "-MD", "-MF", c->depfile, "-o", c->binary));
		put_words(&command, glued->words);
		put_words(&command, WORDS(c->header, c->compiled));
		status = os_run_child(command.words, c->log, c->seconds);
	}
	free(command.words);
	return status;
}

int cli_compile_shader(struct resolver_file *r, const struct shader *s, uint32_t seconds)
{
	struct path_list files = {.count = 0};
	struct compilation c = {.seconds = seconds, .files = &files};
	unsigned char key[DIGEST];
	int64_t begun = (int64_t)time(NULL);
	char *path = *r->path == '-' ? cli_beside("./", r->path) : strdup(r->path); /* so that it is not an option */
	struct command glued = {.words = calloc(s->include_path_count + s->macro_count + 1, sizeof *glued.words)};
	bool fits = path && glued.words && put_glued(&glued, "-I", s->include_paths, s->include_path_count) &&
		    put_glued(&glued, "-D", s->macros, s->macro_count);
	int status = EXIT_IO;

	c.compiled = path;
	find_header(&c);
	bool has_key = os_is_readable(r->path) && cli_make_source_key(s->store, s, r->path, c.header + 2, key);
	if (has_key && cli_find_compiled(s->store, key, r))
		status = EXIT_DONE;
	else if (!os_is_readable(r->path))
		msg_say(SPB_SEVERITY_ERROR, WORDS("cannot read ", r->path, ": ", strerror(errno)));
	else if (!fits)
		status = msg_out_of_memory();
	else if (!begin(&c))
		status = refuse_without_folder(r);
	else {
		status = deliver(r, &c, 0, run_shader_compiler(&c, s, &glued));
		cli_remove_compile_folder(&c.folder);
		if (status == EXIT_DONE && has_key)
			cli_keep_compiled(s->store, key, r, s, &files, c.header + 2, begun);
	}
	cli_free_paths(&files);
	for (size_t i = 0; i < glued.count; i++)
		free((char *)glued.words[i]);
	free(glued.words);
	free(path);
	return status;
}
