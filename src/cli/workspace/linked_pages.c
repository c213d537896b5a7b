/* SPDX-License-Identifier: Apache-2.0 */
/* linked_pages: the page of a manifest gets links to the pages of its programs, whose files only the command knows. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"
#include "cli/workspace/manifest.h"

/* The way from one file to another; NULL: unknown, or no memory. */
static char *way(const char *from, const char *to)
{
	size_t common = 0, up = 0;

	if ((*from == '/') != (*to == '/'))
		return NULL;
	for (size_t i = 0; from[i] && from[i] == to[i]; i++)
		common = from[i] == '/' ? i + 1 : common;
	for (const char *at = from + common; (at = strchr(at, '/')); at++)
		up++;
	if (!strncmp(from + common, "..", 2))
		return NULL;
	char *path = malloc(3 * up + strlen(to + common) + 1), *end = path;
	for (size_t i = 0; path && i < up; i++, end += 3)
		memcpy(end, "../", 3);
	if (path)
		strcpy(end, to + common);
	return path;
}

/* {program: its page}, as text in an HTML script. NULL: there are no pages, or no memory. */
static char *list_pages(const char *from, const struct program_list *list)
{
	json_t *pages = json_object();

	for (size_t i = 0; i < list->count; i++) {
		const char *pattern = list->jobs[i].options->layout.files[LAYOUT_REPORT];
		char *to = pattern ? arg_expand_pattern(pattern, list->jobs[i].name) : NULL;
		char *path = to ? way(from, to) : NULL;
		if (path) /* names that are not UTF-8 are left out */
			json_object_set_new(pages, list->jobs[i].name, json_string(path));
		free(path);
		free(to);
	}
	char *text = json_object_size(pages) ? json_dumps(pages, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
	json_decref(pages);
	return text;
}

char *ws_link_pages(struct output *page, const struct program_list *list)
{
	static const char begin[] = "id=\"pages\">";
	const char *bytes = page->bytes, *at = strstr(bytes, begin);
	char *pages = at ? list_pages(page->path, list) : NULL, *linked = NULL;

	if (pages && (linked = malloc(page->size + 6 * strlen(pages) + 1))) {
		size_t size = (size_t)(at - bytes) + strlen(begin);
		memcpy(linked, bytes, size);
		for (const char *c = pages; *c; c++) { /* as in the other JSON of a page */
			memcpy(linked + size, *c == '<' ? "\\u003c" : c, *c == '<' ? 6 : 1);
			size += *c == '<' ? 6 : 1;
		}
		const size_t rest = page->size - (size_t)(at - bytes) - strlen(begin);
		memcpy(linked + size, at + strlen(begin), rest);
		page->bytes = linked;
		page->size = size + rest;
	}
	free(pages);
	return linked;
}
