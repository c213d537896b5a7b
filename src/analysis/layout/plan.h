/* SPDX-License-Identifier: Apache-2.0 */
/* plan: what the files that decide the layout of a program have in common.
 *
 *     collapse.c   variables of all modules -> parameters of the program
 *     views.c      groups parameters that are views of one descriptor, and judges two descriptors at one binding
 *     settle.c     what the input, the policies and the lock decide about each parameter
 *     sets.c       sets of parameter blocks and heaps
 *     overlap.c    reports parameters that share a binding
 *     reserve.c    numbers that are taken
 *     allocate.c   what needs numbers
 *     number.c     numbers for all that needs some
 *     shifts.c     from numbers to bindings
 *     entries.c    entries of descriptor set layouts
 *     freedom.c    where else they could have gone
 *     decide.c     what policies say about them beyond SPIR-V
 *     lock.c       numbers that never move
 *     layout.c     runs all of these in order
 *
 * A number space is called a lane. Under Slang's rules a set has one lane; under HLSL's, and where a register class is
 * shifted, each class has its own, and so have the resources of stages that are shifted by themselves. The binding is
 * the number in its lane plus the shift of the lane. With `option shift=base`, all is in the lane of the set again, and
 * a shift is the number where unassigned resources begin. */
#ifndef SPB_PLAN_H
#define SPB_PLAN_H

#include "analysis/layout/layout.h"
#include "analysis/layout/lock.h"
#include "analysis/layout/number.h"

struct spb_plan {
	struct spb_context *c;
	const spb_options *options;
	struct spb_policies *policies;
	struct spb_layout_module *modules;
	size_t module_count;
	struct spb_layout *layout;
	struct spb_arena *arena; /* lives as long as the layout */
	bool leaves_shared;      /* spb_lay_out */
	struct spb_lock lock;
	struct spb_lanes lanes;
	bool hlsl, auto_shift;
	bool has_lanes; /* classes have lanes of their own */
	bool base;      /* a shift is where unassigned resources begin */
	spb_unused unused;
	bool numbered;                  /* p->binding is known */
	bool failed;                    /* an overlap was reported as an error */
	size_t said;                    /* overlaps reported so far */
	struct spb_module_facts *facts; /* of each module: views.c */
	uint32_t searches;              /* for entry points that use both of two descriptors */
};

static inline struct spb_parameter *spb_plan_parameter(const struct spb_plan *s, uint32_t i)
{
	return &s->layout->parameters.items[i];
}

/* For what only planning needs of so many parameters. */
static inline struct spb_arena *spb_planning_arena(const struct spb_plan *s, size_t count)
{
	enum { MANY = 4096 }; /* a chunk of their own is a small part of them */

	return count < MANY ? s->arena : &s->layout->planning;
}

static inline struct spb_draft *spb_plan_draft(const struct spb_plan *s, uint32_t i)
{
	return &s->layout->drafts[i];
}

static inline struct spb_draft *spb_draft(const struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_draft_of(s->layout, p);
}

/* Parameters of a group, each by its index + 1. */
static inline uint32_t spb_next_view(const struct spb_plan *s, uint32_t view)
{
	return s->layout->drafts[view - 1].next_view;
}

/* With an index, which may have gone. */
static inline const struct spb_module *spb_plan_module(const struct spb_plan *s, uint32_t module)
{
	spb_module_need_index(s->modules[module].m);
	return s->modules[module].m;
}

static inline const struct spb_module *spb_module_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_plan_module(s, p->module);
}

/* collapse.c */
void spb_collapse(struct spb_plan *s);
const char *spb_parameter_label(const struct spb_plan *s, const struct spb_parameter *p);
noreturn void spb_plan_fail(const struct spb_plan *s, const struct spb_parameter *p, uint32_t code, const char *text);

/* views.c */
enum spb_verdict_of_two { SPB_OVERLAP_LEGAL, SPB_OVERLAP_DOUBTFUL, SPB_OVERLAP_CONFLICT };

struct spb_overlap {
	enum spb_verdict_of_two verdict;
	const char *rule; /* why */
	const char *remedy;
	const struct spb_parameter *a, *b; /* whom it concerns; NULL: those who were asked about */
};

static inline struct spb_group *spb_group_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return &s->layout->groups.items[spb_draft(s, p)->group];
}

/* The policy that gives the range it is to be in. */
static inline const struct spb_policy_line *spb_range_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return &s->policies->lines.items[spb_draft(s, p)->from];
}

static inline const struct spb_parameter *spb_leader(const struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_plan_parameter(s, spb_group_of(s, p)->leader);
}

/* Whether it takes the place that the leader of its group is given. */
static inline bool spb_follows(const struct spb_plan *s, const struct spb_parameter *p)
{
	return p->place == SPB_PLACE_OPEN && spb_group_of(s, p)->leader != (uint32_t)(p - s->layout->parameters.items);
}

/* Makes the groups of a program. */
void spb_group_views(struct spb_plan *s);
/* Its leader, type and count, of the views that are not removed. */
void spb_sum_up_group(struct spb_plan *s, struct spb_group *group);
/* What two descriptors are that claim one place, both from the input. */
struct spb_overlap spb_judge_groups(struct spb_plan *s, const struct spb_group *a, const struct spb_group *b);
/* Whether the module numbers registers, so that equal numbers of different classes are different resources. */
bool spb_has_registers(const struct spb_plan *s, const struct spb_parameter *p);

/* settle.c */
void spb_settle(struct spb_plan *s);
/* What policies are asked about it. */
struct spb_policy_question spb_policy_question_of(const struct spb_plan *s, const struct spb_parameter *p);
/* Opens a parameter with all views of its descriptor, and all that was split from the same variable. */
void spb_open_run(struct spb_plan *s, uint32_t parameter);

/* sets.c */
void spb_place_blocks(struct spb_plan *s);
/* After all numbers are decided: a fixed member of a block must have the block's number. */
void spb_check_blocks(struct spb_plan *s);
void spb_place_heaps(struct spb_plan *s);
/* As DXC has them: one for all resources, one for samplers. */
bool spb_heaps_in_default_set(const struct spb_plan *s);
/* Applies the binding that --heap or the lock gives heaps of this kind, if any. */
void spb_bind_heap(struct spb_plan *s, struct spb_parameter *p);

/* overlap.c */
struct spb_overlap spb_judge_overlap(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b);
/* Reports it, as an error unless it is legal or allowed. */
void spb_report_overlap(struct spb_plan *s, uint32_t first, uint32_t second);
/* Fails if an error was reported. */
void spb_end_overlaps(struct spb_plan *s);
/* What is legal, but may not be meant; with --doctor, all that shares a descriptor. */
void spb_report_shared(struct spb_plan *s);

/* What a variable is: texture 2D float, ubo[4]. */
const char *spb_type_text(const struct spb_plan *s, uint32_t module, const struct spb_variable *v);

/* reserve.c: numbers that are taken */

uint32_t spb_own_lane(const struct spb_plan *s, const struct spb_parameter *p); /* if it is in no group yet */

static inline uint32_t spb_lane_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return s->has_lanes ? spb_own_lane(s, spb_leader(s, p)) : 0;
}

/* Without lanes of classes: what is added to the number that the input gives, or where unassigned ones begin. */
uint32_t spb_own_shift(const struct spb_plan *s, const struct spb_parameter *p);
/* The number of numbers it takes; 0: all that follow. */
uint64_t spb_length_of(const struct spb_plan *s, const struct spb_parameter *p);
struct spb_ranges spb_reserve_numbers(struct spb_plan *s);

/* allocate.c */
void spb_allocate(struct spb_plan *s);
/* The first of the members of its struct that are numbered in one run with it; itself if there is none before it. */
const struct spb_parameter *spb_run_head(const struct spb_plan *s, const struct spb_parameter *p);

/* shifts.c */
void spb_shift_numbers(struct spb_plan *s);

/* entries.c: once all numbers are decided */
void spb_make_entries(struct spb_plan *s);

/* decide.c */
void spb_decide(struct spb_plan *s);

/* lock.c */
void spb_lock_need_one_program(const struct spb_lock *lock, struct spb_context *c, const char *name);
/* After all numbers are decided: nothing in the lock may have moved. */
void spb_lock_check(struct spb_plan *s);

#endif
