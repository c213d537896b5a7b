/* SPDX-License-Identifier: Apache-2.0 */
/* Queries against naive answers: names and decorations of ids with few notes and with many; and which operands are
 * literals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "parsed.h"

#define OP(op, count) ((uint32_t)(count) << 16 | (uint32_t)(op))

struct text {
	char *items;
	size_t count;
};

static void add(struct text *t, const char *format, ...)
{
	va_list arguments;

	if (!t->items)
		t->items = malloc(20000);
	assert_non_null(t->items);
	va_start(arguments, format);
	t->count += (size_t)vsnprintf(t->items + t->count, 20000 - t->count, format, arguments);
	va_end(arguments);
	assert_true(t->count < 20000);
}

/* The words stay in p->words, which the caller frees. */
static void parse_text(struct parsed *p, const char *text)
{
	size_t count;
	uint32_t *words = words_of(text, &count);

	parse(p, words, count);
	if (p->refused)
		print_message("%s\n", p->said.text);
	assert_false(p->refused);
}

static void end_text(struct parsed *p)
{
	const uint32_t *words = p->words;

	end_parsed(p);
	free((void *)words);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* The first OpName, whatever comes before and after it. */
static void names_are_found_among_any_number_of_notes(void **state)
{
	static const uint32_t entries[] = {0, 1, 3}, members[] = {0, 1, 14, 15, 16, 17, 18, 33}, names[] = {0, 1, 2};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(entries) * SPB_COUNT(members) * SPB_COUNT(names) * 2; i++) {
		const uint32_t entry_count = entries[i % 3], member_count = members[i / 3 % 8],
			       name_count = names[i / 24 % 3], decorations = i / 72 ? 20 : 0;
		struct text t = {.count = 0};
		struct parsed p;
		for (uint32_t k = 0; k < entry_count; k++)
			add(&t, "OpEntryPoint Fragment %%1 \"e%u\" %%3\n", k);
		for (uint32_t k = 0; k < member_count; k++)
			add(&t, "OpMemberName %%3 %u \"m%u\"\n", k, k);
		for (uint32_t k = 0; k < name_count; k++)
			add(&t, "OpName %%3 \"three%u\"\n", k);
		add(&t, "OpName %%4 \"four\"\nOpMemberName %%3 0 \"later\"\n");
		for (uint32_t k = 0; k < decorations; k++)
			add(&t, "OpMemberDecorate %%3 %u Offset 0\n", k);
		add(&t, "%%1 = OpTypeVoid\n%%4 = OpTypeFloat 32\n%%3 = OpTypeStruct %%4\n");
		parse_text(&p, t.items);
		for (int twice = 0; twice < 2; twice++) { /* at most the first query builds a table */
			assert_string_equal(spb_id_name(&p.m, 3), name_count ? "three0" : "");
			assert_string_equal(spb_id_name(&p.m, 4), "four");
			assert_string_equal(spb_id_name(&p.m, 1), "");
			assert_int_equal(spb_decoration(&p.m, 3, SpvDecorationOffset), 0); /* that of a member */
		}
		end_text(&p);
		free(t.items);
	}
}

/* The last OpDecorate of an id with a decoration, as found by a walk over all. */
static void decorations_are_found_among_any_number_of_notes(void **state)
{
	static const struct {
		const char *name;
		uint32_t number;
	} kinds[] = {{"RelaxedPrecision", SpvDecorationRelaxedPrecision},
		     {"Restrict", SpvDecorationRestrict},
		     {"Aliased", SpvDecorationAliased},
		     {"NonUniform", SpvDecorationNonUniform}};
	uint32_t seed = 3;

	(void)state;
	for (uint32_t notes = 0; notes < 150; notes += notes < 40 ? 1 : 5) {
		struct text t = {.count = 0};
		struct parsed p;
		for (uint32_t k = 0; k < next_random(&seed) % 3; k++)
			add(&t, "OpName %%%u \"n\"\n", 1 + k);
		for (uint32_t k = 0; k < notes; k++) {
			const uint32_t kind = next_random(&seed) % 4,
				       id = 1 + next_random(&seed) % (notes < 40 ? 1 : 3);
			if (next_random(&seed) % 5)
				add(&t, "OpDecorate %%%u %s\n", id, kinds[kind].name);
			else
				add(&t, "OpMemberDecorate %%%u 0 %s\n", id, kinds[kind].name);
		}
		add(&t, "%%1 = OpTypeFloat 32\n%%2 = OpTypeFloat 64\n%%3 = OpTypeFloat 16\n");
		parse_text(&p, t.items);
		for (uint32_t id = 1; id < p.m.bound; id++) {
			for (size_t k = 0; k < SPB_COUNT(kinds); k++) {
				uint32_t wanted = 0;
				for (spb_at at = 5; at < p.m.count; at = spb_next(&p.m, at)) {
					if (spb_op(&p.m, at) == SpvOpDecorate && p.m.words[at + 1] == id &&
					    p.m.words[at + 2] == kinds[k].number)
						wanted = at + 3;
				}
				assert_int_equal(spb_decoration(&p.m, id, kinds[k].number), wanted);
			}
		}
		end_text(&p);
		free(t.items);
	}
}

/* The literals of an OpSwitch are as wide as its selector, whole words each. */
static void literals_of_a_switch_are_as_wide_as_its_selector(void **state)
{
	static const struct {
		uint32_t op, width, words; /* 0: not an integer that a switch can have */
	} rows[] = {{SpvOpTypeInt, 1, 1},  {SpvOpTypeInt, 8, 1},    {SpvOpTypeInt, 32, 1},
		    {SpvOpTypeInt, 33, 2}, {SpvOpTypeInt, 64, 2},   {SpvOpTypeInt, 65, 0},
		    {SpvOpTypeInt, 0, 0},  {SpvOpTypeFloat, 32, 0}, {SpvOpTypeInt, 128, 0}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		for (uint32_t words = 1; words < 3; words++) {
			for (int how = 0; how < 4; how++) {
				uint32_t w[60] = {SpvMagicNumber, 0x10000, 0, 12, 0}, n = 5;
				struct parsed p;
#define PUT(...)                                                                                                       \
	do {                                                                                                           \
		const uint32_t put_[] = {__VA_ARGS__};                                                                 \
		memcpy(w + n, put_, sizeof put_);                                                                      \
		n += (uint32_t)SPB_COUNT(put_);                                                                        \
	} while (0)
				PUT(OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeFunction, 3), 2, 1);
				if (rows[i].op == SpvOpTypeInt)
					PUT(OP(SpvOpTypeInt, 4), 3, rows[i].width, 0);
				else
					PUT(OP(SpvOpTypeFloat, 3), 3, rows[i].width);
				PUT(OP(SpvOpUndef, 3), 3, 4, OP(SpvOpFunction, 5), 1, 5, 0, 2, OP(SpvOpLabel, 2), 6);
				/* the selector; an id that is not a value; one that is defined later, and one that is
				 * undefined */
				PUT(OP(SpvOpSwitch, 4 + words),
				    how == 0   ? 4u
				    : how == 1 ? 1u
				    : how == 2 ? 11u
					       : 12u,
				    7, 9);
				if (words == 2)
					PUT(0);
				PUT(7, OP(SpvOpLabel, 2), 7, OP(SpvOpReturn, 1), OP(SpvOpFunctionEnd, 1));
				if (how == 2)
					PUT(OP(SpvOpFunction, 5), 1, 11, 0, 2, OP(SpvOpFunctionEnd, 1));
				parse(&p, w, n);
				const bool fits = how == 0 && rows[i].words == words;
				assert_int_equal(p.refused, !fits);
				const bool is_cut = how == 0 && rows[i].words == 1; /* its second word is not a label */
				if (!fits)
					assert_int_equal(p.said.last.code,
							 how == 3 || is_cut ? SPB_E_ID_RANGE : SPB_E_OPERANDS);
				end_parsed(&p);
			}
		}
	}
}

/* Which operands of an instruction of an old set are ids. The numbers are those of the sets' grammars. */
static void instructions_of_some_sets_have_literals(void **state)
{
	static const struct {
		const char *set;
		uint32_t instruction;
		const char *operands; /* a letter for each: i: an id; l: a literal */
	} rows[] = {{"OpenCL.DebugInfo.100", 0, ""},
		    {"OpenCL.DebugInfo.100", 1, "llil"},
		    {"OpenCL.DebugInfo.100", 2, "iil"},
		    {"OpenCL.DebugInfo.100", 3, "ill"},
		    {"OpenCL.DebugInfo.100", 25, "li"},
		    {"OpenCL.DebugInfo.100", 25, "lii"},
		    {"OpenCL.DebugInfo.100", 26, "iiillill"},
		    {"OpenCL.DebugInfo.100", 28, "iii"},
		    {"OpenCL.DebugInfo.100", 30, "llllllll"},
		    {"OpenCL.DebugInfo.100", 36, "iiiliiil"},
		    {"OpenCL.DebugInfo.100", 37, "iiii"},
		    {"OpenCL.DebugInfo.100", 4294967295u, "iiii"},
		    {"DebugInfo", 0, ""},
		    {"DebugInfo", 1, "ill"},
		    {"DebugInfo", 2, "iil"},
		    {"DebugInfo", 30, "llllllllll"},
		    {"DebugInfo", 33, "ili"},
		    {"DebugInfo", 34, "iiii"},
		    {"DebugInfo", 4294967295u, "iiii"},
		    {"OpenCL.std", 171, "iil"},
		    {"OpenCL.std", 12, "i"},
		    {"GLSL.std.450", 1, "i"}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		uint32_t w[80] = {SpvMagicNumber, 0x10000, 0, 12, 0}, n = 5;
		const size_t length = strlen(rows[i].set) / 4 + 1, operands = strlen(rows[i].operands);
		struct parsed p;
		PUT(OP(SpvOpExtInstImport, 2 + length), 1);
		memcpy(w + n, rows[i].set, strlen(rows[i].set));
		n += (uint32_t)length;
		if (i + 1 == SPB_COUNT(rows)) { /* another set in addition to one with literals */
			PUT(OP(SpvOpExtInstImport, 5), 9, 0x75626544, 0x666E4967, 0x0000006F);
		}
		PUT(OP(SpvOpTypeVoid, 2), 2, OP(SpvOpTypeFunction, 3), 4, 2, OP(SpvOpFunction, 5), 2, 5, 0, 4);
		PUT(OP(SpvOpLabel, 2), 6, OP(SpvOpExtInst, 5 + operands), 2, 3, 1, rows[i].instruction);
		for (size_t k = 0; k < operands; k++)
			PUT(rows[i].operands[k] == 'l' ? 0xFFFFu : 2u);
		PUT(OP(SpvOpReturn, 1), OP(SpvOpFunctionEnd, 1));
		parse(&p, w, n);
		if (p.refused)
			print_message("row %u: %s\n", (unsigned)i, p.said.text);
		assert_false(p.refused);
		struct spb_operand o = spb_operands(&p.m, p.m.def[3]);
		for (size_t k = 0; k < 4; k++) /* type, result, set, instruction */
			assert_true(spb_operand_next(&o));
		for (size_t k = 0; k < operands; k++) {
			assert_true(spb_operand_next(&o));
			assert_int_equal(spb_operand_is_id(&o), rows[i].operands[k] == 'i');
		}
		assert_false(spb_operand_next(&o));
		assert_false(o.bad);
		end_parsed(&p);
	}
}

/* The memory model, behind lines or missing. */
static void the_scope_of_atomics_follows_from_the_memory_model(void **state)
{
#define TYPES "%1 = OpTypeVoid\n"
	static const struct {
		const char *text;
		uint32_t at, scope;
	} rows[] = {
	    {"OpMemoryModel Logical GLSL450\n" TYPES, 5, SpvScopeDevice},
	    {"OpMemoryModel Logical Vulkan\n" TYPES, 5, SpvScopeQueueFamily},
	    {"OpLine %2 3 0\nOpMemoryModel Logical GLSL450\n%2 = OpString \"x\"\n" TYPES, 9, SpvScopeDevice},
	    {"OpLine %2 1 0\nOpMemoryModel Logical Vulkan\n%2 = OpString \"x\"\n" TYPES, 9, SpvScopeQueueFamily},
	    {TYPES, 0, SpvScopeDevice},
	    {"%1 = OpExtInstImport \"GLSL.std.450\"\n", 0, SpvScopeDevice}, /* the last instruction */
#undef TYPES
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		size_t count;
		uint32_t *words = words_of(rows[i].text, &count);
		struct parsed p;
		parse(&p, words, count);
		assert_false(p.refused);
		assert_int_equal(spb_memory_model(&p.m), rows[i].at);
		assert_int_equal(spb_device_scope(&p.m), rows[i].scope);
		end_parsed(&p);
		free(words);
	}
}

/* Shared memory lives until the last module has left it. A module that leaves has no index, and builds its own. */
static void shared_data_is_freed_with_the_last_module(void **state)
{
	enum { COUNT = 3 };
	struct parsed modules[COUNT] = {{.count = 0}};
	struct spb_shared shared = {.modules = COUNT};
	size_t count;
	uint32_t *words = words_of("OpName %1 \"x\"\n%1 = OpTypeVoid\n%2 = OpTypeFloat 32\n", &count);
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	shared.arena = (struct spb_arena){.context = context, .next = SPB_SMALL_ARENA};
	for (size_t i = 0; i < COUNT; i++) {
		modules[i] = (struct parsed){.words = words, .count = count};
		modules[i].m.context = context;
		modules[i].m.shared = &shared;
		assert_false(caught(context, parse_words, &modules[i]));
	}
	for (size_t i = 0; i < COUNT; i++) {
		struct spb_module *m = &modules[i].m;
		for (size_t again = 0; again < 2; again++) {
			spb_module_leave_shared(m);
			assert_true(!m->shared && !m->indexed && !m->known && !m->known_bound);
			assert_int_equal(shared.modules, COUNT - 1 - i);
			assert_int_equal(shared.arena.head != NULL, i + 1 < COUNT);
		}
		for (size_t k = i + 1; k < COUNT; k++)
			assert_true(modules[k].m.indexed && spb_def_op(&modules[k].m, 2) == SpvOpTypeFloat);
		spb_module_need_index(m);
		assert_true(m->indexed && spb_def_op(m, 2) == SpvOpTypeFloat);
		assert_string_equal(spb_id_name(m, 1), "x");
		assert_int_equal(shared.arena.head != NULL, i + 1 < COUNT);
	}
	for (size_t i = 0; i < COUNT; i++)
		spb_module_release(&modules[i].m);
	spb_context_destroy(context);
	free(words);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_found_among_any_number_of_notes),
	    cmocka_unit_test(decorations_are_found_among_any_number_of_notes),
	    cmocka_unit_test(literals_of_a_switch_are_as_wide_as_its_selector),
	    cmocka_unit_test(instructions_of_some_sets_have_literals),
	    cmocka_unit_test(the_scope_of_atomics_follows_from_the_memory_model),
	    cmocka_unit_test(shared_data_is_freed_with_the_last_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
