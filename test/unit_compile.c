/* SPDX-License-Identifier: Apache-2.0 */
/* Fake compilers: their command lines for resolvers and shaders, and the use of their messages and output; and which
 * files of --resolver are compiled at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/blake2.h"
#include "cli/resolvers.h"
#include "in_folder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct msg_options plain;
static const struct source_options no_options;

/* It records its command line, keeps the source text, writes a module (the source's path between two files), a depfile
 * and lines in which SOURCE stands for the path, and exits as the file `end` says. */
static const char script[] = "#!/bin/sh\n"
			     "cd %s || exit\n"
			     "PATH=/usr/bin:/bin\n"
			     "printf '[%%s]' \"${0##*/}\" \"$@\" >asked\n"
			     "for w; do\n"
			     "	[ \"$before\" = -o ] && out=$w\n"
			     "	[ \"$before\" = --depfile -o \"$before\" = -MF ] && dep=$w\n"
			     "	before=$w\n"
			     "done\n"
			     "[ -f text ] && cat \"$w\" >text\n"
			     "[ -f first ] && { cat first; [ -f rest ] && printf %%s \"$w\" && cat rest; } >\"$out\"\n"
			     "[ -f dep ] && sed \"s|SOURCE|$w|\" dep >\"$dep\"\n"
			     "[ -f log ] && sed \"s|SOURCE|$w|\" log\n"
			     ". ./end\n";

static void install(const char *name, int mode)
{
	char path[100], contents[6000];

	snprintf(path, sizeof path, "bin/%s", name);
	snprintf(contents, sizeof contents, script, folder);
	put_file(path, contents);
	assert_int_equal(chmod(path, (mode_t)mode), 0);
}

static char *path_before, *temporary_before;

static void set(const char *name, const char *value)
{
	assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

/* Both exist, and write a module. */
static int begin_compilers(void **state)
{
	static char path[5000], temporary[5000];

	path_before = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
	temporary_before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
	if (begin(state))
		return 1;
	assert_int_equal(mkdir("bin", 0700) | mkdir("tmp", 0700) | mkdir("a", 0700), 0);
	snprintf(path, sizeof path, "%s/bin", folder);
	snprintf(temporary, sizeof temporary, "%s/tmp", folder);
	set("PATH", path);
	set("TMPDIR", temporary);
	install("glslangValidator", 0700);
	install("glslc", 0700);
	put_file("first", "\x03\x02\x23\x07");
	put_file("end", "exit 0");
	return !msg_begin(&plain);
}

static int end_compilers(void **state)
{
	set("PATH", path_before);
	set("TMPDIR", temporary_before);
	free(path_before);
	free(temporary_before);
	return end(state);
}

/* The contents of a file, with T for the folder of the compilation, and H for that of our header. */
static const char *file(const char *path)
{
	static char text[20000];
	char start[5000];
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	snprintf(start, sizeof start, "%s/tmp/spirv-bind.", folder);
	for (char *at; (at = strstr(text, start));) {
		*at = 'T';
		memmove(at + 1, at + strlen(start) + 6, strlen(at + strlen(start) + 6) + 1);
	}
	for (char *at = text, *end; (at = strstr(at, "[-I")) && (end = strchr(at, ']')); at++) {
		if (!strncmp(end - 15, "spirv-bind/glsl", 15)) {
			memcpy(at + 1, "H", 1);
			memmove(at + 2, end, strlen(end) + 1);
		}
	}
	return text;
}

static void assert_nothing_is_left(void)
{
	assert_int_equal(rmdir("tmp") | mkdir("tmp", 0700), 0); /* it is empty */
}

/* Compiles a resolver; returns the messages. */
static const char *compiling(const char *path, const char *text, uint32_t version, int *status)
{
	struct resolver_file r = {.path = path};

	*status = cli_compile_resolver(&no_options, &r, text, version, 0);
	assert_int_equal(r.words[version] != NULL, *status == EXIT_DONE);
	free(r.words[version]);
	assert_nothing_is_left();
	return causes();
}

static const char *const vulkan[] = {"1.0", "1.1", "1.1", "1.1", "1.2", "1.2", "1.3"};

static void resolvers_are_compiled_for_the_version_of_the_modules(void **state)
{
	static const struct {
		const char *path, *include;
	} paths[] = {{"r", "-I."}, {"a/r", "-Ia/"}, {"a/b/r", "-Ia/b/"}, {"/r", "-I/"}};
	char wanted[400];
	int status;

	(void)state;
	put_file("text", "");
	for (uint32_t version = 0; version < SPIRV_VERSIONS; version++) {
		const char *path = paths[version % 4].path, *include = paths[version % 4].include;
		install("glslangValidator", 0700);
		assert_string_equal(compiling(path, "text", version, &status), "");
		assert_int_equal(status, EXIT_DONE);
		snprintf(wanted, sizeof wanted,
			 "[glslangValidator][-V][-g][--amb][-S][comp][--target-env][vulkan%s][--target-env]"
			 "[spirv1.%u][--depfile][T/depfile][-o][T/resolver.spv][--keep-uncalled][%s][H]"
			 "[T/resolver.comp]",
			 vulkan[version], version, include);
		assert_string_equal(file("asked"), wanted);
		assert_string_equal(file("text"), "text\nvoid main() {}\n");
		unlink("bin/glslangValidator");
		assert_string_equal(compiling(path, "text", version, &status), "");
		assert_int_equal(status, EXIT_DONE);
		snprintf(wanted, sizeof wanted,
			 "[glslc][-g][-fauto-bind-uniforms][-fshader-stage=comp][--target-env=vulkan%s]"
			 "[--target-spv=spv1.%u][-x][glsl][-MD]"
			 "[-MF][T/depfile][-o][T/resolver.spv][%s][H][T/resolver.comp]",
			 vulkan[version], version, include);
		assert_string_equal(file("asked"), wanted);
	}
}

/* glslc drops functions that are not called. */
static void a_main_calls_the_form_that_the_text_defines(void **state)
{
#define NAME  "getDescriptorIndexFromHandle"
#define TWO   "void main() { getDescriptorIndexFromHandle(uvec2(0u), 0u); }"
#define ONE   "void main() { getDescriptorIndexFromHandle(uvec2(0u)); }"
#define EMPTY "void main() {}"
	static const struct {
		const char *text, *main;
	} rows[] = {{"uint " NAME "(uvec2 h) {}", ONE},
		    {"uint " NAME "(uvec2 h, uint kind) {}", TWO},
		    {"uint " NAME "() {}", ONE},
		    {"uint " NAME "(uvec2 h", EMPTY},
		    {"uint " NAME, EMPTY},
		    {"uint other(uvec2 h, uint k) {}", EMPTY},
		    {"", EMPTY},
		    {"f(a, b); uint " NAME " (uvec2 h) { g(1, 2); }", ONE}};
	char wanted[300];
	int status;

	(void)state;
	put_file("text", "");
	unlink("bin/glslangValidator");
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_string_equal(compiling("r", rows[i].text, 0, &status), "");
		assert_int_equal(status, EXIT_DONE);
		snprintf(wanted, sizeof wanted, "%s\n%s\n", rows[i].text, rows[i].main);
		assert_string_equal(file("text"), wanted);
	}
}

static void put_module(const char *path, const uint32_t *words, size_t bytes)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(words, 1, bytes, f), bytes);
	fclose(f);
}

struct stored {
	unsigned kept, asked;
	const void *found;         /* an entry without files; NULL: there is none */
	unsigned char key[DIGEST]; /* that was asked for, or kept */
};

static unsigned char *find_stored(void *user, const unsigned char *key, size_t *size)
{
	struct stored *s = user;

	memcpy(s->key, key, DIGEST);
	s->asked++;
	*size = 12;
	return s->found ? memcpy(malloc(12), s->found, 12) : NULL;
}

static void keep_stored(void *user, const unsigned char *key, const void *bytes, size_t size)
{
	struct stored *s = user;

	(void)bytes, (void)size;
	memcpy(s->key, key, DIGEST);
	s->kept++;
}

/* What compilers say that fail, and what is said of it. SOURCE: what the compiler calls the source; @: what the user
 * does; $: its beginning, if it is there. "?": that it cannot be compiled, followed by all of the log. */
static const struct {
	const char *log, *wanted;
} logs[] = {{"", "?"},
	    {"ERROR: SOURCE:3: 'x' : bad\n", "@:3:1: error: 'x' : bad\n"},
	    {"SOURCE:12: error: 'x' : bad\n", "@:12:1: error: 'x' : bad\n"},
	    {"ERROR: SOURCE:3:14: 'x' : bad\n", "@:3:14: error: 'x' : bad\n"},
	    {"SOURCE:12:7: error: 'x' : bad  \n", "@:12:7: error: 'x' : bad\n"},
	    {"SOURCE:12: warning: x\n", "@:12:1: warning: x\n?@:12: warning: x\n"},
	    {"WARNING: SOURCE:2: x\nERROR: SOURCE:3: y", "@:2:1: warning: x\n@:3:1: error: y\n"},
	    {"SOURCE: error: x", "$: error: x\n"},
	    {"SOURCE: warning: x\nSOURCE:1: error: y\n", "$: warning: x\n@:1:1: error: y\n"},
	    {"SOURCE:9", "?@:9"},
	    {"SOURCE", "?@"},
	    {"other.h:3: error: x", "other.h:3:1: error: x\n"},
	    {"ERROR: a:b.h:3: x", "a:b.h:3:1: error: x\n"},
	    {"ERROR: x", "$: error: x\n"},
	    {"ERROR: 0x:3z", "$: error: 0x:3z\n"},
	    {"x:3 y:4z :: 5:", "?x:3 y:4z :: 5:"},
	    {"ERROR: Linking compute stage: No function definition (body) found: \n    g(\n\nSPIR-V is not generated",
	     "$: error: Linking compute stage: No function definition (body) found: \n        g(\n"},
	    {"SOURCE\nERROR: SOURCE:3: 'x' : bad\nERROR: 1 compilation errors.  No code generated.\n\n\nSPIR-V is not "
	     "generated",
	     "@:3:1: error: 'x' : bad\n"},
	    {"SOURCE:2: error: x\n1 error generated.\n", "@:2:1: error: x\n"},
	    {"error: a\001\tb\033c\177d\037", "$: error: a??b?c?d?\n"},
	    {"a\n\nb\n 1 error\nc", "?a\n\nb\n 1 error\nc"}};

static struct shader shader_of(const char *stage)
{
	return (struct shader){.stage = stage, .env = SPB_ENV_VULKAN_1_2, .options = &no_options};
}

static void assert_said(const char *wanted, const char *path, const char *refusal)
{
	static char all[10000];
	const char *begin = os_is_there(path) ? ":1:1" : "";
	size_t length = 0;

	for (const char *from = wanted; *from; from++)
		length += (size_t)(*from == '@'   ? sprintf(all + length, "%s", path)
				   : *from == '$' ? sprintf(all + length, "%s%s", path, begin)
				   : *from == '?' && strchr("@$?", wanted[0]) && (from == wanted || from[-1] == '\n')
				       ? sprintf(all + length, "%s%s: error: %s\n", path, begin, refusal)
				       : sprintf(all + length, "%c", *from));
	assert_string_equal(causes(), all);
}

static void compiler_messages_name_the_users_file(void **state)
{
	const struct shader s = shader_of("frag");
	struct resolver_file r = {.path = "a/s.frag", .is_input = true};
	int status;

	(void)state;
	put_file("end", "exit 2");
	put_file("a/s.frag", "");
	for (size_t i = 0; i < COUNT(logs); i++) {
		put_file("log", logs[i].log);
		struct resolver_file resolver = {.path = "r"};
		status = cli_compile_resolver(&no_options, &resolver, "text", 0, 0);
		assert_int_equal(status, EXIT_REFUSED);
		assert_said(logs[i].wanted, "r", "the resolver cannot be compiled");
		assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_REFUSED);
		assert_null(r.words[0]);
		assert_said(logs[i].wanted, "a/s.frag", "the shader cannot be compiled");
	}
	assert_nothing_is_left();
}

/* Warnings of a compiler that succeeds are passed on, and what it has made then is not kept. */
static void warnings_are_passed_on(void **state)
{
	static const struct {
		const char *log, *wanted;
	} rows[] = {{"", ""},
		    {"SOURCE\n", ""},
		    {"WARNING: SOURCE:2: '#extension' : x\n\n", "s.frag:2:1: warning: '#extension' : x\n"},
		    {"inc/a.h:7: warning: x\nSOURCE: warning: y\n2 warnings generated.\n",
		     "inc/a.h:7:1: warning: x\ns.frag:1:1: warning: y\n"}};
	const unsigned char compiler[DIGEST] = "c";
	struct stored all = {.kept = 0};
	const struct source_store store = {&all, find_stored, keep_stored, compiler, NULL, NULL};
	const struct shader s = {.stage = "frag", .options = &no_options, .store = &store};

	(void)state;
	put_file("s.frag", "");
	put_file("dep", "module:\n");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct resolver_file r = {.path = "s.frag", .is_input = true};
		put_file("log", rows[i].log);
		all.kept = 0;
		assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_DONE);
		assert_string_equal(causes(), rows[i].wanted);
		assert_int_equal(all.kept, !*rows[i].wanted);
		free(r.words[0]);
	}
}

enum { ENTRY_POINT = 15, FUNCTION = 54, END = 56, LABEL = 248, RETURN = 253 };

/* A module with an empty main, as glslang makes one where HLSL lacks the entry point; or none at all. */
static void an_entry_point_that_is_missing_is_an_error(void **state)
{
	static const uint32_t empty[] = {0x07230203,
					 0x10000,
					 0,
					 9,
					 0,
					 5 << 16 | ENTRY_POINT,
					 4,
					 1,
					 0x6E69616D,
					 0,
					 5 << 16 | FUNCTION,
					 2,
					 1,
					 0,
					 3,
					 2 << 16 | LABEL,
					 4,
					 1 << 16 | RETURN,
					 1 << 16 | END};
	static const struct {
		const char *text, *entry, *wanted;
	} rows[] = {
	    {"float4 VS(float4 p : P) : SV_Position { return p; } // f() {\n#define G() {\n/* H() { */\n"
	     "[shader(\"K() {\")] float f(float x) { return g(x); }\nfloat4 PS () : SV_Target\n{ return f(1.0); }\n"
	     "static float4 c = float4(1, 2, 3, 4);\nfloat g(float x) { if (x > 1) { return 2; } return x; }\n",
	     "Main", "there is no entry point \"Main\""},
	    {"cbuffer C { float4 x; };", NULL, "there is no entry point \"main\""},
	    {"", "PS", "there is no entry point \"PS\""}};
	char wanted[300];

	(void)state;
	put_file("log", "WARNING: Linking fragment stage: Entry point not found\n");
	put_module("first", empty, sizeof empty);
	for (int status = 0; status < 3; status += 2) {
		put_file("end", status ? "exit 2" : "exit 0");
		for (size_t i = 0; i < COUNT(rows); i++) {
			struct resolver_file r = {.path = "s.hlsl", .is_input = true};
			const struct shader s = {
			    .stage = "frag", .hlsl = true, .entry = rows[i].entry, .options = &no_options};
			put_file("s.hlsl", rows[i].text);
			assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_REFUSED);
			snprintf(wanted, sizeof wanted, "s.hlsl:1:1: error: %s\n", rows[i].wanted);
			assert_string_equal(causes(), wanted);
			assert_null(r.words[0]);
		}
	}
	assert_nothing_is_left();
}

/* Other modules, and shaders that do nothing because their authors wrote them so, are taken. */
static void an_existing_entry_point_is_not_an_error(void **state)
{
	static const uint32_t empty[] = {0x07230203,
					 0x10000,
					 0,
					 9,
					 0,
					 5 << 16 | ENTRY_POINT,
					 4,
					 1,
					 0x6E69616D,
					 0,
					 5 << 16 | FUNCTION,
					 2,
					 1,
					 0,
					 3,
					 2 << 16 | LABEL,
					 4,
					 1 << 16 | RETURN,
					 1 << 16 | END};
	uint32_t busy[COUNT(empty)];
	const struct shader s = {.stage = "frag", .hlsl = true, .options = &no_options};
	struct resolver_file r = {.path = "s.hlsl", .is_input = true};

	(void)state;
	memcpy(busy, empty, sizeof busy);
	busy[COUNT(empty) - 2] = 1 << 16 | 1; /* OpUndef, say */
	put_file("s.hlsl", "void main() {}");
	for (int way = 0; way < 2; way++) {
		put_module("first", way ? busy : empty, sizeof empty);
		put_file("log", way ? "WARNING: Linking fragment stage: x\n" : "");
		assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_DONE);
		assert_string_equal(causes(), way ? "s.hlsl:1:1: warning: Linking fragment stage: x\n" : "");
		free(r.words[0]);
	}
}

static void every_compiler_failure_is_reported(void **state)
{
	static const char none[] = "neither glslangValidator nor glslc is in PATH\n";
	char wanted[300];
	int status;

	(void)state;
	put_file("end", "kill -9 $$");
	assert_string_equal(compiling("r", "", 0, &status), "r: error: the compiler crashed or was killed\n");
	assert_int_equal(status, EXIT_REFUSED);
	put_file("end", "exit 127"); /* like a shell that does not find it */
	snprintf(wanted, sizeof wanted, "spirv-bind: error: cannot compile r: %s", none);
	assert_string_equal(compiling("r", "", 0, &status), wanted);
	assert_int_equal(status, EXIT_IO);
	assert_non_null(strstr(file("asked"), "[glslc]")); /* both were started */
	install("glslangValidator", 0600);                 /* is passed over, as by a shell */
	unlink("asked");
	assert_string_equal(compiling("r", "", 0, &status), wanted);
	assert_null(strstr(file("asked"), "[glslangValidator]"));
	unlink("bin/glslangValidator"), unlink("bin/glslc");
	set("PATH", folder);
	assert_string_equal(compiling("r", "", 0, &status), wanted);
	assert_int_equal(status, EXIT_IO);
	struct resolver_file r = {.path = "s.frag", .is_input = true};
	const struct shader s = shader_of("frag");
	put_file("s.frag", "");
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_IO);
	snprintf(wanted, sizeof wanted, "spirv-bind: error: cannot compile s.frag: %s", none);
	assert_string_equal(causes(), wanted);
	r.path = "none.frag";
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_IO);
	assert_string_equal(causes(), "spirv-bind: error: cannot read none.frag: No such file or directory\n");
	assert_nothing_is_left();
	set("TMPDIR", "/none");
	assert_int_equal(cli_compile_resolver(&no_options, &r, "", 0, 0), EXIT_IO);
	assert_string_equal(causes(), "spirv-bind: error: cannot compile none.frag: no temporary folder can be made in "
				      "/none: No such file or directory\n");
	r.path = "s.frag";
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_IO);
	assert_string_equal(causes(), "spirv-bind: error: cannot compile s.frag: no temporary folder can be made in "
				      "/none: No such file or directory\n");
}

static void a_compiler_has_a_time_limit(void **state)
{
	struct resolver_file r = {.path = "r"};

	(void)state;
	put_file("end", "sleep 60");
	assert_int_equal(cli_compile_resolver(&no_options, &r, "", 0, 1), EXIT_REFUSED);
	assert_string_equal(causes(), "r: error: the compiler did not finish within 1 second\n");
	assert_nothing_is_left();
}

/* Modules */

enum { STRING = 7, NAME_OF = 5 };

static void assert_words(const char *path, const uint32_t *wanted, size_t count)
{
	struct resolver_file r = {.path = path};

	assert_int_equal(cli_compile_resolver(&no_options, &r, "", 3, 0), EXIT_DONE);
	assert_string_equal(said(), "");
	assert_int_equal(r.word_count[3], count);
	assert_memory_equal(r.words[3], wanted, count * sizeof *wanted);
	free(r.words[3]);
}

/* The string with the temporary file's path gets the resolver's path instead, and its length. */
static void modules_name_the_users_file(void **state)
{
	enum { HEADER = 5, TAIL = 3 };
	const uint32_t header[HEADER] = {0x07230203, 0x10000, 0, 9, 0}, tail[TAIL] = {3 << 16 | STRING, 8, 0x78};
	char temporary[5000], path[20];

	(void)state;
	snprintf(temporary, sizeof temporary, "%s/tmp/spirv-bind.123456/resolver.comp", folder);
	uint32_t length = (uint32_t)strlen(temporary), words = length / 4 + 3, before[HEADER + 2], rest[1 + TAIL] = {0};
	memcpy(before, header, sizeof header);
	before[HEADER] = words << 16 | STRING;
	before[HEADER + 1] = 7;
	put_module("first", before, sizeof before);
	memcpy((char *)rest + 4 - length % 4, tail, sizeof tail);
	put_module("rest", rest, 4 - length % 4 + sizeof tail);
	for (uint32_t letters = 1; letters < 12; letters++) {
		uint32_t wanted[HEADER + 5 + TAIL] = {0}, count = letters / 4 + 3;
		memset(path, 'r', letters);
		path[letters] = '\0';
		memcpy(wanted, header, sizeof header);
		wanted[HEADER] = count << 16 | STRING;
		wanted[HEADER + 1] = 7;
		memcpy(&wanted[HEADER + 2], path, letters);
		memcpy(&wanted[HEADER + count], tail, sizeof tail);
		assert_words(path, wanted, HEADER + count + TAIL);
	}
	before[HEADER] = words << 16 | NAME_OF; /* no string */
	put_module("first", before, sizeof before);
	struct resolver_file r = {.path = "r"};
	assert_int_equal(cli_compile_resolver(&no_options, &r, "", 0, 0), EXIT_DONE);
	assert_int_equal(r.word_count[0], HEADER + words + TAIL);
	assert_int_equal(r.words[0][HEADER], before[HEADER]);
	assert_memory_equal(&r.words[0][HEADER + 2], temporary, strlen(folder));
	free(r.words[0]);
}

/* The rest of a module stays, including faults, which the parser will report. */
static void other_words_are_unchanged(void **state)
{
	static const uint32_t rows[][10] = {
	    {0x07230203, 0x10000, 0, 9, 0, 1 << 16, 2 << 16 | STRING, 5, 1 << 16 | 1, 1 << 16 | 2},
	    {0x07230203, 0x10000, 0, 9, 0, 3 << 16 | STRING, 5, 0, 2 << 16 | STRING, 1},
	    {0x07230203, 0x10000, 0, 9, 0, 0, 1, 2, 3, 4},                               /* a length of 0 */
	    {0x07230203, 0x10000, 0, 9, 0, 9 << 16 | STRING, 5, 0x61616161, 0x61616161}, /* which is too long */
	    {0x07230203, 0x10000, 0, 9, 0, 4 << 16 | STRING, 5, 0x61616161, 0x61616161, 2 << 16 | 3},
	    {STRING, 3 << 16 | STRING, 0, 0, 0, 5 << 16 | STRING, 5, 0x61616161, 0x61616161, 0x61}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (size_t count = 1; count <= 10; count += count < 5 ? 4 : 1 + i % 2) {
			put_module("first", rows[i], count * 4);
			assert_words("r", rows[i], count);
		}
	}
	put_module("first", rows[0], 39);
	assert_words("r", rows[0], 9);
}

/* Shaders */

static void shaders_are_compiled_for_the_environment(void **state)
{
	static const struct {
		spb_env env;
		const char *vulkan;
		unsigned version;
	} envs[] = {{SPB_ENV_AUTO, "1.0", 0},       {SPB_ENV_VULKAN_1_0, "1.0", 0},
		    {SPB_ENV_VULKAN_1_1, "1.1", 3}, {SPB_ENV_VULKAN_1_1_SPIRV_1_4, "1.1", 4},
		    {SPB_ENV_VULKAN_1_2, "1.2", 5}, {SPB_ENV_VULKAN_1_3, "1.3", 6},
		    {SPB_ENV_VULKAN_1_4, "1.3", 6}};
	static const char *folders[] = {"x", "y z"}, *macros[] = {"A", "B=1"};
	char wanted[500];

	(void)state;
	put_file("s.frag", "text");
	put_file("-s.vert", "text");
	for (size_t i = 0; i < COUNT(envs); i++) {
		bool hlsl = i % 3 == 1, glued = i % 3 == 2, dash = i % 2;
		const char *path = dash ? "-s.vert" : "s.frag";
		struct source_options options = {.include_paths = folders, .macros = macros};
		options.include_path_count = options.macro_count = glued ? 2 : 0;
		struct shader s = {.stage = dash ? "vert" : "frag",
				   .hlsl = hlsl,
				   .entry = i > 3 ? "other" : NULL,
				   .env = envs[i].env,
				   .version = envs[i].version,
				   .options = &options};
		struct resolver_file r = {.path = path, .is_input = true};
		install("glslangValidator", 0700);
		for (int compiler = 0; compiler < 2; compiler++) {
			const char *more = glued ? "[-Ix][-Iy z][-DA][-DB=1]" : "", *slash = dash ? "./" : "";
			if (compiler) {
				unlink("bin/glslangValidator");
				snprintf(wanted, sizeof wanted,
					 "[glslc][-g][-fauto-bind-uniforms][-fshader-stage=%s][--target-env=vulkan%s]"
					 "[--target-spv=spv1.%u][-x][%s]%s[-MD][-MF][T/depfile][-o][T/resolver.spv]%s"
					 "[H][%s%s]",
					 s.stage, envs[i].vulkan, envs[i].version, hlsl ? "hlsl" : "glsl",
					 !hlsl   ? ""
					 : i > 3 ? "[-fentry-point=other]"
						 : "[-fentry-point=main]",
					 more, slash, path);
			} else {
				snprintf(
				    wanted, sizeof wanted,
				    "[glslangValidator][-V][-g][--amb][-S][%s][--target-env][vulkan%s][--target-env]"
				    "[spirv1.%u][--depfile][T/depfile][-o][T/resolver.spv]%s%s[H][%s%s]",
				    s.stage, envs[i].vulkan, envs[i].version,
				    !hlsl   ? ""
				    : i > 3 ? "[-D][-e][other]"
					    : "[-D][-e][main]",
				    more, slash, path);
			}
			assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_DONE);
			assert_string_equal(said(), "");
			assert_string_equal(file("asked"), wanted);
			assert_int_equal(r.word_count[0], 1);
			free(r.words[0]);
		}
	}
	assert_nothing_is_left();
}

/* Stored modules are not compiled again, and compiled ones are stored. */
static void shaders_are_compiled_once(void **state)
{
	static const uint32_t entry[] = {0, 0x07230203, 7};
	const unsigned char compiler[DIGEST] = "c";
	struct stored all = {.found = entry};
	const struct source_store store = {&all, find_stored, keep_stored, compiler, NULL, NULL};
	struct shader s = {.stage = "frag", .store = &store, .options = &no_options};
	struct resolver_file r = {.path = "s.frag", .is_input = true};
	unsigned char key[DIGEST];

	(void)state;
	put_file("s.frag", "text");
	put_file("dep", "module:\n");
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_DONE);
	assert_true(all.asked == 1 && all.kept == 0 && r.word_count[0] == 2 && r.words[0][1] == 7);
	memcpy(key, all.key, DIGEST);
	assert_int_equal(access("asked", F_OK), -1);
	free(r.words[0]);
	all = (struct stored){.asked = 1};
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_DONE);
	assert_true(all.asked == 2 && all.kept == 1 && r.word_count[0] == 1);
	assert_memory_equal(all.key, key, DIGEST);
	free(r.words[0]);
	put_file("s.frag", "another text");
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_DONE);
	assert_memory_not_equal(all.key, key, DIGEST);
	assert_true(all.asked == 3 && all.kept == 2);
	free(r.words[0]);
	r.words[0] = NULL;
	put_file("end", "exit 1");
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_REFUSED);
	assert_true(all.asked == 4 && all.kept == 2);
	put_file("end", "exit 0");
	s.store = NULL;
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_DONE);
	assert_true(all.asked == 4 && all.kept == 2);
	free(r.words[0]);
	causes();
}

/* The files that a compiler has read, except temporary ones, count as read by the run. */
static void compiler_depfiles_are_used(void **state)
{
	const char *inputs[] = {"m.spv"}, *outputs[] = {"o"};
	struct arguments a = {.program.inputs = inputs,
			      .program.input_count = 1,
			      .program.modules.files = outputs,
			      .program.modules.count = 1};
	const struct shader s = shader_of("frag");
	struct resolver_file r = {.path = "s.frag", .is_input = true};
	int status;

	(void)state;
	a.program.modules.first = "o";
	a.run.depfile = "read";
	put_file("dep", "x: SOURCE one.h \\\n two.h\n");
	cli_forget_reads();
	assert_string_equal(compiling("r", "text", 0, &status), "");
	assert_int_equal(cli_write_depfile(&a), EXIT_DONE);
	assert_string_equal(file("read"), "o: one.h two.h\n\none.h:\ntwo.h:\n");
	put_file("s.frag", "");
	cli_forget_reads();
	assert_int_equal(cli_compile_shader(&r, &s, 0), EXIT_DONE);
	free(r.words[0]);
	assert_int_equal(cli_write_depfile(&a), EXIT_DONE);
	assert_string_equal(file("read"), "o: one.h s.frag two.h\n\none.h:\ns.frag:\ntwo.h:\n");
	unlink("dep");
	cli_forget_reads();
	assert_string_equal(compiling("r", "text", 0, &status), "");
	assert_int_equal(cli_write_depfile(&a), EXIT_DONE);
	assert_string_equal(file("read"), "o:\n");
	cli_forget_reads();
}

/* Which files are compiled */

static void put_version(const char *path, uint32_t magic, uint32_t version)
{
	const uint32_t words[] = {magic, version};

	put_module(path, words, sizeof words);
}

/* Text is compiled to a version that can be merged into all modules of the program. */
static void resolvers_have_the_oldest_version_of_the_modules(void **state)
{
	static const struct {
		const char *inputs[3];
		uint32_t wanted;
	} rows[] = {{{NULL}, 3},       {{"v0"}, 0},       {{"v1"}, 1},       {{"v2"}, 2},
		    {{"v3"}, 3},       {{"v4"}, 4},       {{"v5"}, 5},       {{"v6"}, 6},
		    {{"v7"}, 3}, /* an unknown version */
		    {{"s0"}, 0}, /* in the other byte order */
		    {{"s5"}, 5},       {{"none"}, 3},     {{"short"}, 3},    {{"text"}, 3},
		    {{"-"}, 3},        {{"v5", "v4"}, 4}, {{"v4", "v5"}, 4}, {{"v6", "none", "v5"}, 5},
		    {{"v0", "v3"}, 0}, /* storage buffers before 1.3 differ from later ones */
		    {{"v0", "v4"}, 3}, {{"v2", "v3"}, 2}, {{"v2", "v4"}, 3}, {{"v6", "v2"}, 3},
		    {{"v3", "v4"}, 3}, {{"v7", "v1"}, 1}};
	const struct arguments a = {.program.input_count = 0};
	char path[10];

	(void)state;
	for (uint32_t version = 0; version <= 7; version++) {
		snprintf(path, sizeof path, "v%u", version);
		put_version(path, 0x07230203, 0x10000 | version << 8);
		path[0] = 's';
		put_version(path, 0x03022307, 0x100 | version << 16);
	}
	put_file("short", "\x03\x02\x23\x07\x01");
	put_file("text", "#version 460");
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t count = 0;
		while (count < 3 && rows[i].inputs[count])
			count++;
		assert_int_equal(cli_version_for(&a.program, rows[i].inputs, count), rows[i].wanted);
	}
}

static void resolvers_are_recognized_by_content(void **state)
{
	static const struct {
		const char *path, *contents;
		size_t size;
		int status;
		size_t words; /* 1: from the fake compiler */
		bool text;
		const char *said;
	} rows[] = {
	    {"r", "\x03\x02\x23\x07\0\3\1\0", 8, EXIT_DONE, 2, false, ""},
	    {"r.glsl", "\x07\x23\x02\x03\0\1\3\0....", 12, EXIT_DONE, 3, false, ""},
	    {"r", "\x03\x02\x23\x07\0\3\1\0.", 9, EXIT_REFUSED, 0, false,
	     "r:1:1: error: the size is not a multiple of 4 bytes\n"},
	    {"r", "\x03\x02\x23", 3, EXIT_DONE, 1, true, ""},
	    {"r", "text", 4, EXIT_DONE, 1, true, ""},
	    {"r", "", 0, EXIT_DONE, 1, true, ""},
	    {"r.spv", "text", 4, EXIT_REFUSED, 0, true, "r.spv:1:1: error: this is neither SPIR-V nor text\n"},
	    {"r", "te\0xt", 5, EXIT_REFUSED, 0, true, "r:1:1: error: this is neither SPIR-V nor text\n"},
	    {"r.spvasm", "OpNop", 5, EXIT_DONE, 6, true, ""},
	    {"r", "; SPIR-V\nOpNop", 14, EXIT_DONE, 6, true, ""},
	    {"r", ";SPIR-V\nOpNop", 13, EXIT_DONE, 1, true, ""},
	    {"r.spvasm", "OpNop\n OpNil", 12, EXIT_REFUSED, 0, true,
	     "r.spvasm:2:2: error: Invalid Opcode name 'OpNil'\n"},
	    {"none", NULL, 0, EXIT_IO, 0, true, "spirv-bind: error: cannot read none: No such file or directory\n"}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arguments a = {.program.resolvers.count = 1};
		assert_true(cli_allocate_resolvers(&a.program.resolvers, 1));
		a.program.resolvers.files[0].path = rows[i].path;
		if (rows[i].contents) {
			FILE *f = fopen(rows[i].path, "wb");
			assert_non_null(f);
			fwrite(rows[i].contents, 1, rows[i].size, f);
			fclose(f);
		}
		assert_int_equal(cli_read_resolvers(&a.program, 1 << 2), rows[i].status);
		assert_string_equal(causes(), rows[i].said);
		assert_int_equal(a.program.resolvers.files[0].word_count[2], rows[i].words);
		assert_int_equal(a.program.resolvers.listed[2].word_count, rows[i].words);
		assert_ptr_equal(a.program.resolvers.listed[2].words, a.program.resolvers.files[0].words[2]);
		assert_int_equal(cli_has_text_resolver(&a.program), rows[i].text);
		cli_free_resolvers(&a.program.resolvers);
	}
}

/* Each is compiled once for each version, and a program gets those of its version. */
static void resolvers_of_several_versions_are_kept_apart(void **state)
{
	static const uint32_t sets[] = {1 << 0, 1 << 6, 1 << 3, 1 << 0 | 1 << 5, 1 << 4 | 1 << 6};
	const char *inputs[] = {"module"};

	(void)state;
	put_file("r1", "text");
	put_file("r2", "text");
	for (size_t i = 0; i < COUNT(sets); i++) {
		struct arguments a = {.program.resolvers.count = 2, .program.inputs = inputs, .program.input_count = 1};
		unsigned count = 0;
		assert_true(cli_allocate_resolvers(&a.program.resolvers, 2));
		a.program.resolvers.files[0].path = "r1";
		a.program.resolvers.files[1].path = "r2";
		assert_int_equal(cli_read_resolvers(&a.program, sets[i]), EXIT_DONE);
		assert_int_equal(a.program.resolvers.versions, sets[i]);
		for (uint32_t v = 0; v < SPIRV_VERSIONS; v++) {
			bool asked = sets[i] >> v & 1;
			count += asked;
			for (size_t k = 0; k < 2; k++) {
				const spb_resolver *r = &a.program.resolvers.listed[v * 2 + k];
				assert_int_equal(a.program.resolvers.files[k].words[v] != NULL, asked);
				assert_ptr_equal(r->words, a.program.resolvers.files[k].words[v]);
				assert_int_equal(r->word_count, asked);
				if (asked)
					assert_string_equal(r->name, a.program.resolvers.files[k].path);
			}
		}
		for (uint32_t v = 0; v < SPIRV_VERSIONS; v++) {
			put_version("module", 0x07230203, 0x10000 | v << 8);
			if (count > 1 && !(sets[i] >> v & 1))
				continue;
			cli_use_resolvers(&a.program);
			assert_int_equal(a.program.library.handles.resolver_count, 2);
			uint32_t only = 0; /* whatever the module is now */
			while (!(sets[i] >> only & 1))
				only++;
			assert_ptr_equal(a.program.library.handles.resolvers,
					 a.program.resolvers.listed + 2 * (count > 1 ? v : only));
		}
		cli_free_resolvers(&a.program.resolvers);
	}
	struct arguments none = {.program.resolvers.count = 0};
	cli_use_resolvers(&none.program);
	assert_null(none.program.library.handles.resolvers);
	assert_false(cli_has_text_resolver(&none.program));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_compilers, end_compilers)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(resolvers_are_compiled_for_the_version_of_the_modules),
	    TEST(a_main_calls_the_form_that_the_text_defines),
	    TEST(compiler_messages_name_the_users_file),
	    TEST(warnings_are_passed_on),
	    TEST(an_entry_point_that_is_missing_is_an_error),
	    TEST(an_existing_entry_point_is_not_an_error),
	    TEST(every_compiler_failure_is_reported),
	    TEST(a_compiler_has_a_time_limit),
	    TEST(modules_name_the_users_file),
	    TEST(other_words_are_unchanged),
	    TEST(shaders_are_compiled_for_the_environment),
	    TEST(shaders_are_compiled_once),
	    TEST(compiler_depfiles_are_used),
	    TEST(resolvers_have_the_oldest_version_of_the_modules),
	    TEST(resolvers_are_recognized_by_content),
	    TEST(resolvers_of_several_versions_are_kept_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
