/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SPB_TEST_CAUGHT_H
#define SPB_TEST_CAUGHT_H

#include "base/base.h"

/* Whether what ran has thrown. */
static bool caught(spb_context *context, void (*run)(void *), void *argument)
{
	jmp_buf escape;

	context->escape = &escape;
	if (setjmp(escape))
		return true;
	run(argument);
	return false;
}

#endif
