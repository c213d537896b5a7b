/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of the API: descriptors with their views, push constants, and the sizes of elements that callers give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "assembled.h"
#include "metered.h"
#include "spirv-bind/host.h"

/* VkDescriptorType */
enum { COMBINED = 1, STORAGE_BUFFER = 7, DYNAMIC_UNIFORM_BUFFER = 8, INPUT_ATTACHMENT = 10 };

#define FIXTURE    SPB_FIXTURES "/descriptors/everything.spvasm"
#define INTERFACES SPB_FIXTURES "/descriptors/interfaces.spvasm"

struct bound {
	spb_context *context;
	spb_program *program;
};

static struct bound bind_fixture(const char *path, const spb_allocator *allocator, spb_status *status)
{
	static const spb_policy policies[] = {
	    {"test",
	     "descriptor name=Draw -> type=dynamic\npush set=2\ndescriptor kind=sampler -> samplers=immutable\n"}};
	struct bound b = {0};
	spb_options options;
	size_t count;
	uint32_t *words = assemble(path, &count);

	spb_options_init(&options, sizeof options);
	options.explain = 1;
	options.layout.order = SPB_ORDER_MODULE;
	options.layout.policies = policies;
	options.layout.policy_count = 1;
	*status = spb_context_create(allocator, NULL, &b.context);
	if (*status == SPB_OK)
		*status = spb_program_create(b.context, &options, &b.program);
	if (*status == SPB_OK)
		*status = spb_program_add(b.program, "everything", words, count, 0);
	if (*status == SPB_OK)
		*status = spb_program_bind(b.program);
	free(words);
	return b;
}

static struct bound bind(const spb_allocator *allocator, spb_status *status)
{
	return bind_fixture(FIXTURE, allocator, status);
}

static void release(struct bound b)
{
	spb_program_destroy(b.program);
	spb_context_destroy(b.context);
}

static void descriptors_have_views(void **state)
{
	spb_status status;
	struct bound b = bind(NULL, &status);
	const spb_descriptor_binding *d;
	const spb_resource *r;

	(void)state;
	assert_int_equal(status, SPB_OK);
	size_t resources = spb_program_resources(b.program, sizeof *r, &r);
	assert_int_equal(spb_program_descriptors(b.program, sizeof *d, &d), 4);
	assert_int_equal(resources, 5);
	/* set 0, binding 3: a texture and a sampler */
	assert_int_equal(d[0].set, 0);
	assert_int_equal(d[0].binding, 3);
	assert_int_equal(d[0].descriptor_type, COMBINED);
	assert_int_equal(d[0].count, 1);
	assert_int_equal(d[0].stages, 0x10);
	assert_int_equal(d[0].flags, 0);
	assert_int_equal(d[0].set_flags, 0);
	assert_int_equal(d[0].resource_count, 2);
	assert_true(d[0].immutable_samplers);
	assert_null(d[0].mutable_types);
	assert_string_equal(d[0].name, "picture");
	assert_string_equal(r[0].name, "picture");
	assert_string_equal(r[1].name, "smp");
	assert_int_equal(r[1].descriptor, 0);
	assert_int_equal(r[1].stages, 0x10);
	/* set 1: a dynamic buffer and an input attachment */
	assert_int_equal(d[1].descriptor_type, DYNAMIC_UNIFORM_BUFFER);
	assert_string_equal(d[1].name, "Draw");
	assert_int_equal(d[2].descriptor_type, INPUT_ATTACHMENT);
	assert_int_equal(r[d[2].first_resource].input_attachment_index, 6);
	assert_int_equal(r[d[1].first_resource].input_attachment_index, UINT32_MAX);
	/* set 2: pushed */
	assert_int_equal(d[3].descriptor_type, STORAGE_BUFFER);
	assert_int_equal(d[3].set_flags, 1);
	assert_true(r[d[3].first_resource].readable);
	assert_true(r[d[3].first_resource].writable);
	assert_false(r[d[1].first_resource].writable);
	for (size_t i = 0, next = 0; i < 4; i++) {
		assert_int_equal(d[i].first_resource, next);
		for (; next < d[i].first_resource + d[i].resource_count; next++)
			assert_int_equal(r[next].descriptor, i);
	}
	release(b);
}

static void what_the_host_sets_is_listed(void **state)
{
	static const struct {
		uint32_t location, format, element;
		const char *name;
	} inputs[] = {{2, 106, 0, "position"}, {4, 106, 0, "fade"}, {5, 106, 0, "basis"},
		      {6, 106, 1, "basis"},    {7, 101, 0, "ids"},  {8, 101, 1, "ids"}};
	static const struct {
		uint32_t id;
		spb_constant_type type;
		uint64_t value;
		const char *name;
	} constants[] = {{3, SPB_CONSTANT_FLOAT, 0xBE800000, "gain"},
			 {4, SPB_CONSTANT_INT, 0xFFFFFFFE, "bias"},
			 {7, SPB_CONSTANT_BOOL, 0, "wide"}};
	spb_status status;
	struct bound b = bind_fixture(INTERFACES, NULL, &status);
	const spb_entry_point *e;
	const spb_vertex_input *input;
	const spb_specialization_constant *c;
	const spb_required_feature *f;

	(void)state;
	assert_int_equal(status, SPB_OK);
	assert_int_equal(spb_program_entry_points(b.program, sizeof *e, &e), 1);
	assert_int_equal(e->stage, 1);
	assert_string_equal(e->name, "main");
	assert_int_equal(e->workgroup_size[0], 0);
	assert_int_equal(e->workgroup_size_ids[0], UINT32_MAX);
	assert_int_equal(spb_program_vertex_inputs(b.program, sizeof *input, &input), 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(input[i].location, inputs[i].location);
		assert_int_equal(input[i].format, inputs[i].format);
		assert_int_equal(input[i].element, inputs[i].element);
		assert_int_equal(input[i].size, 4 * input[i].components);
		assert_string_equal(input[i].name, inputs[i].name);
	}
	assert_int_equal(spb_program_specialization_constants(b.program, sizeof *c, &c), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(c[i].id, constants[i].id);
		assert_int_equal(c[i].type, constants[i].type);
		assert_int_equal(c[i].size, 4);
		assert_int_equal(c[i].value, constants[i].value);
		assert_string_equal(c[i].name, constants[i].name);
	}
	assert_int_equal(spb_program_features(b.program, sizeof *f, &f), 0);
	release(b);
	b = bind(NULL, &status); /* its fragment shader writes a buffer */
	assert_int_equal(spb_program_features(b.program, sizeof *f, &f), 2);
	assert_string_equal(f[0].name, "pushDescriptor");
	assert_int_equal(f[0].version, 4);
	assert_string_equal(f[1].name, "fragmentStoresAndAtomics");
	assert_string_equal(f[1].in, "Features2");
	release(b);
}

static const spb_member *member(const spb_member *members, const spb_block *block, uint32_t index, const char *name)
{
	assert_true(index < block->member_count);
	assert_string_equal(members[block->first_member + index].name, name);
	return &members[block->first_member + index];
}

static void blocks_are_listed(void **state)
{
	spb_status status;
	struct bound b = bind_fixture(SPB_FIXTURES "/descriptors/blocks.spvasm", NULL, &status);
	const spb_block *blocks;
	const spb_member *members, *m;
	const spb_resource *resources;

	(void)state;
	assert_int_equal(status, SPB_OK);
	assert_int_equal(spb_program_blocks(b.program, sizeof *blocks, &blocks), 4);
	assert_int_equal(spb_program_members(b.program, sizeof *members, &members), 8);
	assert_string_equal(blocks[0].name, "Light");
	assert_true(blocks[0].inner && !blocks[1].inner && !blocks[1].pushed && blocks[3].pushed);
	assert_int_equal(blocks[0].size, 16);
	m = member(members, &blocks[0], 1, "kind");
	assert_int_equal(m->offset, 12);
	assert_int_equal(m->type, SPB_CONSTANT_INT);
	assert_int_equal(m->rows * m->columns * m->component_size, 4);
	assert_string_equal(blocks[1].name, "Scene");
	assert_int_equal(blocks[1].size, 160);
	m = member(members, &blocks[1], 0, "turn");
	assert_int_equal(m->rows, 2);
	assert_int_equal(m->columns, 3);
	assert_int_equal(m->matrix_stride, 16);
	assert_true(m->row_major && m->type == SPB_CONSTANT_FLOAT && m->block == UINT32_MAX);
	m = member(members, &blocks[1], 1, "weights");
	assert_int_equal(m->array_count, 2);
	assert_int_equal(m->arrays[0].count, 2);
	assert_int_equal(m->arrays[0].stride, 48);
	assert_int_equal(m->arrays[1].count, 3);
	assert_int_equal(m->arrays[1].stride, 16);
	assert_int_equal(m->size, 96);
	m = member(members, &blocks[1], 2, "lights");
	assert_int_equal(m->block, 0);
	assert_int_equal(m->arrays[0].stride, 16);
	m = member(members, &blocks[2], 1, "items");
	assert_int_equal(m->offset, 16);
	assert_int_equal(m->arrays[0].count, 0);
	assert_int_equal(m->rows, 4);
	m = member(members, &blocks[3], 0, "size");
	assert_int_equal(m->offset, 4);
	assert_int_equal(m->type, SPB_CONSTANT_UINT);
	assert_int_equal(spb_program_resources(b.program, sizeof *resources, &resources), 2);
	assert_int_equal(resources[0].block, blocks[1].id);
	assert_int_equal(resources[1].block, blocks[2].id);
	release(b);
}

static void push_constants_are_listed(void **state)
{
	spb_status status;
	struct bound b = bind(NULL, &status);
	const spb_push_constant_range *range;

	(void)state;
	assert_int_equal(spb_program_push_constants(b.program, sizeof *range, &range), 1);
	assert_int_equal(range->offset, 16);
	assert_int_equal(range->size, 12);
	assert_int_equal(range->stages, 0x10);
	assert_string_equal(range->name, "Push");
	assert_int_equal(spb_program_push_constants(b.program, sizeof *range, NULL), 1);
	release(b);
}

/* A caller of an earlier version, and one of a later version. */
static void elements_have_the_size_of_the_caller(void **state)
{
	struct old {
		uint32_t set, binding, descriptor_type;
	};
	struct newer {
		spb_descriptor_binding known;
		uint32_t what_comes_later[5];
	};
	spb_status status;
	struct bound b = bind(NULL, &status);
	const spb_descriptor_binding *d, *list;
	const spb_resource *r, *two;
	const spb_descriptor_access *a;

	(void)state;
	size_t count = spb_program_descriptors(b.program, sizeof *d, &d);
	assert_int_equal(spb_program_descriptors(b.program, sizeof(struct old), &list), count);
	const struct old *old = (const void *)list;
	assert_int_equal(spb_program_descriptors(b.program, sizeof(struct newer), &list), count);
	const struct newer *newer = (const void *)list;
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(old[i].set, d[i].set);
		assert_int_equal(old[i].descriptor_type, d[i].descriptor_type);
		assert_memory_equal(&newer[i].known, &d[i], sizeof d[i]);
		assert_int_equal(newer[i].what_comes_later[0] | newer[i].what_comes_later[4], 0);
	}
	assert_int_equal(spb_program_descriptors(b.program, sizeof(struct newer), &list), count);
	assert_ptr_equal(list, newer); /* the same list again */
	assert_true(spb_program_resources(b.program, sizeof *r, &r) > 2);
	assert_true(spb_program_resources(b.program, 8, &two) > 2);
	assert_memory_equal((const char *)two + 16, &r[2], 8);
	assert_true(spb_program_accesses(b.program, 4, &a) > 2);
	for (size_t wrong = 0; wrong <= 5000; wrong += 5000) {
		assert_int_equal(spb_program_descriptors(b.program, (uint32_t)wrong, &list), 0);
		assert_null(list);
	}
	release(b);
}

/* The order and number of queries makes no difference. */
static void the_order_of_queries_does_not_matter(void **state)
{
	enum { QUESTIONS = 7 };
	char *answers[QUESTIONS] = {NULL}; /* texts, and of lists what distinguishes their elements */

	(void)state;
	for (int turn = 0; turn < QUESTIONS; turn++) {
		spb_status status;
		struct bound b = bind(NULL, &status);
		const spb_descriptor_binding *d;
		const spb_resource *r;
		const spb_push_constant_range *range;
		const spb_descriptor_access *a;
		assert_int_equal(status, SPB_OK);
		for (int k = 0; k < 2 * QUESTIONS; k++) {
			const int question = (turn * (1 + k / QUESTIONS) + k) % QUESTIONS;
			char list[2000];
			const char *answer = list;
			size_t count = 0, length = 0;
			list[0] = '\0';
			if (question == 0)
				answer = spb_program_text(b.program, SPB_TEXT_LAYOUT_JSON, NULL, NULL);
			else if (question == 1)
				answer = spb_program_text(b.program, SPB_TEXT_LAYOUT_HEADER, "x", NULL);
			else if (question == 2)
				answer = spb_program_text(b.program, SPB_TEXT_LOCK, NULL, NULL);
			else if (question == 3)
				count = spb_program_descriptors(b.program, sizeof *d, &d);
			else if (question == 4)
				count = spb_program_resources(b.program, sizeof *r, &r);
			else if (question == 5)
				count = spb_program_push_constants(b.program, sizeof *range, &range);
			else
				count = spb_program_accesses(b.program, sizeof *a, &a);
			for (size_t i = 0; i < count && length < sizeof list - 100; i++) {
				length += (size_t)snprintf(list + length, sizeof list - length, "%s %u\n",
							   question == 3   ? d[i].name
							   : question == 4 ? r[i].name
							   : question == 5 ? range[i].name
									   : "",
							   question == 3   ? d[i].first_resource
							   : question == 4 ? r[i].descriptor
							   : question == 5 ? range[i].size
									   : a[i].id);
			}
			assert_non_null(answer);
			assert_true(*answer);
			if (!answers[question])
				answers[question] = strcpy(malloc(strlen(answer) + 1), answer);
			assert_string_equal(answer, answers[question]);
		}
		release(b);
	}
	for (int i = 0; i < QUESTIONS; i++)
		free(answers[i]);
}

static void queries_before_binding_fail(void **state)
{
	const spb_descriptor_binding *d = (const void *)&d;
	const spb_push_constant_range *range = (const void *)&d;
	spb_context *context;
	spb_program *program;

	(void)state;
	spb_context_create(NULL, NULL, &context);
	spb_program_create(context, NULL, &program);
	assert_int_equal(spb_program_descriptors(program, sizeof *d, &d), 0);
	assert_null(d);
	assert_int_equal(spb_program_push_constants(program, sizeof *range, &range), 0);
	assert_null(range);
	assert_int_equal(spb_program_descriptors(NULL, sizeof *d, &d), 0);
	spb_program_destroy(program);
	spb_context_destroy(context);
}

/* Also those of lists: a list is then empty, and the program stays usable. */
static void every_allocation_may_fail(void **state)
{
	static char prefix[4000]; /* repeated in the header, so that it takes memory */
	bool done = false;

	(void)state;
	memset(prefix, 'x', sizeof prefix - 1);
	for (long fail_at = 0; !done; fail_at++) {
		struct meter meter = {.fail_at = fail_at};
		const spb_allocator allocator = {metered, &meter};
		const spb_descriptor_binding *d;
		const spb_push_constant_range *range;
		const spb_descriptor_access *a;
		const spb_member *members;
		spb_status status;
		struct bound b = bind(&allocator, &status);
		assert_true(status == SPB_OK || status == SPB_ERROR_OUT_OF_MEMORY);
		if (status == SPB_OK) {
			const char *header = spb_program_text(b.program, SPB_TEXT_LAYOUT_HEADER, prefix, NULL);
			size_t counts[] = {
			    spb_program_descriptors(b.program, 64 + sizeof *d, &d),
			    spb_program_push_constants(b.program, 4, &range),
			    spb_program_accesses(b.program, 8, &a),
			    spb_program_members(b.program, sizeof *members, &members),
			};
			assert_true((counts[0] == 4) == (d != NULL));
			assert_true((counts[1] == 1) == (range != NULL));
			assert_true((counts[2] != 0) == (a != NULL));
			assert_true((counts[3] != 0) == (members != NULL));
			done = meter.count <= fail_at;
			assert_true(!done || (header && d && range && a && members));
		}
		release(b);
		assert_int_equal(meter.out, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(descriptors_have_views),
	    cmocka_unit_test(what_the_host_sets_is_listed),
	    cmocka_unit_test(blocks_are_listed),
	    cmocka_unit_test(push_constants_are_listed),
	    cmocka_unit_test(elements_have_the_size_of_the_caller),
	    cmocka_unit_test(the_order_of_queries_does_not_matter),
	    cmocka_unit_test(queries_before_binding_fail),
	    cmocka_unit_test(every_allocation_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
