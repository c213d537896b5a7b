/* SPDX-License-Identifier: Apache-2.0 */
/* Runs over a manifest: their status, messages and files, also when an allocation fails. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/workspace/manifest.h"
#include "in_folder.h"
#include "scarce.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double seconds; /* that pass at each reading of the clock; 0: the real clock */

double __real_os_seconds(void);
double __wrap_os_seconds(void);
double __wrap_os_seconds(void)
{
	static double now;

	now += seconds;
	return seconds > 0 ? now : __real_os_seconds();
}

static size_t blocks; /* size from which on they are returned to the system */

void __real_os_return_blocks(size_t bytes);
void __wrap_os_return_blocks(size_t bytes);
void __wrap_os_return_blocks(size_t bytes)
{
	assert_true(bytes == 8 * 1024 * 1024 || bytes == 1024 * 1024); /* over a manifest */
	blocks = bytes;
}

static int turn; /* how often this process has locked the workspace */

/* One call of the workspace fails. */
enum { EVERYTHING_IS_ANSWERED = -1 };
static int unanswered = EVERYTHING_IS_ANSWERED;

const char *__real_spb_workspace_text(spb_workspace *w, spb_workspace_text_kind kind, const char *argument,
				      size_t *length);
const char *__wrap_spb_workspace_text(spb_workspace *w, spb_workspace_text_kind kind, const char *argument,
				      size_t *length);
const char *__wrap_spb_workspace_text(spb_workspace *w, spb_workspace_text_kind kind, const char *argument,
				      size_t *length)
{
	if (kind == SPB_WORKSPACE_PROGRAM_LOCK)
		assert_int_equal(turn, 1);
	*(length ? length : &(size_t){0}) = 0;
	return (int)kind == unanswered ? NULL : __real_spb_workspace_text(w, kind, argument, length);
}

spb_status __real_spb_workspace_add_facts(spb_workspace *w, const char *program, const char *facts, const char *name);
spb_status __wrap_spb_workspace_add_facts(spb_workspace *w, const char *program, const char *facts, const char *name);
spb_status __wrap_spb_workspace_add_facts(spb_workspace *w, const char *program, const char *facts, const char *name)
{
	assert_int_equal(turn, program != NULL);
	return __real_spb_workspace_add_facts(w, program, facts, name);
}

static pthread_mutex_t *turn_of_run;
static int mutexes; /* that have not been destroyed */

int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	turn_of_run = turn_of_run ? turn_of_run : mutex; /* the first one of a run */
	mutexes++;
	return __real_pthread_mutex_init(mutex, attributes);
}

int __real_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	mutexes--;
	return __real_pthread_mutex_destroy(mutex);
}

/* The lock file is written before modules. */
int __real_ws_make_folders(const struct program_list *b);
int __wrap_ws_make_folders(const struct program_list *b);
int __wrap_ws_make_folders(const struct program_list *b)
{
	assert_false(os_is_there(".l.guard"));
	return __real_ws_make_folders(b);
}

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int status = __real_pthread_mutex_lock(mutex);

	turn += mutex == turn_of_run; /* while it is held, since other threads count, too */
	return status;
}

int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	turn -= mutex == turn_of_run;
	return __real_pthread_mutex_unlock(mutex);
}

int spb_command(int argc, char **argv); /* the main of the command */

/* The status of a run whose allocation with this number fails (0: none); *failed: whether that happened. */
static int run(const char *const *words, long failing, bool *failed)
{
	char *argv[30] = {NULL};
	int count = 0;

	for (; words[count]; count++)
		argv[count] = strdup(words[count]);
	turn_of_run = NULL;
	mutexes = 0;
	fflush(stdout);
	int before = dup(STDOUT_FILENO), to = open("printed", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(to, STDOUT_FILENO);
	close(to);
	begin_scarcity(failing);
	int status = spb_command(count, argv);
	*failed = end_scarcity();
	fflush(stdout);
	dup2(before, STDOUT_FILENO);
	close(before);
	assert_int_equal(mutexes, 0);
	assert_int_equal(turn, 0);
	assert_int_equal(scarce_.out_count, 0);
	for (int i = 0; i < count; i++)
		free(argv[i]);
	return status;
}

/* Each allocation of a run fails: the run reports it, or writes the same file as with enough memory. NULL: no file is
 * checked. */
static void assert_memory_may_end(const char *const *words, int wanted, const char *file)
{
	bool failed;
	long refused = 0;
	int status = run(words, 0, &failed); /* the next one has a lock file */

	assert_int_equal(status, wanted);
	status = run(words, 0, &failed);
	char *whole = file ? taken(file) : NULL;

	assert_int_equal(status, wanted);
	said();
	failed = true;
	for (long number = 1; failed; number++) {
		status = run(words, number, &failed);
		const char *why = said();
		assert_true(status == wanted || status == EXIT_IO);
		assert_true(status == EXIT_IO ? !failed || strstr(why, "memory\n") : !strstr(why, "memory\n"));
		refused += status == EXIT_IO;
		if (file && status == EXIT_IO) /* without the programs that fail */
			unlink(file);
		if (!file || status == EXIT_IO)
			continue;
		char *found = taken(file);
		assert_string_equal(found, whole);
		free(found);
	}
	assert_int_equal(status, wanted);
	assert_true(refused > 10);
	free(whole);
}

#define OP(length, op) ((length) << 16 | (op))

/* A compute shader that has a texture, %2 "a". */
static const uint32_t module[] = {
    0x07230203, 0x00010300,                                  /* magic number, version, */
    0,          9,          0,                               /* generator, bound, schema */
    OP(2, 17),  1,                                           /* OpCapability Shader */
    OP(3, 14),  0,          1,                               /* OpMemoryModel Logical GLSL450 */
    OP(5, 15),  5,          1,    0x6E69616D, 0,             /* OpEntryPoint GLCompute %1 "main" */
    OP(6, 16),  1,          17,   1,          1, 1,          /* OpExecutionMode %1 LocalSize 1 1 1 */
    OP(3, 5),   2,          0x61,                            /* OpName %2 "a" */
    OP(2, 19),  3,                                           /* %3 = OpTypeVoid */
    OP(3, 33),  4,          3,                               /* %4 = OpTypeFunction %3 */
    OP(3, 22),  5,          32,                              /* %5 = OpTypeFloat 32 */
    OP(9, 25),  6,          5,    1,          0, 0, 0, 1, 0, /* %6 = OpTypeImage %5 2D 0 0 0 1 Unknown */
    OP(4, 32),  7,          0,    6,                         /* %7 = OpTypePointer UniformConstant %6 */
    OP(4, 59),  7,          2,    0,                         /* %2 = OpVariable %7 UniformConstant */
    OP(5, 54),  3,          1,    0,          4,             /* %1 = OpFunction %3 None %4 */
    OP(2, 248), 8,                                           /* %8 = OpLabel */
    OP(1, 253), OP(1, 56)};                                  /* OpReturn, OpFunctionEnd */

enum { DIMENSION = 35 }; /* its word */

#define HEAD                                                                                                           \
	"# Numbers that do not move; spirv-bind --update-lock writes this file. When git merges it,\n"                 \
	"# keep the lines of both sides.\n"                                                                            \
	"lock version=2\n"
#define LOCK HEAD "share set=0\nresource a program=* set=0 binding=0 kind=texture\n"
#define DIFFERS_FROM(place, other, scope)                                                                              \
	place ": error: \"a\" has another type here than in program " other " [SPB4031]\n" place                       \
	      ": note: It is one descriptor of all programs that share set 0 (" scope                                  \
	      "): make the declarations equal, "                                                                       \
	      "rename one, or do not share the set.\n"
#define NOT_LOCKED(place, name)                                                                                        \
	place ": error: the lock file does not have the numbers of program " name "\n" place                           \
	      ": note: spirv-bind lock update writes them.\n"
#define NOT_FINAL_SHORT(name) name ".spv:1:1: error: not in its final form\n"
#define NOT_FINAL_AT(name, binding)                                                                                    \
	NOT_FINAL_SHORT(name)                                                                                          \
	name ".spv:1:1: note: Run spirv-bind on it.\n" name                                                            \
	     ".spv:1:1: note: \"a\" has no number and would get set 0, binding " binding "\n"
#define NOT_FINAL(name)             NOT_FINAL_AT(name, "0")
#define CANNOT_READ_AT(place, name) place ": error: cannot read " name ": No such file or directory\n"
#define CANNOT_READ(name)           CANNOT_READ_AT("spirv-bind", name)
#define NO_LOCK(name)               CANNOT_READ(name) "spirv-bind: note: Write it with spirv-bind lock update.\n"

static void put_module(const char *path, const uint32_t *words)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(words, 1, sizeof module, f), sizeof module);
	fclose(f);
}

/* Two programs with the same texture, one with another, and manifests. */
static void put_programs(void)
{
	static const char *const names[] = {"sky.spv", "sea.spv", "sun.spv"};
	uint32_t words[COUNT(module)];

	memcpy(words, module, sizeof module);
	assert_int_equal(words[DIMENSION], 1);
	for (size_t i = 0; i < COUNT(names); i++) {
		words[DIMENSION] = i < 2 ? 1 : 2;
		put_module(names[i], words);
	}
#define TWO "program sky: sky.spv\nprogram sea: sea.spv\n"
	put_file("m", "share set=0\noptions --order=module\n" TWO);
	put_file("differing", "share set=0\nprogram sun: sun.spv\n" TWO);
	put_file("missing", "share set=0\nprogram bad: none.spv\n" TWO);
	put_file("apart", TWO);
	put_file("gone", "share set=0\nprogram sky: none.spv\nprogram sea: none.spv -o other\n");
	put_file("family", "program sky: sky.spv\nprogram sun: sun.spv variant-of=sky\n");
	put_file("resolved", "program sky: sky.spv --resolver=none.spv\nprogram sea: sea.spv\n");
	put_file("empty.lock", "lock version=2\n");
	put_file("bad.lock", "lock version=99\n");
	put_file("sea.lock", "lock version=2\nresource a program=sea set=0 binding=7 kind=texture\n");
	put_file("sea2.lock", "lock version=2\nresource a program=sea set=0 binding=7 kind=texture\n");
	put_file("far.lock", HEAD "share set=0\nresource a program=* set=0 binding=5 kind=texture\n");
	put_file("s", LOCK);
	assert_int_equal(symlink("x", ".s.guard"), 0);
}

#define RUN(m, ...)   ((const char *const[]){"x", "-m" m, "-j1", "--validate=none", __VA_ARGS__, NULL})
#define CHECK(m, ...) ((const char *const[]){"x", "check", "-m" m, "-j1", "--validate=none", __VA_ARGS__, NULL})
/* Verbs that validate nothing. */
#define VERB(...) ((const char *const[]){"x", __VA_ARGS__, "-j1", NULL})

static void allocations_may_fail_in_a_run(void **state)
{
	(void)state;
	put_programs();
	assert_memory_may_end(RUN("m", "--out-dir=out", "--lock=l", "--update-lock", "--layout-json=all.json"),
			      EXIT_DONE, "all.json");
	assert_memory_may_end(CHECK("m", "--lock=l"), EXIT_DIFFERENT, NULL);
	assert_memory_may_end(VERB("lock", "check", "-mm", "--lock=l"), EXIT_DONE, NULL);
	assert_memory_may_end(VERB("collect", "-mm", "-opart"), EXIT_DONE, "part");
	bool failed;
	assert_int_equal(run(VERB("collect", "-mm", "-opart", "--layout-json=all.json"), 0, &failed), EXIT_USAGE);
	assert_int_equal(run(VERB("collect", "-mm", "-opart"), 0, &failed), EXIT_DONE);
	assert_int_equal(run(RUN("m", "--out-dir=out", "--layout-json=all.json"), 0, &failed), EXIT_DONE);
	said();
	assert_memory_may_end(VERB("decide", "-mm", "part", "--lock=k"), EXIT_DONE, "k");
	assert_memory_may_end(VERB("lock", "part", "-mm", "-olines", "--lock=l"), EXIT_DONE, "lines");
	assert_memory_may_end(CHECK("m", "--lock=l", "--against=all.json", "--cache=cache"), EXIT_DIFFERENT, NULL);
	assert_memory_may_end(
	    RUN("m", "--out-dir=out", "--lock=l", "--report=page", "--against=all.json", "--cache=cache"), EXIT_DONE,
	    "page");
	assert_int_equal(blocks, 1024 * 1024);
	assert_memory_may_end((const char *const[]){"x", "lock", "merge", "l", "l", "l", NULL}, EXIT_DONE, NULL);
}

static void assert_contents(const char *path, const char *contents)
{
	size_t size;
	unsigned char *found = cli_read_own_file(path, &size);

	assert_non_null(found);
	assert_int_equal(size, strlen(contents));
	assert_memory_equal(found, contents, size);
	free(found);
}

/* For a single program, not for a batch. */
static void assert_many_inputs_return_smaller_blocks(void)
{
	enum { FEW = 16 };
	const char *words[FEW + 5] = {"x", "check", "--validate=none"};
	static char names[FEW + 1][8];
	bool failed;

	for (size_t i = 0; i <= FEW; i++) {
		snprintf(names[i], sizeof names[i], "%c.spv", (char)('a' + i));
		put_module(names[i], module);
		words[3 + i] = i < FEW ? names[i] : NULL;
	}
	assert_int_equal(run(words, 0, &failed), EXIT_DIFFERENT);
	assert_int_equal(blocks, 8 * 1024 * 1024);
	words[3 + FEW] = names[FEW];
	assert_int_equal(run(words, 0, &failed), EXIT_DIFFERENT);
	assert_int_equal(blocks, 1024 * 1024);
	words[2] = "--each";
	run(words, 0, &failed);
	assert_int_equal(blocks, 8 * 1024 * 1024);
	said();
}

/* For one program, and for a batch. */
static void allocations_may_fail_in_other_runs(void **state)
{
	(void)state;
	put_programs();
	put_file("words", "--out-dir=o --layout-json=%.json");
#define ONE(...) ((const char *const[]){"x", "sky.spv", "--validate=none", __VA_ARGS__, NULL})
	assert_memory_may_end(ONE("-o", "o.spv", "--depfile=d", "--stamp=s", "--lock=one.lock", "--update-lock"),
			      EXIT_DONE, "d");
	assert_int_equal(blocks, 8 * 1024 * 1024);
	assert_many_inputs_return_smaller_blocks();
	assert_memory_may_end(ONE("sea.spv", "--out-dir=o", "--depfile=d"), EXIT_DONE, "d");
	assert_memory_may_end(ONE("-o", "o.spv", "--layout-json=j", "--layout-header=h.h", "--layout-glsl=h.glsl"),
			      EXIT_DONE, "h.h");
	assert_memory_may_end(ONE("-o", "o.spv", "--report=p", "--record-options"), EXIT_DONE, "p");
	assert_memory_may_end(ONE("-o", "o.spv", "--diagnostics=sarif:log", "--rebind=all"), EXIT_DONE, "o.spv");
	put_file("log", "{\"runs\": [{\"results\": [{\"partialFingerprints\": {\"spirv-bind/v1\": \"0123\"}}]}]}");
	assert_memory_may_end(VERB("explain", "sky.spv"), EXIT_DONE, NULL);
	assert_memory_may_end(VERB("layout", "sky.spv"), EXIT_DONE, NULL);
	assert_memory_may_end(VERB("lint", "sky.spv", "--baseline=log", "--suppress=barriers", "--suppress=*@t"),
			      EXIT_DONE, NULL);
	assert_memory_may_end(ONE("-o", "o.spv", "--dump-after=unsize-arrays"), EXIT_DONE, NULL);
	assert_memory_may_end(ONE("sea.spv", "--each", "@words", "-j1", "--cache=c"), EXIT_DONE, NULL);
}

/* Status, messages and files of runs. */
static void runs_do_what_they_can(void **state)
{
	static const struct {
		const char *words[8];
		int status;
		const char *said, *there, *missing; /* names of files, separated by blanks */
		const char *file, *contents;        /* of one of them */
	} rows[] = {
	    {{"-mm", "--out-dir=a", "--lock=l", "--update-lock"}, EXIT_DONE, "", "a/sky.spv a/sea.spv", "", "l", LOCK},
	    {{"collect", "-mm", "-opart"},
	     EXIT_DONE,
	     "",
	     "",
	     "",
	     "part",
	     "collected version=1\nprogram sea\n"
	     "resource a set=0 binding=0 place=open kind=texture type=840211cd125ed50b\n"
	     "program sky\n"
	     "resource a set=0 binding=0 place=open kind=texture type=840211cd125ed50b\n"},
	    {{"decide", "-mm", "part", "--lock=k"}, EXIT_DONE, "", "", "", "k", LOCK},
	    {{"lock", "part", "-mm", "-olines", "--lock=l"}, EXIT_DONE, "", "", "", "lines", LOCK},
	    {{"check", "-mm", "--lock=no"}, EXIT_IO, NO_LOCK("no"), "", "no", NULL, NULL},
	    {{"-mm", "--out-dir=b", "--lock=empty.lock", "--locked"},
	     EXIT_DIFFERENT,
	     NOT_LOCKED("m:3:1", "sky") NOT_LOCKED(
		 "m:4:1", "sea") "empty.lock:1:1: error: the lock file would change (-: now, +: "
				 "then)\nempty.lock:1:1: note: spirv-bind lock update writes it.\n+ resource a "
				 "program=* set=0 binding=0 kind=texture\n+ share set=0\n",
	     "",
	     "b/sky.spv b/sea.spv",
	     "empty.lock",
	     "lock version=2\n"},
	    {{"check", "-mm", "--lock=l"}, EXIT_DIFFERENT, NOT_FINAL("sky") NOT_FINAL("sea"), "", "", NULL, NULL},
	    {{"-mm", "--out-dir=c", "--lock=l", "--locked"}, EXIT_DONE, "", "c/sky.spv c/sea.spv", "", NULL, NULL},
	    {{"-mm", "--out-dir=d", "--lock=no", "--locked"}, EXIT_IO, NO_LOCK("no"), "", "d no", NULL, NULL},
	    {{"-mm", "--out-dir=e", "--layout-json=j", "--report=p"}, EXIT_DONE, "", "e/sky.spv j p", "", NULL, NULL},
	    {{"-mm", "--out-dir=d", "--report=q", "--against=no"}, EXIT_IO, CANNOT_READ("no"), "", "d q", NULL, NULL},
	    {{"check", "-mm", "--against=no"}, EXIT_IO, CANNOT_READ("no"), "", "d", NULL, NULL},
	    {{"-mapart", "--out-dir=f"}, EXIT_DONE, "", "f/sky.spv f/sea.spv", "", NULL, NULL},
	    {{"-mdiffering", "--out-dir=g", "--lock=h", "--update-lock"},
	     EXIT_REFUSED,
	     DIFFERS_FROM("differing:3:1", "sun", "*") DIFFERS_FROM("differing:4:1", "sun", "*"),
	     "g/sun.spv",
	     "g/sky.spv g/sea.spv",
	     "h",
	     LOCK},
	    {{"-mdiffering", "--out-dir=d", "--lock=no", "--update-lock", "--fail-fast"},
	     EXIT_REFUSED,
	     DIFFERS_FROM("differing:3:1", "sun", "*") DIFFERS_FROM("differing:4:1", "sun", "*"),
	     "",
	     "d no",
	     NULL,
	     NULL},
	    {{"-mm", "--out-dir=o", "--lock=far.lock", "--layout-json=far"},
	     EXIT_DONE,
	     "",
	     "o/sky.spv far",
	     "",
	     NULL,
	     NULL},
	    {{"check", "-mm", "--against=far"},
	     EXIT_DIFFERENT,
	     "",
	     "",
	     "d",
	     "printed",
	     "set 0 of programs *: differs\n    binding 0 \"a\": new\n    binding 5 \"a\": removed\n"},
	    {{"check", "-mm", "--against=far", "--lock=far.lock"},
	     EXIT_DIFFERENT,
	     NOT_FINAL_AT("sky", "5") NOT_FINAL_AT("sea", "5"),
	     "",
	     "",
	     "printed",
	     "set 0 of programs *: identical\n"},
	    {{"decide", "-mgone", "part", "--lock=kk"}, EXIT_DONE, "", "", "", "kk", LOCK},
	    {{"-mapart", "--out-dir=o", "--lock=sea.lock", "--locked"},
	     EXIT_DIFFERENT,
	     NOT_LOCKED("apart:1:1",
			"sky") "sea.lock:1:1: error: the lock file would change (-: now, +: then)\nsea.lock:1:1: note: "
			       "spirv-bind lock update writes it.\n+ resource a "
			       "program=sky set=0 binding=0 kind=texture\n",
	     "",
	     "",
	     NULL,
	     NULL},
	    {{"-mapart", "--out-dir=o2", "--lock=sea.lock", "--locked"},
	     EXIT_DIFFERENT,
	     NULL,
	     "o2/sea.spv",
	     "o2/sky.spv",
	     NULL,
	     NULL},
	    {{"-mapart", "--out-dir=o", "--lock=sea.lock", "--update-lock", "--programs=sky"},
	     EXIT_DONE,
	     "",
	     "",
	     "",
	     "sea.lock",
	     HEAD "resource a program=sea set=0 binding=7 kind=texture\n"
		  "resource a program=sky set=0 binding=0 kind=texture\n"},
	    {{"-mapart", "--out-dir=o", "--lock=sea2.lock", "--update-lock", "--shard=1/2"},
	     EXIT_DONE,
	     "",
	     "",
	     "",
	     "sea2.lock",
	     HEAD "resource a program=sea set=0 binding=7 kind=texture\n"
		  "resource a program=sky set=0 binding=0 kind=texture\n"},
	    {{"-mapart", "--out-dir=o", "--lock=both", "--update-lock"},
	     EXIT_DONE,
	     "",
	     "",
	     "",
	     "both",
	     HEAD "resource a program=sea set=0 binding=0 kind=texture\n"
		  "resource a program=sky set=0 binding=0 kind=texture\n"},
	    {{"collect", "-mapart", "-opp"}, EXIT_DONE, "", "pp", "", NULL, NULL},
	    {{"-mapart", "--out-dir=o", "--layout-json=pj"}, EXIT_DONE, "", "pj", "", NULL, NULL},
	    {{"check", "-mapart", "--against=far"},
	     EXIT_DIFFERENT,
	     "",
	     "",
	     "d",
	     "printed",
	     "set 0 of programs *: differs\n    binding 5 \"a\": removed\n"},
	    {{"-mfamily", "--out-dir=q"},
	     EXIT_REFUSED,
	     DIFFERS_FROM("family:2:1", "sky", "sky"),
	     "q/sky.spv",
	     "q/sun.spv",
	     NULL,
	     NULL},
	    {{"-mdiffering", "--out-dir=r"},
	     EXIT_REFUSED,
	     DIFFERS_FROM("differing:3:1", "sun", "*") DIFFERS_FROM("differing:4:1", "sun", "*"),
	     "r/sun.spv",
	     "r/sea.spv",
	     NULL,
	     NULL},
	    {{"check", "-mdiffering", "--against=far"},
	     EXIT_REFUSED,
	     DIFFERS_FROM("differing:3:1", "sun", "*") DIFFERS_FROM("differing:4:1", "sun", "*") NOT_FINAL("sun"),
	     "",
	     "",
	     "printed",
	     ""},
	    {{"check", "-mmissing", "--against=far", "-q"},
	     EXIT_IO,
	     CANNOT_READ_AT("missing:2:1", "none.spv") NOT_FINAL_SHORT("sky") NOT_FINAL_SHORT("sea"),
	     "",
	     "",
	     NULL,
	     NULL},
	    {{"-mm", "--out-dir=t", "--cache=cache"}, EXIT_DONE, "", "t/sky.spv cache", "", NULL, NULL},
	    {{"-mm", "--out-dir=d", "--cache=m/x"},
	     EXIT_IO,
	     "spirv-bind: error: cannot use m/x as a cache: Not a directory\n",
	     "",
	     "d",
	     NULL,
	     NULL},
	    {{"-mm", "--out-dir=m/x"},
	     EXIT_IO,
	     "m:3:1: error: cannot create the directory m/x: Not a directory\n",
	     "",
	     "",
	     NULL,
	     NULL},
	    {{"-mm", "--out-dir=u", "--fail-fast"}, EXIT_DONE, "", "u/sky.spv u/sea.spv", "", NULL, NULL},
	    {{"-mm", "--out-dir=d", "--lock=bad.lock"}, EXIT_USAGE, NULL, "", "d", NULL, NULL},
	    /* a run that writes no lock file takes no guard; this one could not be taken */
	    {{"-mm", "--out-dir=v", "--lock=s", "--locked"}, EXIT_DONE, "", "v/sky.spv", "", NULL, NULL},
	    {{"check", "-mm", "--lock=s"}, EXIT_DIFFERENT, NOT_FINAL("sky") NOT_FINAL("sea"), "", "", NULL, NULL},
	    {{"-mm", "--out-dir=d", "--lock=s", "--update-lock"},
	     EXIT_IO,
	     "spirv-bind: error: cannot lock .s.guard: Too many levels of symbolic links\n",
	     "",
	     "d",
	     NULL,
	     NULL},
	    {{"-mresolved", "--out-dir=d"}, EXIT_IO, CANNOT_READ_AT("resolved:1:1", "none.spv"), "", "d", NULL, NULL},
	    {{"lint", "-mdiffering"}, EXIT_DONE, "", "", "", NULL, NULL},
	    {{"-mmissing", "--out-dir=i", "--lock=n", "--update-lock"},
	     EXIT_IO,
	     CANNOT_READ_AT("missing:2:1", "none.spv"),
	     "i/sky.spv i/sea.spv",
	     "i/none.spv",
	     "n",
	     LOCK},
	    {{"-mmissing", "--out-dir=d", "--lock=no", "--update-lock", "--fail-fast"},
	     EXIT_IO,
	     CANNOT_READ_AT("missing:2:1", "none.spv"),
	     "",
	     "d no",
	     NULL,
	     NULL}};
	bool failed;

	(void)state;
	put_programs();
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *words[12] = {"x"};
		char names[100], *rest = NULL;
		size_t count = 1;
		memcpy(words + 1, rows[i].words, sizeof rows[i].words);
		while (words[count])
			count++;
		words[count++] = "-j1";
		if (*words[1] == '-' || !strcmp(words[1], "check"))
			words[count] = "--validate=none";
		int status = run(words, 0, &failed);
		const char *why = said();
		assert_string_equal(why, rows[i].said ? rows[i].said : why);
		assert_int_equal(status, rows[i].status);
		for (int missing = 0; missing < 2; missing++) {
			snprintf(names, sizeof names, "%s", missing ? rows[i].missing : rows[i].there);
			for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
				assert_int_equal(os_is_there(name), !missing);
		}
		if (!rows[i].file)
			continue;
		assert_contents(rows[i].file, rows[i].contents);
	}
}

/* The workspace has no answer if memory runs out. */
static void failed_programs_write_nothing(void **state)
{
	static const struct {
		spb_workspace_text_kind kind;
		const char *words[5];
	} rows[] = {{SPB_WORKSPACE_LAYOUT_JSON, {"-mm", "--out-dir=d", "--layout-json=no"}},
		    {SPB_WORKSPACE_LAYOUT_JSON, {"check", "-mm", "--against=far"}},
		    {SPB_WORKSPACE_REPORT, {"-mm", "--out-dir=d", "--report=no"}},
		    {SPB_WORKSPACE_FACTS, {"collect", "-mm", "-ono", "-v"}},
		    {SPB_WORKSPACE_PART_OF_LOCK, {"lock", "part", "-mm", "-ono", "--lock=s"}}};
	bool failed;

	(void)state;
	put_programs();
	assert_int_equal(run(RUN("m", "--out-dir=o", "--layout-json=far"), 0, &failed), EXIT_DONE);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *const *w = rows[i].words;
		unanswered = (int)rows[i].kind;
		int status =
		    run(VERB(w[0], w[1], w[2] ? w[2] : "-v", w[3] ? w[3] : "-v", w[4] ? w[4] : "-v"), 0, &failed);
		unanswered = EVERYTHING_IS_ANSWERED;
		assert_int_equal(status, EXIT_IO);
		assert_string_equal(said(), "spirv-bind: error: out of memory\n");
		assert_false(os_is_there("no") || os_is_there("d"));
	}
}

/* A line for each program where each takes a second, and one for all. */
static void progress_is_shown(void **state)
{
	bool failed;

	(void)state;
	put_programs();
	seconds = 1;
	int status = run(RUN("missing", "--out-dir=o", "--progress=always"), 0, &failed);
	seconds = 0;
	assert_int_equal(status, EXIT_IO);
	assert_string_equal(
	    said(), CANNOT_READ_AT("missing:2:1", "none.spv") "1 of 3 programs, 1 failed, 1/s\n"
							      "2 of 3 programs, 1 failed, 1/s\n"
							      "3 of 3 programs, 1 failed, 1/s\n"
							      "3 of 3 programs, 1 failed, 1/s\n" /* and bound: */
							      "1 of 3 programs, 1/s\n"
							      "2 of 3 programs, 1/s\n"
							      "3 of 3 programs, 1/s\n"
							      "3 of 3 programs, 1/s\n");
}

#define X(name, binding) "resource " name " program=x set=0 binding=" binding " kind=texture\n"

/* The second file becomes the merge of both sides. */
static void locks_are_merged_into_ours(void **state)
{
	static const char wrong[] = "%s:1: error: no line begins with \"x\" [SPB4011]\n"
				    "%s:1: note: Expected resource, removed, heap, shift, push, share or rename.\n";
	static const char *const texts[] = {"lock version=2\n" X("a", "0") X("e", "4"),
					    "lock version=2\n" X("a", "0") X("b", "1") X("e", "4"),
					    "lock version=2\n" X("c", "2") X("e", "4")};
	static const char *const files[] = {"base", "ours", "branch.lock"}, *const places[] = {"the common ancestor:2",
											       "ours:2",
											       "branch.lock:2"};
	const char *const words[] = {"x", "lock", "merge", "base", "ours", "branch.lock", NULL};
	char message[300];
	bool failed;

	(void)state;
	for (size_t bad = 0; bad < 2 * COUNT(files); bad++) {
		for (size_t i = 0; i < COUNT(files); i++)
			put_file(files[i], bad == i ? "lock version=2\nx\n" : texts[i]);
		size_t missing = bad - COUNT(files);
		if (bad >= COUNT(files))
			unlink(files[missing]);
		assert_int_equal(run(words, 0, &failed), bad < COUNT(files) ? EXIT_USAGE : EXIT_IO);
		if (bad < COUNT(files))
			snprintf(message, sizeof message, wrong, places[bad], places[bad]);
		else
			snprintf(message, sizeof message,
				 "spirv-bind: error: cannot read %s: No such file or directory\n", files[missing]);
		assert_string_equal(said(), message);
		if (bad != 1 && missing != 1)
			assert_contents("ours", texts[1]);
	}
	for (size_t i = 0; i < COUNT(files); i++)
		put_file(files[i], texts[i]);
	assert_int_equal(run(words, 0, &failed), EXIT_DONE);
	assert_string_equal(said(), "");
	assert_contents("base", texts[0]);
	assert_contents("ours", HEAD X("b", "1") X("c", "2") X("e", "4"));
	assert_contents("branch.lock", texts[2]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(allocations_may_fail_in_a_run), TEST(allocations_may_fail_in_other_runs),
	    TEST(runs_do_what_they_can),         TEST(progress_is_shown),
	    TEST(failed_programs_write_nothing), TEST(locks_are_merged_into_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
