/* SPDX-License-Identifier: Apache-2.0 */
/* signals: what follows from those that were deferred, on every system. */
#include "cli/os/os.h"

void heed_signals(void)
{
	int number = stop_signal();

	defer_signals(false);
	if (number)
		die_of_signal(number);
}
