/* SPDX-License-Identifier: Apache-2.0 */
/* The workspace of the API: each function is refused where its header says that it has no answer, and does no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "spirv-bind/workspace.h"

#include "assembled.h"

#define REFUSED(call)  assert_int_equal(call, SPB_ERROR_INVALID_ARGUMENT)
#define ACCEPTED(call) assert_int_equal(call, SPB_OK)

/* Of a function that returns a text: none, and a length of 0. */
#define NO_TEXT(call, length)                                                                                          \
	do {                                                                                                           \
		(length) = 77;                                                                                         \
		assert_null(call);                                                                                     \
		assert_int_equal(length, 0);                                                                           \
	} while (0)

static void without_a_workspace_there_is_no_answer(void **state)
{
	spb_workspace *w = NULL;
	spb_context *context;
	size_t length;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	REFUSED(spb_workspace_create(NULL, NULL, NULL, &w));
	REFUSED(spb_workspace_create(context, NULL, NULL, NULL));
	REFUSED(spb_workspace_share(NULL, 0, NULL));
	REFUSED(spb_workspace_set_partial(NULL));
	REFUSED(spb_workspace_add_program(NULL, "a", NULL));
	REFUSED(spb_workspace_set_facts(NULL, "a", ""));
	REFUSED(spb_workspace_read_collected(NULL, "a", ""));
	REFUSED(spb_workspace_leave_out(NULL, "a"));
	REFUSED(spb_workspace_decide(NULL));
	REFUSED(spb_workspace_merge_lock(NULL, "lock version=2\n", "lock version=2\n", NULL));
	NO_TEXT(spb_workspace_program_lock(NULL, "a", &length), length);
	NO_TEXT(spb_workspace_collected(NULL, &length), length);
	NO_TEXT(spb_workspace_lock(NULL, &length), length);
	NO_TEXT(spb_workspace_layout_json(NULL, &length), length);
	assert_null(spb_workspace_program_lock(NULL, "a", NULL));
	assert_false(spb_workspace_differs(NULL, "a"));
	assert_false(spb_workspace_leaves_out(NULL, "a"));
	spb_workspace_destroy(NULL);
	assert_int_not_equal(spb_workspace_create(context, "no lock", "x", &w), SPB_OK);
	assert_null(w);
	spb_context_destroy(context);
}

/* The facts of a program that has one module. */
static void set_facts_of(spb_context *context, spb_workspace *w, const char *name)
{
	size_t count, length;
	uint32_t *words = assemble(SPB_FIXTURES "/assign-bindings/first-fit.spvasm", &count);
	spb_program *program;
	spb_options options;

	spb_options_init(&options, sizeof options);
	options.layout.lock = spb_workspace_program_lock(w, name, &length);
	assert_non_null(options.layout.lock);
	assert_int_equal(strlen(options.layout.lock), length);
	ACCEPTED(spb_program_create(context, &options, &program));
	ACCEPTED(spb_program_add_module(program, "m", words, count));
	assert_null(spb_program_facts(program, &length));
	ACCEPTED(spb_program_collect(program));
	const char *facts = spb_program_facts(program, &length);
	assert_non_null(facts);
	assert_int_equal(strlen(facts), length);
	REFUSED(spb_workspace_set_facts(w, name, NULL));
	REFUSED(spb_workspace_set_facts(w, "nobody", facts));
	REFUSED(spb_workspace_set_facts(w, NULL, facts));
	ACCEPTED(spb_workspace_set_facts(w, name, facts));
	REFUSED(spb_workspace_set_facts(w, name, facts)); /* once */
	spb_program_destroy(program);
	free(words);
}

static void each_call_has_its_time(void **state)
{
	spb_workspace *w;
	spb_context *context;
	size_t length;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	ACCEPTED(spb_workspace_create(context, NULL, NULL, &w));
	REFUSED(spb_workspace_share(w, 0, ""));
	ACCEPTED(spb_workspace_share(w, 0, NULL));
	REFUSED(spb_workspace_merge_lock(w, "lock version=2\n", "lock version=2\n", NULL)); /* it has no lock */
	REFUSED(spb_workspace_add_program(w, NULL, NULL));
	REFUSED(spb_workspace_add_program(w, "", NULL));
	REFUSED(spb_workspace_add_program(w, "a", ""));
	ACCEPTED(spb_workspace_add_program(w, "a", NULL));
	REFUSED(spb_workspace_add_program(w, "a", NULL));
	REFUSED(spb_workspace_share(w, 1, NULL)); /* the programs have begun */
	REFUSED(spb_workspace_set_partial(w));
	ACCEPTED(spb_workspace_add_program(w, "b", NULL));
	ACCEPTED(spb_workspace_add_program(w, "c", "a"));
	NO_TEXT(spb_workspace_program_lock(w, "nobody", &length), length);
	NO_TEXT(spb_workspace_program_lock(w, NULL, &length), length);
	REFUSED(spb_workspace_leave_out(w, "nobody"));
	REFUSED(spb_workspace_leave_out(w, NULL));
	REFUSED(spb_workspace_read_collected(w, "x", NULL));
	set_facts_of(context, w, "a");
	set_facts_of(context, w, "c");
	REFUSED(spb_workspace_add_program(w, "d", NULL)); /* who shares what is decided by those that there were */
	assert_false(spb_workspace_leaves_out(w, "b"));
	ACCEPTED(spb_workspace_leave_out(w, "b"));
	assert_true(spb_workspace_leaves_out(w, "b"));
	assert_false(spb_workspace_leaves_out(w, "a"));
	assert_false(spb_workspace_leaves_out(w, "nobody"));
	assert_false(spb_workspace_leaves_out(w, NULL));
	NO_TEXT(spb_workspace_program_lock(w, "b", &length), length);
	REFUSED(spb_workspace_set_facts(w, "b", ""));
	NO_TEXT(spb_workspace_lock(w, &length), length);
	NO_TEXT(spb_workspace_layout_json(w, &length), length);
	assert_false(spb_workspace_differs(w, "a"));
	ACCEPTED(spb_workspace_decide(w));
	REFUSED(spb_workspace_decide(w));
	REFUSED(spb_workspace_leave_out(w, "a"));
	REFUSED(spb_workspace_read_collected(w, "x", "collected version=1\n"));
	REFUSED(spb_workspace_merge_lock(w, "lock version=2\n", "lock version=2\n", NULL));
	const char *text = spb_workspace_lock(w, &length);
	assert_int_equal(strlen(text), length);
	assert_non_null(spb_workspace_lock(w, NULL));
	text = spb_workspace_layout_json(w, &length);
	assert_int_equal(strlen(text), length);
	assert_non_null(spb_workspace_layout_json(w, NULL));
	assert_true(spb_workspace_differs(w, "a"));
	assert_false(spb_workspace_differs(w, "b"));
	assert_false(spb_workspace_differs(w, "nobody"));
	assert_false(spb_workspace_differs(w, NULL));
	assert_non_null(spb_workspace_program_lock(w, "a", NULL));
	spb_workspace_destroy(w);
	spb_context_destroy(context);
}

/* What is collected of a workspace is what it was given, although that and what its programs were read into are gone.
 */
static void facts_are_copied(void **state)
{
	static const char given[] =
	    "collected version=1\nprogram a\n"
	    "resource Frame set=0 binding=0 place=fixed kind=ubo type=6f82dae421b6b7aa stages=compute\n"
	    "member sun type=float4 offset=0 hash=701c6b8e3586fb1a\n"
	    "member time type=float offset=16 hash=01ed744989e45ff9\n"
	    "program b\n"
	    "resource Frame set=0 binding=0 place=fixed kind=ubo type=6f82dae421b6b7aa stages=compute\n"
	    "member moon type=float4 offset=0 hash=701c6b8e3586fb1a\n"
	    "resource O set=0 binding=1 place=fixed kind=ssbo type=25051706b4754f5f stages=compute\n"
	    "member o type=float offset=0 hash=0b7a5cf1da3898e7\n";
	spb_workspace *w;
	spb_context *context;
	size_t length;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	ACCEPTED(spb_workspace_create(context, NULL, NULL, &w));
	ACCEPTED(spb_workspace_share(w, 0, NULL));
	ACCEPTED(spb_workspace_add_program(w, "a", NULL));
	ACCEPTED(spb_workspace_add_program(w, "b", NULL));
	char *text = malloc(sizeof given);
	memcpy(text, given, sizeof given);
	ACCEPTED(spb_workspace_read_collected(w, "file", text));
	memset(text, '?', sizeof given - 1);
	free(text);
	assert_string_equal(spb_workspace_collected(w, &length), given);
	assert_int_equal(length, sizeof given - 1);
	spb_workspace_destroy(w);
	spb_context_destroy(context);
}

static void a_lock_is_merged_once(void **state)
{
	static const char ours[] = "lock version=2\nresource a program=* set=0 binding=1 kind=ubo\n";
	static const char theirs[] = "lock version=2\nresource b program=* set=0 binding=1 kind=ubo\n";
	static const char base[] = "lock version=2\n";
	spb_workspace *w;
	spb_context *context;
	size_t length;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	ACCEPTED(spb_workspace_create(context, ours, "ours", &w));
	REFUSED(spb_workspace_merge_lock(w, NULL, theirs, NULL));
	REFUSED(spb_workspace_merge_lock(w, base, NULL, NULL));
	ACCEPTED(spb_workspace_merge_lock(w, base, theirs, NULL));
	const char *merged = spb_workspace_lock(w, &length);
	assert_non_null(strstr(merged, "resource a program=* set=0 binding=1 kind=ubo\n"));
	assert_non_null(strstr(merged, "resource b program=* set=0 binding=2 kind=ubo\n"));
	REFUSED(spb_workspace_merge_lock(w, base, theirs, NULL));
	REFUSED(spb_workspace_decide(w));
	spb_workspace_destroy(w);
	ACCEPTED(spb_workspace_create(context, ours, "ours", &w));
	ACCEPTED(spb_workspace_add_program(w, "a", NULL));
	REFUSED(spb_workspace_merge_lock(w, base, theirs, NULL));
	spb_workspace_destroy(w);
	spb_context_destroy(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_workspace_there_is_no_answer),
	    cmocka_unit_test(each_call_has_its_time),
	    cmocka_unit_test(facts_are_copied),
	    cmocka_unit_test(a_lock_is_merged_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
