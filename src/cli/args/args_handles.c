/* SPDX-License-Identifier: Apache-2.0 */
/* args_handles: options about DescriptorHandles and their heaps whose values need more than a field. */
#include <stdio.h>
#include <string.h>

#include "cli/args/args.h"

void arg_add_resolver(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->program.resolvers.files[a->program.resolvers.count++].path = value;
}

/* An output must not overwrite a resolver. */
static void check_resolver(struct arguments *a, const char *path)
{
	const struct program_options *p = &a->program;
	const char *const written[] = {p->layout.files[LAYOUT_JSON],
				       p->layout.files[LAYOUT_HEADER],
				       p->layout.files[LAYOUT_GLSL],
				       p->layout.files[LAYOUT_REPORT],
				       a->run.depfile,
				       a->run.stamp,
				       a->messages.diagnostics_file,
				       p->library.layout.update_lock ? p->lock.file : NULL};

	if (!strcmp(path, "-"))
		cli_usage(a, WORDS("--resolver does not take stdin" MSG_REMEDY "Give a file."));
	for (size_t i = 0; i < p->modules.count && !a->done; i++) {
		if (strcmp(p->modules.files[i], "-") != 0 && cli_is_same_file(p->modules.files[i], path))
			cli_usage(a, WORDS("an output would overwrite the resolver ", path,
					   MSG_REMEDY "Give it another name."));
	}
	for (size_t i = 0; i < SPB_COUNT(written) && !a->done; i++) {
		if (written[i] && strcmp(written[i], "-") != 0 && cli_is_same_file(written[i], path))
			cli_usage(a, WORDS("an output would overwrite the resolver ", path,
					   MSG_REMEDY "Give it another name."));
	}
}

void arg_check_handle_options(struct arguments *a)
{
	const struct program_options *p = &a->program;
	const spb_options *o = &p->library;
	bool builtin = o->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP;

	if (builtin && (o->heaps.place_count || o->heaps.has_set))
		cli_usage(a, WORDS("the heaps of --heap-model=descriptor-heap have no sets and bindings" MSG_REMEDY
				   "Remove --heap and --heap-set."));
	else if (!builtin && (o->heaps.resource_stride || o->heaps.sampler_stride || o->heaps.unified_stride))
		cli_usage(a, WORDS("--heap-stride is about the heaps of SPV_EXT_descriptor_heap" MSG_REMEDY
				   "Add --heap-model=descriptor-heap."));
	else if (o->heaps.bounds_check && !o->heaps.size)
		cli_usage(a, WORDS("--bounds-check is about heaps of a given size" MSG_REMEDY "Add --heap-size=N."));
	for (size_t i = 0; i < p->resolvers.count && !a->done; i++)
		check_resolver(a, p->resolvers.files[i].path);
}
