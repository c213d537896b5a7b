/* SPDX-License-Identifier: Apache-2.0 */
/* handle_checks: --instrument-handles makes each dereference check its index and count the faults.
 *
 *     buffer spb_handle_table { uvec2 kinds[9]; uint entries[]; }              filled by the host
 *     buffer spb_handle_faults_N { struct { uint count, index; } faults[]; }   one for each dereference of module N
 *
 * kinds[k], with k as in spb_heap_kind, holds the number of descriptors of this kind and the offset of their
 * entries. An entry is the generation of the descriptor, which the y of a handle has to match; 0: there is no
 * descriptor; ~0: any handle is accepted. In a resolver's index, and in handles of two descriptors, y is not a
 * generation and is not compared.
 *
 *     %inside = OpULessThan %bool %x %size               %slot = OpSelect %uint %inside %x+first %0
 *     %bad = !%inside, or entries[%slot] is 0, or it is neither ~0 nor y
 *     OpAtomicIAdd faults[site].count  %bad ? 1 : 0
 *     OpAtomicUMax faults[site].index  %bad ? %x : 0
 *
 * The check has no branches and therefore changes no control flow; the access itself still happens. */
#include "pass/handles/heaps.h"

enum { KINDS = 9, ENTRIES_AT = 8 * KINDS, FAULT_SIZE = 8 };

struct spb_handle_checks {
	uint32_t uint, boolean, number; /* types; the last is that of a pointer */
	uint32_t zero, one, all, scope; /* constants */
	struct spb_location_table places;
};

static uint32_t array_type(struct spb_edit *e, uint32_t element, uint32_t length, uint32_t stride)
{
	uint32_t id = spb_new_id(e);

	if (length)
		spb_add_global(e, SpvOpTypeArray, W(id, element, length));
	else
		spb_add_global(e, SpvOpTypeRuntimeArray, W(id, element));
	spb_add_decoration(e, id, SpvDecorationArrayStride, &stride, 1);
	return id;
}

/* Binds a new buffer in the set of --instrument-handles. */
static uint32_t make_buffer(struct spb_unit *u, uint32_t type, const char *name, uint32_t binding)
{
	uint32_t id = spb_add_own_buffer(u, type, name), set = u->options->handles.instrument_set;

	spb_add_decoration(&u->edit, id, SpvDecorationDescriptorSet, &set, 1);
	spb_add_decoration(&u->edit, id, SpvDecorationBinding, &binding, 1);
	SPB_PUSH(&u->m.keep, &u->created.added, id);
	return id;
}

static void make_table(struct spb_heaps *h)
{
	struct spb_edit *e = &h->u->edit;
	uint32_t pair = spb_uint2_type(e);
	uint32_t kinds = array_type(e, pair, spb_uint_constant(&h->u->edit, KINDS), 8),
		 entries = array_type(e, h->checks->uint, 0, 4);
	uint32_t type = spb_new_id(e);

	spb_add_global(e, SpvOpTypeStruct, W(type, kinds, entries));
	spb_place_member(h->u, type, 0, 0, "kinds");
	spb_place_member(h->u, type, 1, ENTRIES_AT, "entries");
	h->u->handles.table = make_buffer(h->u, type, SPB_HANDLE_TABLE, h->u->options->handles.instrument_binding);
	spb_add_decoration(e, h->u->handles.table, SpvDecorationNonWritable, NULL, 0);
}

/* Each module of a program has its own buffer, since resources with the same name would be one. */
static void make_faults(struct spb_heaps *h)
{
	struct spb_edit *e = &h->u->edit;
	struct spb_text_buffer name = {.arena = &h->u->m.context->scratch};
	uint32_t fault = spb_new_id(e), type = spb_new_id(e), uint = h->checks->uint;

	spb_text_format(&name, "spb_handle_faults_%u", h->u->program.number);
	spb_add_global(e, SpvOpTypeStruct, W(fault, uint, uint));
	spb_add_name(e, fault, "spb_handle_fault");
	spb_place_member(h->u, fault, 0, 0, "count");
	spb_place_member(h->u, fault, 1, 4, "index");
	spb_add_global(e, SpvOpTypeStruct, W(type, array_type(e, fault, 0, FAULT_SIZE)));
	spb_place_member(h->u, type, 0, 0, "faults");
	h->u->handles.faults = make_buffer(h->u, type, spb_text_end(&name),
					   h->u->options->handles.instrument_binding + 1 + h->u->program.number);
}

static void begin(struct spb_heaps *h)
{
	struct spb_unit *u = h->u;
	struct spb_arena *arena = &u->m.context->scratch;

	if (spb_version_word(&u->m) < 0x00010300)
		spb_fail(&u->m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_CHECKS, 0,
			 "--instrument-handles needs SPIR-V 1.3, for storage buffers" SPB_REMEDY
			 "Compile for Vulkan 1.1 or later.");
	h->checks = spb_alloc_zeroed(arena, 1, sizeof *h->checks);
	h->checks->uint = spb_uint_type(&u->edit);
	h->checks->boolean = spb_bool_type(&u->edit);
	h->checks->zero = spb_uint_constant(&h->u->edit, 0);
	h->checks->one = spb_uint_constant(&h->u->edit, 1);
	h->checks->all = spb_uint_constant(&h->u->edit, UINT32_MAX);
	h->checks->scope = spb_uint_constant(&h->u->edit, spb_device_scope(&u->m));
	h->checks->places = spb_location_table(&u->m, arena);
	if (!u->handles.table) { /* otherwise another pass has created them */
		make_table(h);
		make_faults(h);
	}
	h->checks->number = spb_pointer_type(&u->edit, SpvStorageClassStorageBuffer, h->checks->uint);
}

static uint32_t put(struct spb_heaps *h, spb_at at, uint32_t op, uint32_t type, const uint32_t *operands,
		    uint32_t count)
{
	uint32_t words[8], id = spb_new_id(&h->u->edit);

	words[0] = type;
	words[1] = id;
	memcpy(words + 2, operands, count * sizeof *operands);
	spb_insert(&h->u->edit, at, op, words, count + 2);
	return id;
}

static uint32_t put_load(struct spb_heaps *h, spb_at at, uint32_t pointer)
{
	return put(h, at, SpvOpLoad, h->checks->uint, W(pointer));
}

/* A word of kinds[number]. */
static uint32_t put_of_kind(struct spb_heaps *h, spb_at at, uint32_t number, uint32_t word)
{
	struct spb_handle_checks *c = h->checks;

	return put_load(h, at, put(h, at, SpvOpAccessChain, c->number, W(h->u->handles.table, c->zero, number, word)));
}

static uint32_t keep_site(struct spb_heaps *h, spb_at at, enum spb_descriptor kind)
{
	struct spb_unit *u = h->u;
	struct spb_source_place p = spb_place_of(&h->checks->places, at);
	struct spb_handle_site site = {.file = "", .line = p.line, .kind = kind};

	const char *file = spb_file_of(&u->m, p.file);
	if (file)
		site.file = spb_copy_text(&u->m.keep, file, strlen(file));
	SPB_PUSH(&u->m.keep, &u->handles.sites, site);
	return (uint32_t)u->handles.sites.count - 1;
}

static void count_fault(struct spb_heaps *h, spb_at at, enum spb_descriptor kind, uint32_t bad, uint32_t index)
{
	struct spb_handle_checks *c = h->checks;
	uint32_t site = spb_uint_constant(&h->u->edit, keep_site(h, at, kind)), faults = h->u->handles.faults;
	uint32_t count = put(h, at, SpvOpAccessChain, c->number, W(faults, c->zero, site, c->zero));
	uint32_t worst = put(h, at, SpvOpAccessChain, c->number, W(faults, c->zero, site, c->one));

	put(h, at, SpvOpAtomicIAdd, c->uint,
	    W(count, c->scope, c->zero, put(h, at, SpvOpSelect, c->uint, W(bad, c->one, c->zero))));
	put(h, at, SpvOpAtomicUMax, c->uint,
	    W(worst, c->scope, c->zero, put(h, at, SpvOpSelect, c->uint, W(bad, index, c->zero))));
}

void spb_put_handle_check(struct spb_heaps *h, uint32_t at, enum spb_descriptor kind, uint32_t type, uint32_t index,
			  uint32_t handle, bool whole)
{
	if (!h->checks)
		begin(h);
	struct spb_handle_checks *c = h->checks;
	uint32_t truth = c->boolean, number = spb_uint_constant(&h->u->edit, spb_descriptor_info(kind)->heap.kind);
	if (type != c->uint)
		index = put(h, at, SpvOpBitcast, c->uint, W(index));
	uint32_t size = put_of_kind(h, at, number, c->zero);
	uint32_t first = put_of_kind(h, at, number, c->one);
	uint32_t inside = put(h, at, SpvOpULessThan, truth, W(index, size));
	uint32_t sum = put(h, at, SpvOpIAdd, c->uint, W(first, index));
	uint32_t slot = put(h, at, SpvOpSelect, c->uint, W(inside, sum, c->zero));
	uint32_t entry = put_load(h, at, put(h, at, SpvOpAccessChain, c->number, W(h->u->handles.table, c->one, slot)));
	uint32_t bad =
	    put(h, at, SpvOpLogicalOr, truth,
		W(put(h, at, SpvOpLogicalNot, truth, W(inside)), put(h, at, SpvOpIEqual, truth, W(entry, c->zero))));
	if (whole) {
		const struct spb_module *m = &h->u->m; /* a handle that check-heaps has made is a uint2 */
		uint32_t part = handle < m->bound ? m->words[m->def[spb_type_of(m, handle)] + 2] : c->uint;
		uint32_t y = put(h, at, SpvOpCompositeExtract, part, W(handle, 1));
		if (part != c->uint)
			y = put(h, at, SpvOpBitcast, c->uint, W(y));
		uint32_t stale = put(h, at, SpvOpINotEqual, truth, W(entry, y));
		uint32_t strict = put(h, at, SpvOpINotEqual, truth, W(entry, c->all));
		bad = put(h, at, SpvOpLogicalOr, truth, W(bad, put(h, at, SpvOpLogicalAnd, truth, W(stale, strict))));
	}
	count_fault(h, at, kind, bad, index);
}
