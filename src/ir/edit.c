/* SPDX-License-Identifier: Apache-2.0 */
/* edit: records the changes of a pass and applies them in commit.
 *
 * A change is (position, number of words to drop, words to insert). Changes never overlap. Several insertions at one
 * position keep the order in which they were recorded, except that the order of sections takes precedence (in a
 * module without names and decorations, both sections are at the same position). Insertions go before the words that
 * are replaced there. Commit copies the runs between changes into a new array, in the other arena, and frees the old
 * generation. */
#include "ir/ir.h"

struct spb_requests { /* rare requests, allocated on first use */
	SPB_LIST(uint32_t) capabilities;
	SPB_LIST(const char *) extensions;
	struct {
		struct {
			spb_at entry;
			uint32_t id;
			bool remove;
		} * items;
		size_t count, capacity;
	} interface;
};

static struct spb_requests *requests_of(struct spb_edit *e)
{
	if (!e->requests)
		e->requests = spb_alloc_zeroed(e->arena, 1, sizeof *e->requests);
	return e->requests;
}

void spb_edit_begin(struct spb_edit *e, struct spb_module *m, struct spb_arena *arena)
{
	*e = (struct spb_edit){.m = m, .arena = arena, .bound = m->bound};
}

uint32_t spb_new_id(struct spb_edit *e)
{
	if (e->bound >= 0x400000) /* SPIR-V 2.17, "Universal Limits" */
		spb_fail(e->m, SPB_ERROR_UNSUPPORTED, SPB_E_BOUND, 0,
			 "the module has no free ids below 4194304" SPB_REMEDY
			 "Compact its ids first (spirv-opt --compact-ids).");
	return e->bound++;
}

static uint32_t pool_words(struct spb_edit *e, const uint32_t *words, uint32_t count)
{
	uint32_t first = (uint32_t)e->pool.count;

	e->pool.items = spb_reserve(e->arena, e->pool.items, e->pool.count, count, &e->pool.capacity, sizeof *words);
	if (count)
		memcpy(e->pool.items + e->pool.count, words, count * sizeof *words);
	e->pool.count += count;
	return first;
}

static void record(struct spb_edit *e, uint32_t at, uint32_t del, uint32_t first, uint32_t count, int section)
{
	SPB_PUSH(e->arena, &e->changes, ((struct spb_change){at, del, first, count, section}));
}

static uint32_t pool_instruction(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count)
{
	const uint32_t first = (uint32_t)e->pool.count;

	assert(count < 0xFFFF);
	if (e->pool.capacity - e->pool.count <= count)
		e->pool.items = spb_reserve(e->arena, e->pool.items, e->pool.count, count + 1, &e->pool.capacity,
					    sizeof *e->pool.items);
	uint32_t *to = e->pool.items + e->pool.count;
	to[0] = (count + 1) << 16 | op;
	for (uint32_t i = 0; i < count; i++) /* for a few words, cheaper than a call */
		to[1 + i] = operands[i];
	e->pool.count += count + 1;
	return first;
}

/* Inserts words that have just been pooled. */
static void insert_pooled(struct spb_edit *e, uint32_t at, int section, uint32_t first, uint32_t count)
{
	if (e->changes.count) { /* most insertions directly follow the previous one */
		struct spb_change *last = &e->changes.items[e->changes.count - 1];
		if (last->at == at && !last->del && last->section == section && last->first + last->count == first) {
			last->count += count;
			return;
		}
	}
	record(e, at, 0, first, count, section);
}

static void insert(struct spb_edit *e, uint32_t at, int section, uint32_t op, const uint32_t *operands, uint32_t count)
{
	insert_pooled(e, at, section, pool_instruction(e, op, operands, count), count + 1);
}

void spb_insert(struct spb_edit *e, uint32_t at, uint32_t op, const uint32_t *operands, uint32_t count)
{
	bool several = at <= e->m->section[SPB_SECTION_GLOBAL];

	insert(e, at, several ? spb_op_facts(op)->section : SPB_SECTION_FUNCTION, op, operands, count);
}

void spb_replace(struct spb_edit *e, spb_at at, uint32_t op, const uint32_t *operands, uint32_t count)
{
	uint32_t first = pool_instruction(e, op, operands, count);

	record(e, at, spb_length(e->m, at), first, count + 1, SPB_SECTION_FUNCTION);
}

void spb_remove(struct spb_edit *e, spb_at at)
{
	record(e, at, spb_length(e->m, at), 0, 0, SPB_SECTION_FUNCTION);
}

void spb_patch(struct spb_edit *e, uint32_t word, uint32_t value)
{
	record(e, word, 1, pool_words(e, &value, 1), 1, SPB_SECTION_FUNCTION);
}

void spb_remove_notes(struct spb_edit *e, uint32_t id)
{
	const struct spb_module *m = e->m;
	bool known;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		known = false;
		switch (spb_op(m, at)) {
		case SpvOpGroupDecorate: /* expand-groups removes these itself */
		case SpvOpGroupMemberDecorate:
			known = spb_def_op(m, id) == SpvOpDecorationGroup && m->note[i].word == at + 1;
			break;
		case SpvOpEntryPoint:
			known = (spb_def_op(m, id) == SpvOpVariable || spb_def_op(m, id) == OpUntypedVariableKHR) &&
				m->note[i].word != at + 2;
			if (known)
				spb_interface_remove(e, at, id);
			break;
		default:
			known = spb_op_is(spb_op(m, at), SPB_OP_NOTE) && m->note[i].word == at + 1;
			if (known)
				spb_remove(e, at);
			break;
		}
		if (!known)
			spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_ID_UNDEFINED, at,
				 "%s names %%%u, but a %s cannot be named here", spb_op_name(spb_op(m, at)), id,
				 spb_op_name(spb_def_op(m, id)));
	}
}

void spb_add_capability(struct spb_edit *e, uint32_t capability)
{
	struct spb_requests *r = requests_of(e);

	for (size_t i = 0; i < r->capabilities.count; i++) {
		if (r->capabilities.items[i] == capability)
			return;
	}
	SPB_PUSH(e->arena, &r->capabilities, capability);
	if (!spb_has_capability(e->m, capability))
		spb_insert(e, e->m->section[SPB_SECTION_EXTENSION], SpvOpCapability, W(capability));
}

void spb_remove_capability(struct spb_edit *e, uint32_t capability)
{
	const struct spb_module *m = e->m;

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		if (spb_capability(m, at) == capability)
			spb_remove(e, at);
	}
}

/* A string as operand words, including NUL and padding. */
static uint32_t *string_words(struct spb_edit *e, const char *string, uint32_t before, uint32_t *count)
{
	size_t length = strlen(string);
	uint32_t *words;

	*count = before + (uint32_t)(length / 4 + 1);
	words = spb_alloc_zeroed(e->arena, *count, sizeof *words);
	for (size_t i = 0; i < length; i++) /* SPIR-V 2.2.1, "Instructions": the first octet in the lowest-order bits */
		words[before + i / 4] |= (uint32_t)(unsigned char)string[i] << i % 4 * 8;
	return words;
}

void spb_add_extension(struct spb_edit *e, const char *name)
{
	struct spb_requests *r = requests_of(e);
	uint32_t count, *words;

	for (size_t i = 0; i < r->extensions.count; i++) {
		if (!strcmp(r->extensions.items[i], name))
			return;
	}
	SPB_PUSH(e->arena, &r->extensions, name);
	if (spb_has_extension(e->m, name))
		return;
	words = string_words(e, name, 0, &count);
	spb_insert(e, e->m->section[SPB_SECTION_IMPORT], SpvOpExtension, words, count);
}

uint32_t spb_add_import(struct spb_edit *e, const char *set)
{
	uint32_t count, *words = string_words(e, set, 1, &count);

	words[0] = spb_new_id(e);
	spb_insert(e, e->m->section[SPB_SECTION_MEMORY_MODEL], SpvOpExtInstImport, words, count);
	return words[0];
}

void spb_put_remark(struct spb_edit *e, spb_at at, const char *text)
{
	const struct spb_module *m = e->m;
	bool old = spb_version_word(m) < 0x00010100;
	uint32_t op = old ? SpvOpSourceExtension : SpvOpModuleProcessed;
	uint32_t count, *words = string_words(e, text, 0, &count);

	if (at)
		spb_replace(e, at, op, words, count);
	else
		spb_insert(e, m->section[old ? SPB_SECTION_NAME : SPB_SECTION_ANNOTATION], op, words, count);
}

void spb_add_name(struct spb_edit *e, uint32_t id, const char *name)
{
	uint32_t count, *words = string_words(e, name, 1, &count);

	words[0] = id;
	spb_insert(e, e->m->section[SPB_SECTION_PROCESSED], SpvOpName, words, count);
}

void spb_add_member_name(struct spb_edit *e, uint32_t type, uint32_t member, const char *name)
{
	uint32_t count, *words = string_words(e, name, 2, &count);

	words[0] = type;
	words[1] = member;
	spb_insert(e, e->m->section[SPB_SECTION_PROCESSED], SpvOpMemberName, words, count);
}

void spb_add_decoration(struct spb_edit *e, uint32_t id, uint32_t decoration, const uint32_t *literals, uint32_t count)
{
	uint32_t words[4] = {id, decoration};

	assert(count <= 2);
	if (count)
		memcpy(words + 2, literals, count * sizeof *literals);
	spb_insert(e, e->m->section[SPB_SECTION_GLOBAL], SpvOpDecorate, words, 2 + count);
}

uint32_t *spb_room_for_decorations(struct spb_edit *e, uint32_t count)
{
	const uint32_t first = (uint32_t)e->pool.count;

	e->pool.items = spb_reserve(e->arena, e->pool.items, first, count, &e->pool.capacity, sizeof *e->pool.items);
	e->pool.count += count;
	insert_pooled(e, e->m->section[SPB_SECTION_GLOBAL], SPB_SECTION_ANNOTATION, first, count);
	return e->pool.items + first;
}

void spb_add_decoration_id(struct spb_edit *e, uint32_t id, uint32_t decoration, uint32_t operand)
{
	spb_insert(e, e->m->section[SPB_SECTION_GLOBAL], SpvOpDecorateId, W(id, decoration, operand));
}

void spb_add_global(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count)
{
	insert(e, e->m->section[SPB_SECTION_FUNCTION], SPB_SECTION_GLOBAL, op, operands, count);
}

static void change_interface(struct spb_edit *e, spb_at entry_point, uint32_t id, bool remove)
{
	struct spb_requests *r = requests_of(e);

	r->interface.items = spb_reserve(e->arena, r->interface.items, r->interface.count, 1, &r->interface.capacity,
					 sizeof *r->interface.items);
	r->interface.items[r->interface.count].entry = entry_point;
	r->interface.items[r->interface.count].remove = remove;
	r->interface.items[r->interface.count++].id = id;
}

void spb_interface_add(struct spb_edit *e, spb_at entry_point, uint32_t id)
{
	change_interface(e, entry_point, id, false);
}

void spb_interface_remove(struct spb_edit *e, spb_at entry_point, uint32_t id)
{
	change_interface(e, entry_point, id, true);
}

static int by_first_word(const void *a, const void *b)
{
	uint32_t x, y; /* the key is the first field, and is all that is compared */

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* Rewrites one OpEntryPoint with the changes [first, end): first the ids that stay, then the new ones. `gone` is all
 * clear on entry and on return. */
static void rewrite_interface(struct spb_edit *e, size_t first, size_t end, uint32_t *gone)
{
	const struct spb_module *m = e->m;
	const struct spb_requests *r = e->requests;
	spb_at at = r->interface.items[first].entry;
	uint32_t old = spb_length(m, at), name = (uint32_t)strlen(spb_string(m, at + 3)) / 4 + 1, length = 3 + name;
	uint32_t *words = spb_alloc_array(e->arena, old + (end - first), sizeof *words);

	for (size_t i = first; i < end; i++) {
		if (r->interface.items[i].remove)
			spb_set_bit(gone, r->interface.items[i].id);
	}
	memcpy(words, m->words + at, length * sizeof *words);
	for (uint32_t w = length; w < old; w++) {
		if (!spb_bit(gone, m->words[at + w]))
			words[length++] = m->words[at + w];
	}
	for (size_t i = first; i < end; i++) {
		uint32_t id = r->interface.items[i].id;
		if (r->interface.items[i].remove)
			gone[id / 32] = 0;
		else
			words[length++] = id;
	}
	if (length > 0xFFFF)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_WORD_COUNT, at,
			 "the interface of this OpEntryPoint would exceed 65535 words, the limit for one "
			 "instruction" SPB_REMEDY "Use fewer variables in this entry point.");
	spb_replace(e, at, SpvOpEntryPoint, words + 1, length - 1);
}

/* Rewrites every OpEntryPoint once, so that no two changes overlap in one. */
static void rewrite_interfaces(struct spb_edit *e)
{
	const struct spb_requests *r = e->requests;
	uint32_t *gone;

	if (!r || !r->interface.count)
		return;
	gone = spb_bits(e->arena, e->bound);
	spb_sort(e->arena, r->interface.items, r->interface.count, sizeof *r->interface.items, by_first_word);
	for (size_t i = 0, end; i < r->interface.count; i = end) {
		for (end = i; end < r->interface.count && r->interface.items[end].entry == r->interface.items[i].entry;
		     end++)
			;
		rewrite_interface(e, i, end, gone);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct spb_change *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if ((x->del != 0) != (y->del != 0))
		return x->del ? 1 : -1;
	return (x->section > y->section) - (x->section < y->section);
}

/* Records where the words that are kept were in the original module. */
struct run_list {
	struct spb_run *items;
	size_t count, capacity;
	uint32_t old; /* index into the runs of the previous generation */
};

static void keep_run(struct spb_edit *e, struct run_list *runs, struct spb_arena *arena, uint32_t now, uint32_t at,
		     uint32_t count)
{
	const struct spb_module *m = e->m;

	if (!m->run) {
		SPB_PUSH(arena, runs, ((struct spb_run){now, at, count}));
		return;
	}
	while (runs->old < m->run_count && m->run[runs->old].now + m->run[runs->old].count <= at)
		runs->old++;
	for (uint32_t i = runs->old; i < m->run_count && m->run[i].now < at + count; i++) {
		struct spb_run r = m->run[i];
		uint32_t begin = r.now > at ? r.now : at;
		uint32_t end = r.now + r.count < at + count ? r.now + r.count : at + count;
		SPB_PUSH(arena, runs, ((struct spb_run){now + begin - at, r.was + begin - r.now, end - begin}));
	}
}

void spb_edit_commit(struct spb_edit *e)
{
	struct spb_module *m = e->m;
	struct spb_arena *arena = &m->gen[!m->current];
	struct run_list runs = {0};
	uint64_t total = m->count;

	rewrite_interfaces(e);
	if (e->bound != m->bound)
		spb_patch(e, 3, e->bound);
	spb_sort(e->arena, e->changes.items, e->changes.count, sizeof *e->changes.items, by_place);
	size_t most = m->run_count + 1; /* number of runs */
	for (size_t i = 0; i < e->changes.count; i++) {
		const struct spb_change *change = &e->changes.items[i];
		total += change->count - (uint64_t)change->del;
		most += !i || change->at > change[-1].at + change[-1].del;
	}
	if (total > 0x3FFFFFFF)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_TOO_LONG, 0,
			 "the rewritten module would be longer than 4 GiB" SPB_REMEDY "Split it.");

	/* In one allocation, since both have the same lifetime. */
	const size_t words_of_run = sizeof *runs.items / sizeof(uint32_t);
	uint32_t *words = spb_alloc_array(arena, (size_t)total + most * words_of_run, sizeof *words);
	runs = (struct run_list){.items = (struct spb_run *)(words + total), .capacity = most};
	uint32_t now = 0, at = 0;
	for (size_t i = 0; i <= e->changes.count; i++) {
		bool last = i == e->changes.count;
		struct spb_change change = {.at = m->count};
		if (!last)
			change = e->changes.items[i];
		if (change.at < at) /* only in an invalid module; the output would not have `total` words */
			spb_fail(m, SPB_ERROR_INTERNAL, SPB_E_INTERNAL, change.at,
				 "two changes of the module overlap here" SPB_REMEDY
				 "If the module is valid, this is a bug: please report it.");
		if (change.at > at) {
			memcpy(words + now, m->words + at, (change.at - at) * sizeof *words);
			keep_run(e, &runs, arena, now, at, change.at - at);
			now += change.at - at;
		}
		if (change.count)
			memcpy(words + now, e->pool.items + change.first, change.count * sizeof *words);
		now += change.count;
		at = change.at + change.del;
	}
	assert(now == total);

	spb_set_words(m, arena, words, now);
	m->checked = now;
	m->bound = e->bound;
	m->run = runs.items;
	m->run_count = (uint32_t)runs.count;
	spb_module_drop_index(m); /* the index refers to the old words and is freed with them */
	spb_arena_reset(&m->gen[m->current]);
	m->current = !m->current;
}
