/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer's mutator for modules: the parser rejects most random bytes; instructions that are moved, copied, removed,
 * or given other ids of the same type reach the analyses. Knows SPIR-V only from spirv.h, so that it shares no mistake
 * with the library. */
#define SPV_ENABLE_UTILITY_CODE
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

extern inline void SpvHasResultAndType(SpvOp op, bool *result, bool *type); /* which is inline there */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size, uint8_t *to,
				 size_t max_size, unsigned seed);

enum { MAX_IDS = 1 << 16, NO_TYPE = 0x10000 };

struct instruction {
	uint32_t at, length, op;
	uint32_t type, result; /* 0: none */
};

struct mutation {
	uint32_t *w;
	size_t count, room; /* words */
	struct instruction *i;
	size_t instructions, globals, body; /* body: the first OpFunction */
	uint32_t kind[MAX_IDS];             /* of an id: its type, or NO_TYPE | opcode; 0: none */
	uint64_t random;
};

static uint32_t roll(struct mutation *x, size_t below)
{
	x->random ^= x->random << 13;
	x->random ^= x->random >> 7;
	x->random ^= x->random << 17;
	return below ? (uint32_t)((x->random >> 11) % below) : 0;
}

/* False: not a complete module. */
static bool read(struct mutation *x)
{
	x->instructions = x->globals = x->body = 0;
	memset(x->kind, 0, sizeof x->kind);
	if (x->count < 6 || x->w[0] != SpvMagicNumber)
		return false;
	x->i = realloc(x->i, x->room * sizeof *x->i);
	for (size_t at = 5; at < x->count;) {
		struct instruction n = {(uint32_t)at, x->w[at] >> 16, x->w[at] & 0xFFFF, 0, 0};
		bool result = false, type = false;
		if (!n.length || n.length > x->count - at)
			return false;
		SpvHasResultAndType((SpvOp)n.op, &result, &type);
		if (type && n.length > 1)
			n.type = x->w[at + 1];
		if (result && n.length > 1u + type)
			n.result = x->w[at + 1 + type];
		if (n.result && n.result < MAX_IDS)
			x->kind[n.result] = n.type ? n.type : NO_TYPE | n.op;
		if (n.op == SpvOpFunction && !x->body)
			x->body = x->instructions;
		if (!x->globals && (n.op == SpvOpTypeVoid || n.op == SpvOpTypeInt || n.op == SpvOpTypeFloat))
			x->globals = x->instructions;
		x->i[x->instructions++] = n;
		at += n.length;
	}
	return x->instructions != 0;
}

/* Mostly from functions. */
static struct instruction any(struct mutation *x)
{
	size_t first = x->body && roll(x, 8) ? x->body : x->globals && roll(x, 4) ? x->globals : 0;

	return x->i[first + roll(x, x->instructions - first)];
}

static void cut(struct mutation *x, size_t at, size_t length)
{
	memmove(x->w + at, x->w + at + length, (x->count - at - length) * 4);
	x->count -= length;
}

static bool make_room(struct mutation *x, size_t at, size_t length)
{
	if (x->count + length > x->room)
		return false;
	memmove(x->w + at + length, x->w + at, (x->count - at) * 4);
	x->count += length;
	return true;
}

/* An id of the kind, near the place if there is one; 0: none. */
static uint32_t another(struct mutation *x, uint32_t kind)
{
	uint32_t start = roll(x, x->instructions);

	for (size_t n = 0; n < x->instructions; n++) {
		const struct instruction *i = &x->i[(start + n) % x->instructions];
		if (i->result && i->result < MAX_IDS && x->kind[i->result] == kind)
			return i->result;
	}
	return 0;
}

static void change_id(struct mutation *x)
{
	for (int tries = 0; tries < 20; tries++) {
		struct instruction n = any(x);
		uint32_t word = n.at + 1 + roll(x, n.length - 1), id = x->w[word < x->count ? word : 0];
		if (n.length < 2 || !id || id >= MAX_IDS || !x->kind[id] || id == n.result)
			continue;
		uint32_t other = another(x, x->kind[id]);
		if (other && other != id) {
			x->w[word] = other;
			return;
		}
	}
}

static void copy_instruction(struct mutation *x)
{
	struct instruction n = any(x), to = any(x);
	uint32_t copy[64];

	if (n.length > 64 || to.at < 6)
		return;
	memcpy(copy, x->w + n.at, n.length * 4);
	if (n.result)
		copy[1 + (n.type != 0)] = x->w[3]++;
	if (make_room(x, to.at, n.length))
		memcpy(x->w + to.at, copy, n.length * 4);
}

/* Copies a run of instructions, directly after it or elsewhere, with new results. */
static void copy_run(struct mutation *x)
{
	if (!x->body)
		return;
	size_t first = x->body + roll(x, x->instructions - x->body), to = x->body + roll(x, x->instructions - x->body);
	size_t end = first + 1 + roll(x, roll(x, 3) ? 12 : 80), words;
	static uint32_t fresh[MAX_IDS];

	if (end > x->instructions)
		end = x->instructions;
	if (roll(x, 2))
		to = end < x->instructions ? end : first;
	words = x->i[end - 1].at + x->i[end - 1].length - x->i[first].at;
	uint32_t *copy = malloc(words * 4 + 4);
	memcpy(copy, x->w + x->i[first].at, words * 4);
	memset(fresh, 0, sizeof fresh);
	for (size_t k = first; k < end; k++) {
		if (x->i[k].result && x->i[k].result < MAX_IDS)
			fresh[x->i[k].result] = x->w[3]++;
	}
	for (size_t k = first; k < end; k++) {
		uint32_t *c = copy + (x->i[k].at - x->i[first].at);
		for (uint32_t w = 1; w < x->i[k].length; w++) {
			if (c[w] < MAX_IDS && fresh[c[w]] && (c[w] == x->i[k].result || roll(x, 8)))
				c[w] = fresh[c[w]];
		}
	}
	if (make_room(x, x->i[to].at, words))
		memcpy(x->w + x->i[to].at, copy, words * 4);
	free(copy);
}

/* Another opcode with the same operands, also from this module. */
static void change_op(struct mutation *x)
{
	static const uint16_t ops[][8] = {
	    {SpvOpIAdd, SpvOpISub, SpvOpIMul, SpvOpUDiv, SpvOpBitwiseAnd, SpvOpShiftRightLogical, SpvOpBitwiseXor,
	     SpvOpUMod},
	    {SpvOpLoad, SpvOpCopyObject, SpvOpBitcast, SpvOpSNegate, SpvOpNot, SpvOpImage, SpvOpCopyLogical,
	     SpvOpUConvert},
	    {SpvOpAccessChain, SpvOpInBoundsAccessChain, SpvOpPtrAccessChain, SpvOpImageTexelPointer,
	     SpvOpCompositeConstruct, SpvOpPhi, SpvOpSampledImage, SpvOpFunctionCall},
	    {SpvOpReturn, SpvOpKill, SpvOpUnreachable, SpvOpTerminateInvocation, SpvOpDemoteToHelperInvocation,
	     SpvOpNop, SpvOpFunctionEnd, SpvOpReturn},
	    {SpvOpImageFetch, SpvOpImageRead, SpvOpImageSampleImplicitLod, SpvOpImageQueryLod, SpvOpImageQuerySizeLod,
	     SpvOpVectorExtractDynamic, SpvOpIEqual, SpvOpULessThan},
	    {SpvOpBranchConditional, SpvOpSelectionMerge, SpvOpLoopMerge, SpvOpSwitch, SpvOpStore, SpvOpCopyMemory,
	     SpvOpBranchConditional, SpvOpReturnValue},
	    {SpvOpTypeArray, SpvOpTypeVector, SpvOpTypeMatrix, SpvOpTypePointer, SpvOpTypeRuntimeArray, SpvOpTypeStruct,
	     SpvOpTypeSampledImage, SpvOpTypeFunction},
	    {SpvOpConstant, SpvOpSpecConstant, SpvOpConstantNull, SpvOpUndef, SpvOpConstantComposite,
	     SpvOpSpecConstantOp, SpvOpVariable, SpvOpSpecConstantTrue},
	    {SpvOpGroupNonUniformBroadcastFirst, SpvOpGroupNonUniformElect, SpvOpGroupNonUniformAll,
	     SpvOpGroupNonUniformBallot, SpvOpGroupNonUniformShuffle, SpvOpGroupNonUniformIAdd,
	     SpvOpGroupNonUniformBroadcast, SpvOpGroupNonUniformQuadSwap},
	};
	struct instruction n = any(x);

	for (size_t row = 0; row < sizeof ops / sizeof *ops; row++) {
		for (size_t k = 0; k < 8; k++) {
			if (ops[row][k] == n.op && roll(x, 4)) {
				x->w[n.at] = n.length << 16 | ops[row][roll(x, 8)];
				return;
			}
		}
	}
	struct instruction other = any(x);
	if (other.length == n.length)
		x->w[n.at] = x->w[other.at];
}

static void change_word(struct mutation *x)
{
	static const uint32_t values[] = {0,  1,  2,  3,  4,   5,   7,    12,         16,
					  33, 34, 64, 65, 255, 256, 5300, 0x7FFFFFFF, 0xFFFFFFFF};
	struct instruction n = any(x);
	uint32_t word = n.at + 1 + roll(x, n.length - 1);

	if (n.length > 1)
		x->w[word] =
		    roll(x, 3) ? values[roll(x, sizeof values / sizeof *values)] : x->w[word] + 1 - 2 * roll(x, 2);
}

/* Makes a branch conditional, to a later or earlier block. */
static void split_branch(struct mutation *x)
{
	for (int tries = 0; tries < 30; tries++) {
		struct instruction n = any(x), other = any(x);
		uint32_t type = another(x, NO_TYPE | SpvOpTypeBool), condition = type ? another(x, type) : 0;
		uint32_t target = another(x, NO_TYPE | SpvOpLabel);
		if (n.op != SpvOpBranch || n.length != 2 || !condition || !target)
			continue;
		bool merge = roll(x, 2) != 0;
		if (other.op == SpvOpLabel)
			target = other.result;
		uint32_t first = x->w[n.at + 1];
		if (!make_room(x, n.at, merge ? 5 : 2))
			return;
		uint32_t *w = x->w + n.at;
		if (merge) {
			w[0] = 3u << 16 | SpvOpSelectionMerge;
			w[1] = roll(x, 2) ? target : first;
			w[2] = 0;
			w += 3;
		}
		w[0] = 4u << 16 | SpvOpBranchConditional;
		w[1] = condition;
		w[2] = first;
		w[3] = target;
		return;
	}
}

/* Adds or removes an operand. */
static void change_length(struct mutation *x)
{
	struct instruction n = any(x);

	if (n.length < 3)
		return;
	if (roll(x, 2)) {
		cut(x, n.at + n.length - 1, 1);
		x->w[n.at] -= 1u << 16;
	} else {
		uint32_t more = 1 + roll(x, roll(x, 8) ? 2 : 300), step = 1 + roll(x, 2);
		if (n.length + more > 0xFFFF || !make_room(x, n.at + n.length, more))
			return;
		for (uint32_t k = 0; k < more; k++)
			x->w[n.at + n.length + k] = x->w[n.at + n.length + k - (step < n.length ? step : 1)];
		x->w[n.at] += more << 16;
	}
}

static void decorate(struct mutation *x)
{
	static const uint32_t what[] = {SpvDecorationNonUniform, SpvDecorationUniform,         SpvDecorationVolatile,
					SpvDecorationBuiltIn,    SpvDecorationNonWritable,     SpvDecorationFlat,
					SpvDecorationAliased,    SpvDecorationRelaxedPrecision};
	struct instruction n = any(x);
	uint32_t k = roll(x, 8), length = what[k] == SpvDecorationBuiltIn ? 4 : 3;
	size_t at = x->globals ? x->i[x->globals].at : 0;

	if (!n.result || !at || !make_room(x, at, length))
		return;
	x->w[at] = length << 16 | SpvOpDecorate;
	x->w[at + 1] = n.result;
	x->w[at + 2] = what[k];
	if (length == 4)
		x->w[at + 3] = roll(x, 45);
}

static bool insert(struct mutation *x, size_t at, const uint32_t *words, uint32_t count)
{
	if (!make_room(x, at, count))
		return false;
	memcpy(x->w + at, words, count * sizeof *words);
	return true;
}

static bool is_global(const struct mutation *x, uint32_t id)
{
	size_t k = 0;

	while (k < x->body && x->i[k].result != id)
		k++;
	return k < x->body;
}

/* Gives an operand another value of the same type, which no compiler would write: a copy, a selection, a phi, an
 * undefined or null one, or an operation on specialization constants. */
static void replace_value(struct mutation *x)
{
	for (int tries = 0; tries < 30; tries++) {
		struct instruction n = any(x), label = any(x);
		uint32_t word = n.at + 1 + roll(x, n.length - 1), id = x->w[word < x->count ? word : 0],
			 fresh = x->w[3];
		uint32_t type = id < MAX_IDS ? x->kind[id] : 0, bool_type = another(x, NO_TYPE | SpvOpTypeBool);
		if (!x->body || n.at <= x->i[x->body].at || n.length < 2 || !type || type & NO_TYPE || id == n.result)
			continue;
		uint32_t other = another(x, type), condition = bool_type ? another(x, bool_type) : 0;
		uint32_t from = another(x, NO_TYPE | SpvOpLabel), global = x->i[x->body].at, at = n.at;
		const uint32_t values[][6] = {
		    {4u << 16 | SpvOpCopyObject, type, fresh, id},
		    {6u << 16 | SpvOpSelect, type, fresh, condition, id, other},
		    {5u << 16 | SpvOpPhi, type, fresh, id, from},
		    {3u << 16 | SpvOpUndef, type, fresh},
		    {3u << 16 | SpvOpConstantNull, type, fresh},
		    {6u << 16 | SpvOpSpecConstantOp, type, fresh, SpvOpIAdd, id, other},
		};
		const uint32_t which = roll(x, 6), *w = values[which];
		if ((which == 1 && !condition) || (which == 5 && !(is_global(x, id) && is_global(x, other))))
			continue;
		if (which > 2)
			at = global;
		else if (which == 2 && label.op == SpvOpLabel)
			at = label.at + label.length;
		x->w[word] = fresh;
		if (insert(x, at, w, w[0] >> 16))
			x->w[3]++;
		else
			x->w[word] = id;
		return;
	}
}

/* Ends a block otherwise, so that others become unreachable, or loops have other exits. */
static void end_block(struct mutation *x)
{
	static const uint32_t ends[] = {1u << 16 | SpvOpReturn, 1u << 16 | SpvOpKill, 1u << 16 | SpvOpUnreachable};

	for (int tries = 0; tries < 30; tries++) {
		struct instruction n = any(x);
		uint32_t target = another(x, NO_TYPE | SpvOpLabel);
		if ((n.op != SpvOpBranch && n.op != SpvOpBranchConditional && n.op != SpvOpSwitch &&
		     n.op != SpvOpReturn && n.op != SpvOpReturnValue && n.op != SpvOpKill) ||
		    !target)
			continue;
		if (n.length > 3 && roll(x, 2)) /* one of its own */
			target = x->w[n.at + 2 + roll(x, 2)];
		const uint32_t branch[] = {2u << 16 | SpvOpBranch, target}, end = roll(x, 6);
		cut(x, n.at, n.length);
		insert(x, n.at, end < 3 ? ends + end : branch, end < 3 ? 1 : 2);
		return;
	}
}

/* From an instruction with this opcode, which there is, to the end of the first with the other opcode after it. */
static bool find_part(struct mutation *x, uint32_t first, uint32_t last, size_t *begin, size_t *end)
{
	const size_t start = roll(x, x->instructions);

	for (size_t n = 0; n < x->instructions; n++) {
		*begin = (start + n) % x->instructions;
		if (x->i[*begin].op != first)
			continue;
		for (*end = *begin + 1; *end < x->instructions; ++*end) {
			if (x->i[*end].op == last)
				return true;
		}
	}
	return false;
}

/* Copies a function, with new results, and sends some of its calls there. */
static void copy_function(struct mutation *x)
{
	static uint32_t fresh[MAX_IDS];
	size_t begin, end;

	if (!find_part(x, SpvOpFunction, SpvOpFunctionEnd, &begin, &end))
		return;
	const uint32_t from = x->i[begin].at, length = x->i[end].at + 1 - from, to = (uint32_t)x->count;
	if (!make_room(x, to, length))
		return;
	memcpy(x->w + to, x->w + from, length * 4);
	memset(fresh, 0, sizeof fresh);
	for (size_t k = begin; k <= end; k++) {
		if (x->i[k].result && x->i[k].result < MAX_IDS)
			fresh[x->i[k].result] = x->w[3]++;
	}
	for (size_t k = begin; k <= end; k++) {
		const bool some_stay = !roll(x, 40); /* the ids of the other function */
		for (uint32_t w = x->i[k].at + 1; w < x->i[k].at + x->i[k].length; w++) {
			uint32_t *word = &x->w[to + w - from];
			if (*word < MAX_IDS && fresh[*word] && (*word == x->i[k].result || !some_stay))
				*word = fresh[*word];
		}
	}
	for (size_t k = x->body; k < x->instructions; k++) {
		uint32_t *called = &x->w[x->i[k].at + (x->i[k].length > 3 ? 3 : 0)];
		if (x->i[k].op == SpvOpFunctionCall && *called == x->i[begin].result && *called < MAX_IDS && roll(x, 2))
			*called = fresh[*called];
	}
}

/* Moves some words to what is now at `to`. */
static void move(struct mutation *x, uint32_t from, uint32_t length, uint32_t to)
{
	uint32_t *words;

	if (to >= from && to < from + length)
		return;
	words = malloc(length * 4);
	memcpy(words, x->w + from, length * 4);
	cut(x, from, length);
	insert(x, to > from ? to - length : to, words, length);
	free(words);
}

/* Moves a block elsewhere: behind one that it dominates, or to another function. */
static void move_block(struct mutation *x)
{
	size_t begin, end = 0, to, unused;

	if (find_part(x, SpvOpLabel, SpvOpLabel, &begin, &end) &&
	    find_part(x, SpvOpLabel, roll(x, 2) ? SpvOpLabel : SpvOpFunctionEnd, &unused, &to))
		move(x, x->i[begin].at, x->i[end].at - x->i[begin].at, x->i[to].at);
}

/* Moves an instruction by a few others, perhaps before what it uses. */
static void move_instruction(struct mutation *x)
{
	const size_t n = roll(x, x->instructions), to = n + roll(x, 9);

	if (to >= 4 && to - 4 < x->instructions)
		move(x, x->i[n].at, x->i[n].length, x->i[to - 4].at);
}

/* Makes a decoration one of a group of two ids. */
static void group_decoration(struct mutation *x)
{
	for (int tries = 0; tries < 30; tries++) {
		struct instruction n = x->i[roll(x, x->body ? x->body : x->instructions)], other = any(x);
		const uint32_t group = x->w[3], id = n.length > 2 ? x->w[n.at + 1] : 0;
		if (n.op != SpvOpDecorate)
			continue;
		const uint32_t words[] = {
		    2u << 16 | SpvOpDecorationGroup, group, 4u << 16 | SpvOpGroupDecorate, group, id,
		    other.result ? other.result : id};
		if (insert(x, n.at + n.length, words, 6)) {
			x->w[n.at + 1] = group;
			x->w[3]++;
		}
		return;
	}
}

static void mutate(struct mutation *x)
{
	struct instruction n = any(x), other = any(x);

	switch (roll(x, 30)) {
	case 0:
	case 1:
		cut(x, n.at, n.length);
		break;
	case 2:
	case 3:
		copy_instruction(x);
		break;
	case 4:
		copy_run(x);
		break;
	case 5:
	case 6:
		change_op(x);
		break;
	case 7:
		change_word(x);
		break;
	case 8:
		split_branch(x);
		break;
	case 9:
		change_length(x);
		break;
	case 10:
		decorate(x);
		break;
	case 11: /* the options: modules.c */
		x->w[2] = (x->w[2] & 0xFFFF0000) | roll(x, 0x10000);
		break;
	case 12:
		x->w[3] += roll(x, roll(x, 6) ? 2000 : 400000);
		break;
	case 13: /* swap, if of one length */
		for (uint32_t k = 0; n.length == other.length && k < n.length; k++) {
			uint32_t w = x->w[n.at + k];
			x->w[n.at + k] = x->w[other.at + k];
			x->w[other.at + k] = w;
		}
		break;
	case 14:
	case 15:
	case 16:
		replace_value(x);
		break;
	case 17:
	case 18:
		end_block(x);
		break;
	case 19:
		copy_function(x);
		break;
	case 20:
		move_block(x);
		break;
	case 21:
	case 22:
		move_instruction(x);
		break;
	case 23:
		group_decoration(x);
		break;
	default:
		change_id(x);
		break;
	}
}

static struct mutation *begin(const uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct mutation *x = calloc(1, sizeof *x);

	x->random = (uint64_t)seed * 0x9E3779B97F4A7C15u + 1;
	x->room = max_size / 4;
	x->w = malloc(max_size + 4);
	x->count = (size < max_size ? size : max_size) / 4;
	if (x->count)
		memcpy(x->w, data, x->count * 4);
	return x;
}

static void discard(struct mutation *x)
{
	free(x->i);
	free(x->w);
	free(x);
}

/* Returns the size of the result. */
static size_t end(struct mutation *x, uint8_t *to)
{
	const size_t size = x->count * 4;

	if (size)
		memcpy(to, x->w, size);
	discard(x);
	return size;
}

/* The shape of an id, comparable between modules: the opcode of a type, or that of the type of a value. */
static uint32_t shape_of(const struct mutation *x, uint32_t id)
{
	const uint32_t kind = id < MAX_IDS ? x->kind[id] : 0;

	return kind & NO_TYPE || !kind ? kind : kind < MAX_IDS ? x->kind[kind] & ~(uint32_t)NO_TYPE : 0;
}

/* An id of x with the same shape as one of the other module; 0: none. */
static uint32_t counterpart(struct mutation *x, uint32_t shape)
{
	uint32_t start = roll(x, x->instructions);

	for (size_t n = 0; n < x->instructions; n++) {
		const struct instruction *i = &x->i[(start + n) % x->instructions];
		if (i->result && shape_of(x, i->result) == shape)
			return i->result;
	}
	return 0;
}

/* Inserts a run of instructions of another module, with new results, and otherwise ids of x. */
static void splice(struct mutation *x, const struct mutation *other)
{
	static uint32_t ids[MAX_IDS];
	size_t first = other->body + roll(x, other->instructions - other->body), to = x->body;
	size_t last = first + roll(x, 30);

	memset(ids, 0, sizeof ids);
	to += roll(x, x->instructions - x->body);
	uint32_t at = x->i[to].at;
	for (size_t k = first; k <= last && k < other->instructions; k++) {
		const struct instruction *n = &other->i[k];
		if (!make_room(x, at, n->length))
			return;
		memcpy(x->w + at, other->w + n->at, n->length * 4);
		if (n->result && n->result < MAX_IDS)
			ids[n->result] = x->w[3]++;
		for (uint32_t w = 1; w < n->length; w++) {
			const uint32_t id = x->w[at + w], shape = shape_of(other, id);
			if (!shape)
				continue;
			if (!ids[id])
				ids[id] = counterpart(x, shape);
			x->w[at + w] = ids[id] ? ids[id] : id;
		}
		at += n->length;
	}
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other_data, size_t other_size,
				 uint8_t *to, size_t max_size, unsigned seed)
{
	struct mutation *x = begin(data, size, max_size, seed),
			*other = begin(other_data, other_size, other_size, seed);

	if (read(x) && read(other) && x->body && other->body)
		splice(x, other);
	discard(other);
	return end(x, to);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct mutation *x = begin(data, size, max_size, seed);

	if (roll(x, 100) < 2 || !read(x)) {
		discard(x);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	uint32_t times = 1 + roll(x, roll(x, 4) ? 3 : 12);
	while (times-- && read(x))
		mutate(x);
	return end(x, data);
}
