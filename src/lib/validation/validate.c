/* SPDX-License-Identifier: Apache-2.0 */
/* validate: validates a module with SPIRV-Tools, under a Vulkan environment.
 *
 * The installed SPIRV-Tools may be older than the module, and then its rejection means nothing. Three things show that:
 *
 *     it cannot parse the module, although our grammar could          an opcode or enumerant is new to it
 *     the module declares an extension that it does not recognise     what that permits, it takes for a fault
 *     it accepts a capability in SPIR-V, but not in Vulkan            its table of Vulkan capabilities is incomplete
 *
 * Such enumerants are replaced in a copy: an unknown source language (Slang is 11, which 2023.1 does not have) by
 * Unknown, and such a capability by Shader. If the copy is valid, so is the module; if not, the result is unknown.
 * Friendly names are off, because they nearly double the time of validation; and the copy has no OpName, for which
 * there are no rules, because composing a message takes quadratic time if many names are equal. judge.c adds the names
 * to messages. */
/* 2023.1 defines this constant in the header; under its own name it would clash with that of a program that includes
 * the header, too. */
#define kDefaultMaxIdBound spb_kDefaultMaxIdBound
#include <spirv-tools/libspirv.h>
#undef kDefaultMaxIdBound

#include "ir/ir.h"
#include "lib/validation/validation.h"

/* By name, since an older SPIRV-Tools does not have the constants of all. */
static const char *const environments[] = {
    [SPB_ENV_VULKAN_1_0] = "vulkan1.0",
    [SPB_ENV_VULKAN_1_1] = "vulkan1.1",
    [SPB_ENV_VULKAN_1_1_SPIRV_1_4] = "vulkan1.1spv1.4",
    [SPB_ENV_VULKAN_1_2] = "vulkan1.2",
    [SPB_ENV_VULKAN_1_3] = "vulkan1.3",
    [SPB_ENV_VULKAN_1_4] = "vulkan1.4",
};

/* Inputs may lack bindings, which Vulkan's rules would reject, so they are judged by SPIR-V's own rules. */
static const spv_target_env universal[] = {
    SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
    SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6,
};

struct spb_validator {
	spb_allocator allocator;
	spb_options options;
	spv_context context[SPB_COUNT(environments) + SPB_COUNT(universal)]; /* created on first use */
	spv_validator_options validator_options;
};

const char *spb_validator_version(void)
{
	return spvSoftwareVersionString();
}

static bool find_environment(spb_env env, spv_target_env *found)
{
	return env > SPB_ENV_AUTO && (size_t)env < SPB_COUNT(environments) &&
	       spvParseTargetEnv(environments[env], found);
}

const char *spb_env_name(spb_env env)
{
	spv_target_env found;

	if (env == SPB_ENV_AUTO)
		return "auto";
	return find_environment(env, &found) ? environments[env] : NULL;
}

static void set_options(struct spb_validator *v, uint32_t flags)
{
	spv_validator_options o = v->validator_options;

	spvValidatorOptionsSetRelaxBlockLayout(o, (flags & SPB_VALIDATOR_RELAX_BLOCK_LAYOUT) != 0);
	spvValidatorOptionsSetUniformBufferStandardLayout(o,
							  (flags & SPB_VALIDATOR_UNIFORM_BUFFER_STANDARD_LAYOUT) != 0);
	spvValidatorOptionsSetScalarBlockLayout(o, (flags & SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT) != 0);
	spvValidatorOptionsSetWorkgroupScalarBlockLayout(o, (flags & SPB_VALIDATOR_WORKGROUP_SCALAR_BLOCK_LAYOUT) != 0);
	spvValidatorOptionsSetAllowLocalSizeId(o, (flags & SPB_VALIDATOR_ALLOW_LOCALSIZEID) != 0);
}

struct spb_validator *spb_validator_create(struct spb_context *context, const spb_options *options)
{
	const spb_allocator *allocator = &context->allocator;
	struct spb_validator *v = allocator->resize(allocator->user, NULL, 0, sizeof *v);

	if (!v)
		return NULL;
	*v = (struct spb_validator){.allocator = *allocator, .options = *options};
	v->validator_options = spvValidatorOptionsCreate();
	set_options(v, options->validation.flags);
	spvValidatorOptionsSetFriendlyNames(v->validator_options, false);
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
	spvValidatorOptionsDestroy(v->validator_options);
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

static spv_const_context context_for(struct spb_validator *v, uint32_t version, bool input)
{
	size_t slot = input ? SPB_COUNT(environments) + (version >> 8 & 0xFF) : (size_t)environment_of(v, version);
	spv_target_env found = universal[version >> 8 & 0xFF];

	if (!v->context[slot] && !input)
		find_environment((spb_env)slot, &found); /* spb_options_disagree has asked spb_env_name */
	if (!v->context[slot])
		v->context[slot] = spvContextCreate(found);
	return v->context[slot];
}

/* Runs SPIRV-Tools on words that are not a whole module, only for its diagnostic. */
static spv_diagnostic hear(const struct spb_validator *v, spv_const_context context, const uint32_t *words,
			   size_t count)
{
	struct spv_const_binary_t binary = {words, count};
	spv_diagnostic diagnostic = NULL;

	spvValidateWithOptions(context, v->validator_options, &binary, &diagnostic);
	return diagnostic;
}

static bool says(spv_diagnostic diagnostic, const char *words)
{
	bool found = diagnostic && diagnostic->error && strstr(diagnostic->error, words);

	spvDiagnosticDestroy(diagnostic);
	return found;
}

/* Can this SPIRV-Tools parse an instruction with this enumerant as its only relevant operand? */
static bool knows(spv_const_context context, uint32_t op, uint32_t length, uint32_t value)
{
	const uint32_t probe[] = {SpvMagicNumber, 0x10000, 0, 1, 0, length << 16 | op, value, 0};
	spv_diagnostic diagnostic = NULL;
	spv_result_t result = spvBinaryParse(context, NULL, probe, 5 + length, NULL, NULL, &diagnostic);

	spvDiagnosticDestroy(diagnostic);
	return result == SPV_SUCCESS;
}

/* It warns about an extension that it does not recognise. */
static bool knows_extension(struct spb_validator *v, const uint32_t *words, size_t at)
{
	static const uint32_t begin[] = {2 << 16 | SpvOpCapability, SpvCapabilityShader, 2 << 16 | SpvOpCapability,
					 SpvCapabilityLinkage},
			      end[] = {3 << 16 | SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450};
	uint32_t probe[64] = {SpvMagicNumber, words[1], 0, 1, 0};
	size_t length = words[at] >> 16, count = 5;

	if (length > SPB_COUNT(probe) - 5 - SPB_COUNT(begin) - SPB_COUNT(end))
		return true; /* no extension has such a name */
	memcpy(probe + count, begin, sizeof begin);
	count += SPB_COUNT(begin);
	memcpy(probe + count, words + at, length * sizeof *words);
	count += length;
	memcpy(probe + count, end, sizeof end);
	count += SPB_COUNT(end);
	return !says(hear(v, context_for(v, words[1], true), probe, count), "unrecognized extension");
}

/* Vulkan, "Capabilities" of the SPIR-V environment: no version or extension of Vulkan supports these, which belong to
 * OpenCL or to no environment. */
static bool is_never_in_vulkan(uint32_t capability)
{
	switch (capability) {
	case SpvCapabilityAddresses:
	case SpvCapabilityLinkage:
	case SpvCapabilityKernel:
	case SpvCapabilityVector16:
	case SpvCapabilityFloat16Buffer:
	case SpvCapabilityImageBasic:
	case SpvCapabilityImageReadWrite:
	case SpvCapabilityImageMipmap:
	case SpvCapabilityPipes:
	case SpvCapabilityDeviceEnqueue:
	case SpvCapabilityLiteralSampler:
	case SpvCapabilityAtomicStorage:
	case SpvCapabilityImageRect:
	case SpvCapabilitySampledRect:
	case SpvCapabilityGenericPointer:
	case SpvCapabilitySubgroupDispatch:
	case SpvCapabilityNamedBarrier:
	case SpvCapabilityPipeStorage:
		return true;
	default:
		return false;
	}
}

static bool is_before_types(const uint32_t *words, size_t at)
{
	uint32_t op = words[at] & 0xFFFF;

	return op != SpvOpTypeVoid && op != SpvOpDecorate && op != SpvOpFunction;
}

/* A small module that declares a capability, and the extensions of the module being judged. */
struct probe {
	uint32_t words[1024];
	size_t count;
};

static bool put(struct probe *p, const uint32_t *words, size_t count)
{
	if (count > SPB_COUNT(p->words) - p->count)
		return false;
	memcpy(p->words + p->count, words, count * sizeof *words);
	p->count += count;
	return true;
}

static bool make_probe(struct probe *p, const uint32_t *words, size_t count, uint32_t capability, bool linkage)
{
	const uint32_t begin[] = {SpvMagicNumber, words[1], 0, 1, 0, 2 << 16 | SpvOpCapability, capability};
	static const uint32_t more[] = {2 << 16 | SpvOpCapability, SpvCapabilityLinkage, 2 << 16 | SpvOpCapability,
					SpvCapabilityShader},
			      end[] = {3 << 16 | SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450};
	bool fits = put(p, begin, SPB_COUNT(begin)) && (!linkage || put(p, more, SPB_COUNT(more)));

	for (size_t at = 5; fits && at < count && is_before_types(words, at); at += words[at] >> 16) {
		if ((words[at] & 0xFFFF) == SpvOpExtension)
			fits = put(p, words + at, words[at] >> 16);
	}
	return fits && put(p, end, SPB_COUNT(end));
}

/* Whether rejecting this capability shows that SPIRV-Tools is incomplete: the module may declare it by SPIR-V's own
 * rules (version or extension), or it may belong to an extension that SPIRV-Tools does not know. */
static bool is_refused_wrongly(struct spb_validator *v, const uint32_t *words, size_t count, uint32_t capability,
			       bool unknown_extension)
{
	struct probe by_vulkan = {.count = 0}, by_spirv = {.count = 0};

	if (is_never_in_vulkan(capability) || !make_probe(&by_vulkan, words, count, capability, false) ||
	    !make_probe(&by_spirv, words, count, capability, true) ||
	    !says(hear(v, context_for(v, words[1], false), by_vulkan.words, by_vulkan.count), "is not allowed by"))
		return false;
	return unknown_extension ||
	       !says(hear(v, context_for(v, words[1], true), by_spirv.words, by_spirv.count), "requires");
}

/* The first extension of the module that SPIRV-Tools does not recognise; 0: none. */
static size_t unknown_extension(struct spb_validator *v, const uint32_t *words, size_t count)
{
	for (size_t at = 5; at < count && is_before_types(words, at); at += words[at] >> 16) {
		if ((words[at] & 0xFFFF) == SpvOpExtension && !knows_extension(v, words, at))
			return at;
	}
	return 0;
}

/* Replaces source languages that it does not know by Unknown. Returns whether there were any. */
static bool rename_languages(spv_const_context context, uint32_t *words, size_t count)
{
	enum { FIRST_DOUBTFUL = 7 };
	bool any = false;

	for (size_t at = 5; at < count && is_before_types(words, at); at += words[at] >> 16) {
		if ((words[at] & 0xFFFF) != SpvOpSource || words[at + 1] < FIRST_DOUBTFUL ||
		    knows(context, SpvOpSource, 3, words[at + 1]))
			continue;
		words[at + 1] = SpvSourceLanguageUnknown;
		any = true;
	}
	return any;
}

/* Replaces capabilities that it does not know, or does not know for Vulkan, by Shader. Returns the last of them;
 * UINT32_MAX: none. */
static uint32_t rename_capabilities(struct spb_validator *v, spv_const_context context, const uint32_t *words,
				    size_t count, bool input, bool unknown_extension, uint32_t *copy)
{
	uint32_t renamed = SpvCapabilityMax;

	for (size_t at = 5; at < count && is_before_types(words, at); at += words[at] >> 16) {
		if ((words[at] & 0xFFFF) != SpvOpCapability) /* the last instruction may be an OpNop */
			continue;
		const uint32_t capability = words[at + 1];
		if ((knows(context, SpvOpCapability, 2, capability) &&
		     (input || !is_refused_wrongly(v, words, count, capability, unknown_extension))))
			continue;
		copy[at + 1] = SpvCapabilityShader;
		renamed = capability;
	}
	return renamed;
}

static struct spb_verdict judge(struct spb_validator *v, spv_const_context context, const uint32_t *words, size_t count)
{
	struct spb_verdict verdict = {.kind = SPB_VERDICT_VALID, .text = "", .unknown_capability = SpvCapabilityMax};
	struct spv_const_binary_t binary = {words, count};
	spv_diagnostic plain = NULL, diagnostic = NULL;

	if (spvValidateWithOptions(context, v->validator_options, &binary, &plain) == SPV_SUCCESS) {
		spvDiagnosticDestroy(plain); /* a warning */
		return verdict;
	}
	if (spvBinaryParse(context, NULL, words, count, NULL, NULL, &diagnostic) == SPV_SUCCESS) {
		spvDiagnosticDestroy(diagnostic);
		verdict.kind = SPB_VERDICT_INVALID;
		verdict.diagnostic = plain;
	} else {
		spvDiagnosticDestroy(plain);
		verdict.kind = SPB_VERDICT_UNKNOWN;
		verdict.diagnostic = diagnostic;
	}
	diagnostic = verdict.diagnostic;
	if (diagnostic && diagnostic->error)
		verdict.text = diagnostic->error;
	return verdict;
}

/* SPIRV-Tools has refused `copy`, in which it knows all source languages. Finds out whether that counts. */
static void doubt(struct spb_validator *v, spv_const_context context, struct spb_verdict *verdict, uint32_t *copy,
		  size_t count, bool input)
{
	size_t extension = unknown_extension(v, copy, count);
	uint32_t capability = rename_capabilities(v, context, copy, count, input, extension != 0, copy);

	if (capability != SpvCapabilityMax) {
		struct spb_verdict other = judge(v, context, copy, count);
		if (other.kind == SPB_VERDICT_VALID) {
			spb_verdict_release(verdict);
			*verdict = other;
			return;
		}
		spb_verdict_release(&other);
	}
	if (!extension && capability == SpvCapabilityMax)
		return;
	verdict->unknown_capability = capability;
	if (extension) {
		const uint32_t *name = copy + extension + 1;
		for (size_t i = 0; i + 1 < sizeof verdict->unknown_extension && spb_octet(name, i); i++)
			verdict->unknown_extension[i] = spb_octet(name, i);
	}
	verdict->kind = SPB_VERDICT_UNKNOWN;
}

/* Returns the number of words. */
static size_t copy_without_names(uint32_t *to, const uint32_t *words, size_t count)
{
	size_t n = 5;

	memcpy(to, words, 5 * sizeof *to);
	for (size_t at = 5, length; at < count; at += length) {
		length = words[at] >> 16;
		if ((words[at] & 0xFFFF) == SpvOpFunction) {
			memcpy(to + n, words + at, (count - at) * sizeof *to);
			return n + count - at;
		}
		if ((words[at] & 0xFFFF) == SpvOpName)
			continue;
		memcpy(to + n, words + at, length * sizeof *to);
		n += length;
	}
	return n;
}

/* Modifies the copy. */
static struct spb_verdict judge_copy(struct spb_validator *v, uint32_t *copy, size_t count, bool input)
{
	spv_const_context context = context_for(v, copy[1], input);
	bool renamed = rename_languages(context, copy, count);
	struct spb_verdict verdict = judge(v, context, copy, count);

	if (verdict.kind != SPB_VERDICT_VALID) {
		doubt(v, context, &verdict, copy, count, input);
		renamed = true;
	}
	if (renamed && verdict.kind == SPB_VERDICT_VALID)
		verdict.kind = SPB_VERDICT_SHIM;
	return verdict;
}

struct spb_verdict spb_judge(struct spb_validator *v, const uint32_t *words, size_t count, bool input)
{
	struct spb_verdict verdict = {.kind = SPB_VERDICT_OUT_OF_MEMORY, .text = ""};
	uint32_t *copy = v->allocator.resize(v->allocator.user, NULL, 0, count * sizeof *copy);

	if (!copy)
		return verdict;
	verdict = judge_copy(v, copy, copy_without_names(copy, words, count), input);
	v->allocator.resize(v->allocator.user, copy, count * sizeof *copy, 0);
	return verdict;
}

static bool is_valid_with(struct spb_validator *v, const uint32_t *words, size_t count, uint32_t flags)
{
	set_options(v, flags);
	struct spb_verdict verdict = spb_judge(v, words, count, false);
	set_options(v, v->options.validation.flags);
	spb_verdict_release(&verdict);
	return spb_is_accepted(verdict.kind);
}

/* The flags that may matter for this module. Each attempt is a validation, so the others are not tried. */
static uint32_t flags_about(const uint32_t *words, size_t count)
{
	uint32_t flags = SPB_VALIDATOR_RELAX_BLOCK_LAYOUT | SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT;

	for (size_t at = 5; at < count; at += words[at] >> 16) {
		uint32_t op = words[at] & 0xFFFF;
		if (op == SpvOpExecutionModeId)
			flags |= SPB_VALIDATOR_ALLOW_LOCALSIZEID;
		else if (op == SpvOpTypePointer && words[at + 2] == SpvStorageClassUniform)
			flags |= SPB_VALIDATOR_UNIFORM_BUFFER_STANDARD_LAYOUT;
		else if (op == SpvOpTypePointer && words[at + 2] == SpvStorageClassWorkgroup)
			flags |= SPB_VALIDATOR_WORKGROUP_SCALAR_BLOCK_LAYOUT;
	}
	return flags;
}

/* The most permissive flags are dropped first. */
uint32_t spb_flags_that_cure(struct spb_validator *v, const uint32_t *words, size_t count)
{
	static const uint32_t each[] = {SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT, SPB_VALIDATOR_WORKGROUP_SCALAR_BLOCK_LAYOUT,
					SPB_VALIDATOR_UNIFORM_BUFFER_STANDARD_LAYOUT, SPB_VALIDATOR_RELAX_BLOCK_LAYOUT,
					SPB_VALIDATOR_ALLOW_LOCALSIZEID};
	uint32_t given = v->options.validation.flags, flags = given | flags_about(words, count);

	if (flags == given || !is_valid_with(v, words, count, flags))
		return 0;
	for (size_t i = 0; i < SPB_COUNT(each); i++) {
		if (!(given & each[i]) && (flags & each[i]) && is_valid_with(v, words, count, flags & ~each[i]))
			flags &= ~each[i];
	}
	return flags & ~given;
}

void spb_verdict_release(struct spb_verdict *verdict)
{
	spvDiagnosticDestroy(verdict->diagnostic);
}
