/* SPDX-License-Identifier: Apache-2.0 */
/* spirv-bind/host: what a host needs to know about the modules of a program besides descriptors and push constants:
 * their entry points, specialization constants, vertex inputs, blocks and
 * features. The header of SPB_TEXT_LAYOUT_HEADER and the layout
 * JSON are written from these lists, too.
 *
 * Rules for ownership, threads and errors, and for struct_size, are those of the lists in spirv_bind.h. */
#ifndef SPIRV_BIND_HOST_H
#define SPIRV_BIND_HOST_H

#include "spirv_bind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An entry point that options.layout.entries selects. */
typedef struct spb_entry_point {
	uint32_t module; /* index in the order of spb_program_add */
	uint32_t stage;  /* VkShaderStageFlagBits; 0: not a stage of Vulkan */
	const char *name;
	/* Of compute, task and mesh shaders, by the defaults of specialization constants; otherwise 0. */
	uint32_t workgroup_size[3];
	/* The SpecId that gives each of them; UINT32_MAX: none does. */
	uint32_t workgroup_size_ids[3];
} spb_entry_point;

typedef enum spb_constant_type {
	SPB_CONSTANT_BOOL = 0, /* a VkBool32 */
	SPB_CONSTANT_INT = 1,
	SPB_CONSTANT_UINT = 2,
	SPB_CONSTANT_FLOAT = 3
} spb_constant_type;

/* A specialization constant (SPIR-V 2.12, "Specialization"). */
typedef struct spb_specialization_constant {
	uint32_t module;  /* index in the order of spb_program_add */
	uint32_t id;      /* SpecId: VkSpecializationMapEntry::constantID */
	const char *name; /* "" in a stripped module */
	spb_constant_type type;
	uint32_t size;  /* in bytes: 1, 2, 4 or 8 */
	uint64_t value; /* the default: its bits, those beyond `size` zero */
} spb_specialization_constant;

/* A location of the input of a vertex shader (VkVertexInputAttributeDescription). A matrix or an array takes several,
 * which follow each other. */
typedef struct spb_vertex_input {
	uint32_t module; /* index in the order of spb_program_add */
	uint32_t location;
	uint32_t format;     /* VkFormat with the type and the components that the shader reads */
	uint32_t components; /* of that format: 1 to 4 */
	uint32_t size;       /* of that format, in bytes */
	uint32_t element;    /* index among the locations of its variable */
	spb_constant_type type;
	const char *name; /* of the variable; "" in a stripped module */
} spb_vertex_input;

/* A feature that the host has to enable for some module, or for the flags of a descriptor. Unknown strings are "". */
typedef struct spb_required_feature {
	const char *name;           /* as in vulkan.h: a member of this struct: */
	const char *in;             /* "DescriptorIndexingFeatures", after VkPhysicalDevice */
	const char *structure_type; /* its VkStructureType, by name */
	const char *macro;          /* that a vulkan.h which knows the struct defines; "": all do */
	uint32_t version;           /* N: VkPhysicalDeviceVulkan1NFeatures has the member, too; 0: none has */
} spb_required_feature;

/* A dimension of an array */
typedef struct spb_array {
	uint32_t count;  /* 0: it has no size */
	uint32_t stride; /* in bytes */
} spb_array;

/* A member of a block, or of a struct in one. */
typedef struct spb_member {
	const char *name;        /* "" in a stripped module */
	uint32_t offset, size;   /* in bytes; size: with all elements, but for an array without a size */
	const spb_array *arrays; /* its dimensions, the outermost first */
	uint32_t array_count;
	uint32_t block;          /* of a struct: index in the list of spb_program_blocks; otherwise UINT32_MAX */
	spb_constant_type type;  /* of the components; this and all below are 0 for a struct */
	uint32_t component_size; /* in bytes */
	uint32_t rows, columns;  /* 1 and 1: a scalar; columns 1: a vector */
	uint32_t matrix_stride;  /* in bytes, between columns, or rows if it is row-major; 0: no matrix */
	bool row_major;
	bool pointer; /* a buffer device address, of 8 bytes */
} spb_member;

/* The contents of uniform and storage buffers, of push constants, and of structs in those. */
typedef struct spb_block {
	uint32_t module;                     /* index in the order of spb_program_add */
	uint32_t id;                         /* of its type in the output module: see spb_resource::block */
	const char *name;                    /* of its type; "" in a stripped module */
	uint32_t size;                       /* in bytes, without the elements of an array without a size */
	bool pushed;                         /* push constants */
	bool inner;                          /* only a struct in other blocks */
	uint32_t first_member, member_count; /* in the list of spb_program_members */
} spb_block;

/* Since 0.1 */

/* The entry points, in the order of the modules and as they are declared. */
SPB_API size_t spb_program_entry_points(spb_program *program, uint32_t struct_size,
					const spb_entry_point **entry_points);

/* The specialization constants, in the order of the modules, and within one by SpecId. */
SPB_API size_t spb_program_specialization_constants(spb_program *program, uint32_t struct_size,
						    const spb_specialization_constant **constants);

/* The vertex inputs, in the order of the modules, and within one by location. */
SPB_API size_t spb_program_vertex_inputs(spb_program *program, uint32_t struct_size, const spb_vertex_input **inputs);

/* The features of all modules, each once. */
SPB_API size_t spb_program_features(spb_program *program, uint32_t struct_size, const spb_required_feature **features);

/* The blocks, in the order of the modules, each once; a struct comes before the blocks that contain it. */
SPB_API size_t spb_program_blocks(spb_program *program, uint32_t struct_size, const spb_block **blocks);

/* The members of all blocks, as they are declared. */
SPB_API size_t spb_program_members(spb_program *program, uint32_t struct_size, const spb_member **members);

#ifdef __cplusplus
}
#endif

#endif
