/* SPDX-License-Identifier: Apache-2.0 */
/* operands: programs of which the parser knows no more than it promises (src/ir/ir.h, struct spb_module). Each gets an
 * answer: an error with its reason, or results.
 *
 *     operands SEED TIMES MODULE… [NAME=VALUE…]      the options of all programs
 *
 * Each module TIMES times, with some operands exchanged for any that the module has, and instructions cut or added;
 * or, if TIMES is 0, with each instruction of the grammar, cut to each length. The parser refuses what is too short;
 * what has ids of wrong kinds reaches the passes. failing.spv is the last module tried. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ids.h"
#include "spirv-bind/spirv_bind.h"

enum { MOST = 1 << 16, LONGEST = 32, MORE = 5, OPTIONS = 16 };

static uint64_t state;
static const char *given[OPTIONS];
static size_t given_count, parsed, bound, tried;

static uint32_t roll(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return below ? (uint32_t)((state >> 11) % below) : 0;
}

/* Words, and which instruction defines an id, as far as the grammar's patterns ask for it. */
struct text {
	uint32_t words[MOST], count;
	spb_at def[MOST];
};

static struct text text, changed;

static struct spb_module module_of(struct text *t)
{
	const struct spb_module m = {
	    .words = t->words, .text = t->words, .count = t->count, .bound = t->words[3], .def = t->def};

	memset(t->def, 0, sizeof t->def);
	for (spb_at at = 5; at < t->count; at = spb_next(&m, at)) {
		const uint32_t flags = spb_op_facts(spb_op(&m, at))->flags;
		const uint32_t word = at + (flags & SPB_OP_HAS_TYPE ? 2 : 1);
		if (flags & SPB_OP_HAS_RESULT && word < t->count && t->words[word] < m.bound)
			t->def[t->words[word]] = at;
	}
	return m;
}

static void read_module(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		exit(99);
	text.count = (uint32_t)fread(text.words, sizeof *text.words, MOST, f);
	fclose(f);
	if (text.count < 6 || text.count > MOST - 1000 || text.words[3] > MOST - 100)
		exit(99);
}

static void put(struct text *t, uint32_t at, const uint32_t *words, uint32_t count)
{
	memmove(t->words + at + count, t->words + at, (t->count - at) * sizeof *words);
	memcpy(t->words + at, words, count * sizeof *words);
	t->count += count;
}

static void cut(struct text *t, spb_at at, uint32_t length)
{
	const uint32_t old = t->words[at] >> 16;

	memmove(t->words + at + length, t->words + at + old, (t->count - at - old) * sizeof *t->words);
	t->words[at] = length << 16 | (t->words[at] & 0xFFFF);
	t->count -= old - length;
}

/* One of those that the module has, or nearly: the one behind the last. */
static uint32_t any_id(const struct text *t)
{
	return 1 + roll(t->words[3] - (roll(50) != 0));
}

/* One whose definition has the flag or the opcode, if there is one. */
static uint32_t any_of(const struct text *t, uint32_t flag, uint32_t op)
{
	uint32_t count = 0, chosen = any_id(t);

	for (uint32_t id = 1; id < t->words[3]; id++) {
		const uint32_t own = t->def[id] ? t->words[t->def[id]] & 0xFFFF : 0;
		if (own && (spb_op_is(own, flag) || own == op) && !roll(++count))
			chosen = id;
	}
	return chosen;
}

static uint32_t any_literal(void)
{
	static const uint32_t few[] = {0, 1, 2, 3, 4, 8, 11, 33, 34, 35, 64, 5300, 0xFFFF, 0xFFFFFFFF};

	return roll(3) ? few[roll(SPB_COUNT(few))] : roll(6000);
}

/* Words of the operands that an instruction has, by kind. */
static void draw_operands(struct text *t, spb_at at, uint32_t result)
{
	const struct spb_module m = module_of(t);

	for (struct spb_operand o = spb_operands(&m, at); spb_operand_next(&o);) {
		uint32_t *w = &t->words[o.word];
		if (o.kind == SPB_KIND_RESULT)
			*w = result;
		else if (o.kind == SPB_KIND_TYPE)
			*w = any_of(t, SPB_OP_IS_TYPE, 0);
		else if (o.word == at + 3 && spb_op_facts(o.op)->tail == SPB_TAIL_EXT_INST)
			*w = any_of(t, 0, SpvOpExtInstImport);
		else if (spb_operand_is_id(&o))
			*w = any_id(t);
		else if (o.kind == SPB_KIND_STRING)
			memset(w, 0, o.count * sizeof *w);
		else if (o.kind == SPB_KIND_EXT_INST)
			*w = roll(110);
		else if (o.kind == SPB_KIND_SPEC_OP)
			*w = roll(400);
		else
			*w = any_literal();
	}
}

/* Where instructions of its kind stand: in a block, or at the end of its section. */
static spb_at place_for(struct text *t, uint32_t op)
{
	const struct spb_op_facts *facts = spb_op_facts(op);
	const struct spb_module m = module_of(t);
	spb_at inside[256], last = 5;
	uint32_t count = 0;

	for (spb_at at = 5; at < t->count; at = spb_next(&m, at)) {
		const struct spb_op_facts *f = spb_op_facts(spb_op(&m, at));
		if (f->section <= facts->section && f->section != SPB_SECTION_ANY)
			last = spb_next(&m, at);
		if (spb_op(&m, at) == SpvOpLabel && count < SPB_COUNT(inside))
			inside[count++] = spb_next(&m, at);
	}
	if (facts->flags & SPB_OP_IN_BODIES && roll(2))
		return inside[roll(count)];
	return facts->section == SPB_SECTION_ANY && count ? inside[roll(count)] : last;
}

static spb_at add_instruction(struct text *t, uint32_t op, uint32_t length)
{
	const uint32_t none[LONGEST] = {length << 16 | op};
	const spb_at at = place_for(t, op);

	put(t, at, none, length);
	for (uint32_t i = 1; i < length; i++)
		t->words[at + i] = any_id(t);
	draw_operands(t, at, t->words[3]++);
	draw_operands(t, at, t->words[3] - 1); /* now by the set, and the opcode, that it has been given */
	return at;
}

/* What is asked of it */

struct heard {
	size_t errors, read;
};

static void hear(void *user, const spb_message *m)
{
	struct heard *h = user;

	h->errors += m->severity == SPB_SEVERITY_ERROR;
	h->read += strlen(m->text) + strlen(m->module) + strlen(m->name) + strlen(m->file);
}

static void set(spb_program *p, const char *option)
{
	char name[64];
	const size_t length = strcspn(option, "=");

	snprintf(name, sizeof name, "%.*s", (int)length, option);
	if (spb_program_set(p, name, option[length] ? option + length + 1 : NULL) != SPB_OK) {
		printf("no option %s\n", option);
		exit(1);
	}
}

static void keep(const struct text *t)
{
	FILE *f = fopen("failing.spv", "wb");

	if (f) {
		fwrite(t->words, sizeof *t->words, t->count, f);
		fclose(f);
	}
}

static void ask_for_results(spb_program *p)
{
	const spb_descriptor_access *accesses;
	const spb_resource *resources;

	for (int kind = SPB_TEXT_LAYOUT_JSON; kind <= SPB_TEXT_LOCK; kind++)
		spb_program_text(p, (spb_text_kind)kind, kind == SPB_TEXT_REPORT ? NULL : "x", NULL);
	spb_program_accesses(p, sizeof *accesses, &accesses);
	spb_program_resources(p, sizeof *resources, &resources);
}

/* Each of these looks at what others do not. */
static const char *const more[] = {"mode=bind",
				   "mode=lint",
				   "nonuniform=all",
				   "waterfall",
				   "lower-buffer-references",
				   "heap-model=descriptor-heap",
				   "heap-model=slang",
				   "check-assertions=runtime",
				   "split-combined",
				   "unused=remove",
				   "rules=hlsl",
				   "mode=collect",
				   "bounds-check=clamp",
				   "strip-debug",
				   "uniform-scope=group",
				   "heap-model=mutable",
				   "instrument-handles=7.0",
				   "prune",
				   "mode=check",
				   "rebind=all"};

static void try(const struct text *t)
{
	struct heard heard = {0};
	const spb_callbacks callbacks = {hear, &heard};
	const char *const extra = more[roll(SPB_COUNT(more))];
	spb_context *c;
	spb_program *p = NULL;
	spb_options o;

	spb_options_init(&o, sizeof o);
	o.explain = true;
	o.validation.which = SPB_VALIDATE_NONE;
	keep(t);
	if (spb_context_create(NULL, &callbacks, &c) != SPB_OK || spb_program_create(c, &o, &p) != SPB_OK)
		exit(99);
	for (size_t i = 0; i < given_count; i++)
		set(p, given[i]);
	set(p, extra);
	spb_status status = spb_program_add(p, "m", t->words, t->count, 0);
	parsed += status == SPB_OK;
	if (status == SPB_OK)
		status = spb_program_bind(p);
	if (status == SPB_OK || status == SPB_ERROR_NOT_FINAL)
		ask_for_results(p);
	bound += status == SPB_OK;
	tried++;
	if (status == SPB_ERROR_INTERNAL || (status != SPB_OK && status != SPB_ERROR_NOT_FINAL && !heard.errors)) {
		printf("%s: %s, %u errors; failing.spv is the module\n", extra,
		       spb_name(SPB_NAME_STATUS, (uint32_t) - (int)status), (unsigned)heard.errors);
		exit(1);
	}
	spb_program_destroy(p);
	spb_context_destroy(c);
}

/* From one word to a few more than the shortest that the grammar allows. */
static void try_each_opcode(void)
{
	for (uint32_t op = 0; op < SPB_OP_INDEX; op++) {
		const struct spb_op_facts *facts = spb_op_facts(op);
		for (uint32_t length = 1; facts->flags & SPB_OP_KNOWN && length < facts->min_words + MORE; length++) {
			changed = text;
			add_instruction(&changed, op, length);
			try(&changed);
		}
	}
}

static spb_at any_instruction(const struct spb_module *m)
{
	uint32_t count = 0;
	spb_at chosen = 5;

	for (spb_at at = 5; at < m->count; at = spb_next(m, at)) {
		if (!roll(++count))
			chosen = at;
	}
	return chosen;
}

/* Another id, or another literal, in place of one operand. */
static void exchange_operand(struct text *t)
{
	const struct spb_module m = module_of(t);
	const spb_at at = any_instruction(&m);
	uint32_t count = 0, word = 0;
	bool is_id = false;

	for (struct spb_operand o = spb_operands(&m, at); spb_operand_next(&o);) {
		const bool wanted = o.kind == SPB_KIND_ID || o.kind == SPB_KIND_TYPE || (!roll(4) && o.count == 1);
		if (o.kind != SPB_KIND_RESULT && wanted && !roll(++count)) {
			word = o.word;
			is_id = spb_operand_is_id(&o);
		}
	}
	if (word)
		t->words[word] = is_id ? any_id(t) : any_literal();
}

static void change(struct text *t)
{
	const uint32_t kind = roll(16);

	if (kind == 0) {
		const struct spb_module m = module_of(t);
		const spb_at at = any_instruction(&m);
		cut(t, at, spb_length(&m, at) - roll(spb_length(&m, at)));
	} else if (kind < 4) {
		uint32_t op;
		do
			op = roll(SPB_OP_INDEX);
		while (!(spb_op_facts(op)->flags & SPB_OP_KNOWN));
		add_instruction(t, op, spb_op_facts(op)->min_words + roll(MORE));
	} else {
		exchange_operand(t);
	}
}

int main(int count, char **arguments)
{
	int first = 3;

	if (count < 4)
		return 2;
	state = strtoull(arguments[1], NULL, 10) * 0x9E3779B97F4A7C15u | 1;
	for (int i = first; i < count; i++) {
		if (strchr(arguments[i], '=') && given_count < OPTIONS)
			given[given_count++] = arguments[i];
	}
	for (int i = first; i < count; i++) {
		if (strchr(arguments[i], '='))
			continue;
		read_module(arguments[i]);
		if (!strcmp(arguments[2], "0"))
			try_each_opcode();
		for (long times = strtol(arguments[2], NULL, 10); times; times--) {
			changed = text;
			for (uint32_t n = 1 + roll(3); n; n--)
				change(&changed);
			try(&changed);
		}
	}
	printf("%u tried, %u parsed, %u bound\n", (unsigned)tried, (unsigned)parsed, (unsigned)bound);
	return 0;
}
