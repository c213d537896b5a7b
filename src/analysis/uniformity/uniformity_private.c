/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_private: may a module-scope (Private or Output) variable be read before it is written?
 *
 * Without an initializer its contents are undefined until then, and undefined values may differ between invocations. So
 * each entry point is followed from its beginning: what it stores in blocks that are always executed, itself or in
 * functions that it calls from there, is stored before what comes later. Elsewhere a store counts for the rest of its
 * block. Each function is visited at its first call, when the least has been stored.
 *
 * The stage after the entry point reads its outputs when it ends. */
#include "analysis/paths/descriptor_paths.h"
#include "analysis/uniformity/uniformity_graph.h"

enum { MAX_CALL_DEPTH = 64, WALKS = 8 /* over the whole module, before the analysis gives up */ };

struct walker {
	struct spb_uniformity *u;
	uint32_t *visited; /* bits over functions */
	uint32_t block;    /* counts visits of blocks */
	uint64_t words;    /* in functions walked so far */
	bool gave_up;
};

static uint64_t bits_behind(struct walker *w, uint32_t pointer, struct spb_root **root)
{
	struct spb_region r = spb_region_of(w->u, pointer);

	*root = r.root ? spb_root_of(w->u, r.root) : NULL;
	return r.root ? spb_leaf_bits(r) : 0;
}

/* Does the pointer refer to a module-scope variable of which each invocation has its own copy? */
static bool is_own(const struct walker *w, uint32_t id)
{
	uint32_t storage_class = spb_pointer_class(w->u->m, id);

	return storage_class == SpvStorageClassPrivate || storage_class == SpvStorageClassOutput;
}

static void see_use(struct walker *w, uint32_t pointer, uint32_t block)
{
	struct spb_root *root;
	uint64_t bits = is_own(w, pointer) ? bits_behind(w, pointer, &root) : 0;

	if (bits)
		root->early |= bits & ~root->assigned & ~(root->here == block ? root->assigned_here : 0);
}

static void see_store(struct walker *w, uint32_t pointer, uint32_t block, bool always)
{
	struct spb_root *root;
	uint64_t bits = is_own(w, pointer) ? bits_behind(w, pointer, &root) : 0;

	if (!bits || spb_region_of(w->u, pointer).weak)
		return;
	if (always)
		root->assigned |= bits;
	root->assigned_here = bits | (root->here == block ? root->assigned_here : 0);
	root->here = block;
}

static void walk(struct walker *w, uint32_t function, bool always, uint32_t depth);

static void see_instruction(struct walker *w, spb_at at, uint32_t block, bool always, uint32_t depth)
{
	const struct spb_module *m = w->u->m;
	const struct spb_op_facts *row = spb_op_facts(spb_op(m, at));
	uint32_t op = spb_op(m, at), callee;

	if (row->transfer == SPB_TRANSFER_COMPONENTWISE || row->flags & SPB_OP_INERT || spb_is_any_chain(op) ||
	    op == SpvOpCopyObject || spb_is_non_semantic(m, at))
		return;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		bool written = (op == SpvOpStore || op == SpvOpCopyMemory) && o.word == at + 1;
		if (o.kind == SPB_KIND_ID && !written)
			see_use(w, m->words[o.word], block);
	}
	if (op == SpvOpStore || op == SpvOpCopyMemory)
		see_store(w, m->words[at + 1], block, always);
	if (op != SpvOpFunctionCall)
		return;
	callee = w->u->calls->function_of[m->words[at + 3]];
	if (callee && !spb_bit(w->visited, callee - 1))
		walk(w, callee - 1, always, depth + 1);
}

static void walk(struct walker *w, uint32_t function, bool always, uint32_t depth)
{
	const struct spb_module *m = w->u->m;
	const struct spb_cfg *g = spb_body_of(w->u, function)->cfg;
	uint32_t *certain = spb_bits(w->u->drafts, g->count + 1);

	spb_set_bit(w->visited, function);
	w->words += m->function[function].end - m->function[function].at;
	w->gave_up |= depth == MAX_CALL_DEPTH || w->words > WALKS * (uint64_t)m->count;
	for (uint32_t b = 0; always && b < g->count; b = g->ipdom[b]) { /* the blocks that every invocation runs */
		if (!g->loop[b])
			spb_set_bit(certain, b);
	}
	for (uint32_t b = 0; b < g->count && !w->gave_up; b++) {
		uint32_t block = ++w->block;
		if (!spb_reachable(g, b))
			continue;
		for (spb_at at = g->block[b].label; at < g->block[b].end && !w->gave_up; at = spb_next(m, at))
			see_instruction(w, at, block, spb_bit(certain, b), depth);
	}
}

/* The stage after an entry point reads its outputs. */
static void see_end(struct walker *w, spb_at entry)
{
	const struct spb_module *m = w->u->m;

	for (struct spb_operand o = spb_operands(m, entry); spb_operand_next(&o);) {
		uint32_t id = o.kind == SPB_KIND_ID ? m->words[o.word] : 0;
		struct spb_root *root;
		if (!id || spb_pointer_class(m, id) != SpvStorageClassOutput)
			continue;
		root = spb_root_of(w->u, id);
		root->early |= ~root->assigned;
	}
}

static void find_early(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	struct walker w = {.u = u};
	bool any = false;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		uint32_t f = spb_op(m, at) == SpvOpEntryPoint ? u->calls->function_of[m->words[at + 2]] : 0;
		if (!f || !spb_has_body(&m->function[f - 1]))
			continue;
		any = true;
		w.visited = spb_bits(u->drafts, m->function_count);
		for (size_t i = 0; i < u->leaves.roots.count; i++)
			u->leaves.roots.items[i].assigned = 0;
		walk(&w, f - 1, true, 0);
		see_end(&w, at);
	}
	u->early.known = any && !w.gave_up;
	u->early.found = true;
}

bool spb_is_read_early(struct spb_uniformity *u, uint32_t variable, uint32_t leaf)
{
	if (!u->early.found)
		find_early(u);
	return !u->early.known || spb_root_of(u, variable)->early >> leaf & 1;
}
