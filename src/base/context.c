/* SPDX-License-Identifier: Apache-2.0 */
/* context: the delivery of messages. */
#include "base/base.h"

static void part_remedy(struct spb_context *c, spb_message *message)
{
	const size_t length = strcspn(message->text, SPB_REMEDY);
	const char *cause;

	if (message->text[length]) {
		message->remedy = message->text + length + 1;
		message->text = spb_copy_text(&c->scratch, message->text, length);
	} else if (!message->remedy) {
		spb_describe_code(message->code, &cause, &message->remedy);
	}
}

void spb_deliver(struct spb_context *c, const spb_message *message)
{
	spb_message whole = *message;

	const char **const texts[] = {&whole.op,   &whole.name,   &whole.function,    &whole.file,
				      &whole.rule, &whole.remedy, &whole.fingerprint, &whole.justification};

	if (!c->callbacks.message)
		return;
	part_remedy(c, &whole);
	for (size_t i = 0; i < SPB_COUNT(texts); i++) {
		if (!*texts[i])
			*texts[i] = "";
	}
	whole.struct_size = sizeof whole;
	const bool before = c->busy;
	c->busy = true;
	c->callbacks.message(c->callbacks.user, &whole);
	c->busy = before;
}

void spb_vdeliver(struct spb_context *c, spb_message message, const char *format, va_list arguments)
{
	struct spb_text_buffer text = {.arena = &c->scratch};

	if (!c->callbacks.message) /* no listener */
		return;
	spb_text_vformat(&text, format, arguments);
	message.text = spb_text_end(&text);
	spb_deliver(c, &message);
}
