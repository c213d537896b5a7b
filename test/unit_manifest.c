/* SPDX-License-Identifier: Apache-2.0 */
/* Manifests: their words and lines, errors in them; families. */
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

#include "cli/workspace/manifest.h"
#include "in_folder.h"
#include "scarce.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct msg_options plain;
static char text[20000]; /* compared with the expectation */

static void put(const char *before, const char *word)
{
	size_t length = strlen(text);

	snprintf(text + length, sizeof text - length, "%s%s", before, word ? word : "-");
}

static void put_number(const char *before, unsigned long number)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%lu", number);
	put(before, digits);
}

static void put_words(const char *before, const struct words *words, const char *after)
{
	put(before, "");
	for (size_t i = 0; i < words->count; i++)
		put(i ? "|" : "", words->items[i]);
	put(after, "");
}

/* "{options} share SET=PROGRAMS NAME(FAMILY)@FILE:LINE[INPUTS>OUTPUTS]{OPTIONS}", what there is of it. */
static void put_manifest(const struct manifest *m)
{
	if (m->options.count)
		put_words("{", &m->options, "}");
	for (size_t i = 0; i < m->share_count; i++) {
		put_number(" share ", m->shares[i].set);
		put("=", m->shares[i].programs);
	}
	for (size_t i = 0; i < m->program_count; i++) {
		const struct manifest_program *p = &m->programs[i];
		put(" ", p->name);
		if (p->family)
			put("/", p->family);
		put("@", p->file);
		put_number(":", p->line);
		put_words("[", &p->inputs, "");
		if (p->outputs.count)
			put_words(">", &p->outputs, "");
		put("]", "");
		if (p->options.count)
			put_words("{", &p->options, "}");
	}
}

/* Reads a manifest: its contents or, if it is refused, the message. */
static const char *reading(const char *path, int *status)
{
	struct manifest m;

	text[0] = '\0';
	assert_true(msg_begin(&plain));
	*status = ws_read_manifest(&m, path);
	if (*status == EXIT_DONE)
		put_manifest(&m);
	else
		put("", causes());
	ws_free_manifest(&m);
	return text;
}

static void assert_manifest(const char *contents, const char *wanted)
{
	int status;

	put_file("m", contents);
	assert_string_equal(reading("m", &status), wanted);
	assert_int_equal(status, strncmp(wanted, "m:", 2) ? EXIT_DONE : EXIT_USAGE);
	assert_string_equal(said(), "");
}

/* Words and lines */

#define OF(inputs) " p@m:1[" inputs "]"

static void words_are_separated_and_quoted(void **state)
{
	static const struct {
		const char *line, *wanted;
	} rows[] = {{"program p: a", OF("a")},
		    {" \tprogram\tp:  a\r", OF("a")},
		    {"program p: a b\tc\r", OF("a|b|c")},
		    {"program p: a #b", OF("a")},
		    {"program p: a#b c # d", OF("a#b|c")},
		    {"program p: a\t#", OF("a")},
		    {"program \"p\": \"a b\" c\" \"d", OF("a b|c d")},
		    {"program p: \"a#b\" \"#c\"", OF("a#b|#c")},
		    {"program p: \"a\\\"b\" \"c\\\\d\" \"e\\f\"", OF("a\"b|c\\d|e\\f")},
		    {"program p: a\\b c\\\\d", OF("a\\b|c\\\\d")},
		    {"program p: a \"\" b", OF("a||b")},
		    {"program p: -", OF("-")},
		    {"program p: a\x0B", OF("a\x0B")}, /* which separates nothing */
		    {"program p: /a ./b ../c", OF("/a|./b|../c")},
		    {"program p: a \"b", "m:1:1: error: the closing quotation mark is missing\n"},
		    {"program p: \"a\\\"", "m:1:1: error: the closing quotation mark is missing\n"},
		    {"program p: \"", "m:1:1: error: the closing quotation mark is missing\n"}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_manifest(rows[i].line, rows[i].wanted);
	assert_manifest("# x\n\n \nprogram p: a\n\nprogram q: b", " p@m:4[a] q@m:6[b]");
	assert_manifest("program p: a\r\nprogram q: b\r\n", " p@m:1[a] q@m:2[b]");
	assert_manifest("program p: a \\\n", OF("a|\\")); /* lines cannot be continued */
}

static void errors_in_lines_are_reported(void **state)
{
	static const struct {
		const char *line, *wanted;
	} rows[] = {{"", "the manifest has no programs"},
		    {"# program p: a", "the manifest has no programs"},
		    {"options -v", "the manifest has no programs"},
		    {"programs p: a", "no line begins with \"programs\""},
		    {"\"\" a", "no line begins with \"\""},
		    {"program", "expected program NAME: FILES"},
		    {"program p", "expected program NAME: FILES"},
		    {"program p : a", "expected program NAME: FILES"},
		    {"program : a", "expected program NAME: FILES"},
		    {"program p:", "program p has no files"},
		    {"program p: -v", "program p has no files"},
		    {"program p: variant-of=q", "program p has no files"},
		    {"program p: -o b", "-o is not behind an input, or twice"},
		    {"program p: a -o b -o c", "-o is not behind an input, or twice"},
		    {"program p: a -o", "-o needs the name of a file"},
		    {"program p: a b -o", "-o needs the name of a file"},
		    {"program p: a variant-of=", "variant-of= takes the name of one program"},
		    {"program p: a variant-of=q variant-of=q", "variant-of= takes the name of one program"},
		    {"program p: a variant-of=q", "variant-of=q names no program"},
		    {"program p: a variant-of=p", "program p is a variant of itself"},
		    {"share", "share needs what is shared"},
		    {"share programs=a", "share needs what is shared"},
		    {"share set=", "expected share set=N|heaps programs=GLOB, got \"set=\""},
		    {"share set=x", "expected share set=N|heaps programs=GLOB, got \"set=x\""},
		    {"share set=1x", "expected share set=N|heaps programs=GLOB, got \"set=1x\""},
		    {"share set=-1", "expected share set=N|heaps programs=GLOB, got \"set=-1\""},
		    {"share set=+1", "expected share set=N|heaps programs=GLOB, got \"set=+1\""},
		    {"share set=/", "expected share set=N|heaps programs=GLOB, got \"set=/\""},
		    {"share set=:", "expected share set=N|heaps programs=GLOB, got \"set=:\""},
		    {"share set=4294967295", "expected share set=N|heaps programs=GLOB, got \"set=4294967295\""},
		    {"share set=1 programs=", "expected share set=N|heaps programs=GLOB, got \"programs=\""},
		    {"share set=1 program=a", "expected share set=N|heaps programs=GLOB, got \"program=a\""},
		    {"share set=1 heaps", "expected share set=N|heaps programs=GLOB, got \"heaps\""},
		    {"share 1", "expected share set=N|heaps programs=GLOB, got \"1\""},
		    {"include", "expected include FILE"},
		    {"include a b", "expected include FILE"},
		    {"include m", "m includes itself"},
		    {"include ./m", "./m includes itself"},
		    {"options a", "expected an option, got \"a\""},
		    {"options --rules hlsl", "expected an option, got \"hlsl\""},
		    {"options -- ", "the manifest has no programs"}};
	char wanted[200];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(wanted, sizeof wanted, "m:1:1: error: %s\n", rows[i].wanted);
		assert_manifest(rows[i].line, wanted);
	}
	assert_manifest("program p: a\nshare\nprogram", "m:2:1: error: share needs what is shared\n");
	assert_manifest("program p: a\nprogram", "m:2:1: error: expected program NAME: FILES\n");
	assert_manifest("program p: a\nprogram q: b\n\nprogram p: c\n", "m:4:1: error: program p is declared twice\n");
	assert_manifest("program q: b\nprogram p: a variant-of=r\n", "m:2:1: error: variant-of=r names no program\n");
}

/* Messages fit into a line. */
static void quoted_text_is_truncated(void **state)
{
	enum { LONGEST = 8191, LONGEST_PATH = 4095 };
	static char path[LONGEST_PATH], wanted[2 * LONGEST], line[LONGEST + 100];
	int status;

	(void)state;
	memset(line, 'x', sizeof line - 1);
	snprintf(wanted, sizeof wanted, "m:1:1: error: no line begins with \"%s", line);
	wanted[strlen("m:1:1: error: ") + LONGEST] = '\0';
	strcat(wanted, "\n");
	assert_manifest(line, wanted);
	put_file("m", "x");
	for (size_t i = 0; i + 3 < sizeof path; i += 2)
		memcpy(path + i, "./", 3);
	strcat(path, "m");
	snprintf(wanted, sizeof wanted, "%s:1", path);
	assert_true(strlen(wanted) >= LONGEST_PATH);
	wanted[LONGEST_PATH] = '\0';
	const char *read = reading(path, &status);
	assert_memory_equal(read, wanted, strlen(wanted));
	assert_memory_equal(read + strlen(wanted), ":1: error: no line begins", 25);
}

/* Texts are many, and short: each directly follows the previous one. */
static void texts_are_kept_without_gaps(void **state)
{
	struct manifest m;

	(void)state;
	put_file("m", "program name: first /second");
	assert_true(msg_begin(&plain));
	assert_int_equal(ws_read_manifest(&m, "m"), EXIT_DONE);
	const struct manifest_program *p = &m.programs[0];
	assert_ptr_equal(p->inputs.items[0], p->name + sizeof "name:");
	assert_ptr_equal(p->inputs.items[1], p->inputs.items[0] + sizeof "first");
	assert_ptr_equal(m.next, p->inputs.items[1] + sizeof "/second");
	ws_free_manifest(&m);
}

/* Sets and programs, each pair once. */
static void shares_are_listed_once(void **state)
{
	(void)state;
#define P "\nprogram p: a"
	assert_manifest("share set=0" P, " share 0=- p@m:2[a]");
	assert_manifest("share set=9 programs=a*" P, " share 9=a* p@m:2[a]");
	assert_manifest("share programs=a* set=4294967294" P, " share 4294967294=a* p@m:2[a]");
	assert_manifest("share set=1 set=2" P, " share 2=- p@m:2[a]");
	assert_manifest("share set=1\nshare set=1" P, " share 1=- p@m:3[a]");
	assert_manifest("share set=1\nshare set=1 programs=*" P, " share 1=- p@m:3[a]");
	assert_manifest("share set=1 programs=*\nshare set=1" P, " share 1=* p@m:3[a]");
	assert_manifest("share set=1\nshare set=2\nshare set=1 programs=a\nshare set=2 programs=a\nshare set=2" P,
			" share 1=- share 2=- share 1=a share 2=a p@m:6[a]");
#undef P
}

/* Listed up to the last input that has one. */
static void outputs_follow_their_inputs(void **state)
{
	(void)state;
	assert_manifest("program p: a -o x", OF("a>x"));
	assert_manifest("program p: a b -o x", OF("a|b>-|x"));
	assert_manifest("program p: a b c -o x d", OF("a|b|c|d>-|-|x"));
	assert_manifest("program p: a -o x b c -o y", OF("a|b|c>x|-|y"));
	assert_manifest("program p: a -o --rules b -o #x", "m:1:1: error: -o needs the name of a file\n");
	assert_manifest("program p: a -o --rules b -o \"-o\"", OF("a|b>--rules|-o"));
}

/* Options of the whole run are not options of programs. */
static void options_of_the_run_are_refused(void **state)
{
	static const char *const run[] = {
	    "-m",        "--programs", "--shard",     "--lock",     "--locked",      "--update-lock", "--out-dir",
	    "--each",    "-j",         "--fail-fast", "--progress", "--diagnostics", "--help",        "--version",
	    "--depfile", "--stamp",    "--cache",     "-o",         "--import"};
	static const char *const others[] = {
	    "--lockx", "--against=/l", "--nonuniform=off", "-Xx", "--outdir", "--profile", "--d", "-"};
	char line[200], wanted[200];

	(void)state;
	for (size_t i = 0; i < COUNT(run); i++) {
		for (int form = 0; form < 2; form++) {
			snprintf(line, sizeof line, "options -v %s%s", run[i], form ? "=x" : "");
			snprintf(wanted, sizeof wanted, "m:1:1: error: %s is about the whole run\n", run[i]);
			assert_manifest(line, wanted);
			if (strcmp(run[i], "-o") != 0 || form) {
				snprintf(line, sizeof line, "program p: a %s%s", run[i], form ? "=x" : "");
				assert_manifest(line, wanted);
			}
		}
	}
	assert_manifest("options -j8\nprogram p: a", "m:1:1: error: -j is about the whole run\n");
	assert_manifest("program p: a -ob", "m:1:1: error: -o is about the whole run\n");
	for (size_t i = 0; i < COUNT(others); i++) {
		snprintf(line, sizeof line, "options %s\nprogram p: a", others[i]);
		snprintf(wanted, sizeof wanted, "{%s} p@m:2[a]", others[i]);
		assert_manifest(line, wanted);
	}
	assert_manifest("options --a\noptions --b --c\nprogram p: --d a --e=f -g",
			"{--a|--b|--c} p@m:3[a]{--d|--e=f|-g}");
}

/* Files are relative to the manifest that names them. */
static void files_are_in_the_folder_of_the_manifest(void **state)
{
	static const struct {
		const char *word, *wanted;
	} rows[] = {{"--resolver=r", "--resolver=d/r"},
		    {"--baseline=b", "--baseline=d/b"},
		    {"--against=l:1", "--against=d/l:1"},
		    {"--profile=file", "--profile=d/file"},
		    {"--profile=none", "--profile=none"}, /* a built-in profile, or none */
		    {"--resolver=/r", "--resolver=/r"},
		    {"--profile=/none", "--profile=/none"},
		    {"--resolver=", "--resolver="},
		    {"--resolver", "--resolver"},
		    {"--resolverx=r", "--resolverx=r"},
		    {"--rules=r", "--rules=r"},
		    {"-Iinc", "-Id/inc"},
		    {"-I/inc", "-I/inc"},
		    {"-I", "-I"},
		    {"-Dinc", "-Dinc"},
		    {"--Inc", "--Inc"}};
	char wanted[200];
	int status;

	(void)state;
	assert_int_equal(mkdir("d", 0700) | mkdir("d/e", 0700), 0);
	put_file("d/file", "");
	int before = dup(STDIN_FILENO);
	close(before);
	for (size_t i = 0; i < COUNT(rows); i++) {
		char line[200];
		snprintf(line, sizeof line, "options %s\nprogram p: a", rows[i].word);
		put_file("d/m", line);
		snprintf(wanted, sizeof wanted, "{%s} p@d/m:2[d/a]", rows[i].wanted);
		assert_string_equal(reading("d/m", &status), wanted);
	}
	int after = dup(STDIN_FILENO); /* nothing stays open */
	close(after);
	assert_int_equal(after, before);
	put_file("d/e/i", "options --resolver=r\nprogram i: a ../b /c -o o\n\ninclude /none");
	put_file("d/m", "include e/i\nprogram p: a");
	assert_string_equal(reading("d/m", &status),
			    "d/e/i:4:1: error: cannot read /none: No such file or directory\n");
	assert_int_equal(status, EXIT_IO);
	put_file("d/e/i", "options --resolver=r\nprogram i: a ../b /c -o o\n");
	assert_string_equal(reading("d/m", &status),
			    "{--resolver=d/e/r} i@d/e/i:2[d/e/a|d/e/../b|/c>-|-|o] p@d/m:2[d/a]");
	put_file("d/e/i", "include ../m");
	assert_string_equal(reading("d/m", &status), "d/e/i:1:1: error: d/e/../m includes itself\n");
	assert_int_equal(status, EXIT_USAGE);
	put_file("d/e/i", "share set=1\nshare set=x");
	assert_string_equal(reading("d/m", &status),
			    "d/e/i:2:1: error: expected share set=N|heaps programs=GLOB, got \"set=x\"\n");
	put_file("d/e/i", "options --a");
	put_file("d/m", "include e/i\ninclude e/i\nprogram p: a"); /* twice, but not nested */
	assert_string_equal(reading("d/m", &status), "{--a|--a} p@d/m:3[d/a]");
	assert_string_equal(reading("none", &status),
			    "spirv-bind: error: cannot read none: No such file or directory\n");
}

/* 64 levels, and one more. */
static void nested_includes_have_a_limit(void **state)
{
	char name[20], line[40];
	int status;

	(void)state;
	put_file("f1", "program p: a");
	for (int depth = 2; depth <= 65; depth++) {
		snprintf(name, sizeof name, "f%d", depth);
		snprintf(line, sizeof line, "include f%d", depth - 1);
		put_file(name, line);
	}
	assert_string_equal(reading("f64", &status), " p@f1:1[a]");
	assert_string_equal(reading("f65", &status), "f2:1:1: error: files are included more than 64 deep\n");
	assert_int_equal(status, EXIT_USAGE);
}

/* A family has the name of the program that all others are variants of, whatever their order. */
static void variants_are_a_family(void **state)
{
	(void)state;
#define A "program a: x"
#define B "\nprogram b: x variant-of=a"
#define C "\nprogram c: x variant-of=b"
#define D "\nprogram d: x variant-of=c"
	assert_manifest(A B, " a/a@m:1[x] b/a@m:2[x]");
	assert_manifest(B "\n" A, " b/a@m:2[x] a/a@m:3[x]");
	assert_manifest(A B C D, " a/a@m:1[x] b/a@m:2[x] c/a@m:3[x] d/a@m:4[x]");
	assert_manifest(D C B "\n" A, " d/a@m:2[x] c/a@m:3[x] b/a@m:4[x] a/a@m:5[x]");
	assert_manifest(C D B "\n" A, " c/a@m:2[x] d/a@m:3[x] b/a@m:4[x] a/a@m:5[x]");
	assert_manifest(A "\nprogram e: x" B "\nprogram f: x variant-of=e\nprogram g: x",
			" a/a@m:1[x] e/e@m:2[x] b/a@m:3[x] f/e@m:4[x] g@m:5[x]");
	assert_manifest(B C "\nprogram a: x variant-of=c", "m:2:1: error: program b is a variant of itself\n");
	assert_manifest("program e: x variant-of=b" B C "\nprogram a: x variant-of=c",
			"m:1:1: error: program e is a variant of itself\n");
	assert_manifest("program e: x variant-of=b" B C, "m:2:1: error: variant-of=a names no program\n");
#undef A
#undef B
#undef C
#undef D
}

/* Lists and blocks of text grow without losing anything. */
static void manifests_may_be_long(void **state)
{
	enum { PROGRAMS = 300 };
	struct manifest m;
	FILE *f = fopen("m", "wb");
	char name[40];

	(void)state;
	assert_non_null(f);
	for (int i = 0; i < PROGRAMS; i++) {
		fprintf(f, "share set=%d\noptions --o%d\nprogram p%d: ", i, i, i);
		for (int k = 0; k <= i % 5; k++)
			fprintf(f, "input%d%0*d ", k, i * 3 + 1, k); /* up to 900 letters */
		fputs("\n", f);
	}
	fprintf(f, "program long: %020000d\n", 7); /* more than a block */
	fclose(f);
	assert_true(msg_begin(&plain));
	assert_int_equal(ws_read_manifest(&m, "m"), EXIT_DONE);
	assert_int_equal(m.program_count, PROGRAMS + 1);
	assert_int_equal(m.share_count, PROGRAMS);
	assert_int_equal(m.options.count, PROGRAMS);
	for (int i = 0; i < PROGRAMS; i++) {
		snprintf(name, sizeof name, "p%d", i);
		assert_string_equal(m.programs[i].name, name);
		assert_int_equal(m.programs[i].inputs.count, i % 5 + 1);
		for (int k = 0; k <= i % 5; k++) {
			const char *input = m.programs[i].inputs.items[k];
			assert_int_equal(strlen(input), 6 + i * 3 + 1);
			assert_int_equal(input[5] - '0', k);
			assert_int_equal(input[strlen(input) - 1] - '0', k);
		}
		snprintf(name, sizeof name, "--o%d", i);
		assert_string_equal(m.options.items[i], name);
		assert_int_equal(m.shares[i].set, i);
	}
	assert_int_equal(strlen(m.programs[PROGRAMS].inputs.items[0]), 20000);
	ws_free_manifest(&m);
}

/* Any failing allocation while a manifest is read is reported once, and everything is freed. */
static void allocations_may_fail_anywhere(void **state)
{
	enum { LONG = 20000 }; /* more than a block */
	FILE *f = fopen("m", "wb");
	bool failed = true;
	long count = 0, refused = 0;

	(void)state;
	assert_non_null(f);
	fprintf(f,
		"share set=0\nshare set=1 programs=a*\nshare set=2\ninclude i\noptions --rules=hlsl --profile=x\n"
		"program a: x y -o z -v --resolver=r -Id variant-of=b\nprogram c: %0*d %0*d %0*d\n",
		LONG, 1, LONG, 2, LONG, 3);
	fclose(f);
	put_file("i", "program b: x\n");
	assert_true(msg_begin(&plain));
	cli_ignore_reads();
	for (; failed; count++) {
		struct manifest m;
		begin_scarcity(count + 1);
		int status = ws_read_manifest(&m, "m");
		failed = end_scarcity();
		ws_free_manifest(&m);
		assert_int_equal(scarce_.out_count, 0);
		assert_memory_said(status);
		refused += status == EXIT_IO;
	}
	cli_forget_reads();
	assert_true(refused > 20 && refused >= count - 3); /* without it, identical files are not detected */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(words_are_separated_and_quoted), TEST(errors_in_lines_are_reported),
	    TEST(shares_are_listed_once),         TEST(outputs_follow_their_inputs),
	    TEST(options_of_the_run_are_refused), TEST(files_are_in_the_folder_of_the_manifest),
	    TEST(nested_includes_have_a_limit),   TEST(variants_are_a_family),
	    TEST(manifests_may_be_long),          TEST(allocations_may_fail_anywhere),
	    TEST(quoted_text_is_truncated),       TEST(texts_are_kept_without_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
