/* SPDX-License-Identifier: Apache-2.0 */
/* source: the source text in a module (OpSource, DebugSource), read as its compiler read it.
 *
 * The options on the compiler's command line are in remarks, which glslang writes before the text where SPIR-V 1.0 has
 * no instruction for them:
 *
 *     OpModuleProcessed "define-macro LIGHTS=4"        // OpModuleProcessed define-macro LIGHTS=4
 *     OpModuleProcessed "client vulkan100"             // OpModuleProcessed client vulkan100
 *                                                      #line 1
 *
 * The first text is the main file. spirv-link puts the texts of several modules into one, each in the language of its
 * OpSource. What compilers other than glslang define is unknown. */
#include "analysis/source/text.h"

static const char define[] = "define-macro ", undefine[] = "undef-macro ";
static const char comment[] = "// OpModuleProcessed ", first_line[] = "#line 1\n";

/* The options on the compiler's command line. */

struct command {
	bool opengl; /* rather than Vulkan */
	bool auto_mapped;
	bool glslang; /* its library has compiled the text, also for shaderc */
};

static bool begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

static void obey_remark(struct spb_reader *r, struct command *command, const char *remark)
{
	if (begins_with(remark, define)) {
		spb_define_text(r, remark + strlen(define));
	} else if (begins_with(remark, undefine)) {
		const char *name = remark + strlen(undefine);
		spb_undefine(r, spb_intern(r, name, strlen(name)));
	}
	command->opengl |= begins_with(remark, "client opengl");
	command->glslang |= begins_with(remark, "client ");
	command->auto_mapped |= begins_with(remark, "auto-map-bindings");
}

/* Reads the remarks before the text of the main file. Returns the text after them. */
static const char *obey_comments(struct spb_reader *r, struct command *command, const struct spb_file *file)
{
	const char *p = file->bytes, *end = p + file->length, *newline = NULL;

	while ((size_t)(end - p) > strlen(comment) && begins_with(p, comment)) {
		newline = memchr(p, '\n', (size_t)(end - p));
		if (!newline)
			break;
		p += strlen(comment);
		obey_remark(r, command, spb_copy_text(r->arena, p, (size_t)(newline - p)));
		p = newline + 1;
	}
	return newline && begins_with(p, first_line) ? p + strlen(first_line) : file->bytes;
}

static void obey_remarks(struct spb_reader *r, struct command *command, const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_PROCESSED]; at < m->section[SPB_SECTION_ANNOTATION];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpModuleProcessed)
			obey_remark(r, command, spb_string(m, at + 1));
	}
}

/* #version 450 compatibility: must be the first directive. */
static bool read_version(struct spb_reader *r, const struct spb_file *file)
{
	struct spb_lexer c = {.at = file->bytes, .end = file->bytes + file->length, .line = 1, .fresh = true};
	struct spb_token t = spb_lex(r, &c);
	uint64_t number;

	if (!spb_is_mark(&t, '#'))
		return false;
	c.directive = true;
	t = spb_lex(r, &c);
	if (t.word != SPB_WORD_version)
		return false;
	t = spb_lex(r, &c);
	if (spb_read_integer(&t, &number) && number < 10000)
		r->version = (uint32_t)number;
	t = spb_lex(r, &c);
	r->es = (t.length == 2 && !memcmp(t.bytes, "es", 2)) || r->version == 100;
	return t.length == 13 && !memcmp(t.bytes, "compatibility", 13);
}

bool spb_begin_text(struct spb_reader *r, uint32_t language, uint32_t generator, uint32_t stage)
{
	bool glsl = language == SpvSourceLanguageGLSL || language == SpvSourceLanguageESSL;

	r->version = 0;
	bool compatibility = read_version(r, &r->files.items[r->main]);
	bool hlsl =
	    language == SpvSourceLanguageHLSL || language == SPB_SOURCE_LANGUAGE_SLANG || (!glsl && !r->version);
	r->open_world = generator != SPB_GENERATOR_GLSLANG;
	r->wide = r->once = generator != SPB_GENERATOR_GLSLANG && generator != SPB_GENERATOR_SHADERC && hlsl;
	r->expands_pasted = hlsl && !r->wide;
	r->row_major = false;
	if (hlsl) {
		r->version = r->wide ? 0 : 500; /* as glslang defines it */
		r->es = false;
	}
	if (!r->wide)
		spb_predefine(r, compatibility, stage);
	if (!r->units.count)
		spb_normalize_names(r);
	SPB_PUSH(r->arena, &r->units, ((struct spb_text_unit){.language = language, .hlsl = hlsl, .wide = r->wide}));
	return hlsl;
}

/* Another text knows none of the macros, types and constants of the one before. */
static void forget(struct spb_reader *r)
{
	if (!r->units.count || !spb_spend(r, r->words.count + r->files.count, NULL))
		return;
	for (size_t i = 0; i < r->words.count; i++) {
		struct spb_word *word = &r->words.items[i];
		word->macro = NULL;
		word->type = 0;
		word->is_constant = false;
	}
	for (size_t i = 0; i < r->files.count; i++)
		r->files.items[i].once = false;
}

/* The stage of a module is that of its first entry point; those of linked modules follow each other. */
static uint32_t stage_of(const struct spb_module *m, size_t unit)
{
	spb_at at = m->section[SPB_SECTION_ENTRY_POINT];
	const spb_at end = m->section[SPB_SECTION_ENTRY_POINT + 1];

	while (unit-- && at < end)
		at = spb_next(m, at);
	return at < end ? m->words[at + 1] : UINT32_MAX;
}

static void find_stages(struct spb_reader *r, const struct spb_module *m)
{
	size_t entries = 0;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_ENTRY_POINT + 1];
	     at = spb_next(m, at))
		entries++;
	for (size_t i = 0; i < r->units.count && entries == r->units.count; i++)
		r->units.items[i].stage = spb_stage_bit(stage_of(m, i));
}

/* Begins a unit, and defines the macros that exist before its first line. */
static void begin_unit(struct spb_reader *r, const spb_options *options, const struct spb_module *m,
		       struct spb_source_text *result)
{
	struct command command = {0};
	struct spb_file *file = &r->files.items[r->main];
	uint32_t generator = spb_generator(m);

	forget(r);
	const char *text = obey_comments(r, &command, file), *begin = file->bytes;
	file->length -= (size_t)(text - begin);
	file->bytes = text;
	if (generator == SPB_GENERATOR_LINKER && (command.glslang || spb_find_remark(m, "client ")))
		generator = SPB_GENERATOR_SHADERC; /* or glslang: the linker has replaced the generator */
	result->hlsl |= spb_begin_text(r, file->language, generator, stage_of(m, r->units.count));
	obey_remarks(r, &command, m);
	for (uint32_t i = 0; i < options->layout.macro_count && r->open_world; i++)
		spb_define_text(r, options->layout.macros[i]);
	r->open_world &= !options->layout.macro_count;
	result->open_world |= r->open_world;
	result->opengl |= command.opengl;
	result->auto_mapped |= command.auto_mapped && !spb_find_remark(m, SPB_NUMBERED_REMARK);
	if (command.opengl)
		spb_define_text(r, "GL_SPIRV=100");
	else if (!r->wide)
		spb_define_text(r, "VULKAN=100");
}

/* Whether it is the main file of another module, which a linker has put into this one. */
static bool begins_unit(const struct spb_reader *r, const struct spb_file *file)
{
	return r->linked || begins_with(file->bytes, comment) || begins_with(file->bytes, "#version");
}

/* The compiler has read the file, so macros that are not known include it, at a place that is not known either. */
static void doubt_order(struct spb_reader *r, const struct spb_file *file, size_t first)
{
	bool declares = false;

	for (size_t i = first; i < r->declarations.count; i++)
		declares |= !r->declarations.items[i].other && !r->declarations.items[i].constant;
	if (declares)
		spb_text_fails(r, NULL, "%s is included only with macros that the module does not record", file->name);
}

/* Reads the main file with what it includes, then files that were not included. */
bool spb_read_text(struct spb_reader *r)
{
	for (size_t i = r->main; i < r->files.count && !r->failure; i++) {
		const struct spb_file *file = &r->files.items[i];
		if (file->read)
			continue;
		if (i > r->main && begins_unit(r, file)) {
			r->main = i;
			return false;
		}
		const size_t first = r->declarations.count;
		spb_push_file(r, i, 1);
		if (r->units.items[r->units.count - 1].hlsl)
			spb_read_hlsl(r);
		else
			spb_read_glsl(r);
		if (i > r->main && r->open_world)
			doubt_order(r, file, first);
	}
	return true;
}

static struct spb_dialect dialect_of(const struct spb_module *m, const struct spb_text_unit *unit)
{
	if (!unit->hlsl)
		return (struct spb_dialect){"gl_DefaultUniformBlock", "", "@count", false, false};
	if (unit->language == SPB_SOURCE_LANGUAGE_SLANG)
		return (struct spb_dialect){"globalParams", "", "@count", false, false};
	return unit->wide ? (struct spb_dialect){"$Globals", "counter.var.", "", true, !spb_numbers_bindings(m)}
			  : (struct spb_dialect){"$Global", "", "@count", true, true};
}

static const struct spb_dialect *dialects_of(const struct spb_module *m, const struct spb_reader *r)
{
	struct spb_dialect *all = spb_alloc_array(r->arena, r->units.count, sizeof *all);

	for (size_t i = 0; i < r->units.count; i++)
		all[i] = dialect_of(m, &r->units.items[i]);
	return all;
}

/* For messages about variables, since no OpLine says where they are. */
static void note_lines(struct spb_module *m, const struct spb_variables *variables, struct spb_arena *keep)
{
	struct spb_declared_line *lines = spb_alloc(keep, variables->count * sizeof *lines);

	m->declared = lines;
	m->declared_count = 0;
	for (size_t i = 0; i < variables->count; i++) {
		const struct spb_declaration *d = variables->items[i].extra->declaration;
		if (d)
			lines[m->declared_count++] =
			    (struct spb_declared_line){variables->items[i].id, d->line, d->file};
	}
}

struct spb_source_text spb_open_text(struct spb_reader *r, const spb_options *options, const struct spb_module *m,
				     struct spb_arena *scratch)
{
	struct spb_files files = spb_collect_files(m, scratch);
	struct spb_source_text result = {.present = files.count > 0, .file = ""};
	size_t length = 0;

	if (!files.count)
		return result;
	for (size_t i = 0; i < files.count; i++)
		length += files.items[i].length;
	/* real texts spend less than twice their length; each unit may take a hundred bytes of memory */
	spb_reader_begin(r, scratch, (INT64_C(1) << 15) + 4 * (int64_t)length);
	r->files = files;
	r->options = options;
	r->linked = spb_find_remark(m, "Linked by ");
	do
		begin_unit(r, options, m, &result);
	while (!spb_read_text(r));
	if (r->units.count > 1)
		find_stages(r, m);
	return result;
}

struct spb_source_text spb_read_source(const spb_options *options, struct spb_module *m,
				       struct spb_variables *variables, struct spb_arena *keep,
				       struct spb_arena *scratch)
{
	struct spb_matches matches = {0};
	struct spb_reader r;
	struct spb_source_text result = spb_open_text(&r, options, m, scratch);

	if (!result.present)
		return result;
	if (!r.failure && spb_find_evidence(&r, variables, &matches)) {
		result.declarations = spb_list_declared(&r, m, &matches, dialects_of(m, &r), variables, keep);
		note_lines(m, variables, keep);
	}
	if (!r.failure)
		return result;
	result.fault = spb_copy_text(keep, r.failure, strlen(r.failure));
	result.line = r.failure_line;
	result.file = r.failure_line
			  ? spb_copy_text(keep, r.names.items[r.failure_file], strlen(r.names.items[r.failure_file]))
			  : "";
	return result;
}

const char *spb_declared_at(const struct spb_variable *v, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};

	if (!v->extra->declaration)
		return "";
	spb_text_format(&text, "%s:%u", v->extra->declaration->file, v->extra->declaration->line);
	return spb_text_end(&text);
}
