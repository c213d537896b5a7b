/* SPDX-License-Identifier: Apache-2.0 */
/* counted: the caller's allocator, counted against the limit of memory. */
#include "base.h"

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
