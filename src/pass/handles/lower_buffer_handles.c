/* SPDX-License-Identifier: Apache-2.0 */
/* lower-buffer-handles: a buffer that is dereferenced from a handle becomes an element of a runtime array of
 * buffers, and pointers into it by device address become pointers into that array.
 *
 *     %p = OpExtInst %ptr_psb_block %set 2 %handle               (gone)
 *     %c = OpAccessChain %ptr_psb_float %p %uint_1 %i            %x = OpCompositeExtract %uint %handle 0
 *                                                                %c = OpAccessChain %ptr_float %heap %x %uint_1 %i
 *     %f = OpLoad %float %c Aligned 16                           %f = OpLoad %float %c
 *
 * There is one heap for each block type: in StorageBuffer for instruction 2 (in Uniform if the block is decorated
 * BufferBlock), in Uniform for instruction 3. The chain is emitted in the basic block that accesses the buffer,
 * under the same control flow as the access; if the old chain is in another block, it is emitted again. Aligned
 * applies to device addresses only: the alignment of a descriptor follows from its offset.
 *
 * carry-handles has already removed pointers that flow. Device addresses remain; if there are none,
 * lower_buffer_clean.c removes what only they need.
 *
 * Refused: a pointer to something that cannot be a block (SPB_E_HANDLE_KIND), and what handle_flow.c refuses. */
#include "pass/handles/handle_flow.h"

struct made { /* what an id was last lowered to, and in which basic block */
	uint32_t label, id;
};

struct use_of_heap {
	uint32_t function, heap;
};

struct plan {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_arena *arena;
	struct spb_heaps heaps;
	uint32_t import;
	uint32_t *root_of;   /* [bound] dereference, or chain from it -> the dereference */
	uint32_t *heap_of;   /* [bound] dereference -> heap + 1; 0: nothing is accessed through it */
	uint32_t *accessed;  /* bits over dereferences */
	uint32_t *base_of;   /* [bound] chain or copy -> its base */
	uint32_t *label_of;  /* [bound] of both: label of the basic block they are in */
	uint32_t *kept;      /* bits over the same: accessed in their own block */
	uint32_t *marked;    /* bits over the same: NonUniform on the path to it */
	uint32_t *gone;      /* bits over ids */
	uint32_t *decorated; /* bits over types: to be decorated Block */
	uint32_t *laid_out;  /* bits over types: they have an explicit layout */
	struct made *made;   /* [bound] pointer into a buffer -> the chain */
	SPB_LIST(struct use_of_heap) uses;
	SPB_LIST(uint32_t) path;
	size_t words; /* in chains, so far */
};

static bool is_in_aggregate(const struct spb_module *m, uint32_t type)
{
	for (uint32_t i = m->first_use[type]; i < m->first_use[type + 1]; i++) {
		uint32_t op = spb_op(m, m->use[i].at);
		if (op == SpvOpTypeStruct || spb_op_is(op, SPB_OP_ARRAY))
			return true;
	}
	return false;
}

/* A struct without Block, which device addresses do not need, is decorated Block where that is allowed. */
static void need_block(struct plan *p, spb_at at, uint32_t type)
{
	const struct spb_module *m = p->m;

	if (spb_bit(p->decorated, type) || spb_decoration(m, type, SpvDecorationBlock) ||
	    spb_decoration(m, type, SpvDecorationBufferBlock))
		return;
	if (spb_def_op(m, type) != SpvOpTypeStruct || is_in_aggregate(m, type))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_KIND, at,
			 "a handle is dereferenced to a pointer to %s, which is not a block and cannot be made "
			 "one" SPB_REMEDY "Make the type a member of a block.",
			 spb_label(p->arena, m, type));
	spb_set_bit(p->decorated, type);
	spb_add_decoration(p->e, type, SpvDecorationBlock, NULL, 0);
}

static uint32_t count_offsets(const struct spb_module *m, uint32_t type)
{
	uint32_t count = 0;

	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		const spb_at at = m->note[i].at;
		count += spb_op(m, at) == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationOffset;
	}
	return count;
}

/* SPIR-V 2.16.2: contents of buffers have an explicit layout, but validators do not check that behind device
 * addresses. */
static void need_layout(struct plan *p, spb_at at, uint32_t block)
{
	const struct spb_module *m = p->m;
	SPB_LIST(uint32_t) types = {0};

	SPB_PUSH(p->arena, &types, block);
	while (types.count) {
		const uint32_t type = types.items[--types.count], op = spb_def_op(m, type);
		const spb_at def = m->def[type];
		const bool is_array = spb_op_is(op, SPB_OP_ARRAY);
		if ((op != SpvOpTypeStruct && !is_array) || spb_bit(p->laid_out, type))
			continue;
		spb_set_bit(p->laid_out, type);
		if (is_array ? !spb_decoration(m, type, SpvDecorationArrayStride)
			     : count_offsets(m, type) < spb_length(m, def) - 2)
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_KIND, at,
				 "a handle is dereferenced to a pointer to %s, in which %s lacks %s" SPB_REMEDY
				 "Decorate it: a buffer needs an explicit layout.",
				 spb_label(p->arena, m, block), spb_label(p->arena, m, type),
				 is_array ? "ArrayStride" : "Offset");
		for (uint32_t i = 2; i < (is_array ? 3 : spb_length(m, def)); i++)
			SPB_PUSH(p->arena, &types, m->words[def + i]);
	}
}

static uint32_t find_heap(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t type = m->words[m->def[m->words[at + 1]] + 3];
	bool uniform = m->words[at + 4] == SPB_HANDLE_UNIFORM_BUFFER;
	bool buffer_block = spb_decoration(m, type, SpvDecorationBufferBlock) != 0;

	need_block(p, at, type);
	need_layout(p, at, type);
	if (uniform && buffer_block)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_KIND, at,
			 "a handle is dereferenced to a uniform buffer, but %s is decorated BufferBlock, which marks "
			 "storage buffers" SPB_REMEDY
			 "Use instruction 2 (DECLARE_BUFFER_HANDLE), or decorate the struct Block.",
			 spb_label(p->arena, m, type));
	return spb_heap_of(&p->heaps, type,
			   uniform || buffer_block ? SpvStorageClassUniform : SpvStorageClassStorageBuffer,
			   uniform ? SPB_DESCRIPTOR_UBO : SPB_DESCRIPTOR_SSBO);
}

/* A pointer is accessed in the basic block `label`. */
static void see_access(struct plan *p, struct spb_use use, uint32_t label)
{
	uint32_t id = p->m->words[use.word];

	if (!p->base_of[id] && spb_pointer_use(p->m, use) == SPB_POINTER_REMARK)
		return;
	spb_set_bit(p->accessed, p->root_of[id]);
	if (p->base_of[id] && p->label_of[id] == label)
		spb_set_bit(p->kept, id);
}

static void see(struct plan *p, spb_at at, uint32_t label)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, at), result = spb_result(m, at), base;

	if (spb_is_buffer_dereference(m, p->import, at)) {
		p->root_of[result] = result;
		p->label_of[result] = label;
		if (spb_decoration(m, result, SpvDecorationNonUniform) ||
		    spb_decoration(m, m->words[at + 5], SpvDecorationNonUniform))
			spb_set_bit(p->marked, result);
		return;
	}
	base = spb_op_is_chain(op) || op == SpvOpCopyObject ? m->words[at + 3] : 0;
	if (base && p->root_of[base]) {
		if (spb_def_op(m, m->words[at + 1]) != SpvOpTypePointer)
			spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_NOT_A_TYPE, at,
				 "the type of a pointer made by %s, %%%u, is not an OpTypePointer", spb_op_name(op),
				 m->words[at + 1]);
		p->root_of[result] = p->root_of[base];
		p->base_of[result] = base;
		p->label_of[result] = label;
		if (spb_bit(p->marked, base) || spb_decoration(m, result, SpvDecorationNonUniform))
			spb_set_bit(p->marked, result);
		return;
	}
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && p->root_of[m->words[o.word]])
			see_access(p, (struct spb_use){at, o.word}, label);
	}
}

static void choose_heap(struct plan *p, spb_at at, uint32_t label)
{
	(void)label;
	if (spb_is_buffer_dereference(p->m, p->import, at) && spb_bit(p->accessed, p->m->words[at + 2]))
		p->heap_of[p->m->words[at + 2]] = find_heap(p, at) + 1;
}

/* The same pointer type in the storage class of a heap. */
static uint32_t pointer_type(struct plan *p, uint32_t type, uint32_t heap)
{
	const struct spb_heap_type *h = &p->heaps.list.items[heap];

	return spb_pointer_type(p->e, h->storage_class, p->m->words[p->m->def[type] + 3]);
}

/* Collects the indexes between a dereference and a pointer, last one first; returns the dereference. */
static uint32_t collect_path(struct plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	p->path.count = 0;
	for (; p->base_of[id]; id = p->base_of[id]) {
		spb_at at = m->def[id];
		uint32_t op = spb_op(m, at), first = at + 4;
		if (op == SpvOpPtrAccessChain || op == SpvOpInBoundsPtrAccessChain)
			first++; /* element 0 */
		for (uint32_t w = spb_next(m, at); spb_op_is_chain(op) && w-- > first;)
			SPB_PUSH(p->arena, &p->path, m->words[w]);
	}
	return id;
}

/* Emits before `at` the pointer `id` as one chain from the heap, with the id `result`. */
static void put_chain(struct plan *p, uint32_t at, uint32_t id, uint32_t result)
{
	const struct spb_module *m = p->m;
	uint32_t root = collect_path(p, id), heap = p->heap_of[root] - 1, count = (uint32_t)p->path.count;
	uint32_t *words = spb_alloc_array(p->arena, count + 4, sizeof *words);
	bool constant;

	p->words += count + 8;
	if (p->words > 16 * (size_t)m->count + 65536 || count > 0xFF00)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_TOO_MUCH, at,
			 "copying chains of access chains into buffers would make the module more than 16 times as "
			 "large" SPB_REMEDY "Dereference the handle closer to the access.");
	words[0] = pointer_type(p, m->words[m->def[id] + 1], heap);
	words[1] = result;
	words[2] = p->heaps.list.items[heap].variable;
	words[3] = spb_put_handle_index(&p->heaps, at, heap, m->words[m->def[root] + 5], SPB_HANDLE_X,
					spb_bit(p->marked, id), &constant);
	for (uint32_t i = 0; i < count; i++)
		words[4 + i] = p->path.items[count - 1 - i];
	spb_insert(p->e, at, SpvOpAccessChain, words, count + 4);
}

static void remember_use(struct plan *p, spb_at at, uint32_t heap)
{
	uint32_t function = (uint32_t)(spb_function_around(p->m, at) - p->m->function);
	size_t n = p->uses.count;

	if (!n || p->uses.items[n - 1].function != function || p->uses.items[n - 1].heap != heap)
		SPB_PUSH(p->arena, &p->uses, ((struct use_of_heap){function, heap}));
}

/* The id that an access uses in place of the pointer `id`: one defined in the access's own block. */
static uint32_t pointer_here(struct plan *p, spb_at at, uint32_t label, uint32_t id)
{
	struct made *made = &p->made[id];

	if (!p->heap_of[p->root_of[id]])
		spb_fail(p->m, SPB_ERROR_INVALID_SPIRV, SPB_E_ID_UNDEFINED, at,
			 "%s uses %%%u before its definition" SPB_REMEDY "The module is invalid.",
			 spb_word_of(p->m, at), id);
	remember_use(p, at, p->heap_of[p->root_of[id]] - 1);
	if (p->base_of[id] && p->label_of[id] == label)
		return id;
	if (made->label == label)
		return made->id;
	*made = (struct made){.label = label, .id = spb_new_id(p->e)};
	put_chain(p, at, id, made->id);
	if (p->base_of[id] && spb_decoration(p->m, id, SpvDecorationNonUniform))
		spb_add_decoration(p->e, made->id, SpvDecorationNonUniform, NULL, 0);
	return made->id;
}

static bool is_address(const struct plan *p, uint32_t id)
{
	return !p->root_of[id] && spb_is_buffer_pointer(p->m, spb_type_of(p->m, id));
}

/* Removes Aligned from the memory operands among the words of the instruction at `at`, unless it also accesses a device
 * address, which needs it. Returns the number of words left. */
static uint32_t drop_aligned(const struct plan *p, spb_at at, uint32_t *words)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, at), masks[2] = {0}, count = 0, kept = 1;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o) && count < 2;) {
		if (o.kind == SPB_KIND_MEMORY_ACCESS)
			masks[count++] = o.word - at;
	}
	if (op == SpvOpCopyMemory && (is_address(p, m->words[at + 1]) || is_address(p, m->words[at + 2])))
		return spb_length(m, at);
	for (uint32_t w = 1; w < spb_length(m, at); w++) {
		bool mask = count && (w == masks[0] || w == masks[1]);
		if (!mask || !(words[w] & SpvMemoryAccessAlignedMask)) {
			words[kept++] = words[w];
			continue;
		}
		words[kept] = words[w++] & ~(uint32_t)SpvMemoryAccessAlignedMask; /* and its literal */
		kept += words[kept] || count == 2; /* the second mask must remain the second */
	}
	return kept;
}

/* Rewrites an access whose pointers are now in heaps. */
static void rewrite_access(struct plan *p, spb_at at, uint32_t label)
{
	const struct spb_module *m = p->m;
	uint32_t length = spb_length(m, at), *words = NULL;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word];
		if (o.kind != SPB_KIND_ID || !p->root_of[id])
			continue;
		if (!words) {
			words = spb_alloc_array(p->arena, length, sizeof *words);
			memcpy(words, m->words + at, length * sizeof *words);
		}
		words[o.word - at] = pointer_here(p, at, label, id);
	}
	if (!words)
		return;
	spb_replace(p->e, at, spb_op(m, at), words + 1, drop_aligned(p, at, words) - 1);
}

static void remove_id(struct plan *p, uint32_t id)
{
	spb_set_bit(p->gone, id);
	spb_remove_id(p->e, id);
}

static void rewrite(struct plan *p, spb_at at, uint32_t label)
{
	uint32_t result = spb_result(p->m, at);

	if (!result || !p->root_of[result]) {
		rewrite_access(p, at, label);
		return;
	}
	if (!spb_bit(p->kept, result)) {
		remove_id(p, result);
		return;
	}
	put_chain(p, at, result, result);
	spb_set_bit(p->gone, result); /* counted as a pointer of its type */
	spb_remove(p->e, at);
}

static void walk(struct plan *p, void (*visit)(struct plan *, spb_at, uint32_t))
{
	const struct spb_module *m = p->m;
	uint32_t label = 0;

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpLabel)
			label = m->words[at + 1];
		visit(p, at, label);
	}
}

static void list_heaps(struct plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t *first = spb_alloc_array(p->arena, m->function_count + 1, sizeof *first), use = 0;

	if (spb_version_word(m) < 0x00010400)
		return;
	struct spb_calls calls = spb_find_calls(m, p->arena);
	for (uint32_t f = 0; f <= m->function_count; f++) { /* the uses are sorted by function */
		while (use < p->uses.count && p->uses.items[use].function < f)
			use++;
		first[f] = use;
	}
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		uint32_t count = spb_op(m, at) == SpvOpEntryPoint ? spb_reach(&calls, m->words[at + 2]) : 0;
		for (uint32_t i = 0; i < count; i++) {
			for (uint32_t n = first[calls.reached[i]]; n < first[calls.reached[i] + 1]; n++)
				spb_heap_list(&p->heaps, at, p->uses.items[n].heap);
		}
	}
}

static void begin(struct plan *p)
{
	uint32_t bound = p->m->bound;

	spb_heaps_begin(&p->heaps, p->u);
	p->root_of = spb_alloc_zeroed(p->arena, bound, sizeof *p->root_of);
	p->heap_of = spb_alloc_zeroed(p->arena, bound, sizeof *p->heap_of);
	p->accessed = spb_bits(p->arena, bound);
	p->base_of = spb_alloc_zeroed(p->arena, bound, sizeof *p->base_of);
	p->label_of = spb_alloc_zeroed(p->arena, bound, sizeof *p->label_of);
	p->made = spb_alloc_zeroed(p->arena, bound, sizeof *p->made);
	p->kept = spb_bits(p->arena, bound);
	p->marked = spb_bits(p->arena, bound);
	p->gone = spb_bits(p->arena, bound);
	p->decorated = spb_bits(p->arena, bound);
	p->laid_out = spb_bits(p->arena, bound);
}

bool spb_pass_lower_buffer_handles(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.u = u, .m = m, .e = &u->edit, .arena = &m->context->scratch};

	if (!spb_has_buffer_handles(u))
		return false;
	spb_module_need_uses(m);
	p.import = spb_import(m, SPB_HANDLE_SET);
	begin(&p);
	walk(&p, see);
	walk(&p, choose_heap);
	spb_heaps_make(&p.heaps);
	walk(&p, rewrite);
	spb_heaps_declare(&p.heaps);
	list_heaps(&p);
	if (p.heaps.list.count && spb_version_word(m) < 0x00010300)
		spb_add_extension(p.e, "SPV_KHR_storage_buffer_storage_class");
	spb_clean_buffer_pointers(&p.heaps, p.gone);
	return true;
}
