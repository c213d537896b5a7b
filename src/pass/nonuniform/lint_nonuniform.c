/* SPDX-License-Identifier: Apache-2.0 */
/* lint_nonuniform: accesses to elements of descriptor arrays that lack NonUniform.
 *
 *   uniform              the index is the same in all invocations: nothing to report
 *   decorated            the operand is decorated NonUniform: nothing to report
 *   unmarked divergent   the index is known to differ: an error
 *   lost                 the same, but the source has the decoration, and the compiler did not carry it to the
 *                        operand, where Vulkan requires it: a warning, since binding repairs it
 *   unknown              nothing proves that the index is uniform: a warning
 *
 * Also reports cases where no decoration helps: arrays in push constants with an index that differs
 * (VUID-RuntimeSpirv-None-04745), and images and pointers that must be uniform in a quad or in the scope of a
 * cooperative matrix. */
#include "pass/nonuniform/lint.h"

enum { MOST_STEPS = 8 };

/* The variable that an operand refers to, for the message. */
static uint32_t resource_of(const struct spb_module *m, uint32_t id)
{
	uint32_t first, end;

	for (int depth = 0; depth < 64 && spb_def_op(m, id) != SpvOpVariable; depth++) {
		if (!m->def[id] || !spb_path_operands(m, m->def[id], &first, &end))
			break;
		id = m->words[first];
	}
	return id;
}

static bool is_heap(const struct spb_lint *l, uint32_t resource)
{
	for (size_t i = 0; i < l->u->handles.heaps.count; i++) {
		if (l->u->handles.heaps.items[i].variable == resource)
			return true;
	}
	return false;
}

/* The words that mark a value as non-uniform in the language of the source. */
static const char *mark_of(const struct spb_lint *l, uint32_t resource)
{
	static const char *const marks[] = {[SPB_LANGUAGE_UNKNOWN] = "NonUniform",
					    [SPB_LANGUAGE_GLSL] = "nonuniformEXT",
					    [SPB_LANGUAGE_HLSL] = "NonUniformResourceIndex"};

	if (spb_source_language(l->m) == SPB_SOURCE_LANGUAGE_SLANG)
		return "nonuniform";
	return is_heap(l, resource) ? "nonuniform_handle" : marks[spb_language_of(l->m)];
}

/* "the index of "t" differs"; heaps and parts of split resources are variables that a pass created. */
static const char *differs(struct spb_lint *l, uint32_t resource, bool certain)
{
	struct spb_text_buffer text = {.arena = l->arena};
	const char *label = spb_input_label(l->u, l->arena, resource, "a descriptor");

	if (is_heap(l, resource))
		spb_text_put(&text, "the handle of this access");
	else
		spb_text_format(
		    &text, spb_def_op(l->m, resource) == SpvOpVariable ? "the index of %s" : "the choice of %s", label);
	spb_text_put(&text, certain ? " differs" : " may differ");
	return spb_text_end(&text);
}

static const char *name_of(struct spb_lint *l, uint32_t resource)
{
	return spb_is_of_input(l->u, resource) ? spb_id_name(l->m, resource) : "";
}

static void tell(struct spb_lint *l, struct spb_found *f, struct spb_text_buffer *text)
{
	f->text = spb_text_end(text);
	spb_find(l, f);
}

/* Of two scopes in which it differs, the one in which that is less certain. */
static uint8_t scope_to_explain(const struct spb_lint *l, uint32_t question)
{
	return l->j->scope == SPB_UNIFORM_BOTH &&
		       spb_uniformity_is_certain(l->j->uniformity, question, SPB_UNIFORM_GROUP) &&
		       !spb_uniformity_is_certain(l->j->uniformity, question, SPB_UNIFORM_SUBGROUP)
		   ? SPB_UNIFORM_SUBGROUP
		   : SPB_UNIFORM_GROUP;
}

/* A decoration helps if the access can have one and does not yet. */
static void lint_access(struct spb_lint *l, size_t i, uint32_t leaf, const struct spb_judged *by_author)
{
	const struct spb_module *m = l->m;
	struct spb_operand_use a = l->j->paths.accesses.items[i];
	uint32_t question = l->j->question[leaf][i], operand = m->words[a.word], resource = resource_of(m, operand);
	const char *rule = spb_no_remedy(m, a.at), *mark = mark_of(l, resource);
	struct spb_text_buffer text = {.arena = l->arena};
	struct spb_why why[MOST_STEPS];
	struct spb_found f = {.rule = SPB_RULE_NONUNIFORM, .at = a.at, .subject = name_of(l, resource), .why = why};

	if (!spb_access_differs(l->j, i, leaf) || (spb_bit(l->j->marked, operand) && !rule))
		return;
	f.certain = spb_uniformity_is_certain(l->j->uniformity, question, l->j->scope);
	f.why_count = spb_tell_why(l->u, l->j->uniformity, spb_lint_places(l), question, scope_to_explain(l, question),
				   "the index", why, MOST_STEPS);
	if (rule) {
		f.code = SPB_E_NO_REMEDY;
		spb_text_format(&text, "%s between invocations, marked or not, but %s", differs(l, resource, f.certain),
				rule);
	} else if (by_author && spb_access_differs(by_author, i, leaf)) {
		f.code = SPB_E_MARK_LOST;
		f.lost = f.certain = true;
		spb_text_format(&text,
				"%s between invocations, and the compiler dropped its mark on the way to the access",
				differs(l, resource, true));
	} else if (f.certain) {
		f.code = SPB_E_UNMARKED;
		spb_text_format(&text, "%s between invocations, but is not marked %s", differs(l, resource, true),
				mark);
		if (spb_uniformity_of(l->j->uniformity, question) & SPB_UNIFORM_SUBGROUP)
			spb_text_put(&text,
				     SPB_REMEDY "It is uniform within each subgroup, which suffices since Vulkan "
						"1.3.294: leave out --uniform-scope.");
		else
			spb_text_format(
			    &text, SPB_REMEDY "Write %s(...) around it, or bind the module, which marks the access.",
			    mark);
	} else {
		f.code = SPB_E_MAY_DIFFER;
		spb_text_format(&text,
				"%s between invocations, but is not marked %s" SPB_REMEDY
				"Write %s(...) around it, or make it uniform with subgroupBroadcastFirst.",
				differs(l, resource, false), mark, mark);
	}
	tell(l, &f, &text);
}

/* VUID-RuntimeSpirv-None-04745: arrays in a push constant block whose index differs. For a chain. */
static bool indexes_push_constant(const struct spb_module *m, spb_at at)
{
	spb_at pointer = m->def[spb_type_of(m, m->words[spb_selection_of(m, at).base])];
	uint32_t op = spb_op(m, pointer);

	return (op == SpvOpTypePointer || op == OpTypeUntypedPointerKHR) &&
	       m->words[pointer + 2] == SpvStorageClassPushConstant;
}

void spb_ask_push_constants(struct spb_lint *l, spb_at at)
{
	const struct spb_module *m = l->m;

	if (!spb_is_any_chain(spb_op(m, at)) || !indexes_push_constant(m, at))
		return;
	for (uint32_t w = spb_selection_of(m, at).base + 1; w < spb_next(m, at); w++) {
		if (spb_is_constant(m, m->words[w]))
			continue;
		struct spb_lint_question q = {.at = at, .word = w};
		q.question = spb_uniformity_ask(l->j->uniformity, at, w, 0);
		SPB_PUSH(l->arena, &l->push_constants, q);
	}
}

static void lint_push_constants(struct spb_lint *l)
{
	const struct spb_module *m = l->m;

	for (size_t i = 0; i < l->push_constants.count; i++) {
		struct spb_lint_question q = l->push_constants.items[i];
		struct spb_text_buffer text = {.arena = l->arena};
		struct spb_why why[MOST_STEPS];
		struct spb_found f = {.rule = SPB_RULE_NONUNIFORM,
				      .code = SPB_E_NO_REMEDY,
				      .at = q.at,
				      .subject = name_of(l, resource_of(m, m->words[q.at + 3])),
				      .why = why};
		if (spb_uniformity_of(l->j->uniformity, q.question) & SPB_UNIFORM_GROUP)
			continue;
		f.certain = spb_uniformity_is_certain(l->j->uniformity, q.question, SPB_UNIFORM_GROUP);
		f.why_count = spb_tell_why(l->u, l->j->uniformity, spb_lint_places(l), q.question, SPB_UNIFORM_GROUP,
					   "the index", why, MOST_STEPS);
		spb_text_format(
		    &text,
		    "the index into a push constant array %s between invocations, marked or not, which Vulkan "
		    "does not allow",
		    f.certain ? "differs" : "may differ");
		tell(l, &f, &text);
	}
}

/* Vulkan, "Sampler Y'CbCr Conversion": such a sampler allows no dynamic indexing. Only the host knows which samplers
 * have a conversion. */
static void lint_ycbcr(struct spb_lint *l)
{
	const struct spb_module *m = l->m;

	for (size_t i = 0; l->u->options->uniformity.ycbcr && i < l->j->paths.chains.count; i++) {
		spb_at at = l->j->paths.chains.items[i].at;
		uint32_t id = resource_of(m, m->words[at + 2]);
		struct spb_text_buffer text = {.arena = l->arena};
		struct spb_found f = {.rule = SPB_RULE_NONUNIFORM,
				      .code = SPB_E_NO_REMEDY,
				      .certain = true,
				      .at = at,
				      .subject = name_of(l, id)};
		if (l->j->paths.chains.items[i].selection.kind != SPB_DESCRIPTOR_COMBINED ||
		    !spb_glob(l->u->options->uniformity.ycbcr, spb_id_name(m, id)))
			continue;
		spb_text_format(&text,
				"%s, whose sampler has a Y'CbCr conversion, is indexed by a value that is not a "
				"constant" SPB_REMEDY "Select the element in a switch.",
				spb_input_label(l->u, l->arena, id, "an array"));
		tell(l, &f, &text);
	}
}

/* Is there an access to report for lack of a decoration? */
static bool lacks_marks(const struct spb_lint *l)
{
	for (size_t i = 0; i < l->j->paths.accesses.count; i++) {
		if (!spb_bit(l->j->marked, l->m->words[l->j->paths.accesses.items[i].word]) &&
		    (spb_access_differs(l->j, i, 0) || spb_access_differs(l->j, i, 1)))
			return true;
	}
	return false;
}

void spb_lint_nonuniform(struct spb_lint *l, struct spb_uniformity_settings settings)
{
	struct spb_judged *j = l->j, marked, *by_author = NULL;

	if (l->m->has & SPB_HAS_MARKS && lacks_marks(l)) {
		settings.heed_marks = settings.marks_only = true;
		marked = spb_judge_accesses(l->u, true, settings);
		by_author = &marked;
	}
	for (size_t i = 0; i < j->paths.accesses.count; i++) {
		lint_access(l, i, 0, by_author);
		if (spb_is_sampled_image(l->m, l->m->words[j->paths.accesses.items[i].word]) &&
		    !spb_access_differs(j, i, 0))
			lint_access(l, i, 1, by_author);
	}
	lint_push_constants(l);
	lint_ycbcr(l);
}
