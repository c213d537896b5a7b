/* SPDX-License-Identifier: Apache-2.0 */
/* The index for a chain into a built-in heap (pass/builtin/heap_strides.c): strides and offsets in bytes, in sizes that
 * the driver knows, and in values computed from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "indexed.h"
#include "pass/builtin/builtin_heaps.h"

/* clang-format off */
/* SPIRV-Tools of Debian 12 knows neither untyped pointers nor SPV_EXT_descriptor_heap. */
#define HEAD                                                                                                           \
	"OpCapability Shader\nOpCapability Linkage\nOpExtension \"SPV_KHR_non_semantic_info\"\n"                       \
	"%debug = OpExtInstImport \"NonSemantic.X\"\nOpMemoryModel Logical GLSL450\nOpName %i \"i\"\n"                 \
	"OpName %j \"j\"\nOpName %spec \"spec\"\nOpName %heap \"heap\"\nOpName %uint \"uint\"\n"
#define TYPES                                                                                                          \
	"%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%byte = OpTypeInt 8 0\n"              \
	"%float = OpTypeFloat 32\n%bool = OpTypeBool\n%sbool = OpSpecConstantTrue %bool\n"                             \
	"%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampler = OpTypeSampler\n%c0 = OpConstant %uint 0\n"         \
	"%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n"     \
	"%c32 = OpConstant %uint 32\n%c64 = OpConstant %uint 64\n%most = OpConstant %uint 4294967295\n"                \
	"%spec = OpSpecConstant %uint 64\n%i = OpUndef %uint\n%j = OpUndef %uint\n!0x000313FB %buffer !12\n"           \
	"!0x00041409 %uint %si %image\n!0x00041409 %uint %sb %buffer\n!0x00041409 %uint %ss %sampler\n"                \
	"!0x00031141 %uptr !0\n!0x00041142 %uptr %heap !0\n"
#define STRIDE(a, n)        "OpDecorate %" #a " ArrayStride " #n "\n"
#define STRIDE_ID(a, id)    "!0x0004014C %" #a " !5124 %" #id "\n"
#define UNIFORM_ID(a, id)   "!0x0004014C %" #a " !27 %" #id "\n"
#define OFFSET(s, i, n)     "OpMemberDecorate %" #s " " #i " Offset " #n "\n"
#define OFFSET_ID(s, i, id) "!0x00051407 %" #s " !" #i " !5125 %" #id "\n"
#define MANY(a, element)    "%" #a " = OpTypeRuntimeArray %" #element "\n"
#define FEW(a, element, n)  "%" #a " = OpTypeArray %" #element " %" #n "\n"
#define STRUCT(s, members)  "%" #s " = OpTypeStruct " members "\n"
#define OP(id, op, x, y)    "%" #id " = OpSpecConstantOp %uint " #op " %" #x " %" #y "\n"
#define SELECT(id, op, a, b, x, y)                                                                                     \
	"%cmp = OpSpecConstantOp %bool " #op " %" #a " %" #b "\n%" #id " = OpSpecConstantOp %uint Select %cmp %" #x    \
	" %" #y "\n"
#define CHAIN0(a)          "!0x00051143 %uptr %x %" #a " %heap\n"
#define CHAIN1(a, i)       "!0x00061143 %uptr %x %" #a " %heap %" #i "\n"
#define CHAIN2(a, i, j)    "!0x00071143 %uptr %x %" #a " %heap %" #i " %" #j "\n"
#define CHAIN3(a, i, j, k) "!0x00081143 %uptr %x %" #a " %heap %" #i " %" #j " %" #k "\n"
/* clang-format on */

static char text[6000];

static void put_size(char *out, size_t size, const struct spb_module *m, struct spb_heap_size s)
{
	size_t n = strlen(out);

	n += (size_t)snprintf(out + n, size - n, "%llu", (unsigned long long)s.count);
	if (s.unit & SPB_UNIT_DRIVER)
		snprintf(out + n, size - n, "%s%s%s", s.unit & SPB_UNIT_IMAGE ? " image" : "",
			 s.unit & SPB_UNIT_BUFFER ? " buffer" : "", s.unit & SPB_UNIT_SAMPLER ? " sampler" : "");
	else if (s.unit)
		snprintf(out + n, size - n, " %s", spb_id_name(m, s.unit));
}

struct read {
	struct parsed *p;
	struct spb_heap_types types;
	struct spb_heap_chain chain;
};

static void read_chain(void *argument)
{
	struct read *r = argument;

	spb_heap_types_begin(&r->types, &r->p->m, &r->p->m.keep);
	r->chain = spb_read_heap_chain(&r->types, r->p->m.def[named(&r->p->m, "x")]);
}

/* "stride 1 image: 4 + i*2, only i" */
static const char *told(struct parsed *p)
{
	static char out[400];
	struct read r = {.p = p};
	const struct spb_heap_chain *c = &r.chain;
	size_t n;

	if (caught(p->m.context, read_chain, &r)) {
		assert_int_equal(p->code, SPB_E_BUILTIN_HEAP);
		return strstr(p->said, "at an offset ");
	}
	snprintf(out, sizeof out, "stride ");
	put_size(out, sizeof out, &p->m, c->stride);
	n = strlen(out);
	n += (size_t)snprintf(out + n, sizeof out - n, ": %llu", (unsigned long long)c->number);
	for (uint32_t i = 0; i < c->term_count; i++)
		n += (size_t)snprintf(out + n, sizeof out - n, " + %s*%llu", spb_id_name(&p->m, c->terms[i].id),
				      (unsigned long long)c->terms[i].factor);
	if (c->only)
		n += (size_t)snprintf(out + n, sizeof out - n, ", only %s", spb_id_name(&p->m, c->only));
	if (c->offset)
		n += (size_t)snprintf(out + n, sizeof out - n, ", %s / %s", spb_id_name(&p->m, c->offset),
				      spb_id_name(&p->m, c->divisor));
	snprintf(out + n, sizeof out - n, "%s", c->has_stride ? "" : ", without a stride");
	return out;
}

static void parse_chain(struct parsed *p, const char *notes, const char *types, const char *chain)
{
	const char *name_m = strstr(types, "%m =") ? "OpName %m \"odd\"\n" : "",
		   *name_x = strstr(chain, "%x ") ? "OpName %x \"x\"\n" : "";

	assert_true(
	    (size_t)snprintf(
		text, sizeof text,
		"%s%s%s!0x00040047 %%heap !11 !5123\n%s%s%s%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%s"
		"OpReturn\nOpFunctionEnd\n",
		HEAD, name_m, name_x, notes, TYPES, types, chain) < sizeof text);
	parse(p, text);
}

#define NOT_A_MULTIPLE "at an offset that is not a multiple of its stride"
#define TOO_MUCH       "at an offset above 4294967295"

static void chains_reduce_to_an_index(void **state)
{
	/* clang-format off */
	static const struct {
		const char *notes, *types, *chain, *wanted; /* the beginning of the answer */
	} rows[] = {
	    {STRIDE(a, 64), MANY(a, image), CHAIN1(a, i), "stride 64: 0 + i*1, only i"},
	    {STRIDE_ID(a, si), MANY(a, image), CHAIN1(a, i), "stride 1 image: 0 + i*1, only i"},
	    {STRIDE_ID(a, sb), MANY(a, buffer), CHAIN1(a, i), "stride 1 buffer: 0 + i*1, only i"},
	    {STRIDE_ID(a, ss), MANY(a, sampler), CHAIN1(a, i), "stride 1 sampler: 0 + i*1, only i"},
	    {"", MANY(a, sampler), CHAIN1(a, i), "stride 1 sampler: 0 + i*1, only i, without a stride"},
	    {"", "%as = OpTypeAccelerationStructureKHR\n" MANY(a, as), CHAIN1(a, i),
	     "stride 1 buffer: 0 + i*1, only i, without a stride"},
	    {STRIDE_ID(a, spec), MANY(a, image), CHAIN1(a, i), "stride 1 spec: 0 + i*1, only i"},
	    {STRIDE(a, 64) STRIDE_ID(a, si), MANY(a, image), CHAIN1(a, i), "stride 64: 0 + i*1, only i"},
	    /* other decorations with ids of the array, and the array as the operand of a decoration */
	    {STRIDE_ID(a, si) UNIFORM_ID(a, c4), MANY(a, image), CHAIN1(a, i), "stride 1 image: 0 + i*1, only i"},
	    {UNIFORM_ID(a, c4) STRIDE_ID(a, si), MANY(a, image), CHAIN1(a, i), "stride 1 image: 0 + i*1, only i"},
	    {STRIDE_ID(a, si) STRIDE_ID(i, a), MANY(a, image), CHAIN1(a, i), "stride 1 image: 0 + i*1, only i"},
	    {UNIFORM_ID(a, c4), MANY(a, image), CHAIN1(a, i), "stride 1 image: 0 + i*1, only i, without a stride"},
	    {STRIDE(a, 64), MANY(a, image), CHAIN1(a, c3), "stride 64: 3, only "},
	    {STRIDE(a, 64), MANY(a, image), CHAIN1(a, most), "stride 64: 4294967295, only "},
	    {STRIDE(a, 64), MANY(a, image), CHAIN1(a, spec), "stride 64: 0 + spec*1, only spec"},
	    {STRIDE(a, 0), MANY(a, image), CHAIN1(a, i), "stride 0: 0, only i"},
	    /* arrays of arrays */
	    {STRIDE(a, 64) STRIDE(r, 256), FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j), "stride 64: 0 + j*1 + i*4"},
	    {STRIDE(a, 64), FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     "stride 64: 0 + j*1 + i*4, without a stride"},
	    {STRIDE(r, 64), FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j), NOT_A_MULTIPLE},
	    {STRIDE(a, 64) STRIDE(r, 100), FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j), NOT_A_MULTIPLE},
	    {STRIDE(a, 0) STRIDE(r, 64), FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j), NOT_A_MULTIPLE},
	    {"", FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, c2), "stride 1 image: 2 + i*4, without a stride"},
	    {"", FEW(a, image, most) MANY(r, a), CHAIN2(r, c1, c0), "stride 1 image: 4294967295, without a stride"},
	    {"", FEW(a, image, most) MANY(r, a), CHAIN2(r, c1, c1), TOO_MUCH},
	    {"", FEW(a, image, most) MANY(r, a), CHAIN2(r, c2, c0), TOO_MUCH},
	    {"", MANY(a, image) MANY(r, a), CHAIN2(r, i, j), "stride 1 image: 0 + j*1, without a stride"}, /* of no
	     length */
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, IMul, si, c4) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     "stride 1 image: 0 + j*1 + i*4"},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, IMul, c4, si) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     "stride 1 image: 0 + j*1 + i*4"},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, IMul, si, si) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, IAdd, si, si) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     "stride 1 image: 0 + j*1 + i*2"},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, IAdd, si, c0) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     "stride 1 image: 0 + j*1 + i*1"},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, IAdd, c0, si) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     "stride 1 image: 0 + j*1 + i*1"},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, IAdd, si, c1) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, IAdd, si, sb) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(two, IMul, si, c3) OP(row, ISub, two, si) FEW(a, image, c4)
	     MANY(r, a), CHAIN2(r, i, j), "stride 1 image: 0 + j*1 + i*2"},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, ISub, si, si) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     "stride 1 image: 0 + j*1"},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(two, IMul, si, c3) OP(row, ISub, si, two) FEW(a, image, c4)
	     MANY(r, a), CHAIN2(r, i, j), NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, ISub, si, sb) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(two, IMul, si, c3) OP(rest, UMod, two, si) OP(row, IAdd, rest, si)
	     FEW(a, image, c4) MANY(r, a),
	     CHAIN2(r, i, j), "stride 1 image: 0 + j*1 + i*1"},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, UMod, si, c0) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) STRIDE_ID(r, row), OP(row, UDiv, si, c1) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     NOT_A_MULTIPLE},
	    {STRIDE(a, 1) STRIDE_ID(r, row), OP(row, IMul, most, c1) FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j),
	     "stride 1: 0 + j*1 + i*4294967295"},
	    {STRIDE(a, 1) STRIDE_ID(r, row), OP(big, IAdd, most, c1) OP(row, IMul, big, c1) FEW(a, image, c4) MANY(r,
	     a), CHAIN2(r, i, j), NOT_A_MULTIPLE},
	    {STRIDE(a, 1) STRIDE_ID(r, row), OP(big, IAdd, most, c1) OP(row, IMul, c1, big) FEW(a, image, c4) MANY(r,
	     a), CHAIN2(r, i, j), NOT_A_MULTIPLE},
	    /* the larger of two sizes */
	    {STRIDE_ID(a, m), SELECT(m, UGreaterThan, si, sb, si, sb) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image buffer: 0 + i*1"},
	    {STRIDE_ID(a, m), SELECT(m, UGreaterThanEqual, sb, si, sb, si) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image buffer: 0 + i*1"},
	    {STRIDE_ID(a, m), SELECT(m, SGreaterThan, si, sb, si, sb) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image buffer: 0 + i*1"},
	    {STRIDE_ID(a, m), SELECT(m, SGreaterThanEqual, si, ss, si, ss) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image sampler: 0 + i*1"},
	    {STRIDE_ID(a, m), SELECT(m, ULessThan, si, sb, sb, si) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image buffer: 0 + i*1"},
	    {STRIDE_ID(a, m), SELECT(m, ULessThanEqual, si, sb, sb, si) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image buffer: 0 + i*1"},
	    {STRIDE_ID(a, m), SELECT(m, SLessThan, si, sb, sb, si) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image buffer: 0 + i*1"},
	    {STRIDE_ID(a, m), SELECT(m, SLessThanEqual, si, sb, sb, si) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image buffer: 0 + i*1"},
	    {STRIDE_ID(a, m), SELECT(m, ULessThan, si, sb, si, sb) MANY(a, image), CHAIN1(a, i), "stride 1 odd"}, /*
	     the smaller one */
	    {STRIDE_ID(a, m), SELECT(m, UGreaterThan, si, sb, sb, si) MANY(a, image), CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), SELECT(m, UGreaterThan, si, ss, si, sb) MANY(a, image), CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), SELECT(m, UGreaterThan, ss, sb, si, sb) MANY(a, image), CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), SELECT(m, ULessThan, ss, si, si, sb) MANY(a, image), CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), SELECT(m, ULessThan, sb, ss, si, sb) MANY(a, image), CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), SELECT(m, IEqual, si, sb, si, sb) MANY(a, image), CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), SELECT(m, UGreaterThan, c32, c64, c32, c64) MANY(a, image), CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), SELECT(m, UGreaterThan, si, c1, si, c1) MANY(a, image), CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), OP(two, IMul, sb, c2) SELECT(m, UGreaterThan, si, two, si, two) MANY(a, image),
	     CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), OP(two, IMul, sb, c2) SELECT(m, UGreaterThan, two, si, two, si) MANY(a, image),
	     CHAIN1(a, i), "stride 1 odd"},
	    {STRIDE_ID(a, m), SELECT(m, IEqual, i, j, si, si) MANY(a, image), CHAIN1(a, i),
	     "stride 1 image: 0 + i*1"}, /* the same */
	    {STRIDE_ID(a, m), OP(two, IMul, si, c2) SELECT(m, IEqual, i, j, si, two) MANY(a, image), CHAIN1(a, i),
	     "stride 1 odd"},
	    {STRIDE_ID(a, m), "%m = OpSpecConstantOp %uint Select %sbool %si %sb\n" MANY(a, image), CHAIN1(a, i),
	     "stride 1 odd"},
	    /* several descriptors at each index */
	    {STRIDE_ID(a, row), OP(row, IMul, si, c4) MANY(a, image), CHAIN1(a, i), "stride 4 image: 0 + i*1, only i"},
	    {STRIDE_ID(a, row) OFFSET(s, 0, 0), OP(row, IMul, si, c4) STRUCT(s, "%image %image") MANY(a, s), CHAIN2(a,
	     i, c0), "stride 1 image: 0 + i*4"},
	    {STRIDE_ID(a, row) OFFSET_ID(s, 1, si), OP(row, IMul, si, c4) STRUCT(s, "%image %image") MANY(a, s),
	     CHAIN2(a, i, c1), "stride 1 image: 1 + i*4"},
	    {STRIDE_ID(a, row) OFFSET_ID(s, 1, sb), OP(row, IMul, si, c4) STRUCT(s, "%image %image") MANY(a, s),
	     CHAIN2(a, i, c1), NOT_A_MULTIPLE},
	    {STRIDE(a, 64) OFFSET(s, 1, 64), STRUCT(s, "%image %image") MANY(a, s), CHAIN2(a, i, c1),
	     "stride 64: 1 + i*1"},
	    {STRIDE(a, 64) OFFSET(s, 1, 32), STRUCT(s, "%image %image") MANY(a, s), CHAIN2(a, i, c1), NOT_A_MULTIPLE},
	    {STRIDE(a, 64) OFFSET(s, 0, 0) OFFSET(s, 1, 256), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, i, j),
	     "at an offset of an unknown member"},
	    {STRIDE(a, 64) OFFSET(s, 2, 32) OFFSET(s, 1, 64), STRUCT(s, "%image %image") MANY(a, s),
	     CHAIN2(a, i, c1), "stride 64: 1 + i*1"},
	    {STRIDE(a, 64) OFFSET_ID(u, 1, s) OFFSET(s, 1, 64),
	     STRUCT(s, "%image %image") STRUCT(u, "%uint %uint") MANY(a, s), CHAIN2(a, i, c1), "stride 64: 1 + i*1"},
	    /* structs before arrays */
	    {STRIDE(a, 64) OFFSET(s, 0, 0) OFFSET(s, 1, 256), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i),
	     "stride 64: 4 + i*1"},
	    {STRIDE(a, 64) OFFSET(s, 0, 0) OFFSET(s, 1, 256), MANY(a, image) STRUCT(s, "%a %image"), CHAIN2(s, c0, i),
	     "stride 64: 0 + i*1"},
	    {STRIDE(a, 64), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i), "stride 64: 0 + i*1"},
	    {STRIDE(a, 64) OFFSET(s, 1, 128) OFFSET(s, 1, 256), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1,
	     i), "stride 64: 2 + i*1"},
	    {STRIDE(a, 64) "OpMemberDecorate %s 1 MatrixStride 128\n", MANY(a, image) STRUCT(s, "%image %a"),
	     CHAIN2(s, c1, i), "stride 64: 0 + i*1"},
	    {STRIDE(a, 64) OFFSET(s, 2, 256), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i),
	     "stride 64: 0 + i*1"},
	    {STRIDE(a, 64) OFFSET(s, 1, 100), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i), NOT_A_MULTIPLE},
	    {STRIDE(a, 64) OFFSET_ID(s, 1, c64), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i),
	     "stride 64: 1 + i*1"},
	    {STRIDE(a, 64) OFFSET_ID(s, 1, spec), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i),
	     NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) OFFSET_ID(s, 1, spec), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i),
	     "stride 1 image: 0 + i*1, spec / "},
	    {STRIDE_ID(a, spec) OFFSET_ID(s, 1, spec), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i),
	     "stride 1 spec: 1 + i*1"},
	    {STRIDE_ID(a, si) OFFSET_ID(s, 1, sb), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i),
	     NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) OFFSET_ID(s, 1, c64), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, i),
	     NOT_A_MULTIPLE},
	    {STRIDE_ID(a, si) OFFSET_ID(s, 1, spec) OFFSET_ID(t, 1, spec), MANY(a, image) STRUCT(s, "%image %a")
	     STRUCT(t, "%uint %s"),
	     CHAIN3(t, c1, c1, i), NOT_A_MULTIPLE}, /* two of them */
	    {STRIDE(a, 1) OFFSET(s, 1, 4294967295), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, c0),
	     "stride 1: 4294967295"},
	    {STRIDE(a, 1) OFFSET(s, 1, 4294967295), MANY(a, image) STRUCT(s, "%image %a"), CHAIN2(s, c1, c1), TOO_MUCH},
	    {OFFSET(s, 1, 0), STRUCT(s, "%image %image"), CHAIN1(s, c1), "stride 1 image: 0"},
	    {OFFSET(s, 1, 64), STRUCT(s, "%image %image"), CHAIN1(s, c1), NOT_A_MULTIPLE},
	    {OFFSET_ID(s, 1, si), STRUCT(s, "%image %image"), CHAIN1(s, c1), "stride 1 image: 1"},
	    {OFFSET_ID(s, 1, spec), STRUCT(s, "%image %image"), CHAIN1(s, c1), NOT_A_MULTIPLE},
	    {"", STRUCT(s, "%image %image"), CHAIN1(s, i), "at an offset of an unknown member"},
	    {"", STRUCT(s, "%image %image"), CHAIN1(s, c2), "at an offset within a descriptor"},
	    {"", MANY(a, image), CHAIN2(a, i, j), "at an offset within a descriptor"},
	    {"", "%v = OpTypeVector %uint 4\n" STRUCT(s, "%v"), CHAIN2(s, c0, i), "at an offset within data"},
	    /* without an index: the first descriptor */
	    {STRIDE_ID(a, row), OP(row, IMul, si, c4) MANY(a, image), CHAIN0(a), "stride 4 image: 0"},
	    {STRIDE(a, 64), MANY(a, image) STRUCT(s, "%a") STRUCT(t, "%s"), CHAIN0(t), "stride 64: 0"},
	    {STRIDE(a, 64) STRIDE(r, 256), FEW(a, image, c4) MANY(r, a), CHAIN1(r, i), "stride 64: 0 + i*4"},
	    {STRIDE(a, 64) OFFSET(s, 1, 128), MANY(a, image) STRUCT(s, "%image %a"), CHAIN1(s, c1), "stride 64: 2"},
	    {OFFSET(s, 0, 64), STRUCT(s, "%image"), CHAIN0(s), "stride 1 image: 0"},
	    /* after an offset into the heap */
	    {STRIDE(b, 1) STRIDE(a, 64), MANY(b, byte) MANY(a, image),
	     "!0x00061143 %uptr %base %b %heap %c64\n!0x00061143 %uptr %x %a %base %i\n", "stride 64: 1 + i*1"},
	    {STRIDE(b, 1) STRIDE(a, 64), MANY(b, byte) MANY(a, image),
	     "!0x00061144 %uptr %base %b %heap %c64\n!0x00061143 %uptr %x %a %base %i\n", "stride 64: 1 + i*1"},
	    {STRIDE(b, 1) STRIDE(a, 64), MANY(b, byte) MANY(a, image),
	     "!0x00061143 %uptr %base %b %heap %c32\n!0x00061143 %uptr %x %a %base %i\n", NOT_A_MULTIPLE},
	    {STRIDE(b, 1) STRIDE_ID(a, si), MANY(b, byte) MANY(a, image),
	     "!0x00061143 %uptr %base %b %heap %spec\n!0x00061143 %uptr %x %a %base %i\n",
	     "stride 1 image: 0 + i*1, spec / "},
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct parsed p;
		parse_chain(&p, rows[i].notes, rows[i].types, rows[i].chain);
		const char *found = told(&p);
		if (strncmp(found, rows[i].wanted, strlen(rows[i].wanted)) != 0)
			fail_msg("%s, not %s:\n%s\n%s\n%s", found, rows[i].wanted, rows[i].notes, rows[i].types,
				 rows[i].chain);
		drop(&p);
	}
}

/* The innermost array, within structs whose size is its unit. */
static void chains_are_followed(void **state)
{
	/* clang-format off */
	static const struct {
		const char *types, *chain, *wanted;
	} rows[] = {
	    {MANY(a, image), CHAIN1(a, i), "OpTypeImage in OpTypeRuntimeArray"},
	    {FEW(a, image, c4) MANY(r, a), CHAIN2(r, i, j), "OpTypeImage in OpTypeArray"},
	    {FEW(a, image, c4) MANY(r, a), CHAIN1(r, i), "OpTypeImage in OpTypeArray"},
	    {MANY(a, image) STRUCT(s, "%sampler %a"), CHAIN2(s, c1, i), "OpTypeImage in OpTypeRuntimeArray"},
	    {STRUCT(s, "%sampler %image") MANY(a, s), CHAIN2(a, i, c0), "OpTypeSampler in OpTypeRuntimeArray"},
	    {STRUCT(s, "%sampler %image"), CHAIN1(s, c1), "OpTypeImage in nothing"},
	    {STRUCT(s, "%sampler %image"), CHAIN1(s, i), "no"},
	    {MANY(a, image), CHAIN2(a, i, j), "no"},
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char found[100] = "no";
		uint32_t element, array;
		struct spb_heap_types types;
		struct parsed p;
		parse_chain(&p, "", rows[i].types, rows[i].chain);
		spb_heap_types_begin(&types, &p.m, &p.m.keep);
		if (spb_follow_heap_chain(&types, p.m.def[named(&p.m, "x")], &element, &array))
			snprintf(found, sizeof found, "%s in %s", spb_op_name(spb_def_op(&p.m, element)),
				 array ? spb_op_name(spb_def_op(&p.m, array)) : "nothing");
		assert_string_equal(found, rows[i].wanted);
		drop(&p);
	}
}

/* Numbers of 64 bits, or two of 32, that become acceleration structures and nothing else. */
static void addresses_become_acceleration_structures(void **state)
{
#define CONVERT(c, l) "%" #c " = OpConvertUToAccelerationStructureKHR %as %" #l "\n"
	static const struct {
		const char *body;
		bool are_scenes;
	} rows[] = {
	    {"%l = OpLoad %ulong %x\n" CONVERT(c, l), true},
	    {"%l = OpLoad %u2 %x\n" CONVERT(c, l), true},
	    {"%l = OpLoad %u2 %x\n" CONVERT(c, l) CONVERT(d, l), true},
	    {"%l = OpLoad %u2 %x\n" CONVERT(c, l) "%k = OpLoad %ulong %x\n" CONVERT(d, k), true},
	    {"%l = OpLoad %u2 %x\n" CONVERT(c, l) "%r = OpExtInst %void %debug 1 %x\n", true},
	    {"%l = OpLoad %u2 %x\n" CONVERT(c, l) "%r = OpExtInst %void %debug 1 %l\n", true},
	    {"%l = OpLoad %u2 %x\n" CONVERT(c, l) "%k = OpLoad %ulong %x\n", false}, /* one is for nothing */
	    {"%k = OpLoad %ulong %x\n%l = OpLoad %u2 %x\n" CONVERT(c, l), false},
	    {"%l = OpLoad %uint %x\n" CONVERT(c, l), false},
	    {"%l = OpLoad %float %x\n" CONVERT(c, l), false},
	    {"%l = OpLoad %double %x\n" CONVERT(c, l), false},
	    {"%l = OpLoad %u3 %x\n" CONVERT(c, l), false},
	    {"%l = OpLoad %ul2 %x\n" CONVERT(c, l), false},
	    {"%l = OpLoad %f2 %x\n" CONVERT(c, l), false},
	    {"%l = OpLoad %u2 %x\n", false},
	    {"%l = OpLoad %u2 %x\n" CONVERT(c, l) "%k = OpCopyObject %u2 %l\n", false},
	    {"%l = OpLoad %u2 %x\n%k = OpCopyObject %u2 %l\n" CONVERT(c, l), false},
	    {"%l = OpLoad %u2 %x\n" CONVERT(c, l) "OpStore %x %l\n", false},
	    {"OpStore %x %c0\n%l = OpLoad %u2 %x\n" CONVERT(c, l), false},
	    {"", false},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char body[600];
		struct parsed p;
		snprintf(body, sizeof body, "%s%s", CHAIN1(a, i) "OpNop\n", rows[i].body);
		parse_chain(
		    &p, "",
		    "%z = OpUndef %uint\n" MANY(
			a, uint) "%u2 = OpTypeVector %uint 2\n%u3 = OpTypeVector %uint 3\n"
				 "%f2 = OpTypeVector %float 2\n%double = OpTypeFloat 64\n%ulong = OpTypeInt 64 0\n"
				 "%ul2 = OpTypeVector %ulong 2\n%as = OpTypeAccelerationStructureKHR\n",
		    body);
		spb_module_need_uses(&p.m);
		uint32_t type = spb_scenes_of(&p.m, p.m.def[named(&p.m, "x")]);
		if ((type != 0) != rows[i].are_scenes)
			fail_msg("%s\n%u", rows[i].body, type);
		if (type)
			assert_int_equal(spb_def_op(&p.m, type), SpvOpTypeAccelerationStructureKHR);
		drop(&p);
	}
}

/* Each use of a heap: whether it indexes it, from its beginning or from an offset; and the number of offsets. */
static void uses_of_heaps_are_found(void **state)
{
	/* clang-format off */
#define BASE(array, by)     "!0x00061143 %uptr %base %" #array " %heap %" #by "\n"
#define FROM(array, from)   "!0x00061143 %uptr %x %" #array " %" #from " %i\n"
	static const struct {
		const char *body, *wanted;
	} rows[] = {
	    {CHAIN1(a, i), "chain, 0"},
	    {"!0x00061144 %uptr %x %a %heap %i\n", "chain, 0"},
	    {CHAIN1(a, c1), "chain, 0"},
	    {BASE(b, c64) FROM(a, base), "chain place, 1"},
	    {"!0x00061144 %uptr %base %b %heap %c64\n" FROM(a, base), "chain place, 1"},
	    {BASE(b, spec) FROM(a, base), "chain place, 1"},
	    {BASE(b, c64) FROM(a, base) "!0x00061143 %uptr %y %a %heap %i\n", "chain place, chain, 1"},
	    {BASE(b, i) FROM(a, base), "chain, 0"},
	    {BASE(b2, c64) FROM(a, base), "chain, 0"},
	    {BASE(bare, c64) FROM(a, base), "chain, 0"},
	    {BASE(h, c64) FROM(a, base), "chain, 0"},
	    {BASE(f, c64) FROM(a, base), "chain, 0"},
	    {"!0x00071143 %uptr %base %b %heap %c64 %c64\n" FROM(a, base), "chain, 0"},
	    {BASE(b, c64) "!0x00061143 %uptr %more %b %base %c64\n" FROM(a, more), "chain place, 1"}, /* one step only
	     */
	    {BASE(b, c64) "OpNop\n%y = OpLoad %float %base\n", "other place, 1"},
	    {BASE(b, c64) "OpNop\n%y = OpExtInst %void %debug 1 %base\n", "1"},
	    {"%y = OpExtInst %void %debug 1 %heap\n", "other, 0"},
	    {"%y = OpCopyObject %uptr %heap\n", "other, 0"},
	    {"!0x00061143 %uptr %x %a %sheap %i\n", "sampler chain, 0"},
	    {"!0x00061143 %uptr %x %a %sheap %heap\n", "other, sampler chain, 0"},
	    {"!0x00061143 %uptr %x %a %plain %i\n", "0"},
	    {"%x = OpAccessChain %uptr %heap %i\n", "other, 0"},
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char found[200] = "";
		size_t n = 0;
		struct parsed p;
		parse_chain(&p,
			    "!0x00040047 %sheap !11 !5122\n!0x00040047 %plain !11 !5121\n!0x00040047 %b !6 "
			    "!1\n!0x00040047 %b2 !6 !2\n"
			    "!0x00040047 %h !6 !1\n!0x00040047 %f !6 !1\n",
			    "!0x00041142 %uptr %sheap !0\n!0x00041142 %uptr %plain !0\n%half = OpTypeInt 16 0\n%float8 "
			    "= OpTypeFloat 16\n" MANY(a, image)
				MANY(b, byte) "%b2 = OpTypeRuntimeArray %byte\n%bare = OpTypeRuntimeArray %byte\n" MANY(
				    h, half) MANY(f, float8) "%of = OpExtInst %void %debug 1 %heap\n",
			    rows[i].body);
		spb_module_need_uses(&p.m);
		struct spb_heap_uses uses = spb_find_heap_uses(&p.m, &p.m.keep);
		for (size_t k = 0; k < uses.list.count; k++) {
			const struct spb_heap_use *use = &uses.list.items[k];
			n += (size_t)snprintf(found + n, sizeof found - n, "%s%s%s, ", use->sampler ? "sampler " : "",
					      use->is_chain ? "chain" : "other", use->is_place ? " place" : "");
			assert_int_equal(spb_builtin_heap(&p.m, p.m.def[use->variable]), use->sampler ? 5122 : 5123);
		}
		snprintf(found + n, sizeof found - n, "%u", (unsigned)uses.places.count);
		if (strcmp(found, rows[i].wanted) != 0)
			fail_msg("%s, not %s:\n%s", found, rows[i].wanted, rows[i].body);
		drop(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(chains_reduce_to_an_index),
	    cmocka_unit_test(chains_are_followed),
	    cmocka_unit_test(addresses_become_acceleration_structures),
	    cmocka_unit_test(uses_of_heaps_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
