/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the library from a callback of the same context are refused, and have no effect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "spirv-bind/plugin.h"
#include "spirv-bind/workspace.h"

#include "assembled.h"

static struct {
	spb_context *context;
	spb_program *program;
	spb_workspace *workspace;
	const spb_plugin *plugin;
	spb_job *job;
	unsigned calls;
} now;

#define REFUSED(call) assert_int_equal(call, SPB_ERROR_INVALID_ARGUMENT)

static void call_all(void)
{
	spb_program *program;
	spb_workspace *workspace;
	const spb_module_info *modules;
	const spb_descriptor_binding *descriptors;
	const spb_resource *resources;
	const spb_push_constant_range *ranges;
	const spb_descriptor_access *accesses;

	now.calls++;
	if (now.context) {
		REFUSED(spb_program_create(now.context, NULL, &program));
		REFUSED(spb_workspace_create(now.context, NULL, NULL, false, &workspace));
		REFUSED(spb_context_limit(now.context, &(const spb_limits){.struct_size = sizeof(spb_limits)}));
		spb_context_destroy(now.context);
	}
	if (now.program) {
		REFUSED(spb_program_set(now.program, "rebind", "all"));
		REFUSED(spb_program_add(now.program, "m", NULL, 0, 0));
		REFUSED(spb_program_bind(now.program));
		assert_null(spb_program_words(now.program, 0, SPB_WORDS_OUTPUT, NULL));
		assert_int_equal(spb_program_modules(now.program, sizeof *modules, &modules), 0);
		assert_int_equal(spb_program_descriptors(now.program, sizeof *descriptors, &descriptors), 0);
		assert_int_equal(spb_program_resources(now.program, sizeof *resources, &resources), 0);
		assert_int_equal(spb_program_push_constants(now.program, sizeof *ranges, &ranges), 0);
		assert_int_equal(spb_program_accesses(now.program, sizeof *accesses, &accesses), 0);
		assert_null(spb_program_text(now.program, SPB_TEXT_LAYOUT_JSON, NULL, NULL));
		spb_program_destroy(now.program);
	}
	if (now.workspace) {
		REFUSED(spb_workspace_share(now.workspace, 0, NULL));
		REFUSED(spb_workspace_add_program(now.workspace, "b", NULL));
		REFUSED(spb_workspace_add_facts(now.workspace, "a", "", NULL));
		REFUSED(spb_workspace_leave_out(now.workspace, "a"));
		REFUSED(spb_workspace_decide(now.workspace));
		REFUSED(spb_workspace_merge_lock(now.workspace, "", "", NULL));
		assert_null(spb_workspace_text(now.workspace, SPB_WORKSPACE_FACTS, NULL, NULL));
		spb_workspace_destroy(now.workspace);
	}
	if (now.job) {
		REFUSED(now.plugin->set(now.job, "rebind", "all"));
		REFUSED(now.plugin->add(now.job, "m", (const uint32_t[]){0}, 0, 0));
		REFUSED(now.plugin->add_file(now.job, "m", 0));
		REFUSED(now.plugin->run(now.job));
		assert_null(now.plugin->key(now.job));
		assert_null(now.plugin->module(now.job, 0, NULL));
		assert_null(now.plugin->text(now.job, SPB_TEXT_LAYOUT_JSON, NULL, NULL));
		now.plugin->destroy(now.job);
	}
}

static void message(void *user, const spb_message *said)
{
	(void)user;
	(void)said;
	call_all();
}

static bool allocator_calls; /* while it allocates, and while it frees */

static void *resize(void *user, void *p, size_t before, size_t size)
{
	(void)user;
	(void)before;
	if (allocator_calls)
		call_all();
	if (size)
		return realloc(p, size);
	free(p);
	return NULL;
}

static int begin(void **state)
{
	(void)state;
	memset(&now, 0, sizeof now);
	allocator_calls = false;
	assert_int_equal(
	    spb_context_create(&(spb_allocator){resize, NULL}, &(spb_callbacks){message, NULL}, &now.context), SPB_OK);
	return 0;
}

static int end(void **state)
{
	(void)state;
	allocator_calls = false;
	spb_context_destroy(now.context);
	return 0;
}

static void callbacks_of_a_program(void **state)
{
	size_t count;
	uint32_t *words = assemble(SPB_FIXTURES "/assign-bindings/first-fit.spvasm", &count);
	const uint32_t damaged[5] = {0x07230203, 0x00010000, 0, 0, 0};

	(void)state;
	assert_int_equal(spb_program_create(now.context, NULL, &now.program), SPB_OK);
	assert_int_equal(spb_program_set(now.program, "mode", "check"), SPB_OK);
	REFUSED(spb_program_set(now.program, "nothing", NULL));
	assert_int_equal(spb_program_add(now.program, "damaged", damaged, 5, 0), SPB_ERROR_INVALID_SPIRV);
	assert_int_equal(now.calls, 2);
	assert_int_equal(spb_program_add(now.program, "m", words, count, 0), SPB_OK);
	allocator_calls = true;
	assert_int_equal(spb_program_bind(now.program), SPB_ERROR_NOT_FINAL);
	assert_true(now.calls > 3);
	assert_int_equal(spb_program_modules(now.program, sizeof(spb_module_info), NULL), 1);
	assert_non_null(spb_program_text(now.program, SPB_TEXT_LAYOUT_JSON, NULL, NULL));
	spb_program_destroy(now.program);
	now.program = NULL;
	free(words);
}

static void callbacks_of_a_workspace(void **state)
{
	(void)state;
	assert_int_equal(spb_workspace_create(now.context, NULL, NULL, false, &now.workspace), SPB_OK);
	assert_int_equal(spb_workspace_add_program(now.workspace, "a", NULL), SPB_OK);
	assert_int_equal(spb_workspace_decide(now.workspace), SPB_ERROR_CONFLICT); /* nothing is collected */
	assert_int_equal(now.calls, 1);
	allocator_calls = true;
	spb_workspace_destroy(now.workspace);
	now.workspace = NULL;
	assert_true(now.calls > 1);
}

static bool read_file(void *user, const char *path, const void **bytes, size_t *size)
{
	(void)user;
	(void)path;
	call_all();
	*bytes = "place kind=sampler -> set=1\n";
	*size = strlen(*bytes);
	return true;
}

static void release(void *user, const void *bytes, size_t size)
{
	(void)user;
	(void)bytes;
	(void)size;
	call_all();
}

static bool compile(void *user, const char *path, const void *source, size_t size, bool is_resolver,
		    spb_plugin_compiled *to)
{
	(void)user;
	(void)path;
	(void)source;
	(void)size;
	(void)is_resolver;
	(void)to;
	call_all();
	return false;
}

static void callbacks_of_the_plugin(void **state)
{
	const spb_plugin_host host = {.struct_size = sizeof host,
				      .read = read_file,
				      .release = release,
				      .message = message,
				      .compile = compile,
				      .allocator = &(spb_allocator){resize, NULL}};

	(void)state;
	spb_context *other = now.context; /* the job has its own context */
	now.context = NULL;
	now.plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	assert_int_equal(now.plugin->create(&host, &now.job), SPB_OK);
	assert_int_equal(now.plugin->set(now.job, "profile", "a.policy"), SPB_OK);
	assert_int_equal(now.plugin->add_file(now.job, "a.frag", 0), SPB_OK);
	assert_int_equal(now.calls, 0);
	assert_null(now.plugin->key(now.job));
	assert_int_equal(now.calls, 6);                     /* read, release; read, release, compile, message */
	REFUSED(now.plugin->set(now.job, "rebind", "all")); /* too late, and a message */
	assert_int_equal(now.calls, 7);
	now.plugin->destroy(now.job);
	now.job = NULL;
	now.context = other;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(callbacks_of_a_program, begin, end),
	    cmocka_unit_test_setup_teardown(callbacks_of_a_workspace, begin, end),
	    cmocka_unit_test_setup_teardown(callbacks_of_the_plugin, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
