/* SPDX-License-Identifier: Apache-2.0 */
/* Written by scripts/gen_grammar.py; do not edit. Operand kinds of the SPIR-V grammar. */
/* clang-format off */
#ifndef SPB_GRAMMAR_KINDS_H
#define SPB_GRAMMAR_KINDS_H

/* An operand in a pattern: a kind, or'ed with at most one of SPB_OPTIONAL, SPB_VARIADIC. */
enum spb_kind {
	SPB_KIND_END = 0, /* ends a pattern */
	SPB_KIND_TYPE = 1, /* IdResultType */
	SPB_KIND_RESULT = 2, /* IdResult */
	SPB_KIND_ID = 3, /* IdRef, IdScope, IdMemorySemantics */
	SPB_KIND_LITERAL = 4, /* one word */
	SPB_KIND_STRING = 5,
	SPB_KIND_CONTEXT_LITERAL = 6, /* as wide as the result type */
	SPB_KIND_EXT_INST = 7, /* instruction of an OpExtInst */
	SPB_KIND_SPEC_OP = 8, /* opcode of an OpSpecConstantOp; its operands follow */
	SPB_KIND_PAIR_ID_ID = 9,
	SPB_KIND_PAIR_ID_LITERAL = 10,
	SPB_KIND_PAIR_LITERAL_ID = 11, /* OpSwitch: literal as wide as the selector */
	SPB_KIND_ENUM = 12, /* value or mask, one word, no parameters */
	/* values with parameters */
	SPB_KIND_EXECUTION_MODE = 16,
	SPB_KIND_DECORATION = 17,
	/* bit masks with parameters: in the order of the bits, lowest first */
	SPB_KIND_IMAGE_OPERANDS = 18,
	SPB_KIND_LOOP_CONTROL = 19,
	SPB_KIND_MEMORY_ACCESS = 20,
	SPB_KIND_TENSOR_ADDRESSING_OPERANDS = 21,
	SPB_KIND_TENSOR_OPERANDS = 22,
	SPB_KIND_FIRST_VALUE = 16,
	SPB_KIND_FIRST_MASK = 18
};

enum { SPB_OPTIONAL = 0x40, SPB_VARIADIC = 0x80, SPB_KIND_BITS = 0x3f };

/* What follows the one-word operands at the beginning of an instruction. */
enum spb_tail {
	/* nothing; or, up to plain_words, more ids if their range goes on, and literals if not */
	SPB_TAIL_NONE = 0,
	/* any number of ids, apart from those in the range */
	SPB_TAIL_IDS = 1,
	/* one string */
	SPB_TAIL_STRING = 2,
	/* one string, then any number of ids */
	SPB_TAIL_STRING_IDS = 3,
	/* any number of pairs of ids */
	SPB_TAIL_ID_PAIRS = 4,
	/* a mask: nothing more if it is 0, else parameters */
	SPB_TAIL_MASK = 5,
	/* an execution mode, then its parameters */
	SPB_TAIL_EXECUTION_MODE = 6,
	/* a decoration, then its parameters */
	SPB_TAIL_DECORATION = 7,
	/* an instruction of an extended set and its operands, which are ids except in sets with literals */
	SPB_TAIL_EXT_INST = 8,
	/* something else: only the pattern describes it */
	SPB_TAIL_PATTERN = 9,
};

/* How the value of an instruction follows from its operands. */
enum spb_transfer {
	/* no such opcode; treated as UNKNOWN */
	SPB_TRANSFER_MISSING = 0,
	/* no value: types, labels, decorations, stores, terminators, barriers */
	SPB_TRANSFER_NONE = 1,
	/* the same in every invocation whatever the operands; a function id denotes the same code */
	SPB_TRANSFER_CONSTANT = 2,
	/* component i follows from component i of each operand, and from all of a scalar operand; the result is a scalar
	 * or a vector */
	SPB_TRANSFER_COMPONENTWISE = 3,
	/* every component follows from all of every operand: structs, matrices, bits across components */
	SPB_TRANSFER_JOIN = 4,
	/* differs by nature: atomics, ray queries, scans, elect, clocks */
	SPB_TRANSFER_VARYING = 5,
	/* may differ, since nothing is known: vendor operations that read memory; tensors, which may be written like
	 * storage images */
	SPB_TRANSFER_UNKNOWN = 6,
	/* uniform in the subgroup whatever the operands, not in the group: ballot, all, any */
	SPB_TRANSFER_SUBGROUP = 7,
	/* uniform in the subgroup; in the group if the operand is and a subgroup is part of it */
	SPB_TRANSFER_BROADCAST = 8,
	/* all operands joined where a subgroup is part of the group, else as VARYING */
	SPB_TRANSFER_SHUFFLE = 9,
	/* uniform in the scope that word 3 names, without a GroupOperation */
	SPB_TRANSFER_BY_SCOPE = 10,
	/* scope in word 3, GroupOperation in word 4: uniform in the scope if that is Reduce; scans, clustered and
	 * partitioned operations differ */
	SPB_TRANSFER_GROUP_OPERATION = 11,
	/* reads memory: follows from address, storage class and writers. With QUERY every operand counts, not only the
	 * resource */
	SPB_TRANSFER_MEMORY = 12,
	/* the uniformity analysis has code for it: OpPhi, OpFunctionCall, access chains, composites */
	SPB_TRANSFER_SPECIAL = 13,
};

/* What an instruction accesses or queries. */
enum spb_resource_kind {
	/* nothing */
	SPB_RESOURCE_NONE = 0,
	/* memory, through a pointer to it */
	SPB_RESOURCE_POINTER = 1,
	/* an image without a sampler */
	SPB_RESOURCE_IMAGE = 2,
	/* a sampled image */
	SPB_RESOURCE_SAMPLED_IMAGE = 3,
	/* anything else: acceleration structures, tensors, pointers to images, to ray queries and pipes */
	SPB_RESOURCE_RESOURCE = 4,
};

/* Flags of an opcode: those of the grammar, then those of opcodes.txt. */
/* the grammar has it */
#define SPB_OP_KNOWN 0x1u
/* word 1 is the result type */
#define SPB_OP_HAS_TYPE 0x2u
/* the word after that is the result */
#define SPB_OP_HAS_RESULT 0x4u
/* declares a type */
#define SPB_OP_IS_TYPE 0x8u
/* declares a constant */
#define SPB_OP_IS_CONSTANT 0x10u
/* may only be in a block or a graph */
#define SPB_OP_IN_BLOCK 0x20u
/* ends a block (SPIR-V 2.2.5) */
#define SPB_OP_TERMINATOR 0x40u
/* begins or ends a function, a block or a graph, or declares a parameter */
#define SPB_OP_FRAME 0x80u
/* gives the source line of what follows */
#define SPB_OP_LINE 0x100u
/* has a section, but may appear in function bodies, too */
#define SPB_OP_IN_BODIES 0x200u
/* names or decorates the id in word 1 */
#define SPB_OP_NOTE 0x400u
/* declares the type of a descriptor that is a value in the shader: images, samplers, acceleration structures,
 * tensors */
#define SPB_OP_OPAQUE 0x800u
/* declares a type of elements that are addressed one by one: sized and runtime arrays */
#define SPB_OP_ARRAY 0x1000u
/* declares a type whose parts all have the type in word 2: arrays, vectors, matrices */
#define SPB_OP_ELEMENTS 0x2000u
/* an access chain: the indexes from word 4 on lead into what the pointer in word 3 points to */
#define SPB_OP_CHAIN 0x4000u
/* an access chain whose first index, word 4, moves the pointer itself */
#define SPB_OP_PTR_CHAIN 0x8000u
/* an access chain of untyped pointers: word 3 is the type that its base is taken for, the base is word 4, and the
 * indexes follow */
#define SPB_OP_BASE_TYPE 0x10000u
/* the value of word 3 as it is, or with another type of the same shape */
#define SPB_OP_COPY 0x20000u
/* one of several values, or a value put together from several */
#define SPB_OP_JOINS 0x40000u
/* moves values without reading them: what resolve-descriptors follows. Not chains, which create pointers */
#define SPB_OP_MOVES 0x80000u
/* the result is or leads to the descriptor that its operand is or leads to: what NonUniform travels along. OpLoad
 * does so only for an opaque type */
#define SPB_OP_FORWARDS 0x100000u
/* an atomic access to memory */
#define SPB_OP_ATOMIC 0x200000u
/* writes through its resource, and may also read through it. With a second resource it reads through that one */
#define SPB_OP_WRITES 0x400000u
/* queries a resource without reading its contents: sizes, levels, lengths */
#define SPB_OP_QUERY 0x800000u
/* takes derivatives of its coordinate */
#define SPB_OP_DERIVES 0x1000000u
/* samples with an implicit level of detail; the next opcode is the same with an explicit one.
 * OpImageSparseSampleProj* are reserved */
#define SPB_OP_EXPLICIT_NEXT 0x2000000u
/* acts for each invocation alone, so a loop may execute it for some invocations after others */
#define SPB_OP_IN_TURNS 0x4000000u
/* its resources must not differ between invocations, decorated or not: QCOM weight, box filter and block-match
 * images (within a quad: VUIDs 06979, 06982, 06990, 09219), cooperative matrix loads and stores (within their
 * scope). Cooperative vectors, of which each invocation has its own, may differ */
#define SPB_OP_NEVER_DIFFERS 0x8000000u
/* invocations may be in other subgroups afterwards (Vulkan, "Shader Calls"), or it traces a ray or executes a
 * shader; recording a hit does neither */
#define SPB_OP_REPACKS 0x10000000u
/* calls a function of the module, named by an operand or unknown, with arguments that differ */
#define SPB_OP_CALLS 0x20000000u
/* computes nothing and touches no memory: control flow, lines, lifetimes */
#define SPB_OP_INERT 0x40000000u

enum { SPB_OP_INDEX = 6919 }; /* opcodes from here on are not known */
enum { SPB_FEW = 64 }; /* values with an entry in the tables of literals */

#endif
