/* SPDX-License-Identifier: Apache-2.0 */
/* normalize-handles: turns dereferences of DescriptorHandles in other dialects into the extended instruction, so
 * that later passes see only one form, and removes everything else that belongs to the dialect.
 *
 *     OpCapability BindlessTextureNV                       (gone, as the extension, decorations, addressing mode)
 *     %t = OpConvertUToImageNV %texture %h64               %v = OpBitcast %v2uint %h64
 *                                                          %t = OpExtInst %texture %set 1 %v
 *     %u = OpConvertImageToUNV %ulong %t                   %u = OpCopyObject %ulong %h64
 *
 *     OpDecorate %f LinkageAttributes "getDescriptorFromHandle_texture" Import          (gone, as %f)
 *     %s = OpFunctionCall %sampler %f %h                   %s = OpExtInst %sampler %set 1 %h
 *
 * An import that returns a pointer to a buffer (in PhysicalStorageBuffer) becomes instruction 2: a storage buffer. A
 * 64-bit handle has x in its low word and y in its high word; a 32-bit handle is x, with y = 0. A uvec2 is accepted
 * as a handle unchanged: the extension does not allow this, but it spares descriptor_handle.slang 64-bit integers.
 * Results keep their ids, and therefore their names and NonUniform; NonUniform on a handle whose type changes moves
 * to the dereference.
 *
 * Refused: a handle that is none of these (SPB_E_HANDLE_TYPE); the number of a descriptor that is not dereferenced
 * in the same function, a dereference outside a function, an import that is not a function, has a body, or is used
 * other than by a call (SPB_E_HANDLE_FLOW). SPV_NV_bindless_texture; SPIR-V 2.16.1, "Universal Validation Rules"
 * (imports). */
#include "pass/handles/heaps.h"

#define BINDLESS_EXTENSION "SPV_NV_bindless_texture"

struct plan {
	struct spb_unit *u;
	spb_at *dereference; /* [bound] descriptor -> instruction that made it, through copies; 0: unknown */
	uint32_t *imported;  /* bits over ids: functions that dereference, and their types; NULL: none */
	uint32_t *vector_of; /* [bound] constant handle -> the same as a uvec2 */
	uint32_t import;     /* 0: not needed yet */
};

static const struct spb_module *module(const struct plan *p)
{
	return &p->u->m;
}

static const char *label(const struct plan *p, uint32_t id)
{
	return spb_label(&module(p)->context->scratch, module(p), id);
}

static bool is_bindless_op(uint32_t op)
{
	return op >= SpvOpConvertUToImageNV && op <= SpvOpSamplerImageAddressingModeNV;
}

static bool is_bindless_decoration(uint32_t decoration)
{
	return decoration >= SpvDecorationBindlessSamplerNV && decoration <= SpvDecorationBoundImageNV;
}

static bool is_extension(const struct spb_module *m, spb_at at, const char *name)
{
	return spb_op(m, at) == SpvOpExtension && !strcmp(spb_string(m, at + 1), name);
}

static bool begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

static bool is_linkage(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationLinkageAttributes;
}

/* Does the import name mark a function that dereferences handles? The rest of the name, usually a type, is
 * arbitrary. */
static bool is_handle_import(const struct spb_module *m, spb_at at)
{
	return is_linkage(m, at) && m->words[spb_next(m, at) - 1] == SpvLinkageTypeImport &&
	       (begins_with(spb_string(m, at + 3), "getDescriptorFromHandle") ||
		begins_with(spb_string(m, at + 3), "defaultGetDescriptorFromHandle"));
}

static uint32_t handle_set(struct plan *p)
{
	if (!p->import)
		p->import = spb_import(module(p), SPB_HANDLE_SET);
	if (!p->import)
		p->import = spb_add_import(&p->u->edit, SPB_HANDLE_SET);
	return p->import;
}

/* Width of an integer type; 0: not an integer. */
static uint32_t int_width(const struct spb_module *m, uint32_t type)
{
	return spb_def_op(m, type) == SpvOpTypeInt ? m->words[m->def[type] + 2] : 0;
}

static bool is_int2(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypeVector && m->words[at + 3] == 2 && int_width(m, m->words[at + 2]) == 32;
}

static bool is_signed(const struct spb_module *m, uint32_t type)
{
	return m->words[m->def[type] + 3] != 0;
}

/* A constant handle as a constant uvec2, so that the index stays constant; 0 if it has no constant form. */
static uint32_t constant_vector(struct plan *p, uint32_t handle)
{
	const struct spb_module *m = module(p);
	uint32_t type = spb_type_of(m, handle), op = spb_def_op(m, handle), x = handle, y;
	bool wide = int_width(m, type) == 64, spec = op == SpvOpSpecConstant;
	uint64_t value;

	if ((op != SpvOpConstant && !spec) || (spec && (wide || is_signed(m, type))))
		return 0;
	if (p->vector_of[handle])
		return p->vector_of[handle];
	spb_constant_value(m, handle, &value);
	y = spb_uint_constant(&p->u->edit, wide ? (uint32_t)(value >> 32) : 0);
	if (wide || is_signed(m, type))
		x = spb_uint_constant(&p->u->edit, (uint32_t)value);
	uint32_t vector = spb_new_id(&p->u->edit), type2 = spb_uint2_type(&p->u->edit);
	spb_add_global(&p->u->edit, spec ? SpvOpSpecConstantComposite : SpvOpConstantComposite, W(type2, vector, x, y));
	p->vector_of[handle] = vector;
	return vector;
}

/* The handle of a conversion as a uvec2, emitted before `at`: the one it was made from, if known. */
static uint32_t handle_vector(struct plan *p, spb_at at, uint32_t handle)
{
	const struct spb_module *m = module(p);
	struct spb_edit *e = &p->u->edit;
	uint32_t type = spb_type_of(m, handle), width = int_width(m, type);
	spb_at def = m->def[handle];

	if (is_int2(m, type))
		return handle;
	if (width != 32 && width != 64)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_TYPE, at,
			 "%s converts %s, which is not a 32-bit or 64-bit integer, to a descriptor" SPB_REMEDY
			 "Convert a uint64_t, a uint or a uint2.",
			 spb_word_of(m, at), label(p, handle));
	if (width == 64 && spb_op(m, def) == SpvOpBitcast && is_int2(m, spb_type_of(m, m->words[def + 3])))
		return m->words[def + 3];
	uint32_t vector = constant_vector(p, handle), type2 = spb_uint2_type(&p->u->edit);
	if (vector)
		return vector;
	vector = spb_new_id(e);
	if (width == 64) {
		spb_insert(e, at, SpvOpBitcast, W(type2, vector, handle));
		return vector;
	}
	uint32_t zero = spb_uint_constant(&p->u->edit, 0), x = handle;
	if (is_signed(m, type)) {
		x = spb_new_id(e);
		spb_insert(e, at, SpvOpBitcast, W(spb_uint_type(&p->u->edit), x, handle));
	}
	spb_insert(e, at, SpvOpCompositeConstruct, W(type2, vector, x, zero));
	return vector;
}

static void dereference(struct plan *p, spb_at at, uint32_t vector)
{
	const struct spb_module *m = module(p);
	uint32_t type = m->words[at + 1];
	uint32_t number = spb_def_op(m, type) == SpvOpTypePointer ? SPB_HANDLE_STORAGE_BUFFER : SPB_HANDLE_OPAQUE;

	spb_replace(&p->u->edit, at, SpvOpExtInst, W(type, m->words[at + 2], handle_set(p), number, vector));
	p->dereference[m->words[at + 2]] = at;
}

static void rewrite_conversion(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	uint32_t handle = m->words[at + 3], result = m->words[at + 2];

	dereference(p, at, handle_vector(p, at, handle));
	if (spb_decoration(m, handle, SpvDecorationNonUniform) && !spb_decoration(m, result, SpvDecorationNonUniform))
		spb_add_decoration(&p->u->edit, result, SpvDecorationNonUniform, NULL, 0);
}

/* Replaces a query for the number of a descriptor by the handle from which it was dereferenced. */
static void fold_reverse(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	struct spb_edit *e = &p->u->edit;
	uint32_t type = m->words[at + 1], result = m->words[at + 2], width = int_width(m, type);
	spb_at from = p->dereference[m->words[at + 3]];

	if (!from)
		spb_fail(
		    m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, at,
		    "%s asks for the handle of %s, which is not dereferenced from a handle in this function" SPB_REMEDY
		    "Pass the handle itself.",
		    spb_word_of(m, at), label(p, m->words[at + 3]));
	uint32_t handle = m->words[spb_next(m, from) - 1], other = spb_type_of(m, handle);
	if (other == type)
		spb_replace(e, at, SpvOpCopyObject, W(type, result, handle));
	else if (width == 32 && is_int2(m, other) && m->words[m->def[other] + 2] == type)
		spb_replace(e, at, SpvOpCompositeExtract, W(type, result, handle, 0));
	else if (width && (int_width(m, other) == width || (width == 64 && is_int2(m, other))))
		spb_replace(e, at, SpvOpBitcast, W(type, result, handle));
	else
		spb_fail(
		    m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_TYPE, at,
		    "%s makes a number whose width differs from that of %s, the handle that was dereferenced" SPB_REMEDY
		    "Use an integer of the same width.",
		    spb_word_of(m, at), label(p, handle));
}

static bool is_imported(const struct plan *p, uint32_t id)
{
	return p->imported && spb_bit(p->imported, id);
}

/* Does the function bypass the resolver? */
static bool is_default(const struct plan *p, uint32_t function)
{
	const struct spb_module *m = module(p);
	uint32_t linkage = spb_decoration(m, function, SpvDecorationLinkageAttributes);

	return linkage && begins_with(spb_string(m, linkage), "default");
}

static void rewrite_call(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);

	if (spb_length(m, at) != 5)
		spb_fail(
		    m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_TYPE, at,
		    "%s is called with %u arguments, but a function that dereferences a handle takes only the handle",
		    label(p, m->words[at + 3]), spb_length(m, at) - 4);
	dereference(p, at, m->words[at + 4]);
	if (is_default(p, m->words[at + 3]))
		SPB_PUSH(&p->u->m.keep, &p->u->resolver.defaults, m->words[at + 2]);
}

static void rewrite(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	uint32_t op = spb_op(m, at);

	switch (op) {
	case SpvOpConvertUToImageNV:
	case SpvOpConvertUToSamplerNV:
	case SpvOpConvertUToSampledImageNV:
		rewrite_conversion(p, at);
		break;
	case SpvOpConvertImageToUNV:
	case SpvOpConvertSamplerToUNV:
	case SpvOpConvertSampledImageToUNV:
		fold_reverse(p, at);
		break;
	case SpvOpSamplerImageAddressingModeNV: /* misplaced */
		spb_remove(&p->u->edit, at);
		break;
	case SpvOpFunctionCall:
		if (is_imported(p, m->words[at + 3]))
			rewrite_call(p, at);
		break;
	case SpvOpCopyObject:
		p->dereference[m->words[at + 2]] = p->dereference[m->words[at + 3]];
		break;
	case SpvOpExtInst:
		if (m->words[at + 3] == p->import && spb_length(m, at) == 6 && m->words[at + 4] == SPB_HANDLE_OPAQUE)
			p->dereference[m->words[at + 2]] = at;
		break;
	default:
		break;
	}
}

/* Checks and records the declaration `function` if it dereferences handles; its only uses may be calls. */
static void check_import(struct plan *p, spb_at at, uint32_t function)
{
	const struct spb_module *m = module(p);
	spb_at def = m->def[function];

	if (spb_op(m, def) != SpvOpFunction || spb_has_body(spb_function_around(m, def)))
		spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_HANDLE_FLOW, at,
			 "%s is imported to dereference handles, but is not a function without a body" SPB_REMEDY
			 "Import it as a function declaration.",
			 label(p, function));
	for (uint32_t i = m->first_use[function]; i < m->first_use[function + 1]; i++) {
		if (spb_op(m, m->use[i].at) != SpvOpFunctionCall || m->use[i].word != m->use[i].at + 3)
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, m->use[i].at,
				 "%s uses %s, which dereferences handles and can only be called",
				 spb_word_of(m, m->use[i].at), label(p, function));
	}
}

/* The function type is removed with its last declaration, since it may contain a type that newer validators reject. */
static void remove_function_type(struct plan *p, uint32_t type)
{
	const struct spb_module *m = module(p);

	if (is_imported(p, type) || spb_def_op(m, type) != SpvOpTypeFunction)
		return;
	for (uint32_t i = m->first_use[type]; i < m->first_use[type + 1]; i++) {
		spb_at user = m->use[i].at;
		if (spb_op(m, user) != SpvOpFunction || !is_imported(p, m->words[user + 2]))
			return;
	}
	spb_set_bit(p->imported, type);
	spb_remove_id(&p->u->edit, type);
}

static void remove_declaration(struct plan *p, const struct spb_function *f)
{
	const struct spb_module *m = module(p);

	for (spb_at at = f->at; at <= f->end; at = spb_next(m, at)) {
		if (spb_result(m, at))
			spb_set_bit(p->imported, spb_result(m, at));
	}
	spb_remove_function(&p->u->edit, f);
	remove_function_type(p, m->words[f->at + 4]);
}

/* Removes declarations of functions that dereference handles, and Linkage if nothing else needs it. */
static void remove_imports(struct plan *p)
{
	struct spb_module *m = &p->u->m;
	bool others = false;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		others |= is_linkage(m, at) && !is_handle_import(m, at);
		if (!is_handle_import(m, at))
			continue;
		if (!p->imported)
			p->imported = spb_bits(&m->context->scratch, m->bound);
		spb_module_need_uses(m);
		check_import(p, at, m->words[at + 1]);
		spb_set_bit(p->imported, m->words[at + 1]);
	}
	for (uint32_t f = 0; p->imported && f < m->function_count; f++) {
		if (is_imported(p, m->words[m->function[f].at + 2]))
			remove_declaration(p, &m->function[f]);
	}
	if (p->imported && !others)
		spb_remove_capability(&p->u->edit, SpvCapabilityLinkage);
}

static bool is_of_bindless(const struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);

	switch (spb_op(m, at)) {
	case SpvOpCapability:
		return m->words[at + 1] == SpvCapabilityBindlessTextureNV;
	case SpvOpExtension:
		return is_extension(m, at, BINDLESS_EXTENSION);
	case SpvOpSamplerImageAddressingModeNV:
		return true;
	case SpvOpDecorate: /* those of imported functions are already gone */
		return is_bindless_decoration(m->words[at + 2]) && !is_imported(p, m->words[at + 1]);
	case SpvOpMemberDecorate:
		return is_bindless_decoration(m->words[at + 3]) && !is_imported(p, m->words[at + 1]);
	default:
		return false;
	}
}

/* Removes the parts of SPV_NV_bindless_texture that precede the functions. */
static void remove_bindless(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (spb_at at = 5; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (is_of_bindless(p, at))
			spb_remove(&p->u->edit, at);
	}
}

static bool has_bindless(const struct spb_module *m)
{
	return m->has_bindless || spb_has_capability(m, SpvCapabilityBindlessTextureNV) ||
	       spb_has_extension(m, BINDLESS_EXTENSION);
}

bool spb_may_have_handles(const struct spb_unit *u)
{
	const struct spb_module *m = &u->m;

	return has_bindless(m) || u->options->handles.lower_buffer_references || spb_import(m, SPB_HANDLE_SET) ||
	       spb_has_extension(m, SPB_HANDLE_SET) || spb_has_capability(m, SpvCapabilityLinkage);
}

/* Only modules for linking have imports. */
static bool has_imports(const struct spb_module *m)
{
	if (!spb_has_capability(m, SpvCapabilityLinkage))
		return false;
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (is_handle_import(m, at))
			return true;
	}
	return false;
}

bool spb_pass_normalize_handles(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.u = u};

	if (!has_bindless(m) && !has_imports(m))
		return false;
	spb_refuse_unknown_ops(m, SPB_E_HANDLE_UNKNOWN_OPS, "their effect on handles is unknown", "");
	p.dereference = spb_alloc_zeroed(&m->context->scratch, m->bound, sizeof *p.dereference);
	p.vector_of = spb_alloc_zeroed(&m->context->scratch, m->bound, sizeof *p.vector_of);
	p.import = spb_import(m, SPB_HANDLE_SET);
	remove_imports(&p);
	remove_bindless(&p);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at))
		rewrite(&p, at);
	return true;
}

/* Describes an instruction that is left of a dialect; NULL if it is not one. */
static const char *left_over(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	if (op == SpvOpCapability && m->words[at + 1] == SpvCapabilityBindlessTextureNV)
		return "capability BindlessTextureNV";
	if (is_extension(m, at, BINDLESS_EXTENSION))
		return BINDLESS_EXTENSION;
	if (is_extension(m, at, SPB_HANDLE_SET) ||
	    (op == SpvOpExtInstImport && !strcmp(spb_string(m, at + 2), SPB_HANDLE_SET)))
		return SPB_HANDLE_SET;
	if (is_handle_import(m, at))
		return "an import that dereferences handles";
	return is_bindless_op(op) ? spb_op_name(op) : NULL;
}

/* Only modules whose preamble names a dialect, or that are meant for linking, are searched to the end. */
void spb_check_no_handles(const struct spb_module *m)
{
	bool all = m->has_bindless;

	for (spb_at at = 5; at < m->count; at = spb_next(m, at)) {
		const char *what = left_over(m, at);
		if (what)
			spb_fail(m, SPB_ERROR_INTERNAL, SPB_E_HANDLE_LEFT, at,
				 "the rewritten module still contains %s" SPB_REMEDY
				 "This is a bug in spirv-bind, please report it.",
				 what);
		all |= spb_op(m, at) == SpvOpCapability && m->words[at + 1] == SpvCapabilityLinkage;
		if (spb_op(m, at) == SpvOpMemoryModel && !all)
			return;
	}
}
