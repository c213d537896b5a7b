/* SPDX-License-Identifier: Apache-2.0 */
/* lint_control: instructions that must be executed by all invocations of a scope together, or by none of them.
 *
 *   derivatives   in the derivative group: derivative instructions. Vulkan, "Derivative Operations": the group is the
 *                 primitive, whose fragments have flat inputs and PrimitiveId in common; with QuadDerivativesKHR, it is
 *                 the quad. After OpKill or OpTerminateInvocation the rest of the quad is assumed to continue with the
 *                 invocation as a helper, as OpDemoteToHelperInvocation says and as drivers do.
 *   implicit-lod  the same for samples with implicit level of detail, whose derivatives are merely undefined
 *   barriers      in the workgroup: OpControlBarrier, and the instructions of mesh shading that imply one.
 *   subgroup      in the scope of a cooperative matrix, or of an instruction of the older group operations.
 *
 * A branch that would go one way for all invocations if each value were defined is not a finding: a program that
 * depends on a value it never wrote has another bug, and one that does not is correct. Optimizers leave many such
 * values behind (OpPhi of OpUndef on paths that remain), and real programs have variables that one branch sets and
 * another reads.
 *
 * The subgroup operations OpGroupNonUniform… may appear anywhere: they operate on the invocations that execute them. */
#include "pass/nonuniform/lint.h"

enum { MOST_STEPS = 8 };

enum where {
	IN_QUAD,
	IN_WORKGROUP,
	BY_SCOPE, /* given by the operand at `word` */
	BY_MATRIX /* given by the type of the matrix at `word` */
};

struct demand {
	uint16_t first, last; /* opcodes */
	uint8_t rule, where, word;
};

static const struct demand demands[] = {
    {SpvOpControlBarrier, SpvOpControlBarrier, SPB_RULE_BARRIERS, BY_SCOPE, 1},
    {SpvOpEmitMeshTasksEXT, SpvOpSetMeshOutputsEXT, SPB_RULE_BARRIERS, IN_WORKGROUP, 0},
    {SpvOpGroupAll, SpvOpGroupSMax, SPB_RULE_SUBGROUP, BY_SCOPE, 3},
    {SPB_OP_MATRIX_LOAD_KHR, SPB_OP_MATRIX_LOAD_KHR, SPB_RULE_SUBGROUP, BY_MATRIX, 1},
    {SPB_OP_MATRIX_STORE_KHR, SPB_OP_MATRIX_STORE_KHR, SPB_RULE_SUBGROUP, BY_MATRIX, 2},
    {SPB_OP_MATRIX_MUL_ADD_KHR, SPB_OP_MATRIX_MUL_ADD_KHR, SPB_RULE_SUBGROUP, BY_MATRIX, 1},
    {SpvOpCooperativeMatrixLoadNV, SpvOpCooperativeMatrixLoadNV, SPB_RULE_SUBGROUP, BY_MATRIX, 1},
    {SpvOpCooperativeMatrixStoreNV, SpvOpCooperativeMatrixStoreNV, SPB_RULE_SUBGROUP, BY_MATRIX, 2},
    {SpvOpCooperativeMatrixMulAddNV, SpvOpCooperativeMatrixMulAddNV, SPB_RULE_SUBGROUP, BY_MATRIX, 1},
    {SPB_OP_MATRIX_CONVERT_USE, SPB_OP_MATRIX_CONVERT_USE, SPB_RULE_SUBGROUP, BY_MATRIX, 1},
    {SPB_OP_MATRIX_REDUCE, SPB_OP_MATRIX_LOAD_TENSOR, SPB_RULE_SUBGROUP, BY_MATRIX, 1},
    {SPB_OP_MATRIX_STORE_TENSOR, SPB_OP_MATRIX_STORE_TENSOR, SPB_RULE_SUBGROUP, BY_MATRIX, 2},
    {SPB_OP_MATRIX_PER_ELEMENT, SPB_OP_MATRIX_PER_ELEMENT, SPB_RULE_SUBGROUP, BY_MATRIX, 1},
    {SPB_OP_MATRIX_TRANSPOSE, SPB_OP_MATRIX_TRANSPOSE, SPB_RULE_SUBGROUP, BY_MATRIX, 1},
};

static const struct demand derivative = {.rule = SPB_RULE_DERIVATIVES, .where = IN_QUAD};
static const struct demand implicit = {.rule = SPB_RULE_IMPLICIT_LOD, .where = IN_QUAD};

static const struct demand *demand_of(uint32_t op)
{
	if (op >= SpvOpDPdx && op <= SpvOpFwidthCoarse)
		return &derivative;
	if (spb_op_is(op, SPB_OP_DERIVES))
		return &implicit;
	for (size_t i = 0; i < SPB_COUNT(demands); i++) {
		if (op >= demands[i].first && op <= demands[i].last)
			return &demands[i];
	}
	return NULL;
}

/* The word of the scope in the type of a matrix, after the component type. */
static uint32_t matrix_scope(const struct spb_module *m, spb_at at, uint32_t word)
{
	uint32_t id = m->words[at + word];
	spb_at type = m->def[spb_type_of(m, id) ? spb_type_of(m, id) : id];

	if (spb_op(m, type) != SPB_OP_MATRIX_TYPE_KHR && spb_op(m, type) != SpvOpTypeCooperativeMatrixNV)
		return 0;
	return m->words[type + 3];
}

/* SPB_UNIFORM_*: scopes, one of which suffices; 0: no requirement. */
uint8_t spb_demanded_scope(const struct spb_module *m, uint32_t scope)
{
	uint64_t value;

	if (!scope || !spb_constant_value(m, scope, &value))
		return 0;
	return value == SpvScopeSubgroup ? SPB_UNIFORM_BOTH : value <= SpvScopeWorkgroup ? SPB_UNIFORM_GROUP : 0;
}

static uint8_t scope_of(const struct spb_module *m, const struct demand *d, spb_at at)
{
	uint8_t scope;

	switch ((enum where)d->where) {
	case IN_QUAD:
		return SPB_UNIFORM_BOTH;
	case IN_WORKGROUP:
		return SPB_UNIFORM_GROUP;
	case BY_SCOPE:
		scope = spb_demanded_scope(m, m->words[at + d->word]);
		/* SPIR-V, OpControlBarrier: in a smaller scope, the client API decides, and Vulkan requires nothing */
		return d->rule == SPB_RULE_BARRIERS && scope != SPB_UNIFORM_GROUP ? 0 : scope;
	case BY_MATRIX:
		return spb_demanded_scope(m, matrix_scope(m, at, d->word));
	}
	return 0;
}

bool spb_has_stage(const struct spb_module *m, uint32_t model)
{
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpEntryPoint && m->words[at + 1] == model)
			return true;
	}
	return false;
}

void spb_ask_control(struct spb_lint *l, spb_at at)
{
	const struct demand *d = demand_of(spb_op(l->m, at));
	struct spb_lint_question q = {.at = at};

	if (!d || l->severity[d->rule] == SPB_LINT_OFF)
		return;
	q.scope = scope_of(l->m, d, at);
	if (d->where == IN_QUAD && spb_has_stage(l->m, SpvExecutionModelFragment)) {
		SPB_PUSH(l->arena, &l->quad, q);
	} else if (q.scope) {
		q.question = spb_uniformity_ask_control(l->j->uniformity, at);
		SPB_PUSH(l->arena, &l->control, q);
	}
}

/* SPV_KHR_quad_control: "This allows sampling from textures with ImplicitLod operations as long as control flow is
 * uniform within the quad". */
static bool has_quad_derivatives(const struct spb_module *m)
{
	enum { QUAD_DERIVATIVES = 5088 };

	for (spb_at at = m->section[SPB_SECTION_EXECUTION_MODE]; at < m->section[SPB_SECTION_SOURCE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExecutionMode && m->words[at + 2] == QUAD_DERIVATIVES)
			return true;
	}
	return false;
}

void spb_ask_quads(struct spb_lint *l, struct spb_uniformity_settings settings)
{
	settings.quad = true;
	l->quads = spb_uniformity_begin(l->m, &l->j->calls, l->arena, settings);
	l->derivative_group = has_quad_derivatives(l->m) ? SPB_UNIFORM_SUBGROUP : SPB_UNIFORM_GROUP;
	for (size_t i = 0; i < l->quad.count; i++) {
		l->quad.items[i].scope = l->derivative_group;
		l->quad.items[i].question = spb_uniformity_ask_control(l->quads, l->quad.items[i].at);
	}
	for (size_t i = 0; i < l->lod.count; i++) {
		struct spb_lint_question *q = &l->lod.items[i];
		q->question = spb_uniformity_ask(l->quads, q->at, q->word, q->leaf);
	}
	spb_uniformity_solve(l->quads);
}

static const uint32_t codes[SPB_RULE_COUNT] = {[SPB_RULE_DERIVATIVES] = SPB_E_DERIVATIVE,
					       [SPB_RULE_IMPLICIT_LOD] = SPB_E_IMPLICIT,
					       [SPB_RULE_BARRIERS] = SPB_E_BARRIER,
					       [SPB_RULE_SUBGROUP] = SPB_E_SUBGROUP};

static const char *group_name(const struct demand *d, uint8_t scope)
{
	if (d->where == IN_QUAD)
		return scope == SPB_UNIFORM_GROUP ? "primitive" : "quad";
	return scope == SPB_UNIFORM_GROUP ? "workgroup" : "subgroup";
}

static void lint_one(struct spb_lint *l, struct spb_uniformity *u, const struct spb_lint_question *q)
{
	const struct demand *d = demand_of(spb_op(l->m, q->at));
	uint8_t uniform = spb_uniformity_of(u, q->question), scope;
	bool in_quad = d->where == IN_QUAD && u == l->quads && uniform & SPB_UNIFORM_SUBGROUP;
	struct spb_text_buffer text = {.arena = l->arena};
	struct spb_why why[MOST_STEPS];
	struct spb_found f = {
	    .rule = (enum spb_lint_rule)d->rule, .code = codes[d->rule], .at = q->at, .subject = "", .why = why};

	if (uniform & q->scope)
		return;
	scope = q->scope & SPB_UNIFORM_SUBGROUP ? SPB_UNIFORM_SUBGROUP : SPB_UNIFORM_GROUP;
	if (spb_uniformity_is_unlikely(u, q->question, scope))
		return;
	/* what is uniform in the subgroup is uniform in a workgroup of one subgroup */
	f.certain = !in_quad && !(uniform & SPB_UNIFORM_SUBGROUP) && spb_uniformity_is_certain(u, q->question, scope);
	f.why_count =
	    spb_tell_why(l->u, u, spb_lint_places(l), q->question, scope, "the control flow", why, MOST_STEPS);
	spb_text_format(&text, "%s is in control flow that %s within the %s%s%r", spb_word_of(l->m, q->at),
			f.certain ? "differs" : "may differ", group_name(d, q->scope),
			d->rule == SPB_RULE_IMPLICIT_LOD ? ", so its level of detail is undefined" : "",
			in_quad ? SPB_REMEDY "Declare QuadDerivativesKHR, since it is uniform within each quad." : "");
	f.text = spb_text_end(&text);
	spb_find(l, &f);
}

void spb_lint_control(struct spb_lint *l)
{
	for (size_t i = 0; i < l->quad.count; i++)
		lint_one(l, l->quads, &l->quad.items[i]);
	for (size_t i = 0; i < l->control.count; i++)
		lint_one(l, l->j->uniformity, &l->control.items[i]);
}
