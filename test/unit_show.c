/* SPDX-License-Identifier: Apache-2.0 */
/* Text reports, to the letter: the table, changes, and explanations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/blake2.h"
#include "runs.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct sampler {
	const char *name;
	int set, binding; /* -1: none */
};

/* A module with an entry point, and unused samplers with these names; NULL ends the list. */
static void put_samplers(const char *path, const char *model, const struct sampler *all)
{
	char assembly[6000], decorations[2000] = "", variables[2000] = "";
	size_t names = 0;
	char *at = assembly;

	at +=
	    sprintf(at, "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint %s %%main \"main\"\n", model);
	for (; all[names].name; names++) {
		const struct sampler *s = &all[names];
		char *end = decorations + strlen(decorations);
		at += sprintf(at, "OpName %%s%zu \"%s\"\n", names, s->name);
		if (s->set >= 0)
			end += sprintf(end, "OpDecorate %%s%zu DescriptorSet %d\n", names, s->set);
		if (s->binding >= 0)
			sprintf(end, "OpDecorate %%s%zu Binding %d\n", names, s->binding);
		sprintf(variables + strlen(variables), "%%s%zu = OpVariable %%ptr UniformConstant\n", names);
	}
	sprintf(at,
		"%s%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%sampler = OpTypeSampler\n"
		"%%ptr = OpTypePointer UniformConstant %%sampler\n%s"
		"%%main = OpFunction %%void None %%fn\n%%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
		decorations, variables);
	put_padded(path, assembly, 0);
}

#define SHOWN(...)     assert_int_equal(VERB("layout", "-q", __VA_ARGS__), EXIT_DONE)
#define EXPLAINED(...) assert_int_equal(VERB("explain", "-q", __VA_ARGS__), EXIT_DONE)
#define HEAD           "set  binding  count  type                    name\n"
#define BEGIN          "0    0        1      sampler                 "
#define INDENT         "                                             "

/* Views of one descriptor are in one row, which is broken before column 118; a shared resource occurs once. */
static void long_rows_of_the_table_are_broken(void **state)
{
	char first[31], second[50], wanted[500];

	(void)state;
	memset(first, 'a', 30);
	first[30] = '\0';
	for (size_t length = 37; length < 42; length++) {
		bool fits = length <= 39;
		memset(second, 'b', length);
		second[length] = '\0';
		put_samplers("m.spv", "GLCompute",
			     (struct sampler[]){{first, 0, 0}, {second, 0, 0}, {"c", 0, 0}, {NULL}});
		SHOWN("--allow-overlap", "m.spv");
		snprintf(wanted, sizeof wanted, HEAD BEGIN "%s,%s%s,%s%s\n", first, fits ? " " : "\n" INDENT, second,
			 fits && length > 36 ? "\n" INDENT : " ", "c");
		assert_string_equal(printed, wanted);
	}
	put_samplers("m.spv", "Vertex", (struct sampler[]){{"a", 0, 0}, {"b", 0, 0}, {NULL}});
	put_samplers("n.spv", "Fragment", (struct sampler[]){{"a", 0, 0}, {"b", 0, 0}, {NULL}});
	SHOWN("--allow-overlap", "m.spv", "n.spv");
	assert_string_equal(printed, HEAD BEGIN "a, b\n");
	put_samplers("m.spv", "Vertex", (struct sampler[]){{"a", 2, 30}, {"b", 10, 4}, {NULL}});
	SHOWN("m.spv");
	assert_string_equal(printed, HEAD "2    30       1      sampler                 a\n"
					  "10   4        1      sampler                 b\n");
}

/* What policies decide of a descriptor stands behind its name. */
static void decisions_are_in_parentheses(void **state)
{
	static const struct {
		const char *policy, *wanted;
	} rows[] = {
	    {"", ""},
	    {"push set=0\n", " (push descriptor)"},
	    {"descriptor kind=sampler -> samplers=immutable\n", " (immutable samplers)"},
	    {"descriptor kind=sampler -> flags=partially-bound\n", " (partially-bound)"},
	    {"descriptor kind=sampler -> flags=partially-bound,update-after-bind\n",
	     " (update-after-bind, partially-bound)"},
	    {"descriptor kind=sampler -> samplers=immutable flags=update-unused-while-pending\n",
	     " (immutable samplers, update-unused-while-pending)"},
	    {"push set=0\ndescriptor kind=sampler -> samplers=immutable\n", " (push descriptor, immutable samplers)"},
	    {"push set=0\ndescriptor kind=sampler -> flags=partially-bound\n", " (push descriptor, partially-bound)"},
	};
	char wanted[200];

	(void)state;
	put_samplers("m.spv", "Vertex", (struct sampler[]){{"s", -1, -1}, {NULL}});
	for (size_t i = 0; i < COUNT(rows); i++) {
		put_file("p", rows[i].policy);
		SHOWN("--profile=p", "m.spv");
		snprintf(wanted, sizeof wanted, HEAD BEGIN "s%s\n", rows[i].wanted);
		assert_string_equal(printed, wanted);
	}
}

/* The resources that a pattern matches, with all modules that have them. */
static void requested_names_are_explained(void **state)
{
	(void)state;
	put_samplers("m.spv", "Vertex", (struct sampler[]){{"a", -1, -1}, {"b", 0, 0}, {NULL}});
	put_samplers("n.spv", "Fragment", (struct sampler[]){{"a", -1, -1}, {"c", 1, 2}, {NULL}});
	EXPLAINED("--name=a", "m.spv", "n.spv");
	assert_string_equal(printed,
			    "a: set 0, binding 1\n    sampler\n    why: first free binding of the default set\n"
			    "    in m.spv (used by no entry point) as %2: previously unassigned\n"
			    "    in n.spv (used by no entry point) as %2: previously unassigned\n");
	EXPLAINED("--name=[bc]", "m.spv", "n.spv");
	assert_string_equal(printed, "b: set 0, binding 0\n    sampler\n    why: fixed in the module\n"
				     "    in m.spv (used by no entry point) as %3: previously set 0, binding 0, and "
				     "nothing shows who chose it\n"
				     "c: set 1, binding 2\n    sampler\n    why: fixed in the module\n"
				     "    in n.spv (used by no entry point) as %3: previously set 1, binding 2, and "
				     "nothing shows who chose it\n");
	assert_int_equal(VERB("explain", "--name=x", "m.spv"), EXIT_DONE);
	assert_string_equal(printed, "");
	assert_string_equal(told, "spirv-bind: warning: no resource matches --name=x\n"
				  "spirv-bind: note: spirv-bind layout lists the names.\n");
}

/* The number of descriptors, or the bytes of an inline block. */
static void explanations_count_results(void **state)
{
	static const struct {
		const char *type, *option, *wanted;
	} rows[] = {
	    {"%block", "--policy=descriptor kind=ubo -> type=inline-uniform-block", "inline uniform block, 16 bytes"},
	    {"%block", "--policy=descriptor kind=ubo -> type=dynamic", "dynamic uniform buffer"},
	    {"%block", "--rules=slang", "uniform buffer"},
	    {"%two", "--rules=slang", "uniform buffer, 2 descriptors"},
	    {"%many", "--rules=slang", "uniform buffer, runtime array"}};
	char assembly[2000], wanted[300];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(assembly, sizeof assembly,
			 "OpCapability Shader\nOpCapability RuntimeDescriptorArray\n"
			 "OpExtension \"SPV_EXT_descriptor_indexing\"\nOpMemoryModel Logical GLSL450\n"
			 "OpEntryPoint Vertex %%main \"main\"\nOpName %%v \"v\"\nOpDecorate %%block Block\n"
			 "OpMemberDecorate %%block 0 Offset 0\n%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n"
			 "%%uint = OpTypeInt 32 0\n%%n = OpConstant %%uint 2\n%%vector = OpTypeVector %%uint 4\n"
			 "%%block = OpTypeStruct %%vector\n%%two = OpTypeArray %%block %%n\n"
			 "%%many = OpTypeRuntimeArray %%block\n%%ptr = OpTypePointer Uniform %s\n"
			 "%%v = OpVariable %%ptr Uniform\n%%main = OpFunction %%void None %%fn\n%%l = OpLabel\n"
			 "OpReturn\nOpFunctionEnd\n",
			 rows[i].type);
		put_padded("m.spv", assembly, 0);
		EXPLAINED("--name=v", rows[i].option, "m.spv");
		snprintf(wanted, sizeof wanted, "v: set 0, binding 0\n    %s\n", rows[i].wanted);
		assert_memory_equal(printed, wanted, strlen(wanted));
	}
}

/* A texture of one module may be half of a combined image-sampler in another one, whichever comes first. */
static void a_texture_may_have_a_sampler_in_one_module_only(void **state)
{
	static const char *const wanted[] = {HEAD "0    0        1      sampled image           t\n"
						  "0    1        1      sampled image           x\n"
						  "0    2        1      sampler                 t.sampler\n",
					     HEAD "0    0        1      sampled image           t\n"
						  "0    1        1      sampler                 t.sampler\n"
						  "0    2        1      sampled image           x\n"};
	char assembly[2000];

	(void)state;
	for (int combined = 0; combined < 2; combined++) {
		snprintf(assembly, sizeof assembly,
			 "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %%main \"main\"\n"
			 "OpExecutionMode %%main OriginUpperLeft\nOpName %%t \"t\"\n%s"
			 "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%float = OpTypeFloat 32\n"
			 "%%image = OpTypeImage %%float 2D 0 0 0 1 Unknown\n%%both = OpTypeSampledImage %%image\n"
			 "%%ptr = OpTypePointer UniformConstant %s\n%%t = OpVariable %%ptr UniformConstant\n"
			 "%s%%main = OpFunction %%void None %%fn\n%%l = OpLabel\n%%v = OpLoad %s %%t\nOpReturn\n"
			 "OpFunctionEnd\n",
			 combined ? "" : "OpName %x \"x\"\n", combined ? "%both" : "%image",
			 combined ? "" : "%x = OpVariable %ptr UniformConstant\n", combined ? "%both" : "%image");
		put_padded(combined ? "n.spv" : "m.spv", assembly, 0);
	}
	for (int first = 0; first < 2; first++) {
		SHOWN("--split-combined", first ? "n.spv" : "m.spv", first ? "m.spv" : "n.spv");
		assert_string_equal(printed, wanted[first]);
	}
}

/* Each alone and all together, in the order of the message: there are no handles, and so no heaps. */
static void options_that_do_nothing_are_named(void **state)
{
	static const struct {
		const char *option, *name;
	} rows[] = {{"--heap=texture=3.0", "--heap"},
		    {"--heap-set=3", "--heap-set"},
		    {"--heap-set=0", "--heap-set"},
		    {"--heap-size=4", "--heap-size"},
		    {"--combined=split", "--combined=split"},
		    {"--heap-model=typed", NULL},
		    {"--heap-model=mutable", NULL}},
	  strides[] = {{"--heap-stride=64", "--heap-stride"},
		       {"--heap-stride=size,64", "--heap-stride"},
		       {"--heap-stride=unified", "--heap-stride"},
		       {"--heap-stride=size", NULL},
		       {"--combined=split", NULL}}; /* which the model implies */
	char wanted[400];

	(void)state;
	put_samplers("m.spv", "Vertex", (struct sampler[]){{"a", 0, 0}, {NULL}});
	for (size_t i = 0; i < COUNT(rows) + COUNT(strides); i++) {
		bool is_stride = i >= COUNT(rows);
		const char *option = is_stride ? strides[i - COUNT(rows)].option : rows[i].option;
		const char *name = is_stride ? strides[i - COUNT(rows)].name : rows[i].name;
		assert_int_equal(
		    VERB("layout", "m.spv", option, is_stride ? "--heap-model=descriptor-heap" : "--color=never"),
		    EXIT_DONE);
		snprintf(wanted, sizeof wanted,
			 "m.spv:1:1: warning: no heap is made, so these options do nothing: %s [SPB3007]\nm.spv:1:1: "
			 "note: Either remove "
			 "them, or check that the shaders dereference handles.\n",
			 name);
		assert_string_equal(told, name ? wanted : "");
	}
	assert_int_equal(VERB("layout", "m.spv", "--heap=texture=3.0", "--heap-set=3", "--heap-size=4",
			      "--bounds-check=clamp", "--combined=split"),
			 EXIT_DONE);
	assert_non_null(strstr(told, ": --heap, --heap-set, --heap-size, --bounds-check, --combined=split [SPB3007]"));
}

/* At most 128 letters, digits and single underscores; truncated, shared, or ambiguous names have a number. */
static void names_in_the_header_are_identifiers_that_differ(void **state)
{
	static const struct {
		const char *name, *wanted;
		size_t longer; /* so many letters before it */
	} rows[] = {{"1", "1", 125},         {"12", "12_x1", 125},   {"123", "123_x2", 125}, {"1234", "123_x3", 125},
		    {"a.b", "a_b", 0},       {"a_x1", "a_x1_x5", 0}, {"b_x", "b_x", 0},      {"c_x12", "c_x12_x7", 0},
		    {"x9", "x9", 0},         {"__d..e_", "d_e", 0},  {"f", "f_x10", 0},      {"f.", "f_x11", 0},
		    {"..", "0_12", 0},       {"g_x1h", "g_x1h", 0},  {"i_y1", "i_y1", 0},    {"Z0z_9", "Z0z_9", 0},
		    {"j_x1_x", "j_x1_x", 0}, {"k_x1_2", "k_x1_2", 0}};
	struct sampler samplers[COUNT(rows) + 1] = {{NULL}};
	char names[COUNT(rows)][200], wanted[300];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		memset(names[i], (int)('a' + i), rows[i].longer);
		strcpy(names[i] + rows[i].longer, rows[i].name);
		samplers[i] = (struct sampler){names[i], 0, (int)i};
	}
	put_samplers("m.spv", "Vertex", samplers);
	assert_int_equal(RUN("m.spv", "-o", "o.spv", "--layout-header=p"), EXIT_DONE);
	char *header = taken("p");
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(wanted, sizeof wanted, "\n#define p_%.*s%s_binding %uu\n", (int)rows[i].longer, names[i],
			 rows[i].wanted, (unsigned)i);
		if (!strstr(header, wanted))
			print_message("not there: %s", wanted);
		assert_non_null(strstr(header, wanted));
	}
	free(header);
}

/* Immutable samplers alone are never written, so a set with only these has no update template. */
static void templates_contain_the_output(void **state)
{
	static const char set_0[] = "p_set_0_entries", set_1[] = "p_set_1_entries";

	(void)state;
	put_samplers("m.spv", "Vertex", (struct sampler[]){{"own_s", 0, 0}, {"own_t", 1, 0}, {"u", 1, 2}, {NULL}});
	for (int immutable = 0; immutable < 3; immutable++) {
		assert_int_equal(RUN("m.spv", "-o", "o.spv", "--layout-header=p",
				     immutable == 0   ? "--rules=slang"
				     : immutable == 1 ? "--policy=descriptor name=own_* -> samplers=immutable"
						      : "--policy=descriptor kind=sampler -> samplers=immutable"),
				 EXIT_DONE);
		char *header = taken("p"), *entry = strstr(header, set_1);
		assert_int_equal(strstr(header, set_0) != NULL, immutable == 0);
		assert_int_equal(entry != NULL, immutable < 2);
		assert_true(!entry || (strstr(entry, "{p_own_t_binding, 0, ") != NULL) == !immutable);
		assert_true(!entry || strstr(entry, "{p_u_binding, 0, "));
		free(header);
	}
}

/* The part before the first dot of the file name, if that is an identifier. */
static void names_in_the_header_begin_with_that_of_the_file(void **state)
{
	static const struct {
		const char *option, *prefix;
	} rows[] = {{"--layout-header=abc", "abc"},     {"--layout-header=abc.h", "abc"},
		    {"--layout-header=a.b.c", "a"},     {"--layout-header=./d-e.h", "d_e"},
		    {"--layout-header=_1.h", "_1"},     {"--layout-header=.h", "layout"},
		    {"--layout-header=__.h", "layout"}, {"--layout-header=1a.h", "layout"}};
	char wanted[100];

	(void)state;
	put_samplers("m.spv", "Vertex", (struct sampler[]){{"s", 0, 0}, {NULL}});
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(RUN("m.spv", "-o", "o.spv", rows[i].option), EXIT_DONE);
		char *header = taken(strchr(rows[i].option, '=') + 1);
		snprintf(wanted, sizeof wanted, "\n#ifndef %s_layout\n", rows[i].prefix);
		assert_non_null(strstr(header, wanted));
		free(header);
	}
}

/* Each byte of the hash is two digits, and the program's own file has that hash. */
static void the_version_has_the_hash_of_the_program(void **state)
{
	unsigned char digest[DIGEST];
	char wanted[2 * DIGEST + 30] = "\"executable\": \"";

	(void)state;
	assert_true(cli_hash_file(os_executable(), digest));
	for (size_t i = 0; i < DIGEST; i++)
		sprintf(wanted + strlen(wanted), "%02x", digest[i]);
	strcat(wanted, "\"}\n");
	assert_int_equal(RUN("--version=json"), EXIT_DONE);
	assert_memory_equal(printed, "{\"name\": \"spirv-bind\", \"version\": \"", 35);
	assert_true(strlen(printed) > strlen(wanted));
	assert_string_equal(printed + strlen(printed) - strlen(wanted), wanted);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(long_rows_of_the_table_are_broken),
	    TEST(decisions_are_in_parentheses),
	    TEST(requested_names_are_explained),
	    TEST(explanations_count_results),
	    TEST(a_texture_may_have_a_sampler_in_one_module_only),
	    TEST(the_version_has_the_hash_of_the_program),
	    TEST(options_that_do_nothing_are_named),
	    TEST(names_in_the_header_are_identifiers_that_differ),
	    TEST(names_in_the_header_begin_with_that_of_the_file),
	    TEST(templates_contain_the_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
