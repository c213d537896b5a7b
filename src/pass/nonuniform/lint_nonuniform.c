/* SPDX-License-Identifier: Apache-2.0 */
/* --nonuniform=lint: reports accesses to elements of descriptor arrays that lack NonUniform.
 *
 *   uniform              the index is the same in all invocations: nothing to report
 *   decorated            the operand is decorated NonUniform: nothing to report
 *   unmarked divergent   the index is known to differ, or the decoration does not reach the operand: an error
 *   unknown              nothing proves that the index is uniform: a warning
 *
 * Also reports what no decoration helps: arrays in push constants with an index that differs
 * (VUID-RuntimeSpirv-None-04745), and images and pointers that must be uniform in a quad or in the scope of a
 * cooperative matrix. Changes nothing. */
#include "pass/nonuniform/accesses.h"

enum { MOST_MESSAGES = 100, MOST_STEPS = 8 };

struct lint {
	struct spb_unit *u;
	struct spb_judged *j;
	const struct spb_module *m;
	struct spb_location_table places;
	uint32_t told, untold;
};

/* "the index follows from %12 "i" (a.frag:7), LocalInvocationId is a built-in that differs in compute" */
static const char *reason(struct lint *l, uint32_t question)
{
	struct spb_text_buffer text = {.arena = &l->m->context->scratch};
	struct spb_why whys[MOST_STEPS];
	uint32_t n = spb_tell_why(l->u, l->j, &l->places, question, whys, MOST_STEPS);

	for (uint32_t i = 0; i < n; i++)
		spb_text_format(&text, "%s%s", i ? ", " : "", whys[i].text);
	return spb_text_end(&text);
}

static bool may_tell(struct lint *l)
{
	if (l->told == MOST_MESSAGES) {
		l->untold++;
		return false;
	}
	l->told++;
	return true;
}

/* The variable that an operand refers to, for the message. */
static uint32_t resource_of(struct lint *l, uint32_t id)
{
	const struct spb_module *m = l->m;
	uint32_t first, end;

	for (int depth = 0; depth < 64 && spb_def_op(m, id) != SpvOpVariable; depth++) {
		if (!m->def[id] || !spb_path_operands(m, m->def[id], &first, &end))
			break;
		id = m->words[first];
	}
	return id;
}

static void lint_access(struct lint *l, size_t i, uint32_t leaf)
{
	const struct spb_module *m = l->m;
	struct spb_operand_use a = l->j->paths.accesses.items[i];
	uint32_t question = l->j->question[leaf][i], operand = m->words[a.word];
	const char *remedy = spb_no_remedy(m, a.at);
	bool certain;

	if (!spb_access_differs(l->j, i, leaf) || (spb_bit(l->j->marked, operand) && !remedy))
		return;
	certain = spb_uniformity_is_certain(l->j->uniformity, question, SPB_UNIFORM_GROUP);
	if (certain)
		l->u->unmarked++;
	if (!may_tell(l))
		return;
	const char *name = spb_label(&m->context->scratch, m, resource_of(l, operand));
	if (remedy)
		spb_report(m, certain ? SPB_SEVERITY_ERROR : SPB_SEVERITY_WARNING, SPB_E_NO_REMEDY, a.at,
			   "the element of %s that is accessed %s between invocations, and decorating it NonUniform "
			   "does not help: %s; %s",
			   name, certain ? "differs" : "may differ", remedy, reason(l, question));
	else if (certain)
		spb_report(m, SPB_SEVERITY_ERROR, SPB_E_UNMARKED, a.at,
			   "the element of %s that is accessed differs between invocations, but the operand %s is not "
			   "decorated NonUniform: %s; %s",
			   name, spb_label(&m->context->scratch, m, operand), reason(l, question),
			   spb_uniformity_of(l->j->uniformity, question) & SPB_UNIFORM_SUBGROUP
			       ? "it is uniform within a subgroup, so --uniform-scope=group-or-subgroup would accept it"
			       : "write nonuniformEXT or NonUniformResourceIndex around the index, or let "
				 "--nonuniform=auto decorate the operand");
	else
		spb_report(m, SPB_SEVERITY_WARNING, SPB_E_MAY_DIFFER, a.at,
			   "the element of %s that is accessed may differ between invocations, but the operand %s is "
			   "not decorated NonUniform: %s; mark the index with nonuniformEXT or "
			   "NonUniformResourceIndex, or decorate it Uniform if it is the same in all invocations",
			   name, spb_label(&m->context->scratch, m, operand), reason(l, question));
}

/* VUID-RuntimeSpirv-None-04745: arrays in a push constant block whose index differs. */
static bool indexes_push_constant(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);
	spb_at pointer = spb_op_is(op, SPB_OP_CHAIN) ? m->def[spb_type_of(m, m->words[at + 3])] : 0;

	return spb_op(m, pointer) == SpvOpTypePointer && m->words[pointer + 2] == SpvStorageClassPushConstant;
}

void spb_ask_push_constants(struct spb_judged *j, struct spb_arena *arena)
{
	const struct spb_module *m = j->m;

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].label; at && at < m->function[f].end; at = spb_next(m, at)) {
			if (!indexes_push_constant(m, at))
				continue;
			for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
				if (spb_is_constant(m, m->words[w]))
					continue;
				struct spb_asked asked = {at, spb_uniformity_ask(j->uniformity, at, w, 0)};
				SPB_PUSH(arena, &j->push_constants, asked);
			}
		}
	}
}

static void lint_push_constants(struct lint *l)
{
	const struct spb_module *m = l->m;

	for (size_t i = 0; i < l->j->push_constants.count; i++) {
		struct spb_asked a = l->j->push_constants.items[i];
		bool certain = spb_uniformity_is_certain(l->j->uniformity, a.question, SPB_UNIFORM_GROUP);
		if (spb_uniformity_of(l->j->uniformity, a.question) & SPB_UNIFORM_GROUP)
			continue;
		l->u->unmarked += certain;
		if (may_tell(l))
			spb_report(m, certain ? SPB_SEVERITY_ERROR : SPB_SEVERITY_WARNING, SPB_E_NO_REMEDY, a.at,
				   "the index into an array of a push constant block must be the same in all "
				   "invocations (VUID-RuntimeSpirv-None-04745), and decorating it NonUniform does not "
				   "help: %s; use a uniform buffer instead",
				   reason(l, a.question));
	}
}

/* Vulkan, "Sampler Y'CbCr Conversion": such a sampler allows no dynamic indexing. Only the host knows which samplers
 * have a conversion. */
static void lint_ycbcr(struct lint *l)
{
	const struct spb_module *m = l->m;

	for (size_t i = 0; l->u->options->uniformity.ycbcr && i < l->j->paths.chains.count; i++) {
		spb_at at = l->j->paths.chains.items[i].at;
		uint32_t id = resource_of(l, m->words[at + 2]);
		if (l->j->paths.chains.items[i].kind != SPB_DESCRIPTOR_COMBINED ||
		    !spb_glob(l->u->options->uniformity.ycbcr, spb_name(m, id)))
			continue;
		l->u->unmarked++;
		if (may_tell(l))
			spb_report(m, SPB_SEVERITY_ERROR, SPB_E_NO_REMEDY, at,
				   "an element of %s, whose sampler has a Y'CbCr conversion, is selected by an index "
				   "that is not a constant, and decorating it NonUniform does not help: Vulkan "
				   "requires a constant index here; select the element in a switch",
				   spb_label(&m->context->scratch, m, id));
	}
}

void spb_lint_accesses(struct spb_unit *u, struct spb_judged *j)
{
	struct lint l = {.u = u, .j = j, .m = &u->m, .places = spb_location_table(&u->m, &u->m.context->scratch)};

	for (size_t i = 0; i < j->paths.accesses.count; i++) {
		lint_access(&l, i, 0);
		if (spb_is_sampled_image(l.m, l.m->words[j->paths.accesses.items[i].word]) &&
		    !spb_access_differs(j, i, 0))
			lint_access(&l, i, 1);
	}
	lint_push_constants(&l);
	lint_ycbcr(&l);
	if (l.untold)
		spb_report(l.m, SPB_SEVERITY_NOTE, SPB_E_MORE_UNMARKED, 0, "and %u more", (unsigned)l.untold);
}
