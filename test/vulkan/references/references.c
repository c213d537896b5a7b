/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_references: runs compute shaders whose buffers are references (device addresses), and the same with these
 * lowered to descriptors of a heap, and compares all buffers.
 *
 *     vulkan_references ICD [LOWERED_ICD] < jobs     a job is a line "ADDRESSES.spv ADDRESSES.json LOWERED.spv
 * LOWERED.json ALL.json"
 *
 * ALL.json is the layout of the module with all its references lowered: its heap lists the blocks. Each block has
 * FILLED buffers, with the contents of run.h. Row r of the buffer `handles` has their references of Block<r>: the
 * address, or in the lowered module, if the heap has the block, the index. Row r + BLOCKS always has the addresses.
 *
 * With LOWERED_ICD that driver runs the lowered ones.
 *
 * Exit status: 0 all equal; 1 not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../run.h"

enum { BLOCKS = 4 };

struct memory { /* of all blocks */
	struct binding addressed;
	const struct binding *heap; /* of the module that runs; NULL: it has none */
};

struct outcome {
	size_t count, capacity;
	struct buffer {
		char name[64];
		uint32_t *words;
		size_t size;
	} * items;
};

struct job {
	struct layout *all;
	struct memory memory;
	struct outcome outcome;
};

static const struct binding *find_heap(const struct layout *l)
{
	for (uint32_t i = 0; i < l->binding_count; i++) {
		if (!strncmp(l->bindings[i].name, "heap_ssbo_", 10))
			return &l->bindings[i];
	}
	return NULL;
}

static struct element *find_element(const struct binding *b, const char *block, uint32_t n, uint32_t *index)
{
	for (uint32_t t = 0; b && t < b->type_count; t++) {
		*index = n * b->type_count + t;
		if (!strcmp(b->types[t].block, block))
			return &b->elements[*index];
	}
	return NULL;
}

static uint64_t address_of(struct run *r, const struct element *e)
{
	return vkGetBufferDeviceAddress(
	    r->device->device,
	    &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = e->buffer});
}

static void put(uint32_t *words, uint64_t value)
{
	words[0] = (uint32_t)value;
	words[1] = (uint32_t)(value >> 32);
}

static bool has_addresses(const struct run *r)
{
	return r->device->uses.vulkan12.bufferDeviceAddress;
}

/* Buffer n of a block: in the heap, or addressed; NULL: the program does not use the block. */
static struct element *element_of(struct job *job, uint32_t block, uint32_t n, bool *in_heap, uint32_t *index)
{
	char name[16];

	snprintf(name, sizeof name, "Block%u", block);
	struct element *e = find_element(job->memory.heap, name, n, index);
	*in_heap = e != NULL;
	if (!e)
		e = find_element(&job->memory.addressed, name, n, &(uint32_t){0});
	return e;
}

static void fill(struct run *r)
{
	struct job *job = r->user;
	struct element *table = &layout_find(r->layout, "handles")->elements[0];
	struct element *out = &layout_find(r->layout, "out_data")->elements[0];

	if ((size_t)table->size / 4 < (size_t)BLOCKS * FILLED * 4)
		die("the table of handles is too small");
	memset(table->words, 0, (size_t)table->size);
	memset(out->words, 0xAB, (size_t)out->size);
	for (uint32_t block = 0; block < BLOCKS; block++) {
		for (uint32_t n = 0; n < FILLED; n++) {
			bool in_heap;
			uint32_t index, row = 2 * (block * FILLED + n);
			const struct element *e = element_of(job, block, n, &in_heap, &index);
			if (!e)
				continue;
			uint64_t address = has_addresses(r) ? address_of(r, e) : 0;
			put(table->words + row, in_heap ? index | (uint64_t)77 << 32 : address);
			put(table->words + row + 2 * BLOCKS * FILLED, address);
		}
	}
}

static void keep(struct outcome *o, const struct element *e, const char *name, uint32_t n)
{
	struct buffer *b = &o->items[o->count++];

	snprintf(b->name, sizeof b->name, "%s[%u]", name, n);
	b->size = (size_t)e->size;
	b->words = memcpy(zeroed(b->size, 1), e->words, b->size);
}

static void read_back(struct run *r)
{
	struct job *job = r->user;
	uint32_t index;
	char name[16];
	bool in_heap;

	job->outcome.items = zeroed((size_t)BLOCKS * FILLED + 1, sizeof *job->outcome.items);
	keep(&job->outcome, &layout_find(r->layout, "out_data")->elements[0], "out_data", 0);
	for (uint32_t block = 0; block < BLOCKS; block++) {
		snprintf(name, sizeof name, "Block%u", block);
		for (uint32_t n = 0; n < FILLED; n++) {
			const struct element *e = element_of(job, block, n, &in_heap, &index);
			if (e)
				keep(&job->outcome, e, name, n);
		}
	}
}

static struct outcome run_one(struct device *d, const char *spirv, const char *json, const char *all)
{
	struct job job = {.all = layout_read(all)};
	struct program program = program_read(spirv);
	struct run r = {.device = d,
			.layout = layout_read(json),
			.program = &program,
			.fill = fill,
			.read = read_back,
			.user = &job};
	const struct binding *blocks = find_heap(job.all);

	if (!blocks)
		die("%s has no heap of storage buffers", all);
	run_open(&r);
	job.memory.addressed = *blocks;
	elements_make(d, &job.memory.addressed);
	job.memory.heap = find_heap(r.layout);
	run_program(&r);
	elements_free(d, &job.memory.addressed);
	run_close(&r);
	free(program.words);
	return job.outcome;
}

/* Returns whether they are equal; reports differences. */
static bool compare(const struct outcome *a, const struct outcome *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++) {
		const struct buffer *x = &a->items[i], *y = &b->items[i];
		if (x->size == y->size && !memcmp(x->words, y->words, x->size))
			continue;
		for (size_t w = 0; w < x->size / 4 && w < y->size / 4; w++) {
			if (x->words[w] != y->words[w])
				printf("%s: %s, word %zu: %u by address, %u by descriptor\n", now_running, x->name, w,
				       x->words[w], y->words[w]);
		}
		same = false;
	}
	return same;
}

static void forget(struct outcome *o)
{
	for (size_t i = 0; i < o->count; i++)
		free(o->items[i].words);
	free(o->items);
}

int main(int argc, char **argv)
{
	struct device d = {.complaints = 0}, other = {.complaints = 0};
	struct device *lowering = argc > 2 ? &other : &d;
	char line[4096], path[5][800];
	unsigned failed = 0;

	if (argc != 2 && argc != 3) {
		fputs("usage: vulkan_references ICD [LOWERED_ICD] < JOBS\n", stderr);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	device_choose(&d, argv[1]);
	if (argc > 2)
		device_choose(&other, argv[2]);
	if (!d.has.vulkan12.bufferDeviceAddress)
		die("the driver has no bufferDeviceAddress");
	while (fgets(line, sizeof line, stdin) &&
	       sscanf(line, "%799s %799s %799s %799s %799s", path[0], path[1], path[2], path[3], path[4]) == 5) {
		now_running = path[2];
		struct outcome addresses = run_one(&d, path[0], path[1], path[4]);
		struct outcome lowered = run_one(lowering, path[2], path[3], path[4]);
		bool same = compare(&addresses, &lowered) && !d.complaints && !other.complaints;
		printf("%s: %s\n", path[2], same ? "same" : "FAIL");
		failed += !same;
		d.complaints = other.complaints = 0;
		forget(&addresses);
		forget(&lowered);
	}
	device_forget(&d);
	if (argc > 2)
		device_forget(&other);
	return failed != 0;
}
