/* SPDX-License-Identifier: Apache-2.0 */
/* lint_finding: turns a finding into a message.
 *
 * It uses ids and names of the input, since those that a pass created mean nothing to the reader.
 *
 * Its fingerprint is made from names only: the rule, the source file, the function, the opcode, the resource and the
 * names in the explanation. It contains neither lines nor ids, so it survives when code is inserted elsewhere.
 * Findings that agree in all of this are counted, and the count is part of the fingerprint. */
#include "pass/nonuniform/lint.h"

enum { MOST_MESSAGES = 100 };

const struct spb_location_table *spb_lint_places(struct spb_lint *l)
{
	if (!l->findings.places) {
		l->findings.places = spb_alloc(l->arena, sizeof *l->findings.places);
		*l->findings.places = spb_location_table(l->m, l->arena);
	}
	return l->findings.places;
}

/* FNV-1a, byte by byte, with the terminating zero: the same on every machine. */
static uint64_t add(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	while (*text++);
	return hash;
}

static uint64_t fingerprint(const struct spb_lint *l, const struct spb_found *f, const spb_message *message)
{
	const struct spb_module *m = l->m;
	const struct spb_function *function = f->at ? spb_function_around(m, f->at) : NULL;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = (hash ^ f->code) * UINT64_C(0x100000001b3);
	hash = add(hash, *message->file ? spb_base_name(message->file) : spb_base_name(m->name));
	hash = add(hash, function ? spb_id_name(m, m->words[function->at + 2]) : "");
	hash = add(hash, f->at ? spb_op_name(spb_op(m, f->at)) : "");
	hash = add(hash, f->subject);
	for (uint32_t i = 0; i < f->why_count; i++)
		hash = add(hash, f->why[i].name);
	return hash ? hash : 1;
}

static uint32_t *times_of(struct spb_lint *l, uint64_t key)
{
	uint32_t mask = l->findings.seen.size - 1, i = (uint32_t)(key ^ key >> 32) & mask;

	while (l->findings.seen.key[i] && l->findings.seen.key[i] != key)
		i = (i + 1) & mask;
	if (!l->findings.seen.key[i])
		l->findings.seen.count++;
	l->findings.seen.key[i] = key;
	return &l->findings.seen.times[i];
}

static void make_room(struct spb_lint *l)
{
	uint64_t *key = l->findings.seen.key;
	uint32_t *times = l->findings.seen.times, size = l->findings.seen.size;

	if (2 * l->findings.seen.count < size)
		return;
	l->findings.seen.size = size ? 2 * size : 64;
	l->findings.seen.key = spb_alloc_zeroed(l->arena, l->findings.seen.size, sizeof *l->findings.seen.key);
	l->findings.seen.times = spb_alloc_zeroed(l->arena, l->findings.seen.size, sizeof *l->findings.seen.times);
	l->findings.seen.count = 0;
	for (uint32_t i = 0; i < size; i++) {
		if (key[i])
			*times_of(l, key[i]) = times[i];
	}
}

/* How many earlier findings have the same fingerprint. */
static uint32_t times_before(struct spb_lint *l, uint64_t key)
{
	make_room(l);
	return (*times_of(l, key))++;
}

static const char *digits(struct spb_arena *arena, uint64_t hash)
{
	char *text = spb_alloc(arena, 17);

	for (int i = 0; i < 16; i++)
		text[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
	text[16] = '\0';
	return text;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The fingerprints of the baseline, sorted. A line that is not a fingerprint matches nothing. */
static void read_baseline(struct spb_lint *l)
{
	const char *p = l->u->options->uniformity.baseline;
	uint64_t hash = 0;
	uint32_t count = 0;

	for (; p && *p; p++) {
		const char *digit = strchr("0123456789abcdef", *p);
		hash = digit ? hash << 4 | (uint64_t)(digit - "0123456789abcdef") : 0;
		count = digit ? count + 1 : 0;
		if (count == 16)
			SPB_PUSH(l->arena, &l->findings.baseline, hash);
	}
	spb_sort(l->arena, l->findings.baseline.items, l->findings.baseline.count, sizeof hash, by_value);
	l->findings.has_baseline = true;
}

static bool is_known(struct spb_lint *l, uint64_t hash)
{
	size_t i;

	if (!l->findings.has_baseline)
		read_baseline(l);
	i = spb_lower_bound(l->findings.baseline.items, l->findings.baseline.count, sizeof hash, &hash, by_value);
	return i < l->findings.baseline.count && l->findings.baseline.items[i] == hash;
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* The part of a suppression rule before the @. */
static bool names_rule(const char *pattern, const spb_message *message)
{
	uint32_t code = spb_code_number(pattern);

	if (code)
		return code == message->code;
	return !strcmp(pattern, "*") || !strcmp(pattern, message->rule);
}

/* A file matches as a whole or by its last part. */
static bool names_place(char *pattern, const struct spb_found *f, const spb_message *message, const char *function)
{
	char *colon = strrchr(pattern, ':');
	uint32_t line = 0;

	if (colon && is_number(colon + 1)) {
		for (const char *p = colon + 1; *p; p++)
			line = line * 10 + (uint32_t)(*p - '0');
		*colon = '\0';
		if (line != message->line)
			return false;
	} else if ((*f->subject && spb_glob(pattern, f->subject)) || (*function && spb_glob(pattern, function))) {
		return true;
	}
	const char *file = *message->file ? message->file : message->module;
	return spb_glob(pattern, file) || spb_glob(pattern, spb_base_name(file));
}

static bool is_suppressed(const struct spb_lint *l, const struct spb_found *f, const spb_message *message)
{
	const struct spb_function *function = f->at ? spb_function_around(l->m, f->at) : NULL;
	const char *name = function ? spb_id_name(l->m, l->m->words[function->at + 2]) : "";
	const char *list = l->u->options->uniformity.suppress;

	while (list && *list) {
		size_t length = strcspn(list, ",");
		char *pattern = spb_copy_text(l->arena, list, length), *at = strchr(pattern, '@');
		list += length + (list[length] == ',');
		if (at)
			*at = '\0';
		if (names_rule(pattern, message) && (!at || names_place(at + 1, f, message, name)))
			return true;
	}
	return false;
}

/* A finding that is merely not known to be uniform is one level less severe. */
static uint32_t severity_of(const struct spb_lint *l, const struct spb_found *f)
{
	uint32_t severity = l->severity[f->rule];

	if (f->lost && severity == SPB_SEVERITY_ERROR)
		return SPB_SEVERITY_WARNING;
	return severity == SPB_LINT_OFF || f->certain ? severity : severity + 1;
}

/* The explanation, with room for one more. */
static spb_message_note *list_notes(struct spb_lint *l, const struct spb_found *f)
{
	spb_message_note *notes = spb_alloc_zeroed(l->arena, f->why_count + 1, sizeof *notes);

	for (uint32_t i = 0; i < f->why_count; i++) {
		const struct spb_why *w = &f->why[i];
		const bool goes_on = !strncmp(w->text, "which ", strlen("which "));
		struct spb_text_buffer text = {.arena = l->arena};
		spb_text_put(&text, goes_on ? "it" : "");
		spb_text_add(&text, w->text + (goes_on ? strlen("which") : 0),
			     w->length - (goes_on ? strlen("which") : 0));
		notes[i] = (spb_message_note){.text = spb_text_end(&text),
					      .module = l->m->name,
					      .file = w->file,
					      .line = w->line,
					      .column = w->column,
					      .word_offset = w->at ? spb_given_offset(l->m, w->at) : 0,
					      .id = w->id,
					      .name = w->name};
	}
	return notes;
}

static void place(struct spb_lint *l, spb_message *message, const struct spb_found *f)
{
	struct spb_source_place p = spb_place_of(spb_lint_places(l), f->at);
	const char *file = spb_file_of(l->m, p.file);

	if (!f->at) {
		p = (struct spb_source_place){.line = f->line};
		file = f->file;
	}
	message->file = file ? file : "";
	message->line = p.line;
	message->column = p.column;
	message->end_column = p.end_column;
}

/* The common part of several findings: the rule, the resource, and each step of the explanation. */
static uint64_t cause_of(const struct spb_found *f, uint32_t severity)
{
	uint64_t hash = add(UINT64_C(0xcbf29ce484222325), f->subject);

	hash = (hash ^ f->code) * UINT64_C(0x100000001b3);
	hash = (hash ^ severity) * UINT64_C(0x100000001b3);
	for (uint32_t i = 0; i < f->why_count; i++)
		hash = add((hash ^ f->why[i].at) * UINT64_C(0x100000001b3), f->why[i].text);
	return hash;
}

/* Counts the finding with an earlier one of the same cause. */
static bool is_one_of(struct spb_lint *l, uint64_t cause)
{
	for (size_t i = l->findings.causes.count; i-- > 0;) {
		struct spb_held *h = &l->findings.held.items[l->findings.causes.items[i]];
		if (h->cause == cause) {
			h->more++;
			return true;
		}
	}
	return false;
}

void spb_tell_findings(struct spb_lint *l)
{
	for (size_t i = 0; i < l->findings.held.count; i++) {
		struct spb_held *h = &l->findings.held.items[i];
		struct spb_text_buffer text = {.arena = l->arena};
		if (h->more) {
			spb_text_format(&text, "%u more place%s with the same cause (--diagnostics=json lists them)",
					(unsigned)h->more, h->more == 1 ? "" : "s");
			h->notes[h->message.note_count] = h->notes[h->message.note_count - 1];
			h->notes[h->message.note_count++].text = spb_text_end(&text);
		}
		spb_report_message(l->m, h->message, h->at);
	}
	if (l->findings.hidden)
		spb_report(l->m, SPB_SEVERITY_NOTE, SPB_E_MORE_UNMARKED, 0, "%u more findings are not listed",
			   (unsigned)l->findings.hidden);
}

void spb_find(struct spb_lint *l, const struct spb_found *f)
{
	uint32_t severity = severity_of(l, f);
	spb_message message = {.code = f->code, .rule = spb_lint_rule_name((uint32_t)f->rule), .text = f->text};
	uint64_t hash;

	if (severity >= SPB_LINT_OFF ||
	    (l->runs && f->at && !spb_bit(l->runs, (uint32_t)(spb_function_around(l->m, f->at) - l->m->function))))
		return;
	message.severity = (spb_severity)severity;
	message.module = l->m->name;
	place(l, &message, f);
	hash = fingerprint(l, f, &message);
	hash ^= times_before(l, hash) * UINT64_C(0x9e3779b97f4a7c15);
	message.fingerprint = digits(l->arena, hash);
	message.justification = spb_allowed_because(l, f, &message);
	if (message.justification)
		message.finding = SPB_FINDING_ALLOWED;
	else if (is_suppressed(l, f, &message))
		message.finding = SPB_FINDING_SUPPRESSED;
	else if (is_known(l, hash))
		message.finding = SPB_FINDING_KNOWN;
	else if (severity == SPB_SEVERITY_ERROR)
		l->u->nonuniform.lint_errors++;
	struct spb_held held = {.at = f->at};
	bool counts = !l->u->options->uniformity.lint_all && message.finding == SPB_FINDING_NEW && f->why_count &&
		      f->rule != SPB_RULE_ASSERTIONS;
	if (counts) {
		held.cause = cause_of(f, severity);
		if (is_one_of(l, held.cause))
			return;
	}
	if (!l->u->options->uniformity.lint_all && l->findings.shown == MOST_MESSAGES) {
		l->findings.hidden += message.finding == SPB_FINDING_NEW;
		return;
	}
	if (l->m->context->findings++ == l->m->context->limits.findings)
		spb_fail(l->m, SPB_ERROR_LIMIT, SPB_E_LIMIT, f->at,
			 "there are more than %u findings, which is all that the host allows" SPB_REMEDY
			 "Correct or suppress some.",
			 l->m->context->limits.findings);
	l->findings.shown += message.finding == SPB_FINDING_NEW;
	message.notes = held.notes = list_notes(l, f);
	message.note_count = f->why_count;
	held.message = message;
	if (counts)
		SPB_PUSH(l->arena, &l->findings.causes, (uint32_t)l->findings.held.count);
	SPB_PUSH(l->arena, &l->findings.held, held);
}
