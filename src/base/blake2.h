/* SPDX-License-Identifier: Apache-2.0 */
/* blake2: BLAKE2b with 32 bytes of result (RFC 7693). It is as hard to deceive as SHA-256, three times as fast without
 * instructions of its own, and short enough not to need a library. */
#ifndef SPB_BLAKE2_H
#define SPB_BLAKE2_H

#include <stddef.h>
#include <stdint.h>

enum { DIGEST = 32 }; /* bytes */

struct spb_blake2 {
	uint64_t state[8], length; /* bytes so far, without those of the block */
	unsigned char block[128];
	size_t used;
};

void spb_blake2_begin(struct spb_blake2 *b);
void spb_blake2_add(struct spb_blake2 *b, const void *bytes, size_t size);
void spb_blake2_end(struct spb_blake2 *b, unsigned char digest[DIGEST]);
void spb_blake2(const void *bytes, size_t size, unsigned char digest[DIGEST]); /* of these alone */

#endif
