/* SPDX-License-Identifier: Apache-2.0 */
/* layout: the set and binding of every resource of a program.
 *
 *   1. Order: modules as given; in each, resources in declaration order.
 *   2. Collapse: resources with the same name in several modules are one parameter, in order of first occurrence.
 *   3. Group: parameters that are views of one descriptor are placed together.
 *   4. Settle what the input fixes, what a policy or the lock file binds, and which parameters are left out.
 *   5. Give each parameter block a set of its own.
 *   6. Reserve the numbers of fixed and bound parameters, number the rest in order, and apply shifts.
 *   7. Place the heaps.
 *   8. Make entries of set layouts from the parameters at each place, and apply what policies decide about them beyond
 *      SPIR-V.
 *
 * Every step is a sort or a single walk, so the cost stays near linear in the number of resources. plan.h lists the
 * files. */
#include "base/lines.h"
#include "analysis/layout/plan.h"

spb_unused spb_unused_means(const spb_options *options, const struct spb_policies *policies, bool removes)
{
	if (options->layout.unused)
		return options->layout.unused;
	if (policies->unused)
		return policies->unused;
	return removes ? SPB_UNUSED_REMOVE : SPB_UNUSED_COUNT;
}

/* Lanes belong to register classes, so a kind can only be shifted where classes have no lanes. */
static void check_kinds(const struct spb_plan *s)
{
	for (size_t i = 0; i < s->policies->shifts.count; i++) {
		const struct spb_shift *shift = &s->policies->shifts.items[i];
		if (!shift->kinds || (!s->hlsl && (s->base || s->policies->fixed_registers)))
			continue;
		const struct spb_lines here = {
		    .c = s->c, .file = shift->file, .number = shift->line, .code = SPB_E_POLICY, .pass = "policy"};
		spb_line_wrong(&here, "a shift by kind= needs one number space for each set, as with \"option "
				      "shift=base\" or --profile=glslang" SPB_REMEDY
				      "Where register classes are numbered by themselves, use class=.");
	}
}

static bool has_members(const struct spb_variables *variables)
{
	for (size_t i = 0; i < variables->count; i++) {
		const struct spb_extra *extra = variables->items[i].extra;
		if (*extra->path == '.' || (extra->declaration && strchr(extra->declaration->name, '.')))
			return true;
	}
	return false;
}

/* Whether the program has a struct of resources, also one that nobody uses. */
static bool has_structs(const struct spb_plan *s)
{
	for (size_t i = 0; i < s->module_count; i++) {
		if (has_members(&s->modules[i].variables) || has_members(&s->modules[i].dropped.variables))
			return true;
	}
	return false;
}

/* Only now is it known what the numbers are: where nobody has named the rules, those of the whole program decide. */
static void check_letters(const struct spb_plan *s)
{
	for (size_t i = 0; i < s->module_count; i++) {
		const struct spb_layout_module *m = &s->modules[i];
		if (spb_is_text_decisive(m->m, m->text) && !spb_find_registers_remark(m->m))
			spb_check_letters(m->m, &m->variables, s->hlsl);
	}
}

/* Those of the lock file, which take precedence over those that modules record. */
static struct spb_shifts known_shifts(const struct spb_plan *s)
{
	const struct spb_shifts recorded = spb_recorded_shifts(s), locked = s->lock.shifts;
	struct spb_shifts known = {0};
	uint32_t by;

	for (size_t i = 0; i < locked.count; i++)
		SPB_PUSH(s->arena, &known, locked.items[i]);
	for (size_t i = 0; i < recorded.count; i++) {
		const struct spb_shift *shift = &recorded.items[i];
		if (!spb_find_shift(locked.items, locked.count, spb_lane(0, shift->class), shift->set, &by))
			SPB_PUSH(s->arena, &known, *shift);
	}
	spb_sort(s->arena, known.items, known.count, sizeof *known.items, spb_by_shift);
	return known;
}

/* Vulkan, "Descriptor Heaps": pipelines of shaders with built-in heaps have no layout, but mappings. */
static bool maps_all(const struct spb_plan *s)
{
	const bool other = s->options->heaps.has_model && s->options->heaps.model != SPB_HEAP_MODEL_DESCRIPTOR_HEAP;
	bool all = s->options->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP;

	for (size_t i = 0; i < s->module_count; i++)
		all |= spb_has_capability(s->modules[i].m, CapabilityDescriptorHeapEXT) ||
		       (!other && spb_find_remark(s->modules[i].m, SPB_MAPPED_REMARK));
	return all;
}

static bool maps_some(const struct spb_plan *s)
{
	bool some = s->maps_all;

	for (size_t i = 0; i < s->policies->lines.count; i++)
		some |= s->policies->lines.items[i].has_form && s->policies->lines.items[i].form == SPB_FORM_MAPPED;
	return some;
}

void spb_lay_out(struct spb_context *c, const spb_options *options, struct spb_policies *policies,
		 struct spb_layout_module *modules, size_t count, struct spb_layout *layout, struct spb_arena *arena,
		 bool leaves_shared)
{
	struct spb_plan *s = spb_alloc(arena, sizeof *s);
	const char *lock_name = options->layout.lock_name ? options->layout.lock_name : "lock";
	*s = (struct spb_plan){
	    .c = c,
	    .options = options,
	    .policies = policies,
	    .modules = modules,
	    .module_count = count,
	    .layout = layout,
	    .arena = arena,
	    .leaves_shared = leaves_shared,
	    .auto_shift = options->layout.auto_shift,
	};
	s->maps_all = maps_all(s);
	layout->mapped = maps_some(s);
	s->hlsl = spb_means_registers(s);
	s->unused = spb_unused_means(options, policies, s->hlsl || layout->opengl);
	s->base = policies->shifting == SPB_SHIFT_BASE && !s->hlsl;
	s->has_lanes = s->hlsl || (!s->base && !policies->fixed_registers && policies->shifts.count);
	s->arrays_each = policies->arrays == SPB_ARRAYS_EACH || layout->opengl ||
			 (policies->arrays == SPB_ARRAYS_EACH_WITH_STRUCTS && has_structs(s));
	check_kinds(s);
	check_letters(s);
	layout->hlsl = s->hlsl;
	layout->unused = s->unused;
	layout->planning.context = c;
	layout->lock = &s->lock;
	layout->plan = s;
	if (options->layout.lock) {
		spb_lock_read(&s->lock, c, lock_name, options->layout.lock, arena, NULL);
		spb_lock_need_one_program(&s->lock, c, lock_name);
	}
	const struct spb_shifts known = known_shifts(s);
	s->lanes = (struct spb_lanes){
	    .policies = policies,
	    .shifts = known.items,
	    .shift_count = known.count,
	    .first = s->hlsl ? 1 : 0,
	    .end = s->has_lanes ? spb_lane((uint32_t)policies->shift_stages.count + 1, SPB_CLASS_B) : 1,
	    .automatic = s->auto_shift,
	};
	spb_collapse(s);
	spb_group_views(s);
	spb_settle(s);
	spb_report_shared(s);
	spb_place_blocks(s);
	spb_allocate(s);
	spb_shift_numbers(s);
	spb_check_blocks(s);
	spb_place_heaps(s);
	spb_make_entries(s);
	spb_report_growth(s);
	spb_decide(s);
	spb_lock_check(s);
}

void spb_end_planning(struct spb_layout *layout)
{
	layout->plan = NULL;
	layout->drafts = NULL;
	layout->groups.items = NULL;
	layout->groups.count = layout->groups.capacity = 0;
	spb_arena_release(&layout->planning);
}
