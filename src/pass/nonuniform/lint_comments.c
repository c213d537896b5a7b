/* SPDX-License-Identifier: Apache-2.0 */
/* lint_comments: comments in the source that allow findings of a line, and rule comments, which judges them.
 *
 *     // spirv-bind: allow SPB5001: the host draws one material at a time
 *
 *   names no rule         a warning: the finding that was meant still counts
 *   suppresses nothing    a warning, since the finding that it excuses is gone. It is only a note if another module may
 *                         need the comment: this module has no code of the line, since a condition excludes it, or the
 *                         comment is in an included file. If both apply, nothing is reported.
 *
 * Only the text in the module is read, never a file: the result depends on the module alone. */
#include "analysis/source/source.h"
#include "pass/nonuniform/lint.h"

struct spb_allowed {
	struct spb_allowance a;
	uint32_t rule; /* enum spb_lint_rule; SPB_RULE_COUNT: it names none */
	uint32_t code; /* 0: all of the rule */
	bool used;     /* a finding has been suppressed */
	bool has_code; /* an instruction of the module comes from the line */
};

static const struct {
	uint16_t code;
	uint8_t rule;
} codes[] = {
    {SPB_E_UNMARKED, SPB_RULE_NONUNIFORM},    {SPB_E_MAY_DIFFER, SPB_RULE_NONUNIFORM},
    {SPB_E_NO_REMEDY, SPB_RULE_NONUNIFORM},   {SPB_E_MARK_LOST, SPB_RULE_NONUNIFORM},
    {SPB_E_DERIVATIVE, SPB_RULE_DERIVATIVES}, {SPB_E_IMPLICIT, SPB_RULE_IMPLICIT_LOD},
    {SPB_E_LOD, SPB_RULE_IMPLICIT_LOD},       {SPB_E_BARRIER, SPB_RULE_BARRIERS},
    {SPB_E_SUBGROUP, SPB_RULE_SUBGROUP},      {SPB_E_OPERAND, SPB_RULE_OPERANDS},
    {SPB_E_ASSERTION, SPB_RULE_ASSERTIONS},
};

static void read_rule(struct spb_allowed *allowed)
{
	const char *name = allowed->a.rule;

	for (uint32_t r = 0; r < SPB_RULE_COMMENTS; r++) {
		if (!strcmp(name, spb_lint_rule_name(r)))
			allowed->rule = r;
	}
	for (size_t i = 0; i < SPB_COUNT(codes); i++) {
		if (spb_code_number(name) != codes[i].code)
			continue;
		allowed->rule = codes[i].rule;
		allowed->code = codes[i].code;
	}
}

static bool same_line(const struct spb_allowance *x, const struct spb_allowance *y)
{
	return x->code_line == y->code_line && !strcmp(x->file, y->file);
}

/* Those that name no rule come last on their line. */
static int by_line(const void *left, const void *right)
{
	const struct spb_allowed *x = left, *y = right;
	int files = strcmp(x->a.file, y->a.file);

	if (files)
		return files;
	if (x->a.code_line != y->a.code_line)
		return x->a.code_line > y->a.code_line ? 1 : -1;
	if (x->rule != y->rule)
		return x->rule > y->rule ? 1 : -1;
	return (x->code > y->code) - (x->code < y->code);
}

/* A repeated allowance of a line counts once, so a line has few of them, however many comments it has. */
static void remove_repeated(struct spb_lint *l)
{
	size_t count = 0;

	for (size_t i = 0; i < l->allowed_count; i++) {
		const struct spb_allowed *allowed = &l->allowed[i];
		if (!i || allowed->rule == SPB_RULE_COUNT || by_line(&l->allowed[count - 1], allowed) != 0)
			l->allowed[count++] = *allowed;
	}
	l->allowed_count = count;
}

void spb_read_comments(struct spb_lint *l)
{
	struct spb_allowances found = spb_read_allowances(l->m, l->arena);

	l->allowed = spb_alloc_zeroed(l->arena, found.count, sizeof *l->allowed);
	l->allowed_count = found.count;
	for (size_t i = 0; i < found.count; i++) {
		l->allowed[i] = (struct spb_allowed){.a = found.items[i], .rule = SPB_RULE_COUNT};
		read_rule(&l->allowed[i]);
	}
	spb_sort(l->arena, l->allowed, found.count, sizeof *l->allowed, by_line); /* stable */
	remove_repeated(l);
}

/* The next one for the line that names a rule; NULL: none. */
static struct spb_allowed *next_of_line(struct spb_lint *l, const struct spb_allowance *line, struct spb_allowed *after)
{
	const struct spb_allowed wanted = {.a = *line};
	struct spb_allowed *end = l->allowed + l->allowed_count, *next = after ? after + 1 : l->allowed;

	if (!after)
		next += spb_lower_bound(l->allowed, l->allowed_count, sizeof wanted, &wanted, by_line);
	return next < end && next->rule < SPB_RULE_COUNT && same_line(&next->a, line) ? next : NULL;
}

const char *spb_allowed_because(struct spb_lint *l, const struct spb_found *f, const spb_message *message)
{
	const struct spb_allowance line = {.file = message->file, .code_line = message->line};
	const char *reason = NULL;

	if (!l->allowed_count || !message->line)
		return NULL;
	for (struct spb_allowed *next = NULL; (next = next_of_line(l, &line, next));) {
		if (next->rule != (uint32_t)f->rule || (next->code && next->code != f->code))
			continue;
		next->used = true;
		reason = reason && *reason ? reason : next->a.reason;
	}
	return reason;
}

/* Finds the allowances for lines that the module has code of. */
static void find_code(struct spb_lint *l)
{
	const struct spb_location_table *places = spb_lint_places(l);

	for (size_t i = 0; i < places->count; i++) {
		struct spb_source_place place = places->items[i].place;
		const char *file = spb_file_of(l->m, place.file);
		const struct spb_allowance line = {.file = file ? file : "", .code_line = place.line};
		for (struct spb_allowed *next = NULL; place.line && (next = next_of_line(l, &line, next));)
			next->has_code = true;
	}
}

static void tell(struct spb_lint *l, const struct spb_allowed *allowed, uint32_t code, const char *format, ...)
{
	struct spb_text_buffer text = {.arena = l->arena};
	struct spb_found f = {.rule = SPB_RULE_COMMENTS,
			      .code = code,
			      .certain = code == SPB_E_ALLOWS_UNKNOWN || (allowed->a.is_main && allowed->has_code),
			      .file = allowed->a.comment_file,
			      .line = allowed->a.line,
			      .subject = allowed->a.rule};
	va_list arguments;

	va_start(arguments, format);
	spb_text_vformat(&text, format, arguments);
	va_end(arguments);
	f.text = spb_text_end(&text);
	spb_find(l, &f);
}

static void judge(struct spb_lint *l, const struct spb_allowed *allowed)
{
	const char *rule = allowed->a.rule;

	if (allowed->rule == SPB_RULE_COUNT && !*rule)
		tell(l, allowed, SPB_E_ALLOWS_UNKNOWN,
		     "the comment allows nothing: it names no rule; write \"spirv-bind: allow SPB5001\", for example");
	else if (allowed->rule == SPB_RULE_COUNT)
		tell(l, allowed, SPB_E_ALLOWS_UNKNOWN,
		     "the comment allows \"%s\", which is neither a rule of the lint nor one of its message codes; "
		     "separate several by commas, and the reason by a colon",
		     rule);
	else if (allowed->used || l->severity[allowed->rule] == SPB_LINT_OFF)
		return;
	else if (!allowed->has_code && allowed->a.is_main)
		tell(l, allowed, SPB_E_ALLOWS_NOTHING,
		     "unused suppression of %s: no instruction of this module comes from line %u; if that is so in "
		     "every "
		     "variant of the program, remove the comment",
		     rule, allowed->a.code_line);
	else if (allowed->has_code && allowed->a.is_main)
		tell(l, allowed, SPB_E_ALLOWS_NOTHING,
		     "unused suppression: line %u has no %s finding; remove the comment", allowed->a.code_line, rule);
	else if (allowed->has_code)
		tell(l, allowed, SPB_E_ALLOWS_NOTHING,
		     "unused suppression: line %u has no %s finding in this module; if that is so in every module that "
		     "includes the file, remove the comment",
		     allowed->a.code_line, rule);
}

void spb_lint_comments(struct spb_lint *l)
{
	if (!l->allowed_count || l->severity[SPB_RULE_COMMENTS] == SPB_LINT_OFF)
		return;
	find_code(l);
	for (size_t i = 0; i < l->allowed_count; i++)
		judge(l, &l->allowed[i]);
}
