/* SPDX-License-Identifier: Apache-2.0 */
/* reads: the files that the run has read, for --depfile; and those in a compiler's depfile. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static struct {
	pthread_mutex_t lock;
	struct path_list list;
	bool unwanted; /* there is no --depfile; not changed while threads run */
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

/* glslc does not escape blanks: a word that does not name a file may go on, up to the first place where it does. */
static char *end_of_file(char *start, char *end)
{
	char *line = end + strcspn(end, "\n");

	for (char *to = end;; to++) {
		const char kept = *to;
		if (to < line && kept != ' ')
			continue;
		*to = '\0';
		bool is_there = os_is_there(start);
		*to = kept;
		if (is_there)
			return to;
		if (to == line)
			return end;
	}
}

/* "target: first \<line feed> second": the files that a compiler has read, except temporary ones in a folder. */
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
		if (to == from) /* nothing was escaped */
			to = from = end_of_file(start, to);
		if (strncmp(start, folder, strlen(folder)) != 0)
			take(user, start, (size_t)(to - start));
	}
}

struct path_list *cli_reads(void)
{
	return &reads.list;
}
