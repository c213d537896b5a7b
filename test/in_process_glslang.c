/* SPDX-License-Identifier: Apache-2.0 */
/* in_process_glslang: glslangValidator in process, by glslang's library. Compiling a shader takes nine tenths of its
 * time to read the declarations of built-in functions, which happens only once here.
 *
 * Accepts the options that the tests use most; for others it returns ELSEWHERE, and the caller runs glslangValidator.
 * test/compiler.py compares the modules of both. */
#include <fcntl.h>
#include <glslang/Include/glslang_c_interface.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "in_process.h"

const glslang_resource_t *glslang_default_resource(void); /* the header that has it is not C */

static const struct {
	const char *name;
	glslang_stage_t stage;
} stages[] = {
    {"vert", GLSLANG_STAGE_VERTEX},      {"tesc", GLSLANG_STAGE_TESSCONTROL}, {"tese", GLSLANG_STAGE_TESSEVALUATION},
    {"geom", GLSLANG_STAGE_GEOMETRY},    {"frag", GLSLANG_STAGE_FRAGMENT},    {"comp", GLSLANG_STAGE_COMPUTE},
    {"rgen", GLSLANG_STAGE_RAYGEN},      {"rint", GLSLANG_STAGE_INTERSECT},   {"rahit", GLSLANG_STAGE_ANYHIT},
    {"rchit", GLSLANG_STAGE_CLOSESTHIT}, {"rmiss", GLSLANG_STAGE_MISS},       {"rcall", GLSLANG_STAGE_CALLABLE},
    {"task", GLSLANG_STAGE_TASK},        {"mesh", GLSLANG_STAGE_MESH},
};

static const struct {
	const char *name;
	glslang_target_client_version_t vulkan;
	glslang_target_language_version_t spirv;
} targets[] = {
    {"vulkan1.0", GLSLANG_TARGET_VULKAN_1_0, GLSLANG_TARGET_SPV_1_0},
    {"vulkan1.1", GLSLANG_TARGET_VULKAN_1_1, GLSLANG_TARGET_SPV_1_3},
    {"vulkan1.2", GLSLANG_TARGET_VULKAN_1_2, GLSLANG_TARGET_SPV_1_5},
    {"vulkan1.3", GLSLANG_TARGET_VULKAN_1_3, GLSLANG_TARGET_SPV_1_6},
};

struct request {
	const char *source, *out, *include, *stage, *target;
	bool debug, keep_uncalled;
};

/* False: glslangValidator has to do this. */
static bool read_request(struct request *r, int count, char **given)
{
	for (int i = 0; i < count; i++) {
		const char *word = given[i];

		if (!strcmp(word, "-V") || !strcmp(word, "--quiet"))
			continue;
		if (!strcmp(word, "-g"))
			r->debug = true;
		else if (!strcmp(word, "--keep-uncalled"))
			r->keep_uncalled = true;
		else if (!strncmp(word, "-I", 2) && !r->include && word[2])
			r->include = word + 2;
		else if (!strcmp(word, "--target-env") && !r->target && i + 1 < count)
			r->target = given[++i];
		else if (!strcmp(word, "-S") && !r->stage && i + 1 < count)
			r->stage = given[++i];
		else if (!strcmp(word, "-o") && !r->out && i + 1 < count)
			r->out = given[++i];
		else if (word[0] != '-' && !r->source)
			r->source = word;
		else
			return false;
	}
	return r->source && r->out;
}

static bool find_stage(glslang_input_t *input, const struct request *r)
{
	const char *dot = strrchr(r->source, '.'), *name = r->stage ? r->stage : dot ? dot + 1 : "";

	for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
		if (!strcmp(stages[i].name, name)) {
			input->stage = stages[i].stage;
			return true;
		}
	}
	return false;
}

static bool find_target(glslang_input_t *input, const struct request *r)
{
	for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
		if (!strcmp(targets[i].name, r->target ? r->target : "vulkan1.0")) {
			input->client_version = targets[i].vulkan;
			input->target_language_version = targets[i].spirv;
			return true;
		}
	}
	return false;
}

/* glslang searches the current folder for included files, unless it knows the name of the including file. */
static bool preprocess(glslang_shader_t *shader, const glslang_input_t *input, const char *folder)
{
	int here = open(".", O_RDONLY);

	if (here < 0 || (folder && chdir(folder)))
		stop("enter", folder);
	bool good = glslang_shader_preprocess(shader, input);
	if (fchdir(here))
		stop("return from", folder);
	close(here);
	return good;
}

static bool translate(glslang_shader_t *shader, glslang_program_t *program, glslang_input_t *input,
		      const struct request *r)
{
	glslang_spv_options_t options = {.generate_debug_info = r->debug, .disable_optimizer = true};

	if (!preprocess(shader, input, r->include) || !glslang_shader_parse(shader, input))
		return false;
	glslang_program_add_shader(program, shader);
	if (!glslang_program_link(program, (int)input->messages) || !glslang_program_map_io(program))
		return false;
	if (r->debug) {
		glslang_program_set_source_file(program, input->stage, r->source);
		glslang_program_add_source_text(program, input->stage, input->code, strlen(input->code));
	}
	glslang_program_SPIRV_generate_with_options(program, input->stage, &options);
	return glslang_program_SPIRV_get_size(program) > 0;
}

static const char REMARK[] = "// OpModuleProcessed ";

/* Removes the first half of the remarks at the start of the text of an OpSource. Returns the new number of words. */
static size_t halve_remarks(uint32_t *text, size_t count)
{
	char *from = (char *)text, *at = from;
	size_t remarks = 0;

	for (; !strncmp(at, REMARK, sizeof REMARK - 1); at = strchr(at, '\n') + 1)
		remarks++;
	for (at = from; remarks > 1; remarks -= 2)
		at = strchr(at, '\n') + 1;

	size_t length = strlen(at);

	memmove(from, at, length + 1);
	memset(from + length, 0, count * sizeof *text - length);
	return length / sizeof *text + 1;
}

/* glslang records in the module how it was compiled, for preprocess and again for parse: only the second half of these
 * notes is kept. From SPIR-V 1.1 on they are instructions, before that lines of the source text. */
static size_t note_once(uint32_t *words, size_t count)
{
	enum { SOURCE = 3, PROCESSED = 330 };
	size_t to = 5, notes = 0;

	for (size_t at = 5; at < count; at += words[at] >> 16)
		notes += (words[at] & 0xFFFF) == PROCESSED;
	for (size_t at = 5, length; at < count; at += length) {
		length = words[at] >> 16;
		if ((words[at] & 0xFFFF) == PROCESSED && notes > 1) {
			notes -= 2;
			continue;
		}
		memmove(words + to, words + at, length * sizeof *words);

		size_t left = length;

		if ((words[to] & 0xFFFF) == SOURCE && length > 4)
			left = 4 + halve_remarks(words + to + 4, length - 4);
		words[to] = (uint32_t)left << 16 | (words[to] & 0xFFFF);
		to += left;
	}
	return to;
}

/* Errors in a shader are left to glslangValidator. */
static int compile(const struct request *r, glslang_input_t *input)
{
	glslang_shader_t *shader = glslang_shader_create(input);
	glslang_program_t *program = glslang_program_create();
	bool good = translate(shader, program, input, r);

	if (good) {
		uint32_t *words = glslang_program_SPIRV_get_ptr(program);

		write_words(r->out, words, note_once(words, glslang_program_SPIRV_get_size(program)));
	}
	glslang_program_delete(program);
	glslang_shader_delete(shader);
	return good ? 0 : ELSEWHERE;
}

int compile_glsl_here(int count, char **given)
{
	static bool begun;
	struct request r = {NULL};
	glslang_input_t input = {.language = GLSLANG_SOURCE_GLSL,
				 .client = GLSLANG_CLIENT_VULKAN,
				 .target_language = GLSLANG_TARGET_SPV,
				 .default_version = 100,
				 .default_profile = GLSLANG_NO_PROFILE,
				 .messages = GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT,
				 .resource = glslang_default_resource()};
	size_t size;
	int status = ELSEWHERE;

	if (!read_request(&r, count, given) || !find_stage(&input, &r) || !find_target(&input, &r) ||
	    access(r.source, R_OK))
		return ELSEWHERE;
	char *text = contents(r.source, &size);
	if (!strstr(text, "#include") || (!r.debug && r.include)) { /* debug information names included files */
		if (r.keep_uncalled)
			input.messages |= GLSLANG_MSG_KEEP_UNCALLED_BIT;
		if (!begun)
			glslang_initialize_process();
		begun = true;
		input.code = text;
		status = compile(&r, &input);
	}
	free(text);
	return status;
}
