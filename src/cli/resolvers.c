/* SPDX-License-Identifier: Apache-2.0 */
/* resolvers: the files of --resolver as words. SPIR-V is taken as it is, assembly goes through SPIRV-Tools, anything
 * else is GLSL (compile_glsl.c).
 *
 * Text becomes the oldest SPIR-V version of the inputs, so that it can be merged into all of them; assembly that says
 * "; Version: 1.N", as spirv-dis does, is of that version. */
#ifndef SPB_NO_SPIRV_TOOLS
#include <spirv-tools/libspirv.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/resolvers.h"

enum { UNKNOWN_VERSION = 99, OLDEST_WITH_STORAGE_BUFFERS = 3, NEWEST = SPIRV_VERSIONS - 1 };

/* N of SPIR-V 1.N; UNKNOWN_VERSION: not SPIR-V, or stdin. The file is read again later, and errors are reported then.
 */
static uint32_t version_of(const struct arguments *a, const char *path)
{
	uint32_t words[2] = {0, 0};
	size_t size;
	const void *made = cli_find_made(a, path, &size);
	FILE *file = strcmp(path, "-") && !made ? os_open_stream(path, "rb") : NULL;
	bool whole = made || (file && fread(words, sizeof words, 1, file) == 1);

	if (made)
		memcpy(words, made, sizeof words);

	if (file)
		fclose(file);
	bool other_order = words[0] == 0x03022307; /* of bytes */
	if (!whole || (words[0] != 0x07230203 && !other_order))
		return UNKNOWN_VERSION;
	words[1] = words[1] >> (other_order ? 16 : 8) & 0xFF;
	return words[1] <= NEWEST ? words[1] : UNKNOWN_VERSION;
}

/* What all inputs can be merged with. A buffer of SPIR-V before 1.3 is none in 1.4 and later. */
uint32_t cli_version_for(const struct arguments *a, const char *const *inputs, size_t count)
{
	uint32_t oldest = UNKNOWN_VERSION, newest = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t version = version_of(a, inputs[i]);
		if (version < oldest)
			oldest = version;
		if (version != UNKNOWN_VERSION && version > newest)
			newest = version;
	}
	if (oldest == UNKNOWN_VERSION || (oldest < OLDEST_WITH_STORAGE_BUFFERS && newest > OLDEST_WITH_STORAGE_BUFFERS))
		return OLDEST_WITH_STORAGE_BUFFERS;
	return oldest;
}

int cli_take_words(struct resolver_file *r, uint32_t version, const void *bytes, size_t size)
{
	r->words[version] = malloc(size + 1);
	if (!r->words[version])
		return msg_out_of_memory();
	memcpy(r->words[version], bytes, size);
	r->word_count[version] = size / sizeof(uint32_t);
	return EXIT_DONE;
}

int cli_refuse_resolver(const struct resolver_file *r, const char *what, char *more)
{
	for (char *c = more; *c; c++) {
		if (((unsigned char)*c < 0x20 && *c != '\n') || *c == 0x7F)
			*c = '?';
	}
	msg_report_error(r->path, 0, r->is_input ? "input" : "resolver", what, more);
	return EXIT_REFUSED;
}

/* Assembly. */

#ifdef SPB_NO_SPIRV_TOOLS
static int assemble(struct resolver_file *r, const char *text, uint32_t version)
{
	(void)text;
	(void)version;
	return cli_refuse_resolver(r, "this spirv-bind was built without SPIRV-Tools, which assembles; give it SPIR-V",
				   (char[]){""});
}
#else
static uint32_t version_in_text(const char *text, uint32_t otherwise)
{
	static const char says[] = "; Version: 1.";

	for (const char *line = text; *line == ';'; line++) {
		if (!strncmp(line, says, sizeof says - 1) && line[sizeof says - 1] >= '0' &&
		    line[sizeof says - 1] <= '0' + NEWEST)
			return (uint32_t)(line[sizeof says - 1] - '0');
		line = strchr(line, '\n');
		if (!line)
			break;
	}
	return otherwise;
}

static int assemble(struct resolver_file *r, const char *text, uint32_t version)
{
	static const spv_target_env environments[] = {
	    SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
	    SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
	spv_context context = spvContextCreate(environments[version_in_text(text, version)]);
	spv_binary binary = NULL;
	spv_diagnostic diagnostic = NULL;
	int status;

	if (context && spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) == SPV_SUCCESS) {
		status = cli_take_words(r, version, binary->code, binary->wordCount * sizeof(uint32_t));
	} else if (diagnostic) {
		char more[512];
		snprintf(more, sizeof more, "line %zu, column %zu: %s\n", diagnostic->position.line + 1,
			 diagnostic->position.column + 1, diagnostic->error);
		status = cli_refuse_resolver(r, "this is not valid SPIR-V assembly", more);
	} else {
		status = msg_out_of_memory();
	}
	spvDiagnosticDestroy(diagnostic);
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return status;
}
#endif

uint32_t cli_version_of_env(spb_env env)
{
	switch (env) {
	case SPB_ENV_VULKAN_1_1:
		return 3;
	case SPB_ENV_VULKAN_1_1_SPIRV_1_4:
		return 4;
	case SPB_ENV_VULKAN_1_2:
		return 5;
	case SPB_ENV_VULKAN_1_3:
	case SPB_ENV_VULKAN_1_4:
		return 6;
	case SPB_ENV_AUTO:
	case SPB_ENV_VULKAN_1_0:
		break;
	}
	return 0;
}

int cli_assemble_file(struct resolver_file *r, spb_env env)
{
	struct resolver_file copy = *r;
	uint32_t version = cli_version_of_env(env);
	char *text = arg_read_text_file(r->path);
	int status = text ? assemble(&copy, text, version) : EXIT_IO;

	free(text);
	r->words[0] = copy.words[version];
	r->word_count[0] = copy.word_count[version];
	return status;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

static bool is_spirv(const unsigned char *bytes, size_t size)
{
	uint32_t magic = 0;

	if (size >= sizeof magic)
		memcpy(&magic, bytes, sizeof magic);
	return magic == 0x07230203 || magic == 0x03022307;
}

static int load(struct resolver_file *r, uint32_t version, uint32_t seconds)
{
	size_t size;
	unsigned char *bytes = cli_read_file(r->path, &size);
	char *text;
	int status;

	if (!bytes)
		return EXIT_IO;
	if (is_spirv(bytes, size)) {
		status = size % 4 ? cli_refuse_resolver(
					r, "the size is not a multiple of 4 bytes; the file is truncated", (char[]){""})
				  : cli_take_words(r, version, bytes, size);
		free(bytes);
		return status;
	}
	text = realloc(bytes, size + 1);
	if (!text) {
		free(bytes);
		return msg_out_of_memory();
	}
	text[size] = '\0';
	if (ends_with(r->path, ".spv") || strlen(text) != size)
		status = cli_refuse_resolver(r, "this is neither SPIR-V nor text", (char[]){""});
	else if (ends_with(r->path, ".spvasm") || !strncmp(text, "; SPIR-V", 8))
		status = assemble(r, text, version);
	else
		status = cli_compile_glsl(r, text, version, seconds);
	free(text);
	return status;
}

bool cli_allocate_resolvers(struct arguments *a, size_t count)
{
	a->resolvers = calloc(count, sizeof *a->resolvers);
	a->listed_resolvers = calloc(count * SPIRV_VERSIONS, sizeof *a->listed_resolvers);
	return a->resolvers && a->listed_resolvers;
}

bool cli_has_text_resolver(const struct arguments *a)
{
	for (size_t i = 0; i < a->resolver_count; i++) {
		if (version_of(a, a->resolvers[i].path) == UNKNOWN_VERSION)
			return true;
	}
	return false;
}

int cli_read_resolvers(struct arguments *a, uint32_t versions)
{
	int status = EXIT_DONE;

	for (uint32_t v = 0; v < SPIRV_VERSIONS; v++) {
		if (!(versions >> v & 1))
			continue;
		for (size_t i = 0; i < a->resolver_count && status == EXIT_DONE; i++) {
			struct resolver_file *r = &a->resolvers[i];
			status = load(r, v, COMPILER_SECONDS);
			a->listed_resolvers[v * a->resolver_count + i] =
			    (spb_resolver){r->path, r->words[v], r->word_count[v]};
		}
	}
	a->resolver_versions |= versions;
	return status;
}

void cli_use_resolvers(struct arguments *a)
{
	uint32_t all = a->resolver_versions, v = 0;

	if (!a->resolver_count)
		return;
	if (all & (all - 1))
		v = cli_version_for(a, a->inputs, a->input_count);
	while (!(all >> v & 1)) /* there is only one, or the files have changed in between */
		v = (v + 1) % SPIRV_VERSIONS;
	a->options.handles.resolvers = a->listed_resolvers + v * a->resolver_count;
	a->options.handles.resolver_count = (uint32_t)a->resolver_count;
}

void cli_free_resolvers(struct arguments *a)
{
	for (size_t i = 0; i < a->resolver_count; i++) {
		for (uint32_t v = 0; v < SPIRV_VERSIONS; v++)
			free(a->resolvers[i].words[v]);
	}
	free(a->resolvers);
	free(a->listed_resolvers);
}
