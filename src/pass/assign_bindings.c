/* SPDX-License-Identifier: Apache-2.0 */
/* assign-bindings: writes the set and binding that the program's layout assigned.
 *
 *     OpDecorate %tex Binding 65534                OpDecorate %tex DescriptorSet 0
 *                                                  OpDecorate %tex Binding 3
 *
 * An existing decoration is patched, a duplicate (which current spirv-val rejects) is removed, a missing one is added.
 * If the numbers come from registers, OpModuleProcessed records that. What clspv says of kernels for hosts that have no
 * other layout (NonSemantic.ClspvReflection) is not rewritten; a warning says so. Refuses nothing. */
#include "analysis/source/source.h"
#include "pass/pass.h"

enum { MOST_NAME = 1 << 16 }; /* bytes; an instruction can hold nearly four times as many */

/* One walk over its notes for both decorations. */
static bool write_place(struct spb_unit *u, uint32_t id, uint32_t set, uint32_t binding)
{
	static const uint32_t decoration[] = {SpvDecorationDescriptorSet, SpvDecorationBinding};
	const struct spb_module *m = &u->m;
	const uint32_t value[] = {set, binding};
	bool there[] = {false, false}, changed = false;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		const spb_at at = m->note[i].at;
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) != SpvOpDecorate || w[1] != id || (w[2] != decoration[0] && w[2] != decoration[1]))
			continue;
		const int k = w[2] == decoration[1];
		if (there[k])
			spb_remove(&u->edit, at);
		else if (w[3] != value[k])
			spb_patch(&u->edit, at + 3, value[k]);
		changed |= there[k] || w[3] != value[k];
		there[k] = true;
	}
	for (int k = 0; k < 2; k++) {
		if (!there[k])
			spb_add_decoration(&u->edit, id, decoration[k], W(value[k]));
	}
	return changed || !there[0] || !there[1];
}

/* Records what the next run must know about the numbers (registers.c). */
static bool write_remark(struct spb_unit *u, bool changed)
{
	const struct spb_module *m = &u->m;
	spb_at at = spb_find_registers_remark(m);
	const char *remark = u->registers_remark;
	size_t length = strlen(remark);

	if (at && !strcmp(spb_string(m, at + 1), remark))
		return false;
	if (!*remark || length / 4 + 2 > 0xFFFF) { /* more sets than one instruction can list */
		if (at && changed)
			spb_remove(&u->edit, at);
		return at && changed;
	}
	spb_put_remark(&u->edit, at, remark);
	return true;
}

/* Records what the next run must know to find the parts of split resources where the source declares the whole. That
 * matters only if it assigns all bindings anew, in an order that depends on names. */
static bool write_parts(struct spb_unit *u)
{
	const struct spb_variables *vs = &u->variables;
	const spb_layout_options *o = &u->options->layout;
	bool changed = false;

	for (size_t i = 0; i < vs->count && o->rebind >= SPB_REBIND_ALL && o->order != SPB_ORDER_MODULE; i++) {
		const struct spb_variable *v = &vs->items[i];
		bool alone = (!i || v[-1].extra->origin != v->extra->origin) &&
			     (i + 1 == vs->count || v[1].extra->origin != v->extra->origin);
		if (!v->extra->origin || v->extra->part_of || !*v->name || !*spb_declared_name(v) ||
		    (alone && !strcmp(v->name, spb_declared_name(v))) ||
		    strlen(v->name) + strlen(spb_declared_name(v)) > MOST_NAME ||
		    u->layout->parameters.items[v->parameter].place == SPB_PLACE_REMOVED)
			continue;
		spb_put_remark(&u->edit, 0, spb_part_note(v, &u->m.context->scratch));
		changed = true;
	}
	return changed;
}

static bool has_reflection(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_IMPORT]; at < m->section[SPB_SECTION_MEMORY_MODEL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInstImport &&
		    !strncmp(spb_string(m, at + 2), "NonSemantic.ClspvReflection.", 28))
			return true;
	}
	return false;
}

static void warn_of_reflection(const struct spb_unit *u, const struct spb_variable *v, const struct spb_parameter *p)
{
	const struct spb_module *m = &u->m;

	spb_report(
	    m, SPB_SEVERITY_WARNING, SPB_E_STALE_REFLECTION, m->def[v->id],
	    "%s moves from set %u, binding %u to set %u, binding %u, but the NonSemantic.ClspvReflection of this "
	    "module keeps the old numbers; keep what clspv assigned, or let the host read the layout JSON",
	    spb_label(&m->context->scratch, m, v->id), v->old_set, v->old_binding, p->set, p->binding);
}

bool spb_pass_assign_bindings(struct spb_unit *u)
{
	bool changed = false, warned = !has_reflection(&u->m);

	for (size_t i = 0; i < u->variables.count; i++) {
		const struct spb_variable *v = &u->variables.items[i];
		const struct spb_parameter *p = &u->layout->parameters.items[v->parameter];
		if (p->place == SPB_PLACE_REMOVED ||
		    (v->placed_once && v->old_set == p->set && v->old_binding == p->binding))
			continue;
		if (!warned && v->placed_once)
			warn_of_reflection(u, v, p);
		warned |= v->placed_once;
		changed |= write_place(u, v->id, p->set, p->binding);
	}
	changed |= write_parts(u);
	changed |= write_remark(u, changed);
	return changed;
}
