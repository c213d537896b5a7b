/* SPDX-License-Identifier: Apache-2.0 */
/* text: how the source text in a module is read. Private to this room.
 *
 *     files.c                       the files in a module
 *     lexer.c                       files become tokens
 *     preprocess.c, macros.c        the tokens that the compiler saw
 *     glsl.c, hlsl.c                what they declare
 *     evidence.c                    compares that with the resources of the module
 *     declared.c                    the list of declarations
 *     data.c                        data in structs that have resources
 *     allowances.c                  comments that suppress findings of the lint
 *
 * The text comes with the module, so nothing in it is trusted. A text that cannot be read fails: `failure` says why and
 * where, and from then on there are no more tokens. All work is charged to `budget`, which is proportional to the size
 * of the text, so that no macro, include or list of names takes more than linear time. */
#ifndef SPB_TEXT_H
#define SPB_TEXT_H

#include "analysis/source/source.h"

/* The words that the readers know: SPB_WORD_define is the number of "define". */
enum spb_known_word {
	SPB_NO_WORD,
#define SPB_WORD(name) SPB_WORD_##name,
#include "analysis/source/words.inc"
#undef SPB_WORD
	SPB_KNOWN_WORDS
};

enum spb_token_kind {
	SPB_TOKEN_END,
	SPB_TOKEN_LINE, /* the end of a directive */
	SPB_TOKEN_WORD,
	SPB_TOKEN_NUMBER,
	SPB_TOKEN_STRING, /* its bytes are those between the quotes */
	SPB_TOKEN_MARK
};

#define SPB_MARK2(a, b) ((uint16_t)((a) | (b) << 8))

struct spb_token {
	const char *bytes;
	uint32_t length;
	uint32_t word; /* its number; 0: not a word */
	uint32_t line;
	uint16_t file;      /* index of the name of its file */
	uint16_t mark;      /* a character, or SPB_MARK2 */
	uint16_t parameter; /* in the body of a macro: index of the parameter + 1 */
	uint8_t kind;
	bool first;   /* on its line */
	bool blank;   /* there is a blank before it */
	bool painted; /* the name of a macro that contains it: not to be expanded again */
};

struct spb_tokens {
	struct spb_token *items;
	size_t count, capacity;
};

struct spb_macro {
	const struct spb_token *body;
	size_t count;
	size_t parameters;
	bool function, variadic;
	bool pastes; /* its body contains ## */
	bool open;   /* its expansion is being read */
};

struct spb_word {
	const char *bytes;
	uint32_t length;
	uint64_t hash;
	struct spb_macro *macro; /* NULL: not defined */
	uint32_t declaration;    /* the latest declaration of this name + 1 */
	uint32_t last;           /* the first declaration in a namespace whose name ends in this word + 1 */
	bool last_again;         /* there are several */
	uint32_t type;           /* the type of this name + 1 */
	int64_t constant;        /* its value, if it is an integer constant */
	bool is_constant;
	bool predefined;      /* by glslang, in some profile or stage: if it is not defined, that is certain */
	uint32_t hidden;      /* an unknown macro because of which lines were skipped in which it occurs; 0: none */
	uint32_t hidden_line; /* of the condition */
	uint16_t hidden_file;
};

struct spb_file {
	const char *name;           /* as the compiler recorded it */
	const char *path;           /* spb_normalize_names */
	size_t path_length, folder; /* that many bytes of it are its folder */
	const char *bytes;
	size_t length;
	uint32_t language; /* SpvSourceLanguage* */
	bool read;         /* it has been included, or is the main file */
	bool once;         /* #pragma once */
};

struct spb_files {
	struct spb_file *items;
	size_t count, capacity;
};

/* From the first slash of a comment to its end. */
struct spb_comment {
	const char *begin, *end;
	uint32_t line; /* where it begins */
	uint16_t file;
};

struct spb_comments {
	struct spb_comment *items;
	size_t count, capacity;
	struct spb_arena *arena;
};

struct spb_lexer {
	const char *at, *end;
	struct spb_comments *comments; /* receives the comments; NULL: they are not needed */
	uint32_t line;
	uint16_t file;
	bool fresh;     /* nothing but blanks since the newline */
	bool directive; /* a newline is a token */
};

/* A source of tokens: a file, or the body of a macro. */
struct spb_input {
	struct spb_lexer lexer;
	const struct spb_token *tokens; /* NULL: a file */
	size_t at, count;
	struct spb_macro *macro; /* closed when it ends */
	bool placed;             /* its tokens have the place of the call: */
	uint32_t line;
	uint16_t file;
	size_t index;      /* of the file */
	size_t conditions; /* open around the file */
	bool barrier;      /* reading stops at its end */
};

/* Tokens of the pool, which moves when it grows. */
struct spb_range {
	size_t first, count;
	bool known;
};

struct spb_condition {
	bool outer; /* the lines around it are active */
	bool taken; /* one of its groups was active */
	bool uncertain;
	bool last; /* after #else */
	uint32_t line;
	uint16_t file;
	uint32_t macro; /* uncertain: the word that is not defined */
	uint32_t guard; /* #ifndef GUARD: that word */
	size_t doubt;   /* the innermost uncertain condition around its lines, counted from 1; 0: none */
};

struct spb_dimensions {
	uint32_t first, count; /* in `extents` of the reader */
};

enum { SPB_TYPE_DEPTH = 100 }; /* of structs in structs, and of arrays of arrays */

enum { SPB_EXTENT_UNKNOWN = -1, SPB_EXTENT_OPEN = -2 /* [] */ };
enum { SPB_KIND_UNKNOWN = SPB_DESCRIPTOR_COUNT, SPB_KIND_DATA, SPB_KIND_STRUCT };

/* The counter of a structured buffer: there if a function asks for it, or always (Append..., Consume...) */
enum { SPB_NO_COUNTER, SPB_COUNTER_ASKED, SPB_COUNTER_ALWAYS };

struct spb_type {
	uint32_t kind;                    /* an enum spb_descriptor, or one of the above */
	bool writable;                    /* RW... of HLSL */
	bool bytes;                       /* ByteAddressBuffer */
	uint8_t counter;                  /* SPB_NO_COUNTER ... */
	uint8_t components;               /* of Buffer<float4>: 4; 0: not known */
	uint8_t samples;                  /* of Texture2DMS<float4, 8>: 8; 0: not stated */
	char scalar;                      /* of HLSL's data: b, i, u, f, d; 0: not known */
	uint8_t rows, columns;            /* of that; 0: a vector or a scalar has no rows, and a scalar no columns */
	bool row_major;                   /* of a matrix: its rows are contiguous */
	uint32_t structure;               /* index; if it is a struct */
	uint32_t inside;                  /* of a cbuffer that has resources: index of the struct of its members, + 1 */
	struct spb_dimensions dimensions; /* of a typedef, or of texture2D[4] */
};

struct spb_member {
	uint32_t word;
	struct spb_type type;
	uint64_t leaf;                       /* number of resources before it in its struct */
	uint64_t registers[SPB_CLASS_COUNT]; /* that they occupy */
};

struct spb_structure {
	uint32_t first, count; /* in `members` of the reader */
	uint64_t leaves;
	uint64_t registers[SPB_CLASS_COUNT];
	uint32_t depth;       /* of structs in it, and itself */
	bool data, resources; /* it has some */
};

struct spb_declared {
	uint32_t word; /* with its namespaces, as N::t */
	uint32_t last; /* without them: t */
	uint32_t line;
	uint16_t file;
	uint32_t type_word; /* the name of its type, if it has one */
	uint32_t instance;  /* of a block: the word after the }, if it has one */
	uint32_t unit;      /* index of its unit */
	uint32_t units;     /* bits: those that declare it, too; all: not known */
	uint32_t elsewhere; /* the declaration, + 1, of another unit whose author chose another place; 0: none */
	bool again;         /* another declaration of this unit has this name */
	bool taken;         /* a variable has been found to be its own, rather than a member or a counter of it */
	bool open_too;      /* in some unit it has no number */
	bool other;         /* a push constant, or part of a shader record */
	bool paired;        /* [[vk::combinedImageSampler]] */
	bool constant;
	bool has_place;                /* [[vk::binding]], or binding = */
	bool knows_binding, knows_set; /* its numbers can be read */
	uint32_t binding, set;
	bool has_counter_binding; /* [[vk::counter_binding(3)]] */
	uint32_t counter_binding;
	uint32_t doubt; /* it counts only if this word is not a macro; 0: it counts */
	uint32_t doubt_line;
	uint16_t doubt_file;
	bool has_register[SPB_CLASS_COUNT], has_space[SPB_CLASS_COUNT];
	uint32_t number[SPB_CLASS_COUNT], space[SPB_CLASS_COUNT];
	struct spb_type type;
};

struct spb_text_unit {
	uint32_t language; /* SpvSourceLanguage* */
	bool hlsl;
	bool wide;      /* and not by glslang's library */
	uint32_t stage; /* spb_stage_bit, in a module that is linked of one for each entry point; 0: not known */
};

struct spb_block_of { /* of units: a block, with the instance that they declare, if any */
	uint32_t instance, units, declared /* index */;
};

/* A declaration of data, or of a struct, which belongs to the block of loose uniforms of its unit even if it is merged
 * with that of another. */
struct spb_loose {
	uint32_t unit, word, type_word, line;
	uint16_t file;
	uint32_t declared; /* index */
	uint32_t next;     /* its own index, or that of the next declaration */
	struct spb_type type;
};

struct spb_reader {
	struct spb_arena *arena;
	const spb_options *options;
	struct spb_files files;
	SPB_LIST(const char *) names; /* of files, as #line gives them, too */
	SPB_LIST(struct spb_word) words;
	uint32_t *table; /* word, by hash */
	size_t table_size;

	struct {
		struct spb_input *items;
		size_t count, capacity;
	} inputs;
	SPB_LIST(struct spb_condition) conditions;
	size_t skipped;     /* the number of conditions up to the outermost that is not active; 0: the text is active */
	bool hiding;        /* the skipped text may have been active */
	uint32_t undefined; /* a word of the condition that may be a macro which the module does not record; 0: none */
	bool open_world;    /* macros may be defined that the module does not record */
	bool expands_pasted; /* operands of ## are expanded, too */
	bool wide;           /* integers of the preprocessor have 64 bits */
	bool row_major;      /* #pragma pack_matrix(row_major) */
	bool once;           /* #pragma once counts */
	size_t depth;        /* of nested arguments */
	struct spb_token pushed;
	bool has_pushed;
	struct spb_tokens line; /* of the current directive */
	struct spb_tokens pool; /* arguments and conditions while they are expanded, as a stack */
	SPB_LIST(struct spb_range) ranges;
	uint32_t version; /* __VERSION__ */
	bool es;

	/* A linked module has the texts of several modules: units, each a main file and what it includes. */
	SPB_LIST(struct spb_text_unit) units;
	SPB_LIST(struct spb_block_of) blocks;
	SPB_LIST(struct spb_loose) loose;
	size_t main;            /* the main file of the latest */
	bool linked;            /* each file that none before it includes begins a unit */
	struct spb_token token; /* the current one, for the readers of declarations */
	SPB_LIST(struct spb_type) types;
	SPB_LIST(struct spb_structure) structures;
	SPB_LIST(struct spb_member) members;
	SPB_LIST(int64_t) extents;
	SPB_LIST(struct spb_declared) declarations;

	int64_t budget;
	const char *failure; /* NULL: none */
	uint32_t failure_line;
	uint16_t failure_file;
};

/* source.c: begins a unit, and defines the macros that the compiler predefines for a text of this language. Returns
 * whether it is HLSL. The macros of its command line come after these. */

struct spb_source_text spb_open_text(struct spb_reader *r, const spb_options *options, const struct spb_module *m,
				     struct spb_arena *scratch);
bool spb_begin_text(struct spb_reader *r, uint32_t language, uint32_t generator, uint32_t stage);
/* Reads the unit. False: there is another one after it, whose main file is `main` now. */
bool spb_read_text(struct spb_reader *r);

/* files.c: in the order of the module; their bytes end with a zero */

struct spb_files spb_collect_files(const struct spb_module *m, struct spb_arena *arena);

/* lexer.c */

void spb_reader_begin(struct spb_reader *r, struct spb_arena *arena, int64_t budget);
uint32_t spb_intern(struct spb_reader *r, const char *bytes, size_t length); /* 0: the text has failed */
struct spb_token spb_lex(struct spb_reader *r, struct spb_lexer *c);
/* Marks the text as unreadable. Only the first reason is kept. */
void spb_text_fails(struct spb_reader *r, const struct spb_token *at, const char *format, ...);
bool spb_spend(struct spb_reader *r, size_t amount, const struct spb_token *at);
uint16_t spb_file_name(struct spb_reader *r, const char *name);

static inline bool spb_is_mark(const struct spb_token *t, uint16_t mark)
{
	return t->kind == SPB_TOKEN_MARK && t->mark == mark;
}

/* macros.c */

void spb_define(struct spb_reader *r, const struct spb_tokens *line); /* what follows #define */
void spb_define_text(struct spb_reader *r, const char *text);         /* NAME, NAME=VALUE */
void spb_undefine(struct spb_reader *r, uint32_t word);
struct spb_token spb_expanded_token(struct spb_reader *r); /* the next token, with macros expanded */
/* Expands tokens of the pool. The result is at the end of the pool, where the caller removes it. */
struct spb_range spb_expand_range(struct spb_reader *r, struct spb_range tokens);
/* The same for tokens outside the pool. */
struct spb_range spb_expand_tokens(struct spb_reader *r, const struct spb_token *tokens, size_t count);
/* Defines what glslang predefines for GLSL and HLSL; stage: an execution model. */
void spb_predefine(struct spb_reader *r, bool compatibility, uint32_t stage);

/* preprocess.c */

struct spb_token spb_raw_token(struct spb_reader *r); /* directives are obeyed, macros are not expanded */
void spb_push_file(struct spb_reader *r, size_t file, uint32_t line);

/* include.c: the file that #include names; SIZE_MAX: the module does not contain it */
void spb_normalize_names(struct spb_reader *r); /* of all files */
size_t spb_find_include(struct spb_reader *r, const char *path, bool *ambiguous);

/* expression.c: evaluates an integer constant expression without macros. A word has the value of the constant of that
 * name, or fails; in a directive it is 0. False: it is not such an expression, or its value is unknown. */
bool spb_evaluate(struct spb_reader *r, const struct spb_token *tokens, size_t count, bool directive, int64_t *value);
bool spb_read_integer(const struct spb_token *t, uint64_t *value);

/* statements.c: shared by both languages */

void spb_take(struct spb_reader *r);                           /* to the next token */
void spb_skip_group(struct spb_reader *r);                     /* from ( [ { to after its end */
bool spb_skip_angles(struct spb_reader *r);                    /* from < to after its >; false: the < was an operator */
bool spb_skip_open_angles(struct spb_reader *r, size_t depth); /* the same after this many < */
void spb_skip_initializer(struct spb_reader *r);               /* to the , or ; */
void spb_read_initializer(struct spb_reader *r, uint32_t word, bool constant);
/* At = ( or a comma: the constant after it. False: it is unknown. */
bool spb_read_number(struct spb_reader *r, uint32_t *number);
struct spb_dimensions spb_read_dimensions(struct spb_reader *r);
struct spb_dimensions spb_join_dimensions(struct spb_reader *r, struct spb_dimensions outer,
					  struct spb_dimensions inner);
struct spb_type spb_named_type(const struct spb_reader *r, uint32_t word);
void spb_name_type(struct spb_reader *r, uint32_t word, struct spb_type type);
void spb_declare(struct spb_reader *r, const struct spb_declared *d);
struct spb_members {
	struct spb_member *items;
	size_t count, capacity;
};
/* Adds a struct with these members, and sets their places. Returns its type. */
struct spb_type spb_add_structure(struct spb_reader *r, struct spb_members *members);
enum { SPB_LEAF_BITS = 40 };                                                /* a struct has fewer than 2^40 resources */
uint64_t spb_elements(const struct spb_reader *r, struct spb_dimensions d); /* 0: not known */
enum spb_class spb_class_of_type(const struct spb_type *type);
/* A struct with resources and data, or an array of these. */
bool spb_is_mixed(const struct spb_reader *r, const struct spb_type *type);
/* The position of its data among its resources: behind them. */
uint64_t spb_data_leaf(const struct spb_reader *r, const struct spb_type *type);

/* glsl.c, hlsl.c */

void spb_read_glsl(struct spb_reader *r);
void spb_read_hlsl(struct spb_reader *r);

/* evidence.c: finds the declaration of each variable. False: the text disagrees with the module, or does not declare
 * all of its resources; see `failure`. */

struct spb_match {                           /* a variable, and the declaration that it is a view of */
	uint32_t variable;                   /* index */
	bool renamed;                        /* its key is that of a block of another unit */
	uint32_t declared;                   /* index + 1; 0: it is the block of loose uniforms */
	struct spb_type type;                /* of the last part of its name */
	uint64_t leaf;                       /* number of resources before it in its struct */
	uint64_t registers[SPB_CLASS_COUNT]; /* that they occupy */
	bool counter;                        /* it is the counter of that buffer */
	bool data;                           /* it is the data of that struct (data.c) */
	bool element;                        /* its name has an index */
};

struct spb_matches {
	struct spb_match *items;
	size_t count, capacity;
};

/* Whether the units, as in spb_declared, may belong to the stages of this variable. */
bool spb_is_of_units(const struct spb_reader *r, uint32_t units, const struct spb_variable *v);
bool spb_find_evidence(struct spb_reader *r, const struct spb_variables *variables, struct spb_matches *matches);

/* declared.c: lists what the text declares, and sets the declarations of the variables */

struct spb_dialect {                 /* the compiler's names for what is unnamed in the text */
	const char *loose;           /* the block of loose uniforms */
	const char *before, *behind; /* the name of a counter: that of its buffer between these */
	bool by_element;             /* it creates a variable for each element of an array of structs */
	bool own_data;               /* data of a struct with resources gets a block of its own (data.c) */
};

/* dialects: one for each unit */
struct spb_declarations spb_list_declared(struct spb_reader *r, const struct spb_module *m,
					  const struct spb_matches *matches, const struct spb_dialect *dialects,
					  struct spb_variables *variables, struct spb_arena *keep);

/* type_names.c */

struct spb_type spb_glsl_type(const char *name, size_t length);
struct spb_type spb_hlsl_type(const char *name, size_t length);

#endif
