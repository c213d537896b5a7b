/* SPDX-License-Identifier: Apache-2.0 */
/* layout: assigns a set and a binding to every resource of a program. The library and the passes include this
 * header; the files of this room share plan.h. */
#ifndef SPB_LAYOUT_H
#define SPB_LAYOUT_H

#include "analysis/source/source.h"
#include "base/lines.h"

struct spb_layout;
struct spb_policies;

/* layout.c: the layout of a whole program */

struct spb_layout_module { /* what the layout needs from each module */
	struct spb_module *m;
	struct spb_variables variables; /* in declaration order */
	const struct spb_source_text *text;
	struct spb_dropped dropped;
	bool import;                /* its resources are numbered after all others */
	bool one_each;              /* its numbers are bindings, not registers: an array takes one */
	bool may_have_registers;    /* spb_may_count_registers */
	uint64_t *hashes;           /* spb_type_hashes, computed on first use */
	uint32_t *sizes;            /* spb_type_sizes, likewise */
	struct spb_structs structs; /* of the module as bound; filled on request */
};

enum spb_place {
	SPB_PLACE_OPEN,
	SPB_PLACE_FIXED,  /* by the input: a register under HLSL's rules, otherwise a binding */
	SPB_PLACE_BOUND,  /* to a Vulkan binding by a policy or the lock file */
	SPB_PLACE_REMOVED /* unused, and removed from the modules */
};

struct spb_parameter {
	uint32_t module;                     /* the first one that declares it */
	uint32_t ordinal;                    /* index among the parameters of this name */
	const struct spb_variable *variable; /* its declaration there; has all that is equal in every module */

	/* merged from all modules that declare it */
	uint32_t count;  /* 0: runtime array */
	uint16_t stages; /* bits: the stages of these modules */
	uint16_t uses;   /* bits: the stages of the entry points that use it */

	/* decided by the layout */
	uint32_t set, binding;
	uint32_t number; /* in its lane: the binding before shifting, or an HLSL register */
	uint32_t entry;  /* index of its entry in spb_layout.entries, unless it is removed */
	const char *why;

	uint8_t class; /* enum spb_class */
	uint8_t place; /* enum spb_place, decided */
	uint8_t type;  /* enum spb_descriptor: serves all views of its group, decided */
	/* merged; packed, since a program may have hundreds of thousands of parameters */
	bool aliased : 1, used : 1, reached : 1, writable : 1;
	bool has_place : 1; /* the input gives it a binding, which is in its draft */
	bool authored : 1;  /* and that is its author's */
	bool bound : 1;     /* its number is a Vulkan binding: a module records that, but not its shift */
	bool heap : 1;      /* a copy of variable->heap, for walks that are not in order of parameters */
	bool dropped : 1;   /* without views: only source texts declare it, and it is not a descriptor */
	/* decided */
	bool said : 1; /* a policy places it */
	bool has_set : 1;
	bool heap_kept : 1;               /* it keeps the binding of the input */
	bool heap_free : 1;               /* it may join another compiler's heap, in another program, too */
	bool locked : 1;                  /* it is in the lock file */
	bool in_block : 1, was_fixed : 1; /* was_fixed: by the input, but a block places it */
	bool allocated : 1;
	bool has_range : 1;
	bool has_register : 1; /* rules hlsl: the number is a register */
};

struct spb_view { /* a variable of a module, as a view of a parameter */
	uint32_t module, variable;
};

/* The part of a parameter that is needed only while the layout is decided. Freed before modules are rewritten. */
struct spb_draft {
	uint32_t imported; /* rank among the resources of imported modules, from 1; 0: no such module declares it */
	uint32_t place_set, place_binding; /* in the input; the first that is found, or the first of an author */
	struct spb_view fullest;           /* of a block: the view with most members */
	uint32_t namesake;                 /* another parameter with this name, whose type differs, + 1; 0: none */
	uint32_t block;                    /* the policy line that puts it into a block, + 1 */
	uint32_t order, at;                /* parameters with lower values are numbered first; at: its index, and of
					    * a counter that of its buffer, which another module may have declared */
	uint32_t from;      /* with has_range: the policy line with that range; else, if it is allocated: the lowest
			     * number it may have */
	uint32_t group;     /* index of its group of views */
	uint32_t next_view; /* the next view in its group, + 1; 0: none */
	uint32_t struct_module, whole; /* the struct of resources that the text declares it in; whole 0: none */
	uint32_t leaf, leaves;         /* its index among the parameters of that struct, and how many there are */
};

/* Parameters that are views of one descriptor: the input gives them the same set and binding, and a single
 * VkDescriptorType serves them all (views.c). Most groups have one member. */
struct spb_group {
	uint32_t first, last;   /* parameters */
	uint32_t leader;        /* the one that gets a number; the others share its binding */
	uint32_t count;         /* length of its longest array; 0: runtime array */
	uint32_t next_at_place; /* the next group at its binding in the input that shares its number, + 1 */
	uint32_t lead;          /* while entries are made: the group whose entry it gets, + 1 */
	uint16_t types;         /* bits over enum spb_descriptor: types that serve all views */
	uint16_t uses;          /* bits: stages whose entry points use any view */
	bool reached;           /* any view is reached */
};

/* An entry of a descriptor set layout: the groups at one place that one descriptor type serves, or the views of a
 * mutable heap. Descriptors at one place that no pipeline uses together have an entry each. */
struct spb_entry {
	uint32_t set, binding;
	uint32_t first;     /* its parameters in spb_layout.sorted; they end where those of the next entry begin */
	uint32_t vk_type;   /* VkDescriptorType */
	uint32_t count;     /* of descriptors, 0: runtime array; of bytes in an inline uniform block */
	uint16_t types;     /* bits over enum spb_descriptor: several if it is mutable */
	uint16_t uses;      /* bits: stages whose entry points use any view */
	uint16_t mask;      /* with VK_EXT_descriptor_heap: spb_resource_mask of its views; 0: it is in a set layout */
	uint8_t set_flags;  /* VkDescriptorSetLayoutCreateFlags, equal throughout the set */
	uint8_t flags;      /* VkDescriptorBindingFlags */
	bool immutable : 1; /* the host passes its samplers with the set layout */
	bool chosen : 1;    /* mutable because a policy says so */
	bool non_uniform : 1; /* some access may select different descriptors in different invocations */
};

_Static_assert(SPB_DESCRIPTOR_COUNT < 16 && SPB_FLAG_COUNT < 8 && SPB_SET_FLAG_COUNT < 8, "each field has a spare bit");

/* An earlier run has left descriptors at one place that only VK_EXT_descriptor_heap can map apart. */
#define SPB_MAPPED_REMARK "spirv-bind: mapped by resourceMask"

struct spb_shift {
	enum spb_class class;
	bool has_set;
	uint32_t set, by;
	uint32_t kinds;     /* bits over enum spb_descriptor; 0: any */
	uint32_t stages;    /* any of these stages; 0: any */
	uint32_t group;     /* of lanes; 0: all stages; else the index into spb_policies.shift_stages, + 1 */
	bool automatic;     /* computed: no option, policy or lock file gives it */
	const char *option; /* "--shift=..." as given; NULL: from a policy */
	const char *file;
	uint32_t line;
};

struct spb_shifts {
	struct spb_shift *items;
	size_t count, capacity;
};

struct spb_lock;
struct spb_plan;

struct spb_layout {
	SPB_LIST(struct spb_parameter) parameters;
	const char **overlaps;              /* per parameter; NULL: no binding is shared */
	struct spb_draft *drafts;           /* per parameter, until spb_end_planning */
	SPB_LIST(struct spb_group) groups;  /* likewise */
	struct spb_arena planning;          /* holds both if there are many parameters */
	struct spb_view *views;             /* parameter by parameter */
	uint32_t *first_view;               /* [parameters + 1] into views */
	SPB_LIST(struct spb_entry) entries; /* ascending by set and binding, with a sentinel after the last */
	uint32_t *sorted;                   /* parameters, entry by entry */
	struct spb_shifts shifts;           /* those in effect, ascending by set and class */
	bool hlsl;                          /* HLSL rules: sets are spaces, numbers are registers */
	bool mapped;       /* VK_EXT_descriptor_heap: the host maps sets and bindings, and there are no set layouts */
	bool opengl;       /* some module is for OpenGL */
	spb_unused unused; /* what is done with unused resources */
	const struct spb_lock *lock;
	const struct spb_plan *plan; /* until spb_end_planning */
};

struct spb_freedom {          /* where an unassigned resource may go */
	bool has_lane;        /* it has a register, and the shift of its class is not given */
	bool is_recorded;     /* it has a register, and an earlier run has recorded that shift */
	bool must_shift;      /* with has_lane: the class is shifted even if no two classes collide */
	enum spb_class class; /* with has_lane or is_recorded */
	uint32_t number;      /* the same */
	uint32_t from;        /* the lowest number to try */
	bool has_range;
	uint32_t first, last; /* with has_range */
	uint32_t length;      /* numbers it takes; 0: all that follow */
	uint32_t lead;        /* the parameter (in facts: the line) that it moves along with, + 1; 0: none */
	uint32_t offset;      /* of its binding from that of `lead` */
	const char *alone;    /* it is in a set chosen because it was free: with the block of this policy, or with the
			       * heaps; NULL: its set is given */
};

/* Why a parameter may share its binding; NULL: it does not, or it is the first there. */
static inline const char *spb_overlap_of(const struct spb_layout *layout, const struct spb_parameter *p)
{
	return layout->overlaps ? layout->overlaps[p - layout->parameters.items] : NULL;
}

static inline struct spb_draft *spb_draft_of(const struct spb_layout *layout, const struct spb_parameter *p)
{
	return &layout->drafts[p - layout->parameters.items];
}

/* The end of its parameters. `e` points into spb_layout.entries. */
static inline uint32_t spb_entry_end(const struct spb_entry *e)
{
	return e[1].first;
}

/* Its entry; the parameter must not be removed. */
static inline const struct spb_entry *spb_entry_of(const struct spb_layout *layout, const struct spb_parameter *p)
{
	return &layout->entries.items[p->entry];
}

/* registers.c: whether HLSL's rules are named */
bool spb_counts_registers(const spb_options *options, const struct spb_policies *policies);
/* Whether HLSL's rules apply to a program with this module if its registers collide, because nobody has named any. */
bool spb_may_count_registers(const spb_options *options, const struct spb_policies *policies,
			     const struct spb_module *m, const struct spb_source_text *text);
/* `removes`, unless told otherwise: HLSL's rules apply, or a module is for OpenGL, whose numbers are limited. */
spb_unused spb_unused_means(const spb_options *options, const struct spb_policies *policies, bool removes);

/* Decides every set and binding. Fails on conflicts. `leaves_shared`: modules need no index once their variables have
 * been compared, so they release the one they share (spb_module_leave_shared). */
void spb_lay_out(struct spb_context *c, const spb_options *options, struct spb_policies *policies,
		 struct spb_layout_module *modules, size_t count, struct spb_layout *layout, struct spb_arena *arena,
		 bool leaves_shared);

/* Frees what is needed only to decide the layout and to write its facts (analysis/workspace). */
void spb_end_planning(struct spb_layout *layout);

/* freedom.c: before spb_end_planning */
struct spb_freedom spb_freedom_of(const struct spb_layout *layout, const struct spb_parameter *p);

/* lock.c: the lines of a lock file, for the layout of one program and for a workspace of many (analysis/workspace)
 *
 * A line with a number may have a scope: program=NAME for one program and its variants, program=* or program=GLOB for a
 * shared set. A line without a scope applies to all programs, as in the lock file of a single program. */

struct spb_lock_entry {
	const char *name;
	uint32_t ordinal; /* index among the entries of this name */
	bool heap, removed, shift, push;
	enum spb_class class;  /* for a shift */
	uint32_t set, binding; /* for a shift: by= */
	uint32_t count;        /* of descriptors; 0: not stated, or unknown */
	uint32_t line;
	bool seen;         /* the program has it */
	const char *scope; /* NULL: all programs */
	const char *rest;  /* the text after its place: " kind=ubo count=2" */
};

#define SPB_SHARED_HEAPS UINT32_MAX /* as the set: share heaps */

struct spb_lock_share { /* share set=1 programs=material.* */
	uint32_t set, line;
	const char *programs; /* "*": all */
};

struct spb_lock {
	uint32_t version; /* 0: there is no lock */
	bool names_programs;
	SPB_LIST(struct spb_lock_entry) entries;
	uint32_t *slot; /* hash -> entry + 1 */
	uint32_t mask;
	struct spb_shifts shifts; /* those without a scope, ascending by set and class */
	SPB_LIST(struct spb_lock_share) shares;
	bool renames; /* it has rename lines, which have been applied */
};

struct spb_lock_name {     /* what identifies a line */
	const char *scope; /* NULL: all programs */
	const char *name;
	uint32_t ordinal;
	bool heap;
};

static inline const char *spb_label_of(const struct spb_lock_entry *e)
{
	return e->scope ? e->scope : "";
}

/* Reports the first malformed line, and fails. names: see struct spb_lines. */
void spb_lock_read(struct spb_lock *lock, struct spb_context *c, const char *name, const char *text,
		   struct spb_arena *arena, struct spb_names *names);
struct spb_lock_entry *spb_lock_find(const struct spb_lock *lock, const struct spb_lock_name *wanted);

/* Quotes the name if necessary. */
void spb_lock_put_name(struct spb_text_buffer *text, const char *name);
/* Writes what follows the place: " kind=ubo count=2 type=dynamic". */
void spb_lock_put_rest(struct spb_text_buffer *text, enum spb_descriptor kind, uint32_t count,
		       const struct spb_entry *entry);
int spb_by_lock_line(const void *a, const void *b); /* compares pointers to entries by everything but the number */
/* Writes the first lines of a lock file, and the shares of `lock`. A lock that has version 2 keeps it. */
void spb_lock_put_head(struct spb_text_buffer *text, const struct spb_lock *lock, bool names_programs);
/* Sorts the lines, and writes them. Of several for the same resource, only the first is written. */
void spb_lock_put_lines(struct spb_text_buffer *text, struct spb_arena *scratch, const struct spb_lock_entry **lines,
			size_t count);
/* The text of a lock file with these lines and the shares of `lock`. */
const char *spb_lock_write(const struct spb_lock *lock, const struct spb_lock_entry *entries, size_t count,
			   struct spb_arena *scratch, struct spb_arena *keep, size_t *length);
/* The text of the lock file of a layout, allocated in `keep`. */
const char *spb_lock_text(const struct spb_layout *layout, struct spb_context *c, struct spb_arena *keep,
			  size_t *length);

/* registers.c: HLSL registers in a module */

/* Marks the variables that glslang put at (0, 0) because the source gives them no register. True: without source text
 * this is a guess, which takes those that collide for unregistered. */
bool spb_find_unregistered(const struct spb_module *m, const struct spb_source_text *text,
			   struct spb_variables *variables);
/* The remark which says that the module is bound, and how registers were shifted; "": none is needed. */
const char *spb_registers_remark(const struct spb_layout *layout, const struct spb_policies *policies, bool one_each,
				 struct spb_arena *arena);
bool spb_records_shifts(const struct spb_module *m); /* HLSL's rules have bound it */
/* Whether it says that arrays take one number of the module (spb_layout_module.one_each). */
bool spb_records_one_each(const struct spb_module *m);
/* The remark which says that registers were taken from the source text. */
extern const char spb_text_remark[];
/* The instruction with any of these remarks; 0: none. */
spb_at spb_find_registers_remark(const struct spb_module *m);
/* Under HLSL's rules, undoes the shifts that the remark records. True: the module has a remark. */
bool spb_read_registers_remark(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena,
			       bool hlsl);

#endif
