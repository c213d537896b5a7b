/* SPDX-License-Identifier: Apache-2.0 */
/* show: reports as text: the layout as a table, why each resource is where it is, and how a lock changes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* The lists of a program, which belong to it. */
struct layout {
	const spb_descriptor_binding *descriptors;
	const spb_resource *resources;
	size_t descriptor_count, resource_count, module_count;
};

static struct layout layout_of(spb_program *program)
{
	struct layout l = {0};

	l.descriptor_count = spb_program_descriptors(program, sizeof *l.descriptors, &l.descriptors);
	l.resource_count = spb_program_resources(program, sizeof *l.resources, &l.resources);
	l.module_count = spb_program_modules(program, sizeof(spb_module_info), &(const spb_module_info *){NULL});
	return l;
}

/* The same resource in another module; they are adjacent in the list. An unnamed resource equals no other. */
static bool is_same(const spb_resource *a, const spb_resource *b)
{
	return a == b || (a->descriptor == b->descriptor && a->removed == b->removed && a->reserved == b->reserved &&
			  !strcmp(a->name, b->name) && (*a->name || a->heap));
}

static void put_resource(const spb_resource *r)
{
	if (*r->name)
		msg_put_text(msg_out(), r->name);
	else if (r->input_id)
		fprintf(msg_out(), "%%%u", r->input_id);
	else
		fputs(r->heap ? "(a heap without a name)" : "(a resource without a name)", msg_out());
}

static void put_count(const spb_descriptor_binding *d)
{
	if (d->count)
		fprintf(msg_out(), "%-6u ", d->count);
	else
		fputs("[]     ", msg_out());
}

/* The decisions of policies, in parentheses. A runtime array is partially bound unless a policy says otherwise. */
static void put_decisions(const spb_descriptor_binding *d)
{
	enum { PARTIALLY_BOUND = 4, PUSH_DESCRIPTOR = 1, DESCRIPTOR_BUFFER = 16 };
	bool flagged = d->flags != (d->count ? 0 : PARTIALLY_BOUND);
	const char *separator = " (", *name;

	if (d->set_flags & PUSH_DESCRIPTOR) {
		fprintf(msg_out(), "%spush descriptor", separator);
		separator = ", ";
	}
	if (d->set_flags & DESCRIPTOR_BUFFER) {
		fprintf(msg_out(), "%sdescriptor buffer", separator);
		separator = ", ";
	}
	if (d->immutable_samplers) {
		fprintf(msg_out(), "%simmutable samplers", separator);
		separator = ", ";
	}
	for (uint32_t i = 0; flagged && (name = spb_name(SPB_NAME_DESCRIPTOR_FLAG, i)); i++) {
		if (!(d->flags >> i & 1))
			continue;
		fprintf(msg_out(), "%s%s", separator, name);
		separator = ", ";
	}
	if (flagged && !d->flags) {
		fprintf(msg_out(), "%sno flags", separator);
		separator = ", ";
	}
	if (*separator == ',')
		fputc(')', msg_out());
}

static size_t name_length(const spb_resource *r)
{
	return *r->name ? strlen(r->name) : r->input_id ? (size_t)snprintf(NULL, 0, "%%%u", r->input_id) : 0;
}

/* The names of its views, each once. */
static void put_names(const struct layout *l, const spb_descriptor_binding *d)
{
	enum { COLUMN = 45, LAST_COLUMN = 118 };
	const spb_resource *r = &l->resources[d->first_resource];
	size_t column = COLUMN;

	for (uint32_t k = 0; k < d->resource_count; k++) {
		size_t length = name_length(&r[k]);
		if (k && is_same(&r[k], &r[k - 1]))
			continue;
		bool fits = column == COLUMN || column + 2 + length <= LAST_COLUMN;
		if (column > COLUMN)
			fputs(fits ? ", " : ",", msg_out());
		if (!fits)
			fprintf(msg_out(), "\n%*s", COLUMN, "");
		column = fits ? column + 2 + length : COLUMN + length;
		put_resource(&r[k]);
	}
}

void cli_print_layout(spb_program *program)
{
	struct layout l = layout_of(program);

	fprintf(msg_out(), "%-4s %-8s %-6s %-23s %s\n", "set", "binding", "count", "type", "name");
	for (size_t i = 0; i < l.descriptor_count; i++) {
		const spb_descriptor_binding *d = &l.descriptors[i];
		fprintf(msg_out(), "%-4u %-8u ", d->set, d->binding);
		put_count(d);
		fprintf(msg_out(), "%-23s ", spb_name(SPB_NAME_DESCRIPTOR_TYPE, d->descriptor_type));
		put_names(&l, d);
		put_decisions(d);
		fputc('\n', msg_out());
	}
}

static const char *input_name(const struct program_options *p, uint32_t module)
{
	return strcmp(p->inputs[module], "-") ? p->inputs[module] : "<stdin>";
}

static void put_stages(uint32_t stages)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} names[] = {{0x1, "vertex"},       {0x2, "tesscontrol"}, {0x4, "tesseval"},        {0x8, "geometry"},
		     {0x10, "fragment"},    {0x20, "compute"},    {0x100, "raygen"},        {0x200, "anyhit"},
		     {0x400, "closesthit"}, {0x800, "miss"},      {0x1000, "intersection"}, {0x2000, "callable"},
		     {0x40, "task"},        {0x80, "mesh"}};
	const char *separator = "";

	for (size_t i = 0; i < SPB_COUNT(names); i++) {
		if (!(stages & names[i].bit))
			continue;
		fprintf(msg_out(), "%s%s", separator, names[i].name);
		separator = ", ";
	}
}

static void put_old(const spb_resource *r)
{
	if (r->had_set && r->had_binding)
		fprintf(msg_out(), "set %u, binding %u", r->old_set, r->old_binding);
	else if (r->had_binding)
		fprintf(msg_out(), "binding %u", r->old_binding);
	else if (r->had_set)
		fprintf(msg_out(), "set %u", r->old_set);
	else
		fputs("unassigned", msg_out());
}

/* In a program of one module, a number of unknown origin belongs to that module anyway. */
static void put_choice(const spb_resource *r, bool alone)
{
	static const struct {
		const char *by, *words;
	} choices[] = {
	    {"author", ", chosen by its author"},
	    {"tool", ", chosen by a tool"},
	    {"spirv-bind", ", chosen by spirv-bind"},
	    {"compiler", ", which does not count: its compiler chose it for this stage alone"},
	    {"nobody", ", which means \"assign one\""},
	    {"unknown", ", and nothing shows who chose it"},
	};

	for (size_t i = 0; i < SPB_COUNT(choices); i++) {
		if (!strcmp(r->chosen_by, choices[i].by) && !(alone && !strcmp(r->chosen_by, "unknown")))
			fputs(choices[i].words, msg_out());
	}
}

static void put_new(const spb_resource *r)
{
	if (r->reserved)
		fprintf(msg_out(), "set %u, binding %u, reserved: it is declared, but no module has a variable of it",
			r->set, r->binding);
	else if (r->removed)
		fputs("removed", msg_out());
	else
		fprintf(msg_out(), "set %u, binding %u", r->set, r->binding);
}

/* The other views of its descriptor, each name once. */
static void put_sharers(const struct layout *l, const spb_resource *r)
{
	const spb_descriptor_binding *d = &l->descriptors[r->descriptor];
	const char *separator = "\n    one descriptor with ";

	for (uint32_t i = 0; i < d->resource_count; i++) {
		const spb_resource *other = &l->resources[d->first_resource + i];
		if (is_same(r, other) || (i && is_same(other, other - 1)))
			continue;
		fputs(separator, msg_out());
		put_resource(other);
		separator = ", ";
	}
}

static void explain_descriptor(const struct layout *l, const spb_resource *r)
{
	const spb_descriptor_binding *d = &l->descriptors[r->descriptor];
	enum { INLINE_UNIFORM_BLOCK = 1000138000 };

	fprintf(msg_out(), "\n    %s", spb_name(SPB_NAME_DESCRIPTOR_TYPE, d->descriptor_type));
	if (!d->count)
		fputs(", runtime array", msg_out());
	else if (d->descriptor_type == INLINE_UNIFORM_BLOCK)
		fprintf(msg_out(), ", %u bytes", d->count);
	else if (d->count > 1)
		fprintf(msg_out(), ", %u descriptors", d->count);
	put_decisions(d);
	if (r->has_register)
		fprintf(msg_out(), ", register %c%u in space %u", r->register_class, r->register_number, r->set);
	if (r->has_register && r->binding != r->register_number)
		fprintf(msg_out(), ", shifted by %u", r->binding - r->register_number);
	put_sharers(l, r);
}

static void explain_one(const struct program_options *p, const struct layout *l, const spb_resource *r, size_t count)
{
	put_resource(r);
	fputs(": ", msg_out());
	put_new(r);
	if (r->removed)
		fprintf(msg_out(), "\n    %s", spb_name(SPB_NAME_DESCRIPTOR_TYPE, r->descriptor_type));
	else
		explain_descriptor(l, r);
	fprintf(msg_out(), "\n    why: ");
	msg_put_text(msg_out(), *r->why ? r->why : "no entry point reaches it");
	for (size_t i = 0; i < count; i++) {
		fputs("\n    in ", msg_out());
		msg_put_text(msg_out(), input_name(p, r[i].module));
		fputs(" (", msg_out());
		if (r->reserved)
			fputs("dropped by its compiler", msg_out());
		else if (r[i].stages)
			put_stages(r[i].stages);
		else
			fputs("used by no entry point", msg_out());
		fputc(')', msg_out());
		if (r[i].line) {
			fputs(", declared at ", msg_out());
			msg_put_text(msg_out(), r[i].file);
			fprintf(msg_out(), ":%u", r[i].line);
		}
		if (r[i].input_id) {
			fprintf(msg_out(), "%s as %%%u: previously ", r[i].line ? "," : "", r[i].input_id);
			put_old(&r[i]);
			put_choice(&r[i], l->module_count == 1);
		} else if (!r->reserved) {
			fputs(", added by spirv-bind", msg_out());
		}
	}
	fputc('\n', msg_out());
}

static void put_steps(const char *before, const char *const *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		fputs(i ? ", " : before, msg_out());
		msg_put_text(msg_out(), steps[i]);
	}
}

/* An access to a built-in heap of SPV_EXT_descriptor_heap? It is not a resource of the layout, and is not judged. */
static bool is_builtin(const spb_descriptor_access *x)
{
	return *x->heap != 0;
}

static const char *builtin_name(const spb_descriptor_access *x)
{
	return strcmp(x->heap, "sampler") ? "ResourceHeapEXT" : "SamplerHeapEXT";
}

/* One access, and why it is uniform or not. */
static void explain_access(const struct program_options *p, const spb_descriptor_access *x)
{
	const char *input = input_name(p, x->module);

	fputs("    ", msg_out());
	msg_put_text(msg_out(), x->line ? x->file : input);
	if (x->line)
		fprintf(msg_out(), ":%u", x->line);
	if (x->line && strcmp(input, x->file) != 0) { /* one source may have become several modules */
		fputs(" in ", msg_out());
		msg_put_text(msg_out(), input);
	}
	fputs(": ", msg_out());
	if (x->input_id)
		fprintf(msg_out(), "%%%u: ", x->input_id);
	if (is_builtin(x))
		fputs(spb_name(SPB_NAME_DESCRIPTOR_TYPE, x->descriptor_type), msg_out());
	if (is_builtin(x) && x->constant)
		fprintf(msg_out(), ", element %u", x->index);
	else if (is_builtin(x) && x->index_id && x->input_id)
		fprintf(msg_out(), ", indexed by %%%u", x->index_id);
	else if (is_builtin(x))
		fputs(x->index_id ? ", by an index" : ", the first", msg_out());
	else if (!x->index_id)
		fputs("not an array", msg_out());
	else if (x->constant)
		fprintf(msg_out(), "element %u", x->index);
	else if (!x->judged)
		fputs(x->non_uniform ? "marked NonUniform" : "not marked", msg_out());
	else if (x->uniform_in_group)
		fputs("uniform", msg_out());
	else if (x->uniform_in_subgroup)
		fputs("uniform only in the subgroup", msg_out());
	else
		fputs(x->certain ? "divergent" : "not known to be uniform", msg_out());
	if (x->judged && x->index_id && !x->constant && x->non_uniform)
		fputs(x->uniform_in_group ? ", but marked NonUniform" : ", marked NonUniform", msg_out());
	if (x->judged && x->by_author)
		fputs(x->non_uniform ? " by the author" : ", marked NonUniform by the author only in the input",
		      msg_out());
	put_steps(": ", x->why, x->why_count);
	if (!x->uniform_in_group)
		put_steps("; in the subgroup: ", x->why_subgroup, x->why_subgroup_count);
	fputc('\n', msg_out());
}

static int by_resource(const void *one, const void *other)
{
	const spb_descriptor_access *x = *(const spb_descriptor_access *const *)one;
	const spb_descriptor_access *y = *(const spb_descriptor_access *const *)other;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	if (x->resource != y->resource)
		return x->resource < y->resource ? -1 : 1;
	return x < y ? -1 : x > y; /* keep their order */
}

struct sorted_accesses {
	const spb_descriptor_access **items; /* by module and resource */
	size_t count;
};

static void explain_accesses(const struct program_options *p, struct sorted_accesses all, const spb_resource *r)
{
	size_t low = 0, high = all.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const spb_descriptor_access *x = all.items[middle];
		if (x->module < r->module || (x->module == r->module && x->resource < r->id))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < all.count && all.items[low]->module == r->module && all.items[low]->resource == r->id; low++)
		explain_access(p, all.items[low]);
}

int cli_print_explanation(const struct program_options *p, spb_program *program)
{
	struct layout l = layout_of(program);
	const spb_resource *r = l.resources;
	const spb_descriptor_access *x;
	size_t count = l.resource_count, said = 0;
	struct sorted_accesses all = {.count = spb_program_accesses(program, sizeof *x, &x)};

	all.items = malloc(all.count * sizeof *all.items + 1);
	if (!all.items)
		return msg_out_of_memory();
	for (size_t i = 0; i < all.count; i++)
		all.items[i] = &x[i];
	if (all.count)
		qsort(all.items, all.count, sizeof *all.items, by_resource);

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && is_same(&r[i], &r[end]); end++)
			;
		if (!os_matches(p->explained, r[i].name))
			continue;
		explain_one(p, &l, &r[i], end - i);
		for (size_t k = i; k < end; k++)
			explain_accesses(p, all, &r[k]);
		said++;
	}
	for (size_t i = 0; i < all.count; i++) {
		x = all.items[i];
		if (!is_builtin(x) || !os_matches(p->explained, builtin_name(x)))
			continue;
		bool is_new = !i || all.items[i - 1]->module != x->module || all.items[i - 1]->resource != x->resource;
		if (is_new)
			fprintf(msg_out(), "%s: a built-in heap, without set and binding\n", builtin_name(x));
		explain_access(p, x);
		said++;
	}
	if (!said && !count)
		msg_say(SPB_SEVERITY_WARNING, WORDS("the program has no resources to explain"));
	else if (!said)
		msg_say(SPB_SEVERITY_WARNING, WORDS("no resource matches --name=", p->explained,
						    MSG_REMEDY "spirv-bind layout lists the names."));
	free(all.items);
	return EXIT_DONE;
}

static size_t line_length(const char *line)
{
	return strcspn(line, "\n");
}

static void put_line(FILE *to, char sign, const char *line)
{
	fprintf(to, "%c %.*s\n", sign, (int)line_length(line), line);
}

static const char *next_line(const char *line)
{
	line += line_length(line);
	return *line ? line + 1 : line;
}

static const char *skip_comments(const char *line)
{
	while (*line == '#' || *line == '\n')
		line = next_line(line);
	return line;
}

/* Compares two lines of a lock file by their second word, the name of the resource. */
static int compare_names(const char *a, const char *b)
{
	const char *x = a + strcspn(a, " \n"), *y = b + strcspn(b, " \n");

	x += *x == ' ';
	y += *y == ' ';
	size_t m = strcspn(x, " \n"), n = strcspn(y, " \n");
	int order = memcmp(x, y, m < n ? m : n);

	return order ? order : (m > n) - (m < n);
}

static int by_line(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t m = line_length(x), n = line_length(y);
	int order = compare_names(x, y);

	order = order ? order : memcmp(x, y, m < n ? m : n);
	return order ? order : (m > n) - (m < n);
}

static const char **sort_lines(const char *text, size_t *count)
{
	const char **lines;

	*count = 0;
	for (const char *line = skip_comments(text); *line; line = skip_comments(next_line(line)))
		++*count;
	lines = calloc(*count + 1, sizeof *lines);
	*count = 0;
	for (const char *line = skip_comments(text); lines && *line; line = skip_comments(next_line(line)))
		lines[(*count)++] = line;
	if (lines)
		qsort(lines, *count, sizeof *lines, by_line);
	return lines;
}

/* The lines of one name that only `a` has. */
static void put_other_lines(FILE *to, char sign, const char **a, size_t m, const char **b, size_t n)
{
	for (size_t i = 0, k = 0; i < m; i++) {
		while (k < n && by_line(&b[k], &a[i]) < 0)
			k++;
		if (k < n && !by_line(&b[k], &a[i]))
			k++; /* each line matches once */
		else
			put_line(to, sign, a[i]);
	}
}

static size_t same_names(const char **lines, size_t count, const char *line)
{
	size_t n = 0;

	while (n < count && !compare_names(lines[n], line))
		n++;
	return n;
}

/* The lines that only one of the two has, name by name. */
static void put_differences(FILE *to, const char **a, size_t m, const char **b, size_t n)
{
	while (m || n) {
		const char *first = !n || (m && compare_names(a[0], b[0]) < 0) ? a[0] : b[0];
		size_t i = same_names(a, m, first), k = same_names(b, n, first);
		put_other_lines(to, '-', a, i, b, k);
		put_other_lines(to, '+', b, k, a, i);
		a += i;
		m -= i;
		b += k;
		n -= k;
	}
}

char *cli_lock_difference(const char *old, const char *new)
{
	char *text = NULL;
	size_t length, m, n;
	FILE *to = os_open_text(&text, &length);

	if (!to)
		return NULL;
	const char **a = sort_lines(old, &m), **b = sort_lines(new, &n);
	bool ok = a && b;
	if (ok)
		put_differences(to, a, m, b, n);
	free(a);
	free(b);
	if (!os_close_text(to) || !ok) {
		free(text);
		return NULL;
	}
	return text;
}
