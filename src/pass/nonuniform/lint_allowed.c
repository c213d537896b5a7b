/* SPDX-License-Identifier: Apache-2.0 */
/* lint_allowed: which findings the comments in the source allow. */
#include "pass/nonuniform/lint.h"

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

struct spb_allowed *spb_next_allowed(struct spb_lint *l, const struct spb_allowance *line, struct spb_allowed *after)
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
	for (struct spb_allowed *next = NULL; (next = spb_next_allowed(l, &line, next));) {
		if (next->rule != (uint32_t)f->rule || (next->code && next->code != f->code))
			continue;
		next->used = true;
		reason = reason && *reason ? reason : next->a.reason;
	}
	return reason;
}
