/* SPDX-License-Identifier: Apache-2.0 */
/* accesses: judges each access by the uniformity analysis, and explains the verdict. */
#include "analysis/layout/policy.h"
#include "pass/builtin/builtin.h"
#include "pass/nonuniform/accesses.h"

enum { FIRST_QCOM_IMAGE_OP = 4480, LAST_QCOM_IMAGE_OP = 4503 }; /* OpImageSampleWeightedQCOM … */

const char *spb_input_label(const struct spb_unit *u, struct spb_arena *arena, uint32_t id, const char *otherwise)
{
	struct spb_text_buffer text = {.arena = arena};

	if (spb_is_of_input(u, id))
		return spb_label(arena, &u->m, id);
	if (!*spb_id_name(&u->m, id))
		return otherwise;
	spb_text_format(&text, "\"%s\"", spb_id_name(&u->m, id));
	return spb_text_end(&text);
}

bool spb_is_sampled_image(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, spb_type_of(m, id)) == SpvOpTypeSampledImage;
}

static int by_place(const void *a, const void *b)
{
	const struct spb_variable *x = a, *y = b;

	return x->set != y->set           ? spb_compare(x->set, y->set)
	       : x->binding != y->binding ? spb_compare(x->binding, y->binding)
					  : spb_compare(x->kind, y->kind);
}

/* Will binding part two buffers, as t1 and u1 of HLSL, that have one number now? For the lint alone: other modules of
 * the program may keep the layout from doing so. */
static bool parts_registers(struct spb_unit *u)
{
	struct spb_arena *scratch = &u->m.context->scratch;
	struct spb_variables v;
	bool same = false;

	if (u->options->mode != SPB_MODE_LINT || !u->program.policies || !spb_is_hlsl_by_glslang(&u->m))
		return false;
	v = spb_collect_any_shape(&u->m, scratch);
	spb_sort(scratch, v.items, v.count, sizeof *v.items, by_place);
	for (size_t i = 1; i < v.count; i++)
		same |= v.items[i].has_binding && by_place(&v.items[i - 1], &v.items[i]) == 0;
	if (!same)
		return false; /* without reading the text */
	spb_module_need_uses(&u->m);
	spb_read_parts(&u->m, &v, &u->m.keep);
	const struct spb_source_text text = spb_read_source(u->options, &u->m, &v, &u->m.keep, scratch);
	return spb_may_count_registers(u->options, u->program.policies, &u->m, &text);
}

struct spb_uniformity_settings spb_uniformity_settings_of(struct spb_unit *u)
{
	const spb_options *o = u->options;

	return (struct spb_uniformity_settings){
	    .trust_uniform = !o->uniformity.distrust_uniform,
	    .one_place = o->layout.allow_overlap ||
			 (o->layout.rules != SPB_RULES_HLSL && !o->layout.split_shared && !parts_registers(u)),
	    .any_type = o->layout.allow_overlap,
	    .by_address = o->uniformity.aliased_references,
	    .may_rebind = (u->program.policies && u->program.policies->placing) || o->layout.lock,
	    .has_open = o->layout.has_auto_binding != 0,
	    .open = o->layout.auto_binding};
}

/* The bit of a kind in spb_uniformity_options.waterfall_kinds; 0: none. */
static uint32_t looped_bit(uint32_t kind)
{
	return spb_has_heap(kind)                        ? 1u << spb_descriptor_info(kind)->heap.kind
	       : kind == SPB_DESCRIPTOR_INPUT_ATTACHMENT ? SPB_WATERFALL_INPUT_ATTACHMENTS
							 : 0;
}

static bool is_asked_to_loop(const struct spb_unit *u, enum spb_descriptor kind)
{
	const spb_uniformity_options *o = &u->options->uniformity;
	uint32_t feature = spb_descriptor_info(kind)->non_uniform, bits = looped_bit(kind);

	if (o->waterfall == SPB_WATERFALL_NONE || !o->waterfall_kinds)
		return o->waterfall != SPB_WATERFALL_NONE;
	for (uint32_t k = 0; k < SPB_DESCRIPTOR_COUNT && feature != UINT32_MAX; k++)
		bits |= spb_descriptor_info(k)->non_uniform == feature ? looped_bit(k) : 0;
	return o->waterfall_kinds & bits;
}

bool spb_host_needs_loop(const struct spb_unit *u, enum spb_descriptor kind)
{
	const struct spb_descriptor_info *info = spb_descriptor_info(kind);
	const char *host = u->options->uniformity.host_features;

	return host && info->non_uniform_feature && !spb_host_has(host, info->non_uniform_feature) &&
	       spb_host_has(host, spb_version_word(&u->m) < 0x00010300 ? "VK_EXT_shader_subgroup_ballot"
								       : "VK_SUBGROUP_FEATURE_BALLOT_BIT");
}

bool spb_goes_into_loop(const struct spb_unit *u, enum spb_descriptor kind)
{
	return is_asked_to_loop(u, kind) || spb_host_needs_loop(u, kind);
}

bool spb_may_loop(const struct spb_unit *u)
{
	bool loops = u->options->uniformity.waterfall != SPB_WATERFALL_NONE;

	for (uint32_t kind = 0; kind < SPB_DESCRIPTOR_COUNT && !loops; kind++)
		loops = spb_host_needs_loop(u, (enum spb_descriptor)kind);
	return loops;
}

/* Everything except the analysis. */
static struct spb_judged find_accesses(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;
	struct spb_judged j = {.m = m, .calls = spb_find_calls(m, arena), .marked = spb_find_marks(m, arena)};

	/* With DescriptorHeapEXT declared, Vulkan requires no decorations, but --waterfall needs them to find the
	 * accesses. */
	j.builtin = spb_future_builtins(u);
	const uint32_t *but = u->options->uniformity.waterfall == SPB_WATERFALL_NONE ? j.builtin : NULL;
	if (u->options->mode != SPB_MODE_LINT || m->has & (SPB_HAS_DESCRIPTOR_ARRAYS | SPB_HAS_MARKS) ||
	    spb_may_choose(m))
		j.paths = spb_find_paths(m, &j.calls, but, arena);
	else /* the lint visits every module, and most have nothing to select from */
		j.paths.on_path = spb_alloc_zeroed(arena, m->bound, sizeof *j.paths.on_path);
	/* The waterfall loops rely on the subgroup scope. VUID-RuntimeSpirv-subgroupSize-10149 accepts it, too, and a
	 * decoration can only be unnecessary. */
	spb_uniform_scope scope = u->options->uniformity.scope;
	bool either = scope == SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP ||
		      (scope == SPB_UNIFORM_SCOPE_AUTO && u->options->mode == SPB_MODE_LINT);
	for (size_t i = 0; i < j.paths.chains.count && !either && u->options->uniformity.host_features; i++)
		either = spb_host_needs_loop(u, j.paths.chains.items[i].selection.kind);
	j.scope = !either && u->options->uniformity.waterfall == SPB_WATERFALL_NONE &&
			  !spb_find_remark(m, SPB_WATERFALL_REMARK)
		      ? SPB_UNIFORM_GROUP
		      : SPB_UNIFORM_BOTH;
	return j;
}

struct spb_judged spb_begin_judging(struct spb_unit *u, struct spb_uniformity_settings settings)
{
	const struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;
	struct spb_judged j = find_accesses(u);

	struct spb_targets *targets = spb_alloc(arena, sizeof *targets); /* questions may be added after this call */

	*targets = j.paths.targets;
	settings.targets = targets;
	j.uniformity = spb_uniformity_begin(m, &j.calls, arena, settings);
	if (j.paths.accesses.count || j.paths.chains.count)
		spb_uniformity_inherit(j.uniformity,
				       (struct spb_program_modules){u->program.modules, u->program.module_count});
	spb_uniformity_find_lanes(j.uniformity);
	for (int leaf = 0; leaf < 2; leaf++)
		j.question[leaf] = spb_alloc_zeroed(arena, j.paths.accesses.count, sizeof *j.question[leaf]);
	j.index_question = spb_alloc_zeroed(arena, j.paths.chains.count, sizeof *j.index_question);
	for (size_t i = 0; i < j.paths.chains.count && u->options->explain; i++)
		j.index_question[i] = spb_uniformity_ask(j.uniformity, j.paths.chains.items[i].at,
							 j.paths.chains.items[i].selection.dynamic, 0);
	for (size_t i = 0; i < j.paths.accesses.count; i++) {
		struct spb_operand_use a = j.paths.accesses.items[i];
		j.question[0][i] = spb_uniformity_ask(j.uniformity, a.at, a.word, 0);
		if (spb_is_sampled_image(m, m->words[a.word]))
			j.question[1][i] = spb_uniformity_ask(j.uniformity, a.at, a.word, 1);
	}
	return j;
}

struct spb_judged spb_judge_accesses(struct spb_unit *u, bool ask, struct spb_uniformity_settings settings)
{
	struct spb_judged j = ask ? spb_begin_judging(u, settings) : find_accesses(u);

	if (ask)
		spb_uniformity_solve(j.uniformity);
	return j;
}

bool spb_bits_differ(const struct spb_judged *j, uint8_t uniform)
{
	return !(uniform & j->scope);
}

bool spb_access_differs(const struct spb_judged *j, size_t i, uint32_t leaf)
{
	if (leaf == 1 && !spb_is_sampled_image(j->m, j->m->words[j->paths.accesses.items[i].word]))
		return false;
	return !j->uniformity || spb_bits_differ(j, spb_uniformity_of(j->uniformity, j->question[leaf][i]));
}

bool spb_value_differs(const struct spb_judged *j, uint32_t id, uint32_t leaf)
{
	return !j->uniformity || spb_bits_differ(j, spb_uniformity_of_value(j->uniformity, id, leaf));
}

const char *spb_no_remedy(const struct spb_module *m, spb_at at)
{
	if (!(spb_op_facts(spb_op(m, at))->flags & SPB_OP_NEVER_DIFFERS))
		return NULL;
	if (spb_op(m, at) >= FIRST_QCOM_IMAGE_OP && spb_op(m, at) <= LAST_QCOM_IMAGE_OP)
		return "VK_QCOM_image_processing requires the image to be uniform within the quad";
	return "the operands of a cooperative matrix must be uniform within its scope";
}

static void put_place(struct spb_text_buffer *text, const struct spb_why *why)
{
	if (!why->line)
		return;
	if (*why->file)
		spb_text_format(text, " (%s:%u)", why->file, (unsigned)why->line);
	else
		spb_text_format(text, " (line %u)", (unsigned)why->line);
}

static void put_stages(struct spb_text_buffer *text, uint32_t stages)
{
	const char *between = " in ";

	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		if (!(stages >> i & 1))
			continue;
		spb_text_put(text, between);
		spb_text_put(text, spb_stage_name(i));
		between = ", ";
	}
}

/* Names the module that writes an input, and the location. */
static void put_stage_before(struct spb_text_buffer *text, const struct spb_module *m, const struct spb_reason *r)
{
	struct spb_location_table places;
	struct spb_source_place place;
	const char *name;

	if (!r->from)
		return;
	name = strrchr(r->from->name, '/');
	name = r->from == m ? "the stage before" : name ? name + 1 : r->from->name;
	places = spb_location_table(r->from, &m->context->scratch);
	place = spb_place_of(&places, r->store);
	spb_text_format(text, ", as %s writes it", name);
	const char *file = spb_file_of(r->from, place.file);
	if (place.line && file)
		spb_text_format(text, " in %s:%u", file, (unsigned)place.line);
}

/* A store to shared memory that no barrier separates from the load. */
static void put_race(struct spb_text_buffer *text, const struct spb_location_table *places, const struct spb_reason *r)
{
	struct spb_source_place place;

	if (r->from || !r->store)
		return;
	place = spb_place_of(places, r->store);
	spb_text_put(text, ", and stored to without a barrier between");
	if (place.line)
		spb_text_format(text, " in line %u", (unsigned)place.line);
	spb_text_put(text, "; add a barrier between");
}

/* The OpName; for a block variable without one, the name of its type. */
static const char *name_of(const struct spb_module *m, uint32_t id)
{
	const char *name = spb_id_name(m, id);
	spb_at type = m->def[spb_type_of(m, id)];

	if (*name || spb_def_op(m, id) != SpvOpVariable || spb_op(m, type) != SpvOpTypePointer)
		return name;
	return spb_id_name(m, m->words[type + 3]);
}

/* `otherwise`: the label if the input has neither the id nor a name for it, as for data that a resolver reads. An id
 * means nothing to a reader of the source. */
static const char *label(struct spb_arena *keep, const struct spb_unit *u, const struct spb_why *why,
			 const char *otherwise)
{
	struct spb_text_buffer text = {.arena = keep};

	if (!why->id && !*why->name)
		return otherwise;
	if (!*why->name)
		return why->line ? "a value of this line" : spb_input_label(u, keep, why->id, otherwise);
	spb_text_format(&text, "\"%s\"", why->name);
	return spb_text_end(&text);
}

/* `subject`: begins the first step; NULL for the others. */
static struct spb_why tell(struct spb_unit *u, const struct spb_location_table *places, const struct spb_reason *r,
			   const char *subject)
{
	const struct spb_module *m = &u->m;
	struct spb_arena *keep = &u->m.keep;
	struct spb_text_buffer text = {.arena = keep};
	struct spb_why why = {.id = spb_is_of_input(u, r->id) ? r->id : 0, .name = "", .file = "", .at = r->at};
	struct spb_source_place place = r->at ? spb_place_of(places, r->at) : (struct spb_source_place){0};

	why.line = place.line;
	why.column = place.column;
	const char *file = spb_file_of(m, place.file);
	if (file)
		why.file = spb_copy_text(keep, file, strlen(file));
	if (r->id)
		why.name = spb_copy_text(keep, name_of(m, r->id), strlen(name_of(m, r->id)));
	if (r->ends) { /* describes the id itself */
		spb_text_put(&text, r->builtin ? spb_builtin_word(m, r->builtin - 1)
				    : r->id    ? label(keep, u, &why, "what it reads")
					       : "it");
		spb_text_format(&text, " %s", r->how);
		put_stages(&text, r->stages);
		put_stage_before(&text, m, r);
		put_race(&text, places, r);
	} else {
		spb_text_format(&text, "%s %s %s", subject ? subject : "which",
				subject && r->plain ? "follows from" : r->how,
				r->id ? label(keep, u, &why, "a value") : "it");
	}
	why.length = text.count;
	put_place(&text, &why);
	why.text = spb_text_end(&text);
	return why;
}

/* Unnamed intermediate values add nothing to the source line. */
static bool is_worth_telling(const struct spb_module *m, const struct spb_reason *r, uint32_t before)
{
	return r->ends || !r->plain || (*spb_id_name(m, r->id) && r->id != before);
}

uint32_t spb_tell_why(struct spb_unit *u, struct spb_uniformity *uniformity, const struct spb_location_table *places,
		      uint32_t question, uint8_t scope, const char *subject, struct spb_why *whys, uint32_t most)
{
	enum { MOST_STEPS = 48 };
	struct spb_reason steps[MOST_STEPS];
	bool differs = !(spb_uniformity_of(uniformity, question) & scope);
	uint32_t count, told = 0, before = 0;

	count = differs ? spb_uniformity_why(uniformity, question, scope, steps, MOST_STEPS)
			: spb_uniformity_proof(uniformity, question, steps, most);
	for (uint32_t i = 0; i < count; i++) {
		if (!is_worth_telling(&u->m, &steps[i], before) || (told + 1 >= most && i + 1 < count))
			continue;
		whys[told] = tell(u, places, &steps[i], told ? NULL : subject);
		if (told && !strcmp(whys[told].text, whys[told - 1].text))
			continue;
		before = steps[i].id;
		told++;
	}
	if (!differs && !told && most)
		whys[told++] = spb_why_constant();
	return told;
}

static struct spb_why *keep_whys(struct spb_unit *u, const struct spb_why *whys, uint32_t count)
{
	struct spb_why *kept = spb_alloc_array(&u->m.keep, count, sizeof *kept);

	memcpy(kept, whys, count * sizeof *kept);
	return kept;
}

static bool are_same(const struct spb_why *a, uint32_t a_count, const struct spb_why *b, uint32_t b_count)
{
	for (uint32_t i = 0; i < a_count && a_count == b_count; i++) {
		if (strcmp(a[i].text, b[i].text) != 0)
			return false;
	}
	return a_count == b_count;
}

void spb_keep_reason(struct spb_unit *u, struct spb_judged *j, const struct spb_location_table *places, uint32_t id,
		     uint32_t question, bool by_author)
{
	enum { MOST = 12 };
	struct spb_why whys[MOST], others[MOST];
	struct spb_judgement k = {.id = id, .by_author = by_author};
	uint32_t count;

	k.uniform = spb_uniformity_of(j->uniformity, question);
	k.differs = by_author || spb_bits_differ(j, k.uniform);
	k.certain =
	    !(k.uniform & SPB_UNIFORM_GROUP) && spb_uniformity_is_certain(j->uniformity, question, SPB_UNIFORM_GROUP);
	k.why_count = spb_tell_why(u, j->uniformity, places, question, SPB_UNIFORM_GROUP, "the index", whys, MOST);
	k.why = keep_whys(u, whys, k.why_count);
	if (!(k.uniform & SPB_UNIFORM_SUBGROUP)) {
		count =
		    spb_tell_why(u, j->uniformity, places, question, SPB_UNIFORM_SUBGROUP, "the index", others, MOST);
		if (!are_same(whys, k.why_count, others, count)) {
			k.why_subgroup = keep_whys(u, others, count);
			k.why_subgroup_count = count;
		}
	}
	SPB_PUSH(&u->m.keep, &u->nonuniform.judgements, k);
}
