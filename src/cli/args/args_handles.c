/* SPDX-License-Identifier: Apache-2.0 */
/* args_handles: options about DescriptorHandles and their heaps whose values need more than a field. */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"

/* KIND=SET.BINDING, or as=address */
void add_heap(struct arguments *a, const struct option *o, const char *value)
{
	size_t length = strcspn(value, "=");
	const char *name;
	uint32_t kind = 0;
	unsigned long long set = 0, binding = 0;
	int end = 0;

	if (!strcmp(value, "as=address")) {
		a->options.heaps.as_address = 1;
		return;
	}
	while ((name = o->names(kind)) && (strncmp(name, value, length) != 0 || name[length]))
		kind++;
	if (!name) {
		refuse_choice(a, o, value);
		return;
	}
	if (value[length])
		sscanf(value + length + 1, "%10llu.%10llu%n", &set, &binding, &end);
	if (!end || value[length + 1 + (size_t)end] || set > UINT32_MAX || binding > UINT32_MAX ||
	    strpbrk(value + length, " +-\t\n\v\f\r")) {
		refuse_value(a, o, "KIND=SET.BINDING or as=address", value);
		return;
	}
	a->heaps[a->options.heaps.place_count++] =
	    (spb_heap_place){(spb_heap_kind)kind, (uint32_t)set, (uint32_t)binding};
	a->options.heaps.places = a->heaps;
}

/* SET.BINDING */
void read_instrument_handles(struct arguments *a, const struct option *o, const char *value)
{
	spb_handle_options *handles = &a->options.handles;
	unsigned long long set = 0, binding = 0;
	int end = 0;

	sscanf(value, "%10llu.%10llu%n", &set, &binding, &end);
	if (!end || value[end] || set > UINT32_MAX || binding > UINT32_MAX || strpbrk(value, " +-\t\n\v\f\r")) {
		refuse_value(a, o, "SET.BINDING", value);
		return;
	}
	handles->instrument = 1;
	handles->instrument_set = (uint32_t)set;
	handles->instrument_binding = (uint32_t)binding;
}

/* A preset sets all of these fields, so that the last preset wins; options after it may change them. */
void read_heap_preset(struct arguments *a, const struct option *o, const char *value)
{
	spb_heap_options *heaps = &a->options.heaps;
	uint32_t preset;

	if (!read_choice(a, o, value, &preset))
		return;
	heaps->model = preset == PRESET_TYPED ? SPB_HEAP_MODEL_TYPED : SPB_HEAP_MODEL_MUTABLE;
	heaps->has_model = 1;
	heaps->as_address = preset == PRESET_SLANG;
	heaps->in_default_set = preset == PRESET_DXC;
}

/* Whether the first `length` characters are a stride; "size" leaves 0. */
static bool is_stride(const char *text, size_t length, uint32_t *bytes)
{
	unsigned long long n = 0;

	if (length == 4 && !memcmp(text, "size", 4))
		return true;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || n > 65536)
			return false;
		n = n * 10 + (unsigned long long)(text[i] - '0');
	}
	*bytes = (uint32_t)n;
	return n && n <= 65536 && n % 4 == 0;
}

/* RESOURCES[,SAMPLERS] */
void read_heap_stride(struct arguments *a, const struct option *o, const char *value)
{
	spb_heap_options *heaps = &a->options.heaps;
	size_t length = strcspn(value, ",");

	heaps->resource_stride = heaps->sampler_stride = 0;
	heaps->unified_stride = length == 7 && !memcmp(value, "unified", 7);
	if ((!heaps->unified_stride && !is_stride(value, length, &heaps->resource_stride)) ||
	    (value[length] && !is_stride(value + length + 1, strlen(value + length + 1), &heaps->sampler_stride)))
		refuse_value(
		    a, o,
		    "RESOURCES or RESOURCES,SAMPLERS, each size or a multiple of 4 up to 65536 (RESOURCES also "
		    "unified)",
		    value);
}

void add_resolver(struct arguments *a, const struct option *o, const char *value)
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
				       a->diagnostics_file,
				       a->options.layout.update_lock ? a->lock : NULL};

	if (!strcmp(path, "-"))
		usage(a, WORDS("--resolver needs a file, not stdin"));
	for (size_t i = 0; i < a->output_count && !a->done; i++) {
		if (strcmp(a->outputs[i], "-") != 0 && is_same_file(a->outputs[i], path))
			usage(a, WORDS("an output would overwrite the resolver ", path));
	}
	for (size_t i = 0; i < SPB_COUNT(written) && !a->done; i++) {
		if (written[i] && strcmp(written[i], "-") != 0 && is_same_file(written[i], path))
			usage(a, WORDS("an output would overwrite the resolver ", path));
	}
}

void check_handle_options(struct arguments *a)
{
	const spb_options *o = &a->options;
	bool builtin = o->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP;

	if (builtin && (o->heaps.place_count || o->heaps.has_set))
		usage(a, WORDS("the heaps of --heap-model=descriptor-heap have no sets and bindings; remove --heap and "
			       "--heap-set"));
	else if (!builtin && (o->heaps.resource_stride || o->heaps.sampler_stride || o->heaps.unified_stride))
		usage(a, WORDS("--heap-stride requires --heap-model=descriptor-heap"));
	else if (o->heaps.bounds_check && !o->heaps.size)
		usage(a, WORDS("--bounds-check requires --heap-size=N"));
	for (size_t i = 0; i < a->resolver_count && !a->done; i++)
		check_resolver(a, a->resolvers[i].path);
}
