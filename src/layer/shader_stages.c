/* SPDX-License-Identifier: Apache-2.0 */
/* shader_stages: shaders with their entry point and specialization values, and programs of them. */
#include <stdlib.h>
#include <string.h>

#include "layer/layer.h"

static void stage_release(struct layer_stage *s)
{
	if (atomic_fetch_sub(&s->references, 1) != 1)
		return;
	layer_module_release(s->module);
	layer_layout_release(s->layout);
	free(s);
}

void layer_drop_stages(struct layer_program *p)
{
	for (size_t k = 0; k < p->count; k++)
		stage_release(p->stages[k]);
	free(p->stages);
	free(p->modules);
	free(p->values);
	p->stages = NULL;
	p->modules = NULL;
	p->values = NULL;
	p->count = p->capacity = p->module_count = 0;
}

void layer_program_release(void *program)
{
	if (program)
		layer_drop_stages(program);
	free(program);
}

struct layer_program *layer_make_program(struct layer_device *d, const char *kind)
{
	struct layer_program *p = calloc(1, sizeof *p);

	if (p) {
		p->device = d;
		p->kind = kind;
	}
	return p;
}

void layer_add_stage(struct layer_program *p, struct layer_stage *s)
{
	if (s && p->count == p->capacity) {
		const size_t capacity = p->capacity ? 2 * p->capacity : 4;
		struct layer_stage **stages = realloc(p->stages, capacity * sizeof(struct layer_stage *));
		if (!stages) {
			stage_release(s);
			return;
		}
		p->stages = stages;
		p->capacity = capacity;
	}
	if (s)
		p->stages[p->count++] = s;
}

static void set_values(struct layer_stage *s, const VkSpecializationInfo *info)
{
	const uint16_t probe = 1;
	const bool little = *(const uint8_t *)&probe;

	for (uint32_t k = 0; k < s->value_count; k++) {
		const VkSpecializationMapEntry *from = &info->pMapEntries[k];
		uint64_t value = 0;
		if (from->size <= sizeof value)
			memcpy((char *)&value + (little ? 0 : sizeof value - from->size),
			       (const char *)info->pData + from->offset, from->size);
		s->values[k] = (spb_spec_value){from->constantID, value};
		s->hash = layer_hash(s->hash ^ from->constantID, &value, sizeof value);
	}
}

struct layer_stage *layer_make_stage(VkShaderStageFlagBits stage, struct layer_module *module,
				     struct layer_layout *layout, const char *entry, const char *label,
				     const VkSpecializationInfo *info)
{
	const uint32_t count = info ? info->mapEntryCount : 0;
	const size_t values = count * sizeof(spb_spec_value), entry_size = strlen(entry) + 1;
	struct layer_stage *s = module ? calloc(1, sizeof *s + values + entry_size + strlen(label) + 1) : NULL;
	char *text;

	if (!s) {
		layer_module_release(module);
		layer_layout_release(layout);
		return NULL;
	}
	text = (char *)s->values + values;
	s->references = 1;
	s->stage = stage;
	s->module = module;
	s->layout = layout;
	s->entry = memcpy(text, entry, entry_size);
	s->label = memcpy(text + entry_size, label, strlen(label) + 1);
	s->hash = layer_hash(module->hash ^ (uint64_t)stage, entry, entry_size);
	s->value_count = count;
	set_values(s, info);
	return s;
}

const char *layer_label(const struct layer_stage *s)
{
	const char *of_module = atomic_load(&s->module->label);

	return of_module ? of_module : s->label;
}

/* The decoration SpecId (OpDecorate, words: target, decoration, literal). */
static bool has_spec_id(const struct layer_module *m, uint32_t id)
{
	for (size_t at = 5; at < m->word_count; at += m->words[at] >> 16) {
		const uint32_t length = m->words[at] >> 16, op = m->words[at] & 0xFFFF;
		if (!length || op == 54) /* OpFunction: no decorations follow */
			break;
		if (op == 71 && length == 4 && at + 3 < m->word_count && m->words[at + 2] == 1 &&
		    m->words[at + 3] == id)
			return true;
	}
	return false;
}

static const spb_spec_value *value_of(const struct layer_stage *s, uint32_t id)
{
	for (uint32_t k = 0; k < s->value_count; k++) {
		if (s->values[k].id == id)
			return &s->values[k];
	}
	return NULL;
}

/* The values are those of the whole program, so stages must not have the constant with another value or its default. */
static bool agree(const struct layer_program *p, const spb_spec_value *value)
{
	for (size_t k = 0; k < p->count; k++) {
		const spb_spec_value *other = value_of(p->stages[k], value->id);
		if (other ? other->value != value->value : has_spec_id(p->stages[k]->module, value->id))
			return false;
	}
	return true;
}

void layer_complete_program(struct layer_program *p)
{
	size_t most = 0;

	p->modules = malloc(p->count * sizeof(struct layer_module *));
	for (size_t k = 0; p->modules && k < p->count; k++) {
		size_t n = 0;
		while (n < p->module_count && p->modules[n]->hash != p->stages[k]->module->hash)
			n++;
		p->modules[n] = p->stages[k]->module;
		p->module_count += n == p->module_count;
	}
	for (size_t k = 0; k < p->count; k++)
		most += p->stages[k]->value_count;
	p->values = most ? malloc(most * sizeof *p->values) : NULL;
	for (size_t k = 0; p->values && k < p->count; k++) {
		for (uint32_t n = 0; n < p->stages[k]->value_count; n++) {
			if (agree(p, &p->stages[k]->values[n]))
				p->values[p->value_count++] = p->stages[k]->values[n];
		}
	}
}

const struct layer_stage *layer_stage_of(const struct layer_program *p, const char *module)
{
	size_t k = 0;

	while (k + 1 < p->count && strcmp(p->stages[k]->module->name, module) != 0)
		k++;
	return p->stages[k];
}
