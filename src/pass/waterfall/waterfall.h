/* SPDX-License-Identifier: Apache-2.0 */
/* waterfall: puts accesses to descriptors that differ between invocations into loops. The files of this room share
 * loops.h. */
#ifndef SPB_WATERFALL_H
#define SPB_WATERFALL_H

#include "pass/pass.h"

bool spb_pass_waterfall(struct spb_unit *u);

#endif
