/* SPDX-License-Identifier: Apache-2.0 */
#include "pass/pass.h"
bool spb_pass_merge_combined(struct spb_unit *u)
{
	(void)u;
	return false;
}
