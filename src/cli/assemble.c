/* SPDX-License-Identifier: Apache-2.0 */
/* assemble: SPIR-V assembly as words, by SPIRV-Tools. The comment "; Version: 1.N", which spirv-dis writes, selects the
 * version. */
#ifndef SPB_NO_SPIRV_TOOLS
#include <spirv-tools/libspirv.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/resolvers.h"

enum { NEWEST = SPIRV_VERSIONS - 1 };

int cli_take_words(struct resolver_file *r, uint32_t version, const void *bytes, size_t size)
{
	r->words[version] = malloc(size + 1);
	if (!r->words[version])
		return msg_out_of_memory();
	memcpy(r->words[version], bytes, size);
	r->word_count[version] = size / sizeof(uint32_t);
	return EXIT_DONE;
}

int cli_refuse_resolver(const struct resolver_file *r, const char *what, const char *more)
{
	msg_report_error(r->path, 0, r->is_input ? "input" : "resolver", what, more);
	return EXIT_REFUSED;
}

#ifdef SPB_NO_SPIRV_TOOLS
int cli_assemble(struct resolver_file *r, const char *text, uint32_t version)
{
	(void)text;
	(void)version;
	return cli_refuse_resolver(
	    r, "this spirv-bind was built without SPIRV-Tools, which assembles" MSG_REMEDY "Give it SPIR-V.", "");
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

int cli_assemble(struct resolver_file *r, const char *text, uint32_t version)
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
		msg_report_compiled(SPB_SEVERITY_ERROR, r->path, (uint32_t)diagnostic->position.line + 1,
				    (uint32_t)diagnostic->position.column + 1, diagnostic->error);
		status = EXIT_REFUSED;
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
	char *text = cli_read_text_file(r->path);
	int status = text ? cli_assemble(&copy, text, version) : EXIT_IO;

	free(text);
	r->words[0] = copy.words[version];
	r->word_count[0] = copy.word_count[version];
	return status;
}
