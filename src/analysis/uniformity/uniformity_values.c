/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_values: what the value of each instruction depends on, by component. The table of opcodes covers most;
 * those that it calls special have code here. */
#include "analysis/paths/descriptor_paths.h"
#include "analysis/uniformity/uniformity_graph.h"
#include "ir/ids.h"
#include <spirv/unified1/GLSL.std.450.h>

enum { MAX_BUILTIN_NOTES = 256, MAX_BUILTIN_ARRAYS = 4 };

static void from(struct spb_uniformity *u, const struct spb_here *h, uint32_t id, uint32_t leaf)
{
	spb_use_value(u, id, leaf, h->node, h->function, h->block, SPB_STEP_DATA, SPB_UNIFORM_BOTH);
}

static void from_operands(struct spb_uniformity *u, const struct spb_here *h, bool componentwise, uint8_t mask)
{
	const struct spb_module *m = u->m;
	struct spb_operand o;
	struct spb_ids i;

	for (spb_ids_begin(&i, &o, m, h->at); spb_id_next(&i);) {
		uint32_t id = m->words[i.word];
		bool one = componentwise && spb_leaves_of(u, id) == h->leaves;
		spb_use_value(u, id, one ? h->leaf : SPB_ALL, h->node, h->function, h->block, SPB_STEP_DATA, mask);
	}
}

/* Given the values of specialization constants that --spec promises, does the block `label` never run, or always branch
 * elsewhere? With settings.quad the answer is no, because the graph then lacks other edges, too (those that lead to
 * OpKill). */
static bool is_never_taken(struct spb_uniformity *u, uint32_t label, const struct spb_here *h)
{
	const struct spb_cfg *g = spb_body_of(u, h->function)->cfg;
	uint32_t b = u->known.m && !u->settings.quad ? spb_block_of(g, label) : g->count;

	if (b == g->count)
		return false;
	return !spb_reachable(g, b) ||
	       (g->first_succ[b + 1] - g->first_succ[b] == 1 && g->succ[g->first_succ[b]] != h->block);
}

static bool is_extreme(uint32_t glsl)
{
	return (glsl >= GLSLstd450FMin && glsl <= GLSLstd450SMax) || glsl == GLSLstd450NMin || glsl == GLSLstd450NMax;
}

/* Is it the maximum, minimum, `and` or `or` of something and of shared memory, into which each invocation may have put
 * its own? Then it may be the same although that something differs. */
bool spb_may_absorb(const struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	uint32_t op = spb_op(m, at);
	struct spb_operand o;
	struct spb_ids i;

	if (op == SpvOpExtInst) {
		if (!is_extreme(m->words[at + 4]))
			return false;
	} else if (op != SpvOpBitwiseAnd && op != SpvOpBitwiseOr && op != SpvOpLogicalAnd && op != SpvOpLogicalOr) {
		return false;
	}
	for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
		spb_at load = m->def[m->words[i.word]];
		if (spb_op(m, load) == SpvOpLoad &&
		    spb_pointer_class(m, m->words[load + 3]) == SpvStorageClassWorkgroup)
			return true;
	}
	return false;
}

/* Does a loop carry such a maximum? It is taken for a reduction, to which each invocation has contributed: is `value`,
 * which it computes, one of the phi and of shared memory? */
static bool carries_extreme(const struct spb_uniformity *u, uint32_t value, uint32_t phi)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[value];
	struct spb_operand o;
	struct spb_ids i;

	for (spb_ids_begin(&i, &o, m, at); spb_may_absorb(u, at) && spb_id_next(&i);) {
		if (m->words[i.word] == phi)
			return true;
	}
	return false;
}

static void behind_phi(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	const struct spb_body *body = spb_body_of(u, h->function);
	uint32_t first = 0;
	bool differ = false, killed = spb_is_killed_join(body, h->block);
	uint8_t mask = SPB_UNIFORM_BOTH;

	for (uint32_t w = h->at + 3; w + 1 < spb_next(m, h->at); w += 2)
		mask |= carries_extreme(u, m->words[w], h->id) ? SPB_PERHAPS | SPB_UNLIKELY : 0;
	for (uint32_t w = h->at + 3; w + 1 < spb_next(m, h->at); w += 2) {
		if (is_never_taken(u, m->words[w + 1], h))
			continue;
		spb_use_value(u, m->words[w], h->leaf, h->node, h->function, h->block, SPB_STEP_DATA, mask);
		spb_use_despite_killed(u, m->words[w], h->node, h->function, spb_block_of(body->cfg, m->words[w + 1]));
		differ |= first && m->words[w] != first;
		first = m->words[w];
	}
	if (differ || killed)
		spb_use_branches(u, h->node, h->function, h->block, SPB_UNIFORM_BOTH | (differ ? 0 : SPB_PERHAPS));
}

static void behind_construct(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	uint32_t type = m->words[h->at + 1], first = 0;
	bool array = spb_def_op(m, type) == SpvOpTypeArray;

	for (uint32_t w = h->at + 3; w < spb_next(m, h->at); w++) {
		const uint32_t each = spb_leaves_of(u, m->words[w]);
		if (array)
			from(u, h, m->words[w], each == h->leaves ? h->leaf : SPB_ALL);
		else if (h->leaves == 1)
			from(u, h, m->words[w], SPB_ALL);
		else if (h->leaf >= first && h->leaf < first + each)
			from(u, h, m->words[w], h->leaf - first);
		first += each;
	}
}

/* Follows literal indexes from `word` on to the leaves and the type of a part. False: the part is not known exactly. */
static bool part_of(struct spb_uniformity *u, uint32_t type, uint32_t word, uint32_t end, uint32_t *first,
		    uint32_t *count)
{
	*first = 0;
	*count = spb_leaf_count(u, type);
	for (; word < end && type; word++) {
		uint32_t f, n, whole = spb_leaf_count(u, type);
		type = spb_leaf_member(u, type, u->m->words[word], &f, &n);
		if (whole != *count)
			return false;
		*first += f;
		*count = n;
	}
	return type != 0;
}

static void behind_extract(struct spb_uniformity *u, const struct spb_here *h)
{
	uint32_t composite = u->m->words[h->at + 3], first, count;

	if (part_of(u, spb_type_of(u->m, composite), h->at + 4, spb_next(u->m, h->at), &first, &count) &&
	    count == h->leaves)
		from(u, h, composite, first + h->leaf);
	else
		from(u, h, composite, SPB_ALL);
}

static void behind_insert(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	uint32_t object = m->words[h->at + 3], composite = m->words[h->at + 4], first, count;
	bool exact = part_of(u, m->words[h->at + 1], h->at + 5, spb_next(m, h->at), &first, &count);
	bool inside = !exact || (h->leaf >= first && h->leaf < first + count);
	bool array = false;

	for (uint32_t w = h->at + 5, type = m->words[h->at + 1]; w < spb_next(m, h->at) && type; w++) {
		uint32_t f, n;
		array |= spb_def_op(m, type) == SpvOpTypeArray || h->leaves == 1;
		type = spb_leaf_member(u, type, m->words[w], &f, &n);
	}
	if (inside)
		from(u, h, object, exact && spb_leaves_of(u, object) == count ? h->leaf - first : SPB_ALL);
	if (!inside || !exact || array)
		from(u, h, composite, h->leaf);
}

static void behind_shuffle(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	uint32_t n = spb_leaves_of(u, m->words[h->at + 3]);
	uint32_t which = h->at + 5 + h->leaf < spb_next(m, h->at) ? m->words[h->at + 5 + h->leaf] : SPB_ALL;

	if (which == SPB_ALL) { /* a component of neither vector */
		if (!u->settings.marks_only)
			spb_lose(u, h->node, SPB_SOURCE_UNDEFINED);
		return;
	}
	if (which < n)
		from(u, h, m->words[h->at + 3], which);
	else
		from(u, h, m->words[h->at + 4], which - n);
}

/* Leaf 0, which object: depends only on the indexes that select descriptors. Leaf 1, which place: on all of them. */
static void behind_chain(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	struct spb_selection s = spb_selection_of(m, h->at);
	/* after the ids of a raw chain there are flags */
	uint32_t end = spb_op(m, h->at) == OpRawAccessChainNV ? h->at + 7 : spb_next(m, h->at);

	from(u, h, m->words[s.base], h->leaf);
	if (h->leaf == SPB_ADDRESS)
		from(u, h, m->words[s.base], 0);
	for (uint32_t w = s.base + 1; w < end; w++) {
		if (h->leaf == SPB_ADDRESS || w < s.end)
			from(u, h, m->words[w], SPB_ALL);
	}
}

static bool is_builtin(const struct spb_module *m, uint32_t id, uint32_t *builtin)
{
	uint32_t w = spb_decoration(m, id, SpvDecorationBuiltIn);

	if (w)
		*builtin = m->words[w];
	return w != 0;
}

static bool is_member_builtin(const struct spb_module *m, uint32_t type, uint32_t member, uint32_t *builtin)
{
	uint32_t end = m->first_note[type + 1];

	if (end - m->first_note[type] > MAX_BUILTIN_NOTES) /* gl_PerVertex has a dozen */
		end = m->first_note[type] + MAX_BUILTIN_NOTES;
	for (uint32_t i = m->first_note[type]; i < end; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpMemberDecorate && m->words[at + 1] == type && m->words[at + 2] == member &&
		    m->words[at + 3] == SpvDecorationBuiltIn) {
			*builtin = m->words[at + 4];
			return true;
		}
	}
	return false;
}

/* Vulkan, "Interpolation Decorations": a Flat input has one value for the whole primitive, and so has each element of
 * one with the values of its vertices. */
static uint8_t shared_by_fragments(const struct spb_module *m, uint32_t root, bool is_builtin, uint32_t builtin)
{
	if (is_builtin)
		return spb_uniformity_of_fragments(builtin);
	return root && (spb_decoration(m, root, SpvDecorationFlat) ||
			spb_decoration(m, root, SpvDecorationPerPrimitiveNV) ||
			spb_decoration(m, root, SpvDecorationPerVertexKHR))
		   ? SPB_UNIFORM_BOTH
		   : 0;
}

static void behind_input(struct spb_uniformity *u, const struct spb_here *h, uint32_t pointer)
{
	const struct spb_module *m = u->m;
	uint32_t root = spb_region_of(u, pointer).root, builtin = 0, type;
	struct spb_node *n = &u->graph.nodes.items[h->node];
	bool known = root && is_builtin(m, root, &builtin);

	if (!known && root && spb_def_op(m, pointer) != SpvOpVariable) { /* gl_PerVertex, for example */
		spb_at chain = m->def[pointer];
		uint32_t end = spb_next(m, chain);
		if (end > chain + 4 + MAX_BUILTIN_ARRAYS) /* gl_in has one */
			end = chain + 4 + MAX_BUILTIN_ARRAYS;
		type = spb_pointee(m, root);
		for (uint32_t w = chain + 4; w < end && m->words[chain + 3] == root && type && !known; w++) {
			uint64_t index;
			if (spb_def_op(m, type) == SpvOpTypeStruct) {
				known = spb_constant_value(m, m->words[w], &index) &&
					is_member_builtin(m, type, (uint32_t)index, &builtin);
			}
			type = spb_array_element(m, type); /* 0 after a structure */
		}
	}
	struct spb_region r = spb_region_of(u, pointer);
	if (h->leaves == r.count) {
		r.first = (uint16_t)(r.first + h->leaf);
		r.count = 1;
	}
	uint8_t shared = u->settings.quad ? shared_by_fragments(m, root, known, builtin) : 0;
	if (shared) {
		if (shared != SPB_UNIFORM_BOTH)
			spb_lose(u, h->node, SPB_SOURCE_SUBGROUP_ONLY);
	} else if (known) {
		n->builtin = builtin < UINT16_MAX ? (uint16_t)builtin : UINT16_MAX;
		spb_lose(u, h->node, SPB_SOURCE_BUILTIN);
	} else if (root && spb_inherits(u, root, spb_leaf_bits(r))) {
		spb_lose(u, h->node, SPB_SOURCE_INHERITED);
	} else if (root && spb_inherits_likely(u, root, spb_leaf_bits(r))) {
		spb_lose(u, h->node, SPB_SOURCE_OF_STAGE);
	} else {
		spb_lose(u, h->node, SPB_SOURCE_INPUT);
	}
}

enum { QUAD_ALL = 5110, QUAD_ANY = 5111 /* OpGroupNonUniformQuad…KHR */ };

static void behind_shared(struct spb_uniformity *u, const struct spb_here *h, bool is_volatile)
{
	spb_at racing = 0;

	if (!is_volatile && spb_is_same_for_group(u, h->function, h->block, h->at, &racing)) {
		u->graph.nodes.items[h->node].fact = SPB_FACT_SHARED;
		return;
	}
	spb_lose(u, h->node, SPB_SOURCE_WRITTEN);
	if (racing && !u->settings.silent)
		SPB_PUSH(u->arena, &u->sections.races, ((struct spb_race){h->node, racing}));
}

static void behind_load(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	uint32_t pointer = m->words[h->at + 3], storage_class = spb_pointer_class(m, pointer);
	struct spb_region r = spb_region_of(u, pointer);
	uint32_t volatile_bit = spb_length(m, h->at) > 4 ? m->words[h->at + 4] & SpvMemoryAccessVolatileMask : 0;

	from(u, h, pointer, 0);
	if (storage_class == SpvStorageClassUniformConstant && spb_is_opaque_type(m, m->words[h->at + 1]))
		return; /* a descriptor is uniform if its pointer is */
	spb_use_value(u, pointer, SPB_ADDRESS, h->node, h->function, h->block, SPB_STEP_ADDRESS, SPB_UNIFORM_BOTH);
	if (u->settings.marks_only && !(r.root && spb_is_local(m, r.root)))
		return;
	switch (storage_class) {
	case SpvStorageClassFunction:
	case SpvStorageClassPrivate:
		if (!r.root ||
		    ((m->has_unknown_ops || u->writes.locals) && !u->settings.marks_only)) /* which may write it */
			spb_lose(u, h->node, SPB_SOURCE_MEMORY);
		else
			spb_use_memory(u, pointer, h->leaf, h->leaves, h->node, h->function, h->block, h->at,
				       SPB_STEP_STORED);
		return;
	case SpvStorageClassInput:
		behind_input(u, h, pointer);
		return;
	case SpvStorageClassOutput:
		spb_lose(u, h->node, SPB_SOURCE_INPUT);
		return;
	case SpvStorageClassUniformConstant:
	case SpvStorageClassPushConstant:
	case SpvStorageClassUniform:
	case SpvStorageClassStorageBuffer:
	case SpvStorageClassPhysicalStorageBuffer:
		if (spb_is_read_only(u, pointer) && !volatile_bit)
			spb_lose(u, h->node, SPB_SOURCE_READ);
		else
			spb_lose(u, h->node, SPB_SOURCE_WRITTEN);
		return;
	case SpvStorageClassTaskPayloadWorkgroupEXT:
		/* SPV_EXT_mesh_shader, "Storage Class": it is "Shared across all invocations within a workgroup", and
		 * its variables "can be both read and written to in TaskEXT Execution Model, but are read-only in
		 * MeshEXT Execution Model". So all of a mesh workgroup see one payload, whatever wrote it. */
		if (r.root && !spb_bit(u->writes.written, r.root)) {
			spb_lose(u, h->node, SPB_SOURCE_READ);
			return;
		}
		/* fall through */
	case SpvStorageClassWorkgroup:
		behind_shared(u, h, volatile_bit != 0);
		return;
	case SpvStorageClassRayPayloadKHR:
	case SpvStorageClassIncomingRayPayloadKHR:
	case SpvStorageClassHitAttributeKHR:
	case SpvStorageClassCallableDataKHR:
	case SpvStorageClassIncomingCallableDataKHR:
	case SpvStorageClassShaderRecordBufferKHR:
		spb_lose(u, h->node, SPB_SOURCE_VARYING);
		return;
	default:
		spb_lose(u, h->node, SPB_SOURCE_MEMORY);
		return;
	}
}

/* The variable behind an image operand. */
static uint32_t image_root(struct spb_uniformity *u, uint32_t id)
{
	const struct spb_module *m = u->m;

	for (int left = SPB_MAX_IMAGE_STEPS;
	     left && (spb_def_op(m, id) == SpvOpImage || spb_def_op(m, id) == SpvOpSampledImage ||
		      spb_def_op(m, id) == SpvOpCopyObject);
	     left--)
		id = m->words[m->def[id] + 3];
	return spb_def_op(m, id) == SpvOpLoad ? spb_region_of(u, m->words[m->def[id] + 3]).root : 0;
}

static void behind_image(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	const struct spb_op_facts *row = spb_op_facts(spb_op(m, h->at));
	spb_at type = row->resource ? m->def[spb_type_of(m, m->words[h->at + row->resource])] : 0;

	from_operands(u, h, false, SPB_UNIFORM_BOTH);
	if (u->settings.marks_only || row->flags & SPB_OP_QUERY)
		return;
	if (spb_op(m, type) == SpvOpTypeSampledImage)
		type = m->def[m->words[type + 2]];
	if (spb_op(m, type) != SpvOpTypeImage)
		spb_lose(u, h->node, SPB_SOURCE_UNKNOWN);
	else if (m->words[type + 3] == SpvDimSubpassData)
		spb_lose(u, h->node, SPB_SOURCE_VARYING);
	else if (m->words[type + 7] == 1 || spb_is_unwritten(u, image_root(u, m->words[h->at + row->resource])))
		spb_lose(u, h->node, SPB_SOURCE_READ);
	else
		spb_lose(u, h->node, SPB_SOURCE_WRITTEN);
}

static void behind_call(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	uint32_t f = u->calls->function_of[m->words[h->at + 3]];

	if (!f || !spb_has_body(&m->function[f - 1])) {
		from_operands(u, h, false, SPB_UNIFORM_BOTH);
		spb_lose(u, h->node, SPB_SOURCE_UNKNOWN);
		return;
	}
	struct spb_body *body = spb_body_of(u, f - 1);
	if (!body->node.result)
		body->node.result = 1 + spb_node_new(u, SPB_NODE_RESULT, f - 1, f - 1, h->leaves);
	spb_cross(u, body->node.result - 1 + h->leaf, h->node, SPB_STEP_RETURNED,
		  (uint32_t)spb_first_from(&u->functions.sites, h->at));
}

/* The value may come from any call. */
static void behind_parameter(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	uint32_t number = spb_parameter_number(m, u->calls, h->id);
	bool called = false;

	for (uint32_t i = u->functions.first_site[h->function]; i < u->functions.first_site[h->function + 1]; i++) {
		spb_at at = u->functions.sites.items[u->functions.site_of[i]];
		if (at + 3 + number >= spb_next(m, at))
			continue;
		uint32_t argument = m->words[at + 3 + number], caller = spb_function_in(u, m->words[at + 2]);
		called = true;
		if (spb_is_constant(m, argument) || !spb_type_of(m, argument))
			continue;
		if (spb_leaves_of(u, argument) != h->leaves) {
			spb_lose(u, h->node,
				 SPB_SOURCE_UNKNOWN); /* a value passed for a pointer, as glslang does with handles */
			continue;
		}
		/* at the call: if the value left a loop on the way there, or if a ray was traced, the argument is a
		 * separate use */
		uint32_t given = spb_value_node(u, argument) + h->leaf;
		if (m->def[argument] >= m->section[SPB_SECTION_FUNCTION] &&
		    (spb_loops_in(u, caller) || (u->has_rays && spb_repacks(u, caller)))) {
			uint32_t use = spb_single_node(u, SPB_NODE_USE, at + 3 + number, caller);
			spb_use_value(u, argument, h->leaf, use, caller, spb_block_in(u, caller, at), SPB_STEP_DATA,
				      SPB_UNIFORM_BOTH);
			spb_need_node(u, use);
			given = use;
		}
		spb_cross(u, given, h->node, SPB_STEP_ARGUMENT, u->functions.site_of[i]);
	}
	if ((!called || spb_is_called_otherwise(u, h->function)) && !u->settings.marks_only)
		spb_lose(u, h->node, SPB_SOURCE_PARAMETER);
}

static bool scope_is(const struct spb_module *m, uint32_t id, uint32_t scope)
{
	uint64_t value;

	return spb_constant_value(m, id, &value) && value == scope && spb_def_op(m, id) == SpvOpConstant;
}

/* Edges from everything that decides whether an invocation still executes the instruction. */
static void use_arrival(struct spb_uniformity *u, const struct spb_here *h)
{
	uint8_t mask = SPB_UNIFORM_BOTH | SPB_PERHAPS;

	spb_use_control(u, h->node, h->function, h->block, mask);
	spb_add_edge(u, spb_gone_node(u), h->node, SPB_STEP_BRANCH, mask);
}

static void behind_group_operation(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	bool reduces = m->words[h->at + 4] == SpvGroupOperationReduce;

	if (reduces && spb_op(m, h->at) == SpvOpGroupNonUniformBallotBitCount)
		from_operands(u, h, false, SPB_UNIFORM_BOTH);
	else if (reduces && scope_is(m, m->words[h->at + 3], SpvScopeWorkgroup))
		return;
	else if (reduces && scope_is(m, m->words[h->at + 3], SpvScopeSubgroup))
		spb_lose(u, h->node, SPB_SOURCE_SUBGROUP_ONLY);
	else
		spb_lose(u, h->node, SPB_SOURCE_VARYING);
}

/* SPIR-V, OpGroupNonUniformBallotFindLSB: "If none of the considered bits is set to 1, the resulting value is
 * undefined." A ballot on true has the bit of the invocation that asks. */
static bool may_be_empty(const struct spb_module *m, uint32_t ballot)
{
	spb_at at = m->def[ballot];

	return spb_op(m, at) != SpvOpGroupNonUniformBallot || spb_def_op(m, m->words[at + 4]) != SpvOpConstantTrue;
}

static void behind_ext_inst(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	spb_at set = m->def[m->words[h->at + 3]];
	enum spb_transfer t = SPB_TRANSFER_UNKNOWN;

	if (spb_op(m, set) == SpvOpExtInstImport && !strcmp(spb_string(m, set + 2), "GLSL.std.450"))
		t = spb_uniformity_glsl(m->words[h->at + 4]);
	from_operands(u, h, t == SPB_TRANSFER_COMPONENTWISE,
		      SPB_UNIFORM_BOTH |
			  (t == SPB_TRANSFER_COMPONENTWISE && spb_may_absorb(u, h->at) ? SPB_PERHAPS : 0));
	if (u->settings.marks_only)
		return;
	if (t == SPB_TRANSFER_VARYING)
		spb_lose(u, h->node, SPB_SOURCE_VARYING);
	else if (t != SPB_TRANSFER_COMPONENTWISE && t != SPB_TRANSFER_JOIN && t != SPB_TRANSFER_SPECIAL)
		spb_lose(u, h->node, SPB_SOURCE_UNKNOWN);
}

static void behind_special(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	uint64_t known;

	switch (spb_op(m, h->at)) {
	case SpvOpVariable:
	case OpUntypedVariableKHR:
	case SpvOpFunction:
		return;
	case SpvOpFunctionParameter:
		behind_parameter(u, h);
		return;
	case SpvOpFunctionCall:
		behind_call(u, h);
		return;
	case SpvOpPhi:
		behind_phi(u, h);
		return;
	case SpvOpSelect:
		if (u->known.m && spb_folded_value(&u->known, m->words[h->at + 3], &known)) {
			from(u, h, m->words[h->at + (known ? 4 : 5)], h->leaf);
			return;
		}
		if (m->words[h->at + 4] != m->words[h->at + 5]) /* otherwise there is nothing to decide */
			from(u, h, m->words[h->at + 3],
			     spb_leaves_of(u, m->words[h->at + 3]) == h->leaves ? h->leaf : SPB_ALL);
		from(u, h, m->words[h->at + 4], h->leaf);
		from(u, h, m->words[h->at + 5], h->leaf);
		return;
	case SpvOpCopyObject:
	case SpvOpCopyLogical:
		from(u, h, m->words[h->at + 3], spb_leaves_of(u, m->words[h->at + 3]) == h->leaves ? h->leaf : SPB_ALL);
		return;
	case SpvOpCompositeConstruct:
		behind_construct(u, h);
		return;
	case SpvOpCompositeExtract:
		behind_extract(u, h);
		return;
	case SpvOpCompositeInsert:
		behind_insert(u, h);
		return;
	case SpvOpVectorShuffle:
		behind_shuffle(u, h);
		return;
	case SpvOpVectorInsertDynamic: /* the index may select any component */
		from(u, h, m->words[h->at + 3], h->leaf);
		from(u, h, m->words[h->at + 4], SPB_ALL);
		from(u, h, m->words[h->at + 5], SPB_ALL);
		return;
	case SpvOpVectorExtractDynamic:
		from_operands(u, h, false, SPB_UNIFORM_BOTH);
		return;
	case SpvOpSampledImage: /* in an invalid module, its type may have any number of leaves */
		from(u, h, m->words[h->at + (h->leaf ? 4 : 3)], 0);
		return;
	case SpvOpImage:
		from(u, h, m->words[h->at + 3], 0);
		return;
	case SpvOpImageTexelPointer:
	case OpUntypedImageTexelPointerEXT:
	case OpRawAccessChainNV:
		behind_chain(u, h);
		return;
	case SpvOpExtInst:
		behind_ext_inst(u, h);
		return;
	case SpvOpConvertUToAccelerationStructureKHR: /* not a descriptor but an address */
		return;
	default:
		if (spb_is_any_chain(spb_op(m, h->at))) {
			behind_chain(u, h);
			return;
		}
		from_operands(u, h, false, SPB_UNIFORM_BOTH);
		spb_lose(u, h->node, SPB_SOURCE_UNKNOWN);
		return;
	}
}

/* A shuffle that is a broadcast. */
static bool behind_running_shuffle(struct spb_uniformity *u, const struct spb_here *h)
{
	uint32_t loop, mask;

	if (!spb_shuffles_running(u, h->function, h->at, &loop, &mask))
		return false;
	spb_use_value(u, u->m->words[h->at + 4], h->leaf, h->node, h->function, h->block, SPB_STEP_DATA,
		      SPB_UNIFORM_GROUP);
	if (loop) {
		uint8_t both = SPB_UNIFORM_BOTH | SPB_PERHAPS;
		spb_use_value(u, mask, SPB_ALL, h->node, h->function, h->block, SPB_STEP_DATA, both);
		spb_add_edge(u, spb_loop_node(u, h->function, loop), h->node, SPB_STEP_LOOP, both);
		spb_add_edge(u, spb_gone_node(u), h->node, SPB_STEP_BRANCH, both);
	}
	spb_lose(u, h->node, SPB_SOURCE_BROADCAST);
	return true;
}

/* With settings.marks_only: everything depends on its operands, except what a subgroup operation makes uniform. */
static void behind_marks_only(struct spb_uniformity *u, const struct spb_here *h, uint32_t transfer)
{
	if (transfer == SPB_TRANSFER_SUBGROUP || transfer == SPB_TRANSFER_BROADCAST ||
	    transfer == SPB_TRANSFER_CONSTANT)
		return;
	from_operands(u, h, transfer == SPB_TRANSFER_COMPONENTWISE, SPB_UNIFORM_BOTH);
}

static bool is_alike(const struct spb_uniformity *u, spb_at broadcast)
{
	size_t i = spb_first_from(&u->alike, broadcast);

	return i < u->alike.count && u->alike.items[i] == broadcast;
}

static void behind_broadcast(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;

	if (is_alike(u, h->at)) {
		spb_use_value(u, m->words[h->at + 4], h->leaf, h->node, h->function, h->block, SPB_STEP_DATA,
			      SPB_UNIFORM_GROUP | SPB_PERHAPS | SPB_UNLIKELY);
		spb_use_value(u, m->words[h->at + 5], SPB_ALL, h->node, h->function, h->block, SPB_STEP_DATA,
			      SPB_UNIFORM_GROUP);
	} else {
		from_operands(u, h, true, SPB_UNIFORM_GROUP);
	}
	/* undefined if that invocation is inactive here */
	if (spb_op(m, h->at) == SpvOpGroupNonUniformBroadcast && spb_is_constant(m, m->words[h->at + 5]))
		use_arrival(u, h);
	spb_lose(u, h->node, SPB_SOURCE_BROADCAST);
}

/* Does the result depend on the other invocations of the subgroup? */
static bool is_of_subgroup(enum spb_transfer t, const struct spb_module *m, spb_at at)
{
	if (t == SPB_TRANSFER_BY_SCOPE || t == SPB_TRANSFER_GROUP_OPERATION)
		return !scope_is(m, m->words[at + 3], SpvScopeWorkgroup);
	return t == SPB_TRANSFER_SUBGROUP || t == SPB_TRANSFER_BROADCAST || t == SPB_TRANSFER_SHUFFLE;
}

void spb_behind_value(struct spb_uniformity *u, const struct spb_here *h)
{
	const struct spb_module *m = u->m;
	uint32_t op = spb_op(m, h->at);
	enum spb_transfer t = (enum spb_transfer)spb_op_facts(op)->transfer;
	bool marks_only = u->settings.marks_only;

	if (u->settings.heed_marks && spb_bit(u->marked, h->id))
		spb_lose(u, h->node, SPB_SOURCE_MARK);
	if (h->function != SPB_ALL && !marks_only && spb_body_of(u, h->function)->cfg->irreducible)
		spb_lose(u, h->node, SPB_SOURCE_UNKNOWN);
	if (!marks_only && h->leaf == 0 && h->leaves == 2 && u->settings.targets && op != SpvOpFunctionParameter &&
	    spb_has_one_target(u->settings.targets, h->id))
		return; /* whichever operand is chosen, it is the same descriptor */
	enum spb_fact fact = marks_only ? SPB_FACT_NONE : spb_fact_of(u, h->id, h->leaf);
	if (fact == SPB_FACT_LIKELY) {
		from_operands(u, h, true, SPB_UNIFORM_BOTH | SPB_PERHAPS | SPB_UNLIKELY);
		return;
	}
	if (fact != SPB_FACT_NONE) {
		u->graph.nodes.items[h->node].fact = (uint8_t)fact;
		return;
	}
	uint32_t parts[3];
	if (!marks_only && spb_is_shifted(u, h->id, parts)) {
		for (uint32_t i = 0; i < 3; i++)
			from(u, h, parts[i], SPB_ALL);
		from_operands(u, h, true, SPB_UNIFORM_BOTH | SPB_PERHAPS | SPB_UNLIKELY);
		return;
	}
	if (op == SpvOpLoad) {
		behind_load(u, h);
		return;
	}
	if (t == SPB_TRANSFER_SPECIAL) {
		behind_special(u, h);
		return;
	}
	if (u->settings.lanes && is_of_subgroup(t, m, h->at)) {
		spb_lose(u, h->node, SPB_SOURCE_VARYING);
		return;
	}
	if (t == SPB_TRANSFER_GROUP_OPERATION) {
		behind_group_operation(u, h);
		return;
	}
	if (marks_only) {
		behind_marks_only(u, h, t);
		return;
	}
	switch (t) {
	case SPB_TRANSFER_CONSTANT:
	case SPB_TRANSFER_NONE:
		return;
	case SPB_TRANSFER_COMPONENTWISE:
		from_operands(u, h, true, SPB_UNIFORM_BOTH | (spb_may_absorb(u, h->at) ? SPB_PERHAPS : 0));
		return;
	case SPB_TRANSFER_JOIN:
		from_operands(u, h, false, SPB_UNIFORM_BOTH);
		if ((op == SpvOpGroupNonUniformBallotFindLSB || op == SpvOpGroupNonUniformBallotFindMSB) &&
		    may_be_empty(m, m->words[h->at + 4]))
			spb_lose(u, h->node, SPB_SOURCE_UNDEFINED);
		return;
	case SPB_TRANSFER_SUBGROUP:
		spb_lose(u, h->node, SPB_SOURCE_SUBGROUP_ONLY);
		return;
	case SPB_TRANSFER_BROADCAST:
		behind_broadcast(u, h);
		return;
	case SPB_TRANSFER_SHUFFLE:
		if (u->settings.quad && op == SpvOpGroupNonUniformQuadBroadcast) {
			spb_lose(u, h->node, SPB_SOURCE_SUBGROUP_ONLY);
			return;
		}
		if (behind_running_shuffle(u, h))
			return;
		from_operands(u, h, false, SPB_UNIFORM_BOTH | (op == SpvOpGroupNonUniformShuffle ? SPB_PERHAPS : 0));
		spb_lose(u, h->node, SPB_SOURCE_SHUFFLE);
		return;
	case SPB_TRANSFER_BY_SCOPE:
		if (scope_is(m, m->words[h->at + 3], SpvScopeSubgroup))
			spb_lose(u, h->node, SPB_SOURCE_SUBGROUP_ONLY);
		else if (!scope_is(m, m->words[h->at + 3], SpvScopeWorkgroup))
			spb_lose(u, h->node, SPB_SOURCE_UNKNOWN);
		return;
	case SPB_TRANSFER_MEMORY:
		behind_image(u, h);
		return;
	case SPB_TRANSFER_VARYING:
		if (u->settings.quad && (op == QUAD_ALL || op == QUAD_ANY)) {
			spb_lose(u, h->node, SPB_SOURCE_SUBGROUP_ONLY);
			return;
		}
		spb_lose(u, h->node, SPB_SOURCE_VARYING);
		return;
	case SPB_TRANSFER_MISSING:
	case SPB_TRANSFER_UNKNOWN:
	case SPB_TRANSFER_SPECIAL:
	case SPB_TRANSFER_GROUP_OPERATION:
		from_operands(u, h, false, SPB_UNIFORM_BOTH);
		spb_lose(u, h->node, op == SpvOpUndef ? SPB_SOURCE_UNDEFINED : SPB_SOURCE_UNKNOWN);
		return;
	}
}
