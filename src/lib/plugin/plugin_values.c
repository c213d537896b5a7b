/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_values: the plug-in's options whose values have parts, written as the command has them (src/cli/args). */
#include "lib/plugin/job.h"

/* A decimal number of at least one digit, up to `most`. Returns what stands behind it; NULL: there is none. */
static const char *read_decimal(const char *text, uint64_t most, uint64_t *number)
{
	const char *p = text;

	for (*number = 0; *p >= '0' && *p <= '9'; p++) {
		const uint64_t digit = (uint64_t)(*p - '0');
		if (*number > (most - digit) / 10)
			return NULL;
		*number = *number * 10 + digit;
	}
	return p > text ? p : NULL;
}

/* The same, or hexadecimal behind 0x. */
static const char *read_bits(const char *text, uint64_t most, uint64_t *number)
{
	const char *p = text + 2;

	if (text[0] != '0' || (text[1] | 32) != 'x')
		return read_decimal(text, most, number);
	for (*number = 0;; p++) {
		const char low = (char)(*p | 32); /* of letters, the small one */
		const bool is_letter = low >= 'a' && low <= 'f';
		if (!is_letter && (*p < '0' || *p > '9'))
			return p > text + 2 ? p : NULL;
		if (*number > most >> 4)
			return NULL;
		*number = *number << 4 | (uint64_t)(is_letter ? low - 'a' + 10 : *p - '0');
	}
}

/* SET.BINDING */
static bool read_place(const char *text, uint32_t *set, uint32_t *binding)
{
	uint64_t first, second;
	const char *end = read_decimal(text, UINT32_MAX, &first);

	if (!end || *end != '.' || !(end = read_decimal(end + 1, UINT32_MAX, &second)) || *end)
		return false;
	*set = (uint32_t)first;
	*binding = (uint32_t)second;
	return true;
}

static bool read_heap(struct spb_job *job, const char *value)
{
	const size_t length = strcspn(value, "=");
	spb_heap_place place = {0};
	const char *name;
	uint32_t kind = 0;

	if (!strcmp(value, "as=address")) {
		job->options.heaps.as_address = 1;
		return true;
	}
	while ((name = spb_heap_kind_name(kind)) != NULL && (strncmp(name, value, length) != 0 || name[length]))
		kind++;
	if (!name || !value[length] || !read_place(value + length + 1, &place.set, &place.binding))
		return false;
	place.kind = (spb_heap_kind)kind;
	SPB_PUSH(&job->keep, &job->heaps, place);
	job->options.heaps.places = job->heaps.items;
	job->options.heaps.place_count = (uint32_t)job->heaps.count;
	return true;
}

/* "size" is stored as 0. */
static const char *read_stride(const char *text, uint32_t *bytes)
{
	uint64_t number;
	const char *end = read_decimal(text, 65536, &number);

	*bytes = 0;
	if (!strncmp(text, "size", 4))
		return text + 4;
	if (!end || !number || number % 4)
		return NULL;
	*bytes = (uint32_t)number;
	return end;
}

static bool read_heap_stride(struct spb_job *job, const char *value)
{
	uint32_t resources = 0, samplers = 0;
	const bool unified = !strncmp(value, "unified", 7);
	const char *end = unified ? value + 7 : read_stride(value, &resources);

	if (end && *end == ',')
		end = read_stride(end + 1, &samplers);
	if (!end || *end)
		return false;
	job->options.heaps.resource_stride = resources;
	job->options.heaps.sampler_stride = samplers;
	job->options.heaps.unified_stride = unified;
	return true;
}

static bool read_spec(struct spb_job *job, const char *value)
{
	uint64_t id, number;
	const char *end = read_bits(value, UINT32_MAX, &id);

	if (!end || *end != '=')
		return false;
	const bool negative = end[1] == '-';
	end = read_bits(end + 1 + negative, negative ? (uint64_t)1 << 63 : UINT64_MAX, &number);
	if (!end || *end)
		return false;
	const spb_spec_value spec = {(uint32_t)id, negative ? 0 - number : number};
	SPB_PUSH(&job->keep, &job->specs, spec);
	job->options.layout.spec_values = job->specs.items;
	job->options.layout.spec_value_count = (uint32_t)job->specs.count;
	return true;
}

static bool read_instrument_handles(struct spb_job *job, const char *value)
{
	spb_handle_options *handles = &job->options.handles;

	if (!read_place(value, &handles->instrument_set, &handles->instrument_binding))
		return false;
	handles->instrument = 1;
	return true;
}

static const struct {
	const char *name, *expected;
	bool (*read)(struct spb_job *job, const char *value);
} values[] = {{"heap", "KIND=SET.BINDING or as=address", read_heap},
	      {"heap-stride",
	       "RESOURCES or RESOURCES,SAMPLERS, each size or a multiple of 4 up to 65536 (RESOURCES also unified)",
	       read_heap_stride},
	      {"spec", "a SpecId and an integer, ID=VALUE", read_spec},
	      {"instrument-handles", "SET.BINDING", read_instrument_handles}};

const char *spb_job_value_name(uint32_t index)
{
	return index < SPB_COUNT(values) ? values[index].name : NULL;
}

const char *spb_job_read_value(struct spb_job *job, uint32_t index, const char *value)
{
	return values[index].read(job, value) ? NULL : values[index].expected;
}
