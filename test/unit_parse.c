/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing: the fast path for ordinary instructions and the careful one have to agree; and the index, against
 * SPIRV-Tools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "ir/parse.h"
#include "parsed.h"

/* Modules of test/parse. */
static const char *const names[] = {"ordinary", "unusual"};

static const char *text_of(const char *name)
{
	static char text[10000];
	char path[1000];

	snprintf(path, sizeof path, "%s/%s.spvasm", SPB_PARSE, name);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void everything_ordinary_is_read_in_one_run(void **state)
{
	struct parsed p;
	size_t count;
	uint32_t *words = words_of(text_of("ordinary"), &count);

	(void)state;
	parse(&p, words, count);
	assert_false(p.refused);
	assert_null(p.m.gen[1].head);       /* the arena of the next generation is empty */
	const struct spb_module read = p.m; /* replaces earlier results by those of the fast path */
	struct parse run = {.m = &p.m, .rows = spb_op_rows, .section = 0, .state = OUTSIDE};
	p.m.known = spb_alloc_zeroed(&p.m.keep, p.m.bound, sizeof *p.m.known);
	p.m.has = 0;
	memset(p.m.section, 0, sizeof p.m.section);
	p.m.section[0] = 5;
	spb_begin_index(&p.m);
	const spb_at functions = read.section[SPB_SECTION_FUNCTION];
	run.sets[0].id = 1;
	run.sets[0].set = spb_find_set("GLSL.std.450");
	run.set_count = 1;
	/* An import and the first OpFunction take the careful path. */
	const spb_at import = read.section[SPB_SECTION_IMPORT];
	assert_int_equal(spb_accept_run(&run, 5), import);
	p.m.def[1] = p.m.section[SPB_SECTION_IMPORT] = import;
	p.m.known[1] = ID_DEFINED;
	run.section = SPB_SECTION_IMPORT;
	assert_int_equal(spb_accept_run(&run, spb_next(&p.m, import)), functions);
	assert_memory_equal(p.m.section, read.section, SPB_SECTION_FUNCTION * sizeof *read.section);
	run.section = SPB_SECTION_FUNCTION;
	assert_int_equal(spb_accept_run(&run, functions), p.m.count);
	assert_memory_equal(p.m.def, read.def, read.bound * sizeof *read.def);
	assert_memory_equal(p.m.known, read.known, read.bound);
	assert_int_equal(p.m.has, read.has);
	assert_int_equal(run.functions.count, read.function_count);
	assert_memory_equal(run.functions.items, read.function, read.function_count * sizeof *read.function);
	assert_int_equal(run.calls.count, 1);
	assert_int_equal(run.variables.count, 2);
	spb_index_notes(&p.m);
	assert_memory_equal(p.m.first_note, read.first_note, (read.bound + 1) * sizeof *read.first_note);
	end_parsed(&p);
	free(words);
}

enum { NEW_SET = 95 };

/* The set whose instructions have literal operands makes everything after it take the careful path; another name of the
 * same length does not. */
struct twice {
	struct parsed quick, careful;
	uint32_t *quick_words, *careful_words;
	size_t count;
	bool differ; /* in the path taken: the import of the set was not damaged */
};

static void assert_same_places(const spb_at *a, uint32_t a_count, const spb_at *b, uint32_t b_count)
{
	assert_int_equal(a_count, b_count);
	if (a_count)
		assert_memory_equal(a, b, a_count * sizeof *a);
}

static void assert_same_index(const struct spb_module *a, const struct spb_module *b)
{
	assert_int_equal(a->bound, b->bound);
	assert_memory_equal(a->section, b->section, sizeof a->section);
	assert_memory_equal(a->def, b->def, a->bound * sizeof *a->def);
	assert_memory_equal(a->first_note, b->first_note, (a->bound + 1) * sizeof *a->first_note);
	if (a->first_note[a->bound])
		assert_memory_equal(a->note, b->note, a->first_note[a->bound] * sizeof *a->note);
	assert_int_equal(a->decorated_count, b->decorated_count);
	if (a->decorated_count)
		assert_memory_equal(a->decorated, b->decorated, a->decorated_count * sizeof *a->decorated);
	assert_int_equal(a->function_count, b->function_count);
	if (a->function_count)
		assert_memory_equal(a->function, b->function, a->function_count * sizeof *a->function);
	assert_same_places(a->call, a->call_count, b->call, b->call_count);
	assert_same_places(a->variable, a->variable_count, b->variable, b->variable_count);
}

/* Returns whether the module was accepted. */
static bool assert_read_alike(struct twice *t)
{
	parse(&t->quick, t->quick_words, t->count);
	parse(&t->careful, t->careful_words, t->count);
	const struct spb_module *a = &t->quick.m, *b = &t->careful.m;
	const bool accepted = !t->quick.refused;
	assert_int_equal(t->quick.refused, t->careful.refused);
	if (accepted) {
		assert_same_index(a, b);
		assert_memory_equal(a->known, b->known, a->bound);
		assert_int_equal(a->has, b->has);
		assert_int_equal(a->has_unknown_ops, b->has_unknown_ops);
		assert_int_equal(a->has_bindless, b->has_bindless);
		assert_int_equal(a->source_language, b->source_language);
		assert_int_equal(a->checked, b->checked);
		t->differ = !a->has_literals && b->has_literals;
	} else {
		assert_string_equal(t->quick.said.text, t->careful.said.text);
		assert_int_equal(t->quick.said.last.code, t->careful.said.last.code);
		assert_int_equal(t->quick.said.last.word_offset, t->careful.said.last.word_offset);
	}
	end_parsed(&t->quick);
	end_parsed(&t->careful);
	return accepted;
}

/* The text with an import before its memory model. */
static struct twice begin_twice(const char *text)
{
	struct twice t = {.count = 0};
	const char *model = strstr(text, "OpMemoryModel");
	char *with = malloc(strlen(text) + 100);

	assert_non_null(with);
	for (int careful = 0; careful < 2; careful++) {
		sprintf(with, "%.*s%%95 = OpExtInstImport \"DebugInfo\"\n%s", (int)(model - text), text, model);
		*(careful ? &t.careful_words : &t.quick_words) = words_of(with, &t.count);
	}
	spb_at at = 5;
	while (t.quick_words[at + 1] != NEW_SET || t.quick_words[at] != (5 << 16 | SpvOpExtInstImport))
		at += t.quick_words[at] >> 16;
	t.quick_words[at + 2] ^= 0x20;
	t.quick_words[3] = t.careful_words[3] = 98;
	free(with);
	return t;
}

static void end_twice(struct twice *t)
{
	free(t->quick_words);
	free(t->careful_words);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Each word of each module takes other values, one at a time: ids around the bound, other words, and slightly different
 * opcodes and lengths. */
static void careful_and_fast_parsing_agree(void **state)
{
	uint32_t seed = 1, accepted = 0, refused = 0;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(names); i++) {
		struct twice t = begin_twice(text_of(names[i]));
		assert_true(assert_read_alike(&t) && t.differ);
		for (size_t at = 5; at < t.count; at++) {
			const uint32_t was = t.quick_words[at], bound = t.quick_words[3];
			if (was != t.careful_words[at] || at == 3) /* the name of the set */
				continue;
			const uint32_t others[] = {0,
						   bound - 1,
						   bound,
						   was + 1,
						   was - 1,
						   was + 0x10000,
						   was - 0x10000,
						   t.quick_words[t.count - 1 - next_random(&seed) % (t.count / 2)],
						   (was & 0xFFFF0000) | next_random(&seed) % 400,
						   was ^ 1u << next_random(&seed) % 32};
			for (size_t k = next_random(&seed) % 2; k < SPB_COUNT(others); k += 2) {
				t.quick_words[at] = t.careful_words[at] = others[k];
				if (others[k] != NEW_SET) /* whose instructions differ */
					*(assert_read_alike(&t) ? &accepted : &refused) += 1;
			}
			t.quick_words[at] = t.careful_words[at] = was;
		}
		end_twice(&t);
	}
	assert_true(accepted > 100 && refused > 500);
}

/* A module may end anywhere. */
static void careful_and_fast_parsing_agree_on_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < SPB_COUNT(names); i++) {
		struct twice t = begin_twice(text_of(names[i]));
		while (t.count > 5) {
			t.count--;
			assert_read_alike(&t);
		}
		end_twice(&t);
	}
}

/* Each instruction is removed, duplicated, or swapped with the next one. */
static void careful_and_fast_parsing_agree_on_order(void **state)
{
	uint32_t accepted = 0, refused = 0;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(names); i++) {
		struct twice t = begin_twice(text_of(names[i]));
		uint32_t *words[] = {t.quick_words, t.careful_words};
		const size_t count = t.count;
		for (size_t at = 5, length; at < count; at += length) {
			length = words[0][at] >> 16;
			const size_t after = at + length, next = after < count ? words[0][after] >> 16 : 0;
			for (int what = 0; what < 3; what++) {
				uint32_t *changed[2];
				for (int k = 0; k < 2; k++) {
					uint32_t *to = changed[k] = malloc((count + length) * sizeof *to);
					const size_t second = what == 0 ? 0 : length;
					memcpy(to, words[k], at * sizeof *to);
					if (what == 2) { /* the next one first */
						memcpy(to + at, words[k] + after, next * sizeof *to);
						memcpy(to + at + next, words[k] + at, length * sizeof *to);
						memcpy(to + after + next, words[k] + after + next,
						       (count - after - next) * sizeof *to);
						t.count = count;
						continue;
					}
					memcpy(to + at, words[k] + at, second * sizeof *to);
					memcpy(to + at + second, words[k] + (what ? at : after),
					       (count - (what ? at : after)) * sizeof *to);
					t.count = what ? count + length : count - length;
				}
				t.quick_words = changed[0];
				t.careful_words = changed[1];
				if (what || length < 2 ||
				    words[0][at + 1] != NEW_SET) /* without the import there is no difference */
					*(assert_read_alike(&t) ? &accepted : &refused) += 1;
				free(changed[0]);
				free(changed[1]);
			}
		}
		free(words[0]);
		free(words[1]);
	}
	assert_true(accepted > 50 && refused > 200);
}

/* The index by SPIRV-Tools. */
struct model {
	struct {
		struct spb_use use;
		uint32_t id;
		int section;
	} ids[1000];
	uint32_t id_count, def[200], note_count[200], use_count[200];
	struct spb_use note[200][40], use[200][60];
	spb_at section[SPB_SECTION_COUNT + 1], lines, at;
	uint32_t function_count, call_count, variable_count;
	struct spb_function function[10];
	spb_at call[10], variable[20];
	int reached;
};

static spv_result_t model_instruction(void *user, const spv_parsed_instruction_t *i)
{
	struct model *o = user;
	const int section = spb_op_facts(i->opcode)->section;
	const bool is_line = i->opcode == SpvOpLine || i->opcode == SpvOpNoLine;
	const spb_at begin = o->lines ? o->lines : o->at;

	o->lines = is_line ? begin : 0;
	while (o->reached < section && o->reached < SPB_SECTION_FUNCTION)
		o->section[++o->reached] = begin;
	if (i->result_id)
		o->def[i->result_id] = o->at;
	if (i->opcode == SpvOpFunction)
		o->function[o->function_count++].at = o->at;
	if (i->opcode == SpvOpLabel && !o->function[o->function_count - 1].body)
		o->function[o->function_count - 1].body = o->at;
	if (i->opcode == SpvOpFunctionEnd) {
		struct spb_function *f = &o->function[o->function_count - 1];
		f->end = o->at;
		f->body = f->body ? f->body : o->at; /* a declaration */
	}
	if (i->opcode == SpvOpFunctionCall)
		o->call[o->call_count++] = o->at;
	if (i->opcode == SpvOpVariable && o->reached < SPB_SECTION_FUNCTION &&
	    (i->words[3] == SpvStorageClassUniform || i->words[3] == SpvStorageClassUniformConstant ||
	     i->words[3] == SpvStorageClassStorageBuffer))
		o->variable[o->variable_count++] = o->at;
	for (uint32_t k = 0; k < i->num_operands; k++) {
		const spv_operand_type_t type = i->operands[k].type;
		const uint32_t word = i->operands[k].offset, id = i->words[word];
		if (type != SPV_OPERAND_TYPE_ID && type != SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID &&
		    type != SPV_OPERAND_TYPE_SCOPE_ID)
			continue;
		o->ids[o->id_count].use = (struct spb_use){o->at, o->at + word};
		o->ids[o->id_count].id = id;
		o->ids[o->id_count++].section = section;
	}
	o->at += i->num_words;
	return SPV_SUCCESS;
}

/* Called when the section of the preceding lines is known. */
static void tell_notes_from_uses(struct model *o)
{
	for (uint32_t i = 0; i < o->id_count; i++) {
		const uint32_t id = o->ids[i].id;
		if (o->ids[i].use.at >= o->section[SPB_SECTION_GLOBAL])
			o->use[id][o->use_count[id]++] = o->ids[i].use;
		else if (o->ids[i].section >= SPB_SECTION_ENTRY_POINT)
			o->note[id][o->note_count[id]++] = o->ids[i].use;
	}
}

static void assert_index_is(const struct spb_module *m, const struct model *o)
{
	for (int s = 0; s <= SPB_SECTION_COUNT; s++)
		assert_int_equal(m->section[s], o->section[s]);
	for (uint32_t id = 1; id < m->bound; id++) {
		assert_int_equal(m->def[id], o->def[id]);
		assert_int_equal(m->first_note[id + 1] - m->first_note[id], o->note_count[id]);
		if (o->note_count[id])
			assert_memory_equal(m->note + m->first_note[id], o->note[id],
					    o->note_count[id] * sizeof *m->note);
		if (m->first_use[id + 1] - m->first_use[id] != o->use_count[id])
			print_message("%%%u\n", id);
		assert_int_equal(m->first_use[id + 1] - m->first_use[id], o->use_count[id]);
		if (o->use_count[id])
			assert_memory_equal(m->use + m->first_use[id], o->use[id], o->use_count[id] * sizeof *m->use);
	}
	assert_int_equal(m->function_count, o->function_count);
	assert_memory_equal(m->function, o->function, o->function_count * sizeof *o->function);
	assert_same_places(m->call, m->call_count, o->call, o->call_count);
	assert_same_places(m->variable, m->variable_count, o->variable, o->variable_count);
}

/* No old index is accessible. */
static void assert_index_is_gone(const struct spb_module *m)
{
	assert_false(m->indexed);
	assert_true(!m->def && !m->first_note && !m->note && !m->first_use && !m->use && !m->decorated);
	assert_true(!m->function && !m->call && !m->variable);
	assert_int_equal(m->decorated_count + m->function_count + m->call_count + m->variable_count, 0);
}

static void need_uses(void *argument)
{
	spb_module_need_uses(argument);
}

/* After parsing, and rebuilt as after a pass. */
static void the_index_is_that_of_spirv_tools(void **state)
{
	(void)state;
	for (size_t i = 0; i < SPB_COUNT(names); i++) {
		static struct model o;
		struct parsed p;
		size_t count;
		uint32_t *words = words_of(text_of(names[i]), &count);
		spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
		o = (struct model){.at = 5, .reached = -1};
		assert_int_equal(spvBinaryParse(context, &o, words, count, NULL, model_instruction, NULL), SPV_SUCCESS);
		o.section[SPB_SECTION_COUNT] = (uint32_t)count;
		tell_notes_from_uses(&o);
		spvContextDestroy(context);
		parse(&p, words, count);
		assert_false(p.refused);
		for (int round = 0; round < 3; round++) {
			assert_false(caught(p.m.context, need_uses, &p.m));
			assert_index_is(&p.m, &o);
			const spb_at *def = p.m.def;
			spb_module_need_index(&p.m); /* which exists */
			assert_ptr_equal(p.m.def, def);
			spb_module_drop_index(&p.m);
			assert_index_is_gone(&p.m);
			p.m.has = 0;
			memset(p.m.section, 0, sizeof p.m.section);
			if (round)
				spb_module_need_index(&p.m);
			assert_int_equal(p.m.has, round ? SPB_HAS_ANYTHING : 0);
		}
		end_parsed(&p);
		free(words);
	}
}

#define OP(op, count) ((uint32_t)(count) << 16 | (uint32_t)(op))
#define MAGIC         0x07230203u /* SpvMagicNumber is not a constant expression */
#define HEADER(bound) MAGIC, 0x00010300, 0, bound, 0
#define TYPE_INT(id)  OP(SpvOpTypeInt, 4), id, 32, 0
#define TYPE_VOID(id) OP(SpvOpTypeVoid, 2), id
#define ROW(code, at, text, ...)                                                                                       \
	{                                                                                                              \
		(const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), code, at, text    \
	}

/* The fault, its position, and the words of the message; code 0: none. */
static const struct {
	const uint32_t *words;
	size_t count;
	uint32_t code, at;
	const char *text;
} faults[] = {
    ROW(SPB_E_TOO_SHORT, 0, "the input has only 4 words, but the header of a SPIR-V module alone has 5", MAGIC, 0x10000,
	0, 1),
    ROW(SPB_E_MAGIC, 0, "the first word is 0x7230204, not SPIR-V's magic number 0x07230203", MAGIC + 1, 0x10000, 0, 1,
	0),
    ROW(0, 0, "", MAGIC, 0x10000, 0, 1, 0),
    ROW(0, 0, "", MAGIC, 0x10600, 0, 1, 0),
    ROW(0, 0, "", 0x03022307, 0x00030100, 0, 0x01000000, 0),
    ROW(SPB_E_VERSION, 0, "version word 0x10700 does not name a version from SPIR-V 1.0 to 1.6", MAGIC, 0x10700, 0, 1,
	0),
    ROW(SPB_E_VERSION, 0, "version word 0x100 does not name a version from SPIR-V 1.0 to 1.6", MAGIC, 0x100, 0, 1, 0),
    ROW(SPB_E_VERSION, 0, "version word 0x10301 does not name a version from SPIR-V 1.0 to 1.6", MAGIC, 0x10301, 0, 1,
	0),
    ROW(SPB_E_VERSION, 0, "version word 0x1010300 does not name a version from SPIR-V 1.0 to 1.6", MAGIC, 0x1010300, 0,
	1, 0),
    ROW(SPB_E_BOUND, 0, "the id bound 4194305 is not in the range 1 to 4194304", MAGIC, 0x10000, 0, 0x400001, 0),
    ROW(SPB_E_BOUND, 0, "the id bound 0 is not in the range 1 to 4194304", MAGIC, 0x10000, 0, 0, 0),
    ROW(0, 0, "", MAGIC, 0x10000, 0, 0x400000, 0),
    ROW(SPB_E_ID_RANGE, 5, "OpTypeVoid names id 4, which is not in the range 1 to 3", HEADER(4), TYPE_VOID(4)),
    ROW(SPB_E_ID_RANGE, 5, "OpTypeVoid names id 0, which is not in the range 1 to 3", HEADER(4), TYPE_VOID(0)),
    ROW(SPB_E_OPERANDS, 5, "OpTypeInt has 3 words, but needs at least 4", HEADER(4), OP(SpvOpTypeInt, 3), 1, 32),
    ROW(SPB_E_ID_TWICE, 9, "OpTypeVoid defines %1, which the OpTypeInt at word 5 already defines", HEADER(4),
	TYPE_INT(1), TYPE_VOID(1)),
    ROW(SPB_E_NOT_A_TYPE, 13, "OpTypePointer points to %2, which is not a type", HEADER(4), TYPE_INT(1),
	OP(SpvOpConstant, 4), 1, 2, 3, OP(SpvOpTypePointer, 4), 3, SpvStorageClassPrivate, 2),
    ROW(0, 0, "", HEADER(4), OP(60000, 1), TYPE_INT(1), OP(SpvOpConstant, 4), 1, 2, 3, OP(SpvOpTypePointer, 4), 3,
	SpvStorageClassPrivate, 2), /* an unknown opcode may change everything */
    ROW(SPB_E_NOT_A_CONSTANT, 11, "the length of an OpTypeArray, %1, is not a constant", HEADER(5), TYPE_INT(1),
	TYPE_VOID(2), OP(SpvOpTypeArray, 4), 3, 2, 1),
    ROW(0, 0, "", HEADER(5), OP(60000, 1), TYPE_INT(1), TYPE_VOID(2), OP(SpvOpTypeArray, 4), 3, 2, 1),
    ROW(SPB_E_NOT_A_TYPE, 9, "OpTypeSampledImage is made of %1, which is not an OpTypeImage", HEADER(4), TYPE_INT(1),
	OP(SpvOpTypeSampledImage, 3), 2, 1),
    ROW(SPB_E_NOT_A_TYPE, 13, "the result type of OpUndef, %2, is not a type declared before it", HEADER(4),
	TYPE_INT(1), OP(SpvOpConstant, 4), 1, 2, 3, OP(SpvOpUndef, 3), 2, 3),
    ROW(SPB_E_NOT_A_TYPE, 5, "the result type of OpUndef, %2, is not a type declared before it", HEADER(4),
	OP(SpvOpUndef, 3), 2, 3, TYPE_INT(2)),
    ROW(SPB_E_NOT_A_TYPE, 9, "the type of an OpVariable, %1, is not an OpTypePointer", HEADER(4), TYPE_INT(1),
	OP(SpvOpVariable, 4), 1, 2, SpvStorageClassPrivate),
    ROW(0, 0, "", HEADER(4), OP(60000, 1), TYPE_INT(1), OP(SpvOpVariable, 4), 1, 2, SpvStorageClassPrivate),
    ROW(SPB_E_NOT_A_TYPE, 5, "OpTypeStruct uses %2 before its declaration", HEADER(4), OP(SpvOpTypeStruct, 3), 1, 2,
	TYPE_INT(2)),
    ROW(SPB_E_NOT_A_TYPE, 11, "OpTypeStruct defines %1, which a type or constant before it uses", HEADER(4),
	OP(SpvOpTypeForwardPointer, 3), 1, SpvStorageClassPhysicalStorageBuffer, OP(SpvOpTypeStruct, 3), 2, 1,
	OP(SpvOpTypeStruct, 2), 1),
    ROW(SPB_E_NOT_A_TYPE, 9, "OpSpecConstantOp uses %3 before its declaration", HEADER(4), TYPE_INT(1),
	OP(SpvOpSpecConstantOp, 5), 1, 2, SpvOpNot, 3, OP(SpvOpConstant, 4), 1, 3, 5),
    ROW(SPB_E_ID_UNDEFINED, 9, "OpDecorate uses %3, which no instruction defines", HEADER(4), OP(SpvOpDecorate, 4), 1,
	SpvDecorationLocation, 3, OP(SpvOpDecorate, 3), 3, SpvDecorationFlat, TYPE_INT(1)),
    ROW(SPB_E_SECTION, 9, "OpCapability appears too late in the module (SPIR-V 2.4, \"Logical Layout of a Module\")",
	HEADER(4), TYPE_INT(1), OP(SpvOpCapability, 2), 1),
    ROW(SPB_E_FUNCTION, 0, "the module ends inside a function", HEADER(5), TYPE_VOID(1), OP(SpvOpTypeFunction, 3), 2, 1,
	OP(SpvOpFunction, 5), 1, 3, 0, 2),
    ROW(SPB_E_FUNCTION, 7,
	"OpReturn cannot appear here: functions consist of blocks that end in a branch, a return or a kill (SPIR-V "
	"2.4)",
	HEADER(5), TYPE_VOID(1), OP(SpvOpReturn, 1)),
    ROW(SPB_E_FUNCTION, 9,
	"OpNot cannot appear here: functions consist of blocks that end in a branch, a return or a kill (SPIR-V 2.4)",
	HEADER(5), TYPE_INT(1), OP(SpvOpNot, 4), 1, 3, 3),
    ROW(SPB_E_FUNCTION, 9,
	"OpStore cannot appear here: functions consist of blocks that end in a branch, a return or a kill (SPIR-V 2.4)",
	HEADER(5), TYPE_INT(1), OP(SpvOpStore, 3), 1, 1),
    /* glslang 12 writes id 0 for some types: only of debug information it is to blame. */
    ROW(SPB_E_ID_RANGE, 17, "OpExtInst names id 0, which is not in the range 1 to 5", HEADER(6),
	OP(SpvOpExtInstImport, 10), 1, 0x536E6F4E, 0x6E616D65, 0x2E636974, 0x64616853, 0x442E7265, 0x67756265,
	0x6F666E49, 0x0000002E, TYPE_VOID(2), OP(SpvOpExtInst, 6), 2, 3, 1, 9, 0),
    ROW(SPB_E_ID_RANGE, 13, "OpExtInst names id 6, which is not in the range 1 to 5", HEADER(6),
	OP(SpvOpExtInstImport, 6), 1, 0x536E6F4E, 0x6E616D65, 0x2E636974, 0x0000002E, TYPE_VOID(2), OP(SpvOpExtInst, 6),
	2, 3, 1, 9, 6),
    ROW(SPB_E_ID_RANGE, 7, "OpExtInst names id 6, which is not in the range 1 to 5", HEADER(6), TYPE_VOID(2),
	OP(SpvOpExtInst, 6), 2, 3, 6, 9, 2),
};

static void faults_are_told_apart(void **state)
{
	char pattern[200];
	struct parsed p;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(faults); i++) {
		parse(&p, faults[i].words, faults[i].count);
		if (strcmp(p.said.text, faults[i].text) != 0)
			print_message("row %u: %s\n", (unsigned)i, p.said.text);
		assert_string_equal(p.said.text, faults[i].text);
		assert_int_equal(p.refused, faults[i].code != 0);
		assert_int_equal(p.said.last.code, faults[i].code);
		assert_int_equal(p.said.last.word_offset, faults[i].at);
		assert_string_equal(p.said.module, faults[i].code ? "m" : "");
		end_parsed(&p);
	}
	static const uint32_t extra[] = {HEADER(4), OP(SpvOpCapability, 3), 1, 7};
	parse(&p, extra, SPB_COUNT(extra));
	snprintf(pattern, sizeof pattern,
		 "the operands of OpCapability do not match the grammar of SPIR-V %s from word 2 of the instruction on",
		 spb_grammar_version());
	assert_string_equal(p.said.text, pattern);
	end_parsed(&p);
}

static void *little(void *user, void *p, size_t old_size, size_t new_size)
{
	(void)user;
	(void)old_size;
	if (new_size)
		return new_size < 1 << 20 ? realloc(p, new_size) : NULL;
	free(p);
	return NULL;
}

/* Words are counted before they are read. */
static void a_module_cannot_be_longer_than_four_gigabytes(void **state)
{
	static const uint32_t words[] = {HEADER(1)};
	struct parsed p;

	(void)state;
	parse(&p, words, 0x40000000);
	assert_true(p.refused);
	assert_int_equal(p.said.last.code, SPB_E_TOO_LONG);
	assert_string_equal(p.said.text, "the module has more than 1073741823 words");
	end_parsed(&p);
	/* One word less is accepted, if there is enough memory. */
	p = (struct parsed){.words = words, .count = 0x3FFFFFFF};
	const spb_allocator allocator = {little, NULL};
	const spb_callbacks callbacks = {hear, &p.said};
	assert_int_equal(spb_context_create(&allocator, &callbacks, &p.m.context), SPB_OK);
	assert_true(caught(p.m.context, parse_words, &p));
	assert_int_equal(p.said.count, 0);
	assert_int_equal(p.m.context->status, SPB_ERROR_OUT_OF_MEMORY);
	end_parsed(&p);
}

static void words_are_swapped_byte_by_byte(void **state)
{
	static const uint32_t words[] = {0x11223344, 0xFF000000, 0x00FF0000, 0x0000FF00, 0x000000FF, 0};
	static const uint32_t swapped[] = {0x44332211, 0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000, 0};
	uint32_t to[SPB_COUNT(words) + 1];

	(void)state;
	to[SPB_COUNT(words)] = 7;
	spb_swap_words(to, words, SPB_COUNT(words));
	assert_memory_equal(to, swapped, sizeof swapped);
	assert_int_equal(to[SPB_COUNT(words)], 7);
}

/* The order of instructions: an automaton, and every sequence of five. */
enum kind {
	FUNCTION,
	PARAMETER,
	LABEL,
	RETURN,
	CONSTANT,
	VALUE,
	EXTENDED,
	END,
	LINE,
	UNKNOWN,
	GRAPH_BEGIN,
	GRAPH_END,
	REMARK,
	KINDS
};
enum place { OUT, HEAD, IN_BLOCK, BEHIND, IN_GRAPH, WRONG };

static enum place follow(enum place from, enum kind kind)
{
	switch (kind) {
	case FUNCTION:
		return from == OUT ? HEAD : WRONG;
	case PARAMETER:
		return from == HEAD ? HEAD : WRONG;
	case LABEL:
		return from == HEAD || from == BEHIND ? IN_BLOCK : WRONG;
	case RETURN:
		return from == IN_BLOCK ? BEHIND : WRONG;
	case CONSTANT:
		return from == IN_BLOCK || from == IN_GRAPH || from == OUT ? from : WRONG;
	case VALUE:
	case EXTENDED:
		return from == IN_BLOCK || from == IN_GRAPH ? from : WRONG;
	case END:
		return from == HEAD || from == BEHIND ? OUT : WRONG;
	case GRAPH_BEGIN:
		return from == OUT ? IN_GRAPH : WRONG;
	case GRAPH_END:
		return from == IN_GRAPH ? OUT : WRONG;
	case LINE:
	case UNKNOWN:
	case REMARK:
	case KINDS:
		break;
	}
	return from;
}

static void functions_and_graphs_follow_their_rules(void **state)
{
	enum { LENGTH = 5 };
	uint32_t accepted = 0, total = 1;

	(void)state;
	for (int i = 0; i < LENGTH; i++)
		total *= KINDS;
	for (uint32_t sequence = 0; sequence < total;
	     sequence += 11) { /* a prime, so that each kind occurs at each position */
		static const uint32_t begin[] = {HEADER(60),
						 OP(SpvOpExtInstImport, 6),
						 9,
						 0x536E6F4E,
						 0x6E616D65,
						 0x2E636974,
						 'x',
						 OP(SpvOpExtInstImport, 6),
						 10,
						 0x4C534C47,
						 0x6474732E,
						 0x3035342E,
						 0,
						 OP(SpvOpString, 3),
						 5,
						 'f',
						 TYPE_VOID(1),
						 OP(SpvOpTypeFunction, 3),
						 2,
						 1,
						 TYPE_INT(3),
						 OP(SpvOpUndef, 3),
						 3,
						 4};
		uint32_t words[100], n = SPB_COUNT(begin), last = 0, id = 20, rest = sequence;
		enum place at = OUT;
		bool begun = false;
		struct parsed p;
		memcpy(words, begin, sizeof begin);
		for (int i = 0; i < LENGTH && at != WRONG; i++, rest /= KINDS) {
			const enum kind kind = (enum kind)(rest % KINDS);
			uint32_t w[6] = {0};
			switch (kind) {
			case FUNCTION:
				memcpy(w, (uint32_t[]){OP(SpvOpFunction, 5), 1, id++, 0, 2}, 20);
				break;
			case PARAMETER:
				memcpy(w, (uint32_t[]){OP(SpvOpFunctionParameter, 3), 3, id++}, 12);
				break;
			case LABEL:
				memcpy(w, (uint32_t[]){OP(SpvOpLabel, 2), id++}, 8);
				break;
			case RETURN:
				w[0] = OP(SpvOpReturn, 1);
				break;
			case CONSTANT:
				memcpy(w, (uint32_t[]){OP(SpvOpUndef, 3), 3, id++}, 12);
				break;
			case VALUE:
				memcpy(w, (uint32_t[]){OP(SpvOpNot, 4), 3, id++, 4}, 16);
				break;
			case EXTENDED:
				memcpy(w, (uint32_t[]){OP(SpvOpExtInst, 6), 3, id++, 10, 5, 4}, 24);
				break;
			case END:
				w[0] = OP(SpvOpFunctionEnd, 1);
				break;
			case LINE:
				memcpy(w, (uint32_t[]){OP(SpvOpLine, 4), 5, 1, 1}, 16);
				break;
			case UNKNOWN:
				w[0] = OP(60000, 1);
				break;
			case GRAPH_BEGIN:
				memcpy(w, (uint32_t[]){OP(OpGraphARM, 3), 1, id++}, 12);
				break;
			case GRAPH_END:
				w[0] = OP(OpGraphEndARM, 1);
				break;
			case REMARK:
				memcpy(w, (uint32_t[]){OP(SpvOpExtInst, 5), 1, id++, 9, 1}, 20);
				break;
			case KINDS:
				break;
			}
			memcpy(words + n, w, (w[0] >> 16) * sizeof *w);
			last = n;
			n += w[0] >> 16;
			if (kind == FUNCTION)
				begun = true;
			/* after the section of constants */
			at = kind == CONSTANT && at == OUT && begun ? WRONG : follow(at, kind);
		}
		parse(&p, words, n);
		const bool wanted = at == OUT;
		if (p.refused == wanted)
			print_message("%u: %s\n", sequence, p.said.text);
		assert_int_equal(p.refused, !wanted);
		if (!wanted) /* that one, or the end */
			assert_int_equal(p.said.last.word_offset, at == WRONG ? last : 0);
		accepted += wanted;
		end_parsed(&p);
	}
	assert_true(accepted > 20);
}

/* Features that passes look for: one line at a time, added to types without any. */
static void contents_of_a_module_are_recorded(void **state)
{
	static const char begin[] =
	    "%1 = OpTypeVoid\n%2 = OpTypeInt 32 0\n%3 = OpTypeFloat 32\n%4 = OpTypeImage %3 2D 0 0 0 1 Unknown\n"
	    "%5 = OpTypeSampler\n%6 = OpConstant %2 4\n%7 = OpTypeArray %2 %6\n%8 = OpTypeStruct %2\n%9 = OpTypeFloat "
	    "16\n";
	enum {
		NOTHING = 0,
		FLOW = SPB_HAS_OPAQUE_FLOW,
		ARRAYS = SPB_HAS_DESCRIPTOR_ARRAYS,
		PUSH = SPB_HAS_PUSH_CONSTANTS,
		MARKS = SPB_HAS_MARKS,
		BUFFERS = SPB_HAS_BUFFER_QUALIFIERS,
		GROUPS = SPB_HAS_GROUPS,
		REMARKS = SPB_HAS_REMARKS
	};
	static const struct {
		const char *first, *last; /* before and after the types */
		uint32_t has;
	} lines[] = {
	    {"", "", NOTHING},
	    {"%10 = OpExtInstImport \"GLSL.std.450\"\n", "", NOTHING},
	    {"%10 = OpExtInstImport \"OpenCL.std\"\n", "", REMARKS},
	    {"%10 = OpExtInstImport \"NonSemantic.X\"\n", "", REMARKS},
	    {"OpDecorate %2 NonUniform\n", "", MARKS},
	    {"OpDecorate %2 RelaxedPrecision\n", "", NOTHING},
	    {"OpLine %11 1 1\nOpDecorate %2 NonUniform\n", "", MARKS},
	    {"OpMemberDecorate %8 0 NonUniform\n", "", NOTHING},
	    {"OpDecorate %8 BufferBlock\n", "", BUFFERS},
	    {"OpMemberDecorate %8 0 Coherent\n", "", BUFFERS},
	    {"%10 = OpDecorationGroup\n", "", GROUPS},
	    {"%10 = OpDecorationGroup\nOpGroupDecorate %10 %2\n", "", GROUPS},
	    {"", "%10 = OpTypeStruct %2 %7 %8\n", NOTHING},
	    {"", "%10 = OpTypeStruct %2 %4\n", FLOW},
	    {"", "%10 = OpTypeStruct %5 %2\n", FLOW},
	    {"", "%10 = OpTypeRuntimeArray %4\n%12 = OpTypeStruct %10\n", FLOW},
	    {"", "%10 = OpTypeArray %5 %6\n%12 = OpTypeStruct %2 %10\n", FLOW},
	    {"", "%10 = OpTypeSampledImage %4\n%12 = OpTypeStruct %10\n", FLOW},
	    {"", "%10 = OpTypeAccelerationStructureKHR\n%12 = OpTypeStruct %10\n", FLOW},
	    {"", "%10 = OpTypeRuntimeArray %4\n", NOTHING},
	    {"", "%10 = OpTypePointer Uniform %8\n", NOTHING},
	    {"", "%10 = OpTypePointer Uniform %7\n", ARRAYS},
	    {"", "%10 = OpTypePointer StorageBuffer %7\n", ARRAYS},
	    {"", "%10 = OpTypePointer UniformConstant %7\n", ARRAYS},
	    {"", "%10 = OpTypeRuntimeArray %4\n%12 = OpTypePointer UniformConstant %10\n", ARRAYS},
	    {"", "%10 = OpTypePointer PhysicalStorageBuffer %7\n", ARRAYS}, /* unused */
	    {"", "%10 = OpTypePointer Input %7\n", NOTHING},
	    {"", "%10 = OpTypePointer Output %7\n", NOTHING},
	    {"", "%10 = OpTypePointer Function %7\n", NOTHING},
	    {"", "%10 = OpTypePointer Private %7\n", NOTHING},
	    {"", "%10 = OpTypePointer Workgroup %7\n", NOTHING},
	    {"", "%10 = OpTypePointer PushConstant %7\n", PUSH},
	    {"", "%10 = OpTypePointer PushConstant %8\n", PUSH},
	    {"", "%10 = OpTypePointer Private %4\n", FLOW},
	    {"", "%10 = OpTypePointer Function %5\n", FLOW},
	    {"", "%10 = OpTypePointer UniformConstant %4\n", NOTHING},
	    {"", "%10 = OpTypePointer Workgroup %4\n", NOTHING},
	    {"", "%10 = OpTypeArray %4 %6\n%12 = OpTypePointer Private %10\n", FLOW},
	    {"", "%10 = OpTypeFunction %1 %2 %8\n", NOTHING},
	    {"", "%10 = OpTypeFunction %4\n", FLOW},
	    {"", "%10 = OpTypeFunction %1 %4\n", FLOW},
	    {"", "%10 = OpTypeFunction %1 %2 %5\n", FLOW},
	    {"", "%10 = OpTypePointer UniformConstant %4\n%12 = OpTypeFunction %1 %10\n", FLOW},
	    {"", "%10 = OpTypePointer UniformConstant %4\n%12 = OpTypeFunction %1 %2 %10\n", FLOW},
	    {"", "%10 = OpTypePointer Uniform %8\n%12 = OpTypeFunction %1 %10\n", NOTHING},
	    {"", "%10 = OpUndef %2\n", NOTHING},
	    {"", "%10 = OpUndef %4\n", FLOW},
	    {"", "%10 = OpConstantNull %2\n", NOTHING},
	    {"", "%10 = OpTypePointer UniformConstant %4\n%12 = OpVariable %10 UniformConstant\n", NOTHING},
	    {"", "%10 = OpTypePointer UniformConstant %4\n%12 = OpVariable %10 Uniform\n", FLOW | ARRAYS | PUSH},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(lines); i++) {
		for (int careful = 0; careful < 2; careful++) {
			char text[2000];
			size_t count;
			struct parsed p;
			snprintf(text, sizeof text, "%s%s%s", lines[i].first, begin, lines[i].last);
			if (strstr(text, "%11"))
				snprintf(text, sizeof text, "%%11 = OpString \"f\"\n%s%s%s", lines[i].first, begin,
					 lines[i].last);
			uint32_t *words = words_of(text, &count);
			if (careful) { /* OpLine before each instruction after the types: nothing is ordinary */
				char lined[2500] = "%11 = OpString \"f\"\n";
				if (strstr(text, "%11") || strstr(lines[i].first, "Import")) {
					free(words);
					continue;
				}
				strcat(lined, lines[i].first);
				strcat(lined, begin);
				for (const char *at = lines[i].last; *at; at = strchr(at, '\n') + 1) {
					strcat(lined, "OpLine %11 1 1\n");
					strncat(lined, at, (size_t)(strchr(at, '\n') + 1 - at));
				}
				free(words);
				words = words_of(lined, &count);
			}
			parse(&p, words, count);
			assert_false(p.refused);
			if (p.m.has != lines[i].has)
				print_message("%s%s has %x\n", lines[i].first, lines[i].last, p.m.has);
			assert_int_equal(p.m.has, lines[i].has);
			end_parsed(&p);
			free(words);
		}
	}
}

/* Instructions of sets are checked by the grammar, and unknown ones are not. */
static void extended_instructions_are_counted(void **state)
{
#define SETS                                                                                                           \
	"%3 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.200\"\n%4 = OpExtInstImport \"NonSemantic.X\"\n"          \
	"%5 = OpExtInstImport \"NonSemantic.DescriptorHandle\"\n%6 = OpExtInstImport "                                 \
	"\"NonSemantic.DescriptorHandles\"\n%7 = OpExtInstImport \"NonSemantic.AssertUniform\"\n%8 = "                 \
	"OpExtInstImport \"NonSemantic.Y\"\n%1 = OpTypeVoid\n"
	static const struct {
		const char *text;
		bool refused;
	} rows[] = {
	    {SETS "%9 = OpExtInst %1 %5 1 %1\n", false},
	    {SETS "%9 = OpExtInst %1 %5 1\n", true},
	    {SETS "%9 = OpExtInst %1 %5 1 %1 %1\n", false}, /* a later version may take more */
	    {SETS "%9 = OpExtInst %1 %5 6\n", false},
	    {SETS "%9 = OpExtInst %1 %6 1\n", false},
	    {SETS "%9 = OpExtInst %1 %4 1\n", false},
	    {SETS "%9 = OpExtInst %1 %3 1 %1 %1 %1 %1\n", false},
	    {SETS "%9 = OpExtInst %1 %3 1 %1 %1 %1\n", true},
	    {SETS "%9 = OpExtInst %1 %3 50\n", false},
	    /* after the sets that the parser remembers */
	    {SETS "%9 = OpExtInst %1 %7 2 %1\n", false},
	    {SETS "%9 = OpExtInst %1 %7 2\n", true},
	    {SETS "%9 = OpExtInst %1 %8 2\n", false},
#undef SETS
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		size_t count;
		uint32_t *words = words_of(rows[i].text, &count);
		struct parsed p;
		parse(&p, words, count);
		assert_int_equal(p.refused, rows[i].refused);
		if (rows[i].refused)
			assert_int_equal(p.said.last.code, SPB_E_OPERANDS);
		end_parsed(&p);
		free(words);
	}
}

/* The language of the first OpSource, otherwise of a DebugCompilationUnit. */
static void the_source_language_is_known(void **state)
{
	static const struct {
		const char *text;
		uint32_t language;
	} rows[] = {
	    {"%1 = OpTypeVoid\n", 0},
	    {"OpSource GLSL 450\n%1 = OpTypeVoid\n", SpvSourceLanguageGLSL},
	    {"%2 = OpString \"x\"\nOpSource HLSL 600\nOpSource GLSL 450\n%1 = OpTypeVoid\n", SpvSourceLanguageHLSL},
#define UNIT                                                                                                           \
	"%3 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.200\"\n%4 = OpExtInstImport \"NonSemantic.X\"\n"          \
	"%1 = OpTypeVoid\n%5 = OpTypeInt 32 0\n%6 = OpConstant %5 5\n%7 = OpConstant %5 1\n"
	    {UNIT "%8 = OpExtInst %1 %3 1 %7 %7 %7 %6\n", 5},
	    {UNIT "%9 = OpExtInst %1 %3 2 %7 %7 %7 %6\n%8 = OpExtInst %1 %3 1 %7 %7 %7 %6\n", 5},
	    {UNIT "%8 = OpExtInst %1 %3 0 %7 %7 %7 %6\n", 0},
	    {UNIT "%8 = OpExtInst %1 %4 1 %7 %7 %7 %6\n", 0},
	    {UNIT "%8 = OpExtInst %1 %3 1 %7 %7 %7 %5\n", 0},
	    {UNIT "%8 = OpExtInst %1 %3 1 %7 %7 %7 %5\n%9 = OpExtInst %1 %3 1 %7 %7 %7 %7\n", 1},
	    {"%4 = OpExtInstImport \"NonSemantic.X\"\n%1 = OpTypeVoid\n%5 = OpTypeInt 32 0\n%6 = OpConstant %5 5\n"
	     "%8 = OpExtInst %1 %4 1 %6 %6 %6 %6\n",
	     0},
#undef UNIT
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		size_t count;
		uint32_t *words = words_of(rows[i].text, &count);
		struct parsed p;
		parse(&p, words, count);
		assert_false(p.refused);
		assert_int_equal(spb_source_language(&p.m), rows[i].language);
		end_parsed(&p);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(everything_ordinary_is_read_in_one_run),
	    cmocka_unit_test(careful_and_fast_parsing_agree),
	    cmocka_unit_test(careful_and_fast_parsing_agree_on_ends),
	    cmocka_unit_test(careful_and_fast_parsing_agree_on_order),
	    cmocka_unit_test(the_index_is_that_of_spirv_tools),
	    cmocka_unit_test(faults_are_told_apart),
	    cmocka_unit_test(a_module_cannot_be_longer_than_four_gigabytes),
	    cmocka_unit_test(words_are_swapped_byte_by_byte),
	    cmocka_unit_test(functions_and_graphs_follow_their_rules),
	    cmocka_unit_test(contents_of_a_module_are_recorded),
	    cmocka_unit_test(extended_instructions_are_counted),
	    cmocka_unit_test(the_source_language_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
