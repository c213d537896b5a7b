/* SPDX-License-Identifier: Apache-2.0 */
/* macros: #define, the expansion of macros, and those that glslang defines before it reads a text.
 *
 *     #define TEXTURE(n) layout(binding = AUTO) uniform texture2D tex_##n
 *     TEXTURE(a);                    layout ( binding = 65534 ) uniform texture2D tex_a ;
 *
 * As in C (C11 6.10.3): arguments are expanded before they are inserted, unless they are operands of ## (in HLSL,
 * glslang expands these, too), and the name of a macro is not expanded within its own expansion. A token of an
 * expansion has the line of the call.
 *
 * The expansions in progress are a stack of inputs, not of C functions; only arguments recurse, up to DEPTH levels. */
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

/* Reads the parameters from after the ( ; returns the index of the token after the ). */
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

/* Records which parameter each token is. The words of the parameters are marked meanwhile, which takes linear time. */
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
	for (size_t k = 0; k < macro->count; k++)
		macro->pastes |= spb_is_mark(&body[k], SPB_MARK2('#', '#'));
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

static void push_tokens(struct spb_reader *r, const struct spb_token *tokens, size_t count, struct spb_macro *macro,
			const struct spb_token *call)
{
	SPB_PUSH(r->arena, &r->inputs,
		 ((struct spb_input){
		     .tokens = tokens,
		     .count = count,
		     .macro = macro,
		     .placed = call != NULL,
		     .line = call ? call->line : 0,
		     .file = call ? call->file : 0,
		     .barrier = !macro,
		 }));
	if (macro)
		macro->open = true;
}

struct spb_range spb_expand_tokens(struct spb_reader *r, const struct spb_token *tokens, size_t count)
{
	struct spb_range expanded = {.first = r->pool.count, .known = true};
	struct spb_token t;

	if (!count)
		return expanded;
	if (++r->depth > DEPTH)
		spb_text_fails(r, tokens, "arguments of macros are nested too deeply");
	push_tokens(r, tokens, count, NULL, NULL);
	while ((t = spb_expanded_token(r)).kind != SPB_TOKEN_END && spb_spend(r, 1, &t))
		SPB_PUSH(r->arena, &r->pool, t);
	while (!r->inputs.items[r->inputs.count - 1].barrier) { /* left by a failure */
		struct spb_macro *macro = r->inputs.items[--r->inputs.count].macro;
		if (macro)
			macro->open = false;
	}
	r->inputs.count--;
	r->depth--;
	expanded.count = r->pool.count - expanded.first;
	return expanded;
}

/* Tokens that are being read must not move with the pool. */
struct spb_range spb_expand_range(struct spb_reader *r, struct spb_range tokens)
{
	struct spb_token *copy;

	if (!tokens.count || !spb_spend(r, tokens.count, &r->pool.items[tokens.first]))
		return (struct spb_range){.first = r->pool.count, .known = true};
	copy = spb_alloc_array(r->arena, tokens.count, sizeof *copy);
	memcpy(copy, r->pool.items + tokens.first, tokens.count * sizeof *copy);
	return spb_expand_tokens(r, copy, tokens.count);
}

/* A call: its arguments are ranges of the pool, as they are and expanded. */
struct call {
	const struct spb_macro *macro;
	const struct spb_token *name;
	size_t raw, expanded; /* in `ranges`; for each parameter */
};

static void end_argument(struct spb_reader *r, size_t first)
{
	SPB_PUSH(r->arena, &r->ranges, ((struct spb_range){first, r->pool.count - first, true}));
}

/* Reads the arguments from after the ( up to the ). */
static void read_arguments(struct spb_reader *r, struct call *call)
{
	const size_t parameters = call->macro->parameters;
	size_t depth = 0, first = r->pool.count, count = 0;

	call->raw = r->ranges.count;
	for (;;) {
		struct spb_token t = spb_raw_token(r);
		if (t.kind == SPB_TOKEN_END) {
			spb_text_fails(r, call->name, "the arguments of a macro have no end");
			return;
		}
		bool rest = call->macro->variadic && count + 1 == parameters, end = spb_is_mark(&t, ')');
		if (!depth && (end || (spb_is_mark(&t, ',') && !rest))) {
			end_argument(r, first);
			first = r->pool.count;
			count++;
			if (end)
				break;
			continue;
		}
		depth += spb_is_mark(&t, '(');
		depth -= end;
		if (!spb_spend(r, 1, call->name))
			return;
		SPB_PUSH(r->arena, &r->pool, t);
	}
	if (call->macro->variadic && count + 1 == parameters) {
		end_argument(r, first);
		count++;
	}
	if (count != parameters && !(parameters == 0 && count == 1 && !r->ranges.items[call->raw].count))
		spb_text_fails(r, call->name,
			       "a macro is called with another number of arguments than it has parameters");
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
	if (c.at != c.end || t.kind <= SPB_TOKEN_LINE)
		return false;
	t.blank = a->blank;
	*a = t;
	return true;
}

static bool is_paste(const struct spb_macro *macro, size_t i)
{
	return i < macro->count && spb_is_mark(&macro->body[i], SPB_MARK2('#', '#'));
}

/* Appends a token to the tokens from `first` on in the pool, or pastes it to the last of them. */
static void add(struct spb_reader *r, size_t first, struct spb_token t, bool *pasting, const struct spb_token *call)
{
	if (!spb_spend(r, 1, call))
		return;
	t.line = call->line;
	t.file = call->file;
	if (!*pasting || r->pool.count == first || !paste(r, &r->pool.items[r->pool.count - 1], &t))
		SPB_PUSH(r->arena, &r->pool, t);
	*pasting = false;
}

/* Must an argument be expanded for this token of the body? */
static bool wants_expanded(const struct spb_reader *r, const struct spb_macro *macro, size_t i)
{
	bool beside = (i && is_paste(macro, i - 1)) || is_paste(macro, i + 1);

	return macro->body[i].parameter && (!beside || r->expands_pasted);
}

/* Runs before the expansion of the call begins at the end of the pool. */
static void expand_arguments(struct spb_reader *r, struct call *call)
{
	const struct spb_macro *macro = call->macro;

	call->expanded = r->ranges.count;
	for (size_t i = 0; i < macro->parameters; i++)
		SPB_PUSH(r->arena, &r->ranges, (struct spb_range){.known = false});
	for (size_t i = 0; i < macro->count && !r->failure; i++) {
		size_t p = macro->body[i].parameter - 1u;
		if (!wants_expanded(r, macro, i) || r->ranges.items[call->expanded + p].known)
			continue;
		struct spb_range expanded = spb_expand_range(r, r->ranges.items[call->raw + p]);
		r->ranges.items[call->expanded + p] = expanded;
	}
}

/* Appends the expansion to the pool. */
static void substitute(struct spb_reader *r, const struct call *call)
{
	static const struct spb_token quoted = {.kind = SPB_TOKEN_STRING, .bytes = ""};
	const struct spb_macro *macro = call->macro;
	const size_t first = r->pool.count;
	bool pasting = false;

	for (size_t i = 0; i < macro->count && !r->failure; i++) {
		const struct spb_token *t = &macro->body[i];
		if (is_paste(macro, i)) {
			pasting = r->pool.count > first;
		} else if (spb_is_mark(t, '#') && macro->function && i + 1 < macro->count &&
			   macro->body[i + 1].parameter) {
			add(r, first, quoted, &pasting, call->name);
			i++;
		} else if (!t->parameter) {
			add(r, first, *t, &pasting, call->name);
		} else {
			size_t from = wants_expanded(r, macro, i) ? call->expanded : call->raw;
			struct spb_range all = r->ranges.items[from + t->parameter - 1];
			bool was = pasting;
			for (size_t k = 0; k < all.count && !r->failure; k++)
				add(r, first, r->pool.items[all.first + k], &pasting, call->name);
			pasting = false;
			if (!all.count && is_paste(macro, i + 1)) { /* a ## nothing ## b: a ## b */
				pasting = was;
				i++;
			}
		}
	}
}

/* Calls a macro whose name has been read. */
static void expand(struct spb_reader *r, struct spb_macro *macro, const struct spb_token *name)
{
	const size_t pool = r->pool.count, ranges = r->ranges.count;
	struct spb_token *tokens;
	struct call call = {.macro = macro, .name = name};

	if (macro->function)
		read_arguments(r, &call);
	if (r->failure)
		return;
	if (!macro->function && !macro->pastes) { /* only the place of the tokens changes */
		if (!spb_spend(r, macro->count + 1, name))
			return;
		push_tokens(r, macro->body, macro->count, macro, name);
		return;
	}
	expand_arguments(r, &call);
	size_t first = r->pool.count;
	if (!r->failure)
		substitute(r, &call);
	size_t count = r->failure || !spb_spend(r, r->pool.count - first, name) ? 0 : r->pool.count - first;
	tokens = spb_alloc_array(r->arena, count, sizeof *tokens);
	if (count)
		memcpy(tokens, r->pool.items + first, count * sizeof *tokens);
	r->pool.count = pool;
	r->ranges.count = ranges;
	if (!r->failure)
		push_tokens(r, tokens, count, macro, NULL);
}

/* __LINE__, __FILE__ and __VERSION__ have a value of their own. */
static void put_builtin(struct spb_reader *r, struct spb_token *t)
{
	struct spb_text_buffer text = {.arena = r->arena};

	if (t->word != SPB_WORD___LINE__ && t->word != SPB_WORD___FILE__ &&
	    !(t->word == SPB_WORD___VERSION__ && r->version))
		return;
	if (!spb_spend(r, 1, t))
		return;
	spb_text_number(&text, t->word == SPB_WORD___LINE__ ? t->line : t->word == SPB_WORD___FILE__ ? 0 : r->version);
	t->bytes = spb_text_end(&text);
	t->length = (uint32_t)strlen(t->bytes);
	t->kind = SPB_TOKEN_NUMBER;
	t->word = 0;
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
		expand(r, macro, &t);
	}
}

/* The macros that glslang defines before it reads a text: extensions, profiles, stages. */

enum { ES = 1, DESKTOP = 2, COMPATIBILITY = 4, ANY = -1 };

static const struct {
	const char *name;
	int profiles;
	int stage; /* an execution model */
} predefined[] = {
#include "analysis/source/predefined.inc"
};

/* The table has glslang's stages, which do not distinguish NV from EXT. */
static int stage_in_table(uint32_t model)
{
	return model == SpvExecutionModelMeshEXT   ? SpvExecutionModelMeshNV
	       : model == SpvExecutionModelTaskEXT ? SpvExecutionModelTaskNV
						   : (int)model;
}

void spb_predefine(struct spb_reader *r, bool compatibility, uint32_t stage)
{
	static const struct spb_token one = {.kind = SPB_TOKEN_NUMBER, .bytes = "1", .length = 1};
	int profile = r->es ? ES : compatibility ? COMPATIBILITY : DESKTOP;
	struct spb_macro *macro = spb_alloc_zeroed(r->arena, 1, sizeof *macro);

	macro->body = &one;
	macro->count = 1;
	for (size_t i = 0; i < SPB_COUNT(predefined) && !r->failure; i++) {
		const uint32_t name = spb_intern(r, predefined[i].name, strlen(predefined[i].name));
		struct spb_word *word = &r->words.items[name]; /* which spb_intern may have moved */
		word->predefined = true;
		if ((predefined[i].profiles & profile) &&
		    (predefined[i].stage == ANY || predefined[i].stage == stage_in_table(stage)))
			word->macro = macro;
	}
}
