/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SPB_TEST_CAUGHT_H
#define SPB_TEST_CAUGHT_H

#include "base/base.h"

/* Whether the function has thrown. */
static bool caught(spb_context *context, void (*run)(void *), void *argument)
{
	jmp_buf escape;
	volatile bool thrown = true;

	context->escape = &escape;
	if (!setjmp(escape)) {
		run(argument);
		thrown = false;
	}
	context->escape = NULL; /* otherwise a call is in progress */
	return thrown;
}

#endif
