/* SPDX-License-Identifier: Apache-2.0 */
/* lexer: the bytes of a file become tokens, and words become numbers.
 *
 * Comments are blanks, and a backslash before a newline joins two lines (GLSL 4.60, 3.1 "Character Set and Phases of
 * Compilation"). A quote ends with its line at the latest, since an apostrophe in skipped lines does not begin a quote.
 *
 * Words are kept in a hash table. Text that needs more than PROBES probes for a word was made to be slow, and is
 * refused. */
#include "analysis/source/text.h"

enum {
	END = -1,
	PROBES = 256, /* a million ordinary names in a table of twice that size need fewer than a hundred */
};

static const char *const known_words[] = {
    "",
#define SPB_WORD(name) #name,
#include "analysis/source/words.inc"
#undef SPB_WORD
};

void spb_text_fails(struct spb_reader *r, const struct spb_token *at, const char *format, ...)
{
	struct spb_text_buffer text = {.arena = r->arena};
	va_list arguments;

	if (r->failure)
		return;
	va_start(arguments, format);
	spb_text_vformat(&text, format, arguments);
	va_end(arguments);
	r->failure = spb_text_end(&text);
	r->failure_line = at ? at->line : 0;
	r->failure_file = at ? at->file : 0;
}

bool spb_spend(struct spb_reader *r, size_t amount, const struct spb_token *at)
{
	r->budget -= (int64_t)amount;
	if (r->budget < 0)
		spb_text_fails(r, at, "its macros and includes expand to too much text");
	return !r->failure;
}

uint16_t spb_file_name(struct spb_reader *r, const char *name)
{
	if (r->names.count && !strcmp(r->names.items[r->names.count - 1], name))
		return (uint16_t)(r->names.count - 1);
	if (r->names.count > UINT16_MAX)
		return UINT16_MAX; /* the line is right, but the name is that of another file */
	SPB_PUSH(r->arena, &r->names, name);
	return (uint16_t)(r->names.count - 1);
}

/* Words */

static uint32_t *find_slot(struct spb_reader *r, const char *bytes, size_t length, uint64_t hash)
{
	for (size_t i = 0; i < PROBES; i++) {
		uint32_t *slot = &r->table[(hash + i) & (r->table_size - 1)];
		const struct spb_word *word = &r->words.items[*slot];
		if (!*slot || (word->hash == hash && word->length == length && !memcmp(word->bytes, bytes, length)))
			return slot;
	}
	return NULL;
}

static bool grow_table(struct spb_reader *r)
{
	r->table_size = r->table_size ? 2 * r->table_size : 1024;
	r->table = spb_alloc_zeroed(r->arena, r->table_size, sizeof *r->table);
	for (size_t i = 1; i < r->words.count; i++) {
		const struct spb_word *word = &r->words.items[i];
		uint32_t *slot = find_slot(r, word->bytes, word->length, word->hash);
		if (!slot)
			return false;
		*slot = (uint32_t)i;
	}
	return true;
}

uint32_t spb_intern(struct spb_reader *r, const char *bytes, size_t length)
{
	uint64_t hash = spb_hash_bytes(0, bytes, length);
	uint32_t *slot = find_slot(r, bytes, length, hash);

	if (slot && *slot)
		return *slot;
	if (!slot || r->words.count > UINT32_MAX / 2 ||
	    (2 * r->words.count > r->table_size && (!grow_table(r) || !(slot = find_slot(r, bytes, length, hash))))) {
		spb_text_fails(r, NULL, "too many of its words have the same hash");
		return 0;
	}
	*slot = (uint32_t)r->words.count;
	SPB_PUSH(r->arena, &r->words, ((struct spb_word){.bytes = bytes, .length = (uint32_t)length, .hash = hash}));
	return *slot;
}

void spb_reader_begin(struct spb_reader *r, struct spb_arena *arena, int64_t budget)
{
	*r = (struct spb_reader){.arena = arena, .budget = budget};
	SPB_PUSH(arena, &r->words, (struct spb_word){.bytes = ""});
	grow_table(r);
	for (size_t i = 1; i < SPB_COUNT(known_words); i++)
		spb_intern(r, known_words[i], strlen(known_words[i]));
	spb_file_name(r, "");
}

/* Bytes */

static bool is_newline(int b)
{
	return b == '\n' || b == '\r';
}

static bool is_digit(int b)
{
	return b >= '0' && b <= '9';
}

static bool is_word_byte(int b)
{
	return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || is_digit(b) || b >= 0x80;
}

static void skip_newline(struct spb_lexer *c)
{
	char first = *c->at++;

	if (c->at < c->end && is_newline(*c->at) && *c->at != first)
		c->at++; /* CR LF is one newline */
	c->line += c->line < UINT32_MAX;
}

static int peek(struct spb_lexer *c)
{
	while (c->end - c->at > 1 && *c->at == '\\' && is_newline(c->at[1])) {
		c->at++;
		skip_newline(c);
	}
	return c->at < c->end ? (unsigned char)*c->at : END;
}

static int peek_second(const struct spb_lexer *c)
{
	struct spb_lexer ahead = *c;

	ahead.at++;
	return peek(&ahead);
}

static void skip_block_comment(struct spb_lexer *c)
{
	c->at++;
	peek(c); /* skips a splice between the two */
	c->at++;
	for (int b, before = 0; (b = peek(c)) != END; before = b) {
		if (is_newline(b))
			skip_newline(c);
		else
			c->at++;
		if (before == '*' && b == '/')
			return;
	}
}

static void skip_line(struct spb_lexer *c)
{
	for (int b; (b = peek(c)) != END && !is_newline(b);)
		c->at++;
}

static void skip_comment(struct spb_lexer *c, bool block)
{
	struct spb_comment comment = {.begin = c->at, .line = c->line, .file = c->file};

	if (block)
		skip_block_comment(c);
	else
		skip_line(c);
	comment.end = c->at;
	if (c->comments)
		SPB_PUSH(c->comments->arena, c->comments, comment);
}

/* Returns whether there was anything. Stops at the newline that ends a directive. */
static bool skip_blanks(struct spb_lexer *c)
{
	bool any = false;

	for (int b;; any = true) {
		b = peek(c);
		if (is_newline(b) && !c->directive) {
			skip_newline(c);
			c->fresh = true;
		} else if (b == ' ' || b == '\t' || b == '\f' || b == '\v') {
			c->at++;
		} else if (b == '/' && peek_second(c) == '/') {
			skip_comment(c, false);
		} else if (b == '/' && peek_second(c) == '*') {
			skip_comment(c, true);
		} else if (b == 0xef && c->end - c->at >= 3 && !memcmp(c->at, "\xef\xbb\xbf", 3)) {
			c->at += 3;
		} else {
			return any;
		}
	}
}

/* Tokens */

/* The bytes from `begin` to the cursor, without splices. */
static void set_bytes(struct spb_reader *r, struct spb_token *t, const char *begin, const struct spb_lexer *c,
		      size_t length)
{
	size_t all = (size_t)(c->at - begin);
	char *copy;

	t->bytes = begin;
	t->length = (uint32_t)length;
	if (all == length)
		return;
	copy = spb_alloc(r->arena, length + 1);
	t->bytes = copy;
	for (struct spb_lexer from = {.at = begin, .end = c->at}; peek(&from) != END && length; length--)
		*copy++ = *from.at++;
}

static void read_word(struct spb_reader *r, struct spb_lexer *c, struct spb_token *t)
{
	const char *begin = c->at;
	bool number = is_digit(*c->at) || *c->at == '.';
	size_t length = 0;

	for (int b; is_word_byte(b = peek(c)) || (number && b == '.'); length++)
		c->at++;
	set_bytes(r, t, begin, c, length);
	t->kind = number ? SPB_TOKEN_NUMBER : SPB_TOKEN_WORD;
	if (!number)
		t->word = spb_intern(r, t->bytes, t->length);
}

static void read_string(struct spb_reader *r, struct spb_lexer *c, struct spb_token *t, int quote)
{
	const char *begin = ++c->at;
	size_t length = 0;
	int b;

	for (; (b = peek(c)) != END && !is_newline(b) && b != quote; length++) {
		c->at++;
		if (b == '\\' && (b = peek(c)) != END && !is_newline(b)) {
			c->at++;
			length++;
		}
	}
	t->kind = SPB_TOKEN_STRING;
	set_bytes(r, t, begin, c, length);
	c->at += b == quote;
}

static bool is_pair(int a, int b)
{
	static const char pairs[][3] = {"&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "##", "::"};

	for (size_t i = 0; i < SPB_COUNT(pairs); i++) {
		if (pairs[i][0] == a && pairs[i][1] == b)
			return true;
	}
	return false;
}

static void read_mark(struct spb_reader *r, struct spb_lexer *c, struct spb_token *t, int b)
{
	const char *begin = c->at;
	int second = peek_second(c);
	bool pair = is_pair(b, second);

	t->kind = SPB_TOKEN_MARK;
	t->mark = (uint16_t)(pair ? b | second << 8 : b);
	c->at++;
	if (pair) {
		peek(c);
		c->at++;
	}
	set_bytes(r, t, begin, c, pair ? 2 : 1);
}

struct spb_token spb_lex(struct spb_reader *r, struct spb_lexer *c)
{
	bool blank = skip_blanks(c);
	struct spb_token t = {.blank = blank, .first = c->fresh, .line = c->line, .file = c->file};
	int b = peek(c);

	c->fresh = false;
	if (b == END || r->failure) {
		t.kind = SPB_TOKEN_END;
	} else if (is_newline(b)) {
		t.kind = SPB_TOKEN_LINE;
		c->fresh = true;
		skip_newline(c);
	} else if (is_word_byte(b) || (b == '.' && is_digit(peek_second(c)))) {
		read_word(r, c, &t);
	} else if (b == '"' || b == '\'') {
		read_string(r, c, &t, b);
	} else {
		read_mark(r, c, &t, b);
	}
	return t;
}
