/* SPDX-License-Identifier: Apache-2.0 */
/* nonuniform: which accesses to descriptors differ between invocations: they are marked, reported, or put into loops.
 * What other rooms may use; the files of this room share accesses.h (marks and lint) and waterfall.h. */
#ifndef SPB_NONUNIFORM_H
#define SPB_NONUNIFORM_H

#include "pass/pass.h"

bool spb_pass_decorate_nonuniform(struct spb_unit *u);
bool spb_pass_waterfall(struct spb_unit *u);

/* The remark that waterfall leaves: indexes that are the same in the subgroup are meant to be enough. */
#define SPB_WATERFALL_REMARK "spirv-bind: descriptors in turns of the subgroup"

#endif
