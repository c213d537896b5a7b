/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/options/option_words.h"

#include <string.h>

static char *add(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	to[length] = '\0';
	return to + length;
}

static char *add_word(char *to, const char *text)
{
	return add(to, text, strlen(text));
}

/* name="GLOB" with what must be escaped. */
static char *add_name(char *to, const char *glob, size_t length)
{
	to = add_word(to, "name=\"");
	for (size_t i = 0; i < length; i++) {
		if (glob[i] == '"' || glob[i] == '\\')
			*to++ = '\\';
		*to++ = glob[i];
	}
	return add_word(to, "\"");
}

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* GLOB=SET.BINDING */
static bool place_line(char *line, const char *value)
{
	const char *equals = strrchr(value, '=');
	const size_t set = equals ? digits(equals + 1) : 0;

	if (!set || equals == value || equals[1 + set] != '.' || !equals[2 + set] ||
	    equals[2 + set + digits(equals + 2 + set)])
		return false;
	line = add_name(add_word(line, "place "), value, (size_t)(equals - value));
	line = add(add_word(line, " -> set="), equals + 1, set);
	add_word(add_word(line, " binding="), equals + 2 + set);
	return true;
}

static bool is_class(const char *what, size_t length)
{
	return length == 1 && strchr("btsu", *what);
}

/* CLASS=N, CLASS:SPACE=N or CLASS@STAGE=N; KIND instead of CLASS */
static bool shift_line(char *line, const char *value)
{
	const size_t what = strcspn(value, ":@=");
	size_t space = 0, stage = 0;
	const char *p = value + what;

	if (!what || (what == 1 && !is_class(value, what)))
		return false;
	if (*p == ':' && !(space = digits(++p)))
		return false;
	const char *set = p, *at = p += space;
	if (*p == '@' && !(stage = strcspn(p + 1, "=")))
		return false;
	p += stage ? stage + 1 : 0;
	if (*p != '=' || !digits(p + 1) || p[1 + digits(p + 1)])
		return false;
	line = add(add_word(line, is_class(value, what) ? "shift class=" : "shift kind="), value, what);
	line = add_word(add_word(line, " by="), p + 1);
	if (space)
		line = add(add_word(line, " set="), set, space);
	if (stage)
		add(add_word(line, " stage="), at + 1, stage);
	return true;
}

/* One line of the language, unchanged. */
static bool rule_line(char *line, const char *value)
{
	add_word(line, value);
	return !strpbrk(value, "\n\r");
}

bool spb_policy_line(const char *option, const char *value, char *line)
{
	static const struct {
		const char *option;
		bool (*line)(char *line, const char *value);
	} lines[] = {{"place", place_line}, {"policy", rule_line}, {"shift", shift_line}};
	size_t i = 0;

	while (strcmp(option, lines[i].option) != 0)
		i++;
	return lines[i].line(line, value);
}

/* The number of letters to insert, delete, replace or swap with the next one to turn one into the other; MAX if one is
 * too long. */
static size_t distance(const char *a, const char *b)
{
	enum { MAX = 64 };
	size_t d[MAX + 1][MAX + 1], m = strlen(a), n = strlen(b);

	if (m > MAX || n > MAX)
		return MAX;
	for (size_t i = 0; i <= m; i++) {
		for (size_t j = 0; j <= n; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
			best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[m][n];
}

bool spb_is_nearer(const char *word, const char *other, size_t *nearest)
{
	const size_t far = distance(word, other);
	const bool nearer = far < *nearest;

	*nearest = nearer ? far : *nearest;
	return nearer;
}
