/* SPDX-License-Identifier: Apache-2.0 */
/* text: texts that grow, with what comes from modules and applications made harmless; and hashes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/layer.h"

static void add_bytes(struct layer_text *t, const char *s, size_t n)
{
	if (t->length + n >= t->capacity) {
		size_t capacity = 2 * (t->length + n) + 64;
		char *data = realloc(t->data, capacity);
		if (!data) {
			t->lost = true;
			return;
		}
		t->data = data;
		t->capacity = capacity;
	}
	memcpy(t->data + t->length, s, n);
	t->length += n;
	t->data[t->length] = '\0';
}

/* The number of bytes of the character at s; 0: it is not UTF-8 (RFC 3629). */
static size_t utf8_length(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	const size_t length = *p < 0x80 ? 1 : *p < 0xC2 ? 0 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : *p < 0xF5 ? 4 : 0;

	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 0;
	}
	if ((*p == 0xE0 && p[1] < 0xA0) || (*p == 0xED && p[1] > 0x9F) || (*p == 0xF0 && p[1] < 0x90) ||
	    (*p == 0xF4 && p[1] > 0x8F))
		return 0;
	return length;
}

/* 0x7F and C1, U+0080 to U+009F, are control characters, too. */
static bool is_control(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	return *p < 0x20 || *p == 0x7F || (*p == 0xC2 && p[1] < 0xA0);
}

/* '?' for control characters and what is not UTF-8. */
static void add_clean(struct layer_text *t, const char *s)
{
	while (*s) {
		const size_t length = utf8_length(s);
		const bool fits = length && !is_control(s);
		add_bytes(t, fits ? s : "?", fits ? length : 1);
		s += length ? length : 1;
	}
}

static void add_json(struct layer_text *t, const char *s)
{
	char escaped[8];

	add_bytes(t, "\"", 1);
	while (*s) {
		const size_t length = utf8_length(s);
		if (*s == '"' || *s == '\\' || (unsigned char)*s < 0x20)
			add_bytes(t, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*s));
		else
			add_bytes(t, length ? s : "?", length ? length : 1);
		s += length ? length : 1;
	}
	add_bytes(t, "\"", 1);
}

/* RFC 3986: everything except unreserved characters and the slash becomes %XX. */
static void add_uri(struct layer_text *t, const char *path)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
	char escaped[8];

	for (; *path; path++) {
		snprintf(escaped, sizeof escaped, strchr(unreserved, *path) ? "%c" : "%%%02X", (unsigned char)*path);
		add_bytes(t, escaped, strlen(escaped));
	}
}

static void add_number(struct layer_text *t, const char *format, unsigned long long n)
{
	char digits[24];

	add_bytes(t, digits, (size_t)snprintf(digits, sizeof digits, *format == 'x' ? "%016llx" : "%llu", n));
}

void layer_add(struct layer_text *t, const char *format, ...)
{
	const char *text;
	va_list list;

	va_start(list, format);
	for (const char *next; *format; format = next) {
		next = *format == '%' ? format + 2 : format + strcspn(format, "%");
		switch (*format == '%' ? format[1] : 0) {
		case 'r':
			text = va_arg(list, const char *);
			add_bytes(t, text, strlen(text));
			break;
		case 's':
			add_clean(t, va_arg(list, const char *));
			break;
		case 'j':
			add_json(t, va_arg(list, const char *));
			break;
		case 'p':
			add_uri(t, va_arg(list, const char *));
			break;
		case 'u':
			add_number(t, format + 1, va_arg(list, uint32_t));
			break;
		case 'x':
		case 'l':
			add_number(t, format + 1, va_arg(list, uint64_t));
			break;
		default:
			add_bytes(t, format, (size_t)(next - format));
		}
	}
	va_end(list);
}

bool layer_write(int file, const char *s, size_t size)
{
	while (size) {
		const ssize_t n = write(file, s, size);
		if (n < 0 && errno != EINTR)
			return false;
		s += n < 0 ? 0 : n;
		size -= n < 0 ? 0 : (size_t)n;
	}
	return true;
}

/* A multiplication for every eight bytes, and for the rest. */
uint64_t layer_hash(uint64_t seed, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;
	uint64_t h = seed ^ size * 0x9E3779B97F4A7C15u;

	for (; size; p += size < 8 ? size : 8, size -= size < 8 ? size : 8) {
		uint64_t word = 0;
		memcpy(&word, p, size < 8 ? size : 8);
		h = (h ^ word) * 0xD6E8FEB86659FD93u;
		h ^= h >> 32;
	}
	h = (h ^ h >> 29) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 32;
}
