/* SPDX-License-Identifier: Apache-2.0 */
/* After cmocka.h and libspirv.h: modules whose functions refer to resources. */
#ifndef SPB_TEST_ACCESSED_H
#define SPB_TEST_ACCESSED_H

#include "analysis/resources/resources.h"
#include "indexed.h"

#define CAPABILITIES "OpCapability Shader\nOpCapability Linkage\n"
#define MODEL        "OpMemoryModel Logical GLSL450\n"
#define TYPES                                                                                                          \
	"%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"                 \
	"%ulong = OpTypeInt 64 0\n%float = OpTypeFloat 32\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n"       \
	"%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n%spec = OpSpecConstant %uint "  \
	"9\n"                                                                                                          \
	"%true = OpConstantTrue %bool\n%false = OpConstantFalse %bool\n%null = OpConstantNull %bool\n"                 \
	"%sctrue = OpSpecConstantTrue %bool\n%block = OpTypeStruct %float\n"                                           \
	"%image = OpTypeImage %float 2D 0 0 0 2 R32ui\n%images = OpTypeArray %image %c4\n"                             \
	"%many = OpTypeRuntimeArray %image\n%some = OpTypeArray %image %spec\n%blocks = OpTypeArray %block %c2\n"      \
	"%p_image = OpTypePointer UniformConstant %image\n%p_images = OpTypePointer UniformConstant %images\n"         \
	"%p_many = OpTypePointer UniformConstant %many\n%p_some = OpTypePointer UniformConstant %some\n"               \
	"%p_block = OpTypePointer StorageBuffer %block\n%p_blocks = OpTypePointer StorageBuffer %blocks\n"             \
	"%p_float = OpTypePointer StorageBuffer %float\n%p_own = OpTypePointer Private %images\n"                      \
	"%p_one = OpTypePointer Private %image\n%p_texel = OpTypePointer Image %float\n"                               \
	"%untyped = OpTypeVoid\n"
#define MAIN(body) "%main = OpFunction %void None %fn\n%main0 = OpLabel\n" body "OpReturn\nOpFunctionEnd\n"

static char text[20000];

static void parse_all(struct parsed *p, const char *const *parts, size_t count)
{
	size_t length = 0;

	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s\n", parts[i]);
	assert_true(length < sizeof text);
	parse(p, text);
}

#define PARSE(p, ...)                                                                                                  \
	parse_all(p, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

struct collect {
	struct parsed *p;
	struct spb_variables variables;
};

static void collect(void *argument)
{
	struct collect *c = argument;

	c->variables = spb_collect_variables(&c->p->m, &c->p->m.keep);
}

static struct spb_variables collected(struct parsed *p)
{
	struct collect c = {p, {0}};

	if (caught(p->m.context, collect, &c))
		fail_msg("%s\n%s", p->said, text);
	return c.variables;
}

#endif
