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

/* Less than 8 bytes, as the first of a word whose others are 0, without a call. */
static uint64_t last_word(const unsigned char *p, size_t length)
{
	uint64_t word = 0;

	for (size_t i = length & 3; i--;)
		word = word << 8 | p[(length & 4) + i];
	if (length & 4) {
		uint32_t first;
		memcpy(&first, p, sizeof first);
		word = word << 32 | first;
	}
	return word;
}

uint64_t spb_hash_bytes(uint64_t seed, const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	uint64_t h = spb_hash_mix(seed, length);

	for (; length >= 8; p += 8, length -= 8) {
		uint64_t word;
		memcpy(&word, p, sizeof word);
		h = spb_hash_mix(h, word);
	}
	return length ? spb_hash_mix(h, last_word(p, length)) : h;
}
