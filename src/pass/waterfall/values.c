/* SPDX-License-Identifier: Apache-2.0 */
/* values: what an instruction does besides computing its result, and which ids of a block hold the same
 * value.
 *
 * Front ends load an index again for each access, so ids say little about which accesses use the same one:
 *
 *     OpStore %i %x       %a = OpLoad %uint %i       %b = OpLoad %uint %i       a and b are x
 *
 * Values are numbered within a block. If none of the instructions between two loads writes the variable, both find the
 * same.
 *
 * Only the invocation's own memory, and memory that nothing writes, is tracked: variables of Function and Private,
 * inputs, push constants. Memory is distinguished by variable (Output variables as well); everything else that other
 * invocations can reach counts as one. */
#include <spirv/unified1/GLSL.std.450.h>

#include "analysis/resources/resources.h"
#include "pass/waterfall/loops.h"

enum { MOST_LINKS = 64 }; /* of a chain of pointers */

/* Which memory a pointer leads to: SPB_MEMORY_*, or the id of a variable. */
static uint32_t memory_of(const struct spb_module *m, uint32_t pointer)
{
	spb_at type = m->def[spb_type_of(m, pointer)];

	if (spb_op(m, type) != SpvOpTypePointer)
		return SPB_MEMORY_SHARED;
	switch (m->words[type + 2]) {
	case SpvStorageClassInput:
	case SpvStorageClassPushConstant:
	case SpvStorageClassUniformConstant:
		return SPB_MEMORY_CONSTANT;
	case SpvStorageClassFunction:
	case SpvStorageClassPrivate:
	case SpvStorageClassOutput:
		break;
	default:
		return SPB_MEMORY_SHARED;
	}
	for (int n = 0; n < MOST_LINKS; n++) {
		spb_at at = m->def[pointer];
		uint32_t op = spb_op(m, at);
		if (op == SpvOpVariable)
			return pointer;
		if (!spb_op_is(op, SPB_OP_CHAIN) && op != SpvOpCopyObject)
			break;
		pointer = m->words[at + 3];
	}
	return m->words[type + 2] == SpvStorageClassOutput ? SPB_MEMORY_SHARED : SPB_MEMORY_OWN;
}

static bool is_zero(const struct spb_module *m, uint32_t id)
{
	uint64_t value;

	return spb_constant_value(m, id, &value) && !value;
}

static const struct spb_effect nothing = {SPB_DOES_NOTHING, false, SPB_MEMORY_CONSTANT},
			       stops = {SPB_DOES_STOP, true, SPB_MEMORY_SHARED},
			       together = {SPB_DOES_NOTHING, true, SPB_MEMORY_CONSTANT};

/* A load or store; `extra` is the word of its memory operands. */
static struct spb_effect effect_on(const struct spb_module *m, spb_at at, uint32_t kind, uint32_t pointer, spb_at extra)
{
	bool plain = extra >= spb_next(m, at) ||
		     !(m->words[extra] & ~(uint32_t)(SpvMemoryAccessAlignedMask | SpvMemoryAccessNontemporalMask));

	return plain ? (struct spb_effect){kind, false, memory_of(m, pointer)} : stops;
}

/* Relaxed atomics only: others order the accesses around them. */
static struct spb_effect effect_of_atomic(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);
	bool store = op == SpvOpAtomicStore, exchange = op == SpvOpAtomicCompareExchange;
	uint32_t pointer = at + (store ? 1 : 3), semantics = pointer + 2;

	if (op == SpvOpAtomicFlagClear || op == SpvOpAtomicFlagTestAndSet || op == SpvOpAtomicCompareExchangeWeak)
		return stops;
	if (!is_zero(m, m->words[semantics]) || (exchange && !is_zero(m, m->words[semantics + 1])))
		return stops;
	return (struct spb_effect){SPB_DOES_WRITE, false, SPB_MEMORY_SHARED};
}

static struct spb_effect effect_of_image(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at), mask = 0;
	const uint32_t ordered = SpvImageOperandsMakeTexelAvailableMask | SpvImageOperandsMakeTexelVisibleMask |
				 SpvImageOperandsNonPrivateTexelMask | SpvImageOperandsVolatileTexelMask;

	if (op == SpvOpImageRead || op == SpvOpImageSparseRead)
		mask = at + 5;
	else if (op == SpvOpImageWrite)
		mask = at + 4;
	if (mask && mask < spb_next(m, at) && (m->words[mask] & ordered))
		return stops;
	return (struct spb_effect){op == SpvOpImageWrite ? SPB_DOES_WRITE : SPB_DOES_READ,
				   spb_op_is(op, SPB_OP_DERIVES), SPB_MEMORY_SHARED};
}

static struct spb_effect effect_of_extended(const struct spb_module *m, spb_at at)
{
	uint32_t set = spb_import(m, "GLSL.std.450"), number = m->words[at + 4];

	if (!set || m->words[at + 3] != set || number == GLSLstd450Modf || number == GLSLstd450Frexp)
		return stops;
	if (number == GLSLstd450InterpolateAtCentroid || number == GLSLstd450InterpolateAtSample ||
	    number == GLSLstd450InterpolateAtOffset)
		return together;
	return nothing;
}

static struct spb_effect effect_by_transfer(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	switch (spb_op_facts(op)->transfer) {
	case SPB_TRANSFER_CONSTANT:
	case SPB_TRANSFER_COMPONENTWISE:
		return nothing;
	case SPB_TRANSFER_JOIN:
		return op >= SpvOpDPdx && op <= SpvOpFwidthCoarse ? together : nothing;
	case SPB_TRANSFER_SUBGROUP:
	case SPB_TRANSFER_BROADCAST:
	case SPB_TRANSFER_SHUFFLE:
	case SPB_TRANSFER_BY_SCOPE:
	case SPB_TRANSFER_GROUP_OPERATION:
		return together;
	case SPB_TRANSFER_MEMORY:
		if (!spb_op_is(op, SPB_OP_IN_TURNS))
			return stops;
		if (spb_op_is(op, SPB_OP_QUERY))
			return spb_op_is(op, SPB_OP_DERIVES) ? together : nothing;
		return op == SpvOpImageSampleFootprintNV ? stops : effect_of_image(m, at);
	default:
		return stops;
	}
}

struct spb_effect spb_waterfall_effect(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	if (op == SpvOpLine || op == SpvOpNoLine || spb_is_non_semantic(m, at))
		return (struct spb_effect){SPB_DOES_REMARK, false, SPB_MEMORY_CONSTANT};
	if (spb_op_is(op, SPB_OP_ATOMIC))
		return effect_of_atomic(m, at);
	switch (op) {
	case SpvOpLoad:
		return effect_on(m, at, SPB_DOES_READ, m->words[at + 3], at + 4);
	case SpvOpStore:
		return effect_on(m, at, SPB_DOES_WRITE, m->words[at + 1], at + 3);
	case SpvOpImageWrite:
		return effect_of_image(m, at);
	case SpvOpExtInst:
		return effect_of_extended(m, at);
	case SpvOpAccessChain:
	case SpvOpInBoundsAccessChain:
	case SpvOpPtrAccessChain:
	case SpvOpInBoundsPtrAccessChain:
	case SpvOpVectorExtractDynamic:
	case SpvOpVectorInsertDynamic:
	case SpvOpVectorShuffle:
	case SpvOpCompositeConstruct:
	case SpvOpCompositeExtract:
	case SpvOpCompositeInsert:
	case SpvOpCopyObject:
	case SpvOpCopyLogical:
	case SpvOpSampledImage:
	case SpvOpImage:
	case SpvOpSelect:
	case SpvOpImageTexelPointer:
	case SpvOpUndef:
		return nothing;
	default:
		return effect_by_transfer(m, at);
	}
}

bool spb_effects_collide(struct spb_effect a, struct spb_effect b)
{
	bool a_touches = a.kind == SPB_DOES_READ || a.kind == SPB_DOES_WRITE,
	     b_touches = b.kind == SPB_DOES_READ || b.kind == SPB_DOES_WRITE;

	if (!a_touches || !b_touches || (a.kind == SPB_DOES_READ && b.kind == SPB_DOES_READ) ||
	    a.memory == SPB_MEMORY_CONSTANT || b.memory == SPB_MEMORY_CONSTANT)
		return false;
	if (a.memory == b.memory)
		return true;
	return (a.memory == SPB_MEMORY_OWN && b.memory != SPB_MEMORY_SHARED) ||
	       (b.memory == SPB_MEMORY_OWN && a.memory != SPB_MEMORY_SHARED);
}

/* Numbering: a table from what an instruction computes to the first id that holds it. */

struct spb_value_entry {
	uint64_t hash;
	spb_at at;        /* of the instruction */
	uint32_t version; /* of what is loaded */
	uint32_t run;     /* in which it was entered; if that is not the current one, the entry is free */
};

enum { SMALLEST_TABLE = 64 };

uint32_t spb_waterfall_value(const struct spb_block *b, uint32_t id)
{
	/* What was equal in a block that is complete stays so: the block is executed as a whole. */
	return b->canon[id] ? b->canon[id] : id;
}

uint32_t spb_waterfall_earlier(const struct spb_loops *p, const struct spb_block *b, uint32_t id)
{
	bool plain = !spb_bit(p->marked, id) && !spb_waterfall_is_path(p->m, id);
	uint32_t earlier = plain ? spb_waterfall_value(b, id) : id;
	size_t k = b->home[earlier];

	if (k < b->count && b->items[k].at == p->m->def[earlier] && b->items[k].gone && b->items[k].place == SPB_INSIDE)
		return id; /* it exists only inside another loop */
	return earlier;
}

/* Which state of its memory a load reads. */
static uint32_t version_of(const struct spb_block *b, uint32_t memory)
{
	uint32_t own = memory == SPB_MEMORY_CONSTANT ? 0 : b->version[memory];

	return own > b->epoch ? own : b->epoch;
}

static uint64_t hash_of(const struct spb_module *m, const struct spb_block *b, spb_at at, uint32_t version)
{
	uint64_t hash = spb_hash_mix(m->words[at], version);

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		for (uint32_t w = o.word; w < o.word + o.count && o.kind != SPB_KIND_RESULT; w++)
			hash = spb_hash_mix(hash,
					    o.kind == SPB_KIND_ID ? spb_waterfall_value(b, m->words[w]) : m->words[w]);
	}
	return hash;
}

/* Equal, operand for operand? */
static bool is_same(const struct spb_module *m, const struct spb_block *b, spb_at at, spb_at other)
{
	struct spb_operand o = spb_operands(m, at);

	if (m->words[at] != m->words[other])
		return false;
	while (spb_operand_next(&o)) {
		for (uint32_t w = o.word; w < o.word + o.count && o.kind != SPB_KIND_RESULT; w++) {
			uint32_t x = m->words[w], y = m->words[other + (w - at)];
			if (o.kind == SPB_KIND_ID ? spb_waterfall_value(b, x) != spb_waterfall_value(b, y) : x != y)
				return false;
		}
	}
	return true;
}

static bool is_relaxed(const struct spb_module *m, uint32_t id)
{
	return spb_decoration(m, id, SpvDecorationRelaxedPrecision) != 0;
}

static void enter(struct spb_block *b, struct spb_value_entry e)
{
	uint32_t i = (uint32_t)e.hash & (b->table_size - 1);

	while (b->table[i].run == b->run)
		i = (i + 1) & (b->table_size - 1);
	b->table[i] = e;
	b->entered++;
}

/* Entries of earlier runs are free, so a table is only allocated when it has to grow. */
static void make_room(struct spb_arena *arena, struct spb_block *b)
{
	struct spb_value_entry *old = b->table;
	uint32_t size = b->table_size;

	if (2 * b->entered < size)
		return;
	b->table_size = size ? 2 * size : SMALLEST_TABLE;
	b->table = spb_alloc_zeroed(arena, b->table_size, sizeof *b->table);
	b->entered = 0;
	for (uint32_t i = 0; i < size; i++) {
		if (old[i].run == b->run)
			enter(b, old[i]);
	}
}

/* Finds the value of an instruction with a result, or enters it as a new one. */
static void number_value(struct spb_loops *p, struct spb_block *b, spb_at at, uint32_t version)
{
	const struct spb_module *m = p->m;
	uint32_t id = m->words[at + 2];
	uint64_t hash = hash_of(m, b, at, version);

	make_room(p->arena, b);
	for (uint32_t i = (uint32_t)hash & (b->table_size - 1); b->table[i].run == b->run;
	     i = (i + 1) & (b->table_size - 1)) {
		struct spb_value_entry *e = &b->table[i];
		if (e->version == version && is_same(m, b, at, e->at) &&
		    is_relaxed(m, id) == is_relaxed(m, m->words[e->at + 2])) {
			b->canon[id] = spb_waterfall_value(b, m->words[e->at + 2]);
			return;
		}
	}
	enter(b, (struct spb_value_entry){hash, at, version, b->run});
}

static void number_load(struct spb_loops *p, struct spb_block *b, spb_at at, uint32_t memory)
{
	uint32_t id = p->m->words[at + 2], pointer = spb_waterfall_value(b, p->m->words[at + 3]);
	uint32_t version = version_of(b, memory);

	if (b->stored[pointer] && b->stored_version[pointer] == version && !is_relaxed(p->m, id))
		b->canon[id] = spb_waterfall_value(b, b->stored[pointer]);
	else
		number_value(p, b, at, version);
}

static void number_write(const struct spb_module *m, struct spb_block *b, spb_at at, struct spb_effect effect)
{
	if (effect.memory == SPB_MEMORY_SHARED)
		return;
	if (effect.memory == SPB_MEMORY_OWN) {
		b->epoch = ++b->clock;
		return;
	}
	b->version[effect.memory] = ++b->clock;
	if (spb_op(m, at) != SpvOpStore)
		return;
	uint32_t pointer = spb_waterfall_value(b, m->words[at + 1]);
	b->stored[pointer] = m->words[at + 2];
	b->stored_version[pointer] = b->clock;
}

/* Does a load read what the invocation itself has stored? Outputs may be those of other invocations, too. */
static bool finds_its_own(const struct spb_module *m, spb_at at, struct spb_effect effect)
{
	return effect.memory != SPB_MEMORY_SHARED && effect.memory != SPB_MEMORY_OWN && /* so it is not an image read */
	       m->words[m->def[spb_type_of(m, m->words[at + 3])] + 2] != SpvStorageClassOutput;
}

static void number_instruction(struct spb_loops *p, struct spb_block *b, spb_at at, struct spb_effect effect)
{
	const struct spb_module *m = p->m;

	if (effect.kind == SPB_DOES_STOP)
		b->epoch = ++b->clock;
	else if (effect.kind == SPB_DOES_WRITE)
		number_write(m, b, at, effect);
	else if (effect.kind == SPB_DOES_READ && finds_its_own(m, at, effect))
		number_load(p, b, at, effect.memory);
	else if (effect.kind == SPB_DOES_NOTHING && spb_op(m, at) == SpvOpCopyObject)
		b->canon[m->words[at + 2]] = spb_waterfall_value(b, m->words[at + 3]);
	else if (effect.kind == SPB_DOES_NOTHING && !effect.converges && spb_op(m, at) != SpvOpUndef)
		number_value(p, b, at, 0);
}

void spb_waterfall_number(struct spb_loops *p, struct spb_block *b)
{
	b->run++;
	b->entered = 0;
	b->epoch = ++b->clock;
	for (size_t i = 0; i < b->count; i++)
		number_instruction(p, b, b->items[i].at, b->items[i].effect);
}

void spb_values_allocate(struct spb_arena *arena, struct spb_block *b, uint32_t bound)
{
	uint32_t **arrays[] = {&b->home, &b->canon, &b->stored, &b->stored_version, &b->version, &b->written};

	for (size_t i = 0; i < SPB_COUNT(arrays); i++)
		*arrays[i] = spb_alloc_zeroed(arena, bound, sizeof **arrays[i]);
}
