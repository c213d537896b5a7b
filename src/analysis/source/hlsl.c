/* SPDX-License-Identifier: Apache-2.0 */
/* hlsl: finds the resources that preprocessed HLSL or Slang declares.
 *
 *     struct S { RWBuffer<float> B; Texture2D t[2]; };
 *     S s : register(u5) : register(t3);              s, with the members s.B and s.t
 *     cbuffer Frame : register(b0) { float4 x; }      Frame
 *     namespace N { Texture2D a, b[4] : register(t2, space1); }   N::a, N::b[4]
 *     static Texture2D local;                         nothing
 *
 * As in glsl.c, the last word is the name and the one before it the type. Unknown syntax is skipped up to its ; or }.
 * If that hides a resource, evidence.c reports it. */
#include "analysis/source/text.h"

struct statement {
	struct spb_token name, type;
	struct spb_declared place; /* registers */
	struct spb_type of;
	uint8_t components, samples; /* of the type's arguments: spb_type */
	bool has_type;
	bool hidden; /* static, groupshared: not a resource */
	bool constant;
	bool alias; /* typedef */
	bool by_rows, by_columns;
};

/* The enclosing namespaces, as in N::M:: */
struct scope {
	struct spb_reader *r;
	char *items;
	size_t count, capacity;
	SPB_LIST(size_t) begins; /* where the name of each begins */
	SPB_LIST(bool) anonymous;
};

static uint32_t scoped_word(struct scope *s, const struct spb_token *name)
{
	struct spb_text_buffer text = {.arena = s->r->arena};

	if (!s->count || !name->word)
		return name->word;
	if (!spb_spend(s->r, (s->count + name->length) / 8, name))
		return 0;
	spb_text_add(&text, s->items, s->count);
	spb_text_add(&text, name->bytes, name->length);
	size_t length = text.count;
	return spb_intern(s->r, spb_text_end(&text), length);
}

static struct spb_type type_of(struct spb_reader *r, const struct spb_token *t)
{
	struct spb_type type = spb_named_type(r, t->word);

	return type.kind == SPB_KIND_UNKNOWN && t->word ? spb_hlsl_type(t->bytes, t->length) : type;
}

/* register(u5, space1), register(space1), register(ps_5_0, t3) */

static bool number_behind(const struct spb_token *t, size_t letters, uint32_t *number)
{
	struct spb_token digits = {
	    .kind = SPB_TOKEN_NUMBER, .bytes = t->bytes + letters, .length = t->length - (uint32_t)letters};
	uint64_t value = 0;

	if (t->length <= letters || t->length - letters > 10)
		return false;
	for (uint32_t i = 0; i < digits.length; i++) {
		if (digits.bytes[i] < '0' || digits.bytes[i] > '9')
			return false;
		value = 10 * value + (uint64_t)(digits.bytes[i] - '0');
	}
	*number = (uint32_t)value;
	return value <= UINT32_MAX;
}

static void read_register(struct spb_reader *r, struct spb_declared *d)
{
	static const char letters[] = "btsu" /* enum spb_class */, before[] = "space";
	int class = -1;
	uint32_t number = 0, space = 0;
	bool has_space = false;

	spb_take(r);
	if (!spb_is_mark(&r->token, '('))
		return;
	for (; r->token.kind != SPB_TOKEN_END && !spb_is_mark(&r->token, ')'); spb_take(r)) {
		const struct spb_token *t = &r->token;
		const char *letter = t->length ? strchr(letters, *t->bytes | 0x20) : NULL;
		if (t->length > strlen(before) && !memcmp(t->bytes, before, strlen(before)))
			has_space = number_behind(t, strlen(before), &space);
		else if (letter && *letter && number_behind(t, 1, &number))
			class = (int)(letter - letters);
	}
	spb_take(r);
	for (int k = 0; k < SPB_CLASS_COUNT; k++) {
		if (class >= 0 ? k != class : d->has_register[k])
			continue;
		if (class >= 0 && !d->has_register[k]) {
			d->has_register[k] = true;
			d->number[k] = number;
		}
		if (has_space && !d->has_space[k]) {
			d->has_space[k] = true;
			d->space[k] = space;
		}
	}
}

/* [[vk::binding(2, 1)]]: from the ( on */
static void read_place(struct spb_reader *r, struct spb_declared *d)
{
	d->has_place = true;
	if (spb_is_mark(&r->token, '('))
		d->knows_binding = spb_read_number(r, &d->binding);
	if (spb_is_mark(&r->token, ','))
		d->knows_set = spb_read_number(r, &d->set);
}

/* [[vk::binding(2, 1)]], [numthreads(8, 8, 1)] */
static void read_attribute(struct spb_reader *r, struct spb_declared *d)
{
	size_t depth = 0;

	do {
		const uint32_t word = r->token.word;
		depth += spb_is_mark(&r->token, '[');
		depth -= spb_is_mark(&r->token, ']');
		d->other |= word == SPB_WORD_push_constant || word == SPB_WORD_shader_record_nv ||
			    word == SPB_WORD_shader_record_ext;
		d->paired |= word == SPB_WORD_combinedImageSampler;
		spb_take(r);
		if (word == SPB_WORD_binding)
			read_place(r, d);
		else if (word == SPB_WORD_counter_binding && spb_is_mark(&r->token, '('))
			d->has_counter_binding = spb_read_number(r, &d->counter_binding);
	} while (depth && r->token.kind != SPB_TOKEN_END);
}

/* What follows the sizes of a name: registers, semantics, annotations, values. */
static void read_rest(struct spb_reader *r, struct spb_declared *d, const struct spb_token *name, bool constant)
{
	while (r->token.kind != SPB_TOKEN_END) {
		const struct spb_token *t = &r->token;
		if (spb_is_mark(t, ':')) {
			spb_take(r);
			if (r->token.word == SPB_WORD_register)
				read_register(r, d);
		} else if (spb_is_mark(t, '=')) {
			spb_read_initializer(r, name->word, constant);
		} else if (spb_is_mark(t, '<')) {
			spb_skip_angles(r);
		} else if (spb_is_mark(t, ',') || spb_is_mark(t, ';') || spb_is_mark(t, '}') || spb_is_mark(t, ')')) {
			return;
		} else if (spb_is_mark(t, '(') || spb_is_mark(t, '[') || spb_is_mark(t, '{')) {
			spb_skip_group(r);
		} else {
			spb_take(r);
		}
	}
}

/* Structs */

static void read_members(struct spb_reader *r, struct spb_members *members);

static void read_body(struct spb_reader *r, struct spb_members *members, const struct spb_token *at)
{
	spb_take(r); /* the { */
	if (++r->depth > SPB_TYPE_DEPTH)
		spb_text_fails(r, at, "structs are nested too deeply");
	read_members(r, members);
	r->depth--;
	spb_take(r);
}

/* Reads from the word after `struct`. The members of a base class come first. */
static struct spb_type read_struct(struct spb_reader *r)
{
	struct spb_token name = r->token;
	struct spb_members members = {0};
	struct spb_type type;

	if (name.kind == SPB_TOKEN_WORD)
		spb_take(r);
	if (spb_is_mark(&r->token, '<'))
		spb_skip_angles(r);
	while (!spb_is_mark(&r->token, '{')) {
		struct spb_type base = spb_named_type(r, r->token.word);
		if (r->token.kind == SPB_TOKEN_END || spb_is_mark(&r->token, ';') ||
		    (r->token.kind == SPB_TOKEN_WORD && !members.count && base.kind == SPB_KIND_UNKNOWN))
			return spb_named_type(r, name.word); /* struct S s; */
		if (base.kind == SPB_KIND_STRUCT) {
			const struct spb_structure *s = &r->structures.items[base.structure];
			for (uint32_t i = 0; i < s->count && spb_spend(r, 8, &name); i++)
				SPB_PUSH(r->arena, &members, r->members.items[s->first + i]);
		}
		spb_take(r);
	}
	read_body(r, &members, &name);
	type = spb_add_structure(r, &members);
	if (name.word)
		spb_name_type(r, name.word, type);
	return type;
}

static bool begins_struct(const struct spb_token *t)
{
	return t->word == SPB_WORD_struct || t->word == SPB_WORD_class || t->word == SPB_WORD_interface ||
	       t->word == SPB_WORD_union;
}

/* Takes a word of a declaration that does not begin another kind of statement. */
static void take_word(struct spb_reader *r, struct statement *st)
{
	const struct spb_token t = r->token;

	spb_take(r);
	if (begins_struct(&t)) {
		st->of = read_struct(r);
		st->has_type = true;
	} else if (t.word == SPB_WORD_enum) {
		while (r->token.kind == SPB_TOKEN_WORD || spb_is_mark(&r->token, ':'))
			spb_take(r);
		if (spb_is_mark(&r->token, '{'))
			spb_skip_group(r);
		st->has_type = true;
		st->of = (struct spb_type){.kind = SPB_KIND_DATA};
	} else if (t.word == SPB_WORD_operator) {
		while (r->token.kind == SPB_TOKEN_MARK && !spb_is_mark(&r->token, '(') && !spb_is_mark(&r->token, ';'))
			spb_take(r);
		if (spb_is_mark(&r->token, '(')) { /* operator() */
			spb_skip_group(r);
		}
	} else {
		st->hidden |= t.word == SPB_WORD_static || t.word == SPB_WORD_groupshared;
		st->constant |= t.word == SPB_WORD_const || t.word == SPB_WORD_static;
		st->alias |= t.word == SPB_WORD_typedef;
		st->by_rows |= t.word == SPB_WORD_row_major;
		st->by_columns |= t.word == SPB_WORD_column_major;
		if (t.word == SPB_WORD_static || t.word == SPB_WORD_groupshared || t.word == SPB_WORD_const ||
		    t.word == SPB_WORD_typedef || t.word == SPB_WORD_uniform || t.word == SPB_WORD_row_major ||
		    t.word == SPB_WORD_column_major)
			return;
		st->type = st->name;
		st->name = t;
	}
}

/* N::T: the last word counts. */
static void take_scope(struct spb_reader *r, struct statement *st)
{
	spb_take(r);
	if (r->token.kind != SPB_TOKEN_WORD)
		return;
	st->name = r->token;
	spb_take(r);
}

/* A number below 100; 0: another token. */
static uint8_t small_number(const struct spb_token *t)
{
	uint64_t value;

	return spb_read_integer(t, &value) && value < 100 ? (uint8_t)value : 0;
}

/* float4: 4, half: 1, S: 0, whose type may be anything. */
static uint8_t components_of(const struct spb_token *t)
{
	const char last = t->length ? t->bytes[t->length - 1] : 0, before = t->length > 1 ? t->bytes[t->length - 2] : 0;
	const bool counts = last >= '1' && last <= '4' && !(before >= '0' && before <= '9') && before != 'x';

	if (spb_hlsl_type(t->bytes, t->length).kind != SPB_KIND_DATA)
		return 0;
	return counts ? (uint8_t)(last - '0') : 1;
}

/* <float4>, <unorm float2>, <vector<float, 3>>, <float4, 8> */
static void read_arguments(struct spb_reader *r, struct statement *st)
{
	size_t depth = 1;
	bool vector = false;

	spb_take(r);
	for (; r->token.kind == SPB_TOKEN_WORD; spb_take(r)) {
		st->components = components_of(&r->token);
		vector = r->token.length == strlen("vector") && !memcmp(r->token.bytes, "vector", r->token.length);
	}
	if (vector && spb_is_mark(&r->token, '<')) {
		for (depth++; r->token.kind != SPB_TOKEN_END && !spb_is_mark(&r->token, ','); spb_take(r)) {
			if (spb_is_mark(&r->token, '>') || spb_is_mark(&r->token, ';'))
				break;
		}
		if (spb_is_mark(&r->token, ','))
			spb_take(r);
		st->components = small_number(&r->token);
	} else if (spb_is_mark(&r->token, ',')) {
		spb_take(r);
		st->samples = small_number(&r->token);
	}
	spb_skip_open_angles(r, depth);
}

/* Skips a function from its ( to the end of its body. */
static void skip_function(struct spb_reader *r)
{
	while (r->token.kind != SPB_TOKEN_END && !spb_is_mark(&r->token, '}')) {
		bool end = spb_is_mark(&r->token, ';'), body = spb_is_mark(&r->token, '{');
		if (spb_is_mark(&r->token, '(') || body)
			spb_skip_group(r);
		else
			spb_take(r);
		if (end || body)
			return;
	}
}

/* globallycoherent RWBuffer<float> a: the word before a type is a qualifier, not a type. */
static bool is_type(struct spb_reader *r, const struct spb_token *t)
{
	return type_of(r, t).kind != SPB_KIND_UNKNOWN;
}

/* Reads up to the punctuation after the first name; false: it was not a declaration, and has been skipped. */
static bool read_head(struct spb_reader *r, struct statement *st)
{
	while (r->token.kind != SPB_TOKEN_END) {
		const struct spb_token *t = &r->token;
		bool named = st->name.word && (st->type.word || st->has_type);
		if (t->kind == SPB_TOKEN_WORD) {
			take_word(r, st);
		} else if (spb_is_mark(t, SPB_MARK2(':', ':'))) {
			take_scope(r, st);
		} else if (spb_is_mark(t, '[') && !st->name.word) {
			read_attribute(r, &st->place);
		} else if (spb_is_mark(t, '<') && (!named || is_type(r, &st->name))) {
			read_arguments(r, st);
		} else if (spb_is_mark(t, '(')) {
			skip_function(r);
			return false;
		} else if (spb_is_mark(t, '{') && !named) {
			spb_skip_group(r);
			return false;
		} else if (t->kind == SPB_TOKEN_MARK || spb_is_mark(t, '[')) {
			return true;
		} else {
			spb_take(r);
		}
	}
	return false;
}

/* What a declarator does with its name. */
typedef void declare_name(struct scope *s, struct statement *st, struct spb_members *members,
			  const struct spb_token *name, const struct spb_declared *d);

static void read_declarators(struct scope *s, struct statement *st, struct spb_members *members, declare_name *declare)
{
	struct spb_reader *r = s->r;

	if (!st->has_type)
		st->of = type_of(r, &st->type);
	if (st->by_rows || st->by_columns || st->of.scalar)
		st->of.row_major = st->by_rows || (!st->by_columns && (st->of.row_major || r->row_major));
	if (st->components) {
		st->of.components = st->components;
		st->of.samples = st->samples;
	}
	for (;;) {
		struct spb_declared d = st->place;
		struct spb_token name = st->name;
		struct spb_dimensions own = spb_read_dimensions(r);
		d.type = st->of;
		d.type.dimensions = spb_join_dimensions(r, own, d.type.dimensions);
		d.line = name.line;
		d.file = name.file;
		read_rest(r, &d, &name, st->constant);
		if (name.word && (st->type.word || st->has_type))
			declare(s, st, members, &name, &d);
		if (!spb_is_mark(&r->token, ','))
			break;
		spb_take(r);
		st->name = r->token;
		if (r->token.kind == SPB_TOKEN_WORD)
			spb_take(r);
	}
	if (spb_is_mark(&r->token, ';'))
		spb_take(r);
}

static void declare_member(struct scope *s, struct statement *st, struct spb_members *members,
			   const struct spb_token *name, const struct spb_declared *d)
{
	const struct spb_member m = {.word = name->word, .type = d->type};

	if (!st->hidden && !st->alias)
		SPB_PUSH(s->r->arena, members, m);
}

static void read_members(struct spb_reader *r, struct spb_members *members)
{
	struct scope none = {.r = r};

	while (r->token.kind != SPB_TOKEN_END && !spb_is_mark(&r->token, '}')) {
		struct statement st = {0};
		if (r->token.word == SPB_WORD_template) {
			spb_take(r);
			if (spb_is_mark(&r->token, '<'))
				spb_skip_angles(r);
		}
		if (read_head(r, &st) && !spb_is_mark(&r->token, '}')) {
			const char *before = r->token.bytes;
			read_declarators(&none, &st, members, declare_member);
			if (before == r->token.bytes && r->token.kind == SPB_TOKEN_MARK && !spb_is_mark(&r->token, '}'))
				spb_take(r); /* unknown syntax */
		}
	}
}

/* Statements outside functions */

static void declare_global(struct scope *s, struct statement *st, struct spb_members *members,
			   const struct spb_token *name, const struct spb_declared *d)
{
	struct spb_declared declared = *d;

	(void)members;
	declared.word = scoped_word(s, name);
	declared.last = name->word;
	declared.type_word = st->type.word;
	declared.constant = st->constant;
	if (st->alias)
		spb_name_type(s->r, name->word, d->type);
	else if (!st->hidden && declared.word)
		spb_declare(s->r, &declared);
}

/* cbuffer Frame : register(b0) { float4 x; Texture2D t; }    Frame, and behind it Frame.t */
static void read_buffer(struct scope *s, struct statement *st)
{
	struct spb_reader *r = s->r;
	struct spb_declared d = st->place;
	bool texture = r->token.word == SPB_WORD_tbuffer;
	struct spb_members members = {0};

	spb_take(r);
	struct spb_token name = r->token;
	d.line = name.line;
	d.file = name.file;
	d.type = (struct spb_type){.kind = texture ? SPB_DESCRIPTOR_SSBO : SPB_DESCRIPTOR_UBO};
	while (r->token.kind != SPB_TOKEN_END && !spb_is_mark(&r->token, '{') && !spb_is_mark(&r->token, ';')) {
		if (r->token.word == SPB_WORD_register)
			read_register(r, &d);
		else
			spb_take(r);
	}
	if (spb_is_mark(&r->token, '{'))
		read_body(r, &members, &name);
	const uint32_t inside = spb_add_structure(r, &members).structure;
	if (r->structures.items[inside].resources)
		d.type.inside = inside + 1;
	if (name.kind == SPB_TOKEN_WORD)
		declare_global(s, st, NULL, &name, &d);
}

static void begin_namespace(struct scope *s)
{
	struct spb_reader *r = s->r;
	size_t begin = s->count;

	spb_take(r);
	while (r->token.kind == SPB_TOKEN_WORD || spb_is_mark(&r->token, SPB_MARK2(':', ':')) ||
	       spb_is_mark(&r->token, '.')) {
		for (uint32_t i = 0; i < r->token.length && r->token.kind == SPB_TOKEN_WORD; i++)
			SPB_PUSH(r->arena, s, r->token.bytes[i]);
		for (int i = 0; i < 2 && r->token.kind == SPB_TOKEN_WORD; i++)
			SPB_PUSH(r->arena, s, ':');
		spb_take(r);
	}
	if (!spb_is_mark(&r->token, '{')) { /* namespace A = B; */
		s->count = begin;
		return;
	}
	spb_take(r);
	SPB_PUSH(r->arena, &s->begins, begin);
}

static void statement(struct scope *s)
{
	struct spb_reader *r = s->r;
	struct statement st = {0};

	while (spb_is_mark(&r->token, '['))
		read_attribute(r, &st.place);
	switch (r->token.word) {
	case SPB_WORD_namespace:
		begin_namespace(s);
		return;
	case SPB_WORD_cbuffer:
	case SPB_WORD_tbuffer:
		read_buffer(s, &st);
		return;
	case SPB_WORD_template:
		spb_take(r);
		if (spb_is_mark(&r->token, '<'))
			spb_skip_angles(r);
		return; /* what follows is read as if it were not a template */
	case SPB_WORD_using:
	case SPB_WORD_import:
		while (r->token.kind != SPB_TOKEN_END && !spb_is_mark(&r->token, ';'))
			spb_take(r);
		return;
	}
	if (spb_is_mark(&r->token, '}')) {
		if (s->begins.count)
			s->count = s->begins.items[--s->begins.count];
		spb_take(r);
	} else if (read_head(r, &st)) {
		if (st.name.word || st.has_type)
			read_declarators(s, &st, NULL, declare_global);
		else
			spb_take(r);
	}
}

void spb_read_hlsl(struct spb_reader *r)
{
	struct scope s = {.r = r};

	spb_take(r);
	while (r->token.kind != SPB_TOKEN_END)
		statement(&s);
}
