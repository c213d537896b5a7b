/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the command: messages and their records, names of files, folders, lists of programs, differences. */
#include <errno.h>
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

#include "cli/args/args.h"
#include "cli/jobs/jobs.h"
#include "in_folder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns what a function writes to stderr. */
static char *said_while(void (*run)(void *), void *argument)
{
	fflush(stderr);
	int before = dup(STDERR_FILENO), to = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(before >= 0 && to >= 0);
	dup2(to, STDERR_FILENO);
	run(argument);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(to);
	close(before);
	return taken("stderr");
}

/* Messages */

static const spb_message_note some_notes[] = {
    {.text = "t1",
     .module = "o.spv",
     .file = "f1",
     .line = 21,
     .column = 22,
     .word_offset = 23,
     .id = 24,
     .name = "n1"},
    {.text = "t2", .module = "m.spv", .file = "", .line = 31, .column = 32, .word_offset = 33, .id = 34, .name = "n2"}};
static const spb_message full = {.struct_size = sizeof full,
				 .severity = SPB_SEVERITY_ERROR,
				 .code = 5001,
				 .module = "m.spv",
				 .pass = "pass",
				 .text = "text",
				 .word_offset = 11,
				 .id = 12,
				 .op = "OpLoad",
				 .name = "name",
				 .function = "main",
				 .file = "a.glsl",
				 .line = 13,
				 .column = 14,
				 .end_column = 15,
				 .rule = "nonuniform",
				 .fingerprint = "0123456789abcdef",
				 .remedy = "remedy",
				 .note_count = 2,
				 .notes = some_notes,
				 .justification = "because"};

static spb_message with(spb_severity severity, spb_finding finding)
{
	spb_message m = full;

	m.severity = severity;
	m.finding = finding;
	m.note_count = severity == SPB_SEVERITY_ERROR ? 2 : 0;
	return m;
}

enum { CALLS = 7 };

static void call(unsigned number)
{
	static const spb_finding findings[] = {SPB_FINDING_NEW, SPB_FINDING_KNOWN, SPB_FINDING_SUPPRESSED,
					       SPB_FINDING_ALLOWED};
	spb_message m;

	switch (number) {
	case 4:
		msg_report_error("file", 1001, "check", "text", "more\n");
		break;
	case 5:
		msg_report_error("file", 0, "", "text", "");
		break;
	case 6:
		msg_say(SPB_SEVERITY_WARNING, WORDS("one ", "", "two"));
		break;
	default:
		m = with((spb_severity)(number % 3), findings[number]);
		msg_report(NULL, &m);
		break;
	}
}

struct telling {
	enum diagnostics form;
	const char *bytes; /* NULL: all calls */
	size_t size;
	bool whole;
};

static void tell(void *argument)
{
	struct telling *t = argument;
	const struct msg_options a = {.diagnostics = t->form, .diagnostics_file = "log"};

	assert_true(msg_begin(&a));
	if (t->bytes)
		t->whole = msg_replay(t->bytes, t->size);
	if (t->bytes)
		assert_int_equal(msg_is_record(t->bytes, t->size), t->whole);
	for (unsigned i = 0; !t->bytes && i < CALLS; i++)
		call(i);
	assert_int_equal(msg_end(EXIT_DONE), EXIT_DONE);
}

static void begin_some_record(struct record *r)
{
	assert_true(msg_open_record(r));
	msg_begin_recording(r);
	assert_true(msg_is_recording() && msg_current_record() == r && msg_out() == r->out);
}

static void recorded_messages_are_replayed(void **state)
{
	struct record r;

	(void)state;
	begin_some_record(&r);
	for (unsigned i = 0; i < CALLS; i++)
		call(i);
	assert_true(msg_end_recording(&r));
	assert_true(!msg_is_recording() && !msg_current_record() && msg_out() == stdout);
	for (enum diagnostics form = DIAGNOSTICS_TEXT; form <= DIAGNOSTICS_GITHUB; form++) {
		struct telling directly = {.form = form}, again = {.form = form, .bytes = r.bytes, .size = r.size};
		char *said = said_while(tell, &directly), *log = taken("log");
		char *said_again = said_while(tell, &again), *log_again = taken("log");
		assert_true(again.whole);
		assert_string_equal(said, said_again);
		assert_string_equal(log, log_again);
		assert_true(strlen(log) > 100);
		free(said), free(said_again), free(log), free(log_again);
	}
	msg_close_record(&r);
}

/* A record from a file may be forged: it is replayed up to the first fault. */
static void invalid_records_are_detected(void **state)
{
	size_t ends[CALLS + 1] = {0};
	struct record r;

	(void)state;
	begin_some_record(&r);
	for (unsigned i = 0; i < CALLS; i++) {
		call(i);
		ends[i + 1] = r.size;
	}
	assert_true(msg_end_recording(&r));
	for (size_t size = 0; size <= r.size; size++) {
		char *part = malloc(size + 1); /* so that memcheck detects reads past the end */
		assert_non_null(part);
		memcpy(part, r.bytes, size);
		struct telling t = {.form = DIAGNOSTICS_JSON, .bytes = part, .size = size};
		free(said_while(tell, &t));
		char *log = taken("log");
		size_t lines = 0, whole = 0;
		for (const char *c = log; *c; c++)
			lines += *c == '\n';
		while (whole < CALLS && ends[whole + 1] <= size)
			whole++;
		assert_int_equal(lines, whole);
		assert_int_equal(t.whole, ends[whole] == size);
		free(log);
		free(part);
		if (size > 400 && size + 1 < r.size)
			size += 6;
	}
	msg_close_record(&r);
}

/* The offset of the numbers of a message in its record, after its texts. */
static size_t numbers_at(const char *bytes)
{
	size_t at = sizeof(uint32_t);

	for (int i = 0; i < 11; i++) {
		uint32_t size;
		memcpy(&size, bytes + at, sizeof size);
		at += sizeof size + size;
	}
	return at;
}

static bool is_whole_with(struct record *r, size_t at, uint32_t number)
{
	struct telling t = {.form = DIAGNOSTICS_JSON, .bytes = r->bytes, .size = r->size};
	uint32_t before;

	memcpy(&before, r->bytes + at, sizeof before);
	memcpy(r->bytes + at, &number, sizeof number);
	free(said_while(tell, &t));
	free(taken("log"));
	memcpy(r->bytes + at, &before, sizeof before);
	return t.whole;
}

static void invalid_numbers_in_records_are_detected(void **state)
{
	struct record r;

	(void)state;
	begin_some_record(&r);
	call(0);
	size_t at = numbers_at(r.bytes), second = r.size;
	call(6);
	assert_true(msg_end_recording(&r));
	assert_true(is_whole_with(&r, 0, 0));
	for (uint32_t kind = 1; kind < 5; kind++) /* another kind of call, or an unknown one */
		assert_false(is_whole_with(&r, 0, kind));
	for (uint32_t severity = 0; severity < 5; severity++) {
		assert_int_equal(is_whole_with(&r, at, severity), severity <= SPB_SEVERITY_NOTE);
		assert_int_equal(is_whole_with(&r, second + 4, severity), severity <= SPB_SEVERITY_NOTE);
		assert_int_equal(is_whole_with(&r, at + 28, severity), severity <= SPB_FINDING_ALLOWED);
	}
	for (uint32_t notes = 0; notes < 5; notes++)
		assert_int_equal(is_whole_with(&r, at + 32, notes), notes == 2);
	assert_false(is_whole_with(&r, at + 32, UINT32_MAX));
	const uint32_t nothing = 3; /* an unknown call */
	struct telling alone = {.form = DIAGNOSTICS_JSON, .bytes = (const char *)&nothing, .size = sizeof nothing};
	free(said_while(tell, &alone));
	free(taken("log"));
	assert_false(alone.whole);
	assert_false(is_whole_with(&r, 4, 0)); /* the length of a text, with its end */
	assert_false(is_whole_with(&r, 4, 5));
	assert_false(is_whole_with(&r, 4, UINT32_MAX));
	msg_close_record(&r);
}

static void a_record_is_used_again(void **state)
{
	struct record r;

	(void)state;
	begin_some_record(&r);
	for (int i = 0; i < 50; i++)
		call(0);
	fputs("a longer text", msg_out());
	assert_true(msg_end_recording(&r));
	assert_int_equal(r.printed_size, 13);
	msg_begin_recording(&r);
	assert_int_equal(r.size, 0);
	msg_say(SPB_SEVERITY_NOTE, WORDS("x"));
	fputs("short", msg_out());
	assert_true(msg_end_recording(&r));
	assert_int_equal(r.printed_size, 5);
	assert_memory_equal(r.printed, "short", 5);
	assert_int_equal(r.size, 3 * sizeof(uint32_t) + 2);
	r.incomplete = true;
	assert_false(msg_end_recording(&r));
	msg_begin_recording(&r); /* discards the incomplete record */
	assert_true(msg_end_recording(&r));
	msg_close_record(&r);
}

/* Texts */

static char *put(const char *text, const char *special)
{
	char *bytes = NULL;
	size_t size;
	FILE *to = open_memstream(&bytes, &size);

	assert_non_null(to);
	if (special)
		msg_put_escaped(to, text, special);
	else
		msg_put_text(to, text);
	fclose(to);
	return bytes;
}

static void assert_put(const char *text, const char *special, const char *wanted)
{
	char *bytes = put(text, special);

	assert_string_equal(bytes, wanted);
	free(bytes);
}

static void encode(char *to, uint32_t point)
{
	if (point < 0x80)
		sprintf(to, "%c", point);
	else if (point < 0x800)
		sprintf(to, "%c%c", 0xC0 | point >> 6, 0x80 | (point & 0x3F));
	else if (point < 0x10000)
		sprintf(to, "%c%c%c", 0xE0 | point >> 12, 0x80 | (point >> 6 & 0x3F), 0x80 | (point & 0x3F));
	else
		sprintf(to, "%c%c%c%c", 0xF0 | point >> 18, 0x80 | (point >> 12 & 0x3F), 0x80 | (point >> 6 & 0x3F),
			0x80 | (point & 0x3F));
}

/* The last character before each harmful range, its ends, and the first after it. */
static void harmful_characters_become_question_marks(void **state)
{
	static const uint32_t kept[] = {0x20,   0x7E,   0xA0,   0x61B,  0x61D,   0x200D,  0x2010,
					0x2027, 0x202F, 0x2065, 0x206A, 0xFEFE,  0xFF00,  0x7FF,
					0x800,  0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF},
			      harmful[] = {1,      0x1F,   0x7F,   0x80,   0x9F,   0x61C,  0x200E, 0x200F,
					   0x2028, 0x202E, 0x2066, 0x2069, 0xFEFF, 0xD800, 0xDFFF, 0x110000};
	static const char *const broken[] = {"\x80",
					     "\xBF",
					     "\xC1\xBF",
					     "\xC3",
					     "\xE0\x9F\xBF",
					     "\xE2\x82",
					     "\xF0\x8F\xBF\xBF",
					     "\xF0\x90\x80",
					     "\xF8\x88\x80\x80\x80",
					     "\xFF",
					     "\xC3\xC3",
					     "\xE2\x28\xA1"};
	char text[16], wanted[32];

	(void)state;
	for (size_t i = 0; i < COUNT(kept); i++) {
		encode(text, kept[i]);
		assert_put(text, NULL, text);
	}
	for (size_t i = 0; i < COUNT(harmful); i++) {
		encode(text, harmful[i]);
		char *bytes = put(strcat(text, "x"), NULL);
		assert_true(bytes[0] == '?' && bytes[strlen(bytes) - 1] == 'x');
		assert_int_equal(strspn(bytes, "?x"), strlen(bytes));
		free(bytes);
	}
	for (size_t i = 0; i < COUNT(broken); i++) {
		size_t length = strlen(broken[i]);
		for (size_t k = 0; k < length; k++)
			wanted[k] = (unsigned char)broken[i][k] < 0x80 ? broken[i][k] : '?';
		wanted[length] = '\0';
		assert_put(broken[i], NULL, wanted);
	}
	assert_put("a%b\r\n:,\x01", "%\r\n:,", "a%25b%0D%0A%3A%2C?");
	assert_put("a%b:", "%", "a%25b:");
}

/* Names of files */

static void names_of_files_are_put_together(void **state)
{
	static const struct {
		const char *pattern, *name, *wanted;
	} patterns[] = {{"%", "a/b", "b"},       {"l/%.json", "x", "l/x.json"},
			{"a%b%c", "n", "anbnc"}, {"plain", "n", "plain"},
			{"", "n", ""},           {"%x", "a/", "x"}};
	static const struct {
		const char *directory, *path, *wanted;
	} insides[] = {{"d", "a/b.spv", "d/b.spv"},
		       {"d", "b", "d/b"},
		       {"d/e", "lit.frag", "d/e/lit.frag.spv"},
		       {"d", "x/lit.spvasm", "d/lit.spv"},
		       {"d", "lit.frag.spvasm", "d/lit.frag.spv"},
		       {"d", ".spvasm", "d/.spvasm"}};

	(void)state;
	for (size_t i = 0; i < COUNT(patterns); i++) {
		char *path = arg_expand_pattern(patterns[i].pattern, patterns[i].name);
		assert_string_equal(path, patterns[i].wanted);
		free(path);
	}
	for (size_t i = 0; i < COUNT(insides); i++) {
		const struct program_options p = {.modules.folder = insides[i].directory};
		char *path = cli_path_in(&p, insides[i].path);
		assert_string_equal(path, insides[i].wanted);
		free(path);
	}
	char *path = cli_beside("a/b/c", "d");
	assert_string_equal(path, "a/b/d");
	free(path);
	path = cli_beside("c", "d");
	assert_string_equal(path, "d");
	free(path);
	assert_string_equal(cli_base_of("a/b"), "b");
	assert_string_equal(cli_base_of("a/"), "");
	assert_string_equal(cli_base_of("a"), "a");
}

static void files_are_the_same_through_links(void **state)
{
	static const struct {
		const char *a, *b;
		bool same;
	} rows[] = {{"file", "file", true},
		    {"file", "./file", true},
		    {"file", "d/../file", true},
		    {"file", "other", false},
		    {"file", "d/file", false}, /* of the same name */
		    {"link", "file", true},
		    {"file", "link", true},
		    {"d/up", "file", true},
		    {"chain", "d/up", true},
		    {"absolute", "file", true},
		    {"link", "other", false},
		    {"new", "new", true}, /* files that do not exist */
		    {"new", "d/../new", true},
		    {"new", "d/new", false},
		    {"dangling", "d/new", true},
		    {"dangling", "new", false},
		    {"loop", "file", false},
		    {"loop", "loop", true},
		    {"nowhere/x", "nowhere/x", true},
		    {"nowhere/x", "x", false}};

	(void)state;
	char absolute[5000];
	snprintf(absolute, sizeof absolute, "%s/file", folder);
	put_file("file", "x");
	put_file("other", "x");
	mkdir("d", 0700);
	put_file("d/file", "x");
	assert_int_equal(symlink("file", "link") | symlink("../file", "d/up") | symlink("d/up", "chain") |
			     symlink(absolute, "absolute") | symlink("d/new", "dangling") | symlink("loop", "loop"),
			 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (cli_is_same_file(rows[i].a, rows[i].b) != rows[i].same)
			print_message("%s, %s\n", rows[i].a, rows[i].b);
		assert_int_equal(cli_is_same_file(rows[i].a, rows[i].b), rows[i].same);
		char *resolved = cli_resolve_path(rows[i].b);
		assert_int_equal(cli_leads_to(rows[i].a, resolved), rows[i].same);
		free(resolved);
	}
	char *resolved = cli_resolve_path("dangling"), *real = realpath("d", NULL);
	assert_memory_equal(resolved, real, strlen(real));
	assert_string_equal(resolved + strlen(real), "/new");
	free(real);
	free(resolved);
	resolved = cli_resolve_path("nowhere/x"); /* opening it will fail */
	assert_string_equal(resolved, "nowhere/x");
	free(resolved);
}

static void assert_folder(const char *path, bool there)
{
	struct stat st;

	assert_int_equal(!stat(path, &st) && S_ISDIR(st.st_mode), there);
}

static void folders_are_made_and_removed_with_those_above_them(void **state)
{
	unsigned made;

	(void)state;
	umask(022);
	assert_true(cli_make_path("a/b//c/", &made));
	assert_int_equal(made, 3);
	struct stat st;
	assert_true(!stat("a/b", &st) && (st.st_mode & 07777) == 0755);
	assert_folder("a/b/c", true);
	assert_true(cli_make_path("a/b/d", &made));
	assert_int_equal(made, 1);
	assert_true(cli_make_path("a/b", &made));
	assert_int_equal(made, 0);
	cli_remove_path("a/b", 0);
	assert_folder("a/b", true);
	cli_remove_path("a/b/d", 1);
	assert_folder("a/b/d", false);
	put_file("a/x", "");
	cli_remove_path("a/b//c/", 3); /* up to a folder that is not empty */
	assert_folder("a/b", false);
	assert_folder("a", true);
	assert_false(cli_make_path("a/x/y", &made)); /* a file is in the way */
	assert_int_equal(errno, ENOTDIR);
	char longer[400] = "n/o/";
	memset(longer + 4, 'p', 300);
	assert_false(cli_make_path(longer, &made)); /* the folders made before are removed */
	assert_int_equal(errno, ENAMETOOLONG);
	assert_folder("n", false);
	char absolute[5000];
	snprintf(absolute, sizeof absolute, "%s/q/r", folder);
	assert_true(cli_make_path(absolute, &made));
	assert_int_equal(made, 2);
	cli_remove_path(absolute, made);
	assert_folder("q", false);
	assert_folder(folder, true);
}

static void files_are_read_whole(void **state)
{
	static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 200000};
	size_t size;

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		char *bytes = malloc(sizes[i] + 1);
		assert_non_null(bytes);
		for (size_t k = 0; k < sizes[i]; k++)
			bytes[k] = (char)(k % 100 + 1);
		bytes[sizes[i]] = '\0';
		put_file("file", bytes);
		unsigned char *read = cli_read_own_file("file", &size);
		assert_int_equal(size, sizes[i]);
		assert_memory_equal(read, bytes, size);
		free(read);
		char *text = cli_read_text_file("file");
		assert_string_equal(text, bytes);
		free(text);
		free(bytes);
	}
	FILE *f = fopen("file", "wb");
	assert_non_null(f);
	fwrite("a\0b\0", 1, 4, f);
	fclose(f);
	char *text = cli_read_text_file("file");
	assert_string_equal(text, "a?b?");
	free(text);
}

static void read_something(void *path)
{
	size_t size;

	assert_null(cli_read_own_file(path, &size));
}

static void unreadable_files_are_reported(void **state)
{
	char directory[] = ".", missing[] = "missing";
	char *said = said_while(read_something, directory);

	(void)state;
	assert_string_equal(said, "spirv-bind: error: cannot read .: Is a directory\n");
	free(said);
	said = said_while(read_something, missing);
	assert_string_equal(said, "spirv-bind: error: cannot read missing: No such file or directory\n");
	free(said);
}

/* Programs */

static void the_more_severe_status_wins(void **state)
{
	static const int order[] = {EXIT_DONE, EXIT_DIFFERENT, EXIT_USAGE, EXIT_REFUSED, EXIT_IO};

	(void)state;
	for (size_t i = 0; i < COUNT(order); i++) {
		for (size_t k = 0; k < COUNT(order); k++)
			assert_int_equal(msg_more_severe(order[i], order[k]), order[i > k ? i : k]);
	}
}

/* Each program as NAME=INPUT,INPUT; */
static void assert_programs(struct arguments *a, const char *wanted)
{
	struct each_programs b;
	char found[2000] = "";

	assert_true(arg_list_programs(&b, a));
	for (size_t i = 0; i < b.count; i++) {
		snprintf(found + strlen(found), sizeof found - strlen(found), "%s=", b.items[i].name);
		for (size_t k = 0; k < b.items[i].input_count; k++)
			snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", k ? "," : "",
				 b.items[i].inputs[k]);
		strcat(found, ";");
	}
	assert_string_equal(found, wanted);
	arg_free_programs(&b);
}

static void inputs_of_one_stem_are_a_program(void **state)
{
	const char *inputs[] = {"lit.vert.spv", "a/lit.vert.spv", "lit.spv",  "lit.frag.spv", "sky.ps.spv",
				"lit.x.spv",    "sky.vs",         "vert.spv", ".vert.spv",    "a.b/c",
				"lit.tesc.spv", "lita.frag.spv",  "i.spv"};
	const char *imports[] = {"i.spv"};
	struct arguments a = {.program.inputs = inputs, .program.input_count = 12, .run.each = BATCH_INPUTS};

	(void)state;
	assert_programs(&a, "lit.vert=lit.vert.spv;a/lit.vert=a/lit.vert.spv;lit=lit.spv;lit.frag=lit.frag.spv;"
			    "sky.ps=sky.ps.spv;lit.x=lit.x.spv;sky.vs=sky.vs;vert=vert.spv;.vert=.vert.spv;a.b/c=a.b/c;"
			    "lit.tesc=lit.tesc.spv;lita.frag=lita.frag.spv;");
	a.run.each = BATCH_STEMS;
	assert_programs(&a, "lit=lit.vert.spv,lit.spv,lit.frag.spv,lit.tesc.spv;a/lit=a/lit.vert.spv;"
			    "sky=sky.ps.spv,sky.vs;lit.x=lit.x.spv;vert=vert.spv;.vert=.vert.spv;a.b/c=a.b/c;"
			    "lita=lita.frag.spv;");
	a.program.imports = imports;
	a.program.import_count = 1;
	a.program.input_count = 3;
	a.run.each = BATCH_INPUTS;
	assert_programs(&a, "lit.vert=lit.vert.spv,i.spv;a/lit.vert=a/lit.vert.spv,i.spv;");
}

static void each_stage_is_an_extension(void **state)
{
	static const char *const stages[] = {"vert", "tesc", "tese",  "geom",  "frag",  "comp",  "task", "mesh",
					     "rgen", "rint", "rahit", "rchit", "rmiss", "rcall", "vs",   "hs",
					     "ds",   "gs",   "ps",    "fs",    "cs",    "as",    "ms"};
	static const char *const others[] = {"ver", "vert2", "s", "vss", "glsl", "spv", "VERT"};

	(void)state;
	for (size_t i = 0; i < COUNT(stages) + COUNT(others); i++) {
		bool is_stage = i < COUNT(stages);
		const char *stage = is_stage ? stages[i] : others[i - COUNT(stages)];
		char path[40], wanted[100];
		snprintf(path, sizeof path, "x.%s.spv", stage);
		snprintf(wanted, sizeof wanted, "x%s%s=%s;", is_stage ? "" : ".", is_stage ? "" : stage, path);
		const char *inputs[] = {path};
		struct arguments a = {.program.inputs = inputs, .program.input_count = 1, .run.each = BATCH_STEMS};
		assert_programs(&a, wanted);
	}
}

/* Locks */

static void differences_of_locks_have_each_line_once(void **state)
{
	static const struct {
		const char *old, *new, *wanted;
	} rows[] = {
	    {"", "", ""},
	    {"# a\n\n", "# b\n", ""},
	    {"", "resource a x\n", "+ resource a x\n"},
	    {"resource a x\n", "", "- resource a x\n"},
	    {"resource a x\n", "resource a x\n", ""},
	    {"resource a x\n", "resource a x", ""}, /* without the last line feed */
	    {"resource a x\n", "resource a xy\n", "- resource a x\n+ resource a xy\n"},
	    {"resource a x\nresource c x\n", "resource b x\nresource c x\n", "- resource a x\n+ resource b x\n"},
	    {"resource b x\n", "resource a x\nresource b x\nresource c x\n", "+ resource a x\n+ resource c x\n"},
	    {"resource ab x\n", "resource a x\nresource ab x\n", "+ resource a x\n"},
	    {"resource a x\nresource ab x\n", "resource ab x\n", "- resource a x\n"},
	    {"resource a x\n# c\nremoved b x\n", "removed a x\n\n# d\nremoved b x\n",
	     "- resource a x\n+ removed a x\n"},
	    {"shift\n", "shift\nx\n", "+ x\n"},
	    {"", "lock version=2\nb\na\n", "+ a\n+ b\n+ lock version=2\n"},
	    {"# x\nlock version=2\nb\na\nc\n", "lock version=2\nc\nb\nd\n", "- a\n+ d\n"},
	    {"lock version=2\nab\n", "lock version=2\na\nab\n", "+ a\n"},
	    {"a\n", "lock version=2\na\n", "+ lock version=2\n"},
	    {"lock version=2\nab\na\n", "lock version=2\na\nab\n", ""},
	    {"lock version=2\nabc\na\nab\n", "lock version=2\na\nabc\nab\n", ""},
	    {"lock version=2\na\na\n", "lock version=2\na\n", "- a\n"}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = cli_lock_difference(rows[i].old, rows[i].new);
		assert_string_equal(text, rows[i].wanted);
		free(text);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(recorded_messages_are_replayed),
	    TEST(invalid_records_are_detected),
	    TEST(invalid_numbers_in_records_are_detected),
	    TEST(a_record_is_used_again),
	    TEST(harmful_characters_become_question_marks),
	    TEST(names_of_files_are_put_together),
	    TEST(files_are_the_same_through_links),
	    TEST(folders_are_made_and_removed_with_those_above_them),
	    TEST(files_are_read_whole),
	    TEST(unreadable_files_are_reported),
	    TEST(the_more_severe_status_wins),
	    TEST(inputs_of_one_stem_are_a_program),
	    TEST(each_stage_is_an_extension),
	    TEST(differences_of_locks_have_each_line_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
