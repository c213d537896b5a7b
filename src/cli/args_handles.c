/* SPDX-License-Identifier: Apache-2.0 */
/* args_handles: the options about DescriptorHandles and their heaps. */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"

const char handles_help[] =
    "Descriptor handles:\n"
    "  --heap-set=N             lowest set for heaps (0)\n"
    "  --heap=KIND=SET.BINDING  the heap of sampler, combined, texture, image, utexbuf, stexbuf, ubo,\n"
    "                           ssbo, as or counter (DXC's) goes there, whoever made it; repeatable.\n"
    "                           as=address: handles of acceleration structures are device addresses\n"
    "  --heap-model=MODEL       typed (default): each descriptor type has a heap; mutable: images, texel\n"
    "                           buffers and buffers share one (VK_EXT_mutable_descriptor_type);\n"
    "                           descriptor-heap: no bindings, but SPV_EXT_descriptor_heap\n"
    "  --heap-stride=R[,S]      descriptor-heap: bytes between resource descriptors, and between samplers;\n"
    "                           size (default): the size of each descriptor type; unified (R only): the\n"
    "                           larger one of those of images and buffers\n"
    "  --heap-preset=PRESET     typed; slang: --heap-model=mutable, acceleration structures by address;\n"
    "                           dxc: one mutable heap, then samplers, then counters, in the default set\n"
    "  --combined=WHAT          handles of combined image-samplers: native (default): x is the index of\n"
    "                           one; split: x is that of a texture, y that of a sampler\n"
    "  --heap-size=N            heaps are arrays of N descriptors; 0 (default): runtime arrays\n"
    "  --lower-buffer-references\n"
    "                           a uvec2 that is made a buffer reference is a handle, not an address\n"
    "  --lower-buffer-references=GLOB[,GLOB]\n"
    "                           the same, of blocks of these names\n"
    "  --bounds-check=WHAT      of indexes, with --heap-size: off (default); clamp: those beyond name the\n"
    "                           last descriptor; null: they name descriptor 0\n"
    "  --resolver=FILE          functions that say which descriptor a handle names: SPIR-V, assembly\n"
    "                           (.spvasm), or GLSL; repeatable\n";

enum { PRESET_TYPED, PRESET_SLANG, PRESET_DXC };

static const struct choice choices[] = {
    {"--heap-model", "typed", SPB_HEAP_MODEL_TYPED},
    {"--heap-model", "mutable", SPB_HEAP_MODEL_MUTABLE},
    {"--heap-model", "descriptor-heap", SPB_HEAP_MODEL_DESCRIPTOR_HEAP},
    {"--heap-preset", "typed", PRESET_TYPED},
    {"--heap-preset", "slang", PRESET_SLANG},
    {"--heap-preset", "dxc", PRESET_DXC},
    {"--combined", "native", SPB_COMBINED_NATIVE},
    {"--combined", "split", SPB_COMBINED_SPLIT},
    {"--bounds-check", "off", SPB_BOUNDS_CHECK_OFF},
    {"--bounds-check", "clamp", SPB_BOUNDS_CHECK_CLAMP},
    {"--bounds-check", "null", SPB_BOUNDS_CHECK_NULL},
};

/* --heap=KIND=SET.BINDING */
static void add_heap(struct arguments *a, const char *value)
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
	while ((name = spb_heap_kind_name(kind)) && (strncmp(name, value, length) != 0 || name[length]))
		kind++;
	if (value[length])
		sscanf(value + length + 1, "%10llu.%10llu%n", &set, &binding, &end);
	if (!name || !end || value[length + 1 + (size_t)end] || set > UINT32_MAX || binding > UINT32_MAX ||
	    strpbrk(value + length, " +-\t\n\v\f\r")) {
		usage(a,
		      "--heap takes KIND=SET.BINDING, KIND being sampler, combined, texture, image, utexbuf, stexbuf, "
		      "ubo, ssbo, as or counter, or as=address; not ",
		      value);
		return;
	}
	a->heaps[a->options.heaps.place_count++] =
	    (spb_heap_place){(spb_heap_kind)kind, (uint32_t)set, (uint32_t)binding};
	a->options.heaps.places = a->heaps;
}

/* As a whole: the last preset counts, and options behind it. */
static void read_preset(spb_options *o, int preset)
{
	o->heaps.model = preset == PRESET_TYPED ? SPB_HEAP_MODEL_TYPED : SPB_HEAP_MODEL_MUTABLE;
	o->heaps.as_address = preset == PRESET_SLANG;
	o->heaps.in_default_set = preset == PRESET_DXC;
}

/* A stride of `length` characters; 0: it is none. "size" is 0 bytes. */
static bool is_stride(const char *text, size_t length, uint32_t *bytes)
{
	unsigned long long n = 0;

	*bytes = 0;
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

/* --heap-stride=RESOURCES[,SAMPLERS] */
static void read_stride(struct arguments *a, const char *value)
{
	spb_options *o = &a->options;
	size_t length = strcspn(value, ",");

	o->heaps.resource_stride = o->heaps.sampler_stride = 0;
	o->heaps.unified_stride = length == 7 && !memcmp(value, "unified", 7);
	if ((!o->heaps.unified_stride && !is_stride(value, length, &o->heaps.resource_stride)) ||
	    (value[length] && !is_stride(value + length + 1, strlen(value + length + 1), &o->heaps.sampler_stride)))
		usage(a,
		      "--heap-stride takes BYTES, size or unified, and for samplers ,BYTES or ,size (multiples of 4 up "
		      "to "
		      "65536); not ",
		      value);
}

static void read_handle_choice(struct arguments *a, const char *option, const char *value)
{
	spb_options *o = &a->options;
	int chosen;

	if (!read_choice(a, choices, SPB_COUNT(choices), option, value, &chosen))
		return;
	if (!strcmp(option, "--combined"))
		o->heaps.combined = (spb_combined)chosen;
	else if (!strcmp(option, "--heap-preset"))
		read_preset(o, chosen);
	else if (!strcmp(option, "--bounds-check"))
		o->heaps.bounds_check = (spb_bounds_check)chosen;
	else
		o->heaps.model = (spb_heap_model)chosen;
}

bool read_handle_value(struct arguments *a, const char *option, const char *value)
{
	spb_options *o = &a->options;

	if (!strcmp(option, "--heap"))
		add_heap(a, value);
	else if (!strcmp(option, "--heap-set"))
		o->heaps.has_set = read_number(a, option, value, &o->heaps.set);
	else if (!strcmp(option, "--lower-buffer-references")) {
		o->handles.lower_buffer_references = 1;
		o->handles.buffer_reference_blocks = value;
	} else if (!strcmp(option, "--heap-stride"))
		read_stride(a, value);
	else if (!strcmp(option, "--heap-size"))
		read_number(a, option, value, &o->heaps.size);
	else if (!strcmp(option, "--resolver"))
		a->resolvers[a->resolver_count++].path = value;
	else if (!strcmp(option, "--bounds-check") || !strcmp(option, "--heap-model") ||
		 !strcmp(option, "--heap-preset") || !strcmp(option, "--combined"))
		read_handle_choice(a, option, value);
	else
		return false;
	return true;
}

/* Whether a file that is written is a resolver, too. */
static void check_resolver(struct arguments *a, const char *path)
{
	const char *const written[] = {a->output, a->layout_json, a->options.layout.update_lock ? a->lock : NULL};

	if (!strcmp(path, "-"))
		usage(a, "--resolver takes a file, not stdin", "");
	for (size_t i = 0; i < SPB_COUNT(written) && !a->done; i++) {
		if (written[i] && strcmp(written[i], "-") != 0 && is_same_file(written[i], path))
			usage(a, "a resolver would be overwritten: ", path);
	}
}

void check_handle_options(struct arguments *a)
{
	const spb_options *o = &a->options;
	bool builtin = o->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP;

	if (builtin && (o->heaps.place_count || o->heaps.has_set))
		usage(a,
		      "the heaps of --heap-model=descriptor-heap have no sets and bindings; give no --heap, --heap-set",
		      "");
	else if (!builtin && (o->heaps.resource_stride || o->heaps.sampler_stride || o->heaps.unified_stride))
		usage(a, "--heap-stride means something with --heap-model=descriptor-heap only", "");
	else if (o->heaps.bounds_check && !o->heaps.size)
		usage(a, "--bounds-check needs to know how long heaps are: give --heap-size=N, too", "");
	for (size_t i = 0; i < a->resolver_count && !a->done; i++)
		check_resolver(a, a->resolvers[i].path);
}
