/* SPDX-License-Identifier: Apache-2.0 */
/* builtin_heaps: what lower-builtin-heaps knows of an access to a heap of SPV_EXT_descriptor_heap. */
#ifndef SPB_BUILTIN_HEAPS_H
#define SPB_BUILTIN_HEAPS_H

#include "pass/builtin/builtin.h"
#include "pass/handles/heaps.h"

/* A distance in a heap: a number of units. The unit is a byte, the size of a descriptor as the driver knows it, the
 * larger one of several such sizes, or a constant of the module that is none of these. */
enum {
	SPB_UNIT_BYTE = 0,
	SPB_UNIT_DRIVER = 0x40000000, /* with the bits below: the largest of these sizes */
	SPB_UNIT_IMAGE = 1,
	SPB_UNIT_BUFFER = 2,
	SPB_UNIT_SAMPLER = 4,
	SPB_UNIT_UNIFIED = SPB_UNIT_DRIVER | SPB_UNIT_IMAGE | SPB_UNIT_BUFFER
};

struct spb_heap_size {
	uint64_t count;
	uint32_t unit; /* SPB_UNIT_BYTE, SPB_UNIT_DRIVER and bits, or the id of a constant */
};

struct spb_heap_term { /* of a sum */
	uint32_t id;
	uint64_t factor;
};

/* An access chain into a built-in heap. In an array with this stride, the descriptor has the index
 *     number + terms[0].id * terms[0].factor + … */
struct spb_heap_chain {
	spb_at at;
	bool sampler;     /* the sampler heap */
	uint32_t element; /* the type that the chain reaches */
	struct spb_heap_size stride;
	bool has_stride; /* every array on the way has a decoration */
	bool marked;     /* the chain is decorated NonUniform, or a copy of its pointer is that has no type */
	struct spb_heap_term *terms;
	uint32_t term_count;
	uint64_t number;
	uint32_t only; /* the id that is the index; 0: it has to be computed */
	uint32_t offset,
	    divisor; /* ids of constants: a specialised offset in bytes, and what it is divided by; 0: none */
};

/* The strides, offsets and sizes of the heaps' types, each read once. */

struct spb_heap_stride { /* of an array type */
	bool read, given;
	struct spb_heap_size size;
	uint32_t id; /* of the constant that gives it; 0: a literal does, or nothing */
};

struct spb_heap_types {
	const struct spb_module *m;
	struct spb_arena *arena;
	struct spb_heap_stride *strides; /* [bound] */
	spb_at **offsets;                /* [bound] of the decorations of each member; NULL: not read yet */
	struct spb_heap_size *sizes;     /* [bound] what a constant is, as a size */
};

/* What uses the built-in heaps. A chain that only advances by some bytes is a place in them: its uses are listed. */
struct spb_heap_use {
	spb_at at;
	uint32_t variable;
	bool sampler;  /* the sampler heap */
	bool is_chain; /* indexes it */
	bool is_place; /* from a place in it */
};

struct spb_heap_uses {
	struct spb_arena *arena;
	SPB_LIST(struct spb_heap_use) list;
	SPB_LIST(spb_at) places;
};

/* What lower-builtin-heaps plans. */

enum spb_builtin_form {
	SPB_POINTER_NONE,
	SPB_POINTER_DESCRIPTOR, /* pointer to a descriptor in a heap */
	SPB_POINTER_TEXEL,      /* to a texel of an image */
	SPB_POINTER_BUFFER,     /* untyped, to the contents of a buffer */
	SPB_POINTER_TYPED,      /* the same, but with a type: only untyped chains from it change */
	SPB_POINTER_DATA,       /* untyped, into a buffer */
	SPB_POINTER_ADDRESS     /* to the address of an acceleration structure, in a heap */
};

struct spb_builtin_pointer { /* what an id of this kind points to */
	enum spb_builtin_form form;
	uint32_t chain;         /* index into chains */
	uint32_t type;          /* pointee; 0: it depends on the use */
	uint32_t storage_class; /* of a buffer */
	uint32_t id;            /* SPB_POINTER_BUFFER: of the pointer, which may have qualifiers */
};

struct spb_builtin_rewrite { /* an instruction, once all heaps are known */
	spb_at at;
	uint32_t pointer; /* index into pointers: of its operand */
	uint32_t type;    /* of what its result points to, or of the descriptor that is loaded */
	uint32_t heap;    /* index + 1, if it becomes a chain into that heap */
	uint32_t first;   /* how many first members its memory is in, of what the pointer points to */
};

struct spb_builtin_plan {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_arena *arena;
	struct spb_edit *e;
	struct spb_heaps heaps;
	struct spb_heap_types types;
	SPB_LIST(struct spb_heap_chain) chains;
	SPB_LIST(struct spb_builtin_pointer) pointers;
	SPB_LIST(struct spb_builtin_rewrite) rewrites;
	struct spb_heap_uses uses;
	SPB_LIST(uint32_t) work; /* ids of pointers */
	uint32_t *pointer_of;    /* [bound] index into pointers + 1 */
	uint32_t *index_of;      /* [chains] id of the index, once it is emitted */
	uint32_t *chain_heap;    /* [chains] heap + 1 that the chain itself becomes a pointer into */
	uint32_t *gone;          /* bits over word offsets: removed instructions */
	const struct spb_heap_chain *first[SPB_DESCRIPTOR_COUNT]; /* the first access to each heap */
};

/* read_builtin_heaps.c */

noreturn void spb_refuse_builtin(const struct spb_builtin_plan *p, spb_at at, const char *what);
void spb_read_builtin_heaps(struct spb_builtin_plan *p);
/* Afterwards: a chain that becomes a typed pointer keeps its place and its id. */
void spb_choose_chain_heaps(struct spb_builtin_plan *p);

/* heap_strides.c */

/* The BuiltIn of a variable, if it is a heap; else 0. `at`: any instruction among the globals. */
uint32_t spb_builtin_heap(const struct spb_module *m, spb_at at);

void spb_heap_types_begin(struct spb_heap_types *t, const struct spb_module *m, struct spb_arena *arena);
/* The module needs its index of uses. */
struct spb_heap_uses spb_find_heap_uses(const struct spb_module *m, struct spb_arena *arena);
/* For a chain that reaches addresses in a heap: the type of the acceleration structures that they are converted to; 0:
 * they are used for something else, or it reaches no addresses. */
uint32_t spb_scenes_of(const struct spb_module *m, spb_at chain);
/* The size of a descriptor of this type. */
struct spb_heap_size spb_descriptor_size(const struct spb_module *m, uint32_t type);
/* The type that a chain reaches, and the innermost array on the way to it (0: none). False: it cannot be followed. */
bool spb_follow_heap_chain(struct spb_heap_types *t, spb_at at, uint32_t *element, uint32_t *array);
const struct spb_heap_stride *spb_heap_stride_of(struct spb_heap_types *t, uint32_t array);
/* Is the first member of a struct at offset 0? */
bool spb_begins_with_member(struct spb_heap_types *t, uint32_t type);
/* Reads the types and indices of a chain. Fails where they do not reduce to one index. */
struct spb_heap_chain spb_read_heap_chain(struct spb_heap_types *t, spb_at at);

/* write_builtin_heaps.c, remove_builtin_heaps.c: the edits, once the heaps have been made */

void spb_write_builtin_heaps(struct spb_builtin_plan *p);
void spb_remove_builtin_heaps(struct spb_builtin_plan *p);

#endif
