/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_pipelines: does Vulkan create pipelines of these modules with this layout?
 *
 *     reflect.c     facts about a module: entry points, inputs, outputs, and the layout that SPIRV-Cross sees
 *     slots.c       a layout as a list of bindings: from the JSON or from SPIRV-Cross; made for a device
 *     opened.c      a device with everything that shaders may need
 *     make.c        compute, graphics (dynamic rendering; a library for a fragment shader alone), mesh, ray tracing
 *     pipelines.c   jobs, each in a process that may crash */
#ifndef PIPELINES_H
#define PIPELINES_H

#include "../run.h"

enum { MOST_MODULES = 16, MOST_SLOTS = 512, MOST_SETS = 32, MOST_LOCATIONS = 32, MOST_ENTRIES = 8 };

struct slot { /* one binding of a descriptor set layout */
	uint32_t set, binding, count;
	VkDescriptorType type;
	VkShaderStageFlags stages;
	bool runtime;
	VkDescriptorType mutable_types[MAX_TYPES]; /* of VK_DESCRIPTOR_TYPE_MUTABLE_EXT */
	uint32_t mutable_count;
};

struct slots {
	struct slot items[MOST_SLOTS];
	uint32_t count;
	struct {
		uint32_t begin, end;
	} push[32];         /* by bit of the stage */
	const char *unmade; /* why no layout can be made; NULL: one can */
};

enum scalar { SCALAR_NONE, SCALAR_FLOAT, SCALAR_INT, SCALAR_UINT, SCALAR_OTHER };

struct entry {
	char name[256];
	VkShaderStageFlagBits stage;
	enum scalar in[MOST_LOCATIONS], out[MOST_LOCATIONS]; /* by Location */
	uint32_t in_width[MOST_LOCATIONS];                   /* components */
	VkPrimitiveTopology topology;                        /* of a geometry shader's input */
};

struct module {
	struct program program;
	struct entry entries[MOST_ENTRIES];
	uint32_t entry_count;
};

struct maker {
	struct device device;
	VkPhysicalDeviceLimits limits;
	bool mesh, ray_tracing, libraries, mutable_types;
};

/* opened.c: `robust`: with robustBufferAccess. */
void open_device(struct maker *v, bool robust);

/* reflect.c: returns the reason for leaving the module out, or NULL. `slots` may be NULL. */
const char *reflect(struct module *m, const char *path, struct slots *slots);

/* slots.c */
void slots_add(struct slots *slots, struct slot add);
void slots_push(struct slots *slots, VkShaderStageFlags stages, uint32_t begin, uint32_t end);
void slots_read(struct slots *slots, const char *json_path);
VkPipelineLayout slots_make(struct maker *v, struct slots *slots, VkDescriptorSetLayout *sets);

/* make.c: returns why no pipeline is made; NULL: it was tried, and the layer's complaints tell the result. */
const char *make_pipelines(struct maker *v, struct module *modules, uint32_t count, VkPipelineLayout layout);

#endif
