/* SPDX-License-Identifier: Apache-2.0 */
/* Many programs in one run: progress, statuses; and whole runs in this process, of which one program fails, or comes
 * from the cache. */
#include <dirent.h>
#include <fcntl.h>
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
#include "cli/jobs/jobs.h"
#include "runs.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Statuses */

static void library_statuses_map_to_exit_statuses(void **state)
{
	static const char memory[] = "spirv-bind: error: out of memory\n",
			  internal[] = "spirv-bind: error: internal error\n";
	static const struct {
		spb_status status;
		int exit, of_options;
		const char *said, *of_options_said;
	} rows[] = {{SPB_OK, EXIT_DONE, EXIT_DONE, "", ""},
		    {SPB_ERROR_OUT_OF_MEMORY, EXIT_IO, EXIT_IO, memory, memory},
		    {SPB_ERROR_INTERNAL, EXIT_REFUSED, EXIT_REFUSED, internal, internal},
		    {SPB_ERROR_INVALID_ARGUMENT, EXIT_REFUSED, EXIT_USAGE, internal, ""},
		    {SPB_ERROR_INVALID_SPIRV, EXIT_REFUSED, EXIT_REFUSED, "", ""},
		    {SPB_ERROR_UNSUPPORTED, EXIT_REFUSED, EXIT_REFUSED, "", ""},
		    {SPB_ERROR_CONFLICT, EXIT_REFUSED, EXIT_REFUSED, "", ""},
		    {SPB_ERROR_VALIDATION, EXIT_REFUSED, EXIT_REFUSED, "", ""},
		    {SPB_ERROR_NONUNIFORM, EXIT_REFUSED, EXIT_REFUSED, "", ""}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(msg_exit_of(rows[i].status), rows[i].exit);
		assert_string_equal(causes(), rows[i].said);
		assert_int_equal(msg_exit_of_options(rows[i].status), rows[i].of_options);
		assert_string_equal(causes(), rows[i].of_options_said);
	}
}

/* Threads */

static long cores; /* as reported by the system */

long __wrap_os_cores(void);
long __wrap_os_cores(void)
{
	return cores;
}

static void one_thread_per_core_by_default(void **state)
{
	static const struct {
		long cores;
		unsigned told, threads;
	} rows[] = {{-1, 0, 1}, {0, 0, 1}, {1, 0, 1}, {2, 0, 2}, {64, 0, 64}, {-1, 3, 3}, {2, 1, 1}, {2, 9, 9}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cores = rows[i].cores;
		assert_int_equal(cli_threads(rows[i].told), rows[i].threads);
	}
}

/* Progress */

static void progress_is_a_line_a_second(void **state)
{
	struct progress p;

	(void)state;
	for (enum progress_mode mode = PROGRESS_AUTO; mode <= PROGRESS_ALWAYS; mode++) {
		job_begin_progress(&p, mode); /* stderr is a file */
		assert_int_equal(p.on, mode == PROGRESS_ALWAYS);
		assert_true(!p.terminal && !p.visible);
	}
	assert_true(p.begun > 0 && p.last == p.begun);
	job_show_progress(&p, 1, 2, 0);
	assert_string_equal(said(), "");
	p.last -= 0.5;
	job_show_progress(&p, 1, 2, 0);
	assert_string_equal(said(), "");
	p.begun = os_seconds() - 10.01;
	p.last -= 0.6;
	job_show_progress(&p, 20, 40, 0);
	assert_string_equal(causes(), "20 of 40 programs, 2/s\n");
	job_show_progress(&p, 30, 40, 0); /* too early */
	assert_string_equal(said(), "");
	assert_false(p.visible);
	job_clear_progress(&p);
	job_end_progress(&p, 40, 40, 3);
	assert_string_equal(causes(), "40 of 40 programs, 3 failed, 4/s\n");
	p.on = false;
	p.last -= 5;
	job_show_progress(&p, 1, 2, 0);
	job_end_progress(&p, 1, 2, 0);
	assert_string_equal(said(), "");
}

static void progress_on_a_terminal_is_one_line(void **state)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), there = -1;
	char text[500];
	struct progress p;

	(void)state;
	if (terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal))
		there = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(there >= 0);
	fflush(stderr);
	int file = dup(STDERR_FILENO);
	dup2(there, STDERR_FILENO);
	for (enum progress_mode mode = PROGRESS_AUTO; mode <= PROGRESS_ALWAYS; mode++) {
		job_begin_progress(&p, mode);
		assert_int_equal(p.on, mode != PROGRESS_NEVER);
	}
	assert_true(p.terminal);
	p.begun = os_seconds() - 10.01;
	p.last -= 0.05;
	job_show_progress(&p, 10, 40, 0); /* too early */
	assert_false(p.visible);
	p.last -= 0.06;
	job_show_progress(&p, 20, 40, 0);
	assert_true(p.visible);
	p.last -= 0.2;
	job_show_progress(&p, 30, 40, 1);
	job_clear_progress(&p);
	assert_false(p.visible);
	job_clear_progress(&p);
	job_end_progress(&p, 40, 40, 1);
	assert_false(p.visible);
	fflush(stderr);
	dup2(file, STDERR_FILENO);
	close(file);
	size_t size = 0;
	for (ssize_t n = 1; n > 0 && !memchr(text, '\n', size); size += n > 0 ? (size_t)n : 0)
		n = read(terminal, text + size, sizeof text - 1 - size);
	close(there);
	close(terminal);
	text[size] = '\0';
	assert_string_equal(text, "20 of 40 programs, 2/s"
				  "\r\033[K30 of 40 programs, 1 failed, 3/s"
				  "\r\033[K40 of 40 programs, 1 failed, 4/s\r\n");
}

/* Runs */

static const char text[] = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
			   "OpExecutionMode %main LocalSize 1 1 1\nOpName %s \"s\"\n%void = OpTypeVoid\n"
			   "%fn = OpTypeFunction %void\n%sampler = OpTypeSampler\n"
			   "%ptr = OpTypePointer UniformConstant %sampler\n%s = OpVariable %ptr UniformConstant\n"
			   "%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";

/* A module with one sampler and so many bytes of unused strings. */
static void put_module(const char *path, size_t bytes)
{
	put_padded(path, text, bytes);
}

#define TABLE "set  binding  count  type                    name\n0    0        1      sampler                 s\n"

static void failures_are_reported_and_the_others_are_bound(void **state)
{
	(void)state;
	put_module("a.spv", 0);
	put_module("c.spv", 0);
	put_file("b.spv", "xxxx");
	assert_int_equal(RUN("--each", "a.spv", "b.spv", "c.spv", "--out-dir=o"), EXIT_REFUSED);
	assert_string_equal(printed, "");
	assert_non_null(strstr(told, "b.spv:1:1: error: "));
	assert_true(os_is_there("o/a.spv") && !os_is_there("o/b.spv") && os_is_there("o/c.spv"));
	assert_int_equal(VERB("layout", "--each", "a.spv", "b.spv", "c.spv"), EXIT_REFUSED);
	assert_string_equal(printed, "a:\n" TABLE "c:\n" TABLE);
	assert_int_equal(VERB("layout", "--each", "a.spv", "b.spv", "c.spv", "--fail-fast"), EXIT_REFUSED);
	assert_string_equal(printed, "a:\n" TABLE);
	assert_int_equal(RUN("--each", "a.spv", "b.spv", "c.spv", "--out-dir=p", "--fail-fast"), EXIT_REFUSED);
	assert_true(os_is_there("p/a.spv") && !os_is_there("p/c.spv"));
	assert_int_equal(RUN("--each", "a.spv", "none.spv", "c.spv", "--out-dir=q"), EXIT_IO);
	assert_string_equal(told, "spirv-bind: error: cannot read none.spv: No such file or directory\n");
	assert_true(os_is_there("q/a.spv") && os_is_there("q/c.spv"));
	/* It is reported once, and in order. */
	put_module("d.spv", 0), put_module("e.spv", 0), put_module("f.spv", 0), put_module("g.spv", 0);
	assert_int_equal(
	    VERB("layout", "--each", "a.spv", "none.spv", "c.spv", "d.spv", "e.spv", "f.spv", "g.spv", "--heap-set=3"),
	    EXIT_IO);
	const char *once = strstr(told, "spirv-bind: error: cannot read none.spv: No such file or directory\n");
	assert_true(once && once > strstr(told, "a.spv:1:1: warning: ") && once < strstr(told, "c.spv:1:1: warning: "));
	assert_null(strstr(once + 1, "spirv-bind: error: cannot read"));
	assert_int_equal(CHECK("--each", "a.spv", "c.spv", "-v"), EXIT_DIFFERENT);
	assert_string_equal(told, "a.spv:1:1: error: not in its final form\na.spv:1:1: note: Run spirv-bind on it.\n"
				  "a.spv:1:1: note: \"s\" has no number and would get set 0, binding 0\n"
				  "c.spv:1:1: error: not in its final form\nc.spv:1:1: note: Run spirv-bind on it.\n"
				  "c.spv:1:1: note: \"s\" has no number and would get set 0, binding 0\n");
	assert_int_equal(CHECK("--each", "o/a.spv", "o/c.spv", "-v"), EXIT_DONE);
	assert_string_equal(told, "spirv-bind: in its final form: o/a.spv\nspirv-bind: in its final form: o/c.spv\n");
}

/* Assembly becomes a module before its program is bound. */
static void text_is_assembled(void **state)
{
	(void)state;
	put_file("a.spvasm", text);
	put_file("b.spvasm", "OpNone");
	assert_int_equal(RUN("a.spvasm", "-o", "a"), EXIT_DONE);
	assert_int_equal(VERB("layout", "a.spvasm"), EXIT_DONE);
	assert_string_equal(printed, TABLE);
	assert_int_equal(RUN("b.spvasm", "-o", "b"), EXIT_REFUSED);
	assert_non_null(strstr(told, "b.spvasm"));
	assert_int_equal(VERB("layout", "--each", "a.spvasm"), EXIT_DONE);
	assert_string_equal(printed, "a.spvasm:\n" TABLE);
}

/* Files that are not modules: text, by the first 4096 bytes, and files that are too short. */
static void inputs_that_are_not_modules_are_refused(void **state)
{
	enum { LETTERS, SIZE, MODULE };
	static const char *const wanted[] = {
	    "m:1:1: error: this is text, and neither its name nor -S says what shader it is [SPB1001]\n"
	    "m:1:1: note: If it is GLSL or HLSL, give its stage with -S or in the name, as in lit.frag.hlsl.\n",
	    "m:1:1: error: the size is not a multiple of 4 bytes [SPB1001]\n"
	    "m:1:1: note: The file is truncated: make it again.\n",
	    NULL}; /* the parser reports the fault */
	static const struct {
		const char *bytes;
		size_t size;
		int is;
	} rows[] = {{"", 0, MODULE},
		    {"x", 1, LETTERS},
		    {"abcd", 4, LETTERS},
		    {"abcde", 5, LETTERS},
		    {"\t\n\v\f", 4, LETTERS},
		    {"\r\x80 ~", 4, LETTERS},
		    {"abc\x7f", 4, MODULE},
		    {"ab\x1f"
		     "c",
		     4, MODULE},
		    {"abc\0", 4, MODULE},
		    {"abcd\0", 5, SIZE},
		    {"\x03\x02\x23", 3, SIZE},
		    {"\x03\x02\x23\x07", 4, MODULE}};
	char path[] = "m", large[4100];

	(void)state;
	for (size_t i = 0; i < COUNT(rows) + 2; i++) {
		bool is_large = i >= COUNT(rows);
		int is = is_large ? (i == COUNT(rows) ? MODULE : LETTERS) : rows[i].is;
		memset(large, 'x', sizeof large);
		large[i == COUNT(rows) ? 4095 : 4096] = 1;
		FILE *f = fopen(path, "wb");
		assert_non_null(f);
		fwrite(is_large ? large : rows[i].bytes, 1, is_large ? sizeof large : rows[i].size, f);
		fclose(f);
		assert_int_equal(VERB("layout", "m"), EXIT_REFUSED);
		if (wanted[is])
			assert_string_equal(told, wanted[is]);
		else
			assert_true(strstr(told, "m:1:1: error: ") && !strstr(told, "looks like") &&
				    !strstr(told, "multiple of 4"));
	}
}

static void failed_writes_are_reported_and_the_others_are_written(void **state)
{
	(void)state;
	put_module("a.spv", 0);
	put_module("b.spv", 0);
	put_module("c.spv", 0);
	assert_int_equal(mkdir("o", 0700) | mkdir("o/b.spv", 0700), 0);
	for (int stopping = 0; stopping < 2; stopping++) {
		const char *more = stopping ? "--fail-fast" : "--progress=never";
		assert_int_equal(RUN("--each", "a.spv", "b.spv", "c.spv", "c.spv.spv", "--out-dir=o", more), EXIT_IO);
		assert_string_equal(told,
				    stopping ? "spirv-bind: error: cannot write o/b.spv: Is a directory\n"
					     : "spirv-bind: error: cannot write o/b.spv: Is a directory\n"
					       "spirv-bind: error: cannot read c.spv.spv: No such file or directory\n");
		assert_true(os_is_there("o/a.spv"));
		assert_int_equal(os_is_there("o/c.spv"), !stopping);
		unlink("o/a.spv"), unlink("o/c.spv");
	}
	/* For one program, it comes last. */
	put_module("d.spv", 0), put_module("e.spv", 0);
	assert_int_equal(RUN("--each", "b.spv", "c.spv", "d.spv", "e.spv", "--out-dir=o", "--heap-set=3"), EXIT_IO);
	const char *why = strstr(told, "spirv-bind: error: cannot write o/b.spv: Is a directory\n"),
		   *of_b = strstr(told, "b.spv:1:1: warning: "), *of_c = strstr(told, "c.spv:1:1: warning: ");
	assert_true(of_b && of_b < why && why < of_c);
	assert_int_equal(RUN("--each", "a.spv", "b.spv", "c.spv", "--out-dir=o", "--progress=always"), EXIT_IO);
	const char *last = strstr(told, "3 of 3 programs, 1 failed, ");
	assert_non_null(last);
	assert_string_equal(last + strlen(last) - 3, "/s\n");
}

/* The cache */

static unsigned entries(const char *path)
{
	DIR *all = opendir(path);
	unsigned count = 0;

	assert_non_null(all);
	for (const struct dirent *e; (e = readdir(all));)
		count += e->d_name[0] != '.';
	closedir(all);
	return count;
}

/* Changes the contents of each entry, and its digest, so that results from the cache can be recognised. */
static void change_entries(const char *path, const char *from, const char *to)
{
	DIR *all = opendir(path);
	char name[600];

	assert_non_null(all);
	for (const struct dirent *e; (e = readdir(all));) {
		size_t size, length = strlen(from);
		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, e->d_name);
		unsigned char *bytes = cli_read_own_file(name, &size);
		for (size_t i = DIGEST; i + length <= size; i++) {
			if (!memcmp(bytes + i, from, length))
				memcpy(bytes + i, to, length);
		}
		struct spb_blake2 b;
		spb_blake2_begin(&b);
		for (int i = 0; i < DIGEST; i++) { /* the key is the name */
			const char digits[] = {e->d_name[2 * i], e->d_name[2 * i + 1], '\0'};
			const unsigned char byte = (unsigned char)strtoul(digits, NULL, 16);
			spb_blake2_add(&b, &byte, 1);
		}
		spb_blake2_add(&b, bytes + DIGEST, size - DIGEST);
		spb_blake2_end(&b, bytes);
		FILE *f = fopen(name, "wb");
		assert_non_null(f);
		fwrite(bytes, 1, size, f);
		fclose(f);
		free(bytes);
	}
	closedir(all);
}

static void cached_results_are_reported_and_written_again(void **state)
{
	(void)state;
	put_module("a.spv", 0);
	put_module("b.spv", 240000);
	assert_int_equal(RUN("--each", "a.spv", "b.spv", "--out-dir=o", "--layout-json=o/%.json", "-v", "--cache=c"),
			 EXIT_DONE);
	assert_string_equal(told, "spirv-bind: wrote o/a.spv\nspirv-bind: wrote o/a.json\n"
				  "spirv-bind: wrote o/b.spv\nspirv-bind: wrote o/b.json\n");
	assert_int_equal(entries("c"), 2);
	assert_int_equal(RUN("--each", "a.spv", "b.spv", "--out-dir=o", "--layout-json=o/%.json", "-v", "--cache=c"),
			 EXIT_DONE);
	assert_string_equal(told, "spirv-bind: unchanged: o/a.spv\nspirv-bind: unchanged: o/a.json\n"
				  "spirv-bind: unchanged: o/b.spv\nspirv-bind: unchanged: o/b.json\n");
	assert_int_equal(entries("c"), 2);
	assert_int_equal(VERB("layout", "--each", "a.spv", "--cache=c"), EXIT_DONE);
	assert_string_equal(printed, "a:\n" TABLE);
	assert_int_equal(entries("c"), 3);
	change_entries("c", "sampler  ", "CACHED   ");
	assert_int_equal(VERB("layout", "--each", "a.spv", "--cache=c"), EXIT_DONE);
	assert_non_null(strstr(printed, "CACHED   "));
	assert_null(strstr(printed, "sampler"));
	assert_int_equal(RUN("--each", "a.spv", "none.spv", "--out-dir=p", "--layout-json=o/%.json", "--cache=c"),
			 EXIT_IO);
	assert_string_equal(told, "spirv-bind: error: cannot read none.spv: No such file or directory\n");
	assert_int_equal(entries("c"), 3);
	char *layout = taken("o/b.json");
	assert_non_null(strstr(layout, "\"file\": \"b.spv\""));
	free(layout);
	assert_true(os_is_there("p/a.spv"));
}

/* Reports of programs without outputs are cached, too. */
static void results_with_messages_only_are_cached(void **state)
{
	static const char *const verbs[] = {"explain", "lint"};
	static const char *const reports[] = {"s: set 0, binding 0", ""};

	(void)state;
	put_module("a.spv", 0);
	for (unsigned i = 0; i < COUNT(verbs); i++) {
		for (int again = 0; again < 2; again++) {
			assert_int_equal(VERB(verbs[i], "--each", "a.spv", "--cache=c"), EXIT_DONE);
			assert_string_equal(told, "");
			assert_non_null(strstr(printed, reports[i]));
			assert_int_equal(entries("c"), i + 1);
		}
	}
	put_file("b.spv", "xxxx");
	for (unsigned i = 0; i < COUNT(verbs); i++) {
		for (int again = 0; again < 2; again++) { /* failures are not cached */
			assert_int_equal(VERB(verbs[i], "--each", "a.spv", "b.spv", "--cache=c"), EXIT_REFUSED);
			assert_non_null(strstr(told, "b.spv:1:1: error: "));
			assert_int_equal(entries("c"), 2);
		}
		assert_int_equal(VERB(verbs[i], "--each", "a.spv"), EXIT_DONE); /* without a cache */
		assert_non_null(strstr(printed, reports[i]));
	}
	assert_int_equal(chmod("c", 0777), 0);
	assert_int_equal(VERB("layout", "--each", "a.spv", "--cache=c"), EXIT_IO);
	assert_string_equal(told, "spirv-bind: error: cannot use c as a cache: others can write to it\n"
				  "spirv-bind: note: They could put in what was never bound: use chmod go-w.\n");
}

/* Manifests */

#define HEADER                                                                                                         \
	"# Numbers that do not move; spirv-bind --update-lock writes this file. When git merges it,\n"                 \
	"# keep the lines of both sides.\nlock version=2\nshare set=0\n"
#define LINE_S "resource s program=* set=0 binding=0 kind=sampler\n"
#define LINE_T "resource t program=* set=0 binding=1 kind=sampler\n"

/* Two programs that share set 0: sky has s, and is of the first part of two; a has t, and is of the second. */
static void put_programs(void)
{
	char other[sizeof text];

	put_module("s.spv", 0);
	memcpy(other, text, sizeof text);
	*strstr(other, "\"s\"") = '"';
	strstr(other, "\"s\"")[1] = 't';
	put_padded("t.spv", other, 0);
	put_file("m", "share set=0\nprogram sky: s.spv\nprogram a: t.spv\n");
}

static void assert_contents(const char *path, const char *wanted)
{
	char *found = cli_read_text_file(path);

	assert_string_equal(found, wanted);
	free(found);
}

#define MANIFEST(...) RUN("-mm", __VA_ARGS__)

static void programs_of_a_manifest_share_numbers(void **state)
{
	static const char *const wrote[] = {"spirv-bind: wrote o/s.spv\n"
					    "spirv-bind: wrote o/t.spv\n",
					    "spirv-bind: unchanged: o/s.spv\nspirv-bind: unchanged: o/t.spv\n"};

	(void)state;
	put_programs();
	for (int again = 0; again < 3; again++) { /* the last time, from the cache */
		assert_int_equal(MANIFEST("--out-dir=o", again ? "--cache=c" : "--progress=never", "--lock=l",
					  "--update-lock", "-v"),
				 EXIT_DONE);
		assert_string_equal(told, wrote[again > 0]);
		assert_contents("l", HEADER LINE_S LINE_T);
		if (again)
			assert_int_equal(entries("c"), 4); /* facts and modules of each */
	}
	assert_int_equal(CHECK("-mm", "--lock=l"), EXIT_DIFFERENT);
	assert_string_equal(told, "s.spv:1:1: error: not in its final form\ns.spv:1:1: note: Run spirv-bind on it.\n"
				  "s.spv:1:1: note: \"s\" has no number and would get set 0, binding 0\n"
				  "t.spv:1:1: error: not in its final form\nt.spv:1:1: note: Run spirv-bind on it.\n"
				  "t.spv:1:1: note: \"t\" has no number and would get set 0, binding 1\n");
	put_file("l", HEADER LINE_S);
	/* A program whose number is not in the lock is not bound. */
	assert_int_equal(CHECK("-mm", "--lock=l"), EXIT_DIFFERENT);
	assert_string_equal(
	    told,
	    "m:3:1: error: the lock file does not have the numbers of program a\nm:3:1: note: "
	    "spirv-bind lock update writes them.\n"
	    "l:1:1: error: "
	    "the lock file would change (-: now, +: then)\nl:1:1: note: spirv-bind lock update writes it.\n+ " LINE_T
	    "s.spv:1:1: error: not in its final form\ns.spv:1:1: note: Run spirv-bind on it.\n"
	    "s.spv:1:1: note: \"s\" has no number and would get set 0, binding 0\n");
	assert_int_equal(VERB("lock", "check", "-mm", "--lock=l"), EXIT_DIFFERENT);
	assert_string_equal(
	    told,
	    "m:3:1: error: the lock file does not have the numbers of program a\nm:3:1: note: "
	    "spirv-bind lock update writes them.\n"
	    "l:1:1: error: "
	    "the lock file would change (-: now, +: then)\nl:1:1: note: spirv-bind lock update writes it.\n+ " LINE_T);
	assert_contents("l", HEADER LINE_S);
	assert_int_equal(VERB("lock", "update", "-mm", "--lock=l"), EXIT_DONE);
	assert_string_equal(told, "");
	assert_contents("l", HEADER LINE_S LINE_T);
	assert_int_equal(VERB("lock", "check", "-mm", "--lock=l"), EXIT_DONE);
}

/* Runs that write the lock wait for each other by a file next to it; other runs do not need that file. */
static void only_a_run_that_writes_the_lock_is_alone(void **state)
{
	(void)state;
	put_programs();
	assert_int_equal(MANIFEST("--lock=l", "--update-lock", "--out-dir=o"), EXIT_DONE);
	assert_false(os_is_there(".l.guard"));
	assert_int_equal(mkdir(".l.guard", 0700), 0);
	assert_int_equal(MANIFEST("--lock=l", "--update-lock", "--out-dir=o"), EXIT_IO);
	assert_string_equal(told, "spirv-bind: error: cannot lock .l.guard: Is a directory\n");
	assert_int_equal(MANIFEST("--lock=l", "--out-dir=o"), EXIT_DONE);
	assert_int_equal(MANIFEST("--lock=l", "--locked", "--out-dir=o"), EXIT_DONE);
	assert_int_equal(VERB("lock", "check", "-mm", "--lock=l"), EXIT_DONE);
	assert_int_equal(CHECK("-mm", "--lock=l"), EXIT_DIFFERENT);
	assert_null(strstr(told, "cannot lock"));
	assert_true(os_is_there(".l.guard"));
}

static void parts_of_a_manifest_are_combined(void **state)
{
	(void)state;
	put_programs();
	assert_int_equal(VERB("collect", "-mm", "--shard=1/2", "-of1"), EXIT_DONE);
	assert_int_equal(VERB("collect", "-mm", "--shard=2/2", "-of2"), EXIT_DONE);
	assert_int_equal(VERB("decide", "-mm", "f1", "f2", "--lock=l"), EXIT_DONE);
	assert_contents("l", HEADER LINE_S LINE_T);
	assert_string_equal(told, "");
	assert_int_equal(VERB("lock", "part", "-mm", "--shard=2/2", "-opart", "--lock=l"), EXIT_DONE);
	assert_contents("part", HEADER LINE_S LINE_T);
	assert_int_equal(MANIFEST("--shard=2/2", "--lock=part", "--out-dir=o", "-v"), EXIT_DONE);
	assert_string_equal(told, "spirv-bind: wrote o/t.spv\n");
	assert_int_equal(VERB("lock", "part", "-mm", "--shard=2/2", "-onone/part", "--lock=l"), EXIT_IO);
	assert_string_equal(told, "spirv-bind: error: cannot write none/part: No such file or directory\n");
	assert_int_equal(VERB("decide", "-mm", "f1", "none", "--lock=l"), EXIT_IO);
	assert_string_equal(told, "spirv-bind: error: cannot read none: No such file or directory\n");
	assert_int_equal(VERB("decide", "-mm", "f1", "--lock=new"), EXIT_REFUSED);
	assert_false(os_is_there("new"));
}

static void fail_fast_stops_the_other_programs(void **state)
{
	(void)state;
	put_programs();
	assert_int_equal(MANIFEST("--out-dir=o", "--layout-json=none/l.json"), EXIT_IO); /* before any module */
	assert_string_equal(told, "spirv-bind: error: cannot write none/l.json: No such file or directory\n");
	assert_false(os_is_there("o/t.spv"));
	put_file("s.spv", "xxxx");
	for (int stopping = 0; stopping < 2; stopping++) {
		assert_int_equal(
		    MANIFEST("--out-dir=o", "--lock=l", "--update-lock", stopping ? "--fail-fast" : "--progress=never"),
		    EXIT_REFUSED);
		assert_non_null(strstr(told, "s.spv:1:1: error: "));
		assert_int_equal(os_is_there("o/t.spv"), !stopping);
		assert_int_equal(os_is_there("l"), !stopping);
		unlink("o/t.spv"), unlink("l");
	}
	put_file("m", "program sky: s.spv\nprogram a: t.spv\n"); /* these share nothing */
	assert_int_equal(MANIFEST("--out-dir=o"), EXIT_REFUSED);
	assert_true(os_is_there("o/t.spv") && !os_is_there("l"));
	put_file("o/s.spv", "");
	put_file("m", "program a: t.spv -o s.spv/t.spv");
	assert_int_equal(MANIFEST("--out-dir=o"), EXIT_IO);
	assert_string_equal(told, "m:1:1: error: cannot write o/s.spv/t.spv: Not a directory\n");
	put_file("m", "program a: t.spv -o s.spv/t/t.spv");
	assert_int_equal(MANIFEST("--out-dir=o"), EXIT_IO);
	assert_string_equal(told, "m:1:1: error: cannot create the directory o/s.spv/t: Not a directory\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(library_statuses_map_to_exit_statuses),
	    TEST(one_thread_per_core_by_default),
	    TEST(progress_is_a_line_a_second),
	    TEST(progress_on_a_terminal_is_one_line),
	    TEST(failures_are_reported_and_the_others_are_bound),
	    TEST(text_is_assembled),
	    TEST(inputs_that_are_not_modules_are_refused),
	    TEST(failed_writes_are_reported_and_the_others_are_written),
	    TEST(cached_results_are_reported_and_written_again),
	    TEST(results_with_messages_only_are_cached),
	    TEST(programs_of_a_manifest_share_numbers),
	    TEST(only_a_run_that_writes_the_lock_is_alone),
	    TEST(parts_of_a_manifest_are_combined),
	    TEST(fail_fast_stops_the_other_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
