/* SPDX-License-Identifier: Apache-2.0 */
/* check --against: each property that may differ, in pipeline layouts, in sets, and where a program has to fit shared
 * sets; and each member that a layout must have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/cli.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define PROGRAM(sets, pushes)  "{\"schema\":\"spirv-bind/layout/2\",\"sets\":[" sets "],\"pushConstants\":[" pushes "]}"
#define SHARED(sets)           "{\"schema\":\"spirv-bind/workspace/1\",\"sets\":[" sets "]}"
#define SET(n, more, bindings) "{\"set\":" n ",\"bindings\":[" bindings "]" more "}"
#define BINDING(n, name, type, count, stages, flags, more)                                                             \
	"{\"binding\":" n ",\"name\":\"" name "\",\"descriptorType\":\"" type "\",\"count\":" count                    \
	",\"stages\":[" stages "],\"flags\":[" flags "]" more "}"
#define VERTEX                      "\"VK_SHADER_STAGE_VERTEX_BIT\""
#define BOTH                        "\"VK_SHADER_STAGE_VERTEX_BIT\",\"VK_SHADER_STAGE_FRAGMENT_BIT\""
#define PARTIALLY                   "\"VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT\""
#define PUSH_SET                    ",\"flags\":[\"VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT\"]"
#define IMMUTABLE                   ",\"immutableSamplers\":true"
#define MUTABLE                     ",\"mutableTypes\":[\"VK_DESCRIPTOR_TYPE_SAMPLER\"]"
#define PLAIN(n)                    BINDING(n, "n", "T", "2", VERTEX, "", "")
#define RANGE(offset, size, stages) "{\"offset\":" offset ",\"size\":" size ",\"stages\":[" stages "]}"

/* The output; *said: whether there are messages. */
static char *compared(const char *asked, const char *program, const char *old, const char *new, int *status, bool *said)
{
	struct record r;

	assert_true(msg_open_record(&r));
	msg_begin_recording(&r);
	*status = cli_check_compatible("old", asked, program, old, new);
	assert_true(msg_end_recording(&r));
	*said = r.size;
	char *text = strdup(r.printed);
	msg_close_record(&r);
	return text;
}

static void assert_compared(const char *asked, const char *program, const char *old, const char *new, int wanted,
			    const char *text)
{
	int status;
	bool said;
	char *printed = compared(asked, program, old, new, &status, &said);

	assert_string_equal(printed, text);
	assert_int_equal(status, wanted);
	assert_int_equal(said, wanted == EXIT_USAGE);
	free(printed);
}

/* One binding that differs in one property, and the report. `fits`: a program may have the second one where the first
 * one is shared, and vice versa. */
static const struct {
	const char *a, *b, *told, *told_back;
	bool differs, fits, fits_back;
} rows[] = {
    {SET("1", "", PLAIN("3")), SET("1", "", PLAIN("3")), "", "", false, true, true},
    {SET("1", "", PLAIN("3")), SET("1", "", BINDING("3", "m", "T", "2", VERTEX, "", "")), "was called \"n\"\n",
     "was called \"m\"\n", false, true, true},
    {SET("1", "", PLAIN("3")), SET("1", "", BINDING("3", "n", "U", "2", VERTEX, "", "")), "T -> U\n", "U -> T\n", true,
     false, false},
    {SET("1", "", PLAIN("3")), SET("1", "", BINDING("3", "n", "T", "1", VERTEX, "", "")), "count 2 -> 1\n",
     "count 1 -> 2\n", true, true, false},
    {SET("1", "", PLAIN("3")), SET("1", "", BINDING("3", "n", "T", "null", VERTEX, "", "")), "count 2 -> runtime\n",
     "count runtime -> 2\n", true, false, true},
    {SET("1", "", PLAIN("3")), SET("1", "", BINDING("3", "n", "T", "2", BOTH, "", "")),
     "stages VERTEX_BIT -> VERTEX_BIT|FRAGMENT_BIT\n", "stages VERTEX_BIT|FRAGMENT_BIT -> VERTEX_BIT\n", true, false,
     true},
    {SET("1", "", PLAIN("3")), SET("1", "", BINDING("3", "n", "T", "2", VERTEX, PARTIALLY, "")),
     "flags none -> PARTIALLY_BOUND_BIT\n", "flags PARTIALLY_BOUND_BIT -> none\n", true, false, true},
    {SET("1", "", PLAIN("3")), SET("1", "", BINDING("3", "n", "T", "2", VERTEX, "", IMMUTABLE)),
     "its samplers become immutable\n", "its samplers are no longer immutable\n", true, false, false},
    {SET("1", "", PLAIN("3")), SET("1", "", BINDING("3", "n", "T", "2", VERTEX, "", MUTABLE)),
     "mutableTypes none -> SAMPLER\n", "mutableTypes SAMPLER -> none\n", true, false, true},
    {SET("1", "", PLAIN("3")), SET("1", PUSH_SET, PLAIN("3")), "flags of the set none -> PUSH_DESCRIPTOR_BIT\n",
     "flags of the set PUSH_DESCRIPTOR_BIT -> none\n", true, false, true},
};

static void every_differing_property_is_reported(void **state)
{
	char a[1000], b[1000], wanted[1000];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (int back = 0; back < 2; back++) {
			const char *old = back ? rows[i].b : rows[i].a, *new = back ? rows[i].a : rows[i].b;
			const char *told = back ? rows[i].told_back : rows[i].told;
			char line[200] = "";
			if (*told)
				snprintf(line, sizeof line, "    binding 3 \"%s\": %s",
					 strstr(new, "\"m\"") ? "m" : "n", told);
			snprintf(a, sizeof a, PROGRAM("%s", ""), old);
			snprintf(b, sizeof b, PROGRAM("%s", ""), new);
			snprintf(wanted, sizeof wanted, "push constants: identical\nset 1: %s\n%s",
				 rows[i].differs ? "differs" : "compatible", line);
			assert_compared(NULL, NULL, a, b, rows[i].differs ? EXIT_DIFFERENT : EXIT_DONE, wanted);
			snprintf(wanted, sizeof wanted, "set 1: %s\n%s", rows[i].differs ? "differs" : "identical",
				 line);
			assert_compared("1", NULL, a, b, rows[i].differs ? EXIT_DIFFERENT : EXIT_DONE, wanted);

			snprintf(a, sizeof a, SHARED("%s"), old);
			bool fits = back ? rows[i].fits_back : rows[i].fits;
			snprintf(wanted, sizeof wanted, "set 1: %s\n%s", fits ? "fits" : "does not fit",
				 fits ? "" : line);
			assert_compared(NULL, NULL, a, b, fits ? EXIT_DONE : EXIT_DIFFERENT, wanted);
			assert_compared("1", "p", a, b, EXIT_DONE, "set 1: not shared\n"); /* of no program */
			snprintf(b, sizeof b, SHARED("%s"), new);
			snprintf(wanted, sizeof wanted, "set 1: %s\n%s", rows[i].differs ? "differs" : "identical",
				 line);
			assert_compared(NULL, NULL, a, b, rows[i].differs ? EXIT_DIFFERENT : EXIT_DONE, wanted);
		}
	}
}

static void sets_and_bindings_are_walked_side_by_side(void **state)
{
#define TWO SET("0", "", PLAIN("0") "," PLAIN("2")) "," SET("2", "", PLAIN("1"))
	(void)state;
	assert_compared(NULL, NULL, PROGRAM("", ""), PROGRAM("", ""), EXIT_DONE, "push constants: identical\n");
	assert_compared(
	    NULL, NULL, PROGRAM("", ""), PROGRAM(TWO, ""), EXIT_DIFFERENT,
	    "push constants: identical\nset 0: differs\n    binding 0 \"n\": new\n    binding 2 \"n\": new\n"
	    "set 2: differs\n    binding 1 \"n\": new\n");
	assert_compared(NULL, NULL, PROGRAM(TWO, ""), PROGRAM("", ""), EXIT_DIFFERENT,
			"push constants: identical\nset 0: differs\n    binding 0 \"n\": removed\n"
			"    binding 2 \"n\": removed\nset 2: differs\n    binding 1 \"n\": removed\n");
	assert_compared(NULL, NULL, PROGRAM(TWO, ""),
			PROGRAM(SET("0", "", PLAIN("2") "," PLAIN("1")) "," SET("2", "", PLAIN("1")), ""),
			EXIT_DIFFERENT,
			"push constants: identical\nset 0: differs\n    binding 0 \"n\": removed\n"
			"    binding 1 \"n\": new\nset 2: identical, but not compatible: set 0 before it differs\n");
	assert_compared(
	    NULL, NULL, PROGRAM(TWO, ""),
	    PROGRAM(SET("0", "", PLAIN("0") "," PLAIN("2")) "," SET("1", "", PLAIN("0")) "," SET("2", "", PLAIN("2")),
		    ""),
	    EXIT_DIFFERENT,
	    "push constants: identical\nset 0: compatible\nset 1: differs\n    binding 0 \"n\": new\n"
	    "set 2: differs\n    binding 1 \"n\": removed\n    binding 2 \"n\": new\n");
	assert_compared("2,0,7", NULL, PROGRAM(TWO, ""), PROGRAM(TWO, RANGE("0", "4", VERTEX)), EXIT_DONE,
			"set 0: identical\nset 2: identical\nset 7: in neither layout\n");
	assert_compared("2", NULL, PROGRAM(TWO, ""), PROGRAM(SET("2", "", PLAIN("1")), ""), EXIT_DONE,
			"set 2: identical\n");
	assert_compared(
	    "0,2", NULL, PROGRAM(TWO, ""), PROGRAM(SET("2", "", PLAIN("1")), ""), EXIT_DIFFERENT,
	    "set 0: differs\n    binding 0 \"n\": removed\n    binding 2 \"n\": removed\nset 2: identical\n");
}

/* The first set that differs keeps those after it from being compatible. */
static void the_first_set_that_differs_is_named(void **state)
{
	(void)state;
	assert_compared(NULL, NULL,
			PROGRAM(SET("0", "", PLAIN("0")) "," SET("1", "", PLAIN("0")) "," SET(
				    "2", "", PLAIN("0")) "," SET("12", "", PLAIN("0")),
				""),
			PROGRAM(SET("0", "", PLAIN("0")) "," SET("1", "", PLAIN("1")) "," SET(
				    "2", "", PLAIN("1")) "," SET("12", "", PLAIN("0")),
				""),
			EXIT_DIFFERENT,
			"push constants: identical\nset 0: compatible\nset 1: differs\n    binding 0 \"n\": removed\n"
			"    binding 1 \"n\": new\nset 2: differs\n    binding 0 \"n\": removed\n"
			"    binding 1 \"n\": new\nset 12: identical, but not compatible: set 1 before it differs\n");
	assert_compared("12", NULL, PROGRAM(SET("12", "", PLAIN("0")), ""), PROGRAM(SET("12", "", PLAIN("0")), ""),
			EXIT_DONE, "set 12: identical\n");
}

static void push_constants_come_first(void **state)
{
#define ONE SET("0", "", PLAIN("0"))
	static const struct {
		const char *old, *new, *told;
	} ranges[] = {
	    {PROGRAM(ONE, RANGE("0", "16", VERTEX)), PROGRAM(ONE, RANGE("0", "16", VERTEX)), NULL},
	    {PROGRAM(ONE, RANGE("0", "16", VERTEX)), PROGRAM(ONE, RANGE("4", "16", VERTEX)),
	     "    removed: 16 bytes at offset 0 for VERTEX_BIT\n    new: 16 bytes at offset 4 for VERTEX_BIT\n"},
	    {PROGRAM(ONE, RANGE("0", "16", VERTEX)), PROGRAM(ONE, RANGE("0", "20", VERTEX)),
	     "    removed: 16 bytes at offset 0 for VERTEX_BIT\n    new: 20 bytes at offset 0 for VERTEX_BIT\n"},
	    {PROGRAM(ONE, RANGE("0", "16", VERTEX)), PROGRAM(ONE, RANGE("0", "16", BOTH)),
	     "    removed: 16 bytes at offset 0 for VERTEX_BIT\n    new: 16 bytes at offset 0 for "
	     "VERTEX_BIT|FRAGMENT_BIT\n"},
	    {PROGRAM(ONE, RANGE("0", "16", VERTEX)), PROGRAM(ONE, ""),
	     "    removed: 16 bytes at offset 0 for VERTEX_BIT\n"},
	    {PROGRAM(ONE, RANGE("0", "16", VERTEX)),
	     PROGRAM(ONE, RANGE("0", "16", VERTEX) "," RANGE("16", "4", VERTEX)),
	     "    new: 4 bytes at offset 16 for VERTEX_BIT\n"},
	    {PROGRAM(ONE, RANGE("16", "4", VERTEX) "," RANGE("0", "16", VERTEX)),
	     PROGRAM(ONE, RANGE("0", "16", VERTEX) "," RANGE("16", "4", VERTEX)), ""}, /* in another order */
	    {PROGRAM(ONE, RANGE("-1", "4", VERTEX)), PROGRAM(ONE, ""),
	     "    removed: 0 bytes at offset 0 for VERTEX_BIT\n"},
	    {PROGRAM(ONE, RANGE("4", "null", "")), PROGRAM(ONE, ""), "    removed: 0 bytes at offset 0 for none\n"},
	    {PROGRAM(ONE, RANGE("4", "4", "1,\"X\"")), PROGRAM(ONE, ""), "    removed: 4 bytes at offset 4 for ?|X\n"}};
	char wanted[1000];

	(void)state;
	for (size_t i = 0; i < COUNT(ranges); i++) {
		snprintf(wanted, sizeof wanted, "push constants: %s\n%sset 0: %s\n",
			 ranges[i].told ? "different, so no set is compatible" : "identical",
			 ranges[i].told ? ranges[i].told : "",
			 ranges[i].told ? "identical, but not compatible: push constants differ" : "compatible");
		assert_compared(NULL, NULL, ranges[i].old, ranges[i].new, ranges[i].told ? EXIT_DIFFERENT : EXIT_DONE,
				wanted);
	}
}

/* Sets with one number that belong to different programs are found by the name of the program. */
static void a_program_matches_its_own_sets(void **state)
{
#define OF_PROGRAMS(glob) ",\"programs\":\"" glob "\""
#define OF_FAMILY(name)   ",\"family\":\"" name "\""
	const char *shared =
	    SHARED(SET("0", OF_PROGRAMS("a*"), PLAIN("0")) "," SET("0", OF_PROGRAMS("b*"), PLAIN("1")) "," SET(
		"1", OF_FAMILY("c"),
		PLAIN("5")) "," SET("1", OF_FAMILY("d"),
				    PLAIN("6") "," PLAIN("7") "," PLAIN(
					"8")) "," SET("3", OF_PROGRAMS("*"),
						      BINDING("0", "n", "T", "1", VERTEX, "",
							      "") "," BINDING("0", "n", "V", "1", VERTEX, "", "")));
	const char *zero = PROGRAM(SET("0", "", PLAIN("0")), ""), *one = PROGRAM(SET("0", "", PLAIN("1")), "");

	(void)state;
	assert_compared(NULL, "a1", shared, zero, EXIT_DONE, "set 0 of programs a*: fits\n");
	assert_compared(NULL, "a1", shared, one, EXIT_DIFFERENT,
			"set 0 of programs a*: does not fit\n    binding 1 \"n\": not in the shared set\n");
	assert_compared("0", "b", shared, zero, EXIT_DIFFERENT,
			"set 0 of programs b*: does not fit\n    binding 0 \"n\": not in the shared set\n");
	assert_compared(NULL, "b", shared, one, EXIT_DONE, "set 0 of programs b*: fits\n");
	assert_compared(NULL, "x", shared, one, EXIT_DONE, "");
	assert_compared("0,1", "x", shared, one, EXIT_DONE, "set 0: not shared\nset 1: not shared\n");
	assert_compared(NULL, NULL, shared, one, EXIT_USAGE, ""); /* its program is unknown */
	assert_compared(NULL, "c", shared, PROGRAM(SET("1", "", PLAIN("5")), ""), EXIT_DONE,
			"set 1 of family c: fits\n");
	assert_compared(NULL, "d", shared, PROGRAM(SET("1", "", PLAIN("5") "," PLAIN("7") "," PLAIN("9")), ""),
			EXIT_DIFFERENT,
			"set 1 of family d: does not fit\n    binding 5 \"n\": not in the shared set\n"
			"    binding 9 \"n\": not in the shared set\n");
	assert_compared("1", "d", shared,
			PROGRAM(SET("1", "", PLAIN("8") "," PLAIN("6")) "," SET("0", "", PLAIN("9")), ""), EXIT_DONE,
			"set 1 of family d: fits\n");
	assert_compared("3,1", "d", shared, PROGRAM("", ""), EXIT_DONE,
			"set 3: not in the program, so it fits\nset 1: not in the program, so it fits\n");
	/* two types at one binding: compared with the same type, or with any of them */
	assert_compared(NULL, "d", shared, PROGRAM(SET("3", "", BINDING("0", "n", "V", "1", VERTEX, "", "")), ""),
			EXIT_DONE, "set 3 of programs *: fits\n");
	assert_compared(NULL, "d", shared, PROGRAM(SET("3", "", BINDING("0", "n", "U", "1", VERTEX, "", "")), ""),
			EXIT_DIFFERENT, "set 3 of programs *: does not fit\n    binding 0 \"n\": V -> U\n");
	assert_compared(NULL, "d", shared, PROGRAM(SET("3", "", BINDING("0", "n", "W", "1", VERTEX, "", "")), ""),
			EXIT_DIFFERENT, "set 3 of programs *: does not fit\n    binding 0 \"n\": V -> W\n");
	assert_compared(NULL, NULL, PROGRAM("", ""), shared, EXIT_USAGE, "");
	assert_compared(
	    NULL, NULL, shared, shared, EXIT_DONE,
	    "set 0 of programs a*: identical\nset 0 of programs b*: identical\nset 1 of family c: identical\n"
	    "set 1 of family d: identical\nset 3 of programs *: identical\n");
}

static void each_member_of_a_layout_has_to_be_there(void **state)
{
	static const struct {
		const char *text;
		bool accepted;
	} layouts[] = {
	    {PROGRAM(ONE, ""), true},
	    {"{\"schema\":\"spirv-bind/layout/1\",\"sets\":[],\"pushConstants\":[]}", true},
	    {"{\"schema\":\"spirv-bind/layout/3\",\"sets\":[],\"pushConstants\":[]}", false},
	    {"{\"schema\":2,\"sets\":[],\"pushConstants\":[]}", false},
	    {"{\"sets\":[],\"pushConstants\":[]}", false},
	    {"{\"schema\":\"spirv-bind/layout/2\",\"sets\":[]}", false},
	    {"{\"schema\":\"spirv-bind/layout/2\",\"pushConstants\":[]}", false},
	    {"{\"schema\":\"spirv-bind/layout/2\",\"schema\":\"spirv-bind/layout/2\",\"sets\":[],\"pushConstants\":[]}",
	     false},
	    {"[]", false},
	    {"", false},
	    {PROGRAM("3", ""), false},
	    {PROGRAM("{\"set\":0}", ""), false},
	    {PROGRAM(SET("\"0\"", "", PLAIN("0")), ""), false},
	    {PROGRAM(SET("-1", "", PLAIN("0")), ""), false},
	    {PROGRAM(SET("4294967296", "", PLAIN("0")), ""), false},
	    {PROGRAM(SET("4294967295", "", PLAIN("0")), ""), true},
	    {PROGRAM(SET("0", "", PLAIN("4294967295")), ""), true},
	    {PROGRAM(SET("0", "", PLAIN("4294967296")), ""), false},
	    {PROGRAM(SET("0", "", PLAIN("1.5")), ""), false},
	    {PROGRAM(SET("0", "", PLAIN("0") "," PLAIN("0")), ""), false},
	    {PROGRAM(SET("0", "", PLAIN("0")) "," SET("0", "", PLAIN("0")), ""), false},
	    {PROGRAM(SET("0", "", PLAIN("0")) "," SET("1", "", PLAIN("0")), ""), true},
	    {PROGRAM(SET("0", "", PLAIN("0") ",{}"), ""), false},
	    {PROGRAM(SET("0", "", "{\"name\":\"n\",\"descriptorType\":\"T\",\"count\":1,\"stages\":[],\"flags\":[]}"),
		     ""),
	     false},
	    {PROGRAM(SET("0", "", "{\"binding\":0,\"descriptorType\":\"T\",\"count\":1,\"stages\":[],\"flags\":[]}"),
		     ""),
	     false},
	    {PROGRAM(SET("0", "", "{\"binding\":0,\"name\":\"n\",\"count\":1,\"stages\":[],\"flags\":[]}"), ""), false},
	    {PROGRAM(SET("0", "", "{\"binding\":0,\"name\":\"n\",\"descriptorType\":\"T\",\"stages\":[],\"flags\":[]}"),
		     ""),
	     false},
	    {PROGRAM(SET("0", "", "{\"binding\":0,\"name\":\"n\",\"descriptorType\":\"T\",\"count\":1,\"flags\":[]}"),
		     ""),
	     false},
	    {PROGRAM(SET("0", "", "{\"binding\":0,\"name\":\"n\",\"descriptorType\":\"T\",\"count\":1,\"stages\":[]}"),
		     ""),
	     false},
	    {PROGRAM(
		 SET("0", "",
		     "{\"binding\":0,\"name\":\"n\",\"descriptorType\":\"T\",\"count\":1,\"stages\":[],\"flags\":[]}"),
		 ""),
	     true},
	    {PROGRAM(SET("0", "",
			 "{\"binding\":0,\"name\":1,\"descriptorType\":\"T\",\"count\":1,\"stages\":[],\"flags\":[]}"),
		     ""),
	     false}};
	int status;
	bool said;

	(void)state;
	for (size_t i = 0; i < COUNT(layouts); i++) {
		free(compared(NULL, NULL, layouts[i].text, PROGRAM("", ""), &status, &said));
		assert_int_equal(status != EXIT_USAGE, layouts[i].accepted);
		assert_int_equal(said, !layouts[i].accepted);
		free(compared(NULL, NULL, PROGRAM("", ""), layouts[i].text, &status, &said));
		assert_int_equal(status != EXIT_USAGE, layouts[i].accepted);
	}
}

static void the_sets_that_are_asked_for_follow_the_last_colon(void **state)
{
	static const struct {
		const char *value, *sets;
	} values[] = {{"l.json:0,2", "0,2"}, {"l.json:12", "12"}, {"l.json", NULL}, {"l.json:", NULL},
		      {"l:json:1", "1"},     {"l:1:json", NULL},  {"l:1x", NULL},   {":1", "1"}};

	(void)state;
	for (size_t i = 0; i < COUNT(values); i++) {
		const char *sets = cli_asked_sets(values[i].value);
		if (values[i].sets)
			assert_string_equal(sets, values[i].sets);
		else
			assert_null(sets);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_differing_property_is_reported),
	    cmocka_unit_test(sets_and_bindings_are_walked_side_by_side),
	    cmocka_unit_test(the_first_set_that_differs_is_named),
	    cmocka_unit_test(push_constants_come_first),
	    cmocka_unit_test(a_program_matches_its_own_sets),
	    cmocka_unit_test(each_member_of_a_layout_has_to_be_there),
	    cmocka_unit_test(the_sets_that_are_asked_for_follow_the_last_colon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
