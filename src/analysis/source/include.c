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
		while (up && last > floor && path[last - 1] != '/')
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

static char *joined(struct spb_reader *r, const char *folder, size_t length, const char *path)
{
	struct spb_text_buffer text = {.arena = r->arena};

	if (*path != '/')
		spb_text_add(&text, folder, length);
	spb_text_put(&text, path);
	spb_text_end(&text);
	normalize(text.items);
	return text.items;
}

static const char *normal_name(struct spb_reader *r, const char *name)
{
	return joined(r, "", 0, name);
}

void spb_normalize_names(struct spb_reader *r)
{
	for (size_t i = 0; i < r->files.count; i++) {
		struct spb_file *f = &r->files.items[i];
		const bool affordable =
		    spb_spend(r, r->failure ? 0 : strlen(f->name), NULL); /* all may have the same name */
		f->path = affordable ? normal_name(r, f->name) : "";
		f->path_length = f->folder = strlen(f->path);
		while (f->folder && f->path[f->folder - 1] != '/')
			f->folder--;
	}
}

/* Whether the path of a file ends in this one, from some byte on. */
static bool ends_at(struct spb_reader *r, const struct spb_file *f, size_t begin, const char *path, size_t length)
{
	return spb_spend(r, length / 16, NULL) && !memcmp(f->path + begin, path, length);
}

static bool is_named(struct spb_reader *r, const struct spb_file *f, const char *path, size_t length)
{
	return f->path_length == length && ends_at(r, f, 0, path, length);
}

/* The files of a unit follow its main file; a linker may have removed equal ones. */
static size_t of_unit(const struct spb_reader *r, size_t i)
{
	return (r->main + i) % r->files.count;
}

static size_t find_named(struct spb_reader *r, const char *path)
{
	const size_t length = strlen(path);

	for (size_t i = 0; i < r->files.count && spb_spend(r, 1, NULL); i++) {
		if (is_named(r, &r->files.items[of_unit(r, i)], path, length))
			return of_unit(r, i);
	}
	return SIZE_MAX;
}

static bool ends_in(struct spb_reader *r, const struct spb_file *f, const char *path)
{
	const size_t tail = strlen(path), begin = f->path_length - tail;

	return f->path_length > tail && f->path[begin - 1] == '/' && ends_at(r, f, begin, path, tail);
}

size_t spb_find_include(struct spb_reader *r, const char *path, bool *ambiguous)
{
	size_t found = SIZE_MAX;
	const char *plain = normal_name(r, path);

	for (size_t i = r->inputs.count; i-- > 0;) {
		const struct spb_input *input = &r->inputs.items[i]; /* a file */
		const struct spb_file *f = &r->files.items[input->index];
		const char *name = joined(r, f->path, f->folder, path);
		if (!spb_spend(r, strlen(name), NULL))
			return SIZE_MAX;
		size_t file = find_named(r, name);
		if (file != SIZE_MAX)
			return file;
	}
	found = find_named(r, plain);
	for (size_t i = 0; i < r->files.count && found == SIZE_MAX && !*ambiguous; i++) {
		const struct spb_file *first = &r->files.items[of_unit(r, i)];
		if (!ends_in(r, first, plain))
			continue;
		for (size_t k = i + 1; k < r->files.count; k++) {
			const struct spb_file *other = &r->files.items[of_unit(r, k)];
			*ambiguous |= ends_in(r, other, plain) && !is_named(r, other, first->path, first->path_length);
		}
		found = of_unit(r, i);
	}
	return found;
}
