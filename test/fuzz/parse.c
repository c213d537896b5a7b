/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: no crash, no hang, no huge allocation; what is accepted comes out whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "spirv-bind/spirv_bind.h"

#include "../results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct meter {
	size_t now, most;
};

static void *metered_resize(void *user, void *p, size_t old_size, size_t new_size)
{
	struct meter *m = user;

	m->now += new_size - old_size;
	if (m->now > m->most)
		m->most = m->now;
	if (new_size)
		return realloc(p, new_size);
	free(p);
	return NULL;
}

/* Every string of a message is there, and all of it can be read. */
static void read_message(void *user, const spb_message *m)
{
	size_t *length = user;

	*length += strlen(m->module) + strlen(m->pass) + strlen(m->text) + strlen(m->op) + strlen(m->name);
	*length += strlen(m->function) + strlen(m->file) + strlen(m->rule) + strlen(m->fingerprint);
	if ((*m->rule != 0) != (strlen(m->fingerprint) == 16) || (!*m->rule && (m->step_count || m->finding)))
		abort();
	for (uint32_t i = 0; i < m->step_count; i++)
		*length += strlen(m->steps[i].text) + strlen(m->steps[i].file) + strlen(m->steps[i].name);
}

/* The bound in the header, in either byte order, as far as SPIR-V allows it. */
static uint32_t bound_of(const uint32_t *words, size_t count)
{
	uint32_t bound = count > 3 ? words[3] : 0;

	if (count && words[0] != SpvMagicNumber)
		bound = bound >> 24 | (bound >> 8 & 0xFF00) | (bound << 8 & 0xFF0000) | bound << 24;
	return bound > 0x400000 ? 0 : bound;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct meter meter = {0};
	const spb_allocator allocator = {metered_resize, &meter};
	size_t length = 0;
	const spb_callbacks callbacks = {read_message, &length};
	spb_context *context;
	spb_program *program;
	spb_options options;
	size_t words = size / 4, count;
	uint32_t *copy = malloc(words * 4 + 4);

	memcpy(copy, data, words * 4);
	spb_options_init(&options, sizeof options);
	options.validation.which = SPB_VALIDATE_NONE;
	static const spb_policy policies[] = {
	    {"p", "place kind=texture -> range=2..5\nblock name=*a*\nreserve set=0 range=0..1\nplace set=1 -> set=0 "
		  "binding=auto\n"},
	    {"dxc-flattened", NULL},
	    {"llvm", NULL},
	    {"set-per-kind", NULL},
	};
	uint32_t choice = words > 3 ? copy[3] ^ (uint32_t)size : 0; /* the bound: of all that is a number */

	if (words > 2)
		choice += (copy[2] & 0xFFFF) * 4608u; /* the version of the tool: for who wants others of these */
	options.layout.rebind = (spb_rebind)(choice % 4);
	options.layout.rules = (spb_rules)(choice / 4 % 3);
	options.layout.unused = (spb_unused)(choice / 12 % 4);
	options.layout.policies = &policies[choice / 48 % 4];
	options.layout.policy_count = choice / 192 % 2;
	options.layout.allow_overlap = choice / 384 % 2;
	options.layout.auto_shift = choice / 768 % 2;
	options.layout.order = (spb_order)(choice / 1536 % 3);
	options.uniformity.mode = (spb_nonuniform)(choice / 4608 % 5 % 4);
	options.mode = choice / 4608 % 5 == 4 ? SPB_MODE_LINT : SPB_MODE_BIND;
	options.uniformity.prune = choice / 23040 % 2;
	options.uniformity.waterfall = (spb_waterfall)(choice / 46080 % 3);
	options.uniformity.scope = (spb_uniform_scope)(choice / 138240 % 3);
	options.explain = choice / 276480 % 2;
	options.heaps.model = (spb_heap_model)(choice / 552960 % 3);
	options.heaps.combined = (spb_combined)(choice / 1658880 % 2);
	options.handles.lower_buffer_references = choice / 3317760 % 2;
	options.heaps.unified_stride = choice / 6635520 % 2;
	options.uniformity.check_assertions = (spb_assertion_mode)(choice / 13271040 % 4);
	options.uniformity.lint_all = choice / 53084160 % 2;
	options.uniformity.suppress = choice / 106168320 % 2 ? "barriers,*@*:7,SPB5006@main" : NULL;
	if (spb_context_create(&allocator, &callbacks, &context) != SPB_OK ||
	    spb_program_create(context, &options, &program) != SPB_OK)
		abort();
	spb_status status = spb_program_add(program, "fuzz", copy, words, 0);
	if (status == SPB_OK)
		status = spb_program_bind(program);
	/* an error of the lint, or an assertion that is not proven */
	if (status == SPB_ERROR_NONUNIFORM && options.mode != SPB_MODE_LINT &&
	    options.uniformity.check_assertions != SPB_ASSERTIONS_COMPILE)
		abort();
	if (status == SPB_ERROR_INTERNAL || status == SPB_ERROR_INVALID_ARGUMENT)
		abort();
	if (status == SPB_OK && options.mode != SPB_MODE_LINT) {
		const uint32_t *out = spb_program_words(program, 0, SPB_WORDS_OUTPUT, &count);
		if (!out || count < 5)
			abort();
		if (!is_changed(program, 0) && (count != words || memcmp(out, copy, words * 4) != 0))
			abort();
		if (!spb_program_text(program, SPB_TEXT_LAYOUT_JSON, NULL, NULL) ||
		    !spb_program_text(program, SPB_TEXT_LOCK, NULL, NULL))
			abort();
	}
	/* Not in the name of what the input claims, but for arrays over its ids. */
	if (meter.most > 16u * 1024 * 1024 + 256 * (size_t)bound_of(copy, words) + 64 * size) {
		fprintf(stderr, "%zu bytes of memory for %zu with a bound of %u\n", meter.most, size,
			(unsigned)bound_of(copy, words));
		abort();
	}
	spb_program_destroy(program);
	spb_context_destroy(context);
	if (meter.now)
		abort();
	free(copy);
	return 0;
}
