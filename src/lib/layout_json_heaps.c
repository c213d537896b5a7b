/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json_heaps: the heaps of SPV_EXT_descriptor_heap in the layout JSON, which have no set or binding: the kinds
 * that modules read from each, and in which stride, whether spirv-bind wrote them or the input had them already; and
 * which dereferences --instrument-handles checks. */
#include "base/json.h"
#include "lib/lib.h"
#include "pass/builtin/builtin.h"

static int by_kind(const void *a, const void *b)
{
	const struct spb_builtin_use *x = a, *y = b;

	if (x->kind != y->kind)
		return (x->kind > y->kind) - (x->kind < y->kind);
	if (x->stride != y->stride)
		return (x->stride > y->stride) - (x->stride < y->stride);
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static void stride_key(struct spb_json *j, const struct spb_builtin_use *use)
{
	static const char *const words[] = {
	    [SPB_STRIDE_SIZE] = "size", [SPB_STRIDE_UNIFIED] = "unified", [SPB_STRIDE_COMPUTED] = "computed"};

	if (use->stride == SPB_STRIDE_BYTES)
		spb_json_number_key(j, "stride", use->bytes);
	else
		spb_json_string_key(j, "stride", words[use->stride]);
}

void spb_json_builtin_heaps(struct spb_json *j, struct spb_program *p)
{
	struct spb_arena *arena = &p->context->scratch;
	SPB_LIST(struct spb_builtin_use) all = {0};

	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_builtin_use *uses;
		if (!(p->slots.items[i]->unit.m.has & SPB_HAS_DESCRIPTOR_ARRAYS)) /* nor untyped pointers */
			continue;
		uint32_t count = spb_find_builtin_uses(&p->slots.items[i]->unit.m, arena, &uses);
		for (uint32_t k = 0; k < count; k++)
			SPB_PUSH(arena, &all, uses[k]);
	}
	spb_sort(arena, all.items, all.count, sizeof *all.items, by_kind);
	for (size_t i = 0; i < all.count; i++) {
		const struct spb_builtin_use *use = &all.items[i];
		const struct spb_descriptor_info *info = spb_descriptor_info(use->kind);
		if (i && !by_kind(use - 1, use))
			continue;
		spb_json_item(j, '{');
		spb_json_word_key(j, "model", "descriptor-heap");
		spb_json_word_key(j, "kind", info->kind);
		spb_json_word_key(j, "heap", use->kind == SPB_DESCRIPTOR_SAMPLER ? "sampler" : "resource");
		spb_json_word_key(j, "descriptorType", info->vk_name);
		stride_key(j, use);
		spb_json_close(j, '}', true);
	}
}

void spb_json_index_keys(struct spb_json *j, const spb_descriptor_access *a)
{
	spb_json_key(j, "index");
	if (a->constant)
		spb_text_number(&j->text, a->index);
	else
		spb_text_put(&j->text, "null");
	if (a->index_id)
		spb_json_number_key(j, "indexId", a->index_id);
	spb_json_bool_key(j, "nonUniform", a->non_uniform);
}

static void write_access(struct spb_json *j, const struct spb_module *m, const spb_descriptor_access *a)
{
	spb_at at = m->def[a->id];
	const struct spb_function *f = spb_function_around(m, at);

	spb_json_item(j, '{');
	spb_json_string_key(j, "module", spb_base_name(m->name));
	spb_json_string_key(j, "function", f ? spb_id_name(m, m->words[f->at + 2]) : "");
	spb_json_word_key(j, "op", spb_op_name(spb_op(m, at)));
	spb_json_word_key(j, "heap", a->heap);
	spb_json_word_key(j, "descriptorType", spb_vk_type_name(a->descriptor_type));
	spb_json_index_keys(j, a);
	if (a->line && *a->file) {
		spb_json_string_key(j, "file", a->file);
		spb_json_number_key(j, "line", a->line);
	}
	spb_json_close(j, '}', true);
}

/* The accesses to built-in heaps of the output. */
void spb_json_heap_accesses(struct spb_json *j, struct spb_program *p)
{
	if (p->results.accesses.count == p->results.listed.count)
		return;
	spb_json_open_key(j, "heapAccesses", '[');
	for (size_t i = p->results.listed.count; i < p->results.accesses.count; i++) {
		const spb_descriptor_access *a = &p->results.accesses.items[i];
		struct spb_module *m = &p->slots.items[a->module]->unit.m;
		spb_module_need_index(m);
		write_access(j, m, a);
	}
	spb_json_close(j, ']', true);
}

/* In the order of the elements of the buffer. */
void spb_json_handle_checks_key(struct spb_json *j, const struct spb_unit *u)
{
	if (!u->handles.table)
		return;
	spb_json_open_key(j, "handleChecks", '{');
	spb_json_number_key(j, "table", u->handles.table);
	spb_json_number_key(j, "faults", u->handles.faults);
	spb_json_open_key(j, "sites", '[');
	for (size_t i = 0; i < u->handles.sites.count; i++) {
		const struct spb_handle_site *site = &u->handles.sites.items[i];
		spb_json_item(j, '{');
		spb_json_number_key(j, "offset", 8 * (uint32_t)i);
		spb_json_string_key(j, "kind", spb_descriptor_info(site->kind)->kind);
		if (*site->file)
			spb_json_string_key(j, "file", site->file);
		if (site->line)
			spb_json_number_key(j, "line", site->line);
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', false);
	spb_json_close(j, '}', false);
}
