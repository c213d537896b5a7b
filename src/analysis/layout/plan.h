/* SPDX-License-Identifier: Apache-2.0 */
/* plan: the state shared by the files that decide the layout of a program.
 *
 *     plan.c       what several files ask about a parameter
 *     collapse.c   variables of all modules -> parameters of the program
 *     agree.c      whether variables of one name are one resource
 *     views.c      groups parameters that are views of one descriptor, and decides whether two descriptors may share a
 *                  binding
 *     settle.c     what the input, the policies and the lock file decide about each parameter
 *     sets.c       the sets of parameter blocks and heaps
 *     overlap.c    reports parameters that share a binding
 *     reserve.c    collects the numbers that are taken, and their conflicts
 *     allocate.c   makes a claim for each parameter that needs a number
 *     number.c     gives every claim the first free number
 *     shifts.c     turns numbers into bindings
 *     entries.c    makes the entries of descriptor set layouts
 *     freedom.c    where else a parameter could have gone
 *     decide.c     applies policies about descriptors that SPIR-V cannot express
 *     lock.c       reads and writes the lock file, whose numbers never change
 *     layout.c     runs all of these in order
 *
 * A number space is called a lane. Under Slang's rules, a set has one lane. Under HLSL's rules, and wherever a register
 * class is shifted, each class has its own lane; stages with their own shift get lanes of their own, too. The binding
 * of a resource is its number plus the shift of its lane. With `option shift=base`, every resource is back in the one
 * lane of its set, and a shift is the number from which unassigned resources are numbered. */
#ifndef SPB_PLAN_H
#define SPB_PLAN_H

#include "analysis/layout/layout.h"
#include "analysis/layout/number.h"

struct spb_plan {
	struct spb_context *c;
	const spb_options *options;
	struct spb_policies *policies;
	struct spb_layout_module *modules;
	size_t module_count;
	struct spb_layout *layout;
	struct spb_arena *arena; /* lives as long as the layout */
	bool leaves_shared;      /* see spb_lay_out */
	struct spb_lock lock;
	struct spb_lanes lanes;
	bool hlsl, auto_shift;
	bool has_lanes;   /* register classes have their own lanes */
	bool base;        /* option shift=base */
	bool arrays_each; /* without HLSL's rules: each element of a sized array takes a number */
	spb_unused unused;
	bool maps_all;                  /* VK_EXT_descriptor_heap maps all descriptors; there are no set layouts */
	bool numbered;                  /* spb_parameter.binding is known */
	bool failed;                    /* an overlap was reported as an error */
	size_t said;                    /* overlaps reported so far */
	struct spb_module_facts *facts; /* per module; private to views.c, as are: */
	uint32_t *root;                 /* per parameter: the representative of all that share its number */
	uint32_t *groups_of;            /* per such parameter: its first group, + 1 */
	uint32_t searches;              /* searches so far for entry points that use both of two descriptors */
};

static inline struct spb_parameter *spb_plan_parameter(const struct spb_plan *s, uint32_t i)
{
	return &s->layout->parameters.items[i];
}

static inline const struct spb_variable *spb_variable_of(const struct spb_plan *s, struct spb_view view)
{
	return &s->modules[view.module].variables.items[view.variable];
}

/* The arena for per-parameter data that is needed only during planning. */
static inline struct spb_arena *spb_planning_arena(const struct spb_plan *s, size_t count)
{
	enum { MANY = 4096 }; /* enough to make the overhead of separate chunks negligible */

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

/* Walks the parameters of a group; `view` and the result are indexes + 1. */
static inline uint32_t spb_next_view(const struct spb_plan *s, uint32_t view)
{
	return s->layout->drafts[view - 1].next_view;
}

/* Rebuilds the index of the module if it has been freed. */
static inline const struct spb_module *spb_plan_module(const struct spb_plan *s, uint32_t module)
{
	spb_module_need_index(s->modules[module].m);
	return s->modules[module].m;
}

static inline const struct spb_module *spb_module_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_plan_module(s, p->module);
}

/* registers.c: whether HLSL's rules apply to the program */
bool spb_means_registers(const struct spb_plan *s);

/* plan.c: what several files ask about a parameter */

/* Decompilers use names such as _12 and _12_34 for unnamed ids, so they agree in two modules only by chance. */
bool spb_is_name(const char *key);
const char *spb_variable_label(const struct spb_plan *s, uint32_t module, const struct spb_variable *v);
const char *spb_parameter_label(const struct spb_plan *s, const struct spb_parameter *p);
/* The type of a variable: "texture 2D float", "ubo[4]". */
const char *spb_type_text(const struct spb_plan *s, uint32_t module, const struct spb_variable *v);
noreturn void spb_plan_fail(const struct spb_plan *s, const struct spb_parameter *p, uint32_t code, const char *text);
/* The query for the policies that apply to it. */
struct spb_policy_question spb_policy_question_of(const struct spb_plan *s, const struct spb_parameter *p);
/* Whether heaps are laid out as DXC does: one for all resources, one for samplers, one for counters. */
bool spb_heaps_in_default_set(const struct spb_plan *s);
uint32_t spb_own_lane(const struct spb_plan *s, const struct spb_parameter *p); /* regardless of its group */

/* Without class lanes: the shift added to the number of the input, or the number where unassigned ones begin. */
uint32_t spb_own_shift(const struct spb_plan *s, const struct spb_parameter *p);
/* Whether an array takes a number for each element: a register, or what OpenGL calls a binding. */
bool spb_takes_each(const struct spb_plan *s, const struct spb_parameter *p);
/* How many numbers it takes; 0: all that follow. */
uint64_t spb_length_of(const struct spb_plan *s, const struct spb_parameter *p);
bool spb_is_counter(const struct spb_variable *v);
/* The buffer of a counter, which comes before it; a compiler may have dropped either. NULL: it is not known. */
const struct spb_variable *spb_buffer_of(const struct spb_plan *s, uint32_t module, const struct spb_variable *v);
/* Whether two counters, of modules that have been merged as far as these, are those of two buffers. */
bool spb_are_of_two_buffers(const struct spb_plan *s, uint32_t module_a, const struct spb_variable *a,
			    uint32_t module_b, const struct spb_variable *b);

/* agree.c: whether variables of one name are one resource */

struct spb_agreement {
	struct spb_plan *plan;
	uint64_t *type_hash;          /* per parameter, of its first variable; 0: not computed yet */
	uint32_t other;               /* the earlier module whose types were compared last */
	const uint64_t *other_hashes; /* its type hashes; NULL: none yet */
	uint32_t namesake;            /* of the variable at hand, see struct spb_draft */
	uint32_t elsewhere;           /* the first parameter of its name that is at another place, + 1 */
	bool no_merge;
};

/* The set and binding of a variable in the input, regardless of --rebind. A register is where the shift of its class
 * puts it, if that is known. False: it has no binding. */
bool spb_find_place(const struct spb_plan *s, const struct spb_variable *v, uint32_t *set, uint32_t *binding);
/* Whether a variable has another number than its text gives it, as in a module that has been bound. */
bool spb_is_renumbered(const struct spb_variable *v);
/* Whether a declaration that one of two modules has dropped is at another place than the variable of the other. If a
 * run has moved that, the numbers of both texts are compared. */
bool spb_is_elsewhere(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_variable *v);
bool spb_places_agree(struct spb_agreement *x, const struct spb_parameter *p, uint32_t module,
		      const struct spb_variable *v, bool has_set, bool has_binding);
bool spb_types_agree(struct spb_agreement *x, const struct spb_parameter *p, uint32_t module, struct spb_variable *v);
/* Records the place of a variable in the input as that of its parameter. */
void spb_note_place(const struct spb_plan *s, struct spb_parameter *p, const struct spb_variable *v);
void spb_report_place(struct spb_plan *s, const struct spb_parameter *p, uint32_t module, const struct spb_variable *v);
spb_message_note spb_note_of(const struct spb_plan *s, const struct spb_parameter *p,
			     const char *what);                                      /* "a" is ... here */
const char *spb_place_text(const struct spb_plan *s, const struct spb_parameter *p); /* overlap.c: set 0, binding 3 */
const uint64_t *spb_hashes_of(struct spb_plan *s, uint32_t module);
/* The first member of `b` that differs in `a`, for a message; NULL: none, or one of them is not a block. Keeps type
 * hashes in `scratch`. */
const char *spb_find_other_member(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b);
void spb_keep_type_hashes(struct spb_agreement *x, uint32_t parameter, const uint64_t *hashes);

/* collapse.c */
void spb_collapse(struct spb_plan *s);

/* views.c */
enum spb_verdict_of_two { SPB_OVERLAP_LEGAL, SPB_OVERLAP_DOUBTFUL, SPB_OVERLAP_CONFLICT };

struct spb_overlap {
	enum spb_verdict_of_two verdict;
	const char *rule; /* why */
	const char *remedy;
	const struct spb_parameter *a, *b; /* the parameters concerned; NULL: those that were passed in */
};

static inline struct spb_group *spb_group_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return &s->layout->groups.items[spb_draft(s, p)->group];
}

/* The policy that restricts it to a range; requires has_range. */
static inline const struct spb_policy_line *spb_range_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return &s->policies->lines.items[spb_draft(s, p)->from];
}

static inline const struct spb_parameter *spb_leader(const struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_plan_parameter(s, spb_group_of(s, p)->leader);
}

/* Whether it takes the set and binding of the leader of its group. */
static inline bool spb_follows(const struct spb_plan *s, const struct spb_parameter *p)
{
	return p->place == SPB_PLACE_OPEN && spb_group_of(s, p)->leader != (uint32_t)(p - s->layout->parameters.items);
}

static inline uint32_t spb_lane_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return s->has_lanes ? spb_own_lane(s, spb_leader(s, p)) : 0;
}

/* Whether their authors gave both the same number, according to the source texts. */
bool spb_have_common_author(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b);
/* Makes the groups of the program. */
void spb_group_views(struct spb_plan *s);
/* Computes leader, types and count from the views that are not removed. */
void spb_sum_up_group(struct spb_plan *s, struct spb_group *group);
/* Whether two descriptors may share a binding that the input gives to both. */
struct spb_overlap spb_judge_groups(struct spb_plan *s, const struct spb_group *a, const struct spb_group *b);
/* Whether its module numbers registers, so that equal numbers in different classes mean different resources. */
bool spb_has_registers(const struct spb_plan *s, const struct spb_parameter *p);

/* settle.c */
void spb_settle(struct spb_plan *s);
/* Unassigns a parameter, all views of its descriptor, and everything that was split from the same variable. */
void spb_open_run(struct spb_plan *s, uint32_t parameter);

/* sets.c */
void spb_spread_heaps(struct spb_plan *s);
void spb_place_blocks(struct spb_plan *s);
/* Once all numbers are decided: a fixed member of a block must have the number that the block gives it. */
void spb_check_blocks(struct spb_plan *s);
void spb_place_heaps(struct spb_plan *s);
/* Once all parameters are settled. */
void spb_choose_heap_places(struct spb_plan *s);
void spb_unite_kept_heaps(struct spb_plan *s);
/* Applies the binding that --heap or the lock file gives heaps of this kind, if any. */
void spb_bind_heap(struct spb_plan *s, struct spb_parameter *p);

/* overlap.c */
struct spb_overlap spb_judge_overlap(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b);
/* Reports the overlap of two parameters, as an error unless it is legal or allowed. */
void spb_report_overlap(struct spb_plan *s, uint32_t first, uint32_t second);
/* Fails if any overlap was an error. */
void spb_end_overlaps(struct spb_plan *s);
/* Reports sharing that is legal but may be unintended; with layout.doctor, all sharing. */
void spb_report_shared(struct spb_plan *s);
/* Notes arrays that would reach the numbers of another resource if a pipeline gave them more elements. */
void spb_report_growth(struct spb_plan *s);

/* reserve.c */
struct spb_ranges spb_reserve_numbers(struct spb_plan *s);
/* Reserves the places of dropped declarations: open claims avoid the numbers that an author wrote, and all claims those
 * from a lock or a policy. */
void spb_reserve_dropped(struct spb_plan *s, struct spb_numbering *n);

/* allocate.c */
void spb_allocate(struct spb_plan *s);
/* The first member of the run of struct members that it is numbered with; possibly itself. */
const struct spb_parameter *spb_run_head(const struct spb_plan *s, const struct spb_parameter *p);

/* shifts.c */
void spb_shift_numbers(struct spb_plan *s);

/* registers.c: the shifts of an earlier run, where all modules that it numbered agree: they keep their bindings, alone
 * and beside modules with registers. None if others have bindings. Ascending by set and class. */
struct spb_shifts spb_recorded_shifts(const struct spb_plan *s);

/* entries.c, once all numbers are decided */
void spb_make_entries(struct spb_plan *s);

/* decide.c */
void spb_decide(struct spb_plan *s);
/* The first policy that gives either group a form. NULL: none, or neither mutable nor mapped, the only forms in which
 * descriptors of several types share a place. Before numbers are decided, binding= is compared with that of the
 * input. */
const struct spb_policy_line *spb_mixing_policy(struct spb_plan *s, const struct spb_group *a,
						const struct spb_group *b);
/* Whether the host maps each type at its place separately. */
bool spb_is_mapped(struct spb_plan *s, const struct spb_parameter *p);

/* lock.c */
void spb_lock_need_one_program(const struct spb_lock *lock, struct spb_context *c, const char *name);
/* Once all numbers are decided: nothing in the lock file may have moved. */
void spb_lock_check(struct spb_plan *s);

#endif
