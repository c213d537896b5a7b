/* SPDX-License-Identifier: Apache-2.0 */
/* source: the source text in a module, and what it says of the module's resources. */
#ifndef SPB_SOURCE_H
#define SPB_SOURCE_H

#include "analysis/resources/resources.h"

/* What the text says of one resource, and where. Of a member of a struct (s.B), the register is its own. */
struct spb_declaration {
	const char *file; /* as the module names it */
	uint32_t line;
	uint64_t order;         /* ascending; equal for resources that were split from one */
	uint32_t number, space; /* register(u5, space1), for the class of the resource */
	bool has_register, has_space;
	bool has_place; /* [[vk::binding]], or layout(binding = ...) */
	bool unsized;   /* its outermost array has no size: [] */
};

/* What became of the text of a module. */
struct spb_source_text {
	bool present;
	const char *fault; /* why it is no evidence; NULL: it is, and each resource has a declaration */
	const char *file;  /* where that is */
	uint32_t line;     /* 0: nowhere */
};

/* source.c: reads the text as its compiler did, and fills in `declaration` of the variables, in `keep`; of all that the
 * text declares (not heaps, not what passes have added), or of none. */
struct spb_source_text spb_read_source(const struct spb_module *m, struct spb_variables *variables,
				       struct spb_arena *keep, struct spb_arena *scratch);

/* "lit.frag:12", where the source text declares a resource; "": unknown. */
const char *spb_declared_at(const struct spb_variable *v, struct spb_arena *arena);

/* order.c: sorts variables into the order of declaration; true: had to fall back to module order */
bool spb_order_variables(const struct spb_module *m, spb_order order, const struct spb_source_text *text,
			 struct spb_variables *variables, struct spb_arena *arena);

/* A comment that allows what the lint finds on a line: one of these for each rule that it names. */
struct spb_allowance {
	const char *file;   /* whose line it speaks of, as the module names it */
	uint32_t code_line; /* 0: no code follows */
	const char *comment_file;
	uint32_t line;      /* of the comment */
	const char *rule;   /* what it allows, as it is written; "": nothing */
	const char *reason; /* "": none is given */
	bool is_main;       /* the comment is in the main file, not in one that others may include, too */
};

struct spb_allowances {
	struct spb_allowance *items;
	size_t count, capacity;
};

/* allowances.c: in the order of the text */
struct spb_allowances spb_read_allowances(const struct spb_module *m, struct spb_arena *arena);

/* parts.c: fills part_of of the parts that an earlier run recorded; the text of the remark for a part of this run */
void spb_read_parts(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena);
const char *spb_part_note(const struct spb_variable *v, struct spb_arena *arena);

#endif
