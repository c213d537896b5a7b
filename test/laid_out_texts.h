/* SPDX-License-Identifier: Apache-2.0 */
/* What source texts compute: conditions and lengths of arrays, in the width of their compiler. After laid_out.h. */
#ifndef SPB_TEST_LAID_OUT_TEXTS_H
#define SPB_TEST_LAID_OUT_TEXTS_H

#define NOT_UNDERSTOOD                                                                                                 \
	"a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since a "       \
	"condition is not understood; they are numbered in the order of OpVariable, which changes with function "      \
	"bodies; pass --order=name or --order=module\n"
#define OTHER_LENGTH                                                                                                   \
	"a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since \"b\" "   \
	"is declared there with another array size; they are numbered in the order of OpVariable, which changes with " \
	"function bodies; pass --order=name or --order=module\n"

/* What becomes of the module of a text: where its two resources are. */
static inline void check_text(const char *result, const char *format, ...)
{
	static char modules[4000];
	va_list arguments;

	va_start(arguments, format);
	assert_true((size_t)vsnprintf(modules, sizeof modules, format, arguments) < sizeof modules);
	va_end(arguments);
	const struct row row = {"source", "", NULL, modules, result};
	check(&row, 1);
}

/* Does it hold? y: yes, n: no, ?: nobody knows. */
static void check_condition(const char *condition, char dxc, char glslang)
{
	const char *const results[] = {"b 0.0; a 0.1", "a 0.0; b 0.1", NOT_UNDERSTOOD};

	check_text(results[dxc == 'y'   ? 0
			   : dxc == 'n' ? 1
					: 2],
		   "(14: HLSL 600)#if %s\nTexture2D b, a;\n#else\nTexture2D a, b;\n#endif(end) a:t b:t", condition);
	check_text(results[glslang == 'y'   ? 0
			   : glslang == 'n' ? 1
					    : 2],
		   "(8: GLSL 460)#if %s\nuniform texture2D b, a;\n#else\nuniform texture2D a, b;\n#endif(end) a:t b:t",
		   condition);
}

/* The preprocessor of DXC computes in 64 bits, that of glslang in 32. */
static void conditions_are_computed(void **state)
{
	static const struct {
		const char *condition;
		char dxc, glslang;
	} rows[] = {
	    {"0", 'n', 'n'},
	    {"1", 'y', 'y'},
	    {"00", 'n', 'n'},
	    {"010 == 8", 'y', 'y'},
	    {"08", '?', '?'},
	    {"0x1F == 31", 'y', 'y'},
	    {"0Xfu == 15", 'y', 'y'},
	    {"0x", '?', '?'},
	    {"0u", 'n', 'n'},
	    {"1uL", 'y', 'y'},
	    {"1z", '?', '?'},
	    {"1.5", '?', '?'},
	    {"4294967296", 'y', 'n'},
	    {"4294967295 > 0", 'y', 'n'},
	    {"2147483647 + 1 > 0", 'y', 'n'},
	    {"65536 * 65536", 'y', 'n'},
	    {"0 - 1 - 4294967295 == 0", 'n', 'y'},
	    {"1 << 31 < 0", 'n', 'y'},
	    {"1 << 32 == 1", 'n', 'y'},
	    {"1 << 62 > 0", 'y', 'y'},
	    {"1 << 63 < 0", 'y', 'y'},
	    {"1 << 64 == 1", 'y', 'y'},
	    {"-8 >> 1 == -4", 'y', 'y'},
	    {"-1 >> 40 == -1", 'y', 'y'},
	    {"0 >> 1", 'n', 'n'},
	    {"-7 / 2 == -3", 'y', 'y'},
	    {"-7 % 2 == -1", 'y', 'y'},
	    {"7 / -2 == -3", 'y', 'y'},
	    {"7 / -1 == -7", 'y', 'y'},
	    {"7 / 1 == 7", 'y', 'y'},
	    {"7 % -1", 'n', 'n'},
	    {"7 % -2", 'y', 'y'},
	    {"(-2147483647 - 1) / -1 > 0", 'y', 'n'},
	    {"1 / 0", '?', '?'},
	    {"1 % 0", '?', '?'},
	    {"0 && 1 / 0", 'n', 'n'},
	    {"1 && 1 / 0", '?', '?'},
	    {"1 || 1 / 0", 'y', 'y'},
	    {"2 || 1 / 0", 'y', 'y'},
	    {"0 || 1 / 0", '?', '?'},
	    {"0 && (1 || 1 / 0)", 'n', 'n'},
	    {"0 && 1 % 0 || 1", 'y', 'y'},
	    {"1 - 2 - 3 == -4", 'y', 'y'},
	    {"8 / 2 / 2 == 2", 'y', 'y'},
	    {"1 + 2 * 3 == 7", 'y', 'y'},
	    {"2 * 3 + 1 == 7", 'y', 'y'},
	    {"1 || 0 && 0", 'y', 'y'},
	    {"(1 || 0) && 0", 'n', 'n'},
	    {"(4|2^3&1 == 1) == 7", 'y', 'y'},
	    {"1 == 1 < 2", 'y', 'y'},
	    {"1 << 1 + 1 == 4", 'y', 'y'},
	    {"~0 == -1", 'y', 'y'},
	    {"- -1 == 1", 'y', 'y'},
	    {"!!2 == 1", 'y', 'y'},
	    {"-!0 == -1", 'y', 'y'},
	    {"~-1", 'n', 'n'},
	    {"+1", 'y', 'y'},
	    {"1 ? 0 : 1", 'n', 'n'},
	    {"0 ? 0 : 1", 'y', 'y'},
	    {"1 ? 1 : 0 ? 0 : 0", 'y', 'y'},
	    {"1 ? 2", '?', '?'},
	    {"", '?', '?'},
	    {"(1", '?', '?'},
	    {"1)", '?', '?'},
	    {"()", '?', '?'},
	    {"1 2", '?', '?'},
	    {"1 +", '?', '?'},
	    {"defined", '?', '?'},
	    {"defined(", '?', '?'},
	    {"defined(X", '?', '?'},
	    {"defined 1", '?', '?'},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_condition(rows[i].condition, rows[i].dxc, rows[i].glslang);
	for (int depth = 198; depth <= 201; depth++) {
		char condition[500];
		memset(condition, '(', (size_t)depth);
		condition[depth] = '1';
		memset(condition + depth + 1, ')', (size_t)depth);
		condition[2 * depth + 1] = '\0';
		check_condition(condition, depth < 200 ? 'y' : '?', depth < 200 ? 'y' : '?');
	}
}

/* Of an array, other lengths than that of the text are refused; 0: of any length. */
static void lengths_are_computed(void **state)
{
	static const struct {
		const char *length;
		unsigned value;
	} rows[] = {
	    {"3", 3},
	    {"010", 8},
	    {"0x10u", 16},
	    {"int(3)", 3},
	    {"uint(3)", 3},
	    {"uint(2) + int(1)", 3},
	    {"intx(3)", 0},
	    {"uintx(3)", 0},
	    {"in(3)", 0},
	    {"(3)", 3},
	    {"A + 1", 3},
	    {"A * (A + 1) - 2", 4},
	    {"B", 0},
	    {"A B", 0},
	    {"A / 0", 0},
	    {"0", 0},
	    {"-1", 0},
	    {"4294967299", 3},
	    {"1 << 33", 2},
	    {"true + true", 2},
	    {"true ? A : 5", 2},
	    {"false ? A : 5", 5},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const unsigned right = rows[i].value ? rows[i].value : 7;
		for (unsigned length = right; length <= right + 1; length++) {
			const char *result = rows[i].value && length != right ? OTHER_LENGTH : "b 0.0; a 0.1";
			check_text(result, "(HLSL 600)static const int A = 2; Texture2D b[%s], a;(end) a:t b:t[%u]",
				   rows[i].length, length);
			check_text(
			    result,
			    "(HLSL 600)static const int A = 2; static const int N = %s; Texture2D b[N], a;(end) a:t "
			    "b:t[%u]",
			    rows[i].length, length);
		}
	}
}

/* What GLSL declares, however it is written. */
TABLE(
    statements_of_glsl,
    {"source", "", NULL,
     "(8: GLSL 460)struct S { struct N { texture2D x; } n[2]; texture2D y; }; uniform S s; uniform texture2D a;(end) "
     "a:t s.y:t s.n[1].x:t",
     "s.n[1].x 0.0; s.y 0.1; a 0.2"},
    {"source", "", NULL,
     "(8: GLSL 460)struct S { texture2D[2] x; texture2D y; }; uniform S s; uniform texture2D a;(end) a:t s.y:t "
     "s.x:t[2]",
     "s.x 0.0; s.y 0.1; a 0.2"},
    {"source", "", NULL,
     "(8: GLSL 460)struct S { texture2D[2] x[3]; texture2D y; }; uniform S s; uniform texture2D a;(end) a:t s.y:t "
     "s.x:t[3][2]",
     "s.x 0.0; s.y 0.1; a 0.2"},
    {"source", "", NULL,
     "(8: GLSL 460)struct S { texture2D x, y[2]; struct { texture2D z; } n, m; }; uniform S s; uniform texture2D "
     "a;(end) a:t s.m.z:t s.n.z:t s.y:t[2] s.x:t",
     "s.x 0.0; s.y 0.1; s.n.z 0.2; s.m.z 0.3; a 0.4"},
    {"source", "", NULL,
     "(8: GLSL 460)const int f() { return 1; } int N = 2; uniform texture2D b[N], a;(end) a:t b:t[5]", "b 0.0; a 0.1"},
    {"source", "", NULL, "(8: GLSL 460)const X(1) int N = 2; uniform texture2D b[N], a;(end) a:t b:t[5]",
     "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since \"b\" is "
     "declared there with another array size; they are numbered in the order of OpVariable, which changes with "
     "function bodies; pass --order=name or --order=module\n"},
    {"source", "", NULL, "(8: GLSL 460)const X(1) int N = 2; uniform texture2D b[N], a;(end) a:t b:t[2]",
     "b 0.0; a 0.1"},
    {"source", "", NULL,
     "(8: GLSL 460)const int A[2] = int[2](1, 2); int N = 2; uniform texture2D b[N], a;(end) a:t b:t[5]",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(8: GLSL 460)const int A = 3, N = A - 1; uniform texture2D[N] b, a;(end) a:t[2] b:t[2]",
     "b 0.0; a 0.1"},
    {"source", "", NULL, "(8: GLSL 460)const int A = 3, N = A - 1; uniform texture2D[N] b, a;(end) a:t[2] b:t[3]",
     "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since \"b\" is "
     "declared there with another array size; they are numbered in the order of OpVariable, which changes with "
     "function bodies; pass --order=name or --order=module\n"},
    {"source", "", NULL, "(8: GLSL 460)uniform u { vec4 x; } b; buffer w { vec4 x; } a;(end) w:b u:u", "u 0.0; w 0.1"},
    {"source", "", NULL, "(8: GLSL 460)uniform u { vec4 x; } b; buffer w { vec4 x; } a;(end) w:u u:b", "u 0.0; w 0.1"},
    {"source", "", NULL, "(8: GLSL 460)uniform u { vec4 x; } b[2]; buffer w { vec4 x; } a[3];(end) w:u[3] u:b[2]",
     "u 0.0; w 0.1"},
    {"source", "", NULL, "(8: GLSL 460)uniform u { vec4 x; } b[2]; buffer w { vec4 x; } a[3];(end) w:u[2] u:b[2]",
     "w 0.0; u 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since \"w\" is "
     "declared there with another array size; they are numbered in the order of OpVariable, which changes with "
     "function bodies; pass --order=name or --order=module\n"},
    {"source", "", NULL,
     "(8: GLSL 460)uniform u { vec4 x; };; uniform texture2D b;; } uniform texture2D a;(end) a:t b:t u:b",
     "u 0.0; b 0.1; a 0.2"},
    {"source", "", NULL, "(8: GLSL 460)float f(int x); vec4 g(); uniform texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"})

/* Names of variables that a compiler has made of members and elements. */
TABLE(paths_of_names,
      {"source", "", NULL,
       "(HLSL 600)struct S { Texture2D x; }; S s[12]; Texture2D a;(end) a:t s[11].x:t s[10].x:t s[9].x:t",
       "s[9].x 0.0; s[10].x 0.1; s[11].x 0.2; a 0.3"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[12]; Texture2D a;(end) a:t s[12].x:t",
       "a 0.0; s[12].x 0.1\n? m0: the source text in the module does not tell the order of its resources, since it "
       "does not declare \"s[12].x\"; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[]; Texture2D a;(end) a:t s[4294967295].x:t",
       "s[4294967295].x 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[]; Texture2D a;(end) a:t s[70].x:t s[7].x:t",
       "s[7].x 0.0; s[70].x 0.1; a 0.2"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[]; Texture2D a;(end) a:t s[42949672960].x:t",
       "a 0.0; s[42949672960].x 0.1\n? m0: the source text in the module does not tell the order of its resources, "
       "since it does not declare \"s[42949672960].x\"; they are numbered in the order of OpVariable, which changes "
       "with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL,
       "(HLSL 600)struct S { Texture2D x; }; struct T { Texture2D y; }; S s; Texture2D a;(end) a:t s.y:t",
       "a 0.0; s.y 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does "
       "not declare \"s.y\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[2]; Texture2D a;(end) a:t s[0]x:t",
       "a 0.0; s[0]x 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does "
       "not declare \"s[0]x\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[2]; Texture2D a;(end) a:t s[].x:t",
       "a 0.0; s[].x 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does "
       "not declare \"s[].x\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s[2]; Texture2D a;(end) a:t s[0:t",
       "a 0.0; s[0 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does "
       "not declare \"s[0\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s; Texture2D a;(end) a:t s.:t",
       "a 0.0; s. 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"s.\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)struct S { Texture2D x; }; S s; Texture2D a;(end) a:t s.x.y:t",
       "a 0.0; s.x.y 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does "
       "not declare \"s.x.y\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)Texture2D b[2][3]; Texture2D a;(end) a:t b[1][0]:t b[0][2]:t b[0][1]:t",
       "b[0][1] 0.0; b[0][2] 0.1; b[1][0] 0.2; a 0.3"},
      {"source", "", NULL, "(HLSL 600)Texture2D b[2][3]; Texture2D a;(end) a:t b[1]:t[3] b[0]:t[3]",
       "b[0] 0.0; b[1] 0.1; a 0.2"},
      {"source", "", NULL, "(HLSL 600)Texture2D b[2][3]; Texture2D a;(end) a:t b[1][3]:t",
       "a 0.0; b[1][3] 0.1\n? m0: the source text in the module does not tell the order of its resources, since it "
       "does not declare \"b[1][3]\"; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)float b[2]; Texture2D a;(end) a:t b[1]:t",
       "a 0.0; b[1] 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since "
       "\"b[1]\" is declared there as another kind of resource; they are numbered in the order of OpVariable, which "
       "changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)namespace N { Texture2D t; } Texture2D a;(end) a:t N:t:t", "N:t 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)struct S { SamplerState x; Texture2D y; }; S s[2] : register(t3) : register(s5); Texture2D a;(end) "
       "a:t s[1].y:t s[0].y:t s[1].x:s s[0].x:s",
       "s[0].x 0.0; s[0].y 0.1; s[1].x 0.2; s[1].y 0.3; a 0.4"})

/* Which file an #include means, and what stands between tokens. */
TABLE(files_of_texts,
      {"source", "", NULL, "(14: HLSL 600)#include \"d\\\\u\"\nTexture2D a;(file d/u)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \"d/u\"\nTexture2D a;(file d\\\\u)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \"u\"\nTexture2D a;(file c:\\\\d\\\\u)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \".\\\\u\"\nTexture2D a;(file u)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \"d\\\\..\\\\u\"\nTexture2D a;(file u)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \"\\\\d/u\"\nTexture2D a;(file /d/u)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \"d/u/\"\nTexture2D a;(file d/u)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(14: HLSL 600)#include \"u\"\nTexture2D a;(file d/u)Texture2D b;(file e/u)Texture2D a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since the module "
       "contains several files that \"u\" may be; they are numbered in the order of OpVariable, which changes with "
       "function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#include \"u\"\nTexture2D a;(file du)Texture2D b;(end) a:t b:t",
       "a 0.0; b 0.1"},
      {"source", "", NULL,
       "(14: HLSL 600)#include \"d/u\"\nTexture2D a;(file e/d/u)#include \"v\"\nTexture2D c;(file e/d/v)Texture2D "
       "b;(file e/v)Texture2D d;(end) a:t b:t c:t",
       "b 0.0; c 0.1; a 0.2"},
      {"source", "", NULL,
       "(14: HLSL 600)#include \"d/u\"\nTexture2D a;(file d/u)#include \"v\"\nTexture2D c;(file v)Texture2D b;(end) "
       "a:t b:t c:t",
       "b 0.0; c 0.1; a 0.2"},
      {"source", "", NULL,
       "(14: HLSL 600)#include \"d/u\"\nTexture2D a;(file d/u)#include \"/v\"\nTexture2D c;(file d/v)Texture2D d;(file "
       "/v)Texture2D b;(end) a:t b:t c:t",
       "b 0.0; c 0.1; a 0.2"},
      {"source", "", NULL, "(14: HLSL 600)#include \"..\"\nTexture2D a;(file ..)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \"d/../../..\"\nTexture2D a;(file ../..)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \"d/.u\"\nTexture2D a;(file d/.u)Texture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)\357\273\277Texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)Texture2D b,\357\273\277 a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)Texture2D b, a;\357\273(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)Texture2D b\v, a\f;\t// c\nTexture2D /* d */ c;(end) a:t b:t c:t",
       "b 0.0; a 0.1; c 0.2"},
      {"source", "", NULL,
       "(14: HLSL 600)#include \"u\"\n#define X 1\n#if X\nTexture2D a;\n#endif\nTexture2D c;(file u)#ifndef "
       "X\nTexture2D b;\n#endif\n(end) a:t c:t b:t",
       "b 0.0; a 0.1; c 0.2"},
      {"source", "", NULL,
       "(14: HLSL 600)#include \"u\"\n#include \"u\"\nTexture2D a;(file u)#pragma once\nTexture2D b;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(14: HLSL 600)#include \"u\"\n#include \"./u\"\nTexture2D a;(file u)#ifndef U\n#define U\nTexture2D "
       "b;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"})

/* What HLSL declares, however it is written. */
TABLE(statements_of_hlsl,
      {"source", "", NULL,
       "(HLSL 600)struct Z { Texture2D v, w; }; struct A { Texture2D x; Texture2D y; }; struct B : A { Texture2D z; }; "
       "B s; Texture2D a;(end) a:t s.z:t s.y:t s.x:t",
       "s.x 0.0; s.y 0.1; s.z 0.2; a 0.3"},
      {"source", "", NULL, "(HLSL 600)enum class E : uint { P, Q = 2 }; enum { R } e; Texture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)struct S { float4 operator+(float4 v) { return v; } float operator()(int i) { return i; } operator "
       "float() { return 1; } Texture2D x; }; S s; Texture2D a;(end) a:t s.x:t",
       "s.x 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)float4 f(float x : A, int y = 3) : SV_Target { return x; } [numthreads(8, 8, 1)] void g(); Texture2D "
       "b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)float f(int x) 3 ; 4 Texture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)Texture2D b, a; Texture2D(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(HLSL 600)struct S { = ; Texture2D x; }; S s; Texture2D a;(end) a:t s.x:t",
       "s.x 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)struct S { int x = { 1, 2 }; static Texture2D z; typedef Texture2D T; T y; }; S s; Texture2D a;(end) "
       "a:t s.y:t",
       "s.y 0.0; a 0.1"},
      {"source", "", NULL,
       "(HLSL 600)namespace N { Texture2D t; } namespace M { Texture2D t; } Texture2D a;(end) a:t M::t:t N::t:t",
       "N::t 0.0; M::t 0.1; a 0.2"},
      {"source", "", NULL,
       "(HLSL 600)namespace N::M { Texture2D t; } namespace N { namespace K { Texture2D t; } Texture2D t; } namespace "
       "{ Texture2D b; } namespace X = N; Texture2D a;(end) a:t b:t N::t:t N::K::t:t N::M::t:t",
       "N::M::t 0.0; N::K::t 0.1; N::t 0.2; b 0.3; a 0.4"},
      {"source", "", NULL,
       "(HLSL 600)template<typename T, int N = (3 > 2)> struct V { T t; }; V<Texture2D> v; globallycoherent "
       "RWBuffer<float> b; Texture2D a;(end) a:t b:w v:t",
       "a 0.0; b 0.1; v 0.2\n? m0:1: the source text in the module does not tell the order of its resources, since "
       "\"v\" is declared there as another kind of resource; they are numbered in the order of OpVariable, which "
       "changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(HLSL 600)typedef Texture2D T, U[2]; T b; U c; Texture2D a;(end) a:t c:t[2] b:t",
       "b 0.0; c 0.1; a 0.2"},
      {"source", "", NULL,
       "(HLSL 600)extern uniform Texture2D b; precise Texture2D<float4> c; Texture2D a <string x = \\\"y\\\"; int "
       "z;>;(end) a:t c:t b:t",
       "b 0.0; c 0.1; a 0.2"},
      {"source", "", NULL,
       "(HLSL 600)cbuffer c : register(b1) { float4 x; Texture2D y; }; tbuffer d { float4 z; } Texture2D a;(end) a:t "
       "d:o c:b",
       "c 0.0; d 0.1; a 0.2"},
      {"source", "", NULL,
       "(HLSL 600)interface I { float f(); }; class C : I { float f() { return 1; } Texture2D x; }; C s; Texture2D "
       "a;(end) a:t s.x:t",
       "s.x 0.0; a 0.1"})

/* Which words of a register() are registers and spaces: glslang keeps 16 bits of the one and 7 of the other. */
TABLE(registers_that_are_written,
      {"hlsl remarks", "", NULL, "(8: HLSL 500)cbuffer B : register(b70000) { float4 x; }(end) B:b@4464",
       "B 0.70000\n<spirv-bind: registers bound>"},
      {"hlsl remarks", "", NULL,
       "(8: HLSL 500)cbuffer B : register(b70000, space3) { float4 x; } Texture2D a : register(t70000, space3);(end) "
       "B:b@4464,3 a:t@4464,3",
       "B 3.70000; a 3.70001 (t70000)\n<spirv-bind: registers shifted t:3=1>"},
      {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t0000070000);(end) a:t@4464",
       "a 0.70000\n<spirv-bind: registers bound>"},
      {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t00000070000);(end) a:t@4464", "a 0.4464"},
      {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t);(end) a:t@4464", "a 0.4464"},
      {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t7x);(end) a:t@7", "a 0.7"},
      {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(x70000);(end) a:t@4464", "a 0.4464"},
      {"hlsl remarks", "", NULL,
       "(8: HLSL 500)Texture2D a : register(ps_5_0, t70000), b : register(T70001);(end) a:t@4464 b:t@4465",
       "a 0.70000; b 0.70001\n<spirv-bind: registers bound>"},
      {"hlsl remarks", "", NULL,
       "(8: HLSL 500)Texture2D a : register(t70000, spacx7), b : register(t70001, space);(end) a:t@4464 b:t@4465",
       "a 0.70000; b 0.70001\n<spirv-bind: registers bound>"},
      {"hlsl remarks", "", NULL,
       "(8: HLSL 500)Texture2D a : register(t70000, space128), b : register(space129);(end) a:t@4464,0 b:t@0,1",
       "a 128.70000; b 129.0\n<spirv-bind: registers bound>"},
      {"hlsl remarks", "", NULL,
       "(8: HLSL 500)Texture2D a : register(s4) : register(t70000) : register(t70001);(end) a:t@4464",
       "a 0.70000\n<spirv-bind: registers bound>"},
      {"hlsl remarks", "", NULL,
       "(8: HLSL 500)Texture2D a : register(space3) : register(t70000, space200);(end) a:t@4464,3",
       "a 3.70000\n<spirv-bind: registers bound>"},
      {"hlsl remarks", "", NULL,
       "(8: HLSL 500)SamplerState a : register(s70000); RWTexture2D<float4> b : register(u70000); Texture2D c : "
       "register(u70001);(end) a:s@4464 b:i@4464 c:t@4465",
       "c 0.4465; a 0.4466 (s4464); b 0.4467 (u4464)\n<spirv-bind: registers shifted s:0=2 u:0=3>"},
      {"hlsl remarks", "", NULL,
       "(8: HLSL 500)Texture2D a : register(t4294967295), b : register(t4294967296);(end) a:t@65535 b:t@0",
       "b 0.0; a 0.65535"})

/* Structs may be nested to some depth, and stand beside each other as often as one likes. */
static void structs_are_nested(void **state)
{
	enum { MOST = 100 };
	static const char *const texts[] = {"(HLSL 600)Texture2D b, a; ", "(8: GLSL 460)uniform texture2D b, a; "};
	static char many[4000];

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		for (int depth = MOST - 1; depth <= MOST + 1; depth++) {
			size_t n = 0;
			for (int k = 0; k < depth; k++)
				n += (size_t)sprintf(many + n, "struct {");
			for (int k = 0; k < depth; k++)
				n += (size_t)sprintf(many + n, "} s;");
			check_text(depth > MOST ? "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell "
						  "the order of its resources, since structs are nested too deeply; "
						  "they are numbered in the order of OpVariable, which changes with "
						  "function bodies; pass --order=name or --order=module\n"
						: "b 0.0; a 0.1",
				   "%s%s(end) a:t b:t", texts[i], many);
		}
		*many = '\0';
		for (size_t n = 0; n < (MOST + 10) * 20; n += 20)
			memcpy(many + n, "struct { float x; };", 21);
		check_text("b 0.0; a 0.1", "%s%s(end) a:t b:t", texts[i], many);
	}
}

/* Lines that go on, comments, macros and conditions, and how each may be wrong. */
TABLE(lines_of_texts,
      {"source", "", NULL, "(14: HLSL 600)#include \"u\"\n; Texture2D a;(file u)Texture2D b \357\273\277(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#include \"u\"\n; Texture2D a;(file u)Texture2D b \357\273(end) a:t b:t",
       "a 0.0; b 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"b\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)Texture2D b, a; // \\\nTexture2D a;\n(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)Tex\\\nture2D b, a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)Texture2D b, a; /* Texture2D a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)Texture2D b, a; /\\\n* Texture2D a; *\\\n/ Texture2D c;(end) a:t c:t b:t",
       "b 0.0; a 0.1; c 0.2"},
      {"source", "", NULL, "(14: HLSL 600)#define X(a, b) a b\nX(Texture2D, b), a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#define X(a, ...) a __VA_ARGS__\nX(Texture2D, b, a);(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#define X(a) a ## b\nTexture2D X(), X(a);(end) ab:t b:t", "b 0.0; ab 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#define X (a\nTexture2D b X);(end) a:t b:t",
       "a 0.0; b 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"a\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#define X b\n#define Y(z) z\n#undef X\nTexture2D Y(X), a;(end) a:t X:t",
       "X 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#define X X1\n#define X1 X\nTexture2D X, a;(end) a:t X:t", "X 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#define Y(z) Texture2D z\nY (b); Y((a)); Y\n(c);(end) a:t c:t b:t",
       "a 0.0; c 0.1; b 0.2\n? m0: the source text in the module does not tell the order of its resources, since it "
       "does not declare \"a\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#define Y(z\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since the "
       "parameters of a macro have no end; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#define\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0: the source text in the module does not tell the order of its resources, since #define "
       "without a name; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#define Y(1) z\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since the "
       "parameters of a macro are not understood; they are numbered in the order of OpVariable, which changes with "
       "function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#define Y(z) z\nTexture2D Y(b(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:2: the source text in the module does not tell the order of its resources, since the "
       "arguments of a macro have no end; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#define Y(z, w) z\nTexture2D Y(b), a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:2: the source text in the module does not tell the order of its resources, since a macro is "
       "called with another number of arguments than it has parameters; they are numbered in the order of OpVariable, "
       "which changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#define Y() b\nTexture2D Y(), Y( );(end) a:t b:t",
       "a 0.0; b 0.1\n? m0: the source text in the module does not tell the order of its resources, since it does not "
       "declare \"a\"; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#define Y(z) z\nTexture2D Y(Y(Y(b))), a;(end) a:t b:t", "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#if 0 && Y == 1\n#elif 1\nTexture2D b, a;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL, "(14: HLSL 600)#ifndef Y\nTexture2D b, a;\n#else\nTexture2D a, b;\n#endif(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"a\" counts depends on a macro that the module does not record; they are numbered in the order "
       "of OpVariable, which changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL,
       "(14: HLSL 600)#define Y 2\n#if Y == 2\nTexture2D b, a;\n#else\nTexture2D a, b;\n#endif(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(14: HLSL 600)#define Y(z) z + 1\n#if Y(2) == 3 && !defined Z && defined(Y)\nTexture2D b, a;\n#else\nTexture2D "
       "a, b;\n#endif(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:2: the source text in the module does not tell the order of its resources, since whether a "
       "declaration of \"a\" counts depends on a macro that the module does not record; they are numbered in the order "
       "of OpVariable, which changes with function bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#if 1\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since a "
       "condition has no #endif; they are numbered in the order of OpVariable, which changes with function bodies; "
       "pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#endif\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since #endif "
       "without #if; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#else\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:1: the source text in the module does not tell the order of its resources, since #else "
       "without #if; they are numbered in the order of OpVariable, which changes with function bodies; pass "
       "--order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#if 1\n#else\n#else\n#endif\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:3: the source text in the module does not tell the order of its resources, since a "
       "condition goes on behind its #else; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#line 7 \"x\"\n#error y\nTexture2D b, a;(end) a:t b:t",
       "a 0.0; b 0.1\n? m0:7: the source text in the module does not tell the order of its resources, since its "
       "conditions lead to an #error; they are numbered in the order of OpVariable, which changes with function "
       "bodies; pass --order=name or --order=module\n"},
      {"source", "", NULL, "(14: HLSL 600)#pragma pack_matrix(row_major)\n#unknown\n# \nTexture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"},
      {"source", "", NULL,
       "(14: HLSL 600)Texture2D b; Texture2D a;\r\nTexture2D c\r;\rSamplerState s;(end) c:t s:s a:t b:t",
       "b 0.0; a 0.1; c 0.2; s 0.3"},
      {"source", "", NULL, "(8: GLSL 460)#extension GL_X : require\n#version 460\nuniform texture2D b, a;(end) a:t b:t",
       "b 0.0; a 0.1"})

/* HLSL: the text disagrees with one binding, so only those at (0, 0) are asked about. */
TABLE(
    registers_that_the_text_has_not,
    {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a : register(t3), b, c : register(t0);(end) a:t@7 b:t@0 c:t@0",
     "c 0.0; b 0.1; a 0.7"},
    {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a : register(t3), b, c : register(t0);(end) a:t@7 b:t@0,1 c:t@0",
     "c 0.0; a 0.7; b 1.0"},
    {"hlsl", "", NULL, "(8: HLSL 500)Texture2D a : register(t3), b, c : register(t1);(end) a:t@7 b:t@0 c:t@1",
     "b 0.0; c 0.1; a 0.7"},
    {"hlsl", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t3); [[vk::binding(0)]] Texture2D b; Texture2D c;(end) a:t@7 b:t@0 c:t@0",
     "b 0.0; c 0.1; a 0.7"},
    {"hlsl", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t3); RWStructuredBuffer<int> q : register(u0), r : register(u1);(end) a:t@7 "
     "q:u@0 r:u@1 counter.var.r:u@0",
     "q 0.0; r 0.1; counter.var.r 0.2; a 0.7"},
    {"hlsl", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t3); float4 x; ConstantBuffer<X> c : register(b0);(end) a:t@7 c:b@0 "
     "$Global:b@0",
     "c 0.0; $Global 0.1; a 0.7"},
    {"hlsl", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t3); float4 x; ConstantBuffer<X> c : register(b0);(end) a:t@7 c:b@0 "
     "heap_texture_x:t[]@0,3",
     "c 0.0; a 0.7; heap_texture_x 3.0"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t3), b : register(t1);(end) a:t@3 b:t@1",
     "b 0.1; a 0.3"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t70000), b : register(t1);(end) a:t@4464 b:t@1",
     "b 0.1; a 0.70000\n"
     "<spirv-bind: registers bound>"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t3, space200), b : register(t1);(end) a:t@3,72 b:t@1",
     "b 0.1; a 200.3\n"
     "<spirv-bind: registers bound>"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t3, space63), b : register(t1);(end) a:t@3,0 b:t@1",
     "b 0.1; a 63.3\n"
     "<spirv-bind: registers bound>"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t3, space63), b : register(t1);(end) a:t@3,63 b:t@1", "b 0.1; a 63.3"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t3, space62), b : register(t1);(end) a:t@3,62 b:t@1", "b 0.1; a 62.3"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t65535), b : register(t1);(end) a:t@0 b:t@1",
     "b 0.1; a 0.65535\n"
     "<spirv-bind: registers bound>"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t65534), b : register(t1);(end) a:t@65534 b:t@1",
     "b 0.1; a 0.65534"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t3), b;(end) a:t@3 b:t", "b 0.0; a 0.3"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)Texture2D a : register(t3, space1), b : register(t2);(end) a:t@3,1 b:t@2",
     "b 0.2; a 1.3"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)RWStructuredBuffer<int> q : register(u0), r : register(u1);(end) q:u@0 r:u@1 counter.var.r:u@0",
     "q 0.0; r 0.1; counter.var.r 0.2\n"
     "<spirv-bind: registers bound>"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)RWStructuredBuffer<int> q : register(u0), r : register(u1);(end) q:u@0 r:u@1 counter.var.r:u@5",
     "q 0.0; r 0.1; counter.var.r 0.5"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)RWStructuredBuffer<int> q : register(u0), r : register(u1);(end) q:u@0 r:u@1 counter.var.r:u@0,1",
     "q 0.0; r 0.1; counter.var.r 1.0"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)RWStructuredBuffer<int> q : register(u0), r : register(u1);(end) q:u@0 r:u@1 counter.var.r:u",
     "q 0.0; r 0.1; counter.var.r 0.2"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)float4 x; Texture2D a : register(t3);(end) a:t@3 $Global:b@0",
     "$Global 0.0; a 0.3\n"
     "<spirv-bind: registers bound>"},
    {"hlsl remarks", "", NULL, "(8: HLSL 500)float4 x; Texture2D a : register(t3);(end) a:t@3 $Global:b@4",
     "a 0.3; $Global 0.4"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)[[vk::binding(4)]] Texture2D a : register(t3); Texture2D b : register(t70000);(end) a:t@4 b:t@4464",
     "a 0.4; b 0.70000\n"
     "<spirv-bind: registers bound>"},
    {"hlsl remarks", "", NULL,
     "(8: HLSL 500)[[vk::binding(4)]] Texture2D a : register(t3);(end) a:t@4 heap_texture_x:t[]@0,3",
     "a 0.4; heap_texture_x 3.0"},
    {"hlsl remarks all", "", NULL,
     "(8: HLSL 500)Texture2D a : register(t70000), b : register(t1, space200);(end) a:t@4464 b:t@1,72",
     "a 0.0; b 200.0\n"
     "<spirv-bind: registers bound>"})

#endif
