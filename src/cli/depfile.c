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
	char **paths;
	size_t count, capacity;
	bool incomplete; /* memory ran out */
	bool unwanted;   /* nobody will ask; not changed while threads run */
} reads = {.lock = PTHREAD_MUTEX_INITIALIZER};

void note_read(const char *path, size_t length)
{
	if (reads.unwanted)
		return;
	pthread_mutex_lock(&reads.lock);
	if (reads.count == reads.capacity) {
		size_t capacity = reads.capacity ? 2 * reads.capacity : 64;
		char **more = realloc(reads.paths, capacity * sizeof *more);
		reads.incomplete |= !more;
		reads.paths = more ? more : reads.paths;
		reads.capacity = more ? capacity : reads.capacity;
	}
	if (reads.count < reads.capacity) {
		char *copy = malloc(length + 1);
		reads.incomplete |= !copy;
		if (copy) {
			memcpy(copy, path, length);
			copy[length] = '\0';
			reads.paths[reads.count++] = copy;
		}
	}
	pthread_mutex_unlock(&reads.lock);
}

void forget_reads(void)
{
	for (size_t i = 0; i < reads.count; i++)
		free(reads.paths[i]);
	free(reads.paths);
	reads.paths = NULL;
	reads.count = reads.capacity = 0;
	reads.incomplete = reads.unwanted = false;
}

void ignore_reads(void)
{
	forget_reads();
	reads.unwanted = true;
}

/* "target: first \<line feed> second": what a compiler has read, but for its own
 * files in a folder. */
void read_depfile(char *text, const char *folder, void (*take)(void *user, const char *path, size_t length), void *user)
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
static size_t list_targets(const struct arguments *a, char **targets)
{
	size_t count = 0;

	if (a->stamp) {
		targets[0] = strdup(a->stamp);
		return targets[0] ? 1 : 0;
	}
	for (size_t i = 0; i < a->input_count && (a->out_dir || i < a->output_count); i++) {
		targets[count] = a->out_dir ? path_in(a->out_dir, a->inputs[i]) : strdup(a->outputs[i]);
		if (targets[count])
			count++;
	}
	return count;
}

static bool is_written(const struct arguments *a, char *const *targets, size_t count, const char *path)
{
	if (a->options.layout.update_lock && a->lock && !strcmp(path, a->lock))
		return true;
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(path, targets[i]))
			return true;
	}
	return false;
}

static void put_rules(FILE *to, char *const *targets, size_t target_count, char *const *paths, size_t count)
{
	for (size_t i = 0; i < target_count; i++) {
		put_path(to, targets[i]);
		fputs(i + 1 < target_count ? " " : ":", to);
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
static size_t list_prerequisites(const struct arguments *a, char *const *targets, size_t target_count, char **paths)
{
	size_t count = 0;

	if (reads.count)
		qsort(reads.paths, reads.count, sizeof *reads.paths, by_path);
	for (size_t i = 0; i < reads.count; i++) {
		if ((!i || strcmp(reads.paths[i - 1], reads.paths[i]) != 0) &&
		    !is_written(a, targets, target_count, reads.paths[i]))
			paths[count++] = reads.paths[i];
	}
	return count;
}

static bool has_line_feed(char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strchr(paths[i], '\n')) {
			say(SPB_SEVERITY_ERROR,
			    WORDS("--depfile: the name has a line feed, for which Make has no words: ", paths[i]));
			return true;
		}
	}
	return false;
}

/* The text of the depfile. NULL after reporting an error. Free with free(). */
static char *make_depfile(const struct arguments *a, size_t *size)
{
	char **targets = calloc(a->input_count + 1, sizeof *targets);
	char **paths = calloc(reads.count + 1, sizeof *paths);
	size_t target_count = targets ? list_targets(a, targets) : 0, count = 0;
	bool ok = target_count && paths && !reads.incomplete;
	char *text = NULL;
	FILE *to = NULL;

	if (ok) {
		count = list_prerequisites(a, targets, target_count, paths);
		to = has_line_feed(targets, target_count) || has_line_feed(paths, count) ? NULL
											 : os_open_text(&text, size);
	} else {
		say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	}
	if (to) {
		put_rules(to, targets, target_count, paths, count);
		os_close_text(to); /* which sets text; NULL: no memory */
	}
	for (size_t i = 0; i < target_count; i++)
		free(targets[i]);
	free(targets);
	free(paths);
	return text;
}

/* A stamp is written each time: its age is what it is for. */
static bool write_stamp(const char *path)
{
	struct output stamp = {.path = path, .bytes = ""};

	if (!write_outputs(&stamp, 1, false))
		return false;
	if (!stamp.changed && !os_touch(path)) {
		say(SPB_SEVERITY_ERROR, WORDS("cannot write ", path, ": ", strerror(errno)));
		return false;
	}
	return true;
}

int write_depfile(const struct arguments *a)
{
	struct output depfile = {.path = a->depfile};
	char *text = NULL;
	bool done = true;

	if (a->dry_run)
		return EXIT_DONE;
	if (a->depfile) {
		depfile.bytes = text = make_depfile(a, &depfile.size);
		done = text && write_outputs(&depfile, 1, false);
	}
	if (done && a->stamp)
		done = write_stamp(a->stamp);
	free(text);
	return done ? EXIT_DONE : EXIT_IO;
}

void check_depfile(struct arguments *a)
{
	bool many = a->batch || a->manifest;

	if (!a->depfile)
		return;
	if (!strcmp(a->depfile, "-"))
		usage(a, WORDS("--depfile needs a file, not stdout"));
	else if (!a->stamp && (many || a->check || !(a->output || a->out_dir)))
		usage(a, WORDS("--depfile: no file is made that the rule could name; add --stamp=FILE"));
	else if (!a->stamp && !a->out_dir && a->output && !strcmp(a->output, "-"))
		usage(a, WORDS("--depfile: the output goes to stdout; use -o FILE, or add --stamp=FILE"));
}
