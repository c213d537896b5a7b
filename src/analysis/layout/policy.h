/* SPDX-License-Identifier: Apache-2.0 */
/* policy: the user's rules for sets, bindings and descriptors, one per line. docs/policies-and-locks.md describes the
 * language. */
#ifndef SPB_POLICY_H
#define SPB_POLICY_H

#include "analysis/layout/layout.h"

enum { SPB_ORDER_LAST = 0xFFFF }; /* the greatest order=; spb_draft.order has other uses for higher bits */

/* How the shifts of the user apply: option shift= */
enum spb_shifting {
	SPB_SHIFT_GIVEN, /* those of the lines alone */
	SPB_SHIFT_AUTO,  /* the smallest ones that keep register classes apart */
	SPB_SHIFT_BASE   /* each set has one number space; unassigned resources are numbered from the shift */
};

enum spb_policy_verb {
	SPB_POLICY_PLACE,
	SPB_POLICY_BLOCK,
	SPB_POLICY_RESERVE,
	SPB_POLICY_REFUSE,
	SPB_POLICY_DESCRIPTOR, /* places nothing; its conditions refer to the resulting set and binding */
	SPB_POLICY_PUSH        /* places nothing; only has_set and set */
};

/* type= of a descriptor. Mapped: the host maps each type at this place by VkDescriptorSetAndBindingMappingEXT. */
enum spb_form { SPB_FORM_PLAIN, SPB_FORM_DYNAMIC, SPB_FORM_INLINE, SPB_FORM_MUTABLE, SPB_FORM_MAPPED };

struct spb_policy_line {
	enum spb_policy_verb verb;
	const char *file; /* as the caller named it */
	uint32_t line;
	const char *origin; /* "file:line" or the equivalent option, for messages */
	const char *why;    /* the same without directories, which must not affect the layout */

	/* conditions: all of these must hold */
	const char *name; /* glob; NULL: any */
	uint32_t kinds;   /* bits over enum spb_descriptor; 0: any */
	uint32_t classes; /* bits over enum spb_class; 0: any */
	uint32_t stages;  /* any of these stages; 0: any */
	bool has_access, writes;
	bool has_from_set, has_register;
	uint32_t from_set;
	uint32_t first_register, last_register; /* binding in the input; of a descriptor, in the result */

	/* effects */
	bool has_set, has_binding, has_range, has_order, open;
	uint32_t set;
	uint32_t first, last; /* the binding (first), or the range to choose one from */
	uint32_t order;
	const char *say;
	bool has_form, has_samplers, has_flags; /* of a descriptor */
	enum spb_form form;
	bool immutable; /* samplers */
	uint32_t flags; /* VkDescriptorBindingFlags */

	bool matched;
};

/* How members of a struct of resources are numbered. DATA_LAST: together, and its data after its resources. */
enum spb_parts { SPB_PARTS_TOGETHER, SPB_PARTS_APART, SPB_PARTS_DATA_LAST };

/* Where counters are numbered, except those of append and consume buffers. BY_RULES: last under Slang's rules. */
enum spb_counters { SPB_COUNTERS_BY_RULES, SPB_COUNTERS_BESIDE, SPB_COUNTERS_LAST };

/* Whether a sized array takes one number, or one for each element; DXC decides that by whether the shader has a struct
 * of resources. */
enum spb_arrays { SPB_ARRAYS_ONE, SPB_ARRAYS_EACH, SPB_ARRAYS_EACH_WITH_STRUCTS };

/* The text under which a line is found: the whole name, or the part of a pattern before, after or between * and ? */
enum spb_policy_part { SPB_PART_WHOLE, SPB_PART_BEGIN, SPB_PART_END, SPB_PART_WITHIN, SPB_PART_NONE };

enum { SPB_LEVEL_NONE = 33 };

struct spb_policy_key {
	enum spb_policy_part part;
	const char *text; /* of `length` bytes */
	size_t length;
	bool about_descriptor, has_set;
	uint32_t set;
	uint32_t level, block; /* bindings without their lowest `level` bits; SPB_LEVEL_NONE: any binding */
};

/* A line under a key. */
struct spb_policy_entry {
	uint32_t like; /* the first entry under the key whose other conditions are the same */
	uint32_t line;
	bool matched; /* a resource; of the first one */
};

struct spb_policy_filed {
	struct spb_policy_key key;
	uint32_t first, count; /* in `working` */
	uint32_t seen;         /* the last search that came here */
};

struct spb_policy_index {
	uint32_t *slot, mask; /* hash of a key -> index in `filed` + 1 */
	SPB_LIST(struct spb_policy_filed) filed;
	SPB_LIST(struct spb_policy_entry) entries;
	SPB_LIST(uint32_t) working;            /* entries that give something, by key, in the order of the lines */
	SPB_LIST(struct spb_policy_key) forms; /* the keys that there are, without what depends on the resource */
	uint32_t searches;
	uint64_t work; /* of all searches */
};

struct spb_shift_index {
	uint32_t *slot, mask; /* hash of a class and a set, or any -> shift + 1, the last one */
	uint32_t *next;       /* shift -> the one before it, + 1 */
};

struct spb_policies {
	SPB_LIST(struct spb_policy_line) lines;
	size_t placing; /* how many of them can affect sets and bindings */
	size_t push;    /* the first that is about push descriptors, + 1; 0: there is none */
	struct spb_shifts shifts;
	SPB_LIST(uint32_t) shift_stages; /* the distinct spb_shift.stages, by group - 1 */
	spb_rules rules;
	spb_unused unused;
	enum spb_shifting shifting;
	bool fixed_registers; /* Binding in the input is a register: only such bindings are shifted */
	bool sets_first;      /* resources with a set in the input are numbered before those without */
	enum spb_parts structs;
	enum spb_arrays arrays;
	enum spb_counters counters;
	bool descriptor_buffers; /* all sets are in descriptor buffers */
	bool heaps_default;      /* heaps go into the default set: one for resources, one for samplers */

	/* Same as the fields of spb_layout_options, which lib/options.c fills in */
	bool no_merge, split_shared, keep_array_sizes;
	bool has_auto_set, has_default_set;
	uint32_t auto_set, default_set;
	spb_module_order module_order;

	struct spb_policy_index index;
	struct spb_shift_index shift_index;
};

/* Appends the lines of `text`. Reports the first malformed line, and fails. */
void spb_policy_read(struct spb_policies *to, struct spb_context *c, const char *name, const char *text,
		     struct spb_arena *keep);
/* After the last line, before the first query. */
void spb_policy_index(struct spb_policies *to, struct spb_arena *keep);

struct spb_policy_question {
	bool about_descriptor; /* true: only SPB_POLICY_DESCRIPTOR lines apply; false: all others */
	bool counts;           /* the lines that apply have matched something */
	const char *names[3];  /* the names that name= may match: key, declared name, OpName */
	enum spb_descriptor kind;
	enum spb_class class;
	uint32_t stages;
	bool writable;
	bool has_binding;      /* in the input; with about_descriptor, in the result */
	uint32_t set, binding; /* set: the default one if the input has none */
};

struct spb_policy_found {
	struct spb_policy_line **items;
	size_t count, capacity;
};

/* The lines that apply, in order, without those that give nothing that one before does not give under the same
 * conditions. */
struct spb_policy_found spb_policy_find(struct spb_policies *p, const struct spb_policy_question *q,
					struct spb_arena *arena);
/* Sets `matched` of the lines for which q->counts has been asked. */
void spb_policy_note_matched(struct spb_policies *p);
void spb_policy_forget_matched(struct spb_policies *p);

/* number.c */

void spb_policy_index_shifts(struct spb_policies *p, struct spb_arena *keep);

struct spb_shift_question {
	enum spb_class class;
	uint32_t kinds; /* the bit of its kind; 0: lines with kind= do not apply */
	uint32_t stages;
	uint32_t set;
	bool classless; /* only lines with kind= apply */
};

/* The shift of a resource: the last line that names the set, otherwise the last one without a set. NULL: none. */
const struct spb_shift *spb_policy_shift(const struct spb_policies *p, const struct spb_shift_question *q);
/* The shift of a whole lane, from lines without kind= whose stages are those of the group. */
const struct spb_shift *spb_policy_lane_shift(const struct spb_policies *p, enum spb_class class, uint32_t group,
					      uint32_t set);

/* profiles.c */

const char *spb_profile_name(uint32_t index); /* NULL after the last one */
/* The text of a built-in profile. Reports an unknown name, and fails. */
const char *spb_profile_text(struct spb_context *c, const char *name);

#endif
