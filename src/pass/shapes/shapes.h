/* SPDX-License-Identifier: Apache-2.0 */
/* shapes: turns resources in structs, in arrays of arrays, in variables and parameters, which Vulkan does not allow,
 * into plain ones. This header is for other rooms; the files of this room share shape.h. */
#ifndef SPB_SHAPES_H
#define SPB_SHAPES_H

#include "pass/pass.h"

bool spb_pass_keep_addresses(struct spb_unit *u);
bool spb_pass_resolve_descriptors(struct spb_unit *u);

/* Does the module have shapes that resolve-descriptors would change? */
bool spb_has_shapes(struct spb_unit *u);

#endif
