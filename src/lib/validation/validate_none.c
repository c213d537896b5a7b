/* SPDX-License-Identifier: Apache-2.0 */
/* validate_none: replaces validate.c in a build without SPIRV-Tools, for systems without a C++ compiler. Options that
 * require validation are refused (options.c, by spb_env_name), so no module gets here: --validate=none has to be
 * given. */
#include <assert.h>

#include "lib/validation/validation.h"

#ifdef SPB_NO_SPIRV_TOOLS

struct spb_validator {
	spb_allocator allocator;
};

const char *spb_validator_version(void)
{
	return "none";
}

const char *spb_env_name(spb_env env)
{
	(void)env;
	return NULL;
}

struct spb_validator *spb_validator_create(struct spb_context *context, const spb_options *options)
{
	const spb_allocator *allocator = &context->allocator;
	struct spb_validator *v = allocator->resize(allocator->user, NULL, 0, sizeof *v);

	(void)options;
	if (v)
		v->allocator = *allocator;
	return v;
}

void spb_validator_destroy(struct spb_validator *v)
{
	if (v)
		v->allocator.resize(v->allocator.user, v, sizeof *v, 0);
}

struct spb_verdict spb_judge(struct spb_validator *v, const uint32_t *words, size_t count, bool input)
{
	(void)v;
	(void)words;
	(void)count;
	(void)input;
	assert(false && "the options are refused before");
	return (struct spb_verdict){.text = ""};
}

uint32_t spb_flags_that_cure(struct spb_validator *v, const uint32_t *words, size_t count)
{
	(void)v;
	(void)words;
	(void)count;
	return 0;
}

void spb_verdict_release(struct spb_verdict *verdict)
{
	(void)verdict;
}

#endif
