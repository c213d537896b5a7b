/* SPDX-License-Identifier: Apache-2.0 */
/* manifest: reads a manifest and what it includes, line by line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "cli/args/args.h"
#include "cli/workspace/manifest.h"

struct place { /* in a file */
	struct manifest *m;
	const char *file;
	char *folder; /* of the file, with a slash at the end */
	unsigned line;
};

int ws_refuse_line(const char *file, unsigned line, const char *const *words)
{
	msg_report_line(file, line, "manifest", words);
	return EXIT_USAGE;
}

static int refuse(const struct place *p, const char *const *words)
{
	return ws_refuse_line(p->file, p->line, words);
}

/* Lists */

/* Room for one more element: the list, or a larger copy. NULL: no memory, which has been reported. */
static void *grow(void *items, size_t count, size_t *capacity, size_t size)
{
	enum { FIRST_ROOM = 2 };
	size_t wanted = *capacity ? 2 * *capacity : FIRST_ROOM;
	void *more;

	if (count < *capacity)
		return items;
	more = wanted > SIZE_MAX / size ? NULL : realloc(items, wanted * size);
	if (more)
		*capacity = wanted;
	else
		msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
	return more;
}

static bool add_word(struct words *w, char *word)
{
	char **items = grow(w->items, w->count, &w->capacity, sizeof *w->items);

	if (!items)
		return false;
	w->items = items;
	w->items[w->count++] = word;
	return true;
}

/* The two texts joined, which live as long as the manifest. There are many short ones. NULL: no memory. */
static char *keep(struct manifest *m, const char *first, const char *second)
{
	enum { BLOCK = 16384 };
	size_t length = strlen(first), rest = strlen(second) + 1, whole = length + rest;

	if (whole > m->room) {
		size_t size = whole > BLOCK ? whole : BLOCK;
		char *block = malloc(size);
		if (!block)
			msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);
		if (!block || !add_word(&m->texts, block)) {
			free(block);
			return NULL;
		}
		m->next = block;
		m->room = size;
	}
	char *text = m->next;
	memcpy(text, first, length);
	memcpy(text + length, second, rest);
	m->next += whole;
	m->room -= whole;
	return text;
}

static char *join(struct manifest *m, const char *folder, const char *path)
{
	return keep(m, os_is_absolute(path) ? "" : folder, path);
}

static char *folder_of(struct manifest *m, const char *path)
{
	char *folder = keep(m, path, "");
	char *slash = folder ? strrchr(folder, '/') : NULL;

	if (folder)
		folder[slash ? slash + 1 - folder : 0] = '\0';
	return folder;
}

/* Words */

/* Reads the word at *at in place, without its quotes; *closed: no quote is missing. NULL: the line is at its end. */
static char *next_word(char **at, bool *closed)
{
	char *from = *at + strspn(*at, " \t\r"), *to = from, *word = from;
	bool quoted = false;

	if (!*from || *from == '#')
		return NULL;
	for (; *from && (quoted || !strchr(" \t\r", *from)); from++) {
		if (*from == '"') {
			quoted = !quoted;
			continue;
		}
		if (quoted && *from == '\\' && (from[1] == '"' || from[1] == '\\'))
			from++;
		*to++ = *from;
	}
	*at = *from ? from + 1 : from;
	*to = '\0';
	*closed = !quoted;
	return word;
}

static int read_words(const struct place *p, char *line, struct words *words)
{
	bool closed;

	words->count = 0;
	for (char *word; (word = next_word(&line, &closed));) {
		if (!closed)
			return refuse(p, WORDS("the closing quotation mark is missing" MSG_REMEDY
					       "Quotes end in the line in which they begin."));
		if (!add_word(words, word))
			return EXIT_IO;
	}
	return EXIT_DONE;
}

static const char *value_of(const char *word, const char *key)
{
	size_t length = strlen(key);

	return !strncmp(word, key, length) && word[length] == '=' ? word + length + 1 : NULL;
}

/* Options */

/* The option of a word, "--option=value" or "-Ovalue"; NULL: none. */
static const struct option *option_of(const char *word)
{
	char name[64];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	const struct option *o = arg_find_option(name);
	if (!o && word[1] != '-') {
		name[2] = '\0';
		o = arg_find_option(name);
	}
	return o;
}

static bool is_file(const char *path)
{
	FILE *f = os_open_stream(path, "r");

	if (f)
		fclose(f);
	return f != NULL;
}

/* The option with the path of its file. NULL: no memory. */
static char *locate(const struct place *p, const struct option *o, char *word)
{
	const char *value = word[1] == '-' ? strchr(word, '=') : word + 1;

	if (!o || !o->is_path || !value || !value[1])
		return keep(p->m, word, "");
	char *path = join(p->m, p->folder, value + 1),
	     *before = path ? keep(p->m, o->name, word[1] == '-' ? "=" : "") : NULL;
	if (!before || (!strcmp(o->name, "--profile") && !is_file(path))) /* a built-in profile */
		return before ? keep(p->m, word, "") : NULL;
	return keep(p->m, before, path);
}

/* The option at *i; the value of one with a letter may be the next word. `more`: gets it as well, or is NULL. */
static int add_option(const struct place *p, struct words *list, struct words *more, const struct words *words,
		      size_t *i)
{
	char *word = words->items[*i];
	const struct option *o = option_of(word);

	if (o && o->is_of_run)
		return refuse(p, WORDS(o->name, " is about the whole run" MSG_REMEDY "Give it on the command line."));
	if (o && o->is_glued && !word[2] && *i + 1 < words->count)
		word = keep(p->m, word, words->items[++*i]);
	word = word ? locate(p, o, word) : NULL;
	return word && add_word(list, word) && (!more || add_word(more, word)) ? EXIT_DONE : EXIT_IO;
}

/* The same, of all programs. */
static int add_option_of_all(const struct place *p, const struct words *words, size_t *i)
{
	struct manifest *m = p->m;
	struct msg_line *lines =
	    grow(m->option_lines, m->options.count, &m->option_line_capacity, sizeof *m->option_lines);

	if (!lines)
		return EXIT_IO;
	m->option_lines = lines;
	lines[m->options.count] = (struct msg_line){p->file, p->line};
	return add_option(p, &m->options, NULL, words, i);
}

/* Lines */

/* Manifests that include each other may repeat a line. */
static bool is_shared_already(const struct manifest *m, const struct manifest_share *share)
{
	const char *programs = share->programs ? share->programs : "*";

	for (size_t i = 0; i < m->share_count; i++) {
		const char *other = m->shares[i].programs ? m->shares[i].programs : "*";
		if (m->shares[i].set == share->set && !strcmp(other, programs))
			return true;
	}
	return false;
}

static int read_share(const struct place *p, const struct words *words)
{
	struct manifest *m = p->m;
	struct manifest_share share = {0};
	bool has_set = false;

	for (size_t i = 1; i < words->count; i++) {
		const char *set = value_of(words->items[i], "set"), *programs = value_of(words->items[i], "programs");
		char *end;
		unsigned long n = strtoul(set ? set : "", &end, 10);
		if (i == 1 && !strcmp(words->items[i], "heaps")) {
			share.set = SPB_SHARE_HEAPS;
			has_set = true;
		} else if (set && *set >= '0' && !*end && n < UINT32_MAX) { /* no sign, and no space */
			share.set = (uint32_t)n;
			has_set = true;
		} else if (programs && *programs) {
			share.programs = keep(m, programs, "");
			if (!share.programs)
				return EXIT_IO;
		} else {
			return refuse(p,
				      WORDS("expected share set=N|heaps programs=GLOB, got \"", words->items[i], "\""));
		}
	}
	if (!has_set)
		return refuse(p, WORDS("share needs what is shared" MSG_REMEDY "Write share set=N or share heaps."));
	if (is_shared_already(m, &share))
		return EXIT_DONE;
	struct manifest_share *shares = grow(m->shares, m->share_count, &m->share_capacity, sizeof share);
	if (!shares)
		return EXIT_IO;
	m->shares = shares;
	m->shares[m->share_count++] = share;
	return EXIT_DONE;
}

static int read_output(const struct place *p, struct manifest_program *program, const struct words *words, size_t i)
{
	char *path = i + 1 < words->count ? keep(p->m, words->items[i + 1], "") : NULL;

	if (!program->inputs.count || program->outputs.count == program->inputs.count)
		return refuse(
		    p, WORDS("-o is not behind an input, or twice" MSG_REMEDY "Write it once, behind its input."));
	if (i + 1 == words->count)
		return refuse(p, WORDS("-o needs the name of a file" MSG_REMEDY "Write -o FILE."));
	while (path && program->outputs.count + 1 < program->inputs.count) {
		if (!add_word(&program->outputs, NULL))
			return EXIT_IO;
	}
	return path && add_word(&program->outputs, path) ? EXIT_DONE : EXIT_IO;
}

static int read_member(const struct place *p, struct manifest_program *program, const struct words *words, size_t *i)
{
	char *word = words->items[*i];
	const char *variant_of = value_of(word, "variant-of");

	if (!strcmp(word, "-o"))
		return read_output(p, program, words, (*i)++);
	if (word[0] == '-' && word[1])
		return add_option(p, &program->options, &program->words, words, i);
	if (variant_of && *variant_of && !program->variant_of) {
		program->variant_of = keep(p->m, variant_of, "");
		return program->variant_of ? EXIT_DONE : EXIT_IO;
	}
	if (variant_of)
		return refuse(p, WORDS("variant-of= takes the name of one program" MSG_REMEDY "Write it once."));
	word = join(p->m, p->folder, word);
	return word && add_word(&program->inputs, word) && add_word(&program->words, word) ? EXIT_DONE : EXIT_IO;
}

/* program NAME: FILES... */
static int read_program(const struct place *p, const struct words *words)
{
	struct manifest *m = p->m;
	const char *name = words->count > 1 ? words->items[1] : "";
	size_t length = strlen(name);
	struct manifest_program *program;
	int status = EXIT_DONE;

	if (length < 2 || name[length - 1] != ':')
		return refuse(p, WORDS("expected program NAME: FILES"));
	program = grow(m->programs, m->program_count, &m->program_capacity, sizeof *program);
	if (!program)
		return EXIT_IO;
	m->programs = program;
	program = &m->programs[m->program_count++];
	*program = (struct manifest_program){.name = keep(m, name, ""), .file = p->file, .line = p->line};
	if (!program->name)
		return EXIT_IO;
	program->name[length - 1] = '\0';
	for (size_t i = 2; i < words->count && status == EXIT_DONE; i++)
		status = read_member(p, program, words, &i);
	if (status == EXIT_DONE && !program->inputs.count)
		return refuse(
		    p, WORDS("program ", program->name, " has no files" MSG_REMEDY "Write program NAME: FILES."));
	return status;
}

static int read_files_of(struct manifest *m, char *path, const struct place *from);

static int read_line(const struct place *p, const struct words *words)
{
	const char *verb = words->count ? words->items[0] : "";
	int status = EXIT_DONE;

	if (!words->count)
		return EXIT_DONE;
	if (!strcmp(verb, "program"))
		return read_program(p, words);
	if (!strcmp(verb, "share"))
		return read_share(p, words);
	if (!strcmp(verb, "include")) {
		char *path = words->count == 2 ? join(p->m, p->folder, words->items[1]) : NULL;
		if (words->count != 2)
			return refuse(p, WORDS("expected include FILE"));
		return path ? read_files_of(p->m, path, p) : EXIT_IO;
	}
	if (strcmp(verb, "options") != 0)
		return refuse(p, WORDS("no line begins with \"", verb,
				       "\"" MSG_REMEDY "Lines begin with options, share, program or include."));
	for (size_t i = 1; i < words->count && status == EXIT_DONE; i++) {
		if (words->items[i][0] != '-')
			return refuse(p, WORDS("expected an option, got \"", words->items[i],
					       "\"" MSG_REMEDY "The value of an option is given with =."));
		status = add_option_of_all(p, words, &i);
	}
	return status;
}

static int read_lines(struct place *p, char *text)
{
	struct words words = {0};
	int status = EXIT_DONE;

	for (char *line = text, *next; line && status == EXIT_DONE; line = next) {
		char *end = strchr(line, '\n');
		next = end ? end + 1 : NULL;
		if (end)
			*end = '\0';
		p->line++;
		status = read_words(p, line, &words);
		if (status == EXIT_DONE)
			status = read_line(p, &words);
	}
	free(words.items);
	return status;
}

/* A file stays open while the files that it includes are read, so an open file that is included again includes
 * itself. */
static int read_file_of(struct manifest *m, char *path, const struct place *from)
{
	enum { DEEPEST = 64, MOST_FILES = 1 << 16 };
	struct place p = {m, path, folder_of(m, path), 0};
	char *resolved = cli_resolve_path(path), *kept = keep(m, resolved ? resolved : path, "");
	int status;

	free(resolved);
	for (size_t i = 0; kept && i < m->open.count; i++) {
		if (!strcmp(m->open.items[i], kept))
			return refuse(from, WORDS(path, " includes itself" MSG_REMEDY "Remove this line."));
	}
	if (m->open.count == DEEPEST)
		return refuse(
		    from, WORDS("files are included more than 64 deep" MSG_REMEDY "Include them from fewer files."));
	if (m->files.count == MOST_FILES)
		return refuse(
		    from, WORDS("files are included more than 65,536 times" MSG_REMEDY "Include each of them once."));
	if (!p.folder || !kept || !add_word(&m->open, kept) || !add_word(&m->files, path))
		return EXIT_IO;
	const struct msg_line before =
	    msg_follow(from ? (struct msg_line){from->file, from->line} : (struct msg_line){0});
	char *text = cli_read_text_file(path);
	msg_follow(before);
	status = text ? read_lines(&p, text) : EXIT_IO;
	free(text);
	m->open.count--;
	return status;
}

struct search {
	struct manifest *m;
	const char *folder, *pattern;
	struct words paths;
	bool failed;
};

static bool take_match(void *user, const char *name)
{
	struct search *s = user;
	char *path;

	if (!spb_glob(s->pattern, name))
		return true;
	path = keep(s->m, s->folder, name);
	s->failed = !path || !add_word(&s->paths, path);
	return !s->failed;
}

/* With * and ? in the name, the files of its folder that match, sorted. */
static int read_files_of(struct manifest *m, char *path, const struct place *from)
{
	struct search s = {.m = m, .folder = folder_of(m, path)};
	int status = EXIT_DONE;

	if (!s.folder)
		return EXIT_IO;
	s.pattern = path + strlen(s.folder);
	if (!strpbrk(s.pattern, "*?"))
		return read_file_of(m, path, from);
	if (!os_list(OS_HERE, *s.folder ? s.folder : ".", take_match, &s)) {
		status = refuse(from, WORDS("cannot list ", *s.folder ? s.folder : ".", ": ", strerror(errno)));
	} else if (s.failed) {
		status = EXIT_IO;
	} else if (s.paths.count) {
		qsort(s.paths.items, s.paths.count, sizeof *s.paths.items, cli_by_path);
	}
	for (size_t i = 0; i < s.paths.count && status == EXIT_DONE; i++)
		status = read_file_of(m, s.paths.items[i], from);
	if (status == EXIT_DONE && !s.paths.count)
		status =
		    refuse(from, WORDS("no file matches ", path, MSG_REMEDY "Correct the name, or remove the line."));
	free(s.paths.items);
	return status;
}

/* Names and families */

static int by_name(const void *a, const void *b)
{
	const struct manifest_program *x = *(struct manifest_program *const *)a;
	const struct manifest_program *y = *(struct manifest_program *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x > y) - (x < y);
}

struct names { /* sorted */
	struct manifest_program **items;
	size_t count;
};

static struct manifest_program *find(const struct names *names, const char *name)
{
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(names->items[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < names->count && !strcmp(names->items[low]->name, name) ? names->items[low] : NULL;
}

static int find_family(const struct names *names, struct manifest_program *p)
{
	struct manifest_program *base = p;
	size_t steps = 0;

	while (base->variant_of) {
		const struct manifest_program *variant = base;
		if (base->family) { /* found before */
			base = find(names, base->family);
			break;
		}
		base = find(names, base->variant_of);
		if (!base)
			return ws_refuse_line(variant->file, variant->line,
					      WORDS("variant-of=", variant->variant_of,
						    " names no program" MSG_REMEDY
						    "Give the name of a program of the manifest."));
		if (base == p || ++steps == names->count)
			return ws_refuse_line(p->file, p->line,
					      WORDS("program ", p->name,
						    " is a variant of itself" MSG_REMEDY
						    "Leave out variant-of= at one program of the family."));
	}
	if (base != p)
		p->family = base->family = base->name;
	return EXIT_DONE;
}

static int check_programs(const struct manifest *m)
{
	struct names names = {calloc(m->program_count, sizeof(struct manifest_program *)), m->program_count};
	int status = names.items ? EXIT_DONE : msg_exit_of(SPB_ERROR_OUT_OF_MEMORY);

	for (size_t i = 0; names.items && i < names.count; i++)
		names.items[i] = &m->programs[i];
	if (names.items)
		qsort(names.items, names.count, sizeof *names.items, by_name);
	for (size_t i = 1; i < names.count && status == EXIT_DONE; i++) {
		const struct manifest_program *p = names.items[i];
		if (!strcmp(names.items[i - 1]->name, p->name))
			status = ws_refuse_line(p->file, p->line,
						WORDS("program ", p->name,
						      " is declared twice" MSG_REMEDY
						      "Give one another name, or make it a variant."));
	}
	for (size_t i = 0; i < names.count && status == EXIT_DONE; i++)
		status = find_family(&names, &m->programs[i]);
	free(names.items);
	return status;
}

int ws_read_manifest(struct manifest *m, const char *path)
{
	int status;

	*m = (struct manifest){.path = path};
	char *copy = keep(m, path, "");
	m->folder = copy ? folder_of(m, copy) : NULL;
	if (!m->folder)
		return EXIT_IO;
	status = read_file_of(m, copy, NULL);
	if (status == EXIT_DONE && !m->program_count)
		status = ws_refuse_line(path, 1,
					WORDS("the manifest has no programs" MSG_REMEDY
					      "Write lines like program sky: sky.vert sky.frag."));
	return status == EXIT_DONE ? check_programs(m) : status;
}

void ws_free_manifest(struct manifest *m)
{
	for (size_t i = 0; i < m->program_count; i++) {
		free(m->programs[i].inputs.items);
		free(m->programs[i].outputs.items);
		free(m->programs[i].options.items);
		free(m->programs[i].words.items);
	}
	for (size_t i = 0; i < m->texts.count; i++)
		free(m->texts.items[i]);
	free(m->texts.items);
	free(m->options.items);
	free(m->option_lines);
	free(m->files.items);
	free(m->open.items);
	free(m->programs);
	free(m->shares);
}
