/* SPDX-License-Identifier: Apache-2.0 */
/* Where an instruction is, as messages say: file, line and columns, function and name, and the word of the input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "parsed.h"

struct row {
	const char *text;  /* one instruction */
	const char *place; /* what a message about it says of its place */
};

/* By their numbers, so that the assembler lets them have too few operands. */
#define DEBUG_LINE   "OpExtInst %10 %5 103 "
#define DEBUG_NOLINE "OpExtInst %10 %5 104"
#define DEBUG_SOURCE "OpExtInst %10 %5 35 "

/* An OpLine, a DebugLine or one of those that end them counts for what follows, itself included. What has no name has
 * no file either. */
static const struct row places[] = {
    {"OpCapability Shader", ""},
    {"OpExtension \"SPV_KHR_non_semantic_info\"", ""},
    {"%5 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.200\"", ""},
    {"%2 = OpExtInstImport \"NonSemantic.Another\"", ""},
    {"OpMemoryModel Logical GLSL450", ""},
    {"%1 = OpString \"one\"", ""},
    {"%3 = OpString \"a.frag\"", ""},
    {"%4 = OpString \"b.frag\"", ""},
    {"OpName %1 \"one\"", ""},
    {"OpName %30 \"main\"", ""},
    {"OpName %40 \"other\"", ""},
    {"%10 = OpTypeVoid", ""},
    {"OpLine %3 5 7", "a.frag:5:7"},
    {"%11 = OpTypeInt 32 0", "a.frag:5:7"},
    {"OpLine %3 5 0", "a.frag:5:0"},
    {"OpLine %3 5 7", "a.frag:5:7"},
    {"%12 = OpConstant %11 70", "a.frag:5:7"},
    {"%13 = OpConstant %11 71", "a.frag:5:7"},
    {"%14 = OpConstant %11 8", "a.frag:5:7"},
    {"%15 = OpConstant %11 20", "a.frag:5:7"},
    {"OpNoLine", ""},
    {"%16 = OpTypeFunction %10", ""},
    {"%17 = " DEBUG_SOURCE "%4", ""},
    {"%20 = OpExtInst %10 %2 35", ""}, /* a source without a file */
    {"%18 = OpTypeBool", ""},
    {"%19 = OpConstantTrue %18", ""},
    {"OpLine %10 9 1", ":9:1"}, /* not the name of a file */
    {"%9 = OpTypeFloat 32", ":9:1"},
    {"OpNoLine", ""},
    /* A function is where the first thing in it is. */
    {"%30 = OpFunction %10 None %16", "a.frag:6:1 in main"},
    {"%31 = OpLabel", " in main"},
    {"OpLine %3 6 1", "a.frag:6:1 in main"},
    {"%32 = OpUndef %11", "a.frag:6:1 in main"},
    {"OpNoLine", " in main"},
    {"%33 = OpUndef %11", " in main"},
    {"%41 = " DEBUG_LINE "%17 %12 %12 %14 %15", "b.frag:70:8-20 in main"},
    {"%34 = OpUndef %11", "b.frag:70:8-20 in main"},
    {"%42 = " DEBUG_LINE "%17 %12 %13 %14 %15", "b.frag:70:8 in main"},  /* ends in another line */
    {"%43 = " DEBUG_LINE "%17 %12 %12 %15 %14", "b.frag:70:20 in main"}, /* ends before it begins */
    {"%44 = " DEBUG_LINE "%17 %12 %12 %14 %14", "b.frag:70:8 in main"},
    {"%45 = " DEBUG_LINE "%17 %12 %12 %14 %15", "b.frag:70:8-20 in main"},
    {"%57 = " DEBUG_LINE "%17 %12 %13 %10 %15", "b.frag:70:0 in main"},
    {"%58 = " DEBUG_LINE "%17 %12 %12 %14 %15", "b.frag:70:8-20 in main"},
    {"%46 = OpExtInst %10 %5 23 %30", "b.frag:70:8-20 in main"},
    {"%47 = " DEBUG_NOLINE, " in main"},
    {"%48 = " DEBUG_LINE "%10 %12 %12 %14 %15", ":70:8-20 in main"}, /* of no DebugSource */
    {"%49 = " DEBUG_LINE "%41 %12 %12 %14 %15", ":70:8-20 in main"},
    {"%50 = " DEBUG_LINE "%17 %10 %10 %14 %15", "b.frag:0:8-20 in main"}, /* the line is no constant */
    {"%51 = " DEBUG_LINE "%20 %12 %12 %14 %15", ":70:8-20 in main"},
    {"%55 = " DEBUG_LINE "%17 %13 %13 %14 %15", "b.frag:71:8-20 in main"},
    {"%56 = " DEBUG_LINE "%17 %12 %12 %14", "b.frag:71:8-20 in main"},        /* too short */
    {"OpLine %4 71 8", "b.frag:71:8 in main"},                                /* the same without an end, … */
    {"OpLine %3 71 8", "a.frag:71:8 in main"},                                /* of another file, … */
    {"OpLine %3 8 8", "a.frag:8:8 in main"},                                  /* line, … */
    {"OpLine %3 8 2", "a.frag:8:2 in main"},                                  /* or column */
    {"%35 = OpUndef %11", "a.frag:8:2 in main"},                              /* no column of the DebugLine before */
    {"%52 = OpExtInst %10 %2 103 %17 %12 %12 %14 %15", "a.frag:8:2 in main"}, /* of another set */
    {"%53 = OpExtInst %10 %2 104", "a.frag:8:2 in main"},
    {"OpBranch %36", "a.frag:8:2 in main"},
    {"%36 = OpLabel", " in main"}, /* at the end of a block, it ends */
    {"OpLine %4 7 1", "b.frag:7:1 in main"},
    {"OpReturn", "b.frag:7:1 in main"},
    {"OpFunctionEnd", " in main"},
    {"%39 = OpFunction %10 None %16", " in %39"}, /* nothing in it has a line; and it has no name */
    {"%37 = OpLabel", " in %39"},
    {"OpReturn", " in %39"},
    {"OpFunctionEnd", " in %39"},
    {"OpLine %3 30 4", "a.frag:30:4"},
    {"%40 = OpFunction %10 None %16", "a.frag:30:4 in other"},
    {"OpLine %3 31 4", "a.frag:31:4 in other"},
    {"%38 = OpLabel", "a.frag:31:4 in other"},
    {"%54 = " DEBUG_LINE "%17 %13 %13 %14 %15", "b.frag:71:8-20 in other"},
    {"OpUnreachable", "b.frag:71:8-20 in other"},
    {"OpFunctionEnd", " in other"},
};

static char *join(const struct row *rows, size_t count)
{
	char *text = calloc(1, 100 * count + 1);

	assert_non_null(text);
	for (size_t i = 0; i < count; i++) {
		strcat(text, rows[i].text);
		strcat(text, "\n");
	}
	return text;
}

/* FILE:LINE:COLUMN-END in FUNCTION, as far as they are known. */
static void format_place(const struct said *s, char *to, size_t room)
{
	const spb_message *l = &s->last;
	int n = 0;

	if (l->line || l->column || *s->file)
		n += snprintf(to, room, "%s:%u:%u", s->file, l->line, l->column);
	if (l->end_column)
		n += snprintf(to + n, room - (size_t)n, "-%u", l->end_column);
	snprintf(to + n, room - (size_t)n, "%s%s", *s->function ? " in " : "", s->function);
}

static void each_instruction_is_told_where_it_is(void **state)
{
	struct parsed p;
	char *text = join(places, SPB_COUNT(places)), place[800], op[64];
	size_t count;
	uint32_t *words = words_of(text, &count);
	spb_at at = 5;

	(void)state;
	parse(&p, words, count);
	assert_false(p.refused);
	for (size_t i = 0; i < SPB_COUNT(places); i++, at = spb_next(&p.m, at)) {
		const char *equals = strstr(places[i].text, " = "), *begin = equals ? equals + 3 : places[i].text;
		spb_report(&p.m, SPB_SEVERITY_NOTE, 4711, at, "%s is %u", "it", 7u);
		assert_string_equal(p.said.text, "it is 7");
		assert_int_equal(p.said.last.code, 4711);
		assert_int_equal(p.said.last.severity, SPB_SEVERITY_NOTE);
		assert_string_equal(p.said.module, "m");
		snprintf(op, sizeof op, "%.*s", (int)strcspn(begin, " "), begin);
		assert_string_equal(p.said.op, op);
		assert_int_equal(p.said.last.id, equals ? (uint32_t)atoi(places[i].text + 1) : 0);
		assert_int_equal(p.said.last.word_offset, at);
		format_place(&p.said, place, sizeof place);
		/* a function without a name is known by its id */
		const char *wanted = places[i].place, *nameless = strstr(wanted, " in %39");
		char without[64];
		snprintf(without, sizeof without, "%.*s", nameless ? (int)(nameless - wanted) : 63, wanted);
		if (strcmp(place, without) != 0)
			print_message("%s\n", places[i].text);
		assert_string_equal(place, without);
	}
	assert_int_equal(at, p.m.count);
	end_parsed(&p);
	free(words);
	free(text);
}

/* A table of all places at once says the same; but it has no file for what is none, and no function is looked into. */
static void a_table_has_the_places_of_messages(void **state)
{
	struct parsed p;
	char *text = join(places, SPB_COUNT(places)), place[800], wanted[800];
	size_t count;
	uint32_t *words = words_of(text, &count), file, line;

	(void)state;
	parse(&p, words, count);
	const struct spb_location_table table = spb_location_table(&p.m, &p.m.context->scratch);
	for (spb_at at = 5; at < p.m.count; at = spb_next(&p.m, at)) {
		const struct spb_source_place found = spb_place_of(&table, at);
		struct said s = {.last = {.line = found.line, .column = found.column}};
		if (spb_op(&p.m, at) == SpvOpFunction)
			continue;
		spb_report(&p.m, SPB_SEVERITY_NOTE, 1, at, "here");
		p.said.function[0] = 0;
		if (!p.said.last.line)
			p.said.last.column = p.said.last.end_column = 0;
		format_place(&p.said, wanted, sizeof wanted);
		s.last.end_column = found.end_column > found.column ? found.end_column : 0;
		if (found.line && spb_file_of(&p.m, found.file))
			strcpy(s.file, spb_file_of(&p.m, found.file));
		format_place(&s, place, sizeof place);
		assert_string_equal(place, p.said.last.line ? wanted : "");
		spb_location_of(&table, at, &file, &line);
		assert_int_equal(file, found.file);
		assert_int_equal(line, found.line);
	}
	assert_int_equal(spb_place_of(&table, 0).line, 0);
	end_parsed(&p);
	free(words);
	free(text);
}

/* Sets of instructions with other names have none of these, even if theirs have the same numbers. */
static void other_sets_know_no_lines(void **state)
{
	static const char text[] = "%1 = OpExtInstImport \"NonSemantic.Another\"\n%3 = OpString \"a.frag\"\n"
				   "%10 = OpTypeVoid\n%11 = OpTypeInt 32 0\n%12 = OpConstant %11 70\n"
				   "%17 = OpExtInst %10 %1 35 %3\n%18 = OpExtInst %10 %1 103 %17 %12 %12 %12 %12\n";
	struct parsed p;
	size_t count;
	uint32_t *words = words_of(text, &count), place[3];

	(void)state;
	parse(&p, words, count);
	assert_false(p.refused);
	const struct spb_location_table table = spb_location_table(&p.m, &p.m.context->scratch);
	spb_report(&p.m, SPB_SEVERITY_NOTE, 1, p.m.def[18], "here");
	assert_int_equal(p.said.last.line, 0);
	assert_string_equal(p.said.file, "");
	assert_int_equal(spb_place_of(&table, p.m.def[18]).line, 0);
	assert_int_equal(table.count, 0);
	assert_false(spb_debug_line(&p.m, p.m.def[18], place));
	end_parsed(&p);
	free(words);
}

/* Of a DebugLine, what an OpLine would say; nothing of all others. */
static void debug_lines_are_told_from_others(void **state)
{
	static const struct {
		uint32_t id, file, line, column;
	} lines[] = {{41, 4, 70, 8}, {42, 4, 70, 8}, {43, 4, 70, 20}, {44, 4, 70, 8}, {45, 4, 70, 8},
		     {57, 4, 70, 0}, {58, 4, 70, 8}, {50, 4, 0, 8},   {55, 4, 71, 8}, {54, 4, 71, 8}};
	struct parsed p;
	char *text = join(places, SPB_COUNT(places));
	size_t count, found = 0;
	uint32_t *words = words_of(text, &count), place[3];

	(void)state;
	parse(&p, words, count);
	for (spb_at at = 5; at < p.m.count; at = spb_next(&p.m, at)) {
		if (!spb_debug_line(&p.m, at, place))
			continue;
		assert_true(found < SPB_COUNT(lines));
		assert_int_equal(spb_result(&p.m, at), lines[found].id);
		assert_int_equal(place[0], lines[found].file);
		assert_int_equal(place[1], lines[found].line);
		assert_int_equal(place[2], lines[found].column);
		found++;
	}
	assert_int_equal(found, SPB_COUNT(lines));
	end_parsed(&p);
	free(words);
	free(text);
}

/* Sets the byte that is `mark` in a text of a module. */
static void spoil(uint32_t *words, size_t count, char mark, char byte)
{
	char *at = memchr(words, mark, count * sizeof *words);

	assert_non_null(at);
	*at = byte;
}

/* Names come from anybody: what would move a cursor is not printed, and no name fills a screen. */
static void names_cannot_control_a_terminal(void **state)
{
	static const struct {
		char byte;
		const char *said;
	} bytes[] = {{0x01, "?"}, {'\n', "?"}, {0x1B, "?"}, {0x1F, "?"},      {' ', " "},
		     {'!', "!"},  {'~', "~"},  {0x7F, "?"}, {'\x80', "\x80"}, {'\xFF', "\xFF"}};
	char name[300], text[2000], wanted[300];

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(bytes); i++) {
		struct parsed p;
		size_t count;
		snprintf(text, sizeof text,
			 "%%3 = OpString \"f@.x\"\nOpName %%8 \"a@b\"\nOpName %%7 \"c@\"\n%%4 = OpTypeVoid\n"
			 "%%5 = OpTypeFunction %%4\n%%6 = OpTypeInt 32 0\n%%8 = OpFunction %%4 None %%5\n"
			 "%%9 = OpLabel\nOpLine %%3 2 3\n%%7 = OpUndef %%6\nOpReturn\nOpFunctionEnd\n");
		uint32_t *words = words_of(text, &count);
		for (int k = 0; k < 3; k++)
			spoil(words, count, '@', bytes[i].byte);
		parse(&p, words, count);
		spb_report(&p.m, SPB_SEVERITY_WARNING, 1, p.m.def[7], "here");
		snprintf(wanted, sizeof wanted, "f%s.x", bytes[i].said);
		assert_string_equal(p.said.file, wanted);
		snprintf(wanted, sizeof wanted, "a%sb", bytes[i].said);
		assert_string_equal(p.said.function, wanted);
		snprintf(wanted, sizeof wanted, "c%s", bytes[i].said);
		assert_string_equal(p.said.name, wanted);
		snprintf(wanted, sizeof wanted, "%%7 \"c%s\"", bytes[i].said);
		assert_string_equal(spb_label(&p.m.context->scratch, &p.m, 7), wanted);
		assert_string_equal(spb_label(&p.m.context->scratch, &p.m, 6), "%6");
		assert_string_equal(spb_label(&p.m.context->scratch, &p.m, p.m.bound), "%10");
		end_parsed(&p);
		free(words);
	}
	for (size_t length = 198; length < 204; length++) {
		struct parsed p;
		size_t count;
		memset(name, 'n', length);
		name[length] = 0;
		snprintf(text, sizeof text, "OpName %%4 \"%s\"\n%%4 = OpTypeVoid\n", name);
		uint32_t *words = words_of(text, &count);
		parse(&p, words, count);
		spb_report(&p.m, SPB_SEVERITY_WARNING, 1, p.m.def[4], "here");
		assert_int_equal(strlen(p.said.name), length < 200 ? length : 200);
		end_parsed(&p);
		free(words);
	}
}

/* While a module is read, names are found in what has been read. */
static void faults_are_placed_while_a_module_is_read(void **state)
{
	static const char text[] =
	    "%3 = OpString \"a.frag\"\nOpName %8 \"first\"\nOpName %8 \"second\"\nOpName %7 \"seven\"\n%4 = "
	    "OpTypeVoid\n"
	    "%5 = OpTypeFunction %4\n%6 = OpTypeInt 32 0\n%8 = OpFunction %4 None %5\n%9 = OpLabel\n"
	    "OpLine %3 2 3\n%7 = OpCopyObject %6 %10\nOpReturn\nOpFunctionEnd\n%10 = OpFunction %4 None %5\n"
	    "OpFunctionEnd\n";
	struct parsed p;
	size_t count;
	uint32_t *words = words_of(text, &count);

	(void)state;
	words[3] = 12;
	parse(&p, words, count);
	assert_false(p.refused);
	const spb_at copy = p.m.def[7], last = p.m.def[10];
	end_parsed(&p);

	words[copy + 3] = 11; /* which nothing defines: that is known when all has been read */
	parse(&p, words, count);
	assert_true(p.refused);
	assert_int_equal(p.said.last.code, SPB_E_ID_UNDEFINED);
	assert_int_equal(p.said.last.severity, SPB_SEVERITY_ERROR);
	assert_int_equal(p.said.last.word_offset, copy);
	assert_int_equal(p.said.last.id, 7);
	assert_string_equal(p.said.name, "seven");
	assert_string_equal(p.said.function, "first");
	assert_string_equal(p.said.file, "a.frag");
	assert_string_equal(p.said.op, "OpCopyObject");
	end_parsed(&p);

	words[copy + 3] = 12; /* out of range: the instruction is none yet, so it has no result */
	parse(&p, words, count);
	assert_true(p.refused);
	assert_int_equal(p.said.last.code, SPB_E_ID_RANGE);
	assert_int_equal(p.said.last.word_offset, copy);
	assert_int_equal(p.said.last.id, 0);
	assert_string_equal(p.said.name, "");
	assert_string_equal(p.said.function, "first");
	assert_string_equal(p.said.file, "a.frag");
	assert_int_equal(p.said.last.line, 2);
	assert_string_equal(p.said.op, "OpCopyObject");
	end_parsed(&p);

	words[copy + 3] = 10;
	words[last + 2] = 8; /* twice; what was said of the function before it is over */
	parse(&p, words, count);
	assert_int_equal(p.said.last.code, SPB_E_ID_TWICE);
	assert_int_equal(p.said.last.word_offset, last);
	assert_string_equal(p.said.function, "");
	assert_string_equal(p.said.file, "");
	assert_int_equal(p.said.last.line, 0);
	end_parsed(&p);
	free(words);
}

struct edited {
	struct parsed *p;
	void (*edit)(struct spb_edit *e, const struct spb_module *m);
};

static void run_edit(void *argument)
{
	const struct edited *d = argument;
	struct spb_edit e;

	spb_edit_begin(&e, &d->p->m, &d->p->m.context->scratch);
	d->edit(&e, &d->p->m);
	spb_edit_commit(&e);
}

static void edit(struct parsed *p, void (*how)(struct spb_edit *e, const struct spb_module *m))
{
	struct edited d = {p, how};

	assert_false(caught(p->m.context, run_edit, &d));
}

static void patch_last(struct spb_edit *e, const struct spb_module *m)
{
	spb_patch(e, m->count - 1, 9);
}

static void patch_line(struct spb_edit *e, const struct spb_module *m)
{
	spb_patch(e, m->def[3] + 4, 7);
}

/* Until there is an index, nobody looks into an old one. */
static void a_line_has_no_file_without_an_index(void **state)
{
	static const char text[] = "%2 = OpString \"f\"\n%3 = OpTypeVoid\nOpLine %2 4 5\n%4 = OpTypeFloat 32\n";
	struct parsed p;
	size_t count;
	uint32_t *words = words_of(text, &count);

	(void)state;
	parse(&p, words, count);
	edit(&p, patch_line);
	for (int indexed = 0; indexed < 2; indexed++) {
		spb_report(&p.m, SPB_SEVERITY_NOTE, 1, p.m.count - 3, "here");
		assert_string_equal(p.said.op, "OpTypeFloat");
		assert_int_equal(p.said.last.line, 7);
		assert_string_equal(p.said.file, indexed ? "f" : "");
		spb_module_need_index(&p.m);
	}
	end_parsed(&p);
	free(words);
}

static void one_changed_word_leaves_all_others_where_they_were(void **state)
{
	static const char text[] = "%4 = OpTypeVoid\n%5 = OpTypeInt 32 0\n%6 = OpConstant %5 7\n";
	struct parsed p;
	size_t count;
	uint32_t *words = words_of(text, &count);

	(void)state;
	parse(&p, words, count);
	edit(&p, patch_last);
	spb_module_need_index(&p.m);
	assert_int_equal(p.m.words[count - 1], 9);
	for (spb_at at = 5; at < p.m.count; at = spb_next(&p.m, at))
		assert_int_equal(spb_given_offset(&p.m, at), at);
	end_parsed(&p);
	free(words);
}

/* A caller may know the place in the source better than the module does. */
static void a_place_that_is_given_is_told(void **state)
{
	static const char text[] =
	    "%1 = OpString \"one\"\n%3 = OpString \"a.frag\"\nOpName %1 \"one\"\nOpName %8 \"main\"\n"
	    "%4 = OpTypeVoid\n%5 = OpTypeFunction %4\n%8 = OpFunction %4 None %5\n%9 = OpLabel\nOpLine %3 2 "
	    "3\nOpReturn\nOpFunctionEnd\n";
	static const struct {
		uint32_t column, end, wanted;
	} columns[] = {{0, 0, 0}, {4, 5, 5}, {4, 4, 0}, {4, 3, 0}, {0, 1, 1}};
	struct parsed p;
	size_t count;
	uint32_t *words = words_of(text, &count);

	(void)state;
	parse(&p, words, count);
	const spb_at label = p.m.def[9];
	for (size_t i = 0; i < SPB_COUNT(columns); i++) {
		const spb_message message = {.code = 5,
					     .text = "t",
					     .file = "x\x07.hlsl",
					     .line = 9,
					     .column = columns[i].column,
					     .end_column = columns[i].end};
		p.m.context->pass = i ? "a-pass" : NULL;
		spb_report_message(&p.m, message, label);
		assert_string_equal(p.said.file, "x?.hlsl");
		assert_int_equal(p.said.last.line, 9);
		assert_int_equal(p.said.last.column, columns[i].column);
		assert_int_equal(p.said.last.end_column, columns[i].wanted);
		assert_string_equal(p.said.function, "main");
		assert_int_equal(p.said.last.word_offset, label);
		assert_int_equal(p.said.last.struct_size, sizeof message);
		assert_string_equal(p.said.pass, i ? "a-pass" : "");
		spb_report_message(&p.m, message, p.m.def[5]); /* in no function */
		assert_string_equal(p.said.function, "");
		for (int k = 0; k < 2; k++) { /* no instruction */
			spb_report_message(&p.m, message, k ? p.m.count : 0);
			assert_string_equal(p.said.file, "x?.hlsl");
			assert_string_equal(p.said.function, "");
			assert_string_equal(p.said.op, "");
			assert_string_equal(p.said.name, "");
			assert_int_equal(p.said.last.word_offset, 0);
			assert_int_equal(p.said.last.id, 0);
		}
		spb_report_line(&p.m, SPB_SEVERITY_NOTE, 6, "y\x07.hlsl", 12, "%s", "line");
		assert_string_equal(p.said.file, "y?.hlsl");
		assert_int_equal(p.said.last.line, 12);
		assert_int_equal(p.said.last.code, 6);
		assert_int_equal(p.said.last.severity, SPB_SEVERITY_NOTE);
		assert_string_equal(p.said.text, "line");
		assert_string_equal(p.said.pass, i ? "a-pass" : "");
		assert_string_equal(p.said.function, "");
		assert_string_equal(p.said.module, "m");
	}
	spb_report_message(&p.m, (spb_message){.text = "t"}, 0);
	assert_string_equal(p.said.file, "");
	const uint32_t before = p.said.count;
	p.m.context->callbacks.message = NULL;
	spb_report(&p.m, SPB_SEVERITY_NOTE, 1, label, "nobody hears");
	assert_int_equal(p.said.count, before);
	end_parsed(&p);
	free(words);
}

/* Longer ones than anybody has are no names of files. */
static void long_names_are_none(void **state)
{
	(void)state;
	for (size_t length = 4090; length < 4110; length++) {
		char *name = malloc(length + 1), *text = malloc(2 * length + 100);
		struct parsed p;
		size_t count;
		memset(name, 'f', length);
		name[length] = 0;
		sprintf(text, "%%3 = OpString \"%s\"\nOpName %%4 \"%s\"\n%%4 = OpTypeVoid\n", name, name);
		uint32_t *words = words_of(text, &count);
		parse(&p, words, count);
		/* to the word: 4096 bytes and the 0 byte are 1025 words */
		if (length < 4100)
			assert_string_equal(spb_file_of(&p.m, 3), name);
		else
			assert_null(spb_file_of(&p.m, 3));
		assert_string_equal(spb_id_name(&p.m, 4), length < 4100 ? name : "");
		assert_null(spb_file_of(&p.m, 4));
		assert_null(spb_file_of(&p.m, 0));
		end_parsed(&p);
		free(words);
		free(text);
		free(name);
	}
}

static void add_and_rewrite(struct spb_edit *e, const struct spb_module *m)
{
	spb_insert(e, m->def[9], SpvOpCapability, W(1));                             /* no result */
	spb_replace(e, m->def[7], SpvOpSNegate, W(6, 7, 11));                        /* another opcode */
	spb_replace(e, m->def[10], SpvOpUndef, W(6, 10));                            /* the same again */
	spb_insert(e, spb_next(m, m->def[10]) + 1, SpvOpUndef, W(6, spb_new_id(e))); /* a new one */
	spb_replace(e, m->def[4], SpvOpTypeVoid, W(4));                              /* a result and no type */
	spb_patch(e, spb_next(m, m->def[10]) + 3, 7);                                /* of OpStore */
	spb_insert(e, 5, SpvOpCapability, W(2));                                     /* in front of all */
}

static void add_more(struct spb_edit *e, const struct spb_module *m)
{
	spb_insert(e, m->section[SPB_SECTION_GLOBAL], SpvOpTypeFloat, W(spb_new_id(e), 16));
	spb_replace(e, m->def[10], SpvOpUndef, W(6, 10));
}

/* What passes make is not in the input: messages are about the instruction before it, of the module as given. */
static void instructions_of_passes_are_placed_in_the_input(void **state)
{
	static const char text[] =
	    "%1 = OpString \"f\"\nOpName %4 \"void\"\nOpName %7 \"seven\"\nOpName %10 \"ten\"\n%4 = OpTypeVoid\n"
	    "%5 = OpTypeFunction %4\n%6 = OpTypeInt 32 0\n%13 = OpTypePointer Function %6\n"
	    "%11 = OpConstant %6 3\n%8 = OpFunction %4 None %5\n%9 = OpLabel\n"
	    "%12 = OpVariable %13 Function\n%7 = OpNot %6 %11\n%10 = OpUndef %6\nOpNoLine\n"
	    "OpStore %12 %11\nOpReturn\nOpFunctionEnd\n";
	struct parsed p;
	size_t count;
	uint32_t *words = words_of(text, &count);

	(void)state;
	words[3] = 40;
	parse(&p, words, count);
	spb_at given[40] = {0};
	for (uint32_t id = 1; id < 40; id++) {
		given[id] = p.m.def[id];
		assert_int_equal(spb_given_offset(&p.m, given[id]), given[id]);
	}
	const spb_at no_line = spb_next(&p.m, given[10]), store = no_line + 1, after = spb_next(&p.m, store);
	for (int round = 0; round < 3; round++) {
		if (round < 2) {
			edit(&p, round ? add_more : add_and_rewrite);
			spb_report(&p.m, SPB_SEVERITY_NOTE, 1, 5, "without an index"); /* nothing is known of it */
			assert_int_equal(p.said.last.word_offset, 0);
			assert_string_equal(p.said.op, "");
			assert_int_equal(p.said.last.id, 0);
			spb_report_message(&p.m, (spb_message){.text = "t", .file = "f"}, 5);
			assert_string_equal(p.said.function, "");
			spb_module_need_index(&p.m);
		} else { /* without the words as given, there is no instruction to name, but for those that are kept */
			p.m.given = NULL;
		}
		for (spb_at at = 5; at < p.m.count; at = spb_next(&p.m, at)) {
			const uint32_t op = spb_op(&p.m, at), id = spb_result(&p.m, at);
			spb_at wanted = id < 40 ? given[id] : 0;
			const char *name = id == 4 ? "void" : id == 7 ? "seven" : id == 10 ? "ten" : "";
			uint32_t wanted_id = id, wanted_op = op;
			if (op == SpvOpCapability)
				wanted = p.m.words[at + 1] == 1 ? given[8] : 0, wanted_id = 0,
				wanted_op = p.m.words[at + 1] == 1 ? SpvOpFunction : 0;
			else if (op == SpvOpTypeFloat)
				wanted = given[4] - 3, wanted_id = 0, wanted_op = SpvOpName;
			else if (id == 7)
				wanted = given[12], name = "", wanted_id = 0, wanted_op = SpvOpVariable;
			else if (id >= 40)
				wanted = no_line, wanted_id = 0, wanted_op = SpvOpNoLine;
			else if (op == SpvOpNoLine)
				wanted = no_line;
			else if (op == SpvOpStore)
				wanted = store;
			else if (op == SpvOpReturn)
				wanted = after;
			else if (op == SpvOpFunctionEnd)
				wanted = after + 1;
			else if (op == SpvOpName)
				continue;
			if (round == 2 && (!wanted_id || id == 4 || id == 10) && op != SpvOpStore &&
			    op != SpvOpNoLine && op != SpvOpReturn && op != SpvOpFunctionEnd)
				wanted = wanted_id = 0, name = "", wanted_op = 0;
			spb_report(&p.m, SPB_SEVERITY_NOTE, 1, at, "here");
			if (p.said.last.word_offset != wanted)
				print_message("round %d: %s %%%u\n", round, spb_op_name(op), id);
			assert_int_equal(p.said.last.word_offset, wanted);
			assert_int_equal(p.said.last.id, wanted_id);
			assert_string_equal(p.said.op, wanted_op ? spb_op_name(wanted_op) : "");
			assert_string_equal(p.said.name, name);
			assert_int_equal(spb_given_offset(&p.m, at), wanted);
		}
	}
	end_parsed(&p);
	free(words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_instruction_is_told_where_it_is),
	    cmocka_unit_test(a_table_has_the_places_of_messages),
	    cmocka_unit_test(other_sets_know_no_lines),
	    cmocka_unit_test(debug_lines_are_told_from_others),
	    cmocka_unit_test(names_cannot_control_a_terminal),
	    cmocka_unit_test(faults_are_placed_while_a_module_is_read),
	    cmocka_unit_test(a_line_has_no_file_without_an_index),
	    cmocka_unit_test(one_changed_word_leaves_all_others_where_they_were),
	    cmocka_unit_test(a_place_that_is_given_is_told),
	    cmocka_unit_test(long_names_are_none),
	    cmocka_unit_test(instructions_of_passes_are_placed_in_the_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
