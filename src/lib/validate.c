/* SPDX-License-Identifier: Apache-2.0 */
/* validate: SPIRV-Tools' opinion of a module, under a Vulkan environment.
 *
 * The installed SPIRV-Tools may be older than the module. A source language it does not know (Slang is 11; 2023.1
 * ends before) is patched to Unknown in a copy: the language changes nothing else. So is a capability, where nothing
 * else is new to it. What it cannot parse at all although our grammar could is told apart from what it refuses. Names
 * are left off in the first try, which is nearly twice as fast, and used in a second one, to word a failure. */
/* 2023.1 defines this constant in the header; under its own name it would clash with that of a program that
 * includes the header too. */
#define kDefaultMaxIdBound spb_kDefaultMaxIdBound
#include <spirv-tools/libspirv.h>
#undef kDefaultMaxIdBound

#include "lib/lib.h"

static const spv_target_env environments[] = {
    [SPB_ENV_VULKAN_1_0] = SPV_ENV_VULKAN_1_0,
    [SPB_ENV_VULKAN_1_1] = SPV_ENV_VULKAN_1_1,
    [SPB_ENV_VULKAN_1_1_SPIRV_1_4] = SPV_ENV_VULKAN_1_1_SPIRV_1_4,
    [SPB_ENV_VULKAN_1_2] = SPV_ENV_VULKAN_1_2,
    [SPB_ENV_VULKAN_1_3] = SPV_ENV_VULKAN_1_3,
};

/* Inputs may still lack bindings, which Vulkan's rules would refuse: they are judged by SPIR-V's own rules. */
static const spv_target_env universal[] = {
    SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
    SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6,
};

struct spb_validator {
	spb_allocator allocator;
	spb_options options;
	spv_context context[SPB_COUNT(environments) + SPB_COUNT(universal)]; /* made when first needed */
	spv_validator_options quick, worded;
};

const char *spb_validator_version(void)
{
	return spvSoftwareVersionString();
}

static void set_options(spv_validator_options o, uint32_t flags)
{
	spvValidatorOptionsSetRelaxBlockLayout(o, (flags & SPB_VALIDATOR_RELAX_BLOCK_LAYOUT) != 0);
	spvValidatorOptionsSetUniformBufferStandardLayout(o,
							  (flags & SPB_VALIDATOR_UNIFORM_BUFFER_STANDARD_LAYOUT) != 0);
	spvValidatorOptionsSetScalarBlockLayout(o, (flags & SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT) != 0);
	spvValidatorOptionsSetWorkgroupScalarBlockLayout(o, (flags & SPB_VALIDATOR_WORKGROUP_SCALAR_BLOCK_LAYOUT) != 0);
	spvValidatorOptionsSetAllowLocalSizeId(o, (flags & SPB_VALIDATOR_ALLOW_LOCALSIZEID) != 0);
}

struct spb_validator *spb_validator_create(const spb_allocator *allocator, const spb_options *options)
{
	struct spb_validator *v = allocator->resize(allocator->user, NULL, 0, sizeof *v);

	if (!v)
		return NULL;
	*v = (struct spb_validator){.allocator = *allocator, .options = *options};
	v->quick = spvValidatorOptionsCreate();
	v->worded = spvValidatorOptionsCreate();
	set_options(v->quick, options->validation.flags);
	set_options(v->worded, options->validation.flags);
	spvValidatorOptionsSetFriendlyNames(v->quick, false);
	return v;
}

void spb_validator_destroy(struct spb_validator *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < SPB_COUNT(v->context); i++) {
		if (v->context[i])
			spvContextDestroy(v->context[i]);
	}
	spvValidatorOptionsDestroy(v->quick);
	spvValidatorOptionsDestroy(v->worded);
	v->allocator.resize(v->allocator.user, v, sizeof *v, 0);
}

static spb_env environment_of(const struct spb_validator *v, uint32_t version)
{
	if (v->options.validation.env != SPB_ENV_AUTO)
		return v->options.validation.env;
	switch (version >> 8 & 0xFF) {
	case 0:
		return SPB_ENV_VULKAN_1_0;
	case 1:
	case 2:
	case 3:
		return SPB_ENV_VULKAN_1_1;
	case 4:
		return SPB_ENV_VULKAN_1_1_SPIRV_1_4;
	case 5:
		return SPB_ENV_VULKAN_1_2;
	default:
		return SPB_ENV_VULKAN_1_3;
	}
}

/* Whether this SPIRV-Tools can parse an instruction whose one operand that matters is an enumerant. */
static bool knows(spv_const_context context, uint32_t op, uint32_t length, uint32_t value)
{
	const uint32_t probe[] = {SpvMagicNumber, 0x10000, 0, 1, 0, length << 16 | op, value, 0};
	spv_diagnostic diagnostic = NULL;
	spv_result_t result = spvBinaryParse(context, NULL, probe, 5 + length, NULL, NULL, &diagnostic);

	spvDiagnosticDestroy(diagnostic);
	return result == SPV_SUCCESS;
}

/* Calls what it does not know by names that it does: a source language Unknown, and a capability, which only permits
 * something, Shader. With `copy` NULL it tells whether anything is to be done. */
static bool rename_unknown(spv_const_context context, const uint32_t *words, size_t count, uint32_t wanted,
			   uint32_t *copy)
{
	enum { FIRST_DOUBTFUL_LANGUAGE = 7 };
	uint32_t asked = 0; /* about the last one, of which all know */
	bool known = true, any = false;

	for (size_t at = 5; at < count; at += words[at] >> 16) {
		uint32_t op = words[at] & 0xFFFF, length = wanted == SpvOpSource ? 3 : 2;
		if (op == SpvOpTypeVoid || op == SpvOpDecorate || op == SpvOpFunction)
			break;
		if (op != wanted || (op == SpvOpSource && words[at + 1] < FIRST_DOUBTFUL_LANGUAGE))
			continue;
		if (words[at + 1] != asked)
			known = knows(context, op, length, words[at + 1]);
		asked = words[at + 1];
		if (known)
			continue;
		if (!copy)
			return true;
		copy[at + 1] = op == SpvOpSource ? (uint32_t)SpvSourceLanguageUnknown : (uint32_t)SpvCapabilityShader;
		any = true;
	}
	return any;
}

static struct spb_verdict judge(struct spb_validator *v, spv_const_context context, const uint32_t *words, size_t count)
{
	struct spb_verdict verdict = {.kind = SPB_VERDICT_VALID, .text = ""};
	struct spv_const_binary_t binary = {words, count};
	spv_diagnostic diagnostic = NULL;

	if (spvValidateWithOptions(context, v->quick, &binary, &diagnostic) == SPV_SUCCESS) {
		spvDiagnosticDestroy(diagnostic); /* a warning */
		return verdict;
	}
	spvDiagnosticDestroy(diagnostic);
	diagnostic = NULL;
	bool known = spvBinaryParse(context, NULL, words, count, NULL, NULL, &diagnostic) == SPV_SUCCESS;
	verdict.kind = known ? SPB_VERDICT_INVALID : SPB_VERDICT_UNKNOWN;
	if (known) {
		spvDiagnosticDestroy(diagnostic);
		diagnostic = NULL;
		spvValidateWithOptions(context, v->worded, &binary, &diagnostic);
	}
	verdict.diagnostic = diagnostic;
	if (diagnostic && diagnostic->error)
		verdict.text = diagnostic->error;
	return verdict;
}

static spv_const_context context_for(struct spb_validator *v, uint32_t version, bool input)
{
	uint32_t minor = version >> 8 & 0xFF;
	size_t slot = input ? SPB_COUNT(environments) + minor : (size_t)environment_of(v, version);

	if (!v->context[slot])
		v->context[slot] = spvContextCreate(input ? universal[minor] : environments[slot]);
	return v->context[slot];
}

/* Of a copy in which it knows all names. A capability that it takes for another may have been what permits a thing:
 * then it cannot tell. */
static struct spb_verdict judge_renamed(struct spb_validator *v, spv_const_context context, const uint32_t *words,
					size_t count)
{
	uint32_t *copy = v->allocator.resize(v->allocator.user, NULL, 0, count * sizeof *copy);
	struct spb_verdict verdict = {.kind = SPB_VERDICT_OUT_OF_MEMORY, .text = ""};

	if (!copy)
		return verdict;
	memcpy(copy, words, count * sizeof *copy);
	rename_unknown(context, words, count, SpvOpSource, copy);
	verdict = judge(v, context, copy, count);
	if (verdict.kind == SPB_VERDICT_UNKNOWN && rename_unknown(context, words, count, SpvOpCapability, copy)) {
		struct spb_verdict other = judge(v, context, copy, count);
		if (other.kind == SPB_VERDICT_VALID) {
			spb_verdict_release(&verdict);
			verdict = other;
		} else {
			spb_verdict_release(&other);
		}
	}
	v->allocator.resize(v->allocator.user, copy, count * sizeof *copy, 0);
	if (verdict.kind == SPB_VERDICT_VALID)
		verdict.kind = SPB_VERDICT_SHIM;
	return verdict;
}

struct spb_verdict spb_judge(struct spb_validator *v, const uint32_t *words, size_t count, bool input)
{
	spv_const_context context = context_for(v, words[1], input);

	if (!rename_unknown(context, words, count, SpvOpSource, NULL)) {
		struct spb_verdict verdict = judge(v, context, words, count);
		if (verdict.kind != SPB_VERDICT_UNKNOWN ||
		    !rename_unknown(context, words, count, SpvOpCapability, NULL))
			return verdict;
		spb_verdict_release(&verdict);
	}
	return judge_renamed(v, context, words, count);
}

void spb_verdict_release(struct spb_verdict *verdict)
{
	spvDiagnosticDestroy(verdict->diagnostic);
}
