/* SPDX-License-Identifier: Apache-2.0 */
/* throw: the error exit. */
#include "base.h"

noreturn void spb_throw(struct spb_context *c, spb_status status)
{
	assert(c->escape);
	c->status = status;
	longjmp(*c->escape, 1);
}
