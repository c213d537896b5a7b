/* SPDX-License-Identifier: Apache-2.0 */
/* validation: verdicts of SPIRV-Tools. validate.c is the only file of the library that calls it. Nothing here throws,
 * because C++ frames may be on the stack. */
#ifndef SPB_VALIDATION_H
#define SPB_VALIDATION_H

#include "base/base.h"

/* validate.c, or validate_none.c in a build without SPIRV-Tools */

const char *spb_validator_version(void); /* such as "v2023.1"; "none" */
const char *spb_env_name(spb_env env);   /* "vulkan1.2"; NULL: it cannot validate for this environment */

enum spb_verdict_kind {
	SPB_VERDICT_NONE,
	SPB_VERDICT_VALID,
	SPB_VERDICT_SHIM,
	SPB_VERDICT_UNKNOWN,
	SPB_VERDICT_INVALID,
	SPB_VERDICT_OUT_OF_MEMORY
};

/* Either the module itself, or a copy without enumerants that SPIRV-Tools does not know. */
static inline bool spb_is_accepted(enum spb_verdict_kind kind)
{
	return kind == SPB_VERDICT_VALID || kind == SPB_VERDICT_SHIM;
}

struct spb_verdict {
	enum spb_verdict_kind kind;
	const char *text; /* SPIRV-Tools' own words, with ids as numbers; "" if none */
	/* Features that SPIRV-Tools does not know, so that its verdict may be meaningless. */
	char unknown_extension[64];  /* "" if none */
	uint32_t unknown_capability; /* SpvCapabilityMax if none */
	void *diagnostic;            /* owns the text */
};

struct spb_validator; /* contexts of SPIRV-Tools, one for each environment in use */

struct spb_validator *spb_validator_create(struct spb_context *context, const spb_options *options);
void spb_validator_destroy(struct spb_validator *v);
/* input: by SPIR-V's own rules, not Vulkan's. */
struct spb_verdict spb_judge(struct spb_validator *v, const uint32_t *words, size_t count, bool input);
/* The fewest SPB_VALIDATOR_* with which the module is valid; 0: none help, or none are needed. */
uint32_t spb_flags_that_cure(struct spb_validator *v, const uint32_t *words, size_t count);
void spb_verdict_release(struct spb_verdict *verdict);

#endif
