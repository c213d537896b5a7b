/* SPDX-License-Identifier: Apache-2.0 */
/* hash: one mixing function for all tables. There is no external seed, so the same input gives the same result in
 * every run and on every machine. */
#include "base.h"

uint64_t spb_hash_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2)));

	h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	h = (h ^ (h >> 29)) * UINT64_C(0xa0761d6478bd642f);
	return h ^ (h >> 32);
}

static uint64_t half_word(const unsigned char *p)
{
	uint32_t half;

	memcpy(&half, p, sizeof half);
	return half;
}

/* 1 to 7 bytes as the low bytes of a word whose others are 0, without a call or a loop: its two halves may overlap,
 * and fewer than 4 bytes are the first, the middle and the last one. */
static uint64_t last_word(const unsigned char *p, size_t length)
{
	if (length >= 4)
		return half_word(p) | half_word(p + length - 4) << 8 * (length - 4);
	return p[0] | (uint64_t)p[length / 2] << 8 * (length / 2) | (uint64_t)p[length - 1] << 8 * (length - 1);
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
