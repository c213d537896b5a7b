/* SPDX-License-Identifier: Apache-2.0 */
/* numbered_names: spb_name, which maps numbers to names. */
#include "analysis/layout/policy.h"
#include "lib/options/option.h"
#include "lib/validation/validation.h"
#include "pass/nonuniform/nonuniform.h"

#define TEXT(number)                 #number
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

static const char *tool_name(uint32_t index)
{
	switch (index) {
	case 0:
		return VERSION(SPB_VERSION_MAJOR, SPB_VERSION_MINOR, SPB_VERSION_PATCH);
	case 1:
		return spb_validator_version();
	case 2:
		return spb_grammar_version();
	default:
		return NULL;
	}
}

static const char *status_name(uint32_t index)
{
	static const char *const names[] = {"ok",         "invalid argument",      "invalid SPIR-V", "unsupported",
					    "conflict",   "validation failed",     "out of memory",  "internal error",
					    "lint error", "not in its final form", "limit exceeded"};

	return index < SPB_COUNT(names) ? names[index] : NULL;
}

static const char *option_name(uint32_t index)
{
	const struct spb_option *o = spb_option_row(index);

	return o ? o->name : NULL;
}

static const char *environment_name(uint32_t index)
{
	return spb_env_name((spb_env)index);
}

const char *spb_name(spb_name_kind kind, uint32_t index)
{
	static const char *(*const kinds[])(uint32_t index) = {
	    [SPB_NAME_TOOL] = tool_name,
	    [SPB_NAME_STATUS] = status_name,
	    [SPB_NAME_OPTION] = option_name,
	    [SPB_NAME_PASS] = spb_pass_name,
	    [SPB_NAME_LINT_RULE] = spb_lint_rule_name,
	    [SPB_NAME_SEVERITY] = spb_severity_name,
	    [SPB_NAME_PROFILE] = spb_profile_name,
	    [SPB_NAME_ENVIRONMENT] = environment_name,
	    [SPB_NAME_HEAP_KIND] = spb_heap_kind_name,
	    [SPB_NAME_DESCRIPTOR_FLAG] = spb_flag_name,
	    [SPB_NAME_DESCRIPTOR_TYPE] = spb_descriptor_type_name,
	    [SPB_NAME_HOST_FEATURE] = spb_host_feature_name,
	};

	return kind > 0 && (size_t)kind < SPB_COUNT(kinds) ? kinds[kind](index) : NULL;
}

uint32_t spb_version(void)
{
	return SPB_VERSION_MAJOR << 16 | SPB_VERSION_MINOR << 8 | SPB_VERSION_PATCH;
}
