/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_stages: inputs to which the stage before writes one value for a whole draw.
 *
 * Vulkan, "Scope" (of shaders): for stages without workgroups the invocation group is everything that belongs to one
 * drawing command, or to one draw of an indirect command with several; so the vertex shader and the stages after it
 * share a draw. Vulkan, "Interpolation Decorations": "Flat" gives a fragment the value of the provoking vertex. If all
 * vertices of a draw have the same value, so do all its fragments; without Flat they would not, as interpolation
 * rounds. The inputs of a tessellation control or geometry shader are not interpolated.
 *
 * More cautious than Vulkan: a value that depends on a built-in is not inherited, not even on DrawIndex, since there is
 * hardware that packs fragments of several draws of one indirect command together; but it is not known to differ.
 *
 * Vulkan, "Interface Matching" and VUID-RuntimeSpirv-OpEntryPoint-08743: an input is matched by an output of the same
 * location and component, and every input must be. So an entry point without such an output cannot come before. All
 * others of the program must agree.
 *
 * SPIR-V, "OpEmitVertex": it emits the current values of all outputs, which are undefined afterwards. So an output of a
 * geometry shader is the same for the draw if only one value is ever stored there, which is the same wherever it is
 * computed (from constants, memory that is not written, and inputs that are the same for the draw), and if each vertex
 * is emitted after such a store in its block.
 *
 * If functions that the entry point calls store to an output, it may hold any of the stored values (SPB_NODE_CONTENT),
 * provided that one is certain to be stored by the end (uniformity_private.c).
 *
 * With a mesh shader in the program, fragments read its outputs, which are not followed, since those that are not
 * written are undefined. Nor are those of tessellation control shaders. */
#include "analysis/uniformity/uniformity_graph.h"

enum {
	MOST_SAME = 8 /* nested instructions */,
	MOST_BEFORE = 8,
	MOST_SLOTS = 512,
	MOST_ELEMENTS = 64,
	MOST_DEPTH = 8,
	PER_VERTEX = 5285,
	MESH_EXT = 5365
};

struct slot { /* a component of an input or output */
	uint32_t location, component;
	uint32_t variable, leaf;
	bool flat;
};

struct slots {
	struct slot *items;
	size_t count, capacity;
};

/* How many components of a location a scalar takes; 0: not a type for an interface. */
static uint32_t components_of(const struct spb_module *m, uint32_t type)
{
	uint32_t op = spb_def_op(m, type);

	if (op != SpvOpTypeInt && op != SpvOpTypeFloat)
		return 0;
	return m->words[m->def[type] + 2] > 32 ? 2 : 1;
}

/* Vulkan, "Location Assignment" and "Component Assignment": 64 bits take two components, and vectors of three or four
 * of these take two locations. Both components of 64 bits have one leaf. */
static bool add_vector(struct spb_uniformity *u, struct slots *list, struct slot *s, uint32_t scalar, uint32_t count)
{
	uint32_t each = components_of(u->m, scalar);

	for (uint32_t i = 0; i < count && i < 4; i++) {
		for (uint32_t k = 0; k < each; k++) {
			struct slot here = *s;
			uint32_t place = s->component + i * each + k;
			here.location += place / 4;
			here.component = place % 4;
			here.leaf += i;
			SPB_PUSH(u->arena, list, here);
		}
	}
	s->location += each * count > 4 ? 2 : 1;
	return each && count <= 4;
}

/* Adds the components of a type from s.location on, which becomes the next free one. False: the type is invalid in an
 * interface, or has too many components. */
static bool add_slots(struct spb_uniformity *u, struct slots *list, struct slot *s, uint32_t type, uint32_t depth)
{
	const struct spb_module *m = u->m;
	spb_at at = m->def[type];
	uint64_t length;
	struct slot here;
	uint32_t part;

	if (depth == MOST_DEPTH || list->count > MOST_SLOTS)
		return false;
	switch (spb_op(m, at)) {
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
		return add_vector(u, list, s, type, 1);
	case SpvOpTypeVector:
		return add_vector(u, list, s, m->words[at + 2], m->words[at + 3]);
	case SpvOpTypeMatrix:
	case SpvOpTypeArray:
		if (spb_op(m, at) == SpvOpTypeMatrix)
			length = m->words[at + 3];
		else if (spb_def_op(m, m->words[at + 3]) != SpvOpConstant ||
			 !spb_constant_value(m, m->words[at + 3], &length))
			return false;
		part = spb_op(m, at) == SpvOpTypeMatrix ? spb_leaf_count(u, m->words[at + 2]) : 0;
		here = *s; /* the elements of an array share their leaves */
		for (uint32_t i = 0; i < length && i <= MOST_ELEMENTS; i++, here.leaf += part) {
			if (i == MOST_ELEMENTS || !add_slots(u, list, &here, m->words[at + 2], depth + 1))
				return false;
		}
		s->location = here.location;
		return true;
	case SpvOpTypeStruct:
		if (spb_leaf_count(u, type) == 1 && spb_length(m, at) > 3)
			return false; /* its members share one leaf */
		for (uint32_t i = 0; i + 2 < spb_length(m, at); i++) {
			uint32_t first, count, member = spb_leaf_member(u, type, i, &first, &count);
			here = *s;
			here.leaf += first;
			if (!member || count != spb_leaf_count(u, member) ||
			    !add_slots(u, list, &here, member, depth + 1))
				return false;
			s->location = here.location;
		}
		return true;
	default:
		return false;
	}
}

/* The location of a member of a block; false: it has none, or is a built-in. */
static bool place_member(const struct spb_module *m, uint32_t type, uint32_t member, struct slot *s, bool *placed)
{
	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) != SpvOpMemberDecorate || m->words[at + 1] != type || m->words[at + 2] != member)
			continue;
		switch (m->words[at + 3]) {
		case SpvDecorationLocation:
			s->location = m->words[at + 4];
			*placed = true;
			break;
		case SpvDecorationComponent:
			s->component = m->words[at + 4];
			break;
		case SpvDecorationFlat:
			s->flat = true;
			break;
		case SpvDecorationBuiltIn:
		case SpvDecorationPatch:
		case SpvDecorationPerPrimitiveNV:
		case PER_VERTEX:
			return false;
		default:
			break;
		}
	}
	return *placed;
}

/* `arrayed`: it has an element for each vertex of a primitive. */
static void add_variable(struct spb_uniformity *u, struct slots *list, uint32_t variable, bool arrayed)
{
	const struct spb_module *m = u->m;
	uint32_t type = spb_pointee(m, variable), at = spb_decoration(m, variable, SpvDecorationLocation);
	uint32_t component = spb_decoration(m, variable, SpvDecorationComponent);
	bool placed = at != 0;
	size_t before = list->count;
	struct slot s = {.location = at ? m->words[at] : 0,
			 .component = component ? m->words[component] : 0,
			 .variable = variable,
			 .flat = spb_decoration(m, variable, SpvDecorationFlat) != 0};

	if (spb_decoration(m, variable, SpvDecorationBuiltIn) || spb_decoration(m, variable, SpvDecorationPatch) ||
	    spb_decoration(m, variable, SpvDecorationPerPrimitiveNV) || spb_decoration(m, variable, PER_VERTEX))
		return;
	if (arrayed)
		type = spb_array_element(m, type);
	if (!type || m->first_note[type + 1] - m->first_note[type] > MOST_SLOTS)
		return;
	if (spb_def_op(m, type) == SpvOpTypeStruct && spb_leaf_count(u, type) == 1 && spb_length(m, m->def[type]) > 3)
		return; /* its members share one leaf */
	if (spb_def_op(m, type) != SpvOpTypeStruct) {
		if (!placed || !add_slots(u, list, &s, type, 0))
			list->count = before;
		return;
	}
	for (uint32_t i = 0; i + 2 < spb_length(m, m->def[type]); i++) { /* at most SPB_MAX_LEAVES */
		uint32_t member = m->words[m->def[type] + 2 + i], first, count;
		struct slot here = s;
		size_t kept = list->count;
		spb_leaf_member(u, type, i, &first, &count);
		here.leaf = first;
		here.component = 0;
		bool known = place_member(m, type, i, &here, &placed);
		if (!known || !add_slots(u, list, &here, member, 0) || count != spb_leaf_count(u, member)) {
			list->count = kept;
			placed = false; /* the next one must have its own location */
		}
		s.location = here.location;
	}
}

/* The inputs or outputs of an entry point by location. */
static struct slots slots_of(struct spb_uniformity *u, spb_at entry, uint32_t storage_class, bool arrayed)
{
	const struct spb_module *m = u->m;
	struct slots list = {0};

	for (struct spb_operand o = spb_operands(m, entry); spb_operand_next(&o);) {
		uint32_t id = o.kind == SPB_KIND_ID ? m->words[o.word] : 0;
		if (id && !(u->before.listed_twice && spb_bit(u->before.listed_twice, id)) &&
		    spb_def_op(m, id) == SpvOpVariable && m->words[m->def[id] + 3] == storage_class)
			add_variable(u, &list, id, arrayed);
	}
	return list;
}

/* What one entry point writes to the inputs of another: bits over its slots that it writes, and those that it writes
 * with one value for the draw. */
struct stage_writes {
	uint32_t *written, *same, *likely;
	struct spb_uniformity *u;
	uint32_t *output; /* [slots] the variable */
};

/* Does the pointer refer to memory whose contents are the same for the whole draw? */
static bool is_same_for_draw(struct spb_uniformity *u, uint32_t pointer)
{
	struct spb_region r = spb_region_of(u, pointer);

	switch (spb_pointer_class(u->m, pointer)) {
	case SpvStorageClassInput:
		return r.root && spb_inherits(u, r.root, spb_leaf_bits(r));
	case SpvStorageClassPushConstant:
	case SpvStorageClassUniform:
	case SpvStorageClassStorageBuffer:
		return r.root && spb_is_read_only(u, pointer);
	default:
		return false;
	}
}

static bool only_computes(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	return spb_op_is(op, SPB_OP_CHAIN) || op == SpvOpCopyObject || op == SpvOpCompositeExtract ||
	       op == SpvOpCompositeConstruct || op == SpvOpVectorShuffle || op == SpvOpSelect ||
	       (op != SpvOpExtInst && spb_op_facts(op)->transfer == SPB_TRANSFER_COMPONENTWISE);
}

/* Are two values the same in all invocations of a draw, whenever they are computed? With the same id twice: is it
 * constant over the draw? */
static bool are_same(struct spb_uniformity *u, uint32_t a, uint32_t b, uint32_t depth)
{
	const struct spb_module *m = u->m;
	spb_at x = m->def[a], y = m->def[b];
	uint32_t vertex = x; /* the index of a vertex of the primitive: an inherited input is the same for all */

	if (x < m->section[SPB_SECTION_FUNCTION])
		return x && a == b && spb_op(m, x) != SpvOpUndef && !(u->undefined && spb_bit(u->undefined, a));
	if (depth == MOST_SAME || m->words[x] != m->words[y])
		return false;
	if (spb_op(m, x) == SpvOpLoad && (spb_length(m, x) != 4 || !is_same_for_draw(u, m->words[x + 3])))
		return false;
	if (spb_op(m, x) != SpvOpLoad && !only_computes(m, x))
		return false;
	if (spb_op_is(spb_op(m, x), SPB_OP_CHAIN) && spb_pointer_class(m, a) == SpvStorageClassInput &&
	    spb_def_op(m, m->words[x + 3]) == SpvOpVariable)
		vertex = x + 4;
	for (struct spb_operand o = spb_operands(m, x); spb_operand_next(&o);) {
		for (uint32_t w = o.word; w < o.word + o.count && o.kind != SPB_KIND_RESULT; w++) {
			uint32_t p = m->words[w], q = m->words[y + (w - x)];
			if (w != vertex && (o.kind == SPB_KIND_ID ? !are_same(u, p, q, depth + 1) : p != q))
				return false;
		}
	}
	return true;
}

static bool reaches(struct spb_region r, uint32_t variable, uint32_t leaf)
{
	return r.root == variable && leaf >= r.first && leaf < (uint32_t)r.first + r.count;
}

/* Does the module only ever store one value to a leaf of an output? */
static bool has_one_value(struct spb_uniformity *u, uint32_t output, uint32_t leaf)
{
	uint32_t count, value = 0;
	const struct spb_event *events = spb_events_of(u, output, &count);
	struct spb_region first = {0};

	for (uint32_t i = 0; i < count; i++) {
		struct spb_region r = spb_region_of(u, events[i].pointer);
		if (events[i].kind != SPB_EVENT_STORE || r.root != output)
			return false;
		if (!reaches(r, output, leaf))
			continue;
		if (!value) {
			value = events[i].value;
			first = r;
		}
		if (r.weak || r.first != first.first || r.count != first.count ||
		    !are_same(u, value, events[i].value, 0))
			return false;
	}
	return value != 0;
}

/* Does the entry function itself emit each vertex, after a store to the leaf in the same block? */
static bool is_stored_for_each(struct spb_uniformity *u, uint32_t function, uint32_t output, uint32_t leaf)
{
	const struct spb_module *m = u->m;
	bool stored = false, any = false;

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		switch (spb_op(m, at)) {
		case SpvOpLabel:
			stored = false;
			break;
		case SpvOpStore:
			stored |= reaches(spb_region_of(u, m->words[at + 1]), output, leaf);
			break;
		case SpvOpEmitVertex:
		case SpvOpEmitStreamVertex:
			if (!stored || spb_function_at(u, at) != function)
				return false;
			any = true;
			stored = false;
			break;
		default:
			break;
		}
	}
	return any && !m->has_unknown_ops;
}

static struct stage_writes ask_stage_before(struct spb_uniformity *to, struct spb_program_modules p,
					    const struct slots *inputs, struct spb_module *m, spb_at entry,
					    const struct spb_calls *calls)
{
	bool geometry = m->words[entry + 1] == SpvExecutionModelGeometry;
	struct spb_uniformity_settings settings = to->settings;
	struct stage_writes s = {.written = spb_bits(to->arena, (uint32_t)inputs->count),
				 .same = spb_bits(to->arena, (uint32_t)inputs->count),
				 .likely = spb_bits(to->arena, (uint32_t)inputs->count),
				 .output = spb_alloc_zeroed(to->arena, inputs->count, sizeof *s.output)};
	uint32_t *question = spb_alloc_zeroed(to->arena, inputs->count, sizeof *question);
	uint32_t function = calls->function_of[m->words[entry + 2]];

	settings.marks_only = settings.heed_marks = settings.quad = false;
	settings.for_outputs = true;
	settings.targets = NULL;
	s.u = spb_uniformity_begin(m, calls, to->arena, settings);
	s.u->drafts = to->arena; /* store_of needs it afterwards */
	spb_uniformity_prepare(s.u);
	if (geometry)
		spb_uniformity_inherit(s.u, p);
	struct slots outputs = slots_of(s.u, entry, SpvStorageClassOutput, false);
	for (size_t i = 0; i < inputs->count; i++) {
		for (size_t k = 0; k < outputs.count && !s.output[i]; k++) {
			const struct slot *in = &inputs->items[i], *out = &outputs.items[k];
			if (in->location != out->location || in->component != out->component)
				continue;
			s.output[i] = out->variable;
			spb_set_bit(s.written, (uint32_t)i);
			if (!geometry)
				question[i] = spb_uniformity_ask_output(s.u, function - 1, out->variable, out->leaf);
			else if (has_one_value(s.u, out->variable, out->leaf) &&
				 is_stored_for_each(s.u, function - 1, out->variable, out->leaf))
				spb_set_bit(s.same, (uint32_t)i);
		}
	}
	if (geometry)
		return s;
	spb_uniformity_solve(s.u);
	for (size_t i = 0; i < inputs->count; i++) {
		if (s.output[i] && spb_uniformity_of(s.u, question[i]) & SPB_UNIFORM_GROUP)
			spb_set_bit(s.same, (uint32_t)i);
		else if (s.output[i] && !spb_uniformity_is_certain(s.u, question[i], SPB_UNIFORM_GROUP))
			spb_set_bit(s.likely, (uint32_t)i);
	}
	return s;
}

static struct spb_inherited *inherited_of(struct spb_uniformity *u, uint32_t variable)
{
	for (size_t i = 0; i < u->before.inherited.count; i++) {
		if (u->before.inherited.items[i].variable == variable)
			return &u->before.inherited.items[i];
	}
	SPB_PUSH(u->arena, &u->before.inherited, ((struct spb_inherited){.variable = variable}));
	return &u->before.inherited.items[u->before.inherited.count - 1];
}

/* The last store to an output, for explanations. */
static spb_at store_of(struct spb_uniformity *u, uint32_t output)
{
	uint32_t count;
	const struct spb_event *events = spb_events_of(u, output, &count);

	return count ? events[count - 1].at : u->m->def[output];
}

/* Is the slot an element of an array that is partly written? Its component stands for all elements. */
static bool is_partly_written(const struct slots *inputs, const struct stage_writes *s, size_t i)
{
	const struct slot *in = &inputs->items[i];

	for (size_t k = 0; k < inputs->count; k++) {
		if (inputs->items[k].variable == in->variable && inputs->items[k].leaf == in->leaf &&
		    spb_bit(s->written, (uint32_t)k))
			return true;
	}
	return false;
}

/* A component is inherited if each entry point that writes part of it writes all of it with one value for the draw. */
static void merge_writes(struct spb_uniformity *u, const struct slots *inputs, const struct stage_writes *s)
{
	for (size_t i = 0; i < inputs->count; i++) {
		struct spb_inherited *k = inherited_of(u, inputs->items[i].variable);
		uint64_t bit = (uint64_t)1 << inputs->items[i].leaf % SPB_MAX_LEAVES;
		if (spb_bit(s->same, (uint32_t)i)) {
			k->leaves |= bit;
			k->from = s->u->m;
			k->store = store_of(s->u, s->output[i]);
		} else if (is_partly_written(inputs, s, i)) {
			k->denied |= bit;
			*(spb_bit(s->likely, (uint32_t)i) ? &k->likely : &k->differs) |= bit;
		}
	}
}

static bool is_entry(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpEntryPoint;
}

static bool replaces_outputs(uint32_t model)
{
	return model == SpvExecutionModelMeshNV || model == MESH_EXT;
}

static bool may_come_before(uint32_t model, uint32_t later)
{
	return model == SpvExecutionModelVertex ||
	       (model == SpvExecutionModelGeometry && later == SpvExecutionModelFragment) ||
	       (model == SpvExecutionModelTessellationEvaluation && later != SpvExecutionModelTessellationControl);
}

/* Counts the entry points that may come before one of the model; too many if their outputs are not followed. */
static uint32_t count_before(struct spb_program_modules p, uint32_t model)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < p.count; i++) {
		const struct spb_module *m = p.modules[i];
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
		     at = spb_next(m, at)) {
			if (!is_entry(m, at))
				continue;
			count += may_come_before(m->words[at + 1], model);
			if (model == SpvExecutionModelFragment && replaces_outputs(m->words[at + 1]))
				return MOST_BEFORE + 1;
		}
	}
	return count;
}

/* Decoration groups are not supported. */
static bool is_readable(const struct spb_module *m, const struct spb_calls *calls, spb_at entry)
{
	uint32_t f = calls->function_of[m->words[entry + 2]];

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorationGroup)
			return false;
	}
	return f && spb_has_body(&m->function[f - 1]);
}

/* False: an entry point cannot be followed. */
static bool inherit_from(struct spb_uniformity *u, struct spb_program_modules p, struct spb_module *m,
			 const struct slots *inputs, uint32_t model)
{
	struct spb_calls calls = spb_find_calls(m, u->arena);

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (!is_entry(m, at) || !may_come_before(m->words[at + 1], model))
			continue;
		if (!is_readable(m, &calls, at))
			return false;
		struct stage_writes s = ask_stage_before(u, p, inputs, m, at, &calls);
		merge_writes(u, inputs, &s);
	}
	return true;
}

/* Finds the variables that several entry points list: different stages may come before them. */
static void find_listed_twice(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	uint32_t *once = spb_bits(u->arena, m->bound);

	u->before.listed_twice = spb_bits(u->arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		for (struct spb_operand o = spb_operands(m, at); is_entry(m, at) && spb_operand_next(&o);) {
			if (o.kind != SPB_KIND_ID)
				continue;
			if (spb_bit(once, m->words[o.word]))
				spb_set_bit(u->before.listed_twice, m->words[o.word]);
			spb_set_bit(once, m->words[o.word]);
		}
	}
}

static void inherit_at(struct spb_uniformity *u, struct spb_program_modules p, spb_at entry)
{
	uint32_t model = u->m->words[entry + 1], count = count_before(p, model);
	bool fragment = model == SpvExecutionModelFragment;
	struct slots inputs;
	size_t kept = 0;

	if (!count || count > MOST_BEFORE)
		return;
	if (!u->before.listed_twice)
		find_listed_twice(u);
	inputs = slots_of(u, entry, SpvStorageClassInput, !fragment);
	for (size_t i = 0; i < inputs.count; i++) {
		if (inputs.items[i].flat || !fragment)
			inputs.items[kept++] = inputs.items[i];
	}
	inputs.count = kept;
	for (uint32_t i = 0; i < p.count && kept; i++) {
		if (!inherit_from(u, p, p.modules[i], &inputs, model)) {
			u->before.inherited.count = 0;
			return;
		}
	}
}

void spb_uniformity_inherit(struct spb_uniformity *u, struct spb_program_modules p)
{
	const struct spb_module *m = u->m;

	if (u->settings.marks_only)
		return;
	for (uint32_t i = 0; i < p.count; i++)
		spb_module_need_index(p.modules[i]);
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		uint32_t model = is_entry(m, at) ? m->words[at + 1] : SpvExecutionModelVertex;
		if (model == SpvExecutionModelFragment || model == SpvExecutionModelGeometry ||
		    model == SpvExecutionModelTessellationControl)
			inherit_at(u, p, at);
	}
}
