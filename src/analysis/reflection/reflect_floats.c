/* SPDX-License-Identifier: Apache-2.0 */
/* reflect_floats: a number of IEEE 754 as the shortest decimal that is read back as the same number.
 *
 *     0x3DCCCCCD    0.1, not 0.10000000149011612: of 32 bits, 0.1 is nearest to no other number
 *
 * Guy L. Steele and Jon L. White, How to Print Floating-Point Numbers Accurately, 1990: of the decimals between the
 * middles to both neighbours, the one with the fewest digits. Exact, in whole numbers of any size. */
#include "analysis/reflection/reflection.h"

enum { BIG_WORDS = 160 }; /* (2^55 - 1) * 2^-1076 has 1076 digits behind the point, 2^1024 has 309 before it */

struct big { /* an integer, in digits of 10^9, the lowest first */
	uint32_t words[BIG_WORDS], count;
};

static void multiply(struct big *b, uint32_t factor)
{
	uint64_t carry = 0;

	for (uint32_t i = 0; i < b->count || carry; i++) {
		carry += (uint64_t)b->words[i] * factor; /* words behind the last one are 0 */
		b->words[i] = (uint32_t)(carry % 1000000000u);
		carry /= 1000000000u;
		b->count = i < b->count ? b->count : i + 1;
	}
}

/* fraction * 2^exponent, times 10^-exponent if that is negative. */
static struct big big_of(uint64_t fraction, int exponent)
{
	struct big b = {.words = {(uint32_t)(fraction % 1000000000u), (uint32_t)(fraction / 1000000000u)}, .count = 2};

	for (; exponent >= 29; exponent -= 29)
		multiply(&b, 1u << 29);
	for (; exponent > 0; exponent--)
		multiply(&b, 2);
	for (; exponent <= -13; exponent += 13)
		multiply(&b, 1220703125u); /* 5^13 */
	for (; exponent < 0; exponent++)
		multiply(&b, 5);
	return b;
}

struct decimal {
	unsigned char digits[9 * BIG_WORDS + 1]; /* the highest first, with zeros before it, and one behind it */
};

static struct decimal decimal_of(const struct big *b)
{
	struct decimal d = {{0}};
	size_t last = sizeof d.digits - 1;

	for (uint32_t i = 0; i < b->count; i++) {
		uint32_t word = b->words[i];
		for (int k = 0; k < 9; k++, word /= 10)
			d.digits[--last] = (unsigned char)(word % 10);
	}
	return d;
}

/* What stands behind `count` digits becomes zeros, after one is added to the last of them if it goes up. */
static void round_to(struct decimal *d, int count, bool up)
{
	memset(d->digits + count, 0, sizeof d->digits - (size_t)count);
	for (int i = count; up && i-- > 0; up = d->digits[i] == 0)
		d->digits[i] = (unsigned char)(d->digits[i] == 9 ? 0 : d->digits[i] + 1);
}

static bool is_between(const struct decimal *low, const struct decimal *x, const struct decimal *high, bool inclusive)
{
	int from = memcmp(low, x, sizeof *x), to = memcmp(x, high, sizeof *x);

	return inclusive ? from <= 0 && to <= 0 : from < 0 && to < 0;
}

/* Rounds to so many digits: to the nearest, else to the one above, which may be between the two if the number below is
 * nearer. */
static bool shorten(const struct decimal *low, const struct decimal *exact, const struct decimal *high, bool inclusive,
		    int count, struct decimal *to)
{
	*to = *exact;
	round_to(to, count, exact->digits[count] >= 5);
	if (is_between(low, to, high, inclusive))
		return true;
	round_to(to, count, true); /* if the nearest was above, further away, and still not between them */
	return is_between(low, to, high, inclusive);
}

enum { PLAIN_BELOW = -5, PLAIN_ABOVE = 16 }; /* from 10^-5 to 10^16 without an exponent */

/* 0.digits * 10^point, as JSON has numbers; zeros are behind the digits. */
static void write_digits(struct spb_json *j, const unsigned char *digits, int count, int point)
{
	bool plain = point > PLAIN_BELOW && point <= PLAIN_ABOVE;
	int whole = plain ? point : 1; /* digits before the point */

	if (whole <= 0)
		spb_text_put(&j->text, "0.");
	for (int i = whole; i < 0; i++)
		spb_text_byte(&j->text, '0');
	for (int i = 0; i < count || i < whole; i++) {
		if (i == whole && i > 0)
			spb_text_byte(&j->text, '.');
		spb_text_byte(&j->text, (char)('0' + digits[i]));
	}
	if (plain)
		return;
	const int exponent = point - 1; /* d.ddd */
	spb_text_put(&j->text, exponent < 0 ? "e-" : "e+");
	spb_text_number(&j->text, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

/* fraction * 2^exponent in the fewest digits that are read back as this number: those of a decimal between the middles
 * to its neighbours, which are themselves read as the number if its fraction is even. Exact, and without printf, since
 * that depends on the locale. */
static void write_float(struct spb_json *j, uint64_t fraction, int exponent, bool half_below)
{
	/* All in quarters of the last bit. The number below a power of two is half as far away; below the smallest one
	 * of which that is not so, 2^-14, 2^-126 or 2^-1022, the digits are the same. */
	const struct big number = big_of(4 * fraction, exponent - 2);
	const struct big below = big_of(4 * fraction - (half_below ? 1 : 2), exponent - 2);
	const struct big above = big_of(4 * fraction + 2, exponent - 2);
	const struct decimal exact = decimal_of(&number), low = decimal_of(&below), high = decimal_of(&above);
	const int size = (int)sizeof exact.digits - 1, behind = exponent < 2 ? 2 - exponent : 0;
	struct decimal shortest;
	int first = 0, end = size;

	while (!exact.digits[first])
		first++;
	int count = first + 1;
	while (!shorten(&low, &exact, &high, fraction % 2 == 0, count, &shortest)) /* with all digits, it is */
		count++;
	first -= shortest.digits[first - 1] != 0; /* 9.6 may have become 10 */
	while (!shortest.digits[end - 1])
		end--;
	write_digits(j, shortest.digits + first, end - first, size - behind - first);
}

void spb_reflect_float(struct spb_json *j, uint64_t bits, unsigned width)
{
	const unsigned stored = width == 64 ? 52 : width == 32 ? 23 : 10;
	const int most = (1 << (width - stored - 1)) - 1, exponent = (int)(bits >> stored) & most;
	const uint64_t one = (uint64_t)1 << stored, fraction = bits & (one - 1);

	if (exponent == most) {
		spb_text_put(&j->text, "null");
		return;
	}
	if (bits >> (width - 1) & 1)
		spb_text_byte(&j->text, '-');
	if (!exponent && !fraction)
		spb_text_byte(&j->text, '0');
	else
		write_float(j, exponent ? fraction | one : fraction, (exponent ? exponent : 1) - most / 2 - (int)stored,
			    !fraction);
}
