/* SPDX-License-Identifier: Apache-2.0 */
/* The resources of one module (analysis/resources), row by row: their kinds, what decorations say, counters, heaps; and
 * stages and names of Vulkan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "analysis/source/source.h"
#include "indexed.h"

#define HEAD "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
#define TYPES                                                                                                          \
	"%void = OpTypeVoid\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"               \
	"%c0 = OpConstant %uint 0\n%c3 = OpConstant %uint 3\n%c5 = OpConstant %uint 5\n%spec = OpSpecConstant %uint "  \
	"4\n"                                                                                                          \
	"%sum = OpSpecConstantOp %uint IAdd %spec %c3\n%block = OpTypeStruct %float %float\n"                          \
	"%texture = OpTypeImage %float 2D 0 0 0 1 Unknown\n%itexture = OpTypeImage %uint 2D 0 0 0 1 Unknown\n"         \
	"%image = OpTypeImage %float 2D 0 0 0 2 R32f\n%sampler = OpTypeSampler\n%own = OpTypePointer Private %float\n"
#define VARIABLE(v, class, type)                                                                                       \
	"%p_" #v " = OpTypePointer " #class " " type "\n%" #v " = OpVariable %p_" #v " " #class "\n"
#define ARRAY(v, element, n) "%" #v " = OpTypeArray " element " " n "\n"
#define PLACE(v, s, b)       "OpDecorate %" #v " DescriptorSet " #s "\nOpDecorate %" #v " Binding " #b "\n"
#define BODY(first)          "%f = OpFunction %void None %fn\n%l = OpLabel\n" first "OpReturn\nOpFunctionEnd\n"
#define USE(v)               BODY("%x = OpLoad %float %" #v "\n")

static char text[8000];

static void parse_parts(struct parsed *p, const char *notes, const char *globals)
{
	assert_true((size_t)snprintf(text, sizeof text, "%s%s\n%s%s\n", HEAD, notes, TYPES, globals) < sizeof text);
	parse(p, text);
}

struct collect {
	struct parsed *p;
	struct spb_variables variables;
};

static void collect(void *argument)
{
	struct collect *c = argument;

	c->variables = spb_collect_variables(&c->p->m, &c->p->m.keep);
	spb_find_counters(&c->p->m, &c->variables, &c->p->m.keep);
}

static const struct spb_variable *by_id(const struct spb_variables *v, uint32_t id)
{
	for (size_t i = 0; i < v->count; i++) {
		if (v->items[i].id == id)
			return &v->items[i];
	}
	return NULL;
}

/* "a key texture x1 t r" */
static void put_variable(char *out, size_t size, const struct spb_variables *all, const struct spb_variable *v)
{
	const struct spb_variable *counted = by_id(all, v->extra->counter_of);
	size_t n = strlen(out);

	n += (size_t)snprintf(out + n, size - n, "%s%s%s%s %s x%u %s%s%s%s", n ? "; " : "", v->name,
			      strcmp(v->name, v->key) != 0 ? " " : "", strcmp(v->name, v->key) != 0 ? v->key : "",
			      spb_descriptor_info(v->kind)->kind, v->count, spb_class_name(v->class),
			      v->readable ? " r" : "", v->writable ? " w" : "", v->used ? " used" : "");
	if (v->has_set)
		n += (size_t)snprintf(out + n, size - n, " set %u", v->set);
	if (v->has_binding)
		n += (size_t)snprintf(out + n, size - n, " binding %u", v->binding);
	n += (size_t)snprintf(out + n, size - n, "%s%s%s", v->placed_once ? " once" : "", v->aliased ? " aliased" : "",
			      v->heap ? " heap" : "");
	if (v->extra->attachment_index != UINT32_MAX)
		n += (size_t)snprintf(out + n, size - n, " attachment %u", v->extra->attachment_index);
	if (v->extra->count_spec)
		n += (size_t)snprintf(out + n, size - n, " spec %d of %u", (int)v->extra->count_spec->id,
				      v->extra->count_spec->count);
	if (v->extra->counter_of)
		n += (size_t)snprintf(out + n, size - n, " %s %s", v->beside ? "beside" : "of",
				      counted ? counted->name : "?");
	assert_true(spb_old_set(v) == v->set && spb_old_binding(v) == v->binding && spb_number_of(v) == v->binding &&
		    v->reached);
}

static const char *collected(struct parsed *p, struct spb_variables *variables)
{
	static char found[3000];
	struct collect c = {p, {0}};

	found[0] = '\0';
	if (caught(p->m.context, collect, &c)) {
		assert_int_equal(p->code, SPB_E_SHAPE);
		return p->said;
	}
	for (size_t i = 0; i < c.variables.count; i++)
		put_variable(found, sizeof found, &c.variables, &c.variables.items[i]);
	if (variables)
		*variables = c.variables;
	return found;
}

struct row {
	const char *notes, *globals, *wanted; /* the end of refusals */
};

static void assert_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct parsed p;
		parse_parts(&p, rows[i].notes, rows[i].globals);
		const char *found = collected(&p, NULL), *wanted = rows[i].wanted;
		size_t n = strlen(found), end = *wanted == '*' ? strlen(wanted + 1) : n;
		if (end > n || strcmp(found + n - end, *wanted == '*' ? wanted + 1 : wanted) != 0)
			fail_msg("%s, not %s:\n%s\n%s", found, wanted, rows[i].notes, rows[i].globals);
		drop(&p);
	}
}

static void variables_have_kinds(void **state)
{
	static const struct row rows[] = {
	    {"OpName %v \"v\"", VARIABLE(v, UniformConstant, "%texture"), "v texture x1 t r"},
	    {"OpName %v \"v\"", VARIABLE(v, UniformConstant, "%image"), "v image x1 u r w"},
	    {"OpName %v \"v\"", VARIABLE(v, UniformConstant, "%sampler"), "v sampler x1 s r"},
	    {"OpName %v \"v\"", "%t = OpTypeSampledImage %texture\n" VARIABLE(v, UniformConstant, "%t"),
	     "v combined x1 t r"},
	    {"OpName %v \"v\"", "%t = OpTypeImage %float Buffer 0 0 0 1 Unknown\n" VARIABLE(v, UniformConstant, "%t"),
	     "v utexbuf x1 t r"},
	    {"OpName %v \"v\"", "%t = OpTypeImage %float Buffer 0 0 0 2 R32f\n" VARIABLE(v, UniformConstant, "%t"),
	     "v stexbuf x1 u r w"},
	    {"OpName %v \"v\"",
	     "%t = OpTypeImage %float Buffer 0 0 0 1 Unknown\n%s = OpTypeSampledImage %t\n" VARIABLE(v, UniformConstant,
												     "%s"),
	     "v utexbuf x1 t r"},
	    {"OpName %v \"v\"",
	     "%t = OpTypeImage %float Buffer 0 0 0 2 R32f\n%s = OpTypeSampledImage %t\n" VARIABLE(v, UniformConstant,
												  "%s"),
	     "v combined x1 t r"},
	    {"OpName %v \"v\"",
	     "%t = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n" VARIABLE(v, UniformConstant, "%t"),
	     "v input-attachment x1 t r"},
	    {"OpName %v \"v\"\nOpDecorate %v InputAttachmentIndex 7",
	     "%t = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n" VARIABLE(v, UniformConstant, "%t"),
	     "v input-attachment x1 t r attachment 7"},
	    {"OpName %v \"v\"\nOpDecorate %v InputAttachmentIndex 7", VARIABLE(v, UniformConstant, "%texture"),
	     "v texture x1 t r"},
	    {"OpName %v \"v\"", "%t = OpTypeAccelerationStructureKHR\n" VARIABLE(v, UniformConstant, "%t"),
	     "v as x1 t r"},
	    {"OpName %v \"v\"", VARIABLE(v, Uniform, "%block"), "v ubo x1 b r"},
	    {"OpName %v \"v\"\nOpDecorate %block BufferBlock", VARIABLE(v, Uniform, "%block"), "v ssbo x1 u r w"},
	    {"OpName %v \"v\"", VARIABLE(v, StorageBuffer, "%block"), "v ssbo x1 u r w"},
	    {"", VARIABLE(v, Private, "%block") VARIABLE(w, PushConstant, "%block") VARIABLE(x, Input, "%float"), ""},
	    {"OpName %v \"v\"\nOpDecorate %v BuiltIn Position", VARIABLE(v, UniformConstant, "%texture"), ""},
	    {"OpName %v \"v\"",
	     "%z = OpUndef %uint\n!0x00031141 %up !12\n!0x00051142 %up %v !12 %block\n!0x00041142 %up %w !12\n",
	     "v ssbo x1 u r w"}, /* untyped; a variable without a type is not a resource */
	    {"", VARIABLE(v, UniformConstant, "%float"),
	     "*, OpTypeFloat in storage class UniformConstant, corresponds to no Vulkan descriptor type"},
	    {"", VARIABLE(v, Uniform, "%float"),
	     "*, OpTypeFloat in storage class Uniform, corresponds to no Vulkan descriptor type"},
	    {"", VARIABLE(v, StorageBuffer, "%sampler"),
	     "*, OpTypeSampler in storage class StorageBuffer, corresponds to no Vulkan descriptor type"},
	    {"", VARIABLE(v, Uniform, "%sampler"),
	     "*, OpTypeSampler in storage class Uniform, corresponds to no Vulkan descriptor type"},
	    {"", "%t = OpTypeImage %float 2D 0 0 0 0 Unknown\n" VARIABLE(v, UniformConstant, "%t"),
	     "*, OpTypeImage in storage class UniformConstant, corresponds to no Vulkan descriptor type"},
	    {"", VARIABLE(v, UniformConstant, "%block"),
	     "*, a struct that holds opaque members in storage class UniformConstant, "
	     "corresponds to no Vulkan descriptor type"},
	    {"", ARRAY(a, "%sampler", "%c3") ARRAY(b, "%a", "%c3") VARIABLE(v, UniformConstant, "%b"),
	     "*, an array of arrays of "
	     "descriptors in storage class UniformConstant, corresponds to no Vulkan descriptor type"},
	    /* how many */
	    {"OpName %v \"v\"", ARRAY(a, "%sampler", "%c3") VARIABLE(v, UniformConstant, "%a"), "v sampler x3 s r"},
	    {"OpName %v \"v\"", "%a = OpTypeRuntimeArray %sampler\n" VARIABLE(v, UniformConstant, "%a"),
	     "v sampler x0 s r"},
	    {"OpName %v \"v\"", ARRAY(a, "%block", "%spec") VARIABLE(v, Uniform, "%a"), "v ubo x4 b r"},
	    {"OpName %v \"v\"\nOpDecorate %spec SpecId 9", ARRAY(a, "%block", "%spec") VARIABLE(v, Uniform, "%a"),
	     "v ubo x4 b r spec 9 of 1"},
	    {"OpName %v \"v\"\nOpDecorate %spec SpecId 9", ARRAY(a, "%block", "%sum") VARIABLE(v, Uniform, "%a"),
	     "v ubo x7 b r spec -1 of 1"},
	    {"OpName %v \"v\"", ARRAY(a, "%block", "%sum") VARIABLE(v, Uniform, "%a"), "v ubo x7 b r"},
	    {"OpName %v \"v\"",
	     "%n = OpConstant %ulong 4294967295\n" ARRAY(a, "%block", "%n") VARIABLE(v, Uniform, "%a"),
	     "v ubo x4294967295 b r"},
	    {"", "%n = OpConstant %ulong 4294967296\n" ARRAY(a, "%block", "%n") VARIABLE(v, Uniform, "%a"),
	     "an array of descriptors cannot have 2^32 or more elements"},
	    {"", ARRAY(a, "%block", "%c0") VARIABLE(v, Uniform, "%a"),
	     "an array of descriptors cannot have 0 elements"},
	    {"", "%n = OpConstant %float 2\n" ARRAY(a, "%block", "%n") VARIABLE(v, Uniform, "%a"),
	     "* (OpConstant), cannot be computed from the defaults of specialization constants"},
	    /* what decorations say */
	    {"OpName %v \"v\"\n" PLACE(v, 2, 3), VARIABLE(v, Uniform, "%block"), "v ubo x1 b r set 2 binding 3 once"},
	    {"OpName %v \"v\"\nOpDecorate %v DescriptorSet 2", VARIABLE(v, Uniform, "%block"), "v ubo x1 b r set 2"},
	    {"OpName %v \"v\"\nOpDecorate %v Binding 2", VARIABLE(v, Uniform, "%block"), "v ubo x1 b r binding 2"},
	    {"OpName %v \"v\"\nOpDecorate %v Binding 3\n" PLACE(v, 2, 3), VARIABLE(v, Uniform, "%block"),
	     "v ubo x1 b r set 2 binding 3"},
	    {"OpName %v \"v\"\nOpDecorate %v DescriptorSet 2\n" PLACE(v, 2, 3), VARIABLE(v, Uniform, "%block"),
	     "v ubo x1 b r set 2 binding 3"},
	    {"OpName %v \"v\"\nOpName %v \"w\"\nOpDecorate %v Aliased\nOpDecorate %v Coherent",
	     VARIABLE(v, Uniform, "%block"), "v ubo x1 b r aliased"},
	    {"OpName %v \"v\"\nOpDecorate %v NonWritable", VARIABLE(v, StorageBuffer, "%block"), "v ssbo x1 t r"},
	    {"OpName %v \"v\"\nOpDecorate %v NonReadable", VARIABLE(v, StorageBuffer, "%block"), "v ssbo x1 u w"},
	    {"OpName %v \"v\"\nOpDecorate %v NonWritable", VARIABLE(v, UniformConstant, "%image"), "v image x1 u r"},
	    {"OpName %v \"v\"\nOpMemberDecorate %block 0 NonWritable", VARIABLE(v, StorageBuffer, "%block"),
	     "v ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpMemberDecorate %block 0 NonWritable\nOpMemberDecorate %block 0 NonWritable",
	     VARIABLE(v, StorageBuffer, "%block"), "v ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpMemberDecorate %block 0 NonWritable\nOpMemberDecorate %block 1 NonWritable",
	     VARIABLE(v, StorageBuffer, "%block"), "v ssbo x1 t r"},
	    {"OpName %v \"v\"\nOpMemberDecorate %block 0 NonReadable\nOpMemberDecorate %block 1 NonReadable\n"
	     "OpMemberDecorate %block 1 NonWritable",
	     VARIABLE(v, StorageBuffer, "%block"), "v ssbo x1 u w"},
	    {"OpName %v \"v\"\nOpName %w \"w\"\nOpMemberDecorate %block 0 NonWritable\nOpMemberDecorate %block 1 "
	     "NonWritable",
	     VARIABLE(v, StorageBuffer, "%block") "%t = OpTypeStruct %uint\n" VARIABLE(w, StorageBuffer, "%t"),
	     "v ssbo x1 t r; w ssbo x1 u r w"},
	    {"OpName %v \"v\"", "%t = OpTypeStruct\n" VARIABLE(v, StorageBuffer, "%t"), "v ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpName %w \"w\"",
	     "%fn = OpTypeFunction %void\n" VARIABLE(v, Uniform, "%block") VARIABLE(w, Uniform, "%block") USE(w),
	     "v ubo x1 b r; w ubo x1 b r used"},
	    /* the name: that of a block, except in HLSL, and for DXC's types */
	    {"OpName %v \"v\"\nOpName %block \"Block\"", VARIABLE(v, Uniform, "%block"), "v Block ubo x1 b r"},
	    {"OpName %block \"Block\"", VARIABLE(v, Uniform, "%block"), " Block ubo x1 b r"},
	    {"OpName %v \"v\"\nOpName %block \"\"", VARIABLE(v, Uniform, "%block"), "v ubo x1 b r"},
	    {"OpName %v \"v\"\nOpName %block \"type.Block\"", VARIABLE(v, Uniform, "%block"), "v ubo x1 b r"},
	    {"OpName %v \"v\"\nOpName %block \"types\"", VARIABLE(v, Uniform, "%block"), "v types ubo x1 b r"},
	    {"OpName %v \"v\"\nOpName %block \"Xype.A\"", VARIABLE(v, Uniform, "%block"), "v Xype.A ubo x1 b r"},
	    {"OpName %block \"type.Block\"", VARIABLE(v, Uniform, "%block"), " type.Block ubo x1 b r"},
	    {"OpSource HLSL 600\nOpName %v \"v\"\nOpName %block \"Block\"", VARIABLE(v, Uniform, "%block"),
	     "v ubo x1 b r"},
	    {"OpSource HLSL 600\nOpName %block \"Block\"", VARIABLE(v, Uniform, "%block"), " Block ubo x1 b r"},
	    {"OpSource !11 1\nOpName %v \"v\"\nOpName %block \"Block\"", VARIABLE(v, Uniform, "%block"),
	     "v ubo x1 b r"},
	    {"OpSource GLSL 450\nOpName %v \"v\"\nOpName %block \"Block\"", VARIABLE(v, Uniform, "%block"),
	     "v Block ubo x1 b r"},
	    {"OpName %v \"v\"\nOpName %texture \"T\"", VARIABLE(v, UniformConstant, "%texture"), "v texture x1 t r"},
	};

	(void)state;
	assert_rows(rows, SPB_COUNT(rows));
}

static void counters_find_their_buffers(void **state)
{
#define RW     "OpName %block \"type.RWStructuredBuffer.v4float\"\n"
#define APPEND "OpName %block \"type.AppendStructuredBuffer.v4float\"\n"
#define TWO    VARIABLE(v, StorageBuffer, "%block") VARIABLE(c, StorageBuffer, "%block")
	static const struct row rows[] = {
	    {"OpName %v \"v\"\nOpName %c \"counter.var.v\"\n" RW, TWO,
	     "v ssbo x1 u r w; counter.var.v ssbo x1 u r w of v"},
	    {"OpName %v \"v\"\nOpName %c \"counter.var.v\"\n" APPEND, TWO,
	     "v ssbo x1 u r w; counter.var.v ssbo x1 u r w beside v"},
	    {"OpName %v \"v\"\nOpName %c \"counter.var.v\"\nOpName %block \"type.RWStructuredBuffe\"", TWO,
	     "v ssbo x1 u r w; counter.var.v ssbo x1 u r w beside v"},
	    {"OpName %v \"v\"\nOpName %c \"v@count\"\n", TWO, "v ssbo x1 u r w; v@count ssbo x1 u r w beside v"},
	    {"OpName %v \"v\"\nOpName %c \"v@counts\"\n", TWO, "v ssbo x1 u r w; v@counts ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpName %c \"@count\"\n", TWO, "v ssbo x1 u r w; @count ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpName %c \"vw@count\"\n", TWO, "v ssbo x1 u r w; vw@count ssbo x1 u r w"},
	    {"OpName %v \"vw\"\nOpName %c \"v@count\"\n", TWO, "vw ssbo x1 u r w; v@count ssbo x1 u r w"},
	    {"OpName %v \"c\"\nOpName %c \"counter.var.c\"\n" RW, TWO,
	     "c ssbo x1 u r w; counter.var.c ssbo x1 u r w of c"},
	    {"OpName %v \"counter.var.v\"\nOpName %c \"v\"\n" RW, TWO,
	     "counter.var.v ssbo x1 u r w of v; v ssbo x1 u r w"},
	    /* whatever zeros follow the name */
	    {"OpName %v \"v\"\nOpName %c \"v@count\"\n" RW, TWO, "v ssbo x1 u r w; v@count ssbo x1 u r w of v"},
	    {"OpName %v \"vv\"\nOpName %c \"vv@count\"\n" RW, TWO, "vv ssbo x1 u r w; vv@count ssbo x1 u r w of vv"},
	    {"OpName %v \"vvv\"\nOpName %c \"vvv@count\"\n" RW, TWO,
	     "vvv ssbo x1 u r w; vvv@count ssbo x1 u r w of vvv"},
	    {"OpName %v \"vvvv\"\nOpName %c \"vvvv@count\"\n" RW, TWO,
	     "vvvv ssbo x1 u r w; vvvv@count ssbo x1 u r w of vvvv"},
	    {"OpName %v \"v\"\nOpName %c \"counter.var\"\n", TWO, "v ssbo x1 u r w; counter.var ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpName %c \"counter.var.\"\n", TWO, "v ssbo x1 u r w; counter.var. ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpName %c \"Counter.var.v\"\n", TWO, "v ssbo x1 u r w; Counter.var.v ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpName %c \"counter_var.v\"\n", TWO, "v ssbo x1 u r w; counter_var.v ssbo x1 u r w"},
	    /* a counter goes by its own name, even if its type has one, too */
	    {"OpName %v \"v\"\nOpName %c \"w@count\"\nOpName %block \"B\"", TWO,
	     "v B ssbo x1 u r w; w@count ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpName %c \"v@count\"\nOpName %block \"B\"", TWO,
	     "v B ssbo x1 u r w; v@count ssbo x1 u r w beside v"},
	    {"OpName %v \"v\"\nOpName %c \"c\"\nOpName %block \"B\"\nOpDecorateId %v CounterBuffer %c", TWO,
	     "v B ssbo x1 u r w; c ssbo x1 u r w beside v"},
	    {"OpName %v \"v\"\nOpName %c \"w@count\"\nOpDecorateId %v CounterBuffer %c", TWO,
	     "v ssbo x1 u r w; w@count ssbo x1 u r w beside v"},
	    {"OpName %v \"v\"\nOpName %c \"v@count\"\nOpDecorateId %own CounterBuffer %c", TWO,
	     "v ssbo x1 u r w; v@count ssbo x1 u r w"},
	    {"OpName %v \"v\"\nOpDecorateId %v CounterBuffer %c", TWO, "v ssbo x1 u r w;  ssbo x1 u r w beside v"},
	    {"OpName %v \"v\"\nOpName %c \"c\"\nOpDecorateId %v UniformId %c", TWO, "v ssbo x1 u r w; c ssbo x1 u r w"},
	};

	(void)state;
	assert_rows(rows, SPB_COUNT(rows));
}

/* Many buffers whose counters are anywhere. */
static void counters_follow_their_buffers(void **state)
{
	enum { COUNT = 40 };
	char notes[6000] = "", globals[6000] = "";
	size_t n = 0, g = 0;
	struct spb_variables v;
	struct parsed p;

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		n += (size_t)sprintf(notes + n, "OpName %%v%d \"v%d\"\nOpName %%k%d \"v%d@count\"\n", i, i, i,
				     i * 7 % COUNT);
		if (i % 5 == 0)
			n += (size_t)sprintf(notes + n, "OpName %%e%d \"counter.var.v%d\"\n", i, i);
	}
	g = (size_t)sprintf(globals, "%%p = OpTypePointer StorageBuffer %%block\n");
	for (int i = 0; i < 10; i++)
		g += (size_t)sprintf(globals + g, "%%v%d = OpVariable %%p StorageBuffer\n", i);
	for (int i = 0; i < COUNT; i++) {
		g += (size_t)sprintf(globals + g, "%%k%d = OpVariable %%p StorageBuffer\n", i);
		if (i % 5 == 0)
			g += (size_t)sprintf(globals + g, "%%e%d = OpVariable %%p StorageBuffer\n", i);
	}
	for (int i = 10; i < COUNT; i++)
		g += (size_t)sprintf(globals + g, "%%v%d = OpVariable %%p StorageBuffer\n", i);
	parse_parts(&p, notes, globals);
	collected(&p, &v);
	spb_put_counters(&p.m, &v, &p.m.keep);
	assert_int_equal(v.count, 2 * COUNT + COUNT / 5);
	for (int i = 0, k = 0; i < COUNT; i++) {
		char name[20];
		uint32_t buffer = v.items[k].id;
		sprintf(name, "v%d", i);
		assert_string_equal(v.items[k++].name, name);
		for (int c = 0; c < (i % 5 ? 1 : 2); c++, k++)
			assert_int_equal(v.items[k].extra->counter_of, buffer);
		assert_true(i % 5 || v.items[k - 2].at < v.items[k - 1].at);
	}
	drop(&p);
	/* of something else than a resource, or of another counter: nothing moves */
	static const char *const others[] = {"OpName %c \"c\"\nOpName %v \"v\"\nOpDecorateId %own CounterBuffer %c",
					     "OpName %c \"c@count\"\nOpName %v \"c@count@count\"\nOpName %w \"c\"",
					     "OpName %c \"c\"\nOpName %v \"v\"\nOpName %w \"w\""};
	for (size_t i = 0; i < SPB_COUNT(others); i++) {
		parse_parts(&p, others[i],
			    VARIABLE(c, StorageBuffer, "%block") VARIABLE(v, StorageBuffer, "%block")
				VARIABLE(w, StorageBuffer, "%block"));
		collected(&p, &v);
		spb_put_counters(&p.m, &v, &p.m.keep);
		for (size_t k = 1; k < v.count; k++)
			assert_true(v.items[k - 1].at < v.items[k].at);
		drop(&p);
	}
}

static void heaps_are_known_by_name_or_place(void **state)
{
#define MANY(v, element)   "%a_" #v " = OpTypeRuntimeArray " element "\n" VARIABLE(v, UniformConstant, "%a_" #v)
#define FEW(v, element, n) ARRAY(a_##v, element, n) VARIABLE(v, UniformConstant, "%a_" #v)
#define BUFFERS(v)         "%a_" #v " = OpTypeRuntimeArray %block\n" VARIABLE(v, StorageBuffer, "%a_" #v)
	static const struct row rows[] = {
	    {"OpName %v \"heap_texture_2D_float\"\n" PLACE(v, 0, 1), MANY(v, "%texture"),
	     "heap_texture_2D_float texture x0 t r set 0 binding 1 once heap"},
	    {"OpName %v \"heap_texture\"\n" PLACE(v, 0, 1), FEW(v, "%texture", "%c3"),
	     "heap_texture texture x3 t r set 0 binding 1 once heap"},
	    {"OpName %v \"heap_sampler\"\n" PLACE(v, 0, 1), MANY(v, "%texture"),
	     "heap_sampler texture x0 t r set 0 binding 1 once"},
	    {"OpName %v \"heap_textures\"\n" PLACE(v, 0, 1), MANY(v, "%texture"),
	     "heap_textures texture x0 t r set 0 binding 1 once"},
	    {"OpName %v \"heap_tex\"\n" PLACE(v, 0, 1), MANY(v, "%texture"),
	     "heap_tex texture x0 t r set 0 binding 1 once"},
	    {"OpName %v \"Heap_texture\"\n" PLACE(v, 0, 1), MANY(v, "%texture"),
	     "Heap_texture texture x0 t r set 0 binding 1 once"},
	    {"OpName %v \"heap_texture\"\n" PLACE(v, 0, 1), VARIABLE(v, UniformConstant, "%texture"),
	     "heap_texture texture x1 t r set 0 binding 1 once"},
	    {"OpName %v \"heap_texture\"\nOpDecorate %v Binding 1", MANY(v, "%texture"),
	     "heap_texture texture x0 t r binding 1"},
	    {"OpName %v \"heap_texture\"\nOpDecorate %v DescriptorSet 1", MANY(v, "%texture"),
	     "heap_texture texture x0 t r set 1"},
	    {"OpName %v \"heap_input-attachment\"\n" PLACE(v, 0, 1),
	     "%t = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n" MANY(v, "%t"),
	     "heap_input-attachment input-attachment x0 t r set 0 binding 1 once"},
	    {"OpName %v \"ResourceDescriptorHeap\"\n" PLACE(v, 0, 1), MANY(v, "%texture"),
	     "ResourceDescriptorHeap texture x0 t r set 0 binding 1 once heap"},
	    {"OpName %v \"SamplerDescriptorHeap\"\n" PLACE(v, 0, 1), MANY(v, "%sampler"),
	     "SamplerDescriptorHeap sampler x0 s r set 0 binding 1 once heap"},
	    {"OpName %v \"__slang_resource_heap\"\n" PLACE(v, 0, 1), MANY(v, "%sampler"),
	     "__slang_resource_heap sampler x0 s r set 0 binding 1 once heap"},
	    {"OpName %v \"ResourceDescriptorHeap\"\n" PLACE(v, 0, 1), FEW(v, "%texture", "%c3"),
	     "ResourceDescriptorHeap texture x3 t r set 0 binding 1 once heap"},
	    {"OpName %v \"counter.var.ResourceDescriptorHeap\"\n" PLACE(v, 0, 1), BUFFERS(v),
	     "counter.var.ResourceDescriptorHeap ssbo x0 u r w set 0 binding 1 once heap"},
	    {"OpName %v \"counter.var.ResourceDescriptorHeap\"\nOpName %w \"ResourceDescriptorHeap\"\n"
	     "OpName %block \"Block\"\n" PLACE(v, 0, 1) PLACE(w, 0, 2),
	     BUFFERS(v) MANY(w, "%texture"),
	     "counter.var.ResourceDescriptorHeap ssbo x0 u r w set 0 binding 1 once heap; ResourceDescriptorHeap "
	     "texture x0 t r set 0 binding 2 once heap"},
	    {"OpName %v \"ResourceDescriptorHeap\"\nOpName %block \"Block\"\n" PLACE(v, 0, 1), BUFFERS(v),
	     "ResourceDescriptorHeap ssbo x0 u r w set 0 binding 1 once heap"},
	    {"OpName %v \"Buffers\"\nOpName %block \"Block\"\n" PLACE(v, 0, 1), BUFFERS(v),
	     "Buffers Block ssbo x0 u r w set 0 binding 1 once"},
	    /* arrays that no source can declare: the same name and binding */
	    {"OpName %v \"a\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(w, 0, 1),
	     FEW(v, "%texture", "%c3") FEW(w, "%itexture", "%c3"),
	     "a texture x3 t r set 0 binding 1 once heap; a texture x3 t r set 0 binding 1 once heap"},
	    {"OpName %v \"a\"\nOpName %w \"b\"\n" PLACE(v, 0, 1) PLACE(w, 0, 1),
	     FEW(v, "%texture", "%c3") FEW(w, "%itexture", "%c3"),
	     "a texture x3 t r set 0 binding 1 once; b texture x3 t r set 0 binding 1 once"},
	    {"OpName %v \"a\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(w, 0, 2),
	     FEW(v, "%texture", "%c3") FEW(w, "%itexture", "%c3"),
	     "a texture x3 t r set 0 binding 1 once; a texture x3 t r set 0 binding 2 once"},
	    {"OpName %v \"a\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(w, 1, 1),
	     FEW(v, "%texture", "%c3") FEW(w, "%itexture", "%c3"),
	     "a texture x3 t r set 0 binding 1 once; a texture x3 t r set 1 binding 1 once"},
	    {"OpName %v \"a\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(w, 0, 1),
	     FEW(v, "%texture", "%c3") FEW(w, "%itexture", "%c5"),
	     "a texture x3 t r set 0 binding 1 once; a texture x5 t r set 0 binding 1 once"},
	    {"OpName %v \"a\"\nOpName %x \"z\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(x, 0, 1) PLACE(w, 0, 1),
	     FEW(v, "%texture", "%c3") FEW(x, "%image", "%c3") FEW(w, "%itexture", "%c3"),
	     "a texture x3 t r set 0 binding 1 once heap; z image x3 u r w set 0 binding 1 once; a texture x3 t r set "
	     "0 binding 1 once heap"},
	    /* runtime arrays with the same name at different bindings, if their types differ */
	    {"OpName %v \"a\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(w, 3, 2),
	     MANY(v, "%texture") MANY(w, "%itexture"),
	     "a texture x0 t r set 0 binding 1 once heap; a texture x0 t r set 3 binding 2 once heap"},
	    {"OpName %v \"a\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(w, 3, 2),
	     MANY(v, "%texture") MANY(w, "%texture"),
	     "a texture x0 t r set 0 binding 1 once; a texture x0 t r set 3 binding 2 once"},
	    {"OpName %v \"a\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(w, 3, 2),
	     MANY(v, "%texture") FEW(w, "%itexture", "%c3"),
	     "a texture x0 t r set 0 binding 1 once; a texture x3 t r set 3 binding 2 once"},
	    {"OpName %v \"a\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(w, 3, 2),
	     FEW(v, "%texture", "%c3") MANY(w, "%itexture"),
	     "a texture x3 t r set 0 binding 1 once; a texture x0 t r set 3 binding 2 once"},
	    {"OpName %v \"a\"\nOpName %w \"b\"\n" PLACE(v, 0, 1) PLACE(w, 3, 2),
	     MANY(v, "%texture") MANY(w, "%itexture"),
	     "a texture x0 t r set 0 binding 1 once; b texture x0 t r set 3 binding 2 once"},
	    {"OpName %v \"a\"\nOpName %w \"a\"\nOpName %x \"a\"\n" PLACE(v, 0, 1) PLACE(w, 3, 2) PLACE(x, 0, 3),
	     MANY(v, "%texture") MANY(w, "%itexture") MANY(x, "%texture"),
	     "a texture x0 t r set 0 binding 1 once; a texture x0 t r set 3 binding 2 once; a texture x0 t r set 0 "
	     "binding 3 once"},
	    {"OpName %v \"a\"\nOpName %w \"b\"\nOpName %x \"b\"\n" PLACE(v, 0, 1) PLACE(w, 3, 2) PLACE(x, 0, 3),
	     MANY(v, "%texture") MANY(w, "%itexture") MANY(x, "%image"),
	     "a texture x0 t r set 0 binding 1 once; b texture x0 t r set 3 binding 2 once heap; b image x0 u r w set "
	     "0 binding 3 once heap"},
	    {"OpName %v \"a\"\nOpName %x \"b\"\nOpName %w \"a\"\n" PLACE(v, 0, 1) PLACE(x, 0, 2) PLACE(w, 0, 3),
	     MANY(v, "%texture") MANY(x, "%image") MANY(w, "%itexture"),
	     "a texture x0 t r set 0 binding 1 once heap; b image x0 u r w set 0 binding 2 once; a texture x0 t r set "
	     "0 binding 3 once heap"},
	    /* without names: only DXC and Slang are known to write that */
	    {PLACE(v, 0, 1) PLACE(w, 0, 1), MANY(v, "%texture") MANY(w, "%itexture"),
	     " texture x0 t r set 0 binding 1 once;  texture x0 t r set 0 binding 1 once"},
	    {PLACE(v, 0, 1) PLACE(w, 0, 2), MANY(v, "%texture") MANY(w, "%itexture"),
	     " texture x0 t r set 0 binding 1 once;  texture x0 t r set 0 binding 2 once"},
	};

	(void)state;
	assert_rows(rows, SPB_COUNT(rows));
	for (uint32_t generator = 12; generator < 42; generator++) {
		for (size_t i = 0; i < 2; i++) { /* at one binding, and at two */
			const struct row *row = &rows[SPB_COUNT(rows) - 2 + i];
			struct parsed p, again;
			parse_parts(&p, row->notes, row->globals);
			p.words[2] = generator << 16 | 7;
			again = p;
			again.m = (struct spb_module){.context = p.m.context};
			spb_module_release(&p.m);
			assert_false(caught(again.m.context, parse_words, &again));
			const char *found = collected(&again, NULL);
			bool knows = (generator == 14 || generator == 40) && i == 0;
			assert_int_equal(strstr(found, "heap") != NULL, knows);
			drop(&again);
		}
	}
}

static void places_of_heaps_can_be_requested(void **state)
{
	static const spb_heap_place places[] = {{.kind = SPB_HEAP_TEXTURE, .set = 1, .binding = 2},
						{.kind = SPB_HEAP_SAMPLER, .set = 1, .binding = 3},
						{.kind = SPB_HEAP_TEXTURE, .set = 1, .binding = 4}};
	static const struct {
		const char *notes, *globals;
		uint32_t size;
		bool is_heap;
	} rows[] = {
	    {PLACE(v, 1, 4), MANY(v, "%texture"), 0, true},
	    {PLACE(v, 1, 4), FEW(v, "%texture", "%c3"), 3, true},
	    {PLACE(v, 1, 4), FEW(v, "%texture", "%c3"), 4, false},
	    {PLACE(v, 1, 2), MANY(v, "%texture"), 0, true}, /* each binding counts */
	    {PLACE(v, 2, 4), MANY(v, "%texture"), 0, false},
	    {PLACE(v, 1, 3), MANY(v, "%texture"), 0, false},
	    {PLACE(v, 1, 3), MANY(v, "%sampler"), 0, true},
	    {PLACE(v, 1, 3), MANY(v, "%image"), 0, false},
	    {PLACE(v, 1, 4), VARIABLE(v, UniformConstant, "%texture"), 1, false},
	    {"OpDecorate %v Binding 4\n", MANY(v, "%texture"), 0, false},
	    {"OpDecorate %v Binding 0\nOpDecorate %v DescriptorSet 0\n", MANY(v, "%texture"), 0, false},
	};
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	options.heaps.places = places;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct spb_variables v;
		struct parsed p;
		parse_parts(&p, rows[i].notes, rows[i].globals);
		collected(&p, &v);
		options.heaps.size = rows[i].size;
		for (uint32_t count = 0; count <= 3; count += 3) {
			options.heaps.place_count = count;
			spb_find_asked_heaps(&options, &v);
			assert_int_equal(v.items[0].heap, count && rows[i].is_heap);
			assert_int_equal(v.items[0].heap_kind,
					 v.items[0].heap ? spb_descriptor_info(v.items[0].kind)->heap.kind : 0);
		}
		drop(&p);
	}
	assert_ptr_equal(spb_asked_heap_place(&options, SPB_HEAP_SAMPLER), &places[1]);
	assert_ptr_equal(spb_asked_heap_place(&options, SPB_HEAP_TEXTURE), &places[2]);
	assert_null(spb_asked_heap_place(&options, SPB_HEAP_UBO));
	options.heaps.place_count = 2;
	assert_ptr_equal(spb_asked_heap_place(&options, SPB_HEAP_TEXTURE), &places[0]);
	struct spb_variable counter = {.kind = SPB_DESCRIPTOR_SSBO,
				       .name = "counter.var.ResourceDescriptorHeap",
				       .key = "k"},
			    nameless = {.kind = SPB_DESCRIPTOR_SSBO, .name = "", .key = "k"};
	spb_mark_heap(&counter);
	spb_mark_heap(&nameless);
	assert_int_equal(counter.heap_kind, SPB_HEAP_COUNTER);
	assert_ptr_equal(counter.key, counter.name);
	assert_int_equal(nameless.heap_kind, SPB_HEAP_SSBO);
	assert_string_equal(nameless.key, "k");
}

/* VkShaderStageFlagBits, and the order of pipelines */
static void stages_are_bits(void **state)
{
	static const struct {
		uint32_t model, flag, rank;
		const char *name, *vk_name;
	} rows[] = {
	    {SpvExecutionModelVertex, 0x1, 2, "vertex", "VK_SHADER_STAGE_VERTEX_BIT"},
	    {SpvExecutionModelTessellationControl, 0x2, 3, "tesscontrol", "VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT"},
	    {SpvExecutionModelTessellationEvaluation, 0x4, 4, "tesseval",
	     "VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT"},
	    {SpvExecutionModelGeometry, 0x8, 5, "geometry", "VK_SHADER_STAGE_GEOMETRY_BIT"},
	    {SpvExecutionModelFragment, 0x10, 6, "fragment", "VK_SHADER_STAGE_FRAGMENT_BIT"},
	    {SpvExecutionModelGLCompute, 0x20, 7, "compute", "VK_SHADER_STAGE_COMPUTE_BIT"},
	    {5313, 0x100, 8, "raygen", "VK_SHADER_STAGE_RAYGEN_BIT_KHR"},
	    {5315, 0x200, 10, "anyhit", "VK_SHADER_STAGE_ANY_HIT_BIT_KHR"},
	    {5316, 0x400, 11, "closesthit", "VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR"},
	    {5317, 0x800, 12, "miss", "VK_SHADER_STAGE_MISS_BIT_KHR"},
	    {5314, 0x1000, 9, "intersection", "VK_SHADER_STAGE_INTERSECTION_BIT_KHR"},
	    {5318, 0x2000, 13, "callable", "VK_SHADER_STAGE_CALLABLE_BIT_KHR"},
	    {5267, 0x40, 0, "task", "VK_SHADER_STAGE_TASK_BIT_EXT"},
	    {5268, 0x80, 1, "mesh", "VK_SHADER_STAGE_MESH_BIT_EXT"},
	};
	static const char *const names[] = {"a", "main", "z"};
	spb_options options;

	(void)state;
	for (uint32_t i = 0; i < SPB_COUNT(rows); i++) {
		assert_int_equal(spb_stage_bit(rows[i].model), 1u << i);
		assert_string_equal(spb_stage_name(i), rows[i].name);
		assert_string_equal(spb_stage_vk_name(i), rows[i].vk_name);
		assert_int_equal(spb_stage_flags(1u << i), rows[i].flag);
		assert_int_equal(spb_stages_of_flags(rows[i].flag), 1u << i);
		assert_int_equal(spb_pipeline_rank(1u << i), rows[i].rank);
		for (uint32_t k = 0; k < i; k++) {
			const uint32_t both = 1u << i | 1u << k, first = rows[i].rank < rows[k].rank ? i : k;
			assert_int_equal(spb_stage_flags(both), rows[i].flag | rows[k].flag);
			assert_int_equal(spb_stages_of_flags(rows[i].flag | rows[k].flag), both);
			assert_int_equal(spb_pipeline_rank(both), rows[first].rank);
		}
	}
	assert_int_equal(spb_stage_bit(5364), 1u << 12);
	assert_int_equal(spb_stage_bit(5365), 1u << 13);
	assert_int_equal(spb_stage_bit(SpvExecutionModelKernel), 0);
	assert_int_equal(spb_stage_flags(0), 0);
	assert_int_equal(spb_stages_of_flags(0x4000), 0);
	assert_int_equal(spb_pipeline_rank(0), 14);
	spb_options_init(&options, sizeof options);
	assert_int_equal(spb_find_entry(&options, "a"), 0);
	options.layout.entries = names;
	options.layout.entry_count = 3;
	static const char *const asked[] = {"a", "main", "z", "", "b", "mai", "main2", "zz"};
	for (uint32_t i = 0; i < SPB_COUNT(asked); i++)
		assert_int_equal(spb_find_entry(&options, asked[i]), i < 3 ? i + 1 : 0);
}

/* There may be hundreds of thousands: docs/speed.md. */
static void variables_are_small(void **state)
{
	(void)state;
	assert_true(sizeof(struct spb_variable) <= 64);
}

static void kinds_have_names(void **state)
{
	static const char *const dims[] = {"1D", "2D", "3D", "Cube", "Rect", "Buffer", "SubpassData", "other", "other"};
	static const uint32_t indexing[] = {28,   29,   30,   31,   4175, 4176, 5301, 5302, 5303,
					    5304, 5305, 5306, 5307, 5308, 5309, 5310, 5311, 5312};

	(void)state;
	for (uint32_t i = 0; i < SPB_COUNT(dims); i++)
		assert_string_equal(spb_dim_name(i), dims[i]);
	for (uint32_t capability = 0, next = 0; capability < 6000; capability++) {
		bool is = next < SPB_COUNT(indexing) && capability == indexing[next];
		assert_int_equal(spb_is_indexing(capability), is);
		assert_int_equal(spb_is_descriptor_indexing(capability), is && capability > 5000);
		next += is;
	}
	for (uint32_t kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
		char name[40];
		assert_string_equal(spb_descriptor_vk_name(kind), info->vk_name);
		assert_string_equal(spb_vk_type_name(info->vk_type), info->vk_name);
		assert_string_equal(spb_descriptor_type_name(info->vk_type), info->title);
		assert_int_equal(spb_has_heap((enum spb_descriptor)kind), kind <= SPB_DESCRIPTOR_AS);
		snprintf(name, sizeof name, "heap_%s_2D", info->kind);
		assert_int_equal(spb_heap_named(name), kind <= SPB_DESCRIPTOR_AS ? kind : SPB_DESCRIPTOR_OTHER);
		assert_int_equal(spb_heap_named(name + 1), SPB_DESCRIPTOR_OTHER);
		name[strlen(name) - 3] = '\0';
		assert_int_equal(spb_heap_named(name), kind <= SPB_DESCRIPTOR_AS ? kind : SPB_DESCRIPTOR_OTHER);
		name[strlen(name) - 1] = '\0';
		assert_int_equal(spb_heap_named(name), SPB_DESCRIPTOR_OTHER);
		if (info->heap.name)
			assert_ptr_equal(spb_heap_info(info->heap.kind), &info->heap);
		for (uint32_t bit = 0; bit < SPB_FLAG_COUNT; bit++) {
			const char *feature = spb_flag_feature(bit, (enum spb_descriptor)kind, info->vk_type);
			const char *const others[] = {"", "descriptorBindingUpdateUnusedWhilePending",
						      "descriptorBindingPartiallyBound",
						      "descriptorBindingVariableDescriptorCount"};
			const char *wanted = bit == SPB_FLAG_UPDATE_AFTER_BIND ? info->update_feature : others[bit];
			assert_string_equal(feature ? feature : "none", wanted ? wanted : "none");
		}
	}
	assert_int_equal(spb_heap_named("heap_"), SPB_DESCRIPTOR_OTHER);
	assert_int_equal(spb_heap_named("heap"), SPB_DESCRIPTOR_OTHER);
	assert_int_equal(spb_heap_named("heap-texture_2D"), SPB_DESCRIPTOR_OTHER);
	assert_int_equal(spb_heap_named("_____texture_2D"), SPB_DESCRIPTOR_OTHER);
	assert_int_equal(spb_heap_named(""), SPB_DESCRIPTOR_OTHER);
	assert_string_equal(spb_heap_info(SPB_HEAP_COUNTER)->name, "counter");
	assert_null(spb_heap_info((spb_heap_kind)99));
	assert_string_equal(spb_heap_kind_name(SPB_HEAP_SAMPLER), "sampler");
	assert_null(spb_heap_kind_name(99));
	assert_string_equal(spb_vk_type_name(SPB_VK_MUTABLE), "VK_DESCRIPTOR_TYPE_MUTABLE_EXT");
	assert_string_equal(spb_vk_type_name(SPB_VK_UNIFORM_BUFFER_DYNAMIC),
			    "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC");
	assert_string_equal(spb_vk_type_name(12345), "VK_DESCRIPTOR_TYPE_MAX_ENUM");
	assert_string_equal(spb_descriptor_type_name(SPB_VK_INLINE_UNIFORM_BLOCK), "inline uniform block");
	assert_string_equal(spb_descriptor_type_name(SPB_VK_STORAGE_BUFFER_DYNAMIC), "dynamic storage buffer");
	assert_string_equal(spb_descriptor_type_name(SPB_VK_UNIFORM_BUFFER_DYNAMIC), "dynamic uniform buffer");
	assert_string_equal(spb_descriptor_type_name(12345), "other");
	assert_string_equal(spb_flag_feature(0, SPB_DESCRIPTOR_UBO, SPB_VK_INLINE_UNIFORM_BLOCK),
			    "descriptorBindingInlineUniformBlockUpdateAfterBind");
	assert_string_equal(spb_flag_name(3), "variable-count");
	assert_null(spb_flag_name(4));
	for (uint32_t class = 0; class < SPB_CLASS_COUNT; class ++)
		assert_int_equal(spb_class_letter((enum spb_class) class), "btsu"[class]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(variables_have_kinds),
	    cmocka_unit_test(counters_find_their_buffers),
	    cmocka_unit_test(counters_follow_their_buffers),
	    cmocka_unit_test(heaps_are_known_by_name_or_place),
	    cmocka_unit_test(places_of_heaps_can_be_requested),
	    cmocka_unit_test(stages_are_bits),
	    cmocka_unit_test(variables_are_small),
	    cmocka_unit_test(kinds_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
