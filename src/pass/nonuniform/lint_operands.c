/* SPDX-License-Identifier: Apache-2.0 */
/* lint_operands: operands that have to be the same in all invocations of a scope.
 *
 *   subgroup    the invocation that a broadcast reads from, and the distance of a rotation
 *   operands    where a cooperative matrix is in memory, and its stride
 *
 * Rule nonuniform covers the descriptor that such an instruction accesses. The operands of images, apart from their
 * descriptors, and the arguments of ray tracing may differ: SPV_KHR_ray_tracing and its successors require none of
 * them to be uniform. */
#include "pass/nonuniform/lint.h"

enum { MOST_STEPS = 8 };

struct demand {
	uint16_t op;
	uint8_t rule;
	uint8_t word;  /* of the operand */
	uint8_t scope; /* word of the scope, or of the matrix whose type has it; 0: subgroup */
	uint8_t leaf;  /* 1: the address of a pointer */
	bool in_quad;  /* uniform within the quad suffices, which is not analysed, so nothing is certain */
	const char *name, *within;
};

#define MATRIX "the scope of the matrix"

static const struct demand demands[] = {
    {SpvOpGroupNonUniformBroadcast, SPB_RULE_SUBGROUP, 5, 3, 0, false, "the invocation to read from", "the subgroup"},
    {SpvOpGroupNonUniformQuadBroadcast, SPB_RULE_SUBGROUP, 5, 3, 0, true, "the index within the quad", "the quad"},
    {SpvOpGroupNonUniformRotateKHR, SPB_RULE_SUBGROUP, 5, 3, 0, false, "the distance", "its scope"},
    {SpvOpSubgroupReadInvocationKHR, SPB_RULE_SUBGROUP, 4, 0, 0, false, "the invocation to read from", "the subgroup"},
    {SpvOpGroupBroadcast, SPB_RULE_SUBGROUP, 5, 3, 0, false, "the invocation to read from", "the group"},
    {SPB_OP_MATRIX_LOAD_KHR, SPB_RULE_OPERANDS, 3, 1, 1, false, "the address", MATRIX},
    {SPB_OP_MATRIX_LOAD_KHR, SPB_RULE_OPERANDS, 5, 1, 0, false, "the stride", MATRIX},
    {SPB_OP_MATRIX_STORE_KHR, SPB_RULE_OPERANDS, 1, 2, 1, false, "the address", MATRIX},
    {SPB_OP_MATRIX_STORE_KHR, SPB_RULE_OPERANDS, 4, 2, 0, false, "the stride", MATRIX},
    {SPB_OP_MATRIX_LOAD_TENSOR, SPB_RULE_OPERANDS, 3, 1, 1, false, "the address", MATRIX},
    {SPB_OP_MATRIX_STORE_TENSOR, SPB_RULE_OPERANDS, 1, 2, 1, false, "the address", MATRIX},
    {SpvOpCooperativeMatrixLoadNV, SPB_RULE_OPERANDS, 3, 1, 1, false, "the address", MATRIX},
    {SpvOpCooperativeMatrixLoadNV, SPB_RULE_OPERANDS, 4, 1, 0, false, "the stride", MATRIX},
    {SpvOpCooperativeMatrixStoreNV, SPB_RULE_OPERANDS, 1, 2, 1, false, "the address", MATRIX},
    {SpvOpCooperativeMatrixStoreNV, SPB_RULE_OPERANDS, 3, 2, 0, false, "the stride", MATRIX},
};

static uint8_t scope_of(const struct spb_module *m, const struct demand *d, spb_at at)
{
	if (!d->scope)
		return SPB_UNIFORM_BOTH;

	uint32_t id = m->words[at + d->scope];
	spb_at matrix = m->def[spb_type_of(m, id) ? spb_type_of(m, id) : id];

	if (d->rule == SPB_RULE_OPERANDS)
		id = spb_op(m, matrix) == SPB_OP_MATRIX_TYPE_KHR || spb_op(m, matrix) == SpvOpTypeCooperativeMatrixNV
			 ? m->words[matrix + 3]
			 : 0;
	return spb_demanded_scope(m, id);
}

void spb_ask_operands(struct spb_lint *l, spb_at at)
{
	const struct spb_module *m = l->m;
	uint32_t op = spb_op(m, at);

	/* OpGroupBroadcast is the lowest opcode in the table. */
	for (uint16_t i = 0; op >= SpvOpGroupBroadcast && i < SPB_COUNT(demands); i++) {
		const struct demand *d = &demands[i];
		if (d->op != op || l->severity[d->rule] == SPB_LINT_OFF || at + d->word >= spb_next(m, at) ||
		    spb_is_constant(m, m->words[at + d->word]))
			continue;
		struct spb_lint_question q = {.at = at, .word = at + d->word, .demand = i, .scope = scope_of(m, d, at)};
		if (!q.scope)
			continue;
		q.question = spb_uniformity_ask(l->j->uniformity, at, q.word, d->leaf);
		SPB_PUSH(l->arena, &l->operands, q);
	}
}

static void lint_one(struct spb_lint *l, const struct spb_lint_question *q)
{
	const struct spb_module *m = l->m;
	const struct demand *d = &demands[q->demand];
	struct spb_uniformity *u = l->j->uniformity;
	uint8_t scope = q->scope & SPB_UNIFORM_SUBGROUP ? SPB_UNIFORM_SUBGROUP : SPB_UNIFORM_GROUP;
	struct spb_text_buffer text = {.arena = l->arena};
	struct spb_why why[MOST_STEPS];
	struct spb_found f = {.rule = (enum spb_lint_rule)d->rule,
			      .code = d->rule == SPB_RULE_SUBGROUP ? SPB_E_SUBGROUP : SPB_E_OPERAND,
			      .at = q->at,
			      .subject =
				  spb_is_of_input(l->u, m->words[q->word]) ? spb_id_name(m, m->words[q->word]) : "",
			      .why = why};

	if (spb_uniformity_of(u, q->question) & q->scope)
		return;
	if (spb_uniformity_is_unlikely(u, q->question, scope)) /* see lint_control.c */
		return;
	f.certain = !d->in_quad && spb_uniformity_is_certain(u, q->question, scope);
	f.why_count = spb_tell_why(l->u, u, spb_lint_places(l), q->question, scope, d->name, why, MOST_STEPS);
	spb_text_format(&text, "%s of %s %s between invocations, but has to be the same within %s", d->name,
			spb_word_of(m, q->at), f.certain ? "differs" : "may differ", d->within);
	f.text = spb_text_end(&text);
	spb_find(l, &f);
}

void spb_lint_operands(struct spb_lint *l)
{
	for (size_t i = 0; i < l->operands.count; i++)
		lint_one(l, &l->operands.items[i]);
}
