/* SPDX-License-Identifier: Apache-2.0 */
/* handles_driver: assembles, binds, binds again, validates and reads with SPIRV-Cross any number of modules in one
 * process, since the matrix has thousands. matrix.py writes the requests and judges the answers.
 *
 *     request   NAME VERSION FLAGS LENGTH\n, then LENGTH bytes of assembly; FLAGS: letters of `flags` below, or -
 *     answer    STAGE LENGTH INPUT OUTPUT\n, then LENGTH bytes of text, INPUT and OUTPUT words
 *
 * With h, handles become accesses to descriptor heaps first, and that module is bound.
 *
 * STAGE: the first failure (assemble, bind, rebind, differs, validate, cross), or ok. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>
#include <spirv_cross/spirv_cross_c.h>

#include "spirv-bind/spirv_bind.h"

struct request {
	char name[256];
	unsigned minor;
	char flags[32];
	size_t length;
	char *text;
};

struct answer {
	const char *stage;
	char text[4096];
	uint32_t *in, *out;
	size_t in_count, out_count;
};

static const spv_target_env environments[] = {
    SPV_ENV_VULKAN_1_0,           SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1,
    SPV_ENV_VULKAN_1_1_SPIRV_1_4, SPV_ENV_VULKAN_1_2, SPV_ENV_VULKAN_1_3,
};
static const spv_target_env universal[] = {
    SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
    SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6,
};

static spv_context assemblers[7], validators[7];

static void *memory(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		abort();
	return p;
}

static uint32_t *copied(const uint32_t *words, size_t count)
{
	return memcpy(memory(count * 4), words, count * 4);
}

static bool fail(struct answer *a, const char *stage, const char *format, ...)
{
	size_t used = strlen(a->text);
	va_list list;

	a->stage = stage;
	va_start(list, format);
	vsnprintf(a->text + used, sizeof a->text - used, format, list);
	va_end(list);
	return false;
}

static void on_message(void *user, const spb_message *m)
{
	struct answer *a = user;
	size_t used = strlen(a->text);

	if (m->severity == SPB_SEVERITY_ERROR)
		snprintf(a->text + used, sizeof a->text - used, "SPB%u %s: %s\n", m->code, m->op, m->text);
}

static bool assemble(struct answer *a, const struct request *r)
{
	spv_diagnostic diagnostic = NULL;
	spv_binary binary = NULL;

	if (!assemblers[r->minor])
		assemblers[r->minor] = spvContextCreate(universal[r->minor]);
	if (spvTextToBinaryWithOptions(assemblers[r->minor], r->text, r->length,
				       SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary,
				       &diagnostic) != SPV_SUCCESS) {
		fail(a, "assemble", "line %zu: %s", diagnostic ? diagnostic->position.line + 1 : 0,
		     diagnostic ? diagnostic->error : "");
	} else {
		a->in = copied(binary->code, binary->wordCount);
		a->in_count = binary->wordCount;
	}
	spvDiagnosticDestroy(diagnostic);
	spvBinaryDestroy(binary);
	return a->in != NULL;
}

static void set_options(spb_options *o, const char *flags)
{
	spb_options_init(o, sizeof *o);
	o->validation.which = SPB_VALIDATE_NONE; /* done here, to distinguish the failure */
	o->layout.has_auto_binding = 1;
	o->layout.auto_binding = 65534;
	for (; *flags; flags++) {
		switch (*flags) {
		case 's':
			o->heaps.combined = SPB_COMBINED_SPLIT;
			break;
		case 'm':
			o->heaps.model = SPB_HEAP_MODEL_MUTABLE;
			break;
		case 'a':
			o->heaps.as_address = 1;
			break;
		case 'b':
			o->handles.lower_buffer_references = 1;
			break;
		case 'c':
			o->heaps.bounds_check = SPB_BOUNDS_CHECK_CLAMP;
			break;
		case 'n':
			o->heaps.bounds_check = SPB_BOUNDS_CHECK_NULL;
			break;
		case 'h':
			o->heaps.has_model = 1; /* explicit, so built-in heaps are lowered */
			break;
		case 'H':
			o->heaps.has_model = 1;
			o->heaps.model = SPB_HEAP_MODEL_DESCRIPTOR_HEAP;
			break;
		case 'N': /* strides as numbers, which SPIR-V 1.0 and 1.1 need */
			o->heaps.resource_stride = 64;
			o->heaps.sampler_stride = 32;
			break;
		case 'z':
			o->heaps.size = 64; /* as in interpret.py */
			break;
		default:
			break;
		}
	}
}

static uint32_t *bind(struct answer *a, const char *stage, const char *flags, const uint32_t *words, size_t count,
		      size_t *out_count)
{
	spb_callbacks callbacks = {on_message, a};
	spb_context *context;
	spb_program *program;
	spb_options options;
	uint32_t *out = NULL;

	set_options(&options, flags);
	spb_status status = spb_context_create(NULL, &callbacks, &context);
	if (status != SPB_OK)
		abort();
	status = spb_program_create(context, &options, &program);
	if (status == SPB_OK)
		status = spb_program_add(program, "module", words, count, 0);
	if (status == SPB_OK)
		status = spb_program_bind(program);
	if (status == SPB_OK) {
		const uint32_t *result = spb_program_words(program, 0, SPB_WORDS_OUTPUT, out_count);
		out = copied(result, *out_count);
	} else {
		fail(a, stage, "(%s)", spb_name(SPB_NAME_STATUS, (uint32_t)-status));
	}
	spb_program_destroy(program);
	spb_context_destroy(context);
	return out;
}

enum { OP_CAPABILITY = 17, DESCRIPTOR_HEAP = 5128 };

/* The module with descriptor heaps for the handles; NULL: not requested, or impossible. */
static uint32_t *heaps_of(struct answer *a, const struct request *r, size_t *count)
{
	char flags[4] = "H";

	if (!strchr(r->flags, 'h'))
		return NULL;
	if (r->minor < 2)
		strcat(flags, "N");
	if (strchr(r->flags, 'b'))
		strcat(flags, "b");
	uint32_t *words = bind(a, "heaps", flags, a->in, a->in_count, count);
	bool found = false;
	for (size_t at = 5; words && at < *count && (words[at] & 0xFFFF) == OP_CAPABILITY; at += words[at] >> 16)
		found |= words[at + 1] == DESCRIPTOR_HEAP;
	if (words && !found)
		fail(a, "heaps", "there is no descriptor heap");
	return words;
}

static bool bind_twice(struct answer *a, const struct request *r)
{
	size_t count, heap_count = a->in_count;
	uint32_t *heaps = heaps_of(a, r, &heap_count);

	if (strcmp(a->stage, "ok") != 0)
		return false;
	a->out = bind(a, "bind", r->flags, heaps ? heaps : a->in, heap_count, &a->out_count);
	free(heaps);
	if (!a->out)
		return false;
	uint32_t *again = bind(a, "rebind", r->flags, a->out, a->out_count, &count);
	if (!again)
		return false;
	bool same = count == a->out_count && !memcmp(again, a->out, count * 4);
	free(again);
	return same || fail(a, "differs", "bind(bind(x)) is not bind(x)");
}

static bool validate(struct answer *a, const struct request *r)
{
	struct spv_const_binary_t binary = {a->out, a->out_count};
	spv_diagnostic diagnostic = NULL;

	if (!validators[r->minor])
		validators[r->minor] = spvContextCreate(environments[r->minor]);
	bool good = spvValidate(validators[r->minor], &binary, &diagnostic) == SPV_SUCCESS;
	if (!good)
		fail(a, "validate", "%s", diagnostic ? diagnostic->error : "");
	spvDiagnosticDestroy(diagnostic);
	return good;
}

static void on_cross(void *user, const char *text)
{
	fail(user, "cross", "%s", text);
}

/* SPIRV-Cross parses it, reflects the resources, and writes GLSL. */
static bool cross(struct answer *a)
{
	spvc_context context;
	spvc_parsed_ir ir;
	spvc_compiler compiler;
	spvc_compiler_options options;
	spvc_resources resources;
	const char *source;

	if (spvc_context_create(&context) != SPVC_SUCCESS)
		abort();
	spvc_context_set_error_callback(context, on_cross, a);
	bool good = spvc_context_parse_spirv(context, a->out, a->out_count, &ir) == SPVC_SUCCESS &&
		    spvc_context_create_compiler(context, SPVC_BACKEND_GLSL, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
						 &compiler) == SPVC_SUCCESS &&
		    spvc_compiler_create_shader_resources(compiler, &resources) == SPVC_SUCCESS;
	if (good) {
		good =
		    spvc_compiler_create_compiler_options(compiler, &options) == SPVC_SUCCESS &&
		    spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS, SPVC_TRUE) ==
			SPVC_SUCCESS &&
		    spvc_compiler_options_set_uint(options, SPVC_COMPILER_OPTION_GLSL_VERSION, 460) == SPVC_SUCCESS &&
		    spvc_compiler_install_compiler_options(compiler, options) == SPVC_SUCCESS &&
		    spvc_compiler_compile(compiler, &source) == SPVC_SUCCESS;
	}
	if (!good && strcmp(a->stage, "cross") != 0)
		fail(a, "cross", "SPIRV-Cross refuses it");
	spvc_context_destroy(context);
	return good;
}

static bool read_request(struct request *r)
{
	if (scanf("%255s 1.%u %31s %zu", r->name, &r->minor, r->flags, &r->length) != 4 || getchar() != '\n' ||
	    r->minor > 6)
		return false;
	r->text = memory(r->length + 1);
	if (fread(r->text, 1, r->length, stdin) != r->length)
		abort();
	r->text[r->length] = 0;
	return true;
}

int main(void)
{
	struct request r;

	while (read_request(&r)) {
		struct answer a = {.stage = "ok"};
		if (assemble(&a, &r) && bind_twice(&a, &r) && validate(&a, &r))
			cross(&a);
		printf("%s %zu %zu %zu\n", a.stage, strlen(a.text), a.in_count, a.out_count);
		fputs(a.text, stdout);
		fwrite(a.in ? a.in : &(uint32_t){0}, 4, a.in_count, stdout);
		fwrite(a.out ? a.out : &(uint32_t){0}, 4, a.out_count, stdout);
		free(a.in);
		free(a.out);
		free(r.text);
	}
	for (size_t i = 0; i < 7; i++) {
		spvContextDestroy(assemblers[i]);
		spvContextDestroy(validators[i]);
	}
	return 0;
}
