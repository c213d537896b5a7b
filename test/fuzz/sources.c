/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the source text of a module. Bits of the first byte: 1: HLSL, 2: not by glslang, 4: the rules of HLSL. */
#include "fuzz.h"
#include "small.h"

/* The module with OpString and OpSource before its names. Returns its length in words. */
static size_t with_source(uint32_t *to, unsigned how, const char *text)
{
	enum { FILE_ID = 10 };
	size_t length = strlen(text) / 4 + 1;
	const uint32_t head[] = {OP(7, 3), FILE_ID, 'f', OP(3, 4 + length), how & 1 ? 5 : 2, 450, FILE_ID};

	memcpy(to, small_module, SMALL_HEAD * sizeof *to);
	to[2] = how & 2 ? 0 : 8u << 16;
	memcpy(to + SMALL_HEAD, head, sizeof head);
	memset(to + SMALL_HEAD + 7, 0, length * sizeof *to);
	memcpy(to + SMALL_HEAD + 7, text, strlen(text));
	memcpy(to + SMALL_HEAD + 7 + length, small_module + SMALL_HEAD, (SMALL_COUNT - SMALL_HEAD) * sizeof *to);
	return SMALL_COUNT + 7 + length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned how = size ? data[0] : 0;
	char *text = copy_text(data + (size != 0), size - (size != 0));
	uint32_t *module = malloc(sizeof small_module + size + 100);
	spb_options options;
	struct attempt attempt = {.options = &options, .words = module};

	if (size < 200000) { /* fits into an instruction */
		spb_options_init(&options, sizeof options);
		options.validation.which = SPB_VALIDATE_NONE;
		options.layout.rules = how & 4 ? SPB_RULES_HLSL : SPB_RULES_DEFAULT;
		options.layout.unused = SPB_UNUSED_COUNT;
		attempt.count = with_source(module, how, text);
		try_program(&attempt, number_of(data, size));
	}
	free(module);
	free(text);
	return 0;
}
