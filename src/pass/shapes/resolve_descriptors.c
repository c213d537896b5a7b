/* SPDX-License-Identifier: Apache-2.0 */
/* resolve-descriptors: rewrites shapes of resources, and ways to reach them, that Vulkan rejects into ones it accepts.
 *
 *     uniform struct { sampler2D a, b[3]; } p[8]      p_a[8], p_b[24]: p[i].b[k] is p_b[i * 3 + k]
 *     uniform sampler2D t[2][3]                       t[6]: t[i][k] is t[i * 3 + k]
 *     RWBuffer<int> Arr[2]; Arr[0] = X; ... Arr[i]    uint Arr[2], which holds numbers of X, Y, ...
 *     f(t[i])                                         a copy of f for t, with i * 3 as its parameter
 *
 * Front ends leave these to a legalisation that inlines everything. Here the index flows where the descriptor did, and
 * the descriptor is loaded where it is used. A descriptor that the analysis resolves to a single one needs no index,
 * and where a use may mean several resources, a function switches over them. Modules without such shapes stay unchanged
 * (Vulkan, "Shader Resource Interface"; SPIR-V 2.16.1, "Universal Validation Rules": what may be done with images and
 * samplers).
 *
 * Refuses, before anything is changed: codes 2001 to 2007. */
#include "pass/builtin/builtin.h"
#include "pass/shapes/shape.h"

/* Tensors flow in no module that has been seen, and are left alone. */
static bool is_opaque(uint32_t op)
{
	return spb_op_is(op, SPB_OP_OPAQUE) && op != OpTypeTensorARM;
}

static void nest(struct shapes *p, uint32_t type, uint32_t inner)
{
	uint32_t levels = p->model.cells[inner] ? p->model.levels[inner] + 1u : 0;

	if (levels > p->model.levels[type])
		p->model.levels[type] = levels > MAX_DEPTH ? MAX_DEPTH : (uint8_t)levels;
}

/* SPIR-V 2.17, "Universal Limits", limits nesting; below it, walks down a type may recurse. */
static void check_levels(const struct shapes *p)
{
	for (uint32_t id = 1; id < p->m->bound; id++) {
		if (p->model.cells[id] && p->model.levels[id] == MAX_DEPTH)
			spb_refuse(p, SPB_E_TOO_MUCH, p->m->def[id],
				   "%s is nested %u or more levels deep" SPB_REMEDY "Flatten the structs and arrays.",
				   spb_label(p->arena, p->m, id), (unsigned)MAX_DEPTH);
	}
}

static void add_parts(const struct spb_module *m, spb_at at, uint32_t *types)
{
	uint32_t op = spb_op(m, at);

	if (op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray)
		spb_set_bit(types, m->words[at + 2]);
	for (uint32_t w = at + 2; op == SpvOpTypeStruct && w < spb_next(m, at); w++)
		spb_set_bit(types, m->words[w]);
}

/* Structs in a heap of SPV_EXT_descriptor_heap, where descriptors may be members: only untyped chains select from them.
 * Bits over ids; NULL: there are none. */
static uint32_t *find_heap_types(struct shapes *p)
{
	const struct spb_module *m = p->m;
	uint32_t *in_heaps, *elsewhere;

	if (!spb_has_capability(m, CapabilityDescriptorHeapEXT))
		return NULL;
	in_heaps = spb_bits(p->arena, m->bound);
	elsewhere = spb_bits(p->arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if (op == OpUntypedAccessChainKHR || op == OpUntypedInBoundsAccessChainKHR)
			spb_set_bit(in_heaps, m->words[at + 3]);
	}
	SPB_LIST(spb_at) types = {0};
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op_is(spb_op(m, at), SPB_OP_IS_TYPE))
			SPB_PUSH(p->arena, &types, at);
		if (spb_op(m, at) == SpvOpTypePointer)
			spb_set_bit(elsewhere, m->words[at + 3]);
	}
	for (size_t i = types.count; i-- > 0;) { /* parts come first */
		uint32_t id = m->words[types.items[i] + 1];
		if (spb_bit(elsewhere, id))
			add_parts(m, types.items[i], elsewhere);
		else if (spb_bit(in_heaps, id))
			add_parts(m, types.items[i], in_heaps);
	}
	for (uint32_t i = 0; i < (m->bound + 31) / 32; i++)
		in_heaps[i] &= ~elsewhere[i];
	return in_heaps;
}

/* Counts the descriptors in each type, and finds out whether ordinary data is mixed with them. */
static void count_cells(struct shapes *p)
{
	const struct spb_module *m = p->m;
	const uint32_t *in_heaps = find_heap_types(p);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		uint64_t cells = 0, length = 0;
		uint32_t id = spb_op_is(op, SPB_OP_IS_TYPE) ? m->words[at + 1] : 0;
		if (is_opaque(op)) {
			cells = op != SpvOpTypeAccelerationStructureKHR || !spb_structures_are_values(m);
		} else if (op == SpvOpTypeRuntimeArray) {
			cells = p->model.cells[m->words[at + 2]] ? UINT32_MAX : 0;
			p->model.mixed[id] = p->model.mixed[m->words[at + 2]];
			nest(p, id, m->words[at + 2]);
		} else if (op == SpvOpTypeArray) {
			bool known = spb_def_op(m, m->words[at + 3]) == SpvOpConstant &&
				     spb_constant_value(m, m->words[at + 3], &length) && length && length <= UINT32_MAX;
			cells = p->model.cells[m->words[at + 2]] * (known ? length : UINT32_MAX);
			p->model.mixed[id] = p->model.mixed[m->words[at + 2]];
			nest(p, id, m->words[at + 2]);
		} else if (op == SpvOpTypeStruct && !(in_heaps && spb_bit(in_heaps, id))) {
			bool data = false;
			for (uint32_t w = at + 2; w < spb_next(m, at); w++) {
				cells += p->model.cells[m->words[w]];
				data |= !p->model.cells[m->words[w]] || p->model.mixed[m->words[w]];
				nest(p, id, m->words[w]);
			}
			p->model.mixed[id] = cells && data;
		} else {
			continue;
		}
		p->model.cells[id] = cells > UINT32_MAX ? UINT32_MAX : (uint32_t)cells;
	}
}

static void find_plain_pointers(struct shapes *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) == SpvOpTypePointer && w[2] == SpvStorageClassUniformConstant &&
		    is_opaque(spb_def_op(m, w[3])) && !p->model.of_type[w[3]])
			p->model.of_type[w[3]] = w[1];
	}
}

/* A descriptor that is never assigned, as optimizers leave it: an OpUndef that a reachable block refers to. */
static bool is_used_undef(struct shapes *p, spb_at at)
{
	const struct spb_module *m = p->m;

	if (!p->model.cells[m->words[at + 1]])
		return false;
	if (at > m->section[SPB_SECTION_FUNCTION])
		return true;
	if (!p->used)
		p->used = spb_find_used(m, p->arena);
	return spb_bit(p->used, m->words[at + 2]);
}

/* Shapes that are visible in the globals alone. */
static bool globals_need_it(struct shapes *p, bool *any, bool *pointers)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		uint32_t op = spb_op(m, at), element;
		if ((op == SpvOpTypeStruct && p->model.cells[w[1]]) || (op == SpvOpUndef && is_used_undef(p, at)))
			return true;
		if (op == SpvOpTypePointer && p->model.cells[w[3]]) {
			*any = true;
			if (w[2] == SpvStorageClassFunction || w[2] == SpvStorageClassPrivate)
				return true;
		}
		if (op == SpvOpVariable && spb_is_resource_class(w[3]) && spb_def_op(m, w[1]) == SpvOpTypePointer) {
			element = spb_array_element(m, m->words[m->def[w[1]] + 3]);
			if (element && spb_array_element(m, element))
				return true;
		}
		if (op != SpvOpTypeFunction)
			continue;
		for (uint32_t i = 2; i < spb_length(m, at); i++) {
			spb_at type = m->def[w[i]];
			if (p->model.cells[w[i]])
				return true;
			*pointers |=
			    spb_op(m, type) == SpvOpTypePointer && m->words[type + 2] == SpvStorageClassUniformConstant;
		}
	}
	return false;
}

/* Does the call pass an untyped pointer for a typed parameter, as glslang 16 passes an element of a built-in heap? */
static bool loses_type(const struct spb_module *m, spb_at call)
{
	spb_at function = m->def[m->words[call + 3]];

	if (spb_op(m, function) != SpvOpFunction)
		return false;
	spb_at type = m->def[m->words[function + 4]];
	for (uint32_t i = 4; i < spb_length(m, call) && type + i - 1 < spb_next(m, type); i++) {
		uint32_t argument = spb_type_of(m, m->words[call + i]), parameter = m->words[type + i - 1];
		if (spb_def_op(m, argument) == OpTypeUntypedPointerKHR && spb_def_op(m, parameter) == SpvOpTypePointer)
			return true;
	}
	return false;
}

/* SPIR-V 2.16.1, "Universal Validation Rules": which instructions may take images and samplers, and what may be passed
 * to a function. */
static bool bodies_need_it(struct shapes *p, bool pointers)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if ((spb_op_is(op, SPB_OP_JOINS) && p->model.cells[m->words[at + 1]]) ||
		    (op == SpvOpUndef && is_used_undef(p, at)))
			return true;
		if (op != SpvOpFunctionCall || !pointers)
			continue;
		if (loses_type(m, at))
			return true;
		for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
			uint32_t from = spb_def_op(m, m->words[w]);
			if (from == SpvOpAccessChain && spb_bit(p->model.heaps, m->words[m->def[m->words[w]] + 3]))
				return true;
			spb_at type = m->def[spb_type_of(m, m->words[w])];
			if (!spb_op_is(from, SPB_OP_CHAIN) || spb_op(m, type) != SpvOpTypePointer ||
			    !p->model.cells[m->words[type + 3]])
				continue;
			uint32_t pointee = spb_def_op(m, m->words[type + 3]);
			if (pointee != SpvOpTypeImage && pointee != SpvOpTypeSampler)
				return true;
		}
	}
	return false;
}

/* Does an instruction examine it? That is only possible in unreachable code (shape_need.c), which stays. */
static bool is_looked_at(const struct spb_module *m, uint32_t undef)
{
	for (uint32_t i = m->first_use[undef]; i < m->first_use[undef + 1]; i++) {
		spb_at at = m->use[i].at;
		if (!spb_op_is(spb_op(m, at), SPB_OP_MOVES) && !spb_is_non_semantic(m, at))
			return true;
	}
	return false;
}

/* Removes types that have become unused: structs and arrays of arrays of descriptors, local memory for descriptors, and
 * types that depend on them. */
static void remove_types(struct shapes *p)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = p->e;
	uint32_t *gone = spb_bits(p->arena, m->bound);

	for (size_t i = 0; i < p->model.nodes.count; i++) { /* arrays of arrays of blocks */
		const struct node *n = &p->model.nodes.items[i];
		if (n->kind == NODE_ARRAY &&
		    p->model.nodes.items[p->model.children.items[n->children]].kind == NODE_ARRAY)
			spb_set_bit(gone, n->type);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		uint32_t op = spb_op(m, at), id = spb_result(m, at);
		bool goes = false;
		switch (op) {
		case SpvOpTypeStruct:
			goes = p->model.cells[w[1]] != 0;
			break;
		case SpvOpTypeArray:
		case SpvOpTypeRuntimeArray:
			goes = spb_bit(gone, w[1]) || spb_bit(gone, w[2]) ||
			       (p->model.cells[w[1]] && spb_array_element(m, w[2]));
			break;
		case SpvOpTypePointer:
			goes = spb_bit(gone, w[3]) || (p->model.cells[w[3]] && (w[2] == SpvStorageClassFunction ||
										w[2] == SpvStorageClassPrivate));
			break;
		case SpvOpTypeFunction:
			for (uint32_t i = 2; i < spb_length(m, at); i++)
				goes |= spb_bit(gone, w[i]) || p->model.cells[w[i]];
			break;
		case SpvOpUndef:
			goes = p->model.cells[w[1]] && !(is_opaque(spb_def_op(m, w[1])) && is_looked_at(m, w[2]));
			break;
		case SpvOpConstantNull:
		case SpvOpConstantComposite:
			goes = p->model.cells[w[1]] != 0;
			break;
		default:
			break;
		}
		if (!goes)
			continue;
		spb_set_bit(gone, id);
		spb_remove_id(e, id);
	}
}

/* Private memory for descriptors becomes memory for selectors, after all types that it needs. */
static void move_privates(struct shapes *p)
{
	const struct spb_module *m = p->m;

	for (size_t i = 0; i < p->flow.privates.count; i++) {
		const struct object *o = &p->flow.privates.items[i];
		spb_remove(p->e, m->def[o->id]);
		if (p->flow.private_needed[i])
			spb_add_global(p->e, SpvOpVariable,
				       W(spb_pointer_type(p->e, SpvStorageClassPrivate, spb_selector_type(p, o->type)),
					 o->id, SpvStorageClassPrivate));
		else
			spb_remove_notes(p->e, o->id);
	}
}

/* SPIR-V 3.3.6, "Mode-Setting Instructions" (OpEntryPoint): from 1.4 on, an entry point lists the globals it uses. A
 * function that selects among resources may use some that only another entry point listed. */
static void list_chosen(struct shapes *p)
{
	const struct spb_module *m = p->m;

	if (spb_version_word(m) < 0x00010400)
		return;
	for (size_t i = 0; i < p->model.leaves.count; i++) {
		const struct leaf *leaf = &p->model.leaves.items[i];
		if (!leaf->chosen)
			continue;
		uint32_t root = p->model.roots.items[leaf->root].variable;
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
		     at = spb_next(m, at)) {
			bool listed = spb_op(m, at) != SpvOpEntryPoint;
			for (uint32_t k = m->first_note[root]; k < m->first_note[root + 1]; k++)
				listed |= m->note[k].at == at;
			if (!listed)
				spb_interface_add(p->e, at, leaf->variable);
		}
	}
}

static void declare_capabilities(struct shapes *p)
{
	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		uint32_t dynamic = spb_descriptor_info((enum spb_descriptor)kind)->dynamic;
		if (!p->writer.dynamic[kind] || dynamic == UINT32_MAX)
			continue;
		spb_add_capability(p->e, dynamic);
		if (spb_version_word(p->m) < 0x00010500 && spb_is_descriptor_indexing(dynamic))
			spb_add_extension(p->e, "SPV_EXT_descriptor_indexing");
	}
}

/* Is it the type of a resource, or of a part of one, that holds one of these? */
static bool holds_any(const struct spb_module *m, spb_at at, const uint32_t *types)
{
	const uint32_t *w = m->words + at;
	bool holds = false;

	switch (spb_op(m, at)) {
	case SpvOpTypePointer:
		return w[2] == SpvStorageClassUniformConstant && spb_bit(types, w[3]);
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
		return spb_bit(types, w[2]);
	case SpvOpTypeStruct:
		for (uint32_t i = 2; i < spb_length(m, at); i++)
			holds |= spb_bit(types, w[i]);
		return holds;
	default:
		return false;
	}
}

/* glslang gives local images, and choices between images, a type without a format, and declares what reading and
 * writing such images needs: a feature of the host. The resources themselves have formats. */
static void remove_formatless(struct shapes *p)
{
	const struct spb_module *m = p->m;
	uint32_t *types = spb_bits(p->arena, m->bound);

	if (spb_has_capability(m, CapabilityDescriptorHeapEXT))
		return;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) == SpvOpTypeImage && w[7] != 1 && w[8] == SpvImageFormatUnknown)
			spb_set_bit(types, w[1]);
		else if (holds_any(m, at, types))
			return;
	}
	spb_remove_capability(p->e, SpvCapabilityStorageImageReadWithoutFormat);
	spb_remove_capability(p->e, SpvCapabilityStorageImageWriteWithoutFormat);
}

static struct shapes begin(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	struct shapes p = {.u = u, .m = m, .e = &u->edit, .arena = &u->m.context->scratch};

	p.model.cells = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.model.cells);
	p.model.mixed = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.model.mixed);
	p.model.levels = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.model.levels);
	p.model.heaps = spb_bits(p.arena, m->bound);
	for (size_t i = 0; i < u->handles.heaps.count; i++)
		spb_set_bit(p.model.heaps, u->handles.heaps.items[i].variable);
	p.builtin = spb_future_builtins(u);
	count_cells(&p);
	return p;
}

static bool is_needed(struct shapes *p)
{
	bool any = false, pointers = false;

	return globals_need_it(p, &any, &pointers) || (any && bodies_need_it(p, pointers));
}

bool spb_has_shapes(struct spb_unit *u)
{
	struct shapes p = begin(u);

	return is_needed(&p);
}

bool spb_pass_resolve_descriptors(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct shapes p = begin(u);

	if (!is_needed(&p))
		return false;
	if (m->has_unknown_ops)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_SHAPE_UNKNOWN_OPS, 0,
			 "resources have shapes that Vulkan rejects, but the module has opcodes that the grammar of "
			 "SPIR-V %s does not define" SPB_REMEDY
			 "Use a newer release of spirv-bind, or declare the resources in shapes that Vulkan accepts.",
			 spb_grammar_version());
	check_levels(&p);
	spb_module_need_uses(m);
	p.model.of_type = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.model.of_type);
	find_plain_pointers(&p);
	p.writer.map = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.writer.map);
	p.model.base_of = spb_pointer_bases(m, p.arena);
	SPB_PUSH(p.arena, &p.model.words, 0); /* so that the arrays are allocated */
	SPB_PUSH(p.arena, &p.flow.keys, 0);
	SPB_PUSH(p.arena, &p.flow.parameters, 0);
	spb_find_roots(&p);
	spb_scan_functions(&p);
	spb_check_events(&p);
	spb_find_lowered_parameters(&p);
	spb_analyse(&p);
	spb_find_needs(&p);
	spb_warn_of_unassigned(&p);

	spb_make_variables(&p);
	spb_rewrite_functions(&p);
	move_privates(&p);
	remove_types(&p);
	list_chosen(&p);
	declare_capabilities(&p);
	remove_formatless(&p);
	return true;
}
