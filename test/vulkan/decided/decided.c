/* SPDX-License-Identifier: Apache-2.0 */
/* decided: decisions of policies about descriptors, created in Vulkan from the lists of the API, with the validation
 * layer.
 *
 *     taken      the layer accepts the layouts that spb_program_descriptors describes
 *     refused    the library refuses a policy, citing a rule; the layer cites the same rule for the requested layout
 *
 *     vulkan_decided FIXTURE */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-bind/spirv_bind.h>
#include <spirv-tools/libspirv.h>
#include <vulkan/vulkan.h>

enum { MOST = 16, RUNTIME = 8 };
enum { UPDATE = 1, PENDING = 2, PARTIAL = 4, VARIABLE = 8, NO_SET = 99 };
#define DYNAMIC VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC
#define INLINE  VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK

static const char *const taken[] = {
    "",
    "descriptor name=Draw -> type=dynamic\ndescriptor name=Data -> type=dynamic",
    "descriptor name=Draw -> type=inline-uniform-block",
    "descriptor name=Draw -> type=inline-uniform-block flags=update-after-bind",
    "descriptor kind=sampler -> samplers=immutable",
    "descriptor name=Data -> flags=update-after-bind,update-unused-while-pending,partially-bound,variable-count",
    "descriptor name=picture -> flags=update-after-bind samplers=immutable",
    "push set=2",
    "option descriptor-buffers=yes",
    "push set=0\ndescriptor kind=sampler -> samplers=immutable flags=partially-bound",
    "place name=Data -> set=1\ndescriptor name=Draw -> type=dynamic\ndescriptor name=Data -> flags=partially-bound",
};

/* The layout that a refused policy asks for. */
struct change {
	const char *name;
	VkDescriptorType type; /* 0: unchanged */
	VkDescriptorBindingFlags flags;
};

static const struct refusal {
	const char *policy, *rule, *before; /* before: an accepted policy */
	struct change changes[2];
	uint32_t push, push_too; /* sets */
	bool buffers;
} refused[] = {
    {"descriptor name=input -> flags=update-after-bind", "None-03011", "", {{"input", 0, UPDATE}}, NO_SET, NO_SET},
    {"descriptor name=Draw -> type=dynamic flags=update-after-bind",
     "None-03011",
     "",
     {{"Draw", DYNAMIC, UPDATE}},
     NO_SET,
     NO_SET},
    {"descriptor name=Draw -> flags=variable-count",
     "pBindingFlags-03004",
     "",
     {{"Draw", 0, VARIABLE}},
     NO_SET,
     NO_SET},
    {"descriptor name=Data -> type=dynamic flags=variable-count",
     "pBindingFlags-03015",
     "",
     {{"Data", STORAGE, VARIABLE}},
     NO_SET,
     NO_SET},
    {"descriptor name=Draw -> type=dynamic\ndescriptor name=Data -> flags=update-after-bind",
     "descriptorType-03001",
     "place name=Data -> set=1",
     {{"Draw", DYNAMIC, 0}, {"Data", 0, UPDATE}},
     NO_SET,
     NO_SET},
    {"push set=1\ndescriptor name=Draw -> type=dynamic", "flags-00280", "", {{"Draw", DYNAMIC, 0}}, 1, NO_SET},
    {"push set=1\ndescriptor name=Draw -> type=inline-uniform-block",
     "flags-02208",
     "",
     {{"Draw", INLINE, 0}},
     1,
     NO_SET},
    {"push set=2\ndescriptor name=Data -> flags=update-unused-while-pending",
     "flags-03003",
     "",
     {{"Data", 0, PENDING}},
     2,
     NO_SET},
    {"push set=1\npush set=2", "pSetLayouts-00293", "", {{""}}, 1, 2},
    {"option descriptor-buffers=yes\ndescriptor name=Draw -> type=dynamic",
     "flags-08000",
     "",
     {{"Draw", DYNAMIC, 0}},
     NO_SET,
     NO_SET,
     true},
    {"option descriptor-buffers=yes\ndescriptor name=Data -> flags=update-after-bind",
     "flags-08002",
     "",
     {{"Data", 0, UPDATE}},
     NO_SET,
     NO_SET,
     true},
};

static char heard[4096], said[4096]; /* messages of the layer, and of the library */
static bool failed;

static void fail(const char *policy, const char *format, ...)
{
	va_list arguments;

	printf("FAILED %s\n    ", policy);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	failed = true;
}

static void append(char *to, size_t size, const char *text)
{
	size_t length = strlen(to);

	snprintf(to + length, size - length, "%s\n", text);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
						 VkDebugUtilsMessageTypeFlagsEXT type,
						 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	(void)severity;
	(void)type;
	(void)user;
	append(heard, sizeof heard, data->pMessageIdName ? data->pMessageIdName : "");
	append(heard, sizeof heard, data->pMessage);
	return VK_FALSE;
}

static void on_library(void *user, const spb_message *message)
{
	(void)user;
	if (message->severity == SPB_SEVERITY_ERROR)
		append(said, sizeof said, message->text);
}

/* Vulkan */

static VkDevice open_device(void)
{
	static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"}, *const debug[] = {"VK_EXT_debug_utils"};
	static const char *const extensions[] = {"VK_KHR_push_descriptor", "VK_EXT_descriptor_buffer"};
	VkDebugUtilsMessengerCreateInfoEXT messages = {
	    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
	    .messageSeverity =
		VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
	    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
	    .pfnUserCallback = on_message,
	};
	VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					      .pNext = &messages,
					      .pApplicationInfo = &application,
					      .enabledLayerCount = 1,
					      .ppEnabledLayerNames = layers,
					      .enabledExtensionCount = 1,
					      .ppEnabledExtensionNames = debug};
	VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
	VkPhysicalDeviceVulkan13Features v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
						.pNext = &buffers};
	VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
						.pNext = &v13};
	VkPhysicalDeviceFeatures2 core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v12};
	VkDeviceQueueCreateInfo queue = {
	    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &(float){1.0f}};
	VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
					  .pNext = &core,
					  .queueCreateInfoCount = 1,
					  .pQueueCreateInfos = &queue,
					  .enabledExtensionCount = 2,
					  .ppEnabledExtensionNames = extensions};
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkDebugUtilsMessengerEXT messenger;
	uint32_t one = 1;

	if (vkCreateInstance(&instance_info, NULL, &instance) != VK_SUCCESS ||
	    vkEnumeratePhysicalDevices(instance, &one, &physical) < 0 || !one) {
		printf("no Vulkan device with the validation layer\n");
		exit(1);
	}
	PFN_vkCreateDebugUtilsMessengerEXT listen =
	    (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT");
	vkGetPhysicalDeviceFeatures2(physical, &core);
	core.features.robustBufferAccess = VK_FALSE; /* with update-after-bind, it needs another feature */
	if (listen(instance, &messages, NULL, &messenger) != VK_SUCCESS ||
	    vkCreateDevice(physical, &device_info, NULL, &device) != VK_SUCCESS) {
		printf("the device cannot be opened\n");
		exit(1);
	}
	return device;
}

struct made {
	VkDescriptorSetLayoutBinding bindings[MOST];
	VkDescriptorBindingFlags flags[MOST];
	VkDescriptorSetLayout sets[MOST];
	VkSampler sampler;
};

static VkDescriptorSetLayout make_set(VkDevice device, struct made *m, const spb_descriptor_binding *d, size_t count,
				      uint32_t set)
{
	VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, .pBindingFlags = m->flags};
	VkDescriptorSetLayoutCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .pNext = &flags, .pBindings = m->bindings};
	VkDescriptorSetLayout layout = VK_NULL_HANDLE;

	for (size_t i = 0; i < count; i++) {
		if (d[i].set != set)
			continue;
		m->flags[info.bindingCount] = d[i].flags;
		m->bindings[info.bindingCount++] = (VkDescriptorSetLayoutBinding){
		    .binding = d[i].binding,
		    .descriptorType = (VkDescriptorType)d[i].descriptor_type,
		    .descriptorCount = d[i].count ? d[i].count : RUNTIME,
		    .stageFlags = d[i].stages,
		    .pImmutableSamplers = d[i].immutable_samplers ? &m->sampler : NULL,
		};
		info.flags = d[i].set_flags;
	}
	flags.bindingCount = info.bindingCount;
	vkCreateDescriptorSetLayout(device, &info, NULL, &layout);
	return layout;
}

/* Puts the layer's messages about these layouts into `heard`. */
static void make_layout(VkDevice device, const spb_descriptor_binding *d, size_t count, spb_program *program)
{
	struct made m = {.sampler = VK_NULL_HANDLE};
	VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .maxLod = 1.0f};
	VkPushConstantRange ranges[MOST];
	const spb_push_constant_range *r;
	VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
					   .pSetLayouts = m.sets,
					   .pPushConstantRanges = ranges};
	VkPipelineLayout layout = VK_NULL_HANDLE;

	vkCreateSampler(device, &sampler, NULL, &m.sampler);
	heard[0] = '\0';
	for (size_t i = 0; i < count; i++)
		info.setLayoutCount = d[i].set + 1 > info.setLayoutCount ? d[i].set + 1 : info.setLayoutCount;
	info.pushConstantRangeCount = (uint32_t)spb_program_push_constants(program, sizeof *r, &r);
	for (uint32_t i = 0; i < info.pushConstantRangeCount; i++)
		ranges[i] = (VkPushConstantRange){r[i].stages, r[i].offset, r[i].size};
	for (uint32_t i = 0; i < info.setLayoutCount; i++)
		m.sets[i] = make_set(device, &m, d, count, i);
	vkCreatePipelineLayout(device, &info, NULL, &layout);
	vkDestroyPipelineLayout(device, layout, NULL);
	for (uint32_t i = 0; i < info.setLayoutCount; i++)
		vkDestroyDescriptorSetLayout(device, m.sets[i], NULL);
	vkDestroySampler(device, m.sampler, NULL);
}

/* The library */

static spv_binary assemble(const char *path)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "rb");
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	spv_binary binary = NULL;

	if (!f || spvTextToBinary(context, text, fread(text, 1, sizeof text, f), &binary, NULL) != SPV_SUCCESS) {
		printf("cannot assemble %s\n", path);
		exit(1);
	}
	fclose(f);
	spvContextDestroy(context);
	return binary;
}

static spb_program *bind(spb_context *context, spv_binary module, const char *before, const char *policy)
{
	const spb_policy policies[] = {{"before", before}, {"policy", policy}};
	spb_options options;
	spb_program *program = NULL;

	said[0] = '\0';
	spb_options_init(&options, sizeof options);
	options.layout.order = SPB_ORDER_MODULE;
	options.layout.policies = policies;
	options.layout.policy_count = 2;
	if (spb_program_create(context, &options, &program) != SPB_OK)
		return NULL;
	if (spb_program_add(program, "m", module->code, module->wordCount, 0) == SPB_OK &&
	    spb_program_bind(program) == SPB_OK)
		return program;
	spb_program_destroy(program);
	return NULL;
}

static void check_taken(VkDevice device, spb_context *context, spv_binary module, const char *policy)
{
	spb_program *program = bind(context, module, "", policy);
	const spb_descriptor_binding *d;

	if (!program) {
		fail(policy, "the library refuses it: %s", said);
		return;
	}
	size_t count = spb_program_descriptors(program, sizeof *d, &d);
	make_layout(device, d, count, program);
	if (*heard || count != 4)
		fail(policy, "%u descriptors; the layer says: %s", (unsigned)count, heard);
	spb_program_destroy(program);
}

static void change(spb_descriptor_binding *d, const struct refusal *r)
{
	for (size_t i = 0; i < sizeof r->changes / sizeof r->changes[0]; i++) {
		const struct change *c = &r->changes[i];
		if (!c->name || strcmp(c->name, d->name) != 0)
			continue;
		d->descriptor_type = c->type ? (uint32_t)c->type : d->descriptor_type;
		d->flags = c->flags;
		d->count = c->type == INLINE ? 16 : d->count;
	}
	if (r->buffers)
		d->set_flags |= VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
	if (d->set == r->push || d->set == r->push_too)
		d->set_flags |= VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
}

static void check_refused(VkDevice device, spb_context *context, spv_binary module, const struct refusal *r)
{
	spb_program *program = bind(context, module, r->before, r->policy);
	spb_descriptor_binding asked[MOST];
	const spb_descriptor_binding *d;
	bool pooled[MOST] = {false};

	if (program) {
		fail(r->policy, "the library takes it");
		spb_program_destroy(program);
		return;
	}
	if (!strstr(said, r->rule))
		fail(r->policy, "the library does not name %s: %s", r->rule, said);
	program = bind(context, module, r->before, "");
	size_t count = program ? spb_program_descriptors(program, sizeof *d, &d) : 0;
	for (size_t i = 0; i < count; i++) {
		asked[i] = d[i];
		change(&asked[i], r);
		pooled[asked[i].set] |= asked[i].flags & UPDATE;
	}
	for (size_t i = 0; i < count; i++)
		asked[i].set_flags |=
		    pooled[asked[i].set] ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0;
	make_layout(device, asked, count, program);
	if (!strstr(heard, r->rule))
		fail(r->policy, "the layer does not name %s: %s", r->rule, heard);
	spb_program_destroy(program);
}

int main(int argc, char **argv)
{
	const spb_callbacks callbacks = {on_library, NULL};
	spb_context *context;

	if (argc != 2 || spb_context_create(NULL, &callbacks, &context) != SPB_OK)
		return 1;
	spv_binary module = assemble(argv[1]);
	VkDevice device = open_device();
	for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
		check_taken(device, context, module, taken[i]);
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
		check_refused(device, context, module, &refused[i]);
	printf("%u policies taken, %u refused: %s\n", (unsigned)(sizeof taken / sizeof taken[0]),
	       (unsigned)(sizeof refused / sizeof refused[0]), failed ? "with faults" : "as Vulkan does");
	spvBinaryDestroy(module);
	spb_context_destroy(context);
	return failed;
}
