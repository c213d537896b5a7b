/* SPDX-License-Identifier: Apache-2.0 */
/* builtin: the built-in heaps of SPV_EXT_descriptor_heap, which need neither a set nor a binding, become arrays of
 * descriptors, and the other way round. This header is for other rooms; the files of this room share
 * builtin_heaps.h. */
#ifndef SPB_BUILTIN_H
#define SPB_BUILTIN_H

#include "pass/pass.h"

/* The passes of this room. */

bool spb_pass_lower_builtin_heaps(struct spb_unit *u); /* before handles are lowered */
bool spb_pass_adopt_heaps(struct spb_unit *u);         /* after shapes; changes no words */
bool spb_pass_descriptor_heap(struct spb_unit *u);     /* after accesses have been marked */

/* lower_builtin_heaps.c */

/* Does the module use the built-in heaps of SPV_EXT_descriptor_heap, and do the options ask for other ones? */
bool spb_lowers_builtin_heaps(const struct spb_unit *u);

/* descriptor_heap.c */

/* Bits over ids, in c->scratch: variables that descriptor-heap will replace by built-in heaps; NULL: none. */
const uint32_t *spb_future_builtins(const struct spb_unit *u);

#endif
