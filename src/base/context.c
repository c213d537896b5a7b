/* SPDX-License-Identifier: Apache-2.0 */
/* context: the error exit, and the delivery of messages. */
#include "base.h"

noreturn void spb_throw(struct spb_context *c, spb_status status)
{
	assert(c->escape);
	c->status = status;
	longjmp(*c->escape, 1);
}

bool spb_may_hold(struct spb_context *c, uint64_t more)
{
	if (c->held <= c->limits.memory && more <= c->limits.memory - c->held)
		return true;
	c->is_full = true;
	return false;
}

void *spb_resize(void *context, void *p, size_t old_size, size_t new_size)
{
	struct spb_context *c = context;

	if (new_size > old_size && !spb_may_hold(c, new_size - old_size))
		return NULL;
	void *resized = c->given.resize(c->given.user, p, old_size, new_size);
	if (resized || !new_size)
		c->held += (uint64_t)new_size - old_size;
	return resized;
}

void spb_deliver(struct spb_context *c, const spb_message *message)
{
	spb_message whole = *message;

	const char **const texts[] = {&whole.op,   &whole.name,        &whole.function,     &whole.file,
				      &whole.rule, &whole.fingerprint, &whole.justification};

	for (size_t i = 0; i < SPB_COUNT(texts); i++) {
		if (!*texts[i])
			*texts[i] = "";
	}
	whole.struct_size = sizeof whole;
	if (!c->callbacks.message)
		return;
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
