/* SPDX-License-Identifier: Apache-2.0 */
/* args_handles: options about DescriptorHandles and their heaps whose values need more than a field. */
#include <stdio.h>
#include <string.h>

#include "cli/args/args.h"

void arg_add_resolver(struct arguments *a, const struct option *o, const char *value)
{
	(void)o;
	a->resolvers[a->resolver_count++].path = value;
}

/* An output must not overwrite a resolver. */
static void check_resolver(struct arguments *a, const char *path)
{
	const char *const written[] = {a->layout[LAYOUT_JSON],
				       a->layout[LAYOUT_HEADER],
				       a->layout[LAYOUT_GLSL],
				       a->layout[LAYOUT_REPORT],
				       a->depfile,
				       a->stamp,
				       a->messages.diagnostics_file,
				       a->options.layout.update_lock ? a->lock : NULL};

	if (!strcmp(path, "-"))
		cli_usage(a, WORDS("--resolver needs a file, not stdin"));
	for (size_t i = 0; i < a->output_count && !a->done; i++) {
		if (strcmp(a->outputs[i], "-") != 0 && cli_is_same_file(a->outputs[i], path))
			cli_usage(a, WORDS("an output would overwrite the resolver ", path));
	}
	for (size_t i = 0; i < SPB_COUNT(written) && !a->done; i++) {
		if (written[i] && strcmp(written[i], "-") != 0 && cli_is_same_file(written[i], path))
			cli_usage(a, WORDS("an output would overwrite the resolver ", path));
	}
}

void arg_check_handle_options(struct arguments *a)
{
	const spb_options *o = &a->options;
	bool builtin = o->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP;

	if (builtin && (o->heaps.place_count || o->heaps.has_set))
		cli_usage(
		    a, WORDS("the heaps of --heap-model=descriptor-heap have no sets and bindings; remove --heap and "
			     "--heap-set"));
	else if (!builtin && (o->heaps.resource_stride || o->heaps.sampler_stride || o->heaps.unified_stride))
		cli_usage(a, WORDS("--heap-stride requires --heap-model=descriptor-heap"));
	else if (o->heaps.bounds_check && !o->heaps.size)
		cli_usage(a, WORDS("--bounds-check requires --heap-size=N"));
	for (size_t i = 0; i < a->resolver_count && !a->done; i++)
		check_resolver(a, a->resolvers[i].path);
}
