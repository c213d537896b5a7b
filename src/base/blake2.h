/* SPDX-License-Identifier: Apache-2.0 */
/* blake2: BLAKE2b with a 32-byte digest (RFC 7693). As strong as SHA-256, three times as fast where the CPU has no
 * SHA instructions, and short enough not to need a library. */
#ifndef SPB_BLAKE2_H
#define SPB_BLAKE2_H

#include <stddef.h>
#include <stdint.h>

enum { DIGEST = 32 }; /* bytes */

struct spb_blake2 {
	uint64_t state[8], length; /* bytes so far, without those in `block` */
	unsigned char block[128];
	size_t used;
};

void spb_blake2_begin(struct spb_blake2 *b);
void spb_blake2_add(struct spb_blake2 *b, const void *bytes, size_t size);
void spb_blake2_end(struct spb_blake2 *b, unsigned char digest[DIGEST]);
void spb_blake2(const void *bytes, size_t size, unsigned char digest[DIGEST]); /* in one call */

#endif
