/* SPDX-License-Identifier: Apache-2.0 */
/* The lint: selection of rules, codes, required scopes, and instructions that no decoration helps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "caught.h"
#include "lib/options/option.h"
#include "pass/nonuniform/lint.h"

/* The severities of the rules in order: e error, w warning, n note, - off. NULL: refused. */
static void rules_are_chosen_and_weighed(void **state)
{
	static const struct {
		const char *text, *severities;
	} rows[] = {
	    {NULL, "eeweeeew"},
	    {"nonuniform", "e-------"},
	    {"derivatives", "-e------"},
	    {"implicit-lod", "--w-----"},
	    {"comments", "-------w"},
	    {"barriers,operands", "---e-e--"},
	    {"operands,barriers", "---e-e--"},
	    {"all", "eeweeeew"},
	    {"all=error", "eeeeeeee"},
	    {"all=warning", "wwwwwwww"},
	    {"all=note", "nnnnnnnn"},
	    {"all=off", "--------"},
	    {"all,comments=off", "eeweeee-"},
	    {"all=off,subgroup", "----e---"},
	    {"subgroup,all=off", "--------"},
	    {"assertions=note", "------n-"},
	    {"derivatives=note,derivatives=error", "-e------"},
	    {"implicit-lod=error,implicit-lod", "--w-----"},
	    {"nonuniform=off,barriers=warning", "---w----"},
	    {"", NULL},
	    {",", NULL},
	    {"nonuniform,", NULL},
	    {",nonuniform", NULL},
	    {"nonuniform,,barriers", NULL},
	    {"nonunifor", NULL},
	    {"nonuniforms", NULL},
	    {"al", NULL},
	    {"alls", NULL},
	    {"Nonuniform", NULL},
	    {"nonuniform ", NULL},
	    {"nonuniform=", NULL},
	    {"nonuniform=of", NULL},
	    {"nonuniform=offs", NULL},
	    {"nonuniform=error=error", NULL},
	    {"=error", NULL},
	    {"=", NULL},
	    {"nonuniform=errors,barriers", NULL},
	    {"nonuniform,barriers=bad", NULL},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		uint8_t found[SPB_RULE_COUNT];
		bool read = spb_read_lint(rows[i].text, found);
		bool wanted = rows[i].severities != NULL;
		assert_int_equal(read, wanted);
		if (rows[i].text)
			assert_int_equal(spb_are_rules(rows[i].text), wanted);
		for (uint32_t r = 0; r < SPB_RULE_COUNT && wanted; r++)
			assert_int_equal("ewn-"[found[r]], rows[i].severities[r]);
	}
	for (uint32_t r = 0; r < SPB_RULE_COUNT; r++) {
		uint8_t found[SPB_RULE_COUNT];
		assert_true(spb_read_lint(spb_lint_rule_name(r), found));
		for (uint32_t other = 0; other < SPB_RULE_COUNT; other++)
			assert_int_equal(found[other] != SPB_LINT_OFF, other == r);
	}
	assert_null(spb_lint_rule_name(SPB_RULE_COUNT));
}

static void codes_are_written_one_way(void **state)
{
	static const struct {
		const char *text;
		uint32_t code;
	} rows[] = {{"SPB5001", 5001},
		    {"SPB5101", 5101},
		    {"SPB1", 1},
		    {"SPB"
		     "9999",
		     9999},
		    {"SPB"
		     "0012",
		     12},
		    {"SPB", 0},
		    {"SPB50010", 0},
		    {"SPB500a", 0},
		    {"SPB-501", 0},
		    {"spb5001", 0},
		    {"SPC5001", 0},
		    {"5001", 0},
		    {"SPB5001 ", 0},
		    {"SPB 501", 0},
		    {"", 0}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++)
		assert_int_equal(spb_code_number(rows[i].text), rows[i].code);
}

/* Constants 10 … 16 are the scopes 0 … 6; 20 is one that the pipeline sets, 21 is computed from it. */
static const uint32_t scopes[] = {SpvMagicNumber,
				  0x10300,
				  0,
				  30,
				  0,
				  2 << 16 | SpvOpCapability,
				  1,
				  3 << 16 | SpvOpMemoryModel,
				  0,
				  1,
				  4 << 16 | SpvOpTypeInt,
				  1,
				  32,
				  0,
				  4 << 16 | SpvOpConstant,
				  1,
				  10,
				  0,
				  4 << 16 | SpvOpConstant,
				  1,
				  11,
				  1,
				  4 << 16 | SpvOpConstant,
				  1,
				  12,
				  2,
				  4 << 16 | SpvOpConstant,
				  1,
				  13,
				  3,
				  4 << 16 | SpvOpConstant,
				  1,
				  14,
				  4,
				  4 << 16 | SpvOpConstant,
				  1,
				  15,
				  5,
				  4 << 16 | SpvOpConstant,
				  1,
				  16,
				  6,
				  4 << 16 | SpvOpSpecConstant,
				  1,
				  20,
				  2,
				  6 << 16 | SpvOpSpecConstantOp,
				  1,
				  21,
				  SpvOpIAdd,
				  20,
				  11};

static void parse(void *module)
{
	spb_module_parse(module, "scopes", scopes, SPB_COUNT(scopes));
	spb_module_need_index(module);
}

/* For a scope larger than the workgroup, the workgroup is checked, since nothing is known of larger ones. Invocation,
 * queue family and shader call scopes demand nothing, nor do unknown scopes. */
static void uniformity_required_by_scopes(void **state)
{
	static const uint8_t wanted[] = {
	    SPB_UNIFORM_GROUP, SPB_UNIFORM_GROUP, SPB_UNIFORM_GROUP, SPB_UNIFORM_BOTH, 0, 0, 0};
	struct spb_module m = {0};
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	m.context = context;
	assert_false(caught(context, parse, &m));
	for (uint32_t scope = 0; scope < SPB_COUNT(wanted); scope++)
		assert_int_equal(spb_demanded_scope(&m, 10 + scope), wanted[scope]);
	assert_int_equal(spb_demanded_scope(&m, 0), 0);
	assert_int_equal(spb_demanded_scope(&m, 20), SPB_UNIFORM_GROUP);
	assert_int_equal(spb_demanded_scope(&m, 21), 0);
	spb_module_release(&m);
	spb_context_destroy(context);
}

/* Instructions for images of QCOM are the only ones with its suffix; all others are of cooperative matrices. */
static void no_mark_helps_some_instructions(void **state)
{
	uint32_t images = 0, others = 0;

	(void)state;
	for (uint32_t op = 0; op < 7000; op++) {
		uint32_t words[] = {1 << 16 | op};
		struct spb_module m = {.words = words, .count = 1};
		const char *why = spb_no_remedy(&m, 0), *name = spb_op_name(op);
		bool never = (spb_op_facts(op)->flags & SPB_OP_NEVER_DIFFERS) != 0;
		assert_int_equal(why != NULL, never);
		if (!never)
			continue;
		bool image = strlen(name) > 4 && !strcmp(name + strlen(name) - 4, "QCOM");
		assert_non_null(strstr(why, image ? "VK_QCOM_image_processing" : "cooperative matrix"));
		images += image;
		others += !image;
	}
	assert_true(images > 3 && others > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rules_are_chosen_and_weighed),
	    cmocka_unit_test(codes_are_written_one_way),
	    cmocka_unit_test(uniformity_required_by_scopes),
	    cmocka_unit_test(no_mark_helps_some_instructions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
