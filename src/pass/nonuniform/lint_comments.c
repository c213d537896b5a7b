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
#include "pass/nonuniform/lint.h"

/* Finds the allowances for lines that the module has code of. */
static void find_code(struct spb_lint *l)
{
	const struct spb_location_table *places = spb_lint_places(l);

	for (size_t i = 0; i < places->count; i++) {
		struct spb_source_place place = places->items[i].place;
		const char *file = spb_file_of(l->m, place.file);
		const struct spb_allowance line = {.file = file ? file : "", .code_line = place.line};
		for (struct spb_allowed *next = NULL; place.line && (next = spb_next_allowed(l, &line, next));)
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
		     "the comment allows nothing: it names no rule" SPB_REMEDY
		     "Write \"spirv-bind: allow SPB5001\", for example.");
	else if (allowed->rule == SPB_RULE_COUNT)
		tell(l, allowed, SPB_E_ALLOWS_UNKNOWN,
		     "the comment allows \"%s\", which is neither a rule of the lint nor one of its message "
		     "codes" SPB_REMEDY "Separate several by commas, and the reason by a colon.",
		     rule);
	else if (allowed->used || l->severity[allowed->rule] == SPB_LINT_OFF)
		return;
	else if (!allowed->has_code && allowed->a.is_main)
		tell(l, allowed, SPB_E_ALLOWS_NOTHING,
		     "unused suppression of %s: no instruction of this module comes from line %u" SPB_REMEDY
		     "If that is so in every variant of the program, remove the comment.",
		     rule, allowed->a.code_line);
	else if (allowed->has_code && allowed->a.is_main)
		tell(l, allowed, SPB_E_ALLOWS_NOTHING,
		     "unused suppression: line %u has no %s finding" SPB_REMEDY "Remove the comment.",
		     allowed->a.code_line, rule);
	else if (allowed->has_code)
		tell(l, allowed, SPB_E_ALLOWS_NOTHING,
		     "unused suppression: line %u has no %s finding in this module" SPB_REMEDY
		     "If that is so in every module that includes the file, remove the comment.",
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
