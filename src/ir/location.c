/* SPDX-License-Identifier: Apache-2.0 */
/* location: where an instruction is, for messages.
 *
 * Everything here is on the cold path and is found by walking the module from its start, so the hot data need not
 * store it, and it works even while a module is being parsed. Offsets refer to the original module; for a generated
 * instruction, to the words before it. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "ir/ir.h"

enum { LONGEST_PRINTED = 200 }; /* bytes of a name in a message */

struct location {
	uint32_t file; /* id of an OpString; 0: none */
	uint32_t line, column, end_column;
	uint32_t function; /* id */
};

static const char *find_name(const struct spb_module *m, uint32_t id)
{
	if (m->indexed && id < m->bound)
		return spb_id_name(m, id);
	for (spb_at at = 5; at < m->checked; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpName && m->words[at + 1] == id)
			return spb_string(m, at + 2);
	}
	return "";
}

/* An OpName for messages, made printable: a hostile name must not control the reader's terminal. */
static const char *printable(struct spb_arena *arena, const char *text)
{
	size_t length = strlen(text);
	char *copy = spb_copy_text(arena, text, length > LONGEST_PRINTED ? LONGEST_PRINTED : length);

	for (char *p = copy; *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7F)
			*p = '?';
	}
	return copy;
}

static spb_at find_def(const struct spb_module *m, uint32_t id)
{
	return m->def ? m->def[id] : 0; /* there is no index between a commit and the next query */
}

static uint32_t constant(const struct spb_module *m, uint32_t id)
{
	spb_at at = find_def(m, id);

	return spb_op(m, at) == SpvOpConstant ? m->words[at + 3] : 0;
}

/* OpString of a DebugSource. */
static uint32_t source_file(const struct spb_module *m, uint32_t id)
{
	spb_at at = find_def(m, id);

	return spb_op(m, at) == SpvOpExtInst && m->words[at + 4] == NonSemanticShaderDebugInfo100DebugSource &&
		       spb_length(m, at) > 5
		   ? m->words[at + 5]
		   : 0;
}

bool spb_debug_line(const struct spb_module *m, spb_at at, uint32_t place[3])
{
	spb_at set = spb_op(m, at) == SpvOpExtInst ? find_def(m, m->words[at + 3]) : 0;

	if (spb_op(m, set) != SpvOpExtInstImport || !spb_is_debug_info(spb_string(m, set + 2)) ||
	    m->words[at + 4] != NonSemanticShaderDebugInfo100DebugLine)
		return false;
	place[0] = source_file(m, m->words[at + 5]);
	place[1] = constant(m, m->words[at + 6]);
	place[2] = constant(m, m->words[at + 8]);
	return spb_op(m, find_def(m, place[0])) == SpvOpString;
}

static void forget_line(struct location *p)
{
	*p = (struct location){.function = p->function};
}

static void follow_debug_line(const struct spb_module *m, spb_at at, uint32_t debug_info, struct location *p)
{
	if (m->words[at + 3] != debug_info)
		return;
	if (m->words[at + 4] == NonSemanticShaderDebugInfo100DebugLine) {
		p->file = source_file(m, m->words[at + 5]);
		p->line = constant(m, m->words[at + 6]);
		p->column = constant(m, m->words[at + 8]);
		p->end_column = constant(m, m->words[at + 7]) == p->line ? constant(m, m->words[at + 9]) : 0;
	} else if (m->words[at + 4] == NonSemanticShaderDebugInfo100DebugNoLine) {
		forget_line(p);
	}
}

/* Updates the location from an instruction. SPIR-V 3.3.3, "Debug Instructions": an OpLine applies until the next
 * one, OpNoLine, or the end of the block. */
static void follow(const struct spb_module *m, spb_at at, uint32_t *debug_info, struct location *p)
{
	switch (spb_op(m, at)) {
	case SpvOpExtInstImport:
		if (spb_is_debug_info(spb_string(m, at + 2)))
			*debug_info = m->words[at + 1];
		break;
	case SpvOpLine:
		p->file = m->words[at + 1];
		p->line = m->words[at + 2];
		p->column = m->words[at + 3];
		p->end_column = 0;
		break;
	case SpvOpNoLine:
		forget_line(p);
		break;
	case SpvOpExtInst:
		follow_debug_line(m, at, *debug_info, p);
		break;
	case SpvOpFunction:
		p->function = m->words[at + 2];
		break;
	default:
		break;
	}
}

static void leave(const struct spb_module *m, spb_at at, struct location *p)
{
	if (spb_op(m, at) == SpvOpFunctionEnd)
		p->function = 0;
	else if (spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR))
		forget_line(p);
}

/* Where NonSemantic.Shader.DebugInfo says that a variable outside functions is declared. Operands of
 * DebugGlobalVariable: Name, Type, Source, Line, Column, Parent, LinkageName, Variable, Flags. */
static void find_declaration(const struct spb_module *m, spb_at variable, uint32_t debug_info, struct location *p)
{
	for (spb_at at = variable; debug_info && at < m->checked && spb_op(m, at) != SpvOpFunction;
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpExtInst || m->words[at + 3] != debug_info ||
		    m->words[at + 4] != NonSemanticShaderDebugInfo100DebugGlobalVariable || spb_length(m, at) < 14 ||
		    m->words[at + 12] != m->words[variable + 2])
			continue;
		p->file = source_file(m, m->words[at + 7]);
		p->line = constant(m, m->words[at + 8]);
		p->column = constant(m, m->words[at + 9]);
	}
}

static struct location find_location(const struct spb_module *m, spb_at wanted)
{
	struct location p = {0};
	uint32_t debug_info = 0;

	for (spb_at at = 5; at < m->checked && at <= wanted; at = spb_next(m, at)) {
		follow(m, at, &debug_info, &p);
		if (at != wanted)
			leave(m, at, &p);
	}
	/* Compilers give lines to the body of a function rather than to the function itself. */
	for (spb_at at = wanted; wanted && !p.line && spb_op(m, wanted) == SpvOpFunction && at < m->checked &&
				 spb_op(m, at) != SpvOpFunctionEnd;
	     at = spb_next(m, at))
		follow(m, at, &debug_info, &p);
	if (!p.line && spb_op(m, wanted) == SpvOpVariable && !p.function)
		find_declaration(m, wanted, debug_info, &p);
	if (spb_op(m, find_def(m, p.file)) != SpvOpString)
		p.file = 0;
	return p;
}

struct spb_location_table spb_location_table(const struct spb_module *m, struct spb_arena *arena)
{
	struct spb_location_table table = {0};
	struct location p = {0};
	struct spb_source_place last = {0};
	uint32_t debug_info = 0;

	for (spb_at at = 5; at < m->count; at = spb_next(m, at)) {
		follow(m, at, &debug_info, &p);
		if (p.file != last.file || p.line != last.line || p.column != last.column ||
		    p.end_column != last.end_column) {
			last = (struct spb_source_place){p.file, p.line, p.column, p.end_column};
			SPB_PUSH(arena, &table, ((struct spb_placed){at, last}));
		}
		leave(m, at, &p);
	}
	return table;
}

struct spb_source_place spb_place_of(const struct spb_location_table *table, spb_at at)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (table->items[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && table->items[low - 1].place.line ? table->items[low - 1].place : (struct spb_source_place){0};
}

void spb_location_of(const struct spb_location_table *table, spb_at at, uint32_t *file, uint32_t *line)
{
	struct spb_source_place place = spb_place_of(table, at);

	*file = place.file;
	*line = place.line;
}

struct given {
	uint32_t word;
	bool made; /* by a pass; `word` is then the last original word before it */
};

/* Maps a word of the module to one of the input. The header is never created by a pass, so the first run begins with
 * it. */
static struct given given_word(const struct spb_module *m, uint32_t word)
{
	uint32_t low = 0, high = m->run_count;

	if (!m->run)
		return (struct given){word, false};
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (m->run[middle].now <= word)
			low = middle;
		else
			high = middle;
	}
	const struct spb_run r = m->run[low];
	const bool made = word - r.now >= r.count;
	return (struct given){r.was + (made ? r.count - 1 : word - r.now), made};
}

/* Finds the input's version of an instruction that a pass rewrote with the same result; 0: none. */
static uint32_t written_again(const struct spb_module *m, spb_at at)
{
	uint32_t result = spb_result(m, at), op = spb_op(m, at);
	uint32_t word = result && m->words[at + 1] == result ? 1 : 2;

	for (uint32_t i = 5; result && i < m->given_count; i += m->given[i] >> 16) {
		if ((m->given[i] & 0xFFFFu) == op && m->given[i + word] == result)
			return i;
	}
	return 0;
}

/* The same for an instruction: the instruction itself, or the last original one before it. */
static struct given given_instruction(const struct spb_module *m, spb_at at)
{
	const struct given g = given_word(m, at);
	const uint32_t again = g.made ? written_again(m, at) : g.word;
	uint32_t found = 0;

	if (again)
		return (struct given){again, false};
	for (uint32_t i = 5; i <= g.word; i += m->given[i] >> 16)
		found = i;
	return (struct given){found, true};
}

uint32_t spb_given_offset(const struct spb_module *m, spb_at at)
{
	return given_instruction(m, at).word;
}

const char *spb_label(struct spb_arena *arena, const struct spb_module *m, uint32_t id)
{
	struct spb_text_buffer text = {.arena = arena};
	const char *name = find_name(m, id);
	spb_at type = m->indexed && spb_def_op(m, id) == SpvOpVariable ? m->def[spb_type_of(m, id)] : 0;

	if (!*name && spb_op(m, type) == SpvOpTypePointer) /* a block without a name goes by that of its type */
		name = find_name(m, m->words[type + 3]);
	name = printable(arena, name);

	if (*name)
		spb_text_format(&text, "\"%s\"", name);
	else
		spb_text_format(&text, "%%%u", id);
	return spb_text_end(&text);
}

/* The reader does not know an instruction that a pass created, so the message names the one before it. */
static void describe(const struct spb_module *m, spb_message *message, spb_at at)
{
	const struct given g = given_instruction(m, at);
	uint32_t op = spb_op(m, at);

	message->word_offset = g.word;
	if (g.made)
		op = g.word ? m->given[g.word] & 0xFFFFu : 0;
	else if (at < m->checked)
		message->id = spb_result(m, at);
	message->op = op ? spb_op_name(op) : "";
	message->name = message->id ? printable(&m->context->scratch, find_name(m, message->id)) : "";
}

static const struct spb_declared_line *declared_line(const struct spb_module *m, uint32_t id)
{
	for (uint32_t i = 0; id && i < m->declared_count; i++) {
		if (m->declared[i].id == id)
			return &m->declared[i];
	}
	return NULL;
}

/* Fills in the source location, unless the caller knows it. */
static void locate(const struct spb_module *m, spb_message *message, spb_at at)
{
	struct spb_arena *arena = &m->context->scratch;
	const struct spb_declared_line *declared = declared_line(m, message->id);
	struct location p = {0};

	if (!message->file && declared) {
		message->file = printable(arena, declared->file);
		message->line = declared->line;
	} else if (message->file) {
		message->file = printable(arena, message->file);
		const struct spb_function *f = spb_function_around(m, at);
		p.function = f ? m->words[f->at + 2] : 0;
	} else {
		p = find_location(m, at);
		message->file = p.file ? printable(arena, spb_string(m, find_def(m, p.file) + 2)) : "";
		message->line = p.line;
		message->column = p.column;
		message->end_column = p.end_column;
	}
	if (message->end_column <= message->column)
		message->end_column = 0;
	message->function = p.function ? printable(arena, find_name(m, p.function)) : "";
}

spb_message_note spb_note(const struct spb_module *m, spb_at at, const char *format, ...)
{
	struct spb_text_buffer text = {.arena = &m->context->scratch};
	spb_message place = {0};
	va_list arguments;

	va_start(arguments, format);
	spb_text_vformat(&text, format, arguments);
	va_end(arguments);
	describe(m, &place, at);
	locate(m, &place, at);
	return (spb_message_note){.text = spb_text_end(&text),
				  .module = m->name,
				  .file = place.file,
				  .line = place.line,
				  .column = place.column,
				  .word_offset = place.word_offset,
				  .id = place.id,
				  .name = place.name};
}

void spb_report_message(const struct spb_module *m, spb_message message, spb_at at)
{
	struct spb_context *c = m->context;

	message.module = m->name;
	message.pass = c->pass ? c->pass : "";
	if (at && at < m->count) {
		describe(m, &message, at);
		locate(m, &message, at);
	} else {
		message.file = message.file ? printable(&c->scratch, message.file) : "";
	}
	spb_deliver(c, &message);
}

static void vreport(const struct spb_module *m, spb_severity severity, uint32_t code, spb_at at,
		    const spb_message_note *note, const char *format, va_list arguments)
{
	struct spb_text_buffer text = {.arena = &m->context->scratch};

	if (!m->context->callbacks.message) /* no listener */
		return;
	spb_text_vformat(&text, format, arguments);
	spb_report_message(m,
			   (spb_message){.severity = severity,
					 .code = code,
					 .text = spb_text_end(&text),
					 .notes = note,
					 .note_count = note ? 1 : 0},
			   at);
}

void spb_report_line(const struct spb_module *m, spb_severity severity, uint32_t code, const char *file, uint32_t line,
		     const char *format, ...)
{
	struct spb_context *c = m->context;
	va_list arguments;
	const spb_message message = {.severity = severity,
				     .code = code,
				     .module = m->name,
				     .pass = c->pass ? c->pass : "",
				     .file = printable(&c->scratch, file),
				     .line = line};

	va_start(arguments, format);
	spb_vdeliver(c, message, format, arguments);
	va_end(arguments);
}

void spb_report(const struct spb_module *m, spb_severity severity, uint32_t code, spb_at at, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vreport(m, severity, code, at, NULL, format, arguments);
	va_end(arguments);
}

void spb_report_two(const struct spb_module *m, spb_severity severity, uint32_t code, spb_at at, spb_message_note other,
		    const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vreport(m, severity, code, at, &other, format, arguments);
	va_end(arguments);
}

noreturn void spb_fail(const struct spb_module *m, spb_status status, uint32_t code, spb_at at, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vreport(m, SPB_SEVERITY_ERROR, code, at, NULL, format, arguments);
	va_end(arguments);
	spb_throw(m->context, status);
}

void spb_refuse_unknown_ops(const struct spb_module *m, uint32_t code, const char *so, const char *or_else)
{
	if (m->has_unknown_ops)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, code, 0,
			 "the module contains opcodes that the grammar of SPIR-V %s does not define, so %s" SPB_REMEDY
			 "Use a newer release of spirv-bind%s.",
			 spb_grammar_version(), so, or_else);
}

const char *spb_file_of(const struct spb_module *m, uint32_t file)
{
	const spb_at at = m->def[file];

	return spb_op(m, at) == SpvOpString && spb_is_short_string(m, at, at + 2) ? spb_string(m, at + 2) : NULL;
}
