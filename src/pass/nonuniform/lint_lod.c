/* SPDX-License-Identifier: Apache-2.0 */
/* lint_lod: samples that take their level of detail from derivatives, and whose texture or sampler differs within the
 * quad. Marking the descriptor NonUniform makes the access legal, but not the level of detail: Vulkan leaves it
 * undefined without the property quadDivergentImplicitLod, which many devices do not have. */
#include "pass/nonuniform/lint.h"

enum { MOST_STEPS = 8 };

void spb_ask_lod(struct spb_lint *l, spb_at at)
{
	const struct spb_op_facts *row = spb_op_facts(spb_op(l->m, at));

	if (!(row->flags & SPB_OP_DERIVES) || l->severity[SPB_RULE_IMPLICIT_LOD] == SPB_LINT_OFF ||
	    !spb_has_stage(l->m, SpvExecutionModelFragment))
		return;
	for (uint8_t leaf = 0; leaf < 2; leaf++)
		SPB_PUSH(l->arena, &l->lod,
			 ((struct spb_lint_question){.at = at, .word = at + row->resource, .leaf = leaf}));
}

void spb_lint_lod(struct spb_lint *l)
{
	for (size_t i = 0; i < l->lod.count; i++) {
		const struct spb_lint_question *q = &l->lod.items[i];
		const char *what = q->leaf ? "the sampler" : "the texture";
		struct spb_text_buffer text = {.arena = l->arena};
		struct spb_why why[MOST_STEPS];
		struct spb_found f = {
		    .rule = SPB_RULE_IMPLICIT_LOD, .code = SPB_E_LOD, .at = q->at, .subject = "", .why = why};

		if (spb_uniformity_of(l->quads, q->question) & SPB_UNIFORM_SUBGROUP ||
		    spb_uniformity_is_unlikely(l->quads, q->question, SPB_UNIFORM_SUBGROUP))
			continue;
		f.certain = spb_uniformity_is_certain(l->quads, q->question, SPB_UNIFORM_SUBGROUP);
		f.why_count = spb_tell_why(l->u, l->quads, spb_lint_places(l), q->question, SPB_UNIFORM_SUBGROUP, what,
					   why, MOST_STEPS);
		spb_text_format(&text, "%s of %s %s within the quad, where its level of detail is undefined", what,
				spb_word_of(l->m, q->at), f.certain ? "differs" : "may differ");
		f.text = spb_text_end(&text);
		spb_find(l, &f);
		i += q->leaf == 0; /* one finding of a sample is enough */
	}
}
