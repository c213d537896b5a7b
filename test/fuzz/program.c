/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of every program: a refusal has a message, results exist and are the same each time, a valid module stays
 * valid, any allocation may fail and the call be repeated, and binding a bound module changes nothing. */
#include <spirv/unified1/spirv.h>

#define kDefaultMaxIdBound program_kDefaultMaxIdBound /* src/lib/validation/validate.c says why */
#include <spirv-tools/libspirv.h>
#undef kDefaultMaxIdBound

#include "../results.h"
#include "fuzz.h"

void must(bool holds, const char *condition, const char *file, int line)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, condition);
	abort();
}

char *copy_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

void *metered_resize(void *user, void *p, size_t old_size, size_t new_size)
{
	struct meter *m = user;

	if (new_size && m->count++ == m->failing)
		return NULL;
	m->now += new_size - old_size;
	m->most = m->now > m->most ? m->now : m->most;
	if (new_size)
		return realloc(p, new_size);
	free(p);
	return NULL;
}

void has_text(void *user, const spb_message *message)
{
	(void)user;
	MUST(*message->text);
}

uint32_t next_number(uint64_t *state, uint32_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return below ? (uint32_t)((*state >> 11) % below) : 0;
}

uint64_t number_of(const uint8_t *data, size_t size)
{
	uint64_t number = 0xCBF29CE484222325u;

	for (size_t i = 0; i < size; i++)
		number = (number ^ data[i]) * 0x100000001B3u;
	return number | 1;
}

enum { INVALID_OUTPUT = 6001 }; /* the code of the message */

struct run {
	struct meter meter;
	size_t errors, read; /* counts of messages and characters */
	spb_context *context;
	spb_program *program;
	spb_status status;
};

/* Every string of a message exists and can be read. */
static void read_message(void *user, const spb_message *m)
{
	struct run *r = user;

	r->errors += m->severity == SPB_SEVERITY_ERROR;
	r->read += strlen(m->module) + strlen(m->pass) + strlen(m->text) + strlen(m->op) + strlen(m->name) +
		   strlen(m->function) + strlen(m->file) + strlen(m->rule) + strlen(m->fingerprint) + strlen(m->remedy);
	MUST(*m->text && (m->code != INVALID_OUTPUT || !strstr(m->remedy, "The input is valid")));
	MUST((*m->rule != 0) == (strlen(m->fingerprint) == 16) && (*m->rule || !m->finding));
	for (uint32_t i = 0; i < m->note_count; i++)
		r->read += strlen(m->notes[i].text) + strlen(m->notes[i].file) + strlen(m->notes[i].name);
}

spb_status set_option(spb_program *program, const char *setting)
{
	char name[200];
	const char *value = strchr(setting, '=');

	snprintf(name, sizeof name, "%.*s", (int)(value ? value - setting : 199), setting);
	return spb_program_set(program, name, value ? value + 1 : NULL);
}

static void run(struct run *r, const struct attempt *a, long failing)
{
	*r = (struct run){.meter.failing = failing};
	const spb_allocator allocator = {metered_resize, &r->meter};
	const spb_callbacks callbacks = {read_message, r};

	UNTIL_THERE_IS_MEMORY(r->status, spb_context_create(&allocator, &callbacks, &r->context));
	MUST(r->status == SPB_OK);
	UNTIL_THERE_IS_MEMORY(r->status, spb_program_create(r->context, a->options, &r->program));
	for (const char *const *s = a->settings; s && *s && r->status == SPB_OK; s++)
		UNTIL_THERE_IS_MEMORY(r->status, set_option(r->program, *s));
	if (r->status == SPB_OK)
		UNTIL_THERE_IS_MEMORY(r->status, spb_program_add(r->program, "fuzz", a->words, a->count, 0));
	if (r->status == SPB_OK)
		UNTIL_THERE_IS_MEMORY(r->status, spb_program_bind(r->program));
	MUST(r->status != SPB_ERROR_INTERNAL && (r->status == SPB_OK || r->errors));
}

static void end(struct run *r)
{
	spb_program_destroy(r->program);
	spb_context_destroy(r->context);
	MUST(!r->meter.now);
}

static bool has_output(const struct run *r)
{
	return (r->status == SPB_OK || r->status == SPB_ERROR_NOT_FINAL) &&
	       spb_program_words(r->program, 0, SPB_WORDS_OUTPUT, NULL);
}

static const char *text_of(struct run *r, spb_text_kind kind)
{
	const char *text = spb_program_text(r->program, kind, "x", NULL);

	return text ? text : spb_program_text(r->program, kind, "x", NULL); /* memory has run out */
}

static void check_results(struct run *r, const struct attempt *a)
{
	static const spb_text_kind kinds[] = {SPB_TEXT_LAYOUT_JSON, SPB_TEXT_LAYOUT_HEADER, SPB_TEXT_LAYOUT_GLSL,
					      SPB_TEXT_LOCK};
	size_t count;
	const uint32_t *out = spb_program_words(r->program, 0, SPB_WORDS_OUTPUT, &count);

	MUST(count >= 5);
	if (!is_changed(r->program, 0))
		MUST(count == a->count && !memcmp(out, a->words, count * sizeof *out));
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		MUST(text_of(r, kinds[i]));
	MUST(spb_program_text(r->program, SPB_TEXT_REPORT, NULL, NULL) || r->meter.failing >= 0);
}

static void check_same(struct run *first, struct run *other)
{
	size_t count, other_count;

	MUST(other->status == first->status);
	MUST(has_output(other) == has_output(first));
	if (!has_output(first))
		return;
	const uint32_t *words = spb_program_words(first->program, 0, SPB_WORDS_OUTPUT, &count);
	const uint32_t *other_words = spb_program_words(other->program, 0, SPB_WORDS_OUTPUT, &other_count);
	MUST(other_count == count && !memcmp(words, other_words, count * sizeof *words));
	MUST(!strcmp(text_of(first, SPB_TEXT_LAYOUT_JSON), text_of(other, SPB_TEXT_LAYOUT_JSON)));
	MUST(!strcmp(text_of(first, SPB_TEXT_LOCK), text_of(other, SPB_TEXT_LOCK)));
}

uint32_t bound_of(const uint32_t *words, size_t count)
{
	uint32_t bound = count > 3 ? words[3] : 0;

	if (count && words[0] != SpvMagicNumber)
		bound = bound >> 24 | (bound >> 8 & 0xFF00) | (bound << 8 & 0xFF0000) | bound << 24;
	return bound > 0x400000 ? 0 : bound;
}

static bool is_valid(const uint32_t *words, size_t count)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	const spv_result_t result = spvValidateBinary(context, words, count, NULL);

	spvContextDestroy(context);
	return result == SPV_SUCCESS;
}

spb_status try_program(const struct attempt *attempt, uint64_t number)
{
	enum { ONCE, AGAIN, SCARCE, BOUND, WAYS };
	const uint32_t way = next_number(&number, WAYS);
	struct run first, other;
	struct attempt bound = *attempt;

	run(&first, attempt, -1);
	if (has_output(&first))
		check_results(&first, attempt);
	/* Not proportional to claims of the input, except for arrays over its ids. */
	MUST(first.meter.most <= 16u * 1024 * 1024 + 256 * ((size_t)bound_of(attempt->words, attempt->count) +
							    attempt->count + attempt->more));
	if (way == AGAIN || way == SCARCE) {
		run(&other, attempt, way == SCARCE ? (long)next_number(&number, (uint32_t)first.meter.count) : -1);
		check_same(&first, &other);
		end(&other);
	}
	if (way == BOUND && has_output(&first) && !attempt->loses_names) {
		bound.words = spb_program_words(first.program, 0, SPB_WORDS_OUTPUT, &bound.count);
		if (is_valid(bound.words, bound.count)) {
			run(&other, &bound, -1);
			MUST(has_output(&other) && !is_changed(other.program, 0));
			end(&other);
		}
	}
	end(&first);
	return first.status;
}
