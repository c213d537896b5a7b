/* SPDX-License-Identifier: Apache-2.0 */
/* macros: #define, and the expansion of what it defines.
 *
 *     #define TEXTURE(n) layout(binding = AUTO) uniform texture2D tex_##n
 *     TEXTURE(a);                    layout ( binding = 65534 ) uniform texture2D tex_a ;
 *
 * As in C (C11 6.10.3): arguments are expanded before they are inserted, unless they stand beside ## (in HLSL, glslang
 * expands these, too), and the name of a macro is not expanded within its own expansion. A token of an expansion has
 * the line of the call.
 *
 * The expansions that are being read are a stack of inputs, not of functions; only arguments recurse, DEPTH deep. */
#include "analysis/source/text.h"

enum { DEPTH = 100, MOST_PARAMETERS = 1000 };

static struct spb_macro *macro_of(const struct spb_reader *r, uint32_t word)
{
	return r->words.items[word].macro;
}

void spb_undefine(struct spb_reader *r, uint32_t word)
{
	r->words.items[word].macro = NULL;
}

/* Reads the parameters from behind the ( ; returns the index of the token after the ). */
static size_t read_parameters(struct spb_reader *r, const struct spb_tokens *line, size_t i, struct spb_macro *macro,
			      uint32_t *words)
{
	for (; i < line->count && !spb_is_mark(&line->items[i], ')'); i++) {
		const struct spb_token *t = &line->items[i];
		bool dot = spb_is_mark(t, '.');
		if (spb_is_mark(t, ',') || (dot && macro->variadic))
			continue;
		if ((!dot && t->kind != SPB_TOKEN_WORD) || macro->parameters == MOST_PARAMETERS) {
			spb_text_fails(r, t, "the parameters of a macro are not understood");
			return line->count;
		}
		macro->variadic = dot;
		words[macro->parameters++] = dot ? spb_intern(r, "__VA_ARGS__", 11) : t->word;
	}
	if (i >= line->count)
		spb_text_fails(r, &line->items[0], "the parameters of a macro have no end");
	return i + 1;
}

/* Fills in which parameter each token is. The words of the parameters are marked for that in passing, so that it takes
 * linear time. */
static void find_parameters(struct spb_reader *r, struct spb_token *body, size_t count, const uint32_t *words,
			    size_t parameters)
{
	uint32_t saved[MOST_PARAMETERS];

	for (size_t i = 0; i < parameters; i++) {
		struct spb_word *word = &r->words.items[words[i]];
		saved[i] = word->type;
		word->type = UINT32_MAX - (uint32_t)i;
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t mark = UINT32_MAX - r->words.items[body[i].word].type;
		body[i].parameter = body[i].word && mark < parameters ? (uint16_t)(mark + 1) : 0;
	}
	for (size_t i = parameters; i-- > 0;)
		r->words.items[words[i]].type = saved[i];
}

void spb_define(struct spb_reader *r, const struct spb_tokens *line)
{
	uint32_t words[MOST_PARAMETERS];
	struct spb_macro *macro;
	struct spb_token *body;
	size_t i = 1;

	if (!line->count || line->items[0].kind != SPB_TOKEN_WORD) {
		spb_text_fails(r, line->count ? line->items : NULL, "#define without a name");
		return;
	}
	macro = spb_alloc_zeroed(r->arena, 1, sizeof *macro);
	macro->function = line->count > 1 && spb_is_mark(&line->items[1], '(') && !line->items[1].blank;
	if (macro->function)
		i = read_parameters(r, line, 2, macro, words);
	if (r->failure)
		return;
	macro->count = line->count - i;
	body = spb_alloc_array(r->arena, macro->count, sizeof *body);
	if (macro->count)
		memcpy(body, line->items + i, macro->count * sizeof *body);
	find_parameters(r, body, macro->count, words, macro->parameters);
	macro->body = body;
	r->words.items[line->items[0].word].macro = macro;
}

void spb_define_text(struct spb_reader *r, const char *text)
{
	struct spb_tokens line = {0};
	struct spb_token t;
	char *copy = spb_copy_text(r->arena, text, strlen(text)), *value = strchr(copy, '=');
	struct spb_lexer c = {.at = copy, .end = copy + strlen(copy), .line = 1, .directive = true};

	if (value)
		*value = ' ';
	while ((t = spb_lex(r, &c)).kind > SPB_TOKEN_LINE)
		SPB_PUSH(r->arena, &line, t);
	spb_define(r, &line);
}

void spb_push_tokens(struct spb_reader *r, const struct spb_tokens *tokens, struct spb_macro *macro, bool barrier)
{
	SPB_PUSH(r->arena, &r->inputs,
		 ((struct spb_input){.tokens = tokens->items ? tokens->items : &r->pushed,
				     .count = tokens->count,
				     .macro = macro,
				     .barrier = barrier}));
	if (macro)
		macro->open = true;
}

struct spb_tokens spb_expand_tokens(struct spb_reader *r, const struct spb_tokens *tokens)
{
	struct spb_tokens expanded = {0};
	struct spb_token t;

	if (++r->depth > DEPTH)
		spb_text_fails(r, tokens->items, "arguments of macros are nested too deeply");
	spb_push_tokens(r, tokens, NULL, true);
	while ((t = spb_expanded_token(r)).kind != SPB_TOKEN_END && spb_spend(r, 1, &t))
		SPB_PUSH(r->arena, &expanded, t);
	while (!r->inputs.items[r->inputs.count - 1].barrier) { /* left by a failure */
		struct spb_macro *macro = r->inputs.items[--r->inputs.count].macro;
		if (macro)
			macro->open = false;
	}
	r->inputs.count--;
	r->depth--;
	return expanded;
}

struct arguments {
	SPB_LIST(struct spb_tokens) raw;
	struct spb_tokens *expanded; /* of each, when it is needed */
	bool *is_expanded;
};

/* Reads the arguments from behind the ( up to the ). */
static bool read_arguments(struct spb_reader *r, const struct spb_macro *macro, struct arguments *a,
			   const struct spb_token *name)
{
	size_t depth = 0;
	struct spb_tokens current = {0};

	for (;;) {
		struct spb_token t = spb_raw_token(r);
		if (t.kind == SPB_TOKEN_END) {
			spb_text_fails(r, name, "the arguments of a macro have no end");
			return false;
		}
		bool rest = macro->variadic && a->raw.count + 1 == macro->parameters;
		if (!depth && (spb_is_mark(&t, ')') || (spb_is_mark(&t, ',') && !rest))) {
			SPB_PUSH(r->arena, &a->raw, current);
			current = (struct spb_tokens){0};
			if (spb_is_mark(&t, ')'))
				break;
			continue;
		}
		depth += spb_is_mark(&t, '(');
		depth -= spb_is_mark(&t, ')');
		if (!spb_spend(r, 1, name))
			return false;
		SPB_PUSH(r->arena, &current, t);
	}
	if (macro->variadic && a->raw.count + 1 == macro->parameters)
		SPB_PUSH(r->arena, &a->raw, current);
	if (!macro->parameters && a->raw.count == 1 && !a->raw.items[0].count)
		a->raw.count = 0;
	if (a->raw.count != macro->parameters) {
		spb_text_fails(r, name, "a macro is called with another number of arguments than it has parameters");
		return false;
	}
	a->expanded = spb_alloc_zeroed(r->arena, a->raw.count, sizeof *a->expanded);
	a->is_expanded = spb_alloc_zeroed(r->arena, a->raw.count, sizeof *a->is_expanded);
	return true;
}

/* a ## b; false: they do not form one token, and stay two. */
static bool paste(struct spb_reader *r, struct spb_token *a, const struct spb_token *b)
{
	size_t length = (size_t)a->length + b->length;
	char *bytes;

	if (!spb_spend(r, length / 8 + 1, a))
		return false;
	bytes = spb_alloc(r->arena, length + 1);
	memcpy(bytes, a->bytes, a->length);
	memcpy(bytes + a->length, b->bytes, b->length);
	bytes[length] = 0;
	struct spb_lexer c = {.at = bytes, .end = bytes + length, .line = a->line, .file = a->file};
	struct spb_token t = spb_lex(r, &c);
	if (c.at != c.end)
		return false;
	t.blank = a->blank;
	*a = t;
	return true;
}

static bool is_paste(const struct spb_macro *macro, size_t i)
{
	return i < macro->count && spb_is_mark(&macro->body[i], SPB_MARK2('#', '#'));
}

/* Adds tokens of the body or of an argument; the first one is pasted to what is there. */
static void add(struct spb_reader *r, struct spb_tokens *to, const struct spb_token *tokens, size_t count,
		bool *pasting, const struct spb_token *call)
{
	for (size_t i = 0; i < count && spb_spend(r, 1, call); i++) {
		struct spb_token t = tokens[i];
		t.line = call->line;
		t.file = call->file;
		t.first = false;
		t.parameter = 0;
		if (!*pasting || !to->count || !paste(r, &to->items[to->count - 1], &t))
			SPB_PUSH(r->arena, to, t);
		*pasting = false;
	}
}

static struct spb_tokens *expanded_argument(struct spb_reader *r, struct arguments *a, size_t i)
{
	if (!a->is_expanded[i])
		a->expanded[i] = spb_expand_tokens(r, &a->raw.items[i]);
	a->is_expanded[i] = true;
	return &a->expanded[i];
}

static struct spb_tokens substitute(struct spb_reader *r, const struct spb_macro *macro, struct arguments *a,
				    const struct spb_token *call)
{
	static const struct spb_token quoted = {.kind = SPB_TOKEN_STRING, .bytes = ""};
	struct spb_tokens result = {0};
	bool pasting = false;

	for (size_t i = 0; i < macro->count && !r->failure; i++) {
		const struct spb_token *t = &macro->body[i];
		if (is_paste(macro, i)) {
			pasting = i > 0 && result.count > 0;
		} else if (spb_is_mark(t, '#') && macro->function && i + 1 < macro->count &&
			   macro->body[i + 1].parameter) {
			add(r, &result, &quoted, 1, &pasting, call);
			i++;
		} else if (!t->parameter) {
			add(r, &result, t, 1, &pasting, call);
		} else {
			bool beside = pasting || is_paste(macro, i + 1), was = pasting;
			const struct spb_tokens *all = beside && !r->expands_pasted
							   ? &a->raw.items[t->parameter - 1]
							   : expanded_argument(r, a, t->parameter - 1u);
			add(r, &result, all->items, all->count, &pasting, call);
			pasting = false;
			if (!all->count && is_paste(macro, i + 1)) { /* a ## nothing ## b: a ## b */
				pasting = was;
				i++;
			}
		}
	}
	return result;
}

/* __LINE__, __FILE__ and __VERSION__ have a value of their own. */
static bool put_builtin(struct spb_reader *r, struct spb_token *t)
{
	struct spb_text_buffer text = {.arena = r->arena};

	if (t->word != SPB_WORD___LINE__ && t->word != SPB_WORD___FILE__ &&
	    !(t->word == SPB_WORD___VERSION__ && r->version))
		return false;
	if (!spb_spend(r, 1, t))
		return false;
	spb_text_number(&text, t->word == SPB_WORD___LINE__ ? t->line : t->word == SPB_WORD___FILE__ ? 0 : r->version);
	t->bytes = spb_text_end(&text);
	t->length = (uint32_t)strlen(t->bytes);
	t->kind = SPB_TOKEN_NUMBER;
	t->word = 0;
	return true;
}

static bool parenthesis_follows(struct spb_reader *r)
{
	struct spb_token t = spb_raw_token(r);

	if (spb_is_mark(&t, '('))
		return true;
	r->pushed = t;
	r->has_pushed = true;
	return false;
}

struct spb_token spb_expanded_token(struct spb_reader *r)
{
	for (;;) {
		struct spb_token t = spb_raw_token(r);
		struct spb_macro *macro = t.kind == SPB_TOKEN_WORD ? macro_of(r, t.word) : NULL;
		struct arguments a = {0};
		if (!macro || t.painted) {
			if (t.kind == SPB_TOKEN_WORD && !t.painted)
				put_builtin(r, &t);
			return t;
		}
		if (macro->open) {
			t.painted = true;
			return t;
		}
		if (macro->function && !parenthesis_follows(r))
			return t;
		if (macro->function && !read_arguments(r, macro, &a, &t))
			continue; /* the text has failed: the next token is its end */
		struct spb_tokens result = substitute(r, macro, &a, &t);
		if (!r->failure)
			spb_push_tokens(r, &result, macro, false);
	}
}
