/* SPDX-License-Identifier: Apache-2.0 */
/* compatible: which descriptor sets of two layouts stay compatible, in the sense of Vulkan's "Pipeline Layout
 * Compatibility": up to set N if sets 0 to N are defined identically (bindings, types, counts, stages, flags), and the
 * push constant ranges are. A set that is missing below the highest one is an empty set.
 *
 * If sets are listed, only these have to be identically defined: then a VkDescriptorSet that was made for the old
 * layout can be bound with the new one (VUID-vkCmdBindDescriptorSets-pDescriptorSets-00358). The shared sets of a
 * workspace belong to no single pipeline layout, so nothing else is required of them.
 *
 * A program fits shared sets if its pipeline can be created with their set layouts: each of its descriptors there has
 * the type, the stages and at most as many elements (VUID-VkGraphicsPipelineCreateInfo-layout-07988, 07990 and 07991,
 * and the same for other pipelines). It may lack some.
 *
 * Both layouts are read from JSON: the old one from a file, the new one from the text that would be written. Nothing in
 * the file is trusted. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "cli/cli.h"

struct binding {
	uint32_t set, number;
	json_t *json, *in_set; /* the binding, and its set */
};

struct layout {
	json_t *json;
	struct binding *bindings;
	size_t count;
	bool shared; /* the sets of a manifest, each with its programs */
};

static int wrong(const char *path, const char *what)
{
	msg_report_line(path, 0, "against",
			WORDS("this is not a layout that --layout-json writes: ", what,
			      MSG_REMEDY "Write it again with this version."));
	return EXIT_USAGE;
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

/* The sets of a manifest also have an owner. */
static int by_set(const struct binding *a, const struct binding *b)
{
	int order;

	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	order = strcmp(string_of(a->in_set, "programs"), string_of(b->in_set, "programs"));
	return order ? order : strcmp(string_of(a->in_set, "family"), string_of(b->in_set, "family"));
}

/* Descriptors of different types can share a set and binding if no pipeline uses both. */
static int by_place(const void *a, const void *b)
{
	const struct binding *x = a, *y = b;
	int order = by_set(x, y);

	if (order)
		return order;
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
	}
	return true;
}

/* EXIT_* */
static int read_sets(struct layout *l, const char *path)
{
	json_t *sets = json_object_get(l->json, "sets"), *set;
	size_t i, total = 0;

	json_array_foreach(sets, i, set) total += json_array_size(json_object_get(set, "bindings"));
	l->bindings = calloc(total + 1, sizeof *l->bindings);
	if (!l->bindings)
		return msg_out_of_memory();
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
	return EXIT_DONE;
}

/* EXIT_* */
static int read_layout(struct layout *l, const char *path, const char *text, size_t length)
{
	json_error_t error;
	const char *schema;

	l->json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (!l->json) {
		msg_report_line(path, error.line > 0 ? (unsigned)error.line : 0, "against",
				WORDS("this is not valid JSON: ", error.text,
				      MSG_REMEDY "Give a layout that --layout-json wrote."));
		return EXIT_USAGE;
	}
	schema = json_string_value(json_object_get(l->json, "schema"));
	/* The parts that are compared are at the same indexes in all. */
	l->shared = schema && !strcmp(schema, "spirv-bind/workspace/1");
	if (!schema ||
	    (!l->shared && strcmp(schema, "spirv-bind/layout/1") != 0 && strcmp(schema, "spirv-bind/layout/2") != 0))
		return wrong(path, "its \"schema\" is neither \"spirv-bind/layout/2\" nor \"spirv-bind/layout/1\"");
	if (!json_is_array(json_object_get(l->json, "sets")) ||
	    (!l->shared && !json_is_array(json_object_get(l->json, "pushConstants"))))
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
		fputs("none", msg_out());
	json_array_foreach(list, i, name)
	{
		const char *s = json_is_string(name) ? json_string_value(name) : "?";
		if (!strncmp(s, prefix, strlen(prefix)))
			s += strlen(prefix);
		fputs(i ? "|" : "", msg_out());
		msg_put_text(msg_out(), s);
	}
}

static void put_count(json_t *count)
{
	if (json_is_integer(count))
		fprintf(msg_out(), "%lld", (long long)json_integer_value(count));
	else
		fputs("runtime", msg_out());
}

static void put_binding(const struct binding *b)
{
	fprintf(msg_out(), "    binding %" PRIu32 " \"", b->number);
	msg_put_text(msg_out(), string_of(b->json, "name"));
	fputs("\": ", msg_out());
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

/* What is required: that two layouts are identical, or that the new one, of a program, fits the old one. */
enum question { IDENTICAL, FITS };

static bool has_all(json_t *list, json_t *of)
{
	json_t *name, *other;
	size_t i, k;

	json_array_foreach(of, i, name)
	{
		bool found = false;
		json_array_foreach(list, k, other) found |= json_equal(name, other);
		if (!found)
			return false;
	}
	return true;
}

/* null: a runtime array */
static bool is_long_enough(json_t *shared, json_t *own)
{
	if (!json_is_integer(own))
		return !json_is_integer(shared);
	return !json_is_integer(shared) || json_integer_value(own) <= json_integer_value(shared);
}

/* Whether a mutable descriptor may be of this type. */
static bool may_become(json_t *types, json_t *type)
{
	json_t *name;
	size_t i;
	bool found = false;

	json_array_foreach(types, i, name) found |= json_equal(name, type);
	return found;
}

/* Of one property. */
static bool agree(json_t *a, json_t *b, const char *key, enum question asked)
{
	json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	if (asked == FITS && !strcmp(key, "count"))
		return is_long_enough(x, y);
	if (asked == FITS && !strcmp(key, "descriptorType") && may_become(json_object_get(a, "mutableTypes"), y))
		return true;
	return same(a, b, key) || (asked == FITS && json_is_array(y) && has_all(x, y)) ||
	       (asked == FITS && !y && json_is_array(x));
}

static void put_difference(const struct binding *old, const struct binding *new, enum question asked)
{
	json_t *a = old->json, *b = new->json;

	if (!agree(a, b, "descriptorType", asked)) {
		put_binding(new);
		msg_put_text(msg_out(), string_of(a, "descriptorType"));
		fputs(" -> ", msg_out());
		msg_put_text(msg_out(), string_of(b, "descriptorType"));
		fputc('\n', msg_out());
	}
	if (!agree(a, b, "count", asked)) {
		put_binding(new);
		fputs("count ", msg_out());
		put_count(json_object_get(a, "count"));
		fputs(" -> ", msg_out());
		put_count(json_object_get(b, "count"));
		fputc('\n', msg_out());
	}
	if (!agree(a, b, "immutableSamplers", asked)) {
		put_binding(new);
		fputs(json_object_get(b, "immutableSamplers") ? "its samplers become immutable\n"
							      : "its samplers are no longer immutable\n",
		      msg_out());
	}
	if (!agree(old->in_set, new->in_set, "flags", asked)) {
		put_binding(new);
		fputs("flags of the set ", msg_out());
		put_names(json_object_get(old->in_set, "flags"), "VK_DESCRIPTOR_SET_LAYOUT_CREATE_");
		fputs(" -> ", msg_out());
		put_names(json_object_get(new->in_set, "flags"), "VK_DESCRIPTOR_SET_LAYOUT_CREATE_");
		fputc('\n', msg_out());
	}
	static const struct {
		const char *key, *prefix;
	} lists[] = {{"stages", "VK_SHADER_STAGE_"},
		     {"flags", "VK_DESCRIPTOR_BINDING_"},
		     {"mutableTypes", "VK_DESCRIPTOR_TYPE_"}};
	for (size_t i = 0; i < SPB_COUNT(lists); i++) {
		const char *key = lists[i].key, *prefix = lists[i].prefix;
		if (agree(a, b, key, asked))
			continue;
		put_binding(new);
		fprintf(msg_out(), "%s ", key);
		put_names(json_object_get(a, key), prefix);
		fputs(" -> ", msg_out());
		put_names(json_object_get(b, key), prefix);
		fputc('\n', msg_out());
	}
	if (asked == IDENTICAL && is_identical(old, new) && strcmp(string_of(a, "name"), string_of(b, "name")) != 0) {
		put_binding(new);
		fputs("was called \"", msg_out());
		msg_put_text(msg_out(), string_of(a, "name"));
		fputs("\"\n", msg_out());
	}
}

struct walk { /* over the bindings of both, set by set */
	const struct binding *old, *old_end, *new, *new_end;
};

/* A binding of the next set of both. NULL: there is none. */
static const struct binding *next_set(const struct walk *w)
{
	if (w->old == w->old_end || w->new == w->new_end)
		return w->old < w->old_end ? w->old : w->new < w->new_end ? w->new : NULL;
	return by_set(w->old, w->new) <= 0 ? w->old : w->new;
}

/* Compares the set of this binding, and prints the differences if `say`. */
static bool compare_set(struct walk *w, const struct binding *set, bool say)
{
	bool equal = true;

	for (;;) {
		bool has_old = w->old < w->old_end && !by_set(w->old, set);
		bool has_new = w->new < w->new_end && !by_set(w->new, set);
		if (!has_old && !has_new)
			return equal;
		bool gone = has_old && (!has_new || w->old->number < w->new->number);
		bool made = has_new && (!has_old || w->new->number < w->old->number);
		equal = equal && !gone && !made && is_identical(w->old, w->new);
		if (say && (gone || made)) {
			put_binding(gone ? w->old : w->new);
			fputs(gone ? "removed\n" : "new\n", msg_out());
		} else if (say) {
			put_difference(w->old, w->new, IDENTICAL);
		}
		w->old += !made;
		w->new += !gone;
	}
}

static void put_range(json_t *range)
{
	uint32_t offset, size;

	if (!read_number(range, "offset", &offset) || !read_number(range, "size", &size))
		offset = size = 0;
	fprintf(msg_out(), "%" PRIu32 " bytes at offset %" PRIu32 " for ", size, offset);
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
		fprintf(msg_out(), "    %s: ", word);
		put_range(range);
		fputc('\n', msg_out());
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
		fputs("push constants: identical\n", msg_out());
		return true;
	}
	fputs("push constants: different, so no set is compatible\n", msg_out());
	put_missing_ranges(a, b, "removed");
	put_missing_ranges(b, a, "new");
	return false;
}

static struct walk begin_walk(const struct layout *old, const struct layout *new)
{
	return (struct walk){old->bindings, old->bindings + old->count, new->bindings, new->bindings + new->count};
}

/* Compares pipeline layouts. */
static bool compare(const struct layout *old, const struct layout *new)
{
	struct walk w = begin_walk(old, new), again;
	bool pushes = compare_ranges(old, new), before = true;
	uint32_t differs = 0;

	for (const struct binding *set; again = w, (set = next_set(&w));) {
		bool equal = compare_set(&w, set, false);
		fprintf(msg_out(), "set %" PRIu32 ": ", set->set);
		if (!equal)
			fputs("differs\n", msg_out());
		else if (before && pushes)
			fputs("compatible\n", msg_out());
		else if (before)
			fputs("identical, but not compatible: push constants differ\n", msg_out());
		else
			fprintf(msg_out(), "identical, but not compatible: set %" PRIu32 " before it differs\n",
				differs);
		compare_set(&again, set, true);
		if (!equal && before)
			differs = set->set;
		before = before && equal;
	}
	return before && pushes;
}

static void put_set(const struct binding *set)
{
	const char *programs = string_of(set->in_set, "programs"), *family = string_of(set->in_set, "family");

	fprintf(msg_out(), "set %" PRIu32, set->set);
	if (*programs || *family)
		fputs(*programs ? " of programs " : " of family ", msg_out());
	msg_put_text(msg_out(), *programs ? programs : family);
}

/* The next set of a list such as "0,2". false: there is none. */
static bool next_asked(const char **list, uint32_t *set)
{
	char *end;

	if (!*list)
		return false;
	*set = (uint32_t)strtoul(*list, &end, 10);
	*list = *end ? end + 1 : NULL;
	return true;
}

/* NULL: all are. */
static bool is_asked(const char *list, uint32_t set)
{
	const char *at = list;

	for (uint32_t asked; next_asked(&at, &asked);) {
		if (asked == set)
			return true;
	}
	return !list;
}

static bool has_set(const struct layout *l, uint32_t set)
{
	for (size_t i = 0; i < l->count; i++) {
		if (l->bindings[i].set == set)
			return true;
	}
	return false;
}

/* Compares the listed sets. */
static bool compare_sets(const struct layout *old, const struct layout *new, const char *asked)
{
	struct walk w = begin_walk(old, new), again;
	bool equal = true;

	for (const struct binding *set; again = w, (set = next_set(&w));) {
		bool same = compare_set(&w, set, false);
		if (!is_asked(asked, set->set))
			continue;
		put_set(set);
		fputs(same ? ": identical\n" : ": differs\n", msg_out());
		compare_set(&again, set, true);
		equal = equal && same;
	}
	for (uint32_t set; next_asked(&asked, &set);) {
		if (!has_set(old, set) && !has_set(new, set))
			fprintf(msg_out(), "set %" PRIu32 ": in neither layout\n", set);
	}
	return equal;
}

/* Does a program fit shared sets? */

static bool fits(const struct binding *shared, const struct binding *own)
{
	static const char *const keys[] = {"descriptorType", "immutableSamplers", "count", "stages",
					   "flags",          "mutableTypes"};
	bool all = agree(shared->in_set, own->in_set, "flags", FITS);

	for (size_t i = 0; i < SPB_COUNT(keys); i++)
		all = all && agree(shared->json, own->json, keys[i], FITS);
	return all;
}

static bool is_at(const struct binding *a, const struct binding *b)
{
	return !by_set(a, b) && a->number == b->number;
}

/* The binding of the shared set with this number; of several types, the same one. NULL: there is none. */
static const struct binding *find_shared(const struct layout *shared, json_t *in_set, const struct binding *own)
{
	const struct binding wanted = {own->set, own->number, own->json, in_set};
	size_t low = 0, high = shared->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (by_place(&shared->bindings[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < shared->count && is_at(&shared->bindings[low], &wanted))
		return &shared->bindings[low];
	return low && is_at(&shared->bindings[low - 1], &wanted) ? &shared->bindings[low - 1] : NULL; /* another type */
}

/* Prints the differences if `say`. */
static bool fits_set(const struct layout *shared, const struct layout *own, json_t *in_set, uint32_t set, bool say)
{
	bool all = true;

	for (size_t i = 0; i < own->count; i++) {
		const struct binding *b = &own->bindings[i];
		const struct binding *other = b->set == set ? find_shared(shared, in_set, b) : NULL;
		if (b->set != set || (other && fits(other, b)))
			continue;
		all = false;
		if (say && other) {
			put_difference(other, b, FITS);
		} else if (say) {
			put_binding(b);
			fputs("not in the shared set\n", msg_out());
		}
	}
	return all;
}

/* Whether the set belongs to this program. Without a name, it is judged by its number. */
static bool is_set_of(json_t *set, const char *program)
{
	const char *programs = string_of(set, "programs"), *family = string_of(set, "family");

	if (!program)
		return true;
	return *programs ? spb_glob(programs, program) : !strcmp(family, program);
}

/* The only set of the number that belongs to the program. NULL: there is none; *several: there are some. */
static json_t *find_set(const struct layout *shared, uint32_t number, const char *program, bool *several)
{
	json_t *sets = json_object_get(shared->json, "sets"), *set, *found = NULL;
	uint32_t n;
	size_t i;

	*several = false;
	json_array_foreach(sets, i, set)
	{
		if (!read_number(set, "set", &n) || n != number || !is_set_of(set, program))
			continue;
		*several |= found != NULL;
		found = set;
	}
	return *several ? NULL : found;
}

static int refuse_several(const char *path, uint32_t number)
{
	char set[16];

	snprintf(set, sizeof set, "%" PRIu32, number);
	msg_report_line(path, 0, "against",
			WORDS("several groups of programs share a set ", set,
			      MSG_REMEDY
			      "Ask about other sets, or bind it as a program of a manifest, whose name tells."));
	return EXIT_USAGE;
}

/* Checks the program's sets that are shared, or those that are listed. */
static int fit(const char *path, const struct layout *shared, const struct layout *own, const char *asked,
	       const char *program)
{
	const char *rest = asked;
	bool all = true, several;

	for (size_t i = 0; i < own->count; i++) {
		const struct binding *b = &own->bindings[i];
		if ((i && b[-1].set == b->set) || !is_asked(asked, b->set))
			continue;
		json_t *set = find_set(shared, b->set, program, &several);
		if (several)
			return refuse_several(path, b->set);
		if (!set)
			continue;
		bool one = fits_set(shared, own, set, b->set, false);
		put_set(&(struct binding){.set = b->set, .in_set = set});
		fputs(one ? ": fits\n" : ": does not fit\n", msg_out());
		fits_set(shared, own, set, b->set, true);
		all = all && one;
	}
	for (uint32_t set; next_asked(&rest, &set);) {
		if (!find_set(shared, set, program, &several) && !several)
			fprintf(msg_out(), "set %" PRIu32 ": not shared\n", set);
		else if (!has_set(own, set))
			fprintf(msg_out(), "set %" PRIu32 ": not in the program, so it fits\n", set);
	}
	return all ? EXIT_DONE : EXIT_DIFFERENT;
}

static int refuse_program(const char *path)
{
	msg_report_line(
	    path, 0, "against",
	    WORDS("this is the layout of one program, but a manifest has that of what programs share" MSG_REMEDY
		  "Give the JSON that --layout-json wrote beside -m."));
	return EXIT_USAGE;
}

int cli_check_compatible(const char *path, const char *asked, const char *program, const char *old_text,
			 const char *new_text)
{
	struct layout old = {0}, new = {0};
	int status = read_layout(&old, path, old_text, strlen(old_text));

	if (status == EXIT_DONE)
		status = read_layout(&new, "the new layout", new_text, strlen(new_text));

	bool read = status == EXIT_DONE;

	if (read && old.shared && !new.shared)
		status = fit(path, &old, &new, asked, program);
	else if (read && new.shared && !old.shared)
		status = refuse_program(path);
	else if (read && asked)
		status = compare_sets(&old, &new, asked) ? EXIT_DONE : EXIT_DIFFERENT;
	else if (read)
		status =
		    (old.shared ? compare_sets(&old, &new, NULL) : compare(&old, &new)) ? EXIT_DONE : EXIT_DIFFERENT;
	free_layout(&old);
	free_layout(&new);
	return status;
}

/* The value of --against */

/* The list of sets after the last colon. NULL: there is none. */
const char *cli_asked_sets(const char *value)
{
	const char *colon = strrchr(value, ':');

	return colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789,")] ? colon + 1 : NULL;
}

static char *older_layout_path(const char *value)
{
	const char *sets = cli_asked_sets(value);
	char *path = strdup(value);

	if (path && sets)
		path[sets - 1 - value] = '\0';
	return path;
}

char *cli_read_older_layout(const struct program_options *p)
{
	const char *value = p->layout.against;
	char *path = p->verb == VERB_CHECK ? older_layout_path(value) : strdup(value),
	     *text = path ? cli_read_text_file(path) : NULL;

	if (!path)
		msg_out_of_memory();
	free(path);
	return text;
}
