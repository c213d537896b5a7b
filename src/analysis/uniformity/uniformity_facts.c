/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_facts: what follows from the size of the workgroup. GlobalInvocationId / LocalSize identifies the
 * workgroup, and LocalInvocationId / LocalSize is 0; likewise with shifts and masks. Also values that are 0 for any
 * input. Vulkan, "Built-In Variables": GlobalInvocationId is WorkgroupId * WorkgroupSize + LocalInvocationId, and
 * LocalInvocationId is less than WorkgroupSize. There are fewer than 2^32 invocations in each dimension, so nothing
 * wraps within a workgroup. No specification guarantees fewer than 2^31, so a signed division of GlobalInvocationId is
 * likely, but not known, to be uniform. */
#include <spirv/unified1/GLSL.std.450.h>

#include "analysis/uniformity/uniformity_graph.h"

enum { MAX_STEPS = 16 };

/* Vulkan, "Specialization Constants": the pipeline may give a constant another value than its default, so the default
 * proves nothing. A value that the caller promises does. */
static bool known_word(const struct spb_uniformity *u, uint32_t id, uint32_t *word)
{
	const struct spb_module *m = u->m;
	uint32_t op = spb_def_op(m, id);
	uint64_t value = 0;
	bool known =
	    op == SpvOpConstantNull || (op == SpvOpConstant ? spb_constant_value(m, id, &value)
							    : u->known.m && spb_folded_value(&u->known, id, &value));

	*word = known && value <= UINT32_MAX ? (uint32_t)value : 0;
	return known && value <= UINT32_MAX;
}

static bool is_spelled_out(const struct spb_module *m, spb_at constant)
{
	return spb_op(m, constant) == SpvOpConstantComposite || spb_op(m, constant) == SpvOpSpecConstantComposite;
}

/* The built-in constant WorkgroupSize takes precedence over the execution mode. */
static bool size_by_builtin(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationBuiltIn ||
		    m->words[at + 3] != SpvBuiltInWorkgroupSize)
			continue;
		spb_at constant = m->def[m->words[at + 1]];
		for (uint32_t i = 0; i < 3 && is_spelled_out(m, constant) && constant + 3 + i < spb_next(m, constant);
		     i++) {
			u->workgroup.size_id[i] = m->words[constant + 3 + i];
			known_word(u, u->workgroup.size_id[i], &u->workgroup.size[i]);
		}
		return true;
	}
	return false;
}

static bool has_workgroups(uint32_t model)
{
	return model == SpvExecutionModelGLCompute || model == SpvExecutionModelTaskNV ||
	       model == SpvExecutionModelMeshNV || model == 5364 || model == 5365; /* TaskEXT, MeshEXT */
}

void spb_find_local_size(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	uint32_t entries = 0, modes = 0;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at))
		entries += spb_op(m, at) == SpvOpEntryPoint && has_workgroups(m->words[at + 1]);
	if (!entries || size_by_builtin(u))
		return;
	for (spb_at at = m->section[SPB_SECTION_EXECUTION_MODE]; at < m->section[SPB_SECTION_SOURCE];
	     at = spb_next(m, at)) {
		bool by_id = spb_op(m, at) == SpvOpExecutionModeId && m->words[at + 2] == SpvExecutionModeLocalSizeId;
		if (!by_id && (spb_op(m, at) != SpvOpExecutionMode || m->words[at + 2] != SpvExecutionModeLocalSize))
			continue;
		for (uint32_t i = 0; i < 3 && at + 3 + i < spb_next(m, at); i++) {
			uint32_t size = m->words[at + 3 + i];
			if (by_id) {
				u->workgroup.size_id[i] = entries == 1 ? size : 0;
				known_word(u, size, &size);
			}
			if (modes && u->workgroup.size[i] != size)
				size = 0;
			u->workgroup.size[i] = size;
		}
		modes++;
	}
	if (modes != entries) /* one without a size, or the same entry point twice: unknown */
		u->workgroup.size[0] = u->workgroup.size[1] = u->workgroup.size[2] = 0;
}

/* A component of a built-in variable. */
struct origin {
	uint32_t builtin; /* + 1; 0: not a built-in */
	uint32_t component;
};

static struct origin of_load(struct spb_uniformity *u, spb_at load, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	uint32_t pointer = m->words[load + 3];
	struct spb_region r = spb_region_of(u, pointer);
	uint32_t w = r.root ? spb_decoration(m, r.root, SpvDecorationBuiltIn) : 0;

	if (!w || r.weak || spb_pointer_class(m, r.root) != SpvStorageClassInput)
		return (struct origin){0};
	return (struct origin){m->words[w] + 1, r.first + leaf};
}

/* The one store to a module-scope variable, which comes before each read of it; NULL: not so. */
static const struct spb_event *only_store(struct spb_uniformity *u, uint32_t variable, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	uint32_t count;
	const struct spb_event *e = spb_events_of(u, variable, &count);
	bool once = count == 1 && e->kind == SPB_EVENT_STORE && !u->writes.locals;

	return once && spb_length(m, m->def[variable]) == 4 && !spb_is_read_early(u, variable, leaf) ? e : NULL;
}

/* What was last stored to a variable that an invocation has for itself; NULL: unknown. */
static const struct spb_event *last_store(struct spb_uniformity *u, struct spb_region r, uint32_t leaf, spb_at at)
{
	if (r.weak)
		return NULL;
	if (spb_pointer_class(u->m, r.root) == SpvStorageClassPrivate)
		return only_store(u, r.root, r.first + leaf);
	struct spb_memory *y = spb_memory_of(u, r.root);
	if (y->flat)
		return NULL;
	struct spb_body *body = u->functions.body[y->function];
	uint32_t version = spb_version_before(u, y, spb_block_around(body->cfg, at), at);
	uint32_t event = u->contents.versions.items[version - 1].event;
	return event && body->events.items[event - 1].kind == SPB_EVENT_STORE ? &body->events.items[event - 1] : NULL;
}

/* Walks back over copies, extractions, and variables to which a value has just been stored. */
static struct origin origin_of(struct spb_uniformity *u, uint32_t id, uint32_t leaf)
{
	const struct spb_module *m = u->m;

	for (int left = MAX_STEPS; left; left--) {
		spb_at at = m->def[id];
		switch (spb_op(m, at)) {
		case SpvOpLoad: {
			struct spb_region r = spb_region_of(u, m->words[at + 3]), stored;
			if (!r.root || (spb_pointer_class(m, r.root) != SpvStorageClassPrivate &&
					(!spb_is_local(m, r.root) || !spb_is_own_memory(u, r.root))))
				return of_load(u, at, leaf);
			const struct spb_event *last = last_store(u, r, leaf, at);
			if (!last)
				return (struct origin){0};
			id = last->value;
			stored = spb_region_of(u, last->pointer);
			if (stored.weak || r.first + leaf < stored.first ||
			    r.first + leaf >= (uint32_t)stored.first + stored.count ||
			    spb_leaf_count(u, spb_type_of(m, id)) != stored.count)
				return (struct origin){0};
			leaf = r.first + leaf - stored.first;
			break;
		}
		case SpvOpBitcast: /* between int and uint, of as many components */
			if (spb_leaves_of(u, m->words[at + 3]) != spb_leaves_of(u, id))
				return (struct origin){0};
			id = m->words[at + 3];
			break;
		case SpvOpCopyObject:
			id = m->words[at + 3];
			break;
		case SpvOpCompositeConstruct: { /* of scalars */
			uint32_t count = spb_length(m, at) - 3;
			if (leaf >= count || spb_leaves_of(u, id) != count)
				return (struct origin){0};
			id = m->words[at + 3 + leaf];
			leaf = 0;
			break;
		}
		case SpvOpCompositeExtract:
			id = m->words[at + 3];
			if (spb_length(m, at) != 5 || spb_def_op(m, spb_type_of(m, id)) != SpvOpTypeVector)
				return (struct origin){0};
			leaf = m->words[at + 4];
			break;
		case SpvOpVectorShuffle: {
			uint32_t which = at + 5 + leaf < spb_next(m, at) ? m->words[at + 5 + leaf] : UINT32_MAX;
			uint32_t n = spb_leaf_count(u, spb_type_of(m, m->words[at + 3]));
			if (which == UINT32_MAX)
				return (struct origin){0};
			id = m->words[at + (which < n ? 3 : 4)];
			leaf = which < n ? which : which - n;
			break;
		}
		default:
			return (struct origin){0};
		}
	}
	return (struct origin){0};
}

/* The range of the component of an id within the workgroup; 0: not such an id, or unknown. */
static uint32_t local_range(const struct spb_uniformity *u, struct origin o)
{
	const uint32_t *s = u->workgroup.size;

	if (o.builtin == SpvBuiltInLocalInvocationId + 1 && o.component < 3)
		return s[o.component];
	if (o.builtin == SpvBuiltInLocalInvocationIndex + 1 && s[0] && s[1] && s[2] &&
	    (uint64_t)s[0] * s[1] * s[2] < 1u << 20)
		return s[0] * s[1] * s[2];
	return 0;
}

static uint32_t global_range(const struct spb_uniformity *u, struct origin o)
{
	return o.builtin == SpvBuiltInGlobalInvocationId + 1 && o.component < 3 ? u->workgroup.size[o.component] : 0;
}

static enum spb_fact is_same(struct spb_uniformity *u, uint32_t op, struct origin o, uint32_t by)
{
	uint32_t local = local_range(u, o), global = global_range(u, o), bits = 1;

	switch (op) {
	case SpvOpSDiv:
		if (!by || by > INT32_MAX)
			return SPB_FACT_NONE;
		return local && by >= local         ? SPB_FACT_SIZE
		       : global && by % global == 0 ? SPB_FACT_LIKELY
						    : SPB_FACT_NONE;
	case SpvOpShiftRightArithmetic:
		by = by < 32 ? by : 31;
		return local && 1u << by >= local           ? SPB_FACT_SIZE
		       : global && (1u << by) % global == 0 ? SPB_FACT_LIKELY
							    : SPB_FACT_NONE;
	case SpvOpUDiv:
		return by && ((local && by >= local) || (global && by % global == 0)) ? SPB_FACT_SIZE : SPB_FACT_NONE;
	case SpvOpShiftRightLogical:
		by = by < 32 ? by : 31;
		return (local && 1u << by >= local) || (global && (1u << by) % global == 0) ? SPB_FACT_SIZE
											    : SPB_FACT_NONE;
	default: /* OpBitwiseAnd */
		while (local && bits < local)
			bits *= 2;
		if (local)
			return (by & (bits - 1)) == 0 ? SPB_FACT_SIZE : SPB_FACT_NONE;
		return global && (global & (global - 1)) == 0 && (by & (global - 1)) == 0 ? SPB_FACT_SIZE
											  : SPB_FACT_NONE;
	}
}

/* Two specialization constants with the same SpecId have the same value, as far as their defaults agree. */
static bool is_same_constant(const struct spb_module *m, uint32_t a, uint32_t b)
{
	uint32_t x = spb_decoration(m, a, SpvDecorationSpecId), y = spb_decoration(m, b, SpvDecorationSpecId);

	return a == b || (x && y && m->words[x] == m->words[y] && spb_def_op(m, a) == SpvOpSpecConstant &&
			  spb_def_op(m, b) == SpvOpSpecConstant && spb_length(m, m->def[a]) == 4 &&
			  spb_length(m, m->def[b]) == 4 && m->words[m->def[a] + 3] == m->words[m->def[b] + 3]);
}

/* The id of the constant in a component of a value: the value itself, a constituent of a composite, or one that was
 * extracted from a composite. */
static uint32_t constant_part(const struct spb_module *m, uint32_t id, uint32_t leaf)
{
	spb_at at = m->def[id];
	uint32_t w = spb_op(m, at) == SpvOpSpecConstantOp && m->words[at + 3] == SpvOpCompositeExtract ? at + 4
		     : spb_op(m, at) == SpvOpCompositeExtract                                          ? at + 3
												       : 0;

	if (w && spb_next(m, at) == w + 2) {
		leaf = m->words[w + 1];
		at = m->def[m->words[w]];
		id = 0;
	}
	if (is_spelled_out(m, at) && leaf < spb_length(m, at) - 3)
		return m->words[at + 3 + leaf];
	return id;
}

/* Vulkan, "Built-In Variables": WorkgroupId * WorkgroupSize + LocalInvocationId, divided by WorkgroupSize, is
 * WorkgroupId; and LocalInvocationId is less than WorkgroupSize. So the value of the size is not needed. */
static bool is_by_size(struct spb_uniformity *u, spb_at at, uint32_t leaf)
{
	struct origin o;
	uint32_t by;

	if (spb_op(u->m, at) != SpvOpUDiv || !u->workgroup.size_id[0]) /* a size has three ids or none */
		return false;
	by = constant_part(u->m, u->m->words[at + 4], leaf);
	o = by ? origin_of(u, u->m->words[at + 3], leaf) : (struct origin){0};
	return o.component < 3 && u->workgroup.size_id[o.component] &&
	       is_same_constant(u->m, by, u->workgroup.size_id[o.component]) &&
	       (o.builtin == SpvBuiltInGlobalInvocationId + 1 || o.builtin == SpvBuiltInLocalInvocationId + 1);
}

/* The constant value of a component; false: not a constant. */
static bool constant_component(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t *value)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[id];

	if ((is_spelled_out(m, at) ||
	     (spb_op(m, at) == SpvOpCompositeConstruct && spb_leaves_of(u, id) == spb_length(m, at) - 3)) &&
	    at + 3 + leaf < spb_next(m, at))
		id = m->words[at + 3 + leaf];
	return known_word(u, id, value);
}

/* Do the result, and hence the operands, have 32-bit components? */
static bool is_word(const struct spb_module *m, spb_at at)
{
	spb_at type = m->def[m->words[at + 1]];

	if (spb_op(m, type) == SpvOpTypeVector)
		type = m->def[m->words[type + 2]];
	return spb_op(m, type) == SpvOpTypeInt && m->words[type + 2] == 32;
}

/* GLSL.std.450, UMin, UMax, UClamp and SClamp: one operand determines the result. A clamp between equal bounds is that
 * bound. */
static bool is_bound(struct spb_uniformity *u, spb_at at, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	uint32_t number = m->words[at + 4], a, b;
	bool min = number == GLSLstd450UMin, max = number == GLSLstd450UMax;

	if (number == GLSLstd450UClamp || number == GLSLstd450SClamp)
		return constant_component(u, m->words[at + 6], leaf, &a) &&
		       constant_component(u, m->words[at + 7], leaf, &b) && a == b;
	for (uint32_t w = at + 5; (min || max) && w < at + 7; w++) {
		if (constant_component(u, m->words[w], leaf, &a) && a == (min ? 0 : UINT32_MAX) && is_word(m, at))
			return true;
	}
	return false;
}

/* OpLogicalAnd with an operand known to be false, OpLogicalOr with one known to be true. */
static bool is_decided(const struct spb_uniformity *u, spb_at at)
{
	uint64_t known;

	for (uint32_t w = at + 3; u->known.m && w < at + 5; w++) {
		if (spb_folded_value(&u->known, u->m->words[w], &known) &&
		    (known != 0) == (spb_op(u->m, at) == SpvOpLogicalOr))
			return true;
	}
	return false;
}

/* A local id is below the size of the workgroup, so a comparison with a constant may have the same result for all.
 * Signed comparisons are those of the same numbers: a workgroup is small. */
static bool is_in_range(struct spb_uniformity *u, uint32_t op, uint32_t range, uint32_t bound, bool swapped)
{
	switch (op) {
	case SpvOpULessThan:
	case SpvOpSLessThan: /* id < bound: always; bound < id: never */
		return swapped ? bound >= range - 1 : bound >= range || bound == 0;
	case SpvOpULessThanEqual:
	case SpvOpSLessThanEqual:
		return swapped ? bound >= range || bound == 0 : bound >= range - 1;
	case SpvOpUGreaterThan:
	case SpvOpSGreaterThan:
		return is_in_range(u, SpvOpULessThan, range, bound, !swapped);
	case SpvOpUGreaterThanEqual:
	case SpvOpSGreaterThanEqual:
		return is_in_range(u, SpvOpULessThanEqual, range, bound, !swapped);
	default: /* OpIEqual, OpINotEqual */
		return bound >= range;
	}
}

static bool is_decided_by_range(struct spb_uniformity *u, spb_at at, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	uint32_t bound, range;

	for (uint32_t k = 0; k < 2; k++) {
		if (!constant_component(u, m->words[at + 4 - k], leaf, &bound) || bound > INT32_MAX)
			continue;
		range = local_range(u, origin_of(u, m->words[at + 3 + k], leaf));
		return range && range <= INT32_MAX && is_in_range(u, spb_op(m, at), range, bound, k == 1);
	}
	return false;
}

/* The value that a store leaves at the end of a block in a variable of one component; 0: another write does. */
static uint32_t stored_at_end(struct spb_uniformity *u, struct spb_memory *y, uint32_t block)
{
	struct spb_body *body = u->functions.body[y->function];
	const uint32_t version = spb_version_at_end(u, y, block); /* first, because it may move the list */
	const uint32_t event = u->contents.versions.items[version - 1].event;

	return event && body->events.items[event - 1].kind == SPB_EVENT_STORE ? body->events.items[event - 1].value : 0;
}

/* The two values of a loop's counter: before the first iteration, and after each. */
struct counter {
	uint32_t first, next;
	uint32_t phi, version; /* the counter itself */
	struct spb_memory *memory;
};

/* A value that is read from an OpPhi, or from a variable where its versions join. */
static bool find_counter(struct spb_uniformity *u, spb_at at, struct counter *c)
{
	const struct spb_module *m = u->m;
	uint32_t from[2], root, phi;
	const struct spb_cfg *g;

	if (spb_op(m, at) == SpvOpPhi && spb_length(m, at) == 7) {
		*c = (struct counter){.first = m->words[at + 3], .next = m->words[at + 5], .phi = m->words[at + 2]};
		return true;
	}
	root = spb_op(m, at) == SpvOpLoad && spb_length(m, at) == 4 ? spb_region_of(u, m->words[at + 3]).root : 0;
	if (!root || !spb_is_local(m, root) || !spb_is_own_memory(u, root) || spb_def_op(m, root) != SpvOpVariable ||
	    spb_leaf_count(u, spb_pointee(m, root)) != 1)
		return false;
	c->memory = spb_memory_of(u, root);
	if (c->memory->flat)
		return false;
	g = u->functions.body[c->memory->function]->cfg;
	c->phi = 0;
	c->version = spb_version_before(u, c->memory, spb_block_around(g, at), at);
	phi = u->contents.versions.items[c->version - 1].phi;
	uint32_t block = phi ? c->memory->phi[phi - 1].block : 0, ways = phi ? g->first_pred[block] : 0;
	if (!phi || g->first_pred[block + 1] - ways != 2)
		return false;
	for (uint32_t i = 0; i < 2; i++)
		from[i] = stored_at_end(u, c->memory, g->pred[ways + i]);
	c->first = from[0];
	c->next = from[1];
	return from[0] && from[1];
}

static bool is_counter(struct spb_uniformity *u, const struct counter *c, uint32_t id)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[id];

	if (c->phi)
		return id == c->phi;
	return spb_op(m, at) == SpvOpLoad && spb_length(m, at) == 4 &&
	       spb_region_of(u, m->words[at + 3]).root == c->memory->root &&
	       spb_version_before(u, c->memory, spb_block_in(u, c->memory->function, at), at) == c->version;
}

/* How much the counter grows in each iteration; 0: unknown. */
static uint32_t stride_of(struct spb_uniformity *u, const struct counter *c, uint32_t next)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[next];
	uint32_t by = 0;

	for (uint32_t k = 0; k < 2 && spb_op(m, at) == SpvOpIAdd && is_word(m, at); k++) {
		if (is_counter(u, c, m->words[at + 3 + k]) && known_word(u, m->words[at + 4 - k], &by))
			return by;
	}
	return 0;
}

/* In `for (i = lane; i < 256; i += 64)`, with 64 invocations, all of them make as many iterations: in each, their
 * counters are below the same multiple of the stride. A power of two, so that this is so even where they wrap. */
static bool is_decided_by_stride(struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	uint32_t op = spb_op(m, at), bound, range, stride;
	bool below = op == SpvOpULessThan || op == SpvOpSLessThan || op == SpvOpUGreaterThanEqual ||
		     op == SpvOpSGreaterThanEqual;
	struct counter c;

	for (uint32_t k = 0; k < 2 && op != SpvOpIEqual && op != SpvOpINotEqual; k++) {
		if (!known_word(u, m->words[at + 4 - k], &bound) || bound >= INT32_MAX ||
		    !find_counter(u, m->def[m->words[at + 3 + k]], &c))
			continue;
		bound += below == (k == 1);
		for (uint32_t way = 0; way < 2; way++) {
			stride = stride_of(u, &c, way ? c.first : c.next);
			range = stride ? local_range(u, origin_of(u, way ? c.next : c.first, 0)) : 0;
			if (range && range <= stride && !(stride & (stride - 1)))
				return bound % stride == 0 || bound % stride >= range;
		}
	}
	return false;
}

/* naga, the compiler of wgpu, divides in a function that replaces a divisor of 0 by 1:
 *
 *     %zero = OpIEqual %bool %b %c0
 *     %by = OpSelect %uint %zero %c1 %b
 *     %r = OpUDiv %uint %a %by             OpReturnValue %r
 */
static bool is_division_helper(const struct spb_uniformity *u, spb_at call)
{
	const struct spb_module *m = u->m;
	uint32_t f = u->calls->function_of[m->words[call + 3]], *parameter;
	spb_at last, divide, select;

	if (!f || spb_length(m, call) != 6 || u->functions.first_block[f] - u->functions.first_block[f - 1] != 1)
		return false;
	parameter = u->calls->parameters.items + u->calls->first_parameter[f - 1];
	last = u->functions.blocks.items[u->functions.first_block[f - 1]].end;
	divide = spb_op(m, last) == SpvOpReturnValue ? m->def[m->words[last + 1]] : 0;
	if (spb_op(m, divide) != SpvOpUDiv || m->words[divide + 3] != parameter[0])
		return false;
	select = m->def[m->words[divide + 4]];
	return spb_op(m, select) == SpvOpSelect && m->words[select + 5] == parameter[1] &&
	       spb_def_op(m, m->words[select + 3]) == SpvOpIEqual &&
	       m->words[m->def[m->words[select + 3]] + 3] == parameter[1];
}

uint8_t spb_is_own_number(struct spb_uniformity *u, uint32_t id, uint32_t leaf)
{
	struct origin o = origin_of(u, id, leaf);
	const uint32_t *s = u->workgroup.size;

	switch (o.builtin ? o.builtin - 1 : UINT32_MAX) {
	case SpvBuiltInLocalInvocationIndex:
		return SPB_UNIFORM_BOTH;
	case SpvBuiltInSubgroupLocalInvocationId:
		return SPB_UNIFORM_SUBGROUP;
	case SpvBuiltInLocalInvocationId:
	case SpvBuiltInGlobalInvocationId: /* in one dimension */
		for (uint32_t i = 0; i < 3; i++) {
			if (i != o.component && s[i] != 1)
				return 0;
		}
		return SPB_UNIFORM_BOTH;
	default:
		return 0;
	}
}

/* Are both sums of one value? *a, *b: what is added to it. */
static bool share_addend(const struct spb_module *m, uint32_t first, uint32_t second, uint32_t *a, uint32_t *b)
{
	spb_at x = m->def[first], y = m->def[second];

	for (uint32_t k = 0; k < 4 && spb_op(m, x) == SpvOpIAdd && spb_op(m, y) == SpvOpIAdd; k++) {
		if (m->words[x + 3 + k / 2] != m->words[y + 3 + k % 2])
			continue;
		*a = m->words[x + 4 - k / 2];
		*b = m->words[y + 4 - k % 2];
		return true;
	}
	return false;
}

bool spb_is_shifted(struct spb_uniformity *u, uint32_t id, uint32_t parts[3])
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[id];
	uint32_t op = spb_op(m, at);
	struct counter c;

	if (op < SpvOpUGreaterThan || op > SpvOpSLessThanEqual)
		return false;
	for (uint32_t k = 0; k < 2; k++) {
		if (spb_def_op(m, m->words[at + 4 - k]) != SpvOpIAdd ||
		    !find_counter(u, m->def[m->words[at + 3 + k]], &c))
			continue;
		for (uint32_t way = 0; way < 4; way++) {
			uint32_t first = way / 2 ? c.next : c.first;
			spb_at next = m->def[way / 2 ? c.first : c.next];
			if (spb_op(m, next) != SpvOpIAdd)
				continue;
			parts[2] = m->words[next + 4 - way % 2];
			if (is_counter(u, &c, m->words[next + 3 + way % 2]) &&
			    share_addend(m, first, m->words[at + 4 - k], &parts[0], &parts[1]))
				return true;
		}
	}
	return false;
}

enum spb_fact spb_fact_of(struct spb_uniformity *u, uint32_t id, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[id];
	uint32_t op = spb_op(m, at), value;
	struct origin o, p;

	switch (op) {
	case SpvOpULessThan:
	case SpvOpSLessThan:
	case SpvOpULessThanEqual:
	case SpvOpSLessThanEqual:
	case SpvOpUGreaterThan:
	case SpvOpSGreaterThan:
	case SpvOpUGreaterThanEqual:
	case SpvOpSGreaterThanEqual:
	case SpvOpIEqual:
	case SpvOpINotEqual:
		return is_decided_by_range(u, at, leaf) || is_decided_by_stride(u, at) ? SPB_FACT_SIZE : SPB_FACT_NONE;
	case SpvOpFunctionCall:
		if (is_division_helper(u, at) && constant_component(u, m->words[at + 5], leaf, &value) && value)
			return is_same(u, SpvOpUDiv, origin_of(u, m->words[at + 4], leaf), value);
		return SPB_FACT_NONE;
	case SpvOpLoad:
		if (spb_pointer_class(m, m->words[at + 3]) != SpvStorageClassInput)
			return SPB_FACT_NONE;
		o = of_load(u, at, leaf);
		return local_range(u, o) == 1 || global_range(u, o) == 1 ? SPB_FACT_SIZE : SPB_FACT_NONE;
	case SpvOpIMul:
		return (constant_component(u, m->words[at + 3], leaf, &value) && value == 0) ||
		       (constant_component(u, m->words[at + 4], leaf, &value) && value == 0);
	case SpvOpISub:
		o = origin_of(u, m->words[at + 3], leaf);
		p = origin_of(u, m->words[at + 4], leaf);
		return m->words[at + 3] == m->words[at + 4] ||
		       (o.builtin == SpvBuiltInGlobalInvocationId + 1 && p.builtin == SpvBuiltInLocalInvocationId + 1 &&
			o.component == p.component);
	case SpvOpLogicalAnd:
	case SpvOpLogicalOr:
		return is_decided(u, at);
	case SpvOpBitwiseXor:
		return m->words[at + 3] == m->words[at + 4];
	case SpvOpUMod:
	case SpvOpSRem:
	case SpvOpSMod:
		return constant_component(u, m->words[at + 4], leaf, &value) && value == 1;
	case SpvOpExtInst:
		return m->words[at + 3] == spb_import(m, "GLSL.std.450") && is_bound(u, at, leaf);
	case SpvOpUDiv:
	case SpvOpSDiv:
	case SpvOpShiftRightLogical:
	case SpvOpShiftRightArithmetic:
	case SpvOpBitwiseAnd:
		break;
	default:
		return SPB_FACT_NONE;
	}
	if (is_by_size(u, at, leaf))
		return SPB_FACT_SIZE;
	for (uint32_t k = 0; k < 2; k++) { /* the mask may be the first operand */
		if (!constant_component(u, m->words[at + 4 - k], leaf, &value))
			continue;
		if (op == SpvOpBitwiseAnd && value == 0)
			return SPB_FACT_SIZE;
		if ((k == 0 || op == SpvOpBitwiseAnd) && is_word(m, at))
			return is_same(u, op, origin_of(u, m->words[at + 3 + k], leaf), value);
	}
	return SPB_FACT_NONE;
}
