/* SPDX-License-Identifier: Apache-2.0 */
/* Options that exclude or need each other, or would write to a file in use: each with its message, and a similar one
 * that is accepted. */
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

static void verbs_accept_only_their_options(void **state)
{
	static const char none[] = "there is no output", single[] = "-o takes a single input",
			  several[] = "the number of -o is not that of the inputs",
			  of_manifest[] = "--programs and --shard are about the programs of a manifest";
	static const struct row rows[] = {
	    {{"a"}, none},
	    {{"bind", "a"}, none},
	    {{"a", "-o", "o"}, ""},
	    {{"bind", "a", "-o", "o"}, ""},
	    {{"a", "./bind", "--out-dir=d"}, ""},
	    {{"a", "bind", "--out-dir=d"}, "there is no file bind"},
	    {{"./check", "-o", "o"}, ""},
	    {{"a", "--out-dir=d"}, ""},
	    {{"check", "a"}, ""},
	    {{"lint", "a"}, ""},
	    {{"layout", "a"}, ""},
	    {{"explain", "a"}, ""},
	    {{"explain", "a", "--name=x"}, ""},
	    {{"lock", "check", "a", "--lock=l"}, ""},
	    {{"lock", "update", "a", "--lock=l"}, ""},
	    {{"lock", "check", "a"}, "lock check has no lock file"},
	    {{"lock", "update", "a"}, "lock update has no lock file"},
	    {{"lock", "a"}, "lock needs to know what to do"},
	    {{"lock"}, "lock needs to know what to do"},
	    {{"lock", "part", "a", "-o", "p"}, "lock part is about the programs of a manifest"},
	    {{"collect", "a", "-o", "p"}, "collect is about the programs of a manifest"},
	    {{"decide", "a", "--lock=l"}, "decide is about the programs of a manifest"},
	    {{"pass", "unsize-arrays", "a", "-o", "o"}, ""},
	    {{"pass", "unsize-arrays", "a"}, none},
	    {{"pass", "-o", "o"}, "pass needs the names of passes"},
	    {{"chek", "a"}, "there is no file chek"},
	    {{"lnit", "a"}, "there is no file lnit"},
	    {{"chek.spv", "-o", "o"}, ""},
	    {{"a", "-o", "o", "--out-dir=d"}, "-o and --out-dir exclude each other"},
	    {{"a", "b", "-o", "o"}, single},
	    {{"a", "-o", "o", "-o", "p"}, several},
	    {{"a", "b", "c", "-o", "o", "-o", "p"}, several},
	    {{"a", "b", "-o", "o", "-o", "p"}, ""},
	    {{"a", "--import=b", "-o", "o"}, single},
	    {{"a", "--import=b", "-o", "o", "-o", "p"}, ""},
	    {{"check", "a", "-o", "o"}, "check takes no -o"},
	    {{"check", "a", "--layout-json=l"}, "check takes no --layout-json"},
	    {{"check", "a", "--update-lock"}, "check takes no --update-lock"},
	    {{"check", "a", "--against=l", "--lock=l"}, ""},
	    {{"lint", "a", "--lock=l"}, "lint takes no --lock"},
	    {{"lint", "a", "--validate=none"}, "lint takes no --validate"},
	    {{"lint", "a", "--nonuniform=all"}, "lint takes no --nonuniform"},
	    {{"a", "-o", "o", "--name=x"}, "bind takes no --name"},
	    {{"a", "-o", "o", "--lint=all"}, ""},
	    {{"layout", "a", "--lint=all"}, "layout takes no --lint"},
	    {{"a", "-o", "o", "--suppress=SPB5001"}, "--suppress and --baseline are about what --lint finds"},
	    {{"a", "-o", "o", "--nonuniform=lint"}, "--nonuniform: expected auto, explicit, all or keep; got \"lint\""},
	    {{"layout", "a", "--programs=p"}, of_manifest},
	    {{"check", "a", "--shard=1/2"}, of_manifest},
	    {{"check"}, "check has no input"},
	    {{"check", "-"}, ""}};

	(void)state;
	put_file("check", "");
	assert_rows(rows, COUNT(rows));
}

static void each_standard_stream_has_one_use(void **state)
{
	static const char module[] = "the module goes to stdout, so the layout cannot be printed there",
			  forms[] = "only one form of the layout can go to stdout",
			  dump[] = "stdout is taken by the dump of --dump-after",
			  beside[] = "--dump-after writes next to the outputs, and there are none";
	static const struct row rows[] = {
	    {{"a", "-o", "-"}, ""},
	    {{"a", "-o-"}, ""},
	    {{"a", "-o", "-", "--accesses"}, ""},
	    {{"a", "-o", "-", "--layout-json=-"}, module},
	    {{"a", "-o", "-", "--layout-json=l"}, ""},
	    {{"layout", "a", "--layout-json=-"}, ""},
	    {{"layout", "a", "--layout-json"}, ""},
	    {{"layout", "a", "--layout-json", "--layout-header"}, forms},
	    {{"layout", "a", "--layout-json", "--layout-header=h"}, ""},
	    {{"layout", "a", "--layout-json", "--accesses"}, ""},
	    {{"a", "--dump-after=unsize-arrays"}, ""},
	    {{"a", "-o", "o", "--dump-after=unsize-arrays", "--layout-json=-"}, ""},
	    {{"a", "--out-dir=d", "--dump-after=unsize-arrays", "--layout-json=-"}, ""},
	    {{"a", "--dump-after=unsize-arrays", "--layout-json=-"}, dump},
	    {{"a", "b", "--dump-after=unsize-arrays"}, beside},
	    {{"a", "-o", "-", "--dump-after=unsize-arrays"}, beside},
	    {{"a", "b", "--out-dir=d", "--dump-after=unsize-arrays"}, ""},
	    {{"a", "b", "-o", "-", "-o", "o"}, "one of several -o is stdout, which takes a single module"},
	    {{"a", "b", "-o", "o", "-o", "-"}, "one of several -o is stdout, which takes a single module"},
	    {{"-", "--out-dir=d"}, "--out-dir needs file names, and stdin has none"},
	    {{"a", "-", "--out-dir=d"}, "--out-dir needs file names, and stdin has none"},
	    {{"-", "-o", "o"}, ""},
	    {{"layout", "a", "-"}, ""}};

	(void)state;
	assert_rows(rows, COUNT(rows));
}

static void locks_and_handles_need_what_belongs_to_them(void **state)
{
	static const char need[] = "--locked and --update-lock are about a lock file",
			  builtin[] = "the heaps of --heap-model=descriptor-heap have no sets and bindings";
	static const struct row rows[] = {
	    {{"layout", "a", "--lock=-"}, "--lock takes neither stdin nor stdout"},
	    {{"layout", "a", "--locked"}, need},
	    {{"a", "-o", "o", "--update-lock"}, need},
	    {{"layout", "a", "--locked", "--lock=l"}, ""},
	    {{"a", "-o", "o", "--update-lock", "--lock=l"}, ""},
	    {{"a", "-o", "o", "--locked", "--update-lock", "--lock=l"},
	     "--locked and --update-lock exclude each other"},
	    {{"layout", "a", "--heap-model=descriptor-heap"}, ""},
	    {{"layout", "a", "--heap-model=descriptor-heap", "--heap=texture=1.2"}, builtin},
	    {{"layout", "a", "--heap-model=descriptor-heap", "--heap-set=1"}, builtin},
	    {{"layout", "a", "--heap-model=descriptor-heap", "--heap-stride=64"}, ""},
	    {{"layout", "a", "--heap-stride=64"}, "--heap-stride is about the heaps of SPV_EXT_descriptor_heap"},
	    {{"layout", "a", "--heap-stride=unified"}, "--heap-stride is about the heaps of SPV_EXT_descriptor_heap"},
	    {{"layout", "a", "--heap-stride=size,32"}, "--heap-stride is about the heaps of SPV_EXT_descriptor_heap"},
	    {{"layout", "a", "--heap-stride=size"}, ""},
	    {{"layout", "a", "--bounds-check=clamp"}, "--bounds-check is about heaps of a given size"},
	    {{"layout", "a", "--bounds-check=clamp", "--heap-size=8"}, ""},
	    {{"layout", "a", "--heap-size=8"}, ""},
	    {{"lint", "a", "--suppress=x", "--baseline=x"}, ""},
	    {{"lint", "a", "--baseline=x", "--diagnostics=sarif:x"}, "--diagnostics would overwrite the baseline x"},
	    {{"lint", "a", "--baseline=x", "--diagnostics=sarif:./x"}, "--diagnostics would overwrite the baseline x"},
	    {{"lint", "a", "--baseline=x", "--diagnostics=sarif:y"}, ""},
	    {{"layout", "a", "--diagnostics=json:"}, "--diagnostics: the name of the file is missing in json:"}};

	(void)state;
	assert_rows(rows, COUNT(rows));
}

static void batches_need_names_for_their_files(void **state)
{
	static const struct row rows[] = {
	    {{"layout", "a", "b", "--each"}, ""},
	    {{"a", "b", "--each=stem", "--out-dir=d"}, ""},
	    {{"a", "--each", "-o", "o"}, "-o takes one module, and --each writes many"},
	    {{"a", "b", "--each", "-o", "o"}, "-o takes one module, and --each writes many"},
	    {{"layout", "a", "--each", "--lock=l"}, "--lock is the lock of one program, and --each has many"},
	    {{"a", "--each", "--out-dir=d", "--import=i"},
	     "with --import and --each, all programs would write the imported module"},
	    {{"layout", "a", "--each", "--import=i"}, ""},
	    {{"layout", "a", "--each", "--cache=c"}, ""},
	    {{"a", "--each", "--out-dir=d", "--cache=c", "--dump-after=unsize-arrays"}, "--cache keeps no dumps"},
	    {{"layout", "a", "-", "--each"}, "--each needs the names of files, and stdin has none"},
	    {{"layout", "a", "--each", "--layout-json=-"}, ""},
	    {{"layout", "a", "--each", "--layout-json=%.json"}, ""},
	    {{"check", "a", "--each", "--against=%.json"}, ""}};
	static const char *const forms[] = {"--against", "--layout-json", "--layout-header", "--layout-glsl",
					    "--report"};

	(void)state;
	assert_rows(rows, COUNT(rows));
	for (size_t i = 0; i < COUNT(forms); i++) {
		char option[50], wanted[200];
		snprintf(option, sizeof option, "%s=l", forms[i]);
		snprintf(wanted, sizeof wanted, "--each has a layout for each program, but %s names one file",
			 forms[i]);
		const struct row row = {{i ? "layout" : "check", "a", "--each", option}, wanted};
		assert_rows(&row, 1);
	}
	static const struct row patterns[] = {
	    {{"layout", "x/a", "y/a", "--each", "--layout-json=%"}, "two outputs would be written to the same file, a"},
	    {{"layout", "x/a", "y/a", "--each"}, ""},
	    {{"layout", "a.spv", "a", "--each", "--layout-json=l/%.json"},
	     "two outputs would be written to the same file, l/a.json"},
	    {{"layout", "a.spv", "b", "--each", "--layout-json=l/%.json"}, ""}};
	assert_rows(patterns, COUNT(patterns));
}

/* Each output file against each module and each other output. */
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
		     {"o", "the module and ", " would be written to the same file, o"},
		     {"./p", "the module and ", " would be written to the same file, p"},
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
		snprintf(wanted, sizeof wanted, "a module and %s would be written to the same file, d/a",
			 sides[i].what);
		const struct row inside = {{"a", "--out-dir=d", option}, wanted};
		assert_rows(&inside, 1);
	}
	static const struct row rows[] = {
	    {{"layout", "a", "--layout-json=l", "--layout-header=l"},
	     "two forms of the layout would be written to the same file, l"},
	    {{"layout", "a", "--report=./l", "--layout-glsl=l"},
	     "two forms of the layout would be written to the same file, ./l"},
	    {{"layout", "a", "--layout-json=l", "--lock=l"},
	     "the layout and the lock file would be written to the same file, l"},
	    {{"layout", "a", "--report=l", "--lock=./l"},
	     "the layout and the lock file would be written to the same file, ./l"},
	    {{"layout", "a", "--layout-json=l", "--lock=k"}, ""},
	    {{"layout", "a", "a"}, "the same input is given twice: a"},
	    {{"layout", "a", "b", "a"}, "the same input is given twice: a"},
	    {{"layout", "a", "d/a"}, ""},
	    {{"a", "d/a", "--out-dir=o"}, "two inputs would be written to the same file, o/a"},
	    {{"a", "b", "-o", "o", "-o", "o"}, "two modules would be written to the same file, o"},
	    {{"a", "b", "-o", "o", "-o", "./o"}, "two modules would be written to the same file, ./o"},
	    {{"a", "b", "-o", "/dev/null", "-o", "/dev/null"}, ""},
	    {{"a", "b", "-o", "b", "-o", "o"}, "-o b would overwrite an input that has another -o"},
	    {{"a", "b", "-o", "o", "-o", "link"}, "-o link would overwrite an input that has another -o"},
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
	     "a module and the dump would be written to the same file, d/a.unsize-arrays.spv"},
	    {{"a", "-o", "o", "--depfile=-"}, "--depfile does not take stdout"},
	    {{"a", "-o", "-", "--depfile=e"}, "the output goes to stdout, which the rule of --depfile cannot name"},
	    {{"a", "-o", "-", "--depfile=e", "--stamp=f"}, ""},
	    {{"check", "a", "--depfile=e"}, "no file is made that the rule of --depfile could name"},
	    {{"layout", "a", "--depfile=e"}, "no file is made that the rule of --depfile could name"},
	    {{"a", "--each", "--out-dir=d", "--depfile=e"}, "no file is made that the rule of --depfile could name"},
	    {{"a", "--each", "--out-dir=d", "--depfile=e", "--stamp=f"}, ""},
	    {{"a", "--out-dir=d", "--depfile=e"}, ""}};
	put_file("s.frag", "text");
	assert_rows(rows, COUNT(rows));
}

/* No output may be a resolver. */
static void resolvers_are_not_overwritten(void **state)
{
	static const char *const options[] = {"--layout-json=r",     "--layout-header=./r", "--layout-glsl=r",
					      "--report=r",          "--depfile=r",         "--stamp=r",
					      "--diagnostics=json:r"};
	static const char refused[] = "an output would overwrite the resolver r";
	static const struct row rows[] = {{{"a", "-o", "o", "--resolver=r"}, ""},
					  {{"a", "-o", "o", "--resolver=-"}, "--resolver does not take stdin"},
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

/* Words after -- are inputs, and a value follows = or is the next word. */
static void words_are_options_or_inputs(void **state)
{
	struct arguments a;
	char *argv[] = {(char[]){"x"}, (char[]){"-"},  (char[]){"--rules"}, (char[]){"hlsl"}, (char[]){"-o"},
			(char[]){"o"}, (char[]){"--"}, (char[]){"-o"},      (char[]){"--"},   NULL};
	static const struct row rows[] = {{{"layout", "a", "--rules"}, "--rules needs a value"},
					  {{"a", "-o"}, "-o needs a value"},
					  {{"layout", "a", "--rules="}, "--rules: empty value"},
					  {{"layout", "a", "--fail-fast=x"}, "--fail-fast takes no value"},
					  {{"layout", "a", "--rules=x"}, "--rules: expected slang or hlsl; got \"x\""},
					  {{"layout", "a", "--nothing-like-it"}, "unknown option --nothing-like-it"},
					  {{"layout", "a", "--rulse=x"}, "unknown option --rulse"},
					  {{"layout", "a", "-v", "-q"}, ""},
					  {{"layout", "a", "-vq"}, "unknown option -vq"},
					  {{"-oa.spv", "s", "-"}, "-o takes a single input"},
					  {{"-ho"}, "unknown option -ho"}};

	(void)state;
	assert_rows(rows, COUNT(rows));
	arg_read_arguments(&a, 9, argv, NULL);
	assert_int_equal(a.done, EXIT_USAGE + 1); /* three inputs, one output */
	assert_string_equal(causes(), "spirv-bind: error: -o takes a single input\n");
	assert_int_equal(a.program.input_count, 3);
	assert_string_equal(a.program.inputs[0], "-");
	assert_string_equal(a.program.inputs[1], "-o");
	assert_string_equal(a.program.inputs[2], "--");
	assert_string_equal(a.program.modules.first, "o");
	assert_int_equal(a.program.library.layout.rules, SPB_RULES_HLSL);
	arg_free_arguments(&a);
}

/* --record-options writes the options that modules depend on, in the syntax of response files, and files without their
 * folders. */
static void options_that_decide_modules_are_recorded(void **state)
{
	static const struct {
		const char *words[4], *wanted;
	} rows[] = {{{NULL}, ""},
		    {{"--strip-debug"}, "--strip-debug"},
		    {{"-I", "d", "-DX"}, ""},
		    {{"--validate=none", "-v"}, ""},
		    {{"--rules=hlsl"}, "--rules=hlsl"},
		    {{"--rules", "hlsl", "--rebind=all"}, "--rules=hlsl --rebind=all"},
		    {{"--resolver=d/e.glsl"}, "--resolver=e.glsl"},
		    {{"--resolver=e.glsl"}, "--resolver=e.glsl"},
		    {{"--lock=e"}, ""},
		    {{"--heap-model=typed"}, "--heap-model=typed"},
		    {{"--split-combined"}, "--split-combined"},
		    {{"--nonuniform=all"}, "--nonuniform=all"},
		    {{"--fail-fast"}, ""},
		    {{"--policy=place name=a -> set=1"}, "--policy=\"place name=a -> set=1\""},
		    {{"--policy=a/b"}, "--policy=a/b"},
		    {{"--policy=a\"b\\"}, "--policy=\"a\\\"b\\\\\""},
		    {{"--policy=it's"}, "--policy=\"it's\""},
		    {{"--policy=a\tb"}, "--policy=\"a\tb\""},
		    {{"--policy=@a"}, "--policy=\"@a\""},
		    {{"--policy=a@b"}, "--policy=a@b"},
		    {{"--resolver=d e/f g"}, "--resolver=\"f g\""}};
	static char longest[UINT16_MAX + 2];
	char *argv[9] = {(char[]){"x"}, (char[]){"a"}, (char[]){"-oo"}, (char[]){"--record-options"}};
	struct arguments a;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int count = 4;
		for (size_t k = 0; k < 4 && rows[i].words[k]; k++)
			argv[count++] = strdup(rows[i].words[k]);
		argv[count] = NULL;
		arg_read_arguments(&a, count, argv, NULL);
		assert_string_equal(said(), "");
		assert_string_equal(a.program.library.output.record, rows[i].wanted);
		arg_free_arguments(&a);
		while (count > 4)
			free(argv[--count]);
	}
	for (size_t more = 0; more < 2; more++) { /* as long as a remark may be, and longer */
		memset(longest, 'x', sizeof longest);
		memcpy(longest, "--policy=", 9);
		longest[UINT16_MAX + more] = '\0';
		argv[4] = longest;
		argv[5] = NULL;
		arg_read_arguments(&a, 5, argv, NULL);
		assert_string_equal(
		    causes(),
		    more ? "spirv-bind: error: the options are too long for the remark of --record-options\n" : "");
		assert_int_equal(a.done, more ? EXIT_USAGE + 1 : 0);
		arg_free_arguments(&a);
	}
}

/* Values that are more than a field */

static void accept(struct arguments *a, const char *const *words)
{
	char *argv[10] = {(char[]){"x"}, (char[]){"layout"}, (char[]){"a"}};
	int count = 3;

	for (; *words; words++)
		argv[count++] = strdup(*words);
	arg_read_arguments(a, count, argv, NULL);
	assert_string_equal(said(), "");
	while (count > 3)
		free(argv[--count]); /* fields hold the values, not pointers to words */
}

#define ACCEPT(a, ...) accept(a, (const char *const[]){__VA_ARGS__, NULL})

static void heap_models_set_all_their_options(void **state)
{
	static const struct {
		const char *first, *then;
		spb_heap_model model;
		bool as_address, in_default_set;
	} rows[] = {{"--heap-model=typed", NULL, SPB_HEAP_MODEL_TYPED, false, false},
		    {"--heap-model=slang", NULL, SPB_HEAP_MODEL_MUTABLE, true, false},
		    {"--heap-model=dxc", NULL, SPB_HEAP_MODEL_MUTABLE, false, true},
		    {"--heap-model=slang", "--heap-model=dxc", SPB_HEAP_MODEL_MUTABLE, false, true},
		    {"--heap-model=dxc", "--heap-model=typed", SPB_HEAP_MODEL_TYPED, false, false},
		    {"--heap-model=slang", "--heap-model=typed", SPB_HEAP_MODEL_TYPED, true, false},
		    {"--heap-model=typed", "--heap=as=address", SPB_HEAP_MODEL_TYPED, true, false}};
	struct arguments a;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		ACCEPT(&a, rows[i].first, rows[i].then);
		assert_int_equal(a.program.library.heaps.model, rows[i].model);
		assert_true(a.program.library.heaps.has_model);
		assert_int_equal(a.program.library.heaps.as_address, rows[i].as_address);
		assert_int_equal(a.program.library.heaps.in_default_set, rows[i].in_default_set);
		arg_free_arguments(&a);
	}
	ACCEPT(&a, "--heap=texture=1.2", "--heap=as=address", "--heap=sampler=0.4294967295");
	assert_int_equal(a.program.library.heaps.place_count, 2);
	assert_true(a.program.library.heaps.as_address);
	for (uint32_t i = 0; i < 2; i++) {
		const spb_heap_place *place = &a.program.library.heaps.places[i];
		assert_string_equal(spb_name(SPB_NAME_HEAP_KIND, place->kind), i ? "sampler" : "texture");
		assert_int_equal(place->set, !i);
		assert_int_equal(place->binding, i ? UINT32_MAX : 2);
	}
	arg_free_arguments(&a);
	ACCEPT(&a, "--instrument-handles=3.4");
	assert_true(a.program.library.handles.instrument);
	assert_int_equal(a.program.library.handles.instrument_set, 3);
	assert_int_equal(a.program.library.handles.instrument_binding, 4);
	arg_free_arguments(&a);
}

/* The first matching rule wins; of shifts and options, the last. */
static void policies_are_ordered_by_precedence(void **state)
{
	static const char *const wanted[] = {
	    "--place=a=0.1", "--policy=place name=b -> set=1", "--policy=block name=c",      "none.policy",
	    "--shift=t=5",   "--policy= option unused=last",   "--policy=shift class=t by=6"};
	struct arguments a;

	(void)state;
	put_file("none.policy", "");
	char *argv[] = {(char[]){"x"},
			(char[]){"layout"},
			(char[]){"a"},
			(char[]){"--shift=t=5"},
			(char[]){"--policy= option unused=last"},
			(char[]){"--place=a=0.1"},
			(char[]){"--profile=none.policy"},
			(char[]){"--policy=place name=b -> set=1"},
			(char[]){"--policy=shift class=t by=6"},
			(char[]){"--policy=block name=c"},
			NULL};
	arg_read_arguments(&a, 10, argv, NULL);
	assert_string_equal(said(), "");
	assert_int_equal(a.program.library.layout.policy_count, COUNT(wanted));
	for (size_t i = 0; i < COUNT(wanted); i++)
		assert_string_equal(a.program.library.layout.policies[i].name, wanted[i]);
	arg_free_arguments(&a);
}

/* Rules with severities, suppressed patterns, and message formats with their files. */
static void options_of_the_lint_are_lists(void **state)
{
	static const struct row rows[] = {
	    {{"lint", "a", "--lint=all"}, ""},
	    {{"lint", "a", "--lint=nonuniform"}, ""},
	    {{"lint", "a", "--lint=nonuniform,all"}, ""},
	    {{"lint", "a", "--lint=nonuniform=error"}, ""},
	    {{"lint", "a", "--lint=nonuniform=warning,all=note"}, ""},
	    {{"lint", "a", "--lint=all=off"}, ""},
	    {{"lint", "a", "--lint=all=of"}, "--lint: expected RULE=error, warning, note or off; got \"all=of\""},
	    {{"lint", "a", "--lint=all=errors"},
	     "--lint: expected RULE=error, warning, note or off; got \"all=errors\""},
	    {{"lint", "a", "--lint=all="}, "--lint: expected RULE=error, warning, note or off; got \"all=\""},
	    {{"lint", "a", "--lint=all=note,nonuniform=x"},
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
		const char *why = refused((const char *const[]){"x", "lint", "a", option, NULL});
		assert_memory_equal(why, "--lint: expected all, ", 22);
		assert_non_null(strstr(why, names[i]));
	}
	arg_read_arguments(&a, 5,
			   (char *[]){(char[]){"x"}, (char[]){"lint"}, (char[]){"a"}, (char[]){"--suppress=a*"},
				      (char[]){"--suppress=SPB5001@m"}, NULL},
			   NULL);
	assert_string_equal(a.program.library.uniformity.suppress, "a*,SPB5001@m");
	arg_free_arguments(&a);
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
		char *argv[] = {(char[]){"x"}, (char[]){"layout"}, (char[]){"a"}, option, NULL};
		snprintf(option, sizeof option, "%s", forms[i].option);
		arg_read_arguments(&a, 4, argv, NULL);
		assert_int_equal(a.messages.diagnostics, forms[i].form);
		assert_int_equal(a.program.library.uniformity.lint_all, forms[i].lint_all);
		assert_int_equal(a.messages.diagnostics_file != NULL, forms[i].file != NULL);
		if (forms[i].file)
			assert_string_equal(a.messages.diagnostics_file, forms[i].file);
		arg_free_arguments(&a);
	}
	assert_string_equal(refused((const char *const[]){"x", "layout", "a", "--diagnostics=jso", NULL}),
			    "--diagnostics: expected text, json, sarif or github; got \"jso\"\n");
	put_file("log", log);
	a = (struct arguments){.program.lint.baseline = "log"};
	assert_int_equal(arg_read_baseline(&a), EXIT_DONE);
	assert_string_equal(a.program.library.uniformity.baseline, "0123456789abcdef\nfedcba9876543210\n");
	free(a.program.lint.baseline_text);
	static const char *const others[] = {"", "x", "{}", "[]", "{\"runs\":{}}"};
	for (size_t i = 0; i < COUNT(others); i++) {
		put_file("log", others[i]);
		assert_int_equal(arg_read_baseline(&a), EXIT_IO);
		assert_string_equal(causes(), "log:1:1: error: this is not a SARIF log\n");
	}
	a.program.lint.baseline = "none";
	assert_int_equal(arg_read_baseline(&a), EXIT_IO);
	assert_string_equal(causes(), "spirv-bind: error: cannot read none: No such file or directory\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(verbs_accept_only_their_options),
	    TEST(each_standard_stream_has_one_use),
	    TEST(locks_and_handles_need_what_belongs_to_them),
	    TEST(batches_need_names_for_their_files),
	    TEST(files_have_one_use),
	    TEST(resolvers_are_not_overwritten),
	    TEST(words_are_options_or_inputs),
	    TEST(options_that_decide_modules_are_recorded),
	    TEST(heap_models_set_all_their_options),
	    TEST(policies_are_ordered_by_precedence),
	    TEST(options_of_the_lint_are_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
