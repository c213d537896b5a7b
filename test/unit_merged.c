/* SPDX-License-Identifier: Apache-2.0 */
/* What a function of one module finds in another that it is merged into, and what comes along with it: each row of a
 * table has what both modules declare, and what becomes of everything that the function names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "caught.h"
#include "pass/resolver/merge.h"

#define N(x)       "OpName %" #x " \"" #x "\"\n"
#define D(x, what) "OpDecorate %" #x " " what "\n"
#define TYPES                                                                                                          \
	"%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"            \
	"%u3 = OpTypeVector %uint 3\n%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampler = OpTypeSampler\n"       \
	"%c4 = OpConstant %uint 4\n%images = OpTypeArray %image %c4\n%p_image = OpTypePointer UniformConstant "        \
	"%image\n"                                                                                                     \
	"%p_sampler = OpTypePointer UniformConstant %sampler\n%p_images = OpTypePointer UniformConstant %images\n"     \
	"%p_own = OpTypePointer Private %uint\n%p_group = OpTypePointer Workgroup %uint\n"                             \
	"%p_in = OpTypePointer Input %u3\n%p_uint_in = OpTypePointer Input %uint\n%p_out = OpTypePointer Output "      \
	"%uint\n"
#define TEXTURE(x)             "%" #x " = OpVariable %p_image UniformConstant\n"
#define SAMPLER(x)             "%" #x " = OpVariable %p_sampler UniformConstant\n"
#define OWN(x)                 "%" #x " = OpVariable %p_own Private\n"
#define OF_GROUP(x)            "%" #x " = OpVariable %p_group Workgroup\n"
#define NAMELESS(x)            "OpName %" #x " \"\"\n"
#define PLACE(x, set, binding) D(x, "DescriptorSet " #set) D(x, "Binding " #binding)
#define INPUT(x)               "%" #x " = OpVariable %p_in Input\n"
/* A block and its variable. */
#define BLOCK(b, class, member, x)                                                                                     \
	"%" #b " = OpTypeStruct %" #member "\n%p_" #b                                                                  \
	" = OpTypePointer " #class " %" #b "\n%" #x " = OpVariable %p_" #b " " #class "\n"

#define BLOCKS(b, array, length, x)                                                                                    \
	"%" #b " = OpTypeStruct %uint\n%a_" #b " = " #array " %" #b " " length "\n%aa_" #b " = OpTypeArray %a_" #b     \
	" %c4\n%p_" #b " = OpTypePointer Uniform %aa_" #b "\n%" #x " = OpVariable %p_" #b " Uniform\n"

struct row {
	const char *to, *from; /* names and decorations, types, and everything else in front of functions */
	const char *wanted;    /* what has a name in `from`, and what it is in `to`; or a refusal */
	const char *preamble;  /* of `to`, if it is not that of a compute shader */
	const char *library;   /* of `from`, if it is not that of a plain library */
	uint32_t version[2];   /* of both; 0: 1.3 */
	const char *more;      /* functions of `from` */
	spb_options options;
};

struct merging {
	struct spb_unit unit; /* what is merged into */
	struct spb_module from;
	spv_binary to_words, from_words;
	struct spb_merge merge;
	uint32_t code; /* of the last message */
	char said[500];
};

static void note_error(void *user, const spb_message *message)
{
	struct merging *g = user;

	g->code = message->code;
	snprintf(g->said, sizeof g->said, message->line ? "line %u: %s" : "%.0u%s", message->line, message->text);
}

static void parse(void *argument)
{
	struct merging *g = argument;

	spb_module_parse(&g->unit.m, "m", g->to_words->code, g->to_words->wordCount);
	spb_module_need_index(&g->unit.m);
	spb_module_need_uses(&g->unit.m);
	spb_module_parse(&g->from, "r", g->from_words->code, g->from_words->wordCount);
	spb_module_need_index(&g->from);
	spb_module_need_uses(&g->from);
	spb_edit_begin(&g->unit.edit, &g->unit.m, &g->unit.m.context->scratch);
}

static spv_binary assembled(const char *text)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	spv_binary binary = NULL;
	spv_diagnostic wrong = NULL;

	if (spvTextToBinary(context, text, strlen(text), &binary, &wrong) != SPV_SUCCESS)
		fail_msg("line %u: %s\n%s", (unsigned)wrong->position.line + 1, wrong->error, text);
	spvContextDestroy(context);
	return binary;
}

/* In which each thing of `from` that has a name is stored to itself, so that a function needs them all. */
static const char *with_function(const char *preamble, const char *from, const char *more)
{
	static char text[20000];
	size_t n = (size_t)snprintf(text, sizeof text, "%s%s%%f = OpFunction %%void None %%fn\n%%label = OpLabel\n",
				    preamble, from);

	for (const char *at = from; (at = strstr(at, "OpName %")); at++) {
		const int length = (int)strcspn(at + 8, " ");
		n += (size_t)snprintf(text + n, sizeof text - n, "OpStore %%%.*s %%%.*s\n", length, at + 8, length,
				      at + 8);
	}
	snprintf(text + n, sizeof text - n, "OpReturn\nOpFunctionEnd\n%s", more ? more : "");
	return text;
}

static void begin(struct merging *g, const struct row *row)
{
	static const char shader[] = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
				     "OpEntryPoint GLCompute %main \"main\"\n";
	static const char library[] = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
	const spb_callbacks callbacks = {note_error, g};
	char text[20000];

	*g = (struct merging){.code = 0};
	snprintf(text, sizeof text,
		 "%s%s%%main = OpFunction %%void None %%fn\n%%label = OpLabel\nOpReturn\nOpFunctionEnd\n",
		 row->preamble ? row->preamble : shader, row->to);
	g->to_words = assembled(text);
	g->from_words = assembled(with_function(row->library ? row->library : library, row->from, row->more));
	if (row->version[0])
		g->to_words->code[1] = row->version[0], g->from_words->code[1] = row->version[1];
	assert_int_equal(spb_context_create(NULL, &callbacks, &g->unit.m.context), SPB_OK);
	g->from.context = g->unit.m.context;
	g->unit.options = &row->options;
	if (caught(g->unit.m.context, parse, g))
		fail_msg("%s\n%s", g->said, text);
}

static void end(struct merging *g)
{
	spb_context *context = g->unit.m.context;

	spb_module_release(&g->from);
	spb_module_release(&g->unit.m);
	spb_context_destroy(context);
	spvBinaryDestroy(g->to_words);
	spvBinaryDestroy(g->from_words);
}

static void merge(void *argument)
{
	struct merging *g = argument;
	const uint32_t f = g->from.words[g->from.function[0].at + 2];

	g->merge = spb_merge_begin(spb_merged_begin(&g->unit), &g->from);
	spb_merge_need(&g->merge, f, true);
	spb_merge_globals(&g->merge);
	spb_merge_functions(&g->merge);
}

/* Where the edit has been committed: `a=b@1,2` is what `a` became, with its set and binding; new: with
 * another name. */
static void put_found(const struct merging *g, uint32_t bound, char *text, size_t size)
{
	const struct spb_module *m = &g->unit.m, *from = &g->from;
	const struct spb_function *f = &from->function[0];
	size_t n = 0;

	text[0] = '\0';
	for (spb_at at = spb_next(from, f->label); spb_op(from, at) == SpvOpStore; at = spb_next(from, at)) {
		const uint32_t id = from->words[at + 1], to = g->merge.map[id];
		const uint32_t set = spb_decoration(m, to, SpvDecorationDescriptorSet),
			       binding = spb_decoration(m, to, SpvDecorationBinding);
		const bool renamed = strcmp(spb_id_name(m, to), spb_id_name(from, id)) != 0;
		assert_int_equal(spb_def_op(m, to), spb_def_op(from, id));
		assert_true((!set || spb_length(m, set - 3) == 4) && (!binding || spb_length(m, binding - 3) == 4));
		n += (size_t)snprintf(text + n, size - n, "%s%s=%s%s", n ? " " : "", spb_id_name(from, id),
				      to < bound ? ""
				      : renamed  ? "new:"
						 : "new",
				      to < bound || renamed ? spb_id_name(m, to) : "");
		if (set || binding)
			n += (size_t)snprintf(text + n, size - n, "@");
		if (set)
			n += (size_t)snprintf(text + n, size - n, "%u", m->words[set]);
		if (binding)
			n += (size_t)snprintf(text + n, size - n, ",%u", m->words[binding]);
	}
}

static void check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char found[1000];
		struct merging g;
		begin(&g, &rows[i]);
		const uint32_t bound = g.unit.m.bound;
		if (caught(g.unit.m.context, merge, &g)) {
			snprintf(found, sizeof found, "%s", g.said);
		} else {
			spb_edit_commit(&g.unit.edit);
			spb_module_need_index(&g.unit.m);
			put_found(&g, bound, found, sizeof found);
		}
		if (strcmp(found, rows[i].wanted) != 0)
			fail_msg("got %s\nexpected %s\nto:\n%s\nfrom:\n%s", found, rows[i].wanted, rows[i].to,
				 rows[i].from);
		end(&g);
	}
}

#define ROW(in_to, in_from, ...)                                                                                       \
	{                                                                                                              \
		.to = in_to, .from = in_from, .wanted = __VA_ARGS__                                                    \
	}
#define DIFFERS(what)                                                                                                  \
	what " is also declared in m, but differently: make the declarations identical (members, offsets, qualifiers " \
	     "such as readonly), or rename one"
#define OTHER(what, number, here, there)                                                                               \
	what " has the " number " " here " here, but " there " in m; use the same number, or none here"
#define ONLY(stages)                                                                                                   \
	"%1 \"a\" is a built-in of " stages " shaders, but m has an entry point of another stage; let the resolver "   \
	"depend on the handle, buffers and push constants"
#define NOT_ALIKE(what, number)                                                                                        \
	what " is specialization constant " number ", which has another type or default in m; give it another SpecId"
#define SECOND(what)                                                                                                   \
	what " is a push constant block, but m already has a different one; a stage has only one, so declare the "     \
	     "same block in both, or use a buffer"
#define NO_INPUT(what)                                                                                                 \
	what " is a stage input, which a resolver cannot add to a module; it may use built-in inputs, resources, "     \
	     "push constants and variables of its own"
#define TABLE(name, ...)                                                                                               \
	static void name(void **state)                                                                                 \
	{                                                                                                              \
		static const struct row rows[] = {__VA_ARGS__};                                                        \
                                                                                                                       \
		(void)state;                                                                                           \
		check(rows, SPB_COUNT(rows));                                                                          \
	}

TABLE(resources_go_by_their_names, ROW(N(a) TYPES TEXTURE(a), N(a) TYPES TEXTURE(a), "a=a"),
      ROW(N(a) N(b) TYPES TEXTURE(b) TEXTURE(a), N(a) TYPES TEXTURE(a), "a=a"),
      ROW(TYPES, N(a) TYPES TEXTURE(a), "a=new"), ROW(N(ab) TYPES TEXTURE(ab), N(a) TYPES TEXTURE(a), "a=new"),
      ROW(N(a) TYPES TEXTURE(a), N(ab) TYPES TEXTURE(ab), "ab=new"),
      ROW(N(a) TYPES TEXTURE(a), N(a) N(b) TYPES TEXTURE(a) TEXTURE(b), "a=a b=new"),
      ROW(N(a) TYPES TEXTURE(a), N(a) TYPES SAMPLER(a), DIFFERS("%1 \"a\"")),
      ROW(N(a) TYPES TEXTURE(a), N(a) TYPES "%a = OpVariable %p_images UniformConstant\n", DIFFERS("%1 \"a\"")),
      ROW(NAMELESS(a) TYPES TEXTURE(a), NAMELESS(a) TYPES TEXTURE(a), "=new"),
      ROW(N(a) TYPES OWN(a), N(a) TYPES OWN(a), "a=new"), ROW(N(a) TYPES OF_GROUP(a), N(a) TYPES OF_GROUP(a), "a=new"),
      ROW(N(a) TYPES OWN(a), N(a) TYPES TEXTURE(a), "a=new"), ROW(N(a) TYPES TEXTURE(a), N(a) TYPES OWN(a), "a=new"),
      ROW(TYPES, N(a) "OpName %b \"a\"\n" TYPES TEXTURE(a) TEXTURE(b), "a=new a=new"),
      ROW(N(a) TYPES TEXTURE(a), N(a) "OpName %b \"a\"\n" TYPES TEXTURE(a) TEXTURE(b), "a=a a=a"),
      ROW(TYPES, N(a) TYPES "%a = OpVariable %p_out Output\n",
	  "%1 \"a\" has storage class Output, which a resolver cannot add to a module; it may use resources, push "
	  "constants, built-in inputs and variables of its own"))

#define BOTH N(B) N(x)
TABLE(
    blocks_go_by_the_names_of_their_types,
    ROW(BOTH TYPES BLOCK(B, Uniform, uint, x), BOTH TYPES BLOCK(B, Uniform, uint, x), "B=B x=x"),
    ROW(BOTH TYPES BLOCK(B, StorageBuffer, uint, x), BOTH TYPES BLOCK(B, StorageBuffer, uint, x), "B=B x=x"),
    ROW(N(B) NAMELESS(x) TYPES BLOCK(B, Uniform, uint, x), BOTH TYPES BLOCK(B, Uniform, uint, x), "B=B x="),
    ROW(N(B) NAMELESS(x) TYPES BLOCK(B, Uniform, uint, x), N(B) NAMELESS(x) TYPES BLOCK(B, Uniform, uint, x), "B=B ="),
    ROW(N(B) N(y) TYPES BLOCK(B, Uniform, uint, y), N(B) NAMELESS(x) TYPES BLOCK(B, Uniform, uint, x), "B=B =y"),
    ROW(N(B) N(y) TYPES BLOCK(B, Uniform, uint, y), BOTH TYPES BLOCK(B, Uniform, uint, x), "B=B x=new"),
    ROW(N(B) N(y) N(z) TYPES BLOCK(B, Uniform, uint, z) "%y = OpVariable %p_B Uniform\n",
	N(B) NAMELESS(x) TYPES BLOCK(B, Uniform, uint, x), "B=B =z"),
    ROW(N(B) N(y) TYPES BLOCK(B, Uniform, uint, y) "%z = OpVariable %p_B Uniform\n",
	BOTH TYPES BLOCK(B, Uniform, uint, x), "B=B x="),
    ROW(N(B) N(y) TYPES BLOCK(B, Uniform, uint, z) "%y = OpVariable %p_B Uniform\n",
	N(B) N(y) TYPES BLOCK(B, Uniform, uint, y), "B=B y=y"),
    ROW(N(B) N(y) TYPES BLOCK(B, Uniform, uint, y), N(C) NAMELESS(x) TYPES BLOCK(C, Uniform, uint, x), "C=new =new"),
    ROW(N(B) TYPES TEXTURE(B), NAMELESS(x) "OpName %C \"B\"\n" TYPES BLOCK(C, Uniform, uint, x), "=new B=new"),
    ROW(N(y) TYPES BLOCK(B, Uniform, uint, y), NAMELESS(x) TYPES BLOCK(B, Uniform, uint, x), "=new"),
    ROW(N(B) N(y) TYPES BLOCKS(B, OpTypeArray, "%c4", y), N(B) NAMELESS(x) TYPES BLOCKS(B, OpTypeArray, "%c4", x),
	"B=B =y"),
    /* wherever the types stand */
    ROW(N(B) N(y) TYPES BLOCKS(B, OpTypeArray, "%c4", y),
	N(B) NAMELESS(x) TYPES
	"%B = OpTypeStruct %uint\n%pad = OpTypeStruct %float %float %float %float\n%a = OpTypeArray "
	"%B %c4\n%pad2 = OpTypeStruct %float %float %float %float\n%aa = OpTypeArray %a %c4\n%p = OpTypePointer "
	"Uniform "
	"%aa\n%x = OpVariable %p Uniform\n",
	"B=B =y"),
    ROW(N(B) N(y) TYPES BLOCKS(B, OpTypeRuntimeArray, "", y),
	N(B) NAMELESS(x) TYPES BLOCKS(B, OpTypeRuntimeArray, "", x), "B=B =y"),
    ROW(N(B) N(y) TYPES BLOCKS(B, OpTypeArray, "%c4", y), N(B) NAMELESS(x) TYPES BLOCKS(B, OpTypeRuntimeArray, "", x),
	DIFFERS("%21")),
    ROW(N(B) N(y) TYPES BLOCKS(B, OpTypeArray, "%c4", y), N(B) NAMELESS(x) TYPES BLOCK(B, Uniform, uint, x),
	DIFFERS("%1 \"B\"")),
    ROW(BOTH TYPES BLOCK(B, Uniform, uint, x), BOTH TYPES BLOCK(B, Uniform, float, x), DIFFERS("%2 \"x\"")),
    ROW(BOTH TYPES BLOCK(B, Uniform, uint, x), BOTH TYPES BLOCK(B, StorageBuffer, uint, x), DIFFERS("%2 \"x\"")),
    ROW(BOTH TYPES BLOCK(B, Uniform, uint, x), N(C) N(x) TYPES BLOCK(C, Uniform, uint, x), DIFFERS("%2 \"x\"")),
    ROW(BOTH TYPES BLOCK(B, Uniform, uint, x), BOTH "OpMemberName %B 0 \"m\"\n" TYPES BLOCK(B, Uniform, uint, x),
	DIFFERS("%2 \"x\"")),
    ROW(BOTH "OpMemberName %B 0 \"n\"\n" TYPES BLOCK(B, Uniform, uint, x),
	BOTH "OpMemberName %B 0 \"m\"\n" TYPES BLOCK(B, Uniform, uint, x), DIFFERS("%2 \"x\"")),
    ROW(BOTH "OpMemberName %B 0 \"m\"\n" TYPES BLOCK(B, Uniform, uint, x),
	BOTH "OpMemberName %B 0 \"m\"\n" TYPES BLOCK(B, Uniform, uint, x), "B=B x=x"),
    ROW(BOTH D(B, "Block") "OpMemberDecorate %B 0 Offset 0\n" TYPES BLOCK(B, Uniform, uint, x),
	BOTH "OpMemberDecorate %B 0 Offset 0\n" D(B, "Block") TYPES BLOCK(B, Uniform, uint, x), "B=B x=x"),
    ROW(BOTH D(B, "Block") "OpMemberDecorate %B 0 Offset 0\n" TYPES BLOCK(B, Uniform, uint, x),
	BOTH D(B, "Block") "OpMemberDecorate %B 0 Offset 4\n" TYPES BLOCK(B, Uniform, uint, x), DIFFERS("%2 \"x\"")),
    ROW(BOTH D(B, "Block") "OpMemberDecorate %B 0 Offset 0\n" TYPES BLOCK(B, Uniform, uint, x),
	BOTH D(B, "BufferBlock") "OpMemberDecorate %B 0 Offset 0\n" TYPES BLOCK(B, Uniform, uint, x),
	DIFFERS("%2 \"x\"")),
    ROW(BOTH D(B, "Block") "OpMemberDecorate %B 0 NonWritable\nOpMemberDecorate %B 0 Coherent\n" TYPES BLOCK(B, Uniform,
													     uint, x),
	BOTH "OpMemberDecorate %B 0 Coherent\nOpMemberDecorate %B 0 NonWritable\n" D(B, "Block")
	    TYPES BLOCK(B, Uniform, uint, x),
	"B=B x=x"),
    /* whose words are the same but for the first one */
    ROW(BOTH D(B, "SpecId 4") "OpMemberDecorate %B 1 RowMajor\n" TYPES BLOCK(B, Uniform, uint, x),
	BOTH "OpMemberDecorate %B 1 RowMajor\n" D(B, "SpecId 4") TYPES BLOCK(B, Uniform, uint, x), "B=B x=x"),
    ROW(BOTH D(B, "SpecId 4") TYPES BLOCK(B, Uniform, uint, x),
	BOTH "OpMemberDecorate %B 1 RowMajor\n" TYPES BLOCK(B, Uniform, uint, x), DIFFERS("%2 \"x\"")),
    ROW(BOTH D(B, "Block") TYPES BLOCK(B, Uniform, uint, x),
	BOTH D(B, "Block") "OpMemberDecorate %B 0 NonWritable\n" TYPES BLOCK(B, Uniform, uint, x), DIFFERS("%2 \"x\"")))

#define AUTO_BINDING_9 .options.layout = {.has_auto_binding = 1, .auto_binding = 9}
#define AUTO_SET_7     .options.layout = {.has_auto_set = 1, .auto_set = 7}
/* Those of the module and of the resolver, which may have each only one of them. */
TABLE(places_are_joined, ROW(N(a) PLACE(a, 1, 2) TYPES TEXTURE(a), N(a) TYPES TEXTURE(a), "a=a@1,2"),
      ROW(N(a) TYPES TEXTURE(a), N(a) PLACE(a, 1, 2) TYPES TEXTURE(a), "a=a@1,2"),
      ROW(N(a) PLACE(a, 0, 0) TYPES TEXTURE(a), N(a) TYPES TEXTURE(a), "a=a@0,0"),
      ROW(N(a) TYPES TEXTURE(a), N(a) PLACE(a, 0, 0) TYPES TEXTURE(a), "a=a@0,0"),
      ROW(TYPES, N(a) PLACE(a, 1, 2) TYPES TEXTURE(a), "a=new@1,2"),
      ROW(N(a) PLACE(a, 1, 2) TYPES TEXTURE(a), N(a) PLACE(a, 1, 2) TYPES TEXTURE(a), "a=a@1,2"),
      ROW(N(a) D(a, "DescriptorSet 1") TYPES TEXTURE(a), N(a) D(a, "Binding 2") TYPES TEXTURE(a), "a=a@1,2"),
      ROW(N(a) D(a, "Binding 2") TYPES TEXTURE(a), N(a) D(a, "DescriptorSet 1") TYPES TEXTURE(a), "a=a@1,2"),
      ROW(N(a) PLACE(a, 1, 2) TYPES TEXTURE(a), N(a) PLACE(a, 3, 2) TYPES TEXTURE(a),
	  OTHER("%1 \"a\"", "descriptor set", "3", "1")),
      ROW(N(a) PLACE(a, 1, 2) TYPES TEXTURE(a), N(a) PLACE(a, 1, 3) TYPES TEXTURE(a),
	  OTHER("%1 \"a\"", "binding", "3", "2")),
      ROW(N(a) PLACE(a, 0, 0) TYPES TEXTURE(a), N(a) PLACE(a, 0, 1) TYPES TEXTURE(a),
	  OTHER("%1 \"a\"", "binding", "1", "0")),
      ROW(N(a) TYPES TEXTURE(a),
	  N(a) "OpName %b \"a\"\n" D(a, "Binding 3") D(b, "DescriptorSet 4") TYPES TEXTURE(a) TEXTURE(b),
	  "a=a@4,3 a=a@4,3"),
      ROW(N(a) TYPES TEXTURE(a),
	  N(a) "OpName %b \"a\"\n" D(a, "Binding 3") D(b, "Binding 4") TYPES TEXTURE(a) TEXTURE(b),
	  OTHER("%2 \"a\"", "binding", "4", "3")),
      ROW(TYPES, N(a) "OpName %b \"a\"\n" D(a, "Binding 3") D(b, "DescriptorSet 4") TYPES TEXTURE(a) TEXTURE(b),
	  "a=new@4,3 a=new@4,3"),
      ROW(TYPES, N(a) "OpName %b \"a\"\n" D(a, "Binding 3") D(b, "Binding 4") TYPES TEXTURE(a) TEXTURE(b),
	  OTHER("%2 \"a\"", "binding", "4", "3")),
      ROW(N(a) TYPES TEXTURE(a), N(a) PLACE(a, 4294967293, 4294967293) TYPES TEXTURE(a), "a=a@4294967293,4294967293"),
      ROW(N(a) TYPES TEXTURE(a), N(a) PLACE(a, 4294967294, 4294967294) TYPES TEXTURE(a), "a=a"),
      ROW(N(a) PLACE(a, 1, 9) TYPES TEXTURE(a), N(a) PLACE(a, 3, 4) TYPES TEXTURE(a), "a=a@3,4", AUTO_BINDING_9),
      ROW(N(a) PLACE(a, 1, 9) TYPES TEXTURE(a), N(a) PLACE(a, 3, 9) TYPES TEXTURE(a), "a=a@1,9", AUTO_BINDING_9),
      ROW(N(a) PLACE(a, 1, 2) TYPES TEXTURE(a), N(a) PLACE(a, 3, 9) TYPES TEXTURE(a), "a=a@1,2", AUTO_BINDING_9),
      ROW(N(a) PLACE(a, 1, 0) TYPES TEXTURE(a), N(a) PLACE(a, 1, 3) TYPES TEXTURE(a),
	  OTHER("%1 \"a\"", "binding", "3", "0")),
      ROW(N(a) PLACE(a, 7, 2) TYPES TEXTURE(a), N(a) PLACE(a, 3, 2) TYPES TEXTURE(a), "a=a@3,2", AUTO_SET_7),
      ROW(N(a) PLACE(a, 3, 7) TYPES TEXTURE(a), N(a) PLACE(a, 7, 7) TYPES TEXTURE(a), "a=a@3,7", AUTO_SET_7),
      ROW(N(a) PLACE(a, 3, 7) TYPES TEXTURE(a), N(a) PLACE(a, 3, 8) TYPES TEXTURE(a),
	  OTHER("%1 \"a\"", "binding", "8", "7"), AUTO_SET_7),
      ROW(N(a) PLACE(a, 0, 2) TYPES TEXTURE(a), N(a) PLACE(a, 3, 2) TYPES TEXTURE(a),
	  OTHER("%1 \"a\"", "descriptor set", "3", "0")))

#define SECOND_TEXT(body) .more = "%g = OpFunction %void None %fn\n%gl = OpLabel\n" body "OpReturn\nOpFunctionEnd\n"
#define LOAD_A            "%l1 = OpLoad %sampler %a\n"
#define LINE(n)           "OpLine %file " #n " 1\n"
#define IN_FILE           "%file = OpString \"f\"\n"
/* What is wrong with a variable is said where it is first used. */
TABLE(messages_have_lines,
      ROW(N(a) TYPES TEXTURE(a), IN_FILE N(a) TYPES SAMPLER(a), DIFFERS("%2 \"a\""), SECOND_TEXT(LOAD_A)),
      ROW(N(a) TYPES TEXTURE(a), IN_FILE N(a) TYPES SAMPLER(a), "line 7: " DIFFERS("%2 \"a\""),
	  SECOND_TEXT(LINE(7) LOAD_A LINE(9) "%l2 = OpLoad %sampler %a\n")),
      ROW(N(a) TYPES TEXTURE(a), IN_FILE N(a) TYPES SAMPLER(a), "line 9: " DIFFERS("%2 \"a\""),
	  SECOND_TEXT(LOAD_A LINE(9) "%l2 = OpLoad %sampler %a\n")),
      ROW(N(a) TYPES TEXTURE(a), IN_FILE N(a) TYPES SAMPLER(a), "line 8: " DIFFERS("%2 \"a\""),
	  SECOND_TEXT(LINE(7) "OpNop\nOpStore %a %a\n%s1 = OpCopyObject %sampler %a\n" LINE(8) LOAD_A)),
      ROW(N(a) TYPES TEXTURE(a), IN_FILE N(a) TYPES SAMPLER(a), "line 8: " DIFFERS("%2 \"a\""),
	  SECOND_TEXT(LINE(8) "%s1 = OpAccessChain %p_sampler %a %c4\n" LINE(9) LOAD_A)),
      ROW(N(a) TYPES TEXTURE(a), IN_FILE N(a) TYPES SAMPLER(a), "line 8: " DIFFERS("%2 \"a\""),
	  SECOND_TEXT(LINE(8) "%s1 = OpInBoundsAccessChain %p_sampler %a %c4\n" LINE(9) LOAD_A)),
      ROW(N(a) TYPES TEXTURE(a), IN_FILE N(a) TYPES SAMPLER(a) SAMPLER(b), "line 9: " DIFFERS("%2 \"a\""),
	  SECOND_TEXT(LINE(8) "%s1 = OpLoad %sampler %b\n" LINE(9) LOAD_A)))

#define GLOBAL_ID "BuiltIn GlobalInvocationId"
TABLE(inputs_are_those_of_the_module,
      ROW(N(a) D(a, GLOBAL_ID) TYPES INPUT(a), N(b) D(b, GLOBAL_ID) TYPES INPUT(b), "b=a"),
      ROW(TYPES, N(b) D(b, GLOBAL_ID) TYPES INPUT(b), "b=new"),
      ROW(TYPES, N(z) N(a) D(a, GLOBAL_ID) TYPES OWN(z) INPUT(a), "z=new a=new"),
      ROW(TYPES, N(b) N(c) D(b, GLOBAL_ID) D(c, GLOBAL_ID) TYPES INPUT(b) INPUT(c), "b=new c=new:b"),
      ROW(N(a) D(a, GLOBAL_ID) TYPES INPUT(a), N(a) D(a, "BuiltIn WorkgroupId") TYPES INPUT(a), "a=new"),
      ROW(N(a) D(a, GLOBAL_ID) TYPES INPUT(a), N(a) D(a, GLOBAL_ID) TYPES "%a = OpVariable %p_uint_in Input\n",
	  DIFFERS("%1 \"a\"")),
      ROW(N(a) D(a, GLOBAL_ID) TYPES "%a = OpVariable %p_out Output\n", N(a) D(a, GLOBAL_ID) TYPES INPUT(a), "a=new"),
      ROW(N(a) D(a, GLOBAL_ID) TYPES INPUT(a), N(a) TYPES INPUT(a), NO_INPUT("%1 \"a\"")),
      ROW(TYPES, N(a) D(a, "Location 3") TYPES INPUT(a), NO_INPUT("%1 \"a\"")))

#define ENTRY(stage) "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint " stage " %main \"main\"\n"
#define IN_STAGE(builtin, result, ...)                                                                                 \
	ROW(TYPES, N(a) D(a, "BuiltIn " builtin) TYPES INPUT(a), result, .preamble = __VA_ARGS__)
TABLE(built_ins_are_of_stages, IN_STAGE("LocalInvocationId", "a=new", ENTRY("GLCompute") "OpNop\n"),
      IN_STAGE("LocalInvocationId", "a=new", ENTRY("TaskNV")), IN_STAGE("LocalInvocationId", "a=new", ENTRY("MeshNV")),
      IN_STAGE("LocalInvocationId", "a=new", ENTRY("TaskEXT")),
      IN_STAGE("LocalInvocationId", "a=new", ENTRY("MeshEXT")),
      IN_STAGE("LocalInvocationId", ONLY("compute, task and mesh"), ENTRY("Fragment")),
      IN_STAGE("LocalInvocationId", ONLY("compute, task and mesh"), ENTRY("Vertex")),
      IN_STAGE("LocalInvocationId", ONLY("compute, task and mesh"), ENTRY("RayGenerationKHR")),
      IN_STAGE("LocalInvocationId", ONLY("compute, task and mesh"),
	       ENTRY("GLCompute") "OpEntryPoint Fragment %main \"m\"\n"),
      IN_STAGE("LocalInvocationId", ONLY("compute, task and mesh"),
	       ENTRY("Fragment") "OpEntryPoint GLCompute %main \"m\"\n"),
      IN_STAGE("LocalInvocationId", "a=new", ENTRY("MeshNV") "OpEntryPoint GLCompute %main \"m\"\n"),
      IN_STAGE("VertexIndex", "a=new", ENTRY("Vertex")), IN_STAGE("VertexIndex", ONLY("vertex"), ENTRY("MeshEXT")),
      IN_STAGE("VertexIndex", ONLY("vertex"), ENTRY("Geometry")),
      IN_STAGE("VertexIndex", ONLY("vertex"), ENTRY("RayGenerationKHR")),
      IN_STAGE("NumWorkgroups", ONLY("compute, task and mesh"), ENTRY("Fragment")),
      IN_STAGE("FragCoord", "a=new", ENTRY("Fragment")), IN_STAGE("FragCoord", ONLY("fragment"), ENTRY("GLCompute")),
      IN_STAGE("SubgroupSize", "a=new", ENTRY("Fragment")), IN_STAGE("HelperInvocation", "a=new", ENTRY("Fragment")),
      IN_STAGE("HelperInvocation", ONLY("fragment"), ENTRY("Vertex")))

TABLE(push_constants_are_one_block,
      ROW(BOTH TYPES BLOCK(B, PushConstant, uint, x), N(B) N(y) TYPES BLOCK(B, PushConstant, uint, y), "B=B y=x"),
      ROW(TYPES, N(B) N(y) TYPES BLOCK(B, PushConstant, uint, y), "B=new y=new"),
      ROW(BOTH TYPES BLOCK(B, PushConstant, uint, x), N(B) N(y) TYPES BLOCK(B, PushConstant, float, y),
	  SECOND("%2 \"y\"")),
      ROW(BOTH TYPES BLOCK(B, Uniform, uint, x), N(B) N(y) TYPES BLOCK(B, PushConstant, uint, y), "B=B y=new"),
      ROW(TYPES, N(B) N(y) N(z) TYPES BLOCK(B, PushConstant, uint, y) "%z = OpVariable %p_B PushConstant\n",
	  "B=new y=new z=new:y"),
      ROW(TYPES, N(B) N(y) N(C) N(z) TYPES BLOCK(B, PushConstant, uint, y) BLOCK(C, PushConstant, uint, z),
	  SECOND("%4 \"z\"")))

TABLE(types_and_constants_are_found,
      ROW(N(k) TYPES "%k = OpConstant %uint 7\n", N(k) TYPES "%k = OpConstant %uint 7\n", "k=k"),
      ROW(N(k) TYPES "%k = OpConstant %uint 7\n", N(k) TYPES "%k = OpConstant %uint 8\n", "k=new"),
      ROW(N(k) TYPES "%k = OpConstant %uint 7\n", N(k) TYPES "%k = OpConstant %float 7\n", "k=new"),
      ROW(N(k) TYPES "%k = OpConstantNull %uint\n", N(l) TYPES "%l = OpConstantNull %uint\n", "l=k"),
      ROW(N(k) TYPES "%k = OpUndef %uint\n", N(k) TYPES "%k = OpUndef %uint\n", "k=new"),
      ROW(N(k) TYPES "%k = OpConstant %uint 7\n",
	  N(k) N(l) TYPES "%k = OpConstant %uint 7\n%l = OpConstantComposite %u3 %k %c4 %k\n", "k=k l=new"),
      ROW(N(k) TYPES "%k = OpConstantComposite %u3 %c4 %c4 %c4\n",
	  N(k) TYPES "%k = OpConstantComposite %u3 %c4 %c4 %c4\n", "k=k"),
      ROW(N(k) D(k, "RelaxedPrecision") TYPES "%k = OpConstant %uint 7\n", N(k) TYPES "%k = OpConstant %uint 7\n",
	  "k=new"),
      ROW(N(k) TYPES "%k = OpSpecConstant %uint 7\n", N(k) TYPES "%k = OpSpecConstant %uint 7\n", "k=k"),
      ROW(N(k) D(k, "SpecId 3") TYPES "%k = OpSpecConstant %uint 7\n",
	  N(k) D(k, "SpecId 3") TYPES "%k = OpSpecConstant %uint 7\n", "k=k"),
      ROW(N(k) D(k, "SpecId 3") TYPES "%k = OpSpecConstant %uint 7\n",
	  N(k) D(k, "SpecId 4") TYPES "%k = OpSpecConstant %uint 7\n", "k=new"),
      ROW(N(k) D(k, "SpecId 3") TYPES "%k = OpSpecConstant %uint 7\n",
	  N(k) D(k, "SpecId 3") TYPES "%k = OpSpecConstant %uint 8\n", NOT_ALIKE("%1 \"k\"", "3")),
      ROW(N(k) D(k, "SpecId 3") TYPES "%k = OpSpecConstant %uint 7\n",
	  N(k) D(k, "SpecId 3") TYPES "%k = OpSpecConstant %float 7\n", NOT_ALIKE("%1 \"k\"", "3")),
      ROW(N(k) D(k, "SpecId 0") TYPES "%k = OpSpecConstant %uint 7\n",
	  N(k) D(k, "SpecId 0") TYPES "%k = OpSpecConstant %float 7\n", NOT_ALIKE("%1 \"k\"", "0")),
      ROW(TYPES,
	  N(k) N(l) D(k, "SpecId 3") D(l, "SpecId 3") TYPES
	  "%k = OpSpecConstant %uint 7\n%l = OpSpecConstant %uint 8\n",
	  NOT_ALIKE("%2 \"l\"", "3")),
      ROW(N(t) TYPES "%t = OpTypeVector %uint 4\n", N(u) TYPES "%u = OpTypeVector %uint 4\n", "u=t"),
      ROW(N(t) TYPES "%t = OpTypeVector %uint 4\n", N(u) TYPES "%u = OpTypeVector %float 4\n", "u=new"),
      ROW(N(t) TYPES "%t = OpTypeInt 32 1\n", N(t) TYPES "%t = OpTypeInt 64 1\n", "t=new"),
      ROW(N(t) D(t, "ArrayStride 4") TYPES "%t = OpTypeRuntimeArray %uint\n",
	  N(t) D(t, "ArrayStride 4") TYPES "%t = OpTypeRuntimeArray %uint\n", "t=t"),
      ROW(N(t) D(t, "ArrayStride 4") TYPES "%t = OpTypeRuntimeArray %uint\n",
	  N(t) D(t, "ArrayStride 16") TYPES "%t = OpTypeRuntimeArray %uint\n", "t=new"),
      ROW(N(t) TYPES "%t = OpTypeRuntimeArray %uint\n",
	  N(t) D(t, "ArrayStride 16") TYPES "%t = OpTypeRuntimeArray %uint\n", "t=new"),
      /* what says something that is not there yet is like nothing else */
      ROW(TYPES,
	  N(t) N(u) "OpDecorateId %t UniformId %k\nOpDecorateId %u UniformId %l\n" TYPES
		    "%t = OpTypeRuntimeArray %uint\n%u = OpTypeRuntimeArray %uint\n%k = OpConstant %uint 8\n"
		    "%l = OpConstant %uint 9\n",
	  "t=new u=new"),
      ROW(N(t) D(t, "ArrayStride 4") TYPES "%t = OpTypePointer Uniform %uint\n",
	  N(t) D(t, "ArrayStride 8") TYPES "%t = OpTypePointer Uniform %uint\n", "t=new"),
      ROW("%a = OpString \"x\"\n%b = OpString \"y\"\n" N(a) N(b) TYPES, "%a = OpString \"x\"\n" N(a) TYPES, "a=a"),
      ROW("%a = OpString \"x\"\n" N(a) TYPES, "%a = OpString \"x\"\n" N(a) TYPES, "a=a"),
      ROW("%a = OpString \"x\"\n" N(a) TYPES, "%a = OpString \"xyzuv\"\n" N(a) TYPES, "a=new:"),
      ROW("%a = OpString \"x\"\n%b = OpString \"y\"\n" N(a) N(b) TYPES, "%a = OpString \"y\"\n" N(a) TYPES, "a=b"))
/* The version, capabilities, extensions and models that come along. */
static void put_preamble(const struct merging *g, char *text, size_t size)
{
	const struct spb_module *m = &g->unit.m;
	size_t n = (size_t)snprintf(text, size, "1.%u", spb_version_word(m) >> 8 & 0xFF);

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_ENTRY_POINT];
	     at = spb_next(m, at)) {
		const uint32_t op = spb_op(m, at);
		if (op == SpvOpCapability)
			n += (size_t)snprintf(text + n, size - n, " %u", m->words[at + 1]);
		else if (op == SpvOpExtension || op == SpvOpExtInstImport)
			n += (size_t)snprintf(text + n, size - n, " %s",
					      spb_string(m, at + (op == SpvOpExtension ? 1 : 2)));
		else if (op == SpvOpMemoryModel)
			n += (size_t)snprintf(text + n, size - n, " model %u %u", m->words[at + 1], m->words[at + 2]);
	}
}

#define CAPABILITY(x)     "OpCapability " #x "\n"
#define EXTENSION(x)      "OpExtension \"" x "\"\n"
#define MODEL(address, x) "OpMemoryModel " #address " " #x "\n"
#define SHADER            CAPABILITY(Shader)
#define MAIN              "OpEntryPoint GLCompute %main \"main\"\n"
#define PLAIN             MODEL(Logical, GLSL450)
#define ADDRESSES         CAPABILITY(PhysicalStorageBufferAddresses)
#define FAR               MODEL(PhysicalStorageBuffer64, GLSL450)
#define POINTER           N(p) D(p, "ArrayStride 4") TYPES "%p = OpTypePointer PhysicalStorageBuffer %uint\n"
#define PREAMBLES(target, source, declared, ...)                                                                       \
	{                                                                                                              \
		.to = TYPES, .from = declared, .preamble = target MAIN, .library = source, .wanted = __VA_ARGS__       \
	}

static void preambles_are_joined(void **state)
{
	static const struct row rows[] = {
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES, "1.3 1 model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER CAPABILITY(Linkage) PLAIN, TYPES, "1.3 1 model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER CAPABILITY(Int64) CAPABILITY(Int16) PLAIN, TYPES, "1.3 1 11 22 model 0 1"),
	    PREAMBLES(SHADER CAPABILITY(Int16) PLAIN, CAPABILITY(Int64) CAPABILITY(Int16) PLAIN, TYPES,
		      "1.3 1 22 11 model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER EXTENSION("SPV_a") PLAIN, TYPES, "1.3 1 SPV_a model 0 1"),
	    PREAMBLES(SHADER EXTENSION("SPV_a") PLAIN, SHADER EXTENSION("SPV_a") EXTENSION("SPV_b") PLAIN, TYPES,
		      "1.3 1 SPV_a SPV_b model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER EXTENSION(SPB_HANDLE_SET) PLAIN, TYPES, "1.3 1 model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER "%set = OpExtInstImport \"GLSL.std.450\"\n" PLAIN, N(set) TYPES,
		      "1.3 1 GLSL.std.450 model 0 1"),
	    PREAMBLES(SHADER "%s = OpExtInstImport \"GLSL.std.450\"\n" PLAIN,
		      SHADER "%set = OpExtInstImport \"GLSL.std.450\"\n" PLAIN, N(set) TYPES,
		      "1.3 1 GLSL.std.450 model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER "%set = OpExtInstImport \"GLSL.std.450\"\n" PLAIN, TYPES, "1.3 1 model 0 1"),
	    {.to = "%a = OpString \"GLSL.std.450\"\n" TYPES,
	     .from = N(set) TYPES,
	     .library = SHADER "%set = OpExtInstImport \"GLSL.std.450\"\n" PLAIN,
	     .wanted = "1.3 1 GLSL.std.450 model 0 1"},
	    /* device addresses, only if they are needed */
	    PREAMBLES(SHADER PLAIN, SHADER ADDRESSES FAR, TYPES, "1.3 1 model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER ADDRESSES FAR, POINTER, "1.3 1 5347 model 5348 1"),
	    PREAMBLES(SHADER ADDRESSES FAR, SHADER ADDRESSES FAR, POINTER, "1.3 1 5347 model 5348 1"),
	    PREAMBLES(SHADER ADDRESSES FAR, SHADER PLAIN, TYPES, "1.3 1 5347 model 5348 1"),
	    PREAMBLES(SHADER PLAIN, SHADER ADDRESSES FAR, N(p) TYPES "%p = OpTypePointer Uniform %uint\n",
		      "1.3 1 model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER ADDRESSES FAR, TYPES "%p = OpTypePointer PhysicalStorageBuffer %uint\n",
		      "1.3 1 model 0 1"),
	    PREAMBLES(SHADER PLAIN, SHADER ADDRESSES PLAIN, POINTER,
		      "the resolver has addressing model 0, which m cannot have; shaders for Vulkan use Logical (0) or "
		      "PhysicalStorageBuffer64 (5348)"),
	    PREAMBLES(SHADER MODEL(Physical64, GLSL450), SHADER ADDRESSES FAR, POINTER,
		      "the resolver has addressing model 5348, which m cannot have; shaders for Vulkan use Logical (0) "
		      "or PhysicalStorageBuffer64 (5348)"),
	    PREAMBLES(SHADER MODEL(Physical64, GLSL450), SHADER ADDRESSES FAR, TYPES, "1.3 1 model 2 1"),
	    PREAMBLES(SHADER PLAIN, SHADER MODEL(Physical32, GLSL450), TYPES,
		      "the resolver has addressing model 1, which m cannot have; shaders for Vulkan use Logical (0) or "
		      "PhysicalStorageBuffer64 (5348)"),
	    /* memory models */
	    PREAMBLES(SHADER MODEL(Logical, Vulkan), SHADER PLAIN, TYPES, "1.3 1 model 0 3"),
	    PREAMBLES(SHADER MODEL(Logical, Vulkan), SHADER MODEL(Logical, Vulkan), TYPES, "1.3 1 model 0 3"),
	    PREAMBLES(SHADER PLAIN, SHADER MODEL(Logical, Vulkan), TYPES,
		      "the resolver has memory model 3, but m has 1 (0: Simple, 1: GLSL450, 2: OpenCL, 3: Vulkan); "
		      "compile both for the same model, or the resolver for GLSL450"),
	    PREAMBLES(SHADER MODEL(Logical, Simple), SHADER PLAIN, TYPES, "1.3 1 model 0 0"),
	    PREAMBLES(SHADER PLAIN, SHADER MODEL(Logical, Simple), TYPES,
		      "the resolver has memory model 0, but m has 1 (0: Simple, 1: GLSL450, 2: OpenCL, 3: Vulkan); "
		      "compile both for the same model, or the resolver for GLSL450"),
	    PREAMBLES(SHADER, SHADER PLAIN, TYPES,
		      "the module has no OpMemoryModel, so no resolver can be merged into it"),
	    PREAMBLES(SHADER PLAIN, SHADER, TYPES, "1.3 1 model 0 1"),
	    /* versions */
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES, "1.3 1 model 0 1", .version = {0x10000, 0x10300}),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES, "1.3 1 model 0 1", .version = {0x10300, 0x10000}),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES, "1.5 1 model 0 1", .version = {0x10400, 0x10500}),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES, "1.4 1 model 0 1", .version = {0x10400, 0x10400}),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES, "1.4 1 model 0 1", .version = {0x10400, 0x10300}),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES,
		      "the resolver is SPIR-V 1.4, but m is 1.3 and cannot be raised to 1.4 or later: compile the "
		      "resolver for SPIR-V 1.3, or the module for 1.4",
		      .version = {0x10300, 0x10400}),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES,
		      "the resolver is SPIR-V 1.5, but m is 1.0 and cannot be raised to 1.4 or later: compile the "
		      "resolver for SPIR-V 1.3, or the module for 1.4",
		      .version = {0x10000, 0x10500}),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES, "1.3 1 model 0 1", .version = {0x10000, 0x10300},
		      .options.validation.env = SPB_ENV_VULKAN_1_1),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES,
		      "the resolver is SPIR-V 1.3, but the target environment accepts 1.0 at most; compile the "
		      "resolver for that version",
		      .version = {0x10000, 0x10300}, .options.validation.env = SPB_ENV_VULKAN_1_0),
	    PREAMBLES(SHADER PLAIN, SHADER PLAIN, TYPES,
		      "the resolver is SPIR-V 1.6, but the target environment accepts 1.5 at most; compile the "
		      "resolver for that version",
		      .version = {0x10400, 0x10600}, .options.validation.env = SPB_ENV_VULKAN_1_2),
	    /* a block of old, which new versions have not */
	    {.to = TYPES,
	     .from = BOTH D(B, "BufferBlock") TYPES BLOCK(B, Uniform, uint, x),
	     .wanted = "%1 \"B\" is a BufferBlock, which does not exist in SPIR-V 1.4 and later, the version of m; "
		       "compile the resolver for Vulkan 1.1 or later",
	     .version = {0x10400, 0x10000}},
	    {.to = TYPES,
	     .from = BOTH D(B, "BufferBlock") TYPES BLOCK(B, Uniform, uint, x),
	     .wanted = "1.3 1 model 0 1",
	     .version = {0x10300, 0x10000}},
	    {.to = TYPES,
	     .from = BOTH D(B, "Block") TYPES BLOCK(B, Uniform, uint, x),
	     .wanted = "1.4 1 model 0 1",
	     .version = {0x10400, 0x10000}},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char found[1000];
		struct merging g;
		begin(&g, &rows[i]);
		if (caught(g.unit.m.context, merge, &g)) {
			snprintf(found, sizeof found, "%s", g.said);
		} else {
			spb_edit_commit(&g.unit.edit);
			spb_module_need_index(&g.unit.m);
			put_preamble(&g, found, sizeof found);
		}
		if (strcmp(found, rows[i].wanted) != 0)
			fail_msg("%u: got %s\nexpected %s", (unsigned)i, found, rows[i].wanted);
		end(&g);
	}
}

/* What is claimed keeps its first id, however much is claimed after it. */
static void claims_are_kept(void **state)
{
	enum { MANY = 1500 };
	static const struct row none = {.to = TYPES, .from = TYPES};
	char name[300] = "";
	struct merging g;

	(void)state;
	begin(&g, &none);
	struct spb_merged *merged = spb_merged_begin(&g.unit);
	assert_ptr_equal(spb_merged_unit(merged), &g.unit);
	for (uint32_t i = 1; i <= MANY; i++) {
		assert_int_equal(spb_merged_claim(merged, i % 3, i / 3, 0), 0);
		assert_int_equal(spb_merged_claim(merged, i % 3, i / 3, i), i);
	}
	for (uint32_t i = 0; i < sizeof name - 1; i++) { /* each is the beginning of the next one */
		assert_int_equal(spb_merged_claim_name(merged, 1, name, 0), 0);
		assert_int_equal(spb_merged_claim_name(merged, 1, name, i + 1), i + 1);
		assert_int_equal(spb_merged_claim_name(merged, 2, name, i + 2), i + 2);
		name[i] = (char)('a' + i % 26);
	}
	for (uint32_t i = 1; i <= MANY; i++) {
		assert_int_equal(spb_merged_claim(merged, i % 3, i / 3, i + 1), i);
		assert_int_equal(spb_merged_claim(merged, i % 3, i / 3, 0), i);
	}
	for (uint32_t i = sizeof name - 2; i; i--) {
		name[i] = '\0';
		assert_int_equal(spb_merged_claim_name(merged, 1, name, 0), i + 1);
		assert_int_equal(spb_merged_claim_name(merged, 2, name, 7), i + 2);
	}
	/* numbers and names are kept apart, whatever their kinds */
	assert_int_equal(spb_merged_claim(merged, SpvOpName, 1, 0), 0);
	assert_int_equal(spb_merged_claim_name(merged, SpvOpDecorate, "\1\2", 0), 0);
	const uint32_t next = g.unit.edit.bound;
	assert_int_equal(spb_merged_claim(merged, 4, 0, SPB_MERGED_NEW), next);
	assert_int_equal(spb_merged_claim(merged, 4, 0, SPB_MERGED_NEW), next);
	assert_int_equal(spb_merged_claim(merged, 0, 4, SPB_MERGED_NEW), 12);
	assert_int_equal(g.unit.edit.bound, next + 1);
	end(&g);
}

/* Types and constants from their operands, once each. */
static void globals_are_found_or_made(void **state)
{
	static const struct row names = {.to = N(uint) N(u3) N(c4) TYPES, .from = TYPES};
	struct merging g;

	(void)state;
	begin(&g, &names);
	struct spb_module *m = &g.unit.m;
	struct spb_merged *merged = spb_merged_begin(&g.unit);
	const uint32_t uint = 2, u3 = 3, c4 = 4; /* ids in the order in which the text names them */
	assert_string_equal(spb_id_name(m, uint), "uint");
	assert_string_equal(spb_id_name(m, u3), "u3");
	assert_string_equal(spb_id_name(m, c4), "c4");
	const uint32_t bound = g.unit.edit.bound;
	assert_int_equal(spb_merged_global(merged, SpvOpTypeVector, W(uint, 3)), u3);
	assert_int_equal(spb_merged_global(merged, SpvOpConstant, W(uint, 4)), c4);
	assert_int_equal(spb_merged_global(merged, SpvOpTypeVector, W(uint, 2)), bound);
	assert_int_equal(spb_merged_global(merged, SpvOpConstant, W(uint, 2)), bound + 1);
	assert_int_equal(spb_merged_global(merged, SpvOpConstantTrue, W(uint)), bound + 2);
	assert_int_equal(spb_merged_global(merged, SpvOpTypeVector, W(uint, 2)), bound);
	assert_int_equal(spb_merged_global(merged, SpvOpConstant, W(uint, 2)), bound + 1);
	assert_int_equal(g.unit.edit.bound, bound + 3);
	spb_edit_commit(&g.unit.edit);
	spb_module_need_index(m);
	const uint32_t made[] = {4u << 16 | SpvOpTypeVector,   bound, uint,      2,
				 4u << 16 | SpvOpConstant,     uint,  bound + 1, 2,
				 3u << 16 | SpvOpConstantTrue, uint,  bound + 2};
	assert_memory_equal(m->words + m->section[SPB_SECTION_FUNCTION] - SPB_COUNT(made), made, sizeof made);
	end(&g);
}

/* The globals from `at` on, with the names of what they name. */
static void put_globals(const struct spb_module *m, spb_at at, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		spb_at end = at + 1;
		n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", spb_op_name(spb_op(m, at)));
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o); end = o.word + o.count) {
			if (spb_operand_is_id(&o))
				n += (size_t)snprintf(text + n, size - n, " %s", spb_id_name(m, m->words[o.word]));
		}
		assert_int_equal(end, spb_next(m, at));
	}
}

#define CHAIN(p, node) "%" #node " = OpTypeStruct %" #p "\n%" #p " = OpTypePointer PhysicalStorageBuffer %" #node "\n"
#define FORWARD(p)     "OpTypeForwardPointer %" #p " PhysicalStorageBuffer\n"

/* Pointers that are declared forward are made where their types stand, and declared once. */
static void pointers_are_declared_forward(void **state)
{
	static const struct row rows[] = {
	    ROW(TYPES, N(p) N(node) TYPES FORWARD(p) CHAIN(p, node),
		"OpTypeForwardPointer p, OpTypeStruct node p, OpTypePointer p node"),
	    ROW(TYPES, N(k) N(p) N(node) TYPES "%k = OpConstantTrue %void\n" FORWARD(p) CHAIN(p, node),
		"OpConstantTrue  k, OpTypeForwardPointer p, OpTypeStruct node p, OpTypePointer p node"),
	    ROW(TYPES, N(p) N(node) TYPES FORWARD(p) FORWARD(p) CHAIN(p, node),
		"OpTypeForwardPointer p, OpTypeStruct node p, OpTypePointer p node"),
	    ROW(TYPES, N(p) N(node) TYPES FORWARD(q) FORWARD(p) CHAIN(p, node) CHAIN(q, other),
		"OpTypeForwardPointer p, OpTypeStruct node p, OpTypePointer p node"),
	    ROW(TYPES, N(p) N(node) N(q) N(other) TYPES FORWARD(q) FORWARD(p) CHAIN(p, node) CHAIN(q, other),
		"OpTypeForwardPointer q, OpTypeForwardPointer p, OpTypeStruct node p, OpTypePointer p node, "
		"OpTypeStruct other q, OpTypePointer q other"),
	    ROW(TYPES, TYPES FORWARD(p) CHAIN(p, node), ""),
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct row row = rows[i];
		char found[1000];
		struct merging g;
		row.library = SHADER ADDRESSES FAR;
		begin(&g, &row);
		const uint32_t globals = g.unit.m.section[SPB_SECTION_FUNCTION] - g.unit.m.section[SPB_SECTION_GLOBAL];
		assert_int_equal(caught(g.unit.m.context, merge, &g), SPB_OK);
		spb_edit_commit(&g.unit.edit);
		spb_module_need_index(&g.unit.m);
		put_globals(&g.unit.m, g.unit.m.section[SPB_SECTION_GLOBAL] + globals, found, sizeof found);
		assert_string_equal(found, rows[i].wanted);
		end(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(resources_go_by_their_names),
	    cmocka_unit_test(blocks_go_by_the_names_of_their_types),
	    cmocka_unit_test(places_are_joined),
	    cmocka_unit_test(messages_have_lines),
	    cmocka_unit_test(inputs_are_those_of_the_module),
	    cmocka_unit_test(built_ins_are_of_stages),
	    cmocka_unit_test(push_constants_are_one_block),
	    cmocka_unit_test(types_and_constants_are_found),
	    cmocka_unit_test(preambles_are_joined),
	    cmocka_unit_test(claims_are_kept),
	    cmocka_unit_test(globals_are_found_or_made),
	    cmocka_unit_test(pointers_are_declared_forward),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
