/* SPDX-License-Identifier: Apache-2.0 */
/* handle_calls: which functions are called with which kinds of pointers.
 *
 *     float first(Particles p) { return p.position[0].x; }
 *     first(handle_Particles(h)) + first(address)         two variants of `first`
 *
 * A variant is a function together with a status for each pointer among its parameters and its result: pointer to a
 * handle's storage buffer, to a handle's uniform buffer, or device address. Starting from the functions that nothing
 * calls, each call determines which variant of its callee it needs. A pointer that no handle and no address reaches
 * (OpUndef, a function that nothing calls) gets the status of all others of its type. */
#include "pass/handles/handle_flow.h"

enum { MOST_VARIANTS = 64 }; /* per function: a 4-word call is listed at most 64 times, which keeps this linear */

struct walk {
	struct spb_handle_flow *f;
	struct spb_variants v;
	uint8_t *status; /* [nodes] status of the classes in a function's interface, in the variant being visited */
	bool *entered;   /* [nodes] the class is in such an interface */
	uint8_t *given;  /* [nodes] status of classes of the callee in the call that `given_stamp` names */
	uint32_t *given_stamp;
	uint32_t generation, visited;
	uint32_t *first_leaf; /* [functions] offset of a function's interface within a key; the last entry is the
			       * total */
};

static uint8_t status_of_flags(uint32_t flags)
{
	return (uint8_t)(flags & SPB_LEAF_HANDLE ? flags & SPB_LEAF_HANDLE : flags & SPB_LEAF_ADDRESS);
}

/* Status of a class on its own, before callers contribute; never 0 if `always`. */
static uint8_t own_status(struct spb_handle_flow *f, uint32_t class, bool always)
{
	const struct spb_leaf_node *n = &f->nodes.items[class];
	uint8_t status = status_of_flags(n->flags), uses;

	if (status || !always)
		return status;
	uses = n->type ? f->uses_of_type[n->type] : SPB_LEAF_ADDRESS;
	if (uses & SPB_LEAF_ADDRESS || !(uses & SPB_LEAF_HANDLE))
		return SPB_LEAF_ADDRESS;
	if (n->flags & SPB_LEAF_WRITTEN || uses & SPB_LEAF_STORAGE)
		return uses & SPB_LEAF_STORAGE ? SPB_LEAF_STORAGE : SPB_LEAF_ADDRESS;
	return SPB_LEAF_UNIFORM;
}

/* Iterates over the interface leaves of a function: for (k = 0; interface_node(...); k++) */
struct interface {
	const struct spb_handle_flow *f;
	uint32_t parameter, end, function; /* next one to visit; `function` itself: the result, which comes last */
	uint32_t node, left;
};

static struct interface interface_of(const struct spb_handle_flow *f, uint32_t function)
{
	return (struct interface){.f = f,
				  .parameter = f->calls.first_parameter[function],
				  .end = f->calls.first_parameter[function + 1],
				  .function = f->m->words[f->m->function[function].at + 2]};
}

static bool next_leaf(struct interface *i, uint32_t *node)
{
	while (!i->left) {
		uint32_t id;
		if (i->parameter < i->end)
			id = i->f->calls.parameters.items[i->parameter++];
		else if (i->function)
			id = i->function;
		else
			return false;
		if (id == i->function)
			i->function = 0;
		i->left = i->f->node_of[id] ? spb_pointer_leaves_of(&i->f->leaves, id) : 0;
		i->node = i->f->node_of[id] - 1; /* not read if there is none */
	}
	i->left--;
	*node = i->node++;
	return true;
}

static uint32_t count_leaves(const struct spb_handle_flow *f, uint32_t function)
{
	struct interface i = interface_of(f, function);
	uint32_t count = 0, node;

	while (next_leaf(&i, &node))
		count++;
	return count;
}

/* Finds or creates the variant with this key. */
static uint32_t variant_of(struct walk *w, uint32_t function, const uint8_t *key, spb_at at)
{
	struct spb_handle_flow *f = w->f;
	uint32_t count = count_leaves(f, function), number = 0, last = 0;

	for (uint32_t v = w->v.of_function[function]; v; v = w->v.list.items[v - 1].next, number++) {
		if (!memcmp(w->v.list.items[v - 1].key, key, count))
			return v - 1;
		last = v;
	}
	if (number >= MOST_VARIANTS)
		spb_fail(f->m, SPB_ERROR_UNSUPPORTED, SPB_E_TOO_MUCH, at,
			 "%s is called with more than %u combinations of handles and device addresses" SPB_REMEDY
			 "Pass handles only, or split the function.",
			 spb_label(f->arena, f->m, f->m->words[f->m->function[function].at + 2]),
			 (unsigned)MOST_VARIANTS);
	uint8_t *copy = spb_alloc_array(f->arena, count, sizeof *copy);
	memcpy(copy, key, count);
	SPB_PUSH(f->arena, &w->v.list, ((struct spb_function_variant){.function = function, .key = copy}));
	if (last)
		w->v.list.items[last - 1].next = (uint32_t)w->v.list.count;
	else
		w->v.of_function[function] = (uint32_t)w->v.list.count;
	return (uint32_t)w->v.list.count - 1;
}

/* Status of a caller's leaf in the current variant. */
static uint8_t status_here(struct walk *w, uint32_t node)
{
	uint32_t class = spb_leaf_class(w->f, node);

	return w->entered[class] ? w->status[class] : own_status(w->f, class, true);
}

static void give(struct walk *w, uint32_t theirs, uint8_t status)
{
	uint32_t class = spb_leaf_class(w->f, theirs);

	if (w->given_stamp[class] == w->generation)
		return;
	w->given_stamp[class] = w->generation;
	w->given[class] = status;
}

/* The arguments and the uses of the result decide; if both leave it open, the callee itself does. */
static uint32_t callee_of(struct walk *w, spb_at at)
{
	struct spb_handle_flow *f = w->f;
	const struct spb_module *m = f->m;
	uint32_t function = f->calls.function_of[m->words[at + 3]], node, k = 0;

	if (!function)
		return UINT32_MAX;
	w->generation++;
	uint32_t first = f->calls.first_parameter[--function], count = f->calls.first_parameter[function + 1] - first;
	for (uint32_t i = 0; i <= count; i++) {
		bool result = i == count;
		if (!result && at + 4 + i >= spb_next(m, at))
			continue;
		uint32_t own = m->words[result ? at + 2 : at + 4 + i];
		uint32_t theirs = result ? m->words[at + 3] : f->calls.parameters.items[first + i];
		uint32_t leaves = f->node_of[theirs] ? spb_pointer_leaves_of(&f->leaves, theirs) : 0;
		bool known = f->node_of[own] && leaves == spb_pointer_leaves_of(&f->leaves, own);
		if (!known && m->def[own] < m->section[SPB_SECTION_FUNCTION])
			continue; /* constant */
		for (uint32_t leaf = 0; leaf < leaves; leaf++)
			give(w, f->node_of[theirs] - 1 + leaf,
			     known ? status_here(w, f->node_of[own] - 1 + leaf) : SPB_LEAF_ADDRESS);
	}
	uint8_t *key = spb_alloc_array(f->arena, count_leaves(f, function), sizeof *key);
	for (struct interface i = interface_of(f, function); next_leaf(&i, &node); k++) {
		uint32_t class = spb_leaf_class(f, node);
		uint8_t own = own_status(f, class, false);
		key[k] = own                                      ? own
			 : w->given_stamp[class] == w->generation ? w->given[class]
								  : own_status(f, class, true);
	}
	return variant_of(w, function, key, at);
}

/* Sets the status of the classes in a variant's interface. */
static void enter(struct walk *w, const struct spb_function_variant *variant)
{
	struct interface i = interface_of(w->f, variant->function);
	uint32_t node;

	for (uint32_t k = 0; next_leaf(&i, &node); k++) {
		uint32_t class = spb_leaf_class(w->f, node);
		w->entered[class] = true;
		w->status[class] = variant->key[k];
	}
}

static void visit(struct walk *w, uint32_t number)
{
	struct spb_handle_flow *f = w->f;
	const struct spb_module *m = f->m;
	struct spb_function_variant variant = w->v.list.items[number];
	const struct spb_function *function = &m->function[variant.function];

	w->v.list.items[number].first_call = (uint32_t)w->v.calls.count;
	enter(w, &variant);
	for (spb_at at = function->at; at < function->end; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpFunctionCall) {
			uint32_t callee = callee_of(w, at);
			SPB_PUSH(f->arena, &w->v.calls, callee);
		}
	}
}

/* Visits the new variants. */
static void visit_new(struct walk *w)
{
	while (w->visited < w->v.list.count)
		visit(w, w->visited++);
}

/* Makes a function that nothing calls, or only itself, a root. */
static void add_root(struct walk *w, uint32_t function)
{
	struct spb_handle_flow *f = w->f;
	uint8_t *key = spb_alloc_array(f->arena, count_leaves(f, function), sizeof *key);
	struct interface i = interface_of(f, function);
	uint32_t node;

	for (uint32_t k = 0; next_leaf(&i, &node); k++)
		key[k] = own_status(f, spb_leaf_class(f, node), true);
	variant_of(w, function, key, f->m->function[function].at);
	visit_new(w);
}

/* In a module whose functions have one variant each, the status of a class is final. */
static void settle(struct walk *w)
{
	struct spb_handle_flow *f = w->f;

	for (uint32_t i = 0; i < f->nodes.count; i++) {
		if (f->nodes.items[i].parent == i)
			f->nodes.items[i].status = own_status(f, i, true);
	}
	for (size_t n = 0; n < w->v.list.count; n++) {
		const struct spb_function_variant *variant = &w->v.list.items[n];
		struct interface i = interface_of(f, variant->function);
		uint32_t node;
		for (uint32_t k = 0; next_leaf(&i, &node); k++)
			f->nodes.items[spb_leaf_class(f, node)].status = variant->key[k];
	}
}

struct spb_variants spb_find_variants(struct spb_handle_flow *f)
{
	const struct spb_module *m = f->m;
	struct walk w = {.f = f};
	bool *called = spb_alloc_zeroed(f->arena, m->function_count, sizeof *called);

	w.v.of_function = spb_alloc_zeroed(f->arena, m->function_count, sizeof *w.v.of_function);
	w.status = spb_alloc_zeroed(f->arena, f->nodes.count, sizeof *w.status);
	w.entered = spb_alloc_zeroed(f->arena, f->nodes.count, sizeof *w.entered);
	w.given = spb_alloc_zeroed(f->arena, f->nodes.count, sizeof *w.given);
	w.given_stamp = spb_alloc_zeroed(f->arena, f->nodes.count, sizeof *w.given_stamp);
	for (size_t i = 0; i < f->calls.callees.count; i++)
		called[f->calls.callees.items[i]] = true;
	for (uint32_t function = 0; function < m->function_count; function++) {
		if (!called[function])
			add_root(&w, function);
	}
	for (uint32_t function = 0; function < m->function_count; function++) {
		if (!w.v.of_function[function]) /* called, but only by itself */
			add_root(&w, function);
	}
	settle(&w);
	return w.v;
}

uint8_t spb_leaf_status(struct spb_handle_flow *f, uint32_t node)
{
	return f->nodes.items[spb_leaf_class(f, node)].status;
}
