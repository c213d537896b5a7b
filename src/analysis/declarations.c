/* SPDX-License-Identifier: Apache-2.0 */
/* declarations: a tokenizer for GLSL and HLSL that knows just enough to tell which identifiers are declared at
 * global scope, and in which order.
 *
 * Why not a front end: the text a module carries may be of either language, preprocessed or not, of a dialect
 * newer than any compiler at hand, or cut off. A name counts as declared where, at depth 0, it follows another
 * identifier of its statement and is followed by one of ; , = : [ (a variable), or by { after a block keyword
 * (the name of a block). Bodies, parameters, array sizes, initialisers and preprocessor lines are stepped over. Of
 * both branches of an #if the first declaration counts. */
#include <stdbool.h>
#include <string.h>

#include "analysis/declarations.h"
#include "base/base.h"

enum { LONGEST = 255, END = -1 };

struct cursor {
	const struct spb_text *pieces;
	size_t piece_count, piece, byte;
	uint64_t offset;
};

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_MARK };

struct token {
	enum token_kind kind;
	uint64_t offset;
	char mark;
	size_t length; /* of a word; over LONGEST: too long to be asked for */
	char word[LONGEST + 1];
};

struct search {
	struct cursor c;
	bool line_start; /* only blanks since the newline */
	const struct spb_name *names;
	size_t count;
	uint64_t *order;
	uint32_t *table;
	size_t mask;
	struct token name; /* the last word, which may be a declared name */
	struct token token;
};

static int peek_at(const struct cursor *c, size_t ahead)
{
	size_t piece = c->piece, byte = c->byte;

	for (; piece < c->piece_count; piece++, byte = 0) {
		size_t left = c->pieces[piece].length - byte;
		if (ahead < left)
			return (unsigned char)c->pieces[piece].bytes[byte + ahead];
		ahead -= left;
	}
	return END;
}

/* To the piece that has the next byte; there may be empty ones. */
static void settle(struct cursor *c)
{
	while (c->piece < c->piece_count && c->byte == c->pieces[c->piece].length) {
		c->piece++;
		c->byte = 0;
	}
}

static int peek(struct cursor *c)
{
	settle(c);
	return c->piece < c->piece_count ? (unsigned char)c->pieces[c->piece].bytes[c->byte] : END;
}

static void advance(struct cursor *c)
{
	settle(c);
	c->byte++;
	c->offset++;
}

static bool is_word(int b)
{
	return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || (b >= '0' && b <= '9') || b >= 0x80;
}

static void skip_line(struct cursor *c)
{
	for (int b; (b = peek(c)) != END && b != '\n'; advance(c)) {
		if (b == '\\' && peek_at(c, 1) == '\n')
			advance(c);
		else if (b == '\\' && peek_at(c, 1) == '\r' && peek_at(c, 2) == '\n') {
			advance(c);
			advance(c);
		}
	}
}

static void skip_block_comment(struct cursor *c)
{
	advance(c);
	advance(c);
	while (peek(c) != END && !(peek(c) == '*' && peek_at(c, 1) == '/'))
		advance(c);
	if (peek(c) != END) {
		advance(c);
		advance(c);
	}
}

static void skip_quoted(struct cursor *c, int quote)
{
	advance(c);
	for (int b; (b = peek(c)) != END && b != quote && b != '\n'; advance(c)) {
		if (b == '\\' && peek_at(c, 1) != END)
			advance(c);
	}
	if (peek(c) == quote)
		advance(c);
}

/* A preprocessor line; a comment that begins on it may end on a later one. */
static void skip_directive(struct cursor *c)
{
	for (int b; (b = peek(c)) != END && b != '\n';) {
		if (b == '/' && peek_at(c, 1) == '*') {
			skip_block_comment(c);
		} else if (b == '/' && peek_at(c, 1) == '/') {
			skip_line(c);
		} else {
			if (b == '\\' && peek_at(c, 1) != END)
				advance(c);
			advance(c);
		}
	}
}

/* Blanks, comments, strings, preprocessor lines and line splices are no tokens. */
static int skip_blanks(struct search *s)
{
	struct cursor *c = &s->c;

	for (;;) {
		int b = peek(c);
		if (b == '\n') {
			s->line_start = true;
			advance(c);
		} else if (b == ' ' || b == '\t' || b == '\r' || b == '\f' || b == '\v' || b == '\\') {
			advance(c);
		} else if (b == '/' && peek_at(c, 1) == '/') {
			skip_line(c);
		} else if (b == '/' && peek_at(c, 1) == '*') {
			skip_block_comment(c);
		} else if (b == '#' && s->line_start) {
			skip_directive(c);
		} else if (b == '"' || b == '\'') {
			skip_quoted(c, b);
		} else {
			return b;
		}
	}
}

static void next_token(struct search *s)
{
	struct token *t = &s->token;
	int b = skip_blanks(s);

	s->line_start = false;
	t->offset = s->c.offset;
	if (b == END) {
		t->kind = TOKEN_END;
		return;
	}
	if (!is_word(b)) {
		t->kind = TOKEN_MARK;
		t->mark = (char)b;
		advance(&s->c);
		return;
	}
	t->kind = b >= '0' && b <= '9' ? TOKEN_NUMBER : TOKEN_WORD;
	t->length = 0;
	for (; is_word(b = peek(&s->c)); advance(&s->c)) {
		if (t->length < LONGEST)
			t->word[t->length] = (char)b;
		t->length++;
	}
}

static bool is_mark(const struct token *t, char mark)
{
	return t->kind == TOKEN_MARK && t->mark == mark;
}

static bool is_keyword(const struct token *t, const char *word)
{
	return t->kind == TOKEN_WORD && t->length == strlen(word) && !memcmp(t->word, word, t->length);
}

static struct spb_name last_part(struct spb_name name)
{
	for (size_t i = name.length; i > 0; i--) {
		if (name.bytes[i - 1] == '.' || name.bytes[i - 1] == ':')
			return (struct spb_name){name.bytes + i, name.length - i};
	}
	return name;
}

static size_t slot_of(const struct search *s, const char *bytes, size_t length)
{
	size_t h = (size_t)spb_hash_bytes(0, bytes, length) & s->mask;

	for (; s->table[h]; h = (h + 1) & s->mask) {
		struct spb_name name = last_part(s->names[s->table[h] - 1]);
		if (name.length == length && !memcmp(name.bytes, bytes, length))
			break;
	}
	return h;
}

static void declare(struct search *s, const struct token *t)
{
	if (t->length > LONGEST)
		return;
	uint32_t found = s->table[slot_of(s, t->word, t->length)];
	if (found && !s->order[found - 1])
		s->order[found - 1] = t->offset + 1;
}

/* From an opening bracket (the current token) to behind the one that closes it. */
static void skip_brackets(struct search *s)
{
	size_t depth = 0;

	do {
		const struct token *t = &s->token;
		if (is_mark(t, '(') || is_mark(t, '[') || is_mark(t, '{'))
			depth++;
		else if (is_mark(t, ')') || is_mark(t, ']') || is_mark(t, '}'))
			depth--;
		next_token(s);
	} while (depth && s->token.kind != TOKEN_END);
}

/* Template arguments, Texture2D<float4>: behind a word at global scope a < is nothing else. */
static void skip_angles(struct search *s)
{
	size_t depth = 0;

	do {
		if (is_mark(&s->token, '<'))
			depth++;
		else if (is_mark(&s->token, '>'))
			depth--;
		if (is_mark(&s->token, ';') || is_mark(&s->token, '{'))
			return; /* it was something else */
		next_token(s);
	} while (depth && s->token.kind != TOKEN_END);
}

/* An initialiser, or a register and its arguments: up to the , or ; that ends the declarator, or the { of a cbuffer. */
static void skip_declarator_rest(struct search *s, bool braces)
{
	while (s->token.kind != TOKEN_END && !is_mark(&s->token, ',') && !is_mark(&s->token, ';')) {
		if (is_mark(&s->token, '(') || is_mark(&s->token, '[') || (braces && is_mark(&s->token, '{')))
			skip_brackets(s);
		else if (is_mark(&s->token, '{') || is_mark(&s->token, '}'))
			return;
		else
			next_token(s);
	}
}

struct statement {
	size_t words;    /* seen so far                                            */
	bool parameters; /* a ( ) behind a word: a function, or layout(...)        */
	bool aggregate;  /* struct, enum: the word before { names a type           */
	bool space;      /* namespace: what is in its braces is global too         */
};

/* A { at depth 0. Returns whether the statement goes on behind the }. */
static bool open_brace(struct search *s, const struct statement *st)
{
	if (st->space) {
		next_token(s);
		return false;
	}
	bool block = st->words >= 2 && !st->parameters;
	if (block && !st->aggregate)
		declare(s, &s->name);
	skip_brackets(s);
	return block || (st->aggregate && !st->parameters);
}

static void statement(struct search *s)
{
	struct statement st = {0};

	while (s->token.kind != TOKEN_END) {
		struct token *t = &s->token;
		if (t->kind == TOKEN_WORD) {
			st.aggregate |= is_keyword(t, "struct") || is_keyword(t, "enum") || is_keyword(t, "class") ||
					is_keyword(t, "interface");
			st.space |= is_keyword(t, "namespace");
			if (is_keyword(t, "layout") || is_keyword(t, "spirv_instruction")) {
				next_token(s);
				if (is_mark(&s->token, '('))
					skip_brackets(s);
				continue;
			}
			st.words++;
			s->name = *t;
			next_token(s);
			if (is_mark(&s->token, '<'))
				skip_angles(s);
		} else if (is_mark(t, ';') || is_mark(t, '}')) {
			if (st.words >= 2 && !st.parameters)
				declare(s, &s->name);
			next_token(s);
			return;
		} else if (is_mark(t, ',') || is_mark(t, '=') || is_mark(t, ':')) {
			bool cut = is_mark(t, ':');
			if (st.words >= 2 && !st.parameters)
				declare(s, &s->name);
			if (!is_mark(t, ',')) {
				next_token(s);
				skip_declarator_rest(s, !cut);
			} else {
				next_token(s);
			}
			if (is_mark(&s->token, ';')) { /* declared already */
				next_token(s);
				return;
			}
			if (is_mark(&s->token, ','))
				next_token(s);
		} else if (is_mark(t, '{')) {
			if (!open_brace(s, &st))
				return;
			st = (struct statement){.words = 1};
			s->name.length = LONGEST + 1; /* no name yet */
		} else if (is_mark(t, '(')) {
			st.parameters = true;
			skip_brackets(s);
		} else if (is_mark(t, '[')) {
			skip_brackets(s);
		} else {
			next_token(s);
		}
	}
}

size_t spb_declarations_table_size(size_t count)
{
	size_t size = 16;

	while (size < 2 * count)
		size *= 2;
	return size;
}

size_t spb_find_declarations(const struct spb_text *pieces, size_t piece_count, const struct spb_name *names,
			     size_t count, uint64_t *order, uint32_t *table)
{
	struct search s = {
	    .c = {.pieces = pieces, .piece_count = piece_count},
	    .line_start = true,
	    .names = names,
	    .count = count,
	    .order = order,
	    .table = table,
	    .mask = spb_declarations_table_size(count) - 1,
	};
	size_t found = 0;

	memset(table, 0, (s.mask + 1) * sizeof *table);
	for (size_t i = 0; i < count; i++) {
		struct spb_name name = last_part(names[i]);
		order[i] = 0;
		if (!name.length)
			continue;
		size_t h = slot_of(&s, name.bytes, name.length);
		if (!table[h])
			table[h] = (uint32_t)i + 1;
	}
	next_token(&s);
	while (s.token.kind != TOKEN_END)
		statement(&s);
	for (size_t i = 0; i < count; i++) { /* equal names share the place of the first */
		struct spb_name name = last_part(names[i]);
		if (name.length)
			order[i] = order[table[slot_of(&s, name.bytes, name.length)] - 1];
		found += order[i] != 0;
	}
	return found;
}
