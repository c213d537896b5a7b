/* SPDX-License-Identifier: Apache-2.0 */
/* freedom: where else a parameter could have gone. A workspace renumbers what its programs share, and needs to know for
 * each resource which numbers its own program would accept.
 *
 *     a b c  members of one struct            b and c move along with a, at offsets 1 and 2
 *     t s    views of one descriptor          s moves along with t, at offset 0
 *     t      a register, its class unshifted  any register of class t in its set */
#include "analysis/layout/plan.h"

/* The parameter that an unassigned one moves along with; itself if none. */
static const struct spb_parameter *lead_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_parameter *leader = spb_leader(s, p);

	if (p->variable->heap)
		return p;
	return leader != p ? leader : spb_run_head(s, p);
}

/* The shift of its register class, unless an option or a policy gives it. */
static const struct spb_shift *own_shift(const struct spb_plan *s, const struct spb_parameter *p)
{
	for (size_t i = 0; i < s->layout->shifts.count && s->hlsl && !p->variable->heap; i++) {
		const struct spb_shift *shift = &s->layout->shifts.items[i];
		if (shift->set == p->set && shift->class == p->class && !shift->group && p->place != SPB_PLACE_BOUND)
			return spb_policy_lane_shift(s->policies, shift->class, 0, shift->set) ? NULL : shift;
	}
	return NULL;
}

/* If its set was chosen because it was free: a name for the block or heaps that own it. NULL: its set is given. */
static const char *alone_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_policy_line *block =
	    p->in_block ? &s->policies->lines.items[spb_draft(s, p)->block - 1] : NULL;

	if (block && !block->has_set)
		return *block->why ? block->why : NULL;
	return p->variable->heap && !spb_heaps_in_default_set(s) ? "heaps" : NULL;
}

struct spb_freedom spb_freedom_of(const struct spb_layout *layout, const struct spb_parameter *p)
{
	const struct spb_plan *s = layout->plan;
	struct spb_freedom f = {.length = (uint32_t)spb_length_of(s, p)};

	const struct spb_shift *shift = own_shift(s, p);

	if (shift) {
		f.has_lane = shift->automatic;
		f.is_recorded = !shift->automatic;
		f.class = p->class;
		f.number = p->number;
		f.must_shift = s->auto_shift;
	}
	if (!f.has_lane && p->place == SPB_PLACE_OPEN && p->allocated) {
		f.from = p->binding - p->number + (p->has_range ? 0 : spb_draft(s, p)->from);
	}
	if (p->heap_free && p->heap_kept)
		f.alone = "heaps";
	if (p->place != SPB_PLACE_OPEN)
		return f;
	f.has_range = p->has_range;
	if (f.has_range) {
		f.first = spb_range_of(s, p)->first;
		f.last = spb_range_of(s, p)->last;
	}
	const struct spb_parameter *lead = lead_of(s, p);
	if (lead != p) {
		f.lead = (uint32_t)(lead - layout->parameters.items) + 1;
		f.offset = p->binding - lead->binding;
	}
	f.alone = alone_of(s, p);
	return f;
}
