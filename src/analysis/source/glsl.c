/* SPDX-License-Identifier: Apache-2.0 */
/* glsl: finds the resources that preprocessed GLSL declares.
 *
 *     layout(set = 0) uniform texture2D zeta, alpha[COUNT];          zeta, alpha[3]
 *     layout(set = 0) readonly buffer Block { uint n; } inst[2];     Block[2]
 *     struct S { sampler2D a; };  uniform S s;                       s
 *     vec4 f(sampler2D parameter) { int local; ... }                 nothing
 *
 * A declaration is a sequence of words and of brackets with their contents, up to a ; { = or comma: the last word is
 * the name, the one before it the type. So qualifiers need not be known, and future ones are accepted, too. Interface
 * blocks are known by their type names, as in the module. */
#include "analysis/source/text.h"

struct statement {
	struct spb_token name, type; /* the last two words that are not qualifiers */
	bool resource;               /* uniform, buffer */
	bool buffer;
	bool constant;
	bool other;                /* a push constant, a buffer reference, a shader record */
	struct spb_declared place; /* binding =, set = */
	bool has_type;
	bool closed; /* a struct or a block has been read: the next word is a name */
	struct spb_type of;
};

/* binding = 3, set = 1 */
static void read_place(struct spb_reader *r, struct statement *st, uint32_t word)
{
	struct spb_declared *d = &st->place;
	bool *known = word == SPB_WORD_set ? &d->knows_set : &d->knows_binding;

	d->has_place |= word == SPB_WORD_binding;
	spb_take(r);
	if (spb_is_mark(&r->token, '='))
		*known = spb_read_number(r, word == SPB_WORD_set ? &d->set : &d->binding);
}

static void read_layout(struct spb_reader *r, struct statement *st)
{
	size_t depth = 0;

	do {
		const uint32_t word = r->token.word;
		depth += spb_is_mark(&r->token, '(');
		depth -= depth && spb_is_mark(&r->token, ')');
		if (word == SPB_WORD_binding || word == SPB_WORD_set) {
			read_place(r, st, word);
			continue;
		}
		st->other |= word == SPB_WORD_push_constant || word == SPB_WORD_buffer_reference ||
			     word == SPB_WORD_shaderRecordEXT || word == SPB_WORD_shaderRecordNV;
		spb_take(r);
	} while (depth && r->token.kind != SPB_TOKEN_END);
}

static void declare(struct spb_reader *r, const struct statement *st, const struct spb_token *name,
		    struct spb_type type)
{
	struct spb_declared d = st->place;

	d.word = d.last = name->word;
	d.line = name->line;
	d.file = name->file;
	d.type = type;
	d.type_word = st->type.word;
	if (name->word && st->resource && !st->other)
		spb_declare(r, &d);
}

static struct spb_type type_of(struct spb_reader *r, const struct spb_token *t)
{
	struct spb_type type = spb_named_type(r, t->word);

	return type.kind == SPB_KIND_UNKNOWN && t->word ? spb_glsl_type(t->bytes, t->length) : type;
}

/* glslang puts atomic counters into a separate buffer. */
static void declare_counter(struct spb_reader *r, struct statement *st)
{
	static const char block[] = "gl_AtomicCounterBlock";
	struct spb_token name = st->type;

	name.word = spb_intern(r, block, sizeof block - 1);
	if (!r->words.items[name.word].declaration)
		declare(r, st, &name, (struct spb_type){.kind = SPB_DESCRIPTOR_SSBO});
}

/* Reads from after the first name and its sizes to the end of the statement. */
static void read_declarators(struct spb_reader *r, struct statement *st, struct spb_dimensions own)
{
	if (!st->has_type)
		st->of = type_of(r, &st->type);
	for (;; own = spb_read_dimensions(r)) {
		struct spb_type type = st->of;
		type.dimensions = spb_join_dimensions(r, own, type.dimensions);
		if (st->type.word == SPB_WORD_atomic_uint && !st->has_type)
			declare_counter(r, st);
		else
			declare(r, st, &st->name, type);
		if (spb_is_mark(&r->token, '='))
			spb_read_initializer(r, st->name.word, st->constant);
		if (!spb_is_mark(&r->token, ','))
			break;
		spb_take(r);
		st->name = r->token;
		if (r->token.kind == SPB_TOKEN_WORD)
			spb_take(r);
	}
	while (!spb_is_mark(&r->token, ';') && r->token.kind != SPB_TOKEN_END)
		spb_skip_group(r);
	spb_take(r);
}

static void read_members(struct spb_reader *r, struct spb_members *members);

/* Reads from the word after `struct`. */
static struct spb_type read_struct(struct spb_reader *r)
{
	struct spb_token name = r->token;
	struct spb_members members = {0};
	struct spb_type type;

	if (name.kind == SPB_TOKEN_WORD)
		spb_take(r);
	if (!spb_is_mark(&r->token, '{'))
		return spb_named_type(r, name.word);
	spb_take(r);
	if (++r->depth > SPB_TYPE_DEPTH)
		spb_text_fails(r, &name, "structs are nested too deeply");
	read_members(r, &members);
	r->depth--;
	type = spb_add_structure(r, &members);
	if (name.word)
		spb_name_type(r, name.word, type);
	return type;
}

/* Reads up to and including the }. */
static void read_members(struct spb_reader *r, struct spb_members *members)
{
	struct spb_token name = {0}, type = {0};
	struct spb_type of = {.kind = SPB_KIND_UNKNOWN};
	bool has_type = false;

	while (r->token.kind != SPB_TOKEN_END && !spb_is_mark(&r->token, '}')) {
		struct spb_token t = r->token;
		if (t.word == SPB_WORD_struct) {
			spb_take(r);
			of = read_struct(r);
			has_type = true;
		} else if (t.kind == SPB_TOKEN_WORD) {
			type = name;
			name = t;
			spb_take(r);
		} else if (spb_is_mark(&t, '[') || spb_is_mark(&t, ',') || spb_is_mark(&t, ';')) {
			struct spb_dimensions own = spb_read_dimensions(r);
			if (!has_type)
				of = type_of(r, r->token.kind == SPB_TOKEN_WORD ? &name : &type);
			has_type = true;
			if (r->token.kind == SPB_TOKEN_WORD) { /* float[3] x */
				of.dimensions = spb_join_dimensions(r, own, of.dimensions);
				continue;
			}
			struct spb_member m = {.word = name.word, .type = of};
			m.type.dimensions = spb_join_dimensions(r, own, of.dimensions);
			if (name.word)
				SPB_PUSH(r->arena, members, m);
			name = (struct spb_token){0};
			has_type = spb_is_mark(&r->token, ',');
			if (spb_is_mark(&r->token, ',') || spb_is_mark(&r->token, ';'))
				spb_take(r);
		} else {
			spb_skip_group(r);
		}
	}
	spb_take(r);
}

/* At the { of a block: its type is declared, whatever instance follows. */
static void read_block(struct spb_reader *r, struct statement *st)
{
	struct spb_token name = st->name;
	struct spb_type type = {.kind = st->buffer ? SPB_DESCRIPTOR_SSBO : SPB_DESCRIPTOR_UBO};

	spb_skip_group(r);
	if (r->token.kind == SPB_TOKEN_WORD) {
		st->place.instance = r->token.word;
		spb_take(r);
	}
	type.dimensions = spb_read_dimensions(r);
	declare(r, st, &name, type);
	while (!spb_is_mark(&r->token, ';') && r->token.kind != SPB_TOKEN_END)
		spb_skip_group(r);
	spb_take(r);
}

static void take_word(struct spb_reader *r, struct statement *st)
{
	switch (r->token.word) {
	case SPB_WORD_layout:
		spb_take(r);
		if (spb_is_mark(&r->token, '('))
			read_layout(r, st);
		return;
	case SPB_WORD_const:
		st->constant = true;
		/* fallthrough */
	case SPB_WORD_readonly:
	case SPB_WORD_in:
	case SPB_WORD_out:
		break;
	case SPB_WORD_uniform:
		st->resource = true;
		break;
	case SPB_WORD_buffer:
		st->resource = st->buffer = true;
		break;
	case SPB_WORD_struct:
		spb_take(r);
		st->of = read_struct(r);
		st->has_type = true;
		return;
	default:
		st->type = st->name;
		st->name = r->token;
	}
	spb_take(r);
}

/* At the ( of a function, or of a qualifier with arguments. Returns whether the statement continues. */
static bool take_parentheses(struct spb_reader *r, struct statement *st)
{
	spb_skip_group(r);
	st->name = (struct spb_token){0};
	if (spb_is_mark(&r->token, '{')) {
		spb_skip_group(r);
		return false;
	}
	return true;
}

/* sampler2D[4] a, b: the size belongs to the type, if a name follows. Returns whether the statement continues. */
static bool take_dimensions(struct spb_reader *r, struct statement *st)
{
	struct spb_dimensions own = spb_read_dimensions(r);

	if (r->token.kind != SPB_TOKEN_WORD || !st->name.word) {
		read_declarators(r, st, own);
		return false;
	}
	if (!st->has_type)
		st->of = type_of(r, &st->name);
	st->of.dimensions = own;
	st->has_type = true;
	return true;
}

static void statement(struct spb_reader *r)
{
	struct statement st = {0};

	while (r->token.kind != SPB_TOKEN_END) {
		const struct spb_token *t = &r->token;
		if (t->kind == SPB_TOKEN_WORD) {
			take_word(r, &st);
		} else if (spb_is_mark(t, '(')) {
			if (!take_parentheses(r, &st))
				return;
		} else if (spb_is_mark(t, '{')) {
			read_block(r, &st);
			return;
		} else if (spb_is_mark(t, '[')) {
			if (!take_dimensions(r, &st))
				return;
		} else if (spb_is_mark(t, ';') || spb_is_mark(t, ',') || spb_is_mark(t, '=')) {
			read_declarators(r, &st, (struct spb_dimensions){0});
			return;
		} else {
			spb_take(r); /* a stray } */
			return;
		}
	}
}

void spb_read_glsl(struct spb_reader *r)
{
	spb_take(r);
	while (r->token.kind != SPB_TOKEN_END)
		statement(r);
}
