/* SPDX-License-Identifier: Apache-2.0 */
/* preprocess: directives.
 *
 *     #if LIGHTS > 2 && defined(SHADOWS)      the lines up to #endif are active or skipped
 *     #include "common.glsl"                  that file is read here, if the module contains it
 *     #line 12 "lit.frag"                     the next line has this number and file
 *
 * A condition may test a macro that the module does not record: shaderc and DXC do not write the macros of -D, and a
 * file may be missing. Such a macro counts as undefined, but the words in lines that are skipped because of it are
 * marked `hidden`: if a resource of the module is among them, the text proves nothing. */
#include <limits.h>

#include "analysis/source/text.h"

enum { FILES_DEEP = 64, CONDITIONS_DEEP = 4096 };

/* Conditions */

static struct spb_condition *innermost(struct spb_reader *r)
{
	return r->conditions.count ? &r->conditions.items[r->conditions.count - 1] : NULL;
}

static bool is_active(const struct spb_reader *r)
{
	return !r->skipped;
}

static void begin_condition(struct spb_reader *r, const struct spb_token *at, bool holds)
{
	bool outer = is_active(r);
	size_t doubt = r->conditions.count ? innermost(r)->doubt : 0;

	if (r->undefined)
		doubt = r->conditions.count + 1;
	if (r->conditions.count == CONDITIONS_DEEP) {
		spb_text_fails(r, at, "conditions are nested too deeply");
		return;
	}
	SPB_PUSH(r->arena, &r->conditions,
		 ((struct spb_condition){.outer = outer,
					 .taken = holds,
					 .uncertain = (outer && r->undefined) || (!outer && r->hiding),
					 .macro = r->undefined,
					 .doubt = doubt,
					 .line = at->line,
					 .file = at->file}));
	if (outer && !holds)
		r->skipped = r->conditions.count;
	r->hiding = !is_active(r) && innermost(r)->uncertain;
}

/* #elif, #else: `holds` matters only if no group was taken yet. */
static void turn_condition(struct spb_reader *r, bool holds)
{
	struct spb_condition *c = innermost(r);

	if (!c->outer)
		return;
	if (r->undefined) {
		c->uncertain = true;
		c->macro = r->undefined;
		c->doubt = r->conditions.count;
	}
	r->skipped = holds && !c->taken ? 0 : r->conditions.count;
	c->taken |= holds;
	r->hiding = r->skipped && c->uncertain;
}

static void end_condition(struct spb_reader *r)
{
	if (r->skipped == r->conditions.count)
		r->skipped = 0;
	r->conditions.count--;
	r->hiding = r->skipped && innermost(r)->uncertain;
}

/* A condition tests a word that is not defined. It may be defined elsewhere: future versions of glslang define more
 * extensions. */
static void note_undefined(struct spb_reader *r, const struct spb_token *t)
{
	const struct spb_word *word = &r->words.items[t->word];
	bool reserved = word->length > 3 && (!memcmp(word->bytes, "GL_", 3) || !memcmp(word->bytes, "__", 2));

	if (r->open_world || (reserved && !word->predefined))
		r->undefined = t->word;
}

static bool is_defined(struct spb_reader *r, const struct spb_token *t)
{
	bool defined = r->words.items[t->word].macro || t->word == SPB_WORD___LINE__ || t->word == SPB_WORD___FILE__ ||
		       (t->word == SPB_WORD___VERSION__ && r->version);

	if (!defined)
		note_undefined(r, t);
	return defined;
}

/* Copies the tokens of a condition to the pool, with 1 or 0 for defined(X), which must be done before macros are
 * expanded. */
static struct spb_range without_defined(struct spb_reader *r, const struct spb_tokens *line)
{
	struct spb_range result = {.first = r->pool.count};

	for (size_t i = 0; i < line->count; i++) {
		struct spb_token t = line->items[i];
		if (t.word == SPB_WORD_defined) {
			bool open = i + 1 < line->count && spb_is_mark(&line->items[i + 1], '(');
			size_t name = i + 1 + open;
			if (name >= line->count || line->items[name].kind != SPB_TOKEN_WORD ||
			    (open && (name + 1 >= line->count || !spb_is_mark(&line->items[name + 1], ')')))) {
				spb_text_fails(r, &t, "a condition is not understood");
				break;
			}
			t.kind = SPB_TOKEN_NUMBER;
			t.length = 1;
			t.bytes = is_defined(r, &line->items[name]) ? "1" : "0";
			i = name + open;
		}
		SPB_PUSH(r->arena, &r->pool, t);
	}
	result.count = r->pool.count - result.first;
	return result;
}

static bool condition_holds(struct spb_reader *r, const struct spb_token *at, const struct spb_tokens *line)
{
	const size_t pool = r->pool.count;
	struct spb_range tokens = without_defined(r, line);
	int64_t value = 0;

	if (!r->failure)
		tokens = spb_expand_range(r, tokens);
	for (size_t i = 0; i < tokens.count; i++) {
		const struct spb_token *t = &r->pool.items[tokens.first + i];
		if (t->kind == SPB_TOKEN_WORD)
			note_undefined(r, t);
	}
	if (!r->failure && !spb_evaluate(r, r->pool.items + tokens.first, tokens.count, true, &value))
		spb_text_fails(r, at, "a condition is not understood");
	r->pool.count = pool;
	return value != 0;
}

/* Directives */

struct directive {
	uint32_t word;
	void (*obey)(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line);
	bool always; /* also in skipped lines */
};

static void obey_if(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	bool holds = false;

	r->undefined = 0;
	if (is_active(r) && name->word == SPB_WORD_if) {
		holds = condition_holds(r, name, line);
	} else if (is_active(r)) {
		if (!line->count || line->items[0].kind != SPB_TOKEN_WORD)
			spb_text_fails(r, name, "a condition is not understood");
		else
			holds = is_defined(r, &line->items[0]) == (name->word == SPB_WORD_ifdef);
	}
	begin_condition(r, name, holds);
	if (holds && name->word == SPB_WORD_ifndef && !r->failure)
		innermost(r)->guard = line->items[0].word;
}

/* The file that contains the directive: macros before it have been read to their end. */
static struct spb_input *current_file(struct spb_reader *r)
{
	struct spb_input *input = &r->inputs.items[r->inputs.count - 1];

	assert(!input->tokens);
	return input;
}

/* A file must close its own conditions. */
static bool has_condition(struct spb_reader *r, const struct spb_token *name)
{
	if (r->conditions.count > current_file(r)->conditions)
		return true;
	spb_text_fails(r, name, "#%s without #if", r->words.items[name->word].bytes);
	return false;
}

static void obey_else(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	struct spb_condition *c;
	bool holds = true;

	if (!has_condition(r, name))
		return;
	c = innermost(r);
	r->undefined = 0;
	if (c->last)
		spb_text_fails(r, name, "a condition goes on behind its #else");
	if (name->word == SPB_WORD_elif)
		holds = c->outer && !c->taken && condition_holds(r, name, line);
	else
		c->last = true;
	turn_condition(r, holds);
}

static void obey_endif(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	(void)line;
	if (has_condition(r, name))
		end_condition(r);
}

static void obey_define(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	struct spb_condition *c = innermost(r);

	(void)name;
	spb_define(r, line);
	if (c && c->guard && line->count && line->items[0].word == c->guard) /* an include guard decides nothing */
		c->doubt = r->conditions.count > 1 ? c[-1].doubt : 0;
}

static void obey_undef(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	(void)name;
	if (line->count && line->items[0].kind == SPB_TOKEN_WORD)
		spb_undefine(r, line->items[0].word);
}

void spb_push_file(struct spb_reader *r, size_t file, uint32_t line)
{
	struct spb_file *f = &r->files.items[file];

	if (r->inputs.count > FILES_DEEP) /* all are files */
		spb_text_fails(r, &r->token, "files include each other without end");
	if (!spb_spend(r, (f->length + strlen(f->name)) / 16 + 16, NULL) || (f->once && f->read))
		return;
	f->read = true;
	SPB_PUSH(r->arena, &r->inputs,
		 ((struct spb_input){.lexer = {.at = f->bytes,
					       .end = f->bytes + f->length,
					       .line = line,
					       .file = spb_file_name(r, f->name),
					       .fresh = true},
				     .index = file,
				     .conditions = r->conditions.count}));
}

/* "name" or <name>, perhaps from a macro. The tokens of <name> are joined again. */
static const char *read_path(struct spb_reader *r, const struct spb_token *tokens, size_t count)
{
	struct spb_text_buffer path = {.arena = r->arena};

	if (count && tokens[0].kind == SPB_TOKEN_STRING) {
		spb_text_add(&path, tokens[0].bytes, tokens[0].length);
	} else if (count && spb_is_mark(&tokens[0], '<')) {
		for (size_t i = 1; i < count && !spb_is_mark(&tokens[i], '>'); i++)
			spb_text_add(&path, tokens[i].bytes, tokens[i].length);
	}
	return spb_text_end(&path);
}

static void obey_include(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	const size_t pool = r->pool.count;
	const struct spb_token *tokens = line->items;
	size_t count = line->count;
	bool ambiguous = false;

	if (count && tokens[0].kind == SPB_TOKEN_WORD) {
		struct spb_range expanded = spb_expand_tokens(r, tokens, count);
		tokens = r->pool.items + expanded.first;
		count = expanded.count;
	}
	const char *path = read_path(r, tokens, count);
	r->pool.count = pool;
	if (!*path)
		spb_text_fails(r, name, "an #include is not understood");
	if (!spb_spend(r, strlen(path), name))
		return;
	size_t file = spb_find_include(r, path, &ambiguous);
	if (ambiguous)
		spb_text_fails(r, name, "the module contains several files that \"%s\" may be", path);
	else if (file == SIZE_MAX)
		r->open_world = true; /* what it defines is unknown */
	else
		spb_push_file(r, file, 1);
}

/* Before GLSL 3.30, the line after #line 3 is line 4 (GLSL 1.50, 3.3 "Preprocessor"). */
static void obey_line(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	const size_t pool = r->pool.count;
	struct spb_range all = spb_expand_tokens(r, line->items, line->count);
	const struct spb_token *tokens = r->pool.items + all.first;
	struct spb_input *input = current_file(r);
	uint64_t number;

	(void)name;
	r->pool.count = pool;
	if (!all.count || !spb_read_integer(&tokens[0], &number) || number >= UINT32_MAX)
		return;
	input->lexer.line = (uint32_t)number + (r->version && r->version < 330 && !r->es);
	if (all.count > 1 && tokens[1].kind == SPB_TOKEN_STRING)
		input->lexer.file = spb_file_name(r, spb_copy_text(r->arena, tokens[1].bytes, tokens[1].length));
}

static void obey_error(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	(void)line;
	spb_text_fails(r, name, "its conditions lead to an #error");
}

static void obey_pragma(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	struct spb_input *input = current_file(r);

	(void)name;
	if (r->once && line->count && line->items[0].word == SPB_WORD_once)
		r->files.items[input->index].once = true;
	if (line->count > 2 && line->items[0].word == SPB_WORD_pack_matrix)
		r->row_major = line->items[2].word == SPB_WORD_row_major;
}

static void obey_nothing(struct spb_reader *r, const struct spb_token *name, const struct spb_tokens *line)
{
	(void)r;
	(void)name;
	(void)line;
}

static const struct directive directives[] = {
    {SPB_WORD_if, obey_if, true},
    {SPB_WORD_ifdef, obey_if, true},
    {SPB_WORD_ifndef, obey_if, true},
    {SPB_WORD_elif, obey_else, true},
    {SPB_WORD_else, obey_else, true},
    {SPB_WORD_endif, obey_endif, true},
    {SPB_WORD_define, obey_define, false},
    {SPB_WORD_undef, obey_undef, false},
    {SPB_WORD_include, obey_include, false},
    {SPB_WORD_line, obey_line, false},
    {SPB_WORD_error, obey_error, false},
    {SPB_WORD_pragma, obey_pragma, false},
    {SPB_WORD_version, obey_nothing, false}, /* OpSource has it */
    {SPB_WORD_extension, obey_nothing, false},
};

static void hide(struct spb_reader *r, const struct spb_token *t)
{
	struct spb_word *word = &r->words.items[t->word];

	if (!r->hiding || t->kind != SPB_TOKEN_WORD || word->hidden)
		return;
	const struct spb_condition *c = &r->conditions.items[innermost(r)->doubt - 1];
	word->hidden = c->macro;
	word->hidden_line = c->line;
	word->hidden_file = c->file;
}

/* Reads from after the #. Obeying a directive moves the inputs, so the whole line is read first. */
static void read_directive(struct spb_reader *r, struct spb_lexer *lexer)
{
	struct spb_token name, t;

	r->line.count = 0;

	lexer->directive = true;
	name = t = spb_lex(r, lexer);
	while (t.kind > SPB_TOKEN_LINE) {
		t = spb_lex(r, lexer);
		if (t.kind > SPB_TOKEN_LINE)
			SPB_PUSH(r->arena, &r->line, t);
		hide(r, &t);
	}
	lexer->directive = false;
	for (size_t i = 0; i < SPB_COUNT(directives) && !r->failure; i++) {
		if (directives[i].word != name.word || !(is_active(r) || directives[i].always))
			continue;
		directives[i].obey(r, &name, &r->line);
		return;
	}
}

/* Tokens */

/* The next active token of the file that is the last input; false: the file ends, or another one begins. */
static bool read_from_file(struct spb_reader *r, struct spb_token *t)
{
	const size_t inputs = r->inputs.count;

	while (r->inputs.count == inputs) {
		struct spb_lexer *lexer = &r->inputs.items[inputs - 1].lexer;
		*t = spb_lex(r, lexer);
		if (t->kind == SPB_TOKEN_END)
			break;
		if (spb_is_mark(t, '#') && t->first)
			read_directive(r, lexer);
		else if (is_active(r))
			return true;
		else
			hide(r, t);
	}
	return false;
}

static void end_file(struct spb_reader *r, const struct spb_input *input)
{
	if (r->conditions.count > input->conditions && !r->failure) {
		const struct spb_condition *c = innermost(r);
		const struct spb_token at = {.line = c->line, .file = c->file};
		spb_text_fails(r, &at, "a condition has no #endif");
	}
	r->inputs.count--;
}

struct spb_token spb_raw_token(struct spb_reader *r)
{
	struct spb_token t = {0};

	if (r->has_pushed) {
		r->has_pushed = false;
		return r->pushed;
	}
	while (r->inputs.count && !r->failure) {
		const size_t inputs = r->inputs.count;
		struct spb_input *input = &r->inputs.items[inputs - 1];
		if (!input->tokens) {
			if (read_from_file(r, &t))
				return t;
			if (r->inputs.count == inputs)
				end_file(r, &r->inputs.items[inputs - 1]);
		} else if (input->at < input->count) {
			t = input->tokens[input->at++];
			if (input->placed) {
				t.line = input->line;
				t.file = input->file;
			}
			return t;
		} else if (input->barrier) {
			break;
		} else {
			if (input->macro)
				input->macro->open = false;
			r->inputs.count--;
		}
	}
	return (struct spb_token){.line = t.line, .file = t.file};
}
