/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: response files and numbers up to their limits, and suggestions for misspelt options. */
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

#include "cli/args/args.h"
#include "cli/jobs/jobs.h"
#include "cli/resolvers.h"
#include "cli/args/option_table.h"
#include "in_folder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool unreadable; /* this program */

bool __real_cli_hash_file(const char *path, unsigned char *digest);
bool __wrap_cli_hash_file(const char *path, unsigned char *digest);
bool __wrap_cli_hash_file(const char *path, unsigned char *digest)
{
	return !unreadable && __real_cli_hash_file(path, digest);
}

/* Response files */

/* The expanded command line, each word in brackets; or the message. */
static const char *expanded(const char *const *words, int *status)
{
	static char text[4000];
	char *argv[20] = {NULL}, **all = argv;
	int argc = 0;
	struct word_array to = {0};

	for (; words[argc]; argc++)
		argv[argc] = strdup(words[argc]);
	int count = argc;
	*status = arg_expand_responses(&to, &argc, &all);
	text[0] = '\0';
	for (int i = 0; !*status && i < argc && strlen(text) < 3000; i++)
		snprintf(text + strlen(text), 900, "[%s]", all[i]);
	if (!*status)
		assert_null(all[argc]);
	arg_free_words(&to);
	for (int i = 0; i < count; i++)
		free(argv[i]);
	return *status ? causes() : text;
}

#define EXPANDED(status, ...) expanded((const char *const[]){"x", __VA_ARGS__, NULL}, status)

static void response_files_are_split_like_a_shell(void **state)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {{"", "[x]"},
		    {" \t\r\n\v\f", "[x]"},
		    {"a", "[x][a]"},
		    {" a\tb\rc\nd\ve\ff ", "[x][a][b][c][d][e][f]"},
		    {"\xEF\xBB\xBF"
		     "a",
		     "[x][a]"},
		    {"'a b' \"c d\" e'f'\"g\"h", "[x][a b][c d][efgh]"},
		    {"'' \"\"", "[x][][]"},
		    {"a\\ b \\'c \\\\ d\\", "[x][a b]['c][\\][d\\]"},
		    {"'a\\b' \"a\\\"b\" \"a'b\" 'a\"b'", "[x][a\\b][a\"b][a'b][a\"b]"},
		    {"a@b -@b", "[x][a@b][-@b]"},
		    {"'@b' \\@b \"@\"b @'b'", "[x][@b][@b][@b][inner]"},
		    {"@b", "[x][inner]"},
		    {"-- @b", "[x][--][@b]"},
		    {"a @b c", "[x][a][inner][c]"}};
	int status;

	(void)state;
	put_file("b", "inner");
	for (size_t i = 0; i < COUNT(rows); i++) {
		put_file("words", rows[i].text);
		assert_string_equal(EXPANDED(&status, "@words"), rows[i].wanted);
		assert_int_equal(status, 0);
	}
	assert_string_equal(EXPANDED(&status, "1", "@b", "2", "@b"), "[x][1][inner][2][inner]");
	assert_string_equal(EXPANDED(&status, "@b", "--", "@b"), "[x][inner][--][@b]");
	assert_string_equal(EXPANDED(&status, "--", "@b"), "[x][--][@b]");
	assert_string_equal(EXPANDED(&status, "a", "b"), "[x][a][b]");
}

static void errors_in_response_files_are_reported(void **state)
{
	static const struct {
		const char *text, *word, *wanted;
		int status;
	} rows[] = {{"'a", "@w", "w:1:1: error: a quote that begins with ' does not end\n", EXIT_USAGE},
		    {"a \"b c", "@w", "w:1:1: error: a quote that begins with \" does not end\n", EXIT_USAGE},
		    {"@w", "@w", "w:1:1: error: @w: response files name each other too often\n", EXIT_USAGE},
		    {"@", "@w", "w:1:1: error: @ needs the name of a file\n", EXIT_USAGE},
		    {"", "@", "spirv-bind: error: @ needs the name of a file\n", EXIT_USAGE},
		    {"", "@-", "spirv-bind: error: @ needs the name of a file\n", EXIT_USAGE},
		    {"", "@missing", "spirv-bind: error: cannot read missing: No such file or directory\n", EXIT_IO}};
	int status;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		put_file("w", rows[i].text);
		assert_string_equal(EXPANDED(&status, "a", rows[i].word, "b"), rows[i].wanted);
		assert_int_equal(status, rows[i].status);
	}
}

/* Eight files deep, 256 of them, a million words; and one more. */
static void response_files_have_bounds(void **state)
{
	enum { DEEPEST = 8, MOST_FILES = 256, MOST_WORDS = 1 << 20 };
	static char text[2 * MOST_WORDS + 2];
	char name[20];
	int status;

	(void)state;
	put_file("f1", "deep");
	for (int depth = 2; depth <= DEEPEST + 1; depth++) {
		snprintf(name, sizeof name, "f%d", depth);
		snprintf(text, sizeof text, "@f%d", depth - 1);
		put_file(name, text);
	}
	assert_string_equal(EXPANDED(&status, "@f8"), "[x][deep]");
	EXPANDED(&status, "@f9");
	assert_int_equal(status, EXIT_USAGE);
	for (int more = -1; more < 1; more++) {
		text[0] = '\0';
		put_file("empty", "");
		for (int i = 0; i < MOST_FILES + more; i++)
			strcat(text, "@empty ");
		put_file("many", text);
		EXPANDED(&status, "@many"); /* which counts, too */
		assert_int_equal(status, more < 0 ? 0 : EXIT_USAGE);
	}
	for (int more = -1; more < 1; more++) {
		memset(text, 0, sizeof text);
		for (size_t i = 0; i < MOST_WORDS + (size_t)more; i++)
			memcpy(text + 2 * i, "w ", 2);
		put_file("many", text);
		EXPANDED(&status, "@many"); /* after the name of the command */
		assert_int_equal(status, more < 0 ? 0 : EXIT_USAGE);
	}
}

/* Options */

/* Reads them for the input m.spv; returns 0, or EXIT_* + 1. */
static int reading_by(const char *verb, struct arguments *a, const char *option, const char *value)
{
	char *argv[] = {strdup("x"), strdup(verb), strdup("m.spv"), strdup(option), value ? strdup(value) : NULL, NULL};
	int argc = value ? 5 : 4;

	arg_read_arguments(a, argc, argv, NULL);
	for (int i = 0; i < argc; i++)
		free(argv[i]);
	return a->done;
}

static int reading(struct arguments *a, const char *option, const char *value)
{
	return reading_by("layout", a, option, value);
}

static void numbers_are_read_up_to_their_ends(void **state)
{
	static const struct {
		const char *option;
		bool accepted;
		uint32_t wanted;
	} rows[] = {{"--heap-set=0", true, 0},
		    {"--heap-set=9", true, 9},
		    {"--heap-set=4294967294", true, 4294967294},
		    {"--heap-set=4294967296", false, 0},
		    {"--heap-set=0x10", true, 16},
		    {"--heap-set=0X1f", true, 31},
		    {"--heap-set=010", true, 10},
		    {"--heap-set=99999999999999999999999", false, 0},
		    {"--heap-set=-1", false, 0},
		    {"--heap-set=+1", false, 0},
		    {"--heap-set= 1", false, 0},
		    {"--heap-set=1x", false, 0},
		    {"--heap-set=/", false, 0},
		    {"--heap-set=:", false, 0},
		    {"--heap-set=", false, 0}};
	static const struct {
		const char *option;
		bool accepted;
		unsigned wanted;
	} threads[] = {{"-j1", true, 1},   {"-j9", true, 9},   {"-j1024", true, 1024}, {"-j1025", false, 0},
		       {"-j0", false, 0},  {"-j", false, 0},   {"-jx", false, 0},      {"-j1x", false, 0},
		       {"-j-1", false, 0}, {"-j+1", false, 0}, {"-j:", false, 0},      {"-j/", false, 0}};
	static const struct {
		const char *option;
		bool accepted;
		uint32_t id;
		uint64_t wanted;
	} specs[] = {{"--spec=0=0", true, 0, 0},
		     {"--spec=4294967295=1", true, UINT32_MAX, 1},
		     {"--spec=4294967296=1", false, 0, 0},
		     {"--spec=1=18446744073709551615", true, 1, UINT64_MAX},
		     {"--spec=1=18446744073709551616", false, 0, 0},
		     {"--spec=1=-1", true, 1, UINT64_MAX},
		     {"--spec=1=-9223372036854775808", true, 1, (uint64_t)1 << 63},
		     {"--spec=1=-9223372036854775809", false, 0, 0},
		     {"--spec=0x10=0xFF", true, 16, 255},
		     {"--spec=1=0X9", true, 1, 9},
		     {"--spec=1=9x", false, 0, 0},
		     {"--spec=1x=9", false, 0, 0},
		     {"--spec=1=", false, 0, 0},
		     {"--spec==1", false, 0, 0},
		     {"--spec=1", false, 0, 0},
		     {"--spec=1=--1", false, 0, 0},
		     {"--spec=:=1", false, 0, 0}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arguments a = {0};
		assert_int_equal(!reading(&a, rows[i].option, NULL), rows[i].accepted);
		if (rows[i].accepted)
			assert_int_equal(a.program.library.heaps.set, rows[i].wanted);
		arg_free_arguments(&a);
	}
	for (size_t i = 0; i < COUNT(threads); i++) {
		struct arguments a = {0};
		assert_int_equal(!reading(&a, threads[i].option, NULL), threads[i].accepted);
		if (threads[i].accepted)
			assert_int_equal(a.run.threads, threads[i].wanted);
		arg_free_arguments(&a);
	}
	for (size_t i = 0; i < COUNT(specs); i++) {
		struct arguments a = {0};
		assert_int_equal(!reading(&a, specs[i].option, NULL), specs[i].accepted);
		if (specs[i].accepted) {
			assert_int_equal(a.program.library.layout.spec_value_count, 1);
			assert_int_equal(a.program.library.layout.spec_values[0].id, specs[i].id);
			assert_true(a.program.library.layout.spec_values[0].value == specs[i].wanted);
		}
		arg_free_arguments(&a);
	}
}

/* The line of the policy language for --place and the like; NULL: refused. */
static void shorthands_of_policies_are_lines_of_the_language(void **state)
{
	static const struct {
		const char *option, *line;
	} rows[] = {{"--place=a=1.2", "place name=\"a\" -> set=1 binding=2"},
		    {"--place=a*b=10.20", "place name=\"a*b\" -> set=10 binding=20"},
		    {"--place=a=b=1.2", "place name=\"a=b\" -> set=1 binding=2"},
		    {"--place=a\"\\=1.2", "place name=\"a\\\"\\\\\" -> set=1 binding=2"},
		    {"--place==1.2", NULL},
		    {"--place=a", NULL},
		    {"--place=a=", NULL},
		    {"--place=a=1", NULL},
		    {"--place=a=1.", NULL},
		    {"--place=a=.2", NULL},
		    {"--place=a=1.2x", NULL},
		    {"--place=a=1x2", NULL},
		    {"--place=a=1.x", NULL},
		    {"--place=a=x.2", NULL},
		    {"--place=a=1.2.3", NULL},
		    {"--shift=t=5", "shift class=t by=5"},
		    {"--shift=b=5", "shift class=b by=5"},
		    {"--shift=s=5", "shift class=s by=5"},
		    {"--shift=u=5", "shift class=u by=5"},
		    {"--shift=texture=15", "shift kind=texture by=15"},
		    {"--shift=t:2=5", "shift class=t by=5 set=2"},
		    {"--shift=t:12=5", "shift class=t by=5 set=12"},
		    {"--shift=t@compute=5", "shift class=t by=5 stage=compute"},
		    {"--shift=t:2@compute=5", "shift class=t by=5 set=2 stage=compute"},
		    {"--shift=x=5", NULL},
		    {"--shift==5", NULL},
		    {"--shift=t", NULL},
		    {"--shift=t=", NULL},
		    {"--shift=t=x", NULL},
		    {"--shift=t=5x", NULL},
		    {"--shift=t:=5", NULL},
		    {"--shift=t:x=5", NULL},
		    {"--shift=t:2x=5", NULL},
		    {"--shift=t@=5", NULL},
		    {"--shift=t@compute", NULL},
		    {"--shift=t@compute:2=5", "shift class=t by=5 stage=compute:2"}, /* which the language refuses */
		    {"--policy=option unused=last", "option unused=last"},
		    {"--policy=a\nb", NULL},
		    {"--policy=a\rb", NULL},
		    {"--policy=", NULL}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arguments a = {0};
		if (!reading(&a, rows[i].option, NULL) != (rows[i].line != NULL))
			print_message("%s\n", rows[i].option);
		assert_int_equal(!a.done, rows[i].line != NULL);
		if (rows[i].line) {
			assert_int_equal(a.program.library.layout.policy_count, 1);
			assert_string_equal(a.program.library.layout.policies[0].text, rows[i].line);
			assert_string_equal(a.program.library.layout.policies[0].name, rows[i].option);
		}
		arg_free_arguments(&a);
	}
}

static void other_values_are_read_up_to_their_bounds(void **state)
{
	static const struct {
		const char *option;
		bool accepted;
	} rows[] = {{"--against=l.json:4294967295", true},
		    {"--against=l.json:4294967296", false},
		    {"--against=l.json:1,", false},
		    {"--against=l.json:,1", false},
		    {"--merge-combined=a:b", true},
		    {"--merge-combined=a:", false},
		    {"--merge-combined=:b", false},
		    {"--merge-combined=a", false},
		    {"--merge-combined=a:b:c", false},
		    {"--heap=texture=4294967295.4294967295", true},
		    {"--heap=texture=4294967296.0", false},
		    {"--heap=texture=0.4294967296", false},
		    {"--heap=texture=1.2x", false},
		    {"--heap=texture=1", false},
		    {"--heap=texture", false},
		    {"--heap=texture=+1.2", false},
		    {"--heap=texture= 1.2", false},
		    {"--heap=textur=1.2", false},
		    {"--heap=texturex=1.2", false},
		    {"--heap=as=address", true},
		    {"--instrument-handles=4294967295.0", true},
		    {"--instrument-handles=4294967296.0", false},
		    {"--instrument-handles=0.4294967295", true},
		    {"--instrument-handles=0.4294967296", false},
		    {"--instrument-handles=1.2x", false},
		    {"--instrument-handles=-1.2", false},
		    {"--instrument-handles=1", false}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arguments a = {0};
		if (!reading(&a, rows[i].option, NULL) != rows[i].accepted)
			print_message("%s: %s", rows[i].option, causes());
		assert_int_equal(!a.done, rows[i].accepted);
		arg_free_arguments(&a);
	}
	struct arguments both = {0};
	char *argv_of_both[] = {(char[]){"x"},
				(char[]){"check"},
				(char[]){"m.spv"},
				(char[]){"--relax-block-layout"},
				(char[]){"--scalar-block-layout"},
				NULL};
	arg_read_arguments(&both, 5, argv_of_both, NULL); /* flags add up */
	assert_int_equal(both.program.library.validation.flags,
			 SPB_VALIDATOR_RELAX_BLOCK_LAYOUT | SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT);
	arg_free_arguments(&both);
	struct arguments twice = {0};
	char *argv_of_twice[] = {(char[]){"x"},
				 (char[]){"layout"},
				 (char[]){"m.spv"},
				 (char[]){"--heap-model=descriptor-heap"},
				 (char[]){"--heap-stride=64,16"},
				 (char[]){"--heap-stride=size"},
				 NULL};
	arg_read_arguments(&twice, 6, argv_of_twice, NULL); /* the last one counts */
	assert_false(twice.done);
	assert_int_equal(twice.program.library.heaps.resource_stride | twice.program.library.heaps.sampler_stride, 0);
	arg_free_arguments(&twice);
	static const struct {
		const char *option;
		bool accepted, unified;
		uint32_t resources, samplers;
	} strides[] = {
	    {"--heap-stride=4", true, false, 4, 0},           {"--heap-stride=65536", true, false, 65536, 0},
	    {"--heap-stride=65540", false, false, 0, 0},      {"--heap-stride=6", false, false, 0, 0},
	    {"--heap-stride=1900,92", true, false, 1900, 92}, {"--heap-stride=0", false, false, 0, 0},
	    {"--heap-stride=size", true, false, 0, 0},        {"--heap-stride=sizes", false, false, 0, 0},
	    {"--heap-stride=unified", true, true, 0, 0},      {"--heap-stride=unifies", false, false, 0, 0},
	    {"--heap-stride=unifiedx", false, false, 0, 0},   {"--heap-stride=unified,32", true, true, 0, 32},
	    {"--heap-stride=64,16", true, false, 64, 16},     {"--heap-stride=64,size", true, false, 64, 0},
	    {"--heap-stride=64,", false, false, 0, 0},        {"--heap-stride=64,unified", false, false, 0, 0},
	    {"--heap-stride=64,16,8", false, false, 0, 0},    {"--heap-stride=4x", false, false, 0, 0},
	    {"--heap-stride=655360", false, false, 0, 0}};
	for (size_t i = 0; i < COUNT(strides); i++) {
		struct arguments a = {0};
		char *argv[] = {(char[]){"x"},
				(char[]){"check"},
				(char[]){"m.spv"},
				(char[]){"--heap-model=descriptor-heap"},
				strdup(strides[i].option),
				NULL};
		arg_read_arguments(&a, 5, argv, NULL);
		assert_int_equal(!a.done, strides[i].accepted);
		if (!a.done) {
			assert_int_equal(a.program.library.heaps.unified_stride, strides[i].unified);
			assert_int_equal(a.program.library.heaps.resource_stride, strides[i].resources);
			assert_int_equal(a.program.library.heaps.sampler_stride, strides[i].samplers);
		}
		arg_free_arguments(&a);
		free(argv[4]);
	}
}

static void assert_module_name(const char *input, size_t kept)
{
	const struct program_options none = {.verb = VERB_BIND};
	char wanted[60], *name = cli_module_name(&none, input, input);

	snprintf(wanted, sizeof wanted, "%.*s.spv", (int)kept, input);
	assert_string_equal(name, wanted);
	free(name);
}

/* Inputs that are compiled: by their names, unless they are modules. */
static void inputs_that_are_compiled_are_known_by_their_names(void **state)
{
	static const char *const stages[] = {"vert", "tesc",  "tese",  "geom",  "frag",  "comp", "task", "mesh", "rgen",
					     "rint", "rahit", "rchit", "rmiss", "rcall", "vs",   "tcs",  "hs",   "tes",
					     "ds",   "gs",    "fs",    "ps",    "cs",    "as",   "ms"};
	const struct program_options none = {.verb = VERB_BIND};
	static const struct {
		const char *name, *contents;
		bool source;
		size_t length; /* the part of it in the name of its module */
	} names[] = {{"a.spvasm", "", true, 1},
		     {"a.frag.spvasm", "", true, 6},
		     {".spvasm", "", false, 7},
		     {"a.spv", "", false, 5},
		     {"a.glsl", "", false, 6},
		     {"a.hlsl", "", false, 6},
		     {"a.frag.spv", "", false, 10},
		     {".frag", "", false, 5},
		     {"afrag", "", false, 5},
		     {"a.FRAG", "", false, 6},
		     {"m.frag", "\x03\x02\x23\x07", false, 6},
		     {"m.spvasm", "\x07\x23\x02\x03", false, 1},
		     {"t.frag", "\x03\x02\x23", true, 6},
		     {"o.frag", "\x03\x02\x23\x08", true, 6}};
	char name[40];

	(void)state;
	for (size_t i = 0; i < COUNT(stages); i++) {
		for (int form = 0; form < 3; form++) {
			snprintf(name, sizeof name, "a.%s%s", stages[i],
				 form == 0   ? ""
				 : form == 1 ? ".glsl"
					     : ".hlsl");
			assert_true(cli_is_source(&none, name));
			assert_module_name(name, strlen(name));
		}
	}
	for (size_t i = 0; i < COUNT(names); i++) {
		put_file(names[i].name, names[i].contents);
		if (cli_is_source(&none, names[i].name) != names[i].source)
			print_message("%s\n", names[i].name);
		assert_int_equal(cli_is_source(&none, names[i].name), names[i].source);
		if (names[i].source)
			assert_module_name(names[i].name, names[i].length);
	}
	const char *const both[] = {"a.spvasm", "a.spv", "x.vert"}, *const others[] = {"a.spvasm", "a.spv"};
	assert_true(cli_has_shaders(&none, both, 3)); /* that a compiler is needed for */
	assert_false(cli_has_shaders(&none, others, 2) || cli_has_shaders(&none, NULL, 0));
	assert_int_equal(mkfifo("pipe.frag", 0600), 0);
	assert_true(cli_is_source(&none, "pipe.frag")); /* which is not read */
}

/* A comment gives the version of SPIR-V, otherwise the environment does. */
static void assembly_has_its_declared_version(void **state)
{
	static const struct {
		const char *text;
		spb_env env;
		uint32_t version;
	} rows[] = {{"; SPIR-V\n; Version: 1.0\n", SPB_ENV_AUTO, 0x10000},
		    {"; SPIR-V\n; Version: 1.0\n", SPB_ENV_VULKAN_1_1, 0x10000},
		    {"; SPIR-V\n; Version: 1.4\n", SPB_ENV_AUTO, 0x10400},
		    {"; Version: 1.6\n", SPB_ENV_AUTO, 0x10600},
		    {"; Version: 1.2", SPB_ENV_AUTO, 0x10200},
		    {"; Version: 1.3\n", SPB_ENV_VULKAN_1_0, 0x10300},
		    {"; Version: 1.7\n", SPB_ENV_VULKAN_1_0, 0x10000},
		    {"; Version: 2.3\n", SPB_ENV_VULKAN_1_0, 0x10000},
		    {"; Version: 1.x\n", SPB_ENV_VULKAN_1_0, 0x10000},
		    {"\n; Version: 1.4\n", SPB_ENV_VULKAN_1_0, 0x10000}, /* after its head */
		    {"OpNop\n; Version: 1.4\n", SPB_ENV_VULKAN_1_1, 0x10300},
		    {"", SPB_ENV_VULKAN_1_1_SPIRV_1_4, 0x10400},
		    {"", SPB_ENV_VULKAN_1_2, 0x10500},
		    {"", SPB_ENV_VULKAN_1_3, 0x10600}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct resolver_file r = {.path = "a.spvasm", .is_input = true};
		put_file("a.spvasm", rows[i].text);
		assert_int_equal(cli_assemble_file(&r, rows[i].env), EXIT_DONE);
		assert_true(r.word_count[0] >= 5);
		assert_int_equal(r.words[0][1], rows[i].version);
		free(r.words[0]);
	}
	const struct msg_options plain = {.quiet = false};
	struct resolver_file r = {.path = "a.spvasm", .is_input = true};
	put_file("a.spvasm", "; Version: 1.3\nOpNothing\n");
	assert_true(msg_begin(&plain));
	assert_int_equal(cli_assemble_file(&r, SPB_ENV_AUTO), EXIT_REFUSED);
	assert_non_null(strstr(causes(), "a.spvasm:2:1: error: "));
}

static void misspelt_options_get_suggestions(void **state)
{
	static const struct {
		const char *option, *meant;
	} rows[] = {{"--outdir=x", "--out-dir"},
		    {"--out-dri=x", "--out-dir"},
		    {"--ouut-dir=x", "--out-dir"},
		    {"--ot-dri=x", "--out-dir"},
		    {"--otu-dri=x", "--out-dir"},
		    {"--stmap=x", "--stamp"},
		    {"--loc", "--lock"},
		    {"--lcok", "--lock"},
		    {"--locck", "--lock"},
		    {"--olck", "--lock"},
		    {"--lokc", "--lock"},
		    {"--lokx", NULL},
		    {"--staxy", NULL},
		    {"--stampp", "--stamp"},
		    {"--stampxy", "--stamp"},
		    {"--stampxyz", NULL},
		    {"--record-o", "--record-options"},
		    {"--rec", "--record-options"},
		    {"--x", NULL},
		    {"--completely-different", NULL},
		    /* the nearest one; of two equally near, the first in the help */
		    {"--rmport=x", "--report"},
		    {"--progrems=x", "--progress"},
		    {"--locket", "--locked"},
		    {"-Z", NULL},
		    {"--layout-jso=x", "--layout-json"},
		    {"--abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", NULL}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arguments a = {0};
		char name[100], wanted[300];
		assert_int_equal(reading_by("bind", &a, rows[i].option, NULL), EXIT_USAGE + 1);
		snprintf(name, sizeof name, "%.*s", (int)strcspn(rows[i].option, "="), rows[i].option);
		snprintf(wanted, sizeof wanted,
			 "spirv-bind: error: unknown option %s\nspirv-bind: note: %s%s%sSee --help.\n", name,
			 rows[i].meant ? "Did you mean " : "", rows[i].meant ? rows[i].meant : "",
			 rows[i].meant ? "? " : "");
		assert_string_equal(said(), wanted);
		arg_free_arguments(&a);
	}
}

static char *generated(const char *what)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	assert_true(arg_put_generated(to, what, verb_at(0)));
	fclose(to);
	return text;
}

/* The installed completions, and the part of the manual page about options. */
static void installed_files_match_the_generated_ones(void **state)
{
	static const struct {
		const char *what, *file;
	} rows[] = {{"bash", "completions/spirv-bind.bash"},
		    {"zsh", "completions/_spirv-bind"},
		    {"fish", "completions/spirv-bind.fish"},
		    {"man", "spirv-bind.1"}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char path[5000];
		size_t size;
		char *text = generated(rows[i].what);
		snprintf(path, sizeof path, "%s/../src/cli/%s", SPB_FIXTURES, rows[i].file);
		char *there = (char *)cli_read_own_file(path, &size);
		assert_non_null(there);
		there = realloc(there, size + 1);
		assert_non_null(there);
		there[size] = '\0';
		if (strcmp(rows[i].what, "man") != 0)
			assert_string_equal(text, there);
		else
			assert_non_null(strstr(there, text));
		free(text);
		free(there);
	}
	FILE *nothing = fopen("nothing", "w");
	assert_non_null(nothing);
	assert_false(arg_put_generated(nothing, "", verb_at(0)) || arg_put_generated(nothing, "bas", verb_at(0)) ||
		     arg_put_generated(nothing, "bash2", verb_at(0)));
	assert_int_equal(ftell(nothing), 0);
	fclose(nothing);
}

/* If the hash that distinguishes builds cannot be computed, nothing is printed. */
static void versions_are_printed_completely_or_not_at_all(void **state)
{
	static const struct {
		const char *form;
		bool unreadable;
		int done;
		const char *begin, *end;
	} rows[] = {{NULL, false, EXIT_DONE + 1, "spirv-bind 0.", "\n"},
		    {NULL, true, EXIT_DONE + 1, "spirv-bind 0.", "\n"},
		    {"json", false, EXIT_DONE + 1, "{\"name\": \"spirv-bind\", \"version\": \"0.", "\"}\n"},
		    {"json", true, EXIT_IO + 1, "", ""},
		    {"none", false, EXIT_USAGE + 1, "", ""}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arguments a = {.done = 0};
		fflush(stdout);
		int before = dup(STDOUT_FILENO);
		FILE *to = fopen("printed", "wb");
		assert_non_null(to);
		dup2(fileno(to), STDOUT_FILENO);
		fclose(to);
		unreadable = rows[i].unreadable;
		arg_print_version(&a, arg_find_option("--version"), rows[i].form);
		unreadable = false;
		fflush(stdout);
		dup2(before, STDOUT_FILENO);
		close(before);
		char *printed = taken("printed");
		size_t length = strlen(printed), end = strlen(rows[i].end);
		assert_int_equal(a.done, rows[i].done);
		assert_true(*rows[i].begin ? !strncmp(printed, rows[i].begin, strlen(rows[i].begin)) : !length);
		assert_true(length >= end && !strcmp(printed + length - end, rows[i].end));
		free(printed);
	}
	causes();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(response_files_are_split_like_a_shell),
	    TEST(errors_in_response_files_are_reported),
	    TEST(response_files_have_bounds),
	    TEST(numbers_are_read_up_to_their_ends),
	    TEST(shorthands_of_policies_are_lines_of_the_language),
	    TEST(other_values_are_read_up_to_their_bounds),
	    TEST(inputs_that_are_compiled_are_known_by_their_names),
	    TEST(assembly_has_its_declared_version),
	    TEST(misspelt_options_get_suggestions),
	    TEST(versions_are_printed_completely_or_not_at_all),
	    TEST(installed_files_match_the_generated_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
