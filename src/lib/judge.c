/* SPDX-License-Identifier: Apache-2.0 */
/* judge: interprets the verdicts of SPIRV-Tools.
 *
 * A fault of the output is compared with the input, because only a fault that the input lacks is one of spirv-bind:
 *
 *     the module is unchanged          a warning, SPB6002, and the module comes back as it was; --validate=strict or
 *                                      spirv-bind check makes it an error
 *     the input has the same fault     an error, SPB6002, or a warning with --allow-unvalidated
 *     SPIRV-Tools may be too old       the same, SPB6003; a warning, too, if only decorations are new
 *     only the output has it           an error, SPB6001, which names the pass whose ids it concerns */
#include "lib/lib.h"

struct words {
	const uint32_t *words;
	size_t count;
};

struct judgement {
	struct spb_program *p;
	struct spb_validator *v;
	struct spb_slot *slot;
	struct spb_verdict verdict, of_input; /* of_input: only if the verdict is about the input, or it was compared */
	bool input, inherited;
	struct words judged;   /* the module; with -e, other entry points get what they lack */
	struct words placed;   /* the input with the bindings of the output */
	struct spb_unit plain; /* the input without decoration groups, if they were expanded */
	uint32_t cure;
	bool no_memory; /* for the further checks */
	bool moved;     /* SPIRV-Tools cannot judge the module, but only decorations differ from the input */
};

static void put_flags(struct spb_text_buffer *text, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *option;
	} options[] = {
#define ROW(name, bit, option) {bit, option},
	    SPB_VALIDATOR_FLAGS(ROW)
#undef ROW
	};

	for (size_t i = 0; i < SPB_COUNT(options); i++) {
		if (flags & options[i].flag)
			spb_text_format(text, " %s", options[i].option);
	}
}

/* The id after a % at the beginning of *p, which is advanced past it; 0: none. SPIRV-Tools writes %12, or %_struct_12
 * in an instruction. */
static uint32_t read_id(const char **p)
{
	static const char structure[] = "_struct_";
	uint64_t id = 0;

	if (**p != '%')
		return 0;
	++*p;
	if (!strncmp(*p, structure, sizeof structure - 1))
		*p += sizeof structure - 1;
	for (; **p >= '0' && **p <= '9'; ++*p)
		id = id > UINT32_MAX ? id : id * 10 + (uint64_t)(**p - '0');
	return id > UINT32_MAX ? 0 : (uint32_t)id;
}

/* Of the ids that SPIRV-Tools names, the one created last identifies the pass. */
static const char *pass_of(const struct spb_unit *u, const char *words)
{
	const char *pass = NULL;
	uint32_t newest = 0;

	while ((words = strchr(words, '%'))) {
		uint32_t id = read_id(&words);
		newest = id > newest ? id : newest;
	}
	for (size_t i = 0; i < u->run.made.count; i++) {
		if (u->run.made.items[i].first <= newest)
			pass = u->run.made.items[i].pass;
	}
	return pass;
}

/* The text of SPIRV-Tools, with the name of each id that has one: %12 "name". */
static void put_words(const struct judgement *j, struct spb_text_buffer *text, const char *words)
{
	struct spb_module *m = &j->slot->unit.m;

	spb_module_need_index(m);
	while (*words) {
		const char *begin = words;
		uint32_t id = read_id(&words);
		words += words == begin;
		spb_text_add(text, begin, (size_t)(words - begin));
		if (id && id < m->bound && *spb_id_name(m, id))
			spb_text_format(text, " \"%s\"", spb_id_name(m, id));
	}
}

enum { FEW_WORDS = 10, MANY_WORDS = 15 }; /* with which a sentence of ours has at most 25 */

/* SPIRV-Tools' words, in lines of their own if they are more than `most`. */
static void put_fault(const struct judgement *j, struct spb_text_buffer *text, const char *words, unsigned most)
{
	unsigned count = 1;

	for (const char *at = words; *at && *at != '\n'; at++)
		count += *at == ' ';
	spb_text_put(text, count <= most ? ": " : "\n  ");
	put_words(j, text, words);
}

/* SPIRV-Tools prefixes its text with the VUID where Vulkan's rules apply; the text after it is the same. */
static const char *without_rule(const char *text)
{
	const char *end = *text == '[' ? strchr(text, ']') : NULL;

	return end ? end + 1 + (end[1] == ' ') : text;
}

static bool is_fault(const struct spb_verdict *verdict)
{
	return verdict->kind == SPB_VERDICT_INVALID || verdict->kind == SPB_VERDICT_UNKNOWN;
}

static bool is_place(const uint32_t *words)
{
	return (words[0] & 0xFFFF) == SpvOpDecorate &&
	       (words[2] == SpvDecorationDescriptorSet || words[2] == SpvDecorationBinding);
}

/* Bits: the sets and bindings that ids have. Returns where the decorations end. */
static uint32_t note_places(struct words from, uint32_t *known)
{
	uint32_t at = 5;

	while (at < from.count && spb_op_facts(from.words[at] & 0xFFFF)->section < SPB_SECTION_GLOBAL) {
		const uint32_t *w = from.words + at;
		if (is_place(w))
			spb_set_bit(known, 2 * w[1] + (w[2] == SpvDecorationBinding));
		at += w[0] >> 16;
	}
	return at;
}

static bool is_string(const uint32_t *words, const char *string)
{
	for (size_t i = 0; spb_octet(words, i) == string[i]; i++) {
		if (!string[i])
			return true;
	}
	return false;
}

/* Instructions that no validation rule depends on: remarks, NonUniform, and the capabilities for indexing. */
static bool is_remark(const uint32_t *words)
{
	switch (words[0] & 0xFFFF) {
	case SpvOpModuleProcessed:
	case SpvOpSourceExtension: /* the same, before SPIR-V 1.1 */
		return true;
	case SpvOpDecorate:
		return words[2] == SpvDecorationNonUniform;
	case SpvOpCapability:
		return (words[1] >= SpvCapabilityUniformBufferArrayDynamicIndexing &&
			words[1] <= SpvCapabilityStorageImageArrayDynamicIndexing) ||
		       words[1] == SpvCapabilityRuntimeDescriptorArray || spb_is_descriptor_indexing(words[1]);
	case SpvOpExtension:
		return is_string(words + 1, "SPV_EXT_descriptor_indexing");
	default:
		return false;
	}
}

static bool is_decoration(const uint32_t *words)
{
	return is_place(words) || is_remark(words);
}

/* No rule of SPIR-V or Vulkan for a module asks for the value of a set or binding, only for its presence (Vulkan,
 * "Standalone SPIR-V Validation", VUID-StandaloneSpirv-UniformConstant-04655 and its neighbours), or for the place of
 * NonUniform, so a module in which nothing else was changed is as valid as its input. */
static bool only_decorations_differ(const struct spb_module *m)
{
	size_t a = 5, b = 5;

	if (memcmp(m->words, m->given, 5 * sizeof *m->words))
		return false;
	for (;;) {
		uint32_t length;
		while (a < m->count && is_decoration(m->words + a))
			a += m->words[a] >> 16;
		while (b < m->given_count && is_decoration(m->given + b))
			b += m->given[b] >> 16;
		if (a == m->count || b == m->given_count)
			return a == m->count && b == m->given_count;
		length = m->words[a] >> 16;
		if (length > m->given_count - b || memcmp(m->words + a, m->given + b, length * sizeof *m->words))
			return false;
		a += length;
		b += length;
	}
}

static bool has_groups(struct words from)
{
	size_t at = 5;

	while (at < from.count && (from.words[at] & 0xFFFF) != SpvOpDecorationGroup)
		at += from.words[at] >> 16;
	return at < from.count;
}

/* SPIRV-Tools does not check what the decorations of a group are given to. */
static struct words expand_groups(struct judgement *j)
{
	const struct spb_module *m = &j->slot->unit.m;
	const struct words given = {m->given, m->given_count};

	if (!has_groups(given) || has_groups(j->judged))
		return given;
	j->plain.m.context = m->context;
	spb_module_parse(&j->plain.m, m->name, given.words, given.count);
	spb_arena_reset(&m->context->edits);
	spb_edit_begin(&j->plain.edit, &j->plain.m, &m->context->edits);
	spb_pass_expand_groups(&j->plain);
	spb_edit_commit(&j->plain.edit);
	return (struct words){j->plain.m.words, j->plain.m.count};
}

/* Missing bindings are the first fault that SPIRV-Tools finds under Vulkan's rules, so the input gets those of the
 * output. */
static void place_input(void *argument)
{
	struct judgement *j = argument;
	struct spb_arena *scratch = &j->p->context->scratch;
	const struct words given = expand_groups(j);
	uint32_t bound = given.words[3], end, count;

	spb_arena_reset(scratch);
	uint32_t *known = spb_bits(scratch, 2 * bound), *words;
	count = end = note_places(given, known);
	words = spb_alloc_array(scratch, given.count + j->judged.count, sizeof *words);
	memcpy(words, given.words, end * sizeof *words);
	for (size_t at = 5; at < j->judged.count; at += j->judged.words[at] >> 16) {
		const uint32_t *w = j->judged.words + at;
		if (!is_place(w) || w[1] >= bound || spb_bit(known, 2 * w[1] + (w[2] == SpvDecorationBinding)))
			continue;
		memcpy(words + count, w, 4 * sizeof *w);
		count += 4;
	}
	memcpy(words + count, given.words + end, (given.count - end) * sizeof *words);
	j->placed = (struct words){words, count + given.count - end};
}

/* -e: variables that only other entry points use keep their decorations, and may have no binding yet. A run for those
 * entry points completes the module (SPB_E_INCOMPLETE says so), so here each of them gets a binding, and the rest is
 * judged. */
static void complete(void *argument)
{
	struct judgement *j = argument;
	const struct spb_module *m = &j->slot->unit.m;
	struct spb_arena *scratch = &m->context->scratch;
	uint32_t *known, *words, end, count;
	size_t variables = 0;

	spb_arena_reset(scratch);
	known = spb_bits(scratch, 2 * m->bound);
	count = end = note_places(j->judged, known); /* the last commit leaves no table of sections */
	for (spb_at at = end; at < m->count; at = spb_next(m, at))
		variables += spb_op(m, at) == SpvOpVariable;
	words = spb_alloc_array(&j->p->keep, m->count + 8 * variables, sizeof *words);
	memcpy(words, m->words, end * sizeof *words);
	for (spb_at at = end; at < m->count; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) != SpvOpVariable || !spb_is_resource_class(w[3]))
			continue;
		for (uint32_t i = 0; i < 2; i++) {
			const uint32_t place[] = {4u << 16 | SpvOpDecorate, w[2],
						  i ? SpvDecorationBinding : SpvDecorationDescriptorSet, 0};
			if (spb_bit(known, 2 * w[2] + i))
				continue;
			memcpy(words + count, place, sizeof place);
			count += 4;
		}
	}
	memcpy(words + count, m->words + end, (m->count - end) * sizeof *words);
	j->judged = (struct words){words, count + m->count - end};
}

/* Whether the input has handles. */
static bool has_handles(const struct spb_module *m)
{
	for (spb_at at = 5; at < m->given_count; at += m->given[at] >> 16) {
		uint32_t op = m->given[at] & 0xFFFF;
		if (op == SpvOpExtInstImport && is_string(m->given + at + 2, SPB_HANDLE_SET))
			return true;
		if (op == SpvOpMemoryModel)
			break;
	}
	return false;
}

/* What is wrong, and the instruction up to its operands. */
static size_t fault_length(const char *text)
{
	const char *line = strchr(text, '\n'), *op = line ? strstr(line, " = Op") : NULL;

	return op ? (size_t)(op - text) + 3 + strcspn(op + 3, " \n") : strlen(text);
}

/* Skips an id, with the name that SPIRV-Tools gives it. */
static const char *behind_id(const char *text)
{
	static const char letters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return text + 1 + strspn(text + 1, letters);
}

/* The same words about the same kind of instruction. A pass may have copied the instruction, with other ids and another
 * type: a fault of the copy was one of the original. */
static bool is_same_fault(const struct spb_verdict *a, const struct spb_verdict *b)
{
	const char *one = without_rule(a->text), *other = without_rule(b->text);
	const char *end = one + fault_length(one), *other_end = other + fault_length(other);

	if (!is_fault(a))
		return false;
	while (one < end && other < other_end) {
		if (*one != *other)
			return false;
		bool id = *one == '%';
		one = id ? behind_id(one) : one + 1;
		other = id ? behind_id(other) : other + 1;
	}
	return one == end && other == other_end;
}

/* If shapes that Vulkan rejects were rewritten, the input is judged by SPIR-V's own rules, too. */
static bool is_inherited(struct judgement *j)
{
	const struct spb_module *m = &j->slot->unit.m;

	if (!m->run)
		return true;
	if (has_handles(m)) /* cannot be valid before they are lowered */
		return false;
	j->no_memory = spb_guard(m->context, place_input, j) != SPB_OK;
	if (j->no_memory)
		return false;
	j->of_input = spb_judge(j->v, j->placed.words, j->placed.count, false);
	j->no_memory = j->of_input.kind == SPB_VERDICT_OUT_OF_MEMORY;
	if (!is_fault(&j->of_input) || is_same_fault(&j->of_input, &j->verdict))
		return is_fault(&j->of_input);
	struct spb_verdict by_spirv = spb_judge(j->v, j->placed.words, j->placed.count, true);
	bool same = is_same_fault(&by_spirv, &j->verdict);
	j->no_memory |= by_spirv.kind == SPB_VERDICT_OUT_OF_MEMORY;
	spb_verdict_release(&by_spirv);
	return same;
}

/* Are capabilities and extensions those of the input? */
static bool declares_the_same(const struct spb_module *m)
{
	spb_at at = 5;

	while (at < m->count && (spb_op(m, at) == SpvOpCapability || spb_op(m, at) == SpvOpExtension))
		at = spb_next(m, at);
	return at <= m->given_count && !memcmp(m->words + 5, m->given + 5, (at - 5) * sizeof *m->words);
}

/* What SPIRV-Tools does not know is in the input, too, which it accepts. */
static bool is_ours_all_the_same(const struct judgement *j)
{
	return j->verdict.kind == SPB_VERDICT_UNKNOWN && j->slot->unit.m.run && !is_fault(&j->of_input) &&
	       j->of_input.kind != SPB_VERDICT_NONE && declares_the_same(&j->slot->unit.m);
}

static void say(const struct judgement *j, spb_severity severity, uint32_t code, const char *text)
{
	const struct spb_module *m = &j->slot->unit.m;

	if (severity == SPB_SEVERITY_ERROR)
		spb_fail(m, SPB_ERROR_VALIDATION, code, 0, "%r", text);
	spb_report(m, severity, code, 0, "%r", text);
}

/* The severity of a fault that is not spirv-bind's. */
static spb_severity severity_of(const struct judgement *j)
{
	const spb_validation_options *o = &j->p->options.validation;
	bool passes = !j->input && o->which != SPB_VALIDATE_STRICT && (!j->slot->unit.m.run || j->moved);

	return passes || o->allow_unvalidated ? SPB_SEVERITY_WARNING : SPB_SEVERITY_ERROR;
}

static const char *input_of(const struct judgement *j)
{
	return j->slot->flags & SPB_ADD_COMPILED ? "the compiled shader" : "the module as given";
}

static void say_of_input(const struct judgement *j, struct spb_text_buffer *text)
{
	spb_severity severity = severity_of(j);

	if (j->cure) {
		spb_text_format(text, "%s is valid only with", input_of(j));
		put_flags(text, j->cure);
		spb_text_put(text, ", which the device has to support");
	} else {
		spb_text_format(text, "%s is not valid", input_of(j));
	}
	put_fault(j, text, j->verdict.text, j->cure ? FEW_WORDS : MANY_WORDS);
	say(j, severity, SPB_E_INVALID_INPUT, spb_text_end(text));
}

static void say_unknown(const struct judgement *j, struct spb_text_buffer *text)
{
	spb_severity severity = severity_of(j);

	spb_text_format(text, "SPIRV-Tools %s cannot validate %s", spb_validator_version(),
			j->input               ? input_of(j)
			: !j->slot->unit.m.run ? "the module, which needed no change"
			: j->moved             ? "the module, of which only decorations were changed"
					       : "the rewritten module");
	/* Its own words are a line of their own if ours say what is wrong. */
	if (j->verdict.unknown_capability == CapabilityDescriptorHeapEXT)
		spb_text_put(text, ": it does not know SPV_EXT_descriptor_heap, which 2026.1 does\n  ");
	else if (*j->verdict.unknown_extension)
		spb_text_format(text, ": it does not know %s\n  ", j->verdict.unknown_extension);
	else if (j->verdict.unknown_capability != SpvCapabilityMax)
		spb_text_format(text, ": it does not know the capability %s (%u)\n  ",
				spb_capability_name(j->verdict.unknown_capability), j->verdict.unknown_capability);
	else
		spb_text_put(text, ": ");
	put_words(j, text, j->verdict.text);
	say(j, severity, SPB_E_NOT_VALIDATABLE, spb_text_end(text));
}

static void say_of_output(const struct judgement *j, struct spb_text_buffer *text)
{
	const char *pass = pass_of(&j->slot->unit, j->verdict.text);

	spb_text_put(text, "the rewritten module is not valid");
	if (pass)
		spb_text_format(text, ", and the pass %s made what is wrong", pass);
	put_fault(j, text, j->verdict.text, pass ? FEW_WORDS : MANY_WORDS);
	if (is_fault(&j->of_input)) {
		spb_text_put(text, "\n(the input has another fault: ");
		put_words(j, text, j->of_input.text);
		spb_text_put(text, ")");
	}
	spb_text_put(text, is_fault(&j->of_input)                 ? SPB_REMEDY "Correct the input first."
			   : j->of_input.kind != SPB_VERDICT_NONE ? SPB_REMEDY
			       "The input is valid, so this is a bug in spirv-bind: please report it."
								  : "");
	say(j, SPB_SEVERITY_ERROR, SPB_E_INVALID_OUTPUT, spb_text_end(text));
}

static void pronounce(void *argument)
{
	const struct judgement *j = argument;
	struct spb_text_buffer text = {.arena = &j->p->context->scratch};

	j->p->context->pass = "validate";
	if (j->no_memory)
		spb_throw(j->p->context, SPB_ERROR_OUT_OF_MEMORY);
	switch (j->verdict.kind) {
	case SPB_VERDICT_OUT_OF_MEMORY:
		spb_throw(j->p->context, SPB_ERROR_OUT_OF_MEMORY);
	case SPB_VERDICT_INVALID:
		if (j->input || j->inherited)
			say_of_input(j, &text);
		else
			say_of_output(j, &text);
		break;
	case SPB_VERDICT_UNKNOWN:
		if (is_ours_all_the_same(j))
			say_of_output(j, &text);
		else
			say_unknown(j, &text);
		break;
	case SPB_VERDICT_NONE:
	case SPB_VERDICT_VALID:
	case SPB_VERDICT_SHIM:
		break;
	}
}

static spb_status judge_one(struct spb_program *p, struct spb_validator *v, struct spb_slot *slot, bool input)
{
	const struct spb_module *m = &slot->unit.m;
	struct judgement j = {
	    .p = p, .v = v, .slot = slot, .input = input, .of_input = {.text = ""}, .judged = {m->words, m->count}};
	spb_status status = SPB_OK;

	if (input && spb_import(m, SPB_HANDLE_SET)) /* cannot be valid before its handles are lowered */
		return SPB_OK;
	if (p->options.layout.entry_count && !input)
		status = spb_guard(p->context, complete, &j);
	if (status != SPB_OK)
		return status;
	j.verdict = spb_judge(v, j.judged.words, j.judged.count, input);
	if (is_fault(&j.verdict)) {
		j.inherited = !input && is_inherited(&j);
		j.moved = j.verdict.kind == SPB_VERDICT_UNKNOWN && only_decorations_differ(m);
		j.cure = input || !j.inherited || j.verdict.kind == SPB_VERDICT_UNKNOWN
			     ? 0
			     : spb_flags_that_cure(v, j.judged.words, j.judged.count);
	}
	status = spb_guard(p->context, pronounce, &j);
	slot->verdict = j.verdict.kind;
	spb_verdict_release(&j.verdict);
	spb_verdict_release(&j.of_input);
	spb_module_release(&j.plain.m);
	return status;
}

static spb_status judge_all(struct spb_program *p, bool input)
{
	struct spb_validator *v = spb_validator_create(p->context, &p->options);
	spb_status status = v ? SPB_OK : spb_no_memory(p->context);

	for (size_t i = 0; i < p->slots.count && status == SPB_OK; i++)
		status = judge_one(p, v, p->slots.items[i], input);
	spb_validator_destroy(v);
	return status;
}

spb_status spb_judge_inputs(struct spb_program *p)
{
	return judge_all(p, true);
}

spb_status spb_judge_outputs(struct spb_program *p)
{
	return judge_all(p, false);
}
