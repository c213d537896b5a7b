/* SPDX-License-Identifier: Apache-2.0 */
/* assign-bindings: writes the set and binding that the program's layout assigned.
 *
 *     OpDecorate %tex Binding 65534                OpDecorate %tex DescriptorSet 0
 *                                                  OpDecorate %tex Binding 3
 *
 * An existing decoration is patched, a duplicate (which current spirv-val rejects) is removed, a missing one is added.
 * If the numbers come from registers, or replace those of --auto-map-bindings, OpModuleProcessed records that. The
 * bindings that clspv records for its hosts (NonSemantic.ClspvReflection) are not rewritten, and a warning says so.
 * Refuses nothing. */
#include "analysis/source/source.h"
#include "pass/pass.h"

enum { MOST_NAME = 1 << 16 }; /* bytes; an instruction can hold nearly four times as many */

static const uint32_t decorations[] = {SpvDecorationDescriptorSet, SpvDecorationBinding};

struct target { /* a variable whose decorations do not give its place exactly once */
	uint32_t id, value[2];
	bool there[2]; /* it has such a decoration */
};

struct targets {
	struct target *items;
	size_t count, capacity;
};

/* One walk over all decorations, since the module may have no index. */
static void patch_decorations(struct spb_unit *u, struct targets *targets)
{
	const struct spb_module *m = &u->m;
	uint32_t *number = spb_alloc_zeroed(&m->context->scratch, m->bound, sizeof *number); /* id -> target + 1 */

	for (size_t i = 0; i < targets->count; i++)
		number[targets->items[i].id] = (uint32_t)i + 1;
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION], end = m->section[SPB_SECTION_GLOBAL]; at < end;
	     at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		if (spb_op(m, at) != SpvOpDecorate ||
		    (w[2] != SpvDecorationDescriptorSet && w[2] != SpvDecorationBinding) || !number[w[1]])
			continue;
		struct target *t = &targets->items[number[w[1]] - 1];
		const int k = w[2] == SpvDecorationBinding;
		if (t->there[k])
			spb_remove(&u->edit, at);
		else if (w[3] != t->value[k])
			spb_patch(&u->edit, at + 3, t->value[k]);
		t->there[k] = true;
	}
}

/* Adds the missing decorations in one request, since there may be hundreds of thousands. */
static void add_decorations(struct spb_edit *e, const struct targets *targets)
{
	enum { WORDS = 4 };
	uint32_t missing = 0;

	for (size_t i = 0; i < targets->count; i++)
		missing += (uint32_t)!targets->items[i].there[0] + !targets->items[i].there[1];
	if (!missing)
		return;
	uint32_t *to = spb_room_for_decorations(e, WORDS * missing);
	for (size_t i = 0; i < targets->count; i++) {
		const struct target *t = &targets->items[i];
		for (int k = 0; k < 2; k++) {
			if (t->there[k])
				continue;
			to[0] = WORDS << 16 | SpvOpDecorate;
			to[1] = t->id;
			to[2] = decorations[k];
			to[3] = t->value[k];
			to += WORDS;
		}
	}
}

/* Records what the next run must know about the numbers (registers.c). */
static bool write_remark(struct spb_unit *u, bool changed)
{
	const struct spb_module *m = &u->m;
	spb_at at = spb_find_registers_remark(m);
	const char *remark = u->placed.registers_remark;
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

static bool has_text(const struct spb_unit *u)
{
	return u->placed.text.present && !u->placed.text.fault;
}

/* Records what the next run must know to find the parts of split resources where the source declares the whole: without
 * it, the text would not declare them, and not be trusted. Without a text, it matters only if all bindings are
 * reassigned, in an order that depends on names. */
static bool write_parts(struct spb_unit *u)
{
	const struct spb_variables *vs = &u->placed.variables;
	const spb_layout_options *o = &u->options->layout;
	const bool needed = has_text(u) || o->rebind >= SPB_REBIND_ALL;
	bool changed = false;

	for (size_t i = 0; i < vs->count && needed && o->order != SPB_ORDER_MODULE; i++) {
		const struct spb_variable *v = &vs->items[i];
		bool alone = (!i || v[-1].extra->origin != v->extra->origin) &&
			     (i + 1 == vs->count || v[1].extra->origin != v->extra->origin);
		if (!v->extra->origin || v->extra->part_of || !*v->name || !*spb_declared_name(v) ||
		    (alone && !strcmp(v->name, spb_declared_name(v))) ||
		    strlen(v->name) + strlen(spb_declared_name(v)) + strlen(v->extra->path) > MOST_NAME ||
		    u->placed.layout->parameters.items[v->parameter].place == SPB_PLACE_REMOVED)
			continue;
		spb_put_remark(&u->edit, 0, spb_part_note(v, &u->m.context->scratch));
		changed = true;
	}
	return changed;
}

/* Whether the next run might not count its number, if no remark said that we decided it: the text has none, or that of
 * another stage of a linked module. */
static bool may_not_count(const struct spb_variable *v)
{
	return v->unnumbered || (v->extra->declaration && v->extra->declaration->open_too);
}

/* Records that numbers that did not count, according to the text, have been replaced by those of the program. Only such
 * modules need the remark, since only for them could the next run, perhaps of this stage alone, decide otherwise. */
static bool write_numbered(struct spb_unit *u)
{
	const struct spb_variables *vs = &u->placed.variables;

	for (size_t i = 0; i < vs->count && has_text(u) && !u->placed.text.numbered && !*u->placed.registers_remark;
	     i++) {
		if (!may_not_count(&vs->items[i]))
			continue;
		spb_put_remark(&u->edit, 0, SPB_NUMBERED_REMARK);
		return true;
	}
	return false;
}

static bool is_at_place_of(const struct spb_entry *a, const struct spb_entry *b)
{
	return a->set == b->set && a->binding == b->binding;
}

/* Whether a descriptor of the module shares its place with another one, since the host maps them apart. */
static bool is_mapped_apart(const struct spb_unit *u)
{
	const struct spb_layout *layout = u->placed.layout;
	const struct spb_variables *vs = &u->placed.variables;

	for (size_t i = 0; i < vs->count && layout->mapped; i++) {
		const struct spb_parameter *p = &layout->parameters.items[vs->items[i].parameter];
		const struct spb_entry *e = &layout->entries.items[p->entry];
		if (p->place != SPB_PLACE_REMOVED &&
		    ((p->entry && is_at_place_of(e - 1, e)) ||
		     (p->entry + 1 < layout->entries.count && is_at_place_of(e + 1, e))))
			return true;
	}
	return false;
}

/* Records that descriptors are mapped, where nothing else shows it and they have no places without that. A module that
 * is bound without the others of its program keeps what is recorded. */
static bool write_mapped(struct spb_unit *u)
{
	const spb_at at = spb_find_remark(&u->m, SPB_MAPPED_REMARK);

	if (at && !u->placed.layout->mapped) {
		spb_remove(&u->edit, at);
		return true;
	}
	if (at || spb_has_capability(&u->m, CapabilityDescriptorHeapEXT) || !is_mapped_apart(u))
		return false;
	spb_put_remark(&u->edit, 0, SPB_MAPPED_REMARK);
	return true;
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

static void warn_of_reflection(struct spb_unit *u, const struct spb_variable *v, const struct spb_parameter *p)
{
	struct spb_module *m = &u->m;

	spb_module_need_index(m);
	spb_report(
	    m, SPB_SEVERITY_WARNING, SPB_E_STALE_REFLECTION, m->def[v->id],
	    "%s moves from set %u, binding %u to set %u, binding %u, but clspv's reflection keeps the old numbers",
	    spb_label(&m->context->scratch, m, v->id), spb_old_set(v), spb_old_binding(v), p->set, p->binding);
}

bool spb_pass_assign_bindings(struct spb_unit *u)
{
	struct targets targets = {0};
	bool changed, warned = !has_reflection(&u->m);

	for (size_t i = 0; i < u->placed.variables.count; i++) {
		const struct spb_variable *v = &u->placed.variables.items[i];
		const struct spb_parameter *p = &u->placed.layout->parameters.items[v->parameter];
		if (p->place == SPB_PLACE_REMOVED ||
		    (v->placed_once && spb_old_set(v) == p->set && spb_old_binding(v) == p->binding))
			continue;
		if (!warned && v->placed_once)
			warn_of_reflection(u, v, p);
		warned |= v->placed_once;
		if (!targets.items)
			SPB_SIZE(&u->m.context->scratch, &targets, u->placed.variables.count - i);
		targets.items[targets.count++] = (struct target){.id = v->id, .value = {p->set, p->binding}};
	}
	if (targets.count) {
		patch_decorations(u, &targets);
		add_decorations(&u->edit, &targets);
	}
	changed = write_parts(u) || targets.count;
	changed |= write_remark(u, changed);
	changed |= write_numbered(u);
	changed |= write_mapped(u);
	return changed;
}
