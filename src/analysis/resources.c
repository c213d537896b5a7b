/* SPDX-License-Identifier: Apache-2.0 */
/* resources: the variables of a module that need a descriptor set and a binding (Vulkan, "Descriptor Set
 * Interface"): those in UniformConstant, Uniform and StorageBuffer, used or not. */
#include "analysis/analysis.h"

bool spb_is_resource_class(uint32_t storage_class)
{
	return storage_class == SpvStorageClassUniformConstant || storage_class == SpvStorageClassUniform ||
	       storage_class == SpvStorageClassStorageBuffer;
}

uint32_t spb_array_element(const struct spb_module *m, uint32_t type)
{
	uint32_t op = spb_def_op(m, type);

	return op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray ? m->words[m->def[type] + 2] : 0;
}

/* Length of the array around the descriptors. A spec constant counts with its default. */
static void count_descriptors(const struct spb_module *m, struct spb_variable *v)
{
	spb_at at = m->def[v->type];
	uint64_t length = 1;

	v->count_spec_id = UINT32_MAX;
	if (spb_op(m, at) == SpvOpTypeRuntimeArray) {
		length = 0;
	} else if (spb_op(m, at) == SpvOpTypeArray) {
		uint32_t id = m->words[at + 3], spec;
		if (!spb_constant_value(m, id, &length)) {
			if (spb_def_op(m, id) != SpvOpSpecConstantOp)
				spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_SHAPE, v->at,
					 "the length of this array of descriptors, %%%u, is not an integer", id);
			length = 1; /* known to the pipeline only */
		}
		spec = spb_decoration(m, id, SpvDecorationSpecId);
		if (spec)
			v->count_spec_id = m->words[spec];
		if (length == 0 || length > UINT32_MAX)
			spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_SHAPE, v->at,
				 "an array of descriptors cannot have %s elements", length ? "2^32 or more" : "0");
	}
	v->count = (uint32_t)length;
}

static void refuse_shape(const struct spb_module *m, const struct spb_variable *v, uint32_t storage_class)
{
	struct spb_arena *arena = &m->context->scratch;
	uint32_t op = spb_def_op(m, v->element);
	const char *what = spb_op_name(op), *remedy = "";

	if (op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray) {
		what = "an array of arrays of descriptors";
		remedy = "; give it one dimension (flattening is not done yet)";
	} else if (op == SpvOpTypeStruct && storage_class == SpvStorageClassUniformConstant) {
		what = "a struct that holds opaque members";
		remedy = "; declare its members one by one (splitting is not done yet)";
	}
	spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_SHAPE, v->at, "%s is %s in %s, which Vulkan cannot bind%s",
		 spb_label(arena, m, v->id), what, spb_storage_class_name(storage_class), remedy);
}

/* Names outlive the generation of the module that they were read from. */
static const char *copy_name(struct spb_arena *arena, const char *name)
{
	return spb_copy_text(arena, name, strlen(name));
}

/* The name a resource is known by in all modules: a block's type name (its instance name may differ between
 * stages, or be missing), else its own. */
static const char *find_key(const struct spb_module *m, const struct spb_variable *v, struct spb_arena *arena)
{
	const char *key = spb_def_op(m, v->element) == SpvOpTypeStruct ? spb_name(m, v->element) : "";

	return *key ? copy_name(arena, key) : v->name;
}

static void read_decorations(const struct spb_module *m, struct spb_variable *v, struct spb_arena *arena)
{
	for (uint32_t i = m->first_note[v->id]; i < m->first_note[v->id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpName && !*v->name)
			v->name = copy_name(arena, spb_string(m, at + 2));
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 1] != v->id)
			continue;
		switch (m->words[at + 2]) {
		case SpvDecorationDescriptorSet:
			v->has_set = true;
			v->set = m->words[at + 3];
			break;
		case SpvDecorationBinding:
			v->has_binding = true;
			v->binding = m->words[at + 3];
			break;
		case SpvDecorationAliased:
			v->aliased = true;
			break;
		default:
			break;
		}
	}
}

struct spb_variables spb_collect_variables(const struct spb_module *m, struct spb_arena *arena)
{
	struct spb_variables variables = {0};

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if (op != SpvOpVariable && op != OpUntypedVariableKHR)
			continue;
		uint32_t storage_class = m->words[at + 3];
		if (!spb_is_resource_class(storage_class))
			continue;
		if (op == SpvOpVariable && spb_def_op(m, m->words[at + 1]) != SpvOpTypePointer)
			continue; /* of a type that an unknown opcode declares */
		if (op == OpUntypedVariableKHR && spb_length(m, at) < 5)
			continue; /* a built-in heap: SPV_EXT_descriptor_heap gives it no set */
		struct spb_variable v = {.id = m->words[at + 2], .at = at, .name = "", .path = "", .leaves = 1};
		v.type = op == SpvOpVariable ? m->words[m->def[m->words[at + 1]] + 3] : m->words[at + 4];
		if (spb_decoration(m, v.id, SpvDecorationBuiltIn))
			continue;
		uint32_t element = spb_array_element(m, v.type);
		v.element = element ? element : v.type;
		v.kind = spb_descriptor_of(m, storage_class, v.element);
		if (v.kind == SPB_DESCRIPTOR_OTHER)
			refuse_shape(m, &v, storage_class);
		count_descriptors(m, &v);
		read_decorations(m, &v, arena);
		v.key = v.declared = find_key(m, &v, arena);
		v.used = v.id >= m->in_function_bound || spb_bit(m->in_function, v.id);
		SPB_PUSH(arena, &variables, v);
	}
	return variables;
}
