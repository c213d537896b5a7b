/* SPDX-License-Identifier: Apache-2.0 */
/* include: finds the file in the module that an #include refers to.
 *
 * Compilers record the name under which they opened a file. They search for "light.glsl" next to the file that includes
 * it, next to the files that include that one, and in folders that the module does not record. The first match wins;
 * without one, the only file whose name ends in /light.glsl does. On Windows they record either separator, and both in
 * one name: c:\shaders/light.glsl, .\light.hlsl. */
#include "analysis/source/text.h"

/* a/./b//../c: a/c. In place. */
static void normalize(char *path)
{
	size_t length = strlen(path), n = 0, floor = length && (*path == '/' || *path == '\\');

	for (size_t i = 0; i < length;) {
		size_t end = i;
		while (end < length && path[end] != '/' && path[end] != '\\')
			end++;
		size_t part = end - i;
		bool up = part == 2 && !memcmp(path + i, "..", 2);
		size_t last = n; /* where the previous component begins */
		while (last > floor && path[last - 1] != '/')
			last--;
		if (up && n > floor && !(n - last == 2 && !memcmp(path + last, "..", 2))) {
			n = last > floor ? last - 1 : floor;
		} else if (part && !(part == 1 && path[i] == '.')) {
			if (n > floor)
				path[n++] = '/';
			else if (floor)
				path[0] = '/', n = 1;
			memmove(path + n, path + i, part);
			n += part;
		}
		i = end + 1;
	}
	path[n] = 0;
}

static char *joined(struct spb_reader *r, const char *folder_of, const char *path)
{
	struct spb_text_buffer text = {.arena = r->arena};
	size_t folder = strlen(folder_of);

	while (folder && folder_of[folder - 1] != '/' && folder_of[folder - 1] != '\\')
		folder--;
	if (*path != '/')
		spb_text_add(&text, folder_of, folder);
	spb_text_put(&text, path);
	spb_text_end(&text);
	normalize(text.items);
	return text.items;
}

static const char *normal_name(struct spb_reader *r, const char *name)
{
	return joined(r, "", name);
}

void spb_normalize_names(struct spb_reader *r)
{
	for (size_t i = 0; i < r->files.count; i++) {
		struct spb_file *f = &r->files.items[i];
		const bool affordable =
		    spb_spend(r, r->failure ? 0 : strlen(f->name), NULL); /* all may have the same name */
		f->path = affordable ? normal_name(r, f->name) : "";
	}
}

static size_t find_named(struct spb_reader *r, const char *path)
{
	for (size_t i = 0; i < r->files.count; i++) {
		if (!spb_spend(r, 1, NULL))
			return SIZE_MAX;
		if (!strcmp(r->files.items[i].path, path))
			return i;
	}
	return SIZE_MAX;
}

static bool ends_in(const char *name, const char *path)
{
	size_t length = strlen(name), tail = strlen(path);

	return length > tail && name[length - tail - 1] == '/' && !strcmp(name + length - tail, path);
}

size_t spb_find_include(struct spb_reader *r, const char *path, bool *ambiguous)
{
	size_t found = SIZE_MAX;
	const char *plain = normal_name(r, path);

	for (size_t i = r->inputs.count; i-- > 0;) {
		const struct spb_input *input = &r->inputs.items[i]; /* a file */
		const char *name = joined(r, r->files.items[input->index].path, path);
		if (!spb_spend(r, strlen(name), NULL))
			return SIZE_MAX;
		size_t file = find_named(r, name);
		if (file != SIZE_MAX)
			return file;
	}
	found = find_named(r, plain);
	for (size_t i = 0; i < r->files.count && found == SIZE_MAX && !*ambiguous; i++) {
		if (!ends_in(r->files.items[i].path, plain))
			continue;
		for (size_t k = i + 1; k < r->files.count; k++)
			*ambiguous |= ends_in(r->files.items[k].path, plain);
		found = i;
	}
	return found;
}
