/* SPDX-License-Identifier: Apache-2.0 */
/* The API: each function of a program and of a workspace is refused where the header says so, without effect; lists and
 * texts are returned whatever the size of the caller's structs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "spirv-bind/workspace.h"

#include "assembled.h"
#include "metered.h"
#include "results.h"

#define REFUSED(call)  assert_int_equal(call, SPB_ERROR_INVALID_ARGUMENT)
#define ACCEPTED(call) assert_int_equal(call, SPB_OK)

enum { SAID = 1000 };

/* A function that returns a text returns NULL, and a length of 0. */
#define NO_TEXT(call, length)                                                                                          \
	do {                                                                                                           \
		(length) = 77;                                                                                         \
		assert_null(call);                                                                                     \
		assert_int_equal(length, 0);                                                                           \
	} while (0)

static void calls_without_a_workspace_fail(void **state)
{
	spb_workspace *w = NULL;
	spb_context *context;
	size_t length;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	REFUSED(spb_workspace_create(NULL, NULL, NULL, false, &w));
	REFUSED(spb_workspace_create(context, NULL, NULL, false, NULL));
	REFUSED(spb_workspace_share(NULL, 0, NULL));
	REFUSED(spb_workspace_add_program(NULL, "a", NULL));
	REFUSED(spb_workspace_add_facts(NULL, "a", "", NULL));
	REFUSED(spb_workspace_add_facts(NULL, NULL, "", "a"));
	REFUSED(spb_workspace_leave_out(NULL, "a"));
	REFUSED(spb_workspace_decide(NULL));
	REFUSED(spb_workspace_merge_lock(NULL, "lock version=2\n", "lock version=2\n", NULL));
	NO_TEXT(spb_workspace_text(NULL, SPB_WORKSPACE_PROGRAM_LOCK, "a", &length), length);
	NO_TEXT(spb_workspace_text(NULL, SPB_WORKSPACE_FACTS, NULL, &length), length);
	NO_TEXT(spb_workspace_text(NULL, SPB_WORKSPACE_LOCK, NULL, &length), length);
	NO_TEXT(spb_workspace_text(NULL, SPB_WORKSPACE_LAYOUT_JSON, NULL, &length), length);
	NO_TEXT(spb_workspace_text(NULL, SPB_WORKSPACE_REPORT, NULL, &length), length);
	assert_null(spb_workspace_text(NULL, SPB_WORKSPACE_PROGRAM_LOCK, "a", NULL));
	assert_false(spb_workspace_judge(NULL, "a") == SPB_WORKSPACE_DIFFERS);
	assert_true(spb_workspace_judge(NULL, "a") == SPB_WORKSPACE_LEFT_OUT);
	spb_workspace_destroy(NULL);
	assert_int_not_equal(spb_workspace_create(context, "no lock", "x", false, &w), SPB_OK);
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
	options.layout.lock = spb_workspace_text(w, SPB_WORKSPACE_PROGRAM_LOCK, name, &length);
	assert_non_null(options.layout.lock);
	assert_int_equal(strlen(options.layout.lock), length);
	options.mode = SPB_MODE_COLLECT;
	ACCEPTED(spb_program_create(context, &options, &program));
	ACCEPTED(spb_program_add(program, "m", words, count, 0));
	assert_null(spb_program_text(program, SPB_TEXT_FACTS, NULL, &length));
	ACCEPTED(spb_program_bind(program));
	const char *facts = spb_program_text(program, SPB_TEXT_FACTS, NULL, &length);
	assert_non_null(facts);
	assert_int_equal(strlen(facts), length);
	REFUSED(spb_workspace_add_facts(w, name, NULL, NULL));
	REFUSED(spb_workspace_add_facts(w, "nobody", facts, NULL));
	REFUSED(spb_workspace_add_facts(w, NULL, facts, NULL));
	ACCEPTED(spb_workspace_add_facts(w, name, facts, NULL));
	REFUSED(spb_workspace_add_facts(w, name, facts, NULL)); /* once */
	spb_program_destroy(program);
	free(words);
}

static void calls_out_of_order_are_refused(void **state)
{
	spb_workspace *w;
	spb_context *context;
	size_t length;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	ACCEPTED(spb_workspace_create(context, NULL, NULL, false, &w));
	REFUSED(spb_workspace_share(w, 0, ""));
	ACCEPTED(spb_workspace_share(w, 0, NULL));
	REFUSED(spb_workspace_merge_lock(w, "lock version=2\n", "lock version=2\n", NULL)); /* it has no lock */
	REFUSED(spb_workspace_add_program(w, NULL, NULL));
	REFUSED(spb_workspace_add_program(w, "", NULL));
	REFUSED(spb_workspace_add_program(w, "a", ""));
	ACCEPTED(spb_workspace_add_program(w, "a", NULL));
	REFUSED(spb_workspace_add_program(w, "a", NULL));
	REFUSED(spb_workspace_share(w, 1, NULL)); /* the programs have begun */
	ACCEPTED(spb_workspace_add_program(w, "b", NULL));
	ACCEPTED(spb_workspace_add_program(w, "c", "a"));
	NO_TEXT(spb_workspace_text(w, SPB_WORKSPACE_PROGRAM_LOCK, "nobody", &length), length);
	NO_TEXT(spb_workspace_text(w, SPB_WORKSPACE_PROGRAM_LOCK, NULL, &length), length);
	REFUSED(spb_workspace_leave_out(w, "nobody"));
	REFUSED(spb_workspace_leave_out(w, NULL));
	REFUSED(spb_workspace_add_facts(w, NULL, NULL, "x"));
	set_facts_of(context, w, "a");
	set_facts_of(context, w, "c");
	REFUSED(spb_workspace_add_program(w, "d", NULL)); /* sharing has been decided by the existing programs */
	assert_false(spb_workspace_judge(w, "b") == SPB_WORKSPACE_LEFT_OUT);
	ACCEPTED(spb_workspace_leave_out(w, "b"));
	assert_true(spb_workspace_judge(w, "b") == SPB_WORKSPACE_LEFT_OUT);
	assert_false(spb_workspace_judge(w, "a") == SPB_WORKSPACE_LEFT_OUT);
	assert_true(spb_workspace_judge(w, "nobody") == SPB_WORKSPACE_LEFT_OUT);
	assert_true(spb_workspace_judge(w, NULL) == SPB_WORKSPACE_LEFT_OUT);
	NO_TEXT(spb_workspace_text(w, SPB_WORKSPACE_PROGRAM_LOCK, "b", &length), length);
	REFUSED(spb_workspace_add_facts(w, "b", "", NULL));
	NO_TEXT(spb_workspace_text(w, SPB_WORKSPACE_LOCK, NULL, &length), length);
	NO_TEXT(spb_workspace_text(w, SPB_WORKSPACE_LAYOUT_JSON, NULL, &length), length);
	NO_TEXT(spb_workspace_text(w, SPB_WORKSPACE_REPORT, NULL, &length), length);
	assert_false(spb_workspace_judge(w, "a") == SPB_WORKSPACE_DIFFERS);
	ACCEPTED(spb_workspace_decide(w));
	REFUSED(spb_workspace_decide(w));
	REFUSED(spb_workspace_leave_out(w, "a"));
	REFUSED(spb_workspace_add_facts(w, NULL, "collected version=1\n", "x"));
	REFUSED(spb_workspace_merge_lock(w, "lock version=2\n", "lock version=2\n", NULL));
	const char *text = spb_workspace_text(w, SPB_WORKSPACE_LOCK, NULL, &length);
	assert_int_equal(strlen(text), length);
	assert_non_null(spb_workspace_text(w, SPB_WORKSPACE_LOCK, NULL, NULL));
	text = spb_workspace_text(w, SPB_WORKSPACE_LAYOUT_JSON, NULL, &length);
	assert_int_equal(strlen(text), length);
	assert_non_null(spb_workspace_text(w, SPB_WORKSPACE_LAYOUT_JSON, NULL, NULL));
	text = spb_workspace_text(w, SPB_WORKSPACE_REPORT, "{\"older\": 2}", &length);
	assert_int_equal(strlen(text), length);
	assert_non_null(strstr(text, "{\"older\": 2}"));
	assert_null(strstr(spb_workspace_text(w, SPB_WORKSPACE_REPORT, NULL, NULL), "older\": 2"));
	assert_true(spb_workspace_judge(w, "a") == SPB_WORKSPACE_DIFFERS);
	assert_false(spb_workspace_judge(w, "b") == SPB_WORKSPACE_DIFFERS);
	assert_false(spb_workspace_judge(w, "nobody") == SPB_WORKSPACE_DIFFERS);
	assert_false(spb_workspace_judge(w, NULL) == SPB_WORKSPACE_DIFFERS);
	assert_non_null(spb_workspace_text(w, SPB_WORKSPACE_PROGRAM_LOCK, "a", NULL));
	spb_workspace_destroy(w);
	spb_context_destroy(context);
}

/* The facts of a workspace are those that were added, although the texts and programs are gone. */
static void facts_are_copied(void **state)
{
	static const char given[] =
	    "collected version=1\nprogram a\n"
	    "resource Frame set=0 binding=0 place=fixed kind=ubo type=6f82dae421b6b7aa stages=compute\n"
	    "member sun type=float4 offset=0 end=16 hash=701c6b8e3586fb1a\n"
	    "member time type=float offset=16 end=20 hash=01ed744989e45ff9\n"
	    "program b\n"
	    "resource Frame set=0 binding=0 place=fixed kind=ubo type=6f82dae421b6b7aa stages=compute\n"
	    "member moon type=float4 offset=0 end=16 hash=701c6b8e3586fb1a\n"
	    "resource O set=0 binding=1 place=fixed kind=ssbo type=25051706b4754f5f stages=compute\n"
	    "member o type=float offset=0 end=4 hash=0b7a5cf1da3898e7\n";
	spb_workspace *w;
	spb_context *context;
	size_t length;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	ACCEPTED(spb_workspace_create(context, NULL, NULL, false, &w));
	ACCEPTED(spb_workspace_share(w, 0, NULL));
	ACCEPTED(spb_workspace_add_program(w, "a", NULL));
	ACCEPTED(spb_workspace_add_program(w, "b", NULL));
	char *text = malloc(sizeof given);
	memcpy(text, given, sizeof given);
	ACCEPTED(spb_workspace_add_facts(w, NULL, text, "file"));
	memset(text, '?', sizeof given - 1);
	free(text);
	assert_string_equal(spb_workspace_text(w, SPB_WORKSPACE_FACTS, NULL, &length), given);
	assert_int_equal(length, sizeof given - 1);
	spb_workspace_destroy(w);
	spb_context_destroy(context);
}

/* Collected facts: how they are written, or where and why they are wrong. */
static void keep_message(void *user, const spb_message *message)
{
	char *said = user;

	snprintf(said, SAID, "%u: %s", message->line, message->text);
}

static char *written(const char *given, char *said)
{
	const spb_callbacks callbacks = {.user = said, .message = keep_message};
	spb_workspace *w;
	spb_context *context;

	said[0] = 0;
	ACCEPTED(spb_context_create(NULL, &callbacks, &context));
	ACCEPTED(spb_workspace_create(context, NULL, NULL, false, &w));
	ACCEPTED(spb_workspace_add_program(w, "a", NULL));
	ACCEPTED(spb_workspace_add_program(w, "b", NULL));
	const spb_status status = spb_workspace_add_facts(w, NULL, given, "file");
	const char *text = status == SPB_OK ? spb_workspace_text(w, SPB_WORKSPACE_FACTS, NULL, NULL) : NULL;
	char *copy = text ? strcpy(malloc(strlen(text) + 1), text) : NULL;
	assert_int_equal(status == SPB_OK, !said[0]);
	spb_workspace_destroy(w);
	spb_context_destroy(context);
	return copy;
}

#define HEAD   "collected version=1\nprogram a\n"
#define TYPE   " type=0123456789abcdef"
#define MEMBER " type=float offset=0 hash=0123456789abcdef"
#define PLACE  " set=1 binding=2 place=open kind=ubo"

static void facts_are_deterministic(void **state)
{
	static const struct {
		const char *given, *written; /* NULL: as given */
	} rows[] = {
	    {HEAD, NULL},
	    {HEAD "shift class=t set=1 by=4\nshift class=b set=0 by=0\nreserve set=2 range=3..9\n"
		  "reserve set=4 range=5..4294967295\n",
	     NULL},
	    {HEAD "reserve set=4 range=5\nreserve range=7.. set=4\nshift by=1 class=u\n",
	     HEAD "shift class=u set=0 by=1\nreserve set=4 range=5..5\nreserve set=4 range=7..4294967295\n"},
	    {HEAD "resource r set=0 binding=0 place=open kind=sampler type=0000000000000000\n", NULL},
	    {HEAD "heap h ordinal=3 set=4294967295 binding=7 place=fixed kind=texture count=5 type=ffffffffffffffff "
		  "stages=vertex,fragment,compute\n",
	     NULL},
	    {HEAD "resource r set=1 binding=2 place=locked kind=as count=0" TYPE " stages=compute\n", NULL},
	    {HEAD "resource r set=1 binding=2 place=locked kind=as count=0" TYPE " flags=0\n", NULL},
	    {HEAD "resource r" PLACE TYPE " descriptor=8 types=5 descriptors=16 flags=3 set-flags=1 immutable=1 "
		  "non-uniform=1\n",
	     NULL},
	    {HEAD "resource r" PLACE TYPE " class=u number=3 shift=1 length=4\nresource s" PLACE TYPE
		  " class=b number=0\n",
	     NULL},
	    {HEAD "resource r" PLACE TYPE " from=5 range=2..8 alone=heaps\n", NULL},
	    {HEAD "resource r" PLACE TYPE "\nresource s" PLACE TYPE " lead=0 offset=0\nresource t" PLACE TYPE
		  " lead=1 offset=9\n",
	     NULL},
	    {HEAD "resource r" PLACE TYPE "\nmember x type=float offset=4 end=0 hash=00000000000000aa\n"
		  "member \"y z\" type=\"my type\" offset=0 end=0 hash=fedcba9876543210\nresource s" PLACE TYPE "\n"
		  "program b\nresource r" PLACE TYPE "\n",
	     NULL},
	    /* in unusual forms: other orders, default values, blanks, comments */
	    {HEAD "# none\n\n  resource \"r\"\tkind=ubo " TYPE " binding=2 set=1 count=1 ordinal=0 from=0 length=1 "
		  "flags=0 immutable=0 non-uniform=0 set-flags=0 # end\r\n",
	     HEAD "resource r" PLACE TYPE "\n"},
	    {HEAD "resource r" PLACE TYPE " stages=fragment,vertex,fragment shift=0 class=t number=1 immutable=2",
	     HEAD "resource r" PLACE TYPE " stages=vertex,fragment immutable=1 class=t number=1\n"},
	    {"collected version=1\nprogram b\nprogram a\nshift by=0 class=s\n",
	     HEAD "shift class=s set=0 by=0\nprogram b\n"},
	    {"collected version=1\n", NULL},
	};
	char said[SAID];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = written(rows[i].given, said);
		assert_string_equal(said, "");
		assert_string_equal(text, rows[i].written ? rows[i].written : rows[i].given);
		free(text);
	}
}

/* The first object of a text, without line feeds and indentation. free() it. */
static char *dense(const char *text)
{
	const char *at = strchr(text, '{'), *end = strstr(at, "\n}");
	char *copy = malloc((size_t)(end - at) + 2), *to = copy;

	while (at <= end) {
		*to++ = *at++;
		if (to[-1] == '\n')
			to--, at += strspn(at, " ");
	}
	strcpy(to, "}");
	return copy;
}

/* Shared sets, with views of one descriptor and their users; and in the report, the used and private resources of each
 * program. */
static void shared_sets_are_written_with_their_users(void **state)
{
	static const struct {
		const char *program, *name;
		unsigned set, binding;
		const char *kind, *rest;
	} rows[] = {
	    {"a", "t", 0, 1, "texture", " stages=vertex flags=1 set-flags=1"},
	    {"a", "u", 0, 1, "texture", " stages=fragment descriptors=3 count=3 non-uniform=1 flags=4 lead=0 offset=0"},
	    {"a", "b", 0, 0, "ubo", " stages=vertex,compute"},
	    {"a", "x", 2, 0, "ssbo", " stages=vertex"},
	    {"a", "z", 7, 0, "ssbo", ""},
	    {"a", "y", 5, 1, "ssbo", ""},
	    {"a", "w", 7, 3, "ssbo", ""},
	    {"ab", "t", 0, 1, "texture", " stages=fragment"},
	    {"ab", "x", 2, 0, "ssbo", " stages=fragment non-uniform=1"},
	    {"ab", "i", 2, 4, "sampler", " immutable=1"},
	    {"ab", "m", 2, 5, "texture", " descriptor=1000351000 types=12 descriptors=0 count=0"},
	    {"b", "b", 0, 0, "ubo", " stages=vertex"},
	    {"b", "f", 3, 2, "sampler", " stages=vertex"},
	    {"c", "f", 3, 2, "sampler", " stages=compute"},
	};
	static const char sets[] =
	    "{\"schema\": \"spirv-bind/workspace/1\",\"sets\": ["
	    "{\"set\": 0,\"programs\": \"*\",\"flags\": "
	    "[\"VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR\"],\"bindings\": ["
	    "{\"binding\": 0,\"count\": 1,\"descriptorType\": "
	    "\"VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER\",\"stages\": [\"VK_SHADER_STAGE_VERTEX_BIT\", "
	    "\"VK_SHADER_STAGE_COMPUTE_BIT\"],\"name\": \"b\",\"nonUniform\": false,\"flags\": "
	    "[],\"programs\": [\"a\", \"b\"]},"
	    "{\"binding\": 1,\"count\": 3,\"descriptorType\": "
	    "\"VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE\",\"stages\": [\"VK_SHADER_STAGE_VERTEX_BIT\", "
	    "\"VK_SHADER_STAGE_FRAGMENT_BIT\"],\"name\": \"t\",\"nonUniform\": true,\"flags\": "
	    "[\"VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT\", "
	    "\"VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT\"],\"programs\": [\"a\", \"ab\"]}]},"
	    "{\"set\": 2,\"programs\": \"a*\",\"bindings\": ["
	    "{\"binding\": 0,\"count\": 1,\"descriptorType\": "
	    "\"VK_DESCRIPTOR_TYPE_STORAGE_BUFFER\",\"stages\": [\"VK_SHADER_STAGE_VERTEX_BIT\", "
	    "\"VK_SHADER_STAGE_FRAGMENT_BIT\"],\"name\": \"x\",\"nonUniform\": true,\"flags\": "
	    "[],\"programs\": [\"a\", \"ab\"]},"
	    "{\"binding\": 4,\"count\": 1,\"descriptorType\": "
	    "\"VK_DESCRIPTOR_TYPE_SAMPLER\",\"immutableSamplers\": true,\"stages\": [],\"name\": "
	    "\"i\",\"nonUniform\": false,\"flags\": [],\"programs\": [\"ab\"]},"
	    "{\"binding\": 5,\"count\": null,\"descriptorType\": "
	    "\"VK_DESCRIPTOR_TYPE_MUTABLE_EXT\",\"mutableTypes\": [\"VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE\", "
	    "\"VK_DESCRIPTOR_TYPE_STORAGE_IMAGE\"],\"stages\": [],\"name\": \"m\",\"nonUniform\": "
	    "false,\"flags\": [\"VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT\"],\"programs\": [\"ab\"]}]},"
	    "{\"set\": 3,\"family\": \"b\",\"bindings\": ["
	    "{\"binding\": 2,\"count\": 1,\"descriptorType\": \"VK_DESCRIPTOR_TYPE_SAMPLER\",\"stages\": "
	    "[\"VK_SHADER_STAGE_VERTEX_BIT\", \"VK_SHADER_STAGE_COMPUTE_BIT\"],\"name\": "
	    "\"f\",\"nonUniform\": false,\"flags\": [],\"programs\": [\"b\", \"c\"]}]}]";
	static const char programs[] =
	    ",\"stageNames\": [\"VK_SHADER_STAGE_VERTEX_BIT\", "
	    "\"VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT\", \"VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT\", "
	    "\"VK_SHADER_STAGE_GEOMETRY_BIT\", \"VK_SHADER_STAGE_FRAGMENT_BIT\", "
	    "\"VK_SHADER_STAGE_COMPUTE_BIT\", \"VK_SHADER_STAGE_RAYGEN_BIT_KHR\", "
	    "\"VK_SHADER_STAGE_ANY_HIT_BIT_KHR\", \"VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR\", "
	    "\"VK_SHADER_STAGE_MISS_BIT_KHR\", \"VK_SHADER_STAGE_INTERSECTION_BIT_KHR\", "
	    "\"VK_SHADER_STAGE_CALLABLE_BIT_KHR\", \"VK_SHADER_STAGE_TASK_BIT_EXT\", "
	    "\"VK_SHADER_STAGE_MESH_BIT_EXT\"],"
	    "\"programs\": ["
	    "{\"name\": \"a\",\"uses\": [0, 1, 1, 0, 0, 1, 16, 1, 0, 0, 33, 0, 1, 0, 1, 0],\"own\": [5, 1, "
	    "7, 2]},"
	    "{\"name\": \"ab\",\"uses\": [0, 1, 16, 0, 1, 0, 16, 1, 1, 1, 0, 0, 1, 2, 0, 0],\"own\": []},"
	    "{\"name\": \"b\",\"uses\": [0, 0, 1, 0, 2, 0, 1, 0],\"own\": []},"
	    "{\"name\": \"c\",\"variantOf\": \"b\",\"uses\": [2, 0, 32, 0],\"own\": []},"
	    "{\"name\": \"d\",\"leftOut\": true,\"uses\": [],\"own\": []}]}";
	spb_workspace *w;
	spb_context *context;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	ACCEPTED(spb_workspace_create(context, NULL, NULL, false, &w));
	ACCEPTED(spb_workspace_share(w, 0, NULL));
	ACCEPTED(spb_workspace_share(w, 2, "a*"));
	ACCEPTED(spb_workspace_add_program(w, "a", NULL));
	ACCEPTED(spb_workspace_add_program(w, "ab", NULL));
	ACCEPTED(spb_workspace_add_program(w, "b", NULL));
	ACCEPTED(spb_workspace_add_program(w, "c", "b"));
	ACCEPTED(spb_workspace_add_program(w, "d", NULL));
	ACCEPTED(spb_workspace_leave_out(w, "d"));
	char facts[3000] = "collected version=1\n";
	for (size_t i = 0, n = strlen(facts); i < sizeof rows / sizeof *rows; i++) {
		if (!i || strcmp(rows[i].program, rows[i - 1].program) != 0)
			n += (size_t)snprintf(facts + n, sizeof facts - n, "program %s\n", rows[i].program);
		n += (size_t)snprintf(facts + n, sizeof facts - n,
				      "resource %s set=%u binding=%u place=fixed kind=%s" TYPE "%s\n", rows[i].name,
				      rows[i].set, rows[i].binding, rows[i].kind, rows[i].rest);
	}
	ACCEPTED(spb_workspace_add_facts(w, NULL, facts, "file"));
	ACCEPTED(spb_workspace_decide(w));
	char *json = dense(spb_workspace_text(w, SPB_WORKSPACE_LAYOUT_JSON, NULL, NULL)),
	     *page = dense(strstr(spb_workspace_text(w, SPB_WORKSPACE_REPORT, NULL, NULL), "{\n  \"schema\""));
	assert_int_equal(strlen(json), strlen(sets) + 1); /* and a brace */
	assert_memory_equal(json, sets, strlen(sets));
	assert_memory_equal(page, sets, strlen(sets));
	assert_string_equal(page + strlen(sets), programs);
	free(json);
	free(page);
	spb_workspace_destroy(w);
	spb_context_destroy(context);
}

static void wrong_facts_are_refused(void **state)
{
	static const struct {
		const char *given, *said;
	} rows[] = {
	    {"", "1: this is not a file that collect has written: its first line must be \"collected version=1\""},
	    {"collected version=2\n", "1: this is not a file that collect has written"},
	    {"collected version=1\nresource r" PLACE TYPE "\n", "2: expected a line that begins with program"},
	    {"collected version=1\nprogram z\n", "2: the workspace has no program \"z\""},
	    {"collected version=1\nprograms a\n", "2: expected a line that begins with program"},
	    {"collected version=1\nprogram a b\n", "2: no line of facts begins with \"b\""},
	    {HEAD "program b\nprogram a\n", "4: program \"a\" was collected twice"},
	    {HEAD "nothing x\n", "3: no line of facts begins with \"nothing\""},
	    {HEAD "resources r" PLACE TYPE "\n", "3: no line of facts begins with \"resources\""},
	    {HEAD "heap\n", "3: no line of facts begins with \"heap\""},
	    {HEAD "member x type=float offset=0 hash=0123456789abcdef\n", "3: a member comes directly after"},
	    {HEAD "resource r" PLACE TYPE "\n\nmember x offset=0\n", "5: a member comes directly after"},
	    {HEAD "resource r binding=2 kind=ubo" TYPE "\n", "3: the line is truncated"},
	    {HEAD "resource r set=2 kind=ubo" TYPE "\n", "3: the line is truncated"},
	    {HEAD "resource r set=2 binding=2" TYPE "\n", "3: the line is truncated"},
	    {HEAD "resource r set=2 binding=2 kind=ubo\n", "3: the line is truncated"},
	    {HEAD "resource r" PLACE TYPE " types=65536\n", "3: types= takes a number up to 65535, but got 65536"},
	    {HEAD "resource r" PLACE TYPE " flags=256\n", "3: flags= takes a number up to 255, but got 256"},
	    {HEAD "resource r" PLACE TYPE " set-flags=256\n", "3: set-flags= takes a number up to 255, but got 256"},
	    {HEAD "resource r" PLACE " type=0123456789abcde\n", "3: type= takes 16 hexadecimal digits"},
	    {HEAD "resource r" PLACE " type=0123456789abcdef0\n", "3: type= takes 16 hexadecimal digits"},
	    {HEAD "resource r" PLACE " type=0123456789abcdeF\n", "3: type= takes 16 hexadecimal digits"},
	    {HEAD "resource r" PLACE " type=0123456789abcdeg\n", "3: type= takes 16 hexadecimal digits"},
	    {HEAD "resource r" PLACE " type=0123456789abcde`\n", "3: type= takes 16 hexadecimal digits"},
	    {HEAD "resource r" PLACE " type=0123456789abcde:\n", "3: type= takes 16 hexadecimal digits"},
	    {HEAD "resource r" PLACE " type=0123456789abcde/\n", "3: type= takes 16 hexadecimal digits"},
	    {HEAD "resource r" PLACE TYPE " odd=1\n", "3: unknown key \"odd\""},
	    {HEAD "resource r" PLACE TYPE " set=4294967296\n", "3: set=4294967296 exceeds 4294967295"},
	    {HEAD "resource r" PLACE TYPE " set=1x\n", "3: set= takes a number, but got \"1x\""},
	    {HEAD "resource r" PLACE TYPE " set=x\n", "3: set= takes a number from 0 to 4294967295"},
	    {HEAD "resource r" PLACE TYPE " set=:\n", "3: set= takes a number from 0 to 4294967295"},
	    {HEAD "resource r" PLACE TYPE " set=\n", "3: set= has no value"},
	    {HEAD "resource r" PLACE TYPE " set\n", "3: expected key=value, got \"set\""},
	    {HEAD "resource r" PLACE TYPE " place=away\n", "3: place= takes one of open, fixed, locked, but got"},
	    {HEAD "resource r" PLACE TYPE " kind=other\n", "3: unknown kind \"other\""},
	    {HEAD "resource r" PLACE TYPE " kind=,\n", "3: unknown kind \",\""},
	    {HEAD "resource r" PLACE TYPE " stages=vertex,frag\n", "3: unknown stages \"frag\""},
	    {HEAD "resource r" PLACE TYPE " class=x number=1\n", "3: unknown class \"x\""},
	    {HEAD "resource r" PLACE TYPE " range=4..3\n", "3: range=4..3 ends before it begins"},
	    {HEAD "resource r" PLACE TYPE " range=4.5\n", "3: range= takes a range such as 4..7, but got \"4.5\""},
	    {HEAD "resource r" PLACE TYPE " range=4..5.\n", "3: range= takes a range such as 4..7"},
	    {HEAD "resource r" PLACE TYPE " lead=0\n", "3: lead= takes the number of a line before this one"},
	    {HEAD "resource r" PLACE TYPE "\nresource s" PLACE TYPE " lead=1\n", "4: lead= takes the number of a line"},
	    {HEAD "resource r" PLACE TYPE " lead=4294967295\n", "3: lead= takes the number of a line"},
	    {HEAD "resource \"r" PLACE TYPE "\n", "3: the closing quotation mark is missing"},
	    {HEAD "resource r" PLACE TYPE "\nmember x" MEMBER "\nmember y of=1\n", "5: unknown key \"of\""},
	    {HEAD "resource r" PLACE TYPE "\nmember x hash=1\n", "4: hash= takes 16 hexadecimal digits"},
	    {HEAD "resource r" PLACE TYPE "\nmember \n", "4: the line is truncated"},
	    {HEAD "resource r" PLACE TYPE "\nmember x type=float offset=0\n", "4: the line is truncated"},
	    {HEAD "resource r" PLACE TYPE "\nmember x type=float hash=0123456789abcdef\n", "4: the line is truncated"},
	    {HEAD "resource r" PLACE TYPE "\nmember x offset=0 hash=0123456789abcdef\n", "4: the line is truncated"},
	    {HEAD "shift class=t set=1 range=4\n", "3: unknown key \"range\""},
	    {HEAD "reserve class=t\n", "3: unknown key \"class\""},
	    {HEAD "reserve set=1 by=3\n", "3: unknown key \"by\""},
	    {HEAD "resource r" PLACE TYPE " an-unusually-long-key-that-nobody-would-write=1\n",
	     "3: expected a key before ="},
	};
	char said[SAID];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_null(written(rows[i].given, said));
		if (strncmp(said, rows[i].said, strlen(rows[i].said)) != 0)
			assert_string_equal(said, rows[i].said);
	}
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
	ACCEPTED(spb_workspace_create(context, ours, "ours", false, &w));
	REFUSED(spb_workspace_merge_lock(w, NULL, theirs, NULL));
	REFUSED(spb_workspace_merge_lock(w, base, NULL, NULL));
	ACCEPTED(spb_workspace_merge_lock(w, base, theirs, NULL));
	const char *merged = spb_workspace_text(w, SPB_WORKSPACE_LOCK, NULL, &length);
	assert_non_null(strstr(merged, "resource a program=* set=0 binding=1 kind=ubo\n"));
	assert_non_null(strstr(merged, "resource b program=* set=0 binding=2 kind=ubo\n"));
	REFUSED(spb_workspace_merge_lock(w, base, theirs, NULL));
	REFUSED(spb_workspace_decide(w));
	spb_workspace_destroy(w);
	ACCEPTED(spb_workspace_create(context, ours, "ours", false, &w));
	ACCEPTED(spb_workspace_add_program(w, "a", NULL));
	REFUSED(spb_workspace_merge_lock(w, base, theirs, NULL));
	spb_workspace_destroy(w);
	spb_context_destroy(context);
}

/* A program of these modules of fixtures. */
static spb_program *program_of(spb_context *context, const spb_options *options, const char *const *paths, size_t n)
{
	spb_program *program;

	ACCEPTED(spb_program_create(context, options, &program));
	for (size_t i = 0; i < n; i++) {
		size_t count;
		uint32_t *words = assemble(paths[i], &count);
		ACCEPTED(spb_program_add(program, NULL, words, count, 0));
		free(words);
	}
	return program;
}

static const char *const two_modules[] = {SPB_FIXTURES "/assign-bindings/first-fit.spvasm",
					  SPB_FIXTURES "/sizes/push_constants_two_entries.spvasm"};

/* All queries of an unbound program, or of NULL. */
static void expect_no_answers(spb_program *p)
{
	const spb_descriptor_binding *descriptors = (const void *)two_modules;
	const spb_resource *resources = (const void *)two_modules;
	const spb_push_constant_range *ranges = (const void *)two_modules;
	const spb_descriptor_access *accesses = (const void *)two_modules;
	size_t length;

	NO_TEXT(spb_program_words(p, 0, SPB_WORDS_OUTPUT, &length), length);
	NO_TEXT(spb_program_words(p, 0, SPB_WORDS_DUMP, &length), length);
	NO_TEXT(spb_program_text(p, SPB_TEXT_LOCK, NULL, &length), length);
	NO_TEXT(spb_program_text(p, SPB_TEXT_LAYOUT_JSON, NULL, &length), length);
	NO_TEXT(spb_program_text(p, SPB_TEXT_LAYOUT_HEADER, "x", &length), length);
	NO_TEXT(spb_program_text(p, SPB_TEXT_LAYOUT_GLSL, "x", &length), length);
	NO_TEXT(spb_program_text(p, SPB_TEXT_REPORT, NULL, &length), length);
	NO_TEXT(spb_program_text(p, SPB_TEXT_FACTS, NULL, &length), length);
	assert_null(spb_program_words(p, 0, SPB_WORDS_OUTPUT, NULL));
	assert_null(spb_program_text(p, SPB_TEXT_FACTS, NULL, NULL));
	assert_false(is_changed(p, 0));
	assert_int_equal(info_of(p, 0).stages, 0);
	assert_int_equal(spb_program_descriptors(p, sizeof *descriptors, &descriptors), 0);
	assert_int_equal(spb_program_resources(p, sizeof *resources, &resources), 0);
	assert_int_equal(spb_program_push_constants(p, sizeof *ranges, &ranges), 0);
	assert_int_equal(spb_program_accesses(p, sizeof *accesses, &accesses), 0);
	assert_true(!descriptors && !resources && !ranges && !accesses);
	assert_int_equal(spb_program_descriptors(p, sizeof *descriptors, NULL), 0);
}

static void a_program_can_be_queried_after_binding(void **state)
{
	static const struct {
		const char *prefix;
		bool right;
	} prefixes[] = {{"x", true},   {"_1", true},  {"aZ_09", true}, {NULL, false},      {"", false},
			{"1x", false}, {"a-", false}, {"a b", false},  {"\xc3\xa4", false}};
	spb_context *context;
	spb_options options;
	size_t length;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	spb_options_init(&options, sizeof options);
	options.explain = 1;
	REFUSED(spb_program_bind(NULL));
	REFUSED(spb_program_add(NULL, NULL, NULL, 0, 0));
	expect_no_answers(NULL);
	spb_program *p = program_of(context, &options, two_modules, 2);
	expect_no_answers(p);
	ACCEPTED(spb_program_bind(p));
	REFUSED(spb_program_bind(p));
	REFUSED(spb_program_add(p, NULL, spb_program_words(p, 0, SPB_WORDS_OUTPUT, NULL), 5, 0));
	NO_TEXT(spb_program_text(p, SPB_TEXT_FACTS, NULL, &length), length);
	assert_non_null(spb_program_words(p, 1, SPB_WORDS_OUTPUT, &length));
	assert_true(length > 5);
	NO_TEXT(spb_program_words(p, 2, SPB_WORDS_OUTPUT, &length), length);
	NO_TEXT(spb_program_words(p, 0, SPB_WORDS_DUMP, &length), length); /* none was requested */
	NO_TEXT(spb_program_words(p, 2, SPB_WORDS_DUMP, &length), length);
	assert_true(is_changed(p, 0));
	assert_false(is_changed(p, 1));
	assert_false(is_changed(p, 2));
	assert_int_equal(info_of(p, 0).stages, 0x20);
	assert_int_not_equal(info_of(p, 1).stages, 0);
	assert_int_equal(info_of(p, 2).stages, 0);
	for (int i = 0; i < 2; i++) { /* the second time, the result is the same */
		const char *text = spb_program_text(p, SPB_TEXT_LAYOUT_JSON, NULL, &length);
		assert_int_equal(strlen(text), length);
		assert_ptr_equal(spb_program_text(p, SPB_TEXT_LAYOUT_JSON, NULL, NULL), text);
		assert_non_null(strstr(text, "\"module 0\""));
		assert_non_null(strstr(text, "\"module 1\""));
		text = spb_program_text(p, SPB_TEXT_LOCK, NULL, &length);
		assert_int_equal(strlen(text), length);
		assert_ptr_equal(spb_program_text(p, SPB_TEXT_LOCK, NULL, NULL), text);
		text = spb_program_text(p, SPB_TEXT_REPORT, i ? "{\"older\": 1}" : NULL, &length);
		assert_int_equal(strlen(text), length);
		assert_int_equal(strstr(text, "{\"older\": 1}") != NULL, i);
	}
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		const char *header = spb_program_text(p, SPB_TEXT_LAYOUT_HEADER, prefixes[i].prefix, &length);
		assert_int_equal(header != NULL, prefixes[i].right);
		assert_int_equal(length, header ? strlen(header) : 0);
		const char *glsl = spb_program_text(p, SPB_TEXT_LAYOUT_GLSL, prefixes[i].prefix, NULL);
		assert_int_equal(glsl != NULL, prefixes[i].right);
	}
	spb_program_destroy(p);
	spb_context_destroy(context);
}

/* Elements have the caller's size: fields beyond ours are zero. */
static void expect_list(const void *list, const void *own, size_t count, uint32_t own_size, uint32_t size)
{
	assert_non_null(list);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *given = (const unsigned char *)list + i * size;
		assert_memory_equal(given, (const unsigned char *)own + i * own_size,
				    size < own_size ? size : own_size);
		for (uint32_t k = own_size; k < size; k++)
			assert_int_equal(given[k], 0);
	}
}

static void list_elements_have_the_size_of_the_callers_structs(void **state)
{
	const spb_descriptor_binding *own, *again;
	const spb_resource *resources;
	const spb_push_constant_range *ranges;
	const spb_descriptor_access *accesses;
	const void *list;
	spb_context *context;
	spb_options options;

	(void)state;
	ACCEPTED(spb_context_create(NULL, NULL, &context));
	for (unsigned explain = 0; explain < 2; explain++) {
		spb_options_init(&options, sizeof options);
		options.explain = explain;
		spb_program *p = program_of(context, &options, two_modules, 2);
		ACCEPTED(spb_program_bind(p));
		const size_t count = spb_program_descriptors(p, sizeof *own, &own);
		assert_int_equal(count, 3);
		assert_int_equal(spb_program_descriptors(p, sizeof *own, NULL), count);
		assert_int_equal(spb_program_descriptors(p, sizeof *own, &again), count);
		assert_ptr_equal(own, again);
		static const uint32_t sizes[] = {1, 7, 8, sizeof *own - 1, sizeof *own + 1, 1000, 4096};
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			assert_int_equal(spb_program_descriptors(p, sizes[i], (const spb_descriptor_binding **)&list),
					 3);
			expect_list(list, own, count, sizeof *own, sizes[i]);
			assert_int_equal(spb_program_descriptors(p, sizes[i], &again), 3);
			assert_ptr_equal(list, again);
		}
		list = own;
		assert_int_equal(spb_program_descriptors(p, 0, (const spb_descriptor_binding **)&list), 0);
		assert_null(list);
		list = own;
		assert_int_equal(spb_program_descriptors(p, 4097, (const spb_descriptor_binding **)&list), 0);
		assert_null(list);
		assert_int_equal(spb_program_resources(p, sizeof *resources, &resources), 3);
		assert_int_equal(spb_program_resources(p, 4096, (const spb_resource **)&list), 3);
		expect_list(list, resources, 3, sizeof *resources, 4096);
		for (uint32_t i = 0; i < 3; i++) { /* "a", "b" and "c" around the fixed one */
			assert_int_equal(own[i].binding, i);
			assert_int_equal(own[i].first_resource, i);
			assert_int_equal(own[i].resource_count, 1);
			assert_int_equal(resources[i].fixed, i == 1);
			assert_string_equal(resources[i].name, i == 0 ? "a" : i == 1 ? "b" : "c");
		}
		const size_t range_count = spb_program_push_constants(p, sizeof *ranges, &ranges);
		assert_int_not_equal(range_count, 0);
		assert_int_equal(spb_program_push_constants(p, 64, (const spb_push_constant_range **)&list),
				 range_count);
		expect_list(list, ranges, range_count, sizeof *ranges, 64);
		assert_int_equal(spb_program_accesses(p, sizeof *accesses, &accesses), 0); /* nothing is accessed */
		assert_null(accesses);
		spb_program_destroy(p);
	}
	spb_context_destroy(context);
}

static void note_code(void *user, const spb_message *message)
{
	*(uint32_t *)user = message->severity == SPB_SEVERITY_ERROR ? message->code : 0;
}

/* An index outside an array is an error, however many modules there are, and also if the array has one descriptor. */
static void wrong_indexes_are_reported_for_any_module(void **state)
{
	static const char format[] =
	    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%1 \"main\"\n"
	    "OpExecutionMode %%1 LocalSize 1 1 1\nOpName %%9 \"t\"\n%%2 = OpTypeVoid\n%%3 = OpTypeFunction %%2\n"
	    "%%4 = OpTypeFloat 32\n%%5 = OpTypeImage %%4 2D 0 0 0 1 Unknown\n%%6 = OpTypeInt 32 0\n"
	    "%%7 = OpConstant %%6 %u\n%%8 = OpConstant %%6 %u\n%%10 = OpTypeArray %%5 %%7\n"
	    "%%11 = OpTypePointer UniformConstant %%10\n%%12 = OpTypePointer UniformConstant %%5\n"
	    "%%9 = OpVariable %%11 UniformConstant\n%%1 = OpFunction %%2 None %%3\n%%13 = OpLabel\n"
	    "%%14 = OpAccessChain %%12 %%9 %%8\n%%15 = OpLoad %%5 %%14\nOpReturn\nOpFunctionEnd\n";
	static const struct {
		uint32_t length, index;
	} rows[] = {{1, 0}, {1, 1}, {2, 1}, {2, 2}};
	static const uint32_t counts[] = {1, 2, 40}; /* of modules; the last one is as the row says */

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows * 3; i++) {
		const uint32_t modules = counts[i % 3], length = rows[i / 3].length, index = rows[i / 3].index;
		uint32_t code = 0;
		const spb_callbacks callbacks = {note_code, &code};
		spb_context *context;
		spb_program *program;
		ACCEPTED(spb_context_create(NULL, &callbacks, &context));
		ACCEPTED(spb_program_create(context, NULL, &program));
		for (uint32_t k = 0; k < modules; k++) {
			char text[2000];
			spv_context tools = spvContextCreate(SPV_ENV_UNIVERSAL_1_0);
			spv_binary binary = NULL;
			snprintf(text, sizeof text, format, length, k + 1 < modules ? 0 : index);
			assert_int_equal(spvTextToBinary(tools, text, strlen(text), &binary, NULL), SPV_SUCCESS);
			ACCEPTED(spb_program_add(program, NULL, binary->code, binary->wordCount, 0));
			spvBinaryDestroy(binary);
			spvContextDestroy(tools);
		}
		assert_int_equal(spb_program_bind(program), index < length ? SPB_OK : SPB_ERROR_INVALID_SPIRV);
		assert_int_equal(code, index < length ? 0 : 4009);
		spb_program_destroy(program);
		spb_context_destroy(context);
	}
}

static void a_workspace_out_of_memory_leaks_nothing(void **state)
{
	spb_status status = SPB_ERROR_OUT_OF_MEMORY;

	(void)state;
	for (long fail_at = 0; status != SPB_OK; fail_at++) {
		struct meter meter = {.fail_at = -1};
		const spb_allocator allocator = {metered, &meter};
		spb_context *context;
		spb_workspace *w;
		ACCEPTED(spb_context_create(&allocator, NULL, &context));
		meter.fail_at = fail_at;
		status = spb_workspace_create(context, "lock version=2\nshare set=0\n", "l", false, &w);
		assert_true(status == SPB_OK || status == SPB_ERROR_OUT_OF_MEMORY);
		assert_int_equal(w != NULL, status == SPB_OK);
		spb_workspace_destroy(w);
		spb_context_destroy(context);
		assert_int_equal(meter.out, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(calls_without_a_workspace_fail),
	    cmocka_unit_test(calls_out_of_order_are_refused),
	    cmocka_unit_test(facts_are_copied),
	    cmocka_unit_test(facts_are_deterministic),
	    cmocka_unit_test(shared_sets_are_written_with_their_users),
	    cmocka_unit_test(wrong_facts_are_refused),
	    cmocka_unit_test(a_lock_is_merged_once),
	    cmocka_unit_test(a_program_can_be_queried_after_binding),
	    cmocka_unit_test(list_elements_have_the_size_of_the_callers_structs),
	    cmocka_unit_test(wrong_indexes_are_reported_for_any_module),
	    cmocka_unit_test(a_workspace_out_of_memory_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
