/* SPDX-License-Identifier: Apache-2.0 */
/* rows/uniformity: which values are uniform.
 *
 *     options         of the analysis: marks-only, heed-marks, ...
 *     capabilities
 *     entries         entry points and their execution modes
 *     builtins        decorations that each module has
 *     notes           more
 *     basics          types, constants and variables that each module has
 *     types           more
 *     begin           instructions in front of those of each %main
 *     main            instructions of %main
 *     functions       the others
 *
 * The right answer is a comment after an instruction, about its result:
 *
 *     %a = OpUDiv %uint %gx %c8 ; same
 *
 *     same              uniform in the workgroup, and so in its subgroups
 *     workgroup         uniform in the workgroup, but maybe not in a subgroup
 *     subgroup          uniform in each subgroup only
 *     alike             the same, and in the workgroup but for undefined values
 *     differs           known to differ
 *     unknown           may differ
 *     unlikely          would be uniform, but for undefined values, or in a dispatch of less than 2^31 invocations
 *     names VARIABLE    what a pointer or a descriptor refers to: [N] an element, [?] any of them; `nothing`,
 *                       `anything`
 *
 * `use %a ; same` is about an operand that is used there; `here ; same` about the invocations that get there.
 *
 * With `writes`, a fragment shader reads the outputs of the previous stage, and `draw` means uniform in a draw. Both
 * have `notes`, and `types` in which %t is the type of %o, output and input, into which %f points. `main` is the
 * reading stage.
 *
 *     before     the execution model of the stage before, otherwise Vertex; a line for each entry point
 *     writes     its instructions: those of %main
 *     calls      its other functions
 *     also       instructions of another vertex shader, which may come before as well
 *     after      the same of what reads, otherwise Fragment
 *     flat       decorations that the reading stage alone has
 *
 * Without `writes`, `; takes ....x` is about a previous stage that writes 16 components, four in a location, of which
 * one differs: x are those that the value reads, and so differs with. */
#include "analysis/uniformity/uniformity.h"
#include "ir/ir.h"
#include "rows.h"

enum part {
	OPTIONS,
	CAPABILITIES,
	ENTRIES,
	BUILTINS,
	NOTES,
	BASICS,
	TYPES,
	BEGIN,
	MAIN,
	FUNCTIONS,
	BEFORE,
	WRITES,
	CALLS,
	ALSO,
	AFTER,
	FLAT
};

static const char *const part_names[] = {"options", "capabilities", "entries", "builtins",  "notes",  "basics",
					 "types",   "begin",        "main",    "functions", "before", "writes",
					 "calls",   "also",         "after",   "flat",      NULL};

/* questions */

enum { MOST_QUESTIONS = 100, COMPONENTS = 16, PER_LOCATION = 4 };

enum asked { WHOLE, CONTROL, NAMED };

struct question {
	enum asked asked;
	char id[40];     /* with its % */
	char wanted[40]; /* one line */
	const char *at;  /* the line */
};

struct asking {
	const struct row *row;
	struct question questions[MOST_QUESTIONS];
	uint32_t count;
	char said[MOST_QUESTIONS][40];
	struct spb_uniformity_settings settings;
	struct spb_module module, before, also; /* without words: there is none */
	struct spb_program_modules program;
};

/* An instruction without a result or effect marks each question. */
#define QUESTION "OpReleaseEvent"

static void add_question(struct asking *a, struct text *to, const char *line, const char *comment)
{
	if (a->count == MOST_QUESTIONS)
		unreadable(a->row, "more than %u questions", MOST_QUESTIONS);
	struct question *q = &a->questions[a->count++];
	const char *id = strchr(line, '%');

	snprintf(q->wanted, sizeof q->wanted, "%.*s", length_of_line(comment), comment);
	q->at = line;
	q->asked = !strncmp(line, "here", 4) ? CONTROL : !strncmp(q->wanted, "names ", 6) ? NAMED : WHOLE;
	if (q->asked == CONTROL)
		id = "%void";
	if (!id || id > comment)
		unreadable(a->row, "about nothing: %.*s", length_of_line(line), line);
	snprintf(q->id, sizeof q->id, "%.*s", (int)strcspn(id, " \n"), id);
	if (q->asked != NAMED)
		put(to, QUESTION " %s\n", q->id);
}

/* Instructions, each question after the one that it is about. */
static void put_asking(struct asking *a, struct text *to, const char *text)
{
	for (const char *at = text; *at; at = next_line(at)) {
		const char *comment = strstr(at, " ; ");
		if (!comment || comment > at + length_of_line(at)) {
			put(to, "%.*s\n", length_of_line(at), at);
			continue;
		}
		if (strncmp(at, "use ", 4) != 0 && strncmp(at, "here ", 5) != 0)
			put(to, "%.*s\n", (int)(comment - at), at);
		add_question(a, to, at, comment + 3);
	}
}

/* answers */

static const char *said_of(const struct asking *a, const struct spb_uniformity *u, uint32_t question)
{
	static const char *const words[] = {"", "workgroup", "subgroup", "same"};
	const uint8_t uniform = spb_uniformity_of(u, question);

	if (uniform == SPB_UNIFORM_SUBGROUP && spb_uniformity_is_unlikely(u, question, SPB_UNIFORM_GROUP))
		return "alike";
	if (uniform)
		return a->program.count && uniform == SPB_UNIFORM_GROUP ? "draw" : words[uniform];
	return spb_uniformity_is_certain(u, question, SPB_UNIFORM_BOTH)    ? "differs"
	       : spb_uniformity_is_unlikely(u, question, SPB_UNIFORM_BOTH) ? "unlikely"
									   : "unknown";
}

static uint32_t named(const struct spb_module *m, const char *name)
{
	uint32_t id = 1;

	while (id < m->bound && strcmp(spb_id_name(m, id), name) != 0)
		id++;
	return id;
}

/* Prints what the question's id refers to. */
static void say_target(struct asking *a, uint32_t question, const struct spb_paths *paths)
{
	const struct spb_module *m = &a->module;
	const struct spb_targets *t = &paths->targets;
	char *said = a->said[question];
	const uint32_t id = named(m, a->questions[question].id + 1);

	if (!t->of) { /* no pointers are chosen, or they cannot be followed */
		snprintf(said, sizeof a->said[question], "names unknown");
		return;
	}
	const uint32_t variable = spb_target_variable(t, id);
	if (!variable)
		snprintf(said, sizeof a->said[question], "names %s", t->of[id].root ? "anything" : "nothing");
	else if (!spb_has_one_target(t, id))
		snprintf(said, sizeof a->said[question], "names %.20s[?]", spb_id_name(m, variable));
	else if (t->of[id].element)
		snprintf(said, sizeof a->said[question], "names %.20s[%u]", spb_id_name(m, variable),
			 (unsigned)t->of[id].element - 1);
	else
		snprintf(said, sizeof a->said[question], "names %.20s", spb_id_name(m, variable));
}

static void ask_all(void *argument)
{
	struct asking *a = argument;
	const struct spb_module *m = &a->module;
	struct spb_arena *arena = &a->module.keep;
	struct spb_calls calls = spb_find_calls(m, arena);
	struct spb_uniformity *u = spb_uniformity_begin(m, &calls, arena, a->settings);
	uint32_t asked[MOST_QUESTIONS], count = 0;

	if (a->program.count)
		spb_uniformity_inherit(u, a->program);
	spb_uniformity_find_lanes(u);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpReleaseEvent)
			continue;
		while (a->questions[count].asked == NAMED)
			count++;
		asked[count] = a->questions[count].asked == CONTROL ? spb_uniformity_ask_control(u, at)
								    : spb_uniformity_ask_whole(u, at, at + 1);
		count++;
	}
	spb_uniformity_solve(u);
	bool has_paths = false;
	struct spb_paths paths = {0};
	for (uint32_t i = 0; i < a->count; i++) {
		if (a->questions[i].asked != NAMED) {
			snprintf(a->said[i], sizeof a->said[i], "%s", said_of(a, u, asked[i]));
			continue;
		}
		if (!has_paths)
			paths = spb_find_paths(m, &calls, NULL, arena);
		has_paths = true;
		say_target(a, i, &paths);
	}
}

/* modules */

static struct words parsed(const struct asking *a, struct spb_module *m, const char *text)
{
	struct words words = assembled(a->row, text, 0);

	begin_module(a->row, m, words);
	return words;
}

#define SET_AND_MODEL "%%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
#define MAIN_BEGINS   "%%main = OpFunction %%void None %%fn\n%%main_0 = OpLabel\n"
#define ENDS          "OpReturn\nOpFunctionEnd\n"

static const char *module_text(struct asking *a)
{
	static struct text all, body;
	const struct text *parts = a->row->parts;

	clear(&all);
	clear(&body);
	put_asking(a, &body, parts[MAIN].items);
	put(&body, ENDS);
	put_asking(a, &body, parts[FUNCTIONS].items);
	put(&all, "%s" SET_AND_MODEL "%s", parts[CAPABILITIES].items, parts[ENTRIES].items);
	put_names(&all, parts[BASICS].items);
	put_names(&all, parts[TYPES].items);
	put_names(&all, body.items);
	put(&all, "%s%s%s%s" MAIN_BEGINS "%s%s", parts[BUILTINS].items, parts[NOTES].items, parts[BASICS].items,
	    parts[TYPES].items, parts[BEGIN].items, body.items);
	return all.items;
}

/* A stage with %o as output or input. `models`: a line for each entry point. */
struct stage {
	const char *models, *notes, *flat, *types, *storage_class, *body, *functions;
};

static const char *stage_text(const struct asking *a, const struct stage *s)
{
	static struct text all;
	unsigned number = 0;

	clear(&all);
	put(&all, "OpCapability Shader\n" SET_AND_MODEL);
	for (const char *at = s->models; *at; at = next_line(at))
		put(&all, "OpEntryPoint %.*s %%main \"main%u\" %%o\n", length_of_line(at), at, number++);
	put(&all,
	    "%s%s%s%s%s%%p_o = OpTypePointer %s %%t\n%%f = OpTypePointer %s %%uint\n%%o = OpVariable %%p_o "
	    "%s\n" MAIN_BEGINS "%s%s" ENDS "%s",
	    a->row->parts[BUILTINS].items, s->notes, s->flat, a->row->parts[BASICS].items, s->types, s->storage_class,
	    s->storage_class, s->storage_class, a->row->parts[BEGIN].items, s->body, s->functions);
	return all.items;
}

/* one row */

static void set_wishes(struct asking *a)
{
	const struct {
		const char *name;
		bool *wish;
	} known[] = {{"marks-only", &a->settings.marks_only},
		     {"heed-marks", &a->settings.heed_marks},
		     {"trust-uniform", &a->settings.trust_uniform},
		     {"one-place", &a->settings.one_place},
		     {"any-type", &a->settings.any_type},
		     {"by-address", &a->settings.by_address},
		     {"quad", &a->settings.quad},
		     {"hands-on", &a->settings.for_outputs},
		     {"they-move", &a->settings.may_rebind}};
	const char *words = a->row->parts[OPTIONS].items;
	char word[200];

	while (next_word(&words, word, sizeof word)) {
		size_t i = 0;
		while (i < SPB_COUNT(known) && strcmp(known[i].name, word) != 0)
			i++;
		if (i == SPB_COUNT(known))
			unreadable(a->row, "no option: %s", word);
		*known[i].wish = true;
	}
}

static void compare(const struct asking *a)
{
	for (uint32_t i = 0; i < a->count; i++) {
		const struct question *q = &a->questions[i];
		if (strcmp(a->said[i], q->wanted) != 0)
			wrong(a->row, "%.*s\n  is %s", length_of_line(q->at), q->at, a->said[i]);
	}
}

static void ask(struct asking *a)
{
	if (!a->count)
		unreadable(a->row, "nothing says what is right");
	if (throws(a->module.context, ask_all, a))
		unreadable(a->row, "the analysis gives up");
}

static void answer_module(struct asking *a)
{
	struct words words = parsed(a, &a->module, module_text(a));

	ask(a);
	compare(a);
	end_module(&a->module, words);
}

static const char *given(const struct text *part, const char *otherwise)
{
	return part->count ? part->items : otherwise;
}

/* The reading stage, whose instructions are `body`. */
static struct stage reading(const struct asking *a, const char *body)
{
	const struct text *parts = a->row->parts;

	return (struct stage){given(&parts[AFTER], "Fragment\n"),
			      parts[NOTES].items,
			      parts[FLAT].items,
			      parts[TYPES].items,
			      "Input",
			      body,
			      ""};
}

static void answer_stages(struct asking *a, const char *body)
{
	const struct text *parts = a->row->parts;
	const char *notes = parts[NOTES].items, *types = parts[TYPES].items;
	const struct stage before = {given(&parts[BEFORE], "Vertex\n"),
				     notes,
				     "",
				     types,
				     "Output",
				     parts[WRITES].items,
				     parts[CALLS].items},
			   also = {"Vertex\n", notes, "", types, "Output", parts[ALSO].items, ""},
			   after = reading(a, body);
	struct spb_module *modules[] = {&a->before, &a->module, &a->also};
	struct words words[3] = {parsed(a, &a->before, stage_text(a, &before)),
				 parsed(a, &a->module, stage_text(a, &after))};

	if (parts[ALSO].count)
		words[2] = parsed(a, &a->also, stage_text(a, &also));
	a->program = (struct spb_program_modules){modules, words[2].items ? 3 : 2};
	ask(a);
	compare(a);
	for (size_t i = 0; i < a->program.count; i++)
		end_module(modules[i], words[i]);
}

/* A vertex shader that writes the components one by one, component `different` with another value. */
static const char *components_text(const struct asking *a, uint32_t different)
{
	static struct text notes, types, body;

	clear(&notes);
	clear(&types);
	clear(&body);
	put(&types, "%%t = OpTypeStruct");
	for (uint32_t i = 0; i < COMPONENTS; i++) {
		put(&types, " %%uint");
		put(&notes, "OpMemberDecorate %%t %u Location %u\nOpMemberDecorate %%t %u Component %u\n", i,
		    i / PER_LOCATION, i, i % PER_LOCATION);
		put(&body, "%%w%u = OpAccessChain %%f %%o %%n%u\nOpStore %%w%u %%%s\n", i, i, i,
		    i == different ? "d" : "s");
	}
	put(&types, "\n");
	for (uint32_t i = 0; i < COMPONENTS; i++)
		put(&types, "%%n%u = OpConstant %%uint %u\n", i, i);
	const struct stage s = {"Vertex\n", notes.items, "", types.items, "Output", body.items, ""};
	return stage_text(a, &s);
}

static void answer_components(struct asking *a, const char *body)
{
	struct spb_module *modules[] = {&a->before, &a->module};
	const struct stage after = reading(a, body);

	a->program = (struct spb_program_modules){modules, 2};
	for (uint32_t different = 0; different < COMPONENTS; different++) {
		struct words before = parsed(a, &a->before, components_text(a, different)),
			     words = parsed(a, &a->module, stage_text(a, &after));
		ask(a);
		for (uint32_t i = 0; i < a->count; i++) {
			const char *takes = a->questions[i].wanted + strlen("takes ");
			const bool differs = different < strlen(takes) && takes[different] == 'x';
			if (strcmp(a->said[i], differs ? "differs" : "draw") != 0)
				wrong(a->row, "%.*s\n  component %u: is %s", length_of_line(a->questions[i].at),
				      a->questions[i].at, different, a->said[i]);
		}
		end_module(&a->module, words);
		end_module(&a->before, before);
	}
}

static void answer(const struct row *row, struct text *got)
{
	static struct text body;
	struct asking a = {.row = row};

	(void)got;
	set_wishes(&a);
	if (row->parts[WRITES].count) {
		clear(&body);
		put_asking(&a, &body, row->parts[MAIN].items);
		answer_stages(&a, body.items);
	} else if (strstr(row->parts[MAIN].items, " ; takes ")) {
		clear(&body);
		put_asking(&a, &body, row->parts[MAIN].items);
		answer_components(&a, body.items);
	} else {
		answer_module(&a);
	}
}

const struct rows_kind rows_of_uniformity = {"uniformity", part_names, NULL, answer};
