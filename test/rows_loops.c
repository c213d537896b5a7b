/* SPDX-License-Identifier: Apache-2.0 */
/* rows/loops: the instructions of waterfall loops, as diagrams.
 *
 *     options      of the plug-in
 *     head         in front of `notes`
 *     notes        decorations
 *     types        what follows
 *     begin        the first instructions of the shader, those that are not drawn
 *     main         the others
 *     drawn        messages, and then the instructions that come of `main`: without the % of ids and the Op of opcodes,
 * and with +1, +2, ... for ids that the pass has made. [+1 = INDEX: ...] is a loop, in each turn of which +1 is one of
 * the values of INDEX; behind it, `a = +2` is what it hands on
 *
 *     sequences    instead of `main`: sequences of accesses by two indexes, i and j, loads that need no loop, . ,
 * barriers, ! , and selections, (i|j); behind each, as a comment, what becomes of it: [ ] is a loop
 *
 * Each output is valid. */
#include "rows.h"

enum part { OPTIONS, HEAD, NOTES, TYPES, BEGIN, MAIN, SEQUENCES, DRAWN };

static const char *const part_names[] = {"options", "head",      "notes", "types", "begin",
					 "main",    "sequences", "drawn", NULL};

static void hear(void *user, const spb_message *message)
{
	put_message(user, message);
}

static struct words run(const struct row *row, struct text *got, const char *body, const char *functions)
{
	static struct text text, rest;
	const struct words none = {NULL, 0};
	struct words made;

	clear(&rest);
	put(&rest, "%s%s%%main = OpFunction %%void None %%fnvoid\n%%entry = OpLabel\n%s%sOpReturn\nOpFunctionEnd\n%s",
	    row->parts[NOTES].items, row->parts[TYPES].items, row->parts[BEGIN].items, body, functions);
	clear(&text);
	put(&text, "%s", row->parts[HEAD].items);
	put_names(&text, row->parts[HEAD].items);
	put_names(&text, rest.items);
	put(&text, "%s", rest.items);
	struct words module = assembled(row, text.items, 0x10300);
	if (!run_passes(row, row->parts[OPTIONS].items, module, none, hear, got, &made))
		unreadable(row, "%s", got->items);
	check_valid(row, &made);
	free(module.items);
	return made;
}

/* names */

enum { MOST_NEW = 200 };

struct drawing {
	struct text *to;
	uint32_t new[MOST_NEW]; /* ids that the pass has made, in the order of the diagram */
	uint32_t count;
	char merge[80];      /* the label where the turn of the current loop ends */
	bool separate, ends; /* a separator is needed; values that the loop passes on follow */
};

static bool is_new(const char *id)
{
	return *id == '%' && id[1] >= '0' && id[1] <= '9';
}

static void put_id(struct drawing *d, const char *id)
{
	const uint32_t number = (uint32_t)strtoul(id + 1, NULL, 10);
	uint32_t i = 0;

	while (i < d->count && d->new[i] != number)
		i++;
	if (i == d->count && i < MOST_NEW)
		d->new[d->count++] = number;
	put(d->to, "+%u", i + 1);
}

static void put_word(struct drawing *d, const char *word)
{
	if (is_new(word))
		put_id(d, word);
	else
		put(d->to, "%s", word + (*word == '%' ? 1 : !strncmp(word, "Op", 2) ? 2 : 0));
}

/* lines */

enum { MOST_WORDS = 20 };

struct line {
	char words[MOST_WORDS][80];
	size_t count, op; /* which word is the opcode */
};

static struct line line_at(const char *at)
{
	struct line l = {.count = 0};

	while (l.count < MOST_WORDS && *at && *at != '\n' && next_word(&at, l.words[l.count], sizeof l.words[0]))
		l.count++;
	l.op = l.count > 2 && !strcmp(l.words[1], "=") ? 2 : 0;
	return l;
}

static bool is_op(const struct line *l, const char *op)
{
	return l->count > l->op && !strcmp(l->words[l->op], op);
}

/* Whether a line is part of the frame of every loop. */
static bool is_frame(const struct line *l)
{
	const char *first = l->words[l->op ? 0 : 1];

	if (is_op(l, "OpBranchConditional"))
		return is_new(l->words[2]) && is_new(l->words[3]);
	return is_new(first) &&
	       (is_op(l, "OpLabel") || is_op(l, "OpBranch") || is_op(l, "OpUndef") || is_op(l, "OpIEqual"));
}

static void draw_words(struct drawing *d, const struct line *l, size_t from, size_t to)
{
	put(d->to, d->separate ? "; " : "");
	for (size_t i = from; i < to; i++) {
		put(d->to, i > from ? " " : "");
		put_word(d, l->words[i]);
	}
	d->separate = true;
}

static void draw(struct drawing *d, const struct line *l)
{
	if (is_op(l, "OpLoopMerge") && is_new(l->words[1]) && is_new(l->words[2])) {
		put(d->to, d->separate ? "\n[" : "[");
		d->separate = false;
	} else if (is_op(l, "OpGroupNonUniformBroadcastFirst") && is_new(l->words[0])) {
		put_word(d, l->words[0]);
		put(d->to, " = ");
		put_word(d, l->words[5]);
		put(d->to, ": ");
	} else if (is_op(l, "OpSelectionMerge") && is_new(l->words[1])) {
		snprintf(d->merge, sizeof d->merge, "%s", l->words[1]);
	} else if (is_op(l, "OpLabel") && !strcmp(l->words[0], d->merge)) {
		put(d->to, "]\n");
		d->separate = false;
		d->ends = true;
	} else if (is_op(l, "OpPhi") && d->ends) {
		struct line handed_on = *l;
		snprintf(handed_on.words[2], sizeof handed_on.words[2], "%s", l->words[4]);
		draw_words(d, &handed_on, 0, 3);
	} else if (!is_frame(l)) {
		draw_words(d, l, 0, l->count);
	} else if (is_op(l, "OpBranchConditional")) {
		d->ends = false;
	}
}

/* The instructions of the shader after `begin`. */
static void draw_shader(struct drawing *d, const struct row *row, const struct words *made)
{
	static struct text text;

	clear(&text);
	put_disassembled(&text, made->items, made->count);
	const char *at = strstr(text.items, "%entry = OpLabel");
	for (const char *begin = row->parts[BEGIN].items; *begin; begin = next_line(begin))
		at = next_line(at);
	for (at = next_line(at); *at && strncmp(at, "OpFunctionEnd", 13) != 0; at = next_line(at)) {
		const struct line l = line_at(at);
		draw(d, &l);
	}
	put(d->to, "\n");
}

/* sequences */

static void put_sequence(struct text *to, const char *sequence, unsigned number)
{
	unsigned open[10], depth = 0;

	put(to,
	    "%%seq%u = OpFunction %%void None %%fnvoid\n%%entry%u = OpLabel\n%%first_i%u = OpLoad %%uint %%lane_in\n"
	    "%%first_j%u = OpIMul %%uint %%first_i%u %%u3\n%%cond%u = OpULessThan %%bool %%first_i%u %%u3\n",
	    number, number, number, number, number, number, number);
	for (unsigned k = 0; sequence[k] && strncmp(sequence + k, " ;", 2) != 0; k++) {
		const char c = sequence[k];
		if (c == 'i' || c == 'j')
			put(to, "%%p%u_%u = OpAccessChain %%puint %%%s %%first_%c%u %%u0\n", number, k,
			    c == 'i' ? "bufs" : "other", c, number);
		else if (c == '.')
			put(to, "%%p%u_%u = OpAccessChain %%puint %%out %%u0\n", number, k);
		if (strchr("ij.", c))
			put(to, "%%a%u_%u = OpLoad %%uint %%p%u_%u\n", number, k, number, k);
		else if (c == '!')
			put(to, "OpMemoryBarrier %%u2 %%u0\n");
		else if (c == '(')
			put(to,
			    "OpSelectionMerge %%met%u_%u None\nOpBranchConditional %%cond%u %%left%u_%u %%right%u_%u\n"
			    "%%left%u_%u = OpLabel\n",
			    number, k, number, number, k, number, k, number, k);
		else if (c == '|')
			put(to, "OpBranch %%met%u_%u\n%%right%u_%u = OpLabel\n", number, open[depth - 1], number,
			    open[depth - 1]);
		else if (c == ')')
			put(to, "OpBranch %%met%u_%u\n%%met%u_%u = OpLabel\n", number, open[depth - 1], number,
			    open[depth - 1]);
		if (c == '(')
			open[depth++] = k;
		depth -= c == ')';
	}
	put(to, "OpReturn\nOpFunctionEnd\n");
}

/* In the notation of the sequence, with [ ] for loops. */
static void put_shape(struct text *to, const char *function)
{
	char loops[20][80];
	unsigned count = 0;

	for (const char *at = function; *at && strncmp(at, "OpFunctionEnd", 13) != 0; at = next_line(at)) {
		const struct line l = line_at(at);
		bool ends = false;
		for (unsigned i = 0; i < count; i++)
			ends |= is_op(&l, "OpLabel") && !strcmp(l.words[0], loops[i]);
		if (is_op(&l, "OpLoopMerge"))
			snprintf(loops[count++], sizeof loops[0], "%s", l.words[1]);
		put(to, "%s",
		    is_op(&l, "OpLoopMerge")                                       ? "["
		    : ends                                                         ? "]"
		    : is_op(&l, "OpSelectionMerge") && !strcmp(l.words[2], "None") ? "("
		    : is_op(&l, "OpLabel") && !strncmp(l.words[0], "%right", 6)    ? "|"
		    : is_op(&l, "OpLabel") && !strncmp(l.words[0], "%met", 4)      ? ")"
		    : is_op(&l, "OpMemoryBarrier")                                 ? "!"
		    : is_op(&l, "OpAccessChain") && !strcmp(l.words[4], "%bufs")   ? "i"
		    : is_op(&l, "OpAccessChain") && !strcmp(l.words[4], "%other")  ? "j"
		    : is_op(&l, "OpAccessChain") && strcmp(l.words[0], "%at") != 0 ? "."
										   : "");
	}
}

static void answer_sequences(const struct row *row, struct text *got)
{
	static struct text functions, text, shape;
	unsigned number = 0;

	clear(&functions);
	for (const char *at = row->parts[SEQUENCES].items; *at; at = next_line(at))
		put_sequence(&functions, at, number++);
	struct words made = run(row, got, "", functions.items);
	clear(&text);
	put_disassembled(&text, made.items, made.count);
	number = 0;
	for (const char *at = row->parts[SEQUENCES].items; *at; at = next_line(at)) {
		const char *wanted = strstr(at, " ; ");
		char name[40];
		snprintf(name, sizeof name, "%%seq%u = ", number++);
		if (!wanted || wanted > at + length_of_line(at))
			unreadable(row, "nothing says what is right: %.*s", length_of_line(at), at);
		clear(&shape);
		put_shape(&shape, strstr(text.items, name));
		if ((size_t)length_of_line(wanted + 3) != shape.count ||
		    memcmp(wanted + 3, shape.items, shape.count) != 0)
			wrong(row, "%.*s\n  is %s", length_of_line(at), at, shape.items);
	}
	free(made.items);
}

static void answer(const struct row *row, struct text *got)
{
	struct drawing d = {.to = got};

	if (row->parts[SEQUENCES].count) {
		answer_sequences(row, got);
		return;
	}
	struct words made = run(row, got, row->parts[MAIN].items, "");
	draw_shader(&d, row, &made);
	free(made.items);
}

const struct rows_kind rows_of_loops = {"loops", part_names, "drawn", answer};
