/* SPDX-License-Identifier: Apache-2.0 */
/* hash: one mixing function for all tables. There is no external seed, so the same input gives the same result on every
 * run and machine. */
#include "base.h"

uint64_t spb_hash_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2)));

	h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	h = (h ^ (h >> 29)) * UINT64_C(0xa0761d6478bd642f);
	return h ^ (h >> 32);
}

uint64_t spb_hash_bytes(uint64_t seed, const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	uint64_t h = spb_hash_mix(seed, length);

	for (; length >= 8; p += 8, length -= 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = spb_hash_mix(h, word);
	}
	if (length) {
		uint64_t word = 0;
		memcpy(&word, p, length);
		h = spb_hash_mix(h, word);
	}
	return h;
}
