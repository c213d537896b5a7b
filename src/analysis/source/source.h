/* SPDX-License-Identifier: Apache-2.0 */
/* source: the source text in a module, and what it says about the module's resources. */
#ifndef SPB_SOURCE_H
#define SPB_SOURCE_H

#include "analysis/resources/resources.h"

/* The declaration of a resource in the text. A member of a struct (s.B) has a register of its own. */
struct spb_declaration {
	const char *file; /* as the module names it */
	uint32_t line;
	uint64_t order;         /* ascending; equal for resources that were split from one */
	uint32_t number, space; /* register(u5, space1), for the class of the resource */
	bool has_register, has_space;
	bool has_place; /* [[vk::binding]], or layout(binding = ...) */
	bool knows_binding;
	uint32_t binding; /* the number there, if it is known */
	bool unsized;   /* its outermost array has no size: [] */
};

/* The result of reading the text of a module. */
struct spb_source_text {
	bool present;
	const char *fault; /* why the text is not trusted; NULL: it is, and each resource has a declaration */
	const char *file;  /* where the fault is */
	uint32_t line;     /* 0: no line in particular */
	bool auto_mapped;  /* its compiler numbered what the text does not: --auto-map-bindings */
};

/* source.c: reads the text as its compiler did, and sets `declaration` of either all variables that the text declares
 * (of heaps only those, and none that passes have added) or none. Declarations are allocated in `keep`. */
struct spb_source_text spb_read_source(const struct spb_module *m, struct spb_variables *variables,
				       struct spb_arena *keep, struct spb_arena *scratch);

/* "lit.frag:12", where the source text declares a resource; "": unknown. */
const char *spb_declared_at(const struct spb_variable *v, struct spb_arena *arena);

/* order.c: sorts variables into the order of declaration; returns true if it had to fall back to module order */
bool spb_order_variables(const struct spb_module *m, spb_order order, const struct spb_source_text *text,
			 struct spb_variables *variables, struct spb_arena *arena);

/* A comment that suppresses the findings of a rule on a line. A comment that names several rules has one for each. */
struct spb_allowance {
	const char *file;   /* the file of the line that the comment applies to, as the module names it */
	uint32_t code_line; /* 0: no code follows */
	const char *comment_file;
	uint32_t line;      /* of the comment */
	const char *rule;   /* the rule as it is written; "": none */
	const char *reason; /* "": none is given */
	bool is_main;       /* the comment is in the main file, not in one that other modules may include, too */
};

struct spb_allowances {
	struct spb_allowance *items;
	size_t count, capacity;
};

/* allowances.c: in text order */
struct spb_allowances spb_read_allowances(const struct spb_module *m, struct spb_arena *arena);

/* parts.c: sets part_of of the parts that an earlier run recorded; the text of the remark for a part of this run */
void spb_read_parts(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena);
const char *spb_part_note(const struct spb_variable *v, struct spb_arena *arena);

#endif
