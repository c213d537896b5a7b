/* SPDX-License-Identifier: Apache-2.0 */
/* depfile: what a run has read, for build systems: --depfile and --stamp.
 *
 *     build/bound.stamp: include/light.glsl rules.policy lit.frag.spv
 *
 *     include/light.glsl:
 *     rules.policy:
 *     lit.frag.spv:
 *
 * The rules without prerequisites let Make go on when a file has been removed (gcc -MP). The paths are sorted, so that
 * threads do not change the file. What the run writes is left out: Ninja takes it for a cycle, and a lock that
 * --update-lock has written is newer than the outputs that need not be written again. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"

static struct {
	pthread_mutex_t lock;
	struct path_list list;
	bool unwanted; /* nobody will ask; not changed while threads run */
} reads = {.lock = PTHREAD_MUTEX_INITIALIZER};

void cli_add_path(struct path_list *list, const char *path, size_t length)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 64;
		char **more = realloc(list->paths, capacity * sizeof *more);
		list->incomplete |= !more;
		list->paths = more ? more : list->paths;
		list->capacity = more ? capacity : list->capacity;
	}
	if (list->count < list->capacity) {
		char *copy = malloc(length + 1);
		list->incomplete |= !copy;
		if (copy) {
			memcpy(copy, path, length);
			copy[length] = '\0';
			list->paths[list->count++] = copy;
		}
	}
}

void cli_free_paths(struct path_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (struct path_list){0};
}

void cli_note_read(const char *path, size_t length)
{
	if (reads.unwanted)
		return;
	pthread_mutex_lock(&reads.lock);
	cli_add_path(&reads.list, path, length);
	pthread_mutex_unlock(&reads.lock);
}

void cli_forget_reads(void)
{
	cli_free_paths(&reads.list);
	reads.unwanted = false;
}

void cli_ignore_reads(void)
{
	cli_forget_reads();
	reads.unwanted = true;
}

/* "target: first \<line feed> second": what a compiler has read, but for its own
 * files in a folder. */
void cli_read_depfile(char *text, const char *folder, void (*take)(void *user, const char *path, size_t length),
		      void *user)
{
	char *from = strstr(text, ": "), *to, *start;

	from = from ? from + 2 : text + strlen(text);
	while (*from) {
		if (*from == ' ' || *from == '\t' || *from == '\n' || *from == '\r' ||
		    (*from == '\\' && (from[1] == '\n' || from[1] == '\r'))) {
			from++;
			continue;
		}
		start = to = from;
		while (*from && !strchr(" \t\n\r", *from)) {
			if ((*from == '\\' && from[1] && strchr(" #:\\", from[1])) || (*from == '$' && from[1] == '$'))
				from++;
			*to++ = *from++;
		}
		if (strncmp(start, folder, strlen(folder)) != 0)
			take(user, start, (size_t)(to - start));
	}
}

/* As Make and Ninja read them. A backslash is one of the name unless it stands before what is escaped, where gcc
 * doubles it. */
static void put_path(FILE *to, const char *path)
{
	for (const char *p = path; *p; p++) {
		if (*p == '$')
			fputc('$', to);
		if (*p == ' ' || *p == '#' || (*p == ':' && p != path + 1)) { /* not that of C:\ */
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

/* What the rule makes: the stamp or, without one, the modules. */
static struct path_list list_targets(const struct arguments *a)
{
	struct path_list targets = {0};

	if (a->stamp)
		cli_add_path(&targets, a->stamp, strlen(a->stamp));
	for (size_t i = 0; !a->stamp && i < a->input_count && (a->out_dir || i < a->output_count); i++) {
		char *path = a->out_dir ? cli_path_in(a->out_dir, a->inputs[i]) : strdup(a->outputs[i]);
		if (path)
			cli_add_path(&targets, path, strlen(path));
		targets.incomplete |= !path;
		free(path);
	}
	return targets;
}

static bool is_written(const struct arguments *a, const struct path_list *targets, const char *path)
{
	if (a->options.layout.update_lock && a->lock && !strcmp(path, a->lock))
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

/* Sorts what has been read and puts what the run does not write into paths, each once. */
static size_t list_prerequisites(const struct arguments *a, const struct path_list *targets, char **paths)
{
	size_t count = 0;

	if (reads.list.count)
		qsort(reads.list.paths, reads.list.count, sizeof *reads.list.paths, by_path);
	for (size_t i = 0; i < reads.list.count; i++) {
		if ((!i || strcmp(reads.list.paths[i - 1], reads.list.paths[i]) != 0) &&
		    !is_written(a, targets, reads.list.paths[i]))
			paths[count++] = reads.list.paths[i];
	}
	return count;
}

static bool has_line_feed(char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strchr(paths[i], '\n')) {
			msg_say(SPB_SEVERITY_ERROR,
				WORDS("--depfile: the name has a line feed, for which Make has no words: ", paths[i]));
			return true;
		}
	}
	return false;
}

/* The text of the depfile. NULL after reporting an error. Free with free(). */
static char *make_depfile(const struct arguments *a, size_t *size)
{
	struct path_list targets = list_targets(a);
	char **paths = calloc(reads.list.count + 1, sizeof *paths), *text = NULL;
	bool ok = paths && !targets.incomplete && !reads.list.incomplete;
	size_t count = ok ? list_prerequisites(a, &targets, paths) : 0;
	bool refused = has_line_feed(targets.paths, targets.count) || has_line_feed(paths, count);
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

/* A stamp is written each time: its age is what it is for. */
static bool write_stamp(const char *path)
{
	struct output stamp = {.path = path, .bytes = ""};

	if (!cli_write_outputs(&stamp, 1))
		return false;
	if (!stamp.changed && !os_touch(path)) {
		msg_say(SPB_SEVERITY_ERROR, WORDS("cannot write ", path, ": ", strerror(errno)));
		return false;
	}
	return true;
}

int cli_write_depfile(const struct arguments *a)
{
	struct output depfile = {.path = a->depfile};
	char *text = NULL;
	bool done = true;

	if (a->depfile) {
		depfile.bytes = text = make_depfile(a, &depfile.size);
		done = text && cli_write_outputs(&depfile, 1);
	}
	if (done && a->stamp)
		done = write_stamp(a->stamp);
	free(text);
	return done ? EXIT_DONE : EXIT_IO;
}

void cli_check_depfile(struct arguments *a)
{
	bool many = a->each || a->manifest;

	if (!a->depfile)
		return;
	if (!strcmp(a->depfile, "-"))
		arg_usage(a, WORDS("--depfile needs a file, not stdout"));
	else if (!a->stamp && (many || !verb_writes_modules(a) || !(a->output || a->out_dir)))
		arg_usage(a, WORDS("--depfile: no file is made that the rule could name; add --stamp=FILE"));
	else if (!a->stamp && !a->out_dir && a->output && !strcmp(a->output, "-"))
		arg_usage(a, WORDS("--depfile: the output goes to stdout; use -o FILE, or add --stamp=FILE"));
}
