/* SPDX-License-Identifier: Apache-2.0 */
/* policy: rules of the caller's own, a line each. The language is in docs/policies-and-locks.md. */
#ifndef SPB_POLICY_H
#define SPB_POLICY_H

#include "analysis/layout/layout.h"

enum { SPB_ORDER_LAST = 0xFFFF }; /* of a policy; the layout has bits of its own above */

enum spb_policy_verb { SPB_POLICY_PLACE, SPB_POLICY_BLOCK, SPB_POLICY_RESERVE, SPB_POLICY_REFUSE };

struct spb_policy_line {
	enum spb_policy_verb verb;
	const char *file; /* as the caller named it              */
	uint32_t line;
	const char *why; /* "file:line", or the option it stands for */

	/* which resources: all of these must hold */
	const char *name; /* glob; NULL: any                    */
	uint32_t kinds;   /* bits over enum spb_descriptor; 0: any */
	uint32_t classes; /* bits over enum spb_class; 0: any   */
	uint32_t stages;  /* any of these; 0: any               */
	bool has_access, writes;
	bool has_from_set, has_register;
	uint32_t from_set;
	uint32_t first_register, last_register; /* the Binding in the input */

	/* what becomes of them */
	bool has_set, has_binding, has_range, has_order, open;
	uint32_t set;
	uint32_t first, last; /* binding (first), or the range to choose one from */
	uint32_t order;
	const char *say;

	uint32_t next_exact; /* the next line that asks for the very name, + 1 */
	bool matched;
};

struct spb_policies {
	SPB_LIST(struct spb_policy_line) lines;
	SPB_LIST(struct spb_shift) shifts;
	spb_rules rules;
	spb_unused unused;
	bool auto_shift;
	bool fixed_registers; /* a Binding is a register: shifts apply to it, and not to what is open */
	bool arrays_each;     /* each descriptor of a sized array takes a number                      */
	bool structs_apart;   /* members are numbered one by one, not as one run                      */
	bool counters_last;   /* of what is neither an append nor a consume buffer                    */
	bool heaps_default;   /* one for resources, one for samplers, in the default set              */
	bool no_merge;

	uint32_t *exact; /* hash of a name without * and ? -> its first line + 1 */
	uint32_t exact_mask;
	uint32_t *globs; /* the lines with a pattern, or no name */
	size_t glob_count;
};

/* Reads the lines of `text` behind those that are there. Reports a fault with its line and throws. */
void spb_policy_read(struct spb_policies *to, struct spb_context *c, const char *name, const char *text,
		     struct spb_arena *keep);
/* After the last of them, before the first question. */
void spb_policy_index(struct spb_policies *to, struct spb_arena *keep);

struct spb_policy_question {
	const char *names[3]; /* that a line may mean it by: key, what was declared, OpName */
	enum spb_descriptor kind;
	enum spb_class class;
	uint32_t stages;
	bool writable;
	bool has_binding;      /* in the input */
	uint32_t set, binding; /* set: the default one if the input names none */
};

/* Lines that fit, in their order, from *next on (begin with 0); NULL: no more. */
struct spb_policy_line *spb_policy_next(struct spb_policies *p, const struct spb_policy_question *q, size_t *next);

/* The shift of a class in a set: the last line that names the set, else the last that names none. */
bool spb_policy_shift(const struct spb_policies *p, enum spb_class class, uint32_t set, uint32_t *by);

/* profiles.c: the text of a built-in profile. Reports that there is none of that name, and throws. */
const char *spb_profile_text(struct spb_context *c, const char *name);

#endif
