/* SPDX-License-Identifier: Apache-2.0 */
/* A module from a text, parsed by the core alone. Include it after cmocka.h and libspirv.h. */
#ifndef SPB_TEST_PARSED_H
#define SPB_TEST_PARSED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caught.h"
#include "ir/ir.h"

/* The last message, with its strings. */
struct said {
	spb_message last;
	char text[600], remedy[1000], op[64], name[300], function[300], file[300], module[64], pass[64];
	uint32_t count;
};

static void hear(void *user, const spb_message *message)
{
	struct said *s = user;

	s->count++;
	s->last = *message;
	snprintf(s->text, sizeof s->text, "%s", message->text);
	snprintf(s->remedy, sizeof s->remedy, "%s", message->remedy);
	snprintf(s->op, sizeof s->op, "%s", message->op);
	snprintf(s->name, sizeof s->name, "%s", message->name);
	snprintf(s->function, sizeof s->function, "%s", message->function);
	snprintf(s->file, sizeof s->file, "%s", message->file);
	snprintf(s->module, sizeof s->module, "%s", message->module);
	snprintf(s->pass, sizeof s->pass, "%s", message->pass);
}

struct parsed {
	struct spb_module m;
	struct said said;
	const uint32_t *words;
	size_t count;
	bool refused;
};

static void parse_words(void *argument)
{
	struct parsed *p = argument;

	spb_module_parse(&p->m, "m", p->words, p->count);
}

/* The caller keeps `words`. */
static inline void parse(struct parsed *p, const uint32_t *words, size_t count)
{
	const spb_callbacks callbacks = {hear, &p->said};

	*p = (struct parsed){.words = words, .count = count};
	assert_int_equal(spb_context_create(NULL, &callbacks, &p->m.context), SPB_OK);
	p->refused = caught(p->m.context, parse_words, p);
}

static inline void end_parsed(struct parsed *p)
{
	spb_context *context = p->m.context;

	spb_module_release(&p->m);
	spb_context_destroy(context);
}

/* Ids keep the numbers of the text. free() the words. */
static inline uint32_t *words_of(const char *text, size_t *count)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_binary binary = NULL;
	spv_diagnostic wrong = NULL;

	spv_result_t result = spvTextToBinaryWithOptions(
	    context, text, strlen(text), SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary, &wrong);
	if (wrong)
		print_message("line %u: %s\n", (unsigned)wrong->position.line + 1, wrong->error);
	assert_int_equal(result, SPV_SUCCESS);
	uint32_t *words = malloc(binary->wordCount * sizeof *words);
	assert_non_null(words);
	memcpy(words, binary->code, binary->wordCount * sizeof *words);
	*count = binary->wordCount;
	spvDiagnosticDestroy(wrong);
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return words;
}

#endif
