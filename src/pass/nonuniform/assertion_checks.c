/* SPDX-License-Identifier: Apache-2.0 */
/* assertion_checks: --check-assertions=runtime turns each assertion that is not proven into a counter.
 *
 *     struct { uint `a.comp:14`; uint `a.comp:17`; } spb_assertions_0;          a storage buffer, bound like any other
 *
 * Each module has its own buffer, named after it. The names of its members, and "assertions" in the layout JSON,
 * give the lines of the assertions. A counter is the number of invocations that executed the assertion while its
 * scope did not agree, so the host fills the buffer with zeros and looks for nonzero values.
 *
 *   subgroup    OpGroupNonUniformAllEqual of each 32-bit word of the value, anywhere
 *   workgroup   the smallest and the largest of each word, by atomics in shared memory between barriers:
 *
 *                   barrier; low = ~0, high = 0; barrier; atomicMin(low, w), atomicMax(high, w); barrier; low == high
 *
 * Refused: an assertion about the workgroup that not all of its invocations are known to reach, since the check
 * needs barriers there, or in a stage without workgroups, where nothing compares a whole draw; SPIR-V before 1.3,
 * which has no subgroups. */
#include "pass/nonuniform/assertions.h"

enum { MOST_WORDS = 8 };

struct checks {
	struct spb_assertions *a;
	const struct spb_module *m;
	struct spb_edit *e;
	uint32_t uint, boolean; /* types */
	uint32_t shared_pointer, counter_pointer, buffer;
	uint32_t low[MOST_WORDS], high[MOST_WORDS]; /* shared variables */
	spb_at at;                                  /* where code is inserted */
	uint32_t counters;
};

static uint32_t constant(struct checks *c, uint32_t value)
{
	return spb_uint_constant(c->e, value);
}

static uint32_t put(struct checks *c, uint32_t op, uint32_t type, const uint32_t *operands, uint32_t count)
{
	uint32_t words[8], id = spb_new_id(c->e);

	words[0] = type;
	words[1] = id;
	memcpy(words + 2, operands, count * sizeof *operands);
	spb_insert(c->e, c->at, op, words, count + 2);
	return id;
}

/* The 32-bit words of a scalar; bits are compared, so 0.0 differs from -0.0, and a NaN equals itself. */
static uint32_t words_of_scalar(struct checks *c, uint32_t type, uint32_t id, uint32_t *words)
{
	const struct spb_module *m = c->m;
	spb_at at = m->def[type];
	uint32_t op = spb_op(m, at), width;

	if (op == SpvOpTypeBool) {
		words[0] = put(c, SpvOpSelect, c->uint, W(id, constant(c, 1), constant(c, 0)));
		return 1;
	}
	width = m->words[at + 2];
	if (width == 64) {
		uint32_t both = put(c, SpvOpBitcast, spb_uint2_type(c->e), W(id));
		words[0] = put(c, SpvOpCompositeExtract, c->uint, W(both, 0));
		words[1] = put(c, SpvOpCompositeExtract, c->uint, W(both, 1));
		return 2;
	}
	if (op == SpvOpTypeFloat && width < 32)
		id = put(c, SpvOpFConvert, spb_make(c->e, SpvOpTypeFloat, W(32)), W(id));
	if (op == SpvOpTypeInt && width < 32)
		words[0] = put(c, SpvOpUConvert, c->uint, W(id));
	else
		words[0] = type == c->uint ? id : put(c, SpvOpBitcast, c->uint, W(id));
	return 1;
}

static uint32_t words_of(struct checks *c, uint32_t id, uint32_t *words)
{
	const struct spb_module *m = c->m;
	uint32_t type = spb_type_of(m, id), count = 0;
	spb_at at = m->def[type];

	if (spb_op(m, at) != SpvOpTypeVector)
		return words_of_scalar(c, type, id, words);
	for (uint32_t i = 0; i < m->words[at + 3] && count + 2 <= MOST_WORDS; i++) {
		uint32_t part = put(c, SpvOpCompositeExtract, m->words[at + 2], W(id, i));
		count += words_of_scalar(c, m->words[at + 2], part, words + count);
	}
	return count;
}

static uint32_t all(struct checks *c, uint32_t so_far, uint32_t equal)
{
	return so_far ? put(c, SpvOpLogicalAnd, c->boolean, W(so_far, equal)) : equal;
}

static uint32_t equal_in_subgroup(struct checks *c, const uint32_t *words, uint32_t count)
{
	uint32_t equal = 0;

	spb_add_capability(c->e, SpvCapabilityGroupNonUniform);
	spb_add_capability(c->e, SpvCapabilityGroupNonUniformVote);
	for (uint32_t i = 0; i < count; i++)
		equal =
		    all(c, equal,
			put(c, SpvOpGroupNonUniformAllEqual, c->boolean, W(constant(c, SpvScopeSubgroup), words[i])));
	return equal;
}

static uint32_t shared_variable(struct checks *c)
{
	uint32_t id = spb_new_id(c->e);

	spb_add_global(c->e, SpvOpVariable, W(c->shared_pointer, id, SpvStorageClassWorkgroup));
	spb_list_everywhere(c->a->lint.u, id);
	return id;
}

static void barrier(struct checks *c)
{
	uint32_t scope = constant(c, SpvScopeWorkgroup);

	spb_insert(
	    c->e, c->at, SpvOpControlBarrier,
	    W(scope, scope, constant(c, SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsWorkgroupMemoryMask)));
}

static uint32_t equal_in_workgroup(struct checks *c, const uint32_t *words, uint32_t count)
{
	uint32_t scope = constant(c, SpvScopeWorkgroup), none = constant(c, 0), equal = 0;

	if (!c->shared_pointer)
		c->shared_pointer = spb_pointer_type(c->e, SpvStorageClassWorkgroup, c->uint);
	for (uint32_t i = 0; i < count; i++) {
		if (c->low[i])
			continue;
		c->low[i] = shared_variable(c);
		c->high[i] = shared_variable(c);
	}
	barrier(c); /* the values of an earlier assertion have been read */
	for (uint32_t i = 0; i < count; i++) {
		spb_insert(c->e, c->at, SpvOpAtomicStore, W(c->low[i], scope, none, constant(c, UINT32_MAX)));
		spb_insert(c->e, c->at, SpvOpAtomicStore, W(c->high[i], scope, none, none));
	}
	barrier(c);
	for (uint32_t i = 0; i < count; i++) {
		put(c, SpvOpAtomicUMin, c->uint, W(c->low[i], scope, none, words[i]));
		put(c, SpvOpAtomicUMax, c->uint, W(c->high[i], scope, none, words[i]));
	}
	barrier(c);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t low = put(c, SpvOpAtomicLoad, c->uint, W(c->low[i], scope, none));
		uint32_t high = put(c, SpvOpAtomicLoad, c->uint, W(c->high[i], scope, none));
		equal = all(c, equal, put(c, SpvOpIEqual, c->boolean, W(low, high)));
	}
	return equal;
}

static void count_failure(struct checks *c, uint32_t equal)
{
	uint32_t pointer = put(c, SpvOpAccessChain, c->counter_pointer, W(c->buffer, constant(c, c->counters)));
	uint32_t one = put(c, SpvOpSelect, c->uint, W(equal, constant(c, 0), constant(c, 1)));

	put(c, SpvOpAtomicIAdd, c->uint, W(pointer, constant(c, spb_device_scope(c->m)), constant(c, 0), one));
	c->counters++;
}

static bool has_workgroups(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		uint32_t model = spb_op(m, at) == SpvOpEntryPoint ? m->words[at + 1] : SpvExecutionModelGLCompute;
		if (model != SpvExecutionModelGLCompute && model != SpvExecutionModelTaskEXT &&
		    model != SpvExecutionModelMeshEXT && model != SpvExecutionModelTaskNV &&
		    model != SpvExecutionModelMeshNV)
			return false;
	}
	return true;
}

static void refuse(struct checks *c, const struct spb_assertion *item)
{
	const struct spb_uniformity *u = c->a->lint.j->uniformity;

	if (spb_version_word(c->m) < 0x00010300)
		spb_fail(c->m, SPB_ERROR_UNSUPPORTED, SPB_E_ASSERTION, item->at,
			 "--check-assertions=runtime needs SPIR-V 1.3, for operations of subgroups and storage "
			 "buffers" SPB_REMEDY "Compile for Vulkan 1.1 or later.");
	if (item->scope != SPB_UNIFORM_GROUP)
		return;
	if (!has_workgroups(c->m))
		spb_fail(c->m, SPB_ERROR_UNSUPPORTED, SPB_E_ASSERTION, item->at,
			 "this stage has no workgroups, and nothing can compare a value over a whole draw or launch at "
			 "run time" SPB_REMEDY "Assert that it is uniform in the subgroup, or check at compile time.");
	if (!(spb_uniformity_of(u, item->together) & SPB_UNIFORM_GROUP))
		spb_fail(c->m, SPB_ERROR_UNSUPPORTED, SPB_E_ASSERTION, item->at,
			 "this assertion needs a barrier, but not all invocations of the workgroup are known to reach "
			 "it together" SPB_REMEDY
			 "Move it out of the branch, or assert that the value is uniform in the subgroup.");
}

/* "a.comp:14", or "assertion 3" without lines. */
static const char *member_name(struct checks *c, const struct spb_assertion *item, uint32_t number)
{
	struct spb_source_place p = spb_place_of(spb_lint_places(&c->a->lint), item->at);
	const char *file = spb_file_of(c->m, p.file);
	struct spb_text_buffer text = {.arena = c->a->lint.arena};

	if (file && p.line)
		spb_text_format(&text, "%s:%u", file, p.line);
	else
		spb_text_format(&text, "assertion %u", number);
	return spb_text_end(&text);
}

/* Resources with the same name in several modules of a program would be one, and file names must not matter. */
static const char *buffer_name(struct checks *c)
{
	struct spb_text_buffer text = {.arena = c->a->lint.arena};

	spb_text_format(&text, "spb_assertions_%u", c->a->lint.u->program.number);
	return spb_text_end(&text);
}

static void keep_counter(struct checks *c, const struct spb_assertion *item)
{
	struct spb_unit *u = c->a->lint.u;
	struct spb_source_place p = spb_place_of(spb_lint_places(&c->a->lint), item->at);
	struct spb_counter counter = {.file = "", .line = p.line, .of_subgroup = item->scope == SPB_UNIFORM_SUBGROUP};

	const char *file = spb_file_of(c->m, p.file);
	if (file)
		counter.file = spb_copy_text(&u->m.keep, file, strlen(file));
	SPB_PUSH(&u->m.keep, &u->nonuniform.counters, counter);
}

static void make_buffer(struct checks *c, uint32_t count)
{
	struct spb_unit *u = c->a->lint.u;
	struct spb_arena *arena = c->a->lint.arena;
	uint32_t type = spb_new_id(c->e), *words = spb_alloc_array(arena, count + 1, sizeof *words), number = 0;

	words[0] = type;
	for (uint32_t i = 0; i < count; i++)
		words[i + 1] = c->uint;
	spb_add_global(c->e, SpvOpTypeStruct, words, count + 1);
	c->buffer = spb_add_own_buffer(u, type, buffer_name(c));
	c->counter_pointer = spb_pointer_type(c->e, SpvStorageClassStorageBuffer, c->uint);
	u->nonuniform.counter_buffer = c->buffer;
	for (size_t i = 0; i < c->a->items.count; i++) {
		if (c->a->items.items[i].proven)
			continue;
		spb_place_member(u, type, number, 4 * number, member_name(c, &c->a->items.items[i], number));
		keep_counter(c, &c->a->items.items[i]);
		number++;
	}
}

void spb_check_at_run_time(struct spb_assertions *a)
{
	struct checks c = {.a = a, .m = a->lint.m, .e = &a->lint.u->edit};
	uint32_t count = 0, words[MOST_WORDS];

	for (size_t i = 0; i < a->items.count; i++) {
		if (a->items.items[i].proven)
			continue;
		refuse(&c, &a->items.items[i]);
		count++;
	}
	if (!count)
		return;
	c.uint = spb_uint_type(c.e);
	c.boolean = spb_bool_type(c.e);
	make_buffer(&c, count);
	for (size_t i = 0; i < a->items.count; i++) {
		const struct spb_assertion *item = &a->items.items[i];
		uint32_t n;
		if (item->proven)
			continue;
		c.at = item->at;
		n = words_of(&c, item->value, words);
		count_failure(&c, item->scope == SPB_UNIFORM_GROUP ? equal_in_workgroup(&c, words, n)
								   : equal_in_subgroup(&c, words, n));
	}
}
