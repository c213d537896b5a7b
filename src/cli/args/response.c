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
	if (!items)
		return false;
	to->items = items;
	x->capacity = capacity;
	return true;
}

/* Takes over the word. */
static void add(struct expansion *x, char *word)
{
	struct word_array *to = x->to;

	if (!word || !make_room(x)) {
		free(word);
		fail(x, EXIT_IO, WORDS("out of memory"));
		return;
	}
	if (!strcmp(word, "--"))
		x->only_inputs = true;
	to->items[to->count++] = word;
	to->items[to->count] = NULL;
}

/* Takes the next word of a text out of it, without its quotes. NULL: there is none. `open`: a quote that does not end,
 * or 0. */
static char *next_word(char **text, bool *quoted, char *open)
{
	char *from = *text + strspn(*text, " \t\r\n\v\f"), *word = from, *to = from;

	*quoted = false;
	*open = '\0';
	if (!*from)
		return NULL;
	for (; *from && (*open || !strchr(" \t\r\n\v\f", *from)); from++) {
		if (*from == '\\' && *open != '\'' && from[1]) {
			*to++ = *++from;
			*quoted |= to == word + 1;
		} else if (*from == *open) {
			*open = '\0';
		} else if (!*open && (*from == '"' || *from == '\'')) {
			*open = *from;
			*quoted |= to == word;
		} else {
			*to++ = *from;
		}
	}
	*text = from + (*from != '\0');
	*to = '\0';
	return word;
}

/* Each level reads one file; a file that includes itself exceeds DEEPEST. */
static void expand(struct expansion *x, const char *path, unsigned depth)
{
	static const char mark[] = "\xEF\xBB\xBF"; /* which editors on Windows put before UTF-8 */
	bool quoted;
	char open;

	if (!*path || !strcmp(path, "-"))
		fail(x, EXIT_USAGE,
		     WORDS("@ needs the name of a file" MSG_REMEDY "Write ./@ for a file that is called @."));
	else if (depth > DEEPEST || ++x->files > MOST_FILES)
		fail(x, EXIT_USAGE,
		     WORDS("@", path, ": response files name each other too often" MSG_REMEDY "Does one name itself?"));
	char *text = x->status ? NULL : cli_read_text_file(path), *at = text;
	if (!text && !x->status)
		x->status = EXIT_IO;
	if (text && !strncmp(text, mark, strlen(mark)))
		at += strlen(mark);
	for (char *word; text && !x->status && (word = next_word(&at, &quoted, &open));) {
		if (open)
			fail(x, EXIT_USAGE,
			     WORDS("@", path, ": a quote that begins with ", (char[]){open, '\0'},
				   " does not end" MSG_REMEDY "Close it."));
		else if (x->to->count >= MOST_WORDS)
			fail(x, EXIT_USAGE,
			     WORDS("@", path, " has more than a million words" MSG_REMEDY "Use a manifest."));
		else if (*word == '@' && !quoted && !x->only_inputs)
			expand(x, word + 1, depth + 1);
		else
			add(x, strdup(word));
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
			add(&x, strdup((*argv)[i]));
	}
	*argc = (int)to->count;
	*argv = to->items;
	return x.status;
}

void arg_free_words(struct word_array *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->items[i]);
	free(w->items);
}
