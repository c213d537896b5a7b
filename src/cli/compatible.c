/* SPDX-License-Identifier: Apache-2.0 */
/* compatible: which descriptor sets of two layouts stay compatible, in the sense of Vulkan's "Pipeline Layout
 * Compatibility": up to set N if sets 0 to N are defined identically (bindings, types, counts, stages, flags), and the
 * push constant ranges are. A set that is missing below the highest one is an empty set.
 *
 * Both layouts are read from JSON: the old one from a file, the new one as it would be written. Nothing in the file is
 * trusted. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

struct binding {
	uint32_t set, number;
	json_t *json, *in_set; /* itself, and the set that it is in */
};

struct layout {
	json_t *json;
	struct binding *bindings;
	size_t count;
	uint64_t sets; /* highest set + 1 */
};

static bool wrong(const char *path, const char *what)
{
	say(SPB_SEVERITY_ERROR,
	    WORDS(path, " is not a layout of spirv-bind: ", what, "; write one with --layout-json"));
	return false;
}

static bool read_number(json_t *object, const char *key, uint32_t *number)
{
	json_t *value = json_object_get(object, key);
	json_int_t n = json_integer_value(value);

	*number = (uint32_t)n;
	return json_is_integer(value) && n >= 0 && n <= UINT32_MAX;
}

static const char *string_of(json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s ? s : "";
}

/* Descriptors of different types can have one place, where no pipeline uses both. */
static int by_place(const void *a, const void *b)
{
	const struct binding *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strcmp(string_of(x->json, "descriptorType"), string_of(y->json, "descriptorType"));
}

static bool read_set(struct layout *l, json_t *set)
{
	json_t *bindings = json_object_get(set, "bindings"), *binding;
	size_t i;

	if (!json_is_array(bindings))
		return false;
	json_array_foreach(bindings, i, binding)
	{
		struct binding *b = &l->bindings[l->count++];
		b->json = binding;
		b->in_set = set;
		if (!read_number(set, "set", &b->set) || !read_number(binding, "binding", &b->number) ||
		    !json_is_string(json_object_get(binding, "descriptorType")) ||
		    !json_is_string(json_object_get(binding, "name")) || !json_object_get(binding, "count") ||
		    !json_is_array(json_object_get(binding, "stages")) ||
		    !json_is_array(json_object_get(binding, "flags")))
			return false;
		if (l->sets <= b->set)
			l->sets = (uint64_t)b->set + 1;
	}
	return true;
}

static bool read_sets(struct layout *l, const char *path)
{
	json_t *sets = json_object_get(l->json, "sets"), *set;
	size_t i, total = 0;

	json_array_foreach(sets, i, set) total += json_array_size(json_object_get(set, "bindings"));
	l->bindings = calloc(total + 1, sizeof *l->bindings);
	if (!l->bindings)
		return wrong(path, "out of memory");
	json_array_foreach(sets, i, set)
	{
		if (!read_set(l, set))
			return wrong(path, "a binding has a missing or malformed member");
	}
	qsort(l->bindings, l->count, sizeof *l->bindings, by_place);
	for (i = 1; i < l->count; i++) {
		if (!by_place(&l->bindings[i - 1], &l->bindings[i]))
			return wrong(path, "two bindings have the same number");
	}
	return true;
}

static bool read_layout(struct layout *l, const char *path, const char *text, size_t length)
{
	json_error_t error;
	const char *schema;
	char line[16];

	l->json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (!l->json) {
		snprintf(line, sizeof line, ":%d", error.line);
		say(SPB_SEVERITY_ERROR, WORDS(path, line, ": not valid JSON: ", error.text));
		return false;
	}
	schema = json_string_value(json_object_get(l->json, "schema"));
	/* What is compared stands at the same places in both. */
	if (!schema || (strcmp(schema, "spirv-bind/layout/1") != 0 && strcmp(schema, "spirv-bind/layout/2") != 0))
		return wrong(path, "its \"schema\" is neither \"spirv-bind/layout/2\" nor \"spirv-bind/layout/1\"");
	if (!json_is_array(json_object_get(l->json, "sets")) ||
	    !json_is_array(json_object_get(l->json, "pushConstants")))
		return wrong(path, "it has no \"sets\" or no \"pushConstants\"");
	return read_sets(l, path);
}

static void free_layout(struct layout *l)
{
	free(l->bindings);
	json_decref(l->json);
}

/* Reporting differences */

/* VK_SHADER_STAGE_VERTEX_BIT as VERTEX. */
static void put_names(json_t *list, const char *prefix)
{
	json_t *name;
	size_t i;

	if (!json_array_size(list))
		fputs("none", out());
	json_array_foreach(list, i, name)
	{
		const char *s = json_is_string(name) ? json_string_value(name) : "?";
		if (!strncmp(s, prefix, strlen(prefix)))
			s += strlen(prefix);
		fputs(i ? "|" : "", out());
		put_text(out(), s);
	}
}

static void put_count(json_t *count)
{
	if (json_is_integer(count))
		fprintf(out(), "%" JSON_INTEGER_FORMAT, json_integer_value(count));
	else
		fputs("runtime", out());
}

static void put_binding(const struct binding *b)
{
	fprintf(out(), "    binding %" PRIu32 " \"", b->number);
	put_text(out(), string_of(b->json, "name"));
	fputs("\": ", out());
}

static bool same(json_t *a, json_t *b, const char *key)
{
	json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	return (!x && !y) || json_equal(x, y);
}

static bool is_identical(const struct binding *a, const struct binding *b)
{
	return same(a->json, b->json, "descriptorType") && same(a->json, b->json, "mutableTypes") &&
	       same(a->json, b->json, "count") && same(a->json, b->json, "stages") && same(a->json, b->json, "flags") &&
	       same(a->json, b->json, "immutableSamplers") && same(a->in_set, b->in_set, "flags");
}

static void put_difference(const struct binding *old, const struct binding *new)
{
	json_t *a = old->json, *b = new->json;

	if (!same(a, b, "descriptorType")) {
		put_binding(new);
		put_text(out(), string_of(a, "descriptorType"));
		fputs(" -> ", out());
		put_text(out(), string_of(b, "descriptorType"));
		fputc('\n', out());
	}
	if (!same(a, b, "count")) {
		put_binding(new);
		fputs("count ", out());
		put_count(json_object_get(a, "count"));
		fputs(" -> ", out());
		put_count(json_object_get(b, "count"));
		fputc('\n', out());
	}
	if (!same(a, b, "immutableSamplers")) {
		put_binding(new);
		fputs(json_object_get(b, "immutableSamplers") ? "its samplers become immutable\n"
							      : "its samplers are no longer immutable\n",
		      out());
	}
	if (!same(old->in_set, new->in_set, "flags")) {
		put_binding(new);
		fputs("flags of the set ", out());
		put_names(json_object_get(old->in_set, "flags"), "VK_DESCRIPTOR_SET_LAYOUT_CREATE_");
		fputs(" -> ", out());
		put_names(json_object_get(new->in_set, "flags"), "VK_DESCRIPTOR_SET_LAYOUT_CREATE_");
		fputc('\n', out());
	}
	static const struct {
		const char *key, *prefix;
	} lists[] = {{"stages", "VK_SHADER_STAGE_"},
		     {"flags", "VK_DESCRIPTOR_BINDING_"},
		     {"mutableTypes", "VK_DESCRIPTOR_TYPE_"}};
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		const char *key = lists[i].key, *prefix = lists[i].prefix;
		if (same(a, b, key))
			continue;
		put_binding(new);
		fprintf(out(), "%s ", key);
		put_names(json_object_get(a, key), prefix);
		fputs(" -> ", out());
		put_names(json_object_get(b, key), prefix);
		fputc('\n', out());
	}
	if (is_identical(old, new) && strcmp(string_of(a, "name"), string_of(b, "name")) != 0) {
		put_binding(new);
		fputs("was called \"", out());
		put_text(out(), string_of(a, "name"));
		fputs("\"\n", out());
	}
}

struct walk { /* over the bindings of both, set by set */
	const struct binding *old, *old_end, *new, *new_end;
};

/* Compares one set, and prints the differences if `say`. */
static bool compare_set(struct walk *w, uint32_t set, bool say)
{
	bool equal = true;

	while ((w->old < w->old_end && w->old->set == set) || (w->new < w->new_end && w->new->set == set)) {
		bool has_old = w->old < w->old_end && w->old->set == set;
		bool has_new = w->new < w->new_end && w->new->set == set;
		bool gone = has_old && (!has_new || w->old->number < w->new->number);
		bool made = has_new && (!has_old || w->new->number < w->old->number);
		equal = equal && !gone && !made && is_identical(w->old, w->new);
		if (say && (gone || made)) {
			put_binding(gone ? w->old : w->new);
			fputs(gone ? "removed\n" : "new\n", out());
		} else if (say) {
			put_difference(w->old, w->new);
		}
		w->old += !made;
		w->new += !gone;
	}
	return equal;
}

static void put_range(json_t *range)
{
	uint32_t offset, size;

	if (!read_number(range, "offset", &offset) || !read_number(range, "size", &size))
		offset = size = 0;
	fprintf(out(), "%" PRIu32 " bytes at offset %" PRIu32 " for ", size, offset);
	put_names(json_object_get(range, "stages"), "VK_SHADER_STAGE_");
}

static bool is_range(json_t *a, json_t *b)
{
	return same(a, b, "offset") && same(a, b, "size") && same(a, b, "stages");
}

/* Prints the ranges that are in a but not in b; there are at most as many as modules. */
static void put_missing_ranges(json_t *a, json_t *b, const char *word)
{
	json_t *range, *other;
	size_t i, k;

	json_array_foreach(a, i, range)
	{
		bool found = false;
		json_array_foreach(b, k, other)
		{
			found = is_range(range, other);
			if (found)
				break;
		}
		if (found)
			continue;
		fprintf(out(), "    %s: ", word);
		put_range(range);
		fputc('\n', out());
	}
}

static bool compare_ranges(const struct layout *old, const struct layout *new)
{
	json_t *a = json_object_get(old->json, "pushConstants"), *b = json_object_get(new->json, "pushConstants");
	json_t *range, *other;
	size_t i;
	bool equal = json_array_size(a) == json_array_size(b);

	json_array_foreach(a, i, range)
	{
		other = json_array_get(b, i);
		equal = equal && is_range(range, other);
	}
	if (equal) {
		fputs("push constants: identical\n", out());
		return true;
	}
	fputs("push constants: different, so no set is compatible\n", out());
	put_missing_ranges(a, b, "removed");
	put_missing_ranges(b, a, "new");
	return false;
}

static bool compare(const struct layout *old, const struct layout *new)
{
	struct walk w = {old->bindings, old->bindings + old->count, new->bindings, new->bindings + new->count};
	bool pushes = compare_ranges(old, new), before = true;
	uint64_t sets = old->sets > new->sets ? old->sets : new->sets, differs = 0;

	for (uint64_t set = 0; set < sets; set++) {
		struct walk again = w;
		uint64_t least = sets;
		if (w.old < w.old_end && w.old->set < least)
			least = w.old->set;
		if (w.new < w.new_end && w.new->set < least)
			least = w.new->set;
		if (least > set) { /* empty in both: as compatible as the sets before */
			set = least - 1;
			continue;
		}
		bool equal = compare_set(&w, (uint32_t)set, false);
		if (!equal)
			fprintf(out(), "set %" PRIu64 ": differs\n", set);
		else if (before && pushes)
			fprintf(out(), "set %" PRIu64 ": compatible\n", set);
		else if (before)
			fprintf(out(), "set %" PRIu64 ": identical, but not compatible: push constants differ\n", set);
		else
			fprintf(out(),
				"set %" PRIu64 ": identical, but not compatible: set %" PRIu64 " before it differs\n",
				set, differs);
		compare_set(&again, (uint32_t)set, true);
		if (!equal && before)
			differs = set;
		before = before && equal;
	}
	return before && pushes;
}

int check_compatible(const char *path, const char *old_text, const char *new_text)
{
	struct layout old = {0}, new = {0};
	int status = EXIT_USAGE;

	if (read_layout(&old, path, old_text, strlen(old_text)) &&
	    read_layout(&new, "the new layout", new_text, strlen(new_text)))
		status = compare(&old, &new) ? EXIT_DONE : EXIT_DIFFERENT;
	free_layout(&old);
	free_layout(&new);
	return status;
}
