/* SPDX-License-Identifier: Apache-2.0 */
/* context: the error exit, and the delivery of messages. */
#include "base.h"

noreturn void spb_throw(struct spb_context *c, spb_status status)
{
	assert(c->escape);
	c->status = status;
	longjmp(*c->escape, 1);
}

void spb_deliver(struct spb_context *c, const spb_message *message)
{
	spb_message whole = *message;

	whole.rule = whole.rule ? whole.rule : "";
	whole.fingerprint = whole.fingerprint ? whole.fingerprint : "";
	whole.justification = whole.justification ? whole.justification : "";
	if (c->callbacks.message)
		c->callbacks.message(c->callbacks.user, &whole);
}
