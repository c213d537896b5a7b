/* SPDX-License-Identifier: Apache-2.0 */
/* combined: textures and samplers that are merged into combined image-samplers, or split out of them. What other rooms
 * may use, and what the two passes share. */
#ifndef SPB_COMBINED_H
#define SPB_COMBINED_H

#include "pass/pass.h"

bool spb_pass_merge_combined(struct spb_unit *u);
bool spb_pass_split_combined(struct spb_unit *u);

/* leaves.c */

struct spb_part { /* a variable made beside another one, directly after it */
	uint32_t whole, part;
	const char *path; /* what is added to the path of `whole`: ".sampler" */
};

/* Records in u->leaves what was made (parts of one variable stand together), and drops the variables of `gone` (bits
 * over ids, or NULL). A variable that is numbered together with others takes its parts with it into their run. */
void spb_add_parts(struct spb_unit *u, const struct spb_part *parts, size_t count, const uint32_t *gone);

#endif
