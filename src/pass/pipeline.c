/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline: the only list of passes, and the loop that runs them.
 *
 * Passes before the layout see one module alone; then the layout of the whole program is decided; then its
 * numbers are written. The last pass that changes a module costs no new index. */
#include "pass/combined/combined.h"
#include "pass/handles/handles.h"
#include "pass/nonuniform/nonuniform.h"
#include "pass/resolver/resolver.h"
#include "pass/shapes/shapes.h"

struct pass {
	const char *name;
	bool (*run)(struct spb_unit *);
	bool after_layout;
	bool removes; /* definitions, so that uses must be checked */
};

static const struct pass pipeline[] = {
    {"expand-groups", spb_pass_expand_groups, false, false},        /* decoration groups -> plain decorations */
    {"normalize-handles", spb_pass_normalize_handles, false, true}, /* dialects of handles -> the one instruction */
    {"merge-resolver", spb_pass_merge_resolver, false, false},      /* what says which descriptor a handle names */
    {"clone-handle-functions", spb_pass_clone_handle_functions, false,
     false},                                                              /* called with handles, and with others */
    {"carry-handles", spb_pass_carry_handles, false, true},               /* values that flow -> handles */
    {"lower-buffer-handles", spb_pass_lower_buffer_handles, false, true}, /* buffers of handles -> heap access */
    {"lower-handles", spb_pass_lower_handles, false, true},               /* dereferences of handles -> heap access */
    {"inline-resolver", spb_pass_inline_resolver, false, true},           /* calls of it -> its body, if it is short */
    {"resolve-descriptors", spb_pass_resolve_descriptors, false, true},   /* shapes that Vulkan does not have       */
    {"qualify-heaps", spb_pass_qualify_heaps, false, false},              /* what heaps say of memory               */
    {"merge-combined", spb_pass_merge_combined, false, true},             /* texture and sampler -> combined        */
    {"split-combined", spb_pass_split_combined, false, true},             /* combined -> texture and sampler        */
    {"decorate-nonuniform", spb_pass_decorate_nonuniform, false, false},  /* accesses that differ between invocations */
    {"waterfall", spb_pass_waterfall, false, true},                       /* marked accesses -> loops               */
    {"descriptor-heap", spb_pass_descriptor_heap, false, true},           /* heaps -> SPV_EXT_descriptor_heap       */
    {"remove-unused", spb_pass_remove_unused, true, true},                /* resources that nothing reaches          */
    {"assign-bindings", spb_pass_assign_bindings, true, false},           /* writes what the layout decided         */
};

/* What brings a resolver into the shape that merge-resolver reads. */
static const struct pass of_resolver[] = {
    {"expand-groups", spb_pass_expand_groups, false, false},
    {"normalize-handles", spb_pass_normalize_handles, false, true},
};

static void run_pass(struct spb_unit *u, const struct pass *pass)
{
	struct spb_context *c = u->m.context;

	c->pass = pass->name;
	spb_arena_reset(&c->scratch);
	spb_module_need_index(&u->m);
	spb_edit_begin(&u->edit, &u->m, &c->scratch);
	if (pass->run(u)) {
		spb_edit_commit(&u->edit);
		if (pass->removes) {
			spb_module_need_index(&u->m);
			spb_module_check_defined(&u->m);
		}
#ifndef NDEBUG
		spb_module_need_index(&u->m);
		spb_module_check(&u->m);
#endif
	}
	c->pass = NULL;
}

static void run(struct spb_unit *u, bool after_layout)
{
	for (size_t i = 0; i < SPB_COUNT(pipeline); i++) {
		if (pipeline[i].after_layout == after_layout)
			run_pass(u, &pipeline[i]);
	}
}

void spb_run_before_layout(struct spb_unit *u)
{
	run(u, false);
}

void spb_run_after_layout(struct spb_unit *u)
{
	run(u, true);
}

void spb_run_on_resolver(struct spb_unit *u)
{
	for (size_t i = 0; i < SPB_COUNT(of_resolver); i++)
		run_pass(u, &of_resolver[i]);
}
