/* SPDX-License-Identifier: Apache-2.0 */
/* share-loads: within a block, repeated loads of one descriptor from a heap become one where this changes nothing.
 *
 *     %a = OpAccessChain %uint2 %materials %i %zero      %a = OpAccessChain %uint2 %materials %i %zero
 *     %h = OpLoad %uint2 %a                              %h = OpLoad %uint2 %a
 *     %x = OpCompositeExtract %uint %h 0                 %x = OpCompositeExtract %uint %h 0
 *     %c = OpAccessChain %pointer %heap %x               %c = OpAccessChain %pointer %heap %x
 *     %l = OpLoad %texture %c                            %l = OpLoad %texture %c
 *     …                                                  …
 *     %b = OpAccessChain %uint2 %materials %i %zero
 *     %k = OpLoad %uint2 %b
 *     %y = OpCompositeExtract %uint %k 0
 *     %d = OpAccessChain %pointer %heap %y
 *     %m = OpLoad %texture %d
 *     … %m …                                             … %l …
 *
 * Front ends dereference a handle at each use in the source: Slang loads the handle and the descriptor for each
 * sample. A single load means one index to judge, decorate and check, and one waterfall iteration fewer. Heaps that
 * the module already declares are left alone: a module in its final form does not change.
 *
 * Only instructions that lead to descriptors in heaps are considered: the chains into heaps, the loads of opaque
 * descriptors, and, backward, the computation of the indexes. Two of them in one block are equal if they have the
 * same opcode, type and operands, where an operand matches if its definition is equal; loads must also have no write
 * to the memory in between. Descriptors are in memory that no shader writes. Volatile and coherent memory is read as
 * often as in the source. If one of two equal instructions is decorated NonUniform, the remaining one is;
 * instructions with other decorations stay separate. Each block is walked once, forward. */
#include "pass/handles/handles.h"
#include <spirv/unified1/GLSL.std.450.h>

/* When memory was last written, as a count of writes. A logical pointer leads to one variable; two variables of
 * these classes do not overlap, but buffers may. */
struct writes {
	uint32_t now, buffers, all;
	uint32_t *of_variable; /* [bound] */
};

#define UNKNOWN UINT32_MAX

struct plan {
	const struct spb_module *m;
	struct spb_edit *e;
	uint32_t *wanted;  /* bits over ids: results that lead to descriptors in heaps */
	uint32_t *marked;  /* bits over ids: decorated NonUniform here */
	uint32_t *same_as; /* [bound] an earlier equal instruction, or the operand of a copy; 0: none */
	uint32_t *gone;    /* bits over ids: the instruction is no longer needed */
	uint32_t *root;    /* [bound] of a pointer: the variable that it leads to; UNKNOWN; 0: not computed yet */
	uint32_t *stamp;   /* [bound] of a load: the value of struct writes at that point */
	uint32_t *block;   /* [bound] number of the block that an id of the table is in */
	uint32_t *table;   /* of ids, by hash */
	uint32_t mask, blocks, count;
	struct writes writes;
	SPB_LIST(uint32_t) work;
	SPB_LIST(uint32_t) dropped; /* ids */
};

/* What can be shared */

/* Instructions whose value depends on their operands alone. */
static bool is_computed(uint32_t op)
{
	return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpCompositeExtract ||
	       op == SpvOpCompositeConstruct || op == SpvOpVectorShuffle ||
	       spb_op_facts(op)->transfer == SPB_TRANSFER_COMPONENTWISE;
}

static bool leads_on(uint32_t op)
{
	return spb_op_is_chain(op) || op == SpvOpCopyObject;
}

/* The variable that a pointer leads to; 0 if unknown. In a module that has not been validated, chains may form a
 * cycle, so a pointer counts as unknown while it is being traced. */
static uint32_t variable_of(struct plan *p, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	uint32_t id = pointer, root, next;

	for (; !p->root[id] && leads_on(spb_def_op(m, id)); id = m->words[m->def[id] + 3])
		p->root[id] = UNKNOWN;
	root = p->root[id] ? p->root[id] : spb_def_op(m, id) == SpvOpVariable ? id : UNKNOWN;
	for (p->root[id] = root; pointer != id; pointer = next) {
		next = m->words[m->def[pointer] + 3];
		p->root[pointer] = root;
	}
	return root == UNKNOWN ? 0 : root;
}

static bool is_decorated(const struct spb_module *m, uint32_t id, uint32_t decoration)
{
	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpMemberDecorate && m->words[at + 3] == decoration)
			return true;
	}
	return spb_decoration(m, id, decoration) != 0;
}

/* Does the source control how often this is read? (A demotion changes HelperInvocation, but no Boolean leads to an
 * index without a select, and selects are not shared.) In a block, only its own members have such decorations, not
 * those of nested structs (Vulkan, "Memory Model": glslang and DXC pass them on to the members of the block). */
static bool is_observed(const struct spb_module *m, uint32_t variable)
{
	spb_at pointer = m->def[m->words[m->def[variable] + 1]];
	uint32_t type = m->words[pointer + 3];

	for (uint32_t element; (element = spb_array_element(m, type)) != 0;)
		type = element;
	return is_decorated(m, variable, SpvDecorationVolatile) || is_decorated(m, variable, SpvDecorationCoherent) ||
	       is_decorated(m, type, SpvDecorationVolatile) || is_decorated(m, type, SpvDecorationCoherent);
}

static uint32_t class_of(const struct spb_module *m, uint32_t variable)
{
	return m->words[m->def[variable] + 3];
}

/* Buffers may alias, and an image may alias them, too. */
static bool is_buffer_memory(uint32_t storage_class)
{
	return storage_class == SpvStorageClassStorageBuffer || storage_class == SpvStorageClassUniform ||
	       storage_class == SpvStorageClassPhysicalStorageBuffer || storage_class == SpvStorageClassImage ||
	       storage_class == SpvStorageClassUniformConstant;
}

static bool is_constant_memory(uint32_t storage_class)
{
	return storage_class == SpvStorageClassUniformConstant || storage_class == SpvStorageClassPushConstant;
}

/* Are the memory operands of the access, which begin at this word, ordinary? */
static bool is_ordinary(const struct spb_module *m, spb_at at, uint32_t word)
{
	return spb_length(m, at) <= word || !(m->words[at + word] & ~(uint32_t)SpvMemoryAccessAlignedMask);
}

static bool may_share_load(struct plan *p, spb_at at)
{
	uint32_t variable = variable_of(p, p->m->words[at + 3]);

	return variable && is_ordinary(p->m, at, 4) && !is_observed(p->m, variable);
}

static bool may_share(struct plan *p, spb_at at)
{
	uint32_t op = spb_op(p->m, at);

	return op == SpvOpLoad ? may_share_load(p, at) : op == SpvOpCopyObject || is_computed(op);
}

static void want(struct plan *p, uint32_t id)
{
	spb_at at = p->m->def[id];

	if (spb_bit(p->wanted, id) || !may_share(p, at))
		return;
	spb_set_bit(p->wanted, id);
	p->count++;
	SPB_PUSH(p->e->arena, &p->work, id);
}

/* The loads of descriptors from a chain into a heap. */
static void want_loads(struct plan *p, uint32_t chain)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_use[chain]; i < m->first_use[chain + 1]; i++) {
		spb_at at = m->use[i].at;
		if (spb_op(m, at) == SpvOpLoad && spb_op_is(spb_def_op(m, m->words[at + 1]), SPB_OP_OPAQUE))
			want(p, m->words[at + 2]);
	}
}

static void want_heap(struct plan *p, uint32_t variable)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_use[variable]; i < m->first_use[variable + 1]; i++) {
		struct spb_use use = m->use[i];
		if (!spb_op_is(spb_op(m, use.at), SPB_OP_CHAIN) || use.word != use.at + 3)
			continue;
		want(p, m->words[use.at + 2]);
		want_loads(p, m->words[use.at + 2]);
	}
	while (p->work.count) {
		spb_at at = m->def[p->work.items[--p->work.count]];
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				want(p, m->words[o.word]);
		}
	}
}

/* Memory */

static void write_all(struct writes *w)
{
	w->all = ++w->now;
}

static void write_through(struct plan *p, uint32_t pointer)
{
	uint32_t variable = variable_of(p, pointer);

	if (!variable)
		write_all(&p->writes);
	else if (is_buffer_memory(class_of(p->m, variable)))
		p->writes.buffers = ++p->writes.now;
	else
		p->writes.of_variable[variable] = ++p->writes.now;
}

/* All of GLSL.std.450 except the instructions that return part of their result through a pointer. */
static bool is_function_of_values(const struct spb_module *m, spb_at at)
{
	spb_at set = m->def[m->words[at + 3]];
	uint32_t number = m->words[at + 4];

	return spb_op(m, set) == SpvOpExtInstImport && !strcmp(spb_string(m, set + 2), "GLSL.std.450") &&
	       number != GLSLstd450Modf && number != GLSLstd450Frexp;
}

/* Instructions that write no memory of the shader. Those that do have no result, or one about which nothing is
 * known. */
static bool writes_nothing(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);
	const struct spb_op_facts *facts = spb_op_facts(op);

	if (facts->flags & SPB_OP_INERT || spb_is_non_semantic(m, at))
		return true;
	switch (facts->transfer) {
	case SPB_TRANSFER_COMPONENTWISE:
	case SPB_TRANSFER_JOIN:
	case SPB_TRANSFER_CONSTANT:
	case SPB_TRANSFER_MEMORY:
		return true;
	case SPB_TRANSFER_SPECIAL:
		if (op == SpvOpExtInst)
			return is_function_of_values(m, at);
		return op == SpvOpVectorShuffle ||
		       (op != SpvOpFunctionCall && spb_op_is(op, SPB_OP_MOVES | SPB_OP_FORWARDS));
	default:
		return false;
	}
}

static void see_writes(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, at);

	if (writes_nothing(m, at))
		return;
	if (op == SpvOpImageWrite)
		p->writes.buffers = ++p->writes.now;
	else if (op == SpvOpStore && is_ordinary(m, at, 3))
		write_through(p, m->words[at + 1]);
	else
		write_all(&p->writes); /* atomics, barriers, calls, and rare instructions */
}

static uint32_t last_write(struct plan *p, spb_at load)
{
	uint32_t variable = variable_of(p, p->m->words[load + 3]), class = class_of(p->m, variable);
	uint32_t last = is_buffer_memory(class) ? p->writes.buffers : p->writes.of_variable[variable];

	if (is_constant_memory(class))
		return 0;
	return last > p->writes.all ? last : p->writes.all;
}

/* Numbering */

static uint32_t known_as(const struct plan *p, uint32_t id)
{
	return p->same_as[id] ? p->same_as[id] : id;
}

/* Literals may or may not be below the id bound; either way they are compared unchanged. */
static uint64_t hash_of(const struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint64_t hash = spb_hash_mix(m->words[at], m->words[at + 1]);

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		for (uint32_t w = o.word; w < o.word + o.count; w++) {
			if (w > at + 2)
				hash =
				    spb_hash_mix(hash, o.kind == SPB_KIND_ID ? known_as(p, m->words[w]) : m->words[w]);
		}
	}
	return spb_hash_mix(hash, p->blocks);
}

static bool are_equal(const struct plan *p, spb_at a, spb_at b)
{
	const struct spb_module *m = p->m;

	if (m->words[a] != m->words[b] || m->words[a + 1] != m->words[b + 1])
		return false;
	for (struct spb_operand o = spb_operands(m, b); spb_operand_next(&o);) {
		for (uint32_t w = o.word; w < o.word + o.count; w++) {
			uint32_t x = m->words[a + (w - b)], y = m->words[w];
			if (w > b + 2 && (o.kind == SPB_KIND_ID ? known_as(p, x) != known_as(p, y) : x != y))
				return false;
		}
	}
	return true;
}

/* Is it decorated with nothing, or only with NonUniform? */
static bool is_plain(const struct spb_module *m, uint32_t id)
{
	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) != SpvOpName &&
		    (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationNonUniform))
			return false;
	}
	return true;
}

static bool is_marked(const struct plan *p, uint32_t id)
{
	return spb_decoration(p->m, id, SpvDecorationNonUniform) != 0;
}

static bool may_stand_for(const struct plan *p, uint32_t id, spb_at at)
{
	const struct spb_module *m = p->m;
	return p->block[id] == p->blocks && p->stamp[id] == p->stamp[m->words[at + 2]] && are_equal(p, m->def[id], at);
}

static void number(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t id = m->words[at + 2], slot = (uint32_t)hash_of(p, at) & p->mask;

	if (!is_plain(m, id))
		return;
	if (spb_op(m, at) == SpvOpCopyObject) { /* it stays, and is a different value if only the copy is decorated */
		if (!is_marked(p, id) || is_marked(p, m->words[at + 3]))
			p->same_as[id] = known_as(p, m->words[at + 3]);
		return;
	}
	p->stamp[id] = spb_op(m, at) == SpvOpLoad ? last_write(p, at) : 0;
	while (p->table[slot] && !may_stand_for(p, p->table[slot], at))
		slot = (slot + 1) & p->mask;
	if (p->table[slot]) {
		p->same_as[id] = p->table[slot];
		spb_set_bit(p->gone, id);
		SPB_PUSH(p->e->arena, &p->dropped, id);
		return;
	}
	p->table[slot] = id;
	p->block[id] = p->blocks;
}

static void walk(struct plan *p, const struct spb_function *f)
{
	const struct spb_module *m = p->m;

	for (spb_at at = f->body; at < f->end; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpLabel)
			p->blocks++;
		see_writes(p, at);
		uint32_t id = spb_result(m, at);
		if (id && spb_bit(p->wanted, id))
			number(p, at);
	}
}

static bool is_dropped(const struct plan *p, spb_at at)
{
	uint32_t id = spb_result(p->m, at);

	return id && spb_bit(p->gone, id);
}

static void drop(struct plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	if (is_marked(p, id) && !is_marked(p, p->same_as[id]) && !spb_bit(p->marked, p->same_as[id])) {
		spb_set_bit(p->marked, p->same_as[id]);
		spb_add_decoration(p->e, p->same_as[id], SpvDecorationNonUniform, NULL, 0);
	}
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (!is_dropped(p, m->use[i].at))
			spb_patch(p->e, m->use[i].word, p->same_as[id]);
	}
	spb_remove_id(p->e, id);
}

static void find_heaps(struct plan *p, const struct spb_unit *u)
{
	for (size_t i = 0; i < u->handles.heaps.count; i++) {
		if (!u->handles.heaps.items[i].remade)
			want_heap(p, u->handles.heaps.items[i].variable);
	}
}

bool spb_pass_share_loads(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;
	struct plan p = {.m = m, .e = &u->edit, .mask = 1};

	spb_module_need_uses(m);
	p.wanted = spb_bits(arena, m->bound);
	p.root = spb_alloc_zeroed(arena, m->bound, sizeof *p.root);
	find_heaps(&p, u);
	if (p.count < 2)
		return false;
	while (p.mask < 2 * p.count)
		p.mask = 2 * p.mask + 1;
	p.table = spb_alloc_zeroed(arena, p.mask + 1, sizeof *p.table);
	p.gone = spb_bits(arena, m->bound);
	p.marked = spb_bits(arena, m->bound);
	p.same_as = spb_alloc_zeroed(arena, m->bound, sizeof *p.same_as);
	p.stamp = spb_alloc_zeroed(arena, m->bound, sizeof *p.stamp);
	p.block = spb_alloc_zeroed(arena, m->bound, sizeof *p.block);
	p.writes.of_variable = spb_alloc_zeroed(arena, m->bound, sizeof *p.writes.of_variable);
	for (uint32_t f = 0; f < m->function_count; f++)
		walk(&p, &m->function[f]);
	for (size_t i = 0; i < p.dropped.count; i++)
		drop(&p, p.dropped.items[i]);
	return p.dropped.count != 0;
}
