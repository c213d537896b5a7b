/* SPDX-License-Identifier: Apache-2.0 */
/* draw: a textured square without a window, for which no number of the shaders is repeated here:
 *     spirv-bind draw.vert draw.frag --out-dir=. --words=c --layout-header=draw.h
 *     cc draw.c -o draw -lvulkan
 *     ./draw > picture.ppm */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define draw_tables
#include "draw.h"

static const uint32_t vert_words[] =
#include "draw.vert.inc"
    ;
static const uint32_t frag_words[] =
#include "draw.frag.inc"
    ;

enum { SIZE = 64 }; /* pixels in each direction */
static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
static const VkRect2D whole = {{0, 0}, {SIZE, SIZE}};
static const VkImageSubresourceRange color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

static VkPhysicalDevice gpu;
static VkDevice device;
static VkCommandBuffer commands;
#define OF(type) .sType = VK_STRUCTURE_TYPE_##type
#define CHECK(call) ((call) == VK_SUCCESS ? (void)0 : (fputs(#call "\n", stderr), exit(2)))

static void open_device(void)
{
	VkApplicationInfo application = {OF(APPLICATION_INFO), .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo start = {OF(INSTANCE_CREATE_INFO), .pApplicationInfo = &application};
	VkPhysicalDeviceVulkan13Features v13 = {OF(PHYSICAL_DEVICE_VULKAN_1_3_FEATURES), .dynamicRendering = VK_TRUE};
	VkPhysicalDeviceFeatures2 features = {OF(PHYSICAL_DEVICE_FEATURES_2), .pNext = &v13};
	VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, &(float){1}};
	VkDeviceCreateInfo info = {OF(DEVICE_CREATE_INFO), .pNext = &features,
				   .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info};
	VkCommandPoolCreateInfo pool_info = {OF(COMMAND_POOL_CREATE_INFO)};
	VkCommandBufferAllocateInfo list = {OF(COMMAND_BUFFER_ALLOCATE_INFO), .commandBufferCount = 1};
	VkInstance instance;
	uint32_t one = 1;

	CHECK(vkCreateInstance(&start, NULL, &instance));
	if (vkEnumeratePhysicalDevices(instance, &one, &gpu) < 0 || !one || draw_enable_features(&features))
		exit(2);
	CHECK(vkCreateDevice(gpu, &info, NULL, &device));
	CHECK(vkCreateCommandPool(device, &pool_info, NULL, &list.commandPool));
	CHECK(vkAllocateCommandBuffers(device, &list, &commands));
}

/* Memory that the host can write. */
static VkDeviceMemory allocate(VkMemoryRequirements needs, void **bytes)
{
	const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkMemoryAllocateInfo info = {OF(MEMORY_ALLOCATE_INFO), .allocationSize = needs.size};
	VkPhysicalDeviceMemoryProperties types;
	VkDeviceMemory memory;

	vkGetPhysicalDeviceMemoryProperties(gpu, &types);
	while (!(needs.memoryTypeBits >> info.memoryTypeIndex & 1) ||
	       (types.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted)
		info.memoryTypeIndex++;
	CHECK(vkAllocateMemory(device, &info, NULL, &memory));
	if (bytes)
		CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, bytes));
	return memory;
}

static VkBuffer make_buffer(const void *data, size_t size, void **bytes)
{
	VkBufferCreateInfo info = {OF(BUFFER_CREATE_INFO), .size = size,
				   .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
					    VK_BUFFER_USAGE_TRANSFER_DST_BIT};
	VkMemoryRequirements needs;
	VkBuffer buffer;

	CHECK(vkCreateBuffer(device, &info, NULL, &buffer));
	vkGetBufferMemoryRequirements(device, buffer, &needs);
	CHECK(vkBindBufferMemory(device, buffer, allocate(needs, bytes), 0));
	memcpy(*bytes, data, size);
	return buffer;
}

static void wait_for(VkImage image, VkImageLayout before) /* which it had: it is general from then on */
{
	VkImageMemoryBarrier barrier = {OF(IMAGE_MEMORY_BARRIER), .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
					.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
					.oldLayout = before, .newLayout = VK_IMAGE_LAYOUT_GENERAL,
					.image = image, .subresourceRange = color};

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
			     0, NULL, 0, NULL, 1, &barrier);
}

static VkImage make_image(uint32_t size, VkImageUsageFlags usage, VkImageView *view)
{
	VkImageCreateInfo info = {OF(IMAGE_CREATE_INFO), .imageType = VK_IMAGE_TYPE_2D,
				  .format = format, .extent = {size, size, 1}, .mipLevels = 1, .arrayLayers = 1,
				  .samples = VK_SAMPLE_COUNT_1_BIT, .usage = usage};
	VkImageViewCreateInfo view_info = {OF(IMAGE_VIEW_CREATE_INFO), .viewType = VK_IMAGE_VIEW_TYPE_2D,
					   .format = format, .subresourceRange = color};
	VkMemoryRequirements needs;

	CHECK(vkCreateImage(device, &info, NULL, &view_info.image));
	vkGetImageMemoryRequirements(device, view_info.image, &needs);
	CHECK(vkBindImageMemory(device, view_info.image, allocate(needs, NULL), 0));
	CHECK(vkCreateImageView(device, &view_info, NULL, view));
	wait_for(view_info.image, VK_IMAGE_LAYOUT_UNDEFINED);
	return view_info.image;
}

/* An image of one color. */
static VkDescriptorImageInfo make_pattern(float red, float green)
{
	const VkSamplerCreateInfo sampler_info = {OF(SAMPLER_CREATE_INFO)};
	const VkClearColorValue value = {{red, green, 1, 1}};
	VkDescriptorImageInfo info = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
	VkImage image = make_image(1, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, &info.imageView);

	vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &color);
	wait_for(image, VK_IMAGE_LAYOUT_GENERAL);
	CHECK(vkCreateSampler(device, &sampler_info, NULL, &info.sampler));
	return info;
}

/* The sets, with their descriptors, and the pipeline layout. */
static VkPipelineLayout make_layout(VkDescriptorSet *sets)
{
	void *bytes;
	const struct draw_Camera_data camera = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
	const struct draw_Material_data material = {.tint = {1, 0.5f, 0.25f}, .gradient = 0.25f};
	const VkDeviceSize all = VK_WHOLE_SIZE;
	const struct draw_set_0_descriptors first = {{{make_buffer(&camera, sizeof camera, &bytes), 0, all}}};
	const struct draw_set_1_descriptors second = {{{make_buffer(&material, sizeof material, &bytes), 0, all}},
						      {make_pattern(1, 0), make_pattern(0.5f, 1)}};
	VkPipelineLayoutCreateInfo info = draw_pipeline_layout;
	VkDescriptorSetLayout layouts[draw_sets];
	const VkDescriptorPoolSize sizes[] = draw_pool_sizes(1);
	VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, draw_pool_flags,
						draw_pool_sets(1), sizeof sizes / sizeof *sizes, sizes};
	VkDescriptorSetAllocateInfo sets_info = {OF(DESCRIPTOR_SET_ALLOCATE_INFO),
						 .descriptorSetCount = draw_sets, .pSetLayouts = layouts};
	VkPipelineLayout layout;

	info.pSetLayouts = layouts;
	for (uint32_t i = 0; i < draw_sets; i++)
		CHECK(vkCreateDescriptorSetLayout(device, draw_set_layouts[i], NULL, &layouts[i]));
	CHECK(vkCreatePipelineLayout(device, &info, NULL, &layout));
	CHECK(vkCreateDescriptorPool(device, &pool_info, NULL, &sets_info.descriptorPool));
	CHECK(vkAllocateDescriptorSets(device, &sets_info, sets));
	for (uint32_t i = 0; i < draw_sets; i++) {
		VkDescriptorUpdateTemplateCreateInfo update = i ? draw_set_1_template : draw_set_0_template;
		VkDescriptorUpdateTemplate made;
		update.descriptorSetLayout = layouts[i];
		CHECK(vkCreateDescriptorUpdateTemplate(device, &update, NULL, &made));
		vkUpdateDescriptorSetWithTemplate(device, sets[i], made, i ? (const void *)&second : &first);
	}
	return layout;
}

static VkPipeline make_pipeline(VkPipelineLayout layout)
{
	const struct draw_constants constants = {.brightness = 0.5f};
	VkSpecializationInfo specialization = draw_specialization;
	VkShaderModuleCreateInfo modules[] = {
	    {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof vert_words, vert_words},
	    {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof frag_words, frag_words}};
	VkPipelineShaderStageCreateInfo stages[] = {draw_stages[draw_vert_stage], draw_stages[draw_frag_stage]};
	VkPipelineInputAssemblyStateCreateInfo assembly = {OF(PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO),
							   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
	const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
	VkPipelineViewportStateCreateInfo view = {OF(PIPELINE_VIEWPORT_STATE_CREATE_INFO), .viewportCount = 1,
						  .pViewports = &viewport, .scissorCount = 1, .pScissors = &whole};
	VkPipelineRasterizationStateCreateInfo raster = {OF(PIPELINE_RASTERIZATION_STATE_CREATE_INFO), .lineWidth = 1};
	VkPipelineMultisampleStateCreateInfo samples = {OF(PIPELINE_MULTISAMPLE_STATE_CREATE_INFO),
							.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	const VkPipelineColorBlendAttachmentState all = {.colorWriteMask = 0xF};
	VkPipelineColorBlendStateCreateInfo blend = {OF(PIPELINE_COLOR_BLEND_STATE_CREATE_INFO),
						     .attachmentCount = 1, .pAttachments = &all};
	VkPipelineRenderingCreateInfo rendering = {OF(PIPELINE_RENDERING_CREATE_INFO),
						   .colorAttachmentCount = 1, .pColorAttachmentFormats = &format};
	VkGraphicsPipelineCreateInfo info = {OF(GRAPHICS_PIPELINE_CREATE_INFO), .pNext = &rendering,
					     .stageCount = 2, .pStages = stages, .pViewportState = &view,
					     .pVertexInputState = &draw_vertex_input, .pInputAssemblyState = &assembly,
					     .pRasterizationState = &raster, .pMultisampleState = &samples,
					     .pColorBlendState = &blend, .layout = layout};
	VkPipeline made;

	specialization.pData = &constants;
	for (int i = 0; i < 2; i++) {
		stages[i].pSpecializationInfo = &specialization;
		CHECK(vkCreateShaderModule(device, &modules[i], NULL, &stages[i].module));
	}
	CHECK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &made));
	return made;
}

static void draw(VkImageView target)
{
	void *bytes;
	const struct draw_vertex corners[] = {
	    {{-1, -1}, {0, 0}}, {{1, -1}, {1, 0}}, {{-1, 1}, {0, 1}}, {{1, 1}, {1, 1}}};
	const VkBuffer vertices = make_buffer(corners, sizeof corners, &bytes);
	const struct draw_Push_data push = {.offset = {0.5f, 0}, .pattern = 1};
	const VkPushConstantRange *range = &draw_push_constant_ranges[0];
	VkRenderingAttachmentInfo attachment = {OF(RENDERING_ATTACHMENT_INFO), .imageView = target,
						.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
	VkRenderingInfo rendering = {OF(RENDERING_INFO), .renderArea = whole, .layerCount = 1,
				     .colorAttachmentCount = 1, .pColorAttachments = &attachment};
	VkDescriptorSet sets[draw_sets];
	const VkPipelineLayout layout = make_layout(sets);

	vkCmdBeginRendering(commands, &rendering);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(layout));
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, draw_sets, sets, 0, NULL);
	vkCmdPushConstants(commands, layout, range->stageFlags, range->offset, range->size, &push);
	vkCmdBindVertexBuffers(commands, 0, 1, &vertices, &(VkDeviceSize){0});
	vkCmdDraw(commands, 4, 1, 0, 0);
	vkCmdEndRendering(commands);
}

int main(void)
{
	VkCommandBufferBeginInfo begin = {OF(COMMAND_BUFFER_BEGIN_INFO)};
	VkSubmitInfo submit = {OF(SUBMIT_INFO), .commandBufferCount = 1, .pCommandBuffers = &commands};
	const VkBufferImageCopy copy = {0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {SIZE, SIZE, 1}};
	VkQueue queue;
	VkImageView view;
	static const unsigned char pixels[SIZE * SIZE][4];
	void *picture;

	open_device();
	CHECK(vkBeginCommandBuffer(commands, &begin));
	VkImage image = make_image(SIZE, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, &view);
	const VkBuffer read = make_buffer(pixels, sizeof pixels, &picture);
	draw(view);
	wait_for(image, VK_IMAGE_LAYOUT_GENERAL);
	vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, read, 1, &copy);
	CHECK(vkEndCommandBuffer(commands));
	vkGetDeviceQueue(device, 0, 0, &queue);
	CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
	CHECK(vkDeviceWaitIdle(device));
	printf("P6 %d %d 255\n", SIZE, SIZE);
	for (uint32_t i = 0; i < SIZE * SIZE; i++)
		fwrite((unsigned char *)picture + 4 * i, 3, 1, stdout);
	return fflush(stdout) != 0;
}
