/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_run: executes shaders on a Vulkan device, with every descriptor made from the layout JSON alone.
 *
 * The contents of a descriptor depend on its number n within its binding, so that a result identifies it:
 *
 *     texture, image     texels 200 + n; width 4 + n; height 4, depth 2, layers 2 (cube: 6) where it has them
 *     texel buffer       16 + n texels; texel j is 1000 * (n + 1) + j
 *     uniform buffer     32-bit word j is 1000 * (n + 1) + j
 *     storage buffer     the same; a runtime array at its end has 128 * (n + 1) elements
 *     sampler            n % 4: nearest, to edge; border transparent black; opaque black; opaque white
 *     accel. structure   one triangle across the z axis at z = 10 + n
 *     combined           texture n with sampler n
 *     shadow             depth n / 16, and a sampler that compares: 1 where the reference is less
 *
 * A runtime array gets RUNTIME_COUNT descriptors, of which FILLED of each type are written. If several types share one
 * (a heap of textures: float and uint, 2D and 3D), they alternate: number n of type t is element n * types + t.
 *
 * If rays are traced and no descriptor is an acceleration structure, FILLED of them are passed by address. A heap of
 * samplers has FILLED more, which compare. Multisampled images have 4 equal samples.
 *
 * In a draw, 2D textures of floats are 16 texels wide and high and have distinct levels: texels of level k are 200 + n
 * - 40 k. The target is WIDTH x HEIGHT pixels of four 32-bit numbers, CLEAR before.
 *
 * Formats: by the type's ImageFormat; without one R8G8B8A8_UNORM for float textures, one 32-bit channel for the rest.
 */
#ifndef RUN_H
#define RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum { LANES = 8, FILLED = 8, RUNTIME_COUNT = 128, MAX_TYPES = 16, MAX_SETS = 8, MAX_COMPANIONS = 4 };
enum { WIDTH = 4, HEIGHT = 2, CLEAR = 0xC1EA }; /* of the target, and what it holds before */

/* say.c */

/* Prints "DRIVER CASE: FAIL: ..." and exits: nothing sensible can follow. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
void check(VkResult result, const char *what);
void *zeroed(size_t count, size_t size); /* calloc that dies; only memory that grows with the cases is freed */
extern const char *now_running;          /* driver and case, for messages */

/* layout.c: the JSON */

struct named {
	const char *name;
	uint32_t value;
};

extern const struct named descriptor_names[], stage_names[]; /* { 0 } at the end */

struct type {
	VkDescriptorType descriptor; /* of its kind */
	const char *kind, *element, *dim, *format, *block;
	bool arrayed, multisampled, depth;
	uint32_t size, stride; /* of a block, and of its runtime array; bytes */
};

struct binding {
	uint32_t set, binding;
	uint32_t count; /* descriptors in the set layout */
	bool runtime;
	VkDescriptorType descriptor;
	VkDescriptorType mutable_types[MAX_TYPES]; /* if that is VK_DESCRIPTOR_TYPE_MUTABLE_EXT */
	uint32_t mutable_count;
	VkShaderStageFlags stages;
	VkDescriptorBindingFlags flags;
	const char *name;
	struct type types[MAX_TYPES]; /* of its views */
	uint32_t type_count;
	struct element *elements;
	uint32_t filled; /* elements that are written */
};

struct layout {
	json_t *json; /* owns all strings */
	struct binding *bindings;
	uint32_t binding_count, set_count;
	VkPushConstantRange push[8];
	uint32_t push_count, push_size;
	const char *entry_point;
	VkShaderStageFlagBits stage; /* of the first entry point */
};

struct layout *layout_read(const char *path);
void layout_free(struct layout *layout);
/* The resource of this name, or the block of this type name. Dies if there is none. */
struct binding *layout_find(const struct layout *layout, const char *name);
/* Calls `visit` for each string of modules[].requires.KEY. */
void layout_each_required(const struct layout *layout, const char *key, void (*visit)(void *user, const char *string),
			  void *user);

/* device.c */

enum driver { DRIVER_OTHER = 0, LAVAPIPE = 1, SWIFTSHADER = 2, GRADIENTS = 4 }; /* bits; the last is none */

struct features {
	VkPhysicalDeviceFeatures2 core;
	VkPhysicalDeviceVulkan11Features vulkan11;
	VkPhysicalDeviceVulkan12Features vulkan12;
	VkPhysicalDeviceVulkan13Features vulkan13;
	VkPhysicalDeviceAccelerationStructureFeaturesKHR acceleration;
	VkPhysicalDeviceRayQueryFeaturesKHR ray_query;
	VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_type;
	VkPhysicalDeviceMeshShaderFeaturesEXT mesh;
	VkPhysicalDeviceRayTracingPipelineFeaturesKHR trace;
};

struct device {
	VkInstance instance;
	VkDebugUtilsMessengerEXT messenger;
	VkPhysicalDevice physical;
	VkPhysicalDeviceMemoryProperties memory;
	uint32_t version; /* of the instance and the device, the lesser */
	enum driver driver;
	const char *driver_name;
	unsigned complaints; /* errors and warnings of the validation layer in this case */
	VkDevice device;     /* of this case, with the features it asked for */
	VkQueue queue;
	uint32_t family;
	bool ray_queries, mutable_types, meshes, traces; /* extensions that are there */
	bool draws;                                      /* in this case: no compute, no rays */
	bool unvalidated;                                /* without the validation layer; set before device_choose */
	struct features has, uses;
};

void device_choose(struct device *d, const char *icd);
bool device_has_extension(const struct device *d, const char *name);
/* With one queue. features: what to switch on, linked. */
void device_create(struct device *d, const VkPhysicalDeviceFeatures2 *features, const char *const *extensions,
		   uint32_t count);
/* With all features that it has, and those of the wanted extensions that are there. */
VkPhysicalDeviceLimits device_create_whole(struct device *d, const char *const *wanted, size_t count);
void device_open(struct device *d, struct layout *layout); /* also decides the flags of runtime arrays */
void device_close(struct device *d);
void device_forget(struct device *d);

/* contents.c: what the descriptors point to */

struct element {
	const struct type *type;
	VkBuffer buffer; /* or, of an image, where it is copied from and back to */
	VkDeviceMemory buffer_memory;
	uint32_t *words; /* of `buffer`, mapped */
	VkDeviceSize size;
	VkBufferView texels;
	VkImage image;
	VkDeviceMemory image_memory;
	VkImageView view;
	VkExtent3D extent;
	uint32_t layers, levels, number; /* number n */
	VkImageAspectFlags aspect;
	VkSampler sampler;
	struct acceleration *acceleration;
};

struct element element_buffer(struct device *d, VkDeviceSize size, VkBufferUsageFlags usage);
VkFormat element_format(const struct element *e); /* of an image or a texel buffer */
/* Between two uses of an image. */
void element_move(VkCommandBuffer commands, const struct element *e, VkImageLayout from, VkImageLayout to);
void elements_make(struct device *d, struct binding *b);
void elements_upload(struct device *d, VkCommandBuffer commands, struct binding *b);
void elements_download(VkCommandBuffer commands, struct binding *b);
void elements_free(struct device *d, struct binding *b);

/* acceleration.c */

struct acceleration *acceleration_make(struct device *d, uint32_t number);
void acceleration_build(struct device *d, VkCommandBuffer commands, struct acceleration *a);
const VkAccelerationStructureKHR *acceleration_handle(const struct acceleration *a);
VkDeviceAddress acceleration_address(const struct device *d, const struct acceleration *a);
void acceleration_free(struct device *d, struct acceleration *a);

/* run.c */

struct program {
	uint32_t *words;
	size_t count;
	VkShaderStageFlagBits stage; /* of its first entry point */
};

struct program program_read(const char *path);
void program_strip_nonuniform(struct program *p);
void program_break_waterfall(struct program *p);
void program_break_gradients(struct program *p);

/* A dispatch, a draw, or rays, depending on the stage of the program; with companions for the other stages of a
 * pipeline, which have no descriptors. `fill` runs when the contents exist, `read` when they have been copied back. */
struct run {
	struct device *device;
	struct layout *layout;
	const struct program *program;
	const struct program *companions;
	uint32_t companion_count;
	uint32_t vertices;         /* of a draw; 0: three */
	bool points;               /* ... of which each is a point */
	uint32_t groups;           /* of a dispatch, of tasks, of rays / LANES; 0: one */
	const uint32_t *constants; /* number i specializes constant i */
	uint32_t constant_count;
	uint32_t push[64];
	void (*fill)(struct run *r);
	void (*read)(struct run *r);
	void *user;
	struct objects *objects; /* between run_open and run_close */
	struct element *target;  /* of a draw */
};

void run_once(struct run *r);
/* The same in three parts: many programs that share a layout need one device. Contents of buffers persist between
 * them. */
VkDeviceAddress run_acceleration_address(const struct run *r, uint32_t number);
void run_open(struct run *r);
void run_program(struct run *r);
void run_close(struct run *r);

/* pipeline.c: from the stages to the commands */

struct pipeline *pipeline_make(struct run *r, VkPipelineLayout layout);
void pipeline_record(const struct run *r, struct pipeline *p, VkPipelineLayout layout, const VkDescriptorSet *sets,
		     VkCommandBuffer commands);
void pipeline_free(struct run *r, struct pipeline *p);

/* target.c: what is drawn into */

struct element target_make(struct device *d, uint32_t width, uint32_t height);
void target_begin(const struct element *target, VkCommandBuffer commands);
void target_end(const struct element *target, VkCommandBuffer commands);
void target_free(struct device *d, struct element *target);

/* cases.c */

/* A check of a case: for each lane a number, which must be a + b * pick(lane) + c * lane. */
struct column {
	const char *name;
	uint32_t a, b, c;
	unsigned stripped; /* drivers on which it comes out wrong when NonUniform is stripped */
	unsigned kept;     /* ... and with stock glslang's decorations, not completed   */
	unsigned broken;   /* drivers that always get it wrong                       */
	const char
	    *written; /* check word `word` of element pick(lane) of this binding, or of TARGET; otherwise of out_data */
	uint32_t word;
};

#define TARGET "the target of a draw" /* the lane's pixel, whose words are the channels */

/* Row r of the buffer `handles` is FILLED handles of the descriptors of this type in their heap; member r of the
 * push constants is one such handle, number PUSHED. */
struct handle_row {
	const char *kind, *dim;
	const char *element; /* "uint", or with its format: "uint R32ui"; of buffers the block */
	unsigned shape;
};

enum { ARRAYED = 1, MULTISAMPLED = 2, DEPTH = 4 }; /* handle_row.shape; of a sampler DEPTH: one that compares */

enum { PUSHED = 5, MAX_COLUMNS = 16, MAX_ROWS = 16 };

struct test_case {
	const char *name;
	struct column columns[MAX_COLUMNS];
	struct handle_row handles[MAX_ROWS];
};

extern const struct test_case test_cases[];
extern const size_t test_case_count;

uint32_t pick(uint32_t lane); /* the descriptor a lane uses: PICK in case.glsl */
void case_fill(struct run *r, const struct test_case *c);
uint32_t case_result(const struct run *r, const struct column *column, uint32_t number, uint32_t lane);

#endif
