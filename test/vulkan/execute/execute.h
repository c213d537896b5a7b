/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_execute: does a compute shader behave the same before and after its bindings are changed?
 *
 *     original.c    the resources of the original module by SPIRV-Cross, which is independent of us
 *     dispatch.c    a layout, its descriptor sets, a pipeline, one dispatch
 *     execute.c     jobs, each in a process that may crash or hang
 *
 * Resources are created once, for the original; every bound module gets the same memory, through the layout that was
 * reported for it. */
#ifndef EXECUTE_H
#define EXECUTE_H

#include "../pipelines/pipelines.h"

enum { MOST_RESOURCES = 96, MOST_VIEWS = 8, MOST_DESCRIPTORS = 64, PATTERNS = 2 };

struct resource { /* the resource at one binding of the original */
	struct binding at;
	uint32_t ids[MOST_VIEWS]; /* of the variables that are views of it */
	uint32_t id_count;
	uint32_t *before; /* of each pattern: all words of all elements after the original has run */
};

struct original {
	struct resource items[MOST_RESOURCES];
	uint32_t count, push_size;
	uint32_t indexes; /* numbers below this are indexes into every array of descriptors */
	bool arrays;      /* there are some */
	char entry[256];
};

struct descriptor { /* one binding of a layout, and its resource */
	uint32_t set, binding, count;
	bool runtime;
	VkDescriptorType type;
	const struct resource *image, *sampler; /* the same for a single resource; NULL: none */
};

struct pipeline {
	char name[64];
	struct descriptor items[MOST_RESOURCES];
	uint32_t count, set_count;
	VkDescriptorSetLayout set_layouts[MAX_SETS];
	VkDescriptorPool pool;
	VkDescriptorSet sets[MAX_SETS];
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkSampler sampler; /* of combined image-samplers that are only fetched: the original uses none */
};

/* original.c: returns the reason for leaving it out, or NULL. */
const char *original_read(struct original *o, const struct program *program, const char *entry);
const struct resource *original_find(const struct original *o, uint32_t id);
void original_make(struct maker *v, struct original *o);
void original_fill(struct original *o, uint32_t pattern);
size_t original_words(const struct resource *r); /* words that the device may write; 0: none */
void original_copy(const struct resource *r, uint32_t *words);
void original_free(struct maker *v, struct original *o);
uint32_t pattern_word(const struct original *o, uint32_t pattern, uint32_t resource, uint32_t element, uint32_t word);

/* dispatch.c */
const char *dispatch_make(struct maker *v, struct pipeline *p, const struct original *o, const struct program *program);
void dispatch_run(struct maker *v, const struct pipeline *p, struct original *o, uint32_t pattern);
void dispatch_free(struct maker *v, struct pipeline *p);

#endif
