/* SPDX-License-Identifier: Apache-2.0 */
/* declarations: a tokenizer for GLSL and HLSL that understands just enough to tell which identifiers are declared at
 * global scope, and in which order.
 *
 *     LAYOUT(0) uniform texture2D zeta, alpha[COUNT];            zeta, alpha
 *     layout(set = 0) readonly buffer Block { uint n; } inst;    Block, inst
 *     cbuffer Frame : register(b0) { float4 x; }                 Frame
 *     namespace N { Texture2D<float4> t : register(t0); }        t
 *     vec4 f(sampler2D parameter) { int local; ... }             nothing
 *
 * Why not a front end: the text in a module may be in either language, preprocessed or not (so that macros stand in
 * place of qualifiers), in a dialect newer than any compiler at hand, or truncated. A name counts as declared if,
 * outside all brackets, it follows another word of its statement and is followed by one of ; , = : or array sizes and
 * one of these (a variable), or by { (a block). Bodies, parameters, array sizes, initializers, template arguments and
 * preprocessor lines are skipped.
 *
 * Both branches of an #if are read, and the first declaration counts. Each branch starts at the brace depth of the #if;
 * otherwise a function with two heads and one tail would hide everything after it.
 *
 * Not found: what only a macro declares, as in TEXTURE2D(t), and what an #include contains.
 *
 * Hostile text: nothing recurses, and no byte is read more than a few times. Of names crafted to share a hash only the
 * first PROBES are kept; the others are not found, and the time stays linear. */
#include <stdbool.h>
#include <string.h>

#include "analysis/source/declarations.h"

enum {
	END = -1,
	SCOPE = 1,       /* the token :: */
	HEAD = 12,       /* bytes of a word that are kept, enough for any keyword */
	CONDITIONS = 64, /* nested #ifs whose depth is kept; deeper ones are only counted */
	PROBES = 256,    /* a million ordinary names in a table of twice that size need less than a hundred */
};

struct cursor {
	const struct spb_text *piece, *end;
	size_t byte; /* in *piece; may equal its length */
	uint64_t offset;
};

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_MARK };

struct token {
	enum token_kind kind;
	char mark;
	char head[HEAD]; /* of a word, zero-padded */
	size_t length;   /* of the word, without line splices */
	uint64_t hash;
	struct cursor start; /* its first byte */
};

struct condition {
	size_t open;  /* brace depth at the #if */
	size_t least; /* least depth at the end of the branches so far */
};

struct search {
	struct cursor c;
	bool line_start; /* only blanks since the newline */
	size_t depth;    /* open braces around the token that hide their contents */
	size_t condition_count;
	struct condition condition[CONDITIONS];
	const struct spb_name *names;
	uint64_t *order;
	uint32_t *table; /* name + 1 */
	size_t mask;
	struct token token;
};

struct statement {
	size_t words;      /* seen so far */
	size_t run;        /* of these, since the last ) */
	bool named;        /* `name` is declared if the right token follows */
	bool type_follows; /* after struct: the next word names a type */
	bool function;     /* a ) after two words: a { begins a body, which ends the statement */
	bool storage;      /* uniform, buffer: not a function, whatever macros surround it */
	bool closed;       /* cbuffer: the } ends the statement */
	bool space;        /* namespace: the contents of its braces are global, too */
	bool alias;        /* typedef, using: declares a type */
	bool place;        /* [[vk::binding(...)]] precedes it */
	uint64_t *last;    /* order of the last declaration */
	struct token name;
};

/* The cursor: bytes over all pieces, without line splices. */

static int raw_byte(struct cursor *c)
{
	for (; c->piece != c->end; c->piece++, c->byte = 0) {
		if (c->byte < c->piece->length)
			return (unsigned char)c->piece->bytes[c->byte];
	}
	return END;
}

static void step(struct cursor *c)
{
	c->byte++;
	c->offset++;
}

static bool is_newline(int b)
{
	return b == '\n' || b == '\r';
}

static int peek(struct cursor *c)
{
	int b;

	while ((b = raw_byte(c)) == '\\') {
		struct cursor ahead = *c;
		step(&ahead);
		int first = raw_byte(&ahead);
		if (!is_newline(first))
			break;
		step(&ahead);
		int second = raw_byte(&ahead);
		if (is_newline(second) && second != first)
			step(&ahead); /* CR LF is one newline */
		*c = ahead;
	}
	return b;
}

static bool looking_at(const struct cursor *c, const char *text)
{
	struct cursor ahead = *c;

	for (; *text; text++, step(&ahead)) {
		if (peek(&ahead) != (unsigned char)*text)
			return false;
	}
	return true;
}

/* Tokens */

static bool is_word_byte(int b)
{
	return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || (b >= '0' && b <= '9') || b >= 0x80;
}

static bool is_digit(int b)
{
	return b >= '0' && b <= '9';
}

static void skip_line(struct cursor *c)
{
	for (int b; (b = peek(c)) != END && !is_newline(b);)
		step(c);
}

static void skip_block_comment(struct cursor *c)
{
	step(c);
	peek(c); /* skips a splice between the two */
	step(c);
	for (int b, before = 0; (b = peek(c)) != END; before = b) {
		step(c);
		if (before == '*' && b == '/')
			return;
	}
}

/* Ends with its line at the latest, because an apostrophe in a disabled branch is not a quote. */
static void skip_quoted(struct cursor *c, int quote)
{
	step(c);
	for (int b; (b = peek(c)) != END && !is_newline(b);) {
		step(c);
		if (b == quote)
			return;
		if (b == '\\' && (b = peek(c)) != END && !is_newline(b))
			step(c);
	}
}

static struct token read_word(struct cursor *c)
{
	struct token t = {.kind = TOKEN_WORD, .hash = UINT64_C(0xcbf29ce484222325)};

	if (is_digit(peek(c)))
		t.kind = TOKEN_NUMBER;
	t.start = *c;
	for (int b; is_word_byte(b = peek(c)); step(c)) {
		if (t.length < HEAD)
			t.head[t.length] = (char)b;
		t.length++;
		t.hash = (t.hash ^ (uint64_t)b) * UINT64_C(0x100000001b3); /* FNV-1a */
	}
	t.hash = (t.hash ^ (t.hash >> 32)) * UINT64_C(0xd6e8feb86659fd93); /* the low bits choose the slot */
	t.hash ^= t.hash >> 32;
	return t;
}

static bool is_mark(const struct token *t, char mark)
{
	return t->kind == TOKEN_MARK && t->mark == mark;
}

static bool is_keyword(const struct token *t, const char *word)
{
	size_t length = strlen(word); /* less than HEAD */

	return t->kind == TOKEN_WORD && t->length == length && !memcmp(t->head, word, length);
}

/* Every branch of an #if begins at the same brace depth. After it, the least depth at which a branch ended holds, since
 * leaving a body too early does less harm than taking the rest of the text for a body. */
static void follow_condition(struct search *s, const struct token *directive)
{
	bool starts = is_keyword(directive, "if") || is_keyword(directive, "ifdef") || is_keyword(directive, "ifndef");
	bool ends = is_keyword(directive, "endif");
	bool turns = is_keyword(directive, "else") || is_keyword(directive, "elif") ||
		     is_keyword(directive, "elifdef") || is_keyword(directive, "elifndef");

	if (starts) {
		if (s->condition_count < CONDITIONS)
			s->condition[s->condition_count] = (struct condition){s->depth, SIZE_MAX};
		s->condition_count++;
	} else if ((ends || turns) && s->condition_count) {
		struct condition *condition =
		    s->condition_count <= CONDITIONS ? &s->condition[s->condition_count - 1] : NULL;
		if (condition && s->depth < condition->least)
			condition->least = s->depth;
		if (condition)
			s->depth = turns ? condition->open : condition->least;
		s->condition_count -= ends;
	}
}

/* A preprocessor line; a comment that begins on it may end on a later one. */
static void skip_directive(struct search *s)
{
	struct cursor *c = &s->c;
	bool named = false;

	step(c); /* the # */
	for (int b; (b = peek(c)) != END && !is_newline(b);) {
		if (looking_at(c, "//")) {
			skip_line(c);
		} else if (looking_at(c, "/*")) {
			skip_block_comment(c);
		} else if (b == '"') {
			skip_quoted(c, b);
		} else if (is_word_byte(b)) {
			struct token word = read_word(c);
			if (!named)
				follow_condition(s, &word);
			named = true;
		} else {
			step(c);
		}
	}
}

/* Blanks, comments, strings, preprocessor lines and a byte order mark are not tokens. */
static int skip_blanks(struct search *s)
{
	struct cursor *c = &s->c;

	for (int b;;) {
		b = peek(c);
		if (is_newline(b)) {
			s->line_start = true;
			step(c);
		} else if (b == ' ' || b == '\t' || b == '\f' || b == '\v') {
			step(c);
		} else if (b == '/' && looking_at(c, "//")) {
			skip_line(c);
		} else if (b == '/' && looking_at(c, "/*")) {
			skip_block_comment(c);
		} else if (b == '#' && s->line_start) {
			skip_directive(s);
		} else if (b == '"' || b == '\'') {
			s->line_start = false;
			skip_quoted(c, b);
		} else if (b == 0xef && looking_at(c, "\xef\xbb\xbf")) {
			for (int i = 0; i < 3; i++, peek(c))
				step(c);
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
	if (b == END) {
		t->kind = TOKEN_END;
	} else if (is_word_byte(b)) {
		*t = read_word(&s->c);
	} else {
		bool scope = b == ':' && looking_at(&s->c, "::");
		t->kind = TOKEN_MARK;
		t->mark = scope ? SCOPE : (char)b;
		step(&s->c);
		if (scope) {
			peek(&s->c); /* skips a splice */
			step(&s->c);
		}
	}
}

/* Names */

/* Is the last part of NAME the word T? */
static bool spells(struct token *t, struct spb_name name)
{
	struct cursor c = t->start;
	size_t rest = name.length - t->length;

	if (name.length < t->length)
		return false;
	if (rest && name.bytes[rest - 1] != '.' && !(rest > 1 && !memcmp(name.bytes + rest - 2, "::", 2)))
		return false;
	for (size_t i = rest; i < name.length; i++, step(&c)) {
		if (peek(&c) != (unsigned char)name.bytes[i])
			return false;
	}
	return true;
}

static uint32_t *find_slot(const struct search *s, struct token *t)
{
	for (size_t i = 0; i < PROBES; i++) {
		uint32_t *slot = &s->table[(t->hash + i) & s->mask];
		if (!*slot || spells(t, s->names[*slot - 1]))
			return slot;
	}
	return NULL;
}

#define SAME_AS (UINT64_C(1) << 63) /* order: | the first name that is equal; larger than any offset */

static void add_name(struct search *s, size_t i)
{
	struct spb_name name = s->names[i];
	size_t start = name.length;

	s->order[i] = 0;
	while (start && is_word_byte((unsigned char)name.bytes[start - 1]))
		start--;
	if (start == name.length || is_digit((unsigned char)name.bytes[start]))
		return;
	struct spb_text text = {name.bytes + start, name.length - start};
	struct cursor c = {.piece = &text, .end = &text + 1};
	struct token t = read_word(&c);
	if (!spells(&t, name)) /* $Global */
		return;
	uint32_t *slot = find_slot(s, &t);
	if (slot && *slot)
		s->order[i] = SAME_AS | (*slot - 1);
	else if (slot)
		*slot = (uint32_t)i + 1;
}

static void declare(struct search *s, struct statement *st)
{
	st->last = NULL;
	if (!st->named)
		return;
	const uint32_t *slot = find_slot(s, &st->name);
	if (slot && *slot && !s->order[*slot - 1]) {
		st->last = &s->order[*slot - 1];
		*st->last = (st->name.start.offset + 1) | (st->place ? SPB_DECLARED_PLACE : 0);
	}
	st->named = false;
}

/* Statements */

/* Skips to the token after the } of what is open. */
static void skip_hidden(struct search *s)
{
	while (s->depth && s->token.kind != TOKEN_END) {
		if (is_mark(&s->token, '{'))
			s->depth++;
		else if (is_mark(&s->token, '}'))
			s->depth--;
		next_token(s);
	}
}

static void skip_braces(struct search *s)
{
	s->depth++;
	next_token(s);
	skip_hidden(s);
}

/* Skips from ( or [ to the token after its end. It cannot contain ; or }: at one of these, the end is missing. Returns
 * whether it contains the word `binding`. */
static bool skip_group(struct search *s)
{
	size_t depth = 0;
	bool binding = false;

	do {
		const struct token *t = &s->token;
		binding |= is_keyword(t, "binding");
		if (is_mark(t, '{')) {
			skip_braces(s);
			continue;
		}
		if (is_mark(t, ';') || is_mark(t, '}'))
			break;
		if (is_mark(t, '(') || is_mark(t, '['))
			depth++;
		else if (is_mark(t, ')') || is_mark(t, ']'))
			depth--;
		next_token(s);
	} while (depth && s->token.kind != TOKEN_END);
	return binding;
}

/* Template arguments, as in Texture2D<float4>. False: it was something else, t < string note = "of an effect file";
 * >. */
static bool skip_angles(struct search *s)
{
	size_t depth = 0;

	do {
		const struct token *t = &s->token;
		if (is_mark(t, '(') || is_mark(t, '[')) {
			skip_group(s);
			continue;
		}
		if (is_mark(t, ';') || is_mark(t, '{') || is_mark(t, '}'))
			return false;
		if (is_mark(t, '<'))
			depth++;
		else if (is_mark(t, '>'))
			depth--;
		next_token(s);
	} while (depth && s->token.kind != TOKEN_END);
	return !depth;
}

/* What follows = or :, up to the end of the declarator; after : a { belongs to a block or a body. */
static void skip_declarator_rest(struct search *s, bool braces, uint64_t *order)
{
	while (s->token.kind != TOKEN_END) {
		const struct token *t = &s->token;
		if (order && is_keyword(t, "register"))
			*order |= SPB_DECLARED_PLACE;
		if (is_mark(t, ',') || is_mark(t, ';') || is_mark(t, '}') || (is_mark(t, '{') && !braces))
			return;
		if (is_mark(t, '{'))
			skip_braces(s);
		else if (is_mark(t, '(') || is_mark(t, '['))
			skip_group(s);
		else
			next_token(s);
	}
}

static void take_word(struct search *s, struct statement *st)
{
	const struct token *t = &s->token;
	bool type = is_keyword(t, "struct") || is_keyword(t, "class") || is_keyword(t, "enum") ||
		    is_keyword(t, "interface") || is_keyword(t, "union");
	bool operation = is_keyword(t, "operator");

	if (is_keyword(t, "layout")) { /* layout(set = 0) uniform; concerns uniform, and declares none */
		next_token(s);
		return;
	}
	st->space |= is_keyword(t, "namespace");
	st->alias |= is_keyword(t, "typedef") || is_keyword(t, "using");
	st->storage |= is_keyword(t, "uniform") || is_keyword(t, "buffer");
	st->closed |= is_keyword(t, "cbuffer") || is_keyword(t, "tbuffer");
	st->named = st->words && !type && !st->type_follows && !st->alias && !st->space;
	st->type_follows = type;
	st->name = *t;
	st->words++;
	st->run++;
	next_token(s);
	while (operation && s->token.kind == TOKEN_MARK && !is_mark(&s->token, '(') && !is_mark(&s->token, ';'))
		next_token(s); /* operator==( */
	if (is_mark(&s->token, '<') && skip_angles(s))
		st->named = false;
}

static void take_parentheses(struct search *s, struct statement *st)
{
	st->function |= st->run >= 2;
	st->run = 0;
	st->named = false;
	skip_group(s);
}

/* A { outside all others. Returns whether the statement continues after its }. */
static bool take_braces(struct search *s, struct statement *st)
{
	bool body = st->function && !st->storage && st->run < 2;

	if (st->space) {
		next_token(s);
		return false;
	}
	if (!body)
		declare(s, st);
	skip_braces(s);
	if (body || st->closed)
		return false;
	*st = (struct statement){.words = 1, .run = 1, .alias = st->alias};
	return true;
}

/* Any other punctuation. Returns whether the statement continues after it. */
static bool take_mark(struct search *s, struct statement *st)
{
	char mark = s->token.mark;

	if (mark == ';' || mark == ',' || mark == '=' || mark == ':')
		declare(s, st);
	st->named = false;
	next_token(s);
	if (mark == '=' || mark == ':')
		skip_declarator_rest(s, mark == '=', mark == ':' ? st->last : NULL);
	return mark != ';' && mark != '}';
}

static void statement(struct search *s)
{
	struct statement st = {0};
	bool more = true;

	while (more && s->token.kind != TOKEN_END) {
		const struct token *t = &s->token;
		if (s->depth) { /* an #else in a body that the other branch has closed */
			skip_hidden(s);
			more = false;
		} else if (t->kind == TOKEN_WORD) {
			take_word(s, &st);
		} else if (is_mark(t, '(')) {
			take_parentheses(s, &st);
		} else if (is_mark(t, '[')) {
			st.place |= skip_group(s);
		} else if (is_mark(t, '{')) {
			more = take_braces(s, &st);
		} else if (t->kind == TOKEN_MARK) {
			more = take_mark(s, &st);
		} else {
			next_token(s);
		}
	}
}

size_t spb_declarations_table_size(size_t count)
{
	size_t size = 16;

	while (size / 2 < count)
		size *= 2;
	return size;
}

size_t spb_find_declarations(const struct spb_text *pieces, size_t piece_count, const struct spb_name *names,
			     size_t count, uint64_t *order, uint32_t *table)
{
	struct search s = {
	    .c = {.piece = pieces, .end = piece_count ? pieces + piece_count : pieces},
	    .line_start = true,
	    .names = names,
	    .order = order,
	    .table = table,
	    .mask = spb_declarations_table_size(count) - 1,
	};
	size_t found = 0;

	memset(table, 0, (s.mask + 1) * sizeof *table);
	for (size_t i = 0; i < count; i++)
		add_name(&s, i);
	next_token(&s);
	while (s.token.kind != TOKEN_END)
		statement(&s);
	for (size_t i = 0; i < count; i++) {
		if (order[i] & SAME_AS)
			order[i] = order[order[i] & ~SAME_AS];
		found += order[i] != 0;
	}
	return found;
}
