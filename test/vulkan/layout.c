/* SPDX-License-Identifier: Apache-2.0 */
/* layout: reads the layout JSON, which must contain everything that a runner needs: that is part of the test. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

const struct named descriptor_names[] = {
    {"VK_DESCRIPTOR_TYPE_SAMPLER", VK_DESCRIPTOR_TYPE_SAMPLER},
    {"VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
    {"VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
    {"VK_DESCRIPTOR_TYPE_STORAGE_IMAGE", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
    {"VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
    {"VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
    {"VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
    {"VK_DESCRIPTOR_TYPE_STORAGE_BUFFER", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    {"VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT", VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT},
    {"VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR", VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR},
    {"VK_DESCRIPTOR_TYPE_MUTABLE_EXT", VK_DESCRIPTOR_TYPE_MUTABLE_EXT},
    {0},
};

const struct named stage_names[] = {
    {"VK_SHADER_STAGE_COMPUTE_BIT", VK_SHADER_STAGE_COMPUTE_BIT},
    {"VK_SHADER_STAGE_VERTEX_BIT", VK_SHADER_STAGE_VERTEX_BIT},
    {"VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
    {"VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
    {"VK_SHADER_STAGE_GEOMETRY_BIT", VK_SHADER_STAGE_GEOMETRY_BIT},
    {"VK_SHADER_STAGE_FRAGMENT_BIT", VK_SHADER_STAGE_FRAGMENT_BIT},
    {"VK_SHADER_STAGE_TASK_BIT_EXT", VK_SHADER_STAGE_TASK_BIT_EXT},
    {"VK_SHADER_STAGE_MESH_BIT_EXT", VK_SHADER_STAGE_MESH_BIT_EXT},
    {"VK_SHADER_STAGE_RAYGEN_BIT_KHR", VK_SHADER_STAGE_RAYGEN_BIT_KHR},
    {"VK_SHADER_STAGE_INTERSECTION_BIT_KHR", VK_SHADER_STAGE_INTERSECTION_BIT_KHR},
    {"VK_SHADER_STAGE_ANY_HIT_BIT_KHR", VK_SHADER_STAGE_ANY_HIT_BIT_KHR},
    {"VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR", VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR},
    {"VK_SHADER_STAGE_MISS_BIT_KHR", VK_SHADER_STAGE_MISS_BIT_KHR},
    {"VK_SHADER_STAGE_CALLABLE_BIT_KHR", VK_SHADER_STAGE_CALLABLE_BIT_KHR},
    {0},
};

static const struct named flags[] = {
    {"VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT", VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT},
    {"VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT", VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT},
    {"VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT", VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT},
    {"VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT", VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT},
    {0},
};

static json_t *member(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!value)
		die("the layout has no \"%s\" where one is needed", key);
	return value;
}

static const char *text(json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s ? s : "";
}

static uint32_t number(json_t *object, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(object, key));
}

static uint32_t value_of(const struct named *table, const char *name)
{
	for (; table->name; table++) {
		if (!strcmp(table->name, name))
			return table->value;
	}
	die("the layout says %s, which this runner does not know", name);
}

static uint32_t bits_of(const struct named *table, json_t *list)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		bits |= value_of(table, json_string_value(json_array_get(list, i)));
	return bits;
}

/* The types of a mutable binding, by kind. */
static const struct named kind_names[] = {
    {"texture", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
    {"image", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
    {"utexbuf", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
    {"stexbuf", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
    {"ubo", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
    {"ssbo", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    {0},
};

static void read_mutable_types(struct binding *b, json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (b->mutable_count == MAX_TYPES)
			die("%s has more than %d types", b->name, MAX_TYPES);
		b->mutable_types[b->mutable_count++] =
		    (VkDescriptorType)value_of(descriptor_names, json_string_value(json_array_get(list, i)));
	}
	for (uint32_t i = 0; i < b->type_count; i++)
		b->types[i].descriptor =
		    b->mutable_count ? (VkDescriptorType)value_of(kind_names, b->types[i].kind) : b->descriptor;
}

/* The type of the components: "uint" for "uint4". Other elements, such as those of buffers, are unchanged. */
static const char *component(const char *element)
{
	static const char *const types[] = {"float", "int", "uint"};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		size_t length = strlen(types[i]);
		if (!strncmp(element, types[i], length) && element[length] && strchr("234", element[length]) &&
		    !element[length + 1])
			return types[i];
	}
	return element;
}

static struct type read_type(json_t *type)
{
	return (struct type){
	    .kind = text(type, "kind"),
	    .element = component(text(type, "element")),
	    .dim = text(type, "dim"),
	    .format = text(type, "format"),
	    .block = text(type, "block"),
	    .arrayed = json_is_true(json_object_get(type, "arrayed")),
	    .multisampled = json_is_true(json_object_get(type, "multisampled")),
	    .depth = json_is_true(json_object_get(type, "depth")),
	    .size = number(type, "size"),
	    .stride = number(type, "stride"),
	};
}

/* Whether an earlier view is the same resource, of another module. */
static bool is_known(json_t *views, size_t i)
{
	json_t *view = json_array_get(views, i);

	for (size_t k = 0; k < i; k++) {
		json_t *other = json_array_get(views, k);
		if (json_equal(member(view, "name"), member(other, "name")) &&
		    json_equal(member(view, "type"), member(other, "type")))
			return true;
	}
	return false;
}

static struct binding read_binding(json_t *json, uint32_t set)
{
	json_t *count = member(json, "count"), *views = json_object_get(json, "views");
	struct binding b = {.set = set, .binding = number(json, "binding"), .name = text(json, "name")};

	b.runtime = json_is_null(count);
	b.count = b.runtime ? RUNTIME_COUNT : (uint32_t)json_integer_value(count);
	b.descriptor = (VkDescriptorType)value_of(descriptor_names, text(json, "descriptorType"));
	b.stages = bits_of(stage_names, member(json, "stages"));
	b.flags = bits_of(flags, member(json, "flags"));
	b.types[b.type_count++] = read_type(member(json, "type"));
	bool heap = b.runtime || !strncmp(b.name, "heap_", 5);
	for (size_t i = 1; heap && i < json_array_size(views); i++) {
		if (is_known(views, i))
			continue;
		if (b.type_count == MAX_TYPES)
			die("%s has more than %d types", b.name, MAX_TYPES);
		b.types[b.type_count++] = read_type(member(json_array_get(views, i), "type"));
	}
	read_mutable_types(&b, json_object_get(json, "mutableTypes"));
	b.filled = b.runtime ? b.type_count * FILLED : b.count;
	if (b.runtime && heap && b.descriptor == VK_DESCRIPTOR_TYPE_SAMPLER)
		b.filled = 2 * FILLED;
	return b;
}

static void read_sets(struct layout *l)
{
	json_t *sets = member(l->json, "sets");
	size_t total = 0;

	for (size_t i = 0; i < json_array_size(sets); i++)
		total += json_array_size(member(json_array_get(sets, i), "bindings"));
	l->bindings = zeroed(total, sizeof *l->bindings);
	for (size_t i = 0; i < json_array_size(sets); i++) {
		json_t *set = json_array_get(sets, i), *bindings = member(set, "bindings");
		uint32_t n = number(set, "set");
		if (n >= MAX_SETS)
			die("the layout has set %u", n);
		if (l->set_count <= n)
			l->set_count = n + 1;
		for (size_t k = 0; k < json_array_size(bindings); k++)
			l->bindings[l->binding_count++] = read_binding(json_array_get(bindings, k), n);
	}
}

static void read_push_constants(struct layout *l)
{
	json_t *list = member(l->json, "pushConstants");

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *json = json_array_get(list, i);
		VkPushConstantRange range = {bits_of(stage_names, member(json, "stages")), number(json, "offset"),
					     number(json, "size")};
		if (l->push_count == sizeof l->push / sizeof l->push[0])
			die("the layout has too many push constants");
		l->push[l->push_count++] = range;
		if (l->push_size < range.offset + range.size)
			l->push_size = range.offset + range.size;
	}
}

struct layout *layout_read(const char *path)
{
	struct layout *l = zeroed(1, sizeof *l);
	json_error_t error;

	l->json = json_load_file(path, 0, &error);
	if (!l->json)
		die("%s:%d: %s", path, error.line, error.text);
	if (strcmp(text(l->json, "schema"), "spirv-bind/layout/2") != 0)
		die("%s is not a layout of spirv-bind", path);
	read_sets(l);
	read_push_constants(l);
	json_t *module = json_array_get(member(l->json, "modules"), 0);
	json_t *entry = json_array_get(member(module, "entryPoints"), 0);
	l->entry_point = text(entry, "name");
	l->stage = (VkShaderStageFlagBits)value_of(stage_names, text(entry, "stage"));
	return l;
}

void layout_free(struct layout *l)
{
	json_decref(l->json);
	free(l->bindings);
	free(l);
}

struct binding *layout_find(const struct layout *l, const char *name)
{
	for (uint32_t i = 0; i < l->binding_count; i++) {
		if (!strcmp(l->bindings[i].name, name))
			return &l->bindings[i];
		for (uint32_t t = 0; t < l->bindings[i].type_count; t++) {
			if (!strcmp(l->bindings[i].types[t].block, name))
				return &l->bindings[i];
		}
	}
	die("the layout has no resource named \"%s\"", name);
}

void layout_each_required(const struct layout *l, const char *key, void (*visit)(void *user, const char *string),
			  void *user)
{
	json_t *modules = member(l->json, "modules");

	for (size_t i = 0; i < json_array_size(modules); i++) {
		json_t *list = member(member(json_array_get(modules, i), "requires"), key);
		for (size_t k = 0; k < json_array_size(list); k++)
			visit(user, json_string_value(json_array_get(list, k)));
	}
}
