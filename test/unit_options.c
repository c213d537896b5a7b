/* SPDX-License-Identifier: Apache-2.0 */
/* Options that exclude each other, need each other, or would write to a file that something else has: each with its
 * message, and beside it what is accepted. */
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

#include "in_folder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define RESULT(print) "{\"partialFingerprints\":{\"" SARIF_FINGERPRINT "\":\"" print "\"}}"

struct row {
	const char *words[7], *wanted; /* "": accepted */
};

static void assert_rows(const struct row *rows, size_t count)
{
	char wanted[300];

	for (size_t i = 0; i < count; i++) {
		const char *const *w = rows[i].words;
		snprintf(wanted, sizeof wanted, "%s%s", rows[i].wanted, *rows[i].wanted ? "\n" : "");
		const char *said = refused((const char *const[]){"x", w[0], w[1], w[2], w[3], w[4], w[5], w[6], NULL});
		if (strcmp(said, wanted) != 0)
			print_message("row %zu, %s %s\n", i, w[0], w[1] ? w[1] : "");
		assert_string_equal(said, wanted);
	}
}

#define D "--dry-run"

static void modes_exclude_each_other(void **state)
{
	static const char none[] = "no output: give -o FILE or --out-dir=DIR, or --check or --dry-run",
			  modes[] = "-o, --out-dir and --check exclude each other, and so do --check and --dry-run",
			  single[] = "-o takes a single input; give one for each, or --out-dir",
			  several[] = "several -o: there has to be one for each input, in the same order",
			  doctor_modes[] = "--doctor writes nothing and excludes -o, --out-dir and --check",
			  doctor[] = "--doctor binds and writes nothing; remove the options that write or print a "
				     "result",
			  lint[] = "--nonuniform=lint binds and writes nothing; remove the options that write or print "
				   "a result";
	static const struct row rows[] = {
	    {{"a"}, none},
	    {{"a", "-o", "o"}, ""},
	    {{"a", "--out-dir=d"}, ""},
	    {{"a", "--check"}, ""},
	    {{"a", D}, ""},
	    {{"a", "-o", "o", D}, ""},
	    {{"a", "--out-dir=d", D}, ""},
	    {{"a", "--doctor"}, ""},
	    {{"a", "--doctor", D}, ""},
	    {{"a", "--nonuniform=lint"}, ""},
	    {{"a", "-o", "o", "--out-dir=d"}, modes},
	    {{"a", "-o", "o", "--check"}, modes},
	    {{"a", "--out-dir=d", "--check"}, modes},
	    {{"a", "-o", "o", "--out-dir=d", "--check"}, modes},
	    {{"a", "--check", D}, modes},
	    {{"a", "b", "-o", "o"}, single},
	    {{"a", "-o", "o", "-o", "p"}, several},
	    {{"a", "b", "c", "-o", "o", "-o", "p"}, several},
	    {{"a", "b", "-o", "o", "-o", "p"}, ""},
	    {{"a", "--import=b", "-o", "o"}, single},
	    {{"a", "--import=b", "-o", "o", "-o", "p"}, ""},
	    {{"a", "--doctor", "-o", "o"}, doctor_modes},
	    {{"a", "--doctor", "--out-dir=d"}, doctor_modes},
	    {{"a", "--doctor", "--check"}, doctor_modes},
	    {{"a", "--doctor", "--layout-json=l"}, doctor},
	    {{"a", "--doctor", "--print-layout"}, doctor},
	    {{"a", "--doctor", "--diff"}, doctor},
	    {{"a", "--doctor", "--explain=x"}, doctor},
	    {{"a", "--doctor", "--check-compatible=l"}, doctor},
	    {{"a", "--doctor", "--lock=l", "--update-lock"}, doctor},
	    {{"a", "--doctor", "--lock=l"}, ""},
	    {{"a", "--nonuniform=lint", "-o", "o"}, lint},
	    {{"a", "--nonuniform=lint", "--out-dir=d"}, lint},
	    {{"a", "--nonuniform=lint", "--check"}, lint},
	    {{"a", "--nonuniform=lint", "--doctor"}, lint},
	    {{"a", "--nonuniform=lint", "--lock=l"}, lint},
	    {{"a", "--nonuniform=lint", "--layout-header=l"}, lint},
	    {{"a", "--nonuniform=lint", "--print-layout"}, lint},
	    {{"a", "--nonuniform=lint", "--diff"}, lint},
	    {{"a", "--nonuniform=lint", "--explain"}, lint},
	    {{"a", "--nonuniform=lint", "--check-compatible=l"}, lint},
	    {{"a", D, "--programs=p"},
	     "--programs, --shard, --collect, --merge-collected and --part-lock are about the "
	     "programs of --manifest=FILE"},
	    {{"a", D, "--shard=1/2"},
	     "--programs, --shard, --collect, --merge-collected and --part-lock are about the "
	     "programs of --manifest=FILE"},
	    {{"a", D, "--collect=f"},
	     "--programs, --shard, --collect, --merge-collected and --part-lock are about the "
	     "programs of --manifest=FILE"},
	    {{"a", D, "--merge-collected"},
	     "--programs, --shard, --collect, --merge-collected and --part-lock are "
	     "about the programs of --manifest=FILE"},
	    {{"a", D, "--part-lock=f"},
	     "--programs, --shard, --collect, --merge-collected and --part-lock are about "
	     "the programs of --manifest=FILE"}};

	(void)state;
	assert_rows(rows, COUNT(rows));
}

static void the_standard_streams_take_one_thing(void **state)
{
	static const char module[] = "the module goes to stdout, so the layout cannot be printed there; use -o FILE",
			  forms[] = "only one form of the layout can go to stdout",
			  dump[] = "stdout is taken by the dump of --dump-after; give -o FILE or --out-dir=DIR",
			  beside[] = "--dump-after writes beside the outputs; give -o FILE or --out-dir=DIR";
	static const struct row rows[] = {
	    {{"a", "-o", "-"}, ""},
	    {{"a", "-o-"}, ""},
	    {{"a", "-o-", "--diff"}, module},
	    {{"a", "-o", "-", "--print-layout"}, module},
	    {{"a", "-o", "-", "--diff"}, module},
	    {{"a", "-o", "-", "--explain=x"}, module},
	    {{"a", "-o", "-", "--explain"}, ""}, /* for the layout JSON, if there is one */
	    {{"a", "-o", "-", "--check-compatible=l"}, module},
	    {{"a", "-o", "-", "--layout-json=-"}, module},
	    {{"a", "-o", "-", "--layout-json=l"}, ""},
	    {{"a", D, "--layout-json=-"}, ""},
	    {{"a", D, "--layout-json=-", "--print-layout"},
	     "--layout-json=- and a printed report cannot both go to "
	     "stdout"},
	    {{"a", D, "--layout-header=-", "--diff"},
	     "--layout-header=- and a printed report cannot both go to stdout"},
	    {{"a", D, "--layout-glsl=-", "--explain=x"},
	     "--layout-glsl=- and a printed report cannot both go to "
	     "stdout"},
	    {{"a", D, "--report=-", "--check-compatible=l"},
	     "--report=- and a printed report cannot both go to "
	     "stdout"},
	    {{"a", "--doctor", "--layout-json=-"},
	     "--doctor binds and writes nothing; remove the options that write "
	     "or print a result"},
	    {{"a", D, "--layout-json=-", "--layout-header=-"}, forms},
	    {{"a", D, "--layout-json=-", "--explain"}, ""},
	    {{"a", D, "--dump-after=unsize-arrays"}, ""},
	    {{"a", "--check", "--dump-after=unsize-arrays"}, ""},
	    {{"a", "-o", "o", "--dump-after=unsize-arrays", "--print-layout"}, ""},
	    {{"a", "--out-dir=d", "--dump-after=unsize-arrays", "--layout-json=-"}, ""},
	    {{"a", D, "--dump-after=unsize-arrays", "--print-layout"}, dump},
	    {{"a", D, "--dump-after=unsize-arrays", "--layout-json=-"}, dump},
	    {{"a", "b", D, "--dump-after=unsize-arrays"}, beside},
	    {{"a", "-o", "-", "--dump-after=unsize-arrays"}, beside},
	    {{"a", "b", "--out-dir=d", "--dump-after=unsize-arrays"}, ""},
	    {{"a", "b", "-o", "-", "-o", "o"}, "several -o: one of them is stdout, which takes a single module"},
	    {{"a", "b", "-o", "o", "-o", "-"}, "several -o: one of them is stdout, which takes a single module"},
	    {{"-", "--out-dir=d"}, "--out-dir needs file names, and stdin has none; use -o"},
	    {{"a", "-", "--out-dir=d"}, "--out-dir needs file names, and stdin has none; use -o"},
	    {{"-", "-o", "o"}, ""},
	    {{"a", "-", D}, ""}};

	(void)state;
	assert_rows(rows, COUNT(rows));
}

static void locks_and_handles_need_what_belongs_to_them(void **state)
{
	static const char need[] = "--locked and --update-lock need --lock=FILE",
			  builtin[] = "the heaps of --heap-model=descriptor-heap have no sets and bindings; remove "
				      "--heap and --heap-set",
			  lint[] = "--lint, --suppress and --baseline need --nonuniform=lint";
	static const struct row rows[] = {
	    {{"a", D, "--lock=-"}, "--lock needs a file, not stdin or stdout"},
	    {{"a", D, "--locked"}, need},
	    {{"a", D, "--update-lock"}, need},
	    {{"a", D, "--locked", "--lock=l"}, ""},
	    {{"a", D, "--update-lock", "--lock=l"}, ""},
	    {{"a", D, "--locked", "--update-lock", "--lock=l"}, "--locked and --update-lock exclude each other"},
	    {{"a", D, "--heap-model=descriptor-heap"}, ""},
	    {{"a", D, "--heap-model=descriptor-heap", "--heap=texture=1.2"}, builtin},
	    {{"a", D, "--heap-model=descriptor-heap", "--heap-set=1"}, builtin},
	    {{"a", D, "--heap-model=descriptor-heap", "--heap-stride=64"}, ""},
	    {{"a", D, "--heap-stride=64"}, "--heap-stride requires --heap-model=descriptor-heap"},
	    {{"a", D, "--heap-stride=unified"}, "--heap-stride requires --heap-model=descriptor-heap"},
	    {{"a", D, "--heap-stride=size,32"}, "--heap-stride requires --heap-model=descriptor-heap"},
	    {{"a", D, "--heap-stride=size"}, ""},
	    {{"a", D, "--bounds-check=clamp"}, "--bounds-check requires --heap-size=N"},
	    {{"a", D, "--bounds-check=clamp", "--heap-size=8"}, ""},
	    {{"a", D, "--heap-size=8"}, ""},
	    {{"a", D, "--lint=all"}, lint},
	    {{"a", D, "--suppress=x"}, lint},
	    {{"a", D, "--baseline=x"}, lint},
	    {{"a", "--nonuniform=lint", "--suppress=x", "--baseline=x"}, ""},
	    {{"a", "--nonuniform=lint", "--baseline=x", "--diagnostics=sarif:x"},
	     "--diagnostics would overwrite the baseline x"},
	    {{"a", "--nonuniform=lint", "--baseline=x", "--diagnostics=sarif:./x"},
	     "--diagnostics would overwrite the baseline x"},
	    {{"a", "--nonuniform=lint", "--baseline=x", "--diagnostics=sarif:y"}, ""},
	    {{"a", D, "--diagnostics=json:"}, "--diagnostics: the name of the file is missing in json:"}};

	(void)state;
	assert_rows(rows, COUNT(rows));
}

static void batches_need_names_for_their_files(void **state)
{
	static const char mark[] = "--batch has a layout for each program: put a % into the file name, as in ";
	static const struct row rows[] = {
	    {{"a", "b", "--batch", D}, ""},
	    {{"a", "b", "--batch=stem", "--out-dir=d"}, ""},
	    {{"a", "--batch", "-o", "o"}, "-o takes one module, and --batch writes many; use --out-dir=DIR"},
	    {{"a", "b", "--batch", "-o", "o"}, "-o takes one module, and --batch writes many; use --out-dir=DIR"},
	    {{"a", "--batch", D, "--lock=l"}, "--lock=FILE is the lock of one program; --batch has many"},
	    {{"a", "--batch", "--out-dir=d", "--import=i"},
	     "--import with --batch and --out-dir: each program would "
	     "write the imported module; bind such programs one by one"},
	    {{"a", "--batch", D, "--import=i"}, ""},
	    {{"a", "--batch", D, "--cache=c"}, ""},
	    {{"a", D, "--cache=c"}, "--cache=DIR needs --batch or --manifest"},
	    {{"a", "--batch", "--out-dir=d", "--cache=c", "--dump-after=unsize-arrays"},
	     "--cache keeps no dumps; leave "
	     "out --cache or --dump-after"},
	    {{"a", "-", "--batch", D}, "--batch needs the names of files, and stdin has none"},
	    {{"a", "--batch", D, "--layout-json=-"}, ""},
	    {{"a", "--batch", D, "--layout-json=%.json"}, ""},
	    {{"a", "--batch", D, "--check-compatible=%.json"}, ""}};
	static const struct {
		const char *option, *suffix;
	} forms[] = {{"--check-compatible", ".json"},
		     {"--layout-json", ".json"},
		     {"--layout-header", ".h"},
		     {"--layout-glsl", ".glsl"},
		     {"--report", ".html"}};

	(void)state;
	assert_rows(rows, COUNT(rows));
	for (size_t i = 0; i < COUNT(forms); i++) {
		char option[50], wanted[200];
		snprintf(option, sizeof option, "%s=l", forms[i].option);
		snprintf(wanted, sizeof wanted, "%s%s=layouts/%%%s", mark, forms[i].option, forms[i].suffix);
		const struct row row = {{"a", "--batch", D, option}, wanted};
		assert_rows(&row, 1);
	}
	static const struct row patterns[] = {
	    {{"x/a", "y/a", "--batch", D, "--layout-json=%"}, "two outputs would be written to the same file: a"},
	    {{"x/a", "y/a", "--batch", D}, ""},
	    {{"a.spv", "a", "--batch", D, "--layout-json=l/%.json"},
	     "two outputs would be written to the same file: "
	     "l/a.json"},
	    {{"a.spv", "b", "--batch", D, "--layout-json=l/%.json"}, ""}};
	assert_rows(patterns, COUNT(patterns));
}

/* Each file that is written against each module and each other one. */
static void files_have_one_use(void **state)
{
	static const struct {
		const char *option, *what;
	} sides[] = {{"--layout-json", "the layout"},    {"--layout-header", "the layout"},
		     {"--layout-glsl", "the layout"},    {"--report", "the layout"},
		     {"--lock", "the lock file"},        {"--depfile", "the file of --depfile"},
		     {"--stamp", "the file of --stamp"}, {"--diagnostics", "the messages"}};
	static const struct {
		const char *path, *before, *after; /* the file in the message; NULL: accepted */
	} paths[] = {{"a", "", " would overwrite the input a"},
		     {"./a", "", " would overwrite the input a"},
		     {"d/../b", "", " would overwrite the input b"},
		     {"link", "", " would overwrite the input a"},
		     {"o", "the module and ", " would be written to the same file: o"},
		     {"./p", "the module and ", " would be written to the same file: p"},
		     {"new", NULL, NULL},
		     {"d/a", NULL, NULL}};
	char option[60], wanted[200];

	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	put_file("a", "x");
	put_file("b", "y");
	assert_int_equal(symlink("a", "link"), 0);
	for (size_t i = 0; i < COUNT(sides); i++) {
		for (size_t k = 0; k < COUNT(paths); k++) {
			snprintf(option, sizeof option, "%s=%s%s", sides[i].option,
				 strcmp(sides[i].option, "--diagnostics") ? "" : "json:", paths[k].path);
			wanted[0] = '\0';
			if (paths[k].before)
				snprintf(wanted, sizeof wanted, "%s%s%s", paths[k].before, sides[i].what,
					 paths[k].after);
			const struct row row = {{"a", "b", "-o", "o", "-o", "p", option}, wanted};
			const struct row alone = {{"a", "-o", "o", option}, k == 2 || k == 5 ? "" : wanted};
			assert_rows(&row, 1);
			assert_rows(&alone, 1);
		}
		snprintf(option, sizeof option, "%s=%sd/a", sides[i].option,
			 strcmp(sides[i].option, "--diagnostics") ? "" : "json:");
		snprintf(wanted, sizeof wanted, "a module and %s would be written to the same file: d/a",
			 sides[i].what);
		const struct row inside = {{"a", "--out-dir=d", option}, wanted};
		assert_rows(&inside, 1);
	}
	static const struct row rows[] = {
	    {{"a", D, "--layout-json=l", "--layout-header=l"},
	     "two forms of the layout would be written to the same "
	     "file: l"},
	    {{"a", D, "--report=./l", "--layout-glsl=l"},
	     "two forms of the layout would be written to the same file: "
	     "./l"},
	    {{"a", D, "--layout-json=l", "--lock=l"},
	     "the layout and the lock file would be written to the same file: "
	     "l"},
	    {{"a", D, "--report=l", "--lock=./l"},
	     "the layout and the lock file would be written to the same file: "
	     "./l"},
	    {{"a", D, "--layout-json=l", "--lock=k"}, ""},
	    {{"a", "a", D}, "the same input is given twice: a"},
	    {{"a", "b", "a", D}, "the same input is given twice: a"},
	    {{"a", "d/a", D}, ""},
	    {{"a", "d/a", "--out-dir=o"}, "two inputs would be written to the same file name, a"},
	    {{"a", "b", "-o", "o", "-o", "o"}, "two modules would be written to the same file: o"},
	    {{"a", "b", "-o", "o", "-o", "./o"}, "two modules would be written to the same file: ./o"},
	    {{"a", "b", "-o", "/dev/null", "-o", "/dev/null"}, ""},
	    {{"a", "b", "-o", "b", "-o", "o"},
	     "-o b would overwrite an input that has another -o; are they in the "
	     "order of the inputs?"},
	    {{"a", "b", "-o", "o", "-o", "link"},
	     "-o link would overwrite an input that has another -o; are they in "
	     "the order of the inputs?"},
	    {{"a", "b", "-o", "a", "-o", "b"}, ""},
	    {{"a", "-o", "a"}, ""},
	    {{"a", "-o", "/dev/null", "--layout-json=/dev/null"}, ""},
	    {{"s.frag", "-o", "s.frag"}, "-o would overwrite the source text s.frag"},
	    {{"s.frag", "a", "-o", "o", "-o", "./s.frag"}, "-o would overwrite the source text s.frag"},
	    {{"s.frag", "-o", "s"}, ""},
	    {{"a", "-o", "o", "--dump-after=unsize-arrays"}, ""},
	    {{"o.unsize-arrays.spv", "-o", "o", "--dump-after=unsize-arrays"},
	     "the dump would overwrite the input "
	     "o.unsize-arrays.spv"},
	    {{"a", "a.unsize-arrays.spv", "--out-dir=d", "--dump-after=unsize-arrays"},
	     "a module and the dump would be written to the same file: d/a.unsize-arrays.spv"},
	    {{"a", "-o", "o", "--depfile=-"}, "--depfile needs a file, not stdout"},
	    {{"a", "-o", "-", "--depfile=e"}, "--depfile: the output goes to stdout; use -o FILE, or add --stamp=FILE"},
	    {{"a", "-o", "-", "--depfile=e", "--stamp=f"}, ""},
	    {{"a", "--check", "--depfile=e"}, "--depfile: no file is made that the rule could name; add --stamp=FILE"},
	    {{"a", D, "--depfile=e"}, "--depfile: no file is made that the rule could name; add --stamp=FILE"},
	    {{"a", "--batch", "--out-dir=d", "--depfile=e"},
	     "--depfile: no file is made that the rule could name; add "
	     "--stamp=FILE"},
	    {{"a", "--batch", "--out-dir=d", "--depfile=e", "--stamp=f"}, ""},
	    {{"a", "--out-dir=d", "--depfile=e"}, ""}};
	put_file("s.frag", "text");
	assert_rows(rows, COUNT(rows));
}

/* Nothing that is written may be a resolver. */
static void resolvers_are_not_overwritten(void **state)
{
	static const char *const options[] = {"--layout-json=r",     "--layout-header=./r", "--layout-glsl=r",
					      "--report=r",          "--depfile=r",         "--stamp=r",
					      "--diagnostics=json:r"};
	static const char refused[] = "an output would overwrite the resolver r";
	static const struct row rows[] = {{{"a", "-o", "o", "--resolver=r"}, ""},
					  {{"a", "-o", "o", "--resolver=-"}, "--resolver needs a file, not stdin"},
					  {{"a", "-o", "r", "--resolver=r"}, refused},
					  {{"a", "-o", "./r", "--resolver=q", "--resolver=r"}, refused},
					  {{"a", "b", "-o", "o", "-o", "r", "--resolver=r"}, refused},
					  {{"a", "-o", "-", "--resolver=r"}, ""},
					  {{"a", "-o", "o", "--resolver=r", "--layout-json=-"}, ""},
					  {{"a", "-o", "o", "--resolver=r", "--lock=r"}, ""},
					  {{"a", "-o", "o", "--resolver=r", "--lock=r", "--update-lock"}, refused}};

	(void)state;
	assert_rows(rows, COUNT(rows));
	for (size_t i = 0; i < COUNT(options); i++) {
		const struct row row = {{"a", "-o", "o", "--resolver=r", options[i]}, refused};
		assert_rows(&row, 1);
	}
}

/* Words behind -- are inputs, and a value stands behind = or in the next word. */
static void words_are_options_or_inputs(void **state)
{
	struct arguments a;
	char *argv[] = {(char[]){"x"}, (char[]){"-"},  (char[]){"--rules"}, (char[]){"hlsl"}, (char[]){"-o"},
			(char[]){"o"}, (char[]){"--"}, (char[]){"-o"},      (char[]){"--"},   NULL};
	static const struct row rows[] = {
	    {{"a", D, "--rules"}, "--rules needs a value: --rules=RULES"},
	    {{"a", D, "-o"}, "-o needs a value: -o FILE"},
	    {{"a", D, "--rules="}, "--rules: empty value"},
	    {{"a", D, "--dry-run=x"}, "--dry-run takes no value"},
	    {{"a", D, "--rules=x"}, "--rules: expected slang or hlsl; got \"x\""},
	    {{"a", D, "--nothing-like-it"}, "unknown option --nothing-like-it (see --help)"},
	    {{"a", D, "--rulse=x"}, "unknown option --rulse; did you mean --rules? (see --help)"},
	    {{"a", D, "-v", "-q"}, ""},
	    {{"a", D, "-vq"}, "unknown option -vq (see --help)"},
	    {{"-oa.spv", "s", "-"}, "-o takes a single input; give one for each, or --out-dir"},
	    {{"-ho"}, "unknown option -ho (see --help)"}};

	(void)state;
	assert_rows(rows, COUNT(rows));
	read_arguments(&a, 9, argv);
	assert_int_equal(a.done, EXIT_USAGE + 1); /* three inputs, one output */
	assert_string_equal(said(), "spirv-bind: -o takes a single input; give one for each, or --out-dir\n");
	assert_int_equal(a.input_count, 3);
	assert_string_equal(a.inputs[0], "-");
	assert_string_equal(a.inputs[1], "-o");
	assert_string_equal(a.inputs[2], "--");
	assert_string_equal(a.output, "o");
	assert_int_equal(a.options.layout.rules, SPB_RULES_HLSL);
	free_arguments(&a);
}

/* What --record-options notes: what modules depend on, as a response file has it, and files without their folders. */
static void options_that_decide_modules_are_recorded(void **state)
{
	static const struct {
		const char *words[4], *wanted;
	} rows[] = {{{NULL}, ""},
		    {{"--strip-debug"}, "--strip-debug"},
		    {{"-I", "d", "-DX"}, ""},
		    {{"--validate=none", "--only=unsize-arrays", "-v"}, ""},
		    {{"--rules=hlsl"}, "--rules=hlsl"},
		    {{"--rules", "hlsl", "--rebind=all"}, "--rules=hlsl --rebind=all"},
		    {{"--resolver=d/e.glsl"}, "--resolver=e.glsl"},
		    {{"--resolver=e.glsl"}, "--resolver=e.glsl"},
		    {{"--lock=e"}, ""},
		    {{"--heap-model=typed"}, "--heap-model=typed"},
		    {{"--split-combined"}, "--split-combined"},
		    {{"--nonuniform=all"}, "--nonuniform=all"},
		    {{"--batch"}, ""},
		    {{"--print-layout"}, ""},
		    {{"--policy=place name=a -> set=1"}, "--policy=\"place name=a -> set=1\""},
		    {{"--policy=a/b"}, "--policy=a/b"},
		    {{"--policy=a\"b\\"}, "--policy=\"a\\\"b\\\\\""},
		    {{"--policy=it's"}, "--policy=\"it's\""},
		    {{"--policy=a\tb"}, "--policy=\"a\tb\""},
		    {{"--policy=@a"}, "--policy=\"@a\""},
		    {{"--policy=a@b"}, "--policy=a@b"},
		    {{"--resolver=d e/f g"}, "--resolver=\"f g\""}};
	static char longest[UINT16_MAX + 2];
	char *argv[9] = {(char[]){"x"}, (char[]){"a"}, (char[]){D}, (char[]){"--record-options"}};
	struct arguments a;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int count = 4;
		for (size_t k = 0; k < 4 && rows[i].words[k]; k++)
			argv[count++] = strdup(rows[i].words[k]);
		argv[count] = NULL;
		read_arguments(&a, count, argv);
		assert_string_equal(said(), "");
		assert_string_equal(a.options.output.record, rows[i].wanted);
		free_arguments(&a);
		while (count > 4)
			free(argv[--count]);
	}
	for (size_t more = 0; more < 2; more++) { /* as long as a note may be, and longer */
		memset(longest, 'x', sizeof longest);
		memcpy(longest, "--policy=", 9);
		longest[UINT16_MAX + more] = '\0';
		argv[4] = longest;
		argv[5] = NULL;
		read_arguments(&a, 5, argv);
		assert_string_equal(said(), more ? "spirv-bind: --record-options: the options are too long for an "
						   "OpModuleProcessed\n"
						 : "");
		assert_int_equal(a.done, more ? EXIT_USAGE + 1 : 0);
		free_arguments(&a);
	}
}

/* Values that are more than a field */

static void accept(struct arguments *a, const char *const *words)
{
	char *argv[10] = {(char[]){"x"}, (char[]){"a"}, (char[]){D}};
	int count = 3;

	for (; *words; words++)
		argv[count++] = strdup(*words);
	read_arguments(a, count, argv);
	assert_string_equal(said(), "");
	while (count > 3)
		free(argv[--count]); /* what fields point to is not looked at */
}

#define ACCEPT(a, ...) accept(a, (const char *const[]){__VA_ARGS__, NULL})

static void presets_of_heaps_set_all_that_they_mean(void **state)
{
	static const struct {
		const char *first, *then;
		spb_heap_model model;
		bool as_address, in_default_set;
	} rows[] = {{"--heap-preset=typed", NULL, SPB_HEAP_MODEL_TYPED, false, false},
		    {"--heap-preset=slang", NULL, SPB_HEAP_MODEL_MUTABLE, true, false},
		    {"--heap-preset=dxc", NULL, SPB_HEAP_MODEL_MUTABLE, false, true},
		    {"--heap-preset=slang", "--heap-preset=dxc", SPB_HEAP_MODEL_MUTABLE, false, true},
		    {"--heap-preset=dxc", "--heap-preset=typed", SPB_HEAP_MODEL_TYPED, false, false},
		    {"--heap-preset=slang", "--heap-model=typed", SPB_HEAP_MODEL_TYPED, true, false},
		    {"--heap-preset=typed", "--heap=as=address", SPB_HEAP_MODEL_TYPED, true, false}};
	struct arguments a;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		ACCEPT(&a, rows[i].first, rows[i].then);
		assert_int_equal(a.options.heaps.model, rows[i].model);
		assert_true(a.options.heaps.has_model);
		assert_int_equal(a.options.heaps.as_address, rows[i].as_address);
		assert_int_equal(a.options.heaps.in_default_set, rows[i].in_default_set);
		free_arguments(&a);
	}
	ACCEPT(&a, "--heap=texture=1.2", "--heap=as=address", "--heap=sampler=0.4294967295");
	assert_int_equal(a.options.heaps.place_count, 2);
	assert_true(a.options.heaps.as_address);
	for (uint32_t i = 0; i < 2; i++) {
		const spb_heap_place *place = &a.options.heaps.places[i];
		assert_string_equal(spb_name(SPB_NAME_HEAP_KIND, place->kind), i ? "sampler" : "texture");
		assert_int_equal(place->set, !i);
		assert_int_equal(place->binding, i ? UINT32_MAX : 2);
	}
	free_arguments(&a);
	ACCEPT(&a, "--instrument-handles=3.4");
	assert_true(a.options.handles.instrument);
	assert_int_equal(a.options.handles.instrument_set, 3);
	assert_int_equal(a.options.handles.instrument_binding, 4);
	free_arguments(&a);
}

/* Of rules, the first that fits counts; of shifts and options, the last. */
static void policies_are_ordered_by_what_counts(void **state)
{
	static const char *const wanted[] = {
	    "--bind=a=0.1", "--policy=place name=b -> set=1", "--parameter-block=c",        "none.policy",
	    "--shift=t=5",  "--policy= option unused=last",   "--policy=shift class=t by=6"};
	struct arguments a;

	(void)state;
	put_file("none.policy", "");
	char *argv[] = {(char[]){"x"},
			(char[]){"a"},
			(char[]){D},
			(char[]){"--shift=t=5"},
			(char[]){"--policy= option unused=last"},
			(char[]){"--bind=a=0.1"},
			(char[]){"--profile=none.policy"},
			(char[]){"--policy=place name=b -> set=1"},
			(char[]){"--policy=shift class=t by=6"},
			(char[]){"--parameter-block=c"},
			NULL};
	read_arguments(&a, 10, argv);
	assert_string_equal(said(), "");
	assert_int_equal(a.options.layout.policy_count, COUNT(wanted));
	for (size_t i = 0; i < COUNT(wanted); i++)
		assert_string_equal(a.options.layout.policies[i].name, wanted[i]);
	free_arguments(&a);
}

/* Rules with what they weigh, patterns of what is suppressed, and forms of messages with their files. */
static void options_of_the_lint_are_lists(void **state)
{
#define L "--nonuniform=lint"
	static const struct row rows[] = {
	    {{"a", L, "--lint=all"}, ""},
	    {{"a", L, "--lint=nonuniform"}, ""},
	    {{"a", L, "--lint=nonuniform,all"}, ""},
	    {{"a", L, "--lint=nonuniform=error"}, ""},
	    {{"a", L, "--lint=nonuniform=warning,all=note"}, ""},
	    {{"a", L, "--lint=all=off"}, ""},
	    {{"a", L, "--lint=all=of"}, "--lint: expected RULE=error, warning, note or off; got \"all=of\""},
	    {{"a", L, "--lint=all=errors"}, "--lint: expected RULE=error, warning, note or off; got \"all=errors\""},
	    {{"a", L, "--lint=all="}, "--lint: expected RULE=error, warning, note or off; got \"all=\""},
	    {{"a", L, "--lint=all=note,nonuniform=x"},
	     "--lint: expected RULE=error, warning, note or off; got \"all=note,nonuniform=x\""}};
	static const char *const names[] = {"al", "alls", "all,", ",all", "all,x", "x=error", "nonunifor=off"};
	static const char log[] = "{\"runs\":[{\"results\":[" RESULT("0123456789abcdef") "," RESULT("short") "," RESULT(
	    "0123456789abcdefg") ",{}]},{\"results\":[" RESULT("fedcba9876543210") "]},{}]}";
	char option[40];
	struct arguments a;

	(void)state;
	assert_rows(rows, COUNT(rows));
	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(option, sizeof option, "--lint=%s", names[i]);
		const char *why = refused((const char *const[]){"x", "a", L, option, NULL});
		assert_memory_equal(why, "--lint: expected all, ", 22);
		assert_non_null(strstr(why, names[i]));
	}
	read_arguments(&a, 5,
		       (char *[]){(char[]){"x"}, (char[]){"a"}, (char[]){L}, (char[]){"--suppress=a*"},
				  (char[]){"--suppress=SPB5001@m"}, NULL});
	assert_string_equal(a.options.uniformity.suppress, "a*,SPB5001@m");
	free_arguments(&a);
	static const struct {
		const char *option, *file;
		enum diagnostics form;
		bool lint_all;
	} forms[] = {{"--diagnostics=text", NULL, DIAGNOSTICS_TEXT, false},
		     {"--diagnostics=json", NULL, DIAGNOSTICS_JSON, true},
		     {"--diagnostics=sarif", NULL, DIAGNOSTICS_SARIF, true},
		     {"--diagnostics=github", NULL, DIAGNOSTICS_GITHUB, false},
		     {"--diagnostics=json:x:y", "x:y", DIAGNOSTICS_JSON, true}};
	for (size_t i = 0; i < COUNT(forms); i++) {
		char *argv[] = {(char[]){"x"}, (char[]){"a"}, (char[]){D}, option, NULL};
		snprintf(option, sizeof option, "%s", forms[i].option);
		read_arguments(&a, 4, argv);
		assert_int_equal(a.diagnostics, forms[i].form);
		assert_int_equal(a.options.uniformity.lint_all, forms[i].lint_all);
		assert_int_equal(a.diagnostics_file != NULL, forms[i].file != NULL);
		if (forms[i].file)
			assert_string_equal(a.diagnostics_file, forms[i].file);
		free_arguments(&a);
	}
	assert_string_equal(refused((const char *const[]){"x", "a", D, "--diagnostics=jso", NULL}),
			    "--diagnostics: expected text, json, sarif or github; got \"jso\"\n");
	put_file("log", log);
	a = (struct arguments){.baseline = "log"};
	assert_int_equal(read_baseline(&a), EXIT_DONE);
	assert_string_equal(a.options.uniformity.baseline, "0123456789abcdef\nfedcba9876543210\n");
	free(a.baseline_text);
	static const char *const others[] = {"", "x", "{}", "[]", "{\"runs\":{}}"};
	for (size_t i = 0; i < COUNT(others); i++) {
		put_file("log", others[i]);
		assert_int_equal(read_baseline(&a), EXIT_IO);
		assert_string_equal(said(),
				    "spirv-bind: log is not a SARIF log; write one with --diagnostics=sarif:FILE\n");
	}
	a.baseline = "none";
	assert_int_equal(read_baseline(&a), EXIT_IO);
	assert_string_equal(said(), "spirv-bind: cannot read none: No such file or directory\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(modes_exclude_each_other),
	    TEST(the_standard_streams_take_one_thing),
	    TEST(locks_and_handles_need_what_belongs_to_them),
	    TEST(batches_need_names_for_their_files),
	    TEST(files_have_one_use),
	    TEST(resolvers_are_not_overwritten),
	    TEST(words_are_options_or_inputs),
	    TEST(options_that_decide_modules_are_recorded),
	    TEST(presets_of_heaps_set_all_that_they_mean),
	    TEST(policies_are_ordered_by_what_counts),
	    TEST(options_of_the_lint_are_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
