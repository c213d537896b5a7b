/* SPDX-License-Identifier: Apache-2.0 */
/* lower_buffers_clean: once handles are lowered, types of pointers to buffers that nothing is of go, and with the last
 * of them what belongs to device addresses:
 *
 *     OpCapability PhysicalStorageBufferAddresses          (gone)
 *     OpExtension "SPV_KHR_physical_storage_buffer"        (gone)
 *     OpMemoryModel PhysicalStorageBuffer64 GLSL450        OpMemoryModel Logical GLSL450
 *
 * so that a host needs bufferDeviceAddress only for a module that has device addresses. */
#include "pass/lower_buffers.h"

struct cleaner {
	struct spb_unit *u;
	const struct spb_module *m;
	const uint32_t *gone;
	uint32_t *with;   /* bits over types: pointers to buffers, and types made of such */
	uint32_t *needed; /* bits over types and constants of them */
	struct {
		uint32_t *items;
		size_t count, capacity;
	} work;
};

static void need(struct cleaner *c, uint32_t id)
{
	if (spb_bit(c->needed, id))
		return;
	spb_set_bit(c->needed, id);
	SPB_PUSH(&c->m->context->scratch, &c->work, id);
}

static bool is_type(const struct spb_module *m, spb_at at)
{
	unsigned flags = spb_op_flags(spb_op(m, at));

	return flags & SPB_OP_HAS_RESULT && !(flags & SPB_OP_HAS_TYPE);
}

/* Pointers may be declared before what they point to, and that may have them in it: a second walk finds those. */
static void find_types(struct cleaner *c)
{
	const struct spb_module *m = c->m;

	for (int again = 0; again < 2; again++) {
		for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION];
		     at = spb_next(m, at)) {
			uint32_t id = spb_result(m, at);
			if (!id || !is_type(m, at))
				continue;
			if (spb_is_buffer_pointer(m, id))
				spb_set_bit(c->with, id);
			for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
				if (o.kind == SPB_KIND_ID && spb_bit(c->with, m->words[o.word]))
					spb_set_bit(c->with, id);
			}
		}
	}
}

static bool is_unused_constant(const struct spb_module *m, spb_at at)
{
	uint32_t id = spb_result(m, at);

	return (spb_is_constant(m, id) || spb_op(m, at) == SpvOpUndef) && m->first_use[id] == m->first_use[id + 1];
}

/* Types of what there is, and what they are made of. The blocks of heaps are declared by none that is old. */
static void find_needed(struct cleaner *c, const struct spb_heaps *heaps)
{
	const struct spb_module *m = c->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (!(spb_op_flags(spb_op(m, at)) & SPB_OP_HAS_TYPE) || !spb_bit(c->with, m->words[at + 1]) ||
		    (id && spb_bit(c->gone, id)))
			continue;
		if (at >= m->section[SPB_SECTION_FUNCTION] || !is_unused_constant(m, at))
			need(c, m->words[at + 1]);
	}
	for (uint32_t f = 0; f < m->function_count; f++)
		need(c, m->words[m->function[f].at + 4]);
	for (size_t i = 0; i < heaps->list.count; i++)
		need(c, heaps->list.items[i].element);
	while (c->work.count) {
		spb_at at = m->def[c->work.items[--c->work.count]];
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				need(c, m->words[o.word]);
		}
	}
}

/* Returns whether some are left. */
static bool remove_types(struct cleaner *c)
{
	const struct spb_module *m = c->m;
	struct spb_edit *e = &c->u->edit;
	bool left = false;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at), type = id;
		if (spb_op(m, at) == SpvOpTypeForwardPointer)
			type = m->words[at + 1];
		else if (id && !is_type(m, at))
			type = is_unused_constant(m, at) ? m->words[at + 1] : 0;
		if (!type || !spb_bit(c->with, type))
			continue;
		left |= spb_bit(c->needed, type);
		if (spb_bit(c->needed, type))
			continue;
		if (id)
			spb_remove_notes(e, id);
		spb_remove(e, at);
	}
	return left;
}

static bool is_physical_extension(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpExtension && (!strcmp(spb_string(m, at + 1), "SPV_KHR_physical_storage_buffer") ||
						   !strcmp(spb_string(m, at + 1), "SPV_EXT_physical_storage_buffer"));
}

static bool is_capability(const struct spb_module *m, spb_at at, uint32_t capability)
{
	return spb_op(m, at) == SpvOpCapability && m->words[at + 1] == capability;
}

static void remove_addresses(struct cleaner *c)
{
	const struct spb_module *m = c->m;

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_ENTRY_POINT];
	     at = spb_next(m, at)) {
		if (is_capability(m, at, SpvCapabilityPhysicalStorageBufferAddresses) || is_physical_extension(m, at))
			spb_remove(&c->u->edit, at);
		else if (spb_op(m, at) == SpvOpMemoryModel &&
			 m->words[at + 1] == SpvAddressingModelPhysicalStorageBuffer64)
			spb_patch(&c->u->edit, at + 1, SpvAddressingModelLogical);
	}
}

static bool is_int64(const struct spb_module *m, uint32_t id)
{
	return id && spb_def_op(m, id) == SpvOpTypeInt && m->words[m->def[id] + 2] == 64;
}

/* References by way of a uint64 need Int64, which may be of no use without them. */
static void remove_int64(struct cleaner *c)
{
	const struct spb_module *m = c->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if ((spb_op_flags(spb_op(m, at)) & SPB_OP_HAS_TYPE && is_int64(m, m->words[at + 1])) ||
		    (is_int64(m, id) && m->first_use[id] != m->first_use[id + 1]))
			return;
	}
	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		if (is_capability(m, at, SpvCapabilityInt64))
			spb_remove(&c->u->edit, at);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (!is_int64(m, id))
			continue;
		spb_remove_notes(&c->u->edit, id);
		spb_remove(&c->u->edit, at);
	}
}

void spb_clean_buffer_pointers(const struct spb_heaps *heaps, const uint32_t *gone)
{
	struct spb_unit *u = heaps->u;
	const struct spb_module *m = &u->m;
	struct cleaner c = {.u = u, .m = m, .gone = gone};

	c.with = spb_bits(&m->context->scratch, m->bound);
	c.needed = spb_bits(&m->context->scratch, m->bound);
	find_types(&c);
	find_needed(&c, heaps);
	if (!remove_types(&c))
		remove_addresses(&c);
	if (u->options->lower_buffer_references)
		remove_int64(&c);
}
