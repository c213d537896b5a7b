/* SPDX-License-Identifier: Apache-2.0 */
/* expression: integer constant expressions, of #if and of array sizes.
 *
 * glslang's preprocessor computes in 32 bits, those of DXC and Slang in 64. Division by zero has no value, nor has an
 * expression with an operator that is not in the table. */
#include "analysis/source/text.h"

enum { DEPTH = 200 };

struct parser {
	struct spb_reader *r;
	const struct spb_token *tokens;
	size_t count;
	size_t at;
	size_t depth;
	size_t dead; /* enclosing operands that do not matter, as in 0 && 1 / x */
	bool directive;
	bool fails;
};

bool spb_read_integer(const struct spb_token *t, uint64_t *value)
{
	const char *p = t->bytes, *end = p + t->length;
	uint64_t base = 10, n = 0;
	bool any = false;

	if (t->kind != SPB_TOKEN_NUMBER)
		return false;
	if (end - p > 1 && *p == '0') {
		bool hex = (p[1] | 0x20) == 'x';
		base = hex ? 16 : 8;
		p += hex ? 2 : 1;
		any = !hex;
	}
	for (; p < end; p++, any = true) {
		char c = (char)(*p | 0x20);
		uint64_t digit = *p >= '0' && *p <= '9' ? (uint64_t)(*p - '0')
				 : c >= 'a'             ? (uint64_t)(c - 'a' + 10)
							: UINT64_MAX;
		if (digit >= base)
			break;
		n = n * base + digit;
	}
	while (p < end && ((*p | 0x20) == 'u' || (*p | 0x20) == 'l'))
		p++;
	*value = n;
	return any && p == end;
}

static const struct spb_token *current(const struct parser *p)
{
	return p->at < p->count ? &p->tokens[p->at] : NULL;
}

static bool accept(struct parser *p, uint16_t mark)
{
	const struct spb_token *t = current(p);

	if (!t || !spb_is_mark(t, mark))
		return false;
	p->at++;
	return true;
}

static int64_t wrapped(const struct parser *p, uint64_t value)
{
	return p->directive && p->r->wide ? (int64_t)value : (int64_t)(int32_t)(uint32_t)value;
}

struct binary {
	uint16_t mark;
	uint8_t level; /* a higher level binds tighter */
};

static const struct binary binaries[] = {
    {SPB_MARK2('|', '|'), 1},
    {SPB_MARK2('&', '&'), 2},
    {'|', 3},
    {'^', 4},
    {'&', 5},
    {SPB_MARK2('=', '='), 6},
    {SPB_MARK2('!', '='), 6},
    {'<', 7},
    {'>', 7},
    {SPB_MARK2('<', '='), 7},
    {SPB_MARK2('>', '='), 7},
    {SPB_MARK2('<', '<'), 8},
    {SPB_MARK2('>', '>'), 8},
    {'+', 9},
    {'-', 9},
    {'*', 10},
    {'/', 10},
    {'%', 10},
};

static int64_t divided(struct parser *p, int64_t a, int64_t b, bool rest)
{
	if (!b) {
		p->fails |= !p->dead;
		return 0;
	}
	if (b == -1)
		return rest ? 0 : wrapped(p, 0 - (uint64_t)a);
	return rest ? a % b : a / b;
}

static int64_t apply(struct parser *p, uint16_t mark, int64_t x, int64_t y)
{
	uint64_t a = (uint64_t)x, b = (uint64_t)y, shift = b & (p->directive && p->r->wide ? 63 : 31); /* as x86 does */

	switch (mark) {
	case SPB_MARK2('|', '|'):
		return x || y;
	case SPB_MARK2('&', '&'):
		return x && y;
	case SPB_MARK2('=', '='):
		return x == y;
	case SPB_MARK2('!', '='):
		return x != y;
	case SPB_MARK2('<', '='):
		return x <= y;
	case SPB_MARK2('>', '='):
		return x >= y;
	case SPB_MARK2('<', '<'):
		return wrapped(p, a << shift);
	case SPB_MARK2('>', '>'):
		return x < 0 ? (int64_t) ~(~a >> shift) : (int64_t)(a >> shift);
	case '|':
		return (int64_t)(a | b);
	case '^':
		return (int64_t)(a ^ b);
	case '&':
		return (int64_t)(a & b);
	case '<':
		return x < y;
	case '>':
		return x > y;
	case '+':
		return wrapped(p, a + b);
	case '-':
		return wrapped(p, a - b);
	case '*':
		return wrapped(p, a * b);
	case '/':
		return divided(p, x, y, false);
	case '%':
		return divided(p, x, y, true);
	}
	p->fails = true;
	return 0;
}

static int64_t ternary(struct parser *p);

static int64_t word_value(struct parser *p, const struct spb_token *t)
{
	const struct spb_word *word = &p->r->words.items[t->word];

	if (t->word == SPB_WORD_true || t->word == SPB_WORD_false)
		return t->word == SPB_WORD_true;
	if (p->directive && t->word != SPB_WORD_defined)
		return 0;
	p->fails |= p->directive || !word->is_constant;
	return word->constant;
}

/* uint(3): 3. */
static void skip_cast(struct parser *p, const struct spb_token *t)
{
	if (!p->directive &&
	    ((t->length == 3 && !memcmp(t->bytes, "int", 3)) || (t->length == 4 && !memcmp(t->bytes, "uint", 4))))
		p->at++;
}

static int64_t primary(struct parser *p)
{
	const struct spb_token *t = current(p);
	uint64_t number;
	int64_t value = 0;

	if (t)
		skip_cast(p, t);
	if (!(t = current(p)) || p->fails) {
		p->fails = true;
		return 0;
	}
	p->at++;
	if (spb_is_mark(t, '(')) {
		value = ternary(p);
		p->fails |= !accept(p, ')');
	} else if (t->kind == SPB_TOKEN_WORD) {
		value = word_value(p, t);
	} else if (spb_read_integer(t, &number)) {
		value = wrapped(p, number);
	} else {
		p->fails = true;
	}
	return value;
}

/* The signs before an operand apply from the last to the first. */
static int64_t unary(struct parser *p)
{
	size_t first = p->at;
	int64_t value;

	while (accept(p, '!') || accept(p, '-') || accept(p, '+') || accept(p, '~'))
		;
	size_t last = p->at;
	value = primary(p);
	while (last-- > first) {
		switch (p->tokens[last].mark) {
		case '!':
			value = !value;
			break;
		case '-':
			value = wrapped(p, 0 - (uint64_t)value);
			break;
		case '~':
			value = ~value;
			break;
		}
	}
	return value;
}

static const struct binary *binary_here(const struct parser *p)
{
	const struct spb_token *t = current(p);

	for (size_t i = 0; t && i < SPB_COUNT(binaries); i++) {
		if (spb_is_mark(t, binaries[i].mark))
			return &binaries[i];
	}
	return NULL;
}

/* Operators that bind at least as tightly as `level`. && and || do not need their second operand. */
static int64_t operation(struct parser *p, unsigned level)
{
	int64_t value = unary(p);
	const struct binary *binary;

	while (!p->fails && (binary = binary_here(p)) && binary->level >= level) {
		bool decided = binary->mark == SPB_MARK2('|', '|')   ? value != 0
			       : binary->mark == SPB_MARK2('&', '&') ? value == 0
								     : false;
		p->at++;
		p->dead += decided;
		int64_t right = operation(p, binary->level + 1u);
		p->dead -= decided;
		value = apply(p, binary->mark, value, right);
	}
	return value;
}

static int64_t ternary(struct parser *p)
{
	int64_t value = 0;

	if (++p->depth > DEPTH) {
		p->fails = true;
	} else {
		value = operation(p, 1);
		if (accept(p, '?')) {
			int64_t yes = ternary(p);
			p->fails |= !accept(p, ':');
			int64_t no = ternary(p);
			value = value ? yes : no;
		}
	}
	p->depth--;
	return value;
}

bool spb_evaluate(struct spb_reader *r, const struct spb_token *tokens, size_t count, bool directive, int64_t *value)
{
	struct parser p = {.r = r, .tokens = tokens, .count = count, .directive = directive};

	*value = ternary(&p);
	return !p.fails && p.at == count;
}
