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
	SPB_KIND_CONTEXT_LITERAL = 6, /* words as the result type says */
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

/* Flags of an opcode. REQUIRED_IDS: the shortest instruction has only ids after type and result.
 * VARIADIC_IDS: an instruction of any length has. */
enum {
	SPB_OP_HAS_TYPE = 1,
	SPB_OP_HAS_RESULT = 2,
	SPB_OP_REQUIRED_IDS = 4,
	SPB_OP_IS_TYPE = 8,
	SPB_OP_IS_CONSTANT = 16,
	SPB_OP_TERMINATOR = 32,
	SPB_OP_VARIADIC_IDS = 64
};

#endif
