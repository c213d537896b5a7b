/* SPDX-License-Identifier: Apache-2.0 */
/* response: @FILE on the command line stands for the words in FILE, for build systems whose command lines would be too
 * long.
 *
 *     white space and line feeds separate words
 *     '...' and "..." are part of a word as they are, white space included
 *     \ takes the next character as it is, but not within '...'
 *     @FILE that is not quoted stands for the words of another file
 *
 * That is what Ninja, Make and CMake write, and what gcc reads. Nothing is expanded as in a shell. Depth and sizes are
 * limited. */
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"

enum { DEEPEST = 8, MOST_FILES = 256, MOST_WORDS = 1 << 20 };

struct expansion {
	struct word_array *to;
	size_t capacity;
	unsigned files;
	bool only_inputs; /* after -- */
	int status;
};

static void fail(struct expansion *x, int status, const char *const *words)
{
	msg_say(SPB_SEVERITY_ERROR, words);
	x->status = status;
}

/* Makes room for a word and the NULL after it. */
static bool make_room(struct expansion *x)
{
	struct word_array *to = x->to;
	size_t capacity = 2 * x->capacity + 64;

	if (to->count + 1 < x->capacity)
		return true;
	char **items = realloc(to->items, capacity * sizeof *items);
	to->items = items ? items : to->items;
	struct msg_line *lines = items ? realloc(to->lines, capacity * sizeof *lines) : NULL;
	to->lines = lines ? lines : to->lines;
	x->capacity = lines ? capacity : x->capacity;
	return lines;
}

/* Takes over the word. */
static void add(struct expansion *x, char *word, struct msg_line line)
{
	struct word_array *to = x->to;

	if (!word || !make_room(x)) {
		free(word);
		fail(x, EXIT_IO, WORDS("out of memory"));
		return;
	}
	if (!strcmp(word, "--"))
		x->only_inputs = true;
	to->lines[to->count] = line;
	to->items[to->count++] = word;
	to->items[to->count] = NULL;
}

struct reader {
	char *at;
	unsigned line;      /* of `at`, from 0 */
	unsigned word_line; /* of the last word, from 1 */
	bool quoted;        /* its first character is */
	char open;          /* the quote in it that does not end, or 0 */
};

/* Takes the next word of a text out of it, without its quotes. NULL: there is none. */
static char *next_word(struct reader *r)
{
	char *from = r->at;

	for (; *from && strchr(" \t\r\n\v\f", *from); from++)
		r->line += *from == '\n';
	char *word = from, *to = from;
	r->word_line = r->line + 1;
	r->quoted = false;
	r->open = '\0';
	if (!*from)
		return NULL;
	for (; *from && (r->open || !strchr(" \t\r\n\v\f", *from)); from++) {
		r->line += *from == '\n';
		if (*from == '\\' && r->open != '\'' && from[1]) {
			*to++ = *++from;
			r->line += *from == '\n';
			r->quoted |= to == word + 1;
		} else if (*from == r->open) {
			r->open = '\0';
		} else if (!r->open && (*from == '"' || *from == '\'')) {
			r->open = *from;
			r->quoted |= to == word;
		} else {
			*to++ = *from;
		}
	}
	r->line += *from == '\n';
	r->at = from + (*from != '\0');
	*to = '\0';
	return word;
}

/* The name, which lives as long as the words. NULL after reporting an error. */
static const char *keep_name(struct expansion *x, const char *path)
{
	struct word_array *to = x->to;
	char **files = realloc(to->files, (to->file_count + 1) * sizeof *files), *copy = files ? strdup(path) : NULL;

	to->files = files ? files : to->files;
	if (copy)
		to->files[to->file_count++] = copy;
	else
		fail(x, EXIT_IO, WORDS("out of memory"));
	return copy;
}

/* Each level reads one file; a file that includes itself exceeds DEEPEST. */
static void expand(struct expansion *x, const char *path, unsigned depth)
{
	static const char mark[] = "\xEF\xBB\xBF"; /* which editors on Windows put before UTF-8 */

	if (!*path || !strcmp(path, "-"))
		fail(x, EXIT_USAGE,
		     WORDS("@ needs the name of a file" MSG_REMEDY "Write ./@ for a file that is called @."));
	else if (depth > DEEPEST || ++x->files > MOST_FILES)
		fail(x, EXIT_USAGE,
		     WORDS("@", path, ": response files name each other too often" MSG_REMEDY "Does one name itself?"));
	char *text = x->status ? NULL : cli_read_text_file(path);
	const char *file = text ? keep_name(x, path) : NULL;
	struct reader r = {.at = text};
	if (!file && !x->status)
		x->status = EXIT_IO;
	if (text && !strncmp(text, mark, strlen(mark)))
		r.at += strlen(mark);
	for (char *word; !x->status && (word = next_word(&r));) {
		const struct msg_line line = {file, r.word_line}, before = msg_follow(line);
		if (r.open)
			fail(x, EXIT_USAGE,
			     WORDS("a quote that begins with ", (char[]){r.open, '\0'},
				   " does not end" MSG_REMEDY "Close it."));
		else if (x->to->count >= MOST_WORDS)
			fail(x, EXIT_USAGE, WORDS("these are more than a million words" MSG_REMEDY "Use a manifest."));
		else if (*word == '@' && !r.quoted && !x->only_inputs)
			expand(x, word + 1, depth + 1);
		else
			add(x, strdup(word), line);
		msg_follow(before);
	}
	free(text);
}

static bool has_response(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] == '@')
			return true;
	}
	return false;
}

int arg_expand_responses(struct word_array *to, int *argc, char ***argv)
{
	struct expansion x = {.to = to};

	if (!has_response(*argc, *argv))
		return EXIT_DONE;
	for (int i = 0; i < *argc && !x.status; i++) {
		if (i && (*argv)[i][0] == '@' && !x.only_inputs)
			expand(&x, (*argv)[i] + 1, 1);
		else
			add(&x, strdup((*argv)[i]), (struct msg_line){0});
	}
	*argc = (int)to->count;
	*argv = to->items;
	return x.status;
}

void arg_free_words(struct word_array *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->items[i]);
	for (size_t i = 0; i < w->file_count; i++)
		free(w->files[i]);
	free(w->items);
	free(w->lines);
	free(w->files);
}
