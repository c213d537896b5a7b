/* SPDX-License-Identifier: Apache-2.0 */
/* The jobs of a manifest: which programs, with which options and outputs, and which options the command line may
 * have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/* Jobs */

struct making {
	struct arguments a;
	struct manifest m;
	struct program_list list;
	char *words[20];
	int count, status;
};

static void begin_making(struct making *x, const char *const *words)
{
	*x = (struct making){.count = 0};
	for (; words[x->count]; x->count++)
		x->words[x->count] = strdup(words[x->count]);
	arg_read_arguments(&x->a, x->count, x->words, NULL);
	if (x->a.done)
		print_message("%s", causes());
	assert_int_equal(x->a.done, 0);
	assert_true(msg_begin(&plain));
	assert_int_equal(ws_read_manifest(&x->m, x->a.run.manifest), EXIT_DONE);
}

static void make(struct making *x)
{
	x->status = ws_make_jobs(&x->m, &x->a, x->count, x->words, &x->list);
}

static void end_making(struct making *x)
{
	ws_free_jobs(&x->list);
	ws_free_manifest(&x->m);
	arg_free_arguments(&x->a);
	for (int i = 0; i < x->count; i++)
		free(x->words[i]);
}

/* "NAME[INPUT>OUTPUT|INPUT]", or the message. */
static const char *made(const char *const *words)
{
	struct making x;

	begin_making(&x, words);
	make(&x);
	text[0] = '\0';
	for (size_t i = 0; i < x.list.count && x.status == EXIT_DONE; i++) {
		const struct job *job = &x.list.jobs[i];
		put(i ? " " : "", job->name);
		for (size_t k = 0; k < job->input_count; k++) {
			put(k ? "|" : "[", job->inputs[k]);
			if (job->outputs[k])
				put(">", job->outputs[k]);
		}
		put("]", "");
		assert_ptr_equal(x.list.programs[i]->name, job->name);
	}
	put("", causes());
	end_making(&x);
	return text;
}

#define MADE(...)       made((const char *const[]){"x", "-mm", __VA_ARGS__, NULL})
#define MADE_OF(m, ...) made((const char *const[]){"x", "-m" m, __VA_ARGS__, NULL})
#define MADE_BY(...)    made((const char *const[]){"x", __VA_ARGS__, "-mm", NULL})

/* "." and "a/.." are removed lexically. */
static void paths_are_simplified(void **state)
{
	static const struct {
		const char *path, *wanted;
	} rows[] = {{"a", "a"},
		    {"ab/cd", "ab/cd"},
		    {"./a", "a"},
		    {"a/.", "a"},
		    {"a/./b", "a/b"},
		    {"././a", "a"},
		    {"a//b", "a/b"},
		    {"a/", "a"},
		    {"a///", "a"},
		    {"a/..", ""},
		    {"a/../b", "b"},
		    {"ab/../c", "c"},
		    {"a/b/..", "a"},
		    {"a/b/../c", "a/c"},
		    {"a/bc/../d", "a/d"},
		    {"a/b/../../c", "c"},
		    {"a/b/../../../c", "../c"},
		    {"..", ".."},
		    {"../a", "../a"},
		    {"../a/../b", "../b"},
		    {"../../a", "../../a"},
		    {"../../a/../../b", "../../../b"},
		    {"a/../../b", "../b"},
		    {".a", ".a"},
		    {"..a", "..a"},
		    {"a../b", "a../b"},
		    {"a/.b", "a/.b"},
		    {"...", "..."},
		    {"/", "/"},
		    {"/a", "/a"},
		    {"/ab/c", "/ab/c"},
		    {"//a", "/a"},
		    {"/./a", "/a"},
		    {"/a/../b", "/b"},
		    {"/a/..", "/"},
		    {"/../a", "/../a"}};
	char line[100], wanted[100];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(line, sizeof line, "program p: a -o \"%s\"", rows[i].path);
		snprintf(wanted, sizeof wanted, "p[a>%s]", rows[i].wanted);
		put_file("m", line);
		assert_string_equal(MADE("-v"), wanted);
	}
}

#define NOWHERE(input) "m:1:1: error: " input " is not in the folder of the manifest\n"

static void outputs_go_below_a_folder_or_next_to_the_manifest(void **state)
{
	static const struct {
		const char *words, *inside, *beside; /* with --out-dir=o; without */
	} rows[] = {{"a -o b", "p[a>o/b]", "p[a>b]"},
		    {"a b -o c/d", "p[a>o/a|b>o/c/d]", "m:1:1: error: there is no output for a\n"},
		    {"a -o /b", "p[a>/b]", "p[a>/b]"},
		    {"../a -o b", "p[../a>o/b]", "p[../a>b]"},
		    {"a -o ../b", "p[a>b]", "p[a>../b]"},
		    {"d/./e//a", "p[d/./e//a>o/d/e/a]", NULL},
		    {"d/../a", "p[d/../a>o/a]", NULL},
		    {"../a", NOWHERE("../a"), NULL},
		    {"d/../../a", NOWHERE("d/../../a"), NULL},
		    {"/a", NOWHERE("/a"), NULL},
		    {"..a", "p[..a>o/..a]", NULL},
		    {"t.frag", "p[t.frag>o/t.frag.spv]", NULL},
		    {"d/t.spvasm", "p[d/t.spvasm>o/d/t.spv]", NULL},
		    {"module.frag", "p[module.frag>o/module.frag]", NULL},
		    {"t.frag -o b.x", "p[t.frag>o/b.x]", "p[t.frag>b.x]"}};
	char line[100];

	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	put_file("t.frag", "void main() {}");
	put_file("d/t.spvasm", "");
	put_file("module.frag", "\x03\x02\x23\x07");
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(line, sizeof line, "program p: %s", rows[i].words);
		put_file("m", line);
		assert_string_equal(MADE("--out-dir=o"), rows[i].inside);
		if (rows[i].beside)
			assert_string_equal(MADE("-v"), rows[i].beside);
	}
	put_file("m", "program p: a b -o c");
	assert_string_equal(MADE("--out-dir=o/"), "p[a>o/a|b>o/c]");
	assert_string_equal(MADE("--out-dir=/o"), "p[a>/o/a|b>/o/c]");
	assert_string_equal(MADE_BY("pass", "unsize-arrays", "--out-dir=o"), "p[a>o/a|b>o/c]");
	assert_string_equal(MADE_BY("check"), "p[a|b]");
	assert_string_equal(MADE_BY("lint"), "p[a|b]");
	assert_string_equal(MADE_BY("layout"), "p[a|b]");
	assert_string_equal(MADE_BY("explain"), "p[a|b]");
	assert_string_equal(MADE_BY("collect", "-of"), "p[a|b]");
	assert_string_equal(MADE_BY("decide", "f"), "p[a|b]");
	assert_string_equal(MADE_BY("lock", "check", "--lock=l"), "p[a|b]");
	assert_string_equal(MADE_BY("lock", "update", "--lock=l"), "p[a|b]");
	assert_string_equal(MADE_BY("lock", "part", "-of", "--lock=l"), "p[a|b]");
}

static void modules_of_a_folder_go_below_another(void **state)
{
	static const struct {
		const char *words, *wanted;
	} rows[] = {{"a", "p[d/a>o/a]"},
		    {"e/a", "p[d/e/a>o/e/a]"},
		    {"../d/a", "p[d/../d/a>o/a]"},
		    {"a -o b", "p[d/a>o/b]"},
		    {"../a", "d/m:1:1: error: d/../a is not in the folder of the manifest\n"},
		    {"../de/a", "d/m:1:1: error: d/../de/a is not in the folder of the manifest\n"},
		    {"../e/a", "d/m:1:1: error: d/../e/a is not in the folder of the manifest\n"}};
	char line[100];

	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(line, sizeof line, "program p: %s", rows[i].words);
		put_file("d/m", line);
		assert_string_equal(MADE_OF("d/m", "--out-dir=o"), rows[i].wanted);
	}
	put_file("d/m", "program p: a -o b");
	assert_string_equal(MADE_OF("d/m", "-v"), "p[d/a>d/b]");
	assert_string_equal(MADE_OF("./d/../d/m", "--out-dir=o"), "p[./d/../d/a>o/b]");
	put_file("d/m", "program p: a");
	assert_string_equal(MADE_OF("./d/../d/m", "--out-dir=o"), "p[./d/../d/a>o/a]");
	put_file("m", "program p: a");
	assert_string_equal(MADE_OF("./m", "--out-dir=o"), "p[./a>o/a]");
	assert_int_equal(symlink("../said", "d/said") | chdir("d"), 0);
	assert_string_equal(MADE_OF("../m", "--out-dir=o"), "p[../a>o/a]");
	put_file("../m", "program p: ../a");
	assert_string_equal(MADE_OF("../m", "--out-dir=o"),
			    "../m:1:1: error: ../../a is not in the folder of the manifest\n");
	assert_int_equal(chdir(".."), 0);
}

/* Two programs may write the same file only if it is the same module: the same input, with the same options, in one
 * family. */
static void a_file_belongs_to_one_program(void **state)
{
	static const struct {
		const char *lines, *wanted;
	} rows[] =
	    {{"program p: a\nprogram q: b", "p[a>o/a] q[b>o/b]"},
	     {"program p: a\nprogram q: a variant-of=p", "p[a>o/a] q[a]"},
	     {"program q: a variant-of=p\nprogram p: a", "q[a>o/a] p[a]"},
	     {"program p: a\nprogram q: a variant-of=p\nprogram r: b a variant-of=q", "p[a>o/a] q[a] r[b>o/b|a]"},
	     {"program p: a --rules=hlsl\nprogram q: a variant-of=p --rules=hlsl", "p[a>o/a] q[a]"},
	     {"program q: c -o a variant-of=p\nprogram p: c -o a", "q[c>o/a] p[c]"},
	     {"program p: a\nprogram q: a", "m:2:1: error: programs p and q would both write o/a"},
	     {"program p: a -o c\nprogram q: b -o c variant-of=p",
	      "m:2:1: error: programs p and q would both write o/c"},
	     {"program p: a -v\nprogram q: a variant-of=p", "m:2:1: error: programs p and q would both write o/a"},
	     {"program p: a --rules=hlsl\nprogram q: a variant-of=p --rules=slang",
	      "m:2:1: error: programs p and q would both write o/a"},
	     {"program p: a -v --rules=hlsl\nprogram q: a variant-of=p -v --rules=slang",
	      "m:2:1: error: programs p and q would both write o/a"},
	     {"program p: a\nprogram q: a variant-of=p\nprogram r: a",
	      "m:3:1: error: programs p and r would both write o/a"},
	     {"program s: b\nprogram p: a\nprogram q: b -o a", "m:3:1: error: programs p and q would both write o/a"},
	     {"program p: a\nprogram q: b\nprogram r: b", "m:3:1: error: programs q and r would both write o/b"},
	     {"program p: a b -o a", "m:1:1: error: programs p and p would both write o/a"}},
	  layouts[] = {{"options --layout-header=h/%\nprogram p: a\nprogram q: b", "p[a>o/a] q[b>o/b]"},
		       {"program p: a --layout-header=a.h\nprogram q: b --layout-glsl=b.h", "p[a>o/a] q[b>o/b]"},
		       {"options --layout-header=h\nprogram p: a\nprogram q: b",
			"m:3:1: error: programs p and q would both write o/h"},
		       {"options --layout-json=%.j\nprogram a/p: a\nprogram b/p: b",
			"m:3:1: error: programs a/p and b/p would both write o/p.j"},
		       {"program p: a --layout-json=a", "m:1:1: error: programs p and p would both write o/a"}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *refused = strchr(rows[i].wanted, '[') ? "" : "\n";
		char wanted[300];
		put_file("m", rows[i].lines);
		snprintf(wanted, sizeof wanted, "%s%s", rows[i].wanted, refused);
		assert_string_equal(MADE("--out-dir=o"), wanted);
	}
	for (size_t i = 0; i < COUNT(layouts); i++) {
		char wanted[300];
		put_file("m", layouts[i].lines);
		snprintf(wanted, sizeof wanted, "%s%s", layouts[i].wanted, strchr(layouts[i].wanted, '[') ? "" : "\n");
		assert_string_equal(MADE("--out-dir=o"), wanted);
	}
	put_file("m", "program p: a\nprogram q: a b -o c");
	assert_string_equal(MADE("--out-dir=o/%"), "p[a>o/p/a] q[a>o/q/a|b>o/q/c]");
}

/* Each file of the run against all others. */
static void files_of_the_run_have_one_use(void **state)
{
	enum { FILES = 7 };
	static const char *const others[] = {"m", "i", "a", "b", "o/out", "o/a", "collected", "z"};

	(void)state;
	assert_int_equal(mkdir("o", 0700), 0);
	put_file("m", "program z: z\ninclude i\nprogram p: a b -o out");
	put_file("i", "program q: a variant-of=p");
	for (size_t i = 0; i < FILES; i++) {
		for (size_t k = 0; k < COUNT(others) + FILES + 1; k++) {
			struct making x;
			char path[20], wanted[100];
			begin_making(&x, (const char *const[]){"x", "-mm", "--out-dir=o", NULL});
			const char **files[FILES] = {&x.a.program.lock.file,
						     &x.a.program.layout.files[LAYOUT_JSON],
						     &x.a.program.layout.files[LAYOUT_REPORT],
						     &x.a.program.modules.first,
						     &x.a.run.depfile,
						     &x.a.run.stamp,
						     &x.a.messages.diagnostics_file};
			const char *inputs[] = {"collected", "f"}; /* one of them is an input */
			const char **own = x.a.program.inputs;
			x.a.program.inputs = inputs;
			x.a.program.input_count = 1;
			bool with_file = k >= COUNT(others) && k < COUNT(others) + FILES;
			bool taken = k < COUNT(others) || (with_file && k - COUNT(others) != i);
			snprintf(path, sizeof path, "./%s", k < COUNT(others) ? others[k] : "f");
			if (with_file)
				*files[k - COUNT(others)] = "f";
			*files[i] = path;
			make(&x);
			assert_int_equal(x.status, taken ? EXIT_USAGE : EXIT_DONE);
			snprintf(wanted, sizeof wanted, "spirv-bind: error: the file %s has another use in this run\n",
				 with_file && k - COUNT(others) > i ? "f" : path);
			assert_string_equal(causes(), taken ? wanted : "");
			x.a.program.inputs = own;
			x.a.program.input_count = 0;
			end_making(&x);
		}
	}
}

/* Options of the command line, of all programs, and of one; those of the whole run do not belong to a program. */
static void options_of_programs_follow_those_of_the_run(void **state)
{
	struct making x;

	(void)state;
	put_file("m", "options --rules=hlsl --layout-json=%.json --heap-set=5\nprogram p: a\nprogram q: b "
		      "--heap-set=6\nprogram r: c\nprogram s: d --rules=slang --layout-glsl=/%.glsl");
	begin_making(&x, (const char *const[]){"x", "-mm", "--out-dir=o", "--heap-set=4", "--rebind=all", "--lock=l",
					       "--update-lock", "--layout-json=run.json", "--against=older", NULL});
	make(&x);
	assert_int_equal(x.status, EXIT_DONE);
	assert_int_equal(x.list.argument_count, 3);
	const struct program_options *p = x.list.jobs[0].options, *q = x.list.jobs[1].options,
				     *s = x.list.jobs[3].options;
	assert_ptr_equal(x.list.jobs[2].options, p); /* without their own options */
	assert_ptr_not_equal(q, p);
	assert_int_equal(p->library.heaps.set, 5);
	assert_int_equal(q->library.heaps.set, 6);
	for (size_t i = 0; i < 4; i++) {
		const struct program_options *a = x.list.jobs[i].options;
		assert_int_equal(a->library.layout.rebind, SPB_REBIND_ALL);
		assert_int_equal(a->library.layout.rules, i == 3 ? SPB_RULES_SLANG : SPB_RULES_HLSL);
		assert_true(!a->lock.file && !a->layout.against && !a->modules.folder && !a->input_count &&
			    !a->lock.locked);
		assert_true(!a->library.layout.update_lock);
		assert_int_equal(a->verb, VERB_BIND);
		assert_int_equal(a->library.validation.which, SPB_VALIDATE_OUTPUT);
		assert_string_equal(a->layout.files[LAYOUT_JSON], "o/%.json");
		assert_true(!a->layout.files[LAYOUT_REPORT]);
	}
	assert_string_equal(s->layout.files[LAYOUT_GLSL], "/%.glsl");
	assert_null(q->layout.files[LAYOUT_GLSL]);
	end_making(&x);
	begin_making(&x, (const char *const[]){"x", "check", "-mm", NULL});
	make(&x);
	assert_int_equal(x.status, EXIT_DONE);
	p = x.list.jobs[0].options;
	assert_int_equal(p->verb, VERB_CHECK);
	assert_int_equal(p->library.mode, SPB_MODE_CHECK);
	assert_int_equal(p->library.validation.which, SPB_VALIDATE_STRICT);
	assert_null(p->layout.files[LAYOUT_JSON]); /* for verbs that write one */
	end_making(&x);
	begin_making(&x, (const char *const[]){"x", "check", "-mm", "--validate=none", NULL});
	make(&x);
	assert_int_equal(x.list.jobs[0].options->library.validation.which, SPB_VALIDATE_NONE);
	end_making(&x);
	assert_int_equal(mkdir("d", 0700), 0);
	put_file("d/m", "program p: a --layout-json=b/%.json");
	begin_making(&x, (const char *const[]){"x", "layout", "-md/m", NULL});
	make(&x);
	assert_string_equal(x.list.jobs[0].options->layout.files[LAYOUT_JSON], "d/b/%.json");
	end_making(&x);
	put_file("m", "options --lint=all\nprogram p: a --name=%"); /* for other verbs */
	assert_string_equal(MADE("--out-dir=o"), "p[a>o/a]");
	assert_string_equal(MADE_BY("explain"), "p[a]");
	assert_string_equal(MADE_BY("lint"), "p[a]");
	put_file("m", "program p: a\n\nprogram q: b --rules=x");
	assert_string_equal(MADE("--out-dir=o"), "m:3:1: error: --rules: expected slang or hlsl; got \"x\"\n");
	put_file("m", "options --rules=x\nprogram p: a");
	assert_string_equal(MADE("--out-dir=o"), "m:1:1: error: --rules: expected slang or hlsl; got \"x\"\n");
}

/* The programs of a part of the manifest (FNV-1a, computed elsewhere), and those of a pattern. */
static void programs_are_chosen_by_part_and_pattern(void **state)
{
	static const struct {
		const char *option, *more, *wanted;
	} rows[] = {{"--programs=*", NULL, "a[x] sky[x] lit.a[x] lit.b[x]"},
		    {"--programs=lit.*", NULL, "lit.a[x] lit.b[x]"},
		    {"--programs=?", NULL, "a[x]"},
		    {"--programs=none", NULL, ""},
		    {"--shard=1/1", NULL, "a[x] sky[x] lit.a[x] lit.b[x]"},
		    {"--shard=1/2", NULL, "sky[x] lit.a[x] lit.b[x]"},
		    {"--shard=2/2", NULL, "a[x]"},
		    {"--shard=1/3", NULL, "lit.a[x]"},
		    {"--shard=2/3", NULL, "lit.b[x]"},
		    {"--shard=3/3", NULL, "a[x] sky[x]"},
		    {"--shard=1/2", "--programs=lit.*", "lit.a[x] lit.b[x]"}};

	(void)state;
	put_file("m", "program a: x\nprogram sky: x\nprogram lit.a: x\nprogram lit.b: x");
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(made((const char *const[]){"x", "lint", "-mm", rows[i].option, rows[i].more, NULL}),
				    rows[i].wanted);
}

/* The command line of a manifest */

#define REFUSED(...) refused((const char *const[]){"x", __VA_ARGS__, NULL})

static void parts_are_numbers_up_to_a_million(void **state)
{
	static const struct {
		const char *value;
		unsigned shard, shards; /* 0: refused */
	} rows[] = {{"1/1", 1, 1},
		    {"1/2", 1, 2},
		    {"2/2", 2, 2},
		    {"01/2", 1, 2},
		    {"1/02", 1, 2},
		    {"9/9", 9, 9},
		    {"1/1000000", 1, 1000000},
		    {"1000000/1000000", 1000000, 1000000},
		    {"1/1000001", 0, 0},
		    {"2/1", 0, 0},
		    {"0/1", 0, 0},
		    {"1/0", 0, 0},
		    {"0/0", 0, 0},
		    {"1", 0, 0},
		    {"1/", 0, 0},
		    {"/1", 0, 0},
		    {"1/1x", 0, 0},
		    {"1x/1", 0, 0},
		    {"1/x", 0, 0},
		    {"x/1", 0, 0},
		    {"1/1/1", 0, 0},
		    {"+1/1", 0, 0},
		    {" 1/1", 0, 0},
		    {"1/+1", 0, 0},
		    {"1/ 1", 0, 0},
		    {":/1", 0, 0},
		    {"1/:", 0, 0},
		    {"-1/1", 0, 0},
		    {"1/-1", 0, 0},
		    {"1:1", 0, 0}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char option[40], wanted[200];
		snprintf(option, sizeof option, "--shard=%s", rows[i].value);
		char *argv[] = {(char[]){"x"}, (char[]){"-mm"}, option, NULL};
		struct arguments a;
		arg_read_arguments(&a, 3, argv, NULL);
		assert_int_equal(!a.done, rows[i].shards != 0);
		assert_int_equal(a.run.shard, rows[i].shard);
		assert_int_equal(a.run.shards, rows[i].shards);
		snprintf(
		    wanted, sizeof wanted,
		    "spirv-bind: error: --shard: expected K/N, the number of a part and how many there are, as in 2/8; "
		    "got \"%s\"\n",
		    rows[i].value);
		assert_string_equal(causes(), rows[i].shards ? "" : wanted);
		arg_free_arguments(&a);
	}
}

/* What excludes what, with a manifest; and merging locks. */
static void verbs_take_a_manifest_in_place_of_inputs(void **state)
{
	static const char need_lock[] = "--locked and --update-lock are about a lock file",
			  no_inputs[] = "-o, --import and --each are not for manifests, which list inputs and outputs",
			  all_programs[] = "--against is about the sets that all programs of a manifest share",
			  pattern[] = "each program has its own layout, but --layout-glsl names one file",
			  three[] = "lock merge takes three files";
	static const struct {
		const char *words[7], *wanted; /* "": accepted */
	} rows[] = {{{"-mm", "--out-dir=o"}, ""},
		    {{"check", "-mm"}, ""},
		    {{"lint", "-mm"}, ""},
		    {{"layout", "-mm"}, ""},
		    {{"explain", "-mm", "--name=a"}, ""},
		    {{"lock", "check", "-mm", "--lock=l"}, ""},
		    {{"lock", "update", "-mm", "--lock=l"}, ""},
		    {{"lock", "part", "-mm", "--lock=l", "-op"}, ""},
		    {{"collect", "-mm", "-of"}, ""},
		    {{"decide", "-mm", "f"}, ""},
		    {{"decide", "-mm", "f", "--lock=l", "--locked"}, ""},
		    {{"pass", "unsize-arrays", "-mm", "--out-dir=o"}, ""},
		    {{"-mm", "-v"}, ""},
		    {{"-mm", "a.spv"}, "the manifest lists the inputs, so a.spv has no place here"},
		    {{"check", "-mm", "a.spv"}, "the manifest lists the inputs, so a.spv has no place here"},
		    {{"decide", "-mm"}, "decide has no input"},
		    {{"collect", "-mm"}, "collect writes one file"},
		    {{"lock", "part", "-mm", "--lock=l"}, "lock part writes one file"},
		    {{"lock", "part", "-mm", "-op"}, "lock part has no lock file"},
		    {{"lock", "check", "-mm"}, "lock check has no lock file"},
		    {{"lock", "update", "-mm"}, "lock update has no lock file"},
		    {{"-mm", "-o", "a"}, no_inputs},
		    {{"-mm", "--import=a"}, no_inputs},
		    {{"-mm", "--each"}, no_inputs},
		    {{"-mm", "--each=stem"}, no_inputs},
		    {{"-mm", "--locked"}, need_lock},
		    {{"-mm", "--update-lock"}, need_lock},
		    {{"-mm", "--locked", "--lock=l"}, ""},
		    {{"-mm", "--update-lock", "--lock=l"}, ""},
		    {{"-mm", "--locked", "--update-lock", "--lock=l"}, "--locked and --update-lock exclude each other"},
		    {{"decide", "-mm", "f", "--shard=1/2"}, "decide takes no --shard"},
		    {{"decide", "-mm", "f", "--programs=a"}, ""},
		    {{"check", "-mm", "--against=j", "--shard=1/2"}, all_programs},
		    {{"check", "-mm", "--against=j", "--programs=a"}, all_programs},
		    {{"check", "-mm", "--against=j"}, ""},
		    {{"layout", "-mm", "--layout-json"}, ""},
		    {{"-mm", "--layout-json=-"}, ""},
		    {{"-mm", "--layout-header=h"}, ""},
		    {{"-mm", "--layout-glsl=h"}, pattern},
		    {{"-mm", "--layout-header=%", "--layout-glsl=%.glsl"}, ""},
		    {{"layout", "-mm", "--layout-glsl"}, pattern},
		    {{"collect", "-mm", "-of", "--lock=l"}, ""},
		    {{"collect", "-mm", "-of", "--layout-json=j"}, "collect takes no --layout-json"},
		    {{"-mm", "--lock=-"}, "--lock takes neither stdin nor stdout"},
		    {{"-mm", "--depfile=d"}, "no file is made that the rule of --depfile could name"},
		    {{"-mm", "--depfile=-", "--stamp=s"}, "--depfile does not take stdout"},
		    {{"-mm", "--depfile=d", "--stamp=s"}, ""},
		    {{"lock", "merge", "a", "b", "c"}, ""},
		    {{"lock", "merge", "a", "b"}, three},
		    {{"lock", "merge", "a", "b", "c", "d"}, three},
		    {{"lock", "merge", "a", "b", "c", "-mm"}, "lock merge takes no -m"}};
	char wanted[200];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *const *w = rows[i].words;
		snprintf(wanted, sizeof wanted, "%s%s", rows[i].wanted, *rows[i].wanted ? "\n" : "");
		assert_string_equal(REFUSED(w[0], w[1], w[2], w[3], w[4], w[5], w[6]), wanted);
	}
}

/* Folders */

static int folders_made; /* calls of the system */

bool __real_os_make_folder(int folder, const char *name, mode_t mode);
bool __wrap_os_make_folder(int folder, const char *name, mode_t mode);
bool __wrap_os_make_folder(int where, const char *name, mode_t mode)
{
	folders_made++;
	return __real_os_make_folder(where, name, mode);
}

static void assert_folder(const char *path, bool there)
{
	struct stat st;

	assert_int_equal(!stat(path, &st) && S_ISDIR(st.st_mode), there);
}

static void folders_are_made_for_outputs(void **state)
{
	struct making x;

	(void)state;
	umask(022);
	put_file("m", "program p: a -o b/c/a b -o b/c/b c -o d/c e -o e\nprogram q: f -o b/f --layout-json=j/k/%.json "
		      "--layout-header=h/%.h\nprogram r: g -o r/s/t/g\nprogram s: g -o u/g\nprogram t: g -o r/s/t/g "
		      "variant-of=r");
	begin_making(&x, (const char *const[]){"x", "-mm", "--out-dir=o", NULL});
	make(&x);
	assert_int_equal(x.status, EXIT_DONE);
	assert_int_equal(ws_make_folders(&x.list), EXIT_DONE);
	struct stat st;
	assert_true(!stat("o", &st) && (st.st_mode & 07777) == 0755);
	assert_true(!stat("o/b", &st) && (st.st_mode & 07777) == 0755);
	assert_folder("o/b/c", true);
	assert_folder("o/d", true);
	assert_folder("o/j/k", true);
	assert_folder("o/h", true);
	assert_folder("o/r/s/t", true);
	assert_folder("o/e", false);
	assert_folder("o/r/s/t/g", false);
	assert_int_equal(ws_make_folders(&x.list), EXIT_DONE); /* which exist */
	assert_int_equal(rmdir("o/r/s/t") | rmdir("o/r/s") | rmdir("o/r") | rmdir("o/u"), 0);
	put_file("o/r", "");
	assert_int_equal(ws_make_folders(&x.list), EXIT_IO);
	assert_string_equal(causes(), "m:3:1: error: cannot create the directory o/r/s: Not a directory\n");
	assert_folder("o/u", false); /* later ones are not created */
	end_making(&x);
	put_file("m", "program p: a -o b/c b -o b/d c -o e/f d -o g/h/i");
	char option[sizeof folder + 20];
	snprintf(option, sizeof option, "--out-dir=%s/new", folder);
	begin_making(&x, (const char *const[]){"x", "-mm", option, NULL});
	make(&x);
	int parts = 0;
	for (const char *at = folder; *at; at++)
		parts += *at == '/';
	folders_made = 0;
	assert_int_equal(ws_make_folders(&x.list), EXIT_DONE);
	assert_int_equal(folders_made, 3 * (parts + 1) + 4); /* `b` and `e`, and `g` with what is in it */
	assert_folder("new/b", true);
	assert_folder("new/e", true);
	assert_folder("new/g/h", true);
	end_making(&x);
}

/* Any failing allocation while jobs are made is reported once, and everything is freed. */
static void allocations_may_fail_anywhere(void **state)
{
	struct making x;
	bool failed = true;
	long count = 0, refused = 0;

	(void)state;
	put_file("m", "options --policy=\"place name=a -> set=1\" --layout-json=%.json\nprogram p: s/a.vert b -o c\n"
		      "program q: d --rules=hlsl\nprogram r: e variant-of=p\nprogram t: e variant-of=p");
	cli_ignore_reads();
	for (; failed; count++) {
		begin_making(&x, (const char *const[]){"x", "-mm", "--out-dir=o/p", NULL});
		begin_scarcity(count + 1);
		make(&x);
		if (x.status == EXIT_DONE)
			x.status = ws_make_folders(&x.list);
		ws_free_jobs(&x.list);
		failed = end_scarcity();
		assert_int_equal(scarce_.out_count, 0);
		assert_memory_said(x.status);
		refused += x.status == EXIT_IO;
		x.list = (struct program_list){0};
		end_making(&x);
	}
	cli_forget_reads();
	assert_true(refused > 30 && refused >= count - 3);
	begin_making(&x, (const char *const[]){"x", "check", "-mm", "--programs=none", NULL});
	begin_scarcity(0);
	make(&x);
	assert_int_equal(x.status, EXIT_DONE); /* there is nothing to do */
	assert_int_equal(ws_prepare_jobs(&x.a, NULL, &x.list), EXIT_DONE);
	cli_forget_sources();
	ws_free_jobs(&x.list);
	end_scarcity();
	assert_int_equal(scarce_.out_count, 0);
	x.list = (struct program_list){0};
	end_making(&x);
}

/* Guards */

static bool cannot_lock;

bool __real_os_lock(int fd);
bool __wrap_os_lock(int fd);
bool __wrap_os_lock(int fd)
{
	errno = ENOLCK;
	return !cannot_lock && __real_os_lock(fd);
}

static void a_guard_file_protects_the_lock_file(void **state)
{
	static const struct {
		const char *lock, *guard;
	} rows[] = {{"l", ".l.guard"}, {"d/l.lock", "d/.l.lock.guard"}, {"./l", "./.l.guard"}};
	char name[260], wanted[300];
	struct guard g;
	struct stat st;

	(void)state;
	umask(022);
	assert_int_equal(mkdir("d", 0700), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (int left = 0; left < 2; left++) { /* by a killed run */
			if (left)
				put_file(rows[i].guard, "");
			assert_true(ws_take_guard(&g, rows[i].lock));
			assert_string_equal(g.path, rows[i].guard);
			assert_int_equal(stat(rows[i].guard, &st), 0);
			assert_int_equal(st.st_mode & 07777, 0644);
			ws_release_guard(&g);
			assert_true(!g.path && stat(rows[i].guard, &st));
		}
	}
	memset(name, 'n', sizeof name);
	name[200] = '\0';
	snprintf(wanted, sizeof wanted, ".%s.guard", name);
	for (int more = 0; more < 2; more++) { /* a longer name is truncated */
		name[200] = more ? 'n' : '\0';
		name[201] = '\0';
		assert_true(ws_take_guard(&g, name));
		assert_string_equal(g.path, wanted);
		ws_release_guard(&g);
	}
	ws_release_guard(&g); /* again: no effect */
	assert_int_equal(symlink("x", ".m.guard"), 0);
	assert_false(ws_take_guard(&g, "m"));
	assert_string_equal(causes(), "spirv-bind: error: cannot lock .m.guard: Too many levels of symbolic links\n");
	ws_release_guard(&g);
	assert_int_equal(lstat(".m.guard", &st), 0); /* which was not ours */
	assert_false(ws_take_guard(&g, "none/l"));
	assert_string_equal(causes(), "spirv-bind: error: cannot lock none/.l.guard: No such file or directory\n");
	ws_release_guard(&g);
	int next = dup(STDIN_FILENO);
	close(next);
	cannot_lock = true;
	assert_false(ws_take_guard(&g, "l"));
	assert_string_equal(causes(), "spirv-bind: error: cannot lock .l.guard: No locks available\n");
	cannot_lock = false;
	int stdin_before = dup(STDIN_FILENO);
	assert_int_equal(stdin_before, next); /* nothing stays open */
	close(STDIN_FILENO);
	assert_true(ws_take_guard(&g, "l")); /* with descriptor 0 */
	assert_int_equal(g.fd, 0);
	ws_release_guard(&g);
	assert_int_equal(dup2(stdin_before, STDIN_FILENO), STDIN_FILENO);
	close(stdin_before);
	assert_int_not_equal(stat(".l.guard", &st), 0);
	begin_scarcity(1);
	assert_false(ws_take_guard(&g, "l"));
	assert_true(end_scarcity());
	assert_memory_said(EXIT_IO);
	ws_release_guard(&g);
}

/* In another process: takes the guard, and reports before and after. */
static void take_elsewhere(void)
{
	struct guard g;
	int before = dup(STDIN_FILENO);

	close(before);
	put_file("begun", "");
	if (ws_take_guard(&g, "l"))
		put_file("taken", "");
	ws_release_guard(&g);
	_exit(dup(STDIN_FILENO) == before ? 0 : 1); /* nothing stays open */
}

static void one_process_has_the_guard(void **state)
{
	struct guard g;
	int status;

	(void)state;
	assert_true(ws_take_guard(&g, "l"));
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child)
		take_elsewhere();
	while (!os_is_there("begun"))
		os_pause(1);
	os_pause(20);
	assert_false(os_is_there("taken"));
	ws_release_guard(&g); /* the other one notices that its file has been removed, and takes a new one */
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(os_is_there("taken"));
	assert_false(os_is_there(".l.guard"));
	assert_string_equal(said(), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(paths_are_simplified),
	    TEST(outputs_go_below_a_folder_or_next_to_the_manifest),
	    TEST(modules_of_a_folder_go_below_another),
	    TEST(a_file_belongs_to_one_program),
	    TEST(files_of_the_run_have_one_use),
	    TEST(options_of_programs_follow_those_of_the_run),
	    TEST(programs_are_chosen_by_part_and_pattern),
	    TEST(parts_are_numbers_up_to_a_million),
	    TEST(verbs_take_a_manifest_in_place_of_inputs),
	    TEST(folders_are_made_for_outputs),
	    TEST(allocations_may_fail_anywhere),
	    TEST(a_guard_file_protects_the_lock_file),
	    TEST(one_process_has_the_guard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
