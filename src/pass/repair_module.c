/* SPDX-License-Identifier: Apache-2.0 */
/* repair-module: repairs faults of front ends that Vulkan does not allow, if they have only one possible meaning.
 *
 *     OpDecorate %push Binding 0                 (gone) a push constant has no descriptor
 *                                                (VUID-StandaloneSpirv-DescriptorSet-06491)
 *     OpMemberDecorate %b 0 Coherent             one of them is removed (SPIR-V 3.20: an id has a decoration once)
 *     OpMemberDecorate %b 0 Coherent
 *     OpDecorate %b BufferBlock                  above SPIR-V 1.3: Block, in StorageBuffer (old_blocks.c)
 *
 * All of it is from glslang: [[vk::push_constant]] cbuffers and structured buffers of HLSL, and `coherent volatile`. */
#include "pass/pass.h"

struct note {                                /* one decoration */
	uint32_t target, member, decoration; /* member: + 1; 0: of the whole */
	spb_at at;
};

struct notes {
	struct note *items;
	size_t count, capacity;
};

static int by_note(const void *a, const void *b)
{
	const struct note *x = a, *y = b;

	if (x->target != y->target)
		return spb_compare(x->target, y->target);
	if (x->member != y->member)
		return spb_compare(x->member, y->member);
	if (x->decoration != y->decoration)
		return spb_compare(x->decoration, y->decoration);
	return spb_compare(x->at, y->at);
}

static bool is_push_constant(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, id) == SpvOpVariable && m->words[m->def[id] + 3] == SpvStorageClassPushConstant;
}

static bool removes_repeated(struct spb_unit *u, struct notes *notes)
{
	bool changed = false;

	spb_sort(&u->m.context->scratch, notes->items, notes->count, sizeof *notes->items, by_note);
	for (size_t i = 1; i < notes->count; i++) {
		const struct note *a = &notes->items[i - 1], *b = a + 1;
		if (a->target != b->target || a->member != b->member || a->decoration != b->decoration)
			continue;
		spb_remove(&u->edit, b->at);
		changed = true;
	}
	return changed;
}

bool spb_pass_repair_module(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	struct notes notes = {0};
	bool changed = false, blocks = false;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		const uint32_t *w = m->words + at;
		const uint32_t op = spb_op(m, at);
		if (op != SpvOpDecorate && op != SpvOpMemberDecorate)
			continue;
		const struct note note = {w[1], op == SpvOpDecorate ? 0 : w[2] + 1, w[op == SpvOpDecorate ? 2 : 3], at};
		if (note.decoration == SpvDecorationCoherent || note.decoration == SpvDecorationVolatile)
			SPB_PUSH(&m->context->scratch, &notes, note);
		blocks |= note.decoration == SpvDecorationBufferBlock && !note.member;
		if ((note.decoration != SpvDecorationDescriptorSet && note.decoration != SpvDecorationBinding) ||
		    note.member || !is_push_constant(m, note.target))
			continue;
		spb_remove(&u->edit, at);
		changed = true;
	}
	changed |= removes_repeated(u, &notes);
	if (!blocks || spb_version_word(m) < 0x00010400)
		return changed;
	spb_modernize_blocks(u);
	return true;
}
