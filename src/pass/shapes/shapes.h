/* SPDX-License-Identifier: Apache-2.0 */
/* shapes: resources in structs, in arrays of arrays, in variables and parameters, which Vulkan does not have, become
 * plain ones. What other rooms may use; the files of this room share shape.h. */
#ifndef SPB_SHAPES_H
#define SPB_SHAPES_H

#include "pass/pass.h"

bool spb_pass_resolve_descriptors(struct spb_unit *u);

/* Are there shapes in the module that it would change? */
bool spb_has_shapes(struct spb_unit *u);

#endif
