/* SPDX-License-Identifier: Apache-2.0 */
/* blake2: RFC 7693, section 3. */
#include "base/blake2.h"

#include <stdbool.h>
#include <string.h>

/* Section 2.6 */
static const uint64_t start[8] = {0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
				  0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179};

/* Section 2.7; rounds 10 and 11 are 0 and 1 again. */
static const unsigned char order[12][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

enum { WORDS = 16 }; /* in a block */

static uint64_t rotate(uint64_t x, unsigned n)
{
	return x >> n | x << (64 - n);
}

/* G of section 3.1 */
static void mix(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d, uint64_t x, uint64_t y)
{
	*a += *b + x;
	*d = rotate(*d ^ *a, 32);
	*c += *d;
	*b = rotate(*b ^ *c, 24);
	*a += *b + y;
	*d = rotate(*d ^ *a, 16);
	*c += *d;
	*b = rotate(*b ^ *c, 63);
}

static uint64_t read_word(const unsigned char *p)
{
	uint64_t w = 0;

	for (unsigned i = 0; i < 8; i++)
		w |= (uint64_t)p[i] << 8 * i;
	return w;
}

/* F of section 3.2 */
static void compress(struct spb_blake2 *b, const unsigned char *block, bool last)
{
	uint64_t v[WORDS], m[WORDS];

	for (unsigned i = 0; i < 8; i++) {
		v[i] = b->state[i];
		v[i + 8] = start[i];
	}
	v[12] ^= b->length;
	v[14] = last ? ~v[14] : v[14];
	for (unsigned i = 0; i < WORDS; i++)
		m[i] = read_word(block + 8 * i);
	for (unsigned i = 0; i < 12; i++) {
		const unsigned char *s = order[i];
		mix(&v[0], &v[4], &v[8], &v[12], m[s[0]], m[s[1]]);
		mix(&v[1], &v[5], &v[9], &v[13], m[s[2]], m[s[3]]);
		mix(&v[2], &v[6], &v[10], &v[14], m[s[4]], m[s[5]]);
		mix(&v[3], &v[7], &v[11], &v[15], m[s[6]], m[s[7]]);
		mix(&v[0], &v[5], &v[10], &v[15], m[s[8]], m[s[9]]);
		mix(&v[1], &v[6], &v[11], &v[12], m[s[10]], m[s[11]]);
		mix(&v[2], &v[7], &v[8], &v[13], m[s[12]], m[s[13]]);
		mix(&v[3], &v[4], &v[9], &v[14], m[s[14]], m[s[15]]);
	}
	for (unsigned i = 0; i < 8; i++)
		b->state[i] ^= v[i] ^ v[i + 8];
}

void spb_blake2_begin(struct spb_blake2 *b)
{
	memset(b, 0, sizeof *b);
	memcpy(b->state, start, sizeof start);
	b->state[0] ^= 0x01010000 | DIGEST;
}

void spb_blake2_add(struct spb_blake2 *b, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;

	while (size) {
		if (b->used == sizeof b->block) { /* more data follows, so this block is not the last one */
			b->length += b->used;
			compress(b, b->block, false);
			b->used = 0;
		}
		for (; !b->used && size > sizeof b->block; p += sizeof b->block, size -= sizeof b->block) {
			b->length += sizeof b->block;
			compress(b, p, false);
		}
		size_t n = sizeof b->block - b->used < size ? sizeof b->block - b->used : size;
		memcpy(b->block + b->used, p, n);
		b->used += n;
		p += n;
		size -= n;
	}
}

void spb_blake2_end(struct spb_blake2 *b, unsigned char digest[DIGEST])
{
	memset(b->block + b->used, 0, sizeof b->block - b->used);
	b->length += b->used;
	compress(b, b->block, true);
	for (unsigned i = 0; i < DIGEST; i++)
		digest[i] = (unsigned char)(b->state[i / 8] >> 8 * (i % 8));
}

void spb_blake2(const void *bytes, size_t size, unsigned char digest[DIGEST])
{
	struct spb_blake2 b;

	spb_blake2_begin(&b);
	spb_blake2_add(&b, bytes, size);
	spb_blake2_end(&b, digest);
}
