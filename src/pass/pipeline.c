/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline: the only list of passes, and the loop that runs them.
 *
 * The passes before the layout see a single module. Then the layout of the whole program is decided, and the passes
 * after it write its numbers. The module is not indexed again after the last pass. */
#include "pass/builtin/builtin.h"
#include "pass/combined/combined.h"
#include "pass/handles/handles.h"
#include "pass/nonuniform/nonuniform.h"
#include "pass/waterfall/waterfall.h"
#include "pass/resolver/resolver.h"
#include "pass/shapes/shapes.h"

/* What a pass works on: if a unit has none of it, the pass does not run. A pass without needs always runs. */
enum need {
	GROUPS = 1,      /* decoration groups */
	HANDLES = 2,     /* any dialect of them, resolved or not */
	SHAPES = 4,      /* shapes and flows of descriptors that Vulkan may reject */
	HEAPS = 8,       /* descriptor heaps, found or made */
	PAIRS = 16,      /* --merge-combined */
	SPLITTING = 32,  /* --split-combined */
	LOOPS = 64,      /* --waterfall */
	REMOVAL = 128,   /* resources that the layout removed */
	UNSIZED = 256,   /* arrays without a size in the source text */
	BUILTINS = 512,  /* built-in heaps that become arrays */
	KEPT = 1024,     /* built-in heaps that stay */
	ASSERTED = 2048, /* instruction sets that may be of assertions */
	CHOICES = 4096,  /* accesses that may select different descriptors, marks on them, or checks of them */
	RUNTIME = 8192,  /* arrays that may have no size, without the capability for them */
	FAULTS = 16384,  /* decorations that may be faults of front ends */
	CHECKS = 32768,  /* resolvers, and checks, for existing heaps */
	DATA = 65536,    /* HLSL by glslang, whose structs may hold resources and data */
	PARTED = 131072  /* --combined=split, and arrays of descriptors */
};

struct pass {
	const char *name;
	bool (*run)(struct spb_unit *);
	unsigned needs;           /* enum need */
	bool removes_definitions; /* so all uses are checked afterwards */
	bool on_resolvers;        /* also prepares resolvers for merge-resolver */
	bool has_no_index;        /* sections are enough for it, or it requests an index itself */
};

static const struct pass before_layout[] = {
    /* decoration groups become plain decorations */
    {"expand-groups", spb_pass_expand_groups, .needs = GROUPS, .on_resolvers = true},
    /* faults of front ends that Vulkan does not allow */
    {"repair-module", spb_pass_repair_module, .needs = FAULTS},
    /* data in HLSL's structs of resources becomes blocks */
    {"gather-data", spb_pass_gather_data, .needs = DATA, .removes_definitions = true},
    /* arrays without a size in HLSL become runtime arrays */
    {"unsize-arrays", spb_pass_unsize_arrays, .needs = UNSIZED, .on_resolvers = true},
    /* parameters that are untyped pointers, perhaps to heaps that become arrays, get a type */
    {"type-parameters", spb_pass_type_parameters, .needs = BUILTINS, .removes_definitions = true},
    /* heaps of SPV_EXT_descriptor_heap become arrays */
    {"lower-builtin-heaps", spb_pass_lower_builtin_heaps, .needs = BUILTINS, .removes_definitions = true},
    /* arrays in those that stay have strides */
    {"complete-heap-strides", spb_pass_complete_heap_strides, .needs = KEPT},
    /* dialects of handles become one instruction */
    {"normalize-handles", spb_pass_normalize_handles, .needs = HANDLES, .removes_definitions = true,
     .on_resolvers = true},
    /* reads of existing heaps of combined handles become dereferences of two descriptors */
    {"split-heaps", spb_pass_split_heaps, .needs = PARTED, .removes_definitions = true},
    /* the functions that map a handle to a descriptor are merged in */
    {"merge-resolver", spb_pass_merge_resolver, .needs = HANDLES | CHECKS},
    /* resolvers, and checks of indexes, for existing heaps */
    {"check-heaps", spb_pass_check_heaps, .needs = CHECKS},
    /* functions called with handles, and with other pointers */
    {"clone-handle-functions", spb_pass_clone_handle_functions, .needs = HANDLES},
    /* handles flow in place of pointers to their buffers */
    {"carry-handles", spb_pass_carry_handles, .needs = HANDLES, .removes_definitions = true},
    /* handles of buffers become accesses to heaps */
    {"lower-buffer-handles", spb_pass_lower_buffer_handles, .needs = HANDLES, .removes_definitions = true},
    /* all other handles become accesses to heaps */
    {"lower-handles", spb_pass_lower_handles, .needs = HANDLES, .removes_definitions = true},
    /* calls of short resolvers become their bodies */
    {"inline-resolver", spb_pass_inline_resolver, .needs = HANDLES, .removes_definitions = true},
    /* local variables of acceleration structures hold device addresses */
    {"keep-addresses", spb_pass_keep_addresses, .needs = SHAPES, .removes_definitions = true},
    /* shapes that Vulkan rejects become ones it accepts */
    {"resolve-descriptors", spb_pass_resolve_descriptors, .needs = SHAPES | HEAPS, .removes_definitions = true},
    /* NonWritable and the like, of the heaps made here */
    {"qualify-heaps", spb_pass_qualify_heaps, .needs = HEAPS},
    /* a texture and a sampler become a combined one */
    {"merge-combined", spb_pass_merge_combined, .needs = PAIRS, .removes_definitions = true},
    /* and vice versa */
    {"split-combined", spb_pass_split_combined, .needs = SPLITTING, .removes_definitions = true},
    /* loads of one descriptor in a block become one */
    {"share-loads", spb_pass_share_loads, .needs = HEAPS, .removes_definitions = true},
    /* heaps that the input already has become built-in ones, too */
    {"adopt-heaps", spb_pass_adopt_heaps, .needs = HEAPS},
    /* the author's assertions of uniformity are checked */
    {"check-assertions", spb_pass_check_assertions, .needs = ASSERTED, .removes_definitions = true},
    /* NonUniform, where the index of an access may differ */
    {"decorate-nonuniform", spb_pass_decorate_nonuniform, .needs = CHOICES},
    /* accesses decorated NonUniform become loops */
    {"waterfall", spb_pass_waterfall, .needs = LOOPS, .removes_definitions = true},
    /* SPIR-V before 1.3 becomes what descriptor heaps need */
    {"modernize-module", spb_pass_modernize_module, .needs = HEAPS},
    /* heaps become those of SPV_EXT_descriptor_heap */
    {"descriptor-heap", spb_pass_descriptor_heap, .needs = HEAPS, .removes_definitions = true},
};

static const struct pass after_layout[] = {
    /* resources that no entry point reaches */
    {"remove-unused", spb_pass_remove_unused, .needs = REMOVAL, .removes_definitions = true},
    /* the capability for runtime arrays of descriptors */
    {"declare-runtime-arrays", spb_pass_declare_runtime_arrays, .needs = RUNTIME},
    /* the numbers that the layout decided */
    {"assign-bindings", spb_pass_assign_bindings, .needs = 0, .has_no_index = true},
    /* capabilities of indexes that vary, where something else has changed */
    {"declare-dynamic-indexing", spb_pass_declare_dynamic_indexing, .needs = 0, .has_no_index = true},
};

/* A debug build checks more, but leaves the module as a release build would: without an index if it has none there. A
 * pass that forgets to request one then fails in both. */
static void check_in_debug_builds(struct spb_module *m)
{
#ifndef NDEBUG
	bool indexed = m->indexed;

	spb_module_need_index(m);
	spb_module_check(m);
	if (!indexed)
		spb_module_drop_index(m);
#else
	(void)m;
#endif
}

/* Which needs a module meets as parsed. */
static unsigned find_needs(const struct spb_unit *u)
{
	const struct spb_options *o = u->options;
	uint32_t has = u->m.has;
	unsigned needs = 0;

	if (has & SPB_HAS_GROUPS)
		needs |= GROUPS;
	if (has & (SPB_HAS_PUSH_CONSTANTS | SPB_HAS_BUFFER_QUALIFIERS))
		needs |= FAULTS;
	if (has & SPB_HAS_OPAQUE_FLOW || (has & SPB_HAS_DESCRIPTOR_ARRAYS && has & SPB_HAS_NESTED_ARRAYS))
		needs |= SHAPES;
	if (spb_may_have_heaps(u))
		needs |= HEAPS;
	if (spb_is_hlsl_by_glslang(&u->m))
		needs |= DATA;
	if (o->combined.merge_count)
		needs |= PAIRS;
	if (o->combined.split)
		needs |= SPLITTING;
	if (spb_may_loop(u))
		needs |= LOOPS;
	if (has & SPB_HAS_REMARKS)
		needs |= ASSERTED;
	if (spb_may_have_choices(u))
		needs |= CHOICES;
	if (spb_lowers_builtin_heaps(u))
		needs |= BUILTINS;
	if (spb_keeps_builtin_heaps(u))
		needs |= KEPT;
	if (spb_may_have_handles(u))
		needs |= HANDLES;
	if (spb_may_unsize_arrays(u))
		needs |= UNSIZED;
	if (spb_may_check_heaps(u))
		needs |= CHECKS;
	if (o->heaps.combined == SPB_COMBINED_SPLIT && has & SPB_HAS_DESCRIPTOR_ARRAYS)
		needs |= PARTED;
	return needs;
}

/* Once a pass has changed the module, it may meet any of them. */
static unsigned find_needs_after_layout(const struct spb_unit *u)
{
	if (u->m.run)
		return ~0u;
	return (spb_may_remove_unused(u) ? REMOVAL : 0u) | (spb_may_lack_runtime_arrays(u) ? RUNTIME : 0u);
}

/* Runs the pass on an empty edit. Does it want to change the module? */
static bool try_pass(struct spb_unit *u, const struct pass *pass)
{
	struct spb_context *c = u->m.context;

	c->pass = pass->name;
	spb_arena_reset(&c->scratch);
	spb_arena_reset(&c->edits);
	spb_arena_reset(&c->drafts);
	if (!pass->has_no_index || u->m.run) /* in words that a pass has written, not even the sections are known */
		spb_module_need_index(&u->m);
	spb_edit_begin(&u->edit, &u->m, &c->edits);
	return pass->run(u);
}

/* A debug build also runs a pass whose needs are not met, and asserts that it changes nothing. */
static void check_has_no_work(struct spb_unit *u, const struct pass *pass)
{
#ifndef NDEBUG
	bool indexed = u->m.indexed, changed = try_pass(u, pass);

	assert(!changed);
	if (!indexed)
		spb_module_drop_index(&u->m);
	u->m.context->pass = NULL;
#else
	(void)u;
	(void)pass;
#endif
}

/* Has the pass changed the module? */
static bool run_pass(struct spb_unit *u, const struct pass *pass)
{
	uint32_t bound = u->m.bound;
	bool changed = try_pass(u, pass);

	if (changed) {
		spb_arena_reset(&u->m.context->scratch); /* frees what the pass has found out */
		spb_edit_commit(&u->edit);
		if (u->m.bound > bound)
			SPB_PUSH(&u->m.keep, &u->run.made, ((struct spb_made){pass->name, bound}));
		if (pass->removes_definitions) {
			spb_module_need_index(&u->m);
			spb_module_check_defined(&u->m);
		}
		check_in_debug_builds(&u->m);
	}
	u->m.context->pass = NULL;
	return changed;
}

const char *spb_pass_name(uint32_t index)
{
	const uint32_t before = SPB_COUNT(before_layout);

	if (index < before)
		return before_layout[index].name;
	return index - before < SPB_COUNT(after_layout) ? after_layout[index - before].name : NULL;
}

static bool is_listed(const char *list, const char *name) /* names separated by commas */
{
	size_t length = strlen(name);

	for (; *list; list += strcspn(list, ","), list += *list == ',') {
		if (strcspn(list, ",") == length && !memcmp(list, name, length))
			return true;
	}
	return false;
}

/* For --dump-after, in the byte order of the input. */
static void dump(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;

	u->run.dump = spb_alloc_array(&u->m.keep, m->count, sizeof *u->run.dump);
	u->run.dump_count = m->count;
	if (m->swapped)
		spb_swap_words(u->run.dump, m->words, m->count);
	else
		memcpy(u->run.dump, m->words, m->count * sizeof *u->run.dump);
}

/* Does a module that keeps its built-in heaps have shapes that are resolved in arrays only, or does a resolver? Their
 * indexes are resolved and checked there, too. */
static bool must_remake_heaps(struct spb_unit *u)
{
	if (!spb_keeps_builtin_heaps(u) || u->options->debug.only)
		return false;
	if (u->options->handles.instrument && !spb_is_instrumented(&u->m))
		return true;
	for (size_t i = 0; i < u->program.resolver_count; i++) {
		if (u->program.resolvers[i].known.index && !spb_find_remark(&u->m, SPB_RESOLVED_REMARK))
			return true;
	}
	spb_arena_reset(&u->m.context->scratch);
	spb_module_need_index(&u->m);
	if (!spb_has_opaque_builtins(u))
		return false;
	bool found = spb_has_shapes(u);
	for (size_t i = 0; i < u->program.resolver_count && !found && spb_may_have_handles(u); i++)
		found = spb_has_shapes(&u->program.resolvers[i].unit); /* which has an index */
	return found;
}

static void run(struct spb_unit *u, const struct pass *passes, size_t count, unsigned needs)
{
	const char *only = u->options->debug.only, *dump_after = u->options->debug.dump_after;

	for (const struct pass *pass = passes; pass < passes + count; pass++) {
		if (pass->needs && !(pass->needs & needs))
			check_has_no_work(u, pass);
		else if ((!only || is_listed(only, pass->name)) && run_pass(u, pass))
			needs = ~0u;
		if (dump_after && !strcmp(dump_after, pass->name))
			dump(u);
	}
}

void spb_run_before_layout(struct spb_unit *u)
{
	u->builtin.remakes = must_remake_heaps(u);
	run(u, before_layout, SPB_COUNT(before_layout), find_needs(u));
}

void spb_run_after_layout(struct spb_unit *u)
{
	run(u, after_layout, SPB_COUNT(after_layout), find_needs_after_layout(u));
}

void spb_run_on_resolver(struct spb_unit *u)
{
	static const struct pass forget = {"forget-numbers", spb_pass_forget_numbers, .needs = 0};

	run_pass(u, &forget);
	for (size_t i = 0; i < SPB_COUNT(before_layout); i++) {
		if (before_layout[i].on_resolvers)
			run_pass(u, &before_layout[i]);
	}
}
