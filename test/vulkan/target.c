/* SPDX-License-Identifier: Apache-2.0 */
/* target: the render target, four 32-bit numbers per pixel, and the buffer that it is copied to. */
#include "run.h"

static void make_memory(struct device *d, struct element *e)
{
	VkMemoryRequirements needs;
	VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};

	vkGetImageMemoryRequirements(d->device, e->image, &needs);
	info.allocationSize = needs.size;
	while (!(needs.memoryTypeBits >> info.memoryTypeIndex & 1))
		info.memoryTypeIndex++;
	check(vkAllocateMemory(d->device, &info, NULL, &e->image_memory), "vkAllocateMemory");
	check(vkBindImageMemory(d->device, e->image, e->image_memory, 0), "vkBindImageMemory");
}

struct element target_make(struct device *d, uint32_t width, uint32_t height)
{
	VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
	struct element e =
	    element_buffer(d, (VkDeviceSize)width * height * 4 * sizeof(uint32_t), VK_BUFFER_USAGE_TRANSFER_DST_BIT);

	e.extent = (VkExtent3D){width, height, 1};
	e.aspect = VK_IMAGE_ASPECT_COLOR_BIT;
	e.levels = e.layers = 1;
	check(vkCreateImage(
		  d->device,
		  &(VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
				       .imageType = VK_IMAGE_TYPE_2D,
				       .format = format,
				       .extent = e.extent,
				       .mipLevels = 1,
				       .arrayLayers = 1,
				       .samples = VK_SAMPLE_COUNT_1_BIT,
				       .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
		  NULL, &e.image),
	      "vkCreateImage");
	make_memory(d, &e);
	check(vkCreateImageView(d->device,
				&(VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
							 .image = e.image,
							 .viewType = VK_IMAGE_VIEW_TYPE_2D,
							 .format = format,
							 .subresourceRange = {e.aspect, 0, e.levels, 0, e.layers}},
				NULL, &e.view),
	      "vkCreateImageView");
	return e;
}

void target_begin(const struct element *target, VkCommandBuffer commands)
{
	VkRenderingAttachmentInfo color = {
	    .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
	    .imageView = target->view,
	    .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
	    .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
	    .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
	    .clearValue.color.uint32 = {CLEAR, CLEAR, CLEAR, CLEAR},
	};

	element_move(commands, target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
	vkCmdBeginRendering(commands,
			    &(VkRenderingInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
					       .renderArea.extent = {target->extent.width, target->extent.height},
					       .layerCount = 1,
					       .colorAttachmentCount = 1,
					       .pColorAttachments = &color});
}

void target_end(const struct element *target, VkCommandBuffer commands)
{
	VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
				 .imageExtent = target->extent};

	vkCmdEndRendering(commands);
	element_move(commands, target, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(commands, target->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target->buffer, 1, &all);
}

void target_free(struct device *d, struct element *target)
{
	vkDestroyImageView(d->device, target->view, NULL);
	vkDestroyImage(d->device, target->image, NULL);
	vkFreeMemory(d->device, target->image_memory, NULL);
	vkDestroyBuffer(d->device, target->buffer, NULL);
	vkFreeMemory(d->device, target->buffer_memory, NULL);
}
