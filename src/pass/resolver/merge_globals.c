/* SPDX-License-Identifier: Apache-2.0 */
/* merge_globals: finds what a function needs in the target, or adds it there.
 *
 *     resolver                                          target
 *     OpCapability Int64                                OpCapability Int64
 *     %uint = OpTypeInt 32 0                            (its own OpTypeInt 32 0)
 *     %table = OpVariable %ptr StorageBuffer            the variable of the same name and type, or a new one
 *
 * All capabilities and extensions are added except Linkage, because a module does not record which of them a
 * function needs. Debug information of the NonSemantic and OpenCL sets is not copied; OpLine is, with its OpString.
 * The version becomes the newer of both; an older one is not raised to 1.4 or later, where interfaces and buffer
 * blocks work differently.
 *
 * Refused (SPB_E_RESOLVER_...): a version, memory model or addressing model that the target cannot have (VERSION,
 * MODEL); a different push constant block, inputs and outputs that are not built-ins, and other globals that cannot
 * be merged (GLOBAL); a specialization constant whose SpecId is in use (SPEC); ids that are not visible where they
 * are used (BODY). */
#include "pass/resolver/merge.h"

static struct spb_arena *scratch(const struct spb_merge *g)
{
	return &g->u->m.context->scratch;
}

struct spb_merge spb_merge_begin(struct spb_merged *merged, const struct spb_module *from)
{
	struct spb_merge g = {.merged = merged, .u = spb_merged_unit(merged), .from = from};

	g.map = spb_alloc_zeroed(scratch(&g), from->bound, sizeof *g.map);
	g.needed = spb_bits(scratch(&g), from->bound);
	if (from == &g.u->m) {
		for (uint32_t id = 1; id < from->bound; id++)
			g.map[id] = from->def[id] < from->section[SPB_SECTION_FUNCTION] ||
					    spb_op(from, from->def[id]) == SpvOpFunction
					? id
					: 0;
	}
	return g;
}

uint32_t *spb_merge_operands(const struct spb_merge *g, spb_at at)
{
	const struct spb_module *m = g->from;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (spb_operand_is_id(&o))
			spb_merge_id(g, at, m->words[o.word]);
	}
	return spb_copy_operands(m, at, g->map, scratch(g));
}

void spb_merge_notes(const struct spb_merge *g, uint32_t id, uint32_t to)
{
	const struct spb_module *m = g->from;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (!spb_is_note_of(m, m->note[i]) ||
		    (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationLinkageAttributes))
			continue;
		uint32_t was = g->map[id], *words;
		g->map[id] = to;
		words = spb_merge_operands(g, at);
		g->map[id] = was;
		spb_put_note(&g->u->edit, spb_op(m, at), words, spb_length(m, at) - 1);
	}
}

bool spb_merge_skips(const struct spb_module *m, spb_at at)
{
	spb_at import = spb_op(m, at) == SpvOpExtInst ? m->def[m->words[at + 3]] : 0;

	return spb_op(m, import) == SpvOpExtInstImport &&
	       (spb_is_debug_info(spb_string(m, import + 2)) || spb_is_old_debug_info(spb_string(m, import + 2)));
}

/* need: a worklist that holds each id once */

struct need {
	struct spb_merge *g;
	SPB_LIST(uint32_t) work;
};

static void want(struct need *n, uint32_t id)
{
	if (spb_bit(n->g->needed, id))
		return;
	spb_set_bit(n->g->needed, id);
	SPB_PUSH(scratch(n->g), &n->work, id);
}

/* Everything that an instruction names, except what is in the same function. */
static void want_operands(struct need *n, spb_at at, const struct spb_function *f)
{
	const struct spb_module *m = n->g->from;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (!spb_operand_is_id(&o) || o.kind == SPB_KIND_RESULT)
			continue;
		spb_at def = m->def[m->words[o.word]];
		bool local = def >= m->section[SPB_SECTION_FUNCTION] && spb_op(m, def) != SpvOpFunction;
		if (local && (!f || def < f->at || def > f->end))
			spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_RESOLVER_BODY, at,
				 "%s uses %s, which is defined in another function" SPB_REMEDY
				 "The resolver is invalid, check it with spirv-val.",
				 spb_word_of(m, at), spb_label(scratch(n->g), m, m->words[o.word]));
		if (!local)
			want(n, m->words[o.word]);
	}
}

/* Decorations with ids as operands. */
static void want_notes(struct need *n, uint32_t id, const struct spb_function *f)
{
	const struct spb_module *m = n->g->from;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at);
		if ((op == SpvOpDecorateId || op == OpMemberDecorateIdEXT) && spb_is_note_of(m, m->note[i]))
			want_operands(n, at, f);
	}
}

/* `called`: the function itself is needed, not only the variant that takes values, whose type differs. */
static void want_body(struct need *n, uint32_t function, bool called)
{
	const struct spb_module *m = n->g->from;
	const struct spb_function *f = spb_function_around(m, m->def[function]);

	for (spb_at at = f->at; at <= f->end; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at), place[3];
		if (spb_debug_line(m, at, place))
			want(n, place[0]);
		if (spb_merge_skips(m, at))
			continue;
		if (spb_op(m, at) == SpvOpFunctionCall && spb_def_op(m, m->words[at + 3]) != SpvOpFunction)
			spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_RESOLVER_BODY, at,
				 "%s is called, but is not a function", spb_label(scratch(n->g), m, m->words[at + 3]));
		if (at == f->at && !called)
			want(n, m->words[at + 1]);
		else
			want_operands(n, at, f);
		if (id)
			want_notes(n, id, f);
	}
}

void spb_merge_need(struct spb_merge *g, uint32_t function, bool called)
{
	const struct spb_module *m = g->from;
	struct need n = {.g = g};

	if (called)
		want(&n, function);
	else
		want_body(&n, function, false);
	while (n.work.count) {
		uint32_t id = n.work.items[--n.work.count];
		if (spb_def_op(m, id) == SpvOpFunction) {
			SPB_PUSH(scratch(g), &g->functions, id);
			want_body(&n, id, true);
		} else {
			want_operands(&n, m->def[id], NULL);
			want_notes(&n, id, NULL);
		}
	}
}

/* The preamble */

static void merge_version(struct spb_merge *g)
{
	/* ORDER spb_env */
	static const uint32_t newest[] = {0x00010600, 0x00010000, 0x00010300, 0x00010400, 0x00010500, 0x00010600};
	uint32_t from = spb_version_word(g->from), to = spb_version_word(&g->u->m);

	if (from <= to)
		return;
	if (from >= 0x00010400 && to < 0x00010400)
		spb_fail(g->from, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_VERSION, 0,
			 "the resolver is SPIR-V 1.%u, but %s is 1.%u and cannot be raised to 1.4 or later" SPB_REMEDY
			 "Compile the resolver for SPIR-V 1.3, or the module for 1.4.",
			 from >> 8 & 0xFF, g->u->m.name, to >> 8 & 0xFF);
	if (from > newest[g->u->options->validation.env])
		spb_fail(g->from, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_VERSION, 0,
			 "the resolver is SPIR-V 1.%u, but the target environment accepts 1.%u at most" SPB_REMEDY
			 "Compile the resolver for that version.",
			 from >> 8 & 0xFF, newest[g->u->options->validation.env] >> 8 & 0xFF);
	spb_patch(&g->u->edit, 1, from);
}

/* Do the needed globals include device addresses? */
static bool needs_addresses(const struct spb_merge *g)
{
	const struct spb_module *m = g->from;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpTypePointer && spb_bit(g->needed, m->words[at + 1]) &&
		    m->words[at + 2] == SpvStorageClassPhysicalStorageBuffer)
			return true;
	}
	return false;
}

/* Addressing: device addresses are added if needed. Memory model: GLSL450 code means the same in a module with the
 * Vulkan model, except for decorations that this model does not have; the reverse is not true. */
static void merge_memory_model(struct spb_merge *g, bool addresses)
{
	spb_at from = spb_memory_model(g->from), to = spb_memory_model(&g->u->m);
	uint32_t addressing = from ? g->from->words[from + 1] : SpvAddressingModelLogical;
	uint32_t model = from ? g->from->words[from + 2] : SpvMemoryModelGLSL450;

	if (!to)
		spb_fail(&g->u->m, SPB_ERROR_INVALID_SPIRV, SPB_E_RESOLVER_MODEL, 0,
			 "the module has no OpMemoryModel, so no resolver can be merged into it");
	if ((addressing != SpvAddressingModelLogical && addressing != SpvAddressingModelPhysicalStorageBuffer64) ||
	    (addresses && addressing == SpvAddressingModelLogical) ||
	    (addresses && g->u->m.words[to + 1] != SpvAddressingModelLogical && g->u->m.words[to + 1] != addressing))
		spb_fail(g->from, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_MODEL, from,
			 "the resolver has addressing model %u, which %s cannot have" SPB_REMEDY
			 "Shaders for Vulkan use Logical (0) or PhysicalStorageBuffer64 (5348).",
			 addressing, g->u->m.name);
	if (model != SpvMemoryModelGLSL450 && model != g->u->m.words[to + 2])
		spb_fail(g->from, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_MODEL, from,
			 "the resolver has memory model %u, but %s has %u (0: Simple, 1: GLSL450, 2: OpenCL, 3: "
			 "Vulkan)" SPB_REMEDY "Compile both for the same model, or the resolver for GLSL450.",
			 model, g->u->m.name, g->u->m.words[to + 2]);
	if (addresses && g->u->m.words[to + 1] == SpvAddressingModelLogical)
		spb_patch(&g->u->edit, to + 1, addressing);
}

static void merge_preamble(struct spb_merge *g)
{
	const struct spb_module *m = g->from;
	bool addresses = needs_addresses(g);

	merge_version(g);
	merge_memory_model(g, addresses);
	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_IMPORT];
	     at = spb_next(m, at)) {
		uint32_t capability = spb_capability(m, at);
		if (spb_op(m, at) == SpvOpExtension && strcmp(spb_string(m, at + 1), SPB_HANDLE_SET) != 0)
			spb_add_extension(&g->u->edit, spb_string(m, at + 1));
		if (capability != UINT32_MAX && capability != SpvCapabilityLinkage &&
		    (addresses || capability != SpvCapabilityPhysicalStorageBufferAddresses))
			spb_add_capability(&g->u->edit, capability);
	}
}

/* Instructions that name strings: imports and OpString. */
static void merge_string(struct spb_merge *g, spb_at at)
{
	const struct spb_module *m = g->from;
	struct spb_edit *e = &g->u->edit;
	uint32_t id = m->words[at + 1], next = e->bound;
	bool import = spb_op(m, at) == SpvOpExtInstImport;

	if (!spb_bit(g->needed, id))
		return;
	g->map[id] = spb_merged_settle_string(g->merged, m, at, SPB_MERGED_NEW);
	g->u->m.has_literals |= import && m->has_literals;
	if (g->map[id] == next)
		spb_insert(e, e->m->section[import ? SPB_SECTION_MEMORY_MODEL : SPB_SECTION_NAME], spb_op(m, at),
			   spb_merge_operands(g, at), spb_length(m, at) - 1);
}

/* SPIR-V 1.4 has no BufferBlock. */
static void check_block(const struct spb_merge *g, uint32_t id)
{
	if (spb_decoration(g->from, id, SpvDecorationBufferBlock) && spb_version_word(&g->u->m) >= 0x00010400)
		spb_fail(
		    g->from, SPB_ERROR_UNSUPPORTED, SPB_E_RESOLVER_VERSION, g->from->def[id],
		    "%s is a BufferBlock, which does not exist in SPIR-V 1.4 and later, the version of %s" SPB_REMEDY
		    "Compile the resolver for Vulkan 1.1 or later.",
		    spb_label(scratch(g), g->from, id), g->u->m.name);
}

static void check_spec_constant(const struct spb_merge *g, spb_at at, uint32_t to)
{
	uint32_t id = spb_result(g->from, at), spec = spb_decoration(g->from, id, SpvDecorationSpecId);

	if (spec && spb_merged_claim(g->merged, SpvDecorationSpecId, g->from->words[spec], to) != to)
		spb_fail(g->from, SPB_ERROR_CONFLICT, SPB_E_RESOLVER_SPEC, at,
			 "%s is specialization constant %u, which has another type or default in %s" SPB_REMEDY
			 "Give it another SpecId.",
			 spb_label(scratch(g), g->from, id), g->from->words[spec], g->u->m.name);
}

/* A new global of the target. */
static void make_global(struct spb_merge *g, spb_at at, uint32_t to)
{
	const struct spb_module *m = g->from;
	uint32_t id = spb_result(m, at);

	g->map[id] = to;
	check_block(g, id);
	spb_add_global(&g->u->edit, spb_op(m, at), spb_merge_operands(g, at), spb_length(m, at) - 1);
	SPB_PUSH(scratch(g), &g->noted, id);
}

static void merge_variable(struct spb_merge *g, spb_at at)
{
	const struct spb_module *m = g->from;
	uint32_t id = m->words[at + 2], to = spb_merge_find_variable(g, at);

	if (to) {
		g->map[id] = to;
		spb_merge_place(g, at, to);
		return;
	}
	to = spb_new_id(&g->u->edit);
	make_global(g, at, to);
	spb_merged_add_variable(g->merged, m, at, to, g->map[m->words[at + 1]]);
	SPB_PUSH(&g->u->m.keep, &g->u->created.added, to);
}

static void merge_global(struct spb_merge *g, spb_at at)
{
	const struct spb_module *m = g->from;
	uint32_t id = spb_result(m, at), next = g->u->edit.bound, to;

	if (spb_op(m, at) == SpvOpTypeForwardPointer && spb_bit(g->needed, m->words[at + 1]) &&
	    !g->map[m->words[at + 1]]) { /* the pointer gets its id before its pointee */
		g->map[m->words[at + 1]] = spb_new_id(&g->u->edit);
		spb_add_global(&g->u->edit, SpvOpTypeForwardPointer, spb_merge_operands(g, at), 2);
	}
	if (!id || !spb_bit(g->needed, id))
		return;
	if (g->map[id] >= g->u->m.bound) /* a forward-declared pointer */
		make_global(g, at, g->map[id]);
	if (g->map[id]) /* or a type that was requested before */
		return;
	if (spb_op(m, at) == SpvOpVariable) {
		merge_variable(g, at);
		return;
	}
	to = spb_merged_settle(g->merged, m, g->map, at, SPB_MERGED_NEW);
	g->map[id] = to;
	if (to != next)
		return;
	make_global(g, at, to);
	check_spec_constant(g, at, to);
}

void spb_merge_globals(struct spb_merge *g)
{
	const struct spb_module *m = g->from;

	if (m == &g->u->m)
		return;
	merge_preamble(g);
	for (size_t i = 0; i < g->functions.count; i++)
		g->map[g->functions.items[i]] = spb_new_id(&g->u->edit);
	for (spb_at at = m->section[SPB_SECTION_IMPORT]; at < m->section[SPB_SECTION_NAME]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInstImport || spb_op(m, at) == SpvOpString)
			merge_string(g, at);
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at))
		merge_global(g, at);
	for (size_t i = 0; i < g->noted.count; i++)
		spb_merge_notes(g, g->noted.items[i], g->map[g->noted.items[i]]);
}

uint32_t spb_merge_find_type(struct spb_merge *g, uint32_t type)
{
	const struct spb_module *m = g->from;
	spb_at at = m->def[type];
	uint32_t op = spb_op(m, at);
	bool nests = op == SpvOpTypeImage || op == SpvOpTypeSampledImage;

	if (!g->map[type] && (!nests || spb_merge_find_type(g, m->words[at + 2])))
		g->map[type] = spb_merged_settle(g->merged, m, g->map, at, 0);
	return g->map[type];
}
