/* SPDX-License-Identifier: Apache-2.0 */
/* finish: the last changes to a module after it has been rewritten and validated, while its names are still there for
 * messages and for the layout JSON. No id changes.
 *
 *     record          a note of version and options                 OpModuleProcessed "spirv-bind: 0.1.0 --rebind=all"
 *     strip_debug     removes names, lines, source text            OpName, OpLine, OpSource, DebugSource ...
 *
 * A changed module gets one note. Our own notes stay, since later runs read them (registers.c); so do strings that
 * something else refers to, such as a printf of the shader. Before SPIR-V 1.1 a note is an OpSourceExtension, as in
 * edit.c. */
#include "lib/lib.h"

static const char ours[] = "spirv-bind: ";

struct finish {
	struct spb_program *p;
	const struct spb_module *m;
	uint32_t debug_info; /* id of its import; 0: none */
	uint32_t *needed;    /* bits: ids that the remaining instructions refer to */
	uint32_t *to;
	size_t count;
	bool strips;
};

static bool is_note(uint32_t op)
{
	return op == SpvOpModuleProcessed || op == SpvOpSourceExtension;
}

/* Does a literal string begin with these octets? The comparison ends at its 0 byte. */
static bool is_text(const uint32_t *words, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (spb_octet(words, i) != text[i])
			return false;
	}
	return true;
}

/* Debug information, but for strings. */
static bool is_debug(const struct finish *f, const uint32_t *w)
{
	switch (w[0] & 0xFFFF) {
	case SpvOpName:
	case SpvOpMemberName:
	case SpvOpLine:
	case SpvOpNoLine:
	case SpvOpSource:
	case SpvOpSourceContinued:
		return true;
	case SpvOpModuleProcessed:
	case SpvOpSourceExtension:
		return !is_text(w + 1, ours, strlen(ours));
	case SpvOpExtInst:
		return w[3] == f->debug_info;
	case SpvOpExtInstImport:
		return w[1] == f->debug_info;
	default:
		return false;
	}
}

static bool stays(const struct finish *f, const uint32_t *w)
{
	if (!f->strips)
		return true;
	if ((w[0] & 0xFFFF) == SpvOpString)
		return f->needed[w[1] / 32] >> w[1] % 32 & 1;
	return !is_debug(f, w);
}

/* Outside debug information, only OpExtInst refers to strings. */
static void find_needed(struct finish *f)
{
	const struct spb_module *m = f->m;

	for (size_t at = 5; at < m->count && (m->words[at] & 0xFFFF) != SpvOpMemoryModel; at += m->words[at] >> 16) {
		if ((m->words[at] & 0xFFFF) == SpvOpExtInstImport && spb_is_debug_info(spb_string(m, (spb_at)(at + 2))))
			f->debug_info = m->words[at + 1];
	}
	f->needed = spb_bits(&f->p->context->scratch, m->bound);
	for (size_t at = 5; at < m->count; at += m->words[at] >> 16) {
		const uint32_t *w = m->words + at;
		if ((w[0] & 0xFFFF) != SpvOpExtInst || is_debug(f, w))
			continue;
		for (uint32_t i = 5; i < w[0] >> 16; i++) {
			if (w[i] < m->bound)
				f->needed[w[i] / 32] |= 1u << w[i] % 32;
		}
	}
}

static const char *note_text(const struct finish *f)
{
	struct spb_text_buffer text = {.arena = &f->p->context->scratch};
	const char *record = f->p->options.output.record;

	spb_text_format(&text, "%s%u.%u.%u", ours, SPB_VERSION_MAJOR, SPB_VERSION_MINOR, SPB_VERSION_PATCH);
	spb_text_format(&text, *record ? " %s" : "%s", record);
	return spb_text_end(&text);
}

static bool has_note(const struct spb_module *m, const char *text)
{
	for (size_t at = 5; at < m->count; at += m->words[at] >> 16) {
		if (is_note(m->words[at] & 0xFFFF) && is_text(m->words + at + 1, text, strlen(text) + 1))
			return true;
	}
	return false;
}

static void put_note(struct finish *f, uint32_t op, const char *text)
{
	size_t length = strlen(text);
	uint32_t count = (uint32_t)(length / 4 + 2), *to = f->to + f->count;

	memset(to, 0, count * sizeof *to);
	to[0] = count << 16 | op;
	for (size_t i = 0; i < length; i++) /* SPIR-V 2.2.1: the first octet in the lowest-order bits */
		to[1 + i / 4] |= (uint32_t)(unsigned char)text[i] << i % 4 * 8;
	f->count += count;
}

/* Copies the remaining instructions, with the note, if there is one, at the end of its section (SPIR-V 2.4, 7a and 7c).
 */
static void copy(struct finish *f, const char *note)
{
	const struct spb_module *m = f->m;
	bool old = spb_version_word(m) < 0x00010100;
	int behind = old ? SPB_SECTION_SOURCE : SPB_SECTION_PROCESSED;

	memcpy(f->to, m->words, 5 * sizeof *f->to);
	f->count = 5;
	for (size_t at = 5, length; at < m->count; at += length) {
		const uint32_t *w = m->words + at;
		length = w[0] >> 16;
		if (note && spb_op_facts(w[0] & 0xFFFF)->section > behind) {
			put_note(f, old ? SpvOpSourceExtension : SpvOpModuleProcessed, note);
			note = NULL;
		}
		if (!stays(f, w))
			continue;
		memcpy(f->to + f->count, w, length * sizeof *w);
		f->count += length;
	}
}

static bool has_debug(const struct finish *f)
{
	for (size_t at = 5; at < f->m->count; at += f->m->words[at] >> 16) {
		if (!stays(f, f->m->words + at))
			return true;
	}
	return false;
}

void spb_finish(struct spb_program *p, struct spb_slot *slot)
{
	struct finish f = {.p = p, .m = &slot->unit.m};
	const char *note = NULL;

	spb_arena_reset(&p->context->scratch);
	if (p->options.output.strip_debug) {
		find_needed(&f);
		f.strips = true;
		f.strips = has_debug(&f);
	}
	if (p->options.output.record && (f.m->run || f.strips)) {
		note = note_text(&f);
		if (has_note(f.m, note))
			note = NULL;
	}
	if (!f.strips && !note)
		return;
	f.to = spb_alloc_array(&p->keep, f.m->count + (note ? strlen(note) / 4 + 2 : 0), sizeof *f.to);
	copy(&f, note);
	slot->output = f.to;
	slot->output_count = f.count;
	slot->finished = true;
}
