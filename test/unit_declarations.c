/* SPDX-License-Identifier: Apache-2.0 */
/* The order of declarations, recovered from source text: one rule in each test, then text that nobody wrote.
 *
 * Every text is read whole, cut at every byte, and byte by byte with empty pieces between: OpSource and
 * OpSourceContinued cut a text where a length limit happens to fall. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/source/declarations.h"

enum { MOST_NAMES = 16, MOST_BYTES = 2048, TABLE = 256 };

struct names {
	struct spb_name name[MOST_NAMES];
	size_t count;
};

/* "a b N::c" */
static struct names split(const char *words)
{
	struct names n = {0};

	while (*words) {
		size_t length = strcspn(words, " ");
		assert_true(n.count < MOST_NAMES);
		n.name[n.count++] = (struct spb_name){words, length};
		words += length + (words[length] == ' ');
	}
	return n;
}

static size_t find(const struct spb_text *pieces, size_t count, const struct names *n, uint64_t *order)
{
	uint32_t table[TABLE];

	assert_true(spb_declarations_table_size(n->count) <= TABLE);
	return spb_find_declarations(pieces, count, n->name, n->count, order, table);
}

/* On the heap without slack, so that a sanitizer sees a step beyond either end. */
static char *exact_copy(const char *bytes, size_t length)
{
	char *copy = malloc(length ? length : 1);

	assert_non_null(copy);
	if (length)
		memcpy(copy, bytes, length);
	return copy;
}

static void expect_same_when_cut(const char *text, size_t length, const struct names *n, const uint64_t *whole)
{
	static struct spb_text single[2 * MOST_BYTES];
	uint64_t order[MOST_NAMES];

	assert_true(length <= MOST_BYTES);
	for (size_t cut = 0; cut <= length; cut++) {
		char *head = exact_copy(text, cut), *tail = exact_copy(text + cut, length - cut);
		const struct spb_text pieces[] = {{head, cut}, {tail, length - cut}};
		find(pieces, 2, n, order);
		free(head);
		free(tail);
		if (memcmp(order, whole, n->count * sizeof *order))
			fail_msg("cut at %zu it is another order: %s", cut, text);
	}
	for (size_t i = 0; i < length; i++) {
		single[2 * i] = (struct spb_text){text + i, 1};
		single[2 * i + 1] = (struct spb_text){NULL, 0};
	}
	find(single, 2 * length, n, order);
	assert_memory_equal(order, whole, n->count * sizeof *order);
}

static void expect_bytes(const char *text, size_t length, const char *declared, const char *others)
{
	struct names n = split(declared), never = split(others);
	size_t count = n.count;
	char *copy = exact_copy(text, length);
	const struct spb_text piece = {copy, length};
	uint64_t order[MOST_NAMES], last = 0;

	for (size_t i = 0; i < never.count; i++)
		n.name[n.count++] = never.name[i];
	assert_int_equal(find(&piece, 1, &n, order), count);
	for (size_t i = 0; i < n.count; i++) {
		const int shown = (int)n.name[i].length;
		if (i < count && (order[i] & ~SPB_DECLARED_PLACE) <= last)
			fail_msg("%.*s is not in its place: %s", shown, n.name[i].bytes, text);
		if (i >= count && order[i])
			fail_msg("%.*s is no declaration: %s", shown, n.name[i].bytes, text);
		last = order[i] & ~SPB_DECLARED_PLACE;
	}
	expect_same_when_cut(text, length, &n, order);
	free(copy);
}

/* The names in `declared` are found in this order, those in `others` are not found. */
static void expect(const char *text, const char *declared, const char *others)
{
	expect_bytes(text, strlen(text), declared, others);
}

static void the_rank_is_the_offset_of_the_name_plus_one(void **state)
{
	const struct spb_text pieces[] = {{"uniform sampl", 13}, {"er2D tex;", 9}};
	struct names n = split("tex");
	uint64_t order[1];

	(void)state;
	assert_int_equal(find(pieces, 2, &n, order), 1);
	assert_int_equal(order[0], 19);
}

/* HLSL by glslang: only the text tells a register of 0 from none. */
static void a_register_is_seen(void **state)
{
	static const char text[] =
	    "Texture2D A; Texture2D B[2] : register(t0), C; float4 p : POSITION;"
	    "cbuffer D : register(b0) { float4 x; } cbuffer E { float4 y; } float4 q : packoffset(c0) : register(c0);"
	    "[[vk::binding(1, 2)]] Texture2D F; Texture2D G; [[vk::location(1)]] float4 H;";
	const struct spb_text piece[] = {{text, sizeof text - 1}};
	struct names n = split("A B C p D E q F G H");
	static const char placed[] = "0100101100";
	uint64_t order[10];

	(void)state;
	assert_int_equal(find(piece, 1, &n, order), 10);
	for (size_t i = 0; i < 10; i++) {
		if (((order[i] & SPB_DECLARED_PLACE) != 0) != (placed[i] == '1'))
			fail_msg("%.*s", (int)n.name[i].length, n.name[i].bytes);
	}
}

static void variables_are_declared_by_a_word_behind_another(void **state)
{
	(void)state;
	expect("uniform sampler2D tex; foo; bar = 1; float x = 3.0; texture2D y\n;", "tex x y", "foo bar");
}

static void lists_declare_each_of_their_names(void **state)
{
	(void)state;
	expect("uniform sampler2D a, b[4], c; uniform image2D d[2][3], e;", "a b c d e", "");
	expect("float x = f(1, p), y = (2, q), z[2] = {r, s};", "x y z", "f p q r s");
}

static void array_sizes_and_initialisers_declare_nothing(void **state)
{
	(void)state;
	expect("uniform sampler2D t[COUNT]; const int N = M; int k[2 * R] = int[](P, Q); uint u = uint(S), v;",
	       "t N k u v", "COUNT M R P Q S");
}

static void array_sizes_may_stand_before_the_name(void **state)
{
	(void)state;
	expect("uniform vec4[3] a; float[COUNT] b = float[COUNT](c);", "a b", "vec4 COUNT c");
}

static void parameters_and_locals_are_not_global(void **state)
{
	(void)state;
	expect(
	    "void main() { sampler2D l; { int m = 1; } } vec4 f(sampler2D p, int q[2]) { int l; } uniform sampler2D t;",
	    "t", "l m p q main f");
}

static void prototypes_are_no_variables(void **state)
{
	(void)state;
	expect("vec4 f(sampler2D p); spirv_instruction(set = \"x\", id = 1) texture2D g(uvec2 h);\n"
	       "spirv_instruction(id = 1) uniform texture2D t;",
	       "t", "f p g h set id");
}

static void layout_arguments_declare_nothing(void **state)
{
	(void)state;
	expect("layout(set = 0, binding = b) uniform; layout(local_size_x = 8) in; precision highp float;\n"
	       "layout(binding = 2) uniform sampler2D t;",
	       "t", "set binding b local_size_x uniform in");
}

static void qualifiers_may_be_macros(void **state)
{
	(void)state;
	expect("LAYOUT(0, 1) uniform sampler2D a; uniform BINDING(2) sampler2D b; DECLARE_THINGS(z)\nuniform sampler2D "
	       "c;\n"
	       "LAYOUT(3) uniform Block { vec4 m; } d; HIGH TYPE(float) e;",
	       "a b c Block d e", "z m LAYOUT BINDING");
}

static void blocks_and_their_instances_are_declared(void **state)
{
	(void)state;
	expect("uniform Name { vec4 m; mat4 n[2]; } inst;\nbuffer Bare { uint data[]; };\n"
	       "layout(set = 1) readonly buffer Many { vec4 o; } many[2];\n"
	       "restrict layout(set = 0, binding = 1) buffer Other { uint p; } last;",
	       "Name inst Bare Many many Other last", "m n o p data");
}

static void struct_types_and_members_are_not_declared(void **state)
{
	(void)state;
	expect(
	    "struct S { Texture2D member; struct T { int u; } v; } s, t[2]; const struct U { int a; } u = U(1); S w;\n"
	    "struct : Base { int x; } y; enum class E : uint { A, B }; struct F; struct S z;",
	    "s t u w y z", "S U member v E A B F");
}

static void type_aliases_are_not_declared(void **state)
{
	(void)state;
	expect("typedef Texture2D<float4> Tex; using T2 = Texture2D; using namespace N; typedef struct { int a; } R; "
	       "Tex t;",
	       "t", "Tex T2 N R a");
}

static void comments_are_skipped(void **state)
{
	(void)state;
	expect("// uniform sampler2D a;\n/* uniform sampler2D b; // */ uniform/**/sampler2D c; /*/ uniform sampler2D "
	       "d; */\n"
	       "/* int e; \n\n **/ int f; // int g; \\\n int h;\n int i; // it's \"open\n int j;",
	       "c f i j", "a b d e g h");
}

static void strings_are_skipped(void **state)
{
	(void)state;
	expect("[shader(\"int a; \\\" int b; {\")] int c; 'int d; {' int e; \"never closed { \n int f;", "c e f",
	       "a b d");
}

static void preprocessor_lines_are_skipped(void **state)
{
	(void)state;
	expect("#version 450\n#define zeta int alpha;\n  #\tdefine LONG int a; \\\n int b;\n#define C /* \n int c; */ "
	       "int d;\n"
	       "#include \"a/*b\"\n#line 1\n#error it's {\n/* */ #define Q int q;\nint e; # int f;\n int g;",
	       "e g", "alpha a b c d q");
}

static void line_splices_join_words(void **state)
{
	(void)state;
	expect("uni\\\nform sampl\\\r\ner2D te\\\nx; /\\\n/ int a; \\\n int b;\n/\\\n* int c; *\\\n/ int d; \\ int e;",
	       "tex d e", "te x a b c");
}

static void a_carriage_return_ends_a_line(void **state)
{
	(void)state;
	expect("#version 450\r// int a;\rint b;\r\n#define X\r\nint c;\n\rint d;", "b c d", "a");
}

static void both_branches_are_read_and_the_first_counts(void **state)
{
	(void)state;
	expect("#if A\nint a; int b;\n#else\nint c; int a;\n#endif\nint d;", "a b c d", "A");
}

static void branches_start_at_the_same_depth(void **state)
{
	(void)state;
	expect("#if A\nvoid f(int a) {\n#elif B\nvoid f(uint a) {\n#else\nvoid f() {\n#endif\n int l;\n}\nint t;", "t",
	       "l a");
	expect("void f() {\n#ifdef A\n int l; }\n#else\n int m;\n if (m) {\n }\n }\n#endif\nint t;", "t", "l m");
	expect("#ifndef A\nvoid f() {\n#endif\n#ifdef A\n int l;\n#else\n }\n#endif\nint t;", "t", "");
	expect("uniform Block\n#ifdef A\n{ int a;\n#else\n{ int b;\n#endif\n} inst;", "Block inst", "a b");
	expect("#if 0\nit's { broken\n#else\nint a;\n#endif\nint t;", "a t", "");
	expect("#endif\n#else\nint t;", "t", "");
}

static void hlsl_registers_and_semantics_end_a_name(void **state)
{
	(void)state;
	expect("Texture2D t : register(t0, space1), u[2] : register(t3); float4 c : packoffset(c0.y) = 1; float4 p : "
	       "POSITION;",
	       "t u c p", "register space1 t0 POSITION");
}

static void hlsl_template_arguments_declare_nothing(void **state)
{
	(void)state;
	expect("Texture2D<float4> t : register(t0); RWStructuredBuffer<Foo> b; ConstantBuffer < Foo > c, d;\n"
	       "Outer<Inner<int, 3>> e; vector<float, (2 > 1) ? A : B> f(); Texture2DMS<float, 4> g[2]; template<class "
	       "T> T h;",
	       "t b c d e g h", "Foo Inner int f A B T");
}

static void hlsl_buffers_need_no_semicolon(void **state)
{
	(void)state;
	expect(
	    "cbuffer A : register(b0) { float4 x; }\ncbuffer B { float4 y; }\ntbuffer C : register(t0) { float z; };\n"
	    "Texture2D t;",
	    "A B C t", "x y z b0");
}

static void hlsl_namespaces_are_global(void **state)
{
	(void)state;
	expect("namespace N { Texture2D t; namespace M { SamplerState s; void f() { int l; } } Texture2D u; } "
	       "Texture2D v;",
	       "t s u v", "N M l f");
	expect("namespace A::B { A::T t; ::A::T u; } void A::B::f() { int l; } int A::S::k = 3;", "t u k", "l f");
}

static void hlsl_attributes_do_not_confuse(void **state)
{
	(void)state;
	expect("[[vk::binding(0, 1)]] Texture2D t; [[vk::binding(X)]] [[vk::image_format(\"r32f\")]] "
	       "RWTexture2D<float> u;\n"
	       "[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID) { int l; } export static const int k = "
	       "1;\n"
	       "float4 ps(float2 uv : TEXCOORD0) : SV_Target { int m; } groupshared uint g[64];",
	       "t u k g", "X id main l ps uv SV_Target m");
}

static void hlsl_sampler_states_may_have_braces(void **state)
{
	(void)state;
	expect("SamplerState a { Filter = POINT; }; SamplerState b : register(s1) { Filter = LINEAR; };\n"
	       "SamplerState c = sampler_state { Filter = POINT; AddressU = WRAP; }; Texture2D d < string n = \"x\"; "
	       ">; Texture2D e;",
	       "a b c d e", "Filter POINT AddressU");
}

static void hlsl_operators_are_functions(void **state)
{
	(void)state;
	expect("bool operator==(S a, S b) { return l; } bool operator<(S a, S b) { int m; } S operator()(int i); "
	       "Texture2D t;",
	       "t", "a b l m i operator");
}

static void names_are_matched_on_their_last_part(void **state)
{
	(void)state;
	expect("namespace N { Texture2D t; } cbuffer Frame { int x; } Texture2D u; Texture2D v;",
	       "N::t type.Frame N.u A::B.v", "N:w t. u:: $v t.x .");
}

static void equal_names_get_the_same_rank(void **state)
{
	static const char text[] = "int b; int a; int b;";
	const struct spb_text piece = {text, sizeof text - 1};
	struct names n = split("a b N.a a b c c");
	uint64_t order[MOST_NAMES];

	(void)state;
	assert_int_equal(find(&piece, 1, &n, order), 5);
	assert_int_equal(order[1], 5);
	assert_int_equal(order[4], 5);
	assert_int_equal(order[0], 12);
	assert_int_equal(order[2], 12);
	assert_int_equal(order[3], 12);
	assert_int_equal(order[5], 0);
	assert_int_equal(order[6], 0);
}

static void empty_names_and_no_names_and_no_text_are_fine(void **state)
{
	const struct spb_text piece = {"int a;", 6};
	const struct spb_name names[] = {{NULL, 0}, {"", 0}, {"a", 1}};
	uint32_t table[TABLE];
	uint64_t order[3] = {9, 9, 9};

	(void)state;
	assert_int_equal(spb_find_declarations(&piece, 1, names, 3, order, table), 1);
	assert_int_equal(order[0], 0);
	assert_int_equal(order[1], 0);
	assert_int_equal(spb_find_declarations(&piece, 1, NULL, 0, NULL, table), 0);
	assert_int_equal(spb_find_declarations(NULL, 0, names, 3, order, table), 0);
	assert_int_equal(order[2], 0);
}

static void words_may_be_of_any_length(void **state)
{
	enum { LENGTH = 700 };
	char text[2 * LENGTH + 20], name[LENGTH + 1], shorter[LENGTH];

	(void)state;
	memset(name, 'n', LENGTH);
	name[LENGTH] = 0;
	memcpy(shorter, name + 1, LENGTH);
	snprintf(text, sizeof text, "int %s; int a;", name);
	expect(text, name, shorter);
	expect("int aa; int a; int aaa;", "aa a aaa", "aaaa");
}

static void the_prologue_of_glslang_is_no_text(void **state)
{
	(void)state;
	expect("// OpModuleProcessed client vulkan100\n// OpModuleProcessed target-env vulkan1.0\n#line 1\n"
	       "\xef\xbb\xbf#version 450\nuniform sampler2D zeta;\nuniform sampler2D alpha;\nvoid main() { alpha; "
	       "zeta; }\n",
	       "zeta alpha", "OpModuleProcessed client vulkan100 main");
}

static void unbalanced_closers_are_stepped_over(void **state)
{
	(void)state;
	expect("}}) ] int a; )]>} int b[2; int c; void f(int d; int e; } int g;", "a b c e g", "d f");
}

static void what_is_never_closed_ends_with_the_text(void **state)
{
	static const char *const tails[] = {"/*",     "//",         "/",       "\"",       "'",         "#",
					    "#if",    "#if A",      "{",       "(",        "[",         "<",
					    "\\",     "\\\n",       "\\\r",    "/*/",      "/**",       "int b",
					    ":",      "::",         "int",     "i\\",      "\"\\",      "#\\\n",
					    "int b",  "b <",        "int b =", "int b : ", "\xef",      "\xef\xbb",
					    "N::",    "= {[",       "struct",  "operator", "operator=", "namespace",
					    "int b[", "cbuffer b :"};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
		snprintf(text, sizeof text, "int a; %s", tails[i]);
		expect(text, "a", "");
	}
}

static void any_bytes_are_a_text(void **state)
{
	static const char alphabet[] = "abc \n\r\t;,=:<>()[]{}#/*\\\"'.019\xef\xbb\xbf\xff\0";
	static const char *const words[] = {"struct ",    "namespace ", "#if a\n",  "\n#else\n",
					    "\n#endif\n", "operator",   "cbuffer ", "::"};
	struct names n = split("a b c ab bc abc a0 struct");
	char text[256];
	uint64_t order[MOST_NAMES];
	uint32_t seed = 1;

	(void)state;
	expect_bytes("\0int\0 a;\0 int b;", 16, "a b", "");
	for (size_t round = 0; round < 2000; round++) {
		size_t length = 0;
		while (length < 100) {
			seed = seed * 1664525 + 1013904223;
			const char *word = words[seed >> 8 & 7];
			if (seed >> 28 == 0)
				length += (size_t)snprintf(text + length, sizeof text - length, "%s", word);
			else
				text[length++] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
		}
		char *copy = exact_copy(text, length);
		const struct spb_text piece = {copy, length};
		find(&piece, 1, &n, order);
		for (size_t i = 0; i < n.count; i++)
			assert_true(order[i] <= length);
		if (round < 100)
			expect_same_when_cut(text, length, &n, order);
		free(copy);
	}
}

/* Quadratic time would take minutes here, and recursion the stack. */
static void long_and_deep_texts_take_linear_time(void **state)
{
	static const char *const units[] = {"{",         "(",
					    "[",         "<",
					    "a<",        "}",
					    "/*",        "*\\\n",
					    "\\\n",      "#if a\n",
					    "/\\\n",     ":\\\n",
					    "int a,",    "a{",
					    "a::",       "struct ",
					    "'",         "\"\\",
					    "(;",        "namespace a{",
					    "a=",        "#else\n",
					    "a",         "int (){",
					    "operator<", "{\n#if\n}\n#else\n",
					    "\xef",      "\xef\xbb\xbf"};
	enum { LENGTH = 1 << 18 };
	struct names n = split("a b");
	uint64_t order[MOST_NAMES];
	char *text = malloc(LENGTH);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t unit = strlen(units[i]);
		for (size_t at = 0; at < LENGTH; at++)
			text[at] = units[i][at % unit];
		const struct spb_text piece = {text, LENGTH};
		find(&piece, 1, &n, order);
	}
	free(text);
}

static void many_empty_pieces_take_linear_time(void **state)
{
	enum { COUNT = 1 << 20 };
	struct names n = split("a b");
	uint64_t order[MOST_NAMES];
	struct spb_text *pieces = calloc(COUNT, sizeof *pieces);

	(void)state;
	assert_non_null(pieces);
	pieces[0] = (struct spb_text){"int a/", 6};
	pieces[COUNT / 2] = (struct spb_text){"*", 1};
	pieces[COUNT - 1] = (struct spb_text){"*/; int b;", 10};
	assert_int_equal(find(pieces, COUNT, &n, order), 2);
	assert_int_equal(order[1], 16);
	free(pieces);
}

static void many_names_are_all_found(void **state)
{
	enum { COUNT = 100000, WIDTH = 12 };
	struct spb_name *names = calloc(COUNT, sizeof *names);
	uint64_t *order = calloc(COUNT, sizeof *order);
	uint32_t *table = calloc(spb_declarations_table_size(COUNT), sizeof *table);
	char *text = malloc(COUNT * WIDTH + 1);

	(void)state;
	assert_true(names && order && table && text);
	for (size_t i = 0; i < COUNT; i++) {
		snprintf(text + i * WIDTH, WIDTH + 1, "int n%05zu;\n", i);
		names[COUNT - 1 - i] = (struct spb_name){text + i * WIDTH + 4, 6};
	}
	const struct spb_text piece = {text, COUNT * WIDTH};
	assert_int_equal(spb_find_declarations(&piece, 1, names, COUNT, order, table), COUNT);
	for (size_t i = 0; i < COUNT; i++)
		assert_int_equal(order[i], (COUNT - 1 - i) * WIDTH + 5);
	free(names);
	free(order);
	free(table);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_rank_is_the_offset_of_the_name_plus_one),
	    cmocka_unit_test(variables_are_declared_by_a_word_behind_another),
	    cmocka_unit_test(lists_declare_each_of_their_names),
	    cmocka_unit_test(array_sizes_and_initialisers_declare_nothing),
	    cmocka_unit_test(array_sizes_may_stand_before_the_name),
	    cmocka_unit_test(parameters_and_locals_are_not_global),
	    cmocka_unit_test(prototypes_are_no_variables),
	    cmocka_unit_test(layout_arguments_declare_nothing),
	    cmocka_unit_test(qualifiers_may_be_macros),
	    cmocka_unit_test(blocks_and_their_instances_are_declared),
	    cmocka_unit_test(struct_types_and_members_are_not_declared),
	    cmocka_unit_test(type_aliases_are_not_declared),
	    cmocka_unit_test(comments_are_skipped),
	    cmocka_unit_test(strings_are_skipped),
	    cmocka_unit_test(preprocessor_lines_are_skipped),
	    cmocka_unit_test(line_splices_join_words),
	    cmocka_unit_test(a_carriage_return_ends_a_line),
	    cmocka_unit_test(both_branches_are_read_and_the_first_counts),
	    cmocka_unit_test(branches_start_at_the_same_depth),
	    cmocka_unit_test(hlsl_registers_and_semantics_end_a_name),
	    cmocka_unit_test(hlsl_template_arguments_declare_nothing),
	    cmocka_unit_test(hlsl_buffers_need_no_semicolon),
	    cmocka_unit_test(hlsl_namespaces_are_global),
	    cmocka_unit_test(hlsl_attributes_do_not_confuse),
	    cmocka_unit_test(hlsl_sampler_states_may_have_braces),
	    cmocka_unit_test(hlsl_operators_are_functions),
	    cmocka_unit_test(names_are_matched_on_their_last_part),
	    cmocka_unit_test(equal_names_get_the_same_rank),
	    cmocka_unit_test(empty_names_and_no_names_and_no_text_are_fine),
	    cmocka_unit_test(words_may_be_of_any_length),
	    cmocka_unit_test(the_prologue_of_glslang_is_no_text),
	    cmocka_unit_test(unbalanced_closers_are_stepped_over),
	    cmocka_unit_test(what_is_never_closed_ends_with_the_text),
	    cmocka_unit_test(any_bytes_are_a_text),
	    cmocka_unit_test(a_register_is_seen),
	    cmocka_unit_test(long_and_deep_texts_take_linear_time),
	    cmocka_unit_test(many_empty_pieces_take_linear_time),
	    cmocka_unit_test(many_names_are_all_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
