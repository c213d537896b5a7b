/* SPDX-License-Identifier: Apache-2.0 */
/* source: the source text in a module (OpSource, DebugSource), and where it declares a resource. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "analysis/source/source.h"
#include "analysis/source/declarations.h"

struct texts {
	struct spb_text *items;
	size_t count, capacity;
	struct {
		struct source_file {
			size_t piece;  /* its first piece */
			uint32_t name; /* id of an OpString */
		} * items;
		size_t count, capacity;
	} files;
};

static void add_text(struct texts *texts, struct spb_arena *arena, const char *string)
{
	SPB_PUSH(arena, texts, ((struct spb_text){string, strlen(string)}));
}

/* Begins another file: a comment or a directive without a final newline must not continue into it. */
static void begin_file(struct texts *texts, struct spb_arena *arena, uint32_t name)
{
	if (texts->count)
		add_text(texts, arena, "\n");
	SPB_PUSH(arena, &texts->files, ((struct source_file){texts->count, name}));
}

static const char *string_of(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, id) == SpvOpString ? spb_string(m, m->def[id] + 2) : "";
}

/* The pieces of source text, in module order. */
static struct texts collect_texts(const struct spb_module *m, struct spb_arena *arena)
{
	struct texts texts = {0};
	uint32_t set = spb_debug_info(m);

	for (spb_at at = m->section[SPB_SECTION_SOURCE]; at < m->section[SPB_SECTION_NAME]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpSource && spb_length(m, at) > 4) {
			begin_file(&texts, arena, m->words[at + 3]);
			add_text(&texts, arena, spb_string(m, at + 4));
		} else if (spb_op(m, at) == SpvOpSourceContinued) {
			add_text(&texts, arena, spb_string(m, at + 1));
		}
	}
	if (!set)
		return texts;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpExtInst || m->words[at + 3] != set)
			continue;
		if (m->words[at + 4] == NonSemanticShaderDebugInfo100DebugSource && spb_length(m, at) > 6) {
			begin_file(&texts, arena, m->words[at + 5]);
			add_text(&texts, arena, string_of(m, m->words[at + 6]));
		} else if (m->words[at + 4] == NonSemanticShaderDebugInfo100DebugSourceContinued &&
			   spb_length(m, at) > 5)
			add_text(&texts, arena, string_of(m, m->words[at + 5]));
	}
	return texts;
}

/* A counter is declared where its buffer is. */
static struct spb_name searched_name(const char *name)
{
	const char *counted;
	size_t length = spb_counted_name(name, &counted);

	return length ? (struct spb_name){counted, length} : (struct spb_name){name, strlen(name)};
}

bool spb_find_in_source(const struct spb_module *m, const struct spb_variables *variables, uint64_t *order,
			struct spb_arena *arena)
{
	size_t n = variables->count;
	struct texts texts = collect_texts(m, arena);
	struct spb_name *names;
	uint64_t *places;
	uint32_t *table;

	if (!texts.count)
		return false;
	names = spb_alloc_array(arena, 2 * n, sizeof *names); /* own names, then keys */
	places = spb_alloc_array(arena, 2 * n, sizeof *places);
	table = spb_alloc_array(arena, spb_declarations_table_size(2 * n), sizeof *table);
	for (size_t i = 0; i < n; i++) {
		const struct spb_variable *v = &variables->items[i];
		names[i] = searched_name(v->part_of ? v->part_of : v->origin ? v->declared : v->name);
		names[n + i] = searched_name(v->declared);
	}
	spb_find_declarations(texts.items, texts.count, names, 2 * n, places, table);
	for (size_t i = 0; i < n; i++)
		order[i] = places[i] ? places[i] : places[n + i];
	return true;
}

bool spb_has_source_text(const struct spb_module *m)
{
	return collect_texts(m, &m->context->scratch).count > 0;
}

/* The number of the next line if this one is #line N or #line N "name"; 0: it is not. */
static uint32_t line_directive(const char *text, size_t length)
{
	size_t i = 0;
	uint64_t number = 0;

	while (i < length && (text[i] == ' ' || text[i] == '\t'))
		i++;
	if (length - i < 6 || memcmp(text + i, "#line ", 6) != 0)
		return 0;
	for (i += 6; i < length && text[i] >= '0' && text[i] <= '9' && number < UINT32_MAX; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	return number < UINT32_MAX ? (uint32_t)number : 0;
}

/* The line of the byte at `offset` from the beginning of `piece`. A directive that is split over two pieces is
 * ignored. */
static uint32_t line_of(const struct texts *texts, size_t piece, uint64_t offset)
{
	uint32_t line = 1;

	for (; piece < texts->count; piece++) {
		const struct spb_text *text = &texts->items[piece];
		for (size_t i = 0, start = 0; i < text->length; i++, offset--) {
			if (!offset)
				return line;
			if (text->bytes[i] != '\n')
				continue;
			uint32_t said = line_directive(text->bytes + start, i - start);
			line = said ? said : line + 1;
			start = i + 1;
		}
	}
	return line;
}

const char *spb_declared_at(const struct spb_module *m, const struct spb_variable *v, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};
	struct texts texts = collect_texts(m, arena);
	struct spb_variable copy = *v;
	const struct spb_variables one = {.items = &copy, .count = 1};
	uint64_t place, begin = 0;
	size_t piece = 0, file = 0;

	if (!texts.count || !spb_find_in_source(m, &one, &place, arena) || !place)
		return "";
	place = (place & ~SPB_DECLARED_PLACE) - 1;
	for (uint64_t at = 0; piece < texts.count && at <= place; at += texts.items[piece++].length) {
		if (file < texts.files.count && texts.files.items[file].piece == piece) {
			begin = at;
			file++;
		}
	}
	if (!file)
		return "";
	spb_text_format(&text, "%s:%u", string_of(m, texts.files.items[file - 1].name),
			line_of(&texts, texts.files.items[file - 1].piece, place - begin));
	return spb_text_end(&text);
}

bool spb_declares_place(uint64_t order)
{
	return order & SPB_DECLARED_PLACE;
}
