/* SPDX-License-Identifier: Apache-2.0 */
/* shape_scan: finds what in each function has to do with descriptors, in one walk: ids (carriers), instructions
 * (events) and memory (objects). Analysis and rewriting look at nothing else. */
#include "pass/shapes/shape.h"

const struct carrier *spb_carrier_of(const struct shapes *p, uint32_t id)
{
	return p->flow.carrier_of[id] ? &p->flow.carriers.items[p->flow.carrier_of[id] - 1] : NULL;
}

enum carrier_kind spb_carrier_kind(const struct shapes *p, uint32_t id)
{
	return p->flow.carrier_of[id] ? p->flow.carriers.items[p->flow.carrier_of[id] - 1].kind : CARRIER_NONE;
}

bool spb_is_local_pointer_to_descriptors(const struct shapes *p, uint32_t id)
{
	return spb_carrier_kind(p, id) == CARRIER_LOCAL || spb_private_of(p, id);
}

/* The resource that an id is, or into which it points through access chains of this function alone. */
static const struct root *root_under(const struct shapes *p, uint32_t id)
{
	uint32_t base = p->model.base_of[id] ? p->model.base_of[id] : id;

	return spb_root_number(p, base) ? &p->model.roots.items[spb_root_number(p, base) - 1] : NULL;
}

/* Does a pointer into an array of arrays of blocks still point to blocks? */
static bool points_to_blocks(const struct shapes *p, const struct root *r, uint32_t type)
{
	uint32_t block = p->model.leaves.items[r->first_leaf].type;

	while (type && type != block)
		type = spb_array_element(p->m, type);
	return type == block;
}

static enum carrier_kind kind_of_pointer(const struct shapes *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t storage_class = m->words[m->def[m->words[at + 1]] + 2], id = m->words[at + 2];
	uint32_t pointee = m->words[m->def[m->words[at + 1]] + 3];
	const struct root *r = root_under(p, id);

	if (storage_class == SpvStorageClassImage)
		return spb_op(m, at) == SpvOpImageTexelPointer ? CARRIER_DERIVED : CARRIER_NONE;
	if (spb_type_holds_descriptors(p, pointee)) {
		if (storage_class == SpvStorageClassFunction || storage_class == SpvStorageClassPrivate)
			return CARRIER_LOCAL;
		return spb_is_resource_class(storage_class) ? CARRIER_PART : CARRIER_NONE;
	}
	if (!r || !r->reshaped)
		return CARRIER_NONE;
	if (r->has_data && spb_op(m, at) != SpvOpVariable)
		return CARRIER_DATA;
	return p->model.cells[p->model.nodes.items[r->node].type] == 0 && points_to_blocks(p, r, pointee)
		   ? CARRIER_PART
		   : CARRIER_NONE;
}

static void add_slot(struct shapes *p, spb_at at, uint32_t block)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, at), type, pointee;
	struct carrier carrier = {.block = block};

	if (op == SpvOpFunction || op == SpvOpConvertUToAccelerationStructureKHR || /* of an address, not a
										     * descriptor */
	    !spb_op_is(op, SPB_OP_HAS_TYPE) || !spb_op_is(op, SPB_OP_HAS_RESULT))
		return;
	type = m->words[at + 1];
	carrier.id = m->words[at + 2];
	if (spb_def_op(m, type) == SpvOpTypePointer) {
		pointee = m->words[m->def[type] + 3];
		carrier.kind = kind_of_pointer(p, at);
		carrier.cells = p->model.cells[pointee];
	} else if (spb_type_holds_descriptors(p, type)) {
		carrier.kind = op == SpvOpSampledImage || op == SpvOpImage ? CARRIER_DERIVED : CARRIER_VALUE;
		carrier.cells = p->model.cells[type];
	}
	if (carrier.kind == CARRIER_NONE)
		return;
	SPB_PUSH(p->arena, &p->flow.carriers, carrier);
	p->flow.carrier_of[carrier.id] = (uint32_t)p->flow.carriers.count;
}

bool spb_is_global_undef(const struct shapes *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	return spb_def_op(m, id) == SpvOpUndef && m->def[id] < m->section[SPB_SECTION_FUNCTION] &&
	       p->model.cells[m->words[m->def[id] + 1]];
}

static bool concerns_descriptors(const struct shapes *p, spb_at at)
{
	const struct spb_module *m = p->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (!spb_operand_is_id(&o))
			continue;
		uint32_t id = m->words[o.word];
		if (p->flow.carrier_of[id] || spb_root_number(p, id) || spb_private_of(p, id) ||
		    spb_is_global_undef(p, id))
			return true;
	}
	return false;
}

static void add_object(struct shapes *p, struct function *f, uint32_t id)
{
	const struct spb_module *m = p->m;
	uint32_t type = m->words[m->def[spb_type_of(m, id)] + 3], cells = p->model.cells[type];

	if (cells > MAX_CELLS) {
		bool unsized = spb_def_op(m, type) == SpvOpTypeRuntimeArray;
		spb_refuse(p, unsized ? SPB_E_UNSIZED_LOCAL : SPB_E_TOO_MUCH, m->def[id],
			   unsized ? "%s is a local array of descriptors without a size, but a copy of an array needs "
				     "one" SPB_REMEDY "Give it a size, or use the resource itself."
				   : "%s holds more than 4096 local descriptors, or is an array sized by a "
				     "specialization constant" SPB_REMEDY
				     "Use a smaller array of constant size, or the resource itself.",
			   spb_label(p->arena, m, id));
	}
	SPB_PUSH(p->arena, &p->flow.objects, ((struct object){id, type, f->state_cells, cells}));
	f->state_cells += cells;
	p->flow.carriers.items[p->flow.carrier_of[id] - 1].object = ++f->object_count;
}

static void scan_function(struct shapes *p, uint32_t number)
{
	const struct spb_module *m = p->m;
	struct function *f = &p->flow.functions[number];
	uint32_t block = 0;

	f->first_carrier = (uint32_t)p->flow.carriers.count;
	f->first_event = (uint32_t)p->flow.events.count;
	f->first_object = (uint32_t)p->flow.objects.count;
	f->first_parameter = (uint32_t)p->flow.parameters.count;
	for (spb_at at = m->function[number].at; at < m->function[number].end; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		bool matters = spb_op_is(op, SPB_OP_TERMINATOR) || op == SpvOpLabel || op == SpvOpFunctionCall;
		add_slot(p, at, block);
		if (op == SpvOpLabel) {
			p->flow.block_of[m->words[at + 1]] = f->block_count;
			block = f->block_count++;
		}
		if (op == SpvOpFunctionParameter) {
			SPB_PUSH(p->arena, &p->flow.parameters, m->words[at + 2]);
			f->parameter_count++;
		}
		if ((op == SpvOpFunctionParameter || op == SpvOpVariable) &&
		    spb_carrier_kind(p, m->words[at + 2]) == CARRIER_LOCAL)
			add_object(p, f, m->words[at + 2]);
		if (!matters && !concerns_descriptors(p, at))
			continue;
		SPB_PUSH(p->arena, &p->flow.events, ((struct event){at, block, f->call_count}));
		f->call_count += op == SpvOpFunctionCall;
	}
	f->carrier_count = (uint32_t)p->flow.carriers.count - f->first_carrier;
	f->event_count = (uint32_t)p->flow.events.count - f->first_event;
}

/* Private variables are memory of the whole module: any function may read what another stores. */
static void find_privates(struct shapes *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpVariable || m->words[at + 3] != SpvStorageClassPrivate)
			continue;
		uint32_t id = m->words[at + 2], type = m->words[m->def[m->words[at + 1]] + 3];
		if (!spb_type_holds_descriptors(p, type))
			continue;
		if (p->model.cells[type] > MAX_CELLS)
			spb_refuse(p, SPB_E_TOO_MUCH, at,
				   "%s holds more than %u descriptors, or an array without a size" SPB_REMEDY
				   "Use a smaller array of constant size.",
				   spb_label(p->arena, m, id), (unsigned)MAX_CELLS);
		SPB_PUSH(p->arena, &p->flow.privates,
			 ((struct object){id, type, p->flow.private_cell_count, p->model.cells[type]}));
		p->model.global_of[id] = UINT32_MAX - (uint32_t)p->flow.privates.count + 1;
		p->flow.private_cell_count += p->model.cells[type];
	}
	p->flow.private_cells = spb_alloc_zeroed(p->arena, p->flow.private_cell_count, sizeof *p->flow.private_cells);
	p->flow.private_needed = spb_alloc_zeroed(p->arena, p->flow.privates.count, sizeof *p->flow.private_needed);
}

static void mark_exports(struct shapes *p)
{
	const struct spb_module *m = p->m;

	for (uint32_t f = 0; f < m->function_count; f++) {
		uint32_t id = m->words[m->function[f].at + 2];
		for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
			uint32_t op = spb_op(m, m->note[i].at);
			p->flow.functions[f].exported |=
			    op == SpvOpEntryPoint ||
			    (op == SpvOpDecorate && m->words[m->note[i].at + 2] == SpvDecorationLinkageAttributes);
		}
	}
}

void spb_scan_functions(struct shapes *p)
{
	const struct spb_module *m = p->m;

	p->flow.carrier_of = spb_alloc_zeroed(p->arena, m->bound, sizeof *p->flow.carrier_of);
	p->flow.block_of = spb_alloc_zeroed(p->arena, m->bound, sizeof *p->flow.block_of);
	p->flow.function_of = spb_alloc_zeroed(p->arena, m->bound, sizeof *p->flow.function_of);
	p->flow.functions = spb_alloc_zeroed(p->arena, m->function_count, sizeof *p->flow.functions);
	find_privates(p);
	for (uint32_t f = 0; f < m->function_count; f++)
		p->flow.function_of[m->words[m->function[f].at + 2]] = f + 1;
	for (uint32_t f = 0; f < m->function_count; f++) {
		scan_function(p, f);
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			uint32_t callee =
			    spb_op(m, at) == SpvOpFunctionCall ? p->flow.function_of[m->words[at + 3]] : 0;
			if (callee)
				p->flow.functions[callee - 1].called = true;
		}
	}
	mark_exports(p);
}
