/* SPDX-License-Identifier: Apache-2.0 */
/* evidence: compares the text with the module before anything is concluded from it.
 *
 * Each resource of the module must have exactly one declaration, of its kind and array size, that no unknown macro
 * could have removed. Otherwise the text was not read as its compiler read it, and none of it is trusted. Declarations
 * without a resource in the module are fine: compilers drop unused resources.
 *
 * The names are those that compilers give:
 *
 *     Texture2D t, in namespace N                    N::t
 *     struct { Texture2D t; } s[2]                   s[1].t          glslang, HLSL
 *     uniform Block { vec4 v; } instance             Block, of the type
 *     cbuffer Frame                                  Frame, of the type; type.Frame
 *
 * spirv-link makes one type of blocks with equal members, and one name: there, the stage tells whose block it is. */
#include "analysis/source/text.h"

/* What a name refers to. */
struct found {
	const struct spb_declared *d;
	uint32_t member;                     /* the word after the last dot; 0: not a member */
	struct spb_type type;                /* of the last part of the path */
	uint64_t leaf;                       /* number of resources before it in its struct */
	uint64_t registers[SPB_CLASS_COUNT]; /* that they occupy */
	bool counter;                        /* it is the counter of that */
	bool data;                           /* it is the data of that struct */
	bool element;                        /* the name has an index */
	bool renamed;                        /* it is the name of a block in another unit */
	bool fails;
};

/* Of the declarations of one name whose authors chose different places: that of the variable. One that no entry point
 * uses, in a module that has been bound, has neither a stage nor a number that tells: it is the first that is left. */
static const struct spb_declared *choose(struct spb_reader *r, uint32_t declared, const struct spb_variable *v)
{
	const struct spb_declared *best = NULL;
	int most = -1;

	while (declared && (!best || spb_spend(r, 1, NULL))) {
		const struct spb_declared *d = &r->declarations.items[declared - 1];
		const uint32_t number = d->knows_binding ? d->binding : d->number[v->class];
		const int fit =
		    4 * spb_is_of_units(r, d->units, v) + 2 * (v->has_binding && v->binding == number) + !d->taken;
		best = fit > most ? d : best;
		most = fit > most ? fit : most;
		declared = d->elsewhere;
	}
	return best;
}

static const struct spb_declared *declaration_of(struct spb_reader *r, const char *name, size_t length,
						 const struct spb_variable *v)
{
	uint32_t word = spb_intern(r, name, length);
	uint32_t index = r->words.items[word].declaration;

	return word ? choose(r, index, v) : NULL;
}

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       (unsigned char)c >= 0x80;
}

/* [2]: one of the elements of what `f` refers to. */
static const char *follow_index(struct spb_reader *r, struct found *f, const char *p, uint64_t *element)
{
	const char *begin = ++p;
	uint64_t index = 0;

	f->element = true;
	for (; *p >= '0' && *p <= '9' && index <= UINT32_MAX; p++)
		index = 10 * index + (uint64_t)(*p - '0');
	f->fails |= p == begin || *p != ']' || !f->type.dimensions.count;
	if (f->fails)
		return p;
	int64_t extent = r->extents.items[f->type.dimensions.first];
	f->fails |= extent != SPB_EXTENT_OPEN && (extent < 0 || index >= (uint64_t)extent);
	f->type.dimensions.first++;
	f->type.dimensions.count--;
	*element = *element * (extent > 0 ? (uint64_t)extent : 1) + index;
	return p + 1;
}

/* .name: a member of the struct that `f` refers to. */
static const char *follow_member(struct spb_reader *r, struct found *f, const char *p, uint64_t element)
{
	const char *begin = ++p;
	const bool block = f->type.inside; /* a cbuffer, which comes before the resources in it */
	const struct spb_structure *s;
	uint32_t word;

	while (is_word_byte(*p))
		p++;
	f->fails |= (f->type.kind != SPB_KIND_STRUCT && !block) || f->type.dimensions.count || p == begin;
	if (f->fails)
		return p;
	word = spb_intern(r, begin, (size_t)(p - begin));
	s = &r->structures.items[block ? f->type.inside - 1 : f->type.structure];
	f->leaf += element * s->leaves + block;
	for (int k = 0; k < SPB_CLASS_COUNT; k++)
		f->registers[k] += element * s->registers[k];
	for (uint32_t i = 0; i < s->count && spb_spend(r, 1, NULL); i++) {
		const struct spb_member *member = &r->members.items[s->first + i];
		if (member->word != word)
			continue;
		f->leaf += member->leaf;
		for (int k = 0; k < SPB_CLASS_COUNT; k++)
			f->registers[k] += member->registers[k];
		f->type = member->type;
		f->member = word;
		f->fails |= f->leaf >> SPB_LEAF_BITS != 0;
		return p;
	}
	f->fails = true;
	return p;
}

/* t[1], one of the resources of an array: glslang's --flatten-uniform-arrays makes a variable of each. */
static void take_element(struct spb_reader *r, struct found *f, uint64_t element)
{
	const uint64_t rest = spb_elements(r, f->type.dimensions), before = element * (rest ? rest : 1);

	if (f->type.kind >= SPB_DESCRIPTOR_COUNT)
		return;
	f->registers[spb_class_of_type(&f->type)] += before;
	f->leaf += before;
	f->fails |= f->leaf >> SPB_LEAF_BITS != 0;
}

/* s[1].t */
static struct found follow_path(struct spb_reader *r, const char *name, size_t length, const struct spb_variable *v)
{
	size_t begin = strcspn(name, ".[");
	struct found f = {.d = begin < length ? declaration_of(r, name, begin, v) : NULL};
	const char *p = name + begin;
	uint64_t element = 0;

	if (!f.d)
		return f;
	f.type = f.d->type;
	while (p < name + length && !f.fails && !r->failure) {
		if (*p == '[') {
			p = follow_index(r, &f, p, &element);
		} else if (*p == '.') {
			p = follow_member(r, &f, p, element);
			element = 0;
		} else {
			f.fails = true;
		}
		f.fails |= element >> SPB_LEAF_BITS != 0;
	}
	if (!f.fails && element)
		take_element(r, &f, element);
	if (f.fails)
		f.d = NULL;
	return f;
}

/* The only declaration, in any namespace, of the last part of the name. */
static const struct spb_declared *last_part(struct spb_reader *r, const char *name, size_t length,
					    const struct spb_variable *v)
{
	size_t begin = length;

	while (begin && is_word_byte(name[begin - 1]))
		begin--;
	if (!begin || begin == length || (name[begin - 1] != '.' && name[begin - 1] != ':'))
		return NULL;
	const uint32_t number = spb_intern(r, name + begin, length - begin); /* which may move the words */
	const struct spb_word *word = &r->words.items[number];
	return word->last_again ? NULL : choose(r, word->last, v);
}

static struct found find_name(struct spb_reader *r, const char *name, const struct spb_variable *v)
{
	static const char counters[] = "gl_AtomicCounterBlock", type[] = "type.";
	const char *counted;
	size_t length = spb_counted_name(name, &counted);
	struct found f = {0};

	f.counter = length != 0;
	if (length)
		name = counted; /* a counter is declared where its buffer is */
	else
		length = strlen(name);
	if (!strncmp(name, counters, strlen(counters)))
		length = strlen(counters);
	if (length && !(f.d = declaration_of(r, name, length, v)) && !strncmp(name, type, strlen(type)))
		f.d = declaration_of(r, name + strlen(type), length - strlen(type), v);
	if (f.d || !length) {
		f.type = f.d ? f.d->type : f.type;
		return f;
	}
	const bool counter = f.counter;
	f = follow_path(r, name, length, v);
	if (!f.d && (f.d = last_part(r, name, length, v)))
		f = (struct found){.d = f.d, .type = f.d->type};
	f.counter = counter;
	return f;
}

bool spb_is_of_units(const struct spb_reader *r, uint32_t units, const struct spb_variable *v)
{
	uint32_t stages = 0;

	for (size_t i = 0; i < r->units.count && i < 32; i++) {
		if (!r->units.items[i].stage)
			return true;
		stages |= units >> i & 1 ? r->units.items[i].stage : 0;
	}
	return r->units.count < 2 || units == UINT32_MAX || !(v->stages | v->listed) ||
	       (v->stages | v->listed) & stages;
}

static bool is_block(const struct spb_variable *v)
{
	return v->kind == SPB_DESCRIPTOR_UBO || v->kind == SPB_DESCRIPTOR_SSBO;
}

/* In a linked module: the only block, of the units of its stages, that is called like the variable, as HLSL's
 * structured buffers are, or has that instance, or none as the variable. */
static struct found find_block(struct spb_reader *r, const struct spb_variable *v)
{
	const uint32_t name = *v->name ? spb_intern(r, v->name, strlen(v->name)) : 0;
	struct found f = {0};
	size_t count = 0;

	if (!spb_spend(r, r->blocks.count, NULL))
		return f;
	for (size_t i = 0; i < r->blocks.count; i++) {
		const struct spb_block_of *block = &r->blocks.items[i];
		const struct spb_declared *d = &r->declarations.items[block->declared];
		if (d->type.kind != v->kind || (block->instance != name && (!name || d->word != name)) ||
		    !spb_is_of_units(r, block->units, v))
			continue;
		count += d != f.d; /* one that several units declare counts once */
		f = (struct found){.d = d, .type = d->type};
	}
	return count == 1 ? f : (struct found){0};
}

/* Where the name of a type is not that of the variable's block, or may not be. */
static struct found find_own_block(struct spb_reader *r, const struct spb_variable *v, struct found f)
{
	const struct spb_declared *named = f.d;
	const bool declared = named && spb_is_of_units(r, named->units, v);

	if (*v->name || !declared)
		f = find_block(r, v);
	if (!f.d && declared)
		f = (struct found){.d = named, .type = named->type};
	f.renamed = f.d != named;
	return f;
}

/* The member that a part has been split from: s.a, also for s.a.sampler. */
static struct found find_part(struct spb_reader *r, const struct spb_variable *v)
{
	const size_t whole = v->extra->part_of && *v->extra->path ? strlen(v->extra->part_of) : SIZE_MAX;
	struct found f = {0};

	for (size_t length = strlen(v->key); length > whole && !f.d && spb_spend(r, 1 + length / 64, NULL); length--) {
		if (!v->key[length] || v->key[length] == '.' || v->key[length] == '[')
			f = follow_path(r, v->key, length, v);
	}
	return f;
}

static struct found find_variable(struct spb_reader *r, const struct spb_variable *v)
{
	const char *const names[] = {v->extra->part_of ? v->extra->part_of : "", spb_declared_name(v), v->name};
	struct found f = find_part(r, v);

	for (size_t i = 0; i < SPB_COUNT(names) && !f.d && !r->failure; i++)
		f = find_name(r, names[i], v);
	if (r->units.count > 1 && is_block(v) && !f.member && !f.counter && (!f.d || f.d->type.kind == v->kind))
		f = find_own_block(r, v, f);
	if (f.d && !f.member && v->kind == SPB_DESCRIPTOR_UBO && (!v->extra->origin || v->extra->part_of) &&
	    spb_is_mixed(r, &f.type)) {
		f.leaf = spb_data_leaf(r, &f.type);
		f.type = (struct spb_type){.kind = SPB_DESCRIPTOR_UBO};
		f.data = true;
	}
	return f;
}

/* Comparing */

static bool is_combined(uint32_t kind)
{
	return kind == SPB_DESCRIPTOR_COMBINED;
}

static bool is_half(uint32_t kind)
{
	return kind == SPB_DESCRIPTOR_TEXTURE || kind == SPB_DESCRIPTOR_SAMPLER;
}

static bool is_buffer(uint32_t kind)
{
	return kind == SPB_DESCRIPTOR_UBO || kind == SPB_DESCRIPTOR_SSBO;
}

/* A pass may have split or merged textures and samplers; a texture buffer is either kind of buffer. */
static bool kinds_agree(const struct found *f, const struct spb_variable *v)
{
	uint32_t said = f->type.kind;

	if (said == SPB_KIND_UNKNOWN || said == (uint32_t)v->kind || v->kind == SPB_DESCRIPTOR_OTHER ||
	    spb_counted_name(v->name, &(const char *){NULL}))
		return true;
	if (v->extra->origin || v->extra->part_of)
		return true; /* one of several variables that the declaration became */
	if ((is_combined(said) && is_half(v->kind)) || (is_half(said) && is_combined(v->kind)))
		return true;
	return is_buffer(said) && is_buffer(v->kind) && !f->type.writable;
}

/* glslang gives an unsized array the size that its largest index needs. Specialization may have changed a size. */
static bool counts_agree(const struct spb_reader *r, const struct found *f, const struct spb_variable *v)
{
	struct spb_dimensions d = f->type.dimensions;
	uint64_t all = spb_elements(r, d), outer = d.count ? (uint64_t)r->extents.items[d.first] : 1;

	if (!all || v->extra->origin || v->extra->part_of || v->extra->count_spec)
		return true;
	return v->count == all || v->count == outer || f->type.kind == SPB_KIND_UNKNOWN;
}

static const struct spb_token *place_of(const struct spb_declared *d, struct spb_token *t)
{
	*t = (struct spb_token){.line = d->line, .file = d->file};
	return t;
}

/* Its own or that of its struct, or of a resource that is not declared, if lines were skipped that have it. */
static const struct spb_word *hidden_word(struct spb_reader *r, const struct found *f, const char *name)
{
	const uint32_t own = f->d ? f->d->last : spb_intern(r, name, strcspn(name, ".[@"));
	const struct spb_word *word = &r->words.items[f->member];

	return word->hidden ? word : &r->words.items[own];
}

static bool is_trusted(struct spb_reader *r, const struct found *f, const struct spb_variable *v)
{
	const char *name = *spb_declared_name(v) ? spb_declared_name(v) : v->name;
	const struct spb_word *hidden = hidden_word(r, f, name), *macro = &r->words.items[hidden->hidden];
	struct spb_token at;

	if (!f->d && f->renamed) {
		spb_text_fails(
		    r, NULL, "\"%s\" is the name of two blocks with equal members, which a linker has made one", name);
	} else if (f->d && f->d->again) {
		spb_text_fails(r, place_of(f->d, &at), "it declares \"%s\" twice", name);
	} else if (hidden->hidden) {
		at = (struct spb_token){.line = hidden->hidden_line, .file = hidden->hidden_file};
		spb_text_fails(r, &at,
			       "whether a declaration of \"%s\" counts depends on the macro %s, which the module does "
			       "not record",
			       name, spb_copy_text(r->arena, macro->bytes, macro->length));
	} else if (!f->d) {
		spb_text_fails(r, NULL, "it does not declare \"%s\"", name);
	} else if (!kinds_agree(f, v)) {
		spb_text_fails(r, place_of(f->d, &at), "\"%s\" is declared there as another kind of resource", name);
	} else if (!counts_agree(r, f, v)) {
		spb_text_fails(r, place_of(f->d, &at), "\"%s\" is declared there with another array size", name);
	}
	return !r->failure;
}

/* Two blocks of a stage would be the same: the linker has made one type of them, and they have no other names. */
static bool is_taken(struct spb_reader *r, const struct spb_variables *variables, const struct spb_matches *matches,
		     const struct found *f, const struct spb_variable *v)
{
	if (r->units.count < 2 || !is_block(v) || *v->name || !spb_spend(r, matches->count, NULL))
		return false;
	for (size_t i = 0; i < matches->count; i++) {
		const struct spb_variable *other = &variables->items[matches->items[i].variable];
		if (matches->items[i].declared == (uint32_t)(f->d - r->declarations.items) + 1 &&
		    (other->stages | other->listed) & (v->stages | v->listed))
			return true;
	}
	return false;
}

bool spb_find_evidence(struct spb_reader *r, const struct spb_variables *variables, struct spb_matches *matches)
{
	SPB_SIZE(r->arena, matches, variables->count);
	for (uint32_t i = 0; i < variables->count && !r->failure; i++) {
		const struct spb_variable *v = &variables->items[i];
		struct spb_match match = {.variable = i};
		if (v->added)
			continue;
		if (!spb_is_loose_block(v)) {
			struct found f = find_variable(r, v);
			if (f.d && is_taken(r, variables, matches, &f, v))
				f = (struct found){.renamed = true};
			if (v->heap && !f.d) /* a pass or a compiler made it */
				continue;
			if (!is_trusted(r, &f, v))
				break;
			match.declared = (uint32_t)(f.d - r->declarations.items) + 1;
			r->declarations.items[match.declared - 1].taken |= !f.counter && !f.member;
			match.type = f.type;
			match.leaf = f.leaf;
			memcpy(match.registers, f.registers, sizeof match.registers);
			match.counter = f.counter;
			match.data = f.data;
			match.element = f.element;
			match.renamed = f.renamed;
		}
		SPB_PUSH(r->arena, matches, match);
	}
	return !r->failure;
}
