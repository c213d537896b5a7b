/* SPDX-License-Identifier: Apache-2.0 */
/* escape: untrusted text for terminals and review pages. */
#include <string.h>

#include "cli/messages/formats.h"

/* The character at p and its bytes; 0 bytes: it is not UTF-8 (RFC 3629). */
static size_t read_character(const unsigned char *p, uint32_t *character)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;

	*character = length == 1 ? *p : *p & (0x7Fu >> length);
	for (size_t i = 1; i < length; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		*character = *character << 6 | (p[i] & 0x3F);
	}
	bool surrogate = *character >= 0xD800 && *character <= 0xDFFF;
	return *character < smallest[length] || *character > 0x10FFFF || surrogate ? 0 : length;
}

/* Control characters of either block (C0, C1), and characters that change the direction or the lines of the text around
 * them (Unicode, UAX #9): a name in a module must not rewrite what a terminal or a review page shows. */
static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F || c == 0xFEFF ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void msg_put_character(FILE *to, const char **text)
{
	uint32_t c;
	size_t length = read_character((const unsigned char *)*text, &c);

	if (!length || is_control(c))
		fputc('?', to);
	else
		fwrite(*text, 1, length, to);
	*text += length ? length : 1;
}

void msg_put_text(FILE *to, const char *text)
{
	while (*text)
		msg_put_character(to, &text);
}

void msg_put_escaped(FILE *to, const char *text, const char *special)
{
	while (*text) {
		if (strchr(special, *text))
			fprintf(to, "%%%02X", (unsigned)*text++);
		else
			msg_put_character(to, &text);
	}
}
