/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, lines of manifests, spb_program_set and the plug-in accept and refuse the same values of options,
 * in the same words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/args/option_table.h"
#include "in_folder.h"
#include "spirv-bind/plugin.h"

static const struct {
	const char *name, *value; /* NULL: without a value */
	bool accepted;
} rows[] = {
    {"rules", "slang", true},
    {"rules", "hlsl", true},
    {"rules", "", false},
    {"rules", "HLSL", false},
    {"rules", "hlsl ", false},
    {"rules", NULL, false},
    {"rebind", "all,sets", true},
    {"rebind", "sets", false},
    {"order", "source-strict", true},
    {"order", "strict", false},
    {"unused", "last", true},
    {"unused", "keep", false},
    {"auto-binding", "65534", true},
    {"auto-binding", "0xFFFE", true},
    {"auto-binding", "4294967295", true},
    {"auto-binding", "4294967296", false},
    {"auto-binding", "0x100000000", false},
    {"auto-binding", "0x", false},
    {"auto-binding", "-1", false},
    {"auto-binding", "+1", false},
    {"auto-binding", " 1", false},
    {"auto-binding", "1 ", false},
    {"auto-binding", "", false},
    {"heap-size", "0X1f", true},
    {"heap-size", "1f", false},
    {"heap-set", "010", true},
    {"heap-set", "ten", false},
    {"prune", NULL, true},
    {"prune", "1", true},
    {"prune", "0", true},
    {"prune", "2", false},
    {"prune", "yes", false},
    {"prune", "", false},
    {"scalar-block-layout", NULL, true},
    {"scalar-block-layout", "1", true},
    {"scalar-block-layout", "on", false},
    {"update-lock", "true", false},
    {"waterfall", NULL, true},
    {"waterfall", "lengths", true},
    {"waterfall", "ssbo", true},
    {"waterfall", "texture,ubo,as", true},
    {"waterfall", "texture,lengths", false},
    {"waterfall", "texture,", false},
    {"waterfall", "1", false},
    {"waterfall", "", false},
    {"lower-buffer-references", NULL, true},
    {"lower-buffer-references", "Draw*,Cull", true},
    {"lower-buffer-references", "", false},
    {"host-features", "none", true},
    {"host-features", "vulkan1.3,runtimeDescriptorArray", true},
    {"host-features", "roadmap2022", true},
    {"host-features", "runtimedescriptorarray", false},
    {"host-features", "none,", false},
    {"host-features", "", false},
    {"host-features", NULL, false},
    {"ycbcr", "video*", true},
    {"ycbcr", "", false},
    {"ycbcr", NULL, false},
    {"lint", "all", true},
    {"lint", "nonuniform=warning,barriers", true},
    {"lint", "nonuniform=off", true},
    {"lint", "nonuniform=fatal", false},
    {"lint", "nonuniform=", false},
    {"lint", "nonunform", false},
    {"lint", "all,", false},
    {"lint", "", false},
    {"suppress", "SPB5006@water.frag:12", true},
    {"suppress", "", false},
    {"check-assertions", "runtime", true},
    {"check-assertions", "run", false},
    {"merge-combined", "albedo:linear", true},
    {"merge-combined", "albedo", false},
    {"merge-combined", ":linear", false},
    {"merge-combined", "albedo:", false},
    {"merge-combined", "a:b:c", false},
    {"entry", "main", true},
    {"entry", "", false},
    {"spec", "1=2", true},
    {"spec", "0x10=-0x8000000000000000", true},
    {"spec", "1=18446744073709551616", false},
    {"spec", "1=", false},
    {"spec", "1= 2", false},
    {"spec", "1=+2", false},
    {"heap", "texture=1.2", true},
    {"heap", "as=address", true},
    {"heap", "texture=0000000000001.2", true},
    {"heap", "texture=1", false},
    {"heap", "texture=1.2.3", false},
    {"heap", "textures=1.2", false},
    {"heap", "texture=4294967296.0", false},
    {"heap-model", "dxc", true},
    {"heap-model", "fxc", false},
    {"heap-model", "descriptor-heap", true},
    {"heap-model", "heap", false},
    {"heap-set", "7", true},
    {"heap-size", "1e3", false},
    {"heap-stride", "unified,size", true},
    {"heap-stride", "6", false},
    {"heap-stride", "00000008", true},
    {"heap-stride", "64,", false},
    {"instrument-handles", "6.0", true},
    {"instrument-handles", "6", false},
    {"combined", "split", true},
    {"combined", "both", false},
    {"bounds-check", "null", true},
    {"bounds-check", "zero", false},
    {"nonuniform", "explicit", true},
    {"nonuniform", "some", false},
    {"uniform-scope", "group-or-subgroup", true},
    {"uniform-scope", "subgroup", false},
    {"target-env", "vulkan1.1spv1.4", true},
    {"target-env", "vulkan1.5", false},
    {"validate", "strict", true},
    {"validate", "all", false},
    {"place", "albedo=1.2", true},
    {"place", "albedo=1", false},
    {"shift", "t:1@fragment=32", true},
    {"shift", "x=32", false},
    {"policy", "place kind=sampler -> set=1", true},
    {"policy", "", false},
    {"only", "assign-bindings,prune", false},
    {"only", "assign-bindings,waterfall", true},
    {"only", "assign-bindings,", false},
    {"dump-after", "assign-bindings", true},
    {"dump-after", "assign-bindings,waterfall", false},
    {"doctor", NULL, true},
};

/* The message about the value; "": none; NULL: the command does not have an option with this name. */
static const char *command_says(const char *name, const char *value)
{
	char option[200];

	snprintf(option, sizeof option, "--%s", name);
	const struct option *o = arg_find_option(option);
	size_t verb = 0;
	if (!o) /* the command has a verb for it, or another name */
		return NULL;
	while (!(o->verbs & verb_at(verb)->bit))
		verb++;
	snprintf(option, sizeof option, "--%s%s%s", name, value ? "=" : "", value ? value : "");
	const char *why = refused((const char *const[]){"x", verb_at(verb)->name, "a", option, NULL});
	size_t length = strlen(name) + 2;
	bool is_about_it = !strncmp(why, option, length) && (why[length] == ':' || strstr(why, " needs a value"));
	return is_about_it ? why + 2 : "";
}

static char heard[1000];

static void hear(void *user, const spb_message *message)
{
	(void)user;
	snprintf(heard, sizeof heard, "%s\n", message->text);
}

static const char *plugin_says(const char *name, const char *value)
{
	const spb_plugin *plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	const spb_plugin_host host = {.struct_size = sizeof host, .message = hear};
	spb_job *job;

	assert_int_equal(plugin->create(&host, &job), SPB_OK);
	*heard = '\0';
	spb_status status = plugin->set(job, name, value);
	assert_int_equal(status != SPB_OK, *heard != '\0');
	plugin->destroy(job);
	return heard;
}

static const char *program_says(const char *name, const char *value)
{
	const spb_callbacks callbacks = {.message = hear};
	spb_context *context;
	spb_program *program;

	assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
	assert_int_equal(spb_program_create(context, NULL, &program), SPB_OK);
	*heard = '\0';
	spb_status status = spb_program_set(program, name, value);
	assert_int_equal(status, *heard ? SPB_ERROR_INVALID_ARGUMENT : SPB_OK);
	spb_program_destroy(program);
	spb_context_destroy(context);
	return heard;
}

static bool is_the_same(const char *a, const char *b)
{
	return !strcmp(a, b) || (strstr(a, "needs a value") && strstr(b, "expected a value"));
}

static void all_readers_of_a_value_agree(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char command[1000], plugin[1000], program[1000];
		snprintf(plugin, sizeof plugin, "%s", plugin_says(rows[i].name, rows[i].value));
		snprintf(program, sizeof program, "%s", program_says(rows[i].name, rows[i].value));
		const char *said_by_command = command_says(rows[i].name, rows[i].value);
		snprintf(command, sizeof command, "%s", said_by_command ? said_by_command : plugin);
		if (is_the_same(command, plugin) && !strcmp(plugin, program) && !*command == rows[i].accepted)
			continue;
		wrong++;
		print_message("%s=%s:\n  %s  %s  %s", rows[i].name, rows[i].value ? rows[i].value : "(none)", command,
			      plugin, program);
	}
	assert_int_equal(wrong, 0);
}

/* Every library option of the command is an option of the plug-in, and vice versa. */
static void all_readers_have_the_same_options(void **state)
{
	size_t of_library = 0;
	uint32_t n = 0;

	(void)state;
	for (const char *name; (name = spb_name(SPB_NAME_OPTION, n)) != NULL; n++) {
		char option[100];
		snprintf(option, sizeof option, "--%s", name);
		bool is_verb = !strcmp(name, "mode") || !strcmp(name, "only") || !strcmp(name, "doctor");
		assert_true(arg_find_option(strcmp(name, "entry") != 0 ? option : "-e") || is_verb);
	}
	for (const struct option *o = NULL; (o = arg_next_option(o, VERBS));) {
		if (o->kind != LIBRARY)
			continue;
		assert_non_null(arg_library_option(o));
		of_library++;
	}
	assert_int_equal(of_library + 8,
			 n); /* lock, profile, resolver: files; entry: compiled for; mode, only, doctor: verbs */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(all_readers_of_a_value_agree, begin, end),
	    cmocka_unit_test(all_readers_have_the_same_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
