/* SPDX-License-Identifier: Apache-2.0 */
/* lines: reads words and key=value pairs, and reports errors with their line number. */
#include "base/lines.h"

noreturn void spb_line_wrong(const struct spb_lines *r, const char *format, ...)
{
	const spb_message message = {
	    .code = r->code,
	    .module = r->file,
	    .pass = r->pass,
	    .line = strncmp(r->file, "--", 2) ? r->number : 0, /* an option is a single line */
	};
	va_list arguments;

	va_start(arguments, format);
	spb_vdeliver(r->c, message, format, arguments);
	va_end(arguments);
	spb_throw(r->c, SPB_ERROR_INVALID_ARGUMENT);
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

bool spb_line_at_end(struct spb_lines *r)
{
	while (is_blank(*r->at))
		r->at++;
	return !*r->at || *r->at == '\n' || *r->at == '#';
}

static uint32_t hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (uint32_t)(c - '0');
	return c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10 : 16;
}

/* The byte of \xNN at `at`; 0 if it is malformed. */
static char escaped_byte(const char *at)
{
	uint32_t high = at[0] == '\\' && at[1] == 'x' ? hex_digit(at[2]) : 16, low = high < 16 ? hex_digit(at[3]) : 16;

	return low < 16 ? (char)(high << 4 | low) : '\0';
}

struct word {
	const char *text; /* not NUL-terminated */
	size_t length;
};

/* Quoted text: any bytes, with \", \\ and \xNN. */
static struct word read_quoted(struct spb_lines *r)
{
	struct spb_text_buffer text = {.arena = &r->c->scratch};

	for (r->at++; *r->at && *r->at != '\n' && *r->at != '"'; r->at++) {
		char byte = escaped_byte(r->at);
		if (byte) {
			spb_text_byte(&text, byte);
			r->at += 3;
			continue;
		}
		if (*r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\'))
			r->at++;
		spb_text_byte(&text, *r->at);
	}
	if (*r->at != '"')
		spb_line_wrong(r, "the closing quotation mark is missing");
	r->at++;
	return (struct word){spb_text_end(&text), text.count};
}

/* Reads up to a blank or `stop`, or quoted text. */
static struct word read_text(struct spb_lines *r, char stop)
{
	const char *from = r->at;

	if (*from == '"')
		return read_quoted(r);
	while (*r->at && *r->at != '\n' && !is_blank(*r->at) && *r->at != stop)
		r->at++;
	return (struct word){from, (size_t)(r->at - from)};
}

static const char *keep_word(const struct spb_lines *r, struct word w)
{
	return r->names ? spb_keep_name(r->names, r->keep, w.text, w.length) : spb_copy_text(r->keep, w.text, w.length);
}

const char *spb_line_keep(const struct spb_lines *r, const char *text)
{
	return keep_word(r, (struct word){text, strlen(text)});
}

bool spb_line_skip(struct spb_lines *r, const char *word)
{
	size_t length = strlen(word);

	spb_line_at_end(r); /* skips blanks */
	if (strncmp(r->at, word, length) != 0 || (r->at[length] && !strchr(" \t\r\n#", r->at[length])))
		return false;
	r->at += length;
	return true;
}

struct spb_pair spb_line_pair(struct spb_lines *r)
{
	struct spb_pair p = {.key = ""};
	struct word key;

	spb_line_at_end(r); /* skips blanks */
	key = read_text(r, '=');
	if (*r->at != '=')
		spb_line_wrong(r, "expected key=value, got \"%s\"",
			       spb_copy_text(&r->c->scratch, key.text, key.length));
	if (key.length >= sizeof p.key)
		spb_line_wrong(r, "expected a key before =, got \"%s\"",
			       spb_copy_text(&r->c->scratch, key.text, key.length));
	memcpy(p.key, key.text, key.length);
	r->at++;
	p.value = keep_word(r, read_text(r, '\0'));
	if (!*p.value)
		spb_line_wrong(r, "%s= has no value", p.key);
	return p;
}

static uint32_t read_number(const struct spb_lines *r, const char *key, const char **text)
{
	uint64_t number = 0;
	const char *p = *text;

	if (*p < '0' || *p > '9')
		spb_line_wrong(r, "%s= takes a number from 0 to 4294967295, but got \"%s\"", key, *text);
	for (; *p >= '0' && *p <= '9'; p++) {
		number = number * 10 + (uint64_t)(*p - '0');
		if (number > UINT32_MAX)
			spb_line_wrong(r, "%s=%s exceeds 4294967295", key, *text);
	}
	*text = p;
	return (uint32_t)number;
}

uint32_t spb_pair_number(const struct spb_lines *r, const struct spb_pair *p)
{
	const char *text = p->value;
	uint32_t number = read_number(r, p->key, &text);

	if (*text)
		spb_line_wrong(r, "%s= takes a number, but got \"%s\"", p->key, p->value);
	return number;
}

void spb_pair_range(const struct spb_lines *r, const struct spb_pair *p, uint32_t *first, uint32_t *last)
{
	const char *text = p->value;

	*first = *last = read_number(r, p->key, &text);
	if (text[0] == '.' && text[1] == '.') {
		text += 2;
		*last = *text ? read_number(r, p->key, &text) : UINT32_MAX;
	}
	if (*text)
		spb_line_wrong(r, "%s= takes a range such as 4..7, but got \"%s\"", p->key, p->value);
	if (*last < *first)
		spb_line_wrong(r, "%s=%s ends before it begins", p->key, p->value);
}

uint32_t spb_pair_bits(const struct spb_lines *r, const struct spb_pair *p, const char *(*name)(uint32_t),
		       uint32_t count)
{
	uint32_t bits = 0;

	for (const char *word = p->value; *word;) {
		size_t length = strcspn(word, ",");
		uint32_t i = 0;
		while (i < count && (strncmp(name(i), word, length) != 0 || name(i)[length]))
			i++;
		if (i == count) {
			struct spb_text_buffer known = {.arena = &r->c->scratch};
			for (uint32_t k = 0; k < count; k++)
				spb_text_format(&known, k ? ", %s" : "%s", name(k));
			spb_line_wrong(r, "unknown %s \"%s\"" SPB_REMEDY "Possible values are %s.", p->key, word,
				       spb_text_end(&known));
		}
		bits |= 1u << i;
		word += length + (word[length] == ',');
	}
	return bits;
}

uint32_t spb_pair_name(const struct spb_lines *r, const struct spb_pair *p, const char *(*name)(uint32_t),
		       uint32_t count)
{
	uint32_t bits = spb_pair_bits(r, p, name, count), i = 0; /* at least one bit: no value is empty */

	while (!(bits >> i & 1))
		i++;
	return i;
}

unsigned spb_pair_choice(const struct spb_lines *r, const struct spb_pair *p, const char *const *words)
{
	struct spb_text_buffer known = {.arena = &r->c->scratch};

	for (unsigned i = 0; *words[i]; i++) {
		if (!strcmp(words[i], p->value))
			return i;
		spb_text_format(&known, i ? ", %s" : "%s", words[i]);
	}
	spb_line_wrong(r, "%s= takes one of %s, but got \"%s\"", p->key, spb_text_end(&known), p->value);
}

noreturn void spb_pair_unknown(const struct spb_lines *r, const struct spb_pair *p, const char *known)
{
	spb_line_wrong(r, "unknown key \"%s\"" SPB_REMEDY "Possible keys are %s.", p->key, known);
}

const char *spb_line_word(struct spb_lines *r)
{
	spb_line_at_end(r); /* skips blanks */
	return keep_word(r, read_text(r, '\0'));
}

bool spb_line_next(struct spb_lines *r)
{
	r->at += strcspn(r->at, "\n");
	if (!*r->at)
		return false;
	r->at++;
	r->number++;
	return true;
}
