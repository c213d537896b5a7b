/* SPDX-License-Identifier: Apache-2.0 */
/* ir: a module is an array of words that passes only read, with an index built from it. A pass records edits; commit
 * copies the runs between them into a new array. After the last commit the array is the output. Knows SPIR-V, but no
 * policy. */
#ifndef SPB_IR_H
#define SPB_IR_H

#include <spirv/unified1/spirv.h>

#include "base/base.h"
#include "ir/grammar_kinds.h"

typedef uint32_t spb_at; /* word offset of an instruction; 0 = none (0..4 is the header) */

enum { /* opcodes newer than Debian 12's spirv.h */
       OpTypeTensorARM = 4163,
       OpGraphEntryPointARM = 4182,
       OpGraphARM = 4183,
       OpGraphEndARM = 4186,
       OpTypeUntypedPointerKHR = 4417,
       OpExtInstWithForwardRefsKHR = 4433,
       OpUntypedVariableKHR = 4418,
       OpUntypedAccessChainKHR = 4419,
       OpUntypedInBoundsAccessChainKHR = 4420,
       OpUntypedPtrAccessChainKHR = 4423, /* this and the next opcode have an Element operand */
       OpUntypedArrayLengthKHR = 4425,
       OpTypeBufferEXT = 5115,
       OpBufferPointerEXT = 5119,
       OpCooperativeMatrixLoadTensorNV = 5367,
       OpUntypedImageTexelPointerEXT = 5126,
       OpRawAccessChainNV = 5398,
       OpMemberDecorateIdEXT = 5127,
       OpConstantSizeOfEXT = 5129
};

enum { /* enumerants of SPV_KHR_untyped_pointers and SPV_EXT_descriptor_heap */
       CapabilityUntypedPointersKHR = 4473,
       CapabilityDescriptorHeapEXT = 5128,
       DecorationArrayStrideIdEXT = 5124,
       DecorationOffsetIdEXT = 5125,
       BuiltInSamplerHeapEXT = 5122,
       BuiltInResourceHeapEXT = 5123
};

/* SPIR-V 2.4, "Logical Layout of a Module". ORDER SECTION: SECTIONS in gen_grammar.py */
enum spb_section {
	SPB_SECTION_ANY = -1, /* in function bodies, or anywhere */
	SPB_SECTION_CAPABILITY,
	SPB_SECTION_EXTENSION,
	SPB_SECTION_IMPORT,
	SPB_SECTION_MEMORY_MODEL,
	SPB_SECTION_ENTRY_POINT,
	SPB_SECTION_EXECUTION_MODE,
	SPB_SECTION_SOURCE, /* OpString, OpSource, ... */
	SPB_SECTION_NAME,   /* OpName, OpMemberName */
	SPB_SECTION_PROCESSED,
	SPB_SECTION_ANNOTATION,
	SPB_SECTION_GLOBAL, /* types, constants, variables */
	SPB_SECTION_FUNCTION,
	SPB_SECTION_COUNT
};

enum { SPB_MANY_NOTES = 16 };

enum { SPB_ID_IN_FUNCTION = 128 }; /* a function refers to the id; the other bits are private to parsing (parse.h) */

struct spb_decorated { /* an OpDecorate of an id with more than SPB_MANY_NOTES notes */
	uint32_t id, decoration;
	spb_at at;
};

/* What a module may contain; a pass that needs none of these does not run. Bits are conservative: a set bit may not
 * apply. */
enum {
	SPB_HAS_GROUPS = 1, /* decoration groups */
	/* opaque descriptors in structs, in local memory, as parameters, or selected among values */
	SPB_HAS_OPAQUE_FLOW = 2,
	SPB_HAS_DESCRIPTOR_ARRAYS = 4, /* resources, some of which are arrays */
	SPB_HAS_REMARKS = 8,           /* instruction sets other than GLSL.std.450, which may be debug information */
	SPB_HAS_PUSH_CONSTANTS = 16,
	SPB_HAS_MARKS = 32,              /* NonUniform decorations */
	SPB_HAS_NESTED_ARRAYS = 64,      /* arrays of arrays of anything */
	SPB_HAS_BUFFER_QUALIFIERS = 128, /* Coherent, Volatile or BufferBlock */
	SPB_HAS_ANYTHING = 255
};

struct spb_use {
	spb_at at;     /* the instruction that uses the id */
	uint32_t word; /* words[word] is the id */
};

struct spb_function {
	spb_at at;   /* OpFunction */
	spb_at body; /* first OpLabel; of a declaration, which has none, `end` */
	spb_at end;  /* OpFunctionEnd */
};

static inline bool spb_has_body(const struct spb_function *f)
{
	return f->body < f->end;
}

struct spb_run { /* words [now, now + count) of this generation were at [was, …) in the original module */
	uint32_t now, was, count;
};

/* If an id has many notes before its name: the first OpName of each id, [bound]; otherwise NULL. */
struct spb_late_names {
	struct spb_arena *arena;
	spb_at *at;
};

/* Memory of several modules of a program, freed when the last of them leaves it. */
struct spb_shared {
	struct spb_arena arena;
	uint32_t modules;
};

/* Where the source text declares a variable. */
struct spb_declared_line {
	uint32_t id;
	uint32_t line;
	const char *file;
};

/* One generation of a module. Invariants, established by spb_module_parse and asserted by spb_module_check:
 *  1. Every instruction lies inside `words`, has a length of at least one, and its operands match the grammar and
 *     fill it exactly; strings are terminated. This includes the instructions of extended sets that the tables have
 *     (GLSL.std.450, OpenCL.DebugInfo.100, NonSemantic.*); those of others have ids only, any number of them. Unknown
 *     opcodes are kept by their length.
 *  2. words[def[id] + …] is the result id of the instruction at def[id]; no id is defined twice; every id is in
 *     1..bound-1; bound <= 0x400000. A used id is defined, unless the module has unknown opcodes.
 *  3. Result types are types; the operands of a type are declared before it (except for forward pointers).
 *  4. Sections are in the order of enum spb_section; functions consist of blocks that end in a terminator. Outside
 *     of functions and graphs, nothing computes: there are only remarks (spb_is_non_semantic) and what has no block.
 *  5. The notes and uses of an id are in module order. Notes are uses before the GLOBAL section: names, decorations,
 *     entry points. Uses are those in the GLOBAL and FUNCTION sections.
 * Anything else may be wrong in a module, which SPIRV-Tools validates only afterwards: the kinds of operands (a pointer
 * may be a label), types that do not fit, missing sections, wrong numbers of arguments, constituents and indices. Code
 * that reads an operand which the shortest form of an instruction lacks therefore checks the length, and code that
 * looks at a definition checks its opcode first (test/operands.c). */
struct spb_module {
	struct spb_context *context;
	const char *name;      /* as given by the caller */
	const uint32_t *words; /* in host byte order */
	const uint32_t *text;  /* for strings: the words as a little-endian host stores them; there, the same array */
	uint32_t count;
	uint32_t checked; /* words known to form valid instructions: all of them after parsing */
	uint32_t bound;
	spb_at section[SPB_SECTION_COUNT + 1]; /* section s is [section[s], section[s + 1]) */
	spb_at *def;                           /* [bound] id -> instruction, 0: none */
	uint32_t *first_note;                  /* [bound + 1] into note */
	struct spb_late_names *late_names;
	struct spb_use *note;
	struct spb_decorated *decorated; /* sorted by id, decoration, position */
	uint32_t decorated_count;
	uint32_t *first_use; /* [bound + 1] into use; NULL until spb_module_need_uses */
	struct spb_use *use;
	struct spb_function *function;
	uint32_t function_count;
	spb_at *call; /* every OpFunctionCall, in module order */
	uint32_t call_count;
	spb_at *variable; /* every variable outside functions in a storage class of descriptors, in module order */
	uint32_t variable_count;
	uint8_t *known;       /* [known_bound] facts about an id that parsing found: SPB_ID_* */
	uint32_t known_bound; /* the bound of the module as parsed */
	uint32_t has;         /* SPB_HAS_*; SPB_HAS_ANYTHING once a pass has changed the module */
	bool has_unknown_ops;
	bool has_bindless;                /* has instructions of SPV_NV_bindless_texture; for the module as parsed */
	bool has_literals;                /* imports a set with spb_has_literals */
	bool swapped;                     /* the input had the other byte order */
	uint32_t source_language;         /* SpvSourceLanguage*; for the module as parsed */
	const spb_spec_value *spec_value; /* values given by the pipeline, by SpecId */
	uint32_t spec_value_count;
	const struct spb_declared_line *declared; /* for messages; NULL: the text has not been read, or does not tell */
	uint32_t declared_count;
	bool indexed; /* def, notes and functions match `words` */

	struct spb_arena gen[2]; /* words and index of this generation, and room for the next one's */
	struct spb_arena keep;   /* data that outlives generations: the name, and results of analyses */
	/* In a program of many modules; otherwise NULL: */
	struct spb_shared *shared;     /* holds `known` and the index of the input until the layout is done */
	struct spb_arena *shared_keep; /* replaces `keep`: lives as long as the program, and holds the name */
	const uint32_t *given;         /* the original words */
	uint32_t given_count;
	int current;         /* index into gen */
	struct spb_run *run; /* NULL: the words are the original ones */
	uint32_t run_count;
};

/* grammar.c: lookups in the tables */

/* Where an instruction with its own row may appear without further checks: bits for the sections, and these. */
enum {
	SPB_PLACE_BLOCK = 1 << SPB_SECTION_FUNCTION,
	SPB_PLACE_LABEL = SPB_PLACE_BLOCK << 1,     /* after a block */
	SPB_PLACE_PARAMETER = SPB_PLACE_BLOCK << 2, /* after OpFunction and its parameters */
	SPB_PLACE_FUNCTION = SPB_PLACE_BLOCK << 3   /* after a function */
};

/* Facts about an opcode; grammar_kinds.h and opcodes.txt explain the values. An instruction begins with operands of
 * one word each, up to word `plain`; its `tail` describes the rest. The words [first_id, end_id), as far as the
 * instruction has them, are ids other than result type and result. Words are counted from the opcode, word 0. The
 * parser reads a row for each instruction, so a row has 32 bytes, and the fields that the parser compares come
 * first. */
struct spb_op_facts {
	uint32_t flags;       /* SPB_OP_*: what it is and does */
	uint32_t places;      /* where accept.c accepts it; 0: nowhere */
	uint32_t end_id;      /* UINT16_MAX: all words of the instruction from first_id on are ids */
	uint32_t plain_words; /* an instruction with at most this many words has no tail */
	uint32_t min_words;   /* of the shortest instruction */
	uint16_t pattern;     /* private to grammar.c */
	uint8_t first_id;
	uint8_t plain;     /* the first word of the tail */
	uint8_t tail;      /* enum spb_tail */
	int8_t section;    /* enum spb_section */
	uint8_t transfer;  /* enum spb_transfer: how the uniformity of its value follows from its operands */
	uint8_t kind;      /* enum spb_resource_kind: what its resource is */
	uint8_t resource;  /* word of the memory or resource that it accesses or queries; 0: none */
	uint8_t resource2; /* the same for a second one: OpCopyMemory, weight and block-match images; 0: none */
};

extern const struct spb_op_facts spb_op_rows[]; /* row 0: unknown opcodes */
extern const uint16_t spb_op_index[SPB_OP_INDEX];

static inline const struct spb_op_facts *spb_op_facts(uint32_t op)
{
	return &spb_op_rows[op < SPB_OP_INDEX ? spb_op_index[op] : 0];
}

/* Does the opcode have any of these flags? */
static inline bool spb_op_is(uint32_t op, uint32_t flags)
{
	return (spb_op_facts(op)->flags & flags) != 0;
}

static inline bool spb_op_is_chain(uint32_t op) /* of either kind */
{
	return spb_op_is(op, SPB_OP_CHAIN | SPB_OP_PTR_CHAIN);
}

const char *spb_grammar_version(void); /* such as "1.6.7" */
const char *spb_op_name(uint32_t op);  /* "OpLoad"; "Op?" if unknown */
const char *spb_capability_name(uint32_t capability);
const char *spb_builtin_name(uint32_t builtin);
const char *spb_storage_class_name(uint32_t storage_class);
const char *spb_image_format_name(uint32_t format);

/* The number of parameters that follow a decoration, if all are one-word literals; otherwise -1. The table covers
 * the first values, which are almost all that are in use. */
extern const int8_t spb_decoration_literals[SPB_FEW];

struct spb_operand {
	uint8_t kind;   /* SPB_KIND_* */
	uint32_t word;  /* offset of its first word in the module */
	uint32_t count; /* words */
	/* private */
	const struct spb_module *m;
	const uint8_t *pattern, *inner;
	uint32_t at, next, end, mask, op;
	uint8_t mask_kind, second;
	bool bad;
};

/* for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) … */
struct spb_operand spb_operands(const struct spb_module *m, spb_at at);

/* The grammar of an extended instruction set. */
struct spb_set;
const struct spb_set *spb_find_set(const char *name);                    /* NULL: unknown, so all operands are ids */
const struct spb_set *spb_set_of(const struct spb_module *m, spb_at at); /* of an OpExtInst */
bool spb_has_literals(const struct spb_set *set);                        /* has it operands other than ids? */
/* Can an OpExtInst have this length with ids as its only operands? Also true if the set or the number is unknown. */
bool spb_fits_instruction(const struct spb_set *set, uint32_t number, uint32_t length);
uint32_t spb_least_operands(const struct spb_set *set, uint32_t number); /* 0 also if it is unknown */
const char *spb_set_name(const struct spb_set *set);                     /* without its version */

bool spb_operand_next(struct spb_operand *o);

static inline bool spb_operand_is_id(const struct spb_operand *o)
{
	return o->kind == SPB_KIND_ID || o->kind == SPB_KIND_TYPE || o->kind == SPB_KIND_RESULT;
}

/* module.c */

/* Parses `count` words into *m, which must be zeroed except for context. Fails on any error. */
void spb_module_parse(struct spb_module *m, const char *name, const uint32_t *words, size_t count);
/* Frees data that only further passes would need. */
void spb_module_settle(struct spb_module *m);
void spb_module_release(struct spb_module *m);
void spb_swap_words(uint32_t *to, const uint32_t *from, size_t count); /* swaps the byte order */

/* Sets m->words and m->text, for which it may allocate from the arena. */
void spb_set_words(struct spb_module *m, struct spb_arena *arena, const uint32_t *words, uint32_t count);
void spb_module_need_index(struct spb_module *m); /* after a commit, before any query */
void spb_module_need_uses(struct spb_module *m);
void spb_module_drop_index(struct spb_module *m);          /* if its words have changed, or it is not needed yet */
void spb_module_leave_shared(struct spb_module *m);        /* drops its index, too, if that is in shared memory */
void spb_module_check_defined(const struct spb_module *m); /* fails if a used id is not defined */
void spb_module_check(const struct spb_module *m);         /* asserts the invariants */

/* query.c: queries */

static inline uint32_t spb_op(const struct spb_module *m, spb_at at)
{
	return m->words[at] & 0xFFFFu; /* at == 0: the magic number, not an opcode */
}

static inline uint32_t spb_length(const struct spb_module *m, spb_at at)
{
	return m->words[at] >> 16;
}

static inline spb_at spb_next(const struct spb_module *m, spb_at at)
{
	return at + spb_length(m, at);
}

/* A literal string operand. */
static inline const char *spb_string(const struct spb_module *m, uint32_t word)
{
	return (const char *)&m->text[word];
}

static inline uint32_t spb_def_op(const struct spb_module *m, uint32_t id)
{
	return spb_op(m, m->def[id]);
}

/* Does a function refer to the id? Also true for ids that a pass created, and if it is no longer known. */
static inline bool spb_is_in_function(const struct spb_module *m, uint32_t id)
{
	return id >= m->known_bound || m->known[id] & SPB_ID_IN_FUNCTION;
}

static inline uint32_t spb_version_word(const struct spb_module *m)
{
	return m->words[1];
}

/* In SPIR-V's registry (spir-v.xml). Assemblers and optimizers overwrite it. */
enum {
	SPB_GENERATOR_GLSLANG = 8,
	SPB_GENERATOR_SHADERC = 13,
	SPB_GENERATOR_DXC = 14,
	SPB_GENERATOR_LINKER = 17,
	SPB_GENERATOR_SLANG = 40,
	SPB_GENERATOR_LLVM = 43
};

static inline uint32_t spb_generator(const struct spb_module *m)
{
	return m->words[2] >> 16;
}

enum { SPB_SOURCE_LANGUAGE_SLANG = 11 }; /* SourceLanguageSlang is newer than some spirv.h */

static inline uint32_t spb_source_language(const struct spb_module *m)
{
	return m->source_language;
}

/* Is this a storage class of descriptors? */
static inline bool spb_is_resource_class(uint32_t storage_class)
{
	return storage_class == SpvStorageClassUniformConstant || storage_class == SpvStorageClassUniform ||
	       storage_class == SpvStorageClassStorageBuffer;
}

/* The type id of a value; 0: none. */
static inline uint32_t spb_type_of(const struct spb_module *m, uint32_t id)
{
	spb_at at = m->def[id];

	return at && spb_op_is(spb_op(m, at), SPB_OP_HAS_TYPE) ? m->words[at + 1] : 0;
}

static inline bool spb_is_constant(const struct spb_module *m, uint32_t id) /* any constant instruction */
{
	return spb_op_is(spb_def_op(m, id), SPB_OP_IS_CONSTANT);
}

spb_at spb_memory_model(const struct spb_module *m); /* its OpMemoryModel; 0: none */
/* The widest scope of atomics that a module may use without another capability. */
uint32_t spb_device_scope(const struct spb_module *m);
uint32_t spb_result(const struct spb_module *m, spb_at at); /* 0: none */
uint32_t spb_part_type(const struct spb_module *m, uint32_t type,
		       uint64_t index); /* member, element, component; 0: none */

/* One octet of a literal string. SPIR-V 2.2.1, "Instructions": the first one is in the lowest-order bits. */
static inline char spb_octet(const uint32_t *words, size_t i)
{
	return (char)(unsigned char)(words[i / 4] >> i % 4 * 8);
}

/* The limit in bytes for names of ids and files; a longer name is ignored. Output repeats names (that of a block for
 * each of its variables), so longer ones, which only occur in hostile input, would amplify it. */
#define SPB_LONGEST_NAME 4096u
bool spb_is_short_string(const struct spb_module *m, spb_at at, uint32_t word); /* a string that ends an instruction */
const char *spb_id_name(const struct spb_module *m, uint32_t id);               /* OpName, "" if none */
/* The first OpFunctionParameter, OpLabel or OpFunctionEnd after `at`, which is OpFunction or OpFunctionParameter. Lines
 * and debug scopes may be between them. */
spb_at spb_next_parameter(const struct spb_module *m, spb_at at);
/* The capability that an OpCapability at `at` declares; UINT32_MAX for other instructions, which the section may
 * hold, too: OpConditionalCapabilityINTEL and unknown opcodes. */
uint32_t spb_capability(const struct spb_module *m, spb_at at);
bool spb_has_capability(const struct spb_module *m, uint32_t capability);
bool spb_has_extension(const struct spb_module *m, const char *name);
/* The first remark (OpModuleProcessed) that begins with `begin`; 0: there is none. */
spb_at spb_find_remark(const struct spb_module *m, const char *begin);
/* The next one after `after`; 0: there is none. */
spb_at spb_next_remark(const struct spb_module *m, spb_at after, const char *begin);
/* Debug information that predates NonSemantic.Shader.DebugInfo and has literal operands: dxc -fspv-debug=rich writes
 * it. */
static inline bool spb_is_old_debug_info(const char *set)
{
	return !strcmp(set, "OpenCL.DebugInfo.100") || !strcmp(set, "DebugInfo");
}

/* Any version of NonSemantic.Shader.DebugInfo: 100, and later ones with the same numbers. */
static inline bool spb_is_debug_info(const char *set)
{
	return !strncmp(set, "NonSemantic.Shader.DebugInfo.", 29);
}

static inline bool spb_is_non_semantic_set(const char *set)
{
	return !strncmp(set, "NonSemantic.", 12) || spb_is_old_debug_info(set);
}

/* Non-semantic instructions, and debug information of any kind: naming an id there is not a use. */
bool spb_is_non_semantic(const struct spb_module *m, spb_at at);
/* Is this a DebugLine of NonSemantic.Shader.DebugInfo? place: the ids and numbers of the equivalent OpLine. */
bool spb_debug_line(const struct spb_module *m, spb_at at, uint32_t place[3]);
uint32_t spb_debug_info(const struct spb_module *m); /* id of its import, 0: none */
uint32_t spb_debug_set(const struct spb_module *m);  /* the same, or the older form, with the same instructions */
uint32_t spb_import(const struct spb_module *m, const char *set); /* id of an OpExtInstImport, 0: none */
/* Word offset just after `decoration` in the decoration of an id, where its literals begin; 0 if the id does not
 * have it. */
uint32_t spb_decoration(const struct spb_module *m, uint32_t id, uint32_t decoration);
/* Integer constants; a specialization constant has the value given by the pipeline, or else its default. */
bool spb_constant_value(const struct spb_module *m, uint32_t id, uint64_t *value);
/* The value that the pipeline gives a specialization constant; false if it is unknown. */
bool spb_spec_value_of(const struct spb_module *m, uint32_t id, uint64_t *value);
const struct spb_function *spb_function_around(const struct spb_module *m, spb_at at);

/* Numbers that belong together, as trees: the root of one, which is its own parent. */
static inline uint32_t spb_find_root(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

static inline bool spb_bit(const uint32_t *bits, uint32_t i)
{
	return bits[i / 32] >> (i % 32) & 1;
}

static inline void spb_set_bit(uint32_t *bits, uint32_t i)
{
	bits[i / 32] |= 1u << (i % 32);
}

uint32_t *spb_bits(struct spb_arena *arena, uint32_t count); /* all clear */

/* fold.c: integer and Boolean constants; specialization constants have the values given by the pipeline */

struct spb_folded {
	const struct spb_module *m;
	uint64_t *value; /* [bound] truncated to the width of the type */
	uint32_t *known; /* bits over ids */
	bool no_defaults;
};

/* Specialization constants without a value from the pipeline have their defaults. */
struct spb_folded spb_fold_constants(const struct spb_module *m, struct spb_arena *arena);
/* They are unknown: a known value holds in every pipeline. */
struct spb_folded spb_fold_known(const struct spb_module *m, struct spb_arena *arena);
/* False if the id is not such a constant, is not known, or has an undefined value (a division by zero). */
bool spb_folded_value(const struct spb_folded *f, uint32_t id, uint64_t *value);
/* The SpecIds that a constant depends on, each once, in the order of its operands. Returns their number, at most
 * `most`. */
uint32_t spb_spec_ids(const struct spb_module *m, uint32_t id, uint32_t *ids, uint32_t most);

/* edit.c: recording changes */

struct spb_change { /* replace words[at .. at + del) by pool[first .. first + count) */
	uint32_t at, del, first, count;
	int section; /* orders insertions at one position: before the globals, whose sections may be empty, and
		      * before the functions */
};

struct spb_edit {
	struct spb_module *m;
	struct spb_arena *arena;
	uint32_t bound;
	SPB_LIST(struct spb_change) changes;
	SPB_LIST(uint32_t) pool;
	struct spb_requests *requests; /* private to edit.c; NULL: there are none */
	struct spb_made *made;         /* private to make.c; NULL until something is looked up */
};

/* A list of words as two arguments: pointer and count. */
#define W(...) (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

void spb_edit_begin(struct spb_edit *e, struct spb_module *m, struct spb_arena *arena);
uint32_t spb_new_id(struct spb_edit *e);
void spb_insert(struct spb_edit *e, uint32_t at, uint32_t op, const uint32_t *operands,
		uint32_t count); /* before `at` */
void spb_replace(struct spb_edit *e, spb_at at, uint32_t op, const uint32_t *operands, uint32_t count);
void spb_remove(struct spb_edit *e, spb_at at);
void spb_patch(struct spb_edit *e, uint32_t word, uint32_t value); /* one operand word */
void spb_remove_notes(struct spb_edit *e, uint32_t id); /* removes its names, decorations and interface entries */
void spb_add_capability(struct spb_edit *e, uint32_t capability); /* unless it is declared already */
void spb_remove_capability(struct spb_edit *e, uint32_t capability);
void spb_add_extension(struct spb_edit *e, const char *name); /* unless it is declared already */
uint32_t spb_add_import(struct spb_edit *e, const char *set); /* returns the id of an OpExtInstImport */
/* Adds a remark, replacing the one at `at` if that is not 0. SPIR-V 1.0 has no OpModuleProcessed, so there it is an
 * OpSourceExtension, which has no effect on semantics either. */
void spb_put_remark(struct spb_edit *e, spb_at at, const char *text);
void spb_add_name(struct spb_edit *e, uint32_t id, const char *name);
void spb_add_member_name(struct spb_edit *e, uint32_t type, uint32_t member, const char *name);
void spb_add_decoration(struct spb_edit *e, uint32_t id, uint32_t decoration, const uint32_t *literals, uint32_t count);
void spb_add_decoration_id(struct spb_edit *e, uint32_t id, uint32_t decoration, uint32_t operand); /* SPIR-V 1.2 */
/* Space for this many words of OpDecorate, which the caller writes before it records anything else. */
uint32_t *spb_room_for_decorations(struct spb_edit *e, uint32_t count);
void spb_add_global(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count); /* after all globals */
void spb_interface_add(struct spb_edit *e, spb_at entry_point, uint32_t id);
void spb_interface_remove(struct spb_edit *e, spb_at entry_point, uint32_t id);
void spb_edit_commit(struct spb_edit *e); /* *e is spent, and the module needs a new index */

/* make.c: types and constants, each once: the module's, one created by this edit, or a new one. Not for structs and
 * arrays. Operands exclude the result. */

uint32_t spb_make(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count);
uint32_t spb_find_made(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count); /* 0: none */
/* Registers one that the caller has inserted, so that later lookups find it. */
void spb_note_made(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count, uint32_t id);
uint32_t spb_uint_type(struct spb_edit *e); /* 32-bit */
uint32_t spb_uint2_type(struct spb_edit *e);
uint32_t spb_bool_type(struct spb_edit *e);
uint32_t spb_uint_constant(struct spb_edit *e, uint32_t value);
uint32_t spb_pointer_type(struct spb_edit *e, uint32_t storage_class, uint32_t pointee);

/* words.c: what messages call things */

enum spb_language { SPB_LANGUAGE_UNKNOWN, SPB_LANGUAGE_GLSL, SPB_LANGUAGE_HLSL };
enum spb_language spb_language_of(const struct spb_module *m);
const char *spb_word_of(const struct spb_module *m, spb_at at); /* barrier(); OpControlBarrier if there is no word */
const char *spb_builtin_word(const struct spb_module *m, uint32_t builtin); /* gl_VertexIndex */

/* copy.c: instructions with mapped ids, and the notes of ids */

/* The operands, with each id that has a map[id] replaced by it. */
uint32_t *spb_copy_operands(const struct spb_module *m, spb_at at, const uint32_t *map, struct spb_arena *arena);
/* A name or decoration, placed after those that the module has. */
void spb_put_note(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count);
/* The same note for another target. */
void spb_copy_note(struct spb_edit *e, spb_at note, uint32_t to);

/* sweep.c: removes unused types and ids */

void spb_remove_id(struct spb_edit *e, uint32_t id); /* its definition, names, decorations and interface entries */
void spb_remove_function(struct spb_edit *e, const struct spb_function *f); /* with the notes of its ids */

/* Uses that values gain and lose while a pass rewrites the instructions around them. */
struct spb_losses {
	struct spb_edit *e;
	int32_t *balance; /* [bound] uses gained, less those lost */
	uint32_t *gone;   /* bits over ids: removed by spb_sweep_values */
	SPB_LIST(uint32_t) lost;
};

struct spb_losses spb_losses_begin(struct spb_edit *e); /* once the uses are known (spb_module_need_uses) */
void spb_lose_use(struct spb_losses *l, uint32_t id);
void spb_lose_operands(struct spb_losses *l, spb_at at);
/* Removes the values that have lost their last use, and then those that only they used, where the pass allows it. */
void spb_sweep_values(struct spb_losses *l, bool (*may_go)(const void *pass, spb_at at), const void *pass);

/* Bits over those of the candidates (bits over ids of globals) that are among the `count` in `kept`, or that something
 * still names, if only by way of others. What does not count: forward declarations, and instructions whose results are
 * in `gone` (bits over ids), since the pass removes or rewrites them. */
uint32_t *spb_find_needed(struct spb_edit *e, const uint32_t *candidates, const uint32_t *gone, const uint32_t *kept,
			  size_t count);
/* Removes those of `types` (bits over ids, to which dependent types are added) that are not among the `count` in
 * `kept` and that nothing uses except values removed by the pass (`gone`: bits over ids). Returns whether some stay. */
bool spb_sweep_types(struct spb_edit *e, uint32_t *types, const uint32_t *gone, const uint32_t *kept, size_t count);

/* location.c: where an instruction is, for messages; and errors */

noreturn void spb_fail(const struct spb_module *m, spb_status status, uint32_t code, spb_at at, const char *format,
		       ...);
/* Fails if the module has unknown opcodes. so: the consequence; or_else: ", or ..." with an alternative to a newer
 * release, or "". */
void spb_refuse_unknown_ops(const struct spb_module *m, uint32_t code, const char *so, const char *or_else);
void spb_report(const struct spb_module *m, spb_severity severity, uint32_t code, spb_at at, const char *format, ...);
/* The same about two places. */
void spb_report_two(const struct spb_module *m, spb_severity severity, uint32_t code, spb_at at, spb_message_note other,
		    const char *format, ...);
spb_message_note spb_note(const struct spb_module *m, spb_at at, const char *format, ...); /* in the scratch arena */
/* The same for a message with more than a text: fills in the fields that follow from the module and the place,
 * except file, line and column if `message.file` is not NULL. */
void spb_report_message(const struct spb_module *m, spb_message message, spb_at at);
/* The instruction of the input that `at` is, or, if a pass created it, the last one before it; 0: none. An offset
 * into the original words. */
uint32_t spb_given_offset(const struct spb_module *m, spb_at at);

struct spb_source_place {
	uint32_t file; /* id of an OpString; 0: none */
	uint32_t line, column, end_column;
};

/* The same for a line of source text instead of an instruction; line 0: no line. */
void spb_report_line(const struct spb_module *m, spb_severity severity, uint32_t code, const char *file, uint32_t line,
		     const char *format, ...);

struct spb_placed {
	spb_at at; /* beginning with this instruction */
	struct spb_source_place place;
};

/* Source locations of a whole module, found in one walk, for many queries. */
struct spb_location_table {
	struct spb_placed *items;
	size_t count, capacity;
};
struct spb_location_table spb_location_table(const struct spb_module *m, struct spb_arena *arena);
/* 0 if unknown */
void spb_location_of(const struct spb_location_table *table, spb_at at, uint32_t *file, uint32_t *line);
struct spb_source_place spb_place_of(const struct spb_location_table *table, spb_at at);
/* The file name of a location; NULL if unknown. */
const char *spb_file_of(const struct spb_module *m, uint32_t file);

const char *spb_label(struct spb_arena *arena, const struct spb_module *m, uint32_t id); /* "name", or %12 */

#endif
