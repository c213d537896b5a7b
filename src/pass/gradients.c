/* SPDX-License-Identifier: Apache-2.0 */
/* gradients: makes an implicit level of detail explicit, for an access that moves to where the quad may have diverged.
 * The derivatives stay where all its invocations are active:
 *
 *     %x = OpImageSampleImplicitLod %v4 %si %uv Bias %b    %dx = OpDPdx %v2 %uv              %dy likewise
 *                                                          %k = OpExtInst %float %glsl Exp2 %b
 *                                                          %ex = OpVectorTimesScalar %v2 %dx %k
 *                                                          ... %x = OpImageSampleExplicitLod %v4 %si %uv Grad %ex %ey
 *
 * The derivatives are of the coordinate that the image uses: without the layer, and divided by q if it is
 * projective. */
#include <spirv/unified1/GLSL.std.450.h>

#include "pass/pass.h"

uint32_t spb_explicit_lod(uint32_t op)
{
	return spb_op_is(op, SPB_OP_EXPLICIT_NEXT) ? op + 1 : 0;
}

static bool is_projective(uint32_t op)
{
	return op == SpvOpImageSampleProjImplicitLod || op == SpvOpImageSampleProjDrefImplicitLod;
}

static bool has_reference(uint32_t op)
{
	return op == SpvOpImageSampleDrefImplicitLod || op == SpvOpImageSampleProjDrefImplicitLod ||
	       op == SpvOpImageSparseSampleDrefImplicitLod;
}

/* Number of components of the coordinate that address the image, without the layer. */
static uint32_t plane(const struct spb_module *m, spb_at at)
{
	spb_at combined = m->def[spb_type_of(m, m->words[at + 3])];

	switch (m->words[m->def[m->words[combined + 2]] + 3]) {
	case SpvDim1D:
	case SpvDimBuffer:
		return 1;
	case SpvDim3D:
	case SpvDimCube:
		return 3;
	default:
		return 2;
	}
}

static uint32_t components(const struct spb_module *m, uint32_t type)
{
	return spb_def_op(m, type) == SpvOpTypeVector ? m->words[m->def[type] + 3] : 1;
}

/* OpDPdx takes 32-bit floats. */
bool spb_can_derive(const struct spb_module *m, spb_at at)
{
	uint32_t type = spb_type_of(m, m->words[at + 4]), count = components(m, type);
	spb_at element = m->def[count == 1 ? type : m->words[m->def[type] + 2]];
	spb_at combined = m->def[spb_type_of(m, m->words[at + 3])];

	return spb_op(m, combined) == SpvOpTypeSampledImage && spb_op(m, element) == SpvOpTypeFloat &&
	       m->words[element + 2] == 32 && count <= 4 && count >= plane(m, at) + is_projective(spb_op(m, at));
}

/* Of 32-bit floats; 1: a scalar. */
static uint32_t vector_type(struct spb_gradient_writer *w, uint32_t count)
{
	uint32_t number = spb_make(w->e, SpvOpTypeFloat, W(32));

	return count == 1 ? number : spb_make(w->e, SpvOpTypeVector, W(number, count));
}

static uint32_t glsl(struct spb_gradient_writer *w)
{
	if (!w->glsl)
		w->glsl = spb_import(w->m, "GLSL.std.450");
	if (!w->glsl)
		w->glsl = spb_add_import(w->e, "GLSL.std.450");
	return w->glsl;
}

static uint32_t put_value(struct spb_gradient_writer *w, uint32_t op, uint32_t type, uint32_t a,
			  uint32_t b) /* b 0: no second operand */
{
	uint32_t id = spb_new_id(w->e);

	w->put(w->to, op, (const uint32_t[]){type, id, a, b}, b ? 4 : 3);
	return id;
}

/* The part of the coordinate whose derivatives are needed. */
static uint32_t put_coordinate(struct spb_gradient_writer *w, spb_at at, uint32_t id)
{
	const struct spb_module *m = w->m;
	uint32_t n = plane(m, at), count = components(m, spb_type_of(m, m->words[at + 4]));
	uint32_t type = vector_type(w, n), part = id, q;

	if (n == 1 && count > 1) {
		part = spb_new_id(w->e);
		w->put(w->to, SpvOpCompositeExtract, W(type, part, id, 0));
	} else if (n < count) {
		part = spb_new_id(w->e);
		w->put(w->to, SpvOpVectorShuffle, (const uint32_t[]){type, part, id, id, 0, 1, 2}, 4 + n);
	}
	if (!is_projective(spb_op(m, at)))
		return part;
	q = spb_new_id(w->e);
	w->put(w->to, SpvOpCompositeExtract, W(vector_type(w, 1), q, id, n));
	if (n > 1) {
		uint32_t all = spb_new_id(w->e);
		w->put(w->to, SpvOpCompositeConstruct, (const uint32_t[]){type, all, q, q, q}, 2 + n);
		q = all;
	}
	return put_value(w, SpvOpFDiv, type, part, q);
}

/* Word of the image operands; past the end: there are none. */
static uint32_t image_operands(const struct spb_module *m, spb_at at)
{
	return at + 5 + has_reference(spb_op(m, at));
}

uint32_t spb_lod_bias(const struct spb_module *m, spb_at at)
{
	spb_at mask = image_operands(m, at);

	return mask < spb_next(m, at) && (m->words[mask] & SpvImageOperandsBiasMask) ? m->words[mask + 1] : 0;
}

struct spb_gradients spb_put_gradients(struct spb_gradient_writer *w, spb_at at, uint32_t coordinate, uint32_t bias)
{
	uint32_t n = plane(w->m, at), type = vector_type(w, n);
	struct spb_gradients g;

	coordinate = put_coordinate(w, at, coordinate);
	g.x = put_value(w, SpvOpDPdx, type, coordinate, 0);
	g.y = put_value(w, SpvOpDPdy, type, coordinate, 0);
	if (!bias)
		return g;
	uint32_t scale = spb_new_id(w->e), op = n == 1 ? SpvOpFMul : SpvOpVectorTimesScalar;
	w->put(w->to, SpvOpExtInst, W(vector_type(w, 1), scale, glsl(w), GLSLstd450Exp2, bias));
	g.x = put_value(w, op, type, g.x, scale);
	g.y = put_value(w, op, type, g.y, scale);
	return g;
}

uint32_t spb_use_gradients(const struct spb_module *m, spb_at at, uint32_t *operands, struct spb_gradients g)
{
	uint32_t mask = image_operands(m, at) - (at + 1), count = spb_length(m, at) - 1, rest = mask;
	uint32_t bits = SpvImageOperandsGradMask;

	if (mask < count) {
		bits |= operands[mask] & ~(uint32_t)SpvImageOperandsBiasMask;
		rest += 1 + (operands[mask] & SpvImageOperandsBiasMask); /* which is bit 0, and has one operand */
	}
	memmove(operands + mask + SPB_GRADIENT_WORDS, operands + rest, (count - rest) * sizeof *operands);
	operands[mask] = bits;
	operands[mask + 1] = g.x;
	operands[mask + 2] = g.y;
	return mask + SPB_GRADIENT_WORDS + count - rest;
}
