/* SPDX-License-Identifier: Apache-2.0 */
/* resolvers: the files of --resolver as words. SPIR-V is used directly, assembly is assembled (assemble.c), and
 * anything else is GLSL, or HLSL if it ends in .hlsl (compile.c). Text is compiled to the oldest SPIR-V version of the
 * inputs, so that it can be merged into all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/resolvers.h"

enum { UNKNOWN_VERSION = 99, OLDEST_WITH_STORAGE_BUFFERS = 3 };

/* N of SPIR-V 1.N; UNKNOWN_VERSION: not SPIR-V, or stdin. The file is read again later, where errors are reported. */
static uint32_t version_of(const struct program_options *p, const char *path)
{
	uint32_t words[2] = {0, 0};
	size_t size;
	const void *made = cli_find_made(p, path, &size);
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
	return words[1] < SPIRV_VERSIONS ? words[1] : UNKNOWN_VERSION;
}

/* A version that all inputs can be merged with. Storage buffers of SPIR-V before 1.3 are not valid in 1.4 and later. */
uint32_t cli_version_for(const struct program_options *p, const char *const *inputs, size_t count)
{
	uint32_t oldest = UNKNOWN_VERSION, newest = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t version = version_of(p, inputs[i]);
		if (version < oldest)
			oldest = version;
		if (version != UNKNOWN_VERSION && version > newest)
			newest = version;
	}
	if (oldest == UNKNOWN_VERSION || (oldest < OLDEST_WITH_STORAGE_BUFFERS && newest > OLDEST_WITH_STORAGE_BUFFERS))
		return OLDEST_WITH_STORAGE_BUFFERS;
	return oldest;
}

static bool is_spirv(const unsigned char *bytes, size_t size)
{
	uint32_t magic = 0;

	if (size >= sizeof magic)
		memcpy(&magic, bytes, sizeof magic);
	return magic == 0x07230203 || magic == 0x03022307;
}

static int load(const struct program_options *p, struct resolver_file *r, uint32_t version)
{
	size_t size;
	unsigned char *bytes = cli_read_file(r->path, &size);
	char *text;
	int status;

	if (!bytes)
		return EXIT_IO;
	if (is_spirv(bytes, size)) {
		status = size % 4 ? cli_refuse_resolver(r,
							"the size is not a multiple of 4 bytes" MSG_REMEDY
							"The file is truncated: make it again.",
							"")
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
	if (cli_ends_in(r->path, ".spv") || strlen(text) != size)
		status = cli_refuse_resolver(
		    r, "this is neither SPIR-V nor text" MSG_REMEDY "Give SPIR-V, assembly or GLSL.", "");
	else if (cli_ends_in(r->path, ".spvasm") || !strncmp(text, "; SPIR-V", 8))
		status = cli_assemble(r, text, version);
	else
		status = cli_compile_resolver(&p->sources, r, text, version, COMPILER_SECONDS);
	free(text);
	return status;
}

bool cli_allocate_resolvers(struct resolver_options *o, size_t count)
{
	o->files = calloc(count, sizeof *o->files);
	o->listed = calloc(count * SPIRV_VERSIONS, sizeof *o->listed);
	return o->files && o->listed;
}

bool cli_has_text_resolver(const struct program_options *p)
{
	for (size_t i = 0; i < p->resolvers.count; i++) {
		if (version_of(p, p->resolvers.files[i].path) == UNKNOWN_VERSION)
			return true;
	}
	return false;
}

int cli_read_resolvers(struct program_options *p, uint32_t versions)
{
	struct resolver_options *o = &p->resolvers;
	int status = EXIT_DONE;

	for (uint32_t v = 0; v < SPIRV_VERSIONS; v++) {
		if (!(versions >> v & 1))
			continue;
		for (size_t i = 0; i < o->count && status == EXIT_DONE; i++) {
			struct resolver_file *r = &o->files[i];
			status = load(p, r, v);
			o->listed[v * o->count + i] = (spb_resolver){r->path, r->words[v], r->word_count[v]};
		}
	}
	o->versions |= versions;
	return status;
}

void cli_use_resolvers(struct program_options *p)
{
	uint32_t all = p->resolvers.versions, v = 0;

	if (!p->resolvers.count)
		return;
	if (all & (all - 1))
		v = cli_version_for(p, p->inputs, p->input_count);
	while (!(all >> v & 1)) /* only one was compiled, or a file has changed meanwhile */
		v = (v + 1) % SPIRV_VERSIONS;
	p->library.handles.resolvers = p->resolvers.listed + v * p->resolvers.count;
	p->library.handles.resolver_count = (uint32_t)p->resolvers.count;
}

void cli_free_resolvers(struct resolver_options *o)
{
	for (size_t i = 0; i < o->count; i++) {
		for (uint32_t v = 0; v < SPIRV_VERSIONS; v++)
			free(o->files[i].words[v]);
	}
	free(o->files);
	free(o->listed);
}
