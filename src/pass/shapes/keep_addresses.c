/* SPDX-License-Identifier: Apache-2.0 */
/* keep-addresses: local variables of acceleration structures that are device addresses, as Slang writes them for
 * `RaytracingAccelerationStructure s = handle;`, hold the addresses instead
 * (VUID-StandaloneSpirv-OpTypeImage-06924: no such object may be stored).
 *
 *     %v = OpVariable %pscene Function                           %v = OpVariable %paddress Function
 *     %s = OpConvertUToAccelerationStructureKHR %scene %a
 *     OpStore %v %s                                              OpStore %v %a
 *     %l = OpLoad %scene %v                                      %n = OpLoad %address %v
 *                                                                %l = OpConvertUToAccelerationStructureKHR %scene %n
 *
 * Variables to which something else is stored stay, and resolve-descriptors refuses them. */
#include "pass/shapes/shapes.h"

struct plan {
	const struct spb_module *m;
	struct spb_edit *e;
	uint32_t address;   /* the type of all addresses; 0: there are none */
	uint32_t *loaded;   /* [bound] the load of a variable -> id of the address */
	uint32_t *left_out; /* bits over ids */
	SPB_LIST(uint32_t) variables, work;
};

static bool is_scene(const struct spb_module *m, uint32_t type)
{
	return spb_def_op(m, type) == SpvOpTypeAccelerationStructureKHR;
}

/* Collects the variables. False: there are none, or addresses have several types. */
static bool find_variables(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) == SpvOpConvertUToAccelerationStructureKHR) {
			uint32_t type = spb_type_of(m, w[3]);
			if (p->address && p->address != type)
				return false;
			p->address = type;
		}
		if (spb_op(m, at) == SpvOpVariable && w[3] == SpvStorageClassFunction && spb_length(m, at) == 4 &&
		    is_scene(m, m->words[m->def[w[1]] + 3]))
			SPB_PUSH(p->e->arena, &p->variables, w[2]);
	}
	return p->address && p->variables.count;
}

/* The address that a value is converted or loaded from; 0: it is neither. */
static uint32_t address_of(const struct plan *p, uint32_t id)
{
	spb_at at = p->m->def[id];

	if (spb_op(p->m, at) == SpvOpConvertUToAccelerationStructureKHR)
		return p->m->words[at + 3];
	return p->loaded[id];
}

/* Is it only loaded, and stored to what has an address? */
static bool fits(const struct plan *p, uint32_t variable)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_use[variable]; i < m->first_use[variable + 1]; i++) {
		spb_at at = m->use[i].at;
		bool is_store = spb_op(m, at) == SpvOpStore && m->use[i].word == at + 1;
		if (spb_is_non_semantic(m, at) || spb_op(m, at) == SpvOpLoad)
			continue;
		if (!is_store || !address_of(p, m->words[at + 2]))
			return false;
	}
	return true;
}

static void leave_out(struct plan *p, uint32_t variable)
{
	if (spb_bit(p->left_out, variable))
		return;
	spb_set_bit(p->left_out, variable);
	SPB_PUSH(p->e->arena, &p->work, variable);
}

/* Variables that do not fit leave out those to which they are copied, too. */
static void leave_out_copies(struct plan *p, uint32_t variable)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_use[variable]; i < m->first_use[variable + 1]; i++) {
		uint32_t value = spb_op(m, m->use[i].at) == SpvOpLoad ? m->words[m->use[i].at + 2] : 0;
		for (uint32_t k = value ? m->first_use[value] : 0; value && k < m->first_use[value + 1]; k++) {
			if (spb_op(m, m->use[k].at) == SpvOpStore && m->use[k].word == m->use[k].at + 2)
				leave_out(p, m->words[m->use[k].at + 1]);
		}
	}
}

static void rewrite(struct plan *p, uint32_t variable)
{
	const struct spb_module *m = p->m;

	spb_patch(p->e, m->def[variable] + 1, spb_pointer_type(p->e, SpvStorageClassFunction, p->address));
	for (uint32_t i = m->first_use[variable]; i < m->first_use[variable + 1]; i++) {
		spb_at at = m->use[i].at;
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) == SpvOpStore) {
			spb_patch(p->e, at + 2, address_of(p, w[2]));
		} else if (spb_op(m, at) == SpvOpLoad) {
			spb_insert(p->e, at, SpvOpLoad, W(p->address, p->loaded[w[2]], variable));
			spb_replace(p->e, at, SpvOpConvertUToAccelerationStructureKHR, W(w[1], w[2], p->loaded[w[2]]));
		}
	}
}

bool spb_pass_keep_addresses(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.m = m, .e = &u->edit};
	uint32_t *types, *gone;
	bool changed = false;

	if (!spb_has_capability(m, SpvCapabilityRayQueryKHR) && !spb_has_capability(m, SpvCapabilityRayTracingKHR))
		return false;
	if (!find_variables(&p))
		return false;
	spb_module_need_uses(m);
	p.loaded = spb_alloc_zeroed(p.e->arena, m->bound, sizeof *p.loaded);
	p.left_out = spb_bits(p.e->arena, m->bound);
	types = spb_bits(p.e->arena, m->bound);
	gone = spb_bits(p.e->arena, m->bound);
	for (size_t k = 0; k < p.variables.count; k++) {
		uint32_t id = p.variables.items[k];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			if (spb_op(m, m->use[i].at) == SpvOpLoad)
				p.loaded[m->words[m->use[i].at + 2]] = spb_new_id(p.e);
		}
	}
	for (size_t k = 0; k < p.variables.count; k++) {
		if (!fits(&p, p.variables.items[k]))
			leave_out(&p, p.variables.items[k]);
	}
	while (p.work.count)
		leave_out_copies(&p, p.work.items[--p.work.count]);
	for (size_t k = 0; k < p.variables.count; k++) {
		uint32_t id = p.variables.items[k];
		if (spb_bit(p.left_out, id))
			continue;
		rewrite(&p, id);
		spb_set_bit(types, spb_type_of(m, id));
		spb_set_bit(gone, id);
		changed = true;
	}
	if (changed)
		spb_sweep_types(p.e, types, gone, NULL, 0);
	return changed;
}
