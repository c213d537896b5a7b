/* SPDX-License-Identifier: Apache-2.0 */
/* merge_variables: which variables a function may bring along, and which of them the target already has.
 *
 * A resource with the same name and type is the same resource, with the set and binding that either module gives. A
 * block without an instance name, which GLSL allows, goes by the name of its type. Push constants: a stage has only
 * one block, so its type must be the same. A built-in input maps to the target's. Private and Workgroup variables
 * are new ones.
 *
 * Refused (SPB_E_RESOLVER_GLOBAL): one name with two types or two bindings; a different push constant block; a
 * built-in of another stage; other storage classes. */
#include "pass/resolver/merge.h"

/* Kinds of claims besides decorations: by number and by name. */
enum {
	ANY_PUSH_CONSTANT = 0x10000, /* of 0: the variable */
	PUSH_CONSTANT,               /* of a type: the variable */
	TYPE,                        /* of a variable: its pointer type */
	NAME,                        /* the variable with this name */
	BLOCK,                       /* the first variable whose block has this name */
	NAMELESS                     /* the same, among those without a name of their own */
};

static bool is_resource(uint32_t class)
{
	return class == SpvStorageClassUniformConstant || class == SpvStorageClassUniform ||
	       class == SpvStorageClassStorageBuffer;
}

static const char *block_name(const struct spb_module *m, spb_at at)
{
	uint32_t type = m->words[m->def[m->words[at + 1]] + 3];

	while (spb_op_is(spb_def_op(m, type), SPB_OP_ARRAY))
		type = m->words[m->def[type] + 2];
	return spb_def_op(m, type) == SpvOpTypeStruct ? spb_id_name(m, type) : "";
}

static const char *label(const struct spb_module *m, spb_at at)
{
	struct spb_text_buffer text = {.arena = &m->context->scratch};
	uint32_t id = m->words[at + 2];

	if (*spb_id_name(m, id) || !*block_name(m, at))
		return spb_label(text.arena, m, id);
	return spb_label(text.arena, m, m->words[m->def[m->words[at + 1]] + 3]);
}

static bool is_auto_binding(const spb_options *o, const struct spb_module *m, uint32_t id)
{
	uint32_t word = spb_decoration(m, id, SpvDecorationBinding);

	return word && o->layout.has_auto_binding && m->words[word] == o->layout.auto_binding;
}

/* The value of a decoration; false if there is none, or one that counts as missing. With such a binding, the set
 * counts as missing, too: glslang gives every resource a set, 0 by default. */
static bool number(const struct spb_merged *merged, const struct spb_module *m, uint32_t id, uint32_t decoration,
		   uint32_t *value)
{
	const spb_options *o = spb_merged_unit(merged)->options;
	uint32_t word = spb_decoration(m, id, decoration);

	if (!word || is_auto_binding(o, m, id))
		return false;
	*value = m->words[word];
	if (decoration == SpvDecorationDescriptorSet && o->layout.has_auto_set && *value == o->layout.auto_set)
		return false;
	return *value < SPB_MERGED_NEW - 1;
}

static const uint32_t places[] = {SpvDecorationDescriptorSet, SpvDecorationBinding};

static void add_resource(struct spb_merged *merged, const struct spb_module *m, spb_at at, uint32_t id)
{
	const char *name = spb_id_name(m, m->words[at + 2]), *block = block_name(m, at);
	uint32_t value;

	if (*name)
		spb_merged_claim_name(merged, NAME, name, id);
	if (*block)
		spb_merged_claim_name(merged, BLOCK, block, id);
	if (*block && !*name)
		spb_merged_claim_name(merged, NAMELESS, block, id);
	for (size_t i = 0; i < SPB_COUNT(places); i++) {
		if (number(merged, m, m->words[at + 2], places[i], &value))
			spb_merged_claim(merged, places[i], id, value + 1);
	}
}

void spb_merged_add_variable(struct spb_merged *merged, const struct spb_module *m, spb_at at, uint32_t id,
			     uint32_t type)
{
	uint32_t class = m->words[at + 3], word = spb_decoration(m, m->words[at + 2], SpvDecorationBuiltIn);

	spb_merged_claim(merged, TYPE, id, type);
	if (is_resource(class))
		add_resource(merged, m, at, id);
	if (class == SpvStorageClassPushConstant) {
		spb_merged_claim(merged, ANY_PUSH_CONSTANT, 0, id);
		spb_merged_claim(merged, PUSH_CONSTANT, type, id);
	}
	if (class == SpvStorageClassInput && word)
		spb_merged_claim(merged, SpvDecorationBuiltIn, m->words[word], id);
}

void spb_merged_add_own_variables(struct spb_merged *merged)
{
	const struct spb_module *m = &spb_merged_unit(merged)->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpVariable)
			spb_merged_add_variable(merged, m, at, m->words[at + 2], m->words[at + 1]);
	}
}

/* The first use of a variable, if that has a source line, since the variable itself has none. */
static spb_at place(const struct spb_module *m, spb_at variable)
{
	bool has_line = false;

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		bool is_access = op == SpvOpLoad || op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
		has_line |= op == SpvOpLine;
		if (has_line && is_access && m->words[at + 3] == m->words[variable + 2])
			return at;
	}
	return variable;
}

/* Vulkan, "Built-In Variables": stages that have a built-in, as bits over execution models below 32; those of mesh
 * shaders count as compute. Any stage may have the built-ins that are not listed. */
#define STAGE(model) (1u << SpvExecutionModel##model)
static const struct {
	uint32_t builtin, stages;
	const char *only;
} of_stages[] = {
    {SpvBuiltInNumWorkgroups, STAGE(GLCompute), "compute, task and mesh"},
    {SpvBuiltInWorkgroupSize, STAGE(GLCompute), "compute, task and mesh"},
    {SpvBuiltInWorkgroupId, STAGE(GLCompute), "compute, task and mesh"},
    {SpvBuiltInLocalInvocationId, STAGE(GLCompute), "compute, task and mesh"},
    {SpvBuiltInGlobalInvocationId, STAGE(GLCompute), "compute, task and mesh"},
    {SpvBuiltInLocalInvocationIndex, STAGE(GLCompute), "compute, task and mesh"},
    {SpvBuiltInSubgroupId, STAGE(GLCompute), "compute, task and mesh"},
    {SpvBuiltInNumSubgroups, STAGE(GLCompute), "compute, task and mesh"},
    {SpvBuiltInVertexIndex, STAGE(Vertex), "vertex"},
    {SpvBuiltInInstanceIndex, STAGE(Vertex), "vertex"},
    {SpvBuiltInBaseVertex, STAGE(Vertex), "vertex"},
    {SpvBuiltInBaseInstance, STAGE(Vertex), "vertex"},
    {SpvBuiltInFragCoord, STAGE(Fragment), "fragment"},
    {SpvBuiltInPointCoord, STAGE(Fragment), "fragment"},
    {SpvBuiltInFrontFacing, STAGE(Fragment), "fragment"},
    {SpvBuiltInSampleId, STAGE(Fragment), "fragment"},
    {SpvBuiltInSamplePosition, STAGE(Fragment), "fragment"},
    {SpvBuiltInHelperInvocation, STAGE(Fragment), "fragment"},
};

static uint32_t stage_of(uint32_t model)
{
	bool mesh = model == SpvExecutionModelTaskNV || model == SpvExecutionModelMeshNV ||
		    model == SpvExecutionModelTaskEXT || model == SpvExecutionModelMeshEXT;

	return mesh ? STAGE(GLCompute) : model < 32 ? 1u << model : 0;
}

/* A resolver in GLSL is compiled as a compute shader, so its compiler accepts built-ins that the module's stage may
 * not have. */
static void check_stage(const struct spb_merge *g, spb_at at, uint32_t builtin)
{
	const struct spb_module *to = &g->u->m;

	for (size_t i = 0; i < SPB_COUNT(of_stages); i++) {
		if (of_stages[i].builtin != builtin)
			continue;
		for (spb_at entry = to->section[SPB_SECTION_ENTRY_POINT];
		     entry < to->section[SPB_SECTION_EXECUTION_MODE]; entry = spb_next(to, entry)) {
			if (spb_op(to, entry) == SpvOpEntryPoint &&
			    !(stage_of(to->words[entry + 1]) & of_stages[i].stages))
				spb_fail(g->from, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_GLOBAL, place(g->from, at),
					 "%s is a built-in of %s shaders, but %s has an entry point of another "
					 "stage" SPB_REMEDY
					 "Let the resolver depend on the handle, buffers and push constants.",
					 label(g->from, at), of_stages[i].only, to->name);
		}
	}
}

static uint32_t find_push_constant(const struct spb_merge *g, spb_at at, uint32_t type)
{
	uint32_t same = spb_merged_claim(g->merged, PUSH_CONSTANT, type, 0);

	if (!same && spb_merged_claim(g->merged, ANY_PUSH_CONSTANT, 0, 0))
		spb_fail(g->from, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_GLOBAL, place(g->from, at),
			 "%s is a push constant block, but %s already has a different one" SPB_REMEDY
			 "A stage has only one, so declare the same block in both, or use a buffer.",
			 label(g->from, at), g->u->m.name);
	return same;
}

static uint32_t find_resource(const struct spb_merge *g, spb_at at)
{
	const char *name = spb_id_name(g->from, g->from->words[at + 2]), *block = block_name(g->from, at);
	uint32_t found = 0;

	if (*name)
		found = spb_merged_claim_name(g->merged, NAME, name, 0);
	if (!found && *block)
		found = spb_merged_claim_name(g->merged, *name ? NAMELESS : BLOCK, block, 0);
	return found;
}

static uint32_t find_input(const struct spb_merge *g, spb_at at)
{
	const struct spb_module *m = g->from;
	uint32_t word = spb_decoration(m, m->words[at + 2], SpvDecorationBuiltIn);

	if (!word)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_GLOBAL, at,
			 "%s is a stage input, which a resolver cannot add to a module" SPB_REMEDY
			 "It may use built-in inputs, resources, push constants and variables of its own.",
			 label(m, at));
	check_stage(g, at, m->words[word]);
	return spb_merged_claim(g->merged, SpvDecorationBuiltIn, m->words[word], 0);
}

uint32_t spb_merge_find_variable(const struct spb_merge *g, spb_at at)
{
	const struct spb_module *m = g->from;
	uint32_t class = m->words[at + 3], type = spb_merge_id(g, at, m->words[at + 1]), found = 0;

	if (is_resource(class))
		found = find_resource(g, at);
	else if (class == SpvStorageClassPushConstant)
		found = find_push_constant(g, at, type);
	else if (class == SpvStorageClassInput)
		found = find_input(g, at);
	else if (class != SpvStorageClassPrivate && class != SpvStorageClassWorkgroup)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_GLOBAL, at,
			 "%s has storage class %s, which a resolver cannot add to a module" SPB_REMEDY
			 "It may use resources, push constants, built-in inputs and variables of its own.",
			 label(m, at), spb_storage_class_name(class));
	if (found && spb_merged_claim(g->merged, TYPE, found, 0) != type)
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_GLOBAL, place(m, at),
			 "%s is also declared in %s, but differently: make the declarations identical (members, "
			 "offsets, qualifiers such as readonly), or rename one",
			 label(m, at), g->u->m.name);
	return found;
}

static void join_place(const struct spb_merge *g, spb_at at, uint32_t to, uint32_t decoration)
{
	const struct spb_module *m = g->from;
	struct spb_edit *e = &g->u->edit;
	uint32_t value, there, word;

	if (!number(g->merged, m, m->words[at + 2], decoration, &value))
		return;
	there = spb_merged_claim(g->merged, decoration, to, 0);
	if (there && there != value + 1)
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_GLOBAL, at,
			 "%s has %s %u here, but %u in %s" SPB_REMEDY "Use the same number, or none here.",
			 label(m, at), decoration == SpvDecorationBinding ? "the binding" : "the descriptor set", value,
			 there - 1, g->u->m.name);
	if (there)
		return;
	spb_merged_claim(g->merged, decoration, to, value + 1);
	word = to < e->m->bound ? spb_decoration(e->m, to, decoration) : 0;
	if (word)
		spb_patch(e, word, value);
	else
		spb_add_decoration(e, to, decoration, &value, 1);
}

void spb_merge_place(const struct spb_merge *g, spb_at at, uint32_t to)
{
	for (size_t i = 0; i < SPB_COUNT(places) && is_resource(g->from->words[at + 3]); i++)
		join_place(g, at, to, places[i]);
}
