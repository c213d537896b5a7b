/* SPDX-License-Identifier: Apache-2.0 */
/* A module with three textures, "a" open, "b" at 0.3, "bc" in set 1, and a sampler "s", for texts that go with it. */
#ifndef SPB_FUZZ_SMALL_H
#define SPB_FUZZ_SMALL_H

#include <stdint.h>

#define OP(code, length) ((uint32_t)(length) << 16 | (code))

enum { SMALL_HEAD = 5 + 2 + 3 }; /* words before the names: header, capability, memory model */

/* clang-format off */
static const uint32_t small_module[] = {
	0x07230203, 0x00010300, 0, 12, 0,
	OP(17, 2), 1,
	OP(14, 3), 0, 1,
	OP(5, 3), 1, 'a',
	OP(5, 3), 2, 'b',
	OP(5, 3), 3, 'b' | 'c' << 8,
	OP(5, 3), 4, 's',
	OP(71, 4), 2, 34, 0,
	OP(71, 4), 2, 33, 3,
	OP(71, 4), 3, 34, 1,
	OP(22, 3), 5, 32,
	OP(25, 9), 6, 5, 1, 0, 0, 0, 1, 0,
	OP(32, 4), 7, 0, 6,
	OP(26, 2), 8,
	OP(32, 4), 9, 0, 8,
	OP(59, 4), 7, 1, 0,
	OP(59, 4), 7, 2, 0,
	OP(59, 4), 7, 3, 0,
	OP(59, 4), 9, 4, 0,
};
/* clang-format on */

enum { SMALL_COUNT = sizeof small_module / sizeof *small_module };

#endif
