/* SPDX-License-Identifier: Apache-2.0 */
/* json: writes JSON into an arena; a JSON library would bypass the caller's allocator. */
#include "lib/json.h"

void spb_json_line(struct spb_json *j)
{
	char *to = spb_text_room(&j->text, 1 + 2 * (size_t)j->depth);

	to[0] = '\n';
	memset(to + 1, ' ', 2 * (size_t)j->depth);
	j->text.count += 1 + 2 * (size_t)j->depth;
}

void spb_json_comma(struct spb_json *j)
{
	if (!j->first)
		spb_text_byte(&j->text, ',');
	j->first = false;
}

/* Strings in a module are UTF-8 according to SPIR-V 2.2.1, "Instructions", but that is not checked: an invalid byte
 * becomes '?'. */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = s[0] >= 0xC2 && s[0] < 0xE0   ? 2
		   : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
		   : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
						 : 0;

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	}
	if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
	    (s[0] == 0xF4 && s[1] > 0x8F))
		return 0;
	return n;
}

/* Bytes that stand for themselves; they are written as a run. */
static bool is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

void spb_json_string(struct spb_json *j, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	spb_text_byte(&j->text, '"');
	while (*p) {
		const unsigned char *run = p;
		while (is_plain(*p))
			p++;
		spb_text_add(&j->text, (const char *)run, (size_t)(p - run));
		if (!*p)
			break;
		size_t n = *p < 0x80 ? 1 : utf8_length(p);
		if (!n) {
			spb_text_byte(&j->text, '?');
			n = 1;
		} else if (*p == '"' || *p == '\\') {
			spb_text_format(&j->text, "\\%c", *p);
		} else if (n == 1) {
			spb_text_format(&j->text, *p < 0x10 ? "\\u000%x" : "\\u00%x", (unsigned)*p);
		} else {
			spb_text_add(&j->text, (const char *)p, n);
		}
		p += n;
	}
	spb_text_byte(&j->text, '"');
}

void spb_json_key(struct spb_json *j, const char *name)
{
	size_t length = strlen(name);
	char *to;

	spb_json_comma(j);
	if (j->depth < 6)
		spb_json_line(j);
	else
		spb_text_byte(&j->text, ' ');
	to = spb_text_room(&j->text, length + 4); /* our own names need no escapes */
	*to = '"';
	memcpy(to + 1, name, length);
	memcpy(to + 1 + length, "\": ", 3);
	j->text.count += length + 4;
}

void spb_json_open(struct spb_json *j, const char *bracket)
{
	spb_text_put(&j->text, bracket);
	j->depth++;
	j->first = true;
}

void spb_json_close(struct spb_json *j, const char *bracket, bool own_line)
{
	j->depth--;
	if (own_line && !j->first)
		spb_json_line(j);
	spb_text_put(&j->text, bracket);
	j->first = false;
}

void spb_json_number_key(struct spb_json *j, const char *name, uint32_t value)
{
	spb_json_key(j, name);
	spb_text_number(&j->text, value);
}

void spb_json_string_key(struct spb_json *j, const char *name, const char *value)
{
	spb_json_key(j, name);
	spb_json_string(j, value);
}

void spb_json_bool_key(struct spb_json *j, const char *name, bool value)
{
	spb_json_key(j, name);
	spb_text_put(&j->text, value ? "true" : "false");
}

void spb_json_count_key(struct spb_json *j, uint32_t count)
{
	spb_json_key(j, "count");
	if (count)
		spb_text_number(&j->text, count);
	else
		spb_text_put(&j->text, "null");
}

/* A list of names for the bits or values that are set. */
void spb_json_name_list(struct spb_json *j, const char *name, const char *const *names, size_t count)
{
	spb_json_key(j, name);
	spb_text_put(&j->text, "[");
	for (size_t i = 0; i < count; i++) {
		spb_text_put(&j->text, i ? ", " : "");
		spb_json_string(j, names[i]);
	}
	spb_text_put(&j->text, "]");
}

void spb_json_numbers_key(struct spb_json *j, const char *name, const uint32_t *values, size_t count)
{
	spb_json_key(j, name);
	spb_text_put(&j->text, "[");
	for (size_t i = 0; i < count; i++)
		spb_text_format(&j->text, i ? ", %u" : "%u", values[i]);
	spb_text_put(&j->text, "]");
}
