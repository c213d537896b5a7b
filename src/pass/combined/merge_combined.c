/* SPDX-License-Identifier: Apache-2.0 */
/* merge-combined: merges a texture and a sampler that the user names as a pair into one combined image-sampler.
 *
 *     %tex = OpVariable %ptr_image UniformConstant        %tex = OpVariable %ptr_combined UniformConstant
 *     %smp = OpVariable %ptr_sampler UniformConstant      (gone when nothing else uses it)
 *     %i = OpLoad %image %tex                             (gone)
 *     %s = OpLoad %sampler %smp                           (gone when nothing else uses it)
 *     %si = OpSampledImage %combined %i %s                %si = OpLoad %combined %tex
 *
 * Where the texture is also fetched or queried, its load stays, as the OpImage of a load of the combined image-sampler.
 *
 * If a texture is only used with this sampler or through OpImage (fetches, queries), and belongs to only one pair, its
 * variable becomes the combined one and keeps its id, name and binding. Otherwise a variable TEX_SMP is created after
 * it, which the layout calls TEX.SMP; a texture used only by pairs is removed. An array stays an array, indexed as
 * before; its sampler must be single or have the same index: the same id, equal constants, or loads from the same place
 * with nothing between them that could write.
 *
 * A pair that is already merged is left as it is. src/lib checks that some module has both names. Refused: a name of
 * two variables (SPB_E_MERGE_NAME) or of something else (SPB_E_MERGE_KIND), a sampler with another index
 * (SPB_E_MERGE_INDEX), a pair passed to a function (SPB_E_MERGE_CALL). */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "pass/combined/combined.h"

struct pair {
	uint32_t texture, sampler; /* variables */
	uint32_t combined;         /* the variable created for it; 0: none */
	bool alone;                /* its texture belongs to no other pair */
	bool used;                 /* used in this module, so it needs a variable */
};

struct name { /* from the command line */
	const char *text;
	size_t length;
	uint32_t variable; /* 0: no variable with this name */
	uint32_t pairs;    /* pair + 1: as a texture, and as TEX_SMP */
	bool twice;
};

/* A use of the texture with a sampler of one of its pairs. */
struct site {
	spb_at at; /* OpSampledImage */
	uint32_t item, pair;
	uint32_t sampler; /* as the instruction names it */
	bool marked;
};

struct item { /* an id that is the texture, or derives from it */
	uint32_t id;
	uint32_t pointer; /* for a load or copy: what was loaded; 0: the item is a pointer */
	bool marked;      /* NonUniform on the load or on a copy in between */
};

struct sites {
	struct site *items;
	size_t count, capacity;
};

struct plan {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_arena *arena;
	struct pair *pairs; /* as options->combined.merge */
	uint32_t *active;   /* pairs of which this module has both names, by the position of the texture */
	uint32_t active_count;
	SPB_LIST(struct name) names;
	uint32_t *slot, mask; /* hash -> name + 1 */
	struct spb_losses losses;
	uint32_t *pair_of;     /* [bound] sampler -> pair of the current texture, + 1 */
	uint32_t *combined_of; /* [bound] image type -> its OpTypeSampledImage, once its position is settled */
	uint32_t *gone;        /* bits over ids: removed variables */
	SPB_LIST(struct spb_companion) companions;

	/* of the current texture */
	uint32_t texture;
	SPB_LIST(struct item) items;
	struct sites sites;
	bool exclusive;
	uint32_t combined, element_pointer, pointer; /* types: the combined image-sampler, a pointer to it, a pointer
						      * to the variable */
};

static bool is_marked(const struct spb_module *m, uint32_t id)
{
	return spb_decoration(m, id, SpvDecorationNonUniform) != 0;
}

static bool is_chain(const struct spb_module *m, spb_at at)
{
	return spb_op_is(spb_op(m, at), SPB_OP_CHAIN);
}

static uint32_t held_type(const struct spb_module *m, uint32_t variable)
{
	return m->words[m->def[m->words[m->def[variable] + 1]] + 3];
}

/* The origin of a loaded sampler. */
struct origin {
	uint32_t variable, index; /* 0: unknown; 0: no index */
	bool marked;
};

static struct origin find_origin(const struct spb_module *m, uint32_t value)
{
	enum { COPIES = 64 };
	struct origin o = {.marked = is_marked(m, value)};
	uint32_t pointer;

	for (int left = COPIES; left && spb_def_op(m, value) == SpvOpCopyObject; left--) {
		value = m->words[m->def[value] + 3];
		o.marked |= is_marked(m, value);
	}
	if (spb_def_op(m, value) != SpvOpLoad)
		return o;
	pointer = m->words[m->def[value] + 3];
	if (is_chain(m, m->def[pointer]) && spb_length(m, m->def[pointer]) == 5) {
		o.marked |= is_marked(m, pointer);
		o.index = m->words[m->def[pointer] + 4];
		pointer = m->words[m->def[pointer] + 3];
	}
	if (spb_def_op(m, pointer) == SpvOpVariable)
		o.variable = pointer;
	return o;
}

/* Does nothing between two instructions change memory? */
static bool nothing_is_written(const struct spb_module *m, spb_at from, spb_at to)
{
	enum { FAR = 64 };
	int left = FAR;

	if (from > to)
		return nothing_is_written(m, to, from);
	for (spb_at at = from; at < to; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if ((op != SpvOpLoad && op != SpvOpCopyObject && !spb_op_is(op, SPB_OP_LINE) && !is_chain(m, at) &&
		     !spb_is_non_semantic(m, at)) ||
		    !left--)
			return false;
	}
	return true;
}

/* Stock glslang loads the index again for each of T[i], S[i]. */
static bool is_same_value(const struct spb_module *m, uint32_t a, uint32_t b, int depth)
{
	enum { LONGEST = 8 }; /* chain: of four indexes */
	spb_at x = m->def[a], y = m->def[b];
	uint64_t value, other;

	if (a == b)
		return true;
	if (spb_op(m, x) == SpvOpConstant && spb_op(m, y) == SpvOpConstant)
		return spb_constant_value(m, a, &value) && spb_constant_value(m, b, &other) && value == other;
	if (!depth || m->words[x] != m->words[y])
		return false;
	if (spb_op(m, x) == SpvOpLoad)
		return spb_length(m, x) == 4 && nothing_is_written(m, x, y) &&
		       is_same_value(m, m->words[x + 3], m->words[y + 3], depth - 1);
	if (spb_op(m, x) != SpvOpCopyObject && (!is_chain(m, x) || spb_length(m, x) > LONGEST))
		return false;
	for (uint32_t w = 3; w < spb_length(m, x); w++) {
		if (!is_same_value(m, m->words[x + w], m->words[y + w], depth - 1))
			return false;
	}
	return true;
}

/* collect: the uses of a texture */

static void add_item(struct plan *p, uint32_t id, uint32_t pointer, bool marked)
{
	SPB_PUSH(p->arena, &p->items, ((struct item){id, pointer, marked}));
}

static void refuse_call(const struct plan *p, spb_at call)
{
	const struct spb_module *m = p->m;

	for (uint32_t w = call + 4; w < spb_next(m, call); w++) {
		if (p->pair_of[m->words[w]])
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_MERGE_CALL, call,
				 "--merge-combined=%s: both are passed to a function, where merging is not "
				 "supported" SPB_REMEDY "Combine them before the call, or inline the function.",
				 p->u->options->combined.merge[p->pair_of[m->words[w]] - 1]);
	}
}

static void add_site(struct plan *p, uint32_t item, spb_at at)
{
	const struct spb_module *m = p->m;
	struct origin o = find_origin(m, m->words[at + 4]);
	uint32_t pair = p->pair_of[o.variable];
	spb_at pointer = m->def[p->items.items[item].pointer];
	uint32_t index = is_chain(m, pointer) ? m->words[pointer + 4] : 0;

	if (!pair) { /* with another sampler */
		p->exclusive = false;
		return;
	}
	if (o.index && !(index && is_same_value(m, o.index, index, 6)))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_MERGE_INDEX, at,
			 "--merge-combined=%s: texture and sampler are indexed differently, so no element of one array "
			 "holds both" SPB_REMEDY "Index both arrays with the same value.",
			 p->u->options->combined.merge[pair - 1]);
	SPB_PUSH(p->arena, &p->sites,
		 ((struct site){at, item, pair - 1, m->words[at + 4], p->items.items[item].marked || o.marked}));
}

static void follow_use(struct plan *p, uint32_t n, struct spb_use use)
{
	const struct spb_module *m = p->m;
	struct item item = p->items.items[n];
	uint32_t op = spb_op(m, use.at), result = spb_result(m, use.at);
	bool first = use.word == use.at + 3;

	if (spb_is_non_semantic(m, use.at))
		return;
	if (!item.pointer && op == SpvOpLoad && first)
		add_item(p, result, item.id, is_marked(m, result));
	else if (!item.pointer && item.id == p->texture && is_chain(m, use.at) && first && spb_length(m, use.at) == 5)
		add_item(p, result, 0, false);
	else if (item.pointer && op == SpvOpCopyObject)
		add_item(p, result, item.pointer, item.marked || is_marked(m, result));
	else if (item.pointer && op == SpvOpSampledImage && first)
		add_site(p, n, use.at);
	else if (!(item.pointer && spb_op_facts(op)->kind == SPB_RESOURCE_IMAGE && first)) /* an OpImage does as well */
		p->exclusive = false;
	if (op == SpvOpFunctionCall)
		refuse_call(p, use.at);
}

static void collect(struct plan *p)
{
	const struct spb_module *m = p->m;

	p->items.count = p->sites.count = 0;
	add_item(p, p->texture, 0, false);
	for (uint32_t n = 0; n < p->items.count; n++) {
		uint32_t id = p->items.items[n].id;
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			follow_use(p, n, m->use[i]);
	}
}

/* rewrite */

/* Before the variable: its OpTypeSampledImage and the types that depend on it. Textures come in module order, so a type
 * needed by the first one is available to all. */
static void make_types(struct plan *p)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	spb_at place = m->def[p->texture];
	uint32_t type = held_type(m, p->texture), element = spb_array_element(m, type);
	uint32_t image = element ? element : type, found = p->combined_of[image];

	if (!found) {
		for (uint32_t i = m->first_use[image]; i < m->first_use[image + 1] && !found; i++) {
			if (spb_op(m, m->use[i].at) == SpvOpTypeSampledImage)
				found = m->words[m->use[i].at + 1];
		}
		if (found && m->def[found] > place) {
			spb_remove(e, m->def[found]);
			spb_insert(e, place, SpvOpTypeSampledImage, W(found, image));
		} else if (!found) {
			found = spb_new_id(e);
			spb_insert(e, place, SpvOpTypeSampledImage, W(found, image));
		}
		p->combined_of[image] = found;
	}
	p->combined = found;
	p->element_pointer = p->pointer = spb_new_id(e);
	spb_insert(e, place, SpvOpTypePointer, W(p->pointer, SpvStorageClassUniformConstant, p->combined));
	if (!element)
		return;
	spb_at what = m->def[type]; /* a runtime array has no length */
	const uint32_t length = spb_op(m, what) == SpvOpTypeArray ? m->words[what + 3] : 0;
	const uint32_t array[] = {spb_new_id(e), p->combined, length};
	spb_insert(e, place, spb_op(m, what), array, spb_length(m, what) - 1);
	p->pointer = spb_new_id(e);
	spb_insert(e, place, SpvOpTypePointer, W(p->pointer, SpvStorageClassUniformConstant, array[0]));
}

/* An unused texture or sampler, and the pointer to it, may go; what its index is computed from stays. */
static bool may_go(const void *plan, spb_at at)
{
	const struct spb_module *m = ((const struct plan *)plan)->m;
	uint32_t op = spb_op(m, at);

	if (op != SpvOpLoad && op != SpvOpCopyObject && !is_chain(m, at))
		return false;
	spb_at type = m->def[m->words[at + 1]];
	return spb_op_is(spb_op(m, type), SPB_OP_OPAQUE) ||
	       (spb_op(m, type) == SpvOpTypePointer && m->words[type + 2] == SpvStorageClassUniformConstant);
}

/* Gives new types to the uses of a texture that remain after its sites are rewritten. */
static void retype_item(struct plan *p, const struct item *item)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	spb_at at = m->def[item->id];

	if (spb_bit(p->losses.gone, item->id) || spb_op(m, at) == SpvOpCopyObject)
		return;
	if (spb_op(m, at) == SpvOpVariable) {
		spb_patch(e, at + 1, p->pointer);
	} else if (!item->pointer) {
		spb_patch(e, at + 1, p->element_pointer);
	} else {
		uint32_t loaded = spb_new_id(e), length = spb_length(m, at);
		uint32_t *words = spb_alloc_array(p->arena, length, sizeof *words);
		memcpy(words, m->words + at, length * sizeof *words);
		words[1] = p->combined;
		words[2] = loaded;
		spb_insert(e, at, SpvOpLoad, words + 1, length - 1);
		spb_replace(e, at, SpvOpImage, W(m->words[at + 1], item->id, loaded));
		if (item->marked)
			spb_add_decoration(e, loaded, SpvDecorationNonUniform, NULL, 0);
	}
}

static uint32_t make_variable(struct plan *p, uint32_t pair)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	const char *text = p->u->options->combined.merge[pair], *sampler = strchr(text, ':') + 1;
	struct spb_text_buffer name = {.arena = p->arena}, path = {.arena = p->arena};
	uint32_t id = spb_new_id(e), set = spb_decoration(m, p->texture, SpvDecorationDescriptorSet);

	spb_insert(e, spb_next(m, m->def[p->texture]), SpvOpVariable,
		   W(p->pointer, id, SpvStorageClassUniformConstant));
	if (set)
		spb_add_decoration(e, id, SpvDecorationDescriptorSet, &m->words[set], 1);
	spb_text_format(&name, "%s_%s", spb_id_name(m, p->texture), sampler);
	spb_add_name(e, id, spb_text_end(&name));
	spb_text_format(&path, ".%s", sampler);
	SPB_PUSH(p->arena, &p->companions, ((struct spb_companion){p->texture, id, spb_text_end(&path)}));
	for (uint32_t n = m->first_note[p->texture]; n < m->first_note[p->texture + 1]; n++) {
		if (spb_op(m, m->note[n].at) == SpvOpEntryPoint)
			spb_interface_add(e, m->note[n].at, id);
	}
	return id;
}

static void rewrite_site(struct plan *p, const struct site *site)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	const struct item *item = &p->items.items[site->item];
	uint32_t pointer = item->pointer, result = m->words[site->at + 2];
	spb_at chain = m->def[pointer];

	if (!p->exclusive && is_chain(m, chain)) {
		uint32_t id = spb_new_id(e), variable = p->pairs[site->pair].combined;
		spb_insert(e, site->at, spb_op(m, chain), W(p->element_pointer, id, variable, m->words[chain + 4]));
		if (is_marked(m, pointer))
			spb_add_decoration(e, id, SpvDecorationNonUniform, NULL, 0);
		pointer = id;
	} else if (!p->exclusive) {
		pointer = p->pairs[site->pair].combined;
	} else {
		p->losses.balance[pointer]++;
	}
	spb_replace(e, site->at, SpvOpLoad, W(p->combined, result, pointer));
	if (site->marked && !is_marked(m, result))
		spb_add_decoration(e, result, SpvDecorationNonUniform, NULL, 0);
	spb_lose_use(&p->losses, item->id);
	spb_lose_use(&p->losses, site->sampler);
}

/* Debug information of a removed variable names its heir, or DebugInfoNone. */
static void rename_debug(struct plan *p, struct spb_use use, uint32_t heir)
{
	const struct spb_module *m = p->m;
	uint32_t result = m->words[use.at + 2], none;

	if (heir) {
		spb_patch(&p->u->edit, use.word, heir);
	} else if (m->first_use[result] == m->first_use[result + 1]) {
		spb_remove_id(&p->u->edit, result);
	} else {
		none = spb_new_id(&p->u->edit);
		spb_insert(
		    &p->u->edit, use.at, SpvOpExtInst,
		    W(m->words[use.at + 1], none, m->words[use.at + 3], NonSemanticShaderDebugInfo100DebugInfoNone));
		spb_patch(&p->u->edit, use.word, none);
	}
}

/* Removes a variable that no function uses any more. Debug information does not keep it. */
static void remove_variable(struct plan *p, uint32_t id, uint32_t heir)
{
	const struct spb_module *m = p->m;
	int32_t left = p->losses.balance[id];

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		bool is_debug = spb_op(m, at) == SpvOpExtInst && m->words[at + 3] == spb_debug_set(m);
		left += at >= m->section[SPB_SECTION_FUNCTION] || !is_debug;
	}
	if (left || spb_bit(p->gone, id))
		return;
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (m->use[i].at < m->section[SPB_SECTION_FUNCTION])
			rename_debug(p, m->use[i], heir);
	}
	spb_set_bit(p->gone, id);
	spb_remove_id(&p->u->edit, id);
}

static bool rewrite_texture(struct plan *p, const uint32_t *pairs, size_t count)
{
	uint32_t heir = 0;

	if (!p->exclusive && !p->sites.count)
		return false;
	make_types(p);
	for (size_t i = 0; i < p->sites.count && !p->exclusive; i++)
		p->pairs[p->sites.items[i].pair].used = true;
	for (size_t i = 0; i < count; i++) {
		struct pair *pair = &p->pairs[pairs[i]];
		if (pair->used)
			pair->combined = make_variable(p, pairs[i]);
		heir = heir ? heir : pair->combined;
	}
	for (size_t i = 0; i < p->sites.count; i++)
		rewrite_site(p, &p->sites.items[i]);
	spb_sweep_values(&p->losses, may_go, p);
	for (size_t i = 0; i < p->items.count && p->exclusive; i++)
		retype_item(p, &p->items.items[i]);
	if (!p->exclusive)
		remove_variable(p, p->texture, heir);
	for (size_t i = 0; i < count; i++) {
		if (p->exclusive || p->pairs[pairs[i]].used)
			remove_variable(p, p->pairs[pairs[i]].sampler, 0);
	}
	return true;
}

/* the names on the command line */

static struct name *find_name(struct plan *p, const char *text, size_t length, bool add)
{
	uint32_t h = (uint32_t)spb_hash_bytes(0, text, length) & p->mask;

	for (; p->slot[h]; h = (h + 1) & p->mask) {
		struct name *name = &p->names.items[p->slot[h] - 1];
		if (name->length == length && !memcmp(name->text, text, length))
			return name;
	}
	if (!add)
		return NULL;
	SPB_PUSH(p->arena, &p->names, ((struct name){.text = text, .length = length}));
	p->slot[h] = (uint32_t)p->names.count;
	return &p->names.items[p->names.count - 1];
}

/* A pair that is given twice counts once. */
static void read_pair(struct plan *p, uint32_t pair)
{
	const char *const *all = p->u->options->combined.merge, *text = all[pair];
	size_t length = strlen(text), texture = (size_t)(strchr(text, ':') - text);
	char *both = spb_copy_text(p->arena, text, length);

	both[texture] = '_';
	struct name *combined = find_name(p, both, length, true);
	bool repeated = combined->pairs && !strcmp(all[combined->pairs - 1], text);
	if (!combined->pairs)
		combined->pairs = pair + 1;
	find_name(p, text + texture + 1, length - texture - 1, true);
	if (!repeated)
		find_name(p, text, texture, true)->pairs++;
}

static enum spb_descriptor kind_of(const struct spb_module *m, const struct name *name)
{
	if (!name->variable)
		return SPB_DESCRIPTOR_OTHER;
	uint32_t type = held_type(m, name->variable), element = spb_array_element(m, type);
	return spb_descriptor_of(m, SpvStorageClassUniformConstant, element ? element : type);
}

static void check_name(const struct plan *p, uint32_t pair, const struct name *name, enum spb_descriptor wanted)
{
	const struct spb_module *m = p->m;
	const char *text = p->u->options->combined.merge[pair];

	if (name->twice)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_MERGE_NAME, m->def[name->variable],
			 "--merge-combined=%s: two variables of this module are named \"%s\"" SPB_REMEDY "Rename one.",
			 text, spb_id_name(m, name->variable));
	if (kind_of(m, name) != wanted)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_MERGE_KIND, m->def[name->variable],
			 "--merge-combined=%s: %s is not a %s or a one-dimensional array of them" SPB_REMEDY
			 "Give the texture first and the sampler second.",
			 text, spb_label(p->arena, m, name->variable),
			 wanted == SPB_DESCRIPTOR_SAMPLER ? "sampler" : "sampled image");
}

/* Finds the variables of a pair. True: both exist. */
static bool resolve(struct plan *p, uint32_t pair)
{
	const char *text = p->u->options->combined.merge[pair];
	size_t length = strlen(text), split = (size_t)(strchr(text, ':') - text);
	char *both = spb_copy_text(p->arena, text, length);

	both[split] = '_';
	const struct name *texture = find_name(p, text, split, false);
	const struct name *sampler = find_name(p, text + split + 1, length - split - 1, false);
	bool merged = kind_of(p->m, texture) == SPB_DESCRIPTOR_COMBINED;
	bool there = texture->variable && sampler->variable && !merged;
	if (there || merged || kind_of(p->m, find_name(p, both, length, false)) == SPB_DESCRIPTOR_COMBINED)
		spb_set_bit(p->u->program.pairs_found, pair);
	if (!there)
		return false;
	check_name(p, pair, texture, SPB_DESCRIPTOR_TEXTURE);
	check_name(p, pair, sampler, SPB_DESCRIPTOR_SAMPLER);
	p->pairs[pair].texture = texture->variable;
	p->pairs[pair].sampler = sampler->variable;
	p->pairs[pair].alone = texture->pairs == 1;
	return true;
}

static void find_variables(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpVariable || m->words[at + 3] != SpvStorageClassUniformConstant ||
		    spb_def_op(m, m->words[at + 1]) != SpvOpTypePointer)
			continue;
		const char *text = spb_id_name(m, m->words[at + 2]);
		struct name *name = find_name(p, text, strlen(text), false);
		if (!name)
			continue;
		name->twice = name->variable != 0;
		name->variable = m->words[at + 2];
	}
}

struct place {
	spb_at at;
	uint32_t pair;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->at != y->at ? spb_compare(x->at, y->at) : spb_compare(x->pair, y->pair);
}

/* The pairs of which this module has both names, in the order of their textures. */
static void find_pairs(struct plan *p)
{
	uint32_t count = p->u->options->combined.merge_count, size = 16;
	struct place *places = spb_alloc_array(p->arena, count, sizeof *places);

	while (size / 6 < count)
		size *= 2;
	p->slot = spb_alloc_zeroed(p->arena, size, sizeof *p->slot);
	p->mask = size - 1;
	p->pairs = spb_alloc_zeroed(p->arena, count, sizeof *p->pairs);
	p->active = spb_alloc_array(p->arena, count, sizeof *p->active);
	for (uint32_t i = 0; i < count; i++)
		read_pair(p, i);
	find_variables(p);
	for (uint32_t i = 0; i < count; i++) {
		if (resolve(p, i))
			places[p->active_count++] = (struct place){p->m->def[p->pairs[i].texture], i};
	}
	spb_sort(p->arena, places, p->active_count, sizeof *places, by_place);
	for (uint32_t i = 0; i < p->active_count; i++)
		p->active[i] = places[i].pair;
}

/* Merges the pairs of one texture. */
static bool merge_texture(struct plan *p, const uint32_t *pairs, size_t count)
{
	p->texture = p->pairs[pairs[0]].texture;
	p->exclusive = p->pairs[pairs[0]].alone;
	for (size_t i = 0; i < count; i++)
		p->pair_of[p->pairs[pairs[i]].sampler] = pairs[i] + 1;
	collect(p);
	bool changed = rewrite_texture(p, pairs, count);
	for (size_t i = 0; i < count; i++)
		p->pair_of[p->pairs[pairs[i]].sampler] = 0;
	return changed;
}

bool spb_pass_merge_combined(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.u = u, .m = m, .arena = &m->context->scratch};
	bool changed = false;

	if (!u->options->combined.merge_count)
		return false;
	find_pairs(&p);
	if (!p.active_count)
		return false;
	spb_module_need_uses(m);
	spb_refuse_unknown_ops(m, SPB_E_COMBINED_UNKNOWN_OPS, "their effect on textures and samplers is unknown",
			       ", or leave out --merge-combined");
	p.pair_of = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.pair_of);
	p.combined_of = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.combined_of);
	p.gone = spb_bits(p.arena, m->bound);
	p.losses = spb_losses_begin(&u->edit);
	for (uint32_t i = 0, end; i < p.active_count; i = end) {
		for (end = i; end < p.active_count && p.pairs[p.active[end]].texture == p.pairs[p.active[i]].texture;
		     end++)
			;
		changed |= merge_texture(&p, p.active + i, end - i);
	}
	if (changed)
		spb_add_companions(u, p.companions.items, p.companions.count, p.gone);
	return changed;
}
