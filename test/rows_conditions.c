/* SPDX-License-Identifier: Apache-2.0 */
/* rows/conditions: the values of expressions in source texts. Each line of a part is an expression and, after a
 * semicolon, its value:
 *
 *     conditions    of an #if: `true`, `false` or `not understood`, and, after a comma, glslang's answer if it differs
 *     lengths       of an array: a number, or `not understood`, which means that any length agrees */
#include "rows.h"

enum part { OPTIONS, CONDITIONS, LENGTHS };

static const char *const names_of_expressions[] = {"options", "conditions", "lengths", NULL};

/* The layout of a module with this text. */
static const char *layout_of(const struct row *row, const char *source, const char *module)
{
	static struct row made;
	static struct text got;

	made.file = row->file;
	made.line = row->line;
	for (unsigned part = 0; rows_of_layout.parts[part]; part++) {
		const char *name = rows_of_layout.parts[part];
		clear(&made.parts[part]);
		put(&made.parts[part], "%s",
		    !strcmp(name, "options")  ? "order=source validate=none"
		    : !strcmp(name, "source") ? source
		    : !strcmp(name, "module") ? module
					      : "");
	}
	clear(&got);
	rows_of_layout.answer(&made, &got);
	return got.items;
}

/* The part after the semicolon. */
static const char *value_of(const struct row *row, const char *line)
{
	const char *semicolon = strstr(line, " ; ");

	if (!semicolon || semicolon > line + length_of_line(line))
		unreadable(row, "no value: %.*s", length_of_line(line), line);
	return semicolon + 3;
}

static void check_condition(const struct row *row, const char *condition, int length, bool is_hlsl, const char *value,
			    int value_length)
{
	static struct text source;
	const char *declare = is_hlsl ? "Texture2D" : "uniform texture2D";

	clear(&source);
	put(&source, "%s\n#if %.*s\n%s b, a;\n#else\n%s a, b;\n#endif\n",
	    is_hlsl ? "HLSL 600 by dxc" : "GLSL 460 by glslang", length, condition, declare, declare);
	const char *layout = layout_of(row, source.items, "a:texture b:texture\n");
	const char *is = strstr(layout, "a condition is not understood") ? "not understood"
			 : strstr(layout, "SPB")                         ? "something else"
			 : *layout == 'b'                                ? "true"
									 : "false";
	if ((int)strlen(is) != value_length || strncmp(is, value, strlen(is)) != 0)
		wrong(row, "%.*s\n  is %s in %s", length, condition, is, is_hlsl ? "HLSL" : "GLSL");
}

static void check_conditions(const struct row *row)
{
	for (const char *at = row->parts[CONDITIONS].items; *at; at = next_line(at)) {
		const char *value = value_of(row, at), *other = strstr(value, ", glslang ");
		const int length = (int)(value - 3 - at), rest = length_of_line(value);
		const bool differ = other && other < value + rest;
		check_condition(row, at, length, true, value, differ ? (int)(other - value) : rest);
		other = differ ? other + strlen(", glslang ") : value;
		check_condition(row, at, length, false, other, length_of_line(other));
	}
}

/* Array lengths other than that of the text are refused. */
static void check_length(const struct row *row, const char *format, const char *at, int length, unsigned value)
{
	static struct text source, module;
	const unsigned right = value ? value : 7;

	for (unsigned count = right; count <= right + 1; count++) {
		clear(&source);
		clear(&module);
		put(&source, format, length, at);
		put(&module, "a:texture b:texture[%u]\n", count);
		const bool agrees = !strstr(layout_of(row, source.items, module.items), "SPB");
		if (agrees != (count == right || !value))
			wrong(row, "%.*s\n  %s %u", length, at, agrees ? "is" : "is not", count);
	}
}

static void check_lengths(const struct row *row)
{
	for (const char *at = row->parts[LENGTHS].items; *at; at = next_line(at)) {
		const char *value = value_of(row, at);
		const unsigned number = (unsigned)strtoul(value, NULL, 10);
		check_length(row, "HLSL 600\nstatic const int A = 2; Texture2D b[%.*s], a;\n", at,
			     (int)(value - 3 - at), number);
		check_length(row, "HLSL 600\nstatic const int A = 2; static const int N = %.*s; Texture2D b[N], a;\n",
			     at, (int)(value - 3 - at), number);
	}
}

static void answer_expressions(const struct row *row, struct text *got)
{
	(void)got;
	check_conditions(row);
	check_lengths(row);
}

const struct rows_kind rows_of_conditions = {"conditions", names_of_expressions, NULL, answer_expressions};
