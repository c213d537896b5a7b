/* SPDX-License-Identifier: Apache-2.0 */
/* kept_compiler: a cache in front of glslangValidator and glslc, for compilers that the command starts itself, whose
 * output test/running.py cannot keep. Starting glslangValidator takes 75 ms.
 *
 *     SPB_COMPILED=FOLDER glslangValidator ARGUMENT… -o OUT [--depfile FILE] SOURCE
 *
 * where the name of this program selects the compiler (SPB_GLSLANG_VALIDATOR and SPB_GLSLC are their paths). It keeps
 * exit status, messages, the module and the depfile, by all arguments, the text of the source and the texts of all
 * files that it may include; these are compared, not only their hash. Names of temporary folders differ from run to
 * run, but have the same length: placeholders of that length replace them in what is kept.
 *
 * Nothing is kept if a text includes a computed name, there is not exactly one source, the output has no name (except
 * with --stdin), or a signal ends the compiler. The order of messages is kept for each stream. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct bytes {
	char *at;
	size_t count;
};

static void *checked(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static void add(struct bytes *to, const void *from, size_t count)
{
	to->at = checked(realloc(to->at, to->count + count + 1));
	if (count)
		memcpy(to->at + to->count, from, count);
	to->count += count;
	to->at[to->count] = 0;
}

static bool read_stream(FILE *f, struct bytes *to)
{
	char some[16384];
	size_t count;

	add(to, "", 0);
	while (f && (count = fread(some, 1, sizeof some, f)) > 0)
		add(to, some, count);
	bool whole = f && !ferror(f);
	if (f)
		fclose(f);
	return whole;
}

static bool read_file(const char *path, struct bytes *to)
{
	return read_stream(fopen(path, "rb"), to);
}

static bool write_file(const char *path, struct bytes what)
{
	FILE *f = fopen(path, "wb");
	bool whole = f && fwrite(what.at, 1, what.count, f) == what.count;

	return f && !fclose(f) && whole;
}

/* Temporary folders. */

enum { MOST_FOLDERS = 4, LONGEST = 32 };

static struct folder {
	char name[LONGEST], stand_in[LONGEST];
	size_t length;
} folders[MOST_FOLDERS];
static size_t folder_count;

/* The length of the name that begins here, if our or Python's mkdtemp() has made it. */
static size_t temporary_length(const char *at)
{
	static const struct {
		const char *start;
		size_t more;
	} kinds[] = {{"spirv-bind.", 6}, {"tmp", 8}};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t length = strlen(kinds[i].start), all = length + kinds[i].more;
		if (strncmp(at, kinds[i].start, length))
			continue;
		while (length < all && (isalnum((unsigned char)at[length]) || at[length] == '_'))
			length++;
		if (length == all && (at[all] == '/' || !at[all]))
			return all;
	}
	return 0;
}

static void note_folders(const char *word)
{
	for (const char *at = strchr(word, '/'); at; at = strchr(at, '/')) {
		size_t length = temporary_length(++at), i = 0;
		while (i < folder_count && (folders[i].length != length || memcmp(folders[i].name, at, length)))
			i++;
		if (!length || i < folder_count || i == MOST_FOLDERS)
			continue;
		struct folder *f = &folders[folder_count++];
		*f = (struct folder){.length = length};
		memcpy(f->name, at, length);
		memset(f->stand_in, '?', length); /* occurs in no text, since GLSL has no such word */
		f->stand_in[0] = '<';
		f->stand_in[1] = (char)('0' + i);
		f->stand_in[length - 1] = '>';
	}
}

/* Replaces all names of folders by placeholders, or vice versa. */
static void exchange(struct bytes in, bool stand_ins)
{
	for (size_t i = 0; i < folder_count; i++) {
		const struct folder *f = &folders[i];
		const char *from = stand_ins ? f->name : f->stand_in, *to = stand_ins ? f->stand_in : f->name;
		char *at = in.at, *end = in.at + in.count;
		while ((at = memchr(at, *from, (size_t)(end - at))) && (size_t)(end - at) >= f->length) {
			if (memcmp(at, from, f->length)) {
				at++;
				continue;
			}
			memcpy(at, to, f->length);
			at += f->length;
		}
	}
}

/* The request. */

enum { MOST_INCLUDE_FOLDERS = 16 };

struct request {
	const char *out, *depfile, *source;
	struct bytes key; /* arguments and texts, with placeholders */
	const char *folders[MOST_INCLUDE_FOLDERS];
	size_t folder_count;
	struct bytes included; /* names, each with a NUL */
	bool is_stdin;
};

static void add_text(struct bytes *to, struct bytes text)
{
	char number[32];
	int length = snprintf(number, sizeof number, "%zu", text.count);

	add(to, number, (size_t)length + 1);
	add(to, text.at, text.count);
}

static bool is_in(struct bytes names, const char *name)
{
	for (size_t at = 0; at < names.count; at += strlen(names.at + at) + 1) {
		if (!strcmp(names.at + at, name))
			return true;
	}
	return false;
}

/* Whether a word precedes it in its line, so that it is not a directive; after the end of a comment, it may be one. */
static bool is_in_prose(const char *text, const char *at)
{
	while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at > text && at[-1] != '\n' && at[-1] != '/';
}

/* Adds each name that a text includes, with its contents in each folder of the request; false: unknown. */
static bool add_included(struct request *r, const char *text)
{
	for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
		const char *word = at + 1 + strspn(at + 1, " \t\\\r\n");
		if (strncmp(word, "include", 7))
			continue;
		word += 7 + strspn(word + 7, " \t");
		const char *end = *word == '"' || *word == '<' ? strpbrk(word + 1, "\">\n") : NULL;
		if ((!end || *end == '\n') && is_in_prose(text, at))
			continue;
		/* files in another folder may include files from there */
		if (!end || *end == '\n' || memchr(word + 1, '/', (size_t)(end - word - 1)))
			return false;
		struct bytes name = {NULL, 0};
		add(&name, word + 1, (size_t)(end - word - 1));
		if (is_in(r->included, name.at))
			continue;
		add(&r->included, name.at, name.count + 1);
		for (size_t i = 0; i < r->folder_count; i++) {
			struct bytes path = {NULL, 0}, found = {NULL, 0};
			add(&path, r->folders[i], strlen(r->folders[i]));
			add(&path, "/", 1);
			add(&path, name.at, name.count);
			if (!read_file(path.at, &found)) {
				add(&r->key, "none", 5);
			} else {
				add_text(&r->key, found);
				if (!add_included(r, found.at))
					return false;
			}
			free(path.at);
			free(found.at);
		}
	}
	return true;
}

/* Reads stdin, and rewinds it. */
static bool take_stdin(struct bytes *text)
{
	FILE *again = checked(tmpfile());

	return read_stream(fdopen(0, "rb"), text) && fwrite(text->at, 1, text->count, again) == text->count &&
	       !fflush(again) && !fseek(again, 0, SEEK_SET) && dup2(fileno(again), 0) == 0;
}

/* False: this cannot be kept. */
static bool read_request(struct request *r, char **words)
{
	struct bytes text = {NULL, 0}, folder = {NULL, 0};
	struct stat found;
	bool is_for_us = true;

	r->folders[r->folder_count++] = ".";
	for (size_t i = 1; words[i]; i++) {
		const char *before = words[i - 1];
		note_folders(words[i]);
		add(&r->key, words[i], strlen(words[i]) + 1);
		if (!strcmp(before, "-o"))
			r->out = words[i];
		else if (!strcmp(before, "--depfile") || !strcmp(before, "-MF"))
			r->depfile = words[i];
		else if (!strncmp(words[i], "-I", 2) && words[i][2] && r->folder_count < MOST_INCLUDE_FOLDERS)
			r->folders[r->folder_count++] = words[i] + 2;
		else if (!strncmp(words[i], "-I", 2) || !strcmp(words[i], "-") || *words[i] == '@')
			is_for_us = false;
		else if (!strcmp(words[i], "--stdin"))
			r->is_stdin = true;
		else if (*words[i] != '-' && !stat(words[i], &found)) {
			is_for_us = is_for_us && !r->source && S_ISREG(found.st_mode);
			r->source = words[i];
		}
	}
	if (r->is_stdin && !take_stdin(&text))
		abort();
	if (!is_for_us || r->is_stdin == (r->source != NULL) || !(r->out || r->is_stdin) ||
	    r->folder_count == MOST_INCLUDE_FOLDERS || (r->out && !stat(r->out, &found) && !S_ISREG(found.st_mode)) ||
	    (r->source && !read_file(r->source, &text)) || strlen(text.at) != text.count)
		return false;
	if (r->source && strrchr(r->source, '/')) {
		add(&folder, r->source, (size_t)(strrchr(r->source, '/') - r->source));
		r->folders[r->folder_count++] = folder.at;
	}
	add_text(&r->key, text);
	return add_included(r, text.at);
}

/* An entry: sizes (-1 if missing) and exit status in a line, then the parts. */

enum { KEY, SAID, SAID_ELSEWHERE, MODULE, DEPFILE, PARTS };

struct answer {
	struct bytes parts[PARTS];
	bool there[PARTS];
	int status;
};

static bool find(const char *path, const struct request *r, struct answer *a)
{
	struct bytes all = {NULL, 0};
	long sizes[PARTS] = {0};
	const char *line = read_file(path, &all) ? strchr(all.at, '\n') : NULL;

	if (!line || sscanf(all.at, "%d %ld %ld %ld %ld %ld", &a->status, &sizes[0], &sizes[1], &sizes[2], &sizes[3],
			    &sizes[4]) != 6)
		return false;
	long at = line - all.at + 1;
	for (size_t i = 0; i < PARTS; i++) {
		if (sizes[i] < 0)
			continue;
		if ((size_t)sizes[i] > all.count - (size_t)at)
			return false;
		a->there[i] = true;
		add(&a->parts[i], all.at + at, (size_t)sizes[i]);
		at += sizes[i];
	}
	free(all.at);
	return (size_t)at == all.count && a->parts[KEY].count == r->key.count &&
	       !memcmp(a->parts[KEY].at, r->key.at, r->key.count);
}

static void keep(const char *path, struct answer *a)
{
	struct bytes all = {NULL, 0};
	char line[200], passing[4200];
	int length = snprintf(line, sizeof line, "%d", a->status);

	for (size_t i = 0; i < PARTS; i++) {
		long size = a->there[i] ? (long)a->parts[i].count : -1;
		length += snprintf(line + length, sizeof line - (size_t)length, " %ld", size);
	}
	line[length] = '\n';
	add(&all, line, (size_t)length + 1);
	for (size_t i = 0; i < PARTS; i++) {
		if (a->there[i])
			add(&all, a->parts[i].at, a->parts[i].count);
	}
	snprintf(passing, sizeof passing, "%s.%ld", path, (long)getpid());
	if (!write_file(passing, all) || rename(passing, path))
		remove(passing);
}

enum { CANNOT_RUN = 127 };

/* Whether both streams go to the same place, where the order matters. */
static bool is_one_stream(void)
{
	struct stat one, two;

	return !fstat(1, &one) && !fstat(2, &two) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

/* Runs the compiler; false if a signal ended it, or it could not be started. */
static bool compile(const char *tool, char **words, const struct request *r, struct answer *a)
{
	bool is_one = is_one_stream();
	FILE *said = checked(tmpfile()), *elsewhere = checked(tmpfile());
	int status;
	pid_t child = fork();

	if (!child) {
		dup2(fileno(said), 1);
		dup2(fileno(is_one ? said : elsewhere), 2);
		execv(tool, words);
		_exit(CANNOT_RUN);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		abort();
	rewind(said);
	rewind(elsewhere);
	a->there[SAID] = read_stream(said, &a->parts[SAID]);
	a->there[SAID_ELSEWHERE] = read_stream(elsewhere, &a->parts[SAID_ELSEWHERE]);
	a->there[MODULE] = r->out && read_file(r->out, &a->parts[MODULE]);
	a->there[DEPFILE] = r->depfile && read_file(r->depfile, &a->parts[DEPFILE]);
	a->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return WIFEXITED(status) && a->status != CANNOT_RUN;
}

static bool say(int stream, struct bytes what)
{
	while (what.count) {
		ssize_t count = write(stream, what.at, what.count);
		if (count < 0 && errno != EINTR)
			return false;
		what.at += count < 0 ? 0 : count;
		what.count -= count < 0 ? 0 : (size_t)count;
	}
	return true;
}

int main(int argc, char **words)
{
	const char *store = getenv("SPB_COMPILED"), *name = argc ? strrchr(words[0], '/') : NULL;
	const char *tool = strcmp(name ? name + 1 : argc ? words[0] : "", "glslc") ? SPB_GLSLANG_VALIDATOR : SPB_GLSLC;
	struct request r = {.out = NULL};
	struct answer a = {.status = 0};
	struct stat found;
	char path[4096], line[4200];
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	if (!store || stat(tool, &found) || !read_request(&r, words)) {
		execv(tool, words);
		return CANNOT_RUN;
	}
	snprintf(line, sizeof line, "%s %lld %lld %d", tool, (long long)found.st_mtime, (long long)found.st_size,
		 is_one_stream());
	add(&r.key, line, strlen(line));
	exchange(r.key, true);
	for (size_t i = 0; i < r.key.count; i++)
		hash = (hash ^ (unsigned char)r.key.at[i]) * 1099511628211u;
	snprintf(path, sizeof path, "%s/%016llx", store, (unsigned long long)hash);
	if (find(path, &r, &a)) {
		for (size_t i = 0; i < PARTS; i++) {
			if (a.there[i])
				exchange(a.parts[i], false);
		}
		if ((a.there[MODULE] && !write_file(r.out, a.parts[MODULE])) ||
		    (a.there[DEPFILE] && !write_file(r.depfile, a.parts[DEPFILE])))
			return 1;
	} else {
		bool was_there = (r.out && !stat(r.out, &found)) || (r.depfile && !stat(r.depfile, &found));
		a = (struct answer){.parts = {[KEY] = r.key}, .there = {[KEY] = true}};
		bool ended = compile(tool, words, &r, &a);
		/* an old file, which a failing compiler may leave, is not its output */
		if (ended && (!was_there || !a.status)) {
			struct answer kept = a;
			for (size_t i = SAID; i < PARTS; i++) {
				kept.parts[i] = (struct bytes){NULL, 0};
				add(&kept.parts[i], a.parts[i].at, a.parts[i].count);
				exchange(kept.parts[i], true);
			}
			mkdir(store, 0777);
			keep(path, &kept);
		}
	}
	return say(1, a.parts[SAID]) && say(2, a.parts[SAID_ELSEWHERE]) ? a.status : 1;
}
