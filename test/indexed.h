/* SPDX-License-Identifier: Apache-2.0 */
/* Indexed modules from text, which need not be valid. Include it after cmocka.h and libspirv.h. */
#ifndef SPB_TEST_INDEXED_H
#define SPB_TEST_INDEXED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caught.h"
#include "ir/ir.h"

struct parsed {
	struct spb_module m;
	uint32_t *words, code; /* of the last message */
	size_t count;
	char said[500];
};

static void keep_message(void *user, const spb_message *message)
{
	struct parsed *p = user;

	p->code = message->code;
	snprintf(p->said, sizeof p->said, "%s", message->text);
}

static void parse_words(void *argument)
{
	struct parsed *p = argument;

	spb_module_parse(&p->m, "m", p->words, p->count);
	spb_module_need_index(&p->m);
}

static void parse(struct parsed *p, const char *text)
{
	const spb_callbacks callbacks = {keep_message, p};
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_binary binary = NULL;
	spv_diagnostic diagnostic = NULL;

	*p = (struct parsed){0};
	if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) != SPV_SUCCESS)
		fail_msg("line %u: %s\n%s", (unsigned)diagnostic->position.line + 1, diagnostic->error, text);
	p->count = binary->wordCount;
	p->words = malloc(p->count * sizeof *p->words);
	memcpy(p->words, binary->code, p->count * sizeof *p->words);
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	assert_int_equal(spb_context_create(NULL, &callbacks, &p->m.context), SPB_OK);
	if (caught(p->m.context, parse_words, p))
		fail_msg("%s\n%s", p->said, text);
}

static void drop(struct parsed *p)
{
	spb_context *context = p->m.context;

	spb_module_release(&p->m);
	spb_context_destroy(context);
	free(p->words);
}

/* The id with this OpName. */
static inline uint32_t named(const struct spb_module *m, const char *name)
{
	for (uint32_t id = 1; id < m->bound; id++) {
		if (!strcmp(spb_id_name(m, id), name))
			return id;
	}
	fail_msg("nothing is called %s", name);
	return 0;
}

#endif
