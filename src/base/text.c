/* SPDX-License-Identifier: Apache-2.0 */
/* text: growing text in an arena.
 *
 * Uses a small formatter instead of vsnprintf because its output must not depend on the locale, and because it
 * measures while it writes. */
#include "base.h"

const char *spb_base_name(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		base = *path == '/' || *path == '\\' ? path + 1 : base;
	return base;
}

void spb_text_grow(struct spb_text_buffer *text, size_t length)
{
	text->items = spb_reserve(text->arena, text->items, text->count, length + 1, &text->capacity, 1);
}

void spb_text_add(struct spb_text_buffer *text, const char *bytes, size_t length)
{
	char *to = spb_text_room(text, length);

	if (length)
		memcpy(to, bytes, length);
	text->count += length;
}

void spb_text_put(struct spb_text_buffer *text, const char *string)
{
	spb_text_add(text, string, strlen(string));
}

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
    "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
    "9899";

/* Most numbers have at most two digits. */
void spb_text_number(struct spb_text_buffer *text, uint64_t number)
{
	char *to = spb_text_room(text, 20);
	size_t digits = number < 10 ? 1 : 2;

	for (uint64_t rest = number; rest >= 100; rest /= 10)
		digits++;
	text->count += digits;
	for (; number >= 100; number /= 100)
		memcpy(to + (digits -= 2), pairs + 2 * (number % 100), 2);
	if (number >= 10)
		memcpy(to, pairs + 2 * number, 2);
	else
		*to = (char)('0' + number);
}

static void add_hexadecimal(struct spb_text_buffer *text, unsigned number)
{
	for (int shift = 28; shift >= 0; shift -= 4) {
		if (number >> shift || !shift)
			spb_text_byte(text, "0123456789abcdef"[number >> shift & 15]);
	}
}

/* The digits of a number that is digits / 10^places. */
static void put_decimal(struct spb_text_buffer *text, uint64_t digits, int places)
{
	char reversed[64];
	int count = 0;

	if (!places) {
		reversed[count++] = '0';
		reversed[count++] = '.';
	}
	for (int i = 0; digits || i <= places; i++) {
		reversed[count++] = (char)('0' + digits % 10);
		digits /= 10;
		if (i + 1 == places)
			reversed[count++] = '.';
	}
	while (count)
		spb_text_byte(text, reversed[--count]);
}

bool spb_text_real(struct spb_text_buffer *text, double value, bool single)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
					1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
	const double size = value < 0 ? -value : value, exact = 9007199254740992.0; /* 2^53 */

	/* a number below 2^53, and a power of ten that is exact: their quotient is rounded once, as a compiler does */
	for (int places = 0; places < (int)SPB_COUNT(powers) && size * powers[places] < exact; places++) {
		const uint64_t digits = (uint64_t)(size * powers[places] + 0.5);
		const double read = (double)digits / powers[places];
		if (single ? (float)read != (float)size : read < size || read > size)
			continue;
		if (value < 0)
			spb_text_byte(text, '-');
		put_decimal(text, digits, places);
		return true;
	}
	return false;
}

/* What comes from an input must not begin a remedy. */
static void add_masked(struct spb_text_buffer *text, const char *string)
{
	for (size_t length; *string; string += length) {
		length = strcspn(string, SPB_REMEDY);
		spb_text_add(text, string, length);
		if (string[length]) {
			spb_text_byte(text, '?');
			length++;
		}
	}
}

void spb_text_vformat(struct spb_text_buffer *text, const char *format, va_list arguments)
{
	for (const char *p = format; *p; p++) {
		size_t plain = strcspn(p, "%");
		spb_text_add(text, p, plain);
		p += plain;
		if (!*p)
			return;
		switch (*++p) {
		case 's':
			add_masked(text, va_arg(arguments, const char *));
			break;
		case 'r':
			spb_text_put(text, va_arg(arguments, const char *));
			break;
		case 'u':
			spb_text_number(text, va_arg(arguments, unsigned));
			break;
		case 'x':
			add_hexadecimal(text, va_arg(arguments, unsigned));
			break;
		case 'c': {
			spb_text_byte(text, (char)va_arg(arguments, int));
			break;
		}
		default:
			assert(*p == '%');
			spb_text_byte(text, '%');
			break;
		}
	}
}

void spb_text_format(struct spb_text_buffer *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	spb_text_vformat(text, format, arguments);
	va_end(arguments);
}

const char *spb_text_end(struct spb_text_buffer *text)
{
	spb_text_add(text, "", 0);
	text->items[text->count] = '\0';
	return text->items;
}
