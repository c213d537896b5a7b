/* SPDX-License-Identifier: Apache-2.0 */
/* compile: inputs and resolvers in GLSL and HLSL, with the installed glslangValidator or glslc. Starting it takes a
 * tenth of a second, only for sources; linking glslang would make the command half as large again for all users.
 *
 *     glslangValidator -V -g --amb -S frag ...       or glslc -g -fauto-bind-uniforms -fshader-stage=frag
 *
 * glslc is for those who have nothing else, and for GLSL with #include but without the extension for it, which
 * glslangValidator refuses: such sources were written for glslc.
 *
 * Front ends require bindings that authors leave to spirv-bind. --amb writes numbers that spirv-bind ignores.
 *
 * A resolver in GLSL cannot export functions, and compilers require a main and drop functions that it does not call:
 *
 *     glslangValidator -V -g -S comp --keep-uncalled    of the text with an empty main appended; for HLSL, -Od and a
 *                                                       main that calls all of them
 *     glslc -g -fshader-stage=comp                      of the text with a main that calls the function
 *
 * The function is known by its name, getDescriptorIndexFromHandle(vu2; or ...(vu2;u1; in the module. */
#include <errno.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/blake2.h"
#include "cli/resolvers.h"

struct compilation {
	const struct shader *shader;
	struct compile_folder folder;
	char source[544], binary[544], log[544], depfile[544];
	char header[1024];       /* -I: where descriptor_handle.glsl is */
	const char *compiled;    /* the file in messages of the compiler: source, or the path of a shader */
	unsigned seconds;        /* time limit; 0: none */
	uint32_t free_include;   /* line of an #include without the extension that glslangValidator requires; 0: none */
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

/* Writes a resolver and `main` on a separate line after it, so that lines keep their numbers. */
static bool write_source(const struct compilation *c, const char *main)
{
	FILE *file = os_open_stream(c->source, "wb");

	if (!file)
		return false;
	fprintf(file, "%s\n%s\n", c->shader->text, main);
	bool whole = !ferror(file);
	return !fclose(file) && whole;
}

/* Without optimization, glslang keeps the functions that main calls in HLSL. */
static bool write_for_glslang(const struct compilation *c)
{
	char *main = c->shader->hlsl ? cli_call_resolvers(c->shader->text) : NULL;
	bool whole = c->shader->hlsl ? main && write_source(c, main) : write_source(c, "void main() {}");

	free(main);
	return whole;
}

static int run_glslang(const struct compilation *c, struct command *to, const struct command *glued)
{
	const struct shader *s = c->shader;
	char target[32];

	if (s->text && !write_for_glslang(c))
		return OS_CHILD_FAILED;
	snprintf(target, sizeof target, "spirv1.%u", (unsigned)s->version);
	put_words(to, WORDS("glslangValidator", "-V", "-g", "--amb", "-S", s->stage, "--target-env",
			    vulkan_name(s->env), "--target-env", target, "--depfile", c->depfile, "-o", c->binary));
	if (s->hlsl)
		put_words(to, WORDS("-D", "-e", s->entry ? s->entry : "main"));
	if (s->text)
		put_words(to, WORDS("--keep-uncalled"));
	if (s->hlsl && s->text)
		put_words(to, WORDS("-Od"));
	put_words(to, glued->words);
	put_words(to, WORDS(c->header, c->compiled));
	return os_run_child(to->words, c->log, c->seconds);
}

static int run_glslc(const struct compilation *c, struct command *to, const struct command *glued)
{
	const struct shader *s = c->shader;
	char stage[32], target[32], spirv[32], entry[1024];

	if (s->text && !write_source(c, calling_main(s->text)))
		return OS_CHILD_FAILED;
	snprintf(stage, sizeof stage, "-fshader-stage=%s", s->stage);
	snprintf(target, sizeof target, "--target-env=%s", vulkan_name(s->env));
	snprintf(spirv, sizeof spirv, "--target-spv=spv1.%u", (unsigned)s->version);
	snprintf(entry, sizeof entry, "-fentry-point=%s", s->entry ? s->entry : "main");
	put_words(to,
		  WORDS("glslc", "-g", "-fauto-bind-uniforms", stage, target, spirv, "-x", s->hlsl ? "hlsl" : "glsl"));
	if (s->hlsl)
		put_words(to, WORDS(entry));
	put_words(to, WORDS("-MD", "-MF", c->depfile, "-o", c->binary));
	put_words(to, glued->words);
	put_words(to, WORDS(c->header, c->compiled));
	return os_run_child(to->words, c->log, c->seconds);
}

/* Runs the compiler that the text is for or, if it is not installed, the other. `glued`: words for both. Exit status or
 * OS_CHILD_*. */
static int run_compiler(const struct compilation *c, const struct command *glued)
{
	enum { MOST_WORDS = 32 };
	struct command command = {.words = calloc(glued->count + MOST_WORDS, sizeof *command.words)};
	int status = command.words ? OS_CHILD_NOT_FOUND : OS_CHILD_FAILED;

	for (int i = 0; i < 2 && status == OS_CHILD_NOT_FOUND; i++) {
		const bool glslc = c->free_include ? !i : i;
		command.count = 0;
		if (!glslc)
			status = run_glslang(c, &command, glued);
		else if (!c->shader->hlsl || !c->shader->text)
			status = run_glslc(c, &command, glued);
	}
	free(command.words);
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

/* The line of the first #include, if there is no extension that allows it; otherwise 0. Comments count, too: glslc
 * takes either kind of source. */
static uint32_t find_free_include(const char *text)
{
	uint32_t number = 1, found = 0;

	for (const char *line = text; line && !found; number++) {
		line += strspn(line, " \t\r");
		if (*line == '#' && !strncmp(line + 1 + strspn(line + 1, " \t"), "include", 7))
			found = number;
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return strstr(text, "GL_GOOGLE_include_directive") || strstr(text, "GL_ARB_shading_language_include") ? 0
													      : found;
}

static uint32_t free_include_of(const struct resolver_file *r, const struct shader *s)
{
	char *own = s->text || s->hlsl ? NULL : own_text(r->path);
	const char *text = s->text ? s->text : own;
	const uint32_t line = !s->hlsl && text ? find_free_include(text) : 0;

	free(own);
	return line;
}

static bool is_string(const uint32_t *words, size_t length, const char *text)
{
	const char *string = (const char *)(words + 2);

	return (words[0] & 0xFFFF) == SpvOpString && length > 2 && memchr(string, 0, (length - 2) * sizeof *words) &&
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
			to[n] = (uint32_t)extra << 16 | SpvOpString;
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

static int take_renamed(struct resolver_file *r, const struct compilation *c, const void *bytes, size_t size)
{
	size_t count = size / sizeof(uint32_t);
	uint32_t *words = with_path(bytes, &count, c->source, r->path);
	int status = words ? cli_take_words(r, c->shader->slot, words, count * sizeof *words) : msg_out_of_memory();

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

static void take_included(const struct compilation *c)
{
	char *included = os_is_readable(c->depfile) ? own_text(c->depfile) : NULL;

	if (included)
		cli_read_depfile(included, c->folder.path, take_file, c->files);
	else if (c->files)
		c->files->incomplete = true;
	free(included);
}

static int take_binary(struct resolver_file *r, const struct compilation *c)
{
	size_t size;
	unsigned char *bytes = cli_read_own_file(c->binary, &size);
	int status = !bytes            ? EXIT_IO
		     : c->shader->text ? take_renamed(r, c, bytes, size)
				       : cli_take_words(r, c->shader->slot, bytes, size);

	free(bytes);
	return status;
}

/* If HLSL lacks the entry point, glslang warns about the module as a whole, and writes an empty shader or none. */
static int refuse_without_entry(const struct resolver_file *r, const struct compilation *c)
{
	char *text = own_text(r->path), *known = text ? cli_list_functions(text) : NULL, more[1200];
	const char *entry = c->shader->entry ? c->shader->entry : "main";

	snprintf(more, sizeof more, "there is no entry point \"%s\"" MSG_REMEDY "%s%s%s", entry,
		 known && *known ? "Give the one that is meant with -e: " : "No function in the file could be one.",
		 known ? known : "", known && *known ? "." : "");
	free(known);
	free(text);
	return cli_refuse_resolver(r, more, "");
}

/* Takes the module and the compiler's messages. */
static int take_results(struct resolver_file *r, const struct compilation *c, bool *silent)
{
	struct compiler_log log = {.path = r->path, .compiled = c->compiled, .text = own_text(c->log)};
	int status = log.text ? take_binary(r, c) : EXIT_IO;

	if (log.text)
		cli_scan_log(&log);
	*silent = log.text && !log.warnings;
	if (status == EXIT_DONE && c->shader->hlsl && log.whole_warnings &&
	    cli_is_empty_shader(r->words[c->shader->slot], r->word_count[c->shader->slot]))
		status = refuse_without_entry(r, c);
	else if (status == EXIT_DONE)
		cli_report_log(&log);
	if (status != EXIT_DONE) {
		free(r->words[c->shader->slot]);
		r->words[c->shader->slot] = NULL;
	}
	free(log.text);
	take_included(c);
	return status;
}

/* Shaders in HLSL are often called lit.frag, too. */
static void note_language(const struct resolver_file *r)
{
	static const char *const words[] = {": register(", "cbuffer ", ": SV_"};
	char *text = own_text(r->path), more[1200];
	bool found = false;

	for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
		found |= strstr(text, words[i]) != NULL;
	snprintf(more, sizeof more, "If this is HLSL, rename it to %s.hlsl: other inputs are compiled as GLSL.",
		 cli_base_of(r->path));
	if (found)
		msg_report_compiled(SPB_SEVERITY_NOTE, r->path, 1, 1, more);
	free(text);
}

static void note_include(const struct resolver_file *r, uint32_t line)
{
	char *glslc = os_find_program("glslc");

	if (!glslc)
		msg_report_compiled(SPB_SEVERITY_NOTE, r->path, line, 1,
				    "Add \"#extension GL_GOOGLE_include_directive : require\", or install glslc, which "
				    "does not need it.");
	free(glslc);
}

static int refuse(const struct resolver_file *r, const struct compilation *c)
{
	struct compiler_log log = {.path = r->path, .compiled = c->compiled, .text = own_text(c->log)};
	char *plain = log.text ? cli_plain_log(&log) : NULL;
	int status = plain ? EXIT_REFUSED : msg_out_of_memory();

	if (plain)
		cli_scan_log(&log);
	if (plain && c->shader->hlsl && !log.errors && log.whole_warnings) {
		refuse_without_entry(r, c);
	} else if (plain) {
		cli_report_log(&log);
		if (!log.errors)
			cli_refuse_resolver(
			    r, r->is_input ? "the shader cannot be compiled" : "the resolver cannot be compiled",
			    plain);
		if (r->is_input && !c->shader->hlsl)
			note_language(r);
		if (c->free_include)
			note_include(r, c->free_include);
	}
	free(plain);
	free(log.text);
	return status;
}

static int refuse_slow(const struct resolver_file *r, unsigned seconds)
{
	char text[160];

	snprintf(text, sizeof text,
		 "the compiler did not finish within %u second%s" MSG_REMEDY "Compile the %s to SPIR-V beforehand.",
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
	snprintf(text, sizeof text, "no temporary folder can be made in %s: %s" MSG_REMEDY "Set TMPDIR.", base, why);
	return say_why_not(r, text);
}

static int deliver(struct resolver_file *r, const struct compilation *c, int status, bool *silent)
{
	if (os_stop_signal())
		return EXIT_IO; /* the signal ends the run */
	switch (status) {
	case 0:
		return take_results(r, c, silent);
	case OS_CHILD_NOT_FOUND:
		return say_why_not(
		    r, c->shader->hlsl && c->shader->text
			   ? "glslangValidator is not in PATH, and glslc keeps no functions of HLSL" MSG_REMEDY
			     "Install it, or compile the resolver to SPIR-V (docs/resolvers.md)."
			   : "neither glslangValidator nor glslc is in PATH" MSG_REMEDY
			     "Install one, or compile it to SPIR-V (docs/resolvers.md).");
	case OS_CHILD_FAILED:
		return say_why_not(r, strerror(errno));
	case OS_CHILD_TOO_LONG:
		return refuse_slow(r, c->seconds);
	case OS_CHILD_KILLED:
		return cli_refuse_resolver(
		    r, "the compiler crashed or was killed" MSG_REMEDY "Run it on the file to see why.", "");
	case OS_CHILD_TOO_LOUD:
		return cli_refuse_resolver(
		    r, "the compiler was stopped: its messages are longer than 1 MiB" MSG_REMEDY "Run it on the file.",
		    "");
	default:
		return refuse(r, c);
	}
}

/* silent: the compiler has written a module without messages. */
static int compile(struct resolver_file *r, struct compilation *c, const struct command *glued, bool *silent)
{
	*silent = false;
	if (!begin(c))
		return refuse_without_folder(r);
	c->free_include = free_include_of(r, c->shader);
	int status = deliver(r, c, run_compiler(c, glued), silent);
	cli_remove_compile_folder(&c->folder);
	return status;
}

static void free_glued(struct command *glued)
{
	for (size_t i = 0; i < glued->count; i++)
		free((char *)glued->words[i]);
	free(glued->words);
}

/* folder: the resolver's, which ends in a slash; or NULL */
static bool make_glued(struct command *glued, const struct source_options *o, const char *folder)
{
	*glued = (struct command){.words = calloc(o->include_path_count + o->macro_count + 2, sizeof *glued->words)};
	return glued->words && (!folder || put_glued(glued, "-I", &folder, 1)) &&
	       put_glued(glued, "-I", o->include_paths, o->include_path_count) &&
	       put_glued(glued, "-D", o->macros, o->macro_count);
}

int cli_compile_resolver(const struct source_options *o, struct resolver_file *r, const char *text, uint32_t version,
			 uint32_t seconds)
{
	static const spb_env envs[SPIRV_VERSIONS] = {SPB_ENV_VULKAN_1_0, SPB_ENV_VULKAN_1_1, SPB_ENV_VULKAN_1_1,
						     SPB_ENV_VULKAN_1_1, SPB_ENV_VULKAN_1_2, SPB_ENV_VULKAN_1_2,
						     SPB_ENV_VULKAN_1_3};
	const size_t length = strlen(r->path), tail = strlen(".hlsl");
	const struct shader s = {.text = text,
				 .stage = "comp",
				 .hlsl = length > tail && !strcmp(r->path + length - tail, ".hlsl"),
				 .env = envs[version],
				 .version = version,
				 .slot = version};
	struct compilation c = {.shader = &s, .seconds = seconds};
	const char *slash = strrchr(r->path, '/');
	char *folder = cli_beside(r->path, slash ? "" : ".");
	struct command glued = {0};
	bool silent, fits = folder && make_glued(&glued, o, folder);
	int status = EXIT_IO;

	c.compiled = c.source;
	find_header(&c);
	os_defer_signals(true); /* until the compiler has been stopped, and its folder removed */
	if (fits)
		status = compile(r, &c, &glued, &silent);
	else
		status = msg_out_of_memory();
	os_heed_signals();
	free_glued(&glued);
	free(folder);
	return status;
}

int cli_compile_shader(struct resolver_file *r, const struct shader *s, uint32_t seconds)
{
	struct path_list files = {.count = 0};
	struct compilation c = {.shader = s, .seconds = seconds, .files = &files};
	unsigned char key[DIGEST];
	int64_t begun = (int64_t)time(NULL);
	char *path = *r->path == '-' ? cli_beside("./", r->path) : strdup(r->path); /* so that it is not an option */
	struct command glued = {0};
	bool fits = make_glued(&glued, s->options, NULL) && path, silent;
	int status = EXIT_IO;

	c.compiled = path;
	find_header(&c);
	bool has_key = os_is_readable(r->path) && cli_make_source_key(s->store, s, r->path, c.header + 2, key);
	bool found = has_key && cli_find_compiled(s->store, key, r), waits = has_key && !found && s->store->begin;
	int turn = waits ? s->store->begin(s->store->user, key) : -1;
	if (found || (waits && cli_find_compiled(s->store, key, r)))
		status = EXIT_DONE;
	else if (!os_is_readable(r->path))
		msg_say(SPB_SEVERITY_ERROR, WORDS("cannot read ", r->path, ": ", strerror(errno)));
	else if (!fits)
		status = msg_out_of_memory();
	else {
		status = compile(r, &c, &glued, &silent);
		if (status == EXIT_DONE && has_key && silent) /* so that warnings are repeated */
			cli_keep_compiled(s->store, key, r, s, &files, c.header + 2, begun);
	}
	if (waits)
		s->store->end(s->store->user, key, turn);
	cli_free_paths(&files);
	free_glued(&glued);
	free(path);
	return status;
}
