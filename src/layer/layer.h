/* SPDX-License-Identifier: Apache-2.0 */
/* layer: VK_LAYER_SPIRV_BIND, an explicit layer that analyses the shaders of a running application, on the public API
 * of the library alone. docs/layer.md is its manual.
 *
 *   table.c           handles to objects
 *   texts.c           texts, JSON strings, hashes
 *   settings.c        from the application, a file and the environment
 *   devices.c         instances and devices
 *   objects.c         shader modules and layouts, kept until their pipelines are known
 *   shader_stages.c   shaders with their entry points and specialization values, and programs of them
 *   findings.c        findings go to messengers and to a file
 *   recorder.c        modules, programs and layouts go to a folder
 *   analyse.c         lint and check of a program
 *   pipelines.c       which stages run together, from pipelines, their libraries, and shader objects
 *   loader.c          the loader's entry point, and the functions that the layer intercepts
 *
 * The calls of the application are passed on unchanged, whatever happens here. Locks are held for one step of one
 * table, so threads wait for one another only where they report or record something new. */
#ifndef SPB_LAYER_H
#define SPB_LAYER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include "spirv-bind/spirv_bind.h"

#define LAYER_NAME         "VK_LAYER_SPIRV_BIND"
#define LAYER_COUNT(array) (sizeof(array) / sizeof *(array))
#define LAYER_KEY(handle)  ((uint64_t)(handle)) /* of a handle that is not dispatchable */

/* Of headers newer than Debian 12's. */
#ifndef VK_EXT_layer_settings
typedef enum VkLayerSettingTypeEXT {
	VK_LAYER_SETTING_TYPE_BOOL32_EXT = 0,
	VK_LAYER_SETTING_TYPE_STRING_EXT = 7
} VkLayerSettingTypeEXT;
typedef struct VkLayerSettingEXT {
	const char *pLayerName, *pSettingName;
	VkLayerSettingTypeEXT type;
	uint32_t valueCount;
	const void *pValues;
} VkLayerSettingEXT;
typedef struct VkLayerSettingsCreateInfoEXT {
	VkStructureType sType;
	const void *pNext;
	uint32_t settingCount;
	const VkLayerSettingEXT *pSettings;
} VkLayerSettingsCreateInfoEXT;
#define VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT ((VkStructureType)1000496000)
#endif
#ifndef VK_EXT_shader_object
VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkShaderEXT)
typedef VkFlags VkShaderCreateFlagsEXT;
typedef enum VkShaderCodeTypeEXT { VK_SHADER_CODE_TYPE_SPIRV_EXT = 1 } VkShaderCodeTypeEXT;
typedef struct VkShaderCreateInfoEXT {
	VkStructureType sType;
	const void *pNext;
	VkShaderCreateFlagsEXT flags;
	VkShaderStageFlagBits stage;
	VkShaderStageFlags nextStage;
	VkShaderCodeTypeEXT codeType;
	size_t codeSize;
	const void *pCode;
	const char *pName;
	uint32_t setLayoutCount;
	const VkDescriptorSetLayout *pSetLayouts;
	uint32_t pushConstantRangeCount;
	const VkPushConstantRange *pPushConstantRanges;
	const VkSpecializationInfo *pSpecializationInfo;
} VkShaderCreateInfoEXT;
typedef VkResult(VKAPI_PTR *PFN_vkCreateShadersEXT)(VkDevice, uint32_t, const VkShaderCreateInfoEXT *,
						    const VkAllocationCallbacks *, VkShaderEXT *);
typedef void(VKAPI_PTR *PFN_vkDestroyShaderEXT)(VkDevice, VkShaderEXT, const VkAllocationCallbacks *);
#define VK_SHADER_CREATE_LINK_STAGE_BIT_EXT 1u
#endif
#ifndef VK_KHR_maintenance5
typedef struct VkPipelineCreateFlags2CreateInfoKHR {
	VkStructureType sType;
	const void *pNext;
	uint64_t flags;
} VkPipelineCreateFlags2CreateInfoKHR;
#define VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR ((VkStructureType)1000470005)
#endif

/* table.c: objects by number, for all threads */

enum { LAYER_SHARDS = 32 };

struct layer_table {
	struct layer_shard {
		pthread_mutex_t lock;
		struct layer_slot {
			uint64_t key;
			void *value; /* NULL: the slot is free */
		} * slots;
		size_t count, capacity; /* capacity: 0 or a power of two */
	} shards[LAYER_SHARDS];
};

void layer_table_init(struct layer_table *t);
void layer_table_clear(struct layer_table *t, void (*release)(void *value)); /* release: NULL: nothing to do */
void *layer_table_get(struct layer_table *t, uint64_t key);                  /* NULL: there is none */
/* *old: what was there before, or NULL. False: out of memory, and nothing has changed. */
bool layer_table_put(struct layer_table *t, uint64_t key, void *value, void **old);
void *layer_table_take(struct layer_table *t, uint64_t key);
/* For tables without values. False: the key was there already, or there is no memory for it. */
bool layer_table_add(struct layer_table *t, uint64_t key);

/* texts.c */

struct layer_text {
	char *data; /* NUL-terminated; NULL: empty. free() */
	size_t length, capacity;
	bool lost; /* out of memory */
};

/* %r: const char *, as it is; %s: with '?' for control characters and what is not UTF-8; %j: a string of JSON, with its
 * quotes; %p: a path as a URI; %u: uint32_t; %l: uint64_t; %x: uint64_t, 16 hexadecimal digits. */
void layer_add(struct layer_text *t, const char *format, ...);
bool layer_write(int file, const char *s, size_t size); /* all of it */
uint64_t layer_hash(uint64_t seed, const void *bytes, size_t size);

/* settings.c */

enum layer_format { LAYER_FORMAT_TEXT, LAYER_FORMAT_JSON, LAYER_FORMAT_SARIF };

struct layer_settings {
	bool lint, check;
	enum layer_format format;
	char report[1024]; /* the file; "stderr", "stdout" or "none" */
	char record[1024]; /* the folder; "": nothing is recorded */
	char rules[512];   /* of spb_uniformity_options.lint; "": all */
	char suppress[1024];
};

void layer_read_settings(struct layer_settings *s, const VkInstanceCreateInfo *info);
void layer_complain(const char *what, const char *about); /* about the layer itself, on the standard error */

/* devices.c */

struct layer_instance {
	_Atomic(void *) key; /* what the handles of the instance and its physical devices begin with; NULL: destroyed */
	struct layer_instance *next;
	VkInstance handle;
	PFN_vkGetInstanceProcAddr get;
	PFN_vkDestroyInstance destroy;
	PFN_vkSubmitDebugUtilsMessageEXT submit; /* NULL: the application has not enabled VK_EXT_debug_utils */
	struct layer_settings settings;
	struct layer_output *output; /* NULL: none */
	struct layer_record *record; /* NULL: none */
	struct layer_table analysed; /* programs */
	struct layer_table reported; /* findings */
	struct layer_table faulty;   /* programs that have findings */
};

/* Functions of a device that the layer intercepts. */
/* clang-format off */
#define LAYER_DEVICE_FUNCTIONS(F)                                                                                      \
	F(DestroyDevice) F(CreateShaderModule) F(DestroyShaderModule) F(CreateSampler) F(DestroySampler)               \
	F(CreateDescriptorSetLayout) F(DestroyDescriptorSetLayout) F(CreatePipelineLayout) F(DestroyPipelineLayout)    \
	F(CreateGraphicsPipelines) F(CreateComputePipelines) F(CreateRayTracingPipelinesKHR) F(DestroyPipeline)        \
	F(DeferredOperationJoinKHR) F(GetDeferredOperationResultKHR) F(CreateShadersEXT) F(DestroyShaderEXT)           \
	F(SetDebugUtilsObjectNameEXT)
/* clang-format on */

struct layer_device {
	_Atomic(void *) key; /* NULL: destroyed */
	struct layer_device *next;
	VkDevice handle;
	struct layer_instance *instance;
	PFN_vkGetDeviceProcAddr get;
	struct layer_table modules, set_layouts, pipeline_layouts;
	struct layer_table converting; /* samplers with Y'CbCr conversion */
	struct layer_table pipelines;  /* and shader objects */
	struct layer_table deferred;   /* calls that create pipelines, by their VkDeferredOperationKHR */
#define LAYER_POINTER(name) PFN_vk##name name;
	LAYER_DEVICE_FUNCTIONS(LAYER_POINTER) /* of the next layer; NULL: not available */
#undef LAYER_POINTER
};

/* Elements of the lists without a key, for new objects; NULL: out of memory. One thread at a time may call these. */
struct layer_instance *layer_make_instance(void);
struct layer_device *layer_make_device(void);
bool layer_free_devices(void); /* frees the elements, unless there is an instance */
void *layer_key_of(const void *dispatchable);
struct layer_instance *layer_instance_of(const void *dispatchable); /* or of a physical device; NULL: unknown */
struct layer_device *layer_device_of(VkDevice handle);
/* The first struct of this type in a chain; NULL: there is none. */
const void *layer_chained(const void *chain, VkStructureType type);

/* objects.c: each is freed with its last reference */

struct layer_module {
	atomic_uint references;
	_Atomic(char *) label; /* of vkSetDebugUtilsObjectNameEXT; NULL: it has none */
	uint64_t handle;       /* 0: it was given to a pipeline or shader directly */
	uint64_t hash;
	char name[24]; /* of its file in a record */
	size_t word_count;
	uint32_t words[];
};

struct layer_binding {
	uint32_t binding, type, count, stages, flags;
	uint32_t mutable_types; /* bits of layer_type_bit; 0: unknown, or not mutable */
	uint32_t converts;      /* some of its immutable samplers have a Y'CbCr conversion */
};

struct layer_set {
	atomic_uint references;
	uint64_t hash;
	uint32_t flags, count;
	struct layer_binding bindings[];
};

struct layer_layout {
	atomic_uint references;
	uint64_t hash;
	uint32_t set_count, push_count;
	struct layer_set **sets;   /* an element may be NULL: unknown or absent */
	VkPushConstantRange *push; /* both point into this allocation */
};

uint32_t layer_type_bit(uint32_t descriptor_type); /* 0: not a type that a mutable descriptor may have */
/* NULL: out of memory, or there is nothing to copy. */
struct layer_module *layer_module_create(const void *code, size_t size);
struct layer_layout *layer_layout_create(struct layer_device *d, uint32_t set_count, const VkDescriptorSetLayout *sets,
					 uint32_t push_count, const VkPushConstantRange *push);
void layer_module_release(void *module); /* NULL is ignored, as by those below */
void layer_set_release(void *set);
void layer_layout_release(void *layout);
const struct layer_binding *layer_find_binding(const struct layer_layout *l, uint32_t set, uint32_t binding);

/* shader_stages.c */

struct layer_stage {
	atomic_uint references;
	VkShaderStageFlagBits stage;
	struct layer_module *module;
	struct layer_layout *layout; /* NULL: unknown */
	uint64_t hash;               /* of everything but the layout */
	const char *entry, *label;   /* label: what VkDebugUtilsObjectNameInfoEXT calls the stage; "": nothing */
	uint32_t value_count;
	spb_spec_value values[];
};

/* Stages that run together: of a pipeline, a library, or shader objects. */
struct layer_program {
	struct layer_device *device;
	const char *kind; /* "graphics pipeline" */
	uint64_t key;     /* the name of the program: the same for the same stages and layouts */
	bool is_library;  /* its stages are kept */
	size_t count, capacity;
	struct layer_stage **stages;
	struct layer_module **modules; /* each once; NULL: the program is not complete */
	size_t module_count;
	spb_spec_value *values; /* on which all stages agree */
	uint32_t value_count;
};

/* Takes the references to the module and the layout. NULL: there is no module, or no memory. */
struct layer_stage *layer_make_stage(VkShaderStageFlagBits stage, struct layer_module *module,
				     struct layer_layout *layout, const char *entry, const char *label,
				     const VkSpecializationInfo *info);
const char *layer_label(const struct layer_stage *s); /* what the application calls it, or its module; "": nothing */
struct layer_program *layer_make_program(struct layer_device *d, const char *kind); /* NULL: out of memory */
void layer_add_stage(struct layer_program *p, struct layer_stage *s); /* takes the reference; NULL is ignored */
void layer_complete_program(struct layer_program *p);                 /* sets its modules and values */
const struct layer_stage *layer_stage_of(const struct layer_program *p, const char *module); /* by its name */
void layer_drop_stages(struct layer_program *p);
void layer_program_release(void *program); /* NULL is ignored */

/* findings.c */

struct layer_output *layer_output_open(const struct layer_settings *s); /* NULL: none */
void layer_output_close_all(void);
void layer_report(const struct layer_program *p, const spb_message *m);
/* The application has given a name to a pipeline or shader object whose findings were reported before. */
void layer_report_name(struct layer_instance *i, const struct layer_program *p, const char *name);

/* recorder.c */

struct layer_record *layer_record_open(const char *folder); /* NULL: it cannot be written */
void layer_record_close(struct layer_record *r);            /* NULL is ignored */
void layer_record_program(struct layer_record *r, const struct layer_program *p);
void layer_record_name(struct layer_record *r, const struct layer_program *p, const char *name);

/* analyse.c */

void layer_analyse(const struct layer_program *p); /* reports what lint and check find */

/* objects.c and pipelines.c: functions that the layer intercepts; { 0 } at the end */

struct layer_function {
	const char *name;
	PFN_vkVoidFunction ours;
	size_t next; /* of a device: where struct layer_device has the function of the next layer */
};

extern const struct layer_function layer_object_functions[], layer_pipeline_functions[];
void layer_deferred_release(void *deferred);

#endif
