/* SPDX-License-Identifier: Apache-2.0 */
/* files: the source files whose text a module carries, each joined from its pieces.
 *
 *     OpSource GLSL 460 %name "..."          %d = DebugSource %name %text
 *     OpSourceContinued "..."                     DebugSourceContinued %more
 *
 * The first is the main file. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "analysis/source/source.h"
#include "analysis/source/text.h"

struct texts {
	struct piece {
		const char *text;
		size_t length;
		uint32_t name; /* id of the OpString that begins a file; 0: continues the file */
		uint32_t language;
		bool begins;
	} * items;
	size_t count, capacity;
};

static void add_piece(struct texts *texts, struct spb_arena *arena, const char *text, uint32_t name, uint32_t language,
		      bool begins)
{
	SPB_PUSH(arena, texts, ((struct piece){text, strlen(text), name, language, begins}));
}

static const char *string_of(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, id) == SpvOpString ? spb_string(m, m->def[id] + 2) : "";
}

static struct texts collect_texts(const struct spb_module *m, struct spb_arena *arena)
{
	struct texts texts = {0};
	uint32_t set = spb_debug_info(m);

	for (spb_at at = m->section[SPB_SECTION_SOURCE]; at < m->section[SPB_SECTION_NAME]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpSource && spb_length(m, at) > 4)
			add_piece(&texts, arena, spb_string(m, at + 4), m->words[at + 3], m->words[at + 1], true);
		else if (spb_op(m, at) == SpvOpSourceContinued && texts.count)
			add_piece(&texts, arena, spb_string(m, at + 1), 0, 0, false);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; set && at < m->section[SPB_SECTION_FUNCTION];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpExtInst || m->words[at + 3] != set)
			continue;
		if (m->words[at + 4] == NonSemanticShaderDebugInfo100DebugSource && spb_length(m, at) > 6)
			add_piece(&texts, arena, string_of(m, m->words[at + 6]), m->words[at + 5],
				  spb_source_language(m), true);
		else if (m->words[at + 4] == NonSemanticShaderDebugInfo100DebugSourceContinued && texts.count)
			add_piece(&texts, arena, string_of(m, m->words[at + 5]), 0, 0, false);
	}
	return texts;
}

struct spb_files spb_collect_files(const struct spb_module *m, struct spb_arena *arena)
{
	struct texts texts = collect_texts(m, arena);
	struct spb_files files = {0};

	for (size_t i = 0, end; i < texts.count; i = end) {
		struct spb_text_buffer text = {.arena = arena};
		struct spb_file file = {
		    .bytes = texts.items[i].text, .length = texts.items[i].length, .language = texts.items[i].language};
		for (end = i + 1; end < texts.count && !texts.items[end].begins; end++)
			;
		for (size_t k = i; k < end && end > i + 1; k++)
			spb_text_add(&text, texts.items[k].text, texts.items[k].length);
		if (end > i + 1) {
			file.length = text.count;
			file.bytes = spb_text_end(&text);
		}
		file.name = string_of(m, texts.items[i].name);
		SPB_PUSH(arena, &files, file);
	}
	return files;
}
