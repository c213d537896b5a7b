/* SPDX-License-Identifier: Apache-2.0 */
/* The plug-in: options by name and the field that each sets, refused values, files of the host, the key and what it
 * depends on, and calls that come too early or too late. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "assembled.h"
#include "lib/plugin/job.h"
#include "metered.h"
#include "results.h"

enum { FILES = 10, INCLUDED = 30 };

/* A host with files in memory. */
struct host {
	struct {
		const char *path, *bytes;
		size_t size;
	} files[FILES];
	size_t file_count;
	const void *lent; /* at most one at a time */
	size_t lent_size, reads, compiles;
	bool is_resolver, cannot_compile, compiles_to_nothing, lends_nothing;
	const uint32_t *compiled;
	size_t compiled_size;
	const char *included[INCLUDED];
	uint32_t included_count;
	char said[600], module[100];
	uint32_t messages;
	spb_severity severity;
	struct meter meter;
	spb_allocator allocator;
};

static const spb_plugin *plugin;

static bool read_file(void *user, const char *path, const void **bytes, size_t *size)
{
	struct host *h = user;

	assert_null(h->lent);
	h->reads++;
	for (size_t i = 0; i < h->file_count; i++) {
		if (strcmp(h->files[i].path, path) != 0)
			continue;
		*bytes = h->lent = h->files[i].bytes;
		*size = h->lent_size = h->files[i].size;
		return true;
	}
	return false;
}

static void release(void *user, const void *bytes, size_t size)
{
	struct host *h = user;

	assert_non_null(h->lent);
	assert_ptr_equal(bytes, h->lent);
	assert_int_equal(size, h->lent_size);
	h->lent = NULL;
}

static bool compile(void *user, const char *path, const void *source, size_t size, bool is_resolver,
		    spb_plugin_compiled *to)
{
	struct host *h = user;

	assert_null(h->lent);
	assert_int_equal(strlen(source), size);
	assert_true(*path);
	h->compiles++;
	h->is_resolver = is_resolver;
	if (h->cannot_compile)
		return false;
	if (h->compiles_to_nothing)
		return true;
	if (h->lends_nothing) {
		to->words = h->lent = "";
		h->lent_size = 0;
		return true;
	}
	to->words = h->lent = h->compiled;
	to->size = h->lent_size = h->compiled_size;
	to->files = h->included;
	to->file_count = h->included_count;
	return true;
}

static void hear(void *user, const spb_message *message)
{
	struct host *h = user;

	h->messages++;
	h->severity = message->severity;
	snprintf(h->said, sizeof h->said, "%s", message->text);
	snprintf(h->module, sizeof h->module, "%s", message->module);
}

static spb_job *begin(struct host *h)
{
	spb_job *job;

	h->meter = (struct meter){.fail_at = -1};
	h->allocator = (spb_allocator){metered, &h->meter};
	const spb_plugin_host host = {sizeof host, h, read_file, release, hear, &h->allocator, compile, NULL};
	assert_int_equal(plugin->create(&host, &job), SPB_OK);
	return job;
}

static void end(struct host *h, spb_job *job)
{
	plugin->destroy(job);
	assert_null(h->lent);
	assert_int_equal(h->meter.out, 0);
}

static void add_file(struct host *h, const char *path, const char *bytes, size_t size)
{
	assert_true(h->file_count < FILES);
	h->files[h->file_count].path = path;
	h->files[h->file_count].bytes = bytes;
	h->files[h->file_count++].size = size;
}

#define REFUSED(call)  assert_int_equal(call, SPB_ERROR_INVALID_ARGUMENT)
#define ACCEPTED(call) assert_int_equal(call, SPB_OK)

static uint32_t field_of(const spb_job *job, size_t field)
{
	uint32_t value;

	memcpy(&value, (const char *)&job->options + field, sizeof value);
	return value;
}

static const char *text_of(const spb_job *job, size_t field)
{
	const char *text;

	memcpy(&text, (const char *)&job->options + field, sizeof text);
	return text;
}

#define FIELD(f) offsetof(spb_options, f)

static const struct {
	const char *name, *words; /* NULL: a number; "": a switch */
	size_t field, given;
	uint32_t first;
} numbers[] = {
    {"rules", "slang hlsl", FIELD(layout.rules), 0, 1},
    {"rebind", "missing conflicts all all,sets", FIELD(layout.rebind), 0, 0},
    {"order", "source module name source-strict", FIELD(layout.order), 0, 0},
    {"auto-binding", NULL, FIELD(layout.auto_binding), FIELD(layout.has_auto_binding), 0},
    {"unused", "count last remove", FIELD(layout.unused), 0, 1},
    {"allow-overlap", "", FIELD(layout.allow_overlap), 0, 0},
    {"update-lock", "", FIELD(layout.update_lock), 0, 0},
    {"heap-model", "typed mutable descriptor-heap", FIELD(heaps.model), FIELD(heaps.has_model), 0},
    {"heap-set", NULL, FIELD(heaps.set), FIELD(heaps.has_set), 0},
    {"combined", "native split", FIELD(heaps.combined), 0, 0},
    {"bounds-check", "off clamp null", FIELD(heaps.bounds_check), 0, 0},
    {"split-combined", "", FIELD(combined.split), 0, 0},
    {"mode", "bind check lint collect", FIELD(mode), 0, 0},
    {"prune", "", FIELD(uniformity.prune), 0, 0},
    {"uniform-scope", "auto group group-or-subgroup", FIELD(uniformity.scope), 0, 0},
    {"waterfall", "lengths all drivers", FIELD(uniformity.waterfall), 0, 1},
    {"distrust-uniform", "", FIELD(uniformity.distrust_uniform), 0, 0},
    {"assume-aliased-references", "", FIELD(uniformity.aliased_references), 0, 0},
    {"check-assertions", "compile warn runtime off", FIELD(uniformity.check_assertions), 0, 0},
    {"target-env", "vulkan1.0 vulkan1.1 vulkan1.1spv1.4 vulkan1.2 vulkan1.3 vulkan1.4", FIELD(validation.env), 0, 1},
    {"validate", "output both none strict", FIELD(validation.which), 0, 0},
    {"allow-unvalidated", "", FIELD(validation.allow_unvalidated), 0, 0},
    {"accesses", "", FIELD(explain), 0, 0},
    {"strip-debug", "", FIELD(output.strip_debug), 0, 0},
};

static void set_and_expect(struct host *h, spb_job *job, const char *name, const char *value, size_t field,
			   uint32_t wanted)
{
	const uint32_t before = h->messages;

	ACCEPTED(plugin->set(job, name, value));
	assert_int_equal(h->messages, before);
	assert_int_equal(field_of(job, field), wanted);
}

/* The option stays as it was, and the message names it and the value. */
static void refuse(struct host *h, spb_job *job, const char *name, const char *value, const char *expected)
{
	const spb_options before = job->options;
	const size_t words = job->words.count;
	char said[600];

	REFUSED(plugin->set(job, name, value));
	assert_memory_equal(&before, &job->options, sizeof before);
	assert_int_equal(job->words.count, words);
	if (value && !*value)
		snprintf(said, sizeof said, "%s: empty value", name);
	else
		snprintf(said, sizeof said, "%s: expected %s; got \"%s\"", name, expected, value ? value : "");
	assert_string_equal(h->said, said);
	assert_int_equal(h->severity, SPB_SEVERITY_ERROR);
}

/* The message lists the possible words. */
static void refuse_word(struct host *h, spb_job *job, size_t i, const char *value)
{
	char word[40];

	REFUSED(plugin->set(job, numbers[i].name, value));
	for (const char *p = numbers[i].words; *p;) {
		const size_t length = strcspn(p, " ");
		snprintf(word, sizeof word, "%.*s", (int)length, p);
		assert_non_null(strstr(h->said, word));
		p += length + strspn(p + length, " ");
	}
	assert_memory_equal(h->said, numbers[i].name, strlen(numbers[i].name));
	assert_non_null(strstr(h->said, ": expected "));
}

static void options_with_words(struct host *h, spb_job *job, size_t i)
{
	const char *name = numbers[i].name;
	char word[40];
	uint32_t number = numbers[i].first;

	for (const char *p = numbers[i].words; *p; p += strspn(p, " ")) {
		const size_t length = strcspn(p, " ");
		snprintf(word, sizeof word, "%.*s", (int)length, p);
		set_and_expect(h, job, name, word, numbers[i].field, number++);
		p += length;
	}
	refuse(h, job, name, "", "");
	refuse_word(h, job, i, "zz");
	word[strlen(word) - 1] = 0; /* the beginning of one, and more than one */
	refuse_word(h, job, i, word);
	refuse_word(h, job, i, numbers[i].words);
	if (strcmp(name, "waterfall") != 0)
		refuse(h, job, name, NULL, "a value");
}

static void each_option_sets_its_field(void **state)
{
	(void)state;
	for (size_t i = 0; i < SPB_COUNT(numbers); i++) {
		struct host h = {.file_count = 0};
		spb_job *job = begin(&h);
		const char *name = numbers[i].name;
		const size_t field = numbers[i].field;
		spb_options expected;
		if (!numbers[i].words) {
			const char *const wrong[] = {
			    "",   "4294967296", "18446744073709551617", "-1", "+1", "1 ", " 1", "0x", "1a", "/", ":",
			    "1:", "1/"};
			set_and_expect(&h, job, name, "0", field, 0);
			set_and_expect(&h, job, name, "17", field, 17);
			set_and_expect(&h, job, name, "4294967295", field, UINT32_MAX);
			for (size_t k = 0; k < SPB_COUNT(wrong); k++)
				refuse(&h, job, name, wrong[k], "a number from 0 to 4294967295");
			refuse(&h, job, name, NULL, "a value");
			set_and_expect(&h, job, name, "9", field, 9);
		} else if (!*numbers[i].words) {
			set_and_expect(&h, job, name, NULL, field, 1);
			set_and_expect(&h, job, name, "0", field, 0);
			set_and_expect(&h, job, name, "1", field, 1);
			refuse(&h, job, name, "2", "1, 0 or no value");
			refuse(&h, job, name, "x", "1, 0 or no value");
			refuse(&h, job, name, "", "1, 0 or no value");
		} else {
			options_with_words(&h, job, i);
		}
		/* Only it and its `given` flag change. */
		spb_options_init(&expected, sizeof expected);
		const uint32_t value = field_of(job, field), one = 1;
		memcpy((char *)&expected + field, &value, sizeof value);
		if (numbers[i].given)
			memcpy((char *)&expected + numbers[i].given, &one, sizeof one);
		assert_memory_equal(&expected, &job->options, sizeof expected);
		end(&h, job);
	}
}

static void flags_of_the_validator_are_bits(void **state)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} flags[] = {
#define ROW(name, bit, option) {option, bit},
	    SPB_VALIDATOR_FLAGS(ROW)
#undef ROW
	};
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);
	uint32_t set = 0;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(flags); i++)
		set_and_expect(&h, job, flags[i].name, i % 2 ? "1" : NULL, FIELD(validation.flags),
			       set |= flags[i].bit);
	for (size_t i = 0; i < SPB_COUNT(flags); i++)
		set_and_expect(&h, job, flags[i].name + 2, "0", FIELD(validation.flags), set &= ~flags[i].bit);
	refuse(&h, job, flags[0].name + 2, "2", "1, 0 or no value");
	refuse(&h, job, flags[0].name + 2, "x", "1, 0 or no value");
	end(&h, job);
}

static void texts_are_copied(void **state)
{
	static const struct {
		const char *name;
		size_t field, given;
	} texts[] = {
	    {"lower-buffer-references", FIELD(handles.buffer_reference_blocks), FIELD(handles.lower_buffer_references)},
	    {"ycbcr", FIELD(uniformity.ycbcr), 0},
	    {"suppress", FIELD(uniformity.suppress), 0}};
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(texts); i++) {
		char value[] = "some text";
		ACCEPTED(plugin->set(job, texts[i].name, value));
		memset(value, '*', strlen(value));
		assert_string_equal(text_of(job, texts[i].field), "some text");
		if (texts[i].given)
			assert_int_equal(field_of(job, texts[i].given), 1);
		if (i)
			refuse(&h, job, texts[i].name, NULL, "a value");
	}
	ACCEPTED(plugin->set(job, "suppress", "more")); /* each adds to those before it */
	assert_string_equal(text_of(job, FIELD(uniformity.suppress)), "some text,more");
	end(&h, job);
}

/* With two dashes or without; and the list of names. */
static void options_are_known_by_their_names(void **state)
{
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);
	uint32_t count = 0;

	(void)state;
	ACCEPTED(plugin->set(job, "--heap-size", "5"));
	assert_int_equal(job->options.heaps.size, 5);
	REFUSED(plugin->set(job, "-heap-size", "6"));
	assert_string_equal(h.said, "unknown option -heap-size");
	REFUSED(plugin->set(job, "heap-siz", "6"));
	REFUSED(plugin->set(job, "", "6"));
	assert_int_equal(job->options.heaps.size, 5);
	for (const char *name; (name = plugin->name(SPB_NAME_OPTION, count)); count++) {
		for (uint32_t i = 0; i < count; i++)
			assert_string_not_equal(plugin->name(SPB_NAME_OPTION, i), name);
	}
	assert_true(count > SPB_COUNT(numbers));
	assert_null(plugin->name(SPB_NAME_OPTION, count + 1));
	for (uint32_t i = 0; i < 3; i++)
		assert_non_null(plugin->name(SPB_NAME_TOOL, i));
	assert_string_equal(plugin->name(SPB_NAME_TOOL, 0), "0.1.0");
	assert_string_equal(plugin->name(SPB_NAME_TOOL, 1), spvSoftwareVersionString());
	assert_string_equal(plugin->name(SPB_NAME_TOOL, 2), spb_grammar_version());
	assert_null(plugin->name(SPB_NAME_TOOL, 3));
	assert_null(spb_plugin_get(0));
	assert_null(spb_plugin_get(2));
	assert_int_equal(plugin->struct_size, sizeof *plugin);
	assert_int_equal(plugin->version, 1);
	end(&h, job);
}

static void heaps_have_places(void **state)
{
	static const char *const wrong[] = {"",
					    "sampler",
					    "sampler=",
					    "sampler=1",
					    "sampler=1.",
					    "sampler=.1",
					    "sampler=1.2.",
					    "sampler=1.2 ",
					    "sampler=4294967296.0",
					    "sampler=0.4294967296",
					    "sample=1.2",
					    "samplerx=1.2",
					    "=1.2",
					    "as=addres",
					    "as=address=1.2",
					    "sampler=a.2",
					    "sampler=1,2",
					    "sampler=1.b"};
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);
	char value[60];

	(void)state;
	for (uint32_t kind = 0; spb_heap_kind_name(kind); kind++) {
		snprintf(value, sizeof value, "%s=%u.%u", spb_heap_kind_name(kind), 10 + kind, UINT32_MAX - kind);
		ACCEPTED(plugin->set(job, "heap", value));
		assert_int_equal(job->options.heaps.place_count, kind + 1);
		assert_int_equal(job->options.heaps.places[kind].kind, kind);
		assert_int_equal(job->options.heaps.places[kind].set, 10 + kind);
		assert_int_equal(job->options.heaps.places[kind].binding, UINT32_MAX - kind);
	}
	for (size_t i = 0; i < SPB_COUNT(wrong); i++) {
		const bool no_kind =
		    !strncmp(wrong[i], "sample=", 7) || !strncmp(wrong[i], "samplerx", 8) || *wrong[i] == '=';
		refuse(&h, job, "heap", wrong[i],
		       no_kind ? "sampler, combined, texture, image, utexbuf, stexbuf, ubo, ssbo, as or counter"
			       : "KIND=SET.BINDING or as=address");
	}
	REFUSED(plugin->set(job, "heap", NULL));
	assert_string_equal(h.said, "heap: expected a value; got \"\"");
	assert_int_equal(job->options.heaps.as_address, 0);
	ACCEPTED(plugin->set(job, "heap", "as=address"));
	assert_int_equal(job->options.heaps.as_address, 1);
	ACCEPTED(plugin->set(job, "instrument-handles", "7.4294967295"));
	assert_int_equal(job->options.handles.instrument, 1);
	assert_int_equal(job->options.handles.instrument_set, 7);
	assert_int_equal(job->options.handles.instrument_binding, UINT32_MAX);
	for (size_t i = 0; i < SPB_COUNT(wrong); i++) {
		if (strncmp(wrong[i], "sampler=", 8) == 0 && strcmp(wrong[i] + 8, "1") != 0)
			REFUSED(plugin->set(job, "instrument-handles", wrong[i] + 8));
	}
	assert_int_equal(job->options.handles.instrument_set, 7);
	end(&h, job);
}

static void sizes_of_heaps(void **state)
{
	static const char *const wrong[] = {"", "4294967296", "-1", "x", "0:1", "4:", "4:x", "4:4294967296", "4:1 "};
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);
	const spb_heap_options *heaps = &job->options.heaps;

	(void)state;
	ACCEPTED(plugin->set(job, "heap-size", "0x10:7"));
	assert_true(heaps->size == 16 && heaps->has_size_constant && heaps->size_constant == 7);
	ACCEPTED(plugin->set(job, "heap-size", "4294967295"));
	assert_true(heaps->size == UINT32_MAX && !heaps->has_size_constant);
	for (size_t i = 0; i < SPB_COUNT(wrong); i++)
		refuse(&h, job, "heap-size", wrong[i], "a number from 0 to 4294967295, or N:SPECID");
	end(&h, job);
}

static void strides_of_heaps(void **state)
{
	static const struct {
		const char *value;
		uint32_t resources, samplers, unified;
	} right[] = {{"4", 4, 0, 0},          {"65536", 65536, 0, 0},   {"size", 0, 0, 0},
		     {"8,12", 8, 12, 0},      {"size,16", 0, 16, 0},    {"16,size", 16, 0, 0},
		     {"unified", 0, 0, 1},    {"unified,32", 0, 32, 1}, {"unified,size", 0, 0, 1},
		     {"4,65536", 4, 65536, 0}};
	static const char *const wrong[] = {
	    "",      "0",       "2",       "65540",     "65537",       "sizes",    "siz",      "4,",       "4,0",
	    "4,6",   ",4",      "4,4,4",   "4 ",        "unifie",      "unified4", "unified,", "x",        "-4",
	    "size,", "4,sizex", "4,size,", "unified,0", "65536,65540", "sizx",     "unifiex",  "unifiex,4"};
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(right); i++) {
		ACCEPTED(plugin->set(job, "heap-stride", right[i].value));
		assert_int_equal(job->options.heaps.resource_stride, right[i].resources);
		assert_int_equal(job->options.heaps.sampler_stride, right[i].samplers);
		assert_int_equal(job->options.heaps.unified_stride, right[i].unified);
	}
	for (size_t i = 0; i < SPB_COUNT(wrong); i++)
		refuse(&h, job, "heap-stride", wrong[i],
		       "RESOURCES or RESOURCES,SAMPLERS, each size or a multiple of 4 up to 65536 (RESOURCES also "
		       "unified)");
	end(&h, job);
}

static void values_of_specialization_constants(void **state)
{
	static const struct {
		const char *value;
		uint32_t id;
		uint64_t number;
	} right[] = {{"0=0", 0, 0},
		     {"4294967295=18446744073709551615", UINT32_MAX, UINT64_MAX},
		     {"7=-1", 7, UINT64_MAX},
		     {"7=-9223372036854775808", 7, (uint64_t)1 << 63},
		     {"0x1F=0xabcdefABCDEF", 31, 0xABCDEFABCDEF},
		     {"0X10=0Xf", 16, 15},
		     {"0xFFFFFFFF=0xFFFFFFFFFFFFFFFF", UINT32_MAX, UINT64_MAX},
		     {"010=010", 10, 10},
		     {"1=-0x10", 1, UINT64_MAX - 15},
		     {"1=0x0", 1, 0},
		     {"1=0x9", 1, 9}};
	static const char *const wrong[] = {"",
					    "1",
					    "1=",
					    "=1",
					    "1=1=1",
					    "1=+1",
					    "1=--1",
					    "1= 1",
					    "1=1 ",
					    "1=x",
					    "0x=1",
					    "1=0x",
					    "1=0xg",
					    "1=0x1g",
					    "1=0x/",
					    "1=0x:",
					    "1=0x@",
					    "1=0x`",
					    "1=-",
					    "a=1",
					    "1,1",
					    "4294967296=1",
					    "0x100000000=1",
					    "1=18446744073709551616",
					    "1=-9223372036854775809",
					    "1=0x10000000000000000"};
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);

	(void)state;
	for (uint32_t i = 0; i < SPB_COUNT(right); i++) {
		ACCEPTED(plugin->set(job, "spec", right[i].value));
		assert_int_equal(job->options.layout.spec_value_count, i + 1);
		assert_int_equal(job->options.layout.spec_values[i].id, right[i].id);
		assert_true(job->options.layout.spec_values[i].value == right[i].number);
	}
	for (size_t i = 0; i < SPB_COUNT(wrong); i++)
		refuse(&h, job, "spec", wrong[i], "a SpecId and an integer, ID=VALUE");
	end(&h, job);
}

static const uint32_t *first_fit(size_t *count)
{
	static uint32_t words[2000];
	static size_t known;

	if (!known) {
		uint32_t *read = assemble(SPB_FIXTURES "/assign-bindings/first-fit.spvasm", &known);
		assert_true(known <= SPB_COUNT(words));
		memcpy(words, read, known * sizeof *words);
		free(read);
	}
	*count = known;
	return words;
}

static void calls_out_of_order_are_refused(void **state)
{
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);
	size_t count, length = 9;
	const uint32_t *words = first_fit(&count);

	(void)state;
	REFUSED(plugin->set(NULL, "rules", "hlsl"));
	REFUSED(plugin->set(job, NULL, "hlsl"));
	REFUSED(plugin->add(NULL, "m", words, count, 0));
	REFUSED(plugin->add(job, NULL, words, count, 0));
	REFUSED(plugin->add(job, "m", NULL, count, 0));
	REFUSED(plugin->add(job, "m", words, SIZE_MAX / 4 + 1, 0));
	REFUSED(plugin->add(job, "m", words, SIZE_MAX / 4 + 1, SPB_ADD_IMPORT));
	h.meter.count = h.meter.fail_at = 0; /* larger than any memory */
	assert_int_equal(plugin->add(job, "m", words, SIZE_MAX / 4, 0), SPB_ERROR_OUT_OF_MEMORY);
	h.meter.fail_at = -1;
	REFUSED(plugin->add_file(NULL, "m", 0));
	REFUSED(plugin->add_file(job, NULL, 0));
	REFUSED(plugin->run(NULL));
	assert_null(plugin->key(NULL));
	assert_null(plugin->dependency(NULL, 0));
	assert_null(plugin->program(NULL));
	assert_null(plugin->module(NULL, 0, &length));
	assert_int_equal(length, 0);
	for (int what = 0; what <= SPB_TEXT_FACTS; what++) {
		for (int k = 0; k < 2; k++) {
			length = 9;
			assert_null(plugin->text(k ? job : NULL, (spb_text_kind)what, "x", &length));
			assert_int_equal(length, 0);
			assert_null(plugin->text(k ? job : NULL, (spb_text_kind)what, NULL, NULL));
		}
	}
	plugin->destroy(NULL);
	assert_int_equal(h.messages, 0);
	ACCEPTED(plugin->add(job, "m", words, count, 0));
	assert_null(plugin->program(job));
	assert_non_null(plugin->key(job));
	assert_int_equal(strlen(plugin->key(job)), 64);
	assert_ptr_equal(plugin->key(job), plugin->key(job));
	REFUSED(plugin->set(job, "rules", "hlsl"));
	assert_string_equal(h.said, "nothing can be set or added after key() or run()");
	REFUSED(plugin->add(job, "m", words, count, 0));
	REFUSED(plugin->add(job, "m", words, count, SPB_ADD_IMPORT));
	REFUSED(plugin->add_file(job, "m", 0));
	assert_int_equal(h.messages, 4);
	ACCEPTED(plugin->run(job));
	assert_null(strstr(h.said, "cannot be used together"));
	REFUSED(plugin->run(job));
	assert_string_equal(h.said, "a job is bound once; create another one");
	assert_non_null(plugin->program(job));
	assert_non_null(plugin->module(job, 0, &length));
	assert_true(length >= count);
	assert_null(plugin->module(job, 1, &length));
	assert_true(is_changed(plugin->program(job), 0));
	for (spb_text_kind kind = SPB_TEXT_LAYOUT_JSON; kind < SPB_TEXT_FACTS; kind++) {
		const bool header = kind == SPB_TEXT_LAYOUT_HEADER || kind == SPB_TEXT_LAYOUT_GLSL;
		const char *text = plugin->text(job, kind, "pre", &length);
		assert_non_null(text);
		assert_int_equal(strlen(text), length);
		assert_int_equal(*text == '{', kind == SPB_TEXT_LAYOUT_JSON);
		assert_int_equal(strstr(text, "lock version=") != NULL, kind == SPB_TEXT_LOCK);
		if (header) { /* the C header has more than the one for GLSL */
			assert_non_null(strstr(text, "#define pre_"));
			assert_int_equal(strstr(text, "pre_tables") != NULL, kind == SPB_TEXT_LAYOUT_HEADER);
			assert_null(plugin->text(job, kind, NULL, &length));
		}
	}
	assert_null(plugin->text(job, SPB_TEXT_FACTS, NULL, &length));
	assert_null(plugin->dependency(job, 0));
	end(&h, job);
}

static void options_are_checked_together(void **state)
{
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);

	(void)state;
	ACCEPTED(plugin->set(job, "bounds-check", "clamp")); /* of no size */
	REFUSED(plugin->run(job));
	assert_string_equal(h.said, "the options cannot be used together, or a policy is malformed");
	assert_int_equal(h.messages, 1);
	end(&h, job);
}

static void hosts_are_checked(void **state)
{
	struct host h = {.file_count = 0};
	spb_plugin_host host = {sizeof host, &h, NULL, NULL, NULL, NULL, NULL, NULL};
	spb_job *job = NULL;
	struct {
		spb_plugin_host known;
		char more[5000];
	} larger = {.known = host};

	(void)state;
	REFUSED(plugin->create(NULL, &job));
	REFUSED(plugin->create(&host, NULL));
	host.struct_size = 3;
	REFUSED(plugin->create(&host, &job));
	host.struct_size = 4; /* a host without functions */
	ACCEPTED(plugin->create(&host, &job));
	plugin->destroy(job);
	host.struct_size = sizeof host;
	host.read = read_file;
	REFUSED(plugin->create(&host, &job));
	assert_null(job);
	host.release = release;
	ACCEPTED(plugin->create(&host, &job));
	assert_true(job->host.read == read_file && job->host.user == &h);
	plugin->destroy(job);
	host.struct_size = offsetof(spb_plugin_host, message); /* an older host, without messages */
	host.message = hear;
	ACCEPTED(plugin->create(&host, &job));
	assert_true(job->host.read == read_file && job->host.release == release && !job->host.message);
	plugin->destroy(job);
	larger.known.struct_size = 4096;
	ACCEPTED(plugin->create(&larger.known, &job));
	plugin->destroy(job);
	larger.known.struct_size = 4097;
	REFUSED(plugin->create(&larger.known, &job));
	for (long n = 0; n < 2; n++) {
		h.meter = (struct meter){.fail_at = n};
		h.allocator = (spb_allocator){metered, &h.meter};
		host.struct_size = sizeof host;
		host.allocator = &h.allocator;
		assert_int_equal(plugin->create(&host, &job), SPB_ERROR_OUT_OF_MEMORY);
		assert_null(job);
		assert_int_equal(h.meter.out, 0);
	}
}

static const char rules_text[] = "shift class=t by=7\n";

static void rules_come_before_profiles(void **state)
{
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);
	char with_zero[] = "\0shift\0class=t by=7\n";

	(void)state;
	add_file(&h, "folder/engine.policy", rules_text, strlen(rules_text));
	add_file(&h, "zero", with_zero, sizeof with_zero - 1);
	ACCEPTED(plugin->set(job, "profile", "folder/engine.policy"));
	ACCEPTED(plugin->set(job, "policy", "shift class=u by=9"));
	ACCEPTED(plugin->set(job, "policy", "place -> set=1"));
	ACCEPTED(plugin->set(job, "profile", "dx12-shifts"));
	ACCEPTED(plugin->set(job, "profile", "zero"));
	ACCEPTED(plugin->set(job, "entry", "main"));
	ACCEPTED(plugin->set(job, "merge-combined", "a:b"));
	ACCEPTED(plugin->set(job, "merge-combined", "c:d"));
	assert_int_equal(h.reads, 0);
	assert_non_null(plugin->key(job));
	assert_int_equal(h.reads, 2);
	const spb_policy *p = job->options.layout.policies;
	assert_int_equal(job->options.layout.policy_count, 5);
	assert_string_equal(p[0].name, "--policy=place -> set=1");
	assert_string_equal(p[0].text, "place -> set=1");
	assert_string_equal(p[1].name, "folder/engine.policy");
	assert_string_equal(p[1].text, rules_text);
	assert_string_equal(p[2].name, "dx12-shifts");
	assert_null(p[2].text);
	assert_string_equal(p[3].text, "?shift?class=t by=7\n"); /* a 0 byte does not end a text */
	assert_string_equal(p[4].text, "shift class=u by=9");    /* the last one counts */
	assert_int_equal(job->options.layout.entry_count, 1);
	assert_string_equal(job->options.layout.entries[0], "main");
	assert_int_equal(job->options.combined.merge_count, 2);
	assert_string_equal(job->options.combined.merge[1], "c:d");
	assert_string_equal(plugin->dependency(job, 0), "folder/engine.policy");
	assert_string_equal(plugin->dependency(job, 1), "zero");
	assert_null(plugin->dependency(job, 2));
	end(&h, job);
}

static void unreadable_files_are_reported(void **state)
{
	static const char *const options[] = {"profile", "lock", "resolver"};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(options); i++) {
		for (int can_read = 0; can_read < 2; can_read++) {
			struct host h = {.file_count = 0};
			spb_job *job = begin(&h);
			if (!can_read)
				job->host.read = NULL;
			ACCEPTED(plugin->set(job, options[i], "a/missing"));
			assert_null(plugin->key(job));
			assert_string_equal(h.said, can_read ? "the host has no such file" : "the host reads no files");
			assert_string_equal(h.module, "a/missing");
			assert_null(plugin->key(job)); /* nor later */
			REFUSED(plugin->run(job));
			assert_int_equal(h.messages, 1);
			assert_int_equal(h.reads, can_read);
			assert_string_equal(plugin->dependency(job, 0), "a/missing");
			assert_null(plugin->dependency(job, 1));
			end(&h, job);
		}
	}
}

/* A lock that is to be created need not exist. */
static void locks_are_read_unless_they_are_new(void **state)
{
	static const char lock[] = "lock version=1\n";

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct host h = {.file_count = 0};
		spb_job *job = begin(&h);
		const bool is_there = i % 2, update = i / 2;
		if (is_there)
			add_file(&h, "x/the.lock", lock, strlen(lock));
		ACCEPTED(plugin->set(job, "lock", "x/the.lock"));
		if (update)
			ACCEPTED(plugin->set(job, "update-lock", NULL));
		assert_int_equal(plugin->key(job) != NULL, is_there || update);
		if (is_there)
			assert_string_equal(job->options.layout.lock, lock);
		else
			assert_null(job->options.layout.lock);
		if (is_there || update)
			assert_string_equal(job->options.layout.lock_name, "x/the.lock");
		assert_int_equal(h.reads, 1);
		end(&h, job);
	}
}

static void sources_are_compiled_by_the_host(void **state)
{
	static const char source[] = "void main() {}";
	size_t count;
	const uint32_t *words = first_fit(&count);
	uint32_t *swapped = malloc(count * sizeof *swapped);

	(void)state;
	assert_non_null(swapped);
	spb_swap_words(swapped, words, count);
	for (int i = 0; i < 12; i++) {
		struct host h = {.compiled = words, .compiled_size = count * sizeof *words};
		spb_job *job = begin(&h);
		const char *said = NULL;
		h.included[0] = "common.glsl";
		h.included[1] = "missing.glsl";
		h.included_count = 2;
		add_file(&h, "a.frag", source, strlen(source));
		add_file(&h, "b.spv", (const char *)words, count * sizeof *words);
		add_file(&h, "c.spv", (const char *)swapped, count * sizeof *words);
		add_file(&h, "odd.spv", (const char *)words, count * sizeof *words - 1);
		add_file(&h, "empty", "", 0);
		add_file(&h, "common.glsl", "x", 1);
		add_file(&h, "three", "\x03\x02\x23", 3);
		add_file(&h, "four", (const char *)words, 4);
		static const char *const names[] = {"odd.spv", "empty", "three", "three", "four", "a.frag"};
		ACCEPTED(plugin->add_file(job, i < 6 ? "a.frag" : names[i - 6], 0));
		size_t compiles = 1, dependencies = 3;
		switch (i) {
		case 0: /* once, however often it is added */
			ACCEPTED(plugin->add_file(job, "a.frag", 0));
			ACCEPTED(plugin->add_file(job, "b.spv", 0));
			ACCEPTED(plugin->add_file(job, "c.spv", 0));
			for (uint32_t k = 2; k < INCLUDED; k++) {
				static char more[INCLUDED][8];
				snprintf(more[k], sizeof more[k], "%u", k);
				h.included[k] = more[k];
			}
			h.included_count = INCLUDED;
			dependencies = 3 + INCLUDED;
			break;
		case 1:
			h.cannot_compile = true;
			said = "the host cannot compile it";
			break;
		case 2:
			h.compiles_to_nothing = true;
			said = "the host has compiled it to nothing";
			break;
		case 3:
			job->host.compile = NULL;
			said = "this is not SPIR-V; the host compiles nothing";
			compiles = 0;
			break;
		case 4:
			h.compiled_size -= 1;
			said = "this is not SPIR-V";
			break;
		case 5:
			h.compiled_size = 0;
			said = "the host has compiled it to nothing";
			break;
		case 6:
			said = "this is not SPIR-V";
			compiles = 0;
			break;
		case 7:
			h.cannot_compile = true;
			said = "the host cannot compile it";
			break;
		case 8: /* too short to be SPIR-V */
			h.cannot_compile = true;
			said = "the host cannot compile it";
			break;
		case 10: /* the magic number alone is */
			compiles = 0;
			dependencies = 1;
			break;
		case 11:
			h.lends_nothing = true;
			said = "the host has compiled it to nothing";
			break;
		default:
			break;
		}
		if (i == 5)
			h.compiled = NULL; /* then nothing is lent */
		assert_int_equal(plugin->key(job) != NULL, said == NULL);
		assert_int_equal(h.compiles, compiles);
		assert_false(h.is_resolver);
		if (said) {
			assert_string_equal(h.said, said);
			assert_string_equal(h.module, plugin->dependency(job, 0));
		} else {
			for (size_t k = 0; k < dependencies; k++)
				assert_non_null(plugin->dependency(job, (uint32_t)k));
			assert_null(plugin->dependency(job, (uint32_t)dependencies));
			if (compiles) {
				assert_string_equal(plugin->dependency(job, 1), "common.glsl");
				assert_string_equal(plugin->dependency(job, 2), "missing.glsl");
			}
			assert_int_equal(h.reads, dependencies);
		}
		if (i == 0) {
			const struct spb_job_module *m = job->modules.items;
			for (size_t k = 0; k < 4; k++)
				assert_int_equal(m[k].size, count * sizeof *words);
			assert_ptr_equal(m[0].bytes, m[1].bytes);
			assert_memory_equal(m[0].bytes, words, m[0].size);
			assert_memory_equal(m[2].bytes, words, m[0].size);
			assert_memory_equal(m[3].bytes, swapped, m[0].size);
		}
		end(&h, job);
	}
	free(swapped);
}

static void resolvers_are_compiled_as_such(void **state)
{
	size_t count;
	const uint32_t *words = first_fit(&count);
	struct host h = {.compiled = words, .compiled_size = count * sizeof *words};
	spb_job *job = begin(&h);

	(void)state;
	add_file(&h, "r/resolve.glsl", "uint f() { return 1; }", 22);
	ACCEPTED(plugin->set(job, "resolver", "r/resolve.glsl"));
	assert_non_null(plugin->key(job));
	assert_true(h.is_resolver);
	assert_int_equal(job->options.handles.resolver_count, 1);
	assert_string_equal(job->options.handles.resolvers[0].name, "r/resolve.glsl");
	assert_int_equal(job->options.handles.resolvers[0].word_count, count);
	assert_memory_equal(job->options.handles.resolvers[0].words, words, count * sizeof *words);
	end(&h, job);
}

static void resolver_key(const uint32_t *words, size_t size, char key[65])
{
	struct host h = {.compiled = words, .compiled_size = size};
	spb_job *job = begin(&h);

	add_file(&h, "r.glsl", "uint f() { return 1; }", 22);
	ACCEPTED(plugin->set(job, "resolver", "r.glsl"));
	assert_non_null(plugin->key(job));
	strcpy(key, plugin->key(job));
	end(&h, job);
}

static void the_key_has_the_compiled_resolver(void **state)
{
	size_t count;
	const uint32_t *words = first_fit(&count);
	char one[65], other[65];

	(void)state;
	resolver_key(words, count * sizeof *words, one);
	resolver_key(words, count * sizeof *words, other);
	assert_string_equal(one, other);
	resolver_key(words, (count - 1) * sizeof *words, other);
	assert_string_not_equal(one, other);
}

static void digest_part(struct spb_blake2 *b, const void *bytes, uint64_t size)
{
	spb_blake2_add(b, &size, sizeof size);
	spb_blake2_add(b, bytes, size);
}

/* A hash of all parts, each with its length. */
static void the_key_is_a_digest(void **state)
{
	static const char *const begin_with[] = {"0.1.0",    NULL,   NULL, "profile=a.policy\nrules=hlsl\n",
						 "a.policy", "found"};
	size_t count;
	const uint32_t *words = first_fit(&count);
	struct host h = {.file_count = 0};
	spb_job *job = begin(&h);
	unsigned char digest[DIGEST];
	char key[65];
	struct spb_blake2 b;

	(void)state;
	add_file(&h, "x/a.policy", rules_text, strlen(rules_text));
	ACCEPTED(plugin->set(job, "--profile", "x/a.policy"));
	ACCEPTED(plugin->set(job, "rules", "hlsl"));
	ACCEPTED(plugin->add(job, "y/m", words, count, 0));
	ACCEPTED(plugin->add(job, "i", words, count - 1, SPB_ADD_IMPORT));
	spb_blake2_begin(&b);
	for (uint32_t i = 0; i < SPB_COUNT(begin_with); i++) {
		const char *part = begin_with[i] ? begin_with[i] : plugin->name(SPB_NAME_TOOL, i);
		digest_part(&b, part, strlen(part));
	}
	digest_part(&b, rules_text, strlen(rules_text));
	digest_part(&b, "module", 6);
	digest_part(&b, "m", 1);
	digest_part(&b, words, count * sizeof *words);
	digest_part(&b, "import", 6);
	digest_part(&b, "i", 1);
	digest_part(&b, words, (count - 1) * sizeof *words);
	spb_blake2_end(&b, digest);
	for (size_t i = 0; i < DIGEST; i++)
		snprintf(key + 2 * i, 3, "%02x", digest[i]);
	assert_string_equal(plugin->key(job), key);
	end(&h, job);
}

/* A job by a number: which of its properties differs from those of job 0. */
static void make_job(int which, char key[65])
{
	size_t count;
	const uint32_t *words = first_fit(&count);
	uint32_t *other = malloc(count * sizeof *other);
	struct host h = {.compiled = words, .compiled_size = count * sizeof *words};
	spb_job *job = begin(&h);

	assert_non_null(other);
	memcpy(other, words, count * sizeof *other);
	other[2] = which == 1;
	add_file(&h,
		 which == 20  ? "elsewhere/a.policy"
		 : which == 2 ? "folder/b.policy"
			      : "folder/a.policy",
		 which == 3 ? "shift class=t by=8\n" : rules_text, strlen(rules_text));
	add_file(&h, "x/source.frag", which == 4 ? "void main() { }" : "void main() {}", 14);
	if (which == 5)
		h.compiled_size -= 4;
	if (which == 6)
		h.included[0] = "new", h.included_count = 1;
	if (which == 7) {
		h.included[0] = "new", h.included_count = 1;
		add_file(&h, "new", "", 0);
	}
	if (which == 8) {
		h.included[0] = "new", h.included_count = 1;
		add_file(&h, "new", "y", 1);
	}
	if (which == 24)
		h.included[0] = "newer", h.included_count = 1;
	ACCEPTED(plugin->set(job, "profile", h.files[0].path));
	ACCEPTED(plugin->set(job, which == 21 ? "--heap-size" : "heap-size", which == 9 ? "64" : "63"));
	if (which == 10)
		ACCEPTED(plugin->set(job, "prune", NULL));
	if (which == 11)
		ACCEPTED(plugin->set(job, "prune", "0"));
	if (which == 12)
		ACCEPTED(plugin->set(job, "spec", "1=2"));
	if (which == 13)
		ACCEPTED(plugin->set(job, "spec", "1=3"));
	const char *name = which == 14 ? "m" : which == 22 ? "else/where/n" : "where/n";
	if (which == 15)
		ACCEPTED(plugin->add(job, name, other, count, SPB_ADD_IMPORT));
	else
		ACCEPTED(plugin->add(job, name, other, which == 16 ? count - 1 : count, 0));
	ACCEPTED(plugin->add_file(job, "x/source.frag", 0));
	if (which == 17)
		ACCEPTED(plugin->add(job, "another", words, count, 0));
	if (which == 18)
		ACCEPTED(plugin->set(job, "entry", "folder/a"));
	if (which == 19)
		ACCEPTED(plugin->set(job, "entry", "a"));
	if (which == 23)
		ACCEPTED(plugin->set(job, "prune", "1"));
	assert_non_null(plugin->key(job));
	strcpy(key, plugin->key(job));
	end(&h, job);
	free(other);
}

/* It depends on all contents and names, but not on folders. Jobs 20 to 23 equal others. */
static void the_key_covers_everything_that_affects_results(void **state)
{
	static const int same_as[] = {0, 0, 0, 10};
	char keys[25][65];

	(void)state;
	for (int i = 0; i < 25; i++) {
		make_job(i, keys[i]);
		assert_int_equal(strspn(keys[i], "0123456789abcdef"), 64);
		for (int k = 0; k < i; k++) {
			if (i >= 20 && i < 24 && k == same_as[i - 20])
				assert_string_equal(keys[k], keys[i]);
			else if ((i < 20 || i == 24) && !strcmp(keys[k], keys[i]))
				fail_msg("%d and %d have the same key", k, i);
		}
	}
}

/* Whatever fails, memory of the host is released, and all memory returns to its allocator. */
static void each_allocation_may_fail(void **state)
{
	size_t count;
	const uint32_t *words = first_fit(&count);
	bool done = false;
	static char large[100000];

	(void)state;
	memset(large, '\n', sizeof large);
	for (long n = 2; !done; n++) {
		struct host h = {.compiled = words, .compiled_size = count * sizeof *words};
		spb_job *job = begin(&h);
		add_file(&h, "a.frag", "void main() {}", 14);
		add_file(&h, "p", large, sizeof large);
		h.meter.fail_at = n;
		spb_status status = plugin->set(job, "profile", "p");
		for (uint32_t i = 0; i < 40 && status == SPB_OK; i++)
			status = plugin->add(job, "m", words, count, 0);
		if (status == SPB_OK)
			status = plugin->add_file(job, "a.frag", 0);
		if (status == SPB_OK && !plugin->key(job))
			status = SPB_ERROR_OUT_OF_MEMORY;
		assert_true(status == SPB_OK || status == SPB_ERROR_OUT_OF_MEMORY);
		done = status == SPB_OK;
		end(&h, job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_option_sets_its_field),
	    cmocka_unit_test(flags_of_the_validator_are_bits),
	    cmocka_unit_test(texts_are_copied),
	    cmocka_unit_test(options_are_known_by_their_names),
	    cmocka_unit_test(heaps_have_places),
	    cmocka_unit_test(sizes_of_heaps),
	    cmocka_unit_test(strides_of_heaps),
	    cmocka_unit_test(values_of_specialization_constants),
	    cmocka_unit_test(calls_out_of_order_are_refused),
	    cmocka_unit_test(options_are_checked_together),
	    cmocka_unit_test(hosts_are_checked),
	    cmocka_unit_test(the_key_has_the_compiled_resolver),
	    cmocka_unit_test(the_key_is_a_digest),
	    cmocka_unit_test(rules_come_before_profiles),
	    cmocka_unit_test(unreadable_files_are_reported),
	    cmocka_unit_test(locks_are_read_unless_they_are_new),
	    cmocka_unit_test(sources_are_compiled_by_the_host),
	    cmocka_unit_test(resolvers_are_compiled_as_such),
	    cmocka_unit_test(the_key_covers_everything_that_affects_results),
	    cmocka_unit_test(each_allocation_may_fail),
	};

	plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
