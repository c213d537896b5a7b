/* SPDX-License-Identifier: Apache-2.0 */
/* After cmocka.h and libspirv.h. */
#ifndef SPB_TEST_ASSEMBLED_H
#define SPB_TEST_ASSEMBLED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Assembles a text by SPIRV-Tools; free() the words. */
static uint32_t *assemble(const char *path, size_t *count)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "rb");
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	spv_binary binary = NULL;

	assert_non_null(f);
	size_t length = fread(text, 1, sizeof text, f);
	fclose(f);
	assert_int_equal(spvTextToBinary(context, text, length, &binary, NULL), SPV_SUCCESS);
	uint32_t *words = malloc(binary->wordCount * sizeof *words);
	memcpy(words, binary->code, binary->wordCount * sizeof *words);
	*count = binary->wordCount;
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return words;
}

#endif
