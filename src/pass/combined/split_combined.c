/* SPDX-License-Identifier: Apache-2.0 */
/* split-combined: splits a combined image-sampler into an image and a sampler.
 *
 *     %tex = OpVariable %ptr_combineds UniformConstant    %tex = OpVariable %ptr_images UniformConstant
 *                                                         %tex_sampler = OpVariable %ptr_samplers UniformConstant
 *     %c = OpAccessChain %ptr_combined %tex %i            %c = OpAccessChain %ptr_image %tex %i
 *                                                         %d = OpAccessChain %ptr_sampler %tex_sampler %i
 *     %l = OpLoad %combined %c                            %l = OpLoad %image %c
 *                                                         %s = OpLoad %sampler %d
 *     %x = OpImageSampleImplicitLod %v4 %l %uv            %si = OpSampledImage %combined %l %s
 *                                                         %x = OpImageSampleImplicitLod %v4 %si %uv
 *     %j = OpImage %image %l                              (gone: %l)
 *
 * Ids that named the combined image-sampler now name the image, with its id, binding and decorations; the sampler
 * follows directly. Loads stay in place. SPIR-V 2.16.1, "Universal Validation Rules", requires OpSampledImage to be in
 * the block of its consumer, so each consumer gets its own. A parameter that points to a combined image-sampler becomes
 * two, in the function type and in its calls. New types follow the pointer type they replace, where everything they
 * depend on is declared; OpTypeSampler moves up if necessary. No function type is declared twice, since no two pointer
 * types are replaced by the same one.
 *
 * Left alone: texel buffers, which have no sampler, and heaps of combined handles, where one index selects one
 * descriptor. Refused: a value or pointer that reaches any other instruction (SPB_E_SPLIT_FLOW), an element of an array
 * passed to a function (SPB_E_SPLIT_CALL). */
#include "pass/combined/combined.h"

enum kind { VARIABLE, PARAMETER, CHAIN, LOAD, COPY };

struct item { /* an id that becomes an image */
	uint32_t id;
	enum kind kind;
	uint32_t load; /* for a LOAD or COPY: the item loaded, which has the decorations */
	bool marked;   /* NonUniform on the load or a copy */
	bool image_marked;
	bool sampled; /* a LOAD or CHAIN whose sampler is needed */
};

struct plan {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_arena *arena;
	SPB_LIST(struct item) items;
	uint32_t *item_of;    /* id -> item + 1 */
	uint32_t *sampler_of; /* id of an item -> its sampler: variable, chain or load */
	uint32_t *image_of;   /* OpImage -> its operand */
	uint32_t *callee;     /* bits over ids: functions with such parameters */
	uint32_t *needed;     /* bits over ids: types of items; pointers are replaced */
	uint32_t *pointer[2]; /* pointer type -> pointers to the image and to the sampler; 0: not replaced */
	uint32_t sampler_type, pointer_to_sampler;
	bool sampler_settled; /* the type is declared early enough */
};

enum { IMAGE, SAMPLER };

/* The OpTypeSampledImage behind a pointer type, possibly in an array; 0: not a pointer to a combined image-sampler. */
static uint32_t combined_behind(const struct spb_module *m, uint32_t pointer)
{
	spb_at at = m->def[pointer];

	if (spb_op(m, at) != SpvOpTypePointer || m->words[at + 2] != SpvStorageClassUniformConstant)
		return 0;
	uint32_t type = m->words[at + 3], element = spb_array_element(m, type);
	type = element ? element : type;
	bool is_combined = spb_descriptor_of(m, SpvStorageClassUniformConstant, type) == SPB_DESCRIPTOR_COMBINED;
	return is_combined ? type : 0;
}

/* lower-handles gives its heaps such names; in a module that was bound before, nothing else identifies them. */
static bool is_heap(const struct spb_module *m, spb_at variable)
{
	uint32_t type = m->words[m->def[m->words[variable + 1]] + 3];

	return spb_array_element(m, type) &&
	       spb_heap_named(spb_id_name(m, m->words[variable + 2])) == SPB_DESCRIPTOR_COMBINED;
}

static bool is_split(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpVariable && m->words[at + 3] == SpvStorageClassUniformConstant &&
	       combined_behind(m, m->words[at + 1]) && !is_heap(m, at);
}

static bool is_marked(const struct spb_module *m, uint32_t id)
{
	return spb_decoration(m, id, SpvDecorationNonUniform) != 0;
}

static void add_item(struct plan *p, uint32_t id, enum kind kind, const struct item *copied)
{
	uint32_t index = (uint32_t)p->items.count;
	struct item item = {.id = id, .kind = kind, .load = copied ? copied->load : index};

	if (p->item_of[id])
		return;
	spb_set_bit(p->needed, spb_type_of(p->m, id));
	p->sampler_of[id] = copied ? p->sampler_of[copied->id] : spb_new_id(&p->u->edit);
	SPB_PUSH(p->arena, &p->items, item);
	p->item_of[id] = index + 1;
	if (kind >= LOAD && is_marked(p->m, id))
		p->items.items[item.load].marked = true;
}

static bool samples(const struct spb_module *m, struct spb_use use)
{
	const struct spb_op_facts *facts = spb_op_facts(spb_op(m, use.at));

	return facts->kind == SPB_RESOURCE_SAMPLED_IMAGE && use.word == use.at + facts->resource;
}

static noreturn void refuse(const struct plan *p, const struct item *item, spb_at at)
{
	spb_fail(
	    p->m, SPB_ERROR_UNSUPPORTED, SPB_E_SPLIT_FLOW, at,
	    "%s, a combined image-sampler to be split, reaches %s as a %s, for which there is no rewrite" SPB_REMEDY
	    "Sample it where it is loaded.",
	    spb_label(p->arena, p->m, item->id), spb_word_of(p->m, at), item->kind >= LOAD ? "value" : "pointer");
}

static void follow_pointer(struct plan *p, const struct item *item, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at);
	bool is_chain = spb_op_is(op, SPB_OP_CHAIN);

	if (op == SpvOpLoad && use.word == use.at + 3 && spb_def_op(m, m->words[use.at + 1]) == SpvOpTypeSampledImage)
		add_item(p, m->words[use.at + 2], LOAD, NULL);
	else if (is_chain && use.word == use.at + 3 && combined_behind(m, m->words[use.at + 1]))
		add_item(p, m->words[use.at + 2], CHAIN, NULL);
	else if (op == SpvOpFunctionCall && item->kind == CHAIN)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_SPLIT_CALL, use.at,
			 "%s, an element of an array of combined image-samplers to be split, is passed to a "
			 "function" SPB_REMEDY "Pass the index instead, or inline the function.",
			 spb_label(p->arena, m, item->id));
	else if (op != SpvOpFunctionCall || !spb_bit(p->callee, m->words[use.at + 3]))
		refuse(p, item, use.at);
}

/* A load that is only fetched from needs no sampler, and neither does its access chain. */
static void need_sampler(struct plan *p, uint32_t load)
{
	for (struct item *i = &p->items.items[load]; (i->kind == LOAD || i->kind == CHAIN) && !i->sampled;) {
		i->sampled = true;
		i = &p->items.items[p->item_of[p->m->words[p->m->def[i->id] + 3]] - 1];
	}
}

static void follow_value(struct plan *p, const struct item *item, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at);

	if (op == SpvOpCopyObject && spb_def_op(m, m->words[use.at + 1]) == SpvOpTypeSampledImage)
		add_item(p, m->words[use.at + 2], COPY, item);
	else if (samples(m, use))
		need_sampler(p, item->load);
	else if (op != SpvOpImage)
		refuse(p, item, use.at);
}

/* The list grows during the walk. */
static void follow(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (size_t n = 0; n < p->items.count; n++) {
		struct item item = p->items.items[n];
		for (uint32_t i = m->first_use[item.id]; i < m->first_use[item.id + 1]; i++) {
			if (spb_is_non_semantic(m, m->use[i].at))
				continue;
			if (item.kind >= LOAD)
				follow_value(p, &item, m->use[i]);
			else
				follow_pointer(p, &item, m->use[i]);
		}
	}
}

static void find_parameters(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (uint32_t f = 0; f < m->function_count; f++) {
		spb_at function = m->function[f].at;
		for (spb_at at = spb_next(m, function); spb_op(m, at) != SpvOpLabel && at < m->function[f].end;
		     at = spb_next(m, at)) {
			if (spb_op(m, at) != SpvOpFunctionParameter || !combined_behind(m, m->words[at + 1]))
				continue;
			add_item(p, m->words[at + 2], PARAMETER, NULL);
			spb_set_bit(p->callee, m->words[function + 2]);
		}
	}
}

/* Declares the one OpTypeSampler before `place` at the latest. Called in module order: the first call settles it. */
static void need_sampler_type(struct plan *p, uint32_t place)
{
	struct spb_edit *e = &p->u->edit;
	uint32_t old = p->sampler_type;

	if (p->sampler_settled)
		return;
	p->sampler_settled = true;
	if (!old)
		p->sampler_type = spb_new_id(e);
	else if (p->m->def[old] < place)
		return;
	else
		spb_remove(e, p->m->def[old]);
	spb_insert(e, place, SpvOpTypeSampler, W(p->sampler_type));
}

static uint32_t make_pointer(struct plan *p, uint32_t place, spb_at array, uint32_t target)
{
	struct spb_edit *e = &p->u->edit;
	uint32_t op = spb_op(p->m, array);

	if (spb_op_is(op, SPB_OP_ARRAY)) { /* a runtime array has no length */
		const uint32_t length = op == SpvOpTypeArray ? p->m->words[array + 3] : 0;
		const uint32_t words[] = {spb_new_id(e), target, length};
		spb_insert(e, place, op, words, spb_length(p->m, array) - 1);
		target = words[0];
	}
	uint32_t pointer = spb_new_id(e);
	spb_insert(e, place, SpvOpTypePointer, W(pointer, SpvStorageClassUniformConstant, target));
	return pointer;
}

/* After each replaced pointer type: its replacements, and what they need. */
static void make_types(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpTypePointer || !spb_bit(p->needed, m->words[at + 1]))
			continue;
		uint32_t id = m->words[at + 1];
		uint32_t combined = combined_behind(m, id), place = spb_next(m, at);
		spb_at what = m->def[m->words[at + 3]];
		bool is_array = m->words[at + 3] != combined;
		p->pointer[IMAGE][id] = make_pointer(p, place, what, m->words[m->def[combined] + 2]);
		need_sampler_type(p, place);
		p->pointer[SAMPLER][id] = !is_array && p->pointer_to_sampler
					      ? p->pointer_to_sampler
					      : make_pointer(p, place, what, p->sampler_type);
		if (!is_array)
			p->pointer_to_sampler = p->pointer[SAMPLER][id];
	}
}

struct words {
	uint32_t *items;
	size_t count, capacity;
};

/* Replaces an instruction by one that may have more operands. */
static void lengthen(struct plan *p, spb_at at, const struct words *words)
{
	uint32_t op = spb_op(p->m, at);

	if (words->count >= 0xFFFF)
		spb_fail(p->m, SPB_ERROR_UNSUPPORTED, SPB_E_WORD_COUNT, at,
			 "%s would exceed 65535 words with one more parameter for each sampler" SPB_REMEDY
			 "Pass fewer samplers.",
			 spb_op_name(op));
	spb_replace(&p->u->edit, at, op, words->items, (uint32_t)words->count);
}

/* In place: all functions of this type have such parameters. */
static void rewrite_function_types(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		struct words words = {0};
		if (spb_op(m, at) != SpvOpTypeFunction)
			continue;
		SPB_PUSH(p->arena, &words, m->words[at + 1]);
		SPB_PUSH(p->arena, &words, m->words[at + 2]);
		for (uint32_t w = at + 3; w < spb_next(m, at); w++) {
			uint32_t id = m->words[w], image = p->pointer[IMAGE][id];
			SPB_PUSH(p->arena, &words, image ? image : id);
			if (image)
				SPB_PUSH(p->arena, &words, p->pointer[SAMPLER][id]);
		}
		lengthen(p, at, &words);
	}
}

/* Arguments for such a parameter must be known: variables and parameters are. */
static void rewrite_call(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	struct words words = {0};

	for (uint32_t w = at + 1; w < spb_next(m, at); w++) {
		uint32_t id = m->words[w];
		SPB_PUSH(p->arena, &words, p->image_of[id] ? p->image_of[id] : id);
		if (p->sampler_of[id])
			SPB_PUSH(p->arena, &words, p->sampler_of[id]);
		else if (combined_behind(m, spb_type_of(m, id)))
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_SPLIT_CALL, at,
				 "%s is passed to a function as a combined image-sampler to be split, but is neither a "
				 "variable nor a parameter" SPB_REMEDY
				 "Pass the variable itself, or inline the function.",
				 spb_label(p->arena, m, id));
	}
	lengthen(p, at, &words);
}

static void rewrite_calls(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpFunctionCall && spb_bit(p->callee, m->words[at + 3]))
			rewrite_call(p, at);
	}
}

static void mark(struct plan *p, uint32_t id)
{
	spb_add_decoration(&p->u->edit, id, SpvDecorationNonUniform, NULL, 0);
}

/* The OpImage of a combined image-sampler is the image. */
static void forward_image(struct plan *p, struct item *item, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t id = m->words[at + 2];

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		struct spb_use use = m->use[i];
		bool rewritten = spb_op(m, use.at) == SpvOpFunctionCall && spb_bit(p->callee, m->words[use.at + 3]);
		if (!rewritten) /* otherwise rewrite_call does it */
			spb_patch(&p->u->edit, use.word, item->id);
	}
	p->image_of[id] = item->id;
	if (is_marked(m, id) && !is_marked(m, item->id) && !item->image_marked) {
		item->image_marked = true;
		mark(p, item->id);
	}
	spb_remove_id(&p->u->edit, id);
}

/* A load, or a copy of one: rewrites its type, the load of the sampler, and its consumers. */
static void rewrite_value(struct plan *p, struct item *item)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	spb_at at = m->def[item->id];
	uint32_t combined = m->words[at + 1], sampler = p->sampler_of[item->id];
	bool marked = p->items.items[item->load].marked;

	spb_patch(e, at + 1, m->words[m->def[combined] + 2]);
	if (item->kind == LOAD && item->sampled) {
		spb_insert(e, spb_next(m, at), SpvOpLoad, W(p->sampler_type, sampler, p->sampler_of[m->words[at + 3]]));
		if (marked)
			mark(p, sampler);
	}
	for (uint32_t i = m->first_use[item->id]; i < m->first_use[item->id + 1]; i++) {
		struct spb_use use = m->use[i];
		if (spb_op(m, use.at) == SpvOpImage)
			forward_image(p, item, use.at);
		if (!samples(m, use))
			continue;
		uint32_t pair = spb_new_id(e);
		spb_insert(e, use.at, SpvOpSampledImage, W(combined, pair, item->id, sampler));
		spb_patch(e, use.word, pair);
		if (marked)
			mark(p, pair);
	}
}

static void rewrite_pointer(struct plan *p, const struct item *item)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	spb_at at = m->def[item->id], next = spb_next(m, at);
	uint32_t type = m->words[at + 1], sampler = p->sampler_of[item->id];
	const char *name = spb_id_name(m, item->id);

	spb_patch(e, at + 1, p->pointer[IMAGE][type]);
	if (item->kind == CHAIN && !item->sampled)
		return;
	if (item->kind == CHAIN) {
		uint32_t length = spb_length(m, at);
		uint32_t *words = spb_alloc_array(p->arena, length, sizeof *words);
		memcpy(words, m->words + at, length * sizeof *words);
		words[1] = p->pointer[SAMPLER][type];
		words[2] = sampler;
		words[3] = p->sampler_of[words[3]];
		spb_insert(e, next, spb_op(m, at), words + 1, length - 1);
	} else if (item->kind == PARAMETER) {
		spb_insert(e, next, SpvOpFunctionParameter, W(p->pointer[SAMPLER][type], sampler));
	} else {
		uint32_t set = spb_decoration(m, item->id, SpvDecorationDescriptorSet);
		spb_insert(e, next, SpvOpVariable,
			   W(p->pointer[SAMPLER][type], sampler, SpvStorageClassUniformConstant));
		if (set)
			spb_add_decoration(e, sampler, SpvDecorationDescriptorSet, &m->words[set], 1);
	}
	if (*name) {
		struct spb_text_buffer text = {.arena = p->arena};
		spb_text_format(&text, "%s_sampler", name);
		spb_add_name(e, sampler, spb_text_end(&text));
	}
	if (is_marked(m, item->id))
		mark(p, sampler);
}

/* The sampler is listed wherever the image is (from SPIR-V 1.4 on). Items begin with the variables. */
static void finish_variables(struct plan *p, size_t count)
{
	const struct spb_module *m = p->m;
	struct spb_companion *companions = spb_alloc_array(p->arena, count, sizeof *companions);

	for (size_t i = 0; i < count; i++) {
		uint32_t id = p->items.items[i].id;
		companions[i] = (struct spb_companion){id, p->sampler_of[id], ".sampler"};
		for (uint32_t n = m->first_note[id]; n < m->first_note[id + 1]; n++) {
			if (spb_op(m, m->note[n].at) == SpvOpEntryPoint)
				spb_interface_add(&p->u->edit, m->note[n].at, p->sampler_of[id]);
		}
	}
	spb_add_companions(p->u, companions, count, NULL);
}

static size_t find_variables(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpTypeSampler)
			p->sampler_type = m->words[at + 1];
		else if (is_split(m, at))
			add_item(p, m->words[at + 2], VARIABLE, NULL);
	}
	return p->items.count;
}

bool spb_pass_split_combined(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;
	struct plan p = {.u = u, .m = m, .arena = arena};

	if (!u->options->combined.split)
		return false;
	p.item_of = spb_alloc_zeroed(arena, m->bound, sizeof *p.item_of);
	p.sampler_of = spb_alloc_zeroed(arena, m->bound, sizeof *p.sampler_of);
	p.image_of = spb_alloc_zeroed(arena, m->bound, sizeof *p.image_of);
	p.pointer[IMAGE] = spb_alloc_zeroed(arena, m->bound, sizeof **p.pointer);
	p.pointer[SAMPLER] = spb_alloc_zeroed(arena, m->bound, sizeof **p.pointer);
	p.callee = spb_bits(arena, m->bound);
	p.needed = spb_bits(arena, m->bound);
	size_t variables = find_variables(&p);
	if (!variables)
		return false;
	spb_module_need_uses(m);
	spb_refuse_unknown_ops(m, SPB_E_COMBINED_UNKNOWN_OPS, "their effect on combined image-samplers is unknown",
			       ", or leave out --split-combined");
	find_parameters(&p);
	follow(&p);

	make_types(&p);
	for (size_t i = 0; i < p.items.count; i++) {
		if (p.items.items[i].kind >= LOAD)
			rewrite_value(&p, &p.items.items[i]);
		else
			rewrite_pointer(&p, &p.items.items[i]);
	}
	rewrite_function_types(&p);
	rewrite_calls(&p);
	finish_variables(&p, variables);
	return true;
}
