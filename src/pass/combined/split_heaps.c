/* SPDX-License-Identifier: Apache-2.0 */
/* split-heaps: with --combined=split, accesses to a heap of combined image-samplers that the module has already, from
 * Slang or from an earlier run, become dereferences of handles again.
 *
 *     %x = OpCompositeExtract %uint %handle 0                 (stays)
 *     %c = OpAccessChain %ptr %heap_combined_2D_float %x      (gone)
 *     %s = OpLoad %combined %c                                %s = OpExtInst %combined %set 1 %handle
 *
 * If only x was loaded, so is all of the handle. lower-handles then reads the texture by x and the sampler by y. An
 * access whose index is not the x of a uint2 keeps the heap, with a warning, since nobody knows the sampler. */
#include "pass/combined/combined.h"

struct plan {
	struct spb_unit *u;
	struct spb_index_handles handles;
	uint32_t set;              /* the import; 0: not needed so far */
	uint32_t *types, *removed; /* bits over ids */
};

static bool is_read_only_by_loads(const struct spb_module *m, uint32_t chain)
{
	for (uint32_t i = m->first_use[chain]; i < m->first_use[chain + 1]; i++) {
		spb_at at = m->use[i].at;
		if (at >= m->section[SPB_SECTION_FUNCTION] && spb_op(m, at) != SpvOpLoad)
			return false;
	}
	return true;
}

static void raise_load(struct plan *p, spb_at chain, spb_at load, uint32_t handle)
{
	const struct spb_module *m = &p->u->m;
	struct spb_edit *e = &p->u->edit;
	const uint32_t id = m->words[load + 2];
	const bool marked = spb_decoration(m, m->words[chain + 2], SpvDecorationNonUniform) ||
			    spb_decoration(m, m->words[chain + 4], SpvDecorationNonUniform);

	if (!p->set)
		p->set = spb_import(m, SPB_HANDLE_SET);
	if (!p->set)
		p->set = spb_add_import(e, SPB_HANDLE_SET);
	spb_replace(e, load, SpvOpExtInst, W(m->words[load + 1], id, p->set, SPB_HANDLE_OPAQUE, handle));
	if (marked && !spb_decoration(m, id, SpvDecorationNonUniform))
		spb_add_decoration(e, id, SpvDecorationNonUniform, NULL, 0);
}

/* Returns whether the access has become dereferences. */
static bool raise_chain(struct plan *p, spb_at at)
{
	const struct spb_module *m = &p->u->m;
	const uint32_t id = m->words[at + 2];
	const uint32_t handle = is_read_only_by_loads(m, id) ? spb_handle_of_index(&p->handles, m->words[at + 4]) : 0;

	if (!handle)
		return false;
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (spb_op(m, m->use[i].at) == SpvOpLoad)
			raise_load(p, at, m->use[i].at, handle);
	}
	spb_remove_id(&p->u->edit, id);
	return true;
}

static void remove_heap(struct plan *p, const struct spb_variable *v)
{
	const struct spb_module *m = &p->u->m;

	spb_remove_id(&p->u->edit, v->id);
	spb_set_bit(p->removed, v->id);
	spb_set_bit(p->types, m->words[v->at + 1]);
	spb_set_bit(p->types, v->type);
}

static bool raise_heap(struct plan *p, const struct spb_variable *v)
{
	const struct spb_module *m = &p->u->m;
	bool changed = false, whole = true;

	for (uint32_t i = m->first_use[v->id]; i < m->first_use[v->id + 1]; i++) {
		struct spb_use use = m->use[i];
		if (use.at < m->section[SPB_SECTION_FUNCTION])
			continue;
		if (spb_is_heap_chain(m, use) && raise_chain(p, use.at)) {
			changed = true;
			continue;
		}
		whole = false;
		if (p->u->options->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP) /* adopt-heaps refuses it */
			continue;
		spb_report(m, SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, use.at,
			   "this access to %s is not by the first number of a handle, so --combined=split does nothing "
			   "here" SPB_REMEDY "Index it by the x of a uint2, whose y is the index of the sampler.",
			   spb_label(&m->context->scratch, m, v->id));
	}
	if (changed && whole)
		remove_heap(p, v);
	return changed;
}

bool spb_pass_split_heaps(struct spb_unit *u)
{
	struct plan p = {.u = u, .handles.u = u};
	bool changed = false;

	if (u->options->heaps.combined != SPB_COMBINED_SPLIT || u->m.has_unknown_ops)
		return false;
	struct spb_variables vs = spb_find_heaps(u);
	spb_module_need_uses(&u->m);
	p.types = spb_bits(&u->m.context->scratch, u->m.bound);
	p.removed = spb_bits(&u->m.context->scratch, u->m.bound);
	for (size_t i = 0; i < vs.count; i++) {
		if (vs.items[i].kind == SPB_DESCRIPTOR_COMBINED)
			changed |= raise_heap(&p, &vs.items[i]);
	}
	if (changed)
		spb_sweep_types(&u->edit, p.types, p.removed, NULL, 0);
	return changed;
}
