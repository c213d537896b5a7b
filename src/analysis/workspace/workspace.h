/* SPDX-License-Identifier: Apache-2.0 */
/* workspace: the numbers of many programs that share descriptor sets and one lock file.
 *
 *   1. facts.c    writes for each program, as text, what its layout says about every resource
 *   2. join.c     joins the facts of all programs with the lock file, and gives each descriptor one number
 *   3. locks.c    writes the lock file of all programs, and for each program the lock that it is bound with
 *
 * Programs share bindings, not registers or rules, so programs with different rules can share a set. The lock contains
 * all numbers of a workspace before any program is bound, so the result does not depend on where, and with which other
 * programs, a program is bound. */
#ifndef SPB_WORKSPACE_H
#define SPB_WORKSPACE_H

#include "analysis/layout/layout.h"
#include "analysis/layout/policy.h"
#include "base/blake2.h"

/* facts.c */

enum spb_fact_place {
	SPB_FACT_OPEN,  /* the workspace may choose its place */
	SPB_FACT_FIXED, /* by a module or an option */
	SPB_FACT_LOCKED /* by a line of the lock file for this program alone */
};

struct spb_fact {                     /* a resource of a program, or of several with the same lines about it */
	unsigned char digest[DIGEST]; /* of its lines */
	const char *name;
	const char *made; /* of a block that a compiler made: the name that it gave; NULL: an author named it */
	uint64_t text;    /* of such a block: hash of what the source text declares; 0: not known */
	uint32_t ordinal;
	bool heap;
	bool dropped; /* the program has no variable of it, only a declaration in a source text, which has a number */
	enum spb_fact_place place;
	uint32_t set, binding; /* in the program's own layout; see also struct spb_resource_of_all */
	enum spb_descriptor kind;
	uint64_t type;                  /* hash of the element's type */
	uint32_t blocks;                /* of a block: index of its first member in spb_all_facts.members */
	uint32_t members;               /* of a block: how many members it has */
	uint32_t count;                 /* 0: runtime array */
	uint32_t stages;                /* bits: stages whose entry points use it */
	struct spb_entry entry;         /* vk_type, types, flags, set_flags, immutable, non_uniform, count, mask */
	const struct spb_freedom *free; /* most resources have none, and share one struct */
};

struct spb_fact_shift {
	enum spb_class class;
	uint32_t set, by;
	bool recorded; /* by an earlier run, in a module */
};

struct spb_fact_reserve { /* numbers that open resources may not get */
	uint32_t set, first, last;
};

/* What is known about a program. Programs share their facts: there are many programs, but few distinct facts. */
struct spb_facts {
	const uint32_t *items; /* into spb_workspace_plan.facts */
	uint32_t *resources;   /* parallel to the items, into spb_workspace_plan.resources; known once joined */
	const struct spb_fact_shift *shifts;
	const struct spb_fact_reserve *reserved;
	uint32_t count, shift_count, reserve_count;
};

/* The facts of a program that has been laid out, allocated in `keep`. */
const char *spb_facts_text(const struct spb_layout *layout, const spb_options *options,
			   const struct spb_policies *policies, struct spb_layout_module *modules,
			   struct spb_context *c, struct spb_arena *keep, size_t *length);

/* A workspace */

struct spb_resource_of_all { /* a resource of a scope, with the same number in all programs that have it */
	uint32_t scope;
	const char *name; /* in the lock file: that of the fact, unless a compiler gave it to several blocks */
	uint32_t program; /* the first program that has it, rather than a declaration only */
	const struct spb_fact *fact;    /* of that program */
	const struct spb_fact *fullest; /* of a block: the one with most members so far */
	uint32_t firm;                  /* the program that fixes its place, + 1; 0: none */
	enum spb_class class;
	uint32_t number;            /* with has_lane or is_recorded */
	uint32_t run;               /* how many numbers it takes, including the resources that move along with it */
	bool has_lane, is_recorded; /* as of its fact */
	bool placed;                /* its number comes from a program or the lock */
	bool follows;               /* it moves along with another resource */
	uint32_t set, binding;
	uint32_t count, stages;
	struct spb_entry entry;
	struct spb_lock_entry *locked;
	bool differs; /* its line in the lock file is out of date */
	bool moved;   /* and has another number */
};

struct spb_scope {
	const char *label;   /* the value of program= in the lines of the lock file */
	bool shared;         /* a shared set or a family: numbered for all its programs together */
	uint32_t first, end; /* its resources, in spb_resources.sorted */
	struct spb_shifts shifts;
	struct spb_shifts recorded; /* of a shared scope: what its modules record, maybe several of one class and set */
	SPB_LIST(struct spb_fact_reserve) reserved;
	bool complete; /* all its programs are in the workspace */
};

struct spb_share {
	uint32_t set; /* SPB_SHARED_HEAPS: that of the heaps */
	const char *programs;
};

struct spb_workspace_program {
	const char *name;
	const char *family; /* NULL: none */
	struct spb_facts facts;
	uint32_t scope; /* of its resources outside shared sets */
	bool collected; /* its facts are known */
	bool left_out;  /* it has faults, or contradicts another program */
	bool in_family; /* it is a variant, or has one */
	bool differs;   /* its part of the lock file is out of date */
	bool moved;     /* and has another number for one of its resources */
};

/* Tables, each a list with a hash table of its items (index + 1). */

struct spb_programs {
	struct spb_workspace_program *items;
	size_t count, capacity;
	uint32_t *slot, mask; /* by name */
};

struct spb_all_facts { /* the distinct facts of all programs */
	struct spb_fact *items;
	size_t count, capacity;
	SPB_LIST(struct spb_typed_member) members;
	uint32_t *slot, mask; /* by digest */
};

struct spb_scopes {
	struct spb_scope *items;
	size_t count, capacity;
	uint32_t *slot, mask; /* by label */
};

struct spb_resources {
	struct spb_resource_of_all *items;
	size_t count, capacity;
	uint32_t *sorted;                  /* resources, scope by scope */
	uint32_t *slot, *place_slot, mask; /* by scope and name; by scope and place */
};

struct spb_workspace_plan {
	struct spb_context *c;
	struct spb_arena *keep;
	struct spb_names names;
	struct spb_lock lock;          /* the existing lock file; version 0: there is none */
	const char *lock_file;         /* its name */
	struct spb_lock_entry **lines; /* of the lock file, scope by scope */
	SPB_LIST(struct spb_share) shares;
	struct spb_programs programs;
	struct spb_all_facts facts;
	SPB_LIST(struct spb_workspace_program *) reading; /* those in the collected text that is being read */
	struct spb_scopes scopes;
	struct spb_resources resources;
	bool partial;  /* there are other programs, which are not in this workspace */
	bool left_out; /* some program is left out */
	bool refused;  /* some program is left out because it contradicts another one */
};

static inline const struct spb_fact *spb_fact_of(const struct spb_workspace_plan *w,
						 const struct spb_workspace_program *p, uint32_t i)
{
	return &w->facts.items[p->facts.items[i]];
}

/* A heap that a compiler has placed, which may join that of another one. */
static inline bool spb_is_free_heap(const struct spb_fact *f)
{
	return f->heap && f->place != SPB_FACT_OPEN && f->free->alone;
}

/* facts.c */

/* Reads the facts of a program, up to a line that begins with "program" or the end of the text. */
void spb_read_facts(struct spb_workspace_plan *w, struct spb_workspace_program *p, struct spb_lines *r);
void spb_put_facts(const struct spb_workspace_plan *w, const struct spb_workspace_program *p,
		   struct spb_text_buffer *text);

/* collected.c: the facts of several programs as one text */
void spb_set_facts(struct spb_workspace_plan *w, struct spb_workspace_program *p, const char *text);
void spb_read_collected(struct spb_workspace_plan *w, const char *file, const char *text);
void spb_forget_collected(struct spb_workspace_plan *w); /* after it has failed */
const char *spb_collected_text(struct spb_workspace_plan *w, size_t *length);

/* names.c: programs and scopes by name */

struct spb_workspace_program *spb_find_workspace_program(const struct spb_workspace_plan *w, const char *name);
void spb_add_workspace_program(struct spb_workspace_plan *w, const char *name, const char *family);
/* Finds families and scopes. Called once all programs are known, and again when some are left out. */
void spb_find_scopes(struct spb_workspace_plan *w);
/* NULL: there is no scope with that label. */
const struct spb_scope *spb_find_scope(const struct spb_workspace_plan *w, const char *label);
/* The scope of a program's resources in a set. */
uint32_t spb_scope_of(const struct spb_workspace_plan *w, uint32_t program, uint32_t set);
uint32_t spb_scope_of_fact(const struct spb_workspace_plan *w, uint32_t program, const struct spb_fact *f);
noreturn void spb_workspace_fail(struct spb_workspace_plan *w, spb_status status, uint32_t code, const char *program,
				 const char *format, ...);

/* Reports an error in a program. */
void spb_workspace_say(struct spb_workspace_plan *w, uint32_t code, const char *program, const char *format, ...);
void spb_workspace_warn(struct spb_workspace_plan *w, uint32_t code, const char *program, const char *format, ...);
/* What is wrong with a resource at the place that another program has given `other`. */
const char *spb_place_taken(const struct spb_workspace_plan *w, const char *name, uint32_t type,
			    const struct spb_resource_of_all *other, const char *program);
/* Leaves out a program, so its lines of the lock file stay as they are. */
void spb_leave_out_program(struct spb_workspace_plan *w, struct spb_workspace_program *p);

/* join.c: joins the facts of all programs, and decides all numbers */
void spb_decide_numbers(struct spb_workspace_plan *w);

/* share.c: assigns numbers to the open resources of one scope */
void spb_number_scope(struct spb_workspace_plan *w, struct spb_scope *scope);

/* locks.c */

struct spb_scope_lines {
	struct spb_lock_entry **items;
	size_t count;
};

/* Must be called before spb_lines_of. */
void spb_sort_lock(struct spb_workspace_plan *w);
/* The lines of a scope, in the order of the lock file; NULL: the lines without a scope. */
struct spb_scope_lines spb_lines_of(const struct spb_workspace_plan *w, const char *scope);

/* The lock file of all programs. Also finds the programs whose part of the lock file is out of date. */
const char *spb_workspace_lock_text(struct spb_workspace_plan *w, size_t *length);
/* The part of the existing lock file that the programs of the workspace depend on. */
const char *spb_lock_part(struct spb_workspace_plan *w, size_t *length);
/* The lock with which a program is laid out to find its facts: its own lines, and the sets that it shares. */
const char *spb_lock_before(struct spb_workspace_plan *w, uint32_t program, struct spb_arena *arena, size_t *length);
/* The lock with which a program is bound. */
const char *spb_lock_of(struct spb_workspace_plan *w, uint32_t program, struct spb_arena *arena, size_t *length);

/* merge_locks.c: merges `theirs` into w->lock, which is "ours"; `name` is the file of theirs */
const char *spb_merge_locks(struct spb_workspace_plan *w, const char *base, const char *theirs, const char *name,
			    size_t *length);

#endif
