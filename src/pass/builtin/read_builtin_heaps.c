/* SPDX-License-Identifier: Apache-2.0 */
/* read_builtin_heaps: follows the pointers from the built-in heaps to what is done with them, and plans what each
 * instruction becomes. Refuses what arrays of descriptors cannot express. */
#include "pass/builtin/builtin_heaps.h"

noreturn void spb_refuse_builtin(const struct spb_builtin_plan *p, spb_at at, const char *what)
{
	spb_fail(p->m, SPB_ERROR_UNSUPPORTED, SPB_E_BUILTIN_HEAP, at,
		 "%s uses a descriptor heap as arrays cannot be used%s: %r", spb_word_of(p->m, at),
		 p->u->builtin.remakes ? ", where descriptors have to be resolved" : "", what);
}

static uint32_t add_pointer(struct spb_builtin_plan *p, uint32_t id, struct spb_builtin_pointer pointer)
{
	SPB_PUSH(p->arena, &p->pointers, pointer);
	p->pointer_of[id] = (uint32_t)p->pointers.count;
	SPB_PUSH(p->arena, &p->work, id);
	return (uint32_t)p->pointers.count - 1;
}

static void add_rewrite(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t type, uint32_t heap)
{
	SPB_PUSH(p->arena, &p->rewrites, ((struct spb_builtin_rewrite){at, pointer, type, heap, 0}));
}

/* A heap has one stride. Kinds that share a binding should have the same one, since the host fills both by the same
 * index. */
static void check_stride(struct spb_builtin_plan *p, const struct spb_heap_chain *chain, enum spb_descriptor kind,
			 spb_at at)
{
	const struct spb_heap_chain *first = p->first[kind];

	if (!first) {
		p->first[kind] = chain;
		return;
	}
	if (first->stride.unit != chain->stride.unit || first->stride.count != chain->stride.count)
		spb_refuse_builtin(p, at,
				   "arrays of this kind of descriptor have different strides, so equal indices name "
				   "different descriptors" SPB_REMEDY "Give all of them one stride.");
}

/* The heap + 1 that holds descriptors of a type, and that a chain indexes. */
static uint32_t heap_for(struct spb_builtin_plan *p, uint32_t chain, uint32_t type, uint32_t storage_class, spb_at at)
{
	const struct spb_heap_chain *c = &p->chains.items[chain];
	enum spb_descriptor kind = spb_descriptor_of(p->m, storage_class, type);

	if (!spb_has_heap(kind))
		spb_refuse_builtin(p, at, "no kind of descriptor corresponds to this type");
	if ((kind == SPB_DESCRIPTOR_SAMPLER) != c->sampler)
		spb_refuse_builtin(p, at,
				   "samplers are in the sampler heap, and all other descriptors in the resource heap");
	check_stride(p, c, kind, at);
	uint32_t heap = spb_heap_of(&p->heaps, type, storage_class, kind);
	if (c->term_count || c->offset)
		p->heaps.dynamic[kind] = true;
	return heap + 1;
}

/* What a chain points to, judged before its index: data has none. */
static struct spb_builtin_pointer pointer_of(struct spb_builtin_plan *p, spb_at at)
{
	struct spb_builtin_pointer pointer = {.form = SPB_POINTER_DESCRIPTOR, .chain = (uint32_t)p->chains.count};
	uint32_t element, array;

	if (!spb_follow_heap_chain(&p->types, at, &element, &array))
		return pointer; /* spb_read_heap_chain says why */
	if (spb_def_op(p->m, element) == OpTypeBufferEXT)
		pointer.storage_class = p->m->words[p->m->def[element] + 2];
	else if (spb_has_heap(spb_descriptor_of(p->m, SpvStorageClassUniformConstant, element)))
		pointer.type = element;
	else if (!p->u->builtin.remakes && (pointer.type = spb_scenes_of(p->m, at)) != 0)
		pointer.form = SPB_POINTER_ADDRESS;
	else
		spb_refuse_builtin(p, at, "it reaches data that is not a descriptor");
	return pointer;
}

static void see_chain(struct spb_builtin_plan *p, spb_at at, bool sampler)
{
	const struct spb_builtin_pointer pointer = pointer_of(p, at);
	struct spb_heap_chain chain = spb_read_heap_chain(&p->types, at);

	chain.sampler = sampler;
	chain.marked = spb_decoration(p->m, p->m->words[at + 2], SpvDecorationNonUniform) != 0;
	SPB_PUSH(p->arena, &p->chains, chain);
	add_pointer(p, p->m->words[at + 2], pointer);
}

static bool is_opaque(const struct spb_module *m, uint32_t type)
{
	return spb_has_heap(spb_descriptor_of(m, SpvStorageClassUniformConstant, type));
}

/* A load or a texel pointer of a descriptor. The pointer has no type, so the use decides. */
static void see_descriptor(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t type)
{
	struct spb_builtin_pointer *from = &p->pointers.items[pointer];

	if (!is_opaque(p->m, type))
		spb_refuse_builtin(p, at, "it reads a descriptor as data");
	if (!from->type)
		from->type = type; /* the chain becomes a pointer to it */
	add_rewrite(p, at, pointer, type, heap_for(p, from->chain, type, SpvStorageClassUniformConstant, at));
}

/* The load of an address, and what converts it. */
static void see_address(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	uint32_t id = m->words[at + 2], type = p->pointers.items[pointer].type;

	see_descriptor(p, at, pointer, type);
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (spb_op(m, m->use[i].at) == SpvOpConvertUToAccelerationStructureKHR)
			add_rewrite(p, m->use[i].at, pointer, type, 0);
	}
}

static bool is_typed_pointer(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, spb_type_of(m, id)) == SpvOpTypePointer;
}

static void see_buffer(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	struct spb_builtin_pointer from = p->pointers.items[pointer];
	spb_at type = m->def[m->words[at + 1]];
	struct spb_builtin_pointer to = {.form = SPB_POINTER_BUFFER,
					 .chain = from.chain,
					 .storage_class = m->words[type + 2],
					 .id = m->words[at + 2]};

	if (to.storage_class != SpvStorageClassStorageBuffer && to.storage_class != SpvStorageClassUniform)
		spb_refuse_builtin(p, at, "a buffer is neither a storage buffer nor a uniform buffer");
	if (from.storage_class && from.storage_class != to.storage_class)
		spb_refuse_builtin(p, at,
				   "its descriptor is that of another kind of buffer" SPB_REMEDY
				   "Read a uniform buffer as one, and a storage buffer as one.");
	if (spb_op(m, type) != SpvOpTypePointer) {
		add_pointer(p, m->words[at + 2], to);
		add_rewrite(p, at, pointer, 0, 0);
		return;
	}
	to.form = SPB_POINTER_TYPED;
	to.type = m->words[type + 3];
	add_rewrite(p, at, pointer, to.type, heap_for(p, from.chain, to.type, to.storage_class, at));
	add_pointer(p, m->words[at + 2], to);
}

/* Follows the indices of an untyped chain from a type. */
static uint32_t reached(struct spb_builtin_plan *p, spb_at at, uint32_t type)
{
	const struct spb_module *m = p->m;

	for (uint32_t w = at + 5; w < spb_next(m, at) && type; w++) {
		uint64_t index = 0;
		if (spb_def_op(m, type) == SpvOpTypeStruct && !spb_constant_value(m, m->words[w], &index))
			type = 0;
		else
			type = spb_part_type(m, type, index);
	}
	if (!type)
		spb_refuse_builtin(p, at, "its indices do not fit its type");
	return type;
}

/* An untyped pointer to a struct or an array is one to its first member, too: how deep that is; 0: it is none. */
static uint32_t first_depth(struct spb_builtin_plan *p, uint32_t type, uint32_t member)
{
	const struct spb_module *m = p->m;
	uint32_t depth = 0;

	for (; type && type != member; depth++) {
		uint32_t op = spb_def_op(m, type);
		bool is_struct = op == SpvOpTypeStruct, is_array = op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray;
		if ((!is_struct && !is_array && op != SpvOpTypeVector) ||
		    (is_struct && !spb_begins_with_member(&p->types, type)))
			return 0;
		type = spb_part_type(m, type, 0);
	}
	return type ? depth : 0;
}

/* The access at `at`, of `type`, is in first members of what the pointer points to. */
static void enter_first(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t type)
{
	uint32_t depth = first_depth(p, p->pointers.items[pointer].type, type);

	if (!depth)
		spb_refuse_builtin(p, at, "it accesses the memory of a buffer as another type than its own");
	add_rewrite(p, at, pointer, type, 0);
	p->rewrites.items[p->rewrites.count - 1].first = depth;
}

static void see_data_chain(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	struct spb_builtin_pointer from = p->pointers.items[pointer], to = from;
	uint32_t base = m->words[at + 3], heap = 0;

	if (from.form == SPB_POINTER_BUFFER)
		heap = heap_for(p, from.chain, base, from.storage_class, at);
	else if (base != from.type)
		spb_refuse_builtin(p, at, "it reads the memory of a buffer as another type than its own");
	if (is_typed_pointer(m, m->words[at + 2]))
		spb_refuse_builtin(p, at, "its result has a type");
	to.form = SPB_POINTER_DATA;
	to.type = reached(p, at, base);
	add_rewrite(p, at, pointer, to.type, heap);
	add_pointer(p, m->words[at + 2], to);
}

static void see_copy(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	struct spb_builtin_pointer copy = p->pointers.items[pointer];

	if (copy.form == SPB_POINTER_TYPED)
		return;
	if (!copy.type) /* each use of the copy will be a chain of its own */
		p->chains.items[copy.chain].marked |=
		    spb_decoration(p->m, p->m->words[at + 2], SpvDecorationNonUniform) != 0;
	add_rewrite(p, at, pointer, copy.type, 0);
	add_pointer(p, p->m->words[at + 2], copy);
}

static void see_argument(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t word)
{
	const struct spb_module *m = p->m;
	struct spb_builtin_pointer *from = &p->pointers.items[pointer];
	spb_at parameter = m->def[m->words[at + 3]];

	for (uint32_t w = at + 4; w <= word; w++) {
		parameter = spb_next_parameter(m, parameter);
		if (spb_op(m, parameter) != SpvOpFunctionParameter)
			spb_refuse_builtin(p, at, "the function has fewer parameters");
	}
	spb_at type = m->def[m->words[parameter + 1]];
	if (spb_op(m, type) != SpvOpTypePointer)
		spb_refuse_builtin(
		    p, at, "the parameter is an untyped pointer" SPB_REMEDY "Give it a type, or inline the function.");
	if (from->form == SPB_POINTER_DESCRIPTOR && !from->type && is_opaque(m, m->words[type + 3]))
		from->type = m->words[type + 3];
	if (m->words[type + 3] != from->type || from->form == SPB_POINTER_BUFFER)
		spb_refuse_builtin(p, at, "the parameter points to another type");
}

/* Each use of a data pointer must have the type of the data. */
static void check_access(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t type)
{
	struct spb_builtin_pointer *from = &p->pointers.items[pointer];

	if (from->form == SPB_POINTER_BUFFER)
		add_rewrite(p, at, pointer, type, heap_for(p, from->chain, type, from->storage_class, at));
	else if (type != from->type)
		enter_first(p, at, pointer, type);
}

static void see_array_length(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	struct spb_builtin_pointer from = p->pointers.items[pointer];
	uint32_t block = m->words[at + 3], heap = 0;

	if (from.form == SPB_POINTER_BUFFER)
		heap = heap_for(p, from.chain, block, from.storage_class, at);
	else if (from.form != SPB_POINTER_TYPED || block != from.type)
		spb_refuse_builtin(p, at, "it asks for the length within another type");
	add_rewrite(p, at, pointer, block, heap);
}

static bool see_data_use(struct spb_builtin_plan *p, uint32_t pointer, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at), operand = use.word - use.at;

	if ((op == OpUntypedAccessChainKHR || op == OpUntypedInBoundsAccessChainKHR) && operand == 4)
		see_data_chain(p, use.at, pointer);
	else if (op == OpUntypedArrayLengthKHR && operand == 4)
		see_array_length(p, use.at, pointer);
	else if (p->pointers.items[pointer].form == SPB_POINTER_TYPED)
		return true;
	else if (op == SpvOpLoad)
		check_access(p, use.at, pointer, m->words[use.at + 1]);
	else if (op == SpvOpStore && operand == 1)
		check_access(p, use.at, pointer, spb_type_of(m, m->words[use.at + 2]));
	else if (op == SpvOpAtomicStore && operand == 1)
		check_access(p, use.at, pointer, spb_type_of(m, m->words[use.at + 4]));
	else if (spb_op_is(op, SPB_OP_ATOMIC) && operand == 3)
		check_access(p, use.at, pointer, m->words[use.at + 1]);
	else
		return false;
	return true;
}

static bool is_texel_access(const struct spb_builtin_plan *p, struct spb_use use, uint32_t type)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at);

	if (!spb_op_is(op, SPB_OP_ATOMIC))
		return false;
	return type == (op == SpvOpAtomicStore ? spb_type_of(m, m->words[use.at + 4]) : m->words[use.at + 1]);
}

static void see_use(struct spb_builtin_plan *p, uint32_t pointer, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at);
	struct spb_builtin_pointer from = p->pointers.items[pointer];
	bool known = true;

	if (spb_is_non_semantic(m, use.at))
		add_rewrite(p, use.at, pointer, 0, 0);
	else if (op == SpvOpCopyObject)
		see_copy(p, use.at, pointer);
	else if (op == SpvOpFunctionCall && from.form != SPB_POINTER_TYPED)
		see_argument(p, use.at, pointer, use.word);
	else if (from.form == SPB_POINTER_ADDRESS)
		see_address(p, use.at, pointer);
	else if (from.form == SPB_POINTER_TEXEL)
		known = is_texel_access(p, use, from.type);
	else if (from.form != SPB_POINTER_DESCRIPTOR)
		known = see_data_use(p, pointer, use);
	else if (op == SpvOpLoad)
		see_descriptor(p, use.at, pointer, m->words[use.at + 1]);
	else if (op == OpBufferPointerEXT)
		see_buffer(p, use.at, pointer);
	else if (op == OpUntypedImageTexelPointerEXT && use.word == use.at + 4) {
		uint32_t image = m->words[use.at + 3];
		see_descriptor(p, use.at, pointer, image);
		if (spb_def_op(m, image) != SpvOpTypeImage)
			spb_refuse_builtin(p, use.at, "it is not an image");
		struct spb_builtin_pointer texel = {
		    .form = SPB_POINTER_TEXEL, .chain = from.chain, .type = m->words[m->def[image] + 2]};
		add_pointer(p, m->words[use.at + 2], texel);
	} else {
		known = false;
	}
	if (!known)
		spb_refuse_builtin(p, use.at,
				   "the pointer is not used for an access there" SPB_REMEDY
				   "Access the descriptor where it is indexed.");
}

void spb_read_builtin_heaps(struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;

	p->uses = spb_find_heap_uses(m, p->arena);
	for (size_t i = 0; i < p->uses.list.count; i++) {
		struct spb_heap_use use = p->uses.list.items[i];
		if (!use.is_chain)
			spb_refuse_builtin(p, use.at, "the heap itself is not indexed there");
		see_chain(p, use.at, use.sampler);
	}
	while (p->work.count) {
		uint32_t id = p->work.items[--p->work.count], pointer = p->pointer_of[id] - 1;
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			see_use(p, pointer, m->use[i]);
	}
}

void spb_choose_chain_heaps(struct spb_builtin_plan *p)
{
	p->chain_heap = spb_alloc_zeroed(p->arena, p->chains.count, sizeof *p->chain_heap);
	p->index_of = spb_alloc_zeroed(p->arena, p->chains.count, sizeof *p->index_of);
	for (size_t i = 0; i < p->chains.count; i++) {
		struct spb_heap_chain *c = &p->chains.items[i];
		uint32_t type = p->pointers.items[p->pointer_of[p->m->words[c->at + 2]] - 1].type;
		if (type)
			p->chain_heap[i] = heap_for(p, (uint32_t)i, type, SpvStorageClassUniformConstant, c->at);
	}
}
