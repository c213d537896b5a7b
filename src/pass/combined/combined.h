/* SPDX-License-Identifier: Apache-2.0 */
/* combined: merges textures and samplers into combined image-samplers, or splits them. This header is for the passes
 * and for other rooms. */
#ifndef SPB_COMBINED_H
#define SPB_COMBINED_H

#include "pass/pass.h"

bool spb_pass_merge_combined(struct spb_unit *u);
bool spb_pass_split_combined(struct spb_unit *u);
bool spb_pass_split_heaps(struct spb_unit *u);

/* pieces.c */

struct spb_companion { /* a variable created directly after another one */
	uint32_t whole, companion;
	const char *path; /* suffix to the path of `whole`: ".sampler" */
};

/* Records in u->created.pieces what was created (pieces of one variable are contiguous), and drops the variables of
 * `gone` (bits over ids, or NULL). The parts of a variable that is numbered together with others join their run. */
void spb_add_companions(struct spb_unit *u, const struct spb_companion *companions, size_t count, const uint32_t *gone);

#endif
