/* SPDX-License-Identifier: Apache-2.0 */
/* signals: the effect of deferred signals, on every system. */
#include "cli/os/os.h"

void os_heed_signals(void)
{
	int number = os_stop_signal();

	os_defer_signals(false);
	if (number)
		os_die_of_signal(number);
}
