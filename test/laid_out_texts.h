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

#endif
