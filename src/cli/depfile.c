/* SPDX-License-Identifier: Apache-2.0 */
/* depfile: the files that a run has read, for build systems: --depfile and --stamp.
 *
 *     build/bound.stamp: include/light.glsl rules.policy lit.frag.spv
 *
 *     include/light.glsl:
 *     rules.policy:
 *     lit.frag.spv:
 *
 * The rules without prerequisites let Make continue when a file has been removed (gcc -MP). The paths are sorted, so
 * that threads do not change the file. Files that the run writes are left out: Ninja would see a cycle, and a lock that
 * --update-lock has written is newer than unchanged outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Escaped for Make and Ninja. A backslash is part of the name unless it precedes an escaped character, where gcc
 * doubles it. */
static void put_path(FILE *to, const char *path)
{
	for (const char *p = path; *p; p++) {
		if (*p == '$')
			fputc('$', to);
		if (strchr(" \t#|", *p) || (*p == ':' && p != path + 1)) { /* not that of C:\ */
			for (const char *b = p; b > path && b[-1] == '\\'; b--)
				fputc('\\', to);
			fputc('\\', to);
		}
		fputc(*p, to);
	}
}

static int by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The targets of the rule: the stamp or, without one, the modules and the forms of the layout. */
static struct path_list list_targets(const struct arguments *a)
{
	const struct program_options *p = &a->program;
	struct path_list targets = {0};

	if (a->run.stamp)
		cli_add_path(&targets, a->run.stamp, strlen(a->run.stamp));
	for (size_t i = 0; !a->run.stamp && i < p->input_count && (p->modules.folder || i < p->modules.count); i++) {
		char *path = p->modules.folder ? cli_path_in(p, p->inputs[i]) : strdup(p->modules.files[i]);
		if (path)
			cli_add_path(&targets, path, strlen(path));
		targets.incomplete |= !path;
		free(path);
	}
	for (int i = 0; i < LAYOUT_FILES && !a->run.stamp; i++) {
		const char *path = p->layout.files[i];
		if (path && strcmp(path, "-") != 0)
			cli_add_path(&targets, path, strlen(path));
	}
	return targets;
}

static bool is_written(const struct arguments *a, const struct path_list *targets, const char *path)
{
	const struct program_options *p = &a->program;

	if (p->library.layout.update_lock && p->lock.file && !strcmp(path, p->lock.file))
		return true;
	for (size_t i = 0; i < targets->count; i++) {
		if (!strcmp(path, targets->paths[i]))
			return true;
	}
	return false;
}

static void put_rules(FILE *to, const struct path_list *targets, char *const *paths, size_t count)
{
	for (size_t i = 0; i < targets->count; i++) {
		put_path(to, targets->paths[i]);
		fputs(i + 1 < targets->count ? " " : ":", to);
	}
	for (size_t i = 0; i < count; i++) {
		fputc(' ', to);
		put_path(to, paths[i]);
	}
	fputc('\n', to);
	for (size_t i = 0; i < count; i++) {
		fputc('\n', to);
		put_path(to, paths[i]);
		fputc(':', to);
	}
	if (count)
		fputc('\n', to);
}

/* Sorts the files that have been read, and puts those that the run does not write into paths, each once. */
static size_t list_prerequisites(const struct arguments *a, const struct path_list *targets, char **paths)
{
	const struct path_list *reads = cli_reads();
	size_t count = 0;

	if (reads->count)
		qsort(reads->paths, reads->count, sizeof *reads->paths, by_path);
	for (size_t i = 0; i < reads->count; i++) {
		if ((!i || strcmp(reads->paths[i - 1], reads->paths[i]) != 0) &&
		    !is_written(a, targets, reads->paths[i]))
			paths[count++] = reads->paths[i];
	}
	return count;
}

/* After a semicolon, Make would begin a recipe. */
static bool cannot_be_named(char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *wrong = strpbrk(paths[i], "\n;");
		if (!wrong)
			continue;
		msg_say(SPB_SEVERITY_ERROR,
			WORDS("the name ", paths[i], " has a ", *wrong == ';' ? "semicolon" : "line feed",
			      ", which --depfile cannot write" MSG_REMEDY
			      "Make has no words for it: rename the file."));
		return true;
	}
	return false;
}

/* The text of the depfile. NULL after reporting an error. Free with free(). */
static char *make_depfile(const struct arguments *a, size_t *size)
{
	struct path_list targets = list_targets(a);
	char **paths = calloc(cli_reads()->count + 1, sizeof *paths), *text = NULL;
	bool ok = paths && !targets.incomplete && !cli_reads()->incomplete;
	size_t count = ok ? list_prerequisites(a, &targets, paths) : 0;
	bool refused = cannot_be_named(targets.paths, targets.count) || cannot_be_named(paths, count);
	FILE *to = ok && !refused ? os_open_text(&text, size) : NULL;

	if (to) {
		put_rules(to, &targets, paths, count);
		ok = os_close_text(to);
	}
	if (!refused && (!to || !ok)) {
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
		free(text);
		text = NULL;
	}
	cli_free_paths(&targets);
	free(paths);
	return text;
}

bool cli_add_depfile(const struct arguments *a, struct output *outputs, size_t *count, char **text)
{
	*text = NULL;
	if (a->run.depfile) {
		struct output *o = &outputs[(*count)++];
		*o = (struct output){.path = a->run.depfile};
		o->bytes = *text = make_depfile(a, &o->size);
		if (!*text)
			return false;
	}
	if (a->run.stamp)
		outputs[(*count)++] = (struct output){.path = a->run.stamp, .bytes = "", .renewed = true};
	cli_reads()->listed = true;
	return true;
}

int cli_write_depfile(const struct arguments *a)
{
	struct output outputs[2];
	size_t count = 0;
	char *text = NULL;
	bool done = cli_reads()->listed ||
		    (cli_add_depfile(a, outputs, &count, &text) && cli_write_outputs(NULL, outputs, count));

	cli_reads()->listed = false;
	free(text);
	return done ? EXIT_DONE : EXIT_IO;
}
