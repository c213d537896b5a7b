/* SPDX-License-Identifier: Apache-2.0 */
/* resources: the variables of a module that need a descriptor set and a binding (Vulkan, "Shader Resource Interface"):
 * those in UniformConstant, Uniform and StorageBuffer, used or not. */
#include "analysis/resources/resources.h"

const struct spb_extra spb_no_extra = {.path = "", .pieces = 1, .attachment_index = UINT32_MAX};

struct spb_extra *spb_own_extra(struct spb_variable *v, struct spb_arena *arena)
{
	struct spb_extra *own = spb_alloc(arena, sizeof *own);

	*own = *v->extra;
	v->extra = own;
	return own;
}

uint32_t spb_array_element(const struct spb_module *m, uint32_t type)
{
	uint32_t op = spb_def_op(m, type);

	return spb_op_is(op, SPB_OP_ARRAY) ? m->words[m->def[type] + 2] : 0;
}

/* Folded constants, computed for the first array that needs them. */
struct lengths {
	struct spb_folded folded;
	bool known;
};

/* The length of an OpTypeArray; specialization constants have their defaults. */
static uint64_t length_of(const struct spb_module *m, const struct spb_variable *v, uint32_t id,
			  struct lengths *lengths)
{
	uint64_t length = 0;

	if (spb_constant_value(m, id, &length))
		return length;
	if (!lengths->known)
		*lengths = (struct lengths){spb_fold_constants(m, &m->context->scratch), true};
	if (!spb_folded_value(&lengths->folded, id, &length))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_SHAPE, v->at,
			 "the length of an array of descriptors, %%%u (%s), cannot be computed from the defaults of "
			 "specialization constants",
			 id, spb_op_name(spb_def_op(m, id)));
	return length;
}

static const struct spb_count_spec *find_count_spec(const struct spb_module *m, uint32_t id, struct spb_arena *arena)
{
	const uint32_t literal = spb_decoration(m, id, SpvDecorationSpecId);
	struct spb_count_spec *spec;

	if (!literal && spb_def_op(m, id) != SpvOpSpecConstantOp)
		return NULL;
	spec = spb_alloc_zeroed(arena, 1, sizeof *spec);
	spec->id = literal ? m->words[literal] : UINT32_MAX;
	spec->count = spb_spec_ids(m, id, spec->ids, SPB_COUNT_SPEC_IDS);
	return spec->count ? spec : NULL;
}

static void count_descriptors(const struct spb_module *m, struct spb_variable *v, struct lengths *lengths,
			      struct spb_arena *arena)
{
	spb_at at = m->def[v->type];
	uint64_t length = 1;

	if (spb_op(m, at) == SpvOpTypeRuntimeArray) {
		length = 0;
	} else if (spb_op(m, at) == SpvOpTypeArray) {
		length = length_of(m, v, m->words[at + 3], lengths);
		const struct spb_count_spec *spec = find_count_spec(m, m->words[at + 3], arena);
		if (spec)
			spb_own_extra(v, arena)->count_spec = spec;
		if (length == 0 || length > UINT32_MAX)
			spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_SHAPE, v->at,
				 "an array of descriptors cannot have %s elements" SPB_REMEDY
				 "Give it a size from 1 to 4294967295, or none.",
				 length ? "2^32 or more" : "0");
	}
	v->count = (uint32_t)length;
}

static void refuse_shape(const struct spb_module *m, const struct spb_variable *v, uint32_t storage_class)
{
	struct spb_arena *arena = &m->context->scratch;
	uint32_t op = spb_def_op(m, v->element);
	const char *what = spb_op_name(op), *remedy = "";

	if (spb_op_is(op, SPB_OP_ARRAY)) {
		what = "an array of arrays of descriptors";
		remedy = "" SPB_REMEDY "Give it one dimension.";
	} else if (op == SpvOpTypeStruct && storage_class == SpvStorageClassUniformConstant) {
		what = "a struct that holds opaque members";
		remedy = "" SPB_REMEDY "Declare its members as separate variables.";
	}
	spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_SHAPE, v->at,
		 "%s, %s in storage class %s, corresponds to no Vulkan descriptor type%r", spb_label(arena, m, v->id),
		 what, spb_storage_class_name(storage_class), remedy);
}

/* Names must outlive this generation of the module, unless they are in the words as given, which are kept. */
static const char *keep_name(const struct spb_module *m, struct spb_arena *arena, const char *name)
{
	return m->words == m->given ? name : spb_copy_text(arena, name, strlen(name));
}

/* In HLSL and Slang several variables can share a block type, whose name the compiler chooses. */
static bool knows_by_variable(const struct spb_module *m)
{
	return spb_language_of(m) == SPB_LANGUAGE_HLSL;
}

size_t spb_counted_name(const char *name, const char **counted)
{
	const size_t length = strlen(name);

	if (*name == 'c' && !strncmp(name, "counter.var.", 12)) {
		*counted = name + 12;
		return length - 12;
	}
	*counted = name;
	return length > 6 && name[length - 6] == '@' && !strcmp(name + length - 6, "@count") ? length - 6 : 0;
}

/* The name that identifies a resource in all modules: in GLSL the type name of a block (instance names may differ
 * between stages, or be missing), otherwise its own name, if any. DXC's names of generic types begin with "type.".
 * All counters may have one block type. */
static const char *find_key(const struct spb_module *m, const struct spb_variable *v, bool by_variable,
			    struct spb_arena *arena)
{
	const char *key = spb_def_op(m, v->element) == SpvOpTypeStruct ? spb_id_name(m, v->element) : "";

	if (*v->name && (by_variable || (*key == 't' && !strncmp(key, "type.", 5))))
		return v->name;
	return *key ? keep_name(m, arena, key) : v->name;
}

struct decorations { /* decorations that struct spb_variable does not keep, or only for some kinds */
	uint32_t sets, bindings;
	uint32_t attachment_index; /* UINT32_MAX: none */
	uint32_t counter_of;
	bool built_in, non_writable, non_readable;
};

/* Repeating the same number is harmless, and compilers have done it. */
static void check_once(const struct spb_module *m, const struct spb_variable *v, const uint32_t *w, bool has,
		       uint32_t number)
{
	const char *name = w[2] == SpvDecorationBinding         ? "Binding"
			   : w[2] == SpvDecorationDescriptorSet ? "DescriptorSet"
								: "InputAttachmentIndex";

	if (has && w[3] != number)
		spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_INVALID_INPUT, v->at,
			 "%s has two numbers, %s %u and %s %u, so what it is bound to is undefined" SPB_REMEDY
			 "Repair the tool that wrote the module.",
			 spb_label(&m->context->scratch, m, v->id), name, number, name, w[3]);
}

static void read_decoration(const struct spb_module *m, const uint32_t *w, struct spb_variable *v,
			    struct decorations *d)
{
	switch (w[2]) {
	case SpvDecorationDescriptorSet:
		check_once(m, v, w, v->has_set, v->set);
		v->has_set = true;
		v->set = w[3];
		d->sets++;
		break;
	case SpvDecorationBinding:
		check_once(m, v, w, v->has_binding, v->binding);
		v->has_binding = true;
		v->binding = w[3];
		d->bindings++;
		break;
	case SpvDecorationInputAttachmentIndex:
		check_once(m, v, w, d->attachment_index != UINT32_MAX, d->attachment_index);
		d->attachment_index = w[3];
		break;
	case SpvDecorationAliased:
		v->aliased = true;
		break;
	case SpvDecorationBuiltIn:
		d->built_in = true;
		break;
	case SpvDecorationNonWritable:
		d->non_writable = true;
		break;
	case SpvDecorationNonReadable:
		d->non_readable = true;
		break;
	default:
		break;
	}
}

/* Reads the name and decorations of a variable in one walk over its notes. */
static void read_notes(const struct spb_module *m, struct spb_variable *v, struct decorations *d,
		       struct spb_arena *arena)
{
	for (uint32_t i = m->first_note[v->id]; i < m->first_note[v->id + 1]; i++) {
		const spb_at at = m->note[i].at;
		const uint32_t op = spb_op(m, at), *w = m->words + at;
		if (op == SpvOpName) {
			if (!*v->name)
				v->name = keep_name(m, arena, spb_string(m, at + 2));
		} else if (op == SpvOpDecorateId) {
			/* glslang and DXC write OpDecorateId %buffer CounterBuffer %counter */
			if (w[2] == SpvDecorationCounterBuffer && w[3] == v->id)
				d->counter_of = w[1];
		} else if (op == SpvOpDecorate && w[1] == v->id) {
			read_decoration(m, w, v, d);
		}
	}
	v->placed_once = d->sets == 1 && d->bindings == 1;
}

struct memo { /* saves reading a block with many members again for each variable */
	uint32_t type;
	bool read_only, write_only;
};

static void find_access(const struct spb_module *m, struct spb_variable *v, const struct decorations *d,
			struct memo *memo)
{
	v->readable = !d->non_readable;
	v->writable = !d->non_writable && spb_descriptor_info(v->kind)->writable;
	if (v->kind != SPB_DESCRIPTOR_SSBO)
		return;
	if (memo->type != v->element)
		*memo = (struct memo){v->element, spb_has_on_all_members(m, v->element, SpvDecorationNonWritable),
				      spb_has_on_all_members(m, v->element, SpvDecorationNonReadable)};
	v->readable &= !memo->write_only;
	v->writable = !d->non_writable && !memo->read_only;
}

/* A variable in a storage class for descriptors is a resource, unless an unknown opcode declares its type, or it is a
 * built-in heap, which has no set in SPV_EXT_descriptor_heap. */
static bool is_resource(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpVariable ? spb_def_op(m, m->words[at + 1]) == SpvOpTypePointer
					      : spb_length(m, at) > 4;
}

/* SPV_ARM_graph, "Logical Layout of a Module": graph definitions and their entry points come after the functions. Only
 * the entry point of a graph lists the tensors that the graph uses. */
static void find_graphs(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena)
{
	uint32_t *used = spb_bits(arena, m->bound);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		for (struct spb_operand o = spb_operands(m, at);
		     spb_op(m, at) == OpGraphEntryPointARM && spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID)
				spb_set_bit(used, m->words[o.word]);
		}
	}
	for (size_t i = 0; i < variables->count; i++)
		variables->items[i].used |= spb_bit(used, variables->items[i].id);
}

static struct spb_variables collect(const struct spb_module *m, struct spb_arena *arena, bool any_shape)
{
	struct spb_variables variables = {0};
	struct memo memo = {0};
	struct lengths lengths = {0};
	const bool by_variable = knows_by_variable(m);
	bool tensors = false;

	SPB_SIZE(arena, &variables, m->variable_count);
	for (size_t i = 0; i < m->variable_count; i++) {
		const spb_at at = m->variable[i];
		if (!is_resource(m, at))
			continue;
		const uint32_t *w = m->words + at;
		struct spb_variable *v = &variables.items[variables.count];
		*v = (struct spb_variable){.id = w[2], .at = at, .name = "", .extra = &spb_no_extra};
		v->type = spb_op(m, at) == SpvOpVariable ? m->words[m->def[w[1]] + 3] : w[4];
		struct decorations decorations = {.attachment_index = UINT32_MAX};
		read_notes(m, v, &decorations, arena);
		if (decorations.built_in)
			continue;
		uint32_t element = spb_array_element(m, v->type);
		v->element = element ? element : v->type;
		v->kind = (uint8_t)spb_descriptor_of(m, w[3], v->element);
		if (v->kind == SPB_DESCRIPTOR_OTHER && !any_shape)
			refuse_shape(m, v, w[3]);
		if (decorations.counter_of)
			spb_own_extra(v, arena)->counter_of = decorations.counter_of;
		if (v->kind == SPB_DESCRIPTOR_INPUT_ATTACHMENT && decorations.attachment_index != UINT32_MAX)
			spb_own_extra(v, arena)->attachment_index = decorations.attachment_index;
		count_descriptors(m, v, &lengths, arena);
		v->reached = true;
		const bool counter = decorations.counter_of || spb_counted_name(v->name, &(const char *){NULL});
		v->key = find_key(m, v, by_variable || counter, arena);
		find_access(m, v, &decorations, &memo);
		v->class = spb_class_of(v->kind, v->writable) & 7;
		v->used = spb_is_in_function(m, v->id);
		tensors |= v->kind == SPB_DESCRIPTOR_TENSOR && !v->used;
		variables.count++;
	}
	if (tensors)
		find_graphs(m, &variables, arena);
	spb_find_heap_arrays(m, &variables);
	return variables;
}

struct spb_variables spb_collect_variables(const struct spb_module *m, struct spb_arena *arena)
{
	return collect(m, arena, false);
}

struct spb_variables spb_collect_any_shape(const struct spb_module *m, struct spb_arena *arena)
{
	return collect(m, arena, true);
}
