/* SPDX-License-Identifier: Apache-2.0 */
/* merge_ids: maps the ids of one module to those of another.
 *
 * A type or constant of the source is the one of the target with the same signature: opcode and operands with mapped
 * ids, decorations where they are part of its identity, and the names of a struct. SPIR-V 2.8, "Types and Variables",
 * requires this for non-aggregate types; for aggregates it makes identical blocks of both modules the same block. */
#include "pass/resolver/merge.h"

struct slot {
	uint64_t hash;
	uint32_t first, count; /* its signature, in words */
	uint32_t id;           /* 0: free */
};

struct spb_merged {
	struct spb_unit *u;
	struct slot *slots;
	size_t capacity, count;
	SPB_LIST(uint32_t) words; /* signatures; the current one comes last */
};

static struct spb_arena *scratch(const struct spb_merged *merged)
{
	return &merged->u->m.context->scratch;
}

static void put(struct spb_merged *merged, uint32_t word)
{
	SPB_PUSH(scratch(merged), &merged->words, word);
}

static struct slot *find(const struct spb_merged *merged, uint64_t hash, const uint32_t *words, uint32_t count)
{
	for (size_t i = (size_t)hash & (merged->capacity - 1);; i = (i + 1) & (merged->capacity - 1)) {
		struct slot *s = &merged->slots[i];
		if (!s->id)
			return s;
		if (s->hash == hash && s->count == count &&
		    !memcmp(merged->words.items + s->first, words, count * sizeof *words))
			return s;
	}
}

static void grow(struct spb_merged *merged)
{
	struct slot *old = merged->slots;
	size_t capacity = merged->capacity;

	merged->capacity = capacity ? capacity * 2 : 256;
	merged->slots = spb_alloc_zeroed(scratch(merged), merged->capacity, sizeof *merged->slots);
	for (size_t i = 0; i < capacity; i++) {
		if (!old[i].id)
			continue;
		size_t to = (size_t)old[i].hash & (merged->capacity - 1);
		while (merged->slots[to].id)
			to = (to + 1) & (merged->capacity - 1);
		merged->slots[to] = old[i];
	}
}

static uint32_t real_id(const struct spb_merged *merged, uint32_t id)
{
	return id == SPB_MERGED_NEW ? spb_new_id(&merged->u->edit) : id;
}

/* The id with the signature in the words from `first` on. If there is none, `id` gets it, unless it is 0. */
static uint32_t settle(struct spb_merged *merged, size_t first, uint32_t id)
{
	uint32_t count = (uint32_t)(merged->words.count - first);
	const uint32_t *words = merged->words.items + first;

	if (merged->count * 2 >= merged->capacity)
		grow(merged);
	uint64_t hash = spb_hash_bytes(0, words, count * sizeof *words);
	struct slot *s = find(merged, hash, words, count);
	if (s->id || !id) {
		merged->words.count = first;
		return s->id;
	}
	*s = (struct slot){hash, (uint32_t)first, count, real_id(merged, id)};
	merged->count++;
	return s->id;
}

struct note { /* words of a decoration or name, without its target */
	uint32_t *words;
	uint32_t count;
};

static int by_words(const void *a, const void *b)
{
	const struct note *x = a, *y = b;

	return x->count != y->count ? spb_compare(x->count, y->count)
				    : memcmp(x->words, y->words, x->count * sizeof *x->words);
}

bool spb_is_note_of(const struct spb_module *m, struct spb_use note)
{
	return spb_op_is(spb_op(m, note.at), SPB_OP_NOTE) && note.word == note.at + 1;
}

/* Operands without the result, with ids of the target. False: the target does not have one of them. */
static bool put_operands(struct spb_merged *merged, const struct spb_module *m, const uint32_t *map, spb_at at,
			 uint32_t skip)
{
	size_t first = merged->words.count;

	for (uint32_t w = skip; w < spb_length(m, at); w++)
		put(merged, m->words[at + w]);
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (!spb_operand_is_id(&o) || o.word < at + skip)
			continue;
		uint32_t *word = &merged->words.items[first + (o.word - at - skip)];
		if (o.kind == SPB_KIND_RESULT)
			*word = 0;
		else if (map)
			*word = map[*word];
		if (!*word && o.kind != SPB_KIND_RESULT)
			return false;
	}
	return true;
}

/* Decorations in an order that does not depend on the compiler, and names of structs and their members. */
static bool put_notes(struct spb_merged *merged, const struct spb_module *m, const uint32_t *map, uint32_t id,
		      bool names)
{
	SPB_LIST(struct note) notes = {0};

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		bool is_name = spb_op(m, at) == SpvOpName || spb_op(m, at) == SpvOpMemberName;
		size_t first = merged->words.count;
		if (!spb_is_note_of(m, m->note[i]) || (is_name && !names))
			continue;
		put(merged, spb_op(m, at));
		if (!put_operands(merged, m, map, at, 2))
			return false;
		struct note note = {.count = (uint32_t)(merged->words.count - first)};
		note.words = spb_alloc_array(scratch(merged), note.count, sizeof *note.words);
		memcpy(note.words, merged->words.items + first, note.count * sizeof *note.words);
		merged->words.count = first;
		SPB_PUSH(scratch(merged), &notes, note);
	}
	spb_sort(scratch(merged), notes.items, notes.count, sizeof *notes.items, by_words);
	for (size_t i = 0; i < notes.count; i++) {
		put(merged, notes.items[i].count);
		for (uint32_t w = 0; w < notes.items[i].count; w++)
			put(merged, notes.items[i].words[w]);
	}
	return true;
}

/* The signature of a type or constant. False: it has none, or depends on something that the target does not have. */
static bool sign(struct spb_merged *merged, const struct spb_module *m, const uint32_t *map, spb_at at)
{
	uint32_t op = spb_op(m, at);
	bool is_type = spb_op_is(op, SPB_OP_IS_TYPE), decorated = !is_type;

	if (!spb_op_is(op, SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT)) /* OpUndef, for example, is neither */
		return false;
	if (op == SpvOpTypeStruct || spb_op_is(op, SPB_OP_ARRAY) || op == SpvOpTypePointer)
		decorated = true;
	put(merged, op);
	return put_operands(merged, m, map, at, 1) &&
	       (!decorated || put_notes(merged, m, map, spb_result(m, at), op == SpvOpTypeStruct));
}

uint32_t spb_merged_settle(struct spb_merged *merged, const struct spb_module *m, const uint32_t *map, spb_at at,
			   uint32_t id)
{
	size_t first = merged->words.count;

	if (sign(merged, m, map, at))
		return settle(merged, first, id);
	merged->words.count = first;
	return real_id(merged, id);
}

uint32_t spb_merged_claim(struct spb_merged *merged, uint32_t kind, uint32_t of, uint32_t id)
{
	size_t first = merged->words.count;

	put(merged, SpvOpDecorate);
	put(merged, kind);
	put(merged, of);
	return settle(merged, first, id);
}

uint32_t spb_merged_claim_name(struct spb_merged *merged, uint32_t kind, const char *name, uint32_t id)
{
	size_t first = merged->words.count;

	put(merged, SpvOpName);
	put(merged, kind);
	for (; *name; name++)
		put(merged, (unsigned char)*name);
	return settle(merged, first, id);
}

uint32_t spb_merged_settle_string(struct spb_merged *merged, const struct spb_module *m, spb_at at, uint32_t id)
{
	size_t first = merged->words.count;

	put(merged, spb_op(m, at));
	for (uint32_t w = 2; w < spb_length(m, at); w++)
		put(merged, m->words[at + w]);
	return settle(merged, first, id);
}

struct spb_unit *spb_merged_unit(const struct spb_merged *merged)
{
	return merged->u;
}

struct spb_merged *spb_merged_begin(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	struct spb_merged *merged = spb_alloc_zeroed(&m->context->scratch, 1, sizeof *merged);

	merged->u = u;
	for (spb_at at = m->section[SPB_SECTION_IMPORT]; at < m->section[SPB_SECTION_NAME]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInstImport || spb_op(m, at) == SpvOpString)
			spb_merged_settle_string(merged, m, at, m->words[at + 1]);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at), spec;
		if (!id)
			continue;
		spb_merged_settle(merged, m, NULL, at, id);
		spec = spb_decoration(m, id, SpvDecorationSpecId);
		if (spec)
			spb_merged_claim(merged, SpvDecorationSpecId, m->words[spec], id);
	}
	return merged;
}

uint32_t spb_merged_global(struct spb_merged *merged, uint32_t op, const uint32_t *operands, uint32_t count)
{
	struct spb_edit *e = &merged->u->edit;
	size_t first = merged->words.count;
	uint32_t result = spb_op_is(op, SPB_OP_IS_TYPE) ? 0 : 1, next = e->bound;
	uint32_t *words = spb_alloc_array(scratch(merged), count + 1, sizeof *words);

	put(merged, op);
	for (uint32_t i = 0; i <= count; i++) {
		words[i] = i == result ? 0 : operands[i - (i > result)];
		put(merged, words[i]);
	}
	words[result] = settle(merged, first, SPB_MERGED_NEW);
	if (words[result] == next)
		spb_add_global(e, op, words, count + 1);
	return words[result];
}

uint32_t spb_merge_id(const struct spb_merge *g, spb_at at, uint32_t id)
{
	if (!g->map[id])
		spb_fail(g->from, SPB_ERROR_INVALID_SPIRV, SPB_E_RESOLVER_BODY, at,
			 "%s uses %s, which is not visible here" SPB_REMEDY
			 "The resolver is invalid, check it with spirv-val.",
			 spb_word_of(g->from, at), spb_label(scratch(g->merged), g->from, id));
	return g->map[id];
}
