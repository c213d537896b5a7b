/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in each form, to the letter: text, JSON, SARIF, and the commands of workflows. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "cli/cli.h"
#include "in_folder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the contents of a file, and empties it. */
static char *emptied(const char *path)
{
	size_t size;

	fflush(stderr);
	char *text = (char *)cli_read_own_file(path, &size);
	assert_non_null(text);
	text = realloc(text, size + 1);
	assert_non_null(text);
	text[size] = '\0';
	rewind(stderr);
	assert_int_equal(truncate(path, 0), 0);
	return text;
}

static const spb_message_note notes[] = {
    {.text = "is {a}",
     .module = "o.spv",
     .file = "s.glsl",
     .line = 7,
     .column = 8,
     .word_offset = 9,
     .id = 10,
     .name = "x"},
    {.text = "why", .module = "m.spv", .file = "", .line = 3, .column = 0, .word_offset = 6, .id = 0, .name = ""}};

/* Each has something that the others lack. */
static const spb_message messages[] = {
    {.struct_size = sizeof(spb_message),
     .severity = SPB_SEVERITY_ERROR,
     .code = 5001,
     .module = "m.spv",
     .pass = "lint",
     .text = "not {uniform}",
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
     .remedy = "Do {it}.",
     .note_count = 2,
     .notes = notes,
     .justification = "because"},
    {.severity = SPB_SEVERITY_WARNING, .pass = "check"},
    {.severity = SPB_SEVERITY_NOTE, .line = 3, .code = 4001, .module = "p.policy"},
    {.file = "m.spv", .line = 4, .word_offset = 5, .op = "OpNop", .pass = "pass"},
    {.word_offset = 5, .op = "OpNop", .id = 6, .code = 1001, .column = 9, .text = "a\n\nb\n\x1B\xFF\xC3\xA9%:,"},
    {.module = "/abs dir/m,n.spv", .file = "x", .name = "n\x01", .function = "f\"", .word_offset = 1, .op = "OpX"},
    {.module = "", .text = "of the run"},
};

/* With "" for unknown values. */
static spb_message filled(const spb_message *message)
{
	spb_message m = *message;
	const char **const texts[] = {&m.pass, &m.op,          &m.name,          &m.function, &m.file,
				      &m.rule, &m.fingerprint, &m.justification, &m.remedy};

	for (size_t i = 0; i < COUNT(texts); i++)
		*texts[i] = *texts[i] ? *texts[i] : "";
	m.struct_size = sizeof m;
	m.module = m.module ? m.module : "m.spv";
	m.text = m.text ? m.text : "text";
	return m;
}

/* Of the sources that the messages name, a.glsl is there. */
static void put_all(const struct msg_options *a)
{
	FILE *source = fopen("a.glsl", "wb");
	assert_true(source && !fclose(source));
	assert_true(msg_begin(a));
	for (size_t i = 0; i < COUNT(messages); i++) {
		const spb_message m = filled(&messages[i]);
		msg_report(NULL, &m);
	}
	msg_report_error("f.txt", 1001, "check", "differs", "-a\n+b\n");
	msg_say(SPB_SEVERITY_WARNING, WORDS("one ", "two\x01"));
	assert_int_equal(msg_end(EXIT_DONE), EXIT_DONE);
	msg_say(SPB_SEVERITY_ERROR, WORDS("afterwards"));
}

static void assert_put(const struct msg_options *a, const char *wanted)
{
	put_all(a);
	char *said = emptied("said");
	assert_string_equal(said, wanted);
	free(said);
}

static void set_or_not(const char *variable, const char *value)
{
	if (value)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

/* By default, messages have colours on a terminal, unless it is dumb or NO_COLOR is not empty. */
static void terminals_have_colours_unless_they_are_dumb(void **state)
{
	static const struct {
		const char *terminal, *no;
		bool colored;
	} rows[] = {{"xterm", NULL, true}, {"xterm", "", true}, {"xterm", "1", false}, {"dumb", NULL, false},
		    {"dumb", "", false},   {NULL, NULL, false}, {"", NULL, true},      {"dumber", NULL, true}};
	const enum color_mode modes[] = {COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER};
	const struct msg_options plain = {.color = COLOR_AUTO};
	char *terminal_before = getenv("TERM") ? strdup(getenv("TERM")) : NULL;
	int control = posix_openpt(O_RDWR | O_NOCTTY);

	(void)state;
	assert_true(control >= 0 && !grantpt(control) && !unlockpt(control));
	int terminal = open(ptsname(control), O_RDWR | O_NOCTTY), file = dup(STDERR_FILENO);
	assert_true(terminal >= 0 && file >= 0);
	for (size_t i = 0; i < 2 * COUNT(rows) + COUNT(modes); i++) {
		bool is_terminal = i < COUNT(rows), by_option = i >= 2 * COUNT(rows);
		size_t row = i % COUNT(rows);
		struct msg_options a = plain;
		char text[400] = "";
		set_or_not("TERM", by_option ? "xterm" : rows[row].terminal);
		set_or_not("NO_COLOR", by_option ? "1" : rows[row].no);
		if (by_option)
			a.color = modes[i - 2 * COUNT(rows)];
		fflush(stderr);
		dup2(is_terminal ? terminal : file, STDERR_FILENO);
		assert_true(msg_begin(&a));
		msg_report_error("f", 1001, "", "x", "");
		assert_int_equal(msg_end(EXIT_DONE), EXIT_DONE);
		fflush(stderr);
		dup2(file, STDERR_FILENO);
		if (is_terminal) {
			/* Two lines, that of the remedy, too; they may arrive in parts. */
			for (size_t size = 0, lines = 0; lines < 2;) {
				ssize_t more = read(control, text + size, sizeof text - 1 - size);
				assert_true(more > 0);
				for (ssize_t k = 0; k < more; k++)
					lines += text[size++] == '\n';
			}
		} else {
			char *said = emptied("said");
			snprintf(text, sizeof text, "%s", said);
			free(said);
		}
		bool wanted = by_option ? a.color == COLOR_ALWAYS : is_terminal && rows[row].colored;
		if ((strstr(text, "\033[") != NULL) != wanted)
			print_message("row %u: %s\n", (unsigned)i, text);
		assert_int_equal(strstr(text, "\033[") != NULL, wanted);
	}
	close(terminal);
	close(control);
	close(file);
	set_or_not("TERM", terminal_before);
	unsetenv("NO_COLOR");
	free(terminal_before);
}

static void text_has_a_line_for_each_message_and_its_instruction(void **state)
{
	const struct msg_options plain = {.color = COLOR_AUTO}, colored = {.color = COLOR_ALWAYS},
				 quiet = {.quiet = true};

	(void)state;
	assert_put(&plain, "a.glsl:13:14: error: not {uniform} [SPB5001]\n"
			   "o.spv: note: is {a}\n"
			   "m.spv: note: why\n"
			   "a.glsl:13:14: note: Do {it}.\n"
			   "m.spv: warning: text\n"
			   "p.policy:3:1: note: text [SPB4001]\n"
			   "m.spv:4:1: error: text\n"
			   "m.spv: error: a [SPB1001]\n"
			   "    \n"
			   "    b\n"
			   "    ??\xC3\xA9%:,\n"
			   "m.spv: note: word 5: OpNop %6\n"
			   "/abs dir/m,n.spv: error: text\n"
			   "/abs dir/m,n.spv: note: word 1: OpX \"n?\" in \"f\"\"\n"
			   "spirv-bind: error: of the run\n"
			   "f.txt: error: differs [SPB1001]\n"
			   "f.txt: note: Check that the compiler succeeded and that the file is SPIR-V. Source text "
			   "has to be compiled first.\n"
			   "-a\n"
			   "+b\n"
			   "spirv-bind: warning: one two?\n"
			   "spirv-bind: error: afterwards\n");
	assert_put(&colored, "a.glsl:13:14: \x1B[1;31merror: \x1B[0mnot {uniform} [SPB5001]\n"
			     "o.spv: \x1B[1;36mnote: \x1B[0mis {a}\n"
			     "m.spv: \x1B[1;36mnote: \x1B[0mwhy\n"
			     "a.glsl:13:14: \x1B[1;36mnote: \x1B[0mDo {it}.\n"
			     "m.spv: \x1B[1;35mwarning: \x1B[0mtext\n"
			     "p.policy:3:1: \x1B[1;36mnote: \x1B[0mtext [SPB4001]\n"
			     "m.spv:4:1: \x1B[1;31merror: \x1B[0mtext\n"
			     "m.spv: \x1B[1;31merror: \x1B[0ma [SPB1001]\n"
			     "    \n"
			     "    b\n"
			     "    ??\xC3\xA9%:,\n"
			     "m.spv: \x1B[1;36mnote: \x1B[0mword 5: OpNop %6\n"
			     "/abs dir/m,n.spv: \x1B[1;31merror: \x1B[0mtext\n"
			     "/abs dir/m,n.spv: \x1B[1;36mnote: \x1B[0mword 1: OpX \"n?\" in \"f\"\"\n"
			     "spirv-bind: \x1B[1;31merror: \x1B[0mof the run\n"
			     "f.txt: \x1B[1;31merror: \x1B[0mdiffers [SPB1001]\n"
			     "f.txt: \x1B[1;36mnote: \x1B[0mCheck that the compiler succeeded and that the file is "
			     "SPIR-V. Source text has to be compiled first.\n"
			     "-a\n"
			     "+b\n"
			     "spirv-bind: \x1B[1;35mwarning: \x1B[0mone two?\n"
			     "spirv-bind: \x1B[1;31merror: \x1B[0mafterwards\n");
	assert_put(&quiet, "a.glsl:13:14: error: not {uniform} [SPB5001]\n"
			   "m.spv:4:1: error: text\n"
			   "m.spv: error: a [SPB1001]\n"
			   "    \n"
			   "    b\n"
			   "    ??\xC3\xA9%:,\n"
			   "/abs dir/m,n.spv: error: text\n"
			   "spirv-bind: error: of the run\n"
			   "f.txt: error: differs [SPB1001]\n"
			   "-a\n"
			   "+b\n"
			   "spirv-bind: error: afterwards\n");
}

static void json_has_every_known_member(void **state)
{
	const struct msg_options a = {.diagnostics = DIAGNOSTICS_JSON};

	(void)state;
	assert_put(&a, "{\"severity\":\"error\",\"code\":\"SPB5001\",\"module\":\"m.spv\",\"file\":\"a.glsl\",\"line"
		       "\":13,\"column\":14,\"wordOffset\":11,\"op\":\"OpLoad\",\"id\":12,\"name\":\"name\",\"functi"
		       "on\":\"main\",\"pass\":\"lint\",\"endColumn\":15,\"rule\":\"nonuniform\",\"fingerprint\":\"0"
		       "123456789abcdef\",\"justification\":\"because\",\"text\":\"not {uniform}\",\"notes\":[{\"tex"
		       "t\":\"is {a}\",\"module\":\"o.spv\",\"source\":\"s.glsl:7:8\",\"wordOffset\":9,\"id\":10,\"n"
		       "ame\":\"x\"},{\"text\":\"why\",\"wordOffset\":6}],\"remedy\":\"Do {it}.\"}\n{\"severity\":\""
		       "warning\",\"module\":\"m.spv\",\"pass\":\"check\",\"text\":\"text\"}\n{\"severity\":\"note\""
		       ",\"code\":\"SPB4001\",\"module\":\"p.policy\",\"line\":3,\"text\":\"text\"}\n{\"severity\":\""
		       "error\",\"module\":\"m.spv\",\"file\":\"m.spv\",\"line\":4,\"wordOffset\":5,\"op\":\"OpNop\""
		       ",\"pass\":\"pass\",\"text\":\"text\"}\n{\"severity\":\"error\",\"code\":\"SPB1001\",\"module"
		       "\":\"m.spv\",\"wordOffset\":5,\"op\":\"OpNop\",\"id\":6,\"text\":\"a\\n\\nb\\n\\u001B?\\u00E"
		       "9%:,\"}\n{\"severity\":\"error\",\"module\":\"/abs dir/m,n.spv\",\"wordOffset\":1,\"op\":\"O"
		       "pX\",\"name\":\"n\\u0001\",\"function\":\"f\\\"\",\"text\":\"text\"}\n{\"severity\":\"error\""
		       ",\"text\":\"of the run\"}\n{\"severity\":\"error\",\"code\":\"SPB1001\",\"module\":\"f.txt\""
		       ",\"pass\":\"check\",\"text\":\"differs\\n-a\\n+b\\n\",\"remedy\":\"Check that the compiler s"
		       "ucceeded and that the file is SPIR-V. Source text has to be compiled first.\"}\n{\"severity\""
		       ":\"warning\",\"text\":\"one two\\u0001\"}\nspirv-bind: error: afterwards\n");
}

static void workflow_annotations_have_locations(void **state)
{
	const struct msg_options a = {.diagnostics = DIAGNOSTICS_GITHUB};

	(void)state;
	assert_put(&a, "::error file=a.glsl,line=13,col=14,title=SPB5001::not {uniform}%0ADo {it}.\n"
		       "::warning file=m.spv::text\n"
		       "::notice file=p.policy,line=3,title=SPB4001::text\n"
		       "::error file=m.spv,line=4::text\n"
		       "::error file=m.spv,title=SPB1001::a%0A%0Ab%0A??\xC3\xA9%25:,\n"
		       "::error file=/abs dir/m%2Cn.spv::text\n"
		       "::error::of the run\n"
		       "::error file=f.txt,title=SPB1001::differs%0A-a%0A+b%0A%0ACheck that the compiler succeeded and "
		       "that the file is SPIR-V. Source text has to be compiled first.\n"
		       "::warning::one two?\n"
		       "spirv-bind: error: afterwards\n");
}

/* After the rules, which name the folder of the documents. */
static void logs_have_locations_flows_and_states(void **state)
{
	const struct msg_options a = {.diagnostics = DIAGNOSTICS_SARIF, .diagnostics_file = "log"};
	static const char wanted[] =
	    "\"originalUriBaseIds\":{\"%SRCROOT%\":{\"description\":{\"text\":\"The folder in which spirv"
	    "-bind ran.\"}}},\"invocations\":[{\"executionSuccessful\":false,\"exitCode\":0,\"toolExecuti"
	    "onNotifications\":[{\"level\":\"error\",\"message\":{\"text\":\"text\"}},{\"level\":\"error\""
	    ",\"message\":{\"text\":\"of the run\"}},{\"level\":\"warning\",\"message\":{\"text\":\"one t"
	    "wo\\u0001\"}}]}],\"results\":[{\"ruleId\":\"SPB5001\",\"ruleIndex\":0,\"level\":\"error\",\""
	    "message\":{\"text\":\"not {{uniform}}\\nDo {{it}}.\"},\"locations\":[{\"physicalLocation\":{"
	    "\"artifactLocation\":{\"uri\":\"a.glsl\",\"uriBaseId\":\"%SRCROOT%\"},\"region\":{\"startLin"
	    "e\":13,\"startColumn\":14,\"endColumn\":15}},\"logicalLocations\":[{\"name\":\"main\",\"full"
	    "yQualifiedName\":\"main\",\"kind\":\"function\"}]}],\"partialFingerprints\":{\"spirvBindFind"
	    "ing/v1\":\"0123456789abcdef\"},\"codeFlows\":[{\"threadFlows\":[{\"locations\":[{\"location\""
	    ":{\"id\":2,\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"m.spv\",\"uriBaseId\":\"%SR"
	    "CROOT%\"},\"region\":{\"byteOffset\":24}},\"message\":{\"text\":\"why\"}}},{\"location\":{\""
	    "id\":1,\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"o.spv\",\"uriBaseId\":\"%SRCROO"
	    "T%\"},\"region\":{\"byteOffset\":36}},\"message\":{\"text\":\"is {{a}}\"}}},{\"location\":{\""
	    "physicalLocation\":{\"artifactLocation\":{\"uri\":\"a.glsl\",\"uriBaseId\":\"%SRCROOT%\"},\""
	    "region\":{\"startLine\":13,\"startColumn\":14,\"endColumn\":15}},\"logicalLocations\":[{\"na"
	    "me\":\"main\",\"fullyQualifiedName\":\"main\",\"kind\":\"function\"}],\"message\":{\"text\":"
	    "\"OpLoad\"}}}]}]}],\"relatedLocations\":[{\"id\":1,\"physicalLocation\":{\"artifactLocation\""
	    ":{\"uri\":\"o.spv\",\"uriBaseId\":\"%SRCROOT%\"},\"region\":{\"byteOffset\":36}},\"message\""
	    ":{\"text\":\"is {{a}}\"}},{\"id\":2,\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"m."
	    "spv\",\"uriBaseId\":\"%SRCROOT%\"},\"region\":{\"byteOffset\":24}},\"message\":{\"text\":\"w"
	    "hy\"}}],\"properties\":{\"module\":\"m.spv\",\"wordOffset\":11,\"op\":\"OpLoad\",\"id\":12,\""
	    "name\":\"name\",\"pass\":\"lint\"}},{\"ruleId\":\"check\",\"ruleIndex\":1,\"level\":\"warnin"
	    "g\",\"message\":{\"text\":\"text\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation"
	    "\":{\"uri\":\"m.spv\",\"uriBaseId\":\"%SRCROOT%\"}}}],\"properties\":{\"module\":\"m.spv\",\""
	    "pass\":\"check\"}},{\"ruleId\":\"SPB4001\",\"ruleIndex\":2,\"level\":\"note\",\"message\":{\""
	    "text\":\"text\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"p.pol"
	    "icy\",\"uriBaseId\":\"%SRCROOT%\"},\"region\":{\"startLine\":3}}}],\"properties\":{\"module\""
	    ":\"p.policy\"}},{\"ruleId\":\"pass\",\"ruleIndex\":3,\"level\":\"error\",\"message\":{\"text"
	    "\":\"text\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"m.spv\",\""
	    "uriBaseId\":\"%SRCROOT%\"},\"region\":{\"startLine\":4}}}],\"properties\":{\"module\":\"m.sp"
	    "v\",\"wordOffset\":5,\"op\":\"OpNop\",\"pass\":\"pass\"}},{\"ruleId\":\"SPB1001\",\"ruleInde"
	    "x\":4,\"level\":\"error\",\"message\":{\"text\":\"a\\n\\nb\\n\\u001B?\\u00E9%:,\"},\"locatio"
	    "ns\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"m.spv\",\"uriBaseId\":\"%SRCROO"
	    "T%\"},\"region\":{\"byteOffset\":20}}}],\"properties\":{\"module\":\"m.spv\",\"wordOffset\":"
	    "5,\"op\":\"OpNop\",\"id\":6}},{\"ruleId\":\"SPB1001\",\"ruleIndex\":4,\"level\":\"error\",\""
	    "message\":{\"text\":\"differs\\n-a\\n+b\\n\\nCheck that the compiler succeeded and that the "
	    "file is SPIR-V. Source text has to be compiled first.\"},\"locations\":[{\"physicalLocation\""
	    ":{\"artifactLocation\":{\"uri\":\"f.txt\",\"uriBaseId\":\"%SRCROOT%\"}}}],\"properties\":{\""
	    "module\":\"f.txt\",\"pass\":\"check\"}}]}]}\n";

	(void)state;
	put_all(&a);
	char *said = emptied("said"), *log = emptied("log");
	const char *rest = strstr(log, "\"originalUriBaseIds\"");
	assert_non_null(rest);
	assert_string_equal(rest, wanted);
	free(said);
	free(log);
}

static spb_message finding(spb_finding state)
{
	spb_message m = filled(&messages[0]);

	m.finding = state;
	return m;
}

/* The log of one message. */
static char *logged(const struct msg_options *a, const spb_message *m)
{
	assert_true(msg_begin(a));
	msg_report(NULL, m);
	assert_int_equal(msg_end(EXIT_REFUSED), EXIT_REFUSED);
	free(emptied("said"));
	return emptied("log");
}

static void paths_of_logs_are_relative_to_the_folder_of_the_run(void **state)
{
	static const struct {
		const char *path, *wanted; /* %s: the folder */
	} rows[] = {{"a b/c.spv", "{\"uri\":\"a%20b/c.spv\",\"uriBaseId\":\"%SRCROOT%\"}"},
		    {"%s/sub/m.spv", "{\"uri\":\"sub/m.spv\",\"uriBaseId\":\"%SRCROOT%\"}"},
		    {"/abs/m,\xC3\xA9~.spv", "{\"uri\":\"file:///abs/m%2C%C3%A9~.spv\"}"},
		    {"-._~/09AZaz:", "{\"uri\":\"-._~/09AZaz%3A\",\"uriBaseId\":\"%SRCROOT%\"}"}};
	const struct msg_options a = {.diagnostics = DIAGNOSTICS_SARIF, .diagnostics_file = "log"};
	char here[4096], path[5000];

	(void)state;
	assert_true(os_current_folder(here, sizeof here));
	for (size_t i = 0; i < COUNT(rows); i++) {
		bool is_inside = rows[i].path[0] == '%';
		snprintf(path, sizeof path, "%s%s", is_inside ? here : "", rows[i].path + (is_inside ? 2 : 0));
		spb_message m = filled(&messages[2]);
		m.module = path;
		char *log = logged(&a, &m);
		assert_non_null(strstr(log, rows[i].wanted));
		assert_non_null(strstr(log, "\"exitCode\":1"));
		free(log);
	}
	snprintf(path, sizeof path, "%sx/m.spv", here); /* a folder whose name has the same beginning */
	spb_message m = filled(&messages[2]);
	m.module = path;
	char *log = logged(&a, &m);
	assert_non_null(strstr(log, "{\"uri\":\"file:///"));
	free(log);
}

static void states_of_findings_are_reported(void **state)
{
	static const char *const suppressions[] = {
	    "\"suppressions\":[]", "\"suppressions\":[]", "\"suppressions\":[{\"kind\":\"external\"}]",
	    "\"suppressions\":[{\"kind\":\"inSource\",\"justification\":\"because\"}]"};
	static const char *const findings[] = {NULL, "\"finding\":\"known\"", "\"finding\":\"suppressed\"",
					       "\"finding\":\"allowed\""};

	(void)state;
	for (spb_finding f = SPB_FINDING_NEW; f <= SPB_FINDING_ALLOWED; f++) {
		spb_message m = finding(f);
		for (int with = 0; with < 4; with++) {
			struct msg_options a = {.diagnostics = DIAGNOSTICS_SARIF, .diagnostics_file = "log"};
			a.has_baseline = with & 1;
			a.is_lint = with & 2;
			char *log = logged(&a, &m);
			assert_int_equal(strstr(log, suppressions[f]) != NULL, (with & 2) != 0);
			assert_int_equal(strstr(log, "\"baselineState\":\"new\"") != NULL,
					 (with & 1) && f != SPB_FINDING_KNOWN);
			assert_int_equal(strstr(log, "\"baselineState\":\"unchanged\"") != NULL,
					 (with & 1) && f == SPB_FINDING_KNOWN);
			free(log);
		}
		struct msg_options a = {.diagnostics = DIAGNOSTICS_JSON, .diagnostics_file = "log"};
		char *log = logged(&a, &m);
		assert_int_equal(strstr(log, "\"finding\"") != NULL, f != SPB_FINDING_NEW);
		if (findings[f])
			assert_non_null(strstr(log, findings[f]));
		free(log);
		a.diagnostics = DIAGNOSTICS_GITHUB; /* in text: new findings */
		log = logged(&a, &m);
		assert_int_equal(strlen(log) > 0, f == SPB_FINDING_NEW);
		free(log);
	}
}

/* The end of the text output after some findings. */
static void assert_end(const struct msg_options *a, unsigned known, unsigned suppressed, unsigned allowed,
		       const char *wanted)
{
	const unsigned counts[] = {0, known, suppressed, allowed};

	assert_true(msg_begin(a));
	for (spb_finding f = SPB_FINDING_NEW; f <= SPB_FINDING_ALLOWED; f++) {
		const spb_message m = finding(f);
		for (unsigned i = 0; i < counts[f]; i++)
			msg_report(NULL, &m);
	}
	assert_int_equal(msg_end(EXIT_DONE), EXIT_DONE);
	char *said = emptied("said");
	assert_string_equal(said, wanted);
	free(said);
}

static void findings_that_are_not_new_are_counted(void **state)
{
	const struct msg_options plain = {.quiet = false}, quiet = {.quiet = true},
				 json = {.diagnostics = DIAGNOSTICS_JSON, .diagnostics_file = "log"};

	(void)state;
	assert_end(&plain, 0, 0, 0, "");
	assert_end(&plain, 2, 0, 0, "spirv-bind: hidden: 2 in the baseline, 0 suppressed\n");
	assert_end(&plain, 0, 1, 0, "spirv-bind: hidden: 0 in the baseline, 1 suppressed\n");
	assert_end(&plain, 1, 1, 2, "spirv-bind: hidden: 1 in the baseline, 3 suppressed\n");
	assert_end(&json, 1, 0, 1, "spirv-bind: hidden: 1 in the baseline, 1 suppressed\n");
	assert_end(&quiet, 1, 1, 1, "");
}

/* With braces escaped for SARIF. */
static void assert_sarif_text(const json_t *object, const char *key, const char *wanted)
{
	const char *found = json_string_value(json_object_get(json_object_get(object, key), "text"));

	assert_non_null(found);
	for (; *wanted; wanted++, found++) {
		assert_int_equal(*found, *wanted);
		if (*wanted == '{' || *wanted == '}')
			assert_int_equal(*++found, *wanted);
	}
	assert_int_equal(*found, '\0');
}

/* The first run of the log of some messages. Its parts are borrowed from *log. */
static json_t *run_of(const spb_message *m, size_t count, json_t **log)
{
	const struct msg_options a = {.diagnostics = DIAGNOSTICS_SARIF, .diagnostics_file = "log"};

	assert_true(msg_begin(&a));
	for (size_t i = 0; i < count; i++)
		msg_report(NULL, &m[i]);
	assert_int_equal(msg_end(EXIT_DONE), EXIT_DONE);
	free(emptied("said"));
	char *text = emptied("log");
	*log = json_loads(text, 0, NULL); /* the log is one JSON value */
	assert_non_null(*log);
	free(text);
	return json_array_get(json_object_get(*log, "runs"), 0);
}

/* A rule has the texts of the page of messages and the severity of certain findings, and occurs once. */
static void rules_of_logs_match_the_message_reference(void **state)
{
	static const uint32_t codes[] = {1001, 4001, 5001, 5002, 5003, 5005, 5006, 5011, 5012, 9999};
	char id[16], anchor[40];

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(codes); i++) {
		bool is_lint = i % 2;
		const char *cause, *remedy;
		spb_message both[2] = {filled(&messages[0]), filled(&messages[0])};
		both[0].code = both[1].code = codes[i / 2];
		both[0].severity = both[1].severity = (spb_severity)(i % 3);
		both[0].rule = both[1].rule = is_lint ? "nonuniform" : "";
		json_t *log, *driver = json_object_get(json_object_get(run_of(both, 2, &log), "tool"), "driver");
		json_t *rules = json_object_get(driver, "rules"), *rule = json_array_get(rules, 0);
		snprintf(id, sizeof id, "SPB%u", codes[i / 2]);
		snprintf(anchor, sizeof anchor, "/messages.md#spb%u", codes[i / 2]);
		assert_int_equal(json_array_size(rules), 1);
		assert_string_equal(json_string_value(json_object_get(rule, "id")), id);
		if (!spb_describe_code(codes[i / 2], &cause, &remedy)) {
			assert_int_equal(codes[i / 2], 9999);
			assert_int_equal(json_object_size(rule), 1);
			json_decref(log);
			continue;
		}
		const char *uri = json_string_value(json_object_get(rule, "helpUri"));
		assert_memory_equal(uri, "file:///", 8);
		assert_string_equal(strrchr(uri, '/'), anchor);
		assert_sarif_text(rule, "shortDescription", cause);
		json_t *help = json_object_get(rule, "help"), *tags;
		assert_string_equal(json_string_value(json_object_get(help, "text")), remedy);
		char markdown[3000];
		snprintf(markdown, sizeof markdown, "%s\n\n[%s](%s)", remedy, id, uri);
		assert_string_equal(json_string_value(json_object_get(help, "markdown")), markdown);
		bool warns = codes[i / 2] % 1000 != 1 && codes[i / 2] != 5003;
		static const char *const levels[] = {"error", "warning", "note"};
		assert_string_equal(
		    json_string_value(json_object_get(json_object_get(rule, "defaultConfiguration"), "level")),
		    is_lint ? levels[warns] : levels[i % 3]);
		tags = json_object_get(json_object_get(rule, "properties"), "tags");
		assert_int_equal(json_array_size(tags), is_lint);
		if (is_lint)
			assert_string_equal(json_string_value(json_array_get(tags, 0)), "nonuniform");
		assert_int_equal(json_object_size(rule), is_lint ? 6 : 5);
		json_decref(log);
	}
}

/* The run counts as successful unless an error is not about a module. */
static void logs_tell_whether_the_run_has_succeeded(void **state)
{
	static const struct {
		spb_severity severity;
		bool of_the_run, succeeded;
	} rows[] = {{SPB_SEVERITY_ERROR, true, false},   {SPB_SEVERITY_WARNING, true, true},
		    {SPB_SEVERITY_NOTE, true, true},     {SPB_SEVERITY_ERROR, false, true},
		    {SPB_SEVERITY_WARNING, false, true}, {SPB_SEVERITY_NOTE, false, true}};
	char version[40];

	(void)state;
	snprintf(version, sizeof version, "%u.%u.%u", spb_version() >> 16, spb_version() >> 8 & 255,
		 spb_version() & 255);
	for (size_t i = 0; i < COUNT(rows); i++) {
		spb_message m = filled(&messages[rows[i].of_the_run ? 6 : 1]);
		m.severity = rows[i].severity;
		json_t *log, *run = run_of(&m, 1, &log);
		json_t *invocation = json_array_get(json_object_get(run, "invocations"), 0);
		assert_int_equal(json_is_true(json_object_get(invocation, "executionSuccessful")), rows[i].succeeded);
		assert_int_equal(json_array_size(json_object_get(invocation, "toolExecutionNotifications")),
				 rows[i].of_the_run);
		assert_int_equal(json_array_size(json_object_get(run, "results")), !rows[i].of_the_run);
		json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
		assert_string_equal(json_string_value(json_object_get(driver, "version")), version);
		assert_int_equal(json_array_size(json_object_get(driver, "rules")), !rows[i].of_the_run);
		assert_string_equal(json_string_value(json_object_get(log, "version")), "2.1.0");
		json_decref(log);
	}
}

static void lost_messages_are_a_failure(void **state)
{
	const struct msg_options missing = {.diagnostics = DIAGNOSTICS_JSON, .diagnostics_file = "nowhere/log"},
				 full = {.diagnostics = DIAGNOSTICS_JSON, .diagnostics_file = "/dev/full"};

	(void)state;
	assert_false(msg_begin(&missing));
	char *said = emptied("said");
	assert_string_equal(said, "spirv-bind: error: cannot write nowhere/log: No such file or directory\n");
	free(said);
	assert_true(msg_begin(&full));
	msg_say(SPB_SEVERITY_NOTE, WORDS("x"));
	assert_int_equal(msg_end(EXIT_REFUSED), EXIT_IO);
	said = emptied("said");
	assert_string_equal(said,
			    "spirv-bind: x\nspirv-bind: error: cannot write /dev/full: No space left on device\n");
	free(said);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(text_has_a_line_for_each_message_and_its_instruction),
	    TEST(terminals_have_colours_unless_they_are_dumb),
	    TEST(json_has_every_known_member),
	    TEST(workflow_annotations_have_locations),
	    TEST(logs_have_locations_flows_and_states),
	    TEST(paths_of_logs_are_relative_to_the_folder_of_the_run),
	    TEST(states_of_findings_are_reported),
	    TEST(findings_that_are_not_new_are_counted),
	    TEST(rules_of_logs_match_the_message_reference),
	    TEST(logs_tell_whether_the_run_has_succeeded),
	    TEST(lost_messages_are_a_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
