/* SPDX-License-Identifier: Apache-2.0 */
/* source: the source text in a module, and what it says about the module's resources. */
#ifndef SPB_SOURCE_H
#define SPB_SOURCE_H

#include "analysis/resources/resources.h"

/* A resource that the text declares: also a member of a struct, the block of loose uniforms, and the counter of an
 * append or consume buffer. The variables of the module are its views; a compiler may have dropped all of them. */
struct spb_declaration {
	const char *name; /* as the compiler of the module names a variable of it: N::t, Block, s.a, s[1].t, a@count */
	const char *file; /* as the module names it */
	uint32_t line;
	uint64_t order; /* ascending, and different for each */

	/* what it is */
	uint8_t kind;          /* enum spb_descriptor; OTHER: unknown */
	uint8_t class;         /* enum spb_class */
	uint32_t count;        /* of descriptors; 0: without a size, or it is not known */
	bool writable;         /* as declared */
	bool bytes;            /* HLSL's ByteAddressBuffer */
	bool unsized;          /* its outermost array has no size: [] */
	uint8_t components;    /* of HLSL's Buffer<float4>: 4; 0: not known */
	uint8_t samples;       /* of Texture2DMS<float4, 8>: 8; 0: not stated */
	bool counter, beside;  /* it counts for the buffer before it, which is one to append to or to consume */
	bool paired;           /* [[vk::combinedImageSampler]] */
	bool data;             /* the block of the data in a struct that also holds resources */
	bool loose;            /* the block of loose uniforms, whose members the text declares */
	uint64_t content;      /* of such a block: a hash of the names and types of its members */
	uint16_t stages;       /* bits: of such a block in a linked module: of its texts; 0: not known */
	uint32_t whole;        /* number of the declaration that it is part of */
	uint32_t leaf, leaves; /* its index among the resources of that declaration, and how many there are */

	/* the place that the author wrote. A member of a struct (s.B) has a separate register. */
	bool has_register, has_space;  /* register(u5, space1), for the class of the resource */
	bool has_place;                /* [[vk::binding]] or its counter_binding, or layout(binding = ...) */
	bool knows_binding, knows_set; /* the text shows its numbers */
	uint8_t letters;               /* bits over enum spb_class: register(...) with these letters is written */
	uint32_t number, space;
	uint32_t binding, set;
	bool open_too; /* another text of a linked module declares it without */

	/* Whether it counts depends on a macro that the module does not record. NULL: it counts. */
	const char *macro, *macro_file;
	uint32_t macro_line;

	uint32_t view_count; /* variables of the module that are views of it */
};

struct spb_declarations {
	struct spb_declaration *items; /* ascending by order */
	size_t count, capacity;
};

/* OpModuleProcessed in modules with numbers from their compiler for one stage, or none, that have since been given
 * those of the program: when bound again, also without the other stages, they keep them. */
#define SPB_NUMBERED_REMARK "spirv-bind: numbered"

/* The result of reading the text of a module. */
struct spb_source_text {
	bool present;
	const char *fault; /* why the text is not trusted; NULL: it is, and each resource has a declaration */
	const char *file;  /* where the fault is */
	uint32_t line;     /* 0: no line in particular */
	bool auto_mapped;  /* its compiler added numbers (--auto-map-bindings), and no run has replaced them */
	bool numbered;     /* an earlier run of ours decided its numbers, and has recorded that */
	bool opengl;       /* it was compiled for OpenGL */
	bool open_world;   /* the macros of its compiler's command line are not known */
	bool hlsl;         /* it is HLSL, or some of it is, in a linked module */
	struct spb_declarations declarations; /* all that it declares, unless there is a fault */
};

/* source.c: reads the text as its compiler did, and sets `declaration` of either all variables that the text declares
 * (of heaps only those, and none that passes have added) or none; messages name their lines then. Declarations are
 * allocated in `keep`. */
struct spb_source_text spb_read_source(const spb_options *options, struct spb_module *m,
				       struct spb_variables *variables, struct spb_arena *keep,
				       struct spb_arena *scratch);

/* "lit.frag:12", where the source text declares a resource; "": unknown. */
const char *spb_declared_at(const struct spb_variable *v, struct spb_arena *arena);

/* order.c: sorts variables into the order of declaration; returns true if it had to fall back to that of old numbers
 * and of the module */
bool spb_order_variables(const struct spb_module *m, const spb_options *options, const struct spb_source_text *text,
			 struct spb_variables *variables, struct spb_arena *arena);

/* Resources that the source text of a module declares, and of which it has no variable: the compiler dropped them. They
 * look like variables without an id. */
struct spb_dropped {
	struct spb_variables variables; /* in declaration order */
	uint32_t *before;               /* of each: how many variables of the module come before it */
};

/* counters.c: finds the buffer of each counter, once static use and declarations are known */
void spb_find_counters(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena);
/* Moves each counter directly after its buffer. */
void spb_put_counters(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena);

/* order.c: the declarations of the text that have no view, count for the numbers, and can be read */
struct spb_dropped spb_find_dropped(const struct spb_source_text *text, const struct spb_variables *variables,
				    struct spb_arena *arena);
/* Once the variables are sorted: finds where the dropped ones belong among them. With `unordered` their order is not
 * known, and those that need a number do not count. */
void spb_order_dropped(spb_order order, bool unordered, const struct spb_variables *variables,
		       struct spb_dropped *dropped, struct spb_arena *arena);

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

/* data.c: the data in HLSL's structs that also hold resources, in blocks laid out by std140 */

struct spb_data_type {
	char scalar;             /* b, i, u, f, d; 0: a struct, or not known */
	uint8_t rows, columns;   /* spb_type */
	bool row_major;          /* of a matrix: its rows are contiguous */
	uint32_t structure;      /* index */
	const uint32_t *extents; /* from the outermost */
	uint32_t dimensions;
	uint32_t matrix_stride, stride; /* bytes; of an element of the innermost array */
	uint32_t size;                  /* 0: not known */
};

struct spb_data_struct { /* members that are data */
	struct spb_data_member {
		const char *name;
		struct spb_data_type type;
		uint32_t offset;
	} * members;
	uint32_t count, size, alignment;
	const char *unknown; /* a member whose size is not known */
};

struct spb_data {
	bool present;                    /* the module has a text that can be read */
	struct spb_data_struct *structs; /* each after those that it contains */
	uint32_t struct_count;
	SPB_LIST(struct spb_data_block {
		const char *name;
		struct spb_data_type type;
		uint32_t set;
	})
	blocks; /* for each declaration of a struct with resources and data */
};

struct spb_data_place {
	uint32_t block;
	struct spb_data_type type;
	uint32_t path[64], count; /* numbers of elements and of members */
};

struct spb_data spb_read_data(const spb_options *options, const struct spb_module *m, struct spb_arena *arena);
/* Finds light[1].position. */
bool spb_find_data(const struct spb_data *data, const char *name, struct spb_data_place *place,
		   struct spb_arena *arena);

/* counts.c: who decided the number of a variable */

/* Whether a binding that the text states means "assign one". */
bool spb_is_sentinel(const spb_options *options, uint32_t binding);
/* Whether its binding or its set means "assign one". */
bool spb_is_auto(const spb_options *options, const struct spb_variable *v);
bool spb_has_auto_set(const spb_options *options, const struct spb_variable *v);
/* The binding or register that its author gave it, according to the source text. False: none, or that is not known. */
bool spb_is_authored(const spb_options *options, const struct spb_variable *v, uint32_t *number);
/* It may come from that text of a linked module which declares it without a number. */
bool spb_is_open_too(const struct spb_variable *v);
/* The origin of its number in the module, as in spb_resource.chosen_by. */
const char *spb_chosen_by(const spb_options *options, const struct spb_source_text *text, const struct spb_variable *v);
/* Whether its author chose its set. Without a source text: any set but 0, which compilers write by default. */
bool spb_has_authored_set(const spb_options *options, const struct spb_variable *v);
/* Whether its set counts. Compilers write 0 where the text has neither a set nor a number. */
bool spb_has_counting_set(const spb_options *options, const struct spb_variable *v);
/* The block of loose uniforms, as glslang names it for HLSL, as DXC names it, and as glslang names it for GLSL. */
bool spb_is_loose_name(const char *name);
bool spb_is_loose_block(const struct spb_variable *v);
/* Whether the compiler made the block, of loose uniforms, and named it. Also true for those of Slang. */
bool spb_is_made_name(const struct spb_variable *v);
/* Also true for other compilers that number registers as glslang does: (0, 0) means no register. */
bool spb_is_hlsl_by_glslang(const struct spb_module *m);
/* Whether its compiler writes registers of HLSL as bindings, whatever their classes. */
bool spb_writes_registers(const struct spb_module *m);
/* Whether its compiler writes bindings for HLSL, not registers: an array takes one. */
bool spb_numbers_bindings(const struct spb_module *m);
/* Sets `unnumbered` where a compiler chose the number. */
void spb_find_numbers(const struct spb_module *m, const struct spb_source_text *text, struct spb_variables *variables);

/* text_registers.c: whether to take registers from the source text of the module rather than its decorations */
bool spb_is_text_decisive(const struct spb_module *m, const struct spb_source_text *text);
/* Reports resources with a register of another class: an error where registers count (hlsl), else a warning. */
void spb_check_letters(const struct spb_module *m, const struct spb_variables *variables, bool hlsl);
/* Takes bindings of counters from the text. True: some of them differ from the decorations. */
bool spb_take_counters(struct spb_module *m, const struct spb_source_text *text, struct spb_variables *variables);
/* Takes registers and spaces from the text. False: the decorations were not made from this text. *differ: some of them
 * differ from the decorations, or are missing where these are 0. */
bool spb_take_registers(const struct spb_source_text *text, struct spb_variables *variables, struct spb_arena *arena,
			bool *differ);

/* parts.c: sets part_of of the parts that an earlier run recorded; the text of the remark for a part of this run */
void spb_read_parts(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena);
const char *spb_part_note(const struct spb_variable *v, struct spb_arena *arena);

#endif
