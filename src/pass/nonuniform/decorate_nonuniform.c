/* SPDX-License-Identifier: Apache-2.0 */
/* decorate-nonuniform: places NonUniform on every access whose descriptor may differ between invocations.
 *
 *     OpDecorate %i NonUniform                     … and on %p, %t, %si
 *     %p = OpAccessChain %ptr %textures %i
 *     %t = OpLoad %image %p
 *     %si = OpSampledImage %combined %t %s
 *     %x = OpImageSampleExplicitLod %v4 %si …      (%x itself is not decorated)
 *
 * Vulkan (VUID-RuntimeSpirv-None-10148, VUID-RuntimeSpirv-subgroupSize-10149) requires the decoration on the operand
 * of the accessing instruction. Drivers read it there, some also on the index. So the path from each differing
 * access back to the index is decorated as a whole. An index with other uses is copied first, so that the decoration
 * does not spread to them.
 *
 * An access differs according to the analysis and to existing decorations (auto), to existing decorations and values
 * computed from decorated ones (explicit), or if its index is not a constant (all). Pruning removes every decoration
 * that no access needs, and then the capabilities that nothing needs. Capabilities come in pairs, for dynamic and
 * for non-uniform indexing: VUID-StandaloneSpirv-UniformBufferArrayDynamicIndexing-10127 and following.
 *
 * With the capability DescriptorHeapEXT no decorations are needed, and none are added. Heaps that will become those
 * of SPV_EXT_descriptor_heap get none; bound arrays in the same module are decorated as usual. */
#include "pass/nonuniform/lint.h"
#include "pass/nonuniform/mark_paths.h"

static void write_marks(struct spb_marking *p)
{
	for (uint32_t id = 1; p->any && id < p->m->bound; id++) {
		if (p->flags[id] & SPB_TO_DECORATE && !spb_bit(p->judged.marked, id))
			spb_add_decoration(&p->u->edit, id, SpvDecorationNonUniform, NULL, 0);
	}
}

/* Decorates the path of every access whose descriptor differs. */
static void mark_accesses(struct spb_marking *p)
{
	const struct spb_paths *paths = &p->judged.paths;

	for (size_t i = 0; i < paths->accesses.count; i++) {
		struct spb_operand_use a = paths->accesses.items[i];
		if (!spb_access_differs(&p->judged, i, 0) && !spb_access_differs(&p->judged, i, 1))
			continue;
		p->u->nonuniform.marked += !spb_bit(p->judged.marked, p->m->words[a.word]);
		spb_mark_path(p, i, p->m->words[a.word]);
	}
}

/* Removes decorations on variables, which have been carried to the accesses: no driver reads one on a variable, and
 * Mesa rejects such a module. Pruning also removes decorations that no access needs. Newer validators reject the
 * same decoration twice on one id. */
static void remove_marks(struct spb_marking *p)
{
	const struct spb_module *m = p->m;
	uint32_t *seen = spb_bits(p->arena, m->bound);

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		uint32_t id = spb_op(m, at) == SpvOpDecorate ? m->words[at + 1] : 0;
		if (!id || m->words[at + 2] != SpvDecorationNonUniform)
			continue;
		bool needless = p->u->options->uniformity.prune && !(p->flags[id] & SPB_TO_DECORATE);
		if (spb_def_op(m, id) == SpvOpVariable || needless || spb_bit(seen, id))
			spb_remove(&p->u->edit, at);
		else
			p->any = true;
		spb_set_bit(seen, id);
	}
}

/* Pruning: removes indexing capabilities that no access needs. */
static void remove_capabilities(struct spb_marking *p)
{
	const struct spb_module *m = p->m;
	bool of_extension = false;

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		uint32_t capability = spb_capability(m, at);
		bool indexing = false, needed = capability == SpvCapabilityShaderNonUniform && p->any;
		for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
			const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
			if (info->dynamic == UINT32_MAX ||
			    (capability != info->dynamic && capability != info->non_uniform))
				continue;
			indexing = true;
			needed |= capability == info->dynamic ? p->indexed[kind] : p->non_uniform[kind];
		}
		if ((indexing || capability == SpvCapabilityShaderNonUniform) && !needed) {
			spb_remove(&p->u->edit, at);
			spb_add_capability(&p->u->edit, SpvCapabilityShader); /* the removed capability implied it */
		} else
			of_extension |= spb_is_descriptor_indexing(capability);
	}
	for (spb_at at = m->section[SPB_SECTION_EXTENSION];
	     at < m->section[SPB_SECTION_IMPORT] && !of_extension && !p->any; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtension && !strcmp(spb_string(m, at + 1), "SPV_EXT_descriptor_indexing"))
			spb_remove(&p->u->edit, at);
	}
}

/* Declares the capabilities for indexing these kinds of descriptors (bits). The only place that adds them to what
 * accesses need. */
static void declare_indexing(struct spb_unit *u, uint32_t dynamic, uint32_t non_uniform, bool marks)
{
	bool newer = marks;

	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
		if (info->dynamic == UINT32_MAX)
			continue;
		if (dynamic >> kind & 1) {
			spb_add_capability(&u->edit, info->dynamic);
			newer |= spb_is_descriptor_indexing(info->dynamic);
		}
		if (non_uniform >> kind & 1)
			spb_add_capability(&u->edit, info->non_uniform);
	}
	if (marks)
		spb_add_capability(&u->edit, SpvCapabilityShaderNonUniform);
	if (newer && spb_version_word(&u->m) < 0x00010500)
		spb_add_extension(&u->edit, "SPV_EXT_descriptor_indexing");
}

bool spb_pass_declare_dynamic_indexing(struct spb_unit *u)
{
	if (!u->nonuniform.undeclared || !u->m.run)
		return false;
	declare_indexing(u, u->nonuniform.undeclared, 0, false);
	return true;
}

/* The first access to a kind of descriptors by an index that is not constant; differs: that differs. */
static spb_at find_access(const struct spb_marking *p, int kind, bool differs)
{
	const struct spb_paths *paths = &p->judged.paths;

	for (size_t i = 0; i < paths->chains.count; i++) {
		if ((int)paths->chains.items[i].selection.kind == kind && spb_needs_capability(p, i) &&
		    (!differs || p->chain_differs[i]))
			return paths->chains.items[i].at;
	}
	for (size_t i = 0; i < paths->accesses.count; i++) { /* of a choice of pointers */
		uint32_t word = paths->accesses.items[i].word;
		if ((int)spb_kind_named(p->m, p->m->words[word]) == kind)
			return paths->accesses.items[i].at;
	}
	return 0;
}

/* VUID-VkShaderModuleCreateInfo-pCode-08740: a host without the feature cannot create the module. */
static void refuse_features(const struct spb_marking *p)
{
	const char *host = p->u->options->uniformity.host_features;

	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT && host; kind++) {
		const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
		if (info->dynamic == UINT32_MAX)
			continue;
		if (p->dynamic[kind] && !spb_host_has(host, info->dynamic_feature))
			spb_fail(p->m, SPB_ERROR_UNSUPPORTED, SPB_E_HOST_FEATURE, find_access(p, kind, false),
				 "an index that is not constant needs %s, which --host-features does not "
				 "list" SPB_REMEDY "Enable the feature and list it, or index with a constant.",
				 info->dynamic_feature);
		if (p->non_uniform[kind] && !spb_host_has(host, info->non_uniform_feature) &&
		    !spb_goes_into_loop(p->u, (enum spb_descriptor)kind))
			spb_fail(p->m, SPB_ERROR_UNSUPPORTED, SPB_E_HOST_FEATURE, find_access(p, kind, true),
				 "an index that varies needs %s, which --host-features does not list" SPB_REMEDY
				 "Enable the feature and list it; or, for a waterfall loop, %slist "
				 "VK_SUBGROUP_FEATURE_BALLOT_BIT.",
				 info->non_uniform_feature,
				 spb_version_word(p->m) < 0x00010300 ? "compile for Vulkan 1.1 and " : "");
	}
}

static void declare_capabilities(struct spb_marking *p)
{
	uint32_t dynamic = 0, non_uniform = 0;

	refuse_features(p);
	for (uint32_t kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		dynamic |= (uint32_t)p->dynamic[kind] << kind;
		non_uniform |= (uint32_t)p->non_uniform[kind] << kind;
	}
	if (p->m->run || p->u->edit.changes.count || p->any || non_uniform || p->u->options->uniformity.host_features) {
		declare_indexing(p->u, dynamic, non_uniform, p->any);
		return;
	}
	/* A module in which nothing else changes is left as its compiler wrote it: as far as is known, its host runs
	 * it without the feature, which the capability would ask for. */
	for (uint32_t kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
		if (info->dynamic != UINT32_MAX && !spb_has_capability(p->m, info->dynamic))
			p->u->nonuniform.undeclared |= dynamic & 1u << kind;
	}
}

static void see_chains(struct spb_marking *p)
{
	const struct spb_paths *paths = &p->judged.paths;

	p->flags = spb_alloc_zeroed(p->arena, p->m->bound, sizeof *p->flags);
	p->because = spb_alloc_zeroed(p->arena, paths->chains.count, sizeof *p->because);
	p->chain_differs = spb_alloc_zeroed(p->arena, paths->chains.count, sizeof *p->chain_differs);
}

/* In explicit mode, an undecorated access requires no capability that the module does not declare. */
static void see_kinds(struct spb_marking *p)
{
	const struct spb_paths *paths = &p->judged.paths;
	bool all = p->u->options->uniformity.mode != SPB_NONUNIFORM_EXPLICIT;

	for (size_t i = 0; i < paths->chains.count; i++) {
		if (!spb_needs_capability(p, i))
			continue;
		p->indexed[paths->chains.items[i].selection.kind] = true;
		p->dynamic[paths->chains.items[i].selection.kind] |= all || p->chain_differs[i];
	}
	for (size_t i = 0; i < paths->accesses.count; i++) /* selected by a choice of pointers */
		p->indexed[spb_kind_named(p->m, p->m->words[paths->accesses.items[i].word])] = true;
}

static int by_id(const void *a, const void *b)
{
	const struct spb_judgement *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Did the author decorate the index, the chain, or the operand of the access? */
static bool is_by_author(const struct spb_marking *p, const uint32_t *marked, size_t chain)
{
	const struct spb_paths *paths = &p->judged.paths;
	spb_at at = paths->chains.items[chain].at;
	uint32_t access = p->because[chain];

	return spb_bit(marked, p->m->words[at + 2]) ||
	       spb_bit(marked, p->m->words[paths->chains.items[chain].selection.dynamic]) ||
	       (access && spb_bit(marked, p->m->words[paths->accesses.items[access - 1].word]));
}

/* The choice of pointers through which an operand gets its descriptor; 0: there is none. */
static uint32_t choice_behind(const struct spb_module *m, uint32_t id)
{
	enum { DEPTH = 64 };
	uint32_t first, end;

	for (int depth = 0; depth < DEPTH && m->def[id]; depth++) {
		uint32_t op = spb_def_op(m, id);
		if (op == SpvOpSelect || op == SpvOpPhi)
			return id;
		if (!spb_path_operands(m, m->def[id], &first, &end))
			return 0;
		id = m->words[first];
	}
	return 0;
}

/* A choice is judged where the pointer is used. */
static void keep_choices(struct spb_marking *p, struct spb_judged *j, const struct spb_location_table *places,
			 const uint32_t *by_author)
{
	uint32_t *seen = spb_bits(p->arena, p->m->bound);

	for (size_t i = 0; i < j->paths.accesses.count; i++) {
		uint32_t operand = p->m->words[j->paths.accesses.items[i].word], id = choice_behind(p->m, operand);
		if (!id || spb_bit(seen, id))
			continue;
		spb_set_bit(seen, id);
		spb_keep_reason(p->u, j, places, id, j->question[0][i],
				spb_bit(by_author, id) || spb_bit(by_author, operand));
	}
}

/* Keeps the result of the analysis, independent of the author's decorations, so that no explanation ends at one. */
static void keep_reasons(struct spb_marking *p, bool marks, struct spb_uniformity_settings settings)
{
	struct spb_judged j = p->judged;
	struct spb_location_table places = spb_location_table(p->m, p->arena);
	uint32_t *ours = spb_bits(p->arena, p->m->bound), *by_author = spb_bits(p->arena, p->m->bound);

	for (size_t i = 0; i < p->u->nonuniform.own_marks.count; i++)
		spb_set_bit(ours, p->u->nonuniform.own_marks.items[i]);
	for (uint32_t id = 1; id < p->m->bound; id++) {
		if (spb_bit(j.marked, id) && !spb_bit(ours, id))
			spb_set_bit(by_author, id);
	}
	if (marks && settings.heed_marks) {
		settings.heed_marks = false;
		j = spb_judge_accesses(p->u, true, settings);
	}
	for (size_t i = 0; i < j.paths.chains.count; i++) {
		uint32_t question = j.index_question[i], access = p->because[i];
		if (access && !spb_bits_differ(&j, spb_uniformity_of(j.uniformity, question)) &&
		    spb_bits_differ(&j, spb_uniformity_of(j.uniformity, j.question[0][access - 1])))
			question = j.question[0][access - 1];
		bool marked = p->chain_differs[i] && !spb_bit(ours, p->m->words[j.paths.chains.items[i].at + 2]);
		spb_keep_reason(p->u, &j, &places, p->m->words[j.paths.chains.items[i].at + 2], question,
				is_by_author(p, by_author, i) ||
				    (marked && !spb_bits_differ(&j, spb_uniformity_of(j.uniformity, question))));
	}
	keep_choices(p, &j, &places, by_author);
	spb_sort(p->arena, p->u->nonuniform.judgements.items, p->u->nonuniform.judgements.count,
		 sizeof *p->u->nonuniform.judgements.items, by_id);
}

static bool has_marks(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION];
	     m->has & SPB_HAS_MARKS && at < m->section[SPB_SECTION_GLOBAL]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationNonUniform)
			return true;
	}
	return false;
}

/* What pruning may remove besides decorations. */
static bool declares_indexing(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		if (spb_is_indexing(spb_capability(m, at)))
			return true;
	}
	return spb_has_extension(m, "SPV_EXT_descriptor_indexing");
}

bool spb_may_have_choices(const struct spb_unit *u)
{
	return u->m.has & (SPB_HAS_DESCRIPTOR_ARRAYS | SPB_HAS_MARKS) || u->options->mode == SPB_MODE_LINT ||
	       (u->options->uniformity.prune && declares_indexing(&u->m)) || spb_may_choose(&u->m);
}

bool spb_pass_decorate_nonuniform(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	const spb_options *o = u->options;
	struct spb_marking p = {.u = u, .m = m, .arena = &m->context->scratch};
	bool marks = has_marks(m), prunes = o->uniformity.prune && (marks || declares_indexing(m)),
	     only = o->uniformity.mode == SPB_NONUNIFORM_EXPLICIT, all = o->uniformity.mode == SPB_NONUNIFORM_ALL;
	struct spb_uniformity_settings settings = spb_uniformity_settings_of(u);

	settings.marks_only = only;
	settings.heed_marks = !o->uniformity.prune || only || all;
	settings.silent = !o->explain && o->mode != SPB_MODE_LINT;

	if (o->uniformity.mode == SPB_NONUNIFORM_KEEP || spb_has_capability(m, CapabilityDescriptorHeapEXT))
		return false;
	if (!marks && !prunes && o->mode != SPB_MODE_LINT && (only || !spb_has_paths(m)))
		return false;
	spb_module_need_index(m);
	if (o->mode == SPB_MODE_LINT) {
		spb_lint(u, settings);
		return false;
	}
	/* An access that goes through a waterfall loop no longer differs in either scope. The decorations in such a
	 * module are on the accesses that could not be put into a loop; with --nonuniform=all, pruning keeps those. */
	p.judged = spb_judge_accesses(u, !all || spb_find_remark(m, SPB_WATERFALL_REMARK), settings);
	see_chains(&p);
	mark_accesses(&p);
	write_marks(&p);
	see_kinds(&p);
	if (o->explain && o->uniformity.mode == SPB_NONUNIFORM_AUTO)
		keep_reasons(&p, marks, settings);
	if (marks)
		remove_marks(&p);
	if (prunes)
		remove_capabilities(&p);
	declare_capabilities(&p);
	return u->edit.changes.count != 0;
}
