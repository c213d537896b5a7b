/* SPDX-License-Identifier: Apache-2.0 */
/* settle: applies what the module, the policies and the lock file decide about each parameter before any number is
 * allocated, and removes unused parameters.
 *
 *     the input       Binding 3                     fixed: a register under HLSL's rules, otherwise a binding
 *     a policy        place name=tex -> binding=7   bound: a Vulkan binding under any rules
 *     the lock file   tex set=0 binding=4           bound, unless the module or a policy decides
 *     none of these                                 unassigned
 *
 * A decision about one view of a descriptor applies to all of its views (views.c). */
#include "analysis/layout/plan.h"

/* Bits of spb_draft.order: numbered after all others, and after those with a set. */
static const uint32_t LAST = 0x80000000u, WITHOUT_SET = 0x40000000u;

static void open_again(struct spb_parameter *p)
{
	p->place = SPB_PLACE_OPEN;
	p->why = NULL;
}

void spb_open_run(struct spb_plan *s, uint32_t parameter)
{
	struct spb_parameter *p = spb_plan_parameter(s, parameter);
	const struct spb_variable *v = p->variable;

	p -= v->extra->piece;
	for (uint32_t i = 0; i < v->extra->pieces && v->extra->pieces > 1; i++)
		open_again(&p[i]);
	for (uint32_t i = v->extra->pieces > 1 ? 0 : spb_group_of(s, p)->first + 1; i; i = spb_next_view(s, i))
		if (spb_plan_parameter(s, i - 1)->place == SPB_PLACE_FIXED)
			open_again(spb_plan_parameter(s, i - 1));
}

/* Whether a line gives a value that no earlier line gives. */
static bool is_first(bool *seen, bool gives)
{
	bool first = gives && !*seen;

	*seen |= gives;
	return first;
}

/* Applies the binding or range of a line. A binding is that of the first member of a struct, unless the line names a
 * single member. */
static void bind(const struct spb_plan *s, struct spb_parameter *p, const struct spb_policy_line *line)
{
	if (line->has_binding) {
		bool alone = line->name && !strcmp(line->name, p->variable->key);
		uint32_t behind = alone ? 0 : p->variable->extra->piece;
		if (line->first > UINT32_MAX - behind)
			spb_plan_fail(s, p, SPB_E_NO_ROOM, "would have a binding beyond the last one, 4294967295");
		p->place = SPB_PLACE_BOUND;
		p->has_set = true;
		p->binding = line->first + behind;
	} else {
		p->place = SPB_PLACE_OPEN;
	}
	p->has_range |= line->has_range;
	if (line->has_range)
		spb_draft(s, p)->from = (uint32_t)(line - s->policies->lines.items);
}

static noreturn void refuse(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_policy_line *line)
{
	spb_fail(spb_module_of(s, p), SPB_ERROR_CONFLICT, SPB_E_POLICY_REFUSED, p->variable->at,
		 "%s (%s) is refused by %s" SPB_REMEDY "%s", spb_parameter_label(s, p),
		 spb_descriptor_info(p->variable->kind)->kind, line->origin, line->say);
}

/* Puts a parameter into a block. If its binding is fixed, spb_check_blocks later verifies that the block assigns the
 * same one. */
static void join_block(const struct spb_plan *s, struct spb_parameter *p, uint32_t line)
{
	spb_draft(s, p)->block = line + 1;
	if (p->place != SPB_PLACE_FIXED)
		return;
	p->was_fixed = true;
	open_again(p);
}

/* For each value, the first line that gives it wins. */
static void apply_policies(struct spb_plan *s, struct spb_parameter *p)
{
	if (!s->policies->lines.count)
		return;
	struct spb_policy_question q = spb_policy_question_of(s, p);
	bool has_set = false, has_place = false, has_order = false, any = false;

	q.counts = true;
	const struct spb_policy_found found = spb_policy_find(s->policies, &q, &s->c->scratch);
	for (size_t i = 0; i < found.count; i++) {
		const struct spb_policy_line *line = found.items[i];
		if (line->verb == SPB_POLICY_REFUSE && p->dropped)
			continue;
		if (line->verb == SPB_POLICY_REFUSE && !any)
			refuse(s, p, line);
		if (line->verb == SPB_POLICY_BLOCK) {
			if (spb_draft(s, p)->block || p->place == SPB_PLACE_BOUND)
				continue;
			join_block(s, p, (uint32_t)(line - s->policies->lines.items));
			continue;
		}
		any = p->said = true;
		if (is_first(&has_set, line->has_set)) {
			p->has_set = true;
			p->set = line->set;
			p->why = line->why;
		}
		if (is_first(&has_place, line->has_binding || line->has_range || line->open)) {
			bind(s, p, line);
			p->why = line->why;
		}
		if (is_first(&has_order, line->has_order))
			spb_draft(s, p)->order |= line->order;
	}
}

/* Rule 3 of the HLSL rules: the register of an unused resource is free for others. Under other rules, unused resources
 * keep a fixed binding, and unassigned ones are numbered last. */
static void apply_unused(struct spb_plan *s, struct spb_parameter *p)
{
	if (p->dropped && s->unused != SPB_UNUSED_COUNT) { /* its explicit number stays free under Slang's rules */
		if (p->place != SPB_PLACE_FIXED || s->unused == SPB_UNUSED_REMOVE || s->hlsl)
			p->place = SPB_PLACE_REMOVED;
		return;
	}
	if (p->reached || s->unused == SPB_UNUSED_COUNT)
		return;
	if (s->unused == SPB_UNUSED_REMOVE) {
		p->place = SPB_PLACE_REMOVED;
		return;
	}
	if (spb_group_of(s, p)->reached)
		return;
	if (p->place == SPB_PLACE_FIXED && s->hlsl)
		open_again(p);
	spb_draft(s, p)->order |= LAST;
}

/* Whether the author of a stage chose another set than the lock file has. */
static bool has_other_set(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_lock_entry *entry)
{
	const uint32_t parameter = (uint32_t)(p - s->layout->parameters.items);
	bool any = spb_has_authored_set(s->options, p->variable) && p->variable->set != entry->set;

	if (p->said || spb_draft(s, p)->block || s->options->layout.rebind == SPB_REBIND_ALL_SETS)
		return false;
	for (uint32_t k = s->layout->first_view[parameter]; k < s->layout->first_view[parameter + 1] && !any; k++) {
		const struct spb_view view = s->layout->views[k];
		const struct spb_variable *v = spb_variable_of(s, view);
		any = spb_has_authored_set(s->options, v) && v->set != entry->set;
	}
	return any;
}

static void apply_lock(struct spb_plan *s, struct spb_parameter *p)
{
	const struct spb_variable *v = p->variable;
	struct spb_lock_entry *entry;

	if (!s->lock.entries.count || p->place == SPB_PLACE_REMOVED || (p->dropped && p->place == SPB_PLACE_FIXED))
		return;
	entry = spb_lock_find(&s->lock, &(struct spb_lock_name){NULL, v->key, p->ordinal, v->heap});
	if (!entry)
		return;
	entry->seen = true;
	p->locked = true;
	if (p->place != SPB_PLACE_OPEN || v->heap || has_other_set(s, p, entry)) /* spb_lock_check compares */
		return;
	p->place = SPB_PLACE_BOUND;
	p->has_set = true;
	p->set = entry->set;
	p->binding = entry->binding;
	p->why = entry->removed ? "lock file (it had been removed)" : "lock file";
}

/* Numbers the members of a split struct: those of each class count up from the register of the struct. */
static void count_registers(struct spb_plan *s, struct spb_parameter *first)
{
	uint64_t next[SPB_CLASS_COUNT];
	uint32_t base = first->number;

	for (size_t i = 0; i < SPB_CLASS_COUNT; i++)
		next[i] = base;
	for (uint32_t i = 0; i < first->variable->extra->pieces; i++) {
		struct spb_parameter *p = &first[i];
		if (p->place != SPB_PLACE_FIXED && !(p->place == SPB_PLACE_REMOVED && p->has_place))
			continue; /* a removed resource keeps its register, so that a use does not move others */
		if (next[p->class] > UINT32_MAX)
			spb_plan_fail(s, p, SPB_E_LAST_REGISTER,
				      "would exceed the last register, 4294967295" SPB_REMEDY "Use a lower register.");
		p->number = (uint32_t)next[p->class];
		next[p->class] += p->count ? p->count : (uint64_t)UINT32_MAX + 1;
	}
}

/* Rebinding moves descriptors, not variables: a policy or lock entry for one view applies to all views. */

/* The priority of its place: the user's decisions override the input. */
static int weight(const struct spb_parameter *p)
{
	if (p->place == SPB_PLACE_BOUND)
		return 3;
	if (p->said)
		return 2;
	return p->place == SPB_PLACE_FIXED;
}

static void copy_place(const struct spb_plan *s, struct spb_parameter *to, const struct spb_parameter *from)
{
	to->place = from->place;
	to->has_set = from->has_set;
	to->set = from->set;
	to->binding = from->binding;
	to->number = from->number;
	spb_draft(s, to)->order = spb_draft(s, from)->order;
	to->has_range = from->has_range;
	spb_draft(s, to)->from = spb_draft(s, from)->from;
	spb_draft(s, to)->block = spb_draft(s, from)->block;
	to->was_fixed = from->was_fixed;
	to->why = from->why;
}

static void unite(struct spb_plan *s, struct spb_group *group)
{
	const struct spb_parameter *from = NULL;

	for (uint32_t i = group->first + 1; i; i = spb_next_view(s, i)) {
		const struct spb_parameter *p = spb_plan_parameter(s, i - 1);
		if (p->place != SPB_PLACE_REMOVED && (!from || weight(p) > weight(from)))
			from = p;
	}
	for (uint32_t i = group->first + 1; i && from; i = spb_next_view(s, i)) {
		struct spb_parameter *p = spb_plan_parameter(s, i - 1);
		if (p != from && p->place != SPB_PLACE_REMOVED)
			copy_place(s, p, from);
	}
}

static void warn_unmatched(const struct spb_plan *s)
{
	spb_policy_note_matched(s->policies);
	for (size_t i = 0; i < s->policies->lines.count && s->module_count; i++) {
		const struct spb_policy_line *line = &s->policies->lines.items[i];
		if (line->matched || strncmp(line->file, "--", 2) != 0 || line->verb == SPB_POLICY_DESCRIPTOR ||
		    line->verb == SPB_POLICY_PUSH || line->verb == SPB_POLICY_RESERVE)
			continue;
		spb_report(spb_plan_module(s, 0), SPB_SEVERITY_WARNING, SPB_E_POLICY_NO_MATCH, 0,
			   "%s matches no resource of the program" SPB_REMEDY
			   "Use names as given by OpName, and for blocks the name of the type.",
			   line->origin);
	}
}

/* Only counters of append and consume buffers exist regardless of their uses. */
static bool is_numbered_last(const struct spb_plan *s, const struct spb_variable *v)
{
	const bool last =
	    s->policies->counters == SPB_COUNTERS_LAST || (s->policies->counters == SPB_COUNTERS_BY_RULES && !s->hlsl);

	return last && spb_is_counter(v) && !v->beside;
}

/* Puts a counter without an explicit set into the set of its buffer, since glslang writes (0, 0) for all counters,
 * whatever the space of their buffers. */
static void follow_buffer(struct spb_plan *s, struct spb_parameter *p)
{
	const struct spb_variable *v = p->variable;

	if (!spb_is_counter(v))
		return;
	const struct spb_variable *counted = spb_buffer_of(s, p->module, v);
	const struct spb_parameter *buffer = counted ? spb_plan_parameter(s, counted->parameter) : NULL;
	if (buffer)
		spb_draft(s, p)->at = (uint32_t)(buffer - s->layout->parameters.items);
	if (is_numbered_last(s, v)) /* in the order of buffers */
		spb_draft(s, p)->order |= LAST | (buffer ? spb_draft(s, p)->at : 0);
	bool at_zero = !v->set && !v->binding && spb_is_hlsl_by_glslang(s->modules[p->module].m);
	if (!buffer || p->place != SPB_PLACE_OPEN ||
	    (v->has_set && !v->unnumbered && !at_zero && s->options->layout.rebind != SPB_REBIND_ALL_SETS))
		return;
	p->has_set = buffer->has_set;
	p->set = buffer->set;
}

void spb_settle(struct spb_plan *s)
{
	size_t count = s->layout->parameters.count;
	bool any_final = false;

	for (uint32_t i = 0; i < count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		const struct spb_variable *v = p->variable;
		bool fixed = p->place == SPB_PLACE_FIXED;
		if (fixed)
			p->why = p->dropped ? "fixed in the source text" : "fixed in the module";
		if (s->policies->sets_first && !p->has_set)
			spb_draft(s, p)->order |= WITHOUT_SET;
		p->heap_kept = fixed && v->heap;
		p->heap_free = p->heap_kept && spb_is_compilers_heap(v) && !s->options->heaps.has_set &&
			       s->options->mode != SPB_MODE_CHECK;
		if ((p->heap_kept || (p->bound && fixed)) && s->hlsl) { /* not a register */
			p->place = SPB_PLACE_BOUND;
			p->binding = p->heap_kept ? v->binding : p->number;
		}
		follow_buffer(s, p);
		bool final = v->placed && fixed; /* the policies applied to the original input */
		any_final |= final;
		if (!v->heap && !final)
			apply_policies(s, p);
		if (!v->heap)
			apply_unused(s, p);
		apply_lock(s, p);
		if (v->heap)
			spb_bind_heap(s, p);
	}
	spb_choose_heap_places(s);
	spb_unite_kept_heaps(s);
	for (uint32_t i = 0; i < count && s->hlsl; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		if (!p->variable->extra->piece && p->variable->extra->pieces > 1)
			count_registers(s, p);
	}
	for (size_t g = 0; g < s->layout->groups.count; g++) {
		struct spb_group *group = &s->layout->groups.items[g];
		if (group->first != group->last) {
			unite(s, group);
			spb_sum_up_group(s, group);
		}
	}
	if (!any_final) /* otherwise SPB_E_PLACED_BEFORE is reported */
		warn_unmatched(s);
}
