/* SPDX-License-Identifier: Apache-2.0 */
/* access_list: the accesses of a program, with the findings of decorate-nonuniform, as data for the API and the layout
 * JSON. */
#include "analysis/paths/descriptor_paths.h"
#include "analysis/uniformity/uniformity.h"
#include "lib/lib.h"
#include "pass/builtin/builtin.h"

/* NULL: the access chain was not analysed. */
static const struct spb_judgement *judgement_of(const struct spb_unit *u, uint32_t id)
{
	for (size_t low = 0, high = u->nonuniform.judgements.count; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (u->nonuniform.judgements.items[middle].id == id)
			return &u->nonuniform.judgements.items[middle];
		if (u->nonuniform.judgements.items[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static const char *const *texts(struct spb_program *p, const struct spb_why *why, uint32_t count)
{
	const char **list = spb_alloc_array(&p->keep, count, sizeof *list);

	for (uint32_t i = 0; i < count; i++)
		list[i] = why[i].text;
	return list;
}

static void judge(struct spb_program *p, spb_descriptor_access *to, const struct spb_judgement *k)
{
	to->judged = true;
	to->uniform_in_group = (k->uniform & SPB_UNIFORM_GROUP) != 0;
	to->uniform_in_subgroup = (k->uniform & SPB_UNIFORM_SUBGROUP) != 0;
	to->certain = k->certain;
	to->by_author = k->by_author;
	to->why = texts(p, k->why, k->why_count);
	to->why_count = k->why_count;
	to->why_subgroup = texts(p, k->why_subgroup, k->why_subgroup_count);
	to->why_subgroup_count = k->why_subgroup_count;
}

/* The id of an access in the input: an access chain that a pass has made is identified by the instruction that uses
 * it. */
static uint32_t input_id(struct spb_unit *u, uint32_t id)
{
	enum { DEPTH = 8 };

	for (int depth = 0; depth < DEPTH && !spb_is_of_input(u, id); depth++) {
		uint32_t next = 0;
		spb_module_need_uses(&u->m);
		for (uint32_t i = u->m.first_use[id]; i < u->m.first_use[id + 1] && !next; i++)
			next = spb_result(&u->m, u->m.use[i].at);
		if (!next)
			return 0;
		id = next;
	}
	return spb_is_of_input(u, id) ? id : 0;
}

/* An index that depends on specialization constants. */
static const struct spb_judgement *specialized(struct spb_program *p, const struct spb_module *m, uint32_t id)
{
	struct spb_judgement *k = spb_alloc_zeroed(&p->keep, 1, sizeof *k);
	struct spb_why *why = spb_alloc_zeroed(&p->keep, 1, sizeof *why);
	struct spb_text_buffer text = {.arena = &p->keep};

	*why = spb_why_constant();
	if (spb_def_op(m, id) == SpvOpSpecConstant) {
		spb_text_format(&text, "%s is a specialization constant", spb_label(&p->keep, m, id));
		*why = (struct spb_why){.text = spb_text_end(&text),
					.length = text.count,
					.id = id,
					.name = spb_id_name(m, id),
					.file = ""};
	}
	*k = (struct spb_judgement){.uniform = SPB_UNIFORM_BOTH, .why = why, .why_count = 1};
	return k;
}

static spb_descriptor_access describe(struct spb_program *p, uint32_t module, const struct spb_access *a,
				      const struct spb_judgement **judgement)
{
	static const struct spb_judgement same = {.uniform = SPB_UNIFORM_BOTH};
	struct spb_unit *u = &p->slots.items[module]->unit;
	const struct spb_module *m = &u->m;
	spb_descriptor_access to = {.module = module,
				    .resource = u->placed.variables.items[a->variable].id,
				    .id = m->words[a->at + 2],
				    .index_id = a->index_id,
				    .index = a->index,
				    .constant = a->constant,
				    .non_uniform = a->non_uniform,
				    .file = "",
				    .line = a->line,
				    .heap = "",
				    .descriptor_type =
					spb_descriptor_info(u->placed.variables.items[a->variable].kind)->vk_type};

	const char *file = spb_file_of(m, a->file);
	if (a->line && file)
		to.file = file;
	to.input_id = input_id(u, to.id);
	*judgement = judgement_of(u, to.id);
	if ((a->constant || spb_is_constant(m, a->index_id)) && p->options.uniformity.mode == SPB_NONUNIFORM_AUTO)
		*judgement = a->constant ? &same : specialized(p, m, a->index_id);
	if (*judgement)
		judge(p, &to, *judgement);
	return to;
}

/* An access to a built-in heap, which has neither a set nor a binding. */
static spb_descriptor_access describe_builtin(struct spb_program *p, uint32_t module,
					      const struct spb_builtin_access *a,
					      const struct spb_location_table *lines)
{
	struct spb_unit *u = &p->slots.items[module]->unit;
	const struct spb_module *m = &u->m;
	spb_descriptor_access to = {.module = module,
				    .resource = a->variable,
				    .id = m->words[a->at + 2],
				    .file = "",
				    .heap = a->sampler ? "sampler" : "resource",
				    .descriptor_type = spb_descriptor_info(a->kind)->vk_type};
	uint32_t count = spb_length(m, a->at) - 5, file;
	uint64_t index;

	if (count)
		to.index_id = m->words[a->at + 4 + count];
	to.constant = count == 1 && spb_def_op(m, to.index_id) == SpvOpConstant &&
		      spb_constant_value(m, to.index_id, &index) && index <= UINT32_MAX;
	to.index = to.constant ? (uint32_t)index : 0;
	to.non_uniform = spb_decoration(m, to.id, SpvDecorationNonUniform) != 0;
	to.input_id = spb_is_of_input(u, to.id) ? to.id : 0;
	spb_location_of(lines, a->at, &file, &to.line);
	if (to.line && spb_file_of(m, file))
		to.file = spb_file_of(m, file);
	return to;
}

/* After the others, as in the layout JSON, which lists those by set and binding. */
static void list_builtin(struct spb_program *p)
{
	for (size_t i = 0; i < p->slots.count && p->options.explain; i++) {
		struct spb_module *m = &p->slots.items[i]->unit.m;
		struct spb_builtin_access *found;
		struct spb_location_table lines = {0};
		uint32_t count = spb_find_builtin_accesses(m, &p->context->scratch, &found);
		if (count)
			lines = spb_location_table(m, &p->context->scratch);
		for (uint32_t k = 0; k < count; k++)
			SPB_PUSH(&p->keep, &p->results.accesses, describe_builtin(p, (uint32_t)i, &found[k], &lines));
	}
}

/* A load of a buffer's contents is an access, too, whose result is neither a pointer nor a descriptor. */
static uint32_t effect_of_access(const struct spb_module *m, spb_at at, struct spb_effects *effects)
{
	const uint32_t id = spb_result(m, at);

	if (id && spb_names_descriptor(m, id))
		return spb_effects_of(m, id, effects);
	return spb_op_is(spb_op(m, at), SPB_OP_QUERY) ? 0 : SPB_EFFECT_READS;
}

void spb_list_accesses(struct spb_program *p)
{
	p->results.accesses.count = p->results.listed.count = 0; /* of a call that ran out of memory */
	for (size_t i = 0; i < p->slots.count && p->options.explain; i++) {
		struct spb_unit *u = &p->slots.items[i]->unit;
		spb_module_need_index(&u->m);
		spb_module_need_uses(&u->m);
		struct spb_accesses accesses = spb_find_accesses(&u->m, &u->placed.variables, &p->context->scratch);
		struct spb_effects effects = {.arena = &p->context->scratch};
		for (size_t k = 0; k < accesses.count; k++) {
			struct spb_listed one = {.access = accesses.items[k]};
			one.effects = effect_of_access(&u->m, one.access.at, &effects);
			SPB_PUSH(&p->keep, &p->results.accesses,
				 describe(p, (uint32_t)i, &accesses.items[k], &one.judgement));
			SPB_PUSH(&p->keep, &p->results.listed, one);
		}
	}
	list_builtin(p);
	p->results.accesses_listed = true;
}
